"""Mechanisms compared with their densities (sums and quadrature), brute force over neighbours, and samples."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import scipy.stats
from mpmath import mpf

import krdtheory
from krdtheory import ball, mp
from krdtheory.arithmetic.mp import MP, at_digits
from krdtheory.privacy.conversions import gdp_to_approximate_dp
from krdtheory.privacy.mechanisms import (
    DiscreteLaplace,
    Exponential,
    Gaussian,
    Laplace,
    MatrixMechanism,
    RandomizedResponse,
)

INF = np.inf
EPS = 2.0**-52
ORDERS = [0, 1e-12, 0.1, 0.3, 0.5, 0.5 + 1e-13, 0.75, 1 - 1e-6, 1 - 1e-13, 1, 1 + 1e-13, 1 + 1e-7, 1.1, 2, 5, 17.3, 100]


def relative(value, exact):
    return float(abs(mpf(float(value)) - exact) / abs(exact)) if exact else abs(float(value))


def literal_renyi(p, q, alpha):
    """Return the Renyi divergence of weights with many digits."""
    a = mpf(alpha)
    if a == 1:
        return sum(x * mpmath.log(x / y) for x, y in zip(p, q, strict=True))
    return mpmath.log(sum(x**a * y ** (1 - a) for x, y in zip(p, q, strict=True))) / (a - 1) if a else mpf(0)


def literal_profile(p, q, epsilon):
    return sum(max(mpf(0), x - mpmath.exp(epsilon) * y) for x, y in zip(p, q, strict=True))


def geometric_laws(m, scale):
    """Return P and Q of noise and noise + m on the cells <= 0, 1, ..., m - 1, >= m, which are sufficient."""
    q = mpmath.exp(-1 / mpf(scale))
    p = [1 / (1 + q), *((1 - q) / (1 + q) * q**k for k in range(1, m)), q**m / (1 + q)]
    return p, p[::-1]


def response_laws(epsilon, k):
    truth = 1 / (1 + (k - 1) * mpmath.exp(-mpf(epsilon)))
    other = truth * mpmath.exp(-mpf(epsilon))
    return [truth, other, (k - 2) * other][: min(k, 3)], [other, truth, (k - 2) * other][: min(k, 3)]


# Laplace


@pytest.mark.parametrize("loss", [1e-100, 1e-12, 1e-3, 0.1, 0.9, 1, 1.1, 3, 10, 100])
def test_laplace_renyi(loss):
    """Theorem 11 of the capacity paper, from the densities, with 420 digits; float64 has a few roundings."""
    values = Laplace(scale=1, sensitivity=loss).renyi(ORDERS)
    with mpmath.workdps(420):
        for alpha, value in zip(ORDERS, values, strict=True):
            a, size = mpf(alpha), mpf(loss)
            if a == 0:
                want = mpf(0)
            elif a == 1:
                want = size + mpmath.expm1(-size)
            elif a == 0.5:
                want = size - 2 * mpmath.log(1 + size / 2)
            else:
                sums = a / (2 * a - 1) * mpmath.exp((a - 1) * size) + (a - 1) / (2 * a - 1) * mpmath.exp(-a * size)
                want = mpmath.log(sums) / (a - 1)
            assert relative(value, want) <= 16 * EPS, (loss, alpha)


@pytest.mark.slow
def test_densities_by_quadrature():
    """Renyi divergences, profiles and distances of Laplace and Gaussian from their densities, at 25 digits."""
    with mpmath.workdps(30):
        for mechanism, f, shift in (
            (Laplace(scale=2, sensitivity=3), lambda x: mpmath.exp(-abs(x)) / 2, mpf("1.5")),
            (Gaussian(scale=2, sensitivity=3), mpmath.npdf, mpf("1.5")),
        ):
            cuts = [-40, -5, 0, shift, 6, 40]

            def integral(h, f=f, shift=shift, cuts=cuts):
                return mpmath.quad(lambda x: h(f(x), f(x - shift)), cuts)

            for alpha in (0.3, 2, 3.5):
                want = mpmath.log(integral(lambda p, q, a=alpha: p ** mpf(a) * q ** (1 - mpf(a)))) / (mpf(alpha) - 1)
                assert relative(mechanism.renyi(alpha), want) < 1e-14
            assert relative(mechanism.kl(), integral(lambda p, q: p * mpmath.log(p / q))) < 1e-14
            assert relative(mechanism.hellinger(), 1 - integral(lambda p, q: mpmath.sqrt(p * q))) < 1e-14
            for e in (0, 0.7, -0.4):
                edge = (
                    (shift - mpf(e)) / 2 if isinstance(mechanism, Laplace) else shift / 2 - mpf(e) / shift
                )  # where p = e^epsilon q
                want = mpmath.quad(
                    lambda x, e=e, f=f, shift=shift: f(x) - mpmath.exp(e) * f(x - shift), [-40, -5, min(0, edge), edge]
                )
                assert relative(mechanism.privacy_profile(e), want) < 1e-14
            assert mechanism.total_variation() == mechanism.privacy_profile(0)


def test_literature_values():
    """Values of an independent computation, and sigma of Balle and Wang at sensitivity 10."""
    for mu, row in (
        (1, "0.38292492254802620728 0.35232517168136665648 0.23842170813487662832 0.1269367375066439458"),
        (0.5, "0.19741265136584744848 0.15926050741399166515 0.052440323287669661712 0.0068295949831145753842"),
    ):
        got = Gaussian(scale=1, sensitivity=mu).privacy_profile([0, 0.1, 0.5, 1])
        assert got == pytest.approx([float(x) for x in row.split()], rel=1e-14)
    assert Gaussian(scale=2, sensitivity=1).privacy_profile(4) == pytest.approx(2.7060338029569069376e-16, rel=1e-13)
    assert Gaussian(scale=1, sensitivity=1).epsilon_at(delta=1e-5) == pytest.approx(4.3771780956812246277, rel=1e-14)
    got = Laplace(scale=1, sensitivity=1).renyi([1.5, 2, 4, 6, 8, 32])
    want = [
        0.5128835112945085956,
        0.6191236299985928834,
        0.81368929659262201498,
        0.87877562288336413917,
        0.91019880117744578274,
        0.97814842504542560836,
    ]
    assert got == pytest.approx(want, rel=1e-15)
    for (e, d), sigma in {
        (1, ".005"): "20.978156724333075412",
        (2, ".2"): "6.0164107174250372066",
        (3, ".03"): "7.1294628288968308457",
    }.items():
        found = Gaussian.calibrated(epsilon=e, delta=float(d), sensitivity=10)
        assert found.scale == pytest.approx(float(sigma), rel=1e-14)
        exact = Gaussian.calibrated(epsilon=e, delta=Fraction(d), sensitivity=10, arithmetic=MP(40))
        assert f"{exact.scale}"[:18] == sigma[:18]
    curve = RandomizedResponse(epsilon=1).renyi([2, 3])
    assert curve == pytest.approx([0.73532566405551922471, 0.84672683048544761728], rel=1e-15)


# Gaussian


@pytest.mark.slow
@pytest.mark.parametrize("mu", [1e-12, 1e-6, 1e-3, 0.1, 0.5, 1, 1 + 1e-9, 1.5, 3, 10, 40])
def test_gaussian_tails(mu):
    """Down to delta = 1e-300, compared with 420 digits.

    The condition number of log delta in (epsilon, mu) is at most 1 + |a| b, a = epsilon / mu - mu / 2 and b = a + mu;
    there are three roundings of a, and a few more.
    """
    mechanism = Gaussian(scale=1, sensitivity=mu)
    for z in (0, 1e-3, 0.1, 1, 2, 5, 10, 20, 30, 36):
        epsilon = float(mu * mu / 2 + z * mu)
        with mpmath.workdps(420):
            m, e = mpf(mu), mpf(epsilon)
            a, b = e / m - m / 2, e / m + m / 2
            delta = (mpmath.erfc(a / mpmath.sqrt(2)) - mpmath.exp(e) * mpmath.erfc(b / mpmath.sqrt(2))) / 2
            assert delta > 1e-300
            assert relative(mechanism.privacy_profile(epsilon), delta) <= (16 + 3 * float(abs(a) * b)) * EPS
            below = 1 - mpmath.exp(-e) + mpmath.exp(-e) * delta
            assert relative(mechanism.privacy_profile(-epsilon), below) <= 16 * EPS
        back = Gaussian.calibrated(epsilon=epsilon, delta=float(delta), sensitivity=mu)
        assert back.scale == pytest.approx(1, rel=1e-13)
        if z >= 0.1:  # below, delta hardly depends on epsilon
            assert mechanism.epsilon_at(delta=float(delta)) == pytest.approx(epsilon, rel=1e-12)


def test_gaussian_limits():
    mechanism = Gaussian(scale=1, sensitivity=1)
    assert mechanism.privacy_profile([-INF, INF, 1e308, -1e308]).tolist() == [1, 0, 5e-324, 1]
    assert mechanism.epsilon_at(delta=[0, 1, 0.9]).tolist() == [INF, 0, 0]
    assert mechanism.max_divergence() == INF
    assert mechanism.renyi([0, 4]).tolist() == [0, 2]
    assert Gaussian(scale=1e-200, sensitivity=1e200).privacy_profile(5) == 1
    assert Gaussian(scale=1e200, sensitivity=1e-200).privacy_profile(5) == 5e-324


@pytest.mark.slow
@pytest.mark.parametrize("mu", [1e-100, 1e-6, 1, 1e4, 1e100])
@pytest.mark.parametrize("delta", [1e-300, 1e-100, 1e-5, 0.3, 0.999])
def test_gaussian_epsilon_of_any_mu(mu, delta):
    """The epsilon of the mechanism is that of Gaussian DP, and accurate to eight roundings compared with 500 digits."""
    epsilon = gdp_to_approximate_dp(mu=mu, delta=delta)
    assert Gaussian(scale=1, sensitivity=mu).epsilon_at(delta=delta) == max(epsilon, 0)
    with mpmath.workdps(500):

        def profile(e):
            m = mpf(mu)
            near, far = (mpmath.erfc((e / m + sign * m / 2) / mpmath.sqrt(2)) for sign in (-1, 1))
            return (near - mpmath.exp(e) * far) / 2

        e, step = mpf(float(epsilon)), abs(mpf(float(epsilon))) * 8 * EPS
        assert profile(e + step) <= delta <= profile(e - step)


@pytest.mark.slow
def test_gaussian_calibration():
    """The classical formula of Dwork and Roth is private, with at least as much noise as the analytic calibration."""
    for e, d in itertools.product((0.01, 0.1, 0.5, 0.99), (1e-300, 1e-12, 1e-5, 1e-2)):
        classical = Gaussian.calibrated(epsilon=e, delta=d, sensitivity=2, method="classical")
        assert classical.scale == pytest.approx(2 * np.sqrt(2 * np.log(1.25) - 2 * np.log(d)) / e, rel=1e-14)
        assert classical.privacy_profile(e) < d
        assert classical.scale > Gaussian.calibrated(epsilon=e, delta=d, sensitivity=2).scale
    for e, d in itertools.product((0, 1e-9, 1e-3, 1, 30, 1e4), (1e-300, 1e-5, 0.3, 0.999)):
        mechanism = Gaussian.calibrated(epsilon=e, delta=d, sensitivity=3)
        assert mechanism.privacy_profile(e) == pytest.approx(d, rel=2e-11)


# Discrete


@pytest.mark.slow
@pytest.mark.parametrize(("m", "scale"), [(1, 1), (1, 0.01), (1, 50.0), (3, 2.0), (10, 7.0), (4, 1e4), (7, 1e10)])
def test_discrete_laplace(m, scale):
    """Compared with literal sums at 160 digits."""
    mechanism = DiscreteLaplace(scale=scale, sensitivity=m)
    with mpmath.workdps(160):
        p, q = geometric_laws(m, scale)
        for alpha, value in zip(ORDERS, mechanism.renyi(ORDERS), strict=True):
            assert relative(value, literal_renyi(p, q, alpha)) <= 16 * EPS, alpha
        for e in np.linspace(-1.2, 0.97, 37) * m / scale:
            want = literal_profile(p, q, mpf(e))
            lost = abs(e) / (m / scale - e) if want < 0.1 else 0  # of epsilon's roundings near the largest loss
            assert relative(mechanism.privacy_profile(e), want) <= (16 + 4 * m + 8 * lost) * EPS, e
            if e > 0 and want < 0.5:
                assert mechanism.epsilon_at(delta=float(want)) == pytest.approx(e, rel=1e-11)
    assert mechanism.privacy_profile([m / scale, 2 * m / scale]) == pytest.approx([0, 0], abs=1e-15)
    assert mechanism.max_divergence() == pytest.approx(m / scale, rel=EPS)


def test_discrete_laplace_knots():
    """delta = 1 - q^i at the i-th largest loss, and its inverse."""
    mechanism, q = DiscreteLaplace(scale=3.0, sensitivity=6), np.exp(-1 / 3)
    knots = (6 - 2 * np.arange(4)) / 3
    assert mechanism.privacy_profile(knots) == pytest.approx(1 - q ** np.arange(4), abs=1e-15)
    assert mechanism.epsilon_at(delta=1 - q ** np.arange(3)) == pytest.approx(knots[:3], rel=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [1e-100, 1e-9, 0.01, 0.5, 1, 3, 30, 1000])
@pytest.mark.parametrize("k", [2, 3, 1000])
def test_randomized_response(epsilon, k):
    """Compared with literal sums at 520 digits."""
    mechanism = RandomizedResponse(epsilon=epsilon, categories=k)
    with mpmath.workdps(520):
        p, q = response_laws(epsilon, k)
        for alpha, value in zip(ORDERS, mechanism.renyi(ORDERS), strict=True):
            assert relative(value, literal_renyi(p, q, alpha)) <= 16 * EPS, alpha
        for t in (0, 0.3, 0.9):
            want = literal_profile(p, q, mpf(t * epsilon))
            assert relative(mechanism.privacy_profile(t * epsilon), want) <= 64 * EPS
        want = literal_profile(p, q, -mpf(epsilon) / 2)
        assert relative(mechanism.privacy_profile(-epsilon / 2), want) <= 64 * EPS
    for value in range(min(k, 3)):
        law = mechanism.distribution(value)
        assert law[value] == law.max()
        assert law.sum() == pytest.approx(1, rel=1e-12)
    if epsilon <= 3:  # beyond, delta hardly depends on epsilon
        delta = mechanism.privacy_profile(epsilon / 2)
        assert mechanism.epsilon_at(delta=delta) == pytest.approx(epsilon / 2, rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("monotone", [False, True])
def test_exponential_is_the_worst_of_all_scores(epsilon, monotone):
    """With two candidates, the supremum over gaps of scores on a fine grid, for both extreme changes, is the formula.

    It is approached from below, and a grid of step h = 1e-3 misses it by at most h^2; three candidates do not exceed
    it.
    """
    mechanism = Exponential(epsilon=epsilon, sensitivity=1, monotone=monotone)
    gap = np.arange(-3, 3, 1e-3) * (1 if monotone else 2)
    scores = np.stack([gap, 0 * gap], -1)
    changed = scores + ([1, 0] if monotone else [1, -1])
    p, q = mechanism.distribution(scores), mechanism.distribution(changed)
    for alpha in (0.2, 0.5, 1, 2, 7.5):
        worst = max(krdtheory.renyi(p, q, alpha).max(), krdtheory.renyi(q, p, alpha).max())
        assert worst <= mechanism.renyi(alpha) * (1 + 1e-11) <= (worst + 1e-5) * (1 + 1e-11)
    for e in (0, 0.4 * epsilon, -0.3 * epsilon):
        worst = max(krdtheory.hockey_stick(p, q, e).max(), krdtheory.hockey_stick(q, p, e).max())
        assert worst <= mechanism.privacy_profile(e) + 1e-14 <= worst + 1e-5
    assert krdtheory.hellinger(p, q).max() == pytest.approx(mechanism.hellinger(), abs=1e-6)
    rng = np.random.default_rng(5)
    scores = rng.normal(0, 3, (4000, 3))
    changed = scores + (rng.integers(0, 2, scores.shape) if monotone else rng.choice([-1, 1], scores.shape))
    p, q = mechanism.distribution(scores), mechanism.distribution(changed)
    assert krdtheory.renyi(p, q, 2).max() <= mechanism.renyi(2) * (1 + 1e-12)
    assert krdtheory.hockey_stick(p, q, epsilon / 3).max() <= mechanism.privacy_profile(epsilon / 3) + 1e-14
    assert krdtheory.max_divergence(p, q).max() <= epsilon * (1 + 1e-14)


@pytest.mark.parametrize("epsilon", [1e-100, 1e-9, 0.01, 0.5, 2, 3, 30, 1000])
def test_exponential_renyi(epsilon):
    """The maximum over x of Q_alpha = x^(alpha - 1) ((E - x) + E^(1 - alpha) (x - 1)) / (E - 1), with 420 digits.

    It belongs to the two-point pair with ratios x and x / E.
    """
    values = Exponential(epsilon=epsilon, sensitivity=1).renyi(ORDERS)
    with mpmath.workdps(420):
        E = mpmath.exp(mpf(epsilon))
        for alpha, value in zip(ORDERS, values, strict=True):
            a = mpf(alpha)
            if a == 1:
                want = mpmath.log((E - 1) / mpf(epsilon)) - 1 + mpf(epsilon) / (E - 1)
            elif a == 0:
                want = mpf(0)
            else:
                x = (a - 1) / a * (E**a - 1) / (E ** (a - 1) - 1)
                want = mpmath.log(x ** (a - 1) * ((E - x) + E ** (1 - a) * (x - 1)) / (E - 1)) / (a - 1)
            assert relative(value, want) <= 16 * EPS, alpha


# Vectors


@pytest.mark.parametrize("change", [(1, 2), (2, 2), (1, 1, 3)])
def test_one_coordinate_is_the_worst(change):
    """The profile of a product of geometric distributions, for integer shifts, is at most that of one shift by the L1
    norm, and so is the Renyi divergence. The Laplace profile of two coordinates is the formula of the docstring.
    """
    scale = 1.5
    laws = [geometric_laws(m, scale) for m in change]
    p = np.array([float(np.prod([float(x) for x in cell])) for cell in itertools.product(*(law[0] for law in laws))])
    q = np.array([float(np.prod([float(x) for x in cell])) for cell in itertools.product(*(law[1] for law in laws))])
    whole = DiscreteLaplace(scale=scale, sensitivity=sum(change))
    grid = np.linspace(-1, 0.99, 101) * sum(change) / scale
    assert (krdtheory.hockey_stick(np.tile(p, (101, 1)), q, grid) <= whole.privacy_profile(grid) + 1e-15).all()
    assert (krdtheory.renyi(p, q, 3) < whole.renyi(3)).all()
    if len(change) == 2:
        u, v = map(float, change)
        x = np.linspace(-12, 12 + max(u, v), 1201)
        assert abs(v - u) <= 1
        for e in (1.0, 2.0):
            loss = np.abs(x[:, None] - u) - np.abs(x[:, None]) + np.abs(x - v) - np.abs(x)
            density = np.exp(-np.abs(x[:, None]) - np.abs(x)) / 4
            total = np.trapezoid(np.trapezoid(density * -np.expm1(np.minimum(e - loss, 0)), x), x)
            t = u + v - e
            want = 1 - np.exp(-t / 2) * (1 + min(t, 2 * u, 2 * v) / 4)
            assert total == pytest.approx(want, abs=3e-4)  # step h = 0.02: h^2 / 12 times a bounded second derivative
            assert want <= Laplace(scale=1, sensitivity=u + v).privacy_profile(e)


def test_matrix_mechanism():
    """The Renyi divergence of A x + noise: coordinates are independent, and the worst column counts."""
    prefix, tree = np.tril(np.ones((4, 4))), np.vstack([np.ones(4), np.kron(np.eye(2), np.ones(2)), np.eye(4)])
    mechanism = MatrixMechanism(workload=prefix, strategy=tree, scale=5, neighbours="replace")
    assert mechanism.sensitivity == 4  # cells in different halves change two halves and two leaves
    alone = Laplace(scale=5, sensitivity=1)
    for alpha in (1, 2, 9):
        assert mechanism.renyi(alpha) == pytest.approx(4 * alone.renyi(alpha), rel=1e-14)
    assert mechanism.kl() == pytest.approx(4 * (0.2 + np.exp(-0.2) - 1), rel=1e-13)
    assert mechanism.max_divergence() == pytest.approx(0.8)
    add = MatrixMechanism.calibrated(workload=prefix, strategy=tree, epsilon=1)
    assert add.scale == 3
    assert add.privacy_profile([1.0, 2.0]).tolist() == [0, 0]
    # near the largest loss only outcomes with all entries beyond their shifts count: (1 - e^-t/2) / 2^(entries - 1)
    assert add.privacy_profile(1 - 1e-6) == pytest.approx(5e-7 / 4, rel=1e-5)
    identity = MatrixMechanism(workload=prefix, strategy=np.eye(4), scale=2)  # one entry in each column: all is exact
    assert identity.privacy_profile(0.1) == Laplace(scale=2, sensitivity=1).privacy_profile(0.1)
    gaussian = MatrixMechanism.calibrated(
        workload=prefix, strategy=tree, epsilon=1, delta=1e-6, noise="gaussian", neighbours="replace"
    )
    assert gaussian.sensitivity == 2
    assert gaussian.privacy_profile(1) == pytest.approx(1e-6, rel=1e-12)
    assert gaussian.renyi(6) == pytest.approx(6 * 4 / gaussian.scale**2 / 2, rel=1e-14)
    x = np.array([3.0, 1, 4, 1])
    answers = mechanism.sample(np.tile(x, (2000, 1)), rng=1)
    error = answers.mean(0) - np.cumsum(x)
    assert (abs(error) < 5 * answers.std(0) / np.sqrt(2000)).all()  # false alarm 4 * 6e-7
    covariance = 2 * 25 * prefix @ np.linalg.inv(tree.T @ tree) @ prefix.T
    assert np.diag(np.cov(answers.T)) == pytest.approx(
        np.diag(covariance), rel=0.25
    )  # 5 standard errors, kurtosis <= 6


def test_matrix_mechanism_profile():
    """For two entries by hand, for four by simulation (false alarm 6e-7 each); at most that of one entry of their sum.

    This bound is returned if the sum would have too many terms.
    """
    two = MatrixMechanism(workload=[[1.0]], strategy=[[1.0], [2.0]], scale=1)
    for e in (0, 1, 1.5, 2.9):
        t = 3 - e
        assert two.privacy_profile(e) == pytest.approx(1 - np.exp(-t / 2) * (1 + min(t, 2) / 4), rel=1e-13)
    sizes = np.array([0.5, 0.5, 0.5, 1.2])
    four, whole = MatrixMechanism(workload=[[1.0]], strategy=sizes[:, None], scale=1), Laplace(scale=1, sensitivity=2.7)
    x = np.random.default_rng(8).laplace(0, 1, (400_000, 4))
    loss = (abs(x - sizes) - abs(x)).sum(-1)
    for e in (-0.7, 0, 0.5, 1.5, 2.5):
        gain = -np.expm1(np.minimum(e - loss, 0))
        assert abs(four.privacy_profile(e) - gain.mean()) < 5 * gain.std() / np.sqrt(len(x))
        assert four.privacy_profile(e) < whole.privacy_profile(e)
    e = four.epsilon_at(delta=0.05)
    assert four.privacy_profile(e) == pytest.approx(0.05, rel=1e-13)
    assert four.epsilon_at(delta=[0, 0.9]).tolist() == [pytest.approx(2.7), 0]
    many = MatrixMechanism(workload=np.ones((1, 13)), strategy=np.diag(np.arange(1.0, 14)), scale=9)
    assert many.privacy_profile(0.3) == Laplace(scale=9, sensitivity=13).privacy_profile(0.3)
    crowd = np.vstack([np.eye(1), np.arange(2.0, 14)[:, None]])  # 2^13 terms
    bound = MatrixMechanism(workload=[[1.0]], strategy=crowd, scale=90)
    assert bound.privacy_profile(0.3) == Laplace(scale=90, sensitivity=91).privacy_profile(0.3)


# Sampling: the distributions of samples, at false-alarm rates of 1e-6 each


def test_samples_have_the_right_distributions():
    n, rng = 20_000, np.random.default_rng(7)
    value = np.full(n, 3)
    for sample, law in (
        (Laplace(scale=2, sensitivity=1).sample(value, rng=rng), scipy.stats.laplace(3, 2)),
        (Gaussian(scale=2, sensitivity=1).sample(value, rng=rng), scipy.stats.norm(3, 2)),
    ):
        assert scipy.stats.kstest(sample, law.cdf).pvalue > 1e-6
    noise = DiscreteLaplace(scale=1.5, sensitivity=1).sample(value, rng=rng)
    assert noise.dtype == np.int64
    check_counts(np.clip(noise - 3, -8, 8) + 8, clipped_dlaplace(1 / 1.5, 8))
    check_counts(RandomizedResponse(epsilon=1, categories=5).sample(value, rng=rng), [0.13447] * 3 + [None, 0.13447])
    mechanism = Exponential(epsilon=1, sensitivity=2)
    scores = np.array([0.0, 3.0, -1.0])
    check_counts(mechanism.sample(np.tile(scores, (n, 1)), rng=rng), np.exp(scores / 4) / np.exp(scores / 4).sum())


def clipped_dlaplace(a, edge):
    """Return scipy's discrete Laplace distribution, with its tails collected at +-edge."""
    p = scipy.stats.dlaplace.pmf(np.arange(-edge, edge + 1), a)
    p[[0, -1]] = scipy.stats.dlaplace.cdf(-edge, a)
    return p


