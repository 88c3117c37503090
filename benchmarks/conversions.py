"""The optimal conversion compared with dp-accounting and autodp, and exact composition with dp-accounting's PLD.

It shows how much smaller the optimal epsilon is over a grid of single orders and for whole Renyi curves, how close the
exact composition is to the bounds of a privacy loss distribution, and how long each takes.

    pip install dp-accounting autodp
    python benchmarks/conversions.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from autodp.converter import rdp_to_approxdp
from dp_accounting.pld import common
from dp_accounting.pld import privacy_loss_distribution as pld
from dp_accounting.rdp import rdp_privacy_accountant as accountant
from rich.console import Console
from rich.table import Table

from krdtheory.privacy.composition import (
    composition_bound,
    heterogeneous_composition,
    optimal_composition,
    optimal_composition_delta,
)
from krdtheory.privacy.conversions import (
    gdp_to_approximate_dp,
    rdp_curve_to_approximate_dp,
    rdp_to_approximate_dp,
    zcdp_to_approximate_dp,
)

ALPHAS = (1.05, 1.25, 1.5, 2.0, 4.0, 8.0, 32.0, 128.0)
RHOS = np.geomspace(1e-3, 10, 17)
DELTAS = np.geomspace(1e-12, 1e-2, 11)
MUS = (0.01, 0.1, 0.5, 1.0, 3.0)


def seconds(call: Callable[[], Any]) -> float:
    """Return the least time of five runs, after one to warm up."""
    call()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def table(title: str, *columns: str) -> Table:
    made = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        made.add_column(column, justify="right")
    return made


def single_orders() -> Table:
    made = table(
        "\nOne order, rho in [1e-3, 10], delta in [1e-12, 1e-2]: epsilon of dp-accounting minus the optimal one",
        "alpha", "median", "largest", "median ratio", "largest ratio", "cells",
    )  # fmt: skip
    rho, delta = (grid.ravel() for grid in np.meshgrid(RHOS, DELTAS))
    for alpha in ALPHAS:
        ours = rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=delta, two_sided=True)
        pairs = zip(rho, delta, strict=True)
        theirs = np.array([accountant.compute_epsilon([alpha], [r], d)[0] for r, d in pairs])
        kept = (ours > 0) & (theirs > 0)
        gap, ratio = (theirs - ours)[kept], theirs[kept] / ours[kept]
        if (gap < -1e-12 * theirs[kept]).any():
            raise ArithmeticError("a larger epsilon than dp-accounting's")
        numbers = f"{np.median(gap):.4f}", f"{gap.max():.4f}", f"{np.median(ratio):.4f}", f"{ratio.max():.3f}"
        made.add_row(f"{alpha:g}", *numbers, str(kept.sum()))
    return made


def curves() -> Table:
    made = table(
        "\nGaussian mechanism, delta = 1e-5: epsilon by the Renyi curve at dp-accounting's orders, and beyond",
        "mu", "dp-accounting", "optimal", "autodp, any order", "optimal, any order", "exact",
    )  # fmt: skip
    orders = np.array(accountant.DEFAULT_RDP_ORDERS)
    for mu in MUS:
        curve = orders * mu * mu / 2
        values = (
            accountant.compute_epsilon(orders, curve, 1e-5)[0],
            rdp_curve_to_approximate_dp(alpha=orders, epsilon=curve, delta=1e-5),
            rdp_to_approxdp(lambda a, mu=mu: a * mu * mu / 2)(1e-5),
            zcdp_to_approximate_dp(rho=mu * mu / 2, delta=1e-5),
            gdp_to_approximate_dp(mu=mu, delta=1e-5),
        )
        made.add_row(f"{mu:g}", *(f"{float(v):.6f}" for v in values))
    return made


def conversion_times() -> Table:
    made = table("\nMicroseconds a conversion", "what", "dp-accounting", "autodp", "optimal", "balle")
    orders = np.array(accountant.DEFAULT_RDP_ORDERS)
    curve = orders / 2
    rows: list[tuple[str, list[float | None]]] = [
        (
            f"curve of {len(orders)} orders",
            [
                seconds(lambda: accountant.compute_epsilon(orders, curve, 1e-5)),
                None,
                seconds(lambda: rdp_curve_to_approximate_dp(alpha=orders, epsilon=curve, delta=1e-5)),
                seconds(lambda: rdp_curve_to_approximate_dp(alpha=orders, epsilon=curve, delta=1e-5, method="balle")),
            ],
        ),
        (
            "best of all orders",
            [
                None,
                seconds(lambda: rdp_to_approxdp(lambda a: a / 2)(1e-5)),
                seconds(lambda: zcdp_to_approximate_dp(rho=0.5, delta=1e-5)),
                seconds(lambda: zcdp_to_approximate_dp(rho=0.5, delta=1e-5, method="balle")),
            ],
        ),
    ]
    many = np.geomspace(1e-6, 10, 10_000)
    each = [
        seconds(lambda: [accountant.compute_epsilon([8.0], [r], 1e-5) for r in many[:100]]) / 100,
        None,
        seconds(lambda: rdp_to_approximate_dp(alpha=8, epsilon=many, delta=1e-5)) / len(many),
        seconds(lambda: rdp_to_approximate_dp(alpha=8, epsilon=many, delta=1e-5, method="balle")) / len(many),
    ]
    rows.append(("one of a batch of 10000", each))
    for name, times in rows:
        made.add_row(name, *("" if t is None else f"{1e6 * t:.3g}" for t in times))
    return made


def composed(epsilon: float, delta: float, k: int, interval: float) -> Any:
    """Return the k-fold composition as a privacy loss distribution, rounded up."""
    parameters = common.DifferentialPrivacyParameters(epsilon, delta)
    one = pld.from_privacy_parameters(parameters, value_discretization_interval=interval)
    return one.self_compose(k)


def compositions() -> Table:
    made = table(
        "\nk-fold composition, total delta = k delta + 1e-6: epsilon by dp-accounting's PLD, from above, and exactly",
        "epsilon", "delta", "k", "PLD", "optimal", "Renyi bound", "PLD delta / delta", "PLD ms", "exact ms",
    )  # fmt: skip
    for epsilon, delta, k in (
        (0.1, 1e-8, 100),
        (0.01, 0.0, 1000),
        (0.5, 1e-6, 50),
        (1.0, 0.0, 10),
        (0.001, 0.0, 10**6),
    ):
        total = k * delta + 1e-6
        loss = composed(epsilon, delta, k, min(1e-4, epsilon / 100))
        theirs = loss.get_epsilon_for_delta(total)
        ours = optimal_composition(epsilon=epsilon, delta=delta, k=k, total_delta=total)
        bound = composition_bound(epsilon=epsilon, delta=delta, k=k, total_delta=total, method="renyi")
        exact = optimal_composition_delta(epsilon=epsilon, delta=delta, k=k, total_epsilon=ours)
        ratio = loss.get_delta_for_epsilon(float(ours)) / exact
        start = time.perf_counter()
        composed(epsilon, delta, k, min(1e-4, epsilon / 100)).get_epsilon_for_delta(total)
        slow = time.perf_counter() - start
        fast = seconds(
            lambda e=epsilon, d=delta, k=k, t=total: optimal_composition(epsilon=e, delta=d, k=k, total_delta=t)
        )
        numbers = (
            f"{theirs:.8f}",
            f"{ours:.8f}",
            f"{bound:.6f}",
            f"{ratio:.8f}",
            f"{1e3 * slow:.1f}",
            f"{1e3 * fast:.1f}",
        )
        made.add_row(f"{epsilon:g}", f"{delta:g}", str(k), *numbers)
    return made


def different() -> Table:
    made = table(
        "\nDifferent mechanisms, epsilon uniform in [0.05, 0.4], delta = 1e-8, total delta = 1e-5",
        "n", "lower", "upper", "PLD", "ms", "PLD ms",
    )  # fmt: skip
    rng = np.random.default_rng(0)
    for n in (10, 30, 100, 300):
        epsilon = rng.uniform(0.05, 0.4, n)
        start = time.perf_counter()
        lower, upper = heterogeneous_composition(epsilon=epsilon, delta=1e-8, total_delta=1e-5)
        ours = time.perf_counter() - start
        start = time.perf_counter()
        loss = composed(epsilon[0], 1e-8, 1, 1e-4)
        for e in epsilon[1:]:
            loss = loss.compose(composed(e, 1e-8, 1, 1e-4))
        theirs = loss.get_epsilon_for_delta(1e-5)
        took = time.perf_counter() - start
        numbers = f"{lower:.9f}", f"{upper:.9f}", f"{theirs:.9f}", f"{1e3 * ours:.0f}", f"{1e3 * took:.0f}"
        made.add_row(str(n), *numbers)
    return made


def main() -> None:
    console = Console(width=130)
    for part in (single_orders, curves, conversion_times, compositions, different):
        console.print(part())


if __name__ == "__main__":
    main()
