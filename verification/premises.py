"""The tree of premises of a proof: other claims and cited theorems, with their own premises."""

from __future__ import annotations

from dataclasses import dataclass

from verification.cited import CITED
from verification.claim import REGISTRY, Claim
from verification.proof import ProofError, proved


@dataclass(frozen=True)
class Premise:
    """A claim or a cited theorem, how it is known, and its own premises.

    `known` is "proved", "cited", or "assumed" for a claim without a successful proof; `how` names the method or the
    source. If the claim occurs further up in the tree, its premises are listed there, and `above` is true.
    """

    id: str
    known: str
    how: str
    premises: tuple[Premise, ...] = ()
    above: bool = False


def premises(claim: Claim, _above: tuple[str, ...] = ()) -> Premise:
    """Return the tree of premises of a claim. Every proof in it is run.

    Parameters
    ----------
    claim : Claim

    Returns
    -------
    Premise
    """
    if claim.id in CITED:
        return Premise(claim.id, "cited", claim.label)
    if claim.proof is None:
        return Premise(claim.id, "assumed", f"recorded as {claim.recorded}, without a proof")
    try:
        proof = proved(claim, claim.proof)
    except ProofError as error:
        return Premise(claim.id, "assumed", f"its proof fails: {error}")
    part = "" if proof.complete else ", in part"
    if claim.id in _above:
        return Premise(claim.id, "proved", proof.method + part, above=True)
    below = tuple(premises(_named(id), (*_above, claim.id)) for id in proof.premises)
    return Premise(claim.id, "proved", proof.method + part, below)


def _named(id: str) -> Claim:
    return CITED[id] if id in CITED else REGISTRY[id]


def leaves(tree: Premise) -> list[Premise]:
    """Return the leaves of a tree, each once."""
    found = {p.id: p for q in tree.premises for p in leaves(q)} if tree.premises else {tree.id: tree}
    return list(found.values())
