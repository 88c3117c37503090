"""The commands convert and compose, called as functions: their output and their errors."""

import json

import pytest
import typer

from krdtheory.privacy.commands import _numeral, compose, convert


def printed(capsys):
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_convert_shows_every_method(capsys):
    """Values of a table of reference values."""
    assert convert(alpha="2", epsilon="0.1", delta="1e-5") == 0
    last = {words[-2]: words[-1] for words in printed(capsys) if len(words) > 5}
    assert last["mironov"] == "11.612925465"
    assert last["balle"] == "10.2266311039"
    assert last["optimal"] == "7.87484289997"
    convert(alpha="2", epsilon="0.1", delta="1e-5", digits=20)
    assert printed(capsys)[-2][-1] == "7.8748428999737837003"


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        ({"alpha": "8", "epsilon": "1/2", "delta": "0.1", "two_sided": True}, "0.393655140812"),
        ({"alpha": "2", "epsilon": "1", "target_epsilon": "4"}, "0.00801345272970"),
        ({"mu": "1", "delta": "1e-5"}, "4.37717809568"),
        ({"hellinger": "0.2", "target_epsilon": "0"}, "0.6"),
        ({"kl": "0.1", "target_epsilon": "1"}, "0.0549735002293"),
        ({"total_variation": "0.1", "target_epsilon": "1"}, "0.1"),
        ({"total_variation": "0.1", "delta": "0.5"}, "-0.587786664902"),  # log(5 / 9)
        ({"alpha": "2", "epsilon": "1", "delta": "1e-400", "digits": 12}, "920.189067691"),
        ({"epsilon": "1"}, "0.46211715726"),  # zero-concentrated DP
        ({"epsilon": "1", "delta": "0.005"}, "0.00183939720586"),  # the regularization
        ({"alpha": "inf", "epsilon": "1", "delta": "0.1", "digits": 12}, "0.894639484342"),
    ],
)
def test_convert(arguments, value, capsys):
    convert(**arguments)
    assert printed(capsys)[-2][-1] == value.rstrip("0")


@pytest.mark.parametrize(
    ("arguments", "both"),
    [
        ({"kl": "0.1", "delta": "0.1"}, False),
        ({"kl": "0.1", "delta": "0.1", "two_sided": True}, True),
        ({"mu": "1", "delta": "0.1"}, True),  # symmetric, so nothing changes, and the title says why
        ({"mu": "1", "delta": "0.1", "two_sided": True}, True),
        ({"total_variation": "0.1", "target_epsilon": "1", "two_sided": True}, True),
        ({"epsilon": "1", "target_epsilon": "1/2"}, True),
    ],
)
def test_convert_shows_the_orders_of_the_pair(arguments, both, capsys):
    convert(**arguments)
    assert (printed(capsys)[0][-3:] == ["in", "both", "orders"]) is both


def test_delta_of_pure_dp_is_that_of_randomised_response(capsys):
    """It agrees with the total variation: p - e^eps (1 - p), p = e / (1 + e), at eps = 0 and 1/2."""
    for target, want in (("0", "0.46211715726"), ("1/2", "0.287649136645")):
        convert(epsilon="1", target_epsilon=target)
        assert printed(capsys)[-2][-1] == want


@pytest.mark.slow
@pytest.mark.parametrize("digits", [None, 20])
def test_no_epsilon_is_guaranteed(digits, capsys):
    convert(hellinger="0.2", delta="0.3", digits=digits)
    words = printed(capsys)
    assert words[0] == ["Hellinger", "=", "0.2,", "in", "both", "orders"]
    assert words[-3][-1] == "inf" and words[-1] == ["inf:", "no", "finite", "epsilon", "at", "this", "delta"]
    compose(epsilon=["0.1"], delta=["0.1"], k=100, total_delta="0.1", digits=digits)
    assert printed(capsys)[-1] == ["inf:", "no", "finite", "epsilon", "at", "this", "delta"]


def test_compose(capsys):
    compose(epsilon=["0.1"], delta=["1e-6"], k=100, total_delta="101e-6")
    rows = dict(words for words in printed(capsys) if len(words) == 2)
    assert rows["optimal"] == "4.77389854256"
    assert float(rows["optimal"]) < float(rows["renyi"]) < float(rows["colisson"]) < float(rows["basic"]) == 10
    compose(epsilon=["1"], k=1, total_epsilon="0.5", digits=20)  # randomised response: p - e^eps (1 - p)
    assert printed(capsys)[-2] == ["optimal", "0.28764913664496792492"]
    compose(epsilon=["0.5", "0.5"], delta=["0"], total_epsilon="0.3")
    several = printed(capsys)[-2]
    compose(epsilon=["0.5"], delta=["0"], k=2, total_epsilon="0.3")
    assert several == printed(capsys)[-2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"alpha": "2"}, "--alpha"),
        ({"alpha": "2", "epsilon": "1"}, "--target-epsilon"),
        ({"alpha": "2", "epsilon": "1", "delta": "0.1", "target_epsilon": "1"}, "--target-epsilon"),
        ({"rho": "0.1", "target_epsilon": "1"}, "zero-concentrated DP: give --delta"),
        ({"alpha": "0.5", "epsilon": "1", "delta": "0.1"}, r"alpha must be in \[1, inf\]"),
        ({"mu": "1", "delta": "1e-400"}, "1e-400 is 0 in float64: give --digits"),
        ({"kl": "1", "target_epsilon": "-1", "two_sided": True}, "--target-epsilon must be >= 0"),
        ({}, "none"),
    ],
)
def test_bad_input_to_convert(arguments, message):
    with pytest.raises(ValueError, match=message):
        convert(**arguments)


