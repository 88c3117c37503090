"""The joint exact test compared with enumeration, which shares no code with it.

F is a double sum of scipy's binomial probabilities, the order is computed by a root search, the supremum over a grid,
and the level by a sum over all outcomes.
"""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, norm

from krdtheory.audit.exact_test import JointTest, approximate_gain, clopper_pearson
from krdtheory.audit.two_sided_test import TwoSidedTest

MISS = 1e-3  # the part of the level with which the interval for Q may miss


def extreme(a, n, b, m, level, *, delta=0.0, epsilon=None):
    """Return which outcomes are at least as extreme as (a, b), shape (n + 1, m + 1), by the definition."""
    z = norm.isf(level)
    p, q = (np.arange(n + 1)[:, None] + 1) / (n + 2), (np.arange(m + 1)[None] + 1) / (m + 2)

    def surplus(g, p, q):
        return p - g * q - z * np.sqrt(p * (1 - p) / n + g * g * q * (1 - q) / m)

    if epsilon is not None:
        limit = surplus(np.exp(epsilon), p, q)
    else:

        def largest(p, q):
            if surplus(0, p, q) <= delta:
                return 0.0
            return brentq(lambda g: surplus(g, p, q) - delta, 0, 1e4, xtol=1e-13)

        limit = np.vectorize(largest)(p, q)
    monotone = np.maximum.accumulate(np.maximum.accumulate(limit, axis=0)[:, ::-1], axis=1)[:, ::-1]
    return monotone >= monotone[a, b] - 1e-10


