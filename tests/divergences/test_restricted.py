"""Restricted divergences compared with published values, closed forms, mpmath's quadrature and scipy's maximum."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import scipy.integrate
import scipy.optimize
import scipy.stats
import sympy

from krdtheory.arithmetic import MP, PrecisionError
from krdtheory.arithmetic.mp import at_digits
from krdtheory.divergences.restricted import (
    Affine,
    Box,
    ConvexHull,
    GaussianDistribution,
    LaplaceDistribution,
    Polynomials,
    RKHSBall,
    Sample,
    restricted_alpha_divergence,
    restricted_kl,
    restricted_renyi,
    restricted_solution,
)

INF = np.inf
PAIRS = {
    "laplace": (LaplaceDistribution(0), LaplaceDistribution(1)),
    "gaussian": (GaussianDistribution(0), GaussianDistribution(1)),
}

# Polynomials of degree 1, 2, 3 by quadrature with a dual certificate at 40 digits, an independent computation
FIGURES = {
    ("laplace", 1.5): (0.352533113373871359, 0.35365023264138601, 0.3911617129569393),
    ("laplace", 2): (0.405465108108164382, 0.438254930931155252, 0.474910552065863333),
    ("laplace", 3): (0.415186726387883267, 0.568684928544324599, 0.569287926091530821),
    ("laplace", 5): (0.406170318297263265, 0.655095067214723087, 0.692763631982131711),
    ("laplace", 8): (0.398099102157103221, 0.687848547275233025, 0.768519131982861219),
    ("gaussian", 1.5): (0.679453317004817766, 0.742983127844729948, 0.749621033679295225),
    ("gaussian", 2): (0.693147180559945309, 0.916290731874155065, 0.980829253011726237),
    ("gaussian", 3): (0.650958573167633746, 1.02129516447432097, 1.2423598646598241),
    ("gaussian", 5): (0.608794983092229095, 1.03410167358430314, 1.34909234665477409),
    ("gaussian", 8): (0.585304175186921119, 1.02585402354643935, 1.37309258614549865),
}
TEN_DIGITS = {
    ("laplace", 20): (0.3889421427, 0.7103775346, 0.8333164443),
    ("laplace", 100): (0.3838008436, 0.7188664231, 0.8622531981),
    ("gaussian", 20): (0.5626682184, 1.0112630076, 1.3803156978),
    ("gaussian", 100): (0.5510292624, 1.0017463327, 1.3791707935),
}


# Mechanisms


@pytest.mark.slow
@pytest.mark.parametrize(("name", "alpha"), FIGURES)
def test_figures_of_the_paper(name, alpha):
    """All operations are sums of positive terms with 16 digits, and values are of size one, so 1e-14 is rounding."""
    for degree, want in enumerate(FIGURES[name, alpha], 1):
        assert restricted_renyi(*PAIRS[name], alpha, Polynomials(degree)) == pytest.approx(want, abs=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "alpha"), TEN_DIGITS)
def test_large_orders(name, alpha):
    for degree, want in enumerate(TEN_DIGITS[name, alpha], 1):
        assert restricted_renyi(*PAIRS[name], alpha, Polynomials(degree)) == pytest.approx(want, abs=6e-11)


@pytest.mark.slow
@pytest.mark.parametrize("degree", range(1, 8))
def test_order_two_of_the_gaussian_is_a_partial_sum(degree):
    """log sum_{j <= k} (shift / sigma)^(2 j) / j!, by the Hermite expansion of dP/dQ."""
    for shift, sigma in ((1, 1), (0.3, 2), (4, 1.5)):
        want = math.log(sum((shift / sigma) ** (2 * j) / math.factorial(j) for j in range(degree + 1)))
        p, q = GaussianDistribution(7, sigma), GaussianDistribution(7 + shift, sigma)
        assert restricted_renyi(p, q, 2, Polynomials(degree)) == pytest.approx(want, rel=1e-12)


def test_order_two_is_a_quadratic_form():
    """1 + 2 D = m^T G^-1 m with the exact moments m of P and G of Q, in rationals."""
    power = [math.factorial(k) * (k % 2 == 0) for k in range(11)]
    for degree in range(1, 6):
        gram = mpmath.matrix([[power[i + j] for j in range(degree + 1)] for i in range(degree + 1)])
        shifted = [sum(math.comb(k, j) * power[j] for j in range(k + 1)) for k in range(degree + 1)]
        with mpmath.workdps(40):
            m = mpmath.matrix(shifted)
            want = float(mpmath.log((m.T * mpmath.lu_solve(gram, m))[0]))
        assert restricted_renyi(*PAIRS["laplace"], 2, Polynomials(degree)) == pytest.approx(want, rel=1e-12)


def density(name, x):
    return mpmath.exp(-abs(x)) / 2 if name == "laplace" else mpmath.npdf(x)


def roots_of(coefficients):
    z = np.roots([float(c) for c in coefficients[::-1]])
    return sorted({0.0, *z.real[abs(z.imag) < 1e-9].tolist()})


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize(("alpha", "degree"), [(1.3, 2), (1.7, 5), (2.5, 4), (6, 3), (60, 2), (100, 5)])
@pytest.mark.parametrize("extension", ["absolute", "positive"])
def test_certificate_by_mpmath(name, alpha, degree, extension):
    """Value and moments of the certificate by mpmath's quadrature, which does not use the nodes of the solver."""
    found = restricted_solution(*PAIRS[name], Polynomials(degree), alpha=alpha, extension=extension)
    c, power = [mpmath.mpf(float(x)) for x in found.coefficients], alpha / (alpha - 1)
    cuts = roots_of(found.coefficients)
    cuts = [min(cuts) - d for d in (150, 50, 18, 6, 2)] + cuts + [max(cuts) + d for d in (2, 6, 18, 50, 150)]

    def h(z):
        y = mpmath.polyval(c[::-1], z)
        return y if extension == "absolute" else max(y, mpmath.mpf(0))

    def r(z):
        return mpmath.sign(h(z)) * abs(h(z)) ** (power - 1)

    norm = mpmath.quad(lambda z: abs(h(z)) ** power * density(name, z), cuts)
    assert float(-mpmath.log(norm)) == pytest.approx(found.value, abs=1e-10)  # E_P h = 1
    mass = mpmath.quad(lambda z: r(z) * density(name, z), cuts)
    for k in range(1, degree + 1):
        moment = mpmath.quad(lambda z, k=k: r(z) * z**k * density(name, z), cuts) / mass
        want = mpmath.quad(lambda z, k=k: (z - 1) ** k * density(name, z), [-60, -5, 0, 5, 60])  # P is centred at -1
        size = mpmath.quad(lambda z, k=k: abs(r(z) * z**k) * density(name, z), cuts) / mass
        assert abs(moment - want) < 1e-9 * size
    assert found.value <= found.upper <= found.value + 1e-9 * (1 + found.value)  # as documented


