"""Maps of operators: channels, partial traces, pinchings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sympy import Add, Expr, Symbol

from verification.proof import ProofError
from verification.provers.operators.expressions import Block, Kron, Seen, Space, _known, identity, linear, trace
from verification.provers.operators.operator import Features, Operator, _basis, _parts, _range_of
from verification.provers.operators.positivity import psd
from verification.provers.symbols import CASE

_SEAL = object()


@dataclass(frozen=True)
class Map:
    """A map of letters to letters of another alphabet."""

    name: str
    source: Symbol
    target: Symbol


@dataclass(frozen=True)
class SymbolicChannel:
    """A channel: a map of atoms, extended linearly, and a map of spaces. Only the functions of this package make one.

    Raises
    ------
    ProofError
        It was made elsewhere.
    """

    on: Callable[[Expr], Expr]
    onto: Callable[[Space], Space]
    seal: object = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.seal is not _SEAL:
            raise ProofError("a map that is not known to be a channel")
        object.__setattr__(self, "seal", None)

    def __call__(self, x: Operator) -> Operator:
        return Operator(linear(x.e, self.on), self.onto(x.space))


def traced_out(second: bool = True) -> SymbolicChannel:
    """Return the partial trace over one factor of a tensor product, by default the second."""
    kept, gone = (0, 1) if second else (1, 0)

    def on(atom: Expr) -> Expr:
        if not isinstance(atom, Kron):
            raise ProofError(f"{atom} is no tensor product")
        return atom.args[kept] * trace(atom.args[gone])

    return SymbolicChannel(on, lambda s: _parts(s, "tensor")[kept], _SEAL)


def added_up() -> SymbolicChannel:
    """Return the sum of the diagonal blocks, all on one space: the partial trace over the label of the block."""

    def on(atom: Expr) -> Expr:
        if not isinstance(atom, Block):
            raise ProofError(f"{atom} is no block")
        return atom.args[1]

    def onto(space: Space) -> Space:
        parts = _parts(space, "sum")
        if len(set(parts)) != 1:
            raise ProofError("blocks on different spaces")
        return parts[0]

    return SymbolicChannel(on, onto, _SEAL)


def kept() -> SymbolicChannel:
    """Return the identity channel."""
    return SymbolicChannel(lambda atom: atom, lambda space: space, _SEAL)


def each_block(*channels: SymbolicChannel) -> SymbolicChannel:
    """Return the sum of one channel for each diagonal block, all into one space: the label of the block selects it."""

    def on(atom: Expr) -> Expr:
        if not isinstance(atom, Block) or int(atom.args[0]) >= len(channels):
            raise ProofError(f"{atom} is no block of these")
        return linear(atom.args[1], channels[int(atom.args[0])].on)

    def onto(space: Space) -> Space:
        spaces = {c.onto(s) for c, s in zip(channels, _parts(space, "sum"), strict=True)}
        if len(spaces) != 1:
            raise ProofError("blocks that go to different spaces")
        return spaces.pop()

    return SymbolicChannel(on, onto, _SEAL)


def prepared(phi: Features) -> SymbolicChannel:
    """Measure the letter and prepare phi(x) phi(x)^*, on classical states or a classical first factor.

    Other positive operators of trace 1 may take the place of phi(x) phi(x)^*.
    """
    (alphabet,) = phi.axes
    psd(Operator(phi.e, phi.space))
    if trace(phi.e) != 1 or not CASE.get().ranges(phi.e) <= {alphabet}:
        raise ProofError(f"{phi.e} is no state for every letter")
    basis = _basis(alphabet)

    def on(atom: Expr) -> Expr:
        if atom == basis:
            return phi.e
        if isinstance(atom, Kron) and atom.args[0] == basis:
            return Kron(phi.e, atom.args[1])
        raise ProofError(f"{atom} is no letter")

    def onto(space: Space) -> Space:
        if space == ("letters", alphabet):
            return phi.space
        first, second = _parts(space, "tensor")
        if first != ("letters", alphabet):
            raise ProofError("no letters of that alphabet")
        return ("tensor", phi.space, second)

    return SymbolicChannel(on, onto, _SEAL)


def turned(name: str, back: bool = False) -> SymbolicChannel:
    """Return the map X -> U X U^* for a unitary U, or X -> U^* X U."""
    here, there = f"unitary:{name}", f"unitary:{name}^-1"
    if back:
        here, there = there, here

    def on(atom: Expr) -> Expr:
        if isinstance(atom, Symbol) and atom == identity(_known(atom).space):
            return atom
        if isinstance(atom, Seen) and atom.args[0] == Symbol(there):
            return atom.args[1]
        return Seen(Symbol(here), atom)

    return SymbolicChannel(on, lambda s: s, _SEAL)


def pinched(name: str) -> SymbolicChannel:
    """X -> P X P (+) (1 - P) X (1 - P) for a projection P; each half of the identity is the identity of its range."""

    def on(atom: Expr) -> Expr:
        return Add(*(Block(i, _compressed(name, i, atom)) for i in range(2)))

    return SymbolicChannel(on, lambda s: ("sum", *(_range_of(name, i, s) for i in range(2))), _SEAL)


def _compressed(name: str, half: int, atom: Expr) -> Expr:
    if isinstance(atom, Symbol) and atom == identity(_known(atom).space):
        return identity(_range_of(name, half, _known(atom).space))
    return Seen(Symbol(f"half{half}:{name}"), atom)


@dataclass(frozen=True)
class Unitary:
    """A unitary, known by its name only."""

    name: str


@dataclass(frozen=True)
class Projection:
    """A projection, known by its name only."""

    name: str
