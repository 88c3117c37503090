"""Notions: divergences compared with brute force and published values, and implications with random pairs."""

import dataclasses
import itertools

import mpmath
import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from mpmath import mpf
from scipy.special import ndtr, ndtri

from krdtheory.arithmetic import MP
from krdtheory.privacy.mechanisms import Gaussian
from krdtheory.privacy.notions import (
    ApproximateDP,
    CapacityBoundedDP,
    GaussianDP,
    KernelRenyiDP,
    MeanConcentratedDP,
    PureDP,
    RenyiDP,
    TradeOffDP,
    TruncatedConcentratedDP,
    ZeroConcentratedDP,
)
from krdtheory.privacy.notions.tradeoff import _trade_off

INF = np.inf
P, Q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.3, 0.5])


def response(epsilon):
    p = np.array([np.exp(epsilon), 1]) / (1 + np.exp(epsilon))
    return p, p[::-1]


def random_pair(rng, n, zeros=0):
    p, q = rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n))
    if zeros:
        p, q = np.append(p * 0.9, [0.1, 0]), np.append(q * 0.9, [0, 0.1])
    return p, q


# Divergences


def test_pure_and_approximate_are_those_of_all_events():
    rng = np.random.default_rng(0)
    for zeros in (0, 1):
        p, q = random_pair(rng, 4, zeros)
        events = [list(s) for r in range(1, len(p) + 1) for s in itertools.combinations(range(len(p)), r)]
        for e in (0, 0.4, 1.3):
            want = max(0, *(p[s].sum() - np.exp(e) * q[s].sum() for s in events))
            assert ApproximateDP(epsilon=e, delta=0.5).divergence(p, q) == pytest.approx(want, abs=1e-15)
        with np.errstate(divide="ignore", invalid="ignore"):
            want = max(np.log(p[s].sum() / q[s].sum()) for s in events if p[s].sum() > 0)
        assert PureDP(epsilon=1).divergence(p, q) == pytest.approx(want, rel=1e-14)


@pytest.mark.slow
def test_renyi_zcdp_and_tcdp_are_suprema():
    """Compared with a grid of orders with 30 digits, whose relative error is the square of its step, 0.04."""
    rng = np.random.default_rng(1)
    orders = 1 + np.exp(np.linspace(-12, 9, 501))
    for _ in range(3):
        p, q = random_pair(rng, 4)
        with mpmath.workdps(30):
            x, y = [mpf(v) for v in p], [mpf(v) for v in q]
            curve = [
                float(
                    mpmath.log(sum(u * (u / v) ** (mpf(a) - 1) for u, v in zip(x, y, strict=True)) / sum(x))
                    / (mpf(a) - 1)
                )
                for a in orders
            ]
        for a, d in list(zip(orders, curve, strict=True))[::25]:
            assert RenyiDP(alpha=a, epsilon=1).divergence(p, q) == pytest.approx(d, rel=1e-12)
        for xi in (0, 0.05, 0.5):
            best = max(0, *((d - xi) / a for a, d in zip(orders, curve, strict=True)))
            found = ZeroConcentratedDP(rho=1, xi=xi).divergence(p, q)
            assert best * (1 - 1e-12) <= found <= best * (1 + 2e-3) + 1e-5
        worst = np.log(p / q).max()
        assert TruncatedConcentratedDP(ceiling=worst * 1.01, rho=1).divergence(p, q) == pytest.approx(
            ZeroConcentratedDP(rho=1).divergence(p, q), rel=1e-14
        )
        assert TruncatedConcentratedDP(ceiling=worst * 0.99, rho=1).divergence(p, q) == INF
    assert ZeroConcentratedDP(rho=1).divergence([1, 0], [0.5, 0.5]) < INF
    assert ZeroConcentratedDP(rho=1).divergence([0.5, 0.5], [1, 0]) == INF
    # randomised response: epsilon tanh(epsilon / 2), at alpha = 1 (Kearns and Saul 1998)
    for e in (0.01, 1, 7):
        assert ZeroConcentratedDP(rho=1).divergence(*response(e)) == pytest.approx(e * np.tanh(e / 2), rel=1e-12)


