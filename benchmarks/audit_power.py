"""The power of audits, compared with oracles and other auditors, at 95%.

(i) Laplace with epsilon = 1 against smaller claims, and (ii) the Gaussian mechanism that is exactly (1, 0.01)-private
against (0.5, 0.01): the share of runs that reject at a given number of outputs. (iii) The Gaussian mechanism in
dimension 30 that is exactly (epsilon, delta)-private: medians of the certified epsilon at delta; the audit does not
know the direction, which is one coordinate, or chosen at random. Then the medians of outputs that an audit of a stream
needs, and the Renyi divergences of `audit_divergences.py`. It takes half an hour, or minutes with --only and a part of
a title; the results are saved in benchmarks/results/audit_power.csv.

    python benchmarks/audit_power.py [--runs 100] [--peers]

With --peers, it also runs a histogram rule like that of StatDP, and jax_privacy's auditor if it is installed.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[_name] = "1"

import numpy as np  # noqa: E402
import recorded  # noqa: E402
from rich import box  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.progress import track  # noqa: E402
from rich.table import Table  # noqa: E402
from scipy.stats import fisher_exact, norm  # noqa: E402

from krdtheory.audit import AuditResult, audit, audit_mechanism  # noqa: E402
from krdtheory.audit.exact_test import JointTest, approximate_gain  # noqa: E402
from krdtheory.audit.scores import Linear  # noqa: E402
from krdtheory.privacy.mechanisms import Gaussian  # noqa: E402
from krdtheory.privacy.notions import ApproximateDP, Notion, PureDP  # noqa: E402

OUT = Path(__file__).parent / "results" / "audit_power.csv"
LEVEL = 0.05
_SHARE = 10  # a share needs this many times the runs, since it varies more than a median
DIMENSION = 30
Array = np.ndarray[Any, Any]
Row = dict[str, Any]
REJECT: list[tuple[str, Notion, int, str]] = [  # description, claim, outputs of each distribution, what others need
    ("(i) Laplace, claims 0.5", PureDP(epsilon=0.5), 250, "oracle joint 137, Clopper-Pearson 267, jax_privacy 600"),
    ("(i) Laplace, claims 0.8", PureDP(epsilon=0.8), 1700, "oracle joint 1070, Clopper-Pearson 1870, jax_privacy 4000"),
    (
        "(i) Laplace, claims 0.9",
        PureDP(epsilon=0.9),
        7500,
        "oracle joint 4786, Clopper-Pearson 8080, jax_privacy 15000",
    ),
    (
        "(ii) Gaussian, claims (0.5, 0.01)",
        ApproximateDP(epsilon=0.5, delta=0.01),
        2000,
        "oracle joint 1321, Clopper-Pearson 2460",
    ),
]
CERTIFY = {  # (epsilon, delta): {n: (at least, oracle Clopper-Pearson, oracle joint exact, jax_privacy)}
    (1, 0.005): {
        600: (0.15, 0.321, 0.503, 0.003),
        5000: (0.66, 0.660, 0.770, 0.436),
        50_000: (0.88, 0.870, 0.917, 0.779),
    },
    (2, 0.2): {
        600: (1.33, 1.345, 1.565, 0.869),
        5000: (1.76, 1.745, 1.829, 1.490),
        50_000: (1.93, 1.916, 1.944, 1.802),
    },
    (3, 0.03): {
        600: (1.70, 1.742, 1.966, 1.127),
        5000: (2.45, 2.414, 2.548, 2.009),
        50_000: (2.80, 2.784, 2.845, 2.604),
    },
}


@cache
def distance(epsilon: float, delta: float) -> float:
    """Return the distance of unit normal distributions that are exactly (epsilon, delta)-indistinguishable."""
    return 1 / float(Gaussian.calibrated(epsilon=epsilon, delta=delta, sensitivity=1).scale)


def one_dimensional(claim: Notion, rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    if isinstance(claim, PureDP):
        return rng.laplace(1, 1, n), rng.laplace(0, 1, n)
    return rng.normal(distance(1, 0.01), 1, n), rng.normal(0, 1, n)


def vectors(epsilon: float, delta: float, rng: np.random.Generator, n: int, at_random: bool) -> tuple[Array, Array]:
    way = rng.normal(size=DIMENSION) if at_random else np.eye(DIMENSION)[0]
    x, y = rng.normal(size=(2, n, DIMENSION))
    return x + distance(epsilon, delta) * way / np.linalg.norm(way), y


def rejections(runs: int, rejects: Callable[[Array, Array, Any, int], bool]) -> Iterator[Row]:
    for what, claim, n, others in REJECT:
        found = [rejects(*one_dimensional(claim, np.random.default_rng(k), n), claim, k) for k in range(runs)]
        yield {"what": what, "n": n, "value": float(np.mean(found)), "at least": 0.9, "others": others}


def certified(runs: int, bound: Callable[[Array, Array, Notion, int], float], rotate: bool) -> Iterator[Row]:
    for (epsilon, delta), sizes in CERTIFY.items():
        for n, (least, clopper_pearson, joint, jax) in sizes.items():
            notion = ApproximateDP(epsilon=epsilon, delta=delta)
            found = [
                bound(*vectors(epsilon, delta, np.random.default_rng(k), n, rotate), notion, k)
                for k in range(runs if n < 50_000 else max(runs // 4, 20))
            ]
            what = f"(iii) ({epsilon}, {delta}), {'random direction' if rotate else 'one coordinate'}"
            others = f"oracle Clopper-Pearson {clopper_pearson:.3f}, joint {joint:.3f}; jax_privacy {jax:.3f}"
            yield {"what": what, "n": n, "value": float(np.median(found)), "at least": least, "others": others}


def streams(runs: int) -> Iterator[Row]:
    """Yield the outputs of each distribution until the audit of a stream stops."""
    from audit_sequential import FAULTS

    for name, (mechanism, claim, *_) in FAULTS.items():
        found = [
            audit_mechanism(mechanism, 0, 1, claim, max_samples=50_000, batch=16, rng=seed) for seed in range(runs)
        ]
        taken = [r.n if r.rejected else np.inf for r in found]
        yield {
            "what": f"any time: {name}",
            "n": "",
            "value": np.median(taken),
            "at least": None,
            "others": "outputs, median",
        }


def divergences(runs: int) -> Iterator[Row]:
    """Yield the kernel Renyi and the Renyi divergences of `audit_divergences.py`."""
    from audit_divergences import kernel_power, renyi_power

    for row in kernel_power(runs):
        least = {5_000: 0.6, 50_000: 0.95}.get(row["n"])
        yield {"what": "kernel Renyi", "n": row["n"], "value": row["median"], "at least": least, "others": ""}
    for row in renyi_power("(3, .03)", runs):
        others = f"two cells {row['two cells']:.3f}, best k = {row['k']:.0f} {row['best k']:.3f}"
        what = f"Renyi, order {row['alpha']}, d = {row['d']}, share"
        yield {"what": what, "n": row["n"], "value": row["witness"], "at least": None, "others": others}


def oracle(runs: int) -> Iterator[Row]:
    """Yield a limit for audits by one event: direction and best threshold are known, and all outputs are tested."""
    for (epsilon, delta), sizes in CERTIFY.items():
        mu = distance(epsilon, delta)
        for n, (*_, joint, _) in sizes.items():
            t = np.linspace(-1, 4, 201)
            p, q = ((n * norm.sf(t - shift) + 1) / (n + 2) for shift in (mu, 0))
            best = t[np.argmax(approximate_gain(p, n, q, n, delta, float(norm.isf(LEVEL))))]
            rng, found = np.random.default_rng(0), []
            for _ in range(runs):
                a, b = (int(rng.binomial(n, norm.sf(best - shift))) for shift in (mu, 0))
                found.append(JointTest(a=a, n=n, b=b, m=n, level=LEVEL, delta=delta).epsilon_lower(delta=delta))
            others = f"oracle joint {joint:.3f}"
            yield {
                "what": f"(iii) ({epsilon}, {delta}), oracle",
                "n": n,
                "value": np.median(found),
                "at least": None,
                "others": others,
            }


# Peers, on the same samples, half of which they use to learn a direction


def learnt_scores(x: Array, y: Array, seed: int) -> tuple[Array, Array]:
    if x.ndim == 1:
        return x, y
    half = len(x) // 2
    score = Linear().fit(x[:half], y[:half], np.random.default_rng(seed))
    return score(x[half:]), score(y[half:])


def jax_privacy(x: Array, y: Array, notion: Notion, seed: int) -> float:
    auditing: Any = importlib.import_module("jax_privacy.auditing")

    delta = float(getattr(notion, "delta", 0))
    return float(auditing.CanaryScoreAuditor(*learnt_scores(x, y, seed)).epsilon_clopper_pearson(LEVEL, delta))


def histogram(x: Array, y: Array, notion: Notion, seed: int) -> bool:
    """Test as StatDP does: the best of ten cells, chosen on half of the samples; Fisher's test of thinned counts."""
    half, rng, gain = len(x) // 2, np.random.default_rng(seed), np.exp(float(notion.epsilon))  # type: ignore[attr-defined]
    edges = np.quantile(np.concatenate([x[:half], y[:half]]), np.linspace(0, 1, 11))[1:-1]
    counts = [np.bincount(np.searchsorted(edges, z), minlength=10) for z in (x[:half], y[:half], x[half:], y[half:])]
    smallest = 2.0
    for first, second, a, b in ((*counts,), (counts[1], counts[0], counts[3], counts[2])):
        cell = int(np.argmax(first / np.sqrt(gain * second + 1) - np.sqrt(gain * second)))
        thinned = rng.binomial(a[cell], 1 / gain)
        table = [[thinned, len(x) - half - thinned], [b[cell], len(y) - half - b[cell]]]
        smallest = min(smallest, float(fisher_exact(table, "greater")[1]))
    return 2 * smallest <= LEVEL


