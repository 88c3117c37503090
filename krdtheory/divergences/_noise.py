"""Divergences of additive noise from the same noise shifted."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from krdtheory.arithmetic import Arithmetic, Float64
from krdtheory.arithmetic.base import Array

NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
NODES, WEIGHTS = (NODES + 1) / 2, WEIGHTS / 2  # on [0, 1]


@singledispatch
def laplace_renyi(ar: Arithmetic, a: Array, loss: Array) -> Array:
    """Return D_a, a >= 1/2, of Laplace distributions of scale 1 at distance `loss`."""
    return _closed_form(ar, a, loss)


def _closed_form(ar: Arithmetic, a: Array, loss: Array) -> Array:
    s, slope = a - 1, 2 * a - 1
    nonzero, span = np.where(s == 0, 1, s), _span(a, loss)
    r = np.where(span == 0, loss, -ar.expm1(-span) / np.where(slope == 0, 1, slope))
    return np.asarray(loss + np.where(s == 0, -r, ar.log1p(-s * r) / nonzero))


def _span(a: Array, loss: Array) -> Array:
    """Return (2 a - 1) loss, although 2 a - 1 may overflow."""
    return np.asarray(np.where(loss > 0, 2 * a - 1, 0) * loss)


@laplace_renyi.register(Float64)
def _laplace_renyi_in_float64(ar: Float64, a: Array, loss: Array) -> Array:
    """Use a sum without cancellation where `loss` is small and the closed form cancels. There the divergence is
    log(1 + sum p (1 - e^{-a l}) (e^{(a - 1) l} - 1)) / (a - 1) over the positive losses l, whose terms have one sign;
    on (0, loss) their density is e^{-(loss - l) / 2} / 4, and `loss` has mass 1/2.
    """
    value = _closed_form(ar, a, loss)
    s = a - 1
    near = (loss < 1) & (_span(a, loss) < 4)
    if not near.any():
        return value
    top, a, s = (np.where(near, x, 0)[..., None] for x in (loss, a, s))
    losses = np.concatenate([top, top * NODES], -1)
    p = np.concatenate([0.5 + 0 * top, top * WEIGHTS * np.exp(-top * (1 - NODES) / 2) / 4], -1)
    growth = np.where(s == 0, losses, np.expm1(s * losses) / np.where(s == 0, 1, s))
    excess = (p * -np.expm1(-a * losses) * growth).sum(-1)
    return np.where(near, ar.log1p_quotient(s[..., 0], excess), value)
