"""Classical divergences compared with literal sums at 60 digits, brute force over subsets, scipy, and their laws."""

import itertools
import math
import tracemalloc
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import scipy.special
from mpmath import mpf

import krdtheory as k
from krdtheory.arithmetic import FLOAT64

INF = np.inf
EPS = 2.0**-52
ORDERS = [0, 1e-9, 0.1, 0.5, 0.9, 1 - 1e-6, 1, 1 + 1e-6, 1.1, 2, 5.5, 50, 5000, 1e8, INF]


def literal_renyi(p, q, alpha):
    """Return the divergence as printed, with 400 digits, so that 1e-300 and order 1 +- 1e-12 lose nothing."""
    with mpmath.workdps(400):
        p, q = [mpf(float(x)) for x in p], [mpf(float(x)) for x in q]
        pairs = [(x, y) for x, y in zip(p, q, strict=True) if x > 0]
        total = sum(p)
        if alpha >= 1 and any(y == 0 for _, y in pairs):
            return INF
        pairs = [(x, y) for x, y in pairs if y > 0]
        if not pairs:
            return INF
        if alpha == INF:
            return float(mpmath.log(max(x / y for x, y in pairs)))
        if alpha == 1:
            return float(sum(x * mpmath.log(x / y) for x, y in pairs) / total)
        a = mpf(alpha)
        return float(mpmath.log(sum(y * (x / y) ** a for x, y in pairs) / total) / (a - 1))


def random_weights(rng, n, zeros):
    x = rng.gamma(0.5, size=n) + 1e-6
    x[rng.permutation(n)[:zeros]] = 0
    return x * 10 ** rng.uniform(-3, 3)


@pytest.mark.parametrize("alpha", ORDERS)
def test_renyi_is_the_literal_sum(alpha):
    """The tolerance is the error of a sum of n terms p exp((alpha - 1) ratio), with ratios below 30, known to eps.

    log Q is then divided by alpha - 1; if there is mass outside q's support, Q is not near 1, and eps is divided by
    |alpha - 1|.
    """
    rng = np.random.default_rng(1)
    for zeros_p, zeros_q in ((0, 0), (2, 0), (0, 2), (2, 2)):
        for _ in range(5):
            p, q = random_weights(rng, 7, zeros_p), random_weights(rng, 7, zeros_q)
            want = literal_renyi(p, q, alpha)
            outside = p[q == 0].sum() > 0 and alpha < 1
            tol = 32 * EPS * max(1, abs(want)) / (1 - alpha if outside else 1) + 200 * EPS
            assert k.renyi(p, q, alpha) == want or abs(k.renyi(p, q, alpha) - want) <= tol


def test_closed_forms():
    for alpha in ORDERS:  # uniform on k of n cells
        assert k.renyi([1, 1, 1, 0, 0], [1, 1, 1, 1, 1], alpha) == pytest.approx(0, abs=1e-15)
        assert k.renyi([1 / 3] * 3 + [0] * 2, [0.2] * 5, alpha) == pytest.approx(np.log(5 / 3), rel=1e-14)
    # randomised response: both orders meet epsilon at infinity
    e = 1.3
    p = np.array([np.exp(e), 1]) / (1 + np.exp(e))
    assert k.max_divergence(p, p[::-1]) == pytest.approx(e, rel=1e-14)
    assert k.kl(p, p[::-1]) == pytest.approx(e * np.tanh(e / 2), rel=1e-14)
    assert k.total_variation(p, p[::-1]) == pytest.approx(np.tanh(e / 2), rel=1e-14)
    assert k.hellinger(p, p[::-1]) == pytest.approx(1 - 1 / np.cosh(e / 2), rel=1e-14)
    assert k.hockey_stick(p, p[::-1], e) == pytest.approx(0, abs=1e-15)
    # geometric weights: a closed sum, cut at 2^-400
    i = np.arange(400)
    a, b = 0.5, 0.25
    for alpha in (0.5, 2.0, 3.0):
        x = a**alpha * b ** (1 - alpha)
        want = np.log((1 - a) ** alpha * (1 - b) ** (1 - alpha) / (1 - x)) / (alpha - 1) if x < 1 else None
        if want is not None:
            assert k.renyi((1 - a) * a**i, (1 - b) * b**i, alpha) == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("exponent", range(3, 16))
