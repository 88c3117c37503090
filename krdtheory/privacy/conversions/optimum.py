r"""The optimal conversion of a Renyi divergence of one order to approximate DP, over any arithmetic.

The worst pair is the point at which a line touches the privacy region, a corner of the region or, where both orders are
bounded, randomised response.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import Any

import numpy as np

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic, Float64
from krdtheory.arithmetic.base import Array, aligned, reject
from krdtheory.privacy.conversions.arguments import LARGEST
from krdtheory.privacy.conversions.curves import pure_curve
from krdtheory.privacy.roots import about, bracket, in_float64, increasing_root, tolerance

METHODS = ("optimal", "certificate", "balle", "mironov")


def _rdp_to_dp(ar: Arithmetic, a: Array, rho: Array, d: Array, method: str, two_sided: bool) -> Array:
    if method not in METHODS:
        reject("method", method, f"one of {', '.join(METHODS)}")
    if two_sided and method != "optimal":
        reject("two_sided", two_sided, f"False for method {method!r}")
    pure = a == ar.inf
    if method in ("optimal", "certificate"):
        pure = _as_pure(ar, a, rho)
    a = np.where(pure, 2, a)  # any finite order will do, as `pure` overrides the result
    k = a - 1
    if method == "optimal":
        return _optimal(ar, a, rho, d, pure, two_sided)
    if method == "mironov":
        value = rho - ar.log(d) / k
    elif method == "balle":
        value = rho - ar.log1p(1 / k) - (ar.log(a) + ar.log(d)) / k
    else:
        value = _certificate(ar, a, np.where(pure, 1, rho), d, 0 * d)[0]
    return np.where(pure, rho, value)


def _as_pure(ar: Arithmetic, a: Array, rho: Array) -> Array:
    """Return where the bound is, to all digits, that of the infinite order."""
    with np.errstate(over="ignore", invalid="ignore"):  # the product may be inf 0
        return np.asarray((a == ar.inf) | (rho == ar.inf) | ((a - 1) * rho > 1e300))


def _optimal(ar: Arithmetic, a: Array, rho: Array, d: Array, pure: Array, two_sided: bool) -> Array:
    nothing = np.asarray(rho == 0)  # P = Q
    if nothing.any():
        value = _least_epsilon(ar, a, np.where(nothing, 1, rho), d, pure, two_sided)
        value = np.where(nothing, ar.log1p(-d), value)
    else:
        value = _least_epsilon(ar, a, rho, d, pure, two_sided)
    return np.where(value > 0, value, 0) if two_sided else value


@np.errstate(over="ignore", invalid="ignore")  # a search may go where something is infinite
def _least_epsilon(ar: Arithmetic, a: Array, rho: Array, d: Array, pure: Array, two_sided: bool) -> Array:
    corner = np.asarray(pure | (a * d >= 1))
    one_of_two = corner  # where randomised response is the worst symmetric pair
    if corner.all():
        value = rho + ar.log1p(-d)
    else:
        place, tangent_d = rho, d
        if corner.any():
            place, tangent_d = np.where(corner, 1, rho), np.where(corner, 1 / (4 * a), d)
        y = _best_y(ar, a, place, tangent_d)
        value, _, ratio = _tangent(ar, a, place, tangent_d, y)
        if corner.any():
            value = np.where(corner, rho + ar.log1p(-d), value)
        if two_sided:
            one_of_two = corner | _beyond_response(ar, y, ratio)
    if not two_sided:
        return value
    if one_of_two.any():
        u = np.where(pure, rho, _response(ar, np.where(pure, 2, a), np.where(pure, 1, rho)))
        left = d * (1 + ar.exp(-u))
        response = np.where(left < 1, u + ar.log1p(-np.where(left < 1, left, 0)), 0)
        value = np.where(one_of_two, response, value)
    return value


def _rdp_to_delta(ar: Arithmetic, a: Array, rho: Array, e: Array, two_sided: bool) -> tuple[Array, ...]:
    """Return delta, y and h of the tangent point, and two masks: where the corner is the worst pair, and where
    randomised response is the worst symmetric pair."""
    nothing, below = rho == 0, np.where(e < 0, e, 0)  # P = Q
    value, *places = _least_delta(ar, a, np.where(nothing, 1, rho), e, two_sided)
    return np.where(nothing, 0 - ar.expm1(below), value), *places


@np.errstate(over="ignore", invalid="ignore")  # a search may go where something is infinite
def _least_delta(ar: Arithmetic, a: Array, rho: Array, e: Array, two_sided: bool) -> tuple[Array, ...]:
    pure = _as_pure(ar, a, rho)
    a = np.where(pure, 2, a)
    gap = e - rho
    corner = pure | (gap <= ar.log((a - 1) / a))
    value = np.where(gap < 0, -ar.expm1(np.where(gap < 0, gap, 0)), 0)
    y = ratio = 0 * rho
    one_of_two = corner
    if not corner.all():
        lowest = ar.log(0 * e + tolerance(ar)) - 5  # delta is above 1 - e^e
        target = np.where(corner, 2, np.maximum(e, lowest))
        place = np.where(corner, 1, rho)
        y, ratio = _best_at_slope(ar, a, place, target)
        value = np.where(corner, value, ar.exp(_log_delta(ar, a, place, target, y, ratio)))
        may = ~corner & (rho - np.where(e < 0, e, 0) > 1) & (0.9 * a < 1)  # as alpha delta < 1 here
        if may.any():
            value, y, ratio = (np.array(x) for x in (value, y, ratio))
            given = (np.asarray(x)[may] for x in (a, rho, e, value, y, ratio))
            value[may], y[may], ratio[may] = _near_one(ar, *given)
        one_of_two = corner | _beyond_response(ar, y, ratio)
    if two_sided and one_of_two.any():
        u = np.where(pure, rho, _response(ar, np.where(pure, 2, a), np.where(pure, 1, rho)))
        above = np.where(e < u, e - u, 0)
        value = np.where(one_of_two, -ar.expm1(above) / (1 + ar.exp(-u)), value)
    return value, y, ratio, corner, one_of_two


def _near_one(
    ar: Arithmetic, a: Array, rho: Array, e: Array, value: Array, y: Array, ratio: Array
) -> tuple[Array, Array, Array]:
    """Recompute deltas above 0.9, for which log delta loses its digits, from log(1 - delta). The unknown is the y at
    which the certificate of the corresponding delta has the slope e^e."""
    value, y, ratio = (np.array(x) for x in (value, y, ratio))
    least = ar.log(0 * e + ar.unit)  # the smallest 1 - delta that the digits resolve
    one = _least_epsilon(ar, a, rho, -ar.expm1(least), a > ar.inf, False) > e
    value[one], below = 1, ~one
    if one.all():
        return value, y, ratio
    a, rho, e, least, z = (np.asarray(x)[below] for x in (a, rho, e, least, y - np.where(e < 0, -e, 0)))

    def tangent(x: Array) -> tuple[Array, Array, Array]:
        y, h = _on_slope(ar, a, e, x)
        return _log_rest(ar, a, y, h), y, h

    def excess(x: Array) -> Array:
        rest, y, _ = tangent(x)
        d = -ar.expm1(np.minimum(np.maximum(rest, least), -0.5))
        return np.where(rest <= least, 1, e - _certificate(ar, a, rho, d, y)[0])

    start = ar.log(np.where(z > 0, z, 1))
    rest, at, h = tangent(increasing_root(ar, excess, *bracket(excess, start)))
    rest = np.maximum(rest, least)
    near = rest < -ar.log(0 * e + 10)
    places = np.flatnonzero(below)[near]
    value[places], y[places], ratio[places] = -ar.expm1(rest[near]), at[near], h[near]
    return value, y, ratio


# The tangent point is given by y = -log s and h = log(r / s), where e^eps is a mean of r and s: with
# phi(x) = log((1 - e^-x) / x), eps = h - y + phi(alpha h) - phi((alpha - 1) h).


def _tangent(ar: Arithmetic, a: Array, rho: Array, d: Array, y: Array) -> tuple[Array, Array, Array]:
    """Return the valid epsilon given by s = e^-y, the size that its rounding errors are relative to, and h. The direct
    formula is used where it is accurate."""
    easy = np.asarray(_easy(ar, a, rho, d) & (y < 10))
    if not easy.any():
        return _careful_certificate(ar, a, rho, d, y)
    if easy.all():
        value, size, h = _direct_certificate(ar, a, rho, d, y)
        if np.all(size < 100 * abs(value)):
            return value, size, h
        value, size, h = (np.array(x) for x in (value, size, h))
    else:
        value, size, h = (np.array(0 * (a + y)) for _ in range(3))
        given = (x[easy] for x in np.broadcast_arrays(a, rho, d, y))
        value[easy], size[easy], h[easy] = _direct_certificate(ar, *given)
    hard = ~(easy & (size < 100 * abs(value)))
    given = (x[hard] for x in np.broadcast_arrays(a, rho, d, y))
    value[hard], size[hard], h[hard] = _careful_certificate(ar, *given)
    return value, size, h


def _easy(ar: Arithmetic, a: Array, rho: Array, d: Array) -> Array:
    """Return where the direct formulas do not overflow and lose few digits to cancellation."""
    return np.asarray((a > 1 + 1e-6) & (rho > 1e-6) & (a * rho < 500) & (d > 1e-80) & (a * d < 0.9))


def _careful_certificate(ar: Arithmetic, a: Array, rho: Array, d: Array, y: Array) -> tuple[Array, Array, Array]:
    """Return what `_tangent` does, with the error of h derived from that of log((e^(k h) - 1) / k)."""
    k = a - 1
    value, h = _certificate(ar, a, rho, d, y)
    size = abs(_log_gain(ar, a, rho, y)) + k * (rho + y) + ar.log(a) - ar.log(d) + 8
    by = np.where(k > 0, k, 1)
    size = size * np.where(k > 0, -ar.expm1(-k * h) / by, h) + h + y
    return value, size + abs(value), h


def _direct_certificate(ar: Arithmetic, a: Array, rho: Array, d: Array, y: Array) -> tuple[Array, Array, Array]:
    """Return what `_tangent` does, by the direct formula: with g = (e^(k (rho + y)) - 1) / k, G = (g - 1 + s) / (alpha
    delta) and h = log(1 + k G) / k, epsilon is log((e^(alpha h) - 1) / (alpha G)) - y, with a derivative in h in
    [1/2, 1]."""
    k, x = a - 1, rho + y
    grown, gap = ar.expm1(k * x) / k, -ar.expm1(-y)
    gain = grown - gap
    ratio = gain / (a * d)
    h = ar.log1p(k * ratio) / k
    reach = -ar.expm1(-a * h)
    rest = ar.log(reach / (a * ratio))
    value = a * h + rest - y
    size = (3 * grown + 2 * x * (1 + k * grown) + 2 * gap) / gain + 2
    size = size * ratio / (1 + k * ratio) + 3 * a * h / reach + abs(rest) + 4 + y + abs(value)
    return value, size, h


def _certificate(ar: Arithmetic, a: Array, rho: Array, d: Array, y: Array) -> tuple[Array, Array]:
    """Return the valid epsilon given by s = e^-y, and h."""
    k = a - 1
    log_h = _log_gain(ar, a, rho, y) + k * (rho + y) - ar.log(a) - ar.log(d)
    log_x = log_h + ar.log(np.where(k > 0, k, 1))  # x = e^(k h) - 1
    size = abs(log_x)
    log1p_x = np.where(log_x > 0, log_x, 0) + ar.log1p(ar.exp(-size))
    # where e^log_x underflows, log(1 + x) = x
    small = log_x < -ar.max_exponent
    h = np.where(small, ar.exp(np.where(small, log_h, 0)), log1p_x / np.where(k > 0, k, 1))
    h = np.where(k == 0, ar.exp(np.where(k == 0, log_h, 0)), h)
    beyond, h = h == ar.inf, np.where(h == ar.inf, LARGEST, h)
    far = (y > 4) & (k * rho < 1)
    log_r = np.where(far, _log_r_far(ar, a, np.where(far, rho, 0), d, y), h - y) if far.any() else h - y
    return np.where(beyond, ar.inf, log_r + _mean(ar, a, h)), h


def _log_r_far(ar: Arithmetic, a: Array, rho: Array, d: Array, y: Array) -> Array:
    """Return h - y = log r from (r^k - 1) / k, for alpha and delta close to 1, where h and y grow without bound."""
    k = a - 1
    some = k > 0
    by = np.where(some, k, 1)
    gain = np.where(some, ar.expm1(k * rho) / by, rho) + a * (1 - d) * np.where(some, -ar.expm1(-k * y) / by, y)
    grown = (gain + ar.expm1(-a * y)) / (a * d)
    inside = k * grown
    return np.where(some, ar.log1p(np.where(inside > -1, inside, 0)) / by, grown)


def _log_gain(ar: Arithmetic, a: Array, rho: Array, y: Array) -> Array:
    """Return log((1 + e^(-k rho) (k s^alpha - alpha s^k)) / k), k = alpha - 1, and its limit at k = 0."""
    k = a - 1
    tau = _tau(ar, k, y)
    first = ar.log(rho) + _phi(ar, k * rho)
    second = ar.log(tau) + _phi(ar, k * tau) - k * rho
    top = np.maximum(first, second)
    base = np.where(top > -ar.inf, top, 0)
    return base + ar.log(ar.exp(first - base) + ar.exp(second - base))


@singledispatch
def _tau(ar: Any, k: Array, y: Array) -> Array:
    """Return y - log(1 + k (1 - e^-y)) / k, with more digits where it cancels."""
    return _finer(ar, lambda finer, k, y: _tau_plainly(finer, k, -finer.expm1(-y), y), 2, y, k, y)


@_tau.register(Float64)
def _tau_in_float64(ar: Float64, k: Array, y: Array) -> Array:
    """Use the series in 1 - e^-y where the formula cancels."""
    sigma = -ar.expm1(-y)
    tau = _tau_plainly(ar, k, sigma, y)
    near = np.maximum(k, 1) * sigma < 0.125
    if not near.any():
        return tau
    s = np.where(near, sigma, 0)
    t = -np.where(near, k, 0) * s
    p = q = 0 * s
    for n in range(24, 1, -1):
        p, q = s * (p + 1 / (0 * s + n)), t * (q + 1 / (0 * s + n))
    return np.where(near, s * (p - q), tau)


def _tau_plainly(ar: Arithmetic, k: Array, sigma: Array, y: Array) -> Array:
    return y - np.where(k > 0, ar.log1p(k * sigma) / np.where(k > 0, k, 1), sigma)


def _finer(ar: MP, formula: Callable[..., Array], times: int, small: Array, *arguments: Array) -> Array:
    """Evaluate a formula that loses `times` as many digits as the smallest number in `small` has leading zeros."""
    nonzero = [abs(x) for x in small.flat if 0 < abs(x) < 1]
    lost = -int(ar.context.log10(min(nonzero))) + 1 if nonzero else 0
    finer = MP(ar.digits + times * lost + 3)
    value = formula(finer, *(np.frompyfunc(finer.context.mpf, 1, 1)(x) for x in arguments))
    return np.asarray(np.frompyfunc(ar.context.mpf, 1, 1)(value), dtype=object)


@singledispatch
def _phi(ar: Any, x: Array) -> Array:
    """Return log((1 - e^-x) / x), which is 0 at 0, with more digits where it cancels."""
    return _finer(ar, _phi_plainly, 1, x, x)


@_phi.register(Float64)
def _phi_in_float64(ar: Float64, x: Array) -> Array:
    """Use the series where the formula cancels."""
    near = np.asarray(x < 1)
    direct = _phi_plainly(ar, x)
    if not near.any():
        return direct
    half = np.where(near, x, 0) / 2
    u = half * half
    series = 0 * u
    for n in range(19, 1, -2):  # sinh(z) / z - 1 at z = x / 2
        series = u / (n * (n - 1)) * (1 + series)
    return np.where(near, ar.log1p(series) - x / 2, direct)


def _phi_plainly(ar: Arithmetic, x: Array) -> Array:
    positive = np.where(x > 0, x, 1)
    return np.where(x > 0, ar.log(-ar.expm1(-positive)) - ar.log(positive), 0 * x)


def _mean(ar: Arithmetic, a: Array, h: Array) -> Array:
    """Return phi(alpha h) - phi((alpha - 1) h), the logarithm of a mean of 1 and e^-h."""
    k = a - 1
    far = k * h > 1
    n, x = np.where(far, k, 1), np.where(far, h, 1)  # a formula without log(alpha h) and log(k h)
    large = ar.log1p(-ar.expm1(-x) / ar.expm1(np.minimum(n * x, ar.max_exponent))) - ar.log1p(1 / n)
    m, z = np.where(far | (k > 1), 0, k), np.where(far | (k > 1), 1, h)
    value = np.where(far, large, _phi(ar, (m + 1) * z) - _phi(ar, m * z))
    high = ~far & (k > 1)
    if not high.any():
        return value
    # at a high order, with b = h / 2 and c = k b: sinh(b + c) / sinh(c) = cosh(b) + coth(c) sinh(b)
    b = np.where(high, h, 0) / 2
    c = np.where(high, k, 0) * b
    (sinh_b, cosh_b), (sinh_c, cosh_c) = _beyond_linear(ar, b), _beyond_linear(ar, c)
    some = np.where(c > 0, c, 1)
    coth = (cosh_c - sinh_c / some) / (1 + sinh_c / some)  # c coth(c) - 1
    ratio = (c * cosh_b + coth * (b + sinh_b) + sinh_b) / (b + some)
    return np.where(high, ar.log1p(ratio) - b, value)


def _beyond_linear(ar: Arithmetic, x: Array) -> tuple[Array, Array]:
    """Return sinh(x) - x and cosh(x) - 1 for 0 <= x <= 1/2, by their series."""
    u = x * x
    odd = even = 0 * u
    for n in range(2 * ((ar.digits + 1) // 2) + 2, 0, -2):
        odd, even = u / (n * (n + 1)) * (1 + odd), u / (n * (n - 1)) * (1 + even)
    return x * odd, even


def _log_weight(ar: Arithmetic, a: Array, h: Array) -> Array:
    """Return log((r - e^eps) / (r - s)), between log(1/2) and -log(alpha). At the best s it is log(delta / (1 - s))."""
    return ar.log(-ar.expm1(_mean(ar, a, h))) - ar.log(-ar.expm1(-h))


def _log_rest(ar: Arithmetic, a: Array, y: Array, h: Array) -> Array:
    """Return log(1 - (1 - s) e^(log weight)) without cancellation, as the logarithm of the quotient ((1 - s) e^mean + s
    (1 - 1 / r)) / (1 - s / r)."""
    log_r = np.where(h > y, h - y, 0)
    rest = -ar.expm1(-y) * ar.exp(_mean(ar, a, h)) - ar.exp(-y) * ar.expm1(-log_r)
    return ar.log(rest) - ar.log(-ar.expm1(-h))


def _best_y(ar: Arithmetic, a: Array, rho: Array, d: Array) -> Array:
    """Return y = -log s of the tangent point. 1 - s lies between 2 delta and alpha delta."""
    a, rho, d = aligned(a, rho, d)
    easy = np.array(_easy(ar, a, rho, d))
    if easy.all():
        found, known = _newton_y(ar, a, rho, d)
        if known.all():
            return found
        y, easy = np.array(found), np.array(known)
    elif easy.any():
        y = np.array(0 * d)
        found, known = _newton_y(ar, a[easy], rho[easy], d[easy])
        y[easy] = found
        easy[easy] = known
    else:
        return _searched_y(ar, a, rho, d)
    hard = ~easy
    y[hard] = _searched_y(ar, a[hard], rho[hard], d[hard])
    return y


def _newton_y(ar: Arithmetic, a: Array, rho: Array, d: Array) -> tuple[Array, Array]:
    """Return `_best_y` by Newton's method for log y, and where it converged. In the notation of `_direct_certificate`,
    the derivative of epsilon in y vanishes where (1 - s) (g - 1 + s) = alpha delta (1 - e^-h) g."""
    k, share = a - 1, a * d

    def start(a: Array, rho: Array, d: Array) -> Array:
        return _newton_y(FLOAT64, a, rho, d)[0]

    y = in_float64(ar, start, a, rho, d)
    if y is None:  # start from the h at s = 1
        h = ar.log1p(k * (ar.expm1(k * rho) / (k * share))) / k
        most = np.minimum(np.maximum(2 * d, share), 0.99)
        y = -ar.log1p(-np.minimum(np.maximum(-share * ar.expm1(-h), np.minimum(2 * d, share)), most))
    known, close = np.zeros(np.shape(y), dtype=bool), tolerance(ar, 0.4)
    for _ in range(8):
        grown, gap = ar.expm1(k * (rho + y)) / k, -ar.expm1(-y)
        gain = grown - gap
        rate = share + k * gain
        reach = -ar.expm1(-ar.log1p(k * (gain / share)) / k)  # 1 - e^-h
        slope = (k * grown + gap) / gain
        slope = (1 - gap) / gap + slope - (1 / grown + k) - (1 - reach) / reach * slope * gain / rate
        lead, trail = gap * gain, share * reach * grown
        step = (lead - trail) / ((lead + trail) * y * slope)  # about half of log(lead / trail) / (y slope)
        step = np.minimum(np.maximum(step, -0.9), 0.9)
        y = y * ((1 - step) / (1 + step))
        known = abs(step) < close
        if known.all():
            break
    return y, known


def _searched_y(ar: Arithmetic, a: Array, rho: Array, d: Array) -> Array:
    """Return `_best_y` by a search in an interval that encloses it."""
    large, rest = d > 0.5, ar.log1p(-d)

    def excess(log_y: Array) -> Array:
        y = ar.exp(log_y)
        h = _certificate(ar, a, rho, d, y)[1]
        value = log_y + _phi(ar, y) + _log_weight(ar, a, h) - ar.log(d)
        if not large.any():
            return value
        return np.where(large, rest - _log_rest(ar, a, y, h), value)

    def rough(a: Array, rho: Array, d: Array) -> Array:
        return np.log(_searched_y(FLOAT64, a, rho, d))

    ends = about(excess, in_float64(ar, rough, a, rho, d))
    low, high = ends or bracket(excess, ar.log(-ar.log1p(-np.minimum(a, 2) * d * 0.875)))
    return ar.exp(increasing_root(ar, excess, low, high, share=0.65))


def _best_at_slope(ar: Arithmetic, a: Array, rho: Array, e: Array) -> tuple[Array, Array]:
    """Return y and h of the tangent point with slope e^e."""

    def excess(x: Array) -> Array:
        y, h = _on_slope(ar, a, e, x)
        log_y = np.where(e < 0, ar.log(y), x)
        return log_y + _phi(ar, y) + _log_weight(ar, a, h) - _log_delta(ar, a, rho, e, y, h)

    # 1 - s is about twice the delta at s = 1 where that is small
    above = np.where(e > 0, e, 1)
    start = _log_delta(ar, a, rho, above, 0 * e, _inverse_mean(ar, a, above))
    low, high = bracket(excess, np.minimum(np.maximum(start, -700), 0))
    return _on_slope(ar, a, e, increasing_root(ar, excess, low, high, share=0.65))


def _on_slope(ar: Arithmetic, a: Array, e: Array, x: Array) -> tuple[Array, Array]:
    """Return y = e^x + max(-e, 0), and the h for which the slope is e^e."""
    z = ar.exp(x)
    z = np.where(z == ar.inf, LARGEST, z)
    return z + np.where(e < 0, -e, 0), _inverse_mean(ar, a, z + np.where(e > 0, e, 0))


def _inverse_mean(ar: Arithmetic, a: Array, t: Array) -> Array:
    """Return the h > 0 with h + mean(h) = t > 0, by Newton's method from above, as h + mean(h) is convex."""
    k = a - 1
    t = np.where(t == ar.inf, LARGEST, t)
    h = np.minimum(2 * t, np.where(k > 0, t + ar.log(a / np.where(k > 0, k, 1)), 2 * t))
    h = np.where(h == ar.inf, LARGEST, h)
    for _ in range(60):
        slope = 1 + a * _phi_slope(ar, a * h) - k * _phi_slope(ar, k * h)
        step = (h + _mean(ar, a, h) - t) / np.maximum(slope, 0.5)  # the slope is at least 1/2, but may round below
        h = np.where(step < h, h - step, h / 2)
        if (abs(step) <= tolerance(ar, 0.9) * h).all():
            break
    return h


