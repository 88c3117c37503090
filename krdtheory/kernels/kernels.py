"""Positive definite kernels, normalised to k(x, x) = 1, and the bandwidth rules of the paper."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial, singledispatch
from numbers import Real
from typing import Any

import numpy as np

from krdtheory.arithmetic import FLOAT64, Arithmetic, Float64
from krdtheory.arithmetic.base import Array, check_labels, check_signature, has_complex, reject
from krdtheory.imports import extra

BANDWIDTH_KERNELS = ("rbf", "laplacian")
STRICTLY_POSITIVE = (*BANDWIDTH_KERNELS, "identity")
NORMALISED = STRICTLY_POSITIVE  # k(x, x) = 1 without normalisation
ALWAYS_POSITIVE = (*STRICTLY_POSITIVE, "linear", "cosine")
EXACT_KERNELS = (*STRICTLY_POSITIVE, "linear", "cosine", "polynomial")
SKLEARN_NAMES = (
    "additive_chi2",
    "chi2",
    "cosine",
    "laplacian",
    "linear",
    "poly",
    "polynomial",
    "rbf",
    "sigmoid",
)  # of sklearn.metrics.pairwise, which takes a second to import and so is imported only when needed
NAMES = tuple(sorted({*SKLEARN_NAMES, "identity"}))
ROOM = 500  # squared distances of coordinates below 2^500 do not overflow


@dataclass(frozen=True)
class Kernel:
    r"""A kernel by name or as a callable, normalised: k(x, y) / sqrt(k(x, x) k(y, y)).

    Parameters
    ----------
    kernel : str or callable
        "rbf", exp(-(\|x - y\|_2 / bandwidth)^2); "laplacian", exp(-\|x - y\|_1 / bandwidth); "identity", 1 if x = y
        else 0; any other name of `sklearn.metrics.pairwise.pairwise_kernels`; a function of `sklearn.metrics.pairwise`
        that is a kernel, as ``partial(chi2_kernel, gamma=2)``; a scikit-learn `gaussian_process` kernel; or another
        callable that returns a number for two points, which may be any objects.
    bandwidth : float, optional
        Positive; required by "rbf" and "laplacian".
    params : mapping
        Parameters of the other named kernels, as scikit-learn spells them (degree, coef0, gamma).

    Raises
    ------
    ValueError
        An unknown name, a bandwidth that is missing or not positive, parameters the kernel does not take.
    TypeError
        `kernel` is neither a name nor a callable; a bandwidth or a parameter that is not a number.

    Examples
    --------
    >>> from krdtheory.kernels import Kernel
    >>> Kernel("rbf", bandwidth=2.0).gram([[0.0], [2.0]]).round(6).tolist()
    [[1.0, 0.367879], [0.367879, 1.0]]
    >>> Kernel("linear").gram([[3.0, 4.0], [1.0, 0.0]]).tolist()
    [[1.0, 0.6], [0.6, 1.0]]
    """

    kernel: str | Callable[..., Any] = "rbf"
    bandwidth: Any = None
    params: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.kernel, str):
            if self.kernel not in NAMES:
                reject("kernel", self.kernel, f"a callable of two points or one of {', '.join(NAMES)}")
        elif not callable(self.kernel):
            reject("kernel", self.kernel, "a name or a callable", TypeError)
        else:
            check_signature(self.kernel, "kernel", "x", "y")
        if self.kernel in BANDWIDTH_KERNELS:
            _check_bandwidth(self.bandwidth)
        elif self.bandwidth is not None:
            reject("bandwidth", self.bandwidth, f"None for {self.kernel!r}")
        _check_params(self.kernel, self.params)

    @property
    def strictly_positive(self) -> bool:
        """Whether every Gram matrix of distinct points is known to be invertible."""
        return self.kernel in STRICTLY_POSITIVE

    @property
    def takes_vectors(self) -> bool:
        """Whether points are rows of a float array (named and scikit-learn kernels) rather than any objects."""
        return (isinstance(self.kernel, str) or _is_sklearn(self.kernel)) and self.kernel != "identity"

    def gram(self, x: Any, y: Any = None, *, arithmetic: Arithmetic = FLOAT64) -> Array:
        """Normalised Gram matrix [k(x_i, y_j)], shape (n, m); y = x if it is not given.

        Raises
        ------
        ValueError
            k(x, x) is not positive and finite, or the matrix shows that the kernel is not positive definite.
        TypeError
            Points that the kernel cannot take; a callable that does not return real numbers.
        """
        ar, same = arithmetic, y is None
        x, y = _two_samples(x, x if same else y, ("x", "y"), self.takes_vectors, ar)
        values = _entries(ar, self, x, y)
        return values if self.kernel in NORMALISED else self._normalised(ar, values, x, y, same)

    def _normalised(self, ar: Arithmetic, values: Array, x: Array, y: Array, same: bool) -> Array:
        left = np.diagonal(values) if same else self._diagonal(ar, x)
        right = left if same else self._diagonal(ar, y)
        for diagonal in (left, right):
            bad = [d for d in diagonal if not 0 < d < ar.inf]
            if bad:
                reject("kernel", bad[0], "positive and finite on the diagonal (this is a value of k(x, x))")
        values = values / (ar.sqrt(left)[:, None] * ar.sqrt(right)[None, :])
        excess = abs(values).max() if values.size else 0
        if not excess <= 1 + 1e-8:
            reject(
                "kernel", float(excess), "positive definite, so |k(x, y)| <= 1 once normalised (this is a value of it)"
            )
        if same and self.kernel not in ALWAYS_POSITIVE:
            _check_positive(values.astype(float))
        return values

    def _diagonal(self, ar: Arithmetic, x: Array) -> Array:
        if _is_sklearn(self.kernel) and hasattr(self.kernel, "diag"):
            return np.asarray(self.kernel.diag(x), float)
        return np.array([_entries(ar, self, x[i : i + 1], x[i : i + 1])[0, 0] for i in range(len(x))], dtype=ar.dtype)

    def _scikit_learn(self, x: Array, y: Array) -> Array:
        try:
            if callable(self.kernel):
                return np.asarray(self.kernel(x, y), float).reshape(len(x), len(y))
            return np.asarray(_pairwise().pairwise_kernels(x, y, metric=self.kernel, **self.params), float)
        except ValueError as error:  # for example negative coordinates
            raise ValueError(f"points must be such as the kernel {self.kernel!r} takes; got: {error}") from None

    @staticmethod
    def _pairs(x: Array, y: Array, k: Callable[[Any, Any], Any]) -> Array:
        out = np.empty((len(x), len(y)), dtype=object)
        for i, u in enumerate(x):
            for j, v in enumerate(y):
                out[i, j] = k(u, v)
        return out

    def _entry(self, ar: Arithmetic, x: Any, y: Any) -> Any:
        """Return k(x, y), not yet normalised, in any arithmetic."""
        if not (isinstance(self.kernel, str) or _is_sklearn(self.kernel)):
            return ar.array(self.kernel(x, y), "kernel(x, y)")[()]
        if self.kernel == "identity":
            return ar.array(int(np.all(x == y)), "k")[()]
        if self.kernel not in EXACT_KERNELS:
            reject(
                "kernel",
                self.kernel,
                f"a callable of two points or one of {', '.join(EXACT_KERNELS)} in multiprecision",
            )
        u, v = ar.array(x, "x"), ar.array(y, "y")
        if self.kernel in BANDWIDTH_KERNELS:
            bandwidth = ar.array(self.bandwidth, "bandwidth")[()]
            scaled = (u - v) / bandwidth
            return ar.exp(-(scaled * scaled).sum() if self.kernel == "rbf" else -abs(scaled).sum())
        if self.kernel == "polynomial":
            gamma, coef0 = self.params.get("gamma"), self.params.get("coef0", 1)
            scale = ar.array(1, "gamma")[()] / len(u) if gamma is None else ar.array(gamma, "gamma")[()]
            return (scale * (u @ v) + ar.array(coef0, "coef0")[()]) ** self.params.get("degree", 3)
        return u @ v


@singledispatch
def _entries(ar: Arithmetic, k: Kernel, x: Array, y: Array) -> Array:
    """Return the matrix [k(x_i, y_j)], not yet normalised."""
    return k._pairs(x, y, lambda u, v: k._entry(ar, u, v))


@_entries.register(Float64)
def _entries_in_float64(ar: Float64, k: Kernel, x: Array, y: Array) -> Array:
    """Compute all pairs at once by NumPy, SciPy and scikit-learn."""
    from scipy.spatial.distance import cdist  # which takes long to import

    if k.kernel == "rbf":
        # differences, not the expanded square, which cancels for close points
        mantissa, exponent = np.frexp(float(k.bandwidth))
        scale = max(int(exponent), _exponent(x, y) - ROOM)
        with np.errstate(over="ignore"):
            values = cdist(np.ldexp(x, -scale), np.ldexp(y, -scale), "sqeuclidean")
            values /= -(mantissa**2)
            np.ldexp(values, 2 * (scale - int(exponent)), out=values)
            return np.exp(values, out=values)
    if k.kernel == "laplacian":
        with np.errstate(over="ignore"):
            return np.exp(-cdist(x, y, "cityblock") / float(k.bandwidth))
    if k.kernel == "identity":
        if x.dtype.kind in "biuf" and y.dtype.kind in "biuf" and x.shape[1:] == y.shape[1:]:
            both = np.concatenate([x.reshape(len(x), -1), y.reshape(len(y), -1)])
            label = np.unique(both, axis=0, return_inverse=True)[1].ravel()
            return (label[: len(x), None] == label[len(x) :]).astype(float)
        return k._pairs(x, y, lambda u, v: float(np.all(u == v))).astype(float)
    if isinstance(k.kernel, str) or _is_sklearn(k.kernel):
        return k._scikit_learn(x, y)
    return _floats(k._pairs(x, y, k.kernel))


@dataclass(frozen=True)
class ProductKernel:
    """Product of kernels, each reading its own columns: k(x, y) = prod_j k_j(x[columns_j], y[columns_j]).

    Parameters
    ----------
    factors : sequence of Kernel
        Kernels, one for each block of columns.
    columns : sequence of slices or index lists
        The blocks, in the order of `factors`.

    Examples
    --------
    >>> from krdtheory.kernels import Kernel, ProductKernel
    >>> k = ProductKernel([Kernel("rbf", bandwidth=1.0), Kernel("rbf", bandwidth=2.0)], [[0], [1]])
    >>> k.gram([[0.0, 0.0], [0.0, 2.0]]).round(6).tolist()
    [[1.0, 0.367879], [0.367879, 1.0]]
    """

    factors: Sequence[Kernel]
    columns: Sequence[Any]
    takes_vectors = True

    def __post_init__(self) -> None:
        for name, value in (("factors", self.factors), ("columns", self.columns)):
            if not isinstance(value, (list, tuple)):
                reject(name, value, "a list or tuple", TypeError)
        for factor in self.factors:
            if not isinstance(factor, AnyKernel):
                reject("factors", factor, "Kernels (this is one of them)", TypeError)
        if len(self.factors) == 0 or len(self.factors) != len(self.columns):
            raise ValueError(
                f"columns must name one block for each of {len(self.factors)} factors; got {len(self.columns)}"
            )

    @property
    def strictly_positive(self) -> bool:
        """False: it would be known only if strictly positive factors together read every column."""
        return False

    def gram(self, x: Any, y: Any = None, *, arithmetic: Arithmetic = FLOAT64) -> Array:
        """Normalised Gram matrix, shape (n, m)."""
        same = y is None
        x, y = _two_samples(x, x if same else y, ("x", "y"), True, arithmetic)
        out = None
        for factor, block in zip(self.factors, self.columns, strict=True):
            left = right = None
            with suppress(IndexError):
                left, right = x[:, block], y[:, block]
            if left is None or left.ndim > 2 or left.size == 0:
                reject("columns", block, f"columns of points of dimension {x.shape[1]} (this is one block)")
            values = factor.gram(left, None if same else right, arithmetic=arithmetic)
            out = values if out is None else out * values
        return np.asarray(out)


def _is_sklearn(kernel: Any) -> bool:
    """Return whether it is scikit-learn's, which takes two matrices of points and is imported already if so."""
    module = sys.modules.get("sklearn.gaussian_process.kernels")
    function = kernel.func if isinstance(kernel, partial) else kernel
    return (module is not None and isinstance(kernel, module.Kernel)) or getattr(
        function, "__module__", None
    ) == "sklearn.metrics.pairwise"