def test_mean_concentrated():
    """Kearns and Saul's constant, and published values (colisson.sec331): merging breaks mCDP."""
    notion = MeanConcentratedDP(mu=5, tau=1)
    for e in (0.1, 1, 4):
        assert notion.divergence(*response(e)) == pytest.approx(np.sqrt(2 * e * np.tanh(e / 2)), rel=1e-9)
    p, q = np.array([1, 12, 11]) / 24, np.array([11, 2, 11]) / 24
    assert notion.divergence(p, q) ** 2 == pytest.approx(1.6850416718145901325, rel=1e-9)
    assert notion.divergence(q, p) ** 2 == pytest.approx(2.0354587875925003659, rel=1e-9)
    merged = np.array([1, 23]) / 24, np.array([11, 13]) / 24
    assert notion.divergence(*merged) ** 2 == pytest.approx(1.2880479421924713292, rel=1e-9)
    assert notion.divergence(*merged[::-1]) ** 2 == pytest.approx(2.1978003986646632052, rel=1e-9)
    before = MeanConcentratedDP(mu=5, tau=1.43)
    assert before.satisfied_by(p, q)
    assert not before.satisfied_by(*merged)
    assert MeanConcentratedDP(mu=0.01, tau=9).divergence(p, q) == INF
    assert notion.divergence(P, P) == 0


def test_gaussian_dp_is_the_least_mu():
    """delta of the pair is at most that of N(0, 1) and N(mu, 1) at every epsilon, but not for mu reduced by 0.1%."""
    rng = np.random.default_rng(2)
    grid = np.linspace(-6, 6, 6001)
    for _ in range(4):
        p, q = random_pair(rng, 5)
        mu = GaussianDP(mu=1).divergence(p, q)
        pair = np.maximum(p - np.exp(grid[:, None]) * q, 0).sum(-1)

        def normal(m):
            return scipy.stats.norm.cdf(m / 2 - grid / m) - np.exp(grid) * scipy.stats.norm.cdf(-m / 2 - grid / m)

        assert (pair <= normal(mu) + 1e-14).all()
        assert (pair > normal(mu * 0.999)).any()
    assert GaussianDP(mu=1).divergence([1, 0], [0.9, 0.1]) == INF
    assert GaussianDP(mu=1).divergence([0.9, 0.1], [1, 0]) == INF
    assert GaussianDP(mu=1).divergence(P, P) == pytest.approx(0, abs=1e-15)
    tiny = np.array([1 - 1e-200, 1e-200])
    assert GaussianDP(mu=1).divergence(tiny, [0.5, 0.5]) == pytest.approx(-scipy.stats.norm.ppf(1e-200), rel=1e-12)


def test_trade_off_of_normal_distributions_is_gaussian_dp():
    rng = np.random.default_rng(3)
    for _ in range(5):
        p, q = random_pair(rng, 4)
        mu = max(GaussianDP(mu=1).divergence(p, q), GaussianDP(mu=1).divergence(q, p))
        for factor, within in ((1.001, True), (0.999, False)):
            m = mu * factor
            notion = TradeOffDP(tradeoff=lambda a, m=m: scipy.stats.norm.cdf(scipy.stats.norm.isf(a) - m))
            assert notion.satisfied_by(p, q) == within


def test_kernel_renyi_with_the_identity_kernel():
    """(1 / (alpha - 1)) log sum p^alpha (q + lambda)^(1 - alpha)."""
    for alpha, lam in ((0.5, 0.1), (2, 0.01), (7, 0.3)):
        want = np.log((P**alpha * (Q + lam) ** (1 - alpha)).sum()) / (alpha - 1)
        assert KernelRenyiDP(alpha=alpha, regularization=lam, epsilon=1).divergence(P, Q) == pytest.approx(
            want, rel=1e-13
        )
    # Proposition 9 is tight: p = (1, 0), q_1 = (1 - delta) e^-epsilon, lambda = delta e^-epsilon
    e, d = 0.7, 0.1
    q = (1 - d) * np.exp(-e)
    notion = KernelRenyiDP(alpha=3, regularization=d * np.exp(-e), epsilon=e)
    assert notion.divergence([1, 0], [q, 1 - q]) == pytest.approx(e, rel=1e-13)


