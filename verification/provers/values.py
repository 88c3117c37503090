"""The values with which a claim's function computes on symbols: scalars, and arrays given by a generic entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy
from sympy import And, Eq, Expr, Ge, Gt, Integer, Not, Or, Piecewise, Rational, Symbol

from verification.proof import ProofError
from verification.provers.scalars import infinite, seen_nonnegative
from verification.provers.symbols import CASE, Total, at


def expression(x: Any) -> Expr:
    """Return a number of a claim's function as a sympy expression."""
    if isinstance(x, Scalar):
        return x.e
    if isinstance(x, np.ndarray):
        if x.size != 1:
            raise ProofError(f"an array of shape {x.shape} instead of one number")
        return expression(x.reshape(-1)[0])
    if isinstance(x, bool | np.bool_):
        return Integer(int(x))
    if isinstance(x, float | np.floating):
        if np.isinf(x):
            return sympy.oo if x > 0 else -sympy.oo
        return Rational(*float(x).as_integer_ratio())
    if isinstance(x, int | np.integer):
        return Integer(int(x))
    return sympy.sympify(x)


class Scalar:
    """A number: a sympy expression whose comparisons are decided in the current case."""

    __slots__ = ("e",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, e: Any) -> None:
        self.e = sympy.sympify(e)

    @staticmethod
    def _other(x: Any) -> bool:
        return isinstance(x, np.ndarray | Letters)

    def __add__(self, other: Any) -> Any:
        return NotImplemented if self._other(other) else Scalar(plus(self.e, expression(other)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if self._other(other) else Scalar(plus(self.e, -expression(other)))

    def __rsub__(self, other: Any) -> Any:
        return Scalar(plus(expression(other), -self.e))

    def __mul__(self, other: Any) -> Any:
        return NotImplemented if self._other(other) else Scalar(times(self.e, expression(other)))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return NotImplemented if self._other(other) else Scalar(quotient(self.e, expression(other)))

    def __rtruediv__(self, other: Any) -> Any:
        return Scalar(quotient(expression(other), self.e))

    def __pow__(self, other: Any) -> Any:
        return NotImplemented if self._other(other) else Scalar(self.e ** expression(other))

    def __rpow__(self, other: Any) -> Any:
        return Scalar(expression(other) ** self.e)

    def __neg__(self) -> Scalar:
        return Scalar(-self.e)

    def __abs__(self) -> Scalar:
        return Scalar(abs(self.e))

    @property
    def real(self) -> Scalar:
        """The number itself, since it is real."""
        return self

    def conjugate(self) -> Scalar:
        """Return the number itself, since it is real."""
        return self

    def __lt__(self, other: Any) -> bool:
        return CASE.get().holds(Gt(expression(other), self.e, evaluate=_infinite(self.e, other)))

    def __gt__(self, other: Any) -> bool:
        return CASE.get().holds(Gt(self.e, expression(other), evaluate=_infinite(self.e, other)))

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        y = expression(other)
        if sympy.oo in (self.e, y) or -sympy.oo in (self.e, y):
            return bool(self.e == y)
        return CASE.get().holds(Eq(self.e, y, evaluate=False))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    def __repr__(self) -> str:
        return str(self.e)


def _infinite(*values: Any) -> bool:
    return any(expression(v) in (sympy.oo, -sympy.oo) for v in values)


def plus(x: Expr, y: Expr) -> Expr:
    """Return x + y; raise for infinity minus infinity."""
    for one, other in ((x, y), (y, x)):
        if one in (sympy.oo, -sympy.oo):
            if other in (-one, sympy.nan, sympy.zoo):
                raise ProofError(f"{x} plus {y} is undefined")
            if other == one or not infinite(other):
                return one
    return x + y


def times(x: Expr, y: Expr) -> Expr:
    """Return x y; raise for 0 times infinity."""
    if (x == 0 and not y.is_finite and y.has(sympy.oo, sympy.zoo)) or (y == 0 and x.has(sympy.oo, sympy.zoo)):
        raise ProofError(f"{x} times {y} is undefined")
    for one, other in ((x, y), (y, x)):
        if one in (sympy.oo, -sympy.oo) and not infinite(other):
            sign = seen_nonnegative(other, strict=True) - seen_nonnegative(-other, strict=True)
            return sign * one if sign else x * y
    return x * y


def quotient(x: Expr, y: Expr) -> Expr:
    """Return x / y; raise in a case where y is 0."""
    if y == 0 or (not seen_nonnegative(y, strict=True) and not seen_nonnegative(-y, strict=True)):
        case = CASE.get()
        if y == 0 or case.holds(Eq(y, 0, evaluate=False)):
            raise ProofError(f"a division by {y}, which may be 0")
    return times(x, 1 / y)


Axis = tuple[Symbol, ...]  # the alphabets over which an axis of an array runs; () for an axis of length one


class Letters:
    """An array (batch, letters, ...), given by its entry at one generic letter of each axis.

    `origin` is the weights and the kernel of which the array is the image, or None.
    """

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, e: Any, axes: Sequence[Axis], origin: tuple[Letters, Letters] | None = None) -> None:
        self.e, self.axes = e, tuple(axes)
        if not CASE.get().ranges(sympy.sympify(e)) <= {a for axis in self.axes for a in axis}:
            raise ProofError(f"{e} varies over letters of no axis")
        self.origin = origin

    @property
    def ndim(self) -> int:
        """The number of axes, including that of the batch."""
        return 1 + len(self.axes)

    @property
    def shape(self) -> Any:
        """Not available, because the size of the alphabet of a generic letter is not known."""
        raise ProofError("the size of the alphabet is not known")

    def __len__(self) -> int:
        return 1

    def _paired(self, other: Any) -> tuple[Any, tuple[Axis, ...]]:
        """Return the other operand as an expression, and the axes of the result."""
        if isinstance(other, Letters):
            if len(other.axes) != len(self.axes):
                raise ProofError("arrays of letters with different numbers of axes")
            axes = []
            for a, b in zip(self.axes, other.axes, strict=True):
                if a and b and a != b:
                    raise ProofError(f"letters of two alphabets, {a} and {b}, along one axis")
                axes.append(a or b)
            for i, a in enumerate(axes):
                if any(set(a) & set(b) for b in axes[i + 1 :]):
                    raise ProofError("one generic letter along two axes: use k.product")
            return other.e, tuple(axes)
        if isinstance(other, np.ndarray) and other.ndim > 0 and (other.ndim != self.ndim or other.size != 1):
            raise ProofError(f"an array of shape {other.shape} is combined with one of {self.ndim} axes")
        return expression(other), self.axes

    def _combine(self, other: Any, f: Callable[[Any, Any], Any]) -> Letters:
        y, axes = self._paired(other)
        return Letters(f(self.e, y), axes)

    def __add__(self, other: Any) -> Letters:
        return self._combine(other, lambda x, y: x + y)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Letters:
        return self._combine(other, lambda x, y: x - y)

    def __rsub__(self, other: Any) -> Letters:
        return self._combine(other, lambda x, y: y - x)

    def __mul__(self, other: Any) -> Letters:
        return self._combine(other, lambda x, y: x * y)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Letters:
        return self._combine(other, lambda x, y: x / _divisor(y))

    def __rtruediv__(self, other: Any) -> Letters:
        return self._combine(other, lambda x, y: y / _divisor(x))

    def __pow__(self, other: Any) -> Letters:
        return self._combine(other, lambda x, y: x**y)

    def __neg__(self) -> Letters:
        return Letters(-self.e, self.axes)

    def __abs__(self) -> Letters:
        return Letters(abs(self.e), self.axes)

    def __gt__(self, other: Any) -> Where:
        return Where(*self._related(other, lambda x, y: Gt(x, y)))

    def __lt__(self, other: Any) -> Where:
        return Where(*self._related(other, lambda x, y: Gt(y, x)))

    def __ge__(self, other: Any) -> Where:
        return Where(*self._related(other, lambda x, y: Ge(x, y)))

    def __le__(self, other: Any) -> Where:
        return Where(*self._related(other, lambda x, y: Ge(y, x)))

    def __eq__(self, other: object) -> Where:  # type: ignore[override]
        return Where(*self._related(other, lambda x, y: Eq(x, y)))

    def __ne__(self, other: object) -> Where:  # type: ignore[override]
        return Where(*self._related(other, lambda x, y: Not(Eq(x, y))))

    def _related(self, other: Any, f: Callable[[Any, Any], Any]) -> tuple[Any, tuple[Axis, ...]]:
        y, axes = self._paired(other)
        return f(self.e, y), axes

    def sum(self, axis: int = -1) -> Any:
        """Return the sum over an axis."""
        axes = list(self.axes)
        at = axis if axis < 0 else axis - self.ndim
        if not -len(axes) <= at <= -1:
            raise ProofError("a sum over the batch")
        gone = axes.pop(at)
        total = Total(self.e, *gone) if gone else self.e
        return Letters(total, axes) if axes else _array(total)

    def max(self, axis: int = -1) -> Any:
        """Return the largest entry of a vector of letters."""
        return _array(largest(self))

    def min(self, axis: int = -1) -> Any:
        """Return the smallest entry of a vector of letters."""
        return _array(-largest(-self))

    def __getitem__(self, index: Any) -> Any:
        parts = index if isinstance(index, tuple) else (index,)
        if parts[0] is Ellipsis:
            kept = sum(1 for p in parts[1:] if p is not None)
            parts = (slice(None),) * (self.ndim - kept) + parts[1:]
        if not parts or parts[0] != slice(None):
            raise ProofError("a single instance of the batch is selected")
        axes, left = [], list(self.axes)
        for part in parts[1:]:
            if part is None:
                axes.append(())
            elif part == slice(None):
                axes.append(left.pop(0))
            elif isinstance(part, int) and left and left[0] == ():
                left.pop(0)
            else:
                raise ProofError("a single letter of an alphabet is selected")
        return Letters(self.e, (*axes, *left))

    def reshape(self, *shape: Any) -> Letters:
        """Merge all axes into one; the only shape allowed is (batch, -1)."""
        wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        if len(wanted) != 2 or wanted[1] != -1:
            raise ProofError(f"letters can be reshaped to (batch, -1) only, not to {wanted}")
        return Letters(self.e, (tuple(a for axis in self.axes for a in axis),))

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function not in FUNCTIONS:
            raise ProofError(f"numpy.{function.__name__} does not apply to arrays of letters")
        return FUNCTIONS[function](*args, **kwargs)


def _divisor(y: Expr) -> Expr:
    """Return the expression; raise unless it is shown to be nonzero at every letter."""
    case = CASE.get()
    for pattern in case.patterns(case.letters(y)):
        here = at(y, pattern)
        if not (seen_nonnegative(here, strict=True) or seen_nonnegative(-here, strict=True)):
            raise ProofError(f"a division by {y}, which may be 0 at a letter")
    return y


class Where:
    """A condition at a generic letter."""

    __array_ufunc__ = None

    def __init__(self, condition: Any, axes: Sequence[Axis]) -> None:
        self.condition, self.axes = sympy.sympify(condition), tuple(axes)

    def _with(self, other: Any, f: Callable[..., Any]) -> Where:
        if not isinstance(other, Where) or other.axes != self.axes:
            raise ProofError("conditions on different letters")
        return Where(f(self.condition, other.condition), self.axes)

    def __and__(self, other: Any) -> Where:
        return self._with(other, And)

    def __or__(self, other: Any) -> Where:
        return self._with(other, Or)

    def __invert__(self) -> Where:
        return Where(Not(self.condition), self.axes)

    def __bool__(self) -> bool:
        raise ProofError("a condition on letters is no answer: use .any(-1) or .all(-1)")

    def any(self, axis: int = -1) -> Any:
        """Return whether the condition holds at some letter."""
        self._one_axis()
        return np.array([CASE.get().somewhere(self.condition)])

    def all(self, axis: int = -1) -> Any:
        """Return whether the condition holds at every letter."""
        self._one_axis()
        return np.array([not CASE.get().somewhere(Not(self.condition))])

    def _one_axis(self) -> None:
        if len(self.axes) != 1:
            raise ProofError("a condition on letters of several axes")

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function not in FUNCTIONS:
            raise ProofError(f"numpy.{function.__name__} does not apply to a condition on letters")
        return FUNCTIONS[function](*args, **kwargs)


def _where(condition: Any, x: Any, y: Any) -> Any:
    if isinstance(condition, Where):
        like = Letters(Integer(0), condition.axes)
        (a, axes), (b, _) = like._paired(x), like._paired(y)
        return Letters(Piecewise((a, condition.condition), (b, True)), axes)
    flat = np.ravel(condition)
    if len(flat) != 1:
        raise ProofError("numpy.where of several conditions at once")
    return x if bool(flat[0]) else y


FUNCTIONS: dict[Any, Callable[..., Any]] = {np.where: _where, np.abs: abs}


def _array(e: Any) -> Any:
    out = np.empty(1, dtype=object)
    out[0] = Scalar(e)
    return out


def largest(x: Letters) -> Expr:
    """Return the largest entry as a symbol that is at least every entry."""
    case = CASE.get()
    if len(x.axes) != 1:
        raise ProofError("the largest entry of an array of several axes")
    known = {"nonnegative": True} if x.e.is_nonnegative else {"real": True}
    for symbol, (kind, e) in case.suprema.items():
        if kind == "letters" and e == x.e:
            return symbol
    top = case.fresh("max", **known)
    case.suprema[top] = ("letters", x.e)
    case._fact(top - x.e)
    return top
