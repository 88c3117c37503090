r"""Theorems of this project on which audits of one training run rely.

A canary is included by a coin flip with odds o; p and q are the distributions of the output with and without it. A
guess is right with probability at most Q = g / (1 + g) if (log g, 0)-DP holds and coins are fair.
"""

from __future__ import annotations

from typing import Any

from krdtheory.arithmetic.base import Array
from verification.claim import claim
from verification.claims.krd import stack
from verification.instances import Distributions, Events, Fraction01, Kind, Scale
from verification.proofs import one_run as proofs
from verification.provers import derived
from verification.vocabulary import Vocabulary

Sides = tuple[Any, Any]
RATIO = Scale(positive=True, drawn=8)


@claim(
    "own.one-run.guess",
    label="The excess of a guess at one coin",
    statement=r"\pi P(S)(1 - q_{in}) - (1 - \pi) Q(S) q_{in} + (1 - \pi) Q(S')(1 - q_{out}) - \pi P(S') q_{out} \le "
    r"(\pi (1 - q_{in}) + (1 - \pi)(1 - q_{out}))\, \delta,\ q_{in} = \tfrac{g \pi}{1 - \pi + g \pi},\ "
    r"q_{out} = \tfrac{g (1 - \pi)}{\pi + g (1 - \pi)}",
    given={"p": Distributions(2), "test": Events(2), "ratio": RATIO, "odds": RATIO},
    note="pi = odds / (1 + odds) is the probability that the canary is included, and S and S' are tests for the "
    "guesses 'included' and 'not included'. For the tests that guess whenever they are right more often than q, the "
    "left side is E(P(right | y) - q)_+. delta is the least for both directions.",
    proof=derived(proofs.guess),
)
def guess(k: Vocabulary, p: list[Array], test: Array, ratio: Array, odds: Array) -> Sides:
    epsilon = k.log(ratio)
    first, second = (k.hockey_stick(*pair, epsilon) for pair in (p, p[::-1]))
    x, y = p
    into = odds / (1 + odds)
    q_in, q_out = ratio * odds / (1 + ratio * odds), ratio / (odds + ratio)
    left = into * (x * test[:, 0]).sum(-1) * (1 - q_in) - (1 - into) * (y * test[:, 0]).sum(-1) * q_in
    right = (1 - into) * (y * test[:, 1]).sum(-1) * (1 - q_out) - into * (x * test[:, 1]).sum(-1) * q_out
    return left + right, (into * (1 - q_in) + (1 - into) * (1 - q_out)) * k.maximum(first, second)


@claim(
    "own.one-run.average",
    label="Guesses at several canaries",
    statement=r"\tfrac12 (P_1(S_1) + P_2(S_2)) - \tfrac g2 (Q_1(S_1) + Q_2(S_2)) \le \max_i E_g(P_i\|Q_i)",
    given={"p": Distributions(4), "test": Events(2), "ratio": RATIO},
    note="It holds for every g, so the mean probabilities lie under the trade-off function of each pair. This is the "
    "constraint in the recursion of Mahloujifar, Melis and Chaudhuri (2024), where S_i means that guess i and at least "
    "w guesses are right.",
    proof=derived(proofs.average),
)
def average(k: Vocabulary, p: list[Array], test: Array, ratio: Array) -> Sides:
    epsilon = k.log(ratio)
    pairs = [p[:2], p[2:]]
    right, wrong = (sum((pair[i] * test[:, j]).sum(-1) for j, pair in enumerate(pairs)) / 2 for i in range(2))
    return right - ratio * wrong, k.maximum(*(k.hockey_stick(*pair, epsilon) for pair in pairs))


@claim(
    "own.one-run.step",
    label="The effect of a guess on the probability of a region",
    statement=r"p (w + d) + (1 - p) w \le Q (w + d) + (1 - Q) w + (p - Q)_+ d,\ d \ge 0",
    given={"p": Fraction01(), "q": Fraction01(), "low": Fraction01(), "gain": Fraction01()},
    note="w + d and w are the probabilities of the region if this guess is right or wrong and all further guesses are "
    "independent. The sum over the guesses, with own.one-run.guess, shows that P(R) is at most P_iid(R) + m delta (1 - "
    "Q) max d.",
    proof=derived(proofs.step),
)
def step(k: Vocabulary, p: Array, q: Array, low: Array, gain: Array) -> Sides:
    return p * (low + gain) + (1 - p) * low, q * (low + gain) + (1 - q) * low + k.maximum(p - q, 0 * p) * gain


