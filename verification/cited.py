"""Theorems of the literature that proofs rest on: statements with a source, never counted among the claims.

A proof that uses one says so: `proved, given ...`. Each is written as a claim is, so that a proof may use it for
whatever is seen to lie in its kinds, and so that it is put to the test on random instances like every claim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verification.claim import Claim
from verification.instances import Kind

CITED: dict[str, Claim] = {}


def cited(
    id: str, *, source: str, statement: str, given: Mapping[str, Kind], relation: str = "<="
) -> Callable[[Callable[..., tuple[Any, Any]]], Claim]:
    """Register a theorem of the literature by decorating the function that gives its two sides.

    Raises
    ------
    ValueError
        The id is taken.
    """

    def declare(sides: Callable[..., tuple[Any, Any]]) -> Claim:
        if id in CITED:
            raise ValueError(f"id must be new; {id!r} is taken")
        CITED[id] = Claim(id, source, statement, given, sides, relation)
        return CITED[id]

    return declare
