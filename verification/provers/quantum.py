"""Rules for divergences of positive operators: those that rest on cited theorems say so, and the others are algebra.

A moment is Q(A, B) = tr (B^s A B^s)^alpha with s = (1 - alpha) / (2 alpha), in [0, oo]. The divergence of order alpha
is log(Q(A, B) / tr A) / (alpha - 1), which increases with Q for orders above 1 and decreases for orders below.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Add, Expr, Mul

from verification.cited import CITED
from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.kernel import Theorem, _made, premise, same
from verification.provers.lemmas import flipped
from verification.provers.operators import (
    Block,
    Kron,
    Largest,
    Operator,
    PositiveTrace,
    SymbolicChannel,
    added_up,
    divergence,
    identity,
    moment,
    psd,
    trace,
)
from verification.provers.scalars import is_zero, seen_nonnegative
from verification.provers.symbols import Case, within
from verification.provers.values import _array

Pair = tuple[Operator, Operator]


def _above(order: Expr) -> bool:
    if seen_nonnegative(order - 1, strict=True):
        return True
    if seen_nonnegative(order, strict=True) and seen_nonnegative(1 - order, strict=True):
        return False
    raise ProofError(f"{order} is not seen to be above or below 1")


def processed(case: Case, a: Operator, b: Operator, order: Expr, channel: SymbolicChannel) -> Theorem:
    """Prove D(Phi(A) || Phi(B)) <= D(A || B) for a channel and an order of at least 1/2, by the cited theorem."""
    (out,) = premise(case, CITED["cited.processing"], states=[a, b], channel=channel, alpha=_array(order))
    return out


def petz_processed(case: Case, a: Operator, b: Operator, order: Expr, channel: SymbolicChannel) -> Theorem:
    """Prove that Petz' divergence does not rise under a channel, for an order of at most 2, by the cited theorem."""
    (out,) = premise(case, CITED["cited.petz-processing"], states=[a, b], channel=channel, alpha=_array(order))
    return out


def below_petz(case: Case, a: Operator, b: Operator, order: Expr) -> Theorem:
    """Prove that the sandwiched divergence is at most Petz' divergence, by the cited theorem."""
    (out,) = premise(case, CITED["cited.below-petz"], states=[a, b], alpha=_array(order))
    return out


def increasing(case: Case, a: Operator, b: Operator, low: Expr, high: Expr) -> Theorem:
    """Prove that D of order `low` is at most D of order `high`, by the cited theorem."""
    (out,) = premise(case, CITED["cited.increasing"], states=[a, b], orders=(_array(low), _array(high)))
    return out


def commuting(case: Case, a: Operator, b: Operator, more: Operator, order: Expr) -> Theorem:
    """Prove D(A || B + C) <= D(A || B) for C >= 0 that commutes with B and any order > 0, by the cited theorem."""
    (out,) = premise(case, CITED["cited.commuting"], a=[a], b=(b, more), alpha=_array(order))
    return out


def variational(case: Case, h: Operator, a: Operator, b: Operator, order: Expr) -> Theorem:
    """Prove alpha tr H A - (alpha - 1) f(B) <= Q(A, B) for an order above 1, by the cited theorem.

    f is the dual functional of H.
    """
    (out,) = premise(case, CITED["cited.variational"], h=[h], states=[a, b], alpha=_array(order))
    return out


def tangent(case: Case, h: Operator, b: Operator, at: tuple[Operator, Expr], order: Expr) -> Theorem:
    """Prove f(B) <= tr G B, by the cited theorem.

    f is the dual functional of H, and G is its gradient at base + shift, the two parts of `at`.
    """
    base, shift = at
    cited = CITED["cited.tangent"]
    (out,) = premise(case, cited, h=[h], b=[b], base=[base], shift=_array(shift), alpha=_array(order))
    return out


def moments(theorem: Theorem, one: Pair, other: Pair, order: Expr) -> Theorem:
    """Turn D(one) <= D(other), for pairs with equal traces, into an inequality between their moments."""
    case = theorem.case
    with within(case):
        values = [moment(*pair, order) for pair in (one, other)]
        masses = [trace(pair[0].e) for pair in (one, other)]
        if not is_zero(masses[0] - masses[1]):
            raise ProofError("the operators have different traces")
        for value, mass, side in zip(values, masses, (theorem.lhs, theorem.rhs), strict=True):
            if not same(case, divergence(value, mass, order), side):
                raise ProofError(f"{side} is not the divergence of that pair")
        if not _above(order) and not theorem.equal:
            values.reverse()
        return _made(case, values[0], values[1], (), theorem, equal=theorem.equal)


