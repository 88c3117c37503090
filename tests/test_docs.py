"""The site: its verdicts are those of the claims, it has every public name, and its checks notice errors."""

import copy
import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest

from verification.report import described

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def load(name):
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


recorded, public, links = load("recorded"), load("public"), load("links")


@pytest.fixture(scope="module")
def records():
    """Return the records of a run that finds the registered verdicts."""
    return [{**described(c), "verdict": c.recorded.value} for c in recorded.of_papers()]


@pytest.mark.slow
def test_a_run_that_finds_the_registered_verdicts_is_accepted(records):
    assert recorded.stale(records, recorded.of_papers()) == []
    assert len(records) > 400


@pytest.mark.slow
@pytest.mark.skipif(not recorded.FILE.exists(), reason="krdtheory verify --json docs/verdicts.json makes it")
def test_the_recorded_verdicts_are_those_of_the_claims():
    assert recorded.stale(recorded.read()["claims"], recorded.of_papers()) == []


@pytest.mark.slow
def test_another_record_is_noticed(records):
    claims = recorded.of_papers()
    changes = {"verdict": "undecided", "statement": "1 <= 0", "relation": "<" + records[0]["relation"], "kinds": {}}
    for key, value in changes.items():
        other = copy.deepcopy(records[:1])
        assert other[0][key] != value
        other[0][key] = value
        (found,) = recorded.stale(other, [c for c in claims if c.id == records[0]["id"]])
        assert records[0]["id"] in found
    assert recorded.stale(records[1:], claims) == [f"{records[0]['id']} is not recorded"]
    assert recorded.stale([{**records[0], "id": "krd.none"}], []) == ["krd.none is no claim"]


@pytest.mark.slow
def test_pages_show_the_current_texts(records, monkeypatch, tmp_path):
    proof = {"complete": True, "premises": [], "method": "", "domain": "", "steps": []}
    run = {"claims": [{**records[0], "proof": proof, "argument": None, "note": "of yesterday", "label": "elsewhere"}]}
    (tmp_path / "verdicts.json").write_text(json.dumps(run), encoding="utf-8")
    monkeypatch.setattr(recorded, "FILE", tmp_path / "verdicts.json")
    (shown,) = recorded.recorded()["claims"]
    (claim,) = (c for c in recorded.of_papers() if c.id == shown["id"])
    assert (shown["note"], shown["label"]) == (claim.note, claim.label)


def test_a_missing_record_says_how_to_make_it(monkeypatch, tmp_path):
    monkeypatch.setattr(recorded, "FILE", tmp_path / "verdicts.json")
    with pytest.raises(FileNotFoundError, match="krdtheory verify --json"):
        recorded.read()


def test_every_public_module_is_in_the_reference():
    pages = "".join(path.read_text(encoding="utf-8") for path in (DOCS / "reference").glob("*.rst"))
    shown = re.findall(r"^\.\. public:: (\S+)\n((?:\n(?:   .+\n)+)?)", pages, re.MULTILINE)
    assert {module for module, _ in shown} == set(public.PUBLIC)
    for module in public.PUBLIC:  # all of its names, or several lists that together have all
        chosen = [names.split() for listed, names in shown if listed == module]
        assert chosen == [[]] or sorted(n for names in chosen for n in names) == sorted(public.public(module)), module


def test_a_public_name_without_an_entry_is_noticed():
    documented = set(public.entries().values())
    assert public.missing(documented) == []
    assert public.missing(documented - {"krdtheory.renyi"}) == ["krdtheory.renyi"]
    assert "krdtheory.mp.renyi" in public.missing(documented - {"krdtheory.mp.renyi"})
    assert len(documented) > 150


GOOD = '<a href="b.html#there">b</a> <img src="p.png"> <a href="https://example.org">elsewhere</a> <script src="s.js">'


@pytest.mark.parametrize(
    ("a", "fault"),
    [
        (GOOD, None),
        ('<a href="b.html#gone">b</a>', "place that is not there"),
        ('<a href="c.html">c</a>', "not there"),
        ('<a href="#gone">here</a>', "place that is not there"),
        ('<img src="q.png">', "not there"),
        ('<script src="https://example.org/s.js"></script>', "loads https"),
        ('<link rel="stylesheet" href="//example.org/s.css">', "loads //"),
        ('<link rel="preconnect" href="https://example.org">', "loads https"),
    ],
)
def test_links(tmp_path, a, fault):
    (tmp_path / "a.html").write_text(a, encoding="utf-8")
    (tmp_path / "b.html").write_text('<p id="there"><a href="a.html">a</a>', encoding="utf-8")
    for name in ("p.png", "s.js"):
        (tmp_path / name).touch()
    found = links.faults(tmp_path)
    assert (found == []) if fault is None else (len(found) == 1 and fault in found[0])


def test_pages_name_existing_claims():
    known = {c.id for c in recorded.of_papers()}
    named = [n for page in DOCS.rglob("*.md") for n in re.findall(r"\{claim\}`([^`]+)`", page.read_text("utf-8"))]
    assert len(named) > 50
    assert [n for n in named if n not in known] == []
