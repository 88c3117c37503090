"""Ranges of closed forms, by intervals whose ends may be infinite."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy
from flint import arb, fmpq
from sympy import Add, Expr, Mul, Pow, Symbol

from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.enclosures import TooWide, constant, enclosure
from verification.provers.scalars import POINTS, is_zero

BITS = 128


# Enclosures by intervals with infinite ends

End = Any  # an exact ball, or a float that is infinite


@dataclass(frozen=True)
class _Range:
    """An interval [low, high], its ends exact balls or infinities, that are not reached."""

    low: End
    high: End

    def __add__(self, other: _Range) -> _Range:
        return _Range(_plus(self.low, other.low, -1), _plus(self.high, other.high, 1))

    def __mul__(self, other: _Range) -> _Range:
        ends = [(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return _Range(
            _extreme([_product(a, b, -1) for a, b in ends], -1), _extreme([_product(a, b, 1) for a, b in ends], 1)
        )

    def inverse(self) -> _Range:
        if _negative(self.high) or (self.high == 0 and _negative(self.low)):
            return _Range(_over(self.high, -1, -math.inf), _over(self.low, 1, math.inf))
        if _negative(self.low) or self.high == 0:
            raise TooWide
        return _Range(_over(self.high, -1, math.inf), _over(self.low, 1, math.inf))

    def rising(self, f: Callable[[arb], arb], below: Any, above: Any) -> _Range:
        """f of the interval, f nondecreasing with these limits at the infinities."""
        low = below if self.low == -math.inf else above if self.low == math.inf else _rounded(f(self.low), -1)
        high = above if self.high == math.inf else below if self.high == -math.inf else _rounded(f(self.high), 1)
        return _Range(low, high)


def _infinite(a: End) -> bool:
    return isinstance(a, float)


def _rounded(v: Any, side: int) -> End:
    """An end that is surely beyond a ball."""
    if _infinite(v):
        return v
    if not v.is_finite():
        raise TooWide
    return v.upper() if side > 0 else v.lower()


def _negative(a: End) -> bool:
    return a < 0


def _plus(a: End, b: End, side: int) -> End:
    if _infinite(a) or _infinite(b):
        infinite = [v for v in (a, b) if _infinite(v)]
        return infinite[0] if len(set(infinite)) == 1 else side * math.inf
    return _rounded(a + b, side)


def _product(a: End, b: End, side: int) -> End:
    if not (_infinite(a) or _infinite(b)):
        return _rounded(a * b, side)
    if a == 0 or b == 0:
        return arb(0)
    return math.inf if _negative(a) == _negative(b) else -math.inf


def _extreme(ends: Sequence[End], side: int) -> End:
    out = ends[0]
    for end in ends[1:]:
        if (end > out) if side > 0 else (end < out):
            out = end
    return out


def _over(a: End, side: int, at_zero: float) -> End:
    return arb(0) if _infinite(a) else at_zero if a == 0 else _rounded(1 / a, side)


ZERO = arb(0)


def _range(e: Expr, at: Mapping[Symbol, _Range]) -> _Range:
    """The values of an expression where its symbols lie inside intervals, ends that are 0 or infinite excluded."""
    done: dict[Expr, _Range] = {}

    def visit(node: Expr) -> _Range:
        if node not in done:
            done[node] = _range_node(node, at, visit)
        return done[node]

    return visit(e)


def _range_node(e: Expr, at: Mapping[Symbol, _Range], visit: Callable[[Expr], _Range]) -> _Range:
    if not e.free_symbols:
        value = constant(e)
        return _Range(_rounded(value, -1), _rounded(value, 1))
    if isinstance(e, Symbol):
        return at[e]
    if isinstance(e, Add):
        return _range_sum(e, at, visit)
    if isinstance(e, Mul):
        return _range_product(e, at, visit)
    if isinstance(e, sympy.exp):
        return visit(e.args[0]).rising(lambda v: v.exp(), ZERO, math.inf)
    if isinstance(e, sympy.log):
        return _log(visit(e.args[0]))
    if isinstance(e, sympy.sinh):
        return visit(e.args[0]).rising(lambda v: v.sinh(), -math.inf, math.inf)
    if isinstance(e, sympy.tanh):
        return visit(e.args[0]).rising(lambda v: v.tanh(), arb(-1), arb(1))
    if isinstance(e, sympy.cosh | sympy.sech):
        inner = visit(e.args[0])
        if _negative(inner.low):
            raise TooWide
        cosh = inner.rising(lambda v: v.cosh(), math.inf, math.inf)
        return cosh if isinstance(e, sympy.cosh) else cosh.inverse()
    if isinstance(e, sympy.coth):
        return visit(sympy.tanh(e.args[0])).inverse()
    if isinstance(e, Pow):
        return _range_power(e, visit)
    raise ProofError(f"{type(e).__name__} has no enclosure by intervals")


def _log(inner: _Range) -> _Range:
    if _negative(inner.low) or inner.high == 0:
        raise TooWide
    low = -math.inf if inner.low == 0 else math.inf if _infinite(inner.low) else _rounded(inner.low.log(), -1)
    return _Range(low, math.inf if _infinite(inner.high) else _rounded(inner.high.log(), 1))


def _refuse() -> _Range:
    raise TooWide


def _range_power(e: Pow, visit: Callable[[Expr], _Range]) -> _Range:
    base, exponent = visit(e.base), e.exp
    if exponent.is_Integer:
        n = abs(int(exponent))
        out = base
        if n % 2 == 0 and _negative(base.low):
            above = _product(base.low, arb(-1), 1)
            below = _product(base.high, arb(-1), -1)
            if _negative(below):  # 0 is reached: it is made an inner point, so that no logarithm or inverse is taken
                square = _extreme([above, base.high], 1)
                base, low = _Range(ZERO, square), arb(-1) / 2**BITS
                return _Range(low, base.rising(lambda v: v**n, ZERO, math.inf).high) if exponent > 0 else _refuse()
            base = _Range(below, above)
        out = base.rising(lambda v: v**n, -math.inf, math.inf)
        return out if int(exponent) > 0 else out.inverse()
    logarithm = visit(exponent) * _log(base)
    return logarithm.rising(lambda v: v.exp(), ZERO, math.inf)


def _range_sum(e: Add, at: Mapping[Symbol, _Range], visit: Callable[[Expr], _Range]) -> _Range:
    """A sum; its part that is a polynomial in an unbounded symbol is nested, so that the highest power leads."""
    rest = list(e.args)
    total: _Range | None = None
    for x, where in at.items():
        if where.high != math.inf or not e.has(x):
            continue
        powers: dict[int, list[Expr]] = {}
        left = []
        for term in rest:
            c, power = term.as_independent(x, as_Add=False)
            base, n = (x, sympy.Integer(0)) if power == 1 else power.as_base_exp()
            if base == x and n.is_Integer and n >= 0:
                powers.setdefault(int(n), []).append(c)
            else:
                left.append(term)
        if len(powers) < 2:
            continue
        nested: _Range | None = None
        for n in range(max(powers), -1, -1):
            nested = None if nested is None else nested * where
            for c in powers.get(n, []):
                nested = visit(c) if nested is None else nested + visit(c)
        assert nested is not None
        total = nested if total is None else total + nested
        rest = left
    for term in rest:
        total = visit(term) if total is None else total + visit(term)
    assert total is not None
    return total


def _range_product(e: Mul, at: Mapping[Symbol, _Range], visit: Callable[[Expr], _Range]) -> _Range:
    factors = list(e.args)
    total: _Range | None = None
    for log in [a for a in factors if isinstance(a, sympy.log)]:
        small = _power_log(log, factors, visit)
        if small is not None:
            power, value = small
            factors = [a for a in factors if a is not log and a is not power]
            total = value if total is None else total * value
    falling = _falling(factors, at, visit)
    if falling is not None:
        used, value = falling
        factors = [a for a in factors if a not in used]
        total = value if total is None else total * value
    for factor in factors:
        total = visit(factor) if total is None else total * visit(factor)
    assert total is not None
    return total


def _power_log(log: Expr, factors: Sequence[Expr], visit: Callable[[Expr], _Range]) -> tuple[Expr, _Range] | None:
    """w^a log w for 0 < w <= 1 and a > 0: between -1/(e a) and 0, and nearer to 0 where w < exp(-1/a)."""
    w = log.args[0]
    inner = visit(w)
    if _negative(inner.low) or inner.high > 1 or inner.high == 0:
        return None
    for power in factors:
        base, exponent = power.as_base_exp()
        if base != w or power is log:
            continue
        a = visit(exponent).low
        if _infinite(a) or not a > 0:
            continue
        least = -1 / (arb.const_e() * a)
        if inner.high < (-1 / a).exp():
            least = (a * inner.high.log()).exp() * inner.high.log()
        return power, _Range(_rounded(least, -1), ZERO)
    return None


def _falling(
    factors: Sequence[Expr], at: Mapping[Symbol, _Range], visit: Callable[[Expr], _Range]
) -> tuple[list[Expr], _Range] | None:
    """A product of powers and exponentials of one unbounded symbol x >= X that falls: between 0 and its value at X."""
    for x, where in at.items():
        if where.high != math.inf or _infinite(where.low) or not where.low > 0:
            continue
        used = [f for f in factors if f.free_symbols == {x} and (isinstance(f, sympy.exp) or f.as_base_exp()[0] == x)]
        if len(used) < 2:
            continue
        slope = Add(*(f.args[0].diff(x) if isinstance(f, sympy.exp) else f.as_base_exp()[1] / x for f in used))
        if any(not isinstance(f, sympy.exp) and f.as_base_exp()[1].has(x) for f in used):
            continue
        try:
            if not visit(algebra.expand(slope)).high <= 0:
                continue
        except TooWide:
            continue
        value = enclosure(Mul(*used), {x: where.low})
        return used, _Range(ZERO, _rounded(value, 1))
    return None


def _agree(a: Expr, b: Expr) -> bool:
    """Do two expressions have the same values at some points of the unit cube, as far as balls tell?"""
    symbols = sorted((a.free_symbols | b.free_symbols), key=str)
    seen = 0
    for seed in range(POINTS):
        rng = random.Random(seed)
        at = {s: arb(fmpq(rng.randint(1, 255), 256)) for s in symbols}
        try:
            gap = enclosure(a, at) - enclosure(b, at)
        except TooWide:
            continue
        if gap.is_finite():
            if not gap.contains(0):
                return False
            seen += 1
    return seen > 0


def _vanishes(e: Expr) -> bool:
    return is_zero(e) and _agree(e, sympy.Integer(0))


# Forms of an expression in which an unbounded symbol cancels


def _leading(e: Expr, x: Symbol) -> Expr:
    """Logarithms of sums of exponentials, the leading one in front: log(e^u + b) = u + log(1 + b/e^u)."""
    e = e.rewrite(sympy.exp) if e.has(sympy.sinh, sympy.cosh, sympy.tanh, sympy.sech, sympy.coth) else e

    def front(log: Expr) -> Expr:
        lead, inner = _in_front(log.args[0], x)
        return lead + sympy.log(inner)

    fronted = e.replace(lambda v: isinstance(v, sympy.log) and v.has(x), front)
    return sympy.powsimp(algebra.expand(fronted, log=False, power_base=False))


def _in_front(e: Expr, x: Symbol) -> tuple[Expr, Expr]:
    """u and b for which a sum is exp(u) b: the exponential that leads for large x is in front."""
    terms = Add.make_args(sympy.powsimp(algebra.expand(e)))
    growth = [Add(*(f.args[0] for f in Mul.make_args(t) if isinstance(f, sympy.exp))) for t in terms]
    far = {s: sympy.Integer(2) for s in e.free_symbols} | {x: sympy.Integer(1000)}
    lead = max(growth, key=lambda g: sympy.N(g.subs(far)))
    if not lead.has(x):
        return sympy.Integer(0), e
    inner = [
        Mul(*(f for f in Mul.make_args(t) if not isinstance(f, sympy.exp))) * sympy.exp(algebra.expand(g - lead))
        for t, g in zip(terms, growth, strict=True)
    ]
    return algebra.expand(lead), Add(*inner)


def _forms(e: Expr, x: Symbol) -> Iterator[Expr]:
    """The expression, perhaps times a positive one, written in several ways."""
    yield e
    for i in range(3):
        form = _form(e, x, i)
        if form is not None:
            yield form


@cache
def _form(e: Expr, x: Symbol, index: int) -> Expr | None:
    scale = sympy.Integer(0)
    if index == 0:
        form = _leading(e, x)
    elif index == 1:
        scale, form = _in_front(_leading(e, x), x)
        if scale == 0:
            return None
    elif e.is_rational_function():
        form = algebra.factor(e)
    else:  # a power such as exp(x / 1024) would make it a polynomial of large degree
        return None
    bad = form.has(sympy.zoo, sympy.nan, sympy.oo, sympy.I)
    return None if form == e or bad or not _agree(form * sympy.exp(scale), e) else form
