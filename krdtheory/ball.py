"""The divergences in ball arithmetic: same names, same arguments, and `digits` (50 unless told). Rigorous.

A result is a `flint.arb` that is guaranteed to contain the value, with radius at most 10^-digits times the value (or
10^(-2 digits), for values below 10^-digits), or it is exactly +inf. `UndecidedError` says what could not be decided,
and at which precision.

Input is exact: integers, `fractions.Fraction`, decimal strings, sympy rationals, floats (the dyadic rationals they
are), complex ones with rational parts; a matrix that is not exactly Hermitian is refused. Zeros, ranks and supports are
decided over Q and positive semidefiniteness is proved, so there is no `support_tol`. Balls (`flint.arb`, `flint.acb`)
are taken too: the result then holds the value at every legal point of them, as narrow as they allow.

>>> from fractions import Fraction
>>> import krdtheory.ball
>>> print(krdtheory.ball.renyi([Fraction(1, 3), Fraction(2, 3)], ["0.5", "0.5"], 2, digits=30).str(30))
[0.105360515657826301227500980839 +/- 3.13e-31]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from flint import acb, arb, arb_mat, ctx, fmpq, fmpq_mat
from scipy.sparse.csgraph import connected_components

from krdtheory.arithmetic.ball import (
    INF,
    BallMatrix,
    DividedLog,
    DividedPower,
    Eigen,
    Log,
    Matrix,
    Power,
    UndecidedError,
    XLogX,
    adjoint,
    check_digits,
    conjugate,
    enclose,
    interval,
    matrix,
    positive_eigen,
    positive_part,
    positive_power,
    power_sum,
    real_trace_of_product,
    trace,
    x_log_x,
)
from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.exact import ExactMatrix, entries_array, rational_parts
from krdtheory.kernels.kernels import BANDWIDTH_KERNELS, Kernel, median_bandwidth

__all__ = [
    "Certificate",
    "UndecidedError",
    "certify",
    "f_divergence",
    "hellinger",
    "hockey_stick",
    "kernel_renyi",
    "kl",
    "max_divergence",
    "max_relative_entropy",
    "maximal_renyi",
    "petz_renyi",
    "quantum_hockey_stick",
    "quantum_relative_entropy",
    "renyi",
    "sandwiched_renyi",
    "total_variation",
    "trace_distance",
]

Number = Any  # fmpq, or arb where it is not exact
INFINITY = "inf"  # the order, as opposed to a value


def renyi(p: Any, q: Any, alpha: Any, *, digits: int = 50) -> Any:
    r"""Renyi divergence of order alpha, as `krdtheory.renyi`.

    .. math:: D_\alpha(p\|q) = \frac{1}{\alpha-1} \log \frac{\sum_i p_i^\alpha q_i^{1-\alpha}}{\sum_i p_i}

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights, exact or balls; p not all zero.
    alpha : array_like
        Rational orders in [0, inf], limits taken; broadcasts against the leading dimensions.
    digits : int
        Correct digits asked for.

    Returns
    -------
    arb or array of arb, shape (...)
        In nats.

    Raises
    ------
    UndecidedError
        Not certified at the highest precision, or the balls given do not say which weights are zero.
    ValueError, TypeError
        As `krdtheory.renyi`; irrational numbers that are not balls.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.renyi([1, 2], [2, 1], "1/2", digits=10).str(10))
    [0.1177830357 +/- 4.37e-11]
    >>> ball.renyi([1, 0], [0, 1], 2) == float("inf")
    True
    """
    x, y = _two_weights(p, q)
    return _mapped(_renyi, {"p": x, "q": y, "alpha": _orders(alpha)}, digits)


def kl(p: Any, q: Any, *, digits: int = 50) -> Any:
    """Kullback-Leibler divergence, as `krdtheory.kl`; parameters, results and errors as `renyi`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.kl(["0.5", "0.5"], ["0.25", "0.75"], digits=10).str(10))
    [0.1438410362 +/- 2.59e-11]
    """
    x, y = _two_weights(p, q)
    return _mapped(_kl, {"p": x, "q": y}, digits)


def max_divergence(p: Any, q: Any, *, digits: int = 50) -> Any:
    """Max divergence, as `krdtheory.max_divergence`; parameters, results and errors as `renyi`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.max_divergence(["0.5", "0.5"], ["0.25", "0.75"], digits=10).str(10))
    [0.6931471806 +/- 4.01e-11]
    """
    return renyi(p, q, float("inf"), digits=digits)


def hockey_stick(p: Any, q: Any, epsilon: Any, *, digits: int = 50) -> Any:
    """Hockey-stick divergence, as `krdtheory.hockey_stick`; epsilon is rational, a ball, or infinite.

    Examples
    --------
    >>> from flint import arb
    >>> from krdtheory import ball
    >>> print(ball.hockey_stick(["0.5", "0.5"], ["0.25", "0.75"], 0))
    0.250000000000000
    >>> ball.hockey_stick(["0.5", "0.5"], ["0.2", "0.8"], arb(2).log()).contains(arb("0.1"))
    True
    """
    x, y = _two_weights(p, q)
    return _mapped(_hockey_stick, {"p": x, "q": y, "epsilon": _epsilons(epsilon)}, digits)


def total_variation(p: Any, q: Any, *, digits: int = 50) -> Any:
    """Total variation distance, as `krdtheory.total_variation`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.total_variation(["0.5", "0.5"], ["0.25", "0.75"]))
    0.250000000000000
    """
    x, y = _two_weights(p, q)
    return _mapped(_total_variation, {"p": x, "q": y}, digits)


def hellinger(p: Any, q: Any, *, digits: int = 50) -> Any:
    """Hellinger distance 1 - sum sqrt(p q), as `krdtheory.hellinger`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.hellinger(["0.5", "0.5"], ["0.25", "0.75"], digits=10).str(10))
    [0.03407417371 +/- 9.32e-13]
    """
    x, y = _two_weights(p, q)
    return _mapped(_hellinger, {"p": x, "q": y}, digits)


def f_divergence(
    p: Any, q: Any, f: Any, *, value_at_zero: Any = None, slope_at_infinity: Any = None, digits: int = 50
) -> Any:
    """Csiszar's f-divergence, as `krdtheory.f_divergence`.

    A callable f takes a ball (`flint.arb`) and returns one that holds f of every number in it; it is called at rising
    `flint.ctx.prec`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.f_divergence(["0.5", "0.5"], ["0.25", "0.75"], lambda t: t * t.log(), digits=10).str(10))
    [0.1438410362 +/- 2.59e-11]
    """
    x, y = _two_weights(p, q)
    limits = (("value_at_zero", value_at_zero), ("slope_at_infinity", slope_at_infinity))
    if isinstance(f, str):
        if f not in _GENERATORS:
            reject("f", f, f"a callable or one of {', '.join(_GENERATORS)}")
        for name, given in limits:
            if given is not None:
                reject(name, given, "None where f is a name")
        term, *ends = _GENERATORS[f]
        zero, slope = (INF if v is None else v for v in ends)
    elif callable(f):
        zero, slope = (_limit(v, name) for name, v in limits)

        def term(u: Any, v: Any) -> Any:
            value = f(u / v)
            if not isinstance(value, arb):
                reject("f", value, "a function that returns a ball (flint.arb) for a ball", TypeError)
            return v * value
    else:
        reject("f", f, "a callable or a name", TypeError)
    return _mapped(lambda u, v: _f_divergence(u, v, term, zero, slope), {"p": x, "q": y}, digits)


def sandwiched_renyi(rho: Any, sigma: Any, alpha: Any, regularization: Any = 0, *, digits: int = 50) -> Any:
    r"""Sandwiched Renyi divergence, as `krdtheory.sandwiched_renyi`.

    .. math:: D_{\alpha,\lambda}(\rho\|\sigma) = \frac{1}{\alpha-1} \log
       \frac{\mathrm{tr}\,[(B^{\frac{1-\alpha}{2\alpha}} \rho B^{\frac{1-\alpha}{2\alpha}})^\alpha]}{\mathrm{tr}\,\rho},
       \qquad B = \sigma + \lambda\,\mathrm{Id}

    Parameters
    ----------
    rho, sigma : array_like, shape (..., n, n)
        Exactly Hermitian, rational or Gaussian rational, positive semidefinite (which is proved); rho not zero. A
        matrix of balls stands for the positive semidefinite matrices in it.
    alpha : array_like
        Rational orders in [0, inf], limits taken.
    regularization : array_like
        Rational lambda >= 0.
    digits : int
        Correct digits asked for.

    Returns
    -------
    arb or array of arb, shape (...)
        In nats; exactly +inf where supports make it so.

    Raises
    ------
    UndecidedError
        Not certified at the highest precision. For matrices of balls: whether sigma is singular is not decided; the
        error's `lower` bounds the value then.
    ValueError, TypeError
        As `krdtheory.sandwiched_renyi`; not exactly Hermitian; irrational numbers that are not balls.

    Examples
    --------
    >>> from krdtheory import ball
    >>> rho, sigma = [["1/2", "1/2"], ["1/2", "1/2"]], [["3/4", 0], [0, "1/4"]]
    >>> print(ball.sandwiched_renyi(rho, sigma, 2, digits=20).str(20))
    [0.91149278881665232665 +/- 2.97e-21]
    >>> ball.sandwiched_renyi(rho, [[1, 0], [0, 0]], 2) == float("inf")
    True
    """
    return _quantum(_sandwiched, rho, sigma, {"alpha": _orders(alpha)}, regularization, digits)


def petz_renyi(rho: Any, sigma: Any, alpha: Any, regularization: Any = 0, *, digits: int = 50) -> Any:
    """Petz-Renyi divergence, as `krdtheory.petz_renyi`; parameters, results and errors as `sandwiched_renyi`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> rho, sigma = [["1/2", "1/2"], ["1/2", "1/2"]], [["3/4", 0], [0, "1/4"]]
    >>> print(ball.petz_renyi(rho, sigma, 2, digits=10).str(10))
    [0.9808292530 +/- 1.18e-11]
    """
    return _quantum(_petz, rho, sigma, {"alpha": _orders(alpha)}, regularization, digits)


def maximal_renyi(rho: Any, sigma: Any, alpha: Any, regularization: Any = 0, *, digits: int = 50) -> Any:
    """Maximal Renyi divergence, as `krdtheory.maximal_renyi`; parameters, results and errors as `sandwiched_renyi`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> rho, sigma = [["1/2", "1/2"], ["1/2", "1/2"]], [["3/4", 0], [0, "1/4"]]
    >>> print(ball.maximal_renyi(rho, sigma, 2, digits=10).str(10))
    [0.9808292530 +/- 1.18e-11]
    """
    return _quantum(_maximal, rho, sigma, {"alpha": _orders(alpha)}, regularization, digits)


def quantum_relative_entropy(rho: Any, sigma: Any, regularization: Any = 0, *, digits: int = 50) -> Any:
    """Umegaki's relative entropy, as `krdtheory.quantum_relative_entropy`; not divided by tr rho.

    Examples
    --------
    >>> from krdtheory import ball
    >>> rho, sigma = [["1/2", "1/2"], ["1/2", "1/2"]], [["3/4", 0], [0, "1/4"]]
    >>> print(ball.quantum_relative_entropy(rho, sigma, digits=10).str(10))
    [0.8369882168 +/- 1.42e-11]
    """
    return _quantum(_umegaki, rho, sigma, {}, regularization, digits)


def max_relative_entropy(rho: Any, sigma: Any, regularization: Any = 0, *, digits: int = 50) -> Any:
    """Max relative entropy, as `krdtheory.max_relative_entropy`; parameters, results, errors as `sandwiched_renyi`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> rho, sigma = [["1/2", "1/2"], ["1/2", "1/2"]], [["3/4", 0], [0, "1/4"]]
    >>> print(ball.max_relative_entropy(rho, sigma, digits=10).str(10))
    [0.9808292530 +/- 1.18e-11]
    """
    return sandwiched_renyi(rho, sigma, float("inf"), regularization, digits=digits)


def quantum_hockey_stick(rho: Any, sigma: Any, epsilon: Any, regularization: Any = 0, *, digits: int = 50) -> Any:
    """Quantum hockey-stick divergence, as `krdtheory.quantum_hockey_stick`; epsilon is rational or a ball.

    Examples
    --------
    >>> from krdtheory import ball
    >>> rho, sigma = [["1/2", "1/2"], ["1/2", "1/2"]], [["3/4", 0], [0, "1/4"]]
    >>> print(ball.quantum_hockey_stick(rho, sigma, 0, digits=10).str(10))
    [0.5590169944 +/- 2.51e-11]
    """
    finite = _numbers(epsilon, "epsilon")
    return _quantum(_hockey_stick_matrix, rho, sigma, {"epsilon": finite}, regularization, digits)


def trace_distance(rho: Any, sigma: Any, regularization: Any = 0, *, digits: int = 50) -> Any:
    """Trace distance, as `krdtheory.trace_distance`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> rho, sigma = [["1/2", "1/2"], ["1/2", "1/2"]], [["3/4", 0], [0, "1/4"]]
    >>> print(ball.trace_distance(rho, sigma, digits=10).str(10))
    [0.5590169944 +/- 2.51e-11]
    """
    return _quantum(_trace_distance, rho, sigma, {}, regularization, digits)


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

    Rational points and weights, and the kernels "rbf", "laplacian" (Gram entries are balls, supports at lambda = 0 are
    decided by which points are common), "linear" and "identity" (operators are exact matrices, supports are decided
    over Q). A bandwidth that is not given is the float64 median, exactly.

    Examples
    --------
    >>> from krdtheory import ball
    >>> d = ball.kernel_renyi([0, 1], None, [0, 2], None, alpha=[2, 6], regularization="0.1", bandwidth=1, digits=10)
    >>> [x.str(6) for x in d]
    ['[0.832763 +/- 1.54e-7]', '[1.21006 +/- 3.77e-7]']
    """
    k = _kernel_of(kernel, bandwidth, p_points, q_points)
    p = _points(p_points, "p_points", k), _point_weights(p_weights, "p_weights", len(p_points))
    q = _points(q_points, "q_points", k), _point_weights(q_weights, "q_weights", len(q_points))
    if k.kernel != "identity" and len(p[0][0]) != len(q[0][0]):
        dims = len(p[0][0]), len(q[0][0])
        raise ValueError(f"p_points and q_points must have the same dimension; got {dims[0]} and {dims[1]}")
    points, w, v = _joint_points(p, q)
    formula = _kernel_formula(k, points, w, v)
    orders, lambdas = _orders(alpha), _regularizations(regularization)
    for value, name in ((orders, "alpha"), (lambdas, "regularization")):
        if value.ndim > 1:
            reject(name, value.shape, "a number or 1-dimensional (this is its shape)")
    shape = orders.shape + (1,) * lambdas.ndim
    return _mapped(formula, {"alpha": orders.reshape(shape), "regularization": lambdas}, digits)


