"""The comparison with published values as JSON for other programs: each cell with its paper, protocol and code."""

import json

import pandas as pd

from ironbark.files import write_text
from ironbark.pipeline.analysis.published import PAPERS

FORMAT = 1  # of workflow/schemas/comparison.schema.yaml; larger after a change that readers must know
CELL = ("table", "dataset", "task", "noise", "rate", "model", "published_method", "method", "metric")
JUDGED = ("difference", "within_margin", "verdict", "reason", "p_holm", "equivalent", "p_equivalent", "within_two_sd")
JUDGED += ("needed_to_reject",)


def card(comparison, spec, code):
    """A comparison as workflow/schemas/comparison.schema.yaml describes it.

    Parameters
    ----------
    comparison : DataFrame
        From `ironbark.pipeline.analysis.published.comparison.compare`.
    spec : dict
        Of `ironbark.pipeline.plan.specs.Plan.compare`.
    code : dict
        Keys ironbark (version), commit and changed.

    Returns
    -------
    dict
        JSON. Numbers are rounded as in ``comparison.csv``; None is NaN or unknown.
    """
    entry = spec["compare"]
    paper, despite = PAPERS[entry["published"]], entry.get("despite", {})
    return {
        "format": FORMAT,
        "study": spec["study"],
        "scale": spec["scale"],
        "code": code,
        "paper": {"id": entry["published"]}
        | {key: getattr(paper, key) for key in ("label", "authors", "title", "venue", "year")},
        "protocol": spec["protocol"],
        "deviations": [text for text in (spec["caps"], spec["absent"]) if text],
        "datasets": {
            name: {"deviations": spec["deviations"][name], "compared_despite": despite.get(name)}
            for name in spec["datasets"]
        },
        "cells": [_cell(line) for line in comparison.to_dict("records")],
    }


def _cell(line):
    line = {name: _plain(value) for name, value in line.items()}
    means = {
        who: {"mean": line[f"{start}mean"], "spread": line[f"{start}spread"], "n": line[f"{start}n"]}
        for who, start in (("published", "published_"), ("ours", ""))
    }
    named = {name: line[name] for name in CELL} | {"table": str(line["table"]), "unit": "percent"}
    return named | means | {name: line[name] for name in JUDGED}


def _plain(value):
    if pd.isna(value):
        return None
    return round(value, 6) if isinstance(value, float) else value


def write(comparison, stem, spec, code):
    """Write the `card` of a comparison to ``stem.json``."""
    text = json.dumps(card(comparison, spec, code), indent=1, ensure_ascii=False, allow_nan=False)
    write_text(f"{stem}.json", text + "\n")
