"""A campaign on a dask cluster: a hundred million instances verified, and a hundred million outputs audited in pieces.

    python benchmarks/campaign.py [--instances 100000000] [--outputs 100000000] [--workers 1 2] [--quick]
    python benchmarks/campaign.py --scheduler tcp://host:8786

The first form starts clusters of local processes, one after the other, with the given numbers of workers; the second
uses a running cluster. Verification tests cheap claims, with one claim and one seed per task; the audit is of Laplace
noise that is exactly 1-private, with a million outputs for each input per task. The results must not depend on the
workers, and must equal those of this process without any, and for the audit those of all outputs at once; a worker's
memory must not grow from the first tenth of its tasks to the last. Writes benchmarks/results/campaign.json. A hundred
million instances take about ten minutes of CPU time for each number of workers, and as long without a cluster;
a hundred million outputs take ten seconds.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import dask
import numpy as np
import psutil
from distributed import Client, LocalCluster, as_completed
from recorded import RESULTS, tell
from rich.console import Console
from rich.table import Table

from krdtheory.audit import EventAudit, learn_event
from krdtheory.privacy.notions import PureDP
from verification import report
from verification.campaign import run
from verification.claim import select

OUT = RESULTS / "campaign.json"
CLAIMS = (  # the sides take microseconds, and no proof settles them, so that all instances are sampled or climbed to
    "hyptest.thm18.bound.corrected",
    "hyptest.lem13.jensen",
    "hyptest.thm18.pointwise",
    "hyptest.b1.maps",
    "capacity.thm7.pinsker",
    "capacity.thm6.corrected",
)
BUDGET = 400_000  # instances of a claim at one seed
PIECE = 1_000_000  # outputs for each input
LEARN = 100_000
CLAIM = PureDP(epsilon=0.999)
GROWTH = 1.1  # the largest growth of a worker's memory, from the first tenth of the tasks to the last


# Work


def verified(
    ids: Sequence[str], instances: int, budget: int, executor: Any, tenth: Callable[[], None]
) -> dict[str, Any]:
    """Check claims at one seed after another, until there are that many instances."""
    claims, total, seeds = select(ids=ids), 0, 0
    digest, verdicts = hashlib.sha256(), set()
    while total < instances:
        for outcome in run(claims, budget=budget, rng=seeds, executor=executor):
            total += outcome.drawn
            verdicts.add(str(outcome.verdict))
            digest.update(json.dumps(report.record(replace(outcome, seconds=0)), sort_keys=True).encode())
        seeds += 1
        if 10 * total >= instances:
            tenth()
    return {"done": total, "found": f"{', '.join(sorted(verdicts))}; {digest.hexdigest()[:16]}"}


def drawn(piece: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the outputs of one piece."""
    rng = np.random.default_rng([1, piece])
    return rng.laplace(1, 1, size), rng.laplace(0, 1, size)


def counted(learnt: EventAudit, piece: int, size: int) -> EventAudit:
    return learnt.partial_fit(*drawn(piece, size))


def learnt(outputs: int) -> EventAudit:
    rng = np.random.default_rng(0)
    half = outputs // 2
    return learn_event(rng.laplace(1, 1, LEARN), rng.laplace(0, 1, LEARN), CLAIM, n=half, m=half, rng=0)


def told(audit: EventAudit) -> dict[str, Any]:
    result = audit.result()
    counts = f"{audit.a:,} and {audit.b:,} of {audit.n:,}"
    return {"done": audit.n + audit.m, "found": f"{counts}; epsilon >= {result.epsilon_lower:.6f}"}


def audited(outputs: int, piece: int, client: Client | None, tenth: Callable[[], None]) -> dict[str, Any]:
    """Audit in pieces, which are merged as they arrive."""
    whole, pieces = learnt(outputs), math.ceil(outputs / (2 * piece))
    if client is None:
        for i in range(pieces):
            whole = whole.partial_fit(*drawn(i, piece))
        return told(whole)
    (there,) = client.scatter([whole], broadcast=True)
    done = 0
    for future in as_completed(client.map(counted, [there] * pieces, range(pieces), [piece] * pieces, pure=False)):
        whole, done = whole.merge(future.result()), done + 1
        future.release()
        if 10 * done >= pieces:
            tenth()
    return told(whole)


def audited_at_once(outputs: int, piece: int) -> dict[str, Any]:
    """Audit the same outputs in two arrays, in this process."""
    pieces = math.ceil(outputs / (2 * piece))
    whole = learnt(outputs)
    for place, name in enumerate("xy"):
        whole = whole.partial_fit(**{name: np.concatenate([drawn(i, piece)[place] for i in range(pieces)])})
    return told(whole)


# Measuring


