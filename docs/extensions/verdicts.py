"""Pages of the recorded verdicts, from the templates of `krdtheory verify --html`, and links to claims."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import recorded
from docutils import nodes
from docutils.parsers.rst import directives
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

import verification.claims  # noqa: F401  (registers the claims and the uncovered statements)
from verification import page
from verification.certificates.checks import checks
from verification.claim import UNCOVERED

LOG = logging.getLogger(__name__)
CERTIFICATES = Path(__file__).parents[2] / "certificates"


@cache
def run() -> dict[str, Any]:
    """Return the recorded run, which is read only once."""
    return recorded.recorded()


@cache
def verdicts() -> dict[str, str]:
    """Return the verdict of every claim."""
    return {r["id"]: r["verdict"] for r in run()["claims"]}


def raw(html: str) -> nodes.raw:
    """Return a node with this HTML, in the style of the verdicts."""
    return nodes.raw("", f'<div class="verdicts">{html}</div>', format="html")


def link(id: str) -> Markup:
    """Return a link to a claim, for the pages of verdicts."""
    if id not in verdicts():
        return Markup("{}").format(id)
    return Markup('<a href="{}.html#{}">{}</a>').format(id.split(".")[0], id, id)


def linked(record: Mapping[str, Any]) -> list[tuple[str, Markup]]:
    """Return the checks of a refutation, with links to existing certificates."""
    out = []
    for name, how in checks(record):
        for file in (f"certificates/{record['id']}.py", f"certificates/rocq/{record['id'].replace('.', '_')}.v"):
            if file in how and (CERTIFICATES.parent / file).is_file():
                how = Markup("{}").format(how).replace(file, Markup('<a href="../{0}">{0}</a>').format(file))
        out.append((name, Markup(how) if isinstance(how, Markup) else Markup("{}").format(how)))
    return out


class Verdicts(SphinxDirective):
    """`{verdicts}` shows the counts; with the name of a paper, its counts, or the `:part:` claims or failures."""

    optional_arguments = 1
    option_spec: ClassVar = {"part": lambda text: directives.choice(text, ("failures", "claims"))}

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(recorded.FILE))
        if not self.arguments:
            head = Markup("<p class='soft'>krdtheory {}, profile {}, {:,} instances a claim, seed {}</p>").format(
                *(run()[key] for key in ("version", "profile", "budget", "seed"))
            )
            return [raw(page.block(run(), "counted") + head)]
        paper = recorded.of_paper(run(), self.arguments[0])
        part = self.options.get("part", "counted")
        html = page.block(paper, part, link=link, checks=linked)
        if part == "claims":
            html = page.block(paper, "filters") + html + Markup("<script>{}</script>").format(Markup(page.script()))
        return [raw(html)]


class Reading(SphinxDirective):
    """`{reading}` explains what each verdict means, and what has to be trusted for it."""

    def run(self) -> list[nodes.Node]:
        return [raw(page.block(run(), "reading"))]


class Without(SphinxDirective):
    """`{without-claim}` lists the statements of a paper that have no claim."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        rows = [(u.place, u.says, u.why) for u in UNCOVERED if u.paper == self.arguments[0]]
        if not rows:
            return [raw("<p>There are none.</p>")]
        cells = Markup("").join(
            Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(c) for c in row)) for row in rows
        )
        head = "<thead><tr><th>place</th><th>statement</th><th>why it is not tested</th></tr></thead>"
        return [raw(f'<table class="table uncovered">{head}<tbody>{cells}</tbody></table>')]


class ClaimRole(SphinxRole):
    """`{claim}`, with the id of a claim: a link to its outcome, in the colour of its verdict."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        verdict = verdicts().get(self.text)
        if verdict is None:
            LOG.warning("no claim: %s", self.text, location=self.get_location())
            return [nodes.literal("", self.text)], []
        up = "../" * self.env.docname.count("/")
        address = f"{up}verdicts/{self.text.split('.')[0]}.html#{self.text}"
        return [
            nodes.reference("", f"{self.text}", refuri=address, classes=["claim-link", verdict], reftitle=verdict)
        ], []


def check(app: Sphinx) -> None:
    """Warn if the record differs from the registered claims."""
    for found in recorded.stale(recorded.read()["claims"], recorded.of_papers()):
        LOG.warning("docs/verdicts.json: %s; krdtheory verify --json docs/verdicts.json updates it", found)


def certificates(app: Sphinx, error: Exception | None) -> None:
    """Copy the scripts to which the pages link."""
    if error is None and app.builder.format == "html":
        shutil.copytree(CERTIFICATES, Path(app.outdir) / "certificates", dirs_exist_ok=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives `verdicts`, `reading`, `without-claim` and the role `claim`."""
    app.add_directive("verdicts", Verdicts)
    app.add_directive("reading", Reading)
    app.add_directive("without-claim", Without)
    app.add_role("claim", ClaimRole())
    app.connect("builder-inited", check)
    app.connect("build-finished", certificates)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
