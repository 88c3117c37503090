"""What is imported when, and the messages if an extra is not installed."""

import ast
import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import krdtheory
from krdtheory.imports import EXTRAS, MissingExtraError, extra, need

LAZY = ["krdtheory", "krdtheory.arithmetic", "krdtheory.audit", "krdtheory.privacy"]
HEAVY = ("flint", "hypothesis", "jinja2", "latex2mathml", "matplotlib", "mpmath", "scipy.optimize", "sklearn", "sympy")


def python(code, *arguments, cwd=None):
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(krdtheory.__file__).parents[1]), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=120, env=env, cwd=cwd
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def declared(package):
    """Return (module, name) of the names that a package declares to type checkers, and to Python."""
    tree = ast.parse(Path(importlib.import_module(package).__file__).read_text())
    (fork,) = (node for node in tree.body if isinstance(node, ast.If))
    assert ast.unparse(fork.test) == "TYPE_CHECKING"
    typed = {(node.module, alias.name) for node in fork.body for alias in node.names}
    (homes,) = (node.value.args[1] for node in fork.orelse if isinstance(node, ast.Assign))
    found = {
        (f"{package}.{module}".rstrip("."), name) for module, names in ast.literal_eval(homes).items() for name in names
    }
    return typed, found


@pytest.mark.parametrize("package", LAZY)
def test_types_and_imports_agree(package):
    typed, found = declared(package)
    assert typed == found
    module = importlib.import_module(package)
    names = {name for _, name in found}
    assert names <= {*module.__all__, "__version__"}
    assert {*module.__all__} <= {*dir(module)}
    for home, name in found:
        expected = importlib.import_module(f"{home}.{name}") if home == package else None
        assert getattr(module, name) is (expected or getattr(importlib.import_module(home), name))
        assert name in vars(module)  # the next access needs no import
    with pytest.raises(AttributeError, match=rf"module '{package}' has no attribute 'renyy'") as caught:
        module.renyy  # noqa: B018
    assert (caught.value.name, caught.value.obj) == ("renyy", module)  # Python suggests "Did you mean: 'renyi'?"


@pytest.mark.slow
def test_modules_that_are_not_listed():
    """`help(krdtheory.divergences.quantum)` in the documentation needs them; __main__ would run."""
    assert python("import krdtheory as k; print(k.divergences.quantum.__name__, k.audit.outputs.__name__)") == [
        "krdtheory.divergences.quantum krdtheory.audit.outputs"
    ]
    for name in ("__main__", "nothing", "__wrapped__"):
        assert not hasattr(krdtheory, name)


def test_names_are_documented_and_in_star_imports():
    scope = {}
    exec("from krdtheory import *", scope)
    assert {*krdtheory.__all__} <= {*scope}
    assert "alpha" in inspect.signature(krdtheory.renyi).parameters
    assert "sandwiched_renyi" in dir(krdtheory)


LOADED = f"""
import contextlib, io, sys
def show(what):
    print(what, *[name for name in ("numpy", *{HEAVY}) if name in sys.modules])
import krdtheory, krdtheory.pytest_plugin
show("import")
from krdtheory import cli
for arguments in (["--help"], ["audit", "--help"], ["--version"]):
    sys.argv = ["krdtheory", *arguments]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        cli.main()
show("help")
krdtheory.renyi([0.5, 0.5], [0.5, 0.5], 2)
krdtheory.sandwiched_renyi([[1.0]], [[1.0]], 2)
show("float64")
krdtheory.mp.renyi([1], [1], 2)
krdtheory.ball.renyi([1], [1], 2)
from krdtheory.audit import audit
from verification import check, claim
from verification.instances import Scale
print(check(claim("mine.one", label="mine", statement="?", given={{"x": Scale()}})(lambda k, x: (x, x - 1))).verdict)
show("all")
import sympy
print(krdtheory.mp.renyi([sympy.Rational(1, 2)] * 2, [sympy.sqrt(2) / 4, 1 - sympy.sqrt(2) / 4], 2, digits=15))
"""


@pytest.mark.slow
def test_libraries_are_imported_when_they_are_used():
    *loaded, last = python(LOADED)
    assert loaded[:3] == ["import", "help", "float64 numpy"]
    assert loaded[3] == "refuted"
    assert loaded[4] == "all numpy flint mpmath scipy.optimize"
    assert last.startswith("0.089")  # the logarithm of 1 / 4 / p + 1 / 4 / (1 - p), p = 2^.5 / 4


