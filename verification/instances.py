"""Random instances. A kind draws integers and builds from them, by field operations only, in any arithmetic.

So an instance found in float64 exists exactly: the same integers build it in rationals, in mpmath, or in balls.
Every value has a leading batch axis. Within a batch one dimension and one *family* hold for all: the structured corners
(rank-deficient, diagonal, graded, nearly equal, repeated points) where statements break are families of their own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from sympy.polys.domains import QQ_I

from krdtheory.arithmetic.base import Array

Raw = dict[str, Array]
Batch = Mapping[str, Raw]
FIXED = "dim"  # the one raw entry that is the same for a whole batch and never changed
DIMENSIONS = (2, 3, 4)  # tried, of what is stated for every dimension


class Field:
    """Numbers to build with: float64, mpmath (a context), or exact rationals."""

    def __init__(self, convert: Callable[[int], Any] | None, complex_unit: Any) -> None:
        self._convert, self._unit = convert, complex_unit

    def real(self, integers: Array) -> Array:
        """An array of integers as numbers."""
        if self._convert is None:
            return integers.astype(float)
        convert = self._convert
        return np.asarray(np.frompyfunc(lambda x: convert(int(x)), 1, 1)(integers))

    def complex(self, re: Array, im: Array) -> Array:
        """re + i im of arrays of integers."""
        if not im.any():
            return self.real(re)
        if self._convert is Fraction:
            return np.frompyfunc(lambda x, y: QQ_I(int(x), int(y)), 2, 1)(re, im)
        return self.real(re) + self._unit * self.real(im)

    def conj(self, x: Array) -> Array:
        """Complex conjugate."""
        if x.dtype != object:
            return np.conj(x)
        return np.frompyfunc(lambda v: QQ_I(v.x, -v.y) if hasattr(v, "y") else v.conjugate(), 1, 1)(x)

    def identity(self, n: int) -> Array:
        """Identity matrix."""
        return self.real(np.eye(n, dtype=int))

    def inverse(self, matrix: Array) -> Array:
        """Inverse of invertible matrices (batch, n, n), by Gauss-Jordan elimination outside float64."""
        if self._convert is None:
            return np.linalg.inv(matrix)
        n = matrix.shape[-1]
        out = []
        for one in matrix:
            work = np.concatenate([one, self.identity(n)], 1)
            for i in range(n):
                pivot = next(j for j in range(i, n) if work[j, i] != 0)
                work[[i, pivot]] = work[[pivot, i]]
                work[i] = work[i] / work[i, i]
                for j in range(n):
                    if j != i:
                        work[j] = work[j] - work[i] * work[j, i]
            out.append(work[:, n:])
        return np.stack(out)


FLOATS = Field(None, 1j)
RATIONALS = Field(Fraction, None)


def multiprecision(context: Any) -> Field:
    """Numbers of an mpmath context."""
    return Field(context.mpf, context.mpc(0, 1))


class Kind(ABC):
    """A kind of random object: `draw` makes integers for a batch, `build` makes the object from them.

    `corners` are the families of discrete structure (zeros, axes, commuting): statements often break where everything
    in an instance is of that sort.
    """

    families: Sequence[str] = ("plain",)
    corners: ClassVar[Sequence[str]] = ()

    @abstractmethod
    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        """Integer arrays with a leading axis of length `batch`."""

    @abstractmethod
    def build(self, raw: Raw, field: Field) -> Any:
        """The object, in the numbers of `field`."""

    def legal(self, raw: Raw) -> Array:
        """Which instances of a batch the integers describe a legal object for, after someone changed them."""
        return np.ones(len(next(iter(raw.values()))), dtype=bool)

    def describe(self) -> str:
        """In words: what the statement ranges over, and what is tried of it."""
        return repr(self)

    def _tried(self, text: str) -> str:
        """The families, where not all of them are drawn."""
        few = tuple(self.families) != tuple(type(self).families)
        return f"{text}; only these are drawn: {', '.join(self.families)}" if few else text


def _real(x: float) -> str:
    """An end of a range: a fraction where it is a short one."""
    short = x != np.inf and Fraction(x).denominator <= 1 << 24
    return str(Fraction(x)) if short else f"{x:.6g}"


def _range(low: float, high: float, drawn: float, step: str, *, open_low: bool = False, open_high: bool = False) -> str:
    left, right = "(" if open_low else "[", ")" if open_high or high == np.inf else "]"
    upto = f" up to {_real(drawn)}" if drawn < high else ""
    return f"{left}{_real(low)}, {_real(high)}{right}, tried{upto} in steps of {step}"


def _counted(count: int, one: str, many: str) -> str:
    return one if count == 1 else f"{count} {many}"


def _points(dim: int | None) -> str:
    return f"on {dim} points" if dim else f"on finitely many points, tried on {_dimensions()}"


def _dimension(dim: int | None) -> str:
    return f"of dimension {dim}" if dim else f"of finite dimension, tried in {_dimensions()}"


def _dimensions() -> str:
    *first, last = map(str, DIMENSIONS)
    return f"{', '.join(first)} and {last}"


def _integers(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Integers of one magnitude per batch entry: 1, 3, 30 or 1000."""
    top = rng.choice([1, 3, 30, 1000], size=(shape[0],) + (1,) * (len(shape) - 1))
    return rng.integers(-top, top + 1, size=shape)