def test_no_loss_as_alpha_goes_to_one(exponent):
    rng = np.random.default_rng(2)
    p, q = random_weights(rng, 6, 1), random_weights(rng, 6, 0)
    for alpha in (1 + 10.0**-exponent, 1 - 10.0**-exponent):
        assert k.renyi(p, q, alpha) == pytest.approx(literal_renyi(p, q, alpha), rel=64 * EPS)


@pytest.mark.parametrize("alpha", [1e-300, 1e-12, 1e-6, 1e-3, 0.2, 0.45])
def test_no_loss_as_alpha_goes_to_zero(alpha):
    """With ratios from 1e-60 to 1e60, the errors are roundings of the masses, not of their logarithms."""
    rng = np.random.default_rng(10)
    for _ in range(30):
        p, q = rng.dirichlet(np.ones(3), size=2) * 10.0 ** rng.uniform(-30, 0, size=(2, 3))
        p, q = p / p.sum(), q / q.sum()
        want = literal_renyi(p, q, alpha)
        assert abs(k.renyi(p, q, alpha) - want) <= 6 * EPS * max(1, abs(want) * max(1, alpha * 140))


def test_low_orders_of_very_different_masses():
    for p, q in (([1e-200, 1e-210], [1e200, 1e210]), ([1e-300], [1e300]), ([1, 1e-300], [1e308, 1e308])):
        for alpha in (0, 1e-9, 0.3):
            assert k.renyi(p, q, alpha) == pytest.approx(literal_renyi(p, q, alpha), rel=8 * EPS)


@pytest.mark.parametrize("alpha", [0.3, 1 - 1e-9, 1, 2, 20])
@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-9, 1e-12])
def test_p_close_to_q(alpha, delta):
    """D is of order delta^2 and its terms of order delta: the error is eps * delta, not eps."""
    rng = np.random.default_rng(3)
    q = rng.uniform(0.5, 1, 8)
    q /= q.sum()
    step = rng.normal(size=8)
    p = q + delta * q * (step - q @ step)
    want = literal_renyi(p, q, alpha)
    assert abs(k.renyi(p, q, alpha) - want) <= 32 * EPS * delta * abs(step).max() * max(1, alpha)
    with mpmath.workdps(60):
        exact = [(mpf(x), mpf(y)) for x, y in zip(p, q, strict=True)]
        hellinger = 1 - sum(mpmath.sqrt(x * y) for x, y in exact)
        chi = sum((x - y) ** 2 / y for x, y in exact)
    assert abs(k.hellinger(p, q) - float(hellinger)) <= 2 * EPS  # 1 - (sum p + sum q) / 2 is known to eps only
    assert k.f_divergence(p, q, "chi_squared") == pytest.approx(float(chi), rel=1e-13)


@pytest.mark.parametrize("delta", [0.9, 0.1, 1e-3, 1e-6, 1e-9, 1e-12])
def test_named_divergences_of_close_weights(delta):
    """The values are of order delta^2, apart from the difference of the sums, and accurate to the last digits."""
    rng = np.random.default_rng(13)
    literal = {
        "kl": lambda x, y: x * mpmath.log(x / y),
        "reverse_kl": lambda x, y: y * mpmath.log(y / x),
        "chi_squared": lambda x, y: (x - y) ** 2 / y,
        "total_variation": lambda x, y: abs(x - y) / 2,
        "hellinger": lambda x, y: y - mpmath.sqrt(x * y),
    }
    for n in (3, 8, 100):
        q = rng.uniform(0.1, 1, n)
        q /= q.sum()
        p = q * (1 + delta * rng.uniform(-1, 1, n))
        p /= p.sum()
        with mpmath.workdps(60):
            for name, term in literal.items():
                want = mpmath.fsum(term(mpf(x), mpf(y)) for x, y in zip(p, q, strict=True))
                assert abs(k.f_divergence(p, q, name) - want) <= 16 * EPS * abs(want), name
            assert k.kl(p, q) == k.f_divergence(p, q, "kl")


