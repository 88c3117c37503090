"""Audits of every mechanism of the zoo by `audit_mechanism`: the private ones should pass, and the broken ones be
rejected, and the table shows after how many outputs.

    python benchmarks/audit_zoo.py [--runs 11] [--max-samples 40000] [--private-samples 2000] [--structured]

writes benchmarks/results/audit_zoo.csv, or audit_zoo_structured.csv for mechanisms whose outputs are not numbers, of
which at most 2000 are drawn. The level is 5%, so a private mechanism is rejected in at most one run of twenty.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
import recorded
from rich.console import Console
from rich.table import Table
from structured_zoo import structured
from zoo import specimens

from krdtheory.audit import audit_mechanism

STRUCTURED = 2_000


def main() -> int:
    parser = argparse.ArgumentParser(description="How many outputs each broken mechanism of the zoo takes.")
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--max-samples", type=int, default=40_000, help="of the broken ones")
    parser.add_argument("--private-samples", type=int, default=2_000, help="of the private ones")
    parser.add_argument("--structured", action="store_true", help="those whose outputs are no numbers")
    options = parser.parse_args()
    rows = []
    most_of_all = STRUCTURED if options.structured else options.max_samples
    for s in structured() if options.structured else specimens():
        most = options.private_samples if s.private else min(options.max_samples, most_of_all)
        found = [
            audit_mechanism(s, s.d, s.d_prime, s.claimed, max_samples=most, scores=s.scores, rng=seed)
            for seed in range(options.runs)
        ]
        taken = [r.n if r.rejected else np.inf for r in found]
        scores = [r.witness["score"] for r in found]
        rows.append(
            {
                "mechanism": s.name,
                "claims": str(s.claimed),
                "private": s.private,
                "rejected": sum(r.rejected for r in found),
                "runs": options.runs,
                "median outputs": np.median(taken),
                "most": max(taken),
                "score": max(set(scores), key=scores.count),
                "why": s.why,
            }
        )
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    recorded.write("audit_zoo_structured.csv" if options.structured else "audit_zoo.csv", rows)
    table = Table(title=f"{options.runs} audits of each at 5%: outputs of each input until rejected")
    for name in ("mechanism", "claims", "rejected", "median", "most", "by", "why"):
        table.add_column(name, justify="right" if name in ("rejected", "median", "most") else "left")
    for row in rows:
        shown = [f"{row[k]:,.0f}" if np.isfinite(row[k]) else "-" for k in ("median outputs", "most")]
        by = "" if row["private"] else row["score"]
        table.add_row(row["mechanism"], row["claims"], f"{row['rejected']} / {row['runs']}", *shown, by, row["why"])
    Console(width=150).print(table)
    wrong = [row for row in rows if (row["rejected"] > 2 if row["private"] else row["rejected"] < row["runs"])]
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main())
