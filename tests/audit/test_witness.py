"""The witness of an audit describes outputs in their own terms, is the same from every audit, and can be reused."""

import json

import numpy as np
import pytest
from scipy.stats import binom

from krdtheory.audit import SequentialAudit, assert_private, audit, audit_mechanism
from krdtheory.audit.outputs.values import exact_text, shortest
from krdtheory.audit.planning import smallest_found
from krdtheory.audit.report import bounds, limits
from krdtheory.audit.scores import Coordinate, Tree
from krdtheory.privacy.mechanisms import RandomizedResponse
from krdtheory.privacy.notions import ApproximateDP, GaussianDP, KernelRenyiDP, PureDP, RenyiDP

CLAIM = PureDP(epsilon=1)


def records(shift, n=300, seed=0):
    rng = np.random.default_rng([seed, shift])
    return [{"label": str(rng.choice(["a", "b"])), "loss": float(shift + rng.laplace())} for _ in range(n)]


@pytest.mark.slow
def test_the_witness_names_the_column_the_key_and_the_coordinate():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 300, 5))
    x[:, 3] += 3
    for scores in ("linear", "sparse", "tree"):
        assert audit(x, y, CLAIM, scores=scores, rng=0).witness["tells"][0].startswith("column 3 ")
    assert audit(x[:, 3], y[:, 3], CLAIM, scores="tree", rng=0).witness["tells"][0].startswith("value <= ")
    objects = audit(records(4), records(0), CLAIM, rng=0)
    assert objects.witness["tells"][0].startswith("loss ")
    assert objects.witness["taken for x"][0].startswith("(label = ")
    assert "loss" in objects.summary()
    image = np.zeros((2, 200, 4, 4)) + rng.normal(size=(2, 200, 4, 4))
    image[0, :, 2, 1] += 4
    assert audit(*image, CLAIM, scores="tree", rng=0).witness["tells"][0].startswith("column 9 <= ")
    stream = SequentialAudit(CLAIM, scores="linear").update(x, y).result()
    assert stream.witness["tells"][0].startswith("column 3 (weight ")
    with pytest.raises(AssertionError, match=r"tells .*loss"):
        assert_private(lambda data, rng: records(4 * data, 1, rng.integers(2**31))[0], 0, 1, CLAIM, scores="linear")


def test_splits_are_in_the_units_of_the_outputs():
    """With constants of two sizes, the first split lies between them."""
    for low, high in ((3.0, 5.0), (-7e8, 1e9), (1e-9, 2e-9)):
        x, y = np.full((60, 1), high), np.full((60, 1), low)
        split = audit(x, y, CLAIM, scores="tree", rng=0).witness["tells"][0]
        assert low <= float(split.removeprefix("value <= ")) <= high


@pytest.mark.parametrize("score", ["value", "tree"])
@pytest.mark.parametrize(
    ("high", "low"), [(12345.68, 12345.67), (1000.0, 1000 * (1 - 1e-9)), (2.0**53 - 1, 2.0**53 - 2), (1e-9, -1e-9)]
)
def test_rules_are_true_as_they_read(score, high, low):
    """However close the values are, the rule that is shown has one of them on each side."""
    rng = np.random.default_rng(0)
    x, y = (rng.choice([high, low], 400, p=p) for p in ([0.9, 0.1], [0.1, 0.9]))
    witness = audit(x, y, CLAIM, scores=score, rng=0).witness
    rules = witness["tells"][:1] if score == "tree" else witness["event"].removeprefix("the guess is ").split(", ")
    for rule in rules:
        _, comparison, threshold = rule[rule.index("value") :].split()
        assert {"<=": low <= float(threshold) < high, ">=": low < float(threshold) <= high}[comparison]


def test_numbers_are_shown_exactly_and_rules_briefly():
    rng = np.random.default_rng(0)
    for value in [*rng.normal(size=200), *rng.normal(size=50) * 1e300, 1 / 3, 2.0**60, 5e-324, np.inf, -np.inf]:
        assert float(exact_text(value)) == value
    assert exact_text(np.nan) == "nan"
    assert exact_text(1 / 3) != exact_text(np.nextafter(1 / 3, 1))
    for _ in range(200):
        low, high = np.sort(rng.normal(size=2))
        assert low <= shortest(low, high) < high
        assert len(exact_text(shortest(low, low + 0.1))) <= 6
    assert shortest(0.3, np.nextafter(0.3, 1)) == 0.3
    assert shortest(0.3, np.inf) == 0.3


