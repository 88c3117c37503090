"""Canaries in pieces, many runs with the same canaries, and data for the wrong kind of audit.

Levels are measured by 200 audits at 5%; with a true level of 5%, more than `MOST` rejections have probability 1e-4.
"""

import re

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom

from krdtheory.audit import OneRunStream, audit, audit_canaries
from krdtheory.privacy import notions as n

RUNS = 200
MOST = int(binom.isf(1e-5, RUNS, 0.05))
PLANE = n.ApproximateDP(epsilon=1, delta=1e-5)


def response(rng, m, epsilon):
    included = rng.random(m) < 0.5
    told = np.where(rng.random(m) < expit(epsilon), included, ~included)
    return (told - 0.5) * rng.exponential(size=m), included


@pytest.mark.slow
def test_a_stream_may_be_monitored_continuously():
    rng = np.random.default_rng(0)
    wrong = 0
    for k in range(60):
        stream = OneRunStream(PLANE, rng=k)
        for _ in range(6):
            stream = stream.update(*response(rng, 40, 1.0))
            if stream.rejected:
                break
        wrong += stream.rejected
    assert wrong <= int(binom.isf(1e-5, 60, 0.05))


@pytest.mark.slow
def test_a_stream_keeps_what_it_has_found():
    rng = np.random.default_rng(1)
    stream = OneRunStream(n.ApproximateDP(epsilon=0.5, delta=1e-6))
    assert (stream.rejected, stream.p_value, stream.epsilon_lower, stream.canaries) == (False, 1, 0, 0)
    last = 1.0
    for _ in range(8):
        stream = stream.update(*response(rng, 200, 2.0))
        assert stream.p_value <= last + 1e-4  # except for the cost of delta with more canaries
        last = stream.p_value
    assert stream.rejected
    assert 1 < stream.epsilon_lower < 2
    assert (stream.canaries, stream.pieces) == (1600, 8)
    after = stream.update(rng.normal(size=200), rng.random(200) < 0.5)
    assert after.rejected
    assert after.epsilon_lower == pytest.approx(stream.epsilon_lower, abs=0.05)


def test_pieces_pay_for_delta_once_each():
    rng = np.random.default_rng(2)
    stream = OneRunStream(n.ApproximateDP(epsilon=0.1, delta=1e-2))
    for _ in range(3):
        included = rng.random(300) < 0.5
        stream = stream.update(included * 1.0, included)
    assert not stream.rejected  # 9 canaries may be revealed, with probability .05 all of them
    assert stream.epsilon_lower == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"notion": n.GaussianDP(mu=1)}, "notion must be PureDP or ApproximateDP"),
        ({"confidence": 1}, r"confidence must be in \(0, 1\)"),
        ({"inclusion": 0}, r"inclusion must be in \(0, 1\)"),
    ],
)
def test_bad_streams(options, words):
    with pytest.raises(ValueError, match=words):
        OneRunStream(**({"notion": PLANE} | options))


def runs_of(rng, runs, m, leak):
    included = rng.random((runs, m)) < 0.5
    return rng.laplace(size=(runs, m)) + leak * included, included


@pytest.mark.slow
def test_the_worst_canary_is_found_with_a_correction():
    rng = np.random.default_rng(3)
    leak = np.where(np.arange(50) == 31, 4.0, 0.2)
    result = audit_canaries(*runs_of(rng, 600, 50, leak), n.PureDP(epsilon=1), rng=0)
    assert result.rejected
    assert result.witness["canary"] == 31
    assert 1 < result.epsilon_lower < 4
    assert "the worst of 50 canaries" in result.summary()
    quiet = [audit_canaries(*runs_of(rng, 80, 30, 0.5), n.PureDP(epsilon=0.5), rng=k).rejected for k in range(40)]
    assert sum(quiet) <= int(binom.isf(1e-5, 40, 0.05))


@pytest.mark.slow
def test_choosing_the_worst_without_a_correction_breaks_the_level():
    """If each canary is audited separately and only the worst is considered, the level is exceeded."""
    rng = np.random.default_rng(4)
    scores, included = runs_of(rng, 100, 50, 0.0)
    claim = n.PureDP(epsilon=0.01)
    each = [audit(x[was], x[~was], claim, rng=0).p_value for x, was in zip(scores.T, included.T, strict=True)]
    paid = audit_canaries(scores, included, claim, rng=0)
    assert min(each) < 0.05 < paid.p_value


@pytest.mark.parametrize(
    ("scores", "included", "options", "words"),
    [
        (np.zeros(10), np.zeros(10, dtype=bool), {}, r"shape \(runs, m\); of one run, audit_one_run"),
        (np.zeros((10, 2)), np.zeros((10, 3), dtype=bool), {}, r"both of shape \(runs, m\)"),
        (np.zeros((10, 2)), np.full((10, 2), 2), {}, "True or False"),
        (np.full((40, 2), np.nan), np.zeros((40, 2), dtype=bool), {}, "none of them NaN"),
        (np.zeros((40, 2)), np.zeros((40, 2), dtype=bool), {}, "the number of runs must be"),
        (np.zeros((40, 2)), np.zeros((40, 2), dtype=bool), {"choose_from": 1}, r"choose_from must be in \(0, 1\)"),
    ],
)
def test_bad_runs(scores, included, options, words):
    with pytest.raises(ValueError, match=words):
        audit_canaries(scores, included, PLANE, **options)


@pytest.mark.parametrize("turned", [False, True])
def test_scores_and_inclusions_are_not_two_samples(turned):
    rng = np.random.default_rng(5)
    pair = [rng.normal(size=100), rng.random(100) < 0.5]
    with pytest.raises(ValueError, match=re.escape("are for krdtheory.audit.audit_one_run")):
        audit(*(pair[::-1] if turned else pair), PLANE)
    assert not audit(pair[1], rng.random(100) < 0.5, PLANE, rng=0).rejected  # booleans may be outputs too
