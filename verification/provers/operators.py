"""Positive operators on symbols: states, covariance operators, channels, and the vocabulary's functions of them.

An operator is a linear combination of atoms, noncommuting symbols that are known to be positive semidefinite: a state,
the projection phi(x) phi(x)^* at a generic letter, an identity, a tensor product or a block of such. A covariance
operator is the total over letters of a weight times a projection. Numbers see of an operator only what is made of it
here: its trace, and `Moment`s, tr (B^s A B^s)^alpha, which a case takes to be positive and finite, zero, or infinite.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import sympy
from sympy import Add, Expr, Integer, Mul, Symbol

from verification.instances import Channels, CommutingPairs, Maps, Projections, States, Unitaries, Vectors
from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.kinds import BUILDERS, MEMBERS, WORDS, _alphabet, _Several, _sign
from verification.provers.scalars import Opaque, nonnegative, seen_nonnegative, settle
from verification.provers.symbols import CASE, Case, Letters, Total, _array, expression
from verification.provers.symbols import at as at_letter

_SEAL = object()

Space = Any  # a symbol, or ("tensor" or "sum", space, space, ...), or ("letters", alphabet)


@dataclass(frozen=True)
class Known:
    """What is known of a positive atom: where it acts, its trace, and a bound of its largest eigenvalue."""

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
    """A positive number: of a sum or product of spaces, the sum or product."""
    if isinstance(space, tuple) and space[0] in ("tensor", "sum"):
        parts = [dimension(s) for s in space[1:]]
        return Mul(*parts) if space[0] == "tensor" else Add(*parts)
    if isinstance(space, tuple):
        raise ProofError("the size of the alphabet is looked at")
    return Symbol(f"dim_{space}", positive=True, integer=True)


def identity(space: Space) -> Expr:
    """The identity: of a product the product of identities, of a sum their blocks."""
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
    """Has an expression an operator in it, outside of numbers made of one?"""
    if isinstance(e, Moment | Trace | Largest | PositiveTrace | Pairing | DualFunctional | PetzMoment):
        return False
    if isinstance(e, Symbol):
        return e.is_commutative is False
    return any(is_operator(a) for a in e.args)


def terms(e: Expr) -> list[tuple[Expr, Expr]]:
    """An operator as a sum: numbers and atoms."""
    out = []
    for term in Add.make_args(algebra.expand(e)):
        if term == 0:
            continue
        factors = Mul.make_args(term)
        atoms = [f for f in factors if is_operator(f)]
        if len(atoms) != 1:
            raise ProofError(f"{term} is no number times an operator")
        out.append((Mul(*(f for f in factors if f is not atoms[0])), atoms[0]))
    return out


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
    """An atom made of others, linearly."""

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
    """X seen through a positive map that has a name: U X U^*, Phi(X), P X P."""

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
    """Where an atom that is no sum, block or product acts, or what its image under a map with a name acts on."""
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
    """A positive operator, or a difference of such, as an array (batch, dim, dim) stands for it.

    Raises
    ------
    ProofError
        An atom of it does not act on the space.
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
        """Not to be looked at."""
        raise ProofError("the dimension is looked at: use k.dimension")

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        raise ProofError(f"numpy.{function.__name__} of operators")


class Features:
    """Unit vectors phi(x), one for every letter: the projection phi(x) phi(x)^* at a generic one."""

    __array_ufunc__ = None

    def __init__(self, e: Any, space: Space, axes: tuple[Symbol, ...]) -> None:
        self.e, self.space, self.axes = sympy.sympify(e), space, axes


@dataclass(frozen=True)
class Map:
    """A map of letters to letters of another alphabet."""

    name: str
    source: Symbol
    target: Symbol