def check_counts(sample, law):
    law = list(law)
    if None in law:
        law = [np.exp(1) / (np.exp(1) + 4) if x is None else 1 / (np.exp(1) + 4) for x in law]
    counts = np.bincount(sample, minlength=len(law))
    assert scipy.stats.chisquare(counts, np.array(law) * len(sample)).pvalue > 1e-6


def test_large_integers_stay_exact():
    large = 2**60 + 1
    noise = [int(DiscreteLaplace(scale=0.1, sensitivity=1).sample(large, rng=s)) - large for s in range(9)]
    assert set(noise) <= {-1, 0, 1}  # beyond with probability 4e-9 each
    assert not np.signbit(Laplace(scale=1, sensitivity=1).privacy_profile([1, 2, INF])).any()


def test_samples_never_wrap_around():
    for scale, value in ((1e17, 0), (1, 2**62 + 1), (1, [0, -(2**63)])):
        with pytest.raises(ValueError, match="scale" if scale > 1 else "value"):
            DiscreteLaplace(scale=scale, sensitivity=1).sample(value, rng=0)
    assert abs(DiscreteLaplace(scale=1e16, sensitivity=1).sample(np.full(1000, 2**62), rng=0) - 2**62).max() < 2**62
    far = Exponential(epsilon=100, sensitivity=1)
    assert far.sample([1e308, 1.7e308], rng=0) == 1 and far.distribution([1e308, -1e308]).tolist() == [1, 0]


