"""Samples are read from .csv, .npy and .npz files, never through pickle."""

import sys

import numpy as np
import pytest

from krdtheory.files import plain, read_chunks, read_pair, read_samples, read_texts


@pytest.fixture
def csv(tmp_path):
    def write(content):
        file = tmp_path / "samples.csv"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ("1,2\n3,4\n", [[1, 2], [3, 4]]),
        ("1,2\n3,4", [[1, 2], [3, 4]]),  # no newline at the end
        ("a,b\n1,2\n3,4\n", [[1, 2], [3, 4]]),
        ('"a, b",c\n1,2\n', [[1, 2]]),
        (b"\xef\xbb\xbfa,b\n1,2\n", [[1, 2]]),  # a byte order mark
        (b"\xef\xbb\xbf1,2\n3,4\n", [[1, 2], [3, 4]]),
        ("1,2\r\n3,4\r\n", [[1, 2], [3, 4]]),
        ("x\r\n1\r\n2\r\n", [[1], [2]]),
        ("1\n2\n3\n", [[1], [2], [3]]),
        ("\n1,2\n\n \n3,4\n\n", [[1, 2], [3, 4]]),
        (" 1 , -2.5e-3\n+3,.5\n", [[1, -0.0025], [3, 0.5]]),
        ('"1","2"\n', [[1, 2]]),
        ("1e-320,1e300\n", [[1e-320, 1e300]]),
    ],
)
def test_csv(csv, content, rows):
    samples = read_samples(csv(content))
    assert samples.dtype == float
    assert samples.tolist() == rows


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ["at least one row", "(0, 0)"]),
        ("a,b\n", ["at least one row"]),
        ("\n\n", ["at least one row"]),
        ("a,b\n1,two\n", ["numbers", "'two'", "line 2"]),
        ("1,2\n3,\n", ["numbers", "''", "line 2"]),
        ("id,1\n2,3\n", ["numbers", "'id'", "line 1"]),  # half a header
        ("1,2\n3,4,5\n", ["one length", "3 in line 2", "not 2"]),
        ("1,2\n\n3\n", ["one length", "1 in line 3"]),
        ("1,nan\n", ["finite", "nan", "row 1, column 2"]),
        ("1,2\n-inf,3\n", ["finite", "-inf", "row 2, column 1"]),
        ("1,1e400\n", ["finite", "inf"]),
        ("1;2\n3;4\n", ["numbers", "'3;4'"]),
        (b"\xff\xfe1\x00", ["comma-separated text"]),
    ],
)
def test_bad_csv(csv, content, words):
    with pytest.raises(ValueError) as caught:
        read_samples(csv(content))
    message = str(caught.value)
    assert all(word in message for word in ["samples.csv", *words]), message
    assert "\n" not in message


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, ">f8", np.float16])
@pytest.mark.parametrize("suffix", [".npy", ".npz", ".NPY"])
def test_numpy_files(tmp_path, dtype, suffix):
    file = tmp_path / f"x{suffix}"
    values = np.array([[1, 2], [3, 4]], dtype=dtype)
    with file.open("wb") as out:
        np.savez(out, samples=values) if suffix == ".npz" else np.save(out, values)
    samples = read_samples(file)
    assert samples.dtype == np.float64
    assert samples.tolist() == [[1, 2], [3, 4]]
    assert read_samples(str(file)).tolist() == samples.tolist()


def test_one_dimensional_arrays_are_samples_of_dimension_one(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(3.0))
    assert read_samples(tmp_path / "x.npy").tolist() == [[0], [1], [2]]


def test_compressed_archives(tmp_path):
    np.savez_compressed(tmp_path / "x.npz", np.eye(2))
    assert read_samples(tmp_path / "x.npz").tolist() == [[1, 0], [0, 1]]


class Bomb:
    """An object whose unpickling would be noticed."""

    def __reduce__(self):
        return pytest.fail, ("a pickle was loaded",)


def objects():
    out = np.empty(1, dtype=object)
    out[0] = Bomb()
    return out


def pickled(file):
    import pickle

    file.write_bytes(pickle.dumps(Bomb()))


