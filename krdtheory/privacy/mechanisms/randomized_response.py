"""Randomised response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, generator, reject
from krdtheory.arithmetic.checks import check_count, check_number
from krdtheory.privacy.mechanisms.mechanism import BoundedMechanism
from krdtheory.privacy.mechanisms.parameters import as_number, integers

_FAR = 600.0  # exponents beyond this may overflow a float


@dataclass(frozen=True, kw_only=True)
class RandomizedResponse(BoundedMechanism):
    r"""k-ary randomised response: the true category with probability e^epsilon / (e^epsilon + k - 1), else another.

    With p that probability: delta(e) = p (1 - e^{e - epsilon}) on [0, epsilon], and
    e^{(alpha - 1) D_alpha} = 1 + p (1 - e^{-alpha epsilon}) (e^{(alpha - 1) epsilon} - 1). Binary randomised
    response is the worst of all epsilon-private mechanisms, in every f-divergence.

    Parameters
    ----------
    epsilon : number
        Positive.
    categories : int
        k >= 2.

    Raises
    ------
    ValueError, TypeError
        epsilon not a positive finite number, categories not an integer >= 2.

    References
    ----------
    Warner (1965); Kairouz, Oh and Viswanath (2014); Colisson (2016), Theorem 7.

    Examples
    --------
    >>> from krdtheory.privacy.mechanisms import RandomizedResponse
    >>> mechanism = RandomizedResponse(epsilon=1)
    >>> round(float(mechanism.renyi(3)), 12), round(float(mechanism.total_variation()), 12)
    (0.846726830485, 0.46211715726)
    >>> RandomizedResponse(epsilon=2, categories=4).sample([0, 1, 2, 3], rng=1).tolist()
    [0, 2, 2, 1]
    """

    epsilon: Any
    categories: int = 2

    def __post_init__(self) -> None:
        check_number(self.epsilon, "epsilon")
        check_count(self.categories, "categories", 2)

    def distribution(self, value: int, *, arithmetic: Arithmetic = FLOAT64) -> Any:
        """The distribution (categories,) of the response to `value`.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import RandomizedResponse
        >>> RandomizedResponse(epsilon=1).distribution(0).round(6).tolist()
        [0.731059, 0.268941]
        """
        ar, k = arithmetic, int(self.categories)
        if not 0 <= check_count(value, "value", 0) < k:
            reject("value", value, f"a category, in 0, ..., {k - 1}")
        other = ar.exp(-as_number(ar, self.epsilon))
        law = np.where(np.arange(k) == value, 1, other) / (1 + (k - 1) * other)
        return ar.result(ar.lift(law))

    def sample(self, value: Any, *, rng: Any) -> Any:
        """Responses to the categories `value` (integers in [0, k), of any shape); `rng` a Generator or a seed."""
        x, k, g = integers(value, "value"), int(self.categories), generator(rng)
        if ((x < 0) | (x >= k)).any():
            reject("value", x[(x < 0) | (x >= k)].flat[0], f"categories, in 0, ..., {k - 1}")
        truth = g.random(x.shape) < self._truth(FLOAT64)
        return np.where(truth, x, (x + g.integers(1, k, x.shape)) % k)[()]

    def _truth(self, ar: Arithmetic) -> Array:
        return 1 / (1 + as_number(ar, int(self.categories) - 1) * ar.exp(-as_number(ar, self.epsilon)))

    def _largest_loss(self, ar: Arithmetic) -> Array:
        return as_number(ar, self.epsilon)

    def _profile(self, ar: Arithmetic, e: Array) -> Array:
        gap = e - as_number(ar, self.epsilon)
        return -self._truth(ar) * ar.expm1(np.where(gap < 0, gap, 0))

    def _slope(self, ar: Arithmetic, e: Array) -> Array:
        truth = self._truth(ar)
        return truth * ar.exp(e - as_number(ar, self.epsilon)) + 1 - truth  # 1 - truth is for rounding `truth`

    def _epsilon_at(self, ar: Arithmetic, d: Array) -> Array:
        kept = d / self._truth(ar)
        return as_number(ar, self.epsilon) + np.where(kept < 1, ar.log1p(-np.where(kept < 1, kept, 0)), -ar.inf)

    def _renyi(self, ar: Arithmetic, a: Array) -> Array:
        e, k, s = as_number(ar, self.epsilon), int(self.categories), a - 1
        nonzero = np.where(s == 0, 1, s)
        loss = np.where(abs(s) * e < _FAR, s * e, 0)
        growth = np.where(s == 0, e, ar.expm1(loss) / nonzero) * -ar.expm1(-a * e) * self._truth(ar)
        near = (abs(s) * e < _FAR) & (s * growth > -0.5)
        others = ar.exp(-(2 * a - 1) * e) + (k - 2) * ar.exp(-a * e)
        far = e + (ar.log1p(others) - ar.log1p((k - 1) * ar.exp(-e))) / nonzero
        return np.where(near, ar.log1p_quotient(s, np.where(near, growth, 0)), far)
