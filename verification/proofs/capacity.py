"""Scripts for the claims of the capacity-bounded paper."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import sympy
from sympy import Abs, Dummy, E, Expr, Gt, Integer, Piecewise, Rational, Symbol, exp, log, pi, sqrt

from verification.provers import algebra
from verification.provers.convexity import holder, power_of_sum
from verification.provers.derivation import Goal
from verification.provers.kernel import Theorem, maximum, modulus, rewrite, through
from verification.provers.symbols import Total
from verification.provers.tactics import Composed, Convex, Factors, Parts, Rising, Tactic

Script = Callable[[Goal], Theorem]
u, w = Dummy("u", positive=True), Dummy("w", nonnegative=True)


def by(tactic: Callable[[Goal], Tactic]) -> Script:
    """Return a script that proves every inequality that is not obvious by one tactic."""
    return lambda g: g.at_most(tactic=tactic(g))


conjugate = by(lambda g: Convex(g.t, exp(g.s - 1)))  # s t - t log t <= e^(s - 1)
lemma5 = by(lambda g: Convex(g.a, ((g.alpha - 1) / (g.alpha * g.x)) ** (g.alpha - 1)))
doubled = by(lambda g: Convex(g.epsilon, log(2)))  # 2 x <= e^x
tangent = by(lambda g: Convex(g.t, Integer(1)))  # e x <= e^x
square_step = by(lambda g: Parts([(g.a - g.b) ** 2 / 8, g.a**2 / 4, Rational(3, 4) * g.b**2]))


def polynomial(g: Goal) -> Theorem:
    """Write the gap of a constant b as (b - 1)^2 ((b + 1)^2 + 2) / 3, and that of b + 3 f as squares and a constant."""
    if g.index == 0:
        return g.at_most(tactic=Parts([(g.b - 1) ** 2 * ((g.b + 1) ** 2 + 2) / 3]))
    squares = [(g.b**2 - 10) ** 2 / 60, 19 * ((g.b - 4) ** 2 - Rational(7, 10)) ** 2 / 60]
    square = Rational(233, 300) * (g.b - Rational(732, 233)) ** 2
    return g.at_most(tactic=Parts([*squares, square, algebra.expand(g.rhs - g.lhs - sum(squares) - square)]))


def norms(g: Goal) -> Theorem:
    """Prove w^b <= b w + 1 - b at w = u^2 and b = A / 2."""
    b = g.alpha / (g.alpha - 1) / 2
    return g.at_most(tactic=Composed(u, g.u**2, b * u + 1 - b - u**b, Convex(u, Integer(1))))


def laplace_slope(g: Goal) -> Theorem:
    """Apply log x <= log y + x / y - 1 at x = 1 - t^2 and y = 1 - w^2, w = (s - 1) / epsilon; the rest is a square."""
    e, s = g.epsilon, sqrt(1 + g.epsilon**2)
    t = g.t / (1 + abs(g.t))
    x, y, w = 1 - t**2, 2 / (s + 1), (s - 1) / e
    tangent = Composed(u, x / y, u - 1 - log(u), Convex(u, Integer(1)))
    first = g.at_most(log(x), log(y) + x / y - 1, tangent).plus(e * t)
    return first.then(g.at_most(first.rhs, g.rhs, Parts([(t - w) ** 2 / y])))


def smaller(g: Goal) -> Theorem:
    """Prove that the gap increases: its slope is 1 - e^-epsilon - epsilon / (1 + s), and e^-epsilon <= s - epsilon."""
    e = g.epsilon
    s = sqrt(1 + e**2)
    steeper = Parts([(exp(e) - 1 - e, Rising(e)), e * (s - 1) / s])  # the slope of e^epsilon - epsilon - s
    below = Factors([s - e, exp(-e), (exp(e) - e - s, Rising(e, steeper))])  # s - epsilon - e^-epsilon
    return g.at_most(tactic=Rising(e, Parts([(s - e - exp(-e), below), e * (s - e) / (1 + s)])))


def not_convex(g: Goal) -> Theorem:
    """Prove that log((1 + m) / 2) - 3/5 log m increases from m = 7/3, the least value of the moment m."""
    m = (3**g.alpha + 3 ** (1 - g.alpha)) / 4
    (more,) = g.alpha.free_symbols
    low = Rational(7, 3)
    start = g.at_most(0, m - low, Rising(more, Rising(more)))
    gap = through(start, lambda x: log((1 + low + x) / 2) - Rational(3, 5) * log(low + x))
    return g.at_most(0, gap.lhs).then(gap).plus(Rational(3, 5) * log(m)).times(1 / (g.alpha - 1))


def moderate(g: Goal) -> Theorem:
    """Bound 1 and epsilon (2 epsilon)^n by e^(epsilon n) / 4 each, for n = alpha - 1."""
    e = g.epsilon
    n, c = 4 + 4 * e + 4 / e, 2 / E
    one = through(g.at_most(log(4), e * n, Parts([4 - log(4), 4 * e, 4 * e**2])), exp).times(Rational(1, 4))
    power = g.at_most(log(2 * e), c * e, Convex(e, E / 2)).times(n)
    line = log(2) + 2 * e - 1  # the tangent of log(4 epsilon) at 1/2
    above = g.at_most(line, (1 - c) * e * n, Convex(e, (2 / (1 - c) - 4) / 8))
    rest = g.at_most(log(4 * e), line, Convex(e, Rational(1, 2))).then(above)
    other = through(power + rest, exp).times(Rational(1, 4))
    return through(one + other, log)


def laplace_below(g: Goal) -> Theorem:
    """Bound the moment from below by its term e^((alpha - 1) x), in each coordinate."""
    n = g.alpha - 1
    parts = [g.epsilon] if "epsilon" in g.given else [g.first, g.second]
    factor = (n + 1) / (2 * n + 1) if g.lhs.has(log(2 * n + 1)) else Rational(1, 2)

    def each(x: Expr) -> Theorem:
        moment = (n + 1) / (2 * n + 1) * exp(n * x) + n / (2 * n + 1) * exp(-(n + 1) * x)
        return through(g.at_most(factor * exp(n * x), moment), log).times(1 / n)

    return reduce(Theorem.__add__, map(each, parts))


def conjugate_of_power(g: Goal) -> Theorem:
    """Prove s t - (t^alpha - 1) / a <= f*(s): the gap is convex in t, least at (s (alpha - 1))^(1 / (alpha - 1))."""
    n, s, t = g.alpha - 1, g.s, g.t
    a = g.alpha * n
    value = n ** (g.alpha / n) / g.alpha * s ** (g.alpha / n) + 1 / a
    tactic = Convex(t, (s * n) ** (1 / n)) if t != 0 else None
    return g.at_most(s * t - (t**g.alpha - 1) / a, value, tactic).times(1 / value)


def superadditive(g: Goal) -> Theorem:
    """Add up x^A = x x^(A - 1) <= x S^(A - 1) over the terms x of the sum S."""
    n, whole = 1 / (g.alpha - 1), g.u + g.w + g.b + 1
    parts = [v / whole for v in (g.u, g.w, g.b) if v != 0]
    return reduce(Theorem.__add__, (through(g.at_most(v, sum(parts)), lambda x: x**n).times(v) for v in parts))


def below_exponential(g: Goal) -> Theorem:
    """Prove 2 pi r^2 <= e z <= e^z at z = alpha r^2, and take the square root."""
    z = (2 * pi / E + g.more) * g.ratio**2
    first = g.at_most(2 * pi * g.ratio**2, E * z)
    second = g.at_most(E * z, exp(z), Composed(u, z, exp(u) - E * u, Convex(u, Integer(1))))
    return through(first.then(second), sqrt)


def logarithmic(g: Goal) -> Theorem:
    """Prove log(c s) <= alpha s^2 / 2 for alpha >= c^2 / e, from log y + 1 <= y at y = alpha s^2."""
    z = (4**g.d * pi / (2 * E) + g.more) * g.s**2
    first = through(g.at_most(4**g.d * pi / 2 * g.s**2, E * z), log)
    second = g.at_most(log(E * z), z, Composed(u, z, u - 1 - log(u), Convex(u, Integer(1))))
    return first.then(second).times(Rational(1, 2))


def products(g: Goal) -> Theorem:
    """Write (1 + x) (1 + y) - 1 - f (x + y) as (f - 1) (one + two) + one two, where f = 2^(alpha - 1) > 1."""
    f = 2 ** (g.alpha - 1)
    x, y = 2 * f - 2 + g.one, 2 * f - 2 + g.two
    (n,) = g.alpha.free_symbols
    more = (f - 1, Rising(n))
    parts = [(v * (f - 1), Factors([v, more])) for v in (g.one, g.two) if v != 0]
    return through(g.at_most(1 + f * (x + y), (1 + x) * (1 + y), Parts([*parts, g.one * g.two])), log)


def root_of_more(g: Goal) -> Theorem:
    """Prove 1 <= 1 + less, and take the square root."""
    return through(g.at_most(1, 1 + g.less), sqrt).times(sqrt(E))


def variational(g: Goal) -> Theorem:
    """Prove that x log(x / y) - x h + y e^(h - 1) is convex in x / y, with its minimum at e^(h - 1)."""
    return g.pointwise(at=exp(g.h[0] - 1))


def moment(g: Goal, sums: Expr) -> Symbol:
    """Return the symbol of a sum that is known to be positive."""
    return next(s for s, d in g.case.definitions.items() if d == sums and s.is_positive)


def holder_conjugate(g: Goal) -> Theorem:
    """Prove E_P h <= (E_Q |h|^A)^(1/A) M^(1/alpha) by Hölder's inequality, and take A times the logarithm."""
    a, n, ((x, y), (h,)) = g.alpha, g.alpha - 1, (g.p, g.h)
    (at,) = g.case.alphabets[x]
    norm, sums = y * abs(h) ** (a / n), x**a * y ** (1 - a)
    product = holder(g.case, [(n / a, norm), (1 / a, sums)], at)
    first = g.pointwise(Total(x * h, at), product.lhs).then(product)
    named = moment(g, Total(norm, at)), moment(g, Total(sums, at))
    logs = through(rewrite(first, rhs=named[0] ** (n / a) * named[1] ** (1 / a)), log).times(a / n)
    return logs.plus(-log(named[0]))


