"""Helper functions for single values and tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array

SCALARS = (bool, int, float, complex, np.number, np.bool_)


def exact_text(value: float) -> str:
    """Return a number with six digits, or as many as determine it, so that a rule with it is true as it reads.

    Examples
    --------
    >>> from krdtheory.audit.outputs.values import exact_text
    >>> exact_text(0.25), exact_text(12345.67), exact_text(2.0**53 - 1)
    ('0.25', '12345.67', '9007199254740991')
    """
    texts = (f"{value:.{digits}g}" for digits in range(6, 18))
    return next((text for text in texts if float(text) == value), f"{value}")


def shortest(low: float, high: float) -> float:
    """Return a number from low up to, but not including, high, with the fewest decimal digits found.

    Examples
    --------
    >>> from krdtheory.audit.outputs.values import shortest
    >>> shortest(0.30951, 0.31203), shortest(12345.67, 12345.68), shortest(-1.0, 2.0)
    (0.31, 12345.67, 0.0)
    """
    if low <= 0 < high:
        return 0.0
    middle = low / 2 + high / 2
    near = (float(f"{value:.{digits}g}") for digits in range(1, 17) for value in (low, middle))
    return next((value for value in near if low <= value < high), low)


def refuse_masked(values: Any, name: str) -> None:
    if isinstance(values, np.ma.MaskedArray):
        allowed = (
            "without a mask, which hides values that are still there: fill it, or release nan, for what is missing"
        )
        raise TypeError(f"{name} must be {allowed}; got a masked array")


def is_frame(values: Any) -> bool:
    return hasattr(values, "iloc") and getattr(values, "ndim", 0) == 2


def columns_of(frame: Any) -> tuple[list[str], list[Array]]:
    names = [str(c) for c in frame.columns]
    if len(set(names)) < len(names):
        names = [f"{name} ({k})" for k, name in enumerate(names)]
    return names, [frame.iloc[:, k].to_numpy(dtype=object) for k in range(len(names))]


def seconds_since_epoch(array: Array) -> Array:
    """Return times in microseconds, which floats represent exactly in the years 1685 to 2255."""
    unit = "datetime64[us]" if array.dtype.kind == "M" else "timedelta64[us]"
    return np.where(np.isnat(array), np.nan, array.astype(unit).astype(np.int64).astype(float))
