"""Many runs with the same canaries: the one that leaks most, found on some of the runs and audited on the others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array, reject, seed_of
from krdtheory.arithmetic.checks import check_number
from krdtheory.audit.auditor import audit
from krdtheory.audit.result import AuditResult
from krdtheory.privacy.notions import Notion

_EACH = 5  # runs with a canary in and with it out, to judge it by


def audit_canaries(
    scores: Any, included: Any, notion: Notion, *, choose_from: float = 0.3, rng: Any = None, **options: Any
) -> AuditResult:
    """Test a claim of privacy on many independent runs with the same canaries, by the canary that leaks most.

    Each run throws a coin anew for each canary. Of a canary, the scores of the runs that it was in and of those that it
    was not in are independent outputs for two neighbouring inputs, which `krdtheory.audit.audit` takes; those of
    different canaries in one run are not. Which canary, a part of the runs says, by the distance of the mean ranks of
    its scores; `audit` sees that canary's scores of the other runs alone, so that choosing among many costs runs, but
    no confidence.

    Parameters
    ----------
    scores, included : array_like, shape (runs, m)
        Of each run, the score of each canary and whether it was in.
    notion : Notion
        The claim.
    choose_from : float
        The part of the runs that the canary is chosen on, in (0, 1).
    rng : int, Generator or None
        The same seed gives the same result.
    **options
        As `krdtheory.audit.audit`.

    Returns
    -------
    AuditResult
        Whose witness has "canary", its column.

    Raises
    ------
    ValueError, TypeError
        Arrays that are not of one shape (runs, m), or have NaN; runs that are too few; and as `krdtheory.audit.audit`.

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
    """The canary whose ranks differ most between runs with it and without, in standard deviations."""
    ranks = x.argsort(0).argsort(0) / max(len(x), 1)
    n, m = truth.sum(0), (~truth).sum(0)
    usable = (n >= _EACH) & (m >= _EACH)
    if not usable.any():
        reject("the number of runs", len(x), f"so many that those chosen from have a canary {_EACH} times in and out")
    gap = (ranks * truth).sum(0) / np.maximum(n, 1) - (ranks * ~truth).sum(0) / np.maximum(m, 1)
    return int(np.argmax(np.where(usable, np.abs(gap) * np.sqrt(n * m), -1)))