def tables(runs: int, peers: bool) -> Iterator[tuple[str, Iterator[Row]]]:
    share = rejections(_SHARE * runs, lambda *a: audit_(*a).rejected)
    yield "krdtheory.audit, share of runs that reject", share
    for rotate in (False, True):
        where = "random direction" if rotate else "one coordinate"
        bounds = certified(runs, lambda *a: audit_(*a).epsilon_lower or 0.0, rotate)
        yield f"krdtheory.audit, median epsilon, {where}", bounds
    yield "The best there is, by the same test", oracle(runs)
    yield "Audits of streams", streams(runs)
    yield "Divergences, median bound or share of the true value", divergences(20)
    if peers:
        yield "Histogram rule, as StatDP", rejections(runs, histogram)
        if importlib.util.find_spec("jax_privacy"):
            yield "jax_privacy", rejections(runs, lambda x, y, c, k: jax_privacy(x, y, c, k) > c.epsilon)
            yield "jax_privacy, direction learnt on half", certified(runs, jax_privacy, True)


def audit_(x: Array, y: Array, notion: Notion, seed: int) -> AuditResult:
    return audit(x, y, notion, confidence=1 - LEVEL, rng=seed)


def shown(value: Any) -> str:
    return "" if value is None else f"{value:.3f}" if isinstance(value, float) and value < 100 else f"{value:g}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--only", default="", help="the tables with this in their title")
    options = parser.parse_args()
    table = Table(
        title=f"Audits at 95%, {options.runs} runs, {_SHARE * options.runs} of a share",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for name in ("what", "n", "ours", "at least", "others"):
        table.add_column(name, justify="right" if name in ("n", "ours", "at least") else "left")
    records, short = [], 0
    for title, rows in tables(options.runs, options.peers):
        if options.only not in title:
            continue
        table.add_section()
        table.add_row(f"[bold]{title}")
        for row in track(rows, title, transient=True, disable=not Console().is_terminal):
            table.add_row(row["what"], str(row["n"]), shown(row["value"]), shown(row["at least"]), row["others"])
            records.append({"table": title, **row})
            if "krdtheory" in title:
                short += row["value"] < row["at least"]
    Console(width=150).print(table)
    done = {record["table"] for record in records}
    if OUT.exists():  # tables found by other runs are kept
        with OUT.open(newline="") as file:
            records = [row for row in csv.DictReader(file) if row["table"] not in done] + records
    recorded.write(OUT.name, records, ["table", "what", "n", "value", "others"])
    return int(short > 0)


if __name__ == "__main__":
    raise SystemExit(main())
