"""The command `krdtheory`. Results go to stdout and messages, one line each, to stderr.

The exit status is 0, or 1 if the answer is no (a claim of privacy is rejected, a conjecture is refuted, a verdict has
changed); 2 for a bad command, or a file that cannot be read or written; 3 if the Python code of a claim or this program
fails. If a signal stops the program, it is 128 plus the signal's number: 130 for Ctrl-C, 143 for SIGTERM, 129 for
SIGHUP; and 141, as for SIGPIPE, if the output pipe is closed.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich import box
from typer.core import TyperGroup

from krdtheory import __version__
from krdtheory.audit.commands import audit, audit_run
from krdtheory.imports import MissingExtraError
from krdtheory.privacy.commands import compose, convert
from krdtheory.terminal import (
    JsonFile,
    Quiet,
    Stopped,
    Table,
    a_number,
    called_by_option,
    check_names,
    check_writable,
    cleaned,
    console,
    is_number,
    is_stdout,
    say,
    write_json,
)

OF_CLAIMS = {  # the commands of the package `verification`, which nothing else may import
    "verify": "Put the papers' claims to the test.",
    "check": "Put the claims of a file of your own to the test.",
    "certificate": "Print what shows that a claim is false, to be checked without this program.",
}


class _Commands(TyperGroup):
    """A command group that imports the commands of `verification` only when one of them is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] in OF_CLAIMS:
            self.commands[args[0]] = _of_claims(args[0])
        return super().resolve_command(ctx, args)


app = typer.Typer(
    rich_markup_mode="rich",
    help="Divergences for private mechanisms: computed, verified and estimated from samples.",
    epilog="Exit status: 0 done; 1 rejected, refuted or changed; 2 a bad command or file; 3 an error in a claim or in "
    "krdtheory; 128 + n stopped by signal n.",
    cls=_Commands,
    context_settings={"help_option_names": ["--help", "-h"]},
)
BAD_COMMAND, FAILED, CLOSED = 2, 3, 128 + 13
# the base class of all usage errors, found by its method, since its name depends on the version of typer
COMMAND_ERROR: Any = next(c for c in reversed(typer.BadParameter.__mro__) if hasattr(c, "format_message"))
COMPLETION = "_KRDTHEORY_COMPLETE"  # the variable is set when a shell asks for completions
EXAMPLES = (".py", ".csv", ".json")
SEVERAL_NUMBERS = ("--alpha", "--lambda", "--epsilon", "--delta")


def main() -> NoReturn:
    """Run the command and exit. If KRDTHEORY_DEBUG is set, an unexpected error prints its traceback."""
    warnings.showwarning = lambda message, *_: say(f"warning: {message}")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # not every encoding has every character
    with _stopped_by_signals():
        sys.exit(_status(sys.argv[1:]))


