"""Restricted divergences between the Laplace and Gaussian mechanisms: the problem of each class and pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, singledispatch
from itertools import pairwise
from typing import Any

import numpy as np

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic, Float64, PrecisionError
from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.checks import one_number
from krdtheory.divergences.restricted.classes import (
    Affine,
    Box,
    ConvexHull,
    Function,
    FunctionClass,
    Mechanism,
    Polynomials,
    RestrictedSolution,
    RKHSBall,
)
from krdtheory.divergences.restricted.features import Law, solve_features
from krdtheory.divergences.restricted.finite import CoefficientSet
from krdtheory.divergences.restricted.points import (
    FeatureColumns,
    between_columns,
    between_weights,
    feature_columns,
    fields_of,
    values_at,
)
from krdtheory.divergences.restricted.polynomials import Integrals, Point, solve_polynomial
from krdtheory.divergences.restricted.precise import (
    Columns,
    narrowed,
    on_numbers,
    refined_bounded,
    refined_features,
    values_of,
)
from krdtheory.divergences.restricted.values import (
    MARK,
    alpha_divergence,
    check_gap,
    generator_of,
    is_polynomial,
    unscaled,
    with_digits_as_needed,
)

TAILS = {"laplace": 40.0, "gaussian": 9.0}  # scales beyond which less than 1e-17 of the mass lies
MANY = 700  # nodes, enough for a smooth kernel
RESIDUE = 1e-14  # share of a kernel's mass that is neglected


def between_mechanisms(
    ar: Arithmetic, p: Mechanism, q: Mechanism, function_class: FunctionClass, order: Any, psi: str
) -> RestrictedSolution:
    locations, scales = (
        [one_number(ar, getattr(d, key), key, low, allowed) for d in (p, q)]
        for key, low, allowed in (("location", -np.inf, "finite"), ("scale", 0, "positive"))
    )
    if not is_polynomial(function_class):
        if isinstance(function_class, Affine):
            return _affine(ar, (p, q), locations, scales, function_class, order, psi)
        return _over_bounded_class(ar, (p, q), locations, scales, function_class, order, psi)
    degree = function_class.degree if isinstance(function_class, Polynomials) else 1

    def solve(system: Arithmetic) -> RestrictedSolution:
        at, by = ([system.converted(v) for v in pair] for pair in (locations, scales))
        return _polynomial(system, (p, q), at, by, degree, system.converted(order), psi)

    return with_digits_as_needed(ar, solve, (30, 60, 120))


@singledispatch
def _over_bounded_class(
    ar: Any,
    mechanisms: tuple[Mechanism, Mechanism],
    locations: list[Any],
    scales: list[Any],
    function_class: Polynomials | RKHSBall | Box | ConvexHull,
    order: Any,
    psi: str,
) -> RestrictedSolution:
    """Solve over a ball, a box or a hull, in multiprecision from the solution in float64."""
    if isinstance(function_class, RKHSBall):
        return _in_ball_precisely(ar, mechanisms, locations, scales, function_class, order, psi)
    assert not isinstance(function_class, Polynomials)
    return _bounded(ar, mechanisms, locations, scales, function_class, order, psi)


@_over_bounded_class.register(Float64)
def _over_bounded_class_in_float64(ar: Float64, *problem: Any) -> RestrictedSolution:
    return _by_quadrature(*problem)


def _by_quadrature(
    mechanisms: tuple[Mechanism, Mechanism],
    locations: list[Any],
    scales: list[Any],
    function_class: FunctionClass,
    order: Any,
    psi: str,
) -> RestrictedSolution:
    """Solve with the weights of a Gauss-Legendre rule, whose panels are halved and graded towards the zeros of the
    function found, where |h|^a has a corner, until the value has converged.
    """
    low, high = _ends(mechanisms, locations, scales)
    previous, zeros = None, np.zeros(0)
    for width in min(scales) / 2.0 ** np.arange(5):
        more = (high - low) / 8
        low, high = low - more, high + more  # mass beyond the ends shows in the value
        steps = width / 2.0 ** np.arange(32)
        graded = (zeros[:, None] + np.concatenate([-steps, [0], steps])).ravel()
        x, w = _nodes(locations, scales, (low, high), width, graded)
        laws = zip(mechanisms, locations, scales, strict=True)
        p, q = (_density(m.family, (x - a) / s) * w for m, a, s in laws)
        p, q = p / p.sum(), q / q.sum()
        if isinstance(function_class, RKHSBall):
            found = _in_ball(p, q, x[:, None], function_class, order, psi)
        else:
            found = between_weights(FLOAT64, p, q, x[:, None], function_class, order, psi)
        h, r = found.maximiser, found.density
        assert isinstance(h, np.ndarray) and isinstance(r, np.ndarray)  # on points
        if previous is not None and abs(found.value - previous) <= MARK * (1 + abs(found.value)):
            return replace(
                found,
                upper=found.upper + abs(found.value - previous),
                maximiser=partial(np.interp, xp=x, fp=h),
                density=partial(np.interp, xp=x, fp=r),
            )
        previous = found.value
        at = np.flatnonzero((h[1:] * h[:-1] < 0) & (psi != "kl"))
        zeros = x[at] - h[at] * (x[at + 1] - x[at]) / (h[at + 1] - h[at])
    raise PrecisionError(f"finer quadrature still changes the value {float(found.value):.6g}")


def _in_ball(p: Array, q: Array, at: Array, function_class: RKHSBall, order: Any, psi: str) -> RestrictedSolution:
    """Return `between_weights` in the span of a few sections of the kernel, with their error in the upper bound.

    With d the diagonal of the residual kernel and s = P - r Q, this adds at most B^2 = (sum |s| sqrt d)^2 to the A^2 in
    radius * A, the supremum of E_P h - E_Q r h over the ball.
    """
    if not callable(function_class.kernel):
        reject("kernel", function_class.kernel, "a callable between mechanisms", TypeError)
    radius = one_number(FLOAT64, function_class.radius, "radius", 0, "positive")
    kernel = function_class.kernel
    factor, rest, _ = _pivoted_cholesky(
        FLOAT64,
        np.array([float(kernel(x, x)) for x in at]),
        lambda i: np.array([float(kernel(x, at[i])) for x in at]),
        p + q,
        RESIDUE,
    )
    if len(at) > MANY and factor.shape[1] > 0.6 * len(at):  # about all that these nodes can distinguish
        raise PrecisionError(
            f"quadrature of {len(at)} nodes does not resolve the kernel; take weights on points instead"
        )
    free, zero = np.ones((len(at), int(function_class.intercept))), np.zeros(len(at))
    columns = FeatureColumns(free, factor, CoefficientSet(0, "ball", radius=radius), zero)
    found = between_columns(FLOAT64, p, q, columns, order, psi)
    s = p - found.density * q
    extra = radius * (np.hypot(a := np.linalg.norm(factor.T @ s), abs(s) @ np.sqrt(rest)) - a)
    if order is None:
        return replace(found, upper=found.upper + extra)
    relative = order * (order - 1) * extra * np.exp((1 - order) * found.upper)
    return replace(found, upper=found.upper + np.log1p(relative) / (order - 1))


def _pivoted_cholesky(
    ar: Arithmetic, diagonal: Array, section: Callable[[int], Array], mass: Array, residue: Any
) -> tuple[Array, Array, list[int]]:
    """Return F (n, r) such that F F^T is the Gram matrix up to a positive semidefinite rest, the diagonal (n) of the
    rest, whose mass is at most the share `residue` of the whole, and the r points whose sections were taken.
    """
    rest, negligible = diagonal, residue * (mass @ diagonal)
    columns: list[Array] = []
    pivots: list[int] = []
    while mass @ rest > negligible and len(columns) < len(mass):
        i = int(np.argmax(mass * rest))
        column = section(i)
        for c in columns:
            column = column - c[i] * c
        columns.append(column / ar.sqrt(rest[i]))
        pivots.append(i)
        rest = np.maximum(rest - columns[-1] ** 2, 0)
    return np.stack(columns, 1), rest, pivots


def _in_ball_precisely(
    ar: MP,
    mechanisms: tuple[Mechanism, Mechanism],
    locations: list[Any],
    scales: list[Any],
    function_class: RKHSBall,
    order: Any,
    psi: str,
) -> RestrictedSolution:
    """Solve as `_in_ball` in multiprecision, with sections, nearly dependent, orthonormalised in twice the digits."""
    kernel, wide = function_class.kernel, MP(2 * ar.digits + 10)
    if not callable(kernel):
        reject("kernel", kernel, "a callable between mechanisms", TypeError)
    radius = one_number(ar, function_class.radius, "radius", 0, "positive")
    plain = RKHSBall(lambda x, y: float(kernel(x, y)), float(radius), function_class.intercept)
    places, widths = ([float(v) for v in pair] for pair in (locations, scales))
    rough = _by_quadrature(mechanisms, places, widths, plain, None if order is None else float(order), psi)
    p, q = (Law(m.family, *at) for m, *at in zip(mechanisms, locations, scales, strict=True))

    def sections(x: Array, of: Array) -> Array:
        def each(points: Array) -> Array:
            return np.array([[kernel(u, v) for v in of[:, None]] for u in points], dtype=object)

        return values_of(wide, each, x[:, None], "kernel")

    # Kernel sections k(x_i, .) at the nodes span the functions that matter to both integrals. Pivoted Cholesky
    # factorisation of their Gram matrix, until the rest has negligible mass, selects a few (Fine and Scheinberg 2001);
    # `rest` bounds the others.
    lift = np.frompyfunc(wide.context.mpf, 1, 1)
    nodes, weights = _nodes(places, widths, _ends(mechanisms, places, widths), min(widths))
    x = lift(nodes)
    laws = [np.exp(law.narrowed.log_density(nodes)) * weights for law in (p, q)]
    diagonal = np.array([sections(x[[i]], x[[i]])[0, 0] for i in range(len(x))])
    residue = wide.context.mpf(10) ** (-ar.digits - 4)
    factor, rest, pivots = _pivoted_cholesky(
        wide, diagonal, lambda i: sections(x, x[[i]])[:, 0], lift(laws[0] + laws[1]), residue
    )
    centres, triangle = x[pivots], factor[pivots]
    known: dict[Any, Array] = {}
    free = int(function_class.intercept)

    def orthonormal(at: Array) -> Array:  # Gram-Schmidt by forward substitution with the triangle
        out = sections(lift(at), centres).T
        for j in range(len(out)):
            out[j] = (out[j] - triangle[j, :j] @ out[:j]) / triangle[j, j]
        return np.frompyfunc(ar.context.mpf, 1, 1)(out)

    def functions(at: Array) -> tuple[Array, Array]:
        new = np.array([u for u in at if u not in known], dtype=object)
        if len(new):
            known.update(zip(new, orthonormal(new).T, strict=True))
        columns = np.stack([known[u] for u in at], 1)
        return 0 * at, np.concatenate([*[(0 * at + 1)[None]] * free, columns])

    def about(at: Any) -> tuple[Array, Array]:
        h = np.asarray(_function_of(rough)(at))
        return h, np.zeros((free + len(pivots), *h.shape))

    columns = Columns(functions, about, CoefficientSet(free, "ball", radius=radius))
    at_nodes = np.array([ar.context.mpf(u) for u in nodes])
    start = _fitted(functions(at_nodes)[1].astype(float), nodes, rough, laws[0] + laws[1])
    best = refined_bounded(ar, p, q, columns, order, psi, start)
    maximiser, density = _optimal(ar, columns, best.c, order, psi)
    # Over the ball a linear function has the supremum radius * |gradient|. The omitted sections increase the length of
    # the gradient from `within` to at most sqrt(within^2 + away^2); the quotient is the difference without
    # cancellation.
    away = abs(laws[0] - density(at_nodes) * laws[1]) @ ar.sqrt(rest)
    within = ar.sqrt(best.gradient[free:] @ best.gradient[free:])
    extra = radius * away**2 / (ar.sqrt(within**2 + away**2) + within)
    value, upper, divergence = unscaled(ar, best.value, best.upper + extra, order)
    check_gap(ar, value, upper)
    return RestrictedSolution(value, upper, divergence, best.c, on_numbers(ar, maximiser), on_numbers(ar, density))


def _function_of(found: RestrictedSolution) -> Function:
    """Return the maximiser between mechanisms."""
    assert callable(found.maximiser)
    return found.maximiser


def _fitted(functions: Array, x: Array, rough: RestrictedSolution, mass: Array) -> Array:
    """Return the coefficients of a float64 solution, by least squares."""
    return np.linalg.lstsq(functions.T * np.sqrt(mass)[:, None], _function_of(rough)(x) * np.sqrt(mass), rcond=1e-9)[0]


def _ends(mechanisms: tuple[Mechanism, Mechanism], locations: list[float], scales: list[float]) -> tuple[float, float]:
    """Return the ends of an interval that contains nearly all mass of both distributions."""
    reach = [TAILS[m.family] * s for m, s in zip(mechanisms, scales, strict=True)]
    return (
        min(m - r for m, r in zip(locations, reach, strict=True)),
        max(m + r for m, r in zip(locations, reach, strict=True)),
    )


def _nodes(
    locations: list[float], scales: list[float], ends: tuple[float, float], width: float, marks: Any = ()
) -> tuple[Array, Array]:
    """Return nodes and weights of a Gauss-Legendre rule for both distributions, with panels four times as wide far out,
    split at the marks and at the locations, where the Laplace density has a corner."""
    near = [m + sign * 8 * s for m, s in zip(locations, scales, strict=True) for sign in (-1, 1)]
    edges = np.unique(np.concatenate([ends, near, locations, marks]).clip(*ends))
    inside = (edges[:-1] >= min(near)) & (edges[1:] <= max(near))
    return _panels(edges, np.where(inside, width, 4 * width))


def _bounded(
    ar: MP,
    mechanisms: tuple[Mechanism, Mechanism],
    locations: list[Any],
    scales: list[Any],
    function_class: Box | ConvexHull,
    order: Any,
    psi: str,
) -> RestrictedSolution:
    """Solve over a box or a hull in multiprecision."""
    if not callable(function_class.functions):
        reject("functions", function_class.functions, "a callable between mechanisms", TypeError)
    plain = replace(function_class, functions=narrowed(function_class.functions))
    if isinstance(plain, Box):
        low, high = (ar.reals(end, name).astype(float) for end, name in ((plain.low, "low"), (plain.high, "high")))
        plain = replace(plain, low=low, high=high)
    places, widths = ([float(v) for v in pair] for pair in (locations, scales))
    rough = _by_quadrature(mechanisms, places, widths, plain, None if order is None else float(order), psi)
    p, q = (Law(m.family, *at) for m, *at in zip(mechanisms, locations, scales, strict=True))

    def columns(system: Arithmetic, chosen: FunctionClass) -> Callable[[Array], tuple[Array, Array]]:
        def at(x: Array) -> tuple[Array, Array]:
            found = feature_columns(system, chosen, x[:, None])
            return found.offset, np.concatenate([found.free, found.other], 1).T

        return at

    precise = columns(ar, function_class)
    one = feature_columns(ar, function_class, np.array([[p.location]]))
    within = CoefficientSet(one.free.shape[1], *fields_of(one.set))
    of_class = Columns(precise, columns(FLOAT64, plain), within)
    assert rough.coefficients is not None
    best = refined_bounded(ar, p, q, of_class, order, psi, rough.coefficients)
    maximiser, density = _optimal(ar, of_class, best.c, order, psi)
    value, upper, divergence = unscaled(ar, best.value, best.upper, order)
    check_gap(ar, value, upper)
    return RestrictedSolution(value, upper, divergence, best.c, on_numbers(ar, maximiser), on_numbers(ar, density))


def _optimal(
    ar: MP, columns: Columns, c: Array, order: Any, psi: str
) -> tuple[Callable[[Array], Array], Callable[[Array], Array]]:
    """Return h with these coefficients, and dP'/dQ."""
    generator = generator_of(psi, order)(ar)

    def maximiser(x: Array) -> Array:
        offset, functions = columns.at(x)
        return offset + c @ functions

    def density(x: Array) -> Array:
        h = maximiser(x)
        return generator.density(np.where(h > 0, h, 0 * h) if psi == "positive" else h)

    return maximiser, density


