"""Reading samples from files, never through pickle."""

from __future__ import annotations

import csv
import errno
import os
import stat
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import numpy as np

from krdtheory.arithmetic.base import Array, check_integers, meant, reject

SUFFIXES = (".csv", ".npy", ".npz", ".parquet")
_NPY = b"\x93NUMPY"
_PEEKED, _ENOUGH = 200, 3  # rows read to recognise a header of numbers, and the least number of rows that suffices
_SHOWN = 10  # the most column names in a message
_LONGEST = 1 << 27  # the most characters in a line of a .csv file; a longer one is not a table


def read_samples(path: str | Path, *, columns: Sequence[str] | None = None, finite: bool = True) -> Array:
    """Return samples (n, d), one per row, from a .csv, .npy, .npz (one array) or .parquet file.

    A .csv file may have a header line. A 1-dimensional array is n samples of dimension 1. A .parquet file needs the
    extra `parquet`.

    Parameters
    ----------
    path : str or Path
    columns : sequence of str, optional
        Names of the columns to read, in this order, from a .parquet file or a .csv file with a header line. The other
        columns may hold anything.
    finite : bool
        Whether to reject NaN and infinite entries.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        Another suffix; a pipe or a device; a column that is missing or named twice; entries that are not numbers; NaN
        or infinite entries; no rows; rows of different lengths; pickled content; an .npz file of several arrays; a
        damaged or truncated file.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "x.csv"
    >>> _ = file.write_text("a,b,day\\n1,2,Monday\\n3,4,Friday\\n")
    >>> read_samples(file, columns=["b", "a"]).tolist()
    [[2.0, 1.0], [4.0, 3.0]]
    """
    return np.concatenate(list(read_chunks(path, rows=1_000_000, columns=columns, finite=finite)))


def read_pair(
    x: str | Path, y: str | Path, *, columns: Sequence[str] | None = None, finite: bool = True
) -> tuple[Array, Array]:
    """Return two samples by `read_samples`, and check that their named columns are in the same order.

    Raises
    ------
    OSError, ValueError
        As `read_samples`; the files have the same columns in different orders, and `columns` is not given.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> files = [pathlib.Path(tempfile.mkdtemp()) / name for name in ("x.csv", "y.csv")]
    >>> for file in files:
    ...     _ = file.write_text("a,b\\n1,2\\n")
    >>> [sample.tolist() for sample in read_pair(*files)]
    [[[1.0, 2.0]], [[1.0, 2.0]]]
    """
    pair = read_samples(x, columns=columns, finite=finite), read_samples(y, columns=columns, finite=finite)
    first, second = ([], []) if columns is not None else (column_names(Path(x)), column_names(Path(y)))
    if first != second and sorted(first) == sorted(second):
        raise ValueError(f"{y} must have its columns in the order of {x}, {', '.join(first)}; got {', '.join(second)}")
    return pair


def check_widths(x: str | Path, first: Array, y: str | Path, second: Array) -> None:
    """Raise ValueError if samples from two files differ in the number of columns."""
    if first.shape[1] != second.shape[1]:
        raise ValueError(f"{x} and {y} must have as many columns; got {first.shape[1]} and {second.shape[1]}")


def read_texts(path: str | Path, *, columns: Sequence[str]) -> Array:
    """Return outputs that are text, (n,): a string for each row of a .csv or .parquet file, or a tuple of strings.

    Parameters
    ----------
    path : str or Path
    columns : sequence of str
        As for `read_samples`, but required, since the first line of a file of text may be a header or an output. The
        columns of a .parquet file hold strings or integers, and null is read as an empty string. Several columns give
        a tuple for each row.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        Another suffix; a column that is missing or named twice; no rows; rows of different lengths; a blank line, which
        could be an output; a damaged or truncated file.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "x.csv"
    >>> _ = file.write_text("answer,day\\nyes,Monday\\nno,Friday\\n")
    >>> read_texts(file, columns=["answer"]).tolist()
    ['yes', 'no']
    """
    path = Path(path)
    match path.suffix.lower():
        case ".csv":
            rows = _csv_texts(path, columns)
        case ".parquet":
            batches = (
                [_words(path, *column) for column in batch] for batch in _parquet_columns(path, 100_000, columns)
            )
            rows = [[*row] for batch in batches for row in zip(*batch, strict=True)]
        case _:
            reject("file", str(path), "a .csv or .parquet file, for text")
    if not rows:
        raise ValueError(f"{path} must hold at least one row of text; got none")
    out = np.empty(len(rows), dtype=object)
    out[:] = [row[0] if len(row) == 1 else tuple(row) for row in rows]
    return out


