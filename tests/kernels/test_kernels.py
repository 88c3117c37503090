"""Kernels and bandwidths compared with double loops of the printed formulas, scikit-learn, and mpmath."""

import itertools
import math
import statistics
from collections import Counter
from functools import partial

import mpmath
import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, Matern
from sklearn.metrics import pairwise

from krdtheory.arithmetic import MP
from krdtheory.kernels import Kernel, ProductKernel, kernel_renyi_estimate, median_bandwidth
from krdtheory.kernels.kernels import SKLEARN_NAMES

EPS = np.finfo(float).eps


@pytest.fixture
def points():
    rng = np.random.default_rng(0)
    return rng.normal(size=(7, 3)), rng.normal(size=(5, 3))


def loop(k, x, y):
    return np.array([[k(u, v) for v in y] for u in x])


def close(value, expected, ulps=8):
    """Return whether entries agree up to a few roundings; they are at most 1."""
    np.testing.assert_allclose(value, expected, rtol=0, atol=ulps * EPS)


def test_rbf_and_laplacian_are_the_printed_formulas(points):
    x, y = points
    close(Kernel("rbf", 1.7).gram(x, y), loop(lambda u, v: math.exp(-(math.dist(u, v) ** 2) / 1.7**2), x, y))
    close(Kernel("laplacian", 1.7).gram(x, y), loop(lambda u, v: math.exp(-sum(map(abs, u - v)) / 1.7), x, y))


@pytest.mark.parametrize("name", ["rbf", "laplacian"])
def test_scikit_learn_agrees_on_the_kernels_with_a_bandwidth(points, name):
    x, y = points
    gamma = 1 / 1.3**2 if name == "rbf" else 1 / 1.3
    close(Kernel(name, 1.3).gram(x, y), getattr(pairwise, f"{name}_kernel")(x, y, gamma=gamma), ulps=32)


@pytest.mark.parametrize(
    "kernel",
    [
        Kernel("rbf", 0.4),
        Kernel("laplacian", 0.4),
        Kernel("linear"),
        Kernel("cosine"),
        Kernel("polynomial", params={"degree": 2, "coef0": 0.5, "gamma": 0.2}),
        Kernel(ConstantKernel(3.0) * RBF(0.7) + DotProduct(1.0)),
        Kernel(lambda u, v: 5 * float(u @ v) ** 2),
        Kernel("identity"),
        ProductKernel([Kernel("rbf", 1.0), Kernel("linear")], [[0], slice(1, 3)]),
    ],
    ids=lambda k: str(getattr(k, "kernel", "product"))[:20],
)
def test_normalised_symmetric_positive(points, kernel):
    gram = kernel.gram(points[0])
    close(np.diagonal(gram), 1)
    close(gram, gram.T)
    assert np.abs(gram).max() <= 1 + 4 * EPS
    assert np.linalg.eigvalsh(gram).min() >= -32 * EPS
    close(kernel.gram(points[0], points[1]), kernel.gram(np.concatenate(points))[:7, 7:])


def test_other_names_are_scikit_learns_divided_by_the_diagonal(points):
    x, y = abs(points[0]), abs(points[1])
    chi2 = lambda u, v: math.exp(-2.0 * sum((a - b) ** 2 / (a + b) for a, b in zip(u, v, strict=True)))  # noqa: E731
    close(Kernel("chi2", params={"gamma": 2.0}).gram(x, y), loop(chi2, x, y))
    poly = lambda u, v: (0.2 * float(u @ v) + 0.5) ** 2  # noqa: E731
    expected = loop(lambda u, v: poly(u, v) / math.sqrt(poly(u, u) * poly(v, v)), x, y)
    close(Kernel("polynomial", params={"degree": 2, "coef0": 0.5, "gamma": 0.2}).gram(x, y), expected)


def test_gaussian_process_kernels_are_normalised(points):
    x, y = points
    close(Kernel(4.0 * RBF(0.7)).gram(x, y), loop(lambda u, v: math.exp(-(math.dist(u, v) ** 2) / (2 * 0.49)), x, y))
    expected = loop(lambda u, v: (1 + u @ v) / math.sqrt((1 + u @ u) * (1 + v @ v)), x, y)
    close(Kernel(DotProduct(1.0)).gram(x, y), expected)
    close(Kernel(Matern(0.7, nu=0.5)).gram(x, y), loop(lambda u, v: math.exp(-math.dist(u, v) / 0.7), x, y))


