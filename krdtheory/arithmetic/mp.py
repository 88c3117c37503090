"""mpmath at a given number of digits: arrays are NumPy arrays of mpmath numbers, so that formulas are as in float64."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import isfinite
from numbers import Real
from threading import get_ident
from typing import Any

import flint
import numpy as np
from mpmath import MPContext, libmp

from krdtheory.arithmetic.base import Arithmetic, Array, Pair, Spectrum, check_support_tol, reject
from krdtheory.arithmetic.exact import (
    ExactMatrix,
    checked_parts,
    entries_array,
    infinite_sign,
    is_of_complex_kind,
    parts_array,
    precision,
    refuse_complex,
)


class PrecisionError(ArithmeticError):
    """The working precision does not suffice for a decision or for the requested digits."""


class _Context(MPContext):
    """A context that leaves a number times an array to NumPy at once; mpmath first writes the array into an error."""

    def npconvert(self, x: Any) -> Any:
        if isinstance(x, np.ndarray):
            raise TypeError("an array is no number")
        return super().npconvert(x)


def _context(digits: int) -> Any:
    """Return a context of the calling thread, as functions of mpmath raise the precision of theirs temporarily."""
    return _context_of(digits, get_ident())


@lru_cache(maxsize=64)
def _context_of(digits: int, thread: int) -> Any:
    context = _Context()
    context.dps = digits
    return context


class MP(Arithmetic):
    """mpmath with `digits` decimal digits. Input is exact wherever it is rational, floats included (as dyadic
    rationals): zeros and ranks are then decided over Q, never by size.
    """

    exact_input = True
    largest = float("inf")
    max_exponent = float("inf")
    last_order = float("inf")
    piece = sys.maxsize
    plain_length = float("inf")
    lifted = 1
    dtype = object

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self.inf = self.context.inf
        self.unit = self.context.eps * 1
        self.noise = self.context.mpf(10) ** (5 - digits)

    @property
    def context(self) -> Any:
        return _context(self.digits)

    def log(self, x: Any) -> Any:
        return self._elementary(libmp.mpf_log, self.context.log)(x)

    def exp(self, x: Any) -> Any:
        return self._elementary(libmp.mpf_exp, self.context.exp)(x)

    def expm1(self, x: Any) -> Any:
        return self._elementary(_expm1, self.context.expm1)(x)

    def log1p(self, x: Any) -> Any:
        return self._elementary(_log1p, self.context.log1p)(x)

    def sqrt(self, x: Any) -> Any:
        return self._elementary(libmp.mpf_sqrt, self.context.sqrt)(x)

    def _elementary(self, real: Callable[..., Any], general: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return a function elementwise, for real numbers by mpmath's low-level functions, which are faster."""
        precision, made = self.context.prec, self.context.make_mpf

        def one(x: Any) -> Any:
            try:
                return made(real(x._mpf_, precision, "n"))
            except (AttributeError, libmp.ComplexResult):
                return general(x)

        return _elementwise(one)

    def _number(self, entry: Any, parts: Any) -> Any:
        if type(entry) is float:
            return self.context.mpf(entry)
        if parts is None:
            import sympy

            return self.context.convert(sympy.N(entry, self.digits + 5))
        re, im = (self.context.mpf(int(x.p)) / int(x.q) for x in parts)
        return self.context.mpc(re, im) if im else re

    def _numbers(self, value: Any, name: str) -> tuple[Array, Array]:
        entries, parts = parts_array(value, name)
        numbers = np.empty(entries.shape, dtype=object)
        for index in np.ndindex(entries.shape):
            numbers[index] = self._number(entries[index], parts[index])
        return numbers, parts

    def array(self, value: Any, name: str) -> Array:
        entries = entries_array(value, name)
        number = self.context.mpf
        numbers = [
            number(x) if type(x) is float and isfinite(x) else self._number(x, checked_parts(x, name))
            for x in entries.flat
        ]
        out = np.empty(entries.shape, dtype=object)
        out.ravel()[:] = numbers
        return out

    def lift(self, x: Array) -> Array:
        """Return `x` with a leading axis of length one, as NumPy unpacks 0-dimensional object arrays."""
        return x[None]

    def result(self, value: Any) -> Any:
        return np.asarray(value, dtype=object)[0]

    def reals(self, value: Any, name: str) -> Array:
        refuse_complex(value, name)
        return super().reals(value, name)

    def parameter(self, value: Any, name: str, low: float, high: float, allowed: str) -> Array:
        entries = entries_array(value, name)
        x = np.empty(entries.shape, dtype=object)
        for index in np.ndindex(entries.shape):
            x[index] = self._extended(entries[index], name, allowed)
            if not low <= x[index] <= high:
                reject(name, entries[index], allowed)
        return self.lift(x)

    def _extended(self, entry: Any, name: str, allowed: str) -> Any:
        """Return a finite real number or an infinity."""
        if sign := infinite_sign(entry):
            return self.inf if sign > 0 else -self.inf
        number = self._number(entry, checked_parts(entry, name, allowed))
        if is_of_complex_kind(entry) or hasattr(number, "_mpc_"):
            reject(name, entry, "real", TypeError)
        return number

    def __repr__(self) -> str:
        return f"MP({self.digits})"

    @property
    def pi(self) -> Any:
        return self.context.pi * 1

    def number(self, x: Any) -> Any:
        return self.context.mpf(x)

    def complex(self, x: Any, y: Any) -> Any:
        return self.context.mpc(x, y)

    def converted(self, x: Any) -> Any:
        if x is None or np.asarray(x).dtype == object:
            return x
        return _elementwise(lambda v: self.number(float(v)))(x)

    def are_real(self, values: Array) -> bool:
        return values.dtype.kind in "iuf" or all(isinstance(v, Real) for v in values.flat)

    def unrounded(self, value: Any, name: str) -> Array:
        entries, parts = parts_array(value, name)
        for index in np.ndindex(parts.shape):
            parts[index] = self._number(entries[index], None) if parts[index] is None else parts[index][0]
        return parts

    def summed(self, values: Sequence[Any]) -> Any:
        if any(hasattr(x, "_mpf_") for x in values):
            values = [self._extended(x, "p", "finite") for x in values]
        return self._extended(sum(values[1:], values[0]), "p", "finite")

    def ldexp(self, x: Any, exponent: int) -> Any:
        return x * self.number(2) ** exponent

    def scaled_quotient(self, x: Any, y: Any, z: Any) -> Any:
        return y / z * x

    def log_quotient(self, x: Array, y: Array) -> Array:
        return self.log1p((x - y) / y)

    def above_tangent(self, x: Array, y: Array) -> Array:
        """Computed as it is written: the working precision is raised until it suffices."""
        return x * self.log_quotient(x, y) - (x - y)

    def resolution(self, float64: float, spare: int) -> Any:
        return self.power_of_ten(spare - self.digits)

    @property
    def wide(self) -> MP:
        return self

    def log_gamma(self, x: Any) -> Any:
        return self.context.loggamma(x)

    def solve(self, matrix: Array, right: Array) -> Array:
        matrix, right = (self.context.matrix(x.tolist()) for x in (matrix, right))
        return np.array(list(self.context.lu_solve(matrix, right)), dtype=object)

    def eigvalsh(self, matrix: Array) -> Array:
        return _batched(lambda m: self.eigh(m, vectors=False)[0], matrix)

    def eigh(self, matrix: Array, vectors: bool = True) -> tuple[Array, Array]:
        """Eigenvalues, ascending, and eigenvectors of one Hermitian matrix."""
        context = self.context
        complex_ = any(hasattr(x, "_mpc_") for x in matrix.flat)
        if len(matrix) > 2 and (found := self._flint_eigh(matrix, complex_, vectors)) is not None:
            return found
        solve = context.eighe if complex_ else context.eigsy
        out = solve(context.matrix(matrix.tolist()), eigvals_only=not vectors, overwrite_a=True)
        values, basis = out if vectors else (out, context.matrix(0, 0))
        return np.array(list(values), dtype=object), _ndarray(basis)

    def _flint_eigh(self, matrix: Array, complex_: bool, vectors: bool) -> tuple[Array, Array] | None:
        """Return `eigh` by python-flint, several times faster. Its eigenvectors, for general matrices and not proved,
        may fail to be orthonormal or to diagonalise the matrix if eigenvalues are close; then return None."""
        n, context = len(matrix), self.context
        with precision(context.prec + 32):
            a = flint.acb_mat(n, n, [_acb(x) for x in matrix.flat])
            try:
                values, v = a.eig(right=True, algorithm="approx")
            except (ValueError, ArithmeticError):
                return None
            order = sorted(range(n), key=lambda i: values[i].real.mid())
            values = [values[i].real.mid() for i in order]
            columns = []
            for i in order:
                column = [v[j, i].mid() for j in range(n)]
                turn = max(column, key=lambda x: abs(x).mid()).conjugate()  # makes a multiple of a real vector real
                size = (sum(abs(x) ** 2 for x in column)).sqrt() * abs(turn)
                if not size > 0:
                    return None
                columns.append([(x * turn / size).mid() for x in column])
            adjoint = flint.acb_mat(n, n, [x.conjugate() for column in columns for x in column])
            v = adjoint.transpose().conjugate()
            size = max(abs(x).mid() for x in values)
            off = max(_largest(adjoint * v, [1] * n), _largest(adjoint * a * v, values) / size if size > 0 else 0)
            if not off < flint.arb(10) ** (2 - self.digits):
                return None
            if not vectors:
                return np.array([_mpf(context, x) for x in values], dtype=object), _ndarray(context.matrix(0, 0))
            basis = np.empty((n, n), dtype=object)
            for i, column in enumerate(columns):
                for j, x in enumerate(column):
                    basis[j, i] = _complex(context, x) if complex_ else _mpf(context, x.real)
            return np.array([_mpf(context, x) for x in values], dtype=object), basis

    def spectrum(self, value: Any, name: str, support_tol: float | None) -> Spectrum:
        """For rational input the rank is found over Q, and the eigenvalues beyond it are exactly zero. With
        `support_tol`, and for irrational input (tolerance 10^(5 - digits)), an eigenvalue counts as zero if it is at
        most the tolerance times the largest.
        """
        tol = check_support_tol(support_tol)
        numbers, parts = self._numbers(value, name)
        matrix, parts = self.hermitian(numbers, name), parts[None]
        batch, n = matrix.shape[:-2], matrix.shape[-1]
        values = np.empty((*batch, n), dtype=object)
        vectors = np.empty((*batch, n, n), dtype=object)
        exact: Any = np.empty(batch, dtype=object)
        cut = self.noise if tol is None else self.context.mpf(tol)
        for index in np.ndindex(batch):
            w, vectors[index] = self.eigh(matrix[index])
            largest = abs(w).max()
            if w[0] < -max(cut, self.noise) * largest:
                reject(
                    name,
                    float(w[0]),
                    "positive semidefinite (this is an eigenvalue of it; pass support_tol if it is rounded)",
                )
            if tol is None and all(x is not None for x in parts[index].flat):
                exact[index] = ExactMatrix.of(parts[index].tolist())
                zeros = n - exact[index].rank()
                if (w[:zeros] > cut * largest).any() or (w[zeros:] <= cut * largest).any():
                    raise PrecisionError(f"{self.digits} digits do not separate the eigenvalues of {name} from zero")
                values[index] = np.concatenate([np.full(zeros, self.context.zero), w[zeros:]])
            else:
                values[index] = np.where(w <= cut * largest, self.context.zero, w)
        return Spectrum(values, vectors, np.full(batch, max(self.noise, cut), dtype=object), exact)

    def pair(self, rho: Spectrum, sigma: Spectrum, regularization: Array) -> Pair:
        """As `Arithmetic.pair`, with ranks over Q if both matrices are exact."""
        pair = super().pair(rho, sigma, regularization)
        included, rank, meet, overlap = (np.array(x) for x in (pair.included, pair.rank, pair.meet, pair.overlap))
        x, y, shifted = (np.broadcast_to(v, rank.shape) for v in [rho.exact, sigma.exact, regularization > 0])
        for index in np.ndindex(rank.shape):
            state: Any = x[index]
            reference: Any = y[index]
            if state is None or reference is None:
                continue
            r = state.rank()
            whole = shifted[index] or reference.rank() == len(pair.b[index])
            rank[index] = r if whole else reference.rank_of_product(state)
            meet[index] = r if whole else r + reference.rank() - reference.rank_beside(state)
            included[index] = meet[index] == r
            if included[index]:
                overlap[index][pair.b[index] == 0] = self.context.zero
        return replace(pair, overlap=overlap, included=included, rank=rank, meet=meet)

    def matmul(self, x: Array, y: Array) -> Array:
        """Computed by python-flint and rounded once."""
        batch = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
        x, y = (np.broadcast_to(z, batch + z.shape[-2:]) for z in (x, y))
        out = np.empty((*batch, x.shape[-2], y.shape[-1]), dtype=object)
        complex_ = any(hasattr(v, "_mpc_") for z in (x, y) for v in z.flat)
        matrix: Any
        matrix, entry, number = (flint.acb_mat, _acb, _complex) if complex_ else (flint.arb_mat, _real, _mpf)
        with precision(self.context.prec + 32):
            for index in np.ndindex(batch):
                left, right = (matrix(z.shape[-2], z.shape[-1], [entry(v) for v in z[index].flat]) for z in (x, y))
                product = left * right
                for i, j in np.ndindex(out.shape[-2:]):
                    out[(*index, i, j)] = number(self.context, product[i, j])
        return out

    def general_power(self, matrix: Array, exponent: Any) -> Array:
        """Return matrix^exponent for one diagonalisable matrix of positive spectrum: by python-flint's eigenvectors,
        with twice the digits, if these are seen to diagonalise it, and otherwise by mpmath's logarithm."""
        n, context = len(matrix), self.context
        with precision(2 * context.prec + 32):
            a = flint.acb_mat(n, n, [_acb(x) for x in matrix.flat])
            try:
                values, v = a.eig(right=True, algorithm="approx")
                v = v.mid()
                inverse = v.inv()
            except (ValueError, ArithmeticError):
                inverse = None
            if inverse is not None:
                values = [w.mid() for w in values]
                powers = [w ** _acb(exponent) for w in values]
                rest, power = (v * flint.acb_mat(n, n, _diagonal(d)) * inverse for d in (values, powers))
                size = max(abs(w).mid() for w in values)
                if _largest(rest - a, [0] * n) < size * flint.arb(10) ** (10 - 2 * self.digits):
                    return np.array([_complex(context, x.mid()) for x in power.entries()], dtype=object).reshape(n, n)
        logarithm = context.logm(context.matrix(matrix.tolist()))
        return _ndarray(context.expm(exponent * logarithm))

    def svd(self, matrix: Array) -> tuple[Array, Array]:
        n, m = matrix.shape[-2:]
        values = np.empty((*matrix.shape[:-2], min(n, m)), dtype=object)
        left = np.empty((*matrix.shape[:-2], n, min(n, m)), dtype=object)
        for index in np.ndindex(matrix.shape[:-2]):
            u, s, _ = self._svd(matrix[index], vectors=True)
            values[index], left[index] = list(s), _ndarray(u)
        return values, left

    def right_singular_vectors(self, matrix: Array, rank: Array) -> tuple[Array, Array]:
        values, right = super().right_singular_vectors(matrix, rank)
        if ((values > 0) & (values < self.noise * values[..., :1])).any():
            raise PrecisionError(f"{self.digits} digits do not separate singular values from zero")
        return values, right

    def svd_values(self, matrix: Array) -> Array:
        """Return the singular values, descending, of one matrix."""
        if not matrix.any():
            return np.full(min(matrix.shape), self.context.zero)
        if min(matrix.shape) > 2:  # as roots of eigenvalues computed with twice the digits
            finer = MP(2 * self.digits)
            adjoint = np.conj(matrix.T)
            wide = matrix.shape[0] < matrix.shape[1]
            small = finer.matmul(matrix, adjoint) if wide else finer.matmul(adjoint, matrix)
            squares = finer.eigh(small, vectors=False)[0][::-1]
            return self.sqrt(_elementwise(self.context.mpf)(np.where(squares > 0, squares, 0 * squares)))
        return np.array(list(self._svd(matrix, vectors=False)), dtype=object)

    def _svd(self, matrix: Array, vectors: bool) -> Any:
        complex_ = any(hasattr(x, "_mpc_") for x in matrix.flat)
        solve = self.context.svd_c if complex_ else self.context.svd_r
        try:
            return solve(self.context.matrix(matrix.tolist()), compute_uv=vectors)
        except RuntimeError as error:  # equal singular values, at few precisions
            raise PrecisionError(f"the singular values do not converge at {self.digits} digits") from error

    def graded_log_singular_values(self, log_weights: Array, matrix: Array, order: Array, noise: Array) -> Array:
        """Below order 1/2 they are found by one-sided Jacobi rotations on a row echelon form, which gives every
        singular value, however small, to full relative accuracy (Demmel and Veselic 1992). Exponents do not overflow.
        """
        out = np.empty((*matrix.shape[:-2], min(matrix.shape[-2:])), dtype=object)
        for index in np.ndindex(matrix.shape[:-2]):
            weights, x = self.exp(log_weights[index] + self.context.zero), matrix[index] + self.context.zero
            if 0 < order[index] < 0.5:
                values = self._jacobi(list(self.echelon(weights, x, noise[index]).T))
                values = np.concatenate([values, np.full(out.shape[-1] - len(values), self.context.zero)])
            else:
                values = self.svd_values(weights[:, None] * x)
            out[index] = self.log(values)
        return out

    def _jacobi(self, columns: list[Array]) -> Array:
        """Return the singular values, descending, of independent columns."""
        tiny, turned = self.context.mpf(10) ** (2 - self.digits), True
        while turned:
            turned = False
            for i in range(len(columns)):
                for j in range(i):
                    u, v = columns[i], columns[j]
                    a, b, g = (abs(u) ** 2).sum(), (abs(v) ** 2).sum(), (np.conj(u) * v).sum()
                    size = abs(g)
                    if size <= tiny * self.context.sqrt(a * b):
                        continue
                    turned, phase, zeta = True, g / size, (b - a) / (2 * size)
                    t = (1 if zeta >= 0 else -1) / (abs(zeta) + self.context.sqrt(1 + zeta * zeta))
                    c = 1 / self.context.sqrt(1 + t * t)
                    columns[i], columns[j] = c * u - c * t * np.conj(phase) * v, c * t * phase * u + c * v
        norms = sorted((self.context.sqrt((abs(u) ** 2).sum()) for u in columns), reverse=True)
        return np.array(norms, dtype=object)

    def rank(self, matrix: Array, noise: Array, scale: Array | None = None) -> Array:
        s = _batched(self.svd_values, matrix)
        scale = self.sqrt((np.abs(matrix) ** 2).sum((-1, -2))) if scale is None else scale
        return np.asarray((s > np.asarray(noise * scale)[..., None]).sum(-1), dtype=int)


