r"""Theorems of this project on which audits rely.

S_p is the covariance operator of p on finitely many points with unit feature vectors, E_g(p||q) = sup_S p(S) - g q(S).
"""

from __future__ import annotations

from typing import Any

from krdtheory.arithmetic.base import Array
from verification.claim import claim
from verification.claims.krd import stack
from verification.instances import (
    Distributions,
    Events,
    Fraction01,
    Kind,
    MarkovKernels,
    Order,
    Projections,
    Region,
    Scale,
    States,
    UpSets,
    Vectors,
)
from verification.proofs import krd as kernel
from verification.proofs.own import guesses, rejections_rise, wealth
from verification.proofs.shared import renyi_processing
from verification.provers import derived
from verification.vocabulary import Vocabulary

Sides = tuple[Any, Any]

KERNEL: dict[str, Kind] = {"phi": Vectors(), "p": Distributions(2, dim=4)}


@claim(
    "own.hockey-stick",
    label="Covariance operators lose hockey-stick divergence",
    statement=r"\mathrm{tr}(S_p - g S_q)_+ \le E_g(p\|q),\ g \ge 0",
    given={**KERNEL, "ratio": Scale(positive=True, high=8)},
    note="x -> phi(x) phi(x)^* is a channel. This is stronger than Lemma 8 of the kernel paper.",
    proof=derived(kernel.hockey_stick),
)
def hockey_stick(k: Vocabulary, phi: Array, p: list[Array], ratio: Array) -> Sides:
    epsilon = k.log(ratio)
    return k.quantum_hockey_stick(*(k.covariance(phi, w) for w in p), epsilon), k.hockey_stick(*p, epsilon)


@claim(
    "own.projector",
    label="A score in [0, 1] is a test",
    statement=r"0 \le T \le 1 \Rightarrow \mathbb{E}_p T - g\, \mathbb{E}_q T \le E_g(p\|q)",
    given={"p": Distributions(2), "test": Events(), "ratio": Scale(positive=True, drawn=8)},
    note="So every score with values in [0, 1], such as <phi(x), Pi phi(x)>, is a test.",
    proof=derived(),
)
def projector(k: Vocabulary, p: list[Array], test: Array, ratio: Array) -> Sides:
    x, y = ((w * test[:, 0]).sum(-1) for w in p)
    return x - ratio * y, k.hockey_stick(*p, k.log(ratio))


@claim(
    "own.dual",
    label="A learnt operator bounds the kernel Renyi divergence",
    statement=r"\alpha \mathbb{E}_p\langle\varphi, H\varphi\rangle - (\alpha-1)(\mathbb{E}_q\langle\varphi, "
    r"G\varphi\rangle + \lambda\, \mathrm{tr}\, G) \le Q_\alpha(S_p\|S_q + \lambda),\ \alpha > 1,\ H \ge 0,\ "
    r"G = \nabla f(B_0),\ f(B) = \mathrm{tr}(H^{1/2} B^r H^{1/2})^{1/r},\ r = \tfrac{\alpha-1}\alpha,\ B_0 > 0",
    given={
        "phi": Vectors(),
        "p": Distributions(2, dim=4),
        "h": States(1),
        "base": States(1),
        "shift": Scale(positive=True),
        "alpha": Order(1, drawn=12),
        "lam": Scale(),
    },
    note="Q is the unnormalised trace, e^((alpha - 1) D). For every H except 0, for which the claim is 0 <= Q; every "
    "B_0 > 0 is base + shift Id. The mean of <phi, H phi> is tr H S_p. The auditor learns H and B_0 from other "
    "samples.",
    proof=derived(kernel.dual),
)
def dual(
    k: Vocabulary,
    phi: Array,
    p: list[Array],
    h: list[Array],
    base: list[Array],
    shift: Array,
    alpha: Array,
    lam: Array,
) -> Sides:
    a, b = (k.covariance(phi, w) for w in p)
    g = k.dual_gradient(h[0], base[0], shift, alpha)
    left = alpha * k.pairing(h[0], a) - (alpha - 1) * (k.pairing(g, b) + lam * k.trace(g))
    return left, k.sandwiched_moment(a, b, alpha, lam)


