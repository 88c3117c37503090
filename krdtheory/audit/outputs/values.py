"""Helper functions for single values and tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array

SCALARS = (bool, int, float, complex, np.number, np.bool_)


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
