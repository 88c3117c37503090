"""The part of a claim's vocabulary that stays rational, for checking all cases of a finite set."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array


def _elementwise(f: Callable[..., Any], inputs: int) -> Callable[..., Array]:
    ufunc = np.frompyfunc(f, inputs, 1)
    return lambda *arrays: np.asarray(ufunc(*arrays), dtype=object)


class LogOf:
    """The logarithm of a rational, stored as the rational."""

    def __init__(self, argument: Any) -> None:
        self.argument = argument


class RationalVocabulary:
    """The vocabulary on arrays of `Fraction`; a logarithm may be an epsilon, of which only the exponential is taken."""

    log = staticmethod(_elementwise(LogOf, 1))
    exp = staticmethod(_elementwise(lambda x: x.argument, 1))
    maximum = staticmethod(_elementwise(max, 2))

    def hockey_stick(self, p: Array, q: Array, epsilon: Array) -> Array:
        """Return sum (p - e^epsilon q)_+."""
        excess = p - self.exp(epsilon)[..., None] * q
        return np.asarray(self.maximum(excess, Fraction(0)).sum(-1))

    def total_variation(self, p: Array, q: Array) -> Array:
        """Return sum |p - q| / 2."""
        return np.asarray(abs(p - q).sum(-1) / 2)
