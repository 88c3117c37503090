"""Every public function at extreme valid inputs: `python benchmarks/sweep.py [--inputs N] [--seed S] [--workers W]`.

The functions are those of the library's own lists. Each gets the same number of inputs, from subnormal numbers to the
largest ones. A finding is a value that is NaN or -0.0, raises a warning, leaves its range, is not monotone where it
must be, or differs from that of ball arithmetic at inputs rounded by a few units in the last place
(`extremes/properties.py`). Slow functions get fewer inputs: blocks of 25 end after 10 seconds, and a value that takes
10 seconds is "no answer". The exit status is 1 if there is a finding, or a function without an entry.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from extremes.functions import covered, entries, public
from extremes.properties import PATIENCE, Entry, Finding, Outcome, examine
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

BLOCK = 25  # the inputs of one entry in one piece of work
BLOCK_SECONDS = 10.0  # the CPU time after which a block is cut short


@dataclass
class Row:
    """The outcomes of one function."""

    inputs: int = 0
    refused: int = 0
    compared: int = 0
    undecided: int = 0
    late: int = 0
    slowest: float = 0.0
    findings: list[Finding] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        self.inputs += 1
        self.refused += outcome.refused
        self.compared += outcome.compared
        self.undecided += outcome.undecided
        self.late += outcome.late
        self.slowest = max(self.slowest, outcome.slowest)
        self.findings += outcome.findings


def sweep(
    tested: Sequence[Entry],
    seeds: range,
    *,
    oracle_share: float = 1.0,
    patience: float = PATIENCE,
    seconds: float = math.inf,
) -> Iterator[Outcome]:
    """Yield the outcomes of every entry at the inputs of the seeds, until it has taken that many CPU seconds."""
    for entry in tested:
        start = time.process_time()
        for seed in seeds:
            if time.process_time() - start > seconds:
                break
            yield examine(entry, seed, oracle_share=oracle_share, patience=patience)


def _block(work: tuple[int, int, int, float]) -> list[Outcome]:
    which, start, end, share = work
    return list(sweep(entries()[which : which + 1], range(start, end), oracle_share=share, seconds=BLOCK_SECONDS))


def table(rows: dict[str, Row]) -> Table:
    out = Table(box=None, pad_edge=False)
    out.add_column("function")
    for name in ("inputs", "refused", "compared", "undecided", "no answer", "slowest (s)", "findings"):
        out.add_column(name, justify="right")
    for name, row in rows.items():
        numbers = (row.inputs, row.refused, row.compared, row.undecided, row.late)
        out.add_row(escape(name), *(f"{n:,}" for n in numbers), f"{row.slowest:.2f}", str(len(row.findings)))
    return out


def report(outcomes: Iterable[Outcome], missing: Iterable[str], out: Console, most: int = 5) -> int:
    """Print the table and the findings of each function, and return the exit status."""
    rows: dict[str, Row] = {}
    for outcome in outcomes:
        rows.setdefault(outcome.name, Row()).add(outcome)
    out.print(table(rows))
    for name, row in rows.items():
        kinds = Counter(f.what.split(":")[0].split(" ")[0] for f in row.findings)
        for finding in row.findings[:most]:
            out.print(f"\n{name}, seed {finding.seed}: {finding.what}\n  {finding.arguments}", markup=False)
        if len(row.findings) > most:
            out.print(f"\n{name}: {len(row.findings) - most} more; {dict(kinds)}", markup=False)
    for name in missing:
        out.print(f"\n{name}: no entry", markup=False)
    findings, inputs = (sum(n) for n in zip(*((len(r.findings), r.inputs) for r in rows.values()), strict=True))
    out.print(f"\n{inputs:,} inputs to {len(rows)} functions: {findings} findings")
    return int(bool(findings or list(missing)))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=100_000, help="of all functions together")
    parser.add_argument("--seed", type=int, default=0, help="of the first input of each function")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", default="", help="functions whose name holds this")
    parser.add_argument("--oracles", type=float, default=1.0, help="share of the inputs that are compared with balls")
    given = parser.parse_args(arguments)
    console = Console(stderr=True)
    everything = entries()
    missing = sorted(public() - covered(everything))
    chosen = [i for i, entry in enumerate(everything) if given.only in entry.name]
    each = -(-given.inputs // max(len(chosen), 1))
    ends = [(start, min(start + BLOCK, given.seed + each)) for start in range(given.seed, given.seed + each, BLOCK)]
    work = [(i, start, end, given.oracles) for i in chosen for start, end in ends]
    outcomes: list[Outcome] = []
    stopped = False
    start = time.perf_counter()
    with Progress(console=console, transient=True) as progress, ProcessPoolExecutor(given.workers) as pool:
        task = progress.add_task("inputs", total=each * len(chosen))
        try:
            for (which, *_), block in zip(work, pool.map(_block, work), strict=True):
                if not outcomes or outcomes[-1].name != everything[which].name:
                    progress.console.print(f"{time.perf_counter() - start:5.0f} s  {everything[which].name}")
                for finding in (finding for outcome in block for finding in outcome.findings):
                    progress.console.print(f"  seed {finding.seed}: {finding.what}", markup=False)
                outcomes += block
                progress.advance(task, BLOCK)
        except KeyboardInterrupt:  # what is finished is reported
            pool.shutdown(wait=False, cancel_futures=True)
            if not outcomes:
                raise
            stopped = True
    out = Console(width=max(console.width, 120))
    status = report(outcomes, missing, out)
    out.print(f"{time.perf_counter() - start:.0f} seconds{', stopped before its end' if stopped else ''}")
    return status or int(stopped)


if __name__ == "__main__":
    sys.exit(main())
