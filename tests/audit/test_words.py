"""Texts that are never repeated are distinguished by their words, their characters and their lengths."""

from functools import partial

import numpy as np
import pytest
from scipy.stats import binom

from krdtheory.audit import SequentialAudit, audit, basic_scores
from krdtheory.audit.basic_scores import Words
from krdtheory.audit.scores import make_scores
from krdtheory.audit.words import Counts
from krdtheory.privacy.notions import PureDP

CLAIM = PureDP(epsilon=1)
N = 600


def plain(rng, secret):
    """Return a line of a log that is never repeated and has no information about the input."""
    return f"record {rng.integers(10**9)}: the {rng.choice(['alpha', 'beta', 'gamma'])} of {rng.integers(10**6)}"


def word(rng, secret):
    return plain(rng, secret) + (" failed" if rng.random() < (0.5 if secret else 0.05) else " is done")


def character(rng, secret):
    digits = rng.integers(10, size=12).astype(str)
    return "".join(digits) + ("!" if secret and rng.random() < 0.5 else ".")


def longer(rng, secret):
    return "".join(rng.choice([*"abcdefgh"], size=20 + 3 * secret))


def lines(law, secret, rng, n=N):
    return [law(rng, secret) for _ in range(n)]


@pytest.mark.slow
@pytest.mark.parametrize("law", [word, character, longer])
@pytest.mark.parametrize("wrapped", [str, lambda text: {"line": text, "code": 0}], ids=["texts", "objects"])
def test_a_leak_in_the_text_is_found(law, wrapped):
    rng = np.random.default_rng(0)
    x, y = ([wrapped(text) for text in lines(law, secret, rng)] for secret in (1, 0))
    result = audit(x, y, CLAIM, rng=0)
    assert result.rejected
    assert result.witness["tells"]


@pytest.mark.slow
def test_a_leak_in_the_text_is_found_in_a_stream():
    rng = np.random.default_rng(0)
    assert SequentialAudit(CLAIM).update(*(lines(word, secret, rng) for secret in (1, 0))).rejected


@pytest.mark.slow
def test_texts_of_one_distribution_are_not_rejected():
    """At 5% each, more than 5 rejections in 20 audits have probability 3e-4."""
    assert binom.sf(5, 20, 0.05) < 4e-4
    rng, draw = np.random.default_rng(0), partial(lines, word, 1, n=200)
    assert sum(audit(draw(rng), draw(rng), PureDP(epsilon=0.01), rng=0).rejected for _ in range(20)) <= 5


def test_texts_that_repeat_are_categories():
    few, many = np.array(["yes", "no"] * 10, dtype=object), np.array([f"line {k}" for k in range(20)], dtype=object)
    assert [*make_scores("auto", few, few)] == ["atoms"]
    assert [*make_scores("auto", many[:10], many[10:])] == ["atoms", "words"]
    with pytest.raises(ValueError, match="scores must be another score, for outputs that are numbers"):
        make_scores("words", np.zeros((3, 2)), np.zeros((3, 2)))


def test_counts_of_pieces_add_up_to_those_of_the_whole(monkeypatch):
    rng = np.random.default_rng(0)
    x, y = (np.array(lines(word, secret, rng, n=50), dtype=object) for secret in (1, 0))
    score = Words().fit(x, y, rng)
    whole = score(x)
    monkeypatch.setattr(basic_scores, "_PIECE", 7)
    assert np.allclose(score(x), whole, rtol=1e-12)
    assert len(set(whole.round(9))) > 2
    counts = Counts(["yes", "no"], 9)
    assert counts.keeping(np.array([0, 2])).names() == [*np.array(counts.names())[[0, 2]], "length", "number of words"]
    assert len(counts.names()) == 9


def test_texts_without_any_character():
    assert not audit([""] * 50, [""] * 50, CLAIM, scores="words", rng=0).rejected
