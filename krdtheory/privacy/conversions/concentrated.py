"""Concentrated DP to approximate DP, by the best order of its Renyi curve."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, Floats
from krdtheory.privacy.conversions.arguments import as_bound, as_delta, as_strict, broadcast_arguments, clamped
from krdtheory.privacy.conversions.optimum import _rdp_to_delta, _rdp_to_dp
from krdtheory.privacy.conversions.rounding import Curve, _guaranteed_delta, _guaranteed_epsilon, _line
from krdtheory.privacy.roots import in_float64, increasing_root, minimum, smooth_minimum, tolerance


def zcdp_to_approximate_dp(
    *,
    rho: ArrayLike,
    delta: ArrayLike,
    xi: ArrayLike = 0,
    method: str = "optimal",
    two_sided: bool = False,
    nonnegative: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""The epsilon of approximate DP that (xi, rho)-zero-concentrated DP guarantees at delta, by the best single order.

    .. math:: \inf_{\alpha > 1} \varepsilon_\alpha(\xi + \rho\alpha, \delta)

    with `rdp_to_approximate_dp` for the function inside.

    Parameters
    ----------
    rho : array_like
        Finite and > 0: D_alpha <= xi + rho alpha for every alpha > 1.
    delta : array_like
        In (0, 1).
    xi : array_like
        Finite and >= 0.
    method, two_sided, nonnegative, arithmetic
        As `rdp_to_approximate_dp`.

    Returns
    -------
    float or array
        The epsilon in nats.

    References
    ----------
    Bun and Steinke (2016), Proposition 1.3 (method "mironov"); Canonne, Kamath and Steinke (2020), Proposition 12
    (method "balle").

    Examples
    --------
    >>> from krdtheory.privacy.conversions import zcdp_to_approximate_dp
    >>> for method in "mironov", "balle", "optimal":
    ...     print(method, round(float(zcdp_to_approximate_dp(rho=0.5, delta=1e-5, method=method)), 9))
    mironov 5.298525912
    balle 4.728386985
    optimal 4.728385649
    """
    ar = arithmetic
    return _concentrated(ar, rho, delta, method, two_sided, nonnegative, xi=as_bound(ar, xi, "xi"))


