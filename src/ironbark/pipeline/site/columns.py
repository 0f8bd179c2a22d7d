"""Result rows as a script that a browser reads quickly: one array of bytes a column, in base64."""

import base64
import json

import numpy as np

from ironbark.pipeline.metrics import METRICS
from ironbark.pipeline.results.records import FAILED

IDS = ("dataset", "task", "noise_id", "method")
MOST_FITS = 300_000  # above it the browser gets the mean and spread of each cell
DERIVED = ("error",)  # the browser takes it from the accuracy


def script(frame, about):
    """A call of ``ironbark.receive`` with the rows of one study.

    Parameters
    ----------
    frame : DataFrame
        Rows of `ironbark.pipeline.site.rows`.
    about : dict
        What the explorer has to know of the study; goes into the script as it is.

    Returns
    -------
    str
        Keys n, fits (of which they are made), kind ("fits" or "cells"), ids (column -> names and codes), numbers
        (metric -> float32) and for cells also spreads (standard deviations) and counts.
    """
    ok = frame[frame["status"] != FAILED]
    names = [name for name in METRICS if name not in DERIVED and name in ok and ok[name].notna().any()]
    many = len(ok) > MOST_FITS
    content = _cells(ok, names) if many else _fits(ok, names)
    content |= {"fits": len(ok), "kind": "cells" if many else "fits"}
    return f"ironbark.receive({_safe(about | content)});\n"


def _fits(rows, names):
    numbers = {name: _bytes(rows[name].to_numpy(), "<f4") for name in names}
    return {"n": len(rows), "ids": {name: _codes(rows[name]) for name in IDS}, "numbers": numbers}


def _cells(rows, names):
    grouped = rows.groupby(list(IDS), observed=True)
    means, spreads = grouped[names].mean(), grouped[names].std()
    keys = means.index.to_frame(index=False)
    return {
        "n": len(means),
        "ids": {name: _codes(keys[name].astype("category")) for name in IDS},
        "numbers": {name: _bytes(means[name].to_numpy(), "<f4") for name in names},
        "spreads": {name: _bytes(spreads[name].to_numpy(), "<f4") for name in names},
        "counts": _bytes(grouped.size().to_numpy(), "<u4"),
    }


def _codes(column):
    """Names of a category and the index of each row's name, two bytes each."""
    column = column.cat.remove_unused_categories()
    names = [str(name) for name in column.cat.categories]
    return {"names": names, "codes": _bytes(column.cat.codes.to_numpy(), "<u2")}


def _bytes(values, kind):
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")


def _safe(content):
    """JSON that may stand in a script: no tag can end it."""
    return json.dumps(content, ensure_ascii=True, separators=(",", ":")).replace("</", "<\\/")
