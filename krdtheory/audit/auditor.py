"""The audit of two samples."""

from __future__ import annotations

import inspect
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import isotonic_regression

from krdtheory.arithmetic.base import Array, reject, seed_of
from krdtheory.arithmetic.checks import check_count, check_number
from krdtheory.audit import independence
from krdtheory.audit.basic_scores import most_common
from krdtheory.audit.capacity_bounds import capacity_bound
from krdtheory.audit.events import BACKWARD, FORWARD, TWO_SIDED, Event, LearntScore, learn, tells
from krdtheory.audit.exact_test import JointTest
from krdtheory.audit.kernel_bounds import dual_bound, perturbation_bound
from krdtheory.audit.outputs import Features, all_same, read_two, unwrapped
from krdtheory.audit.renyi_bounds import concentrated_bound, cut_bound, witness_bound
from krdtheory.audit.result import NOTHING, AuditResult, Band, Bound
from krdtheory.audit.scores import make_scores
from krdtheory.audit.target import Target
from krdtheory.audit.two_sided_test import TwoSidedTest, precise
from krdtheory.privacy.notions import (
    CapacityBoundedDP,
    KernelRenyiDP,
    Notion,
    RenyiDP,
    ZeroConcentratedDP,
)

DIRECTIONS = {
    "best": [FORWARD, BACKWARD, TWO_SIDED],
    "both": [FORWARD, BACKWARD],
    FORWARD: [FORWARD],
    BACKWARD: [BACKWARD],
}
_LEARN = 1 / 3  # the largest share of the samples to learn from
_LEARN_SCALAR = 1 / 4  # the same for single numbers, where only thresholds are learnt
_LEARN_MUCH, _LEARN_MOST = 1 / 10, 100_000  # the least share of large samples, and the most outputs it requires
_LEARN_FROM = 200  # outputs for each coordinate and threshold, beyond which the share decreases
_EPSILON = np.concatenate([[0], np.geomspace(0.01, 20, 80)])
_TAIL = np.geomspace(1e-6, 0.5, 151)
_GRID = np.concatenate([[0], _TAIL, 1 - _TAIL[-2::-1], [1]])  # fine at both ends, where the corners of events are
_BINS = 40
_HUGE = 1e300  # the histogram leaves larger and infinite scores out of its range
_ROUNDING = 1e-14  # rounding error of a delta computed from the curve


