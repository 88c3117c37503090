"""The metadata of a release."""

import re
import tomllib
from pathlib import Path

import pytest

import krdtheory
from krdtheory.imports import EXTRAS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OPTIONAL = PROJECT["optional-dependencies"]
IMPORTED = {"scikit-learn": "sklearn"}  # names that differ


def names(requirements):
    return [re.match(r"[\w-]+", one)[0] for one in requirements]


def test_one_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == PROJECT["version"] == krdtheory.__version__


def test_every_library_belongs_to_its_extra():
    for extra, modules in EXTRAS.items():
        assert sorted(modules) == sorted(IMPORTED.get(name, name) for name in names(OPTIONAL[extra]))
    assert OPTIONAL["all"] == [f"krdtheory[{','.join(sorted(EXTRAS))}]"]


def test_every_dependency_has_its_licence():
    rows = re.findall(r"^\| ([\w-]+) \| ([\w, ]*) ?\| ", (ROOT / "DEPENDENCIES.md").read_text(encoding="utf-8"), re.M)
    told = {(name, extra.strip()) for name, extras in rows[1:] for extra in extras.split(",")}
    known = {(name, "") for name in names(PROJECT["dependencies"])}
    known |= {
        (name, extra) for extra in {*OPTIONAL} - {"all", "docs", "peers", "test"} for name in names(OPTIONAL[extra])
    }
    assert told == known


def test_addresses_are_in_one_place():
    """Addresses to be filled in are under [project.urls]."""
    places = [ROOT / "README.md", *ROOT.glob("*.md"), ROOT / "CITATION.cff", *(ROOT / "krdtheory").rglob("*.py")]
    assert [path for path in places if "example.org/krdtheory" in path.read_text(encoding="utf-8")] == []
    assert len({*PROJECT["urls"].values()}) == len(PROJECT["urls"]) >= 4


@pytest.mark.parametrize("folder", ["new", "old"])
def test_examples_are_copied_and_nothing_is_lost(folder, tmp_path, monkeypatch, capsys):
    from krdtheory.cli import examples

    monkeypatch.chdir(tmp_path)
    assert examples(None) == 0
    listed = capsys.readouterr().out.split()
    assert {"conjectures.py", "digits_d.csv", "dp_sgd/training.py"} <= {*listed}
    if folder == "old":
        Path("old/dp_sgd").mkdir(parents=True)
        Path("old/dp_sgd/training.py").write_text("mine")
        with pytest.raises(ValueError, match="FOLDER must have no files of these names"):
            examples(Path("old"))
        assert [path.read_text() for path in Path("old").rglob("*.*")] == ["mine"]
        return
    examples(Path("new"))
    for name in listed:
        assert Path("new", name).read_bytes() == (ROOT / "examples" / name).read_bytes()