def test_sampling_is_reproducible_and_keeps_shapes():
    for mechanism, value in (
        (Laplace(scale=1, sensitivity=1), np.zeros((2, 3))),
        (Gaussian(scale=1, sensitivity=1), 0.0),
        (DiscreteLaplace(scale=1, sensitivity=1), [[1, 2]]),
        (RandomizedResponse(epsilon=1), [0, 1, 1]),
    ):
        first, again = mechanism.sample(value, rng=3), mechanism.sample(value, rng=np.random.default_rng(3))
        assert np.shape(first) == np.shape(value)
        assert np.array_equal(first, again)
    assert np.shape(Exponential(epsilon=1, sensitivity=1).sample(np.zeros((4, 2, 5)), rng=0)) == (4, 2)


# Multiprecision


@pytest.mark.parametrize(
    "mechanism",
    [
        Laplace(scale=Fraction(3, 2), sensitivity=1),
        Gaussian(scale="1.5", sensitivity=1),
        DiscreteLaplace(scale=Fraction(3, 2), sensitivity=2),
        RandomizedResponse(epsilon=Fraction(2, 3), categories=3),
        Exponential(epsilon="0.7", sensitivity=1),
        MatrixMechanism(workload=[[1, 1]], strategy=[[1, 0], [0, 1], [1, 1]], scale=2),
    ],
    ids=lambda m: type(m).__name__,
)
def test_multiprecision_agrees(mechanism):
    """Closed forms with 30 digits, at exact parameters, compared with float64, and 60 digits compared with 30."""
    for alpha in (0, 0.25, 0.5, 1, 1.5, 20, INF):
        value = at_digits(mechanism.renyi, 30, alpha)
        assert mechanism.renyi(alpha) == pytest.approx(float(value), rel=4 * EPS, abs=1e-300)
    for e in (-1, 0, 0.25, 0.6):
        value = at_digits(mechanism.privacy_profile, 30, e)
        assert mechanism.privacy_profile(e) == pytest.approx(float(value), rel=16 * EPS)
        finer = at_digits(mechanism.privacy_profile, 60, e)
        assert abs(finer - value) <= abs(value) * mpf(10) ** -29
    for method in (mechanism.kl, mechanism.hellinger, mechanism.total_variation, mechanism.max_divergence):
        assert method() == pytest.approx(float(at_digits(method, 30)), rel=16 * EPS)
    delta = Fraction(1, 50)
    e = at_digits(mechanism.epsilon_at, 40, delta=delta)
    assert mechanism.epsilon_at(delta=0.02) == pytest.approx(float(e), rel=1e-13)
    if e > 0:
        with mpmath.workdps(50):
            back = mechanism.privacy_profile(e, arithmetic=MP(60))
            assert abs(back - mpf(1) / 50) < mpf(10) ** -38