def _column(x: Array, ndim: int) -> Array:
    return x.reshape(x.shape + (1,) * (ndim - x.ndim))


@dataclass(frozen=True)
class Order(Kind):
    """A finite Renyi order alpha > 0 in [low, high] other than 1. `closed` includes the ends.

    Multiples of 1/64 up to `drawn` are tried.
    """

    low: float
    high: float = np.inf
    closed: bool = True
    drawn: float = 64.0

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high:
            raise ValueError(f"low and high must satisfy 0 <= low < high; got {self.low} and {self.high}")
        inside = np.arange(int(64 * self.low), int(64 * self.largest) + 2)
        if not self.legal({"alpha": inside}).any():
            raise ValueError(f"low and high must have a multiple of 1/64 between them; got {self.low} and {self.high}")

    @property
    def largest(self) -> float:
        """Largest order tried."""
        return min(self.high, self.drawn)

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        special = np.array([1, 8, 16, 24, 32, 33, 48, 60, 63, 65, 68, 80, 96, 128, 192, 384, 768, 1920, 4096])
        below, above = 64 * max(self.low, 1 / 64), 64 * self.largest
        geometric = np.rint(2 ** rng.uniform(np.log2(below), np.log2(above), size=batch)).astype(int)
        middle = rng.integers(int(below), int(min(above, max(below, 128))) + 1, size=batch)
        how = rng.random(batch)
        chosen = np.select([how < 0.35, how < 0.7], [rng.choice(special, size=batch), geometric], middle)
        legal = np.arange(int(below), int(above) + 1)
        legal = legal[self.legal({"alpha": legal})]
        return {"alpha": np.where(self.legal({"alpha": chosen}), chosen, rng.choice(legal, size=batch))}

    def legal(self, raw: Raw) -> Array:
        x = raw["alpha"] / 64
        inside = (x >= self.low) & (x <= self.high) if self.closed else (x > self.low) & (x < self.high)
        return inside & (x != 1) & (x > 0) & (x <= self.drawn)

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["alpha"]) / 64

    def describe(self) -> str:
        ends = {"open_low": not self.closed or self.low in (0, 1), "open_high": not self.closed or self.high == 1}
        inside = _range(self.low, self.high, self.drawn, "1/64", **ends)
        return f"order other than 1 in {inside}" if self.low < 1 < self.high else f"order in {inside}"


@dataclass(frozen=True)
class Orders(Kind):
    """Two orders, the first at most the second, both in [low, high] and not 1."""

    low: float
    high: float = np.inf
    drawn: float = 64.0

    @property
    def _one(self) -> Order:
        return Order(self.low, self.high, drawn=self.drawn)

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        one = self._one
        both = np.stack([one.draw(rng, batch, dim, family)["alpha"] for _ in range(2)])
        return {"smaller": both.min(0), "larger": both.max(0)}

    def legal(self, raw: Raw) -> Array:
        one = self._one
        inside = one.legal({"alpha": raw["smaller"]}) & one.legal({"alpha": raw["larger"]})
        return inside & (raw["smaller"] <= raw["larger"])

    def build(self, raw: Raw, field: Field) -> tuple[Array, Array]:
        return field.real(raw["smaller"]) / 64, field.real(raw["larger"]) / 64

    def describe(self) -> str:
        return f"two orders, the first at most the second, each an {self._one.describe()}"


