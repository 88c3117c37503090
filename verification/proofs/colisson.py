"""Proofs for the claims of Colisson's report up to Theorem 12, and arguments for others.

A pair is described by u = p / q, which has mean 1 under q. `r` is e^epsilon, and `g` is alpha - 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product

import numpy as np
import sympy
from sympy import Expr, Integer, Mul, Piecewise, Rational, Symbol, cosh, exp, log, sinh, sqrt, tanh

from verification.argument import Argument, convex_minimum, exhaustive, identity, signs
from verification.claim import Claim
from verification.proofs.shared import from_moments, moments
from verification.provers import algebra
from verification.provers.convexity import convexity, holder
from verification.provers.corners import PAST
from verification.provers.derivation import Goal, Script
from verification.provers.kernel import Theorem, every_event, maximum, rewrite, this_event, through
from verification.provers.lemmas import both
from verification.provers.letters import every_letter
from verification.provers.scalars import is_zero, seen_nonnegative
from verification.provers.symbols import Total
from verification.provers.tactics import Concave, Factors, Parts, Rising, Split
from verification.rigorous import RigorousVocabulary, number

g, u, r, n, e, h = sympy.symbols("gamma u r n epsilon h", positive=True)
a, b, c, d = sympy.symbols("a b c d", nonnegative=True)
l, t, s, w = sympy.symbols("l t s w", positive=True)  # noqa: E741
x, y, z = sympy.symbols("x y z", real=True)

ANY = "any distributions"
PURE = "every epsilon-DP pair"


# Parts of several arguments


def together(domain: str, *parts: Argument) -> Argument:
    """Join arguments that together prove a statement over a domain."""

    def said(texts: Iterable[str]) -> str:
        return "; ".join(dict.fromkeys(piece for text in texts for piece in text.split("; ") if piece))

    steps = sum(part.steps for part in parts)
    return Argument(said(part.method for part in parts), domain, steps, said(part.detail for part in parts))


def names(claim: Claim) -> Argument:
    """Check the claim in balls at the largest number of names, since the right side falls with that number."""
    lhs, rhs = claim.sides(RigorousVocabulary(30), names=np.array([number(10_000)], dtype=object))
    detail = "(1 - e^-12.2)^n falls with n"
    return exhaustive([lhs[0] <= rhs[0]], bool, domain="n from 1 to 10000", detail=detail)


@cache
def _cosh_grows() -> Argument:
    """Check that t^2 / 2 - log cosh t is convex with minimum 0 at 0, so that it grows with |t|."""
    return convex_minimum(x**2 / 2 - log(cosh(x)), x, 0, domain="any t", detail="t^2/2 - log cosh t grows with |t|")


@cache
def _chord() -> Argument:
    """Check that the chord over [1/r, r] bounds the mean of u^alpha for alpha > 1 and alpha < 1, and of u log u.

    These functions are convex, concave and convex. At the mean 1 of u, the chord of u^alpha is
    (r^alpha + r^(1 - alpha)) / (1 + r) = cosh((alpha - 1/2) eps) / cosh(eps / 2).
    """
    alpha = sympy.Symbol("alpha", real=True)
    weight = 1 / (1 + r)  # the weight of u = r
    curve = cosh((alpha - Rational(1, 2)) * e) / cosh(e / 2)
    chord = (r**alpha + r ** (1 - alpha)) / (1 + r)
    power, low = 1 + g, 1 / (1 + g)
    curvatures = (sympy.diff(u**power, u, 2), -sympy.diff(u**low, u, 2), sympy.diff(u * log(u), u, 2))
    return together(
        PURE,
        signs(*map(sympy.simplify, curvatures), domain=PURE),
        identity(
            weight * r + (1 - weight) / r - 1,
            sympy.powsimp(sympy.expand(weight * r**alpha + (1 - weight) * r**-alpha - chord)),
            (curve - chord.subs(r, exp(e))).rewrite(exp),
            weight * r * log(r) - (1 - weight) / r * log(r) - log(r) * (r - 1) / (r + 1),
            domain=PURE,
            detail="convex in p / q, so that its chord over [e^-eps, e^eps] bounds it",
        ),
    )


def _bounded() -> Argument:
    """Check that the logarithm of the chord is at most alpha (alpha - 1) eps^2 / 2.

    This is ((alpha - 1/2)^2 - 1/4) eps^2 / 2.
    """
    alpha = sympy.Symbol("alpha", real=True)
    step = sympy.expand((alpha - Rational(1, 2)) ** 2 - Rational(1, 4) - alpha * (alpha - 1))
    return together(PURE, _chord(), _cosh_grows(), identity(step, domain=PURE))


# Scripts shared by several claims


def chord(goal: Goal) -> Theorem:
    """Prove that D_alpha of a pure pair is at most that of randomised response.

    u^alpha, or u log u at order 1, is on one side of its chord over [1/r, r], the range of u = p / q.
    """
    (p, q), r = goal.near
    concave = Concave(Symbol(p.name, positive=True), 1 / r, r)

    def ends(high: Expr, low: Expr) -> tuple[Expr, Expr]:
        slope = (high - low) / (r - 1 / r)
        return slope, high - slope * r

    if goal.lhs.has(Total):  # order 1
        c, d = ends(r * log(r), -log(r) / r)
        return rewrite(
            goal.pointwise(goal.lhs, c + d, multipliers={p: c, q: d}, tactic=concave), rhs=log(r) * (r - 1) / (r + 1)
        )
    alpha, m = goal.alpha, moments(goal)[0]
    c, d = ends(r**alpha, r**-alpha)
    whole = goal.equal(c + d, response(r, alpha))
    if seen_nonnegative(alpha - 1):
        known = goal.pointwise(m, c + d, multipliers={p: c, q: d}, tactic=concave).then(whole)
    else:
        known = goal.equal(whole.rhs, whole.lhs).then(
            goal.pointwise(c + d, m, multipliers={p: -c, q: -d}, tactic=concave)
        )
    return from_moments(goal, known, alpha)


def response(r: Expr, alpha: Expr) -> Expr:
    """Return the moment of randomised response, cosh((alpha - 1/2) eps) / cosh(eps / 2)."""
    return (r**alpha + r ** (1 - alpha)) / (1 + r)


def response_bounded(goal: Goal) -> Theorem:
    """Prove that the divergence of randomised response is at most epsilon.

    r^(alpha - 1) (1 + r) - r^alpha - r^(1 - alpha) equals r^(1 - alpha) (r^(2 (alpha - 1)) - 1).
    """
    (_, r), alpha = goal.near, goal.alpha
    above = seen_nonnegative(alpha - 1)
    size = alpha - 1 if above else 1 - alpha
    gap = through(goal.at_most(1, r), lambda x: x ** (2 * size)).times(r**-size / (1 + r))
    known = gap.plus(r**alpha / (1 + r))
    ends = (response(r, alpha), r ** (alpha - 1)) if above else (r ** (alpha - 1), response(r, alpha))
    return from_moments(goal, rewrite(known, *ends), alpha)


def response_concentrated(goal: Goal) -> Theorem:
    """Prove that the divergence of randomised response is at most alpha eps^2 / 2.

    The difference of alpha (alpha - 1) eps^2 / 2 and the logarithm of the moment is convex in alpha, and 0 at 0 and 1.
    """
    (_, r), alpha = goal.near, goal.alpha

    def gap(x: Expr) -> Expr:
        return x * (x - 1) * log(r) ** 2 / 2 - log(response(r, x))

    def second(x: Symbol) -> Factors:
        slope = (r**x - r ** (1 - x)) / (r**x + r ** (1 - x))
        return Factors([log(r) ** 2, slope**2])

    if seen_nonnegative(alpha - 1):  # 1 lies between alpha and 0
        known = rewrite(
            convexity(goal.case, gap, [(1 / alpha, alpha), (1 - 1 / alpha, 0)], second), 0, gap(alpha) / alpha
        )
        known = known.times(alpha / (alpha - 1))
    else:
        known = convexity(goal.case, gap, [(alpha, 1), (1 - alpha, 0)], second)
        known = rewrite(known, gap(alpha), 0).times(1 / (1 - alpha)).negated()
    value = log(response(r, alpha)) / (alpha - 1)
    return rewrite(known.plus(value), value, alpha * log(r) ** 2 / 2)


def bounded_divergence(goal: Goal) -> Theorem:
    """Prove a bound of D_alpha of a pure pair by way of the divergence of randomised response."""
    far = response_bounded if is_zero(goal.rhs - log(goal.near[1])) else response_concentrated
    return chord(goal).then(far(goal))


def alphabet(goal: Goal, weight: Symbol) -> Symbol:
    """Return the alphabet of a weight."""
    (home,) = goal.case.alphabets[weight]
    return home


def excess(goal: Goal, x: Expr, y: Expr, level: Expr) -> Expr:
    """Return the hockey-stick divergence sum (x - level y)_+."""
    (at,) = goal.case.ranges(x - y)
    return Total(algebra.maximum(x - level * y, 0), at)


def distance(goal: Goal, x: Expr, y: Expr) -> Expr:
    """Return sum |x - y| / 2."""
    gap = sympy.expand(x - y)
    return Total(abs(gap) / 2, *goal.case.ranges(gap)) if gap != 0 else Integer(0)


def fact(goal: Goal, symbol: Symbol) -> int:
    """Return the index of the fact that contains a symbol."""
    return next(i for i, f in enumerate(goal.case.facts) if f.expression.has(symbol))


def weighted(goal: Goal, target: Symbol | Expr, *terms: tuple[Expr, Symbol]) -> Theorem:
    """Bound a moment by the product of powers of others, by Hölder's inequality; a weight stands for its sum, 1."""
    case = goal.case
    (at,) = case.alphabets[next(s for s in case.alphabets)]
    sums = [case.definitions.get(m, m) for _, m in terms]
    parts = [(w, t.args[0] if isinstance(t, Total) else t) for (w, _), t in zip(terms, sums, strict=True)]
    known = holder(case, parts, at)
    if target in case.alphabets:
        known = goal.pointwise(1, known.lhs, multipliers={target: -1}).then(known)
    else:
        known = goal.pointwise(case.definitions[target], known.lhs, equal=True).then(known)
    return rewrite(
        known, 1 if target in case.alphabets else target, Mul(*(m**w for w, m in terms if m not in case.alphabets))
    )


