r"""Claims of the appendix of "Hypothesis Testing Interpretations and Renyi Differential Privacy".

Numbered as in the appendix. Distributions live on finite alphabets, where a k-cut of a quasi-convex divergence is the
largest value over the maps to k points; a guarantee is one-sided (P, Q in this order) unless said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
import sympy

from krdtheory.arithmetic.base import Array
from verification.claim import Verdict, claim
from verification.claims.krd import finite, stack
from verification.instances import (
    Batch,
    Distributions,
    Events,
    Fraction01,
    Integers,
    Kind,
    Maps,
    Order,
    Raw,
    Scale,
    Vectors,
)
from verification.proof import enumerated, symbolic, weights
from verification.proofs import hypothesis_testing as proofs
from verification.vocabulary import Vocabulary

Sides = tuple[Any, Any]
Divergence = Callable[..., Array]


ALPHA = 1 + sympy.Symbol("gamma", positive=True)
RATIO_SYMBOL = sympy.Symbol("r", positive=True)


def _odds(name: str) -> Any:
    """A symbol in (0, 1), by its odds."""
    odds = sympy.Symbol(name, positive=True)
    return odds / (1 + odds)


def _matrix(name: str) -> list[Array]:
    return [np.array(sympy.symbols(f"{name}{i}_:3"), dtype=object) for i in range(3)]


def compositions(rows: int, columns: int, total: int) -> Batch:
    """All matrices of so many rows, each of nonnegative integers that sum to a total: raw distributions."""
    row = [c for c in product(range(total + 1), repeat=columns) if sum(c) == total]
    return {"rows": {"weights": np.array(list(product(row, repeat=rows)))}}


def pairs(points: int, total: int) -> Raw:
    """All pairs of distributions of multiples of 1 / total, raw."""
    return {"weights": compositions(2, points, total)["rows"]["weights"]}


def maps(points: int, cells: int) -> Array:
    """All pairs of maps, raw."""
    return np.array(list(product(product(range(cells), repeat=points), repeat=2)))


def grid(**parts: Raw) -> Batch:
    """Every combination of raw instances."""
    sizes = [len(next(iter(part.values()))) for part in parts.values()]
    chosen = np.indices(sizes).reshape(len(sizes), -1)
    return {
        name: {key: value[index] for key, value in part.items()}
        for (name, part), index in zip(parts.items(), chosen, strict=True)
    }


RATIOS = np.array([1, 4, 6, 16]) << 22  # 1/4, 1, 3/2, 4 of a Scale
SIXTEENTHS = np.arange(0, 65, 4)


# Cuts


def partitions(n: int, k: int) -> Iterator[tuple[int, ...]]:
    """Maps from n points to k cells, one of each kind up to the cells' names."""
    for g in product(range(k), repeat=n):
        if all(x <= max((-1, *g[:i])) + 1 for i, x in enumerate(g)):
            yield g


def merged(p: Array, maps: list[tuple[int, ...]], k: int) -> Array:
    """Images (maps, batch, k) of weights (batch, n)."""
    cells = np.array([[[x == j for j in range(k)] for x in g] for g in maps], dtype=int)
    return (p[None, :, :, None] * cells[:, None]).sum(-2)


def largest(k: Vocabulary, values: Any) -> Array:
    """Maximum along the first axis."""
    out = values[0]
    for value in values[1:]:
        out = k.maximum(out, value)
    return np.asarray(out)


def cut(k: Vocabulary, divergence: Divergence, pair: list[Array], cells: int, *parameters: Array) -> Array:
    """The k-cut of a quasi-convex divergence: its maximum over deterministic maps."""
    batch, points = pair[0].shape
    maps = list(partitions(points, cells))
    x, y = (merged(w, maps, cells).reshape(-1, cells) for w in pair)
    values = divergence(x, y, *(np.tile(a, len(maps)) for a in parameters))
    return largest(k, values.reshape(len(maps), batch))


def divergences(k: Vocabulary, alpha: Array, ratio: Array) -> list[tuple[Divergence, tuple[Array, ...]]]:
    """Quasi-convex divergences with data processing, and their parameters."""
    return [
        (k.renyi, (alpha,)),
        (k.kl, ()),
        (lambda p, q, r: k.hockey_stick(p, q, k.log(r)), (ratio,)),
        (k.total_variation, ()),
        (k.hellinger, ()),
    ]


RATIO = Scale(positive=True, high=8)  # e^eps
PAIR: dict[str, Kind] = {
    "p": Distributions(2, dim=4),
    "alpha": Order(1 / 64, 20),
    "ratio": RATIO,
}
SMALL: dict[str, Kind] = {**PAIR, "p": Distributions(2, dim=3)}


def every(k: Vocabulary, alpha: Array, ratio: Array, sides: Callable[..., Sides]) -> Sides:
    """`sides(f, parameters)` for all the divergences at once."""
    both = [sides(f, parameters) for f, parameters in divergences(k, alpha, ratio)]
    return stack(*(x for x, _ in both)), stack(*(y for _, y in both))


# A. Weak Birkhoff-von Neumann


def _decomposed(rows: list[Array], steps: int, upto: int | None = None) -> tuple[Array, Array]:
    """What the algorithm leaves of a stochastic matrix (batch, k, l), and the sum of the weights.

    `upto` looks for the smallest maximum among so many rows only."""
    left = np.stack(rows, 1)
    total = 0 * left[:, 0, 0]
    for _ in range(steps):
        chosen = left.argmax(-1)[..., None]
        weight = np.take_along_axis(left, chosen, -1)[:, :upto, 0].min(-1)
        taken = np.arange(left.shape[-1]) == chosen
        left = left - np.where(taken, weight[:, None, None], 0 * left)
        total = total + weight
    return left, total


@claim(
    "hyptest.thm1.decomposition",
    label="Theorem 1 (weak Birkhoff-von Neumann)",
    statement=r"\gamma : k \to \mathrm{Prob}(l) \Rightarrow \exists\, \gamma_m : k \to l,\ a_m \ge 0,\ "
    r"\textstyle\sum a_m"
    r" = 1 : \gamma(i) = \textstyle\sum_m a_m \mathbf{d}_{\gamma_m(i)}",
    given={"rows": Distributions(4, dim=3)},
    relation="==",
    note="By the algorithm, in k l steps: what is left, and the sum of the weights. k > l is not needed.",
    recorded=Verdict.PROVED,
    proof=enumerated(lambda: compositions(4, 3, 2), domain="4 x 3 matrices of multiples of 1/2"),
)
def decomposition(k: Vocabulary, rows: list[Array]) -> Sides:
    left, total = _decomposed(rows, 12)
    return stack(abs(left).sum((-1, -2)), total), stack(0 * total, 0 * total + 1)


@claim(
    "hyptest.thm1.algorithm-steps",
    label="Theorem 1, length of the algorithm",
    statement=r"\text{the construction terminates within } k \cdot l \text{ steps}",
    given={"rows": Distributions(3, dim=4)},
    relation="==",
    recorded=Verdict.PROVED,
    proof=enumerated(lambda: compositions(3, 4, 2), domain="3 x 4 matrices of multiples of 1/2"),
)
def steps(k: Vocabulary, rows: list[Array]) -> Sides:
    left = abs(_decomposed(rows, 12)[0]).sum((-1, -2))
    return left, 0 * left


@claim(
    "hyptest.thm1.algorithm-steps.sharp",
    label="Theorem 1, length of the algorithm",
    statement=r"\text{the construction terminates within } k (l - 1) + 1 \text{ steps}",
    given={"rows": Distributions(3, dim=4)},
    relation="==",
    corrects="hyptest.thm1.algorithm-steps",
    note="The last step makes one entry of each row zero.",
    recorded=Verdict.PROVED,
    proof=enumerated(lambda: compositions(3, 4, 2), domain="3 x 4 matrices of multiples of 1/2"),
)
def steps_sharp(k: Vocabulary, rows: list[Array]) -> Sides:
    left = abs(_decomposed(rows, 10)[0]).sum((-1, -2))
    return left, 0 * left


