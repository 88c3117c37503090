"""Functions shared by all restricted divergences."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic, PrecisionError
from krdtheory.divergences.restricted.classes import Affine, FunctionClass, Polynomials, RestrictedSolution
from krdtheory.divergences.restricted.finite import Generator

MARK = 1e-9  # accepted error of a value, relative to 1 + |value|


def is_polynomial(function_class: FunctionClass) -> bool:
    """Return whether the class is defined without functions given by the user."""
    plain = isinstance(function_class, Affine) and function_class.features is None
    return plain or isinstance(function_class, Polynomials)


def with_digits_as_needed(
    ar: Arithmetic, solve: Callable[[Arithmetic], RestrictedSolution], digits: tuple[int, ...]
) -> RestrictedSolution:
    """Return solve(ar); in float64, if too much cancels, with more and more digits, rounded."""
    try:
        return solve(ar)
    except PrecisionError as error:
        for wide in map(MP, digits if ar is FLOAT64 else ()):
            with contextlib.suppress(PrecisionError, ZeroDivisionError):
                return _rounded(solve(wide))
        raise error from None


def _rounded(found: RestrictedSolution) -> RestrictedSolution:
    """Return the solution in float64, including its arrays and functions."""

    def narrow(f: Any) -> Any:
        if callable(f):
            return lambda x: narrow(f(np.asarray(x, dtype=object)))
        return np.asarray(f).astype(float)[()]

    parts = (found.value, found.upper, found.divergence, found.coefficients, found.maximiser, found.density)
    return RestrictedSolution(*map(narrow, parts))


def alpha_divergence(ar: Arithmetic, renyi: Any, order: Any) -> Any:
    exponent = (order - 1) * renyi
    return ar.expm1(exponent) / (order * (order - 1)) if exponent < ar.max_exponent else ar.inf


def check_gap(ar: Arithmetic, value: Any, upper: Any) -> None:
    allowed = ar.resolution(1e-9, 10)
    if not upper - value <= allowed * (1 + abs(value)):
        raise PrecisionError(f"the dual bound stayed {float(upper - value):.1e} above the value found")


def unscaled(ar: Arithmetic, value: Any, upper: Any, order: Any) -> tuple[Any, Any, Any]:
    """Return the Renyi divergence, its bound and D_f^H from values of E_P h - E_Q f*(h) without the constant of f*."""
    if order is None:
        return value, upper, value
    a = order * (order - 1)
    first, second = (ar.log(a * v) / (order - 1) if v > 0 else -ar.inf for v in (value, upper))
    return first, second, value - 1 / a


def generator_of(psi: str, order: Any) -> Callable[[Arithmetic], Generator]:
    def make(ar: Arithmetic) -> Generator:
        alpha = 2 if order is None else order
        return Generator(ar, psi, ar.number(alpha))

    return make
