"""Restricted divergences compared with closed forms, random functions and densities, and mpmath's solver."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
import scipy.optimize
from flint import arb, ctx, fmpq

import krdtheory
from krdtheory import ball
from krdtheory.ball import restricted
from krdtheory.divergences.restricted import (
    Affine,
    Box,
    ConvexHull,
    GaussianDistribution,
    LaplaceDistribution,
    Polynomials,
    RKHSBall,
    Sample,
)

INF = arb.pos_inf()
P, Q = [F(1, 4), F(1, 4), F(1, 2)], [F(1, 2), F(1, 4), F(1, 4)]
G = [[F(1), F(2)], [F(0), F(1)], [F(3), F(1, 3)]]
GRAM = [[2, 1, 0], [1, 2, 1], [0, 1, 2]]


@pytest.fixture(autouse=True)
def precision():
    with ctx.workprec(300):
        yield


def b(x):
    return arb(fmpq(F(x).numerator, F(x).denominator))


def weights(rng, n):
    return [F(int(v), 12) for v in rng.integers(1, 9, n)]


# Closed forms


@pytest.mark.parametrize("alpha", [F(101, 100), F(3, 2), 2, F(7, 3), 20])
def test_all_functions_give_the_divergence(alpha):
    """Quadratics on three points, and indicators. KL is not attained if p has zeros: there h would be -inf."""
    indicators = np.eye(3, dtype=int)
    for p, q in ((P, Q), ([1, 0, 2], [1, 1, 1]), ([0, 1, 0], [3, 1, 2])):
        total = sum(p), sum(q)
        p, q = ([F(x) / t for x in w] for w, t in zip((p, q), total, strict=True))
        for h in (Polynomials(2), Affine(indicators)):
            for extension in ("absolute", "positive"):
                value = ball.restricted_renyi(p, q, alpha, h, extension=extension, digits=30)
                assert value.overlaps(ball.renyi(p, q, alpha)) and value.rad() < 1e-30
            assert ball.restricted_kl(p, q, h, digits=30).overlaps(ball.kl(p, q))


def test_linear_adversary_of_order_two():
    """log(1 + (difference of means)^2 / Var_Q)."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        n = int(rng.integers(2, 7))
        p, q = weights(rng, n), weights(rng, n)
        p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
        x = [F(int(v), 3) for v in rng.permutation(20)[:n]]
        mean = [sum(w * t for w, t in zip(v, x, strict=True)) for v in (p, q)]
        variance = sum(w * t * t for w, t in zip(q, x, strict=True)) - mean[1] ** 2
        truth = b(1 + (mean[0] - mean[1]) ** 2 / variance).log()
        value = ball.restricted_renyi(p, q, 2, Affine(), points=x)
        assert value.overlaps(truth) and value.rad() < 1e-50


@pytest.mark.parametrize("alpha", [F(3, 2), 3])
def test_one_function(alpha):
    """H = {g}: E_P g - E_Q f*(g)."""
    g = [F(1), F(-1, 2), F(2)]
    reach, a = sum(x * t for x, t in zip(P, g, strict=True)), b(alpha)
    kl = b(reach) - sum((b(y) * (b(t) - 1).exp() for y, t in zip(Q, g, strict=True)), arb(0))
    assert ball.restricted_kl(P, Q, ConvexHull([[t] for t in g])).overlaps(kl)
    for extension, size in (("absolute", abs), ("positive", lambda t: max(t, 0))):
        power = sum(
            (b(y) * ((a - 1) * b(size(t))) ** (a / (a - 1)) for y, t in zip(Q, g, strict=True) if size(t)), arb(0)
        )
        truth = b(reach) - power / a - 1 / (a * (a - 1))
        hull = ConvexHull([[t] for t in g])
        assert ball.restricted_alpha_divergence(P, Q, alpha, hull, extension=extension).overlaps(truth)
        if 1 + a * (a - 1) * truth > 0:
            renyi = ball.restricted_renyi(P, Q, alpha, hull, extension=extension)
            assert renyi.overlaps((1 + a * (a - 1) * truth).log() / (a - 1))
        else:
            with pytest.raises(ValueError, match="function_class must be"):
                ball.restricted_renyi(P, Q, alpha, hull, extension=extension)


