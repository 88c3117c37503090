"""Theorems that proofs cite are put to the search as claims are, and so are neighbours of theirs that are false."""

from dataclasses import replace

import pytest

from verification.cited import CITED
from verification.claim import Verdict
from verification.instances import Order, States
from verification.search import check


@pytest.mark.parametrize("id", sorted(CITED))
def test_nothing_is_found_against_it(id):
    outcome = check(CITED[id], budget=600)
    assert outcome.verdict == Verdict.SUPPORTED, outcome.reason
    assert CITED[id].label, "a source is missing"


@pytest.mark.parametrize(
    ("id", "changed"),
    [
        ("cited.processing", {"alpha": Order(1 / 64, 0.5, closed=False)}),
        ("cited.commuting", {"b": States(2), "alpha": Order(1 / 64, 0.5, closed=False)}),
    ],
)
def test_a_hypothesis_that_is_needed(id, changed):
    claim = CITED[id]
    outcome = check(replace(claim, id=f"{id}.changed", given={**claim.given, **changed}), budget=1500)
    assert outcome.verdict == Verdict.REFUTED, outcome.reason
