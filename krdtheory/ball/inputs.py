"""Conversion of exact numbers, weights and matrices, and the loop over batches and precisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import isfinite, prod
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import acb, arb, ctx, fmpq

from krdtheory.arithmetic.ball import INF, Matrix, as_ball, check_digits, conjugate, enclose
from krdtheory.arithmetic.base import Array, check_labels, given_at, reject
from krdtheory.arithmetic.exact import (
    ExactMatrix,
    checked_parts,
    entries_array,
    infinite_sign,
    is_of_complex_kind,
)

if TYPE_CHECKING:
    import sympy

Number = Any  # fmpq, or arb if it is not exact
INFINITY = "inf"  # the order, as opposed to a value
ENCLOSED_BITS = 4096  # for irrational numbers of sympy


def number(x: Any, name: str, allowed: str = "finite") -> Number:
    """Convert a real number to a rational, or return the ball that it is; infinities and NaN are not `allowed`."""
    if type(x) is float and isfinite(x):  # most are, and need no further question
        return fmpq(*x.as_integer_ratio())
    if is_of_complex_kind(x):
        reject(name, x, "real", TypeError)
    if isinstance(x, arb):
        if not x.is_finite():
            reject(name, x, allowed)
        return rational(x) if x.is_exact() else x
    parts: Any = checked_parts(x, name, allowed)
    if parts is None:
        value = _enclosed(x, name)
        parts = value.real, value.imag
    if parts[1] != 0:
        reject(name, x, "real", TypeError)
    return parts[0]


def _enclosed(x: sympy.Expr, name: str) -> acb:
    """Enclose an irrational number of sympy in a ball."""
    import sympy

    def value(e: sympy.Expr) -> acb:
        if e.is_Rational:
            return acb(arb(fmpq(int(e.p), int(e.q))))
        if e.is_Add:
            return sum(map(value, e.args), acb(0))
        if e.is_Mul:
            return prod(map(value, e.args), start=acb(1))
        if e.is_Pow and e.args[0].is_nonnegative:
            return acb(value(e.args[0]).real ** value(e.args[1]).real)
        if e is sympy.I:
            return acb(0, 1)
        if e is sympy.pi or e is sympy.E:
            return acb(arb.pi() if e is sympy.pi else arb(1).exp())
        if not isinstance(e, (sympy.exp, sympy.log)):
            reject(name, x, "rational, a ball that contains it, or made of roots, exp, log, pi and I", TypeError)
        argument = value(e.args[0])
        return argument.exp() if isinstance(e, sympy.exp) else argument.log()

    with ctx.workprec(ENCLOSED_BITS):
        return value(x)


def rational(x: arb) -> fmpq:
    mantissa, exponent = x.man_exp()
    return fmpq(mantissa) * fmpq(2) ** int(exponent)


def end_points(x: Number) -> tuple[fmpq, fmpq]:
    """Return the endpoints of a ball, as rationals."""
    return (rational(x.lower()), rational(x.upper())) if isinstance(x, arb) else (x, x)


def require_rational(values: Array, name: str) -> None:
    """Raise if a ball is among numbers, or vectors of them."""
    for value in values.flat:
        for x in value if isinstance(value, list) else [value]:
            if isinstance(x, arb):
                reject(name, x, "rational")


def numbers(value: Any, name: str, allowed: str = "finite") -> Array:
    entries = entries_array(value, name)
    out = np.empty(entries.shape, dtype=object)
    out.ravel()[:] = [number(x, name, allowed) for x in entries.flat]
    return out


def renyi_orders(alpha: Any) -> Array:
    """Return Renyi orders as rationals, or INFINITY."""
    entries = entries_array(alpha, "alpha")
    out = np.empty(entries.shape, dtype=object)
    for index in np.ndindex(entries.shape):
        x = entries[index]
        out[index] = INFINITY if is_infinite(x) else number(x, "alpha", "in [0, inf]")
        if isinstance(out[index], arb):
            reject("alpha", x, "rational or inf", ValueError if isinstance(x, arb) else TypeError)
        if out[index] != INFINITY and out[index] < 0:
            reject("alpha", x, "in [0, inf]")
    return out


def is_infinite(x: Any, sign: int = 1) -> bool:
    """Return whether x is the infinity of this sign, of any type or as text."""
    return infinite_sign(x) == sign


def regularizations(value: Any) -> Array:
    out = numbers(value, "regularization", "finite and >= 0")
    for x in out.flat:
        if isinstance(x, arb):
            reject("regularization", x, "rational")
        if x < 0:
            reject("regularization", given_at(value, out < 0), "finite and >= 0")
    return out


def weight_vectors(value: Any, name: str, *, nonzero: bool = False) -> Array:
    """Return vectors of weights, as an array (...) of lists."""
    x = numbers(value, name)
    if x.ndim == 0 or x.shape[-1] == 0:
        reject(name, value, "a vector of at least one weight, shape (..., n)")
    out = np.empty(x.shape[:-1], dtype=object)
    for index in np.ndindex(out.shape):
        out[index] = list(x[index])
        for weight in out[index]:
            if weight < 0:
                reject(name, given_at(value, x < 0), "nonnegative")
        if nonzero and all(weight == 0 for weight in out[index]):
            reject(name, value, "weights that are not all zero")
    return out


def two_weights(p: Any, q: Any) -> tuple[Array, Array]:
    check_labels(-1, p=p, q=q)
    x, y = weight_vectors(p, "p", nonzero=True), weight_vectors(q, "q")
    n, m = (len(v.flat[0]) if v.size else None for v in (x, y))
    if n != m and None not in (n, m):
        raise ValueError(f"p and q must have the same number of entries; got {n} and {m}")
    return x, y


def matrices(value: Any, name: str) -> Array:
    """Return Hermitian matrices, as an array (...)."""
    entries = entries_array(value, name)
    if entries.ndim == 0:
        _entry(entries[()], name)
    if entries.ndim < 2 or entries.shape[-1] != entries.shape[-2] or entries.shape[-1] == 0:
        reject(name, entries.shape, "a square matrix, shape (..., n, n), n >= 1 (this is its shape)")
    out = np.empty(entries.shape[:-2], dtype=object)
    for index in np.ndindex(out.shape):
        out[index] = _hermitian(entries[index], name)
    return out


def _hermitian(entries: Array, name: str) -> Matrix:
    n = len(entries)
    parts = [_entry(x, name) for x in entries.flat]
    for i in range(n):
        for j in range(i + 1):
            if not _adjoint(parts[i * n + j], parts[j * n + i]):
                reject(name, entries, "exactly Hermitian, as (A + A^*) / 2 is")
    if all(isinstance(x, tuple) for x in parts):
        return Matrix(n, ExactMatrix.of([parts[i * n : i * n + n] for i in range(n)]))
    return Matrix(n, None, tuple(parts))


def _entry(x: Any, name: str) -> Any:
    """Return the real and imaginary part as rationals, or the ball if it is inexact."""
    if isinstance(x, (arb, acb)):
        re, im = (x.real, x.imag) if isinstance(x, acb) else (x, arb(0))
        if not x.is_finite():
            reject(name, x, "finite")
        if re.is_exact() and im.is_exact():
            return rational(re), rational(im)
        return re if im == 0 else x
    parts = checked_parts(x, name)
    return _enclosed(x, name) if parts is None else parts


def _adjoint(x: Any, y: Any) -> bool:
    """Return whether x may be the conjugate of y."""
    if isinstance(x, tuple) and isinstance(y, tuple):
        return bool(x[0] == y[0] and x[1] == -y[1])
    return bool(as_ball(x).overlaps(conjugate(as_ball(y))))


def mapped(formula: Callable[..., Any], arrays: Mapping[str, Array], digits: int, *, exact: bool = True) -> Any:
    """Enclose a formula, which returns a ball or an array of them, for each entry of arrays that broadcast.

    `exact` says that no balls other than those in the arrays enter into it.
    """
    check_digits(digits)
    check_shapes(arrays)
    broadcast = np.broadcast_arrays(*arrays.values())
    balls = []
    for index in np.ndindex(broadcast[0].shape):
        values = [x[index] for x in broadcast]
        balls.append(
            enclose(partial(formula, *values), digits, exact=exact and are_exact(values), guard=_guard(values))
        )
    inner: tuple[int, ...] = balls[0].shape if balls and isinstance(balls[0], np.ndarray) else ()
    out = np.empty((len(balls), *inner), dtype=object)
    for i, value in enumerate(balls):
        out[i] = value
    return out.reshape(broadcast[0].shape + inner)[()]


def check_shapes(arrays: Mapping[str, Array]) -> None:
    """Check shapes in the order in which float64 does: the two states, then each parameter against those before it."""
    names = sorted(arrays, key=lambda name: name == "alpha")  # "alpha" comes last
    shapes = [arrays[name].shape for name in names]
    for i, (name, shape) in enumerate(zip(names, shapes, strict=True)):
        try:
            np.broadcast_shapes(*shapes[: i + 1])
        except ValueError:
            if name in ("q", "sigma"):
                first, before = names[0], shapes[0]
                raise ValueError(
                    f"leading dimensions of {first} and {name} must broadcast; got {before} and {shape}"
                ) from None
            if names[0] not in ("p", "rho"):
                every = ", ".join(str(arrays[n].shape) for n in arrays)
                raise ValueError(f"{', '.join(arrays)} must have shapes that broadcast; got {every}") from None
            batch = np.broadcast_shapes(*shapes[:i])
            allowed = f"of a shape that broadcasts against the leading dimensions {batch} (this is its shape)"
            reject(name, shape, allowed)


def are_exact(values: Any) -> bool:
    return all(
        are_exact(v) if isinstance(v, (list, tuple)) else not isinstance(v, arb) and getattr(v, "exact", v) is not None
        for v in values
    )


def _guard(values: list[Any]) -> int:
    """Return the number of bits that a division by alpha - 1 costs."""
    gaps = [abs(v - 1) for v in values if isinstance(v, fmpq) and v not in (0, 1)]
    return max([0, *(int(1 / x).bit_length() for x in gaps)])


def extended_numbers(epsilon: Any) -> Array:
    """Return rationals, balls, INFINITY and "-inf"."""
    entries = entries_array(epsilon, "epsilon")
    out = np.empty(entries.shape, dtype=object)
    for index in np.ndindex(entries.shape):
        x = entries[index]
        infinite = INFINITY if is_infinite(x) else "-inf" if is_infinite(x, -1) else None
        out[index] = infinite or number(x, "epsilon", "a real number")
    return out


def limit(value: Any, name: str) -> Any:
    if value is None:
        return None
    if sign := infinite_sign(value):
        return INF if sign > 0 else -INF
    return number(value, name, "a real number or inf")