def divergences(theorem: Theorem, mass: Expr, order: Expr) -> Theorem:
    """Turn an inequality between moments into one between divergences log(Q / mass) / (alpha - 1)."""
    case = theorem.case
    with within(case):
        if not seen_nonnegative(mass, strict=True):
            raise ProofError(f"{mass} is not seen to be positive")
        above = _above(order)
        for q in (theorem.lhs, theorem.rhs):
            if not (q == (sympy.oo if above else 0) or (q != sympy.oo and seen_nonnegative(q, strict=True))):
                raise ProofError(f"{q} is no moment of that order")
        sides = [divergence(q, mass, order) for q in (theorem.lhs, theorem.rhs)]
        if not above and not theorem.equal:
            sides.reverse()
        return _made(case, sides[0], sides[1], (), theorem, equal=theorem.equal)


def blocks(case: Case, pairs: Sequence[Pair], order: Expr) -> Theorem:
    """Prove Q((+) A_i, (+) B_i) == sum Q(A_i, B_i): powers of a block diagonal operator act on each block."""
    with within(case):
        a, b = (_direct_sum([pair[i] for pair in pairs]) for i in range(2))
        return _made(
            case,
            moment(a, b, order),
            Add(*(moment(*x, order) for x in pairs)),
            ("a moment is the sum of those of blocks",),
            equal=True,
        )


def _sum(parts: Sequence[Operator]) -> Operator:
    return Operator(Add(*(x.e for x in parts)), parts[0].space)


def _direct_sum(parts: Sequence[Operator]) -> Operator:
    e = Add(*(Block(i, x.e) for i, x in enumerate(parts)))
    return Operator(e, ("sum", *(x.space for x in parts)))


def products(case: Case, first: Pair, second: Pair, order: Expr) -> Theorem:
    """Prove Q(A (x) C, B (x) D) == Q(A, B) Q(C, D): a power of a tensor product is the product of the powers."""
    with within(case):
        a, b = (Operator(Kron(x.e, y.e), ("tensor", x.space, y.space)) for x, y in zip(first, second, strict=True))
        values = [moment(*pair, order) for pair in (first, second)]
        value = Mul(*values)
        return _made(
            case, moment(a, b, order, follows=value), value, ("a moment of products is the product",), equal=True
        )


def homogeneous(case: Case, a: Operator, b: Operator, order: Expr, c: Any = 1, t: Any = 1) -> Theorem:
    """Prove Q(c A, t B) == c^alpha t^(1 - alpha) Q(A, B) for c, t > 0."""
    with within(case):
        c, t = sympy.sympify(c), sympy.sympify(t)
        if not (seen_nonnegative(c, strict=True) and seen_nonnegative(t, strict=True)):
            raise ProofError(f"{c} or {t} is not seen to be positive")
        value = moment(a, b, order)
        whole = moment(a * c, b * t, order, follows=value)
        factor = c if c == t else c**order * t ** (1 - order)
        return _made(case, whole, factor * value, ("homogeneous",), equal=True)


def itself(case: Case, a: Operator, order: Expr) -> Theorem:
    """Prove Q(A, A) == tr A: (A^s A A^s)^alpha = A because 2 s + 1 = 1 / alpha."""
    with within(case):
        _above(order)
        return _made(case, moment(a, a, order), trace(a.e), ("Q(A, A) = tr A",), equal=True)


def at_most_largest(case: Case, x: Operator, bound: Any) -> Theorem:
    """Prove that the largest eigenvalue of X is at most c, because c Id - X is positive."""
    with within(case):
        c = sympy.sympify(bound)
        psd(Operator(c * identity(x.space) - x.e, x.space))
        return _made(case, Largest(x.e), c, (f"{c} - X is positive",))


def positive_part(case: Case, x: Operator, above: Operator) -> Theorem:
    """Prove tr X_+ <= tr Y for Y >= 0 with Y >= X.

    If P is the projection onto the positive part of X, then tr X_+ = tr P X <= tr P Y <= tr Y.
    """
    with within(case):
        psd(above)
        psd(above - x)
        return _made(case, PositiveTrace(x.e), trace(above.e), ("a positive operator above X has a larger trace",))