# 2.2 and 2.3


def distances(goal: Goal) -> Theorem:
    """Prove Lemma 1 with sum (p - q) = 0: sum |p - q| / 2 is the value at S = {p > q}, and no S has a larger one."""
    p, q = goal.p
    tops = list(goal.case.suprema)
    if not goal.lhs.has(*tops) and not goal.rhs.has(*tops):  # the two parts of Lemma 1
        return goal.pointwise(multipliers={p: 1, q: -1})
    half = Rational(1, 2)
    value, largest = (goal.lhs, goal.rhs) if goal.rhs.has(*tops) else (goal.rhs, goal.lhs)

    def every(shown: Expr, event: Symbol) -> Theorem:
        sign = half if is_zero(shown - Total(event * (p - q), alphabet(goal, p))) else -half
        return goal.pointwise(shown, value, multipliers={p: sign, q: -sign})

    below = maximum([every_event(goal.case, top, value, every) for top in tops])
    best = this_event(goal.case, tops[0], Piecewise((1, p > q), (0, True)))
    above = goal.pointwise(value, best.lhs, multipliers={p: -half, q: half}).then(best)
    above = above.then(goal.at_most(tops[0], largest))
    return both(above, below) if value is goal.lhs else both(below, above)


def laplace(goal: Goal) -> Theorem:
    """Prove |y - f(x')| - |y - f(x)| <= |f(x) - f(x')| in every coordinate."""
    y, f, h = goal.points
    at = alphabet(goal, y)
    far, gap = Total(abs(f - h), at), Total(abs(y - h), at) - Total(abs(y - f), at)
    scale = goal.epsilon / (far + goal.more)
    return goal.pointwise(gap, far).times(scale)