def tcdp_to_approximate_dp(
    *,
    rho: ArrayLike,
    omega: ArrayLike,
    delta: ArrayLike,
    method: str = "optimal",
    two_sided: bool = False,
    nonnegative: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""The epsilon of approximate DP that (rho, omega)-truncated concentrated DP guarantees at delta, by the best
    order.

    .. math:: \inf_{1 < \alpha \le \omega} \varepsilon_\alpha(\rho\alpha, \delta)

    Parameters
    ----------
    rho : array_like
        Finite and > 0: D_alpha <= rho alpha for every alpha in (1, omega).
    omega : array_like
        Finite and > 1.
    delta : array_like
        In (0, 1).
    method, two_sided, nonnegative, arithmetic
        As `rdp_to_approximate_dp`.

    Returns
    -------
    float or array
        The epsilon in nats.

    References
    ----------
    Bun, Dwork, Rothblum and Steinke (2018), Definition 1 and Lemma 6. Not the tCDP of Colisson (2016).

    Examples
    --------
    >>> from krdtheory.privacy.conversions import tcdp_to_approximate_dp
    >>> tcdp_to_approximate_dp(rho=0.5, omega=[2, 4, 100], delta=1e-5).round(9).tolist()
    [10.667979237, 5.087034484, 4.728385649]
    """
    ar = arithmetic
    w = as_strict(ar, omega, "omega", 1, ar.inf, "finite and > 1")
    return _concentrated(ar, rho, delta, method, two_sided, nonnegative, omega=w)


def _concentrated(
    ar: Arithmetic, rho: Any, delta: Any, method: str, two_sided: bool, nonnegative: bool, **more: Array
) -> Any:
    """Return the least epsilon over the orders; `more` is xi or omega, the other being 0 or infinite."""
    r = as_strict(ar, rho, "rho", 0, ar.inf, "finite and > 0")
    r, d, other = broadcast_arguments(ar, rho=r, delta=as_delta(ar, delta), **more)
    x, most = (0 * r, other) if "omega" in more else (other, r + ar.inf)
    t = _best_exponent(ar, r, d, method)
    if t is None:
        # The interval contains the best order of "mironov", with room for the effect of xi and of a delta near 1.
        loss, spread = ar.log(-ar.log(d)) / 2, -ar.log(r) / 2
        low = np.minimum(loss + spread - 26, ar.log(0 * d + ar.unit))
        high = np.maximum(loss, 0) + np.maximum(spread, 0) + 12
        if "omega" in more:
            high = np.minimum(high, ar.log(most - 1))
            low = np.minimum(low, high - 12)
        value = best_order(ar, _line, d, low, high, r, x, method=method, two_sided=two_sided, most=most)
    else:
        a = np.minimum(_above_one(ar, t), most)
        value = _guaranteed_epsilon(ar, _line, a, d, method, two_sided, r, x)
    return ar.result(clamped(value, nonnegative))


def _best_exponent(ar: Arithmetic, rho: Array, d: Array, method: str) -> Array | None:
    """Return log(alpha - 1) of the best order for "mironov" and "balle", None for the other methods."""
    loss = -ar.log(d)
    middle = (ar.log(loss) - ar.log(rho)) / 2
    if method == "mironov":
        return middle
    if method != "balle":
        return None
    # k = alpha - 1 is the root of rho k^2 + log(1 + k) = log(1 / delta)
    low = ar.log(loss / (1 + ar.sqrt(rho) * ar.sqrt(loss))) - 1
    high = np.minimum(middle, np.where(loss > 1, loss, ar.log(ar.expm1(np.minimum(loss, 1))))) + 1

    def excess(t: Array) -> Array:
        k = ar.exp(t)
        return (rho * k * k + ar.log1p(k)) / loss - 1

    return increasing_root(ar, excess, low, high)


def _above_one(ar: Arithmetic, t: Array) -> Array:
    """Return the order 1 + e^t, at least the next number above 1."""
    return np.maximum(1 + ar.exp(t), 1 + ar.unit)


@np.errstate(over="ignore")
def best_order(
    ar: Arithmetic,
    curve: Curve,
    delta: Array,
    low: Array,
    high: Array,
    *of: Array,
    method: str = "optimal",
    two_sided: bool = False,
    most: Any = np.inf,
) -> Array:
    """Return the least epsilon over the orders 1 + e^t, low <= t <= high, up to the order `most`, for the Renyi curve
    curve(ar, a, *of). In float64 it is rounded up."""

    high = np.minimum(high, ar.max_exponent)

    def at(t: Array) -> Array:
        a = 1 + ar.exp(t)
        return _rdp_to_dp(ar, a, curve(ar, a, *of), delta, method, two_sided)

    if ar.exact_input:
        bounds = np.broadcast_arrays(delta, low, high, *of)
        near = in_float64(ar, partial(_rough_order, curve, method, two_sided), *bounds)
        if near is not None and (place := smooth_minimum(ar, at, near)) is not None:
            return at(place)
        # the limit at order 1 is the minimum if it is below the value where alpha - 1 has half the digits
        first = 0 * low + 1
        limit = _rdp_to_dp(ar, first, curve(ar, first, *of), delta, method, two_sided)
        low = np.maximum(low, np.minimum(ar.log(first * tolerance(ar)) / 2, high - 1))
        if (limit <= at(low)).all():
            return limit
        return np.minimum(limit, at(minimum(ar, at, low, high)))
    near = _rough_order(curve, method, two_sided, *np.broadcast_arrays(delta, low, high, *of))
    if np.isfinite(near).all():
        return _guaranteed_epsilon(ar, curve, np.minimum(1 + np.exp(near), most), delta, method, two_sided, *of)
    place = minimum(ar, at, low, high)
    orders = [np.minimum(1 + np.exp(t), most) for t in (place, _vertex(at, place, low, high))]
    orders.append(np.where(np.isfinite(most), most, orders[0]))
    if method == "optimal":
        orders.append(np.ones(np.shape(place)))  # the limit at order 1, near which rounding errors dominate
    values = [_guaranteed_epsilon(ar, curve, a, delta, method, two_sided, *of) for a in orders]
    return np.minimum.reduce(values)


@np.errstate(all="ignore")  # where values are not finite the result is NaN, and the slower search follows
def _rough_order(
    curve: Curve, method: str, two_sided: bool, delta: Array, low: Array, high: Array, *of: Array
) -> Array:
    """Return log(alpha - 1) of the best order in float64, sought near that of "balle"; NaN if it is an endpoint."""

    def at(t: Array) -> Array:
        a = 1 + np.exp(t)
        return _rdp_to_dp(FLOAT64, a, curve(FLOAT64, a, *of), delta, method, two_sided)

    def closed(t: Array) -> Array:
        a = 1 + np.exp(t)
        return _rdp_to_dp(FLOAT64, a, curve(FLOAT64, a, *of), delta, "balle", False)

    about = minimum(FLOAT64, closed, np.maximum(low, -30), np.minimum(high, 30))
    low, high = np.maximum(low, about - 1.5), np.minimum(high, about + 1.5)
    place = _vertex(at, minimum(FLOAT64, at, low, high, grids=3), low, high)
    value = at(place)
    return np.where(value < np.minimum(at(low), at(high)) - 1e-6 * (1 + abs(value)), place, np.nan)


@np.errstate(over="ignore", invalid="ignore")  # as in `_guaranteed_delta`
def best_delta(orders: Array, rho: Array, epsilon: Array) -> Array:
    """Return the least two-sided delta at each epsilon (n,), over bounds rho (k,) at Renyi orders (k,), rounded up.

    Every order gives a valid bound, so only the order that is best in plain float64 needs rounding with care.
    """
    a, r, e = (np.ravel(x) for x in np.broadcast_arrays(orders, rho, epsilon[:, None]))
    plain = _rdp_to_delta(FLOAT64, a, r, e, True)[0].reshape(len(epsilon), len(orders))
    best = np.argmin(np.where(np.isnan(plain), np.inf, plain), axis=1)
    return _guaranteed_delta(FLOAT64, orders[best], rho[best], epsilon, True)


@np.errstate(over="ignore", invalid="ignore")  # as in `_guaranteed_delta`
def _vertex(f: Callable[[Array], Array], place: Array, low: Array, high: Array, step: float = 3e-3) -> Array:
    """Return the minimiser of a smooth function near `place`, by a Newton step on the quartic through five points. The
    values near a minimum agree to within rounding, so comparing them does not locate it; the slope does."""
    p, q, r, s, t = f(place + step * np.arange(-2, 3).reshape(-1, *[1] * np.ndim(place)))
    slope, bend = (8 * (s - q) - (t - p)) / 12, (16 * (q + s) - p - t - 30 * r) / 12
    move = step * slope / np.where(bend > 0, bend, np.inf)
    return np.clip(np.where(abs(move) < step, place - move, place), low, high)
