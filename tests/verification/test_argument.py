"""The steps of an argument hold, and what is not true is refused."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import arb

from verification.argument import boxed, exhaustive, identity, nonnegative_on_box
from verification.claim import REGISTRY, claim
from verification.instances import Scale
from verification.proof import ProofError

x = sympy.Symbol("x", positive=True)


def test_identity():
    assert identity(sympy.exp(sympy.log(x) * 2) - x**2, domain="x > 0").steps == 1
    with pytest.raises(ProofError, match="not seen to be 0"):
        identity(sympy.log(1 + x) - x, domain="x > 0")


def test_box():
    proof = nonnegative_on_box(lambda u, v: u * u + v * v - u * v + arb("1e-3"), {"u": (-1, 1), "v": ("-1/2", 1)})
    assert proof.domain == "u in [-1, 1], v in [-1/2, 1]"
    assert proof.steps > 1


@pytest.mark.parametrize("gap", ["1e-3", "1e-9"])
def test_box_finds_a_small_dip(gap):
    """Negative on an interval of width about sqrt(gap) only."""
    with pytest.raises(ProofError, match="negative at"):
        nonnegative_on_box(lambda u: (u - arb("1/3")) ** 2 - arb(gap), {"u": (0, 1)})


def test_box_says_when_it_did_not_suffice():
    with pytest.raises(ProofError, match="did not suffice"):
        nonnegative_on_box(lambda u: (u - arb("1/3")) ** 2, {"u": (0, 1)}, strict=True, max_boxes=500)


def test_box_ends_are_rational():
    with pytest.raises(TypeError, match="rational ends"):
        nonnegative_on_box(lambda u: u, {"u": (0, sympy.sqrt(2))})


def test_box_of_several_inequalities_needs_all():
    """The second is violated by less than the least float64."""
    wrong = claim("test.box", label="", statement="x >= 0 and x >= 10^-400", given={"x": Scale(high=1)})(
        lambda k, x: (np.stack([0 * x, 0 * x + Fraction(1, 10**400)], -1), np.stack([x, 0 * x], -1))
    )
    del REGISTRY["test.box"]
    with pytest.raises(ProofError, match="negative at"):
        boxed(x=(0, 1))(wrong)


def test_exhaustive():
    assert exhaustive(range(4), lambda n: 2**n > n, domain="n < 4").steps == 4
    with pytest.raises(ProofError, match="does not hold of 3"):
        exhaustive(range(5), lambda n: n != 3, domain="n < 5")
    with pytest.raises(ProofError, match="no cases"):
        exhaustive([], bool, domain="nothing")


def test_both_parts():
    joined = exhaustive([1], bool, domain="a") & identity(x - x, domain="b", detail="c")
    assert (joined.method, joined.domain, joined.steps) == (
        "exhaustive enumeration; symbolic identity",
        "a; b",
        2,
    )
