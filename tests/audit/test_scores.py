"""Scores distinguish the distributions that they should; invalid scores are rejected with a clear message."""

import numpy as np
import pytest
from sklearn.covariance import ledoit_wolf
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from krdtheory.audit import audit, audit_mechanism, basic_scores, events
from krdtheory.audit import scores as s
from krdtheory.audit.outputs import read
from krdtheory.audit.target import Target
from krdtheory.kernels import Kernel
from krdtheory.privacy.notions import ApproximateDP, PureDP


def releases(x, name):
    return read(x, name).values


def auc(score, x, y, u, v):
    """Return the probability that a new output of the first distribution has a larger score than one of the second."""
    fitted = score.fit(x, y, np.random.default_rng(0))
    first, second = fitted(u), fitted(v)
    return ((first[:, None] > second).mean() + (first[:, None] >= second).mean()) / 2


@pytest.fixture
def normal():
    rng = np.random.default_rng(0)
    shift = np.array([1.5, 0, 0, 0])
    return [rng.normal(size=(300, 4)) + shift * (i % 2 == 0) for i in range(4)]


@pytest.fixture
def wider():
    rng = np.random.default_rng(1)
    return [rng.normal(scale=3 if i % 2 == 0 else 1, size=(300, 2)) for i in range(4)]


@pytest.mark.parametrize(
    "score",
    [
        s.Linear(),
        s.Sparse(),
        s.Tree(),
        s.Coordinate(0),
        s.KernelMeanDifference(),
        s.KernelClassifier(),
        s.PositivePart(),
        s.PositivePart(epsilon=0.5, kernel=Kernel("laplacian", 3.0)),
        s.Classifier(LogisticRegression()),
        s.Classifier(DecisionTreeClassifier(max_depth=3)),
        s.Function(lambda z: z[:, 0]),
        s.Function(lambda one: one[0], each=True),
    ],
    ids=lambda score: type(score).__name__,
)
def test_a_shift_is_found(score, normal):
    assert auc(score, *normal) > 0.75  # the optimum is Phi(1.5 / sqrt 2) = 0.856


@pytest.mark.parametrize("score", [s.Tree(), s.KernelClassifier(), s.PositivePart()], ids=lambda v: type(v).__name__)
def test_a_scale_is_found_by_nonlinear_scores(score, wider):
    assert auc(score, *wider) > 0.75
    assert auc(s.Linear(), *wider) < 0.65


def test_a_tree_splits_where_it_says():
    """Values that are equal in float32 are told apart, at the value that is shown."""
    x, y = (1 + 2.0**-40 * np.arange(k, 40, 2.0)[:, None] for k in (20, 0))
    fitted = s.Tree().fit(np.repeat(x, 5, axis=0), np.repeat(y[:10], 5, axis=0), np.random.default_rng(0))
    (rule,) = fitted.tells(["value"])
    threshold = float(rule.removeprefix("value <= "))
    assert y[9, 0] <= threshold < x[0, 0]
    scores = fitted(np.concatenate([x, y[:10]]))
    assert (scores == np.repeat([1.0, 0.0], 10)).all()


@pytest.mark.parametrize("n", [30, 400, 9000])
def test_a_tree_is_a_function_of_its_rules(n):
    """Outputs on the same side of every rule have the same score, and every rule matters, on new outputs as well."""
    rng = np.random.default_rng(n)
    x, y, z = rng.normal(size=(3, n, 3)) + rng.integers(0, 2, size=(3, n, 1)) * 4
    x[:, 1] += 1
    fitted = s.Tree().fit(x, y, rng)
    tree, cuts = fitted.model.tree_, fitted.cuts
    inner = np.flatnonzero(tree.feature >= 0)
    values = fitted.features(z)
    sides = np.stack([values[:, tree.feature[k]] <= cuts[tree.feature[k], int(tree.threshold[k])] for k in inner], 1)
    _, group = np.unique(sides, axis=0, return_inverse=True)
    scores = fitted(z)
    assert all(len(np.unique(scores[group == g])) == 1 for g in range(group.max() + 1))
    at = np.zeros(len(z), dtype=int)
    for _ in range(len(inner)):
        moves = tree.feature[at] >= 0
        left = values[np.arange(n), tree.feature[at]] <= cuts[tree.feature[at], tree.threshold[at].astype(int)]
        at = np.where(moves, np.where(left, tree.children_left[at], tree.children_right[at]), at)
    assert (scores == tree.value[at, 0, 1]).all()