@pytest.mark.parametrize(
    ("p", "q"),
    [
        ([1e-300, 1], [1e-300, 1e-300]),
        ([1e-300, 1], [1, 1e-300]),
        ([1e-300, 1e-10, 0], [1, 0, 1]),
        ([1, 1e-308], [1, 0]),
        ([1e-200, 1e200], [1e200, 1e-200]),
        ([1e300, 1e300], [1e-300, 1]),
        ([1e10], [1e10 * np.exp(-69)]),
        ([1e307, 1e307], [1, 1]),
        ([5e-324, 1], [1, 1]),
    ],
)
def test_extreme_weights(p, q):
    """Logarithms up to 1400 have an error of eps times that, which is the error of small values."""
    largest = max(abs(np.log(x) - np.log(y)) for x, y in zip(p, q, strict=True) if x > 0 and y > 0)
    for alpha in [*ORDERS, 11, 1e15, 1e300]:
        want = literal_renyi(p, q, alpha if alpha < 1e9 else INF)
        outside = alpha < 1 and any(y == 0 < x for x, y in zip(p, q, strict=True))
        tol = 8 * EPS * largest / (1 - alpha if outside else 1)
        assert k.renyi(p, q, alpha) == pytest.approx(want, rel=1e-14, abs=tol)
    kl = literal_renyi(p, q, 1) * sum(p)
    if kl < 1e308:
        assert k.kl(p, q) == pytest.approx(kl, rel=1e-14)


def test_unnormalised_weights():
    p, q = np.array([0.2, 0.3, 0.5]), np.array([0.5, 0.25, 0.25])
    for alpha in ORDERS:
        assert k.renyi(8 * p, q, alpha) == pytest.approx(k.renyi(p, q, alpha) + np.log(8), rel=1e-14)
        assert k.renyi(p, 8 * q, alpha) == pytest.approx(k.renyi(p, q, alpha) - np.log(8), rel=1e-13)
    assert k.kl(8 * p, q) == pytest.approx(8 * (k.kl(p, q) + np.log(8)), rel=1e-14)


def test_zeros():
    assert k.renyi([0, 1], [1, 1], 0) == 0
    for alpha in ORDERS:
        assert k.renyi([1, 0], [0, 1], alpha) == INF
        assert k.renyi([1, 0], [0, 0], alpha) == INF
        assert (k.renyi([1, 1], [1, 0], alpha) == INF) == (alpha >= 1)
    assert k.kl([1, 1], [1, 0]) == k.max_divergence([1, 1], [1, 0]) == INF
    assert k.kl([0, 1], [0, 1]) == 0
    assert k.total_variation([1, 0], [0, 1]) == k.hellinger([1, 0], [0, 1]) == 1


# Hockey stick


