"""k-cuts compared with all maps, with merged weights over Q."""

import functools
import itertools
import math
from fractions import Fraction as F
from functools import partial

import numpy as np
import pytest
from flint import arb, ctx

import krdtheory
from krdtheory import ball, mp

INF = arb.pos_inf()
DIVERGENCES = {
    **{f"renyi {a}": partial(ball.renyi, alpha=a) for a in (0, F(1, 3), 1, 2, math.inf)},
    "kl": ball.kl,
    "total_variation": krdtheory.total_variation,
    "hellinger": mp.hellinger,
    "max_divergence": ball.max_divergence,
    "hockey_stick": partial(ball.hockey_stick, epsilon=F(1, 3)),
    "hockey_stick inf": partial(krdtheory.hockey_stick, epsilon=math.inf),
    "chi_squared": partial(ball.f_divergence, f="chi_squared"),
    "own f": partial(ball.f_divergence, f=lambda t: t * t, value_at_zero=0, slope_at_infinity=math.inf),
}


@pytest.fixture(autouse=True)
def precision():
    with ctx.workprec(250):
        yield


def in_balls(divergence):
    function, options = (divergence.func, divergence.keywords) if isinstance(divergence, partial) else (divergence, {})
    return partial(getattr(ball, function.__name__), **options)


def over_all_maps(p, q, divergence, k):
    images = set()
    for cells in itertools.product(range(k), repeat=len(p)):
        merged = [
            tuple(sum((x for x, c in zip(w, cells, strict=True) if c == j), F(0)) for j in range(k)) for w in (p, q)
        ]
        images.add(tuple(sorted(zip(*merged, strict=True))))
    return [divergence(*map(list, zip(*image, strict=True)), digits=12) for image in images]


@pytest.mark.slow
@pytest.mark.parametrize("name", DIVERGENCES)
def test_the_best_of_all_maps(name):
    rng = np.random.default_rng(sum(map(ord, name)))
    for _ in range(12):
        n, k = int(rng.integers(1, 6)), int(rng.integers(1, 4))
        p, q = ([F(int(v), 12) for v in rng.integers(0, 6, n)] for _ in range(2))
        if not sum(p):
            continue
        found = ball.k_cut(p, q, DIVERGENCES[name], k, digits=12)
        values = over_all_maps(p, q, in_balls(DIVERGENCES[name]), k)
        assert any(found == v if INF in (found, v) else found.overlaps(v) for v in values)
        assert all(v == found or v <= found or found.overlaps(v) for v in values)
        assert found == INF or found.rad() < 1e-11


def test_other_divergences_over_all_maps():
    def largest_difference(u, v, digits):
        return arb(max(abs(a - b) for a, b in zip(u, v, strict=True)))

    p, q = [F(1, 3)] * 3, [F(1, 21), F(4, 21), F(16, 21)]
    assert ball.k_cut(p, q, largest_difference, 2).contains(arb(9) / 21)
    assert ball.k_cut(p, q, largest_difference, 2, quasi_convex=True).contains(arb(9) / 21)
    with pytest.raises(TypeError, match="balls"):
        ball.k_cut(p, q, lambda u, v, digits: 0.5, 2)


def test_ties_need_no_decision():
    """Two best cuts by symmetry, and equal ratios."""
    p, q = ["1/4", "1/2", "1/4"], ["1/8", "1/4", "5/8"]
    value = ball.k_cut(p, q, partial(ball.renyi, alpha="1/2"), 2)
    assert value.overlaps(ball.renyi(["3/4", "1/4"], ["3/8", "5/8"], "1/2")) and value.rad() < 1e-49
    assert ball.k_cut([1, 2, 3], [2, 4, 6], ball.kl, 2, digits=10).overlaps(6 * arb("0.5").log())


def test_many_symbols():
    """Total variation is 2-generated."""
    rng = np.random.default_rng(3)
    p, q = rng.integers(1, 9, 60), rng.integers(1, 9, 60)
    assert ball.k_cut(p, q, ball.total_variation, 2) == arb(int(abs(p - q).sum())) / 2 or p.sum() != q.sum()


def test_coarsen():
    assert ball.coarsen(["1/2", "1/4", "1/4"], [0, 1, 0], 3).tolist() == [arb("0.75"), arb("0.25"), 0]
    assert ball.coarsen([[1, 2], [3, 4]], [[[0, 0]], [[1, 0]]], 2).shape == (2, 2, 2)
    third = arb(1) / 3
    assert ball.coarsen([third, third], [0, 0], 1)[0].contains(arb(2) / 3)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: ball.k_cut([1, 1], [1, 1], ball.kl, 0), ValueError, "k must be"),
        (lambda: ball.k_cut([1, 1], [1, 1], "kl", 2), TypeError, "divergence must be"),
        (lambda: ball.k_cut([1, 1], [1, 1], partial(ball.renyi, alpha=-1), 2), ValueError, "alpha must be"),
        (lambda: ball.k_cut([1, 1], [1, 1], partial(ball.renyi, alpha=[1, 2]), 2), ValueError, "alpha must be"),
        (lambda: ball.k_cut([arb(1, 0.1), 1], [1, 1], ball.kl, 2), ValueError, "p must be rational"),
        (lambda: ball.k_cut([1] * 30, [1] * 30, lambda u, v, digits: arb(0), 2), ValueError, "k must be"),
        (lambda: ball.coarsen([1, 1], [0, 2], 2), ValueError, "cells must be"),
        (lambda: ball.coarsen([1, 1], [0.5, 1], 2), TypeError, "cells must be"),
        (lambda: ball.coarsen([1, 1], [0], 2), ValueError, "cells must be"),
    ],
)
def test_bad_input(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_a_wrapped_divergence_is_not_taken_for_the_original():
    @functools.wraps(ball.kl)
    def twice(p, q, *, digits=50):
        return 2 * ball.kl(p, q, digits=digits)

    p, q = ["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]
    assert ball.k_cut(p, q, twice, 2, digits=20).overlaps(2 * ball.k_cut(p, q, ball.kl, 2, digits=20))
    twice.__module__ = "nowhere"
    assert ball.k_cut(p, q, twice, 2, digits=20) > 1.5 * ball.k_cut(p, q, ball.kl, 2, digits=20)
