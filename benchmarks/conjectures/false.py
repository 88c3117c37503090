"""60 false statements, as a researcher might conjecture them: why each is false, and a witness that violates it.

`evaluate` and `witness` share no code with krdtheory: the former computes with `oracle` (only mpmath), and the latter
is an exact instance. They say where a statement is false, not where a search should look.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
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
    Projections,
    PurePairs,
    Scale,
    States,
    Unitaries,
    UpSets,
    Vectors,
)

from . import oracle as o
from .statements import (
    binary_entropy,
    dot,
    entropy,
    false,
    fidelity,
    information,
    largest,
    mixture,
    one,
    stack,
    von_neumann,
)

TINY, NEAR, DIMENSION, ORDER, SINGULAR, NONCOMMUTING, CORNER, EQUALITY, STACKED, ASSUMED = GROUPS = (
    "tiny values",
    "near-equal pairs",
    "dimension 5 and more",
    "order next to an end",
    "near-singular",
    "not commuting",
    "corner",
    "nearly an equality",
    "stacked on an equality",
    "rare hypothesis",
)


def pair() -> dict[str, Any]:
    return {"p": Distributions(2)}


def full_pair() -> dict[str, Any]:
    return {"p": Distributions(2, full=True)}


def states() -> dict[str, Any]:
    return {"states": States(2, normalised=True)}


def full_states() -> dict[str, Any]:
    return {"states": States(2, normalised=True, within=("full",))}


# Witnesses, in rationals


def coin(x: F) -> list[F]:
    """Return (x, 1 - x)."""
    return [x, 1 - x]


def around(d: F, centre: F = F(1, 2)) -> dict[str, Any]:
    """Return two distributions on two points with total variation distance d."""
    return {"p": [coin(centre + d), coin(centre)]}


def diagonal(*values: F) -> list[list[F]]:
    """Return a diagonal matrix."""
    return [[x if i == j else F(0) for j in range(len(values))] for i, x in enumerate(values)]


def times(a: Any, b: Any) -> list[list[F]]:
    """Return a product of matrices."""
    return [[sum((F(x) * y for x, y in zip(row, column, strict=True)), F(0)) for column in transposed(b)] for row in a]


def transposed(a: Any) -> list[list[F]]:
    return [list(row) for row in zip(*a, strict=True)]


def blocks(parts: list[Any]) -> list[list[F]]:
    """Return the state with these matrices for both values of the last bit, scaled to trace 1."""
    n = len(parts[0])
    out = [[F(0)] * (2 * n) for _ in range(2 * n)]
    for bit, part in enumerate(parts):
        for i in range(n):
            for j in range(n):
                out[2 * i + bit][2 * j + bit] = F(part[i][j])
    total = sum((out[i][i] for i in range(2 * n)), F(0))
    return [[x / total for x in row] for row in out]


def ill_conditioned(left: Any, *inner: Any) -> dict[str, Any]:
    """Return blocks L X L^T, equal blocks L L^T, and the channel that discards the label of the block."""
    rho = blocks([times(times(left, x), transposed(left)) for x in inner])
    sigma = blocks([times(left, transposed(left))] * 2)
    return {"states": [rho, sigma], "channel": {"isometry": diagonal(*[F(1)] * 4), "out": 2}}


def simplex(n: int) -> list[list[F]]:
    """Return n + 1 rational unit vectors in dimension n, close to the vertices of a regular simplex."""
    basis = [[float(i == j) for j in range(n + 1)] for i in range(n + 1)]
    frame: list[list[float]] = []  # an orthonormal basis of the vectors with sum 0
    for i in range(n):
        v = [1.0 / (i + 1) if j <= i else -1.0 if j == i + 1 else 0.0 for j in range(n + 1)]
        size = sum(x * x for x in v) ** 0.5
        frame.append([x / size for x in v])
    made = []
    for e in basis:
        v = [sum(x * y for x, y in zip(e, f, strict=True)) for f in frame]
        size = sum(x * x for x in v) ** 0.5
        v = [x / size for x in v]
        flat = [F(round(256 * x / (1 - v[0])), 256) for x in v[1:]]
        square = sum((x * x for x in flat), F(0))
        made.append([(square - 1) / (square + 1), *(2 * x / (square + 1) for x in flat)])
    return made


PLUS = [[F(1, 2), F(1, 2)], [F(1, 2), F(1, 2)]]
MINUS = [[F(1, 2), F(-1, 2)], [F(-1, 2), F(1, 2)]]
SLANTED = {"states": [PLUS, diagonal(F(3, 4), F(1, 4))]}


def on_states(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return an evaluation that takes matrices instead of nested lists."""
    return lambda states, **rest: f(*map(o.matrix, states), **rest)