def test_functions_of_scikit_learn_are_their_names(points):
    x, y = abs(points[0]), abs(points[1])
    for function, name in (
        (pairwise.rbf_kernel, Kernel("rbf", math.sqrt(x.shape[1]))),
        (pairwise.laplacian_kernel, Kernel("laplacian", x.shape[1])),
        (pairwise.cosine_similarity, Kernel("cosine")),
        (partial(pairwise.chi2_kernel, gamma=2.0), Kernel("chi2", params={"gamma": 2.0})),
        (partial(pairwise.polynomial_kernel, degree=2), Kernel("polynomial", params={"degree": 2})),
    ):
        close(Kernel(function).gram(x), name.gram(x))
        close(Kernel(function).gram(x, y), name.gram(x, y))


@pytest.mark.parametrize(
    "function",
    [
        pairwise.euclidean_distances,  # 0 on the diagonal
        partial(pairwise.sigmoid_kernel, coef0=-1.0),
        pairwise.paired_distances,  # one value for each pair
        pairwise.chi2_kernel,  # for negative coordinates
    ],
)
def test_functions_of_scikit_learn_that_are_not_kernels(points, function):
    with pytest.raises(ValueError, match=r"(kernel|points) must be"):
        Kernel(function).gram(points[0] - 1)


def test_callable_over_strings():
    def common_pairs(s, t):
        a, b = (Counter(map("".join, itertools.pairwise(z))) for z in (s, t))
        return sum(a[pair] * b[pair] for pair in a)

    # "banana": ba, 2 an, 2 na, norm 3; "bandana": ba, 2 an, nd, da, na, norm sqrt 8; common 1 + 4 + 2
    gram = Kernel(common_pairs).gram(["banana", "bandana", "xyz"])
    close(gram, [[1, 7 / math.sqrt(72), 0], [7 / math.sqrt(72), 1, 0], [0, 0, 1]])


def test_identity_kernel():
    assert Kernel("identity").gram(["a", "b", "a"]).tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    assert Kernel("identity").gram([[0, 1], [0.0, 1.0]], [[0, 2], [0, 1]]).tolist() == [[0, 1], [0, 1]]
    assert Kernel("identity").gram(np.array([[0.0, 1.0], [0.0, 2.0]])).tolist() == [[1, 0], [0, 1]]
    assert Kernel("identity").gram([("a", 1), ("a", 2)]).tolist() == [[1, 0], [0, 1]]
    zeros, words = np.array([0.0, -0.0, 1.0]), np.array(["0.0", "1.0"])
    assert Kernel("identity").gram(zeros, np.array([0, 1])).tolist() == [[1, 0], [1, 0], [0, 1]]
    assert not Kernel("identity").gram(zeros, words).any()
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 2, (40, 3)), rng.integers(0, 2, (30, 3))
    expected = [[float((u == v).all()) for v in y] for u in x]
    assert Kernel("identity").gram(x, y).tolist() == expected


def test_product_kernel(points):
    x, y = points
    product = ProductKernel([Kernel("rbf", 0.5), Kernel("laplacian", 2.0)], [[0, 2], [1]])
    left = lambda u, v: math.exp(-((u[0] - v[0]) ** 2 + (u[2] - v[2]) ** 2) / 0.25 - abs(u[1] - v[1]) / 2)  # noqa: E731
    close(product.gram(x, y), loop(left, x, y))
    blocks = ProductKernel([Kernel("rbf", 0.9)] * 3, [[0], [1], [2]])
    close(blocks.gram(x, y), Kernel("rbf", 0.9).gram(x, y))


def test_close_points_far_from_the_origin_stay_distinct():
    x = 1e8 + np.array([[0.0], [2.0**-20], [3 * 2.0**-20]])  # all exact in float64
    close(Kernel("rbf", 2.0**-20).gram(x)[0], [1, math.exp(-1), math.exp(-9)])
    close(Kernel("laplacian", 2.0**-20).gram(x)[0], [1, math.exp(-1), math.exp(-3)])


@pytest.mark.parametrize("name", ["rbf", "laplacian"])
def test_any_positive_bandwidth(name):
    x = [[0.0], [1.0]]
    assert Kernel(name, 1e-200).gram(x).tolist() == [[1, 0], [0, 1]]
    assert Kernel(name, 5e-324).gram(x).tolist() == [[1, 0], [0, 1]]
    assert Kernel(name, 1e200).gram(x).tolist() == [[1, 1], [1, 1]]
    close(Kernel(name, 1e-140).gram([[0.0], [1e-140]])[0], [1, math.exp(-1)])