@claim(
    "hyptest.thm1.indices",
    label="Theorem 1, rows 1 <= i <= l",
    statement=r"\alpha_{m+1} = \min_{s \le l} \max_t (\tilde f_m)_{s,t} \Rightarrow 0 \le (\tilde f_{m+1})_{i,j}",
    given={"rows": Distributions(3, dim=2)},
    recorded=Verdict.REFUTED,
    note="As printed the rows run to l; they are k.",
)
def literal_rows(k: Vocabulary, rows: list[Array]) -> Sides:
    left, _ = _decomposed(rows, 1, upto=2)
    entries = left.reshape(len(left), -1)
    return 0 * entries, entries


@claim(
    "hyptest.thm1.indices.maps",
    label="Theorem 1, the matrices of maps",
    statement=r"|\{g : \forall i \le l\ \exists!\, j \le k : g_{i,j} = 1\}| = |\{h : k \to l\}|",
    given={"k_": Integers(1, 6), "l": Integers(1, 6)},
    relation="==",
    recorded=Verdict.REFUTED,
    note="k^l against l^k; the roles of rows and columns are exchanged in print.",
)
def literal_maps(k: Vocabulary, k_: Array, l: Array) -> Sides:  # noqa: E741
    return k.power(k_, l), k.power(l, k_)


@claim(
    "hyptest.thm1.countable",
    label="Theorem 1, countably many rows",
    statement=r"k \text{ can be relaxed to } \omega \ (l \text{ finite})",
    given={"rows": Distributions(4, dim=3)},
    note="The weights a_m = (1/l)(1 - 1/l)^(m-1) serve every row at once, each taken from the largest entry "
    "left: 12 of "
    "them. The printed count of zeros does not terminate.",
    recorded=Verdict.PROVED,
    proof=proofs.countable,
)
def countable(k: Vocabulary, rows: list[Array]) -> Sides:
    left = np.stack(rows, 1)
    weights, entries = [], []
    for m in range(12):
        weight = 0 * left[:, :, :1] + 2**m
        weight = weight / 3 ** (m + 1)
        chosen = left.argmax(-1)[..., None]
        weights.append(weight[..., 0])
        entries.append(np.take_along_axis(left, chosen, -1)[..., 0])
        left = np.where(np.arange(3) == chosen, left - weight, left)
    return np.concatenate(weights, -1), np.concatenate(entries, -1)


@claim(
    "hyptest.thm1.countable.omega",
    label="Theorem 1, countably many rows and columns",
    statement=r"\gamma : \omega \to \mathrm{Prob}(\omega) \Rightarrow \exists\, a_1 > 0,\ \gamma_1 : \omega \to "
    r"\omega : "
    r"a_1 \le \gamma(i)(\gamma_1(i))\ \forall i",
    given={"a": Scale(positive=True, high=1), "more": Integers(1, 64)},
    recorded=Verdict.REFUTED,
    note="What a decomposition needs, were l countable too. gamma(i) uniform on the first i points, at i = 1 / "
    "a + more: "
    "no weight is small enough.",
)
def omega(k: Vocabulary, a: Array, more: Array) -> Sides:
    return a, 1 / (1 / a + more)


@claim(
    "hyptest.b1.composition",
    label="Appendix B.1",
    statement=r"\gamma \bullet (\gamma_1 \bullet \gamma_2) = (\gamma \bullet \gamma_1) \bullet \gamma_2,\ "
    r"\gamma \bullet \eta = \gamma = \eta \bullet \gamma",
    given={"a": Distributions(3, dim=3), "b": Distributions(3, dim=3), "c": Distributions(3, dim=3)},
    relation="==",
    note="The result types are misprinted.",
    recorded=Verdict.PROVED,
    proof=symbolic(domain="all 3 x 3 matrices", a=_matrix("a"), b=_matrix("b"), c=_matrix("c")),
)
def composition(k: Vocabulary, a: list[Array], b: list[Array], c: list[Array]) -> Sides:
    x, y, z = (np.stack(rows, 1) for rows in (a, b, c))
    one = np.eye(3, dtype=int) + 0 * x
    left = np.concatenate([(x @ y) @ z, x @ one, one @ x], -1)
    return left.reshape(len(x), -1), np.concatenate([x @ (y @ z), x, x], -1).reshape(len(x), -1)


# B. Cuts


@claim(
    "hyptest.lem2.cut-dpi",
    label="Lemma 2",
    statement=r"\overline\Delta^k_Z(\gamma(\mu_1)\|\gamma(\mu_2)) \le \overline\Delta^k_X(\mu_1\|\mu_2)",
    given={**SMALL, "channel": Distributions(3, dim=3)},
    note="k = 2, of Renyi, KL, eps, TV and Hellinger divergence.",
)
def cut_processing(k: Vocabulary, p: list[Array], alpha: Array, ratio: Array, channel: list[Array]) -> Sides:
    images = [(w[:, None, :] @ np.stack(channel, 1))[:, 0] for w in p]
    return every(k, alpha, ratio, lambda f, a: (cut(k, f, images, 2, *a), cut(k, f, p, 2, *a)))


@claim(
    "hyptest.lem3.cut-below",
    label="Lemma 3",
    statement=r"\overline\Delta^k \le \Delta",
    given=PAIR,
    note="k = 2 on four points.",
)
def cut_below(k: Vocabulary, p: list[Array], alpha: Array, ratio: Array) -> Sides:
    return every(k, alpha, ratio, lambda f, a: (cut(k, f, p, 2, *a), f(*p, *a)))


@claim(
    "hyptest.lem3.equality",
    label="Lemma 3, as many points as cells",
    statement=r"|Y| = k \Rightarrow \overline\Delta^k_Y = \Delta_Y",
    given=SMALL,
    relation="==",
)
def cut_equality(k: Vocabulary, p: list[Array], alpha: Array, ratio: Array) -> Sides:
    return every(k, alpha, ratio, lambda f, a: (cut(k, f, p, 3, *a), f(*p, *a)))


@claim(
    "hyptest.lem4.any-Y",
    label="Lemma 4",
    statement=r"\text{the } k\text{-cut does not depend on the set } Y \text{ of } k \text{ points}",
    given=SMALL,
    relation="==",
    note="With the points of Y, and those of X, in another order. Prints mu_1 for mu_2.",
)
def cut_labels(k: Vocabulary, p: list[Array], alpha: Array, ratio: Array) -> Sides:
    def flipped(f: Divergence) -> Divergence:
        return lambda x, y, *a: f(x[..., ::-1], y[..., ::-1], *a)

    turned = [w[:, [1, 2, 0]] for w in p]
    return every(k, alpha, ratio, lambda f, a: (cut(k, flipped(f), turned, 2, *a), cut(k, f, p, 2, *a)))


@claim(
    "hyptest.lem5.one-generated",
    label="Lemma 5",
    statement=r"\Delta \text{ is 1-generated} \Rightarrow \Delta \text{ is constant}",
    given={**SMALL, "others": Distributions(2, dim=3)},
    relation="==",
    note="The 1-cuts of two pairs; 1 - e^eps for eps < 0.",
)
def one_cut(k: Vocabulary, p: list[Array], alpha: Array, ratio: Array, others: list[Array]) -> Sides:
    return every(k, alpha, ratio, lambda f, a: (cut(k, f, p, 1, *a), cut(k, f, others, 1, *a)))


@claim(
    "hyptest.lem6.monotone",
    label="Lemma 6",
    statement=r"\Delta\ k\text{-generated} \Rightarrow \Delta\ (k+1)\text{-generated}",
    given=PAIR,
    note="Of the 2-cut D: 3-cut of D = D, both inequalities; and the 2-cut is below the 3-cut.",
    effort=0.2,
)
def cut_monotone(k: Vocabulary, p: list[Array], alpha: Array, ratio: Array) -> Sides:
    def sides(f: Divergence, a: tuple[Array, ...]) -> Sides:
        two = cut(k, f, p, 2, *a)
        again = cut(k, lambda x, y, *b: cut(k, f, [x, y], 2, *b), p, 3, *a)
        return stack(two, again, two), stack(cut(k, f, p, 3, *a), two, again)

    return every(k, alpha, ratio, sides)


