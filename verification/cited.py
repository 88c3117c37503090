"""Theorems of the literature on which proofs rest: statements with a source, not counted among the claims.

A proof that uses one names it: `proved, given ...`. Each is written like a claim, so that a proof may use it for all
arguments that provably lie in its kinds, and so that it can be tested on random instances like any claim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verification.claim import Claim
from verification.instances import Channels, CommutingPairs, Kind, Order, Orders, Scale, States

Sides = tuple[Any, Any]

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


@cited(
    "cited.processing",
    source="Frank and Lieb (2013), Theorem 1; Beigi (2013)",
    statement=r"\Phi \text{ a channel},\ \alpha \ge \tfrac12 \Rightarrow D_\alpha(\Phi(A)\|\Phi(B)) \le D_\alpha(A\|B)",
    given={"states": States(2), "channel": Channels(), "alpha": Order(0.5)},
)
def processing(k: Any, states: Any, channel: Any, alpha: Any) -> Sides:
    return k.sandwiched_renyi(*(channel(x) for x in states), alpha), k.sandwiched_renyi(*states, alpha)


@cited(
    "cited.increasing",
    source="Mueller-Lennert, Dupuis, Szehr, Fehr and Tomamichel (2013), Theorem 7; Beigi (2013)",
    statement=r"\alpha_1 \le \alpha_2 \Rightarrow D_{\alpha_1}(A\|B) \le D_{\alpha_2}(A\|B)",
    given={"states": States(2), "orders": Orders(0)},
)
def increasing(k: Any, states: Any, orders: Any) -> Sides:
    return k.sandwiched_renyi(*states, orders[0]), k.sandwiched_renyi(*states, orders[1])


@cited(
    "cited.commuting",
    source="Weyl's monotonicity of eigenvalues: (B + C)^t >= B^t for t >= 0 where B and C commute, <= for t < 0, "
    "so the eigenvalues of A^(1/2) B^t A^(1/2) rise or fall",
    statement=r"BC = CB \Rightarrow D_\alpha(A\|B + C) \le D_\alpha(A\|B)",
    given={"a": States(1), "b": CommutingPairs(), "alpha": Order(0)},
)
def commuting(k: Any, a: Any, b: Any, alpha: Any) -> Sides:
    return k.sandwiched_renyi(a[0], b[0] + b[1], alpha), k.sandwiched_renyi(a[0], b[0], alpha)


@cited(
    "cited.variational",
    source="Frank and Lieb (2013)",
    statement=r"\alpha > 1 \Rightarrow \alpha\,\mathrm{tr} HA - (\alpha-1)\,\mathrm{tr}(H^{1/2} B^r H^{1/2})^{1/r} "
    r"\le Q_\alpha(A\|B),\ r = \tfrac{\alpha-1}\alpha",
    given={"h": States(1), "states": States(2), "alpha": Order(1)},
)
def variational(k: Any, h: Any, states: Any, alpha: Any) -> Sides:
    a, b = states
    left = alpha * k.pairing(h[0], a) - (alpha - 1) * k.dual_functional(h[0], b, alpha)
    return left, k.sandwiched_moment(a, b, alpha)


@cited(
    "cited.tangent",
    source="Epstein (1973): B -> tr (H^(1/2) B^r H^(1/2))^(1/r) is concave, 0 < r < 1 (Carlen and Lieb 2008; "
    "Frank and Lieb 2013); being homogeneous of degree 1 it is below its tangents, which meet 0",
    statement=r"f(B) = \mathrm{tr}(H^{1/2} B^r H^{1/2})^{1/r},\ B_0 > 0 \Rightarrow "
    r"f(B) \le \mathrm{tr}\,\nabla f(B_0) B",
    given={"h": States(1), "b": States(1), "base": States(1), "shift": Scale(positive=True), "alpha": Order(1)},
)
def tangent(k: Any, h: Any, b: Any, base: Any, shift: Any, alpha: Any) -> Sides:
    gradient = k.dual_gradient(h[0], base[0], shift, alpha)
    return k.dual_functional(h[0], b[0], alpha), k.pairing(gradient, b[0])


@cited(
    "cited.petz-processing",
    source="Petz (1986), by the concavity of Lieb (1973) and the convexity of Ando (1979)",
    statement=r"\Phi \text{ a channel},\ \alpha \le 2 \Rightarrow "
    r"\bar D_\alpha(\Phi(A)\|\Phi(B)) \le \bar D_\alpha(A\|B)",
    given={"states": States(2), "channel": Channels(), "alpha": Order(0, 2)},
)
def petz_processing(k: Any, states: Any, channel: Any, alpha: Any) -> Sides:
    return k.petz_renyi(*(channel(x) for x in states), alpha), k.petz_renyi(*states, alpha)


@cited(
    "cited.below-petz",
    source="Araki (1990), Lieb and Thirring (1976): tr (B^s A B^s)^alpha against tr A^alpha B^(2 s alpha)",
    statement=r"D_\alpha(A\|B) \le \bar D_\alpha(A\|B)",
    given={"states": States(2), "alpha": Order(0)},
)
def below_petz(k: Any, states: Any, alpha: Any) -> Sides:
    return k.sandwiched_renyi(*states, alpha), k.petz_renyi(*states, alpha)
