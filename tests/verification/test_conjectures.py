"""The conjectures that measure the search: the false ones are false, and the harness recognises valid refutations."""

import importlib.util
import io
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from krdtheory.arithmetic import MP
from verification.claim import REGISTRY
from verification.instances import (
    RATIONALS,
    Channels,
    CommutingPairs,
    Distributions,
    Events,
    Fraction01,
    Integers,
    MarkovKernels,
    Order,
    Projections,
    PurePairs,
    Scale,
    States,
    Unitaries,
    UpSets,
    Vectors,
    build,
    draw,
    multiprecision,
    take,
)
from verification.vocabulary import Vocabulary

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))  # as when the benchmark is run
_spec = importlib.util.spec_from_file_location("search_power", BENCHMARKS / "search_power.py")
power = importlib.util.module_from_spec(_spec)
sys.modules["search_power"] = power
_registered = dict(REGISTRY)
_spec.loader.exec_module(power)
sys.path.remove(str(BENCHMARKS))
REGISTRY.clear()  # other tests use all claims of the project
REGISTRY.update(_registered)
oracle = power.oracle

FALSE, TRUE = list(power.FALSE.values()), list(power.TRUE.values())
DIGITS = 60


def by_id(statements):
    return pytest.mark.parametrize("statement", statements, ids=lambda s: s.id.removeprefix("own.conjecture."))


def test_number_of_conjectures():
    assert (len(FALSE), len(TRUE)) == (60, 120)
    assert sum(s.tight for s in TRUE) >= 40
    assert all(s.why and s.statement for s in FALSE + TRUE)
    assert not {s.statement for s in FALSE} & {s.statement for s in TRUE}


@by_id(FALSE)
def test_witnesses_violate(statement):
    """They violate the statements by an evaluation that shares no code with krdtheory."""
    shown = statement.witness()
    violation = statement.violation(shown)
    assert violation is not None
    assert violation.gap > 0
    if statement.claim is not None:
        assert set(shown) == set(statement.claim.given)
        assert power.objection(statement, shown) == ""


def sides(statement, raw):
    """Return both sides (rows) of one instance in multiprecision, or None if its hypothesis does not hold."""
    arithmetic = MP(DIGITS)
    vocabulary = Vocabulary(arithmetic)
    held = []
    vocabulary.assume = lambda condition: held.append(np.asarray(condition).astype(bool))
    values = build(statement.claim.given, raw, multiprecision(arithmetic.context))
    lhs, rhs = np.broadcast_arrays(*(np.asarray(x, dtype=object) for x in statement.claim.sides(vocabulary, **values)))
    return (lhs.ravel(), rhs.ravel()) if all(condition.all() for condition in held) else None


def written(value):
    """Return an exact instance as nested lists of strings."""
    if hasattr(value, "staircase"):
        return {"n": str(value.n), "m": str(value.m), "staircase": written(value.staircase)}
    if hasattr(value, "isometry"):
        return {"isometry": written(value.isometry), "out": value.out}
    if isinstance(value, np.ndarray):
        return listed(value[0])
    return [written(v) for v in value]


def listed(x):
    return [listed(y) for y in x] if isinstance(x, np.ndarray) else str(x)


def some(statement, dims=(2, 3), count=2):
    """Return instances of a statement."""
    rng = np.random.default_rng(7)
    for dim in dims:
        raw = draw(statement.claim.given, rng, 8, dim)
        yield from (take(raw, [i]) for i in range(count))


def close(x, y):
    mp = oracle.mp
    x, y = mp.mpf(str(x)) if not isinstance(x, int) else mp.mpf(x), mp.mpf(y)
    return x == y or abs(x - y) <= mp.mpf(10) ** -25 * max(1, abs(x), abs(y))


@pytest.mark.slow
@by_id([s for s in FALSE if s.claim is not None])
def test_evaluations_are_those_of_the_claim(statement):
    """On random instances the sides of the claim, in multiprecision, agree with the evaluation."""
    for raw in some(statement):
        shown = {name: written(value) for name, value in build(statement.claim.given, raw, RATIONALS).items()}
        pairs = statement.evaluate(**{name: oracle.read(value) for name, value in shown.items()})
        found = sides(statement, raw)
        assert (pairs is None) == (found is None)
        if pairs is not None:
            for lhs, rhs, pair in zip(*found, pairs, strict=True):
                assert close(lhs, pair[0])
                assert close(rhs, pair[1])
        for name, kind in statement.claim.given.items():
            assert oracle.outside(kind, oracle.read(shown[name])) == ""