@claim(
    "hyptest.lem7.infty",
    label="Lemma 7; continuity",
    statement=r"\text{data processing} \Rightarrow \Delta \text{ is } \infty\text{-generated (countably, if "
    r"continuous)}",
    given=SMALL,
    relation="==",
    note="On three points the cut into five cells is the divergence. supp mu_1 is printed twice.",
)
def infinitely_generated(k: Vocabulary, p: list[Array], alpha: Array, ratio: Array) -> Sides:
    return every(k, alpha, ratio, lambda f, a: (cut(k, f, p, 5, *a), f(*p, *a)))


@claim(
    "hyptest.lem8.cut-generated",
    label="Lemma 8",
    statement=r"\overline{\overline\Delta^k}^k = \overline\Delta^k",
    given=PAIR,
    relation="==",
    note="k = 2.",
    effort=0.5,
)
def cut_of_cut(k: Vocabulary, p: list[Array], alpha: Array, ratio: Array) -> Sides:
    def sides(f: Divergence, a: tuple[Array, ...]) -> Sides:
        return cut(k, lambda x, y, *b: cut(k, f, [x, y], 2, *b), p, 2, *a), cut(k, f, p, 2, *a)

    return every(k, alpha, ratio, sides)


@claim(
    "hyptest.lem9.greatest",
    label="Lemma 9",
    statement=r"\Delta' \text{ k-generated},\ \Delta' \le \Delta \Rightarrow \Delta' \le \overline\Delta^k",
    given={"p": Distributions(2, dim=4)},
    note="Delta' = 2 TV^2 (2-generated) below Delta = KL, by Pinsker's inequality: it is below the 2-cut of KL.",
)
def greatest(k: Vocabulary, p: list[Array]) -> Sides:
    distance = k.total_variation(*p)
    return 2 * distance * distance, cut(k, k.kl, p, 2)


@claim(
    "hyptest.lem10.implication",
    label="Lemma 10",
    statement=r"(\Delta \le \delta \Rightarrow \Delta' \le \rho) \Leftrightarrow "
    r"(\overline\Delta^k \le \delta \Rightarrow \Delta' \le \rho),\ \Delta' \text{ k-generated}",
    given={"p": Distributions(2, dim=4), "alpha": Order(1, 16), "ratio": RATIO},
    note="Delta = D_alpha, Delta' = the eps-divergence: Theorem 16 with the 2-cut in place of the divergence.",
)
def implication(k: Vocabulary, p: list[Array], alpha: Array, ratio: Array) -> Sides:
    rho, known = finite(k, cut(k, k.renyi, p, 2, alpha))
    epsilon = k.log(1 + ratio)
    allowed = k.exp((alpha - 1) * (rho - epsilon + k.log((alpha - 1) / alpha)) - k.log(alpha))
    return np.where(known, k.hockey_stick(*p, epsilon), 0 * rho), allowed


@claim(
    "hyptest.thm11.eps-2gen",
    label="Theorem 11",
    statement=r"\Delta^\varepsilon \text{ is 2-generated for all } \varepsilon",
    given={"p": Distributions(2, dim=4), "ratio": Scale(positive=True)},
    relation="==",
    note="epsilon = log ratio, of either sign.",
    recorded=Verdict.PROVED,
    proof=enumerated(
        lambda: grid(p=pairs(4, 2), ratio={"scale": RATIOS}),
        domain="multiples of 1/2 on four points, e^eps = 1/4, 1, 3/2, 4",
    ),
)
def two_generated(k: Vocabulary, p: list[Array], ratio: Array) -> Sides:
    return cut(k, lambda x, y, r: k.hockey_stick(x, y, k.log(r)), p, 2, ratio), k.hockey_stick(*p, k.log(ratio))


def _mixture(k: Vocabulary, p: list[Array], g: Array, part: Array, ratio: Array) -> Sides:
    """Delta of a mixture of two maps to two points, and the larger of the two."""
    part = _inside(part)
    images = [[(w[:, :, None] * (g[:, i, :, None] == np.arange(2))).sum(-2) for w in p] for i in (0, 1)]
    mixed = [part[:, None] * x + (1 - part[:, None]) * y for x, y in zip(*images, strict=True)]
    epsilon = k.log(ratio)
    return k.hockey_stick(*mixed, epsilon), k.maximum(*(k.hockey_stick(*pair, epsilon) for pair in images))


MIXTURE: dict[str, Kind] = {
    "p": Distributions(2, dim=3),
    "g": Maps(3, 2, 2),
    "part": Fraction01(),
    "ratio": RATIO,
}


@claim(
    "hyptest.thm11.sup-equality",
    label="Theorem 11, middle line of the proof",
    statement=r"\Delta^\varepsilon(\textstyle\sum a_i \gamma_i(\mu_1)\|\textstyle\sum a_i \gamma_i(\mu_2)) = "
    r"\sup_i \Delta^\varepsilon(\gamma_i(\mu_1)\|\gamma_i(\mu_2))",
    given=MIXTURE,
    relation="==",
    recorded=Verdict.REFUTED,
)
def supremum_equality(k: Vocabulary, p: list[Array], g: Array, part: Array, ratio: Array) -> Sides:
    return _mixture(k, p, g, part, ratio)


@claim(
    "hyptest.thm11.sup-inequality",
    label="Theorem 11, middle line of the proof",
    statement=r"\Delta^\varepsilon(\textstyle\sum a_i \gamma_i(\mu_1)\|\textstyle\sum a_i \gamma_i(\mu_2)) \le "
    r"\sup_i \Delta^\varepsilon(\gamma_i(\mu_1)\|\gamma_i(\mu_2))",
    given=MIXTURE,
    corrects="hyptest.thm11.sup-equality",
    recorded=Verdict.PROVED,
    proof=enumerated(
        lambda: grid(p=pairs(3, 2), g={"map": maps(3, 2)}, part={"part": np.array([32])}, ratio={"scale": RATIOS[:2]}),
        domain="multiples of 1/2 on three points, all pairs of maps to two, e^eps = 1/4 and 1, equal parts",
    ),
)
def supremum_inequality(k: Vocabulary, p: list[Array], g: Array, part: Array, ratio: Array) -> Sides:
    return _mixture(k, p, g, part, ratio)


def _theorem12(k: Vocabulary, alpha: Array, slack: Array) -> tuple[Array, Array, Array, Array]:
    """beta, p, and the two distributions."""
    beta = alpha + 1 + slack
    p = k.power(0 * beta + 2, -beta / (alpha - 1))
    one = 0 * p + 1
    mu2 = np.stack([p * p, p, one], -1) / (p * p + p + 1)[:, None]
    return beta, p, np.stack([one, one, one], -1) / 3, mu2


TWELVE: dict[str, Kind] = {"alpha": Order(1, 40), "slack": Scale(positive=True, high=8)}


@claim(
    "hyptest.thm12.renyi-not-2gen",
    label="Theorem 12",
    statement=r"\overline{D^\alpha}^2(\mu_1\|\mu_2) + \tfrac1{\alpha-1} "
    r"\log\min(\tfrac{2^\beta+2^{-\beta}+1}{2^{\alpha+1}},"
    r" \tfrac{2^\beta+2^{-\beta}+1}{2^\beta+1}) \le D^\alpha(\mu_1\|\mu_2),\ \beta > \alpha + 1",
    given=TWELVE,
)
def not_two_generated(k: Vocabulary, alpha: Array, slack: Array) -> Sides:
    beta, _, mu1, mu2 = _theorem12(k, alpha, slack)
    two = 0 * beta + 2
    top = k.power(two, beta) + k.power(two, -beta) + 1
    gain = k.minimum(top / k.power(two, alpha + 1), top / (k.power(two, beta) + 1))
    return cut(k, k.renyi, [mu1, mu2], 2, alpha) + k.log(gain) / (alpha - 1), k.renyi(mu1, mu2, alpha)


