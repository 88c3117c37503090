"""Proofs for the claims of the hypothesis-testing appendix."""

from __future__ import annotations

import sympy
from sympy import exp, log, sqrt

from verification.argument import Argument, convex_minimum, identity, signs
from verification.claim import Claim

g, u = sympy.symbols("gamma u", positive=True)  # alpha = 1 + gamma
d = sympy.Symbol("delta", positive=True)
rho = sympy.Symbol("rho", real=True)


def tangent(claim: Claim) -> Argument:
    """1 + kappa (u - 1) - u^kappa, u = y / t, is convex with minimum 0 at 1: kappa = gamma / (1 + gamma) < 1."""
    kappa = g / (1 + g)
    return convex_minimum(1 + kappa * (u - 1) - u**kappa, u, 1, domain="alpha > 1, any rho, 0 < t, y")


def _below_curve(epsilon: sympy.Expr) -> sympy.Expr:
    """delta + e^epsilon y - (e^rho y)^kappa at y = u^((1 + gamma) / gamma) e^-rho, u = (e^rho y)^kappa."""
    return d + exp(epsilon - rho) * u ** ((1 + g) / g) - u


def theorem16(claim: Claim) -> Argument:
    """A test has 1 - x <= (e^rho y)^kappa: delta + e^eps y minus that is convex in (e^rho y)^kappa, minimum 0."""
    epsilon = rho + log(g / (1 + g)) - (log(d) + log(1 + g)) / g
    at = d * (1 + g)
    return convex_minimum(
        sympy.simplify(_below_curve(epsilon)),
        u,
        at,
        domain="alpha > 1, any rho, 0 < delta < 1, every test",
        detail="the other term of the privacy region is dropped, as it is nonnegative",
    )


GAP = log(1 + 1 / g) + log(1 + g) / g  # by which Theorem 16 is below Mironov's bound


def mironov(claim: Claim) -> Argument:
    """Theorem 16's epsilon is sound and smaller."""
    gap = rho - log(d) / g - (rho + log(g / (1 + g)) - (log(d) + log(1 + g)) / g)
    smaller = identity(sympy.expand_log(gap - GAP, force=True), domain="alpha > 1, any rho, 0 < delta < 1, every test")
    return theorem16(claim) & smaller & better(claim)


def better(claim: Claim) -> Argument:
    """log(alpha / (alpha - 1)) and log(alpha) are nonnegative."""
    return signs(log(1 + 1 / g), log(1 + g) / g, domain="alpha > 1", detail="gamma = alpha - 1")


def corner(claim: Claim) -> Argument:
    """With alpha delta >= 1: f = delta + (1 - delta) w - w^kappa >= 0 on 0 < w <= 1, w = e^rho y.

    It is convex, 0 at w = 1, and its slope there is 1/alpha - delta <= 0. For w > 1 the line is above 1.
    """
    f = d + (1 - d) * u - u ** (g / (1 + g))
    domain = "alpha > 1, alpha delta >= 1, every test"
    slope = sympy.diff(f, u).subs(u, 1) - (1 / (1 + g) - d)
    detail = "convex, zero at e^rho y = 1 with slope 1/alpha - delta <= 0"
    return identity(f.subs(u, 1), slope, domain=domain, detail=detail) & signs(
        sympy.simplify(sympy.diff(f, u, 2)), domain=domain, detail=detail
    )


def hellinger(claim: Claim) -> Argument:
    """cos^2 A - r cos^2(A + T) - (1 - r)/2 is a wave in 2 A, of amplitude sqrt((r - 1)^2 + 4 r sin^2 T) / 2.

    A test is p = cos^2 A, q = cos^2(A + T), |T| at most the angle of 1 - rho, and the amplitude rises with |T|.
    """
    a, angle, r = sympy.symbols("A T r", real=True)
    wave = sympy.cos(a) ** 2 - r * sympy.cos(a + angle) ** 2 - (1 - r) / 2
    along, across = (1 - r * sympy.cos(2 * angle)) / 2, r * sympy.sin(2 * angle) / 2
    return identity(
        sympy.expand_trig(wave - along * sympy.cos(2 * a) - across * sympy.sin(2 * a)),
        sympy.expand_trig(4 * along**2 + 4 * across**2 - ((r - 1) ** 2 + 4 * r * sympy.sin(angle) ** 2)),
        domain="every test, e^eps = r > 0, rho = 1 - cos T",
        detail="a wave is at most its amplitude",
    )


