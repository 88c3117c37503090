"""Numbers of certificates: exact if possible, correct if they are balls, and never decided by rounding."""

import math
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from flint import acb, arb, ctx, fmpq
from sympy.polys.domains import QQ_I

from krdtheory.arithmetic.ball import UndecidedError
from verification.rigorous import RIGOROUS, Number, RigorousVocabulary, number


def test_rational_operations_are_exact():
    rng = np.random.default_rng(0)
    for _ in range(200):
        a, b, c, d = (F(int(x), int(y)) for x, y in zip(*rng.integers(1, 50, (2, 4)), strict=True))
        x, y = number(str(a)) + number(str(b)) * number("I"), number(str(c)) - number(str(d)) * number("I")
        product, quotient = x * y, x / y
        assert product.real.rational == fmpq(*(a * c + b * d).as_integer_ratio())
        assert product.imag.rational == fmpq(*(b * c - a * d).as_integer_ratio())
        assert (quotient * y - x).rational == 0
        assert (x**3 - x * x * x).rational == 0
        assert abs(number(str(a)) - number(str(b))).rational == fmpq(*abs(a - b).as_integer_ratio())


def contains(ball, value):
    with ctx.workprec(250):
        return ball.part().contains(arb(mpmath.nstr(value, 58)))


def test_functions_contain_mpmath_values():
    k = RigorousVocabulary(20)
    values = np.array([number(x) for x in ("1/3", "7/5", "12")], dtype=object)
    with mpmath.workdps(60):
        exact = [mpmath.mpf(1) / 3, mpmath.mpf(7) / 5, mpmath.mpf(12)]
        for name, wanted in (("log", mpmath.log), ("exp", mpmath.exp), ("sqrt", mpmath.sqrt)):
            for ball, x in zip(getattr(k, name)(values), exact, strict=True):
                assert contains(ball, wanted(x))
        powers = k.power(values, k.log(values) + 2)
        for ball, x in zip(powers, exact, strict=True):
            assert contains(ball, x ** (mpmath.log(x) + 2))


def test_overlapping_balls_are_not_compared():
    wide, inside = Number(arb(1, 0.5)), number("5/4")
    for comparison in (lambda: wide < inside, lambda: wide >= inside, lambda: wide == inside, lambda: bool(wide - 1)):
        with pytest.raises(UndecidedError, match="overlap"):
            comparison()
    assert wide < 2
    assert wide != 3
    hull = RigorousVocabulary(15).maximum(np.array([wide]), np.array([inside]))[0]
    assert hull.part().contains(fmpq(5, 4)) and hull.part().contains(fmpq(3, 2)) and not hull.part().contains(fmpq(1))


def test_exact_roots_powers_and_infinities():
    k = RigorousVocabulary(15)
    one = np.array([number("9/4")], dtype=object)
    assert k.sqrt(one)[0].rational == fmpq(3, 2)
    assert k.log(one * 0)[0] < -(10**9)
    assert k.exp(one * 0)[0].rational == 1
    assert k.power(one * 0, one)[0].rational == 0
    with pytest.raises(ZeroDivisionError):
        one / (one * 0)
    with pytest.raises(ZeroDivisionError):
        k.power(one * 0, -one)


def test_nan_stays_nan():
    k, one = RigorousVocabulary(15), number(1)
    infinity = number(float("inf"))
    for nothing in (infinity - infinity, infinity * 0, number(-1) ** number("1/2"), Number(arb(-2)) ** number("1/2")):
        array = np.array([nothing], dtype=object)
        for value in (
            nothing,
            nothing ** number("1/2"),
            *k.maximum(np.array([one]), array),
            *k.maximum(array, np.array([one])),
            *k.minimum(np.array([one]), array),
        ):
            assert value.part().is_nan()
            assert value.flint().is_nan()
            with pytest.raises(UndecidedError):
                assert value < one
    assert infinity.flint() == float("inf") and (-infinity).flint() == -float("inf")


