"""Properties of the value of a public function at any valid input.

It is not NaN or -0.0, causes no warning, is in the documented range, is monotone if the function is, and equals the
value in ball arithmetic at inputs rounded by a few units in the last place, which no algorithm in float64 could
distinguish from the given input. Inputs out of reach raise a ValueError or PrecisionError with a known message.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import re
import signal
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from flint import arb, ctx

from extremes.inputs import ABOVE_ONE, BELOW_ONE, LARGEST, LEAST, Source, below_one, inside_unit, unit
from krdtheory.arithmetic import PrecisionError
from krdtheory.arithmetic.ball import UndecidedError

DIGITS = 25  # of balls
ULPS = 8  # the largest rounding of the inputs of a comparison
LIMIT = 10.0  # CPU seconds for one value of the function
PATIENCE = 1.0  # CPU seconds for one value of another number system
Call = Callable[..., Any]
Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class Entry:
    """A public function and how it is tested.

    `source` draws all arguments. `low` and `high` bound the value, as numbers or as functions of the arguments. `rises`
    and `falls` draw another value of an argument in which the function is monotone. `oracles` are the same function in
    other number systems, by name. `refuses` matches the error messages for valid input out of reach. `error` is the
    documented error relative to the value, and `absolute` the documented absolute error, a number or a function of the
    arguments.
    """

    name: str
    call: Call
    source: Source
    low: Any = -math.inf
    high: Any = math.inf
    rises: Mapping[str, Source] = field(default_factory=dict)
    falls: Mapping[str, Source] = field(default_factory=dict)
    oracles: Mapping[str, Call] = field(default_factory=dict)
    refuses: str = ""
    error: float = 1e-12
    absolute: Any = 0.0


@dataclass(frozen=True)
class Finding:
    """A property that does not hold at an input."""

    name: str
    seed: int
    what: str
    arguments: str


@dataclass
class Outcome:
    """The outcome at one input."""

    name: str
    patience: float = PATIENCE
    findings: list[Finding] = field(default_factory=list)
    refused: bool = False
    compared: int = 0
    undecided: int = 0
    late: int = 0  # no answer in `PATIENCE`, or of the function itself in `LIMIT`
    slowest: float = 0.0  # seconds of an oracle


class Fault(Exception):
    """A property that does not hold."""


class Refused(Exception):
    """An error with a known message."""


class Late(BaseException):
    """The time is over; a BaseException, so that called functions do not catch it."""


def examine(entry: Entry, seed: int, *, oracle_share: float = 1.0, patience: float = PATIENCE) -> Outcome:
    """Check all properties of an entry at the input of a seed."""
    rng = np.random.default_rng([seed, *entry.name.encode()])
    arguments = entry.source(rng)
    outcome = Outcome(entry.name, patience=patience)

    def judge(check: Callable[[], None], given: Arguments) -> bool:
        try:
            check()
        except Fault as fault:
            outcome.findings.append(Finding(entry.name, seed, str(fault), shown(given)))
            return False
        except Refused:
            outcome.refused = True
            return False
        except Late:
            outcome.late += 1
            return False
        return True

    value: Any = None

    def first() -> None:
        nonlocal value
        value = evaluate(entry, arguments)

    if not judge(first, arguments):
        return outcome
    for name, oracle in entry.oracles.items():
        if rng.random() < oracle_share * (1.0 if name == "ball" else 0.1):
            judge(lambda n=name, o=oracle: compare(entry, n, o, arguments, value, rng, outcome), arguments)  # type: ignore[misc]
    for sign, sources in ((1, entry.rises), (-1, entry.falls)):
        for argument, source in sources.items():
            other = {**arguments, argument: another(arguments[argument], source, rng)}
            judge(lambda s=sign, a=argument, o=other: monotone(entry, s, a, arguments, value, o, rng), other)  # type: ignore[misc]
    return outcome


def evaluate(entry: Entry, arguments: Arguments) -> Any:
    """Return the value, and check its range."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            with in_time(LIMIT):
                value = np.asarray(entry.call(**arguments), dtype=float)
        except Warning as warning:
            raise Fault(f"warns: {warning}") from None
        except (ValueError, PrecisionError) as error:
            if entry.refuses and re.search(entry.refuses, str(error)):
                raise Refused from None
            raise Fault(f"refuses a legal input: {error}") from None
        except Exception as error:
            raise Fault(f"raises {type(error).__name__}: {error}") from None
    if np.isnan(value).any():
        raise Fault("is NaN")
    if (np.signbit(value) & (value == 0)).any():
        raise Fault("is -0.0")
    low, high = (bound(arguments) if callable(bound) else bound for bound in (entry.low, entry.high))
    if (value < low).any() or (value > high).any():
        raise Fault(f"is {value.tolist()!r}, outside [{low!r}, {high!r}]")
    return value


