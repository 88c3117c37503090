"""Interpolants against scipy's binomial distribution and functions whose maxima are known."""

import numpy as np
import pytest
from scipy.stats import binom

from krdtheory.audit.interpolation import Surface, angle, coefficients, growth, largest, nodes, nodes_needed


def missed(trials, ends, k, count):
    """The largest error of the interpolant of P(Bin(trials, sin^2 t) >= k) at so many nodes."""
    t = np.linspace(*ends, 4001)
    found = coefficients(binom.sf(k - 1, trials, np.sin(nodes(*ends, count)) ** 2))
    x = (2 * t - ends[0] - ends[1]) / (ends[1] - ends[0])
    return np.abs(np.polynomial.chebyshev.chebval(x, found) - binom.sf(k - 1, trials, np.sin(t) ** 2)).max()


@pytest.mark.parametrize(
    ("trials", "ends", "k"),
    [(1, (0, np.pi / 2), 1), (40, (0.1, 1.2), 13), (2000, (0.5, 0.8), 700), (10**6, (0.63, 0.64), 350_000)],
)
@pytest.mark.parametrize("error", [1e-3, 1e-8])
def test_as_many_nodes_as_needed(trials, ends, k, error):
    """And a third of them are too few."""
    count = nodes_needed(ends[1] - ends[0], trials, error)
    assert missed(trials, ends, k, count) <= error
    assert missed(trials, ends, k, max(count // 3, 1)) > error


@pytest.mark.parametrize("trials", [1, 7])
def test_probabilities_at_complex_angles_grow_as_said(trials):
    t = np.linspace(0, np.pi / 2, 50) + 1j * np.linspace(0, 2, 50)[:, None]
    modulus = (np.abs(np.sin(t) ** 2) + np.abs(np.cos(t) ** 2)) ** trials
    assert np.allclose(modulus, np.cosh(2 * t.imag) ** trials)


@pytest.mark.parametrize("seed", range(3))
def test_largest_is_an_upper_bound_and_close(seed):
    """The largest value at the nodes is not an upper bound."""
    of = np.random.default_rng(seed).normal(size=12) * 0.8 ** np.arange(12)
    x = np.linspace(-1, 1, 20_001)
    values = np.polynomial.chebyshev.chebval(x, of)
    at = np.polynomial.chebyshev.chebval(nodes(-1, 1, 12), of)
    assert at.max() < values.max() <= largest(at, 1e-9) <= values.max() + 0.003 * np.ptp(values)
    assert largest(at, 0.1) >= values.max()  # without the last coefficients, whose sum is added
    assert largest(np.full(5, 0.25), 1e-9) == pytest.approx(0.25)


@pytest.mark.parametrize("count", [2, 9, 30])
def test_errors_of_values_grow_at_most_as_said(count):
    """The sum of the moduli of the interpolants of single values, which attains the bound within 0.5."""
    single = np.abs(np.polynomial.chebyshev.chebval(np.linspace(-1, 1, 3001), coefficients(np.eye(count), 0))).sum(0)
    assert growth(count) - 0.5 < single.max() <= growth(count)


def test_surface_of_a_product():
    """Points outside the intervals are moved to their ends; what is left out of the coefficients is in the error."""
    p_ends, q_ends = (0.2, 0.9), (0.1, 0.4)
    p, q = (np.sin(nodes(*ends, 30)) ** 2 for ends in (p_ends, q_ends))
    values = np.sqrt(p)[:, None] * q
    points = np.random.default_rng(0).random((2, 200))
    inside = [np.sin(np.clip(angle(x), *ends)) ** 2 for x, ends in zip(points, (p_ends, q_ends), strict=True)]
    exact = np.sqrt(inside[0]) * inside[1]
    fine = Surface.through(values, p_ends, q_ends, 0.0, 1e-12)
    assert fine(*points) == pytest.approx(exact, abs=1e-12)
    coarse = Surface.through(values, p_ends, q_ends, 0.0, 1e-2)
    assert coarse.of.size < 0.5 * fine.of.size
    assert 1e-6 < np.abs(coarse(*points) - exact).max() <= coarse.error <= 1e-2