@claim(
    "own.compression",
    label="Landmarks decrease the kernel Renyi divergence",
    statement=r"Q_\alpha(P S_p P\|P(S_q + \lambda)P) \le Q_\alpha(S_p\|S_q + \lambda),\ P = P^2 = P^*,\ \alpha > 1",
    given={
        "phi": Vectors(),
        "p": Distributions(2, dim=4),
        "onto": Projections(),
        "alpha": Order(1, drawn=12),
        "lam": Scale(),
    },
    note="Q is the unnormalised trace, on the range of P. So landmarks give a lower bound on the divergence.",
    proof=derived(kernel.compression),
)
def compression(k: Vocabulary, phi: Array, p: list[Array], onto: Array, alpha: Array, lam: Array) -> Sides:
    a, b = (k.covariance(phi, w) for w in p)
    c, d = (k.compressed(x, onto) for x in (a, b))
    return k.sandwiched_moment(c, d, alpha, lam), k.sandwiched_moment(a, b, alpha, lam)


@claim(
    "own.cut",
    label="Cells are a channel",
    statement=r"D_\alpha(p K\|q K) \le D_\alpha(p\|q)\text{ for every Markov kernel } K"
    r"\text{, a map into cells for one}",
    given={"p": Distributions(2), "cells": MarkovKernels(cells=3), "alpha": Order(0)},
    proof=derived(renyi_processing),
)
def cut(k: Vocabulary, p: list[Array], cells: Array, alpha: Array) -> Sides:
    return k.renyi(*(k.through(w, cells) for w in p), alpha), k.renyi(*p, alpha)


@claim(
    "own.score",
    label="Intervals of a score are cells",
    statement=r"D_\alpha(g\#p\|g\#q) \le D_\alpha(p\|q),\ g(x) = |\{i : c_i \le s(x)\}|",
    given={"p": Distributions(2), "score": Events(), "thresholds": Events(dim=2), "alpha": Order(0)},
    proof=derived(renyi_processing),
)
def score(k: Vocabulary, p: list[Array], score: Array, thresholds: Array, alpha: Array) -> Sides:
    cells = k.cells(score[:, 0], thresholds[:, 0])
    return k.renyi(*(k.through(w, cells) for w in p), alpha), k.renyi(*p, alpha)


CHANCES: dict[str, Kind] = {"region": UpSets(), "p": Fraction01(), "less": Fraction01()}


@claim(
    "own.joint-test",
    label="The joint exact test is monotone",
    statement=r"R \text{ up in } a, \text{ down in } b,\ P \le P',\ Q' \le Q \Rightarrow "
    r"\Pr_{P,Q}((a,b) \in R) \le \Pr_{P',Q'}((a,b) \in R)",
    given={**CHANCES, "q": Fraction01(), "fewer": Fraction01()},
    note="a ~ Bin(n, P) and b ~ Bin(m, Q), independent.",
    proof=derived(rejections_rise),
)
def joint_test(k: Vocabulary, region: Region, p: Array, less: Array, q: Array, fewer: Array) -> Sides:
    return k.rejection(region, p * less, q), k.rejection(region, p, q * fewer)


