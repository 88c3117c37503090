"""Quantum divergences of exact Hermitian matrices, or of matrices of balls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpq_mat
from scipy.sparse.csgraph import connected_components

from krdtheory.arithmetic.ball import (
    INF,
    BallMatrix,
    Eigen,
    Log,
    Matrix,
    Power,
    UndecidedError,
    XLogX,
    add_up,
    largest,
    positive_eigen,
    positive_part,
    power_sum,
    quotient,
    real_trace_of_product,
    trace,
    x_log_x,
)
from krdtheory.arithmetic.base import Array, check_labels
from krdtheory.arithmetic.exact import ExactMatrix
from krdtheory.ball.inputs import (
    INFINITY,
    are_exact,
    mapped,
    matrices,
    numbers,
    rational,
    regularizations,
    renyi_orders,
)
from krdtheory.ball.low_orders import graded_power_sum, greedy_sum, is_graded, least_eigenvalue, levels


def sandwiched_renyi(rho: Any, sigma: Any, alpha: Any, regularization: Any = 0, *, digits: int = 50) -> Any:
    r"""Sandwiched Renyi divergence, as `krdtheory.sandwiched_renyi`.

    .. math:: D_{\alpha,\lambda}(\rho\|\sigma) = \frac{1}{\alpha-1} \log
       \frac{\mathrm{tr}\,[(B^{\frac{1-\alpha}{2\alpha}} \rho B^{\frac{1-\alpha}{2\alpha}})^\alpha]}{\mathrm{tr}\,\rho},
       \qquad B = \sigma + \lambda\,\mathrm{Id}

    Parameters
    ----------
    rho, sigma : array_like, shape (..., n, n)
        Exactly Hermitian, rational or Gaussian rational, positive semidefinite (which is proved); rho not zero. A
        matrix of balls represents the positive semidefinite matrices in it.
    alpha : array_like
        Rational orders in [0, inf], limits taken.
    regularization : array_like
        Rational lambda >= 0.
    digits : int
        Required number of correct digits.

    Returns
    -------
    arb or array of arb, shape (...)
        In nats; exactly +inf where the supports make it infinite.

    Raises
    ------
    UndecidedError
        Not certified at the highest precision. For matrices of balls, it may be undecided whether sigma is singular;
        the error's `lower` is then a lower bound on the value.
    ValueError, TypeError
        As `krdtheory.sandwiched_renyi`; not exactly Hermitian; irrational orders or regularisations.

    Examples
    --------
    >>> from krdtheory import ball
    >>> rho, sigma = [["1/2", "1/2"], ["1/2", "1/2"]], [["3/4", 0], [0, "1/4"]]
    >>> print(ball.sandwiched_renyi(rho, sigma, 2, digits=20).str(20))
    [0.91149278881665232665 +/- 2.97e-21]
    >>> ball.sandwiched_renyi(rho, [[1, 0], [0, 0]], 2) == float("inf")
    True
    """
    return _quantum(sandwiched_of, rho, sigma, {"alpha": renyi_orders(alpha)}, regularization, digits)


def petz_renyi(rho: Any, sigma: Any, alpha: Any, regularization: Any = 0, *, digits: int = 50) -> Any:
    """Petz-Renyi divergence, as `krdtheory.petz_renyi`; parameters, results and errors as `sandwiched_renyi`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> rho, sigma = [["1/2", "1/2"], ["1/2", "1/2"]], [["3/4", 0], [0, "1/4"]]
    >>> print(ball.petz_renyi(rho, sigma, 2, digits=10).str(10))
    [0.9808292530 +/- 1.18e-11]
    """
    return _quantum(petz_of, rho, sigma, {"alpha": renyi_orders(alpha)}, regularization, digits)


def maximal_renyi(rho: Any, sigma: Any, alpha: Any, regularization: Any = 0, *, digits: int = 50) -> Any:
    """Maximal Renyi divergence, as `krdtheory.maximal_renyi`; parameters, results and errors as `sandwiched_renyi`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> rho, sigma = [["1/2", "1/2"], ["1/2", "1/2"]], [["3/4", 0], [0, "1/4"]]
    >>> print(ball.maximal_renyi(rho, sigma, 2, digits=10).str(10))
    [0.9808292530 +/- 1.18e-11]
    """
    return _quantum(maximal_of, rho, sigma, {"alpha": renyi_orders(alpha)}, regularization, digits)


def quantum_relative_entropy(rho: Any, sigma: Any, regularization: Any = 0, *, digits: int = 50) -> Any:
    """Umegaki's relative entropy, as `krdtheory.quantum_relative_entropy`; not divided by tr rho.

    Examples
    --------
    >>> from krdtheory import ball
    >>> rho, sigma = [["1/2", "1/2"], ["1/2", "1/2"]], [["3/4", 0], [0, "1/4"]]
    >>> print(ball.quantum_relative_entropy(rho, sigma, digits=10).str(10))
    [0.8369882168 +/- 1.42e-11]
    """
    return _quantum(umegaki_of, rho, sigma, {}, regularization, digits)


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
    finite = numbers(epsilon, "epsilon", "a finite number")
    return _quantum(hockey_stick_of, rho, sigma, {"epsilon": finite}, regularization, digits)


def trace_distance(rho: Any, sigma: Any, regularization: Any = 0, *, digits: int = 50) -> Any:
    """Trace distance, as `krdtheory.trace_distance`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> rho, sigma = [["1/2", "1/2"], ["1/2", "1/2"]], [["3/4", 0], [0, "1/4"]]
    >>> print(ball.trace_distance(rho, sigma, digits=10).str(10))
    [0.5590169944 +/- 2.51e-11]
    """
    return _quantum(trace_distance_of, rho, sigma, {}, regularization, digits)


def _quantum(
    formula: Callable[..., Any], rho: Any, sigma: Any, more: Mapping[str, Array], regularization: Any, digits: int
) -> Any:
    check_labels(0, rho=rho, sigma=sigma)
    check_labels(1, rho=rho, sigma=sigma)
    arrays = {"rho": matrices(rho, "rho"), "sigma": matrices(sigma, "sigma"), **more}
    return mapped(_bounded(formula), {**arrays, "regularization": regularizations(regularization)}, digits)


# Formulas


def identity(n: int) -> Matrix:
    return Matrix(n, ExactMatrix(fmpq_mat(n, n, [int(i == j) for i in range(n) for j in range(n)]), None))


def _check_pair(rho: Matrix, sigma: Matrix) -> None:
    if rho.size != sigma.size:
        raise ValueError(f"rho and sigma must have the same dimension; got {rho.size} and {sigma.size}")


def _check_nonzero(rho: Matrix) -> None:
    if rho.exact is not None and not any(x != 0 for x in rho.exact.re.entries()) and rho.is_zero():
        raise ValueError("rho must be nonzero; got the zero matrix")


@dataclass(frozen=True, eq=False)
class OperatorPair:
    """rho, and B = sigma + lambda Id in terms of its eigenvalues, at one precision."""

    rho: Matrix
    sigma: Matrix
    shift: fmpq
    b: Eigen

    @classmethod
    def of(cls, rho: Matrix, sigma: Matrix, shift: fmpq) -> OperatorPair:
        _check_pair(rho, sigma)
        _check_nonzero(rho)
        return cls(rho, sigma, shift, positive_eigen(sigma, "sigma"))

    @property
    def exact(self) -> bool:
        """Whether ranks are known."""
        return self.rho.exact is not None and self.sigma.exact is not None

    @property
    def full(self) -> bool:
        """Whether B is known to be invertible without further work."""
        return self.shift > 0 or bool(self.b.lowest > 0 and not self.b.zeros)

    def included(self) -> bool:
        """Return whether supp rho is in supp B."""
        if self.full:
            return True
        if not self.exact:
            raise UndecidedError(f"whether sigma is singular is not decided at {ctx.prec} bits", lower=None)
        return _exact(self.sigma).rank_beside(_exact(self.rho)) == self.sigma.rank

    @cached_property
    def rank(self) -> int | None:
        """The rank of B rho, None if it is not known."""
        if self.exact and not self.full:
            return _exact(self.sigma).rank_of_product(_exact(self.rho))
        rank, n = self.rho.rank_of(), self.rho.size
        return rank if self.full else self.sigma.rank_of() if rank == n else None

    @property
    def ratio(self) -> fmpq | None:
        """The c > 0 with rho = c B exactly, None if there is none; every divergence is then log c."""
        if not self.exact:
            return None
        a, b = _exact(self.rho), _exact(self.sigma.plus(identity(self.rho.size), self.shift))
        c = next((a.re[i, i] / b.re[i, i] for i in range(self.rho.size) if b.re[i, i] != 0), fmpq(0))
        same = a.re == b.re * c and (a.im is None if b.im is None else a.im == b.im * c)
        return c if c > 0 and same else None

    def power(self, s: fmpq) -> BallMatrix:
        """Return B^s on its support."""
        return self.b.apply(Power(s, self.shift))

    def as_balls(self) -> BallMatrix:
        """Return B as a matrix of balls."""
        return self.sigma.plus(identity(self.sigma.size), self.shift).at_precision()

    def sandwich(self, s: fmpq, rho: Matrix | None = None) -> Eigen:
        """Return the eigenvalues of B^s rho B^s, and prove that rho is positive semidefinite, by these or itself."""
        rank = (lambda: self.rank) if rho is None else rho.rank_of
        rho = self.rho if rho is None else rho
        side = self.power(s)
        eigen = Eigen.of(side * rho.at_precision() * side)
        if self.full and eigen.lowest > 0:
            return eigen
        eigen = eigen.positive(rank())
        if not (self.full and eigen.zeros and eigen.lowest > 0):
            positive_eigen(rho, "rho")
        return eigen


def needs_inclusion(alpha: Any) -> bool:
    """Return whether a support of rho that is not included makes the divergence of this order infinite."""
    return alpha == INFINITY or bool(alpha >= 1)


def _infinite(pair: OperatorPair, alpha: Any) -> bool:
    """Return whether the supports make the divergence infinite."""
    infinite = not pair.included() if needs_inclusion(alpha) else not pair.full and pair.rank == 0
    if infinite:
        positive_eigen(pair.rho, "rho")
    return infinite


def _trace(rho: Matrix) -> Any:
    return trace(rho.at_precision())


def sandwiched_of(rho: Matrix, sigma: Matrix, alpha: Any, shift: fmpq) -> Any:
    pair = OperatorPair.of(rho, sigma, shift)
    if pair.ratio is not None:
        return arb(pair.ratio).log()
    if _infinite(pair, alpha):
        return INF
    if alpha == 1:
        return _relative_entropy(pair) / _trace(rho)
    if alpha == INFINITY:
        return pair.sandwich(fmpq(-1, 2)).spectrum()[-1].log()
    if alpha == 0 or is_graded(pair.b, shift, alpha):
        positive_eigen(rho, "rho")
        power = add_up(_graded_sum(OperatorPair.of(*part, shift), alpha) for part in _blocks(rho, sigma))
        return (_trace(rho) / power).log() / arb(1 - alpha)
    values = pair.sandwich((1 - alpha) / (2 * alpha)).spectrum()
    return (power_sum(values, alpha) / _trace(rho)).log() / arb(alpha - 1)


def umegaki_of(rho: Matrix, sigma: Matrix, shift: fmpq) -> Any:
    pair = OperatorPair.of(rho, sigma, shift)
    if pair.ratio is not None:
        return arb(pair.ratio).log() * _trace(rho)
    return INF if _infinite(pair, fmpq(1)) else _relative_entropy(pair)


def _relative_entropy(pair: OperatorPair) -> Any:
    """Return tr rho (log rho - log B), for supp rho in supp B."""
    entropy = add_up(x_log_x(x) for x in positive_eigen(pair.rho, "rho").spectrum())
    return entropy - real_trace_of_product(pair.rho.at_precision(), pair.b.apply(Log(pair.shift)))


def _graded_sum(pair: OperatorPair, alpha: fmpq) -> Any:
    """Return tr (B^s rho B^s)^alpha by decreasing eigenvalues of B, and its limit at alpha = 0."""
    whole, rho = pair.rank, pair.rho.at_precision()
    if whole is None:
        raise UndecidedError("the rank of a ball matrix is not known, which alpha = 0 and orders near it need")
    if whole == 0:
        return arb(0)
    commute = pair.exact and _commute(pair.rho, pair.sigma)
    parts = levels(pair.b, pair.shift, rho, whole, least_eigenvalue(pair.rho, pair.sigma), commute)
    return greedy_sum(parts) if alpha == 0 else graded_power_sum(pair.b, rho, parts, alpha)


def _blocks(rho: Matrix, sigma: Matrix) -> list[tuple[Matrix, Matrix]]:
    """Return the common diagonal blocks of rho and sigma, without those where rho is 0."""
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

    def part(x: fmpq_mat) -> fmpq_mat:
        return fmpq_mat(n, n, [x[i, j] for i in rows for j in rows])

    return Matrix(n, ExactMatrix(part(exact.re), None if exact.im is None else part(exact.im)))


def _commute(rho: Matrix, sigma: Matrix) -> bool:
    x, y = _embedded(rho), _embedded(sigma)
    return bool(x * y == y * x)


def _embedded(m: Matrix, complex_: bool = True) -> fmpq_mat:
    """Return the real matrix [[re, -im], [im, re]], or re."""
    return _exact(m)._embedded(complex_)


def _exact(m: Matrix) -> ExactMatrix:
    assert m.exact is not None
    return m.exact


def petz_of(rho: Matrix, sigma: Matrix, alpha: Any, shift: fmpq) -> Any:
    pair = OperatorPair.of(rho, sigma, shift)
    if pair.ratio is not None:
        return arb(pair.ratio).log()
    if _infinite(pair, alpha):
        return INF
    if alpha == 1:
        return _relative_entropy(pair) / _trace(rho)
    a = positive_eigen(rho, "rho")
    if alpha == INFINITY:
        return _largest_ratio(pair, a).log()
    power = real_trace_of_product(a.apply(Power(alpha)), pair.power(1 - alpha))
    return (power / _trace(rho)).log() / arb(alpha - 1)


def _largest_ratio(pair: OperatorPair, a: Eigen) -> Any:
    """Return the largest a_i / b_j over eigenspaces of rho and B that are not orthogonal.

    The number of pairs of eigenspaces that are not orthogonal is the dimension of the span of the matrices rho^i
    sigma^j; once so many are found, the others are orthogonal.
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
            (seen if found else unseen).append(quotient(a.hull(c), pair.b.hull(d) + shift))
    best = largest(seen) if seen else arb(0)
    if not all(x < best for x in unseen) and (not pair.exact or count != _joint_dimension(pair.rho, pair.sigma)):
        raise UndecidedError(f"which eigenspaces are orthogonal is not decided at {ctx.prec} bits")
    return best


