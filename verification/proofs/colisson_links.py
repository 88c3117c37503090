"""Scripts for Colisson's report from Theorem 13 on: links between definitions, composition, trade-off and quantum."""

from __future__ import annotations

from collections.abc import Callable

from sympy import Eq, Expr, Gt, Integer, Min, Piecewise, Rational, Symbol, exp, log, oo, sqrt

from verification.proofs.colisson import bounded_divergence, chord
from verification.proofs.shared import moments
from verification.provers import algebra
from verification.provers.convexity import processing
from verification.provers.derivation import Goal
from verification.provers.kernel import Theorem, absurd, minimum, rewrite, through
from verification.provers.lemmas import both, instantiated, lemma
from verification.provers.levels import excess, least, least_ratio, meets, nearest
from verification.provers.scalars import is_zero
from verification.provers.symbols import Total
from verification.provers.tactics import SHARE, Between, Concave, Convex, Factors, Parts, Rising, Tactic

x, y, w = (Symbol(name, positive=True) for name in ("height", "rise", "width"))

HALF = Rational(1, 2)
z, m = Symbol("chance", nonnegative=True), Symbol("size", positive=True)


# Numbers


def bell(g: Goal, rise: Expr, width: Expr) -> Theorem:
    """Prove log cosh(y + w/2) - log cosh(w/2) <= y (y + w) / 2, since the slope at z is tanh z <= z.

    The left side is log((e^(y + w) + e^-y) / (1 + e^w)).
    """
    value = log(exp(y + w) + exp(-y)) - log(1 + exp(w))
    slope = Rising(y, start=Rising(w))
    return lemma(g.case, value, y * (y + w) / 2, {y: rise, w: width}, Rising(y, slope))


def coin(g: Goal, chance: Theorem, size: Theorem) -> Theorem:
    """Prove log(1 + z m) - z h <= h^2 / 8 for z >= 0 and m = e^h - 1 > 0, the bound for a coin.

    `chance` states 0 <= z, and `size` states c <= m for some c > 0. The slope in m, times 1 + m, has the slope
    (1 - 2 z - z m)^2 / (4 (1 + m) (1 + z m)^2).
    """
    h = log(1 + m)
    second = Factors([(1 - 2 * z - z * m) ** 2, 1 / (4 * (1 + m) * (1 + z * m) ** 2)])
    curve = h / 4 + z - z * (1 + m) / (1 + z * m)
    slope = Factors([1 / (1 + m), (curve, Rising(m, second))])
    return lemma(g.case, log(1 + z * m) - z * h, h**2 / 8, {z: chance, m: size}, Rising(m, slope))


def better(g: Goal) -> Theorem:
    """Prove e^x - 1 - x - x^2 / 2 >= 0."""
    e = g.epsilon
    curve = exp(e) - 1 - e - e**2 / 2
    return g.at_most(tactic=Factors([e * g.folds / 2, (curve, Rising(e, Rising(e, Rising(e))))]))


def tangent(g: Goal, width: Expr) -> Theorem:
    """Prove w tanh(w / 2) <= w^2 / 2, which is w (e^w + 1) - 2 (e^w - 1) >= 0."""
    curve = w * (exp(w) + 1) - 2 * (exp(w) - 1)
    factors = Factors([w / (2 * (exp(w) + 1)), (curve, Rising(w, Rising(w)))])
    return lemma(g.case, w * (exp(w) - 1) / (exp(w) + 1), w**2 / 2, {w: width}, factors)


def older(g: Goal) -> Theorem:
    """Prove k eps tanh(eps / 2) <= k eps^2 / 2."""
    return tangent(g, g.epsilon).times(g.folds)


def sinh_bound(g: Goal) -> Theorem:
    """Prove the claim, whose left side is cosh((x + y) / 2) / cosh((x - y) / 2)."""
    return through(bell(g, g.y, g.width), exp)


def least_order(g: Goal) -> Theorem:
    """Prove that c (1 + s) + l / s is convex in s and least at the printed order."""
    s = g.alpha - 1
    level = log(1 + 1 / g.odds)
    best = sqrt(2 * level) / (sqrt(g.folds) * g.epsilon)
    return g.at_most(tactic=Convex(s, best, Parts([2 * level / s**3])))


