r"""Conversions between notions of differential privacy: the parameters of one that those of another guarantee.

A guarantee bounds a divergence of the output distributions P, Q of neighbours; (epsilon, delta)-DP bounds the
hockey-stick divergence, P(S) <= e^epsilon Q(S) + delta for every event S. *Optimal* means that no smaller value holds
for every pair P, Q within the bound. Unless `two_sided`, only P relative to Q is bounded and concluded upon; a
mechanism with a symmetric neighbour relation is bounded in both orders, which near the largest deltas gives a
little more.

An epsilon may be negative (delta is then so large that even P(S) <= e^epsilon Q(S) + delta holds); `nonnegative=True`
returns 0 instead, and `two_sided=True` always does. Natural logarithms throughout.

In float64 results err to the safe side: never below the true value of the arguments as given, and at most 2 units in
the last place above it; for concentrated DP, of the least value over orders that float64 tells from 1.

Arguments are numbers or arrays that broadcast, and the result has their shape. `arithmetic` is the number system;
`krdtheory.mp` has the functions in mpmath. An argument outside the range given for it raises ValueError, as do shapes
that do not broadcast; one that is not numeric raises TypeError. Docstrings name other errors only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, reject
from krdtheory.privacy.guarantees import relative, upper
from krdtheory.privacy.mechanisms import gaussian_delta, gaussian_epsilon
from krdtheory.privacy.roots import bracket, increasing_root, minimum, tolerance

__all__ = [
    "approximate_dp_to_delta",
    "approximate_dp_to_hellinger",
    "approximate_dp_to_regularization",
    "approximate_dp_to_total_variation",
    "gdp_to_approximate_dp",
    "gdp_to_delta",
    "gdp_to_rdp",
    "hellinger_to_approximate_dp",
    "hellinger_to_delta",
    "kl_to_approximate_dp",
    "kl_to_delta",
    "pure_to_rdp",
    "pure_to_zcdp",
    "rdp_curve_to_approximate_dp",
    "rdp_to_approximate_dp",
    "rdp_to_delta",
    "tcdp_to_approximate_dp",
    "total_variation_to_approximate_dp",
    "total_variation_to_delta",
    "zcdp_to_approximate_dp",
]

METHODS = ("optimal", "certificate", "balle", "mironov")
LARGEST = float(np.finfo(float).max)


# Renyi divergence of one order


def rdp_to_approximate_dp(
    *,
    alpha: Any,
    epsilon: Any,
    delta: Any,
    method: str = "optimal",
    two_sided: bool = False,
    nonnegative: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Any:
    r"""The epsilon of approximate DP that a bound on the Renyi divergence of one order guarantees at delta.

    With rho = `epsilon`, ``D_alpha(P||Q) <= rho`` implies ``P(S) <= e^eps Q(S) + delta`` for every S, where eps is

    - ``"mironov"``: :math:`\rho + \log(1/\delta) / (\alpha-1)`;
    - ``"balle"``: :math:`\rho + \log\frac{\alpha-1}{\alpha} - \frac{\log\delta + \log\alpha}{\alpha-1}` (Theorem 16);
    - ``"certificate"``: :math:`\log\frac{(\alpha-1)(R^{\alpha/(\alpha-1)}-1)}{\alpha(R-1)}`,
      :math:`R = 1 + (e^{(\alpha-1)\rho} - 1)/(\alpha\delta)`, a closed form that is nearly optimal for small delta;
    - ``"optimal"``: the least that holds for all P and Q. It is :math:`\rho + \log(1-\delta)` where
      :math:`\alpha\delta \ge 1`; otherwise with :math:`r = p/q` and :math:`s = (1-p)/(1-q)`, where (p, q) is the point
      at which a line of slope :math:`e^{eps}` touches the privacy region, it is

      .. math:: \log \min_{0 \le s \le 1} \frac{\alpha-1}{\alpha} \frac{r^\alpha - s^\alpha}{r^{\alpha-1}-s^{\alpha-1}},
         \qquad r^{\alpha-1} = s^{\alpha-1}
         + \frac{e^{(\alpha-1)\rho} - \alpha s^{\alpha-1} + (\alpha-1) s^\alpha}{\alpha\delta}

      which for alpha = 2 and delta <= 1/2 is :math:`\log(1 - \delta + (e^\rho - 1)/(4\delta))`.

    Parameters
    ----------
    alpha : array_like
        Order in (1, inf]; "optimal" takes alpha = 1 as well, where the divergence is the Kullback-Leibler one.
    epsilon : array_like
        The bound rho on the Renyi divergence, finite and >= 0, in nats.
    delta : array_like
        In (0, 1).
    method : str
        "optimal", "certificate", "balle" or "mironov".
    two_sided : bool
        Whether the divergence is bounded in both orders, as for a symmetric neighbour relation. The result is then the
        least epsilon >= 0. Only for method "optimal".
    nonnegative : bool
        Return 0 where the result is negative.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The epsilon in nats, of the shape to which the arguments broadcast.

    Raises
    ------
    ValueError
        An unknown method, `two_sided` with a method that does not know it.

    Notes
    -----
    Every s in [0, 1] gives a valid epsilon, so an error in the search for the best one never makes the result unsound;
    s = 0 is "balle" and s = 1 is "certificate". The value is stationary in s, hence known to twice its digits. Powers
    are taken in logarithms: nothing overflows.

    References
    ----------
    Mironov (2017), Proposition 3; Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 16 of the appendix (Theorem 21
    of the paper), whose closing conjecture "optimal" answers; Asoodeh, Liao, Calmon, Kosut and Sankar (2021).

    Examples
    --------
    >>> from krdtheory.privacy.conversions import rdp_to_approximate_dp
    >>> for method in "mironov", "balle", "optimal":
    ...     print(method, round(float(rdp_to_approximate_dp(alpha=2, epsilon=0.1, delta=1e-5, method=method)), 9))
    mironov 11.612925465
    balle 10.226631104
    optimal 7.8748429
    >>> rdp_to_approximate_dp(alpha=8, epsilon=0.5, delta=[0.1, 0.2], two_sided=True).round(9).tolist()
    [0.393655141, 0.187780146]
    """
    ar = arithmetic
    a, rho, d = _arguments(
        alpha=_order(ar, alpha, method), epsilon=_bound(ar, epsilon, "epsilon"), delta=_probability(ar, delta)
    )
    value = _guaranteed_epsilon(ar, _itself, a, d, method, two_sided, rho)
    return ar.result(_clamped(value, nonnegative))


def rdp_to_delta(
    *,
    alpha: Any,
    epsilon: Any,
    target_epsilon: Any,
    two_sided: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Any:
    r"""The least delta of approximate DP that a bound on the Renyi divergence of one order guarantees at an epsilon.

    The inverse of `rdp_to_approximate_dp` with method "optimal". With rho = `epsilon` it is
    :math:`1 - e^{\varepsilon-\rho}` where :math:`\varepsilon \le \rho + \log((\alpha-1)/\alpha)`, otherwise

    .. math:: \min_{s} \frac{e^{(\alpha-1)\rho} - \alpha s^{\alpha-1} + (\alpha-1)s^\alpha}
       {\alpha (r^{\alpha-1} - s^{\alpha-1})}, \qquad
       e^\varepsilon = \frac{\alpha-1}{\alpha} \frac{r^\alpha - s^\alpha}{r^{\alpha-1}-s^{\alpha-1}}

    Parameters
    ----------
    alpha : array_like
        Order in [1, inf].
    epsilon : array_like
        The bound rho on the Renyi divergence, finite and >= 0, in nats.
    target_epsilon : array_like
        The epsilon of approximate DP: any real number, >= 0 if `two_sided`.
    two_sided : bool
        Whether the divergence is bounded in both orders.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        delta, in [0, 1].

    References
    ----------
    As `rdp_to_approximate_dp`.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import rdp_to_delta
    >>> rdp_to_delta(alpha=2, epsilon=1, target_epsilon=[0, 1, 4]).round(12).tolist()
    [0.632120558829, 0.221457793718, 0.00801345273]
    """
    ar = arithmetic
    target = _real(ar, target_epsilon, "target_epsilon")
    if two_sided and (target < 0).any():
        reject("target_epsilon", target_epsilon, "nonnegative if two_sided")
    a, rho, e = _arguments(
        alpha=_order(ar, alpha, "optimal"), epsilon=_bound(ar, epsilon, "epsilon"), target_epsilon=target
    )
    return ar.result(_guaranteed_delta(ar, a, rho, e, two_sided))


def rdp_curve_to_approximate_dp(
    *,
    alpha: Any,
    epsilon: Any,
    delta: Any,
    method: str = "optimal",
    two_sided: bool = False,
    nonnegative: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Any:
    """The epsilon of approximate DP that bounds on the Renyi divergences of several orders guarantee at delta: the
    least of `rdp_to_approximate_dp` over the orders.

    Parameters
    ----------
    alpha, epsilon : array_like, shape (..., n)
        Orders and the bounds at them, along the last axis; a bound may be +inf, as where a divergence is.
    delta : array_like, shape (...)
        In (0, 1).
    method, two_sided, nonnegative, arithmetic
        As `rdp_to_approximate_dp`.

    Returns
    -------
    float or array, shape (...)
        The epsilon in nats; +inf if every bound is.

    Raises
    ------
    ValueError
        As `rdp_to_approximate_dp`; no order at all.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.privacy.conversions import rdp_curve_to_approximate_dp
    >>> orders = np.array([1.5, 2, 4, 6, 8, 32])
    >>> round(float(rdp_curve_to_approximate_dp(alpha=orders, epsilon=orders / 2, delta=1e-5)), 9)
    4.761911581
    """
    ar = arithmetic
    a = _order(ar, alpha, method)
    rho = ar.parameter(epsilon, "epsilon", 0, np.inf, ">= 0")
    d = _probability(ar, delta)[..., None]
    a, rho = _arguments(alpha=a, epsilon=rho)
    if a.ndim <= ar.lifted or a.shape[-1] == 0:
        reject("alpha", alpha, "a vector of at least one order, shape (..., n)")
    a, rho, d = _arguments(alpha=a, epsilon=rho, delta=d)
    finite = rho < ar.inf
    value = _guaranteed_epsilon(ar, _itself, a, d, method, two_sided, np.where(finite, rho, 0))
    return ar.result(_clamped(np.where(finite, value, ar.inf).min(-1), nonnegative))


def _rdp_to_dp(ar: Arithmetic, a: Array, rho: Array, d: Array, method: str, two_sided: bool) -> Array:
    if method not in METHODS:
        reject("method", method, f"one of {', '.join(METHODS)}")
    if two_sided and method != "optimal":
        reject("two_sided", two_sided, f"False for method {method!r}")
    pure = a == ar.inf
    if method in ("optimal", "certificate"):
        pure = _as_pure(ar, a, rho)
    a = np.where(pure, 2, a)  # a place for the formulas to stand on
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


# Float64 guarantees: the search gives a place, at which every bound is valid; there the bound is computed with more
# digits, from the exact arguments. Each formula adds up what its rounding errors are relative to.

Curve = Callable[..., Array]  # of a number system, an order and parameters


def _itself(ar: Arithmetic, a: Array, rho: Array) -> Array:
    return rho


def _line(ar: Arithmetic, a: Array, slope: Array, xi: Array) -> Array:
    return xi + slope * a


@np.errstate(over="ignore", invalid="ignore")  # a search may look where something is infinite
def _guaranteed_epsilon(
    ar: Arithmetic, curve: Curve, a: Array, d: Array, method: str, two_sided: bool, *of: Array
) -> Array:
    """`_rdp_to_dp` of the bound curve(ar, a, *of), in float64 rounded up."""
    if ar.exact_input:
        return _rdp_to_dp(ar, a, curve(ar, a, *of), d, method, two_sided)
    if method not in METHODS or (two_sided and method != "optimal"):
        _rdp_to_dp(ar, a, a, d, method, two_sided)  # says what is wrong
    arrays = np.broadcast_arrays(a, d, *of)
    a, d, *parameters = map(np.ravel, arrays)
    of = tuple(parameters)
    rho = curve(ar, a, *of)
    value = np.empty(len(a))
    pure = a == np.inf if method in ("mironov", "balle") else _as_pure(ar, a, rho)

    def fill(places: Array, formula: Callable[..., Any], *more: Array) -> None:
        if places.any():
            given = (x[places] for x in (a, d, *more, *of))
            value[places] = upper(ar, partial(formula, curve), *given)

    if method != "optimal":
        formulas: dict[str, Callable[..., Any]] = {"mironov": _mironov, "balle": _balle}
        fill(pure, _curve_value)
        more = (0 * d,) if method == "certificate" else ()
        nothing = ~pure & (rho == 0) & (method == "certificate")
        value[nothing] = 0
        fill(~pure & ~nothing, formulas.get(method, _tangent_epsilon), *more)
        value = np.where(pure & (a < np.inf), np.nextafter(value, np.inf), value)  # there is a little more
        return value.reshape(arrays[0].shape)
    nothing = rho == 0
    corner = (pure | (a.astype(np.longdouble) * d >= 1)) & ~nothing
    tangent = ~corner & ~nothing
    response = corner.copy()
    y = 0 * d
    if tangent.any():
        at = a[tangent], rho[tangent], d[tangent]
        with np.errstate(over="ignore"):
            y[tangent] = _best_y(ar, *at)
            ratio = _certificate(ar, *at, y[tangent])[1]
        response[tangent] = _beyond_response(ar, y[tangent], ratio)
    fill(nothing, _nothing_epsilon)
    if two_sided:
        u = np.where(pure, rho, _response(ar, np.where(pure, 2, a), np.where(pure | nothing, 1, rho)))
        fill(response, _response_epsilon, pure, u)
        corner, tangent = corner & ~response, tangent & ~response
    fill(corner, _corner_epsilon)
    fill(tangent, _tangent_epsilon, y)
    value = np.where(pure & (a < np.inf) & ~nothing, np.nextafter(value, np.inf), value)  # there is a little more
    value = np.where(value > 0, value, 0) if two_sided else value
    return value.reshape(arrays[0].shape)


def _curve_value(curve: Curve, ar: Arithmetic, a: Array, d: Array, *of: Array) -> tuple[Array, Array]:
    rho = curve(ar, a, *of)
    return rho, rho


def _mironov(curve: Curve, ar: Arithmetic, a: Array, d: Array, *of: Array) -> tuple[Array, Array]:
    value = curve(ar, a, *of) - ar.log(d) / (a - 1)
    return value, value


def _balle(curve: Curve, ar: Arithmetic, a: Array, d: Array, *of: Array) -> tuple[Array, Array]:
    k = a - 1
    rho, first, second, third = curve(ar, a, *of), -ar.log1p(1 / k), -ar.log(a) / k, -ar.log(d) / k
    return rho + first + second + third, rho + abs(first) + abs(second) + third


def _nothing_epsilon(curve: Curve, ar: Arithmetic, a: Array, d: Array, *of: Array) -> tuple[Array, Array]:
    value = ar.log1p(-d)
    return value, abs(value)


def _corner_epsilon(curve: Curve, ar: Arithmetic, a: Array, d: Array, *of: Array) -> tuple[Array, Array]:
    rho, rest = curve(ar, a, *of), ar.log1p(-d)
    return rho + rest, rho + abs(rest)


def _tangent_epsilon(curve: Curve, ar: Arithmetic, a: Array, d: Array, y: Array, *of: Array) -> tuple[Array, Array]:
    """Of the certificate of y; errors of h by those of log((e^(k h) - 1) / k)."""
    rho, k = curve(ar, a, *of), a - 1
    value, h = _certificate(ar, a, rho, d, y)
    size = abs(_log_gain(ar, a, rho, y)) + k * (rho + y) + ar.log(a) - ar.log(d) + 8
    by = np.where(k > 0, k, 1)
    size = size * np.where(k > 0, -ar.expm1(-k * h) / by, h) + h + y
    return value, size + abs(value)


def _response_epsilon(
    curve: Curve, ar: Arithmetic, a: Array, d: Array, pure: Array, u: Array, *of: Array
) -> tuple[Array, Array]:
    u = _exact_response(ar, a, curve(ar, a, *of), pure, u)
    left = d * (1 + ar.exp(-u))
    some = left < 1
    left = np.where(some, left, 0)
    value = u + ar.log1p(-left)
    return np.where(some, value, 0), np.where(some, u + (1 + u) * left / (1 - left) + abs(value), 0)


def _exact_response(ar: Arithmetic, a: Array, rho: Array, pure: Array, u: Array) -> Array:
    """The log-odds u to all digits, by Newton's method with slopes from differences."""
    pure = pure > 0
    if pure.all():
        return rho
    a, shift = np.where(pure, 2, a), tolerance(ar, 1 / 3)
    for _ in range(4):
        here, there = (_pure_to_rdp(ar, x, a) for x in (u, u * (1 + shift)))
        slope = np.where(pure, 1, there - here)
        u = np.where(pure, rho, u * (1 - shift * np.where(pure, 0, here - rho) / slope))
    return u


