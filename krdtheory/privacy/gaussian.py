"""The privacy profile of Gaussian DP and its inverse, for all parameters."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import Any

import numpy as np
from flint import arb
from scipy.special import erfcx, erfinv, ndtr, ndtri

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic, Float64
from krdtheory.arithmetic.base import Array
from krdtheory.divergences._noise import NODES, WEIGHTS
from krdtheory.privacy.guarantees import NARROW, by_balls, by_multiprecision
from krdtheory.privacy.roots import increasing_root

FAR_TAIL = 10**6  # standard deviations


def mirrored(ar: Arithmetic, above: Array, e: Array) -> Array:
    """Return delta(e) at any real e, given `above` = delta(|e|), for a symmetric pair of distributions."""
    below = np.where(e < 0, e, 0)
    return np.where(e < 0, ar.exp(below) * above - ar.expm1(below), above)


@singledispatch
def gaussian_delta(ar: Arithmetic, mu: Array, e: Array) -> Array:
    """Return delta(e), e in [-inf, inf], of unit normal distributions at distance mu >= 0; in float64 rounded up."""
    return _gaussian_delta(ar, mu, e)


@gaussian_delta.register(Float64)
def _gaussian_delta_in_float64(ar: Float64, mu: Array, e: Array) -> Array:
    value = by_balls(gaussian_delta_ball, mu, e)
    wide = np.isnan(value)
    if wide.any():
        mu, e = (x[wide] for x in np.broadcast_arrays(mu, e))
        value[wide] = by_multiprecision(_gaussian_delta, mu, e, most=1)
    return np.minimum(value, 1)


def gaussian_delta_ball(mu: arb, e: arb) -> arb:
    if not abs(e) < np.inf or not 0 < mu < np.inf:
        return arb("nan")
    root = arb(2).sqrt()
    delta = ((e / mu - mu / 2) / root).erfc() - e.exp() * ((e / mu + mu / 2) / root).erfc()
    return delta / 2


def _gaussian_epsilon_ball(mu: arb, d: arb, near: arb) -> arb:
    """Return an upper bound on the root, by Newton steps in balls from an approximate root. NaN if they fail."""
    for _ in range(3):
        near = near.mid()
        fall = near.exp() * ((near / mu + mu / 2) / arb(2).sqrt()).erfc() / 2
        step = (gaussian_delta_ball(mu, near) - d) / fall
        near = near + step
        if abs(step) <= abs(near) * NARROW / 4:
            break
    above = near.mid() + abs(near.mid()) * NARROW
    return above if gaussian_delta_ball(mu, above) <= d else arb("nan")


def _gaussian_delta(ar: Arithmetic, mu: Array, e: Array) -> Array:
    apart = mu > 0
    above = gaussian_profile(ar, np.where(apart, mu, 1), abs(e))
    return mirrored(ar, np.where(apart, above, 0), e)


@singledispatch
def gaussian_profile(ar: Any, mu: Array, e: Array) -> Array:
    """Return delta(e), e in [0, inf], of unit normal distributions at distance mu > 0, with more digits internally."""
    ar = MP(ar.digits + 15 + max(0, -int(ar.context.log10(mu.min()))))
    mu, e = (np.frompyfunc(ar.context.mpf, 1, 1)(x) for x in (mu, e))
    finite = e < ar.inf
    at = np.where(finite, e, 0)
    a = at / mu - mu / 2
    far = abs(a) > FAR_TAIL  # where Phi(-|a|) is below `tail`, and mpmath cannot evaluate erfc
    tail = ar.exp(0 * a - FAR_TAIL)
    erfc, root = np.frompyfunc(ar.context.erfc, 1, 1), ar.sqrt(mu * 0 + 2)
    near, by = np.where(far, 0, at), np.where(far, 1, mu)
    delta = (erfc((near / by - by / 2) / root) - ar.exp(near) * erfc((near / by + by / 2) / root)) / 2
    return np.where(finite, np.where(far, np.where(a > 0, tail, 1), delta), 0)


@gaussian_profile.register(Float64)
def _gaussian_profile_in_float64(ar: Float64, mu: Array, e: Array) -> Array:
    return np.exp(_log_gaussian_profile(mu, e))


def _log_gaussian_profile(mu: Any, e: Any) -> Array:
    """Return log delta(e) in float64."""
    mu = np.clip(mu, 1e-300, 1e153)
    with np.errstate(over="ignore"):
        return _log_gaussian_at(mu, np.minimum(e / mu - mu / 2, 1e150))


def _log_gaussian_at(mu: Any, a: Any) -> Array:
    """Return log delta in float64, in terms of a = e / mu - mu / 2 and b = a + mu.

    delta = phi(a) (m(a) - m(b)) with Mills' ratio m = (1 - Phi) / phi. For mu <= 1 the difference is the integral of
    -m' = 1 - x m(x); for a < 0 < mu - 1 it is Phi(-a) - phi(a) m(b). Nothing cancels.
    """
    b = np.maximum(a + mu, 0)
    small = np.minimum(mu, 1)
    narrow = small * (WEIGHTS * _mills_slope(a[..., None] + np.multiply.outer(small, NODES))).sum(-1)
    wide = _mills(np.maximum(a, 0)) - _mills(b)
    above = -a * a / 2 - np.log(2 * np.pi) / 2 + FLOAT64.log(np.where(mu <= 1, narrow, wide))
    density = np.exp(-a * a / 2) / np.sqrt(2 * np.pi)
    central = (mu > 1) & (a < 0)
    return np.where(central, np.log(np.where(central, ndtr(-a) - density * _mills(b), 1)), above)


def _mills(x: Array) -> Array:
    """Return Mills' ratio m(x) = (1 - Phi(x)) / phi(x)."""
    return np.sqrt(np.pi / 2) * erfcx(x / np.sqrt(2))


