"""Tables as files: tidy CSV, Markdown with pipes, LaTeX with booktabs, a page of HTML."""

from html import escape
from itertools import groupby
from pathlib import Path

import numpy as np

from ironbark.errors import InputError
from ironbark.files import write_text

#: Text -> LaTeX, for what LaTeX reads otherwise or may not print.
LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "–": "--", "†": r"\dag{}", "‡": r"\ddag{}"},
    **{"±": r"$\pm$", "•": r"$\bullet$", "◦": r"$\circ$", "✓": r"$\surd$", "−": "$-$", "≠": r"$\neq$"},
}


def write(table, stem: str | Path) -> list[Path]:
    """Write ``stem.csv``, ``stem.md``, ``stem.tex`` and ``stem.html``, each whole or not at all."""
    texts = {".csv": to_csv(table), ".md": to_markdown(table), ".tex": to_latex(table), ".html": to_html(table)}
    paths = []
    for suffix, text in texts.items():
        paths.append(Path(f"{stem}{suffix}"))
        write_text(paths[-1], text)
    return paths


def to_csv(table):
    """The tidy numbers, with ten significant digits."""
    return table.values.to_csv(index=False, float_format="%.10g", lineterminator="\n")


def to_markdown(table):
    """Caption, table with pipes, notes."""
    heads = map(_escape_markdown, [*table.frame.index.names, *table.frame.columns])
    lines = [
        [
            *map(_escape_markdown, labels),
            *(f"**{_escape_markdown(t)}**" if b else _escape_markdown(t) for t, b in cells),
        ]
        for labels, cells, _ in _body(table)
    ]
    parts = [_escape_markdown(table.caption), pipes(heads, lines, table.frame.index.nlevels)]
    return "\n\n".join([*parts, *map(_escape_markdown, table.notes)]) + "\n"


def pipes(heads, lines, left: int = 0):
    """A table of Markdown; all columns but the first ones are aligned to the right."""
    heads = list(heads)
    aligns = ["---"] * left + ["---:"] * (len(heads) - left)
    return "\n".join("| " + " | ".join(line) + " |" for line in (heads, aligns, *lines))


def _escape_markdown(text):
    for character in "\\|*_`<":
        text = text.replace(character, "\\" + character)
    return text


def to_latex(table):
    """A float, or one for each page of a long table; a rule stands between two blocks of the first row heading."""
    body = list(_body(table))
    pages = [body[first : first + PAGE] for first in range(0, len(body), PAGE)] or [[]]
    captions = [rf"\caption{{{escape_latex(table.caption)}}}", *[r"(continued)\par\smallskip"] * (len(pages) - 1)]
    notes = [rf"\par\smallskip {escape_latex(note)}" for note in table.notes]
    floats = [_float(table, caption, page) for caption, page in zip(captions, pages, strict=True)]
    floats[-1] += notes
    return "\n".join("\n".join([*lines, r"\end{table}"]) for lines in floats) + "\n"


def _float(table, caption, body):
    """Lines of a float up to its end."""
    levels = table.frame.index.nlevels
    heads = [*table.frame.index.names, *table.frame.columns]
    aligned, wide = _alignment(table)
    lines = [r"\begin{table}", r"\centering", r"\footnotesize", r"\setlength{\tabcolsep}{3pt}", caption]
    lines += [r"\resizebox{\linewidth}{!}{%"] * wide + [rf"\begin{{tabular}}{{{aligned}}}", r"\toprule"]
    lines += [*_latex_groups(table), _row(map(escape_latex, heads)), r"\midrule"]
    for at, (labels, cells, starts) in enumerate(body):
        lines += [r"\midrule"] * bool(starts and at)
        shown = [escape_latex(label) for label in labels]
        if levels > 1 and at and not starts:
            shown[0] = ""
        lines.append(_row([*shown, *(_latex_cell(*cell) for cell in cells)]))
    return [*lines, r"\bottomrule", r"\end{tabular}" + "}" * wide]


def _latex_groups(table):
    """The line above the heads of the columns, and rules below its cells; nothing for a table without groups."""
    cells, rules, end = [""] * table.frame.index.nlevels, [], table.frame.index.nlevels
    for head, width in _groups(table):
        cells.append(rf"\multicolumn{{{width}}}{{c}}{{{escape_latex(head)}}}")
        rules.append(rf"\cmidrule(lr){{{end + 1}-{end + width}}}")
        end += width
    return [_row(cells), " ".join(rules)] if rules else []


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


def _row(cells):
    return " & ".join(cells) + r" \\"


def _latex_cell(text, bold):
    shown = rf"\textbf{{{escape_latex(text)}}}" if bold else escape_latex(text)
    return rf"\raggedright\let\\\tabularnewline {shown}" if len(text) > LONG else shown


LONG = 60  # letters from which a cell is a sentence: it wraps
LINE = 105  # letters that stand in a line of a page in LaTeX
PAGE = 50  # lines of a table on a page in LaTeX
GAP = 1.5  # of which the gap between two columns takes so many

#: Readable in light and dark, wide tables scroll.
STYLE = """:root { color-scheme: light dark; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5em; }
p { max-width: 60em; }
div { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15em 0.7em; text-align: right; white-space: nowrap; }
th[scope=row] { text-align: left; font-weight: normal; }
thead th { border-bottom: 1.5px solid; }
td.text { text-align: left; white-space: normal; min-width: 20em; }
tr.first > * { border-top: 1px solid #8888; }"""


def to_html(table):
    """A page of its own with caption, table and notes, that loads nothing from elsewhere."""
    heads = "".join(f"<th>{escape(str(head))}</th>" for head in [*table.frame.index.names, *table.frame.columns])
    centred = 'style="text-align: center"'
    above = "".join(f'<th colspan="{width}" {centred}>{escape(head)}</th>' for head, width in _groups(table))
    above = f'<tr><td colspan="{table.frame.index.nlevels}"></td>{above}</tr>\n' if above else ""
    lines = []
    for labels, cells, starts in _body(table):
        shown = "".join(f'<th scope="row">{escape(label)}</th>' for label in labels)
        shown += "".join(_html_cell(*cell) for cell in cells)
        lines.append('<tr class="first">' * starts + "<tr>" * (not starts) + f"{shown}</tr>")
    notes = "".join(f"<p>{escape(note)}</p>" for note in table.notes)
    body = f"<table><thead>{above}<tr>{heads}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody></table>"
    head = f'<meta charset="utf-8"><title>Table</title><style>{STYLE}</style>'
    page = f'<p>{escape(table.caption)}</p>\n<div tabindex="0">{body}</div>\n{notes}'
    return f"<!doctype html>\n<html lang=en><head>{head}</head><body>\n{page}</body></html>\n"


def _html_cell(text, bold):
    start = '<td class="text">' if len(text) > LONG else "<td>"
    return f"{start}<b>{escape(text)}</b></td>" if bold else f"{start}{escape(text)}</td>"


def body_of(page):
    """Caption, table and notes of a page that `to_html` made, as HTML."""
    body, end, _ = page.partition("<body>\n")[2].partition("</body></html>")
    if not end:
        raise InputError("the page holds no table of ironbark; make the table again")
    return body


def escape_latex(text):
    """`text` with the characters of `LATEX` replaced."""
    return text.translate(str.maketrans(LATEX))


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
