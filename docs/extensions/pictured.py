"""The directive `picture`: a picture from docs/pictures.py, drawn when the site is built, in light and dark."""

from __future__ import annotations

from typing import Any

import pictures
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Picture(SphinxDirective):
    """`picture:: NAME`, with a caption as its content, which is also the alternative text."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in pictures.PICTURES:
            raise self.error(f"picture must be one of {', '.join(pictures.PICTURES)}; got {name}")
        caption = " ".join(self.content)
        figure = nodes.figure(classes=["picture"])
        for mode in pictures.MODES:
            uri = f"/_static/pictures/{name}-{mode}.svg"
            figure += nodes.image(uri=uri, alt=caption, classes=[f"only-{mode}"], candidates={"*": uri})
        if caption:
            text, messages = self.parse_inline(caption)
            figure += nodes.caption(caption, "", *text)
            return [figure, *messages]
        return [figure]


def setup(app: Sphinx) -> dict[str, Any]:
    """Draw all pictures before pages are read."""
    app.connect("builder-inited", lambda app: pictures.draw_all())
    app.add_directive("picture", Picture)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
