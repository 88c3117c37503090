"""Signs of expressions with maxima, minima, moduli and cases, from signs of expressions without them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import sympy
from sympy import Abs, Add, Expr, Min, Piecewise, Symbol

from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.scalars import (
    CORNERS,
    innermost,
    is_zero,
    opaque,
    seen_nonnegative,
    seen_quickly,
    sorted_corners,
)

PAST = Symbol("s", nonnegative=True)


def settle(e: Expr, x: Symbol | None, prove: Callable[[Expr, Symbol | None], int]) -> int:
    """Prove e >= 0 by applying `prove` to expressions without maxima, minima, moduli and cases.

    Returns the number of checks.

    If a maximum is subtracted, e must be >= 0 with each of its arguments in its place; if it is added, one of them is
    enough. If none of two suffices, and their difference is affine in x, each is used on the side of their crossing
    point where it is the larger one.
    """
    e = opaque(e)
    if not e.has(*CORNERS) or (x is None and seen_quickly(e)):
        return prove(e, x)
    try:
        return _settle(e, x, prove)
    except ProofError:
        if x is None and seen_nonnegative(e):
            return prove(e, x)
        raise


def _settle(e: Expr, x: Symbol | None, prove: Callable[[Expr, Symbol | None], int]) -> int:
    """Apply `settle` to an expression that contains maxima, minima, moduli or cases."""
    found = []
    for linear in (_linear(e, corner) for corner in sorted_corners(e)):
        if linear is not None:
            _, rest, dummy, args, all_of = linear
            if all_of:
                return sum(settle(rest.xreplace({dummy: arg}), x, prove) for arg in args)
            found.append(linear)
    if not found:
        first = innermost(e)  # the condition of a case may decide what is inside
        if isinstance(first, Piecewise):
            return _settle_piecewise(e, first, x, prove)
        raise ProofError("the coefficient of {} has no known sign", _inner(e)[0])
    corner, rest, dummy, args, _ = found[0]
    said = []
    for arg in args:
        try:
            return settle(rest.xreplace({dummy: arg}), x, prove)
        except ProofError as error:
            said.append(error)
    if x is None or len(args) != 2:
        raise ProofError("; ".join("{}" for _ in said), *said)
    above, below = (rest.xreplace({dummy: arg}) for arg in (args[::-1] if isinstance(corner, Min) else args))
    return _either_side(args[0] - args[1], above, below, x, prove)


@cache
def _linear(e: Expr, corner: Expr) -> tuple[Expr, Expr, Symbol, Sequence[Expr], bool] | None:
    """Return how an expression depends on one of its maxima, minima or moduli, if that is linear; otherwise None.

    The result is the maximum, the expression with a symbol in its place, the symbol, the values that this may have, and
    whether the expression must be >= 0 for all of these values.
    """
    if isinstance(corner, Piecewise):
        return None
    dummy = algebra.bound("m", "real", e)
    rest = e.xreplace({corner: dummy})
    slope = algebra.expand(Add(*(t for t in Add.make_args(rest) if t.has(dummy)))).diff(dummy)
    if slope.has(dummy):
        return None
    args = (corner.args[0], -corner.args[0]) if isinstance(corner, Abs) else corner.args
    low = isinstance(corner, Min)
    if seen_nonnegative(slope if low else -slope):
        return corner, rest, dummy, args, True
    if seen_nonnegative(-slope if low else slope):
        return corner, rest, dummy, args, False
    return None


def _inner(e: Expr) -> list[Expr]:
    """Return those maxima, minima, moduli and cases that contain no other."""
    return [c for c in sorted_corners(e) if len(c.atoms(*CORNERS)) == 1]


def _settle_piecewise(e: Expr, corner: Piecewise, x: Symbol | None, prove: Callable[..., int]) -> int:
    (first, condition), *others = corner.args
    last = others[0][0] if len(others) == 1 and others[0][1] == sympy.true else Piecewise(*others)
    yes, no = (e.xreplace({corner: value}) for value in (first, last))
    if isinstance(condition, sympy.Gt | sympy.Ge):
        gap = condition.lhs - condition.rhs
    elif isinstance(condition, sympy.Lt | sympy.Le):
        gap = condition.rhs - condition.lhs
    else:
        raise ProofError(f"{condition} is no comparison")
    if x is None:
        return settle(yes, x, prove) + settle(no, x, prove)
    return _either_side(gap, yes, no, x, prove)


def _either_side(gap: Expr, above: Expr, below: Expr, x: Symbol, prove: Callable[..., int]) -> int:
    """Prove above >= 0 where an affine gap is >= 0, and below >= 0 where it is <= 0."""
    gap = algebra.expand(gap)
    if x is not PAST and (above + below + gap).has(PAST):
        raise ProofError(f"the symbol {PAST} is already in use")
    if seen_nonnegative(gap, strict=True):
        return settle(above, x, prove)
    if seen_nonnegative(-gap, strict=True):
        return settle(below, x, prove)
    slope, constant = gap.coeff(x, 1), gap.coeff(x, 0)
    if not is_zero(gap - slope * x - constant) or slope.has(x) or constant.has(x):
        raise ProofError(f"{gap} is not affine in {x}")
    at = algebra.factor(-constant / slope)
    rising = seen_nonnegative(slope, strict=True)
    if not (rising or seen_nonnegative(-slope, strict=True)) or not seen_nonnegative(at, strict=True):
        raise ProofError(f"the point where {gap} changes its sign is not found")
    right, left = (above, below) if rising else (below, above)
    under = at / (1 + PAST) if x.is_positive else at * PAST / (1 + PAST)
    return settle(right.subs(x, at + PAST), PAST, prove) + settle(left.subs(x, under), PAST, prove)
