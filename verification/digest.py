"""A digest of a claim's statement, kinds, options and code, which tells whether an outcome still holds for it."""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

import krdtheory
from verification.cited import CITED
from verification.claim import REGISTRY, Claim

_PACKAGES = [Path(krdtheory.__file__).resolve().parent, Path(__file__).resolve().parent]
_CLAIMS = _PACKAGES[1] / "claims"
_LIBRARIES = [Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "purelib", "platlib")]
_WORDS = (
    "label",
    "note",
    "nature",
    "quote",
    "says",
    "fault",
    "recorded",
    "corrects",
)  # they do not affect the verdict


def digest(claim: Claim, premises: Iterable[str] = ()) -> str:
    """Return the SHA-256 digest of everything on which the outcome of a claim depends, as 64 hexadecimal digits.

    That is its statement, relation, kinds, options and sides, with the functions and values of its file, or of files
    beside it, that these use; the claims `premises` that its proof takes for granted; and this package itself, except
    the papers' claims, each of which counts where it is used.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from verification.claim import select
    >>> (one,) = select(ids=["krd.lemma1"])
    >>> digest(one) == digest(replace(one, note="a remark")), digest(one) == digest(replace(one, statement="1 <= 0"))
    (True, False)
    """
    made = hashlib.sha256(_package())
    for one in (claim, *(REGISTRY.get(id) or CITED.get(id) for id in sorted(premises))):
        for part in _parts(one, {}):
            made.update(part.encode(errors="backslashreplace") + b"\0")
    return made.hexdigest()


@cache
def _package() -> bytes:
    made = hashlib.sha256()
    for folder in _PACKAGES:
        for file in sorted(folder.rglob("*.py")):
            if _CLAIMS not in file.parents:
                made.update(hashlib.sha256(file.read_bytes()).digest())
    return made.digest()


def _parts(value: Any, seen: dict[int, Any]) -> Iterator[str]:
    """Yield strings that identify a value; an object that is reached again is represented by a back reference."""
    kind = type(value)
    yield f"{kind.__module__}.{kind.__qualname__}"
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | Enum | range):
        yield repr(value)
        return
    if id(value) in seen:
        yield str([*seen].index(id(value)))
        return
    seen[id(value)] = value  # a reference keeps it alive, so that no other object gets its id
    if isinstance(value, np.ndarray):
        yield f"{value.dtype} {value.shape}"
        inner: Iterable[Any] = [value.tolist() if value.dtype == object else value.tobytes()]
    elif isinstance(value, Mapping):
        inner = [part for item in value.items() for part in item]
    elif isinstance(value, set | frozenset):
        inner = sorted(value, key=repr)
    elif isinstance(value, list | tuple):
        inner = value
    elif isinstance(value, Claim):
        inner = [getattr(value, f.name) for f in fields(value) if f.name not in _WORDS]
    elif isinstance(value, CodeType):
        names = (value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)
        counts = (value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount, value.co_flags)
        inner = [value.co_code, value.co_consts, names, counts]
    elif isinstance(value, FunctionType):
        inner = _function(value)
    elif isinstance(value, MethodType):
        inner = [value.__func__, value.__self__]
    elif isinstance(value, partial):
        inner = [value.func, value.args, value.keywords]
    elif isinstance(value, ModuleType):
        file = getattr(value, "__file__", None)
        inner = [value.__name__] if file is None or _is_known(file) else [Path(file).read_bytes()]
    elif isinstance(value, type):
        inner = _class(value)
    elif isinstance(value, BuiltinFunctionType):
        inner = [value.__module__, value.__qualname__]
    elif is_dataclass(value):
        inner = [part for f in fields(value) for part in (f.name, getattr(value, f.name))]
    elif kind.__repr__ is object.__repr__:
        inner = [vars(value)] if hasattr(value, "__dict__") else []
    else:
        inner = [repr(value)]
    if not isinstance(value, type) and _is_own(kind):
        inner = [kind, *inner]
    for part in inner:
        yield from _parts(part, seen)


def _function(value: FunctionType) -> list[Any]:
    if _is_known(value.__code__.co_filename):
        return [value.__module__, value.__qualname__, *([] if value.__closure__ is None else _cells(value))]
    used = {name: value.__globals__[name] for name in _names(value.__code__) if name in value.__globals__}
    return [value.__code__, value.__defaults__, value.__kwdefaults__, _cells(value), used]


def _cells(value: FunctionType) -> list[Any]:
    out = []
    for cell in value.__closure__ or ():
        try:
            out.append(cell.cell_contents)
        except ValueError:  # an empty cell
            out.append(None)
    return out


def _names(code: CodeType) -> list[str]:
    inner = [name for part in code.co_consts if isinstance(part, CodeType) for name in _names(part)]
    return sorted({*code.co_names, *inner})


def _class(value: type) -> list[Any]:
    code = [part for part in vars(value).values() if isinstance(part, FunctionType)]
    if not _is_own(value) and all(_is_known(part.__code__.co_filename) for part in code):
        return [value.__module__, value.__qualname__]
    kept = {name: part for name, part in vars(value).items() if name not in ("__dict__", "__weakref__", "__doc__")}
    return [value.__bases__, {name: part for name, part in kept.items() if not hasattr(part, "__set__")}]


def _is_own(kind: type) -> bool:
    """Whether a class is defined in a file of claims or beside one. A file of claims is not an imported module."""
    module = sys.modules.get(kind.__module__)
    return module is None or not _is_known(getattr(module, "__file__", None))


def _is_known(file: str | None) -> bool:
    """Whether a file belongs to Python, to an installed library, or to this package except its claims."""
    if file is None:
        return True
    if file.startswith("<"):  # frozen or generated: part of Python, dataclasses or the like
        return True
    path = Path(file).resolve()
    if _CLAIMS in path.parents:
        return False
    return any(folder in path.parents for folder in (*_PACKAGES, *_LIBRARIES))
