"""Symbols for the kinds of operators, and tests of whether a value is in such a kind."""

from __future__ import annotations

from typing import Any

from sympy import Integer, Symbol

from verification.instances import Channels, CommutingPairs, Maps, Projections, States, Unitaries, Vectors
from verification.proof import ProofError
from verification.provers.kinds import BUILDERS, MEMBERS, WORDS, _alphabet, _Several, _sign
from verification.provers.operators.channels import _SEAL, Map, Projection, SymbolicChannel, Unitary
from verification.provers.operators.expressions import Known, Seen, _atom, trace
from verification.provers.operators.operator import Features, Operator, _image
from verification.provers.operators.positivity import commute, psd
from verification.provers.scalars import seen_nonnegative
from verification.provers.symbols import Case


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
