"""Certified composition compared with exact rationals, values of an independent study and both other number systems."""

import itertools
import math
from fractions import Fraction as F
from math import comb

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from krdtheory import ball
from krdtheory.ball import composition as ours
from krdtheory.privacy import composition

BITS = 800


def exact(x):
    x = F(x)
    with ctx.workprec(BITS):
        return arb(fmpq(x.numerator, x.denominator))


def log(x):
    """Return the logarithm as a narrow ball."""
    with ctx.workprec(BITS):
        return exact(x).log()


def holds(value, truth, digits=50):
    with ctx.workprec(BITS):
        return value.contains(truth.mid()) and value.rad() <= arb(10) ** -digits * max(abs(truth).upper(), 1)


def hockey_stick(odds, delta, total_odds):
    """Return that of the product of canonical pairs, outcome by outcome, in rationals."""
    pairs = []
    for o, d in zip(odds, delta, strict=True):
        p = [d, (1 - d) * o / (1 + o), (1 - d) / (1 + o), F(0)]
        pairs.append(list(zip(p, p[::-1], strict=True)))
    total = F(0)
    for outcome in itertools.product(*pairs):
        total += max(math.prod(x for x, _ in outcome) - total_odds * math.prod(y for _, y in outcome), 0)
    return total


# Equal mechanisms

ODDS = [(F(3), F(1, 5)), (F(3), F(2)), (F(3, 2), F(1)), (F(101, 100), F(51, 50))]


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("delta", [F(0), F(1, 7), F(1)])
@pytest.mark.parametrize(("odds", "total"), ODDS)
def test_delta_is_that_of_the_product(k, delta, odds, total):
    """epsilon is the logarithm of a rational, as a ball."""
    want = exact(hockey_stick([odds] * k, [delta] * k, total))
    with ctx.workprec(BITS):
        got = ball.optimal_composition_delta(epsilon=log(odds), delta=delta, k=k, total_epsilon=log(total))
        several = ball.heterogeneous_composition_delta(epsilon=[log(odds)] * k, delta=delta, total_epsilon=log(total))
    assert holds(got, want) and holds(several, want)


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2, 7, 30, 200])
@pytest.mark.parametrize("delta", [F(0), F(1, 1000)])
@pytest.mark.parametrize("total", [F(1, 10**6), F(1, 50), F(1, 3), F(9, 10), 1 - F(1, 10**40)])
def test_epsilon_is_the_largest_quotient(k, delta, total):
    """max over l of (A_l - d) / B_l, in rationals, at odds 2."""
    d = 1 - (1 - total) / (1 - delta) ** k
    with ctx.workprec(BITS):
        got = ball.optimal_composition(epsilon=log(2), delta=delta, k=k, total_delta=total)
    if d < 0:
        assert got == math.inf
        return
    weights = [comb(k, j) * 2**j for j in range(k + 1)]
    p, q = (list(itertools.accumulate(w, initial=0))[::-1] for w in (weights[::-1], weights))
    size = F(3) ** k
    quotients = [(p[j] / size - d) / (q[j] / size) for j in range(k + 1)]
    assert holds(got, log(max(quotients)), digits=49)


VALUES = [  # from an independent study: epsilon, delta, k, total delta, epsilon
    ("0.1", "1e-6", 100, F("1.01e-4"), "4.7738985425582991128"),
    ("0.1", "1e-8", 500, F("6e-6"), "12.517872284477960608"),
    ("0.5", "0", 20, F("1e-5"), "9.8594110241151243468"),
    ("0.5", "1e-5", 50, F("51e-5"), "18.930153825317749648"),
    ("1", "0", 1, F("0.01"), "0.98622678888689248888"),
    ("1", "1e-3", 30, F("0.08"), "20.724437911281073516"),
    ("0.01", "0", 1000, F("1e-9"), "1.7829322998948331465"),
]


