"""Parts of scripts that proofs of several papers share."""

from __future__ import annotations

from typing import Any

from sympy import Expr, Gt, Integer, Piecewise, Symbol, log

from verification.proof import ProofError
from verification.provers.convexity import processing
from verification.provers.derivation import Goal
from verification.provers.kernel import Theorem, rewrite, through


def moments(goal: Goal) -> list[Symbol]:
    """Return the moments sum p^alpha q^(1 - alpha) of a goal, in the order in which the claim's function used them."""
    return [s for s in goal.case.definitions if s.name.startswith("M_")]


def power_mean(alpha: Expr) -> Any:
    """Return the function x^alpha y^(1 - alpha), which is 0 at x = 0."""
    return lambda x, y: Piecewise((x**alpha * y ** (1 - alpha), Gt(x, 0)), (Integer(0), True))


def from_moments(goal: Goal, bound: Theorem, alpha: Expr) -> Theorem:
    """Prove an inequality of Renyi divergences from one of moments, by log / (alpha - 1).

    This reverses the inequality below alpha = 1.
    """
    logs = through(bound, log)
    return logs.times(1 / (alpha - 1)) if (alpha - 1).is_positive else logs.times(1 / (1 - alpha)).negated()


def renyi_processing(goal: Goal, kernel: Symbol | None = None) -> Theorem:
    """Prove D_alpha(p K || q K) <= D_alpha(p || q), as u^alpha v^(1 - alpha) or its negative is convex and homogeneous.

    If no kernel K is given, it is the only kernel of the goal: a channel, the cells of a score, or the graph of a map.
    """
    if kernel is None:
        (kernel,) = (k for k, _ in goal.case.masses if len(goal.case.alphabets[k]) == 2)
    alpha = goal.alpha
    sign, f = 1 if (alpha - 1).is_positive else -1, power_mean(alpha)
    bound = processing(goal.case, lambda x, y: sign * f(x, y), goal.p[0], goal.p[1], kernel)
    image, whole = (next((m for m in moments(goal) if side.has(m)), None) for side in (goal.lhs, goal.rhs))
    if image is None or whole is None:
        raise ProofError("the goal does not contain the moments of both sides")
    if sign > 0:
        return from_moments(goal, rewrite(bound, image, whole), alpha)
    return from_moments(goal, rewrite(bound.negated(), whole, image), alpha)
