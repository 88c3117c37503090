"""Samples are read from .csv, .npy and .npz files, never through pickle."""

import numpy as np
import pytest

from krdtheory.files import plain, read_samples


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
    """Its unpickling would be seen."""

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
    """As pandas writes it for columns without names."""
    file = tmp_path / "x.csv"
    file.write_text("0,1,2\n0.5,0.25,2\n3,4,5\n")
    with pytest.warns(UserWarning, match="begins with the numbers 0 to 2"):
        assert len(read_samples(file)) == 3
