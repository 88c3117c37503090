"""Proofs for the claims of the capacity-bounded paper: scripts of derivations."""

from __future__ import annotations

from collections.abc import Callable

from sympy import Dummy, E, Integer, Rational, exp, log, pi, sqrt

from verification.provers.balls import Composed, Series
from verification.provers.derivation import Goal
from verification.provers.kernel import Theorem, through
from verification.provers.scalars import PAST, Convex, Factors, Parts, Rising, Tactic

Script = Callable[[Goal], Theorem]
u, w = Dummy("u", positive=True), Dummy("w", nonnegative=True)


def by(tactic: Callable[[Goal], Tactic]) -> Script:
    """Every inequality that is not obvious by one tactic."""
    return lambda g: g.obvious or g.at_most(tactic=tactic(g))


conjugate = by(lambda g: Convex(g.t, exp(g.s - 1)))  # s t - t log t <= e^(s - 1)
lemma5 = by(lambda g: Convex(g.a, ((g.alpha - 1) / (g.alpha * g.x)) ** (g.alpha - 1)))
doubled = by(lambda g: Convex(g.epsilon, log(2)))  # 2 x <= e^x
tangent = by(lambda g: Convex(g.t, Integer(1)))  # e x <= e^x
polynomial = by(lambda g: Series(g.b if g.b.is_positive else -g.b))
square_step = by(lambda g: Parts([(g.a - g.b) ** 2 / 8, g.a**2 / 4, Rational(3, 4) * g.b**2]))


def norms(g: Goal) -> Theorem:
    """w^b <= b w + 1 - b at w = u^2 and b = A / 2."""
    b = g.alpha / (g.alpha - 1) / 2
    return g.obvious or g.at_most(tactic=Composed(u, g.u**2, b * u + 1 - b - u**b, Convex(u, Integer(1))))


def gaussian_slope(g: Goal) -> Theorem:
    """The gap is a square."""
    return g.obvious or g.at_most(tactic=Parts([(g.a * g.second**2 - g.shift) ** 2 / (2 * g.second**2)]))


def laplace_slope(g: Goal) -> Theorem:
    """log x <= log y + x / y - 1 at x = 1 - t^2 and y = 1 - w^2, w = (s - 1) / epsilon; what is left is a square."""
    if g.index > 0:
        return g.obvious or g.equal()
    e, s = g.epsilon, sqrt(1 + g.epsilon**2)
    t = g.t / (1 + abs(g.t))
    x, y, w = 1 - t**2, 2 / (s + 1), (s - 1) / e
    tangent = Composed(u, x / y, u - 1 - log(u), Convex(u, Integer(1)))
    first = g.at_most(log(x), log(y) + x / y - 1, tangent).plus(e * t)
    return first.then(g.at_most(first.rhs, g.rhs, Parts([(t - w) ** 2 / y])))


def smaller(g: Goal) -> Theorem:
    """Beyond epsilon = 4, s <= epsilon + 1/4 and log((s + 1) / 2) >= 1/4."""
    e = 4 + PAST
    s = sqrt(1 + e**2)
    logarithm = Composed(w, (s + 1) / 2 - Rational(5, 2), log(w + Rational(5, 2)) - Rational(1, 4), Rising(w))
    far = Parts([e - s + Rational(1, 4), (log((s + 1) / 2) - Rational(1, 4), logarithm), exp(-e)])
    return g.at_most(tactic=Series(g.epsilon, beyond=(4, far)))


def not_convex(g: Goal) -> Theorem:
    """log((1 + m) / 2) - 3/5 log m rises from m = 7/3, where the moment m starts."""
    m = (3**g.alpha + 3 ** (1 - g.alpha)) / 4
    (more,) = g.alpha.free_symbols
    low = Rational(7, 3)
    start = g.at_most(0, m - low, Rising(more, Rising(more)))
    gap = through(start, lambda x: log((1 + low + x) / 2) - Rational(3, 5) * log(low + x))
    above = g.at_most(0, gap.lhs).then(gap).plus(Rational(3, 5) * log(m)).times(1 / (g.alpha - 1))
    return g.equal(g.lhs, above.lhs).then(above).then(g.equal(above.rhs, g.rhs))


