"""Values in exact rationals: writing and reading them, and the exact linear algebra that determines their kind.

This module does not depend on how instances are drawn or built.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array
from verification.instances.fields import gaussian, parts

Matrix = list[list[Any]]


def shown(value: Any) -> Any:
    """Return a value (batch of one) in exact rationals as nested lists of strings, for JSON."""
    if isinstance(value, tuple):
        return [shown(v) for v in value]
    if isinstance(value, np.ndarray):
        return shown(value[0].tolist() if value.ndim > 1 else value[0])
    if isinstance(value, list):
        return [shown(v) for v in value]
    if hasattr(value, "staircase"):
        return {"n": str(value.n), "m": str(value.m), "staircase": shown(value.staircase)}
    if hasattr(value, "isometry"):
        return {"isometry": shown(value.isometry), "out": value.out}
    return str(value).replace(" ", "")


_DECIMAL = r"\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?|\.\d+(?:[eE][+-]?\d{1,3})?"
_RATIONAL = re.compile(rf"([+-]?)({_DECIMAL})(?:/(\d+))?")
_COMPLEX = re.compile(
    rf"(?P<real>[+-]?(?:{_DECIMAL})(?:/\d+)?(?=[+-]))?(?P<sign>[+-]?)(?:(?P<factor>(?:{_DECIMAL})(?:/\d+)?)\*?)?I(?:/(?P<by>\d+))?"
)


def wrong(at: str, wanted: str, got: Any) -> ValueError:
    """Return the error for a value that is not what is expected at its place."""
    text = json.dumps(got, default=str)
    return ValueError(f"{at} must be {wanted}; got {text if len(text) <= 60 else text[:57] + '...'}")


def rational(x: Any, at: str, wanted: str = 'a rational, as 3, 0.25 or "1/3"') -> Fraction:
    """Return a rational as written in JSON.

    Raises
    ------
    ValueError
        It is not a rational.
    """
    if isinstance(x, Fraction) or (isinstance(x, int) and not isinstance(x, bool)):
        return Fraction(x)
    text = repr(x) if isinstance(x, float) else x.strip() if isinstance(x, str) else ""
    found = _RATIONAL.fullmatch(text)
    if found is None or (found[3] is not None and int(found[3]) == 0):
        raise wrong(at, wanted, x)
    size = Fraction(found[2]) / int(found[3] or 1)
    return -size if found[1] == "-" else size


def complex_(x: Any, at: str) -> Any:
    """Return a Gaussian rational as `shown` writes it, "1/2+3*I/4"; a Fraction if it is real.

    Raises
    ------
    ValueError
        It is not a Gaussian rational.
    """
    wanted = 'a rational or a complex one, as "1/2+3*I/4"'
    text = x.strip() if isinstance(x, str) else ""
    found = _COMPLEX.fullmatch(text)
    if found is None:
        return rational(x, at, wanted)
    if found["by"] is not None and int(found["by"]) == 0:
        raise wrong(at, wanted, x)
    if found["real"] and not found["sign"]:
        raise wrong(at, wanted, x)
    re_ = rational(found["real"] or "0", at, wanted)
    im = rational(found["factor"] or "1", at, wanted) / int(found["by"] or 1)
    return gaussian(re_, -im if found["sign"] == "-" else im) if im else re_


def whole(x: Any, at: str, wanted: str) -> int:
    """Return an integer as written in JSON.

    Raises
    ------
    ValueError
        It is not an integer.
    """
    value = rational(x, at, wanted)
    if value.denominator != 1:
        raise wrong(at, wanted, x)
    return int(value)


def entries(x: Any, at: str, depth: int, wanted: str, read: Callable[[Any, str], Any] = rational) -> Array:
    """Return a nested list as an object array (1, ...); all lists at one depth must have the same length >= 1.

    Raises
    ------
    ValueError
        It is not such a list; the message names the place.
    """

    def checked(x: Any, at: str, depth: int) -> tuple[tuple[int, ...], list[Any]]:
        if depth == 0:
            return (), [read(x, at)]
        if not isinstance(x, (list, tuple)) or not x:
            raise wrong(at, wanted if depth > 1 else f"a list of {RATIONAL_LIST}", x)
        below = [checked(y, f"{at}[{i}]", depth - 1) for i, y in enumerate(x)]
        shapes = [shape for shape, _ in below]
        for i, shape in enumerate(shapes):
            if shape != shapes[0]:
                raise wrong(f"{at}[{i}]", f"a list as long as {at}[0]", x[i])
        return (len(x), *shapes[0]), [value for _, values in below for value in values]

    shape, values = checked(x, at, depth)
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out.reshape((1, *shape))


RATIONAL_LIST = 'rationals, as 3, 0.25 or "1/3"'


def matrices(x: Any, at: str) -> Array:
    """Return a matrix of Gaussian rationals as an object array (1, rows, columns)."""
    return entries(x, at, 2, "a matrix, a list of rows", complex_)


def listed(x: Any, at: str, count: int, wanted: str) -> Sequence[Any]:
    """Return a list of `count` values.

    Raises
    ------
    ValueError
        It is not such a list.
    """
    if not isinstance(x, (list, tuple)) or len(x) != count:
        raise wrong(at, f"a list of {count}: {wanted}", x)
    return x


# Exact linear algebra


def matrix(array: Array) -> Matrix:
    """Return the first matrix of a batch, with entries in Q(i)."""
    return [[gaussian(*parts(x)) for x in row] for row in array[0]]


def conj(x: Any) -> Any:
    """Return the complex conjugate."""
    return gaussian(x.x, -x.y)


def adjoint(a: Matrix) -> Matrix:
    """Return the conjugate transpose."""
    return [[conj(x) for x in column] for column in zip(*a, strict=True)]


def product(a: Matrix, b: Matrix) -> Matrix:
    """Return the matrix product."""
    columns = list(zip(*b, strict=True))
    return [[sum((x * y for x, y in zip(row, c, strict=True)), gaussian(0)) for c in columns] for row in a]


def combination(x: Fraction, a: Matrix, y: Fraction, b: Matrix) -> Matrix:
    """Return x a + y b."""
    p, q = gaussian(x), gaussian(y)
    return [[p * s + q * t for s, t in zip(*rows, strict=True)] for rows in zip(a, b, strict=True)]


def unit(n: int) -> Matrix:
    """Return the identity matrix."""
    return [[gaussian(int(i == j)) for j in range(n)] for i in range(n)]


def has_trace_one(a: Matrix) -> bool:
    """Whether the trace is 1."""
    return sum((a[i][i] for i in range(len(a))), gaussian(0)) == gaussian(1)


def square(array: Any, dim: int | None = None) -> bool:
    """Whether the array is a batch of one square matrix, of this dimension if one is given."""
    return (
        isinstance(array, np.ndarray)
        and array.ndim == 3
        and array.shape[0] == 1
        and array.shape[1] == array.shape[2]
        and dim in (None, array.shape[1])
    )


def semidefinite_rank(a: Matrix) -> int | None:
    """Return the rank of a Hermitian positive semidefinite matrix, by LDL^*; None for any other matrix."""
    n = len(a)
    if a != adjoint(a):
        return None
    work, rank = [list(row) for row in a], 0
    for k in range(n):
        pivot = work[k][k]
        if pivot.x < 0:
            return None
        if pivot.x == 0:
            if any(work[k][j] for j in range(k, n)):
                return None
            continue
        rank += 1
        for i in range(k + 1, n):
            factor = work[i][k] / pivot
            for j in range(k + 1, n):
                work[i][j] = work[i][j] - factor * work[k][j]
    return rank


def is_real(a: Matrix) -> bool:
    """Whether all entries are real."""
    return all(x.y == 0 for row in a for x in row)


def is_diagonal(a: Matrix) -> bool:
    """Whether all entries off the diagonal are zero."""
    return not any(x for i, row in enumerate(a) for j, x in enumerate(row) if i != j)


def is_isometry(a: Matrix) -> bool:
    """Whether a^* a = 1."""
    return product(adjoint(a), a) == unit(len(a[0]))
