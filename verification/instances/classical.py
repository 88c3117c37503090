"""Kinds on finite alphabets: distributions, kernels, tests, functions, sets of counts, maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from krdtheory.arithmetic.base import Array
from verification.instances.exact import entries, listed, whole, wrong
from verification.instances.fields import Field, Region
from verification.instances.kind import (
    LARGEST,
    Kind,
    Raw,
    chosen,
    counted,
    integers_of_a_magnitude,
    points_text,
    powers,
)

VALUE_BITS = 44  # values of tests and functions are multiples of 2^-44, most of them of 1/64
WHOLE = 1 << VALUE_BITS
COARSE = 1 << (VALUE_BITS - 6)


def _exact(value: Any, *shape: int | None) -> bool:
    """Whether the value is an object array of Fractions of shape (1, *shape)."""
    return (
        isinstance(value, np.ndarray)
        and value.ndim == 1 + len(shape)
        and len(value) == 1
        and all(wanted in (None, n) for wanted, n in zip(shape, value.shape[1:], strict=True))
        and all(isinstance(x, Fraction) for x in value.flat)
    )


def _weights(row: Any) -> bool:
    """Whether the row has the weights of a distribution."""
    return all(w >= 0 for w in row) and sum(row) == 1


def family_of_weights(row: Any, name: str) -> bool:
    """Whether the weights have full support (family "full"), or for any other name are a point mass."""
    return all(w > 0 for w in row) if name == "full" else sum(1 for w in row if w != 0) == 1


@dataclass(frozen=True)
class Distributions(Kind):
    """A list of `count` probability vectors (batch, dim) on one alphabet. With `full` every weight is positive.

    Domains (`within`): "full" (every weight positive); "points" (point masses). Further starts: "zeros"; "graded",
    powers of two down to 2^-60; "tiny", about half of the weights tiny; "close", vectors that differ by 2^-10 to 2^-40
    of a weight.
    """

    count: int = 1
    dim: int | None = None
    full: bool = False
    within: Sequence[str] = ()
    starts: Sequence[str] = ()
    DOMAINS: ClassVar[Mapping[str, str]] = {"full": "every weight positive", "points": "point masses"}
    STARTS: ClassVar[Sequence[str]] = ("full", "zeros", "graded", "tiny", "close", "points")
    corners: ClassVar[Sequence[str]] = ("zeros", "points")

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        shape = (batch, self.count, self.dim or dim)
        weights = np.abs(integers_of_a_magnitude(rng, shape)) + 1
        if start == "zeros":
            weights = weights * (rng.random(shape) < 0.6)
        elif start == "graded":
            span = chosen(rng, [8, 24, 60], (batch, 1, 1))
            weights = 1 << rng.integers(0, span + 1, size=shape)
        elif start == "tiny":
            unit = 1 << rng.integers(10, 50, size=(batch, 1, 1))
            weights = np.where(rng.random(shape) < 0.5, weights * unit, rng.integers(1, 4, size=shape))
        elif start == "close":
            unit = 1 << rng.integers(10, 41, size=(batch, 1, 1))
            weights = weights[:, :1] * unit + rng.integers(0, 3, size=shape)
        elif start == "points":
            weights = np.where(rng.random((batch, self.count, 1)) < 0.5, 0, weights)
        dead = weights.sum(-1) == 0
        weights[dead, rng.integers(0, shape[-1], size=int(dead.sum()))] = 1
        return {"weights": np.maximum(weights, 1) if self.full else weights}

    def sound(self, raw: Raw) -> Array:
        w = raw["weights"]
        bounded = ((w >= (1 if self.full else 0)) & (w <= LARGEST)).all((-1, -2))
        return np.asarray(bounded & (w > 0).any(-1).all(-1))

    def inside(self, raw: Raw, name: str) -> Array:
        positive = raw["weights"] > 0
        return np.asarray(positive.all((-1, -2)) if name == "full" else (positive.sum(-1) == 1).all(-1))

    def pressed(self, raw: Raw, name: str) -> Raw:
        w = raw["weights"]
        if name == "full":
            return {**raw, "weights": np.maximum(w, 1)}
        return {**raw, "weights": (np.arange(w.shape[-1]) == w.argmax(-1)[..., None]).astype(int)}

    def build(self, raw: Raw, field: Field) -> list[Array]:
        w = field.real(raw["weights"])
        return list(np.moveaxis(w / w.sum(-1)[..., None], 1, 0))

    def holds(self, value: Any) -> bool:
        if not isinstance(value, list) or len(value) != self.count or not all(_exact(p, self.dim) for p in value):
            return False
        if len({p.shape for p in value}) != 1:
            return False
        return all(_weights(p[0]) and (not self.full or (p[0] > 0).all()) for p in value)

    def lies_in(self, value: Any, name: str) -> bool:
        return all(family_of_weights(p[0], name) for p in value)

    def parsed(self, shown: Any, at: str) -> list[Array]:
        rows = listed(shown, at, self.count, "lists of rationals, one for each distribution")
        return [entries(row, f"{at}[{i}]", 1, "") for i, row in enumerate(rows)]

    def fits(self, dim: int) -> bool:
        return not (self.full and set(self.within) == {"points"}) or (self.dim or dim) == 1

    def describe(self) -> str:
        full = " of full support" if self.full else ""
        return self._words(f"{counted(self.count, 'a distribution', 'distributions')}{full} {points_text(self.dim)}")


@dataclass(frozen=True)
class MarkovKernels(Kind):
    """A Markov kernel (batch, points, cells): a probability vector for every point. Either size may be left to the
    batch.

    Domains (`within`): "full" (every probability positive); "points" (deterministic, every row a point mass). The
    starts are those of Distributions, for the rows.
    """

    points: int | None = None
    cells: int | None = None
    within: Sequence[str] = ()
    starts: Sequence[str] = ()
    DOMAINS: ClassVar[Mapping[str, str]] = {"full": "every probability positive", "points": "every row a point mass"}
    STARTS: ClassVar[Sequence[str]] = Distributions.STARTS
    corners: ClassVar[Sequence[str]] = Distributions.corners

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        return Distributions(self.points or dim, self.cells or dim).drawn_from(rng, batch, dim, start)

    def sound(self, raw: Raw) -> Array:
        return Distributions().sound(raw)

    def inside(self, raw: Raw, name: str) -> Array:
        return Distributions().inside(raw, name)

    def pressed(self, raw: Raw, name: str) -> Raw:
        return Distributions().pressed(raw, name)

    def build(self, raw: Raw, field: Field) -> Array:
        return np.stack(Distributions().build(raw, field), 1)

    def holds(self, value: Any) -> bool:
        return _exact(value, self.points, self.cells) and all(_weights(row) for row in value[0])

    def lies_in(self, value: Any, name: str) -> bool:
        return all(family_of_weights(row, name) for row in value[0])

    def parsed(self, shown: Any, at: str) -> Array:
        return entries(shown, at, 2, "a list of rows of probabilities")

    def free_sizes(self, value: Any) -> list[int]:
        return [] if self.points else [value.shape[1]]

    def describe(self) -> str:
        return self._words(f"a Markov kernel from {self.points or 'n'} points to {self.cells or 'n'} cells")


@dataclass(frozen=True)
class Events(Kind):
    """`count` randomised tests (batch, count, dim): the probabilities in [0, 1] of accepting a point.

    With `most` > 1 they are functions with values in [0, most]. Domains (`within`): "deterministic" (every value 0 or
    `most`). Further starts: "randomised", multiples of 1/64; "tiny", as close as 2^-43 to the ends or a multiple of
    1/64.
    """

    count: int = 1
    dim: int | None = None
    most: int = 1
    within: Sequence[str] = ()
    starts: Sequence[str] = ()
    DOMAINS: ClassVar[Mapping[str, str]] = {"deterministic": "every value one of the two ends"}
    STARTS: ClassVar[Sequence[str]] = ("randomised", "deterministic", "tiny")
    corners: ClassVar[Sequence[str]] = ("deterministic",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.most <= 1 << 15:
            raise ValueError(f"most must be from 1 to 2^15; got {self.most}")

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        shape, top = (batch, self.count, self.dim or dim), self.most * WHOLE
        if start == "deterministic":
            return {"accept": top * rng.integers(0, 2, size=shape)}
        plain = self.most * COARSE * rng.integers(0, 65, size=shape)
        if start == "randomised":
            return {"accept": plain}
        small = powers(rng, shape, 1, VALUE_BITS - 4)
        where = rng.random(shape)
        fine = np.where(where < 0.4, small, np.where(where < 0.7, top - small, np.clip(plain + small, 0, top)))
        return {"accept": np.where(rng.random(shape) < 0.7, fine, plain)}

    def sound(self, raw: Raw) -> Array:
        return np.all((raw["accept"] >= 0) & (raw["accept"] <= self.most * WHOLE), (-1, -2))

    def inside(self, raw: Raw, name: str) -> Array:
        return np.all((raw["accept"] == 0) | (raw["accept"] == self.most * WHOLE), (-1, -2))

    def pressed(self, raw: Raw, name: str) -> Raw:
        return {"accept": np.where(2 * raw["accept"] >= self.most * WHOLE, self.most * WHOLE, 0)}

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["accept"]) / WHOLE

    def coarse(self) -> Mapping[str, int]:
        return {"accept": COARSE}

    def holds(self, value: Any) -> bool:
        return _exact(value, self.count, self.dim) and all(0 <= x <= self.most for x in value.flat)

    def lies_in(self, value: Any, name: str) -> bool:
        return all(x in (0, self.most) for x in value.flat)

    def parsed(self, shown: Any, at: str) -> Array:
        return entries(shown, at, 2, f"a list of {self.count}: lists of rationals, a value for each point")

    def describe(self) -> str:
        made, values = counted(self.count, "a randomised test", "randomised tests"), "probabilities"
        if self.most != 1:
            made, values = counted(self.count, "a function", "functions"), f"values from 0 to {self.most}"
        steps = "in steps of 1/64, and closer to the ends"
        return self._words(f"{made} {points_text(self.dim)}, tried with {values} {steps}")


@dataclass(frozen=True)
class UpSets(Kind):
    """A set of pairs of counts of n and m trials, up-closed in the first and down-closed in the second, n, m >= 1.

    Only sets for the given n and m are tried.
    """

    n: int = 3
    m: int = 3

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        return {"staircase": np.sort(rng.integers(0, self.n + 2, size=(batch, self.m + 1)), -1)}

    def sound(self, raw: Raw) -> Array:
        c = raw["staircase"]
        return np.asarray(((c >= 0) & (c <= self.n + 1)).all(-1) & (np.diff(c, axis=-1) >= 0).all(-1))

    def build(self, raw: Raw, field: Field) -> Region:
        return Region(self.n, self.m, raw["staircase"])

    def holds(self, value: Any) -> bool:
        if not isinstance(value, Region) or value.n < 1 or value.m < 1:
            return False
        steps = value.staircase
        if not isinstance(steps, np.ndarray) or steps.shape != (1, value.m + 1):
            return False
        row = [int(c) for c in steps[0]]
        return row[0] >= 0 and row[-1] <= value.n + 1 and all(a <= b for a, b in pairwise(row))

    def parsed(self, shown: Any, at: str) -> Region:
        wanted = '{"n": trials, "m": trials, "staircase": a list of m + 1 integers}'
        if not isinstance(shown, Mapping) or set(shown) != {"n", "m", "staircase"}:
            raise wrong(at, wanted, shown)
        n, m = (whole(shown[key], f"{at}.{key}", "an integer >= 1") for key in ("n", "m"))
        steps = entries(shown["staircase"], f"{at}.staircase", 1, "", lambda x, at: whole(x, at, "an integer"))
        return Region(n, m, steps.astype(int))

    def describe(self) -> str:
        return f"set of counts (a, b) of n and m trials, up in a, down in b; n = {self.n} and m = {self.m} are tried"


def _is_step(row: Any) -> bool:
    """Whether the row is constant except for at most one step."""
    return sum(1 for a, b in pairwise(row) if a != b) <= 1


@dataclass(frozen=True)
class Functions(Kind):
    """`count` real functions (batch, count, dim) on the points, with values up to `drawn` in size.

    Domains (`within`): "nonnegative"; "indicators" (values 0 and 1); "steps" (constant except for one step). Further
    starts: "generic", multiples of 1/64; "zeros"; "tiny", values down to 2^-43; "close", values that differ by 2^-6 to
    2^-40.
    """

    count: int = 1
    dim: int | None = None
    drawn: int = 4
    within: Sequence[str] = ()
    starts: Sequence[str] = ()
    DOMAINS: ClassVar[Mapping[str, str]] = {
        "nonnegative": "no value negative",
        "indicators": "every value 0 or 1",
        "steps": "constant but for one step",
    }
    STARTS: ClassVar[Sequence[str]] = (
        "generic",
        "zeros",
        "steps",
        "tiny",
        "close",
        "nonnegative",
        "indicators",
    )
    corners: ClassVar[Sequence[str]] = ("zeros", "steps", "indicators")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.drawn <= 1 << 15:
            raise ValueError(f"drawn must be from 1 to 2^15; got {self.drawn}")

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        plain, shape = 64 * self.drawn, (batch, self.count, self.dim or dim)
        top = self.drawn * WHOLE
        values = COARSE * rng.integers(-plain, plain + 1, size=shape)
        if start == "zeros":
            values = values * (rng.random(shape) < 0.5)
        elif start == "steps":
            low, high = COARSE * rng.integers(-plain, plain + 1, size=(2, batch, self.count, 1))
            at = rng.integers(1, shape[-1] + 1, size=(batch, self.count, 1))
            values = np.where(np.arange(shape[-1]) < at, low, high)
        elif start == "tiny":
            small = powers(rng, shape, 1, VALUE_BITS) * chosen(rng, [-1, 1], shape)
            values = np.where(rng.random(shape) < 0.7, small, values)
        elif start == "close":
            unit = 1 << (VALUE_BITS - rng.integers(6, 41, size=(batch, 1, 1)))
            values = np.clip(values[..., :1] + unit * rng.integers(-1, 2, size=shape), -top, top)
        elif start == "nonnegative":
            values = np.abs(values)
        elif start == "indicators":
            values = WHOLE * rng.integers(0, 2, size=shape)
        return {"values": values}

    def sound(self, raw: Raw) -> Array:
        return np.all(abs(raw["values"]) <= self.drawn * WHOLE, (-1, -2))

    def inside(self, raw: Raw, name: str) -> Array:
        v = raw["values"]
        if name == "nonnegative":
            return np.all(v >= 0, (-1, -2))
        if name == "indicators":
            return np.all((v == 0) | (v == WHOLE), (-1, -2))
        return np.all((np.diff(v, axis=-1) != 0).sum(-1) <= 1, -1)

    def pressed(self, raw: Raw, name: str) -> Raw:
        v = raw["values"]
        if name == "nonnegative":
            return {"values": np.abs(v)}
        if name == "indicators":
            return {"values": np.where(v > 0, WHOLE, 0)}
        changed = v != v[..., :1]  # from the first change on, the last value
        return {"values": np.where(np.logical_or.accumulate(changed, -1), v[..., -1:], v[..., :1])}

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["values"]) / WHOLE

    def coarse(self) -> Mapping[str, int]:
        return {"values": COARSE}

    def holds(self, value: Any) -> bool:
        return _exact(value, self.count, self.dim)

    def lies_in(self, value: Any, name: str) -> bool:
        if name == "nonnegative":
            return all(x >= 0 for x in value.flat)
        if name == "indicators":
            return all(x in (0, 1) for x in value.flat)
        return all(_is_step(list(row)) for row in value[0])

    def parsed(self, shown: Any, at: str) -> Array:
        return entries(shown, at, 2, f"a list of {self.count}: lists of rationals, a value for each point")

    def describe(self) -> str:
        made = counted(self.count, "a real function", "real functions")
        steps = "in steps of 1/64, and closer to one another and to 0"
        return self._words(
            f"{made} {points_text(self.dim)}, tried with values from -{self.drawn} to {self.drawn} {steps}"
        )


@dataclass(frozen=True)
class Maps(Kind):
    """`count` maps (batch, count, size) from `size` points to points 0 .. image - 1, as indices."""

    size: int
    image: int
    count: int = 1

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        return {"map": rng.integers(0, self.image, size=(batch, self.count, self.size))}

    def sound(self, raw: Raw) -> Array:
        return np.all((raw["map"] >= 0) & (raw["map"] < self.image), (-1, -2))

    def build(self, raw: Raw, field: Field) -> Array:
        return raw["map"]

    def holds(self, value: Any) -> bool:
        if not isinstance(value, np.ndarray) or value.shape != (1, self.count, self.size) or value.dtype.kind != "i":
            return False
        return bool((value >= 0).all() and (value < self.image).all())

    def parsed(self, shown: Any, at: str) -> Array:
        wanted = f"a list of {self.count}: lists of {self.size} indices from 0 to {self.image - 1}"
        return entries(shown, at, 2, wanted, lambda x, at: whole(x, at, "an index")).astype(int)

    def describe(self) -> str:
        return f"{counted(self.count, 'a map', 'maps')} from {self.size} points to {self.image}"
