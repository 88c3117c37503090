"""Checks of many claims, in this process or on an executor."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import suppress
from functools import partial
from typing import Any

from krdtheory.arithmetic.base import reject, seed_of
from krdtheory.arithmetic.checks import renamed
from krdtheory.terminal import Stopped
from verification.claim import MARGIN_EDGES, Claim, Evidence, Verdict, check_integer
from verification.instances import SIZES
from verification.search import BUDGET, SECONDS, check
from verification.sides import failure

_LOG = logging.getLogger(__name__)
BUDGETS = {"quick": BUDGET, "deep": 20 * BUDGET}


@renamed(seed="rng")
def run(
    claims: Sequence[Claim],
    *,
    profile: str = "quick",
    budget: int | None = None,
    rng: Any = 0,
    seconds: float | None = SECONDS,
    sizes: Sequence[int] = SIZES,
    executor: Executor | None = None,
    progress: Callable[[Evidence], Any] | None = None,
) -> list[Evidence]:
    """Check claims; the outcomes, in the order of the claims, depend only on the seed and the budget.

    Parameters
    ----------
    claims : sequence of Claim
    profile : {"quick", "deep"}
        The number of instances to try for each claim: 8 000 or 160 000.
    budget : int, optional
        The number of instances, in place of the profile's.
    rng : int, Generator or None
        The source of one seed, which is used for all claims.
    seconds : float, optional
        The longest that one claim may take; None for no limit.
    sizes : sequence of int
        Dimensions and alphabet sizes to try where the kinds do not fix them.
    executor : concurrent.futures.Executor, optional
        Where to check the claims, one per task. Claims left unfinished because a worker or the scheduler of a cluster
        died are checked in this process.
    progress : callable, optional
        Called with each outcome as it is found.

    Raises
    ------
    ValueError
        An unknown profile; budget < 1; rng < 0.
    TypeError
        An argument of the wrong type.
    """
    if not isinstance(profile, str) or profile not in BUDGETS:
        reject("profile", profile, f"one of {', '.join(BUDGETS)}")
    if not isinstance(claims, Sequence) or not all(isinstance(c, Claim) for c in claims):
        reject("claims", claims, "a list of claims", TypeError)
    if executor is not None and not isinstance(executor, Executor):
        reject("executor", executor, "a concurrent.futures.Executor", TypeError)
    seed = seed_of(rng)
    if budget is None:
        budget = BUDGETS[profile]
    check_integer("budget", budget, 1)
    done: dict[str, Evidence] = {}
    one = partial(_checked, budget=budget, rng=seed, seconds=seconds, sizes=sizes)
    for outcome in _outcomes(claims, executor, one):
        done[outcome.claim.id] = outcome
        if progress is not None:
            progress(outcome)
    return [done[c.id] for c in claims]


def _checked(claim: Claim, **options: Any) -> Evidence:
    """Return the outcome, which is `error` if the claim's own code raises an exception that would end this program."""
    try:
        return check(claim, **options)
    except (KeyboardInterrupt, Stopped):
        raise
    except BaseException as error:
        margins, why = (0,) * (len(MARGIN_EDGES) + 1), str(failure(claim, error))
        return Evidence(claim, Verdict.ERROR, why, 0, math.nan, 0.0, margins=margins, seed=options["rng"])


def _outcomes(
    claims: Iterable[Claim], executor: Executor | None, one: Callable[[Claim], Evidence]
) -> Iterator[Evidence]:
    """Yield the outcomes in the order in which they are found."""
    left = {c.id: c for c in claims}
    if executor is not None:
        futures: dict[Future[Evidence], str] = {}
        try:
            with suppress(Exception):  # a broken pool or a lost cluster accepts no more tasks
                for c in left.values():
                    futures[executor.submit(one, c)] = c.id
            for future in as_completed(futures):
                # a claim whose task failed is checked in this process
                if not future.cancelled() and future.exception() is None:
                    del left[futures[future]]
                    yield future.result()
        finally:
            for future in futures:
                future.cancel()
        if left:
            _LOG.warning("krdtheory: the workers left %d claims undone, which are checked in this process", len(left))
    for c in left.values():
        yield one(c)
