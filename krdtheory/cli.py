"""The command `krdtheory`. Results go to stdout, messages to stderr; a bad command says why in one line and exits
with 2."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from krdtheory import __version__

app = typer.Typer(
    add_completion=False,
    rich_markup_mode="rich",
    help="Divergences for private mechanisms: computed, verified and estimated from samples.",
)
BAD_COMMAND = 2
# the exception behind every usage error, under its name in this version of typer
COMMAND_ERROR: Any = next(c for c in reversed(typer.BadParameter.__mro__) if hasattr(c, "format_message"))
SEVERAL_NUMBERS = ("--alpha", "--lambda")


def main() -> None:
    """Run the command; every foreseen error is one line on stderr and exit status 2."""
    try:
        status = app(_spread(sys.argv[1:]) or ["--help"], standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        _fail("interrupted", 130)
    except COMMAND_ERROR as error:
        _fail(error.format_message(), BAD_COMMAND)
    except (ValueError, TypeError, OSError) as error:
        _fail(str(error), BAD_COMMAND)
    sys.exit(status if isinstance(status, int) else 0)


def _spread(arguments: list[str]) -> list[str]:
    """`--alpha 2 6 12` for click, which wants `--alpha 2 --alpha 6 --alpha 12`."""
    out: list[str] = []
    option = None
    for argument in arguments:
        if option and _is_number(argument) and out[-1] != option:
            out.append(option)
        elif not _is_number(argument):
            option = argument if argument in SEVERAL_NUMBERS else None
        out.append(argument)
    return out


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _fail(message: str, status: int) -> None:
    print("krdtheory:", " ".join(message.split()), file=sys.stderr)
    sys.exit(status)


def _console(file: Any = None) -> Console:
    """Wide enough to keep a table's rows whole where the output is not a terminal."""
    console = Console(file=file)
    return console if console.is_terminal else Console(file=file, width=140)


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
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same verdicts.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the outcomes to this file.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the claims and exit.")] = False,
) -> int:
    """Put the papers' claims to the test.

    Exit status: 0 when every verdict is the recorded one, 1 when one changed, 2 for a bad command.

    Example: krdtheory verify --claim krd.cor2 --json outcome.json
    """
    from verification import report
    from verification.claim import select
    from verification.run import run

    chosen = select(paper, claim or ())
    console = _console()
    if list_:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for column in ("claim", "stated in", "recorded"):
            table.add_column(column, no_wrap=column == "claim")
        for c in chosen:
            table.add_row(c.id, c.label, c.recorded.value)
        console.print(table)
        return 0
    target = None if json_file is None else json_file.open("w")  # before the work, so that a bad path costs nothing
    pool = nullcontext(None) if workers == 1 else ProcessPoolExecutor(workers)
    with pool as executor, _progress() as bar:
        task = bar.add_task("verify", total=len(chosen))

        def advance(outcome: Any) -> None:
            bar.update(task, advance=1, description=outcome.claim.id)

        outcomes = run(chosen, profile=profile, seed=seed, executor=executor, progress=advance)
    for table in report.tables(outcomes):
        console.print(table)
    changed = report.changed(outcomes)
    console.print(report.summary(outcomes) + f"; {len(changed) or 'none'} changed", highlight=False)
    if target is not None:
        with target:
            json.dump(report.as_json(outcomes, seed=seed, profile=profile), target, indent=1)
            target.write("\n")
    return 1 if changed else 0


def _progress() -> Progress:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:30}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


@app.command()
def divergence(
    x: Annotated[Path, typer.Argument(help="Samples of p: .csv, .npy or .npz, one row each.")],
    y: Annotated[Path, typer.Argument(help="Samples of q.")],
    alpha: Annotated[list[float], typer.Option(help="Orders, one or more: --alpha 2 6 12.")] = [2.0],  # noqa: B006
    lam: Annotated[list[float], typer.Option("--lambda", help="Regularizations, one or more.")] = [1e-2],  # noqa: B006
    kernel: Annotated[str, typer.Option(help="rbf, laplacian, linear, ...")] = "rbf",
    bandwidth: Annotated[str | None, typer.Option(help="A number, median (across the samples) or pooled.")] = None,
    error: Annotated[bool, typer.Option("--error", help="Also estimate the numerical error.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the values to this file.")] = None,
) -> int:
    """Kernel Renyi divergence of two samples.

    The plug-in value is biased upward at small lambda: it is no test by itself.

    Example: krdtheory divergence x.csv y.csv --kernel rbf --alpha 2 6 12 --lambda 1e-3 1e-2
    """
    from krdtheory.files import plain, read_samples
    from krdtheory.kernels import Kernel, kernel_renyi_estimate
    from krdtheory.kernels.kernels import make_kernel

    u, v = read_samples(x), read_samples(y)
    if u.shape[1] != v.shape[1]:
        raise ValueError(f"{x} and {y} must have as many columns; got {u.shape[1]} and {v.shape[1]}")
    width = float(bandwidth) if bandwidth is not None and _is_number(bandwidth) else bandwidth
    made = make_kernel(kernel, width, None, u, v)
    values, errors = kernel_renyi_estimate(u, v, alpha=alpha, regularization=lam, kernel=made, return_error=True)
    width = made.bandwidth if isinstance(made, Kernel) else None
    console = _console()
    shown = "" if width is None else f", bandwidth {width:.6g}"
    title = f"D_alpha,lambda({x.name} || {y.name}), {kernel} kernel{shown}, n = {len(u)}, m = {len(v)}"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("alpha", justify="right")
    for one in lam:
        table.add_column(f"lambda = {one:g}", justify="right")
    for i, order in enumerate(alpha):
        cells = [f"{d:.6f}" + (f" ± {e:.0e}" if error else "") for d, e in zip(values[i], errors[i], strict=True)]
        table.add_row(f"{order:g}", *cells)
    console.print(table)
    if json_file is not None:
        data = {
            "version": __version__,
            "x": str(x),
            "y": str(y),
            "n": len(u),
            "m": len(v),
            "kernel": kernel,
            "bandwidth": width,
            "alpha": alpha,
            "lambda": lam,
            "values": plain(values),
            "numerical_error": plain(errors),
        }
        json_file.write_text(json.dumps(data, indent=1) + "\n")
    return 0