def test_sparse_finds_the_coordinate_among_many():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(60, 400)), rng.normal(size=(60, 400))
    x[:, 17] += 1.5
    fitted = s.Sparse().fit(x, y, rng)
    assert fitted(np.eye(400)).argmax() == 17


@pytest.mark.parametrize(("n", "m", "d"), [(15, 10, 26), (20, 30, 51), (20, 30, 400), (30, 30, 59)])
def test_with_more_coordinates_than_outputs_the_shrunk_covariance_is_the_same(n, m, d):
    rng = np.random.default_rng(d)
    x, y = (rng.choice([-1, 1], size=(k, d)) + rng.choice([-1, 1], size=(k, 1)) / 2 for k in (n, m))  # no extremes
    scale = np.concatenate([x, y]).std(0)
    within = np.concatenate([x - x.mean(0), y - y.mean(0)]) / scale
    covariance = ledoit_wolf(within, assume_centered=True)[0]
    expected = x @ (np.linalg.solve(covariance, (x.mean(0) - y.mean(0)) / scale) / scale)
    found = s.Linear().fit(x, y, rng)(x)
    assert np.allclose(np.diff(found), np.diff(expected), rtol=1e-6, atol=1e-6 * np.ptp(expected))


@pytest.mark.slow
@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("power", [-1000, -30, 700, 990])
def test_the_unit_of_outputs_does_not_matter(d, power):
    x, y = np.random.default_rng(d).normal(size=(2, 200, d))
    x[:, 0] += 1.5
    unit = 2.0**power
    expected, found = (audit(x * k, y * k, PureDP(epsilon=0.5), rng=0) for k in (1, unit))
    assert 0 < found.epsilon_lower == expected.epsilon_lower


@pytest.mark.slow
def test_many_coordinates():
    x, y = np.random.default_rng(0).normal(size=(2, 80, 20_000))
    x[:, 7] += 9
    result = audit(x, y, PureDP(epsilon=0.5), rng=0)  # a matrix of 20 000 x 20 000 would take gigabytes
    assert result.rejected


def test_positive_part_is_a_test_and_its_gap_the_kernel_hockey_stick_divergence(normal):
    """Its means on the learning data differ by the trace of the positive part.

    The trace is computed from Gram matrices only, as the eigenvalues of S_p - g S_q are those of the product of the
    joint Gram matrix and weights.
    """
    x, y, *_ = (z[:40] for z in normal)
    kernel = Kernel("rbf", 2.0)
    g = np.exp(0.3)
    fitted = s.PositivePart(epsilon=0.3, kernel=kernel, landmarks=80).fit(x, y, np.random.default_rng(0))
    u, v = fitted(x), fitted(y)
    assert ((u > -1e-9) & (u < 1 + 1e-9)).all()
    gram = kernel.gram(np.concatenate([x, y]))
    weights = np.repeat([1 / 40, -g / 40], 40)
    eigenvalues = np.linalg.eigvals(gram * weights).real
    assert u.mean() - g * v.mean() == pytest.approx(eigenvalues[eigenvalues > 0].sum(), abs=1e-6)


def test_a_classifier_is_cloned_and_seeded(normal):
    model = DecisionTreeClassifier(max_depth=2, max_features=1)
    first, second = (s.Classifier(model).fit(*normal[:2], np.random.default_rng(3))(normal[2]) for _ in range(2))
    assert (first == second).all()
    assert not hasattr(model, "tree_")
    assert model.random_state is None


def test_texts():
    x, y = releases(["yes yes", "yes no"] * 20, "x"), releases(["no no", "no yes no"] * 20, "y")
    fitted = s.Classifier(make_pipeline(CountVectorizer(), LogisticRegression())).fit(x, y, np.random.default_rng(0))
    assert fitted(x).min() > fitted(y).max()


