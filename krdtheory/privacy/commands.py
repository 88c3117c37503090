"""The commands `krdtheory convert` and `krdtheory compose`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box

from krdtheory.terminal import JsonFile, Quiet, Table, an_integer, check_writable, console, is_stdout, write_json

MOST_MECHANISMS = 10_000  # the most that column k of a table may ask for, since they are composed one by one
SHOWN = 12  # significant digits shown without --digits

SHOWN_COLUMNS: tuple[str, ...] = ("implies", "by", "value")

Rows = list[tuple[Any, ...]]  # the cells that describe a result, and its value


def _numeral(text: str) -> str:
    """Check a decimal or a fraction and keep it as text, so that it is exact in multiprecision."""
    from krdtheory.arithmetic.exact import check_exponent

    try:
        check_exponent(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    try:
        Fraction(text)
    except (ValueError, ZeroDivisionError):
        if text.lower() not in ("inf", "infinity"):
            raise typer.BadParameter(f"{text!r} is not a number") from None
    return text


def _option(help_: str, *names: str) -> Any:
    return typer.Option(*names, parser=_numeral, metavar="NUMBER", help=help_)


Digits = Annotated[int | None, typer.Option(help="Compute in multiprecision and show this many digits.")]
TableFile = Annotated[
    Path | None,
    typer.Option("--table", help="A .csv or .parquet file, a row for each, its columns named as options; words label."),
]


def convert(
    alpha: Annotated[str | None, _option("Renyi DP: the order.")] = None,
    epsilon: Annotated[str | None, _option("Renyi DP (with --alpha), pure or approximate DP: the bound.")] = None,
    rho: Annotated[
        str | None, _option("Zero-concentrated DP: the bound on the Renyi divergence over the order.")
    ] = None,
    omega: Annotated[str | None, _option("Truncated concentrated DP (with --rho): the largest order.")] = None,
    mu: Annotated[str | None, _option("Gaussian DP.")] = None,
    kl: Annotated[str | None, _option("A bound on the Kullback-Leibler divergence.")] = None,
    hellinger: Annotated[str | None, _option("A bound on the Hellinger distance, 1 - sum sqrt(p q).")] = None,
    total_variation: Annotated[str | None, _option("A bound on the total variation distance.")] = None,
    delta: Annotated[str | None, _option("Show the epsilon of approximate DP at this delta.")] = None,
    target_epsilon: Annotated[str | None, _option("Show the delta of approximate DP at this epsilon.")] = None,
    two_sided: Annotated[
        bool,
        typer.Option("--two-sided", help="The bound holds in both orders, as those of symmetric notions do anyway."),
    ] = False,
    table: TableFile = None,
    digits: Digits = None,
    json_file: JsonFile = None,
    quiet: Quiet = False,
) -> int:
    """Convert a guarantee of one notion of privacy into another.

    Give a bound on a divergence and --delta or --target-epsilon. Or --epsilon alone for what pure DP implies, and with
    --delta for what approximate DP does.

    With --table each row of a file is converted, and what options say holds for all of them.

    Example: krdtheory convert --alpha 2 --epsilon 0.1 --delta 1e-5
    """
    check_writable({"--json": json_file}, table)
    given = {
        "alpha": alpha,
        "epsilon": epsilon,
        "rho": rho,
        "omega": omega,
        "mu": mu,
        "kl": kl,
        "hellinger": hellinger,
        "total_variation": total_variation,
        "delta": delta,
        "target_epsilon": target_epsilon,
    }
    columns = SHOWN_COLUMNS
    if table is None:
        title, rows = _converted(given, two_sided, digits)
    else:
        title, rows = f"{table.name}, row by row", []
        for number, row in enumerate(read := _read_table(table, given), 1):
            try:
                found = _converted({name: row.get(name, value) for name, value in given.items()}, two_sided, digits)[1]
            except ValueError as error:
                raise ValueError(f"{table}, row {number}: {error}") from None
            rows += [(*row.values(), *one) for one in found if one[1] == "optimal"]
        columns = (*read[0], *SHOWN_COLUMNS)
    _show(title, columns, rows, digits, json_file, quiet)
    return 0


def compose(
    epsilon: Annotated[
        list[str], _option("Of each mechanism; several, one for each, for mechanisms that differ.")
    ] = [],  # noqa: B006
    delta: Annotated[list[str], _option("Of each mechanism; several, or one for all.")] = ["0"],  # noqa: B006
    k: Annotated[
        int | None,
        typer.Option("--k", "-k", parser=an_integer(1), metavar="N", help="Number of mechanisms alike."),
    ] = None,
    total_delta: Annotated[str | None, _option("Show the epsilon of all together at this delta.")] = None,
    total_epsilon: Annotated[str | None, _option("Show the delta of all together at this epsilon.")] = None,
    table: TableFile = None,
    digits: Digits = None,
    json_file: JsonFile = None,
    quiet: Quiet = False,
) -> int:
    """Compose (epsilon, delta)-DP mechanisms: the exact optimum, and the bounds of the literature.

    With --table the mechanisms are the rows of a file with the columns epsilon, and if need be delta and k.

    Example: krdtheory compose --epsilon 0.1 --delta 1e-6 --k 100 --total-delta 1.01e-4
    """
    check_writable({"--json": json_file}, table)
    if (total_delta is None) == (total_epsilon is None):
        raise ValueError("give one of --total-delta and --total-epsilon")
    if table is not None:
        if epsilon or delta != ["0"] or k is not None:
            raise ValueError("give --table, or --epsilon, --delta and --k")
        mechanisms = _mechanisms(table)
        epsilon, delta = [one[0] for one in mechanisms], [one[1] for one in mechanisms]
        k = 1 if len(mechanisms) == 1 else None
    if not epsilon:
        raise ValueError("give --epsilon, or --table")
    several = len(epsilon) > 1 or len(delta) > 1
    if several == (k is not None):
        raise ValueError("give --k for mechanisms alike, or several values of --epsilon")
    if several:
        rows = _heterogeneous(epsilon, delta, total_delta, total_epsilon, digits)
        title = f"{max(len(epsilon), len(delta))} mechanisms"
    else:
        rows = _homogeneous(epsilon[0], delta[0], k, total_delta, total_epsilon, digits)
        title = f"{k} mechanisms, each ({epsilon[0]}, {delta[0]})-DP"
    sought = f"epsilon at delta = {total_delta}" if total_epsilon is None else f"delta at epsilon = {total_epsilon}"
    _show(f"{title}: {sought}", ("by", "value"), rows, digits, json_file, quiet)
    return 0


def _converted(given: dict[str, str | None], two_sided: bool, digits: int | None) -> tuple[str, Rows]:
    """Return a title and the rows for what a guarantee implies."""
    delta, target = given["delta"], given["target_epsilon"]
    source = {k: v for k, v in given.items() if v is not None and k not in ("delta", "target_epsilon")}
    if set(source) == {"epsilon"}:
        return _from_dp(source["epsilon"], delta, target, digits)
    return _to_dp(source, delta, target, two_sided, digits)


def _read_table(path: Path, options: dict[str, str | None]) -> list[dict[str, str]]:
    """Return the rows of a file, as text so that numbers stay exact; a column holds an option's values or labels."""
    from krdtheory.arithmetic.base import meant
    from krdtheory.files import column_names

    names = column_names(path)
    if not names:
        found = "; it is empty" if path.is_file() and not path.stat().st_size else ""
        raise ValueError(f"{path} must be a .csv or .parquet file, and name its columns{found}")
    table = {}
    for name in names:
        key = name.strip().removeprefix("--").replace("-", "_")
        cells = _cells(path, name)
        wrong = next(((number, error) for number, cell in enumerate(cells, 1) if (error := _fault(cell))), None)
        if key not in options:
            if wrong is None or name in SHOWN_COLUMNS:
                allowed = f"of {', '.join(options)}, or words that label the rows"
                raise ValueError(f"the columns of {path} must be {allowed}; got {name!r}{meant(key, options)}")
            table[name] = cells
            continue
        if options[key] is not None:
            raise ValueError(f"give --{key.replace('_', '-')} or a column of {path} for it; got both")
        if wrong is not None:
            raise ValueError(f"{path}, column {name!r}, row {wrong[0]}: {wrong[1]}")
        table[key] = cells
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def _cells(path: Path, name: str) -> list[str]:
    """Return the cells of a column as text, so that numbers stay exact."""
    from krdtheory.files import read_samples, read_texts

    if path.suffix.lower() == ".parquet":  # whose columns are floats as a rule, which repr writes exactly
        with suppress(ValueError):
            return [repr(x) for x in read_samples(path, columns=[name], finite=False)[:, 0].tolist()]
    return [cell.strip() for cell in read_texts(path, columns=[name])]


