"""Output and exit of commands: complete files or none, and one status for each kind of exit."""

import json
import os
import resource
import signal
import sys
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import verification.campaign
from krdtheory import cli
from krdtheory.privacy import commands
from krdtheory.terminal import NARROW, Table, check_writable, cleaned, console, progress, write_json, write_text
from verification import report
from verification.claim import REGISTRY, select
from verification.search import check


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Return a function that runs a command next to x.csv and y.csv, and returns its status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    for name, shift in ("x.csv", 2), ("y.csv", 0):
        np.savetxt(name, shift + rng.laplace(size=60))
    Path("canaries.csv").write_text("score,in\n" + "".join(f"{k % 7},{k % 2}\n" for k in range(60)))

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["krdtheory", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        return caught.value.code, *capsys.readouterr()

    return command


MINE = """
from verification import claim
from verification.instances import Distributions

claim("mine.one", label="Theorem 3 [/red] \\x1b[31m", statement="p >= 0 \\u2200 p", given={"p": Distributions(1)})(
    lambda k, p: (0 * p[0][..., 0], p[0][..., 0])
)
"""
COMMANDS = [
    ("divergence", "x.csv", "y.csv"),
    ("audit", "x.csv", "y.csv", "--epsilon", 9),
    ("convert", "--mu", 1, "--delta", "1e-5"),
    ("compose", "--epsilon", 0.1, "--k", 3, "--total-delta", "1e-5"),
    ("verify", "--claim", "krd.cor2", "--budget", 20),
    ("examples",),
    ("certificate", "krd.def.dp"),
    ("audit-run", "canaries.csv", "--column", "score", "--included", "in", "--epsilon", 9),
]


# Files


def folder():
    return sorted(path.name for path in Path().iterdir())


@pytest.fixture
def here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def test_a_file_is_complete_or_unchanged(here):
    Path("f.json").write_text("old")
    Path("f.json.part").write_text("mine")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))  # a full disk
    try:
        with pytest.raises(OSError, match=r"f\.json"):
            write_text(Path("f.json"), "x" * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert Path("f.json").read_text() == "old"
    with pytest.raises(ValueError):
        write_json(Path("f.json"), {"x": float("nan")})
    assert Path("f.json").read_text() == "old"
    write_json(Path("f.json"), {"x": "é"})
    assert json.loads(Path("f.json").read_text()) == {"x": "é"}
    assert Path("f.json.part").read_text() == "mine"
    assert folder() == ["f.json", "f.json.part"]


def test_a_file_keeps_its_mode_and_a_link_its_target(here):
    os.mkdir("there")
    for target in ("there/old", "there/new"):
        os.symlink(target, Path(target).name)
    Path("there/old").write_text("")
    os.chmod("there/old", 0o640)
    for link in ("old", "new"):
        check_writable({"--json": Path(link)})
        write_text(Path(link), "∀")
        assert os.readlink(link) == f"there/{link}"
        assert Path("there", link).read_bytes() == "∀".encode()
    assert os.stat("there/old").st_mode & 0o777 == 0o640
    umask = os.umask(0o027)
    try:
        write_text(Path("made"), "")
    finally:
        os.umask(umask)
    assert os.stat("made").st_mode & 0o777 == 0o640
    write_text(Path("/dev/null"), "")
    assert not Path("/dev/null").is_file()
    assert folder() == ["made", "new", "old", "there"]


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--json", "--html"])
def test_input_files_are_not_overwritten(run, option):
    os.symlink("x.csv", "link.csv")
    os.link("y.csv", "other.csv")
    before = Path("x.csv").read_bytes(), Path("y.csv").read_bytes()
    for name in ("x.csv", "./x.csv", "link.csv", "other.csv", Path("y.csv").resolve()):
        status, out, err = run("audit", "x.csv", "y.csv", "--epsilon", 1, option, name)
        assert (status, out) == (2, "")
        assert f"{option} must not name a file that is read" in err
    Path("mine.py").write_text(MINE)
    assert run("check", "mine.py", option, "mine.py")[0] == 2
    del REGISTRY["mine.one"]
    assert run("check", "mine.py", option, "mine.json")[0] == 0
    assert (Path("x.csv").read_bytes(), Path("y.csv").read_bytes()) == before
    assert Path("mine.py").read_text() == MINE


def test_two_results_in_one_file(run):
    status, _, err = run("audit", "x.csv", "y.csv", "--epsilon", 1, "--json", "r", "--html", "./r")
    assert (status, "--json and --html must name two files" in err) == (2, True)


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="a folder in which nobody makes a file")
@pytest.mark.parametrize("option", ["--json", "--html"])
def test_an_unwritable_folder_is_an_error_at_the_start(run, option, monkeypatch):
    monkeypatch.setattr(verification.campaign, "check", lambda *_, **__: pytest.fail("the work has begun"))
    status, out, err = run("verify", "--claim", "krd.cor2", option, "/proc/out")
    assert (status, out) == (2, "")
    assert f"{option} must name a file that can be written" in err


