"""Scripts for the theorems on which an audit rests."""

from __future__ import annotations

from sympy import Rational

from verification.provers import algebra
from verification.provers.derivation import Goal
from verification.provers.kernel import Theorem, at_most, more_trials, pointwise


def rejections_rise(goal: Goal) -> Theorem:
    """Prove that a rejection does not become less likely when every trial does better."""
    return more_trials(goal.case, goal.lhs, goal.rhs)


def guesses(goal: Goal) -> Theorem:
    """Bound each test by its hockey-stick divergence, which is at most the larger of the two, and average."""
    g = goal.ratio
    bounds = [
        pointwise(goal.case, goal.total(t * x) - g * goal.total(t * y), goal.total(algebra.maximum(x - g * y, 0))).then(
            at_most(goal.case, goal.total(algebra.maximum(x - g * y, 0)), goal.rhs)
        )
        for t, (x, y) in zip(goal.test, (goal.p, goal.p[::-1]), strict=True)
    ]
    return (bounds[0] + bounds[1]).times(Rational(1, 2))


def wealth(goal: Goal) -> Theorem:
    """Prove that the wealth stays nonnegative, since its worst factor is 1 - bet, and does not grow in the mean.

    The mean excess of a test is at most delta, letter by letter.
    """
    if goal.index == 0:
        return goal.at_most()
    (x, y), test, factor = goal.p, goal.test[0], 1 + goal.more
    delta = goal.total(algebra.maximum(x - factor * y, 0))
    excess = goal.total(test * x) - factor * goal.total(test * y)
    size = goal.wealth * goal.bet / (factor + delta)
    return pointwise(goal.case, excess, delta).plus(-delta).times(size).plus(goal.rhs)