def test_capacity_bounded():
    """alpha = 2 gives log(m G^-1 m), degree 2 on three points all functions; and rational examples."""
    rng = np.random.default_rng(4)
    for degree in (1, 2, 3):
        p, q = random_pair(rng, 6)
        features = np.arange(6.0)[:, None] ** np.arange(degree + 1)
        m, gram = p @ features, features.T @ (q[:, None] * features)
        want = np.log(m @ np.linalg.solve(gram, m))
        assert CapacityBoundedDP(alpha=2, epsilon=1, degree=degree).divergence(p, q) == pytest.approx(want, rel=1e-11)
    for alpha in (1.5, 2, 3, 8):
        full = CapacityBoundedDP(alpha=alpha, epsilon=1, degree=2).divergence(P, Q)
        assert full == pytest.approx(RenyiDP(alpha=alpha, epsilon=1).divergence(P, Q), rel=1e-11)
        line = CapacityBoundedDP(alpha=alpha, epsilon=1).divergence(P, Q)
        a, x = alpha / (alpha - 1), np.arange(3.0) - np.arange(3.0) @ P

        def power(t, a=a, x=x):  # for h = 1 + t (x - E_p x)
            return abs(1 + t * x) ** a @ Q

        least = scipy.optimize.minimize_scalar(power, bounds=(-3, 3), method="bounded", options={"xatol": 1e-12}).fun
        assert line == pytest.approx(-np.log(least), rel=1e-10)  # from a bounded search
    got = CapacityBoundedDP(alpha=3, epsilon=1).divergence(
        [0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5], points=[-1, 1, -0.75, 1.25]
    )
    assert got == pytest.approx(np.log(19 / 16) / 2, rel=1e-11)
    got = CapacityBoundedDP(alpha=2, epsilon=1).divergence([0.05, 0.05, 0.9], [0.5, 0.4, 0.1], points=[0, 1, 6])
    assert (np.exp(got) - 1) / 2 == pytest.approx(3.3004166, rel=1e-7)
    assert CapacityBoundedDP(alpha=3, epsilon=1).divergence([1, 0], [0, 1]) == INF  # Lemma 2
    batch = CapacityBoundedDP(alpha=3, epsilon=1).divergence([P, Q], Q)
    assert batch.tolist() == [CapacityBoundedDP(alpha=3, epsilon=1).divergence(P, Q), 0]
    exact = CapacityBoundedDP(alpha=3, epsilon=1).divergence(
        ["1/2", "1/2", 0, 0], [0, 0, "1/2", "1/2"], points=[-1, 1, "-3/4", "5/4"], arithmetic=MP(40)
    )
    with mpmath.workdps(40):
        assert abs(exact - mpmath.log(mpf(19) / 16) / 2) < mpf(10) ** -28  # the requirement is 12 digits


def test_capacity_bounded_of_two_point_distributions():
    """An affine adversary distinguishes them fully, even if counterexamples have weights down to 1e-300."""
    for alpha in (1.2, 3, 20):
        notion = CapacityBoundedDP(alpha=alpha, epsilon=0.4)
        want = ((1 - alpha) * np.log(0.1) + alpha * np.log(0.9) + np.log1p(9 ** (1 - 2 * alpha))) / (alpha - 1)
        assert notion.divergence([0.9, 0.1], [0.1, 0.9]) == pytest.approx(want, rel=1e-13)
        known = RenyiDP(alpha=1, epsilon=0.5).implies(notion)
        assert known.holds is False
        p, q = (np.array([mpf(float(w)) for w in law]) for law in known.counterexample)
        with mpmath.workdps(30):
            values = [mpmath.log(sum(x**alpha * y ** (1 - alpha))) / (alpha - 1) for x, y in ((p, q), (q, p))]
        assert max(values) > 0.4
    huge = ApproximateDP(epsilon=500, delta=1e-9).implies(CapacityBoundedDP(alpha=2, epsilon=1))
    assert huge.holds is None  # weights of e^-500


