"""Composition compared with brute force over outcomes, exact rationals, continued fractions and published values."""

import itertools
import tracemalloc
import warnings
from fractions import Fraction
from math import comb

import flint
import mpmath
import numpy as np
import pytest
from mpmath import mpf

from krdtheory import ball, mp
from krdtheory.arithmetic import FLOAT64
from krdtheory.arithmetic.mp import at_digits
from krdtheory.privacy import composition as c
from krdtheory.privacy.composition import losses
from krdtheory.privacy.conversions import gdp_to_delta

INF = np.inf
EPS = 2.0**-52


def canonical(odds, delta):
    """Return the worst pair with log-odds log(odds), and its reverse."""
    hidden = (1 - delta) / (1 + odds)
    p = [delta, hidden * odds, hidden, 0 * hidden]
    return p, p[::-1]


def brute_delta(odds, delta, total_odds):
    """Return the hockey-stick divergence of the product of canonical pairs, outcome by outcome."""
    pairs = [canonical(o, d) for o, d in zip(odds, delta, strict=True)]
    total = 0 * total_odds
    for outcome in itertools.product(range(4), repeat=len(pairs)):
        p = q = 1
        for (x, y), i in zip(pairs, outcome, strict=True):
            p, q = p * x[i], q * y[i]
        total += max(p - total_odds * q, 0)
    return total


def exact_epsilon(odds, delta, k, total):
    """Return max_l (A_l - d) / B_l in rationals."""
    d = 1 - (1 - total) / (1 - delta) ** k
    p = [comb(k, j) * odds**j / (1 + odds) ** k for j in range(k + 1)]
    q = p[::-1]
    return max((sum(p[j:]) - d) / sum(q[j:]) for j in range(k + 1))


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 7), Fraction(1)])
def test_delta_is_that_of_the_product(k, delta):
    """Compared with exact rationals; log(3) is rounded, and the condition number of the sum is below 10 here."""
    for odds, total in ((Fraction(3), Fraction(1, 5)), (Fraction(3), Fraction(2)), (Fraction(3, 2), Fraction(1))):
        want = brute_delta([odds] * k, [delta] * k, total)
        with mpmath.workdps(50):
            e, t = (
                mpmath.log(mpf(odds.numerator) / odds.denominator),
                mpmath.log(mpf(total.numerator) / total.denominator),
            )
            got = at_digits(
                c.optimal_composition_delta, 30, epsilon=mpmath.mpmathify(e), delta=delta, k=k, total_epsilon=t
            )
            assert abs(got - mpf(want.numerator) / want.denominator) <= mpf(10) ** -29
        plain = c.optimal_composition_delta(epsilon=float(e), delta=float(delta), k=k, total_epsilon=float(t))
        assert plain == pytest.approx(float(want), rel=40 * EPS, abs=40 * EPS * k)


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2, 7, 30])
def test_epsilon_is_the_largest_quotient(k):
    for delta in (Fraction(0), Fraction(1, 1000)):
        for total in (Fraction(1, 10**6), Fraction(1, 50), Fraction(1, 3), Fraction(9, 10)):
            d = 1 - (1 - total) / (1 - delta) ** k
            got = at_digits(
                c.optimal_composition,
                30,
                epsilon=_log(2),
                delta=delta,
                k=k,
                total_delta=total,
            )
            plain = c.optimal_composition(epsilon=np.log(2), delta=float(delta), k=k, total_delta=float(total))
            if d < 0:
                assert got == INF and plain == INF
                continue
            want = exact_epsilon(Fraction(2), delta, k, total)
            with mpmath.workdps(60):
                exact = mpmath.log(mpf(want.numerator) / want.denominator)
                assert abs(got - exact) <= mpf(10) ** -28 * max(1, abs(exact))
            # total and (1 - delta)^k are rounded: d by k eps, and epsilon by that over e^epsilon B
            assert plain == pytest.approx(float(exact), rel=1e-12, abs=8 * EPS * (k + 1) / min(1, float(d)))


def _log(x):
    with mpmath.workdps(80):
        return mpmath.log(x)


