"""What CONTRIBUTING.md tells to do names files, tests and names that are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def missing(text):
    """Paths in backquotes, with or without a test, and modules, that do not exist."""
    out = []
    for quoted in re.findall(r"`([^`\n]+)`", text):
        path, _, test = quoted.partition("::")
        if re.fullmatch(r"[\w/]+\.(py|md)", path) and "/" in path:
            there = (ROOT / path).is_file() and test in (ROOT / path).read_text(encoding="utf-8")
        elif re.fullmatch(r"(krdtheory|verification)(\.\w+)+", quoted):
            file = ROOT / quoted.replace(".", "/")
            there = file.is_dir() or file.with_suffix(".py").is_file()
        else:
            continue
        if not there:
            out.append(quoted)
    return out


def test_every_place_is_there():
    assert missing(TEXT) == []
    assert len(re.findall(r"`(?:krdtheory|tests|verification|benchmarks)[./][\w./:]+`", TEXT)) > 12


@pytest.mark.parametrize(
    "text", ["`tests/test_nothing.py`", "`krdtheory.audit.nothing`", "`tests/test_cli.py::nothing`"]
)
def test_a_place_that_is_not_there_is_noticed(text):
    assert missing(text)
