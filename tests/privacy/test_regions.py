"""Privacy regions compared with printed inequalities, closed forms in multiprecision, reference values and 2-cuts."""

import dataclasses
import math
from functools import partial

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from scipy.special import ndtri

import krdtheory as k
from krdtheory.divergences.cuts import k_cut
from krdtheory.privacy.regions import (
    ApproximateDPRegion,
    GaussianDPRegion,
    HellingerRegion,
    KLRegion,
    PrivacyRegion,
    PureDPRegion,
    RenyiRegion,
    TotalVariationRegion,
)

INF = math.inf
EPS = 2.0**-52

EXAMPLES = [
    PureDPRegion(epsilon=0.8),
    PureDPRegion(epsilon=0.8, two_sided=True),
    ApproximateDPRegion(epsilon=0.8, delta=0.1),
    ApproximateDPRegion(epsilon=0.8, delta=0.1, two_sided=True),
    RenyiRegion(alpha=0.5, rho=0.3),
    RenyiRegion(alpha=2, rho=0.3),
    RenyiRegion(alpha=9, rho=0.3),
    RenyiRegion(alpha=9, rho=0.3, two_sided=True),
    RenyiRegion(alpha=INF, rho=0.3),
    KLRegion(rho=0.2),
    KLRegion(rho=0.2, two_sided=True),
    HellingerRegion(distance=0.2),
    TotalVariationRegion(distance=0.4),
    GaussianDPRegion(mu=0.7),
]
named = pytest.mark.parametrize("region", EXAMPLES, ids=str)


def printed(region, x, y):
    """Return the slack of the inequality of the region at 0 < x, y < 1, for one order."""
    if isinstance(region, PureDPRegion):
        e = math.exp(region.epsilon)
        return min(e * y - (1 - x), e * (1 - y) - x)
    if isinstance(region, ApproximateDPRegion):
        e = math.exp(region.epsilon)
        return region.delta - max((1 - x) - e * y, x - e * (1 - y))
    if isinstance(region, RenyiRegion):
        a = region.alpha
        if a == INF:
            return region.rho - math.log(max((1 - x) / y, x / (1 - y)))
        return region.rho - math.log(x**a * (1 - y) ** (1 - a) + (1 - x) ** a * y ** (1 - a)) / (a - 1)
    if isinstance(region, KLRegion):
        return region.rho - (1 - x) * math.log((1 - x) / y) - x * math.log(x / (1 - y))
    if isinstance(region, HellingerRegion):
        return math.sqrt((1 - x) * y) + math.sqrt(x * (1 - y)) - 1 + region.distance
    if isinstance(region, TotalVariationRegion):
        return region.distance - abs(1 - x - y)
    return region.mu - abs(ndtri(1 - x) - ndtri(y))


@pytest.mark.slow
@named
def test_contains_is_the_printed_inequality(region):
    rng = np.random.default_rng(1)
    x, y = rng.uniform(size=(2, 400))
    slack = np.array([printed(region, u, v) for u, v in zip(x, y, strict=True)])
    if region.two_sided:
        slack = np.minimum(slack, [printed(region, v, u) for u, v in zip(x, y, strict=True)])
    assert (abs(slack) > 1e-9).all()  # no point is so close to the boundary that rounding matters
    assert np.array_equal(region.contains(x, y), slack > 0)
    assert 40 < (slack > 0).sum() < 390
    assert np.array_equal(region.contains(x, y), region.contains(1 - x, 1 - y))
    assert region.contains(x[:, None], y).shape == (400, 400)


