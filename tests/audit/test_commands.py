"""The command `krdtheory audit`, through `main` in this process."""

import json
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from krdtheory import cli
from krdtheory.audit import audit, commands
from krdtheory.audit.scores import SCORES
from krdtheory.privacy.notions import ApproximateDP


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Return a function that runs a command next to sample files, and returns its exit status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    np.savetxt("x.csv", rng.laplace(1, 1, 500), fmt="%.17g", header="release", comments="")
    np.save("y.npy", rng.laplace(0, 1, 400))
    np.savetxt("wide.csv", rng.normal(size=(50, 3)), delimiter=",")
    for name, shift in ("named_x.csv", 0.6), ("named_y.csv", 0.0):
        rows = ("yes" if r < 0.2 + shift else "no" for r in rng.random(300))
        lines = [f"{k},{row},{value:.6g}" for k, (row, value) in enumerate(zip(rows, rng.random(300), strict=True))]
        Path(name).write_text("\n".join(["id,answer,part", *lines]))

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["krdtheory", "audit", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        captured = capsys.readouterr()
        return caught.value.code, captured.out, captured.err

    return command


@pytest.mark.slow
def test_rejected_and_not(run):
    status, out, err = run("x.csv", "y.npy", "--epsilon", "0.3")
    assert (status, err) == (1, "")
    assert out.startswith("pure DP, epsilon = 0.3: rejected (p = ")
    status, out, _ = run("x.csv", "y.npy", "--epsilon", "1.5", "--delta", "0.01")
    assert status == 0
    assert out.startswith("approximate DP, epsilon = 1.5, delta = 0.01: not rejected (p = ")


@pytest.mark.slow
def test_columns_have_the_names_of_the_files(run):
    rng = np.random.default_rng(0)
    for file, shift, header in (("a.csv", 3, "age,income"), ("b.csv", 0, "age,income"), ("c.csv", 0, "years,income")):
        np.savetxt(file, rng.normal([0, shift], 1, (200, 2)), delimiter=",", header=header, comments="")
    for options, told in (((), "income <= "), (("--column", "income"), "income <= ")):
        assert told in run("a.csv", "b.csv", "--epsilon", 1, "--score", "tree", *options)[1]
    assert "column 1 <= " in run("a.csv", "c.csv", "--epsilon", 1, "--score", "tree")[1]  # as the names differ


@pytest.mark.slow
def test_it_is_the_function_and_the_files_are_written(run):
    options = ("--bound", "delta", "--direction", "p, q", "--score", "tree", "--events", 2, "--confidence", 0.9)
    status, out, _ = run(
        "x.csv",
        "y.npy",
        "--epsilon",
        0.5,
        "--delta",
        0.01,
        *options,
        "--seed",
        4,
        "--json",
        "r.json",
        "--html",
        "r.html",
    )
    x, y = np.loadtxt("x.csv", skiprows=1), np.load("y.npy")
    notion = ApproximateDP(epsilon=0.5, delta=0.01)
    given = {"bound": "delta", "direction": "p, q", "scores": ["tree"], "events": 2, "confidence": 0.9, "rng": 4}
    expected = audit(x, y, notion, **given)
    data = json.loads(Path("r.json").read_text())
    assert data["p_value"] == expected.p_value
    assert data["delta_lower"] == expected.delta_lower
    assert (data["x"], data["n"], data["m"]) == ("x.csv", 500, 400)
    assert [line.split() for line in out.splitlines() if not line.startswith(" files")] == [
        line.split() for line in expected.summary().splitlines()
    ]
    assert data["used"]["files"] == "x.csv and y.npy"
    assert Path("r.html").read_text().startswith("<!doctype html>")
    assert status == int(expected.rejected)


@pytest.mark.slow
def test_columns_of_several_kinds_nan_and_headers_of_numbers(run):
    status, out, err = run("named_x.csv", "named_y.csv", "--epsilon", 0.5)  # epsilon = log 4, in the column of words
    assert status == 1
    assert "Warning: id in x counts the outputs" in out  # it has no information here, as in both samples
    rng = np.random.default_rng(0)
    for name, share in ("nan_x.csv", 0.9), ("nan_y.csv", 0.1):
        values = np.where(rng.random(200) < share, np.nan, rng.normal(size=200))
        np.savetxt(name, values, header="0", comments="")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        status, out, err = run("nan_x.csv", "nan_y.csv", "--epsilon", 1)
    assert (status, "200 and 200" in out) == (1, True)
    assert "nan_x.csv begins with 0 to 0 above numbers of which none is whole: read as a header" in err
    Path("years.csv").write_text("2019,2020\n" + "0.5,0.25\n" * 20)
    status, out, err = run("years.csv", "years.csv", "--epsilon", 1)
    assert (status, out) == (2, "")
    assert "must not begin with whole numbers, 2019, 2020, above numbers of which none is whole" in err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--order", 2, "--epsilon", 0.1), "Renyi DP, alpha = 2.0, epsilon = 0.1: "),
        (("--alpha", 2, "--epsilon", 0.1), "Renyi DP, alpha = 2.0, epsilon = 0.1: "),
        (("--rho", 0.05), "zero-concentrated DP, rho = 0.05: "),
        (("--mu", 0.5), "Gaussian DP, mu = 0.5: "),
        (("--order", 2, "--epsilon", 1, "--lambda", 0.1, "--bandwidth", 1), "kernel Renyi DP, alpha = 2.0"),
        (("--order", 2, "--epsilon", 1, "--degree", 1, "--support", -99, 99), "capacity-bounded DP, alpha = 2.0"),
    ],
)
def test_notions(run, options, words):
    status, out, err = run("x.csv", "y.npy", *options)
    assert status in (0, 1)
    assert out.startswith(words)
    assert err == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("x.csv", "y.npy"), "give --epsilon, --epsilon and --delta"),
        (("x.csv", "y.npy", "--delta", 0.1), "got --delta"),
        (("x.csv", "y.npy", "--rho", 1, "--mu", 1), "got --rho --mu"),
        (("x.csv", "y.npy", "--epsilon", "much"), "'much' is not a number"),
        (("x.csv", "y.npy", "--epsilon", -1), "epsilon must be a positive finite number"),
        (("x.csv", "y.npy", "--epsilon", 1, "--bandwidth", 2), "--bandwidth goes with --lambda"),
        (("x.csv", "y.npy", "--epsilon", 1, "--kernel", "rbf"), "--kernel goes with --lambda"),
        (("x.csv", "y.npy", "--epsilon", 1, "--support", 0, 1), "--support goes with --degree"),
        (("x.csv", "y.npy", "--epsilon", 1, "--order", 2, "--degree", 1), "--degree needs --support"),
        (("x.csv", "y.npy", "--epsilon", 1, "--degree", 1, "--support", 0, 1), "got --epsilon --degree"),
        (("x.csv", "y.npy", "--epsilon", 1, "--column", "release"), "y.npy must be a .csv or .parquet file"),
        (("named_x.csv", "named_y.csv", "--epsilon", 1, "--column", "reply"), "must have one column 'reply'"),
        (("named_x.csv", "named_y.csv", "--epsilon", 1, "--column", "answer"), "numbers; got 'yes'"),
        (
            ("named_x.csv", "named_y.csv", "--epsilon", 1, "--column", "answer"),
            "words are read with --column and --text",
        ),
        (("x.csv", "y.npy", "--epsilon", 1, "--text"), "--text needs --column"),
        (("named_x.csv", "y.npy", "--epsilon", 1, "--text", "--column", "answer"), "a .csv or .parquet file, for text"),
        (
            ("x.csv", "y.npy", "--epsilon", 1, "--order", 2, "--lambda", 0.1, "--score", "tree"),
            "--score must be 'auto'",
        ),
        (("x.csv", "y.npy", "--epsilon", 1, "--score", "trees"), "did you mean 'tree'?"),
        (("x.csv", "y.npy", "--epsilon", 1, "--score", "foo"), "--score must be one of auto, value, linear, "),
        (
            ("named_x.csv", "named_y.csv", "--epsilon", 1, "--text", "--column", "answer", "--score", "tree"),
            "--score must be one of auto, atoms, words; got 'tree'",
        ),
        (("x.csv", "y.npy", "--epsilon", 1, "--order", 2, "--lambda", -1), "--lambda must be a finite number >= 0"),
        (
            ("x.csv", "y.npy", "--epsilon", 1, "--order", 2, "--lambda", 1, "--kernel", "rfb"),
            "sigmoid; got 'rfb'; did you mean 'rbf'?",
        ),
        (("x.csv", "y.npy", "--epsilon", 1, "--confidence", 95), "confidence must be in (0, 1)"),
        (("x.csv", "wide.csv", "--epsilon", 1), "x.csv and wide.csv must have as many columns; got 1 and 3"),
        (("x.csv", "none.csv", "--epsilon", 1), "none.csv"),
        (("x.csv", "y.npy", "--epsilon", 1, "--json", "none/r.json"), "--json must name a file"),
        (("x.csv", "y.npy", "--epsilon", 1, "--html", "none/r.html"), "--html must name a file"),
    ],
)
def test_bad_commands(run, arguments, words):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.slow
def test_columns_and_words(run):
    files = ("named_x.csv", "named_y.csv", "--epsilon", 0.5)
    status, out, _ = run(*files, "--column", "answer", "--text", "--json", "r.json")  # epsilon = log 4
    assert status == 1
    assert "atoms" in out
    data = json.loads(Path("r.json").read_text())
    assert (data["columns"], data["text"], data["n"]) == (["answer"], True, 300)
    status, out, _ = run(*files, "--column", "part")
    assert (status, "300 and 300" in out) == (0, True)
    status, out, _ = run(*files, "--column", "part", "--column", "answer", "--text")  # no row is repeated
    assert status == 1
    assert "named_x.csv and named_y.csv, words in part, answer" in out
    status, out, _ = run(*files, "--column", "part", "--text", "--score", "atoms")
    assert status == 0
    assert "the scores tell no outputs apart" in out


def test_the_help_names_every_score():
    told = re.findall(r"\w+", commands._SCORES)
    assert [name for name in SCORES if name not in told] == []
