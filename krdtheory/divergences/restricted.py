"""Restricted divergences: the variational form of an f-divergence, its supremum taken over a class H of functions.

.. math:: D_f^H(P\\|Q) = \\sup_{h \\in H} E_P h - E_Q f^*(h)

An adversary who can compute only functions of H sees P and Q this far apart (capacity-bounded privacy). Every value
is computed from both sides: a function h of the class attains it from below, and a density r, with P' = r Q in the
place of P, bounds it from above: D_f^H <= E_Q f(r) + sup_H (E_P h - E_Q r h). The gap between the two is checked.

References: Chaudhuri, Imola and Machanavajjhala (2019), "Capacity bounded differential privacy".
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from krdtheory.arithmetic import FLOAT64, MP, Arithmetic, PrecisionError
from krdtheory.arithmetic.base import Array, reject
from krdtheory.divergences._restricted_features import Law, solve_features
from krdtheory.divergences._restricted_finite import (
    CoefficientSet,
    Generator,
    Problem,
    independent_columns,
    possible_support,
    solve_in,
)
from krdtheory.divergences._restricted_mechanisms import (
    Integrals,
    Point,
    solve_polynomial,
)
from krdtheory.divergences._restricted_precise import (
    Columns,
    narrowed,
    on_numbers,
    precise_values,
    refined_bounded,
    refined_features,
)
from krdtheory.divergences._restricted_table import Table1Row, one_number, table1

__all__ = [
    "Affine",
    "Box",
    "ConvexHull",
    "GaussianDistribution",
    "LaplaceDistribution",
    "Polynomials",
    "RKHSBall",
    "RestrictedSolution",
    "Sample",
    "Table1Row",
    "restricted_alpha_divergence",
    "restricted_kl",
    "restricted_renyi",
    "restricted_solution",
    "table1",
]

EXTENSIONS = ("absolute", "positive")
TAILS = {"laplace": 40.0, "gaussian": 9.0}  # scales beyond which less than 1e-17 of the mass lies
MANY = 700  # nodes, between which a kernel should be smooth
RESIDUE = 1e-14  # of a kernel's mass that is left out
MARK = 1e-9  # of what is accepted as the value, relative to 1 + |value|


# Function classes


@dataclass(frozen=True)
class Affine:
    """H = {b + a . phi(x)}: `features` is phi, a callable of the points (n, d) with values (n, m), or the array of
    its values at the points; None stands for phi(x) = x, the linear adversary.

    In multiprecision the points are object arrays of mpmath numbers (between mechanisms also arrays of floats, for a
    first solution, which np.tanh answers faster), and the values must be such numbers or integers: x**2 and
    np.frompyfunc(mpmath.tanh, 1, 1) serve, np.tanh does not. So for the functions of the other classes. Between
    mechanisms a corner or a jump, other than at a location or a zero of h, costs panels, and time.
    """

    features: Any = None


@dataclass(frozen=True)
class Polynomials:
    """H = the polynomials of total degree at most `degree`, 1 to 20."""

    degree: int

    def __post_init__(self) -> None:
        if isinstance(self.degree, bool) or not isinstance(self.degree, (int, np.integer)):
            reject("degree", self.degree, "an integer from 1 to 20", TypeError)
        if not 1 <= self.degree <= 20:
            reject("degree", self.degree, "an integer from 1 to 20")


@dataclass(frozen=True)
class ConvexHull:
    """H = the convex combinations of `functions` (a callable with values (n, m), or the values at the points), with
    any constant added if `intercept`.
    """

    functions: Any
    intercept: bool = False


@dataclass(frozen=True)
class Box:
    """H = {s . g(x) : low <= s <= high}, g the `functions` (as in `ConvexHull`), any constant added if `intercept`."""

    functions: Any
    low: Any
    high: Any
    intercept: bool = False


@dataclass(frozen=True)
class RKHSBall:
    """H = the functions of norm at most `radius` in the RKHS of `kernel`, a callable of two points or the Gram matrix
    (n, n) of the points; any constant added if `intercept`.

    Between mechanisms the kernel should be smooth: of one with a corner at x = y, as exp(-|x - y|), or much narrower
    than the laws, the quadrature does not settle (PrecisionError). Weights on points, or samples, take any kernel. In
    multiprecision its values are mpmath numbers, and take long.
    """

    kernel: Any
    radius: Any
    intercept: bool = False


FunctionClass = Affine | Polynomials | ConvexHull | Box | RKHSBall


# Distributions, besides weights on common points


@dataclass(frozen=True)
class Sample:
    """The empirical distribution of `points` (n,) or (n, d)."""

    points: Any


@dataclass(frozen=True)
class LaplaceDistribution:
    """Density exp(-|x - location| / scale) / (2 scale); the Laplace mechanism's scale is sensitivity / epsilon."""

    location: Any = 0
    scale: Any = 1
    family = "laplace"


