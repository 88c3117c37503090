"""Geometric noise on integers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import Any, Self

import numpy as np

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic, Float64
from krdtheory.arithmetic.base import Array, generator, reject
from krdtheory.arithmetic.checks import check_count, check_number
from krdtheory.privacy.mechanisms.mechanism import BoundedMechanism
from krdtheory.privacy.mechanisms.parameters import EXACT, as_number, ceiling, integers, rounded_up_float

BASE = 2**26  # of the number system in which large geometric noise is drawn digit by digit


@dataclass(frozen=True, kw_only=True)
class DiscreteLaplace(BoundedMechanism):
    r"""The geometric mechanism: noise k with probability ``(1 - q) / (1 + q) q^|k|``, q = e^{-1 / scale}, on integers.

    The losses of a shift by m are (m - 2 i) / scale, i = 0, ..., m. At these delta = 1 - q^i, and it is linear in
    e^epsilon between them; with y = q^{2 alpha - 1}, alpha >= 1/2,
    D_alpha = m / scale + log(1 + (y - q) (1 - y^m) / ((1 + q) (1 - y))) / (alpha - 1).

    Parameters
    ----------
    scale : number
        b > 0.
    sensitivity : int
        L1 sensitivity of the integer vector that is released, at least 1.

    Raises
    ------
    ValueError, TypeError
        scale not a positive finite number, sensitivity not a positive integer.

    References
    ----------
    Ghosh, Roughgarden and Sundararajan (2012).

    Examples
    --------
    >>> from krdtheory.privacy.mechanisms import DiscreteLaplace
    >>> mechanism = DiscreteLaplace.calibrated(epsilon=1, sensitivity=2)
    >>> mechanism.privacy_profile([0, 0.5, 1]).round(12).tolist()
    [0.393469340287, 0.244918662404, 0.0]
    >>> mechanism.sample([10, 20], rng=0).tolist()
    [12, 20]
    """

    scale: Any
    sensitivity: int

    def __post_init__(self) -> None:
        check_number(self.scale, "scale")
        check_count(self.sensitivity, "sensitivity", 1)

    @classmethod
    def calibrated(cls, *, epsilon: Any, sensitivity: int) -> Self:
        """The least noise that is epsilon-private: scale = sensitivity / epsilon, rounded up.

        Raises
        ------
        ValueError, TypeError
            epsilon not positive and finite, sensitivity not a positive integer.

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import DiscreteLaplace
        >>> DiscreteLaplace.calibrated(epsilon=0.5, sensitivity=1)
        DiscreteLaplace(scale=2.0, sensitivity=1)
        """
        check_number(epsilon, "epsilon")
        size = check_count(sensitivity, "sensitivity", 1)
        return cls(scale=rounded_up_float(size / as_number(EXACT, epsilon)), sensitivity=sensitivity)

    def sample(self, value: Any, *, rng: Any) -> Any:
        """`value` (integers of any shape) with independent noise on every entry; `rng` a Generator or a seed.

        Samples are 64-bit integers, so a scale above 1e16 and values beyond 2^62, which could overflow, raise
        ValueError.
        """
        x = integers(value, "value")
        if (abs(x) > 2**62).any() or (x == np.iinfo(x.dtype).min).any():
            reject("value", value, "integers from -2^62 to 2^62")
        if as_number(FLOAT64, self.scale) > 1e16:  # up to that scale noise beyond 2^62 has probability e^-460
            reject("scale", self.scale, "at most 1e16 to sample")
        g = generator(rng)
        return (x + self._geometric(g, x.shape) - self._geometric(g, x.shape))[()]

    def _geometric(self, g: np.random.Generator, shape: tuple[int, ...]) -> Array:
        """Return geometric variables of success probability 1 - q, plus a constant that cancels in differences.

        In a large base the lowest digit and the number formed by the others are independent, a truncated geometric and
        a geometric variable, so that nothing is rounded.
        """
        scale = float(as_number(FLOAT64, self.scale))
        if scale <= BASE:
            return g.geometric(-np.expm1(-1 / scale), shape)
        low = np.floor(-scale * np.log1p(g.random(shape) * np.expm1(-BASE / scale))).astype(np.int64)
        return BASE * g.geometric(-np.expm1(-BASE / scale), shape) + np.minimum(low, BASE - 1)

    def _rate(self, ar: Arithmetic) -> Array:
        return 1 / as_number(ar, self.scale)

    def _largest_loss(self, ar: Arithmetic) -> Array:
        return as_number(ar, int(self.sensitivity)) * self._rate(ar)

    def _profile(self, ar: Arithmetic, e: Array) -> Array:
        rate, loss = self._rate(ar), self._largest_loss(ar)
        inside = e < loss
        twice_t = np.where(inside, loss - np.where(inside, e, 0), rate) / rate
        i = ceiling(twice_t / 2)  # losses above e
        delta = -ar.expm1(-(twice_t - i + 1) * rate) - ar.exp(-rate) * ar.expm1(-(i - 1) * rate)
        return np.where(inside, delta / (1 + ar.exp(-rate)), 0)

    def _slope(self, ar: Arithmetic, e: Array) -> Array:
        rate = self._rate(ar)
        twice_t = (self._largest_loss(ar) - e) / rate
        return ar.exp((ceiling(twice_t / 2) - 1 - twice_t) * rate)

    def _epsilon_at(self, ar: Arithmetic, d: Array) -> Array:
        rate = self._rate(ar)
        q, i = ar.exp(-rate), ceiling(-ar.log1p(-d) / rate)
        i = np.where(i > 1, i, 1)
        return self._largest_loss(ar) - (i - 1) * rate + ar.log1p(-q * ar.expm1(-(i - 1) * rate) - (1 + q) * d)

    def _renyi(self, ar: Arithmetic, a: Array) -> Array:
        return _renyi_of(ar, self, a)

    def _closed_renyi(self, ar: Arithmetic, a: Array) -> Array:
        rate, m, s = self._rate(ar), int(self.sensitivity), a - 1
        q, step = ar.exp(-rate), (2 * a - 1) * rate
        flat = step == 0
        geometric = np.where(flat, m, ar.expm1(-m * step) / ar.expm1(-np.where(flat, 1, step)))
        up, down = 2 * np.where(s < 0, s, 0) * rate, -2 * np.where(s > 0, s, 0) * rate
        gap = np.where(s < 0, -ar.exp(-step) * ar.expm1(up), q * ar.expm1(down))  # y - q
        growth = np.where(s == 0, -2 * rate * q, gap / np.where(s == 0, 1, s)) / (1 + q) * geometric
        return self._largest_loss(ar) + np.where(s == 0, growth, ar.log1p(s * growth) / np.where(s == 0, 1, s))


@singledispatch
def _renyi_of(ar: Arithmetic, mechanism: DiscreteLaplace, a: Array) -> Array:
    return mechanism._closed_renyi(ar, a)


@_renyi_of.register(Float64)
def _renyi_in_float64(ar: Float64, mechanism: DiscreteLaplace, a: Array) -> Array:
    """Use multiprecision where the largest loss is small and the closed form cancels."""
    loss = mechanism._largest_loss(ar)
    value = np.array(mechanism._closed_renyi(ar, a))
    for index in np.ndindex(a.shape):
        if loss < 1 and (2 * a[index] - 1) * loss < 4:
            exact = MP(30 - 2 * int(np.log10(loss)))
            value[index] = mechanism._closed_renyi(exact, exact.order(float(a[index])))[0]
    return value
