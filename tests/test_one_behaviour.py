"""float64, mpmath and balls accept and reject the same inputs, with the same messages, for all common functions.

The rule is that of `krdtheory.arithmetic.exact`. Each argument of each function is replaced by a value of the wrong
kind or range, and the other arguments are valid.
"""

import inspect
import math
import re
from decimal import Decimal

import mpmath
import numpy as np
import pytest
import sympy
from flint import acb, arb

import krdtheory as k
from krdtheory import ball, mp
from krdtheory.table import EVERY, FUNCTIONS, names

P, Q, ID = [0.5, 0.5], [0.25, 0.75], [[1.0, 0.0], [0.0, 1.0]]
GOOD = (
    {"p": P, "q": Q, "rho": ID, "sigma": ID, "alpha": 2.0, "regularization": 0.5, "epsilon": 0.5, "delta": 0.25}
    | {"target_epsilon": 0.5, "mu": 1.0, "omega": 2.0, "kl": 0.5, "hellinger": 0.25, "k": 2, "total_variation": 0.25}
    | {"total_delta": 0.5, "total_epsilon": 0.5, "weights": P, "cells": [0, 1], "f": "kl", "divergence": k.kl}
    | {"p_points": [[0.0]], "q_points": [[1.0]], "p_weights": [1.0], "q_weights": [1.0]}
)
VECTORS, MATRICES = {"p", "q", "weights", "p_weights", "q_weights"}, {"rho", "sigma"}
NUMBERS = {
    *("alpha", "regularization", "epsilon", "delta", "target_epsilon", "mu", "omega", "kl", "hellinger", "xi"),
    *("total_variation", "total_delta", "total_epsilon"),
}
FLOAT64 = {name: FUNCTIONS[name].load() for name in names("float64")}
COMMON = sorted(name for name, f in FUNCTIONS.items() if f.systems == EVERY and not name.startswith("restricted"))
NOT_HELD = "an array of int"  # the message of float64 for kinds that it would round


def legal(name):
    """Return valid arguments of a function."""
    given = {}
    for argument, parameter in inspect.signature(FLOAT64[name]).parameters.items():
        if argument == "rho" and parameter.kind is parameter.KEYWORD_ONLY:
            given[argument] = 0.5
        elif parameter.default is parameter.empty or argument in ("regularization", "xi"):
            given[argument] = GOOD.get(argument, 0.5)
    if name.startswith("heterogeneous"):
        given |= {"epsilon": [0.5, 0.25], "delta": [0.25, 0.0]}
    if "curve" in name:
        given |= {"alpha": [2.0, 3.0], "epsilon": [0.5, 0.75]}
    return given | ({"kernel": "identity"} if name == "kernel_renyi" else {})


def outcome(system, name, given):
    """Return "value", or the type of the error and its message up to the value that it shows."""
    function = FLOAT64[name] if system is k else getattr(system, name)
    more = {} if system is k else {"digits": 10}
    try:
        function(**given, **more)
    except (ValueError, TypeError) as error:
        return type(error), re.sub(r"[;(,].*", "", str(error)).strip()
    return "value"


def bad_numbers():
    return {
        "NaN": math.nan,
        "minus infinity": -math.inf,
        "complex": 1 + 0j,
        "complex64": np.complex64(0.5),
        "imaginary": 0.5j,
        "complexes": np.array([0.5, 0.5], dtype=complex),
        "boolean": True,
        "None": None,
        "a word": "abc",
        "a list in a list": [[0.5], [0.5, 0.5]],
        "masked": np.ma.masked_array([0.5, 0.5], [False, True]),
        "negative": -1.0,
    }


def bad_vectors():
    return {
        "NaN": [math.nan, 1.0],
        "infinity": [math.inf, 1.0],
        "negative": [-1e-300, 1.0],
        "complex64": np.array(P, dtype=np.complex64),
        "complex": [0.5 + 0j, 0.5],
        "booleans": [True, False],
        "None": [None, 0.5],
        "words": ["a", "b"],
        "ragged": [[0.5, 0.5], [1.0]],
        "masked": np.ma.masked_array([0.5, 0.5], [False, True]),
        "a number": 0.5,
        "none": [],
    }


def bad_matrices():
    masked = np.ma.masked_array(np.eye(2), [[0, 1], [0, 0]])
    return {
        "NaN": [[math.nan, 0.0], [0.0, 1.0]],
        "infinity": [[math.inf, 0.0], [0.0, 1.0]],
        "booleans": [[True, False], [False, True]],
        "None": None,
        "a vector": P,
        "not square": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        "ragged": [[1.0, 0.0], [1.0]],
        "masked": masked,
        "larger": np.eye(3),
        "words": [["a", "b"], ["c", "d"]],
    }


def cases(name):
    given = legal(name)
    for argument, value in given.items():
        number = argument in NUMBERS or (argument == "rho" and not isinstance(value, list))
        kinds = (
            bad_numbers() if number else bad_vectors() if argument in VECTORS
            else bad_matrices() if argument in MATRICES else {}
        )  # fmt: skip
        for kind, bad in kinds.items():
            yield f"{argument} {kind}", given | {argument: bad}


