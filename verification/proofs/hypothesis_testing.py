"""Scripts and arguments for the claims of the hypothesis-testing appendix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from sympy import Expr, Gt, Integer, Piecewise, Rational, Symbol, exp, log, sqrt

from verification.argument import Argument, convex_minimum, identity, signs
from verification.claim import Claim
from verification.proof import ProofError
from verification.proofs.shared import from_moments, moments, power_mean, renyi_processing
from verification.provers import algebra
from verification.provers.convexity import holder, processing, sublinear
from verification.provers.cuts import (
    cut_again,
    cuts,
    every_kernel,
    one_cell,
    refines,
    this_kernel,
    this_test,
    value,
)
from verification.provers.derivation import Goal
from verification.provers.kernel import Theorem, every_event, maximum, rewrite, same, split, this_event, through
from verification.provers.lemmas import both, flipped, lemma
from verification.provers.symbols import Case, Total
from verification.provers.tactics import Convex, Parts

HALF = Rational(1, 2)


# Divergences, letter by letter


def total_variation(goal: Goal) -> Theorem:
    """Prove (p - v q)_+ <= |p - q| / 2 + (p - q) / 2 for v >= 1, letter by letter."""
    p, q = goal.p
    return goal.pointwise(multipliers={p: HALF, q: -HALF})


def approximate(goal: Goal) -> Theorem:
    """Bound (p - v q)_+ by (p - w q)_+ for v >= w, and by c (p - w q)_+ + (1 - c) p for c = v / w <= 1."""
    p, _ = goal.p

    def on_one_side(lhs: Expr, rhs: Expr, ratio: Expr) -> Theorem:
        delta = next(e for e in rhs.args if isinstance(e, Total))
        other = next(e for e in rhs.args if e != delta)
        try:
            return goal.pointwise(lhs, delta).then(goal.at_most(delta, rhs))
        except ProofError:
            c = (1 + ratio) / (1 + goal.more)
            return goal.pointwise(lhs, other, multipliers={p: 1 - c}).then(goal.at_most(other, rhs))

    return split(goal.case, goal.lhs, goal.rhs, goal.ratio, goal.more, on_one_side)


def hellinger(goal: Goal) -> Theorem:
    """Write |p - r q| as a product of |sqrt p -+ sqrt(r q)|, and apply Hölder's inequality.

    The squares of the factors sum to 1 + r -+ 2 sqrt r sum sqrt(p q).
    """
    (p, q), r = goal.p, goal.ratio
    (letters,) = goal.case.ranges(p)
    squares = [(HALF, (sqrt(p) + sign * sqrt(r) * sqrt(q)) ** 2) for sign in (-1, 1)]
    product, rest = holder(goal.case, squares, letters), (1 - r) / 2
    first = goal.pointwise(goal.lhs, rest + product.lhs / 2, multipliers={p: HALF, q: -r / 2})
    return first.then(product.times(HALF).plus(rest))


def hellinger_weight(goal: Goal) -> Theorem:
    """Prove the claim from q (1 - sqrt(p / q)) = q - sqrt(p q)."""
    return goal.pointwise(multipliers={goal.p[1]: -1})


# Suprema over events


def _indicator(goal: Goal, ratio: Any) -> Expr:
    """Return the indicator of the letters with p > r q."""
    p, q = goal.p
    return Piecewise((Integer(1), Gt(p - ratio * q, 0)), (Integer(0), True))


def variation_of_events(goal: Goal) -> Theorem:
    """Prove 1_S (p - q) <= (p - q)_+ letter by letter, with equality if S is p > q."""
    (p, q), top = goal.p, goal.lhs

    def below(value: Expr, event: Symbol) -> Theorem:
        return maximum([goal.pointwise(e, goal.rhs, multipliers=_halves(goal, e, event)) for e in value.args])

    indicator = _indicator(goal, 1)
    here = this_event(goal.case, top, indicator)
    best = goal.pointwise(goal.rhs, goal.total(indicator * (p - q)), multipliers={p: -HALF, q: HALF})
    return both(every_event(goal.case, top, goal.rhs, below), best.then(goal.at_most(best.rhs, here.lhs)).then(here))


def _halves(goal: Goal, e: Expr, event: Symbol) -> dict[Symbol, Any]:
    """Return multipliers that bound 1_S (p - q), or its negative, by |p - q| / 2."""
    p, q = goal.p
    sign = 1 if same(goal.case, e, goal.total(event * (p - q))) else -1
    return {p: sign * HALF, q: -sign * HALF}


def stick_of_events(goal: Goal) -> Theorem:
    """Bound the terms of S and of its complement by their parts of sum (p - r q)_+, with equality if S is p > r q."""
    (p, q), r, top = goal.p, goal.ratio, goal.lhs
    stick_ = algebra.maximum(p - r * q, 0)

    def below(value: Expr, event: Symbol) -> Theorem:
        cells = []
        for cell, all_of in ((event, {}), (1 - event, {p: -1, q: r})):
            mass, bound = goal.total(cell * p) - r * goal.total(cell * q), goal.total(cell * stick_)
            cells.append(maximum([goal.pointwise(mass, bound, multipliers=all_of), goal.pointwise(0, bound)]))
        return rewrite(cells[0] + cells[1], value, goal.rhs)

    indicator = _indicator(goal, r)
    here = this_event(goal.case, top, indicator)
    best = goal.pointwise(goal.rhs, goal.total(indicator * p) - r * goal.total(indicator * q))
    return both(every_event(goal.case, top, goal.rhs, below), best.then(goal.at_most(best.rhs, here.lhs)).then(here))


# Joint convexity and data processing

Divergence = Callable[[Any, Any], Any]


def relative_entropy(x: Any, y: Any) -> Any:
    """Return x log(x / y)."""
    return Piecewise((x * (log(x) - log(y)), Gt(x, 0)), (Integer(0), True))


def affinity(x: Any, y: Any) -> Any:
    """Return -sqrt(x y)."""
    return -sqrt(x) * sqrt(y)


def stick(ratio: Any) -> Divergence:
    """Return the function (x - r y)_+."""
    return lambda x, y: algebra.maximum(x - ratio * y, 0)


def mixed(goal: Goal, f: Divergence) -> Theorem:
    """Prove that sum f of the mixture of two pairs is at most the mixture of their sums."""
    (letters,) = goal.case.ranges(goal.p[0])
    return sublinear(goal.case, f, [(goal.part, *goal.p), (1 - goal.part, *goal.q)], letters)


def jointly_convex(goal: Goal) -> Theorem:
    """Prove joint convexity, since u^alpha v^(1 - alpha) is convex and homogeneous."""
    return mixed(goal, power_mean(goal.alpha))


def quasiconvex(goal: Goal) -> Theorem:
    """Prove that both moments, and thus that of the mixture, are at most e^((alpha - 1) max); or data processing."""
    alpha, n, part = goal.alpha, goal.alpha - 1, goal.part
    if goal.index == 1:
        return renyi_processing(goal)
    f = power_mean(alpha)
    each = [next(m for m in moments(goal) if same(goal.case, m, goal.total(f(*pair)))) for pair in (goal.p, goal.q)]
    image = next(m for m in moments(goal) if goal.lhs.has(m))
    below = [through(goal.at_most(log(m) / n, goal.rhs).times(n), exp) for m in each]
    mean = rewrite(mixed(goal, f), image, part * each[0] + (1 - part) * each[1])
    return from_moments(goal, mean.then(below[0].times(part) + below[1].times(1 - part)), alpha)


def sticks(goal: Goal) -> Theorem:
    """Prove joint convexity, or data processing, since (u - r v)_+ is convex and homogeneous."""
    f = stick(goal.ratio)
    return mixed(goal, f) if goal.index == 0 else processing(goal.case, f, goal.p[0], goal.p[1], goal.channel)


def f_processing(goal: Goal) -> Theorem:
    """Prove data processing, since u^2 / v, u log(u / v) and -sqrt(u v) are convex and homogeneous."""
    f = (power_mean(Integer(2)), relative_entropy, affinity)[goal.index]
    shown = processing(goal.case, f, goal.p[0], goal.p[1], goal.channel)
    return shown if goal.index < 2 else shown.plus(1)


# Cuts


def _value_below(goal: Goal, here: Expr, whole: Expr, kernel: Symbol) -> Theorem:
    """Prove that the divergence of the images, `here`, is at most that of the weights, `whole`."""
    part = Goal(goal.case, here, whole, goal.given)
    if part.obvious is not None:
        return part.obvious
    p, q = goal.p
    if goal.which == 0:
        return renyi_processing(part, kernel)
    f = (relative_entropy, stick(goal.ratio), lambda x, y: abs(x - y) / 2, affinity)[goal.which - 1]
    shown = processing(goal.case, f, p, q, kernel)
    return rewrite(shown if goal.which < 4 else shown.plus(1), here, whole)


def cut_below(goal: Goal) -> Theorem:
    """Prove that a cut is at most the divergence, by data processing for every kernel."""
    (top,) = cuts(goal.case)
    return every_kernel(goal.case, top, goal.rhs, lambda here, kernel: _value_below(goal, here, goal.rhs, kernel))


def cut_equality(goal: Goal) -> Theorem:
    """Prove that a cut with enough cells equals the divergence, since the identity is a kernel."""
    (top,) = cuts(goal.case)
    return both(cut_below(goal), this_kernel(goal.case, top))


def cut_processing(goal: Goal) -> Theorem:
    """Prove data processing of cuts, since a kernel after the channel is a kernel."""
    return refines(goal.case, *cuts(goal.case), goal.channel)


def cut_of_one_cell(goal: Goal) -> Theorem:
    """Prove that two cuts into one cell are equal: both are the divergence of a point from itself."""
    first, second = (one_cell(goal.case, top) for top in cuts(goal.case))
    return both(first.then(flipped(second)), second.then(flipped(first)))


def _nested_below(case: Case, nested: Symbol, top: Symbol) -> Theorem:
    """Prove that a cut of a cut is at most a cut, since the composition of two kernels is a kernel."""
    return every_kernel(case, nested, value(case, top), lambda _, kernel: refines(case, cuts(case)[-1], top, kernel))


def cut_of_cut(goal: Goal) -> Theorem:
    """Prove that the cut of a cut is the cut."""
    nested, top = cuts(goal.case)[:2]
    return both(_nested_below(goal.case, nested, top), cut_again(goal.case, top, nested))


def cut_monotone(goal: Goal) -> Theorem:
    """Prove that a cut does not fall with the number of cells, and that a further cut into more changes nothing."""
    few, again, more = cuts(goal.case)[:3]
    if goal.index == 0:
        return refines(goal.case, few, more)
    return _nested_below(goal.case, again, few) if goal.index == 1 else cut_again(goal.case, few, again)


def test_of_cut(goal: Goal) -> Theorem:
    """Prove that a cut is at least its value at a test, which is a kernel into two cells."""
    return this_test(goal.case, cuts(goal.case)[0], goal.test[0])


# Renyi DP to DP


def _level(goal: Goal) -> tuple[Expr, Expr]:
    """Return the moment, and e^epsilon."""
    return moments(goal)[0], next(s for s in goal.case.definitions if s.name.startswith("v_"))


def tangent_point(goal: Goal) -> Theorem:
    """Prove Theorem 16 from (u - v)_+ <= c u^alpha, where both sides touch at u = v alpha / (alpha - 1)."""
    alpha, n = goal.alpha, goal.alpha - 1
    moment, v = _level(goal)
    return goal.pointwise(goal.lhs, v**-n * n**n / alpha**alpha * moment, at=v * alpha / n)


def mironov(goal: Goal) -> Theorem:
    """Prove that the bound of `tangent_point` is delta n^n / alpha^alpha <= delta, for n = alpha - 1."""
    alpha, n = goal.alpha, goal.alpha - 1
    parts = Parts([n * log(1 + 1 / n), log(alpha)])
    factor = through(goal.at_most(n * log(n) - alpha * log(alpha), 0, parts), exp)
    return tangent_point(goal).then(factor.times(goal.rhs))


def dropped(goal: Goal) -> Theorem:
    """Prove the claim by dropping one of two terms, which leaves (1 - x)^alpha y^(1 - alpha)."""
    alpha, n, x, y = goal.alpha, goal.alpha - 1, goal.x, goal.y
    term = (1 - x) ** alpha * y**-n
    logs = through(goal.at_most(term, term + x**alpha * (1 - y) ** -n), log)
    return through(logs.times(1 / alpha).plus(n / alpha * log(y)), exp)


def boundary_of_region(goal: Goal) -> Theorem:
    """Prove that F is convex on rays from the centre, where it is 1, and at least 1.

    Both terms of F are of the form u^alpha v^(1 - alpha), which is convex and homogeneous.
    """
    f, part, x, y = power_mean(goal.alpha), goal.part, goal.x, goal.y
    points = [(sympy.factor(1 - x), y), (x, sympy.factor(1 - y))]
    if goal.index == 1:
        return sublinear(goal.case, f, [(1, *point) for point in points])
    terms = [[(part, *point), (sympy.factor(1 - part), HALF, HALF)] for point in points]
    first, second = (sublinear(goal.case, f, each) for each in terms)
    return first + second


def better(goal: Goal) -> Theorem:
    """Prove that log(alpha / (alpha - 1)) and log(alpha) are nonnegative."""
    n = goal.alpha - 1
    return goal.at_most(tactic=Parts([log(1 + 1 / n), log(1 + n) / n]))


def corner(goal: Goal) -> Theorem:
    """Prove (u - v)_+ <= c u^alpha + part u, where both sides touch at u = e^rho = v / (1 - delta)."""
    n, part = goal.alpha - 1, goal.part
    moment, v = _level(goal)
    rest = n * (1 - part) / goal.alpha  # 1 - delta
    bound = rest / n * (rest / v) ** n * moment + part
    return goal.pointwise(goal.lhs, bound, multipliers={goal.p[0]: part}, at=v / rest)


def tangent(goal: Goal) -> Theorem:
    """Prove that the curve is above its tangents, since it is convex."""
    y, t = sympy.symbols("y t", positive=True)
    share = (goal.alpha - 1) / goal.alpha
    height = exp(share * goal.rho) * t**share
    line = -share * height / t * (y - t) + 1 - height
    curve = 1 - exp(share * goal.rho) * y**share
    return lemma(goal.case, line, curve, {y: goal.y, t: goal.t}, Convex(y, t))


# Numbers


def difference(goal: Goal) -> Theorem:
    """Prove that the modulus of a mixture is at most the mixture of the moduli."""
    part, first, second = goal.part, abs(goal.x - goal.y), abs(goal.u - goal.v)
    return goal.at_most(first, goal.rhs).times(part) + goal.at_most(second, goal.rhs).times(1 - part)


# Arguments

g, u = sympy.symbols("gamma u", positive=True)  # alpha = 1 + gamma
d = sympy.Symbol("delta", positive=True)
rho = sympy.Symbol("rho", real=True)


def optimal_hellinger(claim: Claim) -> Argument:
    """Check the value 1 - t - r f(t) at the printed t.

    There c = 1 - 2 t = z / sqrt(z^2 + 4) and w = 2 sqrt(t (1 - t)) = 2 / sqrt(z^2 + 4). With k^2 = 1 - b^2, the value
    is (1 - r)/2 + c (1 - 2 r b^2 + r)/2 + r b k w. Since 1 - 2 r b^2 + r = r b k z, it equals
    (1 - r)/2 + r b k sqrt(z^2 + 4) / 2, whose last term is the root.
    """
    z, c, w, b, k, r = sympy.symbols("z c w b k r", real=True)
    root = sqrt(z**2 + 4)
    t = (z**2 + 4 - z * root) / (2 * (z**2 + 4))
    value = (1 + c) / 2 - r * (b**2 * c + (1 - c) / 2 - b * k * w)
    square = (1 - 2 * r * b**2 + r) ** 2 + 4 * r**2 * b**2 * (1 - b**2)
    return identity(
        1 - 2 * t - z / root,
        4 * t * (1 - t) - 4 / root**2,
        sympy.expand(value - ((1 - r) / 2 + c * (1 - 2 * r * b**2 + r) / 2 + r * b * k * w)),
        sympy.expand(square - ((r - 1) ** 2 + 4 * r * (1 - b**2))),
        sympy.expand((1 - 2 * b**2) ** 2 + 4 * b**2 * (1 - b**2) - 1),
        sympy.diff(z / root, z) - 4 / root**3,
        domain="e^eps = r > 0, 0 < rho = 1 - b < 1",
        detail="t falls in z >= (1 - 2 b^2) / (b k), where it is b^2: t <= (1 - rho)^2, on the boundary's own branch",
    )


def countable(claim: Claim) -> Argument:
    """Check that a step of the construction multiplies the mass c^m left in a row by c = 1 - 1/l.

    The largest entry of the row is at least c^m / l = a_(m+1), which leaves c^(m+1). The weights add up to 1 - c^m,
    which tends to 1 for l > 1. l - 1 is a symbol here.
    """
    l = 1 + sympy.Symbol("n", positive=True)  # noqa: E741
    m = sympy.Symbol("m", nonnegative=True)
    c = 1 - 1 / l
    step = sympy.simplify(c**m - c**m / l - c ** (m + 1))
    domain, detail = "any set of rows, l > 1", "the largest of l entries is at least their mean"
    return identity(step, domain=domain, detail=detail) & signs(
        sympy.simplify(1 - c), sympy.simplify(c), domain=domain, detail=detail
    )


def second_line(claim: Claim) -> Argument:
    """Check that both lines of ratios are equal, as functions of p and gamma with 2^beta = p^-gamma."""
    p = sympy.Symbol("p", positive=True)
    high, two = p**-g, 2 ** (1 + g)
    one, three = p ** (-2 * g) + high + 1, high + 1 / high + 1
    pairs = [
        (one / (two * (p * (p + 1)) ** -g + 1), three / (two * (p + 1) ** -g + 1 / high)),
        (one / (two * (p**2 + 1) ** -g + high), three / (two / high * (p**2 + 1) ** -g + 1)),
        (one / (two * (p + 1) ** -g + p ** (-2 * g)), three / (high + two / high * (p + 1) ** -g)),
    ]
    return identity(
        *(sympy.expand_power_base(a - c, force=True) for a, c in pairs), domain="alpha > 1, beta > 0, all three ratios"
    )


def strict_gap(claim: Claim) -> Argument:
    """Check p^2/q + p'^2/q' - (p + p')^2/(q + q') = (p q' - p' q)^2 / (q q' (q + q'))."""
    a, b, c, e = sympy.symbols("a b c e", positive=True)
    gap = a**2 / c + b**2 / e - (a + b) ** 2 / (c + e) - (a * e - b * c) ** 2 / (c * e * (c + e))
    return identity(
        gap, domain="f = t^2, positive weights", detail="merging two cells; any map to k of k + 1 points merges two"
    )


def same_cell(claim: Claim) -> Argument:
    """Check that two values in the cell (l w, (l + 1) w] differ by w - c - e, where c, e >= 0.

    One value is l w + c, and the other is (l + 1) w - e.
    """
    low, w = sympy.symbols("l w", positive=True)
    c, e = sympy.symbols("c e", nonnegative=True)
    gap = w - ((low + w - e) - (low + c)) - (c + e)
    domain, detail = "every n and D, gamma and the representative of its cell", "point by point of D"
    return identity(gap, domain=domain, detail=detail) & signs(c + e, domain=domain, detail=detail)


def boundary(claim: Claim) -> Argument:
    """Check that x (1 - y) and (1 - x) y are squares for x = sin^2 A and y = cos^2(A + T), so the boundary is cos T."""
    a, angle = sympy.symbols("A T", real=True)
    x, y = sympy.sin(a) ** 2, sympy.cos(a + angle) ** 2
    printed = sympy.cos(angle) ** 2 * (1 - 2 * x) + x - sympy.cos(angle) * sympy.sin(angle) * sympy.sin(2 * a)
    sides = sympy.sin(a) * sympy.sin(a + angle) + sympy.cos(a) * sympy.cos(a + angle)
    return identity(
        sympy.expand_trig(y - printed),
        sympy.expand_trig(sides - sympy.cos(angle)),
        domain="0 <= x <= (1 - rho)^2",
        detail="x = sin^2 A, rho = 1 - cos T, 0 <= A, A + T <= pi/2: all four sines and cosines are nonnegative",
    )


def certificate(claim: Claim) -> Argument:
    """Check that tangents of t^alpha, at r for the accepting cell and at s for the other, add up to the bound."""
    domain = "alpha > 1, every test and s > 0 with K > 0"
    r, t, p, q, c = sympy.symbols("r s p q c", positive=True)
    a = 1 + g
    first = convex_minimum(u**a - a * r**g * u + g * r**a, u, r, domain=domain, detail="tangents of t^alpha")
    gain = r**g - t**g  # K
    tangents = a * r**g * p - g * r**a * q + a * t**g * (1 - p) - g * t**a * (1 - q)
    bound = (c - a * t**g + g * t**a) / a / gain + g / a * (r**a - t**a) / gain * q
    combined = (bound - p) * a * gain - (c - tangents)
    return first & identity(sympy.expand(sympy.simplify(combined)), domain=domain)


def alpha_two(claim: Claim) -> Argument:
    """Check the optimum for alpha = 2, where the region is (p - q)^2 <= c q (1 - q) with c = e^rho - 1.

    The root of c q (1 - q) is at most c q / (4 delta) + delta (1 - q). They are equal at c q = 4 delta^2 (1 - q), where
    p = q + 2 delta (1 - q) <= 1 because delta <= 1/2; so the bound is attained.
    """
    p, q, c = sympy.symbols("p q c", positive=True)
    domain = "0 < delta <= 1/2, every test"
    region = p**2 / q + (1 - p) ** 2 / (1 - q) - 1 - (p - q) ** 2 / (q * (1 - q))
    line = d + (1 - d + c / (4 * d)) * q - q - (c * q / (4 * d) + d * (1 - q))
    square = (c * q / (4 * d) + d * (1 - q)) ** 2 - c * q * (1 - q) - (c * q / (4 * d) - d * (1 - q)) ** 2
    best = 4 * d**2 / (c + 4 * d**2)
    shift = 2 * d * (1 - best)
    better_by = (c + 1) / (4 * d) - (1 - d + c / (4 * d)) - (2 * d - 1) ** 2 / (4 * d)
    return identity(
        sympy.factor(region),
        sympy.expand(line),
        sympy.expand(square),
        sympy.expand(better_by),
        sympy.factor(shift**2 - c * best * (1 - best)),
        sympy.factor(best + shift - d - (1 - d + c / (4 * d)) * best),
        domain=domain,
        detail="attained by two points",
    )
