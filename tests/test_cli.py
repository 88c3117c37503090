"""The command line, mostly through `main` in this process."""

import contextlib
import dataclasses
import itertools
import json
import math
import os
import subprocess
import sys

import numpy as np
import pytest

import krdtheory
from krdtheory import cli
from krdtheory.kernels import kernel_renyi_estimate, median_bandwidth
from verification import Verdict, commands
from verification.claim import PAPERS, REGISTRY, Registry, Uncovered, select

FAST = ("krd.lemma1", "krd.cor2")  # one supported, one violated


@pytest.fixture
def krdtheory_(monkeypatch, capsys):
    """Return a function that runs a command and returns its exit status, stdout and stderr."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["krdtheory", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        captured = capsys.readouterr()
        return caught.value.code, captured.out, captured.err

    return run


@pytest.fixture
def samples(tmp_path, monkeypatch):
    """Write x.csv, y.npy, z.npz in the current directory, and return their contents."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    x, y, z = rng.normal(size=(40, 3)), rng.normal(1, 1, (30, 3)), rng.normal(size=(20, 3))
    np.savetxt("x.csv", x, delimiter=",", header="a,b,c", comments="", fmt="%.17g")
    np.save("y.npy", y)
    np.savez("z.npz", z)
    return {"x.csv": x, "y.npy": y, "z.npz": z}


def strict(text):
    """Parse JSON without literals that are not standard."""

    def refuse(literal):
        raise AssertionError(f"{literal} is not JSON")

    return json.loads(text, parse_constant=refuse)


