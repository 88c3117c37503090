"""The kernel Renyi divergence compared with operators in feature space, closed forms, the paper's formula, and
300-bit arithmetic. No expected value shares code with what it tests, except the median bandwidth of a sample.
"""

import itertools
import json
import math
from functools import partial
from pathlib import Path

import flint
import numpy as np
import pytest
from scipy.linalg.lapack import dpstrf

import krdtheory.kernels.renyi as renyi_module
from krdtheory import mp
from krdtheory.arithmetic import FLOAT64
from krdtheory.kernels import Kernel, kernel_renyi, kernel_renyi_estimate, median_bandwidth

INF = math.inf
ORDERS = [0.5, 0.7, 0.97, 1, 1.01, 1.5, 2, 3, 12, INF]


def power(matrix, s):
    """Return the power of a positive definite matrix, or on the support for s > 0."""
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * np.maximum(values, 0) ** s) @ vectors.T


def log(matrix):
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * np.log(np.maximum(values, 1e-300))) @ vectors.T


def literal(rho, b, alpha):
    """Return D_alpha(rho || b) by the definition; b is positive definite and tr rho = 1."""
    if alpha == 1:
        return np.trace(rho @ (log(rho) - log(b)))
    if alpha == INF:
        root = power(b, -0.5)
        return math.log(np.linalg.eigvalsh(root @ rho @ root)[-1])
    root = power(b, (1 - alpha) / (2 * alpha))
    return math.log(np.trace(power(root @ rho @ root, alpha))) / (alpha - 1)


def noise(alpha):
    """Return the effect of rounding noise on the definition if rho is singular: 20 eps^alpha for alpha < 1."""
    return 1e-11 + 20 * np.finfo(float).eps ** min(alpha, 1)


def operators(features, p, q):
    return features.T @ (p[:, None] * features), features.T @ (q[:, None] * features)


def weights(rng, n):
    w = rng.random(n)
    return w / w.sum()


def rbf(x, y, bandwidth):
    return np.array([[math.exp(-(math.dist(u, v) ** 2) / bandwidth**2) for v in y] for u in x])


# Definitions in feature space


@pytest.mark.parametrize("n, m", [(6, 6), (3, 8), (9, 2), (1, 1), (1, 5), (5, 1), (30, 40)])
@pytest.mark.parametrize("lam", [1e-3, 0.1, 7.0])
def test_polynomial_kernel_is_its_feature_map(n, m, lam):
    """k = (x.y + 1/2)^2 is the inner product of z (x) z, z = (x, sqrt(1/2)). Grams of over 6 points are singular."""
    rng = np.random.default_rng(n + 10 * m)
    x, y = rng.normal(size=(n, 2)), rng.normal(size=(m, 2))
    p, q = weights(rng, n), weights(rng, m)
    z = np.column_stack([np.concatenate([x, y]), np.full(n + m, math.sqrt(0.5))])
    z /= np.linalg.norm(z, axis=1)[:, None]
    features = np.einsum("ni,nj->nij", z, z).reshape(n + m, 9)
    rho, sigma = operators(features, np.r_[p, np.zeros(m)], np.r_[np.zeros(n), q])
    value = kernel_renyi(
        x,
        p,
        y,
        q,
        alpha=ORDERS,
        regularization=lam,
        kernel="polynomial",
        kernel_params={"degree": 2, "gamma": 1, "coef0": 0.5},
    )
    expected = [literal(rho, sigma + lam * np.eye(9), a) for a in ORDERS]
    assert (np.abs(value - expected) <= [noise(a) for a in ORDERS]).all()


@pytest.mark.parametrize("n, m", [(5, 5), (2, 6), (6, 3)])
@pytest.mark.parametrize("lam", [1e-6, 1e-2, 1.0])
def test_rbf_kernel_is_any_factor_of_its_gram(n, m, lam):
    rng = np.random.default_rng(0)
    x, y = 2 * rng.normal(size=(n, 3)), 2 * rng.normal(size=(m, 3))
    y[0] = x[1]
    p, q = weights(rng, n), weights(rng, m)
    kept = [*x, *y[1:]]
    w, v = np.r_[p, np.zeros(m - 1)], np.r_[np.zeros(n), q[1:]]
    v[1] = q[0]
    values, vectors = np.linalg.eigh(rbf(kept, kept, 1.5))
    features = vectors * np.sqrt(np.maximum(values, 0))
    rho, sigma = operators(features, w, v)
    expected = [literal(rho, sigma + lam * np.eye(len(kept)), a) for a in ORDERS]
    value = kernel_renyi(x, p, y, q, alpha=ORDERS, regularization=lam, bandwidth=1.5)
    assert (np.abs(value - expected) <= [noise(a) + 1e-14 / lam for a in ORDERS]).all()


