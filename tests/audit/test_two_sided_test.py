"""The exact test of both directions compared with enumeration, which shares no code with it.

F is a sum of scipy's multinomial probabilities, the order is computed by a root search, the supremum over a grid, and
the level by a sum over all outcomes.
"""

import dataclasses

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, laplace, multinomial, norm

from krdtheory.audit import audit, exact_test
from krdtheory.audit.exact_test import JointTest, approximate_gain, clopper_pearson
from krdtheory.audit.interpolation import nodes_needed
from krdtheory.audit.two_sided_test import TwoSidedTest, _tails, coins, games
from krdtheory.privacy.notions import PureDP

MISS, UNEQUAL = 1e-3, 0.02  # parts of the level: misses of the interval for W, and unequal coins


def outcomes(n):
    return [(c, w) for c in range(n + 1) for w in range(n + 1 - c)]


def extreme(a, b, n, level, *, delta=0.0, epsilon=None):
    """Return which outcomes are at least as extreme as (a, b), by the definition."""
    z = norm.isf(level)

    def surplus(g, p, q):
        return p - g * q - z * np.sqrt((p + g * g * q - (p - g * q) ** 2) / n)

    def limit(c, w):
        p, q = (c + 1) / (n + 2), (w + 1) / (n + 2)
        if epsilon is not None:
            return surplus(np.exp(epsilon), p, q)
        if surplus(0, p, q) <= delta:
            return 0.0
        return brentq(lambda g: surplus(g, p, q) - delta, 0, 1e4, xtol=1e-13)

    limits = np.full((n + 1, n + 1), -np.inf)
    for c, w in outcomes(n):
        limits[c, w] = limit(c, w)
    monotone = np.maximum.accumulate(np.maximum.accumulate(limits, axis=0)[:, ::-1], axis=1)[:, ::-1]
    return [o for o in outcomes(n) if monotone[o] >= monotone[a, b] - 1e-10]


