"""Check the arguments of compositions, and subtract from a total delta the probability of revealing outputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from krdtheory.arithmetic import Arithmetic
from krdtheory.arithmetic.base import Array, reject
from krdtheory.privacy.conversions.arguments import as_bound

MOST_FOLDS = 10**9


def checked_mechanisms(ar: Arithmetic, epsilon: Any, delta: Any, k: Any, most: int = 0) -> dict[str, Array]:
    n = ar.parameter(k, "k", 1, MOST_FOLDS, f"an integer from 1 to {MOST_FOLDS}")
    for fold in n.flat:
        if fold != int(fold):
            reject("k", fold, f"an integer from 1 to {MOST_FOLDS}", TypeError)
    d = ar.parameter(delta, "delta", 0, 1, "in [0, 1]") if most else checked_below_one(ar, delta, "delta")
    return {"epsilon": as_bound(ar, epsilon, "epsilon"), "delta": d, "k": n}


def checked_below_one(ar: Arithmetic, value: Any, name: str) -> Array:
    x = ar.parameter(value, name, 0, 1, "in [0, 1)")
    if (x == 1).any():
        reject(name, value, "in [0, 1)")
    return x


def share_left(ar: Arithmetic, total: Any, hidden: Any) -> Any:
    """Return 1 - (1 - total) / e^hidden, the delta left once outputs that reveal everything are set aside; `hidden` is
    the log-probability that no output does. It takes more digits, as the two may be nearly equal, and where
    total < 1 - e^hidden only the sign of the result matters."""
    context = ar.wide.context
    left = -context.expm1(min(context.log1p(-context.convert(total)) - hidden, 1))
    return ar.number(left)


def unrevealed(ar: Arithmetic, d: Array, n: Array, total: Array) -> Array:
    """Return `share_left`, elementwise, of n mechanisms that each reveal everything with probability d."""
    context = ar.wide.context

    def left(one: Any, fold: Any, most: Any) -> Any:
        return share_left(ar, most, int(fold) * context.log1p(-context.convert(one)))

    value = np.asarray(np.frompyfunc(left, 3, 1)(d, n, total), dtype=object)
    return value.astype(ar.dtype)