@dataclass(frozen=True)
class SymbolicChannel:
    """A channel: a map of atoms, extended linearly, and of spaces. Only the functions of this module make one.

    Raises
    ------
    ProofError
        It is made elsewhere.
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
    """The partial trace over one factor of a tensor product, the second unless told."""
    kept, gone = (0, 1) if second else (1, 0)

    def on(atom: Expr) -> Expr:
        if not isinstance(atom, Kron):
            raise ProofError(f"{atom} is no tensor product")
        return atom.args[kept] * trace(atom.args[gone])

    return SymbolicChannel(on, lambda s: _parts(s, "tensor")[kept], _SEAL)


def added_up() -> SymbolicChannel:
    """The sum of the diagonal blocks, all on one space: the partial trace over the label of the block."""

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
    """The identity channel."""
    return SymbolicChannel(lambda atom: atom, lambda space: space, _SEAL)


def each_block(*channels: SymbolicChannel) -> SymbolicChannel:
    """One channel for each diagonal block, all into one space, and the sum: the label of the block decides."""

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

    Any positive operators of trace 1 may stand in the place of phi(x) phi(x)^*.
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
    """U . U^* for a unitary U, or U^* . U."""
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
    """|x><x| at a generic letter."""
    return _atom(f"E_{alphabet}", Known(("letters", alphabet), Integer(1), Integer(1)), CASE.get(), alphabet)


def classical(w: Letters) -> Operator:
    """Weights as a diagonal operator."""
    (axis,) = w.axes
    (alphabet,) = axis
    return Operator(Total(w.e * _basis(alphabet), alphabet), ("letters", alphabet))


def diagonal(x: Operator) -> Letters | None:
    """The weights of a diagonal operator."""
    if not (isinstance(x.space, tuple) and x.space[0] == "letters"):
        return None
    alphabet, w = x.space[1], Integer(0)
    for c, atom in terms(x.e):
        if not isinstance(atom, Total) or atom.args[1:] != (alphabet,):
            raise ProofError(f"{atom} is no diagonal operator")
        ((weight, _),) = terms(atom.args[0])
        w += c * weight
    return Letters(w, [(alphabet,)])


# Numbers made of operators


class Moment(Opaque):
    """tr (B^s A B^s)^alpha, s = (1 - alpha) / (2 alpha), where the case takes it to be positive and finite."""

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
    """tr A^alpha B^(1 - alpha), where the case takes it to be positive and finite."""

    def _eval_is_positive(self) -> bool:
        return True


def petz_moment(a: Operator, b: Operator, order: Expr) -> Expr:
    """tr A^alpha B^(1 - alpha) in the case at hand, below order 1: a positive `PetzMoment`, or 0."""
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


class Pairing(Opaque):
    """tr X Y of two positive operators."""

    def _eval_is_nonnegative(self) -> bool:
        return True


class DualFunctional(Opaque):
    """f(B) = tr (H^(1/2) B^r H^(1/2))^(1/r), r = (alpha - 1) / alpha, of positive operators, alpha > 1."""

    def _eval_is_nonnegative(self) -> bool:
        return True


def pairing(x: Operator, y: Operator) -> Expr:
    """tr X Y, bilinear: with an identity it is the trace of the other one."""
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
    """Raise where a moment would be another one at every letter: no case may say of all of them what it is."""
    for v in values:
        if CASE.get().ranges(v):
            raise ProofError(f"{v} varies over the letters")


def moment(a: Operator, b: Operator, order: Expr, follows: Expr | None = None) -> Expr:
    """tr (B^s A B^s)^alpha in the case at hand: a positive `Moment`, 0 (below order 1 only) or oo (above only).

    Of block diagonal operators it is the sum of the blocks' moments. `follows` is a moment, of operators that give the
    same supports, whose being 0, positive or infinite is this one's.
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


def _blocks(x: Operator) -> list[Operator]:
    """The diagonal blocks of an operator on a sum of spaces."""
    parts: list[Expr] = [Integer(0)] * (len(x.space) - 1)
    for c, atom in terms(x.e):
        ((weight, block),) = terms(atom.args[0]) if isinstance(atom, Total) else [(Integer(1), atom)]
        if not isinstance(block, Block):
            raise ProofError(f"{atom} is no block")
        inner = weight * block.args[1]
        parts[int(block.args[0])] += c * (Total(inner, *atom.args[1:]) if isinstance(atom, Total) else inner)
    return [Operator(e, space) for e, space in zip(parts, x.space[1:], strict=True)]


def _full(b: Operator) -> bool:
    """Is an operator seen to be at least a positive multiple of the identity?"""
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


@cache
def canonical(e: Expr) -> Expr:
    """An operator written in one way: each atom once, its number cancelled."""
    return Add(*(algebra.cancel(c) * atom for c, atom in collected(e)))


def collected(e: Expr) -> list[tuple[Expr, Expr]]:
    """`terms`, each atom once."""
    found: dict[Expr, list[Expr]] = {}
    for c, atom in terms(e):
        found.setdefault(atom, []).append(c)
    return [(Add(*cs), atom) for atom, cs in found.items()]


