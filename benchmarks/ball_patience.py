"""How long balls take for conversions and composition at extreme valid inputs.

    python benchmarks/ball_patience.py [--inputs 200] [--digits 50] [--seconds 2] [--only WORD]

Each function of `krdtheory.ball` is given the inputs of the sweep (`extremes/functions.py`) exactly, without rounding.
It must return a value, or raise an error that explains itself, within the given time. The exit status is 1 if one does
not.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import numpy as np
from extremes.functions import entries
from extremes.properties import Entry, Late, in_time
from rich.console import Console
from rich.progress import track
from rich.table import Table

from krdtheory.arithmetic import PrecisionError
from krdtheory.arithmetic.ball import UndecidedError


def seconds_of(entry: Entry, seed: int, digits: int, limit: float) -> tuple[float, str]:
    """Return CPU seconds, and the ending: "answer", "refusal" or "late"."""
    arguments = entry.source(np.random.default_rng([seed, *entry.name.encode()]))
    start = time.process_time()
    try:
        with in_time(limit):
            entry.oracles["ball"](**arguments, digits=digits)
        how = "answer"
    except (ValueError, UndecidedError, PrecisionError):
        how = "refusal"
    except Late:
        how = "late"
    return time.process_time() - start, how


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=200, help="of each function")
    parser.add_argument("--digits", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=2.0, help="of CPU time, for one value")
    parser.add_argument("--only", default="", help="functions whose name holds this")
    given = parser.parse_args(arguments)
    chosen = [e for e in entries() if e.name.startswith(("conversions.", "composition.")) and "ball" in e.oracles]
    table = Table(box=None, pad_edge=False)
    table.add_column("function")
    for name in ("inputs", "refusals", "median (s)", "slowest (s)", "late"):
        table.add_column(name, justify="right")
    late: list[tuple[str, int]] = []
    for entry in track([e for e in chosen if given.only in e.name], console=Console(stderr=True)):
        found = [seconds_of(entry, seed, given.digits, given.seconds) for seed in range(given.inputs)]
        times, ends = zip(*found, strict=True)
        late += [(entry.name, seed) for seed, how in enumerate(ends) if how == "late"]
        counts = (len(found), ends.count("refusal"), f"{np.median(times):.4f}", f"{max(times):.2f}", ends.count("late"))
        table.add_row(entry.name, *map(str, counts))
    out = Console(width=110)
    out.print(table)
    for name, seed in late:
        out.print(f"{name}, input {seed}: no answer in {given.seconds:g} s", highlight=False)
    return int(bool(late))


if __name__ == "__main__":
    sys.exit(main())
