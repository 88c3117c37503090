"""The choice of the event {score >= threshold} that an audit tests: the score, the threshold and the direction.

All of it is learnt on data that the test does not use. The probabilities of a score's events are estimated from outputs
that the score was not learnt from (by cross-fitting within the learning data), and smoothed by a logistic curve of the
score where that fits. Otherwise the best of many thresholds would be the one with the luckiest noise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.special import chdtrc, expit, logit, softmax

from krdtheory.arithmetic.base import Array
from krdtheory.audit.basic_scores import once, sharing
from krdtheory.audit.exact_test import shrunk
from krdtheory.audit.outputs import Features, read
from krdtheory.audit.scores import Coordinate, Fitted, Function, Score, falls, rule, values_of

FORWARD, BACKWARD, TWO_SIDED = "p, q", "q, p", "p, q and q, p"
# (P, Q, whether they are of two-sided guesses) -> the value to an audit of an event with these probabilities
Objective = Callable[[Array, Array, bool], Array]

_FOLDS, _FEWER = 5, 3
_FEWER_FROM = 5_000  # outputs of each distribution, from which the smaller number of folds is used
_THRESHOLDS = 64
_TAILS = 0.5 ** np.arange(3, 13.5, 0.5)
_QUANTILES = np.unique(np.concatenate([_TAILS, np.arange(_THRESHOLDS + 1) / _THRESHOLDS, 1 - _TAILS]))
_BINS = 10
_MISFIT = 0.05  # the level at which the logistic curve is rejected
_STEEPEST = 30.0
_NEWTON_STEPS = 15
_RIDGE = 1e-9  # relative and absolute, so that separable samples have a fit
_PARTS = 200  # the number of groups of sorted scores, for speed
_CLIPS = (0.0, 0.1, 0.2, 0.3, 0.4)
_MANY = 10_000  # outputs from which clips are learnt more finely
_SOME = 2_000  # outputs; with fewer, the test has few as well, and its own uncertainty dominates
_FINER, _NEIGHBOURS = (0.02, 0.004), 5  # steps of the finer clips around the best one, and how many
_DRAWS = 64
_PAIRED = 32  # of these draws are used for pairs of thresholds, for speed
_TINY = 1e-12
_HUGE = 1e300  # no line is fitted to larger scores
_LUCK = 3.0  # bonus of two-sided guesses, divided by the root of the sample size
_APART = 0.9  # a gap of this share of the range means that scores take two values
_TOGETHER = 0.05  # values closer than this share of the range count as one
_MOVED = 0.4  # the threshold moves by this share of the gap, so that two thresholds stay apart
_SLACK = 1e-9  # share of the range allowed for rounding errors
_ONE_SIDED = 0.1  # the least ratio of the right guesses of two sides
_KEPT = 0.8  # of the outputs beyond a threshold, for a score that was fitted anew
_STRIDE = 2  # every second threshold is tried in pairs


@dataclass(frozen=True)
class Event:
    """A rule that attributes outputs to p in direction (p, q), to q in direction (q, p), or to either if two-sided.

    {score >= upper} is attributed to p and {score <= lower} to q, or the other way round if the score is falling.
    """

    direction: str
    name: str
    score: Fitted
    lower: float
    upper: float
    falling: bool
    p: float  # probabilities estimated in learning
    q: float

    def taken(self, z: Any) -> tuple[Array, Array]:
        """Return which outputs are attributed to p, and which to q."""
        values = self.values(z)
        out = values >= self.upper, values <= self.lower
        return out[::-1] if self.falling else out

    def guesses(self, z: Any) -> tuple[int, int]:
        """Return how many outputs are attributed to p, and how many to q."""
        of_p, of_q = self.taken(z)
        return int(of_p.sum()), int(of_q.sum())

    def words(self) -> tuple[str, str]:
        """Describe for which scores an output is attributed to p, and for which to q."""
        out = rule(self.score, self.name, True, self.upper), rule(self.score, self.name, False, self.lower)
        return out[::-1] if self.falling else out

    def values(self, z: Any) -> Array:
        return values_of(self.score, z, self.name)


def learn(
    x: Array,
    y: Array,
    scores: Mapping[str, Score],
    objectives: list[Objective],
    directions: list[str],
    rng: np.random.Generator,
) -> list[Event]:
    """Return the best event for each objective, over all scores and directions."""
    options = []
    with sharing():
        for name, score in scores.items():
            fitted, held = learnt(score, x, y, rng)
            falling = falls(*(values_of(fitted, z, name) for z in (x, y)))
            options += [(name, fitted, held, option) for option in _options(*held, falling, directions, rng)]
    options = [option for option in options if not constant(*option[2])] or options
    luck = _LUCK / np.sqrt(min(len(x), len(y)))
    events = []
    for objective in objectives:
        worth = [objective(o.p, o.q, o.direction == TWO_SIDED).mean(0) for *_, o in options]
        totals = [w.max() + luck * (o.direction == TWO_SIDED) for w, (*_, o) in zip(worth, options, strict=True)]
        best = int(np.argmax(totals))
        name, fitted, held, option = options[best]
        at = int(np.argmax(worth[best]))
        ends, expected = ((float(a[at]), float(b[at])) for a, b in (option.ends, (option.p.mean(0), option.q.mean(0))))
        if getattr(scores[name], "steady", False):
            ends = _carried(ends, held, [values_of(fitted, z, name) for z in (x, y)])
        if getattr(scores[name], "rounded", False):
            ends = float(-nudged(-ends[0], *(-z for z in held))), float(nudged(ends[1], *held))
        events.append(Event(option.direction, name, fitted, *ends, option.falling, *expected))
    return events


def _carried(ends: tuple[float, float], held: Sequence[Array], fitted: Sequence[Array]) -> tuple[float, float]:
    """Convert thresholds of held-out scores to thresholds of the score that was fitted on all data.

    The same outputs have different values under the two. A threshold just above a shared value would exclude the
    outputs that the event was chosen for.
    """
    old, new = (np.concatenate(pair) for pair in (held, fitted))
    few = len(np.unique(new)) <= _THRESHOLDS
    lower, upper = -_matched(-ends[0], -old, -new, few), _matched(ends[1], old, new, few)
    return (lower, upper) if lower < upper else ends


def _matched(threshold: float, old: Array, new: Array, few: bool) -> float:
    """Return the new value from which on the share of outputs is the most similar to that from a threshold on among the
    old ones, if there are few values or a good part of that share would be lost; otherwise the threshold."""
    share, kept = (float((z >= threshold).mean()) for z in (old, new))
    if not np.isfinite(threshold) or not (few or kept < _KEPT * share):
        return threshold
    values, counts = np.unique(new, return_counts=True)
    return float(values[np.argmin(np.abs(np.cumsum(counts[::-1])[::-1] / len(new) - share))])


def nudged(threshold: Any, u: Array, v: Array) -> Any:
    """Return a slightly lower threshold, or one well inside a gap that is almost the whole range of the scores u and v.

    Scores of the same output may differ by rounding errors or, if there are only two values, by the learning data.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.events import nudged
    >>> print(nudged(1.0, np.array([1.0, 1.0]), np.array([-1.0, -1.0])).round(6))
    0.2
    """
    values = np.unique(np.concatenate([u, v]))
    if len(values) < 2 or not np.isfinite(values).all():
        return threshold
    spread = values[-1] - values[0]
    below = values[np.maximum(np.searchsorted(values, threshold - _TOGETHER * spread) - 1, 0)]
    gap = np.where(np.isfinite(threshold), threshold - below, 0)
    return threshold - np.where(gap > _APART * spread, _MOVED * gap, _SLACK * spread)


def constant(u: Array, v: Array) -> bool:
    """Return whether a score takes only one value."""
    return bool(min(u.min(), v.min()) == max(u.max(), v.max()))


@dataclass(frozen=True, eq=False)
class LearntScore:
    """A learnt score of further outputs of the mechanism, larger where the first distribution is more likely, unless
    its witness says otherwise.

    Its values are on the scale of the witness's thresholds.
    """

    name: str
    fitted: Fitted
    objects: bool
    features: Features | None = None

    def __call__(self, outputs: Any) -> Array:
        sample = read(outputs, "outputs", self.features)
        return values_of(self.fitted, sample.as_objects("outputs") if self.objects else sample.values, self.name)


def tells(fitted: Fitted, names: list[str] | None, dimension: int) -> dict[str, list[str]]:
    """Describe a score in terms of the columns of the outputs, by its largest weights or its splits."""
    names = names or (["value"] if dimension == 1 else [f"column {k}" for k in range(dimension)])
    shown = fitted.tells(names) if hasattr(fitted, "tells") else []
    return {"tells": shown} if shown else {}


class _Option(NamedTuple):
    """Events of one score in one direction: thresholds (k,) and draws (draws, k) of their probabilities."""

    direction: str
    ends: tuple[Array, Array]
    p: Array
    q: Array
    falling: bool = False


def _options(u: Array, v: Array, falling: bool, directions: list[str], rng: np.random.Generator) -> Iterator[_Option]:
    if falling:
        for o in _rising(-u, -v, directions, rng):
            yield o._replace(ends=(-o.ends[1], -o.ends[0]), falling=True)
    else:
        yield from _rising(u, v, directions, rng)


def _rising(u: Array, v: Array, directions: list[str], rng: np.random.Generator) -> Iterator[_Option]:
    curve = fitted_curve(u, v)
    upper, *above = operating_points(u, v, curve and curve.draws(rng))
    lower, *below = operating_points(-v, -u, curve and curve.draws(rng).mirrored())
    lower = -lower
    if FORWARD in directions:
        yield _Option(FORWARD, (np.full_like(upper, -np.inf), upper), p=above[0], q=above[1])
    if BACKWARD in directions:
        yield _Option(BACKWARD, (lower, np.full_like(lower, np.inf)), p=below[0], q=below[1])
    if TWO_SIDED in directions:
        low, high = (w.ravel() for w in np.meshgrid(*(np.arange(len(w))[::_STRIDE] for w in (lower, upper))))
        of_p, of_q = above[0].mean(0)[high], below[0].mean(0)[low]
        # otherwise the guesses amount to an event in one direction
        both = _ONE_SIDED * np.maximum(of_p, of_q) <= np.minimum(of_p, of_q)
        apart = both & (lower[low] < upper[high])
        low, high = low[apart], high[apart]
        if len(low):
            p, q = ((a[:_PAIRED, high] + b[:_PAIRED, low]) / 2 for a, b in zip(above, below, strict=True))
            yield _Option(TWO_SIDED, (lower[low], upper[high]), p, q)


class Draws(NamedTuple):
    """The starts of groups of n sorted pooled scores, and draws (draws, groups) of their weights and of the probability
    that a score in the group is from the first sample."""

    n: int
    starts: Array
    weights: Array
    chance: Array

    def mirrored(self) -> Draws:
        """Return the draws for the negative scores of the second sample and the first."""
        starts = self.n - np.append(self.starts[1:], self.n)[::-1]
        return Draws(self.n, starts, self.weights[:, ::-1], 1 - self.chance[:, ::-1])


class Curve(NamedTuple):
    """The starts and sizes of groups of n sorted pooled scores, and fits of clipped lines: how much each is believed,
    the position of the groups on it, the line, and the root of its covariance matrix."""

    n: int
    starts: Array
    size: Array
    belief: Array
    where: Array
    lines: Array
    roots: Array

    def draws(self, rng: np.random.Generator) -> Draws:
        """Return draws from the posterior distribution."""
        of = rng.choice(len(self.belief), _DRAWS, p=self.belief)
        lines = self.lines[of] + np.einsum("kij,kj->ki", self.roots[of], rng.normal(size=(_DRAWS, 2)))
        weights = rng.gamma(self.size, size=(_DRAWS, len(self.size)))
        return Draws(self.n, self.starts, weights, _chance(lines, self.where[of]))


def operating_points(u: Array, v: Array, drawn: Draws | None = None) -> tuple[Array, Array, Array]:
    """Return thresholds, and the probabilities (draws, thresholds) under each distribution of a score of at least each.

    If a logistic curve fits, the probabilities are those drawn from its posterior distribution. Otherwise there is one
    draw, the frequencies moved towards each other so that the logarithm of their ratio decreases: by
    sqrt(3) standard errors for few outputs, and for many by the expected error of the luckiest of all thresholds.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.events import operating_points
    >>> u, v = np.array([1.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0, 0.0])
    >>> [a.round(3).tolist() for a in operating_points(u, v)]
    [[1.0], [[0.395]], [[0.589]]]
    """
    pooled = np.sort(np.concatenate([u, v]))
    n = len(pooled)
    different = pooled[np.append(True, pooled[1:] != pooled[:-1])]
    thresholds = pooled[np.maximum(np.ceil(_QUANTILES * n).astype(int) - 1, 0)]
    thresholds = thresholds[np.append(True, thresholds[1:] != thresholds[:-1])]
    if len(different) <= _THRESHOLDS:  # quantiles may miss rare values
        thresholds = different[different <= thresholds[-1]]
    thresholds = thresholds[1:] if len(thresholds) > 1 else thresholds  # all scores are at least the least one
    if drawn is None:
        p, q = (1 - np.searchsorted(np.sort(s), thresholds) / len(s) for s in (u, v))
        luckiest = np.sqrt(2 * max(1.0, np.log(len(thresholds))))  # expected maximum of this many normal errors
        doubt = np.interp(n, (0, _SOME), (np.sqrt(3), luckiest))
        p, q = _doubted(p, len(u), q, len(v), doubt)
        return thresholds, p[None], q[None]
    at = np.searchsorted(pooled, thresholds)
    ends = np.append(drawn.starts, n)
    part, step = np.searchsorted(ends, at, side="right") - 1, np.diff(ends)

    def above(mass: Array) -> Array:
        left = np.zeros((len(mass), mass.shape[1] + 1))
        np.cumsum(mass[:, ::-1], axis=1, out=left[:, 1:])
        left = left[:, ::-1] / left[:, -1:]
        return (left[:, part + 1] - left[:, part]) / step[part] * (at - ends[part]) + left[:, part]

    chance = np.clip(drawn.chance, _TINY, 1 - _TINY)  # for separable samples
    first = drawn.weights * chance
    return thresholds, above(first), above(drawn.weights - first)


def _doubted(p: Array, n: int, q: Array, m: int, errors: float) -> tuple[Array, Array]:
    """Move two frequencies towards each other, each by its share, until the logarithm of their ratio has decreased by
    `errors` of its standard errors, so that chance is not rewarded.
    """
    inner = shrunk(p * n, n), shrunk(q * m, m)
    error = [np.sqrt(r * (1 - r) / size) for r, size in zip(inner, (n, m), strict=True)]
    relative = [e / r for e, r in zip(error, inner, strict=True)]
    whole = np.hypot(*relative)
    down, up = (errors * e * r / whole for e, r in zip(error, relative, strict=True))
    return np.clip(p - down, 0, 1), np.clip(q + up, 0, 1)


def fitted_curve(u: Array, v: Array) -> Curve | None:
    """Return a logistic curve of the score, None if none fits or if the scores have few values.

    The log-odds are modelled as linear in the score, clipped at quantiles, which is exact for normal and for Laplace
    noise. The line is drawn from its posterior distribution (normal about its mode), the clips by their likelihood, and
    the weights by the Bayesian bootstrap (Rubin 1981).
    """
    pooled = np.concatenate([u, v])
    order = np.argsort(pooled, kind="stable")
    s, label = pooled[order], np.repeat([1.0, 0.0], [len(u), len(v)])[order]
    if max(-s[0], s[-1]) > _HUGE or (s[1:] != s[:-1]).sum() <= _BINS:  # infinite, or practically
        return None
    starts = np.unique(np.linspace(0, len(s), min(_PARTS, len(s)), endpoint=False).astype(int))
    size = np.diff(np.append(starts, len(s)))
    place, hits = (np.add.reduceat(w, starts) / size for w in (s, label))
    found = _clipped(s, place, hits, size, _CLIPS, _CLIPS)
    if found is None:
        return None
    clips, where, lines, roots, likelihood = found
    if len(s) >= _MANY:  # enough outputs to locate the clips
        for step in _FINER:
            around = clips[:, np.argmax(likelihood), None] + step * np.arange(-_NEIGHBOURS, _NEIGHBOURS + 1)
            found = _clipped(s, place, hits, size, *(np.unique(np.clip(a, 0, _CLIPS[-1])) for a in around)) or found
            clips, where, lines, roots, likelihood = found
    belief = softmax(likelihood)
    chance = np.repeat(belief @ _chance(lines, where), size)
    bins = [*zip(np.array_split(label, _BINS), np.array_split(chance, _BINS), strict=True)]
    misfit = sum((o.sum() - e.sum()) ** 2 / max((e * (1 - e)).sum(), 1e-300) for o, e in bins)
    if chdtrc(_BINS - 2, misfit) <= _MISFIT:
        return None
    return Curve(len(s), starts, size, belief, where, lines, roots)


def _clipped(
    s: Array, place: Array, hits: Array, size: Array, left: Any, right: Any
) -> tuple[Array, Array, Array, Array, Array] | None:
    """Return lines clipped at quantiles of the sorted scores: the clips (2, k), the position of each group on its line
    (k, groups), and the fits. None if no two quantiles differ."""
    clips = np.stack([c.ravel() for c in np.meshgrid(left, right, indexing="ij")])
    low, high = np.interp([clips[0], 1 - clips[1]], np.linspace(0, 1, len(s)), s)
    clips, low, high = clips[:, low < high], low[low < high, None], high[low < high, None]
    if not len(low):
        return None
    bounds = np.where(clips[0] > 0, 0, -_STEEPEST), np.where(clips[1] > 0, 1, _STEEPEST)
    where = np.clip((place - low) / (high - low), *(b[:, None] for b in bounds))
    return clips, where, *_fits(where, hits, size)


def _chance(lines: Array, place: Array) -> Array:
    return np.asarray(expit(lines[:, :1] + lines[:, 1:] * place))


def _fits(place: Array, hits: Array, size: Array) -> tuple[Array, Array, Array]:
    """Fit logistic regressions on a variable (k, groups): return lines (k, 2), covariance roots, log-likelihoods."""
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
    covariance = np.stack([c, -b, -b, a], axis=-1).reshape(-1, 2, 2) / (a * c - b * b)[..., None]
    return np.concatenate([level, slope], axis=1), np.linalg.cholesky(covariance), likelihood


def learnt(score: Score, x: Array, y: Array, rng: np.random.Generator) -> tuple[Fitted, tuple[Array, Array]]:
    """Return a fitted score, and scores of outputs by one that was not learnt from them."""
    if isinstance(score, Coordinate | Function):  # nothing is learnt
        fitted = score.fit(x, y, rng)
        return fitted, (values_of(fitted, x), values_of(fitted, y))
    if getattr(score, "steady", False):
        held = _held_out(score, x, y, rng)
        return score.fit(x, y, rng), held
    # a fit on all data would have another scale than the held-out scores
    first, second = ([once(part, (z,), partial(_half, z, part)) for z in (x, y)] for part in ("first", "second"))
    fitted = score.fit(first[0], first[1], rng)
    return fitted, (values_of(fitted, second[0]), values_of(fitted, second[1]))


def _held_out(score: Score, x: Array, y: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return cross-fitted scores: each output is scored by a fit that did not see it."""
    folds = min(_FEWER if min(len(x), len(y)) >= _FEWER_FROM else _FOLDS, len(x), len(y))
    of_x, of_y = np.arange(len(x)) % folds, np.arange(len(y)) % folds
    u, v = np.empty(len(x)), np.empty(len(y))
    for k in range(folds):
        rest = [once(f"without {k}", (z,), partial(_rows, z, of != k)) for z, of in ((x, of_x), (y, of_y))]
        only = [once(f"only {k}", (z,), partial(_rows, z, of == k)) for z, of in ((x, of_x), (y, of_y))]
        fitted = score.fit(rest[0], rest[1], rng)
        u[of_x == k], v[of_y == k] = (values_of(fitted, z) for z in only)
    return u, v


def _half(z: Array, part: str) -> Array:
    return z[: len(z) // 2] if part == "first" else z[len(z) // 2 :]


def _rows(z: Array, where: Array) -> Array:
    return np.asarray(z[where])