def probability(region, n, m, p, q):
    return binom.pmf(np.arange(n + 1), n, p) @ region @ binom.pmf(np.arange(m + 1), m, q)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_p_value_is_the_supremum_and_never_below_it(seed):
    rng = np.random.default_rng(seed)
    n, m = (int(k) for k in rng.integers(1, 40, 2))
    a, b = int(rng.integers(n // 2, n + 1)), int(rng.integers(0, m // 2 + 1) if seed % 4 else rng.integers(0, m + 1))
    level, at = float(rng.choice([0.3, 0.05, 0.01])), float(rng.uniform(-0.5, 2))
    towards = {"delta": float(rng.choice([0, 0.01, 0.2]))} if seed % 2 else {"epsilon": float(rng.uniform(-0.5, 2))}
    delta = float(rng.choice([0, 0.1, -0.2]))
    region = extreme(a, n, b, m, level, **towards)
    low, high = clopper_pearson(b, m, MISS * level)
    ends = np.array([-delta, 1 - delta]) * np.exp(-at)  # where P leaves 0 and reaches 1
    q = np.append(np.linspace(low, high, 400), np.clip(ends, low, high))
    p = np.clip(delta + np.exp(at) * q, 0, 1)
    supremum = max(probability(region, n, m, u, v) for u, v in zip(p, q, strict=True)) + MISS * level
    found = JointTest(a=a, n=n, b=b, m=m, level=level, **towards).p_value(epsilon=at, delta=delta)
    assert min(supremum, 1) * (1 - 1e-9) <= found <= 1.01 * supremum + 1e-3 * level


@pytest.mark.parametrize(
    "test",
    [
        JointTest(a=13, n=16, b=1, m=6, level=1e-5),
        JointTest(a=7, n=46, b=57, m=168, level=3.9732222830767877e-13, epsilon=0.6748387380772503),
    ],
)
def test_the_order_is_monotone(test):
    """At small levels the approximate limits of the last counts in b are not, in the second case beyond the window."""
    region = extreme(test.a, test.n, test.b, test.m, test.level, delta=test.delta, epsilon=test.epsilon)
    least = np.where(region.any(0), region.argmax(0), test.n + 1)
    assert (test._least == least[test._interval[2]]).all()


@pytest.mark.slow
@pytest.mark.parametrize("towards", [{"delta": 0.0}, {"delta": 0.1}, {"epsilon": 0.7}])
def test_level_by_enumeration(towards):
    """For all P and Q, some half-plane that contains (P, Q) is rejected with probability at most the level.

    The same holds for the event that the confidence set misses (P, Q).
    """
    n, m, level = 11, 14, 0.2
    outcomes = [(a, b) for a in range(n + 1) for b in range(m + 1)]
    tests = {o: JointTest(a=o[0], n=n, b=o[1], m=m, level=level, **towards) for o in outcomes}
    planes = [(e, d) for e in (0.0, 0.7, 1.5) for d in (0.0, 0.1, 0.3)]
    rejects = {o: {h: t.p_value(epsilon=h[0], delta=h[1]) <= level for h in planes} for o, t in tests.items()}
    corners = {o: t.least_p() for o, t in tests.items()}
    largest = 0.0
    for q in (0.02, 0.1, 0.3, 0.6):
        for p in {float(min(d + np.exp(e) * q, 1)) for e, d in planes}:
            holds = [(e, d) for e, d in planes if p <= d + np.exp(e) * q + 1e-12]
            weight = {o: binom.pmf(o[0], n, p) * binom.pmf(o[1], m, q) for o in outcomes}
            wrong = sum(w for o, w in weight.items() if any(rejects[o][h] for h in holds))
            missed = sum(
                w for o, w in weight.items() if any((q < corners[o][0]) & (p < corners[o][1]) & inside(o, q, corners))
            )
            largest = max(largest, wrong, missed)
            assert wrong <= level
            assert missed <= level
    assert largest > level / 4  # the test is not vacuous


def inside(outcome, q, corners):
    """Return the corner whose interval contains q."""
    right = corners[outcome][0]
    return np.arange(len(right)) == np.searchsorted(right, q)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m", "level", "q"), [(5, 40, 0.001, 0.36), (40, 5, 0.02, 0.1)])
def test_confidence_set_at_small_levels(n, m, level, q):
    """Counts of 0 seem more extreme by an approximate limit at small levels; the order must stay the same."""
    outcomes = [(a, b) for a in range(n + 1) for b in range(m + 1)]
    corners = [JointTest(a=a, n=n, b=b, m=m, level=level, epsilon=0.0).least_p() for a, b in outcomes]
    missed = 0.0
    for p in np.geomspace(1e-4, 1, 40):
        below = [p < least[np.searchsorted(right, q)] if q < right[-1] else True for right, least in corners]
        weight = np.array([binom.pmf(a, n, p) * binom.pmf(b, m, q) for a, b in outcomes])
        missed = max(missed, weight[below].sum())
    assert level / 4 < missed <= level


@pytest.mark.parametrize("delta", [0.0, 0.02])
def test_bounds_are_where_the_p_value_crosses_the_level(delta):
    test = JointTest(a=300, n=900, b=90, m=700, level=0.05, delta=delta)
    bound = test.epsilon_lower(delta=delta)
    assert test.p_value(epsilon=bound, delta=delta) <= 0.05 < test.p_value(epsilon=bound + 0.02, delta=delta)
    test = JointTest(a=300, n=900, b=90, m=700, level=0.05, epsilon=0.5)
    bound = test.delta_lower(epsilon=0.5)
    assert test.p_value(epsilon=0.5, delta=bound) <= 0.05 < test.p_value(epsilon=0.5, delta=bound + 0.005)


@pytest.mark.slow
def test_two_clopper_pearson_bounds_need_almost_twice_the_samples():
    """Laplace, epsilon = 1, the best event has P = 1/2 and Q = 1 / (2 e); the claim is 0.5."""

    def needed(rejects):
        return next(n for n in range(20, 400) if rejects(n, round(n / 2), round(n / 2 / np.e)))

    def joint(n, a, b):
        return JointTest(a=a, n=n, b=b, m=n, level=0.05).p_value(epsilon=0.5) <= 0.05

    def two(n, a, b):  # each one-sided at level / 2
        return np.log(clopper_pearson(a, n, 0.05)[0] / clopper_pearson(b, n, 0.05)[1]) > 0.5

    assert needed(joint) < 0.65 * needed(two)


def test_clopper_pearson_at_the_ends():
    assert clopper_pearson(0, 20, 0.05)[0] == 0
    assert clopper_pearson(0, 20, 0.05)[1] == pytest.approx(1 - 0.025 ** (1 / 20))
    assert clopper_pearson(20, 20, 0.05) == pytest.approx((0.025 ** (1 / 20), 1))


def test_certain_events():
    """a = n, b = 0: only a bound on Q is informative."""
    bound = JointTest(a=100, n=100, b=0, m=100, level=0.05).epsilon_lower()
    assert 3.3 < bound < np.log(1 / (1 - 0.05 ** (1 / 100)))  # the bound of Q alone
    assert JointTest(a=0, n=5, b=5, m=5, level=0.05).epsilon_lower() == 0
    assert JointTest(a=1, n=1, b=0, m=1, level=0.05).epsilon_lower() == 0


@pytest.mark.slow
def test_a_million_outputs():
    test = JointTest(a=300_000, n=10**6, b=100_000, m=10**6, level=0.05)
    deviation = np.sqrt(0.7 / 0.3 / 10**6 + 0.9 / 0.1 / 10**6)
    assert test.epsilon_lower() == pytest.approx(np.log(3) - norm.isf(0.05) * deviation, abs=0.1 * deviation)


def test_approximate_gain_solves_its_equation():
    g = approximate_gain(np.array([0.4, 0.1]), 500, np.array([0.1, 0.4]), 300, 0.05, 1.6)
    sd = np.sqrt(0.4 * 0.6 / 500 + g[0] ** 2 * 0.1 * 0.9 / 300)
    assert 0.4 - 0.05 - g[0] * 0.1 == pytest.approx(1.6 * sd)
    assert 0 < g[1] < 0.25


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"a": 11}, ValueError, "a must be at most n = 10; got 11"),
        ({"b": -1}, ValueError, "b must be an integer >= 0; got -1"),
        ({"m": 0}, ValueError, "m must be an integer >= 1"),
        ({"n": 10.5}, TypeError, "n must be an integer"),
        ({"level": 0.0}, ValueError, "level must be in"),
        ({"delta": np.nan}, ValueError, "delta must be a number; got nan"),
        ({"epsilon": np.nan}, ValueError, "epsilon must be a number; got nan"),
    ],
)
def test_bad_input(wrong, error, words):
    with pytest.raises(error, match=words):
        JointTest(**{"a": 3, "n": 10, "b": 2, "m": 10, "level": 0.05} | wrong)


