"""The share of claims made false on purpose that the quick search refutes: `python benchmarks/mutants.py`.

It prints the survivors, and the tightened claims that are left out because they stay true, with the reasons.
"""

from __future__ import annotations

from collections import Counter

from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from verification.campaign import BUDGETS
from verification.claim import Verdict
from verification.mutants import EXPECTED_TRUE, SURVIVORS, mutants
from verification.search import check


def table(title: str, *columns: str) -> Table:
    made = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        made.add_column(column)
    return made


def main() -> None:
    out, found = Console(width=140), Counter[Verdict]()
    survivors = table("Survivors", "mutant of", "change", "verdict", "why")
    for mutant in track(mutants(), console=Console(stderr=True), transient=True):
        outcome = check(mutant.claim, budget=BUDGETS["quick"])
        found[outcome.verdict] += 1
        if outcome.verdict is not Verdict.REFUTED:
            why = SURVIVORS.get((mutant.origin, mutant.change), outcome.reason)
            survivors.add_row(mutant.origin, mutant.change, outcome.verdict, why)
    left_out = table("Tightened by 1% and still true", "claim", "why")
    for id, why in EXPECTED_TRUE.items():
        left_out.add_row(id, why)
    if survivors.row_count:
        out.print(survivors)
    out.print(left_out)
    out.print(f"{found[Verdict.REFUTED]} of {found.total()} mutants refuted", highlight=False)


if __name__ == "__main__":
    main()