def process(*arguments, **kwargs):
    return subprocess.run(
        [sys.executable, "-c", "from krdtheory.cli import main; main()", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        **kwargs,
    )


# verify


@pytest.mark.slow
def test_verify_prints_a_table_and_a_summary(krdtheory_):
    status, out, err = krdtheory_("verify", "--claim", FAST[0], "--claim", FAST[1])
    assert (status, err) == (0, "")
    rows = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert "proved, given 1" in rows["krd.lemma1"]
    assert "refuted" in rows["krd.cor2"]
    assert "2 claims: 1 refuted, 1 proved; none changed" in out
    assert out.splitlines()[0].strip() == "Domingo-Enrich and Mroueh (2022)"


@pytest.mark.slow
def test_verify_json_has_the_documented_format(krdtheory_, tmp_path):
    file = tmp_path / "outcome.json"
    status, _, err = krdtheory_("verify", "--claim", FAST[0], "--claim", FAST[1], "--seed", 3, "--json", file)
    assert (status, err) == (0, "")
    data = strict(file.read_text())
    assert {"version", "seed", "profile", "claims"} <= set(data)
    assert (data["version"], data["seed"], data["profile"]) == (krdtheory.__version__, 3, "quick")
    assert [c["id"] for c in data["claims"]] == list(FAST)
    for c in data["claims"]:
        keys = ("id", "paper", "label", "statement", "verdict", "corrects", "note", "evidence", "counterexample")
        assert {*keys, "certificate"} <= set(c)
        assert c["paper"] == "krd"
        assert (c["certificate"] is not None) == (c["verdict"] == "refuted")
        assert {"method", "instances", "min_margin", "seconds"} <= set(c["evidence"])
        assert isinstance(c["evidence"]["instances"], int)
        assert c["evidence"]["instances"] >= 2000
    holds, violated = data["claims"]
    assert (holds["verdict"], holds["counterexample"]) == ("proved", None)
    assert holds["proof"]["premises"] == ["cited.processing"]
    assert violated["verdict"] == "refuted"
    found = violated["counterexample"]
    assert {"inputs", "lhs", "rhs"} <= set(found)
    assert float(found["lhs"]) > float(found["rhs"])
    assert exact(found["inputs"])


def exact(value):
    """Return whether all numbers of an instance are exact strings (or integers, for indices)."""
    if isinstance(value, dict):
        return all(map(exact, value.values()))
    if isinstance(value, list):
        return all(map(exact, value))
    return isinstance(value, str) and "." not in value


@pytest.mark.slow
def test_same_seed_same_json_for_any_number_of_workers(krdtheory_, tmp_path):
    def outcome(name, *more):
        file = tmp_path / name
        assert krdtheory_("verify", "--claim", FAST[0], "--claim", FAST[1], "--json", file, *more)[0] == 0
        data = strict(file.read_text())
        for c in data["claims"]:
            del c["evidence"]["seconds"]
        return data

    one = outcome("one.json", "--seed", 7)
    assert outcome("two.json", "--seed", 7, "--workers", 2) == one
    assert outcome("other.json", "--seed", 8)["claims"] != one["claims"]


def test_a_selection_without_claims_is_an_error(krdtheory_):
    status, out, err = krdtheory_("verify", "--claim", "krd.lemma1", "--paper", "capacity")
    assert (status, out) == (2, "")
    assert "claim must be of the paper capacity; got krd.lemma1" in err


@pytest.mark.slow
def test_a_changed_verdict_is_status_1(krdtheory_, monkeypatch):
    select()  # so that the papers' claims are registered
    changed = dataclasses.replace(REGISTRY["krd.lemma1"], recorded=Verdict.UNDECIDED)
    monkeypatch.setitem(REGISTRY, "krd.lemma1", changed)
    status, out, err = krdtheory_("verify", "--claim", "krd.lemma1")
    assert (status, err) == (1, "")
    assert "proved, given 1 was undecided" in out
    assert "1 claim: 1 proved; 1 changed" in out
    assert ["krd.lemma1", "undecided", "proved,", "given", "1"] in [line.split() for line in out.splitlines()]


def _registry(monkeypatch, *ids):
    """Replace the registry in a test by these claims."""
    kept = Registry()
    kept.update({id: REGISTRY[id] for id in ids})
    monkeypatch.setattr(sys.modules["verification.claim"], "REGISTRY", kept)
    return kept


@pytest.mark.slow
def test_changes_are_in_the_summary_too(krdtheory_, monkeypatch):
    select()
    monkeypatch.setitem(REGISTRY, "krd.cor2", dataclasses.replace(REGISTRY["krd.cor2"], recorded=Verdict.PROVED))
    kept = _registry(monkeypatch, *FAST)
    status, out, err = krdtheory_("verify")
    assert (status, err) == (1, "")
    assert ["krd.cor2", "proved", "refuted"] in [line.split() for line in out.splitlines()]
    assert out.splitlines()[-1] == "2 claims in all; 1 changed"
    monkeypatch.setitem(kept, "krd.cor2", dataclasses.replace(REGISTRY["krd.cor2"], recorded=Verdict.REFUTED))
    status, out, err = krdtheory_("verify", "--all")
    assert (status, err) == (0, "")
    assert out.splitlines()[-1] == "2 claims in all; none changed"
    assert "Changed" not in out
    assert all(any(line.split()[:1] == [id] for line in out.splitlines()) for id in FAST)


@pytest.mark.slow
def test_one_claim_is_shown_in_full(krdtheory_):
    c = REGISTRY["krd.cor2"]
    status, out, err = krdtheory_("verify", "--claim", c.id)
    assert (status, err) == (0, "")
    flat = " ".join(out.split())
    for text in (c.label, c.nature, c.statement, *(f"{name}: {kind.describe()}" for name, kind in c.given.items())):
        assert " ".join(text.split()) in flat
    assert "def projection(k: Vocabulary" in flat
    assert "def _projected(" in flat
    assert "@claim" not in flat
    assert "counterexample" in flat
    assert "certified at" in flat
    assert "corrected by krd.cor2.scaled" in flat


def test_uncovered(krdtheory_, monkeypatch):
    listed = [
        Uncovered("krd", "Section 9 [bold]", "it is [/fast]", "no \x1b[31mnumber"),
        Uncovered("own", "x", "y", "z"),
    ]
    monkeypatch.setattr(commands, "UNCOVERED", listed)
    status, out, err = krdtheory_("verify", "--uncovered")
    assert (status, err) == (0, "")
    assert [w for w in ("Section 9 [bold]", "it is [/fast]", "no [31mnumber", "y") if w not in out] == []
    assert "\x1b" not in out
    assert out.splitlines()[-1] == "2 statements without a claim"
    out = krdtheory_("verify", "--uncovered", "--paper", "krd")[1]
    assert out.splitlines()[-1] == f"1 statement of {PAPERS['krd']} without a claim"
    assert krdtheory_("verify", "--uncovered", "--paper", "nope")[0] == 2


@pytest.mark.slow
def test_list(krdtheory_):
    status, out, err = krdtheory_("verify", "--list")
    assert (status, err) == (0, "")
    papers = tuple(f"{paper}." for paper in PAPERS)
    claims = [line.split()[0] for line in out.splitlines() if line.strip().startswith(papers)]
    natures = [line.split()[-2] for line in out.splitlines() if line.strip().startswith(papers)]
    assert natures == [c.nature for c in select()]
    assert claims == [c.id for c in select()]
    one = krdtheory_("verify", "--list", "--paper", "krd")[1]
    assert [line.split()[0] for line in one.splitlines() if line.strip().startswith(papers)] == [
        id for id in claims if id.startswith("krd.")
    ]


def test_a_bad_command_does_not_change_the_outcome_file(krdtheory_, tmp_path):
    file = tmp_path / "outcome.json"
    assert krdtheory_("verify", "--profile", "slow", "--json", file)[0] == 2
    assert not file.exists()
    file.write_text("kept")
    assert krdtheory_("verify", "--claim", "nope", "--json", file)[0] == 2
    assert file.read_text() == "kept"


# divergence


def grid(out):
    """The numbers of a printed table, by row and column."""
    lines = [line.split() for line in out.splitlines() if line.strip() and "──" not in line]
    return [[float(cell) for cell in row] for row in lines[2:]]


@pytest.mark.parametrize("pair", [("x.csv", "y.npy"), ("y.npy", "z.npz"), ("z.npz", "x.csv")])
def test_divergence_is_the_estimate(krdtheory_, samples, pair):
    x, y = samples[pair[0]], samples[pair[1]]
    at = ("--kernel", "rbf", "--alpha", 2, 6, 12, "--lambda", "1e-3", "1e-2")
    status, out, err = krdtheory_("divergence", *pair, *at, "--json", "out.json")
    assert (status, err) == (0, "")
    expected = kernel_renyi_estimate(x, y, alpha=[2, 6, 12], regularization=[1e-3, 1e-2])
    rows = grid(out)
    assert [row[0] for row in rows] == [2, 6, 12]
    assert np.array(rows)[:, 1:] == pytest.approx(expected, abs=5.1e-7)
    assert f"bandwidth {median_bandwidth(x, y):.6g}" in out
    assert f"n = {len(x)}, m = {len(y)}" in out
    with open("out.json") as file:
        data = strict(file.read())
    assert data["values"] == expected.tolist()
    assert (data["alpha"], data["lambda"]) == ([2, 6, 12], [1e-3, 1e-2])
    assert (data["n"], data["m"], data["kernel"]) == (len(x), len(y), "rbf")
    assert data["bandwidth"] == median_bandwidth(x, y)
    assert data["numerical_error"] is None  # it was not requested


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ((), {"alpha": 2, "regularization": 1e-2}),
        (("--alpha=3", "--lambda=0.1"), {"alpha": 3, "regularization": 0.1}),
        (("--alpha", "0.5", "--lambda", "1"), {"alpha": 0.5, "regularization": 1}),
        (("--alpha", "1"), {"alpha": 1, "regularization": 1e-2}),
        (("--alpha", "inf"), {"alpha": math.inf, "regularization": 1e-2}),
        (("--bandwidth", "1.5"), {"alpha": 2, "regularization": 1e-2, "bandwidth": 1.5}),
        (("--bandwidth", "median"), {"alpha": 2, "regularization": 1e-2}),
        (("--bandwidth", "pooled"), {"alpha": 2, "regularization": 1e-2, "bandwidth": "pooled"}),
        (("--kernel", "laplacian"), {"alpha": 2, "regularization": 1e-2, "kernel": "laplacian"}),
        (("--kernel", "linear"), {"alpha": 2, "regularization": 1e-2, "kernel": "linear"}),
    ],
)
def test_divergence_options(krdtheory_, samples, options, arguments):
    status, out, err = krdtheory_("divergence", "x.csv", "y.npy", *options)
    assert (status, err) == (0, "")
    value = kernel_renyi_estimate(samples["x.csv"], samples["y.npy"], **arguments)
    assert grid(out)[0][1] == pytest.approx(float(value), abs=5.1e-7)


