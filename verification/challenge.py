"""The challenge to a prover: false neighbours of a claim, which it must fail to prove.

They are the opposite of the claim, the claim tightened, and the claim on wider kinds; the last two are used only if an
instance shows, in multiprecision, that they are false. A prover that also proves one of them does not depend on the
claim it is given, and its proof does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from verification.claim import Claim
from verification.instances import Batch, Events, Fraction01, Kind, Order, Reals, Scale
from verification.proof import ProofError, Prover, proved
from verification.rigorous import RigorousVocabulary
from verification.vocabulary import Vocabulary


class NotBound(ProofError):
    """The prover also proves a false statement."""


def opposite(claim: Claim) -> Claim:
    """Return the opposite: rhs + 1 <= lhs, or for an equality lhs == rhs + 1."""

    def sides(k: Any, **given: Any) -> Any:
        lhs, rhs = claim.sides(k, **given)
        return (lhs, rhs + 1) if claim.relation == "==" else (rhs + 1, lhs)

    return replace(claim, sides=sides)


def tightened(claim: Claim, parts: int = 100) -> Claim:
    """Return the claim with a right side that is smaller by 1 / parts of its absolute value."""

    def sides(k: Any, **given: Any) -> Any:
        lhs, rhs = claim.sides(k, **given)
        size = abs(rhs)
        if isinstance(k, Vocabulary | RigorousVocabulary):  # infinity and NaN stay as they are
            size = np.where(size == k.inf, 0, size)
        return lhs, rhs - size / parts

    return replace(claim, sides=sides)


def widened(claim: Claim) -> Iterator[Claim]:
    """Yield the claims in which one kind is extended beyond its range."""
    for name, kind in claim.given.items():
        for other in _wider(kind):
            yield replace(claim, given={**claim.given, name: other})


def _wider(kind: Kind) -> Iterator[Kind]:
    if isinstance(kind, Order) and kind.low > 1 / 64:
        yield Order(0, kind.low, closed=False)
    elif isinstance(kind, Scale):
        yield Reals(drawn=kind.drawn)
    elif isinstance(kind, Fraction01):
        yield Scale(drawn=4)
    elif isinstance(kind, Events) and kind.most == 1:
        yield replace(kind, most=2)


def challenge(claim: Claim, prover: Prover, false_at: Any, instances: Sequence[Batch]) -> None:
    """Raise if the prover proves a false neighbour of a claim.

    `false_at(claim, instances)` returns whether a changed claim is certainly violated at one of these instances or, if
    `instances` is None, at one of some that it draws.

    Raises
    ------
    NotBound
        The prover proves one of them.
    """
    others = [(opposite(claim), "its opposite")]
    if claim.relation == "<=" and false_at(tightened(claim), instances):
        others.append((tightened(claim), "it with a right side smaller by 1%"))
    for wider in widened(claim):
        if false_at(wider, None):
            changed = next(n for n, k in wider.given.items() if k is not claim.given[n])
            others.append((wider, f"it with {changed} beyond its range"))
    for other, words in others:
        try:
            proved(other, prover)
        except ProofError:
            continue
        raise NotBound(f"proof not bound to the claim: it also proves {words}")
