"""The event an audit tests, {score >= threshold}: which score, which threshold and which of the two distributions is
first.

All of it is learnt on data that the test does not use. How probable the events of a score are is read off outputs that
the score was not learnt from (by cross-fitting within the learning data), and smoothed by a logistic curve of the score
where that fits: the best of many noisy thresholds is otherwise one that was lucky.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, logit, softmax
from scipy.stats import chi2

from krdtheory.arithmetic.base import Array
from krdtheory.audit.basic_scores import once, sharing
from krdtheory.audit.exact_test import shrunk
from krdtheory.audit.outputs import Features, read
from krdtheory.audit.scores import Coordinate, Fitted, Function, Score, falls, values_of

FORWARD, BACKWARD, TWO_SIDED = "p, q", "q, p", "p, q and q, p"
Objective = Callable[[Array, Array, bool], Array]  # what is to be had from P and Q, of an event or of two-sided guesses

_FOLDS, _FEWER = 5, 3
_FEWER_FROM = 5_000  # outputs of each distribution
_THRESHOLDS = 64
_BINS = 10
_MISFIT = 0.05  # the logistic curve is dropped where it is rejected at this level
_STEEPEST = 30.0
_NEWTON_STEPS = 15
_RIDGE = 1e-9  # relative and absolute, so that separated samples have a fit
_PARTS = 200  # of the sorted scores, for speed
_CLIPS = (0.0, 0.1, 0.2, 0.3, 0.4)
_MANY = 10_000  # outputs, of which there is more to be learnt
_SOME = 2_000  # outputs; of fewer, the test has few as well, and its own doubt is the larger
_FINER, _NEIGHBOURS = (0.02, 0.004), 5  # clips of many outputs, around the best
_DRAWS = 64
_PAIRED = 32  # of the draws, for speed
_TINY = 1e-12
_HUGE = 1e300  # no line is drawn through scores beyond
_LUCK = 3.0  # of the better of two sides, at one output
_APART = 0.9  # of the range of scores that are two values
_TOGETHER = 0.05  # what is nearer than this part of it counts as one value there
_MOVED = 0.4  # of that range, so that two thresholds stay apart
_SLACK = 1e-9  # of the range, for rounding
_ONE_SIDED = 0.1  # of the right guesses are on one side
_STRIDE = 2  # of thresholds that are tried in pairs


@dataclass(frozen=True)
class Event:
    """Which outputs are attributed to p, in the direction (p, q), to q, in (q, p), or to either, two-sided.

    Of p is {score >= upper} and of q {score <= lower}; where the score is falling, the other way round.
    """

    direction: str
    name: str
    score: Fitted
    lower: float
    upper: float
    falling: bool
    p: float  # what was expected on learning
    q: float

    def taken(self, z: Any) -> tuple[Array, Array]:
        """Which outputs are attributed to p, and which to q."""
        values = self.values(z)
        out = values >= self.upper, values <= self.lower
        return out[::-1] if self.falling else out

    def guesses(self, z: Any) -> tuple[int, int]:
        """How many outputs are attributed to p, and how many to q."""
        of_p, of_q = self.taken(z)
        return int(of_p.sum()), int(of_q.sum())

    def words(self) -> tuple[str, str]:
        """Describe for which scores an output is attributed to p, and for which to q."""
        out = f"{self.name} >= {self.upper:.6g}", f"{self.name} <= {self.lower:.6g}"
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
    """The best event for each objective and, with both directions, the better of them."""
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
    """Thresholds of held-out scores as those of the score that was fitted anew, where it takes few values.

    The same outputs have other values there. A threshold just above a value would miss all that the event was chosen
    for, so each is moved to the value beyond which there is the most similar share of the outputs.
    """
    old, new = (np.sort(np.concatenate(pair)) for pair in (held, fitted))
    values, starts, counts = np.unique(new, return_index=True, return_counts=True)
    if len(values) > _THRESHOLDS:
        return ends
    lower, upper = ends
    if np.isfinite(upper):
        share = 1 - np.searchsorted(old, upper) / len(old)
        upper = values[np.argmin(np.abs(1 - starts / len(new) - share))]
    if np.isfinite(lower):
        share = np.searchsorted(old, lower, side="right") / len(old)
        lower = values[np.argmin(np.abs((starts + counts) / len(new) - share))]
    return (float(lower), float(upper)) if lower < upper else ends


def nudged(threshold: Any, u: Array, v: Array) -> Any:
    """A threshold a little lower, or well within a gap that is almost the whole range of the scores u and v.

    Scores of the same output may differ by rounding, or where two values are all there are by what was learnt from.

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
    """Does a score tell nothing?"""
    return bool(min(u.min(), v.min()) == max(u.max(), v.max()))


@dataclass(frozen=True, eq=False)
class LearntScore:
    """A score that was learnt, of further outputs as the mechanism gives them; larger where the first distribution is
    likelier, unless its witness says otherwise.

    Its value lies on the scale of the witness's thresholds.
    """

    name: str
    fitted: Fitted
    objects: bool
    features: Features | None = None

    def __call__(self, releases: Any) -> Array:
        sample = read(releases, "releases", self.features)
        return values_of(self.fitted, sample.as_objects("releases") if self.objects else sample.values, self.name)


