"""Operators: an expression and the space on which it acts."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr, Integer, Symbol

from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.operators.expressions import (
    Block,
    Known,
    Kron,
    Seen,
    Space,
    _atom,
    _known,
    is_operator,
    terms,
)
from verification.provers.symbols import CASE, Total
from verification.provers.values import Letters, expression


def _acts_on(e: Expr, space: Space) -> None:
    """Raise unless every atom of an operator acts on a space."""
    for _, atom in terms(e):
        if isinstance(atom, Total):
            _acts_on(atom.args[0], space)
        elif isinstance(atom, Block):
            parts, index = _parts(space, "sum"), int(atom.args[0])
            if index >= len(parts):
                raise ProofError(f"{atom} is no block of these")
            _acts_on(atom.args[1], parts[index])
        elif isinstance(atom, Kron):
            parts = _parts(space, "tensor")
            if len(parts) != 2:
                raise ProofError(f"{atom} is a product of two")
            for x, part in zip(atom.args, parts, strict=True):
                _acts_on(x, part)
        elif _home(atom) != space:
            raise ProofError(f"{atom} does not act on {space}")


def _home(atom: Expr) -> Space:
    """Return the space on which an atom, or its image under a named map, acts; not for sums, blocks and products."""
    if not isinstance(atom, Seen):
        return _known(atom).space
    kind, _, name = atom.args[0].name.partition(":")
    x = atom.args[1]
    space = ("tensor", *map(_home, x.args)) if isinstance(x, Kron) else _home(x)
    if kind == "unitary":
        return space
    if kind == "channel":
        return _image(name, space)
    if kind in ("half0", "half1"):
        return _range_of(name, int(kind[-1]), space)
    raise ProofError(f"{atom} is seen through no map that is known")


class Operator:
    """A positive operator, or a difference of such operators, in place of an array (batch, dim, dim).

    Raises
    ------
    ProofError
        One of its atoms does not act on the space.
    """

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, e: Any, space: Space) -> None:
        self.e, self.space = algebra.expand(sympy.sympify(e)), space
        _acts_on(self.e, space)

    def _other(self, other: Any) -> Expr:
        if not isinstance(other, Operator) or other.space != self.space:
            raise ProofError("operators on different spaces")
        return other.e

    def __add__(self, other: Any) -> Operator:
        return Operator(self.e + self._other(other), self.space)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Operator:
        return Operator(self.e - self._other(other), self.space)

    def __mul__(self, other: Any) -> Operator:
        if isinstance(other, Operator):
            raise ProofError("a product of operators")
        c = expression(other)
        if is_operator(c) or CASE.get().ranges(c):
            raise ProofError(f"{c} is no number")
        return Operator(c * self.e, self.space)

    __rmul__ = __mul__

    def __neg__(self) -> Operator:
        return Operator(-self.e, self.space)

    def __truediv__(self, other: Any) -> Operator:
        return self * (1 / expression(other))

    @property
    def shape(self) -> Any:
        """Raise ProofError, because the dimension of an operator is not known."""
        raise ProofError("the dimension is looked at: use k.dimension")

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        raise ProofError(f"numpy.{function.__name__} of operators")


class Features:
    """Unit vectors phi(x), one for every letter: the projection phi(x) phi(x)^* at a generic one."""

    __array_ufunc__ = None

    def __init__(self, e: Any, space: Space, axes: tuple[Symbol, ...]) -> None:
        self.e, self.space, self.axes = sympy.sympify(e), space, axes


def _range_of(name: str, half: int, space: Space) -> Space:
    if not isinstance(space, Symbol):
        raise ProofError("a projection on a product or a sum")
    return Symbol(f"{space}_{name}_{half}")


def _image(name: str, space: Space) -> Space:
    return Symbol(f"{name}_of_{space}")


def _parts(space: Space, kind: str) -> tuple[Space, ...]:
    if not (isinstance(space, tuple) and space[0] == kind):
        raise ProofError(f"a {kind} of spaces is wanted")
    return space[1:]


def _basis(alphabet: Symbol) -> Symbol:
    """Return |x><x| at a generic letter x."""
    return _atom(f"E_{alphabet}", Known(("letters", alphabet), Integer(1), Integer(1)), CASE.get(), alphabet)


def classical(w: Letters) -> Operator:
    """Return the diagonal operator with these weights."""
    (axis,) = w.axes
    (alphabet,) = axis
    return Operator(Total(w.e * _basis(alphabet), alphabet), ("letters", alphabet))


def diagonal(x: Operator) -> Letters | None:
    """Return the weights of a diagonal operator."""
    if not (isinstance(x.space, tuple) and x.space[0] == "letters"):
        return None
    alphabet, w = x.space[1], Integer(0)
    for c, atom in terms(x.e):
        if not isinstance(atom, Total) or atom.args[1:] != (alphabet,):
            raise ProofError(f"{atom} is no diagonal operator")
        ((weight, _),) = terms(atom.args[0])
        w += c * weight
    return Letters(w, [(alphabet,)])


def _blocks(x: Operator) -> list[Operator]:
    """Return the diagonal blocks of an operator on a sum of spaces."""
    parts: list[Expr] = [Integer(0)] * (len(x.space) - 1)
    for c, atom in terms(x.e):
        ((weight, block),) = terms(atom.args[0]) if isinstance(atom, Total) else [(Integer(1), atom)]
        if not isinstance(block, Block):
            raise ProofError(f"{atom} is no block")
        inner = weight * block.args[1]
        parts[int(block.args[0])] += c * (Total(inner, *atom.args[1:]) if isinstance(atom, Total) else inner)
    return [Operator(e, space) for e, space in zip(parts, x.space[1:], strict=True)]
