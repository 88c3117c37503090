"""Conversion of results to JSON and back, through the base class `Result`."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self, cast

import numpy as np

from krdtheory.version import __version__

SCHEMA = 1  # the version of the JSON format
TAG = "$"  # the key that marks values for which JSON has no type


class Result:
    """A frozen dataclass that is saved as JSON without loss: numbers of every number system, arrays, nested results.

    >>> import krdtheory
    >>> from krdtheory.ball import Certificate, certify
    >>> found = certify(1, "4/3")
    >>> Certificate.from_json(found.to_json()) == found
    True
    """

    parts: ClassVar[tuple[type, ...]] = ()  # other dataclasses that may occur in the fields

    def __eq__(self, other: object) -> bool:
        """Whether all fields are equal, apart from functions. NaN equals NaN, and a ball equals the same ball."""
        if type(other) is not type(self):
            return NotImplemented
        return _fields(self) == _fields(other)

    __hash__ = None  # type: ignore[assignment]

    def to_json(self) -> str:
        """Return the result as JSON. Functions are replaced by null."""
        kind = type(self).__name__
        data = {"version": __version__, "schema": SCHEMA, "kind": kind, **_fields(self)}
        return json.dumps(data, indent=1, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the result that `to_json` wrote.

        Parameters
        ----------
        text : str

        Raises
        ------
        ValueError
            The text is not such JSON.
        """
        allowed = f"the JSON of {cls.__name__}, schema {SCHEMA}"
        try:
            data = json.loads(text)
            head = data.pop("schema"), data.pop("kind"), data.pop("version")
            if head[:2] != (SCHEMA, cls.__name__):
                raise ValueError
            return cast(Self, _made(cls, data, {part.__name__: part for part in cls.parts}))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise ValueError(f"text must be {allowed}; got {' '.join(str(text).split())[:80]}") from None


def _fields(value: Any) -> dict[str, Any]:
    return {f.name: _encoded(getattr(value, f.name)) for f in fields(value)}


def _made(kind: type, data: Mapping[str, Any], parts: Mapping[str, type]) -> Any:
    names = {f.name for f in fields(cast(Any, kind))}
    if data.keys() != names:
        raise ValueError
    return kind(**{name: _decoded(value, parts) for name, value in data.items()})


def _encoded(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {TAG: "float", "value": str(value)}
    if isinstance(value, complex):
        return {TAG: "complex", "value": [_encoded(value.real), _encoded(value.imag)]}
    if isinstance(value, Fraction):
        return {TAG: "fraction", "value": str(value)}
    if isinstance(value, np.ndarray):
        return {TAG: "array", "dtype": value.dtype.name, "value": _nested(value)}
    if isinstance(value, tuple):
        return {TAG: "tuple", "value": [_encoded(one) for one in value]}
    if isinstance(value, list):
        return [_encoded(one) for one in value]
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value) or TAG in value:
            raise TypeError(f"keys must be strings other than {TAG!r}, for JSON; got {', '.join(map(repr, value))}")
        return {key: _encoded(one) for key, one in value.items()}
    if hasattr(value, "mid"):  # an arb, which is tested first because it has _mpf_ too
        return {TAG: "arb", "value": [_exact(value.mid()), _exact(value.rad())]}
    if hasattr(value, "_mpf_"):
        sign, mantissa, exponent, _ = value._mpf_
        special = not mantissa and exponent
        number = str(value) if special else f"{'-' * sign}{mantissa}p{exponent}"
        return {TAG: "mpf", "value": number}
    if is_dataclass(value) and not isinstance(value, type):
        return {TAG: type(value).__name__, **_fields(value)}
    if callable(value):
        return None
    raise TypeError(f"a result must hold numbers, words, arrays and results, for JSON; got {type(value).__name__}")


def _nested(value: Any) -> Any:
    return [_nested(one) for one in value] if isinstance(value, np.ndarray) and value.ndim else _encoded(value)


def _exact(x: Any) -> str:
    """Return a flint number of radius 0 exactly, as text."""
    if x.is_finite():
        return "{}p{}".format(*x.man_exp())
    return "nan" if x.is_nan() else "inf" if x > 0 else "-inf"


def _decoded(value: Any, parts: Mapping[str, type]) -> Any:
    if isinstance(value, list):
        return [_decoded(one, parts) for one in value]
    if not isinstance(value, dict):
        return value
    if TAG not in value:
        return {key: _decoded(one, parts) for key, one in value.items()}
    data = dict(value)
    tag = data.pop(TAG)
    if tag in parts:
        return _made(parts[tag], data, parts)
    if tag == "array":
        entries = _decoded(data["value"], parts)
        return _objects(entries) if data["dtype"] == "object" else np.array(entries, dtype=_DTYPES[data["dtype"]])
    return _READ[tag](_decoded(data["value"], parts))


def _objects(entries: Any) -> Any:
    shape, inner = [], entries
    while isinstance(inner, list):
        shape.append(len(inner))
        inner = inner[0] if inner else None
    out = np.empty(shape, dtype=object)
    for index in np.ndindex(*shape):
        one = entries
        for k in index:
            one = one[k]
        out[index] = one
    return out


def _read_mpf(text: str) -> Any:
    import mpmath
    from mpmath.libmp import from_man_exp

    if "p" not in text:
        return mpmath.mpf(text)
    mantissa, exponent = map(int, text.split("p"))
    return mpmath.mp.make_mpf(from_man_exp(mantissa, exponent))


def _read_arb(both: list[str]) -> Any:
    from flint import arb

    mid, rad = map(_flint, both)
    below = _flint(both[1], (1 << 40) - 1, 40)  # flint may round a radius up to the next one it can represent
    for radius in (below, rad):
        if (made := arb(mid, radius)).rad() == rad:
            return made
    return made


def _flint(text: str, times: int = 1, bits: int = 0) -> Any:
    """Return a flint number of radius 0, multiplied by times / 2^bits."""
    from flint import arb

    if "p" not in text:
        return arb(text)
    mantissa, exponent = map(int, text.split("p"))
    return arb((mantissa * times, exponent - bits))


_DTYPES = {"float64": float, "complex128": complex, "int64": np.int64, "bool": bool}
_READ: dict[str, Callable[[Any], Any]] = {
    "float": float,
    "complex": lambda both: complex(*both),
    "fraction": Fraction,
    "tuple": tuple,
    "mpf": _read_mpf,
    "arb": _read_arb,
}
