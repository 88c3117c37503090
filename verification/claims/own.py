r"""Theorems of this project: what an audit rests on.

S_p is the covariance operator of p on finitely many points with unit feature vectors, E_g(p||q) = sup_S p(S) - g q(S).
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array
from verification.argument import enumerated
from verification.claim import claim
from verification.claims.hypothesis_testing import RATIOS, grid, merged, pairs, partitions
from verification.claims.krd import covariance, stack, trace
from verification.instances import Batch, Distributions, Events, Fraction01, Kind, Maps, Order, Scale, Vectors
from verification.proofs.hypothesis_testing import merging
from verification.vocabulary import Vocabulary

Sides = tuple[Any, Any]

KERNEL: dict[str, Kind] = {"phi": Vectors(), "p": Distributions(2, dim=4)}


def tests(points: int, step: int) -> Array:
    """All randomised tests of probabilities in multiples of step / 64, raw."""
    return np.array(list(product(range(0, 65, step), repeat=points)))[:, None]


def staircases() -> Batch:
    """All rising c(b), b = 0..3, and pairs of probabilities, raw."""
    rising = [c for c in product(range(5), repeat=4) if list(c) == sorted(c)]
    return grid(staircase={"map": np.array(rising)[:, None]}, p={"accept": tests(2, 32)}, q={"accept": tests(2, 32)})


@claim(
    "own.hockey-stick",
    label="Audit, section 2",
    statement=r"\mathrm{tr}(S_p - g S_q)_+ \le E_g(p\|q),\ g \ge 0",
    given={**KERNEL, "ratio": Scale(positive=True, high=8)},
    note="x -> phi(x) phi(x)^* is a channel. Stronger than Lemma 8 of the kernel paper.",
)
def hockey_stick(k: Vocabulary, phi: Array, p: list[Array], ratio: Array) -> Sides:
    epsilon = k.log(ratio)
    return k.quantum_hockey_stick(*(covariance(phi, w) for w in p), epsilon), k.hockey_stick(*p, epsilon)


@claim(
    "own.projector",
    label="Audit, section 2",
    statement=r"0 \le T \le 1 \Rightarrow \mathbb{E}_p T - g\, \mathbb{E}_q T \le E_g(p\|q)",
    given={"p": Distributions(2, dim=4), "test": Events(dim=4), "ratio": Scale(positive=True, high=8)},
    note="So any score with values in [0, 1], such as <phi(x), Pi phi(x)>, is a test.",
    argument=enumerated(
        lambda: grid(p=pairs(4, 2), test={"accept": tests(4, 64)}, ratio={"scale": RATIOS}),
        domain="multiples of 1/2 on four points, deterministic tests, e^eps = 1/4, 1, 3/2, 4",
    ),
)
def projector(k: Vocabulary, p: list[Array], test: Array, ratio: Array) -> Sides:
    x, y = ((w * test[:, 0]).sum(-1) for w in p)
    return x - ratio * y, k.hockey_stick(*p, k.log(ratio))


@claim(
    "own.dual",
    label="Audit, section 2",
    statement=r"\alpha \mathbb{E}_p\langle\varphi, H\varphi\rangle - (\alpha-1)(\mathbb{E}_q\langle\varphi, "
    r"G\varphi\rangle + "
    r"\lambda\, \mathrm{tr}\, G) \le e^{(\alpha-1) D_{\alpha,\lambda}(S_p\|S_q)},\ H \ge 0,\ \alpha > 1",
    given={
        **KERNEL,
        "h": Distributions(1),
        "size": Scale(positive=True, high=8),
        "alpha": Order(1, 12),
        "lam": Scale(),
    },
    note="For H = h diagonal and B_0 diagonal, where G = h^(alpha/(alpha-1)).",
)
def dual(k: Vocabulary, phi: Array, p: list[Array], h: list[Array], size: Array, alpha: Array, lam: Array) -> Sides:
    weights = h[0] * size[:, None]
    power = k.power(weights, (alpha / (alpha - 1))[:, None])
    a, b = (covariance(phi, w) for w in p)
    diagonal = np.arange(a.shape[-1])
    left, right = ((m[:, diagonal, diagonal] * w).sum(-1) for m, w in ((a, weights), (b, power)))
    exponent = (alpha - 1) * k.sandwiched_renyi(a, b, alpha, lam)
    return alpha * left - (alpha - 1) * (right + lam * power.sum(-1)), k.exp(exponent)


@claim(
    "own.compression",
    label="Audit, section 2",
    statement=r"Q_\alpha(P S_p P\|P(S_q + \lambda)P) \le Q_\alpha(S_p\|S_q + \lambda),\ P = P^2 = P^*,\ \alpha > 1",
    given={"phi": Vectors(4, dim=3), "p": Distributions(2, dim=4), "alpha": Order(1, 12), "lam": Scale(positive=True)},
    note="Q is the un-normalised trace. P projects on the first two coordinates: landmarks lower-bound the divergence.",
)
def compression(k: Vocabulary, phi: Array, p: list[Array], alpha: Array, lam: Array) -> Sides:
    whole = [covariance(phi, w) for w in p]
    part = [m[:, :2, :2] for m in whole]
    mass = trace(part[0])
    left = (alpha - 1) * k.sandwiched_renyi(*_not_zero(part, mass), alpha, lam) + k.log(mass)
    return np.where(mass > 0, k.exp(left), 0 * mass), k.exp((alpha - 1) * k.sandwiched_renyi(*whole, alpha, lam))


def _not_zero(pair: list[Array], mass: Array) -> list[Array]:
    """A pair whose first matrix may be zero, where it is replaced."""
    zero = (mass <= 0)[:, None, None]
    return [np.where(zero, np.eye(pair[0].shape[-1], dtype=int) + 0 * pair[0], pair[0]), pair[1]]


@claim(
    "own.cut",
    label="Audit, section 2",
    statement=r"D_\alpha(g\#p\|g\#q) \le D_\alpha(p\|q)\text{ for } g \text{ into } k \text{ cells}",
    given={"p": Distributions(2, dim=4), "alpha": Order(1 / 64, 40)},
    note="All maps to two and three cells.",
    argument=merging,
)
def cut(k: Vocabulary, p: list[Array], alpha: Array) -> Sides:
    whole, sides = k.renyi(*p, alpha), []
    for cells in (2, 3):
        maps = list(partitions(4, cells))
        x, y = (merged(w, maps, cells).reshape(-1, cells) for w in p)
        values = k.renyi(x, y, np.tile(alpha, len(maps)))
        sides += list(values.reshape(len(maps), len(alpha)))
    return stack(*sides), stack(*(whole for _ in sides))


@claim(
    "own.score",
    label="Audit, section 2",
    statement=r"\text{intervals of any score are cells: } D_\alpha(g\#p\|g\#q) \le D_\alpha(p\|q),\ "
    r"g(x) = |\{i : c_i \le s(x)\}|",
    given={
        "p": Distributions(2, dim=4),
        "score": Events(dim=4),
        "thresholds": Events(dim=2),
        "alpha": Order(1 / 64, 40),
    },
    argument=merging,
)
def score(k: Vocabulary, p: list[Array], score: Array, thresholds: Array, alpha: Array) -> Sides:
    above = (score[:, 0, :, None] >= thresholds[:, 0, None, :]).sum(-1)
    cells = [(w[:, :, None] * (above[..., None] == np.arange(3))).sum(-2) for w in p]
    return k.renyi(*cells, alpha), k.renyi(*p, alpha)


@claim(
    "own.joint-test",
    label="Audit, section 3, joint exact test",
    statement=r"R \text{ up in } a, \text{ down in } b,\ P \le P',\ Q' \le Q \Rightarrow "
    r"\Pr_{P,Q}((a,b) \in R) \le \Pr_{P',Q'}((a,b) \in R)",
    given={"staircase": Maps(4, 5), "p": Events(dim=2), "q": Events(dim=2)},
    note="Binomials of three trials; R = {a >= c(b)}, c rising. So on [q0, q1] the level is at most its "
    "value at (delta + "
    "e^eps q1, q0).",
    argument=enumerated(staircases, domain="three trials, all staircases, P, P', Q, Q' multiples of 1/2"),
)
def joint_test(k: Vocabulary, staircase: Array, p: Array, q: Array) -> Sides:
    rising = np.maximum.accumulate(np.asarray(staircase[:, 0], dtype=int), -1)
    low_p, high_p = k.minimum(p[:, 0, 0], p[:, 0, 1]), k.maximum(p[:, 0, 0], p[:, 0, 1])
    low_q, high_q = k.minimum(q[:, 0, 0], q[:, 0, 1]), k.maximum(q[:, 0, 0], q[:, 0, 1])
    return _rejection(rising, low_p, high_q), _rejection(rising, high_p, low_q)


def _rejection(staircase: Array, p: Array, q: Array) -> Array:
    first, second = ([w * x**i * (1 - x) ** (3 - i) for i, w in enumerate((1, 3, 3, 1))] for x in (p, q))
    total = 0 * p
    for a, b in product(range(4), repeat=2):
        total = total + np.where(a >= staircase[:, b], first[a] * second[b], 0 * p)
    return total


@claim(
    "own.supermartingale",
    label="Audit, section 3, anytime-valid test",
    statement=r"p(S) \le \delta + e^\varepsilon q(S)\ \forall S,\ 0 \le \ell \le 1/(e^\varepsilon + \delta) "
    r"\Rightarrow "
    r"0 \le 1 + \ell (T(x) - e^\varepsilon T(y) - \delta),\ \mathbb{E}[\,\cdot\,] \le 1",
    given={
        "p": Distributions(2, dim=3),
        "test": Events(dim=3),
        "ratio": Scale(positive=True, high=8),
        "bet": Fraction01(),
    },
    note="delta is the smallest; the worst pair of outcomes, and the mean.",
    argument=enumerated(
        lambda: grid(
            p=pairs(3, 2), test={"accept": tests(3, 32)}, ratio={"scale": RATIOS}, bet={"part": np.array([32, 64])}
        ),
        domain="multiples of 1/2 on three points, e^eps = 5/4, 2, 5/2, 5, both bets",
    ),
)
def supermartingale(k: Vocabulary, p: list[Array], test: Array, ratio: Array, bet: Array) -> Sides:
    factor = 1 + ratio
    delta = k.hockey_stick(*p, k.log(factor))
    size = bet / (factor + delta)
    x, y = ((w * test[:, 0]).sum(-1) for w in p)
    worst = 1 + size * (0 - factor - delta)
    return stack(0 * delta, 1 + size * (x - factor * y - delta)), stack(worst, 0 * delta + 1)