# 2.4


def near_pair_suffices(goal: Goal) -> Theorem:
    """Prove (p' - r q')_+ <= (p' - p)_+ + r (q - q')_+ + (p - r q)_+ letter by letter, where the last part is 0."""
    (p, q), r = goal.near
    x, y = goal.other
    s = goal.part
    if goal.index == 1:
        p, q, x, y = q, p, y, x
    far, near = (1 - s) * p + s * x, (1 - s) * q + s * y
    first, second = distance(goal, far, p), distance(goal, near, q)
    multipliers = {x: s / 2, p: -s / 2, y: -r * s / 2, q: r * s / 2}
    known = goal.pointwise(goal.lhs, first + r * second, multipliers=multipliers, facts={goal.index: 1})
    return known.then(
        goal.at_most(first, algebra.maximum(first, second))
        + goal.at_most(second, algebra.maximum(first, second)).times(r)
    )


def near_pair_exists(goal: Goal) -> Theorem:
    """Prove that the mass moved in the canonical pair is the distance, and that a pure pair is left."""
    if goal.lhs in goal.case.suprema:
        return every_letter(goal.case, goal.lhs, goal.rhs)
    half = goal.rhs / 2
    return goal.pointwise(multipliers={goal.rows[0]: half, goal.rows[3]: half})


