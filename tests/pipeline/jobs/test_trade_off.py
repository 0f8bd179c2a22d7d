"""The tables and figures of errors and risks, from rows and published values to files."""

from pathlib import Path

import pandas as pd
import pytest

from ironbark.pipeline.jobs import artefacts
from ironbark.pipeline.results import records

PUBLISHED = Path(__file__).parents[3] / "data/published"
MAPPING = {"classifier": {"AdaBoost": "ada", "RMBoost": "rmb", "LPBoost": "lp"}}
ERRORS = {"ada": 0.24, "rmb": 0.27, "lp": 0.28}
SPEC = {
    "cells": [["german", "binary", ["clean", "u1"], list(ERRORS)]],
    "repeats": 2,
    "folds": 1,
    "allow_holes": False,
    "names": {"labels": {"rmb": "RMB"}, "noise_labels": {"u1": "10 %"}, "dataset_labels": {"german": "German"}},
    "note": "Study s.",
    "facts": {},
}
SELECTION = {"id": "t", "datasets": ["german"], "noises": ["clean", "u1"], "methods": list(ERRORS)}
PRINT = {"printed": PUBLISHED / "rmb_error.csv", "tradeoff": PUBLISHED / "rmb_tradeoff.csv"}


@pytest.fixture
def rows(tmp_path):
    found = [
        {"dataset": "german", "task": "binary", "noise": noise, "rate": rate, "noise_id": noise_id, "method": method}
        | {"repeat": repeat, "fold": 0, "status": "ok", "error": error + 0.05 * float(rate) + 0.01 * repeat}
        | {"accuracy": 0.5, "minimax_risk": 0.3 if method == "rmb" else float("nan")}
        for noise_id, noise, rate in (("clean", "clean", "0"), ("u1", "uniform", "0.1"))
        for method, error in ERRORS.items()
        for repeat in range(2)
    ]
    path = tmp_path / "rows.parquet"
    records.write(records.frame(found), path)
    return path


def test_error_table(rows, tmp_path):
    spec = SPEC | {"table": SELECTION | {"kind": "errors", "risk_of": "rmb"}}
    artefacts.table(spec, {"rows": rows}, tmp_path / "t")
    text = (tmp_path / "t.md").read_text("utf-8")
    assert "| 10 % | RMB | 28 ± 0.7 |" in text and "| 10 % | Minimax risk | 30 ± 0.0 |" in text


def test_trade_off_table(rows, tmp_path):
    artefacts.table(
        SPEC | {"table": SELECTION | {"kind": "trade-off"}, "facts": {"mapping": MAPPING}},
        {"rows": rows} | PRINT,
        tmp_path / "t",
    )
    values = pd.read_csv(tmp_path / "t.csv").set_index(["method", "source"])
    assert values.loc[("lp", "ours"), ["average_rank", "uniform-0.1"]].tolist() == pytest.approx([3, 0.005])
    assert values.loc[("ada", "Table 3, these data sets"), "uniform-0.1"] == pytest.approx(0.06)  # 24 and 30
    assert values.loc[("ada", "Table 4"), "average_rank"] == 2.38


def test_trade_off_figure(rows, tmp_path):
    spec = {"figure": SELECTION | {"kind": "trade-off"}, "facts": {"mapping": MAPPING}}
    spec |= {key: SPEC[key] for key in ("names", "note")}
    artefacts.figure(spec, {"rows": rows} | PRINT, tmp_path / "f")
    assert (tmp_path / "f.png").stat().st_size > 10_000 and (tmp_path / "f.svg").exists()


def test_comparison_of_errors_and_risks(rows, tmp_path):
    entry = {"published": "rmb", "metrics": {"classifier": "error", "risk": "minimax_risk"}}
    entry["methods"] = MAPPING | {"risk": {"MinimaxRisk": "rmb"}}
    spec = {"study": "s", "scale": "full", "protocol": {"kind": "repeated-cv", "repeats": 2, "options": {}}}
    spec |= {"compare": entry, "datasets": ["german"], "deviations": {"german": []}}
    spec |= dict.fromkeys(["caps", "absent", "capped_fits", "note"], "") | {"added_noises": []}
    artefacts.compare(spec, rows, PRINT["printed"], tmp_path / "c")
    cells = pd.read_csv(tmp_path / "c.csv").dropna(subset="mean").set_index(["table", "method", "noise"])
    assert len(cells) == 8
    assert cells.loc[("3", "ada", "clean"), ["published_mean", "mean"]].tolist() == pytest.approx([24, 24.5])
    assert cells.loc[("3, risk", "rmb", "uniform"), ["published_mean", "mean"]].tolist() == pytest.approx([29, 30])
    assert "| 3 | clean | 0 | 1.00 |" in (tmp_path / "c.md").read_text("utf-8")
    written = (tmp_path / "c.csv").read_bytes()
    artefacts.compare(spec, rows, PRINT["printed"], tmp_path / "c")
    assert (tmp_path / "c.csv").read_bytes() == written


def test_an_added_noise_leaves_the_comparison_where_the_study_has_its_model_and_rate():
    noises = {"uniform-0.2": ("uniform", "0.2"), "exact-0.2": ("uniform", "0.2"), "uniform-0.3": ("uniform", "0.3")}
    rows = pd.DataFrame([(name, *about) for name, about in noises.items()], columns=["noise_id", "noise", "rate"])
    assert list(artefacts.without_twins(rows, ["exact-0.2", "uniform-0.3"])["noise_id"]) == [
        "uniform-0.2",
        "uniform-0.3",
    ]
    assert len(artefacts.without_twins(rows, [])) == 3