def compare(
    entry: Entry, name: str, oracle: Call, arguments: Arguments, value: Any, rng: np.random.Generator, outcome: Outcome
) -> None:
    """Compare the value with that of another number system, at inputs rounded by a few units."""
    start = time.perf_counter()
    try:
        truth = balls(oracle, arguments, outcome.patience)
    except (UndecidedError, PrecisionError):
        outcome.undecided += 1
        return
    except Late:
        outcome.late += 1
        return
    except Exception as error:
        raise Fault(f"{name} raises {type(error).__name__}: {error}") from None
    finally:
        outcome.slowest = max(outcome.slowest, time.perf_counter() - start)
    outcome.compared += 1
    flat, extra = np.ravel(value), besides(entry, arguments)
    if flat.shape != truth.shape:
        raise Fault(f"has shape {flat.shape} and {name} {truth.shape}")
    if all(agrees(v, t, allowance(entry, t, extra)) for v, t in zip(flat, truth, strict=True)):
        return
    allowed = [allowance(entry, t, extra) for t in truth]
    near = [truth]
    for other in roundings(arguments, rng):
        try:
            moved = balls(oracle, other, outcome.patience)
        except (ValueError, ArithmeticError, Late):
            continue
        near.append(moved)
        allowed = [a + distance(x, y) for a, x, y in zip(allowed, truth, moved, strict=True)]
    for i, v in enumerate(flat):
        if not (
            agrees(v, truth[i], allowed[i])
            or any(agrees(v, moved[i], allowance(entry, moved[i], extra)) for moved in near)
        ):
            raise Fault(f"is {float(v)!r}, {name} {truth[i].str(20)}")


def monotone(
    entry: Entry, sign: int, argument: str, arguments: Arguments, value: Any, other: Arguments, rng: np.random.Generator
) -> None:
    """Check monotonicity between two values of an argument."""
    moved = evaluate(entry, other)
    if not other[argument] > arguments[argument]:
        sign = -sign
    low, high = (value, moved) if sign > 0 else (moved, value)
    with np.errstate(invalid="ignore"):
        excess = np.where(low == high, 0, low - high)
    size = np.maximum(abs(low), abs(high))
    wrong = excess > np.where(np.isfinite(size), entry.error * size + besides(entry, arguments), 0)
    if not wrong.any() or excused(entry, arguments, value, other, moved, rng):
        return
    words = "falls" if (sign > 0) == (other[argument] > arguments[argument]) else "rises"
    raise Fault(f"{words} in {argument}: {value.tolist()!r} at {arguments[argument]!r}, {moved.tolist()!r} here")


def excused(
    entry: Entry, arguments: Arguments, value: Any, other: Arguments, moved: Any, rng: np.random.Generator
) -> bool:
    """Return whether both values are correct up to the rounding of their inputs."""
    oracle = entry.oracles.get("ball")
    if oracle is None:
        return False
    try:
        for given, v in ((arguments, value), (other, moved)):
            outcome = Outcome(entry.name)
            compare(entry, "ball", oracle, given, v, rng, outcome)
            if not outcome.compared:
                return False
    except Fault:
        return False
    return True


def balls(oracle: Call, arguments: Arguments, patience: float) -> Any:
    """Return the value of an oracle as a flat array of balls."""
    with in_time(patience):
        values = np.ravel(np.asarray(oracle(**arguments, digits=DIGITS), dtype=object))
    out = np.empty(len(values), dtype=object)
    with ctx.workdps(DIGITS + 10):
        for i, v in enumerate(values):
            out[i] = v if isinstance(v, arb) else rounded(v)
    return out


