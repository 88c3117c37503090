"""Audits of Renyi and kernel Renyi divergences: the certified share of the true value, and the rate of false bounds.

    python benchmarks/audit_divergences.py kernel      # medians and quantiles
    python benchmarks/audit_divergences.py renyi       # two cells, the best k, a witness
    python benchmarks/audit_divergences.py validity    # how often a bound exceeds the truth (most of an hour)

The Gaussian mechanism has sensitivity 10 and the noise that is exactly (epsilon, delta)-private. Results are saved in
benchmarks/results/.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import recorded
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy.stats import binom
from threadpoolctl import threadpool_limits

from krdtheory.audit.capacity_bounds import capacity_bound
from krdtheory.audit.kernel_bounds import dual_bound, perturbation_bound
from krdtheory.audit.mean_bounds import lower_log_ratio
from krdtheory.audit.renyi_bounds import concentrated_bound, cut_bound, witness_bound
from krdtheory.audit.result import Bound
from krdtheory.audit.scores import Coordinate
from krdtheory.kernels import Kernel, kernel_renyi
from krdtheory.privacy.mechanisms import Laplace

LEVEL = 0.05
SIGMA = {"(1, .005)": 20.978156724333075412, "(3, .03)": 7.1294628288968308457}
KERNEL = {"alpha": 12, "regularization": 1.5e-3}
KERNEL_SIZES = (600, 5_000, 50_000)
Row = dict[str, Any]


def gaussian(n: int, d: int, sigma: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.random.default_rng(seed).normal(size=(2, n, d))
    x[:, 0] += 10 / sigma
    return x, y


# Power


def kernel_power(runs: int) -> Iterator[Row]:
    """Yield bounds on D_{12, 1.5e-3} in dimension 30, whose value is about 1.02 at a median bandwidth."""
    for n in KERNEL_SIZES:
        samples = (gaussian(n, 30, SIGMA["(3, .03)"], seed) for seed in range(runs))
        values = [dual_bound(x, y, **KERNEL, level=LEVEL, rng=i).value for i, (x, y) in enumerate(samples)]
        few = gaussian(min(n, 600), 30, SIGMA["(3, .03)"], 0)
        conservative = perturbation_bound(*few, **KERNEL, level=LEVEL).value if n == 600 else np.nan
        low, median, high = np.quantile(values, [0.1, 0.5, 0.9])
        yield {"n": n, "median": median, "low": low, "high": high, "theorem 3": conservative}


def renyi_power(law: str, runs: int) -> Iterator[Row]:
    sigma = SIGMA[law]
    for d in (1, 30):
        for n in (5_000, 50_000):
            samples = [gaussian(n, d, sigma, seed) for seed in range(runs if n < 50_000 else max(runs // 4, 20))]
            for alpha in (2, 4, 8):
                yield {"d": d, "n": n, **shares(samples, alpha, alpha * (10 / sigma) ** 2 / 2)}


def shares(samples: list[Any], alpha: float, truth: float) -> Row:
    """Return the medians of certified / true, and of the number of cells that was chosen."""

    def bounds(audit: Callable[..., Bound], **options: Any) -> list[Bound]:
        return [audit(x, y, alpha=alpha, level=LEVEL, rng=i, **options) for i, (x, y) in enumerate(samples)]

    def share(found: list[Bound]) -> float:
        return float(np.median([b.value for b in found])) / truth

    best = bounds(cut_bound)
    return {
        "alpha": alpha,
        "truth": truth,
        "two cells": share(bounds(cut_bound, cells=2)),
        "best k": share(best),
        "k": float(np.median([len(b.witness["thresholds"]) + 1 for b in best])),
        "witness": share(bounds(witness_bound)),
    }


# Validity

POINTS, P, Q = np.array([0.0, 0.4, 1.0, 2.0]), np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.1, 0.15, 0.3, 0.45])
SHIFT = np.array([[1.0], [0.0]])
RBF = Kernel("rbf", 1.0)


def renyi(alpha: float, p: np.ndarray, q: np.ndarray) -> float:
    return float(np.log((p**alpha * q ** (1 - alpha)).sum()) / (alpha - 1))


def ties(p: np.ndarray, q: np.ndarray) -> Callable[[int, np.random.Generator], Any]:
    return lambda n, rng: (rng.choice(POINTS, n, p=p), rng.choice(POINTS, n, p=q))


def exact_witness(alpha: float) -> Callable[..., Bound]:
    """Return the bound by the best witness between P and Q, with all draws in the test: a nearly tight bound."""
    weights = (P / Q) ** (alpha - 1)
    weights /= weights.max()
    r = 1 - 1 / alpha

    def audit(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> Bound:
        u, v = (weights[np.searchsorted(POINTS, z)] for z in (x, y))
        value, _ = lower_log_ratio(u, v ** (1 / r), power=r, level=LEVEL, tops=(1.0, 1.0), floor=0.0, rng=rng)
        return Bound(value=value / r, level=LEVEL, witness={}, used={})

    return audit


def cases() -> Iterator[tuple[str, str, float, Any, Any]]:
    """Yield (distribution, bound, true value, draw, audit); the score is the likelihood ratio or monotone in it, so the
    score loses nothing."""
    response = np.array([0.25, 0.75])
    laplace = Laplace(scale=1, sensitivity=1)
    grid = 1 + np.geomspace(0.01, 100, 2000)
    laws: dict[str, tuple[Any, Any, float]] = {
        "identical": (lambda n, rng: rng.normal(size=(2, n)), lambda alpha: 0.0, 0.0),
        "four points": (ties(P, Q), lambda alpha: renyi(alpha, P, Q), 0.0),
        "response": (
            lambda n, rng: (rng.random((2, n)) < response[::-1, None]).astype(float),
            lambda alpha: renyi(alpha, response, response[::-1]),
            0.0,
        ),
        "Laplace": (
            lambda n, rng: rng.laplace(SHIFT, size=(2, n)),
            lambda alpha: float(laplace.renyi(alpha)),
            float(np.max(np.asarray(laplace.renyi(grid)) / grid)),
        ),
        "Gaussian": (lambda n, rng: rng.normal(SHIFT, size=(2, n)), lambda alpha: alpha / 2, 0.5),
    }
    for name, p in (("identical", Q), ("four points", P)):
        for alpha in (2, 8):
            yield name, f"exact witness, alpha = {alpha}", renyi(alpha, p, Q), ties(p, Q), exact_witness(alpha)
    for name, (draw, truth, rho) in laws.items():
        for alpha in (2, 8):
            for audit in (cut_bound, witness_bound):
                yield (
                    name,
                    f"{audit.__name__}, alpha = {alpha}",
                    truth(alpha),
                    draw,
                    lambda x, y, rng, audit=audit, alpha=alpha: audit(
                        x, y, alpha=alpha, level=LEVEL, scores=Coordinate(), rng=rng
                    ),
                )
        if rho or name == "identical":
            yield (
                name,
                "concentrated_bound",
                rho,
                draw,
                lambda x, y, rng: concentrated_bound(x, y, level=LEVEL, scores=Coordinate(), rng=rng),
            )
    for name, (p, q) in {"identical": (P, P), "four points": (P, Q)}.items():
        for alpha, lam in ((2, 0.01), (12, 0.05)):
            exact = kernel_renyi(POINTS[:, None], p, POINTS[:, None], q, alpha=alpha, regularization=lam, kernel=RBF)
            yield (
                name,
                f"dual_bound, alpha = {alpha}, lambda = {lam}",
                float(exact),
                ties(p, q),
                lambda x, y, rng, alpha=alpha, lam=lam: dual_bound(
                    x, y, alpha=alpha, regularization=lam, level=LEVEL, kernel=RBF, landmarks=20, rng=rng
                ),
            )
        for alpha in (2, 12):
            exact = kernel_renyi(POINTS[:, None], p, POINTS[:, None], q, alpha=alpha, regularization=0.1, kernel=RBF)
            yield (
                name,
                f"perturbation_bound, alpha = {alpha}, lambda = 0.1",
                float(exact),
                ties(p, q),
                lambda x, y, rng, alpha=alpha: perturbation_bound(
                    x, y, alpha=alpha, regularization=0.1, level=LEVEL, kernel=RBF, rng=rng
                ),
            )
    at = POINTS
    value = np.log1p((P @ at - Q @ at) ** 2 / (Q @ at**2 - (Q @ at) ** 2))
    yield (
        "four points",
        "capacity_bound, degree 1",
        float(value),
        ties(P, Q),
        lambda x, y, rng: capacity_bound(x, y, alpha=2, degree=1, support=(0, 2), level=LEVEL, rng=rng),
    )


def validity(bounds: str, runs: int, sizes: list[int], workers: int | None) -> Iterator[Row]:
    """Yield the number of bounds above the truth, and the number that a true 5% exceeds in 1 of 1000 tables."""
    tasks = [(k, n, runs) for k, case in enumerate(cases()) if bounds in case[1] for n in sizes]
    most = int(binom.isf(1e-3 / len(tasks), runs, LEVEL))
    with ProcessPoolExecutor(workers, initializer=threadpool_limits, initargs=(1, "blas")) as pool:
        for row in pool.map(beyond, tasks):
            yield {**row, "at most": most, "ok": row["beyond"] <= most}


def beyond(task: tuple[int, int, int]) -> Row:
    k, n, runs = task
    pair, bound, truth, draw, audit = list(cases())[k]
    rng = np.random.default_rng(n)
    values = np.array([audit(*draw(n, rng), rng).value for _ in range(runs)])
    return {
        "distributions": pair,
        "bound": bound,
        "n": n,
        "truth": truth,
        "median / truth": float(np.median(values)) / truth if truth > 0 else np.nan,
        "beyond": int((values > truth + 1e-9).sum()),
    }


# Tables


def show(title: str, rows: Iterator[Row], name: str, total: int) -> None:
    kept = list(track(rows, title, total=total, transient=True, disable=not Console().is_terminal))
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in kept[0]:
        table.add_column(column, justify="left" if isinstance(kept[0][column], str) else "right")
    for row in kept:
        table.add_row(*(f"{v:.3f}" if isinstance(v, float) else str(v) for v in row.values()))
    Console(width=120).print(table)
    recorded.write(f"{name}.csv", kept)


@threadpool_limits.wrap(limits=1, user_api="blas")
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("kernel", "renyi", "validity"))
    parser.add_argument("--runs", type=int, help="20 for power, 2000 for validity unless given")
    parser.add_argument("--sizes", type=int, nargs="+", default=[50, 500, 5000], help="of validity")
    parser.add_argument("--law", choices=SIGMA, default="(3, .03)", help="of renyi")
    parser.add_argument("--only", default="", help="validity of the bounds with this in their name")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes of validity")
    options = parser.parse_args()
    runs = options.runs or (2000 if options.table == "validity" else 20)
    match options.table:
        case "kernel":
            title = f"Certified D_12,1.5e-3, (3, .03), d = 30, 95%, {runs} runs (quantiles 50, 10, 90%)"
            show(title, kernel_power(runs), "audit_kernel_power", 3)
        case "renyi":
            title = f"Certified share of D_alpha, Gaussian mechanism, {options.law}, 95%, medians of {runs} runs"
            name = "audit_renyi_power_" + "_".join(re.findall(r"\d+", options.law))
            show(f"{title} ({max(runs // 4, 20)} at 50 000)", renyi_power(options.law, runs), name, 12)
        case _:
            title = f"Audits above the truth, {runs} of each, nominal 5%"
            chosen = [case for case in cases() if options.only in case[1]]
            rows = validity(options.only, runs, options.sizes, options.workers)
            name = "_".join(["audit_divergences_validity", *options.only.split()])
            show(title, rows, name, len(chosen) * len(options.sizes))


if __name__ == "__main__":
    main()
