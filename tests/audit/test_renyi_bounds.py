"""Audits of Renyi, concentrated and capacity-bounded divergences: the least pair by brute force, the level, the power.

Statistical tests are at level 0.2, on distributions with known divergences, and fail with probability less than 1e-6 at
exactly this level (binomial).
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import beta, binom

from krdtheory.audit.capacity_bounds import capacity_bound
from krdtheory.audit.renyi_bounds import concentrated_bound, cut_bound, least_pair, witness_bound
from krdtheory.audit.scores import Coordinate

LEVEL = 0.2
P, Q = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.1, 0.15, 0.3, 0.45])


def renyi(alpha: float, p: np.ndarray = P, q: np.ndarray = Q) -> float:
    """Return the divergence by its definition."""
    on = p > 0
    if alpha == 1:
        return float((p[on] * np.log(p[on] / q[on])).sum())
    if alpha == np.inf:
        return float(np.log(p[on] / q[on]).max())
    return float(logsumexp(alpha * np.log(p[on]) + (1 - alpha) * np.log(q[on])) / (alpha - 1))


# The least pair


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("alpha", [0.5, 1, 2, 8])
def test_least_pair_against_all_pairs_of_a_grid(seed: int, alpha: float) -> None:
    """Three cells, tails on a grid of 1/20."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 20, 2) / 20, rng.integers(1, 21, 2) / 20
    value = renyi(alpha, *least_pair(a, b))
    tails = [(s / 20, t / 20) for s, t in itertools.product(range(21), repeat=2) if t <= s]
    laws = np.array([[1 - s, s - t, t] for s, t in tails])
    upper = np.array(tails)
    first, second = laws[(upper >= a - 1e-12).all(1)], laws[(upper <= b + 1e-12).all(1)]
    x, y = first[:, None], second[None]
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = x * np.log(x / y) if alpha == 1 else x**alpha * y ** (1 - alpha)
        sums = np.where(x > 0, terms, 0).sum(-1)
        every = sums if alpha == 1 else np.log(sums) / (alpha - 1)
    assert value <= every.min() + 1e-9
    assert every.min() <= value + 0.06 * max(1, alpha / 2)  # the pooled pair is not on the grid


def test_least_pair_is_attained_where_nothing_is_pooled() -> None:
    p, q = least_pair([0.9, 0.5], [0.6, 0.1])
    assert p == pytest.approx([0.1, 0.4, 0.5])
    assert q == pytest.approx([0.4, 0.5, 0.1])


@pytest.mark.parametrize(
    ("a", "b", "p", "q"),
    [
        ([0.2], [0.5], [1.0], [1.0]),  # tails that are consistent with p = q
        ([0.0, 0.5], [0.3, 1.0], [0.5, 0.5], [0.7, 0.3]),  # out of order: P(cell >= 1) >= 1/2 too
        ([0.5], [0.0], [0.5, 0.5], [1.0, 0.0]),  # a cell in which q cannot have mass
        ([0.8, 0.5], [0.3, 0.3], [0.2, 0.8], [0.7, 0.3]),  # the middle cell has no mass under q
    ],
)
def test_least_pair_by_hand(a: list[float], b: list[float], p: list[float], q: list[float]) -> None:
    got = least_pair(a, b)
    assert got[0] == pytest.approx(p)
    assert got[1] == pytest.approx(q)


# The level


