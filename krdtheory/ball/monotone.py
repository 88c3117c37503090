"""Formulas that are monotone in every argument: ranges, evaluation at balls by their corners, and rigorous roots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from krdtheory.arithmetic.ball import INF, UndecidedError, interval, positive_part
from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.exact import entries_array
from krdtheory.ball.inputs import INFINITY, is_infinite, mapped, number, rational

MOST_STEPS = 200  # at one precision; the bracket found by then is valid in any case


@dataclass(frozen=True)
class Range:
    """An interval of numbers, its description in messages, and whether its ends belong to it."""

    allowed: str
    low: int | None = None
    high: int | None = None
    low_in: bool = True
    high_in: bool = True
    infinite: bool = False
    balls: bool = True

    def holds(self, x: Any) -> bool:
        """Return whether x is in the range; a ball must intersect the range and stay clear of an open end."""
        above = self.low is None or (not x < self.low if self.low_in else x > self.low)
        below = self.high is None or (not x > self.high if self.high_in else x < self.high)
        return bool(above and below)

    def corner(self, x: Any, side: int) -> Any:
        """Return the lower (-1) or upper (1) end of x in the range, as a rational."""
        if not isinstance(x, arb):
            return x
        if side < 0:
            end = rational(x.lower())
            return end if self.low is None else max(end, fmpq(self.low))
        end = rational(x.upper())
        return end if self.high is None else min(end, fmpq(self.high))


REAL = Range("a finite number")
NONNEGATIVE = Range("finite and >= 0", 0)
POSITIVE = Range("finite and > 0", 0, low_in=False)
UNIT = Range("in [0, 1]", 0, 1)
INSIDE_UNIT = Range("in (0, 1)", 0, 1, low_in=False, high_in=False)
BELOW_ONE = Range("in [0, 1)", 0, 1, high_in=False)


@dataclass(frozen=True)
class Argument:
    """Values of an argument, and whether a formula increases (1) or decreases (-1) with it."""

    values: Array
    range: Range
    sign: int


def argument(value: Any, name: str, allowed: Range, sign: int = 1) -> Argument:
    """Return rationals, balls and, where allowed, INFINITY."""
    entries = entries_array(value, name)
    out = np.empty(entries.shape, dtype=object)
    for index in np.ndindex(entries.shape):
        x = entries[index]
        if allowed.infinite and is_infinite(x):
            out[index] = INFINITY
            continue
        out[index] = number(x, name, allowed.allowed)
        if not allowed.balls and isinstance(out[index], arb):
            reject(name, x, "rational" + " or inf" * allowed.infinite, TypeError)
        if not allowed.holds(out[index]):
            reject(name, x, allowed.allowed)
    return Argument(out, allowed, sign)


def monotone(formula: Callable[..., Any], digits: int, **arguments: Argument) -> Any:
    """Enclose a formula of rational arguments that broadcast; for balls, from its values at their corners."""
    whole = partial(_between_corners, formula, tuple(arguments.values()))
    return mapped(whole, {name: a.values for name, a in arguments.items()}, digits)


def _between_corners(formula: Callable[..., Any], arguments: tuple[Argument, ...], *values: Any) -> Any:
    if not any(isinstance(x, arb) for x in values):
        return formula(*values)
    low, high = (
        formula(*(a.range.corner(x, side * a.sign) for a, x in zip(arguments, values, strict=True))) for side in (-1, 1)
    )
    if low == INF or high.is_finite():
        return low if low == INF else interval(low, high)
    raise UndecidedError("infinite at some of the numbers in the balls given", lower=low.lower())


def nonnegative_part(value: Any, wanted: bool) -> Any:
    """Return max(value, 0) if `wanted`, else the value; +inf is unchanged."""
    return value if not wanted or value == INF else positive_part(value)


def positive_root(f: Callable[[Any], Any], most: int = 20) -> tuple[Any, Any]:
    """Return low < high with rigorous f(low) < 0 < f(high), for an f on (0, inf) with a single upward zero crossing.

    They are as close as the working precision allows. f takes an exact number and returns a ball, NaN if it is unknown;
    low is 0 if the sign of f is undetermined on all small numbers.

    Raises
    ------
    UndecidedError
        f > 0 is not found up to 2^(2^most).
    """
    low, high = _octave(f, most)
    full, bits = ctx.prec, min(64, ctx.prec)
    while low > 0:
        with ctx.workprec(bits):  # a sign that is determined with few bits is rigorous
            low, high = _shrunk(f, low, high)
        if bits == full:
            break
        bits = min(2 * bits, full)
    return low, high


def _octave(f: Callable[[Any], Any], most: int) -> tuple[Any, Any]:
    """Return 0 or 2^i, and 2^j, on either side of the root; j = i + 1 unless the sign of f is undetermined between."""

    def sign(exponent: int) -> int:
        for bits in sorted({min(64, ctx.prec), ctx.prec}):
            with ctx.workprec(bits):
                value = f(arb(2) ** exponent)
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
        return 0

    def first(side: int) -> int | None:
        return next((e for e in (0, *(side << i for i in range(most))) if sign(e) == side), None)

    low, high = first(-1), first(1)
    if high is None:
        raise UndecidedError(f"no sign change is seen up to 2^{1 << most}")
    bottom = -(1 << most) if low is None else low
    while high - bottom > 1:
        middle = (bottom + high) // 2
        found = sign(middle)
        if found == 0 and low is not None:
            break
        bottom, high = (bottom, middle) if found > 0 else (middle, high)
    return arb(0) if low is None else arb(2) ** bottom, arb(2) ** high


def _shrunk(f: Callable[[Any], Any], low: Any, high: Any) -> tuple[Any, Any]:
    """Shrink the bracket by regula falsi (Illinois) until the sign of f is undetermined, and then return the nearest
    points on either side where it is determined."""
    a, b, last = f(low), f(high), 0
    floor = arb(2) ** (8 - ctx.prec)
    for _ in range(MOST_STEPS):
        width = high - low
        if width < floor * high:
            break
        x = (low - width * a / (b - a)).mid()
        if not (x.is_finite() and low < x < high):
            x = ((low + high) / 2).mid()
        value = f(x)
        if value > 0:
            high, b = x, value
            a, last = (a / 2 if last > 0 else a), 1
        elif value < 0:
            low, a = x, value
            b, last = (b / 2 if last < 0 else b), -1
        else:
            step = floor * x if value.is_nan() else max(abs(value).upper() * width / abs(b - a), floor * x / 256).mid()
            return _beside(f, x, low, -step), _beside(f, x, high, step)
    return low, high


def _beside(f: Callable[[Any], Any], x: Any, end: Any, step: Any) -> Any:
    """Return the first of x + step, x + 4 step, ... where f has the sign of step, or the end."""
    while abs(step) < abs(end - x):
        point = (x + step).mid()
        if f(point) * step > 0:
            return point
        step *= 4
    return end
