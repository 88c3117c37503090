"""Ball arithmetic (Arb): rigorous spectra and functions of Hermitian matrices, at a precision that is raised on demand.

An approximate eigenbasis V is found without a proof. Then, with G = V* V, M = V* A V, D the diagonal of M,
delta >= |G - I|, eps >= |M - D| (Frobenius norms, all in ball arithmetic) and the polar form V = W G^{1/2}, W unitary,

    A = W (D + E) W*,   |E| <= eta = eps / (1 - delta) + (2 phi + phi^2) max |D|,   phi = delta / (2 (1 - delta)^{3/2}),

so that the sorted eigenvalues of A are within eta of the sorted diagonal of D (Weyl), however they cluster; and for f
with Lipschitz constant L on a set that contains both spectra, |f(A) - f(W D W*)| <= L eta. Which eigenvalues are zero
is decided by the rank over Q: with n - r of the D exactly 0 and the others above eta, A of rank r is positive
semidefinite.

Each error term has its own function: `_defect`, `_residual`, `_eta`, `_rotation`, `Function.slope`, `Matrix.rank`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from flint import acb, acb_mat, arb, arb_mat, ctx, fmpq, fmpq_mat

from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.exact import ExactMatrix, precision

GUARD_BITS = 32
DOUBLINGS = 6
INF = arb.pos_inf()
BallMatrix = Any  # arb_mat or acb_mat
_SMALL = 8  # rows of matrices that are multiplied sooner than their entries are listed
_SMALLEST = 6  # rows of matrices whose eigenvectors Arb finds sooner than those of float64 are refined


class UndecidedError(ArithmeticError):
    """Something could not be decided, or the requested digits were not reached, at the precision named in the message.

    `lower` and `upper` are rigorous bounds on the value if there are any (otherwise -inf and +inf).
    """

    def __init__(self, message: str, *, lower: Any = None, upper: Any = None) -> None:
        super().__init__(message)
        self.lower = -INF if lower is None else lower
        self.upper = INF if upper is None else upper


class UnprovedError(UndecidedError):
    """A proof failed and most likely would at a higher precision too, so only one more is tried."""


class HopelessError(UndecidedError):
    """A higher precision would not decide it either, so none is tried."""


def enclose(
    compute: Callable[[], Any], digits: int, *, exact: bool = True, guard: int = 0, doublings: int = DOUBLINGS
) -> Any:
    """Return balls for the values that `compute` encloses, each of radius <= 10^-digits max(|value|, 10^-digits).

    `compute` returns a ball or an array of balls at the precision ctx.prec, which is doubled until the radii are met,
    at most `doublings` times. Balls as input (`exact=False`) limit the accuracy: then the better result of two
    precisions is returned.

    Raises
    ------
    UndecidedError
        The radii are not met at the highest precision.
    """
    check_digits(digits)
    bits = int(3.33 * digits) + GUARD_BITS + guard
    best, reason, error, last = None, "", None, bits
    unproved = 0
    for _ in range((doublings if exact else 1) + 1):
        try:
            with precision(bits):
                value = compute()
                if any(x.is_nan() for x in _parts(value)):
                    raise UndecidedError("no finite enclosure")
                value = value if best is None else _narrowest(value, best)
                if all(is_accurate(x, digits) for x in _parts(value)):
                    return value
            best = value
            reason = f"the enclosure is {value.str(10) if isinstance(value, arb) else 'wide'}"
        except UndecidedError as e:
            error, reason = e, str(e)
            unproved += isinstance(e, UnprovedError)
        if unproved > 1 or isinstance(error, HopelessError):
            break
        last, bits = bits, 2 * bits
    if best is not None and not exact:
        return best
    lower, upper = (None, None) if error is None else (error.lower, error.upper)
    if isinstance(best, arb):
        lower, upper = best.lower(), best.upper()
    raise UndecidedError(f"{digits} digits not certified at {last} bits: {reason}", lower=lower, upper=upper)


def check_digits(digits: Any) -> None:
    """Raise unless digits is an integer from 2 to 100000."""
    if isinstance(digits, bool) or not isinstance(digits, (int, np.integer)):
        reject("digits", digits, "an integer from 2 to 100000", TypeError)
    if not 2 <= digits <= 100_000:
        reject("digits", digits, "an integer from 2 to 100000")


def _parts(value: Any) -> list[Any]:
    """Return the real balls of a ball or of an array of balls."""
    values = value.flat if isinstance(value, np.ndarray) else [value]
    return [part for x in values for part in ((x.real, x.imag) if isinstance(x, acb) else (x,))]


def _narrower(x: Any, y: Any) -> Any:
    if isinstance(x, acb):
        return acb(_narrower(x.real, y.real), _narrower(x.imag, y.imag))
    return x if not y.is_finite() or x.rad() <= y.rad() else y


def _narrowest(x: Any, y: Any) -> Any:
    return np.frompyfunc(_narrower, 2, 1)(x, y)


def is_accurate(x: Any, digits: int) -> bool:
    """Return whether the radius is at most 10^-digits max(|x|, 10^-digits), or x an infinity."""
    if x == INF or x == -INF:
        return True
    floor = arb(10) ** -int(digits)
    return bool(x.is_finite() and x.rad() <= floor * max(abs(x.mid()), floor))


# Balls


def interval(low: Any, high: Any) -> Any:
    """Return a ball that contains [low, high]."""
    return low if low == high else low.union(high)


def positive_power(x: Any, s: fmpq) -> Any:
    """Return x^s for a number x >= 0 in the ball x; 0^s = 0 for s > 0.

    Raises
    ------
    UndecidedError
        s < 0 and the ball contains 0.
    """
    if s == 0:
        return arb(1)
    if x > 0 or x.is_nan():
        return x ** arb(s)
    high = x.upper()
    if s < 0:
        raise UndecidedError(f"a negative power of {x.str(5)}, which may be 0, has no upper bound")
    return arb(0) if high <= 0 else interval(arb(0), high ** arb(s))


def positive_part(x: Any) -> Any:
    """Return max(x, 0); NaN for NaN."""
    if x > 0 or x.is_nan():
        return x
    high = x.upper()
    return interval(arb(0), high) if high > 0 else arb(0)


def x_log_x(x: Any) -> Any:
    """Return x log x for a number x >= 0 in the ball x."""
    if x > 0 or x.is_nan():
        return x * x.log()
    high = x.upper()
    if not high > 0:
        return arb(0)
    turn = (-arb(1)).exp()
    if high < turn:  # x log x decreases on [0, 1/e]
        return interval(high * high.log(), arb(0))
    return interval(-turn, positive_part(high * high.log()))


def add_up(values: Any) -> Any:
    return sum(values, arb(0))


def quotient(x: Any, y: Any) -> Any:
    if not y > 0:
        raise UndecidedError(f"is {y.str(5)} zero?")
    return x / y


def largest(values: Any) -> Any:
    """Return the maximum of balls, as a ball; NaN if one of them is."""
    out = None
    for x in values:
        if out is None or x > out:
            out = x
        elif not (x < out or x == out):
            out = x.max(out)
    return out


# Matrices


def adjoint(m: BallMatrix) -> BallMatrix:
    """Return the conjugate transpose."""
    return m.transpose() if isinstance(m, arb_mat) else m.transpose().conjugate()


def matrix(rows: int, columns: int, entries: list[Any]) -> BallMatrix:
    """Return a real ball matrix, or a complex one if an entry is complex."""
    return (acb_mat if any(isinstance(x, acb) for x in entries) else arb_mat)(rows, columns, entries)


def norm(m: BallMatrix) -> Any:
    """Return an upper bound of the Frobenius norm, as an exact number."""
    with ctx.workprec(64):  # still a rigorous bound, as these are balls
        if m.nrows() <= _SMALL:
            squares = trace(adjoint(m) * m)
        else:
            squares = add_up(map(_squares, (m.real, m.imag) if isinstance(m, acb_mat) else (m,)))
        return squares.upper().sqrt().upper()


def _squares(m: Any) -> Any:
    entries = m.entries()
    return (arb_mat(1, len(entries), entries) * arb_mat(len(entries), 1, entries))[0, 0]


def widened(m: BallMatrix, radius: Any) -> BallMatrix:
    """Return the matrix with `radius` added to the radius of every entry."""
    n, k = m.nrows(), m.ncols()
    ball = arb(0, radius)
    if isinstance(m, arb_mat):
        return m + arb_mat(n, k, [ball] * (n * k))
    return m + acb_mat(n, k, [acb(ball, ball)] * (n * k))


def scaled_columns(m: BallMatrix, factors: list[Any]) -> BallMatrix:
    """Return m diag(factors)."""
    k = len(factors)
    return type(m)(m.nrows(), k, [x * factors[i % k] for i, x in enumerate(m.entries())])


def real_trace_of_product(a: BallMatrix, b: BallMatrix) -> Any:
    """Return Re tr(a b), in n^2 operations."""
    n = a.nrows() * a.ncols()
    kind = arb_mat if isinstance(a, arb_mat) and isinstance(b, arb_mat) else acb_mat
    value = (kind(1, n, a.entries()) * kind(n, 1, b.transpose().entries()))[0, 0]
    return value.real if isinstance(value, acb) else value


def trace(m: BallMatrix) -> Any:
    """Return Re tr m."""
    value = m.trace()
    return value.real if isinstance(value, acb) else value


def as_ball(x: Any) -> Any:
    """Return a ball as it is, and a pair of rationals (real and imaginary part) as a ball at the working precision."""
    if not isinstance(x, tuple):
        return x
    return arb(x[0]) if x[1] == 0 else acb(arb(x[0]), arb(x[1]))


@dataclass(frozen=True, eq=False)
class Matrix:
    """A Hermitian matrix as given: exact over Q(i), or its entries row by row, as balls or pairs of rationals."""

    size: int
    exact: ExactMatrix | None
    entries: tuple[Any, ...] = ()

    def at_precision(self) -> BallMatrix:
        """Return the entries as balls at the working precision."""
        if self.exact is None:
            return matrix(self.size, self.size, [as_ball(x) for x in self.entries])
        re = arb_mat(self.exact.re)
        if self.exact.im is None:
            return re
        return acb_mat(re) + acb_mat(arb_mat(self.exact.im)) * acb(0, 1)

    @cached_property
    def rank(self) -> int:
        """Rank over Q(i), for exact matrices only."""
        assert self.exact is not None
        return self.exact.rank()

    def rank_of(self) -> int | None:
        """Return the rank if it is known: exact, or full if the balls contain positive definite matrices only."""
        if self.exact is not None:
            return self.rank
        return self.size if Eigen.of(self.at_precision()).lowest > 0 else None

    def is_zero(self) -> bool:
        """Return whether it is exactly the zero matrix."""
        return self.exact is not None and self.rank == 0

    def plus(self, other: Matrix, factor: fmpq) -> Matrix:
        """Return self + factor * other."""
        if self.exact is None or other.exact is None:
            entries = (self.at_precision() + other.at_precision() * arb(factor)).entries()
            return Matrix(self.size, None, tuple(entries))
        a, b, zero = self.exact, other.exact, fmpq_mat(self.size, self.size)
        if a.im is None and b.im is None:
            return Matrix(self.size, ExactMatrix(a.re + b.re * factor, None))
        im = (zero if a.im is None else a.im) + (zero if b.im is None else b.im) * factor
        return Matrix(self.size, ExactMatrix(a.re + b.re * factor, im))


# Step 0: an approximate eigenbasis, on which no proof relies


def _approximate_basis(a: BallMatrix) -> BallMatrix:
    """Return a basis that is orthonormal and diagonalising up to rounding errors."""
    a = a.mid()
    v = _eigenvectors(a) if a.nrows() <= _SMALLEST else None
    return _refined(a, arb(0)) if v is None else v


def _eigenvectors(a: BallMatrix) -> BallMatrix | None:
    """Return Arb's eigenvectors, found as those of a general matrix, with length 1; None if they are not orthonormal or
    do not diagonalise a, as where eigenvalues are close."""
    n, rows = a.nrows(), []
    for column in a.eig(right=True, algorithm="approx")[1].transpose().tolist():
        top = conjugate(max(column, key=lambda x: abs(x).mid()))
        vector = [(x * top).real for x in column] if isinstance(a, arb_mat) else column  # a multiple of a real one
        size = add_up(abs(x) ** 2 for x in vector).sqrt()
        rows += [x / size for x in vector]
    v = type(a)(n, n, rows).transpose().mid()
    w, unit = adjoint(v), arb(2) ** (16 - ctx.prec)
    rotated = w * (a * v)
    rest = norm(_minus_diagonal(rotated, [rotated[i, i] for i in range(n)]))
    return v if norm(_minus_identity(w * v)) < unit and rest < unit * norm(a) else None


def _refined(a: BallMatrix, floor: Any) -> BallMatrix:
    """Return float64's eigenbasis, refined at twice the precision in each pass, until a is diagonal up to `floor`."""
    full, bits = ctx.prec, 64
    v = _float_basis(a)
    while bits < full:
        bits = min(2 * bits, full)
        with ctx.workprec(bits):
            v, step, off = _improved(a, v)
        if off <= floor:
            return v
    if full <= 64:
        return v
    for _ in range(8 + full // 20):  # hard clusters gain 16 digits per pass
        if step < arb(2) ** (-full // 2):  # the error is its square
            break
        last = off
        v, step, off = _improved(a, v)
        if off <= floor or not 2 * off < last:
            break
    return v


def _floats(m: BallMatrix) -> Array:
    """Return the midpoints divided by the largest absolute value."""
    entries = m.entries()
    top = max(max(abs(x.real).mid(), abs(x.imag).mid()) for x in entries)
    kind, number = (float, arb) if isinstance(m, arb_mat) else (complex, acb)
    if not top > 0:
        return np.zeros((m.nrows(), m.ncols()), dtype=kind)
    scale = number(1 / top)
    return np.array([kind(x * scale) for x in entries]).reshape(m.nrows(), m.ncols())


def _float_basis(m: BallMatrix) -> BallMatrix:
    values = np.linalg.eigh(_floats(m))[1]
    entry = arb if isinstance(m, arb_mat) else acb
    return type(m)(*values.shape, [entry(x) for x in values.ravel().tolist()])


def _improved(a: BallMatrix, v: BallMatrix) -> tuple[BallMatrix, Any, Any]:
    """Return the basis after a step of Ogita and Aishima (2018), the step's size, and the error norm of v before it.

    Eigenvalues that are not separated form clusters: within a cluster v is only orthonormalised, and its block, known
    up to the square of the error, is diagonalised separately and v is rotated accordingly.
    """
    n, w = v.nrows(), adjoint(v)
    g, s = (w * v).mid(), (w * (a * v)).mid()
    gram, rest = g.entries(), s.entries()
    values = [rest[i * n + i].real / gram[i * n + i].real for i in range(n)]
    size = max(abs(x) for x in values)
    off = norm(_minus_diagonal(s, values)) + size * norm(_minus_identity(g))
    change = [gram[0] * 0] * (n * n)
    clusters = _Clusters(n)
    for i in range(n):
        change[i * n + i] = (1 - gram[i * n + i].real) / 2
        for j in range(i + 1, n):
            r, gap = -gram[i * n + j], values[j] - values[i]
            e = rest[i * n + j] + values[j] * r
            if abs(gap) > 16 * off and abs(gap) > 256 * abs(e):
                e /= gap
                change[i * n + j], change[j * n + i] = e, conjugate(r - e)
            else:
                clusters.join(i, j)
    groups = clusters.groups()
    for group in groups:
        for k, i in enumerate(group):
            for j in group[:k]:
                r = -gram[i * n + j] / 2
                change[i * n + j], change[j * n + i] = r, conjugate(r)
    step = type(v)(n, n, change)
    out, moved = (v + v * step).mid(), norm(step)
    if 256 * size * moved * moved > off:  # small gaps counted as separate: the error is not of higher order
        out = _orthonormal(out)
    rotation = _rotation_of_clusters(a, out, groups, size, off)
    if rotation is None:
        return out, moved, off
    return (out * rotation).mid(), arb(1), off


def conjugate(x: Any) -> Any:
    """Return the complex conjugate of a ball."""
    return acb(x.real, -x.imag) if isinstance(x, acb) else x


class _Clusters:
    """Disjoint sets of 0, ..., n - 1."""

    def __init__(self, n: int) -> None:
        self.leader = list(range(n))

    def find(self, i: int) -> int:
        while self.leader[i] != i:
            i = self.leader[i]
        return i

    def join(self, i: int, j: int) -> None:
        self.leader[self.find(i)] = self.find(j)

    def groups(self) -> list[list[int]]:
        """Return the sets of more than one element."""
        out: dict[int, list[int]] = {}
        for i in range(len(self.leader)):
            out.setdefault(self.find(i), []).append(i)
        return [group for group in out.values() if len(group) > 1]


def _rotation_of_clusters(
    a: BallMatrix, v: BallMatrix, groups: list[list[int]], size: Any, off: Any
) -> BallMatrix | None:
    rotation, n = None, v.nrows()
    unit = arb(2) ** (8 - ctx.prec)
    for group in groups:
        k = len(group)
        part = type(v)(n, k, [v[i, j] for i in range(n) for j in group])
        block = adjoint(part) * (a * part)
        block = (block - _identity(k) * (trace(block) / k)).mid()
        left, floor = norm(block), size * unit + off * off / size
        if left <= floor:
            continue
        u = _refined(block, floor) if 1024 * left < size else _float_basis(block)
        u = _orthonormal(u)
        rotation = type(v)(_identity(n)) if rotation is None else rotation
        for i, row in enumerate(group):
            for j, column in enumerate(group):
                rotation[row, column] = u[i, j]
    return rotation


def _orthonormal(u: BallMatrix) -> BallMatrix:
    """Return u, whose columns are nearly orthonormal, orthonormalised to working precision."""
    unit = arb(2) ** (8 - ctx.prec)
    while True:
        gram = (adjoint(u) * u).mid()
        u = ((u * 3 - u * gram) / 2).mid()
        if not unit <= norm(_minus_identity(gram)) ** 2 < 1:
            return u


@lru_cache(maxsize=32)
def _identity(n: int) -> Any:
    return arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])


