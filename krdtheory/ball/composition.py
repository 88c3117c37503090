"""Composition of mechanisms, in ball arithmetic.

Names, arguments, ranges and formulas are those of `krdtheory.privacy.composition`; exact numbers, balls, results and
errors are as in `krdtheory.ball.conversions`. Binomial tails are Arb's incomplete beta functions, so that k may be as
large as 10^9. Different mechanisms are composed exactly, from at most 2^20 sums of privacy losses, or rejected; the
result is one ball, whose ends are the bounds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from functools import reduce
from itertools import accumulate
from math import comb, prod
from typing import Any, NamedTuple, Protocol

import numpy as np
from flint import arb, ctx, fmpq

from krdtheory.arithmetic.ball import INF, UndecidedError, add_up, interval, largest, positive_part
from krdtheory.arithmetic.base import given_at, reject
from krdtheory.ball.best_order import Responses, epsilon_over_orders
from krdtheory.ball.conversions import smaller
from krdtheory.ball.inputs import rational
from krdtheory.ball.monotone import (
    BELOW_ONE,
    NONNEGATIVE,
    REAL,
    UNIT,
    Argument,
    Range,
    argument,
    monotone,
    nonnegative_part,
)

__all__ = [
    "composition_bound",
    "heterogeneous_composition",
    "heterogeneous_composition_delta",
    "optimal_composition",
    "optimal_composition_delta",
]

METHODS = ("best", "basic", "dwork_rothblum_vadhan", "dwork_rothblum", "colisson", "tanh", "tanh_log", "renyi")
MOST_FOLDS = 10**9
MOST_SUMS = 2**10  # of losses in either half
MOST_EVENTS = 8  # at one place of the profile
COARSE = 80  # bits
SMALL = fmpq(1, 2**20)  # largest loss below which probabilities are summed in a form without cancellation
MOST_SUMMED = 2**26  # the largest k for which that is done, which takes about a second

FOLDS = Range(f"an integer from 1 to {MOST_FOLDS}", 1, MOST_FOLDS, balls=False)


# k mechanisms with the same parameters


def optimal_composition(
    *, epsilon: Any, delta: Any, k: Any, total_delta: Any, nonnegative: bool = False, digits: int = 50
) -> Any:
    """The least epsilon of k (epsilon, delta)-DP mechanisms together at a total delta.

    An event {loss > x} gives a lower bound, which is the value if it lies in the same piece of the profile as x.

    Examples
    --------
    >>> from krdtheory import ball
    >>> value = ball.optimal_composition(epsilon="0.1", delta="1e-6", k=100, total_delta="1.01e-4", digits=20)
    >>> print(value.str(20, radius=False))
    4.7738985425582991128
    """

    def formula(e: fmpq, d: fmpq, n: fmpq, total: fmpq) -> Any:
        return nonnegative_part(_epsilon_of(Binomial(e, int(n)), _left(d, int(n), total)), nonnegative)

    return monotone(formula, digits, **_mechanisms(epsilon, delta, k, BELOW_ONE), **_total(total_delta))


def optimal_composition_delta(*, epsilon: Any, delta: Any, k: Any, total_epsilon: Any, digits: int = 50) -> Any:
    """The least delta of k (epsilon, delta)-DP mechanisms together at a total epsilon.

    Examples
    --------
    >>> from krdtheory import ball
    >>> value = ball.optimal_composition_delta(epsilon="0.1", delta="1e-6", k=10**6, total_epsilon=5300, digits=20)
    >>> print(value.str(20, radius=False))
    0.63253407697826126196
    """

    def formula(e: fmpq, d: fmpq, n: fmpq, total: fmpq) -> Any:
        if d == 1:
            return arb(1)
        return _with_revealed(int(n) * arb(-d).log1p(), profile(Binomial(e, int(n)), total))

    return monotone(
        formula,
        digits,
        **_mechanisms(epsilon, delta, k, UNIT),
        total_epsilon=argument(total_epsilon, "total_epsilon", REAL, -1),
    )


def composition_bound(
    *, epsilon: Any, delta: Any, k: Any, total_delta: Any, method: str = "best", digits: int = 50
) -> Any:
    """An epsilon of k (epsilon, delta)-DP mechanisms together at a total delta, by a theorem of the literature.

    Examples
    --------
    >>> from krdtheory import ball
    >>> value = ball.composition_bound(epsilon="0.01", delta=0, k=1000, total_delta="1e-9", method="renyi", digits=20)
    >>> print(value.str(20, radius=False))
    1.8754563728082577414
    """
    if method not in METHODS:
        reject("method", method, f"one of {', '.join(METHODS)}")

    def formula(e: fmpq, d: fmpq, n: fmpq, total: fmpq) -> Any:
        left = _left(d, int(n), total)
        if left < 0:
            return INF
        if method == "basic" or (method == "best" and left == 0):
            return arb(n * e)
        if left == 0:
            return INF
        if method != "best":
            return _bound_of(method, e, int(n), left)
        return reduce(smaller, (_bound_of(m, e, int(n), left) for m in METHODS[2:]), arb(n * e))

    return monotone(formula, digits, **_mechanisms(epsilon, delta, k, BELOW_ONE), **_total(total_delta))


def _bound_of(method: str, epsilon: fmpq, k: int, left: Any) -> Any:
    if method == "renyi":
        if epsilon == 0:
            return (-left).log1p()
        ends = {rational(left.lower()), rational(left.upper())}
        return reduce(interval, (epsilon_over_orders(Responses(epsilon, k), end) for end in ends))
    e, n = arb(epsilon), arb(k)
    log_term = (arb(1).exp() + n.sqrt() * e / left).log() if method == "tanh_log" else -left.log()
    spread = e * (2 * n * log_term).sqrt()
    if method.startswith("tanh"):
        return n * e * (e / 2).tanh() + spread
    if method == "colisson":
        return n * e * e / 2 + spread
    return n * e * e.expm1() / (1 if method == "dwork_rothblum_vadhan" else 2) + spread


# Mechanisms with different parameters


def heterogeneous_composition(
    *, epsilon: Any, delta: Any, total_delta: Any, nonnegative: bool = False, digits: int = 50
) -> Any:
    """The least epsilon of several (epsilon_i, delta_i)-DP mechanisms together at a total delta.

    Examples
    --------
    >>> from krdtheory import ball
    >>> value = ball.heterogeneous_composition(
    ...     epsilon=["0.1", "0.2", "0.3"], delta=[0, 0, "1e-6"], total_delta="0.01", digits=20
    ... )
    >>> print(value.str(20, radius=False))
    0.53780252423191428018
    """
    arguments = _list(epsilon, delta, BELOW_ONE)
    n = len(arguments) // 2

    def formula(*values: fmpq) -> Any:
        hidden = prod((1 - d for d in values[n:-1]), start=fmpq(1))
        left = arb(1 - (1 - values[-1]) / hidden)
        return nonnegative_part(_epsilon_of(Sums(values[:n]), left), nonnegative)

    return monotone(formula, digits, **arguments, **_single(_total(total_delta)))


def heterogeneous_composition_delta(*, epsilon: Any, delta: Any, total_epsilon: Any, digits: int = 50) -> Any:
    """The least delta of several (epsilon_i, delta_i)-DP mechanisms together at a total epsilon.

    Examples
    --------
    >>> from krdtheory import ball
    >>> value = ball.heterogeneous_composition_delta(epsilon=["0.5", 1], delta=0, total_epsilon=1, digits=20)
    >>> print(value.str(20, radius=False))
    0.17904988921681761031
    """
    arguments = _list(epsilon, delta, UNIT)
    n = len(arguments) // 2

    def formula(*values: fmpq) -> Any:
        if fmpq(1) in values[n:-1]:
            return arb(1)
        return _with_revealed(add_up(arb(-d).log1p() for d in values[n:-1]), profile(Sums(values[:n]), values[-1]))

    total = {"total_epsilon": argument(total_epsilon, "total_epsilon", REAL, -1)}
    return monotone(formula, digits, **arguments, **_single(total))


# Privacy losses


class Losses(Protocol):
    """The privacy losses of composed randomised responses, from -top to top."""

    top: fmpq

    def event(self, x: fmpq) -> Hashable:
        """Return the event {loss > x}, -top <= x < top; events with the same outcomes are equal."""

    def events(self, low: fmpq, high: fmpq) -> set[Hashable]:
        """Return the events of all x from low to high, which must be close."""

    def masses(self, event: Any) -> tuple[Any, Any]:
        """Return its probability under the first distribution minus that under the second, and the latter."""


class Binomial:
    """The losses of k responses with log-odds epsilon: (2 l - k) epsilon for l successes."""

    def __init__(self, epsilon: fmpq, k: int) -> None:
        self.epsilon, self.k, self.top = epsilon, k, k * epsilon

    def event(self, x: fmpq) -> int:
        """Return the least l."""
        return min(int((x / self.epsilon + self.k) / 2) + 1, self.k)

    def events(self, low: fmpq, high: fmpq) -> set[Hashable]:
        first, last = self.event(low), self.event(high)
        if last - first > MOST_EVENTS:
            raise UndecidedError(f"there are {last - first + 1} pieces of the profile at the place")
        return set(range(first, last + 1))

    def masses(self, event: int) -> tuple[Any, Any]:
        if event == 0:
            return arb(0), arb(1)
        if self.top < SMALL:
            return self._close_masses(event)
        odds, shape = arb(-self.epsilon).exp(), (event, self.k - event + 1)
        p, q = (x / (1 + odds) for x in (arb(1), odds))
        if event <= self.k * p:  # if p is close to 1, Arb is slow, but not for the complement
            mass = 1 - q.beta_lower(*shape[::-1], regularized=True)
        else:
            mass = p.beta_lower(*shape, regularized=True)
        other = q.beta_lower(*shape, regularized=True)
        return mass - other, other

    def _close_masses(self, event: int) -> tuple[Any, Any]:
        """Return `masses` of two close distributions without cancellation: from sums over the numbers of successes j on
        the side of the event away from the mean, of probabilities w under the first and of w y, y = e^-loss - 1.
        """
        if self.k > MOST_SUMMED:
            raise UndecidedError(f"k = {self.k} is more than {MOST_SUMMED}, for k epsilon as small as here")
        k, e, above = self.k, arb(self.epsilon), 2 * event > self.k
        j, step = (event, 1) if above else (event - 1, -1)
        ways = arb(k + 1).lgamma() - arb(j + 1).lgamma() - arb(k - j + 1).lgamma()
        w = (ways - (k - j) * e - k * (-e).exp().log1p()).exp()
        y, tilt = (-(2 * j - k) * e).expm1(), (-2 * step * e).expm1()
        grow, most = (step * e).exp(), arb(self.top).expm1()
        mass, moved, precision = arb(0), arb(0), arb(2) ** -ctx.prec
        while True:
            mass, moved = mass + w, moved + w * y
            ratio = grow * (fmpq(k - j, j + 1) if above else fmpq(j, k - j + 1))
            rest = w * ratio / (1 - ratio)  # more than the sum of all that follow, as ratios decrease
            if ratio == 0 or (ratio < 1 and rest < mass * precision and rest * most < abs(moved) * precision):
                break
            w, y, j = w * ratio, y + tilt + y * tilt, j + step
        mass, moved = mass + interval(arb(0), rest), moved + interval(-rest * most, rest * most)
        return (-moved, mass + moved) if above else (moved, 1 - mass - moved)


class Sums:
    """The losses of responses with any log-odds, as sums over two halves, of which the second is sorted."""

    def __init__(self, epsilons: Iterable[fmpq]) -> None:
        kinds = Counter(e for e in epsilons if e > 0)
        halves: list[list[tuple[fmpq, int]]] = [[], []]
        sizes = [1, 1]
        for kind in sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0])):
            small = int(sizes[1] < sizes[0])
            halves[small].append(kind)
            sizes[small] *= kind[1] + 1
        if max(sizes) > MOST_SUMS:
            reject("epsilon", sizes[0] * sizes[1], f"such that there are at most {MOST_SUMS**2} sums of losses")
        self.top = sum((e * n for e, n in kinds.items()), fmpq(0))
        self.first, second = (sorted(_outcomes(half), key=lambda outcome: outcome.loss) for half in halves)
        self.losses = [outcome.loss for outcome in second]
        self.tails = [[*accumulate((o[i] for o in reversed(second)), initial=arb(0))][::-1] for i in (1, 2)]

    def event(self, x: fmpq) -> tuple[int, ...]:
        """Return, for each outcome of the first half, the place at which those of the second begin."""
        return tuple(bisect_right(self.losses, x - outcome.loss) for outcome in self.first)

    def events(self, low: fmpq, high: fmpq) -> set[Hashable]:
        spans = zip(self.first, self.event(low), self.event(high), strict=True)
        steps = {o.loss + loss for o, start, end in spans for loss in self.losses[start:end]}
        if len(steps) > MOST_EVENTS:
            raise UndecidedError(f"there are {len(steps) + 1} pieces of the profile at the place")
        return {self.event(x) for x in (low, *steps)}

    def masses(self, event: tuple[int, ...]) -> tuple[Any, Any]:
        gap, other = self.tails
        pairs = list(zip(self.first, event, strict=True))  # p p' - q q' = (p - q) p' + q (p' - q')
        moved = (o.gap * (other[start] + gap[start]) + o.other * gap[start] for o, start in pairs)
        return add_up(moved), add_up(o.other * other[start] for o, start in pairs)


class Outcome(NamedTuple):
    """A loss, its probability under the first distribution minus that under the second, and that under the second."""

    loss: fmpq
    gap: Any
    other: Any


def _outcomes(kinds: list[tuple[fmpq, int]]) -> list[Outcome]:
    found = [(fmpq(0), arb(1))]
    for e, n in kinds:
        odds = arb(-e).exp()
        weights = [((2 * j - n) * e, comb(n, j) * odds**j / (1 + odds) ** n) for j in range(n + 1)]
        found = [(x + loss, z * q) for x, z in found for loss, q in weights]
    return [Outcome(loss, other * arb(loss).expm1(), other) for loss, other in found]


def profile(losses: Losses, x: fmpq) -> Any:
    """Return the hockey-stick divergence at x."""
    if x >= losses.top:
        return arb(0)
    if x < -losses.top:
        return -arb(x).expm1()
    gap, other = losses.masses(losses.event(x))
    return positive_part(gap - arb(x).expm1() * other)


def _epsilon_of(losses: Losses, d: Any) -> Any:
    """Return the epsilon at which the profile, the largest p - e^epsilon q over the events, is d; +inf if d < 0."""
    if d < 0:
        return INF
    if d == 0:
        return arb(losses.top)
    everything = (-d).log1p()  # from the certain event
    if everything < -losses.top or losses.top == 0:
        return everything
    events = {_piece(losses, d)}
    for _ in range(3):
        x = largest([-INF, *_bounds(losses, events, d)])
        if not x.is_finite() or not -losses.top <= rational(x.lower()) <= rational(x.upper()) < losses.top:
            break
        there = losses.events(rational(x.lower()), rational(x.upper()))
        if there <= events:  # the best of them is the one at x, where no other bound is larger
            return x
        events |= there
    raise UndecidedError(f"the piece of the profile at {x.str(10)} is not found")


def _bounds(losses: Losses, events: set[Hashable], d: Any) -> Iterator[Any]:
    """Yield lower bounds on epsilon."""
    for event in events:
        gap, other = losses.masses(event)
        if gap + other > d:
            yield ((gap - d) / other).log1p()
        elif not gap + other < d:
            raise UndecidedError(f"is {(gap + other).str(5)} above {d.str(5)}?")


def _piece(losses: Losses, d: Any) -> Hashable:
    """Return the event at the place where the profile is d, by non-rigorous bisection."""
    low, high = -losses.top, losses.top
    rest = (1 - d).lower()
    if not rest > 0:
        raise UndecidedError(f"is {d.str(5)} below 1?")
    near_one = int(1 / rational(rest)).bit_length()
    with ctx.workprec(min(ctx.prec, COARSE + near_one)):
        target = d.mid()
        while True:
            middle = rational(arb((low + high) / 2).mid())
            if not low < middle < high or (high - low) * fmpq(2) ** ctx.prec < losses.top:  # the end of a piece
                return losses.event(high)
            if profile(losses, middle).mid() > target:
                low = middle
            else:
                high = middle
            if losses.event(low) == losses.event(high):
                return losses.event(low)


# Arguments and results


def _mechanisms(epsilon: Any, delta: Any, k: Any, deltas: Range) -> dict[str, Argument]:
    folds = argument(k, "k", FOLDS)
    broken = np.array([n.q != 1 for n in folds.values.flat], dtype=bool).reshape(folds.values.shape)
    if broken.any():
        reject("k", given_at(k, broken), FOLDS.allowed, TypeError)
    return {
        "epsilon": argument(epsilon, "epsilon", NONNEGATIVE),
        "delta": argument(delta, "delta", deltas),
        "k": folds,
    }


def _total(total_delta: Any) -> dict[str, Argument]:
    return {"total_delta": argument(total_delta, "total_delta", BELOW_ONE, -1)}


def _single(total: dict[str, Argument]) -> dict[str, Argument]:
    """Check that there is a single total, as the lists are composed to one value."""
    for name, given in total.items():
        if given.values.size != 1:
            reject(name, given.values.shape, "one number (this is its shape)")
    return {name: replace(given, values=given.values.reshape(())) for name, given in total.items()}


def _list(epsilon: Any, delta: Any, deltas: Range) -> dict[str, Argument]:
    """Return all epsilon_i, then all delta_i, as separate arguments."""
    e, d = argument(epsilon, "epsilon", NONNEGATIVE), argument(delta, "delta", deltas)
    try:
        values = np.broadcast_arrays(e.values, d.values)
    except ValueError:
        shapes = f"{e.values.shape}, {d.values.shape}"
        raise ValueError(f"epsilon, delta must have shapes that broadcast; got {shapes}") from None
    if values[0].ndim != 1 or values[0].size == 0:
        reject("epsilon", values[0].shape, "a vector of at least one epsilon (this is its shape)")
    return {
        f"{name}[{i}]": Argument(np.array(x, dtype=object), of.range, 1)
        for name, of, row in zip(("epsilon", "delta"), (e, d), values, strict=True)
        for i, x in enumerate(row)
    }


def _left(delta: fmpq, k: int, total: fmpq) -> Any:
    """Return 1 - (1 - total) / (1 - delta)^k, the delta left without revealing outputs; exactly 0 where it is 0."""
    if delta == 0:
        return arb(total)
    hidden = 1 - delta
    longest = k * (int(hidden.q).bit_length() - 1)
    if longest <= int((1 - total).q).bit_length() and hidden**k == 1 - total:
        return arb(0)
    left = -(arb(-total).log1p() - k * arb(-delta).log1p()).expm1()
    if not (left > 0 or left < 0):
        raise UndecidedError(f"is what is left of total_delta, {left.str(5)}, positive?")
    return left


def _with_revealed(log_hidden: Any, delta: Any) -> Any:
    revealed = -log_hidden.expm1()
    return revealed + log_hidden.exp() * delta
