"""120 true statements, many of them tight, which the search must never refute.

Each has a reason in a line, or a source: P is Polyanskiy and Wu, "Information Theory" (2025); vE is van Erven and
Harremoes (2014); T is Tomamichel, "Quantum Information Processing with Finite Resources" (2016); B is Bhatia, "Matrix
Analysis" (1997); S is Sason and Verdu, "f-divergence inequalities" (2016); HLP is Hardy, Littlewood and Polya.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from verification.instances import (
    Channels,
    CommutingPairs,
    Distributions,
    Events,
    Fraction01,
    Functions,
    Integers,
    MarkovKernels,
    Order,
    Orders,
    Projections,
    PurePairs,
    PureStates,
    Reals,
    Scale,
    States,
    Unitaries,
    UpSets,
    Vectors,
)

from .statements import (
    binary_entropy,
    chi2,
    dot,
    entropy,
    fidelity,
    information,
    jensen_shannon,
    joint,
    largest,
    mixture,
    one,
    stack,
    triangular,
    true,
    von_neumann,
)

LOW = Order(0, 1, closed=False)
HIGH = Order(1, closed=False)
UP_TO_TWO = Order(1, 2)
PART = Fraction01(zero=False, one=False)


def pair() -> dict[str, Any]:
    return {"p": Distributions(2)}


def full_pair() -> dict[str, Any]:
    return {"p": Distributions(2, full=True)}


def triple() -> dict[str, Any]:
    return {"p": Distributions(3)}


def states() -> dict[str, Any]:
    return {"states": States(2, normalised=True)}


def through_channel(order: Order | None = None) -> dict[str, Any]:
    kinds = {"states": States(2, normalised=True), "channel": Channels(out=2, environment=4)}
    return kinds if order is None else {**kinds, "alpha": order}


def root(k: Any, x: Any) -> Any:
    """Return the square root of a number that is nonnegative up to rounding."""
    return k.sqrt(k.maximum(x, 0 * x))


def uniform(p: Any) -> Any:
    """Return the uniform distribution on the letters of p."""
    return (0 * p + 1) / p.shape[-1]


def log2(k: Any, like: Any) -> Any:
    return k.log(2 * one(like))


def mean(p: Any, f: Any) -> Any:
    return dot(p, f)


# Divergences of distributions


@true(
    "pinsker", r"2\, \mathrm{TV}^2 \le \mathrm{KL}", pair, why="Pinsker; tight as p, q tend to (1/2, 1/2)", tight=True
)
def _(k, p):
    return 2 * k.total_variation(*p) ** 2, k.kl(*p)


@true(
    "pinsker-fourth",
    r"2\, \mathrm{TV}^2 + \tfrac49 \mathrm{TV}^4 \le \mathrm{KL}",
    pair,
    why="Kambo and Kotz (1969); tight at q = 1/2 - d/3, p = q + d",
    tight=True,
)
def _(k, p):
    square = k.total_variation(*p) ** 2
    return 2 * square + 4 * square * square / 9, k.kl(*p)


@true(
    "bretagnolle-huber",
    r"\mathrm{TV} \le (1 - e^{-\mathrm{KL}})^{1/2}",
    pair,
    why="Bretagnolle and Huber; equal for p = q and for disjoint supports",
    tight=True,
)
def _(k, p):
    return k.total_variation(*p), root(k, 1 - k.exp(-k.kl(*p)))


@true(
    "tv-hellinger",
    r"\mathrm{TV}^2 \le \mathrm{HD} (2 - \mathrm{HD})",
    pair,
    why="Cauchy and Schwarz; equal for (x, 1 - x), (1 - x, x)",
    tight=True,
)
def _(k, p):
    h = k.hellinger(*p)
    return k.total_variation(*p) ** 2, h * (2 - h)


@true(
    "hellinger-tv",
    r"\mathrm{HD} \le \mathrm{TV}",
    pair,
    why="(a - b)^2 <= |a^2 - b^2|; equal where in every point one of p, q is 0 or both agree",
    tight=True,
)
def _(k, p):
    return k.hellinger(*p), k.total_variation(*p)


@true(
    "renyi-monotone",
    r"D_\alpha \le D_\beta,\ \alpha \le \beta",
    lambda: {"p": Distributions(2), "orders": Orders(0)},
    why="vE, Theorem 3; equal where the ratio is constant on supp p",
    tight=True,
)
def _(k, p, orders):
    return k.renyi(*p, orders[0]), k.renyi(*p, orders[1])


@true(
    "renyi-skew",
    r"(1 - \alpha) D_\alpha(p \| q) = \alpha D_{1 - \alpha}(q \| p)",
    lambda: {"p": Distributions(2), "alpha": LOW},
    why="vE, Proposition 2",
    relation="==",
)
def _(k, p, alpha):
    return (1 - alpha) * k.renyi(*p, alpha), alpha * k.renyi(*p[::-1], 1 - alpha)


@true("renyi-half", r"D_{1/2} = -2 \log(1 - \mathrm{HD})", pair, why="by definition", relation="==")
def _(k, p):
    affinity = 1 - k.hellinger(*p)
    return k.renyi(*p, one(p[0]) / 2), -2 * k.log(k.maximum(affinity, 0 * affinity))


@true("renyi-two", r"D_2 = \log(1 + \chi^2)", full_pair, why="by definition", relation="==")
def _(k, p):
    return k.renyi(*p, 2 * one(p[0])), k.log(1 + chi2(*p))


@true(
    "kl-chi2",
    r"\mathrm{KL} \le \log(1 + \chi^2)",
    full_pair,
    why="Jensen; equal for constant ratio on supp p",
    tight=True,
)
def _(k, p):
    return k.kl(*p), k.log(1 + chi2(*p))


@true(
    "renyi-pinsker",
    r"2 \min(1, \alpha)\, \mathrm{TV}^2 \le D_\alpha",
    lambda: {"p": Distributions(2), "alpha": Order(0)},
    why="Gilardoni (2010); vE, Theorem 31",
    tight=True,
)
def _(k, p, alpha):
    return 2 * k.minimum(alpha, 0 * alpha + 1) * k.total_variation(*p) ** 2, k.renyi(*p, alpha)


@true(
    "renyi-lower",
    r"\tfrac{\alpha (1 - \beta)}{\beta (1 - \alpha)} D_\beta \le D_\alpha,\ \alpha \le \beta < 1",
    lambda: {"p": Distributions(2), "orders": Orders(1 / 64, 63 / 64)},
    why="vE, Theorem 16",
    tight=True,
)
def _(k, p, orders):
    a, b = orders
    return a * (1 - b) / (b * (1 - a)) * k.renyi(*p, b), k.renyi(*p, a)


@true(
    "renyi-processing",
    r"D_\alpha(p W \| q W) \le D_\alpha(p \| q)",
    lambda: {"p": Distributions(2), "kernel": MarkovKernels(), "alpha": Order(0)},
    why="vE, Theorem 9",
    tight=True,
)
def _(k, p, kernel, alpha):
    return k.renyi(k.through(p[0], kernel), k.through(p[1], kernel), alpha), k.renyi(*p, alpha)


@true(
    "hockey-stick-processing",
    r"H_\varepsilon(p W \| q W) \le H_\varepsilon(p \| q)",
    lambda: {"p": Distributions(2), "kernel": MarkovKernels(), "epsilon": Reals(drawn=8)},
    why="a sum of a convex, homogeneous function of (p, q)",
    tight=True,
)
def _(k, p, kernel, epsilon):
    return k.hockey_stick(k.through(p[0], kernel), k.through(p[1], kernel), epsilon), k.hockey_stick(*p, epsilon)


@true(
    "dobrushin",
    r"\mathrm{TV}(p W, q W) \le \max_{x, y} \mathrm{TV}(W_x, W_y)\, \mathrm{TV}(p, q)",
    lambda: {"p": Distributions(2, dim=3), "kernel": MarkovKernels(3)},
    why="Dobrushin; equal for deterministic kernels that are one to one",
    tight=True,
)
def _(k, p, kernel):
    rows = [kernel[:, i] for i in range(3)]
    most = largest(k, stack(*(k.total_variation(rows[i], rows[j]) for i in range(3) for j in range(i))))
    image = k.total_variation(k.through(p[0], kernel), k.through(p[1], kernel))
    return image, most * k.total_variation(*p)


@true(
    "kl-convex",
    r"\mathrm{KL} \text{ is jointly convex}",
    lambda: {"p": Distributions(4), "part": PART},
    why="P, Theorem 5.1",
    tight=True,
)
def _(k, p, part):
    mixed = k.kl(mixture(part, p[0], p[1]), mixture(part, p[2], p[3]))
    return mixed, part * k.kl(p[0], p[2]) + (1 - part) * k.kl(p[1], p[3])


@true(
    "renyi-convex-low",
    r"D_\alpha \text{ is jointly convex},\ \alpha < 1",
    lambda: {"p": Distributions(4), "part": PART, "alpha": LOW},
    why="vE, Theorem 11",
    tight=True,
)
def _(k, p, part, alpha):
    mixed = k.renyi(mixture(part, p[0], p[1]), mixture(part, p[2], p[3]), alpha)
    return mixed, part * k.renyi(p[0], p[2], alpha) + (1 - part) * k.renyi(p[1], p[3], alpha)


@true(
    "renyi-quasi-convex",
    r"D_\alpha \text{ is jointly quasi-convex}",
    lambda: {"p": Distributions(4), "part": PART, "alpha": Order(0)},
    why="vE, Theorem 13",
    tight=True,
)
def _(k, p, part, alpha):
    mixed = k.renyi(mixture(part, p[0], p[1]), mixture(part, p[2], p[3]), alpha)
    return mixed, k.maximum(k.renyi(p[0], p[2], alpha), k.renyi(p[1], p[3], alpha))


@true(
    "renyi-convex-second",
    r"D_\alpha(p \| t q_0 + (1 - t) q_1) \le t D_\alpha(p \| q_0) + (1 - t) D_\alpha(p \| q_1)",
    lambda: {"p": Distributions(3), "part": PART, "alpha": Order(0)},
    why="vE, Theorem 12, for every order",
    tight=True,
)
def _(k, p, part, alpha):
    mixed = k.renyi(p[0], mixture(part, p[1], p[2]), alpha)
    return mixed, part * k.renyi(p[0], p[1], alpha) + (1 - part) * k.renyi(p[0], p[2], alpha)


@true("tv-triangle", r"\mathrm{TV}(p, r) \le \mathrm{TV}(p, q) + \mathrm{TV}(q, r)", triple, why="a norm", tight=True)
def _(k, p):
    return k.total_variation(p[0], p[2]), k.total_variation(p[0], p[1]) + k.total_variation(p[1], p[2])


@true(
    "hellinger-triangle",
    r"\mathrm{HD}(p, r)^{1/2} \le \mathrm{HD}(p, q)^{1/2} + \mathrm{HD}(q, r)^{1/2}",
    triple,
    why="a Euclidean distance of roots",
    tight=True,
)
def _(k, p):
    distances = [root(k, k.hellinger(p[i], p[j])) for i, j in ((0, 2), (0, 1), (1, 2))]
    return distances[0], distances[1] + distances[2]


@true(
    "jensen-shannon-triangle",
    r"\mathrm{JS}(p, r)^{1/2} \le \mathrm{JS}(p, q)^{1/2} + \mathrm{JS}(q, r)^{1/2}",
    triple,
    why="Endres and Schindelin (2003)",
    tight=True,
)
def _(k, p):
    distances = [root(k, jensen_shannon(k, p[i], p[j])) for i, j in ((0, 2), (0, 1), (1, 2))]
    return distances[0], distances[1] + distances[2]


@true(
    "max-triangle",
    r"D_\infty(p \| r) \le D_\infty(p \| q) + D_\infty(q \| r)",
    triple,
    why="ratios multiply; equal where both maxima are at one point",
    tight=True,
)
def _(k, p):
    return k.max_divergence(p[0], p[2]), k.max_divergence(p[0], p[1]) + k.max_divergence(p[1], p[2])


@true(
    "renyi-weak-triangle",
    r"D_\alpha(p \| r) \le \tfrac{\alpha - 1/2}{\alpha - 1} D_{2 \alpha}(p \| q) + D_{2 \alpha - 1}(q \| r)",
    lambda: {"p": Distributions(3), "alpha": HIGH},
    why="Mironov (2017), Proposition 11",
)
def _(k, p, alpha):
    first = (2 * alpha - 1) / (2 * (alpha - 1)) * k.renyi(p[0], p[1], 2 * alpha)
    return k.renyi(p[0], p[2], alpha), first + k.renyi(p[1], p[2], 2 * alpha - 1)


@true(
    "group-privacy",
    r"H_{a + b}(p \| r) \le H_a(p \| q) + e^a H_b(q \| r)",
    lambda: {"p": Distributions(3), "more": Scale(positive=True), "further": Scale(positive=True)},
    why="(x - s t z)_+ <= (x - s y)_+ + s (y - t z)_+",
    tight=True,
)
def _(k, p, more, further):
    first, second = 1 + more, 1 + further
    both = k.hockey_stick(p[0], p[2], k.log(first * second))
    return both, k.hockey_stick(p[0], p[1], k.log(first)) + first * k.hockey_stick(p[1], p[2], k.log(second))


@true(
    "kl-additive",
    r"\mathrm{KL}(p \otimes r \| q \otimes s) = \mathrm{KL}(p \| q) + \mathrm{KL}(r \| s)",
    lambda: {"p": Distributions(2), "r": Distributions(2)},
    why="the logarithm of a product",
    relation="==",
)
def _(k, p, r):
    return k.kl(k.product(p[0], r[0]), k.product(p[1], r[1])), k.kl(*p) + k.kl(*r)


@true(
    "renyi-additive",
    r"D_\alpha(p \otimes r \| q \otimes s) = D_\alpha(p \| q) + D_\alpha(r \| s)",
    lambda: {"p": Distributions(2), "r": Distributions(2), "alpha": Order(0)},
    why="vE, Theorem 28",
    relation="==",
)
def _(k, p, r, alpha):
    return k.renyi(k.product(p[0], r[0]), k.product(p[1], r[1]), alpha), k.renyi(*p, alpha) + k.renyi(*r, alpha)


@true(
    "tv-product",
    r"\mathrm{TV}(p \otimes r, q \otimes s) \le 1 - (1 - \mathrm{TV}(p, q)) (1 - \mathrm{TV}(r, s))",
    lambda: {"p": Distributions(2), "r": Distributions(2)},
    why="independent optimal couplings",
    tight=True,
)
def _(k, p, r):
    a, b = k.total_variation(*p), k.total_variation(*r)
    return k.total_variation(k.product(p[0], r[0]), k.product(p[1], r[1])), a + b - a * b


@true(
    "hellinger-product",
    r"1 - \mathrm{HD}(p \otimes r, q \otimes s) = (1 - \mathrm{HD}(p, q)) (1 - \mathrm{HD}(r, s))",
    lambda: {"p": Distributions(2), "r": Distributions(2)},
    why="affinities multiply",
    relation="==",
)
def _(k, p, r):
    both = 1 - k.hellinger(k.product(p[0], r[0]), k.product(p[1], r[1]))
    return both, (1 - k.hellinger(*p)) * (1 - k.hellinger(*r))


@true(
    "hockey-stick-duality",
    r"H_\varepsilon(p \| q) = 1 - r + r H_{-\varepsilon}(q \| p),\ r = e^\varepsilon",
    lambda: {"p": Distributions(2), "more": Scale(positive=True, drawn=8)},
    why="(x)_+ - (-x)_+ = x",
    relation="==",
)
def _(k, p, more):
    ratio = 1 + more
    return k.hockey_stick(*p, k.log(ratio)), 1 - ratio + ratio * k.hockey_stick(*p[::-1], -k.log(ratio))


@true("hockey-stick-zero", r"H_0 = \mathrm{TV}", pair, why="by definition", relation="==")
def _(k, p):
    return k.hockey_stick(*p, 0 * one(p[0])), k.total_variation(*p)


@true(
    "hockey-stick-of-tests",
    r"E_p t - e^\varepsilon E_q t \le H_\varepsilon(p \| q)",
    lambda: {"p": Distributions(2), "event": Events(), "epsilon": Reals(drawn=8)},
    why="the integrand is at most its positive part; equal for t = 1[p > e^eps q]",
    tight=True,
)
def _(k, p, event, epsilon):
    t = event[:, 0]
    return dot(p[0], t) - k.exp(epsilon) * dot(p[1], t), k.hockey_stick(*p, epsilon)


@true(
    "tv-of-events",
    r"\mathrm{TV} = \sup_S (p(S) - q(S))",
    lambda: {"p": Distributions(2, dim=5)},
    why="by definition",
    relation="==",
)
def _(k, p):
    return k.total_variation(*p), k.over_events(lambda x, y: x - y, *p)


@true(
    "rdp-to-dp",
    r"\log H_\varepsilon \le (\alpha - 1)(D_\alpha - \varepsilon) + (\alpha - 1) \log(1 - 1/\alpha) - \log \alpha",
    lambda: {"p": Distributions(2), "alpha": HIGH, "epsilon": Scale(drawn=8)},
    why="Balle et al. (2020); Canonne, Kamath and Steinke (2020)",
)
def _(k, p, alpha, epsilon):
    exponent = (alpha - 1) * (k.renyi(*p, alpha) - epsilon + k.log(1 - 1 / alpha)) - k.log(alpha)
    return k.log(k.hockey_stick(*p, epsilon)), exponent


@true(
    "triangular-upper",
    r"\sum (p - q)^2 / (p + q) \le 4\, \mathrm{HD}",
    pair,
    why="Le Cam; tight for near-equal pairs",
    tight=True,
)
def _(k, p):
    return triangular(*p), 4 * k.hellinger(*p)


@true(
    "triangular-lower",
    r"2\, \mathrm{HD} \le \sum (p - q)^2 / (p + q)",
    pair,
    why="Le Cam; equal for disjoint supports",
    tight=True,
)
def _(k, p):
    return 2 * k.hellinger(*p), triangular(*p)


@true(
    "jensen-shannon-lower",
    r"\sum (p - q)^2 / (p + q) \le 4\, \mathrm{JS}",
    pair,
    why="Topsoe (2000); tight for near-equal pairs",
    tight=True,
)
def _(k, p):
    return triangular(*p), 4 * jensen_shannon(k, *p)


@true(
    "jensen-shannon-tv",
    r"\mathrm{JS} \le \log 2 \cdot \mathrm{TV}",
    pair,
    why="Lin (1991); equal for disjoint supports and p = q",
    tight=True,
)
def _(k, p):
    return jensen_shannon(k, *p), log2(k, p[0]) * k.total_variation(*p)


@true(
    "reverse-pinsker",
    r"\mathrm{KL} \le \log(1 + 2\, \mathrm{TV}^2 / \min q)",
    full_pair,
    why="S, Theorem 25: chi^2 <= 2 TV^2 / min q, and KL <= log(1 + chi^2)",
    tight=True,
)
def _(k, p):
    return k.kl(*p), k.log(1 + 2 * k.total_variation(*p) ** 2 / k.smallest_mass(p[1]))


@true(
    "max-by-least-mass",
    r"D_\infty(p \| q) \le -\log \min q",
    full_pair,
    why="p <= 1; equal for a point mass where q is least",
    tight=True,
)
def _(k, p):
    return k.max_divergence(*p), -k.log(k.smallest_mass(p[1]))


@true(
    "local-kl",
    r"\mathrm{KL}(t p + (1 - t) q \| q) \le t^2 \chi^2(p, q),\ t = 2^{-40}",
    full_pair,
    why="KL <= chi^2, which is quadratic along mixtures",
)
def _(k, p):
    t = one(p[0]) / 2**40
    return k.kl(mixture(t, *p), p[1]), t * t * chi2(*p)


@true(
    "local-tv",
    r"\mathrm{TV}(t p + (1 - t) q, q) = t\, \mathrm{TV}(p, q),\ t = 2^{-40}",
    pair,
    why="linear along mixtures",
    relation="==",
)
def _(k, p):
    t = one(p[0]) / 2**40
    return k.total_variation(mixture(t, *p), p[1]), t * k.total_variation(*p)


@true(
    "kl-chain",
    r"\mathrm{KL}(p \times W \| q \times V) = \mathrm{KL}(p \| q) + \sum p(x) \mathrm{KL}(W_x \| V_x)",
    lambda: {"p": Distributions(2, dim=3, full=True), "first": Distributions(3), "second": Distributions(3, full=True)},
    why="chain rule, P, Theorem 2.16",
    relation="==",
)
def _(k, p, first, second):
    whole = k.kl(joint(p[0], np.stack(first, 1)), joint(p[1], np.stack(second, 1)))
    return whole, k.kl(*p) + sum(p[0][:, i] * k.kl(first[i], second[i]) for i in range(3))


# Entropy and information


@true(
    "entropy-concave",
    r"t H(p) + (1 - t) H(q) \le H(t p + (1 - t) q)",
    lambda: {"p": Distributions(2), "part": Fraction01()},
    why="-x log x is concave",
    tight=True,
)
def _(k, p, part):
    return part * entropy(k, p[0]) + (1 - part) * entropy(k, p[1]), entropy(k, mixture(part, *p))


@true(
    "fano",
    r"H(p) \le h(e) + e \log(n - 1),\ e = 1 - \max p",
    lambda: {"p": Distributions()},
    why="Fano; equal where the other weights agree",
    tight=True,
)
def _(k, p):
    error = 1 - largest(k, p[0])
    return entropy(k, p[0]), binary_entropy(k, error) + error * k.log((p[0].shape[-1] - 1) * one(p[0]))


@true(
    "collision-entropy",
    r"-\log \sum p^2 \le H(p)",
    lambda: {"p": Distributions(dim=8)},
    why="Jensen; equal for uniform distributions on a set",
    tight=True,
)
def _(k, p):
    return -k.log(dot(p[0], p[0])), entropy(k, p[0])


@true(
    "information-below-entropy",
    r"I(X; Y) \le H(X)",
    lambda: {"p": Distributions(dim=3), "kernel": MarkovKernels(3)},
    why="equal where Y determines X",
    tight=True,
)
def _(k, p, kernel):
    return information(k, p[0], kernel), entropy(k, p[0])


@true(
    "information-processing",
    r"I(X; Z) \le I(X; Y),\ X \to Y \to Z",
    lambda: {"p": Distributions(dim=3), "first": MarkovKernels(3, 3), "second": MarkovKernels(3, 3)},
    why="data processing, P, Theorem 3.7",
    tight=True,
)
def _(k, p, first, second):
    return information(k, p[0], first @ second), information(k, p[0], first)


@true(
    "information-concave",
    r"t I(p, W) + (1 - t) I(q, W) \le I(t p + (1 - t) q, W)",
    lambda: {"p": Distributions(2, dim=3), "kernel": MarkovKernels(3), "part": Fraction01()},
    why="P, Theorem 5.3",
    tight=True,
)
def _(k, p, kernel, part):
    parts = [information(k, x, kernel) for x in p]
    return part * parts[0] + (1 - part) * parts[1], information(k, mixture(part, *p), kernel)


@true(
    "binary-entropy-upper",
    r"h(x) \le 2 \log 2 (x (1 - x))^{1/2}",
    lambda: {"x": Fraction01()},
    why="Lin (1991); equal at 0, 1/2 and 1",
    tight=True,
)
def _(k, x):
    return binary_entropy(k, x), 2 * log2(k, x) * k.sqrt(x * (1 - x))


@true(
    "binary-entropy-lower",
    r"4 \log 2 \cdot x (1 - x) \le h(x)",
    lambda: {"x": Fraction01()},
    why="Topsoe (2001); equal at 0, 1/2 and 1",
    tight=True,
)
def _(k, x):
    return 4 * log2(k, x) * x * (1 - x), binary_entropy(k, x)


@true(
    "entropy-tiny",
    r"h(x) \le x (1 + \log 1/x)",
    lambda: {"x": Fraction01(zero=False)},
    why="-(1 - x) log(1 - x) <= x; tight as x tends to 0",
    tight=True,
)
def _(k, x):
    return binary_entropy(k, x), x * (1 - k.log(x))


# Functions


@true(
    "donsker-varadhan",
    r"E_p f - \log E_q e^f \le \mathrm{KL}(p \| q)",
    lambda: {"p": Distributions(2), "f": Functions()},
    why="Donsker and Varadhan; equal for f = log p / q",
    tight=True,
)
def _(k, p, f):
    return dot(p[0], f[:, 0]) - k.log(dot(p[1], k.exp(f[:, 0]))), k.kl(*p)


@true(
    "gibbs",
    r"E_p f - \log E_q e^f = \mathrm{KL}(p \| q) - \mathrm{KL}(p \| q e^f / E_q e^f)",
    lambda: {"p": Distributions(2, full=True), "f": Functions()},
    why="an identity",
    relation="==",
)
def _(k, p, f):
    tilted = p[1] * k.exp(f[:, 0])
    total = tilted.sum(-1)
    return dot(p[0], f[:, 0]) - k.log(total), k.kl(*p) - k.kl(p[0], tilted / total[:, None])


@true(
    "chapman-robbins",
    r"(E_p f - E_q f)^2 \le \chi^2(p, q) \mathrm{Var}_q f",
    lambda: {"p": Distributions(2, full=True), "f": Functions()},
    why="Cauchy and Schwarz; equal on two points",
    tight=True,
)
def _(k, p, f):
    g = f[:, 0]
    centred = g - mean(p[1], g)[:, None]
    return dot(p[0] - p[1], g) ** 2, chi2(*p) * dot(p[1], centred * centred)


@true(
    "oscillation",
    r"E_p f - E_q f \le (\max f - \min f)\, \mathrm{TV}",
    lambda: {"p": Distributions(2), "f": Functions()},
    why="equal for two-valued f on {p > q}",
    tight=True,
)
def _(k, p, f):
    g = f[:, 0]
    return dot(p[0] - p[1], g), (largest(k, g) + largest(k, -g)) * k.total_variation(*p)


@true(
    "bhatia-davis",
    r"\mathrm{Var} f \le (\max f - E f)(E f - \min f)",
    lambda: {"p": Distributions(), "f": Functions()},
    why="Bhatia and Davis (2000); equal for two-valued f",
    tight=True,
)
def _(k, p, f):
    g = f[:, 0]
    centre = mean(p[0], g)
    centred = g - centre[:, None]
    return dot(p[0], centred * centred), (largest(k, g) - centre) * (centre + largest(k, -g))


@true(
    "hoeffding-lemma",
    r"\log E e^{f - E f} \le (\max f - \min f)^2 / 8",
    lambda: {"p": Distributions(), "f": Functions()},
    why="Hoeffding (1963); tight as f tends to a constant under a fair coin",
    tight=True,
)
def _(k, p, f):
    g = f[:, 0]
    centred = g - mean(p[0], g)[:, None]
    return k.log(dot(p[0], k.exp(centred))), (largest(k, g) + largest(k, -g)) ** 2 / 8


@true(
    "mean-deviation",
    r"E |f - E f| \le (\mathrm{Var} f)^{1/2}",
    lambda: {"p": Distributions(), "f": Functions()},
    why="Jensen; equal for +-1 under a fair coin",
    tight=True,
)
def _(k, p, f):
    centred = f[:, 0] - mean(p[0], f[:, 0])[:, None]
    return dot(p[0], abs(centred)), k.sqrt(dot(p[0], centred * centred))


@true(
    "cauchy-schwarz",
    r"\left(\sum f g\right)^2 \le \sum f^2 \sum g^2",
    lambda: {"f": Functions(2)},
    why="equal for parallel f, g",
    tight=True,
)
def _(k, f):
    return dot(f[:, 0], f[:, 1]) ** 2, dot(f[:, 0], f[:, 0]) * dot(f[:, 1], f[:, 1])


@true(
    "hoelder",
    r"\sum |f g| \le \|f\|_a \|g\|_{a / (a - 1)}",
    lambda: {"f": Functions(2), "a": Order(17 / 16, 16)},
    why="HLP, 13",
    tight=True,
)
def _(k, f, a):
    return dot(abs(f[:, 0]), abs(f[:, 1])), _norm(k, f[:, 0], a) * _norm(k, f[:, 1], a / (a - 1))


def _norm(k: Any, f: Any, a: Any) -> Any:
    return k.power(k.power(abs(f), a[:, None]).sum(-1), 1 / a)


@true(
    "minkowski-triangle",
    r"\|f + g\|_a \le \|f\|_a + \|g\|_a,\ a > 1",
    lambda: {"f": Functions(2), "a": HIGH},
    why="HLP, 24",
    tight=True,
)
def _(k, f, a):
    return _norm(k, f[:, 0] + f[:, 1], a), _norm(k, f[:, 0], a) + _norm(k, f[:, 1], a)


@true(
    "norms-decrease",
    r"\|f\|_b \le \|f\|_a,\ a \le b",
    lambda: {"f": Functions(), "orders": Orders(1 / 8, 16)},
    why="HLP, 19; equal for f at one point",
    tight=True,
)
def _(k, f, orders):
    return _norm(k, f[:, 0], orders[1]), _norm(k, f[:, 0], orders[0])


@true(
    "log-sum",
    r"\sum p \log(\sum p / \sum q) \le \sum p \log(p / q),\ \text{of two parts}",
    lambda: {
        "a": Scale(positive=True),
        "b": Scale(positive=True),
        "c": Scale(positive=True),
        "d": Scale(positive=True),
    },
    why="log-sum; equal for a / c = b / d",
    tight=True,
)
def _(k, a, b, c, d):
    return (a + b) * k.log((a + b) / (c + d)), a * k.log(a / c) + b * k.log(b / d)


# Numbers


@true(
    "am-gm",
    r"x y \le ((x + y) / 2)^2",
    lambda: {"x": Reals(), "y": Reals()},
    why="(x - y)^2 >= 0; equal for x = y",
    tight=True,
)
def _(k, x, y):
    return x * y, ((x + y) / 2) ** 2


@true(
    "bernoulli-exact", r"1 + a x \le (1 + x)^a,\ a > 1", lambda: {"x": Scale(), "a": HIGH}, why="Bernoulli", tight=True
)
def _(k, x, a):
    return 1 + a * x, k.power(1 + x, a)


@true(
    "power-subadditive-exact",
    r"(x + y)^a \le x^a + y^a,\ a < 1",
    lambda: {"x": Scale(positive=True), "y": Scale(positive=True), "a": LOW},
    why="concave, 0 at 0; tight as y tends to 0",
    tight=True,
)
def _(k, x, y, a):
    return k.power(x + y, a), k.power(x, a) + k.power(y, a)


@true(
    "log-tiny",
    r"x - x^2 / 2 \le \log(1 + x),\ x = 2^{-40} u",
    lambda: {"part": Fraction01()},
    why="alternating series; tight at 0",
    tight=True,
)
def _(k, part):
    x = part / 2**40
    return x - x * x / 2, k.log(1 + x)


@true(
    "log-root",
    r"\log(1 + x) \le x / (1 + x)^{1/2}",
    lambda: {"x": Scale()},
    why="sinh t >= t, 1 + x = e^(2t)",
    tight=True,
)
def _(k, x):
    return k.log(1 + x), x / k.sqrt(1 + x)


@true("cosh-below-gaussian", r"\cosh x \le e^{x^2 / 2}", lambda: {"x": Reals(drawn=8)}, why="term by term", tight=True)
def _(k, x):
    return (k.exp(x) + k.exp(-x)) / 2, k.exp(x * x / 2)


@true(
    "amplification-bounds",
    r"q \varepsilon \le \log(1 + q (e^\varepsilon - 1)) \le q (e^\varepsilon - 1)",
    lambda: {"rate": Fraction01(), "epsilon": Scale(drawn=8)},
    why="Jensen, and log(1 + x) <= x; tight at 0",
    tight=True,
)
def _(k, rate, epsilon):
    grown = rate * (k.exp(epsilon) - 1)
    amplified = k.log(1 + grown)
    return stack(rate * epsilon, amplified), stack(amplified, grown)


@true(
    "union-bound",
    r"1 - (1 - \delta)^n \le n \delta",
    lambda: {"delta": Fraction01(one=False), "n": Integers(drawn=256)},
    why="Bernoulli; tight at n = 1 and at 0",
    tight=True,
)
def _(k, delta, n):
    return 1 - k.power(1 - delta, n), n * delta


@true(
    "union-lower",
    r"n \delta / (1 + n \delta) \le 1 - (1 - \delta)^n",
    lambda: {"delta": Fraction01(one=False), "n": Integers(drawn=256)},
    why="(1 - x)^n (1 + n x) <= (1 - x^2)^n <= 1; tight at 0",
    tight=True,
)
def _(k, delta, n):
    return n * delta / (1 + n * delta), 1 - k.power(1 - delta, n)


@true(
    "compound-bounds",
    r"(1 + 1/n)^n \le e \le (1 + 1/n)^{n + 1}",
    lambda: {"n": Integers()},
    why="log(1 + x) <= x, and log(1 - y) <= -y, y = 1 / (n + 1); tight as n grows",
    tight=True,
)
def _(k, n):
    base, e = 1 + 1 / n, k.exp(one(n))
    return stack(k.power(base, n), e), stack(e, k.power(base, n + 1))


@true("stacked-bounds", r"x^2 = x \cdot x,\ 2 x \le 1 + x^2", lambda: {"x": Reals()}, why="(1 - x)^2 >= 0", tight=True)
def _(k, x):
    return stack(x * x, x**2, 2 * x), stack(x**2, x * x, 1 + x * x)


# Pairs of pure differential privacy


@true(
    "pure-tv",
    r"\mathrm{TV} \le (r - 1) / (r + 1),\ r = e^\varepsilon",
    lambda: {"near": PurePairs()},
    why="Kairouz et al.; equal for randomised response",
    tight=True,
)
def _(k, near):
    (p, q), r = near
    return k.total_variation(p, q), (r - 1) / (r + 1)


@true(
    "pure-kl",
    r"\mathrm{KL} \le \varepsilon \tanh(\varepsilon / 2)",
    lambda: {"near": PurePairs()},
    why="data processing from randomised response",
    tight=True,
)
def _(k, near):
    (p, q), r = near
    return k.kl(p, q), k.log(r) * (r - 1) / (r + 1)


@true(
    "pure-renyi",
    r"D_\alpha \le \alpha \varepsilon^2 / 2,\ \alpha > 1",
    lambda: {"near": PurePairs(), "alpha": HIGH},
    why="Bun and Steinke (2016), Proposition 3.3",
)
def _(k, near, alpha):
    (p, q), r = near
    return k.renyi(p, q, alpha), alpha * k.log(r) ** 2 / 2


@true(
    "pure-quantum-trace",
    r"T \le (r - 1) / (r + 1)",
    lambda: {"near": PureStates()},
    why="rho - sigma = (r - 1) / (r + 1) (x - y), x and y states",
    tight=True,
)
def _(k, near):
    (rho, sigma), r = near
    return k.trace_distance(rho, sigma), (r - 1) / (r + 1)


# States


@true(
    "fuchs-van-de-graaf-upper",
    r"T^2 \le 1 - F^2",
    states,
    why="Fuchs and van de Graaf (1999); equal for pure states",
    tight=True,
)
def _(k, states):
    return k.trace_distance(*states) ** 2, 1 - fidelity(k, *states) ** 2


@true(
    "fuchs-van-de-graaf-lower",
    r"1 - F \le T",
    states,
    why="Fuchs and van de Graaf (1999); equal for p = q and for orthogonal states",
    tight=True,
)
def _(k, states):
    return 1 - fidelity(k, *states), k.trace_distance(*states)


@true(
    "powers-stoermer",
    r"\mathrm{tr}(A^{1/2} - B^{1/2})^2 \le \mathrm{tr} |A - B|,\ A, B \ge 0",
    lambda: {"states": States(2)},
    why="Powers and Stormer (1970); equal for orthogonal supports",
    tight=True,
)
def _(k, states):
    gap = k.sqrtm(states[0]) - k.sqrtm(states[1])
    return k.pairing(gap, gap), abs(k.eigvalsh(states[0] - states[1])).sum(-1)


@true(
    "sandwiched-below-petz",
    r"\tilde D_\alpha \le D_\alpha^{\mathrm{Petz}}",
    lambda: {"states": States(2, normalised=True), "alpha": Order(0)},
    why="Araki, Lieb and Thirring; T, 4.3; equal for commuting states",
    tight=True,
)
def _(k, states, alpha):
    return k.sandwiched_renyi(*states, alpha), k.petz_renyi(*states, alpha)


@true(
    "petz-below-maximal",
    r"D_\alpha^{\mathrm{Petz}} \le \hat D_\alpha,\ \alpha \in (1, 2]",
    lambda: {"states": States(2, normalised=True), "alpha": UP_TO_TWO},
    why="Matsumoto: the largest divergence that obeys data processing",
    tight=True,
)
def _(k, states, alpha):
    return k.petz_renyi(*states, alpha), k.maximal_renyi(*states, alpha)


@true(
    "sandwiched-monotone",
    r"\tilde D_\alpha \le \tilde D_\beta,\ \alpha \le \beta",
    lambda: {"states": States(2, normalised=True), "orders": Orders(1 / 2)},
    why="Muller-Lennert et al. (2013)",
    tight=True,
)
def _(k, states, orders):
    return k.sandwiched_renyi(*states, orders[0]), k.sandwiched_renyi(*states, orders[1])


@true(
    "sandwiched-processing",
    r"\tilde D_\alpha(N(\rho) \| N(\sigma)) \le \tilde D_\alpha(\rho \| \sigma),\ \alpha \ge 1/2",
    lambda: through_channel(Order(1 / 2)),
    why="Frank and Lieb (2013)",
    tight=True,
)
def _(k, states, channel, alpha):
    image = k.sandwiched_renyi(channel(states[0]), channel(states[1]), alpha)
    return image, k.sandwiched_renyi(*states, alpha)


@true(
    "petz-processing",
    r"D_\alpha^{\mathrm{Petz}}(N(\rho) \| N(\sigma)) \le D_\alpha^{\mathrm{Petz}}(\rho \| \sigma),\ \alpha \le 2",
    lambda: through_channel(Order(0, 2)),
    why="Petz (1986)",
    tight=True,
)
def _(k, states, channel, alpha):
    return k.petz_renyi(channel(states[0]), channel(states[1]), alpha), k.petz_renyi(*states, alpha)


@true(
    "maximal-processing",
    r"\hat D_\alpha(N(\rho) \| N(\sigma)) \le \hat D_\alpha(\rho \| \sigma),\ \alpha \in (1, 2]",
    lambda: through_channel(UP_TO_TWO),
    why="t^alpha is operator convex (Matsumoto)",
    tight=True,
)
def _(k, states, channel, alpha):
    return k.maximal_renyi(channel(states[0]), channel(states[1]), alpha), k.maximal_renyi(*states, alpha)


@true(
    "relative-entropy-processing",
    r"D(N(\rho) \| N(\sigma)) \le D(\rho \| \sigma)",
    through_channel,
    why="Lindblad (1975)",
    tight=True,
)
def _(k, states, channel):
    image = k.quantum_relative_entropy(channel(states[0]), channel(states[1]))
    return image, k.quantum_relative_entropy(*states)


@true(
    "trace-preserved",
    r"\mathrm{tr}\, N(A) = \mathrm{tr}\, A",
    lambda: {"states": States(1), "channel": Channels(out=2, environment=4)},
    why="V^* V = Id",
    relation="==",
)
def _(k, states, channel):
    return k.trace(channel(states[0])), k.trace(states[0])


@true(
    "max-relative-triangle",
    r"D_{\max}(\rho \| \tau) \le D_{\max}(\rho \| \sigma) + D_{\max}(\sigma \| \tau)",
    lambda: {"states": States(3, normalised=True)},
    why="rho <= a sigma <= a b tau",
    tight=True,
)
def _(k, states):
    first, second, third = states
    whole = k.max_relative_entropy(first, third)
    return whole, k.max_relative_entropy(first, second) + k.max_relative_entropy(second, third)


@true("quantum-pinsker", r"2\, T^2 \le D(\rho \| \sigma)", states, why="Hiai, Ohya and Tsukada (1981)", tight=True)
def _(k, states):
    return 2 * k.trace_distance(*states) ** 2, k.quantum_relative_entropy(*states)


@true(
    "relative-entropy-convex",
    r"D \text{ is jointly convex}",
    lambda: {"states": States(4, normalised=True), "part": PART},
    why="Lieb and Ruskai (1973)",
    tight=True,
)
def _(k, states, part):
    a, b, c, d = states
    mixed = k.quantum_relative_entropy(mixture(part, a, b), mixture(part, c, d))
    return mixed, part * k.quantum_relative_entropy(a, c) + (1 - part) * k.quantum_relative_entropy(b, d)


@true(
    "unitary-invariance",
    r"\tilde D_\alpha(U \rho U^* \| U \sigma U^*) = \tilde D_\alpha(\rho \| \sigma)",
    lambda: {"states": States(2, normalised=True), "unitary": Unitaries(), "alpha": Order(1 / 2, drawn=8)},
    why="spectra do not change",
    relation="==",
)
def _(k, states, unitary, alpha):
    turned = [k.conjugated(s, unitary) for s in states]
    return k.sandwiched_renyi(*turned, alpha), k.sandwiched_renyi(*states, alpha)


@true(
    "commuting-agree",
    r"D_\alpha^{\mathrm{Petz}} = \tilde D_\alpha \text{ of commuting pairs}",
    lambda: {"pair": CommutingPairs(), "alpha": Order(0, drawn=8)},
    why="both are the classical divergence of the spectra",
    relation="==",
)
def _(k, pair, alpha):
    rho, sigma = pair
    sigma = sigma + np.eye(sigma.shape[-1], dtype=int) + 0 * sigma
    return k.petz_renyi(rho, sigma, alpha), k.sandwiched_renyi(rho, sigma, alpha)


@true(
    "araki-lieb-thirring",
    r"\mathrm{tr}\, A B A B \le \mathrm{tr}\, A^2 B^2",
    lambda: {"states": States(2)},
    why="the difference is half the squared norm of the commutator",
    tight=True,
)
def _(k, states):
    product = states[0] @ states[1]
    return k.pairing(product, product), k.pairing(states[0] @ states[0], states[1] @ states[1])


@true(
    "golden-thompson",
    r"\mathrm{tr}\, e^{A + B} \le \mathrm{tr}\, e^A e^B,\ A = s x \cdot \sigma,\ B = t y \cdot \sigma",
    lambda: {"x": Vectors(2, dim=3), "s": Scale(high=8), "t": Scale(high=8)},
    why="Golden, Thompson; with Pauli matrices both traces are closed; equal for x = +-y",
    tight=True,
)
def _(k, x, s, t):
    c = dot(x[:, 0], x[:, 1])
    size = root(k, s * s + t * t + 2 * s * t * c)

    def hyperbolic(u):
        return (k.exp(u) + k.exp(-u)) / 2, (k.exp(u) - k.exp(-u)) / 2

    (cosh_s, sinh_s), (cosh_t, sinh_t) = hyperbolic(s), hyperbolic(t)
    return hyperbolic(size)[0], cosh_s * cosh_t + c * sinh_s * sinh_t


@true(
    "weyl",
    r"\lambda_{\max}(A + B) \le \lambda_{\max}(A) + \lambda_{\max}(B) \text{ in dimension 8}",
    lambda: {"states": States(2, dim=8)},
    why="Weyl, B, III.2; equal for a common top eigenvector",
    tight=True,
)
def _(k, states):
    a, b = states
    return k.largest_eigenvalue(a + b), k.largest_eigenvalue(a) + k.largest_eigenvalue(b)


@true(
    "von-neumann-concave",
    r"t S(\rho) + (1 - t) S(\sigma) \le S(t \rho + (1 - t) \sigma)",
    lambda: {"states": States(2, normalised=True), "part": Fraction01()},
    why="B, Problem V.5; equal for t = 0, 1 or rho = sigma",
    tight=True,
)
def _(k, states, part):
    parts = [von_neumann(k, s) for s in states]
    return part * parts[0] + (1 - part) * parts[1], von_neumann(k, mixture(part, *states))


@true(
    "projected-trace",
    r"\mathrm{tr}\, P A \le \mathrm{tr}\, A",
    lambda: {"states": States(1), "isometry": Projections(2)},
    why="A >= 0 and P <= Id; equal in dimension 2",
    tight=True,
)
def _(k, states, isometry):
    return k.trace(k.compressed(states[0], isometry)), k.trace(states[0])


@true(
    "covariance-below-renyi",
    r"\tilde D_\alpha(\Sigma_p \| \Sigma_q) \le D_\alpha(p \| q),\ \alpha \ge 1/2,\ \|\phi(x)\| = 1",
    lambda: {"p": Distributions(2, dim=4), "phi": Vectors(4), "alpha": Order(1 / 2, drawn=8)},
    why="p to Sigma_p is a channel; equal for orthonormal features",
    tight=True,
)
def _(k, p, phi, alpha):
    return k.sandwiched_renyi(*(k.covariance(phi, x) for x in p), alpha), k.renyi(*p, alpha)


# Vectors and counts


@true(
    "six-vectors-simplex",
    r"-1/5 \le \max_{i < j} \langle x_i, x_j \rangle \text{ of 6 unit vectors}",
    lambda: {"x": Vectors(6)},
    why="|sum x|^2 >= 0; the simplex in dimension 5 attains it",
    tight=True,
)
def _(k, x):
    products = stack(*(dot(x[:, i], x[:, j]) for i in range(6) for j in range(i)))
    return -one(x) / 5, largest(k, products)


@true(
    "sine-triangle",
    r"(1 - \langle x, z \rangle^2)^{1/2} \le (1 - \langle x, y \rangle^2)^{1/2} + (1 - \langle y, z \rangle^2)^{1/2}",
    lambda: {"x": Vectors(3)},
    why="the trace distance of pure states",
    tight=True,
)
def _(k, x):
    def sine(i, j):
        t = dot(x[:, i], x[:, j])
        return root(k, 1 - t * t)

    return sine(0, 2), sine(0, 1) + sine(1, 2)


@true(
    "up-set-monotone",
    r"P_{p, q}(R) \le P_{p', q}(R),\ p \le p'",
    lambda: {"region": UpSets(3, 3), "low": Fraction01(), "rise": Fraction01(), "q": Fraction01()},
    why="stochastic dominance; p' = p + (1 - p) s",
    tight=True,
)
def _(k, region, low, rise, q):
    return k.rejection(region, low, q), k.rejection(region, low + (1 - low) * rise, q)


# Restricted domains


@true(
    "pure-purity",
    r"\mathrm{tr}\, \rho^2 = (\mathrm{tr}\, \rho)^2,\ \rho \text{ pure}",
    lambda: {"states": States(1, normalised=True, within=("pure",))},
    why="rank one",
    relation="==",
)
def _(k, states):
    return k.pairing(states[0], states[0]), k.trace(states[0]) ** 2


@true(
    "diagonal-agree",
    r"D_\alpha^{\mathrm{Petz}} = \tilde D_\alpha \text{ of diagonal states}",
    lambda: {"states": States(2, normalised=True, within=("diagonal",)), "alpha": Order(0)},
    why="they commute",
    relation="==",
)
def _(k, states, alpha):
    return k.petz_renyi(*states, alpha), k.sandwiched_renyi(*states, alpha)


@true(
    "deterministic-idempotent",
    r"t^2 = t \text{ for deterministic tests}",
    lambda: {"event": Events(within=("deterministic",))},
    why="0 and 1",
    relation="==",
)
def _(k, event):
    return event[:, 0] * event[:, 0], event[:, 0]


@true(
    "orthonormal-product",
    r"\langle x_1, x_2 \rangle = 0 \text{ of an orthonormal pair}",
    lambda: {"x": Vectors(2, dim=3, within=("orthonormal",))},
    why="by definition",
    relation="==",
)
def _(k, x):
    return dot(x[:, 0], x[:, 1]), 0 * one(x)


@true(
    "bessel",
    r"\sum_{i \le 3} \langle x_i, f \rangle^2 \le \|f\|^2",
    lambda: {"x": Vectors(3, dim=4, within=("orthonormal",)), "f": Functions(dim=4)},
    why="Bessel; equal for f in the span",
    tight=True,
)
def _(k, x, f):
    weights = (x * f).sum(-1)
    return dot(weights, weights), dot(f[:, 0], f[:, 0])


@true(
    "full-finite",
    r"D_2(p \| q) < \infty \text{ of full support}",
    lambda: {"p": Distributions(2, within=("full",))},
    why="a finite sum of finite terms",
    relation="==",
)
def _(k, p):
    value = k.renyi(*p, 2 * one(p[0]))
    return np.where(value == k.inf, one(p[0]), 0 * one(p[0])), 0 * one(p[0])


@true(
    "discarded-purity",
    r"\mathrm{tr}\, N(|0\rangle\langle 0|)^2 = 1,\ N \text{ discards the environment}",
    lambda: {"channel": Channels(dim=4, within=("discard",))},
    why="the image of |0, 0> under a partial trace is |0>",
    relation="==",
)
def _(k, channel):
    n = channel.isometry.shape[-1]
    first = np.zeros((len(channel.isometry), n, n), dtype=int)
    first[:, 0, 0] = 1
    image = channel(first)
    return k.pairing(image, image), one(channel.isometry) * 0 + 1


@true(
    "full-logarithm",
    r"D(\rho \| \sigma) \le D_{\max}(\rho \| \sigma) < \infty,\ \sigma > 0",
    lambda: {"states": States(2, normalised=True, within=("full",))},
    why="log rho <= log sigma + D_max; finite for invertible sigma",
)
def _(k, states):
    highest = k.max_relative_entropy(*states)
    return k.quantum_relative_entropy(*states), np.where(highest == k.inf, -one(states[0]), highest)


@true(
    "points-disjoint",
    r"\mathrm{TV} = \mathrm{HD} \text{ of point masses}",
    lambda: {"p": Distributions(2, within=("points",))},
    why="both are 1, or 0 for the same point",
    relation="==",
)
def _(k, p):
    return k.total_variation(*p), k.hellinger(*p)


# Hypotheses


@true(
    "assumed-one-sided",
    r"p \le 2 q \Rightarrow \mathrm{KL}(p \| q) \le \log 2",
    pair,
    why="KL <= D_inf; equal for p = 2 q on half of the points",
    tight=True,
)
def _(k, p):
    k.assume((p[0] <= 2 * p[1]).all(-1))
    return k.kl(*p), log2(k, p[0])


@true(
    "assumed-rectangle",
    r"a^2 + b^2 \le 1,\ a + b \ge 1.3 \Rightarrow a b \le 1/2",
    lambda: {"a": Fraction01(), "b": Fraction01()},
    why="2 a b <= a^2 + b^2",
    tight=True,
)
def _(k, a, b):
    k.assume((a * a + b * b <= 1) & (10 * (a + b) >= 13))
    return a * b, one(a) / 2


@true(
    "assumed-level",
    r"E_p t \le 1/100 \Rightarrow E_q t \le e^\varepsilon / 100 + H_\varepsilon(q \| p)",
    lambda: {"p": Distributions(2), "event": Events(), "more": Scale()},
    why="the power of a test under (epsilon, delta)",
    tight=True,
)
def _(k, p, event, more):
    t, ratio = event[:, 0], 1 + more
    k.assume(100 * dot(p[0], t) <= 1)
    return dot(p[1], t), ratio / 100 + k.hockey_stick(*p[::-1], k.log(ratio))


@true(
    "assumed-max-divergence",
    r"\rho \le 2 \sigma \Rightarrow T(\rho, \sigma) \le 1/2",
    states,
    why="tr (rho - sigma)_+ <= tr (rho - rho / 2) P; equal for rho = 2 sigma on half of the space",
    tight=True,
)
def _(k, states):
    k.assume(k.eigvalsh(2 * states[1] - states[0])[..., 0] >= 0)
    return k.trace_distance(*states), one(states[0]) / 2


@true(
    "assumed-third-moment",
    r"|f| \le 1,\ |E f| \le 1/64 \Rightarrow E f^3 \le 1/4 + 3/256",
    lambda: {"p": Distributions(), "f": Functions(drawn=1)},
    why="f^3 <= 1/4 + 3 f / 4 on [-1, 1], as (f - 1)(f + 1/2)^2 <= 0; equal for f = 1, -1/2 with E f = 1/64",
    tight=True,
)
def _(k, p, f):
    g = f[:, 0]
    k.assume((abs(g) <= 1).all(-1) & (64 * abs(dot(p[0], g)) <= 1))
    return dot(p[0], g * g * g), 67 * one(p[0]) / 256


@true(
    "assumed-close",
    r"\mathrm{TV} \le 1/64 \Rightarrow |H(p) - H(q)| \le h(1/64) + \tfrac{1}{64} \log(n - 1)",
    pair,
    why="Fannes and Audenaert (2007)",
)
def _(k, p):
    k.assume(64 * k.total_variation(*p) <= 1)
    least = one(p[0]) / 64
    bound = binary_entropy(k, least) + least * k.log((p[0].shape[-1] - 1) * one(p[0]))
    return abs(entropy(k, p[0]) - entropy(k, p[1])), bound


@true(
    "assumed-ordered",
    r"x \le y \Rightarrow x^a \le y^a",
    lambda: {"x": Scale(positive=True), "y": Scale(positive=True), "a": Order(0, drawn=8)},
    why="increasing; equal for x = y",
    tight=True,
)
def _(k, x, y, a):
    k.assume(x <= y)
    return k.power(x, a), k.power(y, a)
