"""Audits that draw outputs sequentially: the bets are fair, the level holds at all times, and faults are found soon."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar
from scipy.stats import binom, norm

from krdtheory.audit import Inconclusive, SequentialAudit, assert_private, audit_mechanism, betting, samples_to_detect
from krdtheory.audit.basic_scores import Linear, Tree
from krdtheory.audit.event_bounds import half_planes
from krdtheory.audit.scores import Coordinate
from krdtheory.audit.stream import _Bettors
from krdtheory.privacy.mechanisms import DiscreteLaplace, Gaussian, Laplace, RandomizedResponse
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

LAPLACE = Laplace(scale=1, sensitivity=1)


def kl(p, q):
    return sum(a * math.log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0)


CASES = [(0.5, 0.18, 0.5, 0.0), (0.9, 0.05, 1.0, 0.01), (0.3, 0.001, 3.0, 0.1), (0.02, 0.0, 1.0, 0.001)]


@pytest.mark.parametrize(("p", "q", "epsilon", "delta"), CASES)
def test_the_nearest_point_and_the_best_rate_are_those_of_a_minimiser(p, q, epsilon, delta):
    g = math.exp(epsilon)
    found = minimize_scalar(
        lambda t: kl(p, g * t + delta) + kl(q, t),
        bounds=(1e-12, (1 - delta) / g),
        method="bounded",
        options={"xatol": 1e-13},
    )
    assert betting.nearest(p, q, g, delta) == pytest.approx(found.x, rel=1e-5)
    assert float(betting.growth_rate(np.array(p), np.array(q), g, delta)) == pytest.approx(found.fun, rel=1e-6)


@pytest.mark.parametrize(("p", "q", "epsilon", "delta"), CASES[:3])
def test_no_other_stakes_grow_faster(p, q, epsilon, delta):
    """The rate is the largest E log of a bet over all u and q, found by a search that uses no divergence."""
    g = math.exp(epsilon)

    def loss(v):
        at = (1 - delta) / g / (1 + math.exp(-v[0]))
        u = (1 - 1e-9) / max(g * at + delta, g * (1 - at)) / (1 + math.exp(-v[1]))
        one, none, one_y, none_y = (float(f) for f in betting.log_factors(u, at, g, delta))
        return -(p * one + (1 - p) * none + q * one_y + (1 - q) * none_y)

    starts = product((-2.0, 0.0, 2.0), repeat=2)
    best = max(-minimize(loss, s, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13}).fun for s in starts)
    assert best == pytest.approx(float(betting.growth_rate(np.array(p), np.array(q), g, delta)), rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 5.0, 30.0])
@pytest.mark.parametrize("delta", [0.0, 1e-6, 0.1, 0.9])
def test_a_bet_is_fair_under_the_guarantee(epsilon, delta):
    """The mean of the factor, a sum over four outcomes, is at most 1 for all probabilities that satisfy the guarantee,
    even if the stakes come from absurd counts."""
    g = math.exp(epsilon)
    rng = np.random.default_rng(0)
    n = rng.choice([1.0, 5.5, 100.0, 1e6, 1e18], 400)
    hits = [rng.choice([0, 0.001, 0.3, 0.999, 1], 400) * n for _ in range(2)]
    u, at = betting.stakes(*hits, n, g, delta)
    one, none, one_y, none_y = (np.exp(f)[:, None] for f in betting.log_factors(u, at, g, delta))
    assert (u >= 0).all()
    assert np.isfinite(betting.log_factors(u, at, g, delta)).all()
    q = np.concatenate([[0.0, 1.0], at, rng.random(100)])
    p = np.minimum(g * q + delta, 1)
    for share in (1.0, 0.5, 0.0):
        mean = (share * p * one + (1 - share * p) * none) * (q * one_y + (1 - q) * none_y)
        assert mean.max() <= 1 + 1e-12
    assert (u > 0).any() or epsilon > 20


def test_stakes_are_smaller_for_few_outputs():
    """With the same estimates of the probabilities, two outputs have half the stake of very many."""
    n = np.array([2, 1e12])
    u, _ = betting.stakes(0.8 * (n + 1) - 0.5, 0.2 * (n + 1) - 0.5, n, math.exp(0.5), 0.01)
    assert u[0] == pytest.approx(u[1] / 2)
    assert u[1] > 0.1


@pytest.mark.slow
def test_blocks_give_the_same_capital_as_single_bets():
    """The capital computed from counts is that of the single bets, for updates of any size."""
    rng = np.random.default_rng(1)
    x, y = rng.laplace(size=(150, 1)) + 0.3, rng.laplace(size=(150, 1))
    planes = half_planes(GaussianDP(mu=0.5))
    capitals = []
    for size in (1, 7, 150):
        bettors = _Bettors({"linear": Linear()}, planes, np.random.default_rng(0))
        at = 0
        while at < len(x):
            step = min(size, bettors.room, len(x) - at)
            bettors.take(x[at : at + step], y[at : at + step], np.inf)
            at += step
        again = bettors.capitals(planes[0][None], planes[1][None])
        assert again[-1].mean() == pytest.approx(bettors.capital, rel=1e-9)
        capitals.append(bettors.capital)
    assert capitals == pytest.approx([capitals[0]] * 3, rel=1e-9)


def test_the_event_is_the_same_for_both_samples():
    """On equal outputs, x and y of every bettor hit it equally often; the second half bets on y against x."""
    rng = np.random.default_rng(2)
    bettors = _Bettors({"linear": Linear(), "tree": Tree()}, half_planes(PureDP(epsilon=1)), rng)
    x, y = rng.laplace(size=(10, 2)) + 1, rng.laplace(size=(10, 2))
    bettors.take(x, y, np.inf)
    z, other = rng.laplace(size=(2, 50, 2))
    first, second = bettors._hits(z, z)
    assert np.array_equal(first, second)
    assert 0 < first.mean() < 1
    (a, b), (c, d) = bettors._hits(z, other), bettors._hits(other, z)
    half = a.shape[1] // 2
    assert np.array_equal(a[:, :half], d[:, :half])
    assert np.array_equal(a[:, half:], d[:, half:])
    assert np.array_equal(b, c)
    assert np.array_equal(first[:, :half], a[:, :half])
    assert np.array_equal(first[:, half:], b[:, half:])  # in this half y is from the first distribution


def laws(notion, seed):
    """Yield random pairs of finite distributions that satisfy the notion by its definition."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(4, 0.7), 3000)
    t = rng.random((3000, 1)) ** 2
    q = (1 - t) * p + t * rng.dirichlet(np.full(4, 0.7), 3000)
    good = np.asarray(notion.satisfied_by(p, q))
    return p[good], q[good]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")  # for distributions with weights near 0
