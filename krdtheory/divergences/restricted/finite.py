"""Restricted divergences on finitely many points: max over c in C of E_P h - E_Q f*(h), h = offset + Phi c, and its
dual, the least over densities r of E_Q f(r) + sup over C of (E_P h - E_Q r h).

One primal-dual Newton method works for every class: c and r are separate unknowns, related by h = f'(r) (alpha >= 2, or
r >= 0) or by r = f*'(h) (alpha < 2), whichever is smooth, and C enters by its logarithmic barrier.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from krdtheory.arithmetic import FLOAT64, Arithmetic, Float64, PrecisionError
from krdtheory.arithmetic.base import Array


@dataclass(frozen=True)
class CoefficientSet:
    """The set C: `free` unconstrained coefficients, then those in a box, a corner {c >= 0, sum c <= 1} or a ball."""

    free: int
    kind: str = "none"
    low: Any = None
    high: Any = None
    radius: Any = None

    def barrier(self, c: Array) -> tuple[Array, Array]:
        """Return the gradient and minus the Hessian of the logarithmic barrier."""
        x, k = c[self.free :], len(c)
        gradient, curvature = 0 * c, np.zeros((k, k), dtype=c.dtype)
        rest = slice(self.free, None)
        if self.kind == "box":
            down, up = 1 / (x - self.low), 1 / (self.high - x)
            gradient[rest], curvature[rest, rest] = down - up, np.diag(down**2 + up**2)
        elif self.kind == "corner":
            last = 1 / (1 - x.sum())
            gradient[rest], curvature[rest, rest] = 1 / x - last, np.diag(1 / x**2) + last**2
        elif self.kind == "ball":
            room = self.radius**2 - x @ x
            gradient[rest] = -2 * x / room
            curvature[rest, rest] = 2 * np.eye(len(x), dtype=int) / room + 4 * np.outer(x, x) / room**2
        return gradient, curvature

    def contains(self, c: Array) -> bool:
        x = c[self.free :]
        if self.kind == "box":
            return bool((x > self.low).all() and (x < self.high).all())
        if self.kind == "corner":
            return bool((x > 0).all() and x.sum() < 1)
        return self.kind == "none" or bool(x @ x < self.radius**2)

    def start(self, ar: Arithmetic, size: int) -> Array:
        zero = ar.array(0, "0")[()]
        c = np.array([zero] * size)
        n = size - self.free
        if self.kind == "box":
            c[self.free :] = (self.low + self.high) / 2
        elif self.kind == "corner":
            c[self.free :] = (zero + 1) / (n + 1)
        return c

    def slack(self, ar: Arithmetic, gradient: Array, c: Array) -> Any:
        """Return the supremum over c' in C of gradient . (c' - c). Along free coefficients the gradient must be a
        rounding error, and they are assumed to be no further from c than 1 + their size.
        """
        g, x = gradient[self.free :], c[self.free :]
        rounding = abs(gradient[: self.free]).sum() * (1 + max([0, *abs(c[: self.free])]))
        if self.kind == "box":
            return rounding + np.maximum(g * (self.high - x), g * (self.low - x)).sum()
        if self.kind == "corner":
            return rounding + max([0, *g]) - g @ x
        if self.kind == "ball":
            return rounding + self.radius * ar.sqrt(g @ g) - g @ x
        return rounding


@dataclass(frozen=True)
class Generator:
    """The generator f of the divergence: for "absolute" |t|^alpha / a, for "positive" the same on t >= 0 and +inf
    below, with a = alpha (alpha - 1); for "kl" t log t."""

    ar: Arithmetic
    kind: str
    alpha: Any

    @property
    def positive(self) -> bool:
        return self.kind != "absolute"

    @property
    def by_density(self) -> bool:
        """Whether h = f'(r) is the smooth relation."""
        return self.positive or self.alpha >= 2

    def f(self, r: Array) -> Array:
        if self.kind == "kl":
            return np.where(r > 0, r * self.ar.log(np.where(r > 0, r, 1)), 0)
        return self._power(r, self.alpha) / (self.alpha * (self.alpha - 1))

    def conjugate(self, h: Array) -> Array:
        """Return f*(h)."""
        if self.kind == "kl":
            return self.ar.exp(h - 1)
        h = np.where(h > 0, h, 0 * h) if self.positive else h
        conjugate_power = self.alpha / (self.alpha - 1)
        return self._power((self.alpha - 1) * h, conjugate_power) / self.alpha

    def density(self, h: Array) -> Array:
        """Return the derivative of f* at h."""
        if self.kind == "kl":
            return self.ar.exp(h - 1)
        return np.sign(h) * self._power((self.alpha - 1) * h, 1 / (self.alpha - 1))

    def derivatives(self, r: Array, mu: Any) -> tuple[Array, Array]:
        """Return the first and second derivative of f(r) - mu log r if r >= 0 is required, else of f(r) + mu
        r^2 / 2."""
        if self.kind == "kl":
            return self.ar.log(r) + 1 - mu / r, 1 / r + mu / r**2
        size = self._power(r, self.alpha - 2)
        first = size * r / (self.alpha - 1)
        if self.positive:
            return first - mu / r, size + mu / r**2
        return first + mu * r, size + mu

    def link(self, h: Array, r: Array, mu: Any) -> tuple[Array, Array, Array]:
        """Return the residual of the relation of r and h, and w and the intercept of its linearisation
        r = intercept + w dh."""
        if self.by_density:
            first, second = self.derivatives(r, mu)
            return h - first, 1 / second, r + (h - first) / second
        density = self.density(h) + mu * h
        return r - density, self._power((self.alpha - 1) * h, 1 / (self.alpha - 1) - 1) + mu, density

    def _power(self, x: Array, exponent: Any) -> Array:
        size = abs(x)
        some = size > 0
        return np.where(
            some, self.ar.exp(exponent * self.ar.log(np.where(some, size, 1))), int(exponent == 0) + 0 * size
        )


