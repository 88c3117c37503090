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

F is a polynomial in P and Q, and is replaced by its interpolant at few nodes, with a proven error
(`krdtheory.audit.interpolation`). So is F on the path P = delta + g Q, along which the probabilities of a trial are
linear in Q, and this interpolant has a proven bound everywhere on the path.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from scipy.special import bdtrik, betainccinv, betaincinv, gammaln, ndtri

from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.checks import check_count
from krdtheory.audit.interpolation import Surface, angle, growth, largest, nodes, nodes_needed

_MISS = 1e-3  # share of the level: the probability that the confidence interval misses Q
_CUT = 1e-4  # share of the level: the probability that a sum over counts omits at each end, and adds again
_FINE = _CUT / 256  # share of the level: the error of interpolation and of each value
_SPOILT = 2e4  # times as large a level as this rounding error is not changed by it, after interpolation
_ON_PATH = _CUT / 4  # share of the level: the error of interpolation on the path
_AT_ONCE = 250_000  # terms, which fit into the cache
_THIN = 1e-9  # the least width of an interval of angles
_NEAR = 5e-3  # standard deviations that a bound may be too small
_ABOVE_0, _BELOW_1 = 1e-300, 1 - 2.0**-53
_STEPS, _SECANTS = 80, 10  # of the search for a bound, and those before it bisects
_ROUNDING = 1e-6  # relative error; log-factorials cause one of 1e-8 in a probability at counts of 1e7
_NEVER = 1e-16  # bdtrik is NaN for smaller probabilities
_CORNER = 2.0**-20  # accuracy of the corners of a confidence set
_FAR = 8.0  # cap on normal quantiles
_EVALUATED = 2e-14  # rounding error of a probability, per root of the number of trials


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
    (0.0262, 0.583, 0.022)
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
        spread = self._offset(gain)[1] / (gain * shrunk(self.b, self.m))
        return self._largest(lambda e: (_exp(e), delta), start, 50.0, min(spread, 0.4))

    def delta_lower(self, *, epsilon: float) -> float:
        """Return the largest delta >= 0 found with p <= level at this epsilon; 0 if there is none."""
        _check_numbers(epsilon=epsilon)
        gain = _exp(epsilon)
        start, unsure = self._offset(gain)
        return self._largest(lambda d: (gain, d), max(start, 0.0), 1.0, unsure)

    def least_p(self, count: int = 32) -> tuple[Array, Array]:
        """Return corners (q, p), each (count,), of a confidence set for (P, Q).

        Q is at most the last q, and if q < Q at a corner then P is at least its p. This holds with probability at least
        1 - level, simultaneously with every other bound of this test.
        """
        low, high, _ = self._interval
        q = np.linspace(low, high, count + 1)
        target = self.level * (1 - self._missed)
        if self._least is None:
            return q[1:], np.zeros(count)
        # F is nearly a normal distribution function in p: steps enclose the root, and regula falsi (Illinois) finds it
        aim, p = ndtri(target), np.interp(q[:-1] * self.m, self._interval[2], self._least) / self.n
        step = deviation(np.clip(p, 0.5 / self.n, 1 - 0.5 / self.n), self.n, q[:-1], self.m, 0)
        left, right, below, above = np.zeros(count), np.ones(count), np.full(count, -_FAR), np.full(count, _FAR)
        last, low_seen, high_seen = np.zeros(count, dtype=int), np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
        middle = np.clip(p + aim * step, 0, 1)
        for _ in range(60):
            found = self._probability(middle, q[:-1])
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

    @property
    def _left(self) -> Array:
        """The trials among which `a` is counted, for each b of the window."""
        return np.full(len(self._interval[2]), self.n)

    @cached_property
    def _surface(self) -> Surface:
        """F, without the counts b outside the window, as a function of `_conditional` P and of Q in C."""
        low, high, counts = self._interval
        least, left, fine = self._least, self._left, _FINE * self.level
        assert least is not None
        first = betaincinv(least[0], left[0] - least[0] + 1, fine) if least[0] > 0 else 0.0
        last = float(least[-1] > 0)
        if 0 < least[-1] <= left[-1]:
            last = betainccinv(least[-1], left[-1] - least[-1] + 1, fine)
        p_ends, q_ends = (
            (float(a), max(float(b), float(a) + _THIN))
            for a, b in (angle(np.array(x)) for x in ((first, last), (low, high)))
        )
        p, q = (
            np.minimum(np.sin(nodes(*ends, nodes_needed(ends[1] - ends[0], trials, fine))) ** 2, _BELOW_1)
            for ends, trials in ((p_ends, int(left[0])), (q_ends, self.m))
        )
        weights = _binomial(counts, self.m, q, float(q.mean()))
        before = np.concatenate([np.zeros((len(q), 1)), np.cumsum(weights, axis=1)], axis=1)
        values = np.empty((len(p), len(q)))
        parts = 1 + len(p) * (len(counts) + int(least[-1] - least[0])) // _AT_ONCE
        for part in np.array_split(np.arange(len(p)), min(parts, len(p))):
            start, stop, tails = self._tails(p[part], float(p.mean()), fine)
            values[part] = before[:, start] + tails @ weights[:, start:stop].T
        of_p, of_q = (growth(len(x)) for x in (p, q))
        error = (2 + of_q) * fine + of_p * of_q * (fine + _EVALUATED * math.sqrt(self.n + self.m)) + self._rounding
        return Surface.through(values, p_ends, q_ends, error, fine)

    def _values(self, p: Array, q: Array) -> tuple[Array, float]:
        """Return F (k,), without the counts b outside the window, and a bound on its absolute error.

        At levels so small that rounding errors of values near 1 matter, each value is a sum of its own.
        """
        given = self._conditional(p, q)
        if _SPOILT * _EVALUATED * math.sqrt(self.n + self.m) < self.level:
            return self._surface(given, q), self._surface.error
        fine = _FINE * self.level
        inside = np.clip(given, 0, _BELOW_1), np.clip(q, 0, _BELOW_1)
        start, stop, tails = self._tails(inside[0], float(np.clip(inside[0].mean(), _THIN, 1 - _THIN)), fine)
        weights = _binomial(self._interval[2], self.m, inside[1], float(np.clip(inside[1].mean(), _THIN, 1 - _THIN)))
        out = weights[:, :start].sum(1) + np.einsum("ij,ij->i", weights[:, start:stop], tails)
        return np.asarray(out), fine + self._rounding

    @property
    def _rounding(self) -> float:
        """The absolute rounding error that is the same function of p at all points."""
        return 0.0

    def _tails(self, p: Array, about: float, error: float) -> tuple[int, int, Array]:
        """Return P(Bin(left, p) >= least), (points, k), for `least` from a start to a stop; it is 1 before and 0 after
        that, up to an error."""
        least = self._least
        assert least is not None
        low = _quantile(error, self.n, float(p.min()))
        high = self.n - _quantile(error, self.n, float(1 - p.max()))
        above = np.cumsum(_binomial(np.arange(low, high + 1), self.n, p, about)[:, ::-1], axis=1)[:, ::-1]
        start, stop = np.searchsorted(least, [low, high], side="right").tolist()
        return start, stop, above[:, least[start:stop] - low]

    def _conditional(self, p: Array, q: Array) -> Array:
        """Return the probability of the event that counts in `a`, given that the outcome does not count in b."""
        return p

    def _probability(self, p: Array, q: Array) -> Array:
        """Return an upper bound on F (k,) at P = p and Q = q (k,), at most three cuts too large."""
        values, error = self._values(p, q)
        return np.clip((values + error + 2 * _CUT * self.level) * (1 + _ROUNDING), 0, 1)

    def _ends(self, gain: float, delta: float) -> tuple[float, float]:
        """Return the Q in [0, 1] at which P = delta + gain Q leaves 0, and at which it reaches its largest value."""
        return max(-delta / gain, 0.0), min((1 - delta) / gain, 1.0)

    def _supremum(self, gain: float, delta: float) -> float:
        """Return a rigorous upper bound on F on P = min(delta + gain Q, 1), Q in C, hardly too large."""
        if self._least is None or delta >= 1:
            return 1.0
        low, high, _ = self._interval
        zero, one = self._ends(gain, delta)  # F decreases before and after these
        inner = np.clip([low, high], zero, max(one, zero))
        first, last = angle((inner - zero) / (one - zero)) if zero < one else (0.0, 0.0)
        apart, trials = _ON_PATH * self.level, self.n + self.m * (not self._one_sample)
        t = nodes(first, last, nodes_needed(last - first, trials, apart) if first < last else 0)
        q = np.concatenate([[low], np.clip(inner, low, high), zero + (one - zero) * np.sin(t) ** 2])
        values, error = self._values(np.clip(delta + gain * q, 0, 1), q)
        bound = float(values[:3].max()) + error
        if len(t):
            bound = max(bound, largest(values[3:], apart) + apart + growth(len(t)) * error)
        return min((bound + 2 * _CUT * self.level) * (1 + _ROUNDING), 1.0)

    def _largest(
        self, plane: Callable[[float], tuple[float, float]], start: float, highest: float, spread: float
    ) -> float:
        """Return the largest value in [0, highest] found whose half-plane has p <= level, 0 if there is none.

        The normal quantile of F is nearly linear in the value, with a slope of about 1 / spread.
        """
        target = ndtri(self.level * (1 - self._missed))
        low, high, value, slope = None, None, min(start, highest), 1 / spread
        seen: list[tuple[float, float]] = []
        for step in range(_STEPS):
            excess = float(ndtri(min(self._supremum(*plane(value)), 1 - 1e-15)) - target)
            low, high = (value, high) if excess <= 0 else (low, value)
            if high == 0 or low == highest or -_NEAR < excess <= 0:
                break
            for other, its in seen[-1:]:
                slope = float(np.clip((excess - its) / (value - other), 0.2 / spread, 5 / spread))
            seen.append((value, excess))
            value = min(max(value - (excess + _NEAR / 2) / slope, 0.0), highest)
            if low is not None and high is not None and (step > _SECANTS or not low < value < high):
                value = (low + high) / 2
                if high - low < _NEAR * spread / 2:
                    break
        return low or 0.0


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