@pytest.mark.parametrize("epsilon", [-3, -0.4, 0, 0.4, 1, 2.5])
def test_hockey_stick_is_the_worst_subset(epsilon):
    rng = np.random.default_rng(4)
    for n in range(1, 8):
        p, q = random_weights(rng, n, n // 3), random_weights(rng, n, n // 2)
        subsets = (list(s) for r in range(n + 1) for s in itertools.combinations(range(n), r))
        worst = max(p[s].sum() - np.exp(epsilon) * q[s].sum() for s in subsets)
        assert k.hockey_stick(p, q, epsilon) == pytest.approx(worst, rel=1e-13, abs=1e-13 * p.sum())


def test_hockey_stick_at_large_epsilon():
    p, q = [0.25, 0.75], [0, 1]
    for epsilon in (50, 700, 710, 1000, 1e308, INF):
        assert k.hockey_stick(p, q, epsilon) == 0.25
        assert k.hockey_stick([0.2, 0.8], [0.5, 0.5], epsilon) == 0
    for epsilon in (-800, -1000, -INF):
        assert k.hockey_stick(p, q, epsilon) == 1
    # epsilon beyond exp's range, weights that bring it back: 1 - e^(720) 1e-313 = 1 - e^(720 - 313 log 10)
    tiny = 1e-313
    with mpmath.workdps(40):
        want = float(1 - mpmath.exp(720) * mpf(tiny))
    assert k.hockey_stick([1], [tiny], 720) == pytest.approx(want, rel=1e-12)
    assert k.hockey_stick([1e300], [1e10], 690) == 0
    assert k.hockey_stick([1e300], [1e300], -INF) == 1e300
    # on both sides of where e^epsilon or its product with q leaves the range
    pairs = [(699.9, 1e-4, 1e-309), (700.1, 1e-4, 1e-309), (-699.9, 2, 1e304), (-700.1, 2, 1e304)]
    for epsilon, p, q in [*pairs, (650, 1e300, 1e17), (650, 1e300, 1e21), (650, 1e300, 1e27)]:
        with mpmath.workdps(40):
            want = float(max(mpf(p) - mpmath.exp(epsilon) * mpf(q), 0) + mpf(0.5))
        assert k.hockey_stick([p, 0.5], [q, 0], epsilon) == pytest.approx(want, rel=1e-12)


def test_hockey_stick_laws():
    rng = np.random.default_rng(5)
    p, q = rng.dirichlet(np.ones(6)), rng.dirichlet(np.ones(6))
    assert k.hockey_stick(p, q, 0) == pytest.approx(k.total_variation(p, q), rel=1e-14)
    grid = np.linspace(-4, 4, 200)
    values = k.hockey_stick(p, q, grid)
    assert values.shape == (200,) and (np.diff(values) <= 1e-16).all()
    # E_e(p, q) = 1 - e^eps + e^eps E_-e(q, p)
    assert values == pytest.approx(1 - np.exp(grid) + np.exp(grid) * k.hockey_stick(q, p, -grid), abs=1e-13)


# f-divergences


GENERATORS = {
    "kl": lambda t: t * np.log(t),
    "reverse_kl": lambda t: -np.log(t),
    "chi_squared": lambda t: (t - 1) ** 2,
    "total_variation": lambda t: np.abs(t - 1) / 2,
    "hellinger": lambda t: 1 - np.sqrt(t),
}
# f(0) and lim f(t) / t, by hand
EDGES = {
    "kl": (0, INF),
    "reverse_kl": (INF, 0),
    "chi_squared": (1, INF),
    "total_variation": (0.5, 0.5),
    "hellinger": (1, 0),
}


@pytest.mark.parametrize("name", GENERATORS)
def test_named_generators(name):
    rng = np.random.default_rng(6)
    f, (zero, slope) = GENERATORS[name], EDGES[name]
    p, q = rng.uniform(0.1, 1, 9), rng.uniform(0.1, 1, 9)
    want = (q * f(p / q)).sum()
    assert k.f_divergence(p, q, name) == pytest.approx(want, rel=1e-13, abs=1e-14)
    assert k.f_divergence(p, q, f) == pytest.approx(want, rel=1e-13, abs=1e-14)
    # 0 = p < q adds 2 f(0), q = 0 < p adds 3 f'(inf), p = q = 0 nothing
    for extra_p, extra_q, more in ((0, 2, zero), (3, 0, slope), (0, 0, 0)):
        x, y = np.r_[p, extra_p], np.r_[q, extra_q]
        expected = want + (more * (extra_p + extra_q) if more else 0)
        for got in (
            k.f_divergence(x, y, name),
            k.f_divergence(x, y, f, value_at_zero=zero, slope_at_infinity=slope),
            float(k.mp.f_divergence(x, y, name, digits=20)),
        ):
            assert got == expected or got == pytest.approx(expected, rel=1e-13)


def test_named_generators_are_the_named_divergences():
    rng = np.random.default_rng(7)
    p, q = rng.dirichlet(np.ones(5), size=2)
    assert k.f_divergence(p, q, "kl") == pytest.approx(k.kl(p, q), rel=1e-14)
    assert k.f_divergence(p, q, "reverse_kl") == pytest.approx(k.kl(q, p), rel=1e-14)
    assert k.f_divergence(p, q, "total_variation") == pytest.approx(k.total_variation(p, q), rel=1e-14)
    assert k.f_divergence(p, q, "hellinger") == pytest.approx(k.hellinger(p, q), rel=1e-13)
    assert np.log1p(k.f_divergence(p, q, "chi_squared")) == pytest.approx(k.renyi(p, q, 2), rel=1e-13)
    assert -2 * np.log(1 - k.hellinger(p, q)) == pytest.approx(k.renyi(p, q, 0.5), rel=1e-13)


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize(("p", "q"), [([1e-200, 1], [1e200, 1]), ([1e-300, 1], [1, 1e-300]), ([1, 1e150], [1, 1e-150])])
def test_ratios_that_overflow(name, p, q):
    with mpmath.workdps(700):
        f = {
            "kl": lambda t: t * mpmath.log(t),
            "reverse_kl": lambda t: -mpmath.log(t),
            "chi_squared": lambda t: (t - 1) ** 2,
            "total_variation": lambda t: abs(t - 1) / 2,
            "hellinger": lambda t: 1 - mpmath.sqrt(t),
        }[name]
        want = float(sum(mpf(y) * f(mpf(x) / mpf(y)) for x, y in zip(p, q, strict=True)))
    if want < INF and not (name == "chi_squared" and want > 1e308):
        assert k.f_divergence(p, q, name) == pytest.approx(want, rel=1e-13)


def test_callables_must_define_their_limits():
    def squared(t):
        return (t - 1) ** 2

    with pytest.raises(ValueError, match="value_at_zero"):
        k.f_divergence([0, 1], [1, 1], squared)
    with pytest.raises(ValueError, match="slope_at_infinity"):
        k.f_divergence([1, 1], [0, 1], squared)
    assert k.f_divergence([0, 1], [1, 1], squared, value_at_zero=1) == 1
    assert k.f_divergence([1, 1], [0, 1], squared, slope_at_infinity=INF) == INF
    assert k.f_divergence([0, 1], [0, 1], squared) == 0
    with pytest.raises(ValueError, match="NaN"):
        k.f_divergence([1, 2], [1, 1], lambda t: np.where(t > 1, np.nan, t))
    with pytest.raises(ValueError, match="chi_squared"):
        k.f_divergence([1], [1], "chi")
    with pytest.raises(TypeError, match="callable"):
        k.f_divergence([1], [1], 3)


# Laws


def test_agrees_with_scipy():
    rng = np.random.default_rng(8)
    p, q = rng.uniform(size=(2, 50, 8))
    p[:, 0] = 0
    assert k.kl(p, q) == pytest.approx(scipy.special.rel_entr(p, q).sum(-1), rel=1e-13, abs=1e-14)


def test_skew_symmetry_additivity_and_monotonicity():
    rng = np.random.default_rng(9)
    p, q, r, s = rng.dirichlet(np.ones(5), size=4)
    values = k.renyi(p, q, np.array(ORDERS))
    assert (np.diff(values) >= -1e-15).all()
    for alpha in (0.1, 0.37, 0.5, 0.8):
        assert (1 - alpha) * k.renyi(p, q, alpha) == pytest.approx(alpha * k.renyi(q, p, 1 - alpha), rel=1e-13)
    products = np.outer(p, r).ravel(), np.outer(q, s).ravel()
    sums = values + k.renyi(r, s, np.array(ORDERS))
    assert k.renyi(*products, np.array(ORDERS)) == pytest.approx(sums, rel=1e-12, abs=1e-15)


MONOTONE = (
    [lambda p, q, a=a: k.renyi(p, q, a) for a in ORDERS]
    + [lambda p, q, e=e: k.hockey_stick(p, q, e) for e in (-1, 0, 0.5)]
    + [lambda p, q, n=n: k.f_divergence(p, q, n) for n in GENERATORS]
    + [k.kl, k.max_divergence, k.total_variation, k.hellinger]
)


@pytest.mark.parametrize("f", MONOTONE)
def test_data_processing_and_batches(f):
    rng = np.random.default_rng(10)
    p, q = rng.dirichlet(np.ones(6), size=(2, 30))
    channels = rng.dirichlet(np.full(4, 0.5), size=(30, 6))
    before = f(p, q)
    after = f(np.einsum("ti,tij->tj", p, channels), np.einsum("ti,tij->tj", q, channels))
    assert before.shape == (30,)
    assert (after <= before + 1e-13).all()
    assert before == pytest.approx([f(x, y) for x, y in zip(p, q, strict=True)], rel=1e-15, abs=1e-16)
    assert f(p[:, None], q).shape == (30, 30)


# Multiprecision


@pytest.mark.parametrize("alpha", [0, Fraction(1, 3), "0.5", 1, Fraction(10**20 + 1, 10**20), 2, 7, 1000, INF])
def test_multiprecision_on_fractions(alpha):
    p, q = [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)], [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]
    with mpmath.workdps(120):
        x, y = ([mpf(v.numerator) / v.denominator for v in w] for w in (p, q))
        a = INF if alpha == INF else mpf(Fraction(alpha).numerator) / Fraction(alpha).denominator
        if a == INF:
            want = mpmath.log(2)
        elif a == 1:
            want = sum(u * mpmath.log(u / v) for u, v in zip(x, y, strict=True))
        else:
            want = mpmath.log(sum(u**a * v ** (1 - a) for u, v in zip(x, y, strict=True))) / (a - 1)
        value = k.mp.evaluate(k.renyi, p, q, alpha, digits=60)
        assert abs(value - want) <= mpf(10) ** -59 * max(abs(want), mpf(10) ** -59)