def test_exact_arithmetic_and_batches():
    batch = np.stack([P, Q])
    for notion in (
        PureDP(epsilon=1),
        ApproximateDP(epsilon=0.1, delta=0.2),
        RenyiDP(alpha=2, epsilon=1),
        GaussianDP(mu=1),
    ):
        values = notion.divergence(batch, Q)
        assert values.shape == (2,)
        assert values[0] == notion.divergence(P, Q)
        assert notion.satisfied_by(batch, Q).shape == (2,)
    exact = PureDP(epsilon=1).divergence(["1/3", "2/3"], ["1/2", "1/2"], arithmetic=MP(40))
    with mpmath.workdps(40):
        assert abs(exact - mpmath.log(mpf(4) / 3)) < mpf(10) ** -38
    for e in (0.01, 0.3, 1, 20):  # at the bound itself
        assert PureDP(epsilon=e).satisfied_by(*response(e))
        assert ApproximateDP(epsilon=e, delta=0).satisfied_by(*response(e))


# Implications


def kinds(scale):
    return [
        PureDP(epsilon=scale),
        ApproximateDP(epsilon=0.3 * scale, delta=0.1),
        RenyiDP(alpha=0.5, epsilon=scale),
        RenyiDP(alpha=1, epsilon=scale),
        RenyiDP(alpha=3, epsilon=scale),
        ZeroConcentratedDP(rho=scale),
        ZeroConcentratedDP(rho=scale, xi=0.2 * scale),
        TruncatedConcentratedDP(ceiling=3 * scale, rho=scale),
        TruncatedConcentratedDP(ceiling=INF, rho=scale),
        MeanConcentratedDP(mu=scale, tau=scale),
        GaussianDP(mu=scale),
        KernelRenyiDP(alpha=2, regularization=0.05, epsilon=scale),
        CapacityBoundedDP(alpha=2, epsilon=scale),
    ]


def tight(notion, p, q):
    """Return the notion with the least bound that the pair satisfies, or None."""
    value = max(notion.divergence(p, q), notion.divergence(q, p))
    if not 0 < value < INF:
        return None
    fields = {name: getattr(notion, name) for name in (f.name for f in dataclasses.fields(notion))}
    return type(notion)(**(fields | {notion.bound_name: value}))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 5])