def tells(fitted: Fitted, names: list[str] | None, dimension: int) -> dict[str, list[str]]:
    """What a score looks at, in the terms of the outputs: the heaviest weights, or the splits."""
    names = names or (["value"] if dimension == 1 else [f"column {k}" for k in range(dimension)])
    shown = fitted.tells(names) if hasattr(fitted, "tells") else []
    return {"tells": shown} if shown else {}


class _Option(NamedTuple):
    """Events of one score in one direction: thresholds (k,), and draws (draws, k) of what to expect."""

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
    upper, *above = operating_points(u, v, rng)
    lower, *below = operating_points(-v, -u, rng)
    lower = -lower
    if FORWARD in directions:
        yield _Option(FORWARD, (np.full_like(upper, -np.inf), upper), p=above[0], q=above[1])
    if BACKWARD in directions:
        yield _Option(BACKWARD, (lower, np.full_like(lower, np.inf)), p=below[0], q=below[1])
    if TWO_SIDED in directions:
        low, high = (w.ravel() for w in np.meshgrid(*(np.arange(len(w))[::_STRIDE] for w in (lower, upper))))
        of_p, of_q = above[0].mean(0)[high], below[0].mean(0)[low]
        both = _ONE_SIDED * np.maximum(of_p, of_q) <= np.minimum(of_p, of_q)  # else it is an event of one direction
        apart = both & (lower[low] < upper[high])
        low, high = low[apart], high[apart]
        if len(low):
            p, q = ((a[:_PAIRED, high] + b[:_PAIRED, low]) / 2 for a, b in zip(above, below, strict=True))
            yield _Option(TWO_SIDED, (lower[low], upper[high]), p, q)


