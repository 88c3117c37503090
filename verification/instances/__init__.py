"""Random instances. A kind draws integers, and builds objects from them by field operations only, in any arithmetic.

An instance found in float64 therefore exists exactly: the same integers build it in rationals, in mpmath, or in balls.
Every value has a leading batch axis, and the whole batch has one dimension. A kind describes a domain, which `within`
may restrict to families: drawing, changing and reading instances never leaves it. Independently of that, drawing starts
from families where statements tend to fail: rank-deficient, diagonal, graded or nearly equal objects, repeated points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array
from verification.instances.classical import (
    Distributions,
    Events,
    Functions,
    Maps,
    MarkovKernels,
    UpSets,
)
from verification.instances.exact import shown
from verification.instances.fields import FLOATS, RATIONALS, Channel, Field, Region, converted, multiprecision
from verification.instances.kind import FIXED, GROUP, SIZES, Batch, Kind, Raw, sizes_up_to
from verification.instances.numbers import Fraction01, Integers, Order, Orders, Reals, Scale
from verification.instances.pairs import PurePairs, PureStates
from verification.instances.quantum import (
    Channels,
    CommutingPairs,
    Projections,
    States,
    Unitaries,
    Vectors,
)

__all__ = [
    "FIXED",
    "FLOATS",
    "RATIONALS",
    "SIZES",
    "Batch",
    "Channel",
    "Channels",
    "CommutingPairs",
    "Distributions",
    "Events",
    "Field",
    "Fraction01",
    "Functions",
    "Integers",
    "Kind",
    "Maps",
    "MarkovKernels",
    "Order",
    "Orders",
    "Projections",
    "PurePairs",
    "PureStates",
    "Raw",
    "Reals",
    "Region",
    "Scale",
    "States",
    "Unitaries",
    "UpSets",
    "Vectors",
    "build",
    "contains",
    "converted",
    "draw",
    "join",
    "legal",
    "multiprecision",
    "project",
    "read",
    "shown",
    "sizes_up_to",
    "take",
]


def draw(given: Mapping[str, Kind], rng: np.random.Generator, batch: int, dim: int) -> Batch:
    """Return raw instances of all kinds of a claim, of dimension `dim` where the kinds do not fix it.

    For each group of a few dozen instances, the families to start from are chosen anew: at random for each kind, or,
    one time in four, from the corners of all kinds. If no instance has this dimension, the nearest of `SIZES` for which
    there are instances is taken.

    Raises
    ------
    ValueError
        There is no dimension that fits all of these kinds.
    """
    size = _fitting(given, dim)
    groups = [_group(given, rng, min(GROUP, batch - start), size) for start in range(0, batch, GROUP)]
    return join(groups)


def _fitting(given: Mapping[str, Kind], dim: int) -> int:
    if all(kind.fits(dim) for kind in given.values()):
        return dim
    others = [n for n in sorted({1, *SIZES}) if all(kind.fits(n) for kind in given.values())]
    if not others:
        text = "; ".join(f"{name}: {kind.describe()}" for name, kind in given.items())
        raise ValueError(f"given must have a dimension, from 1 to {max(SIZES)}, for all of its kinds; got {text}")
    return min(others, key=lambda n: (abs(n - dim), n))


def _group(given: Mapping[str, Kind], rng: np.random.Generator, batch: int, dim: int) -> dict[str, Raw]:
    corner = rng.random() < 0.25

    def start(kind: Kind) -> str:
        corners = [c for c in kind.corners if c in kind.started] if corner else []
        names = corners or kind.started
        return names[int(rng.integers(len(names)))]

    return {name: kind.draw(rng, batch, dim, start(kind)) for name, kind in given.items()}


def build(given: Mapping[str, Kind], raw: Batch, field: Field) -> dict[str, Any]:
    """Return the instance in the numbers of `field`."""
    return {name: kind.build(raw[name], field) for name, kind in given.items()}


def legal(given: Mapping[str, Kind], raw: Batch) -> Array:
    """Return which instances of a batch are legal."""
    return np.logical_and.reduce([kind.legal(raw[name]) for name, kind in given.items()])


def project(given: Mapping[str, Kind], raw: Batch) -> Batch:
    """Return changed integers, moved back into the domains where that is easy; some may still be illegal."""
    return {name: kind.project(raw[name]) for name, kind in given.items()}


def take(raw: Batch, index: Array | list[int]) -> Batch:
    """Return some instances of a batch."""
    return {name: {key: value[index] for key, value in part.items()} for name, part in raw.items()}


def join(batches: Sequence[Batch]) -> Batch:
    """Return the instances of several batches of one dimension as one batch."""
    first = batches[0]
    return {n: {k: np.concatenate([b[n][k] for b in batches]) for k in part} for n, part in first.items()}


def contains(given: Mapping[str, Kind], values: Mapping[str, Any]) -> list[str]:
    """Return the names of values, in exact rationals (batch of one), that lie outside their kinds."""
    return [name for name, kind in given.items() if not kind.contains(values[name])]


def read(given: Mapping[str, Kind], instance: Mapping[str, Any]) -> dict[str, Any]:
    """Return an instance, written as in the counterexamples of a JSON report, in exact rationals.

    Parameters
    ----------
    given : mapping of str to Kind
        A claim's kinds.
    instance : mapping of str to str, number, list or dict
        A value for each kind.

    Raises
    ------
    ValueError
        A name is missing or unknown, a value cannot be read or lies outside its kind, or sizes do not agree.
    """
    if not isinstance(instance, Mapping):
        raise ValueError(f"the instance must be an object with {', '.join(given)}; got {type(instance).__name__}")
    unknown = [name for name in instance if name not in given]
    missing = [name for name in given if name not in instance]
    if unknown or missing:
        got = ", ".join(map(str, instance)) or "nothing"
        raise ValueError(f"the instance must have exactly {', '.join(given)}; got {got}")
    values = {name: kind.read(instance[name], f'"{name}"') for name, kind in given.items()}
    sizes = {name: size for name, kind in given.items() for size in kind.free_sizes(values[name])}
    if len(set(sizes.values())) > 1:
        got = ", ".join(f'{size} for "{name}"' for name, size in sizes.items())
        raise ValueError(f"sizes must agree; got {got}")
    return values