def test_every_command_is_tested():
    tested = [command[0] for command in COMMANDS]
    assert sorted([*tested, "check"]) == sorted(cli.app.commands)  # check shares the code of verify


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_json_on_standard_output(run, command):
    status, out, err = run(*command, "--json", "-")
    alone = run(*command, "--json", "out.json")
    assert (status, err) == (alone[0], "")
    data, other = json.loads(out), json.loads(Path("out.json").read_text())
    for made in (data, other):
        for c in made.get("claims", ()):
            del c["evidence"]["seconds"]
    assert data == other
    assert not Path("-").exists()
    assert run("audit", "x.csv", "y.csv", "--epsilon", 1, "--html", "-")[0] == 2


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_quiet(run, command):
    """Nothing is printed except errors, and the files are written."""
    assert run(*command, "--quiet", "--json", "quiet.json") == (0, "", "")
    assert json.loads(Path("quiet.json").read_text())
    status, out, err = run(command[0], "-q", "--nothing")
    assert (status, out) == (2, "") and err


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--list", "--uncovered"])
def test_json_of_lists(run, option):
    status, out, err = run("verify", option, "--paper", "krd", "--json", "-")
    assert (status, err) == (0, "")
    (listed,) = [value for key, value in json.loads(out).items() if key != "version"]
    assert all(one["paper"] == "krd" for one in listed)
    shown = run("verify", option, "--paper", "krd")[1]
    assert option == "--uncovered" or all(one["id"] in shown for one in listed)
    assert len(listed) > 3
    assert run("verify", option, "--paper", "krd", "-q")[:2] == (0, "")


def test_json_of_an_instance(run):
    Path("mine.py").write_text(MINE)
    Path("mine.json").write_text('{"p": [["1/2", "1/2"]]}')
    status, out, err = run("check", "mine.py", "--instance", "mine.json", "--json", "-")
    found = json.loads(out)
    assert (status, err, found["applies"]) == (int(found["violated"]), "", True)
    assert found["inputs"] == {"p": [["1/2", "1/2"]]}
    assert run("check", "mine.py", "--instance", "mine.json", "--json", "mine.json")[0] == 2


