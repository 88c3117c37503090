"""Every check in a tactic matters: it rejects false statements that no random point refutes."""

import pytest
import sympy
from sympy import Abs, Max, Min, Piecewise, Rational, Symbol, exp, log, sqrt

from verification.proof import ProofError
from verification.provers import scalars, tactics
from verification.provers.corners import PAST, settle
from verification.provers.scalars import Opaque, is_zero, seen_nonnegative
from verification.provers.tactics import Concave, Convex, Factors, Parts, Rising, Split, nonnegative

a, r, u, x = (Symbol(n, positive=True) for n in "arux")
s, t = (Symbol(n, nonnegative=True) for n in "st")
y = Symbol("y", real=True)
POINT = Rational(37, 11)  # not a random point
TINY = Rational(1, 10**6)
DIP = (x - POINT) ** 2 - TINY
FAR = 1 - x**2 * TINY  # negative for x > 1000


def no_point_shows(e):
    return not scalars.negative_somewhere(e)


@pytest.mark.parametrize("e", [DIP, FAR, x**2 - TINY], ids=str)
def test_random_points_miss_it(e):
    """The tests below rely on this: only the tactic prevents proofs of these statements."""
    assert no_point_shows(e)
    with pytest.raises(ProofError):
        nonnegative(e)


TRUE = [
    (DIP + TINY, Convex(x, POINT)),
    ((x - 1) ** 2 + r, Convex(x, 1)),
    (r * (x - 1) ** 2 + r, Convex(x, 1)),
    (x**3 / 3 - 4 * x + Rational(16, 3), Convex(x, 2)),
    (exp(y) - 1 - y, Convex(y, 0)),
    (s + s**2, Rising(s)),
    (s + r, Rising(s, None, None)),
    (DIP + TINY + x, Parts([(DIP + TINY, Convex(x, POINT)), x])),
    (x * (DIP + TINY), Factors([x, (DIP + TINY, Convex(x, POINT))])),
    ((x - 1) * log(x), Split(x, 1, Factors([s / (1 + s), log(1 + s)]), Factors([s, log(1 + s)]))),
]
# each would pass without one of the checks
FALSE = [
    ((x - 1) ** 2 * DIP, Convex(x, 1)),  # not convex
    (DIP, Convex(x, POINT)),  # below 0 at its minimum
    (DIP, Convex(x, 1)),  # the slope there is not 0
    (x**3 / 3 - 4 * x + Rational(16, 3) - TINY, Convex(x, -2)),  # slope 0, but x > 0
    (x**3 / 3 - 4 * x + Rational(16, 3) - TINY, Convex(x, y)),
    (1 - TINY / (x - POINT) ** 2 * -1 - 2 * TINY / (x - POINT) ** 2, Convex(x, 1)),
    (FAR, Concave(x, 0, 1)),
    (x - TINY, Rising(x)),  # below 0 at the start
    (FAR, Rising(x)),  # it decreases
    (1 + (x - POINT) ** 2 * TINY - 2 * x * TINY, Rising(x)),
    (y**3 + 100000, Rising(y)),  # no start
    (1 - TINY / (x - POINT), Rising(x)),  # it increases on both sides of a pole
    (10 + log((x - POINT) ** 2), Rising(x)),
    (1 - TINY * sympy.atan(10**7 / (x - POINT)), Rising(x)),  # it increases on both sides of a jump
    (Piecewise((x, x < 100), (x - 200, True)), Rising(x)),  # a jump
    (x + 10 - 10**3 * sympy.Heaviside(x - 100), Rising(x)),
    (1 - 1 / x, Rising(x)),
    (DIP, Parts([x])),
    (DIP, Parts([(DIP + TINY, Convex(x, POINT))])),
    (DIP, Parts([(DIP + TINY, Convex(x, POINT)), -TINY])),
    (DIP, Factors([x])),
    (DIP, Factors([1, DIP])),
    (DIP, Factors([-1, -DIP])),
    (FAR, Split(x, 1, Rising(PAST), None)),
    (FAR.subs(x, 1 / x), Split(x, 1, None, Rising(PAST))),
    (DIP, Split(x, POINT, None, None)),
    (1 + x * TINY - y**2 * TINY, Split(y, 1)),
    ((x + 1) ** 2 - 1 - TINY, Split(x, -1)),
    (1 - ((x - 1 - PAST) * (x * (1 + PAST) - 1)) ** 2 * TINY**2, Split(x, 1)),  # its symbol is already used
]