def test_bounds_of_a_part_are_not_bounds_of_a_side(monkeypatch):
    def renyi(*args, **kwargs):
        raise UndecidedError("too wide", lower=fmpq(1), upper=fmpq(2))

    monkeypatch.setattr("krdtheory.ball.renyi", renyi)
    with pytest.raises(UndecidedError, match="renyi: too wide") as caught:
        RigorousVocabulary(15).renyi(1, 2, 3)
    assert (caught.value.lower, caught.value.upper) == (-float("inf"), float("inf"))


def test_divergences_of_numbers():
    k = RigorousVocabulary(20)
    with ctx.workprec(200):
        p = RIGOROUS.real(np.array([[1, 3]])) / 4
        value = k.renyi(p, p[:, ::-1], RIGOROUS.real(np.array([2])))[0]
        assert abs(value - k.log(np.array([number("7/3")]))[0]) < number("1e-18")
    with pytest.raises(UndecidedError, match="regularization"):
        states = RIGOROUS.real(np.eye(2, dtype=int))[None]
        k.sandwiched_renyi(states, states, number(2), k.sqrt(np.array([number(2)])))
    with pytest.raises(AttributeError, match="no 'nothing'"):
        k.nothing()


# Containment. The false-alarm rate is 0: a rectangle of balls must contain the exact result of an operation on points
# of its arguments, in Fractions, or by mpmath with 60 digits and a tolerance of 1e-50.


def point_and_number(rng, positive=False, kind=None):
    """Return a Gaussian rational, as two Fractions, and a `Number` that contains it: exact, wide balls, or mixed."""

    def part(exact, low):
        x = F(int(rng.integers(low, 40)), int(rng.integers(1, 30)))
        if exact:
            return x, fmpq(x.numerator, x.denominator)
        radius = F(int(rng.integers(1, 20)), 16)
        if positive:
            radius = min(radius, x / 3)
        shift = radius * int(rng.integers(-8, 9)) / 8
        return x, arb(fmpq(*(x + shift).as_integer_ratio()), fmpq(*radius.as_integer_ratio()))

    kind = kind or rng.choice(["real", "real ball", "complex", "balls", "mixed"])
    re, re_ball = part(kind in ("real", "complex", "mixed"), 1 if positive else -40)
    im, im_ball = (F(0), fmpq(0)) if kind.startswith("real") else part(kind == "complex", -40)
    return (re, im), Number(re_ball, im_ball)


def holds(part, x):
    """Return whether a ball, or a rational, contains a Fraction or an mpmath number."""
    with ctx.workprec(400):
        if isinstance(x, F):
            x = fmpq(*x.as_integer_ratio())
            return part == x if isinstance(part, fmpq) else part.overlaps(arb(x))
        return arb(part).overlaps(arb(mpmath.nstr(x, 58), "1e-50"))


def holds_both(value, x):
    return holds(value._re, x[0]) and holds(value._im, x[1])


def times(x, y):
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


def over(x, y):
    size = y[0] ** 2 + y[1] ** 2
    top = times(x, (y[0], -y[1]))
    return top[0] / size, top[1] / size


@pytest.mark.slow
def test_operations_contain_their_values_at_points():
    rng = np.random.default_rng(1)
    for _ in range(400):
        (x, a), (y, b) = point_and_number(rng), point_and_number(rng)
        assert holds_both(a + b, (x[0] + y[0], x[1] + y[1]))
        assert holds_both(a - b, (x[0] - y[0], x[1] - y[1]))
        assert holds_both(a * b, times(x, y))
        assert holds_both(-a, (-x[0], -x[1])) and holds_both(+a, x)
        assert holds_both(a.conjugate(), (x[0], -x[1]))
        assert holds_both(a.real, (x[0], F(0))) and holds_both(a.imag, (x[1], F(0)))
        assert holds_both(3 - a, (3 - x[0], -x[1])) and holds_both(a - 3, (x[0] - 3, x[1]))
        cube = times(times(x, x), x)
        assert holds_both(a**3, cube) if a.exact or a.is_real else True
        size = (x[0] ** 2 + x[1] ** 2).as_integer_ratio()
        with mpmath.workdps(60):
            if a.exact or a.is_real:
                assert holds(abs(a).part(), mpmath.sqrt(mpmath.mpf(size[0]) / size[1]))
        if y != (0, 0) and b.exact:
            assert holds_both(a / b, over(x, y)) and holds_both(3 / b, over((F(3), F(0)), y))
            if a.exact:
                assert holds_both(b**-2, over((F(1), F(0)), times(y, y)))
        (y, b) = point_and_number(rng, positive=True)
        assert holds_both(a / b, over(x, y)) and holds_both(2 / b, over((F(2), F(0)), y))


