"""Detectable dependence causes a warning that names it; independent outputs of any distribution do not."""

import warnings

import numpy as np
import pytest
from scipy.stats import poisson

from krdtheory.audit import DependentReleases, SequentialAudit, audit, audit_mechanism
from krdtheory.audit.independence import suspicions
from krdtheory.audit.outputs import read_two
from krdtheory.privacy.notions import PureDP

CLAIM = PureDP(epsilon=1)
N = 400


def found(x, y):
    u, v = read_two(x, y)
    return list(suspicions(u.values, v.values, u.names))


def chain(rng, draw, n=N):
    """Return a chain that repeats its value with probability 0.9."""
    out = [draw()]
    while len(out) < n:
        out.append(out[-1] if rng.random() < 0.9 else draw())
    return np.array(out)


def autoregressive(rng):
    out = [0.0]
    while len(out) < N:
        out.append(0.6 * out[-1] + rng.normal())
    return np.array(out)


DEPENDENT = {
    "repeated": (
        lambda r: np.repeat(r.laplace(size=N // 10), 10),
        "x comes a multiple of 10 times",
    ),
    "tiled": (
        lambda r: np.tile(r.laplace(size=N // 10), 10),
        "x come again 40 later, as in a batch",
    ),
    "integers repeated": (lambda r: np.tile(r.geometric(0.05, N // 2), 2), "comes a multiple of 2 times"),
    "most come twice": (lambda r: np.append(np.tile(r.laplace(size=N // 3), 2), r.laplace(size=9)), "exactly 2 times"),
    "a batch twice": (lambda r: r.laplace(size=N)[np.r_[0:350, 0:50]], "come again 350 later"),
    "sticky": (lambda r: chain(r, r.laplace), "come again 1 later"),
    "sticky answers": (lambda r: chain(r, lambda: r.integers(2)), "goes with that of 1 before"),
    "sticky words": (lambda r: chain(r, lambda: str(r.integers(3))), "text in x goes with that of 1 before"),
    "autoregressive": (autoregressive, "column 0 in x goes with that of 1 before .rank correlation 0"),
    "row numbers": (lambda r: np.column_stack([np.arange(N), r.normal(size=N)]), "column 0 in x counts the outputs"),
    "shuffled numbers": (
        lambda r: r.permutation(N) + 7,
        "each of 400 numbers in a row comes once",
    ),
    "sorted": (lambda r: np.sort(r.normal(size=N)), "column 0 in x is sorted"),
    "objects": (lambda r: [{"id": k, "v": v} for k, v in enumerate(r.normal(size=N))], "id in x counts the outputs"),
}


def like(x, rng):
    """Return independent outputs of the same kind."""
    if isinstance(x, list):
        return [{"id": int(rng.integers(9**9)), "v": v} for v in rng.normal(size=N)]
    return np.array([*map(str, rng.integers(3, size=N))]) if x.dtype.kind == "U" else rng.normal(size=x.shape)


@pytest.mark.slow
@pytest.mark.parametrize("kind", DEPENDENT)
def test_dependence_is_detected_and_named(kind):
    draw, words = DEPENDENT[kind]
    rng = np.random.default_rng(1)
    x = draw(rng)
    y = like(x, rng)
    with pytest.warns(DependentReleases, match=words):
        result = audit(x, y, CLAIM, rng=0)
    assert any(text in result.to_json() for text in result.warnings)
    assert "Warning: " in result.summary()
    assert "<strong>Warning:</strong>" in result.to_html()
    assert not [text for text in result.warnings if " in y" in text]
    n = min(len(x), len(y))
    with pytest.warns(DependentReleases):
        assert SequentialAudit(PureDP(epsilon=20)).update(x[:n], y[:n]).result().warnings  # does not stop early


def test_the_same_batch_repeatedly():
    """The stream is rejected after 76 pairs, of which the last twelve are repeated."""
    rng = np.random.default_rng(0)
    batch, stream = rng.laplace(size=(2, 64)), SequentialAudit(PureDP(epsilon=0.1))
    with pytest.warns(DependentReleases, match="12 outputs in x come again 64 later"):
        while not stream.rejected:
            stream.update(*batch.copy())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert stream.result().warnings  # reported once


def test_the_same_noise_for_both():
    noise = np.random.default_rng(0).laplace(size=N)
    with pytest.warns(DependentReleases, match="x and y go together .*, as with the same noise for both"):
        audit(noise, noise + 1, CLAIM, rng=0)

    def seeded(data, size):
        return data + np.random.default_rng(size).laplace(size=size)

    with pytest.warns(DependentReleases, match="x and y go together"):
        audit_mechanism(seeded, 0, 0.1, CLAIM, max_samples=200)


def test_one_array_that_is_filled_repeatedly():
    """In a list of references to one array, all outputs equal the last one."""
    rng, buffer = np.random.default_rng(0), np.zeros(2)

    def draw(data):
        buffer[:] = data + rng.laplace(size=2)
        return buffer

    x, y = [draw(0) for _ in range(30)], [draw(1).copy() for _ in range(30)]
    with pytest.warns(DependentReleases, match="all outputs in x are one object in memory, as of a mechanism that"):
        audit(x, y, CLAIM, rng=0)
    with pytest.warns(DependentReleases, match="all outputs in x are one object in memory"):
        assert SequentialAudit(CLAIM).update(x, y).result().warnings
    for same in (np.ones(9), [1.5, 2.0], [buffer] * 3):
        with pytest.raises(ValueError, match="x and y must be apart"):
            SequentialAudit(CLAIM).update(same, same)


LAWS = {
    "Laplace": lambda r, n: r.laplace(size=n),
    "geometric": lambda r, n: r.geometric(0.1, n),
    "wide integers": lambda r, n: r.integers(0, 3 * n, n),
    "heavy tails": lambda r, n: r.standard_cauchy((n, 3)),
    "words": lambda r, n: r.choice(list("abcdefgh"), n),
    "rounded": lambda r, n: np.round(r.normal(size=(n, 2)), 1),
    "an atom": lambda r, n: np.where(r.random(n) < 0.1, 1.0, r.laplace(size=n)),
    "coins": lambda r, n: r.random(n) < 0.5,
    "missing": lambda r, n: np.where(r.random(n) < 0.2, np.nan, r.normal(size=n)),
    "rare": lambda r, n: r.random((n, 3)) < 0.01,
    "pairs": lambda r, n: [(str(r.integers(4)), float(r.normal())) for _ in range(n)],
}


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_no_warning_for_independent_outputs(law):
    """40 pairs of samples of each distribution; all 440 together give a false alarm with probability below 0.01."""
    rng = np.random.default_rng(0)
    for k in range(40):
        n, m = rng.integers(20, 400, 2) if k % 2 else [rng.integers(20, 400)] * 2
        assert found(LAWS[law](rng, n), LAWS[law](rng, m)) == []


@pytest.mark.parametrize("k", [2, 3, 7, 30])
def test_the_largest_share_that_occurs_k_times(k):
    """For all means of a Poisson count on a grid, the bound holds, and it is attained."""
    mean = np.geomspace(1e-3, 1e3, 20_001)
    below, at, above = (poisson.pmf(k + j, mean) for j in (-1, 0, 1))
    with np.errstate(invalid="ignore"):
        largest = np.nanmax(at / (below + at + above))
    assert largest == pytest.approx(1 / (1 + 2 * np.sqrt(k / (k + 1))), rel=1e-5)


def test_counts_that_are_written_out_are_meant_so():
    assert found(["yes"] * 60 + ["no"] * 40, ["yes", "no"] * 50) == []
    assert found(np.repeat([0, 1, 2], 30), np.tile([2.0, 1.0], 45)) == []


def test_the_help_begins_with_what_invalidates_the_level():
    first = audit.__doc__.split("\n\n")[1]
    for words in ("until it rejects", "SequentialAudit", "audit_mechanism", "dependent outputs", "canaries"):
        assert words in " ".join(first.split())