def uninformative(g: Goal, m: Expr, known: Theorem) -> Theorem:
    """Prove 1 <= eps / 2 + sqrt(2 l) for m = e^eps - 1 from `known`, which states log(1 + 2 / m) <= l.

    Let h = eps / 2 and k^2 = 2 log(1 + 2 / m). Then (1 + h) k^2 >= 4 (1 + h) / (m + 2) >= 1 - h, because
    3 + 5 h - (1 - h) e^eps >= 0, so that 1 - h <= 2 k^2 / (1 + k^2) <= k.
    """
    h, square = log(1 + m) / 2, 2 * known.lhs
    slope = Rational(5, 2) - (1 + m) / 2 + (1 + m) * log(1 + m) / 2
    curve = (3 + 5 * h - (1 - h) * (1 + m), Rising(m, Factors([1 / (1 + m), (slope, Rising(m))])))
    low = g.at_most(1 - h, 4 * (1 + h) / (m + 2), Factors([1 / (m + 2), curve]))
    tangent = rewrite(lemma(g.case, y / (1 + y), log(1 + y), {y: 2 / m}, Rising(y)), 2 / (m + 2), known.lhs)
    first = low.then(rewrite(tangent.times(2 * (1 + h)), low.rhs))
    scaled = first.plus((1 - h) * square).times(1 / (1 + square))
    half = rewrite(scaled, 1 - h, 2 * square / (1 + square))
    root = g.at_most(half.rhs, sqrt(square), Factors([sqrt(square) / (1 + square), (1 - sqrt(square)) ** 2]))
    return half.then(root).then(rewrite(through(known, lambda x: sqrt(2 * x)), sqrt(square))).plus(h)


def no_information(g: Goal) -> Theorem:
    """Prove the claim for delta = tanh(eps / 2) / (1 + part)."""
    m, least_level = g.more, log(1 + 2 / g.more)
    return uninformative(g, m, g.at_most(least_level, least_level + log(1 + g.part)))


# Pairs


def young(n: Expr, u: Symbol, v: Expr) -> Parts:
    """Return a tactic for u^(n + 1) - v^n (u - v) >= 0, u, v > 0, by Young's inequality."""
    a = n + 1
    return Parts([u**a * n / a, v**a / a, (u**a / a + v**a * n / a - u * v**n, Convex(u, v))])


def markov(g: Goal) -> Theorem:
    """Prove v^(alpha - 1) (p - v q)_+ <= p^alpha q^(1 - alpha) by Young's inequality.

    If the left side of the goal is 0, prove by a tangent that the sum of the right side is at least 1.
    """
    n, (p, q), v = g.alpha - 1, g.p, 1 + g.level
    (whole,) = g.rhs.free_symbols & set(g.case.definitions)
    if g.lhs == 0:
        shown = g.pointwise(1, whole, multipliers={p: -g.alpha, q: n}, at=1)
    else:
        delta = g.total(algebra.maximum(p - v * q, 0))
        shown = g.pointwise(v**n * delta, whole, tactic=young(n, Symbol(p.name, positive=True), v))
        (named,) = g.lhs.free_symbols & set(g.case.definitions)
        shown = rewrite(shown, v**n * named)
    return through(shown, log).times(1 / n)


def smooth_upper(g: Goal, sharper: bool = False) -> Theorem:
    """Prove v^(alpha - 1) (p - v q)_+ <= p^alpha q^(1 - alpha) and use it at a v with an excess of at most delta.

    If `sharper`, the right side has a factor gamma^gamma / alpha^alpha, gamma = alpha - 1.
    """
    a, n, (p, _), m = g.alpha, g.alpha - 1, g.p, moments(g)[0]
    (level,) = g.lhs.free_symbols
    part = n**n / a**a if sharper else Integer(1)
    delta = meets(g.case, level).rhs
    v = g.case.define("v", (part * m / delta) ** (1 / n), positive=True)
    if sharper:
        bound = g.pointwise(excess(g.case, level, v), v**-n * part * m, at=v * a / n)
    else:
        bound = g.pointwise(v**n * excess(g.case, level, v), m, tactic=young(n, Symbol(p.name, positive=True), v))
        bound = bound.times(v**-n)
    return through(least(g.case, level, v, rewrite(bound, rhs=delta)), log)


def beyond_distance(g: Goal) -> Theorem:
    """Prove that 1 is a level for every delta above the total variation, which is sum (p - q)_+."""
    p, q = g.p
    if g.lhs == oo:
        escaped = g.total(Piecewise((p, Eq(q, 0)), (0, True)))
        distance = g.total(abs(p - q) / 2) + g.more
        return absurd(g.pointwise(escaped, distance, multipliers={p: HALF, q: -HALF}), g.lhs, g.rhs)
    (level,) = g.lhs.free_symbols
    delta = meets(g.case, level).rhs
    shown = g.pointwise(excess(g.case, level, 1), delta, multipliers={p: HALF, q: -HALF})
    return through(least(g.case, level, 1, shown), log)