def read_chunks(
    path: str | Path, *, rows: int = 100_000, columns: Sequence[str] | None = None, finite: bool = True
) -> Iterator[Array]:
    """Return the samples of `read_samples` at most `rows` at a time, for files that are larger than memory.

    All files except .npz files are read as the chunks are requested, so errors are raised only then.

    Raises
    ------
    OSError, ValueError
        As `read_samples`; rows not positive.

    Examples
    --------
    An audit of two files of outputs, without holding them in memory:

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
    match suffix:
        case ".csv":
            chunks = _csv_chunks(path, rows, columns)
        case ".parquet":
            chunks = _parquet_chunks(path, rows, columns)
        case _:
            if columns is not None:
                named = ", ".join(map(str, columns))
                raise ValueError(
                    f"{path} must be a .csv or .parquet file, which name their columns, to look at {named}"
                )
            chunks = _numpy_chunks(path, rows)
    before = 0
    for chunk in chunks:
        samples = chunk[:, None] if chunk.ndim == 1 else chunk
        if samples.ndim != 2 or 0 in samples.shape:
            break
        if finite and not np.isfinite(samples).all():
            row, column = np.argwhere(~np.isfinite(samples))[0]
            at = f"row {before + row + 1}, column {column + 1 if columns is None else columns[column]}"
            raise ValueError(f"{path} must hold finite numbers; got {samples[row, column]} in {at}")
        yield samples
        before += len(samples)
    if not before:
        raise ValueError(f"{path} must hold at least one row of numbers, shape (n, d); got shape {chunk.shape}")


def _numpy_chunks(path: Path, rows: int) -> Iterator[Array]:
    with _opened(path) as file:
        try:
            loaded = _loaded(path, file)
        except MemoryError:
            raise
        except Exception as error:  # a damaged file can raise any exception in numpy, zipfile or the decompressors
            pickled = "allow_pickle" in str(error) or "Python objects" in str(error)
            reason = "it is pickled, which can run code, or none" if pickled else _short(str(error) or repr(error))
            raise ValueError(f"{path} must be a NumPy file of numbers: {reason}") from None
    if loaded.dtype.kind not in "iuf":
        raise ValueError(f"{path} must hold real numbers; got dtype {_short(str(loaded.dtype))}")
    if loaded.ndim not in (1, 2) or not loaded.size:
        yield np.asarray(loaded)
        return
    for at in range(0, len(loaded), rows):
        chunk = np.array(loaded[at : at + rows])
        check_integers(chunk, f"entries of {path}")
        yield chunk.astype(float)


def _loaded(path: Path, file: BinaryIO) -> Array:
    start = file.read(len(_NPY))
    file.seek(0)
    if start == _NPY:
        return np.asarray(np.load(path, allow_pickle=False, mmap_mode="r"))
    archive = np.load(file, allow_pickle=False)
    if len(archive.files) != 1:
        raise ValueError(f"an archive of one array is needed, it holds {len(archive.files)}")
    array = archive[archive.files[0]]
    if not isinstance(array, np.ndarray):
        raise ValueError(f"the archive's member {archive.files[0]!r} is no array")
    return array


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file. Pipes and devices are rejected, since they cannot be read twice and may not end."""
    mode = os.stat(path).st_mode  # checked before opening, which would block until a pipe has a writer
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise ValueError(f"{path} must be a regular file; it is a pipe, a socket or a device")
    with path.open("rb") as file:
        yield file


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 120 else text[:117] + "..."


def _parquet_chunks(path: Path, rows: int, columns: Sequence[str] | None) -> Iterator[Array]:
    for batch in _parquet_columns(path, rows, columns):
        arrays = []
        for name, cells in batch:
            values = cells.to_numpy(zero_copy_only=False)
            if values.dtype.kind not in "iuf":
                raise ValueError(f"{path} must hold real numbers; column {name!r} is {cells.type}")
            check_integers(values, f"entries of {path}")
            arrays.append(values.astype(float))
        yield np.column_stack(arrays)


