"""The command `krdtheory`. Results go to stdout, messages to stderr; a bad command says why in one line and exits
with 2."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from krdtheory import __version__
from krdtheory.privacy.commands import compose, convert

app = typer.Typer(
    add_completion=False,
    rich_markup_mode="rich",
    help="Divergences for private mechanisms: computed, verified and estimated from samples.",
)
BAD_COMMAND = 2
POOL_PAYS = 10  # claims
# the exception behind every usage error, under its name in this version of typer
COMMAND_ERROR: Any = next(c for c in reversed(typer.BadParameter.__mro__) if hasattr(c, "format_message"))
SEVERAL_NUMBERS = ("--alpha", "--lambda", "--epsilon", "--delta")


def main() -> None:
    """Run the command; every foreseen error is one line on stderr and exit status 2."""
    warnings.showwarning = lambda message, *_: print("krdtheory: warning:", message, file=sys.stderr)
    try:
        status = app(_spread(sys.argv[1:]) or ["--help"], standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        _fail("interrupted", 130)
    except COMMAND_ERROR as error:
        _fail(error.format_message(), BAD_COMMAND)
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error), BAD_COMMAND)
    except (ValueError, TypeError, MemoryError) as error:
        _fail(str(error) or "not enough memory", BAD_COMMAND)
    sys.exit(status if isinstance(status, int) else 0)


def _spread(arguments: list[str]) -> list[str]:
    """`--alpha 2 6 12` for click, which wants `--alpha 2 --alpha 6 --alpha 12`."""
    out: list[str] = []
    option = None
    for argument in arguments:
        if option and _is_number(argument) and out[-1] != option:
            out.append(option)
        elif not _is_number(argument):
            name = argument.partition("=")[0]
            option = name if name in SEVERAL_NUMBERS else None
        out.append(argument)
    return out


def _number(value: Any) -> float:
    if not _is_number(value):
        raise typer.BadParameter(f"{value!r} is not a number")
    return float(value)


def _integer(low: int) -> Callable[[Any], int]:
    def integer(value: Any) -> int:
        try:
            number = int(value)
        except ValueError:
            number = low - 1
        if number < low:
            raise typer.BadParameter(f"{value!r} is not an integer >= {low}")
        return number

    return integer


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _fail(message: str, status: int) -> None:
    print("krdtheory:", " ".join(message.split()), file=sys.stderr)
    sys.exit(status)


def _console() -> Console:
    """As wide as the terminal or $COLUMNS; else wide enough to keep a table's rows whole."""
    console = Console()
    return console if console.is_terminal or "COLUMNS" in os.environ else Console(width=140)


def _check_writable(path: Path | None) -> None:
    """A bad path is to cost no work, and a failed command no file."""
    place = path if path is None or path.exists() else path.parent
    if place is not None and (not os.access(place, os.W_OK) or (path == place and path.is_dir())):
        raise ValueError(f"--json must name a file that can be written; got {path}")


def _write_json(path: Path, data: Any) -> None:
    path.write_text(json.dumps(data, indent=1, allow_nan=False) + "\n")


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"krdtheory {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def verify(
    paper: Annotated[str | None, typer.Option(help="Only this paper's claims.")] = None,
    claim: Annotated[list[str] | None, typer.Option(help="Only the claim of this id; may be repeated.")] = None,
    profile: Annotated[str, typer.Option(help="quick or deep: how many instances.")] = "quick",
    seed: Annotated[int, typer.Option(parser=_integer(0), metavar="N", help="Same seed, same verdicts.")] = 0,
    workers: Annotated[
        int | None, typer.Option(parser=_integer(1), metavar="N", help="Processes; one for each core unless told.")
    ] = None,
    scheduler: Annotated[str | None, typer.Option(help="Address of a dask.distributed cluster to run on.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the outcomes to this file.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the claims and exit.")] = False,
) -> int:
    """Put the papers' claims to the test.

    Exit status: 0 when every verdict is the recorded one, 1 when one changed, 2 for a bad command.

    Example: krdtheory verify --claim krd.cor2 --json outcome.json
    """
    from verification import report
    from verification.claim import select
    from verification.run import BUDGETS, run

    chosen = select(paper, claim or ())
    if profile not in BUDGETS:
        raise ValueError(f"--profile must be one of {', '.join(BUDGETS)}; got {profile!r}")
    _check_writable(json_file)
    console = _console()
    if list_:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for column in ("claim", "stated in", "recorded"):
            table.add_column(column, no_wrap=column == "claim")
        for c in chosen:
            table.add_row(c.id, c.label, c.recorded.value)
        console.print(table)
        return 0
    if workers is None:  # a pool takes seconds to start, as long as some claims take
        workers = 1 if len(chosen) < POOL_PAYS else os.cpu_count() or 1
    with _executor(workers, scheduler) as executor, _progress() as bar:
        task = bar.add_task("verify", total=len(chosen))

        def advance(outcome: Any) -> None:
            bar.update(task, advance=1, description=outcome.claim.id)

        outcomes = run(chosen, profile=profile, seed=seed, executor=executor, progress=advance)
    for table in report.tables(outcomes, narrow=console.width < 100):
        console.print(table)
    changed = report.changed(outcomes)
    console.print(report.summary(outcomes) + f"; {len(changed) or 'none'} changed", highlight=False)
    if json_file is not None:
        _write_json(json_file, report.as_json(outcomes, seed=seed, profile=profile))
    return 1 if changed else 0