def test_callable_over_strings():
    def suffix(s, t):  # number of common suffixes, including the empty one
        return 1 + sum(s[-k:] == t[-k:] for k in range(1, min(len(s), len(t)) + 1))

    words = ["tion", "station", "ion", "cat", "at"]
    gram = np.array([[suffix(s, t) / math.sqrt(suffix(s, s) * suffix(t, t)) for t in words] for s in words])
    values, vectors = np.linalg.eigh(gram)
    features = vectors * np.sqrt(values)
    rho, sigma = operators(features, np.array([0.5, 0.5, 0, 0, 0]), np.array([0, 0, 0.25, 0.25, 0.5]))
    b, half = sigma + 0.05 * np.eye(5), features[:2] / math.sqrt(2)  # rho = half^T half

    def on_the_support(a):
        """Return the definition with nonzero eigenvalues only, since order 0.7 amplifies rounding errors of zeros."""
        return math.log((np.linalg.eigvalsh(half @ power(b, (1 - a) / a) @ half.T) ** a).sum()) / (a - 1)

    for a in (0.7, 1, 2, INF):
        value = kernel_renyi(
            words[:2], None, words[2:], [1 / 4, 1 / 4, 1 / 2], alpha=a, regularization=0.05, kernel=suffix
        )
        expected = on_the_support(a) if a < 1 else literal(rho, b, a)
        assert value == pytest.approx(expected, rel=0, abs=1e-12)


def proposition_8(x, y, bandwidth, alpha, lam):
    """Return the printed formula, with the exponent of the last display inside the trace, and K_p / n, K_q / m."""
    n, m = len(x), len(y)
    gram = rbf([*x, *y], [*x, *y], bandwidth)
    of_p, of_q = gram.copy(), gram.copy()
    of_p[n:], of_q[:n] = 0, 0
    values, vectors = np.linalg.eig(of_q / m + lam * np.eye(n + m))
    root = (vectors * values.astype(complex) ** ((1 - alpha) / (2 * alpha))) @ np.linalg.inv(vectors)
    return math.log((np.linalg.eigvals(root @ (of_p / n) @ root) ** alpha).sum().real) / (alpha - 1)


@pytest.mark.parametrize("n, m", [(4, 4), (6, 6), (3, 7)])
def test_proposition_8(n, m):
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(n, 5)), rng.normal(0.5, 1, size=(m, 5))
    for alpha, lam in itertools.product([1.5, 2, 6, 12], [1e-2, 0.3]):
        value = kernel_renyi_estimate(x, y, alpha=alpha, regularization=lam, bandwidth=3.0)
        assert value == pytest.approx(proposition_8(x, y, 3.0, alpha, lam), abs=1e-11)  # cond(vectors) < 1e4


# Closed forms


def classical(p, b, alpha):
    """Return the Renyi divergence of weights p on their support relative to b."""
    p, b = p[p > 0], b[p > 0]
    if alpha == 0:
        return -math.log(b.sum())
    if alpha == 1:
        return float((p * np.log(p / b)).sum())
    if alpha == INF:
        return math.log((p / b).max())
    return math.log((p**alpha * b ** (1 - alpha)).sum()) / (alpha - 1)


@pytest.mark.parametrize("alpha", [0, 0.05, 0.3, *ORDERS])
@pytest.mark.parametrize("lam", [0, 1e-12, 1e-4, 0.5])
def test_identity_kernel_is_the_classical_divergence(alpha, lam):
    at = {"alpha": alpha, "regularization": lam, "kernel": "identity"}
    p, q = np.array([0.5, 0.2, 0.3, 0]), np.array([0.1, 0.4, 0.25, 0.25])
    value = kernel_renyi(list("abc"), p[:3], list("abcd"), q, **at)
    assert value == pytest.approx(classical(p, q + lam, alpha), abs=2e-12)  # eps / lambda in the n x n form
    # d is p's alone, a is q's alone
    swapped = kernel_renyi(list("abcd"), q, list("abc"), p[:3], **at)
    if lam == 0 and alpha >= 1:
        assert swapped == INF
    elif lam == 0 and alpha > 0:
        assert swapped == pytest.approx(classical(q[:3], p[:3], alpha), abs=1e-12)
    else:
        assert swapped == pytest.approx(classical(q, p + lam, alpha), abs=2e-12)


def test_identity_kernel_without_common_points():
    for alpha in (0, 0.3, 0.5, 0.9, 1, 2, INF):
        assert kernel_renyi(["a"], None, ["b", "c"], None, alpha=alpha, regularization=0, kernel="identity") == INF
        value = kernel_renyi(["a"], None, ["b", "c"], None, alpha=alpha, regularization=0.01, kernel="identity")
        assert value == pytest.approx(-math.log(0.01), rel=1e-14)


@pytest.mark.parametrize("alpha", [0.05, 0.5, 0.9, 0.999, 1, 1.001, 2, 12, 1e6, INF])
@pytest.mark.parametrize("lam", [1e-300, 1e-12, 1e-5, 1e-2, 1e6])
def test_one_sample_each(alpha, lam):
    """With c = k(x, y)^2: <x, (S_q + lam)^s x> = lam^s (1 - c) + (1 + lam)^s c, s = (1 - alpha) / alpha."""
    c = math.exp(-0.5)
    a, b = math.log(lam), math.log1p(lam)
    if alpha == 1:
        expected = -(1 - c) * a - c * b
    else:
        s = -1 if alpha == INF else (1 - alpha) / alpha
        inner = np.logaddexp(s * a + math.log1p(-c), s * b - 0.5)
        expected = (1 if alpha == INF else alpha / (alpha - 1)) * inner
    value = kernel_renyi_estimate([[0.0]], [[0.5]], alpha=alpha, regularization=lam, bandwidth=1.0)
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-13)


def test_one_sample_each_at_zero():
    for alpha, expected in ((0.25, 0.5 / 3), (0.5, 0.5), (0.9, 4.5), (1, INF), (2, INF), (INF, INF)):
        value = kernel_renyi_estimate([[0.0]], [[0.5]], alpha=alpha, regularization=0, bandwidth=1.0)
        assert value == pytest.approx(expected, rel=1e-13)  # alpha / (1 - alpha) times 0.5


