"""How long the library's slow functions take, compared with the best peer or the hardware, in one table.

    python benchmarks/speed.py [--quick] [--only WORD] [--runs N] [--against CHECKOUT]

Times are CPU seconds of one core, those of a command included, the least of N runs, or of as many as take a minute; the
sides of a row are timed alternately, so the ratios are more reliable than the times. Memory is what Python allocates
within the process; "reach" is the target of the project for the time or for its ratio to the peer's. `--against` times
the same work in another checkout of this repository, alternately in its own process. `--quick` leaves out what takes
seconds, and only prints the table. Otherwise its rows replace those of the same names in results/speed.json, each with
the commit, or all rows if these are of another machine. All of them take half an hour.
"""

from __future__ import annotations

import os

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

import argparse
import json
import resource
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
from recorded import machine
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy.linalg import eigh, eigvalsh, solve_triangular
from scipy.special import rel_entr

import krdtheory
from krdtheory import ball, mp
from krdtheory.audit import assert_private, audit
from krdtheory.divergences.cuts import k_cut
from krdtheory.divergences.smooth import smooth_renyi
from krdtheory.kernels import kernel_renyi_estimate
from krdtheory.privacy.composition import heterogeneous_composition, optimal_composition_delta
from krdtheory.privacy.conversions import rdp_to_approximate_dp
from krdtheory.privacy.notions import ApproximateDP

OUT = Path(__file__).parent / "results" / "speed.json"
Work = Callable[[], Any]
NOTHING = "", None


@dataclass(frozen=True)
class Row:
    """A piece of work; `make` returns it ready to run, with a peer's name and the peer's work."""

    work: str
    make: Callable[[], tuple[Work, str, Work | None]]
    reach: str  # seconds, or multiples of the peer's time
    quick: bool = True


# Kernels


ORDERS = (1.5, 2, 2.5, 3, 4, 6, 8, 12, 20)


def estimate(
    n: int, dimension: int, orders: tuple[float, ...] = ORDERS, lambdas: tuple[float, ...] = (1e-3, 1e-2, 1e-1)
) -> Any:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(n, dimension)), rng.normal(0.5, 1, (n, dimension))
    bandwidth = np.sqrt(2 * dimension)  # given, because the median of 10^10 distances takes longer than the estimate
    return partial(kernel_renyi_estimate, x, y, alpha=orders, regularization=lambdas, bandwidth=bandwidth), *NOTHING


# Composition and conversions


def composition() -> Any:
    return partial(optimal_composition_delta, epsilon=1e-5, delta=0, k=10**9, total_epsilon=1.0), *NOTHING


def heterogeneous(n: int) -> Any:
    epsilon = np.random.default_rng(0).uniform(0.05, 0.4, n)
    return partial(heterogeneous_composition, epsilon=epsilon, delta=1e-8, total_delta=1e-5), *NOTHING


def conversion(n: int) -> Any:
    rho = np.geomspace(1e-3, 10, n) if n > 1 else 0.5
    ours = partial(rdp_to_approximate_dp, alpha=8, epsilon=rho, delta=1e-5)
    if n > 1:
        return ours, *NOTHING
    return ours, "ball, 50 digits", partial(ball.rdp_to_approximate_dp, alpha=8, epsilon=rho, delta=1e-5)


def mp_conversion(name: str, **arguments: Any) -> Any:
    ours, balls = (partial(getattr(module, name), **arguments, digits=50) for module in (mp, ball))
    return ours, "ball", balls


# Classical


def weights(n: int) -> tuple[np.ndarray, np.ndarray]:
    p, q = np.random.default_rng(0).dirichlet(np.ones(n), 2) if n < 10**6 else np.random.default_rng(0).random((2, n))
    return p / p.sum(), q / q.sum()


def relative_entropy(n: int) -> Any:
    p, q = weights(n)
    return partial(krdtheory.kl, p, q), "sum of rel_entr", lambda: rel_entr(p, q).sum()


def renyi(n: int) -> Any:
    p, q = weights(n)
    return partial(krdtheory.renyi, p, q, 2.5), "one line", lambda: np.log((p**2.5 * q**-1.5).sum()) / 1.5


def chi_squared(n: int) -> Any:
    p, q = weights(n)
    return partial(krdtheory.f_divergence, p, q, "chi_squared"), "one line", lambda: ((p - q) ** 2 / q).sum()