def lyapunov(g: Goal) -> Theorem:
    """Prove E_Q |h|^B <= (E_Q |h|^A)^(B/A) for B <= A by Hölder's inequality, and take the logarithm over B."""
    (x, y), (h,) = g.p, g.h
    (at,) = g.case.alphabets[x]
    a, b = (order / (order - 1) for order in (g.alpha, g.alpha + g.more))
    top, *norms = (Total(f, at) for f in (x * h, y * abs(h) ** a, y * abs(h) ** b))
    named = [moment(g, sums) for sums in norms]
    product = holder(g.case, [(b / a, y * abs(h) ** a), (1 - b / a, y)], at)
    first = g.pointwise(norms[1], product.lhs).then(product)
    return through(rewrite(first, named[1], named[0] ** (b / a)), log).times(1 / b).negated().plus(log(top))


def best_constant(g: Goal) -> Theorem:
    """Prove b - e^(b - 1) m <= -log m, convex in m = E_Q e^h with its minimum at e^(1 - b)."""
    (at,) = g.case.alphabets[g.p[0]]
    mean, m = Total(g.p[0] * g.h[0], at), moment(g, Total(g.p[1] * exp(g.h[0]), at))
    return g.at_most(mean + g.b - m * exp(g.b - 1), mean - log(m), Convex(m, exp(1 - g.b)))


