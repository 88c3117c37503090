"""Restricted divergences of weights on common points, and the values of function classes there."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from krdtheory.arithmetic import Arithmetic
from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.checks import one_number
from krdtheory.divergences.restricted.classes import (
    Affine,
    Box,
    ConvexHull,
    FunctionClass,
    Polynomials,
    RestrictedSolution,
    RKHSBall,
    Sample,
)
from krdtheory.divergences.restricted.finite import (
    CoefficientSet,
    Problem,
    independent_columns,
    possible_support,
    solve_in,
)
from krdtheory.divergences.restricted.precise import values_of
from krdtheory.divergences.restricted.values import alpha_divergence, generator_of, unscaled


def on_points(ar: Arithmetic, p: Any, q: Any, points: Any) -> tuple[Array, Array, Array]:
    """Return probabilities of p and q (n) on common points (n, d)."""
    if isinstance(p, Sample) != isinstance(q, Sample):
        reject("q" if isinstance(p, Sample) else "p", q if isinstance(p, Sample) else p, "a Sample too", TypeError)
    if isinstance(p, Sample):
        if points is not None:
            reject("points", points, "None between samples")
        a, b = (_point_array(ar, s.points, name) for s, name in ((p, "p"), (q, "q")))
        if a.shape[1] != b.shape[1]:
            raise ValueError(f"p and q must have the same dimension; got {a.shape[1]} and {b.shape[1]}")
        zero = ar.array(0, "0")[()]
        x = np.array([zero + 1] * len(a) + [zero] * len(b)) / len(a)
        y = np.array([zero] * len(a) + [zero + 1] * len(b)) / len(b)
        return x, y, np.concatenate([a, b])
    x, y = ar.two_weights(p, q)
    x, y = map(ar.lowered, (x, y))
    for name, w in (("p", x), ("q", y)):
        if w.ndim != 1:
            reject(name, w.shape, "one vector of weights, shape (n,) (this is its shape)")
    if not y.sum() > 0:
        reject("q", q, "weights that are not all zero")
    at = _point_array(ar, np.arange(len(x)) if points is None else points, "points")
    if len(at) != len(x):
        raise ValueError(f"points must be as many as the weights, {len(x)}; got {len(at)}")
    return x / x.sum(), y / y.sum(), at


def _point_array(ar: Arithmetic, value: Any, name: str) -> Array:
    x = ar.reals(value, name)
    if x.ndim not in (1, 2) or len(x) == 0:
        reject(name, x.shape, "points of shape (n,) or (n, d), n >= 1 (this is its shape)")
    return x[:, None] if x.ndim == 1 else x


def values_at(ar: Arithmetic, functions: Any, at: Array, name: str) -> Array:
    """Return values (n, m) of functions given by a callable or by these values."""
    x = values_of(ar, functions, at, name) if callable(functions) else ar.reals(functions, name)
    if x.ndim == 1:
        x = x[:, None]
    if x.ndim != 2 or len(x) != len(at) or x.shape[1] == 0:
        reject(name, x.shape, f"functions with values of shape ({len(at)}, m) at the points (this is their shape)")
    return x


@dataclass(frozen=True)
class FeatureColumns:
    """A class on points: `free` columns (n, k), others (n, m) with coefficients in `set`, and an offset (n)."""

    free: Array
    other: Array
    set: CoefficientSet
    offset: Array


def feature_columns(ar: Arithmetic, function_class: FunctionClass, at: Array) -> FeatureColumns:
    one = at[:, :1] * 0 + 1
    none, zero = one[:, :0], one[:, 0] * 0
    match function_class:
        case Affine(None):
            return FeatureColumns(np.concatenate([one, at], 1), none, CoefficientSet(0), zero)
        case Affine(features):
            phi = values_at(ar, features, at, "features")
            return FeatureColumns(np.concatenate([one, phi], 1), none, CoefficientSet(0), zero)
        case Polynomials(degree):
            z = _centred(at)  # powers of distant points like 10^6 + x would be linearly dependent up to rounding
            powers = [
                np.prod(z[:, list(chosen)], axis=1)
                for k in range(1, degree + 1)
                for chosen in itertools.combinations_with_replacement(range(z.shape[1]), k)
            ]
            return FeatureColumns(np.stack([one[:, 0], *powers], 1), none, CoefficientSet(0), zero)
    free = one if function_class.intercept else none
    match function_class:
        case ConvexHull(functions):
            g = values_at(ar, functions, at, "functions")
            return FeatureColumns(free, g[:, :-1] - g[:, -1:], CoefficientSet(0, "corner"), g[:, -1])
        case Box(functions, low, high):
            g = values_at(ar, functions, at, "functions")
            ends = []
            for end, name in ((low, "low"), (high, "high")):
                x = ar.reals(end, name)
                if x.shape not in ((), (1,), (g.shape[1],)):
                    reject(name, x.shape, f"one number or {g.shape[1]} of them (this is its shape)")
                ends.append(np.broadcast_to(x, g.shape[1]))
            if not (ends[0] < ends[1]).all():
                reject("low", low, f"less than high, {high!r}")
            return FeatureColumns(free, g, CoefficientSet(0, "box", *ends), zero)
        case RKHSBall(kernel, radius):
            gram = _gram(kernel, at) if callable(kernel) else kernel
            spectrum = ar.spectrum(gram, "kernel", None)
            values, vectors = map(ar.lowered, (spectrum.values, spectrum.vectors))
            if len(values) != len(at):
                reject("kernel", len(values), f"a Gram matrix of the {len(at)} points (this is its size)")
            on = values > 0
            ball = CoefficientSet(0, "ball", radius=one_number(ar, radius, "radius", 0, "positive"))
            return FeatureColumns(free, vectors[:, on] * ar.sqrt(values[on]), ball, zero)
    raise AssertionError


def _gram(kernel: Callable[[Any, Any], Any], at: Array) -> list[list[Any]]:
    below = [[kernel(x, y) for y in at[: i + 1]] for i, x in enumerate(at)]
    return [[below[max(i, j)][min(i, j)] for j in range(len(at))] for i in range(len(at))]


def _centred(at: Array) -> Array:
    """Return (x - midrange) / half-range of each coordinate, in [-1, 1]."""
    low, high = at.min(0), at.max(0)
    return (2 * at - low - high) / np.where(high > low, high - low, 1)


def between_weights(
    ar: Arithmetic, x: Array, y: Array, at: Array, function_class: FunctionClass, order: Any, psi: str
) -> RestrictedSolution:
    """Solve between probabilities x and y (n) on points (n, d); psi is the extension, or "kl" if there is no order."""
    return between_columns(ar, x, y, feature_columns(ar, function_class, at), order, psi)


def between_columns(
    ar: Arithmetic, x: Array, y: Array, columns: FeatureColumns, order: Any, psi: str
) -> RestrictedSolution:
    spanned = columns.other.shape[1] == 0 and columns.set.kind == "none"
    means = x @ columns.free if columns.free.shape[1] else columns.free[0]
    used = y > 0
    ratio_fits = (x[used] > 0).all() and not (x[~used] > 0).any()  # if so, r = dP/dQ is a positive density
    if psi != "absolute" and columns.free.shape[1] > 1 and not ratio_fits:
        basis = independent_columns(ar, columns.free[used], means)
        face = None if basis is None else possible_support(y[used], *basis[:2])
        if face is None:
            return RestrictedSolution(ar.inf, ar.inf, ar.inf)
        used[np.flatnonzero(used)[~face]] = False
    basis = independent_columns(ar, columns.free[used], means)
    if basis is None:
        return RestrictedSolution(ar.inf, ar.inf, ar.inf)
    free, free_means, back = basis
    phi = np.concatenate([free, columns.other[used]], 1)
    mean = np.concatenate([free_means, x @ columns.other]) if columns.other.shape[1] else free_means
    coefficient_set = CoefficientSet(free.shape[1], *fields_of(columns.set))
    problem = Problem(y[used], phi, mean, columns.offset[used], x @ columns.offset, coefficient_set)
    best = solve_in(ar, generator_of(psi, order), problem)
    best = replace(best, upper=max(best.value, best.upper))  # they may cross by rounding errors
    k = free.shape[1]
    c = np.concatenate([back @ best.c[:k], best.c[k:]])
    wide = columns.offset + np.concatenate([columns.free, columns.other], 1) @ c
    density = 0 * y
    density[used] = best.r
    if spanned and order is not None:
        reach = x @ wide
        divergence = alpha_divergence(ar, best.value, order)
        return RestrictedSolution(best.value, best.upper, divergence, c / reach, wide / reach, density)
    return RestrictedSolution(*unscaled(ar, best.value, best.upper, order), c, wide, density)


def fields_of(s: CoefficientSet) -> tuple[Any, ...]:
    return s.kind, s.low, s.high, s.radius
