"""The vocabulary of a claim over sympy expressions, for weights that are all positive, and over exact rationals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from krdtheory.arithmetic.base import Array


def _elementwise(f: Callable[..., Any], inputs: int) -> Callable[..., Array]:
    ufunc = np.frompyfunc(f, inputs, 1)
    return lambda *arrays: np.asarray(ufunc(*arrays), dtype=object)


class SymbolicVocabulary:
    """Literal definitions over sympy expressions, on arrays (batch, n) of positive weights that sum to 1."""

    inf = sympy.oo
    pi = sympy.pi
    log = staticmethod(_elementwise(sympy.log, 1))
    exp = staticmethod(_elementwise(sympy.exp, 1))
    sqrt = staticmethod(_elementwise(sympy.sqrt, 1))
    power = staticmethod(_elementwise(sympy.Pow, 2))
    maximum = staticmethod(_elementwise(sympy.Max, 2))
    minimum = staticmethod(_elementwise(sympy.Min, 2))

    def renyi(self, p: Array, q: Array, alpha: Array) -> Array:
        """log sum p^alpha q^(1 - alpha) / (alpha - 1)."""
        order = np.asarray(alpha)[..., None]
        return self.log((self.power(p, order) * self.power(q, 1 - order)).sum(-1)) / (alpha - 1)

    def kl(self, p: Array, q: Array) -> Array:
        """sum p log(p / q)."""
        return np.asarray((p * self.log(p / q)).sum(-1))

    def total_variation(self, p: Array, q: Array) -> Array:
        """sum |p - q| / 2."""
        return np.asarray(abs(p - q).sum(-1) / 2)

    def hellinger(self, p: Array, q: Array) -> Array:
        """1 - sum sqrt(p q)."""
        return np.asarray(1 - self.sqrt(p * q).sum(-1))

    def hockey_stick(self, p: Array, q: Array, epsilon: Array) -> Array:
        """sum (p - e^epsilon q)_+."""
        excess = p - self.exp(epsilon)[..., None] * q
        return np.asarray(self.maximum(excess, 0 * excess).sum(-1))

    def gdp_to_rdp(self, *, mu: Array, alpha: Array) -> Array:
        """alpha mu^2 / 2."""
        return alpha * mu * mu / 2

    def sandwiched_renyi(self, rho: Array, sigma: Array, alpha: Array, regularization: Any = 0) -> Array:
        """The divergence of 1 x 1 matrices: log rho^(alpha-1) (sigma + lambda)^(1-alpha) / (alpha - 1)."""
        if rho.shape[-1] != 1:
            raise NotImplementedError("matrices larger than 1 x 1")
        return self.log(rho[..., 0, 0] / (sigma[..., 0, 0] + regularization))


class LogOf:
    """The logarithm of a rational, kept as the rational."""

    def __init__(self, argument: Any) -> None:
        self.argument = argument


class RationalVocabulary:
    """What of a vocabulary stays rational, over arrays of `Fraction`: log only to be an epsilon."""

    log = staticmethod(_elementwise(LogOf, 1))
    maximum = staticmethod(_elementwise(max, 2))
    minimum = staticmethod(_elementwise(min, 2))
    exp = staticmethod(_elementwise(lambda x: x.argument, 1))

    def hockey_stick(self, p: Array, q: Array, epsilon: Array) -> Array:
        """sum (p - e^epsilon q)_+."""
        excess = p - self.exp(epsilon)[..., None] * q
        return np.asarray(self.maximum(excess, Fraction(0)).sum(-1))

    def total_variation(self, p: Array, q: Array) -> Array:
        """sum |p - q| / 2."""
        return np.asarray(abs(p - q).sum(-1) / 2)

    def power(self, x: Array, n: Array) -> Array:
        """x^n for integers n."""
        return _elementwise(lambda a, b: Fraction(a) ** int(b), 2)(x, n)