@pytest.mark.parametrize(
    "notion",
    [
        PureDP(epsilon=0.7),
        ApproximateDP(epsilon=0.4, delta=0.05),
        RenyiDP(alpha=2, epsilon=0.3),
        RenyiDP(alpha=0.5, epsilon=0.1),
        GaussianDP(mu=0.8),
    ],
)
def test_half_planes_hold_for_every_event(notion):
    gain, delta = half_planes(notion)
    p, q = laws(notion, 0)
    assert len(p) > 100
    for event in product((0, 1), repeat=4):
        a, b = p @ np.array(event), q @ np.array(event)
        assert (a[:, None] <= gain * b[:, None] + delta + 1e-9).all()


@pytest.mark.slow
def test_half_planes_of_normal_distributions():
    """Balle and Wang's profile; that from (rho-)concentration is weaker."""
    for notion, exact in ((GaussianDP(mu=1), True), (ZeroConcentratedDP(rho=0.5), False)):
        gain, delta = half_planes(notion)
        e = np.log(gain)
        profile = norm.cdf(0.5 - e) - gain * norm.cdf(-0.5 - e)
        assert (delta >= profile - 1e-9).all()
        assert not exact or delta == pytest.approx(profile, abs=1e-9)


@pytest.mark.parametrize(
    "notion", [KernelRenyiDP(alpha=2, regularization=0.1, epsilon=1), CapacityBoundedDP(alpha=2, epsilon=1)]
)
def test_notions_that_do_not_bound_events_are_rejected(notion):
    with pytest.raises(ValueError, match="notion must be one that bounds the probabilities of events"):
        SequentialAudit(notion)


