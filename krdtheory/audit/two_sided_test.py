r"""The exact test of a guarantee in both directions at once: outputs as trials of one game.

Neighbours are symmetric: where P(S) <= e^epsilon Q(S) + delta, also Q(S') <= e^epsilon P(S') + delta. A fair coin says
of which distribution an output is; the game is to tell from the output: p where it is in S, q where it is in S',
nothing elsewhere. Right and wrong guesses have probabilities

.. math:: R = (P(S) + Q(S')) / 2,\quad W = (Q(S) + P(S')) / 2,\qquad R \le e^\epsilon W + \delta,

and n games that are independent have trinomial counts of them. Both tails of a symmetric mechanism tell, and twice as
many outputs are trials as in a test of one event.

Samples of n outputs each hold almost 2 n games: `games` says how many, so that coins ask for more outputs of one
distribution than there are with probability at most a small part of the level only, which the test adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from scipy.special import bdtrc, betainc

from krdtheory.arithmetic.base import Array, reject
from krdtheory.audit.exact_test import _CUT, _MISS, JointTest, _consecutive, _quantile, binomial_terms, probabilities

_ERROR = 2e-15  # of a tail, for each game: log-factorials of n cost it a few roundings of n
_LONG = 60  # terms for each tail; beyond, the incomplete beta function is as fast
_AT_ONCE = 250_000  # terms, which caches hold
_UNEQUAL = 0.02  # of the level: coins that ask for more outputs than there are


@lru_cache(maxsize=64)
def games(n: int, m: int, level: float) -> int:
    """The number of games in samples of n and m outputs.

    Examples
    --------
    >>> from krdtheory.audit.two_sided_test import games
    >>> games(5000, 5000, 0.05)
    9677
    """
    least = min(n, m)

    def missed(count: int) -> float:
        return float(sum(bdtrc(min(size, count), count, 0.5) for size in (n, m)))

    low, high = least, 2 * least
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if missed(middle) <= _UNEQUAL * level else (low, middle - 1)
    return low


def coins(n: int, m: int, level: float, rng: np.random.Generator) -> tuple[int, int]:
    """The numbers of outputs that are played, (of n, of m)."""
    count = games(n, m, level)
    first = int(np.clip(rng.binomial(count, 0.5), count - m, n))
    return first, count - first


def precise(n: int, m: int, level: float) -> bool:
    """Does rounding cost the test of samples of n and m outputs less than it adds to the level anyway?"""
    return _ERROR * 2 * min(n, m) < _UNEQUAL * level


@dataclass(frozen=True, kw_only=True)
class TwoSidedTest(JointTest):
    """The exact test of half-planes R <= delta + e^epsilon W on right and wrong guesses.

    Parameters
    ----------
    a, b : int
        Right guesses, and wrong ones.
    n, m : int
        Games, n = m.
    level, delta, epsilon : float
        As `krdtheory.audit.exact_test.JointTest`.

    Raises
    ------
    ValueError, TypeError
        As `JointTest`; n and m differ; more guesses than games.

    Notes
    -----
    That F is nearly convex on intervals of the path holds as in `krdtheory.audit.exact_test`: of n trials, of which c
    are right and w wrong, s' = -c g^2 / R^2 - w / W^2 - (n - c - w) (1 + g)^2 / (1 - R - W)^2, and the mean of phi
    times a count is at most n times its probability times F+, so that I = n (g^2 / R + 1 / W + (1 + g)^2 / (1 - R -
    W)).

    Examples
    --------
    >>> from krdtheory.audit.two_sided_test import TwoSidedTest
    >>> test = TwoSidedTest(a=70, n=200, b=30, m=200, level=0.05)
    >>> round(test.epsilon_lower(), 3)
    0.485
    """

    _missed: ClassVar[float] = _MISS + _UNEQUAL
    _one_sample: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n != self.m:
            reject("m", self.m, f"n = {self.n}, the number of games")
        if self.a + self.b > self.n:
            reject("b", self.b, f"at most n - a = {self.n - self.a}")

    def _probability(self, p: Array, q: Array, least: Array | None) -> Array:
        """The probability of wrong guesses in the window, and of right ones in the rest."""
        if least is None:
            return np.ones(len(p))
        wrong, cut = self._interval[2], _CUT * self.level
        left = self.n - wrong
        with np.errstate(divide="ignore", invalid="ignore"):
            right = np.where(q < 1, np.clip(p / (1 - q), 0, 1), 1.0)
        start, stop = int((least <= 0).sum()), int((least <= left).sum())  # before, all reach it, and after none
        terms = _consecutive(int(wrong[0]), int(wrong[-1]), self.n)
        out = np.empty(len(p))
        size = len(wrong) + int(least[-1] - least[0])
        parts = np.array_split(np.argsort(q), min(len(q), 1 + len(q) * size // _AT_ONCE))
        for part in parts:
            low, high = 0, len(wrong)
            if len(parts) > 1:  # each with the counts that matter there
                low = max(_quantile(cut, self.n, float(q[part].min())) - int(wrong[0]), 0)
                most = self.n - _quantile(cut, self.n, float(1 - q[part].max()))
                high = max(min(most + 1 - int(wrong[0]), high), low)
            weights = probabilities(terms[:, low:high], q[part])
            first, last = (min(max(end, low), high) for end in (start, stop))
            out[part] = weights[:, : first - low].sum(1)
            if first < last:
                reached = _tails(left[start:stop], least[start:stop], right[part], first - start, last - start)
                out[part] += np.einsum("ij,ij->i", weights[:, first - low : last - low], reached)
        lost = 2 * cut + _ERROR * self.n  # at the ends of the window, and of differences of tails
        return np.minimum(out + lost, 1.0)

    def _beyond(self, gain: float, delta: float) -> float:
        return (1 - delta) / (1 + gain)

    def _information(self, left: Array, right: Array, at_left: Array, at_right: Array, gain: float) -> Array:
        with np.errstate(divide="ignore"):
            rest = (1 + gain) ** 2 / np.maximum(1 - at_right - right, 0)
            out: Array = self.n * (gain * gain / at_left + 1 / left + rest)
        return out


def _tails(n: Array, least: Array, p: Array, start: int = 0, stop: int | None = None) -> Array:
    """P(Bin(n, p) >= least) of n[start:stop], (points, k), where n falls by one from each to the next and least rises.

    From P(Bin(n, p) >= k) = P(Bin(n - 1, p) >= k) + p P(Bin(n - 1, p) = k - 1), and step by step in k; errors are those
    of a sum of at most so many probabilities. Of long steps, each by itself.
    """
    terms, ends = _lost(int(n[0]), least.tobytes())
    n, least = n[start:stop], least[start:stop]
    if terms is None:
        return np.asarray(betainc(least, n - least + 1, p[:, None]))
    first = betainc(least[0], n[0] - least[0] + 1, p)[:, None]
    if len(n) == 1:
        return np.asarray(first)
    ends = ends[start : start + len(n)]
    lost = probabilities(terms[:, ends[0] : ends[-1]], p)
    np.cumsum(lost, axis=1, out=lost)
    return np.concatenate([first, np.clip(first - lost[:, ends[1:] - ends[0] - 1], 0, 1)], axis=1)


@lru_cache(maxsize=8)  # a search asks for the same again and again
def _lost(n: int, least: bytes) -> tuple[Array | None, Array]:
    """The terms of `probabilities` that `_tails` takes away, and where those of each number of trials begin; None where
    there are too many."""
    k = np.frombuffer(least, dtype=int)
    steps = np.diff(k)
    count = len(steps) + int(steps.sum())
    ends = np.concatenate([[0], np.cumsum(steps + 1)])
    if count > _LONG * len(k):
        return None, ends
    of = np.repeat(np.arange(len(steps)), steps + 1)
    within = np.arange(count) - ends[of]
    terms = binomial_terms(n - 1 - of, k[:-1][of] - 1 + within)
    terms[1] += within == 0
    return terms, ends
