"""The metadata of the built-in claims."""

import re
import sys
from functools import partial

import pytest

import verification.claims  # noqa: F401
from verification.claim import REGISTRY, UNCOVERED, Nature, Registry, Verdict
from verification.claim import claim as declared
from verification.instances import Scale
from verification.provers import derived

CLAIMS = [c for c in REGISTRY.values() if c.sides.__module__.startswith("verification.claims")]
PRINTED = [c for c in CLAIMS if c.nature is Nature.PRINTED]
FAILING = [c for c in PRINTED if c.recorded is Verdict.REFUTED]
HOLDS = (Verdict.PROVED, Verdict.SUPPORTED)


def plain(text):
    return re.sub(r"\s+", "", text)


def test_no_sentence_counts_twice():
    quotes = {c.id: plain(c.quote) for c in PRINTED}
    twice = [
        (a, b)
        for a in quotes
        for b in quotes
        if a != b and REGISTRY[a].paper == REGISTRY[b].paper and quotes[a] in quotes[b]
    ]
    assert twice == []


@pytest.mark.parametrize("claim", FAILING, ids=lambda c: c.id)
def test_failures_are_explained_and_corrected(claim):
    assert claim.says
    assert claim.fault
    corrections = [c for c in CLAIMS if c.corrects == claim.id]
    assert any(c.recorded in HOLDS for c in corrections)


def test_a_proof_is_recorded_as_such():
    assert [c.id for c in CLAIMS if (c.proof is not None) != (c.recorded is Verdict.PROVED)] == []
    assert [c.id for c in CLAIMS if c.proof is not None and c.argument is not None] == []


@pytest.mark.parametrize("proof, verdict", [(None, Verdict.SUPPORTED), (derived(), Verdict.PROVED)])
def test_a_claim_with_a_proof_is_recorded_as_proved_by_default(monkeypatch, proof, verdict):
    monkeypatch.setattr(sys.modules["verification.claim"], "REGISTRY", Registry())
    declare = partial(declared, label="a sign", statement="0 <= x", given={"x": Scale()}, proof=proof)
    assert declare("own.sign")(lambda k, x: (0 * x, x)).recorded is verdict
    assert declare("own.told", recorded=Verdict.UNDECIDED)(lambda k, x: (0 * x, x)).recorded is Verdict.UNDECIDED


def test_corrected_claims_are_refuted_or_sharpened():
    assert [c.id for c in CLAIMS if c.corrects is not None and c.corrects not in REGISTRY] == []


def test_statements_without_a_claim_have_a_reason():
    assert {u.paper for u in UNCOVERED} == {c.paper for c in PRINTED}
    assert all(u.place and u.says and u.why for u in UNCOVERED)
    assert len({(u.paper, u.place, u.says) for u in UNCOVERED}) == len(UNCOVERED)


def test_a_theorem_of_the_audit_is_proved():
    assert all(c.recorded is Verdict.PROVED for c in CLAIMS if c.paper == "own")
