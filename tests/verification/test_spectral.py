"""Two states, represented by the spectrum of one relative to the other."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Symbol

from verification.instances import FLOATS, PureStates
from verification.proof import ProofError
from verification.provers.kinds import instance
from verification.provers.symbols import cases
from verification.provers.values import Scalar
from verification.provers.vocabulary import SymbolicVocabulary
from verification.vocabulary import Vocabulary

k = SymbolicVocabulary()


@pytest.mark.slow
@pytest.mark.parametrize("family", PureStates.STARTS)
def test_the_spectrum_is_a_pure_pair_of_the_same_divergence(family: str) -> None:
    kind = PureStates(dim=3)
    rng = np.random.default_rng(1)
    (rho, sigma), ratio = kind.build(kind.draw(rng, 6, 3, family), FLOATS)
    for a, b, r in zip(rho, sigma, ratio, strict=True):
        for low, high in ((a, b), (b, a)):
            assert np.linalg.eigvalsh(r * high - low)[0] >= -1e-9
        values, vectors = np.linalg.eigh(b)
        on = vectors[:, values > 1e-9] / np.sqrt(values[values > 1e-9])
        ratios, inner = np.linalg.eigh(on.conj().T @ a @ on)
        half = (vectors[:, values > 1e-9] * np.sqrt(values[values > 1e-9])) @ inner
        q = np.einsum("ij,ij->j", half.conj(), half).real
        p = ratios * q
        assert p.sum() == pytest.approx(1) and q.sum() == pytest.approx(1)
        assert np.all(p <= r * q + 1e-9) and np.all(q <= r * p + 1e-9)
        for alpha in (1.5, 2.0, 7.0):
            order = np.array([alpha])
            wanted = Vocabulary().renyi(p[None] / p.sum(), q[None] / q.sum(), order)[0]
            value = Vocabulary().maximal_renyi(a[None], b[None], order)[0]
            assert value == pytest.approx(wanted, abs=1e-7)


def test_only_the_pair_in_its_order_has_a_spectrum() -> None:
    def run(case: object) -> list[object]:
        made = instance({"near": PureStates(), "other": PureStates()}, case)  # type: ignore[arg-type]
        (rho, sigma), _ = made.arguments["near"]
        (_, another), _ = made.arguments["other"]
        assert k.maximal_renyi(rho, sigma, Scalar(2)) is not None
        for pair in ((sigma, rho), (rho, rho), (sigma, sigma), (rho, another), (rho, rho.weights)):
            with pytest.raises(ProofError):
                k.maximal_renyi(*pair, Scalar(2))
        ratio = 1 + Symbol("near_more", positive=True)
        p, q = rho.weights.e, sigma.weights.e
        assert {f.expression for f in case.facts} >= {ratio * q - p, ratio * p - q}  # type: ignore[attr-defined]
        return []

    assert len(list(cases(run))) == 1