@pytest.mark.parametrize("alpha", [0, 0.5, 1, 1.01, 2, 50, 1e6, INF])
@pytest.mark.parametrize("lam", [0, 1e-300, 1e-3, 1e6, 1e300])
def test_all_points_equal(alpha, lam):
    value = kernel_renyi_estimate(np.ones((5, 2)), np.ones((3, 2)), alpha=alpha, regularization=lam, bandwidth=1.0)
    assert value == pytest.approx(-math.log1p(lam), rel=1e-13, abs=1e-12)  # eps / lambda in the n x n form


@pytest.mark.parametrize("n, m", [(5, 5), (4, 9), (9, 4)])
def test_fidelity_at_lambda_zero(n, m):
    """D_1/2 = -2 log of the nuclear norm of sqrt(rho) sqrt(sigma), which is that of Kxy / sqrt(n m)."""
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(n, 2)), rng.normal(size=(m, 2))
    norm = np.linalg.svd(rbf(x, y, 0.7) / math.sqrt(n * m), compute_uv=False).sum()
    value = kernel_renyi_estimate(x, y, alpha=0.5, regularization=0, bandwidth=0.7)
    assert value == pytest.approx(-2 * math.log(norm), abs=1e-12)


@pytest.mark.parametrize("n, m", [(3, 7), (7, 3)])
def test_order_zero_adds_the_largest_eigenvalues(n, m):
    """In general position the n largest eigenvalues of S_q + lam, as long as there are so many."""
    rng = np.random.default_rng(2)
    x, y = 2 * rng.normal(size=(n, 2)), 2 * rng.normal(size=(m, 2))
    top = np.sort(np.linalg.eigvalsh(rbf(y, y, 1.0) / m))[::-1][:n].sum()
    values = kernel_renyi_estimate(x, y, alpha=0, regularization=[0, 0.01], bandwidth=1.0)
    assert values[0] == pytest.approx(-math.log(top), abs=1e-13)
    assert values[1] == pytest.approx(-math.log(top + 0.01 * n), abs=1e-13)


def test_large_lambda():
    """S_q + lam is lam up to a relative 1 / lam."""
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(6, 2)), rng.normal(size=(5, 2))
    a = np.linalg.eigvalsh(rbf(x, x, 1.0) / 6)
    for alpha in (0.7, 2, 12, 1e6):
        value = kernel_renyi_estimate(x, y, alpha=alpha, regularization=1e9, bandwidth=1.0)
        top = a.max()
        moment = (alpha * math.log(top) + math.log(((a / top) ** alpha).sum())) / (alpha - 1)
        assert value == pytest.approx(moment - math.log(1e9), abs=1e-8)


# Supports at lambda = 0


def test_a_point_outside_is_infinite_for_strictly_positive_kernels():
    rng = np.random.default_rng(5)
    y = rng.normal(size=(8, 2))
    x = np.concatenate([y[:3], y[:1] + 1e-12])  # no tolerance separates this point from its neighbour
    for kernel in ("rbf", "laplacian"):
        values = kernel_renyi_estimate(x, y, alpha=[0.9, 1, 2, INF], regularization=0, kernel=kernel, bandwidth=1.0)
        assert np.isfinite(values[0])
        assert (values[1:] == INF).all()


@pytest.mark.parametrize("alpha", [0.7, 1, 2, 12, INF])
def test_included_points_are_finite(alpha):
    rng = np.random.default_rng(6)
    y = 2 * rng.normal(size=(7, 2))
    p, q = weights(rng, 4), weights(rng, 7)
    values, vectors = np.linalg.eigh(rbf(y, y, 1.0))
    assert values.min() > 1e-3
    rho, sigma = operators(vectors * np.sqrt(values), np.r_[p, np.zeros(3)], q)
    value = kernel_renyi(y[:4], p, y, q, alpha=alpha, regularization=0, bandwidth=1.0)
    assert value == pytest.approx(literal(rho, sigma, alpha), abs=noise(alpha))


def test_undecided_without_strict_positivity():
    x, y = [[1.0, 0.0], [1.0, 1.0]], [[1.0, 2.0], [0.0, 1.0], [3.0, 1.0]]
    at = {"regularization": 0, "kernel": "linear"}
    for alpha in (1, 2, INF):
        with pytest.raises(ValueError, match="support_tol"):
            kernel_renyi_estimate(x, y, alpha=alpha, **at)
        with pytest.raises(ValueError, match="support_tol"):
            kernel_renyi_estimate(["a"], ["b"], alpha=alpha, regularization=0, kernel=lambda s, t: 1.0)
    unit = [np.array(z) / np.linalg.norm(z, axis=1)[:, None] for z in (x, y)]
    rho, sigma = (z.T @ z / len(z) for z in unit)
    for alpha in (0.5, 0.7, 1, 2, 12, INF):
        value = kernel_renyi_estimate(x, y, alpha=alpha, support_tol=1e-12, **at)
        assert value == pytest.approx(literal(rho, sigma, alpha), abs=1e-12)
        if alpha < 1:  # nothing to decide: both have full rank, or a clear rank
            assert kernel_renyi_estimate(x, y, alpha=alpha, **at) == pytest.approx(value, abs=1e-12)
    # q is supported on a line
    assert kernel_renyi_estimate(x, [[1.0, 0.0]], alpha=2, support_tol=1e-12, **at) == INF
    # points of p among q's: finite for every kernel
    assert math.isfinite(kernel_renyi_estimate(y[:2], y, alpha=2, **at))
    assert kernel_renyi_estimate(y, y, alpha=[1, 2, INF], **at) == pytest.approx(0, abs=1e-13)


