"""One-run audits: how much they find, compared with oracles and other auditors, and how often they claim too much.

    python benchmarks/one_run.py power [--seeds 20] [--first-seed 1000] [--peer-seeds 5]
    python benchmarks/one_run.py level [--runs 2000] [--sizes 100 1000 10000]

`power` takes a quarter of an hour on one core, `level` half an hour; with the extra `jax`, `power` also shows the
`CanaryScoreAuditor` of jax_privacy on the same scores. The results are saved in benchmarks/results/one_run_power.csv
and one_run_level.csv.

An oracle bounds the median of any valid lower bound: it is the claim at which the best test of the true distribution
against one distribution that satisfies the claim has power 1/2. That distribution has the same strengths of scores as
the true one, and as many right guesses at each strength as the claim permits; for Gaussian DP, it may also rarely
reveal more of all canaries at once.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[_name] = "1"

import numpy as np  # noqa: E402
import recorded  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.progress import track  # noqa: E402
from rich.table import Table  # noqa: E402
from scipy.special import expit, ndtr, ndtri  # noqa: E402
from scipy.stats import binom  # noqa: E402

from krdtheory.audit import audit_one_run  # noqa: E402
from krdtheory.privacy.conversions import gdp_to_approximate_dp, gdp_to_delta  # noqa: E402
from krdtheory.privacy.notions import ApproximateDP, GaussianDP  # noqa: E402

DELTA, LEVEL = 1e-5, 0.05
CELLS = [(mu, m) for m in (1_000, 10_000) for mu in (0.5, 1.0, 2.0, 4.0)]
REACH = dict(
    zip(
        CELLS,
        [(0.55, 0.8), (1.55, 2.3), (3.3, 5.2), (5.3, 10.0), (0.9, 1.2), (2.1, 2.75), (4.4, 6.0), (7.1, 12.3)],
        strict=True,
    )
)
Draw = Callable[[np.random.Generator, int], tuple[Any, Any]]


def gaussian(mu: float, part: float = 1.0) -> Draw:
    """Return a draw of scores of unit variance, about 0 and mu for a part of the canaries, about 0 for the others."""

    def draw(rng: np.random.Generator, m: int) -> tuple[Any, Any]:
        included = rng.random(m) < 0.5
        leaks = np.arange(m) < part * m
        return rng.normal(size=m) + mu * leaks * included, included

    return draw


def oracle(mu: float, m: int, claimed: Callable[[float, Any], Any], low: float, high: float, level: float) -> float:
    """Return the claim at which a test has power 1/2.

    It is the best test at a level, of scores about +-mu / 2 against a distribution that satisfies the claim.
    """
    rng = np.random.default_rng(0)
    strength = np.abs(rng.normal(mu / 2, 1, 200_000))
    true = expit(mu * strength)
    which, coin = rng.integers(len(strength), size=(400, m)), rng.random((400, m))

    def power(x: float) -> float:
        """Return the median of a sum of m log-likelihood ratios minus its critical value, by simulation."""
        kept = np.minimum(claimed(x, strength), true)
        gain, loss = np.log(true / kept), np.log1p(-true) - np.log1p(-kept)
        p, q, right, wrong = true[which], kept[which], gain[which], loss[which]
        sums = [np.where(coin < chance, right, wrong).sum(1) for chance in (p, q)]
        return float(np.median(sums[0]) - np.quantile(sums[1], 1 - level))

    for _ in range(12):
        middle = (low + high) / 2
        low, high = (middle, high) if power(middle) > 0 else (low, middle)
    return high


def plane_oracle(mu: float, m: int) -> float:
    """Return the oracle for epsilon of each canary separately: guesses are right with probability at most q."""
    return oracle(mu, m, lambda epsilon, strength: np.full(len(strength), expit(epsilon)), 1e-3, mu * (mu + 3), LEVEL)


def gaussian_oracle(mu: float, m: int) -> float:
    """Return the oracle for Gaussian DP, as epsilon at DELTA.

    The distribution that satisfies the claim reveals more with some probability c, and otherwise nothing at all. When
    it does, the test may reject with probability LEVEL / c, and the most confident guesses are right as often as the
    claim permits for events of probability c.
    """
    grid = np.linspace(0, mu / 2 + 8, 4001)
    beyond = ndtr(mu / 2 - grid) + ndtr(-mu / 2 - grid)
    h = np.concatenate([np.geomspace(1e-15, 1e-3, 400), np.linspace(1e-3, 1, 4000)[1:-1]])
    found = []
    for c in (1.0, 0.5, 0.3, 0.2, 0.15, 0.12):

        def claimed(other: float, strength: Any, c: float = c) -> Any:
            z = ndtri(c * h)
            part = ndtr(z + other) / c + h
            return np.interp(np.interp(strength, grid, beyond), part, expit(-other * z - other**2 / 2))

        found.append(oracle(mu, m, claimed, 1e-3, mu * (1 - 1e-3), LEVEL / c))
    return float(gdp_to_approximate_dp(mu=min(*found, mu), delta=DELTA))


def peer(scores: Any, included: Any) -> dict[str, float]:
    """Return the best one-run bounds of jax_privacy on the same scores; nothing if it is not installed."""
    try:
        from jax_privacy.auditing import CanaryScoreAuditor
    except ImportError:
        return {}
    auditor = CanaryScoreAuditor(scores[included], scores[~included])
    return {
        "jax_privacy one run": float(auditor.epsilon_one_run(significance=LEVEL, delta=DELTA)),
        "jax_privacy f-DP": float(auditor.epsilon_one_run_fdp(significance=LEVEL, delta=DELTA)),
    }


def bounds(scores: Any, included: Any, seed: int, with_peer: bool) -> dict[str, float]:
    plane = ApproximateDP(epsilon=0.1, delta=DELTA)
    given = {"confidence": 1 - LEVEL, "rng": seed}
    return {
        "(eps, delta)": float(audit_one_run(scores, included, plane, **given).epsilon_lower or 0.0),
        "bets": float(audit_one_run(scores, included, plane, method="bets", **given).epsilon_lower or 0.0),
        "GDP": audit_one_run(scores, included, GaussianDP(mu=0.1), **given).epsilon_at(DELTA),
        **(peer(scores, included) if with_peer else {}),
    }


def power(seeds: int, first: int, peer_seeds: int, sizes: list[int]) -> int:
    rows: list[dict[str, Any]] = []
    tasks = [(f"mu = {mu:g}", gaussian(mu), m, mu) for mu, m in CELLS if m in sizes]
    tasks += [("10% leak, mu = 4", gaussian(4.0, 0.1), m, None) for m in sizes]
    for name, draw, m, mu in tasks:
        found = []
        for seed in track(
            range(first, first + seeds), f"{name}, m = {m}", console=Console(stderr=True), transient=True
        ):
            rng = np.random.default_rng([seed, m, int(10 * (mu or 0))])
            found.append(bounds(*draw(rng, m), seed, seed < first + peer_seeds))
        row: dict[str, Any] = {"scores": name, "m": m, "seeds": seeds, "first seed": first}
        row |= {key: round(float(np.median([one[key] for one in found if key in one])), 3) for key in found[0]}
        if "jax_privacy f-DP" in found[0]:
            row["peer seeds"] = peer_seeds
        if mu is not None:
            row["true"] = round(float(gdp_to_approximate_dp(mu=mu, delta=DELTA)), 2)
            row["oracle (eps, delta)"], row["oracle GDP"] = plane_oracle(mu, m), gaussian_oracle(mu, m)
            row["reach (eps, delta)"], row["reach GDP"] = REACH[mu, m]
        elif m == 1_000:
            row["reach (eps, delta)"] = 1.8
        rows.append(row)
    show(f"Median lower bounds on epsilon at delta = {DELTA:g}, 95%, {seeds} seeds", rows)
    write("one_run_power.csv", rows)
    missed = [r for r in rows for key in ("(eps, delta)", "GDP") if r[key] < r.get(f"reach {key}", 0.0)]
    return int(bool(missed))


def show(title: str, rows: list[dict[str, Any]]) -> None:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for name in columns:
        table.add_column(name, justify="left" if name == columns[0] else "right")
    for row in rows:
        table.add_row(*(f"{v:.2f}" if isinstance(v, float) else str(v) for v in (row.get(c, "") for c in columns)))
    Console(width=160).print(table)


def write(name: str, rows: list[dict[str, Any]]) -> None:
    recorded.write(name, [{k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()} for row in rows])


# Mechanisms at the boundary of their claim


def response(rng: np.random.Generator, m: int, epsilon: float = 1.0) -> tuple[Any, Any]:
    """Release every coin by its own randomised response."""
    included = rng.random(m) < 0.5
    return (included ^ (rng.random(m) >= expit(epsilon))) + 0.0, included


def telling(rng: np.random.Generator, m: int, delta: float = 1e-2) -> tuple[Any, Any]:
    """Release all coins with probability delta, and otherwise a randomised response for each."""
    scores, included = response(rng, m)
    return (included * 1.0 if rng.random() < delta else scores), included


def worst_law(rng: np.random.Generator, m: int, epsilon: float = 1.0) -> tuple[Any, Any]:
    """Reveal coins together, so that the number of right guesses has the distribution that makes many likeliest."""
    included = rng.random(m) < 0.5
    q = expit(epsilon)
    v = int(binom.isf(LEVEL, m, q)) + 1
    right = int(rng.choice(m + 1, p=extremal(m, v, epsilon, min(1e-5, 0.1 / m))))
    chosen = rng.permutation(m) < right
    return (included == chosen) * 1.0, included


def extremal(m: int, v: int, epsilon: float, delta: float) -> Any:
    """Return the distribution of right guesses among m with the largest P(W >= v) under (epsilon, delta)-DP, with one
    excess, at v."""
    a = np.arange(m + 1)
    q = float(expit(epsilon))
    log_weights = binom.logpmf(a, m, q)
    beta, point = float(binom.sf(v - 1, m, q)), float(np.exp(log_weights[v]))
    mass = beta + m * delta * beta * (1 - beta) / (v * point)
    upper = np.where(a >= v, np.exp(log_weights) / beta * mass, 0)
    lower = np.where(a < v, np.exp(log_weights) / (1 - beta) * (1 - mass), 0)
    return (upper + lower) / (upper + lower).sum()


def normal(rng: np.random.Generator, m: int, mu: float = 1.0) -> tuple[Any, Any]:
    included = rng.random(m) < 0.5
    return rng.normal(size=m) + mu * included, included


def shared_noise(rng: np.random.Generator, m: int, epsilon: float = 1.0) -> tuple[Any, Any]:
    """Release the number of included canaries with Laplace noise: one output determines every score."""
    included = rng.random(m) < 0.5
    return np.full(m, included.sum() + rng.laplace(scale=1 / epsilon)) + np.linspace(0, 1e-9, m), included


AT_MU = float(gdp_to_delta(mu=1.0, epsilon=4.0))
CASES: dict[str, tuple[Draw, Any]] = {
    "randomised response": (response, ApproximateDP(epsilon=1, delta=0)),
    "randomised response, delta = 1e-5": (response, ApproximateDP(epsilon=1, delta=1e-5)),
    "everything with probability delta": (telling, ApproximateDP(epsilon=1, delta=1e-2)),
    "one output decides all": (shared_noise, ApproximateDP(epsilon=1, delta=0)),
    "worst distribution of right guesses": (worst_law, None),
    "Gaussian, (4, delta(4))": (normal, ApproximateDP(epsilon=4, delta=AT_MU)),
    "Gaussian, mu = 1": (normal, GaussianDP(mu=1.0)),
    "twin: response of 1.5, claims 1": (lambda rng, m: response(rng, m, 1.5), ApproximateDP(epsilon=1, delta=1e-5)),
}


def level(runs: int, sizes: list[int]) -> int:
    rows, wrong = [], 0
    limit = int(binom.isf(1e-3 / (len(CASES) * len(sizes)), runs, LEVEL))
    for name, (draw, notion) in CASES.items():
        for m in sizes:
            started = time.perf_counter()
            claim = notion or ApproximateDP(epsilon=1, delta=min(1e-5, 0.1 / m))
            rejected = 0
            for run in track(range(runs), f"{name}, m = {m}", console=Console(stderr=True), transient=True):
                rng = np.random.default_rng([run, m, len(name)])
                rejected += audit_one_run(*draw(rng, m), claim, confidence=1 - LEVEL, rng=run).rejected
            twin = name.startswith("twin")
            wrong += (rejected < runs / 2 and m > 100) if twin else rejected > limit
            rows.append(
                {"mechanism": name, "m": m, "runs": runs, "rejected": rejected, "at most": "" if twin else limit}
            )
            print(rows[-1], f"{time.perf_counter() - started:.0f} s", flush=True)
    show(f"Rejections of what is true, of {runs} runs at 5%", rows)
    write("one_run_level.csv", rows)
    return int(wrong > 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    of_power = commands.add_parser("power")
    of_power.add_argument("--seeds", type=int, default=20)
    of_power.add_argument("--first-seed", type=int, default=1000)
    of_power.add_argument(
        "--peer-seeds", type=int, default=5, help="of them, those that peers are shown: they take long"
    )
    of_power.add_argument("--sizes", type=int, nargs="+", choices=(1_000, 10_000), default=[1_000, 10_000])
    of_level = commands.add_parser("level")
    of_level.add_argument("--runs", type=int, default=2_000)
    of_level.add_argument("--sizes", type=int, nargs="+", default=[100, 1_000, 10_000])
    options = parser.parse_args()
    if options.command == "power":
        return power(options.seeds, options.first_seed, options.peer_seeds, options.sizes)
    return level(options.runs, options.sizes)


if __name__ == "__main__":
    raise SystemExit(main())
