"""Decisions on supports in float64, rejected input, and singular values to relative accuracy."""

import time

import mpmath
import numpy as np
import pytest

import krdtheory as k
from krdtheory.arithmetic import FLOAT64, float64

EPS = 2.0**-52


def orthogonal(n, seed=0):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(n, n)))[0]


def rotated(values, seed=0):
    u = orthogonal(len(values), seed)
    m = (u * values) @ u.T
    return (m + m.T) / 2


@pytest.mark.parametrize("n", [2, 5, 20])
def test_rounding_level_eigenvalues_are_zero(n):
    """n eps bounds the backward error of eigh on a rank-deficient product; eigenvalues 100 times larger are kept."""
    for seed in range(5):
        values = np.r_[np.zeros(n // 2), np.linspace(0.5, 1, n - n // 2)]
        assert (FLOAT64.spectrum(rotated(values, seed), "rho", None).values > 0).sum() == n - n // 2
        values[0] = 400 * n * EPS
        assert (FLOAT64.spectrum(rotated(values, seed), "rho", None).values > 0).sum() == n - n // 2 + 1


def test_diagonal_zeros_are_exact():
    for tiny in (1e-17, 1e-200, 5e-324):
        assert (FLOAT64.spectrum(np.diag([1, tiny, 0]), "rho", None).values > 0).sum() == 2


def test_support_tol():
    matrix = rotated([0, 1e-9, 1e-3, 1])
    for tol, rank in ((None, 3), (0.0, None), (1e-12, 3), (1e-6, 2), (0.5, 1)):
        found = (FLOAT64.spectrum(matrix, "rho", tol).values > 0).sum() if rank else 0
        assert rank is None or found == rank
    for bad, error in (
        (-1e-3, ValueError),
        (1, ValueError),
        (np.nan, ValueError),
        ("0.1", TypeError),
        (True, TypeError),
    ):
        with pytest.raises(error, match="support_tol"):
            FLOAT64.spectrum(matrix, "rho", bad)


def test_psd_up_to_rounding():
    FLOAT64.spectrum(rotated([-1e-12, 1.0]), "rho", None)
    with pytest.raises(ValueError, match="positive semidefinite"):
        FLOAT64.spectrum(rotated([-1e-8, 1.0]), "rho", None)
    assert (FLOAT64.spectrum(rotated([-1e-8, 1.0]), "rho", 1e-7).values >= 0).all()
    with pytest.raises(ValueError, match="positive semidefinite"):
        FLOAT64.spectrum(-np.eye(2), "rho", None)


def test_hermitian_up_to_rounding():
    m = np.array([[1, 0.5], [0.5, 1]])
    m[0, 1] += 1e-14
    averaged = FLOAT64.hermitian(m, "rho")
    assert (averaged == averaged.T).all()
    m[0, 1] += 1e-9
    with pytest.raises(ValueError, match="Hermitian"):
        FLOAT64.hermitian(m, "rho")
    with pytest.raises(ValueError, match="Hermitian"):
        FLOAT64.hermitian([[1, 1j], [1j, 1]], "rho")
    with pytest.raises(ValueError, match="Hermitian"):
        FLOAT64.hermitian([[1j, 0], [0, 1]], "rho")


def test_one_entry_decides_whether_an_array_is_accepted():
    """Valid input is accepted by few passes over it; each of these differs from it in one entry."""
    for position in np.ndindex(3, 3):
        for bad in (-1.0, -5e-324, np.nan, np.inf, -np.inf):
            weights = np.ones((3, 3))
            weights[position] = bad
            with pytest.raises(ValueError, match=r"p must be (finite|nonnegative)"):
                FLOAT64.weights(weights, "p")
            if np.isfinite(bad):
                continue
            with pytest.raises(ValueError, match="rho must be finite"):
                FLOAT64.hermitian(weights, "rho")
        for good in (0.0, -0.0, 5e-324, 1.7e308):
            weights[position] = good
            assert (FLOAT64.weights(weights, "p", nonzero=True) == weights).all()
    matrix = np.eye(3) + np.array([[0, 2j, 0], [-2j, 0, 0], [0, 0, 0]])
    assert (FLOAT64.hermitian(matrix, "rho") == matrix).all()
    matrix[0, 1] += 1e-9j
    with pytest.raises(ValueError, match="Hermitian"):
        FLOAT64.hermitian(matrix, "rho")
    for row in (np.zeros(3), -np.zeros(3)):
        with pytest.raises(ValueError, match="p must be weights that are not all zero"):
            FLOAT64.weights(np.stack([np.ones(3), row]), "p", nonzero=True)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: k.sandwiched_renyi([[np.nan]], [[1.0]], 2), ValueError, "rho must be finite"),
        (lambda: k.sandwiched_renyi([[1.0]], [[np.inf]], 2), ValueError, "sigma must be finite"),
        (lambda: k.petz_renyi(np.zeros((2, 2)), np.eye(2), 2), ValueError, "rho must be nonzero"),
        (lambda: k.petz_renyi(np.eye(2), np.eye(3), 2), ValueError, "same dimension; got 2 and 3"),
        (lambda: k.petz_renyi(np.ones((2, 3)), np.eye(3), 2), ValueError, "rho must be a square matrix"),
        (lambda: k.petz_renyi(np.ones(3), np.eye(3), 2), ValueError, "rho must be a square matrix"),
        (lambda: k.maximal_renyi(np.ones((0, 0)), np.ones((0, 0)), 2), ValueError, "rho must be a square matrix"),
        (lambda: k.maximal_renyi(np.ones((2, 1, 1)), np.ones((3, 1, 1)), 2), ValueError, "must broadcast"),
        (lambda: k.maximal_renyi([["1"]], [[1]], 2), TypeError, "rho must be an array"),
        (lambda: k.maximal_renyi([[True]], [[1]], 2), TypeError, "rho must be an array"),
        (lambda: k.maximal_renyi([[1], [1, 2]], [[1]], 2), TypeError, "rectangular"),
        (lambda: k.sandwiched_renyi([[1]], [[1]], -0.1), ValueError, r"alpha must be in \[0, inf\]; got -0.1"),
        (lambda: k.sandwiched_renyi([[1]], [[1]], np.nan), ValueError, "alpha"),
        (lambda: k.sandwiched_renyi([[1]], [[1]], 2j), TypeError, "alpha must be real"),
        (lambda: k.sandwiched_renyi([[1]], [[1]], "2"), TypeError, "alpha"),
        (lambda: k.sandwiched_renyi([[1]], [[1]], 2, -1e-9), ValueError, "regularization"),
        (lambda: k.sandwiched_renyi([[1]], [[1]], 2, np.inf), ValueError, "regularization"),
        (lambda: k.trace_distance([[1]], [[1]], np.nan), ValueError, "regularization"),
        (lambda: k.quantum_hockey_stick([[1]], [[1]], np.nan), ValueError, "epsilon"),
        (lambda: k.renyi([-0.1, 1], [1, 1], 2), ValueError, "p must be nonnegative; got .*-0.1"),
        (lambda: k.renyi([0, 0], [1, 1], 2), ValueError, "p must be weights that are not all zero"),
        (lambda: k.renyi([], [], 2), ValueError, "p must be a vector"),
        (lambda: k.renyi(1, 1, 2), ValueError, "p must be a vector"),
        (lambda: k.renyi([1j], [1], 2), TypeError, "p must be real"),
        (lambda: k.renyi([1, 2], [1], 2), ValueError, "same number of entries"),
        (lambda: k.hockey_stick([1], [1], np.nan), ValueError, "epsilon"),
        (lambda: k.kl([[1], [1]], [[1]] * 3), ValueError, "must broadcast"),
    ],
)
def test_bad_input(call, error, match):
    with pytest.raises(error, match=match):
        call()


