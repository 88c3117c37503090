"""The kernel Renyi divergence of finite weighted point sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq, fmpq_mat

from krdtheory.arithmetic.ball import (
    INF,
    BallMatrix,
    DividedLog,
    DividedPower,
    Eigen,
    Matrix,
    Power,
    XLogX,
    add_up,
    adjoint,
    power_sum,
    scaled_columns,
    trace,
    x_log_x,
)
from krdtheory.arithmetic.base import by_name, check_labels, reject
from krdtheory.arithmetic.exact import ExactMatrix
from krdtheory.ball.classical import renyi_of
from krdtheory.ball.inputs import INFINITY, mapped, number, numbers, regularizations, renyi_orders, weight_vectors
from krdtheory.ball.low_orders import graded_power_sum, greedy_sum, is_graded, levels
from krdtheory.ball.quantum import identity, needs_inclusion, sandwiched_of
from krdtheory.kernels.kernels import BANDWIDTH_KERNELS, Kernel, median_bandwidth


@by_name
def kernel_renyi(
    p_points: Any,
    p_weights: Any,
    q_points: Any,
    q_weights: Any,
    *,
    alpha: Any,
    regularization: Any,
    kernel: Any = "rbf",
    bandwidth: Any = None,
    digits: int = 50,
) -> Any:
    """Kernel Renyi divergence of two finite weighted point sets, as `krdtheory.kernels.kernel_renyi`.

    Points and weights are rational. The kernels are "rbf", "laplacian" (Gram entries are balls, supports at lambda = 0
    are decided by the common points), "linear" and "identity" (operators are exact matrices, supports are decided over
    Q). The default bandwidth is exactly the float64 median.

    Examples
    --------
    >>> from krdtheory import ball
    >>> d = ball.kernel_renyi([0, 1], None, [0, 2], None, alpha=[2, 6], regularization="0.1", bandwidth=1, digits=10)
    >>> [x.str(6) for x in d]
    ['[0.832763 +/- 1.54e-7]', '[1.21006 +/- 3.77e-7]']
    """
    check_labels(1, p_points=p_points, q_points=q_points)
    check_labels(0, p_points=p_points, p_weights=p_weights)
    check_labels(0, q_points=q_points, q_weights=q_weights)
    k = _kernel_of(kernel, bandwidth, p_points, q_points)
    p = _points(p_points, "p_points", k), _point_weights(p_weights, "p_weights", len(p_points))
    q = _points(q_points, "q_points", k), _point_weights(q_weights, "q_weights", len(q_points))
    if k.kernel != "identity" and len(p[0][0]) != len(q[0][0]):
        dims = len(p[0][0]), len(q[0][0])
        raise ValueError(f"p_points and q_points must have the same dimension; got {dims[0]} and {dims[1]}")
    points, w, v = _joint_points(p, q)
    formula = kernel_formula(k, points, w, v)
    orders, lambdas = renyi_orders(alpha), regularizations(regularization)
    for value, name in ((orders, "alpha"), (lambdas, "regularization")):
        if value.ndim > 1:
            reject(name, value.shape, "a number or 1-dimensional (this is its shape)")
    shape = orders.shape + (1,) * lambdas.ndim
    return mapped(formula, {"alpha": orders.reshape(shape), "regularization": lambdas}, digits)


@dataclass(frozen=True, eq=False)
class _Problem:
    """Distinct points, with weights w of p and v of q, and a function that returns k(x_i, x_j) as a ball."""

    size: int
    entry: Callable[[int, int], Any]
    w: list[fmpq]
    v: list[fmpq]

    def gram(self, rows: list[int], columns: list[int], left: list[fmpq], right: list[fmpq]) -> Any:
        """Return the matrix [sqrt(left_i right_j) k(x_i, x_j)]."""
        roots = {i: arb(left[i]).sqrt() for i in rows}
        others = {j: arb(right[j]).sqrt() for j in columns}
        entries = [roots[i] * others[j] * self.entry(i, j) for i in rows for j in columns]
        return arb_mat(len(rows), len(columns), entries)


def _kernel_value(problem: _Problem, alpha: Any, shift: fmpq) -> Any:
    """Return the value for a strictly positive definite kernel. With M = V^1/2 K V^1/2 on the points of q:

    lambda > 0: the sandwich has the eigenvalues of lambda^s Kxx + Kxy h(M) Kyx, h(t) = ((t + lambda)^s - lambda^s) / t,
    s = (1 - alpha) / alpha; lambda = 0 and supp p in supp q: those of R M^(1/alpha) R, R^2 = diag(w / v), without a
    negative power; lambda = 0 otherwise, alpha < 1: those of Kxy M^(s-1) Kyx.
    """
    x = [i for i in range(problem.size) if problem.w[i] > 0]
    y = [i for i in range(problem.size) if problem.v[i] > 0]
    w, v = problem.w, problem.v
    included = set(x) <= set(y)
    total = arb(sum(w, fmpq(0)))
    if shift == 0 and needs_inclusion(alpha) and not included:
        return INF
    if shift == 0 and alpha == INFINITY:
        return arb(max(w[i] / v[i] for i in x)).log()
    eigen = Eigen.of(problem.gram(y, y, v, v)).positive()
    ratio = [a / b if b > 0 else fmpq(0) for a, b in zip(w, v, strict=True)]
    if alpha != INFINITY and alpha < fmpq(1, 4):
        power = _graded_kernel_sum(problem, x, y, shift, alpha)
        if power is not None:
            return (total / power).log() / arb(1 - alpha)
    if alpha == 1:
        entropy = add_up(x_log_x(t) for t in Eigen.of(problem.gram(x, x, w, w)).positive().spectrum())
        if shift > 0:
            cross = problem.gram(x, y, w, v)
            log = total * arb(shift).log() + trace(cross * eigen.apply(DividedLog(shift)) * adjoint(cross))
        else:
            image = eigen.apply(XLogX())
            log = add_up(arb(ratio[i]) * image[k, k] for k, i in enumerate(y))
        return (entropy - log) / total
    s = fmpq(-1) if alpha == INFINITY else (1 - alpha) / alpha
    if shift > 0:
        cross = problem.gram(x, y, w, v)
        middle = eigen.apply(DividedPower(s, shift))
        sandwich = problem.gram(x, x, w, w) * arb(shift) ** arb(s) + cross * middle * adjoint(cross)
    elif included:
        image, place = eigen.apply(Power(s + 1)), {i: k for k, i in enumerate(y)}
        roots = {i: arb(ratio[i]).sqrt() for i in x}
        entries = [roots[i] * image[place[i], place[j]] * roots[j] for i in x for j in x]
        sandwich = arb_mat(len(x), len(x), entries)
    else:
        cross = problem.gram(x, y, w, v)
        sandwich = cross * (_power_of(eigen, s - 1) * adjoint(cross))
    spectrum = Eigen.of(sandwich).positive(min(sandwich.nrows(), len(x), len(y) if shift == 0 else len(x))).spectrum()
    if alpha == INFINITY:
        return spectrum[-1].log()
    return (power_sum(spectrum, alpha) / total).log() / arb(alpha - 1)


def _power_of(eigen: Eigen, s: fmpq) -> BallMatrix:
    """Return M^s of an invertible M, which for s = 0 is Id without a proof that M is invertible."""
    return identity(len(eigen.values)).at_precision() if s == 0 else eigen.apply(Power(s))


def _graded_kernel_sum(problem: _Problem, x: list[int], y: list[int], shift: fmpq, alpha: Any) -> Any | None:
    """Return tr (B^s rho B^s)^alpha by decreasing eigenvalues of B, in the coordinates of K^1/2, and its limit at
    alpha = 0; None if the order does not require this method.
    """
    every, one = list(range(problem.size)), [fmpq(1)] * problem.size
    root = Eigen.of(problem.gram(every, every, one, one)).positive().apply(Power(fmpq(1, 2)))
    rho, sigma = (scaled_columns(root, [arb(t) for t in weights]) * root for weights in (problem.w, problem.v))
    b = Eigen.of(sigma).positive(len(y))
    if alpha != 0 and not is_graded(b, shift, alpha):
        return None
    parts = levels(b, shift, rho, len(x) if shift > 0 else min(len(x), len(y)))
    return greedy_sum(parts) if alpha == 0 else graded_power_sum(b, rho, parts, alpha)


def _kernel_of(kernel: Any, bandwidth: Any, x: Any, y: Any) -> Kernel:
    """Return one of the four kernels; the bandwidth is a rational, or the float64 median."""
    if isinstance(kernel, Kernel):
        if bandwidth is not None:
            reject("bandwidth", bandwidth, "None where the kernel is ready")
        kernel, bandwidth = kernel.kernel, kernel.bandwidth
    if not isinstance(kernel, str) or kernel not in _KERNELS:
        reject("kernel", kernel, f"one of {', '.join(_KERNELS)} in ball arithmetic")
    if kernel not in BANDWIDTH_KERNELS:
        return Kernel(kernel, bandwidth)
    if bandwidth is None or bandwidth in ("median", "pooled"):
        u, v = ([[float(c) for c in point] for point in _points(z, "points", None)] for z in (x, y))
        bandwidth = median_bandwidth(u, v, "pooled" if bandwidth == "pooled" else "cross")
    exact = number(bandwidth, "bandwidth")
    if isinstance(exact, arb) or exact <= 0:
        reject("bandwidth", bandwidth, "a positive rational")
    return Kernel(kernel, Fraction(int(exact.p), int(exact.q)))


_KERNELS = ("rbf", "laplacian", "linear", "identity")


def _points(points: Any, name: str, kernel: Kernel | None) -> list[Any]:
    """Return points as tuples of rationals; any hashable objects for the identity kernel."""
    if kernel is not None and kernel.kernel == "identity":
        return [_hashable(x) for x in points]
    x = numbers(points, name)
    x = x[:, None] if x.ndim == 1 else x
    if x.ndim != 2 or x.size == 0:
        reject(name, x.shape, "points of shape (n, d) or (n,), n, d >= 1 (this is its shape)")
    for entry in x.flat:
        if isinstance(entry, arb):
            reject(name, entry, "rational points")
    return [tuple(row) for row in x]


def _hashable(point: Any) -> Any:
    if isinstance(point, np.ndarray):
        point = point.tolist()
    return tuple(map(_hashable, point)) if isinstance(point, (list, tuple)) else point


def _point_weights(weights: Any, name: str, count: int) -> list[fmpq]:
    if weights is None:
        return [fmpq(1, count)] * count
    x = weight_vectors(weights, name, nonzero=True)
    if x.ndim or len(x[()]) != count:
        raise ValueError(f"{name} must have shape ({count},), one for each point; got shape {np.shape(weights)}")
    for weight in x[()]:
        if isinstance(weight, arb):
            reject(name, weight, "rational")
    return list(x[()])


def _joint_points(
    p: tuple[list[Any], list[fmpq]], q: tuple[list[Any], list[fmpq]]
) -> tuple[list[Any], list[fmpq], list[fmpq]]:
    """Return the distinct points of positive weight, and both weights of each."""
    totals: dict[Any, list[fmpq]] = {}
    for which, (points, weights) in enumerate((p, q)):
        for point, weight in zip(points, weights, strict=True):
            if weight != 0:
                totals.setdefault(point, [fmpq(0), fmpq(0)])[which] += weight
    return list(totals), [x[0] for x in totals.values()], [x[1] for x in totals.values()]


def kernel_formula(kernel: Kernel, points: list[Any], w: list[fmpq], v: list[fmpq]) -> Callable[[Any, fmpq], Any]:
    """Return the divergence as a function of order and lambda."""
    if kernel.kernel == "identity":
        return lambda alpha, shift: renyi_of(w, [x + shift for x in v], alpha)
    if kernel.kernel == "linear":
        rho, sigma = _second_moments(points, w), _second_moments(points, v)
        return lambda alpha, shift: sandwiched_of(rho, sigma, alpha, shift)
    scale = number(kernel.bandwidth, "bandwidth")
    squared = kernel.kernel == "rbf"

    def entry(i: int, j: int) -> Any:
        scaled = [(a - b) / scale for a, b in zip(points[i], points[j], strict=True)]
        return (-arb(sum((t * t if squared else abs(t) for t in scaled), fmpq(0)))).exp()

    problem = _Problem(len(points), entry, w, v)
    return lambda alpha, shift: _kernel_value(problem, alpha, shift)


def _second_moments(points: list[Any], weights: list[fmpq]) -> Matrix:
    """Return the covariance operator of the normalised linear kernel, the sum of w x x^T / |x|^2."""
    d = len(points[0])
    total = fmpq_mat(d, d)
    for x, weight in zip(points, weights, strict=True):
        size = sum((c * c for c in x), fmpq(0))
        if size == 0:
            reject("kernel", 0, "positive and finite on the diagonal (this is a value of k(x, x))")
        column = fmpq_mat(d, 1, list(x))
        total += column * column.transpose() * (weight / size)
    return Matrix(d, ExactMatrix(total, None))
