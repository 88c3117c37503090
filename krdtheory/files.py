"""Samples from files, never through pickle."""

from __future__ import annotations

import csv
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array, reject

SUFFIXES = (".csv", ".npy", ".npz", ".parquet")
_NPY = b"\x93NUMPY"


def read_samples(path: str | Path) -> Array:
    """Samples (n, d), one row each, of a .csv (with or without a header line), .npy, .npz (one array) or .parquet file.

    A 1-dimensional array is n samples of dimension 1. A .parquet file needs the extra `parquet`.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        Another suffix; not numbers; NaN or infinite entries; no rows; rows of different lengths; pickled content;
        an .npz file of several arrays; a damaged or truncated file.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "x.csv"
    >>> _ = file.write_text("a,b\\n1,2\\n3,4\\n")
    >>> read_samples(file).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return np.concatenate(list(read_chunks(path, rows=1_000_000)))


def read_pair(x: str | Path, y: str | Path) -> tuple[Array, Array]:
    """Two samples by `read_samples`, whose columns, where both files name them, are in one order.

    Raises
    ------
    OSError, ValueError
        As `read_samples`; the same columns in another order.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> files = [pathlib.Path(tempfile.mkdtemp()) / name for name in ("x.csv", "y.csv")]
    >>> for file in files:
    ...     _ = file.write_text("a,b\\n1,2\\n")
    >>> [sample.tolist() for sample in read_pair(*files)]
    [[[1.0, 2.0]], [[1.0, 2.0]]]
    """
    pair = read_samples(x), read_samples(y)
    first, second = _columns(Path(x)), _columns(Path(y))
    if first != second and sorted(first) == sorted(second):
        raise ValueError(f"{y} must have its columns in the order of {x}, {', '.join(first)}; got {', '.join(second)}")
    return pair


def read_chunks(path: str | Path, *, rows: int = 100_000) -> Iterator[Array]:
    """The samples of `read_samples`, at most `rows` at a time, for files that are larger than memory.

    All but .npz files are read as the chunks are asked for, and so are their errors found.

    Raises
    ------
    OSError, ValueError
        As `read_samples`; rows not positive.

    Examples
    --------
    An audit of two files of releases, without holding them:

    >>> import tempfile, pathlib
    >>> import numpy as np
    >>> from krdtheory.audit import SequentialAudit
    >>> from krdtheory.privacy.notions import PureDP
    >>> rng, folder = np.random.default_rng(0), pathlib.Path(tempfile.mkdtemp())
    >>> for name, value in ("d", 0), ("d_prime", 1):
    ...     np.savetxt(folder / f"{name}.csv", value + rng.laplace(size=1000))
    >>> audit = SequentialAudit(PureDP(epsilon=0.5))
    >>> for x, y in zip(*(read_chunks(folder / f"{name}.csv", rows=100) for name in ("d", "d_prime"))):
    ...     audit = audit.update(x, y)
    >>> audit.rejected
    True
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        reject("file", str(path), f"a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file")
    if rows < 1:
        reject("rows", rows, "an integer >= 1")
    chunks = {".csv": _csv_chunks, ".parquet": _parquet_chunks}.get(suffix, _numpy_chunks)(path, rows)
    before = 0
    for chunk in chunks:
        samples = chunk[:, None] if chunk.ndim == 1 else chunk
        if samples.ndim != 2 or 0 in samples.shape:
            break
        if not np.isfinite(samples).all():
            row, column = np.argwhere(~np.isfinite(samples))[0]
            at = f"row {before + row + 1}, column {column + 1}"
            raise ValueError(f"{path} must hold finite numbers; got {samples[row, column]} in {at}")
        yield samples
        before += len(samples)
    if not before:
        raise ValueError(f"{path} must hold at least one row of numbers, shape (n, d); got shape {chunk.shape}")