@pytest.mark.slow
@by_id([s for s in TRUE if s.claim is not None])
def test_true_statements_hold_on_some_instances(statement):
    """In multiprecision, and no side is NaN."""
    for raw in some(statement):
        found = sides(statement, raw)
        if found is not None:
            for lhs, rhs in zip(*found, strict=True):
                assert close(lhs, rhs) or (lhs < rhs and statement.relation == "<=")


# The harness


def test_values_outside_a_kind():
    third = Fraction(1, 3)
    pair, states = Distributions(2, full=True), States(1, normalised=True)
    assert oracle.outside(pair, oracle.read([["1/3", "2/3"], ["1/2", "1/2"]])) == ""
    for wrong in (
        [["1/3", "1/3"], ["1/2", "1/2"]],
        [[0, 1], ["1/2", "1/2"]],
        [["1/3", "2/3"]],
        [[2, -1], [third, 2 * third]],
    ):
        assert oracle.outside(pair, oracle.read(wrong))
    assert oracle.outside(states, oracle.read([[["1/2", "I/4"], ["-I/4", "1/2"]]])) == ""
    for wrong in ([["1/2", "I/4"], ["I/4", "1/2"]], [["1/2", "1"], ["1", "1/2"]], [["1/2", 0], [0, "1/4"]]):
        assert oracle.outside(states, oracle.read([wrong]))
    assert oracle.outside(Fraction01(zero=False), oracle.read("0"))
    assert oracle.outside(Scale(high=8), oracle.read("9"))
    assert oracle.outside(object(), oracle.read("9"))
    plus, minus, turn = [[1, 1], [1, 1]], [[1, -1], [-1, 1]], [["3/5", "-4/5"], ["4/5", "3/5"]]
    for kind, right, wrong in (
        (Unitaries(), turn, plus),
        (Projections(1), [["3/5"], ["4/5"]], [[1], [1]]),
        (CommutingPairs(), [plus, minus], [plus, [[1, 0], [0, 0]]]),
        (PurePairs(), [[["1/3", "2/3"], ["2/3", "1/3"]], 2], [[["1/3", "2/3"], ["2/3", "1/3"]], "3/2"]),
        (Channels(), {"isometry": [[1, 0], [0, 1], [0, 0], [0, 0]], "out": 2}, {"isometry": plus, "out": 2}),
        (Vectors(1), [["3/5", "4/5"]], [["1/2", "1/2"]]),
        (UpSets(1, 1), {"n": 1, "m": 1, "staircase": [0, 2]}, {"n": 1, "m": 1, "staircase": [2, 0]}),
        (Order(1, 2), "3/2", "1"),
        (Events(), [["1/2", "1"]], [["1/2", "3/2"]]),
        (MarkovKernels(2, 2), [["1/2", "1/2"], [0, 1]], [["1/2", "1/2"], [1, 1]]),
        (Integers(), "3", "3/2"),
    ):
        assert oracle.outside(kind, oracle.read(right)) == ""
        assert oracle.outside(kind, oracle.read(wrong))


def test_numbers_as_outcomes_show_them():
    mpc = oracle.mp.mpc
    for text, value in {
        "1/4": 0.25,
        "-3": -3,
        "1/2+I/4": mpc(0.5, 0.25),
        "-2*I": mpc(0, -2),
        "0.5-3*I/8": mpc(0.5, -0.375),
    }.items():
        assert oracle.read(text) == value
    assert oracle.read({"out": 2, "isometry": [["I"]]}) == {"out": 2, "isometry": [[mpc(0, 1)]]}


def test_rounding_is_not_a_violation():
    x = oracle.mp.mpf(1) / 3
    assert oracle.worst([(x, x), (x + oracle.mp.mpf(10) ** -125, x)], "<=") is None
    assert oracle.worst([(oracle.inf, oracle.inf), (x, oracle.inf)], "<=") is None
    assert oracle.worst([(x, 2 * x)], "<=") is None
    assert oracle.worst([(x, 2 * x)], "==").gap == x
    assert oracle.worst([(oracle.inf, x)], "<=").gap == oracle.inf


