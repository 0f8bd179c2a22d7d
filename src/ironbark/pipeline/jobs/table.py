"""One table of a study, or of the data sets."""

import importlib
import json
from pathlib import Path

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import refuse_holes
from ironbark.pipeline.analysis.kinds import TABLE_MODULES
from ironbark.pipeline.analysis.published import numbers
from ironbark.pipeline.analysis.tables import layout
from ironbark.pipeline.jobs.score import expected
from ironbark.pipeline.results.rows import shown


def run(spec, inputs, stem):
    """Build a table and write ``stem.csv``, ``.md``, ``.tex`` and ``.html``.

    Parameters
    ----------
    spec : dict
        Keys table (entry of the study) and note; for tables of result rows also names (labels, noise_labels) and those
        of `ironbark.pipeline.jobs.score`, for those of data sets also datasets (list of [id, printed name]).
    inputs : dict
        ``rows``, or what else the kind in `DATA` reads.
    stem : path
    """
    table = DATA.get(spec["table"]["kind"], _rows)(spec, inputs)
    layout.write(table, Path(stem))


def _module(spec):
    """What builds the kind, imported by name: no other table depends on it."""
    return importlib.import_module(TABLE_MODULES[spec["table"]["kind"]][0])


def _complete(spec, inputs):
    """Result rows, and the fits that are missing among them."""
    frame = shown(inputs["rows"])
    return frame, refuse_holes(frame, expected(spec), spec["allow_holes"])


def _rows(spec, inputs):
    frame, missing = _complete(spec, inputs)
    return _module(spec).build(frame, spec["table"], **spec["names"], caption_note=spec["note"], missing=missing)


def _trade_off(spec, inputs):
    frame, _ = _complete(spec, inputs)
    printed, tradeoff = numbers.rmb(inputs["printed"]), numbers.rmb_tradeoff(inputs["tradeoff"])
    about = {**spec["names"], "caption_note": spec["note"]}
    return _module(spec).build(frame, spec["table"], printed, tradeoff, spec["mapping"], **about)


def _rank_table(spec, inputs):
    frame, _ = _complete(spec, inputs)
    printed, averages = numbers.rgbdt_ranks(inputs["printed"]), numbers.rgbdt_rank_averages(inputs["averages"])
    return _module(spec).build(frame, spec["table"], printed, averages, **spec["names"], caption_note=spec["note"])


def _losses(spec, inputs):
    return _module(spec).build(spec["table"])


def _datasets(spec, inputs):
    """Table of the data sets whose meta.json is among ``inputs["prepared"]``; ``inputs["printed"]`` is the print."""
    name = spec["table"]["printed"]
    module = _module(spec)
    metas = {meta["id"]: meta for meta in map(_meta, inputs.get("prepared", ()))}
    ours = [(id, printed_name, metas.get(id)) for id, printed_name in spec["datasets"]]
    return module.build(module.read(inputs["printed"], name), name, ours, spec["note"])


def _meta(path):
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        folder = Path(path).parent
        raise InputError(f"{path} is damaged; remove the folder {folder} and prepare the data set again") from error


def _pairs(spec, inputs):
    frame, _ = _complete(spec, inputs)
    return _module(spec).build(frame, spec["table"], **spec["names"], caption_note=spec["note"])


def _claims(spec, inputs):
    lambdas = pd.read_csv(inputs["lambdas"], dtype="str", keep_default_na=False)
    about = {"capped": spec["capped_fits"], "caption_note": spec["note"]}
    tables, marks = numbers.ane(inputs["printed"]), numbers.ane_highlighted(inputs["printed"])
    module = _module(spec)
    printed = module.printed(tables, marks, lambdas)
    return module.build(shown(inputs["rows"]), spec["table"], printed, spec["mapping"], **about)


def _theorems(spec, inputs):
    checks = importlib.import_module(TABLE_MODULES["theorems"][1])
    return _module(spec).build(checks.run(), spec["table"])


#: Table kind -> reader and builder; result rows make the cells of all others.
DATA = {"datasets": _datasets, "pairs": _pairs, "claims": _claims, "theorems": _theorems}
DATA |= {"loss-criteria": _losses, "trade-off": _trade_off, "rank-table": _rank_table}