SIZES = (1e-300, 1e-20, 1e-3, 1, 1e4, 1e20)


@pytest.mark.slow
@pytest.mark.parametrize(
    "mechanism",
    [kind(scale=x, sensitivity=y) for kind in (Laplace, Gaussian) for x in SIZES for y in (1e-20, 0.5, 1)]
    + [DiscreteLaplace(scale=x, sensitivity=m) for x in SIZES for m in (1, 10**6)]
    + [RandomizedResponse(epsilon=x, categories=k) for x in SIZES for k in (2, 10**9)]
    + [Exponential(epsilon=x, sensitivity=1) for x in SIZES],
    ids=repr,
)
def test_extreme_arguments(mechanism):
    """No NaN, no warning (warnings are errors), and all curves are monotone up to rounding."""
    epsilons = [-INF, -1e308, -700, -1, -1e-300, 0, 1e-300, 1e-9, 1, 700, 710, 1e308, INF]
    profile = mechanism.privacy_profile(epsilons)
    assert ((profile >= 0) & (profile <= 1)).all()
    assert (profile[1:] <= profile[:-1] * (1 + 8 * EPS)).all()
    curve = mechanism.renyi([0, 1e-300, 1e-9, 0.3, 0.5, 0.75, 1 - EPS, 1, 1 + EPS, 2, 1e3, 1e16, 1e300, INF])
    assert (curve >= 0).all()
    assert (curve[:-1] <= curve[1:] * (1 + 64 * EPS)).all()
    inverse = mechanism.epsilon_at(delta=[0, 5e-324, 1e-300, 1e-17, 1e-3, 0.5, 1 - EPS, 1])
    assert (inverse >= 0).all()
    assert (inverse[1:] <= inverse[:-1] * (1 + 64 * EPS)).all()
    for value in (mechanism.hellinger(), mechanism.total_variation()):
        assert 0 <= value <= 1


