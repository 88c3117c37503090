"""Audits that stop as soon as they reject: how many outputs they need, and how often they are wrong.

    python benchmarks/audit_sequential.py [--runs 101] [--level-runs 2000] [--level-samples 500]

The first table has faults, and what tests of a fixed number of samples need; the second has mechanisms that are exactly
as private as they claim, monitored after every pair of outputs. Writes benchmarks/results/audit_sequential.csv. The
second table takes 10 minutes on one core.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np
import recorded
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy.stats import binom

from krdtheory.audit import audit_mechanism
from krdtheory.privacy.mechanisms import DiscreteLaplace, Gaussian, Laplace, RandomizedResponse
from krdtheory.privacy.notions import ApproximateDP, PureDP

LEVEL = 0.05
NOISE = Laplace(scale=1, sensitivity=1)
GAUSSIAN = Gaussian.calibrated(epsilon=1, delta=0.01, sensitivity=1)


def reused(data: float, size: int, rng: np.random.Generator) -> Any:
    """Return outputs whose noise comes from one seed, so that it is always the same."""
    return np.full(size, data + np.random.default_rng(0).laplace())


FAULTS = {  # mechanism, claim, mark, what the oracle's joint exact test needs
    "Laplace, epsilon = 1, claims 0.5": (NOISE, PureDP(epsilon=0.5), 350, 137),
    "Laplace, epsilon = 1, claims 0.8": (NOISE, PureDP(epsilon=0.8), None, 1070),
    "Laplace, epsilon = 1, claims 0.9": (NOISE, PureDP(epsilon=0.9), None, 4786),
    "Gaussian, (1, 0.01), claims (0.5, 0.01)": (GAUSSIAN, ApproximateDP(epsilon=0.5, delta=0.01), None, 1321),
    "noise halved, claims 1": (Laplace(scale=0.5, sensitivity=1), PureDP(epsilon=1), 100, None),
    "seed reused, claims 1": (reused, PureDP(epsilon=1), 100, None),
}
EXACT = {
    "Laplace": (NOISE, PureDP(epsilon=1)),
    "Gaussian": (GAUSSIAN, ApproximateDP(epsilon=1, delta=0.01)),
    "randomised response": (RandomizedResponse(epsilon=1), PureDP(epsilon=1)),
    "geometric": (DiscreteLaplace(scale=1, sensitivity=1), PureDP(epsilon=1)),
    "constant, claims 0.01": (lambda data, size: np.zeros(size), PureDP(epsilon=0.01)),
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Power and level of anytime-valid audits.")
    parser.add_argument("--runs", type=int, default=101)
    parser.add_argument("--level-runs", type=int, default=2_000)
    parser.add_argument("--level-samples", type=int, default=500)
    options = parser.parse_args()
    console, rows, missed = Console(width=120), [], 0

    power = Table(title=f"Outputs of each input until rejected at 5%: {options.runs} runs")
    for name in ("mechanism", "median", "18 of 20", "mark", "fixed n, event known"):
        power.add_column(name, justify="left" if name == "mechanism" else "right")
    for name, (mechanism, claim, mark, oracle) in FAULTS.items():
        found = [
            audit_mechanism(mechanism, 0, 1, claim, max_samples=50_000, batch=16, rng=seed)
            for seed in track(range(options.runs), name, console=Console(stderr=True), transient=True)
        ]
        taken = [r.n if r.rejected else np.inf for r in found]
        median, most = np.median(taken), np.quantile(taken, 0.9, method="higher")
        missed += mark is not None and not median <= mark
        power.add_row(name, f"{median:,.0f}", f"{most:,.0f}", *("" if v is None else f"{v:,}" for v in (mark, oracle)))
        rows.append({"what": "power", "mechanism": name, "runs": options.runs, "median": median, "18 of 20": most})
    console.print(power)

    level = Table(title=f"Rejections of what is true, watched for {options.level_samples} pairs: at most 5%")
    for name in ("mechanism", "rejected", "runs", "rate", "5% would exceed this once in 1000"):
        level.add_column(name, justify="left" if name == "mechanism" else "right")
    limit = int(binom.isf(1e-3, options.level_runs, LEVEL))
    for name, (mechanism, claim) in EXACT.items():
        wrong = sum(
            audit_mechanism(mechanism, 0, 1, claim, max_samples=options.level_samples, batch=512, rng=seed).rejected
            for seed in track(range(options.level_runs), name, console=Console(stderr=True), transient=True)
        )
        missed += wrong > limit
        level.add_row(name, f"{wrong}", f"{options.level_runs}", f"{wrong / options.level_runs:.2%}", f"{limit}")
        rows.append({"what": "level", "mechanism": name, "runs": options.level_runs, "rejected": wrong})
    console.print(level)
    recorded.write("audit_sequential.csv", rows, ["what", "mechanism", "runs", "median", "18 of 20", "rejected"])
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