def test_auto():
    def names(x, y):
        return list(s.make_scores("auto", releases(x, "x"), releases(y, "y")))

    rng = np.random.default_rng(0)
    assert names(rng.normal(size=9), rng.normal(size=9)) == ["value", "tree", "atoms"]
    assert names([0, 1, 1, 0], [1, 1, 0, 0]) == ["value", "tree", "atoms"]
    vectors = ["linear", "sparse", "tree", "spread", "repeats"]
    assert names(rng.normal(size=(9, 2)), rng.normal(size=(9, 2))) == vectors
    assert names(rng.integers(0, 2, (9, 2)), rng.integers(0, 2, (9, 2))) == [*vectors, "atoms"]
    assert names(["a", "b"], ["b", "a"]) == ["atoms"]
    assert names(["a", "b"], ["b", "c"]) == ["atoms", "words"]
    assert list(s.make_scores([Kernel("rbf", 1.0), "tree", np.sum, s.Tree()], np.eye(2), np.eye(2))) == [
        "kernel_classifier",
        "tree",
        "sum",
        "Tree",
    ]


@pytest.mark.parametrize(
    ("scores", "error", "words"),
    [
        ("trees", ValueError, 'scores must be "auto" or one of value, linear, sparse, tree'),
        ([], ValueError, "at least one score"),
        (3, TypeError, "a name, a score, a classifier or a function; got 3"),
        (s.Tree, TypeError, "a name, a score, a classifier or a function"),
    ],
)
def test_objects_that_are_not_scores(scores, error, words):
    with pytest.raises(error, match=words):
        s.make_scores(scores, np.eye(2), np.eye(2))


def test_objects_that_cannot_be_sorted_are_compared_by_their_repr():
    x = [{"count": 1}] * 240 + [{"count": 2}] * 80
    y = [{"count": 1}] * 80 + [{"count": 2}] * 240
    assert releases(x, "x").shape == (320,)
    texts = [repr(one) for one in x], [repr(one) for one in y]
    of_dicts, of_texts = (audit(u, v, PureDP(epsilon=0.1), rng=0) for u, v in ((x, y), texts))
    assert of_dicts.rejected
    assert of_dicts.epsilon_lower == of_texts.epsilon_lower


def test_rows_of_tables_are_outputs():
    pandas = pytest.importorskip("pandas")
    words = ["yes"] * 60 + ["no"] * 140
    table = pandas.DataFrame({"answer": words, "size": range(200)})
    for one in (table[["answer"]], table["answer"], table["answer"].astype("category")):
        assert releases(one, "x").shape == (200,)
        turned = one.iloc[::-1].reset_index(drop=True)  # as another distribution
        assert not audit(one, turned, PureDP(epsilon=0.5), rng=0).rejected
        assert audit(one[:60], one[60:], PureDP(epsilon=0.5), rng=0).rejected
    assert [one.value for one in releases(table, "x")[:2]] == [("yes", 0), ("yes", 1)]
    assert releases(table[["size"]], "x").tolist() == [[k] for k in range(200)]


def test_objects_are_compared_completely():
    long = np.arange(1100.0)  # NumPy abbreviates arrays of more than 1000 entries
    for change in (1e-12, 1):
        other = long.copy()
        other[550] += change
        for x, y in (([long] * 25, [other] * 25), ([{"a": long}] * 25, [{"a": other}] * 25)):
            assert audit(x, y, PureDP(epsilon=0.5), scores="atoms", rng=0).rejected


@pytest.mark.slow
def test_outputs_of_different_lengths_and_none_in_one_sample():
    same, longer = [[1]] * 200, [[1], [1, 2]] * 100
    assert audit(longer, same, PureDP(epsilon=0.5), rng=0).rejected
    assert audit([None, 1.0] * 100, [1.0] * 200, PureDP(epsilon=0.5), rng=0).rejected
    assert not audit(longer, longer[::-1], PureDP(epsilon=0.5), rng=0).rejected
    with pytest.raises(
        ValueError, match="x and y must both be numbers, or both other objects; got other objects and n"
    ):
        audit(longer, np.ones(200), PureDP(epsilon=0.5), rng=0)


@pytest.mark.slow
@pytest.mark.parametrize("large", [2**53 + 1, -(2**60), 2**63 - 1])
def test_integers_that_floats_would_round_are_rejected(large):
    with pytest.raises(ValueError, match=r"y must be integers within 2\^53"):
        audit([1, 2] * 50, [1, large] * 50, PureDP(epsilon=1))
    assert releases([2**53, -(2**53)], "x").shape == (2, 1)
    with pytest.raises(ValueError, match=r"x must be integers within 2\^53"):
        audit([2**70] * 50, [2**70 + 1] * 50, PureDP(epsilon=1))
    assert audit([{"hash": 2**70}] * 50, [{"hash": 2**70 + 1}] * 50, PureDP(epsilon=1), rng=0).rejected  # its digits


