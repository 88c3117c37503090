"""Smooth divergences compared with subsets in exact rationals, linear programs as certificates, and closed forms."""

import itertools
import math
import time
from fractions import Fraction
from functools import partial

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from scipy.optimize import linprog

import krdtheory as k
from krdtheory import ball as balls
from krdtheory.arithmetic.mp import at_digits
from krdtheory.divergences import smooth
from krdtheory.divergences.smooth import approximate_max_divergence, optimal_smoothing, smooth_renyi

INF = np.inf
EPS = 2.0**-52
ORDERS = [0, 0.3, 0.5, 1, 1.1, 2, 8, 50, INF]


def worst_subset(p, q, delta):
    """Return eq. (2.14) over all subsets, in rationals, ignoring 0/0."""
    best = -INF
    for size in range(1, len(p) + 1):
        for s in itertools.combinations(range(len(p)), size):
            mass, reference = sum(p[i] for i in s) - delta, sum(q[i] for i in s)
            if reference == 0 < mass:
                return INF
            if mass > 0:
                best = max(best, mass / reference)
    return float(mpmath.log(mpf(best.numerator) / best.denominator)) if best > 0 else -INF


def counts(rng, n, total):
    return rng.multinomial(total, rng.dirichlet(np.ones(n)))


@pytest.mark.slow
def test_approximate_max_divergence_is_the_worst_subset():
    """Integers, so that float64 sums are exact and p(S) = delta, q(S) = 0 occurs; then there are two roundings."""
    rng = np.random.default_rng(1)
    infinite = ties = 0
    for _ in range(600):
        n, total = rng.integers(1, 7), int(rng.integers(1, 12))
        p, q, delta = counts(rng, n, total), counts(rng, n, total), int(rng.integers(0, total + 2))
        want = worst_subset([Fraction(int(x)) for x in p], [Fraction(int(x)) for x in q], Fraction(delta))
        got = approximate_max_divergence(p, q, delta=delta)
        assert got == want or abs(got - want) <= 4 * EPS
        infinite += want == INF
        ties += p[q == 0].sum() == delta > 0
    assert infinite > 50 and ties > 20


def test_zero_over_zero_and_zero_supports():
    # S = {first} is 0/0, S = everything (1 - 1/2) / 1
    assert approximate_max_divergence([0.5, 0.5], [0, 1], delta=0.5) == pytest.approx(-np.log(2), rel=EPS)
    assert approximate_max_divergence([0.5, 0.5], [0, 1], delta=0.25) == INF
    assert approximate_max_divergence([1, 0], [0, 0], delta=[0.5, 1, 2]).tolist() == [INF, -INF, -INF]
    # decided exactly: 0.1 + 0.2 exceeds the double 0.3, and 1/3 + 1/7 is 10/21
    assert approximate_max_divergence([0.1, 0.2, 0.7], [0, 0, 1], delta=0.3) == INF
    thirds = ["1/3", "1/7", "11/21"], [0, 0, 1]
    for digits in (15, 16, 17, 20, 50):
        value = at_digits(approximate_max_divergence, digits, *thirds, delta=Fraction(10, 21))
        assert float(value) == pytest.approx(np.log(11 / 21), rel=4 * EPS)
    less = Fraction(10, 21) - Fraction(1, 10**60)
    assert at_digits(approximate_max_divergence, 20, *thirds, delta=less) == INF
    assert at_digits(smooth_renyi, 20, *thirds, 2, delta=less) == INF
    assert at_digits(smooth_renyi, 20, *thirds, 2, delta=Fraction(10, 21)) == 0


