"""Closed forms in ball arithmetic: what is true is proved over the whole range, its close false twins are refused."""

import pytest
import sympy
from flint import arb, ctx
from sympy import E, Rational, Symbol, cosh, exp, log, pi, sinh, sqrt, tanh

from verification.proof import ProofError
from verification.provers import balls
from verification.provers.balls import Composed, Series
from verification.provers.enclosures import enclosure
from verification.provers.scalars import PAST, Factors, Rising, Split, nonnegative, seen_nonnegative

x, t, u = (Symbol(name, positive=True) for name in "xtu")
y = Symbol("y", real=True)
z = Symbol("z", nonnegative=True)
SMALL = Rational(1, 1000)
HALF = Rational(1, 2)


def laplace(sign):
    """The Renyi divergence of two Laplace distributions, of order 1 + sign / 1024."""
    a = 1 + Rational(sign, 1024)
    return log(a / (2 * a - 1) * exp((a - 1) * x) + (a - 1) / (2 * a - 1) * exp(-a * x)) / (a - 1)


KL = x - 1 + exp(-x)
PART = t / (1 + t)  # in (0, 1)

# an expression, and false neighbours of it
ONE = {
    "log cosh": (x**2 / 2 - log(cosh(x)), [x**2 / 2 * (1 - SMALL) - log(cosh(x)), log(cosh(x)) - x**2 / 2]),
    "tanh": (x - tanh(x), [(1 - SMALL) * x - tanh(x), x - tanh(x) - SMALL]),
    "sinh": (sinh(x) - x - x**3 / 6, [sinh(x) - x - x**3 * (Rational(1, 6) + SMALL)]),
    "exp": (exp(x) - 1 - x - x**2 / 2, [exp(x) - 1 - x - x**2 / 2 * (1 + SMALL), exp(x) - 1 - x - SMALL]),
    "root": (1 + x - sqrt(1 + 2 * x), [1 + x - sqrt(1 + (2 + SMALL) * x), 1 + x * (1 - SMALL) - sqrt(1 + 2 * x)]),
    "cosh": (exp(x**2 / 2) - cosh(x), [exp(x**2 / 2 * (1 - SMALL)) - cosh(x)]),
    "log": (log(1 + x) - x / (1 + x), [log(1 + x) - x * (1 + SMALL) / (1 + x), x / (1 + x) - log(1 + x)]),
    "Laplace below": (KL - laplace(-1), [KL * (1 - SMALL) - laplace(-1), laplace(-1) - KL]),
    "Laplace above": (laplace(1) - KL, [laplace(1) - KL * (1 + 2 * SMALL), KL - laplace(1)]),
    "x exp(-x)": (1 / E - x * exp(-x) + SMALL, [1 / E - x * exp(-x) - SMALL]),
    "x log x": (1 / E + x * log(x) + SMALL, [1 / E + x * log(x) - SMALL]),
    "closed": (exp(z) - 1 - z, [exp(z) - 1 - z - SMALL, exp(z) - 1 - z * (1 + SMALL)]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ONE)
def test_one_parameter(name):
    e, twins = ONE[name]
    (s,) = e.free_symbols
    assert nonnegative(e, Series(s)) > 2
    for twin in twins:
        with pytest.raises(ProofError):
            Series(s, seconds=5).check(twin)


def test_a_real_parameter_has_two_signs():
    assert nonnegative(exp(y) - 1 - y, Series(y)) > 4
    with pytest.raises(ProofError, match="negative"):
        Series(y).check(y**3 + y**2)  # nonnegative for y > 0 only


def test_a_minimum_inside_the_range():
    tactic = Split(x, 1, Series(PAST), Series(PAST))
    assert nonnegative(x * log(x) - x + 1, tactic) > 4
    for twin in (x * log(x) - x + 1 - SMALL, x * log(x) - x * (1 + SMALL) + 1):
        with pytest.raises(ProofError):
            tactic.check(twin)
    with pytest.raises(ProofError):
        Series(x, seconds=2).check(x * log(x) - x + 1)  # no enclosure excludes a value below 0 near x = 1


@pytest.mark.slow
def test_a_gaussian_bound():
    def gap(alpha):
        return exp(alpha * x**2 / 2) - sqrt(2 * pi) * x

    at_least = 2 * pi / E
    tactic = Split(x, 1 / sqrt(at_least), Series(PAST), Series(PAST))
    assert nonnegative(gap(at_least + t), Rising(t, None, tactic)) > 5
    with pytest.raises(ProofError):
        Rising(t, None, tactic).check(gap((1 - SMALL) * at_least + t))


@pytest.mark.slow
def test_the_best_bound_of_a_bounded_divergence():
    more = HALF + t

    def tactic(f):
        slope = Factors([x, (f(u).subs(u, more * x), Composed(u, more * x, f(u), Series(u, seconds=5)))])
        return Rising(t, slope)

    gap = t * (1 + t) * x**2 / 2 - log(cosh(more * x) / cosh(x / 2))
    assert nonnegative(gap, tactic(lambda u: u - tanh(u))) > 5
    with pytest.raises(ProofError):
        tactic(lambda u: (1 - SMALL) * u - tanh(u)).check(gap - SMALL * t * (1 + t) * x**2 / 2)


@pytest.mark.slow
def test_two_parameters():
    part = Rational(1, 4) + PART / 2
    hoeffding = x**2 / 8 * (1 + SMALL) - log(part * exp(x) + 1 - part) + part * x
    bernoulli = (1 + x) ** (1 + PART) - 1 - (1 + PART) * x
    assert nonnegative(bernoulli, Series(x)) > 3
    with pytest.raises(ProofError):
        Series(x, seconds=5).check(bernoulli - SMALL * x)
    assert nonnegative(hoeffding, Series(x)) > 3
    with pytest.raises(ProofError):
        Series(x, seconds=5).check(hoeffding - x**2 / 4 * SMALL)


@pytest.mark.slow
def test_two_points():
    """It vanishes at v = 0, and at both ends of 1 < a < 2."""
    v, a = x / (1 + x), 1 + PART

    def gap(c):
        return ((1 + v) ** a + (1 - v) ** a) / 2 - (1 + (a - 1) * c * v**2) ** (a / 2)

    assert nonnegative(gap(1), Series(x)) > 100
    with pytest.raises(ProofError):
        Series(x, seconds=10).check(gap(1 + SMALL))


@pytest.mark.slow
def test_hints_are_checked():
    e = x**2 * (exp(x) - 1 - x)
    assert nonnegative(e, Series(x, factor=x**2)) > 3
    with pytest.raises(ProofError):
        Series(x, factor=-(x**2)).check(e)
    with pytest.raises(ProofError):
        Series(x, factor=x - 1).check(e)
    assert nonnegative(e, Series(x, beyond=(2, Series(PAST)))) > 3
    with pytest.raises(ProofError):
        Series(x, beyond=(2, Series(PAST))).check(100 - x)  # negative beyond x = 100
    with pytest.raises(ProofError):
        Series(x, beyond=(-2, Series(PAST))).check(e)
    with pytest.raises(ProofError, match="is not seen to lie"):
        Composed(u, x - 1, u**2, Series(u)).check((x - 1) ** 2)


@pytest.mark.parametrize("known", [{"integer": True, "positive": True}, {"negative": True}, {"prime": True}])
def test_what_is_composed_must_lie_where_the_inner_symbol_ranges(known):
    inner = Symbol("u", **known)
    shown = -inner if inner.is_negative else inner - 1  # >= 0 for every inner symbol, not for every x > 0
    assert seen_nonnegative(shown)
    with pytest.raises(ProofError, match="is not any number"):
        Composed(inner, x, shown).check(shown.subs(inner, x))


@pytest.mark.slow
@pytest.mark.parametrize(
    "e",
    [
        1 / (x - 1) ** 2,  # undefined at x = 1
        log((x - 1) ** 2) ** 2,
        1 / (x - 3),
        sqrt(x - HALF),
        sympy.Max(x, 1),
        sympy.gamma(x),
        sympy.Float(0.5) * x,
        (x - 1) ** 2 * (x - 3) ** 2 - Rational(1, 10**6),
    ],
)
def test_what_is_not_defined_or_not_known_is_refused(e):
    with pytest.raises(ProofError):
        Series(x, seconds=3, boxes=500).check(e)


def test_limits():
    with pytest.raises(ProofError, match="boxes do not suffice"):
        Series(x, boxes=3).check(x**2 / 2 - log(cosh(x)))
    with pytest.raises(ProofError, match="do not suffice"):
        Series(x, seconds=0).check(x**2 / 2 - log(cosh(x)))
    assert ctx.cap == 10


@pytest.mark.parametrize("name", ONE)
def test_intervals_hold_what_they_enclose(name):
    e, _ = ONE[name]
    (s,) = e.free_symbols
    with ctx.workprec(balls.BITS):
        for low, high in ((0, 1), (HALF, 3), (4, None)):
            where = balls._ends(
                tuple(None if v is None else balls._rational(v + 0) if v else 0 * balls.SMALLEST for v in (low, high)),
                None,
            )
            for form in balls._forms(e, s):
                try:
                    found = balls._range(form, {s: balls._Range(*where)})
                except ArithmeticError:
                    continue
                for k in range(1, 8):
                    inner = low + Rational(k, 8) * ((100 if high is None else high) - low)
                    value = enclosure(form, {s: arb(int(inner.p)) / int(inner.q)})
                    assert not value < found.low and not value > found.high


PLACES = {
    "rises after the start": (Rational(45, 100) - x**2 * exp(-x), Series(x)),  # 4 / e^2 = 0.541 at x = 2
    "negative off the centre": (1 - 5 * (PART - HALF) ** 2 + x, Series(x)),
    "negative at x = 0 for small t": (PART - Rational(37, 100) + x, Series(x)),
    "a negative factor": ((-1 - x) * (exp(x) - 1 - x), Series(x, factor=-1 - x)),
    "no value at the end": (1 / z, Series(z)),
    "composed of something else": (x - 1, Composed(u, x, exp(u) - 1 - u, Series(u))),
}


@pytest.mark.parametrize("place", PLACES)
def test_negative_in_one_place_only(place):
    e, tactic = PLACES[place]
    with pytest.raises(ProofError):
        tactic.check(e)


def test_their_true_neighbours():
    assert nonnegative(Rational(55, 100) - x**2 * exp(-x), Series(x))
    assert nonnegative(1 - 3 * (PART - HALF) ** 2 + x, Series(x))
    assert nonnegative((1 + x) * (exp(x) - 1 - x), Series(x, factor=1 + x))
    assert nonnegative(1 / x, Series(x))
