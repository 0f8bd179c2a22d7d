"""Pages from templates, and the files beside them."""

import importlib.metadata
import shutil
from importlib import resources
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from ironbark.errors import InputError
from ironbark.pipeline.site.prose import html

PACKAGE = "vl-convert-python"

MENU = (("index.html", "Results"), ("leaderboards.html", "Leaderboards"), ("explore.html", "Explore"))
MENU += (("provenance.html", "Provenance"),)
LOADING = ["data-index.js", "elements.js", "address.js", "data.js"]  # scripts of pages that load data, in this order
CHARTS = ["theme.js", "charts.js", "differences.js", "views.js"]  # and of those that draw


class Renderer:
    """Writes pages below one folder.

    Parameters
    ----------
    folder : Path
        Root of the site.
    common : dict
        What all pages show: written, version, commit.
    """

    def __init__(self, folder, common):
        self.folder, self.common = folder, common
        self.templates = Environment(
            loader=PackageLoader("ironbark.pipeline.site"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
        )
        self.templates.filters |= FILTERS

    def page(self, template, target, **content):
        """Write the page `target` (path below the root) from a template."""
        root = "../" * target.count("/")
        about = {
            "root": root,
            "page": target,
            "menu": MENU,
            "loading": LOADING,
            "drawing": [*content.pop("library", ()), *LOADING, *CHARTS],
        }
        self.write(target, self.templates.get_template(template).render(**self.common, **about, **content))

    def write(self, target, text):
        """Write a text file."""
        path = self.folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def copy(self, source, target):
        """Copy a file of results; its path below the root, or None if it is not there."""
        if not Path(source).is_file():
            return None
        path = self.folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)
        return target

    def assets(self):
        """Write style sheet and scripts."""
        for item in (resources.files("ironbark.pipeline.site") / "static").iterdir():
            self.write(f"assets/{item.name}", item.read_text(encoding="utf-8"))


def charting_library(before):
    """Name and text of the script of Vega-Lite, Vega and its embedding, from the package vl-convert.

    Parameters
    ----------
    before : path
        Folder of scripts of an earlier site: putting the library together takes seconds, copying it does not.

    Raises
    ------
    InputError
        If the package is not installed.
    """
    try:
        name = f"vega-{importlib.metadata.version(PACKAGE)}.js"
    except importlib.metadata.PackageNotFoundError:
        raise InputError(f"the site draws with {PACKAGE}; install it with `pip install vl-convert-python`.") from None
    if Path(before, name).exists():
        return name, Path(before, name).read_text(encoding="utf-8")
    import vl_convert

    return name, vl_convert.javascript_bundle()


def count(number):
    """1234567 as 1 234 567, with narrow spaces that do not break; nothing for nothing."""
    return "" if number is None else f"{number:,}".replace(",", "\u202f")


def duration(seconds):
    """CPU time in the unit that suits it."""
    for limit, unit, size in ((90, "s", 1), (90 * 60, "min", 60)):
        if seconds < limit:
            return f"{seconds / size:.{0 if seconds / size >= 10 else 1}f}\u202f{unit}"
    return f"{seconds / 3600:.1f}\u202fh"


def slug(text):
    """A verdict as the name of a class in the style sheet."""
    return text.replace(" ", "-")


def share(p):
    """A probability with two decimals, nothing for zero."""
    return "" if p == 0 else "1" if p == 1 else f"{p:.2f}"


def contents_of(entry, kind):
    """A table or figure in the contents of a page: its anchor and title."""
    return f"{kind}-{entry['id']}", entry["title"]


def contents_of_published(entry):
    """A published table in the contents of a page: its anchor and title."""
    return entry["id"], f"Published table {entry['table']}"


FILTERS = {"contents_of": contents_of, "contents_of_published": contents_of_published}
FILTERS |= {"count": count, "duration": duration, "slug": slug, "share": share, "prose": html}