def _parquet_columns(path: Path, rows: int, columns: Sequence[str] | None) -> Iterator[list[tuple[str, Any]]]:
    """Yield the names and cells of the requested columns, `rows` at a time; one empty batch if there are no rows."""
    with _parquet(path) as table:
        names = table.schema_arrow.names
        if not names:
            raise ValueError(f"{path} must have at least one column; it has none")
        _warn_of_index(path, names, columns)
        places = _places(path, names, columns)
        empty = [] if table.metadata.num_rows else [table.schema_arrow.empty_table()]
        for batch in chain(table.iter_batches(batch_size=rows, columns=columns and [*columns]), empty):
            yield [(names[k], batch.column(k if columns is None else names[k])) for k in places]


@contextmanager
def _parquet(path: Path) -> Iterator[Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ValueError(f"{path} needs pyarrow: pip install 'krdtheory[parquet]'") from None
    with _opened(path) as file:
        try:
            yield parquet.ParquetFile(file)
        except (pyarrow.ArrowException, OSError) as error:
            raise ValueError(f"{path} must be a whole Parquet file: {_short(str(error))}") from None


def _csv_chunks(path: Path, rows: int, columns: Sequence[str] | None) -> Iterator[Array]:
    some = False
    with _csv_file(path) as file:
        head, line = _head(_lines(path, file))
        width, places = len(head), _places(path, head, columns)
        if _is_header(head):
            _warn_of_index(path, head, columns)
        first = list(islice(file, _PEEKED)) if columns is None and not _is_header(head) else []
        if first and _header_of_numbers(path, head, first):
            message = (
                f"{path} begins with {head[0]} to {head[-1]} above numbers of which none is whole: read as a header"
            )
            warnings.warn(message, stacklevel=4)
            file.seek(0)
            for _ in range(line):
                file.readline()
        elif columns is None and not _is_header(head):
            if width > 1 and [_number(cell) for cell in head] == [*range(width)]:
                message = (
                    f"{path} begins with the numbers 0 to {width - 1}: read as a sample, though it may be a header"
                )
                warnings.warn(message, stacklevel=4)
            line = file.seek(0)
        rest = _lines(path, file)
        while lines := list(islice(rest, rows)):
            chunk = _fast(lines, width, places) if any(map(str.strip, lines)) else None
            if chunk is None:
                chunk = _csv_rows(path, lines, line, width, places)
            line += len(lines)
            if len(chunk):
                some = True
                yield chunk
    if not some:
        yield np.empty((0, width))


def _csv_texts(path: Path, columns: Sequence[str]) -> list[list[str]]:
    with _csv_file(path) as file:
        lines = _lines(path, file)
        head, line = _head(lines)
        reader = csv.reader(lines, strict=True)
        rows = [(line + reader.line_num, row) for row in reader]
    while rows and not rows[-1][1]:
        rows.pop()
    places = _places(path, head, columns)
    blank = next((number for number, row in rows if not row), None)
    if blank is not None:
        raise ValueError(
            f'{path} must have no blank lines among words, where an empty one is ""; got one, line {blank}'
        )
    return [[_of_width(path, row, number, len(head))[k] for k in places] for number, row in rows]


@contextmanager
def _csv_file(path: Path) -> Iterator[TextIO]:
    try:
        with _opened(path) as file, TextIOWrapper(file, newline="", encoding="utf-8-sig") as text:
            yield text
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} must be comma-separated text: {error}") from None


def _lines(path: Path, file: TextIO) -> Iterator[str]:
    """Yield the remaining lines, and raise for one that is too long."""
    while line := file.readline(_LONGEST):
        if len(line) == _LONGEST:
            raise ValueError(f"{path} must be comma-separated text; a line of it has {_LONGEST} characters or more")
        yield line


def _head(lines: Iterable[str]) -> tuple[list[str], int]:
    """Return the first row that is not blank, and the number of lines up to its end."""
    reader = csv.reader(lines, strict=True)
    row = next((row for row in reader if any(cell.strip() for cell in row)), [])
    return [cell.strip() for cell in row], reader.line_num


def _header_of_numbers(path: Path, head: list[str], lines: list[str]) -> bool:
    """Whether integers above columns without integers are a header, as in pandas' 0, 1, ...; raise if it is unclear."""
    rows = [row for row in csv.reader(lines) if len(row) == len(head)][:_PEEKED]
    whole = [cell.strip().lstrip("+-").isdigit() for row in [head, *rows] for cell in row]
    if len(rows) < _ENOUGH or not all(whole[: len(head)]) or any(whole[len(head) :]):
        return False
    if [_number(cell) for cell in head] == [*range(len(head))]:
        return True
    shown = ", ".join(head[:_SHOWN])
    raise ValueError(
        f"{path} must not begin with whole numbers, {shown}, above numbers of which none is whole: names of columns "
        f"need letters in them, and in a sample the first is {head[0]}.0"
    )


