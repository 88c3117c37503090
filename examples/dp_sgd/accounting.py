"""Epsilon at delta for the runs of this example, by the privacy loss distributions of dp_accounting.

    python examples/dp_sgd/accounting.py      # writes examples/dp_sgd/accounted.json; needs the extra peers

The audits read this file, so they do not need dp_accounting.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

from dp_accounting import dp_event
from dp_accounting.pld import PLDAccountant

FILE = Path(__file__).parent / "accounted.json"
DELTA = 1e-5
RECIPES = [(rate, steps, sigma) for rate in (0.05,) for steps in (60,) for sigma in (0.6, 0.8, 1.0, 1.5, 2.0)]


def epsilon(rate: float, steps: int, sigma: float) -> float:
    """Return epsilon at DELTA of DP-SGD with Poisson sampling, if one example is added or removed."""
    accountant = PLDAccountant()
    step = dp_event.PoissonSampledDpEvent(rate, dp_event.GaussianDpEvent(sigma))
    accountant.compose(dp_event.SelfComposedDpEvent(step, steps))
    return float(accountant.get_epsilon(DELTA))


def main() -> None:
    rows = [
        {"rate": rate, "steps": steps, "sigma": sigma, "delta": DELTA, "epsilon": round(epsilon(rate, steps, sigma), 4)}
        for rate, steps, sigma in RECIPES
    ]
    made = "python examples/dp_sgd/accounting.py"
    FILE.write_text(
        json.dumps({"dp_accounting": version("dp-accounting"), "made by": made, "rows": rows}, indent=1) + "\n"
    )
    print(FILE.read_text())


if __name__ == "__main__":
    main()
