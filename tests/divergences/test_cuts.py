"""Cuts compared with brute force over maps, a simple dynamic program, the pair of the paper, and exact rationals."""

import itertools
import math
import time
from fractions import Fraction
from functools import partial

import mpmath
import numpy as np
import pytest
from mpmath import mpf

import krdtheory as k
from krdtheory.arithmetic.mp import MP, at_digits
from krdtheory.divergences import cuts
from krdtheory.divergences.cuts import coarsen, k_cut, k_cut_cells, weak_birkhoff_von_neumann

INF = np.inf
EPS = 2.0**-52


def triangular(t):
    return (t - 1) ** 2 / (t + 1)


# f with f(0) and lim f(t) / t, by hand; the divergence of the package
LITERAL = {
    "kl": (k.kl, lambda t: t * math.log(t), 0, INF),
    "total variation": (k.total_variation, lambda t: abs(t - 1) / 2, 0.5, 0.5),
    "hellinger": (k.hellinger, lambda t: 1 - math.sqrt(t), 1, 0),
    "hockey stick": (partial(k.hockey_stick, epsilon=0.4), lambda t: max(t - math.exp(0.4), 0), 0, 1),
    "negative epsilon": (partial(k.hockey_stick, epsilon=-0.4), lambda t: max(t - math.exp(-0.4), 0), 0, 1),
    "chi squared": (partial(k.f_divergence, f="chi_squared"), lambda t: (t - 1) ** 2, 1, INF),
    "reverse kl": (partial(k.f_divergence, f="reverse_kl"), lambda t: -math.log(t), INF, 0),
    "callable": (partial(k.f_divergence, f=triangular, value_at_zero=1, slope_at_infinity=1), triangular, 1, 1),
}


def literal_f(p, q, f, zero, slope):
    total = 0.0
    for x, y in zip(p, q, strict=True):
        if x and y:
            total += y * f(x / y)
        elif y:
            total += y * zero
        elif x:
            total += x * slope
    return total


def literal_renyi(p, q, alpha):
    if alpha == 0:
        mass = sum(y for x, y in zip(p, q, strict=True) if x)
        return -math.log(mass) if mass else INF
    pairs = [(x, y) for x, y in zip(p, q, strict=True) if x]
    if alpha >= 1 and any(y == 0 for _, y in pairs):
        return INF
    if alpha == 1:
        return sum(x * math.log(x / y) for x, y in pairs)
    if alpha == INF:
        return math.log(max(x / y for x, y in pairs))
    total = sum(x**alpha * y ** (1 - alpha) for x, y in pairs if y)
    return math.log(total) / (alpha - 1) if total else INF


def brute(p, q, cells, divergence):
    best = -INF
    for cut in itertools.product(range(cells), repeat=len(p)):
        images = ([sum(v for v, c in zip(w, cut, strict=True) if c == i) for i in range(cells)] for w in (p, q))
        best = max(best, divergence(*images))
    return best


def random_pair(rng, n):
    p, q = rng.dirichlet(np.full(n, 0.5), size=2)
    p[rng.random(n) < 0.15] = 0
    q[rng.random(n) < 0.15] = 0
    return (p / p.sum(), q / q.sum()) if p.any() and q.any() else random_pair(rng, n)


