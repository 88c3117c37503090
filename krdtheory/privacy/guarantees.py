"""Float64 results that are guarantees: never below the true value, and at most 2 units in the last place above it.

A formula is evaluated in the extended precision of the platform (`numpy.longdouble`, 11 bits more than float64 where it
is the x87 format) together with the sum of the sizes that its rounding errors are relative to. That error is added,
and the sum rounded up. Where the error would be felt, or the value may be a float64 exactly, two precisions of mpmath
that agree decide; so they do everywhere on a platform that has no extended precision.
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
from krdtheory.arithmetic.base import Array

UNIT = np.finfo(np.longdouble).eps
EXTENDED = Float64()  # on arrays of `numpy.longdouble`
ROOM = 4  # roundings of each of the sizes that a formula adds up
AGREED = 25  # digits
HUGE = 1e10
MOST_DIGITS = 700  # more than the range of float64 has
BITS = (128, 512, 4096)
NARROW = arb(2) ** -70
Formula = Callable[..., tuple[Array, Array]]
_ROUGH: ContextVar[float] = ContextVar("_ROUGH", default=0.0)


@contextmanager
def rough(error: float = 1e-13) -> Iterator[None]:
    """Inside, float64 results are no guarantees: extended precision is believed up to this relative error, and else 36
    digits of mpmath without a second look. It is for searches whose findings are looked at again in multiprecision.
    """
    token = _ROUGH.set(error)
    try:
        yield
    finally:
        _ROUGH.reset(token)


@singledispatch
def upper(ar: Arithmetic, formula: Formula, *arguments: Any, most: float = np.inf, may_be_exact: bool = True) -> Array:
    """A value, formula(arithmetic, *arguments)[0], at most `most`, of arrays that broadcast; in float64 never below the
    true one, and that itself where it is a float64, unless it never is."""
    return np.minimum(formula(ar, *arguments)[0], most)


@upper.register(Float64)
def _upper_in_float64(
    ar: Float64, formula: Formula, *arguments: Any, most: float = np.inf, may_be_exact: bool = True
) -> Array:
    arrays = [np.asarray(x, dtype=float) for x in np.broadcast_arrays(*arguments)]
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
        full = (most < np.inf) & (value - error >= np.nextafter(most, 0))
        out, known = np.where(full, most, out), known | full
    if not known.all():
        given = (np.atleast_1d(x)[~known] for x in arrays)
        out[~known] = by_multiprecision(lambda ar, *x: formula(ar, *x)[0], *given, most=most)
    return np.minimum(out, most).reshape(arrays[0].shape)


@singledispatch
def found_near(ar: Arithmetic, near: Callable[..., Array], value: Array, *arguments: Array) -> Array:
    """A value that a search has found; in float64 looked for once more near there, near(arithmetic, *arguments, value),
    in multiprecision, and rounded up."""
    return value


@found_near.register(Float64)
def _found_near_in_float64(ar: Float64, near: Callable[..., Array], value: Array, *arguments: Array) -> Array:
    return by_multiprecision(near, *arguments, value)


def relative(formula: Callable[..., Array]) -> Formula:
    """A formula in which nothing cancels."""

    def with_size(ar: Arithmetic, *arguments: Any) -> tuple[Array, Array]:
        value = np.asarray(formula(ar, *arguments))
        return value, abs(value)

    return with_size


def rounded_up(value: Array) -> Array:
    """The least float64 not below numbers of another precision."""
    with np.errstate(over="ignore"):
        near = np.asarray(value).astype(float)
        return np.where(near < value, np.nextafter(near, np.inf), near)


def raised(value: Any, digits: int) -> Any:
    """An upper bound on what mpmath knows to that many digits, as far as it is no float64 to all of them."""
    if value == float(value):
        return value
    return value + abs(value) * value.context.mpf(10) ** -digits


def by_multiprecision(formula: Callable[..., Array], *arguments: Any, most: float = np.inf) -> Array:
    """formula(arithmetic, *arguments), at most `most`, of arrays that broadcast, in mpmath, rounded up."""
    arrays = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in arguments))
    out = np.empty(arrays[0].shape)
    for index in np.ndindex(out.shape):
        out[index] = rounded_up(_agreed(formula, [x[index] for x in arrays], most))
    return np.minimum(out, most)


def by_balls(formula: Callable[..., Any], *arguments: Any) -> Array:
    """formula(*balls) of arrays that broadcast, in balls, rounded up; NaN where they stay wide."""
    arrays = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in arguments))
    out = np.full(arrays[0].shape, np.nan)
    for bits in BITS:
        left = np.argwhere(np.isnan(out))
        with precision(bits):
            for index in map(tuple, left):
                ball = formula(*(arb(float(x[index])) for x in arrays))
                if ball.rad() <= abs(ball.mid()) * NARROW:  # not where it is NaN
                    out[index] = upper_end(ball)
    return out


def upper_end(ball: arb) -> float:
    """The least float64 not below a ball."""
    near = float(ball.mid())
    while not arb(near) >= ball:
        near = float(np.nextafter(near, np.inf))
    return near


def _agreed(formula: Callable[..., Array], arguments: list[Any], most: float) -> Any:
    """An upper bound, of 24 digits."""

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
    if value == float(value) != 0:  # more digits may tell them apart; they take long where exponents are huge
        if any(HUGE < abs(x) < np.inf for x in arguments):
            return value + abs(value) * value.context.mpf(10) ** -AGREED
        value = at(MOST_DIGITS)
    return raised(value, AGREED - 1)