def test_literature_values():
    """Reference values to 20 digits of an independent study, and the exact optimum under pure epsilon-DP."""
    p, q = ["3/4", "1/4"], ["1/4", "3/4"]
    with mpmath.workdps(30):
        got = at_digits(approximate_max_divergence, 25, p, q, delta="1/100")
        assert abs(got - mpf("1.0851892683359690046")) < mpf(10) ** -19
        for e, delta in (("1", "0.01"), ("0.5", "0.1"), ("3", "0.9"), ("2", "1e-30")):
            x = mpmath.exp(mpf(e)) / (1 + mpmath.exp(mpf(e)))
            got = at_digits(approximate_max_divergence, 20, [x, 1 - x], [1 - x, x], delta=delta)
            want = mpmath.log(mpmath.exp(mpf(e)) - mpf(delta) * (1 + mpmath.exp(mpf(e))))
            assert abs(got - want) < mpf(10) ** -18
    assert approximate_max_divergence([0.5, 0.5], [0.5, 0.5], delta=0.5) == pytest.approx(np.log(0.5), rel=EPS)


def test_hockey_stick_is_the_inverse():
    """D_inf^delta = inf {eps : E <= delta}. E is known to a few eps, and its slope is e^eps q(S), S = {p > e^eps q}."""
    rng = np.random.default_rng(2)
    p, q = rng.dirichlet(np.full(6, 0.5), size=(2, 200))
    for epsilon in (-0.5, 0.0, 0.3, 1.0):
        delta = k.hockey_stick(p, q, epsilon)
        slope = np.exp(epsilon) * np.where(p > np.exp(epsilon) * q, q, 0).sum(-1)
        assert (slope > 0).sum() > 150
        error = abs(approximate_max_divergence(p, q, delta=delta) - epsilon)
        assert (error * slope <= 8 * EPS).all()


def random_pair(rng, n):
    p, q = rng.dirichlet(np.full(n, 0.7), size=2)
    p[rng.random(n) < 0.15] = 0
    q[rng.random(n) < 0.15] = 0
    return (p / p.sum(), q / q.sum()) if p.any() and q.any() else random_pair(rng, n)


def ball(n, p, delta):
    """Return the constraints on (p', t): sum p' = sum p, |p' - p| <= t, sum t <= 2 delta."""
    eye = np.eye(n)
    a = np.block([[eye, -eye], [-eye, -eye], [np.zeros((1, n)), np.ones((1, n))]])
    return {
        "A_ub": a,
        "b_ub": np.r_[p, -p, 2 * delta],
        "A_eq": np.r_[np.ones(n), np.zeros(n)][None],
        "b_eq": [p.sum()],
        "bounds": [(0, None)] * (2 * n),
    }


DERIVATIVES = {
    "order 0.4": lambda r: -(r**-0.6),
    "kl": lambda r: np.log(r),
    "order 2": lambda r: 2 * r,
    "order 5": lambda r: 5 * r**4,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DERIVATIVES)
def test_minimiser_meets_the_first_order_condition(name):
    """A convex objective is least at p' if and only if no point of the ball has a smaller linearisation there; a
    linear program finds the smallest, to 1e-9 of the largest coefficient (its feasibility tolerance is 1e-7, scaled
    by data of order one it stays below 1e-9).
    """
    rng, checked = np.random.default_rng(3), 0
    while checked < 30:
        n = int(rng.integers(2, 7))
        p, q = random_pair(rng, n)
        outside = p[q == 0].sum()
        distance = k.total_variation(p, q)
        if distance < 0.05 or outside > 0.8 * distance:
            continue
        delta = rng.uniform(outside + 0.01 * distance, distance)
        best = optimal_smoothing(p, q, delta=delta)
        assert best.min() >= 0 and best.sum() == pytest.approx(1, abs=8 * EPS)
        assert k.total_variation(p, best) == pytest.approx(delta, abs=8 * EPS)
        on = q > 0
        assert not best[~on].any()  # delta is sufficient to remove the mass outside supp q
        slope = DERIVATIVES[name](best[on] / q[on])
        program = ball(n, p, delta)
        cost = np.zeros(2 * n)
        cost[:n][on] = slope
        program["bounds"] = [(0, None if i >= n or on[i] else 0) for i in range(2 * n)]
        least = linprog(cost, **program)
        assert least.status == 0
        assert slope @ best[on] <= least.fun + 1e-9 * max(1, abs(slope).max())
        checked += 1