@pytest.mark.slow
@pytest.mark.parametrize("name", LITERAL)
def test_f_divergences_against_all_maps(name):
    """Sums of at most six terms of order one, or of order 1 / min q if f grows; errors are relative to the value."""
    rng = np.random.default_rng(1)
    divergence, f, zero, slope = LITERAL[name]
    for _ in range(25):
        n, cells = int(rng.integers(1, 7)), int(rng.integers(1, 4))
        p, q = random_pair(rng, n)
        want = brute(p.tolist(), q.tolist(), cells, lambda x, y: literal_f(x, y, f, zero, slope))
        for options in ({}, {"quasi_convex": True}):
            called = divergence if not options else lambda x, y: divergence(x, y)
            got = k_cut(p, q, called, cells, **options)
            assert got == want or abs(got - want) <= 32 * EPS * max(1, abs(want))
        image = k_cut_cells(p, q, divergence, cells)
        again = divergence(coarsen(p, image, cells), coarsen(q, image, cells))
        assert k_cut(p, q, divergence, cells) == again


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0, 0.2, 0.5, 1, 1.5, 4, 20, INF])
def test_renyi_against_all_maps(alpha):
    rng = np.random.default_rng(2)
    for _ in range(25):
        n, cells = int(rng.integers(1, 7)), int(rng.integers(1, 4))
        p, q = random_pair(rng, n)
        want = brute(p.tolist(), q.tolist(), cells, lambda x, y: literal_renyi(x, y, alpha))
        got = k_cut(p, q, partial(k.renyi, alpha=alpha), cells)
        # log of a sum known to alpha eps, over |alpha - 1|
        tol = 64 * EPS * max(1, abs(want))
        assert got == want or abs(got - want) <= tol


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.1, 0.7, 1, 2, 9])
def test_many_symbols_against_the_plain_dynamic_program(alpha):
    """O(k n^2) over interval masses from exact rationals. Ratios from 1e-12 to 1e12: differences of sums would fail."""
    rng = np.random.default_rng(3)
    n = 60
    p, q = 10 ** rng.uniform(-12, 0, size=(2, n))
    order = np.argsort(-p / q)
    exact = [[Fraction(x) for x in v[order]] for v in (p, q)]
    prefix = [[Fraction(0), *itertools.accumulate(v)] for v in exact]

    def term(i, j):
        x, y = (float(s[j] - s[i]) for s in prefix)
        if i == j:
            return 0.0
        return x * math.log(x / y) if alpha == 1 else y * (x / y) ** alpha * (1 if alpha > 1 else -1)

    gain = [[term(i, j) for j in range(n + 1)] if i < n else [0.0] * (n + 1) for i in range(n + 1)]
    best = [gain[0][j] for j in range(n + 1)]
    for cells in range(2, 6):
        best = [max(best[i] + gain[i][j] for i in range(j + 1)) for j in range(n + 1)]
        total = best[n] if alpha > 1 else -best[n]
        want = best[n] / p.sum() if alpha == 1 else math.log(total / p.sum()) / (alpha - 1)
        got = k_cut(p, q, partial(k.renyi, alpha=alpha), cells)
        assert got == pytest.approx(want, rel=64 * EPS, abs=64 * EPS / max(abs(alpha - 1), 0.1))


def exact_renyi(p, q, alpha):
    """Return D of positive mpmath weights, and its change relative to eps if each weight changes by eps."""
    total = sum(p)
    if alpha == 1:
        value = sum(x * mpmath.log(x / y) for x, y in zip(p, q, strict=True)) / total
        return value, sum(abs(x * (mpmath.log(x / y) + 1 - value)) + x for x, y in zip(p, q, strict=True)) / total
    parts = [x**alpha * y ** (1 - alpha) for x, y in zip(p, q, strict=True)]
    by_p = sum(abs(alpha * w / sum(parts) - x / total) for w, x in zip(parts, p, strict=True)) / abs(alpha - 1)
    return mpmath.log(sum(parts) / total) / (alpha - 1), 1 + by_p


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1e-300, 1e-9, 1e-3, 0.5, 0.9, 1, 3, 40])
def test_far_and_close_pairs_at_sixty_digits(alpha):
    """Ratios from 1e-30 to 1e30 and from 1 - 1e-9 to 1 + 1e-9, compared with all partitions.

    The tolerance corresponds to changes of 4 eps in every mass of the best image: 4 eps times the sum of
    |mass dD/dmass|, and a few eps of D.
    """
    rng = np.random.default_rng(12)
    for trial in range(60):
        n, cells = int(rng.integers(2, 6)), int(rng.integers(2, 4))
        p = rng.dirichlet(np.ones(n)) * 10 ** rng.uniform(-30, 0, n)
        q = p * (1 + 1e-9 * rng.standard_normal(n)) if trial % 3 == 0 else p[::-1] * 10 ** rng.uniform(-30, 0, n)
        p, q = p / p.sum(), q / q.sum()
        with mpmath.workdps(60):
            a, exact = mpf(alpha), [[mpf(v) for v in w.tolist()] for w in (p, q)]

            def images(cut, exact=exact, cells=cells):
                pairs = [[sum(v for v, c in zip(w, cut, strict=True) if c == i) for i in range(cells)] for w in exact]
                return [[v for v, c in zip(w, pairs[0], strict=True) if c] for w in pairs]

            cuts = [cut for cut in itertools.product(range(cells), repeat=n) if cut[0] == 0]
            want, condition = max(exact_renyi(*images(cut), a) for cut in cuts)
            divergence = partial(k.renyi, alpha=alpha)
            assert abs(k_cut(p, q, divergence, cells) - want) <= 4 * EPS * (condition + abs(want))
            attained, _ = exact_renyi(*images(k_cut_cells(p, q, divergence, cells).tolist()), a)
            assert want - attained <= EPS * (condition + abs(want))