@pytest.mark.slow
@named
def test_boundary(region):
    """Points just above are inside, just below outside; it is convex and decreasing, with its mirror image above."""
    x = np.linspace(0, 1, 101)
    y = region.boundary(x)
    assert y[-1] == 0 and (y <= 1 - x + EPS).all()
    assert (np.diff(y) <= EPS).all() and (np.diff(y, 2) >= -8 * EPS).all()
    step, x, y = 1e-9, x[1:-1], y[1:-1]
    assert region.contains(x, y + step).all()
    below = y > 2 * step
    assert below.sum() >= 40 and not region.contains(x[below], y[below] - step).any()
    assert region.contains(x, 1 - region.boundary(1 - x) - step).all()
    assert float(region.boundary(0.25)) == y[24]


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1e-8, 0.016, 0.5, 1 - 2**-53, 1.0, 1.3, 2.0, 300.0, 1e12])
def test_levels_and_boundaries_between_close_distributions(alpha):
    """For bounds of any size, the boundary never increases from one float to the next, its level is the bound, and
    levels are those of the definition in multiprecision.
    """
    rng = np.random.default_rng(7)
    for rho in (0.0, 1e-211, 1e-33, 1e-17, 1e-9):
        region = RenyiRegion(alpha=alpha, rho=rho)
        x = rng.choice([0.2, 1e-4, 1e-8], size=40) * rng.uniform(size=40)
        x = np.where(rng.uniform(size=40) < 0.3, 1 - x, x)
        steps = x[:, None] + np.arange(6) * np.spacing(x)[:, None]
        y = region.boundary(steps)
        assert (np.diff(y) <= 2 * np.spacing(y[:, 1:])).all() and (y <= 1 - steps).all()
        for u, v in zip(x[:6].tolist(), y[:6, 0].tolist(), strict=True):
            for beside in {v, v * (1 - 1e-6), v * 0.4} - {0.0}:
                with mpmath.workdps(120):
                    p, q, a = 1 - mpf(u), mpf(beside), mpf(alpha)
                    pairs = [(p, q), (1 - p, 1 - q)]
                    if alpha == 1:
                        want = sum(m * mpmath.log(m / n) for m, n in pairs)
                    else:
                        want = mpmath.log(sum(m**a * n ** (1 - a) for m, n in pairs)) / (a - 1)
                assert region.level(u, beside) == pytest.approx(float(want), rel=1e-12, abs=1e-60)


@pytest.mark.slow
def test_boundary_closed_forms():
    """Order 2: c q^2 - (c - 1 + 2 p) q + p^2 = 0, at every scale of the bound."""
    for rho in (1e-300, 1e-90, 1e-17, 1e-7, 0.01, 0.5, 3):
        region = RenyiRegion(alpha=2, rho=rho)
        for x in (0, 1e-300, 1e-19, 1e-8, 1e-3, 0.3, 0.5, 0.9, 1 - 2**-20, 1 - 2**-53):
            with mpmath.workdps(700):
                more, p = mpmath.expm1(mpf(rho)), 1 - mpf(x)
                want = 2 * p * p / (more + 2 * p + mpmath.sqrt(more * more + 4 * more * p * (1 - p)))
            assert region.boundary(x) == pytest.approx(float(want), rel=64 * EPS, abs=0)
    assert KLRegion(rho=0.7).boundary(0) == pytest.approx(math.exp(-0.7), rel=8 * EPS)
    # Hellinger: the printed square has a spurious branch beyond x = (1 - d)^2, 4/125 at x = 4/5
    region = HellingerRegion(distance=0.2)
    assert region.boundary(0.8) == 0 and region.boundary(0.2) == pytest.approx(0.2, rel=8 * EPS)
    assert 1 - region.level(0.8, 4 / 125) == pytest.approx(24 / 25, rel=4 * EPS)
    assert GaussianDPRegion(mu=1).boundary(0) == 1
    # two-sided pure: both lines of Kairouz, Oh and Viswanath
    x = np.array([0, 0.1, 1 / (1 + math.e), 0.5, 1])
    want = np.maximum((1 - x) / math.e, 1 - math.e * x)
    assert PureDPRegion(epsilon=1, two_sided=True).boundary(x) == pytest.approx(want, abs=2 * EPS)


def delta_of(region, epsilon, two_sided=False):
    return ApproximateDPRegion(epsilon=epsilon, delta=0, two_sided=two_sided).covering(region).delta


def epsilon_of(region, delta, two_sided=False):
    return ApproximateDPRegion(epsilon=0, delta=delta, two_sided=two_sided).covering_at_delta(region).epsilon