def operating_points(u: Array, v: Array, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Thresholds, and the probabilities (draws, thresholds) under each distribution of a score at least that.

    They are drawn from what scores of the two samples tell about them, where the logistic curve fits; else there is one
    draw, of frequencies, less for the first distribution and more for the second, so that the logarithm of their ratio
    is less: by sqrt(3) of its standard errors for few outputs, and for many by as many as the luckiest of all
    thresholds is expected to be off.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.events import operating_points
    >>> u, v = np.array([1.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0, 0.0])
    >>> [a.round(3).tolist() for a in operating_points(u, v, np.random.default_rng(0))]
    [[1.0], [[0.395]], [[0.589]]]
    """
    pooled = np.sort(np.concatenate([u, v]))
    levels = np.linspace(0, 1, _THRESHOLDS + 1)
    tails = 0.5 ** np.arange(3, 13.5, 0.5)
    levels = np.unique(np.concatenate([tails, levels, 1 - tails]))
    thresholds = np.unique(np.quantile(pooled, levels[levels * len(pooled) >= 1 / len(pooled)], method="inverted_cdf"))
    different = np.unique(pooled)
    if len(different) <= _THRESHOLDS:  # quantiles may leave out where rare values begin
        thresholds = different[different <= thresholds[-1]]
    thresholds = thresholds[1:] if len(thresholds) > 1 else thresholds  # everything is above the least
    drawn = _logistic(u, v, rng) if len(thresholds) > _BINS else None
    if drawn is None:
        p, q = (1 - np.searchsorted(np.sort(s), thresholds) / len(s) for s in (u, v))
        luckiest = np.sqrt(2 * max(1.0, np.log(len(thresholds))))  # of so many normal errors
        doubt = np.interp(len(pooled), (0, _SOME), (np.sqrt(3), luckiest))
        p, q = _doubted(p, len(u), q, len(v), doubt)
        return thresholds, p[None], q[None]
    starts, weights, chance = drawn
    at = np.searchsorted(pooled, thresholds)
    ends = np.append(starts, len(pooled))

    def above(mass: Array) -> Array:
        left = np.concatenate([np.zeros((len(mass), 1)), np.cumsum(mass[:, ::-1], axis=1)], axis=1)[:, ::-1]
        return np.stack([np.interp(at, ends, one / one[0]) for one in left])

    chance = np.clip(chance, _TINY, 1 - _TINY)  # separated samples too
    return thresholds, above(weights * chance), above(weights * (1 - chance))


def _doubted(p: Array, n: int, q: Array, m: int, errors: float) -> tuple[Array, Array]:
    """Two frequencies moved towards each other until the logarithm of their ratio is less by so many of its standard
    errors, so that luck does not win: each by its share of them.
    """
    inner = shrunk(p * n, n), shrunk(q * m, m)
    error = [np.sqrt(r * (1 - r) / size) for r, size in zip(inner, (n, m), strict=True)]
    relative = [e / r for e, r in zip(error, inner, strict=True)]
    whole = np.hypot(*relative)
    down, up = (errors * e * r / whole for e, r in zip(error, relative, strict=True))
    return np.clip(p - down, 0, 1), np.clip(q + up, 0, 1)


def _logistic(u: Array, v: Array, rng: np.random.Generator) -> tuple[Array, Array, Array] | None:
    """Parts of the sorted pooled scores by their starts; draws of their weights, and of the chance that a score in it
    is from the first sample, (draws, parts) each. None if no curve fits.

    The log-odds are a line in the score, clipped at quantiles: exact for normal and for Laplace noise. The line is
    drawn from its posterior distribution (normal about the most likely one), the clips by their likelihood, the weights
    by the Bayesian bootstrap (Rubin 1981).
    """
    pooled = np.concatenate([u, v])
    order = np.argsort(pooled, kind="stable")
    s, label = pooled[order], np.repeat([1.0, 0.0], [len(u), len(v)])[order]
    if max(-s[0], s[-1]) > _HUGE:  # infinite, or as good as
        return None
    starts = np.unique(np.linspace(0, len(s), min(_PARTS, len(s)), endpoint=False).astype(int))
    size = np.diff(np.append(starts, len(s)))
    place, hits = (np.add.reduceat(w, starts) / size for w in (s, label))
    found = _clipped(s, place, hits, size, _CLIPS, _CLIPS)
    if found is None:
        return None
    clips, where, lines, roots, likelihood = found
    if len(s) >= _MANY:  # so many tell where the corners are
        for step in _FINER:
            around = clips[:, np.argmax(likelihood), None] + step * np.arange(-_NEIGHBOURS, _NEIGHBOURS + 1)
            found = _clipped(s, place, hits, size, *(np.unique(np.clip(a, 0, _CLIPS[-1])) for a in around)) or found
            clips, where, lines, roots, likelihood = found
    belief = softmax(likelihood)
    chance = np.repeat(belief @ _chance(lines, where), size)
    bins = [*zip(np.array_split(label, _BINS), np.array_split(chance, _BINS), strict=True)]
    misfit = sum((o.sum() - e.sum()) ** 2 / max((e * (1 - e)).sum(), 1e-300) for o, e in bins)
    if chi2.sf(misfit, _BINS - 2) <= _MISFIT:
        return None
    of = rng.choice(len(belief), _DRAWS, p=belief)
    drawn = lines[of] + np.einsum("kij,kj->ki", roots[of], rng.normal(size=(_DRAWS, 2)))
    return starts, rng.gamma(size, size=(_DRAWS, len(size))), _chance(drawn, where[of])


def _clipped(
    s: Array, place: Array, hits: Array, size: Array, left: Any, right: Any
) -> tuple[Array, Array, Array, Array, Array] | None:
    """Lines clipped at quantiles of the sorted scores: the clips (2, k), where on its line each part is, (k, parts),
    and the fits. None where no two quantiles differ."""
    clips = np.stack([c.ravel() for c in np.meshgrid(left, right, indexing="ij")])
    low, high = np.quantile(s, clips[0]), np.quantile(s, 1 - clips[1])
    clips, low, high = clips[:, low < high], low[low < high, None], high[low < high, None]
    if not len(low):
        return None
    bounds = np.where(clips[0] > 0, 0, -_STEEPEST), np.where(clips[1] > 0, 1, _STEEPEST)
    where = np.clip((place - low) / (high - low), *(b[:, None] for b in bounds))
    return clips, where, *_fits(where, hits, size)


def _chance(lines: Array, place: Array) -> Array:
    return np.asarray(expit(lines[:, :1] + lines[:, 1:] * place))


def _fits(place: Array, hits: Array, size: Array) -> tuple[Array, Array, Array]:
    """Logistic regressions on one variable, (k, parts): lines (k, 2), roots of their covariance, log-likelihoods."""
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
    """A fitted score, and scores of outputs as they are of those it was not learnt from."""
    if isinstance(score, Coordinate | Function):  # nothing is learnt
        fitted = score.fit(x, y, rng)
        return fitted, (values_of(fitted, x), values_of(fitted, y))
    if getattr(score, "steady", False):
        held = _held_out(score, x, y, rng)
        return score.fit(x, y, rng), held
    i, j = len(x) // 2, len(y) // 2  # fitted anew, its scale would not be that of the scores held out
    fitted = score.fit(x[:i], y[:j], rng)
    return fitted, (values_of(fitted, x[i:]), values_of(fitted, y[j:]))


def _held_out(score: Score, x: Array, y: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Scores of outputs by a score that was not learnt from them."""
    folds = min(_FEWER if min(len(x), len(y)) >= _FEWER_FROM else _FOLDS, len(x), len(y))
    of_x, of_y = np.arange(len(x)) % folds, np.arange(len(y)) % folds
    u, v = np.empty(len(x)), np.empty(len(y))
    for k in range(folds):
        rest = [
            once(f"without {k}", (z,), partial(np.compress, of != k, z, axis=0)) for z, of in ((x, of_x), (y, of_y))
        ]
        fitted = score.fit(rest[0], rest[1], rng)
        u[of_x == k], v[of_y == k] = values_of(fitted, x[of_x == k]), values_of(fitted, y[of_y == k])
    return u, v