def _fault(cell: str) -> str:
    """Return the message that says why a cell is not a number, or "" if it is one."""
    try:
        _numeral(cell)
    except typer.BadParameter as error:
        return str(error)
    return ""


def _mechanisms(path: Path) -> list[tuple[str, str]]:
    """Return (epsilon, delta) of each row of a file, repeated k times."""
    out: list[tuple[str, str]] = []
    for number, row in enumerate(_read_table(path, {"epsilon": None, "delta": None, "k": None}), 1):
        if "epsilon" not in row:
            raise ValueError(f"{path} must have a column 'epsilon'")
        try:
            k = an_integer(1, MOST_MECHANISMS)(row.get("k", "1").removesuffix(".0"))
        except typer.BadParameter as error:
            raise ValueError(f"{path}, column 'k', row {number}: {error}") from None
        out += [(row["epsilon"], row.get("delta", "0"))] * k
    return out


def _homogeneous(
    epsilon: str, delta: str, k: int | None, total_delta: str | None, total_epsilon: str | None, digits: int | None
) -> Rows:
    from krdtheory.privacy import composition as c

    each = {"epsilon": epsilon, "delta": delta, "k": k}
    if total_epsilon is not None:
        value = _call(c.optimal_composition_delta, digits, **each, total_epsilon=total_epsilon)
        return [("optimal", value)]
    rows = [
        (method, _call(c.composition_bound, digits, **each, total_delta=total_delta, method=method))
        for method in c.METHODS[1:]
    ]
    return [*rows, ("optimal", _call(c.optimal_composition, digits, **each, total_delta=total_delta))]


