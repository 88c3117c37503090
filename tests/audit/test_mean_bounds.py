"""Bounds on means: their level on seeded draws, their width compared with other bounds, and rejected input.

A statistical test counts how often a bound at level 0.2 is beyond the true value in 150 runs. At exactly this level it
fails with probability less than 1e-6 (binomial).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import beta, binom

from krdtheory.audit.mean_bounds import bet, expected_log_ratio, lower_log_ratio, lower_mean, rejected, upper_mean

LEVEL, RUNS = 0.2, 150
MOST = int(binom.isf(1e-6, RUNS, LEVEL))


def draws(law: str, size: Any, rng: np.random.Generator) -> np.ndarray:
    match law:
        case "coin":
            return (rng.random(size) < 0.5).astype(float)
        case "rare":
            return (rng.random(size) < 0.02).astype(float)
        case "skew":
            return rng.beta(0.1, 5, size)
        case _:
            return np.full(size, 0.25)


MEANS = {"coin": 0.5, "rare": 0.02, "skew": 0.1 / 5.1, "constant": 0.25}


@pytest.mark.slow
@pytest.mark.parametrize(("law", "n"), [("coin", 30), ("coin", 150), ("rare", 150), ("skew", 150)])
def test_level_of_a_mean(law: str, n: int) -> None:
    rng = np.random.default_rng(n)
    beyond = 0
    for run in range(RUNS):
        x = draws(law, n, rng)
        if run % 2:
            beyond += lower_mean(x, level=LEVEL, rng=rng) > MEANS[law]
        else:
            beyond += upper_mean(x, level=LEVEL, rng=rng) < MEANS[law]
    assert beyond <= MOST


@pytest.mark.slow
@pytest.mark.parametrize(
    ("p", "q", "power", "n", "m"),
    [("coin", "rare", 1.0, 60, 200), ("skew", "coin", 0.5, 200, 60), ("rare", "skew", 0.9, 150, 150)],
)
def test_level_of_a_ratio(p: str, q: str, power: float, n: int, m: int) -> None:
    rng = np.random.default_rng(m)
    truth = np.log(MEANS[p]) - power * np.log(MEANS[q] + 0.01)
    beyond = 0
    for _ in range(RUNS):
        x, y = draws(p, n, rng), draws(q, m, rng)
        beyond += lower_log_ratio(x, y, power=power, level=LEVEL, tops=(1, 1), added=0.01, rng=rng)[0] > truth
    assert beyond <= MOST


@pytest.mark.slow
def test_level_of_a_signed_mean() -> None:
    rng = np.random.default_rng(0)
    beyond = 0
    for _ in range(RUNS):
        x, y = rng.choice([-1.0, 1.0], p=[0.4, 0.6], size=60), draws("coin", 60, rng)
        beyond += lower_log_ratio(x, y, power=0.5, level=LEVEL, tops=(1, 1), bottom=-1, rng=rng)[0] > np.log(
            0.2 / 0.5**0.5
        )
    assert beyond <= MOST


@pytest.mark.slow
def test_no_bound_for_a_mean_that_is_not_positive() -> None:
    rng = np.random.default_rng(1)
    some = sum(
        lower_log_ratio(rng.choice([-1.0, 1.0], size=60), np.ones(60), power=1, level=LEVEL, tops=(1, 1), bottom=-1)[0]
        > -np.inf
        for _ in range(RUNS)
    )
    assert some <= MOST


@pytest.mark.slow
def test_width_of_a_proportion_is_near_clopper_and_pearson() -> None:
    rng = np.random.default_rng(2)
    ours, exact = [], []
    for _ in range(12):
        x = draws("coin", 5000, rng)
        ours.append(0.5 - lower_mean(x, level=0.05, rng=rng))
        exact.append(0.5 - beta.ppf(0.05, x.sum(), 5001 - x.sum()))
    assert np.mean(ours) < 1.2 * np.mean(exact)  # the stakes of fastest growth are 1.4 times as wide


@pytest.mark.slow
def test_width_of_a_ratio_adds_errors_as_squares() -> None:
    rng = np.random.default_rng(3)
    widths = []
    for _ in range(12):
        x, y = (rng.random((2, 5000)) < np.array([[0.5], [0.1]])).astype(float)
        widths.append(np.log(5) - lower_log_ratio(x, y, power=1, level=0.05, tops=(1, 1), rng=rng)[0])
    joint = 1.645 * np.sqrt((1 + 9) / 5000)
    separate = 1.96 * (1 + 3) / np.sqrt(5000)  # two bounds, each at half the level
    assert np.mean(widths) < 1.25 * joint < separate


@pytest.mark.slow
def test_expected_ratio_agrees_with_simulation() -> None:
    rng = np.random.default_rng(4)
    came = []
    for _ in range(12):
        x, y = (rng.random((2, 5000)) < np.array([[0.5], [0.1]])).astype(float)
        came.append(lower_log_ratio(x, y, power=0.5, level=0.05, tops=(1, 1), rng=rng)[0])
    hoped = expected_log_ratio((0.5, 0.1), (0.25, 0.09), (5000, 5000), power=0.5, top=1.0, level=0.05)
    assert hoped == pytest.approx(np.mean(came), abs=0.02)


def test_order_of_draws_does_not_matter_and_seeds_repeat() -> None:
    x, y = np.random.default_rng(5).random((2, 400))
    first = lower_log_ratio(x, y, power=0.5, level=0.1, tops=(1, 1), rng=7)
    assert first == lower_log_ratio(x[::-1], np.sort(y), power=0.5, level=0.1, tops=(1, 1), rng=7)
    assert lower_mean(x, level=0.1, rng=3) == lower_mean(x[::-1], level=0.1, rng=3)


def test_scaling_the_draws_scales_the_bound() -> None:
    x = np.random.default_rng(6).random(300)
    assert lower_mean(8 * x, level=0.1, top=8.0) == pytest.approx(8 * lower_mean(x, level=0.1), rel=1e-9)


def test_one_hypothesis_by_hand() -> None:
    """Twelve draws, ten of them for learning, give two bets with factors 1 + 0.7 (1 - a) / a at the largest stake."""
    x = np.ones(12)
    a = np.array([0.25])  # with every draw 1, a variance of 1/10: the stake is the largest one
    factor = 1 + 0.7 * 0.75 / 0.25
    for level, expected in ((1 / factor**2 * 1.01, 1), (1 / factor**2 * 0.9, 0)):
        assert rejected(bet(x, np.zeros(1), lambda _: (a, 0 * a), level=level, tops=(1.0, 0.0))) == expected


@pytest.mark.slow
def test_p_value_of_a_claim() -> None:
    x, y = (np.random.default_rng(8).random((2, 1000)) < np.array([[0.5], [0.1]])).astype(float)
    values = {}
    for claim in (-1.0, 0.0, 1.0, 1.3, 1.35, 1.7, 2.5):
        bound, p = lower_log_ratio(x, y, power=1, level=0.05, tops=(1, 1), claim=claim)
        assert p is not None
        assert (p <= 0.05) == (bound >= claim)
        values[claim] = p
    assert values[0.0] <= 0.05 < values[1.7] <= 1
    assert lower_log_ratio(np.zeros(50), np.ones(50), power=1, level=0.05, tops=(1, 1), claim=0.0) == (-np.inf, 1.0)
    none = lower_log_ratio(np.ones(50), np.ones(50), power=1, level=0.05, tops=(1, 1), floor=0.0, claim=0.0)
    assert none[0] == 0
    assert none[1] is not None
    assert none[1] > 0.05


@pytest.mark.parametrize("law", ["constant", "none", "all", "one"])
def test_degenerate_draws(law: str) -> None:
    x = {"constant": np.full(50, 0.25), "none": np.zeros(50), "all": np.ones(50), "one": np.array([0.5])}[law]
    low, high = lower_mean(x, level=0.05), upper_mean(x, level=0.05)
    assert 0 <= low <= x.mean() <= high <= 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: lower_mean([0.5, 1.5], level=0.1), "values must be in"),
        (lambda: lower_mean([], level=0.1), "at least one draw"),
        (lambda: lower_mean([float("nan")], level=0.1), "values must be in"),
        (lambda: lower_mean([0.5] * 20, level=0), "level must be"),
        (lambda: lower_mean([0.5], level=0.1, top=-1), "top must be"),
        (lambda: lower_log_ratio([1], [1], power=2, level=0.1, tops=(1, 1)), "power must be"),
        (lambda: lower_log_ratio([1], [1], power=1, level=0.1, tops=(1, 1), added=-1), "added must be"),
        (lambda: lower_log_ratio([1], [1], power=1, level=0.1, tops=(1, 1), bottom=1), "bottom must be"),
        (lambda: lower_log_ratio([1], [2], power=1, level=0.1, tops=(1, 1)), "y must be in"),
    ],
)
def test_bad_input(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
