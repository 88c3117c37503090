"""Statements of numbers, proved for every value of some symbols and used at expressions that lie in their ranges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from sympy import Expr, Symbol

from verification.proof import ProofError
from verification.provers.kernel import Theorem, _made, at_most, positive, same
from verification.provers.scalars import Tactic, continuous, is_zero, seen_nonnegative
from verification.provers.symbols import Case, Total, within

SORTS = tuple(Symbol("x", **{sort: True}).assumptions0 for sort in ("positive", "nonnegative", "real"))


def lemma(case: Case, a: Any, b: Any, where: Mapping[Symbol, Expr | Theorem], tactic: Tactic | None = None) -> Theorem:
    """a <= b for all values of some symbols, at the values that `where` gives to these.

    A value is an expression without letters that is seen to lie where its symbol ranges, or a theorem 0 <= value. A
    symbol that may be 0 must enter b - a continuously there.

    Raises
    ------
    ProofError
        a <= b is not seen by the tactic, a value may lie elsewhere, or a symbol is of another sort than positive,
        nonnegative or real, or means something else in the case.
    """
    with within(case):
        gap = sympy.sympify(b) - sympy.sympify(a)
        for symbol in where:
            _new(case, symbol, gap)
        shown = at_most(case, a, b, tactic)
        values: dict[Symbol, Expr] = {}
        used = [t for t in where.values() if isinstance(t, Theorem)]
        shown._alongside(*used)
        for symbol, told in where.items():
            value = told.rhs if isinstance(told, Theorem) else sympy.sympify(told)
            if value.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan) or case.ranges(value):
                raise ProofError(f"{value} is no number")
            if not _lies(case, symbol, told):
                raise ProofError(f"{value} is not seen to lie where {symbol} ranges")
            if not symbol.is_positive and symbol.is_nonnegative:
                continuous(gap, symbol)
            values[symbol] = value
        lhs, rhs = (side.subs(values, simultaneous=True) for side in (shown.lhs, shown.rhs))
        said = ", ".join(f"{symbol} = {value}" for symbol, value in values.items())
        return _made(case, lhs, rhs, (f"for {said}",), shown, *used)


def _new(case: Case, symbol: Symbol, gap: Expr) -> None:
    """Raise unless a symbol stands for any number of its sort."""
    if not isinstance(symbol, Symbol) or symbol.assumptions0 not in SORTS:
        raise ProofError(f"{symbol} is no symbol of a positive, nonnegative or real number")
    if symbol in case.alphabets or symbol in case.definitions or symbol in case.suprema:
        raise ProofError(f"{symbol} means something else here")
    if any(total.has(symbol) for total in gap.atoms(Total)):
        raise ProofError(f"{symbol} is inside of a total")


def _lies(case: Case, symbol: Symbol, told: Expr | Theorem) -> bool:
    if isinstance(told, Theorem):
        return not symbol.is_positive and is_zero(told.lhs)
    if symbol.is_nonnegative:
        return positive(case, told) or (not symbol.is_positive and seen_nonnegative(told))
    return bool(sympy.sympify(told).is_real)


def both(first: Theorem, second: Theorem) -> Theorem:
    """a <= b and b <= a give a == b."""
    first._alongside(second)
    if not (same(first.case, first.lhs, second.rhs) and same(first.case, first.rhs, second.lhs)):
        raise ProofError("two inequalities about other sides")
    return _made(first.case, first.lhs, first.rhs, ("at most and at least",), first, second, equal=True)


__all__ = ["both", "lemma"]
