"""Arguments: steps of a proof by hand that are each checked by machine, while their link to the claim is in words.

An argument does not change the verdict: a claim with an argument but no proof is `supported`. A claim's `argument` is a
function of the claim that returns an `Argument` or raises `ProofError`; it runs in every verification. The steps are
symbolic identities, convex functions at their minimum, and all cases of a finite set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from verification.instances import RATIONALS, Batch, build
from verification.proof import Argument, ProofError
from verification.rationals import RationalVocabulary

if TYPE_CHECKING:
    from verification.claim import Claim


def identity(*differences: Any, domain: str, detail: str = "") -> Argument:
    """Check that every expression simplifies to 0 under the assumptions on its symbols.

    Raises
    ------
    ProofError
        sympy does not simplify one of them to 0.

    Examples
    --------
    >>> x = sympy.Symbol("x", positive=True)
    >>> identity(sympy.log(x**2) - 2 * sympy.log(x), domain="x > 0").method
    'symbolic identity'
    """
    for difference in differences:
        if not _is_zero(sympy.sympify(difference)):
            raise ProofError(f"{difference} is not seen to be 0")
    return Argument("symbolic identity", domain, len(differences), detail)


def _is_zero(x: sympy.Expr) -> bool:
    def logs(e: sympy.Expr) -> sympy.Expr:
        return sympy.expand_log(sympy.simplify(e))

    return x == 0 or any(f(x) == 0 for f in (sympy.simplify, lambda e: sympy.simplify(sympy.expand(e)), logs))


def convex_minimum(f: Any, x: sympy.Symbol, at: Any, *, domain: str, detail: str = "") -> Argument:
    """Check that f >= 0, because f and f' vanish at a point and sympy finds f'' nonnegative.

    Raises
    ------
    ProofError
        sympy does not confirm one of these.

    Examples
    --------
    >>> x = sympy.Symbol("x", real=True)
    >>> convex_minimum(sympy.exp(x) - 1 - x, x, 0, domain="real x").method
    'convex, with minimum 0'
    """
    first, second = sympy.diff(f, x), sympy.simplify(sympy.diff(f, x, 2))
    for value in (f, first):
        if not _is_zero(value.subs(x, at)):
            raise ProofError(f"{value} is not seen to vanish at {at}")
    if not (second.is_nonnegative or sympy.factor(second).is_nonnegative):
        raise ProofError(f"{second} is not seen to be nonnegative")
    return Argument("convex, with minimum 0", domain, 3, detail)


def signs(*expressions: Any, domain: str, detail: str = "") -> Argument:
    """Check that every expression is nonnegative, as sympy finds from the signs of its parts.

    Raises
    ------
    ProofError
        sympy does not find one of them nonnegative.

    Examples
    --------
    >>> x = sympy.Symbol("x", positive=True)
    >>> signs(sympy.log(1 + x), x**2 + x, domain="x > 0").steps
    2
    """
    for expression in expressions:
        if not sympy.sympify(expression).is_nonnegative:
            raise ProofError(f"{expression} is not seen to be nonnegative")
    return Argument("symbolic identity", domain, len(expressions), detail)


def symbolic(*, domain: str, detail: str = "", **instance: Any) -> Callable[[Claim], Argument]:
    """Return an argument that a claim's two sides, computed by field operations alone, are equal as polynomials.

    Parameters
    ----------
    domain : str
        The range of the symbols.
    **instance
        The claim's instance, with arrays of sympy symbols with a batch axis of one in place of numbers.
    """

    def prove(claim: Claim) -> Argument:
        lhs, rhs = claim.sides(None, **instance)
        left, right = np.broadcast_arrays(np.asarray(lhs, dtype=object), np.asarray(rhs, dtype=object))
        return identity(
            *(x - y for x, y in zip(left.ravel(), right.ravel(), strict=True)), domain=domain, detail=detail
        )

    return prove


def enumerated(cases: Callable[[], Batch], *, domain: str, detail: str = "") -> Callable[[Claim], Argument]:
    """Return an argument that lhs <= rhs (or ==) for every raw instance of a batch, in exact rationals."""

    def prove(claim: Claim) -> Argument:
        lhs, rhs = claim.sides(RationalVocabulary(), **build(claim.given, cases(), RATIONALS))
        left, right = np.broadcast_arrays(np.asarray(lhs, dtype=object), np.asarray(rhs, dtype=object))
        good = left == right if claim.relation == "==" else left <= right
        return exhaustive(good.reshape(len(good), -1), lambda case: bool(case.all()), domain=domain, detail=detail)

    return prove


def exhaustive(cases: Iterable[Any], holds: Callable[[Any], bool], *, domain: str, detail: str = "") -> Argument:
    """Check that `holds` is true for every case, decided in exact arithmetic.

    Raises
    ------
    ProofError
        It is false for a case, or there are no cases.

    Examples
    --------
    >>> exhaustive(range(-5, 6), lambda n: n * n >= n, domain="integers from -5 to 5").steps
    11
    """
    count = 0
    for case in cases:
        if not holds(case):
            raise ProofError(f"it does not hold for {case}")
        count += 1
    if count == 0:
        raise ProofError("there are no cases")
    return Argument("exhaustive enumeration", domain, count, detail)