# The level


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "claim"),
    [
        (RandomizedResponse(epsilon=1), PureDP(epsilon=1)),  # ties, exactly on the boundary
        (Gaussian.calibrated(epsilon=1, delta=0.05, sensitivity=1), ApproximateDP(epsilon=1, delta=0.05)),
    ],
)
def test_the_level_holds_under_continuous_monitoring(mechanism, claim):
    """200 audits at 20%, monitored after every pair; more than 63 rejections have probability below 1e-4 at this level.

    A test of fixed size, repeated after every pair, would reject more than half. benchmarks/audit_sequential.py has
    2000 audits at 5%.
    """
    assert binom.sf(63, 200, 0.2) < 1e-4
    wrong = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        x, y = (mechanism.sample(np.full(120, value), rng=rng) for value in (0, 1))
        wrong += SequentialAudit(claim, confidence=0.8, scores="linear").update(x, y).rejected
    assert wrong <= 63


@pytest.mark.slow
def test_lower_bounds_are_below_the_true_value():
    """In 40 audits at 50%, more than 34 bounds above the true value have probability below 1e-5; none is trivial."""
    assert binom.sf(34, 40, 0.5) < 1e-5
    bounds = [
        audit_mechanism(
            LAPLACE, 0, 1, PureDP(epsilon=2), confidence=0.5, max_samples=300, batch=300, scores="linear", rng=i
        ).epsilon_lower
        for i in range(40)
    ]
    assert sum(b > 1 for b in bounds) <= 34
    assert np.median(bounds) > 0.4


# Power


def median(mechanism, claim, runs=11, **options):
    found = [audit_mechanism(mechanism, 0, 1, claim, batch=16, rng=i, **options) for i in range(runs)]
    return np.median([r.n if r.rejected else np.inf for r in found])


def reused(data, size):
    return np.full(size, data + 0.25)


@pytest.mark.slow
def test_faults_are_found_within_the_marks():
    """The marks are 350 for Laplace noise of epsilon 1 that claims 0.5, and 100 for halved noise and a reused seed."""
    assert median(LAPLACE, PureDP(epsilon=0.5), max_samples=1000) <= 350
    assert median(Laplace(scale=0.5, sensitivity=1), PureDP(epsilon=1), max_samples=1000) <= 100
    assert median(reused, PureDP(epsilon=1), runs=1, max_samples=200) <= 100


@pytest.mark.slow
@pytest.mark.parametrize("data", [(0, 1), (1, 0)])
@pytest.mark.parametrize("scores", [Coordinate(), lambda z: -z[:, 0], lambda z: (z[:, 0] < 0.5).astype(int)])
def test_scores_may_have_either_sign(scores, data):
    """A given score may be smaller under either distribution; the event is found just as fast."""
    found = [
        audit_mechanism(LAPLACE, *data, PureDP(epsilon=0.3), max_samples=600, batch=600, scores=scores, rng=i)
        for i in range(5)
    ]
    assert np.median([r.n if r.rejected else np.inf for r in found]) < 250


def test_scores_that_are_not_numbers_are_rejected():
    with pytest.raises(ValueError, match="scores must be numbers"):
        audit_mechanism(LAPLACE, 0, 1, PureDP(epsilon=1), scores=lambda z: np.full(len(z), np.nan))