def sets(claim: Claim) -> Argument:
    """Check P(S) = m Q(S) - a(S) for p = m q - a at every point."""
    gap = r * (u + t) - ((r * u - a) + (r * t - b)) - (a + b)
    return identity(gap, domain=ANY, detail="m = max p / q bounds P(S) / Q(S), and singletons attain it") & signs(
        a + b, domain=ANY
    )


def characterisation(claim: Claim) -> Argument:
    """Check P(S) <= delta + v Q(S) for v = max (P(S) - delta) / Q(S), with equality at the best S.

    P(S) is delta + v Q(S) - a if it is at least delta, and delta - a otherwise. So delta - (P(S) - v Q(S)) is a, which
    is 0 at the best S, or a + v Q(S).
    """
    domain, detail = f"{ANY}, delta >= 0, any S", "P(S) - e^eps Q(S) falls as eps grows"
    return identity(
        d - ((d + r * u - a) - r * u) - a, d - ((d - a) - r * u) - (a + r * u), domain=domain, detail=detail
    ) & signs(a, a + r * u, domain=domain, detail=detail)


# 2.5


def nonnegative(goal: Goal) -> Theorem:
    """Prove D_alpha >= 0 from the tangent of u^alpha at 1, and D_inf >= 0 from the sum of p <= m q."""
    p, q = goal.p
    ratios = [s for s in goal.rhs.free_symbols if s in goal.case.suprema]
    if ratios:
        m = ratios[0]
        known = goal.pointwise(1, m, multipliers={q: m, p: -1}, facts={fact(goal, m): 1})
        return rewrite(through(known, log), 0, goal.rhs)
    if goal.rhs.has(Total):
        return goal.pointwise(multipliers={p: -1, q: 1}, at=1)
    m = next(s for s in goal.rhs.free_symbols if s in goal.case.definitions)
    order = goal.alpha if goal.index == 0 else Integer(0)
    if seen_nonnegative(order - 1):
        known = goal.pointwise(1, m, multipliers={p: -order, q: order - 1}, at=1)
    else:
        known = goal.pointwise(m, 1, multipliers={p: order, q: 1 - order}, at=1)
    return rewrite(from_moments(goal, known, order), 0, goal.rhs)


def of_side(goal: Goal, side: Expr) -> Symbol | None:
    """Return the moment in a side of a goal, or None."""
    return next((s for s in side.free_symbols if s in goal.case.definitions), None)


def monotone(goal: Goal) -> Theorem:
    """Prove that D_alpha is nondecreasing in alpha by Hölder's inequality between the moments of two orders.

    Order 0 is included. Order 1 uses the tangent of log, and order infinity `below_infinity`.
    """
    (p, _), (low, high) = goal.p, goal.orders
    first, last = of_side(goal, goal.lhs), of_side(goal, goal.rhs)
    if goal.index == 3:
        return of_order_one(goal, low)
    if goal.index == 2:
        return below_infinity(goal, high)
    a, b = (0, low) if goal.index == 0 else (low, high)
    if seen_nonnegative(1 - b):  # both orders are below 1
        share = (1 - b) / (1 - a)
        known = from_moments(goal, weighted(goal, last, (share, first), (1 - share, p)), b)
    elif a != 0 and seen_nonnegative(a - 1):
        share = (a - 1) / (b - 1)
        known = from_moments(goal, weighted(goal, first, (share, last), (1 - share, p)), a)
    else:
        share = (b - 1) / (b - a)
        known = through(weighted(goal, p, (share, first), (1 - share, last)), log)
        known = known.times(1 / (share * (1 - a))).plus(goal.lhs)
    return known