@claim(
    "hyptest.thm12.second-line",
    label="Theorem 12, second line of the proof",
    statement=r"\text{the first three ratios are the second three (printed} \ge \text{)}",
    given=TWELVE,
    relation="==",
    note="All three equal, compared by their logarithms.",
    recorded=Verdict.PROVED,
    proof=proofs.second_line,
)
def second_line(k: Vocabulary, alpha: Array, slack: Array) -> Sides:
    beta, p, _, _ = _theorem12(k, alpha, slack)
    two, power = 0 * beta + 2, lambda x: k.power(x, 1 - alpha)
    top = power(p * p) + power(p) + 1
    first = [
        k.power(two, alpha) * power(p * p + p) + 1,
        k.power(two, alpha) * power(p * p + 1) + power(p),
        k.power(two, alpha) * power(p + 1) + power(p * p),
    ]
    high, low = k.power(two, beta), k.power(two, -beta)
    second = [
        k.power(two, alpha) * power(p + 1) + low,
        k.power(two, alpha - beta) * power(p * p + 1) + 1,
        high + k.power(two, alpha - beta) * power(p + 1),
    ]
    new = high + low + 1
    return stack(*(k.log(top / x) for x in first)), stack(*(k.log(new / x) for x in second))


# f-divergences


def _naive_square(p: Array, q: Array) -> Array:
    """sum of q f(p / q) for f = t^2, 0 where q = 0."""
    positive = q > 0
    return np.where(positive, p * p / np.where(positive, q, 0 * q + 1), 0 * p).sum(-1)


@claim(
    "hyptest.fdiv.weight",
    label="B.9, weight functions",
    statement=r"f \text{ convex},\ \lim_{t\to0+} t f(0/t) = 0 \Rightarrow \Delta^f(\gamma(\mu_1)\|\gamma(\mu_2)) \le "
    r"\Delta^f(\mu_1\|\mu_2),\ \Delta^f = \textstyle\sum \mu_2(x) f(\tfrac{\mu_1(x)}{\mu_2(x)})",
    given={"p": Distributions(2, dim=3)},
    recorded=Verdict.REFUTED,
    note="f = t^2, with 0 for mu_2(x) = 0: the printed condition is void and does not say what 0 f(a/0) is.",
)
def weight_condition(k: Vocabulary, p: list[Array]) -> Sides:
    return cut(k, _naive_square, p, 2), _naive_square(*p)


@claim(
    "hyptest.fdiv.weight.corrected",
    label="B.9, weight functions",
    statement=r"\text{the same, with } 0 f(a/0) = a \lim_{t\to\infty} f(t)/t",
    given={"p": Distributions(2, dim=3)},
    corrects="hyptest.fdiv.weight",
)
def weight_condition_corrected(k: Vocabulary, p: list[Array]) -> Sides:
    def square(x: Array, y: Array) -> Array:
        return k.exp(k.renyi(x, y, 2 + 0 * x[..., 0]))

    return cut(k, square, p, 2), square(*p)


@claim(
    "hyptest.renyi.quasiconvex",
    label="B.9",
    statement=r"D^\alpha \text{ is quasi-convex and satisfies data processing}",
    given={
        "p": Distributions(2, dim=3),
        "q": Distributions(2, dim=3),
        "part": Fraction01(),
        "alpha": Order(1 / 64, 40),
        "channel": Distributions(3, dim=3),
    },
    recorded=Verdict.PROVED,
    proof=proofs.merging,
)
def quasiconvex(
    k: Vocabulary, p: list[Array], q: list[Array], part: Array, alpha: Array, channel: list[Array]
) -> Sides:
    mixed = [part[:, None] * x + (1 - part[:, None]) * y for x, y in zip(p, q, strict=True)]
    images = [(w[:, None, :] @ np.stack(channel, 1))[:, 0] for w in p]
    first = k.renyi(*p, alpha)
    return stack(k.renyi(*mixed, alpha), k.renyi(*images, alpha)), stack(k.maximum(first, k.renyi(*q, alpha)), first)


def _moment(k: Vocabulary, pair: list[Array], alpha: Array) -> Array:
    """sum of p^alpha q^(1 - alpha)."""
    return k.exp((alpha - 1) * k.renyi(*pair, alpha))


@claim(
    "hyptest.fdiv.jointly-convex",
    label="B.9",
    statement=r"\Delta^f \text{ is jointly convex},\ f = t^\alpha,\ \alpha > 1",
    given={
        "p": Distributions(2, dim=3),
        "q": Distributions(2, dim=3),
        "part": Fraction01(),
        "alpha": Order(1, 8),
    },
    recorded=Verdict.PROVED,
    proof=proofs.joint_convexity,
)
def jointly_convex(k: Vocabulary, p: list[Array], q: list[Array], part: Array, alpha: Array) -> Sides:
    mixed = [part[:, None] * x + (1 - part[:, None]) * y for x, y in zip(p, q, strict=True)]
    inner = (part > 0) & (part < 1)
    ends = part * _moment(k, p, alpha) + (1 - part) * _moment(k, q, alpha)
    return np.where(inner, _moment(k, mixed, alpha), 0 * part), np.where(inner, ends, 0 * part)


@claim(
    "hyptest.lem13.strictly-convex",
    label="Lemma 13, Corollary 14",
    statement=r"f \text{ strictly convex} \Rightarrow \overline{\Delta^f}^k < \Delta^f \text{ on } k + 1 \text{ "
    r"points of "
    r"distinct ratios}",
    given={"p": Distributions(2, dim=4)},
    relation="==",
    note="f = t^2, k = 3: the gap is exactly the smallest (p_i q_j - p_j q_i)^2 / (q_i q_j (q_i + q_j)), so positive. "
    "Indices are exchanged in print.",
    recorded=Verdict.PROVED,
    proof=proofs.strict_gap,
)
def strictly_convex(k: Vocabulary, p: list[Array]) -> Sides:
    x, y = p = [(16 * w + 1) / 20 for w in p]  # of full support
    losses = []
    for i, j in combinations(range(4), 2):
        cross = x[:, i] * y[:, j] - x[:, j] * y[:, i]
        losses.append(-cross * cross / (y[:, i] * y[:, j] * (y[:, i] + y[:, j])))
    return cut(k, _naive_square, p, 3) - largest(k, losses), _naive_square(x, y)


# Privacy regions


@claim(
    "hyptest.thm15.region",
    label="Theorem 15",
    statement=r"\overline\Delta^2(\mu_1\|\mu_2) \le \rho \Leftrightarrow \forall \gamma : "
    r"(\Pr[\gamma(\mu_1) = \mathrm{Rej}], \Pr[\gamma(\mu_2) = \mathrm{Acc}]) \in R^\Delta(\rho)",
    given={**SMALL, "test": Events(dim=3)},
    note="'Only if' for a randomised test; 'if' for the deterministic ones is what a 2-cut is.",
)
def region(k: Vocabulary, p: list[Array], alpha: Array, ratio: Array, test: Array) -> Sides:
    pair = [np.stack([(w * t).sum(-1) for t in (test[:, 0], 1 - test[:, 0])], -1) for w in p]
    return every(k, alpha, ratio, lambda f, a: (f(*pair, *a), cut(k, f, p, 2, *a)))


POINT: dict[str, Kind] = {"x": Fraction01(), "y": Fraction01()}


def _two_points(x: Array, y: Array) -> tuple[Array, Array]:
    return np.stack([1 - x, x], -1), np.stack([y, 1 - y], -1)


