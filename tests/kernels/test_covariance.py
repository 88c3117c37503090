"""Covariance operators of weighted points: repeated points, common points and unusual objects."""

from fractions import Fraction

import numpy as np
import pytest

from krdtheory.arithmetic import MP
from krdtheory.kernels import Covariance, Kernel, ProductKernel, covariance, kernel_renyi
from krdtheory.kernels.covariance import joint_support, weighted_points


def support(p_points, p_weights, q_points, q_weights, kernel="identity"):
    points, w, v = joint_support(covariance(p_points, p_weights, kernel), covariance(q_points, q_weights, kernel))
    return list(points), w.tolist(), v.tolist()


def test_fields():
    c = covariance([[0.0], [1.0], [3.0]], None, "rbf", bandwidth=2.0)
    assert isinstance(c, Covariance)
    assert c.points.shape == (3, 1)
    assert c.weights.tolist() == [1 / 3] * 3
    assert c.kernel == Kernel("rbf", 2.0)
    assert covariance([0.0, 1.0], [2, 3], "rbf", bandwidth=1.0).points.shape == (2, 1)
    product = ProductKernel([Kernel("linear")], [[0]])
    assert covariance([[1.0]], [0.5], product).kernel is product


@pytest.mark.parametrize(
    ("args", "error", "word"),
    [
        (([[0.0]], [1.0, 2.0]), ValueError, "weights"),
        (([[0.0]], [[1.0]]), ValueError, "weights"),
        (([[0.0]], 1.0), ValueError, "weights"),
        (([[0.0], [1.0]], [1.0, -1.0]), ValueError, "weights"),
        (([[0.0], [1.0]], [0.0, 0.0]), ValueError, "weights"),
        (([[0.0], [1.0]], [1.0, np.nan]), ValueError, "weights"),
        (([[0.0], [1.0]], ["a", "b"]), TypeError, "weights"),
        (([[np.inf]], [1.0]), ValueError, "points"),
        ((np.empty((0, 1)), None), ValueError, "points"),
    ],
)
def test_bad_input(args, error, word):
    with pytest.raises(error, match=word):
        covariance(*args, "rbf", bandwidth=1.0)


def test_repeats_add_up_and_common_points_are_one():
    points, w, v = support(["a", "b", "a"], [1, 2, 3], ["c", "b", "b"], [4, 5, 6])
    assert (points, w, v) == (["a", "b", "c"], [4, 2, 0], [0, 11, 4])


def test_points_without_weight_are_dropped():
    assert support(["a", "b"], [0, 1], ["a", "c"], [0, 2]) == (["b", "c"], [1, 0], [0, 2])


def test_equal_points_written_differently():
    rows = covariance([[0.0, 1], [-0.0, 1], [0, 2]], [1, 2, 4], "rbf", bandwidth=1.0)
    points, w, _ = joint_support(rows, rows)
    assert points.tolist() == [[0, 1], [0, 2]]
    assert w.tolist() == [3, 4]


@pytest.mark.parametrize(
    ("same", "other"),
    [
        (([1, 2], [1, 2]), [1, 3]),
        (([[1], {2}], [[1], {2}]), [[1], {3}]),
        (({"a": [1]}, {"a": [1]}), {"a": [2]}),
        ((np.eye(2), np.eye(2)), np.ones((2, 2))),
        ((np.zeros(2000), np.zeros(2000)), np.eye(1, 2000, 1000)[0]),  # the repr omits the middle
        (([np.zeros(2000)], [np.zeros(2000)]), [np.eye(1, 2000, 1000)[0]]),
    ],
)
def test_points_that_cannot_be_hashed(same, other):
    points, w, v = support(list(same), [1, 2], [other], [4])
    assert len(points) == 2
    assert (w, v) == ([3, 0], [0, 4])


def test_objects_that_cannot_be_compared_are_equal_only_to_themselves():
    class Opaque:
        __hash__ = None

    first, second = Opaque(), Opaque()
    points, w, v = support([first, first], [1, 2], [second], [4], kernel=lambda s, t: 1.0)
    assert points == [first, second]
    assert (w, v) == ([3, 0], [0, 4])


def test_stacked_matrices_as_points():
    batch = np.stack([np.eye(2), np.ones((2, 2)), np.eye(2)])
    p = covariance(batch, [1, 2, 4], lambda s, t: float(np.sum(s * t)))
    points, w, _ = joint_support(p, p)
    assert points.shape == (2, 2, 2)
    assert w.tolist() == [5, 2]


def test_exact_weights_stay_exact():
    k = Kernel("identity")
    p = weighted_points(["a", "a", "a", "b"], ["1/10", Fraction(1, 10), "0.1", "0.7"], k, arithmetic=MP(60))
    _, w, _ = joint_support(p, p)
    assert abs(w[0] * 10 - 3) < 1e-58
    uniform = weighted_points(["a", "b", "c"], None, k, arithmetic=MP(60)).weights
    assert all(abs(3 * u - 1) < 1e-58 for u in uniform)


def test_one_rational_is_one_point():
    k = Kernel("rbf", 1.0)
    p = weighted_points([["0.5"], [Fraction(1, 2)], [0.5]], None, k, arithmetic=MP(40))
    assert len(joint_support(p, p)[0]) == 1


def test_repeats_are_weights():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(4, 2)), rng.normal(size=(3, 2))
    y[0] = x[1]
    at = {"alpha": [0.5, 1, 2, np.inf], "regularization": [1e-3, 0.1], "bandwidth": 1.0}
    merged = kernel_renyi(x, [0.5, 0.2, 0.2, 0.1], y, [0.5, 0.25, 0.25], **at)
    split = kernel_renyi(x[[0, 1, 2, 3, 0]], [0.3, 0.2, 0.2, 0.1, 0.2], y[[0, 1, 2, 0]], None, **at)
    np.testing.assert_allclose(split, merged, rtol=0, atol=1e-13)  # the same operators, weights summed in another order


@pytest.mark.parametrize("seed", range(5))
def test_common_points_of_numbers_are_those_found_one_by_one(seed):
    """By sorting and by hashing; 0.0 and -0.0 are the same point, and points of weight 0 are dropped."""
    rng = np.random.default_rng(seed)

    def part(n):
        weights = np.append(rng.choice([0, 0.1, 1 / 3], n), 0.7)
        return covariance(rng.choice([0.0, -0.0, 1.0, 2.5], (n + 1, 2)), weights, "rbf", bandwidth=1.0)

    p, q = part(8), part(5)
    wanted = {}
    for which, c in enumerate((p, q)):
        for point, weight in zip(c.points.tolist(), c.weights.tolist(), strict=True):
            if weight > 0:
                wanted.setdefault(tuple(point), [0.0, 0.0])[which] += weight
    points, *totals = joint_support(p, q)
    assert [*map(tuple, points.tolist())] == [*wanted]
    assert np.transpose(totals).tolist() == [*wanted.values()]
