"""The command `krdtheory certificate`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.text import Text

from krdtheory.terminal import (
    Quiet,
    Table,
    an_integer,
    check_writable,
    cleaned,
    console,
    is_stdout,
    progress,
    say,
    write_json,
    write_text,
)
from verification.certificates import make
from verification.certificates.data import data
from verification.certificates.latex import latex
from verification.certificates.recorder import CannotRecordError
from verification.certificates.rocq import rocq
from verification.certificates.script import Found, library, needs_library, script
from verification.claim import REGISTRY, Claim, Verdict, load, select
from verification.sides import ClaimError

FORMATS: dict[str, Callable[[Found], str]] = {"python": script, "rocq": rocq, "latex": latex, "json": data}


def certificate(
    claim: Annotated[str | None, typer.Argument(metavar="ID", help="The id of a refuted claim.")] = None,
    file: Annotated[Path | None, typer.Option(help="A Python file that declares the claim, as check takes it.")] = None,
    instance: Annotated[
        Path | None,
        typer.Option(help="A JSON file with the instance, as check takes it; without it, the recorded one."),
    ] = None,
    format_: Annotated[str, typer.Option("--format", help="python, rocq, latex or json.")] = "python",
    inline: Annotated[bool, typer.Option("--inline", help="Copy what a script needs of intervals.py into it.")] = False,
    all_: Annotated[
        Path | None, typer.Option("--all", metavar="FOLDER", help="Write the certificates of all refuted claims there.")
    ] = None,
    only_library: Annotated[
        bool, typer.Option("--library", help="Print intervals.py, which scripts without --inline import.")
    ] = False,
    seed: Annotated[int, typer.Option(parser=an_integer(0), metavar="N", help="Of the search for an instance.")] = 0,
    json_file: Annotated[
        Path | None,
        typer.Option("--json", help="Also write it as --format json to this file; - for standard output alone."),
    ] = None,
    quiet: Quiet = False,
) -> int:
    """Print what shows that a claim is false, to be checked without this program.

    A script needs Python alone: it has the statement, the instance, its hypotheses and both sides, in exact rationals
    or in intervals that are rounded outward, and ends with exit status 0 where the claim is violated.

    Exit status: 0 when it is written, 2 for a bad command or a claim that is not refuted or cannot be recorded, 3 when
    the Python of the claim fails.

    Example: krdtheory certificate krd.def.dp --inline > cert.py
    """
    if format_ not in FORMATS:
        raise ValueError(f"--format must be one of {', '.join(FORMATS)}; got {format_!r}")
    if inline and format_ != "python":
        raise ValueError(f"--inline is of --format python; got {format_}")
    if json_file is not None and (only_library or all_ is not None):
        raise ValueError("--json is of one claim: leave out --library and --all")
    check_writable({"--json": json_file}, file, instance)
    if only_library:
        _print(library(), quiet)
        return 0
    if all_ is not None:
        if claim is not None or file is not None or instance is not None:
            raise ValueError("--all takes the certificates of all refuted claims: leave out ID, --file and --instance")
        return _all(all_, quiet)
    chosen = _chosen(claim, file)
    if file is None and instance is None and chosen.recorded != Verdict.REFUTED:
        raise make.NotRefutedError(f"{chosen.id} is recorded as {chosen.recorded}: it has no counterexample")
    try:
        found = make.certified(chosen, rng=seed) if instance is None else make.from_file(chosen, instance)
    except ClaimError as error:
        say(cleaned(f"{chosen.id}: {error}"))
        return 3
    quiet = quiet or is_stdout(json_file)
    if format_ == "python":
        _print(script(found, inline=inline), quiet)
        if not inline and needs_library(found) and not sys.stdout.isatty() and not quiet:
            say("the script imports intervals.py: krdtheory certificate --library > intervals.py, or use --inline")
    else:
        _print(FORMATS[format_](found), quiet)
    if json_file is not None:
        write_json(json_file, json.loads(data(found)))
    return 0


def _print(text: str, quiet: bool) -> None:
    if not quiet:
        sys.stdout.write(text)


def _chosen(id: str | None, file: Path | None) -> Claim:
    if file is None:
        if id is None:
            raise ValueError("ID must be the id of a refuted claim: krdtheory verify --list shows them")
        return select(ids=[id])[0]
    known = load(file)
    if id is None and len(known) == 1:
        return known[0]
    for c in known:
        if c.id == id:
            return c
    raise ValueError(f"ID must be one of {', '.join(c.id for c in known)}; got {id}")


def _all(folder: Path, quiet: bool) -> int:
    """Write all certificates, and show a table of them."""
    claims = [c for c in REGISTRY.values() if c.recorded == Verdict.REFUTED]
    scripts: dict[Path, str] = {}
    others: dict[Path, str] = {folder / "intervals.py": library()}
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("claim", "sides", "digits found", "digits", "lines", "Rocq"):
        table.add_column(column, justify="left" if column in ("claim", "sides", "Rocq") else "right")
    failed = []
    with progress(quiet=quiet) as bar:
        task = bar.add_task("certificate", total=len(claims))
        for c in claims:
            try:
                found = make.certified(c)
            except (ValueError, ClaimError) as error:
                failed.append(f"{c.id}: {error}")
            else:
                text = script(found)
                scripts[folder / f"{c.id}.py"] = text
                with suppress(CannotRecordError):
                    others[folder / "rocq" / f"{make.rocq_name(c.id)}.v"] = rocq(found)
                one = make.recorded_instances().get(c.id, {})
                digits = (str(one.get("digits_found", "")), str(make.digits(make.inputs(found))))
                proved = "yes" if folder / "rocq" / f"{make.rocq_name(c.id)}.v" in others else ""
                table.add_row(c.id, one.get("sides") or make.sort_of(found), *digits, str(text.count("\n")), proved)
            bar.update(task, advance=1, description=cleaned(c.id))
    (folder / "rocq").mkdir(parents=True, exist_ok=True)
    for path, text in {**scripts, **others}.items():
        write_text(path, text)
    out = console(quiet=quiet)
    out.print(table)
    told = f"{len(scripts)} of {len(claims)} refuted claims have a script in {folder}"
    out.print(Text(f"{told}, {len(others) - 1} a file for Rocq"))
    for line in failed:
        out.print(Text(cleaned(line)))
    return 0
