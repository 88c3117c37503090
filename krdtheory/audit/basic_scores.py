"""Scores that are cheap to learn, for audits of a stream, which learn them repeatedly.

Each has ``fit(x, y, rng)``, which returns a function of outputs that is large where x is more likely.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from scipy.special import softmax

from krdtheory.arithmetic.base import Array
from krdtheory.audit.outputs import Release, keys
from krdtheory.audit.outputs.values import exact_text, shortest
from krdtheory.audit.words import Counts
from krdtheory.imports import extra

_WORDS = 2_000  # the most frequent words and characters of texts that are counted
_TELLING = 100  # of them that differ most between the learning samples are kept
_PIECE = 20_000  # texts that are counted at a time
_GRID = 12  # the numbers of shares and of spreads that are averaged over
_HEAVIEST = 5  # the number of weights or splits that are shown
_DEGENERATE = 1e-4  # standardised variance below which values are constant up to rounding
_TINY = 1e-9  # added to variances, which may be 0
_ENOUGH = 4_000  # outputs, of which the quantiles of a feature are learnt
_TAIL = np.arange(1, 8) / 256
_CUTS = np.unique(np.concatenate([np.arange(1, 128) / 128, _TAIL, 1 - _TAIL]))  # quantiles at which trees may split
_LONGEST = 60  # the most characters that are shown of an output
_WIDE = 6.0  # median absolute deviations, which are 4 standard deviations of a normal distribution
_KEPT: ContextVar[dict[Any, Any] | None] = ContextVar("kept", default=None)
_Made = TypeVar("_Made")


@contextmanager
def sharing() -> Iterator[None]:
    """Return a context in which `once` shares intermediate results between scores learnt from the same samples."""
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


def once(name: str, arrays: tuple[Array, ...], make: Callable[[], _Made]) -> _Made:
    """Return the value of a function of arrays, computed once within `sharing`."""
    kept = _KEPT.get()
    if kept is None:
        return make()
    key = name, *map(id, arrays)
    if key not in kept:
        kept[key] = make(), arrays  # the arrays are kept, so that no other array gets their id
    made: _Made = kept[key][0]
    return made


@dataclass(frozen=True, eq=False)
class Weighted:
    """A learnt linear score."""

    features: _Clean
    centre: Array
    direction: Array
    scale: Array

    def __call__(self, z: Array) -> Array:
        return (self.features(z) - self.centre) @ self.direction

    def tells(self, names: Sequence[str]) -> list[str]:
        """Describe the five largest weights of the standardised features."""
        weights = self.direction * self.scale
        heaviest = np.argsort(-np.abs(weights), kind="stable")[:_HEAVIEST]
        all_names, total = self.features.names(names), float(np.abs(weights).sum()) or 1.0
        return [f"{all_names[k]} (weight {weights[k] / total:+.2f})" for k in heaviest if weights[k]]


@dataclass(frozen=True, eq=False)
class Splits:
    """A learnt tree, on the number of cuts of each column that are below a value."""

    features: _Clean
    cuts: Array
    model: Any

    def __call__(self, z: Array) -> Array:
        below = _below(self.features(z), self.cuts, self.used)
        return np.asarray(self.model.predict_proba(below, check_input=False)[:, 1])

    @cached_property
    def used(self) -> Array:
        """The columns that it splits."""
        return np.unique(self.model.tree_.feature[self.model.tree_.feature >= 0])

    def tells(self, names: Sequence[str]) -> list[str]:
        """Describe the splits of the tree, from the root down."""
        tree, all_names = self.model.tree_, self.features.names(names)
        nodes, out = [0], []
        while nodes:
            node = nodes.pop(0)
            if tree.children_left[node] != tree.children_right[node]:
                feature = int(tree.feature[node])
                at = self.features.in_units(feature, float(self.cuts[feature, int(tree.threshold[node])]))
                column, _, flag = all_names[feature].rpartition(" is ")
                is_flag = feature >= len(self.features.low)
                out.append(f"{column} is not {flag}" if is_flag else f"{all_names[feature]} <= {exact_text(at)}")
                nodes += [tree.children_left[node], tree.children_right[node]]
        return out[:_HEAVIEST]


class Linear:
    """The linear discriminant of two normal distributions with a common, shrunk covariance (Ledoit and Wolf 2004)."""

    steady = True  # a little more data changes its values little
    rounded = True  # its values have rounding errors

    def gap(self, u: Array, v: Array) -> Array:
        """Return the estimated difference between the means of two samples."""
        return np.asarray(u.mean(0) - v.mean(0))

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Callable[[Array], Array]:
        features, u, v = _cleaned(x, y)
        within = once("within", (u, v), lambda: _Within(u, v))
        gap = self.gap(u, v)
        direction = within.whitened(gap)
        if within.constant and (distance := float(gap @ direction)) > 0:
            direction = direction / distance
        return Weighted(features, within.centre, direction, within.scale)


class _Within:
    """The means, the scale and the shrunk covariance matrix of two samples about their own means."""

    def __init__(self, u: Array, v: Array) -> None:
        (n, d), means = (len(u) + len(v), u.shape[1]), (u.mean(0), v.mean(0))
        apart = np.empty((n, d))
        np.subtract(u, means[0], out=apart[: len(u)])
        np.subtract(v, means[1], out=apart[len(u) :])
        square = np.einsum("ij,ij->j", apart, apart) / n
        scale = np.sqrt(square + len(u) * len(v) / n**2 * (means[0] - means[1]) ** 2)  # of both samples
        self.centre, self.scale = (means[0] + means[1]) / 2, np.where(scale > 0, scale, 1)
        self.constant = bool((square / self.scale**2).mean() < _DEGENERATE)  # up to rounding
        apart /= self.scale
        gram = apart.T @ apart if d <= n else apart @ apart.T  # the smaller one determines the result
        size = np.einsum("ij,ij->i", apart, apart)
        total, variance = (gram**2).sum() / n**2, size.sum() / (n * d)
        noise, spread = ((size**2).sum() / n - total) / n, total - d * variance**2
        share = min(noise / spread, 1.0) if spread > 0 else 0.0
        self.weight, self.ridge = (1 - share) / n, share * variance + _TINY
        self.covariance = self.weight * gram
        self.covariance.flat[:: len(gram) + 1] += self.ridge
        self.apart = apart if d > n else None

    def whitened(self, gap: Array) -> Array:
        """Return the inverse of the shrunk covariance matrix times a vector (d,)."""
        scaled = gap / self.scale
        if self.apart is None:
            return np.asarray(np.linalg.solve(self.covariance, scaled) / self.scale)
        inner = np.linalg.solve(self.covariance, self.weight * (self.apart @ scaled))
        return np.asarray((scaled - self.apart.T @ inner) / self.ridge / self.scale)


class Sparse(Linear):
    """`Linear` with the difference of the means shrunk, as it may be in a few of the coordinates, in many or in all.

    A standardised difference is 0 with probability 1 - w and otherwise normal with variance t. Both parameters are
    averaged over, weighted by their likelihood for all coordinates (Johnstone and Silverman 2004, with normal
    distributions).
    """

    def gap(self, u: Array, v: Array) -> Array:
        gap = super().gap(u, v)
        error = np.sqrt(u.var(0) / len(u) + v.var(0) / len(v))
        sure = (error == 0) & (gap != 0)
        square = (gap / np.where(error > 0, error, 1)) ** 2
        share = np.geomspace(1 / len(gap), 1, _GRID)[:, None, None]
        spread = np.geomspace(0.1, max(float(square.max()), 0.2), _GRID)[:, None]
        odds = square * spread / (1 + spread) / 2 - np.log1p(spread) / 2  # log-likelihood ratio against no difference
        with np.errstate(divide="ignore"):
            present, absent = np.log(share) + odds, np.log1p(-share)
        explained = np.logaddexp(present, absent)
        belief = softmax(explained.sum(-1))[..., None]
        shrunk = (belief * np.exp(present - explained) * spread / (1 + spread)).sum((0, 1))
        return np.asarray(gap * np.where(sure, 1, shrunk))


class Spread(Linear):
    """`Linear` in squared deviations of coordinates and the extreme deviations, for noise whose scale differs."""

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Callable[[Array], Array]:
        features, u, v = _cleaned(x, y)
        shape = _Deviations(features, u, v)
        return _Composed(shape, super().fit(shape.of(u), shape.of(v), rng))


class _Deviations:
    """The squared deviations of coordinates from their medians, in standard deviations, and the extreme deviations."""

    def __init__(self, features: _Clean, u: Array, v: Array) -> None:
        self.features, self.middle = features, features.middle
        apart = (z - self.middle for z in (u, v))
        size = np.sqrt(sum(np.einsum("ij,ij->j", z, z) for z in apart) / (len(u) + len(v)))
        self.size = np.where(size > 0, size, 1)

    def of(self, known: Array) -> Array:
        """Return the deviations of features."""
        n, d = known.shape
        out = np.empty((n, d + 2))
        deviations = np.subtract(known, self.middle, out=out[:, :d])
        deviations /= self.size
        out[:, d], out[:, d + 1] = deviations.max(axis=1), deviations.min(axis=1)
        deviations *= deviations
        return out

    def __call__(self, x: Array) -> Array:
        return self.of(self.features(x))

    def names(self, names: Sequence[str]) -> list[str]:
        """Return the names of the features, given those of the columns."""
        return [f"spread of {name}" for name in self.features.names(names)] + ["the largest", "the smallest"]


@dataclass(frozen=True, eq=False)
class _Composed:
    """A score of features."""

    features: _Deviations
    score: Any

    def __call__(self, z: Array) -> Array:
        return np.asarray(self.score(self.features(z)))

    def tells(self, names: Sequence[str]) -> list[str]:
        """Describe the features that distinguish the distributions."""
        return list(self.score.tells(self.features.names(names)))


class Repeats:
    """The frequencies of repeated values of single coordinates, for rare values that are released without noise."""

    steady = True  # a little more data rarely changes the sign of a value

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Callable[[Array], Array]:
        known = np.sort(np.ascontiguousarray(np.concatenate([x, y]).T), axis=1)
        again = (known[:, 1:] == known[:, :-1]).any(1) | np.isnan(known[:, -2])  # NaN are sorted last
        none = np.empty(0), np.empty(0)
        return _Values([_repeated(x[:, k], y[:, k]) if some else none for k, some in enumerate(again)])


def _repeated(x: Array, y: Array) -> tuple[Array, Array]:
    """Return the repeated values of two samples, sorted, and the logarithms of the ratios of their counts."""
    known, where = np.unique(np.concatenate([x, y]), return_inverse=True)
    first, second = (np.bincount(w, minlength=len(known)) for w in (where[: len(x)], where[len(x) :]))
    again = first + second > 1
    return known[again], np.log((first + 0.5) / (second + 0.5))[again]


@dataclass(frozen=True, eq=False)
class _Values:
    """A sum of scores of single values: for each coordinate the known values and their scores."""

    columns: Sequence[tuple[Array, Array]]

    def __call__(self, z: Array) -> Array:
        out = np.zeros(len(z))
        for column, (known, counts) in zip(z.T, self.columns, strict=True):
            if len(known):
                at = np.minimum(np.searchsorted(known, column), len(known) - 1)
                out += np.where(known[at] == column, counts[at], 0.0)
        return out

    def tells(self, names: Sequence[str]) -> list[str]:
        """Describe the five values with the largest scores."""
        every = [
            (abs(count), f"{name} = {exact_text(value)} (weight {count:+.2f})")
            for name, (known, counts) in zip(names, self.columns, strict=True)
            for value, count in zip(known.tolist(), counts.tolist(), strict=True)
        ]
        return [text for _, text in sorted(every, key=lambda one: -one[0])[:_HEAVIEST]]


class Tree:
    """A small decision tree on the coordinates, split at quantiles only, which is faster and finds as much."""

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Callable[[Array], Array]:
        with extra("audit"):
            from sklearn.tree import DecisionTreeClassifier

        features, u, v = _cleaned(x, y)
        cuts = _sorted_sample([u, v])
        cuts = cuts[:, np.ceil(_CUTS * cuts.shape[1]).astype(int) - 1]
        model = DecisionTreeClassifier(
            max_leaf_nodes=8, min_samples_leaf=max(3, len(x) // 50), random_state=int(rng.integers(2**31))
        )
        below = _below(np.concatenate([u, v]), cuts, range(len(cuts)))
        model.fit(below, np.repeat([1.0, 0.0], [len(x), len(y)]), check_input=False)
        for column, threshold in zip(model.tree_.feature, model.tree_.threshold, strict=True):
            if 0 <= column < len(features.low):
                cut = cuts[column, int(threshold)]
                above = min(z[:, column].min(where=z[:, column] > cut, initial=np.inf) for z in (u, v))
                cuts[column, cuts[column] == cut] = features.shortest(column, cut, above)
        return Splits(features, cuts, model)


def _below(z: Array, cuts: Array, columns: Iterable[int]) -> Array:
    """Return how many of a column's sorted cuts are below each value, as float32 as trees require; 0 in columns other
    than the given ones."""
    out = np.zeros((z.shape[1], len(z)), dtype=np.float32)
    for k in columns:
        out[k] = np.searchsorted(cuts[k], z[:, k])
    return out.T


class Atoms:
    """The frequency of exactly this output, for categories, structured outputs and repeated values."""

    steady = True

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Callable[[Array], Array]:
        if x.ndim == 2 and len(np.unique(np.concatenate([x[:, 0], y[:, 0]]))) == len(x) + len(y):
            return _Alone(np.concatenate([x, y]), len(x))
        known, where = np.unique(np.concatenate([keys(x), keys(y)]), return_inverse=True)
        first, second = (np.bincount(w, minlength=len(known)) for w in (where[: len(x)], where[len(x) :]))
        ratio = np.log((first + 0.5) / (second + 0.5))

        def score(z: Array) -> Array:
            seen = keys(z)
            at = np.minimum(np.searchsorted(known, seen), len(known) - 1)
            return np.where(known[at] == seen, ratio[at], 0.0)

        return score


class _Alone:
    """The frequencies of outputs that occur once each, as the values of their first column are all different."""

    def __init__(self, known: Array, n: int) -> None:
        order = np.argsort(known[:, 0])
        self.known, self.first = known[order], known[order, 0]
        self.ratio = np.where(order < n, math.log(3), -math.log(3))

    def __call__(self, z: Array) -> Array:
        at = np.minimum(np.searchsorted(self.first, z[:, 0]), len(self.first) - 1)
        same = np.flatnonzero(self.first[at] == z[:, 0])
        same = same[keys(z[same]) == keys(self.known[at[same]])]
        out = np.zeros(len(z))
        out[same] = self.ratio[at[same]]
        return out


@dataclass(frozen=True, eq=False)
class _Told:
    """A linear score of words."""

    counts: Counts
    score: Any

    def __call__(self, z: Array) -> Array:
        pieces = np.array_split(z, max(1, len(z) // _PIECE))  # as the counts of many texts take much memory
        return np.concatenate([self.score(self.counts(piece.tolist())) for piece in pieces])

    def tells(self, names: Sequence[str]) -> list[str]:
        """Describe the words with the largest weights."""
        return list(self.score.tells(self.counts.names()))


class Words:
    """`Sparse` on the counts of the most frequent words and characters in texts, and on their lengths.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.basic_scores import Words
    >>> x = np.array([f"yes, said number {k}" for k in range(20)], dtype=object)
    >>> y = np.array([f"no, said number {k}" for k in range(20)], dtype=object)
    >>> score = Words().fit(x, y, np.random.default_rng(0))
    >>> bool(score(np.array(["yes, said another"]))[0] > score(np.array(["no, said another"]))[0])
    True
    """

    steady = True  # a little more data changes its values little
    rounded = True  # its values have rounding errors

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Callable[[Array], Array]:
        texts = x.tolist(), y.tolist()
        counts = Counts([*texts[0], *texts[1]], _WORDS)
        p, q = (np.asarray((counts.held(part) > 0).mean(axis=0)).ravel() for part in texts)
        pooled = (len(x) * p + len(y) * q) / (len(x) + len(y))
        error = np.sqrt(np.maximum(pooled * (1 - pooled), 1 / (len(x) + len(y))))
        counts = counts.keeping(np.sort(np.argsort(-np.abs(p - q) / error, kind="stable")[:_TELLING]))
        return _Told(counts, Sparse().fit(counts(texts[0]), counts(texts[1]), rng))


class LowBits:
    """A small tree on the positions of the highest and the lowest bit that is set in each float64.

    The low bits of an output with floating-point noise depend on the input (Mironov 2012), so this score exposes every
    textbook sampler, including those of `krdtheory.privacy.mechanisms`. It is tried only on request.
    """

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Callable[[Array], Array]:
        tree = Tree().fit(_bits(x), _bits(y), rng)
        return lambda z: tree(_bits(z))


def _bits(x: Array) -> Array:
    finite = np.where(np.isfinite(x), x, 0)
    mantissa, exponent = np.frexp(finite)
    whole = np.abs(mantissa * 2.0**53).astype(np.int64)
    trailing = np.log2(np.maximum(whole & -whole, 1))
    return np.concatenate([exponent, trailing, exponent + trailing, finite], axis=1)


class _Clean:
    """Features of outputs: values scaled to 1 and clipped to about the learnt range, 0 for NaN, and flags for NaN and
    infinities."""

    def __init__(self, *learnt: Array) -> None:
        known, flags = [_finite(z) for z in learnt], []
        self.flagged: list[Array] = []
        if any(a is not b for a, b in zip(known, learnt, strict=True)):
            flags = [np.concatenate(pair) for pair in zip(*map(_flags, learnt), strict=True)]
            self.flagged = [np.flatnonzero(_varies(flag)) for flag in flags]
        power = np.frexp(np.max([np.maximum(-z.min(0), z.max(0)) for z in known], axis=0))[1]
        # powers of two are exact, and neither of two factors of half the exponent overflows
        self.units = 0.5 ** (power // 2), 0.5 ** (power - power // 2)
        some = _sorted_sample(known) * self.units[0][:, None] * self.units[1][:, None]
        middle, low, high = (_quantile(some, q) for q in (0.5, 0.01, 0.99))
        width = _WIDE * _median_deviation(some, middle)  # so that normal distributions are hardly clipped
        self.low, self.high = np.minimum(low, middle - width), np.maximum(high, middle + width)
        halves = [np.median(flag[:, k], axis=0) for flag, k in zip(flags, self.flagged, strict=True)]
        self.middle = np.concatenate([middle, *halves])  # of the features

    def names(self, names: Sequence[str]) -> list[str]:
        """Return the names of the features, given those of the columns."""
        flags = zip(("nan", "inf", "-inf"), self.flagged, strict=False)
        return [*names, *(f"{names[int(k)]} is {flag}" for flag, columns in flags for k in columns)]

    def in_units(self, feature: int, value: float) -> float:
        """Convert a value of a feature to the units of its column."""
        if feature >= len(self.low):
            return value
        units = self.units[0][feature], self.units[1][feature]
        return value / units[0] / units[1]

    def shortest(self, feature: int, low: float, high: float) -> float:
        """Return a value from low up to, but not including, high that has few digits in the units of its column."""
        value = shortest(self.in_units(feature, low), self.in_units(feature, high))
        value = float(value * self.units[0][feature] * self.units[1][feature])
        return value if low <= value < high else low  # subnormal numbers are rounded

    def __call__(self, x: Array) -> Array:
        return once("cleaned", (self.low, x), lambda: self._cleaned(x))

    def _cleaned(self, x: Array) -> Array:
        with np.errstate(over="ignore"):
            cut = x * self.units[0]
            cut *= self.units[1]
        cut[np.isnan(cut)] = 0
        np.clip(cut, self.low, self.high, out=cut)
        if not self.flagged:
            return np.asarray(cut)
        flags = [flags[:, columns] for flags, columns in zip(_flags(x), self.flagged, strict=True)]
        return np.concatenate([cut, *flags], axis=1)


def _sorted_sample(parts: Sequence[Array]) -> Array:
    """Return the sorted values of each column, (d, n), of at most about `_ENOUGH` rows."""
    step = -(-sum(map(len, parts)) // _ENOUGH)
    return np.sort(np.ascontiguousarray(np.concatenate([z[::step] for z in parts]).T), axis=1)


def _quantile(known: Array, level: float) -> Array:
    """Return the quantile of each sorted row, interpolated."""
    at = level * (known.shape[1] - 1)
    below = known[:, int(at)]
    return np.asarray(below + (known[:, math.ceil(at)] - below) * (at - int(at)))


def _median_deviation(known: Array, middle: Array) -> Array:
    """Return the median of the distances of each sorted row from its middle: the k values that are the nearest to it
    are next to each other.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.basic_scores import _median_deviation
    >>> print(_median_deviation(np.array([[0.0, 1, 2, 4, 9]]), np.array([2.0])))
    [2.]
    """
    n = known.shape[1]
    below, above = middle[:, None] - known, known - middle[:, None]
    radius = [np.maximum(below[:, : n - k], above[:, k:]).min(1) for k in {(n - 1) // 2, n // 2}]
    return np.asarray(np.mean(radius, axis=0))


def _clean(x: Array, y: Array) -> _Clean:
    return once("features", (x, y), lambda: _Clean(x, y))


def _cleaned(x: Array, y: Array) -> tuple[_Clean, Array, Array]:
    """Return the features that are learnt from two samples, and those of each."""
    features = _clean(x, y)
    return features, features(x), features(y)


def _finite(x: Array) -> Array:
    """Return the array with 0 in place of NaN and infinities."""
    finite = np.isfinite(x)
    return x if finite.all() else np.where(finite, x, 0)


def _flags(x: Array) -> tuple[Array, Array, Array]:
    """Return masks of the entries that are NaN, inf and -inf."""
    return np.isnan(x), x == np.inf, x == -np.inf


def _varies(values: Array) -> Array:
    """Return which columns are not constant."""
    return np.asarray((values != values[:1]).any(0))


def most_common(x: Array, count: int = 3) -> list[str]:
    """Return the most common outputs, as text.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.basic_scores import most_common
    >>> most_common(np.array([[1.0, 2.0], [0.5, 0.0], [1.0, 2.0]]))
    ['(1, 2)', '(0.5, 0)']
    """
    _, first, counts = np.unique(keys(x), return_index=True, return_counts=True)
    common = x[first[np.argsort(-counts, kind="stable")[:count]]]
    if x.ndim == 1:
        texts = [value.shown() if isinstance(value, Release) else repr(value) for value in common.tolist()]
    else:
        texts = [", ".join(exact_text(value) for value in row) for row in common]
        texts = texts if x.shape[1] == 1 else [f"({text})" for text in texts]
    return [text if len(text) <= _LONGEST else text[:_LONGEST] + "..." for text in texts]
