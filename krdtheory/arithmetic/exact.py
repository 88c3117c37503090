"""Accepted numbers of every number system; exact rational input, and ranks of matrices over Q and Q(i).

The same rules hold for float64, mpmath and balls:

- float64 takes NumPy's integers, floats and, in matrices, complex numbers. Types that it would round (`Fraction`,
  `Decimal`, strings, sympy, mpmath and python-flint numbers) raise a TypeError there and are accepted by the other two.
- Where a real number is required, a number of a complex type raises a TypeError, even if its imaginary part is 0.
- An infinity of any type, and the string "inf", is accepted if the range of the argument contains it, and NaN never is;
  otherwise a ValueError names the range.
- Booleans, None and objects that are not numbers raise a TypeError, masked entries a ValueError, ragged rows a
  TypeError.
- An irrational number of sympy is evaluated at the working precision by mpmath, and enclosed by balls of 4096 bits;
  orders and regularisations in balls are rational.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from numbers import Integral, Rational
from threading import RLock
from typing import Any

import flint
import numpy as np
from mpmath.libmp import finf, fnan, fninf

from krdtheory.arithmetic.base import Array, reject, unwrapped

Parts = tuple[flint.fmpq, flint.fmpq]
_INFINITIES = {"inf": 1, "+inf": 1, "-inf": -1, "infinity": 1, "+infinity": 1, "-infinity": -1}


_LOCK = RLock()


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Set the working precision of python-flint, for one thread at a time: it is global, so that threads would restore
    each other's precision."""
    with _LOCK, flint.ctx.workprec(bits):
        yield


def is_sympy(x: Any) -> bool:
    """Return whether it is an expression of sympy, which is imported already if so."""
    module = sys.modules.get("sympy")
    return module is not None and isinstance(x, getattr(module, "Expr", ()))


def infinite_sign(x: Any) -> int:
    """Return 1 or -1 for an infinity of any type, also as a string, and 0 otherwise."""
    if type(x) is float or type(x) is int:
        return 0 if -math.inf < x < math.inf or x != x else 1 if x > 0 else -1
    if isinstance(x, str):
        return _INFINITIES.get(x.strip().lower(), 0)
    if is_sympy(x):
        import sympy

        return 1 if x is sympy.oo else -1 if x is -sympy.oo else 0
    if isinstance(x, flint.arb):
        return 1 if x == flint.arb.pos_inf() else -1 if x == flint.arb.neg_inf() else 0
    if hasattr(x, "_mpf_"):
        return 1 if x._mpf_ == finf else -1 if x._mpf_ == fninf else 0
    if isinstance(x, (float, np.floating, Decimal)) and math.isinf(x):
        return 1 if x > 0 else -1
    return 0


def is_nan(x: Any) -> bool:
    """Return whether it is NaN, of any type or as a string."""
    if type(x) is float or type(x) is int:
        return x != x
    if isinstance(x, str):
        return x.strip().lower() in ("nan", "+nan", "-nan")
    if isinstance(x, (flint.arb, flint.acb)):
        return bool(x.is_nan()) if isinstance(x, flint.arb) else not x.is_finite()
    if hasattr(x, "_mpf_"):
        return bool(x._mpf_ == fnan)
    if is_sympy(x):
        import sympy

        return x is sympy.nan
    return isinstance(x, (float, np.floating, Decimal)) and math.isnan(x)


def is_of_complex_kind(x: Any) -> bool:
    """Return whether it is of a complex type, whatever its imaginary part."""
    kinds = (complex, np.complexfloating, flint.acb)
    return isinstance(x, kinds) or hasattr(x, "_mpc_") or type(x).__name__ in ("GaussianRational", "GaussianInteger")