def of_order_one(goal: Goal, order: Expr) -> Theorem:
    """Prove the claim for order 1 from the mean under p of n log u <= log M - 1 + u^n / M, where n = alpha - 1.

    This is the tangent of log.
    """
    p, _ = goal.p
    n, m = order - 1, of_side(goal, goal.lhs if seen_nonnegative(1 - order) else goal.rhs)
    kl = goal.rhs if seen_nonnegative(1 - order) else goal.lhs

    def tangent(_: Expr, symbols: tuple[Symbol, ...]) -> Factors:
        (u,) = symbols
        return Factors([u, (log(m) - 1 + u**n / m - n * log(u), Split(m, u**n, Rising(PAST), Rising(PAST)))])

    bound = goal.case.definitions[m] / m + log(m) - 1
    known = goal.pointwise(n * kl, bound, multipliers={p: log(m) - 1}, tactic=tangent)
    return known.times(1 / n) if seen_nonnegative(n) else known.times(-1 / n).negated()


def below_infinity(goal: Goal, order: Expr) -> Theorem:
    """Prove that D_alpha is at most D_inf by comparing u^alpha with m^(alpha - 1) u for u <= m."""
    (p, _), (top,) = goal.p, [s for s, (kind, _) in goal.case.suprema.items() if kind == "ratio"]
    m, concave = of_side(goal, goal.lhs), Concave(Symbol(p.name, positive=True), 0, top)
    if seen_nonnegative(order - 1):
        known = goal.pointwise(m, top ** (order - 1), multipliers={p: top ** (order - 1)}, tactic=concave)
    else:
        known = goal.pointwise(top ** (order - 1), m, multipliers={p: -(top ** (order - 1))}, tactic=concave)
    return from_moments(goal, known, order)


def figure(goal: Goal) -> Theorem:
    """Prove that the divergence is unbounded, since its last term alone grows like 25 bound / 18."""
    b = goal.bound
    rest = 4 * Rational(1, 3) - log(5) + 2 * log(2)
    spread = log(16 * b + 16) / (2 * (Rational(16, 9) - 1 / (9 * (b + 1))))
    return goal.at_most(tactic=Parts([7 * b / 18, rest, spread]))


def additive(level: str) -> Script:
    """Return a script that bounds (x' - v y')_+ by (x - v y)_+ + (x' - x)_+ + v (y - y')_+, for v = 1 + `level`.

    sum (x' - x)_+ is the distance of x and x', and likewise for y and y'.
    """

    def script(goal: Goal) -> Theorem:
        x, y, far, away = goal.p
        v, half = 1 + goal.given[level], Rational(1, 2)
        factor = 2 + goal.more + goal.further if level == "more" else 1 + v
        here, there, kept = distance(goal, x, far), distance(goal, y, away), excess(goal, x, y, v)
        shares = {far: half, x: -half, y: v / 2, away: -v / 2}
        known = goal.pointwise(goal.lhs, kept + here + v * there, multipliers=shares)
        top, radius = algebra.maximum(kept, excess(goal, y, x, v)), algebra.maximum(here, there)
        known = known.then(goal.at_most(kept, top) + goal.at_most(here, radius) + goal.at_most(there, radius).times(v))
        return known.then(goal.at_most(1 + v, factor).times(radius).plus(top))

    return script


def bounded(claim: Claim) -> Argument:
    """Check log (1/m)^gamma - log (p/q)^gamma = gamma log(1 + s) for p / q = 1 / (m (1 + s))."""
    gap = sympy.expand_log(-g * log(u) + g * log(u * (1 + s)), force=True) - g * log(1 + s)
    domain = "supp P in supp Q, alpha > 1"
    return identity(gap, domain=domain) & signs(g * log(1 + s), domain=domain, detail="p <= 1 and q >= m")