def _pairwise() -> Any:
    with extra("audit"):
        from sklearn.metrics import pairwise

    return pairwise


AnyKernel = Kernel | ProductKernel


def _check_bandwidth(value: Any) -> None:
    try:
        number = not isinstance(value, (bool, np.bool_)) and not getattr(value, "ndim", 0)
        positive = value is not None and bool(0 < value < np.inf)
    except (TypeError, ValueError):
        number = False
    if not number:
        reject("bandwidth", value, "a positive number", TypeError)
    if not positive:
        reject("bandwidth", value, "a positive number")


def _check_params(kernel: Any, params: Any) -> None:
    if not isinstance(params, Mapping):
        reject("params", params, "a mapping of names to numbers", TypeError)
    if params and kernel in BANDWIDTH_KERNELS:
        reject("params", params, f"empty for {kernel!r}, whose scale is its bandwidth")
    if not params:
        return
    function = _pairwise().PAIRWISE_KERNEL_FUNCTIONS.get(kernel) if kernel in SKLEARN_NAMES else None
    known = set() if function is None else {*inspect.signature(function).parameters} - {"X", "Y", "dense_output"}
    for name, value in params.items():
        if name not in known:
            reject("params", name, f"one of {', '.join(sorted(known))} for {kernel!r}" if known else "empty here")
        if value is not None and (isinstance(value, bool) or not isinstance(value, Real)):
            reject(f"params[{name!r}]", value, "a number", TypeError)
        if value is not None and not np.isfinite(float(value)):
            reject(f"params[{name!r}]", value, "finite")


