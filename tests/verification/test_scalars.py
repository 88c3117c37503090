"""Expressions are proved to be zero or nonnegative, and similar false statements are rejected."""

import pytest
import sympy
from sympy import Abs, Max, Min, Piecewise, Rational, Symbol, cosh, exp, log, sqrt, tanh

from verification.proof import ProofError
from verification.provers.algebra import bound
from verification.provers.corners import settle
from verification.provers.scalars import is_zero, seen_nonnegative
from verification.provers.tactics import (
    SHARE,
    Between,
    Composed,
    Concave,
    Convex,
    Factors,
    Parts,
    Rising,
    Split,
    nonnegative,
    smooth,
)

a, r, u, x = (Symbol(n, positive=True) for n in "arux")
s, t = (Symbol(n, nonnegative=True) for n in "st")
y = Symbol("y", real=True)

ZERO = [
    log(x**2) - 2 * log(x),
    x**a * r**a - (x * r) ** a,
    exp(a * log(x)) - x**a,
    log((62 * x / (x + 1) + 1) / 64) - log(63 * x + 1) + log(x + 1) + log(64),
    (r**a + r ** (1 - a)) / (1 + r) - r ** (1 - a) * (1 + r ** (2 * a - 1)) / (1 + r),
    cosh(x) - (exp(x) + exp(-x)) / 2,
    Max(x - r, 0) - Max(0, -r + x),
    2 ** (a + 1) - 2 * 2**a,
    sqrt(x * r) - sqrt(x) * sqrt(r),
]
NOT_ZERO = [
    log(x**2) - 2 * log(x) - Rational(1, 10**20),
    x**a * r**a - (x * r) ** (a + Rational(1, 10**9)),
    exp(a * log(x)) - x ** (a + 1),
    log((62 * x / (x + 1) + 1) / 64) - log(63 * x + 1) + log(x + 1) + log(63),
    cosh(x) - (exp(x) + exp(-x)) / 2 * (1 + Rational(1, 10**15)),
    Max(x - r, 0) - Max(0, r - x),
    2 ** (a + 1) - 2 * 2 ** (a + Rational(1, 10**12)),
    sqrt(y**2) - y,
    Abs(y) - y,
    log(x * r) - log(x) - log(r) + x * 0 + Rational(1, 10**18),
    x / x - 1 + s / (s + Rational(1, 10**6)) - 1,
    sympy.zoo,
    sympy.nan,
]


@pytest.mark.parametrize("e", ZERO, ids=str)
def test_zero(e):
    assert is_zero(e) or _both_ways(e)


def _both_ways(e):
    """An equality of maxima is two inequalities."""
    return all(settle(v, None, lambda z, _: nonnegative(z)) for v in (e, -e))


@pytest.mark.parametrize("e", NOT_ZERO, ids=str)
def test_not_zero(e):
    assert not is_zero(e)


@pytest.mark.parametrize("e", [ZERO[i] for i in (0, 2, 6, 7)], ids=str)
def test_zero_is_nonnegative_and_not_positive(e):
    assert seen_nonnegative(e) and not seen_nonnegative(e, strict=True)
    assert not seen_nonnegative(e - Rational(1, 10**20)) and not seen_nonnegative(-x * e - Rational(1, 10**20) * x)


def test_an_error_message_is_created_when_it_is_read():
    assert str(ProofError("{} is not {}", x + r, s)) == f"{x + r} is not {s}"
    assert str(ProofError("not in {1, 2}")) == "not in {1, 2}" and not str(ProofError())
    with pytest.raises(ProofError, match=r"x - 1 .* negative somewhere"):
        nonnegative(x - 1)


def test_the_bound_variable_of_smoothness_is_distinct():
    """A symbol that may be 0 is not taken for a positive one with the same name."""
    other = bound("s", "positive")
    smooth(log(other + s), s)
    with pytest.raises(ProofError):
        smooth(log(other - s), s)


def test_a_name_is_not_a_value():
    """Symbols with the same name and different assumptions are different."""
    assert not is_zero(Symbol("x", real=True) - x)