def rational_parts(x: Any) -> Parts | None:
    """Return the real and the imaginary part of x as exact rationals, or None if x is irrational (sqrt(2), say).

    Integers, `Fraction`, `Decimal`, decimal and fraction strings, sympy rationals, python-flint rationals, mpmath
    numbers and floats (the dyadic rationals they are) are exact, and so are complex ones of these parts ("1/2-3/11*I").

    Raises
    ------
    TypeError
        x is not a number.
    ValueError
        x is not finite, or has an exponent beyond a million.
    """
    zero = flint.fmpq(0)
    if type(x) is float:
        return _dyadic(x), zero
    if type(x) is complex:
        return _dyadic(x.real), _dyadic(x.imag)
    if isinstance(x, (bool, np.bool_)):
        raise TypeError("a boolean is not a number")
    if isinstance(x, (flint.fmpq, flint.fmpz)):
        return flint.fmpq(x), zero
    if isinstance(x, (flint.arb, flint.acb)) and not x.is_exact():
        raise TypeError("a ball with a radius is not one number")
    if isinstance(x, Integral):
        return flint.fmpq(int(x)), zero
    if isinstance(x, Rational):
        return flint.fmpq(int(x.numerator), int(x.denominator)), zero
    if isinstance(x, (float, np.floating)):
        return _dyadic(float(x)), zero
    if isinstance(x, (complex, np.complexfloating)):
        return _dyadic(float(x.real)), _dyadic(float(x.imag))
    if isinstance(x, (str, Decimal)):
        return _written(str(x))
    if is_sympy(x) and x.is_Float:
        return _mpf(x._mpf_), zero
    if is_sympy(x):  # before mpmath's numbers, as sympy's have the same attributes, at 15 digits
        real, imaginary = x.as_real_imag()
        if real.is_Rational and imaginary.is_Rational:
            return flint.fmpq(int(real.p), int(real.q)), flint.fmpq(int(imaginary.p), int(imaginary.q))
        if x.is_number and (x.is_finite is False or is_nan(x)):
            raise ValueError(f"{x} is not finite")
        if x.is_number:
            return None
    if hasattr(x, "_mpf_"):
        return _mpf(x._mpf_), zero
    if hasattr(x, "_mpc_"):
        return _mpf(x._mpc_[0]), _mpf(x._mpc_[1])
    if type(x).__name__ in ("GaussianRational", "GaussianInteger"):
        return flint.fmpq(x.x), flint.fmpq(x.y)
    raise TypeError(f"{x!r} is not a number")


_PLAIN = r"[0-9.]+(?:e[+-]?[0-9]+)?(?:/[0-9]+)?"
_COMPLEX = re.compile(
    rf"(?P<re>[+-]?{_PLAIN}(?![0-9.]*\*?[ij]))?(?:(?P<sign>[+-]?)(?P<im>{_PLAIN})?\*?[ij](?:/(?P<over>[0-9]+))?)?"
)


_EXPONENT = re.compile(r"[eE][+-]?([0-9]+)")
MOST_EXPONENT = 10**6


def check_exponent(text: str) -> None:
    """Raise ValueError if a number as a string has so large an exponent that its digits alone would take long."""
    for digits in _EXPONENT.findall(text):
        if len(digits.lstrip("0")) > 7 or int(digits) > MOST_EXPONENT:
            raise ValueError(f"{text!r} has an exponent beyond {MOST_EXPONENT}")


def _written(text: str) -> Parts:
    """Parse a decimal or a fraction, or two of them with the second times I: "0.1", "-3/11", "1/2-3/11*I"."""
    check_exponent(text)
    found = _COMPLEX.fullmatch("".join(text.split()).lower())
    try:
        if found is None or found["sign"] is None:
            real, imaginary = Fraction(text), Fraction(0)
        else:
            real = Fraction(found["re"] or 0)
            imaginary = Fraction(found["sign"] + (found["im"] or "1")) / Fraction(found["over"] or 1)
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        raise ValueError(f"{text!r} is not a finite decimal or fraction") from error
    return flint.fmpq(real.numerator, real.denominator), flint.fmpq(imaginary.numerator, imaginary.denominator)


def _dyadic(x: float) -> flint.fmpq:
    if not math.isfinite(x):
        raise ValueError(f"{x} is not finite")
    return flint.fmpq(*x.as_integer_ratio())


def _mpf(raw: Any) -> flint.fmpq:
    sign, mantissa, exponent, _ = raw
    if not mantissa and exponent:
        raise ValueError("an infinity or NaN is not finite")
    if abs(exponent) > 4 * MOST_EXPONENT:
        raise ValueError(f"a number has a binary exponent beyond {4 * MOST_EXPONENT}")
    value = flint.fmpq(int(-mantissa if sign else mantissa))
    return value * flint.fmpq(2) ** int(exponent)