def test_zero_epsilon_and_extreme_arguments():
    assert c.optimal_composition(epsilon=0, delta=0, k=5, total_delta=0) == 0
    assert c.optimal_composition(epsilon=0, delta=0, k=5, total_delta=0.5) == pytest.approx(np.log(0.5))
    assert c.optimal_composition(epsilon=0, delta=0, k=5, total_delta=0.5, nonnegative=True) == 0
    assert c.optimal_composition(epsilon=0.3, delta=0, k=5, total_delta=0) == 1.5
    assert c.optimal_composition(epsilon=0.3, delta=0.1, k=5, total_delta=0.1) == INF
    assert c.composition_bound(epsilon=0.3, delta=0.1, k=5, total_delta=0.1) == INF
    x = np.array([-2, -1.5, -1, 0, 1.5, 2])
    got = c.optimal_composition_delta(epsilon=0.3, delta=0, k=5, total_epsilon=x)
    assert got[:2] == pytest.approx(-np.expm1(x[:2]), rel=1e-15) and (got[4:] == 0).all()
    assert got[3] < 1 and c.optimal_composition_delta(epsilon=0.3, delta=1, k=5, total_epsilon=9) == 1
    assert c.optimal_composition_delta(epsilon=800, delta=0, k=3, total_epsilon=100) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("delta", "k", "total"), [("0", 5, "1/2"), ("1/1000", 7, "9/10"), ("1e-17", 2, "0.999999")])
@mpmath.workdps(70)
def test_the_renyi_bound_at_epsilon_zero_is_the_limit(delta, k, total):
    """It is the logarithm of (1 - total) / (1 - delta)^k; a tiny epsilon gives at least that, and hardly more."""
    d, t = (mpf(int(z.numerator)) / int(z.denominator) for z in map(Fraction, (delta, total)))
    want = mpmath.log(1 - t) - k * mpmath.log(1 - d)
    exact = {"epsilon": 0, "delta": delta, "k": k, "total_delta": total}
    for method in ("renyi", "best"):
        assert abs(mp.evaluate(c.composition_bound, **exact, method=method, digits=30) - want) < mpf(10) ** -28
        found = ball.composition_bound(**exact, method=method, digits=30)
        with flint.ctx.workprec(300):
            assert found.contains(flint.arb(mpmath.nstr(want, 65))) and found.rad() < 1e-28
        plain = {**exact, "delta": float(Fraction(delta)), "total_delta": float(Fraction(total))}
        found = c.composition_bound(**plain, method=method)
        assert found == pytest.approx(float(want), rel=1e-9)  # of the rounded total, which is near 1
        truth = mpmath.log(1 - mpf(plain["total_delta"])) - k * mpmath.log(1 - mpf(plain["delta"]))
        assert truth <= mpf(float(found)) <= truth + 4 * abs(truth) * mpf(2) ** -53
        assert found <= c.composition_bound(**{**plain, "epsilon": 1e-12}, method=method) <= found + 1e-9


# Large k


def upper_tail(k, p, j):
    """Return P(Bin(k, p) >= j) by the continued fraction of the incomplete beta function (Lentz), with 60 digits."""
    a, b = mpf(j), mpf(k - j + 1)
    if p > (a + 1) / (a + b + 2):
        return 1 - upper_tail(k, 1 - p, k - j + 1)
    front = mpmath.exp(
        a * mpmath.log(p) + b * mpmath.log(1 - p) + mpmath.loggamma(a + b) - mpmath.loggamma(a) - mpmath.loggamma(b)
    )
    f, cc, d = mpf(1), mpf(1), mpf(0)
    for i in range(100000):
        m = i // 2
        if i == 0:
            numerator = mpf(1)
        elif i % 2 == 0:
            numerator = m * (b - m) * p / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            numerator = -(a + m) * (a + b + m) * p / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + numerator * d)
        cc = 1 + numerator / cc
        f *= d * cc
        if abs(1 - d * cc) < mpf(10) ** -55:
            return front * (f - 1) / a
    raise ArithmeticError


@pytest.mark.slow
@pytest.mark.parametrize(
    ("epsilon", "k", "total"),
    [
        (1e-6, 10**6, 0.03),
        (1e-3, 10**6, 5.0),
        (1e-3, 10**6, -0.5),
        (0.1, 10**6, 5300.0),
        (0.7, 10**6, 235700.0),
        (1.0, 10**6, 470000.0),
        (1.9, 10**6, 1405700.0),
        (0.01, 10**5, 30.0),
        (0.7, 10**5, 26000.0),
    ],
)
def test_a_million_folds(epsilon, k, total):
    """The relative error is half a dozen roundings in each of the first sqrt(k) ratios, and none in the losses."""
    with mpmath.workdps(70):
        e, x = mpf(epsilon), mpf(total)
        p = 1 / (1 + mpmath.exp(-e))
        j = int(mpmath.floor((x / e + k) / 2)) + 1
        want = upper_tail(k, p, j) - mpmath.exp(x) * upper_tail(k, 1 - p, j)
        tol = 3 * np.sqrt(k) * EPS
        got = c.optimal_composition_delta(epsilon=epsilon, delta=0, k=k, total_epsilon=total)
        assert abs(got - want) <= tol * want
        back = c.optimal_composition(epsilon=epsilon, delta=0, k=k, total_delta=float(want))
        slope = mpmath.exp(x) * upper_tail(k, 1 - p, j)  # of delta in epsilon
        assert abs(back - total) <= tol * want / slope + 4 * EPS * abs(total)


