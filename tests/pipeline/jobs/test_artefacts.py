"""Tables, comparisons and the last lines of a run, from hand-made rows to files."""

from pathlib import Path

import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.jobs import artefacts, summary
from ironbark.pipeline.results import records


@pytest.fixture
def rows(tmp_path):
    """rows.parquet of one data set, two noises, two methods and three repeats; one fit failed."""
    found = []
    for noise, rate in (("clean", "0"), ("uniform", "0.2")):
        for method, level in (("a", 0.9), ("b", 0.8)):
            for repeat in range(3):
                accuracy = level - 0.01 * repeat - float(rate)
                row = {"dataset": "d", "task": "binary", "noise": noise, "rate": rate, "method": method}
                row |= {"noise_id": noise, "repeat": repeat, "fold": 0, "status": "ok", "accuracy": accuracy}
                found.append(row)
    found[-1] |= {"status": "failed", "message": "ValueError: why not", "accuracy": float("nan")}
    path = tmp_path / "results" / "s" / "full" / "rows.parquet"
    records.write(records.frame({"study": "s", "scale": "full", **row} for row in found), path)
    return path


NAMES = {"labels": {"a": "Method A", "b": "Method B"}, "noise_labels": {"clean": "0", "uniform": "0.2"}}
SPEC = {
    "cells": [["d", "binary", ["clean", "uniform"], ["a", "b"]]],
    "repeats": 3,
    "folds": 1,
    "allow_holes": False,
    "names": NAMES,
    "note": "Study s, scale full.",
    "facts": {},
}


def test_table(rows, tmp_path):
    spec = SPEC | {"table": {"id": "t", "kind": "accuracy", "methods": ["b", "a"], "caption": "Numbers."}}
    artefacts.table(spec, {"rows": rows}, tmp_path / "tables" / "t")
    assert {p.name for p in (tmp_path / "tables").iterdir()} == {"t.csv", "t.md", "t.tex", "t.html"}
    values = pd.read_csv(tmp_path / "tables" / "t.csv")
    cell = values[(values["method"] == "a") & (values["noise"] == "uniform")].iloc[0]
    assert cell["mean"] == pytest.approx(0.69)
    for suffix in ("md", "tex", "html"):
        text = (tmp_path / "tables" / f"t.{suffix}").read_text("utf-8")
        assert "Method A" in text and "Study s, scale full." in text and "Numbers." in text


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
    assert text.count("failed: b, e.g. d uniform: ValueError: why not") == 1
    assert summary.lines(results, ["s"], "smoke") == []


MAPPING = {"classifier": {"AdaBoost": "ada", "RMBoost": "rmb", "LPBoost": "lp"}}
ERRORS = {"ada": 0.24, "rmb": 0.27, "lp": 0.28}
PRINTED = Path(__file__).parents[3] / "data/published/rmb_error.csv"


@pytest.fixture
def errors(tmp_path):
    found = [
        {"dataset": "german", "task": "binary", "noise": noise, "rate": rate, "noise_id": noise_id, "method": method}
        | {"repeat": repeat, "fold": 0, "status": "ok", "error": error + 0.05 * float(rate) + 0.01 * repeat}
        | {"accuracy": 0.5, "minimax_risk": 0.3 if method == "rmb" else float("nan")}
        for noise_id, noise, rate in (("clean", "clean", "0"), ("u1", "uniform", "0.1"))
        for method, error in ERRORS.items()
        for repeat in range(2)
    ]
    path = tmp_path / "errors.parquet"
    records.write(records.frame(found), path)
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