# Input


def _number(x: Any, name: str) -> Number:
    """A real number as a rational, or as the ball it is."""
    if isinstance(x, acb) and x.imag == 0:
        x = x.real
    if isinstance(x, arb) and not x.is_finite():
        reject(name, x, "finite")
    if isinstance(x, arb):
        return _rational(x) if x.is_exact() else x
    try:
        parts = rational_parts(x)
    except (TypeError, ValueError) as error:
        reject(name, x, f"finite numbers ({error})", type(error))
    if parts is None:
        reject(name, x, "rational, or a ball that contains it", TypeError)
    if parts[1] != 0:
        reject(name, x, "real", TypeError)
    return parts[0]


def _rational(x: arb) -> fmpq:
    mantissa, exponent = x.man_exp()
    return fmpq(mantissa) * fmpq(2) ** int(exponent)


def _numbers(value: Any, name: str) -> Array:
    entries = entries_array(value, name)
    out = np.empty(entries.shape, dtype=object)
    for index in np.ndindex(entries.shape):
        out[index] = _number(entries[index], name)
    return out


def _orders(alpha: Any) -> Array:
    """Renyi orders as rationals, or INFINITY."""
    entries = entries_array(alpha, "alpha")
    out = np.empty(entries.shape, dtype=object)
    for index in np.ndindex(entries.shape):
        x = entries[index]
        out[index] = INFINITY if _is_infinite(x) else _number(x, "alpha")
        if isinstance(out[index], arb):
            reject("alpha", x, "rational or inf")
        if out[index] != INFINITY and out[index] < 0:
            reject("alpha", x, "in [0, inf]")
    return out


