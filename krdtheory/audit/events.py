"""The event an audit tests, {score >= threshold}: which score, which threshold and which of the two laws is first.

All of it is learnt on data that the test does not use. How probable the events of a score are is read off releases that
the score was not learnt from (by cross-fitting within the learning data), and smoothed by a logistic curve of the score
where that fits: the best of many noisy thresholds is otherwise one that was lucky.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, logit, softmax
from scipy.stats import chi2

from krdtheory.arithmetic.base import Array, reject
from krdtheory.audit.scores import Fitted, Score
from krdtheory.audit.tests import shrunk

FORWARD, BACKWARD = "p, q", "q, p"
Objective = Callable[[Array, Array], Array]  # what is to be had from events of probabilities P and Q

_FOLDS = 5
_ONE_FOLD_FROM = 2000  # releases of each law
_THRESHOLDS = 64
_BINS = 10
_MISFIT = 0.05  # the logistic curve is dropped where it is rejected at this level
_STEEPEST = 30.0
_NEWTON_STEPS = 15
_RIDGE = 1e-9  # relative and absolute, so that separated samples have a fit
_PARTS = 200  # of the sorted scores, for speed
_CLIPS = (0.0, 0.1, 0.2, 0.3, 0.4)


@dataclass(frozen=True)
class Event:
    """{score >= threshold} in the direction (p, q), {score <= threshold} in (q, p)."""

    direction: str
    name: str
    score: Fitted
    threshold: float
    p: float  # what was expected on learning
    q: float

    def count(self, first: Any) -> int:
        """How many of the releases are in it."""
        values = self.values(first)
        return int((values >= self.threshold if self.direction == FORWARD else values <= self.threshold).sum())

    def values(self, z: Any) -> Array:
        """Scores; NaN is refused, as it would pass every comparison."""
        values = np.asarray(self.score(z), dtype=float)
        if values.shape != (len(z),):
            reject(
                "scores", values.shape, f"one number for each of {len(z)} releases (this is the shape for {self.name})"
            )
        if np.isnan(values).any():
            reject("scores", "nan", f"numbers ({self.name} gives this)")
        return values


def learn(
    x: Array,
    y: Array,
    scores: Mapping[str, Score],
    objectives: list[Objective],
    directions: list[str],
    rng: np.random.Generator,
) -> list[Event]:
    """The best event for each objective and, with both directions, the better of them."""
    curves = []
    for name, score in scores.items():
        fitted, held = learnt(score, x, y, rng)
        for direction in directions:
            u, v = held if direction == FORWARD else (-held[1], -held[0])
            curves.append((direction, name, fitted, *operating_points(u, v)))
    events = []
    for objective in objectives:
        best = [objective(p, q) for *_, p, q in curves]
        direction, name, fitted, thresholds, p, q = curves[int(np.argmax([values.max() for values in best]))]
        at = int(np.argmax(best[int(np.argmax([values.max() for values in best]))]))
        threshold = float(thresholds[at] if direction == FORWARD else -thresholds[at])
        events.append(Event(direction, name, fitted, threshold, float(p[at]), float(q[at])))
    return events


def operating_points(u: Array, v: Array) -> tuple[Array, Array, Array]:
    """Thresholds, and the probabilities under each law of a score at least that, from scores of the two samples.

    Smoothed where the logistic curve fits; else frequencies, a standard error less for the first law and more for the
    second.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.events import operating_points
    >>> [a.round(3).tolist() for a in operating_points(np.array([1.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0, 0.0]))]
    [[0.0, 1.0], [0.769, 0.384], [1.0, 0.486]]
    """
    pooled = np.sort(np.concatenate([u, v]))
    levels = np.linspace(0, 1, _THRESHOLDS + 1)
    tails = 0.5 ** np.arange(7, 14)
    levels = np.concatenate([tails, levels, 1 - tails])
    thresholds = np.unique(np.quantile(pooled, levels[levels * len(pooled) >= 1 / len(pooled)], method="inverted_cdf"))
    chance = _logistic(u, v) if len(thresholds) > _BINS else None
    if chance is None:
        p, q = (1 - np.searchsorted(np.sort(s), thresholds) / len(s) for s in (u, v))
        return thresholds, _moved(p, len(u), -1), _moved(q, len(v), 1)
    at = np.searchsorted(pooled, thresholds)

    def above(weights: Array) -> Array:
        return np.asarray(np.cumsum(weights[::-1])[::-1][at] / weights.sum())

    return thresholds, above(chance), above(1 - chance)


def _moved(p: Array, n: int, sign: int) -> Array:
    """A frequency moved by its standard error, so that luck does not win."""
    inner = shrunk(p * n, n)
    return np.clip(p + sign * np.sqrt(inner * (1 - inner) / n), 0, 1)


def _logistic(u: Array, v: Array) -> Array | None:
    """The chance that a release of each pooled score, sorted, is from the first sample; None if no curve fits.

    The log-odds are a line in the score, clipped at quantiles: exact for normal and for Laplace noise. Chances
    are averaged over the clips, by their likelihood.
    """
    pooled = np.concatenate([u, v])
    order = np.argsort(pooled, kind="stable")
    s, label = pooled[order], np.repeat([1.0, 0.0], [len(u), len(v)])[order]
    starts = np.unique(np.linspace(0, len(s), min(_PARTS, len(s)), endpoint=False).astype(int))
    size = np.diff(np.append(starts, len(s)))
    place, hits = (np.add.reduceat(w, starts) / size for w in (s, label))
    quantiles = np.quantile(s, [*_CLIPS, *(1 - clip for clip in _CLIPS)])
    low, high = (
        ends.ravel() for ends in np.meshgrid(quantiles[: len(_CLIPS)], quantiles[len(_CLIPS) :], indexing="ij")
    )
    clipped = np.stack([c.ravel() for c in np.meshgrid(_CLIPS, _CLIPS, indexing="ij")])[:, low < high, None] > 0
    low, high = low[low < high, None], high[low < high, None]
    if not len(low):
        return None
    where = np.clip(
        (place - low) / (high - low), np.where(clipped[0], 0, -_STEEPEST), np.where(clipped[1], 1, _STEEPEST)
    )
    chances, likelihood = _fits(where, hits, size)
    chance = np.repeat(softmax(likelihood) @ chances, size)
    bins = [*zip(np.array_split(label, _BINS), np.array_split(chance, _BINS), strict=True)]
    misfit = sum((o.sum() - e.sum()) ** 2 / max((e * (1 - e)).sum(), 1e-300) for o, e in bins)
    return chance if chi2.sf(misfit, _BINS - 2) > _MISFIT else None


def _fits(place: Array, hits: Array, size: Array) -> tuple[Array, Array]:
    """Logistic regressions on one variable, (k, parts): the chances, and the log-likelihoods (k,)."""
    level, slope = np.full((len(place), 1), logit(np.average(hits, weights=size))), np.zeros((len(place), 1))
    for _ in range(_NEWTON_STEPS):
        chance = expit(level + slope * place)
        weight, left = size * chance * (1 - chance), size * (hits - chance)
        a, b, c = (np.sum(weight * part, axis=1, keepdims=True) for part in (1, place, place * place))
        u, v = left.sum(1, keepdims=True), (left * place).sum(1, keepdims=True)
        a, c = a * (1 + _RIDGE) + _RIDGE, c * (1 + _RIDGE) + _RIDGE
        steps = (c * u - b * v) / (a * c - b * b), (a * v - b * u) / (a * c - b * b)
        level, slope = level + steps[0], slope + steps[1]
        if max(np.abs(step).max() for step in steps) < 1e-6:
            break
    odds = level + slope * place
    likelihood = -(size * (hits * np.logaddexp(0, -odds) + (1 - hits) * np.logaddexp(0, odds))).sum(1)
    return expit(odds), likelihood


def learnt(score: Score, x: Array, y: Array, rng: np.random.Generator) -> tuple[Fitted, tuple[Array, Array]]:
    """A fitted score, and scores of releases as they are of those it was not learnt from."""
    if getattr(score, "steady", False):
        held = _held_out(score, x, y, rng)
        return score.fit(x, y, rng), held
    i, j = len(x) // 2, len(y) // 2  # fitted anew, its scale would not be that of the scores held out
    fitted = score.fit(x[:i], y[:j], rng)
    return fitted, (np.asarray(fitted(x[i:]), dtype=float), np.asarray(fitted(y[j:]), dtype=float))


def _held_out(score: Score, x: Array, y: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Scores of releases by a score that was not learnt from them."""
    if min(len(x), len(y)) >= _ONE_FOLD_FROM:
        i, j = 2 * len(x) // 3, 2 * len(y) // 3
        fitted = score.fit(x[:i], y[:j], rng)
        return np.asarray(fitted(x[i:]), dtype=float), np.asarray(fitted(y[j:]), dtype=float)
    folds = min(_FOLDS, len(x), len(y))
    of_x, of_y = np.arange(len(x)) % folds, np.arange(len(y)) % folds
    u, v = np.empty(len(x)), np.empty(len(y))
    for k in range(folds):
        fitted = score.fit(x[of_x != k], y[of_y != k], rng)
        u[of_x == k], v[of_y == k] = fitted(x[of_x == k]), fitted(y[of_y == k])
    return u, v
