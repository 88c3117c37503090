"""The privacy profile of a composition in two halves, from the sums of all pairs of their losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from krdtheory.arithmetic import Arithmetic
from krdtheory.arithmetic.base import Array


class PairSums:
    """The logarithm of the privacy profile of a composition in two halves. Each half is given by its ascending losses
    and their probabilities, under p for the first and under q for the second. It uses the sums over m >= j of p_m
    (1 - exp(l_j - l_m)) and of p_m exp(l_j - l_m), whose terms are nonnegative, so that nothing cancels."""

    def __init__(self, ar: Arithmetic, first: tuple[Array, Array], second: tuple[Array, Array]) -> None:
        self.ar = ar
        self.falling, self.p = (np.ascontiguousarray(x[::-1]) for x in first)
        l2, q2 = second
        tail = ar.exp(l2) * q2[::-1].cumsum()[::-1]
        step = -ar.expm1(l2[:-1] - l2[1:]) * tail[1:]
        zero = 0 * tail[:1]
        above = np.concatenate([step[::-1].cumsum()[::-1], zero])
        self.losses = l2
        self.at, self.tail, self.above = np.append(l2, l2[-1]), np.append(tail, zero), np.append(above, zero)

    def tangent(self, x: Any) -> tuple[Any, Any]:
        """Return the profile at x and minus its derivative: the sums over the losses l above x of the probabilities
        times 1 - e^(x-l) and times e^(x-l)."""
        left = x - self.falling  # ascending
        place = np.searchsorted(self.losses, left, side="right")
        gap = left - self.at[place]
        less = self.ar.expm1(np.where(gap < 0, gap, 0))
        tail = self.tail[place]
        return (self.p * (self.above[place] - less * tail)).sum(), (self.p * (tail + less * tail)).sum()

    def __call__(self, x: Any) -> Any:
        total = self.tangent(x)[0]
        return self.ar.log(total) if total > 0 else -self.ar.inf

    def newton(self, d: Any, x: Any, tol: Any) -> Any:
        """Return the root at which the profile is d, by Newton's method from an x below it. The profile is convex in
        e^x, so the iterates increase. None if they do not converge."""
        for _ in range(50):
            gain, kept = self.tangent(x)
            if not kept > 0:
                return None
            step = self.ar.log1p((gain - d) / kept)
            x = x + step
            if abs(step) <= tol * (1 + abs(x)):
                return x
        return None