def _mills_slope(x: Array) -> Array:
    """Return 1 - x m(x), by the continued fraction m = 1 / (x + 1 / (x + 2 / (x + 3 / ...))) where it would cancel."""
    large = np.maximum(x, 4)
    tail = large
    for n in range(60, 1, -1):
        tail = large + n / tail
    return np.where(x < 4, 1 - x * _mills(np.minimum(x, 4)), 1 / (1 + large * tail))


def gaussian_parameter(ar: Any, e: Array, d: Array) -> Array:
    """Return the mu at which delta(e) = d, e >= 0 and 0 < d < 1, in multiprecision."""
    epsilon, delta = float(e[0]), float(d[0])
    if epsilon == 0:  # delta = erf(mu / sqrt 8)
        start = np.log(np.sqrt(8) * erfinv(delta))
    else:
        tail = np.sqrt(-2 * np.log(delta))  # mu is at least the solution of mu^2 / 2 + mu tail = e
        low = 2 * epsilon / (np.sqrt(tail**2 + 2 * epsilon) + tail)
        if low > FAR_TAIL:
            return _gaussian_parameter_far(ar, e, d)
        start = np.log(_rising(lambda mu: _log_gaussian_profile(np.asarray(mu), epsilon) - np.log(delta), low))
    finer = MP(ar.digits + 10 + int(abs(start)))  # the digits that the profile loses
    e, d = (np.frompyfunc(finer.context.mpf, 1, 1)(x) for x in (e, d))
    root = _polish(
        finer, lambda u: finer.log(gaussian_profile(finer, finer.exp(u), e)) - finer.log(d), start, ar.digits
    )
    return finer.exp(root)