def audit(
    x: Any,
    y: Any,
    notion: Notion,
    *,
    confidence: float = 0.95,
    scores: Any = "auto",
    method: str = "auto",
    direction: str = "best",
    bound: str = "epsilon",
    events: int = 1,
    learn_from: float | None = None,
    support: tuple[float, float] | None = None,
    features: Features | None = None,
    rng: Any = None,
) -> AuditResult:
    r"""Test a claim of privacy on outputs for two neighbouring inputs, and bound the privacy loss from below.

    The level holds for outputs that were drawn independently of each other and are tested once. It does not hold if
    `audit` is called again on more and more outputs, or with other seeds, scores or claims, until it rejects: use
    `SequentialAudit` or `audit_mechanism`, which may be monitored continuously, or raise `confidence` to
    1 - (1 - confidence) / k for k calls. It does not hold for dependent outputs, such as repeated ones, steps of a
    Markov chain, or outputs that share one draw of the noise: draw each one anew. Scores of the canaries of one
    training run are not two samples, and `krdtheory.audit.audit_one_run` takes them; scores of one canary in many runs
    are. Dependence that is detectable causes a warning (`DependentReleases`).

    A random part of the data is used to learn an event S; the counts of S in the rest are used in the joint exact test
    of

    .. math:: p(S) \le e^\epsilon q(S) + \delta

    (`krdtheory.audit.exact_test.JointTest`); or two events, one that indicates p and one that indicates q, are used in
    the exact test of both directions at once (`krdtheory.audit.two_sided_test.TwoSidedTest`), which has up to twice the
    trials. Every notion except the kernel and the capacity-bounded ones implies a set of such half-planes. Renyi and
    zero-concentrated DP are stronger than that, and are bounded by a learnt function (`krdtheory.audit.renyi_bounds`),
    kernel Renyi DP by a learnt operator (`krdtheory.audit.kernel_bounds`), and capacity-bounded DP by a learnt
    polynomial (`krdtheory.audit.capacity_bounds`).

    Parameters
    ----------
    x, y : array_like, shapes (n, ...) and (m, ...), tables, sparse matrices, or sequences of any objects
        Independent outputs for the one input, and for the other, one per row. Outputs that are neither numbers nor text
        are converted to features as described in `krdtheory.audit.outputs`, or rejected.
    notion : Notion
        The claim, of `krdtheory.privacy.notions`.
    confidence : float
        In (0, 1). All bounds of the result hold simultaneously with at least this probability.
    scores : str, score, scikit-learn classifier, function, kernel, or a sequence of them
        The scores whose thresholds define events, see `krdtheory.audit.scores`. The choice among several is made on the
        learning data and costs no confidence.
    method : {"auto", "events", "cells", "witness", "dual", "perturbation", "polynomial"}
        "events" is the exact test; Renyi DP and (xi = 0) zCDP take "cells" and "witness" as well, kernel Renyi DP only
        "dual" and "perturbation" (the corrected Theorem 3 of Domingo-Enrich and Mroueh 2022). "witness" and kernel
        Renyi DP need an order alpha > 1.
    direction : {"best", "both", "p, q", "q, p"}
        The neighbour relation is symmetric. "best" tests at the full level what looks worst on the learning data: one
        direction, or both at once. "both" tests each direction at half of the level. Methods other than "events" treat
        "best" as "both".
    bound : {"epsilon", "delta"}
        For approximate DP, which bound to optimise: on epsilon at the claimed delta, or on delta at the claimed
        epsilon.
    events : int
        The number of events, which share the level equally. More of them sharpen the band away from the claim, and take
        more time.
    learn_from : float, optional
        The share of the data to learn from, in (0, 1). By default it is one third, or a quarter if outputs are single
        numbers, and less for large samples, but at least a tenth of them or 100 000 outputs.
    support : pair of float, optional
        For capacity-bounded DP, where it is required: an interval in which every output is known to lie.
    features : callable, optional
        A function of one output, whose value is audited in place of the output.
    rng : int, Generator or None
        The same seed gives the same result.

    Returns
    -------
    AuditResult

    Raises
    ------
    ValueError, TypeError
        Samples that are empty, too small to be split, masked, of different kinds, or of objects without features; a
        notion that cannot be audited from samples, or not in this way, for example by a kernel for which no two outputs
        are similar or that does not accept NaN; options out of range.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit import audit
    >>> from krdtheory.privacy.notions import PureDP
    >>> draw = np.random.default_rng(1)
    >>> x, y = draw.laplace(1, 1, 1000), draw.laplace(0, 1, 1000)  # exactly 1-private
    >>> result = audit(x, y, PureDP(epsilon=0.5), rng=0)
    >>> result.rejected, 0.5 < result.epsilon_lower < 1
    (True, True)
    >>> audit(x, y, PureDP(epsilon=1), rng=0).rejected
    False
    """
    level = 1 - _in_unit_interval(confidence, "confidence")
    if not isinstance(notion, Notion):
        reject("notion", notion, "a notion of krdtheory.privacy.notions", TypeError)
    for name, value, allowed in (("direction", direction, DIRECTIONS), ("bound", bound, ("epsilon", "delta"))):
        if value not in allowed:
            reject(name, value, f"one of {', '.join(map(repr, allowed))}")
    check_count(events, "events", 1)
    ways = _methods(notion, support)
    if method != "auto" and method not in ways:
        reject("method", method, f"'auto' or one of {', '.join(map(repr, ways))} for {type(notion).__name__}")
    method = next(iter(ways)) if method == "auto" else method
    _check_door(x, y)
    given, other = read_two(x, y, features)
    u, v = given.values, other.values
    for name, z in (("x", u), ("y", v)):
        if not len(z):
            reject(name, x if name == "x" else y, "at least one output")
    if getattr(notion, "kernel", None) == "identity" and u.ndim == 2 and not _repeat(u, v):
        reject("kernel", "identity", "one that compares outputs that are near, as 'rbf': none comes twice")

    def suspicions() -> list[str]:
        places = [text for name, z in (("x", x), ("y", y)) for text in independence.one_object(z, name)]
        return [*places, *independence.suspicions(u, v, given.names)]

    same = all_same(u[:1], u) and all_same(u[:1], v)
    seed = seed_of(rng)
    arguments: dict[str, Any] = {"method": method, "direction": direction, "learn_from": learn_from}
    if support is not None:
        arguments["support"] = support
    if features is not None:
        arguments["features"] = features
    if method != "events":
        if bound != "epsilon" or events != 1:
            reject("method", method, "'events' where bound or events is given")
        certificate = ways[method]
        result = _by_certificate(certificate, u, v, notion, level, scores, learn_from, arguments, seed)
        return replace(result, warnings=independence.warn(suspicions()))
    draw = np.random.default_rng(seed)
    scores_by_name = make_scores(scores, u, v)
    parts = [_split(z, name, learn_from, draw) for z, name in ((u, "x"), (v, "y"))]
    (x_learn, x_test), (y_learn, y_test) = parts

    target = Target(notion, bound, len(x_test), len(y_test), level)
    tested = [[FORWARD], [BACKWARD]] if direction == "both" else [DIRECTIONS[direction]]
    share = level / (events * len(tested))
    if not precise(len(x_test), len(y_test), share):
        tested = [[one for one in directions if one != TWO_SIDED] for directions in tested]
    learnt = [
        event
        for directions in tested
        for event in learn(x_learn, y_learn, scores_by_name, target.objectives(events, share), directions, draw)
    ]
    tests = [target.test(event, x_test, y_test, share, draw) for event in learnt]

    p_value = min(1.0, len(tests) * min(target.p_value(t) for t in tests))
    found = [target.bounds(t) for t in tests]
    richest = int(np.argmax([b["divergence_lower"] for b in found]))
    best: dict[str, Any] = {key: max(b[key] for b in found) for key in found[0]}
    used = {
        "learning": f"{len(x_learn)} of x and {len(y_learn)} of y, at random: scores, thresholds, direction",
        "testing": f"{len(x_test)} of x and {len(y_test)} of y: {_counted(tests)}",
        "level": _shared(level, learnt, direction),
    }
    witness = _witness(learnt[richest], tests[richest], x_test, y_test, given.names)
    directions = {}
    for one in dict.fromkeys(event.direction for event in learnt):
        mine = [k for k, event in enumerate(learnt) if event.direction == one]
        best_of = max(mine, key=lambda k: found[k]["divergence_lower"])
        directions[one] = Bound(
            value=found[best_of]["divergence_lower"],
            level=share * len(mine),
            witness=_witness(learnt[best_of], tests[best_of], x_test, y_test, given.names),
            used=used,
        )
    return AuditResult(
        notion=notion,
        method="joint exact test of a learnt event"
        if all(event.direction != TWO_SIDED for event in learnt)
        else "exact test of learnt guesses, of both directions at once",
        confidence=1 - level,
        p_value=p_value,
        rejected=p_value <= level,
        directions=directions,
        witness=witness | ({"event": NOTHING} if same else {}),
        used=used,
        n=len(u),
        m=len(v),
        seed=seed,
        arguments=arguments | {"scores": list(scores_by_name), "bound": bound, "events": events},
        band=_band(learnt, tests, 1 - level),
        scores=_histogram(learnt[richest], x_test, y_test),
        warnings=independence.warn(suspicions()),
        extra={"tested": [len(x_test), len(y_test)]},
        score=LearntScore(learnt[richest].name, learnt[richest].score, u.ndim == 1 and given.kind != "text", features),
        **best,
    )


