"""A proof that is not tied to its claim is detected, and proofs cannot be forged."""

from dataclasses import replace

import numpy as np
import pytest

from verification import check, claim
from verification.argument import identity
from verification.challenge import NotBound, challenge, opposite, tightened, widened
from verification.claim import REGISTRY, Claim, Verdict
from verification.instances import Distributions, Events, Fraction01, Order, Reals, Scale
from verification.proof import Derivation, Proof, ProofError, Prover, proved
from verification.provers.derivation import derived
from verification.provers.kernel import Theorem, at_most
from verification.provers.symbols import Case


class Anything(Prover):
    """A prover that accepts every claim."""

    method = "anything"

    def derive(self, claim: Claim) -> Derivation:
        return Derivation("everything", ("because",))


class Unless(Prover):
    """A prover that accepts every claim that holds at one instance."""

    method = "unless"

    def __init__(self, **instance) -> None:
        self.instance = {name: np.array([float(x)]) for name, x in instance.items()}

    def derive(self, claim: Claim) -> Derivation:
        lhs, rhs = claim.sides(np, **self.instance)
        if not (lhs == rhs if claim.relation == "==" else lhs <= rhs).all():
            raise ProofError("it fails there")
        return Derivation("one instance", ("looked at",))


@pytest.fixture
def made(monkeypatch):
    """Return a function that makes claims, which are removed after the test."""

    def make(sides, proof=None, relation="<=", argument=None, **given):
        name = f"own.challenged-{len(REGISTRY)}"
        declared = claim(name, label="", statement="", given=given, relation=relation, proof=proof, argument=argument)(
            sides
        )
        monkeypatch.delitem(REGISTRY, name)
        return declared

    return make


def outcome(claim):
    return check(claim, budget=200)


def test_a_prover_that_proves_everything_is_caught(made):
    def sides(k, x):
        return 0 * x, x * x

    found = outcome(made(sides, Anything(), x=Scale()))
    assert found.verdict is Verdict.SUPPORTED
    assert found.proof is None
    assert "not bound" in found.reason
    assert "opposite" in found.reason


def test_an_equality_is_challenged(made):
    def sides(k, x):
        return x + x, 2 * x

    found = outcome(made(sides, Anything(), "==", x=Scale()))
    assert found.verdict is Verdict.SUPPORTED
    assert "opposite" in found.reason


def test_the_tightened_claim_is_tried(made):
    """At x = 0, 0 <= 99/100 x holds trivially, but not elsewhere."""

    def sides(k, x):
        return x, x

    found = outcome(made(sides, Unless(x=0), x=Scale()))
    assert "not bound" in found.reason
    assert "1%" in found.reason


def test_the_wider_claim_is_tried(made):
    def sides(k, x):
        return 0 * x - 1, x**3

    found = outcome(made(sides, Unless(x=1), x=Scale()))
    assert "not bound" in found.reason
    assert "x beyond its range" in found.reason


def test_a_valid_proof_passes(made):
    def sides(k, x):
        return 0 * x - 1, x**3

    found = outcome(made(sides, derived(), x=Scale()))
    assert found.verdict is Verdict.PROVED
    assert "[0, oo)" in found.proof.domain


def test_an_argument_is_not_a_proof(made):
    def sides(k, x):
        return 0 * x, x * x

    found = outcome(made(sides, argument=lambda claim: identity(0, domain="every statement whatsoever"), x=Scale()))
    assert found.verdict is Verdict.SUPPORTED
    assert found.proof is None


def test_proofs_and_theorems_are_made_by_provers_and_rules():
    with pytest.raises(ProofError, match="by a prover"):
        Proof("because", "everything", ("trust me",))
    with pytest.raises(ProofError, match="by a rule"):
        Theorem(Case(), 1, 0, ())
    theorem = at_most(Case(), 0, 1)
    with pytest.raises(ProofError, match="by a rule"):
        replace(theorem, lhs=theorem.rhs, rhs=theorem.lhs)
    assert theorem.seal is None


def test_a_proof_is_immutable():
    made = proved(Claim("own.n", "", "", {"x": Scale()}, lambda k, x: (0 * x, x)), derived())
    with pytest.raises(ProofError, match="by a prover"):
        replace(made, domain="everything")