@pytest.mark.slow
def test_close_pairs_by_hellinger_distance():
    """If masses with 16 digits differ from the tenth on, it is known to a relative 1e-9; compared with 60 digits."""
    rng = np.random.default_rng(13)
    for _ in range(100):
        p = rng.dirichlet(np.ones(4))
        q = p * (1 + 1e-9 * rng.standard_normal(4))
        with mpmath.workdps(60):
            exact = [[mpf(v) for v in w.tolist()] for w in (p, q)]

            def distance(cut, exact=exact):
                u, v = ([sum(x for x, c in zip(w, cut, strict=True) if c == i) for i in (0, 1)] for w in exact)
                return sum((mpmath.sqrt(x) - mpmath.sqrt(y)) ** 2 for x, y in zip(u, v, strict=True))

            best = max(distance(cut) for cut in itertools.product((0, 1), repeat=4))
            assert distance(k_cut_cells(p, q, k.hellinger, 2).tolist()) >= best * (1 - mpf(10) ** -6)


def explicit_pair(alpha, beta):
    p = mpf(2) ** (-mpf(beta) / (mpf(alpha) - 1))
    return [mpf(1) / 3] * 3, [v / (1 + p + p * p) for v in (p * p, p, mpf(1))]


@pytest.mark.parametrize(
    ("alpha", "beta", "full", "cut"),
    [
        ("1.1", "3", "30.819859237066027261", "29.833538162045396332"),
        ("1.5", "3", "5.3008265585560507515", "5.1235110031280325203"),
        ("2", "3.5", "2.8385065403638467009", "2.7749638208269159421"),
        ("2", "4", "3.476541568554137607", "3.4268460172698930329"),
        ("4", "6", "1.5849542335871425971", "1.58037205372016776"),
        ("8", "10", "1.1367881283604247412", "1.1366523723274378977"),
        ("32", "34", "0.90886245461707495464", "0.90886245461519729137"),
    ],
)
def test_the_papers_pair_is_not_two_generated(alpha, beta, full, cut):
    """Theorem 12 of the appendix: values to 20 digits, and the exact 2-cut, which separates {b, c} from a."""
    with mpmath.workdps(40):
        p, q = explicit_pair(alpha, beta)
        divergence = partial(k.renyi, alpha=alpha)
        assert abs(at_digits(k_cut, 30, p, q, divergence, 2) / mpf(cut) - 1) < mpf(10) ** -19
        assert abs(at_digits(k_cut, 30, p, q, divergence, 3) / mpf(full) - 1) < mpf(10) ** -19
        assert list(k_cut_cells(p, q, divergence, 2, arithmetic=MP(40))) == [0, 1, 1]
        same = partial(k.mp.renyi, alpha=alpha)
        assert at_digits(k_cut, 30, p, q, same, 2) == at_digits(k_cut, 30, p, q, divergence, 2)


@pytest.mark.parametrize("alpha", [1.5, 4, 20])
def test_renyi_is_not_k_generated(alpha):
    """Gaps down to 1e-39, which only multiprecision resolves, with 60 digits."""
    p, q = ["1/10", "2/10", "3/10", "4/10"], ["4/10", "3/10", "2/10", "1/10"]
    values = [at_digits(k_cut, 60, p, q, partial(k.renyi, alpha=alpha), cells) for cells in (1, 2, 3, 4, 5)]
    assert values[0] == 0
    assert all(x < y for x, y in itertools.pairwise(values[:4]))
    assert values[4] == values[3]
    with mpmath.workdps(60):
        a = mpf(alpha)
        full = mpmath.log(sum(mpf(i) ** a * mpf(5 - i) ** (1 - a) for i in (1, 2, 3, 4)) / 10) / (a - 1)
        assert abs(values[3] - full) <= mpf(10) ** -58


