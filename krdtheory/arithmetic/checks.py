"""Checks of arguments that are single numbers."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from numbers import Integral
from typing import Any, ParamSpec, TypeVar

import numpy as np

from krdtheory.arithmetic.base import Arithmetic, reject
from krdtheory.arithmetic.mp import MP

P = ParamSpec("P")
R = TypeVar("R")
_EXACT = MP(40)


def renamed(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep accepting arguments by their former names, with a DeprecationWarning: `renamed(seed="rng")`."""

    def with_old_names(f: Callable[P, R]) -> Callable[P, R]:
        @wraps(f)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for old in names.keys() & kwargs.keys():
                if names[old] in kwargs:
                    raise TypeError(f"{names[old]} must not be given as {old} too, as it was called before")
                text = f"{old} is called {names[old]} now, and goes in version 0.3"
                warnings.warn(text, DeprecationWarning, stacklevel=2)
                kwargs[names[old]] = kwargs.pop(old)
            return f(*args, **kwargs)

        return call

    return with_old_names


def check_number(value: Any, name: str, low: float = 0, high: float = np.inf, allowed: str = "") -> float:
    """Return a finite number, positive unless `allowed` says otherwise, as a float; exact numbers are accepted."""
    x = _EXACT.parameter(value, name, -np.inf, np.inf, "a number")
    if x.shape != (1,):
        reject(name, value, "one number", TypeError)
    if not (low <= x[0] < np.inf and x[0] <= high) or (not allowed and x[0] == 0):
        reject(name, value, allowed or "a positive finite number")
    return float(x[0])


def one_number(ar: Arithmetic, value: Any, name: str, above: float, allowed: str) -> Any:
    """Return a finite number greater than `above`, in the number system."""
    x = ar.parameter(value, name, above, np.finfo(float).max, allowed)
    if ar.shape(x):
        reject(name, value, "one number", TypeError)
    number = x.flat[0]
    if not number > above:
        reject(name, value, allowed)
    return number


def check_delta(value: Any) -> float:
    """Return a delta in [0, 1)."""
    x = check_number(value, "delta", -np.inf, allowed="in [0, 1)")
    if not 0 <= x < 1:
        reject("delta", value, "in [0, 1)")
    return x


def check_count(value: Any, name: str, low: int) -> int:
    """Return an integer that is at least `low`."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral):
        reject(name, value, f"an integer >= {low}", TypeError)
    if value < low:
        reject(name, value, f"an integer >= {low}")
    return int(value)
