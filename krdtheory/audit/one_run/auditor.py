"""The audit of one training run with canaries."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import binom

from krdtheory.arithmetic.base import reject, seed_of
from krdtheory.arithmetic.checks import check_number
from krdtheory.audit.one_run import walk
from krdtheory.audit.one_run.coins import Secrets
from krdtheory.audit.one_run.guesses import Guesses, read
from krdtheory.audit.one_run.membership import metrics
from krdtheory.audit.one_run.mixture import layout
from krdtheory.audit.one_run.result import OneRunResult
from krdtheory.audit.result import Bound
from krdtheory.privacy.notions import (
    ApproximateDP,
    CapacityBoundedDP,
    GaussianDP,
    KernelRenyiDP,
    Notion,
    PureDP,
    TradeOffDP,
)

METHODS = {"plane": ("mixture", "bets", "ladder"), "other": ("ladder",)}
_BINS = 40
_POINTS = 200  # the most points of a path


def audit_one_run(
    scores: Any,
    included: Any,
    notion: Notion,
    *,
    confidence: float = 0.95,
    inclusion: float = 0.5,
    method: str = "auto",
    bound: str = "epsilon",
    rng: Any = None,
) -> OneRunResult:
    r"""Test a claim of privacy on one run with canaries, each included by a coin, and bound the loss from below.

    m canaries are chosen, and an independent coin decides for each whether it is in the training data. The model is
    trained once. Each canary gets a score, which may depend on anything that was released and on all canaries, included
    or not: a loss, a product with gradients, a difference from a model without it. The canaries with the most extreme
    scores are guessed to be "in" if the score is high and "out" if it is low, and (epsilon, delta)-DP bounds the number
    of right guesses, whatever the scores depend on.

    The level holds if the coins were independent, and nothing but `included` and the run itself depended on them:
    canaries must be chosen before; scores must not be normalised, oriented or selected by membership; the number of
    included canaries must be random, not exactly half of them; and there must be one test of one run (the best of k
    runs needs confidence 1 - (1 - confidence) / k). Scores may depend on each other in any way, and on the canary.
    Outputs of many independent runs, with and without a canary, are for `krdtheory.audit.audit`, and many runs with the
    same canaries for `audit_canaries`.

    Parameters
    ----------
    scores : array_like, shape (m,), (runs, m) or (m, k)
        The score of each canary, higher if it appears to be in; infinities are the most confident, and for NaN the
        guess is random. Several runs, each with its own coins, are combined. For pairs of canaries of which exactly one
        was in, and for canaries with one of k secrets each, there is a row for each.
    included : array_like
        Of the shape of scores, True if the canary was in. For pairs and secrets, of shape (m,), the column of the one
        that was in; the claim is then about replacing one by the other.
    notion : Notion
        The claim. Pure and approximate DP are tested by `krdtheory.audit.one_run.mixture`, without assumptions on the
        privacy loss; Gaussian DP, f-DP, Renyi and concentrated DP by `krdtheory.audit.one_run.tradeoff`, which bounds
        their own parameter. The bound on mu assumes the Gaussian curve, and so does an epsilon derived from it.
    confidence : float
        In (0, 1), for the verdict and the bound together.
    inclusion : float
        The probability with which each canary was included, in (0, 1).
    method : {"auto", "mixture", "bets", "ladder"}
        For pure and approximate DP: "bets" is "mixture" without simulation, and "ladder" is the test of the other
        notions.
    bound : {"epsilon", "delta"}
        For approximate DP, what is bounded: epsilon at the claimed delta, or delta at the claimed epsilon, for
        mechanisms that reveal a few canaries completely. "delta" uses "ladder", and one run never certifies a delta
        above 1 - confidence, as a mechanism may reveal everything with that probability.
    rng : int, Generator or None
        Breaks ties. The same seed gives the same result.

    Returns
    -------
    OneRunResult

    Raises
    ------
    ValueError, TypeError
        Arrays of other shapes, or that are not scores and coins; coins that are implausible for that probability; a
        notion that is not a statement about events; options out of range.

    References
    ----------
    Steinke, Nasr and Jagielski (2023); Mahloujifar, Melis and Chaudhuri (2024); Keinan, Shenfeld and Ligett (2025).

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit import audit_one_run
    >>> from krdtheory.privacy.notions import ApproximateDP
    >>> rng = np.random.default_rng(0)
    >>> included = rng.random(1000) < 0.5
    >>> scores = rng.normal(size=1000) + 2 * included  # epsilon is 10 at delta = 1e-5
    >>> result = audit_one_run(scores, included, ApproximateDP(epsilon=1, delta=1e-5), rng=0)
    >>> result.rejected, 3 < result.epsilon_lower < 10
    (True, True)
    """
    level = 1 - _between(confidence, "confidence")
    _between(inclusion, "inclusion")
    plane = isinstance(notion, PureDP | ApproximateDP)
    method = _method(notion, method, bound, plane)
    seed = seed_of(rng)
    guesses = read(scores, included, float(inclusion), np.random.default_rng(seed))
    if method == "ladder" or not isinstance(notion, PureDP | ApproximateDP):
        found = walk.by_tradeoff(guesses, notion, bound, level)
    else:
        delta, claimed = float(getattr(notion, "delta", 0)), float(notion.epsilon)
        made = layout(guesses.coins, guesses.canaries, tuple(map(len, guesses.sides)), delta, level)
        found = walk.by_mixture(guesses, made, claimed, delta, level, method == "mixture")
    lower = found.lower
    count = int(guesses.truth.sum())
    used = {
        "canaries": f"{guesses.canaries}: {_coins(guesses)}",
        "guesses": f"{found.guesses}, the most extreme scores first{''.join(f'; {note}' for note in guesses.notes)}",
        "level": found.level,
    }
    witness = _witness(guesses, notion)
    return OneRunResult(
        notion=notion,
        method=found.method,
        confidence=1 - level,
        p_value=found.p_value,
        rejected=found.p_value <= level,
        directions={"in and out": Bound(value=lower, level=level, witness=witness, used=used)},
        witness=witness,
        used=used,
        n=count,
        m=len(guesses.truth) - count,
        seed=seed,
        arguments={"method": method, "bound": bound, "inclusion": float(inclusion)},
        scores=_histogram(guesses),
        supposes=_supposes(notion),
        path=_path(guesses, notion),
        membership=metrics(guesses.scores, guesses.truth, 1 - level),
        warnings=_warnings(guesses),
        divergence_lower=lower,
        epsilon_lower=lower if bound == "epsilon" and (plane or notion.bound_name == "epsilon") else None,
        delta_lower=lower if bound == "delta" else None,
    )


def _method(notion: Notion, method: str, bound: str, plane: bool) -> str:
    if not isinstance(notion, Notion):
        reject("notion", notion, "a notion of krdtheory.privacy.notions", TypeError)
    if isinstance(notion, KernelRenyiDP | CapacityBoundedDP):
        reject("notion", notion, "one that bounds the probabilities of events (`audit` takes this one, of many runs)")
    if bound not in ("epsilon", "delta"):
        reject("bound", bound, "'epsilon' or 'delta'")
    if bound == "delta" and not isinstance(notion, ApproximateDP):
        reject("bound", bound, "'epsilon' for a notion without a delta")
    allowed = ("ladder",) if bound == "delta" or not plane else METHODS["plane"]
    if method != "auto" and method not in allowed:
        reject("method", method, f"'auto' or one of {', '.join(map(repr, allowed))} for this notion and bound")
    return allowed[0] if method == "auto" else method


def _between(value: Any, name: str) -> float:
    number = check_number(value, name, 0, 1, allowed="in (0, 1)")
    if not 0 < number < 1:
        reject(name, value, "in (0, 1)")
    return number


def _coins(guesses: Guesses) -> str:
    if isinstance(guesses.coins, Secrets):
        return f"one of {guesses.coins.k} secrets each, which the guesses name; the claim is of one put for another"
    count = int(guesses.truth.sum())
    return f"each in with probability {guesses.coins.inclusion:g}; in were {count} of {len(guesses.truth)} with scores"


def _supposes(notion: Notion) -> str:
    if isinstance(notion, GaussianDP):
        return "conditional on the Gaussian curve: bounds on epsilon and delta that are read off mu suppose it"
    return "conditional on the trade-off function claimed" if isinstance(notion, TradeOffDP) else ""


def _warnings(guesses: Guesses) -> tuple[str, ...]:
    count, n = int(guesses.truth.sum()), len(guesses.truth)
    if isinstance(guesses.coins, Secrets) or n < 20 or 2 * count != n or not guesses.coins.fair:
        return ()
    chance = float(binom.pmf(count, n, 0.5))
    return (f"exactly half of the canaries were in, as happens to fair coins once in {1 / chance:.0f} runs",)


def _witness(guesses: Guesses, notion: Notion) -> dict[str, Any]:
    """Return the number of first guesses whose right ones are the least likely if all guesses are independent."""
    right = guesses.merged.cumsum()
    r = np.arange(1, len(right) + 1)
    q = float(guesses.coins.right(float(getattr(notion, "epsilon", 0.0)))[0])
    k = int(np.argmin(binom.logsf(right - 1, r, q)))
    return {
        "score": "as given, each run centred and scaled by itself" if guesses.several else "as given",
        "event": f"{right[k]} of the {k + 1} most confident guesses are right",
        "right guesses": f"{right[k]} of {k + 1}",
        "all guesses": f"{right[-1]} of {len(right)}",
    }


def _path(guesses: Guesses, notion: Notion) -> dict[str, Any]:
    right = guesses.merged
    at = np.unique(np.geomspace(1, len(right), min(len(right), _POINTS)).round().astype(int))
    claimed = guesses.coins.right(float(notion.epsilon))[0] if isinstance(notion, PureDP | ApproximateDP) else None
    limits = {
        "claimed": None if claimed is None else float(claimed),
        "chance": float(guesses.coins.right(0.0)[0]),
    }
    return {"guesses": at.tolist(), "right": right.cumsum()[at - 1].tolist(), **limits}


def _histogram(guesses: Guesses) -> dict[str, Any]:
    finite = guesses.scores[np.isfinite(guesses.scores)]
    low, high = np.quantile(finite, [0.005, 0.995]).tolist() if len(finite) else (0.0, 0.0)
    margin = (high - low) / (2 * _BINS) or 0.5
    edges = np.linspace(low - margin, high + margin, _BINS + 1)
    clipped = np.clip(guesses.scores, edges[0], edges[-1])
    of_in, of_out = (np.histogram(clipped[where], edges)[0] for where in (guesses.truth, ~guesses.truth))
    return {"edges": edges.tolist(), "x": of_in.tolist(), "y": of_out.tolist()}