def test_bad_input_to_compose():
    with pytest.raises(ValueError, match="--total-delta"):
        compose(epsilon=["1"], k=3)
    with pytest.raises(ValueError, match="--k"):
        compose(epsilon=["1"], total_delta="0.1")
    with pytest.raises(ValueError, match="--k"):
        compose(epsilon=["1", "2"], k=3, total_delta="0.1")


def test_a_number_with_too_many_digits():
    with pytest.raises(typer.BadParameter, match="exponent beyond"):
        _numeral("1e100000000")
    assert _numeral("1e-400") == "1e-400"


def test_a_table_is_converted_row_by_row(tmp_path, capsys):
    """The values are those of the options, row by row, and are taken exactly as written."""
    file = tmp_path / "rdp.csv"
    file.write_text("alpha,epsilon\n2,0.1\n 8 ,1/2\n")
    assert convert(table=file, delta="1e-5") == 0
    rows = [words for words in printed(capsys) if "optimal" in words]
    for alpha, epsilon, row in (("2", "0.1", rows[0]), ("8", "1/2", rows[1])):
        convert(alpha=alpha, epsilon=epsilon, delta="1e-5")
        (alone,) = [words for words in printed(capsys) if "optimal" in words]
        assert row == [alpha, epsilon, *alone]
    file.write_text("mu,delta\n1,1e-5\n")
    convert(table=file, digits=20)
    assert printed(capsys)[-2][-1].startswith("4.377178095681224")
    file.write_text("epsilon\n1\n2\n")
    convert(table=file)
    assert sum("zero-concentrated" in words for words in printed(capsys)) == 2


def test_columns_of_words_label_the_rows(tmp_path, capsys):
    file = tmp_path / "noise.csv"
    file.write_text("mechanism,mu\nfirst,1\n2nd,2\n")
    convert(table=file, delta="1e-5", json_file=tmp_path / "out.json")
    rows = printed(capsys)
    assert [row[:2] for row in rows if "optimal" in row] == [["first", "1"], ["2nd", "2"]]
    assert [row["mechanism"] for row in json.loads((tmp_path / "out.json").read_text())["rows"]] == ["first", "2nd"]
    file.write_text("mechanism,epsilon\nfirst,0.1\n2nd,0.2\n")
    compose(table=file, total_delta="0")
    assert printed(capsys)[-2][-1] == "0.3"


def test_a_table_of_mechanisms(tmp_path, capsys):
    file = tmp_path / "mechanisms.csv"
    file.write_text("epsilon,delta,k\n0.1,1e-6,2\n0.2,0,1\n")
    compose(table=file, total_delta="1e-5")
    of_table = printed(capsys)
    compose(epsilon=["0.1", "0.1", "0.2"], delta=["1e-6", "1e-6", "0"], total_delta="1e-5")
    assert printed(capsys) == of_table
    file.write_text("epsilon\n0.5\n")
    compose(table=file, total_delta="0")
    assert ["optimal", "0.5"] in printed(capsys)


@pytest.mark.parametrize("suffix", [".parquet"])
def test_a_table_of_another_kind(suffix, tmp_path, capsys):
    pandas = pytest.importorskip("pandas")
    file = tmp_path / f"mu{suffix}"
    pandas.DataFrame({"mu": [1.0, 2.0], "name": ["a", "b"]}).to_parquet(file)
    convert(table=file, delta="1e-5")
    assert printed(capsys)[-3][-1] == "4.37717809568"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("alpha,sigma\n2,1\n", {"delta": "0.1"}, "must be of alpha, epsilon, .*, or words .*got 'sigma'$"),
        ("alpha,epsilom\n2,1\n", {"delta": "0.1"}, r"got 'epsilom'; did you mean 'epsilon'\?"),
        ("mu,value\n1,x\n", {"delta": "0.1"}, "got 'value'"),
        ("alpha,epsilon\n2,x\n", {"delta": "0.1"}, "column 'epsilon', row 1: 'x' is not a number"),
        ("mu,delta\n1,0.1\n", {"delta": "0.1"}, "give --delta or a column of .* for it; got both"),
        ("1,2\n3,4\n", {"delta": "0.1"}, "name its columns$"),
        ("", {"delta": "0.1"}, "name its columns; it is empty"),
        ("epsilon,alpha\n1,2\n-1,2\n", {"delta": "0.1"}, "x.csv, row 2: epsilon must be finite and >= 0; got -1"),
        ("mu\n1\n", {}, "give one of --delta and --target-epsilon"),
    ],
)
def test_bad_tables(text, options, message, tmp_path):
    file = tmp_path / "x.csv"
    file.write_text(text)
    with pytest.raises(ValueError, match=message):
        convert(table=file, **options)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("delta\n0.1\n", {}, "must have a column 'epsilon'"),
        ("epsilon,k\n1,1.5\n", {}, "column 'k', row 1: '1.5' is not an integer >= 1"),
        ("epsilon,k\n1,inf\n", {}, "column 'k', row 1: 'inf' is not an integer >= 1"),
        ("epsilon,k\n1,10001\n", {}, "is not an integer <= 10000"),
        ("epsilon\n1\n", {"k": 3}, "give --table, or --epsilon, --delta and --k"),
        (None, {}, "give --epsilon, or --table"),
    ],
)
def test_bad_tables_of_mechanisms(text, options, message, tmp_path):
    file = tmp_path / "x.csv"
    file.write_text(text or "")
    with pytest.raises(ValueError, match=message):
        compose(table=file if text else None, total_delta="0.1", **options)
