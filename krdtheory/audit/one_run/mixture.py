r"""The test of (epsilon, delta)-DP on one run: a mixture of likelihood ratios of counts of right guesses in blocks.

An alternative a says that guesses in block j are right with probability p_aj >= q. The statistic is

.. math:: E = \sum_a w_a \prod_j \Big(\frac{p_{aj}}{q}\Big)^{C_j} \Big(\frac{1-p_{aj}}{1-q}\Big)^{n_j - C_j},

which increases in every count, and has mean 1 if guesses are right independently with probability q. So by the theorem
of `krdtheory.audit.one_run.blocks`, P(E >= t) <= P_iid(E >= t) + cost of delta, and P_iid(E >= t) <= 1 / t, as for bets
against the guarantee, where alternatives do not bet on blocks without an advantage. A better bound is found by
simulation of counts: if c of N paths reach t, the probability is below the upper Clopper-Pearson limit, except with a
probability of `_MISLED` times the level, which is added. The simulated paths depend only on the numbers of guesses and
are the same for every audit.

Alternatives are Gaussian scores of a part of the canaries (with information at both ends, or only at the upper or the
lower one), and constant excess log-odds for a part of the guesses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy.special import betainccinv, ndtr

from krdtheory.arithmetic.base import Array
from krdtheory.audit.one_run import blocks
from krdtheory.audit.one_run.coins import Coins, Secrets
from krdtheory.audit.one_run.guesses import Guesses

_PATHS = 10_000
_KEPT = 2_000  # paths with the highest evidence that are kept; below them a p-value is 1
_MISLED = 1e-2  # share of the level: the probability that the simulation misleads
_ROUNDING = 1e-9  # relative rounding error
_T = np.linspace(-14, 30, 4401)  # a grid of scores
_MU = (0.35, 0.6, 1.0, 1.5, 2.2, 3.2, 4.5, 6.5, 9.0)
_PARTS = (1.0, 0.3, 0.1, 0.03)
_ONE_END = tuple((part, mu) for part in _PARTS[1:] for mu in (2.0, 4.0, 7.0))
_STEPS = tuple((part, more) for part in (1.0, 0.6, 0.35, 0.2, 0.1, 0.04, 0.015) for more in (0.25, 0.7, 1.6, 4.0))
_WEIGHTS = {"Gaussian": 0.55, "part": 0.12, "upper": 0.08, "lower": 0.08, "step": 0.17}


@lru_cache(maxsize=16)
def layout(coins: Coins | Secrets, canaries: int, guesses: tuple[int, ...], delta: float, level: float) -> Layout:
    """Return blocks that are large enough for delta to cost a small share of the level at epsilon = 1."""
    return Layout(coins, canaries, guesses, blocks.first_block(coins, canaries, np.array(guesses), 1.0, delta, level))


@dataclass(frozen=True)
class Layout:
    """Blocks of guesses, and the alternatives of the mixture."""

    coins: Coins | Secrets
    canaries: int
    guesses: tuple[int, ...]  # for each side
    first: int  # the size of the first block of a side

    @cached_property
    def ends(self) -> list[Array]:
        return [blocks.edges(n, min(self.first, n)) if n else np.zeros(0, dtype=int) for n in self.guesses]

    @cached_property
    def sizes(self) -> Array:
        """The sizes of all blocks, one side after the other."""
        return np.concatenate([np.diff(e, prepend=0) for e in self.ends]).astype(int)

    @cached_property
    def side(self) -> Array:
        return np.repeat(np.arange(len(self.ends)), [len(e) for e in self.ends])

    @cached_property
    def smallest(self) -> Array:
        return np.array([np.diff(e, prepend=0).min(initial=n) for e, n in zip(self.ends, self.guesses, strict=True)])

    def counts(self, guesses: Guesses) -> Array:
        """Return the number of right guesses in each block."""
        sides = zip(guesses.sides, self.ends, strict=True)
        return np.concatenate([np.diff(np.concatenate([[0], right.cumsum()])[e], prepend=0) for right, e in sides])

    @cached_property
    def alternatives(self) -> tuple[Array, Array, Array]:
        """Log-odds relative to the prior (a, j), which ones are relative to epsilon instead (a,), log-weights (a,)."""
        total = sum(self.guesses)
        middles = [(np.concatenate([[0], e[:-1]]) + e) / 2 / total for e in self.ends]
        rows, relative, kinds = [], [], []

        def add(kind: str, values: list[Array], beyond: bool = False) -> None:
            rows.append(np.concatenate(values))
            relative.append(beyond)
            kinds.append(kind)

        two = len(self.ends) == 2
        p = float(getattr(self.coins, "inclusion", 0.5))
        inclusions = (p, 1 - p)
        for part in _PARTS:
            for mu in _MU:
                if two:
                    values = [both_ends(u, part, mu, c) for u, c in zip(middles, inclusions, strict=True)]
                else:
                    values = [both_ends(middles[0] / 2, part, mu, 0.5)]
                add("Gaussian" if part == 1 else "part", values)
        for part, mu in _ONE_END if two else ():
            nothing = [0 * u for u in middles]
            add("upper", [one_end(middles[0], part, mu, p), nothing[1]])
            add("lower", [nothing[0], one_end(middles[1], part, mu, 1 - p)])
        for part, more in _STEPS:
            reach = part / len(middles)
            add("step", [np.where(u <= reach, more, -np.inf) for u in middles], True)
        weights = np.array([_WEIGHTS[kind] / kinds.count(kind) for kind in kinds])
        return np.array(rows), np.array(relative), np.log(weights / weights.sum())

    def log_ratios(self, epsilon: float) -> tuple[Array, Array]:
        """Return the log-ratios (a, j) of right and wrong guesses, log(p / q) and log((1 - p) / (1 - q)), p >= q."""
        beyond, relative, _ = self.alternatives
        excess = np.maximum(np.where(relative[:, None], beyond, beyond - epsilon), 0)
        null = self.coins.prior[self.side] + epsilon
        right = np.logaddexp(0, -null) - np.logaddexp(0, -null - excess)
        wrong = np.logaddexp(0, null) - np.logaddexp(0, null + excess)
        return right, wrong

    def log_evidence(self, counts: Array, epsilon: float) -> Array:
        """Return log E of counts (..., j)."""
        slopes, offsets = _sums(self, epsilon)
        sums = counts @ slopes + offsets
        top = sums.max(-1, keepdims=True)
        return np.asarray(np.log(np.exp(sums - top).sum(-1)) + top[..., 0])

    def cost(self, epsilon: float, delta: float) -> float:
        return _cost(self, epsilon, delta)

    def p_value(self, log_evidence: float, epsilon: float, delta: float, level: float) -> float:
        """Return the p-value of (epsilon, delta)-DP."""
        return min(1.0, self.chance(log_evidence, epsilon, level) + self.cost(epsilon, delta))

    def chance(self, log_evidence: float, epsilon: float, level: float) -> float:
        """Return a bound on P_iid(E >= t)."""
        highest = simulated(self, epsilon)
        lost = _ROUNDING * max(1.0, abs(log_evidence))  # so that equal evidence counts as reached
        reached = len(highest) - int(np.searchsorted(highest, log_evidence - lost))
        limit = betainccinv(reached + 1, _PATHS - reached, _MISLED * level) if reached < len(highest) else 1.0
        return float(min(limit, bet(log_evidence)) + _MISLED * level)


@lru_cache(maxsize=1024)
def _sums(layout: Layout, epsilon: float) -> tuple[Array, Array]:
    """Return slopes (j, a) and offsets (a,) such that weighted log-likelihood ratios are counts @ slopes + offsets."""
    right, wrong = layout.log_ratios(epsilon)
    return (right - wrong).T, (layout.sizes * wrong).sum(1) + layout.alternatives[2]


@lru_cache(maxsize=1024)
def _cost(layout: Layout, epsilon: float, delta: float) -> float:
    return blocks.cost(layout.coins, layout.canaries, layout.smallest, epsilon, delta)


def bet(log_evidence: float) -> float:
    """Return a bound on P_iid(E >= t) without simulation."""
    return float(np.exp(-max(log_evidence, 0.0)))


@lru_cache(maxsize=1024)
def simulated(layout: Layout, epsilon: float) -> Array:
    """Return the highest values of log E of simulated counts, in increasing order."""
    draw = np.random.default_rng([2023, *layout.guesses])
    q = layout.coins.right(epsilon)[layout.side]
    matters = (layout.log_ratios(epsilon)[0] > 0).any(0)
    counts = np.zeros((_PATHS, len(q)))
    counts[:, matters] = draw.binomial(layout.sizes[matters], q[matters], (_PATHS, matters.sum()))
    return np.sort(layout.log_evidence(counts, epsilon))[-_KEPT:].copy()


def both_ends(u: Array, part: float, mu: float, inclusion: float) -> Array:
    """Return the log-odds of "in", relative to the prior, at the upper u-quantile of scores.

    For a part of the canaries scores are normal with mean mu / 2 if they are in and -mu / 2 if out; for the others with
    mean 0.
    """
    up, down = ndtr(mu / 2 - _T), ndtr(-mu / 2 - _T)
    tail = (1 - part) * ndtr(-_T) + part * (inclusion * up + (1 - inclusion) * down)
    t = np.interp(-u, -tail, _T)
    return _log_mixed(part, mu * t / 2 - mu * mu / 8) - _log_mixed(part, -mu * t / 2 - mu * mu / 8)


def one_end(u: Array, part: float, mu: float, inclusion: float) -> Array:
    """Return what `both_ends` does if scores of some canaries in are normal with mean mu, all others with mean 0."""
    tail = ndtr(-_T) * (1 - inclusion * part) + inclusion * part * ndtr(mu - _T)
    t = np.interp(-u, -tail, _T)
    return _log_mixed(part, mu * t - mu * mu / 2)


def _log_mixed(part: float, log_ratio: Array) -> Array:
    return np.logaddexp(np.log(part) + log_ratio, np.log1p(-part) if part < 1 else -np.inf)