def probability(region, n, p, q):
    counts = np.array([(c, w, n - c - w) for c, w in region])
    return multinomial.pmf(counts, n, [p, q, max(1 - p - q, 0)]).sum()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_p_value_is_the_supremum_and_never_below_it(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 25))
    a = int(rng.integers(n // 2, n + 1))
    b = int(rng.integers(0, n - a + 1))
    level, at = float(rng.choice([0.3, 0.05])), float(rng.uniform(-0.5, 2))
    towards = {"delta": float(rng.choice([0, 0.01, 0.2]))} if seed % 2 else {"epsilon": float(rng.uniform(-0.5, 2))}
    delta = float(rng.choice([0, 0.1, -0.2]))
    region = extreme(a, b, n, level, **towards)
    low, high = clopper_pearson(b, n, MISS * level)
    ends = np.array([-delta * np.exp(-at), (1 - delta) / (1 + np.exp(at))])  # where P leaves 0, and P + Q reach 1
    q = np.append(np.linspace(low, high, 200), np.clip(ends, low, high))
    p = np.clip(delta + np.exp(at) * q, 0, 1 - q)
    supremum = max(probability(region, n, u, v) for u, v in zip(p, q, strict=True)) + (MISS + UNEQUAL) * level
    found = TwoSidedTest(a=a, n=n, b=b, m=n, level=level, **towards).p_value(epsilon=at, delta=delta)
    assert min(supremum, 1) * (1 - 1e-9) <= found <= 1.01 * supremum + 1e-3 * level


@pytest.mark.slow
@pytest.mark.parametrize("towards", [{"delta": 0.0}, {"epsilon": 0.7}])
def test_level_by_enumeration(towards):
    n, level = 14, 0.2
    planes = [(e, d) for e in (0.0, 0.7, 1.5) for d in (0.0, 0.1, 0.3)]
    tests = {o: TwoSidedTest(a=o[0], n=n, b=o[1], m=n, level=level, **towards) for o in outcomes(n)}
    rejects = {o: {h: t.p_value(epsilon=h[0], delta=h[1]) <= level for h in planes} for o, t in tests.items()}
    corners = {o: t.least_p() for o, t in tests.items()}
    largest = 0.0
    for q in (0.02, 0.1, 0.2, 0.35):
        for p in {float(min(d + np.exp(e) * q, 1 - q)) for e, d in planes}:
            holds = [(e, d) for e, d in planes if p <= d + np.exp(e) * q + 1e-12]
            weight = {o: probability([o], n, p, q) for o in tests}
            wrong = sum(w for o, w in weight.items() if any(rejects[o][h] for h in holds))
            below = {
                o: any((q < right) & (p < least) & (np.arange(len(right)) == np.searchsorted(right, q)))
                for o, (right, least) in corners.items()
            }
            missed = sum(w for o, w in weight.items() if below[o])
            largest = max(largest, wrong, missed)
            assert wrong <= level
            assert missed <= level
    assert largest > level / 4  # the test is not vacuous


@pytest.mark.slow
@pytest.mark.parametrize(("n", "level", "q"), [(10, 0.001, 0.92), (12, 1e-4, 0.9), (12, 0.02, 0.2)])
def test_confidence_set_at_small_levels(n, level, q):
    """Counts of 0 seem more extreme by an approximate limit at small levels; the order must stay the same."""
    corners = [TwoSidedTest(a=a, n=n, b=b, m=n, level=level, epsilon=0.0).least_p() for a, b in outcomes(n)]
    counts = np.array([(c, w, n - c - w) for c, w in outcomes(n)])
    missed = 0.0
    for p in np.geomspace(1e-4, 1 - q, 40):
        below = [p < least[np.searchsorted(right, q)] if q < right[-1] else True for right, least in corners]
        missed = max(missed, multinomial.pmf(counts, n, [p, q, max(1 - p - q, 0)])[below].sum())
    assert missed <= level


@pytest.mark.parametrize("delta", [0.0, 0.02])
def test_bounds_are_where_the_p_value_crosses_the_level(delta):
    test = TwoSidedTest(a=300, n=900, b=90, m=900, level=0.05, delta=delta)
    bound = test.epsilon_lower(delta=delta)
    assert test.p_value(epsilon=bound, delta=delta) <= 0.05 < test.p_value(epsilon=bound + 0.02, delta=delta)


def test_a_million_games():
    test = TwoSidedTest(a=300_000, n=10**6, b=100_000, m=10**6, level=0.05)
    deviation = np.sqrt((1 / 0.3 + 1 / 0.1) / 10**6)  # of the logarithm of the ratio of two cells of one sample
    assert test.epsilon_lower() == pytest.approx(np.log(3) - norm.isf(0.05) * deviation, abs=0.15 * deviation)


def test_every_answer_right():
    """W = 0 and R = 1: the largest bound from n games satisfies (1 + e^-epsilon)^-n = level."""
    bound = TwoSidedTest(a=100, n=100, b=0, m=100, level=0.05).epsilon_lower()
    assert 3.3 < bound < -np.log(np.expm1(-np.log(0.05) / 100))
    assert TwoSidedTest(a=0, n=5, b=5, m=5, level=0.05).epsilon_lower() == 0


def test_fewer_outputs_than_the_test_of_one_event_needs():
    """Laplace, epsilon = 1; the best events have probabilities 1/2 and 1 / (2 e); the claim is 0.8."""
    p, q = laplace.sf(0), laplace.sf(1)

    def needed(test, count):
        rejects = (
            n
            for n in range(200, 2000, 10)
            if test(a=round(count(n) * p), n=count(n), b=round(count(n) * q), m=count(n), level=0.05).p_value(
                epsilon=0.8
            )
            <= 0.05
        )
        return next(rejects)

    assert needed(TwoSidedTest, lambda n: games(n, n, 0.05)) < needed(JointTest, lambda n: n)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m"), [(5, 5), (400, 400), (300, 900), (1, 1), (10**6, 10**6)])
def test_the_number_of_games_is_limited_by_the_coins(n, m):
    level = 0.05
    count = games(n, m, level)
    missed = [binom.sf(n, k, 0.5) + binom.sf(m, k, 0.5) for k in (count, count + 1)]
    assert missed[0] <= UNEQUAL * level < missed[1] or count == 2 * min(n, m)
    rng = np.random.default_rng(0)
    drawn = [coins(n, m, level, rng) for _ in range(200)]
    assert all(0 <= first <= n and 0 <= second <= m and first + second == count for first, second in drawn)
    if count > 100:  # their variance is that of coins, within 5 standard errors
        assert np.var([first for first, _ in drawn]) == pytest.approx(count / 4, rel=0.5)


def test_gain_of_one_sample_solves_its_equation():
    p, q, n = 0.4, 0.1, 500
    g = float(approximate_gain(np.array(p), n, np.array(q), n, 0.05, 1.6, True))
    deviation = np.sqrt((p + g * g * q - (p - g * q) ** 2) / n)
    assert p - 0.05 - g * q == pytest.approx(1.6 * deviation)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_order_of_the_samples_does_not_matter(sign):
    """Numbers that are larger under the second distribution are not harder: bounds on mirrored outputs are equal."""
    rng = np.random.default_rng(3)
    x, y = sign * rng.laplace(1, 1, 600), sign * rng.laplace(0, 1, 600)
    result = audit(x, y, PureDP(epsilon=0.5), rng=0)
    assert result.witness["score"] == "value"
    assert result.rejected
    assert result.epsilon_lower > 0.6


@pytest.mark.parametrize(
    ("wrong", "words"),
    [({"m": 9}, "m must be n = 10"), ({"b": 8}, "b must be at most n - a = 7"), ({"a": 11}, "a must be at most n")],
)
def test_bad_input(wrong, words):
    with pytest.raises(ValueError, match=words):
        TwoSidedTest(**{"a": 3, "n": 10, "b": 2, "m": 10, "level": 0.05} | wrong)


@pytest.mark.parametrize("steps", [0, 1, 3, 400])
def test_tails_against_scipy(steps):
    """By recursion, or each separately if steps are long."""
    n = 5000 - np.arange(40)
    least = 900 + np.cumsum(np.random.default_rng(steps).integers(0, steps + 1, 40))
    p = np.array([1e-9, 0.15, 0.2, 0.6, 1 - 1e-9])
    least = np.minimum(least, n)
    expected = binom.sf(least - 1, n, p[:, None])
    assert _tails(n, least, p, 0.2) == pytest.approx(expected, abs=1e-9)
    assert expected.min() < 0.01 < 0.99 < expected.max()


TESTS = [TwoSidedTest(a=230, n=1000, b=130, m=1000, level=0.05), JointTest(a=70, n=100, b=30, m=90, level=0.05)]


@pytest.mark.parametrize("test", TESTS, ids=["two-sided", "joint"])
def test_corners_agree_with_bisection_and_are_in_the_set(test):
    q, p = test.least_p()
    low = np.linspace(*test._interval[:2], len(q) + 1)[:-1]
    target = test.level * (1 - test._missed)
    left, right = np.zeros(len(q)), np.ones(len(q))
    for _ in range(24):
        middle = (left + right) / 2
        out = test._probability(middle, low) <= target
        left, right = np.where(out, middle, left), np.where(out, right, middle)
    assert (test._probability(p, low) <= target).all()
    assert (p <= right).all() and (p >= left - 2 * exact_test._CORNER).all()
    assert (test._probability(p + 1e-4, low) > target).all()


@pytest.mark.parametrize("test", TESTS, ids=["two-sided", "joint"])
@pytest.mark.parametrize("wrong", [0.4, 2.5])
def test_bounds_do_not_depend_on_where_they_are_looked_for(test, wrong):
    deviation = test._offset(1.6)[1] / (1.6 * exact_test.shrunk(test.b, test.m))
    for start in (0.0, 0.2, 3.0, 50.0):
        found = test._largest(lambda e: (np.exp(e), 0.0), start, 50.0, wrong * deviation)
        assert found == pytest.approx(test.epsilon_lower(), abs=exact_test._NEAR * deviation)
        assert test.p_value(epsilon=found) <= test.level


def exact(test, p, q):
    """F by sums over all counts; the ends of the window carry next to nothing."""
    counts = np.arange(test.m + 1)
    least = np.interp(counts, test._interval[2], test._least)
    two_sided = isinstance(test, TwoSidedTest)
    trials = test.n - counts if two_sided else test.n
    given = np.minimum(p / (1 - q), 1) if two_sided else p
    return (binom.pmf(counts, test.m, q[:, None]) * binom.sf(np.ceil(least) - 1, trials, given[:, None])).sum(1)


@pytest.mark.parametrize("test", TESTS, ids=["two-sided", "joint"])
@pytest.mark.parametrize("how", [{}, {"_AT_ONCE": 1}, {"_SPOILT": np.inf}], ids=["whole", "in parts", "by sums"])
def test_probabilities_are_upper_bounds_and_close(test, how, monkeypatch):
    """Never below sums over all counts, and less than three cuts above. A third of the nodes is too few."""
    for name, value in how.items():
        monkeypatch.setattr(exact_test, name, value)
    test = dataclasses.replace(test)
    q, p = (x.ravel() for x in np.meshgrid(np.linspace(*test._interval[:2], 7), np.linspace(0, 1, 60)[1:-1]))
    expected, found = exact(test, p, q), test._probability(p, q)
    assert (found >= expected * (1 - 1e-9)).all()
    assert (found <= np.minimum(expected * (1 + 2e-6) + 3 * exact_test._CUT * test.level, 1)).all()
    if "_SPOILT" not in how:
        monkeypatch.setattr(exact_test, "nodes_needed", lambda *args: nodes_needed(*args) // 3)
        assert (dataclasses.replace(test)._probability(p, q) < expected * (1 - 1e-9)).any()


@pytest.mark.parametrize("test", TESTS, ids=["two-sided", "joint"])
def test_errors_of_probabilities_are_added(test, monkeypatch):
    """With values that are smaller by a hundredth, and said to be, nothing is smaller."""
    q, p = np.linspace(*test._interval[:2], 9), np.linspace(0.1, 0.9, 9)
    before, values = [*test._probability(p, q), test.p_value(epsilon=0.4)], type(test)._values

    def smaller(self, p, q):
        found, error = values(self, p, q)
        return found - 0.01, error + 0.01

    monkeypatch.setattr(type(test), "_values", smaller)
    test = dataclasses.replace(test)
    assert (np.array([*test._probability(p, q), test.p_value(epsilon=0.4)]) >= np.array(before) - 1e-6).all()


def test_rounding_errors_do_not_spoil_tiny_levels(monkeypatch):
    """As those of interpolation would, whose values are near 1 elsewhere."""
    test = JointTest(a=300, n=400, b=20, m=400, level=1e-14)
    q = np.linspace(*test._interval[:2], 30)
    p = np.interp(q * test.m, test._interval[2], test._least) / test.n - 0.19
    expected, cuts = exact(test, p, q), 3 * exact_test._CUT * test.level
    assert (expected < 1e-12).any()
    assert test._probability(p, q) == pytest.approx(expected, rel=1e-5, abs=cuts)
    monkeypatch.setattr(exact_test, "_SPOILT", 0)
    assert (dataclasses.replace(test)._probability(p, q) > expected * (1 + 1e-5) + cuts).any()


@pytest.mark.parametrize(
    ("test", "epsilon", "delta"),
    [
        (TwoSidedTest(a=1, n=3, b=0, m=3, level=0.3), 1.65, -0.6),
        (JointTest(a=1, n=3, b=0, m=3, level=0.3), -0.45, -0.1),
        (TwoSidedTest(a=95, n=200, b=43, m=200, level=0.3), -0.87, -0.6),
        (JointTest(a=95, n=200, b=43, m=200, level=0.3), -0.87, -0.6),
    ],
)
def test_half_planes_of_negative_delta(test, epsilon, delta):
    """P is 0 for small Q, in the last two cases for all Q of the interval."""
    low, high, _ = test._interval
    q = np.append(np.linspace(low, high, 2000), np.clip(-delta * np.exp(-epsilon), low, high))
    p = np.clip(delta + np.exp(epsilon) * q, 0, 1 - q if isinstance(test, TwoSidedTest) else 1)
    assert p.min() == 0
    supremum = exact(test, p, q).max() + test._missed * test.level
    assert supremum * (1 - 1e-9) <= test.p_value(epsilon=epsilon, delta=delta) <= 1.02 * supremum + 1e-3 * test.level