def moderate(g: Goal) -> Theorem:
    """Both 1 and epsilon (2 epsilon)^n are at most e^(epsilon n) / 4, n = alpha - 1."""
    e = g.epsilon
    n, c = 4 + 4 * e + 4 / e, 2 / E
    one = through(g.at_most(log(4), e * n, Parts([4 - log(4), 4 * e, 4 * e**2])), exp).times(Rational(1, 4))
    power = g.at_most(log(2 * e), c * e, Convex(e, E / 2)).times(n)
    rest = g.at_most(log(4 * e), (1 - c) * e * n, Series(e))
    other = through(power + rest, exp).times(Rational(1, 4))
    total = through(one + other, log)
    return g.equal(g.lhs, total.lhs).then(total).then(g.equal(total.rhs, g.rhs))


def laplace_below(g: Goal) -> Theorem:
    """The moment is at least its term e^((alpha - 1) x), in each coordinate."""
    n = g.alpha - 1
    parts = [g.epsilon] if "epsilon" in g.given else [g.first, g.second]
    factor = (n + 1) / (2 * n + 1) if g.lhs.has(log(2 * n + 1)) else Rational(1, 2)
    total: Theorem | None = None
    for x in parts:
        moment = (n + 1) / (2 * n + 1) * exp(n * x) + n / (2 * n + 1) * exp(-(n + 1) * x)
        each = through(g.at_most(factor * exp(n * x), moment), log).times(1 / n)
        total = each if total is None else total + each
    assert total is not None
    return g.equal(g.lhs, total.lhs).then(total).then(g.equal(total.rhs, g.rhs))


def conjugate_of_power(g: Goal) -> Theorem:
    """s t - (t^alpha - 1) / a <= f*(s) is convex in t, least at (s (alpha - 1))^(1 / (alpha - 1))."""
    if g.obvious:
        return g.obvious
    n, s, t = g.alpha - 1, g.s, g.t
    a = g.alpha * n
    value = n ** (g.alpha / n) / g.alpha * s ** (g.alpha / n) + 1 / a
    tactic = Convex(t, (s * n) ** (1 / n)) if t != 0 else None
    return g.at_most(s * t - (t**g.alpha - 1) / a, value, tactic).times(1 / value)


def superadditive(g: Goal) -> Theorem:
    """x^A = x x^(A - 1) <= x S^(A - 1) for each x <= S, S the sum."""
    if g.obvious:
        return g.obvious
    n, whole = 1 / (g.alpha - 1), g.u + g.w + g.b + 1
    parts = [v / whole for v in (g.u, g.w, g.b) if v != 0]
    total: Theorem | None = None
    for v in parts:
        each = through(g.at_most(v, sum(parts)), lambda x: x**n).times(v)
        total = each if total is None else total + each
    assert total is not None
    return total.then(g.equal(total.rhs, g.rhs))


def below_exponential(g: Goal) -> Theorem:
    """2 pi r^2 <= e z <= e^z at z = alpha r^2, and the root."""
    if g.obvious:
        return g.obvious
    z = (2 * pi / E + g.more) * g.ratio**2
    first = g.at_most(2 * pi * g.ratio**2, E * z)
    second = g.at_most(E * z, exp(z), Composed(u, z, exp(u) - E * u, Convex(u, Integer(1))))
    return through(first.then(second), sqrt)


def logarithmic(g: Goal) -> Theorem:
    """log (c s) <= alpha s^2 / 2, as log y + 1 <= y at y = alpha s^2, alpha >= c^2 / e."""
    z = (4**g.d * pi / (2 * E) + g.more) * g.s**2
    first = through(g.at_most(4**g.d * pi / 2 * g.s**2, E * z), log)
    second = g.at_most(log(E * z), z, Composed(u, z, u - 1 - log(u), Convex(u, Integer(1))))
    both = first.then(second).times(Rational(1, 2))
    return g.equal(g.lhs, both.lhs).then(both).then(g.equal(both.rhs, g.rhs))


def products(g: Goal) -> Theorem:
    """(1 + x) (1 + y) - 1 - f (x + y) = (f - 1) (one + two) + one two, f = 2^(alpha - 1) > 1."""
    if g.obvious:
        return g.obvious
    f = 2 ** (g.alpha - 1)
    x, y = 2 * f - 2 + g.one, 2 * f - 2 + g.two
    (n,) = g.alpha.free_symbols
    more = (f - 1, Rising(n))
    parts = [(v * (f - 1), Factors([v, more])) for v in (g.one, g.two) if v != 0]
    return through(g.at_most(1 + f * (x + y), (1 + x) * (1 + y), Parts([*parts, g.one * g.two])), log)


def root_of_more(g: Goal) -> Theorem:
    """1 <= 1 + less, and the root."""
    return g.obvious or through(g.at_most(1, 1 + g.less), sqrt).times(sqrt(E))