def draws(law: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw values whose order is not that of the likelihood ratio."""
    return np.array([2.0, 0.0, 3.0, 1.0])[rng.choice(4, n, p=law)]


def beyond(runs: int, truth: float, bound: Any) -> None:
    count = sum(bound(run) > truth for run in range(runs))
    assert count <= binom.isf(1e-6, runs, LEVEL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bound", "alpha", "laws"),
    [
        (cut_bound, 0.5, (P, Q)),
        (cut_bound, 4, (P, Q)),
        (witness_bound, 2, (P, Q)),
        (cut_bound, 2, (P, P)),
        (witness_bound, 2, (P, P)),
    ],
)
def test_level_on_an_alphabet(bound: Any, alpha: float, laws: tuple[np.ndarray, np.ndarray]) -> None:
    rng = np.random.default_rng(0)

    def of(run: int) -> float:
        x, y = draws(laws[0], 150, rng), draws(laws[1], 120, rng)
        return bound(x, y, alpha=alpha, level=LEVEL, scores=[Coordinate(), "atoms"], rng=run).value

    beyond(30, renyi(alpha, *laws), of)


@pytest.mark.slow
@pytest.mark.parametrize("bound", [cut_bound, witness_bound])
def test_level_with_a_given_likelihood_ratio(bound: Any) -> None:
    """The score needs no learning, so the bound is as close as possible to the known D_2 of two points."""
    rng = np.random.default_rng(2)

    def of(run: int) -> float:
        x, y = (rng.random((2, 200)) < np.array([[0.75], [0.25]])).astype(float)
        return bound(x, y, alpha=2, level=LEVEL, scores=Coordinate(), rng=run).value

    beyond(80, renyi(2, np.array([0.25, 0.75]), np.array([0.75, 0.25])), of)


@pytest.mark.slow
def test_level_of_the_capacity_bounded_divergence() -> None:
    """On three points with h = b + a x, the supremum at order 2 is log(1 + (difference of means)^2 / variance of q)."""
    rng = np.random.default_rng(3)
    p, q, at = np.array([0.2, 0.2, 0.6]), np.array([0.4, 0.3, 0.3]), np.array([0.0, 1.0, 2.0])
    truth = np.log1p((p @ at - q @ at) ** 2 / (q @ at**2 - (q @ at) ** 2))

    def bound(run: int) -> float:
        x, y = rng.choice(at, 200, p=p), rng.choice(at, 200, p=q)
        return capacity_bound(x, y, alpha=2, degree=1, support=(0, 2), level=LEVEL, rng=run).value

    beyond(80, float(truth), bound)


# The power, and reports


@pytest.mark.slow
def test_more_cells_and_a_witness_find_more() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.normal(1, 1, 9000), rng.normal(0, 1, 9000)  # D_2 = 1
    two, best = (cut_bound(x, y, alpha=2, level=0.05, cells=k) for k in (2, None))
    witness = witness_bound(x, y, alpha=2, level=0.05)
    assert two.value < best.value < witness.value < 1
    assert len(two.witness["thresholds"]) == 1 < len(best.witness["thresholds"])
    for alpha in (0.5, 1, 4, np.inf):  # one region, all orders
        assert 0 < renyi(alpha, *map(np.array, best.extra["pair"])) < alpha / 2


@pytest.mark.slow
@pytest.mark.parametrize("method", ["witness", "cells"])
def test_concentrated(method: str) -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(1, 1, 6000), rng.normal(0, 1, 6000)
    bound = concentrated_bound(x, y, level=0.05, method=method)
    assert 0.25 < bound.value < 0.5  # rho = 1/2
    assert concentrated_bound(x, y, level=0.05, method=method, omega=1.01).witness["alpha"] < 1.01
    if method == "cells":
        p, q = map(np.array, bound.extra["pair"])
        assert bound.value == pytest.approx(max(renyi(a, p, q) / a for a in 1 + np.geomspace(0.02, 1000, 60)))


def test_infinite_order() -> None:
    rng = np.random.default_rng(6)
    x, y = (rng.random(4000) < 0.75).astype(float), (rng.random(4000) < 0.25).astype(float)
    for bound in (cut_bound, witness_bound):
        assert 0.95 < bound(x, y, alpha=np.inf, level=0.05).value < np.log(3)


def test_capacity_bounds_are_limited_to_the_class() -> None:
    """With equal means degree 1 finds nothing, and degree 2 finds disjoint supports."""
    rng = np.random.default_rng(7)
    x, y = rng.choice([-1.0, 1.0], 3000), np.zeros(3000)
    one, two = (capacity_bound(x, y, alpha=2, degree=k, support=(-1, 1), level=0.05).value for k in (1, 2))
    assert one < 0.05
    assert two > 3


@pytest.mark.slow
def test_capacity_of_other_orders() -> None:
    """On two points every function is a polynomial, and the divergence is the Renyi divergence."""
    rng = np.random.default_rng(8)
    x, y = (rng.random(20_000) < 0.75).astype(float), (rng.random(20_000) < 0.25).astype(float)
    for alpha in (1.5, 3, 6):
        truth = renyi(alpha, np.array([0.25, 0.75]), np.array([0.75, 0.25]))
        value = capacity_bound(x, y, alpha=alpha, degree=1, support=(0, 1), level=0.001).value
        assert 0.8 * truth < value < truth, (alpha, truth, value)


@pytest.mark.slow
def test_constant_outputs_and_equal_seeds() -> None:
    x = np.full(100, 3.0)
    for bound in (cut_bound, witness_bound):
        assert bound(x, x, alpha=2, level=0.05).value == 0
    y = np.random.default_rng(9).normal(size=(2, 100))
    assert cut_bound(*y, alpha=2, level=0.05, rng=1) == cut_bound(*y, alpha=2, level=0.05, rng=1)
    assert witness_bound(*y, alpha=2, level=0.05, rng=1) == witness_bound(*y, alpha=2, level=0.05, rng=1)


@pytest.mark.slow
@pytest.mark.parametrize("audit", [cut_bound, witness_bound])
def test_p_value_agrees_with_the_bound(audit: Any) -> None:
    x, y = np.random.default_rng(12).normal([[1.0], [0.0]], size=(2, 1500))
    bound = audit(x, y, alpha=2, level=0.05, scores=Coordinate())
    assert bound.extra["p_value"] is None
    previous = 0.0
    for claim in (0.0, 0.1, bound.value - 0.01, bound.value + 0.01, 3.0):
        found = audit(x, y, alpha=2, level=0.05, scores=Coordinate(), claim=claim)
        p = found.extra["p_value"]
        assert (p <= 0.05) == (found.value >= claim > 0 or found.value > claim)
        if audit is cut_bound:
            assert found.value == bound.value
            assert p >= previous
            previous = p
    assert p > 0.9


def test_p_value_of_two_cells_by_hand() -> None:
    """With one threshold, p is the level at which the two Clopper-Pearson limits have the claimed divergence."""
    rng = np.random.default_rng(13)
    x, y = (rng.random((2, 300)) < np.array([[0.75], [0.25]])).astype(float)
    bound = cut_bound(x, y, alpha=2, level=0.05, scores=Coordinate(), claim=0.2)
    (a,), (b,) = bound.extra["tails"]
    p = bound.extra["p_value"]
    low, high = beta.ppf(p / 2, a, 201 - a), beta.isf(p / 2, b + 1, 200 - b)
    assert renyi(2, np.array([1 - low, low]), np.array([1 - high, high])) == pytest.approx(0.2, abs=1e-6)


def test_strings() -> None:
    rng = np.random.default_rng(10)
    x, y = (["yes" if hit else "no" for hit in rng.random(600) < c] for c in (0.8, 0.2))
    for bound in (cut_bound, witness_bound):
        assert 0.5 < bound(x, y, alpha=2, level=0.05).value < np.log(3.25)


SOME = np.random.default_rng(11).normal(size=50)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cut_bound(SOME, SOME, alpha=-1, level=0.05), "alpha must be"),
        (lambda: cut_bound(SOME, SOME, alpha=[1, 2], level=0.05), "alpha must be one number"),
        (lambda: cut_bound(SOME, SOME, alpha=2, level=1.5), "level must be"),
        (lambda: cut_bound(SOME, SOME, alpha=2, level=0.05, cells=1), "cells must be"),
        (lambda: cut_bound(SOME, SOME[:9], alpha=2, level=0.05), "y must be at least 20"),
        (lambda: cut_bound(SOME, SOME.reshape(25, 2), alpha=2, level=0.05), "one dimension"),
        (lambda: witness_bound(SOME, SOME, alpha=1, level=0.05), "alpha must be in"),
        (lambda: witness_bound(SOME, SOME, alpha=2, level=0), "level must be"),
        (lambda: witness_bound(SOME, SOME, alpha=2, level=0.05, learn_from=1), "learn_from must be"),
        (lambda: concentrated_bound(SOME, SOME, level=0.05, omega=1), "omega must be"),
        (lambda: concentrated_bound(SOME, SOME, level=0.05, method="best"), "method must be"),
        (lambda: concentrated_bound(SOME, SOME, level=0.05, cells=3), "cells must be"),
        (lambda: capacity_bound(SOME, SOME, alpha=2, degree=1, support=(0, np.inf), level=0.05), "support must be"),
        (lambda: capacity_bound(SOME, SOME, alpha=2, degree=1, support=3, level=0.05), "support must be"),  # type: ignore[arg-type]
        (lambda: capacity_bound(SOME, SOME, alpha=2, degree=1, support=(0, 1), level=0.05), "x must be within"),
        (lambda: capacity_bound(SOME, SOME, alpha=2, degree=0, support=(-9, 9), level=0.05), "degree must be"),
        (lambda: capacity_bound(SOME, SOME, alpha=1, degree=1, support=(-9, 9), level=0.05), "alpha must be"),
    ],
)
def test_bad_input(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