@dataclass(frozen=True)
class Problem:
    """Weights q > 0 (n), functions phi (n, m) with E_P phi = mean (m), offset (n) with E_P offset = `offset_mean`."""

    q: Array
    phi: Array
    mean: Array
    offset: Array
    offset_mean: Any
    set: CoefficientSet


@dataclass(frozen=True)
class Optimum:
    """Coefficients c, density r, the primal value at c, and the dual bound at r."""

    c: Array
    r: Array
    value: Any
    upper: Any


def solve(
    generator: Generator, problem: Problem, tolerance: Any, start: Optimum | None = None, *, strict: bool = True
) -> Optimum:
    """Return both sides to within `tolerance` (relative to 1 + |value|), or, unless `strict`, as close as possible.

    If C is a linear space and f a power, the problem is scaled to densities of size one, as r may be huge.

    Raises
    ------
    PrecisionError
        The certified gap stayed above the tolerance.
    """
    ar = generator.ar
    if not len(problem.mean):
        return certify(generator, problem, problem.mean, generator.density(problem.offset))
    scaled = generator.kind != "kl" and problem.set.kind == "none"
    measure = certify_scaled if scaled else certify
    c = problem.set.start(ar, len(problem.mean)) if start is None else start.c
    r = 0 * problem.q + 1 if start is None else start.r
    mu = ar.array(1, "1")[()]
    if start is not None:  # from a float64 solution, at its distance from the boundary
        mu = mu * (1e-11 if generator.positive or problem.set.kind != "none" else tolerance)
    size = mu * 0 + 1
    free = problem.phi[:, : problem.set.free]  # orthonormal columns
    for alpha in _orders(generator, fresh=start is None):
        stage = replace(generator, alpha=alpha)
        if scaled:
            factor = _size(ar, r)
            size, r, problem = size * factor, r / factor, replace(problem, mean=problem.mean / factor)
        if start is None:
            wanted = stage.derivatives(r, mu)[0] - problem.offset - problem.phi @ c
            c = np.concatenate([c[: problem.set.free] + free.T @ wanted, c[problem.set.free :]])
        c, r = newton(stage, problem, mu, c, r)
    best = measure(generator, problem, c, r)
    least = mu * tolerance * tolerance
    while mu > least and not _precise(best, tolerance):
        mu = mu / 8
        if scaled:
            factor = _size(ar, r)
            size, problem = size * factor, replace(problem, mean=problem.mean / factor)
            c, r = c * ar.exp((1 - generator.alpha) * ar.log(factor)), r / factor
            best = replace(best, value=-ar.inf, upper=ar.inf)
        c, r = newton(generator, problem, mu, c, r)
        best = min(best, measure(generator, problem, c, r), key=gap)
    if strict and not _precise(best, 10 * tolerance):
        raise PrecisionError(f"the dual bound stayed {float(gap(best)):.1e} above the value found")
    if scaled:
        shift = generator.alpha / (generator.alpha - 1) * ar.log(size)
        return Optimum(best.c, best.r * size, best.value + shift, best.upper + shift)
    return best