def _check_door(x: Any, y: Any) -> None:
    """Reject the scores of one run's canaries and their memberships, which are not two samples."""
    kinds = [getattr(z, "dtype", np.dtype(object)).kind for z in (x, y)]
    if sorted(kinds) in (["b", "f"], ["b", "i"]) and np.shape(x) == np.shape(y) and np.ndim(x) == 1:
        name, value = ("x", x) if kinds[0] == "b" else ("y", y)
        allowed = "outputs, as the other sample is; the scores of one run's canaries, and which were in, are for"
        reject(name, np.asarray(value), f"{allowed} krdtheory.audit.audit_one_run")


def _methods(notion: Notion, support: tuple[float, float] | None) -> dict[str, Any]:
    """Return the methods for a notion, the default first, with the function of each, None for the joint test."""
    if isinstance(notion, CapacityBoundedDP):
        if support is None:
            reject("support", support, "given for polynomials of an output: unbounded, no sample bounds their means")
        order, degree = float(notion.alpha), int(notion.degree)
        return {"polynomial": partial(capacity_bound, alpha=order, degree=degree, support=support)}
    if support is not None:
        reject("support", support, "None for any notion but CapacityBoundedDP")
    if isinstance(notion, KernelRenyiDP):
        if float(notion.alpha) <= 1:
            reject("notion", notion, "of an order alpha > 1")
        given = {
            "alpha": float(notion.alpha),
            "regularization": float(notion.regularization),
            "kernel": notion.kernel,
            "bandwidth": notion.bandwidth,
        }
        return {"dual": partial(dual_bound, **given), "perturbation": partial(perturbation_bound, **given)}
    if isinstance(notion, RenyiDP):
        alpha = float(notion.alpha)
        cells, witness = partial(cut_bound, alpha=alpha), partial(witness_bound, alpha=alpha)
        return {"witness": witness, "cells": cells, "events": None} if alpha > 1 else {"cells": cells, "events": None}
    if isinstance(notion, ZeroConcentratedDP) and float(notion.xi) == 0:
        cells = partial(concentrated_bound, method="cells")
        return {"witness": concentrated_bound, "cells": cells, "events": None}
    return {"events": None}


