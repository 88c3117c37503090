"""The command `krdtheory audit-run`, through `main` in this process."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from krdtheory import cli
from krdtheory.audit import audit_one_run
from krdtheory.privacy.notions import ApproximateDP

CLAIM = ("--epsilon", 1, "--delta", 1e-5)
COLUMNS = ("--column", "score", "--included", "in")


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    included = rng.random(400) < 0.5
    score = rng.normal(size=400) + 2.5 * included
    first = rng.integers(2, size=400)
    pair = rng.normal(size=(400, 2)) + 3 * np.eye(2)[first]
    rows = zip(score.tolist(), included.tolist(), pair[:, 0].tolist(), pair[:, 1].tolist(), first.tolist(), strict=True)
    lines = [f"{s!r},{-s!r},{int(b)},{'Yes' if b else 'no'},{u!r},{v!r},{k},word" for s, b, u, v, k in rows]
    Path("scores.csv").write_text("\n".join(["score,loss,in,member,first,second,which,other", *lines]))

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["krdtheory", "audit-run", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        captured = capsys.readouterr()
        return caught.value.code, captured.out, captured.err

    return command


@pytest.mark.slow
def test_it_is_the_function_and_the_files_are_written(run):
    status, out, err = run("scores.csv", *COLUMNS, *CLAIM, "--seed", 3, "--json", "r.json", "--html", "r.html")
    assert (status, err) == (1, "")
    assert out.startswith("approximate DP, epsilon = 1.0, delta = 1e-05: rejected (p = ")
    assert "scores.csv: scores in score, coins in in" in out
    table = np.genfromtxt("scores.csv", delimiter=",", names=True)
    expected = audit_one_run(table["score"], table["in"], ApproximateDP(epsilon=1.0, delta=1e-5), rng=3)
    data = json.loads(Path("r.json").read_text())
    assert (data["epsilon_lower"], data["p_value"]) == (expected.epsilon_lower, expected.p_value)
    assert data["file"]["included"] == "in"
    assert Path("r.html").read_text().startswith("<!doctype html>")


@pytest.mark.slow
def test_losses_words_pairs_and_other_claims(run):
    _, out, _ = run("scores.csv", *COLUMNS, *CLAIM, "--json", "-")
    expected = json.loads(out)["epsilon_lower"]
    given = ("--column", "loss", "--lower-is-in", "--included", "member", *CLAIM, "--json", "-")
    assert json.loads(run("scores.csv", *given)[1])["epsilon_lower"] == pytest.approx(expected, rel=0.02)
    status, out, _ = run("scores.csv", "--column", "first", "--column", "second", "--included", "which", *CLAIM)
    assert (status, "one of 2 secrets each" in out) == (1, True)
    status, out, _ = run("scores.csv", "--column", "loss", "--included", "in", *CLAIM)  # in the wrong direction
    assert (status, "not rejected" in out) == (0, True)
    for claim in (("--mu", 0.2), ("--epsilon", 0.1, "--order", 2), ("--epsilon", 0.5)):
        assert run("scores.csv", *COLUMNS, *claim)[0] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("scores.csv", *COLUMNS),
            "give --epsilon, --epsilon and --delta, --epsilon and --alpha, --rho or --mu; got none",
        ),
        (("scores.csv", "--column", "score", *CLAIM), "Missing option '--included'"),
        (("scores.csv", "--column", "none", "--included", "in", *CLAIM), "must have one column 'none'"),
        (("scores.csv", "--column", "other", "--included", "in", *CLAIM), "numbers; got 'word'"),
        (("scores.csv", "--column", "score", "--included", "other", *CLAIM), "by 1 and 0 or true and false"),
        (("scores.csv", "--column", "in", "--included", "in", *CLAIM), "--included must be another column"),
        (("scores.csv", "--column", "score", "--included", "loss", *CLAIM), "included must be True or False"),
        (("none.csv", *COLUMNS, *CLAIM), "none.csv"),
        (("scores.csv", *COLUMNS, *CLAIM, "--inclusion", 0), "inclusion must be in (0, 1)"),
        (("scores.csv", *COLUMNS, *CLAIM, "--inclusion", 0.01), "inclusion = 0.01"),
        (("scores.csv", *COLUMNS, *CLAIM, "--method", "event"), "method must be 'auto'"),
        (("scores.csv", *COLUMNS, *CLAIM, "--json", "scores.csv"), "--json must not name a file that is read"),
    ],
)
def test_bad_commands(run, arguments, words):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