def cut(n: int, k: int) -> Any:
    p, q = weights(n)
    return partial(k_cut, p, q, partial(krdtheory.renyi, alpha=2), k), "sort", lambda: np.sort(p / q)


def stick_cut(n: int) -> Any:
    p, q = weights(n)
    stick = partial(krdtheory.hockey_stick, epsilon=0.5)
    return partial(k_cut, p, q, stick, 2), "hockey_stick", partial(stick, p, q)


def smooth(n: int) -> Any:
    p, q = weights(n)
    return partial(smooth_renyi, p, q, 2, delta=0.01), "sort", lambda: np.sort(p / q)


# Quantum


def states(d: int, batch: tuple[int, ...] = ()) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, *batch, d, d)) + 1j * rng.normal(size=(2, *batch, d, d))
    x = x @ np.conj(x.swapaxes(-1, -2))
    x /= np.trace(x, axis1=-2, axis2=-1)[..., None, None].real
    rho, sigma = (x + np.conj(x.swapaxes(-1, -2))) / 2
    return rho, sigma


def sandwiched(d: int, batch: tuple[int, ...] = ()) -> Any:
    rho, sigma = states(d, batch)
    solve = np.linalg.eigh if batch else eigh
    return partial(krdtheory.sandwiched_renyi, rho, sigma, 2.5), "two eigh", lambda: (solve(rho), solve(sigma))


def max_relative_entropy(d: int) -> Any:
    rho, sigma = states(d)

    def peer() -> Any:
        factor = np.linalg.cholesky(sigma)
        half = solve_triangular(factor, rho, lower=True)
        return np.log(eigvalsh(solve_triangular(factor, np.conj(half.T), lower=True), subset_by_index=(d - 1, d - 1)))

    return partial(krdtheory.max_relative_entropy, rho, sigma), "Cholesky, eigvalsh", peer


# Multiprecision


def mp_sandwiched(d: int) -> Any:
    rho, sigma = states(d)

    def peer() -> Any:
        with mpmath.workdps(50):
            b, v = mpmath.eighe(mpmath.matrix(sigma.tolist()))
            root = v * mpmath.diag([x ** mpmath.mpf(-0.3) for x in b]) * v.H
            t = mpmath.eighe(root * mpmath.matrix(rho.tolist()) * root, eigvals_only=True)
            return mpmath.log(mpmath.fsum(x ** mpmath.mpf(2.5) for x in t)) / 1.5

    return partial(mp.sandwiched_renyi, rho, sigma, 2.5), "mpmath written plainly", peer


def mp_renyi(n: int) -> Any:
    p, q = weights(n)

    def peer() -> Any:
        with mpmath.workdps(50):
            a, b = (list(map(mpmath.mpf, x.tolist())) for x in (p, q))
            return mpmath.log(mpmath.fsum(x * (x / y) ** 1.5 for x, y in zip(a, b, strict=True)) / mpmath.fsum(a)) / 1.5

    return partial(mp.renyi, p, q, 2.5), "mpmath written plainly", peer


# Audits


def audited(n: int, dimension: int, **options: Any) -> Any:
    x, y = np.random.default_rng(0).normal(size=(2, n, dimension))
    x[:, 0] += 1
    return partial(audit, x, y, ApproximateDP(epsilon=1, delta=1e-5), rng=0, **options), *NOTHING


def asserted(dimension: int) -> Any:
    def mechanism(inputs: float, rng: np.random.Generator) -> np.ndarray:
        return rng.normal(inputs, 1, dimension)

    return partial(assert_private, mechanism, 0.0, 0.0, ApproximateDP(epsilon=1, delta=1e-5), rng=0), *NOTHING


# Processes


LIBRARIES = """import flint, mpmath, numpy, rich.table, scipy.linalg, scipy.special, typer
def main(n: int = 1): pass
typer.run(main)"""  # typer imports pydantic with the first option


def process(*arguments: str) -> Work:
    where = Path(krdtheory.__file__).parents[1]
    return partial(subprocess.run, [sys.executable, *arguments], cwd=where, stdout=subprocess.DEVNULL)


def imported() -> Any:
    return process("-c", "import krdtheory"), "numpy, scipy.linalg", process("-c", "import numpy, scipy.linalg")


def command(*arguments: str) -> Any:
    return process("-m", "krdtheory", *arguments), "libraries alone", process("-c", LIBRARIES)