def _check_positive(gram: Array) -> None:
    """Reject a Gram matrix that fails to be symmetric or positive semidefinite by more than rounding errors."""
    skew = np.abs(gram - gram.T).max()
    if skew > 1e-8:
        reject("kernel", skew, "symmetric (this is a value of |k(x, y) - k(y, x)|)")
    try:
        np.linalg.cholesky(gram + 1e-8 * len(gram) * np.eye(len(gram)))
    except np.linalg.LinAlgError:
        lowest = np.linalg.eigvalsh(gram)[0]
        reject("kernel", lowest, "positive definite (this is an eigenvalue of its Gram matrix)")


def _floats(values: Array) -> Array:
    """Return the values of a callable kernel as floats."""

    def number(value: Any) -> float:
        try:
            if isinstance(value, (str, bool, np.bool_, np.complexfloating, np.ndarray)):
                raise TypeError
            return float(value)
        except (TypeError, ValueError):
            reject("kernel", value, "a callable that returns a real number (it returned this)", TypeError)

    return np.asarray(np.frompyfunc(number, 1, 1)(values), dtype=float)


def _two_samples(
    x: Any, y: Any, names: tuple[str, str], vectors: bool, arithmetic: Arithmetic = FLOAT64
) -> tuple[Array, Array]:
    """Return both samples as `points_array` does; vectors must have the same dimension."""
    check_labels(1, **dict(zip(names, (x, y), strict=True)))
    u, v = (
        points_array(z, name, vectors=vectors, arithmetic=arithmetic) for z, name in zip((x, y), names, strict=True)
    )
    if vectors and u.shape[1] != v.shape[1]:
        raise ValueError(f"{names[0]} and {names[1]} must have the same dimension; got {u.shape[1]} and {v.shape[1]}")
    return u, v


