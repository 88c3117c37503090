"""Closed forms of a few real parameters: nonnegative over their whole range, by Taylor models and ranges in balls.

`Series` cuts the quarter space of its parameters into boxes. On a box that is bounded, f(x, t) is enclosed by its
Taylor polynomial in x at the centre, whose last coefficient is taken over the box, and by its slope in every other
parameter. Where f vanishes at x = 0 to order m, as sympy shows of the coefficients below m, f / x^m is enclosed; where
it vanishes at an end of another parameter, the derivative that does not. On an unbounded box x >= X, f and its first
derivatives are nonnegative at X, and a derivative of higher order is so on all of it, by intervals with infinite ends.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import sympy
from flint import arb, arb_series, ctx, fmpq
from sympy import Add, Expr, Mul, Pow, Symbol

from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.enclosures import TooWide, constant, enclosure
from verification.provers.ranges import BITS, End, _agree, _forms, _Range, _range, _rounded, _vanishes
from verification.provers.scalars import CORNERS, PAST, Tactic, is_zero, nonnegative, opaque, seen_nonnegative

BEYOND = 8  # orders of a Taylor model beyond the first coefficient that does not vanish


DERIVATIVES = 3  # that are taken on an unbounded box


VANISHING = 10  # the highest order to which an expression may vanish at an end


SMALLEST, LARGEST = Fraction(1, 2**40), Fraction(2**40)


Box = tuple[Fraction, Fraction | None]  # its ends; None for infinity


def _ball(low: Fraction, high: Fraction) -> arb:
    return arb(fmpq(low.numerator, low.denominator)).union(arb(fmpq(high.numerator, high.denominator)))


def _coefficients(e: Expr, x: Symbol, at: Any, others: Mapping[Symbol, arb], count: int) -> list[arb]:
    """The first Taylor coefficients in x over a ball, each finite."""
    series = enclosure(e, {**others, x: arb_series([at, 1], count)})
    if not isinstance(series, arb_series):
        found = [series]
    else:
        if series.prec < count:
            raise TooWide
        found = [series[k] for k in range(count)]
    if not all(c.is_finite() for c in found):
        raise TooWide
    return found + [arb(0)] * (count - len(found))


def _horner(coefficients: Sequence[arb], x: arb) -> arb:
    out = arb(0)
    for c in reversed(coefficients):
        out = out * x + c
    return out


# An expression of x and of other parameters in [0, 1]


def _continuous(e: Expr, t: Symbol, end: int) -> bool:
    """Is the value at an end the limit there? No logarithm, inverse or power with exponent in t is one of 0."""
    for node in e.atoms(sympy.log, Pow):
        base, exponent = (node.args[0], None) if isinstance(node, sympy.log) else node.as_base_exp()
        if not node.has(t) or isinstance(node, sympy.exp):
            continue
        if exponent is not None and not exponent.has(t) and seen_nonnegative(exponent):
            continue
        here = base.subs(t, end)
        if here.has(sympy.oo, sympy.zoo, sympy.nan) or is_zero(here) or _agree(here, sympy.Integer(0)):
            return False
    return True


class _Function:
    """f(x, t): what is known of it at the ends, and its enclosures on boxes."""

    def __init__(self, e: Expr, x: Symbol, others: Sequence[Symbol]) -> None:
        self.e, self.x, self.others = e, x, tuple(others)
        self._slopes: dict[Symbol, Expr] = {}
        self._edges: dict[tuple[Symbol, int], _Function | None] = {}
        self._derivatives: list[_Function] = []
        self._order: int | None = None
        self.checks = 0

    def slope(self, t: Symbol) -> Expr:
        if t not in self._slopes:
            self._slopes[t] = self.e.diff(t)
        return self._slopes[t]

    def derivative(self) -> _Function:
        if not self._derivatives:
            self._derivatives.append(_Function(self.e.diff(self.x), self.x, self.others))
        return self._derivatives[0]

    def order(self) -> int:
        """How many Taylor coefficients at x = 0 vanish for all t; 0 where it is not analytic there.

        Raises
        ------
        TooWide
            One of them seems to vanish and is not seen to.
        """
        if self._order is None:
            self._order = self._find_order()
        if self._order < 0:
            raise TooWide
        return self._order

    def _find_order(self) -> int:
        middle = {t: arb(fmpq(37 + i, 100)) for i, t in enumerate(self.others)}
        try:
            at_zero = _coefficients(self.e, self.x, arb(0), middle, VANISHING + 1)
        except TooWide:
            return 0
        order = next((k for k, c in enumerate(at_zero) if not c.contains(0)), None)
        if order is None:
            return -1
        d = self.e
        for _ in range(order):
            if not _vanishes(d.subs(self.x, 0)):
                return -1
            d = d.diff(self.x)
            self.checks += 1
        return order

    def edge(self, t: Symbol, end: int) -> _Function | None:
        """The derivative in t whose sign is that of f near t = 0 (1), as those before vanish at that end for all x."""
        if (t, end) not in self._edges:
            d, sign = self.e, 1
            order = 0
            while order < DERIVATIVES:
                value = d.subs(t, end)
                if value.has(sympy.zoo, sympy.nan, sympy.oo) or not (_continuous(d, t, end) and _vanishes(value)):
                    break
                d, sign = d.diff(t), sign * (-1 if end else 1)
                self.checks, order = self.checks + 1, order + 1
            self._edges[t, end] = _Function(sign * d, self.x, self.others) if order else None
        return self._edges[t, end]

    def at(self, x: Fraction, where: Mapping[Symbol, Box]) -> arb:
        """A ball of the value at the centre of a box of the other parameters."""
        return enclosure(self.e, {self.x: _ball(x, x), **_centres(where)})

    def over(self, x: Fraction, where: Mapping[Symbol, Box]) -> arb:
        """A ball of the values at x over a box of the other parameters."""
        total = self.at(x, where)
        boxes = _balls(where)
        for t in self.others:
            if self.e.has(t):
                total += enclosure(self.slope(t), {self.x: _ball(x, x), **boxes}) * (boxes[t] - boxes[t].mid())
        return total

    def bounded(self, box: Box, where: Mapping[Symbol, Box]) -> tuple[arb, Symbol]:
        """A ball of f / x^m over a box (m = 0 away from x = 0), and the parameter that makes it wide."""
        low, high = box
        assert high is not None
        order = self.order() if low == 0 else 0
        value = self._model(self.e, low, high, order, _centres(where))
        widest, parameter = value.rad(), self.x
        boxes = _balls(where)
        for t in self.others:
            if self.e.has(t):
                slope = self._model(self.slope(t), low, high, order, boxes) * (boxes[t] - boxes[t].mid())
                value += slope
                if slope.rad() > widest:
                    widest, parameter = slope.rad(), t
        return value, parameter

    def _model(self, e: Expr, low: Fraction, high: Fraction, order: int, others: Mapping[Symbol, arb]) -> arb:
        count = order + BEYOND
        centre = low if low == 0 else (low + high) / 2
        polynomial = _coefficients(e, self.x, _ball(centre, centre), others, count)
        last = _coefficients(e, self.x, _ball(low, high), others, count + 1)[count]
        return _horner([*polynomial[order:], last], _ball(low - centre, high - centre))

    def ranges(self, box: Box, where: Mapping[Symbol, Box]) -> bool:
        """Is f seen to be >= 0 over a box, perhaps an unbounded one, in intervals?"""
        at = {t: _Range(*_ends(b, Fraction(1))) for t, b in where.items()}
        at[self.x] = _Range(*_ends(box, None))
        for form in _forms(self.e, self.x):
            try:
                if _range(form, at).low >= 0:
                    return True
            except TooWide:
                continue
        return False

    def beyond(self, low: Fraction, where: Mapping[Symbol, Box]) -> bool:
        """Is f >= 0 for x >= X, as a derivative is and those before are so at X?"""
        f = self
        for _ in range(DERIVATIVES + 1):
            if f.ranges((low, None), where):
                return True
            if low == 0 or not f.over(low, where) >= 0:
                return False
            f = f.derivative()
        return False


def _ends(box: Box, last: Fraction | None) -> tuple[End, End]:
    """An open interval around a box, so that its ends are not reached: those inside the range are moved outwards."""
    low, high = box
    low = low * (1 - SMALLEST)
    if high is not None and high != last:
        high = high * (1 + SMALLEST)
    return _rounded(_ball(low, low), -1), math.inf if high is None else _rounded(_ball(high, high), 1)


def _centres(where: Mapping[Symbol, Box]) -> dict[Symbol, arb]:
    return {t: _balls({t: b})[t].mid() for t, b in where.items()}


def _balls(where: Mapping[Symbol, Box]) -> dict[Symbol, arb]:
    return {t: _ball(low, high) for t, (low, high) in where.items() if high is not None}


# Tactics


@dataclass(frozen=True)
class Series(Tactic):
    """Nonnegative for all x > 0 and all values of the other parameters, by Taylor models and intervals on boxes.

    `factor` is an expression g >= 0 for which e / g is looked at. The other parameters, and x if `bounded`, are
    v / (1 - v) with 0 < v < 1; unless told, x is where that leaves no pole or logarithm at v = 1, as with the odds of a
    number in [0, 1]. `beyond` is (X, tactic): x = X + s is left to that tactic, s being `scalars.PAST`. At most `boxes`
    boxes and `seconds` seconds are spent.
    """

    x: Symbol
    factor: Any = None
    bounded: bool | None = None
    beyond: tuple[Any, Tactic | None] | None = None
    boxes: int = 4000
    seconds: float = 20.0

    def check(self, e: Expr) -> int:
        e = opaque(sympy.sympify(e))
        if self.factor is not None:
            return self._divided(e)
        if not e.free_symbols:
            with ctx.workprec(BITS):
                if not constant(e) >= 0:
                    raise ProofError(f"{e} is not seen to be nonnegative")
            return 1
        if self.x not in e.free_symbols:
            raise ProofError(f"{self.x} is not in {e}")
        if e.atoms(*CORNERS) or e.has(sympy.oo, sympy.zoo, sympy.nan, sympy.I):
            raise ProofError(f"{e} is not seen to be smooth")
        for s in sorted(e.free_symbols, key=str):
            if s.is_real and s.is_nonnegative is None:
                return self._both_signs(e, s)
            if not s.is_nonnegative:
                raise ProofError(f"{s} is not seen to be nonnegative")
        checks, stop = 0, None
        if self.beyond is not None:
            at, tactic = self.beyond
            stop = _rational(at)
            if PAST in e.free_symbols - {self.x}:
                raise ProofError(f"{PAST} has another meaning")
            checks += nonnegative(e.subs(self.x, sympy.Rational(stop.numerator, stop.denominator) + PAST), tactic)
        for s in sorted(e.free_symbols, key=str):
            if not s.is_positive:  # intervals have no ends: the end that belongs to the range is apart
                checks += self._at_zero(e, s)
        cap = ctx.cap
        ctx.cap = 4 * (VANISHING + BEYOND)
        try:
            with ctx.workprec(BITS):
                return checks + _Search(e, self, stop).run()
        except TooWide as error:
            raise ProofError(f"{e} has no enclosure") from error
        finally:
            ctx.cap = cap

    def _both_signs(self, e: Expr, s: Symbol) -> int:
        if self.beyond is not None and s is self.x:
            raise ProofError(f"{s} has two ends")
        part = sympy.Dummy(s.name, nonnegative=True)
        rest = replace(self, x=part) if s is self.x else self
        return rest.check(e.subs(s, part)) + rest.check(e.subs(s, -part))

    def _at_zero(self, e: Expr, s: Symbol) -> int:
        here = e.subs(s, 0)
        if here.has(sympy.oo, sympy.zoo, sympy.nan):
            raise ProofError(f"{e} has no value at {s} = 0")
        if is_zero(here):
            return 1
        if self.x in here.free_symbols:
            return self.check(here)
        if here.free_symbols:
            return nonnegative(here)
        return self.check(here)

    def _divided(self, e: Expr) -> int:
        factor = sympy.sympify(self.factor)
        nonnegative(factor)
        quotient = algebra.simplify(e / factor)
        if factor == 0 or not is_zero(e - factor * quotient):
            raise ProofError(f"{e} is not seen to be {factor} times an expression")
        return 2 + nonnegative(quotient, replace(self, factor=None))


def _rational(at: Any) -> Fraction:
    value = sympy.sympify(at)
    if not (value.is_Rational and value.is_positive):
        raise ProofError(f"{at} is no positive rational number")
    return Fraction(int(value.p), int(value.q))


class _Search:
    """Branch and bound over boxes of x in [0, oo), or [0, 1], and of the other parameters in [0, 1]."""

    def __init__(self, e: Expr, hints: Series, stop: Fraction | None) -> None:
        self.hints, self.stop, self.shown = hints, stop, e
        others: list[Symbol] = []
        names: dict[Symbol, Symbol] = {}
        for s in sorted(e.free_symbols, key=str):
            names[s] = sympy.Dummy(s.name, positive=True)
        e = e.xreplace(names)
        x = names[hints.x]
        for s in names.values():
            if s is not x:
                e = _compact(e, s)
                others.append(s)
        inside = e if hints.bounded is False else _compact(e, x)
        self.bounded = inside is not e and bool(hints.bounded or _continuous(inside, x, 1))
        if self.bounded:
            e = inside
        self.f = _Function(e, x, others)
        self.mirrored = _Function(e.subs(x, 1 - x), x, others) if self.bounded else None

    def run(self) -> int:
        """Raise unless every box is done. Returns the number of boxes and of what was asked of sympy."""
        start = time.monotonic()
        whole: Box = (Fraction(0), Fraction(1))
        ends = [Fraction(0), Fraction(1, 2), Fraction(1)] if self.bounded else [Fraction(0), Fraction(1)]
        if self.stop is not None and not self.bounded:
            ends = [Fraction(0), self.stop]
        xs: list[Box] = list(pairwise(ends))
        if self.stop is None and not self.bounded:
            xs.append((ends[-1], None))
        todo = [(box, dict.fromkeys(self.f.others, whole)) for box in xs]
        count = 0
        while todo:
            box, where = todo.pop()
            count += 1
            text = f"x in [{box[0]}, {box[1]}]"
            if count > self.hints.boxes:
                raise ProofError(f"{self.shown}: {count - 1} boxes do not suffice, the last with {text}")
            if time.monotonic() - start > self.hints.seconds:
                raise ProofError(f"{self.shown}: {self.hints.seconds:g} s do not suffice, the last box with {text}")
            done, widest = self._holds(box, where)
            if done:
                continue
            self._negative_at(box, where)
            todo.extend(self._cut(box, where, widest))
        return count + self.f.checks

    def _holds(self, box: Box, where: Mapping[Symbol, Box]) -> tuple[bool, Symbol | None]:
        f, box = self._turned(box)
        for t, (low, high) in where.items():
            for end in (0, 1):
                if (low if end == 0 else high) == end:
                    f = f.edge(t, end) or f
        if box[1] is None:
            return self._beyond(f, box[0], where), None
        widest: Symbol | None = None
        try:
            value, widest = f.bounded(box, where)
            if value >= 0:
                return True, None
            if value < 0 and f is self.f:
                raise ProofError(f"{self.shown} is negative near x = {box[0]}")
        except TooWide:
            pass
        try:
            return f.ranges(box, where), widest
        except TooWide:
            return False, widest

    def _beyond(self, f: _Function, low: Fraction, where: Mapping[Symbol, Box]) -> bool:
        try:
            return f.beyond(low, where)
        except TooWide:
            return False

    def _turned(self, box: Box) -> tuple[_Function, Box]:
        """Near x = 1, where that is an end, x is 1 - x."""
        if self.mirrored is None or box[1] != 1:
            return self.f, box
        return self.mirrored, (Fraction(0), 1 - box[0])

    def _negative_at(self, box: Box, where: Mapping[Symbol, Box]) -> None:
        x = box[0] * 2 + 1 if box[1] is None else (box[0] + box[1]) / 2
        try:
            value = self.f.at(x, where)
        except TooWide:
            return
        if value < 0:
            raise ProofError(f"{self.shown} is negative near x = {float(x):.6g}")

    def _cut(
        self, box: Box, where: dict[Symbol, Box], widest: Symbol | None
    ) -> Iterator[tuple[Box, dict[Symbol, Box]]]:
        lengths = {t: high - low for t, (low, high) in where.items() if high is not None}
        if widest is None:
            relative = _width(box)
            widest = max([self.f.x, *lengths], key=lambda s: relative if s is self.f.x else lengths[s])
        if widest is self.f.x or widest not in where:
            low, high = box
            if high is None:
                if low > LARGEST:
                    raise ProofError(f"{self.shown} has no sign for large x")
                middle = max(2 * low, Fraction(1))
            else:
                if high - low < SMALLEST * max(low, Fraction(1)):
                    raise ProofError(f"{self.shown} has no sign near x = {float(low):.6g}")
                middle = (low + high) / 2
            yield (low, middle), where
            yield (middle, high), where
            return
        low, high = where[widest]
        assert high is not None
        if high - low < SMALLEST:
            raise ProofError(f"{self.shown} has no sign where a parameter is near {float(low):.6g}")
        for part in ((low, (low + high) / 2), ((low + high) / 2, high)):
            yield box, {**where, widest: part}


def _width(box: Box) -> Fraction:
    low, high = box
    if high is None:
        return Fraction(1, max(1, int(low).bit_length()))
    return (high - low) / max(low, Fraction(1))


def _compact(e: Expr, s: Symbol) -> Expr:
    """An expression in v for s = v / (1 - v); its rational parts are cancelled."""
    replaced = e.subs(s, s / (1 - s))
    shorter = replaced.replace(
        lambda v: isinstance(v, Add | Mul | Pow) and v.has(s) and v.is_rational_function(s), lambda v: algebra.cancel(v)
    )
    return shorter if _agree(shorter, replaced) else replaced


@dataclass(frozen=True)
class Composed(Tactic):
    """f(u) at u = `of`: proved for all u in its range, in which `of` is seen to lie."""

    u: Symbol
    of: Any
    form: Any
    tactic: Tactic | None = None

    def check(self, e: Expr) -> int:
        of, form = sympy.sympify(self.of), sympy.sympify(self.form)
        known = next((k for k in ("positive", "nonnegative", "real") if getattr(self.u, f"is_{k}")), "commutative")
        if self.u.assumptions0 != Symbol("u", **{known: True}).assumptions0:
            raise ProofError(f"{self.u} is not any number that is {known}")
        if self.u.is_nonnegative:
            if not seen_nonnegative(of, strict=bool(self.u.is_positive)):
                raise ProofError(f"{of} is not seen to lie where {self.u} ranges")
        elif not of.is_real:
            raise ProofError(f"{of} is not seen to be real")
        if not is_zero(e - form.subs(self.u, of)):
            raise ProofError(f"{e} is not seen to be {form} at {self.u} = {of}")
        return 2 + nonnegative(form, self.tactic)


__all__ = ["Composed", "Series"]
