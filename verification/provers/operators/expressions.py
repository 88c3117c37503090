"""Linear combinations of atoms, and numbers made of them: traces and moments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy
from sympy import Add, Expr, Integer, Mul, Symbol

from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.scalars import Opaque
from verification.provers.symbols import CASE, Case, Total

Space = Any  # a symbol, or ("tensor" or "sum", space, space, ...), or ("letters", alphabet)


@dataclass(frozen=True)
class Known:
    """The known facts about a positive atom: its space, its trace, and a bound of its largest eigenvalue."""

    space: Space
    trace: Expr
    bound: Any = None


def _atom(name: str, known: Known, case: Case, *alphabets: Symbol) -> Symbol:
    symbol = Symbol(name, commutative=False)
    if case.operators.setdefault(symbol, known) != known:
        raise ProofError(f"two operators of the name {name}")
    if alphabets:
        case.alphabets[symbol] = frozenset(alphabets)
    return symbol


def dimension(space: Space) -> Expr:
    """Return the dimension of a space; that of a sum or product of spaces is the sum or product of dimensions."""
    if isinstance(space, tuple) and space[0] in ("tensor", "sum"):
        parts = [dimension(s) for s in space[1:]]
        return Mul(*parts) if space[0] == "tensor" else Add(*parts)
    if isinstance(space, tuple):
        raise ProofError("the size of an alphabet is not known")
    return Symbol(f"dim_{space}", positive=True, integer=True)


def identity(space: Space) -> Expr:
    """Return the identity of a space: of a product the product of identities, of a sum the sum of their blocks."""
    if isinstance(space, tuple) and space[0] == "tensor":
        out = identity(space[1])
        for s in space[2:]:
            out = Kron(out, identity(s))
        return out
    if isinstance(space, tuple) and space[0] == "sum":
        return Add(*(Block(i, identity(s)) for i, s in enumerate(space[1:])))
    if isinstance(space, tuple):
        raise ProofError("the identity of an alphabet")
    return _atom(f"Id_{space}", Known(space, dimension(space), Integer(1)), CASE.get())


def is_operator(e: Expr) -> bool:
    """Return whether an expression contains an operator outside the numbers made of operators, such as traces."""
    if isinstance(e, Moment | Trace | Largest | PositiveTrace | Pairing | DualFunctional | PetzMoment):
        return False
    if isinstance(e, Symbol):
        return e.is_commutative is False
    return any(is_operator(a) for a in e.args)


@cache
def terms(e: Expr) -> tuple[tuple[Expr, Expr], ...]:
    """Return the coefficients and atoms of an operator, which is the sum of their products."""
    out = []
    for term in Add.make_args(algebra.expand(e)):
        if term == 0:
            continue
        factors = Mul.make_args(term)
        atoms = [f for f in factors if is_operator(f)]
        if len(atoms) != 1:
            raise ProofError(f"{term} is no number times an operator")
        out.append((Mul(*(f for f in factors if f is not atoms[0])), atoms[0]))
    return tuple(out)


def linear(e: Expr, f: Callable[[Expr], Expr]) -> Expr:
    """A linear map of operators, given on atoms."""
    out = []
    for c, atom in terms(e):
        if isinstance(atom, Total):
            out.append(c * Total(linear(atom.args[0], f), *atom.args[1:]))
        else:
            out.append(c * f(atom))
    return algebra.expand(Add(*out))


class _Linear(Expr):
    """An atom that depends linearly on other atoms."""

    is_commutative = False


class Kron(_Linear):
    """X (x) Y."""

    def __new__(cls, x: Any, y: Any) -> Any:
        x, y = sympy.sympify(x), sympy.sympify(y)
        pairs = [(c * d, a, b) for c, a in terms(x) for d, b in terms(y)]
        if len(pairs) == 1 and pairs[0][0] == 1:
            return Expr.__new__(cls, *pairs[0][1:])
        return Add(*(c * Expr.__new__(cls, a, b) for c, a, b in pairs))


class Block(_Linear):
    """X as the i-th diagonal block."""

    def __new__(cls, i: Any, x: Any) -> Any:
        parts = terms(sympy.sympify(x))
        if len(parts) == 1 and parts[0][0] == 1:
            return Expr.__new__(cls, sympy.sympify(i), parts[0][1])
        return Add(*(c * Expr.__new__(cls, sympy.sympify(i), a) for c, a in parts))


class Seen(_Linear):
    """The image of X under a named positive map: U X U^*, Phi(X) or P X P."""

    def __new__(cls, name: Any, x: Any) -> Any:
        parts = terms(sympy.sympify(x))
        if len(parts) == 1 and parts[0][0] == 1:
            return Expr.__new__(cls, name, parts[0][1])
        return Add(*(c * Expr.__new__(cls, name, a) for c, a in parts))


def trace(e: Expr) -> Expr:
    """Its trace."""
    out = []
    for c, atom in collected(e):
        c = algebra.factor(c)
        if isinstance(atom, Total):
            out.append(c * Total(trace(atom.args[0]), *atom.args[1:]))
        elif isinstance(atom, Kron):
            out.append(c * trace(atom.args[0]) * trace(atom.args[1]))
        elif isinstance(atom, Block):
            out.append(c * trace(atom.args[1]))
        elif isinstance(atom, Seen):
            out.append(c * _trace_seen(atom))
        else:
            out.append(c * _known(atom).trace)
    whole = Add(*out)
    return whole if whole.has(Opaque) else algebra.cancel(whole)


def _trace_seen(atom: Seen) -> Expr:
    name, x = atom.args
    if name.name.startswith(("channel:", "unitary:")):  # these keep the trace
        return trace(x)
    if name.name.startswith("half1:"):
        return trace(x) - Trace(Seen(Symbol(name.name.replace("half1:", "half0:")), x))
    return Trace(atom)


def _known(atom: Expr) -> Known:
    known = CASE.get().operators.get(atom)
    if known is None:
        raise ProofError(f"{atom} is no operator of this case")
    return known


class Moment(Opaque):
    """tr (B^s A B^s)^alpha, s = (1 - alpha) / (2 alpha), in a case where it is positive and finite."""

    def __new__(cls, a: Any, b: Any, order: Any) -> Any:
        return Expr.__new__(cls, canonical(sympy.sympify(a)), canonical(sympy.sympify(b)), algebra.cancel(order))

    def _eval_is_positive(self) -> bool:
        return True


class Trace(Opaque):
    """The trace of a positive operator that may be zero."""

    def _eval_is_nonnegative(self) -> bool:
        return True


class Largest(Opaque):
    """The largest eigenvalue of a Hermitian operator."""


class PositiveTrace(Opaque):
    """The trace of the positive part of a Hermitian operator."""

    def _eval_is_nonnegative(self) -> bool:
        return True


class PetzMoment(Opaque):
    """tr A^alpha B^(1 - alpha), in a case where it is positive and finite."""

    def _eval_is_positive(self) -> bool:
        return True


class Pairing(Opaque):
    """tr X Y of two positive operators."""

    def _eval_is_nonnegative(self) -> bool:
        return True


class DualFunctional(Opaque):
    """f(B) = tr (H^(1/2) B^r H^(1/2))^(1/r), r = (alpha - 1) / alpha, of positive operators, alpha > 1."""

    def _eval_is_nonnegative(self) -> bool:
        return True


@cache
def canonical(e: Expr) -> Expr:
    """Return the canonical form of an operator: each atom once, with its coefficient in lowest terms."""
    return Add(*(algebra.cancel(c) * atom for c, atom in collected(e)))


def collected(e: Expr) -> list[tuple[Expr, Expr]]:
    """Return `terms` with each atom once."""
    found: dict[Expr, list[Expr]] = {}
    for c, atom in terms(e):
        found.setdefault(atom, []).append(c)
    return [(Add(*cs), atom) for atom, cs in found.items()]