def maxima(theorems: Sequence[Theorem]) -> Theorem:
    """Prove max a_i <= max b_i from a_i <= b_i for every i."""
    first = theorems[0]
    first._alongside(*theorems[1:])
    lhs, rhs = (algebra.maximum(*(getattr(t, side) for t in theorems)) for side in ("lhs", "rhs"))
    return _made(first.case, lhs, rhs, ("a maximum of both",), *theorems)


def or_more(theorem: Theorem, *others: Any) -> Theorem:
    """Prove a <= max(b, others) from a <= b."""
    largest = algebra.maximum(theorem.rhs, *(sympy.sympify(x) for x in others))
    return _made(theorem.case, theorem.lhs, largest, (), theorem)


# Derived


def antitone(case: Case, a: Operator, b: Operator, more: Operator, order: Expr) -> Theorem:
    """Prove D(A || B + C) <= D(A || B) for C >= 0 and an order of at least 1/2.

    This is data processing of A (+) 0 and B (+) C under the channel that adds up the blocks.
    """
    zero = Operator(0, a.space)
    parts = [(a, b), (zero, more)]
    with within(case):
        before = (_direct_sum([a, zero]), _direct_sum([b, more]))
        summed = processed(case, *before, order, added_up())
        return summed.then(divergences(blocks(case, parts, order), trace(a.e), order))


def mixture(case: Case, parts: Sequence[tuple[Any, Operator, Operator]], order: Expr) -> Theorem:
    """Prove Q(sum c A, sum c B) <= sum c Q(A, B) for c > 0 and an order above 1, and >= for one from 1/2 to 1.

    This is data processing under the channel that adds up blocks.
    """
    with within(case):
        pairs = [(a * c, b * c) for c, a, b in parts]
        before = (_direct_sum([a for a, _ in pairs]), _direct_sum([b for _, b in pairs]))
        after = _sum([a for a, _ in pairs]), _sum([b for _, b in pairs])
        summed = moments(processed(case, *before, order, added_up()), after, before, order)
        split = blocks(case, pairs, order)
        scaled = homogeneous(case, parts[0][1], parts[0][2], order, parts[0][0], parts[0][0])
        values = [scaled.rhs]
        for c, a, b in parts[1:]:
            one = homogeneous(case, a, b, order, c, c)
            values.append(one.rhs)
            scaled = _made(case, scaled.lhs + one.lhs, scaled.rhs + one.rhs, (), scaled, one, equal=True)
        if _above(order):
            return summed.then(split).then(scaled)
        return flipped(scaled).then(flipped(split)).then(summed)


def quasiconvex(case: Case, parts: Sequence[tuple[Any, Operator, Operator]], order: Expr) -> Theorem:
    """Prove D(sum c A || sum c B) <= max D(A || B) for equal traces, sum c = 1 and an order of at least 1/2."""
    whole = mixture(case, parts, order)
    with within(case):
        mass = trace(parts[0][1].e)
        if not is_zero(Add(*(c for c, _, _ in parts)) - 1) or any(not is_zero(trace(a.e) - mass) for _, a, _ in parts):
            raise ProofError("the parts are not a mixture of operators of equal traces")
        largest = algebra.maximum(*(divergence(moment(a, b, order), mass, order) for _, a, b in parts))
        value = whole.lhs if _above(order) else whole.rhs
        said = ("a mean of moments is between them",)
        return _made(case, divergence(value, mass, order), largest, said, whole)


def below(case: Case, a: Operator, b: Operator, c: Any, order: Expr) -> Theorem:
    """Prove D(A || B) <= log c for A <= c B and c > 0, by comparison of B with A / c.

    For an order below 1 the divergence is at most that of order 2.
    """
    with within(case):
        c = sympy.sympify(c)
        if not _above(order):
            return increasing(case, a, b, order, sympy.Integer(2)).then(below(case, a, b, c, sympy.Integer(2)))
        least = a * (1 / c)
        bounded = antitone(case, a, least, b - least, order)
        value = homogeneous(case, a, a, order, 1, 1 / c)
        known = itself(case, a, order)
        factor = c ** (order - 1)
        told = _made(case, factor * known.lhs, factor * known.rhs, (), known, equal=True)
        if not same(case, value.rhs, told.lhs):
            raise ProofError("the powers differ")
        out = bounded.then(divergences(value.then(told), trace(a.e), order))
        return _made(case, out.lhs, sympy.log(c), (), out) if same(case, out.rhs, sympy.log(c)) else out
