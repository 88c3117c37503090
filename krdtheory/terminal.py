"""Shared parts of the commands: the console, the progress bar, common options, and output files."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import rich.table
import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

NARROWEST, NARROW, WIDEST = 20, 60, 140  # widths in columns
LARGEST = 2**63 - 1
LONGEST = 1000  # the most characters in a message

Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Show no result: the exit status and the files asked for tell it.")
]
JsonFile = Annotated[
    Path | None, typer.Option("--json", help="Also write the result to this file; - for standard output alone.")
]
HtmlFile = Annotated[Path | None, typer.Option("--html", help="Also write a page that shows the result to this file.")]


class Stopped(SystemExit):
    """Raised when a signal ends the program."""


def is_number(text: str) -> bool:
    """Whether the text can be read as a float."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def a_number(value: Any) -> float:
    """Parse an option that is a number."""
    if not is_number(value):
        raise typer.BadParameter(f"{value!r} is not a number")
    return float(value)


def an_integer(low: int, high: int = LARGEST) -> Callable[[Any], int]:
    """Return the parser of an option that is an integer from low to high."""

    def integer(value: Any) -> int:
        try:
            number = int(value)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            allowed = f">= {low}" if number < low else f"<= {high}"
            raise typer.BadParameter(f"{value!r} is not an integer {allowed}")
        return number

    return integer


def check_names(option: str, given: Collection[str], known: Collection[str]) -> None:
    """Reject values of an option that are not among the known names, which are all that a shell can give."""
    from krdtheory.arithmetic.base import meant  # NumPy takes a while

    for name in given:
        if name not in known:
            raise ValueError(f"{option} must be one of {', '.join(known)}; got {name!r}{meant(name, known)}")


@contextmanager
def called_by_option(**options: str) -> Iterator[None]:
    """Call arguments by their options in error messages that begin with them: `called_by_option(scores="--score")`."""
    try:
        yield
    except (ValueError, TypeError) as error:
        name, must, rest = str(error).partition(" must ")
        if must and name in options:
            raise type(error)(f"{options[name]}{must}{rest}") from None
        raise


def cleaned(value: Any) -> Any:
    """Return plain data without control and format characters in its texts, which a terminal would obey."""
    if isinstance(value, str):
        return "".join(c for c in value.expandtabs(4) if c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    if isinstance(value, Mapping):
        return {cleaned(key): cleaned(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(v) for v in value]
    return value


def say(message: str) -> None:
    """Print a message as one line on stderr, or nothing if stderr is closed."""
    text = " ".join(cleaned(message).split())
    with suppress(OSError, AttributeError):  # stderr is closed
        print("krdtheory:", text if len(text) <= LONGEST else text[: LONGEST - 3] + "...", file=sys.stderr)


def console(*, quiet: bool = False) -> Console:
    """Return a console as wide as the terminal or $COLUMNS, but at least 20 columns; in a pipe, wide enough for tables.

    Text is shown as it is, without markup.
    """
    out = Console(quiet=quiet, markup=False, emoji=False)
    given = out.is_terminal or "COLUMNS" in os.environ
    out.width = max(out.width, NARROWEST) if given else WIDEST
    return out


class Table(rich.table.Table):
    """A table that is shown as a list of its rows on a terminal too narrow for its words."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Any:
        needed = Measurement.get(console, options.update_width(WIDEST), self).minimum  # the width of whole words
        fits = options.max_width >= min(NARROW, needed)
        yield from super().__rich_console__(console, options) if fits else self._listed()

    def _listed(self) -> Iterator[RenderableType]:
        if self.title:
            yield self.title
        for row in zip(*(column.cells for column in self.columns), strict=True):
            for k, (column, cell) in enumerate(zip(self.columns, row, strict=True)):
                text = cell.copy() if isinstance(cell, Text) else Text(str(cell))
                text.no_wrap, text.overflow = False, "fold"
                head = f"{column.header}: " if k and self.show_header else ""
                yield Padding(Text.assemble((head, "dim"), text, overflow="fold"), (0, 0, 0, 2 if k else 0))


def progress(*, quiet: bool = False) -> Progress:
    """Return a progress bar on stderr if that is a terminal, and a disabled one otherwise."""
    made = Console(stderr=True, markup=False, emoji=False)
    columns = (
        TextColumn("{task.description:30}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    return Progress(*columns, console=made, transient=True, disable=quiet or not made.is_terminal)


def is_stdout(path: Path | None) -> bool:
    """Whether the path is `-` or names the file that standard output goes to."""
    try:
        return path is not None and (str(path) == "-" or os.path.samestat(path.stat(), os.fstat(sys.stdout.fileno())))
    # there is no such file yet, or standard output is closed or not a file
    except (OSError, ValueError, AttributeError):
        return False


def check_writable(outputs: Mapping[str, Path | None], *inputs: Path | None) -> None:
    """Raise if an output file cannot be written, is an input file, or is named twice, before any work is done.

    `outputs` maps options to paths; only --json may be standard output. No file is left behind.
    """
    given = {option: path for option, path in outputs.items() if path is not None}
    for option, path in given.items():
        if option == "--json" and is_stdout(path):
            continue
        if str(path) == "-":
            raise ValueError(f"{option} must name a file; got -, which only --json takes")
        for other in (file for file in inputs if file is not None):
            if _same(path, other):
                raise ValueError(f"{option} must not name a file that is read; got {path}")
        if not _can_be_written(Path(os.path.realpath(path))):
            raise ValueError(f"{option} must name a file that can be written; got {path}")
    if len(given) == 2 and _same(*given.values()):
        raise ValueError(f"{' and '.join(given)} must name two files; got {path} twice")


def _same(path: Path, other: Path) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:  # one of them does not exist yet
        return os.path.realpath(path) == os.path.realpath(other)


def _can_be_written(target: Path) -> bool:
    if target.is_dir() or (target.exists() and not os.access(target, os.W_OK)):
        return False
    if target.exists() and not target.is_file():  # a device
        return True
    try:
        _part(target, "").unlink()  # trying it finds every reason why a file cannot be created
    except OSError:
        return False
    return True


def _part(target: Path, text: str) -> Path:
    """Write a new file beside the target, under a random name."""
    part = target.with_name(f".krdtheory-{secrets.token_hex(8)}.part")
    try:
        with part.open("x", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return part


def write_text(path: Path, text: str) -> None:
    """Write a file in UTF-8, completely or not at all, even if interrupted. If the path is a link, its target is
    written and the link stays."""
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():  # a device
            target.write_text(text, encoding="utf-8", errors="backslashreplace")
        else:
            _replace(target, text)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _replace(target: Path, text: str) -> None:
    part = _part(target, text)
    try:
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def write_json(path: Path, data: Any) -> None:
    """Write JSON by `write_text`, or print it if the path is standard output."""
    text = json.dumps(data, indent=1, allow_nan=False) + "\n"
    if is_stdout(path):
        print(text, end="")
    else:
        write_text(path, text)
