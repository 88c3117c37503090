"""Divergences of noise from the same noise moved."""

from __future__ import annotations

import numpy as np

from krdtheory.arithmetic import Arithmetic
from krdtheory.arithmetic.base import Array

NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
NODES, WEIGHTS = (NODES + 1) / 2, WEIGHTS / 2  # on [0, 1]


def laplace_renyi(ar: Arithmetic, a: Array, loss: Array) -> Array:
    """D_a, a >= 1/2, of Laplace laws of scale 1 at distance `loss`.

    The closed form loses the digits that a small `loss` has before it. There the divergence is
    log(1 + sum p (1 - e^{-a l}) (e^{(a - 1) l} - 1)) / (a - 1) over the positive losses l, whose terms have one sign;
    on (0, loss) their density is e^{-(loss - l) / 2} / 4, and `loss` has mass 1/2.
    """
    s, slope = a - 1, 2 * a - 1
    nonzero, span = np.where(s == 0, 1, s), np.where(loss > 0, slope, 0) * loss  # the slope may overflow
    r = np.where(span == 0, loss, -ar.expm1(-span) / np.where(slope == 0, 1, slope))
    value = loss + np.where(s == 0, -r, ar.log1p(-s * r) / nonzero)
    near = (loss < 1) & (span < 4)
    if ar.exact_input or not near.any():
        return value
    top, a, s = (np.where(near, x, 0)[..., None] for x in (loss, a, s))
    losses = np.concatenate([top, top * NODES], -1)
    p = np.concatenate([0.5 + 0 * top, top * WEIGHTS * np.exp(-top * (1 - NODES) / 2) / 4], -1)
    growth = np.where(s == 0, losses, np.expm1(s * losses) / np.where(s == 0, 1, s))
    excess = (p * -np.expm1(-a * losses) * growth).sum(-1)
    return np.where(near, ar.log1p_quotient(s[..., 0], excess), value)