def test_two_generated_divergences():
    rng = np.random.default_rng(4)
    for _ in range(20):
        p, q = random_pair(rng, 30)
        for divergence in (k.total_variation, partial(k.hockey_stick, epsilon=0.7), k.max_divergence):
            assert k_cut(p, q, divergence, 2) == pytest.approx(divergence(p, q), rel=32 * EPS, abs=8 * EPS)


@pytest.mark.slow
def test_laws():
    """Data processing, monotonicity in k, the cut of the image under its own cells, and k >= n, up to rounding."""
    rng = np.random.default_rng(5)
    for divergence in (k.kl, k.hellinger, partial(k.renyi, alpha=0.5), partial(k.renyi, alpha=3)):
        for _ in range(3):
            p, q = rng.dirichlet(np.ones(20), size=2)
            channel = rng.dirichlet(np.full(6, 0.3), size=20)
            values = [k_cut(p, q, divergence, cells) for cells in range(1, 8)]
            assert values[0] == pytest.approx(0, abs=16 * EPS)
            assert (np.diff(values) > -64 * EPS).all()
            assert values[-1] <= divergence(p, q) + 64 * EPS
            assert k_cut(p @ channel, q @ channel, divergence, 3) <= values[2] + 64 * EPS
            cells = k_cut_cells(p, q, divergence, 4)
            images = coarsen(p, cells, 4), coarsen(q, cells, 4)
            assert k_cut(*images, divergence, 4) == pytest.approx(values[3], rel=64 * EPS)
            assert k_cut(p, q, divergence, 20) == pytest.approx(divergence(p, q), rel=64 * EPS)


def test_extremes():
    huge = partial(k.renyi, alpha=1e6)
    assert k_cut([0.5, 0.25, 0.25], [0.25, 0.25, 0.5], huge, 2) == pytest.approx(np.log(2), rel=1e-5)
    assert k_cut([0.25, 0.25, 0.5], [1, 1, 1], huge, 2) == pytest.approx(-np.log(2), rel=1e-5)  # Q underflows
    assert k_cut([1e-300, 1], [1, 1e-300], partial(k.renyi, alpha=3), 2) == pytest.approx(300 * np.log(10), rel=1e-14)
    assert k_cut([0.5, 0.5], [1, 0], k.kl, 2) == INF and k_cut([0.5, 0.5], [1, 0], k.kl, 1) == 0
    assert k_cut([0, 1], [0, 1], k.kl, 3) == 0
    assert k_cut([0, 0.5, 0.5], [0.5, 0.25, 0.25], partial(k.renyi, alpha=0), 2) == pytest.approx(np.log(2))


def test_batches():
    rng = np.random.default_rng(6)
    p, q = rng.dirichlet(np.ones(5), size=(2, 3))
    values = k_cut(p[:, None], q, k.kl, 2)
    cells = k_cut_cells(p[:, None], q, k.kl, 2)
    assert values.shape == (3, 3) and cells.shape == (3, 3, 5)
    for i, j in np.ndindex(3, 3):
        assert values[i, j] == k_cut(p[i], q[j], k.kl, 2)
    assert coarsen(p[0], cells, 2).shape == (3, 3, 2)


def test_a_divergence_that_is_not_quasi_convex():
    """F = [1/4 <= p(first cell) <= 3/4] is 0 on (1, 0), and so are its deterministic images."""

    def middle(x, y):
        return ((x[..., 0] >= 0.25) & (x[..., 0] <= 0.75)).astype(float)

    assert k_cut([1, 0], [1, 0], middle, 2) == 0
    assert k_cut([0.5, 0.5], [1, 0], middle, 2) == 1
    # it depends on one label, so intervals of decreasing ratio would miss the second of these two maps
    assert k_cut([0.1, 0.9], [0.9, 0.1], lambda x, y: x[..., 0] - y[..., 0], 2) == pytest.approx(0.8)


