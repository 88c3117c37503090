"""The bounds of a guarantee on events: P(T) <= gain Q(T) + delta for every test T."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from functools import partial

import numpy as np

from krdtheory.arithmetic.base import Array, reject
from krdtheory.privacy import conversions
from krdtheory.privacy.conversions.concentrated import best_delta
from krdtheory.privacy.notions import (
    ApproximateDP,
    CapacityBoundedDP,
    GaussianDP,
    KernelRenyiDP,
    Notion,
    PureDP,
    RenyiDP,
    TradeOffDP,
)

Planes = Callable[[Array], tuple[Array, Array]]
_LARGEST = 300.0  # the largest epsilon; the square of e^epsilon does not overflow
_ORDERS = 1 + np.geomspace(0.05, 63, 16)


def half_planes(notion: Notion) -> tuple[Array, Array]:
    """Return (gain, delta), each (k,), such that the notion implies P(T) <= gain Q(T) + delta for every test T.

    Pure and approximate DP are one half-plane. The other notions imply one for every epsilon, of which four are taken,
    from 0 to twice the epsilon at which delta is about a quarter of delta(0).

    Raises
    ------
    ValueError
        The notion does not bound probabilities, as is the case for the kernel and the capacity-bounded notions.

    Examples
    --------
    >>> from krdtheory.audit.event_bounds import half_planes
    >>> from krdtheory.privacy.notions import GaussianDP, PureDP
    >>> [a.round(3).tolist() for a in half_planes(PureDP(epsilon=1))]
    [[2.718], [0.0]]
    >>> [a.round(3).tolist() for a in half_planes(GaussianDP(mu=1))]
    [[1.0, 1.845, 3.405, 11.591], [0.383, 0.21, 0.09, 0.007]]
    """
    if isinstance(notion, PureDP | ApproximateDP):
        return _gain(np.array([float(notion.epsilon)])), np.array([float(getattr(notion, "delta", 0))])
    if isinstance(notion, KernelRenyiDP | CapacityBoundedDP):
        reject("notion", notion, "one that bounds the probabilities of events (`audit` takes this one, of samples)")
    of = profile(notion)
    epsilon = np.geomspace(0.01, 32, 48)
    whole = of(np.zeros(1))[0]
    if whole >= 1:
        reject("notion", notion, "one that says more of the probabilities of events than that they are at most 1")
    epsilon = _nearest(of, epsilon, whole / 4) * np.array([0, 0.5, 1, 2])
    return np.exp(epsilon), np.minimum(of(epsilon), 1)


def _nearest(of: Callable[[Array], Array], grid: Array, level: float) -> float:
    """Return the point of an increasing grid at which a decreasing function is closest to a level, in few calls."""
    below = bisect_left(range(len(grid)), -level, key=lambda k: -float(of(grid[k : k + 1])[0]))
    around = grid[max(below - 1, 0) : below + 1]
    return float(around[np.argmin(np.abs(of(around) - level))])


def _gain(epsilon: Array) -> Array:
    """Return e^epsilon, capped where no number of outputs could show the difference."""
    return np.exp(np.minimum(epsilon, _LARGEST))


def profile(notion: Notion) -> Callable[[Array], Array]:
    """Return the function that gives the guaranteed delta, or a bound on it, at every epsilon (k,)."""
    if isinstance(notion, GaussianDP):
        return lambda e: np.asarray(conversions.gdp_to_delta(mu=float(notion.mu), epsilon=e))
    low_order = isinstance(notion, RenyiDP) and notion.alpha <= 1
    # the implication always holds at delta = 1, and its `parameter` is the least delta
    if low_order or isinstance(notion, TradeOffDP):
        return lambda e: np.array([notion.implies(ApproximateDP(epsilon=x, delta=1)).parameter for x in e.tolist()])
    orders = np.array([float(notion.alpha)]) if isinstance(notion, RenyiDP) else _ORDERS
    curve = np.array([notion.implies(RenyiDP(alpha=a, epsilon=1e300)).parameter for a in orders])
    orders, curve = orders[curve < 1e300], curve[curve < 1e300]
    if not len(orders):
        return np.ones_like

    return partial(best_delta, orders, curve)


def family(notion: Notion, planes: tuple[Array, Array], parameter: str) -> tuple[Array, Planes]:
    """Return a grid of values of a parameter that contains the claimed one, and the half-planes (v, k) at values (v,).

    The parameter is epsilon or delta for pure and approximate DP, where `planes` are the claimed half-planes. Otherwise
    it is the bound of the notion, and for f-DP the amount by which the curve is lowered.
    """
    gain, delta = planes

    def constant(x: Array, v: Array) -> Array:
        return np.broadcast_to(x, (len(v), len(x)))

    if parameter == "epsilon" and isinstance(notion, PureDP | ApproximateDP):
        grid = np.concatenate([np.linspace(0, 2 * float(notion.epsilon), 81), np.linspace(0, 12, 241)])
        return np.unique(grid), lambda v: (_gain(v)[:, None], constant(delta, v))
    if parameter == "delta":
        return np.unique([0, *delta, *np.geomspace(1e-5, 1, 101)]), lambda v: (constant(gain, v), v[:, None])
    if isinstance(notion, TradeOffDP):
        return np.linspace(0, 1, 101), lambda v: (constant(gain, v), np.minimum(v[:, None] + delta, 1))

    def stacked(v: Array) -> tuple[Array, Array]:
        each = [half_planes(notion._with(**{parameter: float(x)})) for x in v]
        return np.array([g for g, _ in each]), np.array([d for _, d in each])

    return notion.bound * np.arange(1, 17) / 4, stacked