def _size(ar: Arithmetic, r: Array) -> Any:
    size = abs(r).max()
    if not 0 < size < ar.inf:
        raise PrecisionError("the density left the range of the numbers: the weights are too different")
    return size


def certify_scaled(generator: Generator, problem: Problem, c: Array, r: Array) -> Optimum:
    """Return the restricted Renyi divergence, by formula (M) at c, and the dual bound at r."""
    ar, q, alpha = generator.ar, problem.q, generator.alpha
    power = alpha / (alpha - 1)
    h = problem.phi @ c
    h = np.where(h > 0, h, 0 * h) if generator.positive else h
    reach = problem.mean @ c
    if not reach > 0:
        return Optimum(c, r, -ar.inf, ar.inf)
    value = power * ar.log(reach) - _log_sum(ar, q, power, h)
    density = with_moments(ar, problem, len(c), r)
    if density is None:
        return Optimum(c, r, value, ar.inf)
    missed = abs(problem.mean - problem.phi.T @ (q * density)).sum() * abs(c).max() / reach
    return Optimum(c, density, value, _log_sum(ar, q, alpha, density) / (alpha - 1) + power * missed)


def _log_sum(ar: Arithmetic, q: Array, exponent: Any, x: Array) -> Any:
    """Return log sum q |x|^exponent."""
    some = abs(x) > 0
    logs = ar.log(q[some]) + exponent * ar.log(abs(x[some]))
    top = logs.max()
    return top + ar.log(ar.exp(logs - top).sum())


def gap(optimum: Optimum) -> Any:
    """Return the upper bound minus the value; +inf if they cross beyond rounding, as then the density's moments are
    wrong."""
    crossed = optimum.upper < optimum.value - 1e-12 * (1 + abs(optimum.value))
    return np.inf if crossed else optimum.upper - optimum.value


def _precise(optimum: Optimum, tolerance: Any) -> bool:
    return bool(abs(optimum.value) < np.inf and gap(optimum) <= tolerance * (1 + abs(optimum.value)))


def certify(generator: Generator, problem: Problem, c: Array, r: Array) -> Optimum:
    """Return the value at c and the dual bound at r, both as definite sums."""
    q, phi = problem.q, problem.phi
    h = problem.offset + phi @ c
    value = problem.offset_mean + problem.mean @ c - (q * generator.conjugate(h)).sum()
    best_response = generator.density(np.where(h > 0, h, 0 * h) if generator.kind == "positive" else h)
    bounds = [(generator.ar.inf, best_response)]
    for near in (r, best_response):
        density = with_moments(generator.ar, problem, problem.set.free, near)
        if density is None:
            continue
        gradient = problem.mean - phi.T @ (q * density)
        shift = problem.offset_mean - (q * density * problem.offset).sum()
        bound = (q * generator.f(density)).sum() + shift + gradient @ c + problem.set.slack(generator.ar, gradient, c)
        bounds.append((bound, density))
    upper, density = min(bounds, key=lambda pair: pair[0])
    return Optimum(c, density, value, upper)