def test_implications_hold_for_random_pairs(seed):
    """For every pair, the divergence of each other notion is at most the parameter that is said to follow."""
    rng = np.random.default_rng(10 + seed)
    p, q = random_pair(rng, 2 + seed // 2, zeros=seed == 5)
    checked = 0
    for notion, other in itertools.product(kinds(0.5), kinds(0.8)):
        given = tight(notion, p, q)
        if given is None:
            continue
        known = given.implies(other)
        value = max(other.divergence(p, q), other.divergence(q, p))
        assert value <= known.parameter * (1 + 1e-7) + 1e-12, (given, other)
        checked += known.parameter < INF
        if known.holds:
            assert other.satisfied_by(p, q), (given, other)
    assert checked > (5 if seed == 5 else 60)


@pytest.mark.slow
def test_counterexamples_are_counterexamples():
    refuted = 0
    for notion, other in itertools.product(kinds(0.5)[::2], kinds(0.3)):
        known = notion.implies(other)
        if known.holds is False and isinstance(known.counterexample, tuple):
            p, q = known.counterexample
            assert notion.satisfied_by(p, q), (notion, other)
            assert not other.satisfied_by(p, q), (notion, other)
            assert p.sum() == pytest.approx(1, rel=1e-12)
            refuted += 1
        if known.holds is None:
            assert known.counterexample is None
        if known.holds is False and known.parameter < INF:
            assert known.parameter > other.bound
    assert refuted >= 40


@pytest.mark.slow
def test_optimal_parameters_of_the_literature():
    """Values for colisson.thm7 and hyptest.conj.optimal.two-sided from an independent computation."""
    for e, alpha, want in (
        (0.5, 2, 0.22733629380264572863),
        (1, 3, 0.84672683048544761728),
        (2, 1.5, 1.7824438337496744878),
    ):
        known = PureDP(epsilon=e).implies(RenyiDP(alpha=alpha, epsilon=want * 1.000001))
        assert known.holds
        assert known.optimal
        assert known.parameter == pytest.approx(want, rel=1e-12)
        assert PureDP(epsilon=e).implies(RenyiDP(alpha=alpha, epsilon=want * 0.999999)).holds is False
    for alpha, rho, e, want in (
        (1.5, 0.5, 0.2, 0.34709671188),
        (2, 1, 0.5, 0.401612724401),
        (4, 0.5, 0.3, 0.187454834034),
        (8, 0.1, 0, 0.0883938651806),
    ):
        notion = RenyiDP(alpha=alpha, epsilon=rho)
        known = notion.implies(ApproximateDP(epsilon=e, delta=want + 1e-9))
        assert known.holds
        assert known.parameter == pytest.approx(want, abs=2e-12)
        below = notion.implies(ApproximateDP(epsilon=e, delta=want - 1e-3))
        assert below.holds is False
        assert below.counterexample is not None
    known = PureDP(epsilon=1).implies(ApproximateDP(epsilon=0.5, delta=0.1))
    assert known.parameter == pytest.approx(0.28764913664496792492, rel=1e-14)
    known = GaussianDP(mu=1).implies(ApproximateDP(epsilon=2, delta=0.03))
    assert known.holds
    assert known.parameter == pytest.approx(0.02092363582111373142, rel=1e-13)
    # Hellinger 0.1 is the Renyi divergence -2 log 0.9 of order 1/2
    known = RenyiDP(alpha=0.5, epsilon=-2 * np.log(0.9)).implies(ApproximateDP(epsilon=1, delta=0.1))
    assert known.parameter == pytest.approx(0.26094687603977521735, rel=1e-12)
    assert PureDP(epsilon=1).implies(ZeroConcentratedDP(rho=0.5)).parameter == pytest.approx(np.tanh(0.5), rel=1e-12)


@pytest.mark.slow
def test_false_implications_of_the_papers():
    """Colisson's Theorem 14 (converse, xi > 0) and 13 (m = inf); restricted divergences bound no unrestricted one."""
    one = ZeroConcentratedDP(rho=0.1, xi=1)
    assert one.implies(TruncatedConcentratedDP(ceiling=INF, rho=0.1)).holds is False
    assert one.implies(TruncatedConcentratedDP(ceiling=INF, rho=1.1)).holds
    infinite = TruncatedConcentratedDP(ceiling=INF, rho=0.1).implies(PureDP(epsilon=1000))
    assert infinite.holds is False
    assert isinstance(infinite.counterexample, Gaussian)
    assert TruncatedConcentratedDP(ceiling=2, rho=0.1).implies(PureDP(epsilon=2)).holds
    mean = TruncatedConcentratedDP(ceiling=2, rho=0.7).implies(MeanConcentratedDP(mu=0.7, tau=2))
    assert mean.holds  # Theorem 16 with tau = m instead of m + min(m, z) / 2
    for e in (0.01, 3):
        for notion in (PureDP(epsilon=e), RenyiDP(alpha=2, epsilon=e), ZeroConcentratedDP(rho=e), GaussianDP(mu=e)):
            assert ApproximateDP(epsilon=0.1, delta=1e-9).implies(notion).holds is False
            assert CapacityBoundedDP(alpha=2, epsilon=1e-3, degree=4).implies(notion).holds is False
            assert KernelRenyiDP(alpha=2, regularization=1e-3, epsilon=1e-3).implies(notion).holds is False
    for notion in (PureDP(epsilon=50), ZeroConcentratedDP(rho=50), GaussianDP(mu=50), RenyiDP(alpha=2.1, epsilon=90)):
        assert RenyiDP(alpha=2, epsilon=0.1).implies(notion).holds is False
    kernel = KernelRenyiDP(alpha=2, regularization=0.01, epsilon=0.1).implies(ApproximateDP(epsilon=3, delta=0.9))
    assert kernel.holds is False
    n, lam = 200, 0.01  # the named witness: uniform on n points and on n others
    p, q = np.repeat([1 / n, 0], n), np.repeat([0, 1 / n], n)
    got = KernelRenyiDP(alpha=2, regularization=lam, epsilon=1).divergence(p, q)
    assert got == pytest.approx(-np.log(n * lam), rel=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("rho", [0.01, 0.5, 4, 60])
def test_gaussian_dp_of_concentrated_dp(rho):
    """Among pairs on two points, randomised response with epsilon tanh(epsilon / 2) = rho is the worst.

    It is worse than normal distributions.
    """
    with mpmath.workdps(30):
        e = mpmath.findroot(lambda x: x * mpmath.tanh(x / 2) - rho, mpmath.sqrt(2 * rho) + rho)
        level = 1 / (1 + mpmath.exp(e))
        start = -float(ndtri(float(level)))
        mu = 2 * float(mpmath.findroot(lambda z: mpmath.log(mpmath.erfc(z / mpmath.sqrt(2)) / 2 / level), start))
    assert mu > np.sqrt(2 * rho)
    known = ZeroConcentratedDP(rho=rho).implies(GaussianDP(mu=mu * (1 + 1e-6)))
    assert known.holds
    assert known.parameter == pytest.approx(mu, rel=1e-7)
    below = ZeroConcentratedDP(rho=rho).implies(GaussianDP(mu=mu * (1 - 1e-6)))
    assert below.holds is False
    assert TruncatedConcentratedDP(ceiling=INF, rho=rho).implies(GaussianDP(mu=mu * (1 + 1e-6))).holds
    low = TruncatedConcentratedDP(ceiling=float(e) / 2, rho=rho).implies(GaussianDP(mu=mu))  # pure DP of epsilon / 2
    assert low.parameter <= PureDP(epsilon=float(e) / 2).implies(GaussianDP(mu=1)).parameter * (1 + 1e-7)


@pytest.mark.slow
@pytest.mark.parametrize(("alpha", "rho"), [(0.3, 0.5), (0.5, 0.2), (0.8, 2)])
@pytest.mark.parametrize("epsilon", [0.0, 0.7])
def test_approximate_dp_of_low_orders(alpha, rho, epsilon):
    """The largest p - e^epsilon q over a grid of two-point distributions within the bound in both orders."""
    p, q = np.meshgrid(np.linspace(0, 1, 2001), np.linspace(0, 1, 2001), indexing="ij")
    powers = [x**alpha * y ** (1 - alpha) + (1 - x) ** alpha * (1 - y) ** (1 - alpha) for x, y in ((p, q), (q, p))]
    inside = np.minimum(*powers) >= np.exp((alpha - 1) * rho)
    worst = (p - np.exp(epsilon) * q)[inside].max()
    known = RenyiDP(alpha=alpha, epsilon=rho).implies(ApproximateDP(epsilon=epsilon, delta=0.99))
    assert known.optimal
    assert worst - 1e-12 <= known.parameter <= worst + (1 + np.exp(epsilon)) / 1000
    assert known.holds


@pytest.mark.slow
def test_to_and_from_trade_off_functions():
    def pure(e):
        return TradeOffDP(tradeoff=lambda a: np.maximum(1 - np.exp(e) * a, np.exp(-e) * (1 - a)).clip(0))

    def normal(mu):
        return TradeOffDP(tradeoff=lambda a: ndtr(-ndtri(a) - mu))

    mu = ZeroConcentratedDP(rho=0.5).implies(GaussianDP(mu=1)).parameter
    assert ZeroConcentratedDP(rho=0.5).implies(normal(mu + 0.1)).holds
    assert ZeroConcentratedDP(rho=0.5).implies(normal(0.9)).holds is False
    assert normal(1).implies(normal(1.05)).holds
    assert normal(1.05).implies(normal(1)).holds is False
    assert RenyiDP(alpha=2, epsilon=1).implies(pure(9)).holds is False
    # randomised response attains every divergence of the worst pair of pure DP
    for other in (RenyiDP(alpha=0.3, epsilon=1), RenyiDP(alpha=3, epsilon=1), ZeroConcentratedDP(rho=1)):
        bound = PureDP(epsilon=1).implies(other).parameter
        fields = {f.name: getattr(other, f.name) for f in dataclasses.fields(other)}
        assert pure(1).implies(type(other)(**(fields | {other.bound_name: bound * (1 - 1e-6)}))).holds is False
    zero = TradeOffDP(tradeoff=lambda a: 0 * a)
    kernel = KernelRenyiDP(alpha=2, regularization=0.05, epsilon=0.5)
    assert kernel.implies(zero).holds
    assert kernel.implies(pure(20)).holds is False  # uniform distributions on n and on n other points
    assert zero.implies(pure(20)).holds is False


def test_kernel_from_smaller_kernel_bound():
    """-log(13 / 20) = 0.43 for uniform distributions on 13 and on 13 other points."""
    known = KernelRenyiDP(alpha=2, regularization=0.05, epsilon=0.5).implies(
        KernelRenyiDP(alpha=2, regularization=0.05, epsilon=0.4)
    )
    assert known.holds is False
    assert len(known.counterexample[0]) == 26


def test_kernel_from_approximate():
    """Proposition 9: lambda = delta e^-epsilon, and this theorem gives no smaller one."""
    notion, lam = ApproximateDP(epsilon=1, delta=0.01), 0.01 * np.exp(-1)
    for alpha in (0.7, 2, 12):
        assert notion.implies(
            KernelRenyiDP(alpha=alpha, regularization=lam, epsilon=1, kernel="rbf", bandwidth=1.0)
        ).holds
    # the identity kernel at half of it: refuted by the worst pair, or unknown, but never implied
    assert notion.implies(KernelRenyiDP(alpha=12, regularization=lam / 1e6, epsilon=1)).holds is False


@pytest.mark.slow
@pytest.mark.parametrize("e", [1e-9, 1000])
def test_tiny_and_huge_epsilon(e):
    """If floats cannot represent the worst pair, the parameters still have their limits."""
    for notion in (PureDP(epsilon=e), ApproximateDP(epsilon=e, delta=0)):
        assert notion.implies(PureDP(epsilon=e)).holds
        assert notion.implies(PureDP(epsilon=e * 0.999)).holds is False
        renyi = notion.implies(RenyiDP(alpha=3, epsilon=e)).parameter
        assert renyi == pytest.approx(1.5 * e * e if e < 1 else e, rel=1e-12)  # e + O(e^-e)
        zcdp = notion.implies(ZeroConcentratedDP(rho=e)).parameter
        assert zcdp == pytest.approx(e * np.tanh(e / 2), rel=1e-12)
        mu = notion.implies(GaussianDP(mu=1)).parameter  # 2 Phi^-1(1 - 1 / (1 + e^epsilon)), by Mills' ratio
        with mpmath.workdps(30):
            level = mpmath.log(mpmath.erfc(mpf(float(mu)) / 2 / mpmath.sqrt(2)) / 2)
            assert abs(level + mpmath.log(1 + mpmath.exp(mpf(e)))) < 1e-12 * max(1, e)
        assert notion.implies(ApproximateDP(epsilon=0, delta=1)).parameter == pytest.approx(np.tanh(e / 2), rel=1e-12)


@pytest.mark.slow
def test_results_are_values():
    assert PureDP(epsilon=1) == PureDP(epsilon=1)
    assert hash(RenyiDP(alpha=2, epsilon=1)) == hash(RenyiDP(alpha=2, epsilon=1))
    known = PureDP(epsilon=1).implies(PureDP(epsilon=2))
    assert known
    assert known.reason
    unknown = ZeroConcentratedDP(rho=1).implies(MeanConcentratedDP(mu=9, tau=9))
    assert not unknown
    assert unknown.holds is None
    assert ZeroConcentratedDP(rho=1).implies(GaussianDP(mu=1)).holds is False
    assert ZeroConcentratedDP(rho=1).implies(ApproximateDP(epsilon=1, delta=1)).holds


V, T = ValueError, TypeError
BAD = {
    "epsilon": (lambda: PureDP(epsilon=0), V, ["epsilon must be", "0"]),
    "positional": (lambda: PureDP(1), T, ["positional"]),
    "missing": (lambda: ApproximateDP(epsilon=1), T, ["delta"]),
    "delta": (lambda: ApproximateDP(epsilon=1, delta=1.5), V, ["delta must be in [0, 1]", "1.5"]),
    "epsilon negative": (lambda: ApproximateDP(epsilon=-1, delta=0), V, ["epsilon must be", ">= 0", "-1"]),
    "alpha": (lambda: RenyiDP(alpha=0, epsilon=1), V, ["alpha must be", "0"]),
    "alpha a word": (lambda: RenyiDP(alpha="two", epsilon=1), V, ["alpha must be", "'two'"]),
    "alpha 1": (lambda: CapacityBoundedDP(alpha=1, epsilon=1), V, ["alpha must be > 1", "1"]),
    "degree": (lambda: CapacityBoundedDP(alpha=2, epsilon=1, degree=0), V, ["degree must be", "0"]),
    "rho": (lambda: ZeroConcentratedDP(rho=float("nan")), V, ["rho must be", "nan"]),
    "ceiling": (lambda: TruncatedConcentratedDP(ceiling=-1, rho=1), V, ["ceiling must be", "-1"]),
    "lambda": (lambda: KernelRenyiDP(alpha=2, regularization=-1, epsilon=1), V, ["regularization must be", "-1"]),
    "tradeoff": (lambda: TradeOffDP(tradeoff=3), T, ["tradeoff must be a function", "3"]),
    "tradeoff rising": (lambda: TradeOffDP(tradeoff=lambda a: a), V, ["tradeoff must be nonincreasing"]),
    "tradeoff concave": (lambda: TradeOffDP(tradeoff=lambda a: (1 - a) * (1 + a) / 2), V, ["tradeoff must be convex"]),
    "other": (lambda: PureDP(epsilon=1).implies(3), T, ["other must be a notion", "3"]),
    "not normalised": (lambda: PureDP(epsilon=1).divergence([1, 1], [0.5, 0.5]), V, ["p must be probability vectors"]),
    "q not normalised": (lambda: GaussianDP(mu=1).divergence([0.5, 0.5], [1, 1]), V, ["q must be probability vectors"]),
    "negative": (lambda: RenyiDP(alpha=2, epsilon=1).divergence([2, -1], [0.5, 0.5]), V, ["p must be nonnegative"]),
    "lengths": (
        lambda: ZeroConcentratedDP(rho=1).divergence([1], [0.5, 0.5]),
        V,
        ["same number of entries", "1 and 2"],
    ),
    "points complex": (
        lambda: CapacityBoundedDP(alpha=2, epsilon=1, degree=2).divergence(P, Q, points=[1j, 2, 3]),
        T,
        ["points must be real", "1j"],
    ),
    "points": (lambda: CapacityBoundedDP(alpha=2, epsilon=1).divergence(P, Q, points=[1, 2]), V, ["points must be"]),
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


def test_ratios_above_all_floats_are_ordered_correctly():
    """A corner of the curve of tests lies between two letters whose ratios are 1e310 and 1e320."""
    p, q = np.array([1e-320, 1.0, 1e-310]), np.array([0.5, 1e-16, 0.5])
    a, _, b, _ = _trade_off(p, q)
    assert a.tolist() == [0, 1e-320, 1e-320 + 1e-310, 1] and b[1] == pytest.approx(0.5)