def _joint_dimension(rho: Matrix, sigma: Matrix) -> int:
    """Return the dimension over C of the span of rho^i sigma^j."""
    n, x, y = rho.size, _embedded(rho), _embedded(sigma)
    powers = [_exact(identity(2 * n)).re]
    for _ in range(n - 1):
        powers.append(powers[-1] * x)
    rows = []
    for left in powers:
        for _ in range(n):
            rows.append([(left[i, j], left[n + i, j]) for i in range(n) for j in range(n)])
            left = left * y
    return ExactMatrix.of(rows).rank()


def _shorted(rho: Matrix, sigma: Matrix) -> Matrix:
    """Return the largest positive semidefinite matrix below rho with support in supp sigma, a Schur complement."""
    complex_ = _exact(rho).im is not None or _exact(sigma).im is not None
    r, s = _embedded(rho, complex_), _embedded(sigma, complex_)
    kernel = kernel_basis(s)
    inner = kernel.transpose() * r * kernel
    pivots = pivot_columns(*inner.rref())
    rows = kernel.transpose().tolist()
    basis = fmpq_mat(len(pivots), r.nrows(), [x for j in pivots for x in rows[j]]).transpose()
    seen = r * basis
    rest = r - seen * (basis.transpose() * seen).inv() * seen.transpose() if pivots else r
    n = rho.size
    re = [[rest[i, j] for j in range(n)] for i in range(n)]
    im = [[rest[n + i, j] if complex_ else fmpq(0) for j in range(n)] for i in range(n)]
    rows_ = [list(zip(x, y, strict=True)) for x, y in zip(re, im, strict=True)]
    return Matrix(n, ExactMatrix.of(rows_))