def optimal_hellinger(claim: Claim) -> Argument:
    """At the printed t, c = 1 - 2 t = z / sqrt(z^2 + 4) and w = 2 sqrt(t (1 - t)) = 2 / sqrt(z^2 + 4).

    1 - t - r f(t) = (1 - r)/2 + c (1 - 2 r b^2 + r)/2 + r b k w, k^2 = 1 - b^2, and 1 - 2 r b^2 + r = r b k z: so it is
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


def total_variation(claim: Claim) -> Argument:
    """(p - q) - (p - (1 + u) q) = u q >= 0, e^eps = 1 + u, term by term."""
    q = sympy.Symbol("q", nonnegative=True)
    return signs(u * q, domain="eps >= 0, any distributions", detail="term by term")


def countable(claim: Claim) -> Argument:
    """With mass c^m left in a row, c = 1 - 1/l, its largest entry is at least c^m / l = a_(m+1), which leaves c^(m+1).

    The weights add up to 1 - c^m, which tends to 1 for l > 1; l - 1 is symbolic here.
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
    """Both lines over p and gamma, 2^beta = p^-gamma."""
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
    """p^2/q + p'^2/q' - (p + p')^2/(q + q') = (p q' - p' q)^2 / (q q' (q + q'))."""
    a, b, c, e = sympy.symbols("a b c e", positive=True)
    gap = a**2 / c + b**2 / e - (a + b) ** 2 / (c + e) - (a * e - b * c) ** 2 / (c * e * (c + e))
    return identity(
        gap, domain="f = t^2, positive weights", detail="merging two cells; any map to k of k + 1 points merges two"
    )


def same_cell(claim: Claim) -> Argument:
    """In (l w, (l + 1) w] one value is l w + c and another (l + 1) w - e: w minus the difference is c + e."""
    low, w = sympy.symbols("l w", positive=True)
    c, e = sympy.symbols("c e", nonnegative=True)
    gap = w - ((low + w - e) - (low + c)) - (c + e)
    domain, detail = "every n and D, gamma and the representative of its cell", "point by point of D"
    return identity(gap, domain=domain, detail=detail) & signs(c + e, domain=domain, detail=detail)


def boundary(claim: Claim) -> Argument:
    """x (1 - y) and (1 - x) y are squares for x = sin^2 A, y = cos^2(A + T): the boundary is cos T."""
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


def joint_convexity(claim: Claim) -> Argument:
    """The Hessian of u^(1+gamma) v^-gamma has determinant 0 and a nonnegative diagonal."""
    f = u ** (1 + g) * sympy.Symbol("v", positive=True) ** -g
    v = sympy.Symbol("v", positive=True)
    hessian = sympy.hessian(f, (u, v)).applyfunc(sympy.simplify)
    domain, detail = "alpha > 1, positive weights", "u^alpha v^(1-alpha) is jointly convex, term by term"
    return identity(hessian.det(), domain=domain, detail=detail) & signs(
        *hessian.diagonal(), domain=domain, detail=detail
    )


def merging(claim: Claim) -> Argument:
    """Jointly convex and homogeneous: merging two cells can only lower the sum of u^alpha v^(1-alpha)."""
    v, t = sympy.symbols("v t", positive=True)
    f = u ** (1 + g) * v**-g
    scaled = f.subs({u: t * u, v: t * v}, simultaneous=True) - t * f
    detail = "f(u + u', v + v') = 2 f((u + u')/2, (v + v')/2) <= f(u, v) + f(u', v')"
    homogeneous = identity(sympy.expand_power_base(scaled), domain="alpha > 1, positive weights", detail=detail)
    return joint_convexity(claim) & homogeneous


def certificate(claim: Claim) -> Argument:
    """Two tangents of t -> t^alpha, at r for the accepting cell and at s for the other, add up to the bound."""
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
    """The region is (p - q)^2 <= c q (1 - q), c = e^rho - 1; a root is at most c q / (4 delta) + delta (1 - q).

    They are equal at c q = 4 delta^2 (1 - q), where p = q + 2 delta (1 - q) <= 1 as delta <= 1/2: so it is attained.
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