def _gaussian_parameter_far(ar: Any, e: Array, d: Array) -> Array:
    """Return the parameter where mu is large, from a = e / mu - mu / 2, which hardly depends on mu."""
    a = -ar.array(ndtri(d.astype(float)), "a")
    for _ in range(ar.digits // 5 + 2):
        mu = 2 * e / (a + ar.sqrt(a * a + 2 * e))
        a = _gaussian_far_place(ar, mu, d)
    return mu


@singledispatch
def gaussian_epsilon(ar: Arithmetic, mu: Array, d: Array) -> Array:
    """Return the real epsilon at which delta(epsilon) = d, 0 < d < 1, for unit normal distributions at distance
    mu >= 0. In float64 it is rounded up."""
    apart = mu > 0
    value = gaussian_epsilon_rounded(ar, np.where(apart, mu, 1), d)
    return np.where(apart, value, ar.log1p(-d))


@gaussian_epsilon.register(Float64)
def _gaussian_epsilon_in_float64(ar: Float64, mu: Array, d: Array) -> Array:
    apart = mu > 0
    mu = np.where(apart, mu, 1)
    value = gaussian_epsilon_rounded(ar, mu, d)
    enclosed = by_balls(_gaussian_epsilon_ball, mu, d, value)
    apart, mu, d, value = np.broadcast_arrays(apart, mu, d, value)
    wide = apart & np.isnan(enclosed)
    if wide.any():
        enclosed[wide] = by_multiprecision(gaussian_epsilon_near, mu[wide], d[wide], value[wide])
    if not apart.all():
        enclosed[~apart] = by_multiprecision(lambda ar, d: ar.log1p(-d), d[~apart])
    return enclosed


def gaussian_epsilon_near(ar: Any, mu: Array, d: Array, x: Array) -> Array:
    """Return the root near x, by Newton's method on the profile, in multiprecision."""
    if mu[0] > FAR_TAIL or x[0] == ar.inf:
        return _gaussian_epsilon_far(ar, mu, d) if x[0] < ar.inf else x
    ar = MP(ar.digits + 10 + max(0, -int(ar.context.log10(mu[0]))))  # the digits that the profile loses
    mu, d, x = (np.frompyfunc(ar.context.mpf, 1, 1)(value) for value in (mu, d, x))
    erfc, root = np.frompyfunc(ar.context.erfc, 1, 1), ar.sqrt(mu * 0 + 2)
    for _ in range(12):
        fall = ar.exp(x) * erfc((x / mu + mu / 2) / root) / 2
        step = (_gaussian_delta(ar, mu, x) - d) / fall
        x = x + step
        if (abs(step) <= abs(x) * ar.context.mpf(10) ** (-2 * ar.digits // 3)).all():
            break
    return x


def _gaussian_epsilon_far(ar: Any, mu: Array, d: Array) -> Array:
    """Return the epsilon for large mu."""
    return mu * (_gaussian_far_place(ar, mu, d) + mu / 2)


def _gaussian_far_place(ar: Any, mu: Array, d: Array) -> Array:
    """Return the root a = epsilon / mu - mu / 2 of Phi(-a) = d + phi(a) m(a + mu) for large mu, with Mills' ratio m."""
    a = -ar.array(ndtri(d.astype(float)), "a")
    for _ in range(ar.digits // 3):
        delta, density = _far_profile(ar, mu, a)
        step = (delta - d) / density
        a = a + step
        if (abs(step) <= ar.context.mpf(10) ** (-2 * ar.digits // 3)).all():
            break
    return a


def _far_profile(ar: Any, mu: Array, a: Array) -> tuple[Array, Array]:
    """Return delta = Phi(-a) - phi(a) m(a + mu) and phi(a) in multiprecision, m by its asymptotic series, mu > 900."""
    b, mills = a + mu, 0 * a
    for n in range(ar.digits // 2, -1, -1):
        mills = 1 - (2 * n + 1) / b**2 * mills
    density = ar.exp(-a * a / 2) / ar.sqrt(0 * a + 2 * ar.context.pi)
    erfc = np.frompyfunc(ar.context.erfc, 1, 1)
    return erfc(a / ar.sqrt(0 * a + 2)) / 2 - density * mills / b, density


def gaussian_epsilon_rounded(ar: Arithmetic, mu: Array, d: Array) -> Array:
    """Return `gaussian_epsilon`, rounded almost to nearest.

    The unknown is the quotient of epsilon and a bound on it. For mu > 1000, where epsilon = mu (a + mu / 2) hardly
    depends on a, the unknown is a, with -sqrt(-2 log((1 - d) / 2)) <= a <= sqrt(-2 log d).
    """
    mu, d = np.broadcast_arrays(mu, d)
    log_d, tail = ar.log(d), ar.sqrt(-2 * ar.log(d))
    wide = mu > 1000
    m = np.where(wide, 1, mu)
    rising = wide | (_log_gaussian(ar, m, 0 * m) >= log_d)
    unit = np.where(rising, m * (m / 2 + tail), -ar.log1p(-d))
    one = 0 * d + 1

    def excess(x: Array) -> Array:
        e = x * unit
        above = _log_gaussian(ar, m, abs(e))
        below = e + ar.log1p(-ar.exp(np.minimum(above, 0))) - ar.log1p(-d)  # 1 - delta(e) = e^epsilon (1 - delta(-e))
        by_tail = _log_gaussian_by_tail(ar, np.where(wide, mu, 1001), x)
        return np.where(rising, log_d - np.where(wide, by_tail, above), below)

    low = np.where(wide, -ar.sqrt(-2 * (ar.log1p(-d) - ar.log(2 * one))), np.where(rising, 0 * d, -one))
    high = np.where(wide, tail, np.where(rising, one, 0 * d))
    x = increasing_root(ar, excess, low, high)
    with np.errstate(over="ignore"):
        return np.where(wide, mu * (x + mu / 2), x * unit)


@singledispatch
def _log_gaussian(ar: Arithmetic, mu: Array, e: Array) -> Array:
    """Return log delta(e), e >= 0."""
    return ar.log(gaussian_profile(ar, mu, e))


@_log_gaussian.register(Float64)
def _log_gaussian_in_float64(ar: Float64, mu: Array, e: Array) -> Array:
    return _log_gaussian_profile(mu, e)  # delta itself may underflow


@singledispatch
def _log_gaussian_by_tail(ar: Any, mu: Array, a: Array) -> Array:
    """Return log delta in terms of a = epsilon / mu - mu / 2."""
    return ar.log(_far_profile(ar, mu, a)[0])


@_log_gaussian_by_tail.register(Float64)
def _log_gaussian_by_tail_in_float64(ar: Float64, mu: Array, a: Array) -> Array:
    return _log_gaussian_at(mu, a)


def _rising(f: Callable[[float], float], low: float) -> float:
    """Return the positive root of an increasing function that is at most 0 at `low` > 0."""
    low, high = low * (1 - 1e-9), 2 * low
    while f(high) < 0:
        low, high = high, 2 * high
    return float(np.exp(_root(lambda u: f(np.exp(u)), np.log(low), np.log(high))))


def _root(f: Callable[[float], Any], low: float, high: float) -> float:
    from scipy.optimize import brentq  # which takes long to import

    return float(brentq(f, low, high, xtol=1e-300, rtol=4 * np.finfo(float).eps, maxiter=1000))


def _polish(ar: Any, f: Callable[[Array], Array], start: float, digits: int) -> Array:
    """Return the root near one found in float64, to this number of digits, by the secant method."""
    x = np.array([ar.context.mpf(start)])
    previous = x * (1 + ar.context.mpf(2) ** -40) + ar.context.mpf(2) ** -60
    value, before = f(x), f(previous)
    for _ in range(200):
        if value[0] == before[0]:
            break
        x, previous = x - value * (x - previous) / (value - before), x
        value, before = f(x), value
        if abs(x[0] - previous[0]) <= abs(x[0]) * ar.context.mpf(10) ** (3 - digits):
            break
    return x
