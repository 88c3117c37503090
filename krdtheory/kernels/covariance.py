"""Covariance operators of finite distributions in a kernel's feature space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array
from krdtheory.kernels.kernels import AnyKernel, Kernel, points_array


@dataclass(frozen=True, eq=False)
class Covariance:
    """The operator sum_i w_i phi(x_i) phi(x_i)^* of weighted points; its trace is the sum of the weights."""

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
        Of a kernel that has one.

    Returns
    -------
    Covariance

    Raises
    ------
    ValueError, TypeError
        Points or weights that do not match or are not finite, negative weights, a kernel that cannot be.

    References
    ----------
    Bach (2022); Domingo-Enrich and Mroueh (2022), Section 2.

    Examples
    --------
    >>> from krdtheory.kernels import covariance
    >>> covariance([[0.0], [1.0]], [0.25, 0.75], "rbf", bandwidth=1.0).weights
    array([0.25, 0.75])
    """
    k = kernel if isinstance(kernel, AnyKernel) else Kernel(kernel, bandwidth)
    x = points_array(points, "points", vectors=k.takes_vectors)
    if weights is None:
        weights = np.full(len(x), 1 / len(x))
    w = np.asarray(weights)
    if w.shape != (len(x),):
        raise ValueError(f"weights must have shape ({len(x)},), one for each point; got shape {w.shape}")
    return Covariance(x, w, k)


def joint_support(p: Covariance, q: Covariance, arithmetic: Arithmetic = FLOAT64) -> tuple[Array, Array, Array]:
    """Distinct points of positive weight under p or q, and both weights on them, repeats added up."""
    ar = arithmetic
    both = [
        (c.points, np.ravel(ar.weights(c.weights, f"{name}_weights", nonzero=True))) for c, name in ((p, "p"), (q, "q"))
    ]
    if both[0][0].shape[1:] != both[1][0].shape[1:]:
        dims = [x.shape[1:] for x, _ in both]
        raise ValueError(f"p_points and q_points must have the same dimension; got {dims[0]} and {dims[1]}")
    index: dict[Any, int] = {}
    kept: list[Any] = []
    totals: list[list[Any]] = []
    for which, (points, weights) in enumerate(both):
        for point, weight in zip(points, weights, strict=True):
            if not weight > 0:
                continue
            key = _key(point)
            if key not in index:
                index[key] = len(kept)
                kept.append(point)
                totals.append([0 * weight, 0 * weight])
            totals[index[key]][which] += weight
    table = np.array(totals, dtype=object if ar is not FLOAT64 else float)
    points = both[0][0][:0]
    out = np.empty((len(kept), *points.shape[1:]), dtype=np.result_type(both[0][0], both[1][0]))
    for i, point in enumerate(kept):
        out[i] = point
    return out, table[:, 0], table[:, 1]


def _key(point: Any) -> Any:
    """Equal points have equal keys; of objects that can be neither hashed nor taken apart, only the same one equals."""
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
