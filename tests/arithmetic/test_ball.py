"""Enclosures compared with the exact spectra from which they were built; every error term of the method is needed.

The instances and the mpmath formulas for comparison are those of ``benchmarks/ball.py``, which runs more of them.
"""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from flint import arb, ctx

from krdtheory.arithmetic import ball
from krdtheory.ball import quantum

_spec = importlib.util.spec_from_file_location("ball_benchmark", Path(__file__).parents[2] / "benchmarks" / "ball.py")
bench = importlib.util.module_from_spec(_spec)
sys.modules["ball_benchmark"] = bench
_spec.loader.exec_module(bench)


@pytest.fixture(autouse=True)
def precision_is_left_alone():
    before = ctx.prec
    yield
    assert ctx.prec == before


# Soundness


@pytest.mark.slow
def test_enclosures_contain_the_value():
    """There are no misses, all values are certified, and half the errors exceed 1/500 of their radius."""
    ratios = [ratio for _, ratio in bench.soundness(450, seed=0)]
    assert all(ratio <= 1 for ratio in ratios)  # false for NaN
    assert np.median(ratios) > 1 / 500


def rank_by_size(matrix):
    return sum(x > 1e-8 for x in ball.Eigen.of(matrix.at_precision()).values)


MUTANTS = {
    "eta": (ball, "_eta", lambda *terms: arb(0)),
    "residual": (ball, "_residual", lambda m, values: arb(0)),
    "orthogonality defect": (ball, "_defect", lambda gram: arb(0)),
    "W in place of V": (ball, "_rotation", lambda delta: arb(0)),
    "Lipschitz factor of powers": (ball.Power, "slope", lambda self, low, high, zero: arb(1)),
    "Lipschitz factor of log": (ball.Log, "slope", lambda self, low, high, zero: arb(1)),
    "error of f(A)": (ball.Function, "move", lambda self, eta, low, high, zero: arb(0)),
    "rank": (ball.Matrix, "rank", property(lambda self: self.size)),
    "rank by size": (ball.Matrix, "rank", property(lambda self: rank_by_size(self))),
    "rank, one less": (ball.Matrix, "rank", property(lambda self: max(self.exact.rank() - 1, 1))),
    "support": (quantum.OperatorPair, "included", lambda self: True),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_every_error_term_is_noticed(name, monkeypatch):
    """Without an error term, one of the same 450 instances misses its value, or is not certified."""
    owner, attribute, broken = MUTANTS[name]
    monkeypatch.setattr(owner, attribute, broken)
    noticed = (not bench.soundness_of(i, attempts=5) <= 1 for i in range(450))
    assert any(noticed)
