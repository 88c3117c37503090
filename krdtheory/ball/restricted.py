"""Restricted divergences by weak duality: any function of the class gives a lower bound, and any density r that agrees
with P on the free functions of the class gives an upper bound,

    D_f^H <= E_Q f(r) + sup over H of (E_P h - E_Q r h).

Both come from the optimum in multiprecision, made feasible over Q; its accuracy only affects the width of the result.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpq_mat
from scipy.optimize import linprog

from krdtheory.arithmetic.ball import (
    INF,
    UndecidedError,
    add_up,
    enclose,
    interval,
    largest,
    positive_part,
    positive_power,
    x_log_x,
)
from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.exact import rational_parts
from krdtheory.arithmetic.mp import MP, PrecisionError
from krdtheory.ball.classical import kl_of, renyi_of
from krdtheory.ball.inputs import INFINITY, Number, numbers, rational, renyi_orders, require_rational, two_weights
from krdtheory.ball.quantum import kernel_basis, pivot_columns
from krdtheory.ball.restricted_moments import between_mechanisms
from krdtheory.divergences.restricted import (
    EXTENSIONS,
    Affine,
    Box,
    ConvexHull,
    FunctionClass,
    Mechanism,
    Polynomials,
    RestrictedSolution,
    RKHSBall,
    Sample,
)
from krdtheory.divergences.restricted.points import between_weights

ATTEMPTS = 2  # doublings of the precision; more do not help to find an optimum


def restricted_renyi(
    p: Any,
    q: Any,
    alpha: Any,
    function_class: FunctionClass,
    *,
    points: Any = None,
    extension: str = "absolute",
    digits: int = 50,
) -> Any:
    """H-restricted Renyi divergence, as `krdtheory.divergences.restricted.restricted_renyi`.

    Parameters
    ----------
    p, q : array_like, shape (n,), or two samples, or two mechanisms
        Rational weights on `points`, divided by their sums; or `Sample`; or mechanisms if moments determine the value:
        order 2 with "absolute", and for `restricted_kl` affine functions, or polynomials between Gaussians.
    alpha : number
        Rational order in (1, inf).
    function_class : Affine, Polynomials, ConvexHull, Box or RKHSBall
        The class H. Its callables take rationals (`flint.fmpq`) and return rationals, or balls at `flint.ctx.prec`,
        which `Affine` does not take.
    points : array_like, shape (n,) or (n, d), optional
        Rational; by default 0, ..., n - 1.
    extension : {"absolute", "positive"}
        How f(t) extends to t < 0.
    digits : int
        Required number of correct digits.

    Returns
    -------
    arb
        In nats; exactly +inf if a function of H separates P from Q, which is proved over Q.

    Raises
    ------
    UndecidedError
        Not certified at the highest precision, or no optimum was found at it.
    ValueError, TypeError
        As `krdtheory.divergences.restricted.restricted_renyi`, or irrational numbers.

    References
    ----------
    Chaudhuri, Imola and Machanavajjhala (2019), (2), (3), Lemma 3.

    Examples
    --------
    >>> from krdtheory import ball
    >>> from krdtheory.divergences.restricted import Affine
    >>> p, q = ["1/4", "1/4", "1/2"], ["1/2", "1/4", "1/4"]
    >>> print(ball.restricted_renyi(p, q, 2, Affine(), digits=20).str(20))
    [0.31015492830383952193 +/- 4.07e-21]
    """
    order = _order(alpha)
    formula = _formula(p, q, function_class, points, extension, order)
    return enclose(formula, digits, guard=_guard(order), doublings=ATTEMPTS)


def restricted_alpha_divergence(
    p: Any,
    q: Any,
    alpha: Any,
    function_class: FunctionClass,
    *,
    points: Any = None,
    extension: str = "absolute",
    digits: int = 50,
) -> Any:
    """H-restricted alpha-divergence; parameters, results and errors as `restricted_renyi`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> from krdtheory.divergences.restricted import Box
    >>> print(ball.restricted_alpha_divergence([1, 0], [0, 1], 2, Box([[0], [0]], 0, 1)))  # H = {0}
    -0.500000000000000
    """
    order = _order(alpha)
    if isinstance(p, Mechanism) or isinstance(q, Mechanism):
        renyi = _formula(p, q, function_class, points, extension, order)
        formula = partial(_from_renyi, renyi, order)
    else:
        formula = partial(_alpha_divergence, _problem(p, q, function_class, points, extension, order))
    return enclose(formula, digits, guard=_guard(order), doublings=ATTEMPTS)


def restricted_kl(p: Any, q: Any, function_class: FunctionClass, *, points: Any = None, digits: int = 50) -> Any:
    """H-restricted Kullback-Leibler divergence; parameters, results and errors as `restricted_renyi`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> from krdtheory.divergences.restricted import Affine
    >>> print(ball.restricted_kl(["1/4", "3/4"], ["1/2", "1/2"], Affine(), digits=10).str(10))  # all functions
    [0.1308120359 +/- 4.12e-11]
    """
    return enclose(_formula(p, q, function_class, points, "kl", None), digits, doublings=ATTEMPTS)


# Arguments


def _order(alpha: Any) -> Any:
    orders = renyi_orders(alpha)
    if orders.ndim:
        reject("alpha", alpha, "one number", TypeError)
    order: Any = orders[()]
    if order == INFINITY or order <= 1:
        reject("alpha", alpha, "in (1, inf)")
    return order


def _guard(order: fmpq) -> int:
    return max(0, int(1 / (order - 1)).bit_length())


@dataclass(frozen=True, eq=False)
class _Problem:
    """Probabilities p and q on points (n, d), all rational, and psi: the extension, or "kl"."""

    p: list[fmpq]
    q: list[fmpq]
    points: Array
    function_class: FunctionClass
    order: Any  # None for KL
    psi: str

    @property
    def positive(self) -> bool:
        """Whether densities are nonnegative."""
        return self.psi != "absolute"

    @property
    def spanned(self) -> bool:
        """Whether H is a linear space."""
        return isinstance(self.function_class, (Affine, Polynomials))

    @property
    def power(self) -> Any:
        """A = alpha / (alpha - 1)."""
        return self.order / (self.order - 1)


def _formula(
    p: Any, q: Any, function_class: FunctionClass, points: Any, extension: str, order: fmpq | None
) -> Callable[[], Any]:
    """Return a function that encloses the Renyi divergence, or KL if there is no order, at the working precision."""
    mechanisms = [isinstance(x, Mechanism) for x in (p, q)]
    if not any(mechanisms):
        return partial(_renyi, _problem(p, q, function_class, points, extension, order))
    if not all(mechanisms):
        reject("q" if mechanisms[0] else "p", q if mechanisms[0] else p, "a mechanism, as the other is", TypeError)
    if points is not None:
        reject("points", points, "None between mechanisms")
    return between_mechanisms(p, q, function_class, order, extension)


def _problem(
    p: Any, q: Any, function_class: FunctionClass, points: Any, extension: str, order: fmpq | None
) -> _Problem:
    if not isinstance(function_class, FunctionClass):
        reject("function_class", function_class, "Affine, Polynomials, ConvexHull, Box or RKHSBall", TypeError)
    if extension not in (*EXTENSIONS, "kl") or (extension == "kl") != (order is None):
        reject("extension", extension, f"one of {', '.join(EXTENSIONS)}")
    if isinstance(p, Sample) != isinstance(q, Sample):
        reject("q" if isinstance(p, Sample) else "p", q if isinstance(p, Sample) else p, "a Sample too", TypeError)
    if isinstance(p, Sample):
        if points is not None:
            reject("points", points, "None between samples")
        a, b = _points(p.points, "p"), _points(q.points, "q")
        if a.shape[1] != b.shape[1]:
            raise ValueError(f"p and q must have the same dimension; got {a.shape[1]} and {b.shape[1]}")
        zeros = [fmpq(0)] * len(a), [fmpq(0)] * len(b)
        x, y = [fmpq(1, len(a))] * len(a) + zeros[1], zeros[0] + [fmpq(1, len(b))] * len(b)
        return _Problem(x, y, np.concatenate([a, b]), function_class, order, extension)
    weights: list[list[fmpq]] = []
    for values, name in zip(two_weights(p, q), ("p", "q"), strict=True):
        if values.ndim:
            reject(name, values.shape, "one vector of weights, shape (n,) (these are its leading dimensions)")
        require_rational(values, name)
        total = sum(values[()], fmpq(0))
        if total == 0:
            reject(name, values[()], "weights that are not all zero")
        weights.append([w / total for w in values[()]])
    at = _points(range(len(weights[0])) if points is None else points, "points")
    if len(at) != len(weights[0]):
        raise ValueError(f"points must be as many as the weights, {len(weights[0])}; got {len(at)}")
    return _Problem(weights[0], weights[1], at, function_class, order, extension)


def _points(value: Any, name: str) -> Array:
    x = numbers(value, name)
    if x.ndim not in (1, 2) or len(x) == 0:
        reject(name, x.shape, "points of shape (n,) or (n, d), n >= 1 (this is its shape)")
    require_rational(x, name)
    return x[:, None] if x.ndim == 1 else x


# The class on the points


@dataclass(frozen=True, eq=False)
class _Columns:
    """The values of H's functions on the points: `free` columns (n, k) of rationals, with arbitrary coefficients, and
    others (n, m), rationals or balls, with coefficients in a box [low, high], in the simplex, or in a ball of K's norm.
    """

    free: Array
    other: Array
    low: list[Number]
    high: list[Number]
    radius: Any = None

    @property
    def simplex(self) -> bool:
        return self.other.shape[1] > 0 and not self.low and self.radius is None


def _columns(problem: _Problem) -> _Columns:
    at, function_class = problem.points, problem.function_class
    n = len(at)
    one = np.array([[fmpq(1)]] * n, dtype=object)
    none = one[:, :0]
    match function_class:
        case Affine(None):
            return _Columns(np.concatenate([one, at], 1), none, [], [])
        case Affine(features):
            phi = _values(features, at, "features")
            require_rational(phi, "features")
            return _Columns(np.concatenate([one, phi], 1), none, [], [])
        case Polynomials(degree):
            z = _centred(at)
            powers = [
                np.prod(z[:, list(chosen)], axis=1)
                for k in range(1, degree + 1)
                for chosen in itertools.combinations_with_replacement(range(z.shape[1]), k)
            ]
            return _Columns(np.stack([one[:, 0], *powers], 1), none, [], [])
    free = one if function_class.intercept else none
    match function_class:
        case ConvexHull(functions):
            return _Columns(free, _values(functions, at, "functions"), [], [])
        case Box(functions, low, high):
            g = _values(functions, at, "functions")
            ends = []
            for end, name in ((low, "low"), (high, "high")):
                x = numbers(end, name)
                require_rational(x, name)
                if x.shape not in ((), (1,), (g.shape[1],)):
                    reject(name, x.shape, f"one number or {g.shape[1]} of them (this is its shape)")
                ends.append(list(np.broadcast_to(x, g.shape[1])))
            if not all(a < b for a, b in zip(*ends, strict=True)):
                reject("low", low, f"less than high, {high!r}")
            return _Columns(free, g, ends[0], ends[1])
        case RKHSBall(kernel, radius):
            gram = numbers([[kernel(x, y) for y in at] for x in at] if callable(kernel) else kernel, "kernel")
            if gram.shape != (n, n):
                reject("kernel", gram.shape, f"a Gram matrix of the {n} points (this is its shape)")
            size: Any = numbers(radius, "radius")
            require_rational(size, "radius")
            if size.ndim or not size[()] > 0:
                reject("radius", radius, "positive")
            return _Columns(free, gram, [], [], size[()])
    raise AssertionError


def _values(functions: Any, at: Array, name: str) -> Array:
    x = numbers(functions(at) if callable(functions) else functions, name)
    if x.ndim == 1:
        x = x[:, None]
    if x.ndim != 2 or len(x) != len(at) or x.shape[1] == 0:
        reject(name, x.shape, f"functions with values of shape ({len(at)}, m) at the points (this is their shape)")
    return x


def _centred(at: Array) -> Array:
    """Return (x - midrange) / half-range of each coordinate, in [-1, 1]."""
    low, high = at.min(0), at.max(0)
    span: Array = np.array([x if x > 0 else fmpq(1) for x in high - low], dtype=object)
    return (2 * at - low - high) / span


# The optimum, which need not be accurate


def _optimum(problem: _Problem, columns: _Columns) -> RestrictedSolution:
    ar = MP(int(0.302 * ctx.prec) + 12)
    number = np.frompyfunc(lambda x: _mpf(ar, x), 1, 1)
    x, y = (np.array([_mpf(ar, v) for v in w], dtype=object) for w in (problem.p, problem.q))
    other, function_class = number(columns.other), problem.function_class
    match function_class:
        case Affine() | Polynomials():
            rounded: FunctionClass = Affine(number(columns.free[:, 1:]))
        case ConvexHull():
            rounded = ConvexHull(other, function_class.intercept)
        case Box():
            low, high = (np.array([_mpf(ar, v) for v in w], dtype=object) for w in (columns.low, columns.high))
            rounded = Box(other, low, high, function_class.intercept)
        case RKHSBall():
            exact = all(isinstance(v, fmpq) for v in columns.other.flat)
            rounded = RKHSBall(columns.other if exact else other, _mpf(ar, columns.radius), function_class.intercept)
    order = None if problem.order is None else _mpf(ar, problem.order)
    try:
        return between_weights(ar, x, y, x[:, None], rounded, order, problem.psi)
    except (PrecisionError, ZeroDivisionError) as error:
        raise UndecidedError(f"no optimum at {ar.digits} digits: {error}") from error


def _mpf(ar: MP, x: Number) -> Any:
    if isinstance(x, arb):
        mantissa, exponent = x.mid().man_exp()
        return ar.context.mpf((int(mantissa), int(exponent)))
    return ar.context.mpf(int(x.p)) / int(x.q)


def _exactly(values: Any) -> list[fmpq]:
    out = []
    for x in values:
        parts = rational_parts(x)
        assert parts is not None
        out.append(parts[0])
    return out


# Feasible points over Q


def _function(columns: _Columns, found: RestrictedSolution) -> list[Number]:
    """Return the values of a function of the class near the maximiser found."""
    k = columns.free.shape[1]
    c = _exactly(found.coefficients)
    free = columns.free @ np.array(c[:k], dtype=object) if k else np.array([fmpq(0)] * len(columns.free), dtype=object)
    if not columns.other.shape[1]:
        return list(free)
    if columns.radius is not None:
        h = _exactly(found.maximiser)
        return list(free + _in_ball(columns.other, columns.radius, [v - w for v, w in zip(h, free, strict=True)]))
    if columns.simplex:
        shares = [max(x, fmpq(0)) for x in c[k:]]
        shares = [x / max(sum(shares, fmpq(0)), fmpq(1)) for x in shares]
        shares.append(1 - sum(shares, fmpq(0)))
    else:
        shares = [min(max(x, a), b) for x, a, b in zip(c[k:], columns.low, columns.high, strict=True)]
    return list(free + columns.other @ np.array(shares, dtype=object))


def _in_ball(gram: Array, radius: fmpq, h: list[fmpq]) -> Array:
    """Return K a near h, with a^T K a <= radius^2."""
    n = len(h)
    middle = fmpq_mat(n, n, [rational(x.mid()) if isinstance(x, arb) else x for x in gram.flat])
    pivots = pivot_columns(*middle.rref())
    block = fmpq_mat(len(pivots), len(pivots), [middle[i, j] for i in pivots for j in pivots])
    a = np.array([fmpq(0)] * n, dtype=object)
    a[pivots] = block.solve(fmpq_mat(len(pivots), 1, [h[i] for i in pivots])).entries()
    size = arb(a @ gram @ a)
    if not size <= arb(radius * radius):
        a = a * rational((arb(radius) / size.sqrt()).lower())
    return gram @ a


def _density(problem: _Problem, columns: _Columns, found: RestrictedSolution) -> list[fmpq]:
    """Return a density near the one found with E_Q r phi = E_P phi exactly for the free functions phi; nonnegative if
    required, in which case zeros remain 0.
    """
    r, q = _exactly(found.density), problem.q
    if problem.positive:
        r = [max(x, fmpq(0)) for x in r]
    weights = [y * x if problem.positive else y for x, y in zip(r, q, strict=True)]
    on, k = [i for i, w in enumerate(weights) if w > 0], columns.free.shape[1]
    if k and on:
        pivots = pivot_columns(*fmpq_mat(len(on), k, list(columns.free[on].flat)).rref())
        phi = columns.free[:, pivots]
        missing = _gaps(problem, r) @ phi
        gram = (phi.T * np.array(weights, dtype=object)) @ phi
        m = len(pivots)
        z = fmpq_mat(m, m, list(gram.flat)).solve(fmpq_mat(m, 1, list(missing))).entries()
        change = phi @ np.array(z, dtype=object)
        r = [
            (x * (1 + d) if problem.positive else x + d) if w > 0 else x
            for x, d, w in zip(r, change, weights, strict=True)
        ]
    if (problem.positive and min(r) < 0) or (k and any(x != 0 for x in _gaps(problem, r) @ columns.free)):
        raise UndecidedError(f"no feasible density at {ctx.prec} bits")
    return r


def _gaps(problem: _Problem, r: list[fmpq]) -> Array:
    """Return p - q r."""
    return np.array([x - y * t for x, y, t in zip(problem.p, problem.q, r, strict=True)], dtype=object)


def _slack(columns: _Columns, gaps: Array) -> Any:
    """Return the supremum over H of the sum of gaps * h."""
    if not columns.other.shape[1]:
        return arb(0)
    if columns.radius is not None:
        square: Any = gaps @ columns.other @ gaps
        return arb(columns.radius) * positive_power(arb(square), fmpq(1, 2))
    g = [arb(x) for x in gaps @ columns.other]
    if columns.simplex:
        return largest(g)
    return add_up(largest([x * arb(a), x * arb(b)]) for x, a, b in zip(g, columns.low, columns.high, strict=True))


# Infinite suprema, and suprema that are not attained


def _separates(problem: _Problem, columns: _Columns) -> bool:
    """Return whether some function with E_P h > 0 is 0 (or, if densities are nonnegative, at most 0) Q-surely."""
    used = [i for i, y in enumerate(problem.q) if y > 0]
    phi, mean = columns.free[used], np.array(problem.p, dtype=object) @ columns.free
    if not problem.positive:
        rows = [*phi.flat, *mean]
        k = len(mean)
        return bool(fmpq_mat(len(used), k, rows[:-k]).rank() < fmpq_mat(len(used) + 1, k, rows).rank())
    table = phi.astype(float)
    outcome = linprog(-mean.astype(float), A_ub=table, b_ub=np.zeros(len(used)), bounds=(-1, 1), method="highs")
    if outcome.status != 0:
        return False
    zero = table @ outcome.x > -1e-9 * (1 + abs(table).max())
    c = _projected(outcome.x, phi[zero])
    return bool(mean @ c > 0 and all(x < 0 for x in phi[~zero] @ c))


def _pushed(problem: _Problem, columns: _Columns, h: list[Number], removed: list[int]) -> list[Number]:
    """Return h + t g, t large, for a g of the class with E_P g = 0, g < 0 on `removed` and 0 elsewhere Q-surely."""
    kept = [i for i, y in enumerate(problem.q) if y > 0 and i not in removed]
    mean = np.array(problem.p, dtype=object) @ columns.free
    zero, down = np.concatenate([columns.free[kept], mean[None]]), columns.free[removed]
    outcome = linprog(
        np.zeros(len(mean)),
        A_ub=down.astype(float),
        b_ub=-np.ones(len(removed)),
        A_eq=zero.astype(float),
        b_eq=np.zeros(len(zero)),
        bounds=(None, None),
        method="highs",
    )
    c = _projected(outcome.x, zero) if outcome.status == 0 else 0 * mean
    g = columns.free @ c
    if not all(g[i] < 0 for i in removed):
        raise UndecidedError("no function of the class was found that is negative where the density is 0")
    far = fmpq(ctx.prec if problem.psi == "kl" else 0)
    t = max(fmpq(0), *((h[i] + far) / -g[i] for i in removed))
    return [x + t * d for x, d in zip(h, g, strict=True)]


def _projected(c: Array, rows: Array) -> Array:
    """Return the point nearest to c at which all rows vanish, over Q."""
    exact = fmpq_mat(len(c), 1, [fmpq(*float(x).as_integer_ratio()) for x in c])
    if len(rows):
        basis = kernel_basis(fmpq_mat(len(rows), len(c), list(rows.flat)))
        if not basis.ncols():
            return np.array([fmpq(0)] * len(c), dtype=object)
        exact = basis * (basis.transpose() * basis).solve(basis.transpose() * exact)
    return np.array(exact.entries(), dtype=object)


# Bounds


def _bounds(problem: _Problem) -> tuple[Any, Any] | None:
    """Return both bounds, None for +inf: on the divergence for KL, on the Renyi divergence if H is linear, and
    otherwise on D_alpha^H + 1 / (alpha (alpha - 1)).
    """
    columns = _columns(problem)
    if _all_functions(problem, columns):
        return _unrestricted(problem)
    if columns.simplex and columns.other.shape[1] == 1 and not columns.free.shape[1]:  # H = {g}
        low, _ = _sides(problem, list(columns.other[:, 0]), problem.p, arb(0))
        return low, low
    found = _optimum(problem, columns)
    if not isinstance(found.density, np.ndarray):
        if _separates(problem, columns):
            return None
        raise UndecidedError("whether a function of the class separates p from q is not decided")
    h, r = _function(columns, found), _density(problem, columns, found)
    removed = [i for i, (x, y) in enumerate(zip(found.density, problem.q, strict=True)) if y > 0 and x == 0]
    if problem.positive and problem.spanned and removed:
        h = _pushed(problem, columns, h, removed)
    return _sides(problem, h, r, _slack(columns, _gaps(problem, r)))


def _sides(problem: _Problem, h: list[Number], r: list[fmpq], slack: Any) -> tuple[Any, Any]:
    """Return the bounds given by a function, and by a density with this slack."""
    reach = arb(sum((x * y for x, y in zip(problem.p, h, strict=True)), fmpq(0)))
    if problem.order is None:
        return (
            reach - _mean(problem.q, [(arb(x) - 1).exp() for x in h]),
            _mean(problem.q, [x_log_x(arb(x)) for x in r]) + slack,
        )
    alpha, power = problem.order, problem.power
    size = [positive_part(arb(x)) if problem.psi == "positive" else abs(arb(x)) for x in h]
    dual = _mean(problem.q, [positive_power(abs(arb(x)), alpha) for x in r])
    if problem.spanned:
        if not reach > 0:
            raise UndecidedError(f"no function of the class with E_P h > 0 at {ctx.prec} bits")
        primal = _mean(problem.q, [positive_power(x, power) for x in size])
        return arb(power) * reach.log() - primal.log(), dual.log() / arb(alpha - 1)
    primal = _mean(problem.q, [positive_power(arb(alpha - 1) * x, power) for x in size])
    return reach - primal / arb(alpha), dual / arb(alpha * (alpha - 1)) + slack


def _all_functions(problem: _Problem, columns: _Columns) -> bool:
    """Return whether H is all functions Q-surely, and P is absolutely continuous."""
    used = [i for i, y in enumerate(problem.q) if y > 0]
    k = columns.free.shape[1]
    inside = all(x == 0 for x, y in zip(problem.p, problem.q, strict=True) if y == 0)
    return problem.spanned and inside and fmpq_mat(len(used), k, list(columns.free[used].flat)).rank() == len(used)


def _unrestricted(problem: _Problem) -> tuple[Any, Any]:
    p, q = problem.p, problem.q
    value = kl_of(p, q) if problem.order is None else renyi_of(p, q, problem.order)
    return value, value


def _mean(weights: list[fmpq], values: list[Any]) -> Any:
    return add_up(arb(w) * x for w, x in zip(weights, values, strict=True) if w > 0)


def _enclosure(problem: _Problem) -> Any:
    bounds = _bounds(problem)
    if bounds is None:
        return INF
    low, high = bounds[0].lower(), bounds[1].upper()
    assert not low > high, "a lower bound above an upper one"
    if not (low.is_finite() and high.is_finite()):
        raise UndecidedError(f"no finite bounds at {ctx.prec} bits", lower=low, upper=high)
    return interval(low, high)


def _renyi(problem: _Problem) -> Any:
    value, alpha = _enclosure(problem), problem.order
    if problem.spanned or problem.order is None or value == INF:
        return value
    if not value > 0:
        if value.upper() <= 0:
            allowed = "a class for which (3) is defined, with 1 + alpha (alpha - 1) D_alpha^H > 0"
            reject("function_class", problem.function_class, allowed)
        raise UndecidedError(f"whether 1 + alpha (alpha - 1) D_alpha^H is positive is not decided at {ctx.prec} bits")
    return (arb(alpha * (alpha - 1)) * value).log() / arb(alpha - 1)


def _alpha_divergence(problem: _Problem) -> Any:
    if problem.spanned:
        return _from_renyi(partial(_enclosure, problem), problem.order)
    return _enclosure(problem) - 1 / arb(problem.order * (problem.order - 1))


def _from_renyi(renyi: Callable[[], Any], alpha: fmpq) -> Any:
    return (arb(alpha - 1) * renyi()).expm1() / arb(alpha * (alpha - 1))