def test_rules_say_where_nan_is():
    rng = np.random.default_rng(0)
    x, y = (np.where(rng.random(800) < share, np.nan, rng.normal(size=800)) for share in (0.3, 0.02))
    for scale in (1, -1):  # NaN is more likely under the first
        for u, v in ((scale * x, scale * y), (scale * abs(x), scale * abs(y))):
            assert audit(u, v, CLAIM, scores="value", direction="p, q", rng=0).witness["event"].endswith(" or nan")
    assert audit(x, y, CLAIM, scores="tree", rng=0).witness["tells"][0] == "value is not nan"
    assert "nan" not in str(audit(x[~np.isnan(x)], y[~np.isnan(y)] + 2, CLAIM, scores="value", rng=0).witness)


def test_trees_take_infinities_for_the_largest_numbers():
    rng = np.random.default_rng(0)
    score = Tree().fit(rng.normal(1, 1, (300, 1)), rng.normal(0, 1, (300, 1)), rng)
    for end in (np.inf, -np.inf):
        assert score(np.array([[end]])) == score(np.array([[np.sign(end) * 1e308]])) != score(np.zeros((1, 1)))


def test_table_columns_have_their_names():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    x, y = (pandas.DataFrame({"age": rng.normal(size=200), "income": rng.normal(m, 1, 200)}) for m in (3, 0))
    assert audit(x, y, CLAIM, scores="sparse", rng=0).witness["tells"][0].startswith("income ")
    assert audit(x, y, CLAIM, scores=Coordinate(1), rng=0).witness["tells"] == ["income"]


@pytest.mark.parametrize(
    "door",
    [
        lambda x, y: audit(x, y, CLAIM, scores="linear", rng=0),
        lambda x, y: SequentialAudit(CLAIM, scores="linear").update(x, y).result(),
    ],
)
@pytest.mark.parametrize("kind", ["numbers", "objects", "text"])
def test_the_score_can_be_applied_to_new_outputs(door, kind):
    """It separates new outputs as described by its witness, on the scale of its thresholds."""
    rng = np.random.default_rng(0)
    draw = {
        "numbers": lambda m, n: rng.normal(m, 1, (n, 2)),
        "objects": lambda m, n: [{"v": float(v)} for v in rng.normal(m, 1, n)],
        "text": lambda m, n: rng.choice(["yes", "no"], n, p=[0.9, 0.1] if m else [0.1, 0.9]),
    }[kind]
    x, y = draw(3, 300), draw(0, 300)
    result = audit(x, y, CLAIM, rng=0) if kind == "text" else door(x, y)
    of_x, of_y = result.score(draw(3, 500)), result.score(draw(0, 500))
    assert of_x.mean() > of_y.mean()
    last = result.witness["thresholds"][-1]
    assert (of_x >= last).mean() > 2 * (of_y >= last).mean()
    assert "score" not in json.loads(result.to_json())


DOORS = {
    "audit": lambda x, y, claim: audit(x, y, claim, rng=0),
    "one direction": lambda x, y, claim: audit(x, y, claim, direction="p, q", rng=0),
    "stream": lambda x, y, claim: SequentialAudit(claim).update(x, y).result(),
    "mechanism": lambda x, y, claim: audit_mechanism(
        lambda data, size, rng: rng.normal(2 * data, 1, size), 0, 1, claim, max_samples=200
    ),
    "certificate": lambda x, y, claim: audit(x, y, RenyiDP(alpha=2, epsilon=1), method="cells", rng=0),
}


@pytest.mark.slow
def test_every_audit_returns_results_of_the_same_form():
    rng = np.random.default_rng(0)
    x, y = rng.normal(2, 1, 200), rng.normal(0, 1, 200)
    found = {name: json.loads(door(x, y, CLAIM).to_json()) for name, door in DOORS.items()}
    assert {one["schema"] for one in found.values()} == {1}
    assert len({tuple(one) for one in found.values()}) == 1
    directions = {"p, q", "q, p", "p, q and q, p"}
    for name, one in found.items():
        assert set(one["directions"]) <= directions
        assert one["witness"]["direction"] in directions
        assert {"score", "thresholds"} <= set(one["witness"])
        if name != "certificate":
            assert {"event", "tells"} <= set(one["witness"])
        if one["witness"]["direction"] != "p, q and q, p" and name != "certificate":
            assert {"count in x", "count in y"} <= set(one["witness"])