@pytest.mark.slow
def test_a_hundred_thousand_symbols():
    """O(k n log n), where O(k n^2) would take minutes.

    The values are bounded by the divergence, and by that of a simple split into three cells: thirds by rank.
    """
    rng = np.random.default_rng(7)
    p, q = rng.dirichlet(np.full(100_000, 0.5), size=2)
    start = time.perf_counter()
    value = k_cut(p, q, k.kl, 3)
    assert time.perf_counter() - start < 20
    thirds = np.empty(100_000, dtype=int)
    thirds[np.argsort(q / p)] = np.arange(100_000) * 3 // 100_000
    assert k.kl(coarsen(p, thirds, 3), coarsen(q, thirds, 3)) < value < k.kl(p, q)


def test_bad_cuts():
    for cells, error in ((0, ValueError), (-1, ValueError), (2.0, TypeError), (True, TypeError)):
        with pytest.raises(error, match="k must be an integer >= 1"):
            k_cut([1], [1], k.kl, cells)
    with pytest.raises(TypeError, match="divergence must be a callable"):
        k_cut([1], [1], "kl", 2)
    with pytest.raises(ValueError, match="10000000 maps"):
        k_cut(np.ones(30), np.ones(30), lambda x, y: x.sum(-1), 3)
    for options in ({}, {"quasi_convex": True}):
        with pytest.raises(ValueError, match="10000000 maps"):
            k_cut(np.ones(10_000), np.ones(10_000), lambda x, y: x.sum(-1), 3, **options)
    with pytest.raises(ValueError, match="a number on every image"):
        k_cut([1, 1], [1, 1], lambda x, y: np.full(len(x), np.nan), 2)
    with pytest.raises(ValueError, match="divergence must be of shape"):
        k_cut([1, 1], [1, 1], lambda x, y: 1.0, 2)
    with pytest.raises(ValueError, match="alpha must be one number"):
        k_cut([[1, 1]] * 2, [1, 1], partial(k.renyi, alpha=[1, 2]), 2)
    with pytest.raises(ValueError, match="slope_at_infinity"):
        k_cut([1, 1], [0, 1], partial(k.f_divergence, f=lambda t: t), 2)
    for cells, error in (([0, 2], ValueError), ([0.0, 1.0], TypeError), ([0], ValueError), (0, ValueError)):
        with pytest.raises(error, match="cells"):
            coarsen([1, 1], cells, 2)


# Weak Birkhoff-von Neumann


def rational_channel(rng, rows, columns):
    out = []
    for _ in range(rows):
        total = int(rng.integers(1, 9))
        out.append([Fraction(int(x), total) for x in rng.multinomial(total, rng.dirichlet(np.ones(columns)))])
    return out


def test_decomposition_is_exact():
    """Reconstruction, weights, the number of terms, and the remainders r_m <= (1 - 1/l)^m, all in rationals."""
    rng = np.random.default_rng(8)
    for _ in range(300):
        rows, columns = int(rng.integers(1, 7)), int(rng.integers(1, 6))
        channel = rational_channel(rng, rows, columns)
        terms = weak_birkhoff_von_neumann(channel)
        weights = [a for a, _ in terms]
        assert all(a > 0 for a in weights) and sum(weights) == 1
        assert len(terms) <= rows * (columns - 1) + 1
        for i, j in itertools.product(range(rows), range(columns)):
            assert sum(a for a, g in terms if g[i] == j) == channel[i][j]
        for m, left in enumerate(1 - s for s in itertools.accumulate(weights)):
            assert left <= (1 - Fraction(1, columns)) ** (m + 1)


def test_bound_is_attained_and_input_kinds():
    half, third, fifth = Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)
    want = [(half, (0, 1, 1)), (Fraction(3, 10), (1, 0, 1)), (Fraction(1, 6), (1, 1, 0)), (Fraction(1, 30), (1, 0, 0))]
    assert weak_birkhoff_von_neumann([[half, half], [third, 1 - third], [fifth, 1 - fifth]]) == want
    assert weak_birkhoff_von_neumann(np.array([[0.5, 0.5], [0.25, 0.75]])) == weak_birkhoff_von_neumann(
        [["1/2", "0.5"], ["0.25", "3/4"]]
    )
    assert weak_birkhoff_von_neumann([[1], [1]]) == [(1, (0, 0))]
    assert weak_birkhoff_von_neumann(np.eye(3, dtype=int)) == [(1, (0, 1, 2))]