def alike(float64, exact):
    """Return whether the messages are equal, except that of float64 for kinds that it would round."""
    if float64 == exact:
        return True
    if "value" in (float64, exact):
        return False
    held = NOT_HELD not in float64[1] and "of numbers, and a boolean" not in float64[1]
    return not held and float64[1].split(" must ")[0] == exact[1].split(" must ")[0]


SEARCHES = {"composition_bound", "tcdp_to_approximate_dp", "zcdp_to_approximate_dp"}  # takes seconds in mpmath


@pytest.mark.slow
def test_valid_input_is_accepted():
    assert len(COMMON) > 40
    taken = {(name, s) for name in COMMON for s in (k, mp, ball) if s is not mp or name not in SEARCHES}
    assert {(name, s.__name__) for name, s in taken if outcome(s, name, legal(name)) != "value"} == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMON)
def test_rejected_with_the_same_message(name):
    different = {}
    for case, given in cases(name):
        float64, precise, balls = (outcome(system, name, given) for system in (k, mp, ball))
        if precise != balls or not alike(float64, precise):
            different[case] = (float64, precise, balls)
    assert different == {}


# Accepted input


INFINITIES = [
    *(math.inf, np.float64("inf"), np.float32("inf"), Decimal("inf"), mpmath.inf, sympy.oo, arb.pos_inf()),
    *("inf", "+inf", " Inf ", "Infinity"),
]


@pytest.mark.parametrize("infinity", INFINITIES, ids=repr)
def test_infinities_of_every_kind_and_as_strings(infinity):
    assert mp.renyi(P, Q, infinity, digits=10) == mp.max_divergence(P, Q, digits=10)
    assert ball.renyi(P, Q, infinity, digits=10).overlaps(ball.max_divergence(P, Q, digits=10))
    assert mp.hockey_stick(P, Q, infinity, digits=10) == 0 == ball.hockey_stick(P, Q, infinity, digits=10)
    for system in (mp, ball):
        with pytest.raises(ValueError, match=r"regularization must be finite and >= 0"):
            system.trace_distance(ID, ID, infinity)
        with pytest.raises(ValueError, match=r"^p must be finite; got"):
            system.kl([infinity, 1], Q)


def test_nans_of_every_kind_are_rejected():
    for nan in (math.nan, np.float32("nan"), Decimal("nan"), mpmath.nan, sympy.nan, arb.nan(), "nan"):
        for system in (mp, ball):
            with pytest.raises(ValueError, match=r"^alpha must be in \[0, inf\]; got"):
                system.renyi(P, Q, nan)


@pytest.mark.parametrize("kind", [complex, np.complex64, np.complex128, mpmath.mpc, acb])
def test_complex_numbers_are_not_real(kind):
    for system in (mp, ball):
        for call in (lambda s: s.renyi(P, Q, kind(2)), lambda s: s.kl([kind(0.5), 0.5], Q)):
            with pytest.raises(TypeError, match=r"^(alpha|p) must be real; got"):
                call(system)
        system.trace_distance([[kind(1), 0], [0, 1]], ID)


@pytest.mark.parametrize(
    "x",
    [sympy.sqrt(2) / 2, sympy.pi / 4, 1 / sympy.E, sympy.exp(-sympy.sqrt(3)), sympy.log(2), sympy.root(3, 5) / 2],
    ids=str,
)
def test_irrational_numbers_of_sympy(x):
    """They are evaluated as by mpmath: log(x / y) x + ..."""
    p, exact = [x, 1 - x], sympy.N(x * sympy.log(2 * x) + (1 - x) * sympy.log(2 - 2 * x), 60)
    value = ball.kl(p, [0.5, 0.5], digits=40)
    assert value.overlaps(arb(str(exact), "1e-50")) and value.rad() < 1e-40
    assert abs(mp.kl(p, [0.5, 0.5], digits=40) - mpmath.mpf(str(exact))) < 1e-14
    off = [[x, x * sympy.I / 3], [-x * sympy.I / 3, 1]]
    assert ball.trace_distance(off, ID).overlaps(arb(str(mp.trace_distance(off, ID, digits=40)), "1e-35"))
    for wrong in (-x, sympy.Symbol("x"), sympy.gamma(x), x * sympy.I):
        with pytest.raises((ValueError, TypeError), match=r"^p must be"):
            ball.kl([wrong, 1], Q)
    with pytest.raises(TypeError, match="alpha must be rational or inf"):
        ball.renyi(P, Q, x)


# Similar functions that differ


def test_differences_are_noticed():
    words = (ValueError, "alpha must be in [0")
    assert alike(words, words) and alike((TypeError, f"p must be {NOT_HELD}"), (ValueError, "p must be finite numbers"))
    assert not alike(words, (TypeError, words[1])) and not alike(words, (ValueError, "alpha must be finite numbers"))
    assert not alike(words, "value") and not alike("value", words)
    assert not alike((TypeError, f"p must be {NOT_HELD}"), (ValueError, "q must be finite numbers"))


def test_wide_balls_are_rejected_by_mpmath():
    """They are rejected, and not silently replaced by their midpoint."""
    assert mp.renyi([arb("0.5"), 0.5], Q, 2, digits=10) == mp.renyi(P, Q, 2, digits=10)
    for wide in (arb("0.5", 0.25), acb(arb("0.5", 0.25))):
        with pytest.raises(TypeError, match=r"^p must be"):
            mp.renyi([wide, 0.5], Q, 2)