@pytest.mark.slow
def test_value_is_that_of_the_minimiser_and_below_the_ball():
    """Random points of the ball are never better, at any order, and the value is renyi(p', q)."""
    rng = np.random.default_rng(4)
    for _ in range(60):
        n = int(rng.integers(2, 6))
        p, q = random_pair(rng, n)
        delta = rng.uniform(0, 0.5)
        best = optimal_smoothing(p, q, delta=delta)
        values = smooth_renyi(p, q, np.array(ORDERS), delta=delta)
        others = np.concatenate([np.eye(n), rng.dirichlet(np.ones(n), size=50), [q]])
        distance = k.total_variation(p, others)
        others = p + np.minimum(1, delta / np.maximum(distance, 1e-300))[:, None] * (others - p)
        for alpha, value in zip(ORDERS, values, strict=True):
            again = k.renyi(best, q, alpha)
            assert value == again or value == pytest.approx(again, abs=64 * EPS)
            assert (k.renyi(others, q, alpha) >= value - 64 * EPS).all()
        exceeds = p[q == 0].sum() > delta
        assert (np.isinf(values) == (exceeds & (np.array(ORDERS) >= 1))).all()


def test_order_infinity_is_a_linear_program():
    """min u: p' <= u q, p' in the ball (Theorem 3.1 of the report, epsilon >= 0)."""
    rng = np.random.default_rng(5)
    for _ in range(30):
        n = int(rng.integers(2, 7))
        p, q = rng.dirichlet(np.ones(n), size=2)
        delta = rng.uniform(0, 0.4)
        program = ball(n, p, delta)
        rows = np.hstack([program["A_ub"], np.zeros((2 * n + 1, 1))])
        program["A_ub"] = np.vstack([rows, np.hstack([np.eye(n), np.zeros((n, n)), -q[:, None]])])
        program["b_ub"] = np.r_[program["b_ub"], np.zeros(n)]
        program["A_eq"] = np.hstack([program["A_eq"], [[0]]])
        program["bounds"] = [*program["bounds"], (0, None)]
        u = linprog(np.r_[np.zeros(2 * n), 1], **program).fun
        assert np.exp(smooth_renyi(p, q, INF, delta=delta)) == pytest.approx(u, rel=1e-9)
        positive = max(0, approximate_max_divergence(p, q, delta=delta))
        assert smooth_renyi(p, q, INF, delta=delta) == pytest.approx(positive, abs=4 * EPS)  # sums are 1 to eps


@pytest.mark.parametrize("alpha", [0.5, 1, 2, 30])
@pytest.mark.parametrize("gap", [1e-2, 1e-5, 1e-8])
def test_two_symbols_up_to_the_total_variation(alpha, gap):
    """p' = (3/4 - delta, 1/4 + delta) is gap away from q = (1/4, 3/4). Float64 knows gap to eps / 2, so D ~ gap^2 to
    eps gap, times 4 alpha."""
    delta = 0.5 - gap
    with mpmath.workdps(60):
        x = mpf(3) / 4 - mpf(delta)
        pair = [(x, mpf(1) / 4), (1 - x, mpf(3) / 4)]
        if alpha == 1:
            want = sum(u * mpmath.log(u / v) for u, v in pair)
        else:
            want = mpmath.log(sum(u**alpha * v ** (1 - mpf(alpha)) for u, v in pair)) / (alpha - 1)
        got = at_digits(smooth_renyi, 25, ["3/4", "1/4"], ["1/4", "3/4"], alpha, delta=delta)
        assert abs(got - want) <= mpf(10) ** -24 * want
    assert abs(smooth_renyi([0.75, 0.25], [0.25, 0.75], alpha, delta=delta) - float(want)) <= 8 * EPS * gap * alpha


