"""`return_error` of the estimator should be at least the error, and not much larger; the error is from mpmath.

For small regularisations, mpmath is compared with balls.
"""

import math

import numpy as np
import pytest

from krdtheory import ball, mp
from krdtheory.kernels import kernel_renyi, kernel_renyi_estimate

ORDERS, LAMBDAS = [0.3, 0.9, 1, 2, math.inf], [1e-7, 1e-3, 0.1, 3.0]
ERROR_CASES = ["rbf", "narrow", "wide", "laplacian", "polynomial"]


def samples_of_a_kind(rng, kind):
    """Return two samples of one to three points, with repeated or common points, and a kernel."""
    x, y = (rng.normal(size=(int(rng.integers(1, 4)), 2)).round(2) for _ in "xy")
    relation = rng.integers(3)
    if relation == 0:
        x, y = np.concatenate([x, x[:1], x[:1]]), np.concatenate([y, y])
    elif relation == 1:
        y = np.concatenate([y[:1], x])
    if kind == "polynomial":
        degree, gamma = int(rng.integers(1, 6)), float(10 ** rng.uniform(-2, 1))
        return x, y, {"kernel": kind, "kernel_params": {"degree": degree, "gamma": gamma}}
    width = {"narrow": 0.05, "wide": 50.0}.get(kind, 1.0)
    return x, y, {"kernel": "laplacian" if kind == "laplacian" else "rbf", "bandwidth": width}


@pytest.mark.slow
def test_estimated_errors_are_not_below_the_errors():
    """1000 values of 50 pairs of samples, compared with mpmath with 18 digits.

    The perturbations are random, with a fixed seed; in 2000 values of other seeds no estimate was below the error.
    """
    rng, ratios = np.random.default_rng(5), []
    for i in range(50):
        x, y, options = samples_of_a_kind(rng, ERROR_CASES[i % 5])
        at = {"alpha": ORDERS, "regularization": LAMBDAS, **options}
        value, error = kernel_renyi_estimate(x, y, return_error=True, **at)
        truth = mp.kernel_renyi(x, None, y, None, digits=18, **at)
        off = np.abs((truth - value).astype(float))
        assert (off <= error).all(), (x.tolist(), y.tolist(), options, off / error)
        ratios += list((error / np.maximum(off, 1e-17)).ravel())
    assert len(ratios) == 1000
    assert np.median(ratios) < 1000  # and not so large that they are useless


@pytest.mark.parametrize("order", [0.05, 0.1])
def test_estimated_errors_cover_values_lost_in_float64_at_low_orders(order):
    """Kernel values between points that a narrow kernel separates are below rounding."""
    x, y = np.array([[0.0], [0.3]]), np.array([[0.19], [0.8]])
    at = {"alpha": order, "regularization": 5e-7, "bandwidth": 0.02}
    value, error = kernel_renyi_estimate(x, y, return_error=True, **at)
    truth = float(mp.kernel_renyi(x, None, y, None, digits=20, **at))
    assert abs(truth - value) <= error


@pytest.mark.parametrize("regularization", [1e-40, 1e-120, 1e-250])
def test_regularisations_far_below_the_precision(regularization):
    """mpmath raises its precision until lambda^s times the Gram matrix is resolved; by balls."""
    x, y = [[0.0], [1.0]], [[0.0], [1.0], [2.5]]
    at = {"alpha": 36, "regularization": regularization, "kernel": "laplacian", "bandwidth": 1.5}
    precise = mp.evaluate(kernel_renyi, x, None, y, None, digits=15, **at)
    balls = ball.kernel_renyi(x, None, y, None, digits=15, **at)
    assert float(precise) == pytest.approx(float(balls.mid()), rel=1e-13)
    assert kernel_renyi_estimate(x, y, **at) == pytest.approx(float(balls.mid()), rel=1e-12)
