"""Faults planted one by one in the code on which verdicts rely: which test notices each of them?

    python benchmarks/planted_faults.py [--file ball.py] [--only "1 / e"] [--list]

The repository is copied to a temporary directory; there one text is replaced by another, the tests that concern the
file run until one fails, and the text is restored. A fault that no test notices must have an explanation in the list,
which says why it is harmless; if a fault with an explanation is noticed, the explanation is false.

Exit status 0 if every fault is noticed or explained, 1 if one is not, 2 if the run is not conclusive: a text that does
not occur exactly once, a fault that is not valid Python, or tests that fail without any fault.

The lists are in the package `faults`. To add a fault, add a line to the list of its file; to add a file, add a list to
`FAULTS` in one of its modules, and the tests that must notice, as arguments of pytest, to `TESTS`.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path

from faults import FAULTS, TESTS
from faults.fault import Fault
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

ROOT = Path(__file__).parents[1]
UNNOTICED = "NOT NOTICED"
LEFT_OUT = shutil.ignore_patterns(".git", "__pycache__", ".*_cache", ".hypothesis", ".venv", "results", "notebooks")


@dataclass(frozen=True)
class Result:
    """The outcome for a fault: the test that failed first, or a time limit, or `UNNOTICED`."""

    fault: Fault
    noticed_by: str
    seconds: float

    @property
    def unnoticed(self) -> bool:
        return self.noticed_by == UNNOTICED

    @property
    def ok(self) -> bool:
        """Whether the fault is noticed, or else explained, but not both."""
        return self.unnoticed == bool(self.fault.explanation)


class PlantingError(Exception):
    """A fault that cannot be planted, or tests whose outcome says nothing about it."""


@cache
def _statements(text: str) -> list[int]:
    """Return where the statements of a module end."""
    lines = list(accumulate((len(line) for line in text.splitlines(keepends=True)), initial=0))
    return [lines[node.end_lineno or 0] for node in ast.parse(text).body]


def planted(text: str, fault: Fault) -> str:
    """Return the text of a file with the fault in it.

    Raises
    ------
    PlantingError
        The old text does not occur exactly once, or the new text is not Python or is unchanged.
    """
    count = text.count(fault.old)
    if count != 1:
        raise PlantingError(f"{fault.file}: the text of {fault.meaning!r} occurs {count} times: {fault.old!r}")
    faulty = text.replace(fault.old, fault.new)
    if faulty == text:
        raise PlantingError(f"{fault.file}: {fault.meaning!r} changes nothing")
    before = text.index(fault.old)
    ends = _statements(text)
    first = max((end for end in ends if end <= before), default=0)
    last = min((end for end in ends if end >= before + len(fault.old)), default=len(text))
    try:  # only the touched statements are parsed, since whole files take long
        ast.parse(faulty[first : last + len(faulty) - len(text)], fault.file)
    except SyntaxError as error:
        raise PlantingError(f"{fault.file}: {fault.meaning!r} is no Python: {error}") from error
    return faulty


def first_failure(root: Path, tests: Sequence[str], limit: float) -> str:
    """Return the first of the tests that fails in a repository, or `UNNOTICED`.

    Raises
    ------
    PlantingError
        The tests did not run, for example because nothing can be imported any more.
    """
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    plain = {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    options = ["-x", "-q", "-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib", "--tb=line"]
    environment = {**os.environ, **threads, **plain, "COLUMNS": "300"}
    command = [sys.executable, "-m", "pytest", *options, *tests]
    try:
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return f"no end within {limit:.0f} s"
    if done.returncode == 0:
        return UNNOTICED
    found = re.search(r"^(?:FAILED|ERROR) (\S+::.*?)(?: - .*)?$", done.stdout, re.MULTILINE)
    if done.returncode != 1 or found is None:
        raise PlantingError(f"pytest ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return found[1]


def run(
    faults: Sequence[Fault], tests: Mapping[str, Sequence[str]], *, root: Path = ROOT, console: Console | None = None
) -> Iterable[Result]:
    """Plant each of the faults in a copy of the repository, and run the tests of its file.

    Raises
    ------
    PlantingError
        A fault cannot be planted, or the tests fail without it.
    """
    for fault in faults:
        planted((root / fault.file).read_text(), fault)
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory) / "repository"
        shutil.copytree(root, copy, ignore=LEFT_OUT)
        limits = {}
        files = dict.fromkeys(fault.file for fault in faults)
        progress = console or Console(stderr=True)
        for file in track(files, "tests without a fault", console=progress, transient=True):
            start = time.perf_counter()
            failure = first_failure(copy, tests[file], 3600)
            if failure != UNNOTICED:
                raise PlantingError(f"without any fault {failure} fails")
            limits[file] = 60 + 5 * (time.perf_counter() - start)
        for fault in track(faults, "planting", console=progress, transient=True):
            path, start = copy / fault.file, time.perf_counter()
            text = path.read_text()
            path.write_text(planted(text, fault))
            try:
                failure = first_failure(copy, tests[fault.file], limits[fault.file])
            finally:
                path.write_text(text)
            yield Result(fault, failure, time.perf_counter() - start)


def report(results: Iterable[Result], out: Console) -> int:
    """Print the table; return 0 if every fault is noticed or explained, else 1."""
    table = Table(title="Planted faults", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("file", "fault", "noticed by", "s"):
        table.add_column(column, overflow="fold")
    results = list(results)
    for result in results:
        fault, name = result.fault, result.noticed_by.split("::", 1)[-1]
        if fault.explanation:
            name = f"explained: {fault.explanation}" if result.ok else f"{name}, against: {fault.explanation}"
        table.add_row(Path(fault.file).name, escape(fault.meaning), escape(name), f"{result.seconds:.0f}")
    out.print(table)
    noticed = sum(not r.unnoticed for r in results)
    bad = [r for r in results if not r.ok]
    out.print(f"{len(results)} faults: {noticed} noticed, {len(results) - noticed} not; {len(bad)} to be looked at")
    for result in bad:
        out.print(escape(f"{result.fault.file}: {result.fault.meaning}: {result.noticed_by}"))
    return 1 if bad else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", default="", help="only faults of files whose path ends so")
    parser.add_argument("--only", default="", help="only faults whose meaning contains this")
    parser.add_argument("--list", action="store_true", help="list them, and plant none")
    options = parser.parse_args(arguments)
    faults = [f for f in FAULTS if f.file.endswith(options.file) and options.only in f.meaning]
    out = Console(width=150)
    if options.list:
        for fault in faults:
            out.print(escape(f"{fault.file}: {fault.meaning}"), highlight=False)
        return 0
    try:
        return report(run(faults, TESTS), out)
    except PlantingError as error:
        Console(stderr=True).print(escape(str(error)), highlight=False)
        return 2


if __name__ == "__main__":
    sys.exit(main())
