"""Factors of Gram matrices of low effective rank, computed from a few of their columns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpstrf

from krdtheory.arithmetic.base import Array
from krdtheory.arithmetic.float64 import EPS

BLOCK = 128
HEAD = 32  # rows of a factor that are subtracted first
PIECE = 4096  # columns of the factor computed at a time, which fit in a cache
RESIDUAL = 16 * EPS  # of a diagonal entry, which is 1; a few times its rounding error
SMALLEST_PIVOT = 0.02  # of a block, relative to the largest residual: smaller ones are nearly dependent


def low_rank_factor(gram: Callable[[Array, Array | slice], Array], n: int, most: int) -> tuple[Array, Array] | None:
    """Return F (r, n) with gram - F^T F positive semidefinite up to rounding, and its diagonal, at most `RESIDUAL`.

    This is Cholesky's method with pivots drawn in blocks, each with a probability proportional to the residual of its
    diagonal entry; pivots of a block that are nearly dependent are dropped (Epperly, Tropp and Webber 2024).
    ``gram(columns, rows)`` returns entries of the matrix, whose diagonal is one. It takes O(n r) memory and O(n r^2)
    operations.

    Return None if the residual decreases so slowly that the rank would exceed `most`.
    """
    rng, rank = np.random.default_rng(0), 0
    factor, left = np.empty((4 * BLOCK, n)), np.ones(n)  # memory that is not written to costs nothing
    while (worst := left.max()) > RESIDUAL:
        mean = left.mean()
        if rank and rank * np.log(RESIDUAL) < most * np.log(mean):
            return None
        drawn = rng.choice(n, min(BLOCK, int(np.count_nonzero(left))), replace=False, p=left / left.sum())
        drawn[0] = left.argmax() if left.argmax() not in drawn else drawn[0]
        rest = _rest(factor[:rank, drawn], factor[:rank, drawn], gram(drawn, drawn))
        lower, pivots, count, _ = dpstrf(rest, lower=1, tol=max(SMALLEST_PIVOT * worst, RESIDUAL / 2))
        if count == 0:
            break
        chosen, lower = drawn[pivots[:count] - 1], np.tril(lower[:count, :count])
        if rank + count > len(factor):
            factor = np.concatenate([factor, np.empty_like(factor)])
        known = factor[:rank, chosen]
        for start in range(0, n, PIECE):
            piece = slice(start, start + PIECE)
            rest = _rest(known, factor[:rank, piece], gram(chosen, piece).T)
            factor[rank : rank + count, piece] = new = solve_triangular(lower, rest, lower=True, overwrite_b=True)
            left[piece] -= (new * new).sum(0)
        np.maximum(left, 0, out=left)
        left[chosen] = 0
        rank += int(count)
    factor = factor[:rank]
    return factor, np.abs(1 - np.einsum("ij,ij->j", factor, factor))  # rounding errors included


def _rest(x: Array, y: Array, gram: Array) -> Array:
    """Return gram - x^T y. The first rows, which make it small, are subtracted first: the others are then not rounded
    next to large sums."""
    return np.asarray(gram - x[:HEAD].T @ y[:HEAD] - x[HEAD:].T @ y[HEAD:])