def test_columns_of_a_divergence(krdtheory_, samples):
    np.savetxt("y.csv", samples["y.npy"][:, ::-1], delimiter=",", header="c,b,a", comments="", fmt="%.17g")
    status, out, err = krdtheory_("divergence", "x.csv", "y.csv", "--column", "a", "--column", "b", "--json", "o.json")
    assert (status, err) == (0, "")
    value = kernel_renyi_estimate(samples["x.csv"][:, :2], samples["y.npy"][:, :2], alpha=2, regularization=1e-2)
    assert grid(out)[0][1] == pytest.approx(float(value), abs=5.1e-7)
    with open("o.json") as file:
        assert json.load(file)["columns"] == ["a", "b"]


def test_options_of_several_numbers(krdtheory_, samples):
    together = krdtheory_("divergence", "x.csv", "y.npy", "--alpha", 2, 6, "--lambda", 0.1, 1)
    for other in (
        ("--alpha", 2, 6, "--lambda", 0.1, 1, "x.csv", "y.npy"),
        ("x.csv", "--alpha", 2, "--alpha", 6, "y.npy", "--lambda", 0.1, "--lambda", 1),
        ("x.csv", "y.npy", "--alpha=2", 6, "--lambda=0.1", 1),
    ):
        assert krdtheory_("divergence", *other) == together