def test_support_tol_moves_the_decision():
    y = [[1.0, 0.0], [1.0, 1e-4]]  # second eigenvalue near 2.5e-9
    at = {"alpha": 2, "regularization": 0, "kernel": "linear"}
    assert math.isfinite(kernel_renyi_estimate([[0.0, 1.0]], y, support_tol=1e-12, **at))
    assert kernel_renyi_estimate([[0.0, 1.0]], y, support_tol=1e-6, **at) == INF
    for bad, error in ((-1.0, ValueError), (1.0, ValueError), ("x", TypeError), (True, TypeError)):
        with pytest.raises(error, match="support_tol"):
            kernel_renyi_estimate([[0.0, 1.0]], y, support_tol=bad, **at)


# One value, many ways


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(7)
    return rng.normal(size=(20, 3)), rng.normal(0.5, 1.2, size=(15, 3))


def test_grid_is_its_cells(samples):
    alphas, lambdas = [0, 0.5, 1, 1.02, 2, 6, INF], [0, 1e-9, 1e-3, 0.1]
    grid = kernel_renyi_estimate(*samples, alpha=alphas, regularization=lambdas)
    assert grid.shape == (7, 4)
    for i, a in enumerate(alphas):
        for j, lam in enumerate(lambdas):
            cell = kernel_renyi_estimate(*samples, alpha=a, regularization=lam)
            assert np.ndim(cell) == 0
            assert cell == grid[i, j]
    assert kernel_renyi_estimate(*samples, alpha=2, regularization=lambdas).shape == (4,)
    assert kernel_renyi_estimate(*samples, alpha=alphas, regularization=1.0).shape == (7,)
    with pytest.raises(ValueError, match="alpha"):
        kernel_renyi_estimate(*samples, alpha=[[2.0]], regularization=1.0)


def test_estimator_is_the_divergence_of_the_empirical_distributions(samples):
    x, y = samples
    at = {"alpha": [0.5, 1, 2, INF], "regularization": [1e-6, 1e-2]}
    expected = kernel_renyi(x, None, y, None, **at)
    assert (kernel_renyi_estimate(x, y, **at) == expected).all()
    explicit = kernel_renyi(x, np.full(20, 0.05), y, np.full(15, 1 / 15), **at)
    np.testing.assert_allclose(explicit, expected, rtol=1e-13)


def test_the_two_algorithms_agree(samples, monkeypatch):
    at = {"alpha": [1.05, 1.5, 2, 6, 50, 1e6, INF], "regularization": [1e-4, 1e-3, 1e-2, 1.0, 1e6]}
    small = kernel_renyi_estimate(*samples, **at)
    monkeypatch.setattr(renyi_module, "SMALLEST_FAST_LAMBDA", INF)
    embedded = kernel_renyi_estimate(*samples, **at)
    assert (small != embedded).any()  # the two algorithms differ
    np.testing.assert_allclose(small, embedded, rtol=0, atol=1e-12)  # eps / lambda


@pytest.mark.parametrize("lam", [1e-10, 1e-3, 0.1])
def test_continuous_through_one(samples, lam):
    """The slope at 1 is V / 2, V a relative entropy variance below 100 here; no 1 / (alpha - 1) amplifies rounding."""
    steps = np.array([1e-14, 1e-11, 1e-8, 1e-6])
    at_one = kernel_renyi_estimate(*samples, alpha=1, regularization=lam)
    above = kernel_renyi_estimate(*samples, alpha=1 + steps, regularization=lam)
    below = kernel_renyi_estimate(*samples, alpha=1 - steps, regularization=lam)
    assert (np.abs(above - at_one) <= 100 * steps + 1e-13).all()
    assert (np.abs(below - at_one) <= 100 * steps + 1e-13).all()
    for edge in (0.95, 1.05):  # where the two forms meet
        sides = kernel_renyi_estimate(*samples, alpha=[edge - 1e-9, edge + 1e-9], regularization=lam)
        assert abs(sides[1] - sides[0]) <= 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("route", ["small", "embedding"])
def test_multiprecision_agrees(route):
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=(4, 2)).round(3), rng.normal(size=(3, 2)).round(3)
    y[0] = x[0]
    alphas = [0, 0.1, 0.5, 0.9, 1, 1.01, 2, 12, INF]
    at = {"alpha": alphas, "regularization": [0, 1e-6, 0.01] if route == "embedding" else [0.01, 2.0], "bandwidth": 0.5}
    value = kernel_renyi(x, [0.5, 0.25, 0.125, 0.125], y, None, **at)
    wide = mp.evaluate(kernel_renyi, x, [0.5, 0.25, 0.125, 0.125], y, None, digits=30, **at).astype(float)
    finite = np.isfinite(wide)
    assert (np.isfinite(value) == finite).all()
    np.testing.assert_allclose(value[finite], wide[finite], rtol=0, atol=1e-9)  # eps / 1e-6, at most