@claim(
    "hyptest.region.symmetry",
    label="Privacy regions",
    statement=r"(x,y) \in R^\Delta(\rho) \Leftrightarrow (1-x, 1-y) \in R^\Delta(\rho)",
    given={**POINT, "alpha": PAIR["alpha"], "ratio": PAIR["ratio"]},
    relation="==",
    recorded=Verdict.PROVED,
    proof=symbolic(domain="0 < x, y < 1, alpha > 1", x=_odds("x"), y=_odds("y"), alpha=ALPHA, ratio=RATIO_SYMBOL),
)
def symmetry(k: Vocabulary, x: Array, y: Array, alpha: Array, ratio: Array) -> Sides:
    here, there = _two_points(x, y), _two_points(1 - x, 1 - y)
    return every(k, alpha, ratio, lambda f, a: (f(*here, *a), f(*there, *a)))


@claim(
    "hyptest.region.formulas",
    label="Privacy regions of KL, TV and Hellinger",
    statement=r"(1-x)\log\tfrac{1-x}y + x \log\tfrac x{1-y} \le \rho;\ |1-x-y| \le \rho;\ "
    r"\sqrt{(1-x)y} + \sqrt{x(1-y)} \ge 1 - \rho",
    given=POINT,
    relation="==",
    note="The left sides against the divergences of the two-point pair, inside the square.",
    recorded=Verdict.PROVED,
    proof=symbolic(domain="1/64 < x, y < 63/64", x=_odds("x"), y=_odds("y")),
)
def region_formulas(k: Vocabulary, x: Array, y: Array) -> Sides:
    x, y = (62 * x + 1) / 64, (62 * y + 1) / 64
    pair = _two_points(x, y)
    divergence = (1 - x) * k.log((1 - x) / y) + x * k.log(x / (1 - y))
    return (
        stack(divergence, abs(1 - x - y), 1 - k.sqrt((1 - x) * y) - k.sqrt(x * (1 - y))),
        stack(k.kl(*pair), k.total_variation(*pair), k.hellinger(*pair)),
    )


@claim(
    "hyptest.region.eps",
    label="Lemma 19, privacy region of the eps-divergence",
    statement=r"R^{\Delta^\varepsilon}(\delta) = \{(x,y) : \max((1-x) - e^\varepsilon y, x - e^\varepsilon(1-y)) \le "
    r"\delta\}",
    given={**POINT, "ratio": RATIO},
    recorded=Verdict.REFUTED,
    note="For eps < 0 the whole space is a test too: 1 - e^eps <= delta is missing. It holds for eps >= 0.",
)
def region_epsilon(k: Vocabulary, x: Array, y: Array, ratio: Array) -> Sides:
    return k.hockey_stick(*_two_points(x, y), k.log(ratio)), k.maximum(_edges(k, x, y, ratio), 0 * x)


def _edges(k: Vocabulary, x: Array, y: Array, ratio: Array) -> Array:
    return np.asarray(k.maximum(1 - x - ratio * y, x - ratio * (1 - y)))


@claim(
    "hyptest.region.eps.corrected",
    label="Lemma 19, privacy region of the eps-divergence",
    statement=r"R^{\Delta^\varepsilon}(\delta) = \{(x,y) : \max(1 - e^\varepsilon, (1-x) - e^\varepsilon y, "
    r"x - e^\varepsilon(1-y)) \le \delta\}",
    given={**POINT, "ratio": RATIO},
    relation="==",
    corrects="hyptest.region.eps",
    recorded=Verdict.PROVED,
    proof=enumerated(
        lambda: grid(x={"part": SIXTEENTHS}, y={"part": SIXTEENTHS}, ratio={"scale": RATIOS}),
        domain="x, y multiples of 1/16, e^eps = 1/4, 1, 3/2, 4",
    ),
)
def region_epsilon_corrected(k: Vocabulary, x: Array, y: Array, ratio: Array) -> Sides:
    terms = k.maximum(_edges(k, x, y, ratio), 1 - ratio)
    return k.hockey_stick(*_two_points(x, y), k.log(ratio)), k.maximum(terms, 0 * x)


def _region_moment(k: Vocabulary, x: Array, y: Array, alpha: Array, at_zero: Any) -> Array:
    """x^alpha (1-y)^(1-alpha) + (1-x)^alpha y^(1-alpha), 0^(1-alpha) being `at_zero`, which 0^alpha beats."""
    total = 0 * x
    for a, b in ((x, 1 - y), (1 - x, y)):
        positive, mass = b > 0, a > 0
        inside = k.power(np.where(mass, a, 0 * a + 1), alpha) * k.power(np.where(positive, b, 0 * b + 1), 1 - alpha)
        value = np.where(positive, inside, 0 * a + at_zero)
        total = total + np.where(mass, value, 0 * a)
    return total


@claim(
    "hyptest.thm16.region-formula",
    label="Theorem 16, privacy region of the Renyi divergence",
    statement=r"R^{D^\alpha}(\rho) = \{(x,y) : x^\alpha(1-y)^{1-\alpha} + (1-x)^\alpha y^{1-\alpha} \le "
    r"e^{\rho(\alpha-1)}"
    r"\},\ 0^{1-\alpha} = 0",
    given={**POINT, "alpha": Order(1, 16)},
    recorded=Verdict.REFUTED,
    note="0^(1-alpha) = 0 makes points with y = 0 private whose divergence is infinite.",
)
def region_renyi(k: Vocabulary, x: Array, y: Array, alpha: Array) -> Sides:
    return k.renyi(*_two_points(x, y), alpha), k.log(_region_moment(k, x, y, alpha, 0)) / (alpha - 1)


@claim(
    "hyptest.thm16.region-formula.corrected",
    label="Theorem 16, privacy region of the Renyi divergence",
    statement=r"\text{the same, with } 0^{1-\alpha} = +\infty,\ 0^\alpha 0^{1-\alpha} = 0",
    given={**POINT, "alpha": Order(1, 16)},
    relation="==",
    corrects="hyptest.thm16.region-formula",
)
def region_renyi_corrected(k: Vocabulary, x: Array, y: Array, alpha: Array) -> Sides:
    moment = _region_moment(k, x, y, alpha, k.inf)
    return k.renyi(*_two_points(x, y), alpha), k.log(moment) / (alpha - 1)


# Renyi DP to DP


CONVERSION: dict[str, Kind] = {"p": Distributions(2, dim=3), "alpha": Order(1, 32), "part": Fraction01()}


def _inside(part: Array) -> Array:
    """In (0, 1), from [0, 1]."""
    return (62 * part + 1) / 64


def _sound(k: Vocabulary, p: list[Array], alpha: Array, delta: Array, epsilon: Callable[[Array], Array]) -> Sides:
    """The eps-divergence at epsilon(rho), rho the Renyi divergence, and delta; nothing is claimed for rho = inf."""
    rho, known = finite(k, k.renyi(*p, alpha))
    return np.where(known, k.hockey_stick(*p, epsilon(rho)), 0 * rho), delta


def _theorem16(k: Vocabulary, alpha: Array, rho: Array, delta: Array) -> Array:
    return rho + k.log((alpha - 1) / alpha) - (k.log(delta) + k.log(alpha)) / (alpha - 1)


@claim(
    "hyptest.thm16.rdp-to-dp",
    label="Theorem 16",
    statement=r"(\alpha,\rho)\text{-RDP} \Rightarrow (\rho + \log\tfrac{\alpha-1}\alpha - "
    r"\tfrac{\log\delta + \log\alpha}{\alpha-1}, \delta)\text{-DP},\ 0 < \delta < 1",
    given=CONVERSION,
    note="Also where the epsilon is negative.",
    recorded=Verdict.PROVED,
    proof=proofs.theorem16,
)
def renyi_to_dp(k: Vocabulary, p: list[Array], alpha: Array, part: Array) -> Sides:
    delta = _inside(part)
    return _sound(k, p, alpha, delta, lambda rho: _theorem16(k, alpha, rho, delta))


