"""The form of a conjecture: a claim for the search and, for a false one, an independent evaluation and a witness.

`evaluate(**instance)` gets the numbers of an instance from `oracle.read` and returns all pairs (lhs, rhs) that the
statement relates, or None if the instance does not satisfy a hypothesis. `witness()` is an instance in the form of
outcomes: nested lists of rationals.
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
    """A conjecture. `claim` is None if its kinds cannot be created, which `trouble` explains."""

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
        """Return the worst violation at an instance, by the independent evaluation."""
        assert self.evaluate is not None
        pairs = self.evaluate(**{name: oracle.read(value) for name, value in shown.items()})
        return None if pairs is None else oracle.worst(pairs, self.relation)


FALSE: dict[str, Statement] = {}
TRUE: dict[str, Statement] = {}


def _declared(id: str, given: Callable[[], Mapping[str, Kind]], **words: Any) -> Callable[[Sides], tuple[Any, str]]:
    """Return a claim, or why its kinds cannot be created, so that only these statements are lost."""

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
    """Declare a true statement; `why` is a reason in one line or a source.

    It is `tight` if equality is attained, also in the limit.
    """
    id = f"own.conjecture.{name}"

    def declare(sides: Sides) -> Sides:
        made, trouble = _declared(id, given, statement=statement, relation=relation)(sides)
        if id in FALSE or id in TRUE:
            raise ValueError(f"{id} is declared twice")
        TRUE[id] = Statement(id, group, statement, why, relation, made, trouble, tight=tight or relation == "==")
        return sides

    return declare


# Functions for the sides of statements, in any arithmetic


def stack(*rows: Any) -> Any:
    """Stack several inequalities along a last axis."""
    return np.stack(np.broadcast_arrays(*rows), -1)


def one(x: Any) -> Any:
    """Return 1 for every instance of an array (batch, ...)."""
    flat = x.reshape(len(x), -1)[:, 0]
    return (0 * flat + 1).real if flat.dtype != object else np.frompyfunc(lambda v: (0 * v + 1).real, 1, 1)(flat)


def dot(x: Any, y: Any) -> Any:
    """Return sums of products."""
    return (x * y).sum(-1)


def positive(x: Any) -> Any:
    """Return x, with 1 where it is 0."""
    return np.where(x > 0, x, 0 * x + 1)


def entropy(k: Any, p: Any) -> Any:
    """Return - sum p log p."""
    return -dot(p, k.log(positive(p)))


def binary_entropy(k: Any, x: Any) -> Any:
    """Return the binary entropy of a number in [0, 1]."""
    return entropy(k, stack(x, 1 - x))


def largest(k: Any, x: Any) -> Any:
    """Return the maximum along the last axis."""
    top = x[..., 0]
    for i in range(1, x.shape[-1]):
        top = k.maximum(top, x[..., i])
    return top


def mixture(part: Any, x: Any, y: Any) -> Any:
    """Return part x + (1 - part) y."""
    t = part.reshape(part.shape + (1,) * (x.ndim - 1))
    return t * x + (1 - t) * y


def chi2(p: Any, q: Any) -> Any:
    """Return sum (p - q)^2 / q, for q > 0."""
    return ((p - q) * (p - q) / q).sum(-1)


def triangular(p: Any, q: Any) -> Any:
    """Return sum (p - q)^2 / (p + q)."""
    return ((p - q) * (p - q) / positive(p + q)).sum(-1)


def jensen_shannon(k: Any, p: Any, q: Any) -> Any:
    """Return the mean of the divergences from the mean distribution."""
    return (k.kl(p, (p + q) / 2) + k.kl(q, (p + q) / 2)) / 2


def von_neumann(k: Any, rho: Any) -> Any:
    """Return the entropy, which is minus the divergence from the identity."""
    return -k.quantum_relative_entropy(rho, 0 * rho + np.eye(rho.shape[-1], dtype=int))


def fidelity(k: Any, rho: Any, sigma: Any) -> Any:
    """Return tr (rho^(1/2) sigma rho^(1/2))^(1/2)."""
    return k.exp(-k.sandwiched_renyi(rho, sigma, one(rho) / 2) / 2)


def joint(p: Any, kernel: Any) -> Any:
    """Return the joint distribution (batch, points cells) of a letter of p and its image under a kernel."""
    return (p[:, :, None] * kernel).reshape(len(p), -1)


def information(k: Any, p: Any, kernel: Any) -> Any:
    """Return the mutual information of a letter and its image under a kernel."""
    return k.kl(joint(p, kernel), k.product(p, k.through(p, kernel)))
