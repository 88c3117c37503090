"""Checks of arguments that are one number."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import reject
from krdtheory.arithmetic.mp import MP

_EXACT = MP(40)


def check_number(value: Any, name: str, low: float = 0, high: float = np.inf, allowed: str = "") -> float:
    """A finite number, positive unless `allowed` says otherwise, as a float; exact numbers are welcome."""
    x = _EXACT.parameter(value, name, -np.inf, np.inf, "a number")
    if x.shape != (1,):
        reject(name, value, "one number", TypeError)
    if not (low <= x[0] < np.inf and x[0] <= high) or (not allowed and x[0] == 0):
        reject(name, value, allowed or "a positive finite number")
    return float(x[0])


def check_delta(value: Any) -> float:
    """A delta in [0, 1)."""
    x = check_number(value, "delta", -np.inf, allowed="in [0, 1)")
    if not 0 <= x < 1:
        reject("delta", value, "in [0, 1)")
    return x


def check_count(value: Any, name: str, low: int) -> int:
    """An integer, at least `low`."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral):
        reject(name, value, f"an integer >= {low}", TypeError)
    if value < low:
        reject(name, value, f"an integer >= {low}")
    return int(value)
