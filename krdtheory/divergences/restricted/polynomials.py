"""Polynomial adversaries of the Laplace and Gaussian mechanisms: a smooth convex problem, solved by quadrature.

Scaled to E_P h = 1, polynomials are h = 1 + (alpha - 1) g with E_P g = 0, and the restricted Renyi divergence is -log
min_g E_Q |h|^A, A = alpha / (alpha - 1); as alpha -> 1 this is -log min_g E_Q e^g, the restricted KL divergence. Each
integral is a sum over panels between the real roots of h, on which |x - root|^(A - 2) is the weight of a Gauss-Jacobi
rule, so that the objective, its gradient and its Hessian are sums over the same nodes.

Newton's method is applied to the squared norm (E_Q |h|^A)^(2 / A), which is convex and nearly quadratic. If two roots
of h almost coincide, as at large orders if f(t) = +inf at t < 0, the coefficients of h hardly determine them; near the
optimum the Newton step is then taken in the roots, from which h is computed.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial, singledispatch
from typing import Any

import numpy as np
from numpy.polynomial.polynomial import polyroots, polysub
from scipy.special import roots_jacobi

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic, Float64, PrecisionError
from krdtheory.arithmetic.base import Array

PANEL_PER_NODE = {"laplace": 0.2, "gaussian": 0.1}  # in units of scale; on such panels a density is nearly polynomial
FIRST_ORDER = 1.5  # the start of a path of orders, where h has no small bumps
SHORTEST = 1e-8  # share of a Newton step below which a line search stops
NEAR = 0.1  # relative Newton decrement below which the minimum may be near
MEETING = 0.5  # distance of roots, relative to 1 + their size, below which steps are taken in the roots
CONVERGED = 1e-15  # relative Newton decrement at which the minimum is found
REACHES = np.cumprod([1.0, *[1.25] * 72])  # distances at which the ends of the integrals are sought, up to 1e7

Roots = list[tuple[Any, Any]]  # (Re, Im >= 0), one of each conjugate pair


@dataclass(frozen=True)
class Point:
    """Coordinates u of g and, if h is represented by them, all its roots."""

    u: Array
    roots: Roots | None = None


@dataclass(frozen=True)
class Masses:
    """Values at nodes x: functions phi (m, n), h (1 for KL), and weights of E_Q psi''(g) / E_Q psi(g), up to a
    factor."""

    x: Array
    phi: Array
    h: Array
    weight: Array


@dataclass(frozen=True)
class Integrals:
    """log E_Q psi(g), and relative to E_Q psi: `slope` = E_Q psi'(g) / alpha, the gradient of E_Q psi in u, the Newton
    step and its decrement.
    """

    log_value: Any
    slope: Any
    gradient: Array
    step: Array
    decrement: Any
    roots: Roots
    masses: Masses


class ConvexProblem(ABC):
    """The problem min_u E_Q psi(u . phi), E_P phi = 0, where psi(g) is |1 + d g|^A ("absolute"), (1 + d g)_+^A
    ("positive"), with d = alpha - 1, or e^g ("kl").
    """

    ar: Arithmetic
    alpha: Any
    psi: str

    @cached_property
    def digits(self) -> int:
        return max(self.ar.digits, 16)

    @property
    def power(self) -> Any:
        return self.alpha / (self.alpha - 1)

    def _roots(self, point: Point) -> Roots:
        """Return the roots of h, if they are known."""
        return []

    @abstractmethod
    def _masses(self, point: Point, roots: Roots) -> tuple[Any, Masses] | None:
        """Return log E_Q psi(g), and its terms."""

    @abstractmethod
    def moment_defect(self, at: Integrals) -> Any:
        """Return a bound on |s| for densities r + |r| s with exactly the moments of P, r = psi'(g) / E_Q psi'(g)."""

    @abstractmethod
    def _lost(self, point: Point, masses: Masses) -> Any:
        """Return the mean size of the terms that cancel in h."""

    @cached_property
    def _last(self) -> list[Any]:
        return [None, None]

    def integrals(self, point: Point) -> Integrals | None:
        """Return the integrals, None if E_Q psi is infinite, or zero up to rounding.

        Those at the last point are kept, because a search ends where its result is wanted.
        """
        if self._last[0] is not point:
            self._last[:] = point, self._integrals(point)
        found: Integrals | None = self._last[1]
        return found

    def _integrals(self, point: Point) -> Integrals | None:
        roots = self._roots(point)
        found = self._masses(point, roots)
        if found is None:
            return None
        log_value, at = found
        if self.psi == "kl":
            moved = at.phi * at.weight
            slope, gradient, hessian = at.weight.sum(), moved.sum(-1), self.ar.matmul(moved, at.phi.T)
        else:
            moved = at.phi * at.weight
            slope = (at.weight * at.h).sum()
            gradient = (moved * at.h).sum(-1) * self.alpha
            hessian = self.ar.matmul(moved, at.phi.T) * self.alpha  # A (A - 1) (alpha - 1)^2 = alpha
        try:
            step = -solve_scaled(self.ar, hessian, gradient)
        except (np.linalg.LinAlgError, ZeroDivisionError):
            return None
        return Integrals(log_value, slope, gradient, step, -(step @ gradient), roots, at)

    def excess(self, point: Point, at: Integrals) -> Any:
        """Return how far the divergence may be above -log_value: by weak duality, to second order in the
        `moment_defect`, and by rounding errors, to first order.

        With r = psi'(g) / E_Q psi'(g) and a density r' = r + |r| s with P's moments, |s| <= d, E r'^a <= E |r|^a + a E
        |r|^(a - 1) sgn(r) (r' - r) + a (a - 1) / 2 E |r|^a s^2 (1 + d)^(a - 2), the first two terms being T + a (1 - T)
        times E |r|^a / T, T = 1 / slope; for KL, (1 + s) log(1 + s) <= s + s^2.
        """
        ar, a, d = self.ar, self.alpha, self.moment_defect(at)
        if not d < 1:
            return ar.inf
        power = 1 if self.psi == "kl" else self.power
        rounding = ar.unit * power * self._lost(point, at.masses)
        if self.psi == "kl":
            return d * d + rounding
        miss, bend = at.slope - 1, (1 + d if a >= 2 else 1 - d) ** (a - 2)  # T + a (1 - T) = T (1 + a miss)
        return ar.log1p(a * miss + a * (a - 1) / 2 * d * d * bend) / (a - 1) - power * ar.log1p(miss) + rounding

    def _weighed(self, u: Array, x: Array, phi: Array, logs: Array, h: Array | None = None) -> tuple[Any, Masses]:
        """Return `_masses` at nodes x with logarithmic weights `logs`; h is given if it is known better than from u."""
        ar = self.ar
        if self.psi == "kl":
            logs = logs + u @ phi
            top = logs.max()
            weight = ar.exp(logs - top)
            total = weight.sum()
            return top + ar.log(total), Masses(x, phi, 1 + 0 * x, weight / total)
        step = (u @ phi) * (self.alpha - 1)
        h = 1 + step if h is None else h
        some, near = abs(h) > 0, abs(step) < 0.5
        log_h = np.where(near, ar.log1p(np.where(near, step, 0)), ar.log(np.where(some & ~near, abs(h), 1)))
        logs = logs + log_h * (self.power - 2)
        top = (logs + 2 * log_h)[some].max()
        weight = np.where(some, ar.exp(np.minimum(logs - top, 700)), 0)
        total = (weight * h * h).sum()
        return top + ar.log(total), Masses(x, phi, h, weight / total)


@dataclass(frozen=True)
class PolynomialProblem(ConvexProblem):
    """The problem for Q standard (`family`) and phi polynomials, with coefficients (degree, degree + 1) ascending;
    `moments` and `scale` are those of P; `refinement` makes the panels shorter and the interval longer.
    """

    ar: Arithmetic
    family: str
    basis: Array
    moments: Array
    scale: Any
    alpha: Any
    psi: str
    refinement: int = 1

    @cached_property
    def count(self) -> int:
        """The number of nodes on a panel."""
        return 3 * self.digits // 4 + 8

    @property
    def degree(self) -> int:
        return len(self.basis)

    def polynomial(self, u: Array) -> Array:
        """Return the coefficients, ascending, of h (of g for KL)."""
        g = u @ self.basis
        if self.psi == "kl":
            return g
        h = g * (self.alpha - 1)
        h[0] = h[0] + 1
        return h

    def of_roots(self, roots: Roots) -> Point:
        """Return the polynomial with these roots and E_P h = 1."""
        h = self._monic(roots)
        g = h / (h @ self.moments * (self.alpha - 1))
        return Point(solve_scaled(self.ar, self.basis[:, 1:].T, g[1:]), roots)

    def _monic(self, roots: Roots) -> Array:
        h = self.moments[:1]
        for x, y in roots:
            factor = [-x, 1] if y == 0 else [x * x + y * y, -2 * x, 1]
            h = np.convolve(h, np.array(factor, dtype=self.moments.dtype))
        return h

    def log_density(self, x: Array) -> Array:
        if self.family == "laplace":
            return -abs(x) - self.ar.log(self.ar.number(2))
        return -x * x / 2 - self.ar.log(2 * self.ar.pi) / 2

    def _masses(self, point: Point, roots: Roots) -> tuple[Any, Masses] | None:
        rule = self._nodes(self.polynomial(point.u), roots)
        if rule is None:
            return None
        x, logs = rule
        h = None if point.roots is None else self.values(point)(x)
        return self._weighed(point.u, x, _values(self.basis, x), logs + self.log_density(x), h)

    def moment_defect(self, at: Integrals) -> Any:
        """Return the bound for an s, a polynomial over a power of 1 + z^2, z = (x - E_P x) / (2 scale), that corrects
        the moments of r."""
        masses, slope = at.masses, at.slope
        z = (masses.x - self.moments[1]) / (2 * self.scale)
        powers = np.array([z**k for k in range(self.degree + 1)])
        weight = masses.weight * abs(masses.h) / slope
        missed = at.gradient / (slope if self.psi == "kl" else self.alpha * slope)
        functions = np.concatenate([1 + 0 * z[None], masses.phi])
        gram = self.ar.matmul(functions * (weight / self.ar.sqrt(1 + z * z) ** self.degree), powers.T)
        return abs(solve_scaled(self.ar, gram, np.concatenate([0 * missed[:1], missed]))).sum()

    def _lost(self, point: Point, masses: Masses) -> Any:
        size = abs(self.polynomial(point.u))
        return (masses.weight * abs(masses.h) * _horner(size, abs(masses.x))).sum() + size @ abs(self.moments)

    def values(self, point: Point) -> Callable[[Array], Array]:
        """Return h (g for KL) as a function of x."""
        if point.roots is None:
            return partial(_horner, self.polynomial(point.u))
        roots, leading = point.roots, 1 / (self._monic(point.roots) @ self.moments)

        def product(x: Array) -> Array:
            out = leading + 0 * x
            for re, im in roots:
                out = out * (x - re if im == 0 else (x - re) ** 2 + im * im)
            return out

        return product

    def _roots(self, point: Point) -> Roots:
        if self.psi == "kl":
            return []
        return _roots(self.ar, self.polynomial(point.u)) if point.roots is None else point.roots

    def _nodes(self, h: Array, roots: Roots) -> tuple[Array, Array] | None:
        """Return nodes x and logarithms of weights, without those of |x - root|^gamma, on panels of the real axis."""
        ar = self.ar
        real = [z for z, y in roots if y == 0]
        window = self._window(h, real)
        if window is None:
            return None
        low, high, negligible = window
        marks = sorted({low, high, *(x for x, _ in roots if low < x < high), *([0 * low] if low < 0 < high else [])})
        panels: list[tuple[Any, Any]] = []
        for a, b in itertools.pairwise(marks):
            panels += self._graded(a, b, roots, set(real), high - low)
        if self.psi == "positive":
            sign = [v for v in h if v][-1]
            panels = [(a, b) for a, b in panels if sign * (-1) ** sum(z > a for z in real) > 0]
        if not panels:
            return None
        panels = [panel for panel, small in zip(panels, negligible(panels), strict=True) if not small]
        if not panels:
            return None
        gamma = 0 if self.psi == "kl" else self.power - 2 - math.ceil(self.power - 2)
        start, stop = (np.array(ends)[:, None] for ends in zip(*panels, strict=True))
        at_start, at_stop = (np.array([[end in real] for end in ends]) for ends in zip(*panels, strict=True))
        plain, log_plain = jacobi_rule(ar, self.count, 0)
        s, log_w = jacobi_rule(ar, self.count, gamma)  # starting at the end that is a root
        singular = at_start | at_stop
        start, stop = np.where(at_stop, stop, start), np.where(at_stop, start, stop)
        x = np.where(singular, s, plain) * (stop - start) + start
        return x.ravel(), (np.where(singular, log_w, log_plain) + ar.log(abs(stop - start))).ravel()

    def _graded(self, a: Any, b: Any, roots: list[tuple[Any, Any]], real: set[Any], span: Any) -> list[tuple[Any, Any]]:
        """Bisect [a, b] until no panel is much longer than its distance to a root other than one at its end."""
        width = b - a
        two_roots = a in real and b in real
        if width > span * 10.0 ** (-self.digits) and (
            two_roots
            or width > PANEL_PER_NODE[self.family] * self.count / self.refinement
            or any(
                _distance(x, y, a, b) < 0.7 * self.refinement * width for x, y in roots if not (y == 0 and x in (a, b))
            )
        ):
            middle = (a + b) / 2
            return self._graded(a, middle, roots, real, span) + self._graded(middle, b, roots, real, span)
        return [(a, b)]

    def _window(self, h: Array, real: list[Any]) -> tuple[Any, Any, Callable[[Any], Array]] | None:
        """Return ends beyond which the integrands are below 10^(-digits - 4) of their largest value, and a function
        that says on which panels they are; None if they do not decay. They are monotone between stationary points and
        roots.
        """
        coefficients = np.array([float(v) for v in h])
        power = 1.0 if self.psi == "kl" else float(self.power)
        derivative = power * np.arange(1, len(h)) * coefficients[1:]
        factor = np.ones(1) if self.psi == "kl" else coefficients  # log psi has the derivative power h' / factor

        def log_integrands(x: Any) -> Any:
            """Return the logarithms of the integrands of E_Q psi and, roughly, of its Hessian."""
            y = _horner(coefficients, x)
            with np.errstate(divide="ignore"):
                size = y if self.psi == "kl" else np.log(abs(y))
            value = power * size + self._log_density64(x)
            return np.array([value, value + 2 * self.degree * np.log1p(abs(x))])

        slopes = ([-1.0], [1.0]) if self.family == "laplace" else ([0.0, 1.0],)
        stationary = np.concatenate([polyroots(polysub(derivative, np.convolve(factor, slope))) for slope in slopes])
        marks = np.array([0.0, *stationary.real, *map(float, real)])  # rounding may make real ones complex
        seen = marks[_horner(coefficients, marks) > 0] if self.psi == "positive" else marks
        if not len(seen):
            return None
        values = log_integrands(seen)
        least = values.max(1) - (self.digits + 4) * math.log(10) * (1 + self.refinement) / 2
        ends, seen = [], seen[(values >= least[:, None]).any(0)]
        for sign in (-1, 1):
            far = sign * (np.max(sign * seen) + REACHES)
            below = (log_integrands(far) < least[:, None]).all(0)
            if not below.any():
                return None
            ends.append(self._convert(float(far[np.argmax(below)])))

        def negligible(panels: list[tuple[Any, Any]]) -> Array:
            edges = np.array(panels, dtype=float)
            inside = (edges[:, :1] <= marks) & (marks <= edges[:, 1:])
            return ~inside.any(1) & (log_integrands(edges) < least[:, None, None]).all((0, 2))

        return ends[0], ends[1], negligible

    def _log_density64(self, x: Any) -> Any:
        return -abs(x) if self.family == "laplace" else -x * x / 2

    def _convert(self, x: float) -> Any:
        return self.ar.number(x)


def _values(coefficients: Array, x: Array) -> Array:
    """Return values (m, n) at x (n) of polynomials (m, degree + 1), ascending, by Horner's rule."""
    return _horner(coefficients.T[..., None], x)


def _horner(coefficients: Array, x: Any) -> Any:
    out = coefficients[-1] + 0 * x
    for c in coefficients[-2::-1]:
        out = out * x + c
    return out


def _distance(x: Any, y: Any, a: Any, b: Any) -> Any:
    """Return the distance of x + iy from [a, b] in the maximum norm."""
    return max(a - x, x - b, abs(y))


def _roots(ar: Arithmetic, h: Array) -> list[tuple[Any, Any]]:
    """Return (Re, Im) of the roots of h (ascending), one of each conjugate pair, Im = 0 for real ones."""
    if not abs(h[1:]).max() > 0:
        return []
    top = max(i for i, v in enumerate(h) if abs(v) > 0)
    falling = list(h[: top + 1][::-1])
    largest = abs(h).max()
    roots = [z for z in np.roots([float(v / largest) for v in falling]) if z.imag >= -1e-12 * abs(z)]
    pairs = [(z.real, 0.0 if abs(z.imag) <= 1e-12 * abs(z) else z.imag) for z in map(complex, roots)]
    return [_polished(ar, falling, *z) for z in pairs]


@singledispatch
def _polished(ar: Any, falling: list[Any], x: float, y: float) -> tuple[Any, Any]:
    """Return a simple root to all digits, by Newton's method."""
    context, digits = ar.context, ar.digits
    z = context.mpc(x, y) if y else context.mpf(x)
    for _ in range(digits.bit_length() + 2):
        value, slope = context.polyval(falling, z, derivative=True)
        if not slope:
            break
        z = z - value / slope
    return context.re(z), abs(context.im(z))


@_polished.register(Float64)
def _polished_in_float64(ar: Float64, falling: list[float], x: float, y: float) -> tuple[float, float]:
    return x, y  # as accurate as the coefficients determine it


@lru_cache(maxsize=512)
def _jacobi_rule(count: int, gamma: Any, digits: int) -> tuple[Array, Array]:
    """Return `jacobi_rule` with `digits` digits, by Newton's method from double precision."""
    context, guarded = MP(digits).context, MP(digits + 10).context
    gamma = guarded.mpf(gamma)
    nodes, weights = [], []
    for start in roots_jacobi(count, 0.0, float(gamma))[0]:
        s = guarded.mpf((1 + float(start)) / 2)
        for _ in range(40):
            value, slope = _shifted_jacobi(count, gamma, s)
            move = value / slope
            s = s - move
            if abs(move) < s * guarded.mpf(10) ** (-(digits + 10) // 2 - 1):
                break
        slope = _shifted_jacobi(count, gamma, s)[1]
        nodes.append(context.mpf(s))
        weights.append(context.mpf(-guarded.log(s * (1 - s) * slope * slope) - gamma * guarded.log(s)))
    return np.array(nodes, dtype=object), np.array(weights, dtype=object)


def _shifted_jacobi(n: int, b: Any, s: Any) -> tuple[Any, Any]:
    """Return P_n^(0, b)(2 s - 1) and its derivative in s."""
    x = 2 * s - 1
    previous, value = 1 + 0 * s, (b + 2) * s - (b + 1)
    if n == 1:
        return value, b + 2
    for k in range(2, n + 1):
        c = 2 * k + b
        factor = (c - 1) * (c * (c - 2) * x - b * b)
        lower = 2 * (k - 1) * (k + b - 1) * c
        previous, value = value, (factor * value - lower * previous) / (2 * k * (k + b) * (c - 2))
    c = 2 * n + b
    slope = (n * (-b - c * x) * value + 2 * n * (n + b) * previous) / (c * 4 * s * (1 - s))
    return value, 2 * slope


@singledispatch
def jacobi_rule(ar: Arithmetic, count: int, gamma: Any) -> tuple[Array, Array]:
    """Return Gauss-Jacobi nodes s and logarithms of weights w such that the sum of w s^gamma f(s) is int_0^1 s^gamma
    f(s) ds for polynomials f of degree < 2 count.
    """
    return _jacobi_rule(count, gamma, ar.digits)


@jacobi_rule.register(Float64)
def _jacobi_rule_in_float64(ar: Float64, count: int, gamma: Any) -> tuple[Array, Array]:
    return _jacobi_rule64(count, float(gamma))  # in extended precision, which is faster


@lru_cache(maxsize=512)
def _jacobi_rule64(count: int, gamma: float) -> tuple[Array, Array]:
    if np.finfo(np.longdouble).eps > 1e-18:  # there is no extended precision
        s, log_w = _jacobi_rule(count, gamma, 20)
    else:
        b, s = np.longdouble(gamma), (1 + roots_jacobi(count, 0.0, gamma)[0].astype(np.longdouble)) / 2
        for _ in range(3):
            value, slope = _shifted_jacobi(count, b, s)
            s = s - value / slope
        slope = _shifted_jacobi(count, b, s)[1]
        log_w = -np.log(s * (1 - s) * slope * slope) - b * np.log(s)
    return s.astype(float), log_w.astype(float)


def minimise(problem: ConvexProblem, start: Point, limit: int = 200) -> Point | None:
    """Return the minimiser by Newton's method from `start`; None if it does not converge."""
    at = problem.integrals(start)
    if at is None:
        return None
    tolerance = problem.ar.power_of_ten(4 - 2 * problem.digits)
    point, best, least = start, start, at.decrement
    stalled = 0
    for _ in range(limit):
        if at.decrement <= least:
            best, least, stalled = point, at.decrement, 0
        else:
            stalled += at.decrement < 1e-9
        if at.decrement <= tolerance or stalled == 3:
            break
        moved = _full_step(problem, point, at) or _by_roots(problem, at) or _line_search(problem, point, at)
        if moved is None:
            break
        point, at = moved
    return best if least < CONVERGED else None


def _full_step(problem: ConvexProblem, point: Point, at: Integrals) -> tuple[Point, Integrals] | None:
    """Take the Newton step if the decrement decreases as it does near the minimum."""
    if at.decrement > NEAR:
        return None
    target = Point(point.u + at.step)
    there = problem.integrals(target)
    return None if there is None or there.decrement > at.decrement / 4 else (target, there)


def _by_roots(problem: ConvexProblem, at: Integrals) -> tuple[Point, Integrals] | None:
    """Take the Newton step, or part of it, in the roots of h if they keep their order and the decrement decreases."""
    if not isinstance(problem, PolynomialProblem) or problem.psi == "kl" or at.decrement > NEAR:
        return None
    if sum(1 + (y > 0) for _, y in at.roots) < problem.degree:
        return None
    if not any(distance < MEETING * size for distance, size in _distances(at.roots)):
        return None
    moves = []
    change = at.step @ problem.basis  # of g
    leading = 1 / (problem._monic(at.roots) @ problem.moments * (problem.alpha - 1))  # leading coefficient of g
    for i, (x, y) in enumerate(at.roots):
        z = _complex(problem.ar, x, y)
        slope = leading * (1 if y == 0 else 2 * (z - x))
        for j, (a, b) in enumerate(at.roots):
            if j != i:
                slope = slope * (z - a if b == 0 else (z - a) ** 2 + b * b)
        moves.append(-sum(c * z**k for k, c in enumerate(change)) / slope)
    t = 1.0
    while t > 0.1:
        roots = [(x + t * m.real, y + t * m.imag if y else y) for (x, y), m in zip(at.roots, moves, strict=True)]
        small = all(t * abs(m) < (1 + max(abs(x), y)) / 2 for (x, y), m in zip(at.roots, moves, strict=True))
        if small and _in_order(at.roots, roots):
            point = problem.of_roots(roots)
            there = problem.integrals(point)
            if there is not None and there.decrement < (1 - t / 2) * at.decrement:
                return point, there
        t /= 2
    return None


def _complex(ar: Arithmetic, x: Any, y: Any) -> Any:
    if y == 0:
        return x
    return ar.complex(x, y)


def _distances(roots: Roots) -> list[tuple[Any, Any]]:
    """Return distances of neighbouring real roots, and of the others from the real axis, each with its scale."""
    real = sorted(x for x, y in roots if y == 0)
    return [(b - a, 1 + abs(a)) for a, b in itertools.pairwise(real)] + [(y, 1 + abs(x)) for x, y in roots if y != 0]


def _in_order(before: Roots, after: Roots) -> bool:
    """Return whether no distance, of neighbouring real roots or of a root from the real axis, falls below a fifth."""
    real = sorted((x, z) for (x, y), (z, _) in zip(before, after, strict=True) if y == 0)
    gaps = [(b - a, d - c) for (a, c), (b, d) in itertools.pairwise(real)]
    gaps += [(y, z) for (_, y), (_, z) in zip(before, after, strict=True) if y != 0]
    return all(after > before / 5 for before, after in gaps)


def _line_search(problem: ConvexProblem, point: Point, at: Integrals) -> tuple[Point, Integrals] | None:
    """Return a point u + t step at which the slope of (E_Q psi)^p along it is at most a quarter of the first one, by
    bisection and doubling; p = 2 / A, or 0, which means the logarithm, for KL.

    A steep rise of psi is thus approached until the Hessian reflects it.
    """
    p = 0 if problem.psi == "kl" else 2 / problem.power
    room = 1 - (1 - p) * at.decrement
    if not room > 0:  # all mass is at one point, and the Hessian of the power is singular
        return None
    step = at.step / room
    first = step @ at.gradient
    settled = abs(first) < 1e-9
    low, high, t = 0.0, math.inf, 1.0
    found = None
    for _ in range(60):
        target = Point(point.u + step * t)
        there = problem.integrals(target)
        slope = -math.inf  # relative to the first one
        if there is not None:
            growth = min(float(p * (there.log_value - at.log_value)), 700.0)
            slope = float(there.gradient @ step / first) * math.exp(growth)
            if settled or abs(slope) <= 0.25:
                return target, there
        if slope > 0 and there is not None:
            low, found = t, (target, there)
        else:
            high = t
        if high - low < 1e-3 * low or high < SHORTEST:
            break
        t = 2 * t if high == math.inf else (low + high) / 2 if low > high / 16 else high / 8
    return found


def solve_scaled(ar: Arithmetic, matrix: Array, right: Array) -> Array:
    """Return the solution, with rows and columns scaled to size one."""
    rows, columns = 1 / abs(matrix).max(1), 1 / abs(matrix).max(0)
    scaled, right = ar.sqrt(rows)[:, None] * matrix * ar.sqrt(columns), ar.sqrt(rows) * right
    return ar.sqrt(columns) * ar.solve(scaled, right)


def moments(family: str, degree: int, location: Any, scale: Any) -> list[Any]:
    """Return E x^k, k = 0..degree, of location + scale * standard."""
    standard = [
        0 if k % 2 else (math.factorial(k) if family == "laplace" else math.prod(range(1, k, 2)))
        for k in range(degree + 1)
    ]
    return [
        sum(math.comb(k, j) * location ** (k - j) * scale**j * standard[j] for j in range(0, k + 1, 2))
        for k in range(degree + 1)
    ]


def orthonormal_basis(ar: Arithmetic, family: str, degree: int) -> Array:
    """Return coefficients (degree + 1, degree + 1), ascending, of polynomials orthonormal under the standard family."""
    one = ar.array(1, "one")[()]
    power = moments(family, 2 * degree, 0 * one, one)
    gram = np.array([[power[i + j] + 0 * one for j in range(degree + 1)] for i in range(degree + 1)])
    rows: list[Array] = []
    for k in range(degree + 1):
        row = np.array([one if j == k else 0 * one for j in range(degree + 1)])
        for _ in range(2):
            for other in rows:
                row = row - (other @ gram @ row) * other
        rows.append(row / ar.sqrt(row @ gram @ row))
    return np.array(rows)


def polynomial_problem(
    ar: Arithmetic, families: tuple[str, str], degree: int, location: Any, scale: Any, alpha: Any, psi: str
) -> PolynomialProblem:
    """Return the problem of P = location + scale * standard against a standard Q, with families (of P, of Q)."""
    basis = orthonormal_basis(ar, families[1], degree)
    mean = np.array(moments(families[0], degree, location, scale))
    mean = mean + 0 * basis[0]
    centred = basis[1:].copy()
    centred[:, 0] = centred[:, 0] - basis[1:] @ mean
    return PolynomialProblem(ar, families[1], centred, mean, scale, alpha, psi)


@singledispatch
def solve_polynomial(
    ar: Arithmetic, families: tuple[str, str], degree: int, location: Any, scale: Any, alpha: Any, psi: str
) -> tuple[PolynomialProblem, Point]:
    """Return the problem and the minimiser. For KL the degree may be lowered to that of the maximiser: E_Q e^g is
    infinite where the leading coefficient is positive or, of odd degree, not zero.

    Raises
    ------
    PrecisionError
        Newton's method did not converge.
    """
    rough = _in_float64(families, degree, float(location), float(scale), float(alpha), psi)
    problem = polynomial_problem(ar, families, len(rough.u), location, scale, alpha, psi)
    if rough.roots is None:
        start = Point(np.array([ar.number(float(v)) for v in rough.u], dtype=object))
    else:
        start = problem.of_roots([(ar.number(float(x)), ar.number(float(y))) for x, y in rough.roots])
    found = minimise(problem, start)
    if found is None:
        raise PrecisionError("Newton's method did not reach the best polynomial")
    return problem, found


@solve_polynomial.register(Float64)
def _solve_polynomial_in_float64(
    ar: Float64, families: tuple[str, str], degree: int, location: float, scale: float, alpha: float, psi: str
) -> tuple[PolynomialProblem, Point]:
    found = _in_float64(families, degree, float(location), float(scale), float(alpha), psi)
    return polynomial_problem(ar, families, len(found.u), float(location), float(scale), float(alpha), psi), found


@lru_cache(maxsize=16)
def _in_float64(families: tuple[str, str], degree: int, location: float, scale: float, order: float, psi: str) -> Point:
    """Return the float64 solution, which is cached, as it also starts more precise ones."""
    if psi == "kl":
        return _solve_kl(families, degree, location, scale)

    def problem(a: float) -> PolynomialProblem:
        return polynomial_problem(FLOAT64, families, degree, location, scale, a, psi)

    found = _by_degree(families, degree, location, scale, order, psi) if order <= FIRST_ORDER else None
    if found is not None:
        return found
    first = _by_degree(families, degree, location, scale, FIRST_ORDER, psi)
    if first is None:
        raise PrecisionError("Newton's method did not reach the best polynomial")
    return follow_orders(problem, first, order)


@lru_cache(maxsize=64)  # every larger order starts from FIRST_ORDER
def _by_degree(
    families: tuple[str, str], degree: int, location: float, scale: float, order: float, psi: str
) -> Point | None:
    """Raise the degree one by one, as psi may be very steep far from the last minimiser."""
    lower = _by_degree(families, degree - 1, location, scale, order, psi) if degree > 1 else Point(np.zeros(0))
    if lower is None:
        return None
    problem = polynomial_problem(FLOAT64, families, degree, location, scale, order, psi)
    return minimise(problem, Point(np.append(lower.u, 0.0)))


def follow_orders(problem: Callable[[float], ConvexProblem], found: Point, order: float) -> Point:
    """Follow the optimum from FIRST_ORDER to `order`, each time from the last h, by steps as long as Newton's method
    converges."""
    reached, step, last = 0.0, 1.0, FIRST_ORDER
    while reached < 1:
        target = min(1.0, reached + step)
        a = order if target == 1 else 1 + (FIRST_ORDER - 1) * ((order - 1) / (FIRST_ORDER - 1)) ** target
        start = Point(found.u * ((last - 1) / (a - 1)), found.roots)
        there = minimise(problem(a), start, 20)
        if there is None:
            step /= 4
            if step < 1e-4:
                raise PrecisionError(f"Newton's method lost the best function beyond the order {last:.3g}")
            continue
        found, reached, last = there, target, a
        step *= 2
    return found


def _solve_kl(families: tuple[str, str], degree: int, location: float, scale: float) -> Point:
    free = 1 if families[1] == "laplace" else 2  # degrees up to this one may tilt Q either way
    if families == ("gaussian", "gaussian"):
        degree = min(degree, 2)  # log dP/dQ is quadratic
    starts = [np.zeros(degree)]
    if degree > free:
        degree -= degree % 2
        lower = _solve_kl(families, degree - 1, location, scale)
        if not _improves(families, degree, location, scale, lower):
            return lower
        base = np.pad(lower.u, (0, degree - len(lower.u)))
        starts = [v - s * np.eye(degree)[-1] for s in (0.1, 0.01, 1e-3, 1e-4) for v in (0 * base, base)]
    problem = polynomial_problem(FLOAT64, families, degree, location, scale, 2.0, "kl")
    tries = (minimise(problem, Point(start)) for start in starts)
    found = next((t for t in tries if t is not None), None)
    if found is None:
        raise PrecisionError("Newton's method did not reach the best polynomial")
    return found


def _improves(families: tuple[str, str], degree: int, location: float, scale: float, best: Point) -> bool:
    """Return whether a negative coefficient of x^degree raises the KL value above that of a maximiser of lower
    degree."""
    wide = polynomial_problem(FLOAT64, families, degree, location, scale, 2.0, "kl")
    size = len(best.u)
    at = wide.integrals(Point(np.pad(best.u, (0, degree - size))))
    if at is None:
        return True
    return bool(at.gradient[-1] > 1e-9 or (abs(at.gradient[size:-1]) > 1e-9).any())