@pytest.mark.slow
def test_randomised_maps_are_not_better():
    """A channel into k cells is a mixture of maps, so a quasi-convex divergence of its image is at most the k-cut."""
    rng = np.random.default_rng(9)
    for _ in range(100):
        p, q = rng.dirichlet(np.ones(4), size=2)
        channel = np.array(rational_channel(rng, 4, 2), dtype=float)
        for divergence in (k.kl, partial(k.renyi, alpha=5)):
            assert divergence(p @ channel, q @ channel) <= k_cut(p, q, divergence, 2) + 32 * EPS


@pytest.mark.parametrize(
    ("channel", "error"),
    [
        ([[0.1, 0.9]], ValueError),
        ([["1/2", "1/3"]], ValueError),
        ([[2, -1]], ValueError),
        ([1, 0], ValueError),
        ([[]], ValueError),
        ([[1j, 1]], ValueError),
        ([["a", 1]], ValueError),
        ([[True, 0]], TypeError),
        ([[1, 0], [1]], TypeError),
    ],
)
def test_bad_channels(channel, error):
    with pytest.raises(error, match="channel"):
        weak_birkhoff_von_neumann(channel)


@pytest.mark.parametrize(
    ("p", "q", "alpha", "cells", "want"),
    [  # brute force over all maps at 60 digits
        ([0.2, 0.3, 0.5], [5e19, 4e19, 1e19], 2, 2, -45.0300506123),
        ([0, 0.5, 0.5], [0.2e-30, 0.3e-30, 0.5e-38], 0.3, 2, 70.281525577),
        ([0, 0, 1e-131], [5e-165, 7.5e-160, 2e-197], 0.3, 2, 151.277468957),
    ],
)
def test_masses_of_very_different_size(p, q, alpha, cells, want):
    assert k_cut(p, q, partial(k.renyi, alpha=alpha), cells) == pytest.approx(want, rel=1e-10)


SCALES = [1e-150, 1e-111, 1, 1e111, 1e150]


@pytest.mark.slow
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", ["hellinger", "f hellinger", "f chi_squared"])
def test_cuts_of_weights_of_any_two_scales(name, scale):
    """The best of all maps by sums of sqrt(u v) or u^2 / v over Q, which do not depend on the scale."""
    rng = np.random.default_rng(7)
    kind = name.split()[-1]
    divergence = k.hellinger if name == "hellinger" else partial(k.f_divergence, f=kind)
    for _ in range(20):
        p, q = rng.dirichlet(np.ones(5)), rng.dirichlet(np.ones(5)) * scale
        exact = [[Fraction(v) for v in w.tolist()] for w in (p, q)]

        def score(cut, exact=exact):
            u, v = (
                [sum((x for x, c in zip(w, cut, strict=True) if c == i), Fraction(0)) for i in (0, 1)] for w in exact
            )
            if kind == "hellinger":
                with mpmath.workdps(60):
                    return -sum(
                        mpmath.sqrt(mpf(x.numerator) / x.denominator * y.numerator / y.denominator)
                        for x, y in zip(u, v, strict=True)
                    )
            return sum((x * x / y for x, y in zip(u, v, strict=True) if y), Fraction(0))

        best = max(score(cut) for cut in itertools.product((0, 1), repeat=5))
        got = score(k_cut_cells(p, q, divergence, 2).tolist())
        assert (
            abs(got - best) <= abs(best) * mpf(10) ** -12
            if kind == "hellinger"
            else got >= best * (1 - Fraction(1, 10**12))
        )


def test_the_largest_ratio_is_distinguished_from_one_that_underflows():
    """0.5 / 6e252, divided by the sum, underflows; it is distinct from the letter outside the support of q."""
    p, q = [0.5, 1.8e242, 2.3e195], [1.4e-285, 0.0, 6.4e252]
    assert k_cut(p, q, partial(k.renyi, alpha=math.inf), 2) == math.inf


def test_cuts_of_subnormal_weights_cause_no_warning():
    p, q = [1.2e-313] * 3, [4e302] * 3
    for f in ("hellinger", "chi_squared", "kl", "reverse_kl"):
        assert k_cut_cells(p, q, partial(k.f_divergence, f=f), 2).tolist() in (
            [0, 1, 1],
            [0, 0, 1],
            [0, 0, 0],
            [1, 1, 1],
        )


