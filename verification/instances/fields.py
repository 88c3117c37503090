"""Fields of numbers from which instances are built, and conversion of exact values to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array


class Field:
    """A field to build with: float64, the numbers of an mpmath context, or exact rationals."""

    def __init__(self, convert: Callable[[int], Any] | None, complex_unit: Any) -> None:
        self._convert, self._unit = convert, complex_unit

    def real(self, integers: Array) -> Array:
        """Return an array of integers as numbers of the field."""
        if self._convert is None:
            return integers.astype(float)
        convert = self._convert
        return np.asarray(np.frompyfunc(lambda x: convert(int(x)), 1, 1)(integers))

    def complex(self, re: Array, im: Array) -> Array:
        """Return re + i im for arrays of integers."""
        if not im.any():
            return self.real(re)
        if self._convert is Fraction:
            return np.frompyfunc(lambda x, y: gaussian(int(x), int(y)), 2, 1)(re, im)
        return self.real(re) + self._unit * self.real(im)

    def number(self, x: Any) -> Any:
        """Return a rational, or a Gaussian rational, as a number of the field."""
        if self._convert is Fraction:
            return x
        re, im = parts(x)
        if self._convert is None:
            return complex(float(re), float(im)) if im else float(re)
        real, imaginary = (self._convert(y.numerator) / self._convert(y.denominator) for y in (re, im))
        return real + self._unit * imaginary if im else real

    def conj(self, x: Array) -> Array:
        """Return the complex conjugate."""
        if x.dtype != object:
            return np.conj(x)
        return np.frompyfunc(lambda v: gaussian(v.x, -v.y) if hasattr(v, "y") else v.conjugate(), 1, 1)(x)

    def identity(self, n: int) -> Array:
        """Return the identity matrix."""
        return self.real(np.eye(n, dtype=int))

    def inverse(self, matrix: Array) -> Array:
        """Return the inverse of invertible matrices (batch, n, n), by Gauss-Jordan elimination except in float64."""
        if self._convert is None:
            return np.linalg.inv(matrix)
        n = matrix.shape[-1]
        out = []
        for one in matrix:
            work = np.concatenate([one, self.identity(n)], 1)
            for i in range(n):
                pivot = next(j for j in range(i, n) if work[j, i] != 0)
                work[[i, pivot]] = work[[pivot, i]]
                work[i] = work[i] / work[i, i]
                for j in range(n):
                    if j != i:
                        work[j] = work[j] - work[i] * work[j, i]
            out.append(work[:, n:])
        return np.stack(out)


FLOATS = Field(None, 1j)
RATIONALS = Field(Fraction, None)


def multiprecision(context: Any) -> Field:
    """Return the field of numbers of an mpmath context."""
    return Field(context.mpf, context.mpc(0, 1))


def gaussian(re: Any, im: Any = 0) -> Any:
    """Return re + i im, a number of Q(i), for rationals of any type."""
    from sympy.polys.domains import QQ, QQ_I  # sympy takes half a second to import, and real numbers need not

    return QQ_I(*(QQ(int(part.numerator), int(part.denominator)) for part in (re, im)))


def parts(x: Any) -> tuple[Fraction, Fraction]:
    """Return the real and imaginary part of an integer, a Fraction or a Gaussian rational."""
    if hasattr(x, "y"):
        re, im = (Fraction(int(part.numerator), int(part.denominator)) for part in (x.x, x.y))
        return re, im
    return Fraction(x), Fraction(0)


@dataclass(frozen=True)
class Region:
    """The counts (a, b) of n and m trials with a >= staircase[:, b], a set up-closed in a and down-closed in b."""

    n: Any
    m: Any
    staircase: Any


@dataclass(frozen=True)
class Channel:
    """A quantum channel, given by its Stinespring isometry, (batch, out * environment, in)."""

    isometry: Array
    out: int
    conj: Callable[[Array], Array]

    @property
    def kraus(self) -> Array:
        """The Kraus operators, (environment, batch, out, in)."""
        v = self.isometry
        environment = v.shape[-2] // self.out
        return np.moveaxis(v.reshape(v.shape[0], self.out, environment, v.shape[-1]), 2, 0)

    def __call__(self, matrix: Array) -> Array:
        kraus = self.kraus
        return (kraus @ matrix @ self.conj(kraus.swapaxes(-1, -2))).sum(0)


def converted(value: Any, field: Field) -> Any:
    """Convert exact rationals to the numbers of `field`: an array, a list or tuple of them, a Region or a Channel."""
    if isinstance(value, (list, tuple)):
        return type(value)(converted(v, field) for v in value)
    if isinstance(value, Region):
        return value
    if isinstance(value, Channel):
        return Channel(converted(value.isometry, field), value.out, field.conj)
    if value.dtype != object:  # maps are indices in every arithmetic
        return value
    numbers = np.frompyfunc(field.number, 1, 1)(value)
    if field is FLOATS:
        return numbers.astype(complex if any(isinstance(x, complex) for x in numbers.flat) else float)
    return numbers
