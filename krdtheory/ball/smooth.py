"""Divergences of exact weights, smoothed over a total variation ball, in which the best weights are rational."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq

from krdtheory.arithmetic.ball import INF, UndecidedError, interval
from krdtheory.arithmetic.base import Array, by_name, given_at, reject
from krdtheory.ball.classical import renyi_of
from krdtheory.ball.inputs import (
    Number,
    end_points,
    mapped,
    numbers,
    renyi_orders,
    require_rational,
    two_weights,
)


@by_name
def approximate_max_divergence(p: Any, q: Any, *, delta: Any, digits: int = 50) -> Any:
    """Delta-approximate max divergence, as `krdtheory.divergences.smooth.approximate_max_divergence`.

    The best set of symbols is found over Q. Weights and delta may be balls: the divergence increases with p and
    decreases with q and delta.

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights, exact or balls; p not all zero.
    delta : array_like
        In [0, inf), exact or balls; broadcasts against the leading dimensions.
    digits : int
        Required number of correct digits.

    Returns
    -------
    arb or array of arb, shape (...)
        In nats; exactly +inf where p(q = 0) > delta, exactly -inf where delta >= sum p.

    Raises
    ------
    UndecidedError
        Not certified at the highest precision.
    ValueError, TypeError
        As `krdtheory.ball.renyi`; delta negative or infinite.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.approximate_max_divergence(["3/4", "1/4"], ["1/4", "3/4"], delta="1/100", digits=20).str(20))
    [1.0851892683359690046 +/- 1.62e-20]
    >>> ball.approximate_max_divergence(["1/2", "1/2"], [1, 0], delta="1/4") == float("inf")
    True
    """
    return mapped(_max_divergence, _checked(p, q, delta), digits)


@by_name
def smooth_renyi(p: Any, q: Any, alpha: Any, *, delta: Any, digits: int = 50) -> Any:
    """Smooth Renyi divergence, as `krdtheory.divergences.smooth.smooth_renyi`.

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative rational weights; p not all zero.
    alpha : array_like
        Rational orders in [0, inf], limits taken.
    delta : array_like
        Rational radius in [0, inf).
    digits : int
        Required number of correct digits.

    Returns
    -------
    arb or array of arb, shape (...)
        In nats; exactly +inf where it is.

    Raises
    ------
    UndecidedError
        Not certified at the highest precision.
    ValueError, TypeError
        As `krdtheory.ball.renyi`; delta negative or infinite; or balls.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.smooth_renyi(["3/4", "1/4"], ["1/4", "3/4"], 2, delta="1/4", digits=20).str(20))
    [0.28768207245178092744 +/- 7.82e-22]
    >>> print(ball.smooth_renyi(["3/4", "1/4"], ["1/4", "3/4"], 2, delta="1/2"))
    0
    """
    arrays = _rational(_checked(p, q, delta))
    return mapped(lambda x, y, d, a: renyi_of(nearest(x, y, d), y, a), {**arrays, "alpha": renyi_orders(alpha)}, digits)


@by_name
def optimal_smoothing(p: Any, q: Any, *, delta: Any, digits: int = 50) -> Any:
    """The weights within total variation distance delta of p that are closest to q.

    As `krdtheory.divergences.smooth.optimal_smoothing`; parameters and errors as `smooth_renyi`; q not all
    zero.

    Returns
    -------
    array of arb, shape (..., n)
        Balls of rationals, which have the sum of p.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.optimal_smoothing(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"], delta="1/8"))
    [0.375000000000000 0.250000000000000 0.375000000000000]
    """

    def formula(x: list[fmpq], y: list[fmpq], d: fmpq) -> Array:
        return np.array([arb(v) for v in nearest(x, y, d)], dtype=object)

    arrays = _rational(_checked(p, q, delta))
    if any(not any(y) for y in arrays["q"].flat):
        reject("q", q, "not all zero")
    return mapped(formula, arrays, digits)


def _checked(p: Any, q: Any, delta: Any) -> dict[str, Array]:
    x, y = two_weights(p, q)
    d = numbers(delta, "delta", "finite and >= 0")
    for one in d.flat:
        if one < 0:
            reject("delta", given_at(delta, d < 0), "finite and >= 0")
    return {"p": x, "q": y, "delta": d}


def _rational(arrays: dict[str, Array]) -> dict[str, Array]:
    for name, values in arrays.items():
        require_rational(values, name)
    return arrays


# Formulas over Q


class Level(NamedTuple):
    """A level of p / q, and the symbols beyond it."""

    ratio: Any  # a rational or +-inf
    members: list[int]


def upper_level(p: list[fmpq], q: list[fmpq], delta: fmpq) -> Level:
    """Return the u with sum (p - u q)_+ = delta, that is max (p(S) - delta) / q(S); -inf if delta >= sum p."""
    outside = [i for i, x in enumerate(p) if x > 0 and q[i] == 0]
    mass, reference = sum((p[i] for i in outside), -delta), fmpq(0)
    if mass > 0:
        return Level(INF, outside)
    best, members = Level(-INF, []), outside
    for i in sorted((i for i, y in enumerate(q) if y > 0), key=lambda i: p[i] / q[i], reverse=True):
        mass, reference, members = mass + p[i], reference + q[i], [*members, i]
        if mass > 0 and (not best.members or mass / reference > best.ratio):
            best = Level(mass / reference, members)
    return best


def lower_level(p: list[fmpq], q: list[fmpq], delta: fmpq) -> Level:
    """Return the l with sum (l q - p)_+ = delta, that is min (p(S) + delta) / q(S)."""
    mass, reference, best = delta, fmpq(0), Level(INF, [])
    members: list[int] = []
    for i in sorted((i for i, y in enumerate(q) if y > 0), key=lambda i: p[i] / q[i]):
        mass, reference, members = mass + p[i], reference + q[i], [*members, i]
        if not best.members or mass / reference < best.ratio:
            best = Level(mass / reference, members)
    return best


def nearest(p: list[fmpq], q: list[fmpq], delta: fmpq) -> list[fmpq]:
    """Return p with p / q clipped from above and from below; q, scaled to the sum of p, if that is within delta."""
    zero, total, reference = fmpq(0), sum(p, fmpq(0)), sum(q, fmpq(0))
    if reference == 0:
        return p
    if sum((abs(x - y * total / reference) for x, y in zip(p, q, strict=True)), zero) <= 2 * delta:
        return [y * total / reference for y in q]
    upper, lower = upper_level(p, q, delta), lower_level(p, q, delta)
    out = list(p)
    for i in lower.members:
        out[i] = lower.ratio * q[i]
    if upper.ratio == INF:  # the weights outside the support of q shrink in proportion
        mass = sum((p[i] for i in upper.members), zero)
        for i in upper.members:
            out[i] = p[i] * (1 - delta / mass)
    else:
        for i in upper.members:
            out[i] = upper.ratio * q[i]
    return out


def _max_divergence(p: list[Number], q: list[Number], delta: Number) -> Any:
    (low_p, high_p), (low_q, high_q) = _corners(p), _corners(q)
    low_delta, high_delta = end_points(delta)
    low = _log(upper_level(low_p, high_q, high_delta).ratio)
    if low_p == high_p and low_q == high_q and low_delta == high_delta:
        return low
    high = _log(upper_level(high_p, low_q, low_delta).ratio)
    if low == high or (low.is_finite() and high.is_finite()):
        return interval(low, high)
    raise UndecidedError("the balls given do not say where the divergence is finite", lower=low, upper=high)


def _corners(weights: list[Number]) -> tuple[list[fmpq], list[fmpq]]:
    ends = [end_points(x) for x in weights]
    return [max(low, fmpq(0)) for low, _ in ends], [high for _, high in ends]


def _log(ratio: Any) -> Any:
    return ratio if ratio in (INF, -INF) else arb(ratio).log()
