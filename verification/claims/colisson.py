r"""Claims of "Quantum analog of differential privacy in term of Renyi divergence" (internship report).

Distributions are on finite alphabets. A pair with D_inf <= epsilon in both orders is represented as a post-processing
of randomised response, which it is (Kairouz, Oh and Viswanath); epsilon is the logarithm of a rational.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array
from verification.argument import enumerated
from verification.claim import Nature, Verdict, claim, uncovered
from verification.claims.hypothesis_testing import RATIOS, grid, largest, pairs
from verification.claims.krd import finite, stack
from verification.instances import (
    Channel,
    Channels,
    Distributions,
    Events,
    Fraction01,
    Functions,
    Integers,
    Kind,
    MarkovKernels,
    Order,
    Orders,
    PurePairs,
    PureStates,
    Reals,
    Scale,
    States,
    Vectors,
)
from verification.proofs import colisson as proofs
from verification.proofs import colisson_links as links
from verification.proofs import shared
from verification.provers.derivation import derived
from verification.vocabulary import Vocabulary, trace

Sides = tuple[Any, Any]
Near = tuple[list[Array], Array]  # a pair with D_inf <= log ratio in both orders, and the ratio

MORE = Scale(positive=True, drawn=8)  # e^eps - 1
PURE: dict[str, Kind] = {"rows": Distributions(2), "more": MORE}
EPSILON = Scale(positive=True, bits=12, drawn=4)
ODDS = Scale(positive=True)  # delta / (1 - delta)
LAMBDA = Reals(drawn=8)


def pure(rows: list[Array], more: Array) -> tuple[list[Array], Array]:
    """Return a pair with D_inf <= log ratio in both orders, randomised response mapped by two rows, and the ratio."""
    ratio = 1 + more
    x, y = rows
    r = ratio[:, None]
    return [(r * x + y) / (1 + r), (x + r * y) / (1 + r)], ratio


def subsets(n: int) -> Array:
    """Return the indicators (2^n, n) of all sets of n points."""
    return np.array(list(product((0, 1), repeat=n)))


def measures(w: Array) -> Array:
    """Return w(S) for all sets S, shape (2^n, batch)."""
    return np.asarray((subsets(w.shape[-1])[:, None, :] * w).sum(-1))


def positive(x: Array) -> Array:
    """Return x, with 1 where it is 0."""
    return np.where(x > 0, x, 0 * x + 1)


def mean(p: Array, x: Array) -> Array:
    """Return E_p x."""
    return np.asarray((p * x).sum(-1))


def through(p: Array, rows: list[Array]) -> Array:
    """Return the image of p under the channel with these rows."""
    return (p[:, None, :] @ np.stack(rows, 1))[:, 0]


# 2.2 Differential privacy


@claim(
    "colisson.sec22.delta-meaning",
    label="Section 2.2, on Definition 4",
    statement=r"(\varepsilon, \delta)\text{-DP} \Rightarrow \Pr[L > \varepsilon] \le \delta",
    given={"p": Distributions(2), "more": MORE},
    recorded=Verdict.REFUTED,
    note="The sentence is informal; 'huge' differences are read as a privacy loss above epsilon. Compared at the least "
    "delta of both orders of the pair. Definition 4 prints M(y) for M(x').",
    nature=Nature.READING,
    quote="it just doesn’t occur more often than with a probability δ",
    says="The loss exceeds epsilon with probability at most delta",
    fault="The loss may exceed epsilon with any probability; delta bounds the excess mass",
)
def meaning_of_delta(k: Vocabulary, p: list[Array], more: Array) -> Sides:
    epsilon = k.log(1 + more)
    return _mass_beyond(p, 1 + more), k.maximum(k.hockey_stick(*p, epsilon), k.hockey_stick(*p[::-1], epsilon))


def _mass_beyond(p: list[Array], ratio: Array) -> Array:
    """Return p(p > ratio q)."""
    return np.where(p[0] > ratio[:, None] * p[1], p[0], 0 * p[0]).sum(-1)


@claim(
    "colisson.sec22.delta-meaning.sufficient",
    label="Section 2.2, on Definition 4",
    statement=r"\Pr[L > \varepsilon] \le \delta \Rightarrow (\varepsilon, \delta)\text{-DP}",
    given={"p": Distributions(2), "more": MORE},
    corrects="colisson.sec22.delta-meaning",
    proof=derived(),
)
def mass_suffices(k: Vocabulary, p: list[Array], more: Array) -> Sides:
    return k.hockey_stick(*p, k.log(1 + more)), _mass_beyond(p, 1 + more)


@claim(
    "colisson.sec22.delta-meaning.necessary",
    label="Section 2.2, on Definition 4",
    statement=r"(\varepsilon, \delta)\text{-DP} \Rightarrow \Pr[L > \varepsilon'] \le "
    r"\delta / (1 - e^{\varepsilon-\varepsilon'}),\ \varepsilon' > \varepsilon",
    given={"p": Distributions(2), "more": MORE, "further": MORE},
    corrects="colisson.sec22.delta-meaning",
    proof=derived(),
)
def mass_bounded(k: Vocabulary, p: list[Array], more: Array, further: Array) -> Sides:
    lower, upper = 1 + more, 1 + more + further
    return _mass_beyond(p, upper) * (1 - lower / upper), k.hockey_stick(*p, k.log(lower))


@claim(
    "colisson.lem1.tv",
    label="Lemma 1",
    statement=r"\tfrac12 \int |p - q| = \max_S |P(S) - Q(S)|",
    given={"p": Distributions(2)},
    relation="==",
    note="Independence is not needed. (A.4) omits the intersection with S.",
    proof=derived(proofs.distances),
    nature=Nature.PRINTED,
    quote=r"\Delta(P, Q) = \Delta'(P, Q)",
)
def distances(k: Vocabulary, p: list[Array]) -> Sides:
    return k.total_variation(*p), _farthest(k, p)


def _farthest(k: Vocabulary, p: list[Array]) -> Array:
    """Return max |P(S) - Q(S)| over all S."""
    return k.maximum(*(k.over_events(lambda x, y: x - y, *pair) for pair in (p, p[::-1])))


@claim(
    "colisson.lem1.a6",
    label="Lemma 1, (A.5) and (A.6)",
    statement=r"A = \int_{p \ge q} |p - q|,\ B = \int_{p < q} |q - p| : A = B,\ \Delta'(P, Q) = \tfrac12 (A + B)",
    given={"p": Distributions(2)},
    relation="==",
    proof=derived(proofs.distances),
    nature=Nature.STEP,
    quote="But $A - B = 0$, ie $A = B$",
)
def parts(k: Vocabulary, p: list[Array]) -> Sides:
    a, b = (k.maximum(x - y, 0 * x).sum(-1) for x, y in (p, p[::-1]))  # |p - q| where p >= q, and where p < q
    return stack(a, _farthest(k, p)), stack(b, (a + b) / 2)


# 2.3 The Laplace mechanism


@claim(
    "colisson.thm2.laplace",
    label="Theorem 2",
    statement=r"\text{the Laplace mechanism preserves } (\varepsilon, 0)\text{-differential privacy}",
    given={"points": Functions(3), "more": MORE, "epsilon": EPSILON},
    note="The privacy loss at a point y between f(x) and f(x'), for sensitivity |f(x) - f(x')|_1 + more.",
    proof=derived(proofs.laplace),
    nature=Nature.PRINTED,
    quote=r"The Laplace mechanism preserves $(\epsilon, 0)$ -differential privacy.",
)
def laplace(k: Vocabulary, points: Array, more: Array, epsilon: Array) -> Sides:
    y, f, g = (points[:, i] for i in range(3))
    sensitivity = abs(f - g).sum(-1) + more
    return (abs(y - g) - abs(y - f)).sum(-1) * epsilon / sensitivity, epsilon


@claim(
    "colisson.sec23.names",
    label="Section 2.3, the error in the example",
    statement=r"\Pr[\max_{i \le n} |Y_i| \le 12.2] \ge 95\%,\ n \le 10000,\ Y_i \sim \mathrm{Lap}(1)",
    given={"names": Integers(1, 10000)},
    note="epsilon = 1 is not printed. The probability is 0.95094 at n = 10000, although ln(10000 / 0.05) = 12.206 "
    "exceeds 12.2.",
    argument=proofs.names,
    nature=Nature.READING,
    quote="in a list of 10000 names with an accuracy of 95% , you can show that the error is less than 12.2",
)
def names(k: Vocabulary, names: Array) -> Sides:
    error = (0 * names + 61) / 5
    return (0 * names + 19) / 20, k.power(1 - k.exp(-error), names)


# 2.4 Divergences


def _near_limit(k: Vocabulary, p: list[Array], alpha: Array) -> tuple[Array, Array, Array]:
    """Return D_alpha, D_inf and ln(1 / min p) / (alpha - 1), which bounds their difference."""
    slack = -k.log(positive(p[0]).min(-1)) / (alpha - 1)
    return k.renyi(*p, alpha), k.max_divergence(*p), slack


@claim(
    "colisson.sec24.limit",
    label="Section 2.4.1, before Definition 11",
    statement=r"D_\infty(P\|Q) - \tfrac{\ln(1 / \min_{p_i > 0} p_i)}{\alpha-1} \le D_\alpha(P\|Q) \le D_\infty(P\|Q),\ "
    r"\alpha > 1",
    given={"p": Distributions(2), "alpha": Order(1)},
    note="So D_alpha tends to D_inf as alpha tends to infinity.",
    nature=Nature.PRINTED,
    quote=r"When you compute the limit for $\alpha \rightarrow +\infty$ you find the maximum divergence",
)
def limit_of_orders(k: Vocabulary, p: list[Array], alpha: Array) -> Sides:
    value, top, slack = _near_limit(k, p, alpha)
    return stack(value, top), stack(top, value + slack)


def best_quotient(k: Vocabulary, p: list[Array], delta: Array) -> tuple[Array, Array]:
    """Return max (P(S) - delta) / Q(S) over S with P(S) >= delta, Q(S) > 0, and where it is e^{D_inf^delta}."""
    x, y = (measures(w) for w in p)
    charged = y > 0
    quotient = np.where(charged, (x - delta) / positive(y), 0 * x)
    outside = np.where(p[1] > 0, 0 * p[0], p[0]).sum(-1)
    return k.maximum(largest(k, quotient), 0 * delta), outside <= delta


@claim(
    "colisson.def11.max",
    label="Definition 11, (2.13)",
    statement=r"D_\infty = \ln(\mathrm{ess\,sup}_P \tfrac pq) = \max_{S \subseteq \mathrm{supp}\,Y} "
    r"\ln \tfrac{\Pr[Y \in S]}{\Pr[Z \in S]}",
    given={"p": Distributions(2)},
    relation="==",
    argument=proofs.sets,
    nature=Nature.PRINTED,
    quote=r"D_\infty = \ln(\text{ess sup}_P \frac{p}{q}) = \max_{S \subseteq \text{supp}(Y)}",
)
def max_over_sets(k: Vocabulary, p: list[Array]) -> Sides:
    ratio, known = best_quotient(k, p, 0 * p[0][:, 0])
    divergence, _ = finite(k, k.max_divergence(*p))
    return np.where(known, k.exp(divergence), 0), np.where(known, ratio, 0)


@claim(
    "colisson.def12.best",
    label="Definition 12",
    statement=r"D_\alpha^\delta(P\|Q) = \tfrac1{\alpha-1} \ln \inf_{P' \in \mathcal B_\delta(P)} \int P'^\alpha "
    r"Q^{1-\alpha} \le D_\alpha(P'\|Q),\ P' \in \mathcal B_\delta(P),\ \alpha > 1",
    given={"p": Distributions(3), "alpha": Order(1), "more": Scale(positive=True, drawn=1)},
    note="The clipped likelihood ratio is compared with any P', at delta = TV(P, P') + more. It attains the infimum of "
    "the definition, and is the same for every alpha.",
)
def best_smoothing(k: Vocabulary, p: list[Array], alpha: Array, more: Array) -> Sides:
    x, y, near = p
    return k.smooth_renyi(x, y, alpha, delta=k.total_variation(x, near) + more), k.renyi(near, y, alpha)


@claim(
    "colisson.def12.low-orders",
    label="Definition 12, alpha < 1",
    statement=r"D_\alpha^\delta(P\|Q) \le D_\alpha(P\|Q),\ 0 < \alpha < 1",
    given={"p": Distributions(3), "alpha": Order(0, 1)},
    recorded=Verdict.REFUTED,
    note="The definition does not restrict alpha; that smoothing decreases a divergence is our reading of its name. "
    "Below 1 the factor 1 / (alpha - 1) < 0 turns the infimum into a supremum: the printed value is at least "
    "D_alpha(P'||Q) for every P' in the ball.",
    nature=Nature.READING,
    quote="And we can generate δ -approximate max divergence with a random α",
    says="Smoothing decreases the divergence, at every order",
    fault="Below order 1 the printed infimum increases it",
)
def low_orders(k: Vocabulary, p: list[Array], alpha: Array) -> Sides:
    x, y, near = p
    return k.renyi(near, y, alpha), k.renyi(x, y, alpha)


@claim(
    "colisson.def12.low-orders.corrected",
    label="Definition 12, alpha < 1",
    statement=r"\tfrac1{\alpha-1} \ln \sup_{P' \in \mathcal B_\delta(P)} \int P'^\alpha Q^{1-\alpha} \le "
    r"\min(D_\alpha(P\|Q), D_\alpha(P'\|Q)),\ 0 < \alpha < 1",
    given={"p": Distributions(3), "alpha": Order(0, 1)},
    corrects="colisson.def12.low-orders",
)
def low_orders_corrected(k: Vocabulary, p: list[Array], alpha: Array) -> Sides:
    x, y, near = p
    smooth = k.smooth_renyi(x, y, alpha, delta=k.total_variation(x, near))
    return stack(smooth, smooth), stack(k.renyi(x, y, alpha), k.renyi(near, y, alpha))


@claim(
    "colisson.thm3.1",
    label="Theorem 3.1",
    statement=r"\varepsilon \ge 0 \Rightarrow (D_\infty^\delta(Y\|Z) \le \varepsilon \Leftrightarrow \exists Y' : "
    r"\Delta(Y, Y') \le \delta,\ D_\infty(Y'\|Z) \le \varepsilon)",
    given={"p": Distributions(2), "delta": Fraction01()},
    relation="==",
    note="The sides are the least epsilon >= 0 of both statements. No range is printed here; Theorem 12 prints epsilon "
    "> 0. So Definition 12 tends to max(0, D_inf^delta) as alpha grows, not to (2.14), which has the same name.",
    nature=Nature.PRINTED,
    quote=r"$D_\infty^\delta(Y||Z) \leq \varepsilon$ if and only if there exists a random variable Y' such that",
)
def characterisation_one(k: Vocabulary, p: list[Array], delta: Array) -> Sides:
    least = k.approximate_max_divergence(*p, delta=delta)
    return k.maximum(least, 0 * delta), k.smooth_renyi(*p, 0 * delta + k.inf, delta=delta)


@claim(
    "colisson.thm3.1.negative",
    label="Theorem 3.1, epsilon of either sign",
    statement=r"\varepsilon \in \mathbb R \Rightarrow (D_\infty^\delta(Y\|Z) \le \varepsilon \Leftrightarrow "
    r"\exists Y' : \Delta(Y, Y') \le \delta,\ D_\infty(Y'\|Z) \le \varepsilon)",
    given={"p": Distributions(2), "delta": Fraction01()},
    relation="==",
    recorded=Verdict.REFUTED,
    note="The sides are the least epsilon of both statements, if it is finite. The second one is never negative.",
    nature=Nature.CONDITION,
    says="Theorem 3.1 for epsilon of either sign",
    fault="A divergence is never negative, but its delta-approximation can be",
)
def characterisation_one_negative(k: Vocabulary, p: list[Array], delta: Array) -> Sides:
    least, known = finite(k, k.approximate_max_divergence(*p, delta=delta))
    return least, np.where(known, k.smooth_renyi(*p, 0 * delta + k.inf, delta=delta), 0)


@claim(
    "colisson.thm3.2",
    label="Theorem 3.2",
    statement=r"D_\infty^\delta(Y\|Z), D_\infty^\delta(Z\|Y) \le \varepsilon \Leftrightarrow \exists Y', Z' : "
    r"\Delta(Y, Y'), \Delta(Z, Z') \le \tfrac\delta{e^\varepsilon+1},\ D_\infty(Y'\|Z') \le \varepsilon",
    given={"near": Distributions(2), "other": Distributions(2), "part": Fraction01()},
    recorded=Verdict.REFUTED,
    note="The right side bounds only one order. Compared at its epsilon (or 0, if that is negative), with delta given "
    "by the distances; Y and Z are mixtures.",
    nature=Nature.PRINTED,
    quote=r"if and only if there exist random variables Y', Z' such that $$\Delta(Y, Y') \leq "
    r"\frac{\delta}{e^\varepsilon + 1}, \Delta(Z, Z') \leq "
    r"\frac{\delta}{e^\varepsilon + 1} \text{ and } D_\infty(Y'||Z') \leq \varepsilon",
    says="Closeness of both orders follows from one bound D(Y'||Z')",
    fault="D(Z'||Y') must be bounded as well, and may be infinite",
)
def characterisation_two(k: Vocabulary, near: list[Array], other: list[Array], part: Array) -> Sides:
    ratio, known = best_quotient(k, near, 0 * part)
    return _from_near_pair(k, near, other, part, k.maximum(ratio, 0 * ratio + 1), known)


def _from_near_pair(
    k: Vocabulary, near: list[Array], other: list[Array], part: Array, ratio: Array, known: Array
) -> Sides:
    """Return both hockey-stick divergences of (Y, Z), and delta = (e^eps + 1) max TV."""
    pair = [(1 - part)[:, None] * x + part[:, None] * w for x, w in zip(near, other, strict=True)]
    radius = k.maximum(*(k.total_variation(x, y) for x, y in zip(pair, near, strict=True)))
    delta = np.where(known, (ratio + 1) * radius, 0 * radius + 1)
    epsilon = k.log(ratio)
    return stack(k.hockey_stick(*pair, epsilon), k.hockey_stick(*pair[::-1], epsilon)), stack(delta, delta)


@claim(
    "colisson.thm3.2.sufficient",
    label="Theorem 3.2, with both orders",
    statement=r"\Delta(Y, Y'), \Delta(Z, Z') \le \tfrac\delta{e^\varepsilon+1},\ D_\infty(Y'\|Z'), D_\infty(Z'\|Y') "
    r"\le \varepsilon \Rightarrow D_\infty^\delta(Y\|Z), D_\infty^\delta(Z\|Y) \le \varepsilon",
    given={"near": PurePairs(), "other": Distributions(2), "part": Fraction01()},
    corrects="colisson.thm3.2",
    proof=derived(proofs.near_pair_suffices),
)
def near_pair_suffices(k: Vocabulary, near: Near, other: list[Array], part: Array) -> Sides:
    pair, ratio = near
    return _from_near_pair(k, pair, other, part, ratio, np.ones(len(part), dtype=bool))


@claim(
    "colisson.thm3.2.necessary",
    label="Theorem 3.2, with both orders",
    statement=r"D_\infty^\delta(Y\|Z), D_\infty^\delta(Z\|Y) \le \varepsilon \Rightarrow \exists Y', Z' : "
    r"\Delta(Y, Y'), \Delta(Z, Z') \le \tfrac\delta{e^\varepsilon+1},\ D_\infty(Y'\|Z'), D_\infty(Z'\|Y') "
    r"\le \varepsilon",
    given={"rows": Distributions(4), "more": MORE, "delta": Fraction01()},
    corrects="colisson.thm3.2",
    note="Every such pair is a post-processing of the canonical one (Kairouz, Oh and Viswanath), in which the "
    "revealing mass is moved.",
    proof=derived(proofs.near_pair_exists),
)
def near_pair_exists(k: Vocabulary, rows: list[Array], more: Array, delta: Array) -> Sides:
    ratio = 1 + more
    moved = delta / (1 + ratio)
    canonical = [delta, (1 - delta) * ratio / (1 + ratio), (1 - delta) / (1 + ratio), 0 * delta]
    nearer = [delta - moved, *canonical[1:3], moved]
    pair, near = (
        [sum(v[:, None] * row for v, row in zip(w[::sign], rows, strict=True)) for sign in (1, -1)]
        for w in (canonical, nearer)
    )
    radii = [k.total_variation(x, y) for x, y in zip(pair, near, strict=True)]
    excess = [(x - ratio[:, None] * y).max(-1) for x, y in (near, near[::-1])]
    return stack(*radii, *excess), stack(moved, moved, 0 * moved, 0 * moved)


@claim(
    "colisson.thm4.dp-divergence",
    label="Theorem 4",
    statement=r"\forall x, x' : D_\infty^\delta(\mathcal M(x), \mathcal M(x')) \le \varepsilon \Rightarrow \mathcal M "
    r"\text{ is } (\varepsilon, \delta)\text{-differentially private}",
    given={"p": Distributions(2), "delta": Fraction01()},
    note="'If' can be replaced by 'if and only if', by Theorem 12. Compared at the least epsilon of both orders, over "
    "all S.",
    argument=proofs.characterisation,
    nature=Nature.PRINTED,
    quote=r"\mathcal{M} is (ϵ, δ) -differentially private if for all",
)
def privacy_by_divergence(k: Vocabulary, p: list[Array], delta: Array) -> Sides:
    both = [k.approximate_max_divergence(*pair, delta=delta) for pair in (p, p[::-1])]
    epsilon, known = finite(k, k.maximum(*both))
    x, y = (measures(w) for w in p)
    excess = largest(k, k.maximum(x - k.exp(epsilon) * y, y - k.exp(epsilon) * x))
    return np.where(known, excess, 0), delta


@claim(
    "colisson.thm12.characterisation",
    label="Theorem 12",
    statement=r"D_\infty^\delta(P\|Q) \le \varepsilon \Leftrightarrow \forall S : \Pr[P \in S] \le e^\varepsilon "
    r"\Pr[Q \in S] + \delta,\ \delta \ge 0,\ \varepsilon > 0",
    given={"p": Distributions(2), "delta": Fraction01()},
    relation="==",
    note="At the epsilon of (2.14), the maximum over S of P(S) - e^eps Q(S), which decreases in eps, is delta. It "
    "holds for every real epsilon; quotients 0/0 in (2.14) must be ignored.",
    argument=proofs.characterisation,
    nature=Nature.PRINTED,
    quote=r"D_{\infty}^{\delta}(P||Q) \leq \varepsilon \Leftrightarrow \forall S, Pr[P \in S] \leq "
    r"e^{\varepsilon} Pr[Q \in S] + \delta",
)
def characterisation(k: Vocabulary, p: list[Array], delta: Array) -> Sides:
    ratio, known = best_quotient(k, p, delta)
    known = known & (ratio > 0)
    return np.where(known, k.hockey_stick(*p, k.log(positive(ratio))), 0), np.where(known, delta, 0)


# 2.5 Properties


@claim(
    "colisson.thm5.positive",
    label="Theorem 5",
    statement=r"D_\alpha(P\|Q) \ge 0,\ \alpha \in [0, +\infty]",
    given={"p": Distributions(2), "alpha": Order(0)},
    note="At the order alpha and at 0, 1 and infinity.",
    proof=derived(proofs.nonnegative),
    nature=Nature.PRINTED,
    quote=r"for all order $\alpha \in [0, +\infty]$, $D_\alpha(P \|\mathcal{Q}) \geq 0$",
)
def nonnegative(k: Vocabulary, p: list[Array], alpha: Array) -> Sides:
    values = [k.renyi(*p, a) for a in (alpha, 0 * alpha, 0 * alpha + 1, 0 * alpha + k.inf)]
    return 0 * stack(alpha, alpha, alpha, alpha), stack(*values)


@claim(
    "colisson.thm6.monotone",
    label="Theorem 6",
    statement=r"D_\alpha(P\|Q) \text{ is nondecreasing in } \alpha \in [0, +\infty]",
    given={"p": Distributions(2), "orders": Orders(0)},
    note="At the orders 0, two others, 1 and infinity.",
    proof=derived(proofs.monotone),
    nature=Nature.PRINTED,
    quote="is nondecreasing in α",
)
def nondecreasing(k: Vocabulary, p: list[Array], orders: tuple[Array, Array]) -> Sides:
    low, high = orders
    ends = [k.renyi(*p, 0 * low), k.renyi(*p, low), k.renyi(*p, high), k.renyi(*p, 0 * low + k.inf)]
    one = k.kl(*p)
    first, second = np.where(low < 1, ends[1], one), np.where(low < 1, one, ends[1])
    return stack(*ends[:-1], first), stack(*ends[1:], second)


@claim(
    "colisson.sec25.finite-bounded",
    label="Section 2.5.1",
    statement=r"D_\alpha(P\|Q) \le -\ln \min_{q_i > 0} q_i \text{ for all } P, Q \text{ on a finite alphabet and }"
    r"\ \alpha > 1",
    given={"p": Distributions(2), "alpha": Order(1)},
    recorded=Verdict.REFUTED,
    note="A finite distribution is read as one on finitely many points, some of which may have probability 0. The "
    "right side bounds every divergence that is finite, so the divergence of a counterexample is infinite: some point "
    "of P is not in the support of Q, as (A.5) of the same report notes.",
    nature=Nature.READING,
    quote="all finite distribution gives a bounded divergence",
    says="Distributions on finitely many points have a bounded divergence",
    fault="It is infinite where Q gives probability 0 to a point of P",
)
def bounded(k: Vocabulary, p: list[Array], alpha: Array) -> Sides:
    return k.renyi(*p, alpha), _bound(k, p[1])


def _bound(k: Vocabulary, q: Array) -> Array:
    return -k.log(positive(q).min(-1))


@claim(
    "colisson.sec25.finite-bounded.corrected",
    label="Section 2.5.1",
    statement=r"\mathrm{supp}\,P \subseteq \mathrm{supp}\,Q \Rightarrow D_\alpha(P\|Q) \le -\ln \min_{q_i > 0} q_i,"
    r"\ \alpha > 1",
    given={"p": Distributions(2), "alpha": Order(1)},
    corrects="colisson.sec25.finite-bounded",
    argument=proofs.bounded,
)
def bounded_corrected(k: Vocabulary, p: list[Array], alpha: Array) -> Sides:
    inside = ~((p[0] > 0) & (p[1] == 0)).any(-1)
    return np.where(inside, k.renyi(*p, alpha), 0), _bound(k, p[1])


@claim(
    "colisson.fig2.1",
    label="Section 2.5.1, on Figure 2.1",
    statement=r"D_\alpha(\mathcal N(5, 5^2)\|\mathcal N(4, 4^2)) \text{ is not bounded in } \alpha",
    given={"bound": Scale(positive=True)},
    note="The order of the arguments is not printed; in the other order it is bounded, see "
    "colisson.fig2.1.other-order. Every bound is compared with the value at which alpha 4^2 + (1 - alpha) 5^2 = 1 / (1 "
    "+ bound); the divergence is infinite from 25/9 on.",
    proof=derived(proofs.figure),
    nature=Nature.READING,
    quote="in Figure 2.1, the divergence isn't bounded",
)
def figure(k: Vocabulary, bound: Array) -> Sides:
    variance = 1 / (1 + bound)
    alpha = (25 - variance) / 9
    spread = k.log(16 / variance) / (alpha - 1) / 2 - k.log((0 * bound + 5) / 4)
    return bound, spread + alpha / (2 * variance)


@claim(
    "colisson.fig2.1.other-order",
    label="Section 2.5.1, on Figure 2.1, the other order",
    statement=r"D_\alpha(\mathcal N(4, 4^2)\|\mathcal N(5, 5^2)) \text{ is not bounded in } \alpha",
    given={"bound": Scale(positive=True)},
    recorded=Verdict.REFUTED,
    note="D(P||Q), with P and Q as in the caption. Every bound is compared with the supremum, D_inf = ln(5/4) + 1/18.",
    nature=Nature.READING,
    quote=r"Divergence of two Gaussian functions such that $\mu_P = 4, \sigma_P = 4$ and $\mu_Q = 5, \sigma_Q = 5$",
    says="D(P||Q) of the two Gaussians of Figure 2.1 is unbounded",
    fault="D(P||Q) is at most ln(5/4) + 1/18; only D(Q||P) is unbounded",
)
def figure_other_order(k: Vocabulary, bound: Array) -> Sides:
    return bound, k.log((0 * bound + 5) / 4) + (0 * bound + 1) / 18


@claim(
    "colisson.thm7.bounded",
    label="Theorem 7",
    statement=r"D_\infty(P\|Q), D_\infty(Q\|P) \le \varepsilon \Rightarrow D_\alpha(P\|Q) \le \tfrac12 "
    r"\varepsilon^2 \alpha,\ \alpha > 1",
    given={"near": PurePairs(), "alpha": Order(1)},
    proof=derived(proofs.bounded_divergence),
    nature=Nature.PRINTED,
    quote=r"Then for all $\alpha > 1$, $D_\alpha(P \|\mathcal{Q}) \leq \frac{1}{2}\varepsilon^2\alpha$",
)
def bounded_divergence(k: Vocabulary, near: Near, alpha: Array) -> Sides:
    pair, ratio = near
    epsilon = k.log(ratio)
    return k.renyi(*pair, alpha), alpha * epsilon * epsilon / 2


@claim(
    "colisson.thm7.optimum",
    label="Theorem 7, the best bound",
    statement=r"D_\alpha(P\|Q) \le \tfrac1{\alpha-1} \ln \tfrac{\cosh((\alpha-\frac12)\varepsilon)}"
    r"{\cosh(\varepsilon/2)},\ \alpha > 0",
    given={"near": PurePairs(), "alpha": Order(0)},
    note="Attained by randomised response; at alpha = 1 it is epsilon tanh(epsilon/2).",
    proof=derived(proofs.chord),
)
def best_bound(k: Vocabulary, near: Near, alpha: Array) -> Sides:
    pair, ratio = near
    epsilon = k.log(ratio)
    values = [(k.renyi(*pair, a), k.pure_to_rdp(epsilon=epsilon, alpha=a)) for a in (alpha, 0 * alpha + 1)]
    return stack(*(x for x, _ in values)), stack(*(y for _, y in values))


@claim(
    "colisson.thm7.attained",
    label="Theorem 7, the best bound",
    statement=r"\text{that bound is attained by randomised response}",
    given={"more": MORE, "alpha": Order(0)},
    relation="==",
    proof=derived(),
)
def attained(k: Vocabulary, more: Array, alpha: Array) -> Sides:
    high, low = (1 + more) / (2 + more), 1 / (2 + more)
    return k.renyi(stack(high, low), stack(low, high), alpha), k.pure_to_rdp(epsilon=k.log(1 + more), alpha=alpha)


@claim(
    "colisson.thm7.least",
    label="Theorem 7, all orders",
    statement=r"D_\alpha(P\|Q) \le \min(\varepsilon, \tfrac12 \varepsilon^2 \alpha),\ \alpha > 0",
    given={"near": PurePairs(), "alpha": Order(0)},
    proof=derived(proofs.bounded_divergence),
)
def least_of_both(k: Vocabulary, near: Near, alpha: Array) -> Sides:
    pair, ratio = near
    epsilon = k.log(ratio)
    value = k.renyi(*pair, alpha)
    return stack(value, value), stack(epsilon, alpha * epsilon * epsilon / 2)


CHAIN: dict[str, Kind] = {"p": Distributions(4), "more": Scale(drawn=8), "further": Scale(drawn=8)}


def _chained(k: Vocabulary, p: list[Array], ratio: Array, final: Array) -> tuple[Array, Array, Array]:
    """Return H(M||M') at e^{eps_0} = final, the delta of (Y, Y') there, and delta_0 = (e^eps + 1) max TV."""
    level = k.log(final)
    delta = k.maximum(k.hockey_stick(*p[:2], level), k.hockey_stick(*p[1::-1], level))
    radius = k.maximum(k.total_variation(p[2], p[0]), k.total_variation(p[3], p[1]))
    return k.hockey_stick(*p[2:], level), delta, (ratio + 1) * radius


@claim(
    "colisson.lem8.additive-delta",
    label="Lemma 8",
    statement=r"\Delta(\mathcal M(x), Y), \Delta(\mathcal M(x'), Y') \le \tfrac{\delta_0}{e^\varepsilon+1},\ "
    r"D_\infty^\delta(Y\|Y'), D_\infty^\delta(Y'\|Y) \le \varepsilon_0 \Rightarrow "
    r"D_\infty^{\delta+\delta_0}(\mathcal M(x)\|\mathcal M(x')) \le \varepsilon_0",
    given=CHAIN,
    recorded=Verdict.REFUTED,
    note="The proof replaces e^eps by e^eps_0, which is wrong if eps_0 > eps, as in the proof of Theorem 20. (A.8) to "
    "(A.12) print e^(eps_0 + 1).",
    nature=Nature.PRINTED,
    quote=r"D_\infty^{\delta+\delta_0}(\mathcal{M}(x) \|\mathcal{M}(x')) \leq \varepsilon_0",
    says="Distances of delta_0/(e^eps+1) cost delta_0 at any level eps_0",
    fault="False if eps_0 > eps: the cost is then (e^eps_0+1)/(e^eps+1) times delta_0",
)
def additive(k: Vocabulary, p: list[Array], more: Array, further: Array) -> Sides:
    value, delta, delta_0 = _chained(k, p, 1 + more, 1 + further)
    return value, delta + delta_0


@claim(
    "colisson.lem8.additive-delta.smaller",
    label="Lemma 8, epsilon_0 <= epsilon",
    statement=r"\text{the same where } \varepsilon_0 \le \varepsilon",
    given=CHAIN,
    corrects="colisson.lem8.additive-delta",
    proof=derived(proofs.additive("more")),
)
def additive_smaller(k: Vocabulary, p: list[Array], more: Array, further: Array) -> Sides:
    value, delta, delta_0 = _chained(k, p, 1 + more + further, 1 + more)
    return value, delta + delta_0


@claim(
    "colisson.lem8.additive-delta.corrected",
    label="Lemma 8",
    statement=r"\text{the same with } \delta + \delta_0 \tfrac{1+e^{\varepsilon_0}}{1+e^\varepsilon}"
    r"\text{ for } \delta + \delta_0",
    given=CHAIN,
    corrects="colisson.lem8.additive-delta",
    proof=derived(proofs.additive("further")),
)
def additive_corrected(k: Vocabulary, p: list[Array], more: Array, further: Array) -> Sides:
    value, delta, delta_0 = _chained(k, p, 1 + more, 1 + further)
    return value, delta + delta_0 * (2 + further) / (2 + more)


@claim(
    "colisson.lem8.a12",
    label="Lemma 8, (A.8) to (A.12)",
    statement=r"\Delta(\mathcal M(x), Y) \le \tfrac{\delta_0}{e^\varepsilon+1},\ \Delta(Y, Z) \le "
    r"\tfrac\delta{e^{\varepsilon_0}+1} \Rightarrow \Delta(\mathcal M(x), Z) \le "
    r"\tfrac{\delta+\delta_0}{e^{\varepsilon_0}+1}",
    given={"p": Distributions(3), "more": Scale(drawn=8), "further": Scale(drawn=8)},
    recorded=Verdict.REFUTED,
    note="With e^(eps_0) + 1, where e^(eps_0 + 1) is printed. Z stands for everything that belongs to x'.",
    nature=Nature.STEP,
    quote=r"\leq \frac{\delta + \delta_0}{e^{\varepsilon_0+1}} \quad (\text{A.12})",
    says="Both distances have the denominator e^eps_0 + 1",
    fault="One of them has the denominator e^eps + 1, which is smaller if eps < eps_0",
)
def joined(k: Vocabulary, p: list[Array], more: Array, further: Array) -> Sides:
    first, middle, last = p
    change = (2 + more) / (2 + further)  # of the denominators
    return k.total_variation(first, last), k.total_variation(middle, last) + k.total_variation(first, middle) * change


TWO_PAIRS: dict[str, Kind] = {"p": Distributions(2), "q": Distributions(2, dim=3), "alpha": Order(0)}


@claim(
    "colisson.thm9.horizontal",
    label="Theorem 9",
    statement=r"D_\alpha(Y_0\|Y_0') \le \varepsilon_0,\ D_\alpha(Y_1\|Y_1') \le \varepsilon_1 \Rightarrow "
    r"D_\alpha((Y_0, Y_1)\|(Y_0', Y_1')) \le \varepsilon_0 + \varepsilon_1",
    given=TWO_PAIRS,
    argument=proofs.horizontal,
    nature=Nature.PRINTED,
    quote=r"D_\alpha((Y_0, Y_1)|| (Y'_0, Y'_1)) \leq \varepsilon_0 + \varepsilon_1",
)
def horizontal(k: Vocabulary, p: list[Array], q: list[Array], alpha: Array) -> Sides:
    joint = [(x[:, :, None] * y[:, None, :]).reshape(len(x), -1) for x, y in zip(p, q, strict=True)]
    return k.renyi(*joint, alpha), k.renyi(*p, alpha) + k.renyi(*q, alpha)


@claim(
    "colisson.thm9.equality",
    label="Theorem 9, with equality",
    statement=r"D_\alpha((Y_0, Y_1)\|(Y_0', Y_1')) = D_\alpha(Y_0\|Y_0') + D_\alpha(Y_1\|Y_1')",
    given=TWO_PAIRS,
    relation="==",
    argument=proofs.horizontal,
)
def horizontal_equality(k: Vocabulary, p: list[Array], q: list[Array], alpha: Array) -> Sides:
    return horizontal.sides(k, p, q, alpha)


# 3.1 The triangle inequality


@claim(
    "colisson.thm10.triangle-like",
    label="Theorem 10",
    statement=r"D_\alpha(P\|Q) \le \tfrac{k\alpha}{k\alpha-1} D_{\frac{k\alpha-1}{k-1}}(P\|R) + D_{k\alpha}(R\|Q),\ "
    r"k, \alpha > 1",
    given={"p": Distributions(3), "k_": Order(1, drawn=16), "alpha": Order(1, drawn=16)},
    note="The sentence after it prints 'does' for 'does not'.",
    proof=derived(proofs.triangle_like),
    nature=Nature.PRINTED,
    quote=r"D_\alpha(P\|Q) \leq \frac{k\alpha}{k\alpha - 1} D_{\frac{k\alpha-1}{k-1}}(P\|R) + D_{k\alpha}(R\|Q)",
)
def triangle_like(k: Vocabulary, p: list[Array], k_: Array, alpha: Array) -> Sides:
    x, y, between = p
    order = k_ * alpha
    first = k.renyi(x, between, (order - 1) / (k_ - 1))
    return k.renyi(x, y, alpha), order / (order - 1) * first + k.renyi(between, y, order)


FAMILY: dict[str, Kind] = {"n": Integers(), "alpha": Order(1, drawn=16)}


def _family(k: Vocabulary, n: Array, alpha: Array) -> list[Array]:
    """Return P_n, Q_n, R_n of (A.13) to (A.15)."""
    masses = [1 / k.power(n, exponent) for exponent in ((alpha - 1) / alpha, 0 * alpha + 1, alpha / (alpha - 1))]
    return [stack(x, 1 - x) for x in masses]


@claim(
    "colisson.thm11.no-triangle",
    label="Theorem 11",
    statement=r"D_\alpha(P_n\|Q_n) \le m,\ D_\alpha(Q_n\|R_n) \le m = \tfrac{\ln 2}{\alpha-1},\ "
    r"D_\alpha(P_n\|R_n) \ge \tfrac{\ln n}{\alpha-1}",
    given=FAMILY,
    note="By the sequences (A.13) to (A.15) of the proof. The display below 'more formally' prints the limit of "
    "D(P_n||Q_n) for that of D(P_n||R_n), which is in (A.19).",
    argument=proofs.no_triangle,
    nature=Nature.PRINTED,
    quote="It is not possible to have a triangle inequality for the divergence in the general case",
)
def no_triangle(k: Vocabulary, n: Array, alpha: Array) -> Sides:
    x, y, z = _family(k, n, alpha)
    m = k.log(0 * n + 2) / (alpha - 1)
    last = k.log(n) / (alpha - 1)
    return stack(k.renyi(x, y, alpha), k.renyi(y, z, alpha), last), stack(m, m, k.renyi(x, z, alpha))


@claim(
    "colisson.thm11.a17",
    label="Theorem 11, (A.17) and (A.18)",
    statement=r"D_\alpha(P_n\|R_n) \le \tfrac1{\alpha-1} \ln n",
    given=FAMILY,
    recorded=Verdict.REFUTED,
    note="It is an upper bound where a lower one is needed; the inequality sign is wrong.",
    nature=Nature.STEP,
    quote=r"\leq \frac{1}{\alpha-1} \ln(n) \quad (\text{A.18})",
    says="D(P_n||R_n) is at most ln n / (alpha - 1)",
    fault="The inequality sign is reversed: it is at least that",
)
def upper_bound(k: Vocabulary, n: Array, alpha: Array) -> Sides:
    x, _, z = _family(k, n, alpha)
    return k.renyi(x, z, alpha), k.log(n) / (alpha - 1)


@claim(
    "colisson.thm11.a17.corrected",
    label="Theorem 11, (A.17) and (A.18)",
    statement=r"D_\alpha(P_n\|R_n) \ge \tfrac1{\alpha-1} \ln n",
    given=FAMILY,
    corrects="colisson.thm11.a17",
)
def lower_bound(k: Vocabulary, n: Array, alpha: Array) -> Sides:
    value, bound = upper_bound.sides(k, n, alpha)
    return bound, value


@claim(
    "colisson.thm11.infinite-order",
    label="Theorem 11, 'except if alpha = +infinity'",
    statement=r"D_\infty(P\|R) \le D_\infty(P\|Q) + D_\infty(Q\|R)",
    given={"p": Distributions(3)},
    proof=derived(proofs.triangle),
    nature=Nature.PRINTED,
    quote=r"except if $\alpha = +\infty$",
)
def triangle(k: Vocabulary, p: list[Array]) -> Sides:
    x, y, z = p
    return k.max_divergence(x, z), k.max_divergence(x, y) + k.max_divergence(y, z)


@claim(
    "colisson.thm11.low-orders",
    label="Theorem 11, orders below 1",
    statement=r"0 < \alpha < 1 : \exists P, Q, R : D_\alpha(P\|Q), D_\alpha(Q\|R) \le \tfrac{\ln 2}{1-\alpha},\ "
    r"D_\alpha(P\|R) = +\infty",
    given={"bound": Scale(), "alpha": Order(0, 1)},
    note="'The general case' is read to include these orders; the formal part has alpha > 1. P = (1, 0), Q = (1/2, "
    "1/2), R = (0, 1): the divergence is infinite.",
    proof=derived(),
    nature=Nature.READING,
    quote="in the general case",
)
def no_triangle_low(k: Vocabulary, bound: Array, alpha: Array) -> Sides:
    one = 0 * bound + 1
    x, y, z = stack(one, 0 * one), stack(one, one) / 2, stack(0 * one, one)
    leg = k.log(2 * one) / (1 - alpha)
    return stack(k.renyi(x, y, alpha), k.renyi(y, z, alpha), bound), stack(leg, leg, k.renyi(x, z, alpha))


@claim(
    "colisson.thm11.order-one",
    label="Theorem 11, order 1",
    statement=r"\exists (P_n), (Q_n), (R_n) : D_1(P_n\|Q_n), D_1(Q_n\|R_n) \le 1,\ D_1(P_n\|R_n) \ge \sqrt n - 1",
    given={"n": Integers(drawn=1 << 9)},
    note="P_n, Q_n, R_n assign n^(-1/2), 1/n and e^-n to one point.",
    argument=proofs.no_triangle_one,
    nature=Nature.READING,
    quote="in the general case",
)
def no_triangle_one(k: Vocabulary, n: Array) -> Sides:
    x, y, z = (stack(mass, 1 - mass) for mass in (1 / k.sqrt(n), 1 / n, k.exp(-n)))
    return stack(k.kl(x, y), k.kl(y, z), k.sqrt(n) - 1), stack(0 * n + 1, 0 * n + 1, k.kl(x, z))


# 3.2 Links between the definitions


@claim(
    "colisson.thm13.tcdp-pure",
    label="Theorem 13, first part",
    statement=r"(\mathfrak m, \mathfrak z)\text{-tCDP} \Rightarrow \mathfrak m\text{-DP}",
    given={"p": Distributions(2), "alpha": Order(1)},
    note="D_inf is at most D_alpha + ln(1 / min p) / (alpha - 1), with D_alpha <= m, at every order.",
    nature=Nature.PRINTED,
    quote=r"a $(\mathfrak{M}, \mathfrak{X})$ - $tCDP$ is \mathfrak{M} -differentially private",
)
def concentrated_is_pure(k: Vocabulary, p: list[Array], alpha: Array) -> Sides:
    value, top, slack = _near_limit(k, p, alpha)
    return top, value + slack


@claim(
    "colisson.thm13.pure-tcdp",
    label="Theorem 13, second part",
    statement=r"\varepsilon\text{-DP} \Rightarrow (\varepsilon, \tfrac{\varepsilon^2}2)\text{-tCDP}",
    given={"near": PurePairs(), "alpha": Order(1)},
    note="At alpha and at order 1. The last line of the proof prints 'differentially private' for tCDP. The converse "
    "loses z: (m, z) becomes (m, m^2/2).",
    proof=derived(links.pure_is_concentrated),
    nature=Nature.PRINTED,
    quote=r"an algorithm ε -differentially private is $(\varepsilon, \frac{\varepsilon^2}{2})$ - $tCDP$",
)
def pure_is_concentrated(k: Vocabulary, near: Near, alpha: Array) -> Sides:
    pair, ratio = near
    epsilon = k.log(ratio)
    value, one = k.renyi(*pair, alpha), k.kl(*pair)
    half = epsilon * epsilon / 2
    return stack(value, value, one, one), stack(epsilon, alpha * half, epsilon, half)


@claim(
    "colisson.thm13.infinite",
    label="Theorem 13, m = +infinity as in Theorem 14",
    statement=r"(+\infty, \mathfrak z)\text{-tCDP} \Rightarrow \varepsilon\text{-DP for some } \varepsilon < \infty",
    given={"mu": Scale(positive=True, bits=6, drawn=8), "epsilon": EPSILON},
    recorded=Verdict.REFUTED,
    note="As printed it is +infinity-DP, which is no condition. The Gaussian mechanism has D_alpha = alpha mu^2 / 2; "
    "it is compared with any epsilon at order 1 + 2 (epsilon + 1) / mu^2.",
    nature=Nature.CONDITION,
    quote=r"$(\mathfrak{M}, \mathfrak{X})$ - $tCDP$ is strictly equivalent to pure ε -differential privacy",
    says="Every tCDP algorithm, m infinite or not, is eps-DP for some eps",
    fault="False for infinite m: the Gaussian mechanism is not",
)
def infinite_concentrated(k: Vocabulary, mu: Array, epsilon: Array) -> Sides:
    return k.gdp_to_rdp(mu=mu, alpha=1 + 2 * (epsilon + 1) / (mu * mu)), epsilon


@claim(
    "colisson.thm14.forward",
    label="Theorem 14",
    statement=r"(\mathfrak m, \mathfrak z)\text{-tCDP} \Rightarrow (0, \mathfrak z)\text{-zCDP}",
    given={"m": Scale(), "z": Scale(), "alpha": Order(1)},
    note="By the definitions: a bound min(m, alpha z) is at most alpha z.",
    proof=derived(),
    nature=Nature.PRINTED,
    quote=r"An algorithm $(\mathfrak{M}, \mathfrak{X})$ - $tCDP$ is $(0, \mathfrak{X})$ - $zCDP$",
)
def forward(k: Vocabulary, m: Array, z: Array, alpha: Array) -> Sides:
    return k.minimum(m, alpha * z), 0 + z * alpha


@claim(
    "colisson.thm14.reverse",
    label="Theorem 14",
    statement=r"(\xi, \rho)\text{-zCDP} \Rightarrow (+\infty, \rho)\text{-tCDP}",
    given={**PURE, "rho": Scale(drawn=8), "alpha": Order(1)},
    recorded=Verdict.REFUTED,
    note="False for every xi > 0: an epsilon-DP pair is (epsilon, rho)-zCDP for every rho >= 0, even for 0.",
    nature=Nature.PRINTED,
    quote=r"An algorithm (ξ, ρ) - $zCDP$ is $(+\infty, \rho)$ - $tCDP$",
    says="A (xi, rho)-zCDP algorithm is (+infinity, rho)-tCDP",
    fault="False for xi > 0: an eps-DP algorithm is (eps, 0)-zCDP, whatever its D_alpha > 0",
)
def reverse(k: Vocabulary, rows: list[Array], more: Array, rho: Array, alpha: Array) -> Sides:
    pair, _ = pure(rows, more)
    return k.renyi(*pair, alpha), rho * alpha


@claim(
    "colisson.thm14.reverse.corrected",
    label="Theorem 14",
    statement=r"(\xi, \rho)\text{-zCDP} \Rightarrow (+\infty, \xi + \rho)\text{-tCDP},\ \xi \ge 0",
    given={"xi": Scale(), "rho": Scale(), "alpha": Order(1)},
    corrects="colisson.thm14.reverse",
    proof=derived(),
)
def reverse_corrected(k: Vocabulary, xi: Array, rho: Array, alpha: Array) -> Sides:
    return xi + rho * alpha, (xi + rho) * alpha


def losses(k: Vocabulary, pair: list[Array]) -> Array:
    """Return the privacy loss at every point for a pair with equal supports; 0 outside."""
    return k.log(positive(pair[0]) / positive(pair[1]))


def cumulant(k: Vocabulary, p: Array, x: Array, scale: Array) -> Array:
    """Return log E_p exp(scale (x - E_p x))."""
    return k.log(mean(p, k.exp(scale[:, None] * (x - mean(p, x)[:, None]))))


SUBGAUSSIAN: dict[str, Kind] = {"near": PurePairs(), "scale": LAMBDA}


def _subgaussian(k: Vocabulary, near: Near, scale: Array) -> tuple[Array, Array, Array, Array]:
    """Return mean and cumulant of the privacy loss of an epsilon-DP pair, epsilon, and the larger D_1 of both orders.

    The pair is (m, z)-tCDP for no smaller m if epsilon is its D_inf, and for no z below D_1.
    """
    pair, ratio = near
    loss = losses(k, pair)
    least = k.maximum(k.kl(*pair), k.kl(*pair[::-1]))
    return mean(pair[0], loss), cumulant(k, pair[0], loss, scale), k.log(ratio), least


@claim(
    "colisson.lem15.subgaussian",
    label="Lemma 15",
    statement=r"\mathbb E[e^{\lambda(L - \mathbb E L)}] \le \exp(\tfrac{\lambda^2}2 (\mathfrak m + "
    r"\tfrac{\min(\mathfrak m, \mathfrak z)}2)^2)",
    given=SUBGAUSSIAN,
    note="m is finite. Compared at m = epsilon and z = the larger D_1 of both orders, which is the least possible z; "
    "the bound increases with both. (A.33) prints lambda L - E(L), and m_L for m.",
    proof=derived(links.loss_concentrated),
    nature=Nature.PRINTED,
    quote=r"\leq \exp \left(\frac{\lambda^2}{2} \left(\mathfrak{M} + \frac{\min(\mathfrak{M}, \mathfrak{Z})}{2} "
    r"\right)^2 \right)",
)
def subgaussian(k: Vocabulary, near: Near, scale: Array) -> Sides:
    _, value, m, z = _subgaussian(k, near, scale)
    tau = m + k.minimum(m, z) / 2
    return value, scale * scale * tau * tau / 2


@claim(
    "colisson.lem15.a32",
    label="Lemma 15, (A.25) to (A.32)",
    statement=r"|L| \le \mathfrak m,\ 0 \le \mathbb E L \le \min(\mathfrak m, \mathfrak z),\ -\mathfrak m - "
    r"\min(\mathfrak m, \mathfrak z) \le L - \mathbb E L \le \mathfrak m",
    given=PURE,
    note="m and z as in Lemma 15; m_L is m.",
    nature=Nature.STEP,
    quote=r"- \mathfrak{m}_L - \min(\mathfrak{m}_L, \mathfrak{z}) \leq L - \mathbb{E}(L) \leq \mathfrak{m}_L",
)
def loss_bounded(k: Vocabulary, rows: list[Array], more: Array) -> Sides:
    pair, ratio = pure(rows, more)
    loss, m = losses(k, pair), k.log(ratio)
    smaller = k.minimum(m, k.maximum(k.kl(*pair), k.kl(*pair[::-1])))
    average = mean(pair[0], loss)
    low, high = -largest(k, -np.moveaxis(loss, -1, 0)), largest(k, np.moveaxis(loss, -1, 0))
    return (
        stack(high, -m, 0 * average, average, high - average, -m - smaller),
        stack(m, low, average, smaller, m, low - average),
    )


@claim(
    "colisson.thm16.mcdp",
    label="Theorem 16",
    statement=r"(\mathfrak m, \mathfrak z)\text{-tCDP} \Rightarrow (\min(\mathfrak m, \mathfrak z), \mathfrak m + "
    r"\tfrac{\min(\mathfrak m, \mathfrak z)}2)\text{-mCDP}",
    given=SUBGAUSSIAN,
    note="m is finite; m and z as in Lemma 15. The bound is not tight.",
    proof=derived(links.loss_concentrated),
    nature=Nature.PRINTED,
    quote=r"is $\left(\min(\mathfrak{M}, \mathfrak{Z}), \mathfrak{M} + \frac{\min(\mathfrak{M}, "
    r"\mathfrak{Z})}{2} \right)$ -mCDP",
)
def mean_concentrated(k: Vocabulary, near: Near, scale: Array) -> Sides:
    average, value, m, z = _subgaussian(k, near, scale)
    smaller = k.minimum(m, z)
    tau = m + smaller / 2
    return stack(average, value), stack(smaller, scale * scale * tau * tau / 2)


@claim(
    "colisson.thm16.mcdp.sharper",
    label="Theorem 16",
    statement=r"(\mathfrak m, \mathfrak z)\text{-tCDP} \Rightarrow (\min(\mathfrak z, \mathfrak m \tanh(\mathfrak m/2))"
    r", \mathfrak m)\text{-mCDP}",
    given=SUBGAUSSIAN,
    note="A shift does not change the length of the range of L - E L, which is at most 2 m.",
    proof=derived(links.loss_concentrated),
)
def mean_concentrated_sharper(k: Vocabulary, near: Near, scale: Array) -> Sides:
    average, value, m, _ = _subgaussian(k, near, scale)
    return stack(average, value), stack(m * (near[1] - 1) / (near[1] + 1), scale * scale * m * m / 2)


@claim(
    "colisson.thm16.randomised-response",
    label="Theorem 16, randomised response",
    statement=r"\mathbb E[e^{\lambda(L - \mathbb E L)}] \le e^{\lambda^2 \varepsilon \tanh(\varepsilon/2)}",
    given={"more": MORE, "scale": LAMBDA},
    note="The inequality of Kearns and Saul; equality holds at lambda = -1, where E e^-L = 1.",
    argument=proofs.randomised_response,
)
def randomised_response(k: Vocabulary, more: Array, scale: Array) -> Sides:
    high, low, epsilon = (1 + more) / (2 + more), 1 / (2 + more), k.log(1 + more)
    value = cumulant(k, stack(high, low), stack(epsilon, -epsilon), scale)
    return value, scale * scale * epsilon * more / (2 + more)


@claim(
    "colisson.lem24.hoeffding",
    label="Lemma 24 (Hoeffding)",
    statement=r"\mathbb E X = 0,\ a \le X \le b \Rightarrow \mathbb E[e^{\lambda X}] \le "
    r"\exp(\tfrac{\lambda^2(b-a)^2}8)",
    given={"p": Distributions(1), "x": Events(), "low": Reals(), "width": Scale(), "scale": Reals()},
    note="X is a + (b - a) x, centred, for any function x with values in [0, 1].",
    proof=derived(links.hoeffding),
    nature=Nature.PRINTED,
    quote=r"\leq \exp \left(\frac{\lambda^2 (b-a)^2}{8} \right)",
)
def hoeffding(k: Vocabulary, p: list[Array], x: Array, low: Array, width: Array, scale: Array) -> Sides:
    values = low[:, None] + width[:, None] * x[:, 0]
    return cumulant(k, p[0], values, scale), scale * scale * width * width / 8


# 3.3.1 Post-processing


CHANNEL: dict[str, Kind] = {"p": Distributions(2), "channel": MarkovKernels()}


@claim(
    "colisson.thm17.postprocessing",
    label="Theorem 17",
    statement=r"\mathcal M\ (\varepsilon, \delta)\text{-DP} \Rightarrow f \circ \mathcal M\ "
    r"(\varepsilon, \delta)\text{-DP}",
    given={**CHANNEL, "ratio": MORE},
    note="It also holds for random f, and for every real epsilon. The domain is misprinted.",
    proof=derived(links.processing_privacy),
    nature=Nature.PRINTED,
    quote=r"Then $f \circ \mathcal{M} : \mathbb{N}^{|\mathcal{M}|} \rightarrow R'$ is (ϵ, δ) -differentially "
    r"private",
)
def processing(k: Vocabulary, p: list[Array], channel: Array, ratio: Array) -> Sides:
    epsilon = k.log(ratio)
    return k.hockey_stick(*(k.through(w, channel) for w in p), epsilon), k.hockey_stick(*p, epsilon)


@claim(
    "colisson.sec331.all-definitions",
    label="Section 3.3.1",
    statement=r"\text{post-processing applies ``for all the different Differential Privacy definitions that we will "
    r"see''}",
    given={"rows": Distributions(2, dim=3), "more": Scale(positive=True, bits=3, drawn=8)},
    recorded=Verdict.REFUTED,
    note="Read as referring to all definitions of the report, although mCDP is defined before this sentence. It fails "
    "for mCDP: the least tau of both orders, bounded from above, is compared with the tau after two symbols are "
    "merged, bounded from below. It also fails for Definition 21, see colisson.def20.monotone.",
    effort=0.5,
    nature=Nature.READING,
    quote="apply for all the different Differential Privacy definitions that we will see",
    says="Post-processing preserves every definition of privacy of the report",
    fault="Not mean-concentrated DP: merging two outputs can increase tau",
)
def all_definitions(k: Vocabulary, rows: list[Array], more: Array) -> Sides:
    pair, _ = pure(rows, more)
    merged = [stack(w[:, 0], w[:, 1] + w[:, 2]) for w in pair]
    before = k.maximum(*(k.subgaussian_bounds(*x)[:, 1] for x in (pair, pair[::-1])))
    after = k.maximum(*(k.subgaussian_bounds(*x)[:, 0] for x in (merged, merged[::-1])))
    return after, before


@claim(
    "colisson.sec331.renyi",
    label="Section 3.3.1, zCDP and tCDP",
    statement=r"D_\alpha(f(P)\|f(Q)) \le D_\alpha(P\|Q)",
    given={**CHANNEL, "alpha": Order(0)},
    corrects="colisson.sec331.all-definitions",
    note="So zCDP and tCDP are closed under post-processing.",
    proof=derived(shared.renyi_processing),
)
def renyi_processing(k: Vocabulary, p: list[Array], channel: Array, alpha: Array) -> Sides:
    return k.renyi(*(k.through(w, channel) for w in p), alpha), k.renyi(*p, alpha)


# 3.3.2 Composition


COMPOSITION: dict[str, Kind] = {"epsilon": EPSILON, "delta": Fraction01(), "folds": Integers(drawn=40), "odds": ODDS}


def _spread(k: Vocabulary, epsilon: Array, folds: Array, extra: Array) -> Array:
    """Return sqrt(2 k ln(1/delta')) eps."""
    return k.sqrt(2 * folds * k.log(1 / extra)) * epsilon


def _composed(k: Vocabulary, epsilon: Array, delta: Array, folds: Array, total: Array) -> Array:
    return k.optimal_composition_delta(epsilon=epsilon, delta=delta, k=folds, total_epsilon=total)


@claim(
    "colisson.thm18.dr16",
    label="Theorem 18",
    statement=r"(\varepsilon', k\delta + \delta')\text{-DP under } k\text{-fold adaptive composition},\ "
    r"\varepsilon' = \sqrt{2k\ln(1/\delta')}\,\varepsilon + k\varepsilon(e^\varepsilon-1)/2",
    given=COMPOSITION,
    note="It needs 0 < delta' <= 1. Compared with the least delta of any adaptive composition (Kairouz, Oh and "
    "Viswanath).",
    effort=0.5,
    argument=proofs.dwork_rothblum,
    nature=Nature.PRINTED,
    quote=r"satisfies $(\varepsilon', k\delta + \delta')$ -differential privacy under k-fold adaptive composition",
)
def dwork_rothblum(k: Vocabulary, epsilon: Array, delta: Array, folds: Array, odds: Array) -> Sides:
    extra = odds / (1 + odds)
    total = _spread(k, epsilon, folds, extra) + folds * epsilon * (k.exp(epsilon) - 1) / 2
    return _composed(k, epsilon, delta, folds, total), folds * delta + extra


@claim(
    "colisson.thm20.composition",
    label="Theorem 20",
    statement=r"\mathcal M_1 \dots \mathcal M_n\ (\varepsilon, \delta)\text{-DP} \Rightarrow \text{the composition is }"
    r"\ (\tfrac{k\varepsilon^2}2 + \sqrt{2k\ln(1/\delta')}\,\varepsilon, n\delta + \delta')\text{-DP}",
    given=COMPOSITION,
    note="Read with k = n; it also holds adaptively. The proof has a gap: it applies Lemma 8 with eps' > eps, for "
    "which it is false, and Theorem 3.2 with only one order. Its argument proves only delta' + n delta (1 + e^eps') / "
    "(1 + e^eps). '<= eps'' is missing in (3.7).",
    effort=0.5,
    argument=proofs.composition,
    nature=Nature.PRINTED,
    quote=r"is $\left(\frac{k\varepsilon^2}{2} + \sqrt{2k \ln(1/\delta')} \varepsilon, n\delta + "
    r"\delta'\right)$ -differentially private",
)
def composition(k: Vocabulary, epsilon: Array, delta: Array, folds: Array, odds: Array) -> Sides:
    extra = odds / (1 + odds)
    total = _spread(k, epsilon, folds, extra) + folds * epsilon * epsilon / 2
    return _composed(k, epsilon, delta, folds, total), folds * delta + extra


@claim(
    "colisson.thm20.literal",
    label="Theorem 20, k and n as printed",
    statement=r"\text{the composition of } n \text{ mechanisms is } (\tfrac{k\varepsilon^2}2 + "
    r"\sqrt{2k\ln(1/\delta')}\,\varepsilon, n\delta + \delta')\text{-DP, for any } k \text{ and } n",
    given={**COMPOSITION, "n": Integers(drawn=40)},
    recorded=Verdict.REFUTED,
    note="k is not defined anywhere; the title and (3.7) show that it is n.",
    effort=0.5,
    nature=Nature.READING,
    says="The bound of Theorem 20 holds with any k for n mechanisms",
    fault="k must be n, the number of mechanisms",
)
def composition_literal(k: Vocabulary, epsilon: Array, delta: Array, folds: Array, odds: Array, n: Array) -> Sides:
    extra = odds / (1 + odds)
    total = _spread(k, epsilon, folds, extra) + folds * epsilon * epsilon / 2
    return _composed(k, epsilon, delta, n, total), n * delta + extra


@claim(
    "colisson.thm20.stronger",
    label="Theorem 20",
    statement=r"(\min\{k\varepsilon, k\varepsilon\tanh\tfrac\varepsilon2 + S, \tfrac{k\varepsilon^2}2 + S\}, "
    r"1 - (1-\delta)^k(1-\delta'))\text{-DP},\ S = \sqrt{2k\ln(1/\delta')}\,\varepsilon",
    given=COMPOSITION,
    note="Without Lemma 8: the revealing outcomes have mass 1 - (1-delta)^k, and the rest is randomised response.",
    effort=0.5,
    argument=proofs.stronger,
)
def composition_stronger(k: Vocabulary, epsilon: Array, delta: Array, folds: Array, odds: Array) -> Sides:
    extra = odds / (1 + odds)
    spread, growth = _spread(k, epsilon, folds, extra), k.exp(epsilon)
    totals = [folds * epsilon, folds * epsilon * (growth - 1) / (growth + 1) + spread]
    bound = 1 - k.power(1 - delta, folds) * (1 - extra)
    return stack(*(_composed(k, epsilon, delta, folds, total) for total in totals)), stack(bound, bound)


ROUND: dict[str, Kind] = {"epsilon": EPSILON, "folds": Integers(), "odds": ODDS}


@claim(
    "colisson.thm20.better-than-dr16",
    label="Theorem 20, 'better bounds'",
    statement=r"\tfrac{k\varepsilon^2}2 + S < S + k\varepsilon(e^\varepsilon-1)/2,\ S = "
    r"\sqrt{2k\ln(1/\delta')}\,\varepsilon",
    given={"epsilon": EPSILON, "folds": Integers()},
    note="The gain is at least k epsilon^3 / 4. At delta = 0 the bound is the one from the conversions of Bun and "
    "Steinke.",
    proof=derived(links.better),
    nature=Nature.PRINTED,
    quote="provide a better bound to the Advanced k-fold composition theorem than the one proposed by Dwork",
)
def better(k: Vocabulary, epsilon: Array, folds: Array) -> Sides:
    half = folds * epsilon / 2
    return half * epsilon + half * epsilon * epsilon / 2, half * (k.exp(epsilon) - 1)


@claim(
    "colisson.thm20.tanh",
    label="Theorem 20 against Kairouz, Oh and Viswanath",
    statement=r"k\varepsilon\tfrac{e^\varepsilon-1}{e^\varepsilon+1} + S < \tfrac{k\varepsilon^2}2 + S",
    given={"epsilon": EPSILON, "folds": Integers()},
    note="The bound of Kairouz, Oh and Viswanath is three years older, and never worse.",
    proof=derived(links.older),
)
def older(k: Vocabulary, epsilon: Array, folds: Array) -> Sides:
    growth = k.exp(epsilon)
    return folds * epsilon * (growth - 1) / (growth + 1), folds * epsilon * epsilon / 2


@claim(
    "colisson.thm20.a64",
    label="Theorem 20, (A.60) to (A.64)",
    statement=r"f(\alpha) = \tfrac{k\alpha\varepsilon^2}2 - \tfrac{\ln\delta'}{\alpha-1} \text{ is least at } 1 + "
    r"\tfrac{\sqrt{2\ln(1/\delta')}}{\sqrt k\,\varepsilon}",
    given={**ROUND, "alpha": Order(1)},
    proof=derived(links.least_order),
    nature=Nature.STEP,
    quote=r"The minimum is obtained when $f'(\alpha) = 0$",
    note="(A.64) and (A.65) print sqrt(k epsilon) for sqrt(k) epsilon, which is in (A.66).",
)
def least_order(k: Vocabulary, epsilon: Array, folds: Array, odds: Array, alpha: Array) -> Sides:
    best = 1 + k.sqrt(2 * k.log(1 + 1 / odds)) / (k.sqrt(folds) * epsilon)
    values = [_at_order(k, epsilon, folds, odds, a) for a in (best, alpha)]
    return values[0], values[1]


def _at_order(k: Vocabulary, epsilon: Array, folds: Array, odds: Array, alpha: Array) -> Array:
    """Return f(alpha) of (A.60)."""
    return folds * alpha * epsilon * epsilon / 2 + k.log(1 + 1 / odds) / (alpha - 1)


@claim(
    "colisson.thm20.a66",
    label="Theorem 20, (A.65) and (A.66)",
    statement=r"\min f = \tfrac{k\varepsilon^2}2 + \sqrt{2k\ln(1/\delta')}\,\varepsilon",
    given=ROUND,
    relation="==",
    proof=derived(),
    nature=Nature.STEP,
    quote=r"= \frac{k\varepsilon^2}{2} + \sqrt{2k \ln(1/\delta')} \varepsilon \quad (\text{A.66})",
)
def least_value(k: Vocabulary, epsilon: Array, folds: Array, odds: Array) -> Sides:
    best = 1 + k.sqrt(2 * k.log(1 + 1 / odds)) / (k.sqrt(folds) * epsilon)
    value = folds * epsilon * epsilon / 2 + _spread(k, epsilon, folds, odds / (1 + odds))
    return _at_order(k, epsilon, folds, odds, best) / value, 0 * value + 1


# 3.3.3 The lemma


SMOOTH: dict[str, Kind] = {"p": Distributions(2), "alpha": Order(1), "less": Scale()}


@claim(
    "colisson.lem19.upper",
    label="Lemma 19",
    statement=r"D_\infty^\delta(P\|Q) \le D_\alpha(P\|Q) - \tfrac{\ln\delta}{\alpha-1},\ \alpha \ge 1,\ 0 < \delta \le "
    r"\Delta(P, Q)",
    given=SMOOTH,
    note="alpha > 1, as it divides by 0 at alpha = 1. For every delta in (0, 1]; delta <= TV(P, Q) is not needed.",
    proof=derived(links.smooth_upper),
    nature=Nature.PRINTED,
    quote=r"D_\infty^\delta(P||Q) \leq D_\alpha(P||Q) - \frac{\ln(\delta)}{\alpha - 1} \quad (3.6)",
)
def smooth_upper(k: Vocabulary, p: list[Array], alpha: Array, less: Array) -> Sides:
    delta = 1 / (1 + less)
    return k.approximate_max_divergence(*p, delta=delta), k.renyi(*p, alpha) - k.log(delta) / (alpha - 1)


@claim(
    "colisson.lem19.upper.sharper",
    label="Lemma 19",
    statement=r"D_\infty^\delta(P\|Q) \le D_\alpha(P\|Q) - \tfrac{\ln\delta}{\alpha-1} + \ln(1 - \tfrac1\alpha) - "
    r"\tfrac{\ln\alpha}{\alpha-1}",
    given=SMOOTH,
    note="Canonne, Kamath and Steinke; Asoodeh et al.",
    proof=derived(lambda goal: links.smooth_upper(goal, sharper=True)),
)
def smooth_upper_sharper(k: Vocabulary, p: list[Array], alpha: Array, less: Array) -> Sides:
    delta = 1 / (1 + less)
    gain = k.log(1 - 1 / alpha) - k.log(alpha) / (alpha - 1)
    return k.approximate_max_divergence(*p, delta=delta), k.renyi(*p, alpha) - k.log(delta) / (alpha - 1) + gain


@claim(
    "colisson.lem19.note",
    label="Lemma 19, note",
    statement=r"\delta > \Delta(P, Q) \Rightarrow D_{+\infty}^\delta(P\|Q) = 0",
    given={"p": Distributions(2), "more": Scale(positive=True, drawn=1)},
    relation="==",
    note="By Definition 12, at delta = TV(P, Q) + more. The value of (2.14) is different, see "
    "colisson.lem19.note.approximate.",
    proof=derived(links.nothing_left),
    nature=Nature.PRINTED,
    quote=r"Note that if $\delta > \Delta(P, Q)$, $D_{+\infty}^\delta(P||Q) = 0$",
)
def beyond_distance(k: Vocabulary, p: list[Array], more: Array) -> Sides:
    radius = k.total_variation(*p) + more
    return k.smooth_renyi(*p, 0 * more + k.inf, delta=radius), 0 * more


@claim(
    "colisson.lem19.note.approximate",
    label="Lemma 19, note, by (2.14)",
    statement=r"\delta > \Delta(P, Q) \Rightarrow D_\infty^\delta(P\|Q) = 0 \text{ by (2.14)}",
    given={"p": Distributions(2), "delta": Fraction01()},
    relation="==",
    recorded=Verdict.REFUTED,
    note="Definition 11 gives the symbol another meaning, for which the value is negative.",
    nature=Nature.READING,
    says="For delta above the distance, the approximate divergence is 0",
    fault="By Definition 11 it is negative; 0 is the value of Definition 12",
)
def beyond_distance_approximate(k: Vocabulary, p: list[Array], delta: Array) -> Sides:
    value = k.approximate_max_divergence(*p, delta=_beyond(k, p, delta))
    return np.where(_overlapping(p), value, 0), 0 * delta


def _beyond(k: Vocabulary, p: list[Array], part: Array) -> Array:
    """Return a delta above TV(P, Q) and below 1, if P and Q overlap."""
    distance = k.total_variation(*p)
    return distance + (1 - distance) * (1 + part) / 3


def _overlapping(p: list[Array]) -> Array:
    return np.asarray(((p[0] > 0) & (p[1] > 0)).any(-1))


@claim(
    "colisson.lem19.note.approximate.corrected",
    label="Lemma 19, note, by (2.14)",
    statement=r"\delta > \Delta(P, Q) \Rightarrow D_\infty^\delta(P\|Q) \le 0 \text{ by (2.14)}",
    given={"p": Distributions(2), "more": Scale(positive=True, drawn=1)},
    corrects="colisson.lem19.note.approximate",
    note="At delta = TV(P, Q) + more.",
    proof=derived(links.beyond_distance),
)
def beyond_distance_corrected(k: Vocabulary, p: list[Array], more: Array) -> Sides:
    return k.approximate_max_divergence(*p, delta=k.total_variation(*p) + more), 0 * more


TRUNCATED: dict[str, Kind] = {"p": Distributions(2), "level": Scale(drawn=8)}


def _truncated(p: list[Array], level: Array, printed: bool) -> tuple[Array, Array, Array]:
    """Return P' = s Q on S = {P >= s Q}, and from 0 (printed) or P to s Q off S; S; whether P' can be normalised."""
    x, bound = p[0], (1 + level)[:, None] * p[1]
    inside = x >= bound
    start = 0 * x if printed else x
    fixed, low, high = (np.where(side, w, 0 * w) for side, w in ((inside, bound), (~inside, start), (~inside, bound)))
    room = (high - low).sum(-1)
    part = (1 - (fixed + low).sum(-1)) / positive(room)
    return fixed + low + part[:, None] * (high - low), inside, room > 0


@claim(
    "colisson.lem19.a35",
    label="Lemma 19, (A.35) to (A.37)",
    statement=r"P' = s_m Q \text{ on } S,\ P_1 \le P' \le P_2 \Rightarrow \Delta(P, P') = \int_S P - P'",
    given=TRUNCATED,
    relation="==",
    recorded=Verdict.REFUTED,
    note="P' may be below P outside S; it must be between P and P_2 there. 'if x in Omega' should be 'if x in S'.",
    nature=Nature.STEP,
    quote="find values between P_1 and P_2 to ensure that P' is well normed",
    says="P' may have any value between 0 and sQ outside S",
    fault="Values below P add to the distance; it must be between P and sQ there",
)
def truncation(k: Vocabulary, p: list[Array], level: Array) -> Sides:
    return _truncation(k, p, level, True)


@claim(
    "colisson.lem19.a35.corrected",
    label="Lemma 19, (A.35) to (A.37)",
    statement=r"P' = s_m Q \text{ on } S,\ P \le P' \le P_2 \text{ off } S \Rightarrow \Delta(P, P') = \int_S P - P'",
    given=TRUNCATED,
    relation="==",
    corrects="colisson.lem19.a35",
    argument=enumerated(
        lambda: grid(p=pairs(3, 4), level={"scale": RATIOS}),
        domain="multiples of 1/4 on three points, s = 5/4, 2, 5/2, 5",
    ),
)
def truncation_corrected(k: Vocabulary, p: list[Array], level: Array) -> Sides:
    return _truncation(k, p, level, False)


@claim(
    "colisson.lem19.a47",
    label="Lemma 19, (A.39) to (A.47)",
    statement=r"D_\alpha(P\|Q) \ge \ln s + \tfrac{\ln \Delta(P, P')}{\alpha-1},\ \Delta(P, P') = \int_S P - s Q,\ "
    r"S = \{P \ge s Q\},\ \alpha > 1",
    given={"p": Distributions(2), "level": Scale(), "alpha": Order(1)},
    note="P' = s Q on S. For distances that are not 0.",
    proof=derived(links.markov),
    nature=Nature.STEP,
    quote=r"D_\alpha(P||Q) \geq \ln(s_m) + \frac{\ln(\Delta(P, P'))}{\alpha-1}",
)
def by_markov(k: Vocabulary, p: list[Array], level: Array, alpha: Array) -> Sides:
    ratio = k.log(1 + level)
    distance = k.hockey_stick(*p, ratio)
    bound = ratio + k.log(positive(distance)) / (alpha - 1)
    return np.where(distance > 0, bound, 0), k.renyi(*p, alpha)


def _truncation(k: Vocabulary, p: list[Array], level: Array, printed: bool) -> Sides:
    near, inside, room = _truncated(p, level, printed)
    taken = np.where(inside, p[0] - near, 0 * near).sum(-1)
    return np.where(room, abs(p[0] - near).sum(-1) / 2, 0), np.where(room, taken, 0)


@claim(
    "colisson.lem19.ends",
    label="Lemma 19, end of the proof",
    statement=r"f(s) = \Delta(P, P_s) : f(1) = 0,\ f(\infty) = \Delta(P, Q)",
    given={"p": Distributions(2)},
    relation="==",
    recorded=Verdict.REFUTED,
    note="If the support of Q contains that of P, as the proof assumes. P_1 = Q, and P_s = P for s >= e^D_inf; the "
    "printed values are those of TV(P_s, Q). Two errors cancel.",
    nature=Nature.STEP,
    quote="$f(1) = 0$. Indeed",
    says="The distance of P and P_s increases from 0 to that of P and Q",
    fault="It decreases from that of P and Q to 0; two errors cancel",
)
def ends(k: Vocabulary, p: list[Array]) -> Sides:
    first, last = _ends(k, p)
    inside = ~((p[0] > 0) & (p[1] == 0)).any(-1)
    return (
        stack(np.where(inside, first, 0), np.where(inside, last, 0)),
        stack(0 * first, np.where(inside, k.total_variation(*p), 0)),
    )


@claim(
    "colisson.lem19.ends.corrected",
    label="Lemma 19, end of the proof",
    statement=r"f(1) = \Delta(P, Q),\ f(\infty) = 0",
    given={"p": Distributions(2)},
    relation="==",
    corrects="colisson.lem19.ends",
    note="If D_inf is finite.",
    argument=enumerated(lambda: {"p": pairs(3, 4)}, domain="multiples of 1/4 on three points"),
)
def ends_corrected(k: Vocabulary, p: list[Array]) -> Sides:
    first, last = _ends(k, p)
    return stack(first, last), stack(k.total_variation(*p), 0 * last)


@claim(
    "colisson.lem19.continuous",
    label="Lemma 19, end of the proof",
    statement=r"1 \le s \le t \Rightarrow 0 \le f(s) - f(t) \le t - s,\ f(s) = \Delta(P, P_s) = "
    r"\int_{\{P \ge s Q\}} P - s Q",
    given={"p": Distributions(2), "level": Scale(drawn=8), "further": Scale(drawn=8)},
    note="So f is continuous.",
    proof=derived(links.shrinks),
    nature=Nature.STEP,
    quote="f is continue",
)
def continuous(k: Vocabulary, p: list[Array], level: Array, further: Array) -> Sides:
    first, second = (k.hockey_stick(*p, k.log(1 + x)) for x in (level, level + further))
    return stack(second, first - second), stack(first, further)


def _ends(k: Vocabulary, p: list[Array]) -> tuple[Array, Array]:
    """Return TV(P, P_s) at s = 1 and at s = e^D_inf; the latter is 0 if D_inf is infinite."""
    ratio, known = best_quotient(k, p, 0 * p[0][:, 0])
    values = []
    for level in (0 * ratio, ratio - 1):
        near, _, room = _truncated(p, level, False)
        values.append(np.where(room, abs(p[0] - near).sum(-1) / 2, 0))
    return np.where((p[0] == p[1]).all(-1), 0, values[0]), np.where(known, values[1], 0)


# 3.3.4 Trade-off


TRADE: dict[str, Kind] = {"near": PurePairs(), "part": Scale(drawn=64)}


def _traded(k: Vocabulary, near: Near, part: Array) -> tuple[Array, Array, Array]:
    """Return D_inf^delta, the ratio, and delta in (0, TV]; if TV = 0, for which there is none, 0 and some delta."""
    pair, ratio = near
    distance = k.total_variation(*pair)
    apart = distance > 0
    delta = np.where(apart, distance, (0 * distance + 1) / 2) / (1 + part)
    value = k.approximate_max_divergence(*pair, delta=delta)
    return np.where(apart, value, 0), ratio, delta


@claim(
    "colisson.thm21.tradeoff",
    label="Theorem 21",
    statement=r"D_\infty(P\|Q), D_\infty(Q\|P) \le \varepsilon,\ 0 < \delta \le \Delta(P, Q) \Rightarrow "
    r"D_\infty^\delta(P\|Q) \le \tfrac12 \varepsilon^2 (1 + \tfrac\varepsilon{\sqrt{2\ln(1/\delta)}})",
    given=TRADE,
    recorded=Verdict.REFUTED,
    note="False for every epsilon < 2, and trivial for larger ones. The fraction in (A.71) is inverted, and (A.73) "
    "drops a term.",
    nature=Nature.PRINTED,
    quote=r"\leq \frac{1}{2} \varepsilon^2 \left(1 + \frac{\varepsilon}{\sqrt{2 \ln(1/\delta)}} \right) \quad (3.8)",
    says="With delta, eps becomes eps^2/2 (1 + eps/sqrt(2 ln(1/delta)))",
    fault="False for every eps < 2: randomised response is near eps for small delta",
)
def tradeoff(k: Vocabulary, near: Near, part: Array) -> Sides:
    value, ratio, delta = _traded(k, near, part)
    epsilon = k.log(ratio)
    return value, epsilon * epsilon / 2 * (1 + epsilon / k.sqrt(2 * k.log(1 / delta)))


@claim(
    "colisson.thm21.tradeoff.corrected",
    label="Theorem 21",
    statement=r"D_\infty^\delta(P\|Q) \le \tfrac12 \varepsilon^2 + \varepsilon \sqrt{2\ln(1/\delta)}",
    given=TRADE,
    corrects="colisson.thm21.tradeoff",
    note="The method gives this: Theorem 20 with one mechanism. It exceeds epsilon for every such delta.",
    proof=derived(links.tradeoff),
)
def tradeoff_corrected(k: Vocabulary, near: Near, part: Array) -> Sides:
    value, ratio, delta = _traded(k, near, part)
    epsilon = k.log(ratio)
    return value, epsilon * epsilon / 2 + epsilon * k.sqrt(-2 * k.log(delta))


@claim(
    "colisson.thm21.tradeoff.best",
    label="Theorem 21",
    statement=r"D_\infty^\delta(P\|Q) \le \ln(e^\varepsilon - \delta(1 + e^\varepsilon)),\ 0 < \delta \le \Delta(P, Q)",
    given=TRADE,
    corrects="colisson.thm21.tradeoff",
    note="Attained by randomised response.",
    proof=derived(links.tradeoff_best),
)
def tradeoff_best(k: Vocabulary, near: Near, part: Array) -> Sides:
    value, ratio, delta = _traded(k, near, part)
    apart = k.total_variation(*near[0]) > 0
    return value, k.log(np.where(apart, ratio - delta * (1 + ratio), 0 * delta + 1))


@claim(
    "colisson.thm21.no-information",
    label="Theorem 21, corrected",
    statement=r"\varepsilon \le \tfrac12 \varepsilon^2 + \varepsilon \sqrt{2\ln(1/\delta)},\ 0 < \delta \le "
    r"\tanh(\varepsilon/2)",
    given={"more": MORE, "part": Scale(drawn=64)},
    note="So the corrected form never improves on D_inf <= epsilon, as TV(P, Q) <= tanh(epsilon/2). delta is "
    "tanh(epsilon/2) / (1 + part).",
    proof=derived(links.no_information),
)
def no_information(k: Vocabulary, more: Array, part: Array) -> Sides:
    inverse = (1 + part) * (1 + 2 / more)
    return 0 * more + 1, k.log(1 + more) / 2 + k.sqrt(2 * k.log(inverse))


@claim(
    "colisson.thm21.a71",
    label="Theorem 21, (A.70) to (A.72)",
    statement=r"\tfrac12 \varepsilon^2 \alpha - \tfrac{\ln\delta}{\alpha-1} \text{ is least at } (\alpha_m - 1)^2 = "
    r"-\tfrac{\varepsilon^2}{2\ln\delta}",
    given={"epsilon": EPSILON, "odds": ODDS, "alpha": Order(1)},
    recorded=Verdict.REFUTED,
    note="The fraction is inverted; it is correct in (A.63).",
    nature=Nature.STEP,
    quote=r"(\alpha_m - 1)^2 = -\frac{\varepsilon^2}{2 \ln(\delta)}",
    says="The best order is 1 + eps / sqrt(2 ln(1/delta))",
    fault="The fraction is inverted: the order is 1 + sqrt(2 ln(1/delta)) / eps",
)
def inverted(k: Vocabulary, epsilon: Array, odds: Array, alpha: Array) -> Sides:
    printed = 1 + epsilon / k.sqrt(2 * k.log(1 + 1 / odds))
    return _at_order(k, epsilon, 0 * alpha + 1, odds, printed), _at_order(k, epsilon, 0 * alpha + 1, odds, alpha)


@claim(
    "colisson.thm21.a73",
    label="Theorem 21, (A.73)",
    statement=r"\tfrac12 \varepsilon^2 \alpha_m - \tfrac{\ln\delta}{\alpha_m-1} = \tfrac12 \varepsilon^2 (1 + "
    r"\tfrac\varepsilon{\sqrt{2\ln(1/\delta)}})",
    given={"epsilon": EPSILON, "odds": ODDS},
    relation="==",
    recorded=Verdict.REFUTED,
    note="At the printed alpha_m; the second term is dropped.",
    nature=Nature.STEP,
    quote="This is greater than 1, so the minimum is",
    says="The value at the best order is eps^2/2 times that order",
    fault="The term ln(1/delta) / (alpha - 1) is dropped",
)
def dropped(k: Vocabulary, epsilon: Array, odds: Array) -> Sides:
    printed = 1 + epsilon / k.sqrt(2 * k.log(1 + 1 / odds))
    return _at_order(k, epsilon, 0 * odds + 1, odds, printed), epsilon * epsilon / 2 * printed


# 4 Quantum


PAIR: dict[str, Kind] = {"states": States(2, normalised=True)}


@claim(
    "colisson.def20.limit",
    label="Definition 20, (4.3)",
    statement=r"\lim_{\alpha\to\infty} \mathbb D_\alpha(\rho\|\sigma) = \inf\{\lambda : \rho \le e^\lambda \sigma\}",
    given={**PAIR, "alpha": Order(1)},
    note="(4.2) is at most this limit, which is at most (4.2) + ln(1 / min spec sigma) / (alpha - 1); sigma is "
    "invertible.",
    effort=0.3,
    nature=Nature.PRINTED,
    quote=r"\mathbb{D}_\infty(\rho\|\sigma) = \inf\{\lambda : \rho \leq \exp(\lambda)\sigma\}",
)
def limit(k: Vocabulary, states: list[Array], alpha: Array) -> Sides:
    value, top = k.maximal_renyi(*states, alpha), k.max_relative_entropy(*states)
    smallest = k.eigvalsh(states[1])[:, 0]
    invertible = k.rank(states[1]) == states[1].shape[-1]
    margin = k.log(np.where(invertible, positive(smallest), 0 * smallest + 1)) / (alpha - 1)
    return stack(value, np.where(invertible, top, 0)), stack(top, np.where(invertible, value - margin, 0))


@claim(
    "colisson.def20.maximal",
    label="Definition 20, (4.4)",
    statement=r"\mathbb D'_\alpha \le \mathbb D_\alpha \text{ for the sandwiched divergence } \mathbb D'_\alpha,\ "
    r"\alpha \ge \tfrac12",
    given={**PAIR, "alpha": Order(0.5, drawn=16)},
    note="A Renyi divergence satisfies the data-processing inequality and is classical on commuting pairs, as the "
    "sandwiched one does. So does Petz's up to order 2, see colisson.def20.maximal.petz. For every such divergence "
    "(4.4) follows from colisson.def20.classical.",
    effort=0.4,
    nature=Nature.PRINTED,
    quote=r"For any Rényi divergence \mathbb{D}'_α we have",
)
def maximal(k: Vocabulary, states: list[Array], alpha: Array) -> Sides:
    return k.sandwiched_renyi(*states, alpha), k.maximal_renyi(*states, alpha)


@claim(
    "colisson.def20.maximal.petz",
    label="Definition 20, (4.4)",
    statement=r"\text{Petz's divergence } \le \mathbb D_\alpha,\ 0 < \alpha \le 2",
    given={**PAIR, "alpha": Order(0, 2)},
    note="They are equal at alpha = 2.",
    effort=0.4,
    nature=Nature.READING,
)
def maximal_petz(k: Vocabulary, states: list[Array], alpha: Array) -> Sides:
    return k.petz_renyi(*states, alpha), k.maximal_renyi(*states, alpha)


@claim(
    "colisson.def20.maximal.any",
    label="Definition 20, (4.4), without data processing",
    statement=r"\text{Petz's divergence } \le \mathbb D_\alpha,\ \alpha > 1",
    given={**PAIR, "alpha": Order(1, drawn=8)},
    recorded=Verdict.REFUTED,
    note="Above order 2 it does not satisfy the data-processing inequality, so some authors do not call it a Renyi "
    "divergence there.",
    nature=Nature.CONDITION,
    says="(4.4) for a divergence without data processing",
    fault="Petz's is larger at every order tried beyond 2",
)
def maximal_any(k: Vocabulary, states: list[Array], alpha: Array) -> Sides:
    return k.petz_renyi(*states, alpha), k.maximal_renyi(*states, alpha)


@claim(
    "colisson.def20.maximal.low-orders",
    label="Definition 20, (4.4)",
    statement=r"\text{the sandwiched divergence } \le \mathbb D_\alpha,\ 0 < \alpha < \tfrac12",
    given={**PAIR, "alpha": Order(0, 0.5, closed=False)},
    note="It holds although there is no data processing at these orders, as it is below Petz's (Araki, Lieb and "
    "Thirring).",
    effort=0.3,
)
def maximal_low(k: Vocabulary, states: list[Array], alpha: Array) -> Sides:
    return k.sandwiched_renyi(*states, alpha), k.maximal_renyi(*states, alpha)


@claim(
    "colisson.def20.classical",
    label="Definition 20, (4.2)",
    statement=r"\mathbb D_\alpha(\rho\|\sigma) = D_\alpha(p\|q),\ q_i = \mathrm{tr}\,\sigma\Pi_i,\ p_i = t_i q_i,\ "
    r"\sigma^{-\frac12}\rho\sigma^{-\frac12} = \textstyle\sum t_i \Pi_i",
    given={"states": States(2, normalised=True, dim=2), "alpha": Order(0, drawn=16)},
    relation="==",
    note="Matsumoto's reverse test: a channel maps (p, q) to (rho, sigma), so by data processing this divergence "
    "bounds every other one. For qubits, where q_+ = (1 - t_-) / (t_+ - t_-).",
)
def reverse_test(k: Vocabulary, states: list[Array], alpha: Array) -> Sides:
    rho, sigma = (_mixed(state) for state in states)
    size = _determinant(sigma)
    adjugate = np.stack([_row(sigma[:, 1, 1], -sigma[:, 0, 1]), _row(-sigma[:, 1, 0], sigma[:, 0, 0])], -2)
    safe = positive(size)
    half = trace(adjugate @ rho) / safe / 2
    square = half * half - _determinant(rho) / safe
    apart = (size > 0) & (square > 0)
    root = k.sqrt(np.where(apart, square, 0 * square + 1))
    high, low = half + root, k.maximum(half - root, 0 * half)
    q = stack((1 - low) / root / 2, (high - 1) / root / 2)
    inside = apart[:, None]
    q = np.where(inside, k.maximum(q, 0 * q), (0 * q + 1) / 2)
    p = np.where(inside, stack(high, low) * q, q)
    return np.where(apart, k.maximal_renyi(rho, sigma, alpha), 0), np.where(apart, k.renyi(p, q, alpha), 0)


def _mixed(state: Array) -> Array:
    """Return a state mixed with a 16th of the uniform one, so that it is invertible."""
    n = state.shape[-1]
    return (15 * state + (np.eye(n, dtype=int) + 0 * state) / n) / 16


def _row(x: Array, y: Array) -> Array:
    return np.stack([x, y], -1)


def _determinant(m: Array) -> Array:
    """Return the determinants of Hermitian 2 x 2 matrices, half of (tr m)^2 - tr m^2."""
    whole = trace(m)
    return (whole * whole - trace(m @ m)) / 2


MONOTONE: dict[str, Kind] = {
    "states": States(2, normalised=True, dim=4, starts=("blocks",)),
    "channel": Channels(out=2, environment=2, dim=4, within=("discard",)),
}


@claim(
    "colisson.def20.monotone",
    label="Definitions 20 and 21, with Section 3.3.1",
    statement=r"\mathbb D_\alpha(\mathcal E(\rho)\|\mathcal E(\sigma)) \le \mathbb D_\alpha(\rho\|\sigma),\ "
    r"\alpha > 1",
    given={**MONOTONE, "alpha": Order(1, drawn=8)},
    recorded=Verdict.REFUTED,
    note="Definition 21 needs this property of (4.2) for post-processing, at each order. t^alpha is not operator "
    "convex for alpha > 2; the sandwiched divergence avoids this.",
    nature=Nature.READING,
    quote="We can then use this Quantum definition of divergence with classical differential privacy definitions",
    says="Post-processing decreases (4.2) at every order above 1",
    fault="False beyond order 2: discarding a flag can increase it",
)
def monotone(k: Vocabulary, states: list[Array], channel: Channel, alpha: Array) -> Sides:
    return k.maximal_renyi(*map(channel, states), alpha), k.maximal_renyi(*states, alpha)


@claim(
    "colisson.def20.monotone.corrected",
    label="Definitions 20 and 21, with Section 3.3.1",
    statement=r"\mathbb D_\alpha(\mathcal E(\rho)\|\mathcal E(\sigma)) \le \mathbb D_\alpha(\rho\|\sigma),\ "
    r"0 < \alpha \le 2",
    given={
        "states": States(2, normalised=True, dim=4),
        "channel": Channels(out=2, environment=2, dim=4),
        "alpha": Order(0, 2),
    },
    corrects="colisson.def20.monotone",
    effort=0.4,
)
def monotone_corrected(k: Vocabulary, states: list[Array], channel: Channel, alpha: Array) -> Sides:
    return k.maximal_renyi(*map(channel, states), alpha), k.maximal_renyi(*states, alpha)


def _max_entropy(k: Vocabulary, states: list[Array]) -> tuple[Array, Array]:
    """Return the larger D_max of both orders, and where it is finite."""
    return finite(k, k.maximum(k.max_relative_entropy(*states), k.max_relative_entropy(*states[::-1])))


@claim(
    "colisson.thm22.quantum-bounded",
    label="Theorem 22",
    statement=r"\mathbb D_\infty(\rho\|\sigma), \mathbb D_\infty(\sigma\|\rho) \le \varepsilon \Rightarrow "
    r"\mathbb D_\alpha(\rho\|\sigma) \le \tfrac12 \varepsilon^2 \alpha,\ \alpha > 1",
    given={"near": PureStates(), "alpha": Order(1, drawn=8)},
    note="(A.78) is an equality, brackets are missing in (A.82), 'unitary' should be 'positive', and rho and sigma are "
    "density matrices.",
    effort=0.5,
    proof=derived(proofs.bounded_divergence),
    nature=Nature.PRINTED,
    quote=r"\mathbb{D}_\alpha(\rho\|\sigma) \leq \frac{1}{2}\varepsilon^2\alpha \quad (4.6)",
)
def quantum_bounded(k: Vocabulary, near: Near, alpha: Array) -> Sides:
    states, ratio = near
    epsilon = k.log(ratio)
    return k.maximal_renyi(*states, alpha), alpha * epsilon * epsilon / 2


@claim(
    "colisson.thm22.a84",
    label="Theorem 22, (A.84)",
    statement=r"e^{(\alpha-1) \mathbb D_\alpha(\rho\|\sigma)} \le e^{\alpha\varepsilon} A + e^{-\alpha\varepsilon} B,\ "
    r"A = \tfrac{1-e^{-\varepsilon}}{e^\varepsilon-e^{-\varepsilon}},\ B = 1 - A",
    given={"near": PureStates(), "alpha": Order(1, drawn=8)},
    note="Both sides as divergences. The right side is the best bound of Theorem 7, which so holds for states too.",
    effort=0.5,
    proof=derived(proofs.chord),
    nature=Nature.STEP,
    quote=r"e^{(\alpha-1)\mathbb{D}_\alpha(\rho\|\sigma)} \leq e^{\alpha\varepsilon} A + e^{-\alpha\varepsilon} B",
)
def quantum_best(k: Vocabulary, near: Near, alpha: Array) -> Sides:
    states, ratio = near
    return k.maximal_renyi(*states, alpha), k.pure_to_rdp(epsilon=k.log(ratio), alpha=alpha)


@claim(
    "colisson.thm22.sandwiched",
    label="Theorem 22, other divergences",
    statement=r"\text{the same for the sandwiched divergence}",
    largest=4,
    given={**PAIR, "alpha": Order(1, drawn=8)},
    effort=0.5,
)
def quantum_bounded_sandwiched(k: Vocabulary, states: list[Array], alpha: Array) -> Sides:
    epsilon, known = _max_entropy(k, states)
    return np.where(known, k.sandwiched_renyi(*states, alpha), 0), alpha * epsilon * epsilon / 2


@claim(
    "colisson.thm22.petz",
    label="Theorem 22, other divergences",
    statement=r"\text{the same for Petz's divergence}",
    given={"states": States(2, normalised=True, dim=2, within=("full",)), "alpha": Order(1, drawn=8)},
    recorded=Verdict.REFUTED,
    note="It would follow from (4.4) and Theorem 22 if 'any Renyi divergence' included Petz's divergence of these "
    "orders.",
    nature=Nature.READING,
    says="Theorem 22 for Petz's divergence at every order above 1",
    fault="False beyond order 2",
)
def quantum_bounded_petz(k: Vocabulary, states: list[Array], alpha: Array) -> Sides:
    epsilon, known = _max_entropy(k, states)
    return np.where(known, k.petz_renyi(*states, alpha), 0), alpha * epsilon * epsilon / 2


@claim(
    "colisson.thm22.petz.corrected",
    label="Theorem 22, other divergences",
    statement=r"\text{the same for Petz's divergence, } 1 < \alpha \le 2",
    given={**PAIR, "alpha": Order(1, 2)},
    corrects="colisson.thm22.petz",
    effort=0.5,
)
def quantum_bounded_petz_corrected(k: Vocabulary, states: list[Array], alpha: Array) -> Sides:
    epsilon, known = _max_entropy(k, states)
    return np.where(known, k.petz_renyi(*states, alpha), 0), alpha * epsilon * epsilon / 2


@claim(
    "colisson.thm22.a86",
    label="Theorem 22, (A.85) and (A.86)",
    statement=r"A = \tfrac{1-e^{-\varepsilon}}{e^\varepsilon-e^{-\varepsilon}},\ B = "
    r"\tfrac{e^{-\varepsilon}-1}{e^\varepsilon-e^{-\varepsilon}} : A + B = 1,\ "
    r"e^\varepsilon A + e^{-\varepsilon} B = 1",
    given={"more": MORE},
    relation="==",
    recorded=Verdict.REFUTED,
    note="The sum of A and B is 0.",
    nature=Nature.STEP,
    quote=r"B = \frac{e^{-\varepsilon} - 1}{e^\varepsilon - e^{-\varepsilon}}",
    says="A and B solve the two equations",
    fault="The sign of B is wrong: with it A + B = 0, not 1",
)
def weights_printed(k: Vocabulary, more: Array) -> Sides:
    ratio = 1 + more
    width = ratio - 1 / ratio
    return _two_equations(ratio, (1 - 1 / ratio) / width, (1 / ratio - 1) / width)


def _two_equations(ratio: Array, a: Array, b: Array) -> Sides:
    return stack(a + b, ratio * a + b / ratio), 0 * stack(a, b) + 1


@claim(
    "colisson.thm22.a86.corrected",
    label="Theorem 22, (A.85) and (A.86)",
    statement=r"\text{the same with } B = \tfrac{e^\varepsilon-1}{e^\varepsilon-e^{-\varepsilon}}",
    given={"more": MORE},
    relation="==",
    corrects="colisson.thm22.a86",
    proof=derived(),
)
def weights_corrected(k: Vocabulary, more: Array) -> Sides:
    ratio = 1 + more
    width = ratio - 1 / ratio
    return _two_equations(ratio, (1 - 1 / ratio) / width, (ratio - 1) / width)


def _sinh(k: Vocabulary, x: Array) -> Array:
    return (k.exp(x) - k.exp(-x)) / 2


def _a88(k: Vocabulary, x: Array, y: Array) -> Sides:
    apart = x != y
    width = np.where(apart, x - y, 0 * x + 1)
    return np.where(apart, (_sinh(k, x) - _sinh(k, y)) / _sinh(k, width), 0 * x), k.exp(x * y / 2)


@claim(
    "colisson.a88.sinh",
    label="Theorem 22, (A.88)",
    statement=r"0 \le y < x \Rightarrow \tfrac{\sinh x - \sinh y}{\sinh(x - y)} \le e^{\frac12 xy}",
    given={"width": EPSILON, "y": Scale(bits=12, drawn=4)},
    note="No range is printed; it is used at x = alpha epsilon, y = (alpha - 1) epsilon.",
    proof=derived(links.sinh_bound),
    nature=Nature.STEP,
    quote=r"\frac{\sinh(x) - \sinh(y)}{\sinh(x - y)} \leq e^{\frac{1}{2}xy}",
)
def sinh(k: Vocabulary, width: Array, y: Array) -> Sides:
    return _a88(k, y + width, y)


@claim(
    "colisson.a88.sinh.any",
    label="Theorem 22, (A.88), any x and y",
    statement=r"x \ne y \Rightarrow \tfrac{\sinh x - \sinh y}{\sinh(x - y)} \le e^{\frac12 xy}",
    given={"x": Reals(drawn=4), "y": Reals(drawn=4)},
    recorded=Verdict.REFUTED,
    note="The left side is cosh((x+y)/2) / cosh((x-y)/2), so it fails whenever x y < 0.",
    nature=Nature.CONDITION,
    says="The inequality (A.88) for any x and y",
    fault="It fails whenever x y < 0",
)
def sinh_any(k: Vocabulary, x: Array, y: Array) -> Sides:
    return _a88(k, x, y)


@claim(
    "colisson.a88.sinh.same-sign",
    label="Theorem 22, (A.88)",
    statement=r"xy \ge 0,\ x \ne y \Rightarrow \tfrac{\sinh x - \sinh y}{\sinh(x - y)} \le e^{\frac12 xy}",
    given={"width": EPSILON, "y": Scale(bits=12, drawn=4)},
    corrects="colisson.a88.sinh.any",
    note="For x = y + width, with x and y exchanged, and with both negative. This is the whole range, by the identity "
    "for the left side.",
    proof=derived(links.sinh_bound),
)
def sinh_same_sign(k: Vocabulary, width: Array, y: Array) -> Sides:
    x = y + width
    sides = [_a88(k, *pair) for pair in ((x, y), (y, x), (-x, -y), (-y, -x))]
    return stack(*(lhs for lhs, _ in sides)), stack(*(rhs for _, rhs in sides))


SMOOTH_STATES: dict[str, Kind] = {
    **PAIR,
    "alpha": Order(1, drawn=16),
    "epsilon": Fraction01(),
    "dual": States(1, normalised=True),
    "level": Scale(positive=True, drawn=1),
}


@claim(
    "colisson.thm23.smooth-max",
    label="Theorem 23",
    statement=r"D_{\max}^\varepsilon(\rho\|\sigma) \le \mathbb D'_\alpha(\rho\|\sigma) + \tfrac{g(\varepsilon)}"
    r"{\alpha-1},\ g(\varepsilon) = -\log(1 - \sqrt{1-\varepsilon^2})",
    given=SMOOTH_STATES,
    note="For the sandwiched divergence, the least one that satisfies data processing and is additive, and hence for "
    "every larger one. D_max^eps, which the report does not define, is with respect to the purified distance. By "
    "duality: no Y > 0, t >= 0 proves that the largest fidelity with a rho' <= e^lambda sigma, tr rho' <= 1, is below "
    "1 - epsilon^2.",
    effort=0.4,
    nature=Nature.PRINTED,
    quote=r"D_{max}^\varepsilon(\rho\|\sigma) \leq \mathbb{D}'_\alpha(\rho\|\sigma) + "
    r"\frac{g(\varepsilon)}{\alpha - 1}",
)
def smooth_max(
    k: Vocabulary, states: list[Array], alpha: Array, epsilon: Array, dual: list[Array], level: Array
) -> Sides:
    rho, sigma = states
    fidelity = _fidelity(epsilon)
    bound, known = finite(k, k.sandwiched_renyi(rho, sigma, alpha) - k.log(1 - k.sqrt(fidelity)) / (alpha - 1))
    return np.where(known, fidelity, 0), _dual(k, rho, sigma, bound, dual[0], level)


@claim(
    "colisson.thm23.any",
    label="Theorem 23, without data processing",
    statement=r"\text{the same where } \mathbb D'_\alpha \text{ need not satisfy data processing}",
    given={
        "psi": Vectors(1, dim=2),
        "q": Distributions(1, dim=2, within=("full",)),
        "alpha": Order(1),
        "epsilon": Fraction01(),
        "level": Fraction01(),
    },
    recorded=Verdict.REFUTED,
    note="The alpha-z divergence of Audenaert and Datta, log tr (rho^(alpha/2z) sigma^((1-alpha)/z) rho^(alpha/2z))^z "
    "/ (alpha - 1), at z = 2 alpha, which does not satisfy data processing; rho = |psi><psi|, sigma diagonal, fidelity "
    "by duality.",
    nature=Nature.CONDITION,
    quote=r"\mathbb{D}'_α is any quantum Rényi divergence",
    says="(4.7) for a divergence without data processing",
    fault="The alpha-z divergence at z = 2 alpha is too small for it",
)
def smooth_max_any(k: Vocabulary, psi: Array, q: list[Array], alpha: Array, epsilon: Array, level: Array) -> Sides:
    vector, weights = psi[:, 0], q[0]
    charged = mean(vector * vector, k.power(weights, ((1 - alpha) / (2 * alpha))[:, None]))
    divergence = 2 * alpha / (alpha - 1) * k.log(charged)
    scaled = vector * k.sqrt(weights)
    rho, sigma = scaled[:, :, None] * scaled[:, None, :], np.eye(2, dtype=int) * weights[:, None, :]
    fidelity = _fidelity(epsilon)
    bound = divergence - k.log(1 - k.sqrt(fidelity)) / (alpha - 1)
    level = (1 + 63 * level) / 64
    return fidelity, level + k.exp(bound) * k.quantum_hockey_stick(rho, sigma, k.log(level))


def _fidelity(part: Array) -> Array:
    """Return 1 - epsilon^2, 0 < epsilon < 1."""
    epsilon = (1 + 62 * part) / 64
    return 1 - epsilon * epsilon


def _dual(k: Vocabulary, rho: Array, sigma: Array, bound: Array, dual: Array, level: Array) -> Array:
    """Return tr rho Y^-1 (t + e^bound tr (sigma^1/2 (Y - t) sigma^1/2)_+), at least the largest fidelity F(rho, rho').

    Y = Y_0 + 1/1024, so that it is invertible.
    """
    y = dual + (np.eye(rho.shape[-1], dtype=int) + 0 * dual) / 1024
    root = k.sqrtm(sigma)
    over = k.quantum_hockey_stick(root @ y @ root, sigma, k.log(level))
    return trace(_inverse(y) @ rho) * (level + k.exp(bound) * over)


def _inverse(m: Array) -> Array:
    """Return the inverse, by Newton's identities (Faddeev and LeVerrier)."""
    n = m.shape[-1]
    one = np.eye(n, dtype=int) + 0 * m
    power, coefficient = one, 0 * trace(m)
    for i in range(1, n + 1):
        whole = m @ power
        coefficient = -trace(whole) / i
        if i < n:
            power = whole + coefficient[:, None, None] * one
    return -power / coefficient[:, None, None]


# Without a claim


for _place, _says, _why in (
    (
        "Abstract and Conclusion",
        "the divergence of Definition 20 bounds the others; the bound is better; the new definition is pure DP",
        "The same as (4.4), Section 3.3.3 and Theorem 13, which have claims.",
    ),
    (
        "Section 2.1",
        "with two coins per answer one has no information on one specific person",
        "An informal introduction; Definition 4 makes it precise. The attack that it mentions is history.",
    ),
    (
        "Section 2.2, Definitions 1 to 6",
        "probability simplex, randomized algorithm, distance, differential privacy, ball",
        "Definitions; they assert nothing.",
    ),
    (
        "Section 2.2, on Definition 4",
        "epsilon: the two distributions are close to a factor of epsilon; delta cannot be avoided",
        "An informal introduction; the factor is e^epsilon, by Definition 4.",
    ),
    (
        "Section 2.3, Definitions 7 to 9",
        "sensitivity, the Laplace distribution, the Laplace mechanism",
        "Definitions; Theorem 2 is about them.",
    ),
    ("Section 2.3", "an error of 12.2 is low for a population of 300,000,000", "A judgement."),
    (
        "Definition 10",
        "the Renyi divergence",
        "A definition for every order except 1; order 1 is meant as the limit, and D_inf has a claim.",
    ),
    (
        "Definition 11, (2.14)",
        "the approximate max divergence",
        "A definition; Theorems 3, 4 and 12 are about it. Quotients 0/0 must be ignored.",
    ),
    (
        "Section 2.4.1",
        "concentrated privacy allows better accuracy than the classical one",
        "It specifies neither queries nor a measure of accuracy.",
    ),
    (
        "Definitions 13 to 18",
        "privacy loss, subgaussian divergence, mCDP, zCDP, tCDP",
        "Definitions; Theorems 13, 14 and 16 are about them.",
    ),
    (
        "Section 2.5.1, on Figure 3.1",
        "Figure 3.1 shows a bounded divergence",
        "The distributions behind the curves are not printed.",
    ),
    (
        "After Theorem 10",
        "this theorem does provide a real triangle inequality",
        "A misprint of 'does not', as the rest of the sentence shows.",
    ),
    (
        "Theorem 11, 'more formally'",
        "D_alpha(P_n||Q_n) is at most m for every n, and tends to infinity",
        "A misprint: R_n is meant in the limit, as in (A.19), and colisson.thm11.no-triangle claims this.",
    ),
    ("Section 3.2.1", "the author's definition is equivalent to pure differential privacy", "The same as Theorem 13."),
    (
        "Theorem 13, proof",
        "D_inf(M(x)||M(x')) <= m; D_alpha <= epsilon and D_alpha <= alpha epsilon^2 / 2",
        "Instances of Theorems 6, 7 and 12 and of the two parts of Theorem 13.",
    ),
    ("Figure 3.2", "summary of the links between the definitions", "A picture of Theorems 13, 14 and 16."),
    ("Section 3.3", "privacy of groups", "Not treated there."),
    ("Section 3.3.1", "post-processing is already the best one we can expect", "A judgement."),
    ("Section 3.3.2, Definition 19", "k-fold adaptive composition", "A definition; Theorem 18 is about it."),
    (
        "(3.7)",
        "in other words, the approximate divergence of the composition",
        "'<= epsilon'' is missing; the sentence before it is colisson.thm20.composition.",
    ),
    (
        "Section 3.3.4",
        "who accepts a larger delta gets a better epsilon",
        "Theorem 21 in words; see its best form and colisson.thm21.no-information.",
    ),
    (
        "Theorem 21, in brackets",
        "if delta > TV(P, Q) then D_inf^delta(P||Q) = 0",
        "Repeats the note of Lemma 19, which has a claim.",
    ),
    ("Section 4.1.1, (4.1)", "density matrices; classical states are diagonal", "Definitions."),
    ("Section 4.1.2", "the max-divergence is a majorant of all divergence", "The same as (4.4)."),
    (
        "Definition 21",
        "quantum zero-concentrated differential privacy",
        "A definition; colisson.def20.monotone is about it.",
    ),
    ("Section 4.3", "a result like Theorem 20 is hoped for; the distances differ", "A plan, not a statement."),
    (
        "Conclusion",
        "the proofs can be easily translated from the classical to the quantum world",
        "An expectation; Theorem 22 is the one example given.",
    ),
    (
        "(A.1) to (A.4)",
        "total variation as a maximum over sets",
        "The definition rewritten; (A.4) omits the intersection with S. The last step is colisson.lem1.a6.",
    ),
    (
        "Appendix A.3, (A.13) to (A.16)",
        "the sequences, and two bounded divergences",
        "The first two parts of colisson.thm11.no-triangle.",
    ),
    (
        "(A.33)",
        "Hoeffding's lemma for L - E(L)",
        "With the brackets that are missing in 'lambda L - E(L)' it is Lemma 15.",
    ),
    (
        "Appendix A.5, first lines",
        "D_alpha(P||Q) is infinite where Q is null and P is not",
        "A convention for negative powers of 0, used by every divergence here.",
    ),
    (
        "(A.38)",
        "P_1 has at most mass 1, P_2 at least mass 1",
        "On S, s Q <= P, and s >= 1; without it there would be no P' in colisson.lem19.a35.",
    ),
    ("(A.48) to (A.51)", "from (A.47) to Lemma 19", "(A.47) rewritten by Theorem 3.1; the result is Lemma 19."),
    (
        "(A.52) to (A.59)",
        "the bound for the nearby pairs of n mechanisms",
        "Theorems 3.2, 7 and 9 and Lemma 19 in sequence; (A.53) prints D_inf^delta for D_inf, of one order only.",
    ),
    (
        "(A.67)",
        "Lemma 8 gives the conclusion",
        "The conclusion is Theorem 20. Lemma 8 is false at that level; the note on Theorem 20 says what is proved.",
    ),
    (
        "(A.68) to (A.70)",
        "Lemma 19 with Theorem 7, and a derivative",
        "Theorem 7 and Lemma 19 have claims; the derivative is correct, and its consequence is (A.71).",
    ),
    (
        "(A.74) to (A.83)",
        "the spectrum of the middle operator, and Jensen's inequality",
        "Steps to (A.84), which has a claim. (A.78) is an equality, and brackets are missing in (A.82).",
    ),
):
    uncovered("colisson", _place, _says, _why)
