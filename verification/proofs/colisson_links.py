"""Derivations for Colisson's report from Theorem 13 on: links between definitions, composition, trade-off, quantum."""

from __future__ import annotations

from sympy import Expr, Max, Symbol, exp, log, sqrt

from verification.proofs.colisson import bounded_divergence, chord
from verification.proofs.shared import renyi_processing
from verification.provers.derivation import Goal
from verification.provers.kernel import Theorem, processing, rewrite, through
from verification.provers.lemmas import lemma
from verification.provers.scalars import Convex, Factors, Parts, Rising, is_zero
from verification.provers.symbols import Total

x, y, w = (Symbol(name, positive=True) for name in ("height", "rise", "width"))


# Numbers


def bell(g: Goal, rise: Expr, width: Expr) -> Theorem:
    """log cosh(y + w/2) - log cosh(w/2) <= y (y + w) / 2: the slope at z is tanh z <= z.

    The left side is log((e^(y + w) + e^-y) / (1 + e^w)).
    """
    value = log(exp(y + w) + exp(-y)) - log(1 + exp(w))
    slope = Rising(y, start=Rising(w))
    return lemma(g.case, value, y * (y + w) / 2, {y: rise, w: width}, Rising(y, slope))


def better(g: Goal) -> Theorem:
    """e^x - 1 - x - x^2 / 2 >= 0."""
    e = g.epsilon
    curve = exp(e) - 1 - e - e**2 / 2
    return g.at_most(tactic=Factors([e * g.folds / 2, (curve, Rising(e, Rising(e, Rising(e))))]))


def tangent(g: Goal, width: Expr) -> Theorem:
    """w tanh(w / 2) <= w^2 / 2: w (e^w + 1) - 2 (e^w - 1) >= 0."""
    curve = w * (exp(w) + 1) - 2 * (exp(w) - 1)
    factors = Factors([w / (2 * (exp(w) + 1)), (curve, Rising(w, Rising(w)))])
    return lemma(g.case, w * (exp(w) - 1) / (exp(w) + 1), w**2 / 2, {w: width}, factors)


def older(g: Goal) -> Theorem:
    """k eps tanh(eps / 2) <= k eps^2 / 2."""
    return tangent(g, g.epsilon).times(g.folds)


def sinh_bound(g: Goal) -> Theorem:
    """The left side is cosh((x + y) / 2) / cosh((x - y) / 2)."""
    if g.obvious:
        return g.obvious
    shown = bell(g, g.y, g.width)
    return rewrite(through(shown, exp), g.lhs, g.rhs)


def least_order(g: Goal) -> Theorem:
    """c (1 + s) + l / s is convex in s."""
    s = g.alpha - 1
    level = log(1 + 1 / g.odds)
    best = sqrt(2 * level) / (sqrt(g.folds) * g.epsilon)
    return g.at_most(tactic=Convex(s, best, Parts([2 * level / s**3])))


# Pairs


def markov(g: Goal) -> Theorem:
    """v^(alpha - 1) (p - v q)_+ <= p^alpha q^(1 - alpha) by Young's inequality; and 1 <= its sum by a tangent."""
    if g.obvious:
        return g.obvious
    n, (p, q), v = g.alpha - 1, g.p, 1 + g.level
    moment = moment_of(g)
    if g.lhs == 0:
        shown = g.pointwise(1, moment, multipliers={p: -g.alpha, q: n}, at=1)
    else:
        (delta,) = g.lhs.atoms(Total)
        u = Symbol(p.name, positive=True)
        young = u**g.alpha / g.alpha + v**g.alpha * n / g.alpha - u * v**n
        parts = Parts([u**g.alpha * n / g.alpha, v**g.alpha / g.alpha, (young, Convex(u, v))])
        shown = g.pointwise(v**n * delta, moment, tactic=parts)
    return rewrite(through(shown, log).times(1 / n), g.lhs, g.rhs)


def moment_of(g: Goal) -> Symbol:
    """The symbol of sum p^alpha q^(1 - alpha)."""
    return next(s for s in g.case.definitions if s.name.startswith("M"))


def shrinks(g: Goal) -> Theorem:
    """(p - v q)_+ falls as v grows, at most by q for every unit."""
    if g.obvious:
        return g.obvious
    return g.pointwise(multipliers={g.p[1]: g.further} if g.index else {})


def processing_privacy(g: Goal) -> Theorem:
    """(p - r q)_+ is convex and homogeneous."""
    return processing(g.case, lambda x, y: Max(x - g.ratio * y, 0), *g.p, g.channel)


def processing_renyi(g: Goal) -> Theorem:
    """u^alpha v^(1 - alpha) is, or its negative."""
    return renyi_processing(g, *g.p, g.channel, g.alpha)


def pure_is_concentrated(g: Goal) -> Theorem:
    """Theorem 7; at order 1 the chord is eps tanh(eps / 2)."""
    if not g.lhs.has(Total):
        return bounded_divergence(g)
    known, (_, r) = chord(g), g.near
    above = g.at_most(known.rhs, g.rhs) if is_zero(g.rhs - log(r)) else rewrite(tangent(g, log(r)), known.rhs, g.rhs)
    return known.then(above)
