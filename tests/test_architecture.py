"""Imports point downwards, balls share no formula with other number systems, and the diagram is up to date."""

import ast
import importlib
import importlib.util
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
spec = importlib.util.spec_from_file_location("architecture", ROOT / "docs" / "architecture.py")
architecture = importlib.util.module_from_spec(spec)
spec.loader.exec_module(architecture)
architecture.arrows = cache(architecture.arrows)

FLOORS = [  # from the bottom up; packages on one floor do not import each other
    {"imports", "version", "__version__"},
    {"arithmetic", "results", "table"},
    {"terminal", "divergences", "files"},
    {"kernels"},
    {"privacy"},
    {"ball"},
    {"mp"},
    {"audit"},
    {"cli", "pytest_plugin"},
]
LEVEL = {f"krdtheory.{room}": k for k, rooms in enumerate(FLOORS) for room in rooms}
SHARED = {  # function classes, tables, checks of arguments
    "krdtheory.divergences": {None},
    "krdtheory.imports": {"lazily"},
    "krdtheory.results": {"Result"},
    "krdtheory.divergences.cuts": {"LARGEST_SEARCH", "cell_count", "checked_cells"},
    "krdtheory.divergences.restricted": {
        "EXTENSIONS",
        "Affine",
        "Box",
        "ConvexHull",
        "FunctionClass",
        "Mechanism",
        "Polynomials",
        "RKHSBall",
        "RestrictedSolution",
        "Sample",
    },
    "krdtheory.divergences.restricted.points": {"between_weights"},  # the float64 optimum that balls start from
    "krdtheory.kernels.kernels": {"BANDWIDTH_KERNELS", "Kernel", "median_bandwidth"},
}


def upwards(arrows):
    """Return imports from a floor that is not below."""
    return [
        (room, to)
        for room, below in arrows.items()
        for to in below
        if room in LEVEL and ((to == "verification" and room != "krdtheory.cli") or LEVEL.get(to, -1) >= LEVEL[room])
    ]


def formulas(of_balls):
    """Return what balls import from others but should not."""
    return [
        (module, name)
        for module, name in of_balls
        if not module.startswith("krdtheory.arithmetic")
        and (module, name) != ("krdtheory", "divergences")
        and name not in SHARED.get(module, ())
    ]


@pytest.mark.slow
def test_imports_point_downwards():
    assert upwards(architecture.arrows()) == []


def test_an_import_upwards_is_noticed():
    assert upwards({"krdtheory.arithmetic": {"krdtheory.privacy": set()}})
    assert upwards({"krdtheory.audit": {"verification": set()}})
    assert not upwards({"krdtheory.cli": {"verification": set()}})


@pytest.mark.slow
def test_balls_share_no_formula():
    of_balls = {one for found in architecture.arrows()["krdtheory.ball"].values() for one in found}
    assert formulas(of_balls) == []
    assert len(of_balls) > 50


@pytest.mark.parametrize("line", ["from krdtheory.divergences.classical import renyi", "from krdtheory import privacy"])
def test_a_formula_shared_by_balls_is_noticed(line):
    assert formulas(list(architecture.imports(line)))


@pytest.mark.slow
def test_the_diagram_is_up_to_date():
    text = architecture.PAGE.read_text(encoding="utf-8")
    assert architecture.page(text) == text
    assert "krdtheory.audit --> krdtheory.privacy" in text


def unknown(text):
    """Return dotted names in backquotes, with or without the prefix `krdtheory`, that do not exist."""

    def there(name):
        parts = name.split(".")
        for k in range(len(parts), 0, -1):
            try:
                found = importlib.import_module(".".join(parts[:k]))
            except ImportError:
                continue
            for part in parts[k:]:
                found = getattr(found, part, None)
            return found is not None
        return False

    names = re.findall(r"`([a-z_]\w*(?:\.\w+)+)`", text)
    return [
        name for name in names if not name.endswith((".py", ".md")) and not (there(name) or there(f"krdtheory.{name}"))
    ]