def rounded(v: Any) -> arb:
    """Return an mpmath number as a ball with its possible error."""
    if math.isinf(v):
        return arb(float(v))
    value = arb(str(v))
    return arb(value.mid(), abs(value).upper() * arb(10) ** -DIGITS + arb(10) ** (-2 * DIGITS))


@contextlib.contextmanager
def in_time(seconds: float) -> Iterator[None]:
    """Raise `Late` after this number of CPU seconds."""

    def late(_: int, frame: Any) -> None:
        if frame is not None and frame.f_code.co_name == "gc_callback":  # it would swallow the exception
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.01)
            return
        raise Late

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def allowance(entry: Entry, truth: arb, extra: float) -> Any:
    """Return the allowed error for values in the range of floats, if the arguments lose no digits."""
    return abs(truth) * entry.error + extra + arb(LEAST) * 4 if truth.is_finite() else arb(0)


def besides(entry: Entry, arguments: Arguments) -> float:
    return float(entry.absolute(arguments) if callable(entry.absolute) else entry.absolute)


def agrees(value: float, truth: arb, allowed: Any) -> bool:
    with ctx.workdps(60):
        if math.isinf(value):
            beyond = truth > LARGEST * BELOW_ONE if value > 0 else truth < -LARGEST * BELOW_ONE
            return bool(beyond) or (not truth.is_finite() and bool(truth == arb(value)))
        if not truth.is_finite():
            return False
        return not abs(arb(value) - truth) > allowed


def distance(x: arb, y: arb) -> Any:
    with ctx.workdps(60):
        return abs(x - y) if x.is_finite() and y.is_finite() else arb(0)


def roundings(arguments: Arguments, rng: np.random.Generator) -> Iterator[Arguments]:
    """Yield the arguments with each number changed by some units in the last place."""

    def moved(x: Any, sign: Any) -> Any:
        with np.errstate(over="ignore", under="ignore"):
            y = x + sign * (ULPS * np.spacing(np.where(np.isfinite(x), x, 0)))
        return np.where(x == 0, 0.0, np.where(x > 0, np.maximum(y, LEAST), np.minimum(y, -LEAST)))

    def change(x: Any, sign: Callable[[Any], Any]) -> Any:
        if isinstance(x, float):
            near = x if math.isinf(x) or x == 1 else float(moved(x, sign(None)))
            return min(near, BELOW_ONE) if 0 <= x < 1 else max(near, ABOVE_ONE) if x > 1 else near
        if isinstance(x, np.ndarray) and x.ndim == 2 and x.shape[0] == x.shape[1] and x.dtype.kind in "fc":
            off = x - np.diag(np.diag(x))
            if not off.any():
                return np.diag(moved(np.diag(x).real, sign(len(x))))
            noise = rng.uniform(-1, 1, x.shape) * abs(x).max() * ULPS * len(x) * 2.0**-53
            return x + noise + noise.T
        if isinstance(x, np.ndarray) and x.dtype.kind == "f":
            return moved(x, sign(x.shape))
        return x

    def signs(which: int) -> Callable[[Any], Any]:
        return lambda shape: rng.choice([-1, 1], shape) if which == 0 else np.int64(which)

    for which in itertools.product((1, -1, 0), repeat=2):
        # all numbers of an argument in one direction, like errors of sums, or each separately
        ways = np.resize(which, len(arguments))
        yield {name: change(x, signs(way)) for (name, x), way in zip(arguments.items(), ways, strict=True)}


def another(x: Any, source: Source, rng: np.random.Generator) -> Any:
    """Return another value of an argument: the next float, a close one, or any."""
    kind = rng.integers(3)
    if isinstance(x, int) or kind == 0 or not 0 < x < 1e300:
        return source(rng)
    y = x + 4 * float(np.spacing(x)) if kind == 1 else x * (1 + 10.0 ** rng.uniform(-15, 0))
    return min(y, BELOW_ONE) if source in (inside_unit, below_one, unit) else y


def shown(arguments: Arguments) -> str:
    with np.printoptions(threshold=8, precision=17):
        return ", ".join(
            f"{name}={x.tolist() if isinstance(x, np.ndarray) and x.size <= 16 else x!r}"
            for name, x in arguments.items()
        )