def _panels(edges: Array, widths: Array) -> tuple[Array, Array]:
    """Return nodes and weights of Gauss-Legendre rules on panels of at most `widths` between the edges."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    ends = [
        np.linspace(a, b, max(2, int(np.ceil((b - a) / width)) + 1))
        for (a, b), width in zip(pairwise(edges), widths, strict=True)
    ]
    middle = np.concatenate([(e[1:] + e[:-1]) / 2 for e in ends])
    half = np.concatenate([(e[1:] - e[:-1]) / 2 for e in ends])
    return (middle[:, None] + half[:, None] * nodes).ravel(), (half[:, None] * weights).ravel()


def _density(family: str, z: Array) -> Array:
    """Return the density of the family with location 0 and scale 1."""
    return np.exp(-abs(z)) / 2 if family == "laplace" else np.exp(-z * z / 2) / np.sqrt(2 * np.pi)


def _polynomial(
    ar: Arithmetic,
    mechanisms: tuple[Mechanism, Mechanism],
    locations: list[Any],
    scales: list[Any],
    degree: int,
    order: Any,
    psi: str,
) -> RestrictedSolution:
    shift, ratio = (locations[0] - locations[1]) / scales[1], scales[0] / scales[1]
    families = (mechanisms[0].family, mechanisms[1].family)
    problem, point = solve_polynomial(ar, families, degree, shift, ratio, 2 if order is None else order, psi)
    problem, at, value, upper, divergence = _certified(problem, point)
    coefficients = problem.polynomial(point.u)
    if psi == "kl":
        coefficients[0] = coefficients[0] + 1 + value
    h, r = _functions(problem, point, at, value, locations[1], scales[1])
    return RestrictedSolution(value, upper, divergence, coefficients, h, r)


def _certified(problem: Any, point: Point) -> tuple[Any, Integrals, Any, Any, Any]:
    """Return the problem with other nodes than the solver's, its integrals, the value, its upper bound and D_f^H.

    Raises
    ------
    PrecisionError
        The value and its bound are too far apart.
    """
    ar = problem.ar
    rough = problem.integrals(point)
    problem = replace(problem, refinement=2)  # other nodes than those of the solver
    at = problem.integrals(point)
    if rough is None or at is None:
        raise PrecisionError("finer quadrature does not find the integrals finite")
    value = -at.log_value
    divergence = value if problem.psi == "kl" else alpha_divergence(ar, value, problem.alpha)
    upper = value + problem.excess(point, at) + abs(at.log_value - rough.log_value)
    check_gap(ar, value, upper)
    return problem, at, value, upper, divergence


def _affine(
    ar: Arithmetic,
    mechanisms: tuple[Mechanism, Mechanism],
    locations: list[Any],
    scales: list[Any],
    function_class: Affine,
    order: Any,
    psi: str,
) -> RestrictedSolution:
    functions = function_class.features
    if not callable(functions):
        reject("features", functions, "a callable between mechanisms", TypeError)
    p, q = (Law(m.family, *at) for m, *at in zip(mechanisms, locations, scales, strict=True))
    problem, point = _best_features(ar, p, q, functions, order, psi)
    problem, at, value, upper, divergence = _certified(problem, point)
    coefficients = problem.coefficients(point)
    if psi == "kl":
        coefficients[0] += 1 + value
    h, r = _functions(problem, point, at, value, 0, 1)
    return RestrictedSolution(value, upper, divergence, coefficients, h, r)


@singledispatch
def _best_features(ar: Any, p: Law, q: Law, functions: Callable[[Any], Any], order: Any, psi: str) -> tuple[Any, Point]:
    """Return the problem and the minimiser; in multiprecision they start from those of float64."""
    rough = _best_features(FLOAT64, p, q, narrowed(functions), order, psi)
    return refined_features(ar, p, q, _values(ar, functions), order, *rough)


@_best_features.register(Float64)
def _best_features_in_float64(
    ar: Float64, p: Law, q: Law, functions: Callable[[Any], Any], order: Any, psi: str
) -> tuple[Any, Point]:
    alpha = None if order is None else float(order)
    return solve_features(p.narrowed, q.narrowed, _values(ar, functions), alpha, psi)


def _values(ar: Arithmetic, features: Callable[[Any], Any]) -> Callable[[Array], Array]:
    """Return a function from points (n) to checked values (n, m) of the user's features."""
    return lambda x: values_at(ar, features, x[:, None], "features")


def _functions(
    problem: Any, point: Point, at: Integrals, value: Any, location: Any, scale: Any
) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Return the maximiser and the density r as functions of x."""
    ar, polynomial = problem.ar, problem.values(point)

    def h(x: Any) -> Any:
        y = polynomial((x - location) / scale)
        return y + 1 + value if problem.psi == "kl" else y

    def r(x: Any) -> Any:
        y = np.asarray(h(x))
        if problem.psi == "kl":
            return ar.exp(y - 1)
        y = np.where(y > 0, y, 0 * y) if problem.psi == "positive" else y
        return np.sign(y) * abs(y) ** (problem.power - 1) / at.slope * ar.exp(value)

    return h, r
