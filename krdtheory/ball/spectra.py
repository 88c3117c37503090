"""Eigenvalues and square roots of exact Hermitian matrices, or of matrices of balls."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import ctx, fmpq

from krdtheory.arithmetic.ball import Eigen, Matrix, Power, UndecidedError, positive_eigen
from krdtheory.arithmetic.base import Array
from krdtheory.ball.inputs import mapped, matrices


def eigvalsh(matrix: Any, *, digits: int = 50) -> Any:
    """Eigenvalues of Hermitian matrices, in ascending order.

    Parameters
    ----------
    matrix : array_like, shape (..., n, n)
        Exactly Hermitian, rational or Gaussian rational; or of balls.
    digits : int
        Required number of correct digits.

    Returns
    -------
    array of arb, shape (..., n)
        The i-th ball contains the i-th eigenvalue; 0 is exact, as its multiplicity is found over Q. Balls of equal or
        nearly equal eigenvalues overlap. For a matrix of balls they contain the eigenvalues of every Hermitian matrix
        in it, and are as narrow as it allows.

    Raises
    ------
    UndecidedError
        Not certified at the highest precision.
    ValueError, TypeError
        Not exactly Hermitian.

    References
    ----------
    Weyl's inequality on a residual: `krdtheory.arithmetic.ball`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> [x.str(12) for x in ball.eigvalsh([[2, 1, 0], [1, 1, 0], [0, 0, 0]], digits=20)]
    ['0', '[0.381966011250 +/- 1.06e-13]', '[2.61803398875 +/- 1.06e-13]']
    """
    return mapped(eigenvalues_of, {"matrix": matrices(matrix, "matrix")}, digits)


def sqrtm(matrix: Any, *, digits: int = 50) -> Any:
    """Positive semidefinite square roots of positive semidefinite matrices.

    Parameters
    ----------
    matrix : array_like, shape (..., n, n)
        Exactly Hermitian, rational or Gaussian rational, positive semidefinite (which is proved). A matrix of balls
        represents the positive semidefinite matrices in it.
    digits : int
        Required number of correct digits.

    Returns
    -------
    array of arb or acb, shape (..., n, n)
        Balls that contain the entries, and are valid input for `krdtheory.ball`.

    Raises
    ------
    UndecidedError
        Not certified at the highest precision.
    ValueError, TypeError
        The matrix is not positive semidefinite, or not exactly Hermitian.

    Examples
    --------
    >>> from krdtheory import ball
    >>> root = ball.sqrtm([[5, 4], [4, 5]], digits=10)
    >>> [x.unique_fmpz() for x in root.flat]
    [2, 1, 1, 2]
    """
    return mapped(_root, {"matrix": matrices(matrix, "matrix")}, digits)


def eigenvalues_of(matrix: Matrix) -> Array:
    eigen = Eigen.of(matrix.at_precision())
    if matrix.exact is not None and not all(abs(x) > eigen.eta for x in eigen.values):
        eigen = eigen.of_rank(matrix.rank)
        if not all(abs(x) > eigen.eta for i, x in enumerate(eigen.values) if i not in eigen.zeros):
            raise UndecidedError(f"eigenvalues are not separated from 0 at {ctx.prec} bits")
    return np.array(eigen.spectrum(), dtype=object)


def _root(matrix: Matrix) -> Array:
    image = positive_eigen(matrix, "matrix").apply(Power(fmpq(1, 2)))
    out = np.empty((matrix.size, matrix.size), dtype=object)
    out.flat[:] = image.entries()
    return out