def cut(save, name, keep):
    def write(file):
        whole = file.with_name(name)
        save(whole, np.arange(1000.0).reshape(100, 10))
        file.write_bytes(whole.read_bytes()[:keep])

    return write


@pytest.mark.parametrize(
    ("name", "write", "word"),
    [
        ("x.npy", pickled, "pickled"),
        ("x.npz", pickled, "pickled"),
        ("x.npy", lambda file: np.save(file, objects()), "pickled"),
        ("x.npz", lambda file: np.savez(file, objects()), "pickled"),
        ("x.npy", lambda file: file.write_bytes(b""), "NumPy file"),
        ("x.npy", lambda file: file.write_text("1,2\n3,4\n"), "NumPy file"),
        ("x.npy", cut(np.save, "y.npy", 400), "NumPy file"),
        ("x.npy", cut(np.save, "y.npy", 40), "NumPy file"),
        ("x.npz", cut(np.savez, "y.npz", 400), "NumPy file"),
        ("x.npz", cut(np.savez, "y.npz", 10), "NumPy file"),
        ("x.npz", lambda file: np.savez(file, a=np.eye(2), b=np.eye(2)), "holds 2"),
        ("x.npz", lambda file: np.savez(file), "holds 0"),
        ("x.npy", lambda file: np.save(file, np.eye(2) * 1j), "complex128"),
        ("x.npy", lambda file: np.save(file, np.eye(2) > 0), "bool"),
        ("x.npy", lambda file: np.save(file, np.array(["1", "2"])), "<U1"),
        ("x.npy", lambda file: np.save(file, np.zeros(2, "M8[s]")), "datetime64"),
        ("x.npy", lambda file: np.save(file, np.array([(1, 2.0)], "i4,f8")), "dtype"),
        ("x.npy", lambda file: np.save(file, np.float64(3)), "shape ()"),
        ("x.npy", lambda file: np.save(file, np.empty((0, 3))), "shape (0, 3)"),
        ("x.npy", lambda file: np.save(file, np.empty((3, 0))), "shape (3, 0)"),
        ("x.npy", lambda file: np.save(file, np.ones((2, 2, 2))), "shape (2, 2, 2)"),
        ("x.npy", lambda file: np.save(file, [[1, np.nan]]), "row 1, column 2"),
        ("x.txt", lambda file: file.write_text("1,2\n"), ".csv"),
        ("x", lambda file: file.write_text("1,2\n"), ".npz"),
        ("x.npy.gz", lambda file: file.write_text("1,2\n"), ".npy"),
    ],
)
def test_bad_files(tmp_path, name, write, word):
    file = tmp_path / name
    write(file)
    with pytest.raises(ValueError) as caught:
        read_samples(file)
    assert name in str(caught.value)
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_damaged_archive_member(tmp_path):
    file = tmp_path / "x.npz"
    np.savez_compressed(file, np.random.default_rng(0).normal(size=(50, 4)))
    content = bytearray(file.read_bytes())
    content[300:400] = bytes(100)
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"x\.npz must be a NumPy file"):
        read_samples(file)


@pytest.mark.parametrize("name", ["missing.csv", "missing.npy", "missing.npz"])
def test_missing_files(tmp_path, name):
    with pytest.raises(FileNotFoundError, match="missing"):
        read_samples(tmp_path / name)


@pytest.mark.parametrize("name", ["folder.csv", "folder.npy"])
def test_directories(tmp_path, name):
    (tmp_path / name).mkdir()
    with pytest.raises(IsADirectoryError, match="folder"):
        read_samples(tmp_path / name)


def test_infinities_are_strings_in_json():
    assert plain(np.array([[1.5, np.inf], [-np.inf, np.nan]])) == [[1.5, "inf"], ["-inf", "nan"]]
    assert plain([2.0, np.inf]) == [2.0, "inf"]
    assert plain(np.float32(0.5)) == 0.5


def test_a_header_of_numbers_is_pointed_out(tmp_path):
    """pandas writes such a header for columns without names."""
    file = tmp_path / "x.csv"
    file.write_text("0,1,2\n0.5,0.25,2\n3,4,5\n")
    with pytest.warns(UserWarning, match="begins with the numbers 0 to 2"):
        assert len(read_samples(file)) == 3


