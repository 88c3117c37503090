"""Float64 results that are guarantees: never below the true value, and at most 2 units in the last place above it.

A formula is evaluated in the extended precision of the platform (`numpy.longdouble`, 11 bits more than float64 where it
is the x87 format) together with the sum of the sizes that its rounding errors are relative to. The error bound is
added, and the sum rounded up. Where the error would cost a unit in the last place, or the value may be exactly a
float64, mpmath decides, at two precisions that agree; on a platform without extended precision it does so everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import singledispatch
from typing import Any

import numpy as np
from flint import arb

from krdtheory.arithmetic import MP, Arithmetic, Float64, PrecisionError
from krdtheory.arithmetic.ball import precision
from krdtheory.arithmetic.base import Array, aligned

UNIT = np.finfo(np.longdouble).eps
EXTENDED = Float64()  # on arrays of `numpy.longdouble`
ROOM = 4  # units of rounding error allowed for the size that a formula returns
AGREED = 25  # digits to which two precisions must agree
HUGE = 1e10
MOST_DIGITS = 700  # more than the exponent range of float64 spans
BITS = (128, 512, 4096)
NARROW = arb(2) ** -70
Formula = Callable[..., tuple[Array, Array]]
_ROUGH: ContextVar[float] = ContextVar("_ROUGH", default=0.0)


@contextmanager
def rough(error: float = 1e-13) -> Iterator[None]:
    """Return a context in which float64 results are approximate instead of guaranteed: extended precision is accepted
    up to this relative error, and otherwise mpmath with 36 digits is not checked at a second precision. It is for
    searches whose results are verified in multiprecision afterwards.
    """
    token = _ROUGH.set(error)
    try:
        yield
    finally:
        _ROUGH.reset(token)


@singledispatch
def upper(ar: Arithmetic, formula: Formula, *arguments: Any, most: float = np.inf, may_be_exact: bool = True) -> Array:
    """Return formula(arithmetic, *arguments)[0], capped at `most`, for arguments that broadcast.

    In float64 it is never below the true value, and equal to it where the true value is a float64. `may_be_exact` is
    False for a formula whose value never is one.
    """
    return np.minimum(formula(ar, *arguments)[0], most)


@upper.register(Float64)
def _upper_in_float64(
    ar: Float64, formula: Formula, *arguments: Any, most: float = np.inf, may_be_exact: bool = True
) -> Array:
    arrays = aligned(*(np.asarray(x, dtype=float) for x in arguments))
    with np.errstate(all="ignore"):
        value, size = formula(EXTENDED, *(np.atleast_1d(x).astype(np.longdouble) for x in arrays))
        value, size = np.broadcast_arrays(value, size)
        error = ROOM * UNIT * size
        out = rounded_up(value + error)
        known = (value == np.inf) | (error <= abs(value) * np.finfo(float).eps / 4)
        if may_be_exact:
            known &= ~(np.isfinite(value) & (value.astype(float) == value))
        if allowed := _ROUGH.get():
            known |= error <= abs(value) * allowed
        if most < np.inf:
            full = value - error >= np.nextafter(most, 0)
            out, known = np.where(full, most, out), known | full
    if not known.all():
        given = (np.atleast_1d(x)[~known] for x in arrays)
        out[~known] = by_multiprecision(lambda ar, *x: formula(ar, *x)[0], *given, most=most)
    return np.minimum(out, most).reshape(arrays[0].shape)


@singledispatch
def found_near(ar: Arithmetic, near: Callable[..., Array], value: Array, *arguments: Array) -> Array:
    """Return a value that a search found; in float64 it is refined in multiprecision by near(arithmetic, *arguments,
    value) and rounded up."""
    return value


@found_near.register(Float64)
def _found_near_in_float64(ar: Float64, near: Callable[..., Array], value: Array, *arguments: Array) -> Array:
    return by_multiprecision(near, *arguments, value)


def relative(formula: Callable[..., Array]) -> Formula:
    """Return a formula without cancellation together with the size of its rounding errors, its absolute value."""

    def with_size(ar: Arithmetic, *arguments: Any) -> tuple[Array, Array]:
        value = np.asarray(formula(ar, *arguments))
        return value, abs(value)

    return with_size


def rounded_up(value: Array) -> Array:
    """Return the least float64 that is not below a number of another precision."""
    with np.errstate(over="ignore"):
        near = np.asarray(value).astype(float)
        return np.where(near < value, np.nextafter(near, np.inf), near)


def raised(value: Any, digits: int) -> Any:
    """Return an upper bound on a value known to `digits` digits; a value that is a float64 to all of them is kept."""
    if value == float(value):
        return value
    return value + abs(value) * value.context.mpf(10) ** -digits


def by_multiprecision(formula: Callable[..., Array], *arguments: Any, most: float = np.inf) -> Array:
    """Return formula(arithmetic, *arguments), capped at `most`, for arrays that broadcast, from mpmath, rounded up."""
    arrays = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in arguments))
    out = np.empty(arrays[0].shape)
    for index in np.ndindex(out.shape):
        out[index] = rounded_up(_agreed(formula, [x[index] for x in arrays], most))
    return np.minimum(out, most)


def by_balls(formula: Callable[..., Any], *arguments: Any) -> Array:
    """Return formula(*balls) for arrays that broadcast, rounded up; NaN where the balls stay wide."""
    arrays = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in arguments))
    out = np.full(arrays[0].shape, np.nan)
    for bits in BITS:
        left = np.argwhere(np.isnan(out))
        with precision(bits):
            for index in map(tuple, left):
                ball = formula(*(arb(float(x[index])) for x in arrays))
                if ball.rad() <= abs(ball.mid()) * NARROW:  # False if it is NaN
                    out[index] = upper_end(ball)
    return out


def upper_end(ball: arb) -> float:
    """Return the least float64 that is not below a ball."""
    near = float(ball.mid())
    while not arb(near) >= ball:
        near = float(np.nextafter(near, np.inf))
    return near


def _agreed(formula: Callable[..., Array], arguments: list[Any], most: float) -> Any:
    """Return an upper bound on a formula with 24 correct digits, from two precisions that agree."""

    def at(digits: int) -> Any:
        ar = MP(digits)
        return formula(ar, *(ar.parameter(x, "argument", -np.inf, np.inf, "") for x in arguments))[0] * ar.context.one

    if _ROUGH.get():
        return at(36)
    digits, last, value = 60, at(36), at(60)
    while not (value == last or abs(value - last) <= abs(value) * value.context.mpf(10) ** -AGREED):
        if digits > MOST_DIGITS:
            raise PrecisionError(f"two precisions up to {digits} digits do not agree to {AGREED} digits")
        digits *= 2
        last, value = value, at(digits)
    if value >= most:
        return value.context.mpf(most)
    # more digits may show that the value is not a float64, but they take long where exponents are huge
    if value == float(value) != 0:
        if any(HUGE < abs(x) < np.inf for x in arguments):
            return value + abs(value) * value.context.mpf(10) ** -AGREED
        value = at(MOST_DIGITS)
    return raised(value, AGREED - 1)
