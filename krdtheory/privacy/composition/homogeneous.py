"""Composition of k mechanisms with the same parameters."""

from __future__ import annotations

from functools import partial, singledispatch
from typing import Any

import mpmath
import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic, Float64
from krdtheory.arithmetic.base import Array, Floats
from krdtheory.privacy.composition.arguments import checked_below_one, checked_mechanisms, unrevealed
from krdtheory.privacy.composition.binomial import (
    first_above,
    inverse_profile,
    log_probability,
    log_profile_of_responses,
    success_sums,
    tail_sums,
    wide,
)
from krdtheory.privacy.conversions.arguments import as_real, broadcast_arguments, clamped
from krdtheory.privacy.guarantees import UNIT, raised, rounded_up

_STEPS = 60  # of Newton's method; two are enough near a root


def optimal_composition(
    *,
    epsilon: ArrayLike,
    delta: ArrayLike,
    k: ArrayLike,
    total_delta: ArrayLike,
    nonnegative: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""The least epsilon of k (epsilon, delta)-DP mechanisms together at a total delta.

    The inverse of `optimal_composition_delta`: with :math:`d = 1 - (1-\delta_{tot})/(1-\delta)^k` it is

    .. math:: \max_l \log \frac{A_l - d}{B_l}

    where A_l and B_l are the probabilities that binomials of k trials with success probabilities
    :math:`e^\varepsilon/(1+e^\varepsilon)` and :math:`1/(1+e^\varepsilon)` are at least l.

    Parameters
    ----------
    epsilon : array_like
        Of each mechanism: finite and >= 0.
    delta : array_like
        Of each mechanism: in [0, 1).
    k : array_like of int
        Number of mechanisms, from 1 to 10^9.
    total_delta : array_like
        In [0, 1).
    nonnegative : bool
        Return 0 where the result is negative, as it may be for a large `total_delta`.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The epsilon in nats; k epsilon where d = 0, and +inf where d < 0, as no epsilon is guaranteed there.

    References
    ----------
    Kairouz, Oh and Viswanath (2015), Theorem 3.3.

    Notes
    -----
    In float64 the result is never below the true value, and above it by what rounding costs a tail of k terms: 2 units
    in the last place up to k = 10^5 or so, sqrt(k) / 1000 beyond, and more where epsilon is near 0 or negative, as
    there delta hardly depends on it.

    Examples
    --------
    >>> from krdtheory.privacy.composition import optimal_composition
    >>> round(float(optimal_composition(epsilon=0.1, delta=1e-6, k=100, total_delta=1.01e-4)), 9)
    4.773898543
    >>> optimal_composition(epsilon=1, delta=0, k=[1, 5], total_delta=[0.01, 0.001]).round(9).tolist()
    [0.986226789, 4.995199559]
    """
    ar = arithmetic
    total = checked_below_one(ar, total_delta, "total_delta")
    e, d, n, total = broadcast_arguments(ar, **checked_mechanisms(ar, epsilon, delta, k), total_delta=total)
    left = unrevealed(ar, d, n, total)
    value = np.empty(e.shape, dtype=ar.dtype)
    for index in np.ndindex(e.shape):
        each, fold = e[index], int(n[index])
        with np.errstate(over="ignore"):
            most = each * fold
        value[index] = inverse_profile(ar, partial(log_profile_of_responses, ar, each, fold), left[index], most)
        if value[index] < ar.inf:
            value[index] = _epsilon_above(ar, each, fold, d[index], total[index], value[index])
    return ar.result(clamped(value, nonnegative))


def optimal_composition_delta(
    *, epsilon: ArrayLike, delta: ArrayLike, k: ArrayLike, total_epsilon: ArrayLike, arithmetic: Arithmetic = FLOAT64
) -> Floats:
    r"""The least delta of k (epsilon, delta)-DP mechanisms together at a total epsilon.

    .. math:: 1 - (1-\delta)^k (1-\delta_0), \qquad
       \delta_0 = \sum_l \binom{k}{l} \frac{(e^{l\varepsilon} - e^{\varepsilon_{tot} + (k-l)\varepsilon})_+}
       {(1+e^\varepsilon)^k}

    Parameters
    ----------
    epsilon, delta, k
        As `optimal_composition`; delta = 1 is allowed.
    total_epsilon : array_like
        Any real number.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The total delta, in [0, 1].

    Notes
    -----
    The sum has positive terms only. Its largest one is found in multiprecision and the others from ratios of
    neighbours, so that nothing cancels and nothing overflows for k up to 10^9. In float64 the result is never below the
    true value, and above it by 2 units in the last place up to k = 10^5 or so, sqrt(k) / 1000 beyond.

    References
    ----------
    Kairouz, Oh and Viswanath (2015), Theorem 3.3.

    Examples
    --------
    >>> from krdtheory.privacy.composition import optimal_composition_delta
    >>> optimal_composition_delta(epsilon=1, delta=0, k=2, total_epsilon=[0, 1, 2]).round(12).tolist()
    [0.46211715726, 0.337834712147, 0.0]
    """
    ar = arithmetic
    total = as_real(ar, total_epsilon, "total_epsilon")
    e, d, n, total = broadcast_arguments(ar, **checked_mechanisms(ar, epsilon, delta, k, most=1), total_epsilon=total)
    value = np.empty(e.shape, dtype=ar.dtype)
    for index in np.ndindex(e.shape):
        value[index] = _delta_above(ar, e[index], int(n[index]), d[index], total[index])
    return ar.result(value)


@singledispatch
def _delta_above(ar: Arithmetic, e: Any, k: int, d: Any, x: Any) -> Any:
    """Return the total delta; in float64 it is rounded up."""
    log_delta = np.asarray([log_profile_of_responses(ar, e, k, x)])
    return _with_revealed(ar, d, np.asarray(k), log_delta)[0]


@_delta_above.register(Float64)
def _delta_above_in_float64(ar: Float64, e: Any, k: int, d: Any, x: Any) -> float:
    if d == 1:
        return 1.0
    gain, _, error = tail_sums(e, k, x)
    if d == gain == 0 and k * mpmath.mpf(float(e)) <= x:
        return 0.0
    gain = min(gain * (1 + error) + np.finfo(np.longdouble).tiny, np.longdouble(1))
    hidden = k * np.log1p(-np.longdouble(d)) + FLOAT64.log1p(-gain)
    return min(float(rounded_up(-np.expm1(hidden) * (1 + 8 * UNIT))), 1.0)


@singledispatch
def _epsilon_above(ar: Arithmetic, e: Any, k: int, d: Any, total: Any, near: Any) -> Any:
    """Return the total epsilon, given the value `near` that a search found; in float64 it is rounded up."""
    return near


@_epsilon_above.register(Float64)
def _epsilon_above_in_float64(ar: Float64, e: Any, k: int, d: Any, total: Any, near: Any) -> float:
    """Compute the root in extended precision and round it up.

    The profile is convex in e^x, so each of its tangents, P(S) - e^x Q(S) for an event S, has its zero at or below the
    root of the profile. The profile is linear in e^x between two losses, so the tangent at a float64 next to the root
    has its zero at the root itself.
    """
    context = MP(80).context
    log_hidden = k * context.log1p(-context.mpf(float(d)))
    left = -context.expm1(context.log1p(-context.mpf(float(total))) - log_hidden)
    top = k * context.mpf(float(e))
    if left == 0 or e == 0:
        return float(rounded_up(raised(top + context.log1p(-left), 70)))
    share, rest = wide(left), wide(1 - left)

    def tangent(x: float) -> tuple[Any, Any]:
        gain, kept, error = tail_sums(e, k, x)
        if not kept > 0 and gain > share:  # the least loss above x is so large that the others are negligible
            first = first_above(e, k, x)
            value = wide((2 * first - k) * context.mpf(float(e)) - log_probability(MP(80), e, k, first))
            value = value + np.log(gain - share)
            return value, 8 * UNIT * abs(value)
        if not kept > 0:
            return np.longdouble(x), 0
        if share < 0.5:
            value = x + np.log1p((gain - share) / kept)
            return value, error * gain / kept + 4 * UNIT * (share / kept + abs(value))
        below, first = 0 * kept, first_above(e, k, x)  # the probability of the losses up to x, less than `rest`
        if top > abs(x) and first > 0:
            below, low_error = success_sums(e, k, x, 0, first - 1)[2:]
            error = error + low_error * below / abs(rest - below)
        value = x + np.log((rest - below) / kept)
        return value, error + 4 * UNIT * (rest / abs(rest - below) + abs(x) + abs(value))

    for _ in range(_STEPS):  # increasing after the first step, as the function is convex
        last, value = near, tangent(near)[0]
        near = float(value) if np.isfinite(value) else near
        if near == last or abs(near - last) <= 1e-15 * abs(last):
            break
    with np.errstate(over="ignore"):
        about = [x for x in (np.nextafter(near, -np.inf), near, np.nextafter(near, np.inf)) if np.isfinite(x)]
    most = float(rounded_up(raised(top, 70)))
    return min(float(rounded_up(np.nanmax([sum(tangent(float(x))) for x in about]))), most)


def _with_revealed(ar: Arithmetic, d: Array, n: Array, log_delta: Array) -> Array:
    certain = (d == 1) | (log_delta >= 0)
    hidden = ar.log1p(-ar.exp(np.where(certain, -ar.inf, log_delta)))
    return np.where(certain, 1, -ar.expm1(n * ar.log1p(-np.where(certain, 0, d)) + hidden))
