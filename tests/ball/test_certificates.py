"""`certify` compared with the meaning of its verdicts: the inequality holds for all, or for no, pairs within bounds."""

import itertools
from fractions import Fraction as F

import pytest
from flint import arb, ctx, fmpq

from krdtheory.arithmetic.ball import UndecidedError
from krdtheory.ball import certify

INF = float("inf")
NAN = arb.nan()


def fraction(x):
    """Return an exact ball as a Fraction."""
    mantissa, exponent = x.man_exp()
    return F(int(mantissa)) * F(2) ** int(exponent)


def holds(ball, x):
    """Return whether a ball contains a rational."""
    with ctx.workprec(400):
        return ball.overlaps(arb(fmpq(x.numerator, x.denominator)))


def raising(**bounds):
    def side(digits):
        raise UndecidedError("too wide", **bounds)

    return side


BALLS = [arb(*x) for x in ((-0.5, 0.5), (0.5, 0.5), (1.5, 0.5), (1.375, 0.125), (0.5, 1.5), (2.25, 0.75))]
ENDS = {fraction(end) for x in BALLS for end in (x.lower(), x.upper())}  # radii are rounded up when a ball is made
SIDES = [  # a side, and the ends of its possible values
    *((fmpq(x.numerator, x.denominator), x, x) for x in sorted({F(0), F(1, 3), F(1), F(3, 2), *ENDS})),
    (INF, INF, INF),
    (-INF, -INF, -INF),
    (arb.neg_inf(), -INF, -INF),
    *((x, fraction(x.lower()), fraction(x.upper())) for x in BALLS),
    (raising(lower=arb(1)), F(1), INF),
    (raising(upper=arb(1)), -INF, F(1)),
    (raising(lower=arb(1), upper=arb(2)), F(1), F(2)),
    (raising(), -INF, INF),
]


def expected(a, b, relation):
    """Return the verdict on the intervals [a[0], a[1]] and [b[0], b[1]], by comparing their ends."""
    if relation == "<=":
        return "proved" if a[1] <= b[0] else "refuted" if a[0] > b[1] else "undecided"
    if a[0] == a[1] == b[0] == b[1]:
        return "proved"
    return "refuted" if a[0] > b[1] or a[1] < b[0] else "undecided"


@pytest.mark.parametrize("relation", ["<=", "=="])
def test_verdicts_hold_for_all_values_within_the_bounds(relation):
    for (x, *a), (y, *b) in itertools.product(SIDES, repeat=2):
        found = certify(x, y, relation=relation, max_digits=30)
        assert found.verdict == expected(a, b, relation), (a, b)
        for s, t in itertools.product(a, b):
            if abs(s) < INF and abs(t) < INF:
                assert holds(found.margin, F(t) - F(s)), (a, b)


def test_nan_leaves_the_verdict_undecided():
    for side in (0, 1, INF, -INF, NAN):
        for pair in ((NAN, side), (side, NAN)):
            for relation in ("<=", "=="):
                found = certify(*pair, relation=relation)
                assert found.verdict == "undecided" and "is not a number" in found.reason
    for bounds in ({"lower": NAN}, {"upper": NAN}, {"lower": NAN, "upper": arb(0)}):
        for pair in ((raising(**bounds), 1), (1, raising(**bounds))):
            assert certify(*pair, max_digits=15).verdict == "undecided"


def test_precision_is_raised_until_the_sign_is_certain():
    """sqrt 2 compared with 100 and 200 of its digits; the other side is a number or a callable."""
    with ctx.workdps(300):
        digits = int((arb(2).sqrt() * arb(10) ** 100).floor().unique_fmpz())
    below, above = fmpq(digits, 10**100), fmpq(digits + 1, 10**100)

    def root(digits):
        return arb(2).sqrt()

    for bound, verdict in ((below, "refuted"), (above, "proved")):
        for other in (bound, lambda digits, bound=bound: arb(bound)):
            found = certify(root, other)
            assert found.verdict == verdict and found.digits == 120
            assert certify(root, other, max_digits=60).verdict == "undecided"
            assert certify(root, other, relation="==").verdict == "refuted"


def test_algebraic_equality_is_not_proved_by_balls():
    for relation in ("<=", "=="):
        found = certify(lambda digits: arb(2).sqrt() ** 2, 2, relation=relation, max_digits=120)
        assert found.verdict == "undecided" and found.margin.contains(0) and found.reason.startswith("the margin is")