def _is_infinite(x: Any, sign: int = 1) -> bool:
    try:
        return not isinstance(x, (str, bytes)) and bool(x == sign * float("inf"))
    except TypeError:
        return False


def _regularizations(value: Any) -> Array:
    out = _numbers(value, "regularization")
    for x in out.flat:
        if isinstance(x, arb):
            reject("regularization", x, "rational")
        if x < 0:
            reject("regularization", x, "finite and >= 0")
    return out


def _weights(value: Any, name: str, *, nonzero: bool = False) -> Array:
    """Vectors of weights, shape (...) of lists."""
    x = _numbers(value, name)
    if x.ndim == 0 or x.shape[-1] == 0:
        reject(name, value, "a vector of at least one weight, shape (..., n)")
    out = np.empty(x.shape[:-1], dtype=object)
    for index in np.ndindex(out.shape):
        out[index] = list(x[index])
        for weight in out[index]:
            if weight < 0:
                reject(name, weight, "nonnegative")
        if nonzero and all(weight == 0 for weight in out[index]):
            reject(name, value, "weights that are not all zero")
    return out


def _two_weights(p: Any, q: Any) -> tuple[Array, Array]:
    x, y = _weights(p, "p", nonzero=True), _weights(q, "q")
    n, m = (len(v.flat[0]) if v.size else None for v in (x, y))
    if n != m and None not in (n, m):
        raise ValueError(f"p and q must have the same number of entries; got {n} and {m}")
    return x, y


def _matrices(value: Any, name: str) -> Array:
    """Hermitian matrices, shape (...)."""
    entries = entries_array(value, name)
    if entries.ndim < 2 or entries.shape[-1] != entries.shape[-2] or entries.shape[-1] == 0:
        reject(name, entries.shape, "a square matrix, shape (..., n, n), n >= 1 (this is its shape)")
    out = np.empty(entries.shape[:-2], dtype=object)
    for index in np.ndindex(out.shape):
        out[index] = _hermitian(entries[index], name)
    return out


def _hermitian(entries: Array, name: str) -> Matrix:
    n = len(entries)
    if any(isinstance(x, (arb, acb)) for x in entries.flat):
        return _hermitian_balls(entries, name)
    try:
        parts: list[Any] = [rational_parts(x) for x in entries.flat]
    except (TypeError, ValueError) as error:
        reject(name, entries, f"a matrix of finite numbers ({error})", type(error))
    for x, part in zip(entries.flat, parts, strict=True):
        if part is None:
            reject(name, x, "of rational entries, or of balls that contain them", TypeError)
    exact = ExactMatrix.of([parts[i * n : i * n + n] for i in range(n)])
    skew = exact.re != exact.re.transpose() or (exact.im is not None and exact.im != -exact.im.transpose())
    if skew:
        reject(name, entries, "exactly Hermitian, as (A + A^*) / 2 is")
    return Matrix(n, exact)


def _hermitian_balls(entries: Array, name: str) -> Matrix:
    n = len(entries)
    balls = [_as_ball(x, name) for x in entries.flat]
    for i in range(n):
        for j in range(i + 1):
            if not balls[i * n + j].overlaps(conjugate(balls[j * n + i])):
                reject(name, entries[i, j], "Hermitian (this is an entry)")
    return Matrix(n, None, matrix(n, n, balls))


