"""Factors of Gram matrices of low effective rank, from those of their columns that are asked for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpstrf

from krdtheory.arithmetic.base import Array
from krdtheory.arithmetic.float64 import EPS

BLOCK = 64
RESIDUAL = 16 * EPS  # of a diagonal entry, 1: a few times what rounding leaves of it
SMALLEST_PIVOT = 0.02  # of a block, relative to the largest of all: its columns must be told apart


def low_rank_factor(gram: Callable[[Array, Array | None], Array], n: int, most: int) -> tuple[Array, Array] | None:
    """F (n, r) with gram - F F^T positive semidefinite up to rounding, and the diagonal of that, at most `RESIDUAL`.

    Cholesky's method with pivots drawn in blocks, each with a probability proportional to what is left of its diagonal
    entry; of a block those are kept that are not nearly dependent (Epperly, Tropp and Webber 2024). ``gram(columns,
    rows)`` gives entries of the matrix, whose diagonal is one, of all rows for None. It takes O(n r) memory and O(n
    r^2) operations.

    None where the rank is seen to be more than `most`, even if what is left went on falling at the rate of so far.
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