def test_abs_of_a_complex_ball():
    value = abs(Number(arb(3), arb(4)))
    assert holds(value.part(), F(5)) and value.part().rad() < 1e-10


def test_functions_of_wide_balls_contain_those_of_their_points():
    rng = np.random.default_rng(2)
    functions = {"log": mpmath.log, "exp": mpmath.exp, "sqrt": mpmath.sqrt}
    k = RigorousVocabulary(15)
    with mpmath.workdps(60):
        for _ in range(100):
            (x, a), (y, b) = (point_and_number(rng, positive=True, kind="real ball") for _ in range(2))
            s, t = (mpmath.mpf(v[0].numerator) / v[0].denominator for v in (x, y))
            arrays = [np.array([v], dtype=object) for v in (a, b)]
            for name, f in functions.items():
                assert holds(getattr(k, name)(arrays[0])[0].part(), f(s))
            assert holds(k.power(*arrays)[0].part(), s**t)
            assert holds((2**a).part(), 2**s)
            for exponent in ("1/2", "-2/3", "7/2", "-3", "2"):
                p, q = F(exponent).as_integer_ratio()
                assert holds((a ** number(exponent)).part(), s ** (mpmath.mpf(p) / q))
            assert holds(k.maximum(*arrays)[0].part(), max(s, t)) and holds(k.minimum(*arrays)[0].part(), min(s, t))


def test_extremes_of_overlapping_balls_contain_every_pair():
    k = RigorousVocabulary(15)
    a, b = Number(arb(1, 1)), Number(arb(2, 1))
    highest, lowest = (f(np.array([a]), np.array([b]))[0].part() for f in (k.maximum, k.minimum))
    for x in (F(0), F(1, 2), F(2)):
        for y in (F(1), F(3, 2), F(3)):
            assert holds(highest, max(x, y)) and holds(lowest, min(x, y))
    third, half = (np.array([number(x)]) for x in ("1/3", "1/2"))
    assert k.maximum(third, half)[0] == number("1/2") and k.minimum(half, third)[0] == number("1/3")


def test_powers_of_balls_with_zero_or_negative_numbers():
    """Integer powers of any ball; other powers of the nonnegative numbers in it; no powers of negative ones."""
    wide = Number(arb(1, 2))  # [-1, 3]
    for x in (F(-1), F(0), F(2), F(3)):
        assert holds((wide**3).part(), x**3) and holds((wide**2).part(), x**2)
    for x in (0, 1, 2, 3):
        assert holds((wide ** number("1/2")).part(), mpmath.sqrt(x))
        assert holds((wide ** number("4/3")).part(), mpmath.mpf(x) ** (mpmath.mpf(4) / 3))
    with pytest.raises(UndecidedError, match="negative power"):
        wide ** number("-1/2")
    assert not (wide**-1).part().is_finite()
    zero = number(0)
    for exponent in (number("-1/2"), Number(arb(0, 1)), Number(arb(1, 0.5))):
        with pytest.raises(ZeroDivisionError, match="not known to be positive"):
            zero**exponent
    assert (zero**0).rational == 1 and (zero ** number("1/2")).rational == 0
    assert holds((number(4) ** number("1/2")).part(), F(2)) and holds((number(8) ** number("2/3")).part(), F(4))
    for nothing in (number(-4) ** number("1/2"), Number(arb(-4, 1)) ** number("2/3")):
        assert nothing.part().is_nan()