def points_array(points: Any, name: str, *, vectors: bool, arithmetic: Arithmetic = FLOAT64) -> Array:
    """Return the points as an array along its first axis: rows of a matrix of numbers, or any objects."""
    if not vectors:
        unsized = not hasattr(points, "__len__") or getattr(points, "shape", None) == ()
        if unsized or isinstance(points, (str, bytes, Mapping, Set)):
            reject(name, points, "a sequence of points", TypeError)
        if isinstance(points, np.ndarray):
            out = points
        else:
            out = np.empty(len(points), dtype=object)
            for i, point in enumerate(points):
                out[i] = point
        if len(out) == 0:
            reject(name, points, "at least one point")
        return out
    x = arithmetic.array(points, name)
    if has_complex(x):
        reject(name, x, "real points", TypeError)
    if x.ndim == 1:
        x = x[:, None]
    if x.ndim != 2:
        reject(name, x.shape, "points of shape (n, d) or (n,) (this is its shape)")
    if x.shape[0] == 0 or x.shape[1] == 0:
        reject(name, x.shape, "at least one point of at least one coordinate (this is its shape)")
    return x


def median_bandwidth(x: Any, y: Any, rule: str = "cross") -> float:
    """Median distance, the usual bandwidth of an RBF kernel.

    Parameters
    ----------
    x, y : array_like, shapes (n, d) and (m, d)
        Samples.
    rule : {"cross", "pooled"}
        "cross": over the n m distances between x and y, as the kernel paper's experiments do.
        "pooled": over the pairs of distinct indices of the two samples together.

    Returns
    -------
    float
        The median Euclidean distance, positive.

    Raises
    ------
    ValueError
        An unknown rule, empty or mismatched samples, or a median of 0 (most points coincide).
    TypeError
        Samples that are not numeric.

    Examples
    --------
    >>> from krdtheory.kernels import median_bandwidth
    >>> median_bandwidth([[0.0], [1.0]], [[4.0]])
    3.5
    """
    return _median(*_two_samples(x, y, ("x", "y"), True), rule)