def test_laplace_calibrated_with_delta():
    mechanism = Laplace.calibrated(epsilon=0.5, delta=0.1, sensitivity=3)
    assert mechanism.privacy_profile(0.5) == pytest.approx(0.1, rel=1e-14)
    assert mechanism.epsilon_at(delta=[0, 0.1, 0.9]).tolist() == [
        pytest.approx(0.5 - 2 * np.log(0.9)),
        pytest.approx(0.5),
        0,
    ]


V, T = ValueError, TypeError
BAD = {
    "scale 0": (lambda: Laplace(scale=0, sensitivity=1), V, ["scale must be", "positive", "0"]),
    "scale NaN": (lambda: Gaussian(scale=float("nan"), sensitivity=1), V, ["scale must be", "nan"]),
    "scale inf": (lambda: Gaussian(scale=INF, sensitivity=1), V, ["scale must be", "inf"]),
    "scale a word": (lambda: Gaussian(scale="a", sensitivity=1), V, ["scale must be", "'a'"]),
    "scale None": (lambda: Gaussian(scale=None, sensitivity=1), T, ["scale must be", "None"]),
    "scale boolean": (lambda: Laplace(scale=True, sensitivity=1), T, ["scale must be", "True"]),
    "scale an array": (lambda: Laplace(scale=[1.0, 2.0], sensitivity=1), T, ["scale must be one number"]),
    "sensitivity": (lambda: Laplace(scale=1, sensitivity=-1), V, ["sensitivity must be", "-1"]),
    "sensitivity not whole": (lambda: DiscreteLaplace(scale=1, sensitivity=1.5), T, ["sensitivity must be an integer"]),
    "sensitivity none": (lambda: DiscreteLaplace(scale=1, sensitivity=0), V, ["sensitivity must be", ">= 1", "0"]),
    "positional": (lambda: Laplace(1, 1), T, ["positional"]),
    "epsilon 0": (lambda: RandomizedResponse(epsilon=0), V, ["epsilon must be", "0"]),
    "categories": (lambda: RandomizedResponse(epsilon=1, categories=1), V, ["categories must be", ">= 2", "1"]),
    "monotone": (lambda: Exponential(epsilon=1, sensitivity=1, monotone="no"), T, ["monotone must be", "'no'"]),
    "profile NaN": (lambda: Laplace(scale=1, sensitivity=1).privacy_profile(float("nan")), V, ["epsilon", "nan"]),
    "alpha": (lambda: Laplace(scale=1, sensitivity=1).renyi(-1), V, ["alpha must be in [0, inf]", "-1"]),
    "delta": (lambda: Gaussian(scale=1, sensitivity=1).epsilon_at(delta=1.5), V, ["delta must be in [0, 1]", "1.5"]),
    "calibrated delta 0": (
        lambda: Gaussian.calibrated(epsilon=1, delta=0, sensitivity=1),
        V,
        ["delta must be in [1e-300, 1)", "0"],
    ),
    "calibrated epsilon": (
        lambda: Gaussian.calibrated(epsilon=-1, delta=0.1, sensitivity=1),
        V,
        ["epsilon must be", "-1"],
    ),
    "classical": (
        lambda: Gaussian.calibrated(epsilon=1, delta=0.1, sensitivity=1, method="classical"),
        V,
        ["epsilon must be in (0, 1)", "classical", "1"],
    ),
    "method": (
        lambda: Gaussian.calibrated(epsilon=1, delta=0.1, sensitivity=1, method="best"),
        V,
        ["method must be", "'best'"],
    ),
    "rng": (lambda: Laplace(scale=1, sensitivity=1).sample(0, rng="a"), T, ["rng must be", "'a'"]),
    "value": (lambda: Laplace(scale=1, sensitivity=1).sample(["a"], rng=0), T, ["value must be"]),
    "value not whole": (lambda: DiscreteLaplace(scale=1, sensitivity=1).sample(0.5, rng=0), V, ["integers", "0.5"]),
    "category": (lambda: RandomizedResponse(epsilon=1).sample([0, 2], rng=0), V, ["value must be", "0, ..., 1", "2"]),
    "category of distribution": (lambda: RandomizedResponse(epsilon=1).distribution(2), V, ["value must be", "2"]),
    "scores": (lambda: Exponential(epsilon=1, sensitivity=1).distribution(3.0), V, ["scores must be", "3.0"]),
    "widths": (lambda: MatrixMechanism(workload=[[1]], strategy=[[1, 0]], scale=1), V, ["columns", "1 and 2"]),
    "strategy": (
        lambda: MatrixMechanism(workload=[[1, 1]], strategy=[[1, 0]], scale=1),
        V,
        ["strategy must be", "combinations"],
    ),
    "noise": (lambda: MatrixMechanism(workload=[[1]], strategy=[[1]], scale=1, noise="x"), V, ["noise must be", "'x'"]),
    "neighbours": (
        lambda: MatrixMechanism(workload=[[1]], strategy=[[1]], scale=1, neighbours="x"),
        V,
        ["neighbours must", "'x'"],
    ),
    "histogram": (
        lambda: MatrixMechanism(workload=[[1]], strategy=[[1]], scale=1).sample([1, 2], rng=0),
        V,
        ["value must be"],
    ),
}


