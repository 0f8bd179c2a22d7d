"""Sphinx configuration of the documentation: `make -C docs html`."""

import importlib.metadata
import inspect
import os
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent

project = "ironbark"
author = "The ironbark developers"
release = version = importlib.metadata.version("ironbark-learn")

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "_templates", "examples"]
templates_path = ["_templates"]

myst_heading_anchors = 4
suppress_warnings = [
    "myst.header",  # pages may skip a level of headings
    "ref.python",  # attributes such as `n_estimators_` belong to several classes
]

autosummary_generate = True
toc_object_entries_show_parents = "hide"
autodoc_typehints = "none"  # the docstrings give the types
numpydoc_validation_checks = {
    *("GL03", "GL06", "GL07", "GL08"),  # blank lines, sections and their order; a docstring
    *("PR02", "PR05", "PR06", "RT02"),  # parameters exist; spelling of types; results without a name
    *("SS02", "SS03", "SS04", "SS06"),  # first lines
}
numpydoc_show_class_members = False  # the template of classes lists them

html_theme = "pydata_sphinx_theme"
html_title = "ironbark"
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["wrapping.css"]
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
}

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_signature": False,
    "write_computation_times": False,
    "plot_gallery": os.environ.get("GALLERY", "1") == "1",
}

#: README outside of docs -> its page here.
READMES = {f"{folder}/README.md": f"generated/{folder}.md" for folder in ("benchmarks", "config", "data", "results")}
FOLDERS = {"docs/examples": "docs/gallery/index.rst"}
#: A paragraph that is a link to a table, which the site shows in its place.
TABLE = re.compile(r"^\[([^\]]+)\]\((?:\.\./docs/)?(tables/(?!cells)[\w-]+\.csv)\)$", re.MULTILINE)
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?![a-z]+:)([^)\s#]+)(#[^)\s]*)?\)")


def relinked(text, folder, page):
    """Markdown of a file in `folder` with relative links that work in `page`, both relative to the repository.

    Links to a README lead to its page, those to a folder to its page if it has one, else they become plain text. Links
    to other files outside of docs stay, and MyST offers the file as a download. A link to a table that is a paragraph
    becomes the table.
    """

    def target(found):
        name = os.path.relpath(ROOT / folder / found[1], ROOT)
        name = f"docs/{READMES[name]}" if name in READMES else FOLDERS.get(name, name)
        if (ROOT / name).is_dir():
            return f"] (`{name}`)"
        return f"]({os.path.relpath(ROOT / name, (ROOT / page).parent)}{found[2] or ''})"

    def prose(part):
        part = TABLE.sub(r"```{csv-table} \1\n:file: /\2\n:header-rows: 1\n```", part)
        part = LINK.sub(target, part)
        return re.sub(r"\[([^]]*)\] \((`[^`]*`)\)", r"\1 (\2)", part)

    return "".join(part if part.startswith("```") else prose(part) for part in FENCE.split(text))


def write_readmes(app):
    """Copy the READMEs of other folders to pages."""
    for name, page in READMES.items():
        text = relinked((ROOT / name).read_text("utf-8"), Path(name).parent, f"docs/{page}")
        (DOCS / page).parent.mkdir(exist_ok=True)
        if not (DOCS / page).is_file() or (DOCS / page).read_text("utf-8") != text:
            (DOCS / page).write_text(text, encoding="utf-8")


def relink(app, docname, source):
    """Rewrite the links of a Markdown page."""
    page = Path(app.env.doc2path(docname)).resolve().relative_to(ROOT)
    if page.suffix == ".md" and page.parts[1] != "generated":
        source[0] = relinked(source[0], page.parent, page)


def is_foreign(app, what, name, member, skip, options):
    """Whether to leave out a member that another library defines, with links into its own documentation."""
    function = getattr(member, "fget", None) or member
    module = getattr(inspect.unwrap(function) if callable(function) else function, "__module__", None)
    return True if module and not module.startswith("ironbark") else None


def setup(app):
    """Connect the handlers above."""
    app.connect("autodoc-skip-member", is_foreign)
    app.connect("builder-inited", write_readmes)
    app.connect("source-read", relink)
