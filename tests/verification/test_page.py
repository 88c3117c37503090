"""The page: one file, nothing loaded from elsewhere, every outcome on it, and nothing of it taken for HTML."""

from html.parser import HTMLParser

import pytest

from verification import report
from verification.claim import REGISTRY, Claim
from verification.instances import Distributions, Order
from verification.page import as_html, bars, entries, mathml
from verification.search import check


class Reader(HTMLParser):
    """Tags open and closed in order, attributes that load something, and the text."""

    VOID = ("meta", "link", "input", "br", "img", "hr")

    def __init__(self):
        super().__init__()
        self.open, self.loaded, self.text, self.ids = [], [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)
        self.loaded += [value for name, value in attrs if name in ("src", "href", "data") and not value.startswith("#")]
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def run():
    nasty = Claim(
        "own.nasty",
        "<b>label</b>",
        "a < b & <script>alert(1)</script>",
        {"p": Distributions(2), "alpha": Order(0.5)},
        lambda k, p, alpha: (0 * alpha, k.renyi(*p, alpha)),
        note="</div><img src=x>",
    )
    claims = [REGISTRY["krd.cor2"], REGISTRY["krd.thm4.environment"], REGISTRY["krd.lemma1"], nasty]
    records = [report.record(check(c, budget=300)) for c in claims]
    return report.as_json(records, seed=0, profile="quick", budget=300)


def test_page(run):
    reader = Reader()
    page = as_html(run)
    reader.feed(page)
    reader.close()
    assert reader.open == []
    assert reader.loaded == []
    assert [id for id in reader.ids if id.startswith(("krd.", "own."))] == [c["id"] for c in run["claims"]]
    text = "".join(reader.text)
    for c in run["claims"]:
        assert c["label"] in text
        if c["certificate"]:
            assert c["certificate"]["margin_upper"] in text
            assert c["counterexample"]["lhs"] in text
    assert "<img" not in page
    assert page.count("<script>") == 1
    assert "<b>" not in page


def test_numbers_of_every_shape():
    assert entries("1/2") == "<code>1/2</code>"
    assert entries(["1", "2"]).count("<tr>") == 1
    assert entries([["1", "2"], ["3", "4"]]).count("<tr>") == 2
    assert entries([[["1"]], [["2"]]]).count("<table") == 2
    assert "out: <code>2</code>" in entries({"out": "2"})


def test_statements():
    assert "<mfrac>" in mathml(r"\frac{1}{2}")
    assert mathml("a < b^") == "<code>a &lt; b^</code>"


def test_bars():
    made = bars([1, 0, 4], [-1e-9, 1e-9])
    assert [b["height"] for b in made] == [25, 0, 100]
    assert [b["negative"] for b in made] == [True, False, False]
