"""NumPy double precision, batched over leading dimensions as in numpy.linalg."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.linalg import eigvalsh
from scipy.linalg.blas import dsyrk, zherk
from scipy.linalg.lapack import dgejsv, dpotrf, dtrtrs, zpotrf, ztrtrs
from scipy.special import gammaln

from krdtheory.arithmetic.base import (
    Arithmetic,
    Array,
    Embedding,
    Spectrum,
    check_support_tol,
    given_at,
    reject,
    spread,
    unwrapped,
)

EPS = float(np.finfo(float).eps)
TINY = float(np.finfo(float).smallest_subnormal)  # stands for no error and is safe to divide by
INFINITE_BITS = np.float64(np.inf).view(np.uint64)
LARGE = 256  # rows or columns; of a smaller matrix all singular values cost next to nothing
SQUARED = 1e-140, 1e140  # numbers whose squares keep their digits


class Float64(Arithmetic):
    """float64 and complex128. Supports are decided up to rounding errors, see `spectrum` and `Arithmetic.pair`."""

    exact_input = False
    largest = float(np.finfo(float).max)
    max_exponent = 700.0
    last_order = 1e290
    piece = 2**14  # so that intermediate arrays stay in the cache
    plain_length = 1024
    dtype = float
    digits = 15
    unit = EPS
    noise = EPS
    inf = np.inf
    pi = np.pi

    exp: Callable[[Any], Any] = staticmethod(np.exp)
    expm1: Callable[[Any], Any] = staticmethod(np.expm1)
    sqrt: Callable[[Any], Any] = staticmethod(np.sqrt)

    @staticmethod
    def log(x: Any) -> Any:
        """Return the natural logarithm, with log 0 = -inf."""
        with np.errstate(divide="ignore"):
            return np.log(x)

    @staticmethod
    def log1p(x: Any) -> Any:
        """Return log(1 + x), with log 0 = -inf."""
        with np.errstate(divide="ignore"):
            return np.log1p(x)

    def __repr__(self) -> str:
        return "FLOAT64"

    def result(self, value: Any) -> Any:
        x = np.asarray(value)
        return (x + 0 if x.dtype.kind == "f" else x)[()]  # turns -0.0 into 0.0

    def array(self, value: Any, name: str) -> Array:
        return _finite(_numeric(value, name, complex_=True), name)

    def reals(self, value: Any, name: str) -> Array:
        x = _finite(_numeric(value, name), name)
        if np.iscomplexobj(x):
            reject(name, value, "real", TypeError)
        return x

    def weights(self, value: Any, name: str, *, nonzero: bool = False) -> Array:
        x = _numeric(value, name)
        if x.dtype.kind == "f" and x.ndim and x.size:  # one pass accepts valid weights
            largest = x.view(np.uint64).max(-1)  # bits of floats are ordered as they are, with negative ones above inf
            if largest.max() < INFINITE_BITS and (not nonzero or largest.min() > 0):
                return x
        return super().weights(value, name, nonzero=nonzero)

    def hermitian(self, value: Any, name: str) -> Array:
        x = _numeric(value, name, complex_=True)
        square = x.ndim > 1 and x.shape[-1] == x.shape[-2] and x.size > 0
        if square and (x == _adjoint(x)).all() and np.vdot(x, x).real < np.inf:  # finite and exactly Hermitian
            return x
        return super().hermitian(value, name)

    def parameter(self, value: Any, name: str, low: float, high: float, allowed: str) -> Array:
        plain = type(value) is float or (type(value) is int and abs(value) < 2**53)
        if plain and low <= value <= high:  # most are, and need no further question
            return np.array(float(value))
        x = _numeric(value, name)
        if np.iscomplexobj(x):
            reject(name, value, "real", TypeError)
        outside = ~((x >= low) & (x <= high))
        if outside.any():
            reject(name, given_at(value, outside), allowed)
        return x

    def number(self, x: Any) -> Any:
        return float(x)

    def complex(self, x: Any, y: Any) -> Any:
        return complex(x, y)

    def converted(self, x: Any) -> Any:
        return x

    def are_real(self, values: Array) -> bool:
        return values.dtype.kind in "iuf"

    def unrounded(self, value: Any, name: str) -> Array:
        return self.reals(value, name)

    def summed(self, values: Sequence[Any]) -> Any:
        return math.fsum(values)

    def ldexp(self, x: Any, exponent: int) -> Any:
        return np.ldexp(x, exponent)

    def scaled_quotient(self, x: Any, y: Any, z: Any) -> Any:
        (x, i), (y, j), (z, k) = map(np.frexp, (x, y, z))
        return np.ldexp(x * y / z, i + j - k)

    def log_quotient(self, x: Array, y: Array) -> Array:
        """Computed as 2 atanh(t), t = (x - y) / (x + y)."""
        z = (x - y) / y
        t = z / (2 + z)
        w = t * t
        return 2 * (t + t * w * _atanh_series(w))

    def above_tangent(self, x: Array, y: Array) -> Array:
        """Computed as (x + y) (t^2 + t^3 (1 + t) S(t^2)), t = (x - y) / (x + y), where atanh(t) = t + t^3 S(t^2)."""
        z = (x - y) / y
        t = z / (2 + z)
        w = t * t
        return (w + w * t * (1 + t) * _atanh_series(w)) * y * (2 + z)

    def resolution(self, float64: float, spare: int) -> Any:
        return float64

    @property
    def wide(self) -> Any:
        from krdtheory.arithmetic.mp import MP  # not needed, nor paid for, elsewhere

        return MP(40)

    def log_gamma(self, x: Any) -> Any:
        return float(gammaln(x))

    def solve(self, matrix: Array, right: Array) -> Array:
        return np.linalg.solve(matrix, right)

    def eigh(self, matrix: Array) -> tuple[Array, Array]:
        values, vectors = np.linalg.eigh(matrix)
        return values, vectors

    def eigvalsh(self, matrix: Array) -> Array:
        return np.linalg.eigvalsh(matrix)

    def spectrum(self, value: Any, name: str, support_tol: float | None) -> Spectrum:
        """An eigenvalue counts as zero if it is at most tol * (largest eigenvalue), with tol = `support_tol` or, by
        default, 4 n eps, the rounding error of eigenvalues (zero for a diagonal matrix, whose zeros are exact). A
        matrix with an eigenvalue below -tol, relative to the largest, is rejected as not positive semidefinite; the
        default allows -1e-10 for rounding errors in the matrix, and nothing for a diagonal matrix.
        """
        tol = check_support_tol(support_tol)
        matrix = self.hermitian(value, name)
        values, vectors = np.linalg.eigh(matrix)
        noise = _spectral_noise(matrix)
        diagonal = noise == TINY
        largest = values[..., -1]
        allowed = np.where(diagonal, 0, np.maximum(1e-10, noise)) if tol is None else np.maximum(tol, noise)
        lowest_allowed = -allowed * np.abs(largest)
        if (values[..., 0] < lowest_allowed).any():
            reject(
                name,
                float(values[..., 0].min()),
                "positive semidefinite up to support_tol (this is an eigenvalue of it)",
            )
        cut = np.where(diagonal, 0, noise) if tol is None else np.full_like(noise, tol)
        values = np.where(values <= (cut * largest)[..., None], 0.0, values)
        return Spectrum(values, vectors, noise)

    def embedding(
        self, rho: Any, sigma: Any, regularization: Array, support_tol: float | None, order: Array
    ) -> Embedding:
        """Use the Cholesky factor of rho instead of its eigenvectors if no order is below 1 and all ranks are full by
        more than rounding errors. Low orders depend on the small eigenvalues, which eigenvectors separate."""
        if support_tol is not None or (order < 1).any():
            return super().embedding(rho, sigma, regularization, support_tol, order)
        matrix = self.hermitian(rho, "rho")
        factor = _regular_factor(matrix)
        if factor is None:
            return super().embedding(rho, sigma, regularization, support_tol, order)
        spectrum = self.spectrum(sigma, "sigma", None)
        self._check_same_dimension(matrix.shape, spectrum.vectors.shape)
        overlap = _adjoint(spectrum.vectors) @ factor
        self.fits(regularization, "regularization", overlap.shape[:-2])
        b = spectrum.values + regularization[..., None]
        if not (b > 0).all():
            return super().embedding(rho, sigma, regularization, support_tol, order)
        batch = np.broadcast_shapes(overlap.shape[:-2], b.shape[:-1])
        return Embedding(
            b=spread(b, (*batch, b.shape[-1])),
            overlap=spread(overlap, batch + overlap.shape[-2:]),
            included=np.full(batch, True),
            rank=np.full(batch, b.shape[-1]),
            trace=spread(np.trace(matrix, axis1=-2, axis2=-1).real, batch),
            noise=spread(np.maximum(_spectral_noise(matrix), spectrum.noise), batch),
        )

    def largest_quotient(self, rho: Any, sigma: Any, regularization: Array, support_tol: float | None) -> Any:
        """Computed from the Cholesky factors of a single pair if all ranks are full by more than rounding errors."""
        if support_tol is not None or regularization.ndim:
            return None
        x, y = self.two_hermitians(rho, sigma)
        if x.ndim > 2 or y.ndim > 2:
            return None
        factor, lower = _regular_factor(x), _regular_factor(y)
        if factor is None or lower is None:
            return None
        if regularization > 0 and (lower := _cholesky(_less(y, -regularization))) is None:
            return None
        half = (ztrtrs if np.iscomplexobj(lower) or np.iscomplexobj(factor) else dtrtrs)(lower, factor, lower=1)[0]
        if not SQUARED[0] < np.abs(half).max() < SQUARED[1]:
            return None
        square = (zherk if np.iscomplexobj(half) else dsyrk)(1.0, half, lower=1)
        return eigvalsh(square, subset_by_index=[len(y) - 1] * 2, overwrite_a=True, check_finite=False)[0]

    def svd(self, matrix: Array) -> tuple[Array, Array]:
        u, s, _ = np.linalg.svd(matrix, full_matrices=False)
        return s, u

    def rank(self, matrix: Array, noise: Array, scale: Array | None = None) -> Array:
        scale = np.sqrt((np.abs(matrix) ** 2).sum((-1, -2))) if scale is None else scale
        if _is_clearly_regular(matrix, noise * scale):
            return np.full(matrix.shape[:-2], min(matrix.shape[-2:]))
        s = np.linalg.svd(matrix, compute_uv=False)
        return (s > (noise * scale)[..., None]).sum(-1)

    def right_singular_vectors(self, matrix: Array, rank: Array) -> tuple[Array, Array]:
        """They are LAPACK's; if its error, eps times the largest singular value, would affect the tenth digit of
        another, they are found by Jacobi rotations to relative accuracy. A complex matrix then has each vector twice,
        times 1 and i over the square root of 2, so that sums over them are the same."""
        values, right = super().right_singular_vectors(matrix, rank)
        small = np.where(values > 0, values, np.inf).min(-1, initial=np.inf)
        hard = small < 1e-6 * values.max(-1, initial=0)
        if not hard.any():
            return values, right
        twice = np.iscomplexobj(matrix)
        if twice:
            values, right = (np.concatenate([x, 0 * x], -1) for x in (values, right))
        for index in map(tuple, np.argwhere(hard)):
            s, v = _accurate_right_vectors(matrix[index])
            kept = np.arange(len(s)) < rank[index] * (1 + twice)
            values[index], right[index] = np.where(kept, s, 0), np.where(kept, v, 0)
        return values, right

    def of_trace_one(self, pair: Embedding) -> Embedding:
        """Scaled by a power of four, which is exact, or not at all if numbers would leave the range of floats."""
        half = np.frexp(pair.trace)[1] // 2
        if (abs(half) <= 2).all():
            return pair
        smallest = np.where(pair.b > 0, pair.b, pair.b[..., -1:]).min(-1)
        powers = np.frexp(np.stack(np.broadcast_arrays(smallest, pair.b[..., -1])))[1] - 2 * half
        half = np.where((abs(powers) < 900).all(0) & (pair.b[..., -1] > 0), half, 0)
        return replace(
            pair,
            b=np.ldexp(pair.b, -2 * half[..., None]),
            overlap=pair.overlap * np.ldexp(1.0, -half)[..., None, None],
            trace=np.ldexp(pair.trace, -2 * half),
        )

    def graded_log_singular_values(self, log_weights: Array, matrix: Array, order: Array, noise: Array) -> Array:
        """LAPACK's singular values have an error of eps times the largest. Orders below 1/2 depend strongly on tiny
        values: if that error would affect the eleventh digit, they are found by Jacobi rotations on a row echelon form
        (Drmac and Veselic 2008), to relative accuracy, or in multiprecision if the weights underflow.
        """
        scaled = np.exp(log_weights)[..., None] * matrix
        if (order >= 1).all():  # eigenvalues of the Gram matrix are then accurate enough for the sum of powers
            return self.log(np.maximum(np.linalg.eigvalsh(_smaller_gram(scaled))[..., ::-1], 0)) / 2
        if (order >= 0.5).all() and scaled[..., 0, 0].size == 1 and min(scaled.shape[-2:]) >= LARGE:
            log_values = _log_values_by_rows(scaled.reshape(scaled.shape[-2:]))
            if log_values is not None:
                return log_values.reshape(*scaled.shape[:-2], -1)
        values = self.log(np.linalg.svd(scaled, compute_uv=False))
        on = np.isfinite(log_weights)
        span = np.where(on, log_weights, np.inf).min(-1) - np.where(on, log_weights, -np.inf).max(-1)
        grade = np.where(on.any(-1), span, 0)
        hard = (order > 0) & (order < 0.5) & (grade * (1 - 2 * np.minimum(order, 1)) < np.log(1e-5))
        values = np.array(values) if hard.any() else values
        for index in map(tuple, np.argwhere(hard)):
            if grade[index] > -600 or order[index] > 0.03:  # then the terms that underflow add less than e^-36
                columns = self.echelon(np.exp(log_weights[index]), matrix[index], noise[index])
                values[index] = self.log(_accurate_singular_values(columns, values.shape[-1]))
            else:
                from krdtheory.arithmetic.mp import MP  # not needed, nor paid for, elsewhere

                part = log_weights[index], matrix[index], order[index], noise[index]
                values[index] = MP(25).graded_log_singular_values(*part).astype(float)
        return values


FLOAT64 = Float64()


def _atanh_series(w: Array) -> Array:
    """Return (atanh(t) / t - 1) / t^2 = 1/3 + w/5 + w^2/7 + ... at w = t^2 <= 1/9, to all digits of float64."""
    series = np.full_like(w, 1 / 33)
    for n in range(31, 2, -2):
        series *= w
        series += 1 / n
    return series


def _spectral_noise(matrix: Array) -> Array:
    """Return the relative error of eigenvalues, or TINY for a diagonal matrix, which has none."""
    n = matrix.shape[-1]
    if n > 1 and (matrix[..., 0, -1] != 0).all():  # not diagonal
        return np.full(matrix.shape[:-2], 4 * n * EPS)
    return np.where((matrix * (1 - np.eye(n)) == 0).all((-1, -2)), TINY, 4 * n * EPS)


def _less(matrix: Array, shift: Array) -> Array:
    """Return matrix - shift * Id."""
    out = matrix.copy()
    np.einsum("...ii->...i", out)[...] -= shift[..., None]
    return out


def _cholesky(matrix: Array) -> Array | None:
    """Return the Cholesky factors of Hermitian matrices, or None if one is not positive definite. A single matrix is
    passed to LAPACK directly, as the overhead of NumPy exceeds the time for a small one."""
    if matrix.ndim == 2:
        factor, info = (zpotrf if np.iscomplexobj(matrix) else dpotrf)(matrix, lower=1)
        return None if info else np.asarray(factor)
    try:
        return np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return None


def _regular_factor(matrix: Array) -> Array | None:
    """Return the Cholesky factors of Hermitian matrices, or None if an eigenvalue may be 0 up to rounding errors."""
    n = matrix.shape[-1]
    shift = max(1e-10, 16 * n * EPS) * np.trace(matrix, axis1=-2, axis2=-1).real
    return None if _cholesky(_less(matrix, shift)) is None else _cholesky(matrix)


def _adjoint(matrix: Array) -> Array:
    """Return the conjugate transpose; for a real matrix a view, so that NumPy uses a symmetric product."""
    swapped = matrix.swapaxes(-1, -2)
    return np.conj(swapped) if np.iscomplexobj(matrix) else swapped


def _smaller_gram(matrix: Array) -> Array:
    """Return A A^* or A^* A, whichever is smaller."""
    adjoint = _adjoint(matrix)
    return np.asarray(matrix @ adjoint if matrix.shape[-2] < matrix.shape[-1] else adjoint @ matrix)


def _is_clearly_regular(matrix: Array, cut: Array) -> bool:
    """Return whether the least singular value of large matrices exceeds `cut` by so much that Cholesky's method, which
    takes a tenth of the time, can prove it."""
    if min(matrix.shape[-2:]) < 64:
        return False
    product = _smaller_gram(matrix)
    rounding = 4 * sum(matrix.shape[-2:]) * EPS * np.trace(product, axis1=-2, axis2=-1).real
    shift = np.maximum(rounding, 4 * cut**2)
    return _cholesky(_less(product, shift)) is not None


def _log_values_by_rows(matrix: Array) -> Array | None:
    """Return logarithms of singular values, descending, in half the time of LAPACK's, or None if they are not accurate.

    They are from eigenvalues of R R^*, where matrix = Q R, or matrix^* = Q R if it is wide. The rows of R are usually
    graded, and LAPACK's reduction, which begins with the first, then gives all of them to nearly the relative accuracy
    of R. Errors of small ones would show in their product, the squared determinant of R.
    """
    tall = matrix if matrix.shape[0] >= matrix.shape[1] else _adjoint(matrix)
    r = np.asarray(np.linalg.qr(tall, mode="r"))
    values = np.linalg.eigvalsh(r @ _adjoint(r))[::-1]
    if not values[-1] > 0:
        return None
    half = np.log(values) / 2
    off = half.sum() - np.log(np.abs(np.diagonal(r))).sum()
    return half if abs(off) < 1e-10 else None


def _accurate_singular_values(columns: Array, count: int) -> Array:
    """Return the singular values, descending, each to relative accuracy, padded with zeros to `count`."""
    complex_ = np.iscomplexobj(columns)
    if complex_:  # the real form has each of them twice
        columns = np.block([[columns.real, -columns.imag], [columns.imag, columns.real]])
    s, _, _, scale, _, info = dgejsv(columns, joba=2, jobu=3, jobv=3, jobr=0, jobp=0)
    if info:
        raise np.linalg.LinAlgError("singular values did not converge")
    s = s[:: 2 if complex_ else 1] * (scale[0] / scale[1])
    return np.concatenate([s, np.zeros(count - len(s))])


def _accurate_right_vectors(matrix: Array) -> tuple[Array, Array]:
    """Return singular values, to relative accuracy, and right singular vectors; for a complex matrix each twice."""
    complex_ = np.iscomplexobj(matrix)
    if complex_:
        matrix = np.block([[matrix.real, -matrix.imag], [matrix.imag, matrix.real]])
    s, _, v, scale, _, info = dgejsv(matrix, joba=2, jobu=0, jobv=0, jobr=0, jobp=0)
    if info:
        raise np.linalg.LinAlgError("singular values did not converge")
    half = len(v) // 2
    return s * (scale[0] / scale[1]), (v[:half] + 1j * v[half:]) / np.sqrt(2) if complex_ else v


def _finite(x: Array, name: str) -> Array:
    if not np.isfinite(x).all():
        reject(name, x[~np.isfinite(x)].flat[0], "finite")
    return x


def _numeric(value: Any, name: str, *, complex_: bool = False) -> Array:
    """Return an array of float or complex; `complex_` says that a message allows complex numbers, which the caller
    rejects otherwise."""
    value = unwrapped(value)
    try:
        x = np.asarray(value)
    except ValueError:
        reject(name, value, "a rectangular array of numbers", TypeError)
    allowed = "an array of int, float or complex" if complex_ else "an array of int or float"
    if x.dtype.kind == "b" or (x.dtype.kind in "iufc" and _has_booleans(value)):
        reject(name, value, f"{allowed} (a boolean is not a number)", TypeError)
    if x.dtype.kind not in "iufc":
        advice = "; krdtheory.mp takes exact numbers" if _is_exact(value, name, complex_) else ""
        reject(name, value, f"{allowed} (dtype {x.dtype} is not{advice})", TypeError)
    if np.ma.is_masked(value):
        raise ValueError(f"{name} must have no masked entries; got a masked array")
    return x.astype(complex if x.dtype.kind == "c" else float, copy=False)


def _is_exact(value: Any, name: str, complex_: bool) -> bool:
    """Return whether mpmath would accept it."""
    from krdtheory.arithmetic.mp import MP

    try:
        MP(15).array(value, name) if complex_ else MP(15).parameter(value, name, -np.inf, np.inf, "real")
    except (TypeError, ValueError):
        return False
    return True


def _has_booleans(value: Any) -> bool:
    """Return whether a list contains booleans, which NumPy would turn into numbers."""
    if isinstance(value, (list, tuple)):
        return any(map(_has_booleans, value))
    return isinstance(value, (bool, np.bool_)) or (isinstance(value, np.ndarray) and value.dtype == bool)
