"""What the page of a study shows: coverage, failures, the comparison with the published values, tables and figures."""

from pathlib import Path
from urllib.parse import urlencode

import pandas as pd
from markupsafe import Markup

from ironbark.errors import InputError
from ironbark.pipeline.analysis import coverage
from ironbark.pipeline.analysis.published.comparison import MARGIN
from ironbark.pipeline.analysis.tables import layout, printed_table
from ironbark.pipeline.site.data.study_data import BOARD_VIEWS

TABLE_FILES = (("CSV", ".csv"), ("LaTeX", ".tex"), ("Markdown", ".md"))
FIGURE_FILES = (("PNG", ".png"), ("SVG", ".svg"), ("PDF", ".pdf"))


def view(about, rows, folder, renderer):
    """The page's content; tables and figures are copied beside it.

    Parameters
    ----------
    about : dict
        Entry of `ironbark.pipeline.site.data.studies.read`.
    rows : Rows
        Result rows.
    folder : Path
        Results of the study and scale.
    renderer : Renderer

    Returns
    -------
    dict
        `about` with the keys total, by_dataset, by_method, causes, printed, verdicts, problems and explorable, and with
        the tables and figures as they are shown.
    """
    frame = coverage.within(rows.frame, about)
    problems = list(rows.problems)
    if frame.empty:
        problems.append("No fit of this study has finished; start it with `snakemake` or look into results/logs.")
    target = f"files/{about['id']}/{about['scale']}"
    printed, verdicts = _printed(about, folder, target, renderer, problems)
    by_dataset = coverage.table(frame, about, "dataset")
    return about | {
        "by_dataset": _lines(by_dataset, about["datasets"]),
        "by_method": _lines(coverage.table(frame, about, "method"), about["methods"]),
        "total": {name: values.sum().item() for name, values in by_dataset.items()},  # a column each: counts stay whole
        "causes": coverage.causes(frame).to_dict("records"),
        "printed": printed,
        "verdicts": verdicts,
        "tables": [_table(item, folder, target, renderer, problems) | _title(item) for item in about["tables"]],
        "figures": [_figure(item, about, folder, target, renderer) | _title(item) for item in about["figures"]],
        "problems": problems,
        "explorable": bool((frame["status"] == "ok").any()),
    }


def _lines(table, labels):
    return [{"id": name, "label": labels[name], **values} for name, values in table.to_dict("index").items()]


def _title(item):
    """The first sentence of a caption as a heading, and the rest of the caption."""
    first, _, rest = item["caption"].partition(". ")
    return {"title": first.rstrip(".") or item["id"], "rest": rest}


def _table(item, folder, target, renderer, problems):
    """A table as its job has written it."""
    path = folder / "tables" / f"{item['id']}.html"
    files = _copies(TABLE_FILES, folder / "tables", f"{target}/tables", item["id"], renderer)
    shown = item | {"html": None, "notes": "", "files": files}
    try:
        caption, table, notes = map(Markup, layout.parts_of_html(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return shown
    except InputError as error:
        problems.append(f"{path}: {error}.")
        return shown
    return shown | {"caption": caption, "html": table, "notes": notes}


def _figure(item, about, folder, target, renderer):
    files = _copies(FIGURE_FILES, folder / "figures", f"{target}/figures", item["id"], renderer)
    image = next((path for name, path in files if name == "SVG"), None)
    return item | {"image": image, "files": files, "link": _link(item, about)}


def _link(item, about):
    """The state of the explorer that shows the same as a figure."""
    if "view" not in item:
        return None
    state = {"study": f"{about['id']}-{about['scale']}"}
    if item["view"]["view"] in BOARD_VIEWS:
        state["among"] = item["id"]
    for key, value in item["view"].items():
        if key in ("view", "task", "metric") or (key != "noises" and "among" not in state):
            state[key] = ",".join(value) if isinstance(value, list) else value
    return urlencode(state, safe=",")


def _copies(kinds, folder, target, name, renderer):
    """(name of the format, path in the site) of the files that there are."""
    paths = [(kind, renderer.copy(folder / f"{name}{end}", f"{target}/{name}{end}")) for kind, end in kinds]
    return [(kind, path) for kind, path in paths if path]


def _printed(about, folder, target, renderer, problems):
    """Each printed table beside our numbers, and how often each verdict occurs."""
    path = folder / "comparison.csv"
    if not about["compare"] or not path.exists():
        return [], {}
    try:
        frame = printed_table.read(path)
    except InputError as error:
        problems.append(str(error))
        return [], {}
    tables = [_printed_table(frame, name, about, target, renderer) for name in dict.fromkeys(frame["table"])]
    return tables, frame["verdict"].value_counts().to_dict()


def _printed_table(frame, name, about, target, renderer):
    id = f"printed-{name}".lower().replace(" ", "-")
    table = printed_table.build(frame, name, about["methods"], about["datasets"])
    written = layout.write(table, Path(renderer.folder, target, "tables", id))
    named = {path.suffix: f"{target}/tables/{path.name}" for path in written}
    lines = frame[frame["table"] == name]
    body, before = [], None
    for labels, cells in zip(table.frame.index, printed_table.cells(lines), strict=True):
        body.append({"labels": labels, "cells": list(map(_cell, cells)), "first": labels[0] != before})
        before = labels[0]
    return {
        "id": id,
        "table": name,
        "heads": [*table.frame.index.names, *table.frame.columns],
        "lines": body,
        "counts": lines["verdict"].value_counts().to_dict(),
        "criteria": printed_table.counts(lines),
        "files": [(kind, named[end]) for kind, end in TABLE_FILES],
    }


def _cell(cell):
    """Text, tooltip and sorting key (our mean, else the published one) of a cell."""
    if cell is None:
        return None
    title = f"published {_number(cell.published_mean, cell.published_spread)}, ours {_number(cell.mean, cell.spread)}"
    title += f", n = {cell.n}, difference {cell.difference:+.2f}" if cell.n else ""
    title += f", p = {cell.p_holm:.3g} (Holm)" if pd.notna(cell.p_holm) else ""
    title += f", {cell.needed_to_reject:.2f} needed to reject" if pd.notna(cell.needed_to_reject) else ""
    title += _criteria(cell)
    title += f"; {cell.reason}" if cell.reason else ""
    sort = cell.published_mean if pd.isna(cell.mean) else cell.mean
    return {"text": printed_table.cell_text(cell), "verdict": cell.verdict, "title": title, "sort": f"{sort:.10g}"}


def _criteria(cell):
    if pd.isna(cell.p_equivalent):
        return ""
    equivalent = "" if cell.equivalent else "not "
    within = "" if cell.within_two_sd else "not "
    return f"; {equivalent}equivalent within {MARGIN:g} point, {within}within 2 published sd"


def _number(mean, spread):
    if pd.isna(mean):
        return "not run"
    return f"{mean:.2f}" + ("" if pd.isna(spread) else f" ± {spread:.2f}")
