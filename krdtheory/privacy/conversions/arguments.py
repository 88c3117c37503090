"""Checks of the arguments of conversions."""

from __future__ import annotations

from typing import Any

import numpy as np

from krdtheory.arithmetic import Arithmetic
from krdtheory.arithmetic.base import Array, aligned, given_at, reject

LARGEST = float(np.finfo(float).max)


def as_order(ar: Arithmetic, alpha: Any, method: str) -> Array:
    if method == "optimal":
        return ar.parameter(alpha, "alpha", 1, np.inf, "in [1, inf]")
    return as_strict(ar, alpha, "alpha", 1, None, "in (1, inf]")


def as_bound(ar: Arithmetic, value: Any, name: str) -> Array:
    return ar.parameter(value, name, 0, LARGEST, "finite and >= 0")


def as_real(ar: Arithmetic, value: Any, name: str) -> Array:
    return ar.parameter(value, name, -LARGEST, LARGEST, "a finite number")


def as_target(ar: Arithmetic, epsilon: Any, name: str, two_sided: bool) -> Array:
    e = as_real(ar, epsilon, name)
    if two_sided and (e < 0).any():
        reject(name, epsilon, "nonnegative if two_sided")
    return e


def as_delta(ar: Arithmetic, delta: Any) -> Array:
    return as_strict(ar, delta, "delta", 0, 1, "in (0, 1)")


def as_strict(ar: Arithmetic, value: Any, name: str, low: float, high: Any, allowed: str) -> Array:
    """Return numbers above `low`, and below `high` unless that is None."""
    x = ar.parameter(value, name, low, np.inf, allowed)
    outside = x <= low if high is None else (x <= low) | (x >= high)
    if outside.any():
        reject(name, given_at(value, ar.lowered(outside)), allowed)
    return x


def as_pair(ar: Arithmetic, epsilon: Any, delta: Any) -> list[Array]:
    d = ar.parameter(delta, "delta", 0, 1, "in [0, 1]")
    return broadcast_arguments(ar, epsilon=as_bound(ar, epsilon, "epsilon"), delta=d)


def broadcast_arguments(ar: Arithmetic, **arrays: Array) -> list[Array]:
    """Broadcast arguments to one shape."""
    try:
        return list(aligned(*arrays.values()))
    except ValueError:
        shapes = ", ".join(str(ar.shape(x)) for x in arrays.values())
        raise ValueError(f"{', '.join(arrays)} must have shapes that broadcast; got {shapes}") from None


def clamped(value: Array, nonnegative: bool) -> Array:
    return np.where(value > 0, value, 0) if nonnegative else value
