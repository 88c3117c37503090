"""Numbers of certificates: exact where they can be, right where they are balls, and never decided by rounding."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb, ctx, fmpq

from krdtheory.arithmetic.ball import UndecidedError
from verification.rigorous import RIGOROUS, Number, RigorousVocabulary, number


def test_rational_operations_are_exact():
    rng = np.random.default_rng(0)
    for _ in range(200):
        a, b, c, d = (Fraction(int(x), int(y)) for x, y in zip(*rng.integers(1, 50, (2, 4)), strict=True))
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


def test_what_is_not_a_number_stays_so():
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


def test_bounds_of_a_part_are_not_those_of_a_side(monkeypatch):
    def renyi(*args, **kwargs):
        raise UndecidedError("too wide", lower=fmpq(1), upper=fmpq(2))

    monkeypatch.setattr("krdtheory.ball.renyi", renyi)
    with pytest.raises(UndecidedError, match="renyi: too wide") as caught:
        RigorousVocabulary(15).renyi(1, 2, 3)
    assert (caught.value.lower, caught.value.upper) == (-float("inf"), float("inf"))


def test_divergences_take_and_give_numbers():
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