@pytest.mark.parametrize("proof", [lambda claim: True, "because", object()])
def test_a_proof_must_be_a_prover(proof, made):
    with pytest.raises(TypeError, match="prover"):
        made(lambda k, x: (x, x), proof, x=Scale())
    with pytest.raises(TypeError, match="prover"):
        proved(Claim("own.n", "", "", {"x": Scale()}, lambda k, x: (x, x)), proof)


@pytest.mark.parametrize(
    "sides",
    [
        lambda k, x: (np.zeros(1), np.ones(1)),
        lambda k, x: (np.where(x < 0, 1.0, 0.0), 0.0),
        lambda k, x: (0 * x, 1 + 0 * x),
        lambda k, x: (x - x, x * 0),
    ],
)
def test_trivial_cases_are_not_a_proof(sides):
    with pytest.raises(ProofError, match="trivial"):
        proved(Claim("own.n", "", "", {"x": Scale()}, sides), derived())


def test_an_error_in_a_script_is_not_a_proof():
    def script(goal):
        raise ZeroDivisionError("oops")

    with pytest.raises(ProofError, match="oops"):
        proved(Claim("own.n", "", "", {"x": Scale()}, lambda k, x: (x, 2 * x - 1)), derived(script))


def test_the_claims_that_a_prover_is_challenged_with():
    sides = lambda k, x: (0 * x, x)  # noqa: E731
    claim = Claim("own.n", "", "", {"x": Scale()}, sides)
    assert opposite(claim).sides(np, x=3.0) == (4.0, 0.0)
    assert opposite(replace(claim, relation="==")).sides(np, x=3.0) == (0.0, 4.0)
    assert tightened(claim).sides(np, x=-100.0) == (0.0, -101.0)
    kinds = {"a": Order(1), "s": Scale(), "f": Fraction01(), "t": Events(1), "p": Distributions(1)}
    wider = {n: k for c in widened(replace(claim, given=kinds)) for n, k in c.given.items() if k is not kinds[n]}
    assert {n: type(k) for n, k in wider.items()} == {"a": Order, "s": Reals, "f": Scale, "t": Events}
    assert wider["t"].most == 2


def test_a_neighbour_is_tried_only_if_it_is_false():
    claim = Claim("own.n", "", "", {"x": Scale()}, lambda k, x: (0 * x - 1, x * x))
    asked = []

    class Listening(Prover):
        method = "listening"

        def derive(self, claim):
            asked.append(claim)
            raise ProofError("no")

    challenge(claim, Listening(), lambda claim, instances: False, [])
    assert len(asked) == 1
    challenge(claim, Listening(), lambda claim, instances: True, [])
    assert len(asked) == 4
    with pytest.raises(NotBound):
        challenge(claim, Anything(), lambda claim, instances: False, [])


class Once(Prover):
    """A prover that accepts the first claim and no other."""

    def __init__(self) -> None:
        self.left = 1

    def derive(self, claim: Claim) -> Derivation:
        self.left -= 1
        if self.left < 0:
            raise ProofError("no more")
        return Derivation("everything", ("because",))


def test_a_prover_of_a_user_gives_no_verdict(made):
    """Even if it fails the false claims, and its claim is true."""
    rare = made(lambda k, x: (0 * x, x), Once(), x=Scale())
    found = outcome(rare)
    assert found.verdict is Verdict.SUPPORTED
    assert found.proof is None
    assert "a prover of one's own makes no verdict" in found.reason

    class Derived(type(derived())):
        """A prover that is not built in, even if it is a subclass of one."""

    own = made(lambda k, x: (0 * x, x), Derived(None), x=Scale())
    assert outcome(own).verdict is Verdict.SUPPORTED
    assert outcome(made(lambda k, x: (0 * x, x), derived(), x=Scale())).verdict is Verdict.PROVED


def test_a_neighbour_that_cannot_be_evaluated_is_ignored(made):
    def sides(k, x):
        if (x < 0).any():
            raise KeyError("negative numbers")
        return 0 * x, x

    assert outcome(made(sides, derived(), x=Scale())).verdict is Verdict.PROVED