@pytest.mark.slow
def test_positive_extension():
    """Degree 1, by maximising A log E_P (x - t)_+ over t; two of the ten values printed elsewhere are wrong."""
    for name, alpha, want in (
        ("laplace", 1.5, 0.3538877793),
        ("laplace", 10, 0.6485513998),
        ("gaussian", 2, 0.7714401764),
    ):
        got = restricted_renyi(*PAIRS[name], alpha, Affine(), extension="positive")
        assert got == pytest.approx(want, abs=6e-11)
    for alpha in (5, 10):
        power = alpha / (alpha - 1)

        def objective(t, power=power):
            tail = mpmath.quad(lambda x: (x - t) ** power * mpmath.npdf(x), [t, t + 1, t + 3, t + 8, t + 20])
            return -float(power * mpmath.log(1 - t) - mpmath.log(tail))  # P centred at 1, h = x - t

        best = scipy.optimize.minimize_scalar(objective, bounds=(-0.5, 0.6), method="bounded", options={"xatol": 1e-9})
        p, q = GaussianDistribution(1), GaussianDistribution(0)
        assert restricted_renyi(p, q, alpha, Affine(), extension="positive") == pytest.approx(-best.fun, abs=1e-12)


@pytest.mark.slow
def test_kl_closed_forms():
    for e in (0.01, 0.5, 1, 5, 40):
        s = math.sqrt(1 + e * e)
        p, q = LaplaceDistribution(0, 1 / e), LaplaceDistribution(1, 1 / e)
        assert restricted_kl(p, q, Affine()) == pytest.approx(s - 1 - math.log((s + 1) / 2), rel=1e-10, abs=1e-15)
    for m1, s1, m2, s2 in ((0, 2, 1, 1), (0, 1, 1, 3), (-1, 0.3, 2, 1.7)):
        p, q = GaussianDistribution(m1, s1), GaussianDistribution(m2, s2)
        assert restricted_kl(p, q, Affine()) == pytest.approx((m1 - m2) ** 2 / (2 * s2**2), rel=1e-12)
        full = math.log(s2 / s1) + (s1**2 + (m1 - m2) ** 2) / (2 * s2**2) - 0.5
        for degree in (2, 3, 4):  # log dP/dQ is quadratic
            assert restricted_kl(p, q, Polynomials(degree)) == pytest.approx(full, rel=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("degree", [2, 4])
def test_kl_of_the_laplace_mechanism(degree):
    """The density e^(h - 1) q has the moments of P, by mpmath's quadrature: it is the I-projection."""
    found = restricted_solution(*PAIRS["laplace"], Polynomials(degree))
    c = [mpmath.mpf(float(x)) for x in found.coefficients]
    cuts = [-200, -60, -20, -8, -3, 0, 3, 8, 20, 60, 200]
    for k in range(degree + 1):
        tilted = mpmath.quad(lambda z, k=k: z**k * mpmath.exp(mpmath.polyval(c[::-1], z) - 1 - abs(z)) / 2, cuts)
        want = sum(math.comb(k, j) * (-1) ** (k - j) * math.factorial(j) * (j % 2 == 0) for j in range(k + 1))
        assert float(tilted) == pytest.approx(want, rel=1e-9)
    mean = [1, -1, 3, -7, 37]  # E_P x^k, P at -1
    assert sum(float(a) * b for a, b in zip(c, mean, strict=False)) - 1 == pytest.approx(found.value, abs=1e-11)
    below = restricted_kl(*PAIRS["laplace"], Polynomials(degree - 1))
    assert below < found.value < 1 - 1 + math.exp(-1)


def test_polynomials_on_far_and_narrow_points():
    """The class is invariant under affine maps of the points; log(m G^-1 m), alpha = 2, in rationals."""
    p, q = [Fraction(n, 20) for n in (4, 6, 2, 5, 3)], [Fraction(n, 10) for n in (1, 2, 3, 2, 2)]
    for degree in (1, 2, 3):
        moment = [[sum(w * x**k for x, w in enumerate(law)) for k in range(2 * degree + 1)] for law in (p, q)]
        rows = [moment[1][i : i + degree + 1] for i in range(degree + 1)]
        gram = sympy.Matrix(rows).applyfunc(sympy.Rational)
        m = sympy.Matrix([sympy.Rational(x) for x in moment[0][: degree + 1]])
        want = float(sympy.log((m.T * gram.inv() * m)[0]).n(20))
        for start, step in ((0, 1), (1e6, 1), (-1e12, 1), (0, 1e-100), (3, 2.0**-30)):
            points = [start + step * i for i in range(5)]
            got = restricted_renyi([float(w) for w in p], [float(w) for w in q], 2, Polynomials(degree), points=points)
            assert got == pytest.approx(want, rel=1e-11)


@pytest.mark.slow
def test_laws_of_polynomial_classes():
    """Larger classes have larger values; (1 - 1/alpha) D does not decrease in alpha, by Lyapunov's inequality."""
    orders = (1.05, 1.2, 2, 4, 11, 40, 100)
    for p, q in (*PAIRS.values(), (LaplaceDistribution(0, 2), GaussianDistribution(0.5))):
        table = np.array([[restricted_renyi(p, q, a, Polynomials(k)) for a in orders] for k in (1, 2, 3)])
        assert (np.diff(table, axis=0) > -1e-12).all()
        assert (np.diff((1 - 1 / np.array(orders)) * table, axis=1) > -1e-12).all()


@pytest.mark.slow
def test_multiprecision_mechanisms():
    got = at_digits(restricted_renyi, 16, *PAIRS["laplace"], 3, Polynomials(2))
    with mpmath.workdps(20):
        assert abs(mpmath.mpf(got) - mpmath.mpf("0.568684928544324599")) < mpmath.mpf(10) ** -16


# Points


def random_pair(rng, n):
    return rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n))


