"""More data never finds less: the epsilon that is certified, against the number of outputs.

    python benchmarks/audit_samples.py [--seeds 20] [--most 10000000] [--only laplace]

Noise that is exactly 1-private is audited under a claim of 0.9, with up to a million outputs of each input, and ten
million where there is a mark. The medians over the seeds must not fall with n by more than two standard errors, and
medians and worst runs must reach the marks. Writes results/audit_samples.csv and .png; exit status 1 where a mark is
missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import recorded
from rich.console import Console
from rich.progress import track
from rich.table import Table

from krdtheory.audit import audit
from krdtheory.privacy.notions import PureDP

EPSILON, CLAIM = 1.0, 0.9
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 10_000_000)
Draw = Callable[[int, np.random.Generator], tuple[np.ndarray, np.ndarray]]


def laplace(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return rng.laplace(1, 1 / EPSILON, n), rng.laplace(0, 1 / EPSILON, n)


def five_dimensions(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    x, y = (rng.laplace(0, 1 / EPSILON, (n, 5)) for _ in range(2))
    x[:, 0] += 1
    return x, y


def geometric(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    x, y = (-np.diff(rng.geometric(1 - np.exp(-EPSILON), (n, 2)), axis=1)[:, 0] for _ in range(2))
    return x + 1, y


def randomised_response(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    truth = np.exp(EPSILON) / (1 + np.exp(EPSILON))
    return rng.binomial(1, truth, n), rng.binomial(1, 1 - truth, n)


def exponential(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The exponential mechanism among ten candidates, one of which is the better by the whole sensitivity."""
    weights = np.exp(EPSILON / 2 * np.concatenate([[[1], [0]], np.tile([[0], [1]], 9)], axis=1))
    return tuple(rng.choice(10, n, p=w / w.sum()) for w in weights)  # type: ignore[return-value]


MECHANISMS: dict[str, tuple[Draw, dict[int, tuple[float, float]]]] = {  # marks: (median, worst) at n
    "laplace": (laplace, {10**5: (0.985, 0.97), 10**6: (0.993, 0.985), 10**7: (0.997, 0.99)}),
    "laplace, five dimensions": (five_dimensions, {10**5: (0.98, 0.96), 10**6: (0.99, 0.98)}),
    "geometric": (geometric, {10**5: (0.98, 0.96), 10**6: (0.99, 0.98)}),
    "randomised response": (randomised_response, {}),
    "exponential": (exponential, {}),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20, help="runs of each size (20)")
    parser.add_argument("--most", type=int, default=10_000_000, help="outputs of each input, at most (10,000,000)")
    parser.add_argument("--only", default="", help="mechanisms with this in their name")
    options = parser.parse_args()
    rows, failed = [], False
    for name, (draw, marks) in MECHANISMS.items():
        if options.only not in name:
            continue
        last = None
        for n in (n for n in SIZES if n <= options.most and (n <= 10**6 or n in marks)):
            found = []
            for seed in track(range(options.seeds), f"{name}, n = {n:,}", console=Console(stderr=True), transient=True):
                x, y = draw(n, np.random.default_rng([seed, n]))
                found.append(audit(x, y, PureDP(epsilon=CLAIM), rng=seed).epsilon_lower)
            median, worst = float(np.median(found)), min(found)
            error = 1.25 * float(np.std(found)) / np.sqrt(len(found))
            mark = marks.get(n)
            bad = mark is not None and (median < mark[0] or worst < mark[1])
            bad |= last is not None and median < last[0] - 2 * np.hypot(error, last[1])
            rows.append((name, n, median, worst, error, mark, bad))
            last, failed = (median, error), failed | bad
    table = Table(title=f"epsilon certified at 95%, of 1, {options.seeds} seeds", title_justify="left", box=None)
    for column in ("mechanism", "n of each", "median", "worst", "error", "mark: median (worst)", ""):
        table.add_column(column, justify="left" if column in ("mechanism", "") else "right")
    for name, n, median, worst, error, mark, bad in rows:
        shown = f"{mark[0]} ({mark[1]})" if mark else ""
        table.add_row(name, f"{n:,}", f"{median:.4f}", f"{worst:.4f}", f"{error:.4f}", shown, "missed" if bad else "")
    Console(width=120).print(table)
    columns = ("mechanism", "n", "median", "worst", "standard error of the median")
    recorded.write("audit_samples.csv", [dict(zip(columns, row, strict=False)) for row in rows])
    plot(rows)
    return int(failed)


def plot(rows: list[tuple]) -> None:
    figure, axis = plt.subplots(figsize=(6.5, 4), layout="constrained")
    for i, name in enumerate(dict.fromkeys(row[0] for row in rows)):
        n, median, worst = (np.array([row[k] for row in rows if row[0] == name]) for k in (1, 2, 3))
        axis.plot(n, EPSILON - median, "o-", color=f"C{i}", ms=4, label=name)
        axis.plot(n, EPSILON - worst, ":", color=f"C{i}", lw=1)
    axis.plot([], [], "k:", lw=1, label="worst of the seeds")
    axis.set(xscale="log", yscale="log", xlabel="outputs of each input, n", ylabel="1 - epsilon certified, nats")
    axis.legend(frameon=False, fontsize=8)
    axis.set_title("What an audit of 1-private noise leaves to be found")
    figure.savefig(recorded.RESULTS / "audit_samples.png", dpi=120)
    recorded.tell("audit_samples.png")


if __name__ == "__main__":
    sys.exit(main())