@dataclass(frozen=True)
class GaussianDistribution:
    """The normal law of mean `location` and standard deviation `scale`."""

    location: Any = 0
    scale: Any = 1
    family = "gaussian"


Mechanism = LaplaceDistribution | GaussianDistribution


@dataclass(frozen=True)
class RestrictedSolution:
    """A restricted divergence from both sides.

    `value` is the restricted Renyi (or KL) divergence, attained by `maximiser` and so a lower bound; `upper` the bound
    by the dual certificate `density`, the r = dP'/dQ of the module's docstring; `divergence` is D_f^H. On points,
    `maximiser` and `density` are arrays (n,); between mechanisms they are functions of x. `coefficients` belong to the
    constant (if the class has it) and the class's functions; between mechanisms to the powers of (x - location) / scale
    of q, ascending; for polynomials on points to the products of the coordinates of (x - midrange) / half-range. For a
    class closed under scaling the maximiser of an order alpha is that of (M), with E_P h = 1. At +inf, and for what is
    not attained, there is nothing to show: None.
    """

    value: Any
    upper: Any
    divergence: Any
    coefficients: Any = None
    maximiser: Any = None
    density: Any = None

    def __post_init__(self) -> None:
        for name in ("value", "upper", "divergence"):  # no -0.0
            object.__setattr__(self, name, getattr(self, name) + 0)

    @property
    def gap(self) -> Any:
        """upper - value, at most the error of `value`."""
        return 0 if self.value == self.upper else self.upper - self.value


def restricted_renyi(
    p: Any,
    q: Any,
    alpha: Any,
    function_class: FunctionClass,
    *,
    points: Any = None,
    extension: str = "absolute",
    arithmetic: Arithmetic = FLOAT64,
) -> Any:
    r"""H-restricted Renyi divergence of order alpha > 1.

    .. math:: D_{R,\alpha}^H = \frac{\log(1 + \alpha(\alpha-1) D_\alpha^H)}{\alpha-1},\qquad
       D_\alpha^H = \sup_{h \in H} E_P h - C\, E_Q |h|^A - \frac{1}{\alpha(\alpha-1)}

    with A = alpha / (alpha - 1), C = (alpha - 1)^A / alpha. For a class closed under positive scaling this is

    .. math:: D_{R,\alpha}^H = \sup_{h \in H,\ E_P h > 0} A \log E_P h - \log E_Q |h|^A. \tag{M}

    Parameters
    ----------
    p, q : array_like, shape (n,), or two samples, or two mechanisms
        Weights on `points`, divided by their sums; or `Sample`; or `LaplaceDistribution` / `GaussianDistribution` (one
        of each is allowed).
    alpha : number
        Order in (1, inf). Tested up to 100, and from 1.01 (below it the adversary's optimum may not be found).
    function_class : Affine, Polynomials, ConvexHull, Box or RKHSBall
        The class H. Between mechanisms its functions or kernel are callables.
    points : array_like, shape (n,) or (n, d), optional
        Where the weights sit; 0, ..., n - 1 unless given. Only with weights.
    extension : {"absolute", "positive"}
        f(t) at t < 0, which the unrestricted divergence does not see and the restricted one does: "absolute",
        (|t|^alpha - 1) / (alpha^2 - alpha), as in the paper; "positive", +inf, which puts max(h, 0) for |h|. "positive"
        is the larger value, nondecreasing in alpha where H is linear with constants.
    arithmetic : Arithmetic
        The number system.

    Returns
    -------
    float
        The divergence in nats; +inf where a function of H separates P from Q.

    Raises
    ------
    ValueError
        alpha outside (1, inf), weights, points or class that do not fit, an unknown extension; (3) undefined, as
        1 + alpha (alpha - 1) D_alpha^H <= 0 for classes without large enough constants.
    TypeError
        Arguments of the wrong kind.
    PrecisionError
        The dual bound stayed more than 1e-9 (float64; with d digits 10^(10 - d); relative to 1 + |value|) above the
        value found; between mechanisms, the quadrature does not settle, as where the supremum is not attained.

    Notes
    -----
    `restricted_solution` returns the maximiser and the certificate.

    References
    ----------
    Chaudhuri, Imola and Machanavajjhala (2019), (2), (3), Lemma 3.

    Examples
    --------
    >>> from krdtheory.divergences.restricted import GaussianDistribution, Polynomials, restricted_renyi
    >>> p, q = GaussianDistribution(0), GaussianDistribution(1)
    >>> [round(float(restricted_renyi(p, q, 2, Polynomials(k))), 10) for k in (1, 2, 3)]  # log of 2, 5/2, 8/3
    [0.6931471806, 0.9162907319, 0.980829253]
    """
    return restricted_solution(
        p, q, function_class, alpha=alpha, points=points, extension=extension, arithmetic=arithmetic
    ).value