@pytest.fixture
def parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    def write(columns, **options):
        parquet.write_table(pyarrow.table(columns), tmp_path / "x.parquet", **options)
        return tmp_path / "x.parquet"

    return write


def test_parquet(parquet):
    file = parquet({"a": [1, 2, 3], "b": [0.5, -1.0, 1e300]})
    assert read_samples(file).tolist() == [[1, 0.5], [2, -1], [3, 1e300]]
    assert [len(c) for c in read_chunks(file, rows=2)] == [2, 1]
    assert read_samples(parquet({"a": np.arange(5, dtype=np.float32)})).tolist() == [[0], [1], [2], [3], [4]]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"a": [1.0, 2.0], "name": ["x", "y"]}, "column 'name' is string"),
        ({"a": [True, False]}, "column 'a' is bool"),
        ({"a": [[1.0], [2.0]]}, "column 'a' is list"),
        ({"a": [1.0, None]}, "finite numbers; got nan in row 2, column 1"),
        ({"b": [1, 2, None], "a": [1, 2, 3]}, "finite numbers; got nan in row 3, column 1"),
        ({"a": [1.0, np.inf]}, "finite numbers; got inf in row 2, column 1"),
        ({"a": np.array([], dtype=float)}, "at least one row"),
    ],
)
def test_bad_parquet(parquet, columns, words):
    with pytest.raises(ValueError, match=words) as caught:
        read_samples(parquet(columns))
    assert "x.parquet" in str(caught.value)


@pytest.mark.parametrize("keep", [0, 10, 1000, -10])
def test_a_truncated_parquet_file(parquet, keep):
    file = parquet({"a": np.arange(5000.0)})
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(ValueError, match=r"x\.parquet must be a whole Parquet file") as caught:
        read_samples(file)
    assert "\n" not in str(caught.value)


def test_parquet_without_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    with pytest.raises(ValueError, match=r"x\.parquet needs pyarrow: pip install 'krdtheory\[parquet\]'"):
        read_samples(tmp_path / "x.parquet")


@pytest.mark.parametrize("suffix", [".csv", ".npy", ".npz", ".parquet"])
@pytest.mark.parametrize("rows", [1, 7, 50, 51, 1000])
def test_chunks_are_the_samples_in_order(tmp_path, suffix, rows):
    values = np.random.default_rng(0).normal(size=(50, 3))
    file = tmp_path / f"x{suffix}"
    if suffix == ".csv":
        np.savetxt(file, values, "%.17g", ",", header="a,b,c", comments="")
    elif suffix == ".parquet":
        pandas = pytest.importorskip("pandas")
        pandas.DataFrame(values, columns=list("abc")).to_parquet(file)
    else:
        (np.save if suffix == ".npy" else np.savez)(file, values)
    chunks = list(read_chunks(file, rows=rows))
    assert max(map(len, chunks)) <= rows
    assert np.array_equal(np.concatenate(chunks), values)
    assert np.array_equal(read_samples(file), values)


def test_errors_deep_in_a_file_name_their_line(csv):
    lines = [f"{i},0.5" for i in range(1000)]
    for bad, words in (
        ("7,x", "got 'x' in line 901"),
        ("7", "rows of one length; got 1 in line 901, not 2"),
        ("7,nan", "got nan in row 901, column 2"),
        ("7,", "got '' in line 901"),
        ("7,8,9", "rows of one length; got 3 in line 901, not 2"),
    ):
        file = csv("\n".join([*lines[:900], bad, *lines[900:]]))
        chunks = read_chunks(file, rows=100)
        assert len(next(chunks)) == 100
        with pytest.raises(ValueError, match=words):
            list(chunks)


def test_blank_lines_and_quotes_anywhere(csv):
    file = csv('a,b\n1,2\n\n"3","4"\n \n5,6\n')
    assert np.concatenate(list(read_chunks(file, rows=2))).tolist() == [[1, 2], [3, 4], [5, 6]]
    with pytest.raises(ValueError, match="got 'b' in line 2"):  # one header is enough
        list(read_chunks(csv("a\nb\n1\n"), rows=1))
    with pytest.raises(ValueError, match="one length; got 2 in line 2, not 3"):  # a column is missing
        read_samples(csv("a,b,c\n1,2\n3,4\n"))
    assert np.concatenate(list(read_chunks(csv("\n" * 10 + "a\n" + "\n" * 10 + "1\n"), rows=2))).tolist() == [[1]]


