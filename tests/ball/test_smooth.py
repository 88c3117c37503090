"""Smooth divergences compared with all subsets over Q, and with all moves within the total variation ball."""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, ctx, fmpq

import krdtheory
from krdtheory import ball, mp

INF = arb.pos_inf()


@pytest.fixture(autouse=True)
def precision():
    with ctx.workprec(250):
        yield


def exact(x):
    return fmpq(x.numerator, x.denominator)


def instances(count, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(1, 5))
        p, q = ([F(int(v), 12) for v in rng.integers(0, 5, n)] for _ in range(2))
        if sum(p) and sum(q):
            yield p, q, F(int(rng.integers(0, 20)), 24)


def test_approximate_max_divergence_is_the_best_subset():
    """The maximum over all 2^n sets S of log (p(S) - delta) / q(S), ignoring 0/0."""
    for p, q, delta in instances(150):
        best = None
        for s in itertools.product([0, 1], repeat=len(p)):
            mass = sum((x for x, c in zip(p, s, strict=True) if c), -delta)
            reference = sum((y for y, c in zip(q, s, strict=True) if c), F(0))
            if mass > 0:
                ratio = math.inf if reference == 0 else mass / reference
                best = ratio if best is None else max(best, ratio)
        found = ball.approximate_max_divergence(p, q, delta=delta, digits=30)
        if best is None:
            assert found == -INF
        elif best == math.inf:
            assert found == INF
        else:
            assert found.overlaps(arb(exact(best)).log()) and found.rad() < 1e-28


@pytest.mark.slow
def test_no_weights_within_the_ball_are_better():
    """The weights lie in the ball, exactly; moving 1/100 of the mass never decreases the divergence."""
    for p, q, delta in instances(40, seed=1):
        near = ball.optimal_smoothing(p, q, delta=delta)
        middle = [F(float(x)).limit_denominator(10**6) for x in near]  # denominators are far smaller
        assert all(x.contains(exact(y)) for x, y in zip(near, middle, strict=True))
        assert sum(middle) == sum(p) and sum(abs(a - b) for a, b in zip(p, middle, strict=True)) <= 2 * delta
        for alpha in (F(1, 2), 1, 3):
            value = ball.smooth_renyi(p, q, alpha, delta=delta, digits=20)
            assert value.overlaps(ball.renyi(middle, q, alpha, digits=20)) or value == INF
            for i, j in itertools.permutations(range(len(p)), 2):
                there = list(middle)
                step = middle[i] / 100
                there[i], there[j] = there[i] - step, there[j] + step
                if sum(abs(a - b) for a, b in zip(p, there, strict=True)) <= 2 * delta:
                    other = ball.renyi(there, q, alpha, digits=20)
                    assert other == INF or other >= value or other.overlaps(value)


@pytest.mark.slow
def test_values_agree_with_mpmath():
    for p, q, delta in instances(60, seed=2):
        for alpha in (0, F(1, 3), 1, 2, math.inf):
            value = ball.smooth_renyi(p, q, alpha, delta=delta, digits=20)
            number = mp.evaluate(krdtheory.smooth_renyi, p, q, alpha, delta=delta, digits=25)
            assert value == INF if number == math.inf else abs(value - arb(str(number))) < 1e-19


def test_distributions_within_delta_have_divergence_zero():
    assert ball.smooth_renyi(["3/4", "1/4"], ["1/3", "2/3"], ["1/2", 2], delta="5/12").tolist() == [0, 0]
    assert ball.smooth_renyi(["1/2", "1/2"], [1, 0], 2, delta="0.25") == INF
    assert ball.optimal_smoothing(["1/2", "1/2"], [1, 0], delta="1/4").tolist() == [arb("0.75"), arb("0.25")]


def test_balls():
    """The result contains the divergences at corners of the balls of weights."""
    p, q = [arb(0.75, 0.01), arb(0.25, 0.01)], [arb(0.25, 0.01), arb(0.75, 0.01)]
    value = ball.approximate_max_divergence(p, q, delta="0.01")
    for a, b in (("0.76", "0.24"), ("0.74", "0.26")):
        assert value.contains(((arb(a) - arb("0.01")) / arb(b)).log())
    with pytest.raises(ball.UndecidedError) as error:
        ball.approximate_max_divergence([1, 1], [1, arb(0, 1e-9)], delta=0)
    assert error.value.lower > 20 and error.value.upper == INF
    with pytest.raises(ValueError, match="p must be rational"):
        ball.smooth_renyi(p, q, 2, delta=0)


@pytest.mark.parametrize("delta", [-1, math.inf, math.nan, 1j])
def test_bad_delta(delta):
    with pytest.raises((ValueError, TypeError), match="delta must be"):
        ball.smooth_renyi([1, 1], [1, 1], 2, delta=delta)


def test_batches():
    assert ball.smooth_renyi([[1, 0], [0, 1]], [1, 1], [[2], [3], [4]], delta=0).shape == (3, 2)
    assert ball.optimal_smoothing([[1, 0], [0, 1]], [1, 1], delta=[[0], [1], [2]]).shape == (3, 2, 2)