def memory() -> float:
    """Return the memory of this process, in MiB."""
    return float(psutil.Process().memory_info().rss / 2**20)


def measured(work: Callable[..., dict[str, Any]], client: Client, *arguments: Any) -> dict[str, Any]:
    """Return the result, the time, and the memory of the largest worker after a tenth of the work and at the end."""
    early: list[float] = []

    def tenth() -> None:
        if not early:
            early.append(max(client.run(memory).values()))

    start = time.perf_counter()
    found = work(*arguments, tenth)
    seconds = time.perf_counter() - start
    return found | {"seconds": seconds, "early": early[0], "late": max(client.run(memory).values())}


@contextmanager
def cluster(workers: int, address: str | None) -> Iterator[Client]:
    """Yield a running cluster, or a new one of local processes."""
    # dask keeps as many past events of a worker, which hold the results of its tasks
    with dask.config.set({"distributed.admin.low-level-log-length": 30}), ExitStack() as opened:
        local = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0"}
        client = opened.enter_context(Client(address or opened.enter_context(LocalCluster(**local))))
        client.wait_for_workers(workers or 1)
        client.run(select)  # imported before the clock starts
        yield client


def campaign(options: argparse.Namespace) -> list[dict[str, Any]]:
    rows = []
    for workers in [0] if options.scheduler else options.workers:
        with cluster(workers, options.scheduler) as client:
            there = {"workers": workers or len(client.scheduler_info()["workers"])}
            found = measured(verified, client, *options.verify, client.get_executor())
            rows.append({"work": "verify", **there, **found})
        # a new cluster, so that its memory is that of this work alone
        with cluster(workers, options.scheduler) as client:
            audited(2_000, 100, client, lambda: None)  # imports what it needs, here and on the workers
            found = measured(audited, client, options.outputs, options.piece, client)
            rows.append({"work": "audit", **there, **found})
    return rows


def faults(rows: list[dict[str, Any]], alone: dict[str, list[str]]) -> list[str]:
    """Return the differences between results, and the growth of memory."""
    out = []
    for row in rows:
        what = f"{row['work']} with {row['workers']} workers"
        if any(row["found"] != other for other in alone[row["work"]]):
            out.append(f"{what} found {row['found']}; without a cluster it is {' and '.join(alone[row['work']])}")
        if row["late"] > GROWTH * row["early"]:
            out.append(f"{what}: memory grew from {row['early']:.0f} to {row['late']:.0f} MiB")
    return out


def table(rows: list[dict[str, Any]]) -> Table:
    out = Table(title="A campaign on a dask cluster", title_justify="left", box=None)
    for column in ("work", "workers", "done", "seconds", "a second", "speed-up", "MiB early", "MiB late"):
        out.add_column(column, justify="left" if column == "work" else "right", no_wrap=True)
    first: dict[str, float] = {}
    for row in rows:
        base = first.setdefault(row["work"], row["seconds"])
        out.add_row(
            row["work"],
            str(row["workers"]),
            f"{row['done']:,}",
            f"{row['seconds']:.1f}",
            f"{row['done'] / row['seconds']:,.0f}",
            f"{base / row['seconds']:.2f}",
            f"{row['early']:.0f}",
            f"{row['late']:.0f}",
        )
    return out


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="A campaign on a dask cluster: time, memory, and the same result.")
    parser.add_argument("--instances", type=int, default=100_000_000)
    parser.add_argument("--outputs", type=int, default=100_000_000)
    parser.add_argument("--budget", type=int, default=BUDGET, help="instances of a claim at one seed")
    parser.add_argument("--piece", type=int, default=PIECE, help="outputs of a piece, for each input")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--scheduler", help="address of a cluster that runs already")
    parser.add_argument("--quick", action="store_true", help="small, in a minute; writes nothing")
    options = parser.parse_args(arguments)
    if options.quick:
        options.instances, options.budget, options.outputs, options.piece = 500, 200, 200_000, 10_000
    options.verify = CLAIMS[:3] if options.quick else CLAIMS, options.instances, options.budget
    rows = campaign(options)
    alone = {
        "verify": [verified(*options.verify, None, lambda: None)["found"]],
        "audit": [
            audited(options.outputs, options.piece, None, lambda: None)["found"],
            audited_at_once(options.outputs, options.piece)["found"],
        ],
    }
    Console(width=100).print(table(rows))
    for work, found in alone.items():
        print(f"{work}: {found[0]}")
    wrong = faults(rows, alone)
    print(*(wrong or ["the same with any number of workers, and without a cluster"]), sep="\n")
    if not options.quick:
        OUT.write_text(json.dumps({"rows": rows, "alone": alone}, indent=1) + "\n")
        tell(OUT.name)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
