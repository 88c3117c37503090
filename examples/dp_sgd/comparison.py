"""Audits of a correct and of a faulty training run with one library, side by side."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import training
from experiments import accounted
from rich.console import Console
from rich.table import Table

from krdtheory.audit import AuditResult, audit_one_run

OneRun = Callable[[training.Recipe, int, int, bool], tuple[Any, Any, training.Run]]


def audited(one_run: OneRun, m: int, seed: int, faulty: bool = False) -> tuple[AuditResult, float]:
    """Return the audit of one run at the epsilon of dp_accounting, and the accuracy of the model."""
    recipe = training.Recipe(sigma=1.5)
    scores, included, run = one_run(recipe, m, seed, faulty)
    return audit_one_run(scores, included, accounted(recipe), rng=seed), run.accuracy


def main(one_run: OneRun, library: str, fault: str, description: str | None) -> int:
    """Run the command of one library: print a table of both runs."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--canaries", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    table = Table(title=f"{library}, {options.canaries} canaries", title_justify="left", box=None, pad_edge=False)
    for name in ("run", "accuracy", "epsilon claimed", "epsilon at least", "p-value", "rejected"):
        table.add_column(name, justify="left" if name == "run" else "right")
    for name, faulty in (("right", False), (fault, True)):
        result, accuracy = audited(one_run, options.canaries, options.seed, faulty)
        claimed = f"{result.notion.epsilon:.2f}"  # type: ignore[attr-defined]
        found = (f"{accuracy:.3f}", claimed, f"{result.epsilon_lower:.2f}", f"{result.p_value:.2g}")
        table.add_row(name, *found, "yes" if result.rejected else "no")
    Console(width=100).print(table)
    return 0
