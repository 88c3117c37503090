"""The digits of `krdtheory.mp` are those of balls if these determine them, otherwise those of the formulas in mpmath.

These share no code with balls, and both are compared for all functions that have both. The seeds are fixed.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb
from mpmath import mpf

import krdtheory as k
from krdtheory import ball, mp
from krdtheory.divergences.restricted import Affine
from krdtheory.privacy import composition, conversions
from krdtheory.table import FUNCTIONS, names

P, Q = ["1/6", "1/3", "1/2"], ["1/2", "1/4", "1/4"]
ORDERS = [Fraction(1, 3), 1, Fraction(5, 2), math.inf]
CALLS = {
    "kl_to_approximate_dp": {"kl": ["1/3", 2], "delta": "1e-6"},
    "kl_to_delta": {"kl": 0.5, "epsilon": 1},
    "rdp_to_approximate_dp": {"alpha": [1.5, 8, 100], "epsilon": "0.3", "delta": "1e-9"},
    "rdp_to_delta": {"alpha": 3, "epsilon": 0.5, "target_epsilon": 1},
    "rdp_curve_to_approximate_dp": {"alpha": [2, 3, 4], "epsilon": [0.5, 0.75, 1], "delta": "1/100"},
    "hellinger_to_delta": {"hellinger": "1/7", "epsilon": -0.5},
    "total_variation_to_approximate_dp": {"total_variation": 0.1, "delta": [0.05, 0.2]},
    "approximate_dp_to_hellinger": {"epsilon": [0, 1, 1e-20], "delta": "1e-6"},
    "gdp_to_delta": {"mu": [0.5, 3], "epsilon": [1, -2]},
    "gdp_to_approximate_dp": {"mu": 1, "delta": "1e-5"},
    "pure_to_rdp": {"epsilon": 1, "alpha": ORDERS},
    "pure_to_zcdp": {"epsilon": ["1/3", 700]},
    "optimal_composition": {"epsilon": 0.1, "delta": "1e-7", "k": 12, "total_delta": "1e-3"},
    "optimal_composition_delta": {"epsilon": 0.1, "delta": "1e-7", "k": 12, "total_epsilon": [0.5, -0.5]},
    "approximate_max_divergence": {"p": P, "q": Q, "delta": ["1/100", 0, 1]},
    "smooth_renyi": {"p": P, "q": Q, "alpha": ORDERS, "delta": 0.05},
    "hellinger_to_approximate_dp": {"hellinger": "1/7", "delta": "1/2"},
    "total_variation_to_delta": {"total_variation": "1/7", "epsilon": [0.5, -0.5]},
    "approximate_dp_to_delta": {"epsilon": 1, "delta": "1e-6", "target_epsilon": 0.5},
    "approximate_dp_to_regularization": {"epsilon": 1, "delta": "1e-6"},
    "approximate_dp_to_total_variation": {"epsilon": [1, 1e-20], "delta": "1e-6"},
    "gdp_to_rdp": {"mu": "1/3", "alpha": 2},
    "zcdp_to_approximate_dp": {"rho": 0.5, "delta": "1e-5"},
    "tcdp_to_approximate_dp": {"rho": 0.5, "omega": 5, "delta": "1e-5"},
    "composition_bound": {"epsilon": 0.1, "delta": "1e-7", "k": 12, "total_delta": "1e-3", "method": "renyi"},
    "optimal_smoothing": {"p": P, "q": Q, "delta": 0.05},
    "coarsen": {"weights": P, "cells": [0, 1, 0], "k": 2},
    "kernel_renyi": {
        "p_points": [[0], [1]],
        "p_weights": ["1/3", "2/3"],
        "q_points": [[0], [2]],
        "q_weights": None,
        "alpha": [2, 6],
        "regularization": [0.1, 1],
        "bandwidth": 1,
    },
}


def same(x, y, digits):
    """Return whether two values are equal up to half a unit of the last digit of each."""
    x, y = (np.asarray(z, dtype=object).ravel() for z in (x, y))
    with mpmath.workdps(digits + 20):
        tolerance = mpf(10) ** (1 - digits)
        return len(x) == len(y) and all(u == v or abs(u - v) <= tolerance * abs(v) for u, v in zip(x, y, strict=True))


def refuse(*args, **kwargs):
    raise AssertionError("a formula was asked")


def test_one_digit_off_is_not_the_same():
    one = mp.kl(P, Q, digits=30)
    with mpmath.workdps(40):
        off = one + mpf(10) ** -28
    assert same(one, one, 30) and not same(one, off, 30) and not same([one, one], one, 30)


def test_all_functions_are_compared():
    """Except brackets, restricted classes and functions of a function, which use the formula."""
    elsewhere = {
        *("renyi", "hockey_stick", "kl", "max_divergence", "total_variation", "hellinger", "f_divergence"),
        *("sandwiched_renyi", "petz_renyi", "maximal_renyi", "quantum_relative_entropy", "max_relative_entropy"),
        *("trace_distance", "quantum_hockey_stick"),
    }
    left = {name for name in names("mp") if name.startswith(("heterogeneous", "restricted"))} | {"k_cut", "evaluate"}
    assert {*CALLS} | elsewhere | left == {*names("mp")}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_balls_and_formulas_have_the_same_digits(name, monkeypatch):
    want = mp.evaluate(FUNCTIONS[name].load(), **CALLS[name], digits=40)
    monkeypatch.setattr(mp, "at_digits", refuse)
    assert same(getattr(mp, name)(**CALLS[name], digits=40), want, 40)


@pytest.mark.parametrize("digits", [2, 15, 120])
def test_classical_divergences(digits, monkeypatch):
    cases = [
        *(("renyi", (P, Q, alpha)) for alpha in ORDERS),
        *(("renyi", (P, ["1/2", 0, "1/4"], alpha)) for alpha in (0, *ORDERS)),
        *(("hockey_stick", (P, Q, epsilon)) for epsilon in (0, "0.3", -1, math.inf)),
        *((name, (P, Q)) for name in ("kl", "max_divergence", "total_variation", "hellinger")),
        *(("f_divergence", ([Q, ["1/4", "1/4", 1]], P, f)) for f in ("kl", "reverse_kl", "chi_squared", "hellinger")),
    ]
    wanted = [mp.evaluate(FUNCTIONS[name].load(), *args, digits=digits) for name, args in cases]
    monkeypatch.setattr(mp, "at_digits", refuse)
    for (name, args), want in zip(cases, wanted, strict=True):
        value = getattr(mp, name)(*args, digits=digits)
        assert same(value, want, digits), (name, args)
        assert np.asarray(value, dtype=object).flat[0].context.dps == digits


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_quantum_divergences(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(-3, 4, (3, 3 - seed % 2)), rng.integers(-3, 4, (3, 3))
    rho, sigma, lam = (x @ x.T).tolist(), (y @ y.T).tolist(), Fraction(seed, 10)
    cases = [(name, (alpha, lam)) for name in ("sandwiched_renyi", "petz_renyi", "maximal_renyi") for alpha in ORDERS]
    cases += [(name, (lam,)) for name in ("quantum_relative_entropy", "max_relative_entropy", "trace_distance")]
    cases += [("quantum_hockey_stick", ("1/3", lam))]
    wanted = [mp.evaluate(FUNCTIONS[name].load(), rho, sigma, *more, digits=30) for name, more in cases]
    monkeypatch.setattr(mp, "at_digits", refuse)
    for (name, more), want in zip(cases, wanted, strict=True):
        assert same(getattr(mp, name)(rho, sigma, *more, digits=30), want, 30), (name, more)


# Values that are not taken from a ball


def test_a_narrow_ball_is_used_and_a_wide_one_is_not(monkeypatch):
    want = mp.evaluate(k.kl, P, Q, digits=20)
    for radius, taken in ((0, True), ("1e-24", True), ("1e-22", False), (1, False), ("inf", False)):
        monkeypatch.setattr(ball, "kl", lambda *args, r=radius, **kwargs: arb("0.25", arb(r)))
        assert (mp.kl(P, Q, digits=20) == 0.25) == taken
        assert taken or same(mp.kl(P, Q, digits=20), want, 20)


def test_undecided_values_use_the_formula(monkeypatch):
    want = mp.kl(P, Q, digits=20)
    for error in (ball.UndecidedError("?"), ValueError("?"), TypeError("?")):

        def undecided(*args, error=error, **kwargs):
            raise error

        monkeypatch.setattr(ball, "kl", undecided)
        assert same(mp.kl(P, Q, digits=20), want, 20)


def test_irrational_numbers_at_more_digits_than_their_enclosures_have():
    """4096 bits are 1233 digits."""
    x = sympy.sqrt(2) / 2
    for digits in (1200, 1300):
        with mpmath.workdps(digits + 10):
            y = mpmath.sqrt(mpf(2)) / 2
            want = y * mpmath.log(2 * y) + (1 - y) * mpmath.log(2 - 2 * y)
            assert abs(mp.kl([x, 1 - x], ["1/2", "1/2"], digits=digits) / want - 1) < mpf(10) ** (1 - digits)


# Values near 0

A, B, MIXED = [["1/2", "1/3"], ["1/3", "1/2"]], [["3/4", "1/4"], ["1/4", "1/4"]], [["1/2", 0], [0, "1/2"]]
PLANE = [["3/10", "1/10"], ["1/10", "3/10"]]  # eigenvalues 2/5 and 1/5
POINTS = {"points": [-1, 0, 1]}
SAME_MEAN = ["1/4", "1/2", "1/4"], ["1/8", "3/4", "1/8"]
ALL_ORDERS = [0, Fraction(1, 2), *ORDERS]
NOT_BELOW = {"delta": "1/2", "nonnegative": True}
ZEROS = [  # by their definitions, without a sum that may cancel
    ("renyi", (P, Q, 0), {}),
    ("renyi", (P, P, ALL_ORDERS), {}),
    *((name, (P, P), {}) for name in ("kl", "max_divergence", "total_variation", "hellinger")),
    ("hockey_stick", (P, P, [0, 1]), {}),
    ("f_divergence", (P, P, "kl"), {}),
    ("f_divergence", (P, Q, lambda t: (t - 1) / 3), {}),
    *((name, (A, B, 0), {}) for name in ("sandwiched_renyi", "petz_renyi", "maximal_renyi")),
    *((name, (MIXED, B, 0), {}) for name in ("sandwiched_renyi", "petz_renyi", "maximal_renyi")),
    *((name, (A, A, ALL_ORDERS), {}) for name in ("sandwiched_renyi", "petz_renyi", "maximal_renyi")),
    *((name, (A, A), {}) for name in ("quantum_relative_entropy", "max_relative_entropy", "trace_distance")),
    ("max_relative_entropy", ([["1/5", "1/5"], ["1/5", "1/5"]], PLANE), {}),
    ("quantum_hockey_stick", ([["1/5", "1/5"], ["1/5", "1/5"]], PLANE, 0), {}),
    ("kernel_renyi", ([[0], [1], [2]], P, [[2], [0], [1]], [P[2], P[0], P[1]]), {"alpha": [0, 2], "regularization": 0}),
    ("kernel_renyi", ([[0], [1]], ["1/3", "2/3"], [[0], [1]], None), {"alpha": 0, "regularization": 0}),
    ("approximate_max_divergence", (P, Q), {"delta": "1/3"}),
    ("smooth_renyi", (P, Q, 0), {"delta": 0}),
    ("smooth_renyi", (P, Q, ALL_ORDERS), {"delta": "1/3"}),
    ("k_cut", (P, Q, lambda p, q, **given: k.renyi(p, q, 0, **given), 2), {}),
    ("restricted_renyi", (P, P, 2, Affine()), POINTS),
    ("restricted_renyi", (*SAME_MEAN, 2, Affine()), POINTS),
    ("restricted_alpha_divergence", (P, P, 3, Affine()), POINTS),
    ("restricted_kl", (P, P, Affine()), POINTS),
    ("approximate_dp_to_delta", (), {"epsilon": "1/3", "delta": 0, "target_epsilon": "1/3"}),
    ("approximate_dp_to_hellinger", (), {"epsilon": 0, "delta": 0}),
    ("approximate_dp_to_total_variation", (), {"epsilon": 0, "delta": 0}),
    ("approximate_dp_to_regularization", (), {"epsilon": "1/2", "delta": 0}),
    ("gdp_to_approximate_dp", (), {"mu": 0, **NOT_BELOW}),
    ("gdp_to_delta", (), {"mu": 0, "epsilon": [0, 1]}),
    ("gdp_to_rdp", (), {"mu": 0, "alpha": 2}),
    ("hellinger_to_approximate_dp", (), {"hellinger": "1/100", **NOT_BELOW}),
    ("hellinger_to_delta", (), {"hellinger": 0, "epsilon": [0, 1]}),
    ("total_variation_to_approximate_dp", (), {"total_variation": "1/3", "delta": "1/3"}),
    ("total_variation_to_delta", (), {"total_variation": 0, "epsilon": [0, 1]}),
    ("kl_to_approximate_dp", (), {"kl": 0, **NOT_BELOW}),
    ("kl_to_delta", (), {"kl": 0, "epsilon": [0, 1]}),
    ("pure_to_rdp", (), {"epsilon": 0, "alpha": ORDERS}),
    ("pure_to_zcdp", (), {"epsilon": 0}),
    ("rdp_to_approximate_dp", (), {"alpha": 2, "epsilon": 0, **NOT_BELOW}),
    ("rdp_to_delta", (), {"alpha": math.inf, "epsilon": "1/3", "target_epsilon": "1/3"}),
    ("rdp_curve_to_approximate_dp", (), {"alpha": [2, 3], "epsilon": [0, 0], **NOT_BELOW}),
    ("zcdp_to_approximate_dp", (), {"rho": "1/100", **NOT_BELOW}),
    ("tcdp_to_approximate_dp", (), {"rho": "1/100", "omega": 5, **NOT_BELOW}),
    ("composition_bound", (), {"epsilon": 0, "delta": "1/2", "k": 1, "total_delta": "1/2"}),
    ("optimal_composition", (), {"epsilon": 0, "delta": "1/2", "k": 2, "total_delta": "3/4"}),
    ("optimal_composition_delta", (), {"epsilon": "1/10", "delta": 0, "k": 3, "total_epsilon": "3/10"}),
    ("heterogeneous_composition", (), {"epsilon": [0, 0], "delta": 0, "total_delta": "1/3", "nonnegative": True}),
    ("heterogeneous_composition_delta", (), {"epsilon": ["1/10", "1/5"], "delta": 0, "total_epsilon": "3/10"}),
]


def test_zero_is_tested_for_all_functions():
    assert {name for name, _, _ in ZEROS} | {"coarsen", "optimal_smoothing", "evaluate"} == {*names("mp")}


@pytest.mark.parametrize("case", ZEROS, ids=lambda case: case[0])
def test_zero_is_no_rounding_noise(case):
    name, args, given = case
    for digits in (5,) if name == "restricted_kl" else (5, 15, 20):
        assert not np.any(getattr(mp, name)(*args, **given, digits=digits))


@pytest.mark.parametrize("case", [case for case in ZEROS if case[1] and case[0] != "restricted_kl"], ids=lambda c: c[0])
def test_zero_is_no_rounding_noise_in_formulas(case):
    name, args, given = case
    assert not np.any(mp.evaluate(FUNCTIONS[name].load(), *args, **given, digits=20))


@pytest.mark.parametrize("digits", [20, 50, 100])
def test_order_zero_of_full_rank_is_zero(digits):
    """- log tr(P_rho sigma) = - log tr sigma, which is 0."""
    assert mp.petz_renyi(MIXED, B, 0, digits=digits) == mp.maximal_renyi(A, B, 0, digits=digits) == 0
    assert mp.petz_renyi(MIXED, [["3/4", "1/4"], ["1/4", "1/5"]], 0, digits=digits) > 0.05


@pytest.mark.parametrize("exponent", [30, 45, 60, 66])
@pytest.mark.parametrize("where", [mp, mp.evaluate], ids=["mp", "evaluate"])
def test_small_values_have_all_their_digits(where, exponent, monkeypatch):
    """With s = 10^-exponent: log(1 + 4 s^2) = 4 s^2 - 8 s^4 + ..., and so on, to 50 digits. Balls prove them."""
    if where is mp:
        monkeypatch.setattr(mp, "at_digits", refuse)
    s = Fraction(1, 10**exponent)
    p, q = [Fraction(1, 2) + s, Fraction(1, 2) - s], ["1/2", "1/2"]
    rho, lacking = [["1/2", s], [s, "1/2"]], [[Fraction(1, 2) - s * s, 0], [0, "1/2"]]
    with mpmath.workdps(70):
        t = mpf(10) ** (-2 * exponent)
        kl, second, lost = 2 * t + 4 * t**2 / 3, 4 * t - 8 * t**2, t + t**2 / 2
    for name, args, want in [
        *(("kl", (p, q), kl), ("renyi", (p, q, 2), second), ("quantum_relative_entropy", (rho, MIXED), kl)),
        *((name, (rho, MIXED, 2), second) for name in ("sandwiched_renyi", "petz_renyi", "maximal_renyi")),
        *((name, (MIXED, lacking, 0), lost) for name in ("sandwiched_renyi", "petz_renyi", "maximal_renyi")),
    ]:
        value = getattr(mp, name)(*args) if where is mp else mp.evaluate(FUNCTIONS[name].load(), *args)
        assert same(value, want, 50), name


def test_zero_is_proved_by_a_narrow_ball_and_not_by_a_wide_one(monkeypatch):
    """Of the value 0, at 20 digits: 10^-92 is the radius for twice 23 digits."""
    monkeypatch.setattr(mp, "at_digits", refuse)
    for radius, taken in (("1e-93", True), ("1e-91", False)):
        monkeypatch.setattr(ball, "renyi", lambda *args, r=radius, **kwargs: arb(0, arb(r)))
        if taken:
            assert mp.renyi(P, Q, 0, digits=20) == 0
        else:
            with pytest.raises(AssertionError, match="a formula was asked"):
                mp.renyi(P, Q, 0, digits=20)


def test_noise_that_does_not_vanish_is_neither_a_value_nor_zero():
    """Two precisions differ by the noise, which falls with the precision only if it is rounding."""

    def noisy(size, falls, arithmetic):
        return arithmetic.power_of_ten(-size - falls * arithmetic.digits) / arithmetic.digits

    assert mp.evaluate(noisy, 0, 1, digits=20) == mp.evaluate(noisy, 50, 1, digits=20) == 0
    for size in (10, 60):
        with pytest.raises(mp.PrecisionError):
            mp.evaluate(noisy, size, 0, digits=20)


def test_a_value_below_the_noise_of_the_first_precisions_is_not_zero():
    def late(arithmetic):
        return arithmetic.power_of_ten(-30) + arithmetic.power_of_ten(47 - arithmetic.digits)

    with mpmath.workdps(40):
        want = mpf(10) ** -30
    assert same(mp.evaluate(late, digits=20), want, 20)


def test_irrational_orders_use_the_formula():
    with mpmath.workdps(40):
        want = mpmath.log(sum(mpf(x) ** mpmath.sqrt(2) / 2 ** (1 - mpmath.sqrt(2)) for x in (0.25, 0.75)))
        value = mp.renyi([0.25, 0.75], [0.5, 0.5], sympy.sqrt(2), digits=30)
        assert same(value, want / (mpmath.sqrt(2) - 1), 30)


@pytest.mark.parametrize("width", ["1e-80", 1])
@pytest.mark.parametrize("wrap", [lambda p: p, lambda p: tuple(p), lambda p: np.array(p, dtype=object)])
def test_balls_with_a_radius_are_rejected_however_narrow(width, wrap):
    with pytest.raises(TypeError, match=r"^p must be"):
        mp.kl(wrap([arb("0.5", arb(width)), arb("0.5")]), ["1/2", "1/2"])
    with pytest.raises(TypeError, match=r"^epsilon must be"):
        mp.pure_to_zcdp(epsilon=arb(1, arb(width)))


def test_functions_of_a_function_use_the_formula():
    """A function may compare its arguments, which is impossible for balls."""
    given = []

    def square(t):
        given.append(t)
        return t * t - 1

    assert same(mp.f_divergence(P, Q, square, digits=20), mp.f_divergence(P, Q, "chi_squared", digits=20), 20)
    assert given and not any(isinstance(t, arb) for t in given)
    assert mp.k_cut(P, Q, k.total_variation, k=2, digits=20) == mp.total_variation(P, Q, digits=20)


def test_brackets_are_brackets():
    given = {"epsilon": [0.5, 0.25], "delta": 0, "total_delta": "1/10"}
    low, high = mp.heterogeneous_composition(**given, digits=20)
    assert low == high
    assert same(mp.evaluate(composition.heterogeneous_composition, **given, digits=20), [low, high], 20)


def test_threads_have_their_own_digits():
    def value(digits):
        return mp.gdp_to_delta(mu=1, epsilon=1, digits=digits)

    wanted = [value(digits) for digits in range(5, 85)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(value, range(5, 85))) == wanted
    assert same(wanted[-1], mp.evaluate(conversions.gdp_to_delta, mu=1, epsilon=1, digits=84), 84)