def conjugate(alpha, extension, s):
    """Return f* as printed in Lemma 3, or exp(s - 1)."""
    if alpha is None:
        return np.exp(s - 1)
    power = alpha / (alpha - 1)
    size = abs(s) if extension == "absolute" else np.maximum(s, 0)
    return (alpha - 1) ** power / alpha * size**power + 1 / (alpha * (alpha - 1))


def divergence(p, q, alpha, extension, function_class):
    if alpha is None:
        return restricted_kl(p, q, function_class)
    return restricted_alpha_divergence(p, q, alpha, function_class, extension=extension)


@pytest.mark.slow
@pytest.mark.parametrize(("alpha", "extension"), [(None, ""), (1.4, "absolute"), (3, "absolute"), (3, "positive")])
def test_bounded_classes_by_scipy(alpha, extension):
    """Compared with SLSQP on (2), with ftol 1e-13; the dual bound is checked to 1e-11."""
    rng = np.random.default_rng(0)
    p, q = random_pair(rng, 9)
    g = rng.normal(size=(9, 3))
    gram = g @ g.T + np.eye(9)
    root = np.linalg.cholesky(gram)

    def best(functions, start, bounds=None, constraints=()):
        def loss(c):
            h = functions @ c
            return (q * conjugate(alpha, extension, h)).sum() - p @ h

        options = {"ftol": 1e-15, "maxiter": 1000}
        outcome = scipy.optimize.minimize(loss, start, bounds=bounds, constraints=constraints, options=options)
        return -outcome.fun

    ones = np.ones((9, 1))
    sum_to_one = {"type": "eq", "fun": lambda c: c.sum() - 1}
    in_ball = {"type": "ineq", "fun": lambda c: 0.49 - c[1:] @ c[1:]}
    cases = (
        (Box(g, -0.5, [0.1, 0.2, 0.3]), best(g, np.zeros(3), [(-0.5, 0.1), (-0.5, 0.2), (-0.5, 0.3)])),
        (ConvexHull(g), best(g, np.ones(3) / 3, [(0, 1)] * 3, [sum_to_one])),
        (
            Box(g, -0.5, 0.5, intercept=True),
            best(np.hstack([ones, g]), np.array([1.0, 0, 0, 0]), [(None, None)] + [(-0.5, 0.5)] * 3),
        ),
        (
            RKHSBall(gram, 0.7, intercept=True),
            best(np.hstack([ones, root]), np.r_[1.0, np.full(9, 0.01)], None, [in_ball]),
        ),
    )
    for function_class, want in cases:
        got = divergence(p, q, alpha, extension, function_class)
        assert got >= want - 1e-10 and got == pytest.approx(want, abs=2e-7)  # SLSQP may stop short, never above


@pytest.mark.slow
def test_all_functions_give_the_unrestricted_divergence():
    rng = np.random.default_rng(1)
    p, q = random_pair(rng, 6)
    for alpha in (1.2, 2, 3.5, 20, 100):
        want = math.log((p**alpha * q ** (1 - alpha)).sum()) / (alpha - 1)
        for extension in ("absolute", "positive"):
            got = restricted_renyi(p, q, alpha, Affine(np.eye(6)), extension=extension)
            assert got == pytest.approx(want, abs=1e-10)
    assert restricted_kl(p, q, Affine(np.eye(6))) == pytest.approx((p * np.log(p / q)).sum(), abs=1e-11)


def test_exact_small_cases():
    """1 + a D in rationals: the signed and the positive dual of `lin` on three points, alpha = 2, and two points."""
    p, q, x = [0.05, 0.05, 0.9], [0.5, 0.4, 0.1], [0, 1, 6]
    signed = restricted_alpha_divergence(p, q, 2, Affine(), points=x)
    assert signed == pytest.approx(3.3004166666666666, rel=1e-13)
    assert restricted_alpha_divergence(p, q, 2, Affine(), points=x, extension="positive") == pytest.approx(3.475625)
    v = 0.25
    want = math.log(((1 + v) ** 3 + (1 - v) ** 3) / 2) / 2
    assert restricted_renyi([(1 + v) / 2, (1 - v) / 2], [0.5, 0.5], 3, Affine()) == pytest.approx(want, rel=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1.3, 2, 5, 40, 100])
def test_extensions_at_random(alpha):
    """Sums over the primal function and the density, computed here from (M) and the dual, certify the values."""
    rng = np.random.default_rng(2)
    power = alpha / (alpha - 1)
    for _ in range(4):
        p, q = random_pair(rng, 12)
        x = rng.normal(size=(12, 2))
        values = []
        for extension in ("absolute", "positive"):
            found = restricted_solution(p, q, Affine(), alpha=alpha, points=x, extension=extension)
            h = abs(found.maximiser) if extension == "absolute" else np.maximum(found.maximiser, 0)
            assert power * np.log(p @ found.maximiser) - np.log(q @ h**power) == pytest.approx(found.value, abs=1e-10)
            r = found.density
            assert np.log(q @ abs(r) ** alpha) / (alpha - 1) <= found.value + 1e-9
            assert q @ r == pytest.approx(1, abs=1e-9) and (q * r) @ x == pytest.approx(p @ x, abs=1e-8)
            assert extension == "absolute" or (r >= 0).all()
            values.append(found.value)
        assert values[0] <= values[1] + 1e-10 and values[1] <= np.log((p**alpha * q ** (1 - alpha)).sum()) / (alpha - 1)


