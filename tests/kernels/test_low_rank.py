"""Thin factors of Gram matrices, and divergences by them."""

import numpy as np
import pytest

import krdtheory.kernels.low_rank as low_rank
import krdtheory.kernels.renyi as renyi
from krdtheory.kernels import Kernel, kernel_renyi, kernel_renyi_estimate

ORDERS, LAMBDAS = (1.1, 1.5, 2, 3, 4, 6, 8, 12, 16, 40, np.inf), (1e-4, 1e-2, 1.0)


def sample(n, dimension, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, dimension)), rng.normal(0.5, 1.2, (n + 20, dimension))


def entries(kernel, points):
    return lambda columns, rows: kernel.gram(points[rows], points[columns])


@pytest.mark.parametrize("dimension", [1, 2])
def test_the_residual_of_a_factor_is_rounding_and_is_bounded(dimension):
    points, kernel = sample(500, dimension)[0], Kernel("rbf", bandwidth=2.0)
    factor, left = low_rank.low_rank_factor(entries(kernel, points), 500, 250)
    rest = kernel.gram(points) - factor.T @ factor
    assert len(factor) < 250
    assert abs(rest).max() < 1e-14
    assert (abs(np.diag(rest) - left) < 1e-14).all()


@pytest.mark.parametrize(("name", "dimension"), [("rbf", 30), ("laplacian", 2)])
def test_a_rank_that_is_not_low_is_found_from_few_columns(name, dimension):
    points, kernel = sample(500, dimension)[0], Kernel(name, bandwidth=3.0)
    asked = []

    def counted(columns, rows):
        asked.append(len(columns))
        return entries(kernel, points)(columns, rows)

    assert low_rank.low_rank_factor(counted, 500, 125) is None
    assert sum(asked) <= 4 * low_rank.BLOCK  # each column is computed twice


def dense(monkeypatch, *samples, **arguments):
    with monkeypatch.context() as patched:
        patched.setattr(renyi, "SMALLEST_LOW_RANK", 10**9)
        return kernel_renyi_estimate(*samples, **arguments)


@pytest.mark.slow
def test_low_rank_estimates_equal_the_dense_ones_without_a_gram_matrix(monkeypatch):
    x, y = sample(300, 1)
    arguments = {"alpha": ORDERS, "regularization": LAMBDAS, "return_error": True}
    want, dense_error = dense(monkeypatch, x, y, **arguments)
    sizes, gram = [], Kernel.gram

    def watched(self, x, y=None, **options):
        out = gram(self, x, y, **options)
        sizes.append(out.size)
        return out

    monkeypatch.setattr(Kernel, "gram", watched)
    got, error = kernel_renyi_estimate(x, y, **arguments)
    assert max(sizes) <= 620 * low_rank.BLOCK
    assert (abs(got - want) <= 1e-11).all()
    assert (abs(got - want) <= error + dense_error).all()


def test_weights_and_common_points_agree_with_the_dense_form(monkeypatch):
    (x, y), rng = sample(200, 1), np.random.default_rng(1)
    points = np.concatenate([y, x[:50]])
    p, q = rng.random(200), rng.dirichlet(np.ones(len(points)))
    arguments = {"alpha": ORDERS, "regularization": LAMBDAS, "bandwidth": 1.5}
    got = kernel_renyi(x, p, points, q, **arguments)
    monkeypatch.setattr(renyi, "SMALLEST_LOW_RANK", 10**9)
    assert (abs(got - kernel_renyi(x, p, points, q, **arguments)) <= 1e-11).all()


@pytest.mark.slow
def test_the_truncation_error_is_within_its_bound_and_above_rounding(monkeypatch):
    x, y = sample(300, 2)
    arguments = {"alpha": ORDERS, "regularization": LAMBDAS}
    want = dense(monkeypatch, x, y, **arguments)
    monkeypatch.setattr(low_rank, "RESIDUAL", 1e-7)  # deliberately too large
    change = abs(kernel_renyi_estimate(x, y, **arguments) - want)
    problem = renyi._Problem.of(*(renyi.weighted_points(z, None, kernel_of(x, y)) for z in (x, y)), None)
    bound = problem.truncation(*arguments.values())
    assert problem.low_rank is not None
    assert (change <= bound).all()
    assert change.max() > 1e-10  # the bound is needed
    assert (bound < 1e4 * change + 1e-9).mean() > 0.5  # and is not too large


def kernel_of(x, y):
    return renyi.make_kernel("rbf", None, None, x, y)


@pytest.mark.parametrize("alpha", [2, 3, 4, 6, 8, 12, 16, 5, np.inf])
def test_traces_of_powers_are_those_of_eigenvalues(alpha):
    rng = np.random.default_rng(0)
    t = np.exp(rng.normal(0, 3, 12))
    basis = np.linalg.qr(rng.normal(size=(12, 12)))[0]
    got = renyi._log_trace_of_power(renyi.FLOAT64, (basis * t) @ basis.T, alpha)
    want = np.log(t.max()) if alpha == np.inf else np.log((t**alpha).sum()) / (alpha - 1)
    assert got == pytest.approx(want, rel=1e-12)


def test_the_residual_of_a_factor_is_computed_and_not_tracked():
    """With large rounding errors, from an inaccurate matrix."""
    points, kernel = sample(500, 2)[0], Kernel("rbf", bandwidth=2.0)
    noise = np.random.default_rng(0).uniform(-1e-9, 1e-9, (500, 500))
    noisy = kernel.gram(points) * (1 + noise + noise.T)
    np.fill_diagonal(noisy, 1)
    factor, left = low_rank.low_rank_factor(lambda columns, rows: noisy[rows][:, columns], 500, 500)
    true = abs(1 - (factor * factor).sum(0))
    assert abs(left - true).max() < 1e-14 < true.max()


@pytest.mark.parametrize("alpha", [9, 12.5, 1e6, np.inf])
def test_few_eigenvalues_suffice_for_large_orders(alpha):
    """Those that decrease fast; of those that do not, all count, unless only the largest does."""
    t = np.concatenate([2.0 ** -np.arange(40), np.full(560, 1e-6)])
    found = renyi._largest_eigenvalues(renyi.FLOAT64, np.diag(t), alpha)
    assert found is not None and len(found) <= 600 // renyi.KRYLOV
    assert found[-20:][::-1] == pytest.approx(t[:20], abs=1e-14)
    flat = 1 - np.arange(600) / 1000
    if alpha < 100:
        assert renyi._largest_eigenvalues(renyi.FLOAT64, np.diag(flat), alpha) is None
    got = renyi._log_trace_of_power(renyi.FLOAT64, np.diag(flat), alpha)
    want = 0 if alpha == np.inf else np.log((flat**alpha).sum()) / (alpha - 1)
    assert got == pytest.approx(want, abs=1e-13)


def test_many_equal_small_eigenvalues_are_not_forgotten():
    """One of 1 and 767 that together add a thousandth of it to the sum, though a block of them adds little."""
    t = np.append(1.0, np.full(767, (1e-3 / 767) ** (1 / 9)))
    got = renyi._log_trace_of_power(renyi.FLOAT64, np.diag(t), 9)
    assert got == pytest.approx(np.log(1.001) / 8, rel=1e-10)
