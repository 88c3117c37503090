"""Tests of whether an expression in real symbols is zero or nonnegative, under the assumptions on the symbols.

Symbols are positive, nonnegative, real or integer. In this module alone, sympy is part of the trusted base: what it
says is also evaluated at random points with many digits, which would reveal a false answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import sympy
from flint import arb, ctx, fmpq
from sympy import Abs, Add, Expr, Max, Min, Mul, Piecewise, Pow, Symbol

from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.enclosures import TooWide, enclosure
from verification.provers.quotients import cancels, fraction_is_zero

POINTS, DIGITS = 6, 40
BITS = 400  # precision of balls, enough for most cancellations
NARROW = arb("1e-40")
SMALL, TINY = arb("1e-25"), arb("1e-12")


def point(symbols: Sequence[Symbol], seed: int) -> dict[Symbol, Any]:
    """Return a random point in the ranges of the symbols.

    Integers are from 1 to 9. Other numbers have sizes from 1/16 to 16, roughly uniform on a logarithmic scale.
    """
    return dict(_point(tuple(sorted(symbols, key=_place)), seed))


@cache
def _place(s: Symbol) -> tuple[str, str]:
    """Return a sort key for a symbol that is the same in every run."""
    return s.name, str(s.assumptions0)


@cache
def _point(symbols: tuple[Symbol, ...], seed: int) -> dict[Symbol, Any]:
    rng = random.Random(seed)
    out: dict[Symbol, Any] = {}
    for s in symbols:
        if s.is_integer:
            value = sympy.Integer(rng.randint(1, 9))
        else:
            value = sympy.Rational(rng.randint(64, 128), 64) * sympy.Integer(2) ** rng.randint(-4, 3)
        out[s] = -value if s.is_extended_nonnegative is None and rng.random() < 0.5 else value
    return out


def value(expression: Expr, at: Mapping[Symbol, Any]) -> arb | None:
    """Return a ball of an expression at a point, or None if its value is not a finite real number."""
    with ctx.workprec(BITS):
        try:
            ball = enclosure(expression, {s: _ball(v) for s, v in at.items()})
            if ball.rad() < NARROW * max(abs(ball.mid()), 1):
                return ball
        except (TooWide, ProofError):
            pass
        return _value_by_sympy(expression, at)


@cache
def _ball(v: Any) -> arb:
    """Return a ball of one of the dyadic numbers of `point`."""
    return arb(fmpq(int(v.p), int(v.q)))


def _value_by_sympy(expression: Expr, at: Mapping[Symbol, Any]) -> arb | None:
    """Return the value by sympy, which knows more functions than balls do and allows complex intermediate values.

    It uses as many digits as cancellation requires.
    """
    numbers = dict(at)
    if any(power.exp.free_symbols for power in expression.atoms(Pow)):  # exact powers of rationals may be huge
        numbers = {s: v if s.is_integer else sympy.Float(v, 2 * DIGITS) for s, v in at.items()}
    try:
        number = sympy.N(expression.xreplace(numbers), DIGITS)
    except ValueError:  # the maximum of numbers that are not real
        return None
    return arb(str(number)) if number.is_number and number.is_real and number.is_finite else None


def opaque(expression: Expr) -> Expr:
    """Return the expression with symbols of the same sign in place of sums over letters and other opaque quantities.

    The result is not cached, because the sign of a sum depends on the current case and sympy stores it with the object.
    Whether there is anything opaque is the same in every case.
    """
    if not _has_opaque(expression):
        return expression
    found = expression.atoms(Opaque)
    outermost = [a for a in found if not any(a is not other and other.has(a) for other in found)]
    if len(outermost) > 1:  # sympy sorts symbols in the order of their creation
        outermost.sort(key=algebra.written)
    return replaced(expression, tuple((a, a.as_symbol()) for a in outermost))


@cache
def _has_opaque(expression: Expr) -> bool:
    return expression.has(Opaque)


@cache
def replaced(expression: Expr, named: tuple[tuple[Expr, Expr], ...]) -> Expr:
    """Return `expression.xreplace(dict(named))` from a cache."""
    return expression.xreplace(dict(named))


class Opaque(Expr):
    """A quantity of which only the sign is known in this module."""

    is_commutative = True

    def as_symbol(self) -> Symbol:
        """Return a symbol of the same sign, which is the same symbol for equal quantities."""
        return _symbol(self, bool(self.is_positive), bool(self.is_nonnegative))

    def _eval_is_real(self) -> bool:
        return True

    def _eval_is_finite(self) -> bool:
        return True

    def _eval_derivative(self, s: Symbol) -> Expr:
        if s in self.free_symbols:
            raise ProofError(f"{self} is differentiated in {s}")
        return sympy.Integer(0)


def infinite(e: Expr) -> bool:
    """Return whether an expression contains an infinity or an undefined value."""
    return bool(e.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan))


@cache
def _symbol(quantity: Opaque, positive: bool, nonnegative: bool) -> Symbol:
    known = {"positive": True} if positive else {"nonnegative": True} if nonnegative else {}
    return sympy.Dummy("T", **(known or {"real": True}))


def _finite(expression: Expr) -> None:
    if infinite(expression):
        raise ProofError(f"{expression} is not finite")


def is_zero(expression: Any) -> bool:
    """Return whether an expression is shown to be 0 for all values of its symbols, by sympy and at random points."""
    e = opaque(sympy.sympify(expression))
    if e == 0:
        return True
    if infinite(e):
        return False
    if not vanishes(e):
        return False
    if _is_zero(_without_corners(e)):
        return True
    larger = e.replace(lambda x: isinstance(x, Abs), lambda x: algebra.maximum(x.args[0], -x.args[0]))
    return larger != e and _is_zero(_without_corners(larger))


@cache
def _without_corners(e: Expr) -> Expr:
    """Return the expression with symbols in place of maxima, minima, moduli and cases.

    Those whose arguments are equal after expansion get the same symbol.
    """
    corner = innermost(e)
    while corner is not None:
        name = REMEMBERED.get(corner.func, corner.func)(*(_expanded(a) for a in corner.args))
        e = e.xreplace({corner: _named(name) if isinstance(name, CORNERS) else name})
        corner = innermost(e)
    return e


def _expanded(x: Any) -> Any:
    if isinstance(x, sympy.core.relational.Relational):
        return x.func(algebra.expand(x.lhs - x.rhs), 0)
    return algebra.expand(x) if isinstance(x, Expr) else x.func(*(_expanded(a) for a in x.args)) if x.args else x


@cache
def _named(corner: Expr) -> Symbol:
    return sympy.Dummy("c", **({"nonnegative": True} if corner.is_nonnegative else {"real": True}))


CORNERS = (Max, Min, Abs, Piecewise)
REMEMBERED: dict[Any, Callable[..., Expr]] = {Max: algebra.maximum, Min: algebra.minimum}


def sorted_corners(e: Expr) -> list[Expr]:
    """Return the maxima, minima, moduli and cases of an expression, short ones first."""
    return sorted(e.atoms(*CORNERS), key=lambda c: (sympy.count_ops(c), algebra.written(c)))


def innermost(e: Expr) -> Expr | None:
    """Return a case with conditions free of maxima and the like, or else a maximum or the like that contains none."""
    corners = sorted_corners(e)
    for corner in corners:
        if isinstance(corner, Piecewise) and not any(c.has(*CORNERS) for _, c in corner.args):
            return corner
    for corner in corners:
        if not any(other is not corner and corner.has(other) for other in corners):
            return corner
    return None


@cache
def _is_zero(e: Expr) -> bool:
    known = fraction_is_zero(e)
    return known if known is not None else _cancels(e) or any(form == 0 for form in _forms(e))


def _cancels(e: Expr) -> bool:
    """Return whether the terms cancel, as rational functions times powers whose exponents have no integer part."""
    groups: dict[Any, list[Expr]] = {}
    for term in Add.make_args(sympy.expand_mul(logarithms(e))):
        rational, powers = _split(term)
        key = tuple(sorted(((b, x) for b, x in powers.items() if x != 0), key=str))
        groups.setdefault(key, []).append(rational)
    return all(cancels(Add(*parts)) for parts in groups.values())


def _split(term: Expr) -> tuple[Expr, dict[Expr, Expr]]:
    """Return a term as a rational function and powers {base: exponent}.

    The integer parts of the exponents belong to the rational function.
    """
    powers: dict[Expr, Expr] = {}
    rational: Expr = sympy.Integer(1)
    waiting = [(f, sympy.Integer(1)) for f in Mul.make_args(term)]
    while waiting:
        factor, exponent = waiting.pop()
        if isinstance(factor, sympy.exp):
            for addend in Add.make_args(algebra.expand(factor.args[0])):
                c, logs = addend.as_independent(sympy.log, as_Add=False)
                if isinstance(logs, sympy.log) and logs.args[0].is_positive:
                    waiting.append((logs.args[0], c * exponent))
                else:
                    powers[sympy.E] = powers.get(sympy.E, sympy.Integer(0)) + addend * exponent
        elif isinstance(factor, Pow) and (factor.base.is_positive or (factor.exp.is_integer and exponent == 1)):
            if factor.base.is_positive:
                waiting.append((factor.base, factor.exp * exponent))
            else:
                rational *= factor
        elif isinstance(factor, Mul) and all(f.is_positive for f in factor.args):
            waiting += [(f, exponent) for f in factor.args]
        elif factor.is_Rational and factor.is_positive and not exponent.is_integer:
            for prime, n in sympy.factorint(factor.p).items():
                powers[sympy.Integer(prime)] = powers.get(sympy.Integer(prime), sympy.Integer(0)) + n * exponent
            for prime, n in sympy.factorint(factor.q).items():
                powers[sympy.Integer(prime)] = powers.get(sympy.Integer(prime), sympy.Integer(0)) - n * exponent
        elif isinstance(factor, Add) and not factor.is_rational_function() and isinstance(_factored(factor), Mul):
            waiting.append((_factored(factor), exponent))
        elif exponent.is_integer and exponent.is_number:
            rational *= factor**exponent
        elif isinstance(factor, Add) and isinstance(_factored(factor), Mul):
            waiting.append((_factored(factor), exponent))
        else:
            base = _factored(factor) if isinstance(factor, Add) else factor
            powers[base] = powers.get(base, sympy.Integer(0)) + exponent
    for base, exponent in list(powers.items()):
        whole, powers[base] = _whole(exponent)
        if base is sympy.E:
            whole, powers[base] = sympy.Integer(0), powers[base] + whole
        rational *= base**whole
    return rational, powers


def _whole(exponent: Expr) -> tuple[Expr, Expr]:
    """Return an exponent as an integer and a remainder, which do not depend on how a rational function is written."""
    if exponent.is_rational_function():
        exponent = algebra.cancel(algebra.together(exponent))
        middle = {s: sympy.Rational(1, 3 + i) for i, s in enumerate(sorted(exponent.free_symbols, key=str))}
        value = exponent.xreplace(middle)
        if value.is_Rational:
            return sympy.floor(value), algebra.cancel(exponent - sympy.floor(value))
    constant, rest = algebra.expand(exponent).as_coeff_Add()
    whole = sympy.floor(constant) if constant.is_Rational else sympy.Integer(0)
    return whole, rest + constant - whole


@cache
def _factored(e: Expr) -> Expr:
    """Return a sum as a product of positive factors if it is one, and expanded otherwise."""
    factored = algebra.factor(algebra.together(e))
    good = isinstance(factored, Mul) and all(f.is_positive for f in factored.args)
    return factored if good else algebra.expand(e)


@cache
def vanishes(e: Expr) -> bool:
    """Return whether an expression is 0 at all random points where it is real, of which there is at least one."""
    seen = False
    for seed in range(POINTS):
        at = point(list(e.free_symbols), seed)
        terms = [v for t in Add.make_args(e) if (v := value(t, at)) is not None]
        if len(terms) < len(Add.make_args(e)):
            continue
        if abs(sum(terms, arb(0))) > SMALL * max(*map(abs, terms), TINY):
            return False
        seen = True
    return seen


MANY = 250  # operations beyond which sympy's simplify is not tried


def _forms(e: Expr) -> Iterator[Expr]:
    """Yield the expression written in several ways, cheap ones first."""
    yield from _quick_forms(e)
    if sympy.count_ops(e) <= MANY:
        yield from _slow_forms(e)


def _quick_forms(e: Expr) -> Iterator[Expr]:
    yield e
    yield algebra.expand(e)
    yield algebra.factor(e)
    if e.is_rational_function():
        return
    logs = algebra.expand(logarithms(e))
    yield logs
    yield algebra.factor(logs)
    yield algebra.expand(sympy.powsimp(sympy.expand_power_base(sympy.expand_power_exp(e)), force=False))


def _slow_forms(e: Expr) -> Iterator[Expr]:
    simple = algebra.simplify(e)
    yield simple
    logs = algebra.expand(logarithms(e))
    if logs != e:
        yield algebra.simplify(logs)
    yield algebra.expand(sympy.expand_log(simple))
    if e.has(sympy.sinh, sympy.cosh, sympy.tanh):
        yield algebra.simplify(e.rewrite(sympy.exp))


def logarithms(e: Expr) -> Expr:
    """Return the expression with sums of logarithms in place of logarithms of products of positive numbers.

    This includes logarithms of sums that sympy factors into positive numbers.
    """

    def split(arg: Expr) -> Expr:
        if isinstance(arg, Mul) and all(a.is_positive for a in arg.args):
            return Add(*(split(a) for a in arg.args))
        if isinstance(arg, sympy.exp):
            return arg.args[0]
        if isinstance(arg, Pow) and arg.base.is_positive:
            return arg.exp * split(arg.base)
        if isinstance(arg, Add):
            factored = algebra.factor(arg)
            if isinstance(factored, Mul) and all(a.is_positive for a in factored.args):
                return split(factored)
        return sympy.log(arg)

    return e.replace(lambda x: isinstance(x, sympy.log), lambda x: split(x.args[0]))


def seen_nonnegative(expression: Expr, strict: bool = False) -> bool:
    """Return whether sympy shows from some form of the expression that it is nonnegative (positive if `strict`)."""
    return _nonnegative_symbols(opaque(sympy.sympify(expression)), strict)


def seen_quickly(e: Expr) -> bool:
    """Return whether sympy shows that an expression is nonnegative from its cheap forms alone."""
    return _nonnegative_symbols(opaque(e), strict=False, slowly=False)


@cache
def _nonnegative_symbols(e: Expr, strict: bool, slowly: bool = True) -> bool:
    if e.has(sympy.zoo, sympy.nan):
        return False
    if _sign(e, strict):
        return True
    if negative_somewhere(e):
        return False
    e = _without_corners(e)
    if _seen(e, strict):
        return True
    if vanishes(e):  # its sign then follows only from a proof that it is 0
        return slowly and not strict and _is_zero(e)
    return slowly and _seen_slowly(e, strict)


@cache
def _seen(e: Expr, strict: bool) -> bool:
    return any(_sign(form, strict) for form in _quick_forms(e)) or _by_squares(e, strict) or _above_one(e, strict)


@cache
def _seen_slowly(e: Expr, strict: bool) -> bool:
    if e.is_rational_function():  # no form says more than its factors
        return False
    return sympy.count_ops(e) <= MANY and any(_sign(form, strict) for form in _slow_forms(e))


def _above_one(e: Expr, strict: bool) -> bool:
    """Return whether the sign follows from writing c^x as 1 + a positive number, for c > 1 and x > 0."""
    e = algebra.expand(e)
    powers = [p for p in e.atoms(Pow, sympy.exp) if p.free_symbols and _exceeds_one(p)]
    named: dict[Any, Expr] = {}
    known = {}
    for p in powers:  # c^(n x) is (c^x)^n
        base, exponent = p.as_base_exp()
        n, x = exponent.as_coeff_Mul()
        n, x = (n, x) if n.is_Integer and n.is_positive else (sympy.Integer(1), exponent)
        known[p] = named.setdefault((base, x), 1 + sympy.Dummy("p", positive=True)) ** n
    return bool(powers) and _sign(algebra.expand(e.xreplace(known)), strict)


def _exceeds_one(power: Expr) -> bool:
    base, exponent = power.as_base_exp()
    return bool(base.is_number and (base - 1).is_positive and exponent.is_positive)


def _by_squares(e: Expr, strict: bool) -> bool:
    """Return whether A + B sqrt(x), over a positive denominator, is nonnegative by a comparison of A^2 and B^2 x.

    If `strict`, it must be positive.
    """
    roots = [p for p in e.atoms(Pow) if p.exp == sympy.Rational(1, 2) and p.free_symbols]
    if len(roots) != 1:
        return False
    top, bottom = sympy.fraction(algebra.together(e))
    if not bottom.is_positive:
        return False
    (root,), r = roots, sympy.Dummy("r", positive=True)
    top = algebra.expand(top.xreplace({root: r}))
    degree = sympy.degree(top, r) if top.is_polynomial(r) else 0
    if not 0 < degree <= 4 or top.xreplace({r: sympy.Integer(0)}).has(root):
        return False
    a = Add(*(top.coeff(r, 2 * i) * root.base**i for i in range(3)))
    b = Add(*(top.coeff(r, 2 * i + 1) * root.base**i for i in range(2)))
    gap = algebra.expand(b * b * root.base - a * a)
    if _sign(b, False):
        return _sign(gap, strict)  # B sqrt(x) >= |A|
    return _sign(a, False) and _sign(-gap, strict)  # A >= |B| sqrt(x)


def _sign(e: Expr, strict: bool) -> bool:
    return bool(e.is_positive if strict else e.is_nonnegative)


@cache
def negative_somewhere(e: Expr) -> bool:
    """Return whether an expression is negative at one of some random points."""
    for seed in range(3 * POINTS):  # more points, since a negative value saves all simplification
        here = value(e, point(list(e.free_symbols), seed))
        if here is not None and here < -SMALL:
            return True
    return False