def with_moments(ar: Arithmetic, problem: Problem, free: int, r: Array) -> Array | None:
    """Return a density r + |r| s, |s| < 1, that agrees with P on the first `free` functions up to rounding; None if
    there is none with s in their span.
    """
    q, phi, mean = problem.q, problem.phi[:, :free], problem.mean[:free]
    for _ in range(4):
        missed = mean - phi.T @ (q * r)
        if (abs(missed) <= 16 * ar.unit * (abs(mean) + abs(phi).T @ (q * abs(r)))).all():
            return r
        if not (abs(missed) < np.inf).all():
            return None
        try:
            s = phi @ _normal_solve(ar, phi, q * abs(r), np.zeros((free, free), dtype=int), missed)
        except ZeroDivisionError:
            return None
        if not (abs(s) < 1).all():
            return None
        r = r + abs(r) * s
    return None


def _orders(generator: Generator, *, fresh: bool) -> list[Any]:
    """Return orders from near 2 to alpha, each to start from the last solution, as powers far from 2 are too curved."""
    alpha = generator.alpha
    if generator.kind == "kl" or not fresh or alpha == 2:
        return [alpha]
    count = max(1, int(np.ceil(abs(np.log(float(alpha - 1))) / np.log(1.5))))
    return [2, *(1 + (alpha - 1) ** (i / count) for i in range(1, count)), alpha]


def newton(generator: Generator, problem: Problem, mu: Any, c: Array, r: Array) -> tuple[Array, Array]:
    """Apply Newton's method to the optimality conditions, damped so that the norm of their residual decreases."""
    with np.errstate(over="ignore", invalid="ignore"):  # a step that overflows is rejected
        return _newton(generator, problem, mu, c, r)


def _newton(generator: Generator, problem: Problem, mu: Any, c: Array, r: Array) -> tuple[Array, Array]:
    ar, q, phi = generator.ar, problem.q, problem.phi
    small = ar.resolution(1e-14, 4)

    def residual(c: Array, r: Array) -> Any:
        e = generator.link(problem.offset + phi @ c, r, mu)[0]
        g = problem.mean - phi.T @ (q * r) + mu * problem.set.barrier(c)[0]
        return ar.sqrt((q * e * e).sum() + g @ g)

    size = residual(c, r)
    for _ in range(80):
        _, w, intercept = generator.link(problem.offset + phi @ c, r, mu)
        slope, curvature = problem.set.barrier(c)
        right = problem.mean - phi.T @ (q * intercept) + mu * slope
        dc = _normal_solve(ar, phi, q * w, mu * curvature, right)
        dr = intercept + w * (phi @ dc) - r
        t = 1.0
        while t > 1e-10:
            near_c, near_r = c + t * dc, r + t * dr
            if problem.set.contains(near_c) and not (generator.positive and not (near_r > 0).all()):
                there = residual(near_c, near_r)
                if there <= (1 - t / 100) * size:
                    break
            t = t * 0.5 if t < 1 else 0.9
        else:
            break
        c, r, size = near_c, near_r, there
        if size <= small * (1 + ar.sqrt(c @ c)):
            break
    return c, r


@singledispatch
def _normal_solve(ar: Arithmetic, phi: Array, weight: Array, curvature: Array, right: Array) -> Array:
    """Return x with (phi^T diag(weight) phi + curvature) x = right."""
    return ar.solve((phi.T * weight) @ phi + curvature, right)


@_normal_solve.register(Float64)
def _normal_solve_in_float64(ar: Float64, phi: Array, weight: Array, curvature: Array, right: Array) -> Array:
    """Use a QR factorisation of the square root, whose condition number is the square root of that of the matrix."""
    rows = np.sqrt(weight)[:, None] * phi
    if curvature.any():
        values, vectors = np.linalg.eigh(curvature)
        rows = np.concatenate([rows, np.sqrt(np.maximum(values, 0))[:, None] * vectors.T])
    scale = np.sqrt((rows**2).sum(0))
    scale[scale == 0] = 1
    upper = np.linalg.qr(rows / scale, mode="r")
    diagonal = np.diag(upper)
    upper = upper + np.diag(np.where(abs(diagonal) < 1e-15, 1e-15, 0))
    half = solve_triangular(upper, right / scale, trans=1)
    return solve_triangular(upper, half) / scale


