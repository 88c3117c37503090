"""Matrices of the features of objects, for scores that learn from numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array
from krdtheory.audit.outputs.objects import Parts
from krdtheory.audit.outputs.samples import unwrapped
from krdtheory.audit.words import Counts

_COMMON = 32  # the most values of a category that have their own feature
_WORDS = 128  # the most words and characters of texts that seldom repeat
_COLUMNS = 5_000  # the most coordinates of sparse outputs that are used


class Encoder:
    """Matrices (n, k) of the features of outputs that differ in the learning data.

    All entries are finite: a value that is NaN, infinite or missing is 0, and a separate feature flags it.

    Parameters
    ----------
    learnt : array of Release
        From both distributions, in any order.

    Examples
    --------
    >>> from krdtheory.audit.outputs import Encoder, read
    >>> sample = read([{"a": 1.0, "b": "c"}, {"a": 2.0}, {"a": 3.0, "b": "d"}], "x").values
    >>> encoder = Encoder(sample)
    >>> encoder.names[:3]
    ['a', "keys of output = 'a, b'", "keys of output = 'a'"]
    >>> encoder(sample)[:, 0].tolist()
    [1.0, 2.0, 3.0]
    """

    def __init__(self, learnt: Array) -> None:
        parts = [release.parts for release in learnt]
        self.widths: dict[str, tuple[int, bool]] = {}  # the largest length, and whether lengths vary
        for name in _names(p.numbers for p in parts):
            sizes = {len(p.numbers[name]) for p in parts if name in p.numbers}
            self.widths[name] = max(sizes), len(sizes) > 1
        self.places: dict[str, Array] = {}
        for name in _names(p.sparse for p in parts):
            seen = Counter(i for p in parts if name in p.sparse for i in p.sparse[name].indices.tolist())
            self.places[name] = np.sort([i for i, _ in seen.most_common(_COLUMNS)]).astype(int)
        self.common: dict[str, list[str]] = {}
        self.texts: dict[str, Counts] = {}
        for name in _names(p.words for p in parts):
            values = Counter(p.words[name] for p in parts if name in p.words)
            if len(values) > 1 or values.total() < len(parts):
                again = [word for word, count in values.most_common(_COMMON) if count > 1 or len(values) <= _COMMON]
                self.common[name] = again
            texts = list(values.elements())
            if len(values) > max(_COMMON, len(texts) / 2):
                self.texts[name] = Counts(texts, _WORDS)
        features, names = self._all(parts)
        self.kept = np.flatnonzero((features != features[:1]).any(0)) if len(parts) else np.arange(0)
        self.names = [names[k] for k in self.kept] or ["nothing that differs"]

    def __call__(self, z: Array) -> Array:
        if not len(self.kept):
            return np.zeros((len(z), 1))
        return self._all([release.parts for release in z])[0][:, self.kept]

    def _all(self, parts: list[Parts]) -> tuple[Array, list[str]]:
        blocks: list[Array] = [np.zeros((len(parts), 0))]
        names: list[str] = []
        for name, (width, varies) in self.widths.items():
            values = _stacked([p.numbers.get(name) for p in parts], width)
            labels = [name] if width == 1 and not varies else [f"{name}[{j}]" for j in range(width)]
            if varies:
                of = [p.numbers.get(name, np.zeros(0)) for p in parts]
                summary = [[v.mean(), v.min(), v.max()] if len(v) else [np.nan] * 3 for v in of]
                values = np.concatenate([values, np.array(summary).reshape(len(parts), 3)], axis=1)
                labels += [f"{way} of {name}" for way in ("mean", "min", "max")]
            finite = np.where(np.isfinite(values), values, 0)
            blocks.append(finite)
            names += labels
            for label, flags in (("nan", np.isnan(values)), ("inf", values == np.inf), ("-inf", values == -np.inf)):
                blocks.append(flags)
                names += [f"{one} is {label}" for one in labels]
        for name, places in self.places.items():
            rows = [p.sparse.get(name) for p in parts]
            blocks.append(_looked_up(rows, places))
            names += [f"{name}[{j}]" for j in places]
        for name, words in self.common.items():
            said = np.array([p.words.get(name) for p in parts], dtype=object)
            blocks.append(said[:, None] == np.array(words, dtype=object))
            names += [f"{name} = {word!r}" for word in words]
        for name, counts in self.texts.items():
            blocks.append(counts([p.words.get(name, "") for p in parts]))
            names += [f"{label} in {name}" for label in counts.names()]
        return np.concatenate(blocks, axis=1, dtype=float), names


def _names(maps: Any) -> list[str]:
    return [*dict.fromkeys(name for feature in maps for name in feature)]


def _stacked(vectors: list[Array | None], width: int) -> Array:
    """Return vectors as rows (n, width), with NaN where there is no entry."""
    whole = [v for v in vectors if v is not None and len(v) == width]
    if len(whole) == len(vectors) > 0:
        return np.stack(whole)
    out = np.full((len(vectors), width), np.nan)
    for i, v in enumerate(vectors):
        if v is not None:
            out[i, : len(v)] = v[:width]
    return out


def _looked_up(rows: list[Any], places: Array) -> Array:
    """Return the entries of sparse rows at some places."""
    out = np.zeros((len(rows), len(places)))
    for i, row in enumerate(rows):
        if row is not None and row.nnz and len(places):
            at = np.minimum(np.searchsorted(places, row.indices), len(places) - 1)
            hit = places[at] == row.indices
            out[i, at[hit]] = row.data[hit]
    return out


@dataclass(frozen=True, eq=False)
class Encoded:
    """A learnt score of features."""

    encoder: Encoder
    fitted: Any

    def __call__(self, z: Array) -> Array:
        return np.asarray(self.fitted(self.encoder(z)))

    def tells(self, names: Sequence[str]) -> list[str]:
        """Describe the features on which the score depends."""
        out: list[str] = self.fitted.tells(self.encoder.names) if hasattr(self.fitted, "tells") else []
        return out


class OfFeatures:
    """A score of numbers, applied to the features of objects."""

    def __init__(self, score: Any) -> None:
        self.score = score
        self.steady, self.rounded = getattr(score, "steady", False), getattr(score, "rounded", False)

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Callable[[Array], Array]:
        encoder = Encoder(np.concatenate([x, y]))
        return Encoded(encoder, self.score.fit(encoder(x), encoder(y), rng))


class OfValues:
    """A score given by the user, applied to outputs as the mechanism released them."""

    def __init__(self, score: Any) -> None:
        self.score = score
        self.steady, self.rounded = getattr(score, "steady", False), getattr(score, "rounded", False)

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Callable[[Array], Array]:
        fitted = self.score.fit(unwrapped(x), unwrapped(y), rng)
        return lambda z: np.asarray(fitted(unwrapped(z)))