@pytest.mark.slow
@pytest.mark.parametrize("complex_", [0, 1])
@pytest.mark.parametrize("spread", [10, 100, 500, 2000])
def test_graded_singular_values(spread, complex_):
    """Each has relative accuracy, however small, even with dependent rows; 2000 exceeds the exponents of float64.

    The reference is mpmath's SVD with more digits than the grading spans. The matrices have small integer entries, so
    that the remainder of a dependent row is far below that of an independent one. Orders above 0.03 drop singular
    values that underflow, so a smaller order is used beyond e^-600.
    """
    rng = np.random.default_rng(spread + complex_)
    order = np.array(0.1 if spread < 600 else 0.01)
    for _ in range(3):
        n, width, rank = int(rng.integers(2, 6)), int(rng.integers(2, 6)), int(rng.integers(1, 3))
        x = rng.integers(-2, 3, (n, rank)) + complex_ * 1j * rng.integers(-2, 3, (n, rank))
        x = x @ rng.integers(-2, 3, (rank, width)).astype(float)
        if not x.any():
            continue
        logs = -rng.uniform(0, spread, n)
        logs[0] = 0
        found = FLOAT64.graded_log_singular_values(logs, x, order, np.array(64 * EPS))
        with mpmath.workdps(int(3 * spread) + 60):
            m = mpmath.matrix(
                [[mpmath.exp(w) * mpmath.mpmathify(complex(v)) for v in row] for w, row in zip(logs, x, strict=True)]
            )
            s = mpmath.svd_c(m, compute_uv=False)
            true_rank = np.linalg.matrix_rank(x)
            want = [float(mpmath.log(v)) for v in list(s)[:true_rank]]
        assert found.shape == (min(n, width),)
        # for mild gradings a plain SVD leaves rounding errors instead of zeros: the caller knows the rank
        assert (found[true_rank:] <= (found[0] - 30 if spread == 10 else -np.inf)).all()
        assert found[:true_rank] == pytest.approx(want, rel=4 * EPS, abs=1e-13)


