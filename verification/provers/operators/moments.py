"""Moments of pairs of operators, and the divergences made of them."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Add, Expr, Integer, Symbol

from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.operators.expressions import (
    Moment,
    Pairing,
    PetzMoment,
    Space,
    _known,
    canonical,
    collected,
    identity,
    terms,
    trace,
)
from verification.provers.operators.operator import Operator, _blocks
from verification.provers.operators.positivity import psd
from verification.provers.scalars import seen_nonnegative
from verification.provers.symbols import CASE, Total


def petz_moment(a: Operator, b: Operator, order: Expr) -> Expr:
    """Return tr A^alpha B^(1 - alpha) for alpha < 1: in each case, a positive `PetzMoment` or 0."""
    case = CASE.get()
    if a.space != b.space or not (isinstance(a.space, Symbol) or a.space[0] == "tensor"):
        raise ProofError("operators on different spaces, or on a sum or letters")
    if not (seen_nonnegative(order, strict=True) and seen_nonnegative(1 - order, strict=True)):
        raise ProofError(f"the order {order} is not seen to lie between 0 and 1")
    if not seen_nonnegative(trace(a.e), strict=True):
        raise ProofError(f"{a.e} may be zero")
    psd(a)
    psd(b)
    _numbers(a.e, b.e, order)
    value = PetzMoment(canonical(a.e), canonical(b.e), algebra.cancel(order))
    if value not in case.outcomes:
        text = algebra.written(value)
        text = text if len(text) < 80 else "a Petz moment"
        options = [(f"{text} > 0", value), (f"{text} = 0", Integer(0))]
        case.outcomes[value] = value if a.e == b.e or _full(b) else case.choose(options)
    return case.outcomes[value]


def pairing(x: Operator, y: Operator) -> Expr:
    """Return tr X Y, which is bilinear, and the trace of the other operator where one is the identity."""
    if x.space != y.space:
        raise ProofError("operators on different spaces")
    return Add(*(c * d * _paired_atoms(a, b, x.space) for c, a in terms(x.e) for d, b in terms(y.e)))


def _paired_atoms(a: Expr, b: Expr, space: Space) -> Expr:
    if isinstance(a, Total):
        a, b = b, a
    if isinstance(a, Total):
        raise ProofError("the trace of a product of two covariance operators")
    if isinstance(b, Total):
        inner = [c * _paired_atoms(a, atom, space) for c, atom in terms(b.args[0])]
        return Total(Add(*inner), *b.args[1:])
    if not (isinstance(a, Symbol) and isinstance(b, Symbol)):
        raise ProofError(f"the trace of {a} times {b}")
    unit = identity(space)
    for one, other in ((a, b), (b, a)):
        if one == unit:
            return trace(other)
    if CASE.get().ranges(a) & CASE.get().ranges(b):
        raise ProofError("the trace of a product of two features")
    for atom in (a, b):
        _known(atom)
    return Pairing(*sorted((a, b), key=str))


def _above_one(order: Expr) -> None:
    if not seen_nonnegative(order - 1, strict=True):
        raise ProofError(f"the order {order} is not seen to be above 1")


def _numbers(*values: Expr) -> None:
    """Raise where a moment depends on the letter: no case may decide its value for all letters at once."""
    for v in values:
        if CASE.get().ranges(v):
            raise ProofError(f"{v} varies over the letters")


def moment(a: Operator, b: Operator, order: Expr, follows: Expr | None = None) -> Expr:
    """tr (B^s A B^s)^alpha in the case at hand: a positive `Moment`, 0 (below order 1 only) or oo (above only).

    For block diagonal operators it is the sum of the moments of the blocks. `follows` is a moment of operators with the
    same supports, so that this one is 0, positive or infinite where that one is.
    """
    case = CASE.get()
    if a.space != b.space:
        raise ProofError("operators on different spaces")
    _numbers(a.e, b.e, order)
    if isinstance(a.space, tuple) and a.space[0] == "sum":
        return Add(*(moment(x, y, order) for x, y in zip(_blocks(a), _blocks(b), strict=True)))
    psd(a)
    psd(b)
    if a.e == 0:
        return Integer(0)
    mass = trace(a.e)
    if not seen_nonnegative(mass, strict=True) and not case.holds(sympy.Gt(mass, 0, evaluate=False)):
        return Integer(0)
    value = Moment(a.e, b.e, order)
    if value in case.outcomes:
        return case.outcomes[value]
    above = seen_nonnegative(order - 1, strict=True)
    if not above and not (seen_nonnegative(order, strict=True) and seen_nonnegative(1 - order, strict=True)):
        raise ProofError(f"on which side of 1 {order} lies is not seen")
    if follows is not None:
        outcome = follows if follows in (sympy.oo, 0) else value
    elif a.e == b.e or _full(b):
        outcome = value
    else:
        text = algebra.written(value)
        text = text if len(text) < 80 else "a moment"
        if above:
            outcome = case.choose([(f"{text} < oo", value), (f"{text} = oo", sympy.oo)])
        else:
            outcome = case.choose([(f"{text} > 0", value), (f"{text} = 0", Integer(0))])
    case.outcomes[value] = outcome
    return outcome


def _full(b: Operator) -> bool:
    """Return whether an operator is seen to be at least a positive multiple of the identity."""
    if isinstance(b.space, tuple) and b.space[0] == "letters":
        return False
    found = {atom: c for c, atom in collected(b.e)}
    units = [atom for _, atom in terms(identity(b.space))]
    if not all(seen_nonnegative(found.get(atom, Integer(0)), strict=True) for atom in units):
        return False
    try:
        psd(b - Operator(Add(*(found[atom] * atom for atom in units)), b.space))
    except ProofError:
        return False
    return True


def _mass(a: Operator) -> Expr:
    """Return the trace of an operator, which must be seen not to be zero, as a divergence is normalised by it."""
    mass = trace(a.e)
    if not seen_nonnegative(mass, strict=True) and not CASE.get().holds(sympy.Gt(mass, 0, evaluate=False)):
        raise ProofError(f"the divergence of {a.e}, which may be zero")
    return mass


def divergence(q: Expr, mass: Expr, order: Expr) -> Expr:
    """Return log(q / mass) / (order - 1) of a moment q, which may be infinite."""
    if q == sympy.oo or q == 0:
        return sympy.oo
    return (sympy.log(q) - sympy.log(mass)) / (order - 1)


def sandwiched(a: Operator, b: Operator, order: Expr, lam: Any = 0) -> Expr:
    """Return the sandwiched Renyi divergence of operators."""
    if lam != 0:
        b = b + Operator(lam * identity(b.space), b.space)
    return divergence(moment(a, b, order), _mass(a), order)
