"""A run over many claims, on one process or on an executor's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from typing import Any

from krdtheory.arithmetic.base import reject
from verification.claim import Claim, Evidence, check_integer
from verification.search import check

BUDGETS = {"quick": 3_000, "deep": 60_000}


def run(
    claims: Sequence[Claim],
    *,
    profile: str = "quick",
    seed: int = 0,
    executor: Executor | None = None,
    progress: Callable[[Evidence], Any] | None = None,
) -> list[Evidence]:
    """Check claims, in order; the verdicts depend on the seed alone.

    Parameters
    ----------
    claims : sequence of Claim
    profile : {"quick", "deep"}
        How many instances each is put to: 3 000 or 60 000, and the climb.
    seed : int
    executor : concurrent.futures.Executor, optional
        Where to check them, one claim a task.
    progress : callable, optional
        Called with each outcome as it comes.

    Raises
    ------
    ValueError
        An unknown profile; seed < 0.
    TypeError
        Arguments of another kind.
    """
    if not isinstance(profile, str) or profile not in BUDGETS:
        reject("profile", profile, f"one of {', '.join(BUDGETS)}")
    if not isinstance(claims, Sequence) or not all(isinstance(c, Claim) for c in claims):
        reject("claims", claims, "a list of claims", TypeError)
    if executor is not None and not isinstance(executor, Executor):
        reject("executor", executor, "a concurrent.futures.Executor", TypeError)
    check_integer("seed", seed, 0)
    budget = BUDGETS[profile]
    outcomes: Iterable[Evidence]
    if executor is None:
        outcomes = (check(c, budget=budget, seed=seed) for c in claims)
    else:
        futures = [executor.submit(check, c, budget=budget, seed=seed) for c in claims]
        outcomes = (f.result() for f in futures)
    done = []
    for outcome in outcomes:
        done.append(outcome)
        if progress is not None:
            progress(outcome)
    return done