def test_functions_outside_their_domain_are_not_finite():
    k = RigorousVocabulary(15)
    for x in (Number(arb(-2)), Number(arb(-2, 1)), number("-2"), number("-4"), number("-4/9")):
        for name in ("log", "sqrt"):
            assert getattr(k, name)(np.array([x]))[0].part().is_nan()
    for x in (Number(arb(0, 1)), Number(arb(1, 1))):
        assert not k.log(np.array([x]))[0].part().is_finite()


def test_roots_are_exact_only_of_squares():
    k = RigorousVocabulary(15)
    for x in ("4/3", "3/4", "2"):
        root = k.sqrt(np.array([number(x)]))[0]
        assert root.rational is None and holds(root.part() ** 2, F(x))
    assert k.log(np.array([number(1)]))[0].rational == 0


def test_every_comparison_of_every_pair():
    """Exact numbers by value; balls that touch or overlap, and NaN, are undecided; infinities are exact."""
    comparisons = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "==": "__eq__", "!=": "__ne__"}
    low, high = arb(0.5, 0.5), arb(1.5, 0.5)
    touching = (Number(low), number(low.upper())), (Number(high.lower()), Number(high)), (Number(low), Number(high))
    nothing = ((Number(arb.nan()), number(1)), (number(1), Number(arb.nan())), (Number(arb.nan()), Number(arb.nan())))
    overlapping = (Number(low), number("1/4")), (Number(low), number("3/4")), (Number(low), Number(low))
    for x, y in (*touching, *nothing, *overlapping):
        for name in comparisons.values():
            for one, other in ((x, y), (y, x)):
                with pytest.raises(UndecidedError, match="overlap"):
                    getattr(one, name)(other)
    values = [(F(-1), number(-1)), (F(1, 3), number("1/3")), (F(2), Number(arb(2))), (F(9, 4), Number(arb(2.25)))]
    infinite = [(float("inf"), number(float("inf"))), (-float("inf"), number(-float("inf")))]
    for x, a in (*values, *infinite):
        assert bool(a) == bool(x)
        for y, b in (*values, *infinite):
            for symbol, name in comparisons.items():
                assert getattr(a, name)(b) is eval(f"x {symbol} y", {"x": x, "y": y})
    assert not number(0) and number("I")


def test_complex_numbers_are_equal_in_both_parts_and_have_no_order():
    one, i = number(1), number("I")
    assert i == i and one + i == i + 1
    assert one + i != one and one + i != i and one + i != 1 + 2 * i and one + i != 2 + i and i != 0
    for compare in (lambda: i < 1, lambda: one >= i, lambda: i > i):
        with pytest.raises(TypeError, match="not real"):
            compare()
    assert (one + i).rational is None and (i * i).rational == -1


def test_real_and_exact_only_if_known():
    unsure, half_exact = Number(fmpq(1), arb(0, 1)), Number(fmpq(1), arb(1))
    for x in (unsure, half_exact):
        assert not x.is_real and not x.exact and x.rational is None
        with pytest.raises(TypeError, match="not real"):
            x.part()
        assert isinstance(x.flint(), acb) and x.flint().imag.overlaps(x._im)
    assert not Number(arb(1), fmpq(1)).exact and not Number(arb(1)).exact and number("1+I").exact
    with pytest.raises(UndecidedError):
        unsure == 1  # noqa: B015


