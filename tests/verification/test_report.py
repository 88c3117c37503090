"""Reports on a run: the counts are those of the records, and texts of claims are not interpreted."""

import dataclasses
import io
import random
import re
from collections import Counter

import pytest
from rich.console import Console

from verification import instances, report
from verification.cited import CITED
from verification.claim import PAPERS, REGISTRY, Claim, Nature, select
from verification.instances import Distributions, Kind, Order
from verification.page import as_html
from verification.search import check

KINDS = [k for k in vars(instances).values() if isinstance(k, type) and issubclass(k, Kind) and k is not Kind]
NEEDED = {"Order": {"low": 0.5}, "Orders": {"low": 0.5}, "Maps": {"size": 4, "image": 2}}
OTHER = {int: 3, bool: True, float: 2.5, type(None): 3}
ESCAPE = "\x1b[31m"


def shown(what, width=140):
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None, legacy_windows=False)
    console.print(what)
    return console.file.getvalue()


def words(text):
    return " ".join(text.split())


@pytest.fixture(scope="module")
def made():
    claims = [REGISTRY[c.id] for c in select(ids=["krd.cor2", "krd.lemma1", "krd.cor2.scaled"])]
    return [report.record(check(c, budget=200)) for c in claims]


@pytest.fixture(scope="module")
def records(made):
    """Return records of every nature and verdict."""
    draw = random.Random(3)
    out = []
    for i in range(300):
        nature = draw.choice(list(Nature))
        verdict = draw.choice(["proved", "refuted", "supported", "undecided"])
        proof = {"method": "m", "domain": "d", "steps": ["s"], "premises": draw.choice([[], ["krd.lemma1", "Lieb"]])}
        out.append(
            {
                **made[0],
                "id": f"{draw.choice(['krd', 'capacity'])}.a-claim-with-quite-a-long-name.{i:03}",
                "nature": nature.value,
                "verdict": verdict,
                "recorded": verdict,
                "proof": {**proof, "complete": draw.random() < 0.6} if verdict == "proved" else None,
                "argument": {"steps": 1} if draw.random() < 0.5 else None,
                "says": draw.choice([None, f"what it says {i}"]),
                "fault": draw.choice([None, f"what is wrong {i}"]),
            }
        )
        out[-1]["paper"] = out[-1]["id"].split(".")[0]
    return out


@pytest.mark.slow
def test_counts_are_those_of_the_records(records):
    found = report.counts(records)
    for paper in ("krd", "capacity"):
        tally = Counter()
        for r in records:
            if r["nature"] == "printed" and r["id"].startswith(paper):
                whole = r["proof"] is None or r["proof"]["complete"]
                tally[r["verdict"] if whole else "proved_in_part"] += 1
                tally["given"] += bool(r["proof"] and r["proof"]["premises"])
                tally["argued"] += r["verdict"] == "supported" and r["argument"] is not None
                tally["total"] += 1
                tally["holds"] += r["verdict"] in ("proved", "supported")
        assert {k: v for k, v in found["papers"][paper].items() if v} == dict(tally)
    total = sum(map(Counter, found["papers"].values()), Counter())
    assert {k: v for k, v in found["printed"].items() if v} == dict(total)
    assert sum(n["total"] for n in found["others"].values()) + found["printed"]["total"] == len(records)


@pytest.mark.slow
@pytest.mark.parametrize("nature", ["step", "reading", "condition", "own"])
def test_only_printed_statements_are_in_the_headline(records, nature):
    printed = [r for r in records if r["nature"] == "printed"]
    others = [{**r, "nature": nature} for r in printed]
    one, more = report.counts(printed), report.counts(printed + others)
    assert one["printed"] == more["printed"]
    assert one["papers"] == more["papers"]
    assert one["others"][nature]["total"] == 0
    assert more["others"][nature] == one["printed"]
    text = shown(report.summary(others, 140))
    assert "printed" not in text
    assert "as printed" not in text
    assert text.startswith("Tested: ")


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 100, 140])
def test_the_summary_in_columns(records, width):
    text = shown(report.summary(records, width), width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    failing = [r["id"] for r in records if r["nature"] == "printed" and r["verdict"] == "refuted"]
    assert re.findall(r"^ (\w+\.a-claim\S+)", text, re.MULTILINE) == failing
    found = report.counts(records)["printed"]
    assert f"Of {found['total']} printed statements, {found['holds']} hold" in words(text)
    assert f"{found['refuted']} fail," in words(text)
    (row,) = [line.split() for line in text.splitlines() if line.split()[:1] == ["all"]]
    keys = ("total", "proved", "proved_in_part", "supported", "refuted", "undecided")
    assert row[1:] == [str(found[k]) for k in keys]


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 100, 120, 140])
def test_all_claims_in_columns(records, width):
    tables = report.tables(records, narrow=width < report.WIDE)
    assert len(tables) == 2
    for table in tables:
        lines = shown(table, width).splitlines()
        assert max(map(len, lines)) <= width
        assert lines[0].strip() in PAPERS.values()
        assert not any("…" in line for line in lines)
        paper = next(p for p, name in PAPERS.items() if name == lines[0].strip())
        ids = [w for line in lines for w in line.split() if w.startswith(f"{paper}.")]
        assert ids == [r["id"] for r in records if r["paper"] == paper]


def test_marks_of_a_verdict(records):
    for r in records:
        told = report.marks(r)
        proof = r["proof"]
        assert ("given 2" in told) == (proof is not None and bool(proof["premises"]))
        assert ("in part" in told) == (proof is not None and not proof["complete"])
    argument = {"method": "m", "domain": "d", "steps": 2, "detail": ""}
    assert report.marks({"verdict": "supported", "proof": None, "argument": argument}) == " (argued)"
    assert report.marks({"verdict": "refuted", "proof": None, "argument": argument}) == ""
    text = shown(report.details({**records[0], "argument": argument, "verdict": "supported"}))
    assert "m, 2 steps checked; this does not prove the claim" in words(text)


