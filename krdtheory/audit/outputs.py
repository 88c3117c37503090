"""Outputs of a mechanism, of any kind: the one way into every audit.

A sample of outputs is one of three things, and `read_two` says which:

- *numbers* (n, d), one row for each output: numbers, vectors, matrices, images, rows of tables whose columns are all
  numbers. Complex numbers are four columns: real and imaginary part, modulus and phase. NaN and infinities are values.
- *texts* (n,), where every output is a string, compared whole.
- *objects* (n,), everything else: each is taken apart into named features by `take_apart`, and what scores look at is
  a matrix of these (`Encoder`); whether two outputs are the same is asked of all of them at once.

An array or a table says itself how large an output is, and the two samples must agree. A list says nothing: that one
input gives lists of four numbers, or text, where the other gives three, is a difference that tells.

An object is taken apart so:

- a number is itself; an integer beyond 2^53, a Decimal or a Fraction that no float holds is its text too; dates and
  times are seconds, or days;
- text and bytes are categories: which of the values that were common in what was learnt from; and text that seldom
  comes again is the words and characters that are common in it, and how long it is;
- an array, or a list of numbers, is its coordinates, its shape and dtype, or its length, and of lists whose lengths
  differ the mean, the least and the largest too; a sparse one its coordinates that are not 0, and how many it holds;
- a mapping is its keys, in their order, and what they hold; a set what it contains; a list, a tuple, a named tuple or a
  dataclass its places or fields; a table its columns, and its index unless it merely counts;
- a scikit-learn estimator is `get_params`, and the fitted attributes, those that end in ``_``;
- any other object is what pickle would keep of it (nothing is unpickled);
- and of each of these its type is a feature. Where something is missing or of another kind, that is a feature too.

What holds no data that could be compared, as a lambda, a lock or a plain `object()`, is refused. `features`, a function
of one output, replaces this: what it returns is looked at in its place, by the same rule.
"""

from __future__ import annotations

import copy
import datetime
import enum
import hashlib
import numbers
import types
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from krdtheory.arithmetic.base import Array, check_integers, reject
from krdtheory.audit.words import Counts

_EXACT = 2**53  # integers up to here are floats
_DEEPEST = 24  # of objects within objects
_COMMON = 32  # values of a category that get a feature of their own
_ABOUT = ("type of ", "keys of ", "dtype of ", "shape of ", "format of ")  # what is not data
_WORDS = 128  # and characters, in texts that seldom come again
_COLUMNS = 5_000  # coordinates of sparse outputs that are looked at
_EPOCH = datetime.datetime(1970, 1, 1)
_SCALARS = (bool, int, float, complex, np.number, np.bool_)
_DOUBLES = (float, np.float16, np.float32)
FIXED = (str, bytes, *_SCALARS, type(None), enum.Enum)  # what cannot change after it was drawn
Features = Callable[[Any], Any]


class Release:
    """One output that is neither a row of numbers nor a text, apart from whatever the mechanism does next.

    `named` is given in place of `value` where the parts have names that the value does not hold, as rows of a table.
    """

    def __init__(self, value: Any, name: str, named: Mapping[str, Any] | None = None) -> None:
        self.value, self.name, self._named = kept(value, name), name, named

    @cached_property
    def parts(self) -> Parts:
        """What it holds; only looked for where it is needed: a score that is given may take the value whole."""
        return take_apart(self.value if self._named is None else self._named, self.name)

    def shown(self) -> str:
        """The output's parts by name, as text."""
        numbers = {name: ", ".join(f"{v:.6g}" for v in vector[:4]) for name, vector in self.parts.numbers.items()}
        numbers |= {name: f"{row.nnz} numbers" for name, row in self.parts.sparse.items()}
        words = {name: repr(word) for name, word in self.parts.words.items() if not name.startswith(_ABOUT)}
        shown = [f"{name} = {text}" for name, text in (words | numbers).items() if not name.startswith("len(")]
        return f"({', '.join(shown)})"


