r"""The test of a trade-off function on one run, for a number of guesses that is fixed in advance.

A guarantee bounds from below the probability h of an event for the one input, given its probability t for the other:
h >= H(t), with H increasing and convex. Of r guesses let a be right with probability f_a. For each w

.. math:: U_w \ge m\, H(T_w / m),\quad T_w = \sum_{a \ge w} a f_a,\quad U_w = \sum_{a \ge w - 1} (r - a) f_a,

since flipping coin i turns the event that guess i and at least w in all are right into the event that guess i is wrong
and at least w - 1 are right; the sum over guesses uses Jensen's inequality (Mahloujifar, Melis and Chaudhuri 2024). For
guesses "in" only, T_w <= m p t and U_w >= m (1 - p) h; for k secrets, U_w >= m (k - 1) h. If W >= v had probability
tau, the least possible f_{v-1}, then the least possible f_{v-2}, ... would have a sum of at most 1 - tau; if it is
larger, the p-value is below tau.

Guarantees of an ordered family are tested from the strongest on, each with its own number of guesses that is fixed in
advance, up to the first that is not rejected. All guarantees from some place on are true, so going too far requires
that the first true one is rejected, and there is no price for multiple tests.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr, ndtri

from krdtheory.arithmetic.base import Array

Floor = Callable[[Array], Array]  # t (k,) -> H(t) of k guarantees
_SLACK = 1e-9  # of a sum of probabilities, more than its rounding error


def gaussian_floor(mu: Array) -> Floor:
    """Return H of Gaussian DP: t and h are the probabilities of an event under normal distributions at distance mu."""
    return lambda t: np.asarray(ndtr(ndtri(t) - mu))


def planes_floor(gain: Array, delta: Array) -> Floor:
    """Return H of half-planes t <= gain h + delta, (k, j) or (j,), for events and their complements."""

    def floor(t: Array) -> Array:
        t = t[:, None]
        out: Array = np.maximum(np.maximum((t - delta) / gain, 1 - delta - gain * (1 - t)).max(1), 0)
        return out

    return floor


def curve_floor(tradeoff: Callable[[Array], Array], lowered: Array) -> Floor:
    """Return H of f-DP with f lowered: a test of type I error 1 - t has type II error at least f(1 - t)."""
    return lambda t: np.maximum(np.asarray(tradeoff(np.clip(1 - t, 0, 1)), dtype=float) - lowered, 0)


def rejects(floor: Floor, right: Array, guesses: Array, totals: tuple[float, float], tau: Array) -> Array:
    """Return whether P(W >= right) < tau for every distribution under the guarantee, (k,).

    Parameters
    ----------
    floor : callable
        H of the k guarantees.
    right, guesses : int array, shape (k,)
        W and r.
    totals : pair of float
        The divisors of T and U that give t and h.
    tau : array, shape (k,)
        Probabilities.
    """
    right, guesses, tau = np.broadcast_arrays(right, guesses, np.asarray(tau, dtype=float))
    a = right.astype(float)
    of_right, of_wrong, mass = a * tau, (guesses - a) * tau, tau.astype(float)
    for step in range(1, int(right.max(initial=0)) + 1):
        a = right - step
        open_ = (a >= 0) & (mass <= 1 + _SLACK)
        if not open_.any():
            break
        needed = totals[1] * floor(np.clip(of_right / totals[0], 0, 1)) - of_wrong
        least = np.where(open_, np.maximum(needed, 0) / np.maximum(guesses - a, 1), 0)
        of_right, of_wrong, mass = of_right + a * least, of_wrong + (guesses - a) * least, mass + least
        if step % 64 == 0 and not (least > 1e-12 * mass).any():  # further terms could only lead to rejection
            break
    return np.asarray((mass > 1 + _SLACK) & (right > 0))