@pytest.mark.parametrize(("e", "tactic"), TRUE, ids=str)
def test_true(e, tactic):
    assert nonnegative(e, tactic) >= 1


@pytest.mark.slow
@pytest.mark.parametrize(("e", "tactic"), FALSE, ids=str)
def test_false(e, tactic):
    with pytest.raises(ProofError):
        nonnegative(e, tactic)


def test_most_false_statements_are_not_refuted_by_points():
    """Most of them are not, so they are rejected by the tactics."""
    assert sum(no_point_shows(e) for e, _ in FALSE) >= len(FALSE) - 3


@pytest.mark.parametrize(
    ("e", "low", "high", "true"),
    [
        (x * (1 - x), 0, 1, True),
        (x * (1 - x) - TINY, 0, 1, False),
        (1 - 2 * x, 0, 1, False),
        (2 * x - 1, 0, 1, False),
        ((x - Rational(1, 2)) ** 2 - Rational(1, 10), 0, 1, False),  # convex
        ((x - r) * (2 * r - x), r, 2 * r, True),
        ((x - r) * (2 * r - x) - TINY, r, 2 * r, False),
        ((x - r) * (3 * r - x), r, 4 * r, False),
        (-1 / (x - POINT) ** 2 + 1, 1, 5, False),  # a pole between the ends
    ],
    ids=str,
)
def test_a_chord(e, low, high, true):
    tactic = Concave(x, low, high)
    if true:
        assert tactic.check_between(e)
    else:
        with pytest.raises(ProofError):
            tactic.check_between(e)
    with pytest.raises(ProofError, match="not known here"):
        tactic.check(e)


class Known(Opaque):
    """A quantity with an unknown value."""

    def _eval_is_nonnegative(self):
        return True if self.args[0] == 0 else None

    def _eval_is_positive(self):
        return True if self.args[0] == 1 else None


def test_opaque_quantities_keep_their_sign():
    zero, one, real = (Known(sympy.Integer(i)) for i in range(3))
    assert seen_nonnegative(zero) and not seen_nonnegative(zero, strict=True)
    assert seen_nonnegative(one, strict=True) and not seen_nonnegative(real) and not seen_nonnegative(-real)
    assert is_zero(zero - zero) and not is_zero(zero - one) and not is_zero(one - real)
    assert is_zero((one + 1) ** 2 - one**2 - 2 * one - 1)
    with pytest.raises(ProofError):
        Rising(x).check(x + Known(x))
    with pytest.raises(ProofError, match="differentiated"):
        Known(x).diff(x)
    assert Known(r).diff(x) == 0


def test_zero_is_not_almost_zero():
    """The values are equal at the random points, to all their digits."""
    small = Rational(1, 10**60)
    for e in (
        small,
        log(x * r) - log(x) - log(r) + small,
        Max(x, r) - Max(r, x) - small,
        sqrt(x) * sqrt(r) - sqrt(x * r) + small,
    ):
        assert not is_zero(e)
    assert not is_zero(Max(x - POINT, -TINY) - Max(x - POINT, -2 * TINY))
    assert not is_zero(Piecewise((x, x > POINT), (0, True)) - Piecewise((x, x > POINT + TINY), (0, True)))
    assert not is_zero(Max(x, r) - Min(x, r)) and not is_zero(Abs(y) - Max(y, 0))


def plain(e, _):
    return nonnegative(e)


@pytest.mark.parametrize(
    "e",
    [
        u + 1 - Max(u, 1),
        Max(u, 1) - 1,
        u + 1 - Abs(u - 1),
        Abs(u - 1) + u - 1,
        1 - Min(u, 1),
        Min(u, 1),
        Max(u - 1, 0) - u + 1,
        Piecewise((u - 1, u > 1), (1 - u, True)),
        Piecewise((u - 1, u >= 1), (1 - u, True)),
        Piecewise((1 - u, u < 1), (u - 1, True)),
        Piecewise((1 - u, u <= 1), (u - 1, True)),
        Max(2 - 2 * u, u - 1),
    ],
    ids=str,
)
def test_corners(e):
    assert settle(e, u, plain) >= 1