@pytest.mark.slow
def test_constants_alone():
    """H = {t}: sup t - e^(t - 1) = 0."""
    for h in (Box([[0], [0], [0]], -1, 1, intercept=True), RKHSBall(np.zeros((3, 3), dtype=int), 1, intercept=True)):
        value = ball.restricted_kl(P, Q, h)
        assert value.contains(0) and value.rad() < 1e-90


# Other solvers, other functions


CLASSES = {
    "hull": ConvexHull(G),
    "steep hull": ConvexHull([[3, 0], [-2, 0], [3, 1]]),
    "hull and constants": ConvexHull(G, True),
    "box": Box(G, -1, [F(1, 2), 2]),
    "box and constants": Box(G, F(-1, 5), F(1, 5), True),
    "RKHS": RKHSBall(GRAM, F(1, 2)),
    "RKHS and constants": RKHSBall([[1, 1, 0], [1, 1, 0], [0, 0, 1]], F(1, 5), True),
}


def maximised(h, conjugate):
    """Return max E_P h - E_Q f*(h) over the class, by scipy from two starts, in doubles."""
    p, q = (np.array(w, dtype=float) for w in (P, Q))
    one = [(None, None)] if h.intercept else []
    columns = np.array(h.kernel if isinstance(h, RKHSBall) else h.functions, dtype=float)
    m, constraints, bounds = columns.shape[1], [], one + [(None, None)] * columns.shape[1]
    if isinstance(h, Box):
        ends = (np.broadcast_to(np.array(v, dtype=float), m) for v in (h.low, h.high))
        bounds = one + list(zip(*ends, strict=True))
    elif isinstance(h, ConvexHull):
        bounds, constraints = one + [(0, 1)] * m, [{"type": "eq", "fun": lambda c: c[-m:].sum() - 1}]
    else:
        radius = float(h.radius)
        constraints = [{"type": "ineq", "fun": lambda c: radius**2 - c[-m:] @ columns @ c[-m:]}]
    design = np.concatenate([np.ones((3, len(one))), columns], 1)

    def cost(c):
        return q @ conjugate(design @ c) - p @ (design @ c)

    options = {"method": "SLSQP", "bounds": bounds, "constraints": constraints, "tol": 1e-13}
    starts = (np.full(design.shape[1], t) for t in (0.1, 0.3))
    return -min(scipy.optimize.minimize(cost, x, **options).fun for x in starts)


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSES)
def test_values_agree_with_a_maximisation(name):
    value = ball.restricted_kl(P, Q, CLASSES[name], digits=7)
    assert abs(float(value) - maximised(CLASSES[name], lambda h: np.exp(h - 1))) < 1e-7
    value = ball.restricted_alpha_divergence(P, Q, F(5, 2), CLASSES[name], digits=7)
    best = maximised(CLASSES[name], lambda h: abs(1.5 * h) ** (5 / 3) / 2.5)
    assert abs(float(value) - (best - 1 / 3.75)) < 1e-7


@pytest.mark.parametrize("extension", ["absolute", "positive"])
def test_no_function_of_the_class_does_better(extension):
    """Random quadratics on five points, in doubles with an error below 1e-12."""
    p, q = np.array([1, 2, 0, 3, 2]) / 8, np.array([2, 1, 2, 2, 1]) / 8
    rng = np.random.default_rng(5)
    for alpha in (1.5, 3.0):
        value = ball.restricted_renyi(p, q, F(alpha), Polynomials(2), extension=extension, digits=12)
        power = alpha / (alpha - 1)
        h = rng.normal(size=(4000, 3)) @ np.vander(np.linspace(-1, 1, 5), 3, increasing=True).T
        size = np.abs(h) if extension == "absolute" else np.maximum(h, 0)
        reach, cost = h @ p, size**power @ q
        on = (reach > 0) & (cost > 1e-9)
        found = power * np.log(reach[on]) - np.log(cost[on])
        assert found.max() < float(value.upper()) + 1e-12
        assert found.max() > float(value) - 0.05  # some draw is close


@pytest.mark.slow
def test_balls_of_a_kernel():
    """A Gaussian kernel has an irrational Gram matrix; with a large radius its ball attains the divergence."""

    def kernel(x, y):
        return (-arb((x - y) @ (x - y))).exp()

    assert ball.restricted_kl(P, Q, RKHSBall(kernel, 10, True), digits=6).overlaps(ball.kl(P, Q))
    small = ball.restricted_kl(P, Q, RKHSBall(kernel, F(1, 10), True), digits=6)
    gram = np.exp(-(np.subtract.outer(range(3), range(3)) ** 2.0))
    assert abs(float(small) - maximised(RKHSBall(gram, F(1, 10), True), lambda h: np.exp(h - 1))) < 1e-7