def test_infinite_values_are_strings_in_json(krdtheory_, samples):
    at = ("--alpha", 2, "inf", "--lambda", 0, 0.1)
    status, out, err = krdtheory_("divergence", "x.csv", "y.npy", *at, "--error", "--json", "out.json")
    assert (status, err) == (0, "")
    assert "inf" in out
    assert "inf ±" not in out
    with open("out.json") as file:
        data = strict(file.read())
    assert data["alpha"] == [2, "inf"]
    assert [row[0] for row in data["values"]] == ["inf", "inf"]
    assert all(isinstance(row[1], float) for row in data["values"])
    assert np.shape(data["numerical_error"]) == (2, 2)
    assert np.max(data["numerical_error"]) < 1e-10  # an infinite value has none


def test_numerical_error_is_shown_on_request(krdtheory_, samples):
    assert " ± " not in krdtheory_("divergence", "x.csv", "y.npy")[1]
    assert " ± " in krdtheory_("divergence", "x.csv", "y.npy", "--error")[1]


def test_the_longer_list_is_in_the_rows(krdtheory_, samples):
    lambdas = [10.0**-k for k in range(1, 10)]
    at = ("--alpha", 2, 6, 12, "--lambda", *lambdas)
    out = krdtheory_("divergence", "x.csv", "y.npy", *at)[1]
    expected = kernel_renyi_estimate(samples["x.csv"], samples["y.npy"], alpha=[2, 6, 12], regularization=lambdas)
    assert np.array(grid(out))[:, 1:] == pytest.approx(expected.T, abs=5.1e-7)
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 140])
def test_columns_are_aligned(krdtheory_, samples, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    for command in (
        ("divergence", "x.csv", "y.npy", "--alpha", 2, 6, 12, "--lambda", "1e-3", "1e-2", "--error"),
        ("verify", "--claim", "krd.lemma1"),
    ):
        monkeypatch.setenv("FORCE_COLOR", "1")  # as in a terminal of this width
        monkeypatch.setenv("TERM", "dumb")
        lines = [line.rstrip() for line in krdtheory_(*command)[1].splitlines()]
        rule = next(i for i, line in enumerate(lines) if "───" in line)
        table = list(itertools.takewhile(bool, lines[rule - 1 :]))
        assert max(map(len, lines)) <= width
        assert len({len(line) for line in table if line != lines[rule]}) == 1  # the last column is right-aligned


# Help and version


def test_help_shows_an_example_of_each_command(krdtheory_):
    status, out, err = krdtheory_("--help")
    assert (status, err) == (0, "")
    assert "verify" in out
    assert "divergence" in out
    assert krdtheory_() == (0, out, "")
    for command in ("verify", "divergence"):
        status, out, err = krdtheory_(command, "--help")
        assert (status, err) == (0, "")
        assert f"Example: krdtheory {command}" in out


@pytest.mark.slow
@pytest.mark.parametrize("name", cli.OF_CLAIMS)
def test_help_of_the_commands_that_are_imported_late(krdtheory_, name):
    """Their line in the list is that of their help."""
    line = cli.OF_CLAIMS[name]
    assert getattr(commands, name).__doc__.startswith(line)
    assert line in " ".join(krdtheory_(name, "-h")[1].split())
    assert krdtheory_("-h") == krdtheory_("--help")


def test_version(krdtheory_):
    assert krdtheory_("--version") == (0, f"krdtheory {krdtheory.__version__}\n", "")


# Bad commands


def written(name, content):
    def write():
        with open(name, "wb") as file:
            if isinstance(content, bytes):
                file.write(content)
            elif isinstance(content, dict):
                np.savez(file, **content)
            else:
                np.save(file, content)

    return write


def truncated():
    np.save("bad.npy", np.ones((100, 3)))
    os.truncate("bad.npy", 500)


X, Y = "x.csv", "y.npy"
BAD = [
    # the command
    (("nonsense",), "nonsense"),
    (("--nonsense",), "--nonsense"),
    (("verify", "--nonsense"), "--nonsense"),
    (("verify", "extra"), "extra"),
    (("divergence", X, Y, "extra"), "extra"),
    (("divergence", X), "argument"),
    (("divergence",), "argument"),
    # verify
    (("verify", "--paper", "nope"), "paper must be one of capacity, colisson, hyptest, krd, own; got 'nope'"),
    (("verify", "--claim", "nope"), "'nope'"),
    (("verify", "--claim", "krd.lemma1", "--claim", "krd.lemma0"), "'krd.lemma0'"),
    (("verify", "--claim", ""), "''"),
    (("verify", "--profile", "slow"), "--profile must be one of quick, deep; got 'slow'"),
    (("verify", "--seed", "x"), "--seed"),
    (("verify", "--seed", "-1"), "--seed"),
    (("verify", "--seed", "1.5"), "--seed"),
    (("verify", "--workers", "0"), "--workers"),
    (("verify", "--workers", "two"), "--workers"),
    (("verify", "--seed"), "--seed"),
    (("verify", "--claim", "krd.lemma1", "--json", "missing/out.json"), "missing/out.json"),
    (("verify", "--claim", "krd.lemma1", "--json", "."), "--json"),
    # files
    (("divergence", "missing.csv", Y), "missing.csv: No such file"),
    (("divergence", X, "missing.npy"), "missing.npy: No such file"),
    (("divergence", X, "."), ".csv, .npy, .npz or .parquet"),
    (("divergence", X, "samples.txt"), ".csv, .npy, .npz or .parquet"),
    # numbers
    (("divergence", X, Y, "--alpha", "-1"), "--alpha must be in [0, inf]; got -1.0"),
    (("divergence", X, Y, "--alpha", "nan"), "alpha must be in [0, inf]; got nan"),
    (("divergence", X, Y, "--alpha", "two"), "--alpha"),
    (("divergence", X, Y, "--alpha", "2,6"), "'2,6'"),
    (("divergence", X, Y, "--alpha"), "--alpha"),
    (("divergence", X, Y, "--lambda", "-1e-3"), "got -0.001"),
    (("divergence", X, Y, "--lambda", "inf"), "got inf"),
    (("divergence", X, Y, "--lambda", "nan"), "got nan"),
    (("divergence", X, Y, "--lambda", "small"), "'small'"),
    (("divergence", X, Y, "--lambda", "0", "--kernel", "linear"), "--lambda must be positive"),
    # kernels
    (("divergence", X, Y, "--kernel", "gauss"), "'gauss'"),
    (("divergence", X, Y, "--kernel", "linear", "--bandwidth", "2"), "bandwidth must be None for 'linear'"),
    (("divergence", X, Y, "--kernel", "chi2"), "chi2"),  # for negative coordinates
    (("divergence", X, Y, "--bandwidth", "0"), "bandwidth must be a positive number; got 0.0"),
    (("divergence", X, Y, "--bandwidth", "-2"), "got -2.0"),
    (("divergence", X, Y, "--bandwidth", "nan"), "got nan"),
    (("divergence", X, Y, "--bandwidth", "mean"), "'mean'"),
    (("divergence", X, Y, "--json", "missing/out.json"), "missing/out.json"),
    (("divergence", X, Y, "--json", "."), "--json"),
]


def one_line(result):
    status, out, err = result
    assert status == 2
    assert out == ""
    assert err.startswith("krdtheory: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert len(err) <= 320
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(("command", "word"), BAD, ids=[" ".join(command) for command, _ in BAD])
def test_bad_commands_are_one_line_and_status_2(krdtheory_, samples, command, word):
    assert word in one_line(krdtheory_(*command))


@pytest.mark.parametrize(
    ("write", "name", "word"),
    [
        (written("bad.npy", b"\x80\x04K\x01."), "bad.npy", "pickled"),
        (written("bad.npz", {"a": np.array([{}], dtype=object)}), "bad.npz", "pickled"),
        (written("bad.npz", {"a": np.eye(3), "b": np.eye(3)}), "bad.npz", "it holds 2"),
        (written("bad.npz", b"PK\x03\x04 and no more"), "bad.npz", "NumPy file"),
        (truncated, "bad.npy", "NumPy file"),
        (written("bad.npy", b""), "bad.npy", "NumPy file"),
        (written("bad.npy", np.eye(3) * 1j), "bad.npy", "complex128"),
        (written("bad.npy", np.array([["1"]])), "bad.npy", "real numbers"),
        (written("bad.npy", np.ones((2, 2, 2))), "bad.npy", "(2, 2, 2)"),
        (written("bad.npy", np.empty((0, 3))), "bad.npy", "(0, 3)"),
        (written("bad.npy", np.ones((4, 2))), "bad.npy", "as many columns; got 3 and 2"),
        (written("bad.csv", b""), "bad.csv", "at least one row"),
        (written("bad.csv", b"a,b,c\n1,2,x\n"), "bad.csv", "'x' in line 2"),
        (written("bad.csv", b"1,2,nan\n"), "bad.csv", "nan in row 1, column 3"),
        (written("bad.csv", b"1,2,3\n4,5\n"), "bad.csv", "one length"),
        (written("bad.csv", b"\xff\xfe\x00"), "bad.csv", "comma-separated text"),
        (lambda: os.mkdir("bad.csv"), "bad.csv", "directory"),
    ],
)
def test_bad_files_are_one_line_and_status_2(krdtheory_, samples, write, name, word):
    write()
    message = one_line(krdtheory_("divergence", "x.csv", name))
    assert word in message
    assert name in message


def test_samples_that_coincide_need_a_bandwidth(krdtheory_, samples):
    np.save("same.npy", np.ones((5, 3)))
    assert "bandwidth" in one_line(krdtheory_("divergence", "same.npy", "same.npy"))
    assert krdtheory_("divergence", "same.npy", "same.npy", "--bandwidth", 1)[0] == 0


# As a process


@pytest.mark.slow
def test_a_process_in_a_pipe(samples):
    done = process("verify", "--claim", "krd.lemma1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert "\r" not in done.stdout
    assert "krd.lemma1" in done.stdout


@pytest.mark.slow
def test_a_bad_process(samples):
    done = process("divergence", "x.csv", "missing.csv")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "krdtheory: missing.csv: No such file or directory\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal")
def test_progress_on_a_terminal_only():
    import pty

    master, slave = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-c", "from krdtheory.cli import main; main()", "verify", "--claim", "krd.lemma1"],
        stdout=subprocess.PIPE,
        stderr=slave,
        env={**os.environ, "TERM": "xterm"},
        text=True,
    )
    os.close(slave)
    seen = b""
    with contextlib.suppress(OSError):  # on Linux this means that the other end is closed
        while piece := os.read(master, 1 << 16):
            seen += piece
    os.close(master)
    out, _ = done.communicate(timeout=120)
    assert done.returncode == 0
    assert b"1/1" in seen
    assert "1/1" not in out


# Certificates


OWN = """
from verification import claim
from verification.instances import Distributions, Scale

@claim("mine.false", label="mine", statement="H(p, q) <= 0", given={"p": Distributions(2)})
def false(k, p):
    return k.hellinger(*p), 0 * p[0][:, 0]

@claim("mine.true", label="mine", statement="x <= x + 1", given={"x": Scale()})
def true(k, x):
    return x, x + 1

@claim("mine.broken", label="mine", statement="?", given={"x": Scale()})
def broken(k, x):
    return x.absent, x
"""


def test_certificate_of_a_claim_in_a_file(krdtheory_, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _registry(monkeypatch, *REGISTRY)
    (tmp_path / "own.py").write_text(OWN)
    status, text, err = krdtheory_("certificate", "mine.false", "--file", "own.py", "--inline")
    assert (status, err) == (0, "")
    (tmp_path / "cert.py").write_text(text)
    run = subprocess.run([sys.executable, "-I", "-S", "cert.py"], capture_output=True, text=True)
    assert run.returncode == 0 and run.stdout.endswith("ok: lhs > rhs: the inequality lhs <= rhs fails\n")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["mine.true", "--file", "own.py"], 2, "mine.true is not refuted but"),
        (["mine.broken", "--file", "own.py"], 3, "mine.broken: AttributeError"),
        (["mine.none", "--file", "own.py"], 2, "ID must be one of mine.false, mine.true, mine.broken; got mine.none"),
        (["nonsense"], 2, "claim must be an id that --list shows; got 'nonsense'"),
        (["krd.lemma1"], 2, "krd.lemma1 is recorded as proved"),
        ([], 2, "ID must be the id of a refuted claim"),
        (["capacity.thm7.step", "--format", "word"], 2, "--format must be one of python, rocq, latex, json"),
        (["capacity.thm7.step", "--format", "json", "--inline"], 2, "--inline is of --format python"),
        (["capacity.thm7.step", "--all", "folder"], 2, "leave out ID"),
        (["capacity.thm7.step", "--instance", "holds.json"], 2, "does not violate capacity.thm7.step"),
        (["capacity.thm7.step", "--instance", "outside.json"], 2, '"y" must be number in [0, 1]'),
        (["krd.prop3", "--format", "rocq"], 2, "it needs matrix_power"),
    ],
)
def test_certificates_that_do_not_exist(krdtheory_, tmp_path, monkeypatch, arguments, status, message):
    monkeypatch.chdir(tmp_path)
    _registry(monkeypatch, *REGISTRY)
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "holds.json").write_text('{"x": "0", "y": "0"}')
    (tmp_path / "outside.json").write_text('{"x": "0", "y": "2"}')
    found = krdtheory_("certificate", *arguments)
    assert (found[0], found[1]) == (status, "") and message in found[2]