def _heterogeneous(
    epsilon: list[str],
    delta: list[str],
    total_delta: str | None,
    total_epsilon: str | None,
    digits: int | None,
) -> Rows:
    from krdtheory.privacy import composition as c

    each = {"epsilon": epsilon, "delta": delta}
    if total_epsilon is None:
        bounds = _call(c.heterogeneous_composition, digits, **each, total_delta=total_delta)
    else:
        bounds = _call(c.heterogeneous_composition_delta, digits, **each, total_epsilon=total_epsilon)
    lower, upper = bounds
    return [("optimal", upper)] if lower == upper else [("at least", lower), ("at most", upper)]


def _to_dp(
    source: dict[str, str], delta: str | None, target: str | None, two_sided: bool, digits: int | None
) -> tuple[str, Rows]:
    """Return a title and the rows for the approximate DP that a bound on a divergence guarantees."""
    from krdtheory.privacy import conversions as c

    # the options given -> the notion's name, the conversions to epsilon and to delta, whether there are several
    # methods, and whether there is a two-sided variant
    notions: dict[frozenset[str], tuple[str, Any, Any, bool, bool]] = {
        frozenset({"alpha", "epsilon"}): ("Renyi DP", c.rdp_to_approximate_dp, c.rdp_to_delta, True, True),
        frozenset({"rho"}): ("zero-concentrated DP", c.zcdp_to_approximate_dp, None, True, True),
        frozenset({"rho", "omega"}): ("truncated concentrated DP", c.tcdp_to_approximate_dp, None, True, True),
        frozenset({"mu"}): ("Gaussian DP", c.gdp_to_approximate_dp, c.gdp_to_delta, False, False),
        frozenset({"kl"}): ("Kullback-Leibler", c.kl_to_approximate_dp, c.kl_to_delta, False, True),
        frozenset({"hellinger"}): ("Hellinger", c.hellinger_to_approximate_dp, c.hellinger_to_delta, False, False),
        frozenset({"total_variation"}): (
            "total variation",
            c.total_variation_to_approximate_dp,
            c.total_variation_to_delta,
            False,
            False,
        ),
    }
    if frozenset(source) not in notions:
        got = " ".join(f"--{name.replace('_', '-')}" for name in source) or "none"
        raise ValueError(
            "give --alpha and --epsilon, --rho (and --omega), --mu, --kl, --hellinger, --total-variation, or --epsilon "
            f"alone; got {got}"
        )
    if (delta is None) == (target is None):
        raise ValueError("give one of --delta and --target-epsilon")
    name, to_epsilon, to_delta, has_methods, has_sides = notions[frozenset(source)]
    formula = to_epsilon if target is None else to_delta
    if formula is None:
        raise ValueError(f"--target-epsilon is not known for {name}: give --delta")
    if target is not None and two_sided and _plain(target) < 0:
        raise ValueError(f"--target-epsilon must be >= 0 with --two-sided; got {target}")
    bounds = ", ".join(f"{key} = {value}" for key, value in source.items())
    title = f"{name} = {bounds.split()[-1]}" if name.lower().replace(" ", "_") in source else f"{name}, {bounds}"
    sides = {"two_sided": two_sided} if has_sides else {}
    if two_sided or not has_sides:
        title += ", in both orders"
    if target is not None:
        at = "target_epsilon" if formula is c.rdp_to_delta else "epsilon"
        value = _call(formula, digits, **source, **sides, **{at: target})
        return title, [(f"delta at epsilon = {target}", "optimal", value)]
    goal = f"epsilon at delta = {delta}"
    if not has_methods:
        return title, [(goal, "optimal", _call(formula, digits, **source, **sides, delta=delta))]
    rows: Rows = []
    for method in ("optimal",) if _plain(source.get("alpha")) == 1 else c.METHODS:
        options = {"method": method, "two_sided": two_sided and method == "optimal"}
        value = _call(formula, digits, **source, **options, delta=delta)
        rows.append((goal, method, value))
    return title, rows[::-1]


