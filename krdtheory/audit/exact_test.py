r"""Exact tests of a privacy guarantee on the counts of an event, and the bounds that follow.

An event S occurs a times in n outputs of p and b times in m outputs of q: a ~ Bin(n, P), b ~ Bin(m, Q). A guarantee is
a set of half-planes P <= delta + e^epsilon Q. Outcomes (a, b) are ordered by an approximate lower confidence limit of
epsilon (by the studentised difference), made monotone: increasing in a, decreasing in b. The order does not depend on
the hypothesis (Buehler 1957). So, with F(P, Q) the probability of an outcome at least as extreme as the observed one,

.. math:: p(\epsilon, \delta) = \sup_{Q \in C} F(\delta + e^\epsilon Q,\, Q) + \beta,

where C is a confidence interval for Q that misses it with probability beta (Berger and Boos 1994), is a p-value of all
half-planes *simultaneously*: with probability at least 1 - level, p > level for every half-plane that contains (P, Q).
Bounds on epsilon, on delta, on mu and on the whole profile are half-planes with p <= level, and any number of them may
be used.

The supremum is bounded rigorously. F increases in P and decreases in Q, so on an interval of Q it is at most its value
at the largest P and the smallest Q. Also, on the path P = delta + g Q, with phi the indicator of the outcomes, s the
score of the path and I = n g^2 / (P (1 - P)) + m / (Q (1 - Q)) its Fisher information, F'' = E[phi (s^2 + s')] >= E[phi
s'] >= -F+ I: s' is linear in a and b, and F+ is the probability of the outcomes that one count more in a and one less
in b would make as extreme. So on an interval of length w, F is at most the larger of its values at the ends plus
max(F+) max(I) w^2 / 8.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import brentq
from scipy.special import bdtrik, betainccinv, betaincinv, gammaln, ndtri

from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.checks import check_count

_MISS = 1e-3  # share of the level: the probability that the confidence interval misses Q
_CUT = 1e-4  # share of the level: the probability that a sum over counts omits at each end, and adds again
_NARROW = 5e-3  # relative accuracy of the supremum
_ROUNDING = 1e-6  # relative error; log-factorials cause one of 1e-8 in a probability at counts of 1e7
_SPLITS = 40
_PARTS = 32  # of an interval, at most, in each split
_NODES = 16
_NEVER = 1e-16  # bdtrik is NaN for smaller probabilities
_CORNER = 2.0**-20  # accuracy of the corners of a confidence set
_FAR = 8.0  # cap on normal quantiles
_LOG_0 = -1e300  # finite, so that no count times it is 0


def clopper_pearson(count: int, n: int, level: float) -> tuple[float, float]:
    """Return the exact two-sided confidence interval of a probability; each end errs at rate level / 2 at most.

    Examples
    --------
    >>> from krdtheory.audit.exact_test import clopper_pearson
    >>> [round(end, 6) for end in clopper_pearson(0, 10, 0.05)]
    [0.0, 0.308497]
    """
    low = betaincinv(count, n - count + 1, level / 2) if count else 0.0
    high = betainccinv(count + 1, n - count, level / 2) if count < n else 1.0
    return float(low), float(high)


def approximate_gain(p: Array, n: float, q: Array, m: float, delta: float, z: float, one_sample: bool = False) -> Array:
    """Return the g for which p - delta - g q is z standard deviations above 0; 0 if there is none.

    Parameters
    ----------
    p, q : array
        Estimates of P and Q from n and m outputs, in (0, 1).
    one_sample : bool
        Whether both are from the same n = m trials, none of which counts for both.
    """
    top, var_p, var_q = p - delta, p * (1 - p) / n, q * (1 - q) / m
    square = z * z
    within = top > z * np.sqrt(var_p)
    a, b, c = q * q - square * var_q, top * q + square * one_sample * p * q / n, top * top - square * var_p
    out: Array = np.where(within, c, 0) / np.where(within, b + np.sqrt(np.maximum(b * b - a * c, 0)), 1)
    return out


def deviation(p: Any, n: float, q: Any, m: float, gain: float, one_sample: bool = False) -> Any:
    """Return the standard deviation of the estimate of p - gain q; parameters as `approximate_gain`."""
    return np.sqrt(p * (1 - p) / n + gain * gain * q * (1 - q) / m + 2 * one_sample * gain * p * q / n)


def shrunk(count: Any, n: float) -> Any:
    """Return an estimate of a probability in (0, 1), with one more of each outcome counted."""
    return (count + 1) / (n + 2)


@dataclass(frozen=True, kw_only=True)
class JointTest:
    """The joint exact test of half-planes P <= delta + e^epsilon Q on the counts of one event.

    Parameters
    ----------
    a, n : int
        The event occurs a times in n outputs of the first distribution.
    b, m : int
        It occurs b times in m outputs of the second.
    level : float
        In (0, 1), for all bounds together.
    delta, epsilon : float
        The half-plane for which the order is sharpest: outcomes are ordered by an approximate lower limit of epsilon at
        delta or, if epsilon is given, of delta at epsilon. All bounds hold for any choice that does not depend on the
        counts.

    Raises
    ------
    ValueError, TypeError
        Counts that are not integers with 0 <= a <= n, 0 <= b <= m, 1 <= n, m; a level outside (0, 1); NaN.

    References
    ----------
    Buehler (1957); Barnard (1947); Berger and Boos (1994).

    Examples
    --------
    >>> from krdtheory.audit.exact_test import JointTest
    >>> test = JointTest(a=70, n=100, b=30, m=100, level=0.05)
    >>> round(test.p_value(epsilon=0.5), 4), round(test.epsilon_lower(), 3), round(test.delta_lower(epsilon=0.5), 3)
    (0.0263, 0.582, 0.022)
    """

    a: int
    n: int
    b: int
    m: int
    level: float
    delta: float = 0.0
    epsilon: float | None = None
    _missed: ClassVar[float] = _MISS  # share of the level that is added to every p-value
    _one_sample: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for count, size in (("a", "n"), ("b", "m")):
            total = check_count(getattr(self, size), size, 1)
            if check_count(getattr(self, count), count, 0) > total:
                reject(count, getattr(self, count), f"at most {size} = {total}")
        if not 0 < self.level < 1:
            reject("level", self.level, "in (0, 1)")
        _check_numbers(delta=self.delta, epsilon=0.0 if self.epsilon is None else self.epsilon)

    def p_value(self, *, epsilon: float, delta: float = 0.0) -> float:
        """Return a rigorous p-value of P <= delta + e^epsilon Q, valid for all half-planes simultaneously.

        Parameters
        ----------
        epsilon : float
            Any real.
        delta : float
            Any real.

        Raises
        ------
        ValueError
            One of them is NaN.
        """
        _check_numbers(epsilon=epsilon, delta=delta)
        return min(1.0, self._supremum(_exp(epsilon), delta) + self._missed * self.level)

    def epsilon_lower(self, *, delta: float = 0.0) -> float:
        """Return the largest epsilon >= 0 found with p <= level at this delta; 0 if there is none."""
        _check_numbers(delta=delta)
        guess = self._limit(delta)
        start = math.log(guess) if guess > 1 else 0.0
        gain = max(guess, 1.0)
        step = self._offset(gain)[1] / (4 * gain * shrunk(self.b, self.m))
        return self._largest(lambda e: (_exp(e), delta), start, 50.0, min(step, 0.1))

    def delta_lower(self, *, epsilon: float) -> float:
        """Return the largest delta >= 0 found with p <= level at this epsilon; 0 if there is none."""
        _check_numbers(epsilon=epsilon)
        gain = _exp(epsilon)
        start, unsure = self._offset(gain)
        return self._largest(lambda d: (gain, d), max(start, 0.0), 1.0, unsure / 4)

    def least_p(self, count: int = 32) -> tuple[Array, Array]:
        """Return corners (q, p), each (count,), of a confidence set for (P, Q).

        Q is at most the last q, and if q < Q at a corner then P is at least its p. This holds with probability at least
        1 - level, simultaneously with every other bound of this test.
        """
        low, high, _ = self._interval
        q = np.linspace(low, high, count + 1)
        target = (self.level * (1 - self._missed)) / (1 + _ROUNDING)
        if self._least is None:
            return q[1:], np.zeros(count)
        # F is nearly a normal distribution function in p: steps enclose the root, and regula falsi (Illinois) finds it
        aim, p = ndtri(target), np.interp(q[:-1] * self.m, self._interval[2], self._least) / self.n
        step = deviation(np.clip(p, 0.5 / self.n, 1 - 0.5 / self.n), self.n, q[:-1], self.m, 0)
        left, right, below, above = np.zeros(count), np.ones(count), np.full(count, -_FAR), np.full(count, _FAR)
        last, low_seen, high_seen = np.zeros(count, dtype=int), np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
        middle = np.clip(p + aim * step, 0, 1)
        for _ in range(60):
            found = self._probability(middle, q[:-1], self._least)
            out, excess = found <= target, np.clip(ndtri(np.minimum(found, 1)) - aim, -_FAR, _FAR)
            side = np.where(out, 1, -1)
            again = np.where(side == last, 0.5, 1)
            left, right = np.where(out, middle, left), np.where(out, right, middle)
            below, above = np.where(out, excess, below * again), np.where(out, above * again, excess)
            width, last = right - left, side
            if width.max() < _CORNER:
                break
            edge = 0.3 * _CORNER / np.maximum(width, 0.6 * _CORNER)
            share = below / np.minimum(below - above, -1e-300)
            inside = left + np.clip(share, edge, 1 - edge) * width
            low_seen, high_seen, step = low_seen | out, high_seen | ~out, 2 * step
            middle = np.where(
                (low_seen & high_seen) | (step > 1), inside, np.clip(middle - (excess - 0.2 * side) * step, left, right)
            )
        return q[1:], left

    # The outcomes at least as extreme as the observed one

    @property
    def _z(self) -> float:
        return float(-ndtri(min(self.level, 0.4)))

    def _limit(self, delta: float) -> float:
        """Return the approximate lower limit of e^epsilon at delta, 0 if there is none."""
        p, q = shrunk(self.a, self.n), shrunk(self.b, self.m)
        return float(approximate_gain(p, self.n, q, self.m, delta, self._z, self._one_sample))

    def _offset(self, gain: float) -> tuple[float, float]:
        """Return the approximate lower limit of delta at e^epsilon = gain, and the standard deviation."""
        p, q = shrunk(self.a, self.n), shrunk(self.b, self.m)
        unsure = float(deviation(p, self.n, q, self.m, gain, self._one_sample))
        return p - gain * q - self._z * unsure, unsure

    @cached_property
    def _interval(self) -> tuple[float, float, Array]:
        """The interval C, and the counts b whose probability is not negligible for Q in it."""
        low, high = clopper_pearson(self.b, self.m, _MISS * self.level)
        cut = _CUT * self.level
        first, last = _quantile(cut, self.m, low), self.m - _quantile(cut, self.m, 1 - high)
        return low, high, np.arange(first, last + 1)

    @cached_property
    def _least(self) -> Array | None:
        """The least a at least as extreme as the observation, for each b of the window; None if every outcome is.

        An outcome is as extreme if its approximate limit is at least the observed one: p - delta - gain q >= z standard
        deviations, a quadratic inequality in p.
        """
        if self.epsilon is None:
            delta, gain = self.delta, self._limit(self.delta)
        else:
            gain = _exp(self.epsilon)
            delta, _ = self._offset(gain)
        if gain == 0:
            return None
        square = self._z**2
        known = self._interval[2]
        # the least a increases in b except for about the last z^2 / 4 counts, so these are included
        b = np.append(known, np.arange(max(known[-1] + 1, self.m - math.ceil(square)), self.m + 1))
        q = shrunk(b, self.m)
        edge = delta + gain * q
        variance = gain * gain * q * (1 - q) / self.m
        cross = self._one_sample * gain * q / self.n
        lead, half = 1 + square / self.n, edge + square / (2 * self.n) + square * cross
        p = (half + np.sqrt(np.maximum(half * half - lead * (edge * edge - square * variance), 0))) / lead
        least = np.where(edge < 1, np.ceil(p * (self.n + 2) - 1 - 1e-9), self.n + 1)
        none = shrunk(0, self.n)  # if edge < 0, even the count 0 may be as extreme, and then every count is
        unsure = deviation(none, self.n, q, self.m, gain, self._one_sample)
        least = np.where(none - edge >= self._z * unsure, 0, least)
        least = np.where(b <= self.b, np.minimum(least, self.a), least)  # the observation itself despite rounding
        least = np.minimum.accumulate(least[::-1])[::-1][: len(known)]
        return np.clip(least, 0, self.n + 1).astype(int)

    def _probability(self, p: Array, q: Array, least: Array | None) -> Array:
        """Return an upper bound on F (k,) at P = p and Q = q (k,), at most four cuts too large."""
        if least is None:
            return np.ones(len(p))
        counts, cut = self._interval[2], _CUT * self.level
        low, high = _quantile(cut, self.n, float(p.min())), self.n - _quantile(cut, self.n, float(1 - p.max()))
        window = np.arange(low, high + 1)
        above = np.zeros((len(p), len(window) + 1))
        above[:, :-1] = np.cumsum(_binomial(window, self.n, p)[:, ::-1], axis=1)[:, ::-1]
        reached = np.where(least <= low, 1.0, above[:, np.clip(least - low, 0, len(window))])
        return np.minimum(np.einsum("ij,ij->i", _binomial(counts, self.m, q), reached) + 3 * cut, 1.0)

    def _nodes(self, gain: float, delta: float) -> Array:
        """Return nodes of C up to the Q at which P reaches its largest value, beyond which F decreases."""
        low, high, _ = self._interval
        return np.linspace(low, min(high, max(self._beyond(gain, delta), low)), _NODES + 1)

    def _guess(self, gain: float, delta: float, about: int | None) -> tuple[float, int | None]:
        """Return the largest F at nodes on P = min(delta + gain Q, 1), and the node, sought near `about` first."""
        if self._least is None or delta >= 1:
            return 1.0, about
        first = 0 if about is None else max(about - 1, 0)
        q = self._nodes(gain, delta)[first : None if about is None else about + 2]
        at = self._probability(np.clip(delta + gain * q, 0, 1), q, self._least)
        best = first + int(at.argmax())
        return (float(at.max()), best) if about in (None, best) else self._guess(gain, delta, None)

    def _supremum(self, gain: float, delta: float) -> float:
        """Return a rigorous upper bound on F on P = min(delta + gain Q, 1), Q in C, at most `_NARROW` too large."""
        counts, least = self._interval[2], self._least
        if least is None or delta >= 1:
            return 1.0

        def edge(q: Array) -> Array:
            return np.clip(delta + gain * q, 0, 1)

        nodes = self._nodes(gain, delta)
        at = self._probability(edge(nodes), nodes, least)
        left, right, at_left, at_right = nodes[:-1], nodes[1:], at[:-1], at[1:]
        moved = np.maximum(np.append(least[:1] * (counts[0] == 0), least[:-1]) - 1, 0)
        settled, best = 0.0, float(at.max())
        for _ in range(_SPLITS):
            best = max(best, float(at_left.max()), float(at_right.max()))
            information = self._information(left, right, edge(left), edge(right), gain)
            highest = np.maximum(at_left, at_right)
            with np.errstate(invalid="ignore"):
                bend = np.where(np.isfinite(information), information * (right - left) ** 2 / 8, np.inf)
                near = highest + bend * highest <= best * (1 + _NARROW)  # F+ is at least F, so it cannot help elsewhere
            bound = np.full_like(highest, np.inf)
            if near.any():
                most = self._probability(edge(right[near]), left[near], moved)
                bound[near] = highest[near] + bend[near] * most
            wide = bound > best * (1 + _NARROW)
            if wide.any():
                bound[wide] = np.minimum(bound[wide], self._probability(edge(right[wide]), left[wide], least))
                wide = bound > best * (1 + _NARROW)
            settled = max(settled, float(bound[~wide].max(initial=0)))
            if not wide.any():
                return settled * (1 + _ROUNDING)
            # the bend of a part is that of the whole divided by the square of their number
            wanted = np.sqrt(bend[wide] * bound[wide] / (best * _NARROW))
            parts = int(np.clip(wanted[np.isfinite(wanted)].max(initial=2), 2, _PARTS))
            cuts = np.linspace(left[wide], right[wide], parts + 1)
            at = self._probability(edge(cuts[1:-1].ravel()), cuts[1:-1].ravel(), least).reshape(parts - 1, -1)
            at = np.concatenate([at_left[None, wide], at, at_right[None, wide]])
            left, right, at_left, at_right = (x.ravel() for x in (cuts[:-1], cuts[1:], at[:-1], at[1:]))
        return max(settled, float(bound.max())) * (1 + _ROUNDING)

    def _beyond(self, gain: float, delta: float) -> float:
        return (1 - delta) / gain

    def _information(self, left: Array, right: Array, at_left: Array, at_right: Array, gain: float) -> Array:
        """Return a bound on the Fisher information on intervals of the path, as x (1 - x) is least at an end."""
        of_p = np.minimum(at_left * (1 - at_left), at_right * (1 - at_right))
        of_q = np.minimum(left * (1 - left), right * (1 - right))
        with np.errstate(divide="ignore"):
            return self.n * gain * gain / of_p + self.m / of_q

    def _largest(
        self, plane: Callable[[float], tuple[float, float]], start: float, highest: float, step: float
    ) -> float:
        """Return the largest value in [0, highest] found whose half-plane has p <= level, 0 if there is none.

        The search from `start` uses an estimate of the supremum, and the rigorous bound decides.
        """
        target = ndtri(self.level * (1 - self._missed) / (1 + _NARROW))

        @lru_cache
        def guessed(value: float, about: int | None = None) -> tuple[float, int | None]:
            guess, best = self._guess(*plane(value), about)
            return float(ndtri(min(guess, 1 - 1e-15)) - target), best

        def excess(value: float, about: int | None = None) -> float:
            return guessed(value, None if value in (low, high) else about)[0]

        precision = step / 25
        low = high = min(start, highest)
        while low > 0 and excess(low) > 0:
            low, high, step = max(low - step, 0.0), low, 2 * step
        if low > 0 or excess(0.0) <= 0:
            while high < highest and (high == low or excess(high) <= 0):
                low, high, step = high, min(high + step, highest), 2 * step
            found, best = high, guessed(high)[1]
            if excess(high) > 0:
                found = brentq(excess, low, high, args=(best,), xtol=precision)
                if guessed(found)[1] != best:  # another node has the largest F
                    found = brentq(excess, low, high, xtol=precision)
            while found > 0:
                gain, delta = plane(found)
                if self._supremum(gain, delta) + self._missed * self.level <= self.level:
                    return float(found)
                found, precision = found - precision, 2 * precision
        return 0.0


def _check_numbers(**values: float) -> None:
    """Reject NaN, for which every comparison is False."""
    for name, value in values.items():
        if math.isnan(value):
            reject(name, value, "a number")


def _exp(epsilon: float) -> float:
    """Return e^epsilon, capped so that its square does not overflow. The cap does not change p-values, since P may then
    be 1 for a negligible Q."""
    return math.exp(min(max(epsilon, -300.0), 300.0))


def _quantile(level: float, n: int, p: float) -> int:
    """Return the count at which the binomial distribution function passes a level, or one less."""
    return n * round(p) if p < _NEVER or p == 1 else int(bdtrik(level, n, p))


def _binomial(counts: Array, n: int, p: Array) -> Array:
    """Return the probabilities (points, counts) of consecutive counts."""
    return probabilities(_consecutive(int(counts[0]), int(counts[-1]), n), p)


@lru_cache(maxsize=8)  # a search repeats the same arguments
def _consecutive(first: int, last: int, n: int) -> Array:
    return binomial_terms(np.full(last - first + 1, n), np.arange(first, last + 1))


def binomial_terms(trials: Array, counts: Array) -> Array:
    """Return log-coefficients, successes and failures, (3, k), for `probabilities`."""
    failures = trials - counts
    return np.stack([gammaln(trials + 1) - gammaln(counts + 1) - gammaln(failures + 1), counts, failures])


def probabilities(terms: Array, p: Array) -> Array:
    """Return coefficient p^successes (1 - p)^failures, (points, k), with the logarithms as one matrix product."""
    with np.errstate(divide="ignore"):
        yes, no = (np.maximum(log, _LOG_0) for log in (np.log(p), np.log1p(-p)))
    out: Array = np.stack([np.ones(len(p)), yes, no], axis=1) @ terms
    return np.exp(out, out=out)