def _is_header(row: list[str]) -> bool:
    return all(_number(cell) is None for cell in row)


def column_names(path: Path) -> list[str]:
    """Return the column names of a file that has been read, an empty list if it has none."""
    if path.suffix.lower() == ".parquet":
        with _parquet(path) as table:
            return list(table.schema_arrow.names)
    if path.suffix.lower() != ".csv":
        return []
    with _csv_file(path) as file:
        head, _ = _head(_lines(path, file))
    return head if _is_header(head) else []


def _places(path: Path, names: list[str], columns: Sequence[str] | None) -> list[int]:
    """Return the indices of the requested columns, of all columns if `columns` is None."""
    if columns is None:
        return [*range(len(names))]
    if isinstance(columns, str) or not columns:
        reject("columns", columns, "a sequence of at least one name")
    for name in columns:
        if (count := names.count(name)) != 1:
            shown = ", ".join(map(_short, [*names[:_SHOWN], "..."] if len(names) > _SHOWN else names)) or "none"
            hint = "" if count else meant(name, names)
            raise ValueError(f"{path} must have one column {name!r}; it has {count}, and these: {shown}{hint}")
    if len(set(columns)) < len(columns):
        reject("columns", list(columns), "names that differ")
    return [names.index(name) for name in columns]


def _warn_of_index(path: Path, names: list[str], columns: Sequence[str] | None) -> None:
    """Warn of an index column, since row numbers distinguish files of different lengths whatever the outputs are."""
    found = [name for name in ("", "__index_level_0__") if name in names]
    if columns is None and len(names) > 1 and found:
        message = f"{path} has a column named {found[0]!r}, read as a part of each release, though it may be an index"
        warnings.warn(message, stacklevel=5)


def _fast(lines: list[str], width: int, places: list[int]) -> Array | None:
    """Return the parsed lines, or None if they are not plain numbers and need `_csv_rows`."""
    some = places != [*range(width)]
    if some and any(line.count(",") != width - 1 for line in lines):
        return None
    try:
        chunk = np.loadtxt(
            lines, delimiter=",", comments=None, quotechar='"', ndmin=2, usecols=places if some else None
        )
    except ValueError:
        return None
    exact = (np.abs(chunk) < 2**53).all()
    return chunk if chunk.shape[1] == len(places) and exact else None


def _csv_rows(path: Path, lines: list[str], before: int, width: int, places: list[int]) -> Array:
    """Parse the rows after line `before` one by one, with an error message that names the line."""
    out, whole = [], []
    for number, row in enumerate(csv.reader(lines, strict=True), before + 1):
        if any(cell.strip() for cell in row):
            cells = [_of_width(path, row, number, width)[k] for k in places]
            values = [_number(cell) for cell in cells]
            if None in values:
                cell = cells[values.index(None)]
                raise ValueError(f"{path} must hold comma-separated numbers; got {_short(repr(cell))} in line {number}")
            whole += [int(cell) for cell in cells if cell.strip(" +-").isdigit()]
            out.append(values)
    check_integers(np.array(whole, dtype=object), f"entries of {path}")
    return np.array(out, dtype=float).reshape(len(out), len(places))


def _of_width(path: Path, row: list[str], number: int, width: int) -> list[str]:
    if len(row) != width:
        raise ValueError(f"{path} must have rows of one length; got {len(row)} in line {number}, not {width}")
    return row


def _number(text: str) -> float | None:
    try:
        return None if "_" in text else float(text)  # float accepts 1_000, which no table means
    except ValueError:
        return None


def _words(path: Path, name: str, cells: Any) -> list[str]:
    values = cells.to_pylist()
    others = [value for value in values if value is not None and type(value) not in (str, int)]
    if others:
        shown = _short(repr(others[0]))
        raise ValueError(f"{path} must hold words or integers, for text; got {shown} in column {name!r}")
    return ["" if value is None else str(value) for value in values]


def plain(values: Any) -> Any:
    """Return nested lists of floats for JSON, with infinity and NaN as strings, since JSON does not have them."""
    if isinstance(values, (np.ndarray, list)):
        return [plain(v) for v in values]
    value = float(values)
    return value if np.isfinite(value) else str(value)