NORMAL = Gaussian(scale=0.5, sensitivity=1)  # mu = 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "claim",
    [
        ApproximateDP(epsilon=1, delta=0.01),
        GaussianDP(mu=1),
        RenyiDP(alpha=2, epsilon=0.5),
        ZeroConcentratedDP(rho=0.2),
        TruncatedConcentratedDP(ceiling=3, rho=0.2),
        MeanConcentratedDP(mu=0.2, tau=0.6),
        TradeOffDP(tradeoff=lambda a: np.maximum(1 - 2 * a, (1 - a) / 2).clip(0)),
    ],
)
def test_every_notion_on_normal_distributions(claim):
    found = audit_mechanism(NORMAL, 0, 1, claim, max_samples=2000, rng=3)
    assert found.rejected
    assert found.p_value <= 0.05
    assert 0 <= found.divergence_lower < {GaussianDP: 2, ZeroConcentratedDP: 2, RenyiDP: 4}.get(type(claim), np.inf)
    if isinstance(claim, (GaussianDP, RenyiDP)):
        assert found.divergence_lower > 0
    assert found.to_json()
    assert "rejected (p = " in found.summary()


def test_delta_at_the_claimed_epsilon():
    """The true value is Phi(mu / 2 - e / mu) - e^e Phi(-mu / 2 - e / mu), mu = 2."""
    truth = norm.cdf(0.5) - np.e * norm.cdf(-1.5)
    found = audit_mechanism(NORMAL, 0, 1, ApproximateDP(epsilon=1, delta=0.6), bound="delta", max_samples=1000, rng=0)
    assert not found.rejected
    assert 0.35 < found.delta_lower <= truth + 1e-9
    assert found.epsilon_lower == 0
    with pytest.raises(ValueError, match="bound must be 'epsilon' or 'delta'; got 'mu'"):
        SequentialAudit(ApproximateDP(epsilon=1, delta=0.4), bound="mu")


@pytest.mark.slow
def test_a_renyi_stream_has_an_epsilon_and_its_arguments_can_be_reused():
    found = audit_mechanism(LAPLACE, 0, 1, RenyiDP(alpha=2, epsilon=0.2), max_samples=2000, batch=32, rng=3)
    assert 0.2 <= found.epsilon_lower == found.divergence_lower <= LAPLACE.renyi(2)
    again = audit_mechanism(LAPLACE, 0, 1, RenyiDP(alpha=2, epsilon=0.2), rng=found.seed, **found.arguments)
    assert again.to_json() == found.to_json()
    assert found.extra["mechanism"] == "Laplace(scale=1, sensitivity=1)"


@pytest.mark.slow
def test_the_same_seed_gives_the_same_outcome():
    first, second, other = (
        audit_mechanism(LAPLACE, 0, 1, PureDP(epsilon=0.5), rng=seed).to_dict() for seed in (5, np.int64(5), 6)
    )
    assert first == second
    assert first != other
    assert first["seed"] == 5


# Mechanisms and what they output


def test_ways_to_call_a_mechanism():
    def plain(data):
        return data

    def drawing(data, rng):
        return data + rng.laplace()

    def batches(data, size, rng):
        return data + rng.laplace(size=(size, 1))

    for mechanism in (plain, drawing, batches, float, lambda data, *, size: [data] * size):
        assert audit_mechanism(mechanism, 0, 5, PureDP(epsilon=0.5), max_samples=500).rejected
    with pytest.raises(ValueError, match="sequence of 64 outputs when asked for them; got 3"):
        audit_mechanism(lambda data, size: np.zeros(3), 0, 1, PureDP(epsilon=1))
    with pytest.raises(TypeError, match="mechanism must be a function of the data"):
        audit_mechanism(3, 0, 1, PureDP(epsilon=1))
    with pytest.raises(ZeroDivisionError):  # raised by the mechanism
        audit_mechanism(lambda data: 1 / 0, 0, 1, PureDP(epsilon=1))