def _binomial(counts: Array, n: int, p: Array, about: float) -> Array:
    """Return the probabilities (points, counts) of consecutive counts."""
    return probabilities(_consecutive(int(counts[0]), int(counts[-1]), n), p, about)


@lru_cache(maxsize=8)  # parts of points repeat the same arguments
def _consecutive(first: int, last: int, n: int) -> Array:
    return binomial_terms(np.full(last - first + 1, n), np.arange(first, last + 1))


def binomial_terms(trials: Array, counts: Array) -> Array:
    """Return log-coefficients, successes and failures, (3, k), for `probabilities`."""
    failures = trials - counts
    return np.stack([gammaln(trials + 1) - gammaln(counts + 1) - gammaln(failures + 1), counts, failures])


def probabilities(terms: Array, p: Array, about: float) -> Array:
    """Return coefficient p^successes (1 - p)^failures, (points, k), with the logarithms as one matrix product.

    The rounding errors of large logarithms are the same for all points, as the product is of the differences from the
    logarithms at the probability `about`, and from the middle term.
    """
    centre = np.array([math.log(about), math.log1p(-about)])
    differences = np.stack([np.log(np.maximum(p, _ABOVE_0)), np.log1p(-p)], axis=1) - centre
    middle = terms[1:, terms.shape[1] // 2, None]
    factors = np.concatenate([np.ones((len(p), 1)), differences, differences @ middle], axis=1)
    ones = np.ones((1, terms.shape[1]))
    out: Array = factors @ np.concatenate([[terms[0] + centre @ terms[1:]], terms[1:] - middle, ones])
    return np.exp(out, out=out)
