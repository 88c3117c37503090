"""Audits of DP-SGD on digits, with correct code and with five bugs, compared with the accountant.

    python examples/dp_sgd/experiments.py [--canaries 1000] [--sigma 1.5] [--seed 0]

Each row is one training run with canaries (white-box unless stated otherwise), audited at the accounted epsilon; the
last row is many small runs with one canary, for `krdtheory.audit.audit`. It takes half a minute on one core.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))
import training

from krdtheory.audit import AuditResult, audit, audit_one_run
from krdtheory.privacy.notions import ApproximateDP


def accounted(recipe: training.Recipe) -> ApproximateDP:
    """Return the guarantee of a recipe by dp_accounting, as recorded by `accounting.py`."""
    rows = json.loads((Path(__file__).parent / "accounted.json").read_text())["rows"]
    for row in rows:
        if (row["rate"], row["steps"], row["sigma"]) == (recipe.rate, recipe.steps, recipe.sigma):
            return ApproximateDP(epsilon=row["epsilon"], delta=row["delta"])
    raise ValueError(
        f"accounted.json must have a row for rate = {recipe.rate}, steps = {recipe.steps}, sigma = {recipe.sigma}"
    )


def audited(recipe: training.Recipe, m: int, seed: int, box: str = "white") -> tuple[AuditResult, float, float]:
    """Return the audit of one run, its accuracy and its time in seconds."""
    started = time.perf_counter()
    scores, included, run = training.one_run(recipe, m, seed, box)
    result = audit_one_run(scores, included, accounted(recipe), rng=seed)
    return result, run.accuracy, time.perf_counter() - started


def many_runs(recipe: training.Recipe, runs: int, seed: int) -> AuditResult:
    """Audit many runs, half of them with the one canary; each run gives one output."""
    rng = np.random.default_rng(seed)
    x, y = training.digits()
    x, y = x[:200], y[:200]
    scores: dict[bool, list[float]] = {False: [], True: []}
    for k in range(runs):
        run = training.train(x, y, recipe, rng, 1, np.array([k % 2 == 0]))
        scores[k % 2 == 0].append(float(training.white_box(run, recipe)[0]))
    return audit(np.array(scores[True]), np.array(scores[False]), accounted(recipe), rng=seed)


CASES = {
    "right": ("", {}, "white"),
    "right, a small network": ("", {"hidden": 32}, "white"),
    "right, black box": ("", {}, "black"),
    "noise not scaled by the clipping norm": ("noise not scaled by the clipping norm", {"clip": 8.0}, "white"),
    "clipped by batch": ("clipped by batch", {}, "white"),
    "noise reused": ("noise reused", {}, "white"),
    "wrong sampling rate": ("wrong sampling rate", {}, "white"),
    "shuffled": ("shuffled", {}, "white"),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--canaries", type=int, default=1000)
    parser.add_argument("--sigma", type=float, default=1.5)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    recipe = training.Recipe(sigma=options.sigma)
    claim = accounted(recipe)
    title = (
        f"DP-SGD on digits, accounted epsilon = {claim.epsilon} at delta = {claim.delta:g}, {options.canaries} canaries"
    )
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for name in ("run", "accuracy", "AUROC", "epsilon at least", "p-value", "rejected", "seconds"):
        table.add_column(name, justify="left" if name == "run" else "right")
    for name, (fault, changed, box) in CASES.items():
        result, accuracy, seconds = audited(
            replace(recipe, fault=fault, **changed), options.canaries, options.seed, box
        )
        found = [f"{result.membership['AUROC']['value']:.3f}", f"{result.epsilon_lower:.2f}", f"{result.p_value:.2g}"]  # type: ignore[attr-defined]
        table.add_row(name, f"{accuracy:.3f}", *found, "yes" if result.rejected else "no", f"{seconds:.1f}")
    started = time.perf_counter()
    result = many_runs(recipe, 400, options.seed)
    found = [f"{result.epsilon_lower:.2f}", f"{result.p_value:.2g}", "yes" if result.rejected else "no"]
    table.add_row("right, 400 small runs", "", "", *found, f"{time.perf_counter() - started:.1f}")
    Console(width=120).print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
