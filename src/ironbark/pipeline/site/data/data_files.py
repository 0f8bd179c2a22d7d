"""Aggregates as scripts, since a page that is opened from a folder may load scripts, but no other files."""

import base64
import gzip
import json
import math

import numpy as np
import pandas as pd

COLUMNS = {"datasets": "dataset", "noises": "noise_id", "methods": "method"}
DIGITS, FINE = 4, 6  # significant ones of shipped numbers, and of means


def script(place, content):
    """A call of ``ironbark.receive`` with JSON that is compressed by gzip and written in base64.

    Parameters
    ----------
    place : str
        Path of the script below the folder of data, without its ending.
    content : dict
        Arrays and Series become lists; numbers are rounded to `DIGITS` significant digits (those with
        the key mean to `FINE`), NaN becomes null.
    """
    text = json.dumps(_plain(content), separators=(",", ":"))
    packed = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
    return f"ironbark.receive({json.dumps(place)},{json.dumps(packed)});\n"


def _plain(value, digits=DIGITS):
    if isinstance(value, dict):
        return {key: _plain(part, FINE if key == "mean" else DIGITS) for key, part in value.items()}
    if isinstance(value, pd.Series | np.ndarray):
        value = np.asarray(value).tolist()
    if isinstance(value, list | tuple):
        return [_plain(part, digits) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return short(value, digits)
    return value


def short(value, digits=DIGITS):
    """A number as it is shipped: rounded to significant digits, None for NaN and infinity."""
    if not math.isfinite(value):
        return None
    found = float(f"{value:.{digits}g}")
    return int(found) if found.is_integer() and abs(found) < 10**15 else found


def grid(cells, order):
    """Cells of one metric as flat lists over data sets, noises and methods, the last of which varies fastest.

    Parameters
    ----------
    cells : DataFrame
        Of `ironbark.pipeline.site.data.aggregates.Aggregates`, of one task.
    order : dict
        Keys datasets, noises and methods: ids in the order of the study.

    Returns
    -------
    dict
        Keys datasets, noises, methods (ids that have cells), mean, sd, n (a number if all are equal); for metrics of
        tracks also p, p_holm, difference and runs, and best (index of a method, -1 for none, one for each data set and
        noise).
    """
    there = present(cells, order)
    flat = cells.set_index(list(COLUMNS.values())).reindex(pd.MultiIndex.from_product(there.values()))
    names = [name for name in ("mean", "sd", "n", "difference", "runs", "p", "p_holm") if name in cells]
    found = there | {name: flat[name].to_numpy() for name in names}
    for name in {"n", "runs"} & set(found):
        counted = set(cells[name])
        found[name] = counted.pop() if len(counted) == 1 else found[name]
    if "best" in cells:
        at = {id: i for i, id in enumerate(there["methods"])}
        settings = cells.drop_duplicates(["dataset", "noise_id"]).set_index(["dataset", "noise_id"])["best"].map(at)
        every = pd.MultiIndex.from_product([there["datasets"], there["noises"]])
        found["best"] = settings.reindex(every, fill_value=-1).to_numpy()
    return found


def present(cells, order):
    """The ids of `order` that have cells."""
    found = {key: set(cells[column]) for key, column in COLUMNS.items()}
    return {key: [id for id in order[key] if id in found[key]] for key in COLUMNS}


def indexed(board, methods):
    """A board with the places of its methods in a list in place of their ids."""
    at = {id: i for i, id in enumerate(methods)}
    return board | {"methods": [at[id] for id in board["methods"]]}
