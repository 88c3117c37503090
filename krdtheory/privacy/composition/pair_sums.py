"""The privacy profile of two halves of a composition, by the sums of all pairs of their losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from krdtheory.arithmetic import Arithmetic
from krdtheory.arithmetic.base import Array

MERGED_SUMS = 2**14  # of losses in either half, from which a search for a root starts


class PairSums:
    """The logarithm of the profile of two halves, each with its losses, ascending, and their probabilities under both
    distributions: by the sums over m >= j of p_m (1 - exp(l_j - l_m)) and of p_m exp(l_j - l_m), whose terms are not
    negative."""

    def __init__(self, ar: Arithmetic, first: tuple[Array, Array, Array], second: tuple[Array, Array, Array]) -> None:
        self.ar, self.halves = ar, (first, second)
        self.falling, self.p = (np.ascontiguousarray(x[::-1]) for x in first[:2])
        l2, _, q2 = second
        tail = ar.exp(l2) * q2[::-1].cumsum()[::-1]
        step = -ar.expm1(l2[:-1] - l2[1:]) * tail[1:]
        zero = 0 * tail[:1]
        above = np.concatenate([step[::-1].cumsum()[::-1], zero])
        self.losses = l2
        self.at, self.tail, self.above = np.append(l2, l2[-1]), np.append(tail, zero), np.append(above, zero)

    def tangent(self, x: Any) -> tuple[Any, Any]:
        """The profile at x, and its fall with x, sums over the losses l above x of the probabilities times 1 - e^(x-l)
        and times e^(x-l)."""
        left = x - self.falling  # ascending
        place = np.searchsorted(self.losses, left, side="right")
        gap = left - self.at[place]
        less = self.ar.expm1(np.where(gap < 0, gap, 0))
        tail = self.tail[place]
        return (self.p * (self.above[place] - less * tail)).sum(), (self.p * (tail + less * tail)).sum()

    def __call__(self, x: Any) -> Any:
        total = self.tangent(x)[0]
        return self.ar.log(total) if total > 0 else -self.ar.inf

    def merged(self) -> PairSums | None:
        """A lower bound, near it, of fewer losses: neighbours merged. None where there are few."""
        if len(self.losses) <= MERGED_SUMS:
            return None
        halves = []
        for losses, p, q in self.halves:
            edges = np.linspace(losses[0], losses[-1], MERGED_SUMS)
            starts = np.unique(np.searchsorted(losses, edges))
            p, q = np.add.reduceat(p, starts), np.add.reduceat(q, starts)
            halves.append((np.log(p) - np.log(q), p, q))
        return PairSums(self.ar, halves[0], halves[1])

    def newton(self, d: Any, x: Any, tol: Any) -> Any:
        """The root, the profile being d there, by Newton's method from x below it: the profile is convex in e^x, and so
        the steps go upwards. None where they do not lead there."""
        for _ in range(50):
            gain, kept = self.tangent(x)
            if not kept > 0:
                return None
            step = self.ar.log1p((gain - d) / kept)
            x = x + step
            if abs(step) <= tol * (1 + abs(x)):
                return x
        return None
