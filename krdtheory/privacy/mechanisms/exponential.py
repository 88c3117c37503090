"""The exponential mechanism."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic, Float64
from krdtheory.arithmetic.base import Array, generator, reject
from krdtheory.arithmetic.checks import check_number
from krdtheory.divergences._noise import NODES, WEIGHTS
from krdtheory.privacy.mechanisms.mechanism import BoundedMechanism
from krdtheory.privacy.mechanisms.parameters import as_number


@dataclass(frozen=True, kw_only=True)
class Exponential(BoundedMechanism):
    r"""The exponential mechanism: candidate i with probability proportional to e^{c u_i}, u_i its score.

    c = epsilon / (2 sensitivity), or epsilon / sensitivity where one individual can only raise scores, or only
    lower them (`monotone`). The log ratios then lie in an interval of length epsilon ("bounded range"), and the
    worst case over all scores is a two-point pair: with L(x) = log(sinh(x) / x) and h = epsilon / 2,
    D_alpha = L(alpha h) - L((alpha - 1) h) + (L(alpha h) - L(h)) / (alpha - 1), which is about alpha epsilon^2 / 8, and
    delta(e) = (1 - e^{(e - epsilon) / 2})^2 / (1 - e^{-epsilon}) on [0, epsilon].

    Parameters
    ----------
    epsilon : number
        The epsilon of pure differential privacy, positive.
    sensitivity : number
        How much one individual changes any score, positive.
    monotone : bool
        Whether one individual changes all scores in the same direction.

    Raises
    ------
    ValueError, TypeError
        A parameter that is not a positive finite number; `monotone` not a boolean.

    References
    ----------
    McSherry and Talwar (2007); Durfee and Rogers (2019); Dong, Durfee and Rogers (2020).

    Examples
    --------
    >>> from krdtheory.privacy.mechanisms import Exponential
    >>> mechanism = Exponential(epsilon=2, sensitivity=1)
    >>> mechanism.distribution([0.0, 1.0]).round(6).tolist()
    [0.268941, 0.731059]
    >>> round(float(mechanism.kl()), 12), round(float(mechanism.total_variation()), 12)
    (0.474474647071, 0.46211715726)
    >>> int(mechanism.sample([1.0, 5.0, 2.0], rng=0))
    1
    """

    epsilon: Any
    sensitivity: Any
    monotone: bool = False

    def __post_init__(self) -> None:
        check_number(self.epsilon, "epsilon")
        check_number(self.sensitivity, "sensitivity")
        if not isinstance(self.monotone, (bool, np.bool_)):
            reject("monotone", self.monotone, "True or False", TypeError)

    def distribution(self, scores: Any, *, arithmetic: Arithmetic = FLOAT64) -> Any:
        """The distribution (..., n) of the choice for scores (..., n).

        Examples
        --------
        >>> from krdtheory.privacy.mechanisms import Exponential
        >>> Exponential(epsilon=1, sensitivity=1, monotone=True).distribution([[0, 0], [0, 1000]]).tolist()
        [[0.5, 0.5], [0.0, 1.0]]
        """
        ar = arithmetic
        weights = ar.exp(self._exponents(ar, scores))
        return ar.result(weights / weights.sum(-1, keepdims=True))

    def sample(self, value: Any, *, rng: Any) -> Any:
        """The index chosen for scores `value` (..., n); `rng` a Generator or a seed."""
        exponents = self._exponents(FLOAT64, value)
        return np.argmax(exponents + generator(rng).gumbel(size=exponents.shape), -1)

    def _exponents(self, ar: Arithmetic, scores: Any) -> Array:
        """Return c (u - max u); where it overflows it is -inf, so that the candidate is never chosen."""
        u = _scores(ar, scores)
        with np.errstate(over="ignore"):
            gaps = u - u.max(-1, keepdims=True)
            epsilon, sensitivity = as_number(ar, self.epsilon), as_number(ar, self.sensitivity)
            return ar.ldexp(ar.scaled_quotient(gaps, epsilon, sensitivity), 0 if self.monotone else -1)

    def _largest_loss(self, ar: Arithmetic) -> Array:
        return as_number(ar, self.epsilon)

    def _profile(self, ar: Arithmetic, e: Array) -> Array:
        epsilon = as_number(ar, self.epsilon)
        gap = e - epsilon
        return ar.expm1(np.where(gap < 0, gap, 0) / 2) ** 2 / -ar.expm1(-epsilon)

    def _slope(self, ar: Arithmetic, e: Array) -> Array:
        half = (e - as_number(ar, self.epsilon)) / 2
        return ar.expm1(half) * ar.exp(half) / ar.expm1(-as_number(ar, self.epsilon))

    def _epsilon_at(self, ar: Arithmetic, d: Array) -> Array:
        epsilon = as_number(ar, self.epsilon)
        return epsilon + 2 * ar.log1p(-ar.sqrt(-d * ar.expm1(-epsilon)))

    def _renyi(self, ar: Arithmetic, a: Array) -> Array:
        return _renyi_of(ar, self.epsilon, a)


@singledispatch
def _renyi_of(ar: Any, epsilon: Any, a: Array) -> Array:
    """Return the closed form, with the digits added that L loses at small arguments, and its differences at large
    arguments and near order 1."""
    h, s = as_number(ar, epsilon) / 2, abs(a - 1)
    sizes = [x for x in (*np.ravel(h), *np.ravel(a * h), *np.ravel(s)) if 0 < x < ar.inf]
    ar = MP(ar.digits + 3 * max(abs(int(ar.context.log10(x))) for x in sizes) + 5)
    h, a = as_number(ar, epsilon) / 2, np.frompyfunc(ar.context.mpf, 1, 1)(a)
    s = a - 1
    top = _log_sinhc(ar, a * h)
    slope = (top - _log_sinhc(ar, h)) / np.where(s == 0, 1, s)
    return top - _log_sinhc(ar, s * h) + np.where(s == 0, h * _coth(ar, h) - 1, slope)


@_renyi_of.register(Float64)
def _renyi_in_float64(ar: Float64, epsilon: Any, a: Array) -> Array:
    """Return D_alpha as a sum of means of the slope of L over intervals, which involves no cancellation."""
    h, s = as_number(ar, epsilon) / 2, a - 1
    start, slope = np.minimum(abs(s) * h, 1e200), np.minimum(s * h, 1e200)  # the means reach their limits long before
    step = np.where(s < 0, (2 * a - 1) * h, h)
    return step * _mean_langevin(start, step) + h * _mean_langevin(h, slope)


def _mean_langevin(start: Any, step: Array) -> Array:
    """Return the mean of coth(x) - 1/x = d/dx log(sinh(x) / x) from `start` to start + step, both nonnegative."""
    start, step = np.broadcast_arrays(start, step)
    short = abs(step) <= 1
    middle = np.maximum(start, 1)
    x = np.where(short, middle + 2, start + step)
    far = _integral(_langevin, start, middle - start) + (
        step - (middle - start)
    )  # in two parts, from start to 1 and from 1 to x
    far = far + np.log1p(-np.exp(-2 * x)) - np.log1p(-np.exp(-2 * middle)) - np.log(x / middle)
    near = _integral(_langevin, start, np.where(short, step, 0))
    mean = np.where(step == 0, _langevin(start), near / np.where(step == 0, 1, step))
    return np.where(short, mean, far / np.where(short, 1, step))


def _integral(f: Callable[[Array], Array], start: Array, step: Array) -> Array:
    """Return the integral of f from start to start + step, |step| <= 1, by 24 Gauss-Legendre nodes."""
    return step * (WEIGHTS * f(start[..., None] + step[..., None] * NODES)).sum(-1)


def _langevin(x: Array) -> Array:
    """Return coth(x) - 1/x, x >= 0, by the continued fraction x / (3 + x^2 / (5 + ...)) where it would cancel."""
    small, large = np.minimum(x, 4), np.maximum(x, 4)
    tail = np.full_like(small, 41)
    for n in range(39, 1, -2):
        tail = n + small * small / tail
    return np.where(x < 4, small / tail, 1 / np.tanh(large) - 1 / large)


def _coth(ar: Arithmetic, x: Array) -> Array:
    return (1 + ar.exp(-2 * x)) / -ar.expm1(-2 * x)


def _log_sinhc(ar: Arithmetic, x: Array) -> Array:
    """Return log(sinh(x) / x)."""
    positive = np.where(x == 0, 1, abs(x))
    return np.where(x == 0, 0, positive + ar.log(-ar.expm1(-2 * positive) / (2 * positive)))


def _scores(ar: Arithmetic, value: Any) -> Array:
    u = ar.reals(value, "scores")
    if u.ndim == 0 or u.shape[-1] == 0:
        reject("scores", value, "scores of at least one candidate, shape (..., n)")
    return ar.lift(u)