@dataclass(frozen=True)
class ExactMatrix:
    """A matrix over Q(i), as its real and imaginary parts."""

    re: flint.fmpq_mat
    im: flint.fmpq_mat | None

    @classmethod
    def of(cls, parts: list[list[Parts]]) -> ExactMatrix:
        """Return the matrix with these rows of (real, imaginary) rationals."""
        rows, columns = len(parts), len(parts[0])
        re = flint.fmpq_mat(rows, columns, [x[0] for row in parts for x in row])
        if all(x[1] == 0 for row in parts for x in row):
            return cls(re, None)
        return cls(re, flint.fmpq_mat(rows, columns, [x[1] for row in parts for x in row]))

    def _embedded(self, complex_: bool) -> flint.fmpq_mat:
        """Return the real 2n x 2m matrix [[re, -im], [im, re]] if `complex_`, otherwise re."""
        if not complex_:
            return self.re
        n, m = self.re.nrows(), self.re.ncols()
        zero = flint.fmpq(0)
        im = self.im
        rows = [
            [self.re[i, j] for j in range(m)] + [zero if im is None else -im[i, j] for j in range(m)] for i in range(n)
        ]
        rows += [
            [zero if im is None else im[i, j] for j in range(m)] + [self.re[i, j] for j in range(m)] for i in range(n)
        ]
        return flint.fmpq_mat(2 * n, 2 * m, [x for row in rows for x in row])

    def rank(self) -> int:
        """Return the rank over Q(i)."""
        return self._rank

    @cached_property
    def _rank(self) -> int:
        complex_ = self.im is not None
        return int(self._embedded(complex_).rank()) // (2 if complex_ else 1)

    def rank_of_product(self, other: ExactMatrix) -> int:
        """Return the rank of self @ other."""
        complex_ = self.im is not None or other.im is not None
        product = self._embedded(complex_) * other._embedded(complex_)
        return int(product.rank()) // (2 if complex_ else 1)

    def rank_beside(self, other: ExactMatrix) -> int:
        """Return the rank of [self | other]."""
        complex_ = self.im is not None or other.im is not None
        x, y = self._embedded(complex_), other._embedded(complex_)
        rows = [[*(x[i, j] for j in range(x.ncols())), *(y[i, j] for j in range(y.ncols()))] for i in range(x.nrows())]
        joined = flint.fmpq_mat(x.nrows(), x.ncols() + y.ncols(), [v for row in rows for v in row])
        return int(joined.rank()) // (2 if complex_ else 1)


def entries_array(value: Any, name: str) -> Array:
    """Return `value` as an object array of its entries."""
    value = unwrapped(value)
    if np.ma.is_masked(value):
        raise ValueError(f"{name} must have no masked entries; got a masked array")
    if hasattr(value, "tolist") and not isinstance(value, np.ndarray):
        value = value.tolist()
    try:
        entries = np.array(value, dtype=object)
    except ValueError:
        reject(name, value, "a rectangular array of numbers", TypeError)
    if any(isinstance(x, (list, tuple)) for x in entries.flat):  # NumPy leaves ragged rows as lists
        reject(name, value, "a rectangular array of numbers", TypeError)
    return entries


def refuse_complex(value: Any, name: str) -> None:
    """Raise TypeError if `value` has entries of a complex type."""
    if any(map(is_of_complex_kind, entries_array(value, name).flat)):
        reject(name, value, "real", TypeError)


def parts_array(value: Any, name: str, allowed: str = "finite") -> tuple[Array, Array]:
    """Return `value` as an object array of its entries and an array of their rational parts (None where irrational);
    infinite and NaN entries are rejected as not `allowed`."""
    entries = entries_array(value, name)
    parts = np.empty(entries.shape, dtype=object)
    for index in np.ndindex(entries.shape):
        parts[index] = checked_parts(entries[index], name, allowed)
    return entries, parts


def checked_parts(x: Any, name: str, allowed: str = "finite") -> Parts | None:
    """Return `rational_parts`, with errors that name the argument."""
    if infinite_sign(x) or is_nan(x):
        reject(name, x, allowed)
    try:
        return rational_parts(x)
    except (TypeError, ValueError) as error:
        reject(name, x, f"finite numbers ({error})", type(error))
