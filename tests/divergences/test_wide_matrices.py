"""Quantum divergences of matrices with eigenvalues over the whole range of floats, compared with 40 digits."""

import math

import mpmath
import numpy as np
import pytest

import krdtheory as k

WIDE_ORDERS = [0, 0.05, 0.5, 1, 2, 5, math.inf]


@pytest.mark.slow
@pytest.mark.parametrize("alpha", WIDE_ORDERS)
@pytest.mark.parametrize("dtype", [float, complex])
def test_maximal_divergence_of_wide_diagonals(alpha, dtype):
    """It is the classical one, for eigenvalues that differ by 150 orders of magnitude."""
    rng = np.random.default_rng(3)
    for _ in range(30):
        n = int(rng.integers(2, 5))
        p, q = 10.0 ** rng.uniform(-150, 0, n), 10.0 ** rng.uniform(-150, 0, n)
        value = k.maximal_renyi(np.diag(p).astype(dtype), np.diag(q), alpha)
        assert value == pytest.approx(k.renyi(p, q, alpha), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("alpha", WIDE_ORDERS)
@pytest.mark.parametrize("phase", [1, 1j])
def test_maximal_divergence_from_a_graded_reference(alpha, phase):
    """A full-rank state, real or complex, relative to eigenvalues over 40 orders of magnitude, compared with balls."""
    rho = np.array([[2, phase, 0.5], [np.conj(phase), 1, 0], [0.5, 0, 1]])
    for sigma in (np.diag([1, 1e-20, 1e-40]), np.diag([1e-40, 1.0, 1e-15]), np.diag([1e-30, 1e-30, 1.0])):
        value = k.maximal_renyi(rho, sigma, alpha)
        assert value == pytest.approx(float(k.ball.maximal_renyi(rho, sigma, alpha, digits=15).mid()), rel=1e-12)


def test_the_wide_pair_that_was_wrong():
    rho, sigma = np.diag([1.4e-103, 3.8e-40, 7.6e-82]), np.diag([2.4e-38, 5.2e-149, 4.3e-109])
    with mpmath.workdps(30):
        total = sum(
            mpmath.sqrt(mpmath.mpf(a) * b) for a, b in zip(np.diag(rho).tolist(), np.diag(sigma).tolist(), strict=True)
        )
        want = -2 * mpmath.log(total / sum(map(mpmath.mpf, np.diag(rho).tolist())))
    assert k.maximal_renyi(rho, sigma, 0.5) == pytest.approx(float(want), rel=1e-13)


@pytest.mark.parametrize("alpha", [5e-324, 1e-310, 1e-300])
def test_the_smallest_orders_are_order_zero(alpha):
    rho, sigma = np.array([[2.0, 1.0], [1.0, 1.0]]), np.diag([0.25, 0.75])
    assert k.sandwiched_renyi(rho, sigma, alpha) == k.sandwiched_renyi(rho, sigma, 0)


def test_regularisations_at_the_end_of_the_floats():
    top = np.finfo(float).max
    assert k.trace_distance(np.eye(3), np.eye(3), top) == np.inf
    assert k.quantum_hockey_stick(np.eye(2), 1e20 * np.eye(2), -1e300, top) == 2


def test_a_subnormal_reference_causes_no_warning():
    rho, sigma = np.diag([1.0, 1e-199, 4e52]), np.diag([0.0, 6.2e-321, 0.0])
    for divergence in (k.sandwiched_renyi, k.petz_renyi, k.maximal_renyi):
        value = divergence(rho, sigma, 0.5)
        assert value == pytest.approx(k.renyi(np.diag(rho), np.diag(sigma), 0.5), rel=1e-12)


@pytest.mark.parametrize("alpha", [1, 2, 1e47, math.inf])
def test_mass_outside_the_support_counts_however_small(alpha):
    rho, sigma = np.diag([1.0, 3.5e-96, 0.0]), np.diag([2e88, 0.0, 1.3e88])
    for divergence in (k.sandwiched_renyi, k.petz_renyi, k.maximal_renyi):
        assert divergence(rho, sigma, alpha) == math.inf
        assert divergence(np.diag([1.0, 0.0, 0.0]), sigma, alpha) == pytest.approx(-math.log(2e88), rel=1e-14)