def _minus_identity(m: BallMatrix) -> BallMatrix:
    return m - _identity(m.nrows())


def _minus_diagonal(m: BallMatrix, values: list[Any]) -> BallMatrix:
    out = type(m)(m)
    for i, x in enumerate(values):
        out[i, i] = out[i, i] - x
    return out


# Step 1: rigorous bounds


def _defect(gram: BallMatrix) -> Any:
    """Return delta, the departure of V from orthonormal columns."""
    return norm(_minus_identity(gram))


def _residual(m: BallMatrix, values: list[Any]) -> Any:
    """Return eps, the norm of V* A V off its diagonal."""
    return norm(_minus_diagonal(m, values))


def _rotation(delta: Any) -> Any:
    """Return 2 phi + phi^2, the relative error of replacing V by W."""
    rest = (1 - delta).lower()
    phi = delta / (2 * rest * rest.sqrt())
    return (2 * phi + phi * phi).upper()


def _eta(eps: Any, delta: Any, rotation: Any, size: Any) -> Any:
    """Return a bound of |E|."""
    return (eps / (1 - delta).lower() + rotation * size).upper()


@dataclass(frozen=True, eq=False)
class Eigen:
    """A = W (diag(values) + E) W*, |E| <= eta, W the unitary factor of the exact matrix `basis`.

    `values` are exact and not sorted; those in `zeros` are 0, as that many eigenvalues of A are known to be 0.
    `rotated` is V* A V and `defect` is delta.
    """

    basis: BallMatrix
    rotated: BallMatrix
    defect: Any
    values: list[Any]
    zeros: frozenset[int] = frozenset()

    @classmethod
    def of(cls, a: BallMatrix) -> Eigen:
        """Return an eigendecomposition that is valid for every Hermitian matrix in a ball matrix."""
        v = _approximate_basis(a)
        w = adjoint(v)
        rotated, delta = w * (a * v), _defect(w * v)
        if not 2 * delta < 1 or not norm(rotated).is_finite():
            raise UndecidedError(f"no eigenbasis at {ctx.prec} bits")
        return cls(v, rotated, delta, [rotated[i, i].real.mid() for i in range(v.nrows())])

    def positive(self, rank: int | None = None) -> Eigen:
        """Return the same for A known to be positive semidefinite of at most that rank: the smallest values are 0, and
        a negative value becomes 0, as it would precede the zeros in the sorted order of Weyl's inequality.
        """
        n = len(self.values)
        order = sorted(range(n), key=lambda i: self.values[i])
        zeros = frozenset(order[: n - (n if rank is None else rank)])
        values = [x if x > 0 and i not in zeros else arb(0) for i, x in enumerate(self.values)]
        return Eigen(self.basis, self.rotated, self.defect, values, zeros)

    def of_rank(self, rank: int) -> Eigen:
        """Return the same for A known to be of that rank: the values nearest to 0 are 0."""
        order = sorted(range(len(self.values)), key=lambda i: abs(self.values[i]))
        zeros = frozenset(order[: len(order) - rank])
        values = [arb(0) if i in zeros else x for i, x in enumerate(self.values)]
        return Eigen(self.basis, self.rotated, self.defect, values, zeros)

    @cached_property
    def rotation(self) -> Any:
        """Error of replacing V by W, relative to the rotated matrix."""
        return _rotation(self.defect)

    @cached_property
    def eta(self) -> Any:
        """Upper bound, as an exact number, of the distance of the sorted eigenvalues to the sorted values."""
        size = max(abs(x) for x in self.values)
        return _eta(_residual(self.rotated, self.values), self.defect, self.rotation, size)

    @cached_property
    def lowest(self) -> Any:
        """Lower bound of the eigenvalues that are not known to be zero."""
        return min((x for i, x in enumerate(self.values) if i not in self.zeros), default=arb(0)) - self.eta

    @cached_property
    def highest(self) -> Any:
        """Upper bound of the eigenvalues."""
        return max(self.values) + self.eta

    def spectrum(self) -> list[Any]:
        """Return balls that contain the eigenvalues, in ascending order, with exact zeros."""
        spread = arb(0, self.eta)
        out = []
        for i in sorted(range(len(self.values)), key=lambda i: self.values[i]):
            x = arb(0) if i in self.zeros else self.values[i] + spread
            out.append(x)
        return out

    def clusters(self) -> list[list[int]]:
        """Return the indices of the values, ascending, split where the gap is far above eta."""
        order = sorted(range(len(self.values)), key=lambda i: self.values[i])
        wide = self.eta * arb(2) ** (ctx.prec // 4)
        out = [order[:1]]
        for last, i in pairwise(order):
            if self.values[i] - self.values[last] > wide:
                out.append([])
            out[-1].append(i)
        return out

    def hull(self, cluster: list[int]) -> Any:
        """Return a ball that contains the eigenvalues of a cluster."""
        if all(i in self.zeros for i in cluster):
            return arb(0)
        return interval(self.values[cluster[0]], self.values[cluster[-1]]) + arb(0, self.eta)

    def projection(self, cluster: list[int]) -> BallMatrix:
        """Return the projection onto the eigenspaces of one or several clusters."""
        inside = set(cluster)
        ends = [self.values[i] for i in cluster]
        rest = [x for i, x in enumerate(self.values) if i not in inside]
        gap = min((min(abs(x - min(ends)), abs(x - max(ends))) for x in rest), default=None)
        move = arb(0) if gap is None else self.eta / (gap - 2 * self.eta)
        n = len(self.values)
        image = scaled_columns(self.basis, [arb(int(i in inside)) for i in range(n)]) * adjoint(self.basis)
        return widened(image, (move + (1 + self.defect) * self.rotation).upper())

    def apply(self, f: Function) -> BallMatrix:
        """Return f(A) for a positive semidefinite A."""
        low, high = self.lowest.lower(), self.highest.upper()
        move = f.move(self.eta, low if low > 0 else arb(0), high, bool(self.zeros))
        images = [f(x) for x in self.values]
        top = largest(abs(x).upper() for x in images)
        radius = (move + (1 + self.defect) * self.rotation * top).upper()
        if not radius.is_finite():
            raise UndecidedError(f"no finite bound of a function at {ctx.prec} bits")
        return widened(scaled_columns(self.basis, images) * adjoint(self.basis), radius)


def positive_eigen(a: Matrix, name: str) -> Eigen:
    """Return the eigenvalues of a matrix proved positive semidefinite, its rank being found over Q if needed.

    A ball matrix stands for the positive semidefinite matrices in it; it is rejected if there are none.

    Raises
    ------
    ValueError
        It is not positive semidefinite.
    UndecidedError
        The precision does not suffice to decide.
    """
    eigen = Eigen.of(a.at_precision())
    if eigen.lowest > 0:
        return eigen
    if (min(eigen.values) + eigen.eta) < 0:
        reject(name, float(min(eigen.values)), "positive semidefinite (this is an eigenvalue of it)")
    if a.exact is None:
        return eigen.positive()
    eigen = eigen.positive(a.rank)
    if a.rank and not eigen.lowest > 0:
        raise UndecidedError(f"the eigenvalues of {name} are not separated from 0 at {ctx.prec} bits")
    return eigen


# Step 3: functions


class Function(ABC):
    """A function on [0, inf) with bounds on its change with its argument."""

    @abstractmethod
    def __call__(self, x: Any) -> Any:
        """Return f(x) for an exact x >= 0."""

    @abstractmethod
    def slope(self, low: Any, high: Any, zero: bool) -> Any:
        """Return a Lipschitz constant on [low, high], and 0 if `zero`; infinite or NaN if there is none."""

    def move(self, eta: Any, low: Any, high: Any, zero: bool) -> Any:
        """Return a bound of |f(A) - f(B)| for |A - B| <= eta and spectra in that set."""
        slope = self.slope(low, high, zero)
        if not slope.is_finite():
            raise UndecidedError(f"eigenvalues are not separated from 0 at {ctx.prec} bits")
        return slope * eta


@dataclass(frozen=True)
class Power(Function):
    """(x + shift)^s; without a shift 0^s = 0."""

    s: fmpq
    shift: fmpq = fmpq(0)  # noqa: RUF009

    def __call__(self, x: Any) -> Any:
        if self.shift == 0 and x == 0:  # an exact zero; near a jump at 0, `slope` is infinite
            return arb(0)
        return (x + arb(self.shift)) ** arb(self.s)

    def slope(self, low: Any, high: Any, zero: bool) -> Any:
        shift = arb(self.shift)
        bottom = shift if zero and self.shift > 0 else low + shift
        steep = max(_end(bottom, self.s - 1), _end(high + shift, self.s - 1))
        factor = abs(arb(self.s)).upper()
        return (max(factor, arb(1)) if zero and self.shift == 0 else factor) * steep

    def move(self, eta: Any, low: Any, high: Any, zero: bool) -> Any:
        if self.shift == 0 and 0 < self.s < 1:  # |A^s - B^s| <= |A - B|^s, operator norm (Bhatia X.1.1)
            concave = (eta ** arb(self.s)).upper() if eta > 0 else arb(0)
            slope = self.slope(low, high, zero)
            return min(concave, (slope * eta).upper()) if slope.is_finite() else concave
        return super().move(eta, low, high, zero)


def _end(x: Any, s: fmpq) -> Any:
    """Return an upper bound of x^s at an endpoint x >= 0 of an interval."""
    if x.lower() > 0:
        return (x ** arb(s)).upper()
    return arb(1) if s == 0 else (x.upper() ** arb(s)).upper() if s > 0 and x.upper() > 0 else INF if s < 0 else arb(0)


@dataclass(frozen=True)
class Log(Function):
    """log(x + shift); without a shift, 0 at 0."""

    shift: fmpq = fmpq(0)  # noqa: RUF009

    def __call__(self, x: Any) -> Any:
        return arb(0) if x == 0 and self.shift == 0 else (x + arb(self.shift)).log()

    def slope(self, low: Any, high: Any, zero: bool) -> Any:
        if self.shift > 0:
            return (1 / ((arb(0) if zero else low) + arb(self.shift))).upper()
        if not low > 0:
            return INF
        size = max(arb(1), abs(low.log()).upper(), abs(high.log()).upper()) if zero else arb(1)
        return (size / low).upper()


@dataclass(frozen=True)
class XLogX(Function):
    """x log x."""

    def __call__(self, x: Any) -> Any:
        return x_log_x(x)

    def slope(self, low: Any, high: Any, zero: bool) -> Any:
        return 1 + max(abs(low.log()).upper(), abs(high.log()).upper()) if low > 0 else INF


@dataclass(frozen=True)
class DividedPower(Function):
    """((x + shift)^s - shift^s) / x, shift > 0; s shift^(s - 1) at 0."""

    s: fmpq
    shift: fmpq

    def __call__(self, x: Any) -> Any:
        shift, s = arb(self.shift), arb(self.s)
        base = shift**s
        return s * base / shift if x == 0 else base * (s * (x / shift).log1p()).expm1() / x

    def slope(self, low: Any, high: Any, zero: bool) -> Any:
        s, bottom = self.s, arb(self.shift)
        steep = max(_end(bottom, s - 2), _end(high + bottom, s - 2))
        return abs(arb(s * (s - 1) / 2)).upper() * steep


@dataclass(frozen=True)
class DividedLog(Function):
    """log(1 + x / shift) / x, shift > 0; 1 / shift at 0."""

    shift: fmpq

    def __call__(self, x: Any) -> Any:
        shift = arb(self.shift)
        return 1 / shift if x == 0 else (x / shift).log1p() / x

    def slope(self, low: Any, high: Any, zero: bool) -> Any:
        return arb(1 / (2 * self.shift * self.shift)).upper()


def power_sum(values: list[Any], s: fmpq) -> Any:
    """Return the sum of t^s over the nonzero eigenvalues t of a nonnegative spectrum."""
    return sum((positive_power(t, s) for t in values if not t.is_zero()), arb(0))
