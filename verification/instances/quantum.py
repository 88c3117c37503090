"""Kinds of vectors and matrices: states, unit vectors, unitaries, commuting pairs, projections, channels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from krdtheory.arithmetic.base import Array
from verification.instances.exact import (
    combination,
    has_trace_one,
    is_diagonal,
    is_isometry,
    is_real,
    listed,
    matrices,
    matrix,
    product,
    semidefinite_rank,
    square,
    unit,
    whole,
    wrong,
)
from verification.instances.exact import entries as nested
from verification.instances.fields import RATIONALS, Channel, Field
from verification.instances.kind import (
    FIXED,
    Kind,
    Raw,
    chosen,
    counted,
    dimension_text,
    integers_of_a_magnitude,
    powers,
)

FACTOR_BITS, EXPONENT, SCALE = 12, 40, 10  # factors M are at most 2^12; the largest exponents of columns and scales
FLAT_BITS = 40  # stereographic coordinates are multiples of 2^-40, most of them of 1/64
COARSE_FLAT = 1 << (FLAT_BITS - 6)
SKEW_BITS = 20  # skew matrices are multiples of 2^-20, most of them of 1/4
COARSE_SKEW = 1 << (SKEW_BITS - 2)
SPECTRUM_BITS = 44  # eigenvalues of commuting pairs are multiples of 2^-44
PRIME = 2147483629  # 2^31 - 19, one more than a multiple of 4, so that -1 has a square root
ROOT = next(r for g in range(2, 100) if (r := pow(g, (PRIME - 1) // 4, PRIME)) * r % PRIME == PRIME - 1)


def invertible(re: Array, im: Array) -> Array:
    """Return which integer matrices re + i im (..., n, n) are certainly invertible: their determinant is not 0 modulo a
    prime.

    The test misses about one invertible matrix in two thousand million.
    """
    n = re.shape[-1]
    work = ((re % PRIME) + (im % PRIME) * ROOT) % PRIME
    work = work.reshape(-1, n, n)
    good, every = np.ones(len(work), dtype=bool), np.arange(len(work))
    for k in range(n):
        pivot = k + (work[:, k:, k] != 0).argmax(-1)
        swapped = work[every, pivot].copy()
        work[every, pivot] = work[:, k]
        work[:, k] = swapped
        good &= swapped[:, k] != 0
        inverse, base, exponent = np.ones(len(work), dtype=np.int64), swapped[:, k].copy(), PRIME - 2
        while exponent:
            if exponent & 1:
                inverse = inverse * base % PRIME
            base = base * base % PRIME
            exponent >>= 1
        factors = work[:, k + 1 :, k] * inverse[:, None] % PRIME
        work[:, k + 1 :] = (work[:, k + 1 :] - factors[:, :, None] * work[:, None, k] % PRIME) % PRIME
    return good.reshape(re.shape[:-2])


@dataclass(frozen=True)
class States(Kind):
    """A list of `count` nonzero positive semidefinite matrices (batch, dim, dim), M M^* / 2^e from integer matrices M.

    With `normalised` the trace is one, and with `contractions` all but the first are at most Id.

    Domains (`within`), of which one holds for all `count` matrices: "full" (invertible), "deficient" (singular), "pure"
    (rank one), "diagonal", "real". Further starts: complex matrices; "graded", with columns down to 2^-30; "almost
    pure"; "almost diagonal"; "close", matrices that differ by 2^-4 to 2^-30; "truncated", almost pure, where all but
    one matrix lack the small columns; "blocks", in even dimension, L X_b X_b^* L^* for each value b of a bit, with an
    ill-conditioned L, where the last X_b is the identity.
    """

    count: int = 2
    normalised: bool = False
    contractions: bool = False
    dim: int | None = None
    within: Sequence[str] = ()
    starts: Sequence[str] = ()
    DOMAINS: ClassVar[Mapping[str, str]] = {
        "full": "invertible",
        "deficient": "singular",
        "pure": "of rank one",
        "diagonal": "diagonal",
        "real": "real",
    }
    STARTS: ClassVar[Sequence[str]] = (
        "full",
        "full complex",
        "deficient",
        "deficient complex",
        "pure",
        "pure complex",
        "diagonal",
        "real",
        "graded",
        "graded complex",
        "almost pure",
        "almost diagonal complex",
        "close",
        "close complex",
        "truncated",
        "blocks",
    )
    corners: ClassVar[Sequence[str]] = ("pure", "diagonal", "blocks")

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        n = self.dim or dim
        shape = (batch, self.count, n, n)
        re, exponent = integers_of_a_magnitude(rng, shape), np.zeros((batch, self.count, n), dtype=int)
        im = integers_of_a_magnitude(rng, shape) if "complex" in start else np.zeros(shape, dtype=int)
        if start.startswith("pure"):
            re[..., 1:] = 0
        elif start.startswith("deficient"):
            kept = np.arange(n) < rng.integers(1, n + 1, size=(batch, self.count, 1))
            re = re * kept[..., None, :]
        elif start.startswith("graded"):
            exponent = rng.integers(0, chosen(rng, [4, 7, 13, 31], (batch, 1, 1)), size=exponent.shape)
        elif start == "almost pure":
            exponent[..., 1:] = rng.integers(4, 31, size=(batch, self.count, 1))
        elif start == "truncated":
            exponent[..., 1:] = rng.integers(4, 31, size=(batch, 1, 1))
            whole = np.arange(self.count) == rng.integers(0, self.count, size=(batch, 1))
            re = re[:, :1] * (whole[..., None, None] | (np.arange(n) == 0))
        elif start == "diagonal":
            re = re * np.eye(n, dtype=int)
        elif start.startswith("almost diagonal"):
            step = rng.integers(2, 31, size=(batch, 1, 1))
            re = (re * np.eye(n, dtype=int) << step[..., None]) + rng.integers(-1, 2, size=shape)
            im = rng.integers(-1, 2, size=shape)
            exponent[:] = step
        elif start.startswith("close"):
            step = rng.integers(4, 31, size=(batch, 1, 1))
            re = (re[:, :1] << step[..., None]) + rng.integers(-1, 2, size=shape)
            im = np.broadcast_to(im[:, :1] << step[..., None], shape).copy()
            exponent[:] = step
        elif start == "blocks" and n % 2 == 0:
            re = _blocks(rng, batch, self.count, n // 2)
        im = im * (re != 0)
        dead = ~re.any((-1, -2))
        re[dead, 0, 0] = 1
        scale = rng.integers(0, 5, size=(batch, self.count))
        return {"re": re, "im": im, "exponent": exponent, "scale": scale}

    def sound(self, raw: Raw) -> Array:
        nonzero = (raw["re"].any((-1, -2)) | raw["im"].any((-1, -2))).all(-1)
        exponent = ((raw["exponent"] >= 0) & (raw["exponent"] <= EXPONENT)).all((-1, -2))
        top = 1 << (FACTOR_BITS + np.clip(raw["exponent"], 0, EXPONENT))[..., None, :]
        small = ((abs(raw["re"]) <= top) & (abs(raw["im"]) <= top)).all((-1, -2, -3))
        return np.asarray(nonzero & small & exponent & ((raw["scale"] >= 0) & (raw["scale"] <= SCALE)).all(-1))

    def inside(self, raw: Raw, name: str) -> Array:
        re, im = raw["re"], raw["im"]
        entries = (re != 0) | (im != 0)
        if name == "full":
            return np.asarray(invertible(re, im).all(-1))
        if name == "deficient":  # one column of M is zero
            return np.asarray((~entries.any(-2)).any(-1).all(-1))
        if name == "pure":
            return np.asarray(~entries[..., 1:].any((-1, -2, -3)))
        if name == "diagonal":
            return np.asarray(~(entries & ~np.eye(re.shape[-1], dtype=bool)).any((-1, -2, -3)))
        return np.asarray(~im.any((-1, -2, -3)))

    def pressed(self, raw: Raw, name: str) -> Raw:
        re, im = raw["re"].copy(), raw["im"].copy()
        n = re.shape[-1]
        if name == "full":
            for _ in range(4 * n):
                singular = ~invertible(re, im)
                if not singular.any():
                    break
                re[singular] += np.eye(n, dtype=int)
        elif name == "deficient":
            whole_rank = ((re != 0) | (im != 0)).any(-2).all(-1)
            re[whole_rank, :, -1], im[whole_rank, :, -1] = 0, 0
        elif name == "pure":
            re[..., 1:], im[..., 1:] = 0, 0
        elif name == "diagonal":
            re, im = (x * np.eye(n, dtype=int) for x in (re, im))
        else:
            im[:] = 0
        dead = ~(re.any((-1, -2)) | im.any((-1, -2)))
        re[dead, 0, 0] = 1
        return {**raw, "re": re, "im": im}

    def build(self, raw: Raw, field: Field) -> list[Array]:
        factor = field.complex(raw["re"], raw["im"]) / field.real(2 ** raw["exponent"])[..., None, :]
        state = factor @ field.conj(factor.swapaxes(-1, -2))
        mass = np.trace(state, axis1=-2, axis2=-1)
        if state.dtype != object:
            mass = mass.real
        size = field.real(2 ** (2 * raw["scale"]))
        if self.normalised:
            divisor = mass
        elif self.contractions:  # tr <= 1 for all but the first
            divisor = np.where(np.arange(self.count) > 0, mass * size, size)
        else:
            divisor = size
        return list(np.moveaxis(state / divisor[..., None, None], 1, 0))

    def holds(self, value: Any) -> bool:
        if not isinstance(value, list) or len(value) != self.count or not all(square(a, self.dim) for a in value):
            return False
        if len({a.shape for a in value}) != 1:
            return False
        for i, a in enumerate(map(matrix, value)):
            if not semidefinite_rank(a):  # zero, or None
                return False
            if self.normalised and not has_trace_one(a):
                return False
            if (
                self.contractions
                and i
                and semidefinite_rank(combination(Fraction(1), unit(len(a)), Fraction(-1), a)) is None
            ):
                return False
        return True

    def lies_in(self, value: Any, name: str) -> bool:
        return all(lies_in_family(a, name) for a in map(matrix, value))

    def parsed(self, shown: Any, at: str) -> list[Array]:
        rows = listed(shown, at, self.count, "matrices")
        return [matrices(a, f"{at}[{i}]") for i, a in enumerate(rows)]

    def fits(self, dim: int) -> bool:
        return (self.dim or dim) > 1 or set(self.within) != {"deficient"}

    def describe(self) -> str:
        one, many = "a nonzero positive semidefinite matrix", "nonzero positive semidefinite matrices"
        if self.normalised:
            one, many = "a density matrix", "density matrices"
        few = ", all but the first at most the identity" if self.contractions else ""
        return self._words(f"{counted(self.count, one, many)}{few}, {dimension_text(self.dim)}")


def lies_in_family(a: Any, name: str) -> bool:
    """Whether a positive semidefinite matrix lies in a family."""
    if name == "diagonal":
        return is_diagonal(a)
    if name == "real":
        return is_real(a)
    rank = semidefinite_rank(a)
    return {"full": rank == len(a), "deficient": rank is not None and rank < len(a), "pure": rank == 1}[name]


def _blocks(rng: np.random.Generator, batch: int, count: int, n: int) -> Array:
    """Return integer matrices (batch, count, 2 n, 2 n), L X_b for each value b of the last bit of the index."""
    small = rng.integers(-2, 3, size=(batch, count, 2, n, n))
    small[:, :, 0, :, 1:] *= rng.integers(0, 2, size=(batch, count, 1, 1))  # of rank one in half of the cases
    small[:, -1] = np.eye(n, dtype=int)
    graded = rng.integers(-4, 5, size=(batch, 1, 1, n, n)) << rng.integers(0, 5, size=(batch, 1, 1, n, 1))
    triangular = np.triu(graded << rng.integers(0, 3, size=(batch, 1, 1, n, 1)))
    triangular[..., np.arange(n), np.arange(n)] = 1 << rng.integers(0, 4, size=(batch, 1, 1, n))
    graded = np.where(rng.random((batch, 1, 1, 1, 1)) < 0.5, triangular, graded)
    factors = graded @ small
    out = np.zeros((batch, count, n, 2, n, 2), dtype=int)
    for b in range(2):
        out[..., b, :, b] = factors[:, :, b]
    return out.reshape(batch, count, 2 * n, 2 * n)


@dataclass(frozen=True)
class Vectors(Kind):
    """Real rational unit vectors (batch, count, dim): inverse stereographic projections, or rotated basis vectors.

    Domains (`within`): "orthonormal"; "axes" (standard basis vectors); "one sign" (no coordinate negative, so that the
    kernel is nonnegative). Further starts: "generic"; "repeated"; "close", vectors that differ by 2^-6 to 2^-24;
    "almost orthonormal".
    """

    count: int = 4
    dim: int | None = None
    within: Sequence[str] = ()
    starts: Sequence[str] = ()
    DOMAINS: ClassVar[Mapping[str, str]] = {
        "orthonormal": "orthonormal",
        "axes": "of the standard basis",
        "one sign": "no coordinate negative",
    }
    STARTS: ClassVar[Sequence[str]] = (
        "generic",
        "orthonormal",
        "axes",
        "repeated",
        "close",
        "one sign",
        "almost orthonormal",
    )
    corners: ClassVar[Sequence[str]] = ("orthonormal", "axes")

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        n = self.dim or dim
        shape = (batch, self.count, n - 1)
        flat = COARSE_FLAT * rng.integers(-128, 129, size=shape)
        axis, turn = np.full((batch, self.count), -1), np.zeros((batch, n, n), dtype=int)
        if start == "orthonormal":
            axis = np.broadcast_to(np.arange(self.count) % n, axis.shape).copy()
            turn = rng.integers(-3, 4, size=turn.shape) * rng.integers(0, 2, size=(batch, 1, 1))
        elif start == "axes":
            axis = rng.integers(0, n, size=axis.shape)
        elif start == "repeated":
            flat = np.take_along_axis(flat, rng.integers(0, self.count, size=(batch, self.count, 1)), 1)
        elif start == "close":
            unit = 1 << (FLAT_BITS - rng.integers(6, 25, size=(batch, 1, 1)))
            flat = flat[:, :1] + unit * rng.integers(-1, 2, size=shape)
        elif start == "one sign":
            flat = np.abs(flat) + (1 << FLAT_BITS)
        elif start == "almost orthonormal":
            near = np.arange(self.count)[:, None] % n == np.arange(1, n)
            flat = (near * (1 << FLAT_BITS)) + powers(rng, shape, 1, FLAT_BITS) * chosen(rng, [-1, 0, 1], shape)
        return {"flat": flat, "axis": axis, "turn": turn}

    def sound(self, raw: Raw) -> Array:
        axis, flat, turn = raw["axis"], raw["flat"], raw["turn"]
        whole_axis = ((axis >= -1) & (axis <= flat.shape[-1])).all(-1)
        straight = ~turn.any((-1, -2)) | (axis >= 0).all(-1)
        small = (abs(flat) <= 1 << (FLAT_BITS + 12)).all((-1, -2)) & (abs(turn) <= 1 << 20).all((-1, -2))
        return np.asarray(whole_axis & straight & small)

    def mended(self, raw: Raw) -> Raw:
        """Return integers with rotations for basis vectors only."""
        axis = np.clip(raw["axis"], -1, raw["flat"].shape[-1])
        turned = np.asarray((axis >= 0).all(-1))
        return {**raw, "axis": axis, "turn": np.where(turned[:, None, None], raw["turn"], 0)}

    def inside(self, raw: Raw, name: str) -> Array:
        axis, flat, turn = raw["axis"], raw["flat"], raw["turn"]
        on = (axis >= 0).all(-1)
        straight = ~turn.any((-1, -2))
        if name == "orthonormal":
            ordered = np.sort(axis, -1)
            return np.asarray(on & (ordered[:, 1:] != ordered[:, :-1]).all(-1))
        if name == "axes":
            return np.asarray(on & straight)
        # the first coordinate is (x^2 - 1) / (x^2 + 1)
        large = (flat >= 1 << FLAT_BITS).any(-1)
        return np.asarray(straight & ((axis >= 0) | ((flat >= 0).all(-1) & large)).all(-1))

    def pressed(self, raw: Raw, name: str) -> Raw:
        axis, flat, turn = raw["axis"], raw["flat"], raw["turn"]
        n = flat.shape[-1] + 1
        if name == "orthonormal":
            basis = np.broadcast_to((np.arange(self.count) + axis[:, :1] + 1) % n, axis.shape)
            return {**raw, "axis": np.where(self.inside(raw, name)[:, None], axis, basis)}
        if name == "axes":
            where = abs(flat).argmax(-1) + 1 if n > 1 else 0 * axis
            return {**raw, "axis": np.where(axis >= 0, axis, where), "turn": 0 * turn}
        flat = np.abs(flat)
        if n == 1:
            return {**raw, "axis": 0 * axis, "turn": 0 * turn}
        low = ~(flat >= 1 << FLAT_BITS).any(-1)
        flat[low, 0] += 1 << FLAT_BITS
        return {**raw, "flat": flat, "turn": 0 * turn}

    def build(self, raw: Raw, field: Field) -> Array:
        x, axis = field.real(raw["flat"]) / (1 << FLAT_BITS), raw["axis"]
        square = (x * x).sum(-1)
        sphere = np.concatenate([(square - 1)[..., None], 2 * x], -1) / (square + 1)[..., None]
        basis = field.identity(sphere.shape[-1])[np.maximum(axis, 0)]
        straight = np.where((axis >= 0)[..., None], basis, sphere)
        if not raw["turn"].any():
            return straight
        turns = _cayley(field.real(raw["turn"]) / 4, field)
        return np.asarray(straight @ turns)

    def coarse(self) -> Mapping[str, int]:
        return {"flat": COARSE_FLAT}

    def holds(self, value: Any) -> bool:
        if not isinstance(value, np.ndarray) or value.ndim != 3 or value.shape[:2] != (1, self.count):
            return False
        if self.dim not in (None, value.shape[2]) or any(hasattr(x, "y") for x in value.flat):
            return False
        return all(sum(x * x for x in row) == 1 for row in value[0])

    def lies_in(self, value: Any, name: str) -> bool:
        rows = value[0]
        if name == "axes":
            return all(x in (0, 1) for x in rows.flat)
        if name == "one sign":
            return all(x >= 0 for x in rows.flat)
        return all(
            sum(x * y for x, y in zip(rows[i], rows[j], strict=True)) == 0 for i in range(len(rows)) for j in range(i)
        )

    def parsed(self, shown: Any, at: str) -> Array:
        return nested(shown, at, 2, f"a list of {self.count}: lists of rationals, a coordinate each")

    def fits(self, dim: int) -> bool:
        return set(self.within) != {"orthonormal"} or self.count <= (self.dim or dim)

    def describe(self) -> str:
        return self._words(
            f"{counted(self.count, 'a real unit vector', 'real unit vectors')} {dimension_text(self.dim)}"
        )


def _cayley(m: Array, field: Field) -> Array:
    """Return (1 + S)^-1 (1 - S) for the skew-Hermitian S = M - M^*."""
    skew, one = m - field.conj(m.swapaxes(-1, -2)), field.identity(m.shape[-1])
    return np.asarray(field.inverse(one + skew) @ (one - skew))


def _small_skew(raw: Raw) -> Array:
    bound = 1 << (SKEW_BITS + 20)
    return np.asarray(((abs(raw["re"]) <= bound) & (abs(raw["im"]) <= bound)).all((-1, -2)))


@dataclass(frozen=True)
class Unitaries(Kind):
    """Unitary matrices (batch, dim, dim): Cayley transforms of skew-Hermitian matrices, multiples of 2^-20.

    Domains (`within`): "real"; "diagonal". Further starts: "complex"; "close" to the identity.
    """

    dim: int | None = None
    within: Sequence[str] = ()
    starts: Sequence[str] = ()
    DOMAINS: ClassVar[Mapping[str, str]] = {"real": "real", "diagonal": "diagonal"}
    STARTS: ClassVar[Sequence[str]] = ("real", "complex", "close", "diagonal")

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        shape = (batch, self.dim or dim, self.dim or dim)
        re, im = COARSE_SKEW * rng.integers(-12, 13, size=shape), COARSE_SKEW * rng.integers(-12, 13, size=shape)
        if start == "close":
            unit = 1 << rng.integers(0, SKEW_BITS - 1, size=(batch, 1, 1))
            re, im = (unit * rng.integers(-1, 2, size=shape) for _ in range(2))
        elif start == "diagonal":
            re, im = 0 * re, im * np.eye(shape[-1], dtype=int)
        elif start == "discard":
            re = 0 * re
        return {"re": re, "im": im if start in ("complex", "close", "diagonal") else 0 * im}

    def sound(self, raw: Raw) -> Array:
        return _small_skew(raw)

    def inside(self, raw: Raw, name: str) -> Array:
        if name == "real":
            return np.asarray(~raw["im"].any((-1, -2)))
        off = ~np.eye(raw["re"].shape[-1], dtype=bool)
        return np.asarray(~((raw["re"] != 0) | (raw["im"] != 0))[:, off].any(-1))

    def pressed(self, raw: Raw, name: str) -> Raw:
        if name == "real":
            return {**raw, "im": 0 * raw["im"]}
        return {**raw, **{key: raw[key] * np.eye(raw[key].shape[-1], dtype=int) for key in ("re", "im")}}

    def build(self, raw: Raw, field: Field) -> Array:
        return _cayley(field.complex(raw["re"], raw["im"]) / (1 << SKEW_BITS), field)

    def coarse(self) -> Mapping[str, int]:
        return {"re": COARSE_SKEW, "im": COARSE_SKEW}

    def holds(self, value: Any) -> bool:
        return square(value, self.dim) and is_isometry(matrix(value))

    def lies_in(self, value: Any, name: str) -> bool:
        return (is_real if name == "real" else is_diagonal)(matrix(value))

    def parsed(self, shown: Any, at: str) -> Array:
        return matrices(shown, at)

    def describe(self) -> str:
        return self._words(f"a unitary matrix {dimension_text(self.dim)}")


@dataclass(frozen=True)
class CommutingPairs(Kind):
    """Two commuting positive semidefinite matrices (batch, dim, dim), U diag(x) U^*, x >= 0, the first not zero.

    Domains (`within`): "full" (both invertible); "diagonal"; "real". The starts are those of Unitaries, for U;
    eigenvalues are multiples of 1/64 up to 64, or go down to 2^-44.
    """

    dim: int | None = None
    within: Sequence[str] = ()
    starts: Sequence[str] = ()
    DOMAINS: ClassVar[Mapping[str, str]] = {"full": "invertible", "diagonal": "diagonal", "real": "real"}
    STARTS: ClassVar[Sequence[str]] = Unitaries.STARTS
    corners: ClassVar[Sequence[str]] = ("diagonal",)

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        n = self.dim or dim
        shape = (batch, 2, n)
        spectra = rng.integers(0, 17, size=shape) << rng.integers(0, 9, size=shape)
        spectra = spectra * rng.integers(0, 2, size=(batch, 2, 1 if rng.random() < 0.5 else n))
        spectra[:, 0, 0] = np.maximum(spectra[:, 0, 0], 1)
        fine = np.where(rng.random((batch, 1, 1)) < 0.25, powers(rng, shape, 1, SPECTRUM_BITS + 2), 0)
        spectra = np.where(fine > 0, fine, spectra << (SPECTRUM_BITS - 6))
        return {**Unitaries(n).drawn_from(rng, batch, dim, start), "spectra": spectra}

    def sound(self, raw: Raw) -> Array:
        x = raw["spectra"]
        bounded = ((x >= 0) & (x <= 1 << (SPECTRUM_BITS + 14))).all((-1, -2))
        return np.asarray(_small_skew(raw) & bounded & (x[:, 0] > 0).any(-1))

    def inside(self, raw: Raw, name: str) -> Array:
        if name == "full":
            return np.asarray((raw["spectra"] > 0).all((-1, -2)))
        return Unitaries().inside(raw, name)

    def pressed(self, raw: Raw, name: str) -> Raw:
        if name == "full":
            return {**raw, "spectra": np.maximum(raw["spectra"], 1)}
        return {**raw, **Unitaries().pressed(raw, name)}

    def build(self, raw: Raw, field: Field) -> tuple[Array, Array]:
        unitary = Unitaries().build({"re": raw["re"], "im": raw["im"]}, field)
        back = field.conj(unitary.swapaxes(-1, -2))
        spectra = field.real(raw["spectra"]) / (1 << SPECTRUM_BITS)
        first, second = ((unitary * spectra[:, i][:, None, :]) @ back for i in range(2))
        return first, second

    def coarse(self) -> Mapping[str, int]:
        return {**Unitaries().coarse(), "spectra": 1 << (SPECTRUM_BITS - 6)}

    def holds(self, value: Any) -> bool:
        if not isinstance(value, tuple) or len(value) != 2 or not all(square(a, self.dim) for a in value):
            return False
        if value[0].shape != value[1].shape:
            return False
        a, b = map(matrix, value)
        if not semidefinite_rank(a) or semidefinite_rank(b) is None:
            return False
        return product(a, b) == product(b, a)

    def lies_in(self, value: Any, name: str) -> bool:
        return all(lies_in_family(a, name) for a in map(matrix, value))

    def parsed(self, shown: Any, at: str) -> tuple[Array, Array]:
        first, second = listed(shown, at, 2, "matrices")
        return matrices(first, f"{at}[0]"), matrices(second, f"{at}[1]")

    def describe(self) -> str:
        return self._words(f"two positive semidefinite matrices that commute {dimension_text(self.dim)}")


@dataclass(frozen=True)
class Projections(Kind):
    """Orthogonal projections of rank `rank`, given by an isometry (batch, dim, rank) onto the range: columns of a
    unitary.

    Domains (`within`): "real". The starts are those of Unitaries.
    """

    rank: int = 2
    dim: int | None = None
    within: Sequence[str] = ()
    starts: Sequence[str] = ()
    DOMAINS: ClassVar[Mapping[str, str]] = {"real": "with a real isometry"}
    STARTS: ClassVar[Sequence[str]] = Unitaries.STARTS

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        return Unitaries(self.dim).drawn_from(rng, batch, dim, start)

    def sound(self, raw: Raw) -> Array:
        return _small_skew(raw)

    def inside(self, raw: Raw, name: str) -> Array:
        return Unitaries().inside(raw, name)

    def pressed(self, raw: Raw, name: str) -> Raw:
        return Unitaries().pressed(raw, name)

    def build(self, raw: Raw, field: Field) -> Array:
        return Unitaries().build(raw, field)[..., : self.rank]

    def coarse(self) -> Mapping[str, int]:
        return Unitaries().coarse()

    def holds(self, value: Any) -> bool:
        if not isinstance(value, np.ndarray) or value.ndim != 3 or len(value) != 1:
            return False
        if self.dim not in (None, value.shape[1]) or value.shape[2] != min(self.rank, value.shape[1]):
            return False
        return is_isometry(matrix(value))

    def lies_in(self, value: Any, name: str) -> bool:
        return is_real(matrix(value))

    def parsed(self, shown: Any, at: str) -> Array:
        return matrices(shown, at)

    def free_sizes(self, value: Any) -> list[int]:
        return [] if self.dim else [value.shape[1]]

    def describe(self) -> str:
        return self._words(f"a projection of rank at most {self.rank} {dimension_text(self.dim)}")


@dataclass(frozen=True)
class Channels(Kind):
    """Channels from dimension `dim` (or the batch's) to `out`, with an environment of size `environment`.

    Only these sizes are tried, though the statement is about every channel. The environment is larger if the input does
    not fit into `out * environment`.

    Domains (`within`): "real"; "discard" (the environment is discarded: a partial trace, if the input dimension is
    `out * environment`). Further starts: "complex"; "close" to "discard".
    """

    out: int = 2
    environment: int = 2
    dim: int | None = None
    within: Sequence[str] = ()
    starts: Sequence[str] = ()
    DOMAINS: ClassVar[Mapping[str, str]] = {
        "real": "with a real isometry",
        "discard": "which only discards the environment",
    }
    STARTS: ClassVar[Sequence[str]] = ("real", "complex", "close", "discard")
    corners: ClassVar[Sequence[str]] = ("discard",)

    def _size(self, dim: int) -> int:
        n = self.dim or dim
        return self.out * max(self.environment, -(-n // self.out))

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        raw = Unitaries(self._size(dim)).drawn_from(rng, batch, dim, start)
        return {**raw, FIXED: np.full(batch, self.dim or dim)}

    def sound(self, raw: Raw) -> Array:
        return _small_skew(raw)

    def inside(self, raw: Raw, name: str) -> Array:
        if name == "real":
            return np.asarray(~raw["im"].any((-1, -2)))
        return np.asarray(~raw["re"].any((-1, -2)) & ~raw["im"].any((-1, -2)))

    def pressed(self, raw: Raw, name: str) -> Raw:
        return {**raw, "im": 0 * raw["im"], "re": raw["re"] if name == "real" else 0 * raw["re"]}

    def build(self, raw: Raw, field: Field) -> Channel:
        unitary = Unitaries().build({"re": raw["re"], "im": raw["im"]}, field)
        return Channel(unitary[..., : int(raw[FIXED][0])], self.out, field.conj)

    def coarse(self) -> Mapping[str, int]:
        return Unitaries().coarse()

    def holds(self, value: Any) -> bool:
        if not isinstance(value, Channel) or value.out < 1:
            return False
        v = value.isometry
        if not isinstance(v, np.ndarray) or v.ndim != 3 or len(v) != 1 or v.shape[1] % value.out:
            return False
        return self.dim in (None, v.shape[2]) and v.shape[2] <= v.shape[1] and is_isometry(matrix(v))

    def lies_in(self, value: Any, name: str) -> bool:
        v = matrix(value.isometry)
        if name == "real":
            return is_real(v)
        return v == [row[: len(v[0])] for row in unit(len(v))]

    def parsed(self, shown: Any, at: str) -> Channel:
        if not isinstance(shown, Mapping) or set(shown) != {"isometry", "out"}:
            raise wrong(at, '{"isometry": a list of rows, "out": the dimension of the output}', shown)
        out = whole(shown["out"], f"{at}.out", "an integer >= 1")
        return Channel(matrices(shown["isometry"], f"{at}.isometry"), out, RATIONALS.conj)

    def free_sizes(self, value: Any) -> list[int]:
        return [] if self.dim else [value.isometry.shape[-1]]

    def describe(self) -> str:
        size = f"with an environment of dimension {self.environment}, or larger where the input is"
        system = f"a quantum channel from a system {dimension_text(self.dim)}, to dimension {self.out}"
        return self._words(f"{system}, by an isometry {size}")
