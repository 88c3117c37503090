"""The examples in the README and in the pages of the site run and print what they show."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import verification.claims  # noqa: F401
from krdtheory import cli
from verification.claim import PAPERS, REGISTRY, Nature

BUILT_IN = set(REGISTRY)

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = README + "".join(p.read_text(encoding="utf-8") for p in sorted(ROOT.glob("docs/**/*.md")))
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGES, re.DOTALL | re.MULTILINE)
COMMANDS = [text for kind, text in BLOCKS if kind == "console"]
WHOLE = "$ krdtheory verify\n"
SHORT = [text for text in COMMANDS if not text.startswith(WHOLE)]
PRINTED = [c for c in REGISTRY.values() if c.nature == Nature.PRINTED and c.id in BUILT_IN]


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch):
    monkeypatch.chdir(ROOT)


def words(text: str) -> list[str]:
    """Return the words without rules and spacing, which depend on the width of the terminal."""
    return re.sub("─+", "", text).split()


@pytest.mark.slow
def test_python_examples():
    source = "\n".join(text for kind, text in BLOCKS if kind == "pycon")
    test = doctest.DocTestParser().get_doctest(source, {}, "README", "README.md", 0)
    assert len(test.examples) >= 12
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


def test_the_counts_are_those_of_the_recorded_verdicts():
    """`krdtheory verify` takes minutes, and exits with 1 if a verdict is not the recorded one."""
    (block,) = (text for text in COMMANDS if text.startswith(WHOLE))
    left = {name: sum(c.recorded == name for c in PRINTED) for name in ("proved", "supported", "refuted")}
    shown = words(block.removeprefix(WHOLE))
    assert shown[shown.index("all") + 1 :][:4] == [str(n) for n in (len(PRINTED), *left.values())]
    for paper, name in PAPERS.items():
        of_paper = [c for c in PRINTED if c.paper == paper]
        if of_paper:
            at = " ".join(shown).split(name + " ", 1)[1].split()
            assert at[:4] == [str(n) for n in (len(of_paper), *(sum(c.recorded == v for c in of_paper) for v in left))]


@pytest.mark.slow
@pytest.mark.parametrize("block", SHORT, ids=[b.split("\n")[0][2:40] for b in SHORT])
def test_commands(block, monkeypatch, capsys):
    command, shown = block.split("\n", 1)
    if not command.startswith("$ krdtheory"):
        run = subprocess.run(shlex.split(command.removeprefix("$ ")), capture_output=True, text=True, check=True)
        assert words(run.stdout) == words(shown)
        return
    monkeypatch.setattr(sys, "argv", shlex.split(command.removeprefix("$ ")))
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == (1 if command.startswith("$ krdtheory check") else 0)  # one of the conjectures is false
    assert words(capsys.readouterr().out) == words(shown)


def test_the_two_commands_are_those_of_ci():
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    start = re.search(r"^## Start$.*?^```\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)[1]
    for line in start.strip().split("\n"):
        assert line in ci.replace(" --quiet", "").replace(" --durations=10", "")


def test_files_that_are_named_exist():
    names = re.findall(r"`((?:examples|notebooks|benchmarks|docs|certificates|\.ci)/[\w./]+)`", PAGES)
    names += re.findall(r"(?:python |\()((?:benchmarks|docs)/[\w/]+\.\w+)", PAGES)
    assert len(names) >= 15
    assert [n for n in names if not os.path.exists(n)] == []