def independent_columns(ar: Arithmetic, phi: Array, mean: Array) -> tuple[Array, Array, Array] | None:
    """Return orthonormal columns that span those of phi, their means, and T with phi T = columns; None if a combination
    of the columns vanishes and its mean does not.
    """
    noise = ar.resolution(1e-11, 8)
    columns: list[tuple[Array, Any, Array]] = []
    for j in range(phi.shape[1]):
        v, b = phi[:, j], mean[j]
        t = np.array([(0 * b + 1) if i == j else 0 * b for i in range(phi.shape[1])])
        length, size = ar.sqrt(v @ v), abs(b)
        for _ in range(2):
            for u, a, s in columns:
                dot = u @ v
                size = size + abs(dot * a)
                v, b, t = v - dot * u, b - dot * a, t - dot * s
        rest = ar.sqrt(v @ v)
        if rest <= noise * length:
            if abs(b) > 10 * noise * size:
                return None
            continue
        columns.append((v / rest, b / rest, t / rest))
    kept: list[Array] = [np.array([column[i] for column in columns], dtype=phi.dtype) for i in range(3)]
    return kept[0].reshape(len(columns), len(phi)).T, kept[1], kept[2].reshape(len(columns), phi.shape[1]).T


def possible_support(q: Array, phi: Array, mean: Array) -> Array | None:
    """Return where some density r >= 0 with E_Q r phi = mean is positive (n); None if there is no such density.

    One linear program in float64 maximises the sum of s over the cone of solutions r = s + rest, 0 <= s <= 1,
    rest >= 0.
    """
    n = len(q)
    moments = (np.asarray(phi, dtype=float) * np.asarray(q, dtype=float)[:, None]).T
    target = np.asarray(mean, dtype=float)
    scale = 1 / np.maximum(abs(moments).max(1), 1e-300)
    equal = np.concatenate([moments, moments, -target[:, None]], axis=1) * scale[:, None]
    bounds = [(0, 1)] * n + [(0, None)] * n + [(1, None)]
    cost = np.concatenate([-np.ones(n), np.zeros(n + 1)])
    from scipy.optimize import linprog  # which takes long to import, and few need

    outcome = linprog(cost, A_eq=equal, b_eq=np.zeros(len(target)), bounds=bounds, method="highs")
    if outcome.status == 2:
        return None
    if outcome.status != 0:
        raise PrecisionError(f"the linear program for the support of the density failed: {outcome.message}")
    return np.asarray(outcome.x[:n] > 0.5)


def float_copy(problem: Problem) -> Problem:
    """Return the problem in float64."""

    def plain(x: Any) -> Any:
        return None if x is None else np.asarray(x, dtype=float)

    c = problem.set
    return Problem(
        plain(problem.q),
        plain(problem.phi),
        plain(problem.mean),
        plain(problem.offset),
        float(problem.offset_mean),
        CoefficientSet(c.free, c.kind, plain(c.low), plain(c.high), None if c.radius is None else float(c.radius)),
    )


@singledispatch
def solve_in(ar: Arithmetic, generator: Callable[[Arithmetic], Generator], problem: Problem) -> Optimum:
    """Return the result of `solve`; in multiprecision it starts from the float64 solution."""
    rough = solve(generator(FLOAT64), float_copy(problem), 1e-12, strict=False)
    lift = np.frompyfunc(ar.number, 1, 1)
    r = np.maximum(rough.r, 1e-11) if generator(FLOAT64).positive else rough.r  # off the boundary for the barrier
    start = Optimum(lift(rough.c), lift(r), None, None)
    return solve(generator(ar), problem, ar.power_of_ten(8 - ar.digits), start)


@solve_in.register(Float64)
def _solve_in_float64(ar: Float64, generator: Callable[[Arithmetic], Generator], problem: Problem) -> Optimum:
    return solve(generator(ar), problem, 1e-12)