def test_bad_chunk_sizes(csv):
    with pytest.raises(ValueError, match="rows must be an integer >= 1; got 0"):
        next(read_chunks(csv("1\n"), rows=0))


def test_columns_of_two_files_are_not_exchanged(tmp_path):
    values = np.array([[1.0, 2.0], [3.0, 4.0]])
    headers = {"x": "count, total\n", "same": "count,total\n", "bare": "", "other": "a,b\n", "turned": "total,count\n"}
    files = {name: tmp_path / f"{name}.csv" for name in headers}
    for name, header in headers.items():
        files[name].write_text(header + "1,2\n3,4\n")
    for name in ("same", "bare", "other"):
        x, y = read_pair(files["x"], files[name])
        assert (x == values).all() and (y == values).all()
    with pytest.raises(ValueError, match=r"must have its columns in the order of .*, count, total; got total, count"):
        read_pair(files["x"], files["turned"])
    pandas = pytest.importorskip("pandas")
    pandas.DataFrame(values, columns=["total", "count"]).to_parquet(tmp_path / "turned.parquet")
    with pytest.raises(ValueError, match="must have its columns in the order of"):
        read_pair(files["x"], tmp_path / "turned.parquet")


NAMED = 'id,answer, amount\n1,"yes, of course",0.5\n\n2,no,-1\n3,,1e3\n'


@pytest.mark.parametrize("rows", [1, 2, 100])
def test_columns_by_name(csv, rows):
    chunks = read_chunks(csv(NAMED), rows=rows, columns=["amount", "id"])
    assert np.concatenate(list(chunks)).tolist() == [[0.5, 1], [-1, 2], [1000, 3]]
    assert read_samples(csv("7,8\n1,2\n3,4\n"), columns=["8"]).tolist() == [[2], [4]]


def test_columns_of_a_pair_may_be_in_another_order(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    (tmp_path / "y.csv").write_text("b,c,a\n2,x,1\n")
    x, y = read_pair(tmp_path / "x.csv", tmp_path / "y.csv", columns=["a", "b"])
    assert x.tolist() == y.tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("content", "columns", "words"),
    [
        (
            NAMED,
            ["amounts"],
            "must have one column 'amounts'; it has 0, and these: id, answer, amount; did you mean 'amount'",
        ),
        ("a,a\n1,2\n", ["a"], "must have one column 'a'; it has 2, and these: a, a"),
        (",".join(map(str, range(99))), ["x"], "these: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ..."),
        ("", ["a"], "it has 0, and these: none"),
        (NAMED, ["id", "id"], "columns must be names that differ"),
        (NAMED, [], "columns must be a sequence of at least one name"),
        (NAMED, "id", "columns must be a sequence of at least one name; got 'id'"),
        (NAMED, ["answer"], "must hold comma-separated numbers; got 'yes, of course' in line 2"),
        ("a,b\n1,2\n3\n", ["a"], "rows of one length; got 1 in line 3, not 2"),
        ("a,b\n1,2\n3,4,5\n", ["a"], "rows of one length; got 3 in line 3, not 2"),
        ("a,b\n1,inf\n", ["b"], "got inf in row 1, column b"),
    ],
)
def test_bad_columns(csv, content, columns, words):
    with pytest.raises(ValueError) as caught:
        read_samples(csv(content), columns=columns)
    assert words in str(caught.value)


def test_numpy_files_have_no_names(tmp_path):
    np.save(tmp_path / "x.npy", np.eye(2))
    with pytest.raises(ValueError, match=r"x\.npy must be a \.csv or \.parquet file, which name their columns"):
        read_samples(tmp_path / "x.npy", columns=["a"])