def test_orders_from_one_half_on_use_only_lapack():
    """Batches may mix graded and plain cases."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(4, 3, 3))
    logs = np.array([[0, -1, -2], [0, -30, -60], [0, -30, -60], [0, 0, 0]], dtype=float)
    order = np.array([0.3, 0.3, 0.7, 0.3])
    batch = FLOAT64.graded_log_singular_values(logs, x, order, np.full(4, EPS))
    for i in (0, 2, 3):
        assert batch[i] == pytest.approx(
            np.log(np.linalg.svd(np.exp(logs[i])[:, None] * x[i], compute_uv=False)), abs=1e-12
        )
    assert batch[1].sum() == pytest.approx(logs[1].sum() + np.log(abs(np.linalg.det(x[1]))), abs=1e-12)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("complex_", [0, 1])
def test_values_by_rows_are_taken_only_if_they_are_accurate(wide, complex_):
    """Known ones of a graded product D Q: those of D. With D from small to large, the small ones are lost, as their
    product shows."""
    d = np.geomspace(1, 1e-7, 40)
    q = orthogonal(60)[:, :40]
    q = q * np.exp(1j * np.arange(60)[:, None]) if complex_ else q
    graded = q * d if not wide else (q * d).T.conj()
    assert float64._log_values_by_rows(graded) == pytest.approx(np.log(d), abs=1e-12)
    lost = graded[:, ::-1] if not wide else graded[::-1]
    assert float64._log_values_by_rows(lost) is None
    assert float64._log_values_by_rows(0 * graded) is None


@pytest.mark.parametrize("noise", [1e-13, 1e-16, 1e-30])
def test_echelon_has_at_most_as_many_columns_as_the_rank(noise):
    """With noise below eps, the rounding error in a dependent row could count as a new direction."""
    rng = np.random.default_rng(3)
    for n, width in ((5, 3), (6, 2), (8, 4)):
        rows, weights = rng.normal(size=(n, width)), np.geomspace(1, 1e-60, n)
        columns = FLOAT64.echelon(weights, rows, noise)
        assert columns.shape == (n, width)
        scaled = np.geomspace(1, 1e-3, n)  # mild enough for LAPACK to be the reference
        got = np.linalg.svd(FLOAT64.echelon(scaled, rows, noise), compute_uv=False)
        assert got == pytest.approx(np.linalg.svd(scaled[:, None] * rows, compute_uv=False), rel=1e-12)


def test_rank_against_a_scale():
    leak = np.array([[1e-17, 0], [0, 1e-16]])
    assert FLOAT64.rank(leak, np.array(1e-15)) == 2  # relative to itself
    assert FLOAT64.rank(leak, np.array(1e-15), np.array(1.0)) == 0


def test_large_matrices_at_small_orders_stay_fast():
    """With 14 orders of magnitude in sigma at alpha = 0.1, mpmath takes seconds, and float64 milliseconds."""
    sigma = rotated(np.geomspace(1e-6, 1, 60))
    rho = rotated(np.linspace(0.5, 1, 60), seed=1)
    start = time.perf_counter()
    value = k.sandwiched_renyi(rho, sigma, 0.1)
    assert time.perf_counter() - start < 2
    assert k.sandwiched_renyi(rho, sigma, 0) <= value <= k.sandwiched_renyi(rho, sigma, 0.2)


@pytest.mark.slow
@pytest.mark.parametrize("f", [k.sandwiched_renyi, k.petz_renyi, k.maximal_renyi])
def test_hundred_thousand_pairs_a_minute(f):
    """One core is about 40 times faster than required; ten thousand in 6 s leaves room for a busy machine."""
    rng = np.random.default_rng(2)
    m = rng.normal(size=(2, 10_000, 4, 4)) + 1j * rng.normal(size=(2, 10_000, 4, 4))
    rho, sigma = m @ m.conj().swapaxes(-1, -2)
    start = time.perf_counter()
    values = f(rho, sigma, 1.5)
    assert time.perf_counter() - start < 6
    assert np.isfinite(values).all()