@np.errstate(over="ignore")  # as above
def _guaranteed_delta(ar: Arithmetic, a: Array, rho: Array, e: Array, two_sided: bool) -> Array:
    """`_rdp_to_delta`, in float64 rounded up."""
    if ar.exact_input:
        return _rdp_to_delta(ar, a, rho, e, two_sided)[0]
    shape = np.shape(a)
    a, rho, e = (np.ravel(x) for x in (a, rho, e))
    nothing, pure = rho == 0, _as_pure(ar, a, rho)
    found, y, ratio, corner, response = _rdp_to_delta(ar, a, rho, e, two_sided)
    value = np.empty(len(a))

    def fill(places: Array, formula: Callable[..., Any], *arguments: Array) -> None:
        if places.any():
            value[places] = upper(ar, formula, *(x[places] for x in arguments), most=1)

    corner, response = corner & ~nothing, response & ~nothing
    fill(nothing, relative(lambda ar, e: 0 - ar.expm1(np.where(e < 0, e, 0))), e)
    if two_sided:
        u = np.where(pure, rho, _response(ar, np.where(pure, 2, a), np.where(pure | nothing, 1, rho)))
        fill(response, _response_delta, a, rho, e, pure, u)
        corner = corner & ~response
    fill(corner, relative(lambda ar, rho, e: -ar.expm1(np.where(e < rho, e - rho, 0))), rho, e)
    value = np.where(pure & (a < np.inf) & ~nothing, np.minimum(np.nextafter(value, 1), 1), value)
    certain = found >= 1  # to all digits
    value[certain] = 1
    fill(~(nothing | corner | (response & two_sided) | certain), _tangent_delta, a, rho, e, y, ratio)
    return value.reshape(shape)