def test_multiprecision_closed_forms():
    """Uniform weights are exact thirds, and points given as fractions are exact."""
    precise = partial(mp.evaluate, kernel_renyi, digits=60)
    value = precise(["a"], None, ["a", "b", "c"], None, alpha=2, regularization=0, kernel="identity")
    assert abs(value - mp.renyi([1, 0, 0], ["1/3"] * 3, 2, digits=60)) < 1e-58
    one = precise([["1/2"]], None, [[0.5]], None, alpha=2, regularization=0, bandwidth=1)
    assert one == 0
    # <x, (S_q + 3)^(-1/2) x> = (1 - c) / sqrt(3) + c / 2
    value = precise([["0"]], None, [["1/2"]], None, alpha=2, regularization=3, bandwidth=1)
    flint.ctx.prec = 400
    c = (flint.arb(-1) / 2).exp()
    expected = 2 * ((1 - c) / flint.arb(3).sqrt() + c / 2).log()
    assert abs(flint.arb(str(value)) - expected) < flint.arb(10) ** -57


def test_scaling_of_the_weights(samples):
    x, y = samples
    at = {"alpha": [0.5, 0.97, 1, 1.01, 2, 12, INF], "bandwidth": 2.0}
    w, v = np.full(20, 1 / 20), np.full(15, 1 / 15)
    base = kernel_renyi(x, w, y, v, regularization=[1e-6, 1e-3, 0.1], **at)
    for factor in (1e-290, 1e-3, 7.0, 1e290):
        value = kernel_renyi(x, factor * w, y, v, regularization=[1e-6, 1e-3, 0.1], **at)
        np.testing.assert_allclose(value, base + math.log(factor), rtol=0, atol=1e-12)
    for factor in (1e-3, 7.0):
        value = kernel_renyi(x, w, y, factor * v, regularization=factor * np.array([1e-6, 1e-3, 0.1]), **at)
        np.testing.assert_allclose(value, base - math.log(factor), rtol=0, atol=1e-8)  # eps / lambda, both sides


def test_tiny_weights_are_negligible(samples):
    x, y = samples
    w = np.full(20, 1.0)
    w[3] = 1e-300
    at = {"alpha": [0.97, 1, 1.01, 2, INF], "regularization": [1e-3, 0.1], "bandwidth": 2.0}
    without = kernel_renyi(np.delete(x, 3, 0), None, y, None, **at) + math.log(19)
    np.testing.assert_allclose(kernel_renyi(x, w, y, None, **at), without, rtol=0, atol=1e-12)
    w[3] = 0
    np.testing.assert_allclose(kernel_renyi(x, w, y, None, **at), without, rtol=0, atol=1e-12)


def test_repeated_samples_are_weights(samples):
    x, y = samples
    at = {"alpha": [0.7, 1, 2, INF], "regularization": [1e-8, 1e-3, 0.1], "bandwidth": 2.0}
    value = kernel_renyi_estimate(np.repeat(x, 3, 0), np.tile(y, (2, 1)), **at)
    np.testing.assert_allclose(value, kernel_renyi_estimate(x, y, **at), rtol=0, atol=1e-12)


def test_translations_and_permutations_do_not_matter(samples):
    x, y = (np.round(z * 2**12) / 2**12 for z in samples)  # so that the addition of 2^27 is exact
    at = {"alpha": [0.5, 1, 2, INF], "regularization": [1e-3, 0.1], "bandwidth": 2.0}
    base = kernel_renyi_estimate(x, y, **at)
    shifted = kernel_renyi_estimate(x[::-1] + 2.0**27, y[::-1] + 2.0**27, **at)
    np.testing.assert_allclose(shifted, base, rtol=0, atol=1e-11)


def test_monotone_in_both_parameters(samples):
    alphas, lambdas = [0, 0.5, 0.6, 0.96, 1, 1.02, 1.5, 2, 12, 1e3, INF], [1e-12, 1e-8, 1e-5, 1e-3, 0.1, 10]
    grid = kernel_renyi_estimate(*samples, alpha=alphas, regularization=lambdas)
    assert (np.diff(grid, axis=0) >= -1e-12).all()
    assert (np.diff(grid, axis=1) <= 1e-12).all()


@pytest.mark.parametrize("bandwidth", [1e-200, 1e-9, 1e9, 1e200])
@pytest.mark.parametrize("n, m", [(1, 1), (12, 3), (3, 40)])
def test_degenerate_bandwidths(bandwidth, n, m):
    """All points are orthogonal, or all are equal."""
    rng = np.random.default_rng(9)
    x, y = rng.normal(size=(n, 2)), rng.normal(size=(m, 2))
    for alpha, lam in itertools.product([0.5, 0.9, 1, 1.01, 2, 1e6, INF], [1e-10, 1e-2, 1e6]):
        value = kernel_renyi_estimate(x, y, alpha=alpha, regularization=lam, bandwidth=bandwidth)
        expected = -math.log(n * lam) if bandwidth < 1 else -math.log1p(lam)
        # two directions that are equal up to (1e-9)^2 contribute 1e-9 at alpha = 1/2
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-7 if alpha < 1 else 1e-9)