REFERENCE_DELTAS = [
    (RenyiRegion(alpha=2, rho=0.1), [0.16215032999939255814, 0.038272169679499049826, 0.0041126287509146921846]),
    (RenyiRegion(alpha=2, rho=1), [0.6321205588285576784, 0.40692609287591607058, 0.066542314071085298616]),
    (RenyiRegion(alpha=8, rho=0.1), [0.098350342018214395342, 0.0015830152068131455783, 4.1378684691338517349e-8]),
    (RenyiRegion(alpha=8, rho=1), [0.6321205588285576784, 0.3934693402873665764, 0.000044720826441024256823]),
    (KLRegion(rho=0.1), [0.22235542482998855389, 0.093329276562856652024, 0.030904360577470814493]),
    (KLRegion(rho=0.5), [0.48556679247275801573, 0.33835250921152708095, 0.1490942848429650035]),
    (GaussianDPRegion(mu=1), [0.38292492254802620728, 0.23842170813487662832, 0.02092363582111373142]),
    (GaussianDPRegion(mu=0.5), [0.19741265136584744848, 0.052440323287669661712, 9.4391686349472337585e-6]),
    (PureDPRegion(epsilon=1), [0.6321205588285576784, 0.3934693402873665764, 0]),
    (PureDPRegion(epsilon=1, two_sided=True), [0.4621171572600097585, 0.28764913664496792492, 0]),
    (TotalVariationRegion(distance=0.3), [0.3, 0.3, 0.3]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("region", "deltas"), REFERENCE_DELTAS, ids=[str(r) for r, _ in REFERENCE_DELTAS])
def test_optimal_delta_at_epsilon_0_half_and_2(region, deltas):
    """20-digit values of an independent study; delta is a difference of terms below e^2, each with an error of eps."""
    for epsilon, want in zip((0, 0.5, 2), deltas, strict=True):
        assert delta_of(region, epsilon, region.two_sided) == pytest.approx(want, rel=1e-13, abs=4 * EPS)


def test_hellinger_to_delta():
    """The corrected closed form, ((e^eps - 1)^2 + 4 e^eps kappa)^(1/2) / 2 - (e^eps - 1) / 2."""
    for d, want in ((0.01, 0.03092476811615401475), (0.1, 0.26094687603977521735), (0.3, 0.59840731585319166381)):
        assert delta_of(HellingerRegion(distance=d), 1) == pytest.approx(want, rel=1e-13)
    assert delta_of(HellingerRegion(distance=0.2), 0) == pytest.approx(0.6, rel=1e-13)  # not 0, -1/5 or 1, as printed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("alpha", "rho", "delta", "one", "two"),
    [
        (2, 0.1, 1e-3, 3.3065837082676861154, None),
        (2, 3, 1e-8, 19.983317203985601103, None),
        (8, 1, 1e-5, 2.2139789160103770816, None),
        (2, 3, 0.5, 2.3068528194400546906, 2.3044834847342287261),
        (4, 1, 0.25, 0.71231792754821907256, 0.69016289423250350782),
        (8, 0.5, 0.1, 0.39834531910790533038, 0.39365514081242957754),
        (32, 0.1, 0.02, 0.082645425207184503147, 0.081998371971087534264),
        (1.5, 0.5, 0.3, 0.32995367314961504046, 0.32995367314961504046),
    ],
)
def test_optimal_epsilon(alpha, rho, delta, one, two):
    """Tangent, corner and randomised-response regimes, 20-digit values."""
    assert epsilon_of(RenyiRegion(alpha=alpha, rho=rho), delta) == pytest.approx(one, rel=1e-12)
    if two is not None:
        symmetric = RenyiRegion(alpha=alpha, rho=rho, two_sided=True)
        assert epsilon_of(symmetric, delta, two_sided=True) == pytest.approx(two, rel=1e-12)


@pytest.mark.slow
def test_optimal_epsilon_of_the_gaussian_and_at_an_order_near_one():
    assert epsilon_of(GaussianDPRegion(mu=1), 1e-5) == pytest.approx(4.3771780956812246277, rel=1e-14)
    # order 1.0005: q = 1e-300 and far less. The optimum over p of log((p - delta) / q), q by 60-digit bisection
    alpha, rho, delta = 1.0005, 2.0, 1e-3

    with mpmath.workdps(60):
        a, c = mpf(alpha), mpmath.exp((mpf(alpha) - 1) * mpf(rho))

        def loss(p):
            low, high = mpf(-10) ** 5, mpmath.log(p)
            for _ in range(120):
                q = mpmath.exp((low + high) / 2)
                inside = p**a * q ** (1 - a) + (1 - p) ** a * (1 - q) ** (1 - a) <= c
                low, high = (low, (low + high) / 2) if inside else ((low + high) / 2, high)
            return mpmath.log(p - mpf(delta)) - high

        low, high, golden = mpf(delta), mpf("0.1"), (mpmath.sqrt(5) - 1) / 2
        for _ in range(45):  # width 1e-10, so the maximum is known to about 1e-16 relative
            left, right = high - golden * (high - low), low + golden * (high - low)
            low, high = (low, right) if loss(left) > loss(right) else (left, high)
        want = float(loss(low))
    assert want > 710
    assert epsilon_of(RenyiRegion(alpha=alpha, rho=rho), delta) == pytest.approx(want, rel=1e-11)