def test_names_on_the_page_exist():
    text = architecture.PAGE.read_text(encoding="utf-8")
    assert unknown(text) == []
    assert text.count("`") > 80
    assert unknown("`audit.auditor.audit`, `verification.claim.load`, `krdtheory.mp` and `audit.outputs.nothing`") == [
        "audit.outputs.nothing"
    ]


@pytest.mark.slow
def test_the_diagram_is_drawn_from_the_bottom_up():
    assert architecture.floors([("a", "b"), ("b", "c"), ("a", "c")]) == [["c"], ["b"], ["a"]]
    names = {name for arrow in architecture.ARROW.findall(architecture.picture()) for name in arrow}
    drawn = architecture.svg(architecture.picture())
    assert drawn.count("<rect") == drawn.count("<text") == len(names) > 8
    with pytest.raises(ValueError, match="circle"):
        architecture.floors([("a", "b"), ("b", "a")])


ASKS = {  # where code tests which number system it runs in, other than by dispatch
    ("krdtheory/kernels/renyi.py", "low_rank"): "a thin factor of a Gram matrix is built in float64",
    ("krdtheory/kernels/renyi.py", "_embedding"): "what float64 does not resolve is in its error estimate",
    ("krdtheory/divergences/restricted/values.py", "with_digits_as_needed"): "mpmath's caller raises the digits itself",
    ("krdtheory/divergences/cuts.py", "_called"): "a caller's function of float64 takes no number system",
    ("krdtheory/divergences/cuts.py", "_cells"): "a caller's function of float64 takes no number system",
    (
        "krdtheory/privacy/conversions/concentrated.py",
        "best_order",
    ): "float64 rounds up at several places",
    ("krdtheory/privacy/roots.py", "in_float64"): "nothing is rougher than float64, from which to start",
    ("krdtheory/privacy/roots.py", "minimum"): "grids cost float64 as much as one value, and mpmath as many",
    ("verification/vocabulary.py", "exact"): "claims hold up to rounding in float64",
}
SYSTEMS = {"FLOAT64", "Float64", "MP"}


def asks(text):
    """Return functions that test which number system they run in, once for each test."""

    def of_system(node):
        match node:
            case ast.Attribute(attr="exact_input" | "lifted"):
                return True
            case (
                ast.Compare(ops=[ast.Is() | ast.IsNot()])
                | ast.Call(func=ast.Name("isinstance" | "issubclass" | "type"))
            ):
                return any(isinstance(n, ast.Name) and n.id in SYSTEMS for n in ast.walk(node))
        return False

    found = []

    def look(node, function):
        if isinstance(node, ast.FunctionDef):
            function = node.name
        if of_system(node):
            found.append(function)
        for child in ast.iter_child_nodes(node):
            look(child, function)

    look(ast.parse(text), None)
    return found


@pytest.mark.slow
def test_formulas_do_not_depend_on_their_number_system():
    files = [p for room in ("krdtheory", "verification") for p in sorted((ROOT / room).rglob("*.py"))]
    below = ROOT / "krdtheory" / "arithmetic"
    found = [
        (file.relative_to(ROOT).as_posix(), function)
        for file in files
        if below not in file.parents
        for function in asks(file.read_text(encoding="utf-8"))
    ]
    assert sorted(found) == sorted(ASKS)


@pytest.mark.parametrize(
    "line", ["ar.exact_input", "ar is not FLOAT64", "isinstance(ar, MP)", "type(ar) is Float64", "x.shape[ar.lifted :]"]
)
def test_a_test_of_the_number_system_is_noticed(line):
    assert set(asks(f"def f(ar, x):\n    return 1 if {line} else 2")) == {"f"}
    assert asks("def f(ar, x):\n    return FLOAT64.log(x) if x is None else MP(30).log(x)") == []