def on_full_states(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return the same, only for invertible states."""

    def evaluate(states: Any, **rest: Any) -> Any:
        made = [o.matrix(s) for s in states]
        spectra = [o.eigh(s)[0] for s in made]
        return f(*made, **rest) if all(s[0] > o.NOISE * s[-1] for s in spectra) else None

    return evaluate


# Tiny values


# Once k copies are taken the failure probability is about k delta, twice the right side.
@false(
    "group-delta",
    r"1 - (1 - \delta)^k \le k \delta / 2,\ \delta \le 2^{-35}",
    lambda: {"part": Fraction01(zero=False), "count": Integers()},
    group=TINY,
    why="1 - (1 - delta)^k is k delta up to k^2 delta^2 / 2",
    evaluate=lambda part, count: [(1 - (1 - part / 2**35) ** count, count * part / 2**36)],
    witness=lambda: {"part": F(1), "count": 1},
)
def _(k, part, count):
    delta = part / 2**35
    return 1 - k.power(1 - delta, count), count * delta / 2


# h(x) / x is about 1 + log 1/x, which is above 5.2 for x < 0.0149 only.
@false(
    "entropy-linear",
    r"h(x) \le 5.2 x",
    lambda: {"x": Fraction01(zero=False)},
    group=TINY,
    why="h(x) / x grows like log 1/x; it is 5.15 at 1/64",
    evaluate=lambda x: [(o.entropy([x, 1 - x]), 26 * x / 5)],
    witness=lambda: {"x": F(1, 1024)},
)
def _(k, x):
    return binary_entropy(k, x), 26 * x / 5


# A distribution with error probability x below e^-27 has entropy about x (1 + log 1/x).
@false(
    "fano-linear",
    r"H(p) \le 28 (1 - \max p)",
    lambda: {"p": Distributions()},
    group=TINY,
    why="Fano's inequality has a term x log 1/x in the error probability x",
    evaluate=lambda p: [(o.entropy(p[0]), 28 * (1 - max(p[0])))],
    witness=lambda: {"p": [coin(F(1, 2**50))]},
)
def _(k, p):
    return entropy(k, p[0]), 28 * (1 - largest(k, p[0]))


# KL / TV tends to log 1/eps against a reference weight eps.
@false(
    "pinsker-reversed",
    r"\mathrm{KL}(p \| q) \le 36\, \mathrm{TV}(p, q)",
    full_pair,
    group=TINY,
    why="Pinsker has no converse without a bound on the least mass of q",
    evaluate=lambda p: [(o.kl(*p), 36 * o.tv(*p))],
    witness=lambda: {"p": [coin(1 - F(1, 2**59)), coin(F(1, 2**59))]},
)
def _(k, p):
    return k.kl(*p), 36 * k.total_variation(*p)


# For q below 2^-21 the term q eps^2 / 2 is larger.
@false(
    "amplification",
    r"\log(1 + q (e^\varepsilon - 1)) \le q \varepsilon + 2^{20} q^2 \varepsilon^2",
    lambda: {"rate": Fraction01(zero=False), "epsilon": Fraction01(zero=False)},
    group=TINY,
    why="the second-order term q (1 - q) eps^2 / 2 is linear in the sampling rate q",
    evaluate=lambda rate, epsilon: [
        (o.log(1 + rate * (o.exp(epsilon) - 1)), rate * epsilon + (1024 * rate * epsilon) ** 2)
    ],
    witness=lambda: {"rate": F(1, 2**30), "epsilon": F(1)},
)
def _(k, rate, epsilon):
    x = rate * epsilon
    return k.log(1 + rate * (k.exp(epsilon) - 1)), x + 2**20 * x * x


# p = (1/20, 19/20), q = (eps, 1 - eps): D_2 grows like log 1/eps, and 2 KL like a tenth of that.
@false(
    "order-two-by-one",
    r"D_2(p \| q) \le 2\, \mathrm{KL}(p \| q) + 20",
    full_pair,
    group=TINY,
    why="D_2 is not bounded by KL: a small part of p on a tiny part of q counts for D_2 alone",
    evaluate=lambda p: [(o.renyi(*p, 2), 2 * o.kl(*p) + 20)],
    witness=lambda: {"p": [coin(F(1, 20)), coin(F(1, 2**55))]},
)
def _(k, p):
    return k.renyi(*p, 2 * one(p[0])), 2 * k.kl(*p) + 20


# (log 1/delta)^(1/2) is above 6 for delta < e^-36.
@false(
    "zcdp-six",
    r"\rho + 2 \sqrt{\rho \log(1/\delta)} \le \rho + 12 \sqrt{\rho}",
    lambda: {"rho": Scale(positive=True), "delta": Fraction01(zero=False)},
    group=TINY,
    why="false for delta < e^-36, about 2^-52",
    evaluate=lambda rho, delta: [(rho + 2 * o.sqrt(rho * o.log(1 / delta)), rho + 12 * o.sqrt(rho))],
    witness=lambda: {"rho": F(1), "delta": F(1, 2**60)},
)
def _(k, rho, delta):
    return rho + 2 * k.sqrt(rho * k.log(1 / delta)), rho + 12 * k.sqrt(rho)


# Near-equal pairs


# TV^2 / HD tends to 2 as p tends to q = (1/2, 1/2).
@false(
    "tv-hellinger-19999",
    r"\mathrm{TV}^2 \le 1.9999\, \mathrm{HD}",
    pair,
    group=NEAR,
    why="TV^2 <= HD (2 - HD), attained; 2 is the best constant",
    evaluate=lambda p: [(o.tv(*p) ** 2, 19999 * o.hellinger(*p) / 10000)],
    witness=lambda: around(F(1, 1000)),
)
def _(k, p):
    return k.total_variation(*p) ** 2, 19999 * k.hellinger(*p) / 10000


# As above.
@false(
    "tv-hellinger-199999",
    r"\mathrm{TV}^2 \le 1.99999\, \mathrm{HD}",
    pair,
    group=NEAR,
    why="TV^2 <= HD (2 - HD), attained; 2 is the best constant",
    evaluate=lambda p: [(o.tv(*p) ** 2, 199999 * o.hellinger(*p) / 100000)],
    witness=lambda: around(F(1, 1000)),
)
def _(k, p):
    return k.total_variation(*p) ** 2, 199999 * k.hellinger(*p) / 100000


# HD is TV^2 / 2 for coins near (1/2, 1/2); false for TV from 2^-20.9 to 2^-17.1.
@false(
    "tv-by-hellinger",
    r"\mathrm{TV} \le 2^{18}\, \mathrm{HD} + 2^{-21}",
    pair,
    group=NEAR,
    why="HD is of second order in TV; false where TV is about 2^-19",
    evaluate=lambda p: [(o.tv(*p), 2**18 * o.hellinger(*p) + o.mp.mpf(2) ** -21)],
    witness=lambda: around(F(1, 2**19)),
)
def _(k, p):
    return k.total_variation(*p), 2**18 * k.hellinger(*p) + one(p[0]) / 2**21


# KL = 2 d^2 + 4 d^4 / 3 + ... of (1/2 + d, 1/2 - d) and (1/2, 1/2).
@false(
    "pinsker-constant",
    r"2 (1 + 2^{-26})\, \mathrm{TV}^2 \le \mathrm{KL}",
    pair,
    group=NEAR,
    why="2 is the best constant of Pinsker's inequality, approached at p = q = (1/2, 1/2)",
    evaluate=lambda p: [(2 * (1 + o.mp.mpf(2) ** -26) * o.tv(*p) ** 2, o.kl(*p))],
    witness=lambda: around(F(1, 2**20)),
)
def _(k, p):
    tv = k.total_variation(*p)
    return 2 * tv * tv * (2**26 + 1) / 2**26, k.kl(*p)


# Randomised response: D_alpha = alpha eps^2 / 2 to the second order in eps.
@false(
    "pure-renyi-constant",
    r"D_\alpha(p \| q) \le (1 - 2^{-12}) \alpha \varepsilon^2 / 2,\ e^{-\varepsilon} \le p / q \le e^\varepsilon",
    lambda: {"near": PurePairs(), "alpha": Order(1, closed=False)},
    group=NEAR,
    why="alpha eps^2 / 2 is tight as eps tends to 0",
    evaluate=lambda near, alpha: [
        (o.renyi(*near[0], alpha), (1 - o.mp.mpf(2) ** -12) * alpha * o.log(near[1]) ** 2 / 2)
    ],
    witness=lambda: {"near": [[coin(F(1025, 2049)), coin(F(1024, 2049))], F(1025, 1024)], "alpha": F(2)},
)
def _(k, near, alpha):
    (p, q), r = near
    epsilon = k.log(r)
    return k.renyi(p, q, alpha), alpha * epsilon * epsilon * (2**12 - 1) / 2**13


# T^2 <= (1 - F)(1 + F), attained by pure states and by coins in the limit.
@false(
    "fuchs-van-de-graaf-constant",
    r"T(\rho, \sigma)^2 \le (2 - 2^{-20}) (1 - F(\rho, \sigma))",
    states,
    group=NEAR,
    why="T^2 / (1 - F) tends to 2 for diag(1/2 + d, 1/2 - d) and Id / 2",
    evaluate=on_states(lambda a, b: [(o.trace_distance(a, b) ** 2, (2 - o.mp.mpf(2) ** -20) * (1 - o.fidelity(a, b)))]),
    witness=lambda: {"states": [diagonal(*coin(F(1, 2) + F(1, 2**12))), diagonal(F(1, 2), F(1, 2))]},
)
def _(k, states):
    return k.trace_distance(*states) ** 2, (1 - fidelity(k, *states)) * (2**21 - 1) / 2**20


# Dimension 5 and more


# Five equal weights have entropy log 5.
@false(
    "entropy-log-four",
    r"H(p) \le \log 4",
    lambda: {"p": Distributions()},
    group=DIMENSION,
    why="H(p) <= log n, attained; false on 5 points",
    evaluate=lambda p: [(o.entropy(p[0]), o.log(o.mp.mpf(4)))],
    witness=lambda: {"p": [[F(1, 5)] * 5]},
)
def _(k, p):
    return entropy(k, p[0]), k.log(4 * one(p[0]))


# diag(1, 1, 0, 0, 0) and the last three axes: 0 < 1.
@false(
    "interlacing",
    r"\lambda_2(A) \le \lambda_1(V^* A V),\ A \ge 0,\ V \text{ onto three dimensions}",
    lambda: {"states": States(1), "isometry": Projections(3)},
    group=DIMENSION,
    why="Cauchy gives lambda_(n - 2); that is at most lambda_2 in 4 dimensions, and 0 may be in 5",
    evaluate=lambda states, isometry: interlaced(o.matrix(states[0]), o.matrix(isometry)),
    witness=lambda: {
        "states": [diagonal(F(1), F(1), F(0), F(0), F(0))],
        "isometry": [[F(int(i == j + 2)) for j in range(3)] for i in range(5)],
    },
)
def _(k, states, isometry):
    return k.eigvalsh(states[0])[..., -2], k.eigvalsh(k.compressed(states[0], isometry))[..., -1]


def interlaced(a: Any, v: Any) -> Any:
    """Return the second eigenvalue of A, and the first of V^* A V."""
    return [(o.eigh(a)[0][-2], o.eigh(v.H * a * v)[0][-1])]


# tr rho^2 = 1/5 of Id / 5.
@false(
    "purity-quarter",
    r"1/4 \le \mathrm{tr}\, \rho^2",
    lambda: {"states": States(1, normalised=True)},
    group=DIMENSION,
    why="tr rho^2 >= 1/n, attained",
    evaluate=on_states(lambda a: [(o.mp.mpf(1) / 4, o.tr(a * a))]),
    witness=lambda: {"states": [diagonal(*[F(1, 5)] * 5)]},
)
def _(k, states):
    return one(states[0]) / 4, k.pairing(states[0], states[0])


# The vertices of a simplex in dimension 5 have inner products -1/5; in less than 5 dimensions the statement holds.
@false(
    "six-vectors",
    r"0 \le \max_{i < j} \langle x_i, x_j \rangle,\ x_1, \ldots, x_6 \text{ unit vectors}",
    lambda: {"x": Vectors(6)},
    group=DIMENSION,
    why="n + 1 vectors, and no more, are pairwise obtuse in dimension n",
    evaluate=lambda x: [(o.mp.mpf(0), max(o.dot(x[i], x[j]) for i in range(6) for j in range(i)))],
    witness=lambda: {"x": simplex(5)},
)
def _(k, x):
    products = stack(*(dot(x[:, i], x[:, j]) for i in range(6) for j in range(i)))
    return 0 * one(x), largest(k, products)


# Five equal values: 5 > 2 * 5^(1/2).
@false(
    "norms-one-two",
    r"\sum |f| \le 2 \left(\sum f^2\right)^{1/2}",
    lambda: {"f": Functions()},
    group=DIMENSION,
    why="the best constant is n^(1/2)",
    evaluate=lambda f: [(o.mp.fsum(map(abs, f[0])), 2 * o.sqrt(o.dot(f[0], f[0])))],
    witness=lambda: {"f": [[F(1)] * 5]},
)
def _(k, f):
    return abs(f[:, 0]).sum(-1), 2 * k.sqrt(dot(f[:, 0], f[:, 0]))


# On 5 points with 5 ratios every map to 4 cells merges two of them.
@false(
    "four-cells",
    r"\mathrm{KL}(p \| q) \le \mathrm{KL}^{(4)}(p \| q) \text{, the supremum over kernels to 4 cells}",
    full_pair,
    group=DIMENSION,
    why="merging points of different ratios loses; on 5 points 4 cells are too few",
    evaluate=lambda p: [
        (o.kl(*p), max(o.kl(*(merged(w, g, 4) for w in p)) for g in o.groupings(len(p[0]), 4) if ordered(g)))
    ],
    witness=lambda: {"p": [[F(i, 15) for i in range(1, 6)], [F(1, 5)] * 5]},
)
def _(k, p):
    return k.kl(*p), k.cut(k.kl, p, 4)


def merged(w: Any, g: tuple[int, ...], cells: int) -> list[Any]:
    """Return the image of weights under a map."""
    return [o.mp.fsum(x for x, i in zip(w, g, strict=True) if i == cell) for cell in range(cells)]


def ordered(g: tuple[int, ...]) -> bool:
    """Return whether a map is the first of those that differ only by the names of the cells."""
    return all(x <= max((-1, *g[:i])) + 1 for i, x in enumerate(g))


# Order next to an end


# rho = |+><+| and the measurement in the basis +, -: <+|sigma|+>^t < <+|sigma^t|+> for t = (1 - alpha) / alpha > 1.
@false(
    "sandwiched-data-processing",
    r"\tilde D_\alpha(N(\rho) \| N(\sigma)) \le \tilde D_\alpha(\rho \| \sigma),\ \alpha \in [31/64, 1)",
    lambda: {
        "states": States(2, normalised=True),
        "channel": Channels(out=2, environment=4),
        "alpha": Order(31 / 64, 1),
    },
    group=ORDER,
    why="data processing fails for every order below 1/2",
    evaluate=on_states(
        lambda a, b, channel, alpha: [
            (o.sandwiched(o.through(channel, a), o.through(channel, b), alpha), o.sandwiched(a, b, alpha))
        ]
    ),
    witness=lambda: {
        "states": [PLUS, diagonal(F(9, 10), F(1, 10))],
        "channel": {"isometry": [PLUS[0], MINUS[0], PLUS[1], MINUS[1]], "out": 2},
        "alpha": F(31, 64),
    },
)
def _(k, states, channel, alpha):
    image = k.sandwiched_renyi(channel(states[0]), channel(states[1]), alpha)
    return image, k.sandwiched_renyi(*states, alpha)


# At 65/64 with q = (2^-60, 1 - 2^-60) it is strictly concave on the segment between the two points.
@false(
    "renyi-convex",
    r"D_\alpha(t p_0 + (1 - t) p_1 \| q) \le t D_\alpha(p_0 \| q) + (1 - t) D_\alpha(p_1 \| q),\ "
    r"\alpha \in [1/2, 65/64]",
    lambda: {
        "p": Distributions(3, full=True),
        "part": Fraction01(zero=False, one=False),
        "alpha": Order(1 / 2, 65 / 64),
    },
    group=ORDER,
    why="the divergence is convex in its first argument for orders up to 1 only",
    evaluate=lambda p, part, alpha: [
        (
            o.renyi(o.mix(part, p[0], p[1]), p[2], alpha),
            part * o.renyi(p[0], p[2], alpha) + (1 - part) * o.renyi(p[1], p[2], alpha),
        )
    ],
    witness=lambda: {
        "p": [coin(1 - F(1, 2**30)), coin(F(1, 2**30)), coin(F(1, 2**60))],
        "part": F(1, 2),
        "alpha": F(65, 64),
    },
)
def _(k, p, part, alpha):
    mixed = k.renyi(mixture(part, p[0], p[1]), p[2], alpha)
    return mixed, part * k.renyi(p[0], p[2], alpha) + (1 - part) * k.renyi(p[1], p[2], alpha)


# (1 + x)^a is concave for a < 1: false for a in [63/64, 1).
@false(
    "bernoulli",
    r"1 + a x \le (1 + x)^a,\ x \ge 0,\ a \ge 63/64",
    lambda: {"x": Scale(), "a": Order(63 / 64)},
    group=ORDER,
    why="Bernoulli's inequality needs a >= 1",
    evaluate=lambda x, a: [(1 + a * x, (1 + x) ** a)],
    witness=lambda: {"x": F(1), "a": F(63, 64)},
)
def _(k, x, a):
    return 1 + a * x, k.power(1 + x, a)


# 2^a > 2 for a > 1.
@false(
    "power-subadditive",
    r"(x + y)^a \le x^a + y^a,\ a \in (0, 65/64]",
    lambda: {"x": Scale(positive=True), "y": Scale(positive=True), "a": Order(0, 65 / 64)},
    group=ORDER,
    why="subadditive for a <= 1 only",
    evaluate=lambda x, y, a: [((x + y) ** a, x**a + y**a)],
    witness=lambda: {"x": F(1), "y": F(1), "a": F(65, 64)},
)
def _(k, x, y, a):
    return k.power(x + y, a), k.power(x, a) + k.power(y, a)


# Two disjoint indicators: 2^(1/a) > 2 for a < 1.
@false(
    "minkowski",
    r"\|f + g\|_a \le \|f\|_a + \|g\|_a,\ a \ge 63/64",
    lambda: {"f": Functions(2), "a": Order(63 / 64)},
    group=ORDER,
    why="Minkowski's inequality needs a >= 1",
    evaluate=lambda f, a: [(norm([x + y for x, y in zip(*f, strict=True)], a), norm(f[0], a) + norm(f[1], a))],
    witness=lambda: {"f": coin_functions(), "a": F(63, 64)},
)
def _(k, f, a):
    def size(g):
        return k.power(k.power(abs(g), a[:, None]).sum(-1), 1 / a)

    return size(f[:, 0] + f[:, 1]), size(f[:, 0]) + size(f[:, 1])


def norm(f: Any, a: Any) -> Any:
    """Return (sum |f|^a)^(1/a)."""
    total = o.mp.fsum(abs(x) ** a for x in f if x != 0)
    return total ** (1 / a) if total else o.mp.mpf(0)


def coin_functions() -> list[list[F]]:
    return [[F(1), F(0)], [F(0), F(1)]]


# The order is above 1/2, and the divergence grows with it.
@false(
    "below-bhattacharyya",
    r"D_\alpha(p \| q) \le D_{1/2}(p \| q),\ \alpha \in (0, 33/64]",
    lambda: {"p": Distributions(2), "alpha": Order(0, 33 / 64)},
    group=ORDER,
    why="false for every order above 1/2",
    evaluate=lambda p, alpha: [(o.renyi(*p, alpha), o.renyi(*p, o.mp.mpf(1) / 2))],
    witness=lambda: {"p": [coin(F(1, 2)), coin(F(1, 4))], "alpha": F(33, 64)},
)
def _(k, p, alpha):
    return k.renyi(*p, alpha), k.renyi(*p, one(p[0]) / 2)


# Near-singular


def maximal_grows(order: Any) -> Callable[..., Any]:
    return on_states(
        lambda a, b, channel: [(o.maximal(o.through(channel, a), o.through(channel, b), order), o.maximal(a, b, order))]
    )


def four_to_two() -> dict[str, Any]:
    return {
        "states": States(2, normalised=True, dim=4),
        "channel": Channels(out=2, environment=2, dim=4),
    }


# Equal ill-conditioned blocks: t^3 is not operator convex, and sigma weighs the direction where that shows.
@false(
    "maximal-three",
    r"\hat D_3(N(\rho) \| N(\sigma)) \le \hat D_3(\rho \| \sigma) \text{, channels from dimension 4 to 2}",
    four_to_two,
    group=SINGULAR,
    why="the maximal divergence obeys data processing for orders up to 2 only",
    evaluate=maximal_grows(3),
    witness=lambda: ill_conditioned([[1, -4], [0, F(1, 8)]], [[1, 1], [1, 1]], [[3, 1], [1, 1]]),
)
def _(k, states, channel):
    order = 3 * one(states[0])
    return k.maximal_renyi(channel(states[0]), channel(states[1]), order), k.maximal_renyi(*states, order)


# As above: t^(5/2) is not operator convex either.
@false(
    "maximal-five-halves",
    r"\hat D_{5/2}(N(\rho) \| N(\sigma)) \le \hat D_{5/2}(\rho \| \sigma) \text{, channels from dimension 4 to 2}",
    four_to_two,
    group=SINGULAR,
    why="the maximal divergence obeys data processing for orders up to 2 only",
    evaluate=maximal_grows(o.mp.mpf(5) / 2),
    witness=lambda: ill_conditioned([[1, 6], [0, F(1, 16)]], [[1, -1], [-1, 1]], [[8, -2], [-2, 1]]),
)
def _(k, states, channel):
    order = 5 * one(states[0]) / 2
    return k.maximal_renyi(channel(states[0]), channel(states[1]), order), k.maximal_renyi(*states, order)


# diag(1 - eps, eps) and diag(1, 0): eps (1 + log 1/eps) against eps.
@false(
    "entropy-lipschitz",
    r"S(\rho) - S(\sigma) \le 30\, T(\rho, \sigma)",
    states,
    group=SINGULAR,
    why="entropy is not Lipschitz at singular states (Fannes has a term T log 1/T)",
    evaluate=on_states(lambda a, b: [(o.von_neumann(a) - o.von_neumann(b), 30 * o.trace_distance(a, b))]),
    witness=lambda: {"states": [diagonal(*coin(F(1, 2**50))), diagonal(F(0), F(1))]},
)
def _(k, states):
    return von_neumann(k, states[0]) - von_neumann(k, states[1]), 30 * k.trace_distance(*states)


# diag(1 - eps, eps) and diag(1, 0): eps against 2^20 * 2 eps^2.
@false(
    "root-lipschitz",
    r"\mathrm{tr}(\rho^{1/2} - \sigma^{1/2})^2 \le 2^{20}\, \mathrm{tr}(\rho - \sigma)^2",
    states,
    group=SINGULAR,
    why="the square root is not Lipschitz at 0",
    evaluate=on_states(lambda a, b: [(squared(o.applied(a, o.sqrt) - o.applied(b, o.sqrt)), 2**20 * squared(a - b))]),
    witness=lambda: {"states": [diagonal(*coin(F(1, 2**30))), diagonal(F(0), F(1))]},
)
def _(k, states):
    roots, gap = k.sqrtm(states[0]) - k.sqrtm(states[1]), states[0] - states[1]
    return k.pairing(roots, roots), 2**20 * k.pairing(gap, gap)


def squared(a: Any) -> Any:
    """Return tr A^2."""
    return o.tr(a * a)


# Without lambda the divergence grows like log 1/eps, with lambda = 2^-20 it stays below log 2^20.
@false(
    "regularised-order-two",
    r"\tilde D_2(\rho \| \sigma) \le \tilde D_2(\rho \| \sigma + 2^{-20}\, \mathrm{Id}) + 10,\ \rho, \sigma > 0",
    full_states,
    group=SINGULAR,
    why="false where an eigenvalue of sigma is below 2^-35",
    evaluate=on_full_states(
        lambda a, b: [(o.sandwiched(a, b, 2), o.sandwiched(a, b + o.mp.mpf(2) ** -20 * o.mp.eye(b.rows), 2) + 10)]
    ),
    witness=lambda: {"states": [diagonal(F(1, 2), F(1, 2)), diagonal(*coin(F(1, 2**50)))]},
)
def _(k, states):
    unit = one(states[0])
    return k.sandwiched_renyi(*states, 2 * unit), k.sandwiched_renyi(*states, 2 * unit, unit / 2**20) + 10


# diag(1/2, 1/2) and diag(eps, 1 - eps): the ratio grows like log 1/eps.
@false(
    "quantum-pinsker-reversed",
    r"D(\rho \| \sigma) \le 24\, T(\rho, \sigma),\ \rho, \sigma > 0",
    full_states,
    group=SINGULAR,
    why="Pinsker has no converse without a bound on the least eigenvalue of sigma",
    evaluate=on_full_states(lambda a, b: [(o.relative_entropy(a, b), 24 * o.trace_distance(a, b))]),
    witness=lambda: {"states": [diagonal(*coin(1 - F(1, 2**40))), diagonal(*coin(F(1, 2**40)))]},
)
def _(k, states):
    return k.quantum_relative_entropy(*states), 24 * k.trace_distance(*states)


# Not commuting, and almost commuting


# Projections at an angle near 0 or pi/2 commute almost: |t| (1 - t^2)^(1/2) may be below 2^-11, and not 0.
@false(
    "commutator-gap",
    r"\|[P, Q]\| \le 2^{11}\, \|[P, Q]\|^2,\ P, Q \text{ projections on unit vectors}",
    lambda: {"x": Vectors(2)},
    group=NONCOMMUTING,
    why="the commutator of projections may be as small as one likes, and not 0",
    evaluate=lambda x: [(o.sqrt(slant(*x)), 2**11 * slant(*x))],
    witness=lambda: {"x": [[F(1), F(0)], [(1 - F(1, 2**26)) / (1 + F(1, 2**26)), F(1, 2**12) / (1 + F(1, 2**26))]]},
)
def _(k, x):
    t = dot(x[:, 0], x[:, 1])
    slanted = t * t * dot(x[:, 0], x[:, 0] - t[:, None] * x[:, 1])
    slanted = np.where(slanted > 0, slanted, 0 * slanted)
    return k.sqrt(slanted), 2**11 * slanted


def slant(x: Any, y: Any) -> Any:
    """Return t^2 (1 - t^2), t = <x, y>."""
    t = o.dot(x, y)
    return max(t * t * (1 - t * t), 0)


# A = [[1, 1], [1, 1]], X = diag(1, 0): det((A + X)^2 - A^2) = -1.
@false(
    "square-monotone",
    r"0 \le \lambda_{\min}((A + X)^2 - A^2),\ A, X \ge 0",
    lambda: {"states": States(2)},
    group=NONCOMMUTING,
    why="t^2 is not operator monotone",
    evaluate=on_states(lambda a, b: [(o.mp.mpf(0), o.eigh((a + b) * (a + b) - a * a)[0][0])]),
    witness=lambda: {"states": [[[F(1), F(1)], [F(1), F(1)]], diagonal(F(1), F(0))]},
)
def _(k, states):
    a, x = states
    return 0 * one(a), k.eigvalsh((a + x) @ (a + x) - a @ a)[..., 0]


# |+><+| and diag(3/4, 1/4): <+|sigma^-1|+> = 8/3 > <+|sigma^(-1/2)|+>^2 = 2.49.
@false(
    "petz-below-sandwiched",
    r"D_2^{\mathrm{Petz}}(\rho \| \sigma) \le \tilde D_2(\rho \| \sigma)",
    states,
    group=NONCOMMUTING,
    why="the other way round (Araki, Lieb and Thirring), strictly unless they commute",
    evaluate=on_states(lambda a, b: [(o.petz(a, b, 2), o.sandwiched(a, b, 2))]),
    witness=lambda: SLANTED,
)
def _(k, states):
    order = 2 * one(states[0])
    return k.petz_renyi(*states, order), k.sandwiched_renyi(*states, order)


# Blocks against equal blocks: tr sigma^-2 X^3 is not convex in X, as t^3 is not operator convex.
@false(
    "petz-three",
    r"D_3^{\mathrm{Petz}}(N(\rho) \| N(\sigma)) \le D_3^{\mathrm{Petz}}(\rho \| \sigma)",
    lambda: {"states": States(2, normalised=True), "channel": Channels(out=2, environment=4)},
    group=NONCOMMUTING,
    why="the Petz divergence obeys data processing for orders up to 2 only",
    evaluate=on_states(
        lambda a, b, channel: [(o.petz(o.through(channel, a), o.through(channel, b), 3), o.petz(a, b, 3))]
    ),
    witness=lambda: {
        "states": [
            blocks([times(x, transposed(x)) for x in ([[2, 0], [1, 1]], [[-3, 3], [-1, 0]])]),
            blocks([times(x, transposed(x)) for x in [[[2, 0], [F(1, 4), F(1, 8)]]] * 2]),
        ],
        "channel": {"isometry": diagonal(*[F(1)] * 4), "out": 2},
    },
)
def _(k, states, channel):
    order = 3 * one(states[0])
    return k.petz_renyi(channel(states[0]), channel(states[1]), order), k.petz_renyi(*states, order)


# A = [[1, 1], [1, 1]], B = diag(1, 0): AB + BA = [[2, 1], [1, 0]].
@false(
    "symmetrised-product",
    r"0 \le \lambda_{\min}(A B + B A),\ A, B \ge 0",
    lambda: {"states": States(2)},
    group=NONCOMMUTING,
    why="true if A and B commute, and false of these",
    evaluate=on_states(lambda a, b: [(o.mp.mpf(0), o.eigh(a * b + b * a)[0][0])]),
    witness=lambda: {"states": [[[F(1), F(1)], [F(1), F(1)]], diagonal(F(1), F(0))]},
)
def _(k, states):
    a, b = states
    return 0 * one(a), k.eigvalsh(a @ b + b @ a)[..., 0]


# Corners


# A fair bit and a perfect channel: log 2 = 0.6931...
@false(
    "bit-information",
    r"I(X; Y) \le 0.69,\ X, Y \text{ bits}",
    lambda: {"p": Distributions(dim=2), "kernel": MarkovKernels(2, 2)},
    group=CORNER,
    why="a fair bit seen without noise tells log 2",
    evaluate=lambda p, kernel: [
        (
            o.kl([x * y for x, row in zip(p[0], kernel, strict=True) for y in row], product(p[0], kernel)),
            o.mp.mpf(69) / 100,
        )
    ],
    witness=lambda: {"p": [coin(F(1, 2))], "kernel": diagonal(F(1), F(1))},
)
def _(k, p, kernel):
    return information(k, p[0], kernel), 69 * one(p[0]) / 100


def together(p: Any, kernel: Any) -> list[Any]:
    """Return the joint distribution of a letter and its image under a kernel."""
    return [x * y for x, row in zip(p, kernel, strict=True) for y in row]


def product(p: Any, kernel: Any) -> list[Any]:
    """Return the product of p and its image."""
    image = [o.dot(p, column) for column in zip(*kernel, strict=True)]
    return [x * y for x in p for y in image]


# |0> and a turn by a right angle: log 2 = 0.6931...
@false(
    "coin-unitary",
    r"S((\rho + U \rho U^*) / 2) \le S(\rho) + 0.69",
    lambda: {"states": States(1, normalised=True), "unitary": Unitaries()},
    group=CORNER,
    why="the best bound is log 2, attained where U rho U^* is orthogonal to rho",
    evaluate=on_states(
        lambda a, unitary: [(o.von_neumann((a + turned(a, unitary)) / 2), o.von_neumann(a) + o.mp.mpf(69) / 100)]
    ),
    witness=lambda: {"states": [diagonal(F(1), F(0))], "unitary": [[F(0), F(-1)], [F(1), F(0)]]},
)
def _(k, states, unitary):
    rho = states[0]
    mixed = von_neumann(k, (rho + k.conjugated(rho, unitary)) / 2)
    return mixed, von_neumann(k, rho) + 69 * one(rho) / 100


def turned(a: Any, unitary: Any) -> Any:
    """Return U A U^*."""
    u = o.matrix(unitary)
    return u * a * u.H


# Orthogonal supports.
@false(
    "root-subadditive",
    r"\mathrm{tr}(A + B)^{1/2} \le (1 - 2^{-10})(\mathrm{tr} A^{1/2} + \mathrm{tr} B^{1/2}),\ A B = B A",
    lambda: {"pair": CommutingPairs()},
    group=CORNER,
    why="equal for orthogonal supports, and for B = 0",
    evaluate=lambda pair: roots(*map(o.matrix, pair)),
    witness=lambda: {"pair": [diagonal(F(1), F(0)), diagonal(F(0), F(1))]},
)
def _(k, pair):
    a, b = pair
    parts = k.trace(k.sqrtm(a)) + k.trace(k.sqrtm(b))
    return k.trace(k.sqrtm(a + b)), parts * (2**10 - 1) / 2**10


def roots(a: Any, b: Any) -> Any:
    """Return both sides of the statement above."""
    whole, first, second = (o.tr(o.applied(x, o.sqrt)) if o.tr(x) else o.mp.mpf(0) for x in (a + b, a, b))
    return [(whole, (1 - o.mp.mpf(2) ** -10) * (first + second))]


# The set where p > q.
@false(
    "advantage",
    r"E_p t - E_q t \le (1 - 2^{-20})\, \mathrm{TV}(p, q),\ 0 \le t \le 1",
    lambda: {"p": Distributions(2), "event": Events()},
    group=CORNER,
    why="TV is attained by the indicator of p > q",
    evaluate=lambda p, event: [(o.dot(p[0], event[0]) - o.dot(p[1], event[0]), (1 - o.mp.mpf(2) ** -20) * o.tv(*p))],
    witness=lambda: {"p": [coin(F(1)), coin(F(0))], "event": [[F(1), F(0)]]},
)
def _(k, p, event):
    return dot(p[0] - p[1], event[:, 0]), k.total_variation(*p) * (2**20 - 1) / 2**20


# The set of all counts has probability 1; every other one leaves out (0, m), and the union bound holds.
@false(
    "up-set-union-bound",
    r"P_{p,q}(R) \le 3 p + 3 (1 - q),\ R \text{ up in the first of two counts of 3, down in the second}",
    lambda: {"region": UpSets(3, 3), "p": Fraction01(), "q": Fraction01()},
    group=CORNER,
    why="the set of all pairs is one of them; it is the only exception",
    evaluate=lambda region, p, q: [(rejection(region, p, q), 3 * p + 3 * (1 - q))],
    witness=lambda: {"region": {"n": 3, "m": 3, "staircase": [0, 0, 0, 0]}, "p": F(1, 16), "q": F(15, 16)},
)
def _(k, region, p, q):
    return k.rejection(region, p, q), 3 * p + 3 * (1 - q)


def rejection(region: Any, p: Any, q: Any) -> Any:
    """Return P((a, b) in R) for binomial a and b, term by term."""
    n, m = int(region["n"]), int(region["m"])
    steps = [int(x) for x in region["staircase"]]

    def weight(count: int, x: Any, i: int) -> Any:
        return o.mp.binomial(count, i) * x**i * (1 - x) ** (count - i)

    cells = [(a, b) for b in range(m + 1) for a in range(n + 1) if a >= steps[b]]
    return o.mp.fsum(weight(n, p, a) * weight(m, q, b) for a, b in cells)


# p = (1/2, 1/2), q = (1/4, 3/4), r = (0, 1), ratios 2: 1/2 > 0 + 1/4.
@false(
    "hockey-stick-triangle",
    r"H_{a + b}(p, r) \le H_a(p, q) + H_b(q, r)",
    lambda: {"p": Distributions(3), "more": Scale(positive=True), "further": Scale(positive=True)},
    group=CORNER,
    why="a factor e^a before the second term is missing",
    evaluate=lambda p, more, further: [
        (
            o.hockey_stick(p[0], p[2], (1 + more) * (1 + further)),
            o.hockey_stick(p[0], p[1], 1 + more) + o.hockey_stick(p[1], p[2], 1 + further),
        )
    ],
    witness=lambda: {"p": [coin(F(1, 2)), coin(F(1, 4)), coin(F(0))], "more": F(1), "further": F(1)},
)
def _(k, p, more, further):
    a, b = k.log(1 + more), k.log(1 + further)
    both = k.hockey_stick(p[0], p[2], k.log((1 + more) * (1 + further)))
    return both, k.hockey_stick(p[0], p[1], a) + k.hockey_stick(p[1], p[2], b)


# Nearly an equality


# log(1 + x) = x - x^2 / 2 + ...: a relative difference of 2^-31 and less.
@false(
    "log-one-plus",
    r"\log(1 + x) = x,\ 0 < x \le 2^{-30}",
    lambda: {"part": Fraction01(zero=False)},
    group=EQUALITY,
    relation="==",
    why="they differ by x^2 / 2",
    evaluate=lambda part: [(o.log(1 + part / 2**30), part / 2**30)],
    witness=lambda: {"part": F(1)},
)
def _(k, part):
    return k.log(1 + part / 2**30), part / 2**30


# D_(1/2 + h)(p, q) / (1/2 + h) = D_(1/2 - h)(q, p) / (1/2 - h).
@false(
    "skew-symmetry",
    r"D_{1/2 + h}(p \| q) = D_{1/2 - h}(q \| p),\ h = 2^{-20}",
    pair,
    group=EQUALITY,
    relation="==",
    why="(1 - alpha) D_alpha(p, q) = alpha D_(1 - alpha)(q, p): a factor 1 + 2^-18 is missing",
    evaluate=lambda p: [(o.renyi(*p, o.mp.mpf(2**19 + 1) / 2**20), o.renyi(*p[::-1], o.mp.mpf(2**19 - 1) / 2**20))],
    witness=lambda: {"p": [coin(F(1, 2)), coin(F(1, 4))]},
)
def _(k, p):
    above, below = one(p[0]) * (2**19 + 1) / 2**20, one(p[0]) * (2**19 - 1) / 2**20
    return k.renyi(*p, above), k.renyi(*p[::-1], below)


# They differ in the third order of 2^-30.
@false(
    "kl-locally-symmetric",
    r"\mathrm{KL}(p_t \| q) = \mathrm{KL}(q \| p_t),\ p_t = (1 - t) q + t p,\ t = 2^{-30}",
    full_pair,
    group=EQUALITY,
    relation="==",
    why="symmetric to the second order in t only",
    evaluate=lambda p: [(o.kl(nearly(p), p[1]), o.kl(p[1], nearly(p)))],
    witness=lambda: {"p": [coin(F(7, 8)), coin(F(1, 4))]},
)
def _(k, p):
    near = mixture(one(p[0]) / 2**30, *p)
    return k.kl(near, p[1]), k.kl(p[1], near)


def nearly(p: Any) -> list[Any]:
    """Return q moved towards p by 2^-30."""
    return o.mix(o.mp.mpf(2) ** -30, *p)


# |+><+| and diag(3/4, 1/4): 0.707 against 0.683.
@false(
    "fidelity-of-roots",
    r"F(\rho, \sigma) = \mathrm{tr}\, \rho^{1/2} \sigma^{1/2}",
    states,
    group=EQUALITY,
    relation="==",
    why="true if they commute; in general F is larger",
    evaluate=on_states(lambda a, b: [(o.fidelity(a, b), o.tr(o.applied(a, o.sqrt) * o.applied(b, o.sqrt)))]),
    witness=lambda: SLANTED,
)
def _(k, states):
    return fidelity(k, *states), k.pairing(k.sqrtm(states[0]), k.sqrtm(states[1]))


# cosh x = 1 + x^2 / 2 + x^4 / 24, and the other has x^4 / 8.
@false(
    "cosh-gaussian",
    r"\cosh x = e^{x^2 / 2},\ 0 < x \le 2^{-10}",
    lambda: {"part": Fraction01(zero=False)},
    group=EQUALITY,
    relation="==",
    why="they differ by x^4 / 12",
    evaluate=lambda part: [(o.mp.cosh(part / 2**10), o.exp((part / 2**10) ** 2 / 2))],
    witness=lambda: {"part": F(1)},
)
def _(k, part):
    x = part / 2**10
    return (k.exp(x) + k.exp(-x)) / 2, k.exp(x * x / 2)


# The derivative in the order at 1 is half the variance of log p / q.
@false(
    "order-one",
    r"D_{1 + 2^{-20}}(p \| q) = \mathrm{KL}(p \| q)",
    full_pair,
    group=EQUALITY,
    relation="==",
    why="D_(1 + h) = KL + h V / 2 + ..., V the variance of log p / q",
    evaluate=lambda p: [(o.renyi(*p, 1 + o.mp.mpf(2) ** -20), o.kl(*p))],
    witness=lambda: {"p": [coin(F(1, 2)), coin(F(1, 4))]},
)
def _(k, p):
    return k.renyi(*p, one(p[0]) * (2**20 + 1) / 2**20), k.kl(*p)


# Stacked on an equality


# The first two lines are an identity; the last is D_alpha >= 2 alpha TV^2 with a constant too large.
@false(
    "skew-and-pinsker",
    r"(1 - \alpha) D_\alpha(p \| q) = \alpha D_{1 - \alpha}(q \| p),\ 2.02\, \alpha\, \mathrm{TV}^2 \le D_\alpha,\ "
    r"\alpha < 1",
    lambda: {"p": Distributions(2), "alpha": Order(0, 1, closed=False)},
    group=STACKED,
    why="2 alpha TV^2 <= D_alpha is tight for coins near (1/2, 1/2)",
    evaluate=lambda p, alpha: [
        ((1 - alpha) * o.renyi(*p, alpha), alpha * o.renyi(*p[::-1], 1 - alpha)),
        (alpha * o.renyi(*p[::-1], 1 - alpha), (1 - alpha) * o.renyi(*p, alpha)),
        (101 * alpha * o.tv(*p) ** 2 / 50, o.renyi(*p, alpha)),
    ],
    witness=lambda: {**around(F(1, 64)), "alpha": F(1, 2)},
)
def _(k, p, alpha):
    straight, back, tv = k.renyi(*p, alpha), k.renyi(*p[::-1], 1 - alpha), k.total_variation(*p)
    left, right = (1 - alpha) * straight, alpha * back
    return stack(left, right, 101 * alpha * tv * tv / 50), stack(right, left, straight)


# q = 1/2 - d / 3, p = q + d has KL = 2 d^2 + 4 d^4 / 9 + ..., and 1/2 > 4/9.
@false(
    "mass-and-fourth-order",
    r"\sum p = 1,\ 2\, \mathrm{TV}^2 + \mathrm{TV}^4 / 2 \le \mathrm{KL}",
    pair,
    group=STACKED,
    why="the best constant before TV^4 is 4/9",
    evaluate=lambda p: [
        (o.mp.fsum(p[0]), o.mp.mpf(1)),
        (o.mp.mpf(1), o.mp.fsum(p[0])),
        (2 * o.tv(*p) ** 2 + o.tv(*p) ** 4 / 2, o.kl(*p)),
    ],
    witness=lambda: around(F(1, 16), F(1, 2) - F(1, 48)),
)
def _(k, p):
    mass, square = p[0].sum(-1), k.total_variation(*p) ** 2
    return stack(mass, one(p[0]), 2 * square + square * square / 2), stack(one(p[0]), mass, k.kl(*p))


# The channel that prepares |0><0|.
@false(
    "trace-and-entropy",
    r"\mathrm{tr}\, N(\rho) = \mathrm{tr}\, \rho,\ S(\rho) \le S(N(\rho))",
    lambda: {"states": States(1, normalised=True), "channel": Channels(out=2, environment=4)},
    group=STACKED,
    why="entropy grows under unital channels only",
    evaluate=on_states(
        lambda a, channel: [
            (o.tr(o.through(channel, a)), o.tr(a)),
            (o.tr(a), o.tr(o.through(channel, a))),
            (o.von_neumann(a), o.von_neumann(o.through(channel, a))),
        ]
    ),
    witness=lambda: {
        "states": [diagonal(F(1, 2), F(1, 2))],
        "channel": {"isometry": [[F(1), F(0)], [F(0), F(1)], [F(0), F(0)], [F(0), F(0)]], "out": 2},
    },
)
def _(k, states, channel):
    before, image = k.trace(states[0]), channel(states[0])
    after = k.trace(image)
    return stack(after, before, von_neumann(k, states[0])), stack(before, after, von_neumann(k, image))


# A tetrahedron.
@false(
    "norms-and-four-vectors",
    r"\sum \|x_i\|^2 = 4,\ 0 \le \max_{i < j} \langle x_i, x_j \rangle,\ x_1, \ldots, x_4 \text{ unit vectors}",
    lambda: {"x": Vectors(4)},
    group=STACKED,
    why="true in the plane; the vertices of a tetrahedron have inner products -1/3",
    evaluate=lambda x: [
        (o.mp.fsum(o.dot(v, v) for v in x), o.mp.mpf(4)),
        (o.mp.mpf(4), o.mp.fsum(o.dot(v, v) for v in x)),
        (o.mp.mpf(0), max(o.dot(x[i], x[j]) for i in range(4) for j in range(i))),
    ],
    witness=lambda: {"x": simplex(3)},
)
def _(k, x):
    norms, four = (x * x).sum(-1).sum(-1), 4 * one(x)
    products = stack(*(dot(x[:, i], x[:, j]) for i in range(4) for j in range(i)))
    return stack(norms, four, 0 * four), stack(four, norms, largest(k, products))


# f = (1, -1) under a fair coin: E |f - E f| is the deviation.
@false(
    "variance-and-mean-deviation",
    r"\mathrm{Var} f = E f^2 - (E f)^2,\ E|f - E f| \le 0.999 (\mathrm{Var} f)^{1/2}",
    lambda: {"p": Distributions(), "f": Functions()},
    group=STACKED,
    why="equal for f = +-1 under a fair coin",
    evaluate=lambda p, f: deviations(p[0], f[0]),
    witness=lambda: {"p": [coin(F(1, 2))], "f": [[F(1), F(-1)]]},
)
def _(k, p, f):
    mean = dot(p[0], f[:, 0])
    centred = f[:, 0] - mean[:, None]
    variance, moments = dot(p[0], centred * centred), dot(p[0], f[:, 0] * f[:, 0]) - mean * mean
    left = stack(variance, moments, dot(p[0], abs(centred)))
    return left, stack(moments, variance, 999 * k.sqrt(variance) / 1000)


def deviations(p: Any, f: Any) -> Any:
    """Return the three lines of the statement above."""
    mean = o.dot(p, f)
    variance = o.mp.fsum(w * (x - mean) ** 2 for w, x in zip(p, f, strict=True))
    moments = o.mp.fsum(w * x * x for w, x in zip(p, f, strict=True)) - mean**2
    absolute = o.mp.fsum(w * abs(x - mean) for w, x in zip(p, f, strict=True))
    return [(variance, moments), (moments, variance), (absolute, 999 * o.sqrt(variance) / 1000)]


# e (1 - 1 / (2 n)) > 2.718 for n > 4822.
@false(
    "compound-interest",
    r"n \cdot (1/n) = 1,\ (1 + 1/n)^n \le 2.718",
    lambda: {"n": Integers()},
    group=STACKED,
    why="the limit is e = 2.71828...; false for n > 4822",
    evaluate=lambda n: [(o.mp.mpf(1), o.mp.mpf(1))] * 2 + [((1 + 1 / n) ** n, o.mp.mpf(2718) / 1000)],
    witness=lambda: {"n": 10000},
)
def _(k, n):
    unit = n * (1 / n)
    return stack(unit, one(n), k.power(1 + 1 / n, n)), stack(one(n), unit, 2718 * one(n) / 1000)


# Rare hypotheses


# p = (1/64, 63/64), q = (2^-60, 1 - 2^-60): KL = 0.57.
@false(
    "close-in-variation",
    r"1/128 \le \mathrm{TV}(p, q) \le 1/64 \Rightarrow \mathrm{KL}(p \| q) \le 1/8",
    full_pair,
    group=ASSUMED,
    why="a mass of 1/64 where q has next to none costs as much as one likes",
    evaluate=lambda p: [(o.kl(*p), o.mp.mpf(1) / 8)] if 1 <= 128 * o.tv(*p) <= 2 else None,
    witness=lambda: {"p": [coin(F(1, 64)), coin(F(1, 2**60))]},
)
def _(k, p):
    distance = 128 * k.total_variation(*p)
    k.assume((distance >= 1) & (distance <= 2))
    return k.kl(*p), one(p[0]) / 8


# p = (1/50, 49/50), q = (1/10, 9/10): log 1.089 = 0.085, and log 5 the other way.
@false(
    "one-sided-privacy",
    r"p \le \tfrac{9}{8} q,\ \mathrm{TV}(p, q) \ge 1/16 \Rightarrow D_\infty(q \| p) \le 1",
    full_pair,
    group=ASSUMED,
    why="a bound of p / q says little of q / p",
    evaluate=lambda p: one_sided(*p),
    witness=lambda: {"p": [coin(F(1, 50)), coin(F(1, 10))]},
)
def _(k, p):
    k.assume((8 * p[0] <= 9 * p[1]).all(-1) & (16 * k.total_variation(*p) >= 1))
    return k.max_divergence(*p[::-1]), one(p[0])


def one_sided(p: Any, q: Any) -> Any:
    """Return D_inf(q, p) under the hypotheses of the statement above."""
    holds = all(8 * x <= 9 * y for x, y in zip(p, q, strict=True)) and 16 * o.tv(p, q) >= 1
    return [(o.max_divergence(q, p), o.mp.mpf(1))] if holds else None


# p(S) = 1/100, q(S) = 6/10: KL = 0.856.
@false(
    "test-of-small-level",
    r"p(S) \le 1/100,\ \mathrm{KL}(p \| q) \le 1 \Rightarrow q(S) \le 1/2",
    lambda: {"p": Distributions(2), "event": Events()},
    group=ASSUMED,
    why="KL = 1 allows a power of 0.6 at level 1/100",
    evaluate=lambda p, event: (
        [(o.dot(p[1], event[0]), o.mp.mpf(1) / 2)] if 100 * o.dot(p[0], event[0]) <= 1 and o.kl(*p) <= 1 else None
    ),
    witness=lambda: {"p": [coin(F(1, 100)), coin(F(6, 10))], "event": [[F(1), F(0)]]},
)
def _(k, p, event):
    k.assume((100 * dot(p[0], event[:, 0]) <= 1) & (k.kl(*p) <= 1))
    return dot(p[1], event[:, 0]), one(p[0]) / 2


# diag(1, 0) and diag(0.61, 0.39): D_max = 0.494, T = 0.39.
@false(
    "small-max-divergence",
    r"D_{\max}(\rho \| \sigma) \le 1/2,\ T(\rho, \sigma) \ge 1/4 \Rightarrow T(\rho, \sigma) \le 7/20",
    states,
    group=ASSUMED,
    why="the best bound is 1 - e^(-1/2) = 0.393",
    evaluate=on_states(lambda a, b: dominated(a, b)),
    witness=lambda: {"states": [diagonal(F(1), F(0)), diagonal(F(61, 100), F(39, 100))]},
)
def _(k, states):
    distance = k.trace_distance(*states)
    k.assume((2 * k.max_relative_entropy(*states) <= 1) & (4 * distance >= 1))
    return distance, 7 * one(states[0]) / 20


def dominated(a: Any, b: Any) -> Any:
    """Return T under the hypotheses of the statement above."""
    distance = o.trace_distance(a, b)
    holds = 2 * o.max_relative_entropy(a, b) <= 1 and 4 * distance >= 1
    return [(distance, o.mp.mpf(7) / 20)] if holds else None


# f = 1 with probability 1/3, else -1/2: E f^3 = 1/4.
@false(
    "third-moment",
    r"|f| \le 1,\ |E f| \le 1/64,\ E f^2 \ge 1/4 \Rightarrow E f^3 \le 0.22",
    lambda: {"p": Distributions(), "f": Functions(drawn=1)},
    group=ASSUMED,
    why="the best bound is about 1/4: f = 1 with probability 1/3, else -1/2",
    evaluate=lambda p, f: (
        [(o.dot(p[0], [x**3 for x in f[0]]), o.mp.mpf(22) / 100)]
        if 64 * abs(o.dot(p[0], f[0])) <= 1 <= 4 * o.dot(p[0], [x * x for x in f[0]]) and all(abs(x) <= 1 for x in f[0])
        else None
    ),
    witness=lambda: {"p": [coin(F(1, 3))], "f": [[F(1), F(-1, 2)]]},
)
def _(k, p, f):
    g = f[:, 0]
    k.assume((abs(g) <= 1).all(-1) & (64 * abs(dot(p[0], g)) <= 1) & (4 * dot(p[0], g * g) >= 1))
    return dot(p[0], g * g * g), 22 * one(p[0]) / 100


# a = b = 71/100: a^2 + b^2 = 1.0082, ab = 0.5041.
@false(
    "rectangle",
    r"a^2 + b^2 \le 1.01,\ a + b \ge 1.3 \Rightarrow a b \le 1/2",
    lambda: {"a": Fraction01(), "b": Fraction01()},
    group=ASSUMED,
    why="the best bound is 0.505",
    evaluate=lambda a, b: [(a * b, o.mp.mpf(1) / 2)] if 100 * (a * a + b * b) <= 101 and 10 * (a + b) >= 13 else None,
    witness=lambda: {"a": F(71, 100), "b": F(71, 100)},
)
def _(k, a, b):
    k.assume((100 * (a * a + b * b) <= 101) & (10 * (a + b) >= 13))
    return a * b, one(a) / 2
