"""What the search refutes and what it misses: `python benchmarks/search_power.py [--seeds N] [--only WORD]`.

The search runs on every conjecture of `benchmarks/conjectures` at its default budget, with seeds 0, 1, ... There are
two marks: 95% of the pairs of a false statement and a seed are refuted, and no true statement ever is. Every refutation
of a false statement is checked: the instance must be of the statement's kinds, meet its hypothesis, and violate it, by
an evaluation that shares no code with the search. The exit status is 1 if a mark is missed, a refutation does not hold,
or a statement could not be run.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any

import conjectures.false
import conjectures.true  # noqa: F401
from conjectures import oracle
from conjectures.statements import FALSE, TRUE, Statement
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

MARK = 0.95
REFUTED, ERROR = "refuted", "error"


@dataclass(frozen=True)
class Trial:
    """One search on a statement. `fault` says why a refutation does not hold, or what went wrong."""

    id: str
    seed: int
    verdict: str
    seconds: float
    fault: str = ""


@dataclass
class Row:
    """The trials of one statement."""

    statement: Statement
    trials: list[Trial] = field(default_factory=list)

    @property
    def refuted(self) -> int:
        """The number of refutations that hold; for a true statement none does, and all are counted."""
        return sum(t.verdict == REFUTED and not (t.fault and self.false) for t in self.trials)

    @property
    def false(self) -> bool:
        """Whether the statement is one of the false ones."""
        return self.statement.id in FALSE

    @property
    def faults(self) -> list[str]:
        """What went wrong, without repetitions."""
        return list(dict.fromkeys(t.fault for t in self.trials if t.fault))

    @property
    def seconds(self) -> float:
        """The mean time of a trial."""
        return sum(t.seconds for t in self.trials) / len(self.trials)

    @property
    def others(self) -> str:
        """The verdicts other than the expected one, with their counts."""
        hoped = (REFUTED,) if self.false else ("supported",)
        count = Counter(t.verdict for t in self.trials if t.verdict not in hoped)
        return ", ".join(f"{verdict} {n}" for verdict, n in sorted(count.items()))


def trial(id: str, seed: int) -> Trial:
    """Run the search on a statement, and check the result."""
    from verification.search import check

    statement = {**FALSE, **TRUE}[id]
    start = time.perf_counter()
    if statement.claim is None:
        return Trial(id, seed, ERROR, 0.0, f"not declared: {statement.trouble}")
    try:
        outcome = check(statement.claim, rng=seed)
    except Exception as error:  # the other statements still run
        return Trial(id, seed, ERROR, time.perf_counter() - start, f"{type(error).__name__}: {error}")
    seconds, verdict = time.perf_counter() - start, str(outcome.verdict)
    if verdict == ERROR:
        return Trial(id, seed, verdict, seconds, str(outcome.reason))
    if verdict != REFUTED:
        return Trial(id, seed, verdict, seconds)
    assert outcome.counterexample is not None
    return Trial(id, seed, verdict, seconds, objection(statement, outcome.counterexample.inputs))


def objection(statement: Statement, shown: Mapping[str, Any]) -> str:
    """Return why an instance does not refute a statement, by our own evaluation; an empty string if it does."""
    if statement.evaluate is None:
        return f"it is true: {statement.why}"
    assert statement.claim is not None
    try:
        for name, kind in statement.claim.given.items():
            wrong = oracle.outside(kind, oracle.read(shown[name]))
            if wrong:
                return f"{name} is not of its kind: {wrong}"
        pairs = statement.evaluate(**{name: oracle.read(value) for name, value in shown.items()})
    except Exception as error:  # an instance that cannot be evaluated has not been checked
        return f"not evaluated: {type(error).__name__}: {error}"
    if pairs is None:
        return "the hypothesis does not hold"
    return "" if oracle.worst(pairs, statement.relation) else "no violation by our own evaluation"


def run(statements: Sequence[Statement], seeds: Iterable[int], executor: Executor, console: Console) -> list[Row]:
    """Run all trials, and return them by statement."""
    rows = {s.id: Row(s) for s in statements}
    tasks = [executor.submit(trial, s.id, seed) for seed in seeds for s in statements]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("trials", total=len(tasks))
        for done in as_completed(tasks):
            one = done.result()
            rows[one.id].trials.append(one)
            progress.update(bar, advance=1, description=one.id.removeprefix("own.conjecture."))
    return list(rows.values())


def table(title: str, *columns: tuple[str, str]) -> Table:
    """Return an empty table with columns given by name and alignment."""
    made = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name, justify in columns:
        made.add_column(name, justify=justify)  # type: ignore[arg-type]
    return made


def report(rows: Sequence[Row], out: Console) -> int:
    """Print the tables and the totals, and return the exit status: 0 if both marks are met and nothing went wrong."""
    false, true = ([r for r in rows if r.false is kind] for kind in (True, False))
    right = (("refuted", "right"), ("seconds", "right"), ("other verdicts", "left"))
    if false:
        shown = table("False statements", ("statement", "left"), ("fails in", "left"), *right)
        for r in false:
            count = f"{r.refuted}/{len(r.trials)}"
            shown.add_row(_name(r), r.statement.group, count, f"{r.seconds:.1f}", r.others)
        out.print(shown)
    if true:
        shown = table("True statements", ("statement", "left"), ("tight", "left"), *right)
        for r in true:
            tight, count = "tight" if r.statement.tight else "", f"{r.refuted}/{len(r.trials)}"
            shown.add_row(_name(r), tight, count, f"{r.seconds:.1f}", r.others)
        out.print(shown)
    groups = {r.statement.group: [s for s in false if s.statement.group == r.statement.group] for r in false}
    if groups:
        shown = table("By where they fail", ("fails in", "left"), ("refuted", "right"))
        for group, members in groups.items():
            shown.add_row(group, f"{_share(members):.0%}")
        out.print(shown)
    wrong = [(r, fault) for r in rows for fault in r.faults]
    if wrong:
        shown = table("What went wrong", ("statement", "left"), ("", "left"))
        for r, fault in wrong:
            shown.add_row(_name(r), escape(fault if len(fault) <= 200 else f"{fault[:199]}…"))
        out.print(shown)
    good = not wrong
    if false:
        good &= _share(false) >= MARK
        pairs = sum(len(r.trials) for r in false)
        out.print(
            f"{sum(r.refuted for r in false)} of {pairs} pairs of a false statement and a seed refuted and checked: "
            f"{_share(false):.1%} (mark: {MARK:.0%})",
            highlight=False,
        )
    if true:
        struck = [r for r in true if r.refuted]
        good &= not struck
        out.print(f"{len(struck)} of {len(true)} true statements refuted (mark: 0)", highlight=False)
    return 0 if good else 1


def _name(row: Row) -> str:
    return row.statement.id.removeprefix("own.conjecture.")


def _share(rows: Sequence[Row]) -> float:
    """Return the share of pairs of a statement and a seed that are refuted."""
    return sum(r.refuted for r in rows) / sum(len(r.trials) for r in rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10, help="how many seeds, from 0 on (10)")
    parser.add_argument("--only", action="append", default=[], help="statements with this in their id; may be repeated")
    parser.add_argument("--workers", type=int, default=2, help="processes (2)")
    given = parser.parse_args(arguments)
    statements = [*FALSE.values(), *TRUE.values()]
    chosen = [s for s in statements if not given.only or any(word in s.id for word in given.only)]
    if given.seeds < 1 or given.workers < 1 or not chosen:
        parser.error("--seeds and --workers must be at least 1, and --only be part of an id")
    with ProcessPoolExecutor(given.workers) as executor:
        rows = run(chosen, range(given.seeds), executor, Console(stderr=True))
    return report(rows, Console(width=140))


if __name__ == "__main__":
    sys.exit(main())