TRUE = [
    (x + r, None),
    (s**2 + s, None),
    (log(1 + s), None),
    (exp(x) - 1 - x, Rising(x, Rising(x))),
    (exp(y) - 1 - y, Convex(y, 0)),
    (u * log(u) - u + 1, Convex(u, 1)),
    (u**2 - 2 * u * r + r**2, Convex(u, r)),
    (x**2 / 2 - log(cosh(x)), Rising(x, Rising(x))),
    (x - tanh(x), Rising(x)),
    (1 + a * x - (1 + x) ** a * 0 - 1, None),
    ((1 + s) ** (1 + a) - 1 - (1 + a) * s, Rising(s, Rising(s))),
    (u - 1 - log(u), Convex(u, 1)),
    (x**2 + 1 - x, Parts([((x - 1) ** 2, Convex(x, 1)), x])),
    ((u - 1) * log(u), Split(u, 1, Factors([s / (1 + s), (log(1 + s), None)]), Factors([s, log(1 + s)]))),
    ((exp(x) - 1) * (x + 1), Factors([(exp(x) - 1, Rising(x)), x + 1])),
    (x**2 - log(1 + x**2), Composed(u, x**2, u - log(1 + u), Rising(u))),
    (exp(x) - 1 - x, Composed(y, x, exp(y) - 1 - y, Convex(y, 0))),
    (exp(x) - 1 - x, Rising(x, Rising(x))),
]
FALSE = [
    (x - r, None),
    (s**2 - s, None),
    (-x, None),
    (log(x), None),
    (exp(x) - 1 - x - x**2 / 2 - x**3 / 5, Rising(x, Rising(x, Rising(x)))),
    (exp(y) - 1 - y * (1 + Rational(1, 1000)), Convex(y, 0)),
    (u * log(u) - u + 1 - Rational(1, 10**30), Convex(u, 1)),
    (-u * log(u) + u - 1, Convex(u, 1)),
    (u**2 - 2 * u * r + r**2, Convex(u, 1)),
    (u - 1 - log(u) - Rational(1, 10**30), Convex(u, 1)),
    (x**2 / 2 - log(cosh(x)) - Rational(1, 10**30), Rising(x, Rising(x))),
    (x * Rational(999, 1000) - tanh(x), Rising(x)),
    (-1 / x, Rising(x)),
    (1 - 1 / x, Rising(x)),
    (log(x), Rising(x)),
    (Piecewise((x, x < 1), (x - 2, True)), Rising(x)),
    (Abs(x - 1) - Rational(1, 2), Convex(x, 1)),
    (y, Rising(y)),
    (y**2 - 1, Convex(y, 0)),
    (x**2 + 1 - x, Parts([((x - 1) ** 2, Convex(x, 1)), 2 * x])),
    (x**2 - 3 * x + 1, Parts([((x - 1) ** 2, Convex(x, 1)), -x])),
    ((u - 1) * (u - 2), Split(u, 1, None, None)),
    ((u - 1) * log(u), Split(u, -1, None, None)),
    (-(exp(x) - 1) * (x + 1), Factors([(exp(x) - 1, Rising(x)), -(x + 1)])),
    (1 - u**2, Concave(u, 0, 1)),  # that u stays in the range is not known here
    ((x - 1) ** 2, Composed(u, x - 1, u**2)),  # x - 1 may lie where u does not
    (x - 1, Composed(u, x, exp(u) - 1 - u, Rising(u))),  # for another expression
    (x**2 - log(1 + 2 * x**2), Composed(u, x**2, u - log(1 + 2 * u), Rising(u))),
    (sympy.oo - x, None),
    (exp(x) - 1 - 2 * x, Rising(x, Rising(x))),
]


@pytest.mark.slow
@pytest.mark.parametrize(("e", "tactic"), TRUE, ids=str)
def test_nonnegative(e, tactic):
    assert nonnegative(e, tactic) >= 1


@pytest.mark.parametrize("known", [{"integer": True, "positive": True}, {"negative": True}, {"prime": True}])
def test_the_inner_function_must_be_in_the_range_of_the_symbol(known):
    inner = Symbol("u", **known)
    shown = -inner if inner.is_negative else inner - 1  # >= 0 for every inner symbol, not for every x > 0
    assert seen_nonnegative(shown)
    with pytest.raises(ProofError, match="is not any number"):
        Composed(inner, x, shown).check(shown.subs(inner, x))


@pytest.mark.parametrize(("e", "tactic"), FALSE, ids=str)
def test_not_nonnegative(e, tactic):
    with pytest.raises(ProofError):
        nonnegative(e, tactic)