def _as_ball(x: Any, name: str) -> Any:
    if isinstance(x, (arb, acb)):
        if not x.is_finite():
            reject(name, x, "finite")
        return x
    parts = _hermitian(np.array([[x]], dtype=object), name).exact
    assert parts is not None
    return arb(parts.re[0, 0])


def _mapped(formula: Callable[..., Any], arrays: Mapping[str, Array], digits: int) -> Any:
    """formula of the entries of arrays that broadcast, enclosed to `digits` digits."""
    check_digits(digits)
    names = " and ".join(arrays)
    try:
        broadcast = np.broadcast_arrays(*arrays.values())
    except ValueError:
        shapes = ", ".join(str(x.shape) for x in arrays.values())
        raise ValueError(f"leading dimensions of {names} must broadcast; got {shapes}") from None
    out = np.empty(broadcast[0].shape, dtype=object)
    for index in np.ndindex(out.shape):
        values = [x[index] for x in broadcast]
        out[index] = enclose(partial(formula, *values), digits, exact=_are_exact(values), guard=_guard(values))
    return out[()]


def _are_exact(values: Any) -> bool:
    return all(
        _are_exact(v) if isinstance(v, (list, tuple)) else not isinstance(v, arb) and getattr(v, "exact", v) is not None
        for v in values
    )


def _guard(values: list[Any]) -> int:
    """Bits that a division by alpha - 1 costs."""
    gaps = [abs(v - 1) for v in values if isinstance(v, fmpq) and v not in (0, 1)]
    return max([0, *(int(1 / x).bit_length() for x in gaps)])


def _epsilons(epsilon: Any) -> Array:
    """Rationals, balls, INFINITY and "-inf"."""
    entries = entries_array(epsilon, "epsilon")
    out = np.empty(entries.shape, dtype=object)
    for index in np.ndindex(entries.shape):
        x = entries[index]
        infinite = INFINITY if _is_infinite(x) else "-inf" if _is_infinite(x, -1) else None
        out[index] = infinite or _number(x, "epsilon")
    return out


def _limit(value: Any, name: str) -> Any:
    if value is None:
        return None
    return INF if _is_infinite(value) else -INF if _is_infinite(value, -1) else _number(value, name)


def _quantum(
    formula: Callable[..., Any], rho: Any, sigma: Any, more: Mapping[str, Array], regularization: Any, digits: int
) -> Any:
    arrays = {"rho": _matrices(rho, "rho"), "sigma": _matrices(sigma, "sigma"), **more}
    return _mapped(_bounded(formula), {**arrays, "regularization": _regularizations(regularization)}, digits)


# Classical


def _sum(values: Any) -> Any:
    return sum(values, arb(0))


def _support(p: list[Number], q: list[Number]) -> tuple[list[tuple[Any, Any]], bool]:
    """(x, y) as balls where neither is 0, and is p absolutely continuous with respect to q?"""
    pairs, inside = [], True
    for x, y in zip(p, q, strict=True):
        if x == 0:
            continue
        if y == 0:
            if isinstance(x, arb) and not x > 0:
                raise UndecidedError(f"is p = {x.str(5)} zero, as q is?")
            inside = False
        else:
            pairs.append((arb(x), arb(y)))
    return pairs, inside


def _renyi(p: list[Number], q: list[Number], alpha: Any) -> Any:
    pairs, inside = _support(p, q)
    if not inside and (alpha == INFINITY or alpha >= 1):
        return INF
    if not pairs:
        return INF
    total = _sum(arb(x) for x in p)
    if alpha == 1:
        return _kl(p, q) / total
    if alpha == INFINITY:
        return _largest(_ratio(x, y) for x, y in pairs).log()
    if alpha == 0:
        for x, _ in pairs:
            if not x > 0:
                raise UndecidedError(f"is {x.str(5)} zero?")
        return (total / _sum(y for _, y in pairs)).log()
    power = _sum(positive_power(x, alpha) * positive_power(y, 1 - alpha) for x, y in pairs)
    return (power / total).log() / arb(alpha - 1)


def _ratio(x: Any, y: Any) -> Any:
    if not y > 0:
        raise UndecidedError(f"is {y.str(5)} zero?")
    return x / y


def _largest(values: Any) -> Any:
    """The maximum of balls, as a ball."""
    out = None
    for x in values:
        if out is None or x > out:
            out = x
        elif not x < out:
            low, high = max(x.lower(), out.lower()), max(x.upper(), out.upper())
            out = interval(low, high)
    return out


def _kl(p: list[Number], q: list[Number]) -> Any:
    pairs, inside = _support(p, q)
    if not inside:
        return INF
    return _sum(x_log_x(x) - x * _ratio(y, arb(1)).log() for x, y in pairs)


def _hockey_stick(p: list[Number], q: list[Number], epsilon: Any) -> Any:
    if epsilon == INFINITY:
        return _sum(_beyond(arb(x), y) for x, y in zip(p, q, strict=True))
    if epsilon == "-inf":
        return _sum(arb(x) for x in p)
    if epsilon == 0:
        return _sum(_positive_number(x - y) for x, y in zip(p, q, strict=True))
    factor = arb(epsilon).exp()
    return _sum(positive_part(arb(x) - factor * arb(y)) for x, y in zip(p, q, strict=True))


def _beyond(x: Any, y: Number) -> Any:
    """x where y = 0, else 0."""
    return x if y == 0 else arb(0) if y > 0 else interval(arb(0), positive_part(x).upper())


def _positive_number(x: Number) -> Any:
    """max(x, 0), exactly of a rational."""
    return positive_part(x) if isinstance(x, arb) else arb(max(x, fmpq(0)))


def _total_variation(p: list[Number], q: list[Number]) -> Any:
    return _sum(abs(arb(x - y)) for x, y in zip(p, q, strict=True)) / 2


def _hellinger(p: list[Number], q: list[Number]) -> Any:
    if p == q:
        return 1 - _sum(arb(x) for x in p)
    return 1 - _sum(_root(x) * _root(y) for x, y in zip(p, q, strict=True))


def _root(x: Number) -> Any:
    return positive_power(arb(x), fmpq(1, 2))


# y f(x / y), f(0) and f'(inf), None standing for +inf
_GENERATORS: dict[str, tuple[Callable[[Any, Any], Any], int | fmpq | None, int | fmpq | None]] = {
    "kl": (lambda x, y: x * (x / y).log(), 0, None),
    "reverse_kl": (lambda x, y: y * (y / x).log(), None, 0),
    "chi_squared": (lambda x, y: (x - y) * (x - y) / y, 1, None),
    "total_variation": (lambda x, y: abs(x - y) / 2, fmpq(1, 2), fmpq(1, 2)),
    "hellinger": (lambda x, y: y - (x * y).sqrt(), 1, 0),
}


