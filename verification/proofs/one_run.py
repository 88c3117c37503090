"""Scripts for the theorems on which an audit of one training run rests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import comb
from operator import add
from typing import Any

from sympy import Rational

from verification.provers import algebra
from verification.provers.derivation import Goal
from verification.provers.kernel import Theorem, at_most, pointwise


def _event(goal: Goal, test: Any, x: Any, y: Any, bound: Any) -> Theorem:
    """Bound the excess of a test by its hockey-stick divergence, and that by the largest one."""
    g = goal.ratio
    stick = goal.total(algebra.maximum(x - g * y, 0))
    shown = pointwise(goal.case, goal.total(test * x) - g * goal.total(test * y), stick)
    return shown.then(at_most(goal.case, stick, bound))


def guess(goal: Goal) -> Theorem:
    """Add up the bounds for both kinds of guesses, each with its weight."""
    x, y = goal.p
    g, o = goal.ratio, goal.odds
    largest = algebra.maximum(*(goal.total(algebra.maximum(a - g * b, 0)) for a, b in ((x, y), (y, x))))
    into, out = o / (1 + o) / (1 + g * o), o / (1 + o) / (o + g)
    first, second = _event(goal, goal.test[0], x, y, largest), _event(goal, goal.test[1], y, x, largest)
    return first.times(into) + second.times(out)


def average(goal: Goal) -> Theorem:
    """Average the bounds for the two canaries."""
    a, b, c, d = goal.p
    each = [_event(goal, test, x, y, goal.rhs) for test, x, y in zip(goal.test, (a, c), (b, d), strict=True)]
    return (each[0] + each[1]).times(Rational(1, 2))


def step(goal: Goal) -> Theorem:
    """Bound p - q by its positive part."""
    p, q = goal.p, goal.q
    return goal.at_most(p - q, algebra.maximum(p - q, 0)).times(goal.gain).plus(q * goal.gain + goal.low)


def bet(goal: Goal) -> Theorem:
    """Prove the claim from the sign of the difference."""
    return goal.at_most()


def ladder(goal: Goal) -> Theorem:
    """Prove the claim outcome by outcome."""
    return goal.pointwise()


def turned(f: Sequence[Any], g: Any) -> list[Any]:
    """Return the differences a f_a - g (r - a + 1) f_(a-1) for a = 1, ..., r."""
    r = len(f) - 1
    return [a * f[a] - g * (r - a + 1) * f[a - 1] for a in range(1, r + 1)]


def coefficients(r: int, v: int, g: Any) -> tuple[Any, list[Any]]:
    """Return beta_v, and the list of c_1, ..., c_r.

    They satisfy sum_(a >= v) f_a = beta_v sum f_a + sum_a c_a (a f_a - g (r - a + 1) f_(a-1)) for all f.
    """
    law = [comb(r, a) * g**a / (1 + g) ** r for a in range(r + 1)]
    tail = sum(law[v:])
    return tail, [sum(law[max(a, v) :]) * sum(law[: min(a, v)]) / (a * law[a]) for a in range(1, r + 1)]


def fixed(goal: Goal) -> Theorem:
    """Bound each difference by its positive part, and each coefficient by the one at v, which is the largest."""
    f = [goal.given[name] for name in sorted(goal.given) if name[0] == "f"]
    v = goal.index + 1
    _, c = coefficients(len(f) - 1, v, goal.ratio)
    return _by_parts(goal, turned(f, goal.ratio), c, c[v - 1])


def wrong(f: Sequence[Any], g: Any) -> list[Any]:
    """Return the differences f(x) - g f(x^k) for the guesses k that are right in x."""
    return [f[3] - g * f[1], f[3] - g * f[2], f[2] - g * f[0], f[1] - g * f[0]]


def block(goal: Goal) -> Theorem:
    """Prove the claim with the influence of a guess averaged over both orders in which the guesses may be revealed."""
    f = [goal.given[name] for name in sorted(goal.given) if name[0] == "f"]
    g = 1 + goal.more
    q = g / (1 + g)
    high, low = (1 + q) / 2, (q / 2 if goal.index == 0 else (2 - q) / 2)
    given = [high, high, low, low] if goal.index == 0 else [(1 - q) / 2] * 2 + [low] * 2
    return _by_parts(goal, wrong(f, g), [(1 - q) * x for x in given], (1 - q) * high)


def _by_parts(goal: Goal, differences: Sequence[Any], given: Sequence[Any], largest: Any) -> Theorem:
    """Prove sum c_i x_i <= max c_i sum (x_i)_+ for coefficients c_i >= 0."""
    parts = []
    for x, c in zip(differences, given, strict=True):
        positive = algebra.maximum(x, 0)
        parts.append(goal.at_most(x, positive).times(c) + goal.at_most(0, positive).times(largest - c))
    shown = reduce(add, parts)
    return shown.plus(goal.lhs - shown.lhs)
