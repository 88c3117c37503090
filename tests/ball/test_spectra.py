"""Eigenvalues and square roots of matrices constructed from known spectra and exact squares."""

from fractions import Fraction as F

import numpy as np
import pytest
from flint import acb, arb, ctx, fmpq, fmpq_mat
from sympy.polys.domains import QQ_I

from krdtheory import ball


def rotated(values, complex_=False, seed=0):
    """Return U diag(values) U^* for a rational (Cayley) unitary U, in Gaussian rationals."""
    rng, n = np.random.default_rng(seed), len(values)
    x, y = rng.integers(-3, 4, (n, n)), rng.integers(-3, 4, (n, n)) * complex_
    re, im = x - x.T, y + y.T
    s = fmpq_mat(2 * n, 2 * n, [int(v) for v in np.block([[re, -im], [im, re]]).ravel()])
    one = fmpq_mat(2 * n, 2 * n, [int(i == j) for i in range(2 * n) for j in range(2 * n)])
    d = fmpq_mat(2 * n, 2 * n, [values[i % n] if i == j else fmpq(0) for i in range(2 * n) for j in range(2 * n)])
    u = (one - s) * (one + s).inv()
    m = u * d * u.transpose()
    return [[QQ_I(*(F(int(x.p), int(x.q)) for x in (m[i, j], m[n + i, j]))) for j in range(n)] for i in range(n)]


def holds(ball, truth):
    with ctx.workprec(4000):
        return ball.contains(arb(fmpq(truth)))


SPECTRA = {
    "simple": [fmpq(1, 3), fmpq(1, 2), fmpq(2), fmpq(7)],
    "repeated": [fmpq(1, 3), fmpq(1, 3), fmpq(1, 3), fmpq(2)],
    "singular": [fmpq(0), fmpq(0), fmpq(1, 7), fmpq(1, 7) + fmpq(1, 10**40)],
    "graded": [fmpq(0), fmpq(1, 10**120), fmpq(1, 10**60), fmpq(1)],
    "indefinite": [fmpq(-1), fmpq(0), fmpq(0), fmpq(1)],
    "cluster about 0": [-fmpq(1, 10**90), fmpq(0), fmpq(1, 10**90), fmpq(1, 10**89)],
    "zero": [fmpq(0)] * 4,
}


@pytest.mark.parametrize("name", SPECTRA)
@pytest.mark.parametrize("complex_", [False, True])
@pytest.mark.parametrize("digits", [5, 40])
def test_eigenvalues(name, complex_, digits):
    found = ball.eigvalsh(rotated(SPECTRA[name], complex_), digits=digits)
    for x, truth in zip(found, SPECTRA[name], strict=True):
        assert holds(x, truth)
        assert x.rad() <= arb(10) ** -digits * max(abs(arb(truth)), arb(10) ** -digits)
        assert truth != 0 or x == 0


@pytest.mark.parametrize("name", ["simple", "repeated", "singular", "graded", "zero"])
@pytest.mark.parametrize("complex_", [False, True])
def test_square_roots(name, complex_):
    """The square root of U diag(v^2) U^* is U diag(v) U^*."""
    values = SPECTRA[name]
    root, truth = ball.sqrtm(rotated([v * v for v in values], complex_), digits=30), rotated(values, complex_)
    for x, y in zip(root.flat, (y for row in truth for y in row), strict=True):
        assert holds(acb(x).real, y.x) and holds(acb(x).imag, y.y)
        assert acb(x).rad() < 1e-28


def test_batches():
    assert ball.eigvalsh([[[2, 1], [1, 2]], [[0, 1], [1, 0]]]).shape == (2, 2)
    assert ball.sqrtm(np.zeros((0, 3, 2, 2))).shape == (0, 3)
    root = ball.sqrtm([[[[4, 0], [0, 9]]]])
    assert root.shape == (1, 1, 2, 2) and [x.unique_fmpz() for x in root.flat] == [2, 0, 0, 3]


def test_matrices_of_balls():
    """Roots of roots: 16^(1/4) and 81^(1/4); eigenvalues of [[1, t], [t, 1]], |t| <= 1e-10."""
    m = rotated([fmpq(16), fmpq(81), fmpq(0)], True)
    twice = ball.sqrtm(ball.sqrtm(m, digits=40), digits=10)
    for x, truth in zip(ball.eigvalsh(twice, digits=10), (0, 2, 3), strict=True):
        assert x.contains(truth) and x.rad() < 1e-9
    t = arb(0, 1e-10)
    low, high = ball.eigvalsh([[1, t], [t, 1]])
    assert low.contains(1 - arb(1e-10)) and high.contains(1 + arb(1e-10)) and low.rad() < 2e-10


def test_errors():
    with pytest.raises(ValueError, match="positive semidefinite"):
        ball.sqrtm([[1, 2], [2, 1]])
    with pytest.raises(ValueError, match="positive semidefinite"):
        ball.sqrtm([[1, 0], [0, -F(1, 10**50)]])
    with pytest.raises(ValueError, match="Hermitian"):
        ball.eigvalsh([[1, 2], [3, 1]])
    with pytest.raises(ValueError, match="square"):
        ball.sqrtm([1, 2])