DECLARED = """
import sys
from verification import claim
from verification.instances import Scale
for id in ("mine.true", "own.mine", "krd.cor2"):
    try:
        claim(id, label="mine", statement="?", given={"x": Scale()})(lambda k, x: (x, x + 1))
    except ValueError as error:
        print(error)
    print("verification.claims" in sys.modules)
"""


@pytest.mark.slow
def test_the_claims_of_the_papers_are_imported_when_needed():
    assert python(DECLARED) == ["False", "True", "id must be new; 'krd.cor2' is taken", "True"]


BLOCKED = """
import sys
from importlib.abc import MetaPathFinder
ROOTS = sys.argv[1].split(",")

class Blocked(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ROOTS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
from krdtheory import ball, cli, mp

print(mp.renyi(["1/2", "1/2"], ["1/4", "3/4"], 2, digits=10))
print(ball.renyi(["1/2", "1/2"], ["1/4", "3/4"], 2, digits=10).str(8, radius=False))
for line in open("commands"):
    sys.argv = ["krdtheory", *line.split()]
    sys.stdout, sys.stderr, shown = open("out", "w"), open("err", "w"), sys.stdout
    try:
        cli.main()
    except SystemExit as stop:
        code = stop.code
    for file in (sys.stdout, sys.stderr):
        file.close()
    sys.stdout, sys.stderr = shown, sys.__stderr__
    print(code, *open("err").read().splitlines())
"""


@pytest.mark.slow
def test_a_missing_extra_is_one_line(tmp_path):
    """Commands that need no extra run, and the others name it; an audit of scalars needs the extra for scores."""
    rng = np.random.default_rng(0)
    for name in ("x.csv", "y.csv"):
        (tmp_path / name).write_text("\n".join(["a", *map(str, rng.normal(size=40))]))
    (tmp_path / "claim.py").write_text("")
    commands = {
        "--help": "0",
        "convert --mu 1 --delta 0.1": "0",
        "compose --epsilon 0.1 --k 2 --total-delta 0.1": "0",
        "divergence x.csv y.csv": "0",
        "divergence x.csv y.csv --kernel chi2": "2 krdtheory: sklearn is not installed: pip install 'krdtheory[audit]'",
        "audit x.csv y.csv --epsilon 9 --score tree": "2 krdtheory: sklearn is not installed: "
        "pip install 'krdtheory[audit]'",
        "audit x.csv y.csv --epsilon 9 --score value --score linear": "0",
        "audit x.csv y.csv --epsilon 9 --score value --html x.html": "2 krdtheory: matplotlib is not installed: "
        "pip install 'krdtheory[plot]'",
        "verify --list": "2 krdtheory: sympy is not installed: pip install 'krdtheory[verify]'",
        "check claim.py": "2 krdtheory: sympy is not installed: pip install 'krdtheory[verify]'",
    }
    (tmp_path / "commands").write_text("\n".join(commands))
    roots = ",".join(sorted({root for names in EXTRAS.values() for root in names}))
    first, second, *ended = python(BLOCKED, roots, cwd=tmp_path)
    assert (first, second) == ("0.2876820725", "0.28768207")
    assert dict(zip(commands, ended, strict=True)) == commands


def test_an_error_unrelated_to_extras_is_unchanged():
    with pytest.raises(MissingExtraError, match=r"pip install 'krdtheory\[plot\]'"), extra("plot"):
        raise ModuleNotFoundError("No module named 'matplotlib.figure'", name="matplotlib.figure")
    with pytest.raises(ModuleNotFoundError, match="of their own"), extra("plot"):
        raise ModuleNotFoundError("of their own", name="kiwisolver")
    with pytest.raises(ImportError, match="broken") as caught, extra("plot"):
        raise ImportError("broken", name="matplotlib")
    assert not isinstance(caught.value, MissingExtraError)


def test_an_installed_library_is_found_without_import(monkeypatch):
    monkeypatch.setitem(EXTRAS, "plot", ("tabnanny", "without_it"))
    monkeypatch.delitem(sys.modules, "tabnanny", raising=False)
    need("plot", "tabnanny")
    assert "tabnanny" not in sys.modules
    with pytest.raises(MissingExtraError, match=r"without_it is not installed: pip install 'krdtheory\[plot\]'"):
        need("plot")
