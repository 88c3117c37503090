"""The interface of a number system to the formulas, and the argument checks that all number systems share."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial, wraps
from itertools import pairwise
from numbers import Real
from types import FunctionType
from typing import Any, NoReturn, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")
Array = np.ndarray[Any, Any]
Vector = NDArray[np.float64]
Floats = float | Vector  # the result of a float64 function: a number, or an array of the shape of the batch
_EXACT = 2**53  # not all integers beyond are floats


def reject(name: str, value: object, allowed: str, error: type[Exception] = ValueError) -> NoReturn:
    """Raise `error`, naming the argument, its value and the allowed values."""
    if isinstance(value, np.ndarray):
        shown = np.array2string(value, threshold=6, precision=6)
    else:  # scalars of NumPy and mpmath without their type, as in 0.5
        shown = str(value)[:25] if isinstance(value, np.generic) or hasattr(value, "_mpf_") else repr(value)
    shown = " ".join(shown.split())
    raise error(f"{name} must be {allowed}; got {shown if len(shown) <= 120 else shown[:117] + '...'}")


def meant(word: str, known: Iterable[str]) -> str:
    """Return a suggestion to append to a message about an unknown word: a close known word, if there is one."""
    close = get_close_matches(word.lower(), found := {one.lower(): one for one in known}, 1)
    return f"; did you mean {found[close[0]]!r}?" if close else ""


def check_signature(value: Any, name: str, /, *args: str, **kwargs: str) -> None:
    """Reject a function whose signature does not allow a call with these arguments, given as a message shows them.

    It is not called, so that a TypeError raised inside it is never mistaken for a wrong signature.
    """
    if isinstance(value, FunctionType) and not kwargs:  # most are, and a signature takes 40 microseconds
        code = value.__code__
        if code.co_argcount == len(args) and not code.co_kwonlyargcount:
            return
    function, form = value, ", ".join([*args, *(f"{key}={text}" for key, text in kwargs.items())])
    while isinstance(function, partial):
        args, kwargs = (*function.args, *args), function.keywords | kwargs
        function = function.func
    try:
        signature = inspect.signature(function, follow_wrapped=False)  # a wrapper may take other arguments
    except (TypeError, ValueError):  # some functions of C have none
        return
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        reject(name, value, f"a function that can be called as {name}({form}) ({error})", TypeError)


def by_name(f: Callable[P, R]) -> Callable[P, R]:
    """Say which arguments must be given by name if too many are given by position, as Python does not."""
    parameters = inspect.signature(f).parameters.values()
    named = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    most = len(parameters) - len(named)

    @wraps(f)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if len(args) > most:
            given = f"{len(args)} {'was' if len(args) == 1 else 'were'} given"
            takes = f"{f.__name__}() takes {most} positional argument{'s' * (most != 1)}"
            raise TypeError(f"{takes} but {given}; {', '.join(named)} must be given by name")
        return f(*args, **kwargs)

    return call


def unwrapped(value: Any) -> Any:
    """Return operators with a method `full` that returns their entries, as QuTiP's, alone or in a list, as arrays."""
    if isinstance(value, list | tuple) and value and callable(getattr(value[0], "full", None)):
        return [unwrapped(one) for one in value]
    full = getattr(value, "full", None)
    return full() if callable(full) else value


def given_at(value: Any, where: Array) -> Any:
    """Return the first entry of an argument where `where`, an array of its shape, is true: as it was given, not as a
    float, an mpmath number or a fraction."""
    return np.asarray(unwrapped(value), dtype=object)[np.asarray(where, dtype=bool)].flat[0]


def check_labels(axis: int, **tables: Any) -> None:
    """Reject pandas tables whose labels along an axis differ, as their entries would be matched by position."""
    labelled = [(name, one.axes[axis]) for name, one in tables.items() if hasattr(one, "iloc") and one.ndim > axis]
    for (first, labels), (name, others) in pairwise(labelled):
        if not labels.equals(others):
            shown = ["[" + ", ".join(map(str, one[:5])) + ", ..." * (len(one) > 5) + "]" for one in (labels, others)]
            raise ValueError(
                f"{first} and {name} must have the same labels in the same order; got {shown[0]} and {shown[1]} "
                "(to_numpy() leaves them out)"
            )


