"""An exact test of whether a rational function is 0, by quotients of polynomials with integer coefficients."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from flint import Ordering, fmpz_mpoly_ctx
from sympy import Add, Expr, Mul, Pow, Symbol

from verification.provers import algebra

LARGEST = 64  # the highest power of a polynomial; higher ones are left to sympy

Fraction = tuple[Any, Any]  # numerator and denominator, which may have common factors


class _NotKnown(ArithmeticError):
    """A division by 0, or a power above LARGEST."""


def fraction_is_zero(e: Expr) -> bool | None:
    """Return whether a quotient of polynomials in symbols and in other expressions, such as logarithms, is 0.

    The other expressions are treated as independent variables. The result is None if that does not decide it, because
    they may be related and the quotient 0 after all.

    Examples
    --------
    >>> from sympy import log
    >>> from sympy.abc import x, y
    >>> fraction_is_zero(1 / x - 1 / y - (y - x) / (x * y)), fraction_is_zero(1 / x - 1 / y)
    (True, False)
    >>> fraction_is_zero(log(x) / x - log(x) / x**2 * x), fraction_is_zero(log(x**2) - 2 * log(x))
    (True, None)
    """
    letters: dict[Expr, int] = {}
    if not _collect(e, letters):
        return None
    variables = fmpz_mpoly_ctx.get(tuple(f"x{i}" for i in range(max(len(letters), 1))), Ordering.lex)
    generators = variables.gens()
    one = variables.constant(1)
    try:
        top, _ = _fraction(e, {x: (generators[i], one) for x, i in letters.items()}, variables.constant)
    except _NotKnown:
        return None
    if top == 0:
        return True
    return False if all(isinstance(x, Symbol) for x in letters) else None


def cancels(e: Expr) -> bool:
    """Return whether an expression is 0 as a rational function; sympy decides what `fraction_is_zero` leaves open."""
    known = fraction_is_zero(e)
    return bool(algebra.cancel(algebra.together(e)) == 0) if known is None else known


def _collect(e: Expr, letters: dict[Expr, int]) -> bool:
    """Number the variables of an expression in `letters`; return False if one of them does not commute."""
    if e.is_Rational or e in letters:
        return True
    if isinstance(e, Add | Mul):
        return all(_collect(a, letters) for a in e.args)
    if isinstance(e, Pow) and e.exp.is_Integer:
        return _collect(e.base, letters)
    letters[e] = len(letters)
    return bool(e.is_commutative)


def _fraction(e: Expr, known: dict[Expr, Fraction], constant: Callable[[int], Any]) -> Fraction:
    if e in known:
        return known[e]
    if e.is_Rational:
        made = constant(int(e.p)), constant(int(e.q))
    elif isinstance(e, Pow):
        n = int(e.exp)
        top, bottom = _fraction(e.base, known, constant)
        if abs(n) > LARGEST or (n < 0 and top == 0):
            raise _NotKnown
        made = (top**n, bottom**n) if n >= 0 else (bottom**-n, top**-n)
    else:
        made = reduce(_sum if isinstance(e, Add) else _product, (_fraction(a, known, constant) for a in e.args))
    known[e] = made
    return made


def _sum(x: Fraction, y: Fraction) -> Fraction:
    (a, b), (c, d) = x, y
    if b == d:
        return a + c, b
    common = b.gcd(d)
    left, right = d / common, b / common
    return a * left + c * right, b * left


def _product(x: Fraction, y: Fraction) -> Fraction:
    return x[0] * y[0], x[1] * y[1]
