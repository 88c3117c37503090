"""Reading outputs from two files, for the command line: numbers, text, or columns of both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array
from krdtheory.audit.outputs import Outputs, Release
from krdtheory.files import check_widths, column_names, read_pair, read_samples, read_texts


def read_outputs(x: Path, y: Path, *, columns: Sequence[str] | None = None, text: bool = False) -> tuple[Any, Any]:
    """Return two samples for `krdtheory.audit.audit`. NaN and infinities are values, as in a sample of numbers.

    If some columns are numbers and others text, an output is a row with its columns by name. If all are text, `text`
    must be set, as the first line may be a header or an output.

    Raises
    ------
    OSError, ValueError
        As `krdtheory.files.read_pair`, `check_widths` and `read_texts`.
    """
    if text and columns:
        return read_texts(x, columns=columns), read_texts(y, columns=columns)
    try:
        u, v = read_pair(x, y, columns=columns, finite=False)
        names, other = (list(columns or column_names(path)) for path in (x, y))
    except ValueError as error:
        tables = [_table(path, columns) for path in (x, y)]
        if all(table is None for table in tables):
            hint = "" if columns is None and not column_names(x) else " (words are read with --column and --text)"
            raise ValueError(f"{error}{hint}") from None
        if None in tables or list(tables[0] or ()) != list(tables[1] or ()):
            raise
        first, second = (_rows(table or {}, name) for table, name in zip(tables, "xy", strict=True))
        return first, second
    check_widths(x, u, y, v)
    if not names or names != other:
        return u, v
    return Outputs(u, names=names, whole=True), Outputs(v, names=names, whole=True)


_WORDS = {"true": 1, "yes": 1, "in": 1, "member": 1, "false": 0, "no": 0, "out": 0, "non-member": 0}


def read_coins(path: Path, column: str) -> Array:
    """Return which canaries were in, (m,), from numbers or from words for yes and no.

    Raises
    ------
    OSError, ValueError
        As `krdtheory.files.read_samples`, or other words.
    """
    try:
        return read_samples(path, columns=[column], finite=False)[:, 0]
    except ValueError as error:
        try:
            words = [word.strip().lower() for word in read_texts(path, columns=[column]).tolist()]
        except ValueError:
            raise error from None
    unknown = next((word for word in words if word not in _WORDS), None)
    if unknown is not None:
        raise ValueError(f"{path} must say in {column} which were in, by 1 and 0 or true and false; got {unknown!r}")
    return np.array([_WORDS[word] for word in words])


def _table(path: Path, columns: Sequence[str] | None) -> dict[str, Array] | None:
    """Return the columns by name, None unless some are numbers and others text."""
    try:
        parts = {name: _column(path, name) for name in columns or column_names(path)}
    except ValueError:
        return None
    return parts if {part.dtype.kind for part in parts.values()} == {"f", "O"} else None


def _column(path: Path, name: str) -> Array:
    try:
        return read_samples(path, columns=[name], finite=False)[:, 0]
    except ValueError:
        return read_texts(path, columns=[name])


def _rows(table: dict[str, Array], name: str) -> Array:
    columns = [column.tolist() for column in table.values()]
    out = np.empty(len(columns[0]), dtype=object)
    for i, row in enumerate(zip(*columns, strict=True)):
        out[i] = Release(row, f"{name}[{i}]", named=dict(zip(table, row, strict=True)))
    return out