def test_total_delta_just_above_that_of_the_revealing_outcomes():
    """If total is just above k delta, it is the profile at the remainder, in rationals."""
    for k, delta in ((100, 1e-6), (1000, 1e-10)):
        total = k * delta * (1 + 1e-7)
        left = float(1 - (1 - Fraction(total)) / (1 - Fraction(delta)) ** k)
        want = c.optimal_composition(epsilon=0.1, delta=0, k=k, total_delta=left)
        got = c.optimal_composition(epsilon=0.1, delta=delta, k=k, total_delta=total)
        assert got == pytest.approx(want, rel=4 * EPS)
    assert c.optimal_composition(epsilon=0.1, delta=0.01, k=10**6, total_delta=0.5) == INF  # e^10050


def test_many_folds_are_nearly_gaussian():
    """As k grows with epsilon sqrt(k) = 1 (Dong, Roth and Su 2022, Theorem 3.5), here at a rate of 1 / k."""
    x = np.array([-1.0, 0, 0.5, 1, 3])
    m, gaps = gdp_to_delta(mu=1, epsilon=x), []
    for k in (10**4, 10**6):
        gaps.append(abs(c.optimal_composition_delta(epsilon=k**-0.5, delta=0, k=k, total_epsilon=x) - m))
    assert (gaps[0] < 1e-4).all() and (gaps[1] < gaps[0] / 30).all()


def test_multiprecision_at_many_folds():
    with mpmath.workdps(70):
        e, x, k = mpf(1) / 64, mpf(3), 10**4
        p = 1 / (1 + mpmath.exp(-e))
        j = int((x / e + k) / 2) + 1
        want = upper_tail(k, p, j) - mpmath.exp(x) * upper_tail(k, 1 - p, j)
        got = at_digits(c.optimal_composition_delta, 30, epsilon=e, delta=0, k=k, total_epsilon=x)
        assert abs(got - want) <= mpf(10) ** -29 * want


def test_tiny_delta():
    """Only the top outcome counts: delta = p^k (1 - e^(x - k epsilon)), down to 1e-300."""
    for k in (10, 500):
        x = (k - 1) * 0.5
        want = mpmath.mpf(1) / (1 + mpmath.exp(-0.5))
        want = want**k * -mpmath.expm1(-0.5)
        assert c.optimal_composition_delta(epsilon=0.5, delta=0, k=k, total_epsilon=x) == pytest.approx(
            float(want), rel=1e-12
        )
        tiny = c.optimal_composition(epsilon=0.5, delta=0, k=k, total_delta=1e-300)
        assert tiny == pytest.approx(k * 0.5, rel=1e-15)


# Bounds

# epsilon, delta, k, delta': Theorem 20, Theorem 18, Dwork-Rothblum-Vadhan, tanh, tanh_log (colisson.thm20)
TABLE = [
    ("0.1", "1e-6", 100, "1e-6", "5.7565217697569319786", "5.7823763601351701027", "6.3082309505134082267", "5.7561055193357317006", "5.7561060364605757121"),  # noqa: E501
    ("0.5", "0", 20, "1e-5", "13.229830131446736198", "13.973436484947376932", "17.217042838448017667", "13.179016755483827491", "13.547680475744758711"),  # noqa: E501
    ("1", "1e-3", 30, "0.05", "28.406861542256616428", "39.181088969142294959", "64.955316396027973489", "27.270376260056909183", "30.693563722868018174"),  # noqa: E501
    ("0.01", "0", 1000, "1e-9", "2.0858421273245335394", "2.0860929627453738271", "2.1363437981662141148", "2.0858417106620334972", "2.0284825020934517236"),  # noqa: E501
]  # fmt: skip
# epsilon, delta, k, delta', epsilon_opt at k delta + delta'
OPTIMA = [
    ("0.1", "1e-6", 100, "1e-6", "4.7738985425582991128"),
    ("0.1", "1e-8", 500, "1e-6", "12.517872284477960608"),
    ("0.5", "0", 20, "1e-5", "9.8594110241151243468"),
    ("0.5", "1e-5", 50, "1e-5", "18.930153825317749648"),
    ("1", "0", 1, "0.01", "0.98622678888689248888"),
    ("1", "0", 5, "1e-3", "4.9951995594368254383"),
    ("1", "1e-3", 30, "0.05", "20.724437911281073516"),
    ("0.01", "0", 1000, "1e-9", "1.7829322998948331465"),
]
# the Renyi curve of randomised response with the sharp conversion of Theorem 16: the optimal one is below
RENYI_SHARP = {("0.1", "1e-6", 100, "1e-6"): 5.0731061746320306961, ("0.01", "0", 1000, "1e-9"): 1.8754563731332975307}


