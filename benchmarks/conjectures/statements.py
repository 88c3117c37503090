"""How a conjecture is written down: a claim for the search, and for a false one an evaluation and a witness of our own.

`evaluate(**instance)` gets the numbers of an instance from `oracle.read` and returns pairs (lhs, rhs), all of which the
statement relates, or None where the instance does not meet a hypothesis. `witness()` is an instance, written as
outcomes write theirs: nested lists of rationals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from verification.claim import Claim, Verdict, claim
from verification.instances import Kind

from . import oracle

Pairs = list[tuple[Any, Any]]
Sides = Callable[..., tuple[Any, Any]]


@dataclass(frozen=True)
class Statement:
    """A conjecture. `claim` is None where its kinds cannot be made, which `trouble` explains."""

    id: str
    group: str
    statement: str
    why: str
    relation: str
    claim: Claim | None
    trouble: str
    evaluate: Callable[..., Pairs | None] | None = None
    witness: Callable[[], dict[str, Any]] | None = None
    tight: bool = False

    def violation(self, shown: Mapping[str, Any]) -> oracle.Violation | None:
        """The worst of the pairs of an instance that stand the wrong way round, by our own evaluation."""
        assert self.evaluate is not None
        pairs = self.evaluate(**{name: oracle.read(value) for name, value in shown.items()})
        return None if pairs is None else oracle.worst(pairs, self.relation)


FALSE: dict[str, Statement] = {}
TRUE: dict[str, Statement] = {}


def _declared(id: str, given: Callable[[], Mapping[str, Kind]], **words: Any) -> Callable[[Sides], tuple[Any, str]]:
    """Declares a claim, or says why its kinds cannot be made: only the statements concerned are lost."""

    def declare(sides: Sides) -> tuple[Claim | None, str]:
        try:
            kinds = given()
        except (TypeError, ValueError) as error:
            return None, str(error)
        return claim(id, label="conjecture", given=kinds, **words)(sides), ""

    return declare


def false(
    name: str,
    statement: str,
    given: Callable[[], Mapping[str, Kind]],
    *,
    group: str,
    why: str,
    evaluate: Callable[..., Pairs | None],
    witness: Callable[[], dict[str, Any]],
    relation: str = "<=",
) -> Callable[[Sides], Sides]:
    """Declare a false statement; `why` says in one line why it is false."""
    id = f"own.conjecture.{name}"

    def declare(sides: Sides) -> Sides:
        words = {"statement": statement, "relation": relation, "recorded": Verdict.REFUTED}
        made, trouble = _declared(id, given, **words)(sides)
        if id in FALSE or id in TRUE:
            raise ValueError(f"{id} is declared twice")
        FALSE[id] = Statement(id, group, statement, why, relation, made, trouble, evaluate, witness)
        return sides

    return declare


def true(
    name: str,
    statement: str,
    given: Callable[[], Mapping[str, Kind]],
    *,
    why: str,
    group: str = "",
    relation: str = "<=",
    tight: bool = False,
) -> Callable[[Sides], Sides]:
    """Declare a true statement; `why` is a reason in one line or a source. `tight`: equality is attained, or is the
    limit."""
    id = f"own.conjecture.{name}"

    def declare(sides: Sides) -> Sides:
        made, trouble = _declared(id, given, statement=statement, relation=relation)(sides)
        if id in FALSE or id in TRUE:
            raise ValueError(f"{id} is declared twice")
        TRUE[id] = Statement(id, group, statement, why, relation, made, trouble, tight=tight or relation == "==")
        return sides

    return declare


# What the sides of statements are written with, in any arithmetic


def stack(*rows: Any) -> Any:
    """Several inequalities, along a last axis."""
    return np.stack(np.broadcast_arrays(*rows), -1)


def one(x: Any) -> Any:
    """1 for every instance of an array (batch, ...)."""
    flat = x.reshape(len(x), -1)[:, 0]
    return (0 * flat + 1).real if flat.dtype != object else np.frompyfunc(lambda v: (0 * v + 1).real, 1, 1)(flat)


def dot(x: Any, y: Any) -> Any:
    """Sums of products."""
    return (x * y).sum(-1)


def positive(x: Any) -> Any:
    """x, with 1 where it is 0."""
    return np.where(x > 0, x, 0 * x + 1)


def entropy(k: Any, p: Any) -> Any:
    """- sum p log p."""
    return -dot(p, k.log(positive(p)))


def binary_entropy(k: Any, x: Any) -> Any:
    """Of a number in [0, 1]."""
    return entropy(k, stack(x, 1 - x))


def largest(k: Any, x: Any) -> Any:
    """Along the last axis."""
    top = x[..., 0]
    for i in range(1, x.shape[-1]):
        top = k.maximum(top, x[..., i])
    return top


def mixture(part: Any, x: Any, y: Any) -> Any:
    """part x + (1 - part) y."""
    t = part.reshape(part.shape + (1,) * (x.ndim - 1))
    return t * x + (1 - t) * y


def chi2(p: Any, q: Any) -> Any:
    """sum (p - q)^2 / q, of q > 0."""
    return ((p - q) * (p - q) / q).sum(-1)


def triangular(p: Any, q: Any) -> Any:
    """sum (p - q)^2 / (p + q)."""
    return ((p - q) * (p - q) / positive(p + q)).sum(-1)


def jensen_shannon(k: Any, p: Any, q: Any) -> Any:
    """The mean of the divergences to the middle."""
    return (k.kl(p, (p + q) / 2) + k.kl(q, (p + q) / 2)) / 2


def von_neumann(k: Any, rho: Any) -> Any:
    """The entropy, minus the divergence from the identity."""
    return -k.quantum_relative_entropy(rho, 0 * rho + np.eye(rho.shape[-1], dtype=int))


def fidelity(k: Any, rho: Any, sigma: Any) -> Any:
    """tr (rho^(1/2) sigma rho^(1/2))^(1/2) of states."""
    return k.exp(-k.sandwiched_renyi(rho, sigma, one(rho) / 2) / 2)


def joint(p: Any, kernel: Any) -> Any:
    """The law (batch, points cells) of a letter of p and what a kernel makes of it."""
    return (p[:, :, None] * kernel).reshape(len(p), -1)


def information(k: Any, p: Any, kernel: Any) -> Any:
    """The mutual information of a letter and what a kernel makes of it."""
    return k.kl(joint(p, kernel), k.product(p, k.through(p, kernel)))