def _f_divergence(p: list[Number], q: list[Number], term: Callable[[Any, Any], Any], zero: Any, slope: Any) -> Any:
    total = arb(0)
    for x, y in zip(p, q, strict=True):
        if x != 0 and y != 0:
            total += term(arb(x), arb(y))
        elif x != 0 or y != 0:
            limit, weight = (slope, x) if y == 0 else (zero, y)
            if limit is None:
                name, where = ("slope_at_infinity", "q") if y == 0 else ("value_at_zero", "p")
                reject(name, None, f"given, {where} being 0 where {'p' if where == 'q' else 'q'} is not")
            if limit == INF or limit == -INF:
                total += limit
            elif limit != 0:
                total += arb(limit) * arb(weight)
    return total


# Quantum


def _identity(n: int) -> Matrix:
    return Matrix(n, ExactMatrix(fmpq_mat(n, n, [int(i == j) for i in range(n) for j in range(n)]), None))


def _check_pair(rho: Matrix, sigma: Matrix) -> None:
    if rho.size != sigma.size:
        raise ValueError(f"rho and sigma must have the same dimension; got {rho.size} and {sigma.size}")


def _check_nonzero(rho: Matrix) -> None:
    if rho.exact is not None and not any(x != 0 for x in rho.exact.re.entries()) and rho.is_zero():
        raise ValueError("rho must be nonzero; got the zero matrix")


@dataclass(frozen=True, eq=False)
class _Pair:
    """rho, and B = sigma + lambda Id by its eigenvalues, at one precision."""

    rho: Matrix
    sigma: Matrix
    shift: fmpq
    b: Eigen

    @classmethod
    def of(cls, rho: Matrix, sigma: Matrix, shift: fmpq) -> _Pair:
        _check_pair(rho, sigma)
        _check_nonzero(rho)
        return cls(rho, sigma, shift, positive_eigen(sigma, "sigma"))

    @property
    def exact(self) -> bool:
        """Are ranks known?"""
        return self.rho.exact is not None and self.sigma.exact is not None

    @property
    def full(self) -> bool:
        """Is B known to be invertible, without further work?"""
        return self.shift > 0 or bool(self.b.lowest > 0 and not self.b.zeros)

    def included(self) -> bool:
        """Is supp rho in supp B?"""
        if self.full:
            return True
        if not self.exact:
            raise UndecidedError(f"whether sigma is singular is not decided at {ctx.prec} bits", lower=None)
        return _exact(self.sigma).rank_beside(_exact(self.rho)) == self.sigma.rank

    def rank(self) -> int | None:
        """Rank of B rho, None where it is not known."""
        if self.full:
            return None if self.rho.exact is None else self.rho.rank
        return _exact(self.sigma).rank_of_product(_exact(self.rho)) if self.exact else None

    def power(self, s: fmpq) -> BallMatrix:
        """B^s on its support."""
        return self.b.apply(Power(s, self.shift))

    def as_balls(self) -> BallMatrix:
        """B."""
        return self.sigma.plus(_identity(self.sigma.size), self.shift).at_precision()

    def sandwich(self, s: fmpq, rho: Matrix | None = None) -> Eigen:
        """Eigenvalues of B^s rho B^s; rho is proved positive semidefinite, by this congruence or by itself."""
        rank = self.rank() if rho is None else rho.rank
        rho = self.rho if rho is None else rho
        side = self.power(s)
        eigen = Eigen.of(side * rho.at_precision() * side)
        if self.full and eigen.lowest > 0:
            return eigen
        eigen = eigen.positive(rank)
        if not (self.full and eigen.zeros and eigen.lowest > 0):
            positive_eigen(rho, "rho")
        return eigen


def _undefined(alpha: Any) -> bool:
    """Is the order one at which a support that is not included makes the divergence infinite?"""
    return alpha == INFINITY or bool(alpha >= 1)


def _infinite(pair: _Pair, alpha: Any) -> bool:
    """Do the supports make the divergence infinite?"""
    infinite = not pair.included() if _undefined(alpha) else not pair.full and pair.rank() == 0
    if infinite:
        positive_eigen(pair.rho, "rho")
    return infinite


def _trace(rho: Matrix) -> Any:
    return trace(rho.at_precision())


def _sandwiched(rho: Matrix, sigma: Matrix, alpha: Any, shift: fmpq) -> Any:
    pair = _Pair.of(rho, sigma, shift)
    if _infinite(pair, alpha):
        return INF
    if alpha == 1:
        return _relative_entropy(pair) / _trace(rho)
    if alpha == INFINITY:
        return pair.sandwich(fmpq(-1, 2)).spectrum()[-1].log()
    if alpha == 0:
        positive_eigen(rho, "rho")
        return (_trace(rho) / _sum(_greedy_sum(_Pair.of(*part, shift)) for part in _blocks(rho, sigma))).log()
    values = pair.sandwich((1 - alpha) / (2 * alpha)).spectrum()
    return (power_sum(values, alpha) / _trace(rho)).log() / arb(alpha - 1)


def _umegaki(rho: Matrix, sigma: Matrix, shift: fmpq) -> Any:
    pair = _Pair.of(rho, sigma, shift)
    return INF if _infinite(pair, fmpq(1)) else _relative_entropy(pair)


def _relative_entropy(pair: _Pair) -> Any:
    """tr rho (log rho - log B), supp rho being in supp B."""
    entropy = _sum(x_log_x(x) for x in positive_eigen(pair.rho, "rho").spectrum())
    return entropy - real_trace_of_product(pair.rho.at_precision(), pair.b.apply(Log(pair.shift)))


def _greedy_sum(pair: _Pair) -> Any:
    """Sum of the eigenvalues of B, the largest first, that raise the rank of rho seen in their eigenspaces.

    The rank seen in the upper eigenspaces is bounded below by what stands out of the errors, and above by their
    dimension and the whole rank; where rho and sigma commute, the ranks in the eigenspaces add up to the whole rank.
    """
    rho, whole = pair.rho.at_precision(), pair.rank()
    if whole is None:
        raise UndecidedError("the rank of a ball matrix is not known, which alpha = 0 needs")
    clusters = [c for c in reversed(pair.b.clusters()) if pair.shift > 0 or not pair.b.zeros.issuperset(c)]
    if _commute(pair.rho, pair.sigma):
        parts = [_rank_at_least(pair.b.projection(c), rho) for c in clusters]
        decided = sum(parts) == whole
    else:
        seen, parts, decided, upper = 0, [], True, []
        for c in clusters:
            upper += c
            rank = _rank_at_least(pair.b.projection(upper), rho)
            decided = decided and rank == min(len(upper), whole)
            parts.append(rank - seen)
            seen = rank
    if not decided:
        raise UndecidedError(f"the rank of rho in eigenspaces of sigma is not decided at {ctx.prec} bits")
    shift = arb(pair.shift)
    return _sum(r * (pair.b.hull(c) + shift) for r, c in zip(parts, clusters, strict=True))


