"""Cuts: properties of every kernel are proved, false ones are not, and maps are as good as kernels."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest
import sympy
from sympy import Symbol

from verification.claim import REGISTRY, Claim
from verification.instances import Distributions, Events, MarkovKernels
from verification.proof import ProofError, proved
from verification.provers import derived
from verification.provers.cuts import cut_again, cuts, every_kernel, one_cell, refines, this_kernel, this_test
from verification.provers.derivation import Goal
from verification.provers.symbols import Case, Total, within
from verification.provers.values import Letters
from verification.provers.vocabulary import SymbolicVocabulary, _same_kernel
from verification.vocabulary import Vocabulary

P = {"p": Distributions(2)}
THREE = {"p": Distributions(2, dim=3)}
WITH = {**P, "channel": MarkovKernels()}


def _claim(sides: Any, given: Any) -> Claim:
    return Claim("own.trial", "", "", given, sides)


def _twice(k: Any, p: Any, outer: int, inner: int) -> Any:
    return k.cut(lambda x, y: k.cut(k.total_variation, [x, y], inner), p, outer)


def _nested(goal: Goal) -> Any:
    return cut_again(goal.case, *cuts(goal.case)[:2])


def _identity(goal: Goal) -> Any:
    return this_kernel(goal.case, *cuts(goal.case))


def _below(goal: Goal) -> Any:
    return every_kernel(goal.case, cuts(goal.case)[0], goal.rhs, lambda here, _: goal.pointwise(here, goal.rhs))


TRUE = [
    (lambda k, p: (k.cut(k.kl, p, 2), k.cut(k.kl, p, 3)), P, lambda g: refines(g.case, *cuts(g.case))),
    (lambda k, p: (k.total_variation(*p), k.cut(k.total_variation, p, 3)), THREE, _identity),
    (lambda k, p: (k.cut(k.kl, p, 2), k.cut(lambda x, y: k.cut(k.kl, [x, y], 2), p, 3)), P, _nested),
    (lambda k, p: (k.cut(k.kl, p, 1), 0 * p[0].sum(-1)), P, lambda g: one_cell(g.case, *cuts(g.case))),
]  # fmt: skip
FALSE = [
    (
        lambda k, p: (k.cut(lambda x, y: x.min(-1), p, 2), k.cut(lambda x, y: x.min(-1), p, 3)),
        P,
        lambda g: refines(g.case, *cuts(g.case)),
    ),
    (lambda k, p: (k.cut(k.kl, p, 3), k.cut(k.kl, p, 2)), P, lambda g: refines(g.case, *cuts(g.case))),
    (lambda k, p: (k.cut(k.kl, p, 2), k.cut(k.total_variation, p, 2)), P, lambda g: refines(g.case, *cuts(g.case))),
    (lambda k, p: (k.cut(k.kl, p, 2), k.cut(k.kl, p[::-1], 2)), P, lambda g: refines(g.case, *cuts(g.case))),
    (
        lambda k, p, channel: (k.cut(k.kl, p, 2), k.cut(k.kl, [k.through(w, channel) for w in p], 2)),
        WITH,
        lambda g: refines(g.case, *cuts(g.case), g.channel),
    ),
    (
        lambda k, p, channel: (k.total_variation(*(k.through(w, channel) for w in p)), k.cut(k.total_variation, p, 2)),
        WITH,
        lambda g: this_kernel(g.case, *cuts(g.case), g.channel),
    ),
    (lambda k, p: (k.total_variation(*p), k.cut(k.total_variation, p, 2)), THREE, _identity),
    (lambda k, p: (k.total_variation(*p), k.cut(k.total_variation, p, 2)), P, _identity),
    (lambda k, p: (k.cut(k.kl, p, 2), 0 * p[0].sum(-1)), P, lambda g: one_cell(g.case, *cuts(g.case))),
    (lambda k, p: (k.cut(k.total_variation, p, 3), _twice(k, p, 2, 3)), P, _nested),
    (lambda k, p: (k.cut(k.total_variation, p, 3), _twice(k, p, 3, 2)), P, _nested),
    (lambda k, p: (k.cut(k.kl, p, 2), _twice(k, p, 2, 2)), P, _nested),
    (lambda k, p: (k.cut(k.total_variation, p, 2), k.cut(k.total_variation, p, 2)), P, _nested),
    (lambda k, p: (k.cut(k.total_variation, p, 2), k.total_variation(*p) / 2), P, _below),
    (
        lambda k, p, t: (np.stack([2 * (t[:, 0] * w).sum(-1) for w in p], -1)[:, 0], k.cut(k.total_variation, p, 2)),
        {**P, "t": Events()},
        lambda g: this_test(g.case, *cuts(g.case), g.t[0]),
    ),
    (
        lambda k, p, t: (0 * (t[:, 0] * p[0]).sum(-1), k.cut(k.total_variation, p, 1)),
        {**P, "t": Events()},
        lambda g: this_test(g.case, *cuts(g.case), g.t[0]),
    ),
    (
        lambda k, p, t: (0 * (t[:, 0] * p[0]).sum(-1), k.cut(k.total_variation, p, 2)),
        {**P, "t": Events()},
        lambda g: this_test(g.case, *cuts(g.case), 2 * g.t[0]),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("sides", "given", "script"), TRUE)
def test_true_properties_are_proved(sides: Any, given: Any, script: Any) -> None:
    assert proved(_claim(sides, given), derived(script)).complete


@pytest.mark.parametrize(("sides", "given", "script"), FALSE)
def test_false_neighbours_are_not_proved(sides: Any, given: Any, script: Any) -> None:
    with pytest.raises(ProofError):
        proved(_claim(sides, given), derived(script))


def test_a_bound_must_not_depend_on_the_kernel() -> None:
    def script(goal: Goal) -> Any:
        (top,) = cuts(goal.case)
        seen: list[Any] = []

        def proof(here: Any, _: Any) -> Any:
            seen.append(here)
            return goal.at_most(here, here)

        with suppress(ProofError):
            every_kernel(goal.case, top, goal.rhs, proof)
        return every_kernel(goal.case, top, seen[0], proof)

    with pytest.raises(ProofError):
        proved(_claim(lambda k, p: (k.cut(k.total_variation, p, 2), 0 * p[0].sum(-1)), P), derived(script))


def test_no_random_kernel_beats_the_maps() -> None:
    rng, k = np.random.default_rng(0), Vocabulary()
    p = list(rng.dirichlet(np.ones(4), (2, 20)))
    for f in (k.kl, k.total_variation, k.hellinger, lambda x, y: k.renyi(x, y, np.full(len(x), 0.5))):
        for cells in (1, 2, 3):
            top = k.cut(f, p, cells)
            assert np.allclose(top, k.cut(f, p, np.full(20, cells)))
            for _ in range(20):
                kernel = rng.dirichlet(np.full(cells, 0.3), (20, 4))
                assert np.all(f(*(k.through(w, kernel) for w in p)) <= top + 1e-12)
        assert np.allclose(k.cut(f, p, None), f(*p))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lem2.cut-dpi", "lem3.cut-below", "lem8.cut-generated", "lem6.monotone"])
def test_registered_proofs_pass(name: str) -> None:
    found = REGISTRY[f"hyptest.{name}"]
    assert found.proof is not None
    assert proved(found, found.proof).complete


def test_data_processing_is_needed() -> None:
    """1 - TV increases under channels: it does not satisfy data processing, and its cut is not below it."""
    flipped = _claim(lambda k, p: (k.cut(lambda x, y: 1 - k.total_variation(x, y), p, 2), 1 - k.total_variation(*p)), P)
    with pytest.raises(ProofError):
        proved(flipped, derived(_below))


def test_a_value_that_varies_over_letters_is_not_a_number():
    with within(Case()) as case:
        source, target = Symbol("source"), Symbol("target")
        p, q, kernel = (Symbol(name, nonnegative=True) for name in ("p", "q", "K"))
        for w in (p, q):
            case.alphabets[w], case.masses[w, source] = frozenset([source]), 1
        case.alphabets[kernel], case.masses[kernel, target] = frozenset([source, target]), 1
        k, x, y = SymbolicVocabulary(), Letters(p, [(source,)]), Letters(q, [(source,)])
        rows = Letters(kernel, [(source,), (target,)])
        images = [k.through(w, rows) for w in (x, y)]
        assert _same_kernel(*images)
        forged = [Letters(w.e, w.axes, image.origin) for w, image in zip((x, y), images, strict=True)]
        signed = [k.through(w, rows * -1) for w in (x, y)]
        assert not _same_kernel(*forged) and not _same_kernel(*signed)
        row = Total(kernel**2, target)
        for wrong in (
            lambda: Letters(kernel, [(target,)]),  # with one row the divergence differs at every letter
            lambda: case._define("M", row, positive=True),
            lambda: case.holds(sympy.Gt(row, sympy.Rational(1, 2))),
        ):
            with pytest.raises(ProofError):
                wrong()