@claim(
    "own.one-run.bet",
    label="A bet on right guesses",
    statement=r"p \le Q \le a \Rightarrow p \tfrac aQ + (1 - p) \tfrac{1 - a}{1 - Q} \le 1",
    given={"odds": RATIO, "less": Fraction01(), "more": Fraction01()},
    note="p = less Q, a = Q + more (1 - Q). Products of such factors, and mixtures of products, are supermartingales "
    "if guesses are right with probability at most Q given the past.",
    proof=derived(proofs.bet),
)
def bet(k: Vocabulary, odds: Array, less: Array, more: Array) -> Sides:
    q = odds / (1 + odds)
    p, a = less * q, q + more * (1 - q)
    return p * a / q + (1 - p) * (1 - a) / (1 - q), 0 * q + 1


@claim(
    "own.one-run.ladder",
    label="Nested claims need no correction",
    statement=r"\Pr(R_1 \cap R_2 \cap R_3) \le \Pr(R_i)",
    given={"p": Distributions(1), "test": Events(3)},
    note="R_i means that claim i is rejected. A procedure that tests nested claims in order and stops at the first "
    "that is not rejected passes the least true one only if that one is rejected.",
    proof=derived(proofs.ladder),
)
def ladder(k: Vocabulary, p: list[Array], test: Array) -> Sides:
    first, second, third = (test[:, i] for i in range(3))
    all_ = (p[0] * first * second * third).sum(-1)
    return stack(all_, all_, all_), stack(*((p[0] * one).sum(-1) for one in (first, second, third)))


FIXED = 3  # guesses
LAW: dict[str, Kind] = {f"f{a}": Scale(drawn=8) for a in range(FIXED + 1)}


@claim(
    "own.one-run.fixed",
    label="Right guesses of a fixed number",
    statement=r"\sum_{a \ge v} f_a \le \beta_v \sum_a f_a + \tfrac{\beta_v (1 - \beta_v)}{v \Pr(B = v)} \sum_a (a f_a "
    r"- g (r - a + 1) f_{a-1})_+,\ B \sim \mathrm{Bin}(r, \tfrac g{1+g}),\ \beta_v = \Pr(B \ge v)",
    given={**LAW, "ratio": RATIO},
    note="r = 3, every v; f_a is the weight of a right guesses, and the last sum is at most m delta if f has weight 1. "
    "The same proof works for every r, with its coefficients.",
    proof=derived(proofs.fixed),
)
def fixed(k: Vocabulary, ratio: Array, **law: Array) -> Sides:
    f = [law[f"f{a}"] for a in range(FIXED + 1)]
    excess = sum(k.maximum(x, 0 * x) for x in proofs.turned(f, ratio))
    left, right = [], []
    for v in range(1, FIXED + 1):
        tail, coefficients = proofs.coefficients(FIXED, v, ratio)
        left.append(sum(f[v:]))
        right.append(tail * sum(f) + coefficients[v - 1] * excess)
    return stack(*left), stack(*right)


@claim(
    "own.one-run.block",
    label="Right guesses of a block, in any order",
    statement=r"f(R) \le \Pr_Q(R) \sum f + (1 - Q) \tfrac{1 + Q}2 \sum_{k,\, x_k = 1} (f(x) - g f(x^k))_+,\ "
    r"R = \{11\}, \{01, 10, 11\},\ g \ge 1",
    given={**{f"f{x:02b}": Scale(drawn=8) for x in range(4)}, "more": Scale(drawn=8)},
    note="Two guesses, g = 1 + more; x^k is x with its k-th guess wrong, and (1 + Q) / 2 is the mean influence of a "
    "guess on an increasing function of the count of two.",
    proof=derived(proofs.block),
)
def block(k: Vocabulary, more: Array, **law: Array) -> Sides:
    f = [law[f"f{x:02b}"] for x in range(4)]
    g = 1 + more
    q, whole = g / (1 + g), sum(f)
    excess = sum(k.maximum(x, 0 * x) for x in proofs.wrong(f, g))
    cost = (1 - q) * (1 + q) / 2 * excess
    return stack(f[3], f[1] + f[2] + f[3]), stack(q * q * whole + cost, (1 - (1 - q) * (1 - q)) * whole + cost)