def _median(u: Array, v: Array, rule: str) -> float:
    from scipy.spatial.distance import cdist, pdist

    scale = _exponent(u, v)
    u, v = np.ldexp(u, -scale), np.ldexp(v, -scale)
    if rule == "cross":
        scaled = np.median(cdist(u, v))
    elif rule == "pooled":
        scaled = np.median(pdist(np.concatenate([u, v])))
    else:
        reject("rule", rule, '"cross" or "pooled"')
    with np.errstate(over="ignore"):
        median = float(np.ldexp(scaled, scale))
    if not 0 < median < np.inf:
        reject("bandwidth", median, "given where the median distance is 0 or not finite (this is that median)")
    return median


def _exponent(u: Array, v: Array) -> int:
    """Return the least e with all coordinates below 2^e, by which to scale if squared distances overflow."""
    return int(np.frexp(max((float(abs(x).max()) for x in (u, v) if x.size), default=0.0))[1])


def make_kernel(
    kernel: Any,
    bandwidth: Any,
    kernel_params: Mapping[str, Any] | None,
    x: Any,
    y: Any,
    *,
    names: tuple[str, str] = ("x", "y"),
    arithmetic: Arithmetic = FLOAT64,
) -> AnyKernel:
    """Return the kernel that a caller specified: a kernel object, or a name or callable with its parameters.

    For "rbf" and "laplacian", the `bandwidth` "median" or "pooled" is the median rule on x and y; None means "median".
    Error messages refer to x and y by `names`.
    """
    rule = bandwidth if isinstance(bandwidth, str) else "median" if bandwidth is None else None
    if rule not in (None, "median", "pooled"):
        reject("bandwidth", bandwidth, '"median", "pooled" or a positive number')
    check_labels(1, **dict(zip(names, (x, y), strict=True)))
    if isinstance(kernel, AnyKernel):
        if kernel_params or rule != "median":
            reject("kernel", kernel, "a name or a callable where bandwidth or kernel_params is given")
        return kernel
    if rule and isinstance(kernel, str) and kernel in BANDWIDTH_KERNELS:
        u, v = _two_samples(x, y, names, True, arithmetic)
        bandwidth = _median(u.astype(float), v.astype(float), "pooled" if rule == "pooled" else "cross")
    elif rule == "median":
        bandwidth = None
    return Kernel(kernel, bandwidth, {} if kernel_params is None else kernel_params)