def test_columns_of_parquet(parquet):
    file = parquet({"day": ["x", "y", None], "b": [1, 2, 3], "a": [0.5, -1.0, 1e300]})
    assert read_samples(file, columns=["a", "b"]).tolist() == [[0.5, 1], [-1, 2], [1e300, 3]]
    assert read_texts(file, columns=["day"]).tolist() == ["x", "y", ""]
    assert read_texts(file, columns=["b", "day"]).tolist() == [("1", "x"), ("2", "y"), ("3", "")]
    with pytest.raises(ValueError, match=r"words or integers, for text; got 0\.5 in column 'a'"):
        read_texts(file, columns=["a"])
    with pytest.raises(ValueError, match="got False in column 'a'"):  # true, True or 1 in other files
        read_texts(parquet({"a": [None, False]}), columns=["a"])
    file = parquet({"day": ["x"], "b": [1]})
    with pytest.raises(ValueError, match=r"must have one column 'c'; it has 0, and these: day, b$"):
        read_samples(file, columns=["c"])


def test_texts(csv):
    named = NAMED.replace("\n\n", "\n")
    assert read_texts(csv(named), columns=["answer"]).tolist() == ["yes, of course", "no", ""]
    assert read_texts(csv("\n" + named), columns=["id", "amount"]).tolist() == [("1", "0.5"), ("2", "-1"), ("3", "1e3")]
    assert read_texts(csv(b"\xef\xbb\xbfa,b\r\n1,x\r\n\r\n"), columns=["a"]).tolist() == ["1"]
    assert read_texts(csv('a\n" a"\n""\n'), columns=["a"]).tolist() == [" a", ""]


@pytest.mark.parametrize(
    ("content", "columns", "words"),
    [
        ("", ["answer"], "it has 0, and these: none"),
        ("answer\n", ["answer"], "at least one row of text"),
        ("\na,b\nc\n", ["a"], "rows of one length; got 1 in line 3, not 2"),
        ("a,b\n1,2\nc\n", ["a"], "rows of one length; got 1 in line 3, not 2"),
        (NAMED, ["answer"], 'no blank lines among words, where an empty one is ""; got one, line 3'),
        (NAMED, ["reply"], "must have one column 'reply'"),
        (b"\xff\xfe1\x00", ["a"], "comma-separated text"),
        ('a\n"x\ny\n', ["a"], "comma-separated text: unexpected end of data"),
    ],
)
def test_bad_texts(csv, content, columns, words):
    with pytest.raises(ValueError, match=words):
        read_texts(csv(content), columns=columns)


def test_texts_need_files_that_contain_them(tmp_path):
    with pytest.raises(ValueError, match=r"a \.csv or \.parquet file, for text"):
        read_texts(tmp_path / "x.npy", columns=["a"])


LARGE = 2**53 + 1


@pytest.mark.parametrize("columns", [None, ["a"]])
@pytest.mark.parametrize(
    "content", [f"a,b\n1,2\n{LARGE},3\n", f"a,b\n-{LARGE},3\n", f"a,b\n1,2\n1e300,3\n +{LARGE},3\n"]
)
def test_integers_that_floats_would_round_are_rejected(csv, content, columns):
    with pytest.raises(ValueError, match=rf"samples\.csv must be integers within 2\^53, .*; got -?{LARGE}"):
        read_samples(csv(content), columns=columns)
    assert read_samples(csv(f"a\n{2**53}\n1e300\n")).tolist() == [[2.0**53], [1e300]]


def test_integers_in_binary_files_that_floats_would_round_are_rejected(tmp_path, parquet):
    np.save(tmp_path / "x.npy", np.array([1, -LARGE]))
    for file in (tmp_path / "x.npy", parquet({"a": np.array([1, LARGE], dtype=np.uint64)})):
        with pytest.raises(ValueError, match=rf"must be integers within 2\^53, .*; got -?{LARGE}"):
            read_samples(file)


def test_an_index_column_causes_a_warning(csv, parquet):
    with pytest.warns(UserWarning, match=r"samples\.csv has a column named '', .* may be an index"):
        read_samples(csv(",a\n0,1\n1,2\n"))
    with pytest.warns(UserWarning, match="has a column named '__index_level_0__'"):
        read_samples(parquet({"a": [1, 2], "__index_level_0__": [0, 1]}))
    assert read_samples(csv(",a\n0,1\n1,2\n"), columns=["a"]).tolist() == [[1], [2]]
    with pytest.raises(ValueError, match="at least one column"):
        read_samples(parquet({}))