def test_multiprecision_gram_is_mpmaths():
    x, y = [["0.1", "2"]], [["1/3", "0"], ["0.1", "2"]]
    with mpmath.workdps(60):
        a, b = (mpmath.mpf(1) / 10, mpmath.mpf(2)), (mpmath.mpf(1) / 3, mpmath.mpf(0))
        square = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
        expected = {
            "rbf": mpmath.exp(-square / mpmath.mpf("0.7") ** 2),
            "laplacian": mpmath.exp(-(abs(a[0] - b[0]) + 2) / mpmath.mpf("0.7")),
        }
        for name, value in expected.items():
            gram = Kernel(name, mpmath.mpf("0.7")).gram(x, y, arithmetic=MP(60))
            assert abs(gram[0, 0] - value) < mpmath.mpf(10) ** -57
            assert gram[0, 1] == 1


@pytest.mark.parametrize(
    ("make", "error", "word"),
    [
        (lambda: Kernel("gauss"), ValueError, "kernel"),
        (lambda: Kernel(3), TypeError, "kernel"),
        (lambda: Kernel("rbf"), ValueError, "bandwidth"),
        (lambda: Kernel("rbf", 0.0), ValueError, "bandwidth"),
        (lambda: Kernel("rbf", -1.0), ValueError, "bandwidth"),
        (lambda: Kernel("laplacian", math.nan), ValueError, "bandwidth"),
        (lambda: Kernel("rbf", math.inf), ValueError, "bandwidth"),
        (lambda: Kernel("rbf", True), TypeError, "bandwidth"),
        (lambda: Kernel("rbf", 1.0, {"gamma": 2.0}), ValueError, "params"),
        (lambda: Kernel("linear", 1.0), ValueError, "bandwidth"),
        (lambda: ProductKernel([], []), ValueError, "columns"),
        (lambda: ProductKernel([Kernel("linear")], [[0], [1]]), ValueError, "columns"),
        (lambda: ProductKernel([Kernel("linear")], [[4]]).gram([[1.0]]), ValueError, "columns"),
        # no normalisation exists
        (lambda: Kernel("linear").gram([[0.0, 0.0], [1.0, 0.0]]), ValueError, "kernel"),
        (lambda: Kernel("additive_chi2").gram([[1.0], [2.0]]), ValueError, "kernel"),
        (lambda: Kernel(lambda u, v: -1.0).gram([[1.0]]), ValueError, "kernel"),
        (lambda: Kernel(lambda u, v: math.nan).gram([[1.0]]), ValueError, "kernel"),
        (lambda: Kernel(lambda u, v: 1.0 + (u != v)).gram(["a", "b"]), ValueError, "positive definite"),
        (lambda: Kernel(lambda u, v: "one").gram(["a", "b"]), TypeError, "kernel"),
        # points
        (lambda: Kernel("rbf", 1.0).gram([[1.0], [1.0, 2.0]]), TypeError, "x"),
        (lambda: Kernel("rbf", 1.0).gram([[1.0]], [[1.0, 2.0]]), ValueError, "dimension"),
        (lambda: Kernel("rbf", 1.0).gram([[1j]]), TypeError, "x"),
        (lambda: Kernel("rbf", 1.0).gram([[math.nan]]), ValueError, "x"),
        (lambda: Kernel("rbf", 1.0).gram(np.empty((0, 2))), ValueError, "x"),
        (lambda: Kernel("rbf", 1.0).gram(np.empty((2, 0))), ValueError, "x"),
        (lambda: Kernel("rbf", 1.0).gram(np.empty((2, 2, 2))), ValueError, "x"),
        (lambda: Kernel("identity").gram([]), ValueError, "x"),
        (lambda: Kernel("identity").gram("ab"), TypeError, "x"),
    ],
)
def test_bad_kernels_and_points(make, error, word):
    with pytest.raises(error, match=word):
        make()


def test_median_bandwidth_is_brute_force(points):
    x, y = points
    assert median_bandwidth(x, y) == pytest.approx(statistics.median(math.dist(u, v) for u in x for v in y), rel=1e-15)
    pooled = statistics.median(math.dist(u, v) for u, v in itertools.combinations([*x, *y], 2))
    assert median_bandwidth(x, y, "pooled") == pytest.approx(pooled, rel=1e-15)
    assert median_bandwidth([0.0, 1.0], [4.0]) == 3.5


def test_median_bandwidth_errors():
    with pytest.raises(ValueError, match="rule"):
        median_bandwidth([0.0], [1.0], "mean")
    with pytest.raises(ValueError, match="bandwidth"):
        median_bandwidth([0.0, 0.0, 1.0], [0.0])
    with pytest.raises(ValueError, match="dimension"):
        median_bandwidth([[0.0]], [[0.0, 1.0]])
    with pytest.raises(ValueError, match="x"):
        median_bandwidth([], [1.0])