def check_integers(array: Array, name: str) -> None:
    """Reject integers that floats would round, as two different inputs could become equal."""
    large: Any = ()
    if array.dtype.kind == "O":
        large = [value for value in array.flat if isinstance(value, int) and abs(value) > _EXACT]
    elif array.dtype.kind in "iu":
        large = array[(array > _EXACT) | (array < -_EXACT)]
    if len(large):
        reject(name, large[0], "integers within 2^53, as floats hold no more (or texts, which are compared whole)")


def generator(rng: Any) -> np.random.Generator:
    """Return a numpy Generator, given or seeded; other types are rejected, as a matrix crashes NumPy by recursion."""
    whole = (int, np.integer)
    known = isinstance(rng, (*whole, np.random.Generator, np.random.BitGenerator, np.random.SeedSequence))
    several = isinstance(rng, list | tuple) and all(isinstance(seed, whole) for seed in rng)
    allowed = "a numpy Generator or a nonnegative integer"
    if not (rng is None or known or several):
        reject("rng", rng, allowed, TypeError)
    try:
        return np.random.default_rng(rng)
    except ValueError:
        reject("rng", rng, allowed)


def seed_of(rng: Any) -> int:
    """Return the seed to report with a result: the given integer, or one drawn from another valid `rng`."""
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool):
        generator(rng)
        return int(rng)
    return int(generator(rng).integers(2**63))


@dataclass(frozen=True)
class Spectrum:
    """Eigendecomposition of positive semidefinite matrices: values (..., n) with exact zeros off the support.

    `noise` (...) bounds the error of an eigenvalue relative to the largest one; `exact` holds the rational matrices the
    values came from, where the input was exact.
    """

    values: Array
    vectors: Array
    noise: Array
    exact: Any = None


@dataclass(frozen=True, kw_only=True)
class Embedding:
    """A factor of rho in sigma's eigenbasis, from which the sandwiched divergence is computed.

    `b` (..., n) are the eigenvalues, ascending, of sigma + lambda Id; `overlap` (..., n, k) is a factor of rho in that
    basis, so that overlap @ overlap^* is rho there; `included` (...) tells whether supp rho <= supp sigma; `rank` (...)
    is the rank of sigma rho; `trace` (...) is that of rho; `noise` (...) is the relative error of an entry of
    `overlap`.
    """

    b: Array
    overlap: Array
    included: Array
    rank: Array
    trace: Array
    noise: Array


@dataclass(frozen=True, kw_only=True)
class Pair(Embedding):
    """An `Embedding` by rho's eigenbasis: `overlap` has entries <v_j, u_i> sqrt(a_i).

    `a` (..., k) are the eigenvalues of rho; `meet` (...) is the dimension of the intersection of both supports.
    """

    a: Array
    meet: Array