def test_the_oracle_knows_closed_forms():
    """For pure, commuting and near-singular states, and for supports that are not included."""
    mp, third, tiny = oracle.mp, oracle.mp.mpf(1) / 3, oracle.mp.mpf(2) ** -100
    plus, zero = mp.matrix([[0.5, 0.5], [0.5, 0.5]]), mp.diag([1, 0])
    p, q = [third, 2 * third], [1 - tiny, tiny]
    rho, sigma = mp.diag(p), mp.diag(q)
    for alpha in (third, mp.mpf(2), mp.mpf(40)):
        value = oracle.renyi(p, q, alpha)
        assert oracle._same(oracle.petz(rho, sigma, alpha), value)
        assert oracle._same(oracle.sandwiched(rho, sigma, alpha), value)
    assert oracle._same(oracle.maximal(rho, sigma, mp.mpf(2)), oracle.renyi(p, q, 2))
    assert oracle._same(oracle.relative_entropy(rho, sigma), oracle.kl(p, q))
    assert oracle._same(oracle.max_relative_entropy(rho, sigma), oracle.max_divergence(p, q))
    assert oracle._same(oracle.von_neumann(rho), oracle.entropy(p))
    assert oracle._same(oracle.fidelity(plus, zero) ** 2, mp.mpf(1) / 2)
    assert oracle._same(oracle.trace_distance(plus, zero) ** 2, mp.mpf(1) / 2)
    assert oracle._same(oracle.petz(plus, mp.diag([0.75, 0.25]), 2), mp.log(mp.mpf(8) / 3))
    for divergence in (oracle.petz, oracle.sandwiched, oracle.maximal):
        assert divergence(plus, zero, mp.mpf(2)) == oracle.inf
    assert oracle.relative_entropy(plus, zero) == oracle.max_relative_entropy(plus, zero) == oracle.inf
    for divergence in (oracle.petz, oracle.sandwiched):
        assert divergence(mp.diag([0, 1]), zero, third) == oracle.inf


def statement(name):
    return {**power.FALSE, **power.TRUE}[f"own.conjecture.{name}"]


def test_objections():
    entropy, rectangle = statement("entropy-log-four"), statement("rectangle")
    assert power.objection(entropy, {"p": [["1/5"] * 5]}) == ""
    assert "no violation" in power.objection(entropy, {"p": [["1/4"] * 4]})
    assert "not of its kind" in power.objection(entropy, {"p": [["1/4"] * 5]})
    assert "hypothesis" in power.objection(rectangle, {"a": "1", "b": "1"})
    assert "not evaluated" in power.objection(entropy, {})
    assert "it is true" in power.objection(statement("pinsker"), {"p": [["1/2", "1/2"]] * 2})


def status(*trials):
    rows = {}
    for t in trials:
        rows.setdefault(t.id, power.Row(statement(t.id.removeprefix("own.conjecture.")))).trials.append(t)
    out = Console(file=io.StringIO(), width=140)
    return power.report(list(rows.values()), out), out.file.getvalue()


def test_marks_and_exit_status():
    found = [power.Trial("own.conjecture.entropy-log-four", seed, "refuted", 1.0) for seed in range(20)]
    stands = power.Trial("own.conjecture.pinsker", 0, "supported", 1.0)
    code, text = status(*found, stands)
    assert code == 0
    assert "20 of 20 pairs" in text and "100.0% (mark: 95%)" in text and "0 of 1 true statements refuted" in text
    missed = [replace(t, verdict="supported") for t in found]
    assert status(*found[1:], missed[0], stands)[0] == 0
    code, text = status(*found[2:], *missed[:2], stands)
    assert code == 1 and "90.0%" in text and "supported 2" in text
    code, text = status(*found, replace(stands, verdict="refuted", fault="it is true"))
    assert code == 1 and "1 of 1 true statements refuted" in text
    code, text = status(*found[1:], replace(found[0], fault="no violation"), stands)
    assert code == 1 and "19 of 20 pairs" in text and "no violation" in text
    assert status(*found, replace(stands, verdict="error", fault="KeyError: [/bold]"))[0] == 1


def test_a_trial_is_checked(monkeypatch):
    information = statement("bit-information")
    monkeypatch.setitem(REGISTRY, information.id, information.claim)
    done = power.trial("own.conjecture.bit-information", 0)
    assert (done.verdict, done.fault) == ("refuted", "")
