"""The page: one file that loads nothing, has every outcome, and escapes all text."""

import re
import shutil
import subprocess
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from verification import report
from verification.claim import REGISTRY, Claim
from verification.instances import Distributions, Order
from verification.page import as_html, bars, block, entries, mathml
from verification.search import check


class Reader(HTMLParser):
    """Parser that checks the order of tags, and collects attributes that load something and the text."""

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


@pytest.mark.slow
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


@pytest.mark.slow
def test_blocks_are_parts_of_the_page(run):
    page = as_html(run)
    for name in ("counted", "failures", "filters", "reading", "claims"):
        made = block(run, name)
        assert len(made) > 100 and made in page
    elsewhere = block(run, "claims", link=lambda id: f"<{id}>")
    assert "&lt;krd.cor2.scaled&gt;" in elsewhere and "&lt;krd.cor2.scaled&gt;" not in page


def test_numbers_of_every_shape():
    assert entries("1/2") == "<code>1/2</code>"
    assert entries(["1", "2"]).count("<tr>") == 1
    assert entries([["1", "2"], ["3", "4"]]).count("<tr>") == 2
    assert entries([[["1"]], [["2"]]]).count("<table") == 2
    assert "out: <code>2</code>" in entries({"out": "2"})


def test_statements():
    assert "<mfrac>" in mathml(r"\frac{1}{2}")
    assert mathml("a < b^") == "<code>a &lt; b^</code>"
    assert "<mo>&lt;</mo>" in mathml("a < b")
    assert "<mtext>a&amp;b</mtext>" in mathml(r"\text{a&b}")


HOSTILE = [
    r"\text{<script>document.title = 1</script>}",
    r"\text{</mtext></math><img src=x onerror=document.title=1>}",
    r"\text{&lt;script&gt;document.title = 1&lt;/script&gt;}",
    r"\href{javascript:document.title=1}{x}",
    r"\style{background:url(//example.org)}{x}",
    r"\class{refuted}{x}",
    r"\color{red\"onload=document.title=1}{x}",
    r"\mathrm{<script>document.title = 1</script>}",
    "<script>document.title = 1</script>",
    "{" * 3000,
]


class Tags(HTMLParser):
    """Parser that collects the elements and their attributes, as a browser does."""

    def __init__(self, page):
        super().__init__()
        self.seen = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))


@pytest.mark.parametrize("latex", HOSTILE)
def test_a_statement_has_only_symbols(latex):
    for tag, attributes in Tags(mathml(latex)).seen:
        assert tag in ("math", "code") or re.fullmatch("m(row|text|i|o|n|style)", tag)
        assert not {name for name in attributes if name in ("href", "style", "class") or name.startswith("on")}


def test_every_statement_is_typeset_as_by_latex2mathml():
    """It is typeset as by latex2mathml, whose text omits escapes that HTML needs."""
    from latex2mathml.converter import convert

    for c in list(REGISTRY.values())[::5]:
        theirs, ours = (Reader(), Reader())
        theirs.feed(convert(c.statement).replace("<mo><</mo>", "<mo>&lt;</mo>"))
        ours.feed(mathml(c.statement))
        assert (ours.text, len(ours.open)) == (theirs.text, 0)


@pytest.fixture(scope="module")
def hostile(run):
    """Return a page in which every text is malicious, as an unknown file may be."""
    texts = [*HOSTILE, "</script><script>document.title = 1</script>", "<img src=x onerror='document.title = 1'>"]

    def changed(value, text):
        if isinstance(value, dict):
            kept = ("paper", "nature", "verdict", "recorded", "margin_upper", "margin_lower", "min_margin")
            return {k: v if k in kept else changed(v, text) for k, v in value.items()}
        if isinstance(value, list):
            return [changed(v, text) for v in value]
        return text if isinstance(value, str) else value

    claims = [changed(run["claims"][k % len(run["claims"])], text) for k, text in enumerate(texts)]
    return as_html({**run, "claims": [*claims, *run["claims"]]})


@pytest.mark.slow
def test_a_hostile_page(hostile):
    seen = Tags(hostile).seen
    assert [tag for tag, _ in seen].count("script") == 1
    assert not [tag for tag, attributes in seen if tag == "img" or any(name.startswith("on") for name in attributes)]
    (policy,) = [a["content"] for tag, a in seen if a.get("http-equiv") == "Content-Security-Policy"]
    (script,) = re.findall("<script>(.*?)</script>", hostile, re.DOTALL)
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    assert policy.split("; ")[:3] == [
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        f"script-src 'sha256-{allowed}'",
    ]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("chromium") is None, reason="a browser")
def test_a_browser_runs_the_script_of_the_page_and_no_other(hostile, tmp_path):
    def dom(page):
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        flags = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom")
        address = (tmp_path / "page.html").as_uri() + "#krd.cor2"
        return subprocess.run(["chromium", *flags, address], capture_output=True, text=True, timeout=120).stdout

    seen = dom(hostile)
    assert "<title>krdtheory: verdicts</title>" in seen
    assert re.search('<details [^>]*id="krd.cor2" open=""', seen)  # which the script of the page does
    assert "<msub>" in seen
    planted = "<script>document.title = 1</script>"
    assert "<title>krdtheory: verdicts</title>" in dom(hostile.replace("<h1>", planted + "<h1>"))  # the policy
    without = re.sub("<meta http-equiv[^>]*>", "", hostile)
    assert "<title>1</title>" in dom(without.replace("<h1>", planted + "<h1>"))


def test_bars():
    made = bars([1, 0, 4], [-1e-9, 1e-9])
    assert [b["height"] for b in made] == [25, 0, 100]
    assert [b["negative"] for b in made] == [True, False, False]
