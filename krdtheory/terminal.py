"""What the commands share: the console, progress, options, files that are to be written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


def is_number(text: str) -> bool:
    """Does it read as a float?"""
    try:
        float(text)
    except ValueError:
        return False
    return True


def a_number(value: Any) -> float:
    """Parser of an option that is a number."""
    if not is_number(value):
        raise typer.BadParameter(f"{value!r} is not a number")
    return float(value)


def an_integer(low: int) -> Callable[[Any], int]:
    """Parser of an option that is an integer >= low."""

    def integer(value: Any) -> int:
        try:
            number = int(value)
        except ValueError:
            number = low - 1
        if number < low:
            raise typer.BadParameter(f"{value!r} is not an integer >= {low}")
        return number

    return integer


def console() -> Console:
    """As wide as the terminal or $COLUMNS; else wide enough to keep a table's rows whole."""
    made = Console()
    return made if made.is_terminal or "COLUMNS" in os.environ else Console(width=140)


def progress() -> Progress:
    """A bar on a terminal's stderr, nothing in a pipe."""
    made = Console(stderr=True)
    columns = (TextColumn("{task.description:30}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=made, transient=True, disable=not made.is_terminal)


def check_writable(path: Path | None, option: str = "--json") -> None:
    """A bad path is to cost no work, and a failed command no file."""
    place = path if path is None or path.exists() else path.parent
    if place is not None and (not os.access(place, os.W_OK) or (path == place and path.is_dir())):
        raise ValueError(f"{option} must name a file that can be written; got {path}")


def write_json(path: Path, data: Any) -> None:
    """Whole or not at all, whatever interrupts it."""
    text = json.dumps(data, indent=1, allow_nan=False) + "\n"
    if path.exists() and not path.is_file():  # a device
        path.write_text(text)
        return
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.replace(path)
