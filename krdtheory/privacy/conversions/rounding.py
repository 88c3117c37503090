"""Conversions of a Renyi divergence in float64, rounded up so that they stay guarantees.

The bound is valid wherever a search ends; at that place it is computed again with more digits, from the exact
arguments. Each formula also returns the size that its rounding errors are relative to.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, singledispatch
from typing import Any

import numpy as np

from krdtheory.arithmetic import Arithmetic, Float64
from krdtheory.arithmetic.base import Array, aligned
from krdtheory.privacy.conversions.curves import pure_curve
from krdtheory.privacy.conversions.optimum import (
    METHODS,
    _as_pure,
    _best_y,
    _beyond_response,
    _log_delta,
    _log_gain,
    _mean,
    _phi_slope,
    _rdp_to_delta,
    _rdp_to_dp,
    _response,
    _tangent,
)
from krdtheory.privacy.guarantees import relative, upper
from krdtheory.privacy.roots import tolerance

SPARE = 1e-6  # for comparisons with `tolerance`, which knows float64 but not extended precision
PIECE = 2**12  # so many bounds at a time, whose temporaries fit into the cache
Curve = Callable[..., Array]  # (number system, order, *parameters) -> bound on the Renyi divergence


def _itself(ar: Arithmetic, a: Array, rho: Array) -> Array:
    return rho


def _line(ar: Arithmetic, a: Array, slope: Array, xi: Array) -> Array:
    return xi + slope * a


@singledispatch
def _guaranteed_epsilon(
    ar: Arithmetic, curve: Curve, a: Array, d: Array, method: str, two_sided: bool, *of: Array
) -> Array:
    """Return `_rdp_to_dp` for the bound curve(ar, a, *of); in float64 it is rounded up."""
    return _rdp_to_dp(ar, a, curve(ar, a, *of), d, method, two_sided)


@_guaranteed_epsilon.register(Float64)
@np.errstate(over="ignore", invalid="ignore")  # a search may go where something is infinite
def _guaranteed_epsilon_in_float64(
    ar: Float64, curve: Curve, a: Array, d: Array, method: str, two_sided: bool, *of: Array
) -> Array:
    if method not in METHODS or (two_sided and method != "optimal"):
        _rdp_to_dp(ar, a, a, d, method, two_sided)  # raises the error
    arrays = aligned(a, d, *of)
    a, d, *parameters = map(np.ravel, arrays)
    of = tuple(parameters)
    if len(a) > PIECE:
        parts = ((x[start : start + PIECE] for x in (a, d, *of)) for start in range(0, len(a), PIECE))
        values = [_guaranteed_epsilon_in_float64(ar, curve, x, y, method, two_sided, *rest) for x, y, *rest in parts]
        return np.concatenate(values).reshape(arrays[0].shape)
    rho = curve(ar, a, *of)
    value = np.empty(len(a))
    pure = a == np.inf if method in ("mironov", "balle") else _as_pure(ar, a, rho)

    def fill(places: Array, formula: Callable[..., Any], *more: Array) -> None:
        if places.any():
            given = (x[places] for x in (a, d, *more, *of))
            exact = formula is not _tangent_epsilon  # whose value, a logarithm, is never exactly a float64
            value[places] = upper(ar, partial(formula, curve), *given, may_be_exact=exact)

    if method != "optimal":
        formulas: dict[str, Callable[..., Any]] = {"mironov": _mironov, "balle": _balle}
        fill(pure, _curve_value)
        more = (0 * d,) if method == "certificate" else ()
        nothing = ~pure & (rho == 0) & (method == "certificate")
        value[nothing] = 0
        fill(~pure & ~nothing, formulas.get(method, _tangent_epsilon), *more)
        # a finite order is treated as infinite here, and one unit covers the difference
        value = np.where(pure & (a < np.inf), np.nextafter(value, np.inf), value)
        return value.reshape(arrays[0].shape)
    nothing = rho == 0
    corner = (pure | (a.astype(np.longdouble) * d >= 1)) & ~nothing
    tangent = ~corner & ~nothing
    response = corner.copy()
    y = 0 * d
    if tangent.any():
        at = a[tangent], rho[tangent], d[tangent]
        y[tangent] = _best_y(ar, *at)
        if two_sided:
            response[tangent] = _beyond_response(ar, y[tangent], _tangent(ar, *at, y[tangent])[2])
    fill(nothing, _nothing_epsilon)
    if two_sided:
        u = np.where(pure, rho, _response(ar, np.where(pure, 2, a), np.where(pure | nothing, 1, rho)))
        fill(response, _response_epsilon, pure, u)
        corner, tangent = corner & ~response, tangent & ~response
    fill(corner, _corner_epsilon)
    fill(tangent, _tangent_epsilon, y)
    if pure.any():  # a finite order is treated as infinite here, and one unit covers the difference
        value = np.where(pure & (a < np.inf) & ~nothing, np.nextafter(value, np.inf), value)
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
    """Return the certificate of y, and the size of its rounding errors."""
    return _tangent(ar, a, curve(ar, a, *of), d, y)[:2]


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
    """Return the log-odds u to all digits, by Newton's method with slopes from finite differences."""
    pure = pure > 0
    if pure.all():
        return rho
    a, shift = np.where(pure, 2, a), tolerance(ar, 1 / 3)
    for _ in range(4):
        here, there = (pure_curve(ar, x, a) for x in (u, u * (1 + shift)))
        step = shift * np.where(pure, 0, here - rho) / np.where(pure, 1, there - here)
        u = np.where(pure, rho, u * (1 - step))
        if (abs(step) * shift <= SPARE * tolerance(ar)).all():  # the error left after this step
            break
    return u