@pytest.mark.parametrize(("call", "error", "words"), BAD.values(), ids=BAD)
def test_bad_input(call, error, words):
    with pytest.raises((ValueError, TypeError)) as raised:
        call()
    message = str(raised.value)
    assert raised.type is error, message
    assert all(word in message for word in words), message
    assert "\n" not in message
    assert len(message) <= 300


# Rounding to the safe side


@pytest.mark.slow
def test_calibrated_gaussian_noise_is_never_too_small():
    """In balls, delta at the scale is at most the requested one, and above it at a scale smaller by 2 units."""
    rng = np.random.default_rng(7)
    for _ in range(150):
        epsilon, delta = float(np.exp(rng.uniform(-5, 4))), float(10 ** rng.uniform(-12, -0.1))
        size = float(np.exp(rng.uniform(-9, 9)))
        scale = Gaussian.calibrated(epsilon=epsilon, delta=delta, sensitivity=size).scale
        fewer = np.nextafter(np.nextafter(scale, 0), 0)
        at, below = (
            ball.gdp_to_delta(mu=Fraction(size) / Fraction(float(s)), epsilon=epsilon, digits=30)
            for s in (scale, fewer)
        )
        assert at <= delta
        assert below > delta


@pytest.mark.slow
@pytest.mark.parametrize("delta", [0, 1e-9, 0.3])
def test_calibrated_laplace_noise_is_never_too_small(delta):
    rng = np.random.default_rng(8)
    for _ in range(300):
        epsilon, size = (float(np.exp(rng.uniform(-9, 9))) for _ in range(2))
        scale = Laplace.calibrated(epsilon=epsilon, delta=delta, sensitivity=size).scale
        with mpmath.workdps(40):
            exact = mpmath.mpf(size) / (mpmath.mpf(epsilon) - 2 * mpmath.log1p(-mpmath.mpf(delta)))
            assert exact <= scale <= exact * (1 + mpmath.mpf(2) ** -51)
        scale = DiscreteLaplace.calibrated(epsilon=epsilon, sensitivity=3).scale
        assert 3 / Fraction(epsilon) <= Fraction(scale) <= 3 / Fraction(epsilon) * (1 + Fraction(1, 2**51))


