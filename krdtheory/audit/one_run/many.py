"""Audits of many runs with the same canaries: the worst canary is chosen on some runs and audited on the others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array, reject, seed_of
from krdtheory.arithmetic.checks import check_number
from krdtheory.audit.auditor import audit
from krdtheory.audit.result import AuditResult
from krdtheory.privacy.notions import Notion

_EACH = 5  # the least number of runs with a canary in, and with it out


def audit_canaries(
    scores: Any, included: Any, notion: Notion, *, choose_from: float = 0.3, rng: Any = None, **options: Any
) -> AuditResult:
    """Test a claim of privacy on many independent runs with the same canaries, by the canary that is exposed the most.

    Each run includes each canary by a new coin. For one canary, the scores of the runs with it and of the runs without
    it are independent outputs for two neighbouring inputs, as `krdtheory.audit.audit` requires; scores of different
    canaries in one run are not. The canary is chosen on a part of the runs, by the difference of the mean ranks of its
    scores, and `audit` gets its scores in the other runs only. So the choice among many canaries costs runs, but no
    confidence.

    Parameters
    ----------
    scores, included : array_like, shape (runs, m)
        For each run, the score of each canary and whether it was in.
    notion : Notion
        The claim.
    choose_from : float
        The share of the runs on which the canary is chosen, in (0, 1).
    rng : int, Generator or None
        The same seed gives the same result.
    **options
        As `krdtheory.audit.audit`.

    Returns
    -------
    AuditResult
        Its witness has "canary", the column of the canary.

    Raises
    ------
    ValueError, TypeError
        Arrays that are not of the same shape (runs, m), or contain NaN; too few runs; and as `krdtheory.audit.audit`.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit import audit_canaries
    >>> from krdtheory.privacy.notions import PureDP
    >>> rng = np.random.default_rng(0)
    >>> included = rng.random((400, 20)) < 0.5
    >>> scores = rng.laplace(size=(400, 20)) + np.where(np.arange(20) == 7, 3, 0.1) * included
    >>> result = audit_canaries(scores, included, PureDP(epsilon=1), rng=0)
    >>> result.rejected, result.witness["canary"]
    (True, 7)
    """
    x, bits = np.asarray(scores, dtype=float), np.asarray(included)
    if x.ndim != 2 or x.shape != bits.shape or not np.isin(bits, (0, 1)).all():
        allowed = "True or False for each score, both of shape (runs, m); of one run, audit_one_run"
        reject("included", bits, allowed)
    if np.isnan(x).any():
        reject("scores", scores, "numbers, none of them NaN")
    if not 0 < check_number(choose_from, "choose_from", 0, 1, allowed="in (0, 1)") < 1:
        reject("choose_from", choose_from, "in (0, 1)")
    seed = seed_of(rng)
    order = np.random.default_rng(seed).permutation(len(x))
    size = round(choose_from * len(x))
    first, rest, truth = order[:size], order[size:], bits.astype(bool)
    canary = _worst(x[first], truth[first])
    own, was_in = x[rest, canary], truth[rest, canary]
    if min(was_in.sum(), (~was_in).sum()) < _EACH:
        reject("the number of runs", len(x), "so many that each canary is both in and out of several of them")
    result = audit(own[was_in], own[~was_in], notion, rng=seed, **options)
    used = {"choosing": f"{size} of {len(x)} runs, the worst of {x.shape[1]} canaries", **result.used}
    given = {**result.arguments, "choose_from": choose_from}
    return replace(result, witness={"canary": canary, **result.witness}, used=used, arguments=given)


def _worst(x: Array, truth: Array) -> int:
    """Return the canary whose ranks differ most between runs with and without it, in standard deviations."""
    ranks = x.argsort(0).argsort(0) / max(len(x), 1)
    n, m = truth.sum(0), (~truth).sum(0)
    usable = (n >= _EACH) & (m >= _EACH)
    if not usable.any():
        reject("the number of runs", len(x), f"so many that those chosen from have a canary {_EACH} times in and out")
    gap = (ranks * truth).sum(0) / np.maximum(n, 1) - (ranks * ~truth).sum(0) / np.maximum(m, 1)
    return int(np.argmax(np.where(usable, np.abs(gap) * np.sqrt(n * m), -1)))