def test_separated_distributions():
    """+inf if a function of the class vanishes on Q, but not on P, or is negative on Q; finite otherwise."""
    line = Affine()
    assert restricted_renyi([1, 0], [0, 1], 3, line) == restricted_kl([1, 0], [0, 1], line) == INF
    below, above = [1, 0, 0], [0, 0.5, 0.5]
    assert restricted_kl(below, above, line) == INF
    assert restricted_renyi(below, above, 3, line, extension="positive") == INF
    want = math.log((4**3 + 2**3) / 2) / 2  # the signed density (4, -2) has the mean of P
    assert restricted_renyi(below, above, 3, line) == pytest.approx(want, rel=1e-11)
    inside, around = [0, 1, 0], [0.5, 0, 0.5]  # r = 1
    assert restricted_kl(inside, around, line) == pytest.approx(0, abs=1e-11)
    # P on the boundary of Q's hull: the maximiser diverges, and the value is that of the face
    edge = restricted_kl([0, 0.6, 0.4], [0.2, 0.5, 0.3], Affine(np.eye(3)))
    assert edge == pytest.approx(0.6 * math.log(0.6 / 0.5) + 0.4 * math.log(0.4 / 0.3), abs=1e-11)


def test_samples_are_weights_on_their_points():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(30, 2)), rng.normal(size=(40, 2)) + 0.3
    m, n = np.r_[np.ones(30), np.zeros(40)], np.r_[np.zeros(30), np.ones(40)]
    monomials = Affine(lambda z: np.stack([z[:, 0], z[:, 1], z[:, 0] ** 2, z[:, 0] * z[:, 1], z[:, 1] ** 2], 1))
    for alpha in (1.5, 4):
        got = restricted_renyi(Sample(x), Sample(y), alpha, Polynomials(2))
        assert got == pytest.approx(restricted_renyi(m, n, alpha, monomials, points=np.r_[x, y]), abs=1e-10)
    gram = np.c_[np.ones(40), y].T @ np.c_[np.ones(40), y] / 40
    mean = np.r_[1, x.mean(0)]
    want = math.log(mean @ np.linalg.solve(gram, mean))
    assert restricted_renyi(Sample(x), Sample(y), 2, Affine()) == pytest.approx(want, rel=1e-11)


@pytest.mark.slow
def test_multiprecision_points():
    """Rational cases: alpha = 2, 1 + 2 D = m^T G^-1 m; and two points whose powers have no roots."""
    p, q = ["1/20", "1/20", "9/10"], ["1/2", "2/5", "1/10"]
    got = at_digits(restricted_renyi, 20, p, q, 2, Affine(), points=[0, 1, 6])
    with mpmath.workdps(30):
        assert abs(mpmath.mpf(got) - mpmath.log(mpmath.mpf("7.60083333333333333333333333333333"))) < 1e-18
    for alpha, extension in itertools.product((3, 5), ("absolute", "positive")):
        got = at_digits(restricted_renyi, 15, ["1/4", "3/4"], ["1/2", "1/2"], alpha, Affine(), extension=extension)
        with mpmath.workdps(25):
            want = mpmath.log((mpmath.mpf(1) / 2**alpha + mpmath.mpf(3) ** alpha / 2**alpha) / 2) / (alpha - 1)
            assert abs(mpmath.mpf(got) - want) < mpmath.mpf(10) ** -14
    box = Box([["1"], ["-1"]], "-1/2", "1/2")
    got = at_digits(restricted_kl, 15, ["1/4", "3/4"], ["1/2", "1/2"], box)
    with mpmath.workdps(25):  # h = -+1/2, where the bound is active
        assert abs(mpmath.mpf(got) - (mpmath.mpf(1) / 4 - mpmath.cosh(mpmath.mpf(1) / 2) / mpmath.e)) < 1e-13


# Bad input


