"""More data never finds less: what is certified, as a function of the number of outputs.

    python benchmarks/audit_samples.py [--seeds 20] [--most 10000000] [--only laplace]
    python benchmarks/audit_samples.py --all [--seeds 8] [--only zoo]

Noise that is exactly 1-private is audited under a claim of 0.9, with up to a million outputs of each input, and ten
million for mechanisms with a mark there. The medians over the seeds must not decrease in n by more than two standard
errors, and medians and worst runs must reach the marks. Writes results/audit_samples.csv and .png; the exit status is 1
if a mark is missed. With --all, the audits are of every mechanism of the zoo and every row of audit_power.py, up to a
million outputs, in results/audit_samples_all.csv and .png: about two hours. Of a hundred steps without a gain, two or
three decrease by two standard errors by chance; --only measures these again, with other seeds by --first-seed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import recorded
from matplotlib.figure import Figure
from rich.console import Console
from rich.progress import track
from rich.table import Table

from krdtheory.audit import audit
from krdtheory.privacy.notions import ApproximateDP, Notion, PureDP

EPSILON, CLAIM = 1.0, 0.9
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 10_000_000)
SIZES_OF_ALL = (1_000, 10_000, 100_000, 1_000_000)
Draw = Callable[[int, np.random.Generator], tuple[np.ndarray, np.ndarray]]


class Case(NamedTuple):
    name: str
    draw: Draw
    claim: Notion = PureDP(epsilon=CLAIM)
    marks: Mapping[int, tuple[float, float]] = MappingProxyType({})  # (median, worst) at n
    scores: str = "auto"


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
    """Draw from the exponential mechanism among ten candidates, where one is better by the whole sensitivity."""
    weights = np.exp(EPSILON / 2 * np.concatenate([[[1], [0]], np.tile([[0], [1]], 9)], axis=1))
    return tuple(rng.choice(10, n, p=w / w.sum()) for w in weights)  # type: ignore[return-value]


MECHANISMS = (
    Case("laplace", laplace, marks={10**5: (0.985, 0.97), 10**6: (0.993, 0.985), 10**7: (0.997, 0.99)}),
    Case("laplace, five dimensions", five_dimensions, marks={10**5: (0.98, 0.96), 10**6: (0.99, 0.98)}),
    Case("geometric", geometric, marks={10**5: (0.98, 0.96), 10**6: (0.99, 0.98)}),
    Case("randomised response", randomised_response),
    Case("exponential", exponential),
)


def everything() -> Iterator[Case]:
    """Yield the mechanisms of the zoo whose outputs are numbers, and the rows of the table of power."""
    from audit_power import CERTIFY, REJECT, one_dimensional, vectors
    from zoo import Specimen, specimens

    def of(s: Specimen, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        return s(s.d, n, rng), s(s.d_prime, n, rng)

    def noisy(e: float, d: float, rotate: bool, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        return vectors(e, d, rng, n, rotate)

    for s in specimens():
        yield Case(f"zoo: {s.name}", partial(of, s), s.claimed, scores=s.scores or "auto")
    for what, claim, *_ in REJECT:
        yield Case(what, lambda n, rng, claim=claim: one_dimensional(claim, rng, n), claim)
    for epsilon, delta in CERTIFY:
        for at_random, where in ((False, "one coordinate"), (True, "random direction")):
            claim = ApproximateDP(epsilon=epsilon, delta=delta)
            yield Case(f"(iii) ({epsilon}, {delta}), {where}", partial(noisy, epsilon, delta, at_random), claim)


def certified(case: Case, n: int, seed: int) -> float:
    """Return the lower bound on epsilon, or on mu or rho if these are claimed."""
    x, y = case.draw(n, np.random.default_rng([seed, n]))
    found = audit(x, y, case.claim, scores=case.scores, rng=seed)
    return float(found.divergence_lower if found.epsilon_lower is None else found.epsilon_lower)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, help="runs of each size (20; 8 with --all)")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=10_000_000, help="outputs of each input, at most (10,000,000)")
    parser.add_argument("--only", default="", help="mechanisms with this in their name")
    parser.add_argument("--all", action="store_true", help="the zoo and the table of power")
    options = parser.parse_args()
    runs = options.seeds or (8 if options.all else 20)
    seeds = range(options.first_seed, options.first_seed + runs)
    rows, failed = [], False
    for case in everything() if options.all else MECHANISMS:
        if options.only not in case.name:
            continue
        last = None
        sizes = SIZES_OF_ALL if options.all else [n for n in SIZES if n <= 10**6 or n in case.marks]
        for n in (n for n in sizes if n <= options.most):
            shown = f"{case.name}, n = {n:,}"
            found = [certified(case, n, k) for k in track(seeds, shown, console=Console(stderr=True), transient=True)]
            median, worst = float(np.median(found)), min(found)
            error = 1.25 * float(np.std(found, ddof=1)) / np.sqrt(runs)
            mark = case.marks.get(n)
            bad = mark is not None and (median < mark[0] or worst < mark[1])
            bad |= last is not None and median < last[0] - 2 * np.hypot(error, last[1])
            rows.append((case.name, n, median, worst, error, mark, bad))
            last, failed = (median, error), failed | bad
    title = "certified at 95%" if options.all else "epsilon certified at 95%, of 1"
    table = Table(title=f"{title}, {runs} seeds", title_justify="left", box=None)
    for column in ("mechanism", "n of each", "median", "worst", "error", "mark: median (worst)", ""):
        table.add_column(column, justify="left" if column in ("mechanism", "") else "right")
    for name, n, median, worst, error, mark, bad in rows:
        shown = f"{mark[0]} ({mark[1]})" if mark else ""
        missed = ("missed" if mark else "fell") if bad else ""
        table.add_row(name, f"{n:,}", f"{median:.4f}", f"{worst:.4f}", f"{error:.4f}", shown, missed)
    Console(width=120).print(table)
    columns = ("mechanism", "n", "median", "worst", "standard error of the median")
    name = "audit_samples_all" if options.all else "audit_samples"
    recorded.write(f"{name}.csv", [dict(zip(columns, row, strict=False)) for row in rows])
    figure = plot_all(rows) if options.all else plot(rows)
    figure.savefig(recorded.RESULTS / f"{name}.png", dpi=120)
    recorded.tell(f"{name}.png")
    return int(failed)


def plot(rows: list[tuple]) -> Figure:
    figure, axis = plt.subplots(figsize=(6.5, 4), layout="constrained")
    for i, name in enumerate(dict.fromkeys(row[0] for row in rows)):
        n, median, worst = (np.array([row[k] for row in rows if row[0] == name]) for k in (1, 2, 3))
        axis.plot(n, EPSILON - median, "o-", color=f"C{i}", ms=4, label=name)
        axis.plot(n, EPSILON - worst, ":", color=f"C{i}", lw=1)
    axis.plot([], [], "k:", lw=1, label="worst of the seeds")
    axis.set(xscale="log", yscale="log", xlabel="outputs of each input, n", ylabel="1 - epsilon certified, nats")
    axis.legend(frameon=False, fontsize=8)
    axis.set_title("What an audit of 1-private noise leaves to be found")
    return figure


def plot_all(rows: list[tuple]) -> Figure:
    """Plot a panel for each mechanism: medians, two standard errors, and the worst run."""
    names = list(dict.fromkeys(row[0] for row in rows))
    across = min(6, len(names))
    down = -(-len(names) // across)
    figure, axes = plt.subplots(down, across, figsize=(2.3 * across, 1.7 * down), layout="constrained", squeeze=False)
    for axis, name in zip(axes.flat, names, strict=False):
        n, median, worst, error = (np.array([row[k] for row in rows if row[0] == name]) for k in (1, 2, 3, 4))
        axis.errorbar(n, median, 2 * error, fmt="o-", ms=3, lw=1, capsize=2)
        axis.plot(n, worst, ":", color="C0", lw=1)
        axis.set(xscale="log", ylim=(0, 1.1 * max(*median, 0.1)))
        axis.set_title(name, fontsize=7)
        axis.tick_params(labelsize=6)
    for axis in axes.flat[len(names) :]:
        axis.set_visible(False)
    figure.supxlabel("outputs of each input, n", fontsize=9)
    figure.supylabel("certified epsilon, mu or rho: median with two standard errors, and worst run", fontsize=9)
    return figure


if __name__ == "__main__":
    sys.exit(main())
