"""The last step of a refutation: only violations get a certificate, and its decimal bounds contain the margin."""

from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from verification.claim import Claim
from verification.instances import Distributions, Order, build, draw
from verification.rigorous import RIGOROUS, Number, RigorousVocabulary
from verification.sides import at
from verification.simplify import _decimal, certify_violation


def certified(sides, relation="<=", **given):
    """Return `certify_violation` for an unregistered claim, on its first random instance with two letters."""
    given = given or {"alpha": Order(0.5)}
    claim = Claim("test.claim", "test", "", given, sides, relation)
    return certify_violation(claim, at(claim, draw(given, np.random.default_rng(0), 1, 2)))


def test_only_a_violation_has_a_certificate():
    third = certified(lambda k, alpha: (alpha + alpha / alpha / 3, alpha))
    assert F(third.margin_lower) < F(-1, 3) < F(third.margin_upper) < 0
    assert F(third.margin_upper) - F(third.margin_lower) < F(1, 10**14)
    assert certified(lambda k, alpha: (alpha, alpha + 1)) is None
    assert certified(lambda k, alpha: (alpha, alpha)) is None


def test_an_equality_is_violated_from_both_sides():
    for step in (1, -1):
        found = certified(lambda k, alpha, step=step: (alpha, alpha + step), "==")
        assert F(found.margin_lower) <= step <= F(found.margin_upper)
    assert certified(lambda k, alpha: (alpha, alpha), "==") is None


def test_undecided_margins_have_no_certificate():
    """Algebraically equal sides, overlapping balls, and NaN."""
    for relation in ("<=", "=="):
        assert certified(lambda k, alpha: (k.exp(k.log(alpha)), alpha), relation) is None
        assert certified(in_balls(arb(1, 0.5), arb(1)), relation) is None
        assert certified(in_balls(arb.nan(), arb(1)), relation) is None


def in_balls(left, right):
    """Return sides that are 2 and 1, except in ball arithmetic."""

    def sides(k, alpha):
        one = alpha / alpha
        if isinstance(k, RigorousVocabulary):
            return np.array([Number(left)]), np.array([Number(right)])
        return 2 * one, one

    return sides


def test_bounds_of_a_wide_margin_are_its_ends():
    found = certified(in_balls(arb(4, 1), arb(1)))
    assert F(found.margin_lower) <= -4 and -2 <= F(found.margin_upper) < 0
    infinite = certified(in_balls(arb.pos_inf(), arb(1)))
    assert (infinite.margin_lower, infinite.margin_upper) == ("-inf", "-inf")


def test_the_worst_of_several_inequalities_is_certified():
    for order in ([0, 1], [1, 0]):
        found = certified(
            lambda k, alpha, order=order: tuple(
                np.stack(side, -1)
                for side in zip(*[[(alpha, alpha + 1), (alpha + 2, alpha)][i] for i in order], strict=True)
            )
        )
        assert F(found.margin_lower) <= -2 <= F(found.margin_upper)


def test_small_violations_need_more_digits():
    """Violations of 10^-50, for an elementary function and for a divergence."""
    tiny = fmpq(1, 10**50)

    def more(k, x):
        """Return x (1 + 10^-50), in a form that works in all three vocabularies."""
        return x + x / 10**25 / 10**25

    found = certified(lambda k, alpha: (more(k, k.exp(k.log(alpha))), alpha))
    assert found is not None and F(found.margin_upper) < 0
    found = certified(lambda k, p: (more(k, k.kl(*p)), k.kl(*p)), p=Distributions(2, within=("full",)))
    assert found is not None and -tiny < fmpq(*F(found.margin_upper).as_integer_ratio()) < 0


@pytest.mark.parametrize("error", [ZeroDivisionError, TypeError])
def test_unsupported_arithmetic_has_no_certificate(error):
    def sides(k, alpha):
        if isinstance(k, RigorousVocabulary):
            raise error
        return alpha + 1, alpha

    assert certified(sides) is None


def test_decimals_are_rounded_outward():
    """Compared exactly, as Fractions, for 400 dyadic numbers of either sign from 2^-200 to 2^200."""
    rng = np.random.default_rng(0)
    for _ in range(400):
        mantissa, exponent = int(rng.integers(-(2**62), 2**62)), int(rng.integers(-260, 140))
        with ctx.workprec(80):
            x = arb(mantissa) * arb(2) ** exponent
        exact = F(mantissa) * F(2) ** exponent
        low, high = F(_decimal(x, ROUND_FLOOR)), F(_decimal(x, ROUND_CEILING))
        assert low <= exact <= high
        assert high - low <= abs(exact) / 10**13
    assert [_decimal(x, ROUND_FLOOR) for x in (arb.pos_inf(), arb.neg_inf(), arb(0))] == ["inf", "-inf", "0"]


def test_an_instance_is_built_in_exact_rationals():
    """The printed instance is certified, without rounding."""
    given = {"p": Distributions(2)}
    raw = draw(given, np.random.default_rng(1), 1, 3)
    p = build(given, raw, RIGOROUS)["p"]
    assert all(x.rational is not None for row in p for x in np.ravel(row))
    assert all(sum(np.ravel(row)).rational == 1 for row in p)