def _phi_slope(ar: Arithmetic, x: Array) -> Array:
    """Return the derivative of phi, to the few digits that Newton's method needs."""
    z = np.where(x > 1e-4, x, 1)
    return np.where(x > 1e-4, ar.exp(-z) / -ar.expm1(-z) - 1 / z, x / 12 - 0.5)


def _log_delta(ar: Arithmetic, a: Array, rho: Array, e: Array, y: Array, h: Array) -> Array:
    """Return the logarithm of the valid delta given by s = e^-y and r = s e^h, where h - y + mean(h) = e. The terms k
    rho and k h, which may be large, are combined into k (rho - e)."""
    k = a - 1
    ah, kh = (np.where(x == ar.inf, LARGEST, x) for x in (a * h, k * h))
    return _log_gain(ar, a, rho, y) + k * (rho - e + _mean(ar, a, h)) - ar.log(ah) - _phi(ar, kh)


def _beyond_response(ar: Arithmetic, y: Array, h: Array) -> Array:
    """Return whether p + q > 1 at the tangent point; the divergence is then larger in the other order."""
    return -ar.expm1(-y) * (ar.exp(y - h) + 1) > -ar.expm1(-h)


def _response(ar: Arithmetic, a: Array, rho: Array) -> Array:
    """Return the log-odds u at which randomised response has Renyi divergence rho."""
    some = np.where(rho > 0, rho, 1)
    low = np.maximum(some, ar.sqrt(some / a) * ar.sqrt(0 * some + 2))
    high = some / 2 + ar.sqrt(some) * ar.sqrt(some + 8) / 2
    most = np.minimum(high / low * (1 + 1e-6), LARGEST / low)

    def excess(share: Array) -> Array:
        return pure_curve(ar, low * share, a) / some - 1

    return np.where(rho > 0, low * increasing_root(ar, excess, 0 * low + (1 - 1e-6), most), 0)