@pytest.mark.parametrize("scale", [1e3, 2.0**26, 2.0**27, 1e12, 2.0**52, 1e15, 1e16])
def test_no_bit_of_discrete_noise_is_missing(scale):
    """Bits far below the scale are fair: none deviates by 5 standard errors (false-alarm rate 1e-5 in total)."""
    runs = 10**5
    noise = DiscreteLaplace(scale=scale, sensitivity=1).sample(np.zeros(runs, dtype=int), rng=3)
    for bit in range(int(np.log2(scale)) - 8):
        ones = ((noise >> bit) & 1).sum()
        assert abs(ones - runs / 2) < 5 * np.sqrt(runs) / 2, bit
    assert abs(noise).mean() / scale == pytest.approx(1, abs=5 / np.sqrt(runs))
    far = (abs(noise) > 2 * scale).mean()
    assert far == pytest.approx(np.exp(-2), abs=5 * np.sqrt(np.exp(-2) / runs))


# Extreme parameters


def laplace_product(sizes, scale, epsilon, digits=400):
    """Return the profile of independent Laplace distributions shifted by two `sizes`.

    It integrates the joint distribution of their losses: atoms of mass 1/2 or e^-l / 2 at the ends, and a density
    between them.
    """
    context = mpmath.MPContext()
    context.dps = digits
    (first, m), e = (context.mpf(x) / context.mpf(scale) for x in sizes), context.mpf(epsilon)

    def one(x):  # the profile of one distribution at any real x
        if x >= first:
            return context.mpf(0)
        return -context.expm1((x - first) / 2) if x > -first else -context.expm1(x)

    # condition on the loss z of the second: mass 1/2 at m, e^-m / 2 at -m, density e^{(z - m) / 2} / 4 between
    value = one(e - m) / 2 + context.exp(-m) * one(e + m) / 2
    kinks = sorted({-m, m, *(k for k in (e - first, e + first) if -m < k < m)})

    def part(a, b):  # of e^{(z - m) / 2} / 4 times one(e - z), in closed form between kinks
        middle = (a + b) / 2

        def primitive(z):
            grow = context.exp((z - m) / 2)
            if e - middle >= first:
                return context.mpf(0)
            if e - middle > -first:
                return grow / 2 - z * context.exp((e - first - m) / 2) / 4
            return grow / 2 + context.exp(e - z) * grow / 2

        return primitive(b) - primitive(a)

    return value + sum(part(a, b) for a, b in itertools.pairwise(kinks))


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e77])
def test_products_of_laplace_distributions_at_every_scale(scale):
    """Two entries of a column, 3 and 1."""
    mechanism = MatrixMechanism(workload=[[1.0]], strategy=[[3.0], [1.0]], scale=scale)
    top = 4 / scale
    for share in (0, 0.3, 0.9, 1 - 1e-10):
        epsilon = share * top
        exact = laplace_product((3, 1), scale, epsilon)
        value = mechanism.privacy_profile(epsilon)
        assert 0 <= value <= 1 and abs(value - float(exact)) <= 1e-12 * value
    for delta in (1e-280, 1e-9, 0.3, 1 - 1e-12):
        epsilon = mechanism.epsilon_at(delta=delta)
        assert 0 <= epsilon <= top * (1 + 1e-15)
        assert mechanism.privacy_profile(np.nextafter(epsilon, np.inf)) <= delta * (1 + 1e-12)
        assert epsilon == 0 or epsilon < 1e15 or mechanism.privacy_profile(epsilon * (1 - 1e-9)) > delta