@pytest.mark.parametrize("alpha", [1, 1.5, 2])
def test_an_infinite_divergence_has_infinite_cuts(alpha):
    for p, q in (([0.2, 0.3, 0.5], [0, 0.5, 0.5]), ([0.01, 0.09, 0.1, 0.8], [0, 0.1, 0.2, 0.7])):
        assert k_cut(p, q, partial(k.renyi, alpha=alpha), 2) == math.inf


def test_more_maps_than_fit_in_a_block():
    """The 2-cut attains total variation, by cells that separate the last two of 16 letters."""
    p = np.arange(1, 17) / 136
    q = p[[*range(1, 14), 0, 15, 14]]
    whole = abs(p - q).sum() / 2
    assert k_cut(p, q, lambda u, v: k.total_variation(u, v), 2) == pytest.approx(whole, rel=1e-14)


@pytest.mark.parametrize("small", [([1, 2, 3], [6, 2, 2.9]), ([6, 2, 2.9], [1, 2, 3])])
def test_cells_of_masses_that_underflow(small):
    """Q is near 1e-608; compared with all maps, in mpmath."""
    p = [1e308, 0, *(1e-300 * x for x in small[0])]
    q = [0, 1e308, *(1e-300 * x for x in small[1])]
    values = []
    for cells in itertools.product(range(4), repeat=3):
        u, v = [[mpf(w[0]), 0, 0, 0] for w in (p, q)]
        for image, w in ((u, p), (v, q)):
            image[1] += mpf(w[1])
            for cell, x in zip(cells, w[2:], strict=True):
                image[cell] += mpf(x)
        power = sum(mpmath.sqrt(x * y) for x, y in zip(u, v, strict=True))
        values.append(-2 * mpmath.log(power / sum(map(mpf, p))))
    assert k_cut(p, q, partial(k.renyi, alpha=0.5), 4) == pytest.approx(float(max(values)), rel=1e-13)


@pytest.mark.parametrize("cells", [2, 3, 6])
@pytest.mark.parametrize("alpha", [0.3, 0.8, 2, 30])
def test_a_search_that_starts_with_blocks_finds_the_same_cells(monkeypatch, alpha, cells):
    rng = np.random.default_rng(cells)
    p, q = rng.dirichlet(np.full(60, 0.3), 2)
    p[:3] = 0
    divergence = partial(k.renyi, alpha=alpha)
    want = k_cut(p, q, divergence, cells)
    monkeypatch.setattr(cuts, "LARGE_ALPHABET", 4)
    assert k_cut(p, q, divergence, cells) == pytest.approx(want, rel=1e-13)
    monkeypatch.setattr(cuts, "_windows", lambda gain, n, k: [(n, n)] * (k - 1))  # far from the cuts
    assert k_cut(p, q, divergence, cells) < want - 1e-3


def test_two_cells_of_many_symbols_are_a_threshold_on_the_ratio():
    p, q = np.random.default_rng(0).dirichlet(np.ones(10**5), 2)
    stick = partial(k.hockey_stick, epsilon=0.5)
    assert k_cut(p, q, stick, 2) == pytest.approx(stick(p, q), rel=1e-13)
    assert k_cut(p, q, stick, 1) == 0
    assert (k_cut_cells(p, q, stick, 3) == (p <= np.exp(0.5) * q)).all()


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_large_alphabets_of_close_distributions(seed, monkeypatch):
    """The gains are rounding errors of sums, so no block can be excluded."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(2100))
    q = p * (1 + 1e-9 * rng.normal(size=2100))
    found = k_cut(p, q, k.kl, 3)
    monkeypatch.setattr(cuts, "LARGE_ALPHABET", 10**9)
    assert found == pytest.approx(k_cut(p, q, k.kl, 3), abs=1e-15)
    assert found >= k.kl([p.sum()], [q.sum()]) - 1e-15


def test_coarsen_in_multiprecision_with_several_rows_of_cells():
    out = k.mp.evaluate(coarsen, ["1/2", "1/4", "1/4"], [[0, 1, 0], [0, 0, 1], [1, 1, 1]], 2)
    assert out.tolist() == [[0.75, 0.25], [0.75, 0.25], [0, 1]]
