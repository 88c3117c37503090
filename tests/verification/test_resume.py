"""An outcome is reused only for the same claim; incomplete files are rejected with a message."""

import copy
import json
import sys
from dataclasses import replace

import pytest
from rich.console import Console

from krdtheory import cli
from verification import campaign, report
from verification.claim import REGISTRY, select
from verification.digest import digest
from verification.page import as_html
from verification.resume import read_outcomes
from verification.search import check

FILE = """
from functools import partial
from verification import claim
from verification.instances import Distributions, Order

SCALE = 2
TABLE = {{"one": {{1, 2}}, "two": [1.0, None]}}

class Shift:
    by = 0

    def __call__(self, x):
        return x + self.by

def helper(x, factor=1):
    return factor * x

def twice(x, *, k=2):
    return k * x

again = partial(twice, k=1)
shift = Shift()

@claim("mine.one", label="Theorem 3 [/red]", statement="0 <= p", given={{"p": Distributions(1)}}, effort=0.5)
def one(k, p):
    assert TABLE["one"]
    return 0 * p[0][..., 0], shift(again(helper(p[0][..., 0]))) * SCALE

@claim("mine.two", label="two", statement="p <= 1/2", given={{"p": Distributions(1)}})
def two(k, p):
    return p[0][..., 0], 0 * p[0][..., 0] + 0.5
{more}
"""


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    """Return a function that checks a file of claims and returns the status, stderr and the searched claims."""
    monkeypatch.chdir(tmp_path)
    searched = []
    monkeypatch.setattr(
        campaign, "check", lambda claim, **options: searched.append(claim.id) or check(claim, **options)
    )

    def start(text=None, *arguments, more=""):
        searched.clear()
        for id in [id for id in REGISTRY if id.startswith("mine.")]:
            del REGISTRY[id]
        if text is not None:
            (tmp_path / "mine.py").write_text(text.format(more=more))
        monkeypatch.setattr(
            sys, "argv", ["krdtheory", "check", "mine.py", "--budget=30", "--json=out.json", *arguments]
        )
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return stop.value.code, capsys.readouterr().err, [*searched]

    return start


def outcomes():
    with open("out.json") as file:
        return {c["id"]: c for c in json.load(file)["claims"]}


def test_the_same_claims_are_not_searched_again(command):
    assert command(FILE) == (1, "", ["mine.one", "mine.two"])
    before = outcomes()
    assert command(None, "--resume") == (1, "", [])
    assert outcomes() == before
    remarks = "# a remark\n\n" + FILE.replace("SCALE = 2", "SCALE = 2  # a remark").replace('label="two"', 'label="2"')
    assert command(remarks, "--resume") == (1, "", [])
    assert outcomes()["mine.two"]["label"] == "2"  # the texts of a claim are the current ones


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"0 <= p"', '"0 < p"'),
        ("Distributions(1)}}, effort", "Distributions(2)}}, effort"),
        ("effort=0.5", "effort=0.6"),
        ("effort=0.5", "effort=0.5, largest=3"),
        ("effort=0.5", 'effort=0.5, relation="=="'),
        ("return 0 * p", "return 3 * p"),
        ("[..., 0]))) * SCALE", "[..., 0]))) + SCALE"),
        ("[..., 0]))) * SCALE", "[..., -1]))) * SCALE"),
        ("SCALE = 2", "SCALE = -1"),
        ("{{1, 2}}", "{{1, 3}}"),
        ("[1.0, None]", "[1, None]"),
        ("factor=1", "factor=-1"),
        ("return factor * x", "return -factor * x"),
        ("return k * x", "return -k * x"),
        ("partial(twice, k=1)", "partial(twice, k=-1)"),
        ("by = 0", "by = -1"),
        ("return x + self.by", "return x - 1 + self.by"),
    ],
)
def test_another_claim_of_the_same_id_is_searched(command, old, new):
    command(FILE)
    assert FILE.count(old) == 1
    status, err, searched = command(FILE.replace(old, new), "--resume")
    assert (status, searched) == (1, ["mine.one"])
    assert (
        err
        == "krdtheory: out.json has outcomes of other claims than these, or errors; they are checked again: mine.one\n"
    )
    one = outcomes()["mine.one"]
    assert command(None, "--resume")[2] == []
    assert outcomes()["mine.one"] == one


@pytest.mark.slow
def test_the_outcomes_of_other_claims_are_kept(command):
    command(FILE)
    before = outcomes()
    assert command(None, "--claim=mine.one", "--resume") == (0, "", [])
    assert outcomes() == before
    more = before["mine.two"] | {"id": "theirs.three"}
    with open("out.json") as file:
        data = json.load(file)
    with open("out.json", "w") as file:
        json.dump({**data, "claims": [*data["claims"], more]}, file)
    command(FILE.replace("SCALE = 2", "SCALE = 3"), "--claim=mine.one", "--resume")
    assert [*outcomes()] == ["mine.one", "mine.two", "theirs.three"]
    assert outcomes()["theirs.three"] == more
    assert command(None, "--claim=mine.one")[0] == 0  # without --resume the file has only this run
    assert [*outcomes()] == ["mine.one"]


