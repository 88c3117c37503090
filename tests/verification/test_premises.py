"""The premises of proofs, down to cited theorems, and what has to be trusted."""

from dataclasses import replace

import pytest
from rich.console import Console

from verification import report
from verification.certificates.checks import TRUST, checks
from verification.certificates.make import recorded_instances
from verification.cited import CITED
from verification.claim import REGISTRY, Claim, Verdict
from verification.instances import Scale
from verification.premises import leaves, premises
from verification.proof import Derivation, Prover


class Given(Prover):
    """A prover that accepts its claims, with given premises."""

    def __init__(self, *given):
        self.given = given

    def derive(self, claim):
        return Derivation("everything", ("a step",), self.given)


@pytest.fixture
def registered(monkeypatch):
    def register(id, *given, proof=True):
        made = Claim(id, "test", "", {"x": Scale()}, lambda k, x: (x, x), proof=Given(*given) if proof else None)
        monkeypatch.setitem(REGISTRY, id, made)
        return made

    return register


def shown(tree):
    console = Console(width=100)
    with console.capture() as captured:
        console.print(report.premises(tree))
    return captured.get()


def test_a_tree_ends_at_cited_theorems_and_assumptions(registered):
    registered("mine.open", proof=False)
    registered("mine.middle", "cited.processing", "mine.open")
    tree = premises(registered("mine.top", "mine.middle", "cited.processing"))
    middle, cited = tree.premises
    assert (middle.id, middle.known, cited.known) == ("mine.middle", "proved", "cited")
    assert cited.how == CITED["cited.processing"].label
    assert {p.id: p.known for p in leaves(tree)} == {"cited.processing": "cited", "mine.open": "assumed"}
    text = shown(tree)
    assert "└── cited.processing cited: Frank and Lieb" in text and "rests on 2 statements that nothing here" in text


def test_circular_premises_end(registered):
    registered("mine.one", "mine.two")
    tree = premises(registered("mine.two", "mine.one"))
    assert tree.premises[0].premises[0].above and "see above" in shown(tree)


def test_a_complete_proof_has_no_premises(registered):
    tree = premises(registered("mine.alone"))
    assert tree.premises == () and "rests on nothing that is not proved here" in shown(tree)


def test_a_failed_proof_is_not_a_proof(registered):
    class Fails(Prover):
        def derive(self, claim):
            raise ZeroDivisionError("by zero")

    tree = premises(replace(registered("mine.false"), proof=Fails()))
    assert tree.known == "assumed" and "by zero" in tree.how


def outcome(id, verdict=Verdict.REFUTED):
    return {"id": id, "verdict": verdict, "certificate": {"bits": 113}}


def test_the_checks_of_a_refutation_are_listed():
    names = [name for name, _ in checks(outcome("capacity.thm7.step"))]
    assert names == ["balls", "script", "Rocq"] and recorded_instances()["capacity.thm7.step"]["rocq"]
    assert [name for name, _ in checks(outcome("krd.prop3"))] == ["balls", "script"]
    assert "--file FILE" in checks(outcome("mine.own"))[1][1]
    assert checks(outcome("krd.prop3", Verdict.SUPPORTED)) == []


def test_each_kind_of_check_says_what_it_trusts():
    console = Console(width=160)
    with console.capture() as captured:
        console.print(report.trust())
    assert all(checked in captured.get() for _, checked, _ in TRUST)
