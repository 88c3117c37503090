"""Covariance operators of finite distributions in a kernel's feature space."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, check_labels, reject
from krdtheory.kernels.kernels import AnyKernel, Kernel, points_array


@dataclass(frozen=True, eq=False)
class Covariance:
    """The operator sum_i w_i phi(x_i) phi(x_i)^* of weighted points; its trace is the sum of the weights.

    >>> from krdtheory.kernels import Covariance, covariance
    >>> isinstance(covariance([0.0, 1.0], bandwidth=1.0), Covariance)
    True
    """

    points: Array
    weights: Any
    kernel: AnyKernel


def covariance(points: Any, weights: Any = None, kernel: Any = "rbf", *, bandwidth: Any = None) -> Covariance:
    r"""Covariance operator of a finite distribution.

    .. math:: \Sigma_p = \sum_i w_i\, \varphi(x_i) \varphi(x_i)^*

    Parameters
    ----------
    points : array_like, shape (n, d) or (n,), or a sequence of any objects a callable kernel takes
        Points; they may repeat.
    weights : array_like, shape (n,), optional
        Nonnegative, not all zero; uniform 1/n where not given. They need not sum to one.
    kernel : str, callable, Kernel or ProductKernel
        As `Kernel`.
    bandwidth : float, optional
        Bandwidth of a kernel that has one.

    Returns
    -------
    Covariance

    Raises
    ------
    ValueError, TypeError
        Points or weights that do not match or are not finite, negative weights, an invalid kernel.

    References
    ----------
    Bach (2022); Domingo-Enrich and Mroueh (2022), Section 2.

    Examples
    --------
    >>> from krdtheory.kernels import covariance
    >>> covariance([[0.0], [1.0]], [0.25, 0.75], "rbf", bandwidth=1.0).weights
    array([0.25, 0.75])
    """
    if isinstance(kernel, AnyKernel) and bandwidth is not None:
        reject("bandwidth", bandwidth, "None where the kernel is ready")
    k = kernel if isinstance(kernel, AnyKernel) else Kernel(kernel, bandwidth)
    return weighted_points(points, weights, k)


def weighted_points(
    points: Any, weights: Any, kernel: AnyKernel, prefix: str = "", arithmetic: Arithmetic = FLOAT64
) -> Covariance:
    """Return `covariance` for a kernel object, in any arithmetic; errors name the arguments {prefix}points, ..."""
    check_labels(0, **{f"{prefix}points": points, f"{prefix}weights": weights})
    x = points_array(points, f"{prefix}points", vectors=kernel.takes_vectors, arithmetic=arithmetic)
    if weights is None:
        uniform = Fraction(1, len(x))
        weights = np.full(len(x), uniform, dtype=arithmetic.dtype)
    w = arithmetic.result(arithmetic.weights(weights, f"{prefix}weights", nonzero=True))
    if np.shape(w) != (len(x),):
        name, shape = f"{prefix}weights", np.shape(w)
        raise ValueError(f"{name} must have shape ({len(x)},), one for each point; got shape {shape}")
    return Covariance(x, w, kernel)


def joint_support(p: Covariance, q: Covariance) -> tuple[Array, Array, Array]:
    """Return the distinct points of positive weight under p or q, and their total weights under p and under q."""
    if p.points.shape[1:] != q.points.shape[1:]:
        dims = p.points.shape[1:], q.points.shape[1:]
        raise ValueError(f"p_points and q_points must have the same dimension; got {dims[0]} and {dims[1]}")
    kinds = p.points.dtype.kind + p.weights.dtype.kind + q.weights.dtype.kind
    if p.points.dtype == q.points.dtype and p.points.size and set(kinds) <= set("biuf"):
        return _joint_support_of_numbers(p, q)
    index: dict[Any, int] = {}
    kept: list[Any] = []
    totals: list[list[Any]] = []
    for which, c in enumerate((p, q)):
        for point, weight in zip(c.points, c.weights, strict=True):
            if not weight > 0:
                continue
            key = _key(point)
            if key not in index:
                index[key] = len(kept)
                kept.append(point)
                totals.append([0 * weight, 0 * weight])
            totals[index[key]][which] += weight
    table = np.array(totals)
    out = np.empty((len(kept), *p.points.shape[1:]), dtype=np.result_type(p.points, q.points))
    for i, point in enumerate(kept):
        out[i] = point
    return out, table[:, 0], table[:, 1]


def _joint_support_of_numbers(p: Covariance, q: Covariance) -> tuple[Array, Array, Array]:
    """Return `joint_support` of points that are rows of numbers, which sorting brings together."""
    points, weights = (
        np.concatenate([getattr(c, name)[c.weights > 0] for c in (p, q)]) for name in ("points", "weights")
    )
    of_p = np.arange(len(points)) < np.count_nonzero(p.weights > 0)
    rows = points.reshape(len(points), -1)
    order = np.lexsort(rows.T)
    starts = np.append(True, (rows[order[1:]] != rows[order[:-1]]).any(1))
    first = order[starts]  # the sort is stable
    place = np.empty(len(first), dtype=int)
    place[np.argsort(first)] = np.arange(len(first))
    label = np.empty(len(points), dtype=int)
    label[order] = place[np.cumsum(starts) - 1]
    totals = (np.bincount(label, np.where(on, weights, 0), len(first)) for on in (of_p, ~of_p))
    return points[np.sort(first)], *totals


def _key(point: Any) -> Any:
    """Return a key equal for equal points; an object neither hashable nor a container equals only itself."""
    if isinstance(point, np.ndarray):
        entries = point.ravel().tolist()
        return (np.ndarray, point.shape, *(map(_key, entries) if point.dtype == object else entries))
    if isinstance(point, (list, tuple)):
        return (type(point), *map(_key, point))
    if isinstance(point, (set, dict)):
        return type(point), frozenset(map(_key, point.items() if isinstance(point, dict) else point))
    try:
        hash(point)
    except TypeError:
        return id(point)
    return point