@pytest.mark.parametrize(
    ("release", "score"),
    [
        (lambda data, rng: "yes" if rng.random() < 0.1 + 0.8 * data else "no", "atoms"),
        (lambda data, rng: {"top": int(rng.random() < 0.1 + 0.8 * data)}, None),
        (lambda data, rng: [0.0] * int(1 + (rng.random() < 0.1 + 0.8 * data)), None),  # outputs of two lengths
        (lambda data, rng: rng.random() if data else np.nan, None),
        (lambda data, rng: rng.random() if data else None, None),
        (lambda data, rng: rng.random() if data else np.inf, None),
        (lambda data, rng: rng.random() < 0.1 + 0.8 * data, None),
        (lambda data, rng: rng.random() + 1j * data, None),
        (lambda data, rng: [*np.full((2, 3), rng.random()), [0, 0, 0], [0, data, 0]], None),
        (lambda data, rng: rng.standard_cauchy(5) + 9 * data, None),
    ],
    ids=["text", "dict", "lengths", "nan", "none", "inf", "bool", "complex", "matrix", "heavy tails"],
)
def test_kinds_of_outputs(release, score):
    found = audit_mechanism(release, 0, 1, PureDP(epsilon=0.5), max_samples=300, rng=1)
    assert found.rejected
    assert score in (None, found.witness["score"])


def test_streams_must_be_alike():
    audit = SequentialAudit(PureDP(epsilon=1)).update(np.zeros((5, 2)), np.ones((5, 2)))
    with pytest.raises(ValueError, match="outputs like the first ones, 2 numbers each; got 3 numbers each"):
        audit.update(np.zeros((5, 3)), np.ones((5, 3)))
    with pytest.raises(ValueError, match="equally many outputs; got 5 and 4"):
        audit.update(np.zeros((5, 2)), np.ones((4, 2)))
    with pytest.raises(ValueError, match="2 numbers each; got text"):
        audit.update(["a"], ["b"])
    with pytest.raises(ValueError, match="2 numbers each; got text"):
        audit.update(np.array(["a"]), np.array(["b"]))
    assert audit.update([], []).n == 5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"confidence": 1}, "confidence must be in"),
        ({"confidence": 0}, "confidence must be"),
        ({"max_samples": 10}, "max_samples must be an integer >= 11; got 10"),
        ({"batch": 0}, "batch must be"),
        ({"max_pairs": 0}, "max_pairs must be"),
        ({"scores": []}, "scores must be at least one score"),
        ({"scores": [3]}, "scores must be a name, a score, a classifier or a function"),
        ({"rng": -1}, "rng must be"),
    ],
)
def test_bad_arguments(arguments, words):
    with pytest.raises((ValueError, TypeError), match=words):
        audit_mechanism(LAPLACE, 0, 1, PureDP(epsilon=1), **arguments)
    with pytest.raises(TypeError, match="notion must be a notion"):
        audit_mechanism(LAPLACE, 0, 1, 1.0)


@pytest.mark.parametrize(
    ("name", "weight", "words"),
    [
        ("b", 2, "weight must be positive, and with those of the pairs before, 0.4, at most 1; got 2"),
        ("b", 0.7, "with those of the pairs before, 0.4, at most 1; got 0.7"),
        ("b", 0, "weight must be a positive finite number; got 0"),
        ("b", -0.1, "weight must be a positive finite number"),
        ("b", float("nan"), "weight must be"),
        ("b", "a", "weight must be"),
        ("a", 0.1, "name must be a name of its own; got 'a'"),
    ],
)
def test_pairs_share_the_level(name, weight, words):
    audit = SequentialAudit(PureDP(epsilon=1))
    audit.next_pair("a", 0.4)
    audit.update([1.0] * 20, [1.0] * 20)
    with pytest.raises(ValueError, match=words):
        audit.next_pair(name, weight)
    audit.next_pair("b", 0.6)


@pytest.mark.parametrize("neighbours", [[1, 2], [(1, 2, 3)], [None]])
def test_neighbours_must_be_pairs(neighbours):
    with pytest.raises(TypeError, match="neighbours must be pairs of inputs"):
        audit_mechanism(lambda data: 0.0, 0, 1, PureDP(epsilon=1), neighbours=neighbours, max_samples=50)


