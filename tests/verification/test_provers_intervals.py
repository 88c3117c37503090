"""Intervals with infinite ends hold what they are of: ends are rounded outwards, and nothing is read off 0 / 0."""

import math

import pytest
import sympy
from flint import arb, ctx
from sympy import Symbol, log

from verification.provers import ranges
from verification.provers.ranges import _Range

x = Symbol("x", positive=True)


@pytest.fixture(autouse=True)
def precision():
    with ctx.workprec(ranges.BITS):
        yield


def at(low, high):
    return _Range(arb(low), high if isinstance(high, float) else arb(high))


def test_ends_are_rounded_outwards():
    third = ranges._range_node(sympy.Rational(1, 3) + 0 * x, {}, lambda e: e)
    grown = at(1, 2).rising(lambda v: v.exp(), ranges.ZERO, math.inf)
    thirds = (third, at(3, 3).inverse(), at(1, 1) * third, third + at(0, 0))
    with ctx.workprec(4 * ranges.BITS):
        for made in thirds:
            assert arb(3) * made.low < 1 < arb(3) * made.high
        assert grown.low < arb(1).exp() and grown.high > arb(2).exp()


def test_infinite_ends():
    whole = _Range(-math.inf, math.inf)
    summed = at(1, math.inf) + _Range(-math.inf, arb(0))
    assert (summed.low, summed.high) == (-math.inf, math.inf)
    lowest = _Range(-math.inf, arb(-1)) + at(1, math.inf)
    assert (lowest.low, lowest.high) == (-math.inf, math.inf)
    product = at(1, math.inf) * _Range(-math.inf, arb(-1))
    assert product.low == -math.inf and product.high == -1
    assert (at(-1, 2) * at(-3, 5)).low == -6 and (at(-1, 2) * at(-3, 5)).high == 10
    assert (at(2, math.inf).inverse().low, at(2, math.inf).inverse().high) == (0, arb(1) / 2)
    assert at(0, 2).inverse().high == math.inf and _Range(arb(-2), arb(0)).inverse().low == -math.inf
    for wide in (at(-1, 1), whole, at(-1, math.inf), at(0, 0)):
        with pytest.raises(ArithmeticError):
            wide.inverse()


def test_logarithms_of_what_may_be_negative():
    for inner in (at(-1, 1), at(-1, math.inf), at(0, 0), at(-2, -1)):
        with pytest.raises(ArithmeticError):
            ranges._log(inner)
    assert ranges._log(at(0, 1)).low == -math.inf and ranges._log(at(1, math.inf)).high == math.inf
    found = ranges._range(log(x), {x: at(1, 3)})
    assert found.low <= 0 and found.high >= arb(3).log().lower()


def test_even_powers_of_what_may_be_0():
    low = ranges._range((x - 1) ** 2, {x: at(0, 3)})
    assert low.low <= 0 and low.high >= 4
    low = ranges._range((x - 3) ** 2, {x: at(0, 1)})
    assert 3 < low.low <= 4 and low.high >= 9
