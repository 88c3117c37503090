"""Configuration of the site: `sphinx-build -W --keep-going -n docs docs/_build/html`; `-t quick` runs no notebooks."""

import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS / "extensions"), str(DOCS), str(DOCS.parent)]

import krdtheory  # noqa: E402

project = "krdtheory"
author = copyright = "krdtheory developers"
version = release = krdtheory.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_nb",
    "sphinx_design",
    "mathml",
    "mermaid",
    "names",
    "pictured",
    "verdicts",
]
exclude_patterns = ["_build", "extensions", "notebooks/data", "**/.ipynb_checkpoints"]
nitpicky = True
suppress_warnings = ["misc.highlighting_failure"]  # the output of commands has no lexer
default_role = "name"

autosummary_generate = False
autodoc_typehints = "none"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

myst_enable_extensions = ["amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_timeout = 600
nb_execution_excludepatterns = ["notebooks/*"] if tags.has("quick") else []  # noqa: F821
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True
nb_number_source_lines = False

html_theme = "pydata_sphinx_theme"
html_title = "krdtheory"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/favicon.svg"
html_copy_source = html_show_sourcelink = False
html_last_updated_fmt = None
html_theme_options = {
    "logo": {"text": "krdtheory"},
    "show_nav_level": 1,
    "navigation_depth": 2,
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": {"[!tv]*": ["page-toc"], "theory/*": ["page-toc"], "index": []},
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "changelog": [], "install": [], "which": []}
html_context = {"default_mode": "auto"}
