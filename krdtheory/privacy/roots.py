"""Roots and minima of batched functions of one variable, over any arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from krdtheory.arithmetic import Arithmetic
from krdtheory.arithmetic.base import Array


def tolerance(ar: Arithmetic, share: float = 1.0) -> Any:
    """Return 10^(-share * digits), with the digits of the arithmetic, 15 for float64."""
    return ar.power_of_ten(-int(share * ar.digits))


def increasing_root(ar: Arithmetic, f: Callable[[Array], Array], low: Array, high: Array, share: float = 1.0) -> Array:
    """Return the root of an increasing f in [low, high], to `share` of the digits.

    The method is that of Chandrupatla (1997): inverse quadratic interpolation where it is safe, bisection elsewhere. f
    may be infinite at the ends. Near 0 the absolute tolerance is the square of the relative one, times the larger end
    if that is below 1.
    """
    tol = tolerance(ar, share)
    size = np.minimum(np.maximum(abs(low), abs(high)), 1)
    a, b, fa, fb = high, low, _finite(f(high)), _finite(f(low))
    c, fc = b, fb
    t: Any = 0.5
    for _ in range(40 + 8 * ar.digits):
        x = a + t * (b - a)
        fx = _finite(f(x))
        same = (fx > 0) == (fa > 0)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = x, fx
        width = abs(b - a)
        scale = tol * abs(a) + tol * abs(b) + tol * tol * size
        done = (width <= scale) | (fa == 0)
        if done.all():
            break
        # inverse quadratic interpolation is monotone between a and b exactly where phi^2 < xi and (1 - phi)^2 < 1 - xi
        apart = (fc != fb) & (fa != fb) & (fc != fa) & (c != b)
        c_b, f_cb = np.where(apart, c - b, 1), np.where(apart, fc - fb, 1)
        xi, phi = (a - b) / c_b, (fa - fb) / f_cb
        smooth = apart & (phi * phi < xi) & ((1 - phi) * (1 - phi) < 1 - xi)
        f_ba, f_ca = np.where(smooth, fb - fa, 1), np.where(smooth, fc - fa, 1)
        b_a = np.where(width > 0, b - a, 1)
        t = np.where(smooth, fa / f_ba * (fc / -f_cb) + (c - a) / b_a * (fa / f_ca) * (fb / f_cb), 0.5)
        edge = np.minimum(scale / (2 * np.where(width > 0, width, 1)), 0.5)
        t = np.where(done, 0, np.minimum(np.maximum(t, edge), 1 - edge))
    return np.where(abs(fa) < abs(fb), a, b)


def _finite(values: Array) -> Array:
    return np.where(values > 1e75, 1e75, np.where(values < -1e75, -1e75, values))


def in_float64(ar: Arithmetic, rough: Callable[..., Array], *arguments: Array) -> Array | None:
    """Evaluate `rough` in float64 and convert the result to the arithmetic. None if the arithmetic is float64 itself,
    or where something is outside the range of floats."""
    if not ar.exact_input:
        return None
    with np.errstate(all="ignore"):
        floats = [np.asarray(x, dtype=float) for x in arguments]
        pairs = zip(floats, arguments, strict=True)
        if any((np.isinf(x) | ((abs(x) < 1e-290) & (exact != 0))).any() for x, exact in pairs):
            return None
        value = rough(*floats)
    return ar.array(value, "value") if np.isfinite(value).all() else None


def about(f: Callable[[Array], Array], near: Array | None) -> tuple[Array, Array] | None:
    """Return a short interval round the place that float64 found, or None if an increasing f has no root in it."""
    if near is None:
        return None
    width = (1 + abs(near)) * 1e-9
    low, high = near - width, near + width
    return (low, high) if (f(low) < 0).all() and (f(high) > 0).all() else None


def bracket(f: Callable[[Array], Array], x: Array, step: float = 0.125) -> tuple[Array, Array]:
    """Return an interval that contains x and in which an increasing f crosses zero."""
    ends = []
    for sign in (-1, 1):
        end, stride = x, step
        for _ in range(60):  # a bound, as rounding may keep f on the wrong side of zero
            short = sign * f(end) < 0
            if not short.any():
                break
            end, stride = np.where(short, end + sign * stride, end), min(2 * stride, 16)
        ends.append(end)
    return ends[0], ends[1]


def minimum(ar: Arithmetic, f: Callable[[Array], Array], low: Array, high: Array, grids: int = 7) -> Array:
    """Return the minimiser of a unimodal f on [low, high], to half the digits to which the value is accurate.

    Float64 evaluates grids, each 16 times finer than the last, along a new leading axis, as a batch costs little more
    than one value. Multiprecision takes golden sections until parabolas locate a smooth minimum.
    """
    if not ar.exact_input:
        shares = np.linspace(0, 1, 33).reshape(-1, *[1] * np.ndim(low))
        for _ in range(7):
            x = low + shares * (high - low)
            values = f(x)
            place = values.argmin(0)[None]
            low, at, high = (np.take_along_axis(x, np.clip(place + step, 0, 32), 0)[0] for step in (-1, 0, 1))
        return at
    ends = _best_of((low, f(low)), (high, f(high)))
    sections, tried = _sections(ar, f, low, high), False
    for _ in range(int(2.4 * ar.digits) + 8):
        at, best, width = next(sections)
        if not tried and (width < 0.05).all():
            smooth, tried = _vertices(ar, f, at, best), True
            if smooth is not None:
                smooth = np.minimum(np.maximum(smooth, low), high)  # a parabola may have its vertex beyond an end
                return _best_of(ends, (smooth, f(smooth)))[0]
    return _best_of(ends, (at, best))[0]


def smooth_minimum(ar: Arithmetic, f: Callable[[Array], Array], near: Array) -> Array | None:
    """Return `minimum` near the place that float64 found, or None if some f is not smooth there."""
    return _vertices(ar, f, near, f(near), 7)


def _best_of(*found: tuple[Array, Array]) -> tuple[Array, Array]:
    """Return the pair (place, value) with the least value, elementwise."""
    at, best = found[0]
    for place, value in found[1:]:
        at, best = np.where(value < best, place, at), np.minimum(best, value)
    return at, best


def _sections(
    ar: Arithmetic, f: Callable[[Array], Array], low: Array, high: Array
) -> Iterator[tuple[Array, Array, Array]]:
    """Yield, after each golden section, the best place so far, its value and the width of the remaining interval."""
    golden = (ar.sqrt(0 * low + 5) - 1) / 2
    x, y = high - golden * (high - low), low + golden * (high - low)
    fx, fy = f(x), f(y)
    at, best = _best_of((x, fx), (y, fy))
    while True:
        left = fx < fy
        low, high = np.where(left, low, x), np.where(left, y, high)
        z = np.where(left, high - golden * (high - low), low + golden * (high - low))
        fz = f(z)
        x, y, fx, fy = np.where(left, z, y), np.where(left, x, z), np.where(left, fz, fy), np.where(left, fx, fz)
        at, best = _best_of((at, best), (z, fz))
        yield at, best, high - low


def _vertices(ar: Arithmetic, f: Callable[[Array], Array], at: Array, best: Array, power: int = 1) -> Array | None:
    """Return a smooth minimum near `at`, to at least half the digits, or None if some f is not smooth there.

    The vertex of the parabola through three points at distance s has an error of about s^2, plus the rounding error of
    the values divided by s. So the steps, 10^-power, shrink until they have a third of the digits.
    """
    last = ar.digits // 3 + 1
    power = min(power, last)
    while True:
        step = 1 / (0 * at + 10) ** power
        left, right = f(at - step), f(at + step)
        bend = left + right - 2 * best
        if not (bend > 0).all():
            return None
        move = step * (left - right) / (2 * bend)
        if not (abs(move) < 3 * step).all():
            return None
        at = at + move
        if power == last:
            return at
        best = f(at)
        power = min(max(power + (power + 1) // 2, 2 * power - 2), last)