P, Q = [0.5, 0.5], [0.25, 0.75]
L = LaplaceDistribution()
BAD = {
    "alpha": (lambda: restricted_renyi(P, Q, 1, Affine()), ValueError, ["alpha must be in (1, inf)", "1"]),
    "alpha NaN": (lambda: restricted_renyi(P, Q, math.nan, Affine()), ValueError, ["alpha", "nan"]),
    "alphas": (lambda: restricted_renyi(P, Q, [2, 3], Affine()), TypeError, ["alpha must be one number"]),
    "class": (lambda: restricted_kl(P, Q, "lin"), TypeError, ["function_class must be Affine", "'lin'"]),
    "extension": (lambda: restricted_renyi(P, Q, 2, Affine(), extension="plus"), ValueError, ["extension", "'plus'"]),
    "degree": (lambda: Polynomials(0), ValueError, ["degree", "1 to 20", "0"]),
    "degree kind": (lambda: Polynomials(2.0), TypeError, ["degree", "integer", "2.0"]),
    "mixed": (lambda: restricted_kl(L, Q, Affine()), TypeError, ["q must be a mechanism"]),
    "mixed sample": (lambda: restricted_kl(P, Sample([1]), Affine()), TypeError, ["p must be a Sample"]),
    "points": (lambda: restricted_kl(P, Q, Affine(), points=[1]), ValueError, ["points must be as many", "2", "1"]),
    "points of mechanisms": (lambda: restricted_kl(L, L, Affine(), points=[1]), ValueError, ["points must be None"]),
    "scale": (lambda: restricted_kl(L, LaplaceDistribution(0, 0), Affine()), ValueError, ["scale must be positive"]),
    "kernel of mechanisms": (
        lambda: restricted_kl(L, L, RKHSBall(lambda x, y: math.tanh(x[0]) * math.tanh(y[0]), 1), arithmetic=MP(20)),
        TypeError,
        ["kernel", "mpmath"],
    ),
    "values between mechanisms": (
        lambda: restricted_kl(L, L, Box([1], 0, 1), arithmetic=MP(20)),
        TypeError,
        ["functions must be a callable between mechanisms"],
    ),
    "q zero": (lambda: restricted_kl(P, [0, 0], Affine()), ValueError, ["q must be weights that are not all zero"]),
    "features": (lambda: restricted_kl(P, Q, Affine(np.eye(3))), ValueError, ["features", "(2, m)", "(3, 3)"]),
    "box": (lambda: restricted_kl(P, Q, Box([1, 2], 1, 0)), ValueError, ["low must be less than high"]),
    "box size": (lambda: restricted_kl(P, Q, Box([1, 2], [0, 0], 1)), ValueError, ["low must be one number or 1"]),
    "radius": (lambda: restricted_kl(P, Q, RKHSBall(np.eye(2), 0)), ValueError, ["radius must be positive"]),
    "gram": (lambda: restricted_kl(P, Q, RKHSBall(np.eye(3), 1)), ValueError, ["kernel", "2 points", "3"]),
    "(3) undefined": (
        lambda: restricted_renyi(P, Q, 2, ConvexHull([3.0, 3.0])),
        ValueError,
        ["function_class must be a class for which (3) is defined"],
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    call, error, parts = BAD[name]
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error and all(part in str(caught.value) for part in parts)
    assert not isinstance(caught.value, PrecisionError)


def powers(degree):
    """Return the features of polynomials, for the classes with arbitrary features."""
    return lambda x: np.asarray(x, dtype=float).reshape(-1, 1) ** np.arange(1, degree + 1)


@pytest.mark.slow
@pytest.mark.parametrize("family", [LaplaceDistribution, GaussianDistribution])
@pytest.mark.parametrize(("degree", "alpha"), [(1, 1.5), (1, 8), (2, 3), (2, 8)])
def test_any_features_between_mechanisms(family, degree, alpha):
    """By quadrature on nodes; polynomials have their own algorithm. The tolerance is 1e-9 of 1 + |value|."""
    want = restricted_renyi(family(0), family(1), alpha, Polynomials(degree))
    found = restricted_renyi(family(0), family(1), alpha, Affine(powers(degree)))
    assert found == pytest.approx(want, abs=2e-9 * (1 + want))


@pytest.mark.slow
@pytest.mark.parametrize("family", [LaplaceDistribution, GaussianDistribution])
def test_bounded_classes_between_mechanisms(family):
    """H = {s tanh(x) : s in [-1, 2]}: E_P s h - E_Q exp(s h - 1), by scipy's quadrature and its search over s."""
    law = scipy.stats.laplace if family is LaplaceDistribution else scipy.stats.norm

    def expectation(f, location):
        density = law(location, 1).pdf
        return scipy.integrate.quad(lambda x: f(x) * density(x), -30, 30, points=[0, 1], epsabs=1e-13, limit=400)[0]

    def loss(s):
        return expectation(lambda x: math.exp(s * math.tanh(x) - 1), 0) - s * expectation(math.tanh, 1)

    best = scipy.optimize.minimize_scalar(loss, bounds=(-1, 2), method="bounded", options={"xatol": 1e-9})
    s = min((best.x, -1, 2), key=loss)  # the search does not evaluate the ends

    def tanh(x):
        return np.tanh(np.asarray(x, dtype=float).reshape(-1, 1))

    found = restricted_solution(family(1), family(0), Box(tanh, [-1], [2]))
    assert float(found.value) == pytest.approx(-loss(s), abs=2e-9)
    assert found.maximiser(0.5) == pytest.approx(s * math.tanh(0.5), abs=1e-4)  # between nodes
    hull = restricted_kl(family(1), family(0), ConvexHull(tanh))
    assert hull == pytest.approx(-loss(1), abs=2e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("degree", "alpha", "extension"),
    [(5, 100, "absolute"), (4, 30, "absolute"), (5, 10, "absolute"), (4, 30, "positive")],
)
def test_distant_gaussians_are_computed_in_float64(degree, alpha, extension):
    """If float64 loses too many digits, more are used. The maximiser attains the value, by mpmath's quadrature of
    a/(a-1) log E_P h - log E_Q |h|^(a/(a-1)), and the dual bound is within the documented 1e-9.
    """
    found = restricted_solution(
        GaussianDistribution(0), GaussianDistribution(3), Polynomials(degree), alpha=alpha, extension=extension
    )
    assert isinstance(found.value, float)
    assert 0 <= found.gap <= 1e-9 * (1 + found.value)
    with mpmath.workdps(40):
        c, power = [mpmath.mpf(float(x)) for x in found.coefficients], mpmath.mpf(alpha) / (alpha - 1)

        def h(x):
            y = mpmath.polyval(c[::-1], x - 3)
            return max(y, 0) if extension == "positive" else abs(y)

        roots = [r.real + 3 for r in mpmath.polyroots(c[::-1], maxsteps=500, extraprec=500) if abs(r.imag) < 1e-15]
        cuts = sorted({*(mpmath.mpf(x) for x in range(-12, 22, 3)), *(r for r in roots if -12 < r < 21)})
        mean = mpmath.quad(lambda x: mpmath.polyval(c[::-1], x - 3) * mpmath.npdf(x), cuts)
        spread = mpmath.quad(lambda x: h(x) ** power * mpmath.npdf(x, 3), cuts)
        attained = power * mpmath.log(mean) - mpmath.log(spread)
    assert found.value == pytest.approx(float(attained), abs=1e-8)  # coefficients rounded to float64


@pytest.mark.slow
@pytest.mark.parametrize(
    ("p", "q", "points", "want"),
    [
        # (E_P h)^2 / E_Q max(h, 0)^2 at h = x + c, maximised over c in rationals
        ([0.05, 0.8, 0.15], [0.5, 0.01, 0.49], [0, 1, -1], 3.7493864219505896),
        ([0.3, 0.7], [1e-30, 1], [0, 1], math.log(0.09e30 + 0.49)),
        ([0.3, 0.7], [1e-300, 1], [0, 1], math.log(0.09) + 300 * math.log(10)),
    ],
)
def test_float64_uses_more_digits_against_cancellation(p, q, points, want):
    """Degree 1 on two points gives all functions, and so the Renyi divergence."""
    extension = "positive" if len(p) == 3 else "absolute"
    found = restricted_solution(p, q, Affine(), alpha=2, points=points, extension=extension)
    assert found.value == pytest.approx(want, rel=1e-12)
    assert found.upper >= found.value * (1 - 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("extension", ["absolute", "positive"])
@pytest.mark.parametrize(("name", "degree", "alpha"), [("laplace", 1, 100), ("gaussian", 2, 30), ("laplace", 2, 1.1)])
def test_affine_functions_of_features_at_extreme_orders(name, degree, alpha, extension):
    """The class is that of polynomials, which use other nodes; both pairs of bounds enclose the same value."""
    want = restricted_solution(*PAIRS[name], Polynomials(degree), alpha=alpha, extension=extension)
    found = restricted_solution(*PAIRS[name], Affine(powers(degree)), alpha=alpha, extension=extension)
    assert found.value == pytest.approx(want.value, abs=1e-10 * (1 + want.value))
    assert found.value <= want.upper + 1e-12 and want.value <= found.upper + 1e-12


def test_no_value_is_returned_if_the_kl_supremum_is_not_attained():
    """E_Q e^h is infinite for every cubic with a leading term; on a bounded window it would seem finite."""
    with pytest.raises(PrecisionError):
        restricted_kl(*PAIRS["gaussian"], Affine(powers(3)))


@pytest.mark.parametrize("extension", ["absolute", "positive"])
def test_multiprecision_classes_of_one_function(extension):
    """With one function h, (2) is a sum."""
    p, q = ["1/4", "3/4"], ["1/2", "1/2"]
    got = at_digits(restricted_alpha_divergence, 20, p, q, 3, ConvexHull([["1/2"], ["-1"]]), extension=extension)
    with mpmath.workdps(30):
        h, a = [mpmath.mpf("0.5"), mpmath.mpf(-1)], mpmath.mpf(3)
        size = [abs(x) if extension == "absolute" else max(x, 0) for x in h]
        conjugate_mean = sum(2 ** (a / 2) / 3 * x ** (a / 2) for x in size) / 2
        want = h[0] / 4 + 3 * h[1] / 4 - conjugate_mean - mpmath.mpf(1) / 6
        assert abs(mpmath.mpf(got) - want) < mpmath.mpf(10) ** -19


@pytest.mark.slow
def test_multiprecision_box_of_a_high_order():
    """Order 50 agrees with float64 within its certificate."""
    p, q = ["1/10", "2/10", "3/10", "1/10", "3/10"], ["3/10", "1/10", "2/10", "2/10", "2/10"]
    g = [["1/3", "-1"], ["1/2", "2"], ["0", "1/7"], ["-1", "1"], ["2", "1/9"]]
    high = at_digits(restricted_renyi, 15, p, q, 50, Box(g, -1, 2))
    plain, other = ([float(Fraction(x)) for x in w] for w in (p, q))
    box = Box([[float(Fraction(x)) for x in row] for row in g], -1, 2)
    low = restricted_solution(plain, other, box, alpha=50)
    assert abs(float(high) - low.value) <= low.gap + 1e-12


# By tanh-sinh quadrature at 220 bits around the roots of h, bounded from both sides to the digits given
HARD = {
    ("laplace", 3, 5, 1.01, "positive"): 1.9500045120814262,
    ("gaussian", 3, 5, 100, "positive"): 10.588872494709085,
    ("gaussian", 3, 5, 10, "absolute"): 5.515355943016098,
    ("laplace", 0.1, 3, 30, "positive"): 0.053539200932633244,
    ("laplace", 1, 5, 1.1, "absolute"): 0.29500066555864113,
    ("laplace", 3, 4, None, "absolute"): 1.9389441075287093,
}


@pytest.mark.slow
@pytest.mark.parametrize("case", HARD)
def test_hard_polynomials(case):
    name, shift, degree, alpha, extension = case
    law = LaplaceDistribution if name == "laplace" else GaussianDistribution
    found = restricted_solution(law(0), law(shift), Polynomials(degree), alpha=alpha, extension=extension)
    assert found.value == pytest.approx(HARD[case], rel=1e-12)
    assert abs(found.value - HARD[case]) <= found.gap + 2e-15 * (1 + HARD[case])


def mp_powers(degree):
    return lambda x: np.concatenate([x**k for k in range(1, degree + 1)], 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "alpha", "extension", "want"),
    [
        ("gaussian", 2, "absolute", mpmath.log),
        ("laplace", None, "", lambda x: mpmath.sqrt(x) - 1 - mpmath.log((mpmath.sqrt(x) + 1) / 2)),
    ],
)
def test_multiprecision_features_by_closed_forms(name, alpha, extension, want):
    """Feature x: log 2 of the Gaussian's order 2, sqrt 2 - 1 - log((sqrt 2 + 1) / 2) of the Laplace's KL."""
    with mpmath.workdps(40):
        exact = want(mpmath.mpf(2))
    options = {} if alpha is None else {"alpha": alpha, "extension": extension}
    found = restricted_solution(*PAIRS[name], Affine(mp_powers(1)), arithmetic=MP(25), **options)
    assert abs(found.value - exact) <= found.gap + mpmath.mpf(10) ** -24
    assert found.gap < mpmath.mpf(10) ** -15  # the tolerance is 10^(10 - digits)


@pytest.mark.slow
def test_multiprecision_features_by_mpmath():
    """tanh x, "positive" and alpha = 8: the best h = b - tanh x (E_P tanh = 0) by mpmath's quadrature and the root in b
    of the derivative of A log b - log E_Q h_+^A.
    """
    functions = Affine(np.frompyfunc(mpmath.tanh, 1, 1))
    found = restricted_solution(*PAIRS["laplace"], functions, alpha=8, extension="positive", arithmetic=MP(25))
    with mpmath.workdps(25):
        power = mpmath.mpf(8) / 7

        def tail(b, power):
            cuts = [-80, -9, -3, 0, mpmath.atanh(b)]  # the zero of h, below the location of Q
            return mpmath.quad(lambda x: max(b - mpmath.tanh(x), 0) ** power * mpmath.exp(x - 1) / 2, cuts)

        b = mpmath.findroot(lambda b: b * tail(b, power - 1) - tail(b, power), (0.7, 0.8), solver="anderson")
        assert mpmath.atanh(b) < 1
        want = power * mpmath.log(b) - mpmath.log(tail(b, power))
        assert abs(found.value - want) < mpmath.mpf(10) ** -15
        assert abs(found.coefficients[0] / found.coefficients[1] + b) < mpmath.mpf(10) ** -12


@pytest.mark.slow
def test_multiprecision_step():
    """The feature 1_{x > 0} has two cells, and the value is the Renyi divergence of their probabilities."""
    step = Affine(lambda x: x > 0)
    found = restricted_solution(*PAIRS["laplace"], step, alpha=2, arithmetic=MP(20))
    with mpmath.workdps(30):
        left = mpmath.exp(-1) / 2
        want = mpmath.log((1 / left + 1 / (1 - left)) / 4)
        assert abs(found.value - want) < mpmath.mpf(10) ** -15


@pytest.mark.slow
@pytest.mark.parametrize(
    ("features", "parts"),
    [(np.tanh, ["np.tanh(x) is not", "no callable tanh method"]), (powers(1), ["np.tanh(x) is not", "float64"])],
)
def test_features_that_round_are_rejected_in_multiprecision(features, parts):
    with pytest.raises(TypeError) as caught:
        restricted_kl(*PAIRS["laplace"], Affine(features), arithmetic=MP(25))
    assert str(caught.value).startswith("features must be") and all(part in str(caught.value) for part in parts)


def tanh(x):
    return np.tanh(x) if x.dtype == float else np.frompyfunc(mpmath.tanh, 1, 1)(x)


def tanh_and_bump(x):
    return np.concatenate([tanh(x), 1 / (1 + x * x)], 1)


@pytest.mark.slow
def test_multiprecision_box_around_the_best_function():
    """It gives the same as affine functions: 1.56 and -2.08 are within 3."""
    options = {"alpha": 3, "extension": "positive", "arithmetic": MP(22)}
    p, q = LaplaceDistribution(1), LaplaceDistribution(0)
    box = restricted_solution(p, q, Box(tanh_and_bump, -3, 3, intercept=True), **options)
    affine = restricted_solution(p, q, Affine(tanh_and_bump), **options)
    assert abs(box.value - affine.value) <= box.gap + affine.gap
    assert max(box.gap, affine.gap) < mpmath.mpf(10) ** -12 and abs(box.coefficients[2]) > 2


@pytest.mark.slow
def test_multiprecision_box_and_hull_at_their_boundaries():
    """s tanh at the boundary s = 3/10, and the hull of tanh only: E_P h - E_Q e^(h - 1) by mpmath's quadrature."""
    p, q = LaplaceDistribution(1), LaplaceDistribution(0)
    for function_class, s in ((Box(tanh, "-1", "0.3"), "0.3"), (ConvexHull(tanh), "1")):
        found = restricted_solution(p, q, function_class, arithmetic=MP(25))
        with mpmath.workdps(25):
            s = mpmath.mpf(s)
            cuts = [-80, -9, -2, 0, 1, 3, 9, 80]
            mean = mpmath.quad(lambda x: mpmath.tanh(x) * mpmath.exp(-abs(x - 1)) / 2, cuts)
            tilt = mpmath.quad(lambda x, s=s: mpmath.exp(s * mpmath.tanh(x) - 1 - abs(x)) / 2, cuts)
            assert abs(found.value - (s * mean - tilt)) < mpmath.mpf(10) ** -15
            assert abs(found.maximiser("0.5") - s * mpmath.tanh(0.5)) < mpmath.mpf(10) ** -20
            assert abs(found.density(0) - mpmath.exp(-1)) < mpmath.mpf(10) ** -20
        assert 0 <= found.gap < mpmath.mpf(10) ** -15


@pytest.mark.slow
def test_multiprecision_hull_of_two_functions():
    """c tanh x + (1 - c) / (1 + x^2) by the root in c of the derivative of E_P h - E_Q (2 h_+)^(3/2) / 3."""
    p, q = GaussianDistribution(1), GaussianDistribution(0)
    hull = ConvexHull(tanh_and_bump)
    found = restricted_solution(p, q, hull, alpha=3, extension="positive", arithmetic=MP(22))
    with mpmath.workdps(22):

        def bump(x):
            return 1 / (1 + x * x)

        means = [mpmath.quad(lambda x, g=g: g(x) * mpmath.npdf(x, 1), [-12, 0, 2, 14]) for g in (mpmath.tanh, bump)]

        def under_q(c, power, g):
            def h(x):
                return c * mpmath.tanh(x) + (1 - c) * bump(x)

            cuts = [mpmath.findroot(h, 0), 0.5, 3, 14]
            return mpmath.quad(lambda x: (2 * max(h(x), 0)) ** power * g(x) * mpmath.npdf(x), cuts)

        def slope(c):
            between = under_q(c, mpmath.mpf("0.5"), lambda x: mpmath.tanh(x) - bump(x))
            return means[0] - means[1] - between

        c = mpmath.findroot(slope, (0.97, 0.98))
        value = c * means[0] + (1 - c) * means[1] - under_q(c, mpmath.mpf("1.5"), lambda x: 1) / 3
        assert abs(found.value - mpmath.log(6 * value) / 2) < mpmath.mpf(10) ** -14
        assert abs(found.coefficients[0] - c) < mpmath.mpf(10) ** -11


def gaussian_kernel(x, y):
    return math.exp(-((x[0] - y[0]) ** 2) / 2)


@pytest.mark.slow
@pytest.mark.parametrize("radius", [0.5, 3])
def test_ball_between_gaussians(radius):
    """alpha = 2: h = (T + lambda)^-1 E_P k, T h = E_Q k h, on Gauss-Hermite nodes, lambda so that |h| = radius."""
    x, w = np.polynomial.hermite_e.hermegauss(60)
    w = w / w.sum()
    gram = np.exp(-((x[:, None] - x) ** 2) / 2)
    embedded = np.exp(-((x - 1) ** 2) / 4) / math.sqrt(2)  # E_P k(x, .), P = N(1, 1)

    def best(multiplier):
        h = np.linalg.solve(gram * w + multiplier * np.eye(60), embedded)
        mean = (1 / math.sqrt(3) - embedded @ (w * h)) / multiplier
        return mean, w @ h**2

    def norm(multiplier):
        mean, square = best(multiplier)
        return math.sqrt((mean - square) / multiplier)

    multiplier = scipy.optimize.brentq(lambda v: norm(v) - radius, 1e-3, 10, xtol=1e-15)
    mean, square = best(multiplier)
    p, q = GaussianDistribution(1), GaussianDistribution(0)
    found = restricted_solution(p, q, RKHSBall(gaussian_kernel, radius), alpha=2)
    assert found.value == pytest.approx(math.log(2 * mean - square), abs=2e-9)  # the tolerance
    assert 0 <= found.gap < 1e-9


@pytest.mark.slow
def test_ball_of_one_function_is_a_box():
    kernel = RKHSBall(lambda x, y: math.tanh(x[0]) * math.tanh(y[0]), 0.4, intercept=True)
    box = Box(np.tanh, -0.4, 0.4, intercept=True)
    for order in (None, 3):
        ball, want = (restricted_solution(*PAIRS["laplace"], h, alpha=order) for h in (kernel, box))
        assert ball.value == pytest.approx(want.value, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("family", ["gaussian", "laplace"])
def test_ball_of_two_functions_at_eighteen_digits(family):
    """alpha = 2: c = (E_Q f f^T + lambda)^-1 E_P f, |c| = radius, by mpmath's own quadrature."""
    law = GaussianDistribution if family == "gaussian" else LaplaceDistribution
    f = [mpmath.tanh, lambda x: mpmath.tanh(2 * x) / 2]
    with mpmath.workdps(30):

        def mean(g, location):
            density = mpmath.npdf if family == "gaussian" else lambda x, m: mpmath.exp(-abs(x - m)) / 2
            return mpmath.quad(lambda x: g(x) * density(x, location), [-80, -8, 0, 1, 8, 80])

        first = mpmath.matrix([mean(g, 1) for g in f])
        second = mpmath.matrix(2, 2)
        for i, j in np.ndindex(2, 2):
            second[i, j] = mean(lambda x, i=i, j=j: f[i](x) * f[j](x), 0)
        radius = mpmath.mpf(2) / 5

        def best(multiplier):
            return mpmath.lu_solve(second + multiplier * mpmath.eye(2), first)

        c = best(mpmath.findroot(lambda v: mpmath.norm(best(v)) ** 2 - radius**2, (0.1, 0.5)))
        want = mpmath.log(2 * (first.T * c)[0] - (c.T * second * c)[0])
    ball = RKHSBall(lambda x, y: sum(g(x[0]) * g(y[0]) for g in f), radius)
    found = restricted_solution(law(1), law(0), ball, alpha=2, arithmetic=MP(18))
    assert abs(found.value - want) < 1e-16
    assert 0 <= found.gap < 1e-16


@pytest.mark.slow
@pytest.mark.parametrize(("order", "extension"), [(None, "absolute"), (3, "absolute"), (3, "positive")])
def test_ball_of_one_function_is_a_box_in_multiprecision(order, extension):
    tanh = np.frompyfunc(mpmath.tanh, 1, 1)
    kernel = RKHSBall(lambda x, y: mpmath.tanh(x[0]) * mpmath.tanh(y[0]), 0.5, intercept=True)
    box = Box(tanh, -0.5, 0.5, intercept=True)
    ball, want = (
        restricted_solution(
            GaussianDistribution(1), GaussianDistribution(0), h, alpha=order, extension=extension, arithmetic=MP(18)
        )
        for h in (kernel, box)
    )
    assert abs(ball.value - want.value) < 1e-16


@pytest.mark.slow
def test_rough_kernels_are_rejected_between_mechanisms():
    with pytest.raises(PrecisionError, match="does not resolve the kernel"):
        restricted_kl(*PAIRS["gaussian"], RKHSBall(lambda x, y: math.exp(-5 * abs(x[0] - y[0])), 1))


def test_densities_beyond_floats_are_rejected_with_a_message():
    """Weights that differ by 127 and more orders of magnitude; warnings are errors."""
    q = [1.7428275020899222e-211, 2.2572065301367007e-127, 5.303859756714403e-265, 0.0, 1.0]
    p = [6.319568749222377e-190, 1.0, 0.0, 2.402319472930969e-26, 1.888253073567221e-149]
    with pytest.raises(PrecisionError, match="the density left the range of the numbers"):
        restricted_renyi(p, q, 1.0404085536513445, Polynomials(1), points=np.arange(5))