@claim(
    "hyptest.thm16.mironov",
    label="Theorem 16, Mironov's bound",
    statement=r"(\alpha,\rho)\text{-RDP} \Rightarrow (\rho + \tfrac{\log(1/\delta)}{\alpha-1}, \delta)\text{-DP}",
    given=CONVERSION,
    note="d is printed for delta.",
    recorded=Verdict.PROVED,
    proof=proofs.mironov,
)
def mironov(k: Vocabulary, p: list[Array], alpha: Array, part: Array) -> Sides:
    delta = _inside(part)
    return _sound(k, p, alpha, delta, lambda rho: rho - k.log(delta) / (alpha - 1))


@claim(
    "hyptest.thm16.better",
    label="Theorem 16, 'a better bound'",
    statement=r"\log\tfrac{\alpha-1}\alpha - \tfrac{\log\alpha}{\alpha-1} \le 0",
    given={"alpha": Order(1, 64)},
    recorded=Verdict.PROVED,
    proof=proofs.better,
)
def better(k: Vocabulary, alpha: Array) -> Sides:
    return k.log((alpha - 1) / alpha) - k.log(alpha) / (alpha - 1), 0 * alpha


@claim(
    "hyptest.thm16.corner",
    label="Theorem 16, sharpened",
    statement=r"\alpha\delta \ge 1 \Rightarrow (\alpha,\rho)\text{-RDP} \Rightarrow (\rho + \log(1-\delta), "
    r"\delta)\text{-DP}",
    given=CONVERSION,
    corrects="hyptest.thm16.rdp-to-dp",
    note="The tangent point lies outside the square: the corner (1, e^-rho) decides.",
    recorded=Verdict.PROVED,
    proof=proofs.corner,
)
def corner(k: Vocabulary, p: list[Array], alpha: Array, part: Array) -> Sides:
    delta = (1 + (alpha - 1) * _inside(part)) / alpha
    return _sound(k, p, alpha, delta, lambda rho: rho + k.log(1 - delta))


TANGENT: dict[str, Kind] = {
    "alpha": Order(1, 32),
    "rho": Scale(high=2),
    "part": Fraction01(),
    "more": Fraction01(),
}


def _curve(k: Vocabulary, alpha: Array, rho: Array, t: Array) -> Array:
    """(e^rho t)^((alpha - 1) / alpha)."""
    return k.exp((alpha - 1) / alpha * (rho + k.log(t)))


def _slope(k: Vocabulary, alpha: Array, rho: Array, t: Array) -> Array:
    return -(alpha - 1) / alpha * _curve(k, alpha, rho, t) / t


@claim(
    "hyptest.thm16.tangent-line",
    label="Theorem 16, the tangent of C",
    statement=r"x = \tfrac{dx}{dy}(t)(y-t) + (e^\rho(1-t))^{\frac{\alpha-1}\alpha} \text{ touches } "
    r"x = 1 - (e^\rho y)^{\frac{\alpha-1}\alpha} \text{ at } y = t",
    given=TANGENT,
    relation="==",
    recorded=Verdict.REFUTED,
    note="The constant is 1 - (e^rho t)^((alpha-1)/alpha); the displays that follow use that.",
)
def tangent(k: Vocabulary, alpha: Array, rho: Array, part: Array, more: Array) -> Sides:
    t = _inside(part)
    return _curve(k, alpha, rho, 1 - t), 1 - _curve(k, alpha, rho, t)


@claim(
    "hyptest.thm16.tangent-line.corrected",
    label="Theorem 16, the tangent of C",
    statement=r"\tfrac{dx}{dy}(t)(y-t) + 1 - (e^\rho t)^{\frac{\alpha-1}\alpha} \le 1 - (e^\rho "
    r"y)^{\frac{\alpha-1}\alpha}",
    given=TANGENT,
    corrects="hyptest.thm16.tangent-line",
    recorded=Verdict.PROVED,
    proof=proofs.tangent,
)
def tangent_corrected(k: Vocabulary, alpha: Array, rho: Array, part: Array, more: Array) -> Sides:
    t, y = _inside(part), _inside(more)
    return _slope(k, alpha, rho, t) * (y - t) + 1 - _curve(k, alpha, rho, t), 1 - _curve(k, alpha, rho, y)


# The closing conjecture


@claim(
    "hyptest.conj.optimal",
    label="B.11, closing conjecture",
    statement=r"\text{tangents of the boundary } x^\alpha(1-y)^{1-\alpha} + (1-x)^\alpha y^{1-\alpha} = "
    r"e^{\rho(\alpha-1)} "
    r"\text{ give the optimal conversion from } (\alpha,\rho)\text{-RDP to DP}",
    given={"alpha": Order(1, 16), "odds": Scale(positive=True, high=16, bits=6), "part": Fraction01()},
    relation="==",
    note="One-sided: the point (p, q) with likelihood ratios r = 1 + odds and s in (0, 1) touches at the slope e^eps = "
    "((alpha-1)/alpha)(r^alpha - s^alpha)/(r^(alpha-1) - s^(alpha-1)); eps against the optimum at its rho and delta. "
    "Where alpha delta >= 1 the corner decides instead.",
    effort=0.5,
)
def optimal_tangent(k: Vocabulary, alpha: Array, odds: Array, part: Array) -> Sides:
    r, s = 1 + odds, _inside(part)
    q = (1 - s) / (r - s)
    p = r * q
    ratio = (alpha - 1) / alpha * (k.power(r, alpha) - k.power(s, alpha))
    ratio = ratio / (k.power(r, alpha - 1) - k.power(s, alpha - 1))
    rho = k.renyi(np.stack([p, 1 - p], -1), np.stack([q, 1 - q], -1), alpha)
    return k.log(ratio), k.rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=q * (r - ratio))


@claim(
    "hyptest.conj.optimal.two-sided",
    label="B.11, closing conjecture, for a symmetric relation",
    statement=r"D_\alpha(P\|Q), D_\alpha(Q\|P) \le \rho \Rightarrow \text{the tangent conversion is optimal}",
    given={"alpha": Order(1, 16), "rho": Scale(positive=True, high=2, bits=6), "part": Fraction01()},
    recorded=Verdict.REFUTED,
    note="Near the corner randomised response is worst, and less suffices.",
    effort=0.5,
)
def optimal_two_sided(k: Vocabulary, alpha: Array, rho: Array, part: Array) -> Sides:
    arguments = {"alpha": alpha, "epsilon": rho, "delta": _inside(part), "nonnegative": True}
    return k.rdp_to_approximate_dp(**arguments), k.rdp_to_approximate_dp(**arguments, two_sided=True)


@claim(
    "hyptest.conj.certificate",
    label="B.11, a certificate for every s",
    statement=r"\varepsilon_s = \log\tfrac{\alpha-1}\alpha + \log(r^\alpha - s^\alpha) - \log K,\ r^{\alpha-1} "
    r"= s^{\alpha-1} "
    r"+ K,\ K = \tfrac{e^{(\alpha-1)\rho} - \alpha s^{\alpha-1} + (\alpha-1) s^\alpha}{\alpha\delta} "
    r"\text{ is sound for } s \in (0, 1]",
    given={**CONVERSION, "point": Fraction01()},
    recorded=Verdict.PROVED,
    proof=proofs.certificate,
)
def certificate(k: Vocabulary, p: list[Array], alpha: Array, part: Array, point: Array) -> Sides:
    delta, s = _inside(part), (63 * point + 1) / 64

    def epsilon(rho: Array) -> Array:
        low = k.power(s, alpha - 1)
        gain = (k.exp((alpha - 1) * rho) - 1 + 1 - alpha * low + (alpha - 1) * low * s) / (alpha * delta)
        positive = gain > 0
        gain = np.where(positive, gain, 0 * gain + 1)
        high = k.power(low + gain, alpha / (alpha - 1))
        value = k.log((alpha - 1) / alpha * (high - low * s) / gain)
        return np.where(positive, value, 0 * value)

    return _sound(k, p, alpha, delta, epsilon)