@pytest.mark.parametrize(
    "e",
    [
        u - Max(u, TINY),
        u - Max(TINY, u),
        u - Abs(u - TINY),
        Abs(u - 1) - TINY,
        Max(u - 1, 1 - u) - TINY,
        TINY - Min(u, 1),
        Min(u, 1) - TINY,
        Min(1, u) - TINY,
        Min(u, 1) - u / 1000,
        Max(u - 1, 0) - u + 1 - TINY,
        Piecewise((u - 1 - TINY, u > 1), (1, True)),
        Piecewise((1, u > 1), (u - TINY, True)),
        Piecewise((u - 1, u < 1), (1 - u, True)),
        Piecewise((1, u < 1), (1 - u, True)),
        Piecewise((u - 1, u < 1), (1, True)),
        Piecewise((u - 2, u > 1), (0, True)),
        Piecewise((1, sympy.Eq(u, 1)), (0, True)),
        Piecewise((1, u**2 > 2), (u - 1, True)),  # the switch is not affine
        Piecewise((1, y > 0), (u, True)) - TINY * u,
        Max(2 - 2 * u, u - 1) - TINY,
        Max(u**2 - 4, 0) - u + 2,
        Piecewise((1, u * r > 1), (1 - PAST, True)),
    ],
    ids=str,
)
def test_corners_reject_false_statements(e):
    with pytest.raises(ProofError):
        settle(e, u, plain)


@pytest.mark.parametrize(
    ("e", "true"),
    [
        (Piecewise((x, r > 1), (r, True)), True),
        (Piecewise((x, r > 1), (r - TINY, True)), False),
        (Piecewise((x - TINY, r > 1), (r, True)), False),
        (Max(x, r) - x, True),
        (x - Max(x, r - 1000), False),
        (Max(x - 1, 1 - x) - TINY, False),
    ],
    ids=str,
)
def test_corners_without_a_ratio(e, true):
    if true:
        assert settle(e, None, plain)
    else:
        with pytest.raises(ProofError):
            settle(e, None, plain)


def test_infinity_is_not_a_number():
    for e in (sympy.oo, sympy.zoo, sympy.nan, x + sympy.oo):
        with pytest.raises(ProofError):
            nonnegative(e)
        with pytest.raises(ProofError):
            nonnegative(e, Parts([e]))
    assert not is_zero(sympy.zoo) and not seen_nonnegative(sympy.zoo) and not seen_nonnegative(sympy.nan)


FAINT = Rational(1, 2**40)  # c^x and 2^y are below it only where there is no random point


@pytest.mark.parametrize("e", [Rational(2, 3) ** x - FAINT, 2**-x - FAINT, 2**y - FAINT], ids=str)
def test_a_power_is_at_least_one_for_base_and_exponent(e):
    assert seen_nonnegative(2**x - FAINT)
    assert no_point_shows(e)
    assert not seen_nonnegative(e)


@pytest.mark.parametrize(
    ("e", "tactic"),
    [
        # convex on either side of a pole at 40, and a tangent at 1 that they cross beyond it
        ((40 - x) ** -2 - Rational(1, 39**2) - 2 * (x - 1) / 39**3, Convex(x, 1)),
        (-log((x - 40) ** 2) + log(Rational(39**2)) - 2 * (x - 1) / 39, Convex(x, 1)),
        (1 / (40 - x), Rising(x)),
        ((40 - x) * x, Factors([40 - x, x])),
        (y + 40, Split(y, 1)),
    ],
    ids=str,
)
def test_statements_that_fail_beyond_the_random_points_are_rejected(e, tactic):
    assert no_point_shows(e)
    with pytest.raises(ProofError):
        nonnegative(e, tactic)


def test_a_minimum_is_split_into_two_sides():
    """|1 - u| is 2 (1 - u)_+ - (1 - u), for which neither argument of the maximum is sufficient."""
    assert settle(-2 * Min(0, u - 1) - (1 - u), u, lambda e, _: nonnegative(e)) >= 2
    with pytest.raises(ProofError):
        settle(-2 * Min(0, u - 1) - 2 * (1 - u) - TINY, u, lambda e, _: nonnegative(e))


def test_a_switch_must_be_affine():
    """2 - u is negative beyond 4, where the condition holds again."""
    with pytest.raises(ProofError, match="not affine"):
        settle(Piecewise((2 - u, u**2 - 5 * u + 4 >= 0), (1, True)), u, lambda e, _: nonnegative(e))


@pytest.mark.parametrize("e", [1 / (1 + x), log(1 + x), sqrt(x), x**a, exp(-x) / x], ids=str)
def test_smooth(e):
    tactics.smooth(e, x)


@pytest.mark.parametrize(
    "e", [1 / (40 - x), (x - 40) ** -2, log((x - 40) ** 2), sqrt((x - 40) ** 2), Abs(x - 40), Max(x, 40)], ids=str
)
def test_not_smooth(e):
    with pytest.raises(ProofError, match="smooth"):
        tactics.smooth(e, x)
