"""Imports point downwards, balls share no formula with the other number systems, and the picture is of this code."""

import importlib.util
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
spec = importlib.util.spec_from_file_location("architecture", ROOT / "docs" / "architecture.py")
architecture = importlib.util.module_from_spec(spec)
spec.loader.exec_module(architecture)
architecture.arrows = cache(architecture.arrows)

FLOORS = [  # from the ground up; what stands on one floor does not import each other
    {"imports", "version", "__version__"},
    {"arithmetic", "table"},
    {"terminal", "divergences", "files"},
    {"kernels"},
    {"privacy"},
    {"mp"},
    {"ball"},
    {"audit"},
    {"cli", "pytest_plugin"},
]
LEVEL = {f"krdtheory.{room}": k for k, rooms in enumerate(FLOORS) for room in rooms}
SHARED = {  # function classes, tables, checks of arguments
    "krdtheory.divergences": {None},
    "krdtheory.mp": {None},
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
    """Imports from a floor that is not below."""
    return [
        (room, to)
        for room, below in arrows.items()
        for to in below
        if room in LEVEL and ((to == "verification" and room != "krdtheory.cli") or LEVEL.get(to, -1) >= LEVEL[room])
    ]


def formulas(of_balls):
    """What balls take from others and should not."""
    return [
        (module, name)
        for module, name in of_balls
        if not module.startswith("krdtheory.arithmetic")
        and (module, name) not in {("krdtheory", "divergences"), ("krdtheory", "mp")}
        and name not in SHARED.get(module, ())
    ]


@pytest.mark.slow
def test_imports_point_downwards():
    assert upwards(architecture.arrows()) == []


def test_an_import_upwards_is_noticed():
    assert upwards({"krdtheory.arithmetic": {"krdtheory.privacy": set()}})
    assert upwards({"krdtheory.audit": {"verification": set()}})
    assert not upwards({"krdtheory.cli": {"verification": set()}})


def test_balls_share_no_formula():
    of_balls = {one for found in architecture.arrows()["krdtheory.ball"].values() for one in found}
    assert formulas(of_balls) == []
    assert len(of_balls) > 50


@pytest.mark.parametrize("line", ["from krdtheory.divergences.classical import renyi", "from krdtheory import privacy"])
def test_a_formula_shared_by_balls_is_noticed(line):
    assert formulas(list(architecture.imports(line)))


def test_the_picture_is_of_this_code():
    text = architecture.PAGE.read_text(encoding="utf-8")
    assert architecture.page(text) == text
    assert "krdtheory.audit --> krdtheory.privacy" in text


def test_the_picture_is_drawn_from_the_ground_up():
    assert architecture.floors([("a", "b"), ("b", "c"), ("a", "c")]) == [["c"], ["b"], ["a"]]
    names = {name for arrow in architecture.ARROW.findall(architecture.picture()) for name in arrow}
    drawn = architecture.svg(architecture.picture())
    assert drawn.count("<rect") == drawn.count("<text") == len(names) > 8
    with pytest.raises(ValueError, match="circle"):
        architecture.floors([("a", "b"), ("b", "a")])
