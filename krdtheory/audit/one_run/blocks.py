r"""Guesses in blocks: counts of right ones, and the increase of the probability of a region of counts due to delta.

Guesses, the most confident first, are divided into blocks of fixed sizes; C_j is the number of right ones in the j-th.
Let R be an increasing set of counts. Under (epsilon, delta)-DP, however the output determines the guesses and their
order,

.. math:: \Pr(C \in R) \le \Pr_{iid}(C \in R) + m\,\delta\,(1-q)\,\max_j \bar\mu_j,\quad
    \bar\mu_j = \frac1{n_j}\sum_{i<n_j} \max_c \Pr(\mathrm{Bin}(i, q) = c),

where under "iid" every guess is right independently with probability q (`krdtheory.audit.one_run.coins`).

Proof. Reveal the guesses block by block, within a block in random order, and let V_k = P_iid(C in R | the first k). Its
mean increases at step k by (p_k - q) dV_k, where p_k is the probability of a right guess given the output and what is
revealed, and dV_k is the difference that this guess makes to V. With i guesses of the block left, dV_k is the mean of
g(c + 1) - g(c) over a shifted c ~ Bin(i, q), for an increasing g in [0, 1], and so at most max_c P(Bin(i, q) = c). For
each guess i is uniform on 0, ..., n_j - 1, independently of all else, and E(p_k - q)_+ is at most its value given all
other coins, (1 - q) delta for each canary. With blocks of one guess the factor is 1, and any region is possible; a
single block is close to the sharp bound for a fixed number of guesses (`krdtheory.audit.one_run.fixed`).
"""

from __future__ import annotations

import numpy as np
from scipy.stats import binom

from krdtheory.arithmetic.base import Array
from krdtheory.audit.one_run.coins import Coins, Secrets

_GROWTH = 1.18
_PART = 0.1  # share of the level that delta may cost before larger blocks are used


def influence(size: int, q: float) -> float:
    """Return the mean influence of a guess on an increasing function in [0, 1] of the count of its block.

    Examples
    --------
    >>> from krdtheory.audit.one_run.blocks import influence
    >>> influence(1, 0.7), round(influence(2, 0.7), 2)
    (1.0, 0.85)
    """
    i = np.arange(size)
    return float(binom.pmf(np.floor((i + 1) * q), i, q).mean())


def cost(coins: Coins | Secrets, canaries: int, smallest: Array, epsilon: float, delta: float) -> float:
    """Return what delta adds to the probability of a region of counts; `smallest` has each side's least block size."""
    if delta == 0:
        return 0.0
    q = coins.right(epsilon)
    sides = zip(q.tolist(), coins.weight.tolist(), smallest.tolist(), strict=True)
    return canaries * delta * sum(w * (1 - p) * influence(int(n), p) for p, w, n in sides if n)


def edges(size: int, first: int) -> Array:
    """Return the ends of blocks of `size` guesses, of which the first has `first` and later ones are larger."""
    if size <= first:
        return np.array([size])
    out = [first]
    while (after := max(out[-1] + first, round(out[-1] * _GROWTH))) < size - first:
        out.append(after)
    return np.array([*out, size])


def first_block(
    coins: Coins | Secrets, canaries: int, guesses: Array, epsilon: float, delta: float, level: float
) -> int:
    """Return the size of the first block, the smallest for which delta costs a small share of the level."""
    sizes = [n for n in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512) if n == 1 or 8 * n <= guesses.max()]
    for n in sizes:
        if cost(coins, canaries, np.minimum(guesses, n), epsilon, delta) <= _PART * level:
            return n
    return sizes[-1]