@pytest.mark.slow
def test_rows_of_tables_are_outputs():
    pandas = pytest.importorskip("pandas")

    def mechanism(data, size, rng):
        return pandas.DataFrame({"choice": rng.choice(["a", "b"], size), "count": rng.choice([1, 2], size) + data})

    for table in (mechanism, lambda data, size, rng: mechanism(data, size, rng)[["count"]]):
        assert audit_mechanism(table, 0, 2, PureDP(epsilon=1)).rejected
        assert not audit_mechanism(table, 0, 0, PureDP(epsilon=1), max_samples=200).rejected
    with pytest.raises(TypeError, match=r"x must be a sequence of outputs; got \{0: 1"):
        audit_mechanism(lambda data, size: dict.fromkeys(range(size), 1), 0, 1, PureDP(epsilon=1))


@pytest.mark.parametrize("unit", [2**53, 2**70, 10**400])
def test_integers_that_floats_would_round_are_rejected(unit):
    with pytest.raises(ValueError, match=r"x must be integers within 2\^53, as floats hold no more"):
        audit_mechanism(lambda data: unit + 1 + data, 0, 1, PureDP(epsilon=1))


def test_empty_outputs_are_no_leak():
    assert not audit_mechanism(lambda data: [], 0, 1, PureDP(epsilon=1), max_samples=50).rejected


def test_a_vacuous_claim_is_never_rejected():
    result = SequentialAudit(PureDP(epsilon=1000)).update([1.0] * 500, [0.0] * 500).result()
    assert (result.rejected, result.p_value) == (False, 1)
    assert 2 < result.epsilon_lower < 12
    assert samples_to_detect(PureDP(epsilon=1000), false_alarm=0.1) is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"false_alarm": 0}, "false_alarm must be"),
        ({"false_alarm": 1e-300}, r"false_alarm must be in \[1e-15, 1\); got 1e-300"),
        ({"false_alarm": 1}, "false_alarm must be in"),
        ({"false_alarm": 0.1, "scores": 0}, "scores must be an integer >= 1; got 0"),
        ({"false_alarm": 0.1, "factor": 1}, "factor must be finite and above 1; got 1"),
    ],
)
def test_bad_arguments_of_samples_to_detect(options, words):
    with pytest.raises(ValueError, match=words):
        samples_to_detect(PureDP(epsilon=1), **options)


def test_the_scale_of_one_sample_and_of_none():
    audit = SequentialAudit(PureDP(epsilon=1))
    assert audit.result().epsilon_lower == 0
    assert audit.update([1.0], [0.0]).result().p_value == 1


def test_nothing_is_printed_without_a_terminal(capfd):
    audit_mechanism(LAPLACE, 0, 1, PureDP(epsilon=1), max_samples=100)
    assert capfd.readouterr() == ("", "")


# Several pairs of inputs


def only_at_seven(data, size, rng):
    return rng.laplace(0, 0.02 if data == 7 else 5, size)


@pytest.mark.slow
def test_one_pair_of_many_leaks():
    pairs = [(i, i + 1) for i in range(1, 10)]
    found = audit_mechanism(only_at_seven, 0, 1, PureDP(epsilon=1), neighbours=pairs, max_samples=300)
    assert found.rejected
    assert found.witness["pair"] == "pair 7"  # (6, 7)
    assert len(found.directions) == 2 * 7
    assert sum(b.level for b in found.directions.values()) == pytest.approx(0.05 * 7 / 10)
    assert found.n == 6 * 300 + found.witness["bets"] + 10


@pytest.mark.slow
def test_a_generator_of_pairs_receives_the_results():
    heard = []

    def search():
        step = 4
        at = 0
        while True:
            heard.append((at, (yield at, at + 1)))
            at += step if heard[-1][1] is None or heard[-1][1] > 0.2 else 1

    found = audit_mechanism(
        only_at_seven, 0, 1, PureDP(epsilon=1), neighbours=search(), max_samples=100, max_pairs=6, confidence=0.999
    )
    assert len(heard) <= 5
    assert all(0 < p <= 1 for _, p in heard)
    levels = [b.level for b in found.directions.values()][::2]
    assert levels == pytest.approx([0.001 / 2 / (i * (i + 1)) for i in range(1, len(levels) + 1)])