def pivot_columns(echelon: fmpq_mat, rank: int) -> list[int]:
    """Return the pivot columns of a reduced row echelon form."""
    return [next(j for j in range(echelon.ncols()) if echelon[i, j] != 0) for i in range(rank)]


def kernel_basis(m: fmpq_mat) -> fmpq_mat:
    """Return a basis of the kernel, as columns."""
    echelon, rank = m.rref()
    pivots = pivot_columns(echelon, rank)
    free = [j for j in range(m.ncols()) if j not in pivots]
    out = fmpq_mat(m.ncols(), len(free))
    for k, j in enumerate(free):
        out[j, k] = fmpq(1)
        for i, p in enumerate(pivots):
            out[p, k] = -echelon[i, j]
    return out


def maximal_of(rho: Matrix, sigma: Matrix, alpha: Any, shift: fmpq) -> Any:
    pair = OperatorPair.of(rho, sigma, shift)
    if pair.ratio is not None:
        return arb(pair.ratio).log()
    if needs_inclusion(alpha) and not pair.included():
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


def hockey_stick_of(rho: Matrix, sigma: Matrix, epsilon: Any, shift: fmpq) -> Any:
    return add_up(positive_part(x) for x in _difference(rho, sigma, epsilon, shift))


def trace_distance_of(rho: Matrix, sigma: Matrix, shift: fmpq) -> Any:
    return add_up(abs(x) for x in _difference(rho, sigma, fmpq(0), shift)) / 2


