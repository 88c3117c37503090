"""The command `krdtheory`. Results go to stdout, messages to stderr; a bad command says why in one line and exits
with 2."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from krdtheory import __version__
from krdtheory.audit.commands import audit
from krdtheory.privacy.commands import compose, convert
from krdtheory.terminal import a_number, check_writable, console, is_number, write_json
from verification.commands import check, verify

app = typer.Typer(
    add_completion=False,
    rich_markup_mode="rich",
    help="Divergences for private mechanisms: computed, verified and estimated from samples.",
)
BAD_COMMAND = 2
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
        memory = "not enough memory; fewer rows take less. " if isinstance(error, MemoryError) else ""
        _fail(memory + str(error), BAD_COMMAND)
    sys.exit(status if isinstance(status, int) else 0)


def _spread(arguments: list[str]) -> list[str]:
    """`--alpha 2 6 12` for click, which wants `--alpha 2 --alpha 6 --alpha 12`."""
    out: list[str] = []
    option = None
    for argument in arguments:
        if option and is_number(argument) and out[-1] != option:
            out.append(option)
        elif not is_number(argument):
            name = argument.partition("=")[0]
            option = name if name in SEVERAL_NUMBERS else None
        out.append(argument)
    return out


def _fail(message: str, status: int) -> None:
    print("krdtheory:", " ".join(message.split()), file=sys.stderr)
    sys.exit(status)


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
def divergence(
    x: Annotated[Path, typer.Argument(help="Samples of p: .csv, .npy, .npz or .parquet, one row each.")],
    y: Annotated[Path, typer.Argument(help="Samples of q.")],
    alpha: Annotated[
        list[float], typer.Option(parser=a_number, metavar="NUMBER...", help="Orders, one or more: --alpha 2 6 12.")
    ] = [2.0],  # noqa: B006
    lam: Annotated[
        list[float],
        typer.Option("--lambda", parser=a_number, metavar="NUMBER...", help="Regularizations, one or more."),
    ] = [1e-2],  # noqa: B006
    kernel: Annotated[str, typer.Option(help="rbf, laplacian, linear, ...")] = "rbf",
    bandwidth: Annotated[str | None, typer.Option(help="A number, median (across the samples) or pooled.")] = None,
    column: Annotated[
        list[str] | None, typer.Option(help="A column to look at, by its name; may be repeated. [default: all]")
    ] = None,
    error: Annotated[bool, typer.Option("--error", help="Also estimate the numerical error.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the values to this file.")] = None,
) -> int:
    """Kernel Renyi divergence of two samples.

    The plug-in value is biased upward at small lambda: it is no test by itself.

    Example: krdtheory divergence x.csv y.csv --alpha 2 6 --lambda 1e-3 1e-2
    """
    import numpy as np

    from krdtheory.files import plain, read_pair
    from krdtheory.kernels import Kernel, kernel_renyi_estimate
    from krdtheory.kernels.kernels import make_kernel

    check_writable(json_file)
    u, v = read_pair(x, y, columns=column)
    if u.shape[1] != v.shape[1]:
        raise ValueError(f"{x} and {y} must have as many columns; got {u.shape[1]} and {v.shape[1]}")
    width = float(bandwidth) if bandwidth is not None and is_number(bandwidth) else bandwidth
    made = make_kernel(kernel, width, None, u, v)
    estimate = kernel_renyi_estimate(u, v, alpha=alpha, regularization=lam, kernel=made, return_error=error)
    values, errors = estimate if error else (estimate, None)
    width = made.bandwidth if isinstance(made, Kernel) else None
    shown = "" if width is None else f", bandwidth {width:.6g}"
    title = f"D_alpha,lambda({x.name} || {y.name}): {kernel} kernel{shown}, n = {len(u)}, m = {len(v)}"
    out = console()
    out.print(title, markup=False, highlight=False)
    cells = np.vectorize(_cell)(values, 0 if errors is None else errors)
    out.print(_grid(alpha, lam, cells))
    if json_file is not None:
        data = {
            "version": __version__,
            "x": str(x),
            "y": str(y),
            "columns": column,
            "n": len(u),
            "m": len(v),
            "kernel": kernel,
            "bandwidth": width,
            "alpha": plain(alpha),
            "lambda": plain(lam),
            "values": plain(values),
            "numerical_error": None if errors is None else plain(errors),
        }
        write_json(json_file, data)
    return 0


app.command()(verify)
app.command()(check)
app.command()(audit)
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
