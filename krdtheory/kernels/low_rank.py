"""Factors of Gram matrices of low effective rank, computed from a few of their columns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpstrf

from krdtheory.arithmetic.base import Array
from krdtheory.arithmetic.float64 import EPS

BLOCK = 64
RESIDUAL = 16 * EPS  # of a diagonal entry, which is 1; a few times its rounding error
SMALLEST_PIVOT = 0.02  # of a block, relative to the largest residual: smaller ones are nearly dependent


def low_rank_factor(gram: Callable[[Array, Array | None], Array], n: int, most: int) -> tuple[Array, Array] | None:
    """Return F (n, r) with gram - F F^T positive semidefinite up to rounding, and its diagonal, at most `RESIDUAL`.

    This is Cholesky's method with pivots drawn in blocks, each with a probability proportional to the residual of its
    diagonal entry; pivots of a block that are nearly dependent are dropped (Epperly, Tropp and Webber 2024).
    ``gram(columns, rows)`` returns entries of the matrix, whose diagonal is one; None means all rows. It takes O(n r)
    memory and O(n r^2) operations.

    Return None if the residual decreases so slowly that the rank would exceed `most`.
    """
    rng, rank = np.random.default_rng(0), 0
    blocks: list[Array] = []
    left = np.ones(n)
    while (worst := left.max()) > RESIDUAL:
        mean = left.mean()
        if rank and rank * np.log(RESIDUAL) < most * np.log(mean):
            return None
        drawn = rng.choice(n, min(BLOCK, int(np.count_nonzero(left))), replace=False, p=left / left.sum())
        drawn[0] = left.argmax() if left.argmax() not in drawn else drawn[0]
        rest = gram(drawn, drawn)
        for block in blocks:
            rest -= block[drawn] @ block[drawn].T
        lower, pivots, count, _ = dpstrf(rest, lower=1, tol=max(SMALLEST_PIVOT * worst, RESIDUAL / 2))
        if count == 0:
            break
        chosen = drawn[pivots[:count] - 1]
        columns = gram(chosen, None)
        for block in blocks:
            columns -= block @ block[chosen].T
        new = np.ascontiguousarray(solve_triangular(np.tril(lower[:count, :count]), columns.T, lower=True).T)
        blocks.append(new)
        rank += int(count)
        left = np.maximum(left - (new * new).sum(1), 0)
        left[chosen] = 0
    return np.concatenate(blocks, axis=1), left