def test_randomised_response_values():
    """The optimum of a polygon is at a corner, which gives closed forms for two-sided pure DP."""
    known = PureDPRegion(epsilon=1, two_sided=True)
    half = 0.5
    for alpha in (0.5, 1.5, 3, 20):
        want = math.log(math.cosh(alpha - half) / math.cosh(half)) / (alpha - 1)
        assert RenyiRegion(alpha=alpha, rho=0).covering(known).rho == pytest.approx(want, rel=1e-14)
    assert KLRegion(rho=0).covering(known).rho == pytest.approx(math.tanh(half), rel=1e-14)
    assert HellingerRegion(distance=0).covering(known).distance == pytest.approx(1 - 1 / math.cosh(half), rel=1e-14)
    want = 2 * ndtri(math.e / (1 + math.e))
    assert GaussianDPRegion(mu=0).covering(known).mu == pytest.approx(want, rel=1e-14)
    assert PureDPRegion(epsilon=0).covering(known).epsilon == pytest.approx(1, rel=4 * EPS)


FAMILIES = [
    PureDPRegion(epsilon=0),
    ApproximateDPRegion(epsilon=0.3, delta=0),
    RenyiRegion(alpha=0.5, rho=0),
    RenyiRegion(alpha=2, rho=0),
    RenyiRegion(alpha=5, rho=0, two_sided=True),
    KLRegion(rho=0),
    HellingerRegion(distance=0),
    TotalVariationRegion(distance=0),
    GaussianDPRegion(mu=0),
]


@pytest.mark.slow
@named
def test_covering_is_the_largest_level_on_the_boundary(region):
    """No point of a dense boundary exceeds it, and one is close: steps of 0.002 in x give an error below 0.02."""
    x = np.linspace(0, 1, 501)[1:-1]
    y = region.boundary(x)
    positive = y > 0
    for family in FAMILIES:
        bound = family.covering(region).bound
        seen = family.level(x[positive], y[positive]).max()
        assert seen <= bound * (1 + 1e-9) + 1e-12
        if bound < INF and not isinstance(family, GaussianDPRegion):
            ends = max(family.level([0, 1], [region.boundary(0), 0]))
            assert bound <= max(seen, ends) * 1.02


@pytest.mark.slow
@named
def test_every_region_is_covered_by_itself_and_no_smaller_one(region):
    assert region.covering(region).bound == pytest.approx(region.bound, rel=1e-13, abs=8 * EPS)
    smaller = dataclasses.replace(region, **{region._bound: region.bound * 0.9})
    assert region.includes(smaller) and not smaller.includes(region)


@pytest.mark.slow
def test_inclusions_that_follow_from_no_finite_bound():
    renyi, gaussian = RenyiRegion(alpha=2, rho=0.5), GaussianDPRegion(mu=1)
    for family, region in (
        (PureDPRegion(epsilon=0), renyi),
        (PureDPRegion(epsilon=0), gaussian),
        (PureDPRegion(epsilon=0), ApproximateDPRegion(epsilon=1, delta=0.1)),
        (RenyiRegion(alpha=INF, rho=0), gaussian),
        (RenyiRegion(alpha=2.5, rho=0), renyi),
        (RenyiRegion(alpha=2, rho=0, two_sided=True), renyi),
        (RenyiRegion(alpha=2, rho=0), KLRegion(rho=0.5)),
        (RenyiRegion(alpha=2, rho=0), HellingerRegion(distance=0.5)),
        (KLRegion(rho=0), TotalVariationRegion(distance=0.1)),
        (GaussianDPRegion(mu=0), renyi),
        (GaussianDPRegion(mu=0), dataclasses.replace(renyi, two_sided=True)),
        (GaussianDPRegion(mu=0), PureDPRegion(epsilon=1)),
    ):
        assert family.covering(region).bound == INF and not family.includes(region)
    for bound in (1e161, 1e183, 1e260, 1e308):  # the level, mu^2 / 2, is above all floats
        for family in (KLRegion(rho=1), RenyiRegion(alpha=1, rho=1, two_sided=True), RenyiRegion(alpha=2, rho=1)):
            assert family.covering(GaussianDPRegion(mu=bound)).bound == INF
    assert RenyiRegion(alpha=2, rho=0).covering(RenyiRegion(alpha=2.5, rho=0.5)).rho <= 0.5 + 1e-13
    # the supremum is in tests of probability e^-2000, and no more than the divergence alpha mu^2 / 2 of the pair
    rho = RenyiRegion(alpha=64, rho=0).covering(gaussian).rho
    with mpmath.workdps(30):
        z = mpf(-63)  # the exponent peaks where z = -(alpha - 1) mu, and the 2-cut is at least this one
        p, q = (mpmath.erfc(-v / mpmath.sqrt(2)) / 2 for v in (z, z - 1))
        assert float(mpmath.log(p**64 * q**-63) / 63) <= rho <= 32


