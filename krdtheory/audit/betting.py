r"""Tests of a privacy guarantee by betting against it.

A guarantee is a set of half-planes: P(T) <= g Q(T) + delta for every test T of values in [0, 1], with P(T) and Q(T)
its means under the two output distributions. Before an independent pair x ~ P, y ~ Q is drawn, a bettor fixes T, q and
a stake u, and then multiplies a capital of 1 by

.. math:: E = (1 + u (T(x) - p)) (1 + u g (q - T(y))), \quad p = g q + \delta \le 1, \quad u \max(p, g (1 - q)) \le 1.

Both factors are nonnegative and independent, so under the guarantee

.. math:: \mathbb{E} E = (1 + u (P(T) - p)) (1 + u g (q - Q(T))) \le 1 - u^2 g^2 (Q(T) - q)^2 \le 1,

as P(T) - p <= g (Q(T) - q). The capital is a nonnegative supermartingale, however T, q and u are chosen from past
outputs, and so is the average of several bettors' capitals. By Ville's inequality it ever reaches 1 / level with
probability at most `level`, so it may be monitored continuously and stopped at any time. Without the product term, E is
the bet 1 + u (T(x) - g T(y) - delta); with it, capital grows at the best possible rate for one event, the divergence
KL(P(T), p) + KL(Q(T), q) from the nearest point (p, q) of the half-plane, where the stakes are those of `stakes`.

References: Ville (1939); Waudby-Smith and Ramdas (2024), for betting on means; Turner and Grunwald (2023), for the best
rate on two streams; Gonzalez, Dulce-Rubio, Ramdas and Ribero (2025), for audits of privacy in this form.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array

_PRIOR = 2.0  # the number of past pairs at which the observed deviation gets weight one half
_HALVINGS = 30


def nearest(p: Array, q: Array, gain: Array, delta: Array) -> Array:
    """Return the q' that minimises KL(p, gain q' + delta) + KL(q, q'), where p > gain q + delta, 0 < p, q < 1.

    Parameters
    ----------
    p, q : array
        Probabilities of an event under the two distributions.
    gain, delta : array
        The guarantee, gain >= 1 and 0 <= delta < 1; all arguments broadcast.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.betting import nearest
    >>> print(nearest(0.5, 0.0, np.exp(0.5), 0.0).round(6))
    0.201179
    """
    low = np.broadcast_to(q, np.broadcast_shapes(*(np.shape(a) for a in (p, q, gain, delta))))
    high = np.maximum((p - delta) / gain, low)
    for _ in range(_HALVINGS):  # the derivative, times q' (1 - q') p' (1 - p'), increases through 0
        middle = (low + high) / 2
        edge = gain * middle + delta
        rising = gain * (edge - p) * middle * (1 - middle) + (middle - q) * edge * (1 - edge) > 0
        low, high = np.where(rising, low, middle), np.where(rising, middle, high)
    return (low + high) / 2


def stakes(x_hits: Array, y_hits: Array, n: Any, gain: Array, delta: Array) -> tuple[Array, Array]:
    """Return the stake u and the point q of a bet, from the counts of an event in n past outputs of each distribution.

    The stake is that of the best rate for probabilities between the observed ones and the guarantee. It is 0 where the
    observed probabilities satisfy the guarantee, and small while n is small.

    Returns
    -------
    u, q : array
        Of the broadcast shape.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.betting import stakes
    >>> u, q = stakes(np.array([50.0, 50.0]), np.array([18.0, 40.0]), 100, np.exp(0.5), 0.0)
    >>> print(u.round(3), q.round(3))
    [0.25 0.  ] [0.265 0.401]
    """
    p, q = (x_hits + 0.5) / (n + 1), (y_hits + 0.5) / (n + 1)
    at = nearest(p, q, gain, delta)
    edge = np.minimum(gain * at + delta, 1)
    believed = at + (q - at) * n / (n + _PRIOR)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = np.where(p > gain * q + delta, (at - believed) / (gain * at * (1 - at)), 0)
    largest = 1 / np.maximum(edge, gain * (1 - at))
    return np.minimum(u, (1 - 1e-9) * largest), at  # rounding must not make a factor negative


def log_factors(u: Array, q: Array, gain: Array, delta: Array) -> tuple[Array, Array, Array, Array]:
    """Return the logarithms of the factors of a bet for x in the event, x not in it, y in it and y not in it."""
    edge = gain * q + delta
    return np.log1p(u * (1 - edge)), np.log1p(-u * edge), np.log1p(-u * gain * (1 - q)), np.log1p(u * gain * q)


def growth_rate(p: Array, q: Array, gain: Array, delta: Array) -> Array:
    """Return the best growth rate of capital on an event, in nats per pair; 0 where it satisfies the guarantee.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.betting import growth_rate
    >>> p, q = np.array(0.5), np.array(np.exp(-1) / 2)  # Laplace noise with epsilon = 1, {x >= 1}
    >>> print(growth_rate(p, q, np.exp(0.5), 0.0).round(4))
    0.0262
    """
    p, q = (np.clip(a, 1e-12, 1 - 1e-12) for a in (p, q))
    at = nearest(p, q, gain, delta)
    edge = np.minimum(gain * at + delta, 1 - 1e-12)
    rate = p * np.log(p / edge) + (1 - p) * np.log((1 - p) / (1 - edge))
    rate = rate + q * np.log(q / at) + (1 - q) * np.log((1 - q) / (1 - at))
    return np.where(p > gain * q + delta, rate, 0.0)