def _blocks(rho: Matrix, sigma: Matrix) -> list[tuple[Matrix, Matrix]]:
    """The diagonal blocks that zeros common to rho and sigma leave, but those where rho is 0."""
    if rho.exact is None or sigma.exact is None:
        return [(rho, sigma)]
    parts = [m for x in (rho.exact, sigma.exact) for m in (x.re, x.im) if m is not None]
    linked = np.array([[any(m[i, j] != 0 for m in parts) for j in range(rho.size)] for i in range(rho.size)])
    count, label = connected_components(linked)
    groups = [np.flatnonzero(label == k).tolist() for k in range(count)]
    pairs = [(_submatrix(rho, group), _submatrix(sigma, group)) for group in groups]
    return [(x, y) for x, y in pairs if not x.is_zero()]


def _submatrix(m: Matrix, rows: list[int]) -> Matrix:
    n, exact = len(rows), _exact(m)
    re, im = (None if x is None else fmpq_mat(n, n, [x[i, j] for i in rows for j in rows]) for x in (exact.re, exact.im))
    return Matrix(n, ExactMatrix(re, im))


def _rank_at_least(projection: BallMatrix, rho: BallMatrix) -> int:
    eigen = Eigen.of(projection * rho * projection)
    return sum(1 for x in eigen.values if x - eigen.eta > 0)


def _commute(rho: Matrix, sigma: Matrix) -> bool:
    x, y = _embedded(rho), _embedded(sigma)
    return bool(x * y == y * x)


def _embedded(m: Matrix, complex_: bool = True) -> fmpq_mat:
    """The real matrix [[re, -im], [im, re]], or re."""
    return _exact(m)._embedded(complex_)


def _exact(m: Matrix) -> ExactMatrix:
    assert m.exact is not None
    return m.exact


def _petz(rho: Matrix, sigma: Matrix, alpha: Any, shift: fmpq) -> Any:
    pair = _Pair.of(rho, sigma, shift)
    if _infinite(pair, alpha):
        return INF
    if alpha == 1:
        return _relative_entropy(pair) / _trace(rho)
    a = positive_eigen(rho, "rho")
    if alpha == INFINITY:
        return _largest_ratio(pair, a).log()
    power = real_trace_of_product(a.apply(Power(alpha)), pair.power(1 - alpha))
    return (power / _trace(rho)).log() / arb(alpha - 1)


def _largest_ratio(pair: _Pair, a: Eigen) -> Any:
    """Largest a_i / b_j over eigenspaces of rho and B that are not orthogonal.

    Non-orthogonal pairs of eigenspaces are as many as the dimension that the matrices rho^i sigma^j span: where so many
    are seen, the others are orthogonal.
    """
    shift, count = arb(pair.shift), 0
    seen: list[Any] = []
    unseen: list[Any] = []
    parts = [(c, pair.b.projection(c)) for c in pair.b.clusters()]
    for c in a.clusters():
        p = a.projection(c)
        for d, q in parts:
            found = bool(real_trace_of_product(p, q) > 0)
            count += found
            if a.zeros.issuperset(c) or (pair.shift == 0 and pair.b.zeros.issuperset(d)):
                continue
            (seen if found else unseen).append(_ratio(a.hull(c), pair.b.hull(d) + shift))
    best = _largest(seen) if seen else arb(0)
    if not all(x < best for x in unseen) and (not pair.exact or count != _joint_dimension(pair.rho, pair.sigma)):
        raise UndecidedError(f"which eigenspaces are orthogonal is not decided at {ctx.prec} bits")
    return best


def _joint_dimension(rho: Matrix, sigma: Matrix) -> int:
    """Dimension over C of the span of rho^i sigma^j."""
    n, x, y = rho.size, _embedded(rho), _embedded(sigma)
    powers = [_exact(_identity(2 * n)).re]
    for _ in range(n - 1):
        powers.append(powers[-1] * x)
    rows = []
    for left in powers:
        for _ in range(n):
            rows.append([(left[i, j], left[n + i, j]) for i in range(n) for j in range(n)])
            left = left * y
    return ExactMatrix.of(rows).rank()


def _shorted(rho: Matrix, sigma: Matrix) -> Matrix:
    """The largest positive semidefinite matrix below rho with support in supp sigma: rho's Schur complement there."""
    complex_ = _exact(rho).im is not None or _exact(sigma).im is not None
    r, s = _embedded(rho, complex_), _embedded(sigma, complex_)
    kernel = _kernel(s)
    inner = kernel.transpose() * r * kernel
    pivots = _pivots(*inner.rref())
    rows = kernel.transpose().tolist()
    basis = fmpq_mat(len(pivots), r.nrows(), [x for j in pivots for x in rows[j]]).transpose()
    seen = r * basis
    rest = r - seen * (basis.transpose() * seen).inv() * seen.transpose() if pivots else r
    n = rho.size
    re = [[rest[i, j] for j in range(n)] for i in range(n)]
    im = [[rest[n + i, j] if complex_ else fmpq(0) for j in range(n)] for i in range(n)]
    rows_ = [list(zip(x, y, strict=True)) for x, y in zip(re, im, strict=True)]
    return Matrix(n, ExactMatrix.of(rows_))


def _pivots(echelon: fmpq_mat, rank: int) -> list[int]:
    return [next(j for j in range(echelon.ncols()) if echelon[i, j] != 0) for i in range(rank)]


def _kernel(m: fmpq_mat) -> fmpq_mat:
    """A basis of the kernel, as columns."""
    echelon, rank = m.rref()
    pivots = _pivots(echelon, rank)
    free = [j for j in range(m.ncols()) if j not in pivots]
    out = fmpq_mat(m.ncols(), len(free))
    for k, j in enumerate(free):
        out[j, k] = fmpq(1)
        for i, p in enumerate(pivots):
            out[p, k] = -echelon[i, j]
    return out