def restricted_alpha_divergence(
    p: Any,
    q: Any,
    alpha: Any,
    function_class: FunctionClass,
    *,
    points: Any = None,
    extension: str = "absolute",
    arithmetic: Arithmetic = FLOAT64,
) -> Any:
    r"""H-restricted alpha-divergence D_alpha^H, generator (t^alpha - 1) / (alpha^2 - alpha).

    Parameters
    ----------
    p, q, alpha, function_class, points, extension, arithmetic
        As `restricted_renyi`.

    Returns
    -------
    float
        The divergence; it may be negative for classes that lack constants.

    Raises
    ------
    ValueError, TypeError, PrecisionError
        As `restricted_renyi`, except that (3) plays no part.

    References
    ----------
    Chaudhuri, Imola and Machanavajjhala (2019), (2), Lemma 3.

    Examples
    --------
    >>> from krdtheory.divergences.restricted import Box, restricted_alpha_divergence
    >>> float(restricted_alpha_divergence([1, 0], [0, 1], 2, Box([[0.0], [0.0]], 0, 1)))  # H = {0}
    -0.5
    """
    return _solution(p, q, function_class, alpha, points, extension, arithmetic).divergence


def restricted_kl(
    p: Any, q: Any, function_class: FunctionClass, *, points: Any = None, arithmetic: Arithmetic = FLOAT64
) -> Any:
    r"""H-restricted Kullback-Leibler divergence.

    .. math:: \mathrm{KL}^H(P\|Q) = \sup_{h \in H} E_P h - E_Q e^{h - 1}

    Parameters
    ----------
    p, q, function_class, points, arithmetic
        As `restricted_renyi`.

    Returns
    -------
    float
        The divergence in nats; negative for some classes without constants.

    Raises
    ------
    ValueError, TypeError, PrecisionError
        As `restricted_renyi`.

    References
    ----------
    Chaudhuri, Imola and Machanavajjhala (2019), (2), Lemma 1 with f* = e^(s - 1).

    Examples
    --------
    >>> from krdtheory.divergences.restricted import Affine, LaplaceDistribution, restricted_kl
    >>> round(float(restricted_kl(LaplaceDistribution(0), LaplaceDistribution(1), Affine())), 12)  # sqrt 2 - 1 - ...
    0.225987155913
    """
    return restricted_solution(p, q, function_class, points=points, arithmetic=arithmetic).value


def restricted_solution(
    p: Any,
    q: Any,
    function_class: FunctionClass,
    *,
    alpha: Any = None,
    points: Any = None,
    extension: str = "absolute",
    arithmetic: Arithmetic = FLOAT64,
) -> RestrictedSolution:
    """The restricted Renyi divergence of order alpha (KL if None) with its maximiser and dual certificate.

    Parameters
    ----------
    p, q, function_class, points, extension, arithmetic
        As `restricted_renyi`.
    alpha : number, optional
        The order, in (1, inf); None for KL.

    Returns
    -------
    RestrictedSolution

    Raises
    ------
    ValueError, TypeError, PrecisionError
        As `restricted_renyi`.

    Examples
    --------
    >>> from krdtheory.divergences.restricted import Affine, restricted_solution
    >>> s = restricted_solution([0.25, 0.75], [0.5, 0.5], Affine(), alpha=2)
    >>> round(float(s.value), 12), bool(s.gap < 1e-12), s.density.round(6).tolist()  # here lin is all functions
    (0.223143551314, True, [0.5, 1.5])
    """
    found = _solution(p, q, function_class, alpha, points, extension, arithmetic)
    if alpha is not None and not found.value > -np.inf:
        allowed = "a class for which (3) is defined, with 1 + alpha (alpha - 1) D_alpha^H > 0"
        reject("function_class", function_class, allowed)
    return found