def _expm1(x: Any, precision: int, rounding: str) -> Any:
    """Return e^x - 1 for a raw number of `mpmath.libmp`."""
    sign, mantissa, exponent, bits = x
    if not mantissa:
        return libmp.mpf_sub(libmp.mpf_exp(x, precision, rounding), libmp.fone)
    size = exponent + bits  # |x| < 2^size
    if size < -precision - 8:  # x + x^2 / 2
        return libmp.mpf_add(x, libmp.mpf_shift(libmp.mpf_mul(x, x), -1), precision, rounding)
    if sign and size > 2 and libmp.mpf_lt(x, libmp.from_int(-precision - 8)):
        return libmp.mpf_neg(libmp.fone)
    return libmp.mpf_sub(libmp.mpf_exp(x, precision + max(0, -size) + 16, rounding), libmp.fone, precision, rounding)


def _log1p(x: Any, precision: int, rounding: str) -> Any:
    """Return log(1 + x) for a raw number of `mpmath.libmp`."""
    if x[1] and x[2] + x[3] < -precision - 8:  # x - x^2 / 2
        return libmp.mpf_sub(x, libmp.mpf_shift(libmp.mpf_mul(x, x), -1), precision, rounding)
    return libmp.mpf_log(libmp.mpf_add(x, libmp.fone), precision, rounding)