@claim(
    "hyptest.conj.alpha2",
    label="B.11, closed form at alpha = 2",
    statement=r"\alpha = 2,\ \delta \le \tfrac12 \Rightarrow \varepsilon^* = \log(1 - \delta + \tfrac{e^\rho - "
    r"1}{4\delta})",
    given={"p": Distributions(2, dim=3), "part": Fraction01()},
    note="Sound, at most Theorem 16's, and attained by two points.",
    recorded=Verdict.PROVED,
    proof=proofs.alpha_two,
)
def alpha_two(k: Vocabulary, p: list[Array], part: Array) -> Sides:
    delta = _inside(part) / 2
    two = 0 * delta + 2
    rho, known = finite(k, k.renyi(*p, two))
    epsilon = k.log(1 - delta + (k.exp(rho) - 1) / (4 * delta))
    excess = np.where(known, k.hockey_stick(*p, epsilon), 0 * rho)
    square = 4 * delta * delta
    q = square / (square + k.exp(rho) - 1)
    worst = q + 2 * delta * (1 - q) - k.exp(epsilon) * q
    return stack(excess, epsilon, delta), stack(delta, _theorem16(k, two, rho, delta), worst)


# Functions of partitions


@claim(
    "hyptest.thm17.kgen",
    label="Theorem 17",
    statement=r"F : [0,1]^{2k} \to [0,\infty] \text{ quasi-convex} \Rightarrow \Delta^F = \sup_{\{A_i\}} "
    r"F(\mu_1(A_1),\dots,\mu_2(A_k)) \text{ is } k\text{-generated}",
    given={"p": Distributions(2, dim=3), "channel": Distributions(3, dim=2), "c": Vectors(1, dim=4)},
    note="F = |c . v|, k = 2: no randomised map to two points beats the partitions.",
)
def functions_of_partitions(k: Vocabulary, p: list[Array], channel: list[Array], c: Array) -> Sides:
    def f(x: Array, y: Array) -> Array:
        weights = np.tile(c[:, 0], (len(x) // len(c), 1))
        return np.asarray(abs((np.concatenate([x, y], -1) * weights).sum(-1)))

    images = [(w[:, None, :] @ np.stack(channel, 1))[:, 0] for w in p]
    both = [cut(k, g, p, 2) for g in (f, lambda x, y: f(x[:, ::-1], y[:, ::-1]))]
    return f(*images), k.maximum(*both)


@claim(
    "hyptest.thm18.cells",
    label="Theorem 18, the cells",
    statement=r"\textstyle\bigcup_{j=0}^{2^n-1} D^n_j = [0,1],\ D^n_0 = \{0\},\ D^n_{l+1} = (l/2^n, (l+1)/2^n]",
    given={"value": Fraction01(), "n": Integers(1, 6)},
    recorded=Verdict.REFUTED,
    note="The index must run to 2^n: every deterministic rule falls outside. The sides: a value, and the end "
    "of the last "
    "cell.",
)
def cells(k: Vocabulary, value: Array, n: Array) -> Sides:
    return value, 1 - 1 / k.power(0 * value + 2, n)


def _same_cell(gammas: list[Array], parts: int) -> tuple[Array, Array]:
    """Are two distributions on four points in one cell of width 1 / parts, and the gap between their first two."""
    x, y = gammas
    same = (x > 0) == (y > 0)
    for part in range(1, parts):
        same = same & ((parts * x > part) == (parts * y > part))
    gap = abs(x[:, :2].sum(-1) - y[:, :2].sum(-1))
    return same.all(-1), gap


@claim(
    "hyptest.thm18.bound",
    label="Theorem 18, uniform convergence",
    statement=r"|\textstyle\int \gamma(x)(D) - (\gamma \circ m_n \circ m_n^*)(x)(D)\, d\mu_1| \le 1/2^n,\ D "
    r"\subseteq k",
    given={"gammas": Distributions(2, dim=4)},
    recorded=Verdict.REFUTED,
    note="n = 1, D of two points of four, gamma(x) and gamma(x') in one cell.",
)
def uniform_bound(k: Vocabulary, gammas: list[Array]) -> Sides:
    same, gap = _same_cell(gammas, 2)
    return np.where(same, gap, 0 * gap), (0 * gap + 1) / 2


@claim(
    "hyptest.thm18.bound.corrected",
    label="Theorem 18, uniform convergence",
    statement=r"|\dots| \le |D| / 2^n",
    given={"gammas": Distributions(2, dim=4)},
    corrects="hyptest.thm18.bound",
    note="n = 2, D of two points of four; at n = 1 it says only that probabilities are at most 1.",
    recorded=Verdict.PROVED,
    proof=proofs.same_cell,
)
def uniform_bound_corrected(k: Vocabulary, gammas: list[Array]) -> Sides:
    same, gap = _same_cell(gammas, 4)
    return np.where(same, gap, 0 * gap), (0 * gap + 1) / 2


@claim(
    "hyptest.tv.2gen",
    label="C.1",
    statement=r"\mathrm{TV} = \Delta^F,\ F(x,x',y,y') = |x - y|",
    given={"p": Distributions(2, dim=4)},
    relation="==",
    recorded=Verdict.PROVED,
    proof=enumerated(lambda: grid(p=pairs(4, 3)), domain="multiples of 1/3 on four points"),
)
def total_variation(k: Vocabulary, p: list[Array]) -> Sides:
    return cut(k, lambda x, y: abs(x[:, 0] - y[:, 0]), p, 2), k.total_variation(*p)


# Hellinger


@claim(
    "hyptest.hd.weight",
    label="C.2",
    statement=r"\mathrm{HD} = 1 - \textstyle\sum \sqrt{\mu_1\mu_2} = \Delta^w,\ w(t) = \sqrt t - 1",
    given={"p": Distributions(2, dim=3)},
    relation="==",
    recorded=Verdict.REFUTED,
    note="The sign: w = 1 - sqrt t.",
)
def hellinger_weight(k: Vocabulary, p: list[Array]) -> Sides:
    return k.hellinger(*p), _weighted(k, p, 1)


def _weighted(k: Vocabulary, p: list[Array], sign: int) -> Array:
    """sum of q w(p / q), w = sign (sqrt t - 1); w(t) / t tends to 0."""
    x, y = p
    positive = y > 0
    ratio = x / np.where(positive, y, 0 * y + 1)
    return np.where(positive, sign * y * (k.sqrt(ratio) - 1), 0 * y).sum(-1)


@claim(
    "hyptest.hd.weight.corrected",
    label="C.2",
    statement=r"\mathrm{HD} = \Delta^w,\ w(t) = 1 - \sqrt t",
    given={"p": Distributions(2, dim=3)},
    relation="==",
    corrects="hyptest.hd.weight",
    recorded=Verdict.PROVED,
    proof=symbolic(domain="positive weights on three points", p=[weights("p", 3), weights("q", 3)]),
)
def hellinger_weight_corrected(k: Vocabulary, p: list[Array]) -> Sides:
    return k.hellinger(*p), _weighted(k, p, -1)


def _boundary(k: Vocabulary, x: Array, rho: Array) -> Array:
    b = 1 - rho
    return b * b * (1 - 2 * x) + x - 2 * b * k.sqrt(x * (1 - x) * rho * (2 - rho))


def _on_boundary(k: Vocabulary, x: Array, rho: Array) -> Sides:
    y = _boundary(k, x, rho)
    inside = k.maximum(y, 0 * y)
    return k.sqrt(x * (1 - inside)) + k.sqrt((1 - x) * inside), 1 - rho


@claim(
    "hyptest.hd.boundary",
    label="Lemma 19, the boundary",
    statement=r"1 - \sqrt{x(1-y)} - \sqrt{(1-x)y} = \rho \Leftrightarrow y = (1-\rho)^2(1-2x) + x \pm "
    r"2(1-\rho)\sqrt{x(1-x)\rho(2-\rho)}",
    given={"x": Fraction01(), "rho": Fraction01()},
    relation="==",
    recorded=Verdict.REFUTED,
    note="Squaring is no equivalence: beyond x = (1 - rho)^2 the lower branch is spurious.",
)
def boundary(k: Vocabulary, x: Array, rho: Array) -> Sides:
    return _on_boundary(k, x, rho)


@claim(
    "hyptest.hd.boundary.corrected",
    label="Lemma 19, the boundary",
    statement=r"\text{the same for the lower branch, } 0 \le x \le (1-\rho)^2",
    given={"x": Fraction01(), "rho": Fraction01()},
    relation="==",
    corrects="hyptest.hd.boundary",
    recorded=Verdict.PROVED,
    proof=proofs.boundary,
)
def boundary_corrected(k: Vocabulary, x: Array, rho: Array) -> Sides:
    return _on_boundary(k, x * (1 - rho) * (1 - rho), rho)


HELLINGER: dict[str, Kind] = {"p": Distributions(2, dim=3), "ratio": RATIO}


@claim(
    "hyptest.lem19.delta",
    label="Lemma 19, Theorem 20",
    statement=r"\mathrm{HD} \le \rho \Rightarrow \Delta^\varepsilon \le 1 - t - \tfrac{f(t)}{g(t)},\ "
    r"f, g = (1-\rho)^2(1-2x) + x - 2(1-\rho)\sqrt{\rho(2-\rho)x(1-x)}",
    given={**HELLINGER, "t": Fraction01()},
    recorded=Verdict.REFUTED,
    note="g is printed equal to f, so that delta = -t: refuted at the t that is best for it, 0. Signs, a "
    "square and g are "
    "wrong; d in f is rho.",
)
def hellinger_printed(k: Vocabulary, p: list[Array], ratio: Array, t: Array) -> Sides:
    return k.hockey_stick(*p, k.log(ratio)), 0 * ratio


@claim(
    "hyptest.lem19.delta.derivative",
    label="Lemma 19, Theorem 20, with g = f'",
    statement=r"\mathrm{HD} \le \rho \Rightarrow \Delta^\varepsilon \le 1 - t - \tfrac{f(t)}{g(t)},\ g = f',\ "
    r"e^\varepsilon = \tfrac1{g(t)}",
    given={"x": Fraction01(), "rho": Fraction01(), "t": Fraction01()},
    recorded=Verdict.REFUTED,
    note="The printed signs, taken at their word: at any t with g(t) > 0, two-point pairs of that Hellinger distance.",
)
def hellinger_signs(k: Vocabulary, x: Array, rho: Array, t: Array) -> Sides:
    rho, t = _inside(rho), _inside(t)
    x = _inside(x) * (1 - rho) * (1 - rho)
    root = k.sqrt(rho * (2 - rho))
    slope = 1 - 2 * (1 - rho) * (1 - rho) - (1 - rho) * root * (1 - 2 * t) / k.sqrt(t * (1 - t))
    rising = slope > 0
    safe = np.where(rising, slope, 0 * slope + 1)
    y = k.maximum(_boundary(k, x, rho), 0 * x)
    pair = _two_points(x, y)
    delta = 1 - t - _boundary(k, t, rho) / safe
    return np.where(rising, k.hockey_stick(*pair, -k.log(safe)), 0 * x), np.where(rising, delta, 0 * x)


def _hellinger_delta(k: Vocabulary, ratio: Array, rho: Array) -> Array:
    kappa = rho * (2 - rho)
    return (k.sqrt((ratio - 1) * (ratio - 1) + 4 * ratio * kappa) - (ratio - 1)) / 2


@claim(
    "hyptest.thm20.hd-to-dp",
    label="Theorem 20, corrected",
    statement=r"\mathrm{HD} \le \rho \Rightarrow \Delta^\varepsilon \le \tfrac12(\sqrt{(e^\varepsilon-1)^2 + 4 "
    r"e^\varepsilon "
    r"\rho(2-\rho)} - (e^\varepsilon-1))",
    given=HELLINGER,
    corrects="hyptest.lem19.delta",
    recorded=Verdict.PROVED,
    proof=proofs.hellinger,
)
def hellinger_to_dp(k: Vocabulary, p: list[Array], ratio: Array) -> Sides:
    return k.hockey_stick(*p, k.log(ratio)), _hellinger_delta(k, ratio, k.hellinger(*p))


@claim(
    "hyptest.thm20.optimal",
    label="Theorem 20, 'optimal'",
    statement=r"\text{that } \delta \text{ is attained, at } t = \tfrac{z^2 + 4 - z\sqrt{z^2+4}}{2(z^2+4)},\ z = "
    r"\tfrac{e^{-\varepsilon} - 2(1-\rho)^2 + 1}{(1-\rho)\sqrt{\rho(2-\rho)}}",
    given={"rho": Fraction01(), "ratio": Scale(positive=True, high=8, bits=6)},
    relation="==",
    note="By the pair (1-t, t), (f(t), 1-f(t)).",
    recorded=Verdict.PROVED,
    proof=proofs.optimal_hellinger,
)
def hellinger_optimal(k: Vocabulary, rho: Array, ratio: Array) -> Sides:
    rho = _inside(rho)
    b = 1 - rho
    z = (1 / ratio - 2 * b * b + 1) / (b * k.sqrt(rho * (2 - rho)))
    square = z * z + 4
    t = (square - z * k.sqrt(square)) / (2 * square)
    y = k.maximum(_boundary(k, t, rho), 0 * t)
    return 1 - t - ratio * y, _hellinger_delta(k, ratio, rho)


# Other optimal conversions


@claim(
    "hyptest.ref.kl",
    label="KL to DP",
    statement=r"\mathrm{KL} \le \rho \Rightarrow \Delta^\varepsilon \le \delta_{\mathrm{KL}}(\rho, \varepsilon)",
    given=HELLINGER,
    note="The least delta of the privacy region of KL.",
    effort=0.05,
)
def kl_to_dp(k: Vocabulary, p: list[Array], ratio: Array) -> Sides:
    rho, known = finite(k, k.kl(*p))
    epsilon = k.log(1 + ratio)
    return np.where(known, k.hockey_stick(*p, epsilon), 0 * rho), k.kl_to_delta(
        kl=k.maximum(rho, 0 * rho), epsilon=epsilon
    )


@claim(
    "hyptest.ref.tv",
    label="TV to DP",
    statement=r"\mathrm{TV} \le \tau \Rightarrow \Delta^\varepsilon \le \tau,\ \varepsilon \ge 0",
    given=HELLINGER,
    recorded=Verdict.PROVED,
    proof=proofs.total_variation,
)
def total_variation_to_dp(k: Vocabulary, p: list[Array], ratio: Array) -> Sides:
    return k.hockey_stick(*p, k.log(1 + ratio)), k.total_variation(*p)


@claim(
    "hyptest.ref.approximate",
    label="(eps0, delta0)-DP to DP",
    statement=r"\Delta^{\varepsilon_0} \le \delta_0 \Rightarrow \Delta^\varepsilon \le \max(\delta_0, 1 - (1-\delta_0) "
    r"e^{\varepsilon-\varepsilon_0})",
    given={**HELLINGER, "more": Scale(positive=True, high=8)},
    recorded=Verdict.PROVED,
    proof=enumerated(
        lambda: grid(p=pairs(3, 3), ratio={"scale": RATIOS}, more={"scale": RATIOS}),
        domain="multiples of 1/3 on three points, e^eps and e^eps0 = 5/4, 2, 5/2, 5",
    ),
)
def approximate_to_dp(k: Vocabulary, p: list[Array], ratio: Array, more: Array) -> Sides:
    delta = k.hockey_stick(*p, k.log(1 + more))
    bound = k.maximum(delta, 1 - (1 - delta) * (1 + ratio) / (1 + more))
    return k.hockey_stick(*p, k.log(1 + ratio)), bound