def _by_certificate(
    certificate: Any,
    x: Array,
    y: Array,
    notion: Notion,
    level: float,
    scores: Any,
    learn_from: float | None,
    arguments: dict[str, Any],
    seed: int,
) -> AuditResult:
    """Return the result of a method that bounds a divergence, in each direction at its share of the level."""
    directions = [arguments["direction"]] if arguments["direction"] in (FORWARD, BACKWARD) else [FORWARD, BACKWARD]
    taken = inspect.signature(certificate).parameters
    options: dict[str, Any] = {"claim": notion.bound, "scores": scores, "learn_from": learn_from}
    options = {k: v for k, v in options.items() if k in taken and v is not None}
    if "scores" in taken:
        arguments = arguments | {"scores": list(make_scores(scores, x, y))}
    elif scores != "auto":
        reject("scores", scores, f"'auto' for {type(notion).__name__}, which has a function of its own learnt")
    else:
        x, y = unwrapped(x), unwrapped(y)
    found = {}
    for one, rng in zip(directions, np.random.default_rng(seed).spawn(len(directions)), strict=True):
        laws = (x, y) if one == FORWARD else (y, x)
        found[one] = certificate(*laws, level=level / len(directions), rng=rng, **options)
    best = max(found, key=lambda one: found[one].value)
    shared = f", an equal part for each of {len(found)} directions" if len(found) > 1 else " on one direction"
    lower = found[best].value
    # a bound above the claim without a p-value of its own counts as a p-value equal to its level
    p_values = [b.extra.get("p_value", b.level if b.value > notion.bound else 1.0) for b in found.values()]
    p_value = min(1.0, len(found) * min(p_values))
    return AuditResult(
        notion=notion,
        method={
            "dual": "kernel Renyi divergence by a learnt operator",
            "perturbation": "kernel Renyi divergence by the errors of two operators (Theorem 3, corrected)",
            "witness": "Renyi divergence by a learnt function",
            "cells": "Renyi divergence by learnt cells",
            "polynomial": "restricted Renyi divergence by a learnt polynomial",
        }[arguments["method"]],
        confidence=1 - level,
        divergence_lower=lower,
        epsilon_lower=lower if notion.bound_name == "epsilon" else None,
        p_value=p_value,
        rejected=p_value <= level,
        directions=found,
        witness={"direction": best, **found[best].witness},
        used={**found[best].used, "level": f"{level:.6g}{shared}"},
        n=len(x),
        m=len(y),
        seed=seed,
        arguments=arguments,
        extra=found[best].extra,
    )


def _repeat(x: Array, y: Array) -> bool:
    both = np.concatenate([x, y])
    return len(np.unique(both, axis=0)) < len(both)


def _split(z: Array, name: str, share: float | None, draw: np.random.Generator) -> tuple[Array, Array]:
    """Split a sample at random into the part to learn from and the part to test on."""
    if share is None:
        dimension = z.shape[1] if z.ndim == 2 else 10
        enough = _LEARN_FROM * (dimension + 2)  # the coordinates and two thresholds
        share = (_LEARN if dimension > 1 else _LEARN_SCALAR) * min(1.0, (enough / len(z)) ** 0.25)
        share = max(share, min(_LEARN_MUCH, _LEARN_MOST / len(z)))
    else:
        _in_unit_interval(share, "learn_from")
    if len(z) < 4:
        reject(f"the number of outputs in {name}", len(z), "at least 4, some to learn from and some to test on")
    size = min(max(round(share * len(z)), 2), len(z) - 1)
    shuffled = z[draw.permutation(len(z))]
    return shuffled[:size], shuffled[size:]


def _in_unit_interval(value: Any, name: str) -> float:
    number = check_number(value, name, 0, 1, allowed="in (0, 1)")
    if not 0 < number < 1:
        reject(name, value, "in (0, 1)")
    return number


def _shared(level: float, events: list[Event], direction: str) -> str:
    how = f", an equal part for each of {len(events)} events" if len(events) > 1 else " on one event"
    if direction == "best" and {event.direction for event in events} in ({FORWARD}, {BACKWARD}):
        how += "; the direction was chosen in learning, and the other was not tested"
    return f"{level:.6g}{how}"