def _acb(x: Any) -> flint.acb:
    """Return a number of mpmath, or an integer, exactly."""
    return flint.acb(*map(_arb, x._mpc_)) if hasattr(x, "_mpc_") else flint.acb(_real(x))


def _real(x: Any) -> flint.arb:
    """Return a real number of mpmath, or an integer, exactly."""
    return _arb(x._mpf_) if hasattr(x, "_mpf_") else flint.arb(int(x))


def _arb(raw: Any) -> flint.arb:
    sign, mantissa, exponent, _ = raw
    return flint.arb((int(-mantissa if sign else mantissa), int(exponent)))


def _mpf(context: Any, x: flint.arb) -> Any:
    """Return the midpoint of a ball, rounded."""
    mantissa, exponent = x.mid().man_exp()
    return context.ldexp(context.mpf(int(mantissa)), int(exponent))


def rounded(x: flint.arb, digits: int) -> Any:
    """Return the midpoint of a ball as a number of mpmath with `digits` digits."""
    context = _context(digits)
    return _mpf(context, x) if x.is_finite() else context.inf if x > 0 else -context.inf


def _complex(context: Any, x: flint.acb) -> Any:
    """Return the midpoint of a ball, rounded; a real number if its imaginary part is 0."""
    real = _mpf(context, x.real)
    return context.mpc(real, _mpf(context, x.imag)) if x.imag != 0 else real