def nothing_left(g: Goal) -> Theorem:
    """Prove D_inf = 0 for the nearest distribution p': q itself is near p, and p' <= m q gives 1 <= m."""
    near = next(s for s, (kind, _) in g.case.suprema.items() if kind == "nearest")
    p, q = g.p
    distance = g.total(abs(p - q) / 2)
    close = nearest(g.case, near, q, g.at_most(distance, distance + g.more))
    own, zero = close.rhs.free_symbols.pop(), g.total(algebra.maximum(0 * q, 0))
    at_one = least_ratio(g.case, own, 1, g.at_most(zero, 0))
    above = close.then(through(at_one, log))
    if g.lhs == oo:
        return both(above, g.at_most(0, oo))
    (ratio,) = g.lhs.free_symbols
    index = next(i for i, f in enumerate(g.case.facts) if f.expression.has(ratio))
    return both(above, through(g.pointwise(1, ratio, multipliers={q: ratio, near: -1}, facts={index: 1}), log))


def shrinks(g: Goal) -> Theorem:
    """Prove that (p - v q)_+ falls as v grows, by at most q per unit."""
    return g.pointwise(multipliers={g.p[1]: g.further} if g.index else {})


def processing_privacy(g: Goal) -> Theorem:
    """Prove the claim by data processing, since (p - r q)_+ is convex and homogeneous."""
    p, q = g.p
    return processing(g.case, lambda x, y: algebra.maximum(x - g.ratio * y, 0), p, q, g.channel)


def pure_is_concentrated(g: Goal) -> Theorem:
    """Prove the claim by Theorem 7; at order 1 the chord is eps tanh(eps / 2)."""
    if not g.lhs.has(Total):
        return bounded_divergence(g)
    known, (_, r) = chord(g), g.near
    return known if is_zero(g.rhs - log(r)) else known.then(tangent(g, log(r)))


# Concentration


def concentrated(
    g: Goal, p: Symbol, x: Expr, low: Expr, span: Expr, o: Symbol, scaled: Expr, within: Callable[[Tactic], Tactic]
) -> Theorem:
    """Prove log E e^(s (X - E X)) <= s^2 b^2 / 8 for X = `x` with values a + b o / (1 + o), from a = `low` to a + b.

    `span` is b. The chord of the exponential reduces X to a coin, which for s < 0 is that of a + b - X. `within` makes
    a tactic for letters from a tactic in o, for an expression with the factor `scaled`.
    """
    s, up = abs(g.scale), bool(g.scale.is_positive)
    h, grown, average = s * span, exp(g.scale * span) - 1, g.total(p * x)
    rest, share = h / (1 + o), (average - low) / span
    rise = Factors([span * o / (1 + o), exp(h - rest if up else -h), (exp(rest) - 1, Rising(s))])
    curve = 1 + grown * o / (1 + o) - exp(g.scale * span * o / (1 + o))
    start = exp(g.scale * low)
    bound = g.pointwise(
        g.total(p * exp(g.scale * x)),
        start * (1 + share * grown),
        multipliers={p: start * (1 - low / span * grown)},
        tactic=within(Factors([scaled * start, (curve, Rising(s, rise))])),
    )
    chance = share if up else 1 - share
    part = o / (1 + o) if up else 1 / (1 + o)
    outside = -low / span if up else 1 + low / span
    likely = g.pointwise(0, chance, multipliers={p: outside}, tactic=within(Factors([scaled, part])))
    known = through(bound, log).plus(-g.scale * average)
    return known.then(rewrite(coin(g, likely, g.at_most(h, exp(h) - 1, Rising(s, Rising(s)))), known.rhs, h**2 / 8))


def hoeffding(g: Goal) -> Theorem:
    """Prove Hoeffding's lemma for X = a + b x with 0 <= x <= 1; the shift a cancels."""
    (p,), (test,) = g.p, g.x
    o = Symbol(f"{test.name}_odds", positive=True)
    return concentrated(g, p, g.width * test, Integer(0), g.width, o, Integer(1), lambda t: t)


def loss_concentrated(g: Goal) -> Theorem:
    """Prove the bound for the loss, which is in [-eps, eps]; the bound grows with the parameter."""
    (p, _), r = g.near
    if g.lhs.func is Total:
        return mean_loss(g)
    (loss,) = {e for e in g.lhs.atoms(log) if g.case.ranges(e)}
    u = Symbol(p.name, positive=True)
    here = (1 / r) ** (1 / (1 + SHARE)) * r ** (SHARE / (1 + SHARE))
    known = concentrated(g, p, loss, -log(r), 2 * log(r), SHARE, here, lambda t: Between(u, 1 / r, r, t))
    known = rewrite(known, g.lhs)
    if not g.rhs.has(Min):
        return known
    smaller = at_least_0(g, g.rhs.atoms(Min).pop())
    return known.then(lemma(g.case, known.rhs, g.scale**2 * (log(r) + z / 2) ** 2 / 2, {z: smaller}))