def test_multiprecision_rational_results_are_exact():
    p, q = ["1/6", "1/3", "1/2"], ["1/2", "1/4", "1/4"]
    with mpmath.workdps(50):
        third = mpf(1) / 3
        assert abs(k.mp.total_variation(p, q) - third) < mpf(10) ** -49
        assert abs(k.mp.hockey_stick(p, q, 0) - third) < mpf(10) ** -49
        assert abs(k.mp.f_divergence(p, q, "chi_squared") - (mpf(2) / 9 + mpf(1) / 36 + mpf(1) / 4)) < mpf(10) ** -49
        assert k.mp.hockey_stick(p, q, -INF) == 1 and k.mp.hockey_stick(p, q, INF) == 0
        assert abs(k.mp.kl(["1/2", "1/2"], [1, 1]) + mpmath.log(2)) < mpf(10) ** -49
        assert k.mp.max_divergence(p, q) == mpmath.log(2)


def test_chi_squared_of_ratios_beyond_floats():
    for p, q in (([1e-10, 1], [5e-324, 1]), ([1e-200, 1], [1e-300, 1]), ([1, 1e-300], [1, 3e-300])):
        a, b = ([Fraction(x) for x in w] for w in (p, q))
        want = sum((x - y) ** 2 / y for x, y in zip(a, b, strict=True))
        assert k.f_divergence(p, q, "chi_squared") == pytest.approx(float(want), rel=1e-14)