@pytest.mark.parametrize("name", ["rbf", "laplacian"])
def test_bandwidth_rules_by_name(points, name):
    x, y = points
    at = {"alpha": 2, "regularization": 0.1, "kernel": name}
    cross = statistics.median(math.dist(u, v) for u in x for v in y)
    pooled = statistics.median(math.dist(u, v) for u, v in itertools.combinations([*x, *y], 2))
    for rule, number in ((None, cross), ("median", cross), ("pooled", pooled)):
        value = kernel_renyi_estimate(x, y, bandwidth=rule, **at)
        assert value == pytest.approx(kernel_renyi_estimate(x, y, bandwidth=number, **at), rel=1e-13)
    with pytest.raises(ValueError, match="bandwidth"):
        kernel_renyi_estimate(x, y, bandwidth="mean", **at)
    with pytest.raises(ValueError, match="kernel"):
        kernel_renyi_estimate(x, y, alpha=2, regularization=0.1, kernel=Kernel("linear"), bandwidth=2.0)


def test_names_are_scikit_learns():
    """The list of names is stored, so that scikit-learn need not be imported for it."""
    from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS

    assert set(SKLEARN_NAMES) == set(PAIRWISE_KERNEL_FUNCTIONS)


@pytest.mark.parametrize("unit", [2.0**-1060, 1e-200, 1e-160, 1.0, 1e155, 1e200, 1e300])
def test_points_of_any_size(unit):
    """In units of the bandwidth the matrix is the same; distances are scaled before they are squared."""
    points = np.array([[0.0], [1.0], [2.0], [-0.5], [2.0]])
    want = np.exp(-((points - points.T) ** 2))
    assert Kernel("rbf", bandwidth=unit).gram(points * unit) == pytest.approx(want, rel=1e-14)
    for rule in ("cross", "pooled"):
        assert median_bandwidth(points * unit, [[3 * unit]], rule) == pytest.approx(
            unit * median_bandwidth(points, [[3.0]], rule), rel=1e-15
        )


def test_points_at_distances_far_above_and_below_the_bandwidth():
    far = Kernel("rbf", bandwidth=1e-200).gram([[0.0], [1e200], [1.7e308], [1.7e308], [-1.7e308]])
    assert far.tolist() == [
        [1, 0, 0, 0, 0],
        [0, 1, 0, 0, 0],
        [0, 0, 1, 1, 0],
        [0, 0, 1, 1, 0],
        [0, 0, 0, 0, 1],
    ]
    assert (Kernel("rbf", bandwidth=1e200).gram([[0.0], [5e-324], [1.0]]) == 1).all()
    # a large offset does not change the distances
    offset = Kernel("rbf", bandwidth=1.0).gram([[1e15], [1e15 + 1]])
    assert offset[0, 1] == pytest.approx(np.exp(-1), rel=1e-15)


def test_rbf_of_coordinates_with_squares_beyond_floats():
    gram = Kernel("rbf", bandwidth=2.0**90).gram([[0.0], [2.0**90], [2.0**600]])
    assert gram[0, 1] == pytest.approx(math.exp(-1), rel=1e-15) and (gram[2] == [0, 0, 1]).all()


@pytest.mark.parametrize(
    ("kernel", "points", "message"),
    [
        (lambda x, y: 1.0 if x == y else -0.9, [0, 1, 2], "positive definite .this is an eigenvalue"),
        (lambda x, y: 1.0 if x == y else 0.5 if x < y else 0.1, [0, 1], "symmetric"),
    ],
)
def test_a_gram_matrix_that_is_not_positive_semidefinite(kernel, points, message):
    with pytest.raises(ValueError, match=message):
        Kernel(kernel).gram(points)


def test_values_above_one_between_samples():
    with pytest.raises(ValueError, match="<= 1 once normalised"):
        Kernel(lambda x, y: 1.0 if x == y else 2.0).gram([0, 1], [2, 3])


def test_polynomial_kernel_in_multiprecision():
    """(x y / d + 1)^3, and with parameters, divided by the diagonal."""
    x, y, ar = [1, 2], [3, -1], MP(30)
    for params, k in (
        ({}, lambda t: (t / 2 + 1) ** 3),
        ({"gamma": 2, "coef0": 3, "degree": 2}, lambda t: (2 * t + 3) ** 2),
    ):
        with mpmath.workdps(30):
            wanted = k(mpmath.mpf(1)) / mpmath.sqrt(k(mpmath.mpf(5)) * k(mpmath.mpf(10)))
        gram = Kernel("polynomial", params=params).gram([x, y], arithmetic=ar)
        assert abs(gram[0, 1] - wanted) < 1e-25
