"""Every public function at extreme valid inputs; the sweep reports functions that are wrong there.

A part of `benchmarks/sweep.py` with a fixed seed, so the result is the same in every run.
"""

import importlib.util
import io
import math
import re
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flint import arb
from rich.console import Console

from krdtheory import ball, divergences
from krdtheory.table import Function

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))  # as when the benchmark is run
_spec = importlib.util.spec_from_file_location("sweep", BENCHMARKS / "sweep.py")
sweep = importlib.util.module_from_spec(_spec)
sys.modules["sweep"] = sweep
_spec.loader.exec_module(sweep)
from extremes import functions, properties  # noqa: E402
from extremes.properties import Entry, examine  # noqa: E402

sys.path.remove(str(BENCHMARKS))
ENTRIES = functions.entries()
INPUTS, SLOW = 3, r"implies|covering|includes|restricted|k?l_to_delta|rdp_to_delta|cdp_to|bound$"  # 1 for slow ones


def test_every_public_function_has_an_entry():
    assert functions.public() - functions.covered(ENTRIES) == set()
    assert functions.covered(ENTRIES) - functions.public() == set()
    assert len(functions.public()) > 250


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({e.name for e in ENTRIES}))
def test_extreme_inputs(name):
    chosen = [e for e in ENTRIES if e.name == name]
    count = 1 if re.search(SLOW, name) else INPUTS
    outcomes = list(sweep.sweep(chosen, range(count), oracle_share=0.5, patience=0.2))
    assert [(f.what, f.arguments) for o in outcomes for f in o.findings] == []


# Similar functions that are wrong


RENYI = next(e for e in ENTRIES if e.name == "renyi" and e.rises)


def altered(change):
    """Return the Renyi divergence of distributions with a changed value."""

    def call(p, q, alpha):
        return change(divergences.renyi(p, q, alpha), alpha)

    return replace(RENYI, call=call)


def nan_at_large_orders(value, alpha):
    return math.nan if alpha > 1e6 else value


def one_digit_off(value, alpha):
    return value * (1 + 1e-11)


def falls(value, alpha):
    return value / max(1, min(alpha, 1e10)) ** 0.01


def below_zero(value, alpha):
    return value - 1e-9


def minus_zero(value, alpha):
    return -0.0 if value == 0 else value


def infinite_too_early(value, alpha):
    return math.inf if value > 100 else value


def warns(value, alpha):
    return value + 0 * np.log(np.float64(alpha > 0) - 1 + (alpha < 1e9))


def refuses_without_words(value, alpha):
    if alpha > 100:
        raise ValueError("no")
    return value


def breaks(value, alpha):
    return value if alpha < 1e100 else {}[alpha]


WRONG = {
    nan_at_large_orders: "is NaN",
    one_digit_off: "ball",
    below_zero: "outside",
    minus_zero: "is -0.0",
    infinite_too_early: "ball",
    warns: "warns: ",
    refuses_without_words: "refuses a legal input: no",
    breaks: "raises KeyError",
}


def what_is_found(entry, count=40, share=1.0):
    return [f.what for seed in range(count) for f in examine(entry, seed, oracle_share=share).findings]


@pytest.mark.slow
@pytest.mark.parametrize("change", WRONG, ids=lambda f: f.__name__)
def test_wrong_functions_are_found(change):
    assert any(WRONG[change] in what for what in what_is_found(altered(change)))


@pytest.mark.slow
def test_monotonicity_is_found_without_balls():
    """For a function that no other number system has."""
    entry = replace(altered(falls), oracles={})
    found = what_is_found(entry, 200)
    assert found and all("in alpha" in what for what in found)
    assert what_is_found(replace(RENYI, oracles={}), 200) == []


def test_known_messages_are_not_findings():
    entry = altered(refuses_without_words)
    assert not any("refuses" in what for what in what_is_found(replace(entry, refuses="^no$"), share=0))


@pytest.mark.slow
def test_balls_that_are_wrong_are_found():
    def shifted(p, q, alpha, digits):
        return ball.renyi(p, q, alpha, digits=digits) * (1 + arb("1e-9"))

    assert any("ball" in what for what in what_is_found(replace(RENYI, oracles={"ball": shifted})))


def test_rounded_inputs_explain_only_the_error_that_they_cause():
    """The difference of two close numbers is accurate up to their rounding; its square root is not."""

    def source(rng):
        x = 1 + 0.5 * rng.random()
        return {"x": x, "y": x * (1 + 1e-9 * rng.random())}

    def in_balls(x, y, digits):
        return arb(y) - arb(x)

    # y and x are rounded in the call, by half an ulp and by a thousand
    careful = Entry("careful", lambda x, y: y * (1 + 2e-16) - x, source, oracles={"ball": in_balls})
    careless = Entry("careless", lambda x, y: y * (1 + 1e-13) - x, source, oracles={"ball": in_balls})
    assert what_is_found(careful) == []
    assert len(what_is_found(careless)) >= 38


def test_a_function_without_an_entry_is_found(monkeypatch):
    assert functions.public() <= functions.covered(ENTRIES)
    law = type("Law", (), {"density": lambda self: 1, "_inner": lambda self: 2})
    forgotten = Function("forgotten", "krdtheory.privacy.notions", "", ("float64", "ball"), False, {})
    monkeypatch.setitem(functions.FUNCTIONS, "forgotten", forgotten)
    monkeypatch.setitem(functions.CLASSES, "krdtheory.privacy.regions", ("Law",))
    monkeypatch.setattr(functions.MODULES["regions"], "Law", law, raising=False)
    missing = functions.public() - functions.covered(ENTRIES)
    assert missing == {"notions.forgotten", "ball.forgotten", "regions.Law.density"}


@pytest.mark.slow
def test_slow_functions_get_fewer_inputs(monkeypatch):
    def slow(p, q, alpha):
        start = time.process_time()
        while time.process_time() - start < 0.1:
            sum(range(10_000))  # CPU time of the process, which is limited, not of the system
        return divergences.renyi(p, q, alpha)

    entry = replace(RENYI, call=slow, oracles={}, rises={}, falls={})
    assert len(list(sweep.sweep([entry], range(9), seconds=0.15))) == 2
    assert len(list(sweep.sweep([replace(entry, call=RENYI.call)], range(9), seconds=5))) == 9
    monkeypatch.setattr(properties, "LIMIT", 0.05)
    assert examine(entry, 0).late == 1 and examine(RENYI, 0, oracle_share=0).late == 0


def test_report_counts_and_fails():
    out = Console(file=io.StringIO(), width=200)
    wrong = altered(below_zero)
    assert sweep.report(sweep.sweep([wrong], range(3), oracle_share=0), [], out) == 1
    assert "3 inputs to 1 functions" in out.file.getvalue() and "outside" in out.file.getvalue()
    quiet = Console(file=io.StringIO(), width=200)
    assert sweep.report(sweep.sweep([RENYI], range(3), oracle_share=0), [], quiet) == 0
    assert sweep.report(sweep.sweep([RENYI], range(3), oracle_share=0), ["forgotten"], quiet) == 1
    assert "forgotten: no entry" in quiet.file.getvalue()