@pytest.mark.parametrize("pair", [(1e-170, 1e-190), (1e-160, 3e-160), (1e160, 1e155), (1e-9, 0.0), (5e-324, 1e-300)])
def test_chi_squared_of_many_letters_with_squares_beyond_floats(pair):
    """The literal formula would give 0 or infinity."""
    p, q = (np.repeat(x, 1500) for x in pair)
    a, b = map(Fraction, pair)
    want = float(1500 * (a - b) ** 2 / b) if b else INF
    assert k.f_divergence(p, q, "chi_squared") == pytest.approx(want, rel=1e-13)
    assert k.f_divergence(np.append(p, 0.5), np.append(q, 0.25), "chi_squared") == pytest.approx(want + 0.25, rel=1e-13)


# At the ends of the ranges


def test_hellinger_distance_of_masses_far_from_one():
    """1 - sqrt(0.125 * 6.6e303 ...), which would be lost in the sum of q."""
    p, q = [0.125, 0.875], [6.6e303, 1e-50]
    with mpmath.workdps(50):
        want = 1 - sum(mpmath.sqrt(mpmath.mpf(a) * b) for a, b in zip(p, q, strict=True))
    assert abs(k.hellinger(p, q) - want) <= 1e-15 * abs(want)


def test_equal_weights_have_no_negative_zero():
    for alpha in (0, 1e-300, 0.3, 0.999999999, 1, 1 + 1e-12, 2, 1e300, math.inf):
        value = k.renyi([0.3, 0.7], [0.3, 0.7], alpha)
        assert value == 0 and not np.signbit(value)
    assert not np.signbit(k.renyi([1.0], [1.0], np.array([0.5, 0.9])) + np.zeros(2)).any()