def psd(x: Operator) -> None:
    """Raise unless an operator is seen to be positive semidefinite.

    Each block and each image under a positive map is looked at apart. Of what is left, positive multiples of atoms are
    dropped; from below a negative one is bounded by the atom's largest eigenvalue, and the total over letters of a
    weight times a projection by minus the total of the weight's negative part; the identity must make up for these.
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
    """Raise unless a number is seen to be nonnegative, or a multiple of, or above, what the case assumes to be so."""
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
    """A number that a positive atom is at most, times the identity."""
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
    """Raise unless a weight is seen to be nonnegative at every letter: in every pattern of zeros, or as a fact."""
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


def _mass(a: Operator) -> Expr:
    """The trace of an operator that is seen not to be zero: only of such is a divergence defined."""
    mass = trace(a.e)
    if not seen_nonnegative(mass, strict=True) and not CASE.get().holds(sympy.Gt(mass, 0, evaluate=False)):
        raise ProofError(f"the divergence of {a.e}, which may be zero")
    return mass


def divergence(q: Expr, mass: Expr, order: Expr) -> Expr:
    """log(q / mass) / (order - 1) of a moment, in the extended numbers."""
    if q == sympy.oo or q == 0:
        return sympy.oo
    return (sympy.log(q) - sympy.log(mass)) / (order - 1)


def sandwiched(a: Operator, b: Operator, order: Expr, lam: Any = 0) -> Expr:
    """The sandwiched Renyi divergence of operators."""
    if lam != 0:
        b = b + Operator(lam * identity(b.space), b.space)
    return divergence(moment(a, b, order), _mass(a), order)


class OperatorVocabulary:
    """The vocabulary of operators, on symbols."""

    def covariance(self, phi: Features, p: Letters) -> Operator:
        """sum p(x) phi(x) phi(x)^*."""
        if p.axes != (phi.axes,):
            raise ProofError("weights and features of different alphabets")
        return Operator(Total(p.e * phi.e, *phi.axes), phi.space)

    def tensor(self, x: Features, y: Features) -> Features:
        """phi(x) (x) psi(x)."""
        if x.axes != y.axes:
            raise ProofError("features of different alphabets")
        return Features(Kron(x.e, y.e), ("tensor", x.space, y.space), x.axes)

    def pulled(self, psi: Features, g: Map) -> Features:
        """psi(g(x))."""
        if psi.axes != (g.target,):
            raise ProofError("a map into another alphabet")
        case = CASE.get()
        name = Symbol(f"{psi.e}_of_{g.name}", commutative=False)
        known = Known(psi.space, Integer(1), Integer(1))
        return Features(_atom(str(name), known, case, g.source), psi.space, (g.source,))

    def kron(self, x: Operator, y: Operator) -> Operator:
        """X (x) Y."""
        return Operator(Kron(x.e, y.e), ("tensor", x.space, y.space))

    def direct_sum(self, x: Operator, y: Operator) -> Operator:
        """X (+) Y."""
        return Operator(Block(0, x.e) + Block(1, y.e), ("sum", x.space, y.space))

    def complement(self, x: Operator) -> Operator:
        """1 - X, which is positive where X <= 1: an atom of its own."""
        case = CASE.get()
        ((c, atom),) = terms(x.e)
        if c != 1 or not isinstance(atom, Symbol) or case.operators[atom].bound != 1:
            raise ProofError(f"{x.e} is not seen to be at most 1")
        known = Known(x.space, dimension(x.space) - case.operators[atom].trace, Integer(1))
        return Operator(_atom(f"complement_{atom}", known, case, *case.ranges(atom)), x.space)

    def conjugated(self, x: Operator, unitary: Unitary) -> Operator:
        """U X U^*."""
        return turned(unitary.name)(x)

    def compressed(self, x: Operator, projection: Projection) -> Operator:
        """P X P, on the range of P."""
        on = lambda atom: _compressed(projection.name, 0, atom)  # noqa: E731
        return Operator(linear(x.e, on), _range_of(projection.name, 0, x.space))

    def trace(self, x: Operator) -> Any:
        """Its trace."""
        return _array(trace(x.e))

    def dimension(self, x: Features) -> Any:
        """The dimension of the space that the features lie in."""
        return dimension(x.space)

    def largest_eigenvalue(self, x: Operator) -> Any:
        """The largest eigenvalue of a Hermitian operator."""
        return _array(Largest(x.e))

    def log_mixture(self, part: Any, x: Any, y: Any) -> Any:
        """log(part e^x + (1 - part) e^y)."""
        t, u, v = (expression(w) for w in (part, x, y))
        return _array(_log(t * _exp(u) + (1 - t) * _exp(v)))

    def sandwiched_renyi(self, rho: Any, sigma: Any, alpha: Any, regularization: Any = 0) -> Any:
        """log(tr (B^s A B^s)^alpha / tr A) / (alpha - 1), B = sigma + lambda."""
        order, lam = expression(alpha), expression(regularization)
        if isinstance(rho, np.ndarray):
            if rho.shape != (1, 1, 1) or sigma.shape != (1, 1, 1):
                raise ProofError("matrices written out")
            a, b = expression(rho), expression(sigma) + lam
            if not (seen_nonnegative(a, strict=True) and seen_nonnegative(b, strict=True)):
                raise ProofError("numbers that may be zero")
            return _array(sympy.log(a) - sympy.log(b))
        return _array(sandwiched(rho, sigma, order, lam))

    def petz_renyi(self, rho: Operator, sigma: Operator, alpha: Any) -> Any:
        """log(tr A^alpha B^(1 - alpha) / tr A) / (alpha - 1); of blocks that of the one where A is not zero."""
        a, b, order = rho, sigma, expression(alpha)
        if a.space != b.space:
            raise ProofError("operators on different spaces")
        if isinstance(a.space, tuple) and a.space[0] == "sum":
            parts = [(x, y) for x, y in zip(_blocks(a), _blocks(b), strict=True) if x.e != 0]
            if len(parts) != 1:
                raise ProofError("several blocks")
            for x in _blocks(b):
                psd(x)
            return self.petz_renyi(*parts[0], alpha)
        return _array(divergence(petz_moment(a, b, order), trace(a.e), order))

    def sandwiched_moment(self, a: Operator, b: Operator, alpha: Any, regularization: Any = 0) -> Any:
        """tr (B^s A B^s)^alpha of B + lambda."""
        lam = expression(regularization)
        lifted = b if lam == 0 else b + Operator(lam * identity(b.space), b.space)
        return _array(moment(a, lifted, expression(alpha)))

    def pairing(self, x: Operator, y: Operator) -> Any:
        """tr X Y."""
        return _array(pairing(x, y))

    def dual_functional(self, h: Operator, b: Operator, alpha: Any) -> Any:
        """f(B) = tr (H^(1/2) B^r H^(1/2))^(1/r), r = (alpha - 1) / alpha."""
        order = expression(alpha)
        _above_one(order)
        if h.space != b.space:
            raise ProofError("operators on different spaces")
        psd(h)
        psd(b)
        return _array(DualFunctional(canonical(h.e), canonical(b.e), algebra.cancel(order)))

    def dual_gradient(self, h: Operator, base: Operator, shift: Any, alpha: Any) -> Operator:
        """Of the dual functional at base + shift: a positive operator, as the functional rises with B."""
        order, more, case = algebra.cancel(expression(alpha)), expression(shift), CASE.get()
        _above_one(order)
        if h.space != base.space or not isinstance(h.space, Symbol):
            raise ProofError("operators on different spaces, or on a product or a sum")
        if any(case.ranges(e) for e in (h.e, base.e, more, order)):
            raise ProofError("a gradient that varies over the letters")
        if not seen_nonnegative(more, strict=True):
            raise ProofError(f"{more} is not seen to be positive")
        psd(h)
        psd(base)
        at = canonical((base + Operator(more * identity(base.space), base.space)).e)
        name = f"gradient[{sympy.srepr((canonical(h.e), at, order))}]"
        return Operator(_atom(name, Known(h.space, Trace(Symbol(name, commutative=False))), case), h.space)

    def quantum_hockey_stick(self, rho: Operator, sigma: Operator, epsilon: Any) -> Any:
        """tr (A - e^epsilon B)_+."""
        return _array(PositiveTrace((rho - sigma * sympy.exp(expression(epsilon))).e))


def _exp(x: Expr) -> Expr:
    """e^x of a sum of logarithms and numbers, or of an infinity."""
    return (
        sympy.powsimp(sympy.exp(algebra.expand(algebra.cancel(x)))) if x not in (sympy.oo, -sympy.oo) else sympy.exp(x)
    )


def _log(x: Expr) -> Expr:
    return -sympy.oo if x == 0 else sympy.log(x)


@dataclass(frozen=True)
class Unitary:
    """A unitary of a name."""

    name: str


@dataclass(frozen=True)
class Projection:
    """A projection of a name."""

    name: str


# Kinds


def _space(dim: int | None) -> Symbol:
    return Symbol(f"H{dim or ''}")


def _states(name: str, kind: States, case: Case) -> tuple[list[Operator], list[Operator]]:
    atoms = []
    for i in range(kind.count):
        mass = Integer(1) if kind.normalised else Symbol(f"{name}{i}_trace", positive=True)
        bound = Integer(1) if kind.normalised or (kind.contractions and i) else None
        atoms.append(_atom(f"{name}{i}", Known(_space(kind.dim), mass, bound), case))
    out = [Operator(a, _space(kind.dim)) for a in atoms]
    return out, out


def _vectors(name: str, kind: Vectors, case: Case) -> tuple[Features, Features]:
    alphabet = _alphabet(kind.count)
    atom = _atom(f"{name}_P", Known(_space(kind.dim), Integer(1), Integer(1)), case, alphabet)
    features = Features(atom, _space(kind.dim), (alphabet,))
    return features, features


def _maps(name: str, kind: Maps, case: Case) -> tuple[Any, Any]:
    if kind.size == 1:
        return _sign(name, kind, case)
    maps = [Map(f"{name}{i}", _alphabet(kind.size), _alphabet(kind.image)) for i in range(kind.count)]
    return _Several(maps), maps


def _channel(name: str, kind: Channels, case: Case) -> tuple[SymbolicChannel, SymbolicChannel]:
    out = SymbolicChannel(lambda atom: Seen(Symbol(f"channel:{name}"), atom), lambda s: _image(name, s), _SEAL)
    return out, out


BUILDERS.update(
    {
        States: _states,
        Vectors: _vectors,
        Maps: _maps,
        Channels: _channel,
        Unitaries: lambda name, kind, case: (Unitary(name), Unitary(name)),
        Projections: lambda name, kind, case: (Projection(name), Projection(name)),
    }
)


def _member_states(kind: States, x: Any, case: Case) -> None:
    if kind.normalised or kind.contractions or kind.dim is not None or len(x) != kind.count:
        raise ProofError("states of another kind")
    for a in x:
        if not isinstance(a, Operator) or not seen_nonnegative(trace(a.e), strict=True) or a.space != x[0].space:
            raise ProofError("a state is wanted, not zero")
        psd(a)


def _member_channel(kind: Channels, x: Any, case: Case) -> None:
    if not isinstance(x, SymbolicChannel):
        raise ProofError("no channel")


def commute(x: Expr, y: Expr) -> bool:
    """Are two operators seen to commute, atom by atom? The same do, an identity does, and products factor by factor."""
    return all(_commute(a, b) for _, a in terms(x) for _, b in terms(y))


def _commute(a: Expr, b: Expr) -> bool:
    if a == b:
        return True
    if isinstance(a, Kron) and isinstance(b, Kron):
        return all(_commute(x, y) for x, y in zip(a.args, b.args, strict=True))
    return any(isinstance(x, Symbol) and not CASE.get().ranges(x) and x == identity(_known(x).space) for x in (a, b))


def _member_commuting(kind: CommutingPairs, x: Any, case: Case) -> None:
    b, more = x
    if b.space != more.space or not commute(b.e, more.e):
        raise ProofError("operators that are not seen to commute")
    psd(b)
    psd(more)


MEMBERS.update({States: _member_states, Channels: _member_channel, CommutingPairs: _member_commuting})


def _words_of_states(kind: States) -> str:
    extra = (" of trace 1" if kind.normalised else "") + (", all but the first at most Id" if kind.contractions else "")
    return f"{kind.count} nonzero positive operator{'s' if kind.count > 1 else ''}{extra} of any finite dimension"


WORDS.update(
    {
        States: _words_of_states,
        Vectors: lambda k: "unit vectors, one a letter, of any finite dimension",
        Maps: lambda k: f"in {{0, ..., {k.image - 1}}}" if k.size == 1 else "maps between any finite alphabets",
        Channels: lambda k: "every channel between finite dimensions",
        Unitaries: lambda k: "every unitary",
        Projections: lambda k: "every projection",
    }
)

__all__ = ["Features", "Map", "Operator", "OperatorVocabulary", "SymbolicChannel"]