@pytest.mark.slow
@pytest.mark.parametrize(("known", "sought"), [(0.3, 0.5), (0.1, 0.9), (0.5, 0.2)])
def test_orders_below_one_bound_each_other(known, sought):
    """van Erven and Harremoes (2014), Theorem 16, attained at q = 0; and monotonicity, attained at p = 1."""
    least = RenyiRegion(alpha=sought, rho=0).covering(RenyiRegion(alpha=known, rho=0.05)).rho
    assert least == pytest.approx(0.05 * max(1, sought * (1 - known) / (known * (1 - sought))), rel=1e-13)
    assert RenyiRegion(alpha=1, rho=0).covering(RenyiRegion(alpha=known, rho=0.05)).rho == INF


def test_degenerate_bounds():
    square, line = PureDPRegion(epsilon=INF), PureDPRegion(epsilon=0)
    x = np.linspace(0, 1, 11)
    for full in (square, RenyiRegion(alpha=2, rho=INF), GaussianDPRegion(mu=INF), KLRegion(rho=INF)):
        assert full.contains(x[:, None], x).all() and not full.boundary(x).any()
        assert all(full.includes(region) for region in EXAMPLES)
        assert delta_of(full, 1) == 1
    for region in EXAMPLES:
        assert region.includes(line)
        assert region.covering(line).bound == pytest.approx(0, abs=8 * EPS)
    for thin in (line, GaussianDPRegion(mu=0), TotalVariationRegion(distance=0), HellingerRegion(distance=0)):
        assert thin.boundary(x) == pytest.approx(1 - x, abs=4 * EPS)
    with pytest.raises(ValueError, match="no finite epsilon"):
        epsilon_of(TotalVariationRegion(distance=0.1), 0.01)
    assert epsilon_of(TotalVariationRegion(distance=0.1), 0.1) == 0
    assert epsilon_of(PureDPRegion(epsilon=2), 0) == pytest.approx(2, rel=4 * EPS)


FUNCTIONS = [
    (PureDPRegion(epsilon=0), k.max_divergence),
    (ApproximateDPRegion(epsilon=0.3, delta=0), partial(k.hockey_stick, epsilon=0.3)),
    (RenyiRegion(alpha=2, rho=0), partial(k.renyi, alpha=2)),
    (KLRegion(rho=0), k.kl),
    (HellingerRegion(distance=0), k.hellinger),
    (TotalVariationRegion(distance=0), k.total_variation),
]


@pytest.mark.slow
def test_the_regions_are_those_of_2_cuts():
    """Theorem 15: the 2-cut is at most rho if and only if every test is in the region.

    A bound on one 2-cut implies the covering bound on every other.
    """
    rng = np.random.default_rng(2)
    for _ in range(2):
        p, q = (1 + rng.multinomial(60, rng.dirichlet(np.ones(4), size=2))) / 64  # dyadic, so that sums are exact
        maps = (np.arange(16)[:, None] >> np.arange(4)) & 1
        x, y = maps @ p, (1 - maps) @ q
        for family, divergence in FUNCTIONS:
            cut = k_cut(p, q, divergence, 2)
            for factor, inside in ((1 + 1e-9, True), (1 - 1e-9, False)):
                region = dataclasses.replace(family, **{family._bound: min(cut * factor, 1e9)})
                assert region.contains(x, y).all() == inside
            known = dataclasses.replace(family, **{family._bound: cut})
            for target, other in FUNCTIONS:
                assert k_cut(p, q, other, 2) <= target.covering(known).bound * (1 + 1e-12) + 8 * EPS