@dataclass(frozen=True)
class Scale(Kind):
    """A number (a regularization lambda, say) in [0, high]; `positive` leaves out 0.

    Multiples of 2^-bits up to `drawn`, a power of two, are tried, evenly in their logarithm.
    """

    positive: bool = False
    high: float = np.inf
    bits: int = 24
    drawn: int = 64

    @property
    def largest(self) -> int:
        """Largest number tried."""
        return int(min(self.high, self.drawn))

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        top = int(np.log2(self.largest)) + self.bits
        mantissa, shift = rng.integers(16, 33, size=batch), rng.integers(-4, top - 4, size=batch)
        value = np.where(shift < 0, mantissa >> np.maximum(-shift, 0), mantissa << np.maximum(shift, 0))
        return {"scale": value if self.positive else np.where(rng.random(batch) < 0.15, 0, value)}

    def legal(self, raw: Raw) -> Array:
        x = raw["scale"]
        return (x >= (1 if self.positive else 0)) & (x <= self.largest << self.bits)

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["scale"]) / 2**self.bits

    def describe(self) -> str:
        return f"number in {_range(0, self.high, self.drawn, f'2^-{self.bits}', open_low=self.positive)}"


@dataclass(frozen=True)
class Reals(Kind):
    """A number in [-high, high].

    Multiples of 2^-bits up to `drawn`, a power of two, are tried: 0, or evenly in their logarithm.
    """

    high: float = np.inf
    bits: int = 12
    drawn: int = 64

    @property
    def _size(self) -> Scale:
        return Scale(high=self.high, bits=self.bits, drawn=self.drawn)

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        size = self._size.draw(rng, batch, dim, family)["scale"]
        return {"real": size * rng.choice([-1, 1], size=batch)}

    def legal(self, raw: Raw) -> Array:
        return abs(raw["real"]) <= self._size.largest << self.bits

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["real"]) / 2**self.bits

    def describe(self) -> str:
        ends = "the reals" if self.high == np.inf else f"[-{_real(self.high)}, {_real(self.high)}]"
        largest = f" from -{_real(self.drawn)} to {_real(self.drawn)}" if self.drawn < self.high else ""
        return f"number in {ends}, tried{largest} in steps of 2^-{self.bits}"


@dataclass(frozen=True)
class Fraction01(Kind):
    """A number in [0, 1], less the ends that are told not to belong; multiples of 1/64 are tried."""

    zero: bool = True
    one: bool = True

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        return {"part": rng.integers(0 if self.zero else 1, 65 if self.one else 64, size=batch)}

    def legal(self, raw: Raw) -> Array:
        x = raw["part"]
        return (x >= (0 if self.zero else 1)) & (x <= (64 if self.one else 63))

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["part"]) / 64

    def describe(self) -> str:
        return f"number in {_range(0, 1, 1, '1/64', open_low=not self.zero, open_high=not self.one)}"


@dataclass(frozen=True)
class Integers(Kind):
    """An integer from low >= 1 to high; a number of samples, say. Integers up to `drawn` are tried, evenly in their
    logarithm."""

    low: int = 1
    high: float = np.inf
    drawn: int = 1 << 14

    @property
    def largest(self) -> int:
        """Largest integer tried."""
        return int(min(self.high, self.drawn))

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        value = np.rint(np.exp(rng.uniform(np.log(self.low), np.log(self.largest), size=batch))).astype(int)
        return {"integer": np.clip(value, self.low, self.largest)}

    def legal(self, raw: Raw) -> Array:
        return (raw["integer"] >= self.low) & (raw["integer"] <= self.largest)

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["integer"])

    def describe(self) -> str:
        ends = f"at least {self.low}" if self.high == np.inf else f"from {self.low} to {_real(self.high)}"
        return f"integer {ends}" + (f", tried up to {self.largest}" if self.drawn < self.high else "")