def _status(arguments: list[str]) -> int:
    try:
        status = app(_spread(arguments) or ["--help"], prog_name="krdtheory", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except BrokenPipeError:
        return _closed()
    except Stopped:
        raise
    except (typer.Abort, KeyboardInterrupt):
        return _failed("interrupted", 130)
    except COMMAND_ERROR as error:
        return _failed(error.format_message(), BAD_COMMAND)
    except OSError as error:
        return _failed(f"{error.filename}: {error.strerror}" if error.filename else str(error), BAD_COMMAND)
    except (ValueError, TypeError, MemoryError) as error:
        memory = "not enough memory; fewer rows take less. " if isinstance(error, MemoryError) else ""
        return _failed(memory + str(error), BAD_COMMAND)
    except MissingExtraError as error:
        return _failed(str(error), BAD_COMMAND)
    except BaseException as error:
        # rich and typer may raise another exception while they handle a broken pipe
        if isinstance(error.__context__, BrokenPipeError):
            return _closed()
        if isinstance(error, SystemExit) and COMPLETION in os.environ:
            raise
        # compared by name, since importing krdtheory.arithmetic takes time that other commands need not spend
        if type(error).__name__ == "PrecisionError":
            return _failed(str(error), FAILED)
        if os.environ.get("KRDTHEORY_DEBUG"):
            traceback.print_exc()
        hint = "KRDTHEORY_DEBUG=1 shows where"
        return _failed(f"this should not happen: {type(error).__name__}: {error} ({hint})", FAILED)


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into an exception, so that temporary files and workers are cleaned up."""

    def stop(number: int, _: Any) -> NoReturn:
        raise Stopped(128 + number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    taken = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]  # nohup ignores SIGHUP
    if threading.current_thread() is not threading.main_thread():
        taken = []
    for number in taken:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _failed(message: str, status: int) -> int:
    say(message)
    return status


def _closed() -> int:
    """Redirect stdout to the null device after its reader has gone, so that flushing it at exit raises no error."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return CLOSED


def _spread(arguments: list[str]) -> list[str]:
    """Repeat the option before each of its numbers: click expects `--alpha 2 --alpha 6` for `--alpha 2 6`."""
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
    json_file: JsonFile = None,
    quiet: Quiet = False,
) -> int:
    """Kernel Renyi divergence of two samples.

    The plug-in value is biased upward at small lambda: it is no test by itself.

    Example: krdtheory divergence x.csv y.csv --alpha 2 6 --lambda 1e-3 1e-2
    """
    import numpy as np

    from krdtheory.files import check_widths, plain, read_pair
    from krdtheory.kernels import Kernel, kernel_renyi_estimate
    from krdtheory.kernels.kernels import NAMES, make_kernel

    check_names("--kernel", [kernel], NAMES)
    check_writable({"--json": json_file}, x, y)
    u, v = read_pair(x, y, columns=column)
    check_widths(x, u, y, v)
    width = float(bandwidth) if bandwidth is not None and is_number(bandwidth) else bandwidth
    made = make_kernel(kernel, width, None, u, v)
    with called_by_option(alpha="--alpha", regularization="--lambda"):
        estimate = kernel_renyi_estimate(u, v, alpha=alpha, regularization=lam, kernel=made, return_error=error)
    values, errors = estimate if error else (estimate, None)
    width = made.bandwidth if isinstance(made, Kernel) else None
    shown = "" if width is None else f", bandwidth {width:.6g}"
    title = f"D_alpha,lambda({x.name} || {y.name}): {kernel} kernel{shown}, n = {len(u)}, m = {len(v)}"
    out = console(quiet=quiet or is_stdout(json_file))
    out.print(cleaned(title), highlight=False)
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


for _name, _help in OF_CLAIMS.items():
    app.command(_name, help=_help)(lambda: None)


@app.command()
def examples(
    folder: Annotated[
        Path | None, typer.Argument(help="Where to copy them; it is made if need be. Without it, they are listed.")
    ] = None,
    json_file: JsonFile = None,
    quiet: Quiet = False,
) -> int:
    """Copy the examples that the documentation names: conjectures, samples, mechanisms, tests, a training run.

    Example: krdtheory examples examples && krdtheory check examples/conjectures.py
    """
    here = Path(__file__).parent
    source = next(path for path in (here / "_examples", here.parent / "examples") if path.is_dir())  # wheel, checkout
    names = sorted(str(path.relative_to(source)) for path in source.rglob("*") if path.suffix in EXAMPLES)
    check_writable({"--json": json_file})
    out = console(quiet=quiet or is_stdout(json_file))
    if folder is not None:
        taken = [name for name in names if (folder / name).exists()]
        if taken:
            raise ValueError(f"FOLDER must have no files of these names; {folder / taken[0]} is there")
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, folder / name)
    for name in names:
        out.print(name if folder is None else str(folder / name), highlight=False, soft_wrap=True)
    if json_file is not None:
        write_json(json_file, {"version": __version__, "folder": folder and str(folder), "examples": names})
    return 0


app.command()(audit)
app.command()(audit_run)
app.command()(convert)
app.command()(compose)


def _of_claims(name: str) -> Any:
    """Return a command of the package `verification`, or raise if another package of that name hides ours."""
    ours = Path(__file__).resolve().parents[1] / "verification" / "__init__.py"
    found = find_spec("verification")
    origin = None if found is None else found.origin
    if origin is None or Path(origin).resolve() != ours:
        raise ValueError(
            f"{name} needs the package verification, which comes with krdtheory, {ours.parent}; "
            + ("it is not there" if origin is None else f"{origin} stands in its way: rename it, or run elsewhere")
        )
    import verification

    if not hasattr(verification, "Claim"):
        raise ValueError(f"{name} needs the package verification of krdtheory; another one has overwritten {ours}")
    from verification import commands

    made = typer.Typer(add_completion=False, rich_markup_mode="rich")
    made.command(name)(getattr(commands, name))
    return typer.main.get_command(made)


def _cell(value: float, error: float) -> str:
    """Return a value as text, with its error unless that is 0."""
    return f"{value:.6f}" + (f" ± {error:.0e}" if error else "")


def _grid(alpha: list[float], lam: list[float], cells: Any) -> Table:
    """Return the table of values, with one row for each entry of the longer list, which keeps the table narrow."""
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