def rows() -> list[Row]:
    out = [
        Row("optimal composition, k = 10^9", composition, "10 ms"),
        Row("heterogeneous composition, n = 20", partial(heterogeneous, 20), ""),
        Row("heterogeneous composition, n = 40", partial(heterogeneous, 40), "0.1 s"),
        Row("kernel estimate, 27 values, d = 2, n = 500", partial(estimate, 500, 2), ""),
        Row("kernel estimate, 27 values, d = 2, n = 2,000", partial(estimate, 2000, 2), "0.15 s"),
        Row("kernel estimate, 27 values, d = 2, n = 100,000", partial(estimate, 100_000, 2), "10 s", quick=False),
        Row("kernel estimate, 27 values, d = 30, n = 500", partial(estimate, 500, 30), ""),
        Row("kernel estimate, 27 values, d = 30, n = 2,000", partial(estimate, 2000, 30), "8 s", quick=False),
        Row("kernel estimate, 27 values, d = 30, n = 5,000", partial(estimate, 5000, 30), "4 GiB", quick=False),
    ]
    for n in (500, 2000):
        name = f"kernel estimate, 3 values, lambda = 1e-6, d = 30, n = {n:,}"
        out.append(Row(name, partial(estimate, n, 30, (0.75, 2, 6), (1e-6,)), "11 s, 330 MiB" * (n > 500), n == 500))
    out += [
        Row("k_cut of renyi, n = 10^4, k = 5", partial(cut, 10**4, 5), ""),
        Row("k_cut of renyi, n = 10^5, k = 5", partial(cut, 10**5, 5), "0.5 s", quick=False),
        Row("k_cut of renyi, n = 10^5, k = 20", partial(cut, 10**5, 20), "3 s", quick=False),
        Row("k_cut of hockey_stick, n = 10^5, k = 2", partial(stick_cut, 10**5), "as it"),
        Row("smooth_renyi, n = 10^6", partial(smooth, 10**6), "5 x"),
    ]
    for n in (10**4, 10**6, 10**7):
        for name, make in (("kl", relative_entropy), ("renyi", renyi), ("chi-squared", chi_squared)):
            out.append(Row(f"{name}, n = {n:,}", partial(make, n), "2 x", quick=n < 10**7))
    for d, reach in ((2, 8), (16, 3), (64, 1.3), (256, 1.3)):
        out.append(Row(f"sandwiched_renyi, d = {d}", partial(sandwiched, d), f"{reach} x"))
    for d in (2, 64, 256):
        out.append(Row(f"max_relative_entropy, d = {d}", partial(max_relative_entropy, d), "1.5 x"))
    for d in (2, 4):
        out.append(Row(f"10^5 pairs, d = {d}", partial(sandwiched, d, (10**5,)), "1.5 x", quick=False))
        out.append(Row(f"10^3 pairs, d = {d}", partial(sandwiched, d, (10**3,)), "1.5 x"))
    out += [
        Row("conversion of one order, one value", partial(conversion, 1), "0.3 ms"),
        Row("conversion of one order, 10^5 values", partial(conversion, 10**5), "0.1 s"),
        Row("mp: conversion of zCDP", partial(mp_conversion, "zcdp_to_approximate_dp", rho=0.5, delta=1e-5), "2 x"),
        Row(
            "mp: conversion of RDP",
            partial(mp_conversion, "rdp_to_approximate_dp", alpha=8, epsilon=0.5, delta=1e-5),
            "2 x",
        ),
        Row("mp: sandwiched_renyi, d = 2", partial(mp_sandwiched, 2), "1 x"),
        Row("mp: sandwiched_renyi, d = 8", partial(mp_sandwiched, 8), "1 x"),
        Row("mp: sandwiched_renyi, d = 32", partial(mp_sandwiched, 32), "1 x", quick=False),
        Row("mp: renyi, n = 1,000", partial(mp_renyi, 1000), "1 x"),
        Row("audit, d = 1, n = 1,000", partial(audited, 1000, 1), "8 ms"),
        Row("audit, d = 30, n = 1,000", partial(audited, 1000, 30), "25 ms"),
        Row("audit, d = 1, n = 10^5, events = 20", partial(audited, 10**5, 1, events=20), "1 s", quick=False),
        Row("assert_private, d = 500", partial(asserted, 500), "5 s", quick=False),
        Row("import krdtheory", imported, "0.35 s"),
        Row("krdtheory --help", partial(command, "--help"), "0.5 s"),
        Row(
            "krdtheory check, one false conjecture",
            partial(command, "check", "examples/conjectures.py", "--claim", "example.triangle"),
            "0.7 s",
        ),
        Row("krdtheory verify", partial(command, "verify", "--quiet", "--workers", "1"), "30 s", quick=False),
    ]
    return out