@dataclass(frozen=True)
class Distributions(Kind):
    """A list of `count` probability vectors (batch, dim) on one alphabet.

    Families: full support; zeros; powers of two down to 2^-24; two that nearly agree; point masses. With `full` every
    weight is positive.
    """

    count: int = 1
    dim: int | None = None
    families: Sequence[str] = ("full", "zeros", "graded", "close", "points")
    full: bool = False
    corners: ClassVar[Sequence[str]] = ("zeros", "points")

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        shape = (batch, self.count, self.dim or dim)
        weights = np.abs(_integers(rng, shape)) + 1
        if family == "zeros":
            weights = weights * (rng.random(shape) < 0.6)
        elif family == "graded":
            weights = 1 << rng.integers(0, 25, size=shape)
        elif family == "close":
            weights = weights[:, :1] * 1000 + rng.integers(0, 3, size=shape)
        elif family == "points":
            weights = np.where(rng.random((batch, self.count, 1)) < 0.5, 0, weights)
        dead = weights.sum(-1) == 0
        weights[dead, rng.integers(0, shape[-1], size=int(dead.sum()))] = 1
        return {"weights": np.maximum(weights, 1) if self.full else weights}

    def legal(self, raw: Raw) -> Array:
        w = raw["weights"]
        return (w >= (1 if self.full else 0)).all((-1, -2)) & (w.sum(-1) > 0).all(-1)

    def build(self, raw: Raw, field: Field) -> list[Array]:
        w = field.real(raw["weights"])
        return list(np.moveaxis(w / w.sum(-1)[..., None], 1, 0))

    def describe(self) -> str:
        full = " of full support" if self.full else ""
        return self._tried(f"{_counted(self.count, 'a distribution', 'distributions')}{full} {_points(self.dim)}")


@dataclass(frozen=True)
class PurePairs(Kind):
    """Two distributions (p, q) with p <= r q and q <= r p, and r = e^epsilon > 1: a list of two, and (batch,).

    As every such pair is (Kairouz, Oh and Viswanath): randomised response, (r, 1) and (1, r) over 1 + r, seen through
    two rows x, y. So p = (r x + y) / (1 + r) and q = (x + r y) / (1 + r).
    """

    dim: int | None = None
    drawn: int = 8
    bits: int = 24
    families: Sequence[str] = Distributions.families
    corners: ClassVar[Sequence[str]] = Distributions.corners

    @property
    def _parts(self) -> tuple[Distributions, Scale]:
        return Distributions(2, self.dim), Scale(positive=True, drawn=self.drawn, bits=self.bits)

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        rows, more = self._parts
        return {**rows.draw(rng, batch, dim, family), **more.draw(rng, batch, dim, "plain")}

    def legal(self, raw: Raw) -> Array:
        rows, more = self._parts
        return rows.legal(raw) & more.legal(raw)

    def build(self, raw: Raw, field: Field) -> tuple[list[Array], Array]:
        rows, more = self._parts
        (x, y), ratio = rows.build(raw, field), 1 + more.build(raw, field)
        r = ratio[:, None]
        return [(r * x + y) / (1 + r), (x + r * y) / (1 + r)], ratio

    def describe(self) -> str:
        more = f"r - 1 tried up to {self.drawn} in steps of 2^-{self.bits}"
        return self._tried(f"two distributions, p <= r q and q <= r p, {_points(self.dim)}, and r > 1, {more}")


@dataclass(frozen=True)
class MarkovKernels(Kind):
    """A Markov kernel (batch, points, cells): a probability vector for every point. Either size may be the batch's."""

    points: int | None = None
    cells: int | None = None
    families: Sequence[str] = Distributions.families
    corners: ClassVar[Sequence[str]] = Distributions.corners

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        return Distributions(self.points or dim, self.cells or dim).draw(rng, batch, dim, family)

    def legal(self, raw: Raw) -> Array:
        return Distributions().legal(raw)

    def build(self, raw: Raw, field: Field) -> Array:
        return np.stack(Distributions().build(raw, field), 1)

    def describe(self) -> str:
        return self._tried(f"a Markov kernel from {self.points or 'n'} points to {self.cells or 'n'} cells")


@dataclass(frozen=True)
class Events(Kind):
    """`count` randomised tests (batch, count, dim): the probabilities in [0, 1], multiples of 1/64, to accept a point.

    Families: randomised; deterministic. `most` other than 1 makes functions with values in [0, most].
    """

    count: int = 1
    dim: int | None = None
    most: int = 1
    families: Sequence[str] = ("randomised", "deterministic")
    corners: ClassVar[Sequence[str]] = ("deterministic",)

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        shape = (batch, self.count, self.dim or dim)
        return {
            "accept": self.most
            * (64 * rng.integers(0, 2, size=shape) if family == "deterministic" else rng.integers(0, 65, shape))
        }

    def legal(self, raw: Raw) -> Array:
        return np.all((raw["accept"] >= 0) & (raw["accept"] <= 64 * self.most), (-1, -2))

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["accept"]) / 64

    def describe(self) -> str:
        made, values = _counted(self.count, "a randomised test", "randomised tests"), "probabilities"
        if self.most != 1:
            made, values = _counted(self.count, "a function", "functions"), f"values from 0 to {self.most}"
        return self._tried(f"{made} {_points(self.dim)}, tried with {values} in steps of 1/64")