def tilted(g: Goal) -> Theorem:
    """Write KL(P', Q) - E_P' h + log m as the sum of p' log(p' m / (q e^h)) - p' + q e^h / m, for m = E_Q e^h.

    Each term is nonnegative.
    """
    (_, y, z), (h,) = g.p, g.h
    (at,) = g.case.alphabets[y]
    sums = Total(y * exp(h), at)
    m = moment(g, sums)
    same = g.equal(g.rhs + sums / m - 1, g.rhs)
    return g.pointwise(g.lhs, same.lhs, multipliers={z: log(m) - 1}, at=m * exp(-h)).then(same)


def variation(g: Goal) -> Theorem:
    """Prove letter by letter that no test exceeds the total variation, and that the best test attains it."""
    (modulo,) = (g.lhs if g.index == 0 else g.rhs).atoms(Abs)
    value, (x, y) = modulo.args[0], g.p
    c = Rational(1, 2) if (g.rhs if g.index == 0 else g.lhs).has(Rational(1, 2)) else Integer(1)
    if g.index == 0:
        above = g.pointwise(value, g.rhs, multipliers={x: c, y: -c})
        return modulus(above, g.pointwise(-value, g.rhs, multipliers={x: -c, y: c}))
    best = g.pointwise(g.lhs, value, multipliers={x: -c, y: c} if c != 1 else {})
    return best.then(g.at_most(value, abs(value)))