def test_plot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    region = HellingerRegion(distance=0.2)
    assert region.plot(ax=axes, points=51, color="C1", label="here") is axes
    path = axes.collections[0].get_paths()[0]
    assert axes.get_legend_handles_labels()[1] == ["here"]
    corners = path.vertices
    assert corners[:, 1].min() == 0 and corners[:, 1].max() == 1
    inside = path.contains_points([[0.5, 0.5], [0.3, 0.3], [0.05, 0.05], [0.95, 0.95]])
    assert inside.tolist() == region.contains([0.5, 0.3, 0.05, 0.95], [0.5, 0.3, 0.05, 0.95]).tolist()
    plt.close(figure)
    plt.close(PureDPRegion(epsilon=1).plot().figure)


@pytest.mark.parametrize(
    ("make", "error", "name"),
    [
        (lambda: PureDPRegion(epsilon=-1), ValueError, "epsilon"),
        (lambda: PureDPRegion(epsilon=math.nan), ValueError, "epsilon"),
        (lambda: PureDPRegion(epsilon="1"), TypeError, "epsilon"),
        (lambda: PureDPRegion(epsilon=[1, 2]), TypeError, "epsilon"),
        (lambda: PureDPRegion(epsilon=1, two_sided=1), TypeError, "two_sided"),
        (lambda: ApproximateDPRegion(epsilon=INF, delta=0), ValueError, "epsilon"),
        (lambda: ApproximateDPRegion(epsilon=1, delta=1.5), ValueError, "delta"),
        (lambda: RenyiRegion(alpha=0, rho=1), ValueError, "alpha"),
        (lambda: RenyiRegion(alpha=2, rho=-1), ValueError, "rho"),
        (lambda: HellingerRegion(distance=1.1), ValueError, "distance"),
        (lambda: GaussianDPRegion(mu=True), TypeError, "mu"),
        (lambda: PureDPRegion(epsilon=1).contains(1.5, 0), ValueError, "x"),
        (lambda: PureDPRegion(epsilon=1).contains(0, -0.5), ValueError, "y"),
        (lambda: PureDPRegion(epsilon=1).contains([0, 1], [0, 1, 1]), ValueError, "x and y"),
        (lambda: PureDPRegion(epsilon=1).boundary(2), ValueError, "x"),
        (lambda: PureDPRegion(epsilon=1).covering(1), TypeError, "other"),
        (lambda: PureDPRegion(epsilon=1).includes("a"), TypeError, "other"),
        (lambda: ApproximateDPRegion(epsilon=0, delta=0.1).covering_at_delta(1), TypeError, "other"),
        (lambda: PureDPRegion(epsilon=1).plot(points=1), ValueError, "points"),
    ],
)
def test_bad_input(make, error, name):
    with pytest.raises(error, match=name):
        make()


def test_regions_are_values():
    region = PureDPRegion(epsilon=1)
    assert region == PureDPRegion(epsilon=1.0) and hash(region) == hash(PureDPRegion(epsilon=1))
    with pytest.raises(dataclasses.FrozenInstanceError):
        region.epsilon = 2
    with pytest.raises(TypeError):
        PureDPRegion(1)
    with pytest.raises(TypeError):
        PrivacyRegion()


@pytest.mark.parametrize(("alpha", "rho", "x", "y"), [(0.5, 213.3, 1.0, 5e-324), (0.75, 3e97, 5e-324, 1.0)])
def test_levels_below_order_one_are_not_minus_zero(alpha, rho, x, y):
    level = RenyiRegion(alpha=alpha, rho=rho).level(x, y)
    assert 0 <= level < 1e-322 and not np.signbit(level)


def test_levels_and_bounds_of_equal_distributions_are_not_minus_zero():
    for two_sided in (False, True):
        pure = PureDPRegion(epsilon=0, two_sided=two_sided)
        found = [
            pure.level([0, 0.25, 1], [1, 0.75, 0]),
            RenyiRegion(alpha=INF, rho=0, two_sided=two_sided).level(0.25, 0.75),
            pure.covering(pure).epsilon,
            RenyiRegion(alpha=INF, rho=1).covering(pure).rho,
            ApproximateDPRegion(epsilon=1, delta=0).covering_at_delta(pure).epsilon,
        ]
        for value in found:
            assert not np.any(value) and not np.signbit(value).any()
