"""Functions of pairs of finite distributions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, reject


def checked_laws(p: Any, q: Any, ar: Arithmetic = FLOAT64) -> tuple[Any, Any]:
    """Return p and q unchanged after checking that they are probability vectors."""
    for name, value, weights in zip(("p", "q"), (p, q), ar.two_weights(p, q), strict=True):
        if (abs(weights.sum(-1) - 1) > 1e-9).any():
            reject(name, value, "probability vectors: weights that sum to 1")
    return p, q


def of_each_pair(f: Callable[[Array, Array], Any], p: Any, q: Any, ar: Arithmetic = FLOAT64) -> Any:
    """Evaluate f on every pair of vectors of a batch."""
    checked_laws(p, q, ar)
    x, y = np.broadcast_arrays(np.asarray(p, dtype=ar.dtype), np.asarray(q, dtype=ar.dtype))
    out = np.empty(x.shape[:-1], dtype=ar.dtype)
    for index in np.ndindex(out.shape):
        out[index] = f(x[index], y[index])
    return out[()]
