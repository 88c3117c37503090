"""Rules for the largest entry or the largest ratio over letters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from sympy import Expr, Symbol

from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.kernel import USED, Tactic, Theorem, _letter, _made, shortened
from verification.provers.scalars import infinite
from verification.provers.symbols import Case, Total, at, within
from verification.provers.tactics import nonnegative


def every_letter(
    case: Case,
    top: Symbol,
    bound: Any,
    *,
    facts: Mapping[int, Any] | None = None,
    tactic: Tactic | None = None,
) -> Theorem:
    """Prove that a largest entry, or the least m with p <= m q, is at most a bound that holds at every letter.

    The term bound - entry, or bound q - p, must be nonnegative in every pattern of zero weights. `facts` maps indices
    of `case.facts`, whose expressions are nonnegative at every letter, to numbers >= 0. These multiples of the facts
    may be subtracted from the term.

    Raises
    ------
    ProofError
        The bound is not shown to hold at some letter, or the symbol is not such a supremum.
    """
    with within(case):
        kind, told = case.suprema.get(top, (None, None))
        bound = sympy.sympify(bound)
        if infinite(bound) or case.ranges(bound):
            raise ProofError(f"{bound} is no number")
        if kind == "ratio":
            term = bound * told[1] - told[0]
        elif kind == "letters":
            term = bound - told
        else:
            raise ProofError(f"{top} is no supremum over letters")
        for index, factor in (facts or {}).items():
            if case.ranges(sympy.sympify(factor)):
                raise ProofError(f"the multiplier {factor} varies over the letters")
            nonnegative(sympy.sympify(factor))
            term -= USED * sympy.sympify(factor) * case.facts[index].expression
        symbols = case.letters(term)
        patterns = list(case.patterns(symbols))
        known = [f.expression for f in case.facts if set(case.letters(f.expression)) <= set(symbols)]
        for pattern in patterns:
            _letter(at(term, pattern), pattern, known, None, tactic, False)
        said = f"at every letter ({len(patterns)} patterns of zeros) {shortened(term.subs(USED, 0))} >= 0"
        return _made(case, top, bound, (said,))


def largest_letter(case: Case, top: Symbol, total: Expr, bound: Any, facts: Mapping[int, Any] | None = None) -> Theorem:
    """Prove that a sum of nonnegative terms is at least a bound, since its term at a letter with p = m q > 0 is.

    m = `top` is the least number with p <= m q at every letter. Such a letter exists because there are finitely many.
    `facts` are as for `every_letter`.

    Raises
    ------
    ProofError
        The bound is not shown to hold at that letter, `top` is not such a ratio, or a term may be negative.
    """
    with within(case):
        kind, told = case.suprema.get(top, (None, None))
        if kind != "ratio" or not all(isinstance(w, Symbol) for w in told) or told[0] == told[1]:
            raise ProofError(f"{top} is no largest ratio of two weights")
        whole, bound = case.definitions.get(total, total), sympy.sympify(bound)
        known = {index: case.facts[index].expression for index in facts or {}}
        if not isinstance(whole, Total) or len(whole.args) != 2:
            raise ProofError(f"{total} is no sum over the letters of one alphabet")
        for e in (*told, whole.args[0], *known.values()):
            if case.ranges(e) != {whole.args[1]} or not set(case.letters(e)) <= set(told):
                raise ProofError(f"{e} depends on more than these two weights")
        if case.ranges(bound) or infinite(bound):
            raise ProofError(f"{bound} is no number")
        for pattern in case.patterns(case.letters(whole.args[0])):
            term = at(whole.args[0], pattern)
            if infinite(term):
                raise ProofError(f"{whole} may be infinite")
            nonnegative(term)
        size = sympy.Dummy("q", positive=True)
        here = {told[0]: top * size, told[1]: size}
        gap = at(whole.args[0], here) - bound
        for index, factor in (facts or {}).items():
            if case.ranges(sympy.sympify(factor)):
                raise ProofError(f"the multiplier {factor} varies over the letters")
            nonnegative(sympy.sympify(factor))
            gap -= sympy.sympify(factor) * at(known[index], here)
        nonnegative(algebra.expand(gap))
        return _made(
            case, bound, total, (f"at a letter where {told[0]} = {top} {told[1]} a term is {shortened(bound)}",)
        )


__all__ = ["every_letter", "largest_letter"]