@contextmanager
def _executor(workers: int, scheduler: str | None) -> Iterator[Executor | None]:
    """A cluster's executor, a process pool, or None for this process."""
    if scheduler is not None:
        try:
            from distributed import Client
        except ImportError:
            raise ValueError("--scheduler needs dask.distributed: pip install '.[dask]'") from None
        with Client(scheduler) as client:
            yield client.get_executor()
    elif workers > 1:
        # spawned, as the progress bar's thread must not be forked
        with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
            yield pool
    else:
        yield None


def _progress() -> Progress:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:30}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


@app.command()
def divergence(
    x: Annotated[Path, typer.Argument(help="Samples of p: .csv, .npy or .npz, one row each.")],
    y: Annotated[Path, typer.Argument(help="Samples of q.")],
    alpha: Annotated[
        list[float], typer.Option(parser=_number, metavar="NUMBER...", help="Orders, one or more: --alpha 2 6 12.")
    ] = [2.0],  # noqa: B006
    lam: Annotated[
        list[float],
        typer.Option("--lambda", parser=_number, metavar="NUMBER...", help="Regularizations, one or more."),
    ] = [1e-2],  # noqa: B006
    kernel: Annotated[str, typer.Option(help="rbf, laplacian, linear, ...")] = "rbf",
    bandwidth: Annotated[str | None, typer.Option(help="A number, median (across the samples) or pooled.")] = None,
    error: Annotated[bool, typer.Option("--error", help="Also estimate the numerical error.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the values to this file.")] = None,
) -> int:
    """Kernel Renyi divergence of two samples.

    The plug-in value is biased upward at small lambda: it is no test by itself.

    Example: krdtheory divergence x.csv y.csv --alpha 2 6 --lambda 1e-3 1e-2
    """
    import numpy as np

    from krdtheory.files import plain, read_samples
    from krdtheory.kernels import Kernel, kernel_renyi_estimate
    from krdtheory.kernels.kernels import make_kernel

    _check_writable(json_file)
    u, v = read_samples(x), read_samples(y)
    if u.shape[1] != v.shape[1]:
        raise ValueError(f"{x} and {y} must have as many columns; got {u.shape[1]} and {v.shape[1]}")
    width = float(bandwidth) if bandwidth is not None and _is_number(bandwidth) else bandwidth
    made = make_kernel(kernel, width, None, u, v)
    estimate = kernel_renyi_estimate(u, v, alpha=alpha, regularization=lam, kernel=made, return_error=error)
    values, errors = estimate if error else (estimate, None)
    width = made.bandwidth if isinstance(made, Kernel) else None
    shown = "" if width is None else f", bandwidth {width:.6g}"
    title = f"D_alpha,lambda({x.name} || {y.name}): {kernel} kernel{shown}, n = {len(u)}, m = {len(v)}"
    console = _console()
    console.print(title, markup=False, highlight=False)
    cells = np.vectorize(_cell)(values, 0 if errors is None else errors)
    console.print(_grid(alpha, lam, cells))
    if json_file is not None:
        data = {
            "version": __version__,
            "x": str(x),
            "y": str(y),
            "n": len(u),
            "m": len(v),
            "kernel": kernel,
            "bandwidth": width,
            "alpha": plain(alpha),
            "lambda": plain(lam),
            "values": plain(values),
            "numerical_error": None if errors is None else plain(errors),
        }
        _write_json(json_file, data)
    return 0


app.command()(convert)
app.command()(compose)


def _cell(value: float, error: float) -> str:
    """A value, and its error where there is one."""
    return f"{value:.6f}" + (f" ± {error:.0e}" if error else "")


def _grid(alpha: list[float], lam: list[float], cells: Any) -> Table:
    """The longer list runs down, which keeps the table narrow."""
    down, across = ("alpha", alpha), ("lambda", lam)
    if len(lam) > len(alpha):
        down, across, cells = across, down, cells.T
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(down[0], justify="right")
    for one in across[1]:
        table.add_column(f"{across[0]} = {one:g}", justify="right")
    for one, row in zip(down[1], cells, strict=True):
        table.add_row(f"{one:g}", *row)
    return table