def test_radius_zero_and_large_and_the_paper_below_order_one():
    rng = np.random.default_rng(6)
    p, q = rng.dirichlet(np.ones(5), size=(2, 20))
    for alpha in ORDERS:
        plain = k.renyi(p, q, alpha)
        assert smooth_renyi(p, q, alpha, delta=0) == pytest.approx(plain, abs=32 * EPS)
        assert abs(smooth_renyi(p, q, alpha, delta=1)).max() <= 4 * EPS
        values = smooth_renyi(p[0], q[0], alpha, delta=np.linspace(0, 1, 50))
        assert (np.diff(values) <= 8 * EPS).all()
    assert optimal_smoothing(p, q, delta=0) == pytest.approx(p, rel=4 * EPS)
    # Definition 12 as printed gives log 2 here, more than the divergence itself
    assert smooth_renyi([0.5, 0.5], [0.5, 0.5], 0.5, delta=0.5) == 0


def test_unnormalised_weights_and_escaping_mass():
    p, q = np.array([0.2, 0.3, 0.5]), np.array([0.5, 0.25, 0.25])
    for alpha in ORDERS:
        a, b = smooth_renyi(p, q, alpha, delta=0.1), smooth_renyi(8 * p, q, alpha, delta=0.8)
        assert b == pytest.approx(a + np.log(8), rel=8 * EPS)
    assert optimal_smoothing(8 * p, q, delta=0.8) == pytest.approx(8 * optimal_smoothing(p, q, delta=0.1), rel=8 * EPS)
    # mass outside supp q beyond delta stays, in proportion, and the rest is increased
    best = optimal_smoothing([0.3, 0.3, 0.2, 0.2], [0, 0, 0.5, 0.5], delta=0.2)
    assert best == pytest.approx([0.2, 0.2, 0.3, 0.3], rel=8 * EPS)
    assert smooth_renyi([0.3, 0.3, 0.2, 0.2], [0, 0, 0.5, 0.5], 0.5, delta=0.2) == pytest.approx(
        -np.log(0.6), rel=1e-14
    )
    assert smooth_renyi([1, 1], [0, 0], [0.5, 2], delta=5).tolist() == [INF, INF]


def test_extreme_ratios():
    """Ratios from 1e-600 to 1e600: the levels are found though they overflow."""
    p, q = [1e-300, 1, 1e-200], [1, 1e-300, 1e-310]
    with mpmath.workdps(40):
        for delta in (0, 1e-250, 0.5):
            exact = [[Fraction(x) for x in v] for v in (p, q)]
            sets = [s for r in (1, 2, 3) for s in itertools.combinations(range(3), r)]
            best = max((sum(exact[0][i] for i in s) - Fraction(delta)) / sum(exact[1][i] for i in s) for s in sets)
            want = float(mpmath.log(mpf(best.numerator)) - mpmath.log(mpf(best.denominator)))
            assert approximate_max_divergence(p, q, delta=delta) == pytest.approx(want, rel=4 * EPS)


def test_subnormal_weights():
    """Compared with multiprecision; logarithms up to 740 have an error of eps times that."""
    p, q = [1e-310, 0.5, 1e-320], [1e-320, 1e-310, 0.5]
    for delta in (0, 1e-312, 0.125, 0.5):
        for alpha in (0.5, 1, 2, INF):
            want = float(at_digits(smooth_renyi, 15, p, q, alpha, delta=delta))
            assert smooth_renyi(p, q, alpha, delta=delta) == pytest.approx(want, abs=1500 * EPS)


def test_batches_broadcast():
    rng = np.random.default_rng(7)
    p, q = rng.dirichlet(np.ones(5), size=(2, 4))
    delta = np.array([0, 0.1, 0.3])[:, None]
    values = smooth_renyi(p, q, 3, delta=delta)
    assert values.shape == (3, 4) and optimal_smoothing(p, q, delta=delta).shape == (3, 4, 5)
    for i, j in np.ndindex(3, 4):
        assert values[i, j] == smooth_renyi(p[j], q[j], 3, delta=delta[i, 0])
        again = approximate_max_divergence(p[j], q[j], delta=delta[i, 0])
        assert approximate_max_divergence(p, q, delta=delta)[i, j] == again
    assert smooth_renyi(p[:0], q[:0], 2, delta=0.1).shape == (0,)