def _maximal(rho: Matrix, sigma: Matrix, alpha: Any, shift: fmpq) -> Any:
    pair = _Pair.of(rho, sigma, shift)
    if _undefined(alpha) and not pair.included():
        positive_eigen(rho, "rho")
        return INF
    part = rho
    if not pair.included():
        positive_eigen(rho, "rho")
        part = _shorted(rho, sigma)
        if part.is_zero():
            return INF
    eigen = pair.sandwich(fmpq(-1, 2), part)
    if alpha == INFINITY:
        return eigen.spectrum()[-1].log()
    if alpha == 1:
        return real_trace_of_product(pair.as_balls(), eigen.apply(XLogX())) / _trace(rho)
    power = real_trace_of_product(pair.as_balls(), eigen.apply(Power(alpha)))
    return (power / _trace(rho)).log() / arb(alpha - 1)


def _hockey_stick_matrix(rho: Matrix, sigma: Matrix, epsilon: Any, shift: fmpq) -> Any:
    return _sum(positive_part(x) for x in _difference(rho, sigma, epsilon, shift))


def _trace_distance(rho: Matrix, sigma: Matrix, shift: fmpq) -> Any:
    return _sum(abs(x) for x in _difference(rho, sigma, fmpq(0), shift)) / 2


def _difference(rho: Matrix, sigma: Matrix, epsilon: Any, shift: fmpq) -> list[Any]:
    """Eigenvalues of rho - e^epsilon (sigma + shift Id)."""
    _check_pair(rho, sigma)
    b = sigma.plus(_identity(sigma.size), shift)
    if epsilon == 0:
        m = rho.plus(b, fmpq(-1))
        eigen = Eigen.of(m.at_precision())
        if m.exact is not None and not (eigen.lowest > 0 or eigen.highest < 0) and m.is_zero():
            return []
        return eigen.spectrum()
    return Eigen.of(rho.at_precision() - b.at_precision() * arb(epsilon).exp()).spectrum()