def test_completion_for_the_shell(run, monkeypatch):
    monkeypatch.setenv("_KRDTHEORY_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "krdtheory con")
    monkeypatch.setenv("COMP_CWORD", "1")
    status, out, err = run()
    assert (status, out.split(), err) == (0, ["convert"], "")


def test_json_of_guarantees(run):
    run("convert", "--mu", 1, "--delta", "1e-5", "--json", "c.json")
    (row,) = json.loads(Path("c.json").read_text())["rows"]
    assert row["by"] == "optimal"
    assert row["value"] == pytest.approx(4.37717809568, abs=1e-11)
    run("convert", "--mu", 1, "--delta", "1e-5", "--digits", 30, "--json", "c.json")
    (row,) = json.loads(Path("c.json").read_text())["rows"]
    assert row["value"].startswith("4.377178095681224") and len(row["value"]) == 31
    run("compose", "--epsilon", 0.1, "--delta", 0.1, "--k", 100, "--total-delta", 0.1, "--json", "c.json")
    assert {row["value"] for row in json.loads(Path("c.json").read_text())["rows"]} == {"inf"}


# Exit


class Closed:
    """Standard output whose reader is gone; a class of its own because rich inspects the file."""

    encoding = "utf-8"

    def __init__(self):
        self.file = open(os.devnull, "w")  # noqa: SIM115

    def fileno(self):
        return self.file.fileno()

    def write(self, text):
        raise BrokenPipeError(32, "Broken pipe")

    def flush(self):
        raise BrokenPipeError(32, "Broken pipe")

    def isatty(self):
        return False


@pytest.mark.slow
@pytest.mark.parametrize("command", [*COMMANDS, ("verify", "--list"), ("--version",), ("--help",), ("audit", "-h")])
def test_a_closed_pipe_is_status_141(run, command, monkeypatch):
    closed = Closed()
    monkeypatch.setattr(sys, "stdout", closed)
    status, _, err = run(*command)
    closed.file.close()
    assert (status, err) == (141, "")


@pytest.mark.parametrize("error", [RuntimeError, ZeroDivisionError, KeyError, RecursionError, GeneratorExit])
def test_errors_of_the_program_are_status_3(run, error, monkeypatch):
    def failing(*_, **__):
        raise error("one\nand another \x1b[31m")

    monkeypatch.setattr(commands, "_to_dp", failing)
    status, out, err = run("convert", "--mu", 1, "--delta", 0.1)
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert error.__name__ in err and "\x1b" not in err
    monkeypatch.setenv("KRDTHEORY_DEBUG", "1")
    status, _, err = run("convert", "--mu", 1, "--delta", 0.1)
    assert (status, "in failing" in err) == (3, True)


@pytest.mark.parametrize(("number", "status"), [("SIGTERM", 143), ("SIGHUP", 129), ("SIGINT", 130)])
def test_signals_stop_a_command(run, number, status, monkeypatch):
    monkeypatch.setattr(commands, "_to_dp", lambda *_: os.kill(os.getpid(), getattr(signal, number)))
    usual = signal.default_int_handler if number == "SIGINT" else signal.SIG_DFL
    before = signal.signal(getattr(signal, number), usual)  # the process that runs the tests may ignore the signal
    try:
        assert run("convert", "--mu", 1, "--delta", 0.1)[0] == status
        assert signal.getsignal(getattr(signal, number)) == usual
    finally:
        signal.signal(getattr(signal, number), before)


@pytest.mark.parametrize(
    "end", ["exit(0)", "(_ for _ in ()).throw(BaseException)", "(_ for _ in ()).throw(GeneratorExit)"]
)
def test_a_claim_cannot_stop_the_program(run, end):
    Path("mine.py").write_text(MINE.replace("lambda k, p: (0", f"lambda k, p: {end} or (0"))
    status, out, _ = run("check", "mine.py", "--budget", 20)
    assert (status, "error: " in out) == (3, True)
    Path("mine.json").write_text('{"p": [["1/2", "1/2"]]}')
    del REGISTRY["mine.one"]
    assert run("check", "mine.py", "--instance", "mine.json")[0] == 3
    Path("mine.py").write_text(end)
    status, _, err = run("check", "mine.py")
    assert (status, "mine.py does not run: " in err) == (2, True)


# Output


def test_control_characters_are_not_printed(run, monkeypatch):
    """In names of files, columns and claims, in all output of all commands, with colour as in a terminal."""
    name = "x\x1b[31m\x9b2J\x07[bold]:smile:.csv"
    column = "c\x1b]0;title\x07[/red]"
    for file, old in (name, "x.csv"), ("other.csv", "y.csv"):
        Path(file).write_text(f"{column}\n" + Path(old).read_text())
    Path("mine\x1b[2J.py").write_text(MINE)
    for command in (
        ("divergence", name, "other.csv"),
        ("audit", name, "other.csv", "--epsilon", 1, "--column", column),
        ("audit", name, "missing\x1b[2J", "--epsilon", 1),
        ("divergence", name, "other.csv", "--column", column + "?"),
        ("check", "mine\x1b[2J.py"),
        ("check", "mine\x1b[2J.py", "--claim", column),
        (column,),
        ("verify", column),
        ("verify", f"--{column}"),
    ):
        REGISTRY.pop("mine.one", None)
        status, out, err = run(*command)
        assert status in (0, 1, 2)
        assert out + err == cleaned(out + err)
    assert cleaned("\x1b[0mé\tb\u202e\n") == "[0mé   b\n"


def test_progress_reads_no_markup():
    with progress() as bar:
        bar.update(bar.add_task("x"), description="Theorem 3 [/red]")
        out = Console(width=200)
        with out.capture() as shown:
            out.print(bar.get_renderable())
    assert "Theorem 3 [/red]" in shown.get()


@pytest.fixture(scope="module")
def records():
    return [report.record(check(c, budget=20)) for c in select(ids=["krd.cor2", "krd.lemma1"])]


@pytest.mark.slow
@pytest.mark.parametrize("width", [20, 33, 47, 79, 140])
def test_every_cell_is_shown_at_any_width(records, width):
    out = Console(width=width)
    with out.capture() as shown:
        for table in report.tables(records, narrow=width < report.WIDE):
            out.print(table)
        out.print(report.summary(records, width))
    text = shown.get()
    assert max(map(len, text.splitlines())) <= width
    flat = "".join(text.split())
    for r in records:
        assert r["id"] in flat and r["verdict"] in flat and r["nature"] in flat
        assert f"{float(r['evidence']['min_margin']):.2e}" in flat or "~0" in flat


def test_a_table_is_shown_if_it_fits(monkeypatch):
    def shown(width):
        monkeypatch.setenv("COLUMNS", str(width))
        out, table = console(), Table("verdict", "why", title="Title", pad_edge=False)
        table.add_row("supported", "because[/red] :smile:")
        with out.capture() as text:
            out.print(table)
        return [line.rstrip() for line in text.get().splitlines()]

    assert any("verdict" in line and "why" in line for line in shown(NARROW))
    assert any("verdict" in line and "why" in line for line in shown(30))
    assert shown(20) == ["Title", "supported", "  why: because[/red]", "  :smile:"]
    assert shown(1) == shown(20)
