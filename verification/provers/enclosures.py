"""Enclosures of expressions by balls, at flint's working precision."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from typing import Any

import sympy
from flint import arb, ctx, fmpq
from sympy import Abs, Add, Expr, Ge, Gt, Le, Lt, Max, Min, Mul, Piecewise, Pow, Symbol
from sympy.functions.elementary.piecewise import ExprCondPair

from verification.proof import ProofError


class TooWide(ArithmeticError):
    """The enclosure is too wide to decide a comparison or to apply a function; more precision is needed."""


def enclosure(e: Expr, at: Mapping[Symbol, arb]) -> Any:
    """Return a ball that contains every value of an expression; `at` maps its symbols to the balls in which they lie.

    Raises
    ------
    ProofError
        The expression contains an unknown function, or a symbol without a range.
    TooWide
        The balls do not decide a comparison, or flint refuses an operation on them.
    """
    steps = _program(e)
    if not steps:
        return constant(e)
    done: dict[Expr, Any] = dict(at)
    for node, args in steps:
        if node not in done:
            if not args:
                raise ProofError(f"{node} has no range")
            done[node] = _apply(node, [done[a] if varies else constant(a) for a, varies in args])
    return done[e]


def constant(e: Expr) -> arb:
    """Return a ball that contains a number."""
    return _constant(e, ctx.prec)


@cache
def _constant(e: Any, bits: int) -> Any:
    if e.is_Boolean:
        return bool(e)
    if e.is_Rational:
        return arb(fmpq(int(e.p), int(e.q)))
    if e == sympy.pi:
        return arb.pi()
    if e == sympy.E:
        return arb.const_e()
    if not isinstance(e, KNOWN):
        raise ProofError(f"{e} has no enclosure by balls")
    return _apply(e, [_constant(a, bits) for a in e.args])


@cache
def _program(e: Expr) -> tuple[tuple[Expr, tuple[tuple[Any, bool], ...]], ...]:
    """Return the subexpressions with symbols, each after its arguments, and whether each argument has symbols."""
    order: dict[Expr, tuple[tuple[Any, bool], ...]] = {}
    constants: set[Any] = set()

    def varies(node: Any) -> bool:
        if node in order or node in constants:
            return node in order
        args = tuple((a, varies(a)) for a in node.args)
        if not isinstance(node, Symbol) and not any(known for _, known in args):
            constants.add(node)
            return False
        if not isinstance(node, KNOWN):
            raise ProofError(f"{type(node).__name__} has no enclosure by balls")
        order[node] = args
        return True

    varies(e)
    return tuple(order.items())


def _apply(e: Any, args: Sequence[Any]) -> Any:
    try:
        if isinstance(e, Add):
            return sum(args[1:], args[0])
        if isinstance(e, Mul):
            return math.prod(args[1:], start=args[0])
        if isinstance(e, Pow):
            return _power(args[0], args[1], e.exp)
        return FUNCTIONS[type(e)](*args)
    except (ValueError, ZeroDivisionError) as error:
        raise TooWide from error


def _larger(*balls: arb) -> arb:
    return -_smaller(*(-v for v in balls))


def _smaller(*balls: arb) -> arb:
    return reduce(lambda a, b: a.min(b), balls)


def _above(a: arb, b: arb) -> bool:
    if a > b or a <= b:
        return bool(a > b)
    raise TooWide


def _first(*cases: tuple[arb, bool]) -> arb:
    for value, holds in cases:
        if holds:
            return value
    raise TooWide


FUNCTIONS: dict[type, Callable[..., Any]] = {
    sympy.exp: arb.exp,
    sympy.log: arb.log,
    sympy.sinh: arb.sinh,
    sympy.cosh: arb.cosh,
    sympy.tanh: arb.tanh,
    sympy.sech: arb.sech,
    sympy.coth: arb.coth,
    Max: _larger,
    Min: _smaller,
    Abs: abs,
    Gt: _above,
    Lt: lambda a, b: _above(b, a),
    Ge: lambda a, b: not _above(b, a),
    Le: lambda a, b: not _above(a, b),
    ExprCondPair: lambda *pair: pair,
    Piecewise: _first,
}
KNOWN: tuple[Any, ...] = (Symbol, Add, Mul, Pow, *FUNCTIONS)


def _integer_power(v: Any, n: int) -> Any:
    if n < 0:
        return 1 / _integer_power(v, -n)
    out, square = None, v
    while n:
        if n & 1:
            out = square if out is None else out * square
        square, n = square * square, n >> 1
    return arb(1) if out is None else out


def _power(base: Any, exponent: Any, e: Expr) -> Any:
    if e.is_Rational and e.q in (1, 2):
        return _integer_power(base if e.q == 1 else base.sqrt(), int(e.p))
    return (exponent * base.log()).exp()  # nan if the base is not positive
