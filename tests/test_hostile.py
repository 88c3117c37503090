"""Malicious files and arguments: each run ends with a documented status, with a message, and in time."""

import bz2
import io
import itertools
import lzma
import os
import socket
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import typer

from krdtheory import cli
from verification.claim import REGISTRY

STATUSES = {0, 1, 2, 3}
SEED = 20
ESCAPE = "\x1b[31m\x9b2J\x07"


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Return a function that runs a command next to good.npy and good.csv, for the status and any misbehaviour."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(SEED)
    np.save("good.npy", rng.normal(size=(20, 2)))
    np.savetxt("good.csv", rng.normal(size=(20, 2)), delimiter=",")
    Path("coins.csv").write_text("score,in\n" + "".join(f"{k % 7}.5,{k % 2}\n" for k in range(21)))

    def command(*arguments):
        for id in [id for id in REGISTRY if id.startswith("mine.")]:
            del REGISTRY[id]
        monkeypatch.setattr(sys, "argv", ["krdtheory", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        out, err = capsys.readouterr()
        status = caught.value.code
        wrong = [word for word in ("Traceback", "should not happen", "\x1b", "\x9b", "\x07") if word in out + err]
        wrong += [] if status in STATUSES else ["status"]
        wrong += [] if all(len(line) < 1200 for line in err.splitlines()) else ["length"]
        wrong += [] if status != 2 or (err and (not out or "/dev/full" in arguments)) else ["silent"]
        return status, f"{arguments}: {status} {wrong} {err[-300:]}" if wrong else ""

    return command


# Files


def npy(descr="'<f8'", order="False", shape="(2, 2)", header=None, version=1, data=bytes(32)):
    """Return a .npy file with this header, valid or not."""
    text = header or f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"
    raw = text.encode("utf-8" if version == 3 else "latin1")
    size = len(raw).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version % 256, 0]) + size + raw + data


def saved(values, save=np.save):
    file = io.BytesIO()
    save(file, values)
    return file.getvalue()