def _solution(
    p: Any, q: Any, function_class: FunctionClass, alpha: Any, points: Any, extension: str, ar: Arithmetic
) -> RestrictedSolution:
    if not isinstance(function_class, FunctionClass):
        reject("function_class", function_class, "Affine, Polynomials, ConvexHull, Box or RKHSBall", TypeError)
    if extension not in EXTENSIONS:
        reject("extension", extension, f"one of {', '.join(EXTENSIONS)}")
    order = None if alpha is None else one_number(ar, alpha, "alpha", 1, "in (1, inf)")
    psi = "kl" if order is None else extension
    mechanisms = [isinstance(x, Mechanism) for x in (p, q)]
    if any(mechanisms):
        if not all(mechanisms):
            reject("q" if mechanisms[0] else "p", q if mechanisms[0] else p, "a mechanism, as the other is", TypeError)
        if points is not None:
            reject("points", points, "None between mechanisms")
        return _between_mechanisms(ar, p, q, function_class, order, psi)
    x, y, at = _on_points(ar, p, q, points)
    if not _is_polynomial(function_class):
        return between_weights(ar, x, y, at, function_class, order, psi)

    def solve(system: Arithmetic) -> RestrictedSolution:
        weights, references, places, a = (_lifted(system, v) for v in (x, y, at, order))
        return between_weights(system, weights, references, places, function_class, a, psi)

    return _with_digits_as_needed(ar, solve, (30, 60, 400))


def _is_polynomial(function_class: FunctionClass) -> bool:
    """Is the class known without evaluating functions of a caller's?"""
    plain = isinstance(function_class, Affine) and function_class.features is None
    return plain or isinstance(function_class, Polynomials)


def _with_digits_as_needed(
    ar: Arithmetic, solve: Callable[[Arithmetic], RestrictedSolution], digits: tuple[int, ...]
) -> RestrictedSolution:
    """solve(ar); in float64, where it cancels too much, with more and more digits, rounded."""
    try:
        return solve(ar)
    except PrecisionError as error:
        for wide in map(MP, digits if ar is FLOAT64 else ()):
            with contextlib.suppress(PrecisionError, ZeroDivisionError):
                return _rounded(solve(wide))
        raise error from None


def _lifted(ar: Arithmetic, x: Any) -> Any:
    """Numbers of float64 as those of another system; others as they are."""
    if x is None or not isinstance(ar, MP) or np.asarray(x).dtype == object:
        return x
    return np.frompyfunc(lambda v: ar.context.mpf(float(v)), 1, 1)(x)


def _rounded(found: RestrictedSolution) -> RestrictedSolution:
    """In float64, arrays and functions alike."""

    def narrow(f: Any) -> Any:
        if callable(f):
            return lambda x: narrow(f(np.asarray(x, dtype=object)))
        return np.asarray(f).astype(float)[()]

    parts = (found.value, found.upper, found.divergence, found.coefficients, found.maximiser, found.density)
    return RestrictedSolution(*map(narrow, parts))


# Mechanisms


