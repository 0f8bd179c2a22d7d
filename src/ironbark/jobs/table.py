"""One table of a study, or of the data sets."""

import importlib
import json
from pathlib import Path

import pandas as pd

from ironbark import records
from ironbark.analysis import (
    bayes,
    claims,
    dataset_tables,
    error_table,
    findings,
    layout,
    loss_criteria,
    pairs,
    published,
    rank_table,
    significance_table,
    slopes,
    tables,
    theorems,
    trade_off,
)
from ironbark.analysis.collect import refuse_holes
from ironbark.errors import InputError
from ironbark.jobs.collect import expected


def run(spec, inputs, stem):
    """Build a table and write ``stem.csv``, ``.md``, ``.tex`` and ``.html``.

    Parameters
    ----------
    spec : dict
        Keys table (entry of the study) and note; for tables of result rows also names (labels, noise_labels) and those
        of `ironbark.jobs.collect`, for those of data sets also datasets (list of [id, printed name]).
    inputs : dict
        ``rows``, or what else the kind in `DATA` reads.
    stem : path
    """
    table = DATA.get(spec["table"]["kind"], _rows)(spec, inputs)
    layout.write(table, Path(stem))


def _rows(spec, inputs, build=tables.build):
    frame = records.read(inputs["rows"])
    missing = refuse_holes(frame, expected(spec), spec["allow_holes"])
    return build(frame, spec["table"], **spec["names"], caption_note=spec["note"], missing=missing)


def _significance(spec, inputs):
    return _rows(spec, inputs, significance_table.build)


def _errors(spec, inputs):
    return _rows(spec, inputs, error_table.build)


def _slopes(spec, inputs):
    return _rows(spec, inputs, slopes.build)


def _bayes(spec, inputs):
    return _rows(spec, inputs, bayes.build)


def _findings(spec, inputs):
    return _rows(spec, inputs, findings.build)


def _trade_off(spec, inputs):
    frame = records.read(inputs["rows"])
    refuse_holes(frame, expected(spec), spec["allow_holes"])
    printed, tradeoff = published.rmb(inputs["printed"]), published.rmb_tradeoff(inputs["tradeoff"])
    about = {**spec["names"], "caption_note": spec["note"]}
    return trade_off.build(frame, spec["table"], printed, tradeoff, spec["mapping"], **about)


def _rank_table(spec, inputs):
    frame = records.read(inputs["rows"])
    refuse_holes(frame, expected(spec), spec["allow_holes"])
    printed, averages = published.rgbdt_ranks(inputs["printed"]), published.rgbdt_rank_averages(inputs["averages"])
    return rank_table.build(frame, spec["table"], printed, averages, **spec["names"], caption_note=spec["note"])


def _losses(spec, inputs):
    return loss_criteria.build(spec["table"])


def _datasets(spec, inputs):
    """Table of the data sets whose meta.json is among ``inputs["prepared"]``; ``inputs["printed"]`` is the print."""
    name = spec["table"]["printed"]
    metas = {meta["id"]: meta for meta in map(_meta, inputs.get("prepared", ()))}
    ours = [(id, printed_name, metas.get(id)) for id, printed_name in spec["datasets"]]
    return dataset_tables.build(dataset_tables.read(inputs["printed"], name), name, ours, spec["note"])


def _meta(path):
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        folder = Path(path).parent
        raise InputError(f"{path} is damaged; remove the folder {folder} and prepare the data set again") from error


def _pairs(spec, inputs):
    frame = records.read(inputs["rows"])
    refuse_holes(frame, expected(spec), spec["allow_holes"])
    return pairs.build(frame, spec["table"], **spec["names"], caption_note=spec["note"])


def _claims(spec, inputs):
    lambdas = pd.read_csv(inputs["lambdas"], dtype="str", keep_default_na=False)
    about = {"capped": spec["caps"], "caption_note": spec["note"]}
    tables, marks = published.ane(inputs["printed"]), published.ane_highlighted(inputs["printed"])
    printed = claims.printed(tables, marks, lambdas)
    return claims.build(records.read(inputs["rows"]), spec["table"], printed, spec["mapping"], **about)


def _theorems(spec, inputs):
    checks = importlib.import_module("ironbark.theory.checks")  # by name: no other table depends on the estimators
    return theorems.build(checks.run(), spec["table"])


#: Table kinds that are not made from the cells of result rows -> builder.
DATA = {"datasets": _datasets, "pairs": _pairs, "claims": _claims, "theorems": _theorems}
DATA |= {"significance": _significance, "loss-criteria": _losses}
DATA |= {"slopes": _slopes, "bayes": _bayes, "findings": _findings}
DATA |= {"errors": _errors, "trade-off": _trade_off, "rank-table": _rank_table}
