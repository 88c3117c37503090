"""A kernel Renyi audit of up to a million outputs of each distribution, in pieces: time and memory.

The Gaussian mechanism in dimension 30 has the noise that is exactly (3, 0.03)-private for sensitivity 10. The first
20 000 outputs of each distribution (a third, if that is fewer) are used for learning; the others come in pieces of
50 000, of which every other one goes to a second audit that is merged with the first.

    python benchmarks/audit_scale.py
"""

from __future__ import annotations

import json
import resource
import time
from pathlib import Path

import numpy as np
import recorded
from rich.console import Console
from rich.table import Table

from krdtheory.audit.kernel_bounds import DualAudit, learn_witness

DIMENSION, SENSITIVITY, SIGMA = 30, 10.0, 7.1294628288968308457
ALPHA, REGULARIZATION, LEVEL = 12, 1.5e-3, 0.05
SIZES = (10_000, 100_000, 1_000_000)
LEARN, PIECE = 20_000, 50_000
SECONDS, GIBIBYTES = 120, 4
OUT = Path(__file__).parent / "results" / "audit_scale.json"


def releases(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    x, y = rng.normal(scale=SIGMA, size=(2, n, DIMENSION))
    x[:, 0] += SENSITIVITY
    return x, y


def run(n: int) -> dict[str, float]:
    rng = np.random.default_rng(n)
    drawing = 0.0
    start = time.perf_counter()
    learn = min(LEARN, n // 3)
    witness = learn_witness(
        *releases(learn, rng), alpha=ALPHA, regularization=REGULARIZATION, test_size=n - learn, level=LEVEL, rng=rng
    )
    learning = time.perf_counter() - start
    audits = DualAudit(witness), DualAudit(witness)
    left, turn = n - learn, 0
    while left:
        began = time.perf_counter()
        x, y = releases(min(PIECE, left), rng)
        drawing += time.perf_counter() - began
        audits[turn % 2].partial_fit(x, y)
        left, turn = left - len(x), turn + 1
    bound = audits[0].merge(audits[1]).bound(level=LEVEL)
    seconds = time.perf_counter() - start - drawing
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return {"n": n, "seconds": seconds, "learning": learning, "peak_gib": peak, "certified": bound.value}


def main() -> None:
    table = Table(title="Kernel Renyi audit, d = 30, alpha = 12, lambda = 1.5e-3, 95%", title_justify="left", box=None)
    for column in ("n of each distribution", "seconds", "learning", "us a pair", "GiB", "certified", "mark"):
        table.add_column(column, justify="right")
    rows = [run(n) for n in SIZES]
    for row in rows:
        mark = f"{SECONDS} s, {GIBIBYTES} GiB" if row["n"] == SIZES[-1] else ""
        values = (f"{row[key]:.{digits}f}" for key, digits in (("seconds", 1), ("learning", 1), ("peak_gib", 2)))
        after = (row["seconds"] - row["learning"]) / (row["n"] - min(LEARN, row["n"] // 3)) * 1e6
        seconds, learning, peak = values
        table.add_row(f"{row['n']:,}", seconds, learning, f"{after:.1f}", peak, f"{row['certified']:.4f}", mark)
    Console().print(table)
    OUT.write_text(json.dumps(rows, indent=1) + "\n")
    recorded.tell(OUT.name)


if __name__ == "__main__":
    main()
