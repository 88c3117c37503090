"""Suprema over orders and over two-point distributions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import expit, log_expit, ndtri_exp

from krdtheory.arithmetic.base import Array
from krdtheory.privacy.notions.notion import SLACK, Notion


def supremum(f: Callable[[Array], Array], low: float, high: float) -> float:
    """Return the supremum of f on [low, high], by successively finer grids around the best point so far."""
    best, size = -np.inf, 128
    for _ in range(7):
        grid = np.linspace(low, high, size + 1)
        values = f(grid)
        i = int(np.argmax(values))
        best = max(best, float(values[i]))
        low, high, size = grid[max(i - 1, 0)], grid[min(i + 1, size)], 32
    return best


def largest_shift(notion: Notion) -> float:
    """Return the least mu such that two-point distributions within the Renyi curve of `notion` are mu-GDP.

    It is attained near randomised response; as q -> 0 it decreases to sqrt(2 rho), rho being the slope of the curve.
    """
    orders = np.array([1, *(1 + np.geomspace(1e-3, 1e4, 200)), np.inf])  # a subset: mu can only increase
    bounds = np.array([notion._curve(float(a))[0] for a in orders])[:, None] * (1 + SLACK)

    def score(u: Array) -> Array:
        tail = ndtri_exp(log_expit(-abs(u)))
        return np.where(u < 0, tail, -tail)

    def renyi(u: Array, v: Array) -> Array:
        x, y = log_expit(u) - log_expit(v), log_expit(-u) - log_expit(-v)
        k = orders[1:-1, None] - 1
        middle = np.logaddexp(log_expit(u) + k * x, log_expit(-u) + k * y) / k
        return np.vstack([expit(u) * x + expit(-u) * y, middle, np.maximum(x, y)])

    def gap(place: Array) -> Array:
        v = -np.sinh(place)
        low, high = v, np.full_like(v, 745.0)
        for _ in range(60):
            u = (low + high) / 2
            within = (np.maximum(renyi(u, v), renyi(v, u)) <= bounds).all(0)
            low, high = np.where(within, u, low), np.where(within, high, u)
        return score(high) - score(v)

    return supremum(gap, 0.0, float(np.arcsinh(700)))