class Arithmetic(ABC):
    """A number system: arrays of its numbers, elementary functions on them, and spectral primitives.

    A formula takes one as an argument and is the same for all. Where number systems need different algorithms, there is
    a primitive here, or the function is a `functools.singledispatch` of its first argument: written for multiprecision,
    whose precision is raised until it suffices, and a second time for `Float64`.
    """

    exact_input: bool  # whether entries count as exact (zeros, ranks, symmetry)
    largest: float  # the largest number
    max_exponent: float  # the largest x with exp(x) finite
    last_order: Any  # beyond this order a Renyi divergence equals that of order infinity after rounding
    piece: int  # arrays of more entries are better computed in pieces
    plain_length: float  # from this number of terms on, a plain formula is as accurate as its sum
    lifted = 0  # number of leading axes that `lift` adds
    dtype: Any  # of arrays of its numbers
    digits: int  # significant decimal digits of every number
    unit: Any  # the relative rounding error
    noise: Any  # the error of an eigenvalue, relative to the largest
    inf: Any
    pi: Any

    log: Callable[[Any], Any]
    exp: Callable[[Any], Any]
    expm1: Callable[[Any], Any]
    log1p: Callable[[Any], Any]
    sqrt: Callable[[Any], Any]

    @abstractmethod
    def array(self, value: Any, name: str) -> Array:
        """`value` as an array of finite numbers; TypeError if it is not numeric, ValueError if it is not finite."""

    @abstractmethod
    def parameter(self, value: Any, name: str, low: float, high: float, allowed: str) -> Array:
        """`value` as an array of reals in [low, high], infinities included if the interval contains them."""

    @abstractmethod
    def number(self, x: Any) -> Any:
        """A real number of Python, NumPy or mpmath, rounded to one of this system."""

    @abstractmethod
    def complex(self, x: Any, y: Any) -> Any:
        """x + i y."""

    @property
    @abstractmethod
    def wide(self) -> Any:
        """The system for computations in which this one would round too much: for float64, mpmath with 40 digits."""

    @abstractmethod
    def converted(self, x: Any) -> Any:
        """Float64 numbers as numbers of this system; others, and None, are returned as they are."""

    @abstractmethod
    def are_real(self, values: Array) -> bool:
        """Whether these values of a caller's function are real numbers that this system accepts."""

    @abstractmethod
    def unrounded(self, value: Any, name: str) -> Array:
        """Finite real numbers as they are given, not yet rounded, for `summed`."""

    @abstractmethod
    def summed(self, values: Sequence[Any]) -> Any:
        """The sum of numbers from `unrounded`, rounded once; in mpmath each is rounded if some are irrational."""

    @abstractmethod
    def ldexp(self, x: Any, exponent: int) -> Any:
        """x 2^exponent."""

    @abstractmethod
    def scaled_quotient(self, x: Any, y: Any, z: Any) -> Any:
        """x y / z, even if x y or y / z is beyond the range of this system."""

    @abstractmethod
    def log_quotient(self, x: Array, y: Array) -> Array:
        """log(x / y) with a small relative error, for x and y within a factor of two."""

    @abstractmethod
    def above_tangent(self, x: Array, y: Array) -> Array:
        """x log(x / y) - (x - y) with a small relative error, for x and y within a factor of two."""

    @abstractmethod
    def resolution(self, float64: float, spare: int) -> Any:
        """The resolution of the optimum of a search: `float64` in float64, and all digits but `spare` in mpmath."""

    def power_of_ten(self, exponent: int) -> Any:
        """10^exponent."""
        return self.number(10) ** exponent

    def log1p_quotient(self, s: Array, x: Array) -> Array:
        """log(1 + s x) / s, and x where s = 0 or s x is negligible, as it may underflow."""
        small = abs(s * x) < self.unit / 4
        return np.where(small, x, self.log1p(np.where(small, 0, s * x)) / np.where(small, 1, s))

    @abstractmethod
    def log_gamma(self, x: Any) -> Any:
        """log Gamma(x) for a number x > 0."""

    @abstractmethod
    def solve(self, matrix: Array, right: Array) -> Array:
        """The x with matrix @ x = right."""

    @abstractmethod
    def eigh(self, matrix: Array) -> tuple[Array, Array]:
        """Eigenvalues, ascending, and eigenvectors of one Hermitian matrix."""

    @abstractmethod
    def eigvalsh(self, matrix: Array) -> Array:
        """Eigenvalues (..., n), ascending, of Hermitian matrices (..., n, n)."""

    @abstractmethod
    def spectrum(self, value: Any, name: str, support_tol: float | None) -> Spectrum:
        """Eigendecomposition of positive semidefinite matrices, after checks, with zero eigenvalues decided."""

    @abstractmethod
    def svd(self, matrix: Array) -> tuple[Array, Array]:
        """Singular values (..., k), descending, and left singular vectors (..., n, k) of (..., n, m), k = min(n, m)."""

    def matmul(self, x: Array, y: Array) -> Array:
        """Products of matrices."""
        return np.asarray(x @ y)

    def right_singular_vectors(self, matrix: Array, rank: Array) -> tuple[Array, Array]:
        """Singular values (..., k) and right singular vectors (..., m, k) of matrices of known rank, zero beyond it."""
        values, right = self.svd(np.conj(matrix.swapaxes(-1, -2)))
        kept = np.arange(values.shape[-1]) < rank[..., None]
        return np.where(kept, values, 0), np.where(kept[..., None, :], right, 0)

    @abstractmethod
    def graded_log_singular_values(self, log_weights: Array, matrix: Array, order: Array, noise: Array) -> Array:
        """Logarithms of the singular values, descending, of diag(exp(log_weights)) @ matrix, each as accurate as needed
        for the sum of their powers 2 * order; `noise` (...) is the relative error of an entry of `matrix`."""

    @abstractmethod
    def rank(self, matrix: Array, noise: Array, scale: Array | None = None) -> Array:
        """Number (...) of singular values above noise * scale; by default scale is the Frobenius norm."""

    def of_trace_one(self, pair: Embedding) -> Embedding:
        """rho and sigma scaled so that the trace of rho is about 1, where that saves digits of logarithms."""
        return pair

    def embedding(
        self, rho: Any, sigma: Any, regularization: Array, support_tol: float | None, order: Array
    ) -> Embedding:
        """The `Embedding` of two matrices, after checks, for the sandwiched divergence of these orders."""
        return self.pair(*self.spectra(rho, sigma, support_tol), regularization)

    def largest_quotient(self, rho: Any, sigma: Any, regularization: Array, support_tol: float | None) -> Any:
        """The least t with rho <= t (sigma + regularization * Id), or None if it has to be found from eigenvectors."""
        return None

    def spectra(self, rho: Any, sigma: Any, support_tol: float | None) -> tuple[Spectrum, Spectrum]:
        """Eigendecompositions of both, after checks, also that rho is not zero."""
        x, y = self.spectrum(rho, "rho", support_tol), self.spectrum(sigma, "sigma", support_tol)
        if x.values.size and not (x.values[..., -1] > 0).all():
            raise ValueError("rho must be nonzero; got the zero matrix")
        return x, y

    def pair(self, rho: Spectrum, sigma: Spectrum, regularization: Array) -> Pair:
        """Joint spectral data of rho and sigma + regularization * Id, deciding support inclusion and rank.

        An eigenvector of sigma with eigenvalue b > 0, relative to the largest, has an error of noise / b, and the
        kernel of sigma has the largest of these errors, but at most 0.01. rho counts as included in the support of
        sigma if its mass outside is at most the square of that error plus noise, times tr rho; otherwise the rank of
        sigma rho counts the singular values above these errors.
        """
        self._check_same_dimension(rho.vectors.shape, sigma.vectors.shape)
        overlap = self.matmul(
            np.conj(sigma.vectors.swapaxes(-1, -2)), rho.vectors * self.sqrt(rho.values)[..., None, :]
        )
        self.fits(regularization, "regularization", overlap.shape[:-2])
        batch = np.broadcast_shapes(overlap.shape[:-2], regularization.shape)
        a, b, overlap = (
            spread(x, batch + x.shape[-core:])
            for x, core in ((rho.values, 1), (sigma.values + regularization[..., None], 1), (overlap, 2))
        )
        noise = spread(np.maximum(rho.noise, sigma.noise), batch)
        on = b > 0
        trace = np.asarray(a.sum(-1))
        relative = np.where(on, b, 0 * b) / np.where(on.any(-1), b.max(-1), 1)[..., None]
        unsure = spread(sigma.noise, batch)[..., None]
        tilt = np.where(on, unsure / np.maximum(relative, unsure), 0)
        worst = np.where(on.all(-1), 0, np.minimum(tilt.max(-1), 0.01))
        outside = np.where(on[..., None], 0, np.abs(overlap) ** 2).sum((-1, -2))
        included = np.asarray(outside <= (worst * worst + noise) * trace, dtype=bool)
        overlap = np.where(on[..., None] | np.logical_not(included)[..., None, None], overlap, 0)
        rank = (a > 0).sum(-1)
        meet, apart = np.array(rank), np.logical_not(included)
        if apart.any():  # otherwise no part of rho is outside
            size, rank = np.asarray(self.sqrt(trace))[apart], np.array(rank)
            seen, rows, floor, turn = (x[apart] for x in (on, overlap, noise, tilt))
            weight = np.where(seen, floor[..., None] / (floor[..., None] + turn), 0)
            meet[apart] -= self.rank(np.where(seen[..., None], 0, rows), worst[apart] + floor, size)
            rank[apart] = self.rank(weight[..., None] * rows, floor, size)
        return Pair(b=b, overlap=overlap, included=included, rank=rank, trace=trace, noise=noise, a=a, meet=meet)

    def echelon(self, weights: Array, rows: Array, noise: Any) -> Array:
        """A row echelon form, with independent columns, that has the singular values of diag(weights) @ rows. Rows are
        taken by decreasing weight, so that a small row is never rounded against a large one; a remainder of a row below
        `noise` counts as zero.
        """
        falling = np.argsort(-weights, kind="stable")
        weights, rows = weights[falling], rows[falling]
        columns: list[Array] = []
        units = rows[:0]
        cut = noise * noise * (abs(rows) ** 2).sum()
        for i in range(len(rows)):
            size = (abs(rows[i]) ** 2).sum()
            if size > cut and len(units) < rows.shape[1]:
                unit = rows[i] / self.sqrt(size)
                unit = unit - (np.conj(units) @ unit) @ units  # again, as rounding errors may dominate a remainder
                unit = unit / self.sqrt((abs(unit) ** 2).sum())
                units = np.concatenate([units, unit[None]])
                column = rows @ np.conj(unit)
                column[:i] = 0 * size
                columns.append(weights * column)
                rows = rows - column[:, None] * unit
        return np.array(columns, dtype=rows.dtype).reshape(-1, len(rows)).T

    def reals(self, value: Any, name: str) -> Array:
        """An array of finite real numbers."""
        x = self.array(value, name)
        if has_complex(x):
            reject(name, value, "real", TypeError)
        return x

    def lift(self, x: Array) -> Array:
        """Checked input in the form for the formulas; `result` undoes it."""
        return x

    def lowered(self, x: Array) -> Array:
        """Undo `lift`: the array that it took."""
        return x[0] if self.lifted else x

    def shape(self, x: Array) -> tuple[int, ...]:
        """The shape of the array that `lift` took."""
        return x.shape[self.lifted :]

    def result(self, value: Any) -> Any:
        """The value of a formula as returned to the caller: a plain number if it is 0-dimensional."""
        return np.asarray(value)[()]

    # Checks

    def weights(self, value: Any, name: str, *, nonzero: bool = False) -> Array:
        """Nonnegative weights (..., n), n >= 1; with `nonzero`, some weight of each vector is positive."""
        x = self.reals(value, name)
        if x.ndim == 0 or x.shape[-1] == 0:
            reject(name, value, "a vector of at least one weight, shape (..., n)")
        if (x < 0).any():
            reject(name, given_at(value, x < 0), "nonnegative")
        if nonzero and x.size and not (x > 0).any(-1).all():
            reject(name, value, "weights that are not all zero")
        return self.lift(x)

    def two_weights(self, p: Any, q: Any) -> tuple[Array, Array]:
        """Checked weights p (not all zero) and q on the same alphabet."""
        check_labels(-1, p=p, q=q)
        x, y = self.weights(p, "p", nonzero=True), self.weights(q, "q")
        if x.shape[-1] != y.shape[-1]:
            raise ValueError(f"p and q must have the same number of entries; got {x.shape[-1]} and {y.shape[-1]}")
        self._check_batches("p", x.shape[:-1], "q", y.shape[:-1])
        return x, y

    def hermitian(self, value: Any, name: str) -> Array:
        """Hermitian matrices (..., n, n); asymmetry of inexact input at rounding level is averaged out."""
        x = self.array(value, name)
        if x.ndim < 2 or x.shape[-1] != x.shape[-2] or x.shape[-1] == 0:
            reject(name, x.shape, "a square matrix, shape (..., n, n), n >= 1 (this is its shape)")
        adjoint = np.conj(x.swapaxes(-1, -2))
        defect = np.abs(x - adjoint)
        size = np.abs(x).max((-1, -2), keepdims=True, initial=0)
        if (defect > 1e-12 * size).any():
            reject(name, defect.max(), "Hermitian (this is the largest entry of |A - A^*|)")
        if (size > self.largest / x.shape[-1]).any():
            reject(name, size.max(), "of entries whose sums are finite (this is the largest one)")
        # halves of small numbers are not exact, and sums of large ones overflow
        with np.errstate(over="ignore", invalid="ignore"):
            return self.lift(np.where(size > 2.0**1022, x / 2 + adjoint / 2, (x + adjoint) / 2))

    def two_hermitians(self, rho: Any, sigma: Any) -> tuple[Array, Array]:
        """Checked Hermitian matrices of one dimension."""
        check_labels(0, rho=rho, sigma=sigma)
        check_labels(1, rho=rho, sigma=sigma)
        x, y = self.hermitian(rho, "rho"), self.hermitian(sigma, "sigma")
        self._check_same_dimension(x.shape, y.shape)
        return x, y

    def order(self, alpha: Any, batch: tuple[int, ...] = ()) -> Array:
        """A Renyi order, in [0, inf], for a batch."""
        return self.fits(self.parameter(alpha, "alpha", 0, np.inf, "in [0, inf]"), "alpha", batch)

    def regularization(self, value: Any) -> Array:
        """A regularization lambda, in [0, inf)."""
        return self.parameter(value, "regularization", 0, np.finfo(float).max, "finite and >= 0")

    def fits(self, x: Array, name: str, batch: tuple[int, ...]) -> Array:
        """A parameter, after the check that its shape broadcasts against that of a batch."""
        try:
            np.broadcast_shapes(x.shape, batch)
        except ValueError:
            allowed = f"of a shape that broadcasts against the leading dimensions {batch[self.lifted :]}"
            reject(name, x.shape[self.lifted :], f"{allowed} (this is its shape)")
        return x

    def _check_same_dimension(self, rho: tuple[int, ...], sigma: tuple[int, ...]) -> None:
        if rho[-1] != sigma[-1]:
            raise ValueError(f"rho and sigma must have the same dimension; got {rho[-1]} and {sigma[-1]}")
        self._check_batches("rho", rho[:-2], "sigma", sigma[:-2])

    def _check_batches(self, first: str, x: tuple[int, ...], second: str, y: tuple[int, ...]) -> None:
        if x == y:
            return
        try:
            np.broadcast_shapes(x, y)
        except ValueError:
            x, y = x[self.lifted :], y[self.lifted :]
            raise ValueError(f"leading dimensions of {first} and {second} must broadcast; got {x} and {y}") from None


def spread(x: Array, shape: tuple[int, ...]) -> Array:
    """Return `x` broadcast to a shape, which it usually has already."""
    return x if x.shape == shape else np.broadcast_to(x, shape)


def aligned(*arrays: Array) -> Sequence[Array]:
    """Return arrays broadcast to one shape, which they usually have already."""
    return arrays if len({x.shape for x in arrays}) == 1 else np.broadcast_arrays(*arrays)


def check_support_tol(support_tol: float | None) -> float | None:
    """A relative tolerance in [0, 1), or None."""
    if support_tol is None:
        return None
    if isinstance(support_tol, bool) or not isinstance(support_tol, Real):
        reject("support_tol", support_tol, "None or a number in [0, 1)", TypeError)
    if not 0 <= support_tol < 1:
        reject("support_tol", support_tol, "None or a number in [0, 1)")
    return float(support_tol)


def has_complex(x: Array) -> bool:
    """Return whether there are complex entries."""
    if x.dtype == object:
        return any(hasattr(v, "_mpc_") for v in x.flat)
    return bool(np.iscomplexobj(x))
