"""Small trees against scikit-learn's, and where their bins are coarser than all thresholds."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from krdtheory.audit.tree import grow, predict, splits


def shares(x, y, leaves=8, least=3):
    tree, z = grow(x, y, leaves, least), np.concatenate([x, y])
    return predict(tree, {node.column: z[:, node.column] for node in splits(tree)}, len(z))


def of_sklearn(x, y, leaves=8, least=3):
    z = np.concatenate([x, y])
    model = DecisionTreeClassifier(max_leaf_nodes=leaves, min_samples_leaf=least, random_state=0)
    return model.fit(z, np.repeat([1, 0], [len(x), len(y)])).predict_proba(z)[:, 1]


def drawn(kind, n, d, seed):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, n, d))
    x[:, 0] += 1
    if kind == "counts":
        return np.rint(2 * x), np.rint(2 * y)
    if kind == "a value that repeats":
        y[rng.random((n, d)) < 0.2] = 0.25
    return x, y


@pytest.mark.parametrize("kind", ["numbers", "counts", "a value that repeats"])
@pytest.mark.parametrize(("n", "d", "least"), [(20, 1, 3), (120, 4, 5), (60, 30, 3)])
def test_small_samples_have_the_tree_of_all_thresholds(kind, n, d, least):
    """So it is that of scikit-learn, unless two splits are equally good; trees without labels to learn from are not."""
    x, y = drawn(kind, n, d, seed=n + d)
    found, expected = shares(x, y, least=least), of_sklearn(x, y, least=least)
    labels = np.repeat([1.0, 0.0], n)
    assert ((found - labels) ** 2).mean() == pytest.approx(((expected - labels) ** 2).mean(), abs=1e-12)
    assert ((shares(x[::-1], x, least=least) - labels) ** 2).mean() > ((found - labels) ** 2).mean()


def test_large_samples_have_almost_the_best_splits():
    x, y = drawn("numbers", 3000, 5, seed=0)
    labels = np.repeat([1.0, 0.0], 3000)
    found, best = (1 - 4 * ((s - labels) ** 2).mean() for s in (shares(x, y), of_sklearn(x, y)))
    assert 0.97 * best < found <= best + 1e-12


def test_parts_are_as_large_as_asked_and_as_many():
    x, y = drawn("numbers", 300, 3, seed=1)
    for leaves, least in ((2, 3), (8, 40), (8, 250)):
        tree = grow(x, y, leaves, least)
        _, counts = np.unique(
            [tuple(z[n.column] <= n.threshold for n in splits(tree)) for z in np.concatenate([x, y])],
            axis=0,
            return_counts=True,
        )
        assert sum(node.column < 0 for node in tree) <= leaves
        assert least > 200 or len(counts) > 1
        assert least <= 200 or counts.min() >= least


def test_no_split_of_samples_that_are_the_same():
    """Nor of values that differ by less than float32 tells."""
    for z in (np.ones((40, 2)), 1 + 1e-12 * np.arange(80.0).reshape(40, 2)):
        assert [node.column for node in grow(z[:20], z[20:], 8, 3)] == [-1]
        assert predict(grow(z[:20], z[20:], 8, 3), {}, 3).tolist() == [0.5] * 3


def test_a_rare_value_among_many_numbers_is_a_part_of_its_own():
    """It has 3% of the outputs of one sample, in between the steps of the ranks; close values are on either side."""
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 5000, 1))
    x[:150] = 0.125
    found = shares(x, y, least=100)
    assert found[0] == 1
    assert found[:5000][x[:, 0] != 0.125].max() < 0.6


def test_the_parts_of_large_samples_do_not_depend_on_how_many_columns_are_sorted_at_once(monkeypatch):
    from krdtheory.audit import tree

    x, y = drawn("a value that repeats", 700, 6, seed=3)
    x[:, 4], y[:, 4] = np.random.default_rng(4).normal(size=(2, 700))  # a column without repetitions
    whole = shares(x, y)
    monkeypatch.setattr(tree, "_AT_ONCE", 1)
    assert np.abs(shares(x, y) - whole).mean() < 0.02
