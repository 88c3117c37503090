"""Rules for the least level and the least ratio of a pair, and for the nearest distribution.

The least level of (p, q) is the least v with sum (p - v q)_+ <= delta, and the least ratio the least v with p <= v q.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr, Symbol

from verification.instances import Distributions
from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.kernel import Theorem, _made, positive, same
from verification.provers.kinds import lies
from verification.provers.scalars import infinite, is_zero
from verification.provers.symbols import Case, Total, within
from verification.provers.values import Letters, expression
from verification.provers.vocabulary import SymbolicVocabulary


def excess(case: Case, level: Symbol, at: Any) -> Expr:
    """Return sum (p - v q)_+ at v = `at`, for the pair (p, q) of a level."""
    p, q, _, alphabet = _told(case, level)
    with within(case):
        return Total(algebra.maximum(p - at * q, 0), alphabet)


def meets(case: Case, level: Symbol) -> Theorem:
    """Prove that sum (p - v q)_+ equals delta at the least level v: it is continuous in v, and 1 > delta at v = 0."""
    allowed = _told(case, level)[2]
    here = excess(case, level, level)
    return _made(case, here, allowed, (f"at the least level {level} the excess is {allowed}",), equal=True)


def least(case: Case, level: Symbol, at: Any, shown: Theorem, above: Theorem | None = None) -> Theorem:
    """Prove that the least level is at most any v > 0 with sum (p - v q)_+ <= delta, which `shown` states.

    v must be shown to be positive, by itself or by a theorem `above` that it is at least a positive number.
    """
    v = sympy.sympify(at)
    told = (shown,) if above is None else (shown, above)
    shown._alongside(*told)
    with within(case):
        if shown.case is not case or case.ranges(v) or infinite(v):
            raise ProofError(f"{v} is no level of this case")
        if above is None and not positive(case, v):
            raise ProofError(f"{v} is not seen to be positive")
        if above is not None and not (positive(case, above.lhs) and same(case, above.rhs, v)):
            raise ProofError(f"{v} is not shown to be positive")
        if not same(case, shown.lhs, excess(case, level, v)) or not same(case, shown.rhs, _told(case, level)[2]):
            raise ProofError(f"it is not shown that {v} will do")
        return _made(case, level, v, (f"{level} is the least level",), *told)


def least_ratio(case: Case, ratio: Symbol, at: Any, shown: Theorem) -> Theorem:
    """Prove that the least v with p <= v q at every letter is at most any v > 0 with sum (p - v q)_+ <= 0."""
    v = sympy.sympify(at)
    kind, told = case.suprema.get(ratio, ("", None))
    if kind != "ratio":
        raise ProofError(f"{ratio} is no ratio of a pair")
    with within(case):
        if shown.case is not case or case.ranges(v) or infinite(v) or not positive(case, v):
            raise ProofError(f"{v} is not seen to be a positive number")
        (p, q), alphabets = told, case.ranges(told[0])
        if not same(case, shown.lhs, Total(algebra.maximum(p - v * q, 0), *alphabets)) or not is_zero(shown.rhs):
            raise ProofError(f"it is not shown that {v} will do")
        return _made(case, ratio, v, (f"{ratio} is the least ratio",), shown)


def nearest(case: Case, near: Symbol, other: Expr, shown: Theorem) -> Theorem:
    """Prove D_alpha(p' || q) <= D_alpha(p'' || q), where p' minimises this divergence over the delta-ball around p.

    `near` is the symbol of p', `other` is any p'', and `shown` states TV(p, p'') <= delta.
    """
    kind, told = case.suprema.get(near, ("", None))
    if kind != "nearest":
        raise ProofError(f"{near} is not a nearest distribution")
    p, q, alpha, radius = told
    with within(case):
        weights = Letters(other, p.axes)
        k = SymbolicVocabulary()
        k.normalised(weights)
        lies(Distributions(1), [weights], case)
        distance = expression(k.total_variation(p, weights))
        if shown.case is not case or not same(case, shown.lhs, distance) or not same(case, shown.rhs, radius):
            raise ProofError(f"it is not shown that {other} is that near")
        best, value = (expression(k.renyi(w, q, alpha)) for w in (Letters(near, p.axes), weights))
        return _made(case, best, value, (f"{near} is the nearest",), shown)


def _told(case: Case, level: Symbol) -> Any:
    kind, told = case.suprema.get(level, ("", None))
    if kind != "level":
        raise ProofError(f"{level} is no level of a pair")
    return told


__all__ = ["excess", "least", "least_ratio", "meets", "nearest"]
