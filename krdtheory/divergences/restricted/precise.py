"""Function classes between the Laplace and Gaussian mechanisms in multiprecision, from their float64 solutions.

Integrals are sums over Gauss-Legendre panels (Gauss-Jacobi at the zeros of h) between the corners of the densities and
the zeros of h, each bisected until every moment that is used has converged, as features may have corners and jumps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, singledispatch
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np

from krdtheory.arithmetic import MP, Float64, PrecisionError
from krdtheory.arithmetic.base import Array
from krdtheory.divergences.restricted.features import FeatureProblem, Integrand, Law, sign_changes
from krdtheory.divergences.restricted.finite import CoefficientSet
from krdtheory.divergences.restricted.polynomials import (
    Masses,
    Point,
    Roots,
    jacobi_rule,
    minimise,
    solve_scaled,
)

WIDTH = 2  # in scales, of the first panels near the locations
NEAR = 8  # scales
ZERO = 1e-7  # in units of 1 + |x|, the distance of a zero of h from that of the float64 solution
WALL = 1e-6  # relative to the square of the radius, the distance at which the optimum counts as on the sphere
STEPS = 30  # of Newton's method, from a float64 solution


@singledispatch
def values_of(ar: Any, functions: Callable[[Any], Any], x: Array, name: str) -> Array:
    """Return values (n, m) of the user's functions at numbers (n, 1), in mpmath at the precision of ar.

    Raises
    ------
    TypeError
        The callable does not accept these numbers, or rounds.
    ValueError
        A value is not finite.
    """
    allowed = (
        "a callable of arrays of mpmath numbers in multiprecision, as x**2 or np.frompyfunc(mpmath.tanh, 1, 1)(x) is "
        "and np.tanh(x) is not, with values that are such numbers or integers"
    )
    with mpmath.workdps(ar.digits):
        try:
            values = np.asarray(functions(x))
        except (TypeError, AttributeError) as error:
            raise TypeError(f"{name} must be {allowed}; got {functions!r}, which raised: {error}") from error
    out = np.empty(values.shape, dtype=object)
    for index, v in np.ndenumerate(values):
        whole = isinstance(v, (bool, np.bool_, float, np.floating)) and v % 1 == 0
        number = ar.context.mpf(int(v)) if whole else v
        if not hasattr(number, "_mpf_") and not isinstance(number, (int, np.integer)):
            raise TypeError(f"{name} must be {allowed}; got {functions!r}, with the value {v!r}")
        out[index] = ar.context.mpf(number)
        if not ar.context.isfinite(out[index]):
            raise ValueError(f"{name} must be finite; got {functions!r}, with the value {v!r}")
    return out


@values_of.register(Float64)
def _values_in_float64(ar: Float64, functions: Callable[[Any], Any], x: Array, name: str) -> Array:
    return ar.reals(functions(x), name)


def narrowed(functions: Callable[[Any], Any]) -> Callable[[Any], Array]:
    """Convert a callable that may return mpmath numbers to float64."""
    return lambda x: np.asarray(functions(x)).astype(float)


def on_numbers(ar: MP, f: Callable[[Array], Array]) -> Callable[[Any], Any]:
    """Extend a function of vectors of mpmath numbers to arrays of any numbers, of any shape."""

    def at(x: Any) -> Any:
        numbers = np.asarray(np.frompyfunc(ar.context.mpf, 1, 1)(np.asarray(x, dtype=object)), dtype=object)
        return f(numbers.ravel()).reshape(np.shape(x))[()]

    return at


# Quadrature


Terms = Callable[[Array, Array], tuple[Array, Array]]


def bisected(ar: MP, panels: list[tuple[Any, Any]], zeros: list[Any], gamma: Any, terms: Terms) -> Array:
    """Return values at nodes (j + 1, n), the last being logarithms of weights, of panels bisected until moments have
    converged. At the zeros |x - zero|^gamma is the weight of the rule, and divided out.

    `terms` takes nodes and the logarithms of their weights and returns values (j, n), of which the first are the nodes,
    and moments (k, n).

    Raises
    ------
    PrecisionError
        They do not converge even for panels as short as the precision allows.
    """
    count, tolerance = 3 * ar.digits // 4 + 8, ar.context.mpf(10) ** (4 - ar.digits)
    singular = set(zeros)

    def weigh(level: list[tuple[Any, Any]]) -> tuple[Array, Array, Array]:
        """Return values (j + 1, panel, node), and sums of moments and of their sizes (k, panel)."""
        xs, logs = [], []
        for a, b in level:
            s, log_w = jacobi_rule(ar, count, gamma if gamma and (a in singular or b in singular) else 0)
            xs.append(b - s * (b - a) if b in singular else a + s * (b - a))
            logs.append(log_w + ar.log(b - a))
        log_w = np.concatenate(logs)
        values, moments = terms(np.concatenate(xs), log_w)
        values, moments = (
            v.reshape(len(v), len(level), count) for v in (np.concatenate([values, log_w[None]]), moments)
        )
        return values, moments.sum(-1), abs(moments).sum(-1)

    def halves(level: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        middles = [(a + b) / 2 for a, b in level]
        return [half for (a, b), m in zip(level, middles, strict=True) for half in ((a, m), (m, b))]

    level = halves([panel for panel in panels if panel[0] in singular and panel[1] in singular])
    level += [panel for panel in panels if not (panel[0] in singular and panel[1] in singular)]
    kept: list[Array] = []
    _, sums, sizes = weigh(level)
    total = 0 * sizes.sum(1)
    for _ in range(4 * ar.digits):
        children = halves(level)
        values, finer, sizes = weigh(children)
        error = abs(sums - finer[:, ::2] - finer[:, 1::2])
        settled = (error <= tolerance * (total + sizes.sum(1))[:, None]).all(0)
        twice = np.repeat(settled, 2)
        total = total + sizes[:, twice].sum(1)
        kept.append(values[:, twice].reshape(len(values), -1))
        if settled.all():
            return np.concatenate(kept, 1)
        level, sums = [c for c, keep in zip(children, twice, strict=True) if not keep], finer[:, ~twice]
    raise PrecisionError("the quadrature did not settle: the functions may have noise in their digits")


def first_panels(laws: list[Law], marks: list[Any], refinement: int) -> list[tuple[Any, Any]]:
    """Return panels between the marks, of one width near the locations and repeatedly doubled away from them."""
    low, high = min(marks), max(marks)
    width = WIDTH * min(law.scale for law in laws) / refinement
    near = [law.location + sign * NEAR * law.scale for law in laws for sign in (-1, 1)]
    first, last = max(low, min(near)), min(high, max(near))
    marks = [*marks, first, last]
    steps = [width * 2**k for k in range(3, 64)]
    marks += [x for step in steps for x in (first - step, last + step) if low < x < high]
    panels: list[tuple[Any, Any]] = []
    for a, b in pairwise(sorted(set(marks))):
        n = int(np.ceil(float((b - a) / width))) if first <= a and b <= last else 1
        panels += pairwise([*(a + (b - a) * i / n for i in range(n)), b])
    return panels


@dataclass(frozen=True)
class Line:
    """Integrals over the real line under P and Q; `psi` and `power` as in `ConvexProblem`."""

    ar: MP
    p: Law
    q: Law
    psi: str
    power: Any
    refinement: int = 1

    @property
    def _decayed(self) -> float:
        return float((self.ar.digits + 4) * np.log(10) * (1 + self.refinement) / 2)

    def expectations(self, functions: Callable[[Array], Array]) -> Array:
        """Return E_P of functions (m, n) of x (n)."""
        number = self.ar.context.mpf
        reach = number(4 * self.p.narrowed.reach * self._decayed / 40)
        ends = [self.p.location - reach, self.p.location + reach]

        def terms(x: Array, log_w: Array) -> tuple[Array, Array]:
            values = functions(x) * self.ar.exp(log_w + self.p.log_density(x, self.ar))
            return np.concatenate([x[None], values]), values

        panels = first_panels([self.p], [*ends, self.p.location], self.refinement)
        return bisected(self.ar, panels, [], 0, terms)[1:-1].sum(1)

    def under_q(
        self,
        h64: Callable[[Any], Array],
        h: Callable[[Array], Array],
        columns: Callable[[Array], Array],
        of_columns: Callable[[Array], tuple[Array, Array]],
    ) -> tuple[Any, Array, Array, Array] | None:
        """Return the logarithm of a scale, nodes, columns (k, n) and, relative to that scale, w q times
        |h|^(power - 2), or times e^h; None if E_Q psi is infinite. `of_columns` returns h and phi (m, n). h64 is an
        approximation to h in float64.
        """
        ar = self.ar
        power = None if self.psi == "kl" else float(self.power)
        window = Integrand(self.p.narrowed, self.q.narrowed, power, self._decayed).window(h64)
        if window is None:
            return None
        low, high, top = window
        rough = [] if self.psi == "kl" else sign_changes(h64, low, high)
        zeros = sorted({self._zero(h, z) for z in rough})
        ends = [ar.context.mpf(x) for x in (low, high)]
        gamma = 0 if self.psi == "kl" else self.power - 2 - ar.context.ceil(self.power - 2)

        def terms(x: Array, log_w: Array) -> tuple[Array, Array]:
            at = columns(x)
            values, phi = of_columns(at)
            weight = self._weight(values, log_w + self.q.log_density(x, ar) - top)
            size = weight if self.psi == "kl" else weight * values  # the Hessian may be less accurate
            moments = size * phi, (size if self.psi == "kl" else size * values)[None]
            return np.concatenate([x[None], weight[None], at]), np.concatenate(moments)

        marks = [*ends, *zeros, self.p.location, self.q.location]
        nodes = bisected(ar, first_panels([self.p, self.q], marks, self.refinement), zeros, gamma, terms)
        nodes = nodes[:, nodes[1] > 0]
        return (ar.context.mpf(top), nodes[0], nodes[2:-1], nodes[1]) if nodes.size else None

    def _weight(self, h: Array, logs: Array) -> Array:
        ar = self.ar
        if self.psi == "kl":
            return ar.exp(logs + h)
        some = h > 0 if self.psi == "positive" else abs(h) > 0
        return np.where(some, ar.exp(logs + (self.power - 2) * ar.log(np.where(some, abs(h), 1))), 0 * h)

    def _zero(self, h: Callable[[Array], Array], rough: float) -> Any:
        """Return a sign change of h, found by the Anderson-Bjorck method."""
        context = self.ar.context
        around, step = context.mpf(rough), ZERO * (1 + abs(rough))

        def f(x: Any) -> Any:
            return h(np.array([x], dtype=object))[0]

        for _ in range(8):
            a, b = around - step, around + step
            if f(a) * f(b) < 0:
                return +context.findroot(f, (a, b), solver="anderson", tol=context.eps**3, maxsteps=400, verify=False)
            step *= 4
        raise PrecisionError(f"the zero of h near {rough:.6g} is lost in multiprecision")


# Affine functions of features


@dataclass(frozen=True)
class PreciseProblem(FeatureProblem):
    """A `FeatureProblem` in multiprecision; `rough` is the one in float64."""

    rough: Any = None

    @property
    def _line(self) -> Line:
        return Line(self.ar, self.p, self.q, self.psi, self.power, self.refinement)

    @cached_property
    def means(self) -> Array:
        return self._line.expectations(lambda x: self.features(x).T)

    def values(self, point: Point) -> Callable[[Any], Array]:
        return on_numbers(self.ar, lambda x: self._of(point.u, self.phi(x)))

    def _of(self, u: Array, phi: Array) -> Array:
        g = u @ phi
        return g if self.psi == "kl" else 1 + (self.alpha - 1) * g

    def _masses(self, point: Point, roots: Roots) -> tuple[Any, Masses] | None:
        h64 = self.rough.values(Point(point.u.astype(float)))
        found = self._line.under_q(h64, self.values(point), self.phi, lambda phi: (self._of(point.u, phi), phi))
        if found is None:
            return None
        top, x, phi, weight = found
        h = self._of(point.u, phi)
        h = 1 + 0 * h if self.psi == "kl" else h
        total = (weight * h * h).sum()
        return top + self.ar.log(total), Masses(x, phi, h, weight / total)


def refined_features(
    ar: MP, p: Law, q: Law, features: Callable[[Array], Array], order: Any, rough: FeatureProblem, start: Point
) -> tuple[PreciseProblem, Point]:
    """Return the problem and the minimiser, from the float64 ones.

    Raises
    ------
    PrecisionError
        Newton's method did not converge.
    """
    lift = np.frompyfunc(ar.context.mpf, 1, 1)
    alpha = ar.context.mpf(2) if order is None else order
    problem = PreciseProblem(p, q, features, alpha, rough.psi, basis=lift(rough.basis), rough=rough, ar=ar)
    found = minimise(problem, Point(lift(start.u)), STEPS)
    if found is None:
        raise PrecisionError("Newton's method did not reach the best function in multiprecision")
    return problem, found


# Bounded classes


@dataclass(frozen=True)
class Columns:
    """Values at nodes: an offset (n) and functions (m, n); h = offset + c . functions with c in the set."""

    at: Callable[[Array], tuple[Array, Array]]
    at64: Callable[[Array], tuple[Array, Array]]
    set: CoefficientSet


@dataclass(frozen=True)
class BoundedOptimum:
    """Coefficients, the value E_P h - E_Q f*(h), its gradient in them, and a bound on the largest value."""

    c: Array
    value: Any
    gradient: Array
    upper: Any


def refined_bounded(ar: MP, p: Law, q: Law, columns: Columns, order: Any, psi: str, start: Array) -> BoundedOptimum:
    """Return the best function of a box, a hull or a ball, from the float64 coefficients.

    It uses Newton's method with a primal-dual active set: a coefficient is put on a bound that its Newton step crosses.
    As the value is concave, it is nowhere larger than its linearisation at c.

    Raises
    ------
    PrecisionError
        Newton's method did not converge.
    """
    alpha = ar.context.mpf(2) if order is None else order
    line = Line(ar, p, q, psi, alpha / (alpha - 1))

    def mean(line: Line) -> Array:
        return line.expectations(lambda x: np.concatenate([v.reshape(-1, len(x)) for v in columns.at(x)]))

    means = mean(line)
    c = np.frompyfunc(ar.context.mpf, 1, 1)(start)
    tolerance = ar.context.mpf(10) ** (4 - 2 * ar.digits)
    for _ in range(STEPS):
        _, gradient, hessian = _concave(line, columns, alpha, means, c)
        move = newton_in(ar, columns.set, c, gradient, hessian)
        c = c + move
        if move @ hessian @ move <= tolerance * (1 + hessian.trace()):
            break
    else:
        raise PrecisionError("Newton's method did not reach the best function in multiprecision")
    rough = _concave(line, columns, alpha, means, c)[0]
    line = replace(line, refinement=2)
    value, gradient, _ = _concave(line, columns, alpha, mean(line), c)
    upper = value + columns.set.slack(ar, gradient, c) + abs(value - rough)
    return BoundedOptimum(c, value, gradient, upper)


def _concave(line: Line, columns: Columns, alpha: Any, means: Array, c: Array) -> tuple[Any, Array, Array]:
    """Return E_P h - E_Q f*(h), its gradient and minus its Hessian in c."""
    ar = line.ar
    c64 = c.astype(float)

    def combined(at: tuple[Array, Array], c: Array) -> Array:
        return at[0] + c @ at[1]

    def h64(x: Any) -> Array:
        return combined(columns.at64(np.asarray(x)), c64)

    def stacked(x: Array) -> Array:
        offset, functions = columns.at(x)
        return np.concatenate([offset[None], functions])

    found = line.under_q(
        h64,
        lambda x: combined(columns.at(x), c),
        stacked,
        lambda values: (combined((values[0], values[1:]), c), values[1:]),
    )
    if found is None:
        raise PrecisionError("E_Q f*(h) is not finite")
    log_scale, _, values, weight = found
    phi = values[1:]
    if line.psi == "kl":
        weight = weight * ar.exp(log_scale - 1)
        conjugate, slope = weight.sum(), weight
    else:
        weight = weight * ar.exp(log_scale + (line.power - 2) * ar.log(alpha - 1))
        h = combined((values[0], phi), c)
        conjugate, slope = (alpha - 1) ** 2 / alpha * (weight * h * h).sum(), (alpha - 1) * weight * h
    value = means[0] + c @ means[1:] - conjugate
    gradient = means[1:] - phi @ slope
    if columns.set.kind != "ball":
        return value, gradient, (phi * weight) @ phi.T
    # in float64, as there are many functions and Newton's steps need not be exact
    phi, weight = phi.astype(float), weight.astype(float)
    return value, gradient, np.frompyfunc(ar.context.mpf, 1, 1)((phi * weight) @ phi.T)


def newton_in(ar: MP, within: CoefficientSet, c: Array, gradient: Array, hessian: Array) -> Array:
    """Return the Newton step that stops on the bounds that it would cross."""
    k, free = len(c), within.free
    eye = np.eye(k, dtype=int)
    moved = 0 * c
    if within.kind == "box":
        x, step = c[free:], gradient[free:] / hessian.diagonal()[free:]
        wall = np.where(x + step <= within.low, within.low, np.where(x + step >= within.high, within.high, x))
        held = (x + step <= within.low) | (x + step >= within.high)
        moved[free:] = wall - x
        directions = eye[:, [*range(free), *(free + np.flatnonzero(~held))]]
    elif within.kind == "ball":
        return newton_in_ball(ar, within, c, gradient, hessian)
    else:
        w = np.append(c[free:], 1 - c[free:].sum())  # of the hull's vertices
        vertices = np.concatenate([eye[:, free:], np.zeros((k, 1), dtype=int)], 1)
        towards = vertices - (vertices @ w)[:, None]
        multiplier, bend = gradient @ towards, np.array([t @ hessian @ t for t in towards.T])
        held = w * bend + multiplier < 0
        largest = int(np.argmax(np.where(held, -1, w)))
        kept = np.where(held, 0 * w, w)
        moved[free:] = (kept / kept.sum() - w)[:-1]
        others = [i for i in np.flatnonzero(~held) if i != largest]
        directions = np.concatenate([eye[:, :free], vertices[:, others] - vertices[:, [largest]]], 1)
    if not directions.shape[1]:
        return moved
    right = directions.T @ (gradient - hessian @ moved)
    return moved + directions @ solve_scaled(ar, directions.T @ hessian @ directions, right)


def newton_in_ball(ar: MP, within: CoefficientSet, c: Array, gradient: Array, hessian: Array) -> Array:
    """Return the Newton step inside the ball; on the sphere that of the Lagrangian in float64, projected onto the
    sphere."""
    free, k = within.free, len(c)
    x = np.concatenate([0 * c[:free], c[free:]])
    multiplier = gradient @ x / within.radius**2
    if multiplier <= 0 or x @ x < (1 - WALL) * within.radius**2:
        move = solve_scaled(ar, hessian, gradient)
        if within.contains(c + move):
            return move
    multiplier = max(multiplier, 0)
    system = np.zeros((k + 1, k + 1))
    system[:k, :k] = hessian.astype(float) + float(multiplier) * np.diag([0.0] * free + [1.0] * (k - free))
    system[:k, k] = system[k, :k] = x.astype(float)
    right = np.append(gradient - multiplier * x, (within.radius**2 - x @ x) / 2)
    size = max(abs(right))
    if size == 0:
        return 0 * c
    moved = c + np.linalg.solve(system, (right / size).astype(float))[:k] * size
    moved[free:] = moved[free:] * (within.radius / ar.sqrt(moved[free:] @ moved[free:]))
    return moved - c
