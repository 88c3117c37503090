"""Lemmas about numbers: they are proved for all values of some symbols, and applied to expressions in their ranges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import sympy
from sympy import Basic, Expr, Symbol

from verification.proof import ProofError
from verification.provers.kernel import Theorem, _made, at_most, positive, same
from verification.provers.scalars import infinite, is_zero, seen_nonnegative
from verification.provers.symbols import Case, Total, within
from verification.provers.tactics import Tactic, continuous

SORTS = tuple(Symbol("x", **{sort: True}).assumptions0 for sort in ("positive", "nonnegative", "real"))


def lemma(case: Case, a: Any, b: Any, where: Mapping[Symbol, Expr | Theorem], tactic: Tactic | None = None) -> Theorem:
    """Prove a <= b for all values of some symbols, and return it at the values in `where`, as `instantiated` does."""
    for symbol in where:
        _new(case, symbol)
    with within(case):
        shown = at_most(case, a, b, tactic)
    return instantiated(shown, where)


def instantiated(theorem: Theorem, where: Mapping[Symbol, Expr | Theorem]) -> Theorem:
    """Substitute values for symbols in a theorem that holds for all values of these symbols.

    `where` maps each symbol to its value: an expression without letters that is shown to lie in the symbol's range, or
    a theorem c <= value, where c is shown to be positive, or is 0 for a symbol that may be 0. The sides must be
    continuous at 0 in a symbol that may be 0.

    Raises
    ------
    ProofError
        A value may be out of range, or a symbol is not positive, nonnegative or real, or has a meaning in the case.
    """
    case, values = theorem.case, {}
    used = [t for t in where.values() if isinstance(t, Theorem)]
    theorem._alongside(*used)
    about = {s for side in (theorem.lhs, theorem.rhs) for s in case.unfold(side).free_symbols}
    if any(kind in ("events", "trials", "cut") for s, (kind, _) in case.suprema.items() if s in about):
        raise ProofError("the theorem contains a supremum that may depend on these symbols")
    with within(case):
        for symbol, told in where.items():
            value = told.rhs if isinstance(told, Theorem) else sympy.sympify(told)
            _new(case, symbol)
            if infinite(value) or case.ranges(value):
                raise ProofError(f"{value} is no number")
            if not _lies(case, symbol, told):
                raise ProofError(f"{value} is not seen to lie where {symbol} ranges")
            if symbol.is_nonnegative and not symbol.is_positive:
                for side in (theorem.lhs, theorem.rhs):
                    continuous(_terms(side, symbol), symbol)
            values[symbol] = value
        lhs, rhs = (_with(side, values) for side in (theorem.lhs, theorem.rhs))
        said = ", ".join(f"{symbol} = {value}" for symbol, value in values.items())
        return _made(case, lhs, rhs, (f"for {said}",), theorem, *used, equal=theorem.equal)


def _terms(side: Expr, symbol: Symbol) -> Expr:
    """Return the expression with the terms of sums over letters in place of the sums, which inherit continuity."""
    return side.xreplace({t: t.args[0] for t in side.atoms(Total) if t.has(symbol)})


def _with(side: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    return side.subs(values, simultaneous=True) if side.free_symbols & set(values) else side


def _new(case: Case, symbol: Symbol) -> None:
    """Raise unless a symbol stands for an arbitrary number of its sort, about which the case assumes nothing."""
    if not isinstance(symbol, Symbol) or symbol.assumptions0 not in SORTS:
        raise ProofError(f"{symbol} is no symbol of a positive, nonnegative or real number")
    known = [case.alphabets, case.definitions, case.suprema, case.relations, case.excluded, case.present, case.facts]
    if any(symbol == e or symbol in e.free_symbols for e in _told([*known, case.operators, case.outcomes])):
        raise ProofError(f"{symbol} means something in this case")


def _told(known: Any) -> Iterator[Basic]:
    """Yield the expressions in a nested collection of what a case assumes."""
    if isinstance(known, Basic):
        yield known
    elif isinstance(known, Mapping):
        yield from _told([*known, *known.values()])
    elif isinstance(known, list | tuple | set | frozenset):
        for part in known:
            yield from _told(part)
    elif hasattr(known, "__dict__"):
        yield from _told(vars(known))


def _lies(case: Case, symbol: Symbol, told: Expr | Theorem) -> bool:
    if isinstance(told, Theorem):
        if not symbol.is_nonnegative:
            return False
        return positive(case, told.lhs) or (not symbol.is_positive and is_zero(told.lhs))
    if symbol.is_nonnegative:
        return positive(case, told) or (not symbol.is_positive and seen_nonnegative(told))
    return bool(sympy.sympify(told).is_real)


def both(first: Theorem, second: Theorem) -> Theorem:
    """Prove a == b from a <= b and b <= a."""
    first._alongside(second)
    if not (same(first.case, first.lhs, second.rhs) and same(first.case, first.rhs, second.lhs)):
        raise ProofError("the two inequalities do not have the same sides")
    return _made(first.case, first.lhs, first.rhs, ("at most and at least",), first, second, equal=True)


def flipped(theorem: Theorem) -> Theorem:
    """Prove b == a from a == b."""
    if not theorem.equal:
        raise ProofError("the theorem is an inequality, not an equality")
    return _made(theorem.case, theorem.rhs, theorem.lhs, (), theorem, equal=True)


__all__ = ["both", "flipped", "instantiated", "lemma"]