def _from_dp(epsilon: str, delta: str | None, target: str | None, digits: int | None) -> tuple[str, Rows]:
    """Return a title and the rows for what pure or approximate DP, which bounds both orders, implies."""
    from krdtheory.privacy import conversions as c

    given = {"epsilon": epsilon, "delta": delta or "0"}
    formulas: list[tuple[str, Callable[..., Any], dict[str, Any]]] = [
        ("total variation", c.approximate_dp_to_total_variation, given),
        ("Hellinger", c.approximate_dp_to_hellinger, given),
    ]
    if delta is None:
        title = f"pure DP, epsilon = {epsilon}, in both orders"
        formulas += [
            (f"Renyi DP of order {order}", c.pure_to_rdp, {"epsilon": epsilon, "alpha": order})
            for order in (1, 2, 4, 8, 16, 32)
        ]
        formulas.append(("zero-concentrated DP, rho", c.pure_to_zcdp, {"epsilon": epsilon}))
    else:
        title = f"approximate DP, epsilon = {epsilon}, delta = {delta}, in both orders"
        bound = f"kernel Renyi DP with bound {epsilon}, lambda"
        formulas.append((bound, c.approximate_dp_to_regularization, given))
    if target is not None:
        options = {**given, "target_epsilon": target, "two_sided": True}
        formulas.append((f"delta at epsilon = {target}", c.approximate_dp_to_delta, options))
    return title, [(name, "optimal", _call(formula, digits, **arguments)) for name, formula, arguments in formulas]


def _call(formula: Callable[..., Any], digits: int | None, **arguments: Any) -> Any:
    """Evaluate a formula with `digits` digits, or in float64 if that is None."""
    if digits is not None:
        from krdtheory.arithmetic.mp import at_digits

        exact = {name: _each(value, _exact) for name, value in arguments.items()}
        return at_digits(formula, digits, **exact)
    plain = {name: value if name == "method" else _each(value, _plain) for name, value in arguments.items()}
    return formula(**plain)


def _each(value: Any, convert_one: Callable[[Any], Any]) -> Any:
    return [convert_one(one) for one in value] if isinstance(value, list) else convert_one(value)


def _plain(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    number = float(value) if "/" not in value else float(Fraction(value))
    if number == 0 and Fraction(value) != 0:
        raise ValueError(f"{value} is 0 in float64: give --digits")
    return number


def _exact(value: Any) -> Any:
    return float("inf") if isinstance(value, str) and value.lower().startswith("inf") else value


def _text(value: Any, digits: int | None) -> str:
    if digits is None or abs(value) == float("inf"):
        return f"{float(value):.{SHOWN}g}"
    import mpmath

    return str(mpmath.nstr(value, digits))


def _show(
    title: str, columns: tuple[str, ...], rows: Rows, digits: int | None, json_file: Path | None, quiet: bool
) -> None:
    out = console(quiet=quiet or is_stdout(json_file))
    out.print(title, highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    shown = [(*words, _text(value, digits)) for *words, value in rows]
    for row in shown:
        table.add_row(*row)
    out.print(table)
    if any(row[-1] == "inf" for row in shown):
        out.print("inf: no finite epsilon at this delta", highlight=False)
    if json_file is not None:
        from krdtheory import __version__
        from krdtheory.files import plain

        values = [plain(value) if digits is None else row[-1] for (*_, value), row in zip(rows, shown, strict=True)]
        found = [
            {**dict(zip(columns, words, strict=False)), "value": value}
            for (*words, _), value in zip(shown, values, strict=True)
        ]
        write_json(json_file, {"version": __version__, "title": title, "digits": digits, "rows": found})
