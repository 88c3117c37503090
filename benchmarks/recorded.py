"""Writing tables to benchmarks/results, and recording the command, commit and machine of each in sources.json."""

from __future__ import annotations

import csv
import json
import platform
import shlex
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import scipy

RESULTS = Path(__file__).parent / "results"
SOURCES = RESULTS / "sources.json"


def machine() -> dict[str, str]:
    """Return the commit, machine and versions of this measurement."""
    model = platform.processor()
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    commit = _git("rev-parse", "--short", "HEAD")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":!results")  # code, not measurements
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    return {"commit": commit + "-dirty" * bool(changed), "machine": model, "system": platform.platform(), **versions}


def _git(*arguments: str) -> str:
    """Return what git says in this directory, "" where there is no repository."""
    told = subprocess.run(["git", *arguments], cwd=Path(__file__).parent, capture_output=True, text=True)
    return told.stdout.strip()


def tell(name: str) -> None:
    """Record that the running command has written results/`name`."""
    sources = json.loads(SOURCES.read_text(encoding="utf-8")) if SOURCES.exists() else {}
    script = Path(sys.argv[0]).name
    sources[name] = {"command": shlex.join(["python", f"benchmarks/{script}", *sys.argv[1:]]), **machine()}
    SOURCES.write_text(json.dumps(dict(sorted(sources.items())), indent=1) + "\n", encoding="utf-8")


def write(name: str, rows: Iterable[dict[str, Any]], columns: Iterable[str] = ()) -> None:
    """Write results/`name`, with the columns of all rows unless `columns` are given."""
    rows = list(rows)
    names = list(columns) or list(dict.fromkeys(key for row in rows for key in row))
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / name).open("w", newline="") as file:
        writer = csv.DictWriter(file, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    tell(name)