@singledispatch
def _guaranteed_delta(ar: Arithmetic, a: Array, rho: Array, e: Array, two_sided: bool) -> Array:
    """Return the delta of `_rdp_to_delta`; in float64 it is rounded up."""
    return _rdp_to_delta(ar, a, rho, e, two_sided)[0]


@_guaranteed_delta.register(Float64)
@np.errstate(over="ignore")  # a search may go where something is infinite
def _guaranteed_delta_in_float64(ar: Float64, a: Array, rho: Array, e: Array, two_sided: bool) -> Array:
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
    certain = found >= 1  # delta is 1 to all digits
    value[certain] = 1
    fill(~(nothing | corner | (response & two_sided) | certain), _tangent_delta, a, rho, e, y, ratio)
    return value.reshape(shape)


def _tangent_delta(ar: Arithmetic, a: Array, rho: Array, e: Array, y: Array, h: Array) -> tuple[Array, Array]:
    """Return the delta of the certificate of y whose h gives the slope e^e, and the size of its rounding errors."""
    k, t = a - 1, e + y
    for _ in range(4 + getattr(ar, "digits", 0) // 6):
        rise = a * _phi_slope(ar, a * h) - k * _phi_slope(ar, k * h)
        step = (h + _mean(ar, a, h) - t) / np.maximum(1 + rise, 0.5)
        h = h - step
        if (abs(step) <= h * tolerance(ar)).all():
            break
    value = ar.exp(_log_delta(ar, a, rho, e, y, h))
    size = abs(_log_gain(ar, a, rho, y)) + k * (rho + abs(e) + abs(_mean(ar, a, h))) + abs(ar.log(a * h)) + 8
    slope = abs(k * rise - 1 / h - k * _phi_slope(ar, k * h))  # the derivative of log delta in h
    return value, value * (size + (slope + 1e-3 * (k + 1 / h) * tolerance(ar, 0.2)) * (h + abs(e) + y))


def _response_delta(ar: Arithmetic, a: Array, rho: Array, e: Array, pure: Array, u: Array) -> tuple[Array, Array]:
    u = _exact_response(ar, a, rho, pure, u)
    above = np.where(e < u, e - u, 0)
    value = -ar.expm1(above) / (1 + ar.exp(-u))
    return value, np.where(e < u, value + (e + u) * ar.exp(above), 0)