# Infinity, and suprema that are not attained


def test_separation_is_infinite():
    for h in (Affine(), Polynomials(3)):
        assert ball.restricted_kl([1, 0], [0, 1], h) == INF
        for extension in ("absolute", "positive"):
            assert ball.restricted_renyi([1, 0], [0, 1], 2, h, extension=extension) == INF
    # 1 - x is at most 0 where Q is, and positive at 0
    assert ball.restricted_kl([1, 0, 0], [0, 1, 1], Affine()) == INF
    assert ball.restricted_renyi([1, 0, 0], [0, 1, 1], 2, Affine(), extension="positive") == INF
    absolute = ball.restricted_renyi([1, 0, 0], [0, 1, 1], 2, Affine())  # |h| grows: log(1 + 1.5^2 / 0.25)
    assert absolute.overlaps(arb(10).log())


def test_a_supremum_at_infinity():
    """P at 0 and Q at 0 and 1: h = -t x attains the supremum in the limit, and D is -log Q(0)."""
    for value in (
        ball.restricted_kl([1, 0], [F(2, 3), F(1, 3)], Affine()),
        ball.restricted_renyi([1, 0], [F(2, 3), F(1, 3)], 3, Affine(), extension="positive"),
    ):
        assert value.overlaps((arb(3) / 2).log()) and value.rad() < 1e-50


def test_samples():
    value = ball.restricted_renyi(Sample([0, 1, 2]), Sample([1, 2, 2]), 2, Affine())
    assert value.overlaps(arb(3).log())  # means 1 and 5/3, variance 2/9
    again = ball.restricted_renyi(Sample([[0], [1], [2]]), Sample([[1], [2], [2]]), 2, Affine(lambda x: x * 2))
    assert again.overlaps(value)


# Mechanisms


LAWS = LaplaceDistribution(0, 1), LaplaceDistribution(F(1, 2), F(3, 2))


def test_mechanisms():
    """Values of Figure 1 and closed forms; for affine classes only the means matter."""
    normal = GaussianDistribution(0), GaussianDistribution(1)
    for degree, ratio in ((1, F(2)), (2, F(5, 2)), (3, F(8, 3))):
        value = ball.restricted_renyi(*normal, 2, Polynomials(degree))
        assert value.overlaps(b(ratio).log()) and value.rad() < 1e-49
    for degree, value in ((1, "0.405465108108164382"), (2, "0.438254930931155252"), (3, "0.474910552065863333")):
        laplace = ball.restricted_renyi(LaplaceDistribution(0), LaplaceDistribution(1), 2, Polynomials(degree))
        assert abs(laplace - arb(value)) < 1e-17
    assert ball.restricted_alpha_divergence(*normal, 2, Affine()).contains(b(F(1, 2)))
    kl = ball.restricted_kl(LaplaceDistribution(0), LaplaceDistribution(1), Affine())
    assert kl.overlaps(arb(2).sqrt() - 1 - ((arb(2).sqrt() + 1) / 2).log())
    assert ball.restricted_kl(LaplaceDistribution(3, 5), GaussianDistribution(1), Affine()) == 2
    wide = GaussianDistribution(1, 2), GaussianDistribution(0, 1)
    assert ball.restricted_kl(*wide, Polynomials(3)).overlaps(2 - arb(2).log())
    assert ball.restricted_kl(LAWS[0], LAWS[0], Affine()).contains(0)


@pytest.mark.slow
@pytest.mark.parametrize("degree", [1, 2, 4])
def test_mechanisms_agree_with_quadrature(degree):
    for p, q in (LAWS, (LAWS[0], GaussianDistribution(1, F(4, 3))), (GaussianDistribution(1, F(4, 3)), LAWS[0])):
        plain = [type(x)(float(x.location), float(x.scale)) for x in (p, q)]
        value = ball.restricted_renyi(p, q, 2, Polynomials(degree), digits=12)
        assert abs(float(value) - krdtheory.restricted_renyi(*plain, 2, Polynomials(degree))) < 1e-9
        if degree == 1:
            value = ball.restricted_kl(p, q, Affine(), digits=12)
            assert abs(float(value) - krdtheory.restricted_kl(*plain, Affine())) < 1e-9


# That the bounds are needed


