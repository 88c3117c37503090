"""Kernel Renyi audits: the witness inequality compared with exact divergences, the level, pieces, rejected input.

The exact values are from `kernels.kernel_renyi` on finite alphabets, which shares only the kernel with the witness, and
for normal distributions from a fine quadrature. Statistical tests are at level 0.2, and fail with probability less than
1e-6 at exactly this level (binomial).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpmath import mp
from scipy.stats import binom

from krdtheory.audit.kernel_bounds import (
    DualAudit,
    DualWitness,
    _Eigen,
    _gradient,
    _top,
    _weighted,
    dual_bound,
    learn_witness,
    perturbation_bound,
)
from krdtheory.kernels import Kernel, kernel_renyi, kernel_renyi_estimate

LEVEL = 0.2
RBF = Kernel("rbf", 1.0)
POINTS = np.array([[0.0], [0.4], [1.0], [2.0], [2.5]])
P, Q = np.array([0.1, 0.1, 0.2, 0.2, 0.4]), np.array([0.3, 0.3, 0.2, 0.1, 0.1])


def exact(alpha: float, lam: float, p: np.ndarray = P, q: np.ndarray = Q) -> float:
    return float(kernel_renyi(POINTS, p, POINTS, q, alpha=alpha, regularization=lam, kernel=RBF))


def certified(w: DualWitness, p: np.ndarray = P, q: np.ndarray = Q) -> float:
    """Return the bound by a witness for known distributions."""
    mean_p, mean_q = p @ w.of_p(POINTS), q @ w.of_q(POINTS) + w.regularization * w.trace
    return float(np.log(mean_p) / w.exponent - np.log(mean_q))


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1.1, 1.5, 2, 5, 12, np.inf])
@pytest.mark.parametrize("lam", [0.0, 1e-3, 0.1])
def test_any_witness_is_below_the_divergence(alpha: float, lam: float) -> None:
    """Even if it is learnt from few points or from the wrong distributions, on few landmarks."""
    rng = np.random.default_rng(0)
    for landmarks in (1, 2, 5):
        for _ in range(3):
            x, y = (POINTS[rng.choice(5, 12, p=rng.dirichlet(np.ones(5)))] for _ in range(2))
            w = learn_witness(x, y, alpha=alpha, regularization=lam, kernel=RBF, landmarks=landmarks, rng=rng)
            assert certified(w) <= exact(alpha, lam) + 1e-9
            assert w.of_q(POINTS).max() <= w.tops[1] * (1 + 1e-9)


@pytest.mark.parametrize("alpha", [1.1, 2, 5, 12])
@pytest.mark.parametrize("lam", [1e-3, 0.1])
def test_the_best_witness_attains_the_divergence(alpha: float, lam: float) -> None:
    values, vectors = np.linalg.eigh(RBF.gram(POINTS))
    features = vectors * np.sqrt(values)
    a, b = features.T @ (P[:, None] * features), features.T @ (Q[:, None] * features)
    c = _weighted(_Eigen.of(b, lam), a, alpha)
    g = _gradient(c, b + lam * np.eye(5), alpha)
    back = vectors / np.sqrt(values)
    w = DualWitness(alpha, lam, RBF, POINTS, back @ c, back @ g, (_top(c), _top(g)), float((g**2).sum()))
    assert certified(w) == pytest.approx(exact(alpha, lam), abs=1e-6)  # directions below 1e-7 of H are dropped


def test_gradient_is_that_of_f() -> None:
    """Compared with differences of f, defined by matrix powers, in mpmath."""
    rng = np.random.default_rng(1)
    c, z = rng.normal(size=(4, 2)), rng.normal(size=(4, 6))
    b, alpha = z @ z.T / 6 + 0.1 * np.eye(4), 3.0
    root = _gradient(c, b, alpha)
    mp.dps = 30
    try:

        def f(m: Any) -> Any:
            values, vectors = mp.eighe(m)
            power = vectors * mp.diag([v ** (mp.mpf(2) / 3) for v in values]) * vectors.H
            inner = mp.matrix(c.T.tolist()) * power * mp.matrix(c.tolist())
            return sum(v ** mp.mpf(1.5) for v in mp.eigsy(inner, eigvals_only=True))

        for _ in range(4):
            s = rng.normal(size=(4, 4))
            s = s + s.T
            step = mp.mpf(10) ** -9
            ahead, behind = (f(mp.matrix(b.tolist()) + sign * step * mp.matrix(s.tolist())) for sign in (1, -1))
            slope = float((ahead - behind) / (2 * step))
            assert np.trace(root @ root.T @ s) == pytest.approx(slope, rel=1e-8)
    finally:
        mp.dps = 15


def beyond(runs: int, truth: float, bound: Any) -> None:
    count = sum(bound(run) > truth for run in range(runs))
    assert count <= binom.isf(1e-6, runs, LEVEL)


@pytest.mark.slow
@pytest.mark.parametrize(("alpha", "lam"), [(2, 0.01), (12, 0.05), (np.inf, 0.1)])
def test_level_on_an_alphabet(alpha: float, lam: float) -> None:
    rng = np.random.default_rng(2)
    # nearly the best witness: learnt from very many samples
    many = [POINTS[rng.choice(5, 20_000, p=law)] for law in (P, Q)]
    witness = learn_witness(*many, alpha=alpha, regularization=lam, kernel=RBF, landmarks=50)

    def bound(run: int) -> float:
        x, y = POINTS[rng.choice(5, 150, p=P)], POINTS[rng.choice(5, 150, p=Q)]
        return DualAudit(witness).partial_fit(x, y).bound(level=LEVEL, rng=run).value

    beyond(80, exact(alpha, lam), bound)


@pytest.mark.slow
def test_level_of_the_whole_audit_on_identical_distributions() -> None:
    rng = np.random.default_rng(3)

    def bound(run: int) -> float:
        x, y = POINTS[rng.choice(5, 60, p=P)], POINTS[rng.choice(5, 90, p=P)]
        return dual_bound(x, y, alpha=4, regularization=0.01, level=LEVEL, kernel=RBF, landmarks=10, rng=run).value

    beyond(40, exact(4, 0.01, P, P), bound)


@pytest.mark.slow
def test_level_on_normal_distributions() -> None:
    """The exact value is from a Gauss-Hermite rule, whose nodes replace the distributions."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    value = kernel_renyi(
        (nodes + 1)[:, None], weights, nodes[:, None], weights, alpha=3, regularization=0.01, kernel=RBF
    )
    coarse, some = np.polynomial.hermite_e.hermegauss(60)
    some = some / some.sum()
    again = kernel_renyi((coarse + 1)[:, None], some, coarse[:, None], some, alpha=3, regularization=0.01, kernel=RBF)
    assert value == pytest.approx(again, abs=1e-6)
    rng = np.random.default_rng(4)
    witness = learn_witness(
        rng.normal(1, 1, 4000), rng.normal(0, 1, 4000), alpha=3, regularization=0.01, kernel=RBF, landmarks=60
    )

    def bound(run: int) -> float:
        return (
            DualAudit(witness).partial_fit(rng.normal(1, 1, 150), rng.normal(0, 1, 150)).bound(level=LEVEL, rng=run)
        ).value

    beyond(80, float(value), bound)