def test_the_default_scores_have_one_name():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 100, 2))
    given, named = (SequentialAudit(CLAIM, scores=scores).update(x, y).result() for scores in (None, "auto"))
    assert given == named


def test_results_can_be_compared():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 60))
    first, again, other = (audit(x, y, CLAIM, rng=seed) for seed in (0, 0, 1))
    assert first == again
    assert first != other
    assert first.band == again.band
    assert first.band != 0


@pytest.mark.slow
def test_the_smallest_leak_that_a_sample_finds():
    """A mechanism with this leak is rejected in about 0.8 of 20 audits; fewer than 9 have probability below 2e-4.

    A mechanism that satisfies the claim is rejected in at most 6; more have probability below 2e-4 at the level.
    """
    assert binom.cdf(8, 20, 0.8) < 2e-4 > binom.sf(6, 20, 0.05)
    n, rng = 100, np.random.default_rng(0)
    nothing = audit(rng.random(n) < 0.5, rng.random(n) < 0.5, CLAIM, rng=0)
    smallest = smallest_found(nothing)
    assert 1 < smallest < 3
    assert f"{smallest:.3g} or more" in " ".join(nothing.summary().split())
    for epsilon, expected in ((smallest, range(9, 21)), (1.0, range(7))):
        mechanism = RandomizedResponse(epsilon=epsilon)
        draws = [[mechanism.sample(np.full(n, v), rng=rng) for v in (0, 1)] for _ in range(20)]
        assert sum(audit(*z, CLAIM, scores=Coordinate(), rng=0).rejected for z in draws) in expected


@pytest.mark.slow
def test_not_rejected_does_not_look_like_approval():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 100))
    page = audit(x, y, CLAIM, rng=0).to_html()
    assert '<div class="verdict">' in page
    assert "--good" not in page
    assert "samples find a leak of about epsilon" in page
    for notion in (
        KernelRenyiDP(alpha=2, regularization=0.1, epsilon=1, kernel="rbf", bandwidth=1.0),
        RenyiDP(alpha=2, epsilon=1),
    ):
        assert "leak of about" not in limits(audit(x, y, notion, rng=0))
    stream = SequentialAudit(GaussianDP(mu=1)).update(x, y).result()
    assert 1 < smallest_found(stream) < 10


@pytest.mark.slow
def test_a_stream_goes_on_after_its_verdict():
    """For Laplace noise of epsilon = 1 that claims 0.5, the bound still increases, and stays below 1."""
    rng = np.random.default_rng(0)
    x, y = 1 + rng.laplace(size=3000), rng.laplace(size=3000)
    stops, goes = SequentialAudit(PureDP(epsilon=0.5)), SequentialAudit(PureDP(epsilon=0.5), go_on=True)
    early = stops.update(x, y).result()
    found = [goes.update(x[k : k + 500], y[k : k + 500]).result().epsilon_lower for k in range(0, 3000, 500)]
    assert (stops.rejected, stops.n < 500, goes.rejected, goes.n) == (True, True, True, 3000)
    assert early.epsilon_lower < found[0] <= found[-1] <= 1
    assert found[-1] > 0.8
    assert found == sorted(found)
    drawn = audit_mechanism(
        lambda data, size, rng: data + rng.laplace(size=size), 0, 1, PureDP(epsilon=0.5), max_samples=1500, go_on=True
    )
    assert (drawn.n, drawn.rejected) == (1500, True)


@pytest.mark.slow
def test_the_picture_agrees_with_the_verdict():
    """For every notion, some bar reaches the claim if a stream was rejected."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(2, 1, 500), rng.normal(0, 1, 500)
    for claim, name in (
        (PureDP(epsilon=1), "epsilon"),
        (ApproximateDP(epsilon=1, delta=0.01), "epsilon"),
        (GaussianDP(mu=1), "mu"),
    ):
        result = SequentialAudit(claim).update(x, y).result()
        assert result.rejected
        axes = result.plot().axes[0]
        heights = [bar.get_height() for bar in axes.patches]
        assert max(heights) >= float(getattr(claim, name)) == axes.lines[0].get_ydata()[0]
        assert axes.get_ylabel() == name
    assert bounds.__doc__