@dataclass
class Parts:
    """What an output is made of, by name: vectors of numbers, sparse ones (rows of a matrix), and words."""

    numbers: dict[str, Array]
    sparse: dict[str, Any]
    words: dict[str, str]

    @cached_property
    def key(self) -> str:
        """The same for outputs that are the same in everything, and (but for chance of 2^-128) no others."""
        digest = hashlib.blake2b(digest_size=16)
        for name in sorted(self.numbers):
            vector = self.numbers[name] + 0.0  # 0.0 and -0.0 are one value
            vector[np.isnan(vector)] = np.nan
            digest.update(f"{name}\0{len(vector)}\0".encode() + vector.tobytes())
        for name in sorted(self.sparse):
            row = self.sparse[name]
            digest.update(f"{name}\0{row.nnz}\0".encode() + row.indices.astype(np.int64).tobytes())
            digest.update((row.data + 0.0).tobytes())
        for name in sorted(self.words):
            digest.update(f"{name}\0{self.words[name]}\0".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


@dataclass(frozen=True)
class Outputs:
    """A sample as it was given: `values` are numbers (n, d), texts or releases (n,).

    `names` are those of columns, where they have any; `whole` says that an array or a table was given; of a list of
    numbers `kinds` are the types of its members that hold them, and `raw` is the list.
    """

    values: Array
    names: list[str] | None = None
    whole: bool = False
    kinds: frozenset[str] = frozenset()
    raw: Any = None

    @property
    def kind(self) -> str:
        """The kind of the outputs, in a word."""
        if self.values.ndim == 2:
            return "numbers"
        return "other objects" if len(self.values) and isinstance(self.values[0], Release) else "text"

    def as_objects(self, name: str) -> Array:
        """Each output as an object."""
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
    """A sample of outputs as what an audit can look at.

    Raises
    ------
    ValueError, TypeError
        No sequence; masked arrays; integers that floats would round.

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
    if hasattr(values, "to_pandas"):
        values = values.to_pandas()
    _refuse_masked(values, name)
    unsized = not hasattr(values, "__len__") or getattr(values, "shape", None) == ()
    if (unsized and not sparse.issparse(values)) or isinstance(values, (str, bytes, Mapping, Set)):
        reject(name, values, "a sequence of releases", TypeError)
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
        return read([features(one) for one in _rows(values)], name)
    if sparse.issparse(values):
        return Outputs(_objects(_rows(values), name), whole=True)
    if _is_frame(values):
        return _table(values, name)
    if hasattr(values, "__array__"):
        return _array(np.asarray(values), name, values)
    return _list(values, name)


def read_two(x: Any, y: Any, features: Features | None = None) -> tuple[Outputs, Outputs]:
    """Two samples, of one kind.

    Raises
    ------
    ValueError, TypeError
        As `read`; arrays or tables of which the one holds numbers and the other does not, or of different dimensions.
    """
    u, v = read(x, "x", features), read(y, "y", features)
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
    """Are both numbers, and the same columns?"""
    kinds = u.kinds | v.kinds
    return u.kind == v.kind == "numbers" and u.values.shape[1] == v.values.shape[1] and len(kinds) <= 1


# Samples


def _refuse_masked(values: Any, name: str) -> None:
    if isinstance(values, np.ma.MaskedArray):
        allowed = (
            "without a mask, which hides values that are still there: fill it, or release nan, for what is missing"
        )
        raise TypeError(f"{name} must be {allowed}; got a masked array")


def _is_frame(values: Any) -> bool:
    return hasattr(values, "iloc") and getattr(values, "ndim", 0) == 2


def _rows(values: Any) -> Sequence[Any]:
    """The outputs of a sample one by one."""
    if sparse.issparse(values):
        if values.ndim != 2:
            reject("the shape of a sparse sample", values.shape, "(n, d)")
        matrix = sparse.csr_array(values)
        return [matrix[[i]] for i in range(matrix.shape[0])]
    if _is_frame(values):
        names, columns = _columns(values)
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    return list(values)


def _columns(frame: Any) -> tuple[list[str], list[Array]]:
    names = [str(c) for c in frame.columns]
    if len(set(names)) < len(names):
        names = [f"{name} ({k})" for k, name in enumerate(names)]
    return names, [frame.iloc[:, k].to_numpy(dtype=object) for k in range(len(names))]


def _table(frame: Any, name: str) -> Outputs:
    names, columns = _columns(frame)
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
    """Of what type something that holds numbers is; numbers are compared by their values alone."""
    if isinstance(value, np.ndarray):
        return f"{type(value).__name__} of {value.dtype}"
    return "number" if isinstance(value, _SCALARS) else type(value).__name__


def _as_numbers(values: list[Any], name: str) -> Array | None:
    """(n, d) of a list of numbers or of equally many each, None of anything else."""
    for value in values:
        _refuse_masked(value, name)
    if not all(isinstance(value, (*_SCALARS, np.ndarray, list, tuple)) for value in values):
        return None
    if any(isinstance(value, np.timedelta64) for value in values):  # to NumPy, a number
        return None
    try:
        array = np.asarray(values)
    except ValueError:  # of different lengths
        return None
    if array.dtype == object and all(isinstance(value, _SCALARS) for value in values):
        check_integers(array, name)
    return _numbers(array, name) if array.dtype.kind in "biufc" and array.size else None


def _numbers(array: Array, name: str) -> Array:
    """(n, d), in float64."""
    check_integers(array, name)
    if array.dtype.kind in "mM":
        array = _seconds(array)
    if array.size == 0 and len(array):
        reject(name, array.shape, "at least one number each (this is the shape)")
    flat = array.reshape(len(array), -1 if array.size else 1)
    if array.dtype.kind == "c":
        flat = np.concatenate([flat.real, flat.imag, np.abs(flat), np.angle(flat)], axis=1)
    out = flat.astype(float)
    if flat.dtype.itemsize > out.dtype.itemsize and (lost := (out != flat) & ~np.isnan(out)).any():
        reject(name, flat[lost][0], "numbers that float64 holds (or texts, which are compared whole)")
    return out


def _seconds(array: Array) -> Array:
    """Times in microseconds, as floats hold all of the years 1685 to 2255."""
    unit = "datetime64[us]" if array.dtype.kind == "M" else "timedelta64[us]"
    return np.where(np.isnat(array), np.nan, array.astype(unit).astype(np.int64).astype(float))


def _all_text(values: Any) -> bool:
    return values.ndim == 1 and len(values) > 0 and all(isinstance(value, str) for value in values)


def _objects(values: Sequence[Any], name: str) -> Array:
    out = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        out[i] = Release(value, f"{name}[{i}]")
    return out


def kept(value: Any, name: str = "x") -> Any:
    """A copy of an output that nothing changes any more."""
    if isinstance(value, FIXED):
        return value
    if isinstance(value, np.ma.MaskedArray):
        _refuse_masked(value, name)
    if isinstance(value, np.ndarray) and value.dtype != object:
        return value.copy()
    try:
        return copy.deepcopy(value)
    except Exception:  # what cannot be copied is refused where it is taken apart
        return value


def keys(z: Array) -> Array:
    """One sortable key for each output, the same where outputs are the same."""
    if z.ndim == 1:
        return np.array([_key_of(one) for one in z.tolist()], dtype="S32")
    rows = np.ascontiguousarray(z + 0.0)  # 0.0 and -0.0 are one value
    rows[np.isnan(rows)] = np.nan
    return rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1])))[:, 0]


def all_same(first: Array, z: Array) -> bool:
    """Are all outputs the same as the one in `first`? Not as far as is known where they cannot be taken apart."""
    if z.ndim == 2:
        return bool(((z == first) | (np.isnan(z) & np.isnan(first))).all())
    try:
        key = _key_of(first[0])
        return all(_key_of(one) == key for one in z)
    except (TypeError, ValueError):
        return False


def _key_of(one: Any) -> str:
    if isinstance(one, str):
        return hashlib.blake2b(one.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return one.parts.key if isinstance(one, Release) else take_apart(one).key


# Taking apart


def take_apart(value: Any, name: str = "x") -> Parts:
    """The named features of one output, by the rule of this module.

    Raises
    ------
    TypeError
        Something holds no data that could be compared, or a masked array.
    ValueError
        Nested too deep, or within itself.

    Examples
    --------
    >>> from krdtheory.audit.outputs import take_apart
    >>> parts = take_apart({"label": "cat", "at": [1.5, 2.0]})
    >>> {name: vector.tolist() for name, vector in parts.numbers.items()}
    {'len(at)': [2.0], 'at': [1.5, 2.0]}
    >>> parts.words["label"], parts.words["type of at"]
    ('cat', 'list')
    """
    walk = _Walk(name)
    walk.take("", value, 0)
    return Parts(walk.numbers, walk.sparse, walk.words)


class _Walk:
    def __init__(self, name: str) -> None:
        self.name = name
        self.numbers: dict[str, Array] = {}
        self.sparse: dict[str, Any] = {}
        self.words: dict[str, str] = {}

    def refuse(self, path: str, value: Any) -> None:
        at = f"{self.name}{'' if not path or path.startswith('[') else '.'}{path}"
        allowed = "of a kind that can be compared (or be given features, a function of one output that returns what is)"
        reject(at, value, allowed, TypeError)

    def number(self, path: str, value: Any) -> None:
        self.numbers[path] = np.atleast_1d(np.asarray(value, dtype=float)).ravel()

    def word(self, path: str, value: str) -> None:
        self.words[path] = value

    def take(self, path: str, value: Any, depth: int) -> None:
        if depth > _DEEPEST:
            raise ValueError(f"{self.name} must be nested at most {_DEEPEST} deep; {path[:60]}... is deeper")
        here = path or "output"
        self.word(f"type of {here}", _type(value))
        if value is None or type(value).__name__ in ("NAType", "NaTType"):
            return
        if isinstance(value, (str, bytes, bytearray, enum.Enum, type)):
            self.text(here, value)
        elif isinstance(value, (datetime.date, datetime.timedelta, np.datetime64, np.timedelta64)):
            self.time(here, value)
        elif isinstance(value, (bool, np.bool_, numbers.Number)):
            self.scalar(here, value)
        elif isinstance(value, np.ma.MaskedArray):
            _refuse_masked(value, f"{self.name}, {here}")
        elif sparse.issparse(value):
            self.matrix(here, value)
        elif isinstance(value, np.ndarray) and (value.dtype.kind in "biufc" or value.dtype.kind in "mM"):
            self.array(here, value)
        elif hasattr(value, "get_params") and not isinstance(value, type):
            self.items(path, {**value.get_params(deep=False), **_fitted(value)}, depth)
        elif _is_frame(value) or (hasattr(value, "iloc") and hasattr(value, "index")):
            self.table(path, value, depth)
        elif isinstance(value, Mapping):
            self.word(f"keys of {here}", ", ".join(map(_key, value)))
            self.items(path, value, depth)
        elif isinstance(value, Set):
            self.number(f"len({here})", len(value))
            for member in value:
                self.number(f"{here} contains {_key(member)}", 1)
                if not isinstance(member, FIXED):
                    self.take(f"{path}{{{_key(member)}}}", member, depth + 1)
        elif is_dataclass(value) and not isinstance(value, type):
            self.items(path, {f.name: getattr(value, f.name) for f in fields(value)}, depth)
        elif isinstance(value, tuple) and hasattr(value, "_fields"):
            self.items(path, dict(zip(value._fields, value, strict=True)), depth)
        elif isinstance(value, np.ndarray) or _is_list(value):
            self.listed(path, value, depth)
        elif hasattr(value, "__array__"):
            self.take(path, np.asarray(value), depth + 1)
            self.word(f"type of {here}", _type(value))
        else:
            self.state(path, value, depth)

    def text(self, path: str, value: Any) -> None:
        if isinstance(value, type):
            self.word(path, f"{value.__module__}.{value.__qualname__}")
        elif isinstance(value, (bytes, bytearray)):
            self.word(path, bytes(value).hex())
            self.number(f"len({path})", len(value))
        else:
            self.word(path, value.name if isinstance(value, enum.Enum) else str(value))

    def scalar(self, path: str, value: Any) -> None:
        if isinstance(value, numbers.Complex) and not isinstance(value, numbers.Real):
            self.numbers.update(_complex(path, np.asarray([complex(value)])))
            return
        try:
            number = float(value)
        except OverflowError:
            number = np.inf if value > 0 else -np.inf
        self.number(path, number)
        rounded = abs(number) > _EXACT if isinstance(value, numbers.Integral) else not isinstance(value, _DOUBLES)
        if rounded:
            self.word(f"{path}, exactly", str(value))

    def time(self, path: str, value: Any) -> None:
        if isinstance(value, (np.datetime64, np.timedelta64)):
            self.number(path, _seconds(np.asarray([value])) / 1e6)
        elif isinstance(value, datetime.timedelta):
            self.number(path, value.total_seconds())
        elif isinstance(value, datetime.datetime):
            self.word(f"zone of {path}", str(value.tzinfo))
            self.number(path, (value.replace(tzinfo=None) - _EPOCH).total_seconds())
        else:
            self.number(path, value.toordinal())

    def array(self, path: str, value: Array) -> None:
        self.word(f"dtype of {path}", str(value.dtype))
        self.word(f"shape of {path}", str(value.shape))
        large = value.dtype.kind in "iu" and value.size and max(-int(value.min()), int(value.max())) > _EXACT
        if large or value.dtype.itemsize > (16 if value.dtype.kind == "c" else 8):
            self.word(f"{path}, exactly", hashlib.blake2b(value.tobytes(), digest_size=16).hexdigest())
        if value.dtype.kind == "c":
            self.numbers.update(_complex(path, value))
        else:
            self.number(path, _seconds(value) if value.dtype.kind in "mM" else value)

    def matrix(self, path: str, value: Any) -> None:
        matrix = sparse.coo_array(value)
        self.word(f"format of {path}", value.format)
        self.word(f"dtype of {path}", str(value.dtype))
        self.word(f"shape of {path}", str(value.shape))
        self.number(f"stored in {path}", matrix.nnz)
        row = sparse.csr_array(matrix.reshape((1, -1)), dtype=float)
        row.sum_duplicates()
        row.eliminate_zeros()
        self.sparse[path] = row

    def listed(self, path: str, value: Any, depth: int) -> None:
        here = path or "output"
        if isinstance(value, np.ndarray):
            self.word(f"dtype of {here}", str(value.dtype))
            self.word(f"shape of {here}", str(value.shape))
            if value.dtype.names:
                self.items(path, {field: value[field] for field in value.dtype.names}, depth)
                return
            value = value.ravel().tolist()
        self.number(f"len({here})", len(value))
        plain = all(type(member) in (int, float, bool) for member in value)
        if plain and all(abs(member) <= _EXACT for member in value if type(member) is int):
            self.number(here, np.array(list(value), dtype=float))
            return
        for i, member in enumerate(value):
            self.take(f"{path}[{i}]", member, depth + 1)

    def table(self, path: str, value: Any, depth: int) -> None:
        here = path or "output"
        self.word(f"shape of {here}", str(value.shape))
        index = value.index
        if type(index).__name__ != "RangeIndex":
            self.take(f"{path}.index" if path else "index", index.to_numpy(), depth + 1)
        if not _is_frame(value):
            values = value.to_numpy()
            self.take(f"{path}.values" if path else "values", values, depth + 1)
            return
        self.word(f"keys of {here}", ", ".join(map(str, value.columns)))
        names, _ = _columns(value)
        self.items(path, {name: value.iloc[:, k].to_numpy() for k, name in enumerate(names)}, depth)

    def items(self, path: str, value: Mapping[Any, Any], depth: int) -> None:
        for key, member in value.items():
            name = _key(key)
            self.take(f"{path}.{name}" if path and not name.startswith("[") else f"{path}{name}", member, depth + 1)

    def state(self, path: str, value: Any, depth: int) -> None:
        """Take apart what pickle would keep of an object."""
        here = path or "output"
        if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, np.ufunc)):
            bound = getattr(value, "__self__", None)
            if "<" in value.__qualname__ or not (bound is None or isinstance(bound, types.ModuleType)):
                self.refuse(path, value)  # it may hold anything
            self.word(here, f"{getattr(value, '__module__', '')}.{value.__qualname__}")
            return
        try:
            reduced = value.__reduce_ex__(4)
        except Exception:  # whatever an object does that is not meant to be kept
            self.refuse(path, value)
            return
        if isinstance(reduced, str):
            self.word(here, reduced)
            return
        _, arguments, state, listed, mapped = (*reduced, None, None, None)[:5]
        told = [a for a in (arguments or ()) if not isinstance(a, type)]
        listed, mapped = (list(part) if part is not None else [] for part in (listed, mapped))
        if not (told or state or listed or mapped):
            self.refuse(path, value)
        if told:
            self.items(path, {f"argument {k}": argument for k, argument in enumerate(told)}, depth)
        if (
            isinstance(state, tuple)
            and len(state) == 2
            and all(part is None or isinstance(part, dict) for part in state)
        ):
            state = {**(state[0] or {}), **(state[1] or {})}  # of __dict__ and __slots__
        if isinstance(state, Mapping):
            self.items(path, state, depth)
        elif state is not None:
            self.take(f"{path}.state" if path else "state", state, depth + 1)
        if listed:
            self.listed(path, listed, depth)
        if mapped:
            self.items(path, dict(mapped), depth)


def _type(value: Any) -> str:
    return type(value).__name__


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) or (hasattr(value, "__len__") and hasattr(value, "popleft"))


def _key(key: Any) -> str:
    """A name for a key, or for a member of a set: other names for other keys, whatever their repr."""
    if isinstance(key, str):
        return key
    plain = isinstance(key, FIXED) or (type(key) is tuple and all(isinstance(part, FIXED) for part in key))
    return f"[{(key.item() if isinstance(key, np.generic) else key)!r}]" if plain else f"[{take_apart(key).key[:16]}]"


def _fitted(model: Any) -> dict[str, Any]:
    return {k: v for k, v in getattr(model, "__dict__", {}).items() if k.endswith("_") and not k.startswith("_")}


def _complex(path: str, value: Array) -> dict[str, Array]:
    flat = value.ravel()
    parts = {"real": flat.real, "imag": flat.imag, "abs": np.abs(flat), "angle": np.angle(flat)}
    return {f"{part}({path})": vector.astype(float) for part, vector in parts.items()}


# Features


class Encoder:
    """Numbers (n, k) from outputs that were taken apart, by the features that were seen to differ in learning.

    All are finite: what is NaN, infinite or missing is 0, and a feature of its own.

    Parameters
    ----------
    learnt : array of Release
        Of both laws, whichever.

    Examples
    --------
    >>> from krdtheory.audit.outputs import Encoder, read
    >>> sample = read([{"a": 1.0, "b": "c"}, {"a": 2.0}, {"a": 3.0, "b": "d"}], "x").values
    >>> encoder = Encoder(sample)
    >>> encoder.names[:3]
    ['a', "keys of output = 'a, b'", "keys of output = 'a'"]
    >>> encoder(sample)[:, 0].tolist()
    [1.0, 2.0, 3.0]
    """

    def __init__(self, learnt: Array) -> None:
        parts = [release.parts for release in learnt]
        self.widths: dict[str, tuple[int, bool]] = {}  # the longest, and do lengths vary?
        for name in _names(p.numbers for p in parts):
            sizes = {len(p.numbers[name]) for p in parts if name in p.numbers}
            self.widths[name] = max(sizes), len(sizes) > 1
        self.places: dict[str, Array] = {}
        for name in _names(p.sparse for p in parts):
            seen = Counter(i for p in parts if name in p.sparse for i in p.sparse[name].indices.tolist())
            self.places[name] = np.sort([i for i, _ in seen.most_common(_COLUMNS)]).astype(int)
        self.common: dict[str, list[str]] = {}
        self.texts: dict[str, Counts] = {}
        for name in _names(p.words for p in parts):
            values = Counter(p.words[name] for p in parts if name in p.words)
            if len(values) > 1 or values.total() < len(parts):
                again = [word for word, count in values.most_common(_COMMON) if count > 1 or len(values) <= _COMMON]
                self.common[name] = again
            texts = list(values.elements())
            if len(values) > max(_COMMON, len(texts) / 2):
                self.texts[name] = Counts(texts, _WORDS)
        features, names = self._all(parts)
        self.kept = np.flatnonzero((features != features[:1]).any(0)) if len(parts) else np.arange(0)
        self.names = [names[k] for k in self.kept] or ["nothing that differs"]

    def __call__(self, z: Array) -> Array:
        if not len(self.kept):
            return np.zeros((len(z), 1))
        return self._all([release.parts for release in z])[0][:, self.kept]

    def _all(self, parts: list[Parts]) -> tuple[Array, list[str]]:
        blocks: list[Array] = [np.zeros((len(parts), 0))]
        names: list[str] = []
        for name, (width, varies) in self.widths.items():
            values = _stacked([p.numbers.get(name) for p in parts], width)
            labels = [name] if width == 1 and not varies else [f"{name}[{j}]" for j in range(width)]
            if varies:
                of = [p.numbers.get(name, np.zeros(0)) for p in parts]
                summary = [[v.mean(), v.min(), v.max()] if len(v) else [np.nan] * 3 for v in of]
                values = np.concatenate([values, np.array(summary).reshape(len(parts), 3)], axis=1)
                labels += [f"{way} of {name}" for way in ("mean", "min", "max")]
            finite = np.where(np.isfinite(values), values, 0)
            blocks.append(finite)
            names += labels
            for label, flags in (("nan", np.isnan(values)), ("inf", values == np.inf), ("-inf", values == -np.inf)):
                blocks.append(flags)
                names += [f"{one} is {label}" for one in labels]
        for name, places in self.places.items():
            rows = [p.sparse.get(name) for p in parts]
            blocks.append(_looked_up(rows, places))
            names += [f"{name}[{j}]" for j in places]
        for name, words in self.common.items():
            said = np.array([p.words.get(name) for p in parts], dtype=object)
            blocks.append(said[:, None] == np.array(words, dtype=object))
            names += [f"{name} = {word!r}" for word in words]
        for name, counts in self.texts.items():
            blocks.append(counts([p.words.get(name, "") for p in parts]))
            names += [f"{label} in {name}" for label in counts.names()]
        return np.concatenate(blocks, axis=1, dtype=float), names


def _names(maps: Any) -> list[str]:
    return [*dict.fromkeys(name for one in maps for name in one)]


def _stacked(vectors: list[Array | None], width: int) -> Array:
    """(n, width), NaN where there is nothing."""
    if all(v is not None and len(v) == width for v in vectors) and vectors:
        return np.stack(vectors)  # type: ignore[arg-type]
    out = np.full((len(vectors), width), np.nan)
    for i, v in enumerate(vectors):
        if v is not None:
            out[i, : len(v)] = v[:width]
    return out


def _looked_up(rows: list[Any], places: Array) -> Array:
    """The entries of sparse rows at some places."""
    out = np.zeros((len(rows), len(places)))
    for i, row in enumerate(rows):
        if row is not None and row.nnz and len(places):
            at = np.minimum(np.searchsorted(places, row.indices), len(places) - 1)
            hit = places[at] == row.indices
            out[i, at[hit]] = row.data[hit]
    return out


@dataclass(frozen=True, eq=False)
class Encoded:
    """A score of features that was learnt."""

    encoder: Encoder
    fitted: Any

    def __call__(self, z: Array) -> Array:
        return np.asarray(self.fitted(self.encoder(z)))

    def tells(self, names: Sequence[str]) -> list[str]:
        """The features that tell, as the score names them."""
        out: list[str] = self.fitted.tells(self.encoder.names) if hasattr(self.fitted, "tells") else []
        return out


class OfFeatures:
    """A score of numbers, on the features of outputs that were taken apart."""

    def __init__(self, score: Any) -> None:
        self.score = score
        self.steady, self.rounded = getattr(score, "steady", False), getattr(score, "rounded", False)

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Callable[[Array], Array]:
        encoder = Encoder(np.concatenate([x, y]))
        return Encoded(encoder, self.score.fit(encoder(x), encoder(y), rng))


class OfValues:
    """A score that is given, on outputs as they were released."""

    def __init__(self, score: Any) -> None:
        self.score = score
        self.steady, self.rounded = getattr(score, "steady", False), getattr(score, "rounded", False)

    def fit(self, x: Array, y: Array, rng: np.random.Generator) -> Callable[[Array], Array]:
        fitted = self.score.fit(unwrapped(x), unwrapped(y), rng)
        return lambda z: np.asarray(fitted(unwrapped(z)))


def unwrapped(z: Array) -> Array:
    """Outputs as they were released."""
    if z.ndim == 1 and len(z) and isinstance(z[0], Release):
        out = np.empty(len(z), dtype=object)
        out[:] = [release.value for release in z] if len(z) != 1 else None
        if len(z) == 1:
            out[0] = z[0].value
        return out
    return z
