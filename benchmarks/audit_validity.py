"""How often audits claim more than the truth, for mechanisms that leak exactly what they claim, and for identical
distributions.

Every bound of `krdtheory.audit.audit` is checked: epsilon at delta, delta at epsilon, mu, and the profile and the
trade-off curve everywhere simultaneously. A row counts the audits with any bound beyond the truth, and shows the count
that a true 5% exceeds only once in a thousand tables. It takes most of an hour on two cores; the results are saved in
benchmarks/results/audit_validity.csv.

    python benchmarks/audit_validity.py [--runs 2000] [--sizes 50 500 5000] [--only MECHANISM ...] [--workers 2]
"""

from __future__ import annotations

import argparse
import csv
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[_name] = "1"

import numpy as np  # noqa: E402
import recorded  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.progress import track  # noqa: E402
from rich.table import Table  # noqa: E402
from scipy.stats import binom, norm  # noqa: E402

from krdtheory.audit import AuditResult, audit  # noqa: E402
from krdtheory.privacy.mechanisms import DiscreteLaplace, Gaussian, Laplace  # noqa: E402
from krdtheory.privacy.notions import ApproximateDP, GaussianDP, Notion, PureDP  # noqa: E402

OUT = Path(__file__).parent / "results" / "audit_validity.csv"
LEVEL = 0.05
LAPLACE, GEOMETRIC = Laplace(scale=1, sensitivity=1), DiscreteLaplace(scale=1, sensitivity=1)
GAUSSIAN = Gaussian.calibrated(epsilon=1, delta=0.05, sensitivity=1)
MU = 1 / float(GAUSSIAN.scale)
Draw = Callable[[np.random.Generator, int, bool], Any]


class Case(NamedTuple):
    draw: Draw
    notion: Notion
    exceeds: Callable[[AuditResult], bool]
    options: dict[str, Any]
    largest: int = 10**9  # the most outputs, since beyond them an audit takes seconds


def laplace(rng: np.random.Generator, n: int, first: bool) -> Any:
    return LAPLACE.sample(np.full(n, float(first)), rng=rng)


def gaussian(rng: np.random.Generator, n: int, first: bool) -> Any:
    return GAUSSIAN.sample(np.full(n, float(first)), rng=rng)


def vector(rng: np.random.Generator, n: int, first: bool) -> Any:
    return GAUSSIAN.sample(np.full((n, 5), float(first) / np.sqrt(5)), rng=rng)


def response(rng: np.random.Generator, n: int, first: bool) -> Any:
    return (rng.random(n) < 1 / (1 + np.exp(-1 if first else 1))).astype(float)


def geometric(rng: np.random.Generator, n: int, first: bool) -> Any:
    return GEOMETRIC.sample(np.full(n, int(first)), rng=rng)


def identical(rng: np.random.Generator, n: int, first: bool) -> Any:
    return rng.normal(size=(n, 3))


def constant(rng: np.random.Generator, n: int, first: bool) -> Any:
    return np.ones(n)


def bare_once(rng: np.random.Generator, n: int, first: bool) -> Any:
    """Return no noise once in twenty outputs, with a sign that names the input; else a randomised response."""
    bare = rng.random(n) < APPROXIMATE.delta
    return np.where(bare, 3.0 if first else -3.0, response(rng, n, first))


def staircase(rng: np.random.Generator, n: int, first: bool) -> Any:
    """Geng and Viswanath (2014): the likelihood ratio is one of two values almost everywhere."""
    steps, inner = rng.geometric(1 - np.exp(-1), n) - 1, rng.random(n) < 1 / (1 + np.exp(-1 / 2))
    share = rng.random(n)
    width = 1 / (1 + np.exp(1 / 2))
    place = steps + np.where(inner, width * share, width + (1 - width) * share)
    return float(first) + rng.choice([-1, 1], n) * place


def one_of_twenty(rng: np.random.Generator, n: int, first: bool) -> Any:
    """Return 20 coordinates, of which number 7 leaks; the others have their own spread and repeated values."""
    x = rng.standard_t(2, size=(n, 20))
    x[:, 8:12] = np.where(rng.random((n, 4)) < 0.05, 0, x[:, 8:12])
    x[:, 7] = LAPLACE.sample(np.full(n, float(first)), rng=rng)
    return x


def objects(rng: np.random.Generator, n: int, first: bool) -> Any:
    answers, sizes = response(rng, n, first), rng.poisson(3, n)
    return [{"answer": "yes" if a else "no", "rows": list(range(k))} for a, k in zip(answers, sizes, strict=True)]


WORDS = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("a", "eo", "ina", "uth")]


def sentences(rng: np.random.Generator, n: int, first: bool) -> Any:
    """Return texts of one distribution that hardly ever repeat."""
    return [" ".join(rng.choice(WORDS, k)) for k in rng.integers(3, 12, n)]


def beyond_claim(result: AuditResult) -> bool:
    """Whether a bound exceeds the claim, which is the truth."""
    notion = result.notion
    found = [
        (result.epsilon_lower, getattr(notion, "epsilon", None)),
        (result.delta_lower, getattr(notion, "delta", None)),
        (result.divergence_lower, notion.bound),
    ]
    return result.rejected or any(a is not None and b is not None and a > b for a, b in found)


