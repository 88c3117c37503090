"""Numerical features of texts: counts of words and characters, and lengths."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array
from krdtheory.imports import extra

_WORD = re.compile(r"\w{2,}")


def _pieces(text: str) -> list[str]:
    """Return the words of two characters or more, and single characters."""
    return [f"the word {word!r}" for word in _WORD.findall(text)] + [repr(character) for character in text]


class Counts:
    """Counts in texts of the words and characters that are the most frequent in learning, and lengths of the texts.

    Parameters
    ----------
    learnt : sequence of str
        The texts from which the words are taken.
    most : int
        The number of words and characters.

    Examples
    --------
    >>> from krdtheory.audit.words import Counts
    >>> counts = Counts(["yes", "yes, no"], 9)
    >>> counts.names()
    ["' '", "','", "'e'", "'n'", "'o'", "'s'", "'y'", "the word 'no'", "the word 'yes'", 'length', 'number of words']
    >>> counts(["no no", ""]).tolist()
    [[1.0, 0.0, 0.0, 2.0, 2.0, 0.0, 0.0, 2.0, 0.0, 5.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]
    """

    def __init__(self, learnt: Sequence[str], most: int) -> None:
        with extra("audit"):
            from sklearn.feature_extraction.text import CountVectorizer

        self.vectorizer = CountVectorizer(analyzer=_pieces, max_features=most)
        self.vectorizer.fit(learnt if any(learnt) else [" "])
        self.kept = np.arange(len(self.vectorizer.vocabulary_))

    def keeping(self, which: Array) -> Counts:
        """Return the counts restricted to these words and characters, given by their indices."""
        out = copy(self)
        out.kept = self.kept[which]
        return out

    def held(self, z: Sequence[str]) -> Any:
        """Return the counts of all words (n, most), a sparse matrix."""
        return self.vectorizer.transform(z)

    def __call__(self, z: Sequence[str]) -> Array:
        held = self.held(z)[:, self.kept].toarray()
        return np.column_stack([held, [len(text) for text in z], [len(text.split()) for text in z]]).astype(float)

    def names(self) -> list[str]:
        """Return the names of the columns."""
        return [*map(str, self.vectorizer.get_feature_names_out()[self.kept]), "length", "number of words"]