def _between_mechanisms(
    ar: Arithmetic, p: Mechanism, q: Mechanism, function_class: FunctionClass, order: Any, psi: str
) -> RestrictedSolution:
    locations, scales = (
        [one_number(ar, getattr(d, key), key, low, allowed) for d in (p, q)]
        for key, low, allowed in (("location", -np.inf, "finite"), ("scale", 0, "positive"))
    )
    if not _is_polynomial(function_class):
        if isinstance(function_class, Affine):
            return _affine(ar, (p, q), locations, scales, function_class, order, psi)
        if isinstance(ar, MP) and isinstance(function_class, RKHSBall):
            return _in_ball_precisely(ar, (p, q), locations, scales, function_class, order, psi)
        if isinstance(ar, MP) and isinstance(function_class, Box | ConvexHull):
            return _bounded(ar, (p, q), locations, scales, function_class, order, psi)
        return _by_quadrature((p, q), locations, scales, function_class, order, psi)
    degree = function_class.degree if isinstance(function_class, Polynomials) else 1

    def solve(system: Arithmetic) -> RestrictedSolution:
        at, by = ([_lifted(system, v) for v in pair] for pair in (locations, scales))
        return _polynomial(system, (p, q), at, by, degree, _lifted(system, order), psi)

    return _with_digits_as_needed(ar, solve, (30, 60, 120))


def _by_quadrature(
    mechanisms: tuple[Mechanism, Mechanism],
    locations: list[Any],
    scales: list[Any],
    function_class: FunctionClass,
    order: Any,
    psi: str,
) -> RestrictedSolution:
    """Between the weights of a Gauss-Legendre rule, its panels halved, and graded towards the zeros of the function
    found, where |h|^a has a corner, until the value stays.
    """
    low, high = _ends(mechanisms, locations, scales)
    previous, zeros = None, np.zeros(0)
    for width in min(scales) / 2.0 ** np.arange(5):
        more = (high - low) / 8
        low, high = low - more, high + more  # what lies beyond the ends shows in the value
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
        if previous is not None and abs(found.value - previous) <= MARK * (1 + abs(found.value)):
            return replace(
                found,
                upper=found.upper + abs(found.value - previous),
                maximiser=partial(np.interp, xp=x, fp=found.maximiser),
                density=partial(np.interp, xp=x, fp=found.density),
            )
        previous, h = found.value, found.maximiser
        at = np.flatnonzero((h[1:] * h[:-1] < 0) & (psi != "kl"))
        zeros = x[at] - h[at] * (x[at + 1] - x[at]) / (h[at + 1] - h[at])
    raise PrecisionError(f"finer quadrature still changes the value {float(found.value):.6g}")


def _in_ball(p: Array, q: Array, at: Array, function_class: RKHSBall, order: Any, psi: str) -> RestrictedSolution:
    """`between_weights` in the span of few sections of the kernel, their projection's error in the upper bound.

    Of the residual kernel, of diagonal d, and of s = P - r Q it adds at most B^2 = (sum |s| sqrt d)^2 to the A^2 in
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
    if len(at) > MANY and factor.shape[1] > 0.6 * len(at):  # all that the nodes in reach can tell apart
        raise PrecisionError(
            f"quadrature of {len(at)} nodes does not resolve the kernel; take weights on points instead"
        )
    free, zero = np.ones((len(at), int(function_class.intercept))), np.zeros(len(at))
    columns = _Columns(free, factor, CoefficientSet(0, "ball", radius=radius), zero)
    found = _between_columns(FLOAT64, p, q, columns, order, psi)
    s = p - found.density * q
    extra = radius * (np.hypot(a := np.linalg.norm(factor.T @ s), abs(s) @ np.sqrt(rest)) - a)
    if order is None:
        return replace(found, upper=found.upper + extra)
    relative = order * (order - 1) * extra * np.exp((1 - order) * found.upper)
    return replace(found, upper=found.upper + np.log1p(relative) / (order - 1))


def _pivoted_cholesky(
    ar: Arithmetic, diagonal: Array, section: Callable[[int], Array], mass: Array, residue: Any
) -> tuple[Array, Array, list[int]]:
    """F (n, r) with F F^T the Gram matrix but for a positive semidefinite rest, the rest's diagonal (n), whose mass is
    at most that part of the whole, and the r points whose sections were taken.
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
    """As `_in_ball`, in multiprecision: sections are nearly dependent, and made orthonormal in twice the digits."""
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

        return precise_values(wide, each, x[:, None], "kernel")

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

    def orthonormal(at: Array) -> Array:
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
        h = np.asarray(rough.maximiser(at))
        return h, np.zeros((free + len(pivots), *h.shape))

    columns = Columns(functions, about, CoefficientSet(free, "ball", radius=radius))
    at_nodes = np.array([ar.context.mpf(u) for u in nodes])
    start = _fitted(functions(at_nodes)[1].astype(float), nodes, rough, laws[0] + laws[1])
    best = refined_bounded(ar, p, q, columns, order, psi, start)
    maximiser, density = _optimal(ar, columns, best.c, order, psi)
    away = abs(laws[0] - density(at_nodes) * laws[1]) @ ar.sqrt(rest)
    within = ar.sqrt(best.gradient[free:] @ best.gradient[free:])
    extra = radius * away**2 / (ar.sqrt(within**2 + away**2) + within)
    value, upper, divergence = _unscaled(ar, best.value, best.upper + extra, order)
    _check_gap(ar, value, upper)
    return RestrictedSolution(value, upper, divergence, best.c, on_numbers(ar, maximiser), on_numbers(ar, density))


