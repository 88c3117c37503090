"""Rational functions are recognised as 0 exactly if they are: known identities, and values at random points."""

import random
from fractions import Fraction

import pytest
import sympy
from sympy import Integer, Max, Rational, exp, log, sqrt
from sympy.abc import x, y, z

from verification.provers.quotients import LARGEST, cancels, fraction_is_zero

ZERO = [
    1 / x - 1 / y - (y - x) / (x * y),
    (x**3 - y**3) / (x - y) - x**2 - x * y - y**2,
    1 / (1 + 1 / (1 + 1 / x)) - (x + 1) / (2 * x + 1),
    (x + y + z) ** 5 - (x + y + z) ** 3 * (x**2 + y**2 + z**2 + 2 * (x * y + y * z + z * x)),
    log(x) / (x + 1) - log(x) + x * log(x) / (x + 1),
    Integer(0),
]


@pytest.mark.parametrize("e", ZERO, ids=str)
def test_zero_and_expressions_that_differ_by_a_term(e):
    assert fraction_is_zero(e) is True and cancels(e)
    for little in (Rational(1, 10**30), x / 10**30, z**3 / (x + y)):
        assert fraction_is_zero(e + little) is not True and not cancels(e + little)


@pytest.mark.parametrize(
    "e",
    [
        log(x**2) - 2 * log(x),
        sqrt(x * y) - sqrt(x) * sqrt(y),
        exp(x) * exp(-y) - exp(x - y),
        Max(x, y) - x,
        (x + 1) ** (LARGEST + 1) - 1,
        1 / ((x + 1) ** 2 - x**2 - 2 * x - 1),
        sympy.Symbol("a", commutative=False) - x,
    ],
    ids=str,
)
def test_other_expressions_are_not_related(e):
    assert fraction_is_zero(e) is None


def of_depth(rng, depth):
    """Return a random rational function of x, y and z, and its value at (2/3, 5/7, -1/4) by Python's fractions."""
    at = {x: Fraction(2, 3), y: Fraction(5, 7), z: Fraction(-1, 4)}
    if depth == 0:
        leaf = rng.choice([x, y, z, rng.randint(1, 4)])
        return (leaf, at[leaf]) if leaf in at else (Integer(leaf), Fraction(leaf))
    (a, u), (b, v) = of_depth(rng, depth - 1), of_depth(rng, depth - 1)
    how = rng.choice("+-*/^")
    if how == "/" and v:
        return a / b, u / v
    if how == "^":
        return a**2, u**2
    return {"-": (a - b, u - v), "*": (a * b, u * v)}.get(how, (a + b, u + v))


def test_agreement_with_values():
    """A function that is not 0 at a point is not 0, and the difference of two forms of a function is 0."""
    rng = random.Random(7)
    told = 0
    for _ in range(12):
        e, value = of_depth(rng, 3)
        assert not e.has(sympy.zoo, sympy.nan)
        if value:
            assert fraction_is_zero(e) is False
        assert fraction_is_zero(e - sympy.together(e)) is True
        told += value != 0
    assert told > 8
