"""The table of functions is complete and correct: no function is missing, all exist, and ranges hold."""

import inspect
import math
from types import SimpleNamespace

import numpy as np
import pytest

import krdtheory
from krdtheory import ball, kernels, mp
from krdtheory.divergences import restricted
from krdtheory.privacy import composition, conversions, mechanisms, notions, regions
from krdtheory.table import CLASSES, FUNCTIONS, Function, names

HOMES = {"float64": [krdtheory, kernels, restricted, conversions, composition], "mp": [mp], "ball": [ball]}
NUMBERS = {  # valid values where the ranges are not sufficient
    **{name: [0.5, 0.5] for name in ("p", "q", "weights", "p_weights", "q_weights")},
    **{name: [[1.0, 0.0], [0.0, 1.0]] for name in ("rho", "sigma", "p_points", "q_points", "x", "y")},
    "alpha": 2.0,
    "epsilon": 0.5,
    "delta": 0.25,
    "k": 2,
    "kl": 0.5,
    "hellinger": 0.25,
    "total_variation": 0.25,
    "mu": 1.0,
    "omega": 2.0,
    "regularization": 0.5,
    "target_epsilon": 0.5,
    "xi": 0.5,
    "cells": [0, 0],
    "total_delta": 0.5,
    "total_epsilon": 0.5,
    "divergence": krdtheory.kl,
    "function_class": restricted.Affine(),
}
WHERE = {  # and where others are valid
    "zcdp_to_approximate_dp": {"rho": 0.5},
    "tcdp_to_approximate_dp": {"rho": 0.5},
    "rdp_curve_to_approximate_dp": {"alpha": [2.0], "epsilon": [0.5]},
    "heterogeneous_composition": {"epsilon": [0.5]},
    "heterogeneous_composition_delta": {"epsilon": [0.5]},
    "optimal_composition_delta": {"total_epsilon": 1e9},  # above the losses of 10^9 mechanisms, so it is fast
}
RANGES = [(name, argument) for name, function in FUNCTIONS.items() for argument in function.ranges]


def functions(modules):
    """Return the names of the functions that modules export."""
    exported = [(name, getattr(module, name)) for module in modules for name in module.__all__]
    return {name for name, x in exported if callable(x) and not inspect.isclass(x)}


def unlisted(system, modules):
    """Return names exported by a number system but not in the table, and vice versa."""
    return functions(modules) ^ {*names(system)}


@pytest.mark.parametrize("system", HOMES)
def test_the_table_has_exactly_the_public_functions(system):
    assert unlisted(system, HOMES[system]) == set()


def test_a_function_without_a_row_is_noticed():
    more = SimpleNamespace(__all__=["novel"], novel=lambda p, q: 0)
    assert unlisted("mp", [mp, more]) == {"novel"}


def test_a_row_without_a_function_is_noticed():
    fewer = SimpleNamespace(**{name: getattr(ball, name) for name in ball.__all__ if name != "kl"})
    fewer.__all__ = [name for name in ball.__all__ if name != "kl"]
    assert unlisted("ball", [fewer]) == {"kl"}
    with pytest.raises(AttributeError):
        Function("novel", "krdtheory.divergences.classical", "", ("float64",), False, {}).load()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rows_agree_with_signatures(name):
    """Functions of mpmath take `arithmetic`, those that decide ranks `support_tol`, and ranges are of arguments."""
    function = FUNCTIONS[name]
    taken = inspect.signature(function.load()).parameters
    if "float64" in function.systems:
        assert ("mp" in function.systems) <= ("arithmetic" in taken)
        assert function.load() in {getattr(m, name, None) for m in HOMES["float64"]}
    assert function.ranks <= ("support_tol" in taken) and function.ranges.keys() <= taken.keys()
    assert function.formula


def test_classes_that_compute_are_in_the_table():
    records = {"Implication"}
    for module in (mechanisms, notions, regions, kernels):
        found = {
            name
            for name in getattr(module, "__all__", vars(module))
            if inspect.isclass(x := getattr(module, name)) and x.__module__.startswith(module.__name__)
            if not (inspect.isabstract(x) or name in records or name[0] == "_")
        }
        assert found == {*CLASSES[module.__name__]}


def refused(function, argument, value):
    """Return whether float64 rejects a value of an argument, with valid other arguments."""
    given = NUMBERS | WHERE.get(function.name, {})
    parameters = inspect.signature(function.load()).parameters.values()
    call = {p.name: given[p.name] for p in parameters if p.default is p.empty} | {argument: value}
    try:
        function.load()(**call)
    except (ValueError, TypeError) as error:
        assert argument in str(error)
        return True
    return False


def departures(function, argument):
    """Return where a function does not respect the range of an argument."""
    text = function.ranges[argument]
    for bracket, end, side in ((text[0], text[1:-1].split(", ")[0], -1), (text[-1], text[1:-1].split(", ")[1], 1)):
        x = float(end)
        value = int(x) if argument == "k" and math.isfinite(x) else x
        if refused(function, argument, value) == (bracket in "[]"):
            yield f"at {end}"
        beyond = value + side if argument == "k" else np.nextafter(x, side * math.inf)
        if math.isfinite(x) and not refused(function, argument, beyond):
            yield f"beyond {end}"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "argument"), RANGES)
def test_ranges_hold(name, argument):
    assert list(departures(FUNCTIONS[name], argument)) == []


@pytest.mark.parametrize("text", ["(0, inf]", "[0, inf)", "[1, inf]", "[-1, inf]", "[0, 5]"])
def test_another_range_is_noticed(text):
    assert list(departures(Function("renyi", FUNCTIONS["renyi"].module, "", (), False, {"alpha": text}), "alpha"))