MUTANTS = {
    "slack": ("_slack", lambda columns, gaps: arb(0), "box"),
    "slack of a ball": ("_slack", lambda columns, gaps: arb(0), "RKHS"),
    "slack of a hull": ("_slack", lambda columns, gaps: arb(0), "steep hull"),
    "outside the ball": ("_in_ball", lambda gram, radius, h: np.array(h, dtype=object) * 2, "RKHS"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_bound_without_one_of_its_terms_is_noticed(name, monkeypatch):
    attribute, broken, h = MUTANTS[name]
    truth = ball.restricted_kl(P, Q, CLASSES[h], digits=5)
    problem = restricted._problem(P, Q, CLASSES[h], None, "kl", None)
    monkeypatch.setattr(restricted, attribute, broken)
    with ctx.workprec(60), pytest.raises(AssertionError):  # crossing bounds, or a miss
        assert restricted._enclosure(problem).overlaps(truth)


@pytest.mark.slow
def test_a_poor_optimum_only_widens_the_ball(monkeypatch):
    """If the maximiser and the density are perturbed by 1/1000, the enclosure still contains the value."""
    honest = restricted._optimum

    def spoilt(problem, columns):
        found = honest(problem, columns)
        wave = np.array([(-1) ** i for i in range(len(found.density))])
        return restricted.RestrictedSolution(
            found.value,
            found.upper,
            found.divergence,
            found.coefficients * 1.001,
            found.maximiser * 1.001,
            found.density * (1 + wave / 1000),
        )

    for h in ("box", "RKHS"):
        truth = ball.restricted_kl(P, Q, CLASSES[h], digits=5)
        with monkeypatch.context() as patch, ctx.workprec(60):
            patch.setattr(restricted, "_optimum", spoilt)
            problem = restricted._problem(P, Q, CLASSES[h], None, "kl", None)
            wide = restricted._enclosure(problem)
        assert (
            wide.overlaps(truth) and wide.contains(truth.mid()) and 1e-9 < wide.rad() < 0.1
        )  # exact ones: below 1e-16


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: ball.restricted_renyi(P, Q, 1, Affine()), ValueError, "alpha must be in"),
        (lambda: ball.restricted_renyi(P, Q, math.inf, Affine()), ValueError, "alpha must be in"),
        (lambda: ball.restricted_renyi(P, Q, [2], Affine()), TypeError, "alpha must be one number"),
        (lambda: ball.restricted_renyi(P, Q, 2, "affine"), TypeError, "function_class must be"),
        (lambda: ball.restricted_renyi(P, Q, 2, Affine(), extension="kl"), ValueError, "extension must be"),
        (lambda: ball.restricted_kl(P, [0, 0, 0], Affine()), ValueError, "q must be"),
        (lambda: ball.restricted_kl(P, Q, Affine(), points=[1, 2]), ValueError, "points must be"),
        (
            lambda: ball.restricted_kl(P, Q, Affine([[1], [arb(2).sqrt()], [3]])),
            ValueError,
            "features must be rational",
        ),
        (lambda: ball.restricted_kl(P, Q, Box(G, 1, 1)), ValueError, "low must be less"),
        (lambda: ball.restricted_kl(P, Q, RKHSBall(GRAM, -1)), ValueError, "radius must be"),
        (lambda: ball.restricted_kl(P, Q, RKHSBall([[1]], 1)), ValueError, "kernel must be"),
        (lambda: ball.restricted_renyi(*LAWS, 3, Affine()), ValueError, "alpha must be order 2.* integral"),
        (lambda: ball.restricted_kl(*LAWS, Polynomials(2)), ValueError, "function_class must be .* integral"),
        (lambda: ball.restricted_kl(*LAWS, Box(G, 0, 1)), TypeError, "function_class must be Affine"),
        (lambda: ball.restricted_kl(LAWS[0], Q, Affine()), TypeError, "q must be a mechanism"),
        (lambda: ball.restricted_kl(LaplaceDistribution(0, -1), LAWS[0], Affine()), ValueError, "scale of p"),
        (lambda: ball.restricted_kl(Sample([1]), Q, Affine()), TypeError, "q must be a Sample"),
        (lambda: ball.restricted_renyi([1, 0], [0, 1], 2, Box([[0], [0]], 0, 1)), ValueError, "function_class must be"),
    ],
)
def test_bad_input(call, error, match):
    with pytest.raises(error, match=match):
        call()