@pytest.mark.parametrize("name", [name for name in s.SCORES if name not in ("atoms", "words")])
def test_scores_of_numbers_reject_texts(name):
    with pytest.raises(
        ValueError, match=f"scores must be 'atoms', 'words', a classifier or a function .*; got '{name}'"
    ):
        audit(["a"] * 50, ["b"] * 50, PureDP(epsilon=1), scores=name)


def test_addresses_in_memory_are_not_outputs():
    x, y = ([object() for _ in range(50)] for _ in range(2))
    with pytest.raises(TypeError, match=r"x\[[0-9]+\] must be of a kind that can be compared .*features"):
        audit(x, y, PureDP(epsilon=1), rng=0)
    with pytest.raises(TypeError, match=r"x\[[0-9]+\]\[0\] must be of a kind that can be compared"):
        audit_mechanism(lambda d: [object()], 0, 1, PureDP(epsilon=1))
    assert not audit(x, y, PureDP(epsilon=1), rng=0, scores=lambda z: [0.0] * len(z)).rejected


@pytest.mark.parametrize(
    ("x", "error", "words"),
    [
        ([], ValueError, "x must be at least one output"),
        ("text", TypeError, "x must be a sequence"),
        (3.0, TypeError, "x must be a sequence"),
        (np.ma.masked_array([1.0, 2.0], [0, 1]), TypeError, "x must be without a mask, .*; got a masked array"),
        ([np.ma.masked_array([1.0, 2.0], [0, 1])] * 9, TypeError, "x must be without a mask"),
        (np.zeros((5, 0)), ValueError, "x must be at least one number each"),
    ],
)
def test_bad_outputs(x, error, words):
    with pytest.raises(error, match=words):
        audit(x, np.ones(9), PureDP(epsilon=1))


def shapes(name, rng, n, leak):
    """Return outputs for both inputs that differ only in their shape; without a leak, both from one distribution."""
    x, y = rng.normal(size=(2, n, 60))
    if name == "size":
        y *= 1.25 if leak else 1
    elif name == "largest":
        x[np.arange(n), rng.integers(0, 60, n)] += 7
        if not leak:
            y[np.arange(n), rng.integers(0, 60, n)] += 7
    else:
        for z, value in ((x, 0.25), (y, 0.75 if leak else 0.25)):
            z[rng.random(n) < 0.05, 3] = value
    return x, y


@pytest.mark.slow
@pytest.mark.parametrize("name", ["size", "largest", "bare value"])
def test_default_scores_find_shapes(name):
    """The private mechanisms are rejected with probability at most 5% each; with these seeds none is."""
    rng = np.random.default_rng(3)
    assert audit(*shapes(name, rng, 2000, True), PureDP(epsilon=0.5), rng=0).rejected
    assert not audit(*shapes(name, rng, 2000, False), PureDP(epsilon=0.5), rng=0).rejected


def test_repeats_name_the_column_and_the_value():
    x, y = shapes("bare value", np.random.default_rng(3), 2000, True)
    first, second, *_ = audit(x, y, PureDP(epsilon=0.5), scores="repeats", rng=0).witness["tells"]
    assert {text.split(" (")[0] for text in (first, second)} == {"column 3 = 0.25", "column 3 = 0.75"}


def test_shared_computations_do_not_change_results(monkeypatch):
    """The events are the same as without sharing, and changed samples are computed again."""
    x, y = np.random.default_rng(3).normal(size=(2, 200, 3))
    x[:, 0] += 1
    shared = audit(x, y, PureDP(epsilon=0.1), rng=0)
    score = s.make_scores("linear", x, y)["linear"]
    before = score.fit(x, y, np.random.default_rng(0))(x)
    x *= 2
    assert (score.fit(x, y, np.random.default_rng(0))(x) != before).any()
    x /= 2
    monkeypatch.setattr("krdtheory.audit.basic_scores.once", lambda name, arrays, make: make())
    monkeypatch.setattr("krdtheory.audit.events.once", lambda name, arrays, make: make())
    alone = audit(x, y, PureDP(epsilon=0.1), rng=0)
    assert (alone.p_value, alone.epsilon_lower, alone.witness) == (shared.p_value, shared.epsilon_lower, shared.witness)


