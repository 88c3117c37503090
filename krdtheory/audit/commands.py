"""The commands `krdtheory audit` and `krdtheory audit-run`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from krdtheory.imports import need
from krdtheory.terminal import (
    HtmlFile,
    JsonFile,
    Quiet,
    a_number,
    an_integer,
    called_by_option,
    check_names,
    check_writable,
    cleaned,
    console,
    is_stdout,
    write_json,
    write_text,
)

_SCORES = (
    "Scores from which events are made: value, linear, sparse, tree, spread, repeats, atoms, words, low_bits, "
    "kernel_mean_difference, kernel_classifier or positive_part; may be repeated."
)

MOST_EVENTS = 1000  # as events share the level and each takes time


def _number(help_: str, *names: str) -> Any:
    return typer.Option(*names, parser=a_number, metavar="NUMBER", help=help_)


Epsilon = Annotated[float | None, _number("The epsilon of the claim: pure DP unless --delta or --alpha is given.")]
Delta = Annotated[float | None, _number("Approximate DP, with --epsilon.")]
Alpha = Annotated[float | None, _number("Renyi DP of this order, with --epsilon.", "--alpha", "--order")]
Rho = Annotated[float | None, _number("Zero-concentrated DP.")]
Mu = Annotated[float | None, _number("Gaussian DP.")]


def audit(
    x: Annotated[Path, typer.Argument(help="Outputs for one input: .csv, .npy, .npz or .parquet, one row each.")],
    y: Annotated[Path, typer.Argument(help="Outputs for a neighbouring input.")],
    epsilon: Epsilon = None,
    delta: Delta = None,
    alpha: Alpha = None,
    lam: Annotated[float | None, _number("Kernel Renyi DP, with --alpha: the regularization.", "--lambda")] = None,
    rho: Rho = None,
    mu: Mu = None,
    kernel: Annotated[str | None, typer.Option(help="With --lambda: rbf, the default, laplacian, ...")] = None,
    bandwidth: Annotated[float | None, _number("Bandwidth of the kernel; by default by the median rule.")] = None,
    degree: Annotated[
        int | None,
        typer.Option(parser=an_integer(1), metavar="N", help="Capacity-bounded DP, with --alpha and --support."),
    ] = None,
    support: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="LOW HIGH", help="With --degree: where all outputs are known to lie."),
    ] = None,
    column: Annotated[
        list[str] | None, typer.Option(help="A column to look at, by its name; may be repeated. [default: all]")
    ] = None,
    text: Annotated[
        bool,
        typer.Option("--text", help="Outputs are words, in --column; not needed beside numbers."),
    ] = False,
    confidence: Annotated[float, _number("Confidence level of all bounds together.")] = 0.95,
    score: Annotated[list[str], typer.Option(help=_SCORES)] = ["auto"],  # noqa: B006
    method: Annotated[
        str, typer.Option(help="auto, events, cells, witness, dual, perturbation or polynomial.")
    ] = "auto",
    direction: Annotated[str, typer.Option(help='best, both, "p, q" or "q, p".')] = "best",
    bound: Annotated[
        str, typer.Option(help="For approximate DP, the parameter whose bound is to be sharp: epsilon or delta.")
    ] = "epsilon",
    events: Annotated[
        int, typer.Option(parser=an_integer(1, MOST_EVENTS), metavar="N", help="Events that share the level.")
    ] = 1,
    seed: Annotated[int, typer.Option(parser=an_integer(0), metavar="N", help="Of the random numbers.")] = 0,
    json_file: JsonFile = None,
    html_file: HtmlFile = None,
    quiet: Quiet = False,
) -> int:
    """Test a claim of privacy on outputs for two neighbouring inputs, and bound from below what leaks.

    Exit status: 0 when the claim is not rejected, 1 when it is, 2 for a bad command.

    Example: krdtheory audit x.csv y.csv --epsilon 1 --delta 1e-5 --html audit.html
    """
    from krdtheory.audit.auditor import audit as run
    from krdtheory.audit.scores import SCORES
    from krdtheory.audit.tables import read_outputs
    from krdtheory.kernels.kernels import NAMES

    notion = _claimed(
        {"epsilon": epsilon, "delta": delta, "alpha": alpha, "lambda": lam, "degree": degree, "rho": rho, "mu": mu}
    )
    if lam is not None:
        check_names("--kernel", [kernel or "rbf"], NAMES)
        with called_by_option(regularization="--lambda", bandwidth="--bandwidth"):
            notion = notion(kernel=kernel or "rbf", bandwidth=bandwidth)
    if score != ["auto"]:
        words = text and column is not None and len(column) == 1
        names = ("atoms", "words") if words else SCORES
        check_names("--score", score, ("auto", *names) if len(score) == 1 else names)
    for name, value, other, whole in (
        ("--kernel", kernel, "--lambda", lam),
        ("--bandwidth", bandwidth, "--lambda", lam),
        ("--support", support, "--degree", degree),
    ):
        if value is not None and whole is None:
            raise ValueError(f"{name} goes with {other}")
    if degree is not None and support is None:
        raise ValueError("--degree needs --support: unbounded, no sample bounds the means of polynomials")
    if text and column is None:
        raise ValueError("--text needs --column: the first line of words may be a header or an output")
    check_writable({"--json": json_file, "--html": html_file}, x, y)
    if html_file is not None:
        need("plot")
    files = {"x": str(x), "y": str(y), "columns": column, "text": text}
    u, v = read_outputs(x, y, columns=column, text=text)
    with called_by_option(scores="--score", x=str(x), y=str(y), **{"x and y": f"{x} and {y}"}):
        result = run(
            u,
            v,
            notion,
            confidence=confidence,
            scores="auto" if score == ["auto"] else score,
            method=method,
            direction=direction,
            bound=bound,
            events=events,
            support=support,
            rng=seed,
        )
    looked_at = f"{x} and {y}" + (f", {'words' if text else 'numbers'} in {', '.join(column)}" if column else "")
    return _shown(result, looked_at, files, json_file, html_file, quiet)


def audit_run(
    scores: Annotated[Path, typer.Argument(help="A row for each canary of one training run: .csv or .parquet.")],
    column: Annotated[
        list[str],
        typer.Option(help="The column of scores, higher for canaries that seem included; several for secrets."),
    ],
    included: Annotated[
        str,
        typer.Option(help="The column of what was included: 1 and 0, or true and false; of several, 0, 1, ..."),
    ],
    epsilon: Epsilon = None,
    delta: Delta = None,
    alpha: Alpha = None,
    rho: Rho = None,
    mu: Mu = None,
    inclusion: Annotated[float, _number("The probability with which each canary was included.")] = 0.5,
    lower_is_in: Annotated[
        bool, typer.Option("--lower-is-in", help="Scores are lower if a canary seems to be included, as losses are.")
    ] = False,
    confidence: Annotated[float, _number("Confidence level of the verdict and the bound.")] = 0.95,
    method: Annotated[str, typer.Option(help="auto, mixture, bets or ladder.")] = "auto",
    bound: Annotated[str, typer.Option(help="What to bound of approximate DP: epsilon or delta.")] = "epsilon",
    seed: Annotated[int, typer.Option(parser=an_integer(0), metavar="N", help="Breaks ties.")] = 0,
    json_file: JsonFile = None,
    html_file: HtmlFile = None,
    quiet: Quiet = False,
) -> int:
    """Test a claim of privacy on one training run with canaries, each included by an independent coin.

    Exit status: 0 when the claim is not rejected, 1 when it is, 2 for a bad command.

    Example: krdtheory audit-run scores.csv --column loss --lower-is-in --included in --epsilon 1 --delta 1e-5
    """
    from krdtheory.audit.one_run import audit_one_run
    from krdtheory.audit.tables import read_coins
    from krdtheory.files import read_samples

    notion = _claimed({"epsilon": epsilon, "delta": delta, "alpha": alpha, "rho": rho, "mu": mu}, "")
    check_writable({"--json": json_file, "--html": html_file}, scores)
    if html_file is not None:
        need("plot")
    if included in column:
        raise ValueError(f"--included must be another column than --column; got {included} for both")
    values = read_samples(scores, columns=column, finite=False) * (-1 if lower_is_in else 1)
    result = audit_one_run(
        values[:, 0] if len(column) == 1 else values,
        read_coins(scores, included),
        notion,
        confidence=confidence,
        inclusion=inclusion,
        method=method,
        bound=bound,
        rng=seed,
    )
    files = {"scores": str(scores), "columns": column, "included": included, "lower_is_in": lower_is_in}
    sign = ", lower is in" if lower_is_in else ""
    looked_at = f"{scores}: scores in {', '.join(column)}{sign}, coins in {included}"
    return _shown(result, looked_at, {"file": files}, json_file, html_file, quiet)


def _shown(
    result: Any, looked_at: str, files: dict[str, Any], json_file: Path | None, html_file: Path | None, quiet: bool
) -> int:
    """Show a result, write it to files, and return the exit status."""
    result = replace(result, used={"files": looked_at, **result.used})
    console(quiet=quiet or is_stdout(json_file)).print(cleaned(result.summary()), end="", highlight=False)
    if json_file is not None:
        write_json(json_file, {**files, **result.to_dict()})
    if html_file is not None:
        write_text(html_file, result.to_html())
    return 1 if result.rejected else 0


def _claimed(options: dict[str, float | int | None], more: str = " (and --lambda, or --degree)") -> Any:
    """The notion that the options claim; for kernel Renyi DP, a function that takes the kernel."""
    from functools import partial

    from krdtheory.privacy import notions

    given = {name: value for name, value in options.items() if value is not None}
    kinds: dict[frozenset[str], Any] = {
        frozenset({"epsilon"}): notions.PureDP,
        frozenset({"epsilon", "delta"}): notions.ApproximateDP,
        frozenset({"epsilon", "alpha"}): notions.RenyiDP,
        frozenset({"epsilon", "alpha", "lambda"}): lambda **given: partial(notions.KernelRenyiDP, **given),
        frozenset({"epsilon", "alpha", "degree"}): notions.CapacityBoundedDP,
        frozenset({"rho"}): notions.ZeroConcentratedDP,
        frozenset({"mu"}): notions.GaussianDP,
    }
    found = frozenset(given)
    if found not in kinds:
        got = " ".join(f"--{name}" for name in given) or "none"
        raise ValueError(
            f"give --epsilon, --epsilon and --delta, --epsilon and --alpha{more}, --rho or --mu; got {got}"
        )
    if "lambda" in given:
        given["regularization"] = given.pop("lambda")
    return kinds[found](**given)
