"""Tables, comparisons and the last lines of a run, from hand-made rows to files."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from result_rows import result_rows

from ironbark.errors import InputError
from ironbark.pipeline.jobs import artefacts, summary
from ironbark.pipeline.results import records


@pytest.fixture
def rows(tmp_path):
    """rows.parquet of one data set, two noises, two methods and three repeats; one fit failed."""
    cells = {("d", "clean", "a"): [0.9, 0.89, 0.88], ("d", "uniform-0.2", "a"): [0.7, 0.69, 0.68]}
    cells |= {("d", "clean", "b"): [0.8, 0.79, 0.78], ("d", "uniform-0.2", "b"): [0.6, 0.59, np.nan]}
    found = result_rows(cells, study="s", scale="full")
    path = tmp_path / "results" / "s" / "full" / "rows.parquet"
    records.write(found.assign(message=np.where(found["status"] == "failed", "ValueError: why not", "")), path)
    return path


NAMES = {"labels": {"a": "Method A", "b": "Method B"}, "noise_labels": {"clean": "0", "uniform-0.2": "0.2"}}
SPEC = {
    "cells": [["d", "binary", ["clean", "uniform-0.2"], ["a", "b"]]],
    "repeats": 3,
    "folds": 1,
    "allow_holes": False,
    "names": NAMES,
    "note": "Study s, scale full.",
    "facts": {},
}


def test_one_job_makes_all_tables_and_refuses_holes(rows, tmp_path):
    spec = SPEC | {"table": {"id": "t", "kind": "accuracy"}}
    files, specs = {"t/rows": rows, "u/rows": rows}.items(), {"t": spec, "u": spec | {"repeats": 4}}
    with pytest.raises(InputError, match="table 'u': .*4 fits are missing"):
        artefacts.make(artefacts.table, specs, files, tmp_path)
    artefacts.make(artefacts.table, specs | {"u": specs["u"] | {"allow_holes": True}}, files, tmp_path)
    assert {path.name for path in tmp_path.glob("*.md")} == {"t.md", "u.md"}


def test_last_lines(rows, tmp_path):
    results = tmp_path / "results"
    (rows.parent / "report.html").write_text("")
    text = "\n".join(summary.lines(results, ["s", "t"], "full"))
    assert "s (full): 12 fits, 1 FAILED" in text
    assert text.count("failed: b, e.g. d uniform-0.2: ValueError: why not") == 1
    assert summary.lines(results, ["s"], "smoke") == []


MAPPING = {"classifier": {"AdaBoost": "ada", "RMBoost": "rmb", "LPBoost": "lp"}}
ERRORS = {"ada": 0.24, "rmb": 0.27, "lp": 0.28}
PRINTED = Path(__file__).parents[3] / "data/published/rmb_error.csv"


@pytest.fixture
def errors(tmp_path):
    runs = {
        ("german", noise, method): [error + shift, error + shift + 0.01]
        for noise, shift in (("clean", 0.0), ("uniform-0.1", 0.005))
        for method, error in ERRORS.items()
    }
    found = result_rows(runs, "error", accuracy=0.5)
    path = tmp_path / "errors.parquet"
    records.write(found.assign(minimax_risk=np.where(found["method"] == "rmb", 0.3, np.nan)), path)
    return path


def test_comparison_of_errors_and_risks(errors, tmp_path):
    entry = {"published": "rmb", "metrics": {"classifier": "error", "risk": "minimax_risk"}}
    entry["methods"] = MAPPING | {"risk": {"MinimaxRisk": "rmb"}}
    spec = {"study": "s", "scale": "full", "protocol": {"kind": "repeated-cv", "repeats": 2, "options": {}}}
    spec |= {"compare": entry, "datasets": ["german"], "deviations": {"german": []}}
    spec |= dict.fromkeys(["caps", "absent", "capped_fits", "note"], "") | {"added_noises": []}
    artefacts.compare(spec, errors, PRINTED, tmp_path / "c")
    cells = pd.read_csv(tmp_path / "c.csv").dropna(subset="mean").set_index(["table", "method", "noise"])
    assert len(cells) == 8
    assert cells.loc[("3", "ada", "clean"), ["published_mean", "mean"]].tolist() == pytest.approx([24, 24.5])
    assert cells.loc[("3, risk", "rmb", "uniform"), ["published_mean", "mean"]].tolist() == pytest.approx([29, 30])
    assert "; 3 methods, 2 settings) |" in (tmp_path / "c.md").read_text("utf-8"), "rank correlation"
    written = (tmp_path / "c.csv").read_bytes()
    artefacts.compare(spec, errors, PRINTED, tmp_path / "c")
    assert (tmp_path / "c.csv").read_bytes() == written


def test_an_added_noise_leaves_the_comparison_where_the_study_has_its_model_and_rate():
    noises = {"uniform-0.2": ("uniform", "0.2"), "exact-0.2": ("uniform", "0.2"), "uniform-0.3": ("uniform", "0.3")}
    rows = pd.DataFrame([(name, *about) for name, about in noises.items()], columns=["noise_id", "noise", "rate"])
    assert list(artefacts.without_twins(rows, ["exact-0.2", "uniform-0.3"])["noise_id"]) == [
        "uniform-0.2",
        "uniform-0.3",
    ]
    assert len(artefacts.without_twins(rows, [])) == 3
