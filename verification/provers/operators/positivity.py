"""Rules that tell whether operators are positive semidefinite, are bounded, or commute."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr, Integer, Symbol

from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.corners import settle
from verification.provers.operators.expressions import Block, Kron, Seen, Space, _known, _Linear, identity, terms
from verification.provers.operators.operator import Operator
from verification.provers.scalars import seen_nonnegative
from verification.provers.symbols import CASE, Total
from verification.provers.symbols import at as at_letter
from verification.provers.tactics import nonnegative


def psd(x: Operator) -> None:
    """Raise unless an operator is seen to be positive semidefinite.

    Blocks and images under positive maps are treated separately. Of the rest, positive multiples of atoms are dropped.
    A negative multiple is bounded from below by the atom's largest eigenvalue, and a total over letters of a weight
    times a projection by minus the total of the weight's negative part; the identity must make up for these bounds.
    """
    case = CASE.get()
    if ("psd", x.e) not in case.outcomes:
        _psd(x.e, x.space)
        case.outcomes["psd", x.e] = Integer(1)


def _psd(e: Expr, space: Space) -> None:
    weights: dict[Any, Expr] = {}
    apart: dict[Any, Expr] = {}
    plain: dict[Expr, Expr] = {}
    for c, atom in terms(e):
        if isinstance(atom, Total):
            ((w, inner),) = terms(atom.args[0])
            key = (atom.args[1:], inner)
            weights[key] = weights.get(key, Integer(0)) + c * w
        elif isinstance(atom, Block | Seen):
            key = (type(atom), atom.args[0])
            apart[key] = apart.get(key, Integer(0)) + c * atom.args[1]
        else:
            plain[atom] = plain.get(atom, Integer(0)) + c
    for (kind, index), inner in apart.items():
        _psd(inner, space[1 + int(index)] if kind is Block else None)
    unit = identity(space) if isinstance(space, Symbol) or (space is not None and space[0] == "tensor") else None
    spare = plain.pop(unit, Integer(0))
    for (alphabets, inner), w in weights.items():
        _psd_atom(inner)
        if not _letterwise(w):
            top, bottom = sympy.fraction(algebra.together(w))
            if CASE.get().ranges(bottom) or not seen_nonnegative(bottom, strict=True):
                raise ProofError(f"a weight {w}")
            spare -= Total(algebra.maximum(-algebra.expand(top), 0), *alphabets) * bound(inner) / bottom
    for atom, c in plain.items():
        _psd_atom(atom)
        if not seen_nonnegative(c):
            if not seen_nonnegative(-c):
                raise ProofError(f"the sign of {c} is not seen")
            spare += c * bound(atom)
    if spare != 0:
        if unit is None:
            raise ProofError(f"{e} is not seen to be positive")
        _nonnegative(algebra.expand(spare))


def _nonnegative(spare: Expr) -> None:
    """Raise unless a number is seen to be nonnegative, perhaps from a number that the case assumes to be so."""
    for relation in CASE.get().relations:
        if isinstance(relation, sympy.Gt | sympy.Ge | sympy.Lt | sympy.Le) and spare.has(*relation.free_symbols):
            gap = relation.gts - relation.lts
            if seen_nonnegative(algebra.cancel(spare / gap)) or seen_nonnegative(spare - gap):
                return
    settle(spare, None, lambda e, _: nonnegative(e))


def _psd_atom(atom: Expr) -> None:
    if isinstance(atom, Total):
        for c, inner in terms(atom.args[0]):
            letterwise(c)
            _psd_atom(inner)
    elif isinstance(atom, Kron):
        for part in atom.args:
            _psd_atom(part)
    elif isinstance(atom, Block | Seen):
        _psd_atom(atom.args[1])
    else:
        _known(atom)


def bound(atom: Expr) -> Expr:
    """Return a number c such that a positive atom is at most c times the identity."""
    if isinstance(atom, Total):
        ((w, inner),) = terms(atom.args[0])
        letterwise(w)
        return Total(w, *atom.args[1:]) * bound(inner)
    if isinstance(atom, Kron):
        return bound(atom.args[0]) * bound(atom.args[1])
    known = None if isinstance(atom, _Linear) else _known(atom).bound
    if known is None:
        raise ProofError(f"no bound of {atom} is known")
    return known


def _letterwise(w: Expr) -> bool:
    try:
        letterwise(w)
    except ProofError:
        return False
    return True


def letterwise(w: Expr) -> None:
    """Raise unless a weight is seen to be nonnegative at every letter, by a fact or in every pattern of zeros."""
    case = CASE.get()
    if w.is_nonnegative:
        return
    if any(_multiple(f.expression, w) for f in case.facts):
        return
    for pattern in case.patterns(case.letters(w)):
        settle(at_letter(w, pattern), None, lambda e, _: nonnegative(e))


def _multiple(fact: Expr, w: Expr) -> bool:
    if not fact.free_symbols & set(CASE.get().letters(w)):
        return False
    quotient = algebra.cancel(w / fact)
    return not CASE.get().ranges(quotient) and seen_nonnegative(quotient)


def commute(x: Expr, y: Expr) -> bool:
    """Return whether two operators are seen to commute: atom by atom, equal or identities, or factor by factor."""
    return all(_commute(a, b) for _, a in terms(x) for _, b in terms(y))


def _commute(a: Expr, b: Expr) -> bool:
    if a == b:
        return True
    if isinstance(a, Kron) and isinstance(b, Kron):
        return all(_commute(x, y) for x, y in zip(a.args, b.args, strict=True))
    return any(isinstance(x, Symbol) and not CASE.get().ranges(x) and x == identity(_known(x).space) for x in (a, b))