@pytest.mark.slow
def test_power_of_the_gaussian_mechanism() -> None:
    """d = 30, (3, 0.03)-DP; benchmarks/audit_divergences.py has medians."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(scale=7.1294628288968308, size=(2, 5000, 30))
    x[:, 0] += 10
    bound = dual_bound(x, y, alpha=12, regularization=1.5e-3, level=0.05, rng=0)
    assert 0.7 < bound.value < 1.06
    assert bound.value == dual_bound(x, y, alpha=12, regularization=1.5e-3, level=0.05, rng=0).value
    assert perturbation_bound(x[:400], y[:400], alpha=12, regularization=1.5e-3, level=0.05).value == -np.inf


def test_pieces_and_machines_give_the_result_of_all_at_once() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(1, 1, (900, 2)), rng.normal(0, 1, (700, 2))
    witness = learn_witness(x[:100], y[:100], alpha=2, regularization=0.01)
    whole = DualAudit(witness).partial_fit(x[100:], y[100:])
    one, two = DualAudit(witness), DualAudit(witness)
    for i in range(100, 900, 90):
        (one if i % 180 else two).partial_fit(x[i : i + 90])
    two.partial_fit(y=y[300:]).partial_fit(y=y[100:300])
    assert one.merge(two).bound(level=0.05).value == pytest.approx(whole.bound(level=0.05).value, rel=1e-12)
    with pytest.raises(ValueError, match="same witness"):
        whole.merge(DualAudit(learn_witness(x[:50], y[:50], alpha=2, regularization=0.01)))
    with pytest.raises(ValueError, match="points of q"):
        DualAudit(witness).partial_fit(x).bound(level=0.05)


@pytest.mark.slow
def test_any_objects_with_a_kernel() -> None:
    rng = np.random.default_rng(6)
    x, y = (["aaa" if hit else "bbb" for hit in rng.random(400) < c] for c in (0.8, 0.2))
    bound = dual_bound(x, y, alpha=2, regularization=0.01, level=0.05, kernel="identity")
    truth = np.log(0.64 / 0.2 + 0.04 / 0.8)
    assert 0.3 < bound.value < truth


@pytest.mark.parametrize("alpha", [2, 5, np.inf])
def test_perturbation_bound_by_hand(alpha: float) -> None:
    rng = np.random.default_rng(7)
    x, y = rng.normal(5, 0.2, 300), rng.normal(0, 0.2, 250)
    bound = perturbation_bound(x, y, alpha=alpha, regularization=0.2, level=0.1, bandwidth=2.0)
    estimate = kernel_renyi_estimate(x, y, alpha=alpha, regularization=0.2, bandwidth=2.0)
    kappa = 1 - 1 / alpha
    s, u = ((1 + np.log(20) ** 0.5) / size**0.5 for size in (300, 250))
    value = np.log((0.2 * np.exp(estimate)) ** kappa - s) / kappa - np.log(0.2 + u)
    assert bound.value == pytest.approx(value, abs=1e-12)
    assert 0 < bound.value < estimate


@pytest.mark.parametrize("call", [dual_bound, perturbation_bound])
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"alpha": 1}, "alpha must be"),
        ({"alpha": 0.5}, "alpha must be"),
        ({"alpha": [2, 3]}, "alpha must be one number"),
        ({"regularization": -1}, "regularization must be"),
        ({"level": 1}, "level must be"),
        ({"bandwidth": -1}, "bandwidth must be"),
        ({"x": np.zeros((50, 3))}, "dimension"),
        ({"x": [[np.nan, 0.0]] * 50}, "x must be"),
    ],
)
def test_bad_input(call: Any, change: dict[str, Any], words: str) -> None:
    rng = np.random.default_rng(8)
    arguments = {"x": rng.normal(size=(50, 2)), "y": rng.normal(size=(50, 2)), "alpha": 2, "regularization": 0.1}
    with pytest.raises(ValueError, match=words):
        call(**{**arguments, "level": 0.05, **change})


def test_bad_input_for_one_of_them() -> None:
    x = np.random.default_rng(9).normal(size=(50, 2))
    for change in ({"learn_from": 0}, {"landmarks": 0}):
        with pytest.raises(ValueError, match=next(iter(change))):
            dual_bound(x, x, **{"alpha": 2, "regularization": 0.1, "level": 0.05, **change})
    with pytest.raises(ValueError, match="at least 20"):
        dual_bound(x[:10], x, alpha=2, regularization=0.1, level=0.05)
    with pytest.raises(ValueError, match="positive"):
        perturbation_bound(x, x, alpha=2, regularization=0, level=0.05)