def _fitted(functions: Array, x: Array, rough: RestrictedSolution, mass: Array) -> Array:
    """Coefficients of a float64 solution, by least squares."""
    return np.linalg.lstsq(functions.T * np.sqrt(mass)[:, None], rough.maximiser(x) * np.sqrt(mass), rcond=1e-9)[0]


def _ends(mechanisms: tuple[Mechanism, Mechanism], locations: list[float], scales: list[float]) -> tuple[float, float]:
    """Between which both laws lie."""
    reach = [TAILS[m.family] * s for m, s in zip(mechanisms, scales, strict=True)]
    return (
        min(m - r for m, r in zip(locations, reach, strict=True)),
        max(m + r for m, r in zip(locations, reach, strict=True)),
    )


def _nodes(
    locations: list[float], scales: list[float], ends: tuple[float, float], width: float, marks: Any = ()
) -> tuple[Array, Array]:
    """Of a Gauss-Legendre rule for both laws, and its weights: panels four times as wide far out, split at the marks
    and the locations, where Laplace has a corner.
    """
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
    """Boxes and hulls in multiprecision."""
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
            found = _columns(system, chosen, x[:, None])
            return found.offset, np.concatenate([found.free, found.other], 1).T

        return at

    precise = columns(ar, function_class)
    one = _columns(ar, function_class, np.array([[p.location]]))
    within = CoefficientSet(one.free.shape[1], *_fields(one.set))
    of_class = Columns(precise, columns(FLOAT64, plain), within)
    best = refined_bounded(ar, p, q, of_class, order, psi, rough.coefficients)
    maximiser, density = _optimal(ar, of_class, best.c, order, psi)
    value, upper, divergence = _unscaled(ar, best.value, best.upper, order)
    _check_gap(ar, value, upper)
    return RestrictedSolution(value, upper, divergence, best.c, on_numbers(ar, maximiser), on_numbers(ar, density))


def _optimal(
    ar: MP, columns: Columns, c: Array, order: Any, psi: str
) -> tuple[Callable[[Array], Array], Callable[[Array], Array]]:
    """h of coefficients, and dP'/dQ."""
    generator = _generator(psi, order)(ar)

    def maximiser(x: Array) -> Array:
        offset, functions = columns.at(x)
        return offset + c @ functions

    def density(x: Array) -> Array:
        h = maximiser(x)
        return generator.density(np.where(h > 0, h, 0 * h) if psi == "positive" else h)

    return maximiser, density