def _difference(rho: Matrix, sigma: Matrix, epsilon: Any, shift: fmpq) -> list[Any]:
    """Return the eigenvalues of rho - e^epsilon (sigma + shift Id)."""
    _check_pair(rho, sigma)
    b = sigma.plus(identity(sigma.size), shift)
    if epsilon == 0:
        m = rho.plus(b, fmpq(-1))
        eigen = Eigen.of(m.at_precision())
        if m.exact is not None and not (eigen.lowest > 0 or eigen.highest < 0) and m.is_zero():
            return []
        return eigen.spectrum()
    return Eigen.of(rho.at_precision() - b.at_precision() * arb(epsilon).exp()).spectrum()


def _bounded(formula: Callable[..., Any]) -> Callable[..., Any]:
    """Add a lower bound to the errors of a formula of rho, sigma, ..., lambda that balls in its input leave undecided:
    the value at a larger lambda. Powers of B + t Id are monotone in t, and so are these divergences, except the maximal
    one of finite order above 2 and the trace distance.
    """

    def call(*args: Any) -> Any:
        try:
            return formula(*args)
        except UndecidedError as error:
            *rest, shift = args
            turns = formula is trace_distance_of or (formula is maximal_of and args[2] != INFINITY and args[2] > 2)
            if are_exact(args) or turns:
                raise
            radius = rational(trace(args[1].at_precision()).rad().upper())
            with suppress(UndecidedError):
                error.lower = formula(*rest, shift + 16 * radius + fmpq(1, 2 ** (ctx.prec // 4))).lower()
            raise error from None

    return call