def test_orders_and_scores_that_overflow():
    tree = [[3.0, 0.0], [2.0, 5.0], [-2.0, 2.0]]
    assert MatrixMechanism(workload=tree, strategy=tree, scale=1).renyi(1.7976931348623157e308) == 7
    assert Exponential(epsilon=1.7e308, sensitivity=1e-12).distribution([0.5]).tolist() == [1]
    law = Exponential(epsilon=1e300, sensitivity=1e-10, monotone=True).distribution([0, 1e-310])
    assert law[1] == pytest.approx(1 / (1 + math.exp(-1)), rel=1e-12)  # 1e-310 has few digits, but the ratio is exact
    assert float(mp.evaluate(Exponential(epsilon=0.25, sensitivity=1).renyi, 1e213)) == 0.25
    small = mp.evaluate(Exponential(epsilon=1e-200, sensitivity=1).renyi, 2, digits=30)
    with mpmath.workdps(40):
        assert abs(small / (mpmath.mpf(1e-200) ** 2 / 4) - 1) < 1e-25
    tiny = MatrixMechanism(workload=[[1.0]], strategy=[[1.0]], scale=1e95, noise="gaussian").total_variation()
    assert tiny == pytest.approx(1e-95 / math.sqrt(2 * math.pi), rel=1e-14)


@pytest.mark.parametrize(
    "epsilon, delta", [(1.4393894073600681e31, 3.31e-60), (2.25e30, 3.9e-140), (9.47e-31, 3.31e-60), (1e-200, 1e-250)]
)
def test_calibration_of_gaussian_noise_at_extreme_privacy(epsilon, delta):
    """delta at the scale, with 700 digits, is as requested up to 3 units in the last place of the scale."""
    context = mpmath.MPContext()
    context.dps = 700
    scale = Gaussian.calibrated(epsilon=epsilon, delta=delta, sensitivity=1).scale

    def at(scale):
        mu, e, root = 1 / context.mpf(scale), context.mpf(epsilon), context.sqrt(2)
        if mu > 1e6:  # the second term is below e^-a^2/2 / mu of the first
            a = e / mu - mu / 2
            mills = context.exp(-a * a / 2) / context.sqrt(2 * context.pi) / (a + mu)
            return context.erfc(a / root) / 2 - mills
        return (context.erfc((e / mu - mu / 2) / root) - context.exp(e) * context.erfc((e / mu + mu / 2) / root)) / 2

    assert at(scale) <= delta < at(scale * (1 - 3 * 2.0**-52))


@pytest.mark.parametrize("loss", [1e-8, 1e-100, 3.75e-150, 1e-153])
@pytest.mark.parametrize("more", [2.0**-52, -(2.0**-53), 1e-10, 0.1, -0.3, 1e10])
def test_renyi_divergences_near_order_one_of_tiny_losses(loss, more):
    """alpha - 1 times the divergence is subnormal, but the divergence is not."""
    with mpmath.workdps(500):
        t, a = mpmath.mpf(loss), mpmath.mpf(1 + more)
        s = a - 1
        laplace = mpmath.log(a / (2 * a - 1) * mpmath.exp(s * t) + s / (2 * a - 1) * mpmath.exp(-a * t)) / s
        p, q = mpmath.exp(t) / (mpmath.exp(t) + 2), 1 / (mpmath.exp(t) + 2)
        response = mpmath.log(p**a * q ** (1 - a) + q**a * p ** (1 - a) + q) / s
    assert Laplace(scale=1, sensitivity=loss).renyi(1 + more) == pytest.approx(float(laplace), rel=1e-13, abs=0)
    found = RandomizedResponse(epsilon=loss, categories=3).renyi(1 + more)
    assert found == pytest.approx(float(response), rel=1e-13, abs=0)
