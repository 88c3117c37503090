"""Proofs by exhaustion: both sides of every instance in ball arithmetic, for kinds that have finitely many."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import ctx

from krdtheory.arithmetic.ball import UndecidedError
from verification.instances import Integers, Kind, Maps, Raw, build, legal
from verification.proof import Derivation, ProofError, Prover
from verification.rigorous import RIGOROUS, RigorousVocabulary
from verification.vocabulary import NoneAssumed

if TYPE_CHECKING:
    from verification.claim import Claim

MAX_CASES = 4096
BITS = 160


def members(kind: Kind) -> list[Raw]:
    """Return all members of a finite kind as raw integers.

    Raises
    ------
    ProofError
        The kind is infinite, or too large.
    """
    if isinstance(kind, Integers) and kind.high < np.inf and kind.high - kind.low < MAX_CASES:
        values = range(kind.low, int(kind.high) + 1)
        return [{"integer": np.array([value])} for value in values]
    if isinstance(kind, Maps) and kind.image ** (kind.size * kind.count) <= MAX_CASES:
        shape = (1, kind.count, kind.size)
        tables = product(range(kind.image), repeat=kind.size * kind.count)
        return [{"map": np.array(table).reshape(shape)} for table in tables]
    raise ProofError(f"{kind.describe()}: too many members, or infinitely many")


def instances(given: Mapping[str, Kind]) -> list[dict[str, Raw]]:
    """Return all instances of the kinds of a claim."""
    lists = [members(kind) for kind in given.values()]
    if int(np.prod([len(some) for some in lists])) > MAX_CASES:
        raise ProofError(f"more than {MAX_CASES} cases")
    return [dict(zip(given, chosen, strict=True)) for chosen in product(*lists)]


class Finite(Prover):
    """The prover that decides lhs <= rhs in balls at every instance; equalities are left to derivations."""

    method = "every case"

    def derive(self, claim: Claim) -> Derivation:
        if claim.relation != "<=":
            raise ProofError("balls cannot prove an equality")
        every = instances(claim.given)
        count = 0
        for raw in every:
            if not legal(claim.given, raw).all():
                raise ProofError(f"an illegal instance: {raw}")
            try:
                if not _holds(claim, raw):
                    raise ProofError(f"the claim does not hold for {raw}")
            except NoneAssumed:
                continue
            count += 1
        if not count:
            raise ProofError("there are no cases")
        domain = "; ".join(f"{name}: {kind.describe()}" for name, kind in claim.given.items())
        return Derivation(domain, (f"all of {count} cases in balls of {BITS} bits",))


def _holds(claim: Claim, raw: Mapping[str, Any]) -> bool:
    """Return whether the claim holds for one instance; raise `NoneAssumed` if its hypotheses do not."""
    with ctx.workprec(BITS):
        try:
            lhs, rhs = claim.sides(RigorousVocabulary(30), **build(claim.given, raw, RIGOROUS))
            pairs = list(zip(*(np.ravel(v) for v in np.broadcast_arrays(*map(_objects, (lhs, rhs)))), strict=True))
            if not pairs:
                raise ProofError("there is no inequality")
            return all(bool(x <= y) for x, y in pairs)
        except UndecidedError as error:
            raise ProofError(f"balls do not decide {raw}") from error


def _objects(x: Any) -> Any:
    return np.asarray(x, dtype=object)


def finite() -> Finite:
    """Return the prover of claims with finitely many instances."""
    return Finite()


__all__ = ["Finite", "finite", "instances", "members"]