def _panels(edges: Array, widths: Array) -> tuple[Array, Array]:
    """Nodes and weights of Gauss-Legendre rules on panels of at most `widths` between the edges."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    ends = [
        np.linspace(a, b, max(2, int(np.ceil((b - a) / width)) + 1))
        for (a, b), width in zip(pairwise(edges), widths, strict=True)
    ]
    middle = np.concatenate([(e[1:] + e[:-1]) / 2 for e in ends])
    half = np.concatenate([(e[1:] - e[:-1]) / 2 for e in ends])
    return (middle[:, None] + half[:, None] * nodes).ravel(), (half[:, None] * weights).ravel()


def _density(family: str, z: Array) -> Array:
    """Of location 0 and scale 1."""
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
    """With other nodes than those the solver trusted: the problem, integrals, value, its upper bound and D_f^H.

    Raises
    ------
    PrecisionError
        The two are too far apart.
    """
    ar = problem.ar
    rough = problem.integrals(point)
    problem = replace(problem, refinement=2)  # other nodes than those the solver trusted
    at = problem.integrals(point)
    if rough is None or at is None:
        raise PrecisionError("finer quadrature does not find the integrals finite")
    value = -at.log_value
    divergence = value if problem.psi == "kl" else _alpha_divergence(ar, value, problem.alpha)
    upper = value + problem.excess(point, at) + abs(at.log_value - rough.log_value)
    _check_gap(ar, value, upper)
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
    rough = narrowed(functions) if isinstance(ar, MP) else functions

    def values(system: Arithmetic, f: Callable[[Any], Any]) -> Callable[[Array], Array]:
        return lambda x: _values_at(system, f, x[:, None], "features")

    alpha = None if order is None else float(order)
    problem, point = solve_features(p.narrowed, q.narrowed, values(FLOAT64, rough), alpha, psi)
    if isinstance(ar, MP):
        problem, point = refined_features(ar, p, q, values(ar, functions), order, problem, point)
    problem, at, value, upper, divergence = _certified(problem, point)
    coefficients = problem.coefficients(point)
    if psi == "kl":
        coefficients[0] += 1 + value
    h, r = _functions(problem, point, at, value, 0, 1)
    return RestrictedSolution(value, upper, divergence, coefficients, h, r)


def _functions(
    problem: Any, point: Point, at: Integrals, value: Any, location: Any, scale: Any
) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """The maximiser and the density r, of x."""
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


def _alpha_divergence(ar: Arithmetic, renyi: Any, order: Any) -> Any:
    exponent = (order - 1) * renyi
    return ar.expm1(exponent) / (order * (order - 1)) if exponent < ar.max_exponent else ar.inf


def _check_gap(ar: Arithmetic, value: Any, upper: Any) -> None:
    allowed = ar.context.mpf(10) ** (10 - ar.digits) if isinstance(ar, MP) else 1e-9
    if not upper - value <= allowed * (1 + abs(value)):
        raise PrecisionError(f"the dual bound stayed {float(upper - value):.1e} above the value found")


# Points


def _on_points(ar: Arithmetic, p: Any, q: Any, points: Any) -> tuple[Array, Array, Array]:
    """Probabilities of p and q (n) on common points (n, d)."""
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
    x, y = (w[0] if ar.lifted else w for w in (x, y))
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


def _values_at(ar: Arithmetic, functions: Any, at: Array, name: str) -> Array:
    """Values (n, m) of functions given by a callable or by these values."""
    if callable(functions) and isinstance(ar, MP):
        x = precise_values(ar, functions, at, name)
    else:
        x = ar.reals(functions(at) if callable(functions) else functions, name)
    if x.ndim == 1:
        x = x[:, None]
    if x.ndim != 2 or len(x) != len(at) or x.shape[1] == 0:
        reject(name, x.shape, f"functions with values of shape ({len(at)}, m) at the points (this is their shape)")
    return x


@dataclass(frozen=True)
class _Columns:
    """A class on points: `free` columns (n, k), others (n, m) with coefficients in `set`, and an offset (n)."""

    free: Array
    other: Array
    set: CoefficientSet
    offset: Array


def _columns(ar: Arithmetic, function_class: FunctionClass, at: Array) -> _Columns:
    one = at[:, :1] * 0 + 1
    none, zero = one[:, :0], one[:, 0] * 0
    match function_class:
        case Affine(None):
            return _Columns(np.concatenate([one, at], 1), none, CoefficientSet(0), zero)
        case Affine(features):
            phi = _values_at(ar, features, at, "features")
            return _Columns(np.concatenate([one, phi], 1), none, CoefficientSet(0), zero)
        case Polynomials(degree):
            z = _centred(at)  # of the far points 10^6 + x the powers would be one another's multiples, up to rounding
            powers = [
                np.prod(z[:, list(chosen)], axis=1)
                for k in range(1, degree + 1)
                for chosen in itertools.combinations_with_replacement(range(z.shape[1]), k)
            ]
            return _Columns(np.stack([one[:, 0], *powers], 1), none, CoefficientSet(0), zero)
    free = one if function_class.intercept else none
    match function_class:
        case ConvexHull(functions):
            g = _values_at(ar, functions, at, "functions")
            return _Columns(free, g[:, :-1] - g[:, -1:], CoefficientSet(0, "corner"), g[:, -1])
        case Box(functions, low, high):
            g = _values_at(ar, functions, at, "functions")
            ends = []
            for end, name in ((low, "low"), (high, "high")):
                x = ar.reals(end, name)
                if x.shape not in ((), (1,), (g.shape[1],)):
                    reject(name, x.shape, f"one number or {g.shape[1]} of them (this is its shape)")
                ends.append(np.broadcast_to(x, g.shape[1]))
            if not (ends[0] < ends[1]).all():
                reject("low", low, f"less than high, {high!r}")
            return _Columns(free, g, CoefficientSet(0, "box", *ends), zero)
        case RKHSBall(kernel, radius):
            gram = _gram(kernel, at) if callable(kernel) else kernel
            spectrum = ar.spectrum(gram, "kernel", None)
            values, vectors = (v[0] if ar.lifted else v for v in (spectrum.values, spectrum.vectors))
            if len(values) != len(at):
                reject("kernel", len(values), f"a Gram matrix of the {len(at)} points (this is its size)")
            on = values > 0
            ball = CoefficientSet(0, "ball", radius=one_number(ar, radius, "radius", 0, "positive"))
            return _Columns(free, vectors[:, on] * ar.sqrt(values[on]), ball, zero)
    raise AssertionError


def _gram(kernel: Callable[[Any, Any], Any], at: Array) -> list[list[Any]]:
    below = [[kernel(x, y) for y in at[: i + 1]] for i, x in enumerate(at)]
    return [[below[max(i, j)][min(i, j)] for j in range(len(at))] for i in range(len(at))]


def _centred(at: Array) -> Array:
    """(x - midrange) / half-range of each coordinate, in [-1, 1]."""
    low, high = at.min(0), at.max(0)
    return (2 * at - low - high) / np.where(high > low, high - low, 1)


def between_weights(
    ar: Arithmetic, x: Array, y: Array, at: Array, function_class: FunctionClass, order: Any, psi: str
) -> RestrictedSolution:
    """Between probabilities x and y (n) on points (n, d); psi is the extension, or "kl" without an order."""
    return _between_columns(ar, x, y, _columns(ar, function_class, at), order, psi)


def _between_columns(ar: Arithmetic, x: Array, y: Array, columns: _Columns, order: Any, psi: str) -> RestrictedSolution:
    spanned = columns.other.shape[1] == 0 and columns.set.kind == "none"
    means = x @ columns.free if columns.free.shape[1] else columns.free[0]
    used = y > 0
    ratio_fits = (x[used] > 0).all() and not (x[~used] > 0).any()  # then r = dP/dQ is a positive density
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
    coefficient_set = CoefficientSet(free.shape[1], *_fields(columns.set))
    problem = Problem(y[used], phi, mean, columns.offset[used], x @ columns.offset, coefficient_set)
    best = solve_in(ar, _generator(psi, order), problem)
    best = replace(best, upper=max(best.value, best.upper))  # they may cross by rounding
    k = free.shape[1]
    c = np.concatenate([back @ best.c[:k], best.c[k:]])
    wide = columns.offset + np.concatenate([columns.free, columns.other], 1) @ c
    density = 0 * y
    density[used] = best.r
    if spanned and order is not None:
        reach = x @ wide
        divergence = _alpha_divergence(ar, best.value, order)
        return RestrictedSolution(best.value, best.upper, divergence, c / reach, wide / reach, density)
    return RestrictedSolution(*_unscaled(ar, best.value, best.upper, order), c, wide, density)


def _unscaled(ar: Arithmetic, value: Any, upper: Any, order: Any) -> tuple[Any, Any, Any]:
    """The Renyi divergence, its bound and D_f^H, of values of E_P h - E_Q f*(h) less the constant of f*."""
    if order is None:
        return value, upper, value
    a = order * (order - 1)
    first, second = (ar.log(a * v) / (order - 1) if v > 0 else -ar.inf for v in (value, upper))
    return first, second, value - 1 / a


def _generator(psi: str, order: Any) -> Callable[[Arithmetic], Generator]:
    def make(ar: Arithmetic) -> Generator:
        alpha = 2 if order is None else order
        return Generator(ar, psi, alpha if isinstance(ar, MP) else float(alpha))

    return make


def _fields(s: CoefficientSet) -> tuple[Any, ...]:
    return s.kind, s.low, s.high, s.radius