def test_errors_are_repeated(command):
    text = (
        FILE
        + '\n@claim("mine.no", label="", statement="", given={{"p": Distributions(1)}})\ndef no(k, p):\n    {body}\n'
    )
    failing = text.replace("{body}", "raise SystemExit(0)")
    assert command(failing)[0] == 3  # a claim cannot stop the program
    assert outcomes()["mine.no"]["verdict"] == "error"
    assert command(None, "--resume")[::2] == (3, ["mine.no"])


def test_a_digest_includes_the_premises_of_a_proof(monkeypatch):
    one, premise = (select(ids=[id])[0] for id in ("krd.lemma1", "krd.cor2"))
    alone, given = digest(one), digest(one, ["krd.cor2"])
    assert alone != given != digest(one, ["krd.thm1"])
    monkeypatch.setitem(REGISTRY, premise.id, replace(premise, note="a remark"))
    assert digest(one, ["krd.cor2"]) == given
    monkeypatch.setitem(REGISTRY, premise.id, replace(premise, statement="1 <= 0"))
    assert (digest(one), digest(one, ["krd.cor2"]) == given) == (alone, False)


def test_digests_of_all_claims_differ():
    claims = select()[::7]
    assert len({digest(c) for c in claims}) == len(claims)


# Incomplete files


@pytest.fixture(scope="module")
def whole():
    """Return a file with outcomes of every form: refuted, proved, and with an argument."""
    claims = select(ids=["krd.cor2", "krd.lemma1", "hyptest.thm1.indices"])
    records = [report.record(check(c, budget=40)) for c in claims]
    return json.loads(json.dumps(report.as_json(records, seed=0, profile="quick", budget=30)))


HEAD = {"seed": 0, "profile": "quick", "budget": 30}
WRONG = (None, True, -1, 1.5, "x", [], {}, [None], {"x": None}, [[[[[[[[[["1"]]]]]]]]]])


def places(data, path=()):
    """Yield the paths to all values in a mapping, and to the first value of its lists."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data[:1]):
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


@pytest.mark.slow
def test_incomplete_files(whole, tmp_path):
    """If any value has another type the file is rejected; files that are accepted can be shown."""
    file, refused, taken = tmp_path / "out.json", 0, []
    file.write_text(json.dumps(whole))
    assert [*read_outcomes(file, HEAD)] == [c["id"] for c in whole["claims"]]
    for number, record in enumerate(whole["claims"]):
        for k, path in enumerate([*places(record)]):
            for wrong in WRONG[k % 3 :: 3]:
                data = copy.deepcopy(whole)
                at = data["claims"][number]
                for key in path[:-1]:
                    at = at[key]
                at[path[-1]] = wrong
                file.write_text(json.dumps(data))
                try:
                    found = read_outcomes(file, HEAD)
                except ValueError as error:
                    assert "is not what --json writes" in str(error)
                    refused += 1
                else:
                    assert found == {c["id"]: c for c in data["claims"]}
                    taken.append(at if len(path) == 1 else data["claims"][number])
    assert refused > 300
    out = Console(quiet=True)
    out.print(*map(report.details, taken), report.summary(taken, 80), *report.tables(taken), report.changes(taken))
    as_html({**whole, "summary": report.counts(taken), "claims": taken})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '"claims"',
        '{"claims": null}',
        '{"claims": {}}',
        '{"claims": [1]}',
        '{"claims": []}',
        "[" * 100_000,
        '{"claims": ' + "[" * 5000 + "]" * 5000 + "}",
        '{"seed": NaN, "claims": []}',
        '{"seed": ' + "9" * 5000 + ', "claims": []}',
        "\ufeff{}",
        b"\xff\xfe\x00",
        '{"version": "0.1.0", "seed": false, "profile": "quick", "budget": 30, "claims": []}',
        '{"version": "9", "seed": 0, "profile": "quick", "budget": 30, "claims": []}',
    ],
)
def test_files_that_are_not_outcomes(text, tmp_path):
    file = tmp_path / "out.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError, match=r"--resume: .*(is not what --json writes|has seed|has version)"):
        read_outcomes(file, HEAD)


@pytest.mark.slow
def test_a_repeated_outcome(whole, tmp_path):
    file = tmp_path / "out.json"
    file.write_text(json.dumps({**whole, "claims": [*whole["claims"], whole["claims"][0]]}))
    with pytest.raises(ValueError, match="twice"):
        read_outcomes(file, HEAD)
