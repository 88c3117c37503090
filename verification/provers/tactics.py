"""Tactics: hints at how to prove the sign of an expression, each part of which is checked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Symbol

from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.corners import PAST
from verification.provers.scalars import _finite, infinite, is_zero, negative_somewhere, opaque, seen_nonnegative


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


def _tidy(e: Expr) -> Expr:
    """Return a derivative in a shorter form if sympy finds one."""
    shorter = algebra.simplify(e)
    if any(isinstance(v.args[0], Pow) for v in shorter.atoms(sympy.log)):
        return e  # sympy moved factors into exponents
    return shorter if is_zero(e - shorter) else e