def at_least_0(g: Goal, smaller: Expr) -> Theorem:
    """Prove 0 <= min(eps, max(D_1, D_1)) by the tangent of u log u at 1."""
    (p, q), r = g.near
    largest = next(a for a in smaller.args if a.has(Total))
    one = g.total(Piecewise((p * log(p) - p * log(q), Gt(p, 0)), (0, True)))
    positive = g.pointwise(0, one, multipliers={p: -1, q: 1}, at=1)
    return lemma(g.case, 0, algebra.minimum(log(r), z), {z: positive.then(g.at_most(one, largest))})


def mean_loss(g: Goal) -> Theorem:
    """Prove that E L is at most eps and at most D_1, and below the chord eps tanh(eps / 2) of u log u."""
    (p, q), r = g.near
    u = Symbol(p.name, positive=True)
    if not g.rhs.has(Min):
        c, d = log(r) * (r + 1 / r) / (r - 1 / r), -2 * log(r) / (r - 1 / r)
        return g.pointwise(g.lhs, c + d, multipliers={p: c, q: d}, tactic=Concave(u, 1 / r, r))
    largest = next(a for a in g.rhs.args if a.has(Total))
    own = g.total(Piecewise((p * log(p) - p * log(q), Gt(p, 0)), (0, True)))
    above = g.pointwise(g.lhs, own, equal=True).then(g.at_most(own, largest))
    size = g.pointwise(g.lhs, log(r), multipliers={p: log(r)}, tactic=Between(u, 1 / r, r))
    return minimum(g.lhs, [size, above])


# Trade-off


def _near_distance(g: Goal) -> tuple[Theorem, Symbol, Concave]:
    """Prove delta <= tanh(eps / 2); also return the level, and the tactic for p / q between 1 / r and r."""
    (p, q), r = g.near
    ends = Concave(Symbol(p.name, positive=True), 1 / r, r)
    share = {p: r / (1 + r) - HALF, q: HALF - 1 / (1 + r)}
    distance = g.pointwise(g.total(abs(p - q) / 2), (r - 1) / (r + 1), multipliers=share, tactic=ends)
    part = 1 / (1 + g.part)
    level = next(s for s, (kind, _) in g.case.suprema.items() if kind == "level")
    below = distance.times(part).then(g.at_most((r - 1) / (r + 1) * part, (r - 1) / (r + 1)))
    return rewrite(below, meets(g.case, level).rhs), level, ends


def tradeoff(g: Goal) -> Theorem:
    """Prove that D_inf^delta is at most eps, which is below the bound for every delta up to tanh(eps / 2)."""
    r = g.near[1]
    below, level, ends = _near_distance(g)
    nothing = g.pointwise(excess(g.case, level, r), 0, tactic=ends).then(g.at_most(0, below.lhs))
    known = rewrite(through(below, log).negated(), log(1 + 2 / (r - 1)))
    bound = uninformative(g, r - 1, known).times(log(r))
    return through(least(g.case, level, r, nothing), log).then(rewrite(bound, log(r), g.rhs))


def tradeoff_best(g: Goal) -> Theorem:
    """Write p - v q as c (p - q / r) - (1 - c) (r q - p) for v = r - delta (1 + r), where c = delta r / (r - 1)."""
    (p, q), r = g.near
    below, level, ends = _near_distance(g)
    delta, other = below.lhs, Symbol("rest", nonnegative=True)
    c = delta * r / (r - 1)
    rest = below.times(r / (r - 1)).then(g.at_most(r / (r - 1) * below.rhs, 1)).plus(-c)
    mixed = g.total(algebra.maximum(z * (p - q / r) - other * (r * q - p), 0))
    shown = g.pointwise(mixed, z * (1 - 1 / r), multipliers={p: z, q: -z / r}, tactic=ends)
    shown = instantiated(shown, {z: c, other: rewrite(rest, 0, 1 - c)})
    v = r - delta * (1 + r)
    same = g.pointwise(excess(g.case, level, v), shown.lhs, equal=True)
    above = below.times(1 + r).negated().plus(r)
    bound = least(g.case, level, v, same.then(rewrite(shown, rhs=delta)), rewrite(above, 1, v))
    return through(bound, log)