def damaged(content, count, rng, start=0):
    """Yield copies of a file with some bytes changed, and truncated ones."""
    for k in range(count):
        changed = bytearray(content)
        for at in rng.integers(start, len(content), size=1 + k % 3):
            changed[at] = rng.integers(256)
        yield bytes(changed)
    yield from (content[:keep] for keep in np.linspace(0, len(content) - 1, count // 2).astype(int))


def npy_files(rng):
    shapes = ("(-1,)", "(2**70,)", f"({2**62}, {2**62})", f"({2**63},)", "(10**400,)", "()", "(0,)", "(1.5,)", "('a',)")
    yield from (npy(shape=shape) for shape in (*shapes, "((1,),)", "(True,)", "4", "None", "[2, 2]", "(1,) * 99"))
    kinds = (
        "'O'",
        "'V8'",
        "'<U3'",
        "'<c16'",
        "'<f3'",
        "''",
        "None",
        "[('a', '<f8')]",
        "'M8[s]'",
        "'<f16'",
        "8",
        "'b1'",
    )
    yield from (npy(descr=descr) for descr in (*kinds, "'" + "f" * 5000 + "'", "'(2,)<f8'", "('<f8', (2,))"))
    headers = (
        "__import__('os').abort()",
        "{}",
        "[]",
        "x",
        "{'shape': (1,)}",
        "(" * 3000,
        "{'a': 1" * 50,
        "\0",
        " ",
        "1_0",
    )
    yield from (npy(header=header) for header in headers)
    yield from (npy(version=version) for version in (0, 3, 9, 255))
    yield from (npy(order=order) for order in ("'x'", "None", "2"))
    yield from (npy(header="{" + " " * 70_000 + "}", version=2), npy(data=b""), npy(data=bytes(10**5)))
    yield b"\x93NUMPY"
    yield from damaged(saved(np.arange(6.0).reshape(3, 2)), 14, rng)


def archive(*members, method=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as made:
        for name, content in members:
            made.writestr(name, content)
    return file.getvalue()


def patched(content, old, new):
    assert old in content
    return content.replace(old, new)


def npz_files(rng):
    good = saved(np.arange(6.0).reshape(3, 2))
    yield from (archive(("a.txt", b"1,2")), archive(), archive(("a.npy", b"")), archive(("a.npy", b"no array")))
    yield from (archive(("a.npy", good), ("b.npy", good)), archive(("../a.npy", npy("'O'"))), b"PK\x05\x06" + bytes(18))
    yield from (archive((ESCAPE + ".npy", npy(header="{"))), archive(("[/red]", b"1")), archive(("a.npz", archive())))
    stored = archive(("a.npy", good))
    yield patched(stored, b"\x14\x00\x00\x00\x00\x00", b"\x14\x00\x01\x00\x00\x00")  # encrypted
    for method in (1, 6, 9, 12, 14, 93, 99):
        yield patched(stored, b"\x14\x00\x00\x00\x00\x00", b"\x14\x00\x00\x00" + bytes([method, 0]))
    for method, squeezed in ((zipfile.ZIP_LZMA, lzma.compress), (zipfile.ZIP_BZIP2, bz2.compress)):
        packed = archive(("a.npy", good * 9), method=method)
        middle = len(packed) // 3
        yield packed[:middle] + bytes(20) + packed[middle + 20 :]
        yield squeezed(good)
    yield from damaged(saved(np.arange(60.0).reshape(30, 2), np.savez_compressed), 12, rng)


def csv_files(rng):
    texts = (
        "",
        "\n",
        ",",
        ",,\n1",
        "a,b",
        "a\n",
        "\0",
        "1,2\n\0,3",
        '"',
        '"1,2\n3',
        '1,"2\n3\n"',
        "1;2\n3;4",
        "1\t2\n",
        "1,2\n3",
    )
    yield from (text.encode() for text in texts)
    numbers = (
        "1_0",
        "1e999",
        "nan",
        "inf",
        "-Infinity",
        "0x1p3",
        "9" * 400,
        "9" * 5000,
        "=1+1",
        "1e",
        "１２",
        "1 2",
        "--1",
    )
    yield from (f"{number},1\n{number},2\n".encode() for number in numbers)
    yield from (
        f"a,b\n{text},1\n".encode() for text in ("x" * 10**5, "[/red]", ESCAPE, "x" * 200_000, '""""', "é", "\u202e")
    )
    yield from (f"{name},{name}\n1,2\n".encode() for name in (ESCAPE, "[bold]", "a\rb", ""))
    yield from (
        "1,2\n".encode("utf-16"),
        "é,1\n".encode("latin1"),
        b"\xef\xbb\xbf",
        b"1,2\r3,4\r",
        b"\xff" * 99,
        b"1," * 5000,
    )
    yield from damaged(b"a,b\n" + b"1.5,2.5\n" * 20, 8, rng)


def parquet_files(rng):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    def table(**columns):
        file = io.BytesIO()
        parquet.write_table(pyarrow.table({name: pyarrow.array(*cells) for name, cells in columns.items()}), file)
        return file.getvalue()

    yield from (table(a=([cell],)) for cell in ([1.0], {"a": 1}, None, True, b"x", "x", 2**60, float("nan")))
    yield from (table(a=([1], kind)) for kind in (pyarrow.timestamp("s"), pyarrow.duration("s"), pyarrow.date32()))
    yield from (table(**{ESCAPE: (["x"],)}), table(**{"[/red]": (["x"],)}), table(), b"PAR1", b"PAR1PAR1", bytes(99))
    yield from damaged(table(a=([1.0, 2.0] * 20,), b=([3.0, 4.0] * 20,)), 10, rng)


FILES = {".npy": npy_files, ".npz": npz_files, ".csv": csv_files, ".parquet": parquet_files}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("suffix", FILES)
def test_hostile_files(run, suffix):
    failures, seen, count = [], set(), 0
    for count, content in enumerate(FILES[suffix](np.random.default_rng(SEED)), 1):
        name = f"bad{suffix}"
        with open(name, "wb") as file:
            file.write(content)
        text = ("--text", "--column", "a") if count % 2 else ("--column", ESCAPE)
        also = [("audit", name, "good.npy", "--epsilon", 1, *text)] if count % 8 == 0 else []
        for command in (("divergence", "good.csv", name), *also):
            status, wrong = run(*command)
            seen.add(status)
            failures += [f"{content[:80]!r}: {wrong}"] if wrong else []
    assert failures == []
    assert seen == {0, 2}  # files with damage only in their numbers are read
    assert count >= 30


def test_paths_that_are_not_files(run, tmp_path):
    made = []
    for suffix in FILES:
        for name, make in (
            ("pipe", os.mkfifo),
            ("folder", os.mkdir),
            ("zero", lambda path: os.symlink("/dev/zero", path)),
            ("null", lambda path: os.symlink("/dev/null", path)),
            ("nowhere", lambda path: os.symlink("missing", path)),
            ("loop", lambda path: os.symlink(path, path)),
        ):
            made.append(f"{name}{suffix}")
            make(made[-1])
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.npy")
    made += ["socket.npy", "x" * 300 + ".csv", "", ".", "/", "a.csv/b.csv", ESCAPE + ".csv", "[/red].npy", "\udcff.csv"]
    for name in made:
        for command in (("divergence", name, "good.npy"), ("audit", "good.csv", name, "--epsilon", 1)):
            status, wrong = run(*command)
            assert (status, wrong) == (2, "")


@pytest.mark.slow
def test_a_line_without_end(run):
    """A file of a terabyte without a newline is rejected without being read."""
    with open("sparse.csv", "wb") as file:
        file.truncate(1 << 40)
    assert run("divergence", "sparse.csv", "good.npy")[0] == 2


# Arguments

VALUES = (
    "",
    " ",
    "-1",
    "0",
    "nan",
    "inf",
    "-inf",
    "1e400",
    "1e-400",
    "1e999999999",
    "9" * 400,
    "9" * 5000,
    "x",
    "1/0",
    "1/3",
    "1_0",
    "0x10",
    "１",
    "[/red]",
    ESCAPE,
    "\udcff",
    "--",
    "-",
    "/dev/full",
    "x" * 3000,
)
GOOD = {
    "divergence": ("good.csv", "good.npy"),
    "audit": ("good.csv", "good.npy", "--epsilon", "1"),
    "audit-run": ("coins.csv", "--column", "score", "--included", "in", "--epsilon", "1"),
    "convert": ("--mu", "1", "--delta", "1e-5"),
    "compose": ("--epsilon", "0.1", "--k", "3", "--total-delta", "1e-5"),
    "verify": ("--claim", "krd.cor2", "--budget", "20"),
    "check": ("mine.py", "--budget", "20"),
}
CLAIMS = """
from verification import claim
from verification.instances import Distributions

for word in ("one", "[/red]", "\x1b[31m"):
    claim(f"mine.{word}", label=f"Theorem 3 {word}", statement=f"{word}", given={"p": Distributions(1)})(
        lambda k, p: (0 * p[0][..., 0], p[0][..., 0])
    )
"""


def options(command):
    """Return the options of a command, from its parser."""
    _, found, _ = cli.app.resolve_command(typer.Context(cli.app), [command])
    return [param.opts[0] for param in found.params if param.opts[0].startswith("-") and not param.is_flag]


CLAIM = """
from verification import claim
from verification.instances import Distributions

@claim({id!r}, label={label!r}, statement={statement!r}, given={given})
def one(k, p):
    {body}
"""
PARTS = {
    "id": ("mine.\x1b[31m", "mine.[/red]", "mine." + "x" * 3000, "", "none", "krd.cor2"),
    "label": ("[/red]" * 50, ESCAPE, "", "\ud800"),
    "statement": ("{" * 3000, r"\text{<script>}", "[/red]", ESCAPE, "\ud800"),
    "given": ("{}", "{'q': Distributions(1)}", "3", "{'p': 1}", "{'p': Distributions(0)}"),
    "body": (
        "return 1",
        "return None",
        "return 'a', 'b'",
        "return p",
        "raise KeyError('[/red]')",
        "raise KeyError('\x1b[31m')",
        "raise BaseException",
        "raise GeneratorExit",
        "raise StopIteration",
        "raise MemoryError",
        "raise SystemExit(1)",
        "return one(k, p)",
        "return p[9]",
        "return p[0][..., 0] * float('nan'), p[0][..., 0]",
        "return p[0][..., 0] * 10**400, p[0][..., 0]",
    ),
}
NO_CLAIMS = (
    "",
    "\0",
    "def",
    "\udcff",
    "(" * 3000,
    "import none",
    "1 / 0",
    "exit(0)",
    "raise BaseException",
    "raise MemoryError",
)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_hostile_claims(run):
    good = {"id": "mine.one", "label": "", "statement": "", "given": "{'p': Distributions(1)}"}
    good["body"] = "return 0 * p[0][..., 0], p[0][..., 0]"
    made = [CLAIM.format(**good | {part: value}) for part, values in PARTS.items() for value in values]
    failures = []
    for text in (*made, *NO_CLAIMS):
        with open("bad.py", "wb") as file:
            file.write(text.encode(errors="surrogateescape" if "\udcff" in text else "surrogatepass"))
        status, wrong = run("check", "bad.py", "--budget", 10, "--json", "bad.json", "--html", "bad.html")
        failures += [f"{text!r}: {wrong}"] if wrong else []
        failures += [f"{text!r}: {status}"] if text in NO_CLAIMS and status != 2 else []
    assert failures == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("command", GOOD)
def test_hostile_arguments(run, command):
    with open("mine.py", "w") as file:
        file.write(CLAIMS)
    rng, failures, seen = np.random.default_rng(SEED), [], {}
    count = 40 if command == "verify" else 60
    pairs = list(itertools.product(options(command), VALUES))
    for name, value in [pairs[k] for k in rng.permutation(len(pairs))[:count]]:
        status, wrong = run(command, *GOOD[command], name, value)
        seen[name] = seen.get(name, set()) | {status}
        failures += [f"{name} {value[:40]!r}: {wrong}"] if wrong else []
    assert failures == []
    assert run(command, *GOOD[command]) in ((0, ""), (1, ""))  # the same command without it works
    assert any(2 in statuses for statuses in seen.values())
