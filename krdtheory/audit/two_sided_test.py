r"""The exact test of a guarantee in both directions at once, with outputs as trials of one game.

The neighbour relation is symmetric: if P(S) <= e^epsilon Q(S) + delta, then also Q(S') <= e^epsilon P(S') + delta. A
fair coin decides from which distribution an output is drawn, and the game is to guess it from the output: p if it is in
S, q if it is in S', and no guess otherwise. Right and wrong guesses have probabilities

.. math:: R = (P(S) + Q(S')) / 2,\quad W = (Q(S) + P(S')) / 2,\qquad R \le e^\epsilon W + \delta,

and their counts in n independent games are trinomial. Both tails of a symmetric mechanism contribute, and there are
twice as many trials as in a test of one event.

Samples of n outputs each allow almost 2 n games. `games` gives the number for which coins require more outputs of one
distribution than there are only with a probability of a small share of the level, which the test adds.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from scipy.special import bdtrc, betainc

from krdtheory.arithmetic.base import Array, reject
from krdtheory.audit.exact_test import _MISS, JointTest, binomial_terms, probabilities

_ERROR = 2e-15  # relative error of a tail per game, from log-factorials of n
_LONG = 60  # terms for each tail, above which the incomplete beta function is as fast
_UNEQUAL = 0.02  # share of the level: the probability that coins require more outputs than there are


@lru_cache(maxsize=64)
def games(n: int, m: int, level: float) -> int:
    """Return the number of games that samples of n and m outputs allow.

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
    """Return the numbers of outputs that are used in games, of n and of m."""
    count = games(n, m, level)
    first = int(np.clip(rng.binomial(count, 0.5), count - m, n))
    return first, count - first


def precise(n: int, m: int, level: float) -> bool:
    """Return whether rounding errors in the test of samples of n and m outputs are less than the share of the level
    that it adds for unequal coins."""
    return _ERROR * 2 * min(n, m) < _UNEQUAL * level


@dataclass(frozen=True, kw_only=True)
class TwoSidedTest(JointTest):
    """The exact test of half-planes R <= delta + e^epsilon W on right and wrong guesses.

    Parameters
    ----------
    a, b : int
        The numbers of right and of wrong guesses.
    n, m : int
        The number of games, n = m.
    level, delta, epsilon : float
        As `krdtheory.audit.exact_test.JointTest`.

    Raises
    ------
    ValueError, TypeError
        As `JointTest`, n and m that differ, or more guesses than games.

    Examples
    --------
    >>> from krdtheory.audit.two_sided_test import TwoSidedTest
    >>> test = TwoSidedTest(a=70, n=200, b=30, m=200, level=0.05)
    >>> round(test.epsilon_lower(), 3)
    0.487
    """

    _missed: ClassVar[float] = _MISS + _UNEQUAL
    _one_sample: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n != self.m:
            reject("m", self.m, f"n = {self.n}, the number of games")
        if self.a + self.b > self.n:
            reject("b", self.b, f"at most n - a = {self.n - self.a}")

    @property
    def _left(self) -> Array:
        return np.asarray(self.n - self._interval[2])

    @property
    def _rounding(self) -> float:
        return _ERROR * self.n

    def _tails(self, p: Array, about: float, error: float) -> tuple[int, int, Array]:
        least, left = self._least, self._left
        assert least is not None
        start, stop = int((least <= 0).sum()), int((least <= left).sum())  # all counts reach it before, none after
        few, many = float(p.min()), float(p.max())

        def reaches(k: int, p: float) -> float:
            return float(betainc(least[k], left[k] - least[k] + 1, p))

        begin = bisect_right(range(start, stop), error - 1, key=lambda k: -reaches(k, few)) + start
        end = bisect_left(range(begin, stop), -error, key=lambda k: -reaches(k, many)) + begin
        if begin == end:
            return begin, end, np.empty((len(p), 0))
        return begin, end, _tails(left[start:stop], least[start:stop], p, about, begin - start, end - start)

    def _conditional(self, p: Array, q: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(q < 1, np.clip(p / (1 - q), 0, 1), 1.0)

    def _ends(self, gain: float, delta: float) -> tuple[float, float]:
        return max(-delta / gain, 0.0), (1 - delta) / (1 + gain)


def _tails(n: Array, least: Array, p: Array, about: float, start: int = 0, stop: int | None = None) -> Array:
    """Return P(Bin(n, p) >= least) for n[start:stop], (points, k), where n decreases by 1 per step and least increases.

    It uses P(Bin(n, p) >= k) = P(Bin(n - 1, p) >= k) + p P(Bin(n - 1, p) = k - 1), and single steps in k. The error is
    that of a sum of as many probabilities. If steps are long, each tail is computed by itself.
    """
    terms, ends = _lost(int(n[0]), least.tobytes())
    n, least = n[start:stop], least[start:stop]
    if terms is None:
        return np.asarray(betainc(least, n - least + 1, p[:, None]))
    first = betainc(least[0], n[0] - least[0] + 1, p)[:, None]
    if len(n) == 1:
        return np.asarray(first)
    ends = ends[start : start + len(n)]
    lost = probabilities(terms[:, ends[0] : ends[-1]], p, about)
    np.cumsum(lost, axis=1, out=lost)
    return np.concatenate([first, np.clip(first - lost[:, ends[1:] - ends[0] - 1], 0, 1)], axis=1)


@lru_cache(maxsize=8)  # a search repeats the same arguments
def _lost(n: int, least: bytes) -> tuple[Array | None, Array]:
    """Return the terms of `probabilities` that `_tails` subtracts, None if there are too many, and the places at which
    those of each number of trials begin."""
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