def test_multiprecision_agrees():
    rng = np.random.default_rng(8)
    p, q = rng.dirichlet(np.ones(5), size=(2, 3))
    for f, args in ((smooth_renyi, (p, q, [0.5, 1, 3])), (approximate_max_divergence, (p, q))):
        exact = at_digits(f, 20, *args, delta=0.1)
        assert f(*args, delta=0.1) == pytest.approx(exact.astype(float), abs=16 * EPS)
    exact = at_digits(optimal_smoothing, 20, p, q, delta=0.1)
    assert optimal_smoothing(p, q, delta=0.1) == pytest.approx(exact.astype(float), rel=16 * EPS)


@pytest.mark.slow
@pytest.mark.parametrize("f", [approximate_max_divergence, partial(smooth_renyi, alpha=2), optimal_smoothing])
def test_a_million_symbols(f):
    """Splitting each symbol in 250000 changes nothing; about the time of a sort (a factor of 10 and half a second allow
    for a busy machine)."""
    p, q = np.array([0.4, 0.3, 0.2, 0.1]), np.array([0.1, 0.2, 0.3, 0.4])
    big = [np.repeat(v, 250_000) / 250_000 for v in (p, q)]
    start = time.perf_counter()
    np.argsort(big[0] / np.random.default_rng(9).permutation(big[1]))
    sort = time.perf_counter() - start
    start = time.perf_counter()
    got = f(*big, delta=0.05)
    assert time.perf_counter() - start <= 10 * sort + 0.5
    want = f(p, q, delta=0.05)
    got = got.reshape(4, -1).sum(1) if got.ndim else got
    assert got == pytest.approx(want, rel=64 * EPS)  # pairwise sums of 10^6 terms: log2(10^6) eps


@pytest.mark.parametrize("delta", [-1e-9, INF, np.nan])
def test_bad_radius(delta):
    for f in (approximate_max_divergence, optimal_smoothing, partial(smooth_renyi, alpha=2)):
        with pytest.raises(ValueError, match="delta must be finite and >= 0"):
            f([1], [1], delta=delta)
    with pytest.raises(ValueError, match="broadcasts"):
        optimal_smoothing([[1, 1], [1, 1]], [1, 1], delta=[0.1, 0.2, 0.3])
    with pytest.raises(TypeError, match="delta"):
        smooth_renyi([1], [1], 2, delta="a")


@pytest.mark.parametrize("q", [[0, 0], [[0.5, 0.5], [0, 0]]])
def test_nothing_is_close_to_zero(q):
    for smoothed in (optimal_smoothing, partial(at_digits, optimal_smoothing, 20), balls.optimal_smoothing):
        with pytest.raises(ValueError, match="q must be not all zero"):
            smoothed([0.5, 0.5], q, delta=0.1)
    assert np.max(smooth_renyi([0.5, 0.5], q, 0.5, delta=0.1)) == INF


# Rounding


def test_a_small_letter_keeps_its_weight_at_delta_zero():
    """p' = p: up to rounding, the ratio of the sums is that of the first letter."""
    p, q = [1.876406969927121e-79, 3.698420553822251e-228], [2.1853268712427173e91, 3902640886685482.5]
    assert optimal_smoothing(p, q, delta=0).tolist() == p
    assert smooth_renyi(p, q, 2, delta=0) == pytest.approx(float(k.renyi(p, q, 2)), rel=1e-14)