@pytest.mark.parametrize(("epsilon", "delta", "k", "total", "known"), VALUES)
@pytest.mark.parametrize("digits", [4, 40])
def test_contains_the_known_value(epsilon, delta, k, total, known, digits):
    got = ball.optimal_composition(epsilon=epsilon, delta=delta, k=k, total_delta=total, digits=digits)
    with ctx.workprec(BITS):
        assert got.overlaps(arb(known) + arb(0, 1e-17)) and got.rad() <= arb(10) ** -digits * abs(arb(known))
    back = ball.optimal_composition_delta(epsilon=epsilon, delta=delta, k=k, total_epsilon=known, digits=digits)
    assert back.overlaps(exact(total) * (1 + arb(0, 1e-16)))


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "k", "total"), [(1e-3, 10**6, 5.0), (0.1, 10**6, 5300.0), (1e-3, 10**7, 20.0)])
def test_many_folds(epsilon, k, total):
    """float64's sums have errors of sqrt(k) ratios of two roundings each; the inverse has proved signs at its ends."""
    got = ball.optimal_composition_delta(epsilon=epsilon, delta=0, k=k, total_epsilon=total, digits=30)
    plain = composition.optimal_composition_delta(epsilon=epsilon, delta=0, k=k, total_epsilon=total)
    tolerance = 200 * math.sqrt(k) * 2.0**-52 + 4 * k * epsilon * 2.0**-52
    assert abs(got - plain) <= tolerance * plain
    with ctx.workprec(BITS):
        back = ball.optimal_composition(epsilon=epsilon, delta=0, k=k, total_delta=got.mid(), digits=15)
        assert back.overlaps(arb(total) * (1 + arb(0, 1e-20)))


@pytest.mark.slow
def test_most_folds():
    """A loss with mean 125 and deviation 15.8: epsilon is below Hoeffding's bound and above 5.5 deviations.

    Beyond 5.5 deviations a normal distribution has mass 2e-8.
    """
    got = ball.optimal_composition(epsilon=F(1, 2000), delta=0, k=10**9, total_delta="1e-9", digits=20)
    mean, deviation = 10**9 * math.tanh(1 / 4000) / 2000, math.sqrt(10**9) / 2000
    assert mean + 5.5 * deviation < got < mean + math.sqrt(2 * math.log(1e9)) * deviation
    back = ball.optimal_composition_delta(epsilon=F(1, 2000), delta=0, k=10**9, total_epsilon=got, digits=20)
    assert back.overlaps(arb("1e-9")) and back.rad() < 1e-25


def test_extreme_arguments():
    compose, delta_of = ball.optimal_composition, ball.optimal_composition_delta
    half = exact("1/2")
    assert compose(epsilon=0, delta=0, k=5, total_delta=0) == 0
    assert holds(compose(epsilon=0, delta=0, k=5, total_delta="1/2"), log(F(1, 2)))
    assert compose(epsilon=0, delta=0, k=5, total_delta="1/2", nonnegative=True) == 0
    assert compose(epsilon="1/2", delta=0, k=5, total_delta=0) == 5 * half
    assert compose(epsilon="0.3", delta="0.1", k=5, total_delta="0.1") == math.inf
    revealed = 1 - F(9, 10) ** 5  # exactly the mass of the revealing outcomes
    assert compose(epsilon="1/2", delta="0.1", k=5, total_delta=revealed) == 5 * half
    assert compose(epsilon="1/2", delta="0.1", k=5, total_delta=revealed - F(1, 10**99)) == math.inf
    assert compose(epsilon="1/2", delta="0.1", k=5, total_delta=revealed + F(1, 10**99)) < 5 * half
    assert compose(epsilon="1/2", delta=F(1, 10**9), k=10**9, total_delta="0.6") == math.inf
    for f in (ball.heterogeneous_composition, ours.heterogeneous_composition):
        assert f(epsilon=["1/2"] * 5, delta="0.1", total_delta=revealed) == 5 * half
        assert f(epsilon=[0, 0], delta=0, total_delta=0) == 0
        assert f(epsilon=[1, 2], delta="0.1", total_delta="0.1") == math.inf
    assert delta_of(epsilon=1, delta=0, k=3, total_epsilon=3) == 0
    assert delta_of(epsilon=1, delta=1, k=3, total_epsilon=3) == 1
    assert holds(delta_of(epsilon=1, delta="1/3", k=2, total_epsilon=7), exact("5/9"))
    with ctx.workprec(BITS):
        assert holds(delta_of(epsilon=0, delta=0, k=3, total_epsilon=-1), -(-arb(1)).expm1())
        assert holds(delta_of(epsilon=1, delta=0, k=3, total_epsilon=-4), -(-arb(4)).expm1())


@pytest.mark.parametrize("event", [1, 5, 20, 21, 30, 40])
def test_probabilities_of_close_distributions(event, monkeypatch):
    """The sums are Arb's incomplete beta functions, if the distributions are not too close for these, and they
    distinguish between events.
    """
    losses = ours.Binomial(fmpq(1, 2**30), 40)
    assert losses.top < ours.SMALL
    sums, other = losses.masses(event), losses.masses(event - 2 if event > 2 else event + 2)
    monkeypatch.setattr(ours, "SMALL", fmpq(0))
    with ctx.workprec(300):
        beta = losses.masses(event)
    for one, two, three in zip(sums, beta, other, strict=True):
        assert one.contains(two.mid()) and abs(one).rel_accuracy_bits() > 30
        assert not three.contains(two.mid())


