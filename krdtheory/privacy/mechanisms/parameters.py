"""The parameters of mechanisms in each number system."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import mpmath
import numpy as np

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic
from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.float64 import Float64
from krdtheory.privacy.guarantees import EXTENDED, raised, rounded_up

EXACT = MP(40)


def rounded_up_float(value: Any) -> float:
    """Return the least float64 not below a number known to 40 digits, so that calibrated noise is never too small."""
    return float(rounded_up(raised(np.asarray(value).flat[0], 35)))


@singledispatch
def as_number(ar: Arithmetic, value: Any) -> Array:
    """Convert a checked parameter to a number system."""
    return ar.parameter(value, "value", -np.inf, np.inf, "")


@as_number.register(Float64)
def _as_float(ar: Float64, value: Any) -> Array:
    """Return the nearest float, also for exact numbers, which arrays of floats do not accept."""
    number = EXACT.parameter(value, "value", -np.inf, np.inf, "")[0]
    return np.asarray(np.longdouble(mpmath.nstr(number, 30)) if ar is EXTENDED else float(number))


def integers(value: Any, name: str) -> Array:
    """Return an array of integers; floats that are integers are accepted."""
    x = FLOAT64.array(value, name)
    if np.iscomplexobj(x) or (x != np.floor(x)).any():
        reject(name, value, "integers")
    exact = np.asarray(value)
    return (exact if exact.dtype.kind in "iu" else x).astype(np.int64)


def ceiling(x: Array) -> Array:
    """Return the least integer not below x, in the number system of x."""
    if x.dtype != object:
        return np.ceil(x)
    return np.frompyfunc(lambda v: v.context.ceil(v), 1, 1)(x)