@pytest.mark.parametrize("test", [JointTest, TwoSidedTest])
def test_not_a_number_does_not_pass(test):
    found = test(a=30, n=40, b=2, m=40, level=0.05)
    for ask in (
        lambda: found.p_value(epsilon=np.nan),
        lambda: found.p_value(epsilon=1, delta=np.nan),
        lambda: found.epsilon_lower(delta=np.nan),
        lambda: found.delta_lower(epsilon=np.nan),
    ):
        with pytest.raises(ValueError, match="must be a number; got nan"):
            ask()


@pytest.mark.parametrize("test", [JointTest, TwoSidedTest])
def test_extremes_of_the_half_plane(test):
    """With a huge gain P is arbitrary; with gain 0 and negative delta P is 0; a tiny delta has hardly any effect."""
    found = test(a=30, n=40, b=2, m=40, level=0.05)
    assert found.p_value(epsilon=400) == found.p_value(epsilon=np.inf) == 1
    assert found.p_value(epsilon=0, delta=1 - 1e-12) == 1
    assert found.p_value(epsilon=1, delta=-5) < 0.0015  # the constant in every p-value, and a little for windows
    assert found.p_value(epsilon=-800) == pytest.approx(found.p_value(epsilon=-200), rel=1e-6)
    certain = test(a=40, n=40, b=0, m=40, level=0.05)
    assert certain.p_value(epsilon=1, delta=1e-300) == pytest.approx(certain.p_value(epsilon=1), rel=0.01)
    assert test(a=30, n=40, b=2, m=40, level=0.05, epsilon=400.0).delta_lower(epsilon=400) == 0