def test_tiny_delta():
    """The top outcome alone: p^k (1 - e^(x - k epsilon))."""
    with ctx.workprec(BITS):
        p = 1 / (1 + (-exact("1/2")).exp())
        want = p**500 * -(-exact("1/2")).expm1()
        got = ball.optimal_composition_delta(epsilon="1/2", delta=0, k=500, total_epsilon=F(499, 2))
        assert holds(got, want) and got.rad() < 1e-50 * want
    near = ball.optimal_composition(epsilon="1/2", delta=0, k=500, total_delta="1e-300")
    assert near.overlaps(exact(250) * (1 + arb(0, 1e-60)))


def test_arrays_and_balls():
    got = ball.optimal_composition_delta(epsilon=["0.1", "0.2"], delta=0, k=[[3], [9]], total_epsilon="0.1", digits=20)
    assert got.shape == (2, 2)
    one = ball.optimal_composition_delta(epsilon="0.2", delta=0, k=9, total_epsilon="0.1", digits=20)
    assert got[1, 1].overlaps(one)
    wide = ball.optimal_composition(epsilon=arb(0.1, 0.01), delta=arb(1e-6, 1e-7), k=20, total_delta=arb(0.01, 1e-3))
    for e, d, t in itertools.product(("0.0901", "0.1099"), ("9.1e-7", "1.09e-6"), ("0.0091", "0.0109")):
        assert wide.contains(ball.optimal_composition(epsilon=e, delta=d, k=20, total_delta=t, digits=20))
    epsilons = [arb(0.1, 0.01), arb(0.3, 0.01)]
    wide = ball.heterogeneous_composition(epsilon=epsilons, delta=0, total_delta="0.05")
    for e in itertools.product(("0.091", "0.109"), ("0.291", "0.309")):
        assert wide.contains(ball.heterogeneous_composition(epsilon=e, delta=0, total_delta="0.05", digits=20))


# Bounds


@pytest.mark.slow
@pytest.mark.parametrize("method", composition.METHODS)
@pytest.mark.parametrize(
    ("epsilon", "delta", "k", "total"),
    [("0.1", "1e-6", 100, "1.01e-4"), ("0.01", "0", 1000, "1e-9"), ("1", "1e-3", 30, "0.08"), ("2", "0", 1, "0.2")],
)
def test_bounds(method, epsilon, delta, k, total):
    """Compared with float64 to 1e-12; never below the optimum."""
    arguments = {"epsilon": epsilon, "delta": delta, "k": k, "total_delta": total}
    got = ball.composition_bound(**arguments, method=method, digits=30)
    plain = composition.composition_bound(**{n: float(x) for n, x in arguments.items()}, method=method)
    assert abs(got - plain) <= 1e-11 * plain
    with ctx.workprec(BITS):
        assert ball.optimal_composition(**arguments, digits=30) < got * (1 + arb(10) ** -25)


def test_best_order_in_double_the_digits():
    """The bound by the best order with 25 digits is within that with 12, and at most that of each order of a grid."""
    arguments = {"epsilon": "0.1", "delta": 0, "k": 100, "total_delta": "1e-5", "method": "renyi"}
    rough, fine = (ball.composition_bound(**arguments, digits=d) for d in (12, 25))
    assert rough.contains(fine) and rough.rad() > fine.rad()
    orders = [1 + F(2) ** i for i in range(-3, 8)]
    with ctx.workprec(200):
        curve = [100 * ball.pure_to_rdp(epsilon="0.1", alpha=a) for a in orders]
        values = ball.rdp_to_approximate_dp(alpha=orders, epsilon=curve, delta="1e-5", digits=25)
    assert all(fine < x for x in values)


def test_bounds_at_extreme_arguments():
    bound = ball.composition_bound
    exhausted = {"epsilon": "0.5", "delta": "0.1", "k": 5, "total_delta": 1 - F(9, 10) ** 5}
    assert bound(**exhausted) == arb("2.5") and bound(**exhausted, method="basic") == arb("2.5")
    assert bound(**exhausted, method="tanh") == math.inf and bound(**exhausted, method="renyi") == math.inf
    assert bound(**(exhausted | {"total_delta": "0.1"})) == math.inf
    for method in composition.METHODS:
        nothing = bound(epsilon=0, delta=0, k=5, total_delta="0.1", method=method)
        if method in ("best", "renyi"):  # perfect privacy leaves 1 - e^epsilon
            with ctx.workprec(300):
                assert nothing.contains((arb(9) / 10).log()) and nothing.rad() < 1e-50
        else:
            assert nothing == 0