def horizontal(claim: Claim) -> Argument:
    """Check that the double sum of (p_i s_j)^alpha (q_i t_j)^(1 - alpha) is the product of the sums."""
    alpha = sympy.Symbol("alpha", real=True)
    p, q = (sympy.symbols(f"{name}:2", positive=True) for name in "pq")
    v, o = (sympy.symbols(f"{name}:3", positive=True) for name in "vo")
    double = sum((p[i] * v[j]) ** alpha * (q[i] * o[j]) ** (1 - alpha) for i, j in product(range(2), range(3)))
    single = [sum(x**alpha * y ** (1 - alpha) for x, y in zip(*pair, strict=True)) for pair in ((p, q), (v, o))]
    gap = sympy.expand(sympy.expand_power_base(double)) - sympy.expand(single[0] * single[1])
    return identity(sympy.expand(gap), domain="two and three points, positive weights, any alpha")


# 3.1


def triangle(goal: Goal) -> Theorem:
    """Prove p <= n m r from p <= m q and q <= n r."""
    whole, first, second = (s for s in goal.case.suprema)
    bounds = {fact(goal, first): 1, fact(goal, second): first}
    return through(every_letter(goal.case, whole, first * second, facts=bounds), log)


def triangle_like(goal: Goal) -> Theorem:
    """Prove the claim by Hölder's inequality.

    p^a q^(1-a) = (p^b v^(1-b))^(1 - j) (v^c q^(1-c))^j for b = (c - 1) / (k - 1) and c = k a.
    """
    order = goal.k_ * goal.alpha
    first, whole, second = moments(goal)
    share = (goal.alpha - 1) / (order - 1)
    known = weighted(goal, whole, (1 - share, first), (share, second))
    return from_moments(goal, known, goal.alpha)


def no_triangle(claim: Claim) -> Argument:
    """Check that the first terms are 1, 1 and n, and that the second terms are at most 1.

    The second term is (1 - q) (1 + w)^-alpha <= 1 for (1 - p) / (1 - q) = 1 / (1 + w).
    """
    alpha = 1 + g
    masses = [n ** -(g / alpha), 1 / n, n ** -(alpha / g)]
    domain = "alpha > 1, n >= 1"

    def first(p: sympy.Expr, q: sympy.Expr) -> sympy.Expr:
        return sympy.powsimp(sympy.powdenest(p**alpha * q**-g, force=True))

    x, y, z = masses
    return identity(first(x, y) - 1, first(y, z) - 1, first(x, z) - n, domain=domain) & signs(
        alpha * log(1 + w), 1 - g / alpha, sympy.simplify(alpha / g - 1), domain=domain, detail="p_n >= q_n >= r_n"
    )


def no_triangle_one(claim: Claim) -> Argument:
    """Check the divergences of two-point distributions.

    The first term is p log(p/q) = log m / m <= 1/e at p = 1/m = n^(-1/2). The second terms are <= 0, and at least
    v log v >= -1/e for v = 1 - p.
    """
    domain = "n >= 1"
    m = sqrt(n)
    return (
        convex_minimum(exp(x - 1) - x, x, 1, domain=domain, detail="log m <= m / e")
        & convex_minimum(u * log(u) + exp(-1), u, exp(-1), domain=domain)
        & identity(
            sympy.expand_log(log(n / m) / m - log(m) / m),
            sympy.expand_log(log(exp(n) / n) / n - (1 - log(n) / n), force=True),
            sympy.expand_log(log(exp(n) / m) / m - (m - log(m) / m), force=True),
            domain=domain,
        )
        & signs(1 - 2 / sympy.E, domain=domain)
    )


# 3.2


@cache
def _hoeffding() -> Argument:
    """Check that e^(lambda x) is below its chord, and that the logarithm of the chord's mean is at most c h + h^2 / 8.

    The difference h^2/8 - log(1 - c + c e^h) + c h is convex with minimum 0, for c = w / (1 + w).
    """
    weight = w / (1 + w)
    f = x**2 / 8 - log((1 + w * exp(x)) / (1 + w)) + weight * x
    return convex_minimum(f, x, 0, domain="any bounded X", detail="the chord of e^(lambda x), h = lambda (b - a)")