def test_a_proof_is_shown_with_its_premises_and_missing_domain(made):
    proof = {"method": "a method", "domain": "x > 0", "steps": ["by this", "by that"], "premises": ["krd.lemma1"]}
    for complete in (True, False):
        r = {**made[1], "verdict": "proved", "proof": {**proof, "complete": complete}}
        text = words(shown(report.details(r)))
        assert "1. by this 2. by that" in text
        assert "given krd.lemma1" in text
        assert ("less than what the claim ranges over" in text) is not complete
        page = as_html(report.as_json([r], seed=0, profile="quick", budget=1))
        assert "<li>by that</li>" in page
        assert ("(less than what the claim ranges over)" in page) is not complete


def test_a_cited_theorem_is_shown_with_its_source(made, monkeypatch):
    proof = {"method": "m", "domain": "d", "complete": True, "steps": [], "premises": ["krd.lemma1", "cited.x"]}
    monkeypatch.setitem(CITED, "cited.x", dataclasses.replace(REGISTRY["krd.lemma1"], label="Lieb [1973]"))
    r = {**made[1], "verdict": "proved", "proof": proof}
    page = as_html(report.as_json([r], seed=0, profile="quick", budget=1))
    for text in (words(shown(report.details(r))), page):
        assert "cited.x (Lieb [1973])" in text
        assert "krd.lemma1 (" not in text


def test_a_failing_statement_without_an_explanation(made):
    r = {**next(r for r in made if r["id"] == "krd.cor2"), "nature": "printed", "says": None, "fault": None}
    text = words(shown(report.summary([r], 140)))
    assert "krd.cor2" in text
    assert words(r["quote"] or r["statement"])[:30] in text
    assert f"rhs - lhs is at most {float(r['certificate']['margin_upper']):.2g}" in text
    bare = {**r, "quote": None, "certificate": None}
    assert r["reason"] in words(shown(report.summary([bare], 140)))


@pytest.mark.slow
@pytest.mark.parametrize("odd", ["[bold]x", "x[/foo]", f"{ESCAPE}x", ":smile:", "[link=x]y[/link]", "\x9b31mx\u202e"])
def test_texts_of_a_claim_are_not_interpreted(odd):
    c = Claim(
        "own.odd",
        f"label {odd}",
        f"statement {odd}",
        {"p": Distributions(2), "alpha": Order(0.5)},
        lambda k, p, alpha: (k.renyi(*p, alpha), 0 * alpha),
        quote=f"quote {odd}",
        says=f"says {odd}",
        fault=f"fault {odd}",
        note=f"note {odd}",
        nature=Nature.PRINTED,
    )
    r = {**report.record(check(c, budget=200)), "recorded": "proved"}
    plain = re.sub("[\x1b\x9b\u202e]", "", odd)
    tables = report.tables([r])
    text = "\n".join(map(shown, [*tables, report.details(r), report.summary([r], 140), report.counterexample(r)]))
    text += shown(report.changes([r])) + shown(report.listing([c]))
    page = as_html(report.as_json([r], seed=0, profile="quick", budget=200))
    for name in ("label", "statement", "quote", "says", "fault", "note"):
        assert f"{name} {plain}" in text
        assert name == "statement" or f"{name} {plain}" in page  # a statement is typeset
    assert not re.search("[\x1b\x9b\u202e]", text + page)


def test_the_python_of_a_claim(tmp_path):
    python = report.source(REGISTRY["krd.cor2"])
    assert python.startswith("def projection(")
    assert "\ndef _projected(" in python
    assert "@claim" not in python
    assert "\ndef laplace_moment(" in report.source(REGISTRY["capacity.cor1.laplace-renyi-lower"])  # used indirectly
    compile("from __future__ import annotations\n" + python, "", "exec")
    scope = {}
    exec("def sides(k, alpha):\n    return alpha, alpha", scope)
    c = dataclasses.replace(REGISTRY["krd.cor2"], sides=scope["sides"])
    assert report.source(c) is None
    assert "Python" not in shown(
        report.details(report.record(check(dataclasses.replace(c, given={"alpha": Order(2)}))))
    )


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
def test_kinds_in_words(kind):
    """Kinds that differ in any parameter have different descriptions."""
    assert "describe" in vars(kind)
    one = kind(**NEEDED.get(kind.__name__, {}))
    assert kind.__name__ not in one.describe()
    for f in dataclasses.fields(kind):
        old = getattr(one, f.name)
        if f.name in ("within", "starts"):
            new = (next(iter(one.DOMAINS if f.name == "within" else one.STARTS)),)
        else:
            new = not old if isinstance(old, bool) else OTHER[type(old)]
        if f.name in ("high", "drawn", "bits"):
            new = {"bits": 8}.get(f.name, 4)
        if new == old:
            continue
        changed = dataclasses.replace(one, **{f.name: new})
        assert changed.describe() != one.describe(), f.name


def test_ranges_in_words():
    assert Order(1).describe() == "order in (1, inf), tried up to 64 in steps of 1/64, and of 2^-20 next to the ends"
    assert (
        Order(0.5, 2, closed=False).describe()
        == "order other than 1 in (1/2, 2), tried in steps of 1/64, and of 2^-20 next to the ends"
    )
    assert Distributions(2, dim=4).describe() == "2 distributions on 4 points"
    assert Distributions().describe() == "a distribution on finitely many points, tried on 2 to 8"


def test_every_claim_has_a_description_of_its_domain():
    for c in select():
        for kind in c.given.values():
            assert "describe" in vars(type(kind)), kind
