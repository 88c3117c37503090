"""Campaigns: no outcome is lost if a worker dies or a run is interrupted."""

import json
import os
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from krdtheory import cli
from verification import commands, report
from verification.campaign import run
from verification.claim import select

IDS = ["krd.prop1.3", "krd.cor2", "krd.lemma6"]
CONJECTURE = """
from verification import claim
from verification.instances import Distributions, Order

@claim("mine.triangle", label="mine", statement="D(p||r) <= D(p||q) + D(q||r)",
       given={"p": Distributions(3), "a": Order(1)})
def triangle(k, p, a):
    return k.renyi(p[0], p[2], a), k.renyi(p[0], p[1], a) + k.renyi(p[1], p[2], a)

@claim("mine.positive", label="mine", statement="0 <= D(p||q)", given={"p": Distributions(2), "a": Order(0.5)})
def positive(k, p, a):
    return 0 * a, k.renyi(*p, a)
"""


def command(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["krdtheory", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    return stop.value.code


def without_times(claims):
    return [{**c, "evidence": {**c["evidence"], "seconds": 0}} for c in claims]


@pytest.mark.slow
def test_workers_that_die_lose_nothing():
    claims = select(ids=IDS)
    alone = [report.record(e) for e in run(claims, budget=300, rng=2)]
    with ProcessPoolExecutor(1) as pool:
        pool.submit(os._exit, 1)
        left = [report.record(e) for e in run(claims, budget=300, rng=2, executor=pool)]
    assert without_times(left) == without_times(alone)


class Gone(Executor):
    """An executor that completes one task, fails with the next, and accepts a limited number of tasks."""

    def __init__(self, takes):
        self.takes = takes

    def submit(self, function, *arguments):
        if self.takes == 0:
            raise RuntimeError("the scheduler is gone")
        self.takes -= 1
        future = Future()
        if self.takes:
            future.set_result(function(*arguments))
        else:
            future.cancel()
            future.set_running_or_notify_cancel()
        return future


@pytest.mark.slow
@pytest.mark.parametrize("takes", [0, 1, 2])
def test_this_process_completes_the_work_of_a_lost_cluster(takes, caplog):
    claims = select(ids=IDS)
    alone = [report.record(e) for e in run(claims, budget=100, rng=2)]
    assert caplog.messages == []
    left = [report.record(e) for e in run(claims, budget=100, rng=2, executor=Gone(takes))]
    assert without_times(left) == without_times(alone)
    done = max(0, takes - 1)
    assert f"left {len(IDS) - done} claims undone" in caplog.messages[0]


@pytest.mark.slow
def test_an_interrupted_campaign_can_be_resumed(monkeypatch, tmp_path, capsys):
    """The file has the completed outcomes; --resume does the rest, and the result is as without the interruption."""
    file, whole = tmp_path / "part.json", tmp_path / "whole.json"
    chosen = [x for id in IDS for x in ("--claim", id)]
    assert command(monkeypatch, "verify", *chosen, "--budget", 400, "--json", whole) == 0
    done = []

    def interrupted(outcome):
        done.append(outcome.claim.id)
        if len(done) == 2:
            raise KeyboardInterrupt
        return original(outcome)

    original = report.record
    monkeypatch.setattr(report, "record", interrupted)
    assert command(monkeypatch, "verify", *chosen, "--budget", 400, "--json", file) == 130
    assert [c["id"] for c in json.loads(file.read_text())["claims"]] == done[:1]
    monkeypatch.setattr(report, "record", original)
    assert command(monkeypatch, "verify", *chosen, "--budget", 400, "--json", file, "--resume") == 0
    one, other = (json.loads(f.read_text())["claims"] for f in (file, whole))
    assert without_times(one) == without_times(other)
    assert one[0]["evidence"]["seconds"] == json.loads(file.read_text())["claims"][0]["evidence"]["seconds"]
    assert command(monkeypatch, "verify", *chosen, "--budget", 401, "--json", file, "--resume") == 2
    assert "has budget 400, this run has 401" in capsys.readouterr().err


@pytest.mark.slow
def test_outcomes_not_yet_written_are_not_lost(monkeypatch, tmp_path):
    """The first outcome is written at once; the second waits, and is written when the run is interrupted."""
    file, written, original = tmp_path / "part.json", [], report.record

    def interrupted(outcome):
        known = json.loads(file.read_text())["claims"] if file.exists() else []
        written.append(len(known))
        if len(written) == 3:
            raise KeyboardInterrupt
        return original(outcome)

    monkeypatch.setattr(report, "record", interrupted)
    monkeypatch.setattr(commands, "WRITING", 1e9)
    chosen = [x for id in IDS for x in ("--claim", id)]
    assert command(monkeypatch, "verify", *chosen, "--budget", 10, "--workers", 1, "--json", file) == 130
    assert (written, len(json.loads(file.read_text())["claims"])) == ([0, 1, 1], 2)


@pytest.mark.parametrize("text", ["{", "[]", '{"claims": [{}]}'])
def test_resume_of_another_file(text, monkeypatch, tmp_path, capsys):
    file = tmp_path / "other.json"
    file.write_text(text)
    assert command(monkeypatch, "verify", "--json", file, "--resume") == 2
    assert "is not what --json writes" in capsys.readouterr().err


def test_resume_without_a_file(monkeypatch, capsys):
    assert command(monkeypatch, "verify", "--resume") == 2
    assert "--resume needs --json" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_file_of_conjectures(workers, monkeypatch, tmp_path, capsys):
    file, outcome = tmp_path / "conjecture.py", tmp_path / "outcome.json"
    file.write_text(CONJECTURE)
    assert command(monkeypatch, "check", file, "--json", outcome, "--workers", workers) == 1
    refuted, supported = json.loads(outcome.read_text())["claims"]
    assert (refuted["verdict"], supported["verdict"]) == ("refuted", "supported")
    assert float(refuted["certificate"]["margin_upper"]) < 0
    out = capsys.readouterr().out
    assert "mine.triangle: counterexample" in out
    assert "2 claims: 1 refuted, 1 supported" in out
    assert "was supported" not in out


@pytest.mark.slow
def test_one_claim_of_a_file(monkeypatch, tmp_path, capsys):
    file = tmp_path / "conjecture.py"
    file.write_text(CONJECTURE)
    assert command(monkeypatch, "check", file, "--claim", "mine.positive") == 0
    assert "1 claim: 1 supported" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "declares no claim"),
        ("def", "does not run: SyntaxError"),
        ("1 / 0", "does not run: ZeroDivisionError"),
    ],
)
def test_files_without_conjectures(text, message, monkeypatch, tmp_path, capsys):
    file = tmp_path / "bad.py"
    file.write_text(text)
    assert command(monkeypatch, "check", file) == 2
    assert message in capsys.readouterr().err


def test_a_missing_file(monkeypatch, capsys):
    assert command(monkeypatch, "check", "nowhere.py") == 2
    assert "nowhere.py" in capsys.readouterr().err


@pytest.mark.slow
def test_threads_of_one_process_do_not_disturb_each_other():
    """A dask worker may have several threads, but the precision of balls belongs to the process."""
    claims = select(ids=["hyptest.thm18.bound.corrected", "hyptest.lem13.jensen", "hyptest.thm18.pointwise", *IDS])
    alone = [report.record(e) for e in run(claims, budget=200)]
    with ThreadPoolExecutor(3) as pool:
        together = [report.record(e) for e in run(claims, budget=200, executor=pool)]
    assert without_times(together) == without_times(alone)