@pytest.mark.parametrize(
    ("arguments", "error", "word"),
    [
        ({"alpha": -1}, ValueError, "alpha"),
        ({"alpha": math.nan}, ValueError, "alpha"),
        ({"alpha": "2"}, TypeError, "alpha"),
        ({"regularization": -1e-9}, ValueError, "regularization"),
        ({"regularization": INF}, ValueError, "regularization"),
        ({"regularization": [[1.0]]}, ValueError, "regularization"),
        ({"x": []}, ValueError, "x"),
        ({"y": np.empty((0, 2))}, ValueError, "y"),
        ({"y": [[1.0]]}, ValueError, "dimension"),
        ({"x": [[math.nan, 0]]}, ValueError, "x"),
        ({"kernel": "gauss"}, ValueError, "kernel"),
        ({"kernel": None}, TypeError, "kernel"),
        ({"bandwidth": 0.0}, ValueError, "bandwidth"),
        ({"x": [[1.0, 1.0]], "y": [[1.0, 1.0]]}, ValueError, "bandwidth"),
    ],
)
def test_bad_input(arguments, error, word):
    x, y = [[0.0, 0.0], [1.0, 2.0]], [[0.5, 0.0]]
    with pytest.raises(error, match=word):
        kernel_renyi_estimate(**({"x": x, "y": y, "alpha": 2, "regularization": 0.1} | arguments))


def test_bad_weights_are_named():
    points = [[0.0], [1.0]]
    at = {"alpha": 2, "regularization": 0.1, "bandwidth": 1.0}
    for bad in ([1.0], [-1.0, 2.0], [0.0, 0.0], [math.inf, 1.0]):
        with pytest.raises(ValueError, match="p_weights"):
            kernel_renyi(points, bad, points, None, **at)
        with pytest.raises(ValueError, match="q_weights"):
            kernel_renyi(points, None, points, bad, **at)
    with pytest.raises(ValueError, match="p_points"):
        kernel_renyi([[math.nan]], None, points, None, **at)


# Accuracy

MARK_LAMBDAS = [1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2]
MARK_ALPHAS = [0.5, 0.9, 1, 1.01, 2, 12, 50]
BITS = 300
RECORDED = Path(__file__).with_name("reference.json")


def marked_samples(name):
    """50 and 50 points in the plane; "near" repeats some, within and across, and moves others by 1e-9."""
    rng = np.random.default_rng(7)
    x, y = rng.normal(size=(50, 2)), rng.normal(0.7, 1.2, size=(50, 2))
    if name == "near":
        y[:10], x[10:20], y[10:20], y[20:25] = x[:10], x[:10], x[20:30] + 1e-9, y[25:30]
    return x, y, median_bandwidth(x, y)


def exact_gram(points, bandwidth):
    points = [[flint.arb(float(c)) for c in point] for point in points]
    gram = [[flint.arb(1)] * len(points) for _ in points]
    for i, j in itertools.combinations(range(len(points)), 2):
        square = sum(((a - b) ** 2 for a, b in zip(points[i], points[j], strict=True)), flint.arb(0))
        gram[i][j] = gram[j][i] = (-square / flint.arb(bandwidth) ** 2).exp().mid()
    return gram


def rounded(gram, rng=None):
    """Round to the nearest float64, or with `rng` randomly to one of both neighbours, equal entries alike."""
    out, made = [list(row) for row in gram], {}
    for i, j in itertools.combinations(range(len(gram)), 2):
        if (exact := gram[i][j].man_exp()) not in made:
            near = float(gram[i][j])
            excess = float(gram[i][j] - near)
            far = math.nextafter(near, INF if excess > 0 else -INF)
            away = rng is not None and rng.random() < abs(excess) / abs(far - near)
            made[exact] = flint.arb(far if away else near)
        out[i][j] = out[j][i] = made[exact]
    return out


def spectrum(matrix, vectors=False):
    """Return the real parts of the eigenvalues; the matrices are symmetric."""
    out = flint.acb_mat(matrix).eig(right=vectors, algorithm="approx")
    values = [v.real.mid() for v in (out[0] if vectors else out)]
    if not vectors:
        return values
    n = len(values)
    basis = [[out[1][i, j].real.mid() for j in range(n)] for i in range(n)]
    norms = [sum((row[j] ** 2 for row in basis), flint.arb(0)).sqrt() for j in range(n)]
    return values, flint.arb_mat([[row[j] / norms[j] for j in range(n)] for row in basis])


def exact_divergence(gram, n, alphas, lambdas, bits=BITS):
    """Return it from lam^s Kxx / n + Kxy h(Kyy) Kyx, h(t) = ((t + lam)^s - lam^s) / t, with enough `bits`."""
    flint.ctx.prec = bits
    m = len(gram) - n
    kxx = flint.arb_mat([[v / n for v in row[:n]] for row in gram[:n]])
    values, basis = spectrum(flint.arb_mat([[v / m for v in row[n:]] for row in gram[n:]]), vectors=True)
    rotated = flint.arb_mat([[v / (flint.arb(n) * m).sqrt() for v in row[n:]] for row in gram[:n]]) * basis
    out = np.empty((len(alphas), len(lambdas)), dtype=object)
    for (i, alpha), (j, lam) in itertools.product(enumerate(alphas), enumerate(map(flint.arb, lambdas))):
        if alpha == 1:
            entropy = sum((a * a.log() for a in spectrum(kxx) if a > 0), flint.arb(0))
            h = [((t + lam).log() - lam.log()) / t for t in values]
            c = [sum((rotated[r, k] ** 2 for r in range(n)), flint.arb(0)) for k in range(m)]
            out[i, j] = entropy - lam.log() - sum((u * v for u, v in zip(c, h, strict=True)), flint.arb(0))
            continue
        s = (1 - flint.arb(alpha)) / flint.arb(alpha)
        h = [((t + lam) ** s - lam**s) / t for t in values]
        scaled = flint.arb_mat([[rotated[r, k] * h[k] for k in range(m)] for r in range(n)])
        t = scaled * rotated.transpose() + kxx * lam**s
        t = flint.arb_mat([[((t[r, k] + t[k, r]) / 2).mid() for k in range(n)] for r in range(n)])
        if alpha == int(alpha):
            q = (t ** int(alpha)).trace()
        else:
            q = sum((v ** flint.arb(alpha) for v in spectrum(t) if v > 0), flint.arb(0))
        out[i, j] = q.log() / (flint.arb(alpha) - 1)
    return out


