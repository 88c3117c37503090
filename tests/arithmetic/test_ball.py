"""Enclosures compared with the exact spectra from which they were built; every error term of the method is needed.

The instances and the mpmath formulas for comparison are those of ``benchmarks/ball.py``, which runs more of them.
"""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from flint import acb, arb, ctx

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


# Eigenvectors of small matrices, as Arb finds them


@pytest.mark.parametrize("gap", ["1e-2", "1e-25", "1e-48", "1e-70", "0"])
@pytest.mark.parametrize("number", [arb, acb])
def test_close_eigenvalues_are_left_to_the_refinement(gap, number):
    """Of U diag(1, 1 + gap, 3) U* with U of 1/3 [[1, 2, 2], [2, 1, -2], [2, -2, 1]], for complex matrices with a turned
    first axis: accepted vectors are the columns of U, and where the eigenvalues are too close none are accepted."""
    with ctx.workprec(208):
        columns = [[1, 2, 2], [2, 1, -2], [2, -2, 1]]
        turn = number(1) if number is arb else acb(3, 4) / 5
        unitary = [[x * (turn if i == 0 else number(1)) / 3 for i, x in enumerate(column)] for column in columns]
        values = [arb(1), 1 + arb(gap), arb(3)]
        entries = [
            sum((v * u[i] * ball.conjugate(u[j]) for v, u in zip(values, unitary, strict=True)), number(0))
            for i in range(3)
            for j in range(3)
        ]
        a = ball.matrix(3, 3, entries).mid()
        found = ball._eigenvectors(a)
        assert (found is not None) == (gap == "1e-2")
        if found is not None:
            overlaps = [
                [abs(sum((ball.conjugate(found[i, k]) * u[i] for i in range(3)), number(0))) for k in range(3)]
                for u in unitary
            ]
            for row in overlaps:
                assert abs(max(x.mid() for x in row) - 1) < arb("1e-55")
                assert sorted(float(x.mid()) for x in row)[1] < 1e-55
        spectrum = ball.Eigen.of(a).spectrum()
        for x, value in zip(spectrum, values, strict=True):
            assert x.overlaps(value) and abs(x - value) < arb("1e-35")


@pytest.mark.parametrize("n", [3, 2 * ball._SMALL])
def test_the_norm_of_a_complex_matrix_counts_both_parts(n):
    """The Frobenius norm of (3 + 4i) times the identity is 5 sqrt(n), however large the matrix is."""
    m = ball.acb_mat(n, n, [acb(3, 4) if i == j else acb(0) for i in range(n) for j in range(n)])
    assert 0 <= float(ball.norm(m)) - 5 * n**0.5 < 1e-13