@pytest.mark.parametrize("alpha", [1e291, 1e300, 1.7e308])
def test_the_largest_orders_are_that_of_infinity(alpha):
    p, q = [0.5, 0.5], [1e-200, 1.0]
    assert k.renyi(p, q, alpha) == k.max_divergence(p, q)
    assert k.sandwiched_renyi(np.diag(p), np.diag(q), alpha) == pytest.approx(k.max_divergence(p, q), rel=1e-15)
    assert k.renyi(p, q, 1e280) == pytest.approx(k.max_divergence(p, q), rel=1e-15)


def test_order_one_of_a_letter_that_underflows_next_to_another():
    """0 * inf: a letter of weight 1e-320 next to one of 1e300 outside the support of q."""
    assert k.renyi([1e300, 1e-320], [1.0, 0.0], 1) == math.inf
    assert k.kl([1e300, 1e-320], [1.0, 0.0]) == math.inf


def test_values_beyond_the_floats_are_infinite_without_a_warning():
    p = [1.7e308] * 3
    assert k.hockey_stick(p, [1.0] * 3, 0) == math.inf
    assert k.f_divergence([1e270], [1e-17], "chi_squared") == math.inf
    assert k.total_variation(p, [1.0] * 3) == math.inf


def test_hellinger_of_a_reference_with_another_sum():
    """1 - sqrt(1/4 * 1) and 1 - sqrt(1/8): the sum of q does not enter."""
    assert k.hellinger([1, 0], [0.25, 0.5]) == pytest.approx(0.5, rel=1e-15)
    assert k.hellinger([0.5, 0.5], [0.25, 0]) == pytest.approx(1 - math.sqrt(0.125), rel=1e-15)


def precise(p, q, alpha):
    """Return the divergence by mpmath; alpha = 1 is the relative entropy."""
    with mpmath.workdps(50):
        pairs = [(mpmath.mpf(a), mpmath.mpf(b)) for a, b in zip(p.tolist(), q.tolist(), strict=True)]
        if alpha == 1:
            return float(mpmath.fsum(a * mpmath.log(a / b) for a, b in pairs))
        power = mpmath.fsum(a**alpha * b ** (1 - mpmath.mpf(alpha)) for a, b in pairs)
        return float(mpmath.log(power / mpmath.fsum(a for a, _ in pairs)) / (alpha - 1))