def relative(value, truth):
    errors = [abs(float((flint.arb(v) - t) / t)) for v, t in zip(np.ravel(value), np.ravel(truth), strict=True)]
    return np.reshape(errors, np.shape(truth))


def reference(name, alphas=MARK_ALPHAS, lambdas=MARK_LAMBDAS):
    """Return the true value, and the unavoidable error from rounding the Gram matrix.

    The error of a single random rounding may by chance be a hundred times too small; this is the largest of five.
    """
    x, y, bandwidth = marked_samples(name)
    flint.ctx.prec = BITS
    gram = exact_gram([*x, *y], bandwidth)
    truth = exact_divergence(gram, 50, alphas, lambdas)
    roundings = [None, *map(np.random.default_rng, range(4))]
    floors = [relative(exact_divergence(rounded(gram, r), 50, alphas, lambdas), truth) for r in roundings]
    return truth, np.max(floors, axis=0)


def recorded(name):
    """Return `reference`, which takes half a minute, as recorded by `python tests/kernels/test_renyi.py`."""
    flint.ctx.prec = BITS
    truth, floor = json.loads(RECORDED.read_text())[name]
    return np.array([[flint.arb(t) for t in row] for row in truth], dtype=object), np.array(floor)


@pytest.fixture(scope="module", autouse=True)
def _restore_precision():
    yield
    flint.ctx.prec = 53


@pytest.mark.slow
def test_the_reference_is_converged():
    x, y, bandwidth = marked_samples("plain")
    values = []
    for bits in (BITS, 500):
        flint.ctx.prec = bits
        values.append(exact_divergence(exact_gram([*x, *y], bandwidth), 50, [0.5, 1, 2], [1e-12], bits))
    assert (relative(*values) < 1e-40).all()


@pytest.mark.slow
def test_the_recorded_reference_is_up_to_date():
    alphas, lambdas = [0.9, 1], [1e-12, 1e-4]
    at = np.ix_([MARK_ALPHAS.index(a) for a in alphas], [MARK_LAMBDAS.index(z) for z in lambdas])
    for name in ("plain", "near"):
        (truth, floor), (want, want_floor) = reference(name, alphas, lambdas), recorded(name)
        assert (relative(want[at], truth) < 1e-38).all()
        assert want_floor[at] == pytest.approx(floor, rel=1e-6)


@pytest.mark.slow
def test_accuracy_marks_and_the_error_estimate():
    """The error meets the marks, and the estimate bounds it over 2 data sets and 5 seeds, if it is above 1e-13.

    No ratio is below 1; some are large because the error is small by chance.
    """
    ratios = []
    for name in ("plain", "near"):
        (x, y, bandwidth), (truth, floor) = marked_samples(name), recorded(name)
        at = {"alpha": MARK_ALPHAS, "regularization": MARK_LAMBDAS, "bandwidth": bandwidth}
        error = relative(kernel_renyi_estimate(x, y, **at), truth)
        # 5e-14: sums of 50 terms, divided by alpha - 1
        allowed = np.where(np.array(MARK_LAMBDAS) >= 1e-4, np.maximum(1e-12, 10 * floor), 10 * floor + 5e-14)
        assert (error <= allowed).all(), (name, (error / allowed).round(2))
        # at alpha = 1/2 even the unavoidable error exceeds 1e-12 for the larger lambda; elsewhere the mark is absolute
        assert (error[1:, 4:] <= 1e-12).all()
        for seed in range(5):
            value, estimate = kernel_renyi_estimate(x, y, return_error=True, rng=seed, **at)
            error = relative(value, truth) * np.abs(truth.astype(float))
            ratios.extend((estimate / error)[error > 1e-13])
            assert (estimate[error <= 1e-13] <= 1e-10).all()
    ratios = np.array(ratios)
    assert len(ratios) > 100
    assert ratios.min() >= 1
    assert np.median(ratios) <= 50


def test_factors_are_nearly_as_accurate_as_rounding():
    """For 200 points in several blocks, the error of F F^T is that of rounded entries; LAPACK's is larger."""
    x = np.random.default_rng(7).normal(size=(200, 3))
    gram = Kernel("rbf", bandwidth=1.5).gram(x)
    factor = renyi_module._factor_in_float64(FLOAT64, gram, True)
    lower, pivots, rank, _ = dpstrf(gram, lower=1, tol=2.0**-53)
    plain = np.tril(lower)[np.argsort(pivots), :rank]

    def off(f):
        f = f.astype(np.longdouble)
        return np.sqrt(((f @ f.T - gram) ** 2).mean())

    assert off(factor) < 1e-16 < off(plain)
    assert factor.shape == (200, len(factor.T)) and len(factor.T) <= rank


def test_factors_end_at_the_level_of_rounding():
    x = np.random.default_rng(8).normal(size=(150, 2))
    gram = (1 + x @ x.T) ** 2  # of rank 6
    gram /= np.sqrt(np.outer(np.diagonal(gram), np.diagonal(gram)))
    factor = renyi_module._factor_in_float64(FLOAT64, gram, False)
    assert 6 <= factor.shape[1] < 20 and factor @ factor.T == pytest.approx(gram, abs=1e-14)