def pinsker(g: Goal) -> Theorem:
    """Prove Pinsker's inequality from (p - q)^2 / f <= p log(p / q) - p + q at every letter, f = (2 p + 4 q) / 3.

    The square of sum |p - q| is at most 2 sum (p - q)^2 / f by the Cauchy-Schwarz inequality, since sum f = 2.
    """
    x, y = g.p
    (at,) = g.case.alphabets[x]
    f, half = (2 * x + 4 * y) / 3, Rational(1, 2)
    part = Piecewise(((x - y) ** 2 / f, Gt(f, 0)), (0, True))
    product = holder(g.case, [(half, f), (half, part)], at)
    square = through(g.pointwise(Total(abs(x - y), at), product.lhs).then(product), lambda v: v**2)
    divergence = g.rhs * half if g.rhs.coeff(g.rhs.atoms(Total).pop()) == 2 else g.rhs * 2

    def cubic(e: Expr, symbols: tuple[Symbol, ...]) -> Tactic:
        v = symbols[0]
        c = 3 / (2 * v + 4)
        bent = Composed(u, 1 / v, Rational(4, 3) * (u - 1 - log(u)), Convex(u, Integer(1)))
        return Factors([half * c, (sympy.simplify(2 * e / c), Convex(v, Integer(1), bent))])

    below = g.pointwise(Total(part, at) * half, divergence * half, multipliers={x: -half, y: half}, tactic=cubic)
    first = square.times(Rational(1, 4)).then(below)
    return (
        first
        if divergence * half == g.rhs
        else first.then(g.pointwise(divergence * half, g.rhs, multipliers={x: -3 * half, y: 3 * half}, at=Integer(1)))
    )


def norm_of_power(g: Goal) -> Theorem:
    """Prove sum f^r <= (sum f)^r for r >= 1."""
    (v,) = g.v
    (at,) = g.case.alphabets[v]
    f, r = (v**2, g.alpha / 2) if g.rhs.has(v**2) else (abs(v), g.alpha)
    shown = power_of_sum(g.case, f, r, at)
    return g.pointwise(g.lhs, shown.lhs).then(shown)


def mixture_of_values(g: Goal) -> Theorem:
    """Bound the value of the mixture at each function by the mixture of both suprema, and that by the larger one."""
    t, ends = g.part, []
    for x, y in (g.p, g.q):
        (at,) = g.case.alphabets[x]
        ends.append([Total(x * h, at) - Total(y * f, at) for h, f in zip(g.h, g.g, strict=True)])
    tops = [algebra.maximum(*values) for values in ends]
    if g.index == 1:
        return g.at_most(tops[0], g.rhs).times(t) + g.at_most(tops[1], g.rhs).times(1 - t)
    each = [g.at_most(a, tops[0]).times(t) + g.at_most(b, tops[1]).times(1 - t) for a, b in zip(*ends, strict=True)]
    return maximum([rewrite(v, rhs=g.rhs) for v in each])


def unbounded(g: Goal) -> Theorem:
    """Prove that A log(1 + e^(-N/A)) + N is at least N."""
    order = g.alpha / (g.alpha - 1)
    return g.at_most(0, order * log(1 + exp(-g.size / order))).plus(g.size)
