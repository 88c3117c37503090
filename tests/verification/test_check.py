"""`krdtheory check`: a bad claim does not affect others, exit statuses differ, and a given instance is exact."""

import itertools
import json
import sys
from fractions import Fraction

import pytest

from krdtheory import cli
from verification.claim import REGISTRY
from verification.given import evaluated
from verification.report import record
from verification.search import check

FILE = """
import numpy as np
from verification import claim
from verification.instances import Distributions, Fraction01, Order, States

@claim("mine{n}.true", label="[bold]mine[/bold]", statement="x <= 1", given={{"x": Fraction01()}})
def true(k, x):
    return x, 0 * x + 1

@claim("mine{n}.false", label="[/foo]", statement="x <= x^2", given={{"x": Fraction01()}})
def false(k, x):
    return x, x * x

@claim("mine{n}.log", label="mine", statement="log x <= x - 1", given={{"x": Order(1)}})
def log(k, x):
    return np.log(x), x - 1

@claim("mine{n}.zero", label="mine", statement="x <= x / 0", given={{"x": Order(1)}})
def zero(k, x):
    return x, x / (1 // 0)

@claim("mine{n}.loop", label="mine", statement="x <= x", given={{"x": Order(1)}})
def loop(k, x):
    while True:
        pass

@claim("mine{n}.pure", label="mine", statement="tr s^2 = tr s", relation="==",
       given={{"s": States(1, normalised=True, within=("pure",))}})
def pure(k, s):
    return k.trace(s[0] @ s[0]), k.trace(s[0])

@claim("mine{n}.rare", label="mine", statement="x <= 0 for x > 2", given={{"x": Fraction01()}})
def rare(k, x):
    k.assume(x > 2)
    return x, 0 * x
"""
COUNT = itertools.count()


@pytest.fixture
def file(tmp_path):
    """Return a file of claims with new ids, and the first part of the ids."""
    known = set(REGISTRY)
    name = f"mine{next(COUNT)}"
    path = tmp_path / "claims.py"
    path.write_text(FILE.format(n=name.removeprefix("mine")))
    yield path, name
    for id in set(REGISTRY) - known:
        del REGISTRY[id]


def command(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["krdtheory", "check", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    return stop.value.code


@pytest.mark.slow
def test_a_bad_claim_does_not_affect_others(file, monkeypatch, capsys, tmp_path):
    path, name = file
    out = tmp_path / "out.json"
    assert command(monkeypatch, path, "--budget", 600, "--time-limit", 1, "--json", out) == 3
    shown = " ".join(capsys.readouterr().out.split())
    outcomes = {r["id"]: r for r in json.loads(out.read_text())["claims"]}
    verdicts = {id.removeprefix(f"{name}."): r["verdict"] for id, r in outcomes.items()}
    assert verdicts == {
        **dict.fromkeys(("true", "pure"), "supported"),
        **dict.fromkeys(("log", "zero", "loop"), "error"),
        "false": "refuted",
        "rare": "vacuous",
    }
    assert "[bold]mine[/bold]" in shown and "[/foo]" in shown
    assert "claims.py, line 16: return np.log(x), x - 1; use k.log" in shown
    assert "ZeroDivisionError" in shown and "claims.py, line 20" in shown
    assert "longer than 1 s" in shown and f"{name}.false: counterexample" in shown
    assert "seed 0, a budget of 600 instances a claim" in shown
    assert "def false(k, x):" in outcomes[f"{name}.false"]["source"]


def test_exit_statuses(file, monkeypatch, capsys):
    path, name = file
    for claim, status in (("true", 0), ("false", 1), ("zero", 3), ("rare", 0), ("nowhere", 2)):
        assert command(monkeypatch, path, "--claim", f"{name}.{claim}", "--budget", 200) == status
        for id in [id for id in REGISTRY if id.startswith(f"{name}.")]:
            del REGISTRY[id]  # so that the file may declare them again
    capsys.readouterr()


def given(tmp_path, value):
    path = tmp_path / "instance.json"
    path.write_text(json.dumps(value))
    return path


@pytest.mark.parametrize(
    ("claim", "x", "status", "text"),
    [
        ("false", "1/3", 1, "violated"),
        ("false", "1", 0, "holds"),
        ("true", "1/3", 0, "holds"),
        ("true", "4/3", 2, "number in [0, 1]"),
        ("true", "one", 2, '"x"'),
        ("true", None, 2, '"x"'),
        ("rare", "1/2", 0, "the hypotheses do not hold there"),
        ("zero", "2", 3, "ZeroDivisionError"),
    ],
)
def test_an_instance_is_evaluated_exactly(file, monkeypatch, capsys, tmp_path, claim, x, status, text):
    path, name = file
    instance = given(tmp_path, {"x": x})
    assert command(monkeypatch, path, "--claim", f"{name}.{claim}", "--instance", instance) == status
    captured = capsys.readouterr()
    assert text in captured.out + captured.err
    if text == "violated":
        assert "certified at" in captured.out and "0.111111111111111111111111111111" in captured.out


def test_the_instance_of_an_outcome_can_be_read(file, monkeypatch, capsys, tmp_path):
    """The counterexample of a JSON report is read; with one digit changed, it is another instance, which holds."""
    path, name = file
    out = tmp_path / "out.json"
    claim = f"{name}.false"
    assert command(monkeypatch, path, "--claim", claim, "--budget", 200, "--json", out) == 1
    (found,) = json.loads(out.read_text())["claims"]
    again = evaluated(REGISTRY[claim], found["counterexample"]["inputs"])
    assert again.violated and Fraction(again.inputs["x"]) == Fraction(found["counterexample"]["inputs"]["x"])
    assert not evaluated(REGISTRY[claim], {"x": "1"}).violated
    for bad in ({}, {"x": "1/2", "y": "1"}, ["1/2"], {"x": ["1/2"]}):
        with pytest.raises(ValueError, match=r"instance|x"):
            evaluated(REGISTRY[claim], bad)
    capsys.readouterr()


@pytest.mark.slow
def test_every_counterexample_can_be_read():
    """For built-in claims of several kinds, the printed instance violates the claim."""
    import verification.claims  # noqa: F401

    for id in ("krd.cor2", "krd.prop3", "capacity.thm6.generalization", "colisson.lem8.additive-delta"):
        if id in REGISTRY:
            outcome = record(check(REGISTRY[id]))
            if outcome["counterexample"] is not None:
                again = evaluated(REGISTRY[id], json.loads(json.dumps(outcome["counterexample"]["inputs"])))
                assert again.violated and again.certificate is not None


def test_more_sizes_on_request(file, monkeypatch, capsys, tmp_path):
    path, name = file
    out = tmp_path / "out.json"
    command(monkeypatch, path, "--claim", f"{name}.pure", "--largest-size", 3, "--budget", 2000, "--json", out)
    run = json.loads(out.read_text())
    assert set(run["sizes"]) == set(run["claims"][0]["evidence"]["sizes"]) == {2, 3}
    capsys.readouterr()
