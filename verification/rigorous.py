"""Numbers for rigorous evaluation of a claim's function: exact rationals as long as possible, and balls after that.

Rounding decides nothing: a comparison of balls that overlap raises `UndecidedError`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from flint import acb, arb, ctx, fmpq, fmpz

from krdtheory import ball
from krdtheory.arithmetic.ball import UndecidedError, positive_power
from krdtheory.arithmetic.base import Array
from krdtheory.arithmetic.exact import ExactMatrix, rational_parts
from krdtheory.table import FUNCTIONS
from verification.instances import Field
from verification.instances.fields import gaussian
from verification.vocabulary import LIBRARY, Restrictions, Vocabulary, binomial_ends, words

ZERO = fmpq(0)
INFINITY = float("inf")
EXACT = 1 << 14  # bits of a rational power; longer powers are balls


class Number:
    """A complex number by its two parts, each a rational (`fmpq`) or a ball (`arb`) that contains it."""

    __slots__ = ("_im", "_re")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, re: Any, im: Any = ZERO) -> None:
        self._re, self._im = re, im

    @property
    def is_real(self) -> bool:
        """Whether the imaginary part is known to be zero."""
        return isinstance(self._im, fmpq) and self._im == 0

    @property
    def exact(self) -> bool:
        """Whether both parts are rationals."""
        return isinstance(self._re, fmpq) and isinstance(self._im, fmpq)

    @property
    def real(self) -> Number:
        """The real part."""
        return Number(self._re)

    @property
    def imag(self) -> Number:
        """The imaginary part."""
        return Number(self._im)

    @property
    def rational(self) -> fmpq | None:
        """The value as a rational, or None if it is a ball or not real."""
        return self._re if self.is_real and isinstance(self._re, fmpq) else None

    def part(self) -> Any:
        """Return the rational or the ball of a real number."""
        if not self.is_real:
            raise TypeError(f"{self} is not real")
        return self._re

    def flint(self) -> Any:
        """Return the value in the form that `krdtheory.ball` takes."""
        if self.is_real:
            infinite = isinstance(self._re, arb) and self._re.is_exact() and abs(self._re) == arb.pos_inf()
            return (INFINITY if self._re > 0 else -INFINITY) if infinite else self._re
        return gaussian(self._re, self._im) if self.exact else acb(self._re, self._im)

    def conjugate(self) -> Number:
        """Return the complex conjugate."""
        return Number(self._re, -self._im)

    def __neg__(self) -> Number:
        return Number(-self._re, -self._im)

    def __pos__(self) -> Number:
        return self

    def __abs__(self) -> Number:
        if self.is_real:
            return Number(abs(self._re))
        return sqrt(Number(self._re * self._re + self._im * self._im))

    def __add__(self, other: Any) -> Number:
        if isinstance(other, np.ndarray):
            return NotImplemented
        y = number(other)
        return Number(self._re + y._re, self._im + y._im)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Number:
        if isinstance(other, np.ndarray):
            return NotImplemented
        y = number(other)
        return Number(self._re - y._re, self._im - y._im)

    def __rsub__(self, other: Any) -> Number:
        return number(other) - self

    def __mul__(self, other: Any) -> Number:
        if isinstance(other, np.ndarray):
            return NotImplemented
        y = number(other)
        if self.is_real and y.is_real:
            return Number(self._re * y._re)
        return Number(self._re * y._re - self._im * y._im, self._re * y._im + self._im * y._re)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Number:
        if isinstance(other, np.ndarray):
            return NotImplemented
        y = number(other)
        if y.is_real:
            return Number(_quotient(self._re, y._re), ZERO if self.is_real else _quotient(self._im, y._re))
        size = y._re * y._re + y._im * y._im
        top = self * y.conjugate()
        return Number(_quotient(top._re, size), _quotient(top._im, size))

    def __rtruediv__(self, other: Any) -> Number:
        return number(other) / self

    def __pow__(self, other: Any) -> Number:
        if isinstance(other, np.ndarray):
            return NotImplemented
        y = number(other)
        exponent = y.rational
        if exponent is not None and exponent.q == 1 and self.exact and not (self.is_real and self._long(exponent)):
            base, n = (self, int(exponent.p)) if exponent >= 0 else (1 / self, -int(exponent.p))
            out = Number(fmpq(1))
            for bit in bin(n)[2:]:
                out = out * out * base if bit == "1" else out * out
            return out
        x = self.part()
        signed = x != 0 if isinstance(x, fmpq) else not x > 0
        if exponent is not None and signed and exponent.q == 1:
            return Number(arb(x) ** int(exponent.p))
        if isinstance(x, fmpq) and x == 0:
            if exponent is None or exponent <= 0:
                raise ZeroDivisionError("0 to a power that is not known to be positive")
            return Number(ZERO)
        if exponent is not None:
            real = arb(x)
            return Number(arb.nan() if real < 0 else positive_power(real, exponent))
        return exp(y * log(self))

    def __rpow__(self, other: Any) -> Number:
        return number(other) ** self

    def _long(self, exponent: fmpq) -> bool:
        """Whether an integer power of a rational would have more than EXACT bits."""
        size = fmpz(self._re.p).bit_length() + fmpz(self._re.q).bit_length()
        return abs(int(exponent.p)) * size > EXACT

    def _order(self, other: Any) -> int:
        """Return -1, 0 or 1 if the number is below, equal to or above `other`."""
        x, y = self.part(), number(other).part()
        if isinstance(x, fmpq) and isinstance(y, fmpq):
            return (x > y) - (x < y)
        x, y = arb(x), arb(y)
        if x < y:
            return -1
        if x > y:
            return 1
        if x.is_exact() and y.is_exact() and x == y:
            return 0
        raise UndecidedError(f"{x.str(5)} and {y.str(5)} overlap at {ctx.prec} bits")

    def __lt__(self, other: Any) -> bool:
        return self._order(other) < 0

    def __le__(self, other: Any) -> bool:
        return self._order(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self._order(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self._order(other) >= 0

    def __eq__(self, other: object) -> bool:
        y = number(other)
        return self.real._order(y.real) == 0 and self.imag._order(y.imag) == 0

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    def __int__(self) -> int:
        if self.rational is None or self.rational.q != 1:
            raise TypeError(f"{self} is no integer")
        return int(self.rational.p)

    def __repr__(self) -> str:
        parts = [str(x) if isinstance(x, fmpq) else x.str(15) for x in (self._re, self._im)]
        return parts[0] if self.is_real else f"{parts[0]} + {parts[1]}*I"


def number(x: Any) -> Number:
    """Return the `Number` for an integer, a dyadic float, a rational, an infinity or a ball."""
    if isinstance(x, Number):
        return x
    if isinstance(x, arb):
        return Number(x)
    if isinstance(x, acb):
        return Number(x.real, x.imag)
    if isinstance(x, float) and abs(x) == INFINITY:
        return Number(arb.pos_inf() if x > 0 else arb.neg_inf())
    parts = rational_parts(int(x) if isinstance(x, (bool, np.bool_)) else x)
    if parts is None:
        raise TypeError(f"{x!r} is not rational")
    return Number(*parts)


def _quotient(x: Any, y: Any) -> Any:
    if isinstance(y, fmpq) and y == 0:
        raise ZeroDivisionError("division by zero")
    return x / y


def log(x: Number) -> Number:
    """Return the logarithm of a number >= 0."""
    value = x.part()
    if isinstance(value, fmpq) and value in (0, 1):
        return Number(ZERO if value == 1 else arb.neg_inf())
    return Number(arb(value).log())


def exp(x: Number) -> Number:
    """Return the exponential."""
    value = x.part()
    return Number(fmpq(1) if isinstance(value, fmpq) and value == 0 else arb(value).exp())


def sqrt(x: Number) -> Number:
    """Return the square root of a number >= 0, rational if possible."""
    value = x.part()
    if isinstance(value, fmpq) and value >= 0:
        p, q = fmpz(value.p), fmpz(value.q)
        if p.is_square() and q.is_square():
            return Number(fmpq(p.isqrt(), q.isqrt()))
    return Number(arb(value).sqrt())


def maximum(x: Number, y: Number) -> Number:
    """Return the larger number, or for balls that overlap, a ball that contains it."""
    try:
        return x if x >= y else y
    except UndecidedError:
        return Number(arb(x.part()).max(arb(y.part())))  # NaN if either is NaN


def _elementwise(f: Callable[..., Any], inputs: int) -> Callable[..., Array]:
    ufunc = np.frompyfunc(lambda *x: f(*map(number, x)), inputs, 1)
    return lambda *arrays: np.asarray(ufunc(*arrays), dtype=object)


class RigorousVocabulary(Restrictions):
    """The names of `Vocabulary` on arrays of `Number`, at the precision of flint's context.

    Divergences are those of `krdtheory.ball`. A decision that balls do not permit raises `UndecidedError`.
    """

    exact = True
    inf = INFINITY
    log = staticmethod(_elementwise(log, 1))
    exp = staticmethod(_elementwise(exp, 1))
    sqrt = staticmethod(_elementwise(sqrt, 1))
    power = staticmethod(_elementwise(lambda x, y: x**y, 2))
    maximum = staticmethod(_elementwise(maximum, 2))
    minimum = staticmethod(_elementwise(lambda x, y: -maximum(-x, -y), 2))

    def __init__(self, digits: int) -> None:
        self.digits = digits

    @property
    def pi(self) -> Number:
        """The number pi."""
        return Number(arb.pi())

    def __getattr__(self, name: str) -> Any:
        if name not in LIBRARY and not hasattr(Vocabulary, name):
            raise AttributeError(f"a claim's vocabulary has no {name!r}; it has {', '.join(words(Vocabulary))}")
        if name not in FUNCTIONS or "ball" not in FUNCTIONS[name].systems:
            raise UndecidedError(f"krdtheory.ball has no {name}")
        formula = getattr(ball, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            plain = {key: _unwrapped(value) for key, value in kwargs.items()}
            try:
                value = formula(*map(_unwrapped, args), **plain, digits=self.digits)
            except (TypeError, ValueError, UndecidedError) as error:
                # rationals are needed and balls were given, values are not provably in range, or bounds are too wide
                raise UndecidedError(f"{name}: {error}") from error
            return _wrapped(value)

        return call

    def sqrtm(self, matrix: Array) -> Array:
        """Return the positive semidefinite square root."""
        roots = [_wrapped(ball.sqrtm(_unwrapped(m), digits=self.digits)) for m in matrix]
        return np.stack(roots)

    def dual_functional(self, h: Array, b: Array, alpha: Array) -> Array:
        """Compute `Vocabulary.dual_functional` for diagonal matrices."""
        return np.asarray((self._dual_weights(h, alpha) * _diagonal(b)).sum(-1))

    def dual_gradient(self, h: Array, base: Array, shift: Array, alpha: Array) -> Array:
        """Compute `Vocabulary.dual_gradient` for diagonal matrices: H^(alpha / (alpha - 1)), whatever B is."""
        _diagonal(base)
        return np.asarray(self._dual_weights(h, alpha)[:, None, :] * np.eye(h.shape[-1], dtype=int))

    def _dual_weights(self, h: Array, alpha: Array) -> Array:
        values = _diagonal(h)
        on = values != 0
        powers = self.power(np.where(on, values, 0 * values + 1), (alpha / (alpha - 1))[:, None])
        return np.where(on, powers, 0 * values)

    def rank(self, matrix: Array) -> Array:
        """Return the rank (batch,), over Q(i)."""
        out = np.empty(len(matrix), dtype=object)
        for i, one in enumerate(matrix):
            parts: list[Any] = [[rational_parts(x) for x in row] for row in _unwrapped(one)]
            out[i] = Number(fmpq(ExactMatrix.of(parts).rank()))
        return out

    def binomial_outside(self, n: Array, q: Array, low: Array, high: Array) -> Array:
        """Return P(X < low or X > high) for X ~ Bin(n, q), arrays (batch,)."""
        ends = [(-_floor(-x) - 1, _floor(y) + 1) for x, y in zip(low, high, strict=True)]
        balls = np.array([Number(arb(x.part())) for x in q], dtype=object)
        return binomial_ends(n, balls, ends)


def _diagonal(matrix: Array) -> Array:
    """Return the diagonal entries (batch, n) of diagonal matrices."""
    n = matrix.shape[-1]
    if (matrix[:, ~np.eye(n, dtype=bool)] != 0).any():
        raise UndecidedError("balls evaluate the dual functional of diagonal matrices only")
    return np.asarray(matrix[:, np.arange(n), np.arange(n)])


def _floor(x: Number) -> int:
    whole = arb(x.part()).floor().unique_fmpz()
    if whole is None:
        raise UndecidedError(f"the integer below {x} is not decided at {ctx.prec} bits")
    return int(whole)


def _unwrapped(value: Any) -> Any:
    if isinstance(value, Number):
        return value.flint()
    if isinstance(value, np.ndarray) and value.dtype == object:
        out = np.empty(value.shape, dtype=object)
        for index in np.ndindex(value.shape):
            out[index] = number(value[index]).flint()
        return out
    if isinstance(value, (list, tuple)):
        return type(value)(_unwrapped(v) for v in value)
    return value


def _wrapped(value: Any) -> Any:
    out = np.empty(np.shape(value), dtype=object)
    entries = np.asarray(value, dtype=object)
    for index in np.ndindex(out.shape):
        out[index] = number(entries[index])
    return out


RIGOROUS = Field(lambda x: Number(fmpq(x)), Number(ZERO, fmpq(1)))