@dataclass(frozen=True)
class Region:
    """Pairs of counts (a, b), a of n trials and b of m, with a >= staircase[:, b]: up in a, down in b."""

    n: Any
    m: Any
    staircase: Any


@dataclass(frozen=True)
class UpSets(Kind):
    """A set of pairs of counts, of any numbers n, m >= 1 of trials, that is up in the first and down in the second.

    Those of n and m trials are tried.
    """

    n: int = 3
    m: int = 3

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        return {"staircase": np.sort(rng.integers(0, self.n + 2, size=(batch, self.m + 1)), -1)}

    def legal(self, raw: Raw) -> Array:
        c = raw["staircase"]
        return np.asarray(((c >= 0) & (c <= self.n + 1)).all(-1) & (np.diff(c, axis=-1) >= 0).all(-1))

    def build(self, raw: Raw, field: Field) -> Region:
        return Region(self.n, self.m, raw["staircase"])

    def describe(self) -> str:
        return f"set of counts (a, b) of n and m trials, up in a, down in b; n = {self.n} and m = {self.m} are tried"


@dataclass(frozen=True)
class Functions(Kind):
    """`count` real functions (batch, count, dim) on the points, their values multiples of 1/64 up to `drawn` in size.

    Families: generic; with zeros; constant but for one step; nearly equal.
    """

    count: int = 1
    dim: int | None = None
    drawn: int = 4
    families: Sequence[str] = ("generic", "zeros", "steps", "close")
    corners: ClassVar[Sequence[str]] = ("zeros", "steps")

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        top, shape = 64 * self.drawn, (batch, self.count, self.dim or dim)
        values = rng.integers(-top, top + 1, size=shape)
        if family == "zeros":
            values = values * (rng.random(shape) < 0.5)
        elif family == "steps":
            low, high = rng.integers(-top, top + 1, size=(2, batch, self.count, 1))
            values = np.where(
                np.arange(shape[-1]) < rng.integers(1, shape[-1] + 1, size=(batch, self.count, 1)), low, high
            )
        elif family == "close":
            values = np.clip(values[..., :1] + rng.integers(-1, 2, size=shape), -top, top)
        return {"values": values}

    def legal(self, raw: Raw) -> Array:
        return np.all(abs(raw["values"]) <= 64 * self.drawn, (-1, -2))

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["values"]) / 64

    def describe(self) -> str:
        made, steps = _counted(self.count, "a real function", "real functions"), "in steps of 1/64"
        return self._tried(f"{made} {_points(self.dim)}, tried with values from -{self.drawn} to {self.drawn} {steps}")