def _numpy_chunks(path: Path, rows: int) -> Iterator[Array]:
    try:
        with path.open("rb") as file:
            if file.peek(len(_NPY))[: len(_NPY)] == _NPY:
                loaded = np.load(path, allow_pickle=False, mmap_mode="r")
            else:
                loaded = np.load(file, allow_pickle=False)
                if len(loaded.files) != 1:
                    raise ValueError(f"an archive of one array is needed, it holds {len(loaded.files)}")
                loaded = loaded[loaded.files[0]]
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        pickled = "allow_pickle" in str(error) or "Python objects" in str(error)
        reason = "it is pickled, which can run code" if pickled else str(error)
        raise ValueError(f"{path} must be a NumPy file of numbers: {reason}") from None
    if loaded.dtype.kind not in "iuf":
        raise ValueError(f"{path} must hold real numbers; got dtype {loaded.dtype}")
    if loaded.ndim not in (1, 2) or not loaded.size:
        yield np.asarray(loaded)
        return
    for at in range(0, len(loaded), rows):
        yield np.array(loaded[at : at + rows], dtype=float)


def _parquet_chunks(path: Path, rows: int) -> Iterator[Array]:
    try:
        import pyarrow
        from pyarrow import parquet, types
    except ImportError:
        raise ValueError(f"{path} needs pyarrow: pip install '.[parquet]'") from None
    with path.open("rb") as file:
        try:
            table = parquet.ParquetFile(file)
            for column in table.schema_arrow:
                if not (types.is_integer(column.type) or types.is_floating(column.type)):
                    raise ValueError(f"{path} must hold real numbers; column {column.name!r} is {column.type}")
            some = False
            for batch in table.iter_batches(batch_size=rows):
                some = True
                yield np.column_stack([column.to_numpy(zero_copy_only=False).astype(float) for column in batch.columns])
            if not some:
                yield np.empty((0, len(table.schema_arrow)))
        except (pyarrow.ArrowException, OSError) as error:
            reason = " ".join(str(error).split())
            raise ValueError(f"{path} must be a whole Parquet file: {reason}") from None


def _csv_chunks(path: Path, rows: int) -> Iterator[Array]:
    width, line, some = 0, 0, False  # the first line that is not blank, header or not, says how many columns there are
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            while lines := list(islice(file, rows)):
                chunk = _fast(lines, width) if width and any(map(str.strip, lines)) else None
                if chunk is None:
                    chunk = _csv_rows(path, lines, line, width)
                line, width = line + len(lines), chunk.shape[1]
                if len(chunk):
                    some = True
                    yield chunk
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} must be comma-separated text: {error}") from None
    if not some:
        yield np.empty((0, width))


def _columns(path: Path) -> list[str]:
    """The names of the columns of a file that has been read, none where there are no names."""
    if path.suffix.lower() == ".parquet":
        from pyarrow import parquet

        return list(parquet.read_schema(path).names)
    if path.suffix.lower() != ".csv":
        return []
    with path.open(newline="", encoding="utf-8-sig") as file:
        names = next(row for row in csv.reader(file) if any(cell.strip() for cell in row))
    return [name.strip() for name in names] if all(_number(name) is None for name in names) else []


def _fast(lines: list[str], width: int) -> Array | None:
    """Lines of plain numbers, None where it takes a closer look."""
    try:
        chunk = np.loadtxt(lines, delimiter=",", comments=None, quotechar='"', ndmin=2)
    except ValueError:
        return None
    return chunk if chunk.shape[1] == width else None


def _csv_rows(path: Path, lines: list[str], before: int, width: int) -> Array:
    """Rows from line `before` + 1 on, whatever is wrong with them said in words."""
    rows = [(before + n, row) for n, row in enumerate(csv.reader(lines), 1) if any(cell.strip() for cell in row)]
    if not width and rows:
        first = [_number(cell) for cell in rows[0][1]]
        width = len(first)
        if all(number is None for number in first):
            rows = rows[1:]  # a header
        elif len(rows) > 1 and width > 1 and first == [*range(width)]:
            message = f"{path} begins with the numbers 0 to {width - 1}: read as a sample, though it may be a header"
            warnings.warn(message, stacklevel=5)
    out = []
    for number, row in rows:
        values = [_number(cell) for cell in row]
        if None in values:
            raise ValueError(f"{path} must hold numbers; got {row[values.index(None)]!r} in line {number}")
        if len(values) != width:
            raise ValueError(f"{path} must have rows of one length; got {len(values)} in line {number}, not {width}")
        out.append(values)
    return np.array(out, dtype=float).reshape(len(out), width)


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
