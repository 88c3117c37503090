"""Common metrics of membership attacks, with intervals, none of which is a certified bound.

Scores of canaries of one run depend on each other, and thresholds are chosen on the data on which they are evaluated.
As is usual, the intervals here treat canaries as independent samples and thresholds as fixed, so none has the stated
confidence, while the bound of an audit does.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import norm, rankdata

from krdtheory.arithmetic.base import Array
from krdtheory.audit.exact_test import clopper_pearson
from krdtheory.imports import extra

_RATES = (0.001, 0.01, 0.1)  # false positive rates
NOTE = "uncertified: each canary taken for an independent sample, thresholds chosen on the same data"


def metrics(scores: Array, truth: Array, confidence: float = 0.95) -> dict[str, Any]:
    """Return metrics of scores, which are higher for canaries that are guessed to be in, given which are in.

    Parameters
    ----------
    scores : array, shape (n,)
        Without NaN.
    truth : bool array, shape (n,)
        With both values.
    confidence : float
        Of each interval separately.

    Returns
    -------
    dict
        "AUROC" (with DeLong's interval), "TPR at FPR = x" and "balanced accuracy" (Clopper-Pearson at the threshold
        that the data choose), "epsilon of raw counts" (the largest log TPR / FPR over thresholds with at least one
        false positive, with Clopper-Pearson limits of both rates at that threshold), each {"value", "low", "high"};
        and "note".

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.one_run.membership import metrics
    >>> found = metrics(np.arange(8.0), np.array([0, 0, 1, 0, 1, 1, 0, 1], dtype=bool))
    >>> found["AUROC"]["value"], found["balanced accuracy"]["value"]
    (0.75, 0.75)
    """
    with extra("audit"):
        from sklearn.metrics import roc_curve

    truth = np.asarray(truth, dtype=bool)
    level = 1 - confidence
    n, m = int(truth.sum()), int((~truth).sum())
    if not n or not m:
        return {"note": f"{NOTE}; none, as all canaries are {'in' if n else 'out'}"}
    ranks = rankdata(scores)  # infinities are ranked too
    out: dict[str, Any] = {"AUROC": _auroc(ranks, truth, level)}
    false, true, _ = roc_curve(truth, ranks, drop_intermediate=False)
    hits, alarms = np.round(true * n).astype(int), np.round(false * m).astype(int)
    for rate in _RATES:
        k = int(np.flatnonzero(alarms <= rate * m)[-1])
        out[f"TPR at FPR = {rate:g}"] = _share(hits[k], n, level)
    k = int(np.argmax(true - false))
    low, high = (clopper_pearson(int(a), b, level / 2) for a, b in ((hits[k], n), (m - alarms[k], m)))
    accuracy = {"value": (1 + true[k] - false[k]) / 2, "low": (low[0] + high[0]) / 2, "high": (low[1] + high[1]) / 2}
    out["balanced accuracy"] = {key: float(value) for key, value in accuracy.items()}
    out["epsilon of raw counts"] = _raw_epsilon(hits, alarms, n, m, level)
    return {**out, "note": NOTE}


def _auroc(ranks: Array, truth: Array, level: float) -> dict[str, float]:
    """Return the area under the ROC curve with the interval of DeLong, DeLong and Clarke-Pearson (1988), from ranks."""
    n, m = int(truth.sum()), int((~truth).sum())
    above = (ranks[truth] - rankdata(ranks[truth])) / m
    below = 1 - (ranks[~truth] - rankdata(ranks[~truth])) / n
    value = float(above.mean())
    variance = (above.var(ddof=1) / n if n > 1 else 0.25) + (below.var(ddof=1) / m if m > 1 else 0.25)
    margin = float(norm.isf(level / 2) * np.sqrt(variance))
    return {"value": value, "low": max(value - margin, 0.0), "high": min(value + margin, 1.0)}


def _share(count: int, n: int, level: float) -> dict[str, float]:
    low, high = clopper_pearson(int(count), n, level)
    return {"value": float(count / n), "low": low, "high": high}


def _raw_epsilon(hits: Array, alarms: Array, n: int, m: int, level: float) -> dict[str, float]:
    """Return the larger epsilon of the two directions."""
    best = {"value": 0.0, "low": 0.0, "high": np.inf}
    for a, size, b, other in ((hits, n, alarms, m), (m - alarms, m, n - hits, n)):
        usable = (a > 0) & (b > 0)
        if not usable.any():
            continue
        with np.errstate(divide="ignore"):
            ratios = np.where(usable, np.log(np.maximum(a, 1) / size) - np.log(np.maximum(b, 1) / other), -np.inf)
        k = int(np.argmax(ratios))
        if ratios[k] > best["value"]:
            (low, high), (few, many) = clopper_pearson(int(a[k]), size, level), clopper_pearson(int(b[k]), other, level)
            with np.errstate(divide="ignore"):
                ends = max(float(np.log(low / many)), 0.0), float(np.log(high) - np.log(few))
            best = {"value": float(ratios[k]), "low": ends[0], "high": ends[1]}
    return best
