"""True claims made false on purpose, to measure how much the search finds.

A claim whose inequality is attained becomes false if it is tightened by 1%. The other mutants have one exponent,
constant or hypothesis changed. `EXPECTED_TRUE` names the tightened claims that stay true, and why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import verification.claims  # noqa: F401
from verification import challenge
from verification.claim import REGISTRY, Claim, Verdict
from verification.claims.krd import rejection_rate
from verification.instances import Order, Scale

Sides = tuple[Any, Any]
Change = Callable[..., Sides]


@dataclass(frozen=True)
class Mutant:
    """A changed claim: the id of the true one, what was changed, and the changed claim."""

    origin: str
    change: str
    claim: Claim


EXPECTED_TRUE = {
    "krd.prop1.4": "a sign: one of the sides is 0",
    "krd.lemma7": "the factor 14 is loose",
    "krd.lemma8": "the factor 2 is loose: its tight form is krd.lemma8.tight",
    "krd.thm3.probability": "McDiarmid's inequality is loose",
    "krd.test5.corrected": "the radius r_n is loose",
    "krd.sec5.mironov": "loose everywhere, as hyptest.thm16.mironov",
    "krd.sec6.gaussian.corrected": "strict, by more than 1%",
    "krd.sec6.sigma.deviation": "deviations above the smallest, by more than 1% of delta",
    "krd.fig1.mechanisms": "far from (1, .005)-DP",
    "krd.sec6.rd": "printed values, within half a unit of their last digit",
    "krd.sec6.lambda0": "a printed value, within half a unit of its last digit",
    "hyptest.thm16.mironov": "loose everywhere: Theorem 16 is better",
    "hyptest.thm16.better": "a sign",
    "hyptest.thm18.bound.corrected": "card(D) / 2^n is not attained by two points of four",
    "capacity.table1.laplace-lower": "the bound is not attained at any finite alpha",
    "capacity.table1.laplace-lower-d": "the bound is not attained at any finite alpha",
    "capacity.text.moderate-alpha": "loose: a smaller order would do",
    "capacity.appA.crossing-all-sigma": "loose: order 2.66 would do",
    "capacity.thm7.square-step": "loose: 1/3 would do for 1/8",
    "capacity.thm13.low-orders": "not attained by coordinates of finite support",
    "capacity.fig1a.crossing-3.3": "values on either side of a crossing, 1% apart or more",
    "capacity.fig2a.crossing-2.3": "values on either side of a crossing, 1% apart or more",
    "capacity.fig2b.eventually-decrease": "values at alpha and 2 alpha",
    "colisson.thm5.positive": "a sign: one of the sides is 0",
    "colisson.lem19.note.approximate.corrected": "a sign: one of the sides is 0",
    "colisson.lem19.a47": "not attained at levels up to 65 and orders up to 64, by more than 1%",
    "colisson.thm11.low-orders": "one of the sides is infinite",
    "colisson.fig2.1": "a value above every bound, by more than 1%",
    "colisson.thm21.tradeoff.corrected": "never attained: it is above epsilon",
    "colisson.thm21.no-information": "strict, by much more than 1%",
    "colisson.thm23.smooth-max": "not attained by what is tried, by more than 1%",
    "capacity.def2.pinsker": "the factor 2 is loose: its sharp form is capacity.def2.pinsker.sharp",
    "capacity.thm7.pinsker": "the constant 8 is loose: its sharp form is capacity.thm7.pinsker.sharp",
}

SURVIVORS = {
    ("colisson.sec22.delta-meaning.necessary", "tightened by 1%"): "tight only where all the mass beyond e^eps' sits "
    "at that very ratio, which no climb reaches",
}


def tightened(claim: Claim) -> Claim:
    """Return the claim with a right side that is smaller by 1% of its absolute value."""
    return _changed(challenge.tightened(claim))


def _changed(claim: Claim, **fields: Any) -> Claim:
    return replace(claim, id=f"{claim.id}.mutant", recorded=Verdict.REFUTED, **fields)


def _given(**kinds: Any) -> Callable[[Claim], Claim]:
    return lambda claim: _changed(claim, given={**claim.given, **kinds})


def _sides(change: Change) -> Callable[[Claim], Claim]:
    def make(claim: Claim) -> Claim:
        return _changed(claim, sides=lambda k, **instance: change(k, claim.sides, **instance))

    return make


def _other_law(k: Any, f: Change, **instance: Any) -> Sides:
    image, _ = f(k, **instance)
    return image, f(k, **{**instance, "law": instance["law"][..., ::-1]})[1]


SOLVERS = 0.05  # claims of at most this effort are left out: they take minutes in multiprecision
LOW = Order(1 / 64, 0.5, closed=False)

CHANGES: list[tuple[str, str, Callable[[Claim], Claim]]] = [
    ("krd.lemma1", "alpha < 1/2", _given(alpha=LOW)),
    ("krd.lemma4", "alpha < 1/2", _given(alpha=LOW)),
    ("krd.lemma3i", "alpha < 1/2", _given(alpha=LOW)),
    ("krd.prop5", "alpha < 1/2", _given(alpha=LOW)),
    ("krd.thm1", "alpha < 1/2", _given(alpha=LOW)),
    ("krd.thm2", "alpha < 1/2", _given(alpha=LOW)),
    ("krd.prop1.5.upper", "lambda up to 4", _given(lam=Scale(high=4))),
    (
        "krd.test5.corrected",
        "r_n = 0",
        _sides(lambda k, f, level, **i: (rejection_rate(k, radius=0 * i["lam"], **i), (62 * level + 1) / 64)),
    ),
    ("krd.sec6.gaussian.corrected", "epsilon up to 8", _given(epsilon=Scale(positive=True, high=8, bits=6))),
    ("krd.prop11", "law of g other than that of the kernel", _sides(_other_law)),
    ("krd.prop1.1.regularized", "alpha > 1", _given(alpha=Order(1, drawn=8))),
    (
        "hyptest.thm16.rdp-to-dp",
        "delta smaller by 5%, epsilon as for delta",
        _sides(lambda k, f, **i: (lambda lhs, rhs: (lhs, rhs * 19 / 20))(*f(k, **i))),
    ),
    ("hyptest.thm20.hd-to-dp", "rho for rho (2 - rho)", _sides(lambda k, f, p, ratio: _linear_kappa(k, p, ratio))),
    (
        "hyptest.ref.tv",
        "epsilon < 0",
        _sides(lambda k, f, p, ratio: (k.hockey_stick(*p, -k.log(1 + ratio)), k.total_variation(*p))),
    ),
    ("capacity.thm13.low-orders", "alpha up to 6", _given(alpha=Order(2, 6, closed=False))),
    ("capacity.thm13.lower", "alpha < 2", _given(alpha=Order(1, 2, closed=False))),
    (
        "capacity.appA.sqrt2pi.corrected",
        "alpha smaller by 1/16",
        _sides(lambda k, f, more, **i: f(k, more=more - 1 / 16, **i)),
    ),
    (
        "own.supermartingale",
        "bets up to 1.01 / (e^eps + delta)",
        _sides(lambda k, f, bet, **i: f(k, bet=bet * 101 / 100, **i)),
    ),
    ("own.dual", "alpha < 1", _given(alpha=Order(0.5, 1, closed=False))),
    ("krd.prop2.rd", "beyond: twice the kernel divergence", _sides(lambda k, f, **i: _doubled(*f(k, **i)))),
]


def _linear_kappa(k: Any, p: Any, ratio: Any) -> Sides:
    kappa = k.hellinger(*p)
    root = k.sqrt((ratio - 1) * (ratio - 1) + 4 * ratio * kappa)
    return k.hockey_stick(*p, k.log(ratio)), (root - (ratio - 1)) / 2


def _doubled(lhs: Any, rhs: Any) -> Sides:
    return 2 * lhs, rhs


def mutants() -> list[Mutant]:
    """Return all mutants that are expected to be false."""
    true = [
        c
        for c in REGISTRY.values()
        if c.recorded in (Verdict.SUPPORTED, Verdict.PROVED) and c.relation == "<=" and c.effort > SOLVERS
    ]
    made = [Mutant(c.id, "tightened by 1%", tightened(c)) for c in true if c.id not in EXPECTED_TRUE]
    return made + [Mutant(id, change, make(REGISTRY[id])) for id, change, make in CHANGES]
