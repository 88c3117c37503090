"""Tests of whether an expression in real symbols is zero or nonnegative, under the assumptions on the symbols.

Symbols are positive, nonnegative, real or integer. In this module alone, sympy is part of the trusted base: what it
says is also evaluated at random points with many digits, which would reveal a false answer. A `Tactic` is a hint at how
to prove a sign; each of its parts is checked.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    corner = _innermost(e)
    while corner is not None:
        name = REMEMBERED.get(corner.func, corner.func)(*(_expanded(a) for a in corner.args))
        e = e.xreplace({corner: _named(name) if isinstance(name, CORNERS) else name})
        corner = _innermost(e)
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


def nonnegative(expression: Any, tactic: Tactic | None = None) -> int:
    """Prove that an expression is >= 0 for all values of its symbols, and return the number of checks.

    Raises
    ------
    ProofError
        This is not shown, or the expression is negative at a random point.
    """
    e = sympy.sympify(expression)
    _finite(e)
    shown = opaque(e)
    if negative_somewhere(shown):
        raise ProofError("{} is negative somewhere", e)
    if tactic is None:
        if not (seen_nonnegative(e) or is_zero(e)):
            raise ProofError("{} is not seen to be nonnegative", e)
        return 1
    return tactic.check(e)


class Tactic(ABC):
    """A hint as to why an expression is nonnegative; each of its parts is checked."""

    @abstractmethod
    def check(self, e: Expr) -> int:
        """Raise ProofError unless e >= 0 is established, and return the number of checks."""


@dataclass(frozen=True)
class Convex(Tactic):
    """The expression is convex in x, and has slope 0 and a value >= 0 at the point `at` of the range of x.

    `second` is the tactic for the second derivative, and `least` the one for the value at the point.
    """

    x: Symbol
    at: Any
    second: Tactic | None = None
    least: Tactic | None = None

    def check(self, e: Expr) -> int:
        at = sympy.sympify(self.at)
        _real(self.x)
        smooth(e, self.x)
        if not (
            self.x.is_extended_real
            and (not self.x.is_nonnegative or seen_nonnegative(at, strict=bool(self.x.is_positive)))
        ):
            raise ProofError(f"{at} is not seen to be where {self.x} ranges")
        if not is_zero(e.diff(self.x).subs(self.x, at)):
            raise ProofError(f"the slope of {e} in {self.x} is not seen to vanish at {at}")
        least = e.subs(self.x, at)
        steps = 1 if self.least is None and is_zero(least) else nonnegative(least, self.least)
        return 1 + steps + nonnegative(_tidy(e.diff(self.x, 2)), self.second)


@dataclass(frozen=True)
class Concave(Tactic):
    """The expression is concave in x > 0, and >= 0 at both ends of the range low <= x <= high.

    The lower end may be 0, where the expression must be continuous. `second` is the tactic for the second derivative,
    and `ends` the one for the values at the ends. The rule that uses the tactic must know that x is in the range;
    elsewhere the tactic is refused.
    """

    x: Symbol
    low: Any
    high: Any
    second: Tactic | None = None
    ends: Tactic | None = None

    def check(self, e: Expr) -> int:
        raise ProofError(f"that {self.x} lies between {self.low} and {self.high} is not known here")

    def check_between(self, e: Expr) -> int:
        """Raise unless e >= 0 on the range, and return the number of checks."""
        _real(self.x)
        smooth(e, self.x)
        if self.x.is_nonnegative and not seen_nonnegative(self.low, strict=True):
            if not seen_nonnegative(self.low):
                raise ProofError(f"{self.low} is not seen to be where {self.x} ranges")
            continuous(e, self.x)
        steps = nonnegative(_tidy(-e.diff(self.x, 2)), self.second)
        for end in (self.low, self.high):
            if is_zero(end):
                continuous(e, self.x)
            elif not seen_nonnegative(sympy.sympify(end), strict=True):
                raise ProofError(f"{end} is not seen to be where {self.x} ranges")
            here = e.subs(self.x, sympy.sympify(end))
            steps += 1 if is_zero(here) else nonnegative(here, self.ends)
        return steps


SHARE = Symbol("share_odds", positive=True)


@dataclass(frozen=True)
class Between(Concave):
    """The expression is >= 0 at x = low, at x = high and everywhere between, for 0 < low < high.

    Between the ends, x = low^(1 / (1 + o)) high^(o / (1 + o)) for o > 0. `second` is the tactic there, in the symbol o,
    which is `SHARE`; `ends` is the tactic at the ends.
    """

    def check_between(self, e: Expr) -> int:
        """Raise unless e >= 0 on the range, and return the number of checks."""
        low, high = sympy.sympify(self.low), sympy.sympify(self.high)
        if e.has(SHARE) or not self.x.is_positive:
            raise ProofError(f"the symbol {SHARE} is already in use, or {self.x} may be negative")
        if not (seen_nonnegative(low, strict=True) and seen_nonnegative(high - low, strict=True)):
            raise ProofError(f"0 < {low} < {high} is not seen")
        steps = nonnegative(e.subs(self.x, low ** (1 / (1 + SHARE)) * high ** (SHARE / (1 + SHARE))), self.second)
        for end in (low, high):
            here = e.subs(self.x, end)
            steps += 1 if is_zero(here) else nonnegative(here, self.ends)
        return steps


@dataclass(frozen=True)
class Rising(Tactic):
    """The expression is >= 0 at x = 0, the lower end of a positive or nonnegative symbol, and its slope is >= 0.

    `slope` is the tactic for the slope, and `start` the one for the value at 0.
    """

    x: Symbol
    slope: Tactic | None = None
    start: Tactic | None = None

    def check(self, e: Expr) -> int:
        if not self.x.is_nonnegative:
            raise ProofError(f"{self.x} has no lower end")
        first = e.subs(self.x, 0)
        if infinite(first):
            raise ProofError(f"{e} is not continuous at {self.x} = 0")
        continuous(e, self.x)
        _real(self.x)
        smooth(e, self.x)
        steps = 1 if self.start is None and is_zero(first) else nonnegative(first, self.start)
        return steps + nonnegative(_tidy(e.diff(self.x)), self.slope)


def continuous(e: Expr, x: Symbol) -> None:
    """Raise unless the value at x = 0 is shown to be the limit: no power, quotient or logarithm is singular there."""
    for power in e.atoms(Pow):
        base, exponent = power.as_base_exp()
        if base.has(x) and not (base.subs(x, 0).is_positive or exponent.is_nonnegative):
            raise ProofError(f"{power} is not seen to be continuous at {x} = 0")
        if exponent.has(x) and not base.is_positive:
            raise ProofError(f"{power} is not seen to be continuous at {x} = 0")
    for log in e.atoms(sympy.log):
        if log.args[0].has(x) and not log.args[0].subs(x, 0).is_positive:
            raise ProofError(f"{log} is not seen to be continuous at {x} = 0")
    for part in sympy.preorder_traversal(e):
        if part.has(x) and not isinstance(part, (Symbol, Add, Mul, Pow, sympy.log, Max, Min, Abs, *SMOOTH)):
            raise ProofError(f"{part} is not seen to be continuous in {x}")


SMOOTH = (sympy.exp, sympy.sinh, sympy.cosh, sympy.tanh)


def _real(x: Symbol) -> None:
    """Raise if x ranges over the integers >= 1, because a sign shown for these need not hold between them."""
    if x.is_integer and x.is_positive:
        raise ProofError(f"{x} is an integer")


def smooth(e: Expr, x: Symbol) -> None:
    """Raise unless e is shown to be smooth in the range of x, or in its interior if x is nonnegative."""
    inner = algebra.bound(f"{x.name} inside", "positive", e) if x.is_nonnegative else x
    _smooth(e.xreplace({x: inner}), inner)


def _smooth(e: Expr, x: Symbol) -> None:
    if not e.has(x) or e == x:
        return
    if isinstance(e, Pow) and e.base.has(x) and not (e.exp.is_integer and e.exp.is_nonnegative):
        good = seen_nonnegative(e.base, strict=True)
    elif isinstance(e, Pow) and e.exp.has(x):
        good = bool(e.base.is_positive)
    elif isinstance(e, sympy.log):
        good = seen_nonnegative(e.args[0], strict=True)
    else:
        good = isinstance(e, (Add, Mul, Pow, *SMOOTH))
    if not good:
        raise ProofError(f"{e} is not seen to be smooth in {x}")
    for arg in e.args:
        _smooth(arg, x)


@dataclass(frozen=True)
class Parts(Tactic):
    """The expression is the sum of expressions >= 0, each of which may have a tactic of its own."""

    parts: Sequence[Any]

    def check(self, e: Expr) -> int:
        pairs = [p if isinstance(p, tuple) else (p, None) for p in self.parts]
        if not is_zero(e - Add(*(part for part, _ in pairs))):
            raise ProofError(f"{e} is not seen to be the sum of its parts")
        return 1 + sum(nonnegative(part, tactic) for part, tactic in pairs)


@dataclass(frozen=True)
class Factors(Tactic):
    """The expression is the product of expressions >= 0, each of which may have a tactic of its own."""

    factors: Sequence[Any]

    def check(self, e: Expr) -> int:
        pairs = [p if isinstance(p, tuple) else (p, None) for p in self.factors]
        if not is_zero(e - Mul(*(factor for factor, _ in pairs))):
            raise ProofError(f"{e} is not seen to be the product of its factors")
        return 1 + sum(nonnegative(factor, tactic) for factor, tactic in pairs)


@dataclass(frozen=True)
class Composed(Tactic):
    """The expression is f(u) at u = `of`, and f(u) = `form` is >= 0 for all u in a range that contains `of`."""

    u: Symbol
    of: Any
    form: Any
    tactic: Tactic | None = None

    def check(self, e: Expr) -> int:
        of, form = sympy.sympify(self.of), sympy.sympify(self.form)
        known = next((k for k in ("positive", "nonnegative", "real") if getattr(self.u, f"is_{k}")), "commutative")
        if self.u.assumptions0 != Symbol("u", **{known: True}).assumptions0:
            raise ProofError(f"{self.u} is not any number that is {known}: it has more assumptions")
        if self.u.is_nonnegative:
            if not seen_nonnegative(of, strict=bool(self.u.is_positive)):
                raise ProofError(f"{of} is not seen to lie where {self.u} ranges")
        elif not of.is_real:
            raise ProofError(f"{of} is not seen to be real")
        if not is_zero(e - form.subs(self.u, of)):
            raise ProofError(f"{e} is not seen to be {form} at {self.u} = {of}")
        return 2 + nonnegative(form, self.tactic)


@dataclass(frozen=True)
class Split(Tactic):
    """The expression is >= 0 for x > 0 on both sides of c = `at` > 0: at x = c + s and at x = c / (1 + s), s >= 0.

    `below` and `above` are the tactics for the two sides.
    """

    x: Symbol
    at: Any
    below: Tactic | None = None
    above: Tactic | None = None

    def check(self, e: Expr) -> int:
        at = sympy.sympify(self.at)
        if e.has(PAST) or at.has(PAST):
            raise ProofError(f"the symbol {PAST} is already in use")
        if not self.x.is_positive or not seen_nonnegative(at, strict=True):
            raise ProofError(f"{self.x} is not seen to be positive, or its point {at} is not")
        return nonnegative(e.subs(self.x, at / (1 + PAST)), self.below) + nonnegative(
            e.subs(self.x, at + PAST), self.above
        )


PAST = Symbol("s", nonnegative=True)


def _tidy(e: Expr) -> Expr:
    """Return a derivative in a shorter form if sympy finds one."""
    shorter = algebra.simplify(e)
    if any(isinstance(v.args[0], Pow) for v in shorter.atoms(sympy.log)):
        return e  # sympy moved factors into exponents
    return shorter if is_zero(e - shorter) else e


def settle(e: Expr, x: Symbol | None, prove: Callable[[Expr, Symbol | None], int]) -> int:
    """Prove e >= 0 by applying `prove` to expressions without maxima, minima, moduli and cases.

    Returns the number of checks.

    If a maximum is subtracted, e must be >= 0 with each of its arguments in its place; if it is added, one of them is
    enough. If none of two suffices, and their difference is affine in x, each is used on the side of their crossing
    point where it is the larger one.
    """
    e = opaque(e)
    if not e.has(*CORNERS) or (x is None and seen_quickly(e)):
        return prove(e, x)
    try:
        return _settle(e, x, prove)
    except ProofError:
        if x is None and seen_nonnegative(e):
            return prove(e, x)
        raise


def _settle(e: Expr, x: Symbol | None, prove: Callable[[Expr, Symbol | None], int]) -> int:
    """Apply `settle` to an expression that contains maxima, minima, moduli or cases."""
    found = []
    for linear in (_linear(e, corner) for corner in _sorted(e)):
        if linear is not None:
            _, rest, dummy, args, all_of = linear
            if all_of:
                return sum(settle(rest.xreplace({dummy: arg}), x, prove) for arg in args)
            found.append(linear)
    if not found:
        first = _innermost(e)  # the condition of a case may decide what is inside
        if isinstance(first, Piecewise):
            return _settle_piecewise(e, first, x, prove)
        raise ProofError("the coefficient of {} has no known sign", _inner(e)[0])
    corner, rest, dummy, args, _ = found[0]
    said = []
    for arg in args:
        try:
            return settle(rest.xreplace({dummy: arg}), x, prove)
        except ProofError as error:
            said.append(error)
    if x is None or len(args) != 2:
        raise ProofError("; ".join("{}" for _ in said), *said)
    above, below = (rest.xreplace({dummy: arg}) for arg in (args[::-1] if isinstance(corner, Min) else args))
    return _either_side(args[0] - args[1], above, below, x, prove)


@cache
def _linear(e: Expr, corner: Expr) -> tuple[Expr, Expr, Symbol, Sequence[Expr], bool] | None:
    """Return how an expression depends on one of its maxima, minima or moduli, if that is linear; otherwise None.

    The result is the maximum, the expression with a symbol in its place, the symbol, the values that this may have, and
    whether the expression must be >= 0 for all of these values.
    """
    if isinstance(corner, Piecewise):
        return None
    dummy = algebra.bound("m", "real", e)
    rest = e.xreplace({corner: dummy})
    slope = algebra.expand(Add(*(t for t in Add.make_args(rest) if t.has(dummy)))).diff(dummy)
    if slope.has(dummy):
        return None
    args = (corner.args[0], -corner.args[0]) if isinstance(corner, Abs) else corner.args
    low = isinstance(corner, Min)
    if seen_nonnegative(slope if low else -slope):
        return corner, rest, dummy, args, True
    if seen_nonnegative(-slope if low else slope):
        return corner, rest, dummy, args, False
    return None


def _sorted(e: Expr) -> list[Expr]:
    """Return the maxima, minima, moduli and cases of an expression, short ones first."""
    return sorted(e.atoms(*CORNERS), key=lambda c: (sympy.count_ops(c), algebra.written(c)))


def _inner(e: Expr) -> list[Expr]:
    """Return those maxima, minima, moduli and cases that contain no other."""
    return [c for c in _sorted(e) if len(c.atoms(*CORNERS)) == 1]


def _innermost(e: Expr) -> Expr | None:
    """Return a case with conditions free of maxima and the like, or else a maximum or the like that contains none."""
    corners = _sorted(e)
    for corner in corners:
        if isinstance(corner, Piecewise) and not any(c.has(*CORNERS) for _, c in corner.args):
            return corner
    for corner in corners:
        if not any(other is not corner and corner.has(other) for other in corners):
            return corner
    return None


def _settle_piecewise(e: Expr, corner: Piecewise, x: Symbol | None, prove: Callable[..., int]) -> int:
    (first, condition), *others = corner.args
    last = others[0][0] if len(others) == 1 and others[0][1] == sympy.true else Piecewise(*others)
    yes, no = (e.xreplace({corner: value}) for value in (first, last))
    if isinstance(condition, sympy.Gt | sympy.Ge):
        gap = condition.lhs - condition.rhs
    elif isinstance(condition, sympy.Lt | sympy.Le):
        gap = condition.rhs - condition.lhs
    else:
        raise ProofError(f"{condition} is no comparison")
    if x is None:
        return settle(yes, x, prove) + settle(no, x, prove)
    return _either_side(gap, yes, no, x, prove)


def _either_side(gap: Expr, above: Expr, below: Expr, x: Symbol, prove: Callable[..., int]) -> int:
    """Prove above >= 0 where an affine gap is >= 0, and below >= 0 where it is <= 0."""
    gap = algebra.expand(gap)
    if x is not PAST and (above + below + gap).has(PAST):
        raise ProofError(f"the symbol {PAST} is already in use")
    if seen_nonnegative(gap, strict=True):
        return settle(above, x, prove)
    if seen_nonnegative(-gap, strict=True):
        return settle(below, x, prove)
    slope, constant = gap.coeff(x, 1), gap.coeff(x, 0)
    if not is_zero(gap - slope * x - constant) or slope.has(x) or constant.has(x):
        raise ProofError(f"{gap} is not affine in {x}")
    at = algebra.factor(-constant / slope)
    rising = seen_nonnegative(slope, strict=True)
    if not (rising or seen_nonnegative(-slope, strict=True)) or not seen_nonnegative(at, strict=True):
        raise ProofError(f"the point where {gap} changes its sign is not found")
    right, left = (above, below) if rising else (below, above)
    under = at / (1 + PAST) if x.is_positive else at * PAST / (1 + PAST)
    return settle(right.subs(x, at + PAST), PAST, prove) + settle(left.subs(x, under), PAST, prove)
