"""Pages from templates, tables that a reader can sort and filter, and the files beside them."""

import importlib.metadata
import json
import re
from importlib import resources
from pathlib import Path

import pandas as pd
import vl_convert
from itables import options
from itables.javascript import get_itable_arguments
from itables.typing import JavascriptFunction
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from ironbark.pipeline.log import duration

MENU = (("index.html", "Results"), ("provenance.html", "Provenance"))
NOTEBOOK = ("connected", "dt_url", "display_logo_when_loading")  # what the library's own template takes
PAGE = 25  # lines of a table at once
FEW = 8  # lines that need no search
LONG = 60  # characters of texts that take a wide column
DIGITS = {"p": 3, "p (Holm)": 3, "CPU s": 3, "Elo": 0, "Elo low": 0, "Elo high": 0}  # of numbers; others have two

_NUMBER = "function (x, type) { return type !== 'display' ? x : typeof x === 'number' && x === x ? SHOWN : '–'; }"


class Renderer:
    """Writes pages below a folder; `common` is what all of them show: written, version, commit."""

    def __init__(self, folder, common):
        self.folder, self.common = folder, common
        loader = PackageLoader("ironbark.pipeline.site")
        self.templates = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
        self.templates.filters |= {"count": count, "duration": duration, "slug": slug}

    def page(self, template, target, **content):
        """Write the page `target` (path below the root) from a template."""
        root = "../" * target.count("/")
        about = {"root": root, "page": target, "menu": MENU, "chart": None} | self.common
        self.write(target, self.templates.get_template(template).render(**about | content))

    def write(self, target, content):
        """Write a file of text or bytes."""
        path = self.folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    def copies(self, folder, kind, name, target, endings):
        """Copy files of an artefact; (format, path below the root) of those that there are."""
        sources = [Path(folder, kind, name + ending) for ending in endings]
        found = {f"{target}/{kind}/{source.name}": source for source in sources if source.is_file()}
        for place, source in found.items():
            self.write(place, source.read_bytes())
        return [(source.suffix[1:].upper(), place) for place, source in found.items()]

    def assets(self, before):
        """Write style sheet, script and libraries; that of the charts is taken from an earlier site in `before`."""
        for item in (resources.files("ironbark.pipeline.site") / "static").iterdir():
            self.write(f"assets/{item.name}", item.read_text(encoding="utf-8"))
        name = f"vega-{importlib.metadata.version('vl-convert-python')}.js"
        earlier = Path(before, name)  # making it takes seconds
        self.write(f"assets/{name}", earlier.read_bytes() if earlier.exists() else vl_convert.javascript_bundle())
        bundle = Path(options.dt_bundle)
        code = json.dumps(bundle.read_text(encoding="utf-8"))  # pages from a folder may import no module by address
        module = f"window.itables = import(URL.createObjectURL(new Blob([{code}], {{type: 'text/javascript'}})));\n"
        self.write("assets/itables.js", module)
        self.write("assets/itables.css", bundle.with_suffix(".css").read_bytes())
        self.templates.globals["vega"] = name


def table(frame: pd.DataFrame, title: str, filters=(), choices=(), links=None):
    """A table that sorts, searches and shows pages of lines; without JavaScript, its lines as they are at first."""
    frame = frame.reset_index(drop=True)
    texts = [column for column in frame if frame[column].dtype.kind not in "fiub"]
    long = [column for column in texts if frame[column].astype("str").str.len().max() > LONG]
    for column in texts:
        cells = ["–" if pd.isna(text) else str(escape(text)) for text in frame[column]]
        if column in (links or {}):
            pairs = zip(links[column], cells, strict=True)
            cells = [f'<a href="{escape(target)}">{cell}</a>' if target else cell for target, cell in pairs]
        frame[column] = cells
    at = frame.columns.get_loc
    defs = [{"targets": [at(column) for column in filters], "visible": False}] if filters else []
    for column in frame.select_dtypes("float"):
        digits = DIGITS.get(column, 2)
        frame[column] = frame[column].round(digits + 2)  # more digits only make pages larger
        shown = f"{digits} === 3 && x < 0.0005 ? '< 0.001' : x.toFixed({digits})"
        defs.append({"targets": [at(column)], "render": JavascriptFunction(_NUMBER.replace("SHOWN", shown))})
    defs.append({"targets": [at(column) for column in texts], "className": "text"})
    defs.append({"targets": [at(column) for column in long], "className": "long"})
    first = frame[(frame[list(filters)] == frame[list(filters)].iloc[:1].squeeze()).all(axis=1)] if filters else frame
    id, looks = f"table-{slug(title)}", {"escape": False, "border": 0, "float_format": "%.3g", "na_rep": "–"}
    still = Markup(first.drop(columns=list(filters)).to_html(table_id=id, index=False, **looks))
    lists = [(at(name), name, list(dict.fromkeys(frame[name])), name in choices) for name in (*filters, *choices)]
    return {"name": id, "title": title, "lists": lists, "still": still, "data": _arguments(frame, id, defs)}


def _arguments(frame, name, defs):
    """What the library's script gets, as JSON for a page."""
    long = len(frame) > PAGE
    layout = {"topStart": None, "topEnd": "search" if len(frame) > FEW else None}
    layout |= {"bottomStart": "info" if long else None, "bottomEnd": "paging" if long else None}
    looks = {"layout": layout, "paging": long, "pageLength": PAGE, "columnDefs": defs}
    looks["language"] = {"infoFiltered": "", "info": "_START_ to _END_ of _TOTAL_"}
    looks["text_in_header_can_be_selected"] = False  # a click on it sorts
    found = get_itable_arguments(frame, maxBytes=0, allow_html=True, showIndex=False, table_id=name, **looks)
    kept = {key: found[key] for key in found if key not in NOTEBOOK and not key.startswith("warn")}
    kept |= {"classes": ["display", "compact"], "style": {"width": "auto", "margin": "0"}}
    return Markup(json.dumps(kept, sort_keys=True).replace("</", "<\\/"))


def count(number):
    """1234567 as 1 234 567, with narrow spaces that do not break; nothing for nothing."""
    return "" if number is None else f"{number:,}".replace(",", "\u202f")


def slug(text):
    """A text as part of an id."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
