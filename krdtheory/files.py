"""Samples from files, never through pickle."""

from __future__ import annotations

import csv
import warnings
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array, reject

SUFFIXES = (".csv", ".npy", ".npz")


def read_samples(path: str | Path) -> Array:
    """Samples (n, d), one row each, from a .csv (with or without a header line), .npy or .npz (one array) file.

    A 1-dimensional array is n samples of dimension 1.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        Another suffix; not numbers; NaN or infinite entries; no rows; rows of different lengths; pickled content;
        an .npz file of several arrays.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "x.csv"
    >>> _ = file.write_text("a,b\\n1,2\\n3,4\\n")
    >>> read_samples(file).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        reject("file", str(path), f"a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file")
    samples = _read_csv(path) if suffix == ".csv" else _read_numpy(path)
    if samples.ndim == 1:
        samples = samples[:, None]
    if samples.ndim != 2 or 0 in samples.shape:
        raise ValueError(f"{path} must hold at least one row of numbers, shape (n, d); got shape {samples.shape}")
    if not np.isfinite(samples).all():
        row, column = np.argwhere(~np.isfinite(samples))[0]
        raise ValueError(
            f"{path} must hold finite numbers; got {samples[row, column]} in row {row + 1}, column {column + 1}"
        )
    return samples


def _read_numpy(path: Path) -> Array:
    try:
        with path.open("rb") as file:
            loaded = np.load(file, allow_pickle=False)
            if isinstance(loaded, np.lib.npyio.NpzFile):
                if len(loaded.files) != 1:
                    raise ValueError(f"an archive of one array is needed, it holds {len(loaded.files)}")
                loaded = loaded[loaded.files[0]]
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        reason = "it is pickled, which can run code" if "allow_pickle" in str(error) else str(error)
        raise ValueError(f"{path} must be a NumPy file of numbers: {reason}") from None
    if loaded.dtype.kind not in "iuf":
        raise ValueError(f"{path} must hold real numbers; got dtype {loaded.dtype}")
    return np.asarray(loaded, float)


def _read_csv(path: Path) -> Array:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [
                (number, row) for number, row in enumerate(csv.reader(file), 1) if any(cell.strip() for cell in row)
            ]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} must be comma-separated text: {error}") from None
    if rows and not any(_number(cell) is not None for cell in rows[0][1]):
        rows = rows[1:]  # a header
    elif len(rows) > 1 and len(rows[0][1]) > 1 and [_number(c) for c in rows[0][1]] == [*range(len(rows[0][1]))]:
        last = len(rows[0][1]) - 1
        message = f"{path} begins with the numbers 0 to {last}: read as a sample, though it may be a header"
        warnings.warn(message, stacklevel=3)
    out = []
    for number, row in rows:
        values = [_number(cell) for cell in row]
        if None in values:
            raise ValueError(f"{path} must hold numbers; got {row[values.index(None)]!r} in line {number}")
        if len(values) != len(rows[0][1]):
            raise ValueError(
                f"{path} must have rows of one length; got {len(values)} in line {number}, not {len(rows[0][1])}"
            )
        out.append(values)
    return np.array(out, dtype=float).reshape(len(out), -1 if out else 0)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def plain(values: Any) -> Any:
    """Nested lists for JSON, which has no infinity: "inf" is a string there."""
    if isinstance(values, (np.ndarray, list)):
        return [plain(v) for v in values]
    value = float(values)
    return value if np.isfinite(value) else str(value)