def randomised_response(claim: Claim) -> Argument:
    """Check that log cosh sqrt(y) is below its tangent at (eps/2)^2, because it is concave.

    Its slope is proportional to tanh(z) / z, which falls because z <= sinh(z) cosh(z).
    """
    domain = "every epsilon and lambda"
    slope = sympy.diff(tanh(u) / u, u) * u**2 * cosh(u) ** 2
    generating = (r ** (1 + x) + r**-x) / (1 + r)
    curve = cosh((x + Rational(1, 2)) * e) / cosh(e / 2)
    half = e / 2
    tangent = tanh(half) / (2 * half) * (((x + Rational(1, 2)) * e) ** 2 - half**2)
    return identity(
        (slope - (2 * u - sinh(2 * u)) / 2).rewrite(exp),
        (curve - generating.subs(r, exp(e))).rewrite(exp),
        sympy.expand(tangent - x * e * tanh(half) - x**2 * e * tanh(half)),
        domain=domain,
    ) & convex_minimum(sinh(u) - u, u, 0, domain=domain)


# 3.3


def _markov(domain: str) -> Argument:
    """Check (1 - 1/v)_+ <= v^gamma for v = e^(L - level): a power of 1 + s is at least 1."""
    return signs(g * log(1 + s), 1 / (1 + s), domain=domain, detail="delta <= E e^((alpha-1)(L - level))")


def _square(domain: str) -> Argument:
    """Check that c (1 + s) + l / s - (c + 2 sqrt(c l)) is a square that is 0 at s = sqrt(l / c).

    c is k eps^2 / 2, and l is log(1/delta').
    """
    k = n
    half = k * e**2 / 2
    value = half + sqrt(2 * k * l) * e
    gap = half * (1 + s) + l / s - value - (sqrt(half * s) - sqrt(l / s)) ** 2
    best = sqrt(2 * l) / (sqrt(k) * e)
    at_best = half * (1 + best) + l / best - value
    return identity(sympy.expand(gap), at_best, domain=domain, detail="the gap is a square, 0 at the printed order")


def _revealed(domain: str) -> Argument:
    """Check (1 - delta)^k (1 - delta') >= 1 - k delta - delta'.

    The induction step is b (1 - delta) >= b - delta for a bound b <= 1.
    """
    left, some = s, d  # 1 - delta and delta
    bound = 1 - a
    step = bound * (1 - some) - (bound - some) - some * a
    return identity(sympy.expand(step), domain=domain) & signs(some * a, left, domain=domain, detail="induction on k")


COMPOSED = "every epsilon, k, 0 <= delta <= 1, 0 < delta' < 1; the canonical pair is the worst"


def composition(claim: Claim) -> Argument:
    """Check the bound for k rounds of randomised response at the best order.

    Rounds that reveal everything have mass 1 - (1 - delta)^k.
    """
    parts = _bounded(), _square(COMPOSED), _markov(COMPOSED), _revealed(COMPOSED)
    return together(COMPOSED, *parts)


def dwork_rothblum(claim: Claim) -> Argument:
    """Check Theorem 20, and e^eps - 1 - eps >= 0."""
    return together(COMPOSED, composition(claim), convex_minimum(exp(x) - 1 - x, x, 0, domain=COMPOSED))


def stronger(claim: Claim) -> Argument:
    """Check Hoeffding's lemma for losses of +-eps, at s = sqrt(2 l / k) / eps.

    There -s t + k s^2 eps^2 / 2 = -l at t = S. The sum of k losses is at most k eps, and tanh(eps/2) <= eps/2.
    """
    spread = sqrt(2 * n * l) * e
    scale = spread / (n * e**2)
    exponent = -scale * spread + n * scale**2 * e**2 / 2 + l
    level = identity(sympy.simplify(exponent), domain=COMPOSED)
    return together(COMPOSED, _hoeffding(), _chord(), level, _markov(COMPOSED), _revealed(COMPOSED), older(claim))


def older(claim: Claim) -> Argument:
    """Check tanh(eps/2) <= eps/2."""
    domain = "every epsilon > 0 and k"
    same = ((exp(e) - 1) / (exp(e) + 1) - tanh(e / 2)).rewrite(exp)
    return convex_minimum(u - tanh(u), u, 0, domain=domain) & identity(same, domain=domain)


# 4