@dataclass(frozen=True)
class States(Kind):
    """A list of `count` nonzero positive semidefinite matrices (batch, dim, dim), M M^* / 2^e from integer matrices M.

    Families: full rank; rank-deficient; pure; diagonal; graded columns down to 2^-12; nearly equal; L X_b X_b^* L^* on
    each value b of a bit, the last X_b the identity (in even dimension). Every other batch is complex. With
    `normalised` the trace is one, and with `contractions` all but the first are at most Id.
    """

    count: int = 2
    normalised: bool = False
    contractions: bool = False
    dim: int | None = None
    families: Sequence[str] = (
        "full",
        "full complex",
        "deficient",
        "deficient complex",
        "pure",
        "diagonal",
        "graded complex",
        "close",
        "blocks",
    )
    corners: ClassVar[Sequence[str]] = ("pure", "diagonal", "blocks")

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        n = self.dim or dim
        shape = (batch, self.count, n, n)
        re, exponent = _integers(rng, shape), np.zeros((batch, self.count, n), dtype=int)
        if family == "pure":
            re[..., 1:] = 0
        elif family.startswith("deficient"):
            kept = np.arange(n) < rng.integers(1, n + 1, size=(batch, self.count, 1))
            re = re * kept[..., None, :]
        elif family.startswith("graded"):
            exponent = rng.integers(0, 13, size=exponent.shape)
        elif family == "diagonal":
            re = re * np.eye(n, dtype=int)
        elif family == "close":
            re = re[:, :1] * 100 + rng.integers(-1, 2, size=shape)
        elif family == "blocks" and n % 2 == 0:
            re = _blocks(rng, batch, self.count, n // 2)
        dead = ~re.any((-1, -2))
        re[dead, 0, 0] = 1
        im = _integers(rng, shape) * (re != 0) if "complex" in family else np.zeros(shape, dtype=int)
        scale = rng.integers(0, 5, size=(batch, self.count))
        return {"re": re, "im": im, "exponent": exponent, "scale": scale}

    def legal(self, raw: Raw) -> Array:
        nonzero = (raw["re"].any((-1, -2)) | raw["im"].any((-1, -2))).all(-1)
        return np.asarray(nonzero & (raw["exponent"] >= 0).all((-1, -2)) & (raw["scale"] >= 0).all(-1))

    def build(self, raw: Raw, field: Field) -> list[Array]:
        factor = field.complex(raw["re"], raw["im"]) / field.real(2 ** raw["exponent"])[..., None, :]
        state = factor @ field.conj(factor.swapaxes(-1, -2))
        trace = np.trace(state, axis1=-2, axis2=-1)
        if state.dtype != object:
            trace = trace.real
        size = field.real(2 ** (2 * raw["scale"]))
        if self.normalised:
            divisor = trace
        elif self.contractions:  # tr <= 1 for all but the first
            divisor = np.where(np.arange(self.count) > 0, trace * size, size)
        else:
            divisor = size
        return list(np.moveaxis(state / divisor[..., None, None], 1, 0))

    def describe(self) -> str:
        one, many = "a nonzero positive semidefinite matrix", "nonzero positive semidefinite matrices"
        if self.normalised:
            one, many = "a density matrix", "density matrices"
        few = ", all but the first at most the identity" if self.contractions else ""
        return self._tried(f"{_counted(self.count, one, many)}{few}, {_dimension(self.dim)}")


def _blocks(rng: np.random.Generator, batch: int, count: int, n: int) -> Array:
    """Integer matrices (batch, count, 2 n, 2 n), L X_b for each value b of the last bit of the index."""
    small = rng.integers(-2, 3, size=(batch, count, 2, n, n))
    small[:, :, 0, :, 1:] *= rng.integers(0, 2, size=(batch, count, 1, 1))  # of rank one, every other time
    small[:, -1] = np.eye(n, dtype=int)
    graded = rng.integers(-4, 5, size=(batch, 1, 1, n, n)) << rng.integers(0, 5, size=(batch, 1, 1, n, 1))
    factors = graded @ small
    out = np.zeros((batch, count, n, 2, n, 2), dtype=int)
    for b in range(2):
        out[..., b, :, b] = factors[:, :, b]
    return out.reshape(batch, count, 2 * n, 2 * n)


@dataclass(frozen=True)
class PureStates(Kind):
    """Two density matrices with rho <= r sigma, sigma <= r rho, and r = e^epsilon > 1: a list of two, and (batch,).

    As every such pair is: rho = (r x + y) / (1 + r) and sigma = (x + r y) / (1 + r) for density matrices x and y, which
    are (r rho - sigma) / (r - 1) and (r sigma - rho) / (r - 1).
    """

    dim: int | None = None
    drawn: int = 8
    bits: int = 24
    families: Sequence[str] = States.families
    corners: ClassVar[Sequence[str]] = States.corners

    @property
    def _parts(self) -> tuple[States, Scale]:
        return States(2, normalised=True, dim=self.dim), Scale(positive=True, drawn=self.drawn, bits=self.bits)

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        rows, more = self._parts
        return {**rows.draw(rng, batch, dim, family), **more.draw(rng, batch, dim, "plain")}

    def legal(self, raw: Raw) -> Array:
        rows, more = self._parts
        return rows.legal(raw) & more.legal(raw)

    def build(self, raw: Raw, field: Field) -> tuple[list[Array], Array]:
        rows, more = self._parts
        (x, y), ratio = rows.build(raw, field), 1 + more.build(raw, field)
        r = ratio[:, None, None]
        return [(r * x + y) / (1 + r), (x + r * y) / (1 + r)], ratio

    def describe(self) -> str:
        return self._tried(
            f"density matrices rho <= r sigma, sigma <= r rho {_dimension(self.dim)}, and r > 1; "
            f"r - 1 up to {self.drawn} is tried in steps of 2^-{self.bits}"
        )


@dataclass(frozen=True)
class Vectors(Kind):
    """Rational unit vectors (batch, count, dim), real: the inverse stereographic image of integer vectors / 2^6.

    Families: generic; an orthonormal basis; basis vectors at random; repeated; nearly equal; all of one sign (a
    positive kernel).
    """

    count: int = 4
    dim: int | None = None
    families: Sequence[str] = ("generic", "orthonormal", "axes", "repeated", "close", "one sign")
    corners: ClassVar[Sequence[str]] = ("orthonormal", "axes")

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        n = self.dim or dim
        shape = (batch, self.count, n - 1)
        flat = rng.integers(-128, 129, size=shape)
        axis = np.full((batch, self.count), -1)
        if family == "orthonormal":
            axis = np.broadcast_to(np.arange(self.count) % n, axis.shape).copy()
        elif family == "axes":
            axis = rng.integers(0, n, size=axis.shape)
        elif family == "repeated":
            flat = np.take_along_axis(flat, rng.integers(0, self.count, size=(batch, self.count, 1)), 1)
        elif family == "close":
            flat = flat[:, :1] + rng.integers(-1, 2, size=shape)
        elif family == "one sign":
            flat = np.abs(flat) + 64
        return {"flat": flat, "axis": axis}

    def legal(self, raw: Raw) -> Array:
        axis = raw["axis"]
        return ((axis >= -1) & (axis <= raw["flat"].shape[-1])).all(-1)

    def build(self, raw: Raw, field: Field) -> Array:
        x, axis = field.real(raw["flat"]) / 64, raw["axis"]
        square = (x * x).sum(-1)
        sphere = np.concatenate([(square - 1)[..., None], 2 * x], -1) / (square + 1)[..., None]
        basis = field.identity(sphere.shape[-1])[np.maximum(axis, 0)]
        return np.where((axis >= 0)[..., None], basis, sphere)

    def describe(self) -> str:
        return self._tried(f"{_counted(self.count, 'a real unit vector', 'real unit vectors')} {_dimension(self.dim)}")


@dataclass(frozen=True)
class Unitaries(Kind):
    """Unitary matrices (batch, dim, dim), the Cayley transform of integer skew-Hermitian matrices / 4."""

    dim: int | None = None
    families: Sequence[str] = ("real", "complex")

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        shape = (batch, self.dim or dim, self.dim or dim)
        re, im = rng.integers(-12, 13, size=shape), rng.integers(-12, 13, size=shape)
        kept = 0 if family == "discard" else 1
        return {"re": kept * re, "im": im if family == "complex" else 0 * im}

    def build(self, raw: Raw, field: Field) -> Array:
        m = field.complex(raw["re"], raw["im"]) / 4
        skew, one = m - field.conj(m.swapaxes(-1, -2)), field.identity(m.shape[-1])
        return field.inverse(one + skew) @ (one - skew)

    def describe(self) -> str:
        return self._tried(f"a unitary matrix {_dimension(self.dim)}")


@dataclass(frozen=True)
class CommutingPairs(Kind):
    """Two positive semidefinite matrices (batch, dim, dim) that commute, U diag(x) U^*, x >= 0, the first not zero."""

    dim: int | None = None
    families: Sequence[str] = ("real", "complex")

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        n = self.dim or dim
        spectra = rng.integers(0, 17, size=(batch, 2, n)) << rng.integers(0, 9, size=(batch, 2, n))
        spectra = spectra * rng.integers(0, 2, size=(batch, 2, 1 if rng.random() < 0.5 else n))
        spectra[:, 0, 0] = np.maximum(spectra[:, 0, 0], 1)
        return {**Unitaries(n).draw(rng, batch, dim, family), "spectra": spectra}

    def legal(self, raw: Raw) -> Array:
        return np.asarray((raw["spectra"] >= 0).all((-1, -2)) & (raw["spectra"][:, 0] > 0).any(-1))

    def build(self, raw: Raw, field: Field) -> tuple[Array, Array]:
        unitary = Unitaries().build({"re": raw["re"], "im": raw["im"]}, field)
        back = field.conj(unitary.swapaxes(-1, -2))
        first, second = ((unitary * (field.real(raw["spectra"][:, i]) / 64)[:, None, :]) @ back for i in range(2))
        return first, second

    def describe(self) -> str:
        return self._tried(f"two positive semidefinite matrices that commute {_dimension(self.dim)}")


@dataclass(frozen=True)
class Projections(Kind):
    """Orthogonal projections of rank `rank`, by an isometry (batch, dim, rank) onto the range: columns of a unitary."""

    rank: int = 2
    dim: int | None = None
    families: Sequence[str] = Unitaries.families

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        return Unitaries(self.dim).draw(rng, batch, dim, family)

    def build(self, raw: Raw, field: Field) -> Array:
        return Unitaries().build(raw, field)[..., : self.rank]

    def describe(self) -> str:
        return self._tried(f"a projection of rank at most {self.rank} {_dimension(self.dim)}")


@dataclass(frozen=True)
class Channel:
    """A quantum channel by its Stinespring isometry, (batch, out * environment, in)."""

    isometry: Array
    out: int
    conj: Callable[[Array], Array]

    @property
    def kraus(self) -> Array:
        """Kraus operators, (environment, batch, out, in)."""
        v = self.isometry
        environment = v.shape[-2] // self.out
        return np.moveaxis(v.reshape(v.shape[0], self.out, environment, v.shape[-1]), 2, 0)

    def __call__(self, matrix: Array) -> Array:
        kraus = self.kraus
        return (kraus @ matrix @ self.conj(kraus.swapaxes(-1, -2))).sum(0)


@dataclass(frozen=True)
class Channels(Kind):
    """Channels from dimension `dim` (or the batch's) to `out`, with an environment of size `environment`.

    Sizes are those that are tried: a statement is about every channel.

    Families: real; complex; the environment discarded (a partial trace, where `dim` is `out * environment`).
    """

    out: int = 2
    environment: int = 2
    dim: int | None = None
    families: Sequence[str] = ("real", "complex", "discard")
    corners: ClassVar[Sequence[str]] = ("discard",)

    def _size(self, dim: int) -> int:
        n = self.dim or dim
        if self.out * self.environment < n:
            raise ValueError(
                f"out * environment must be at least the input dimension {n}; got {self.out * self.environment}"
            )
        return self.out * self.environment

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        raw = Unitaries(self._size(dim)).draw(rng, batch, dim, family)
        return {**raw, FIXED: np.full(batch, self.dim or dim)}

    def build(self, raw: Raw, field: Field) -> Channel:
        unitary = Unitaries().build({"re": raw["re"], "im": raw["im"]}, field)
        return Channel(unitary[..., : int(raw[FIXED][0])], self.out, field.conj)

    def describe(self) -> str:
        size = f"to dimension {self.out}, by an isometry with an environment of dimension {self.environment}"
        return self._tried(f"a quantum channel from a system {_dimension(self.dim)}, {size}")


@dataclass(frozen=True)
class Maps(Kind):
    """`count` maps (batch, count, size) from `size` points to points 0 .. image - 1, as indices."""

    size: int
    image: int
    count: int = 1

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        return {"map": rng.integers(0, self.image, size=(batch, self.count, self.size))}

    def legal(self, raw: Raw) -> Array:
        return np.all((raw["map"] >= 0) & (raw["map"] < self.image), (-1, -2))

    def build(self, raw: Raw, field: Field) -> Array:
        return raw["map"]

    def describe(self) -> str:
        maps = _counted(self.count, "a map", "maps")
        return f"{maps} from {self.size} points to {self.image}"


def draw(given: Mapping[str, Kind], rng: np.random.Generator, batch: int, dim: int) -> Batch:
    """Raw instances of all kinds of a claim, each of a random family, or, one time in four, all from their corners."""
    corner = rng.random() < 0.25

    def family(kind: Kind) -> str:
        corners = [c for c in kind.corners if c in kind.families]
        return str(rng.choice(corners if corner and corners else list(kind.families)))

    return {name: kind.draw(rng, batch, dim, family(kind)) for name, kind in given.items()}


def build(given: Mapping[str, Kind], raw: Batch, field: Field) -> dict[str, Any]:
    """The instance in the numbers of `field`."""
    return {name: kind.build(raw[name], field) for name, kind in given.items()}


def legal(given: Mapping[str, Kind], raw: Batch) -> Array:
    """Which instances of a batch are legal."""
    return np.logical_and.reduce([kind.legal(raw[name]) for name, kind in given.items()])


def take(raw: Batch, index: Array | list[int]) -> Batch:
    """Some instances of a batch."""
    return {name: {key: value[index] for key, value in part.items()} for name, part in raw.items()}