@claim(
    "own.joint-test.level",
    label="The level of the joint exact test on an interval",
    statement=r"P \le \delta + g Q,\ q_0 \le Q \le q_1 \Rightarrow "
    r"\Pr_{P,Q}((a,b) \in R) \le \Pr_{\min(1, \delta + g q_1),\, q_0}((a,b) \in R)",
    given={
        "region": UpSets(),
        "less": Fraction01(),
        "q": Fraction01(),
        "fewer": Fraction01(),
        "more": Scale(drawn=8),
        "delta": Scale(drawn=2),
        "gain": Scale(drawn=8),
    },
    note="On an interval of Q the supremum over the half-plane P <= delta + g Q is at most this value.",
    proof=derived(rejections_rise),
)
def joint_level(
    k: Vocabulary, region: Region, less: Array, q: Array, fewer: Array, more: Array, delta: Array, gain: Array
) -> Sides:
    one = 0 * q + 1
    first = less * k.minimum(one, delta + gain * q)
    return k.rejection(region, first, q), k.rejection(region, k.minimum(one, delta + gain * (q + more)), q * fewer)


@claim(
    "own.two-sided.game",
    label="Guesses of a private pair",
    statement=r"P(S) \le g Q(S) + \delta,\ Q(S') \le g P(S') + \delta \Rightarrow R \le g W + \delta,\ "
    r"R = \tfrac{P(S) + Q(S')}2,\ W = \tfrac{Q(S) + P(S')}2",
    given={"p": Distributions(2), "test": Events(2), "ratio": Scale(positive=True, drawn=8)},
    note="delta is the least for both directions.",
    proof=derived(guesses),
)
def game(k: Vocabulary, p: list[Array], test: Array, ratio: Array) -> Sides:
    epsilon = k.log(ratio)
    first, second = (k.hockey_stick(*pair, epsilon) for pair in (p, p[::-1]))
    x, y = p
    right = ((x * test[:, 0]).sum(-1) + (y * test[:, 1]).sum(-1)) / 2
    wrong = ((y * test[:, 0]).sum(-1) + (x * test[:, 1]).sum(-1)) / 2
    return right - ratio * wrong, k.maximum(first, second)


@claim(
    "own.two-sided",
    label="The exact test of guesses is monotone",
    statement=r"\mathcal R \text{ up in right, down in wrong guesses},\ R \le R',\ W' \le W,\ R' + W \le 1 \Rightarrow "
    r"\Pr_{R,W}((a,b) \in \mathcal R) \le \Pr_{R',W'}((a,b) \in \mathcal R)",
    given={**CHANCES, "q": Fraction01(), "fewer": Fraction01()},
    note="The counts of n independent games are trinomial.",
    proof=derived(rejections_rise),
)
def two_sided(k: Vocabulary, region: Region, p: Array, less: Array, q: Array, fewer: Array) -> Sides:
    wrong = (1 - p) * q
    return k.game_rejection(region, p * less, wrong), k.game_rejection(region, p, wrong * fewer)


@claim(
    "own.supermartingale",
    label="Wealth of the anytime-valid test",
    statement=r"p(S) \le \delta + g\, q(S)\ \forall S,\ 0 \le \ell \le 1/(g + \delta) \Rightarrow "
    r"0 \le 1 + \ell (T(x) - g\, T(y) - \delta),\ \mathbb{E}[W_n \mid \text{past}] \le W_{n-1}",
    given={
        "p": Distributions(2),
        "test": Events(),
        "more": Scale(drawn=8),
        "bet": Fraction01(),
        "wealth": Scale(drawn=8),
    },
    note="The bet may be any function of the past, since the claim is for every number. delta is the least. The sides "
    "are the worst pair of outcomes, and the mean of the next wealth. The validity of the test follows by Ville's "
    "inequality.",
    proof=derived(wealth),
)
def supermartingale(k: Vocabulary, p: list[Array], test: Array, more: Array, bet: Array, wealth: Array) -> Sides:
    factor = 1 + more
    delta = k.hockey_stick(*p, k.log(factor))
    size = bet / (factor + delta)
    x, y = ((w * test[:, 0]).sum(-1) for w in p)
    worst = 1 + size * (0 - factor - delta)
    return stack(0 * delta, wealth * (1 + size * (x - factor * y - delta))), stack(worst, wealth)
