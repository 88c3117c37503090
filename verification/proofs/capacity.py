"""Proofs for the claims of the capacity-bounded paper."""

from __future__ import annotations

import sympy
from sympy import Rational, exp, log, oo, sqrt

from verification.argument import Argument, convex_minimum, identity, signs
from verification.claim import Claim

x, y, t = sympy.symbols("x y t", real=True)
e, s, v, u, b = sympy.symbols("epsilon s v u b", positive=True)
g = sympy.Symbol("gamma", positive=True)  # alpha = 1 + gamma
A = (1 + g) / g


def laplace_kl(claim: Claim) -> Argument:
    """The integral of p log(p / q), piece by piece; densities e/2 exp(-e |x|) and e/2 exp(-e |x - 1|)."""
    pieces = [
        sympy.integrate(e / 2 * exp(e * x) * e, (x, -oo, 0)),
        sympy.integrate(e / 2 * exp(-e * x) * e * (1 - 2 * x), (x, 0, 1)),
        sympy.integrate(e / 2 * exp(-e * x) * -e, (x, 1, oo)),
    ]
    return identity(sum(pieces) - (e - 1 + exp(-e)), domain="epsilon > 0", detail="integral of p log(p/q)")


def laplace_renyi(claim: Claim) -> Argument:
    """The integral of p^alpha q^(1 - alpha), piece by piece, alpha = 1 + gamma."""
    a = 1 + g
    pieces = [
        e / 2 * exp(-g * -e) * sympy.integrate(exp(e * x), (x, -oo, 0)),
        e / 2 * exp(g * e) * sympy.integrate(exp(-(2 * g + 1) * e * x), (x, 0, 1)),
        e / 2 * exp(-g * e) * sympy.integrate(exp(-e * x), (x, 1, oo)),
    ]
    weight = a / (2 * a - 1)
    closed = weight * exp(g * e) + (1 - weight) * exp(-a * e)
    return identity(sum(pieces) - closed, domain="epsilon > 0, alpha > 1", detail="integral of p^alpha q^(1-alpha)")


def gaussian_renyi(claim: Claim) -> Argument:
    """The exponent of p^alpha q^(1-alpha): that of a Gaussian at (1 - alpha) mu, plus alpha (alpha - 1) mu^2 / 2."""
    a = sympy.Symbol("alpha", real=True)
    mu = sympy.Symbol("mu", real=True)
    exponent = -a * x**2 / 2 - (1 - a) * (x - mu) ** 2 / 2
    gaussian = -((x - (1 - a) * mu) ** 2) / 2
    return identity(
        sympy.expand(exponent - gaussian - a * (a - 1) * mu**2 / 2),
        sympy.integrate(exp(-(x**2) / 2) / sqrt(2 * sympy.pi), (x, -oo, oo)) - 1,
        domain="alpha > 1, any mu = |v| / sigma",
        detail="completing the square",
    )


def independent_sum(claim: Claim) -> Argument:
    """E e^(h + g) = E e^h E e^g and E (h + g) = E h + E g over a product law, on two points each."""
    p, q, h, k = (sympy.symbols(f"{name}:2") for name in "pqhk")
    pairs = [(i, j) for i in range(2) for j in range(2)]
    whole = sum(p[i] * q[j] * exp(h[i]) * exp(k[j]) for i, j in pairs)
    mean = sum(p[i] * q[j] * (h[i] + k[j]) for i, j in pairs)
    parts = (p[0] + p[1]) * (q[0] * k[0] + q[1] * k[1]) + (q[0] + q[1]) * (p[0] * h[0] + p[1] * h[1])
    return identity(
        sympy.expand(whole - (p[0] * exp(h[0]) + p[1] * exp(h[1])) * (q[0] * exp(k[0]) + q[1] * exp(k[1]))),
        sympy.expand(mean - parts),
        domain="two points each, any weights and functions",
    )


def conjugate_of_entropy(claim: Claim) -> Argument:
    """e^(s-1) - s u + u log u is convex in u with minimum 0 at u = e^(s-1)."""
    r = sympy.Symbol("r", real=True)
    return convex_minimum(exp(r - 1) - r * u + u * log(u), u, exp(r - 1), domain="t > 0, real s")


def lemma1(claim: Claim) -> Argument:
    """With m = E_Q e^(a phi) > 0: E e^(h-1) - (b + log m) + ... is convex in b, 0 at b = 1 - log m."""
    m = sympy.Symbol("m", positive=True)
    c = sympy.Symbol("c", real=True)
    return convex_minimum(m * exp(c - 1) - c - log(m), c, 1 - log(m), domain="any h, any b", detail="m = E_Q e^h")


def laplace_lin_kl(claim: Claim) -> Argument:
    """log(1 - w^2) + s - 1 - (e t + log(1 - t^2)), e = 2 w / (1 - w^2), is convex in t with minimum 0 at t = w.

    So sqrt(1 + e^2) = s = (1 + w^2) / (1 - w^2) and (s - 1) / e = w, 0 < w < 1. The moment generating function of a
    Laplace law at the slope e t, here 0 < t < 1 as it is symmetric, is 1 / (1 - t^2).
    """
    slope = v / (1 + v)
    moments = [sympy.integrate(exp(-e * x * sympy.simplify(1 + i * slope)), (x, 0, oo)) * e / 2 for i in (1, -1)]
    w = sympy.Symbol("w", positive=True)
    tau = sympy.Symbol("tau", real=True)
    size, root = 2 * w / (1 - w**2), (1 + w**2) / (1 - w**2)
    f = log(1 - w**2) + root - 1 - size * tau - log(1 - tau**2)
    return identity(
        sum(moments) - 1 / (1 - slope**2),
        root**2 - 1 - size**2,
        (root - 1) / size - w,
        (root + 1) / 2 * (1 - w**2) - 1,
        f.subs(tau, w),
        sympy.diff(f, tau).subs(tau, w),
        sympy.diff(f, tau, 2) - 2 * (1 + tau**2) / (1 - tau**2) ** 2,
        domain="epsilon > 0, every slope in (-epsilon, epsilon)",
        detail="convex in the slope, stationary with value 0 at the printed one",
    )