def plain(e, _):
    return nonnegative(e)


@pytest.mark.parametrize(
    ("e", "ratio"),
    [
        (Abs(u - 1) - Max(u - 1, 0), u),
        (Max(u - r, 0) - u + r, u),
        (u - Max(u - r, 0), u),
        (Max(u, 1) - u, u),
        (1 - Min(u, 1), u),
        (Max(u - 1, 1 - u) - Abs(u - 1), u),
        (Piecewise((u, u > r), (0, True)) - Max(u - r, 0), u),
    ],
    ids=str,
)
def test_corners(e, ratio):
    assert settle(e, ratio, plain) >= 1


@pytest.mark.parametrize(
    ("e", "ratio"),
    [
        (Max(u - 1, 0) - Abs(u - 1), u),
        (Max(u - r, 0) - u + r * Rational(99, 100) * 0 + 0, u),
        (u - Max(u + r, 0), u),
        (Max(u, 1) - u - Rational(1, 10**20), u),
        (Min(u, 1) - u, u),
        (Piecewise((0, u > r), (u, True)) - Max(u - r, 0), u),
        (Max(u, 1) ** 2 - u**2, u),  # the maximum does not enter linearly
    ],
    ids=str,
)
def test_corners_reject_false_statements(e, ratio):
    with pytest.raises(ProofError):
        settle(e, ratio, plain)


SEEN_BY_SQUARES = [
    sqrt(1 + x**2) + 1 - x,
    x + 1 - sqrt(1 + x**2),
    (sqrt(1 + x**2) - 1) / x,
    sqrt((4 + s) ** 2 + 1) / 2 - 2,
    2 ** (1 + x) - 2,
    4 * 2 ** (2 * x) - 4 * 2**x + 1,
    3**x * r + 3**x - 1,
]
NOT_SEEN = [
    sqrt(1 + x**2) - 1 - x,
    x - sqrt(1 + x**2),
    x + Rational(99, 100) - sqrt(1 + x**2),
    sqrt((4 + s) ** 2 + 1) / 2 - Rational(21, 10),
    (sqrt(1 + x**2) - 1) / (x - 1),
    2 ** (1 + x) - 2 - Rational(1, 100),
    2**y - 1,
    Rational(1, 2) ** x - Rational(1, 2),
    2 ** (2 * x) - 2 * 2**x + Rational(1, 2),
    1 - 2**x + 4**x - 2,
]


@pytest.mark.parametrize("e", SEEN_BY_SQUARES, ids=str)
def test_sign_of_roots_and_powers(e):
    assert nonnegative(e) == 1


@pytest.mark.parametrize("e", NOT_SEEN, ids=str)
def test_false_signs_of_roots_and_powers(e):
    with pytest.raises(ProofError):
        nonnegative(e)


B = sympy.Symbol("b", positive=True)


def test_between_two_ends():
    u = sympy.Symbol("u", positive=True)
    Between(u, 1 / (1 + B), 1 + B).check_between(sympy.log(u) + sympy.log(1 + B))
    Between(u, 1, 2).check_between(sympy.log(u))
    for low, high, e in (
        (1, 2, -sympy.log(u)),  # false inside
        (1, 2, (u - 1) * (2 - u) - sympy.Rational(1, 8)),  # false at the ends
        (0, 2, sympy.log(1 + u)),  # not above 0
        (2, 1, sympy.log(2 - u)),  # the ends exchanged
        (1, B, u),  # not known to be a range
        (1, 2, u * SHARE),
    ):
        with pytest.raises(ProofError):
            Between(u, low, high).check_between(e)
    with pytest.raises(ProofError):
        nonnegative(sympy.log(u), Between(u, 1, 2))  # that u is in the interval must be shown by a rule


def test_exponents_are_compared_as_fractions():
    o, s = sympy.symbols("o s", positive=True)
    assert is_zero(B ** (2 * s - 2 * s * o / (1 + o)) - B ** (2 * s / (1 + o)))
    assert is_zero(1 / (o * B ** (s * o / (1 + o)) + B ** (s * o / (1 + o))) - B ** (s / (1 + o) - s) / (1 + o))
    assert not is_zero(B ** (2 * s - 2 * s * o / (1 + o)) - B ** (2 * s / (2 + o)))
    assert not is_zero(B ** (s * o / (1 + o)) - B ** (s - s / (2 + o)))
