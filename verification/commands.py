"""The commands `krdtheory verify` and `krdtheory check`."""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from krdtheory import __version__
from krdtheory.files import plain
from krdtheory.terminal import (
    HtmlFile,
    Quiet,
    Stopped,
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
from verification import report
from verification.campaign import BUDGETS, run
from verification.certificates.commands import certificate
from verification.claim import PAPERS, REGISTRY, UNCOVERED, Claim, Evidence, Uncovered, load, select
from verification.given import evaluated
from verification.instances import SIZES, sizes_up_to
from verification.premises import premises
from verification.resume import read_outcomes, renewed, still_holds
from verification.search import SECONDS
from verification.sides import ClaimError

__all__ = ["certificate", "check", "verify"]
POOL_PAYS = 10  # the least number of claims for which a process pool is started
WRITING = 20  # the pause between writes of a file, as a multiple of the time that a write takes


def a_duration(value: Any) -> float:
    """Parse an option that is a number of seconds."""
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise typer.BadParameter(f"{value!r} is not a number > 0")
    return number


Profile = Annotated[str, typer.Option(help="quick or deep: how many instances.")]
Budget = Annotated[
    int | None, typer.Option(parser=an_integer(1), metavar="N", help="Instances a claim, in place of the profile's.")
]
Seed = Annotated[int, typer.Option(parser=an_integer(0), metavar="N", help="Same seed, same verdicts.")]
Workers = Annotated[
    int | None, typer.Option(parser=an_integer(1), metavar="N", help="Processes; one for each core unless told.")
]
Scheduler = Annotated[str | None, typer.Option(help="Address of a dask.distributed cluster to run on.")]
JsonFile = Annotated[
    Path | None,
    typer.Option("--json", help="Also write the outcomes to this file, as they come in; - for standard output alone."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with what the --json file has.")]
Seconds = Annotated[
    float, typer.Option("--time-limit", parser=a_duration, metavar="SECONDS", help="The longest that a claim may take.")
]
Largest = Annotated[
    int | None,
    typer.Option(
        "--largest-size",
        parser=an_integer(2),
        metavar="N",
        help="Largest dimension and alphabet to try of what is stated for every one; 8 unless told.",
    ),
]


def verify(
    paper: Annotated[str | None, typer.Option(help="Only this paper's claims.")] = None,
    claim: Annotated[list[str] | None, typer.Option(help="Only the claim of this id; may be repeated.")] = None,
    profile: Profile = "quick",
    budget: Budget = None,
    seed: Seed = 0,
    workers: Workers = None,
    scheduler: Scheduler = None,
    json_file: JsonFile = None,
    html_file: HtmlFile = None,
    resume: Resume = False,
    time_limit: Seconds = SECONDS,
    largest_size: Largest = None,
    quiet: Quiet = False,
    list_: Annotated[bool, typer.Option("--list", help="List the claims and exit.")] = False,
    uncovered: Annotated[bool, typer.Option("--uncovered", help="List what has no claim, and why, and exit.")] = False,
    all_: Annotated[bool, typer.Option("--all", help="Show the verdict of every claim.")] = False,
    premises_of: Annotated[
        str | None, typer.Option("--premises", metavar="ID", help="Show what the proof of a claim rests on, and exit.")
    ] = None,
) -> int:
    """Put the papers' claims to the test.

    It ends with how many printed statements hold and what is wrong with those that fail; for --claim, with all there is
    to tell of each.

    Exit status: 0 when every verdict is the recorded one, 1 when one changed, 2 for a bad command, 3 when the Python of
    a claim fails.

    Example: krdtheory verify --claim krd.cor2 --json outcome.json
    """
    chosen = select(paper, claim or ())
    if premises_of is not None or list_ or uncovered:
        check_writable({"--json": json_file})
        out = console(quiet=quiet or is_stdout(json_file))
        if premises_of is not None:
            (one,) = select(ids=[premises_of])
            tree = premises(one)
            out.print(report.premises(tree), report.trust())
            data: Any = {"premises": asdict(tree)}
        elif list_:
            out.print(report.listing(chosen))
            data = {"claims": [report.listed(c) for c in chosen]}
        else:
            data = {"uncovered": [asdict(u) for u in _uncovered(out, paper)]}
        if json_file is not None:
            write_json(json_file, {"version": __version__, **data})
        return 0
    campaign = _Campaign(profile, budget, seed, time_limit, largest_size, json_file, html_file, resume)
    records = campaign.run(chosen, workers, scheduler, quiet=quiet)
    out, changed = console(quiet=quiet or is_stdout(json_file)), report.changed(records)
    if all_ or claim:
        _tables(out, records, compare=True)
    if not claim:
        out.print(report.summary(records, out.width))
    if claim:
        for r in records:
            out.print(report.details(r))
    _failures(out, records)
    if changed:
        out.print(report.changes(records))
    line = report.told(records) if claim else f"{len(records)} claims in all"
    out.print(f"{line}; {len(changed) or 'none'} changed", highlight=False)
    return _status(records, bool(changed))


def check(
    file: Annotated[Path, typer.Argument(help="A Python file that declares claims.")],
    claim: Annotated[list[str] | None, typer.Option(help="Only the claim of this id; may be repeated.")] = None,
    profile: Profile = "quick",
    budget: Budget = None,
    seed: Seed = 0,
    workers: Workers = None,
    json_file: JsonFile = None,
    html_file: HtmlFile = None,
    resume: Resume = False,
    time_limit: Seconds = SECONDS,
    largest_size: Largest = None,
    quiet: Quiet = False,
    instance: Annotated[
        Path | None,
        typer.Option(help="Evaluate the claim at the instance in this JSON file, exactly, in place of a search."),
    ] = None,
) -> int:
    """Put the claims of a file of your own to the test.

    Exit status: 0 when none is refuted, 1 when one is, 2 for a bad command, 3 when the Python of a claim fails.

    Example: krdtheory check conjecture.py --html conjecture.html
    """
    chosen = load(file)
    known = [c.id for c in chosen]
    for id in claim or ():
        if id not in known:
            raise ValueError(f"--claim must be one of {', '.join(known)}; got {id!r}")
    chosen = [c for c in chosen if not claim or c.id in claim]
    if instance is not None:
        check_writable({"--json": json_file}, file, instance)
        return _evaluate(chosen, instance, json_file, quiet)
    campaign = _Campaign(profile, budget, seed, time_limit, largest_size, json_file, html_file, resume, file)
    records = campaign.run(chosen, workers, None, file, quiet=quiet)
    out = console(quiet=quiet or is_stdout(json_file))
    _tables(out, records, compare=False)
    out.print(report.told(records), highlight=False)
    for r in records:
        if r["counterexample"] is not None:
            out.print(report.counterexample(r), highlight=False)
        if r["proof"] is not None:
            out.print(cleaned(f"{r['id']}: proved for {r['proof']['domain']}"), highlight=False)
    _failures(out, records)
    out.print(report.searched(records, **campaign.head), highlight=False)
    return _status(records, any(r["verdict"] == "refuted" for r in records))


def _failures(out: Console, records: Sequence[report.Record]) -> None:
    for r in records:
        if r["verdict"] == "error":
            out.print(report.failed(r))


def _status(records: Sequence[report.Record], bad: bool) -> int:
    """Return the exit status: 3 if the Python code of a claim fails, 1 if `bad`, otherwise 0."""
    return 3 if any(r["verdict"] == "error" for r in records) else int(bad)


def _evaluate(claims: Sequence[Claim], file: Path, json_file: Path | None, quiet: bool) -> int:
    """Show both sides of one claim at one instance."""
    if len(claims) != 1:
        raise ValueError(f"--instance needs one claim: --claim with one of {', '.join(c.id for c in claims)}")
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"--instance: {file} is no JSON: {error}") from None
    if isinstance(data, dict) and "claims" in data:  # an output of --json
        (one,) = [r for r in data["claims"] if r.get("id") == claims[0].id] or [{}]
        data = (one.get("counterexample") or {}).get("inputs") or one.get("evidence", {}).get("tightest")
    try:
        found = evaluated(claims[0], data)
    except Stopped:
        raise
    except (ClaimError, SystemExit) as error:
        console().print(Text(cleaned(f"{claims[0].id}: {error or type(error).__name__}")))
        return 3
    console(quiet=quiet or is_stdout(json_file)).print(report.instance(claims[0], found))
    if json_file is not None:
        write_json(
            json_file, {"version": __version__, "id": claims[0].id, **asdict(found), "margins": plain([*found.margins])}
        )
    return int(found.violated)


class _Campaign:
    """A run that writes its outcomes to a file as they are found, so that another run can continue it."""

    def __init__(
        self,
        profile: str,
        budget: int | None,
        seed: int,
        seconds: float,
        largest: int | None,
        json_file: Path | None,
        html_file: Path | None,
        resume: bool,
        *inputs: Path | None,
    ) -> None:
        if profile not in BUDGETS:
            raise ValueError(f"--profile must be one of {', '.join(BUDGETS)}; got {profile!r}")
        sizes = SIZES if largest is None else sizes_up_to(largest)
        self.head: dict[str, Any] = {"seed": seed, "profile": profile, "budget": budget or BUDGETS[profile]}
        self.head["sizes"] = list(sizes)
        self._seconds, self._next_write = seconds, 0.0
        check_writable({"--json": json_file, "--html": html_file}, *inputs)
        if html_file is not None:
            import verification.page  # noqa: F401  (so that a missing extra is told before the run)
        self._json, self._html = json_file, html_file
        self._as_they_come = not is_stdout(json_file) and (
            json_file is None or json_file.is_file() or not json_file.exists()
        )
        if resume and (json_file is None or is_stdout(json_file)):
            raise ValueError("--resume needs --json, the file to go on with")
        found = resume and json_file is not None and json_file.exists()
        self._records = read_outcomes(json_file, self.head) if found and json_file is not None else {}

    def run(
        self,
        claims: Sequence[Claim],
        workers: int | None,
        scheduler: str | None,
        file: Path | None = None,
        *,
        quiet: bool = False,
    ) -> list[report.Record]:
        had = [c for c in claims if c.id in self._records]
        kept = {c.id: renewed(self._records[c.id], c) for c in had if still_holds(self._records[c.id], c)}
        changed = [c.id for c in had if c.id not in kept]
        if changed:
            shown = ", ".join(changed[:3]) + (", ..." if len(changed) > 3 else "")
            say(f"{self._json} has outcomes of other claims than these, or errors; they are checked again: {shown}")
        self._records |= kept
        left = [c for c in claims if c.id not in kept]
        if workers is None:  # starting a pool takes a few seconds, as checking several claims does
            workers = 1 if len(left) < POOL_PAYS else os.cpu_count() or 1
        with _executor(min(workers, len(left)), scheduler, file) as executor, progress(quiet=quiet) as bar:
            task = bar.add_task("verify", total=len(claims), completed=len(kept))

            def advance(outcome: Evidence) -> None:
                self._records[outcome.claim.id] = report.record(outcome)
                bar.update(task, advance=1, description=cleaned(outcome.claim.id))
                if self._as_they_come and time.monotonic() >= self._next_write:
                    self._write_json()

            head = {**self.head}
            try:
                run(left, rng=head.pop("seed"), **head, seconds=self._seconds, executor=executor, progress=advance)
            except BaseException:
                if self._as_they_come:
                    self._write_json()
                raise
        done = [self._records[c.id] for c in claims]
        self._write_json()
        if self._html is not None:
            from verification.page import as_html

            write_text(self._html, as_html(report.as_json(done, **self.head)))
        return done

    def _write_json(self) -> None:
        """Write all known outcomes, including those of other claims that were in the file."""
        if self._json is not None:
            start = time.monotonic()
            order = {id: place for place, id in enumerate(REGISTRY.declared)}
            ids = sorted(self._records, key=lambda id: order.get(id, len(order)))
            write_json(self._json, report.as_json([self._records[id] for id in ids], **self.head))
            end = time.monotonic()
            self._next_write = end + WRITING * (end - start)


def _tables(out: Console, records: Sequence[report.Record], *, compare: bool) -> None:
    for table in report.tables(records, narrow=out.width < report.WIDE, compare=compare):
        out.print(table)


def _uncovered(out: Console, paper: str | None) -> list[Uncovered]:
    listed = [u for u in UNCOVERED if paper in (None, u.paper)]
    for table in report.uncovered(listed):
        out.print(table)
    of = "" if paper is None else f" of {PAPERS[paper]}"
    out.print(f"{len(listed)} statement{'' if len(listed) == 1 else 's'}{of} without a claim", highlight=False)
    return listed


@contextmanager
def _executor(workers: int, scheduler: str | None, file: Path | None) -> Iterator[Executor | None]:
    """Yield the executor of a cluster, a process pool, or None to run in this process."""
    if scheduler is not None:
        try:
            from distributed import Client
        except ImportError:
            raise ValueError("--scheduler needs dask.distributed: pip install 'krdtheory[dask]'") from None
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # it logs a lot when the cluster is lost
        say(f"connecting to {scheduler}")  # which may take half a minute to fail
        with Client(scheduler) as client:
            yield client.get_executor()
    elif workers > 1:
        with _pool(workers, file) as pool:
            yield pool
    else:
        yield None


@contextmanager
def _pool(workers: int, file: Path | None) -> Iterator[Executor]:
    """Yield a pool of worker processes, spawned because a process with the progress bar's thread must not fork."""
    hook, before = threading.excepthook, {*multiprocessing.active_children()}
    try:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, context, initializer=_prepare, initargs=(file,)) as pool:
            try:
                yield pool
            except BaseException:  # the workers' results are no longer needed
                # the pool of Python 3.11 raises in its thread for cancelled futures
                threading.excepthook = lambda _: None
                for worker in {*multiprocessing.active_children()} - before:
                    worker.kill()
                raise
    finally:
        threading.excepthook = hook


def _prepare(file: Path | None) -> None:
    """Prepare a worker: it ends when its parent process ends for any reason, and it loads the claims of a file."""
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
    if file is not None:
        load(file)
