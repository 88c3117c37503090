"""Extraction of named numbers and words from objects."""

from __future__ import annotations

import copy
import datetime
import enum
import hashlib
import numbers
import types
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from krdtheory.arithmetic.base import Array, reject
from krdtheory.audit.outputs.values import SCALARS, columns_of, exact_text, is_frame, refuse_masked, seconds_since_epoch

_EXACT = 2**53  # integers up to this are exact as floats
_DEEPEST = 24  # the deepest nesting of objects
_ABOUT = ("type of ", "keys of ", "dtype of ", "shape of ", "format of ")  # features that are not data
_EPOCH = datetime.datetime(1970, 1, 1)
_DOUBLES = (float, np.float16, np.float32)
FIXED = (str, bytes, *SCALARS, type(None), enum.Enum)  # immutable types


class Release:
    """A copy of one output that is neither a row of numbers nor a text.

    `named` replaces `value` in the extraction of parts if these have names that the value lacks, as in rows of a table.
    """

    def __init__(self, value: Any, name: str, named: Mapping[str, Any] | None = None) -> None:
        self.value, self.name, self._named = kept(value, name), name, named

    @cached_property
    def parts(self) -> Parts:
        """The parts of the output, extracted only when needed, as some scores take the value itself."""
        return take_apart(self.value if self._named is None else self._named, self.name)

    def shown(self) -> str:
        """Return the parts of the output with their names, as text."""
        numbers = {name: ", ".join(exact_text(v) for v in vector[:4]) for name, vector in self.parts.numbers.items()}
        numbers |= {name: f"{row.nnz} numbers" for name, row in self.parts.sparse.items()}
        words = {name: repr(word) for name, word in self.parts.words.items() if not name.startswith(_ABOUT)}
        shown = [f"{name} = {text}" for name, text in (words | numbers).items() if not name.startswith("len(")]
        return f"({', '.join(shown)})"


@dataclass
class Parts:
    """The parts of an output by name: vectors of numbers, sparse vectors (rows of a matrix), and words."""

    numbers: dict[str, Array]
    sparse: dict[str, Any]
    words: dict[str, str]

    @cached_property
    def key(self) -> str:
        """A hash that is the same for equal outputs and, except with probability 2^-128, for no others."""
        digest = hashlib.blake2b(digest_size=16)
        for name in sorted(self.numbers):
            vector = self.numbers[name] + 0.0  # turns -0.0 into 0.0
            vector[np.isnan(vector)] = np.nan
            digest.update(f"{name}\0{len(vector)}\0".encode() + vector.tobytes())
        for name in sorted(self.sparse):
            row = self.sparse[name]
            digest.update(f"{name}\0{row.nnz}\0".encode() + row.indices.astype(np.int64).tobytes())
            digest.update((row.data + 0.0).tobytes())
        for name in sorted(self.words):
            digest.update(f"{name}\0{self.words[name]}\0".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


def kept(value: Any, name: str = "x") -> Any:
    """Return a copy of an output that is independent of later changes."""
    if isinstance(value, FIXED):
        return value
    if isinstance(value, np.ma.MaskedArray):
        refuse_masked(value, name)
    if isinstance(value, np.ndarray) and value.dtype != object:
        return value.copy()
    try:
        return copy.deepcopy(value)
    except Exception:  # objects that cannot be copied are rejected when their parts are extracted
        return value


def keys(z: Array) -> Array:
    """Return a sortable key for each output, the same for equal outputs."""
    if z.ndim == 1:
        return np.array([_key_of(output) for output in z.tolist()], dtype="S32")
    rows = np.ascontiguousarray(z + 0.0)  # turns -0.0 into 0.0
    if (missing := np.isnan(rows)).any():
        rows[missing] = np.nan
    return rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1])))[:, 0]


def all_same(first: Array, z: Array) -> bool:
    """Return whether all outputs are equal to the one in `first`; False if they have no features."""
    if z.ndim == 2:
        return bool(((z == first) | (np.isnan(z) & np.isnan(first))).all())
    try:
        key = _key_of(first[0])
        return all(_key_of(output) == key for output in z)
    except (TypeError, ValueError):
        return False


def _key_of(one: Any) -> str:
    if isinstance(one, str):
        return hashlib.blake2b(one.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return one.parts.key if isinstance(one, Release) else take_apart(one).key


def take_apart(value: Any, name: str = "x") -> Parts:
    """Return the named features of one output, by the rules of this package.

    Raises
    ------
    TypeError
        A part has no data that can be compared, or is a masked array.
    ValueError
        The object is nested too deeply, or contains itself.

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
            refuse_masked(value, f"{self.name}, {here}")
        elif sparse.issparse(value):
            self.matrix(here, value)
        elif isinstance(value, np.ndarray) and (value.dtype.kind in "biufc" or value.dtype.kind in "mM"):
            self.array(here, value)
        elif hasattr(value, "get_params") and not isinstance(value, type):
            self.items(path, {**value.get_params(deep=False), **_fitted(value)}, depth)
        elif is_frame(value) or (hasattr(value, "iloc") and hasattr(value, "index")):
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
            self.number(path, seconds_since_epoch(np.asarray([value])) / 1e6)
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
            self.number(path, seconds_since_epoch(value) if value.dtype.kind in "mM" else value)

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
        if not is_frame(value):
            values = value.to_numpy()
            self.take(f"{path}.values" if path else "values", values, depth + 1)
            return
        self.word(f"keys of {here}", ", ".join(map(str, value.columns)))
        names, _ = columns_of(value)
        self.items(path, {name: value.iloc[:, k].to_numpy() for k, name in enumerate(names)}, depth)

    def items(self, path: str, value: Mapping[Any, Any], depth: int) -> None:
        for key, member in value.items():
            name = _key(key)
            self.take(f"{path}.{name}" if path and not name.startswith("[") else f"{path}{name}", member, depth + 1)

    def state(self, path: str, value: Any, depth: int) -> None:
        """Take the state that pickle would save of an object."""
        here = path or "output"
        if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, np.ufunc)):
            bound = getattr(value, "__self__", None)
            if "<" in value.__qualname__ or not (bound is None or isinstance(bound, types.ModuleType)):
                self.refuse(path, value)  # its closure may hold anything
            self.word(here, f"{getattr(value, '__module__', '')}.{value.__qualname__}")
            return
        try:
            reduced = value.__reduce_ex__(4)
        except Exception:  # objects that are not picklable may raise anything
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
            state = {**(state[0] or {}), **(state[1] or {})}  # from __dict__ and __slots__
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
    """Return a name for a key or a member of a set, different for different keys whatever their repr."""
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