def gaussian_lin_kl(claim: Claim) -> Argument:
    """The gap is a square; e^(a x) times a Gaussian density is e^(a^2 v / 2) times another."""
    a = sympy.Symbol("a", real=True)
    gap = t**2 / (2 * v) - (a * t - a**2 * v / 2)
    moment = a * x - x**2 / (2 * v) - (a**2 * v / 2 - (x - a * v) ** 2 / (2 * v))
    return identity(
        sympy.expand(gap - v / 2 * (a - t / v) ** 2),
        sympy.expand(moment),
        domain="any means, any variances, every slope",
    )


def gaussian_same_kl(claim: Claim) -> Argument:
    """The integral of p log(p / q), and the best slope of Theorem 10 at equal variances."""
    a = sympy.Symbol("a", real=True)
    density = exp(-(x**2) / (2 * s**2)) / (s * sqrt(2 * sympy.pi))
    divergence = sympy.integrate(sympy.expand(((x - t) ** 2 - x**2) / (2 * s**2)) * density, (x, -oo, oo))
    gap = t**2 / (2 * s**2) - (a * t - a**2 * s**2 / 2)
    return identity(
        divergence - t**2 / (2 * s**2),
        sympy.expand(gap - s**2 / 2 * (a - t / s**2) ** 2),
        domain="any shift, sigma > 0",
        detail="integral of p log(p/q)",
    )


def alpha_conjugate(claim: Claim) -> Argument:
    """C s^A + 1/a - s u + (u^alpha - 1)/a is convex in u > 0 with minimum 0."""
    alpha = 1 + g
    a = alpha**2 - alpha
    f = g**A / alpha * s**A + 1 / a - s * u + (u**alpha - 1) / a
    return convex_minimum(f, u, (s * g) ** (1 / g), domain="alpha > 1, s > 0, t > 0")


def lemma5(claim: Claim) -> Argument:
    """Value minus a - X a^A is convex in a > 0 with minimum 0."""
    best = (g / ((1 + g) * v)) ** g
    return convex_minimum(best / (1 + g) - u + v * u**A, u, best, domain="alpha > 1, X > 0, a > 0")


def laplace_lower(claim: Claim) -> Argument:
    """F(x) - e^((alpha-1) x) / 2 is a sum of positive terms."""
    weight = (1 + g) / (1 + 2 * g)
    gap = weight * exp(g * e) + (1 - weight) * exp(-(1 + g) * e) - exp(g * e) / 2
    terms = exp(g * e) / (2 * (1 + 2 * g)) + g * exp(-(1 + g) * e) / (1 + 2 * g)
    domain = "epsilon > 0, alpha > 1, each coordinate"
    return identity(gap - terms, domain=domain) & signs(terms, domain=domain)


def pinsker_step(claim: Claim) -> Argument:
    """With 0 <= y <= 2: y - y^2/2 = y (2 - y) / 2, and x^2/8 + y^2/2 - (x + y)^2/10 = (x - 4 y)^2 / 40."""
    return identity(
        y - y**2 / 2 - y * (2 - y) / 2,
        sympy.expand(x**2 / 8 + y**2 / 2 - (x + y) ** 2 / 10 - (x - 4 * y) ** 2 / 40),
        domain="any x, 0 <= y <= 2",
        detail="products and squares",
    )


def exponential_growth(claim: Claim) -> Argument:
    """e^x - e x is convex with minimum 0 at 1, and e > 2; the first part is an identity."""
    domain = "epsilon > 0, alpha > 1"
    left = log(1 + 2**g * e ** (1 + g)) - log(1 + e * (2 * e) ** g)
    growth = convex_minimum(exp(x) - sympy.E * x, x, 1, domain=domain)
    return growth & signs(sympy.E - 2, domain=domain) & identity(left, domain=domain)


def gaussian_crossing(claim: Claim) -> Argument:
    """The square of the claim, with z = alpha / sigma^2: e^z >= e z, and e alpha >= 2 pi."""
    domain = "every sigma, alpha >= 37/16"
    return convex_minimum(exp(x) - sympy.E * x, x, 1, domain=domain) & signs(
        sympy.E * Rational(37, 16) - 2 * sympy.pi, domain=domain
    )


def duality(claim: Claim) -> Argument:
    """The gap is KL(P' || tilted) on two points, whose terms u log u - u + 1 are nonnegative."""
    z, q = (
        [t / sum(ts) for t in ts] for ts in (sympy.symbols("z:2", positive=True), sympy.symbols("q:2", positive=True))
    )
    tilt = sympy.symbols("m:2", positive=True)  # e^h
    total = sum(a * b for a, b in zip(q, tilt, strict=True))
    gap = sum(a * log(a / b) - a * log(m) for a, b, m in zip(z, q, tilt, strict=True)) + log(total)
    tilted = sum(a * log(a * total / (b * m)) for a, b, m in zip(z, q, tilt, strict=True))
    domain = "any P', h, positive weights on two points"
    return identity(sympy.expand_log(gap - tilted, force=True), domain=domain) & convex_minimum(
        u * log(u) - u + 1, u, 1, domain=domain, detail="KL >= 0, term by term"
    )