# Measuring


def cpu() -> float:
    """Return the CPU seconds of this process and of those that it has started."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def seconds(work: Work) -> float:
    """Return the CPU seconds of one run, averaged over as many runs as take a hundredth of a second."""
    count, start = 0, cpu()
    while True:
        work()
        count += 1
        if (taken := cpu() - start) > 0.01:
            return taken / count


def peak(work: Work) -> float:
    """Return the mebibytes that a run allocates in addition to its arguments."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


class Other:
    """The same rows in another checkout, in a separate process."""

    def __init__(self, checkout: str) -> None:
        command = [sys.executable, __file__, "--serve"]
        environment = os.environ | {"PYTHONPATH": checkout}
        self.process = subprocess.Popen(
            command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def seconds(self, work: str) -> float:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(work + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def serve() -> None:
    """Print the seconds of each requested row, line by line."""
    known = {row.work: row for row in rows()}
    ready: tuple[str, Work] = "", float
    for line in sys.stdin:
        name = line.strip()
        if ready[0] != name:
            ready = name, known[name].make()[0]
        print(seconds(ready[1]), flush=True)


def measure(row: Row, runs: int, other: Other | None) -> dict[str, Any]:
    ours, name, peer = row.make()
    allocated = round(peak(ours), 1)
    best: dict[str, float] = {}
    end = time.monotonic() + 60
    for run in range(runs):
        if run and time.monotonic() > end:
            break
        sides: dict[str, Callable[[], float]] = {"seconds": partial(seconds, ours)}
        if peer is not None:
            sides["peer_seconds"] = partial(seconds, peer)
        if other is not None:
            sides["before"] = partial(other.seconds, row.work)
        for side, take in sides.items():
            best[side] = min(take(), best.get(side, np.inf))
    return {"work": row.work, "peer": name, "reach": row.reach, "peak_mib": allocated, **best}


def table(measured: list[dict[str, Any]], against: str | None) -> Table:
    out = Table(box=None, pad_edge=False)
    out.add_column("work")
    for column in ("ms", "MiB", *(["before (ms)", "faster"] if against else []), "peer", "ms", "ratio", "reach"):
        out.add_column(column, justify="right")
    for row in measured:
        numbers = [f"{1e3 * row['seconds']:.3g}", f"{row['peak_mib']:.0f}"]
        if against:
            numbers += [f"{1e3 * row['before']:.3g}", f"{row['before'] / row['seconds']:.1f}"]
        numbers.append(row["peer"])
        if "peer_seconds" in row:
            numbers += [f"{1e3 * row['peer_seconds']:.3g}", f"{row['seconds'] / row['peer_seconds']:.1f}"]
        else:
            numbers += ["", ""]
        out.add_row(row["work"], *numbers, row["reach"])
    return out


def record(measured: list[dict[str, Any]]) -> None:
    """Write rows to results/speed.json beside those measured before on this machine."""
    here = machine()
    commit = here.pop("commit")
    before = json.loads(OUT.read_text(encoding="utf-8"))
    kept = before.pop("rows") if {name: before.get(name) for name in here} == here else []
    new = {row["work"]: {**row, "commit": commit} for row in measured}
    known = {row["work"]: row for row in kept} | new
    out = [known[row.work] for row in rows() if row.work in known]
    OUT.write_text(json.dumps({**here, "rows": out}, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="only what takes less than a second or so")
    parser.add_argument("--only", default="", help="rows whose name holds this")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--against", metavar="CHECKOUT", help="another checkout, timed beside this one")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve()
        return
    other = Other(given.against) if given.against else None
    chosen = [row for row in rows() if given.only in row.work and (row.quick or not given.quick)]
    if not chosen:
        parser.error(f"no row holds {given.only!r}; they are: {', '.join(row.work for row in rows())}")
    quiet = not sys.stderr.isatty()
    progress = track(chosen, "Measuring", console=Console(stderr=True), transient=True, disable=quiet)
    measured = [measure(row, given.runs, other) for row in progress]
    Console(width=150).print(table(measured, given.against))
    if not given.quick:
        record(measured)


if __name__ == "__main__":
    main()
