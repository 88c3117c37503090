"""The power of the search: true claims made false on purpose are refuted within the quick budget."""

import pytest

from verification.campaign import BUDGETS
from verification.claim import REGISTRY, Verdict
from verification.mutants import EXPECTED_TRUE, SURVIVORS, mutants
from verification.proof import ProofError, proved
from verification.search import check

MUTANTS = mutants()


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS[::4], ids=lambda m: f"{m.origin}: {m.change}")
def test_mutants_are_refuted(mutant):
    budgets = (BUDGETS["quick"] // 4, BUDGETS["quick"])  # a quarter is enough for most
    refuted = any(check(mutant.claim, budget=budget).verdict is Verdict.REFUTED for budget in budgets)
    assert refuted or (mutant.origin, mutant.change) in SURVIVORS


@pytest.mark.slow
@pytest.mark.parametrize("mutant", [m for m in MUTANTS if m.claim.proof][::6], ids=lambda m: f"{m.origin}: {m.change}")
def test_proofs_do_not_prove_mutants(mutant):
    with pytest.raises(ProofError):
        proved(mutant.claim, mutant.claim.proof)


def test_at_least_95_percent_of_the_mutants_are_refuted():
    assert len(SURVIVORS) <= 0.05 * len(MUTANTS)
    assert set(SURVIVORS) <= {(m.origin, m.change) for m in MUTANTS}


def test_excluded_mutants_are_true_claims():
    for id in EXPECTED_TRUE:
        assert REGISTRY[id].recorded in (Verdict.SUPPORTED, Verdict.PROVED)
