"""Proofs of the claims on kernel divergences: scripts that `derived` runs, case by case.

Most rest on data processing of the sandwiched divergence. That it falls as its reference grows, and that its moments
are jointly convex, is data processing of block diagonal operators.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr, Symbol

from verification.provers.derivation import Goal
from verification.provers.kernel import Theorem, rewrite
from verification.provers.operators import (
    Features,
    Kron,
    Operator,
    OperatorVocabulary,
    classical,
    identity,
    prepared,
    sandwiched,
    trace,
    turned,
)
from verification.provers.quantum import (
    antisymmetric,
    antitone,
    commuting,
    divergences,
    increasing,
    itself,
    maxima,
    processed,
    products,
    turned_round,
)
from verification.provers.symbols import Letters, Total


def covariance(phi: Features, weight: Symbol) -> Operator:
    """The covariance operator of a weight, the expression of a letter."""
    return Operator(Total(weight * phi.e, *phi.axes), phi.space)


def lifted(x: Operator, lam: Expr) -> Operator:
    """X + lambda."""
    return x + Operator(lam * identity(x.space), x.space)


def kron(x: Operator, y: Operator) -> Operator:
    """X (x) Y."""
    return Operator(Kron(x.e, y.e), ("tensor", x.space, y.space))


def one_way(step: Any) -> Any:
    """A script for the first order of a pair: `step(goal, p, q)`."""
    return lambda g: g.obvious or step(g, *g.p)


def worst(step: Any) -> Any:
    """A script for the larger of both orders of a pair, from a script for one: `step(goal, p, q)`."""

    def script(g: Goal) -> Theorem:
        return g.obvious or rewrite(maxima([step(g, *g.p), step(g, *g.p[::-1])]), g.lhs, g.rhs)

    return script


def reference(g: Goal) -> Theorem:
    """Lemma 1."""
    a, b, c = g.states
    return g.obvious or antitone(g.case, a, b, c, g.alpha)


def increasing_orders(g: Goal) -> Theorem:
    """Lemma 2."""
    return g.obvious or increasing(g.case, *g.states, *g.orders)


def more_regularised(g: Goal, p: Symbol, q: Symbol) -> Theorem:
    """D at lambda + more <= D at lambda."""
    a, b = covariance(g.phi, p), lifted(covariance(g.phi, q), g.lam)
    return antitone(g.case, a, b, lifted(b, g.more) - b, g.alpha)


def higher_order(g: Goal, p: Symbol, q: Symbol) -> Theorem:
    """D of the smaller order <= D of the larger."""
    return increasing(g.case, covariance(g.phi, p), lifted(covariance(g.phi, q), g.lam), *g.orders)


def processed_letters(g: Goal, p: Symbol, q: Symbol) -> Theorem:
    """D(S_p || S_q + lambda) <= D(S_p || S_q) <= D(p || q): a letter is measured and phi(x) phi(x)^* prepared."""
    (alphabet,) = g.phi.axes
    x, y = (classical(Letters(w, [(alphabet,)])) for w in (p, q))
    a, b = covariance(g.phi, p), covariance(g.phi, q)
    step = processed(g.case, x, y, g.alpha, prepared(g.phi))
    return step if g.lam == 0 else antitone(g.case, a, b, lifted(b, g.lam) - b, g.alpha).then(step)


def unitary(g: Goal) -> Theorem:
    """Proposition 1.2, as U . U^* and U^* . U are channels."""
    if g.obvious:
        return g.obvious
    (a, b), there, back = g.states, turned(g.unitary.name), turned(g.unitary.name, back=True)
    b = lifted(b, g.lam)
    moved = there(a), there(b)
    return antisymmetric(processed(g.case, a, b, g.alpha, there), processed(g.case, *moved, g.alpha, back))


def ordered(g: Goal) -> Theorem:
    """Proposition 1.4: D(A || A + C) <= D(A || A) = 0, and 0 = D(A + C || A + C) <= D(A + C || A)."""
    if g.obvious:
        return g.obvious
    a, c = g.states
    if g.index == 0:
        bounded = antitone(g.case, a + c, a, c, g.alpha)
        return turned_round(nothing(g, a + c)).then(bounded)
    return antitone(g.case, a, a, lifted(c, g.lam), g.alpha).then(nothing(g, a))


def nothing(g: Goal, a: Operator) -> Theorem:
    """D(A || A) == 0."""
    same = divergences(itself(g.case, a, g.alpha), trace(a.e), g.alpha)
    return rewrite(same, None, 0)


def additive(g: Goal, first: tuple[Operator, Operator], second: tuple[Operator, Operator]) -> Theorem:
    """D(A (x) C || B (x) D) == D(A || B) + D(C || D)."""
    whole = products(g.case, first, second, g.alpha)
    mass = trace(first[0].e) * trace(second[0].e)
    sums = divergences(whole, mass, g.alpha)
    parts = sandwiched(*first, g.alpha) + sandwiched(*second, g.alpha)
    return rewrite(sums, None, parts)


def enlarged(g: Goal, pairs: Any, mu: Expr, whole: Operator) -> Theorem:
    """D(A (x) C || W) <= D(A || B + mu) + D(C || D + mu) where W >= (B + mu) (x) (D + mu): they commute."""
    (a, b), (c, d) = pairs
    parts = (a, lifted(b, mu)), (c, lifted(d, mu))
    product, smaller = kron(a, c), kron(parts[0][1], parts[1][1])
    return commuting(g.case, product, smaller, whole - smaller, g.alpha).then(additive(g, *parts))


def additive_lower(g: Goal) -> Theorem:
    """Proposition 1.5, lower bound: (B + root) (x) (D + root) >= B (x) D + lambda, root^2 = lambda."""
    if g.obvious:
        return g.obvious
    (a, b), (c, d), root = g.ab, g.cd, sympy.sqrt(g.lam)
    parts = (a, lifted(b, root)), (c, lifted(d, root))
    least, most = lifted(kron(b, d), g.lam), kron(parts[0][1], parts[1][1])
    equal = turned_round(additive(g, *parts))
    return rewrite(equal.then(commuting(g.case, kron(a, c), least, most - least, g.alpha)), g.lhs, g.rhs)


def additive_upper(mu: Any) -> Any:
    """A script for Proposition 1.5, upper bound, at a mu(lambda) with 2 mu + mu^2 <= lambda."""

    def script(g: Goal) -> Theorem:
        if g.obvious:
            return g.obvious
        (a, b), (c, d) = g.ab, g.cd
        if g.index:
            b, d = (OperatorVocabulary().complement(x) for x in (b, d))
        shown = enlarged(g, ((a, b), (c, d)), mu(g.lam), lifted(kron(b, d), g.lam))
        return rewrite(shown, g.lhs, g.rhs)

    return script