def test_shared_computations_are_tied_to_their_samples():
    x, y = np.zeros((2, 3))
    with basic_scores.sharing():
        first = basic_scores.once("sum", (x,), lambda: object())
        assert basic_scores.once("sum", (x,), lambda: object()) is first
        assert basic_scores.once("sum", (y,), lambda: object()) is not first
        assert basic_scores.once("mean", (x,), lambda: object()) is not first
    assert basic_scores.once("sum", (x,), lambda: object()) is not first


@pytest.mark.slow
def test_one_output_in_fifty_without_noise_is_found():
    """With 5 000 outputs in one dimension, nearly always. The same noise without them passes at 5% each: of 12 runs,
    more than 4 are rejected with probability 2e-4.
    """
    found = passed = 0
    for seed in range(12):
        rng = np.random.default_rng([9, seed])
        x, y = rng.laplace(1, size=5000), rng.laplace(0, size=5000)
        passed += not audit(x, y, PureDP(epsilon=1), rng=seed).rejected
        x[rng.random(5000) < 0.02], y[rng.random(5000) < 0.02] = 1.0, 0.0
        found += audit(x, y, PureDP(epsilon=1), rng=seed).rejected
    assert found >= 10 and passed >= 8


def _off_by(runs=30, n=300):
    """Return the largest deviation of the masses of events from the expected ones.

    The mechanism is the exponential mechanism among ten candidates, and the score that of repeated values.
    """
    weights = np.exp(0.5 * np.concatenate([[[1], [0]], np.tile([[0], [1]], 9)], axis=1))
    laws = [w / w.sum() for w in weights]

    def surely(p, q, _):
        return np.log(np.maximum(p - 2 * np.sqrt(p / n), 1e-9) / (q + 2 * np.sqrt(q / n)))

    apart = 0.0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        x, y = (rng.choice(10, (n, 1), p=law).astype(float) for law in laws)
        (event,) = events.learn(x, y, {"atoms": basic_scores.Atoms()}, [surely], [events.FORWARD], rng)
        of_first, _ = event.taken(np.arange(10.0)[:, None])
        apart = max(apart, abs(laws[0][of_first].sum() - event.p))
    return apart


@pytest.mark.slow
def test_thresholds_of_few_values_belong_to_the_score_that_is_used(monkeypatch):
    """The score is fitted again after the choice of the threshold, and its values change."""
    assert _off_by() < 0.1
    monkeypatch.setattr(events, "_carried", lambda ends, held, fitted: ends)
    assert _off_by() > 0.1


def test_thresholds_follow_a_score_of_many_values_that_is_fitted_again():
    """A third of the outputs have the value 1.9 by one score and 1.899 by the other."""
    rng = np.random.default_rng(0)
    others = rng.random(4_000)
    held = np.concatenate([others, np.full(2_000, 1.9)]), others
    fitted = np.concatenate([others, np.full(2_000, 1.899)]), others
    assert events._carried((-np.inf, 1.9), held, fitted) == (-np.inf, 1.899)
    assert events._carried((-1.9, np.inf), [-z for z in held], [-z for z in fitted]) == (-1.899, np.inf)
    assert events._carried((-np.inf, 1.9), held, held) == (-np.inf, 1.9)
    assert events._carried((-np.inf, 0.5), held, [z + 1e-6 for z in held]) == (-np.inf, 0.5)


@pytest.mark.parametrize(("notion", "less"), [(PureDP(epsilon=1), True), (ApproximateDP(epsilon=1, delta=0.01), False)])
def test_a_curve_is_trusted_less_than_frequencies_if_delta_is_0(notion, less):
    """The draws for a curve are not shrunk towards each other, so a ratio can be large by chance."""
    (objective,) = Target(notion, "epsilon", 500, 500, 0.05).objectives(1, 0.05)
    p, q = np.array([[0.5]]), np.array([[0.05]])
    of_frequencies, of_curve = (float(objective(p.repeat(n, 0), q.repeat(n, 0), False).mean()) for n in (1, 64))
    assert (of_curve < of_frequencies - 0.1) == less and (abs(of_curve - of_frequencies) < 1e-12) != less