@pytest.mark.parametrize("row", TABLE)
def test_bounds_of_the_literature(row):
    epsilon, delta, k, slack, *values = row
    d, s = Fraction(delta), Fraction(slack)
    total = 1 - (1 - d) ** k * (1 - s)
    methods = ("colisson", "dwork_rothblum", "dwork_rothblum_vadhan", "tanh", "tanh_log")
    for method, value in zip(methods, values, strict=True):
        got = at_digits(c.composition_bound, 25, epsilon=epsilon, delta=delta, k=k, total_delta=total, method=method)
        with mpmath.workdps(30):
            assert abs(got - mpf(value)) <= mpf(10) ** -19 * mpf(value)
        plain = c.composition_bound(
            epsilon=float(epsilon), delta=float(d), k=k, total_delta=float(total), method=method
        )
        assert plain == pytest.approx(float(value), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("row", OPTIMA)
def test_optima_of_the_literature(row):
    epsilon, delta, k, slack, value = row
    total = k * Fraction(delta) + Fraction(slack)
    with mpmath.workdps(30):
        got = at_digits(c.optimal_composition, 22, epsilon=epsilon, delta=delta, k=k, total_delta=total)
        assert abs(got - mpf(value)) <= mpf(10) ** -18 * mpf(value)
    plain = c.optimal_composition(epsilon=float(epsilon), delta=float(delta), k=k, total_delta=float(total))
    assert plain == pytest.approx(float(value), rel=1e-12)
    key = (epsilon, delta, k, slack)
    if key in RENYI_SHARP:
        renyi = c.composition_bound(
            epsilon=float(epsilon), delta=float(delta), k=k, total_delta=float(total), method="renyi"
        )
        assert float(value) < renyi <= RENYI_SHARP[key]


@pytest.mark.slow
def test_every_bound_is_above_the_optimum():
    rng = np.random.default_rng(0)
    n = 30
    e, k = 10 ** rng.uniform(-2, 0.5, n), np.rint(10 ** rng.uniform(0, 2.5, n))
    d = np.where(rng.random(n) < 0.5, 0, 10 ** rng.uniform(-9, -4, n))
    total = k * d + 10 ** rng.uniform(-12, -0.3, n)
    best = c.optimal_composition(epsilon=e, delta=d, k=k, total_delta=total)
    bounds = {m: c.composition_bound(epsilon=e, delta=d, k=k, total_delta=total, method=m) for m in c.METHODS}
    for bound in bounds.values():
        assert (bound >= best * (1 - 1e-12)).all() and (bound >= bounds["best"]).all()
    assert (bounds["tanh"] <= bounds["colisson"]).all()
    assert (bounds["colisson"] <= bounds["dwork_rothblum"]).all()
    assert (bounds["dwork_rothblum"] <= bounds["dwork_rothblum_vadhan"]).all()
    assert (bounds["renyi"] <= bounds["colisson"]).all()


# Different mechanisms


@pytest.mark.slow
def test_heterogeneous_is_the_product():
    rng = np.random.default_rng(1)
    for n in range(1, 6):
        e, d = rng.uniform(0, 2, n), rng.uniform(0, 0.1, n) * (n % 2)
        for x in (-0.3, 0, 0.5, 1.7):
            want = brute_delta(np.exp(e), d, np.exp(x))
            lower, upper = c.heterogeneous_composition_delta(epsilon=e, delta=d, total_epsilon=x)
            assert lower == upper == pytest.approx(want, rel=1e-12, abs=4 * EPS)
            if abs(x) < e.sum():
                back = c.heterogeneous_composition(epsilon=e, delta=d, total_delta=want)
                assert back == pytest.approx([x, x], abs=1e-11)


def test_equal_mechanisms_are_the_homogeneous_case():
    for k, x in ((3, 0.4), (50, 2.0), (300, 5.0)):
        want = c.optimal_composition_delta(epsilon=0.2, delta=1e-3, k=k, total_epsilon=x)
        got = c.heterogeneous_composition_delta(epsilon=[0.2] * k + [0], delta=[1e-3] * k + [0], total_epsilon=x)
        assert got == pytest.approx([want, want], rel=1e-13)
        almost = [0.2] * (k - k // 2) + [np.nextafter(0.2, 1)] * (k // 2)  # two kinds, by the sums over halves
        assert c.heterogeneous_composition_delta(epsilon=almost, delta=1e-3, total_epsilon=x) == pytest.approx(
            got, rel=1e-12
        )


def test_heterogeneous_deltas_next_to_one_in_multiprecision():
    """1 - delta < e^-700, since the mechanism with epsilon = 800 reveals everything: to 20 digits delta is 1."""
    epsilon = [0.01, 0.5, 2, 7, 300, 800]
    found = mp.heterogeneous_composition_delta(epsilon=epsilon, delta=1e-6, total_epsilon=0.5, digits=20)
    assert found.tolist() == [1, 1] and all(isinstance(x, mpf) or hasattr(x, "_mpf_") for x in found)


def test_heterogeneous_in_multiprecision():
    e = ["0.1", "0.25", "0.5", "0.5", "1"]
    with mpmath.workdps(40):
        odds = [mpmath.exp(mpf(x)) for x in e]
        want = brute_delta(odds, [mpf(1) / 100] * 5, mpmath.exp(mpf(1) / 2))
        got = at_digits(c.heterogeneous_composition_delta, 25, epsilon=e, delta="0.01", total_epsilon="0.5")
        assert abs(got - want).max() <= mpf(10) ** -24
        back = at_digits(c.heterogeneous_composition, 20, epsilon=e, delta="0.01", total_delta=want)
        assert abs(back - mpf("0.5")).max() <= mpf(10) ** -19


@pytest.mark.slow
@pytest.mark.parametrize("n", [16, 24])
def test_bracket_contains_the_exact_value(n, monkeypatch):
    rng = np.random.default_rng(2)
    e = rng.uniform(0.05, 0.4, n)
    totals = (-0.2, 0.0, 0.5, 1.5, 0.8 * e.sum())
    exact = [c.heterogeneous_composition_delta(epsilon=e, delta=1e-6, total_epsilon=x).mean() for x in totals]
    narrow = c.heterogeneous_composition(epsilon=e, delta=1e-6, total_delta=1e-3)
    sharp = narrow.mean()
    assert bool(narrow[0] < narrow[1] < narrow[0] + 1e-8) is (n == 24)  # too many sums for mpmath
    monkeypatch.setattr(c.losses, "MOST_SUMS", 1)
    widths = []
    for bins in (2**10, 2**13):
        for x, want in zip(totals, exact, strict=True):
            lower, upper = c.heterogeneous_composition_delta(epsilon=e, delta=1e-6, total_epsilon=x, bins=bins)
            assert lower <= want <= upper
        low, high = c.heterogeneous_composition(epsilon=e, delta=1e-6, total_delta=1e-3, bins=bins)
        assert low <= sharp <= high
        widths.append(high - low)
    assert widths[1] < widths[0] / 30  # of the order of the square of the bins


@pytest.mark.slow
@pytest.mark.parametrize("bins", [16, 2**11, 2**15])
def test_bracket_of_few_mechanisms(bins, monkeypatch):
    """Compared with the product, from total deltas below the upper profile to those of loss 0."""
    monkeypatch.setattr(c.losses, "MOST_SUMS", 1)
    rng = np.random.default_rng(3)
    for n in range(2, 6):  # for one kind there is a separate profile
        e, d = rng.uniform(0, 1, n), np.array([1e-6] + [0] * (n - 1))
        for x in (-0.4, 0.0, 0.5 * e.sum(), e.sum() - 1e-6, e.sum() - 1e-12):
            with mpmath.workdps(40):
                odds, revealed = [mpmath.exp(mpf(v)) for v in e], [mpf(v) for v in d]
                want = brute_delta(odds, revealed, mpmath.exp(mpf(x)))
                lower, upper = c.heterogeneous_composition_delta(epsilon=e, delta=d, total_epsilon=x, bins=bins)
                assert lower <= want <= upper
                total = float(want) * (1 + 1e-12)
                low, high = c.heterogeneous_composition(epsilon=e, delta=d, total_delta=total, bins=bins)
                assert brute_delta(odds, revealed, mpmath.exp(mpf(low))) >= total
                assert brute_delta(odds, revealed, mpmath.exp(mpf(high))) <= total
    lower, upper = c.heterogeneous_composition(epsilon=np.linspace(0.1, 0.2, 60), delta=0, total_delta=1e-200)
    assert 0 < lower <= upper <= np.linspace(0.1, 0.2, 60).sum() * (1 + 1e-13)


@pytest.mark.slow
def test_bracket_of_many_mechanisms():
    """It is between the homogeneous compositions of the smallest and of the largest."""
    e = np.linspace(0.02, 0.03, 400)
    lower, upper = c.heterogeneous_composition(epsilon=e, delta=0, total_delta=1e-6)
    least = c.optimal_composition(epsilon=0.02, delta=0, k=400, total_delta=1e-6)
    most = c.optimal_composition(epsilon=0.03, delta=0, k=400, total_delta=1e-6)
    assert least < lower < upper < most and upper - lower < 1e-4 * upper
    big = c.heterogeneous_composition(epsilon=np.linspace(1, 2, 1000), delta=0, total_delta=1e-6, bins=2**12)
    assert 0 < big[0] < big[1] < 1500 and big[1] - big[0] < 0.01 * big[1]


# Bad input


@pytest.mark.parametrize(
    ("change", "error", "name"),
    [
        ({"epsilon": -1}, ValueError, "epsilon"),
        ({"epsilon": "x"}, TypeError, "epsilon"),
        ({"epsilon": INF}, ValueError, "epsilon"),
        ({"delta": 1}, ValueError, "delta"),
        ({"delta": -1e-9}, ValueError, "delta"),
        ({"k": 0}, ValueError, "k"),
        ({"k": 2.5}, TypeError, "k"),
        ({"k": 10**10}, ValueError, "k"),
        ({"total_delta": 1}, ValueError, "total_delta"),
        ({"total_delta": np.nan}, ValueError, "total_delta"),
        ({"epsilon": [1, 2], "delta": [0, 0, 0]}, ValueError, "epsilon"),
    ],
)
def test_bad_input(change, error, name):
    good = {"epsilon": 0.1, "delta": 0, "k": 3, "total_delta": 0.1}
    for f in (c.optimal_composition, c.composition_bound):
        with pytest.raises(error, match=name):
            f(**(good | change))


def test_bad_methods_and_lists():
    with pytest.raises(ValueError, match="colisson"):
        c.composition_bound(epsilon=1, delta=0, k=2, total_delta=0.1, method="naive")
    with pytest.raises(ValueError, match="epsilon"):
        c.heterogeneous_composition(epsilon=0.1, delta=0, total_delta=0.1)
    with pytest.raises(ValueError, match="bins"):
        c.heterogeneous_composition(epsilon=np.linspace(0.1, 0.2, 60), delta=0, total_delta=0.1, bins=3)
    with pytest.raises(ValueError, match="epsilon"):
        at_digits(c.heterogeneous_composition, 20, epsilon=np.linspace(0.1, 0.2, 60), delta=0, total_delta=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [[0.1, 0.2], [0.1] * 60, np.linspace(0.1, 0.2, 60)], ids=["two", "equal", "bins"])
@pytest.mark.parametrize("nonnegative", [False, True])
def test_no_epsilon_is_guaranteed_if_more_is_revealed_than_the_total(epsilon, nonnegative):
    n = len(epsilon)
    shares = [0.01] + [0] * (n - 1)
    for delta, total in ((shares, 1e-5), (0.01, 1e-5), (shares, np.nextafter(0.01, 0))):
        got = c.heterogeneous_composition(epsilon=epsilon, delta=delta, total_delta=total, nonnegative=nonnegative)
        assert got.tolist() == [INF, INF]
    # exactly the total leaves nothing for the epsilons: only their sum is guaranteed
    lower, upper = c.heterogeneous_composition(epsilon=epsilon, delta=shares, total_delta=0.01, nonnegative=nonnegative)
    assert lower <= upper == pytest.approx(sum(epsilon), rel=1e-12)
    # and a little more leaves less
    lower, upper = c.heterogeneous_composition(epsilon=epsilon, delta=shares, total_delta=0.5, nonnegative=nonnegative)
    assert lower <= upper < sum(epsilon) / 2


def test_no_epsilon_is_guaranteed_in_multiprecision():
    got = at_digits(c.heterogeneous_composition, 30, epsilon=["0.1", "0.2"], delta=["0.01", 0], total_delta="1e-5")
    assert [float(x) for x in got] == [INF, INF]


@pytest.mark.parametrize("total", [[], [0.1, 0.2], [[]]])
def test_the_total_must_be_one_number(total):
    with pytest.raises(ValueError, match="total_epsilon must be one number"):
        c.heterogeneous_composition_delta(epsilon=[0.1], delta=0, total_epsilon=total)
    with pytest.raises(ValueError, match="total_delta must be one number"):
        c.heterogeneous_composition(epsilon=[0.1], delta=0, total_delta=total)


@pytest.mark.slow
@pytest.mark.parametrize("method", c.METHODS)
def test_bounds_beyond_the_largest_float_are_infinite(method):
    got = c.composition_bound(
        epsilon=[1e308, 1e308, 1e300, 0.1], delta=0, k=[10**9, 1, 1, 10], total_delta=1e-5, method=method
    )
    assert not np.isnan(got).any()
    assert got[0] == INF
    assert (got[1:3] >= np.array([1e308, 1e300]) * (1 - 1e-14)).all()
    assert got[3] == pytest.approx(c.composition_bound(epsilon=0.1, delta=0, k=10, total_delta=1e-5, method=method))


@pytest.mark.slow
def test_optimal_composition_at_the_ends_of_the_ranges():
    """Warnings are errors. Losses between the extremes have probabilities e^-epsilon, which are 0."""
    sizes = [0, 5e-324, 1e-308, 1e-150, 1e-3, 30, 700, 1e10, 1e300, 1.7e308]
    for k, total in itertools.product([1, 3, 10**6], [0, 5e-324, 1e-16, 0.5, 1 - 2**-53]):
        got = c.optimal_composition(epsilon=sizes, delta=0, k=k, total_delta=total)
        assert not np.isnan(got).any()
        assert (np.diff(got[got < INF]) >= -1e-13 * abs(got[got < INF][1:])).all()
        exact = [min(Fraction(x) * k, Fraction(10) ** 400) for x in sizes[-3:]]
        for value, most in zip(got[-3:], exact, strict=True):
            assert value == (INF if most > Fraction(1.7976e308) else pytest.approx(float(most), rel=1e-6))
    for k, x in itertools.product([1, 1000], [-1.7e308, -1, 0, 1, 1.7e308]):
        deltas = c.optimal_composition_delta(epsilon=sizes, delta=0, k=k, total_epsilon=x)
        assert ((deltas >= 0) & (deltas <= 1)).all()
        assert (np.diff(deltas) >= -1e-15).all()


def largest_quotient(e, k, total):
    """Return the maximum over l of log((A_l - d) / B_l) in 900 digits, of which close distributions cancel 600."""
    context = mpmath.MPContext()
    context.dps = 900
    p = 1 / (1 + context.exp(-context.mpf(e)))
    terms = [comb(k, j) * p**j * (1 - p) ** (k - j) for j in range(k + 1)]
    above, below = [sum(terms[j:]) for j in range(k + 1)], [sum(terms[: k - j + 1]) for j in range(k + 1)]
    d = context.mpf(total)
    return max(context.log((a - d) / b) for a, b in zip(above, below, strict=True) if a > d)


@pytest.mark.slow
@pytest.mark.parametrize("e", [1e-30, 3.1733116024097656e-242, 1e-300])
@pytest.mark.parametrize(("k", "share"), [(2, 0.1), (5, 1e-3), (20, 1e-3), (20, 1e-60), (166, 1e-20)])
def test_losses_that_are_all_tiny(e, k, share):
    """The search does not stop early for tiny losses: float64 is accurate and on the safe side, as are the others."""
    total = max(e * share, 5e-324)
    arguments = {"epsilon": e, "delta": 0, "k": k, "total_delta": total}
    truth = largest_quotient(e, k, total)
    assert 0.01 * k * e < truth < k * e * (1 + 1e-15)
    value = c.optimal_composition(**arguments)
    assert truth * (1 - mpf(10) ** -50) <= mpf(float(value)) <= truth * (1 + mpf(2) ** -50)
    assert abs(mp.evaluate(c.optimal_composition, **arguments) - truth) < truth * mpf(10) ** -45
    ours = ball.optimal_composition(**arguments, digits=30)
    with flint.ctx.workdps(400):
        near = flint.arb(mpmath.nstr(truth, 350))
        assert abs(ours - near) < abs(near) * flint.arb(10) ** -15  # digits are absolute below 1
    if k <= 20:
        low, high = c.heterogeneous_composition(epsilon=[e] * k, delta=0, total_delta=total)
        assert low <= truth * (1 + mpf(2) ** -50) and high >= truth and high - low < 1e-3 * truth


@pytest.mark.slow
def test_losses_of_many_that_are_all_tiny():
    """The results scale with the losses; balls answer quickly, or say for which number of mechanisms they do not."""
    for k in (1_000, 10**6):
        small = c.optimal_composition(epsilon=2.0**-660, delta=0, k=k, total_delta=2.0**-670)
        large = c.optimal_composition(epsilon=2.0**-60, delta=0, k=k, total_delta=2.0**-70)
        assert small * 2.0**600 == pytest.approx(large, rel=1e-10, abs=0)
        balls = ball.optimal_composition(epsilon=2.0**-660, delta=0, k=k, total_delta=2.0**-670, digits=15)
        assert float(balls) == pytest.approx(small, rel=1e-14, abs=0)
    with pytest.raises(ball.UndecidedError, match="k = 1000000000 is more than"):
        ball.optimal_composition(epsilon=2.0**-660, delta=0, k=10**9, total_delta=2.0**-670)


def test_one_mechanism_of_the_largest_epsilon():
    largest = np.finfo(float).max
    assert c.optimal_composition(epsilon=largest, delta=4e-314, k=1, total_delta=5e-6) == largest


def outcome_by_outcome(epsilons, deltas, total, digits=900):
    """Return the sum over all outcomes of canonical pairs, in multiprecision."""
    context = mpmath.MPContext()
    context.dps = digits
    value, hidden = context.mpf(0), context.mpf(1)
    for d in deltas:
        hidden *= 1 - context.mpf(d)
    for signs in itertools.product((1, -1), repeat=len(epsilons)):
        p = q = context.mpf(1)
        for sign, e in zip(signs, map(context.mpf, epsilons), strict=True):
            yes, no = 1 / (1 + context.exp(-e)), 1 / (1 + context.exp(e))
            p, q = p * (yes if sign > 0 else no), q * (yes if sign < 0 else no)
        value += max(p - context.exp(context.mpf(total)) * q, 0)
    return 1 - hidden * (1 - value)


@pytest.mark.parametrize(
    "epsilons, total",
    [
        ([1e3, 0.5, 2.0], 998.0),
        ([800.0, 0.0, 1e-300], 3.0),
        ([1e15, 1.0, 3.0], 1e15),
        ([1e17, 700.0, 0.1], -1e5),
        ([0.3, 1e-290, 2e-291], 0.3),
    ],
)
def test_losses_of_all_sizes(epsilons, total):
    deltas = [1e-3, 0, 1e-200]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        low, high = c.heterogeneous_composition_delta(epsilon=epsilons, delta=deltas, total_epsilon=total)
        back = c.heterogeneous_composition(epsilon=epsilons, delta=deltas, total_delta=min(high, 0.9))
    exact = outcome_by_outcome(epsilons, deltas, total)
    assert low == high and abs(high - float(exact)) <= 4e-16 * high
    assert back[0] == back[1] <= sum(epsilons)


@pytest.mark.slow
@pytest.mark.parametrize("top", [1e3, 1e308])
def test_bins_of_losses_that_overflow(top):
    """With forty more kinds of mechanisms, only bins can compose them."""
    epsilons = np.concatenate([np.geomspace(1e-3, 1, 90), [top, 0.99 * top]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        low, high = c.heterogeneous_composition_delta(epsilon=epsilons, delta=1e-9, total_epsilon=1.0)
        ends = c.heterogeneous_composition(epsilon=epsilons, delta=1e-9, total_delta=1e-3)
    assert 0 <= low <= 1 - 1e-12 + 1e-9 and high >= 1 - 1e-15  # the two large ones already reveal everything
    assert ends[0] <= ends[1] and ends[1] >= 0.99 * top


def test_never_above_basic_composition():
    assert c.optimal_composition(epsilon=1e17, delta=0, k=5, total_delta=2.0**-53) == 5e17


def test_a_billion_mechanisms_take_little_memory():
    tracemalloc.start()
    value = c.optimal_composition_delta(epsilon=1e-5, delta=0, k=10**9, total_epsilon=1.0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 * 2**20
    # nearly Gaussian: mu = epsilon sqrt(k), and the mean of the losses is mu^2 / 2
    assert value == pytest.approx(float(gdp_to_delta(mu=1e-5 * 10**4.5, epsilon=1.0)), rel=1e-4)


def test_many_different_mechanisms_by_the_losses_that_matter(monkeypatch):
    monkeypatch.setattr(losses, "MOST_SUMS_MP", 2)  # not in multiprecision
    e = np.random.default_rng(0).uniform(0.05, 0.4, 24)
    repeated = np.concatenate([e[:6]] * 4)
    for epsilons, total in itertools.product((e, repeated), (1e-12, 1e-5, 0.3)):
        monkeypatch.setattr(losses, "FEW_SUMS", 2**20)
        want = c.heterogeneous_composition(epsilon=epsilons, delta=0, total_delta=total)
        at = {"epsilon": epsilons, "delta": 0, "total_epsilon": want.mean()}
        delta = c.heterogeneous_composition_delta(**at)
        monkeypatch.setattr(losses, "FEW_SUMS", 2)
        got = c.heterogeneous_composition(epsilon=epsilons, delta=0, total_delta=total)
        assert got == pytest.approx(want, rel=1e-13)
        assert c.heterogeneous_composition_delta(**at) == pytest.approx(delta, rel=1e-12, abs=0)
        many = losses.log_profiles(FLOAT64, epsilons, None, 16)[0]
        x = float(want.mean())
        if total > 1e-12:  # in this range only the largest pair counts
            assert many.above(x)(x) > many.above((x + 3 * epsilons.sum()) / 4)(x) + 1e-3  # those between do
    assert many(e.sum() + 1) == -np.inf
