"""The steps of an argument hold, and false ones are rejected."""

from dataclasses import replace

import pytest
import sympy

import verification.claims  # noqa: F401
from verification.argument import exhaustive, identity
from verification.claim import REGISTRY
from verification.proof import ProofError

x = sympy.Symbol("x", positive=True)


def test_identity():
    assert identity(sympy.exp(sympy.log(x) * 2) - x**2, domain="x > 0").steps == 1
    with pytest.raises(ProofError, match="not seen to be 0"):
        identity(sympy.log(1 + x) - x, domain="x > 0")


def test_exhaustive():
    assert exhaustive(range(4), lambda n: 2**n > n, domain="n < 4").steps == 4
    with pytest.raises(ProofError, match="does not hold for 3"):
        exhaustive(range(5), lambda n: n != 3, domain="n < 5")
    with pytest.raises(ProofError, match="no cases"):
        exhaustive([], bool, domain="nothing")


def test_the_names_of_a_list_with_a_smaller_error():
    """For 10 000 names the error is at most 12.2 with probability 0.951, and at most 12.1 with 0.946."""
    claim = REGISTRY["colisson.sec23.names"]
    worse = replace(claim, sides=lambda k, names: (0 * names + 0.95, k.power(1 - k.exp(0 * names - 12.1), names)))
    assert claim.argument(claim).steps == 1
    with pytest.raises(ProofError):
        claim.argument(worse)


def test_both_parts():
    joined = exhaustive([1], bool, domain="a") & identity(x - x, domain="b", detail="c")
    assert (joined.method, joined.domain, joined.steps) == (
        "exhaustive enumeration; symbolic identity",
        "a; b",
        2,
    )
