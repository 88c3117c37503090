"""Rules of inference by convexity: Hölder's inequality, convex and sublinear functions, data processing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy
from sympy import Add, Eq, Expr, Gt, Mul, Piecewise, Symbol

from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.kernel import Theorem, _function, _made, _pulled, _value, shortened
from verification.provers.scalars import infinite, is_zero, seen_nonnegative
from verification.provers.symbols import Case, Total, within
from verification.provers.symbols import at as at_letter
from verification.provers.tactics import Tactic, continuous, nonnegative, smooth


def holder(case: Case, terms: Sequence[tuple[Any, Expr]], alphabet: Symbol) -> Theorem:
    """Prove Hölder's inequality sum prod f_i^w_i <= prod (sum f_i)^w_i for f_i >= 0 and weights w_i >= 0 of sum 1.

    `terms` are the pairs (w_i, f_i). Applying `through` with log gives the inequality between logarithms. The power 0^w
    is 0 for w > 0, and a factor with weight 0 is dropped.
    """
    with within(case):
        weights = [sympy.sympify(w) for w, _ in terms]
        if not is_zero(Add(*weights) - 1):
            raise ProofError(f"the exponents {weights} do not sum to 1")
        for w, f in terms:
            nonnegative(w)
            if case.lives(sympy.sympify(w), [alphabet]):
                raise ProofError(f"the exponent {w} varies over the letters")
            _finite_and_nonnegative(case, sympy.sympify(f))
        product = Mul(*(sympy.sympify(f) ** w for w, f in terms))
        bound = Mul(*(Total(sympy.sympify(f), alphabet) ** w for w, f in terms))
        return _made(case, Total(product, alphabet), bound, ("Holder's inequality",))


def power_of_sum(case: Case, f: Expr, r: Any, alphabet: Symbol) -> Theorem:
    """Prove sum f^r <= (sum f)^r for f >= 0 at every letter and r >= 1."""
    with within(case):
        f, r = sympy.sympify(f), sympy.sympify(r)
        _finite_and_nonnegative(case, f)
        if case.ranges(f) != {alphabet} or case.ranges(r) or infinite(r):
            raise ProofError(f"{f} to the power {r} is no function of a letter of {alphabet}")
        nonnegative(r - 1)
        return _made(case, Total(f**r, alphabet), Total(f, alphabet) ** r, (f"a sum of powers {r} >= 1",))


def _finite_and_nonnegative(case: Case, f: Expr) -> None:
    """Raise unless an expression is a finite number >= 0 in every pattern of zero weights."""
    for pattern in case.patterns(case.letters(f)):
        here = at_letter(f, pattern)
        if infinite(here):
            raise ProofError(f"{f} may be infinite")
        nonnegative(here)


def convexity(
    case: Case,
    f: Callable[[Any], Any],
    terms: Sequence[tuple[Any, Any]],
    second: Callable[[Symbol], Tactic] | None = None,
) -> Theorem:
    """Prove Jensen's inequality f(sum w_i x_i) <= sum w_i f(x_i) for numbers w_i >= 0 of sum 1 and convex f.

    `terms` are the pairs (w_i, x_i). The function must be convex for x > 0 if all x_i are known to be positive, and on
    the real line otherwise. `second` maps the symbol x to a tactic for f'' >= 0.
    """
    with within(case):
        weights, points = ([sympy.sympify(v) for v in part] for part in zip(*terms, strict=True))
        if not is_zero(Add(*weights) - 1):
            raise ProofError(f"{weights} do not sum to 1")
        for w in weights:
            nonnegative(w)
        for v in (*weights, *points):
            if case.ranges(v) or not v.is_extended_real or v.is_finite is False:
                raise ProofError(f"{v} is no number")
        x = algebra.bound("x", "positive" if all(seen_nonnegative(x, strict=True) for x in points) else "real")
        fx = _function(f, x)
        smooth(fx, x)
        nonnegative(algebra.simplify(fx.diff(x, 2)), second(x) if second is not None else None)
        mean = Add(*(w * v for w, v in zip(weights, points, strict=True)))
        bound = Add(*(w * _value(fx, x, v) for w, v in zip(weights, points, strict=True)))
        return _made(case, _value(fx, x, mean), bound, (f"{fx} is convex",))


def sublinear(
    case: Case, f: Callable[[Any, Any], Any], terms: Sequence[tuple[Any, Any, Any]], alphabet: Symbol | None = None
) -> Theorem:
    """Prove sum f(sum_i c_i x_i, sum_i c_i y_i) <= sum_i c_i sum f(x_i, y_i), f convex and homogeneous of degree 1.

    `terms` are the triples (c_i, x_i, y_i) of a number c_i >= 0 and nonnegative expressions in the letters of
    `alphabet`, over which the outer sums run. Without an alphabet, x_i and y_i are nonnegative numbers and there are no
    outer sums.
    """
    with within(case):
        f, said = _sublinear(case, f, [(x, y) for _, x, y in terms])
        for c, *weights in terms:
            nonnegative(sympy.sympify(c))
            if case.lives(sympy.sympify(c), [alphabet]):
                raise ProofError(f"the coefficient {c} varies over the letters")
            for w in weights:
                nonnegative(w)
                if alphabet is None and case.ranges(sympy.sympify(w)):
                    raise ProofError(f"{w} varies over the letters")
            if case.ranges(sympy.sympify(c)):
                raise ProofError(f"{c} varies over the letters")
        x, y = (
            Add(*(c * t for c, t in zip((c for c, _, _ in terms), part, strict=True)))
            for part in ([x for _, x, _ in terms], [y for _, _, y in terms])
        )

        def outer(e: Any) -> Expr:
            return sympy.sympify(e) if alphabet is None else Total(sympy.sympify(e), alphabet)

        return _made(case, outer(f(x, y)), Add(*(c * outer(f(x, y)) for c, x, y in terms)), (said,))


def processing(case: Case, f: Callable[[Any, Any], Any], p: Expr, q: Expr, kernel: Symbol) -> Theorem:
    """Prove sum f(p K, q K) <= sum f(p, q) for f convex and homogeneous of degree 1 and a Markov kernel K."""
    with within(case):
        homes = case.alphabets.get(kernel, frozenset())
        target = [a for a in homes if (kernel, a) in case.masses]
        if len(homes) != 2 or len(target) != 1:
            raise ProofError(f"{kernel} is no Markov kernel")
        (source,) = homes - set(target)
        for w in (p, q):
            nonnegative(w)
            if case.ranges(w) != {source}:
                raise ProofError(f"{w} is not a weight on the source alphabet of {kernel}")
        f, said = _sublinear(case, f, [(p, q)])
        x, y = Total(kernel * p, source), Total(kernel * q, source)
        lhs = Total(sympy.sympify(f(x, y)), target[0])
        return _made(case, lhs, Total(sympy.sympify(f(p, q)), source), (f"{said}, through {kernel}",))


def _sublinear(
    case: Case, function: Callable[[Any, Any], Any], pairs: Sequence[tuple[Expr, Expr]]
) -> tuple[Callable[[Any, Any], Expr], str]:
    """Return f as a function of two expressions, and the step that the proof records.

    Raise unless f is convex and homogeneous of degree 1 on the closed quadrant, which contains the pairs. On each edge
    f must be continuous or infinite, unless the case rules out that a pair is there at any letter.
    """
    a, b = (algebra.bound(name, "nonnegative") for name in "xy")
    fab = _function(function, a, b)
    if case.ranges(fab):
        raise ProofError(f"{fab} varies over the letters")

    def f(x: Any, y: Any) -> Expr:
        return fab.xreplace({a: sympy.sympify(x), b: sympy.sympify(y)})

    u, t, x, y = (algebra.bound(name, "positive", fab) for name in "utxy")
    inside = sympy.sympify(f(x, y))
    if not is_zero(_pulled(sympy.sympify(f(t * x, t * y)), t) - t * inside):
        raise ProofError(f"{inside} is not seen to be homogeneous")
    _convex(sympy.sympify(f(u, sympy.Integer(1))), u)
    if f(sympy.Integer(0), sympy.Integer(0)) != 0:
        raise ProofError(f"{inside} is not 0 at 0")
    zero = algebra.bound("z", "nonnegative", fab)
    for edge, scaled, inner, here in (
        (
            f(sympy.Integer(0), sympy.Integer(1)),
            f(sympy.Integer(0), t),
            f(u, sympy.Integer(1)),
            lambda a, b: (Eq(a, 0), Gt(b, 0)),
        ),
        (
            f(sympy.Integer(1), sympy.Integer(0)),
            f(t, sympy.Integer(0)),
            f(sympy.Integer(1), u),
            lambda a, b: (Gt(a, 0), Eq(b, 0)),
        ),
    ):
        limit = _without_entropy(sympy.sympify(inner), u).subs(u, zero)
        if all(not case.somewhere_known(sympy.And(*here(a, b))) for a, b in pairs):
            continue
        if edge == scaled == sympy.oo:
            continue
        if not is_zero(scaled - t * edge):
            raise ProofError(f"{fab} is not seen to be homogeneous at its edge")
        continuous(limit, zero)
        if not is_zero(limit.subs(zero, 0) - edge):
            raise ProofError(f"{inside} is not continuous at its edge")
    return f, f"convex and homogeneous: {shortened(inside)}"


def _without_entropy(e: Expr, u: Symbol) -> Expr:
    """Return the expression with u log u replaced by u, since both are continuous and 0 at u = 0."""
    terms = []
    for term in Add.make_args(algebra.expand(e)):
        c, rest = term.as_independent(u, as_Add=False)
        terms.append(c * u if rest == u * sympy.log(u) else term)
    return Add(*terms) if any(e.atoms(sympy.log)) else e


def _convex(f: Expr, u: Symbol) -> None:
    """Raise unless a function of u > 0 is shown to be convex."""
    if not f.has(u):
        return
    if isinstance(f, Add):
        for term in f.args:
            _convex(term, u)
        return
    constant, rest = f.as_independent(u, as_Add=False)
    if isinstance(rest, sympy.Max | sympy.Abs) and seen_nonnegative(constant):
        for arg in rest.args:
            if isinstance(rest, sympy.Max):
                _convex(arg, u)
            elif not is_zero(sympy.diff(arg, u, 2)):
                raise ProofError(f"{f} is not seen to be convex")
        return
    if f.has(sympy.Max, sympy.Min, sympy.Abs, Piecewise):
        raise ProofError(f"{f} is not seen to be convex")
    smooth(f, u)
    nonnegative(algebra.simplify(f.diff(u, 2)))