def test_numbers_in_and_out():
    """Numbers are passed to `krdtheory.ball` unchanged."""
    exact = number("1/2-3/4*I")
    assert (exact.real.rational, exact.imag.rational) == (fmpq(1, 2), fmpq(-3, 4))
    assert exact.flint() == QQ_I(QQ_I.dom(1, 2), QQ_I.dom(-3, 4))
    inexact = number(acb(arb(1, 0.25), arb(2, 0.25)))
    assert inexact.flint().real.contains(arb(1, 0.25)) and inexact.flint().imag.contains(arb(2, 0.25))
    assert number("2/3").flint() == fmpq(2, 3) and number(True).rational == 1 and number(0.25).rational == fmpq(1, 4)
    assert number(float("inf")) > 0 and number(-float("inf")) < 0
    assert RIGOROUS.complex(np.array([1]), np.array([2]))[0].flint() == QQ_I(1, 2)
    assert int(number(-7)) == -7
    for x in (number("3/2"), number("I"), Number(arb(2))):
        with pytest.raises(TypeError, match="no integer"):
            int(x)


def test_division_by_zero():
    for x in (number(1), Number(arb(1)), number("1+I"), Number(arb(1), arb(1)), number(0)):
        with pytest.raises(ZeroDivisionError):
            x / 0
    assert not (1 / Number(arb(0, 1))).part().is_finite()


def test_divergences_have_the_requested_digits_and_no_range_errors(monkeypatch):
    k = RigorousVocabulary(40)
    with ctx.workprec(200):
        p = RIGOROUS.real(np.array([[1, 3]])) / 4
        assert k.renyi(p, p[:, ::-1], RIGOROUS.real(np.array([2])))[0].part().rad() < arb("1e-39")

    def out_of_range(*args, **kwargs):
        raise ValueError("weights must be nonnegative")

    monkeypatch.setattr("krdtheory.ball.renyi", out_of_range)
    with pytest.raises(UndecidedError, match="weights must be nonnegative"):
        k.renyi(1, 2, 3)


def test_ranks_over_the_gaussian_rationals():
    k, i = RigorousVocabulary(15), number("I")
    batch = np.array([[[1, i], [-i, 1]], [[1, i], [i, 1]], [[0, 0], [0, 0]]], dtype=object)
    assert [int(x) for x in k.rank(np.frompyfunc(number, 1, 1)(batch))] == [1, 2, 0]


def test_binomial_mass_outside_an_interval():
    """Compared with Fractions, at integer and at fractional ends, for every q in a wide ball."""
    k, n = RigorousVocabulary(15), 5

    def mass(q, low, high):
        return sum(math.comb(n, j) * q**j * (1 - q) ** (n - j) for j in range(n + 1) if j < low or j > high)

    for low, high in (("2", "3"), ("3/2", "7/2"), ("1", "1"), ("-1/2", "3"), ("2", "11/2"), ("1/3", "2/3")):
        arrays = [np.array([number(x)]) for x in (low, high)]
        exact = k.binomial_outside(np.array([n]), np.array([number("1/3")]), *arrays)[0]
        assert holds(exact.part(), mass(F(1, 3), F(low), F(high))) and exact.part().rad() < 1e-10
        wide = k.binomial_outside(np.array([n]), np.array([Number(arb(0.375, 0.0625))]), *arrays)[0]
        for q in (F(5, 16), F(3, 8), F(7, 16)):
            assert holds(wide.part(), mass(q, F(low), F(high)))
    with pytest.raises(UndecidedError, match="the integer below"):
        k.binomial_outside(np.array([n]), np.array([number("1/3")]), np.array([Number(arb(2, 0.5))]), arrays[1])


def test_long_powers_are_balls():
    """(-3/2)^(2^20 + 1) has a million bits; its ball contains it, by integer arithmetic; short powers are exact."""
    n = (1 << 20) + 1
    power = (number(fmpq(-3, 2)) ** number(n)).part()
    assert isinstance(power, arb) and power < 0
    assert power.rel_accuracy_bits() > 30
    low, high = (-power).lower().man_exp(), (-power).upper().man_exp()
    exact = 3**n  # over 2^n
    shift = lambda end: int(end[0]) << (int(end[1]) + n)  # noqa: E731
    assert shift(low) <= exact <= shift(high)
    assert (number(fmpq(-3, 2)) ** number(5)).rational == fmpq(-243, 32)