def beyond_curve(result: AuditResult) -> bool:
    """Whether a bound exceeds the claim, or the exact profile and trade-off curve of normals at distance MU."""
    band = result.band
    assert band is not None
    curve = norm.cdf(norm.isf(np.clip(band.x, 1e-300, 1)) - MU)
    outside = (band.delta > GAUSSIAN.privacy_profile(band.epsilon) + 1e-12).any() or (band.y < curve - 1e-12).any()
    return bool(outside) or beyond_claim(result)


def beyond_nothing(result: AuditResult) -> bool:
    """Whether a bound exceeds zero, for two equal distributions."""
    band = result.band is not None and bool((result.band.delta > 0).any())
    return result.rejected or (result.epsilon_lower or 0) > 0 or (result.delta_lower or 0) > 0 or band


APPROXIMATE = ApproximateDP(epsilon=1, delta=0.05)
CASES = {
    "Laplace, both directions": Case(laplace, PureDP(epsilon=1), beyond_claim, {"direction": "both"}),
    "randomised response": Case(response, PureDP(epsilon=1), beyond_claim, {}),
    "geometric (ties)": Case(geometric, PureDP(epsilon=1), beyond_claim, {}),
    "Gaussian": Case(gaussian, APPROXIMATE, beyond_claim, {}),
    "Gaussian, by delta": Case(gaussian, APPROXIMATE, beyond_claim, {"bound": "delta"}),
    "Gaussian, d = 5": Case(vector, APPROXIMATE, beyond_claim, {}),
    "Gaussian, mu": Case(gaussian, GaussianDP(mu=MU), beyond_curve, {}),
    "Gaussian, whole curve": Case(gaussian, APPROXIMATE, beyond_curve, {"events": 6}),
    "identical, d = 3": Case(identical, ApproximateDP(epsilon=0, delta=0), beyond_nothing, {}),
    "bare once in twenty": Case(bare_once, APPROXIMATE, beyond_claim, {}),
    "staircase": Case(staircase, PureDP(epsilon=1), beyond_claim, {}),
    "Laplace, one of 20": Case(one_of_twenty, PureDP(epsilon=1), beyond_claim, {}),
    "objects": Case(objects, PureDP(epsilon=1), beyond_claim, {}, largest=500),
    "sentences": Case(sentences, ApproximateDP(epsilon=0, delta=0), beyond_nothing, {}, largest=500),
    "constant": Case(constant, ApproximateDP(epsilon=0, delta=0), beyond_nothing, {}),
}


def count(task: tuple[str, int, int, int]) -> int:
    """Return the number of audits that claim too much, among some of a row's."""
    name, n, seed, runs = task
    case, rng = CASES[name], np.random.default_rng([n, seed])
    wrong = 0
    for run in range(runs):
        x, y = case.draw(rng, n, True), case.draw(rng, n, False)
        wrong += case.exceeds(audit(x, y, case.notion, confidence=1 - LEVEL, rng=run, **case.options))
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[50, 500, 5000])
    parser.add_argument("--only", nargs="+", choices=list(CASES), default=list(CASES), metavar="MECHANISM")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    rows = [(name, n) for name in options.only for n in options.sizes if n <= CASES[name].largest]
    pieces = 20
    runs = options.runs // pieces * pieces
    limit = int(binom.isf(1e-3 / len(CASES) / 3, runs, LEVEL))
    tasks = [(name, n, k, runs // pieces) for name, n in rows for k in range(pieces)]
    records = rows_so_far()
    with ProcessPoolExecutor(options.workers) as pool:
        counts = pool.map(count, tasks)
        for name, n in track(rows, "mechanisms", console=Console(stderr=True), transient=True):
            wrong = sum(next(counts) for _ in range(pieces))
            records[name, n] = {"mechanism": name, "n": n, "runs": runs, "beyond": wrong, "at most": limit}
            write(records)  # row by row, since a table takes an hour
            print(f"{name}, n = {n}: {wrong} of {runs}", flush=True)
    found = [records[row] for row in rows]
    table = Table(
        title=f"Claims beyond the truth in {runs} audits at 5%", title_justify="left", box=None, pad_edge=False
    )
    table.add_column("mechanism")
    for column in ("n = m", "beyond", "share", "at most", "ok"):
        table.add_column(column, justify="right")
    for row in found:
        wrong = int(row["beyond"])
        ok = "yes" if wrong <= limit else "NO"
        table.add_row(row["mechanism"], str(row["n"]), str(wrong), f"{wrong / runs:.4f}", str(limit), ok)
    Console(width=100).print(table)
    return int(any(row["beyond"] > limit for row in found))


def rows_so_far() -> dict[tuple[str, int], dict[str, Any]]:
    """Return the rows of the file, which new measurements replace."""
    if not OUT.exists():
        return {}
    with OUT.open(newline="") as file:
        return {(row["mechanism"], int(row["n"])): row for row in csv.DictReader(file)}


def write(records: dict[tuple[str, int], dict[str, Any]]) -> None:
    order = list(CASES)
    recorded.write(OUT.name, [records[key] for key in sorted(records, key=lambda key: (order.index(key[0]), key[1]))])


if __name__ == "__main__":
    raise SystemExit(main())
