"""Theorems that proofs cite are searched for counterexamples like claims, and so are similar false statements."""

from dataclasses import replace

import numpy as np
import pytest

from verification.cited import CITED
from verification.claim import Verdict
from verification.instances import Order, States
from verification.search import check
from verification.vocabulary import Vocabulary


@pytest.mark.slow
@pytest.mark.parametrize("id", sorted(CITED))
def test_no_counterexample_is_found(id):
    outcome = check(CITED[id], budget=600)
    assert outcome.verdict == Verdict.SUPPORTED, outcome.reason
    assert CITED[id].label, "a source is missing"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "changed", "verdict"),
    [
        ("cited.processing", {"alpha": Order(1 / 64, 0.5, closed=False)}, Verdict.REFUTED),
        ("cited.commuting", {"b": States(2), "alpha": Order(1 / 64, 0.5, closed=False)}, Verdict.REFUTED),
        ("cited.petz-processing", {"alpha": Order(2, drawn=8, closed=False)}, Verdict.REFUTED),
        ("cited.variational", {"alpha": Order(1 / 64, 1, closed=False)}, Verdict.REFUTED),
        # balls have the gradient only for diagonal matrices, where the tangent equals the functional
        ("cited.tangent", {"alpha": Order(1 / 64, 1, closed=False)}, Verdict.UNDECIDED),
    ],
)
def test_a_hypothesis_is_needed(id, changed, verdict):
    claim = CITED[id]
    outcome = check(replace(claim, id=f"{id}.changed", given={**claim.given, **changed}), budget=1500)
    assert outcome.verdict == verdict, outcome.reason
    assert outcome.min_margin < -1e-3


@pytest.mark.parametrize("alpha", [1.25, 2.0, 7.0])
def test_the_variational_formula_is_attained(alpha):
    """At H = B^(-s) (B^(-s) A B^(-s))^(alpha - 1) B^(-s), s = (alpha - 1) / (2 alpha): the gradient in A by alpha."""
    rng, k, order = np.random.default_rng(5), Vocabulary(), np.array([alpha])
    a, b = (m @ np.conj(m.swapaxes(-1, -2)) for m in rng.normal(size=(2, 1, 3, 3)) + 1j * rng.normal(size=(2, 1, 3, 3)))
    root = k.general_power(b, (1 - order) / (2 * order))
    h = root @ k.general_power(root @ a @ root, order - 1) @ root
    value = alpha * k.pairing(h, a) - (alpha - 1) * k.dual_functional(h, b, order)
    assert value == pytest.approx(k.sandwiched_moment(a, b, order))
    assert alpha * k.pairing(h, a) - (alpha - 1) * k.dual_functional(0.9 * h, b, order) > value


@pytest.mark.parametrize("alpha", [1.25, 2.0, 7.0])
def test_the_tangent_is_the_derivative(alpha):
    rng, k, order = np.random.default_rng(6), Vocabulary(), np.array([alpha])
    parts = rng.normal(size=(3, 1, 3, 3)) + 1j * rng.normal(size=(3, 1, 3, 3))
    h, b, c = (m @ np.conj(m.swapaxes(-1, -2)) for m in parts)
    g = k.dual_gradient(h, b, np.array([0.5]), order)
    at = b + np.eye(3) / 2
    assert k.pairing(g, at) == pytest.approx(k.dual_functional(h, at, order))
    step = (k.dual_functional(h, at + 1e-5 * c, order) - k.dual_functional(h, at - 1e-5 * c, order)) / 2e-5
    assert k.pairing(g, c) == pytest.approx(step, rel=1e-6)
    same = k.dual_gradient(h, np.eye(3)[None], np.array([0.5]), order)  # equal eigenvalues
    assert same == pytest.approx(k.general_power(h, order / (order - 1)))


def test_the_divergence_of_petz_is_larger():
    claim = CITED["cited.below-petz"]
    outcome = check(replace(claim, id="other-way", sides=lambda k, **i: claim.sides(k, **i)[::-1]), budget=600)
    assert outcome.verdict == Verdict.REFUTED, outcome.reason