@pytest.mark.slow
@pytest.mark.parametrize("size", [2.0**-1, 2.0**-10, 2.0**-30])
def test_long_vectors_in_pieces_lose_no_digits(size, monkeypatch):
    monkeypatch.setattr(FLOAT64, "piece", 256)
    monkeypatch.setattr(FLOAT64, "plain_length", 512)
    rng = np.random.default_rng(0)
    q = np.repeat(rng.integers(1, 2**20, 750), 2) / 2**20
    p = q * (1 + size * np.tile([1, -1], 750))  # with the sum of q
    want = precise(p, q, 1)
    assert k.kl(p, q) == pytest.approx(want, rel=1e-11)
    assert k.f_divergence(p, q, "reverse_kl") == pytest.approx(precise(q, p, 1), rel=1e-11)
    for alpha in (0.3, 2.5):
        assert k.renyi(p, q, alpha) == pytest.approx(precise(p, q, alpha), rel=1e-11 if size > 1e-6 else 1e-4)
    plain = abs(scipy.special.rel_entr(p, q).sum() / want - 1)
    assert (plain > 1e-9) == (size < 1e-6)  # a plain sum is not accurate enough there


def test_a_long_sum_takes_little_memory():
    p, q = np.random.default_rng(0).random((2, 10**6))
    for work in (k.kl, lambda p, q: k.renyi(p, q, 3), lambda p, q: k.hockey_stick(p, q, 0.1)):
        tracemalloc.start()
        work(p, q)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 4 * 2**20  # half of p


def test_weights_close_to_the_largest_number():
    """Divergences are homogeneous; compared at 2^-400 times the weights. Values above all floats are +inf."""
    rng = np.random.default_rng(5)
    for n in (3, 700):
        p, q = rng.random((2, n)) * 2.0**1009
        q[0] = p[0] / 2
        for epsilon in (0.1, 0, -2, 0.5):
            small = k.hockey_stick(p * 2.0**-400, q * 2.0**-400, epsilon)
            assert k.hockey_stick(p, q, epsilon) == pytest.approx(small * 2.0**400, rel=1e-14) and small > 0
        for name in ("kl", "reverse_kl", "hellinger", "chi_squared", "total_variation"):
            small = k.f_divergence(p * 2.0**-400, q * 2.0**-400, name)
            assert (
                abs(k.f_divergence(p, q, name) - small * 2.0**400) < 1e-13 * p.max() * n and small != 0
            )  # logarithms are 700
    p, q = rng.random((2, 1024)) * 1.7e308
    assert {k.f_divergence(p, q, name) for name in ("kl", "reverse_kl", "hellinger")} == {INF}
    for z in (p, q):
        z[:2] = 1e-300, 1e-310  # next to small weights, and close to the smallest ones
    assert {k.f_divergence(p, q, name) for name in ("kl", "reverse_kl", "hellinger")} == {INF}
    assert k.hockey_stick(p, q, 0.1) == INF and k.hockey_stick(p, np.maximum(p, q), 0) == 0


def test_long_vectors_that_are_close_lose_no_digits():
    """Half the weights are 1 + t and half 1 - t times those of q."""
    t, n = 2.0**-20, 2**15
    q = np.full(n, 1 / n)
    p = q * (1 + t * np.where(np.arange(n) < n // 2, 1, -1))
    with mpmath.workdps(40):
        exact = float(((1 + t) * mpmath.log1p(t) + (1 - t) * mpmath.log1p(-t)) / 2)
    assert k.kl(p, q) == pytest.approx(exact, rel=1e-13, abs=0)
