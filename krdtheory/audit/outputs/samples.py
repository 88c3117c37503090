"""Samples of outputs, as numbers, texts or objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from krdtheory.arithmetic.base import Array, check_integers, check_signature, reject
from krdtheory.audit.outputs.objects import Release
from krdtheory.audit.outputs.values import SCALARS, columns_of, is_frame, refuse_masked, seconds_since_epoch

Features = Callable[[Any], Any]


@dataclass(frozen=True)
class Outputs:
    """A sample: `values` are numbers (n, d), texts (n,) or objects (n,).

    `names` are those of the columns, if they have any; `whole` says that an array or a table was given. For a list of
    numbers, `kinds` has the container types of its members, and `raw` is the list.
    """

    values: Array
    names: list[str] | None = None
    whole: bool = False
    kinds: frozenset[str] = frozenset()
    raw: Any = None

    @property
    def kind(self) -> str:
        """The kind of the outputs."""
        if self.values.ndim == 2:
            return "numbers"
        return "other objects" if len(self.values) and isinstance(self.values[0], Release) else "text"

    def as_objects(self, name: str) -> Array:
        """Return each output as an object."""
        if self.kind == "other objects":
            return self.values
        given: Any = self.values
        if self.raw is not None and len(self.raw) == len(given):
            given = self.raw
        elif self.kind == "numbers":
            container = next(iter(self.kinds), "")
            make: Any = {"number": lambda row: row[0], "tuple": tuple, "list": list}.get(container, np.array)
            given = [make(row.tolist()) for row in given]
        return _objects(given, name)


def read(values: Any, name: str, features: Features | None = None) -> Outputs:
    """Read a sample of outputs into a form that audits can use.

    Raises
    ------
    ValueError, TypeError
        Values that are not a sequence; masked arrays; integers that floats would round.

    Examples
    --------
    >>> from krdtheory.audit.outputs import read
    >>> read([1, 2.5, float("inf")], "x").values.tolist()
    [[1.0], [2.5], [inf]]
    >>> read(["yes", "no"], "x").kind, read([{"a": 1}, {"a": 2, "b": "c"}], "x").kind
    ('text', 'other objects')
    >>> read([{"a": 1}, {"a": 2, "b": "c"}], "x").values[1].parts.words["b"]
    'c'
    """
    if isinstance(values, Outputs):
        return values
    if hasattr(values, "to_pandas"):
        values = values.to_pandas()
    refuse_masked(values, name)
    unsized = not hasattr(values, "__len__") or getattr(values, "shape", None) == ()
    if (unsized and not sparse.issparse(values)) or isinstance(values, (str, bytes, Mapping, Set)):
        reject(name, values, "a sequence of outputs", TypeError)
    if (
        isinstance(values, np.ndarray)
        and values.dtype == object
        and values.size
        and isinstance(values.flat[0], Release)
    ):
        return Outputs(values)
    if features is not None:
        if not callable(features):
            reject("features", features, "a function of one output", TypeError)
        check_signature(features, "features", "output")
        return read([features(output) for output in _rows(values)], name)
    if sparse.issparse(values):
        return Outputs(_objects(_rows(values), name), whole=True)
    if is_frame(values):
        return _table(values, name)
    if hasattr(values, "__array__"):
        return _array(np.asarray(values), name, values)
    return _list(values, name)


def read_two(x: Any, y: Any, features: Features | None = None) -> tuple[Outputs, Outputs]:
    """Read two samples, as outputs of one kind.

    Raises
    ------
    ValueError, TypeError
        As `read`; arrays or tables of which only one contains numbers, or of different dimensions.
    """
    u, v = read(x, "x", features), read(y, "y", features)
    if u.names is not None and v.names is not None and u.names != v.names:
        shown = (", ".join(map(str, one.names[:5] if one.names else ())) for one in (u, v))
        raise ValueError(f"x and y must have the same columns in the same order; got {' and '.join(shown)}")
    if not (len(u.values) and len(v.values)):
        return u, v
    if (u.whole or v.whole) and u.kind != v.kind:
        raise ValueError(f"x and y must both be numbers, or both other objects; got {u.kind} and {v.kind}")
    if u.kind == v.kind == "text" or _alike(u, v):
        return u, v
    if (u.whole or v.whole) and u.kind == v.kind == "numbers":
        dimensions = f"{u.values.shape[1]} and {v.values.shape[1]}"
        raise ValueError(
            f"x and y must have the same dimension; got {dimensions} (outputs in an array or a table are of one "
            "dimension, in a list of any)"
        )
    return Outputs(u.as_objects("x")), Outputs(v.as_objects("y"))


def _alike(u: Outputs, v: Outputs) -> bool:
    """Return whether both are numbers, with the same number of columns and the same container."""
    kinds = u.kinds | v.kinds
    return u.kind == v.kind == "numbers" and u.values.shape[1] == v.values.shape[1] and len(kinds) <= 1


def _rows(values: Any) -> Sequence[Any]:
    """Return the outputs of a sample one by one."""
    if sparse.issparse(values):
        if values.ndim != 2:
            reject("the shape of a sparse sample", values.shape, "(n, d)")
        matrix = sparse.csr_array(values)
        return [matrix[[i]] for i in range(matrix.shape[0])]
    if is_frame(values):
        names, columns = columns_of(values)
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    return list(values)


def _table(frame: Any, name: str) -> Outputs:
    names, columns = columns_of(frame)
    if frame.shape[1] == 0:
        reject(name, frame.shape, "a table of at least one column (this is its shape)")
    if all(dtype.kind in "biuf" for dtype in frame.dtypes):
        for dtype, column in zip(frame.dtypes, columns, strict=True):
            if dtype.kind in "iu":
                check_integers(column, name)
        numeric = [frame.iloc[:, k].to_numpy(dtype=float, na_value=np.nan) for k in range(len(names))]
        return Outputs(np.column_stack(numeric), names=names, whole=True)
    if len(names) == 1 and all(isinstance(cell, str) for cell in columns[0]):
        return Outputs(columns[0], names=names, whole=True)
    rows = [*zip(*columns, strict=True)]
    out = np.empty(len(rows), dtype=object)
    for i, row in enumerate(rows):
        value = row[0] if len(row) == 1 else row
        out[i] = Release(value, f"{name}[{i}]", named=dict(zip(names, row, strict=True)))
    return Outputs(out, whole=True)


def _array(array: Array, name: str, given: Any) -> Outputs:
    label = getattr(given, "name", None)
    names = [str(label)] if label is not None and array.ndim == 1 else None
    if array.dtype.kind in "biufcmM":
        return Outputs(_numbers(array, name), names=names, whole=True)
    if (array.dtype.kind in "US" and array.ndim == 1) or (array.dtype.kind == "O" and _all_text(array)):
        texts = np.char.decode(array, "latin-1") if array.dtype.kind == "S" else array.astype(str)
        return Outputs(texts.astype(object), names=names, whole=True)
    if array.dtype.names:
        fields_ = {field: array[field] for field in array.dtype.names}
        return Outputs(_objects([dict(zip(fields_, row, strict=True)) for row in array.tolist()], name), whole=True)
    if array.ndim == 1:
        return _list(array.tolist(), name)
    return Outputs(_objects([tuple(row.ravel().tolist()) for row in array], name), whole=True)


def _list(values: Sequence[Any], name: str) -> Outputs:
    values = list(values)
    if values and all(isinstance(value, str) for value in values):
        return Outputs(np.array(values, dtype=object))
    array = _as_numbers(values, name)
    if array is None or not values:
        return Outputs(_objects(values, name))
    kinds = {_container(value) for value in values}
    if len(kinds) > 1:
        return Outputs(_objects(values, name))
    return Outputs(array, kinds=frozenset(kinds), raw=values)


def _container(value: Any) -> str:
    """Return the type of a container of numbers; plain numbers all have one type."""
    if isinstance(value, np.ndarray):
        return f"{type(value).__name__} of {value.dtype}"
    return "number" if isinstance(value, SCALARS) else type(value).__name__


def _as_numbers(values: list[Any], name: str) -> Array | None:
    """Return a list of numbers, or of equally many numbers each, as an array (n, d); None for anything else."""
    for value in values:
        refuse_masked(value, name)
    if not all(isinstance(value, (*SCALARS, np.ndarray, list, tuple)) for value in values):
        return None
    if any(isinstance(value, np.timedelta64) for value in values):  # a subclass of np.number
        return None
    try:
        array = np.asarray(values)
    except ValueError:  # members of different lengths
        return None
    if array.dtype == object and all(isinstance(value, SCALARS) for value in values):
        check_integers(array, name)
    return _numbers(array, name) if array.dtype.kind in "biufc" and array.size else None


def _numbers(array: Array, name: str) -> Array:
    """Return an array as float64 (n, d)."""
    check_integers(array, name)
    if array.dtype.kind in "mM":
        array = seconds_since_epoch(array)
    if array.size == 0 and len(array):
        reject(name, array.shape, "at least one number each (this is the shape)")
    flat = array.reshape(len(array), -1 if array.size else 1)
    if array.dtype.kind == "c":
        flat = np.concatenate([flat.real, flat.imag, np.abs(flat), np.angle(flat)], axis=1)
    out = flat.astype(float)
    if flat.dtype.itemsize > out.dtype.itemsize and (lost := (out != flat) & ~np.isnan(out)).any():
        reject(name, flat[lost][0], "numbers that float64 holds (or texts, which are compared whole)")
    return out


def _all_text(values: Any) -> bool:
    return values.ndim == 1 and len(values) > 0 and all(isinstance(value, str) for value in values)


def _objects(values: Sequence[Any], name: str) -> Array:
    out = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        out[i] = Release(value, f"{name}[{i}]")
    return out


def unwrapped(z: Array) -> Array:
    """Return outputs as the mechanism released them."""
    if z.ndim == 1 and len(z) and isinstance(z[0], Release):
        out = np.empty(len(z), dtype=object)
        out[:] = [release.value for release in z] if len(z) != 1 else None
        if len(z) == 1:
            out[0] = z[0].value
        return out
    return z