def test_capital_is_the_average_over_pairs():
    """With two pairs of weight 1/2, the capital is the average of theirs, and an unused pair counts as 1."""
    rng = np.random.default_rng(0)
    audit = SequentialAudit(PureDP(epsilon=0.5), confidence=0.9999999)
    audit.next_pair("one", 0.5)
    audit.update(1 + rng.laplace(size=200), rng.laplace(size=200))
    one = audit._pairs[0].capital
    assert audit.capital == pytest.approx((one + 1) / 2)
    audit.next_pair("two", 0.5)
    audit.update(rng.laplace(size=200), rng.laplace(size=200))
    assert audit.capital == pytest.approx((one + audit._pairs[1].capital) / 2)
    assert audit._highest(*(np.array([z]) for z in audit._planes))[0, 0] <= audit.best + 1e-9


# For test suites


def about(d, rng):
    """Return a text that is never repeated."""
    return f"about {d + rng.laplace()}"


@pytest.mark.slow
def test_assert_private_passes_fails_or_is_inconclusive():
    passed = assert_private(LAPLACE, 0, 1, PureDP(epsilon=1), max_samples=1000)
    assert not passed.rejected
    with pytest.raises(AssertionError) as caught:
        assert_private(Laplace(scale=0.5, sensitivity=1), 0, 1, PureDP(epsilon=1))
    report = str(caught.value)
    for words in ("is not PureDP(epsilon=1)", "p-value", "score", "of each input", "on d_prime", "at least 1", "rng=0"):
        assert words in report
    with pytest.warns(Inconclusive, match="may miss even a mechanism that leaks twice what is claimed: allow"):
        assert_private(Laplace(scale=100, sensitivity=1), 0, 1, PureDP(epsilon=0.01), max_samples=100)
    with pytest.warns(Inconclusive, match="points at a violation: about [0-9]+ would tell"):
        assert_private(Laplace(scale=0.5, sensitivity=1), 0, 1, PureDP(epsilon=1), max_samples=150, rng=1)
    with pytest.warns(Inconclusive, match="no output came twice"):
        assert_private(about, 0, 9, PureDP(epsilon=1), max_samples=500, scores="atoms")
    with pytest.raises(AssertionError, match="the score: words"):
        assert_private(about, 0, 9, PureDP(epsilon=1))
    assert not assert_private(lambda d: "nothing", 0, 9, PureDP(epsilon=1), max_samples=500).rejected
    with pytest.raises(ValueError, match="false_alarm must be in"):
        assert_private(LAPLACE, 0, 1, PureDP(epsilon=1), false_alarm=1.5)
    with pytest.raises(TypeError, match="confidence must be left out"):
        assert_private(LAPLACE, 0, 1, PureDP(epsilon=1), confidence=0.9)


@pytest.mark.slow
def test_the_announced_number_of_samples_is_sufficient():
    """With the announced number, a mechanism that leaks twice as much is found with at least 5 of 6 seeds."""
    for claim, mechanism in (
        (PureDP(epsilon=1), RandomizedResponse(epsilon=2)),
        (GaussianDP(mu=1), NORMAL),
        (ApproximateDP(epsilon=1, delta=0.1), Gaussian.calibrated(epsilon=2, delta=0.1, sensitivity=1)),
    ):
        n = samples_to_detect(claim, false_alarm=0.001)
        found = [
            audit_mechanism(mechanism, 0, 1, claim, max_samples=n, confidence=0.999, rng=i).rejected for i in range(6)
        ]
        assert sum(found) >= 5
    assert samples_to_detect(TradeOffDP(tradeoff=lambda a: 1 - a), false_alarm=0.1) is None
    assert samples_to_detect(ApproximateDP(epsilon=0, delta=0.1), false_alarm=0.1) is None


def test_the_geometric_mechanism_at_the_boundary_passes():
    assert not audit_mechanism(
        DiscreteLaplace(scale=1, sensitivity=1), 0, 1, PureDP(epsilon=1), max_samples=3000, confidence=1 - 1e-6
    ).rejected
