"""Check the links of a built site: `python docs/links.py docs/_build/html`.

Every link within the site must lead to an existing page and anchor, and no page may load anything from other servers.
"""

from __future__ import annotations

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "object": "data"}
LOADED_AS = ("stylesheet", "preload", "icon", "prefetch", "modulepreload", "preconnect", "dns-prefetch")


class Page(HTMLParser):
    """The anchors of a page, its links, and the addresses that it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the addresses of an element."""
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and set(given.get("rel", "").split()) & {*LOADED_AS}:
            self.loaded.append(given.get("href", ""))
        if tag in LOADED and LOADED[tag] in given:
            self.loaded.append(given[LOADED[tag]])


@cache
def read(file: Path) -> Page:
    """Return a page, which is parsed only once."""
    return Page(file.read_text(encoding="utf-8"))


def faults(root: Path) -> list[str]:
    """Return the dead links and the addresses that are loaded from other servers, page by page."""
    out = []
    for file in sorted(root.rglob("*.html")):
        if "_static" in file.relative_to(root).parts:  # templates of the theme
            continue
        page, name = read(file), file.relative_to(root)
        for address in page.loaded:
            if urlsplit(address).scheme not in ("", "data") or address.startswith("//"):
                out.append(f"{name} loads {address}")
            elif not urlsplit(address).scheme and not (file.parent / unquote(urlsplit(address).path)).exists():
                out.append(f"{name} loads {address}, which is not there")
        for address in page.links:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            to = file.parent / unquote(parts.path) if parts.path else file
            place = unquote(parts.fragment)
            if not to.exists():
                out.append(f"{name} links to {address}, which is not there")
            elif place and to.suffix == ".html" and place not in read(to.resolve()).places:
                out.append(f"{name} links to {address}, a place that is not there")
    return list(dict.fromkeys(out))


if __name__ == "__main__":
    found = faults(Path(sys.argv[1]).resolve())
    print("\n".join(found) or "every link leads somewhere, and nothing is loaded from elsewhere")
    sys.exit(bool(found))