def _bounded(formula: Callable[..., Any]) -> Callable[..., Any]:
    """`formula` of rho, sigma, ..., lambda that gives a lower bound where the balls in its input leave it undecided:
    the value at a larger lambda. Powers of B + t Id are monotone in t, and so are these divergences, except the maximal
    one of order above 2.
    """

    def call(*args: Any) -> Any:
        try:
            return formula(*args)
        except UndecidedError as error:
            *rest, shift = args
            if _are_exact(args) or (formula is _maximal and 2 < args[2] != INFINITY):
                raise
            radius = _rational(trace(args[1].at_precision()).rad().upper())
            with suppress(UndecidedError):
                error.lower = formula(*rest, shift + 16 * radius + fmpq(1, 2 ** (ctx.prec // 4))).lower()
            raise error from None

    return call


# Kernels


@dataclass(frozen=True, eq=False)
class _Problem:
    """Distinct points, with weights w of p and v of q, and a function that gives k(x_i, x_j) as a ball."""

    size: int
    entry: Callable[[int, int], Any]
    w: list[fmpq]
    v: list[fmpq]

    def gram(self, rows: list[int], columns: list[int], left: list[fmpq], right: list[fmpq]) -> Any:
        """[sqrt(left_i right_j) k(x_i, x_j)]."""
        roots = {i: arb(left[i]).sqrt() for i in rows}
        others = {j: arb(right[j]).sqrt() for j in columns}
        entries = [roots[i] * others[j] * self.entry(i, j) for i in rows for j in columns]
        return arb_mat(len(rows), len(columns), entries)


def _kernel_value(problem: _Problem, alpha: Any, shift: fmpq) -> Any:
    """For a strictly positive definite kernel. With M = V^1/2 K V^1/2 on the points of q:

    lambda > 0: the sandwich has the eigenvalues of lambda^s Kxx + Kxy h(M) Kyx, h(t) = ((t + lambda)^s - lambda^s) / t,
    s = (1 - alpha) / alpha; lambda = 0 and supp p in supp q: those of R M^(1/alpha) R, R^2 = diag(w / v), without a
    negative power; lambda = 0 else, alpha < 1: those of Kxy M^(s-1) Kyx.
    """
    x = [i for i in range(problem.size) if problem.w[i] > 0]
    y = [i for i in range(problem.size) if problem.v[i] > 0]
    w, v = problem.w, problem.v
    included = set(x) <= set(y)
    total = arb(sum(w, fmpq(0)))
    if shift == 0 and _undefined(alpha) and not included:
        return INF
    if shift == 0 and alpha == INFINITY:
        return arb(max(w[i] / v[i] for i in x)).log()
    eigen = Eigen.of(problem.gram(y, y, v, v)).positive()
    ratio = [a / b if b > 0 else fmpq(0) for a, b in zip(w, v, strict=True)]
    if alpha == 0:
        return (total / _greedy_kernel_sum(problem, eigen, x, y, shift)).log()
    if alpha == 1:
        entropy = _sum(x_log_x(t) for t in Eigen.of(problem.gram(x, x, w, w)).positive().spectrum())
        if shift > 0:
            cross = problem.gram(x, y, w, v)
            log = total * arb(shift).log() + trace(cross * eigen.apply(DividedLog(shift)) * adjoint(cross))
        else:
            image = eigen.apply(XLogX())
            log = _sum(arb(ratio[i]) * image[k, k] for k, i in enumerate(y))
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
    """M^s of an invertible M, M^0 = Id without need to see that."""
    return _identity(len(eigen.values)).at_precision() if s == 0 else eigen.apply(Power(s))


def _greedy_kernel_sum(problem: _Problem, eigen: Eigen, x: list[int], y: list[int], shift: fmpq) -> Any:
    """As `_greedy_sum`: the rank of p seen in the upper eigenspaces of q, then lambda for the rest of it."""
    cross = problem.gram(y, x, problem.v, problem.w)
    seen = arb_mat(cross) * adjoint(cross)
    upper, count, total = [], 0, arb(0)
    for c in reversed(eigen.clusters()):
        upper += c
        rank = _rank_at_least(eigen.projection(upper), seen)
        if rank != min(len(upper), len(x)):
            raise UndecidedError(f"the rank of p in eigenspaces of q is not decided at {ctx.prec} bits")
        total, count = total + (rank - count) * (eigen.hull(c) + arb(shift)), rank
    return total + (len(x) - count) * arb(shift)


def _kernel_of(kernel: Any, bandwidth: Any, x: Any, y: Any) -> Kernel:
    """One of the four kernels; the bandwidth a rational, or the float64 median."""
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
    exact = _number(bandwidth, "bandwidth")
    if isinstance(exact, arb) or exact <= 0:
        reject("bandwidth", bandwidth, "a positive rational")
    return Kernel(kernel, Fraction(int(exact.p), int(exact.q)))


_KERNELS = ("rbf", "laplacian", "linear", "identity")


def _points(points: Any, name: str, kernel: Kernel | None) -> list[Any]:
    """Points as tuples of rationals; any hashable objects for the identity kernel."""
    if kernel is not None and kernel.kernel == "identity":
        return [_hashable(x) for x in points]
    x = _numbers(points, name)
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
    x = _weights(weights, name, nonzero=True)
    if x.ndim or len(x[()]) != count:
        raise ValueError(f"{name} must have shape ({count},), one for each point; got shape {np.shape(weights)}")
    for weight in x[()]:
        if isinstance(weight, arb):
            reject(name, weight, "rational")
    return list(x[()])


def _joint_points(
    p: tuple[list[Any], list[fmpq]], q: tuple[list[Any], list[fmpq]]
) -> tuple[list[Any], list[fmpq], list[fmpq]]:
    """Distinct points of positive weight, and both weights of each."""
    totals: dict[Any, list[fmpq]] = {}
    for which, (points, weights) in enumerate((p, q)):
        for point, weight in zip(points, weights, strict=True):
            if weight != 0:
                totals.setdefault(point, [fmpq(0), fmpq(0)])[which] += weight
    return list(totals), [x[0] for x in totals.values()], [x[1] for x in totals.values()]


def _kernel_formula(kernel: Kernel, points: list[Any], w: list[fmpq], v: list[fmpq]) -> Callable[[Any, fmpq], Any]:
    """The divergence as a function of order and lambda."""
    if kernel.kernel == "identity":
        return lambda alpha, shift: _renyi(w, [x + shift for x in v], alpha)
    if kernel.kernel == "linear":
        rho, sigma = _second_moments(points, w), _second_moments(points, v)
        return lambda alpha, shift: _sandwiched(rho, sigma, alpha, shift)
    scale = _number(kernel.bandwidth, "bandwidth")
    squared = kernel.kernel == "rbf"

    def entry(i: int, j: int) -> Any:
        scaled = [(a - b) / scale for a, b in zip(points[i], points[j], strict=True)]
        return (-arb(sum((t * t if squared else abs(t) for t in scaled), fmpq(0)))).exp()

    problem = _Problem(len(points), entry, w, v)
    return lambda alpha, shift: _kernel_value(problem, alpha, shift)


def _second_moments(points: list[Any], weights: list[fmpq]) -> Matrix:
    """The covariance operator of the normalised linear kernel: sum of w x x^T / |x|^2."""
    d = len(points[0])
    total = fmpq_mat(d, d)
    for x, weight in zip(points, weights, strict=True):
        size = sum((c * c for c in x), fmpq(0))
        if size == 0:
            reject("kernel", 0, "positive and finite on the diagonal (this is a value of k(x, x))")
        column = fmpq_mat(d, 1, list(x))
        total += column * column.transpose() * (weight / size)
    return Matrix(d, ExactMatrix(total, None))


# Certificates


@dataclass(frozen=True)
class Certificate:
    """What `certify` found: "proved", "refuted" or "undecided", and a ball that holds the margin rhs - lhs."""

    verdict: str
    margin: Any
    digits: int
    reason: str = ""


def certify(lhs: Any, rhs: Any, *, relation: str = "<=", digits: int = 15, max_digits: int = 960) -> Certificate:
    """Decide lhs <= rhs, or lhs == rhs, rigorously: precision is raised until the margin shows its sign.

    Parameters
    ----------
    lhs, rhs : number, arb or callable
        A callable takes `digits` and returns a ball, as ``lambda digits: ball.kl(p, q, digits=digits)``; a rational
        number stands for itself.
    relation : {"<=", "=="}
        What is claimed.
    digits, max_digits : int
        The first number of digits, which then doubles, and the last.

    Returns
    -------
    Certificate
        "proved": every value in the balls satisfies the relation; "refuted": none does; "undecided" else, `reason`
        saying why. An equality is proved only where both sides are exact or both infinite. Equal infinities have
        margin 0. Where a side has only a bound, the margin is a half-line, which a ball shows as [+/- inf].

    Raises
    ------
    ValueError, TypeError
        A relation, a number of digits or a side that cannot be.

    Examples
    --------
    >>> from krdtheory import ball
    >>> p, q = ["1/3", "2/3"], ["1/2", "1/2"]
    >>> certificate = ball.certify(
    ...     lambda digits: ball.kl(p, q, digits=digits), lambda digits: ball.renyi(p, q, 2, digits=digits))
    >>> certificate.verdict, certificate.margin > 0
    ('proved', True)
    >>> ball.certify(lambda digits: ball.kl(p, q, digits=digits), 0).verdict
    'refuted'
    """
    if relation not in ("<=", "=="):
        reject("relation", relation, "'<=' or '=='")
    check_digits(digits)
    check_digits(max_digits)
    while True:
        with ctx.workprec(int(3.33 * digits) + 64):
            (a, why_a), (b, why_b) = _side(lhs, "lhs", digits), _side(rhs, "rhs", digits)
            verdict, margin = _compare(a, b, relation)
        fixed = not callable(lhs) and not callable(rhs)
        if verdict != "undecided" or fixed or 2 * digits > max_digits:
            reason = "" if verdict != "undecided" else why_a or why_b or f"the margin is {margin.str(5)}"
            return Certificate(verdict, margin, digits, reason)
        digits *= 2


def _side(side: Any, name: str, digits: int) -> tuple[tuple[Any, Any], str]:
    """Bounds of a side, rational or infinite, and what was undecided."""
    try:
        value = side(digits) if callable(side) else side
    except UndecidedError as error:
        return (_extended(error.lower), _extended(error.upper)), str(error)
    if isinstance(value, arb):
        if value.is_nan():
            return (-INF, INF), f"{name} is not a number"
        return (_extended(value.lower()), _extended(value.upper())), ""
    if _is_infinite(value) or _is_infinite(value, -1):
        value = INF if _is_infinite(value) else -INF
    else:
        value = _number(value, name)
    return (value, value), ""


def _extended(x: arb) -> Any:
    return _rational(x) if x.is_finite() else x


def _compare(a: tuple[Any, Any], b: tuple[Any, Any], relation: str) -> tuple[str, Any]:
    """Verdict and margin of sides within bounds."""
    if a[0] == a[1] == b[0] == b[1]:
        return "proved", arb(0)
    low, high = _gap(b[0], a[1], -INF), _gap(b[1], a[0], INF)
    margin = arb(low) if low == high else interval(arb(low), arb(high))
    if high < 0 or (relation == "==" and low > 0):
        return "refuted", margin
    return "proved" if relation == "<=" and low >= 0 else "undecided", margin


def _gap(x: Any, y: Any, unknown: Any) -> Any:
    """x - y of rationals and infinities; `unknown` where both are infinite alike."""
    if isinstance(x, fmpq) and isinstance(y, fmpq):
        return x - y
    difference = arb(x) - arb(y)
    return unknown if difference.is_nan() else difference