# Different mechanisms


def test_heterogeneous_is_the_product():
    """Exact rationals, with random odds and shares."""
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 4, 5):
        odds = [F(int(rng.integers(11, 60)), 10) for _ in range(n)]
        delta = [F(int(rng.integers(0, 3)), 50) for _ in range(n)]
        for total in (F(1, 2), F(1), F(7, 3)):
            want = hockey_stick(odds, delta, total)
            with ctx.workprec(BITS):
                epsilon = [log(o) for o in odds]
                got = ball.heterogeneous_composition_delta(epsilon=epsilon, delta=delta, total_epsilon=log(total))
                assert holds(got, exact(want))
                if total < math.prod(odds):
                    back = ball.heterogeneous_composition(epsilon=epsilon, delta=delta, total_delta=want, digits=30)
                    assert holds(back, log(total), digits=30)


def test_equal_mechanisms_are_the_homogeneous_case():
    """Sums of losses compared with incomplete beta functions."""
    for k, x in ((3, "0.4"), (50, "2"), (300, "5")):
        one = ball.optimal_composition_delta(epsilon="0.2", delta="1e-3", k=k, total_epsilon=x)
        several = ball.heterogeneous_composition_delta(
            epsilon=["0.2"] * k + [0], delta=["1e-3"] * k + [0], total_epsilon=x
        )
        assert one.overlaps(several) and max(one.rad(), several.rad()) < 1e-49


@pytest.mark.slow
def test_too_many_sums_are_rejected():
    with pytest.raises(ValueError, match="epsilon must be such that there are at most 1048576 sums"):
        ball.heterogeneous_composition(epsilon=[F(i, 100) for i in range(1, 23)], delta=0, total_delta="0.1")
    got = ball.heterogeneous_composition(epsilon=[F(i, 100) for i in range(1, 21)], delta=0, total_delta="0.1")
    plain = composition.heterogeneous_composition(epsilon=np.arange(1, 21) / 100, delta=0, total_delta=0.1)
    assert abs(got - plain[0]) < 1e-12


# Bad input


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"epsilon": -1}, ValueError, "epsilon must be"),
        ({"epsilon": math.inf}, ValueError, "epsilon must be"),
        ({"epsilon": "x"}, ValueError, "epsilon must be"),
        ({"delta": 1}, ValueError, r"delta must be in \[0, 1\)"),
        ({"delta": -1}, ValueError, "delta must be"),
        ({"k": 0}, ValueError, "k must be an integer from 1"),
        ({"k": 2.5}, TypeError, "k must be an integer from 1"),
        ({"k": 10**10}, ValueError, "k must be an integer from 1"),
        ({"k": arb(3, 1)}, TypeError, "k must be rational"),
        ({"total_delta": 1}, ValueError, r"total_delta must be in \[0, 1\)"),
        ({"total_delta": math.nan}, ValueError, "total_delta must be"),
        ({"digits": 0}, ValueError, "digits"),
        ({"epsilon": [1, 2], "delta": [0, 0, 0]}, ValueError, "epsilon, delta, k, total_delta must have shapes"),
    ],
)
def test_bad_input(change, error, match):
    good = {"epsilon": 0.1, "delta": 0, "k": 3, "total_delta": 0.1}
    for f in (ball.optimal_composition, ball.composition_bound):
        with pytest.raises(error, match=match):
            f(**(good | change))


def test_bad_methods_and_lists():
    with pytest.raises(ValueError, match="method must be one of"):
        ball.composition_bound(epsilon=1, delta=0, k=2, total_delta=0.1, method="naive")
    with pytest.raises(ValueError, match="epsilon must be a vector"):
        ball.heterogeneous_composition(epsilon=0.1, delta=0, total_delta=0.1)
    with pytest.raises(ValueError, match="epsilon must be a vector"):
        ball.heterogeneous_composition(epsilon=[], delta=0, total_delta=0.1)
    with pytest.raises(ValueError, match="epsilon, delta must have shapes that broadcast"):
        ball.heterogeneous_composition(epsilon=[1, 2], delta=[0, 0, 0], total_delta=0.1)
    with pytest.raises(ValueError, match="total_delta must be"):
        ball.heterogeneous_composition(epsilon=[1, 2], delta=0, total_delta=2)