def _tangent_delta(ar: Arithmetic, a: Array, rho: Array, e: Array, y: Array, h: Array) -> tuple[Array, Array]:
    """Of the certificate of y, whose h has the slope e^e."""
    k, t = a - 1, e + y
    for _ in range(4 + getattr(ar, "digits", 0) // 6):
        rise = a * _phi_slope(ar, a * h) - k * _phi_slope(ar, k * h)
        step = (h + _mean(ar, a, h) - t) / np.maximum(1 + rise, 0.5)
        h = h - step
        if (abs(step) <= h * tolerance(ar)).all():
            break
    value = ar.exp(_log_delta(ar, a, rho, e, y, h))
    size = abs(_log_gain(ar, a, rho, y)) + k * (rho + abs(e) + abs(_mean(ar, a, h))) + abs(ar.log(a * h)) + 8
    slope = abs(k * rise - 1 / h - k * _phi_slope(ar, k * h))  # of the logarithm of delta in h
    return value, value * (size + (slope + 1e-3 * (k + 1 / h) * tolerance(ar, 0.2)) * (h + abs(e) + y))


def _response_delta(ar: Arithmetic, a: Array, rho: Array, e: Array, pure: Array, u: Array) -> tuple[Array, Array]:
    u = _exact_response(ar, a, rho, pure, u)
    above = np.where(e < u, e - u, 0)
    value = -ar.expm1(above) / (1 + ar.exp(-u))
    return value, np.where(e < u, value + (e + u) * ar.exp(above), 0)


def _as_pure(ar: Arithmetic, a: Array, rho: Array) -> Array:
    """Where the bound holds of the infinite order, to all digits."""
    with np.errstate(over="ignore"):
        return np.asarray(
            (a == ar.inf)
            | (rho == ar.inf)
            | (np.where(a == ar.inf, 0, a - 1) * np.where(rho == ar.inf, 1, rho) > 1e300)
        )


def _optimal(ar: Arithmetic, a: Array, rho: Array, d: Array, pure: Array, two_sided: bool) -> Array:
    nothing = rho == 0  # P = Q
    rho = np.where(nothing, 1, rho)
    value = np.where(nothing, ar.log1p(-d), _least_epsilon(ar, a, rho, d, pure, two_sided))
    return np.where(value > 0, value, 0) if two_sided else value


@np.errstate(over="ignore", invalid="ignore")  # a search may look where something is infinite
def _least_epsilon(ar: Arithmetic, a: Array, rho: Array, d: Array, pure: Array, two_sided: bool) -> Array:
    corner = pure | (a * d >= 1)
    value = rho + ar.log1p(-d)
    one_of_two = corner  # where randomised response is the worst symmetric pair
    if not corner.all():
        tangent_d = np.where(corner, 1 / (4 * a), d)
        place = np.where(corner, 1, rho)
        y = _best_y(ar, a, place, tangent_d)
        tangent, ratio = _certificate(ar, a, place, tangent_d, y)
        value = np.where(corner, value, tangent)
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
    """delta, y and h of the tangent point, where the corner is the worst pair, and where randomised response is the
    worst symmetric one."""
    nothing, below = rho == 0, np.where(e < 0, e, 0)  # P = Q
    value, *places = _least_delta(ar, a, np.where(nothing, 1, rho), e, two_sided)
    return np.where(nothing, 0 - ar.expm1(below), value), *places


@np.errstate(over="ignore", invalid="ignore")  # a search may look where something is infinite
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
        may = ~corner & (rho - np.where(e < 0, e, 0) > 1)  # be near 1
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
    """Deltas above 0.9, of whose logarithm no digits are left: by log(1 - delta), where epsilon is e."""

    def excess(hidden: Array) -> Array:
        return _least_epsilon(ar, a, rho, -ar.expm1(hidden), a > ar.inf, False) - e

    low = ar.log(0 * e + tolerance(ar)) - (0 if ar.exact_input else 2)
    high = -ar.log(0 * e + 10)
    near = excess(high) > 0
    if not near.any():
        return value, y, ratio
    one = excess(low) > 0  # as far as the digits go
    d = np.where(one, 1, -ar.expm1(increasing_root(ar, excess, low, high)))
    place = np.where(near & ~one & (a * d < 1), d, 1 / (4 * a))
    at = _best_y(ar, a, rho, place)
    return (
        np.where(near, d, value),
        np.where(near, at, y),
        np.where(near, _certificate(ar, a, rho, place, at)[1], ratio),
    )


# The tangent point, by y = -log s and h = log(r / s). With phi(x) = log((1 - e^-x) / x), e^eps is a mean of r and s:
# eps = h - y + phi(alpha h) - phi((alpha - 1) h).


def _certificate(ar: Arithmetic, a: Array, rho: Array, d: Array, y: Array) -> tuple[Array, Array]:
    """The valid epsilon of s = e^-y, and h."""
    k = a - 1
    log_h = _log_gain(ar, a, rho, y) + k * (rho + y) - ar.log(a) - ar.log(d)
    log_x = log_h + ar.log(np.where(k > 0, k, 1))  # of x = e^(k h) - 1
    size = abs(log_x)
    log1p_x = np.where(log_x > 0, log_x, 0) + ar.log1p(ar.exp(-size))
    # below the least number that exp tells from zero, log(1 + x) = x
    small = log_x < -ar.max_exponent
    h = np.where(small, ar.exp(np.where(small, log_h, 0)), log1p_x / np.where(k > 0, k, 1))
    h = np.where(k == 0, ar.exp(np.where(k == 0, log_h, 0)), h)
    beyond, h = h == ar.inf, np.where(h == ar.inf, LARGEST, h)
    far = (y > 4) & (k * rho < 1)
    log_r = np.where(far, _log_r_far(ar, a, np.where(far, rho, 0), d, y), h - y) if far.any() else h - y
    return np.where(beyond, ar.inf, log_r + _mean(ar, a, h)), h


def _log_r_far(ar: Arithmetic, a: Array, rho: Array, d: Array, y: Array) -> Array:
    """h - y, whose two terms grow without bound where alpha and delta are close to 1, from (r^k - 1) / k."""
    k = a - 1
    some = k > 0
    by = np.where(some, k, 1)
    gain = np.where(some, ar.expm1(k * rho) / by, rho) + a * (1 - d) * np.where(some, -ar.expm1(-k * y) / by, y)
    grown = (gain + ar.expm1(-a * y)) / (a * d)
    inside = k * grown
    return np.where(some, ar.log1p(np.where(inside > -1, inside, 0)) / by, grown)


def _log_gain(ar: Arithmetic, a: Array, rho: Array, y: Array) -> Array:
    """log of (1 + e^(-k rho) (k s^alpha - alpha s^k)) / k, k = alpha - 1, with its limit at k = 0."""
    k = a - 1
    tau = _tau(ar, k, y)
    first = ar.log(rho) + _phi(ar, k * rho)
    second = ar.log(tau) + _phi(ar, k * tau) - k * rho
    top = np.maximum(first, second)
    base = np.where(top > -ar.inf, top, 0)
    return base + ar.log(ar.exp(first - base) + ar.exp(second - base))


def _tau(ar: Arithmetic, k: Array, y: Array) -> Array:
    """y - log(1 + k (1 - e^-y)) / k, by its series in 1 - e^-y where that would cancel."""
    sigma = -ar.expm1(-y)
    tau = y - np.where(k > 0, ar.log1p(k * sigma) / np.where(k > 0, k, 1), sigma)
    near = np.maximum(k, 1) * sigma < 0.125
    if not near.any():
        return tau
    s = np.where(near, sigma, 0)
    t = -np.where(near, k, 0) * s
    p = q = 0 * s
    for n in range(getattr(ar, "digits", 16) + 8, 1, -1):
        p, q = s * (p + 1 / (0 * s + n)), t * (q + 1 / (0 * s + n))
    return np.where(near, s * (p - q), tau)


def _phi(ar: Arithmetic, x: Array) -> Array:
    """log((1 - e^-x) / x), 0 at 0."""
    positive, near = np.where(x > 0, x, 1), np.asarray(x < 1)
    direct = ar.log(-ar.expm1(-positive)) - ar.log(positive)
    if not near.any():
        return direct
    half = np.where(near, x, 0) / 2
    u = half * half
    series = 0 * u
    for n in range(2 * (getattr(ar, "digits", 16) // 2) + 3, 1, -2):  # sinh(z) / z - 1 at z = x / 2
        series = u / (n * (n - 1)) * (1 + series)
    return np.where(near, ar.log1p(series) - x / 2, direct)


def _mean(ar: Arithmetic, a: Array, h: Array) -> Array:
    """log of a mean of 1 and e^-h, between -h and 0: phi(alpha h) - phi((alpha - 1) h)."""
    k = a - 1
    far = k * h > 1
    n, x = np.where(far, k, 1), np.where(far, h, 1)  # then without the logarithms of alpha h and k h
    large = ar.log(-ar.expm1(-(n + 1) * x)) - ar.log(-ar.expm1(-n * x)) - ar.log1p(1 / n)
    m, z = np.where(far, 0, k), np.where(far, 1, h)
    return np.where(far, large, _phi(ar, (m + 1) * z) - _phi(ar, m * z))


def _log_weight(ar: Arithmetic, a: Array, h: Array) -> Array:
    """log of (r - e^eps) / (r - s), between those of 1/2 and 1 / alpha. Where s is best, delta is (1 - s) times it."""
    return ar.log(-ar.expm1(_mean(ar, a, h))) - ar.log(-ar.expm1(-h))


def _log_rest(ar: Arithmetic, a: Array, y: Array, h: Array) -> Array:
    """log of 1 - (1 - s) e^(log weight) without its cancellation: of ((1 - s) e^mean + s (1 - 1 / r)) / (1 - s / r)."""
    log_r = np.where(h > y, h - y, 0)
    rest = -ar.expm1(-y) * ar.exp(_mean(ar, a, h)) - ar.exp(-y) * ar.expm1(-log_r)
    return ar.log(rest) - ar.log(-ar.expm1(-h))


def _best_y(ar: Arithmetic, a: Array, rho: Array, d: Array) -> Array:
    """y = -log s of the tangent point: 1 - s lies between 2 delta and alpha delta."""
    large, rest = d > 0.5, ar.log1p(-d)

    def excess(log_y: Array) -> Array:
        y = ar.exp(log_y)
        h = _certificate(ar, a, rho, d, y)[1]
        value = log_y + _phi(ar, y) + _log_weight(ar, a, h) - ar.log(d)
        if not large.any():
            return value
        return np.where(large, rest - _log_rest(ar, a, y, h), value)

    low, high = bracket(excess, ar.log(-ar.log1p(-np.minimum(a, 2) * d * 0.875)))
    return ar.exp(increasing_root(ar, excess, low, high, share=0.65))


def _best_at_slope(ar: Arithmetic, a: Array, rho: Array, e: Array) -> tuple[Array, Array]:
    """y and h of the tangent point of slope e^e."""
    up, down = np.where(e > 0, e, 0), np.where(e < 0, -e, 0)

    def point(x: Array) -> tuple[Array, Array]:
        z = ar.exp(x)
        z = np.where(z == ar.inf, LARGEST, z)
        return z + down, _inverse_mean(ar, a, z + up)

    def excess(x: Array) -> Array:
        y, h = point(x)
        log_y = np.where(e < 0, ar.log(y), x)
        return log_y + _phi(ar, y) + _log_weight(ar, a, h) - _log_delta(ar, a, rho, e, y, h)

    # 1 - s is near twice the delta of s = 1, where that is small
    above = np.where(e > 0, e, 1)
    start = _log_delta(ar, a, rho, above, 0 * e, _inverse_mean(ar, a, above))
    low, high = bracket(excess, np.minimum(np.maximum(start, -700), 0))
    return point(increasing_root(ar, excess, low, high, share=0.65))


def _inverse_mean(ar: Arithmetic, a: Array, t: Array) -> Array:
    """h > 0 at which h + mean(h) = t > 0, by Newton's method from above on this convex function."""
    k = a - 1
    t = np.where(t == ar.inf, LARGEST, t)
    h = np.minimum(2 * t, np.where(k > 0, t + ar.log(a / np.where(k > 0, k, 1)), 2 * t))
    h = np.where(h == ar.inf, LARGEST, h)
    for _ in range(60):
        slope = 1 + a * _phi_slope(ar, a * h) - k * _phi_slope(ar, k * h)
        step = (h + _mean(ar, a, h) - t) / np.maximum(slope, 0.5)  # which rounding may put below 1/2
        h = np.where(step < h, h - step, h / 2)
        if (abs(step) <= tolerance(ar, 0.9) * h).all():
            break
    return h


def _phi_slope(ar: Arithmetic, x: Array) -> Array:
    """The derivative of phi, to the few digits that Newton's method needs."""
    z = np.where(x > 1e-4, x, 1)
    return np.where(x > 1e-4, ar.exp(-z) / -ar.expm1(-z) - 1 / z, x / 12 - 0.5)


def _log_delta(ar: Arithmetic, a: Array, rho: Array, e: Array, y: Array, h: Array) -> Array:
    """log of the valid delta of s = e^-y and r = s e^h, for which h - y + mean(h) = e: of k rho and k h, which may be
    large, only k (rho - e) is left."""
    k = a - 1
    ah, kh = (np.where(x == ar.inf, LARGEST, x) for x in (a * h, k * h))
    return _log_gain(ar, a, rho, y) + k * (rho - e + _mean(ar, a, h)) - ar.log(ah) - _phi(ar, kh)


def _beyond_response(ar: Arithmetic, y: Array, h: Array) -> Array:
    """Whether p + q > 1 at the tangent point: there the pair is further apart in the other order."""
    return -ar.expm1(-y) * (ar.exp(y - h) + 1) > -ar.expm1(-h)


def _response(ar: Arithmetic, a: Array, rho: Array) -> Array:
    """The log-odds u at which randomised response has Renyi divergence rho."""
    some = np.where(rho > 0, rho, 1)
    low = np.maximum(some, ar.sqrt(some / a) * ar.sqrt(0 * some + 2))
    high = some / 2 + ar.sqrt(some) * ar.sqrt(some + 8) / 2
    most = np.minimum(high / low * (1 + 1e-6), LARGEST / low)

    def excess(share: Array) -> Array:
        return _pure_to_rdp(ar, low * share, a) / some - 1

    return np.where(rho > 0, low * increasing_root(ar, excess, 0 * low + (1 - 1e-6), most), 0)


# Renyi curves of mechanisms


def pure_to_rdp(*, epsilon: Any, alpha: Any, arithmetic: Arithmetic = FLOAT64) -> Any:
    r"""The largest Renyi divergence of order alpha under pure epsilon-DP, that of randomised response.

    .. math:: \frac{1}{\alpha-1} \log \frac{\cosh((\alpha-\frac12)\varepsilon)}{\cosh(\varepsilon/2)}
       \le \min(\varepsilon, \alpha\varepsilon^2/2)

    with its limits: alpha = 1, :math:`\varepsilon\tanh(\varepsilon/2)`; alpha = inf, epsilon; 0 at alpha = 0.

    Parameters
    ----------
    epsilon : array_like
        Finite and >= 0.
    alpha : array_like
        Order in [0, inf].
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The bound in nats; it is attained.

    References
    ----------
    Colisson (2016), Theorem 7 (the bound alpha epsilon^2 / 2); Bun and Steinke (2016), Proposition 3.3.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import pure_to_rdp
    >>> pure_to_rdp(epsilon=1, alpha=[1, 3, float("inf")]).round(12).tolist()
    [0.46211715726, 0.846726830485, 1.0]
    """
    ar = arithmetic
    e, a = _arguments(epsilon=_bound(ar, epsilon, "epsilon"), alpha=ar.order(alpha))
    infinite = a == ar.inf
    value = upper(ar, relative(_pure_to_rdp), e, np.where(infinite, 2, a))
    return ar.result(np.where(infinite | (value > e), e, value))


@np.errstate(over="ignore")
def _pure_to_rdp(ar: Arithmetic, e: Array, a: Array) -> Array:
    """By cosh((a - 1/2) e) / cosh(e / 2) - 1 = 2 sinh(a e / 2) sinh((a - 1) e / 2) / cosh(e / 2) where it is small."""
    k = a - 1
    lead = np.where(a > 1, k, -np.minimum(a, abs(k))) * e
    far = abs(lead) > 1
    large = lead + ar.log1p(ar.exp(-abs(2 * a - 1) * e)) - ar.log1p(ar.exp(-e))
    near_e, near_a = np.where(far, 0, e), np.where(far, 1, a)
    growth = ar.exp((near_a + abs(near_a - 1) - 1) * near_e / 2)
    growth = growth * -ar.expm1(-near_a * near_e) * -ar.expm1(-abs(near_a - 1) * near_e)
    small = ar.log1p(np.where(a > 1, growth, -growth) / (1 + ar.exp(-near_e)))
    limit = e * -ar.expm1(-e) / (1 + ar.exp(-e))
    value = np.where(k == 0, limit, np.where(far, large, small) / np.where(k == 0, 1, k))
    return np.where(lead < ar.inf, value, e)  # as (log(1 + x) - log(1 + y)) / k is nothing beside it


def pure_to_zcdp(*, epsilon: Any, arithmetic: Arithmetic = FLOAT64) -> Any:
    r"""The least rho for which every purely epsilon-DP mechanism is rho-zCDP.

    .. math:: \rho = \varepsilon \tanh(\varepsilon/2) \le \varepsilon^2/2

    Parameters
    ----------
    epsilon : array_like
        Finite and >= 0.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        rho: D_alpha <= rho alpha for every alpha > 1, with equality for randomised response as alpha -> 1.

    References
    ----------
    Bun and Steinke (2016), Proposition 3.3, with epsilon^2 / 2.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import pure_to_zcdp
    >>> round(float(pure_to_zcdp(epsilon=1)), 12)
    0.46211715726
    """
    ar = arithmetic
    e = _bound(ar, epsilon, "epsilon")
    value = upper(ar, relative(lambda ar, e: e * -ar.expm1(-e) / (1 + ar.exp(-e))), e)
    return ar.result(np.minimum(value, e))


def gdp_to_rdp(*, mu: Any, alpha: Any, arithmetic: Arithmetic = FLOAT64) -> Any:
    r"""The largest Renyi divergence of order alpha under mu-Gaussian DP: alpha mu^2 / 2, that of N(mu, 1) and N(0, 1).

    Parameters
    ----------
    mu : array_like
        Finite and >= 0.
    alpha : array_like
        Order in [0, inf].
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The bound in nats; +inf at alpha = inf unless mu = 0. So mu-GDP implies mu^2/2-zCDP.

    References
    ----------
    Dong, Roth and Su (2022), Corollary B.6.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import gdp_to_rdp
    >>> float(gdp_to_rdp(mu=0.5, alpha=8))
    1.0
    """
    ar = arithmetic
    m, a = _arguments(mu=_bound(ar, mu, "mu"), alpha=ar.order(alpha))
    return ar.result(upper(ar, relative(lambda ar, m, a: np.where(m > 0, a / 2, 1) * m * m), m, a))


# Concentrated DP


def zcdp_to_approximate_dp(
    *,
    rho: Any,
    delta: Any,
    xi: Any = 0,
    method: str = "optimal",
    two_sided: bool = False,
    nonnegative: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Any:
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
    return _concentrated(ar, rho, delta, xi, None, method, two_sided, nonnegative)


def tcdp_to_approximate_dp(
    *,
    rho: Any,
    omega: Any,
    delta: Any,
    method: str = "optimal",
    two_sided: bool = False,
    nonnegative: bool = False,
    arithmetic: Arithmetic = FLOAT64,
) -> Any:
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
    w = _strictly(ar, omega, "omega", 1, ar.inf, "finite and > 1")
    return _concentrated(ar, rho, delta, 0, w, method, two_sided, nonnegative)


def _concentrated(
    ar: Arithmetic, rho: Any, delta: Any, xi: Any, omega: Array | None, method: str, two_sided: bool, nonnegative: bool
) -> Any:
    r = _strictly(ar, rho, "rho", 0, ar.inf, "finite and > 0")
    r, d, x = _arguments(rho=r, delta=_probability(ar, delta), xi=_bound(ar, xi, "xi"))
    most = r + ar.inf if omega is None else omega
    r, d, x, most = _arguments(rho=r, delta=d, xi=x, omega=most)
    t = _best_exponent(ar, r, d, method)
    if t is None:
        middle = (ar.log(-ar.log(d)) - ar.log(r)) / 2  # where "mironov" has its minimum in log(alpha - 1)
        low, high = middle - 26, middle + 12  # at large deltas the best order may be 1
        if not ar.exact_input:
            high = np.maximum(high, -34)  # the order next to 1
        if omega is not None:
            high = ar.log(most - 1)
            low = np.minimum(low, high - 12)
        value = best_order(ar, _line, d, low, high, r, x, method=method, two_sided=two_sided, most=most)
    else:
        a = np.minimum(_above_one(ar, t), most)
        value = _guaranteed_epsilon(ar, _line, a, d, method, two_sided, r, x)
    return ar.result(_clamped(value, nonnegative))


def _best_exponent(ar: Arithmetic, rho: Array, d: Array, method: str) -> Array | None:
    """log(alpha - 1) of the best order for the methods that are closed forms."""
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
    """The order 1 + e^t, in float64 the next one above 1 at least."""
    a = 1 + ar.exp(t)
    return a if ar.exact_input else np.maximum(a, 1 + np.finfo(float).eps)


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
    """The least epsilon over the orders 1 + e^t, low <= t <= high, up to `most`, of the Renyi curve curve(ar, a, *of);
    in float64 rounded up."""

    high = np.minimum(high, ar.max_exponent)

    def at(t: Array) -> Array:
        a = 1 + ar.exp(t)
        return _rdp_to_dp(ar, a, curve(ar, a, *of), delta, method, two_sided)

    place = minimum(ar, at, low, high)
    if ar.exact_input:
        return at(place)
    orders = [np.minimum(1 + np.exp(t), most) for t in (place, _vertex(at, place, low, high))]
    orders.append(np.where(np.isfinite(most), most, orders[0]))
    if method == "optimal":
        orders.append(np.ones(np.shape(place)))  # the limit, which values near it hide in their rounding errors
    values = [_guaranteed_epsilon(ar, curve, a, delta, method, two_sided, *of) for a in orders]
    return np.minimum.reduce(values)


@np.errstate(over="ignore", invalid="ignore")  # as in `_guaranteed_delta`
def best_delta(orders: Array, rho: Array, epsilon: Array) -> Array:
    """The least delta in both orders at each epsilon (n,), over bounds rho (k,) of Renyi orders (k,), rounded up.

    Every order gives a bound, so that only the best one by plain float64 is rounded with care.
    """
    a, r, e = (np.ravel(x) for x in np.broadcast_arrays(orders, rho, epsilon[:, None]))
    plain = _rdp_to_delta(FLOAT64, a, r, e, True)[0].reshape(len(epsilon), len(orders))
    best = np.argmin(np.where(np.isnan(plain), np.inf, plain), axis=1)
    return _guaranteed_delta(FLOAT64, orders[best], rho[best], epsilon, True)


@np.errstate(all="ignore")
def _vertex(f: Callable[[Array], Array], place: Array, low: Array, high: Array, step: float = 3e-3) -> Array:
    """Where a smooth function is least, near a place where it nearly is, by a Newton step on the quartic through five
    points: values hide the place in their rounding errors, slopes do not."""
    p, q, r, s, t = f(place + step * np.arange(-2, 3).reshape(-1, *[1] * np.ndim(place)))
    slope, bend = (8 * (s - q) - (t - p)) / 12, (16 * (q + s) - p - t - 30 * r) / 12
    move = step * slope / np.where(bend > 0, bend, np.inf)
    return np.clip(np.where(abs(move) < step, place - move, place), low, high)


# Gaussian DP


def gdp_to_delta(*, mu: Any, epsilon: Any, arithmetic: Arithmetic = FLOAT64) -> Any:
    r"""The privacy profile of mu-Gaussian DP.

    .. math:: \delta(\varepsilon) = \Phi(\mu/2 - \varepsilon/\mu) - e^\varepsilon \Phi(-\mu/2 - \varepsilon/\mu)

    Parameters
    ----------
    mu : array_like
        Finite and >= 0; 0 is perfect privacy, delta = max(0, 1 - e^epsilon).
    epsilon : array_like
        Any real number.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The least delta, in [0, 1].

    References
    ----------
    Balle and Wang (2018), Theorem 8; Dong, Roth and Su (2022), Corollary 2.13.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import gdp_to_delta
    >>> gdp_to_delta(mu=1, epsilon=[0, 1, 4]).round(12).tolist()
    [0.382924922548, 0.126936737507, 4.7122412e-05]
    """
    ar = arithmetic
    m, e = _arguments(mu=_bound(ar, mu, "mu"), epsilon=_real(ar, epsilon, "epsilon"))
    return ar.result(gaussian_delta(ar, m, e))


def gdp_to_approximate_dp(*, mu: Any, delta: Any, nonnegative: bool = False, arithmetic: Arithmetic = FLOAT64) -> Any:
    r"""The epsilon of approximate DP that mu-Gaussian DP guarantees at delta, exactly: the inverse of `gdp_to_delta`.

    Parameters
    ----------
    mu : array_like
        Finite and >= 0; 0 is perfect privacy, epsilon = log(1 - delta).
    delta : array_like
        In (0, 1).
    nonnegative : bool
        Return 0 where the result is negative.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The epsilon in nats.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import gdp_to_approximate_dp
    >>> round(float(gdp_to_approximate_dp(mu=1, delta=1e-5)), 12)
    4.377178095681
    """
    ar = arithmetic
    m, d = _arguments(mu=_bound(ar, mu, "mu"), delta=_probability(ar, delta))
    return ar.result(_clamped(gaussian_epsilon(ar, m, d), nonnegative))


# Kullback-Leibler, Hellinger, total variation, approximate DP


def kl_to_approximate_dp(
    *, kl: Any, delta: Any, two_sided: bool = False, nonnegative: bool = False, arithmetic: Arithmetic = FLOAT64
) -> Any:
    r"""The least epsilon of approximate DP that a bound on the Kullback-Leibler divergence guarantees at delta.

    With r = p/q > 1 > s = (1-p)/(1-q) at the point where the line of slope e^epsilon touches the privacy region,

    .. math:: e^\varepsilon = \frac{r-s}{\log(r/s)}, \quad q = \frac{1-s}{r-s}, \quad
       q\, r\log r + (1-q)\, s\log s = \mathrm{KL}, \quad \delta = q(r - e^\varepsilon)

    which is `rdp_to_approximate_dp` at alpha = 1.

    Parameters
    ----------
    kl : array_like
        The bound on KL(P||Q), finite and >= 0.
    delta : array_like
        In (0, 1).
    two_sided, nonnegative, arithmetic
        As `rdp_to_approximate_dp`.

    Returns
    -------
    float or array
        The epsilon in nats, of the order of kl / delta.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import kl_to_approximate_dp
    >>> round(float(kl_to_approximate_dp(kl=0.1, delta=0.05)), 9)
    1.122481119
    """
    ar = arithmetic
    rho, d = _arguments(kl=_bound(ar, kl, "kl"), delta=_probability(ar, delta))
    value = _guaranteed_epsilon(ar, _itself, 0 * rho + 1, d, "optimal", two_sided, rho)
    return ar.result(_clamped(value, nonnegative))


def kl_to_delta(*, kl: Any, epsilon: Any, two_sided: bool = False, arithmetic: Arithmetic = FLOAT64) -> Any:
    """The least delta of approximate DP that a bound on the Kullback-Leibler divergence guarantees at epsilon: the
    inverse of `kl_to_approximate_dp`.

    Parameters
    ----------
    kl : array_like
        The bound on KL(P||Q), finite and >= 0.
    epsilon : array_like
        Any real number, >= 0 if `two_sided`.
    two_sided, arithmetic
        As `rdp_to_delta`.

    Returns
    -------
    float or array
        delta, in [0, 1].

    Examples
    --------
    >>> from krdtheory.privacy.conversions import kl_to_delta
    >>> kl_to_delta(kl=0.1, epsilon=[0, 1, 4]).round(12).tolist()
    [0.22235542483, 0.054973500229, 0.017344352877]
    """
    ar = arithmetic
    e = _real(ar, epsilon, "epsilon")
    if two_sided and (e < 0).any():
        reject("epsilon", epsilon, "nonnegative if two_sided")
    rho, e = _arguments(kl=_bound(ar, kl, "kl"), epsilon=e)
    return ar.result(_guaranteed_delta(ar, 0 * rho + 1, rho, e, two_sided))


def hellinger_to_delta(*, hellinger: Any, epsilon: Any, arithmetic: Arithmetic = FLOAT64) -> Any:
    r"""The least delta of approximate DP that a bound on the Hellinger distance guarantees at epsilon.

    .. math:: \delta = \frac{\sqrt{(e^\varepsilon-1)^2 + 4 e^\varepsilon\kappa} - (e^\varepsilon-1)}{2},
       \qquad \kappa = \rho(2-\rho)

    for ``1 - sum sqrt(P Q) <= rho = hellinger``. The distance is symmetric, so this is optimal one-sided and two-sided.

    Parameters
    ----------
    hellinger : array_like
        In [0, 1].
    epsilon : array_like
        Any real number.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        delta, in [0, 1]: sqrt(kappa) at epsilon = 0, and kappa as epsilon -> inf.

    References
    ----------
    Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 20 of the appendix, with the formula of Lemma 19 corrected.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import hellinger_to_delta
    >>> hellinger_to_delta(hellinger=0.2, epsilon=[0, 1, 50]).round(12).tolist()
    [0.6, 0.451089816882, 0.36]
    """
    ar = arithmetic
    rho = ar.parameter(hellinger, "hellinger", 0, 1, "in [0, 1]")
    rho, e = _arguments(hellinger=rho, epsilon=_real(ar, epsilon, "epsilon"))
    return ar.result(upper(ar, relative(_hellinger_delta), rho, e, most=1))


def _hellinger_delta(ar: Arithmetic, rho: Array, e: Array) -> Array:
    kappa = rho * (2 - rho)
    positive, negative = np.where(e > 0, e, 0), np.where(e < 0, e, 0)
    fall = -ar.expm1(-positive)
    scale = ar.sqrt(fall * fall + 4 * ar.exp(-positive) * kappa) + fall
    above = 2 * kappa / np.where(scale > 0, scale, 1)
    rise = ar.expm1(negative)
    below = (ar.sqrt(rise * rise + 4 * ar.exp(negative) * kappa) - rise) / 2
    return np.where(e > 0, above, below)


def hellinger_to_approximate_dp(
    *, hellinger: Any, delta: Any, nonnegative: bool = False, arithmetic: Arithmetic = FLOAT64
) -> Any:
    r"""The least epsilon of approximate DP that a bound on the Hellinger distance guarantees at delta.

    .. math:: e^\varepsilon = \frac{\delta(1-\delta)}{\delta - \kappa}, \qquad \kappa = \rho(2-\rho)

    Parameters
    ----------
    hellinger : array_like
        In [0, 1].
    delta : array_like
        In (0, 1).
    nonnegative : bool
        Return 0 where the result is negative.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The epsilon in nats; +inf where delta <= kappa, as no epsilon is guaranteed there.

    References
    ----------
    As `hellinger_to_delta`.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import hellinger_to_approximate_dp
    >>> hellinger_to_approximate_dp(hellinger=0.2, delta=[0.36, 0.37, 0.6]).round(12).tolist()
    [inf, 3.148882453048, 0.0]
    """
    ar = arithmetic
    rho = ar.parameter(hellinger, "hellinger", 0, 1, "in [0, 1]")
    rho, d = _arguments(hellinger=rho, delta=_probability(ar, delta))
    return ar.result(_clamped(upper(ar, _hellinger_epsilon, rho, d), nonnegative))


def _hellinger_epsilon(ar: Arithmetic, rho: Array, d: Array) -> tuple[Array, Array]:
    kappa, rest = rho * (2 - rho), (1 - rho) ** 2  # which sum to 1: differences by the smaller one
    large = rho > 0.5
    gap = np.where(large, rest - (1 - d), (d - 2 * rho) + rho * rho)
    excess = np.where(large, (1 - d) * (1 + d) - rest, kappa - d * d)
    gap_size, excess_size = np.where(large, rest + 1 - d, d + 2 * rho), np.where(large, 2 - 2 * d + rest, kappa + d * d)
    some = gap > 0
    by = np.where(some, gap, 1)
    ratio = np.where(some, excess, 0) / by
    value = np.where(some, ar.log1p(ratio), ar.inf)
    size = (excess_size + abs(ratio) * gap_size) / by / (1 + ratio) + np.where(some, abs(value), 0)
    return value, np.where(abs(gap) > gap_size * tolerance(ar), size, ar.inf)


def total_variation_to_delta(*, total_variation: Any, epsilon: Any, arithmetic: Arithmetic = FLOAT64) -> Any:
    r"""The least delta of approximate DP that a bound on the total variation distance guarantees at epsilon.

    .. math:: \delta = \max(\tau, 1 - e^\varepsilon(1 - \tau))

    the second only for epsilon < 0: total variation by itself bounds no likelihood ratio.

    Parameters
    ----------
    total_variation : array_like
        The bound tau, in [0, 1].
    epsilon : array_like
        Any real number.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        delta, in [0, 1].

    Examples
    --------
    >>> from krdtheory.privacy.conversions import total_variation_to_delta
    >>> total_variation_to_delta(total_variation=0.1, epsilon=[-1, 0, 1]).round(12).tolist()
    [0.668908502946, 0.1, 0.1]
    """
    ar = arithmetic
    tau = ar.parameter(total_variation, "total_variation", 0, 1, "in [0, 1]")
    tau, e = _arguments(total_variation=tau, epsilon=_real(ar, epsilon, "epsilon"))
    formula = relative(lambda ar, tau, e: tau - (1 - tau) * ar.expm1(np.where(e < 0, e, 0)))
    return ar.result(upper(ar, formula, tau, e, most=1))


def total_variation_to_approximate_dp(
    *, total_variation: Any, delta: Any, nonnegative: bool = False, arithmetic: Arithmetic = FLOAT64
) -> Any:
    r"""The least epsilon of approximate DP that a bound on the total variation distance guarantees at delta.

    .. math:: \varepsilon = \log\frac{1-\delta}{1-\tau} \le 0

    where delta >= tau. Below tau no epsilon is guaranteed: P may have an atom of mass tau that Q has not.

    Parameters
    ----------
    total_variation : array_like
        The bound tau, in [0, 1].
    delta : array_like
        In (0, 1).
    nonnegative : bool
        Return 0 where the result is negative.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The epsilon in nats; +inf where delta < tau.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import total_variation_to_approximate_dp
    >>> total_variation_to_approximate_dp(total_variation=0.1, delta=[0.05, 0.1, 0.5]).round(12).tolist()
    [inf, 0.0, -0.587786664902]
    """
    ar = arithmetic
    tau = ar.parameter(total_variation, "total_variation", 0, 1, "in [0, 1]")
    tau, d = _arguments(total_variation=tau, delta=_probability(ar, delta))
    return ar.result(_clamped(upper(ar, _total_variation_epsilon, tau, d), nonnegative))


def _total_variation_epsilon(ar: Arithmetic, tau: Array, d: Array) -> tuple[Array, Array]:
    some = d >= tau
    rest, step = np.where(some, 1 - tau, 1), np.where(some, tau - d, 0)
    near = 2 * step > -rest
    far = ar.log1p(-d) - ar.log1p(np.where(some, -tau, 0))
    value = np.where(near, ar.log1p(np.where(near, step / rest, 0)), far)
    return np.where(some, value, ar.inf), np.where(near, 1, 2 - ar.log1p(-d)) * abs(value)


def approximate_dp_to_delta(
    *, epsilon: Any, delta: Any, target_epsilon: Any, two_sided: bool = False, arithmetic: Arithmetic = FLOAT64
) -> Any:
    r"""The least delta at another epsilon that (epsilon, delta)-DP guarantees.

    .. math:: \delta + (1-\delta) (1 - e^{\varepsilon'-\varepsilon})_+ \quad\text{or, two-sided,}\quad
       \delta + (1-\delta) \frac{(1 - e^{\varepsilon'-\varepsilon})_+}{1 + e^{-\varepsilon}}

    Parameters
    ----------
    epsilon : array_like
        Finite and >= 0.
    delta : array_like
        In [0, 1].
    target_epsilon : array_like
        epsilon' above: any real number, >= 0 if `two_sided`.
    two_sided : bool
        Whether the guarantee holds in both orders.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The delta at `target_epsilon`, in [0, 1].

    Examples
    --------
    >>> from krdtheory.privacy.conversions import approximate_dp_to_delta
    >>> approximate_dp_to_delta(epsilon=1, delta=0, target_epsilon=[0, 0.5, 2], two_sided=True).round(12).tolist()
    [0.46211715726, 0.287649136645, 0.0]
    """
    ar = arithmetic
    target = _real(ar, target_epsilon, "target_epsilon")
    if two_sided and (target < 0).any():
        reject("target_epsilon", target_epsilon, "nonnegative if two_sided")
    e, d, t = _arguments(
        epsilon=_bound(ar, epsilon, "epsilon"),
        delta=ar.parameter(delta, "delta", 0, 1, "in [0, 1]"),
        target_epsilon=target,
    )

    def formula(ar: Arithmetic, e: Array, d: Array, t: Array) -> Array:
        fall = -ar.expm1(np.where(t < e, t - e, 0))
        return d + (1 - d) * (fall / (1 + ar.exp(-e)) if two_sided else fall)

    return ar.result(upper(ar, relative(formula), e, d, t, most=1))


def approximate_dp_to_hellinger(*, epsilon: Any, delta: Any, arithmetic: Arithmetic = FLOAT64) -> Any:
    r"""The largest Hellinger distance under two-sided (epsilon, delta)-DP.

    .. math:: 1 - \frac{1-\delta}{\cosh(\varepsilon/2)}

    Every such pair is a post-processing of the canonical one, which has this distance (Kairouz, Oh and Viswanath 2015).

    Parameters
    ----------
    epsilon : array_like
        Finite and >= 0.
    delta : array_like
        In [0, 1].
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The distance 1 - sum sqrt(P Q), in [0, 1].

    Examples
    --------
    >>> from krdtheory.privacy.conversions import approximate_dp_to_hellinger
    >>> round(float(approximate_dp_to_hellinger(epsilon=1, delta=0.01)), 12)
    0.12204930487
    """
    ar = arithmetic
    e, d = _pair(ar, epsilon, delta)

    def formula(ar: Arithmetic, e: Array, d: Array) -> Array:
        half = ar.expm1(-e / 2)
        return (half * half + 2 * d * ar.exp(-e / 2)) / (1 + ar.exp(-e))

    return ar.result(upper(ar, relative(formula), e, d, most=1))


def approximate_dp_to_total_variation(*, epsilon: Any, delta: Any, arithmetic: Arithmetic = FLOAT64) -> Any:
    r"""The largest total variation distance under two-sided (epsilon, delta)-DP.

    .. math:: \delta + (1-\delta)\tanh(\varepsilon/2)

    Parameters
    ----------
    epsilon : array_like
        Finite and >= 0.
    delta : array_like
        In [0, 1].
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The distance, in [0, 1].

    Examples
    --------
    >>> from krdtheory.privacy.conversions import approximate_dp_to_total_variation
    >>> round(float(approximate_dp_to_total_variation(epsilon=1, delta=0.01)), 12)
    0.467495985687
    """
    ar = arithmetic
    e, d = _pair(ar, epsilon, delta)
    formula = relative(lambda ar, e, d: d + (1 - d) * -ar.expm1(-e) / (1 + ar.exp(-e)))
    return ar.result(upper(ar, formula, e, d, most=1))


def approximate_dp_to_regularization(*, epsilon: Any, delta: Any, arithmetic: Arithmetic = FLOAT64) -> Any:
    r"""The regularization at which (epsilon, delta)-DP bounds the kernel Renyi divergences of every order by epsilon.

    .. math:: \lambda = \delta e^{-\varepsilon}

    For a kernel with k(x, x) <= 1, ``D_{alpha,lambda}(P||Q) <= epsilon`` for every alpha. The bound is attained, so no
    smaller lambda serves.

    Parameters
    ----------
    epsilon : array_like
        Finite and >= 0.
    delta : array_like
        In [0, 1].
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        lambda, in [0, 1].

    References
    ----------
    Domingo-Enrich and Mroueh (2022), Proposition 9.

    Examples
    --------
    >>> from krdtheory.privacy.conversions import approximate_dp_to_regularization
    >>> round(float(approximate_dp_to_regularization(epsilon=1, delta=0.005)), 12)
    0.001839397206
    """
    ar = arithmetic
    e, d = _pair(ar, epsilon, delta)
    return ar.result(upper(ar, relative(lambda ar, e, d: d * ar.exp(-e)), e, d, most=1))


# Arguments


def _order(ar: Arithmetic, alpha: Any, method: str) -> Array:
    if method == "optimal":
        return ar.parameter(alpha, "alpha", 1, np.inf, "in [1, inf]")
    return _strictly(ar, alpha, "alpha", 1, None, "in (1, inf]")


def _bound(ar: Arithmetic, value: Any, name: str) -> Array:
    return ar.parameter(value, name, 0, np.finfo(float).max, "finite and >= 0")


def _real(ar: Arithmetic, value: Any, name: str) -> Array:
    largest = np.finfo(float).max
    return ar.parameter(value, name, -largest, largest, "a finite number")


def _probability(ar: Arithmetic, delta: Any) -> Array:
    return _strictly(ar, delta, "delta", 0, 1, "in (0, 1)")


def _strictly(ar: Arithmetic, value: Any, name: str, low: float, high: Any, allowed: str) -> Array:
    """Reals above `low`, and below `high` where there is one."""
    x = ar.parameter(value, name, low, np.inf, allowed)
    outside = x <= low if high is None else (x <= low) | (x >= high)
    if outside.any():
        reject(name, x[outside].flat[0], allowed)
    return x


def _pair(ar: Arithmetic, epsilon: Any, delta: Any) -> list[Array]:
    d = ar.parameter(delta, "delta", 0, 1, "in [0, 1]")
    return _arguments(epsilon=_bound(ar, epsilon, "epsilon"), delta=d)


def _arguments(**arrays: Array) -> list[Array]:
    """Arguments broadcast to one shape."""
    try:
        return list(np.broadcast_arrays(*arrays.values()))
    except ValueError:
        shapes = ", ".join(str(x.shape) for x in arrays.values())
        raise ValueError(f"{', '.join(arrays)} must have shapes that broadcast; got {shapes}") from None


def _clamped(value: Array, nonnegative: bool) -> Array:
    return np.where(value > 0, value, 0) if nonnegative else value