def test_the_level_of_a_letter_that_outweighs_delta():
    """The largest ratio, 3.9e124, is reduced by 1 part in 2e65, and not to that of the sums."""
    p, q = [2.5e22, 2.0e65, 1e-234], [1.0, 5e-60, 1e-119]
    assert smooth_renyi(p, q, math.inf, delta=1.0) == pytest.approx(math.log(2.0e65 / 5e-60), rel=1e-14)
    assert smooth_renyi(p, q, 1e6, delta=1.0) == pytest.approx(math.log(2.0e65 / 5e-60), rel=1e-9)


def test_levels_do_not_decrease():
    """Three letters with equal ratios up to rounding; delta = 1e-86 is negligible relative to 7e252."""
    p = [7.2931918240372914e252, 3.764574579354084e210, 5.753434263724904e-84]
    q = [1.3910659454416831e247, 7.180356177051704e204, 1.0973804976892287e-89]
    value = approximate_max_divergence(p, q, delta=1e-86)
    assert value == pytest.approx(math.log(p[0] / q[0]), rel=1e-14)


def test_sums_beyond_the_floats_are_rejected():
    for f in (approximate_max_divergence, optimal_smoothing):
        with pytest.raises(ValueError, match="p must be weights whose sum is finite"):
            f([1.7e308, 1.7e308], [1.0, 1.0], delta=0.5)


def test_radius_zero_keeps_zeros():
    """With delta = 0, p = (1, 0) keeps its zeros and its divergence, in any precision."""
    for module in (k, k.mp):
        assert abs(float(module.smooth_renyi([1, 0], [0.5, 0.5], 2, delta=0)) - math.log(2)) < 1e-15
        assert [float(x) for x in module.optimal_smoothing([1, 0], [0.5, 0.5], delta=0)] == [1, 0]


def test_reference_within_the_radius_takes_the_sum_of_p():
    for module in (k, k.mp):
        near = module.optimal_smoothing([1, 1], [1, 3], delta=5)
        assert [float(x) for x in near] == [0.5, 1.5]


def test_mass_outside_the_support_is_added_exactly():
    """1 + 2^-53 + 2^-53 is more than 1, and its sum in float64 is not."""
    p, q = [1, 2.0**-53, 2.0**-53, 1], [0, 0, 0, 1]
    assert approximate_max_divergence(p, q, delta=1) == math.inf
    assert approximate_max_divergence(p, q, delta=1 + 2.0**-52) < math.inf


@pytest.mark.parametrize("sampled", ["all", "some", "other"])
def test_levels_of_many_symbols_do_not_depend_on_the_starting_point(sampled, monkeypatch):
    """Even if the first symbols are unlike the others."""
    p, q = np.random.default_rng(5).random((2, 20_000)) ** 2
    if sampled == "other":
        p[::20], q[::20] = 1e-3, 1e3
    p, q = p / p.sum(), q / q.sum()
    monkeypatch.setattr(smooth, "_SOME", 10**9 if sampled == "all" else 1000)
    values = [smooth_renyi(p, q, 2, delta=0.05), approximate_max_divergence(p, q, delta=0.05)]
    ratio, masses = np.sort(p / q), [float(np.maximum(p - v * q, 0).sum()) for v in np.exp([values[1]])]
    assert masses == pytest.approx([0.05], abs=1e-12) and ratio[0] < math.exp(values[1]) < ratio[-1]
    monkeypatch.setattr(smooth, "_SOME", 10**9)
    assert values[0] == pytest.approx(smooth_renyi(p, q, 2, delta=0.05), rel=1e-12)


def test_a_start_above_the_level_is_noticed(monkeypatch):
    monkeypatch.setattr(smooth, "_SOME", 1000)
    p, q = np.random.default_rng(5).random((2, 20_000)) ** 2
    p, q = p / p.sum(), q / q.sum()
    right = approximate_max_divergence(p, q, delta=0.05)
    monkeypatch.setattr(smooth, "_ASIDE", (-1.0,))  # it starts at twice the level, where the excess is too small
    assert approximate_max_divergence(p, q, delta=0.05) == pytest.approx(right, rel=1e-12)