def _diagonal(values: list[Any]) -> list[Any]:
    """Return the entries, row by row, of the diagonal matrix of these values."""
    return [x if i == j else flint.acb(0) for i, x in enumerate(values) for j in range(len(values))]


def _largest(matrix: flint.acb_mat, diagonal: list[Any]) -> Any:
    """Return the largest absolute entry of matrix - diag(diagonal)."""
    rows = range(matrix.nrows())
    return max(abs(matrix[i, j] - (diagonal[i] if i == j else 0)).mid() for i in rows for j in rows)


def _elementwise(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return np.frompyfunc(f, 1, 1)


def _batched(f: Callable[[Array], Array], matrix: Array) -> Array:
    """Return f of each trailing matrix, stacked."""
    flat = [f(matrix[index]) for index in np.ndindex(matrix.shape[:-2])]
    out = np.empty((len(flat), len(flat[0]) if flat else 0), dtype=object)
    for i, row in enumerate(flat):
        out[i] = row
    return out.reshape(*matrix.shape[:-2], -1)


def _ndarray(matrix: Any) -> Array:
    out = np.empty((matrix.rows, matrix.cols), dtype=object)
    for i in range(matrix.rows):
        for j in range(matrix.cols):
            out[i, j] = matrix[i, j]
    return out


def at_digits(formula: Callable[..., Any], digits: int, /, *args: Any, **kwargs: Any) -> Any:
    """Return formula(*args, arithmetic=MP(...)), with precision raised until two precisions agree to `digits` digits.

    Returns
    -------
    mpf or array of mpf
        Rounded to `digits` digits. Exactly 0 where the values are at most 10^(-2 digits) and vanish as the precision
        is raised, so that they are not distinguished from 0: there the absolute error is at most 10^(-2 digits).

    Raises
    ------
    PrecisionError
        Two successive precisions up to 64 * (digits + 15) digits did not agree.
    """
    if isinstance(digits, bool) or not isinstance(digits, (int, np.integer)):
        reject("digits", digits, "an integer from 2 to 100000", TypeError)
    if not 2 <= digits <= 100_000:
        reject("digits", digits, "an integer from 2 to 100000")
    digits = int(digits)
    previous = None
    working, cap = digits + 15, 64 * (digits + 15)
    while working <= cap:
        try:
            value = formula(*args, arithmetic=MP(working), **kwargs)
        except PrecisionError:
            value = None
        if value is not None and previous is not None:
            settled = _settled(previous, value, digits, working >= 2 * digits + 15)
            if settled is not None:
                return settled
        previous, working = value, working + working // 2 if previous is None else 2 * working
    raise PrecisionError(f"two precisions up to {cap} digits do not agree to {digits} digits")


def _settled(x: Any, y: Any, digits: int, resolves_zero: bool) -> Any:
    """Return the values on which two precisions agree, rounded, or None. `resolves_zero` says that the second resolves
    10^(-2 digits): at fewer digits, a sum that cancels is 0 where the value is not."""
    context = _context(digits)
    unit = context.mpf(10) ** -digits

    def settled(u: Any, v: Any) -> Any:
        if v != 0 and (u == v or abs(u - v) <= unit / 100 * abs(v)):
            return context.mpf(v)
        # rounding noise falls with the precision, and a value that is resolved does not
        return context.zero if resolves_zero and abs(u) <= unit**2 and abs(v) <= unit * abs(u) else None

    values = np.frompyfunc(settled, 2, 1)(np.asarray(x, dtype=object), np.asarray(y, dtype=object))
    return None if any(value is None for value in np.ravel(values)) else values