def test_factors_of_regular_matrices_need_no_pivots():
    """The first points keep their order; of nearly equal points, the second of a pair comes last, or not at all."""
    x = np.random.default_rng(9).normal(size=(200, 30))
    kernel = Kernel("rbf", bandwidth=7.0)
    gram = kernel.gram(x)
    factor = renyi_module._factor_in_float64(FLOAT64, gram, True)
    assert not np.triu(factor, 1).any()
    assert factor == pytest.approx(np.linalg.cholesky(gram), abs=1e-12)
    x[1] = x[0] + 1e-6
    gram = kernel.gram(x)
    factor = renyi_module._factor_in_float64(FLOAT64, gram, True)
    assert np.triu(factor, 1).any()
    assert factor @ factor.T == pytest.approx(gram, abs=1e-14)


def test_a_triangle_has_its_singular_vectors_from_its_square_only_if_that_is_accurate(monkeypatch):
    """Singular values to relative accuracy, against the definition; an ill-conditioned triangle and a matrix that is
    no triangle, whose square would lose digits, go to LAPACK's singular values."""
    rng = np.random.default_rng(10)
    square = []
    monkeypatch.setattr(renyi_module, "eigh", lambda *a, **k: (square.append(1), np.linalg.eigh(a[0]))[1])
    y = np.tril(rng.normal(size=(60, 60))) * np.geomspace(1, 0.1, 60) / 10 + np.diag(np.geomspace(3, 0.1, 60))
    for matrix, squared in ((y, True), (y * np.geomspace(1, 1e-4, 60), False), (y[::-1].copy(), False)):
        square.clear()
        values, basis = renyi_module._squares_of_singular_values(matrix)
        assert bool(square) == squared
        assert (np.diff(values) >= 0).all()
        image = matrix @ basis / np.sqrt(values)
        assert image.T @ image == pytest.approx(np.eye(60), abs=1e-10)
        assert basis.T @ basis == pytest.approx(np.eye(60), abs=1e-13)


@pytest.mark.parametrize("alpha", [1.05, 1.5, 2, 6, 11, INF])
@pytest.mark.parametrize("lam", [5e-324, 1e-9, 1e-5])
def test_traces_and_singular_values_agree_at_small_regularisations(alpha, lam, monkeypatch):
    """Two methods for the same embedding; in the plane its overlap is wide, in 20 dimensions it is not."""
    rng = np.random.default_rng(11)
    for d, n, m in ((1, 90, 40), (20, 30, 20)):
        at = {"alpha": alpha, "regularization": lam, "bandwidth": 3.0}
        x, y = rng.normal(size=(n, d)), rng.normal(0.5, 1, size=(m, d))
        values = [kernel_renyi_estimate(x, y, **at)]
        with monkeypatch.context() as patch:
            patch.setattr(renyi_module, "_trace_is_right", lambda *_: False)
            values.append(kernel_renyi_estimate(x, y, **at))
        assert values[0] == pytest.approx(values[1], rel=1e-13)


def test_error_estimate_form(samples):
    x, y = samples
    at = {"alpha": [0.5, 1, 2], "regularization": [0, 1e-3], "bandwidth": 2.0, "return_error": True}
    value, error = kernel_renyi_estimate(x, y, **at)
    assert value.shape == error.shape == (3, 2)
    assert (error[1:, 0] == 0).all()  # +inf stays +inf
    assert (error[:, 1] < 1e-10).all()
    assert (kernel_renyi_estimate(x, y, rng=0, **at)[1] == error).all()
    assert (kernel_renyi_estimate(x, y, rng=np.random.default_rng(0), **at)[1] == error).all()
    number = kernel_renyi_estimate(x, y, alpha=2, regularization=1e-3, bandwidth=2.0, return_error=True)
    assert [np.ndim(z) for z in number] == [0, 0]


def test_kernel_objects_are_accepted(samples):
    x, y = samples
    at = {"alpha": [1, 2], "regularization": 0.1}
    expected = kernel_renyi_estimate(x, y, bandwidth=1.3, **at)
    assert (kernel_renyi_estimate(x, y, kernel=Kernel("rbf", 1.3), **at) == expected).all()
    by_hand = kernel_renyi_estimate(x, y, kernel=lambda u, v: math.exp(-(math.dist(u, v) ** 2) / 1.69), **at)
    np.testing.assert_allclose(by_hand, expected, rtol=1e-12)


def test_rank_of_a_singular_gram_matrix_in_multiprecision():
    """A linear kernel on five points in the plane at alpha = 0: both directions count, Q = tr S_q + 2 lambda = 6/5."""
    p = [["0", "1"], ["-1/2", "1/2"], ["-1", "-1/2"]], ["1/7", "2/7", "3/7"]
    q = [["1", "0"], ["0", "-1/2"]], ["1/2", "1/2"]
    found = mp.evaluate(kernel_renyi, *p, *q, alpha=0, regularization="1/10", kernel="linear", digits=30)
    assert float(found) == pytest.approx(-math.log(6 / 5) + math.log(6 / 7), rel=1e-14)


if __name__ == "__main__":
    rows = {}
    for name in ("plain", "near"):
        truth, floor = reference(name)
        rows[name] = [[t.str(40, radius=False) for t in row] for row in truth], floor.tolist()
    RECORDED.write_text(json.dumps(rows, indent=1) + "\n")
