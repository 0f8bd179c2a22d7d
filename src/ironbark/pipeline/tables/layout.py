"""Tables as files: tidy CSV, Markdown with pipes, LaTeX with booktabs, a page of HTML."""

import re
from html import escape
from itertools import groupby
from pathlib import Path

import numpy as np
from jinja2 import Environment, PackageLoader

from ironbark.errors import InputError
from ironbark.files import write_text
from ironbark.pipeline.tables.kinds import SUFFIXES

#: Text -> LaTeX, for what LaTeX reads otherwise or may not print.
LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "–": "--", "†": r"\dag{}", "‡": r"\ddag{}"},
    **{"±": r"$\pm$", "•": r"$\bullet$", "◦": r"$\circ$", "✓": r"$\surd$", "−": "$-$", "≠": r"$\neq$"},
}


def write(table, stem: str | Path):
    """Write ``stem.csv``, ``stem.md``, ``stem.tex`` and ``stem.html``, each whole or not at all."""
    for suffix, text in zip(SUFFIXES["tables"], (to_csv, to_markdown, to_latex, to_html), strict=True):
        write_text(f"{stem}{suffix}", text(table))


def to_csv(table):
    """The tidy numbers, with ten significant digits."""
    return table.values.to_csv(index=False, float_format="%.10g", lineterminator="\n")


def to_markdown(table):
    """Caption, table with pipes, notes."""
    return _MARKDOWN.get_template("table.md.j2").render(table=table, body=list(_body(table)))


def pipes(heads, lines):
    """A table of Markdown, its columns aligned to the right."""
    heads = list(heads)
    return "\n".join("| " + " | ".join(line) + " |" for line in (heads, ["---:"] * len(heads), *lines))


def to_latex(table):
    """A float, or one for each page of a long table; a rule stands between two blocks of the first row heading."""
    body, (aligned, wide) = list(_body(table)), _alignment(table)
    pages = [body[first : first + PAGE] for first in range(0, len(body), PAGE)] or [[]]
    about = {"table": table, "groups": _groups(table), "pages": pages, "aligned": aligned, "wide": wide, "long": LONG}
    return _LATEX.get_template("table.tex").render(about)


def _alignment(table):
    """How columns stand, and whether they are too wide for a page."""
    index, frame = table.frame.index, table.frame
    heads = [*index.names, *frame.columns]
    columns = [*map(index.get_level_values, range(index.nlevels)), *frame.to_numpy().T]
    wraps = [any(len(text) > LONG for text in column) for column in columns]
    plain = [(head, *column) for head, column, wrap in zip(heads, columns, wraps, strict=True) if not wrap]
    used = sum(max(map(len, texts)) + GAP for texts in plain) / LINE
    share = max((0.95 - used) / max(sum(wraps), 1), 0.2)
    sides = "l" * index.nlevels + "r" * frame.shape[1]
    aligned = [rf"p{{{share:.2f}\linewidth}}" if wrap else side for side, wrap in zip(sides, wraps, strict=True)]
    return "".join(aligned), used + share * sum(wraps) > 1


LONG = 60  # letters from which a cell is a sentence: it wraps
LINE = 105  # letters that stand in a line of a page in LaTeX
PAGE = 50  # lines of a table on a page in LaTeX
GAP = 1.5  # of which the gap between two columns takes so many

_TEMPLATES = {"loader": PackageLoader("ironbark.pipeline.tables"), "keep_trailing_newline": True}
#: The page is readable in light and dark, and a wide table scrolls.
_PAGES = Environment(**_TEMPLATES, finalize=lambda value: escape(str(value)))
_MARKDOWN = Environment(**_TEMPLATES, finalize=lambda text: re.sub(r"[\\|*_`<]", r"\\\g<0>", text), trim_blocks=True)
#: With other delimiters than braces, of which LaTeX has many.
_LATEX = Environment("<%", "%>", "<<", ">>", "<#", "#>", trim_blocks=True, **_TEMPLATES)


def to_html(table):
    """A page of its own with caption, table and notes, that loads nothing from elsewhere."""
    about = {"table": table, "groups": _groups(table), "body": list(_body(table)), "long": LONG}
    return _PAGES.get_template("table.html").render(about)


def body_of(page):
    """Caption, table and notes of a page that `to_html` made, as HTML."""
    body, end, _ = page.partition("<body>\n")[2].partition("</body></html>")
    if not end:
        raise InputError("the page holds no table of ironbark; make the table again")
    return body


def escape_latex(text):
    """`text` with the characters of `LATEX` replaced."""
    return text.translate(str.maketrans(LATEX))


_LATEX.filters["tex"] = escape_latex


def _groups(table):
    """Heads above those of the columns, and how many columns each of them spans."""
    return [(head, len(list(same))) for head, same in groupby(table.groups)]


def _body(table):
    """Row headings, pairs of text and bold flag, and whether a block of the first of several headings starts."""
    flags = np.zeros(table.frame.shape, bool) if table.bold is None else table.bold.to_numpy()
    block = None
    for index, texts, bold in zip(table.frame.index, table.frame.to_numpy(), flags, strict=True):
        labels = index if isinstance(index, tuple) else (index,)
        yield labels, list(zip(texts, bold, strict=True)), len(labels) > 1 and labels[0] != block
        block = labels[0]