def _counted(tests: list[JointTest]) -> str:
    """Describe what is counted."""
    played = {test.n for test in tests if isinstance(test, TwoSidedTest)}
    if not played:
        return "the counts of what was learnt"
    how = "each of x or of y by a fair coin, so many that neither runs out; none in between the thresholds"
    return f"guesses at {played.pop()} of them, {how}"


def _witness(event: Event, test: JointTest, x: Array, y: Array, names: list[str] | None) -> dict[str, Any]:
    of_p, of_q = event.words()
    thresholds = [t for t in (event.lower, event.upper) if np.isfinite(t)]
    out: dict[str, Any] = {"score": event.name, "thresholds": thresholds, "direction": event.direction}
    if event.direction == TWO_SIDED:
        words = f"the guess is x where {of_p}, y where {of_q}"
        counts = {"right guesses": f"{test.a} of {test.n}", "wrong guesses": f"{test.b} of {test.n}"}
    else:
        words, first, second = (of_p, "x", "y") if event.direction == FORWARD else (of_q, "y", "x")
        if (test.a, test.b) == (test.n, test.m):
            words += ", as it is of all: the scores tell no outputs apart"
        counts = {f"count in {first}": f"{test.a} of {test.n}", f"count in {second}": f"{test.b} of {test.m}"}
    told = tells(event.score, names, x.shape[1] if x.ndim == 2 else 1)
    return {"event": words, **out, **told, **counts, **_examples(event, x, y)}


def _examples(event: Event, x: Array, y: Array) -> dict[str, list[str]]:
    """Return the most common test outputs in the event, for texts, objects and outputs that are compared as a whole."""
    if x.ndim == 2 and not event.name.startswith("atoms"):
        return {}
    both = np.concatenate([x, y])
    names = {FORWARD: ["x"], BACKWARD: ["", "y"]}.get(event.direction, ["x", "y"])
    taken = zip(names, event.taken(both), strict=False)
    try:
        return {f"taken for {name}": most_common(both[where]) for name, where in taken if name and where.any()}
    except TypeError:  # objects without features, which only scores given by the user can handle
        return {}


def _band(events: list[Event], tests: list[JointTest], confidence: float) -> Band:
    """Return the band that follows from the confidence sets of all events, as trade-off curves are convex.

    The trade-off curve of a mechanism in both directions is also symmetric.
    """
    upper = 1 - _GRID
    symmetric = any(event.direction == TWO_SIDED for event in events)
    for event, test in zip(events, tests, strict=True):
        q, p = test.least_p()
        corners = (1 - p, q) if event.direction == BACKWARD else (q, 1 - p)
        for x, y in (corners, corners[::-1]) if symmetric else (corners,):
            with np.errstate(divide="ignore", invalid="ignore"):
                left = 1 - (1 - y) * np.where(x > 0, _GRID[:, None] / x, 1)
                right = np.where(x < 1, y * (1 - _GRID[:, None]) / (1 - x), 0)
            curve = np.where(_GRID[:, None] < x, left, right)
            upper = np.minimum(upper, np.where(x + y < 1, curve, 1 - _GRID[:, None]).max(1))
    step = np.diff(_GRID)
    slopes = isotonic_regression(np.diff(upper) / step, weights=step).x  # of the greatest convex minorant
    upper = np.maximum(1 + np.concatenate([[0], np.cumsum(slopes * step)]), 0)
    delta = 1 - upper - np.exp(_EPSILON)[:, None] * _GRID
    mirrored = 1 - _GRID - np.exp(_EPSILON)[:, None] * upper
    lower = np.maximum(np.maximum(delta, mirrored).max(1) - _ROUNDING, 0)
    return Band(x=_GRID, y=upper, epsilon=_EPSILON, delta=lower, confidence=confidence)


def _histogram(event: Event, x: Array, y: Array) -> dict[str, Any]:
    """Return histograms of the test scores, with the outermost hundredths in the outer bins."""
    u, v = event.values(x), event.values(y)
    values = np.concatenate([u, v])
    low, high = np.quantile(values[np.abs(values) < _HUGE], [0.01, 0.99]) if (np.abs(values) < _HUGE).any() else (0, 0)
    margin = (high - low) / (2 * _BINS) or 0.5  # bars are centred on the outermost values
    edges = np.linspace(low - margin, high + margin, _BINS + 1)
    of_x, of_y = (np.histogram(np.clip(s, edges[0], edges[-1]), edges)[0] for s in (u, v))
    return {"edges": edges.tolist(), "x": of_x.tolist(), "y": of_y.tolist()}
