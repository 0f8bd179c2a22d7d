"""What the shipped study of the Robust-GBDT paper asks for."""

from pathlib import Path

import pytest
import yaml

from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.published import readers

ROOT = Path(__file__).parents[3]
EIGHT = ["adaboost", "logitboost", "random-forest", "bagging", "xgboost", "lightgbm", "robust-xgb", "robust-lgb"]


@pytest.fixture(scope="module")
def plan():
    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    return Plan(read(ROOT / "config", ROOT / "workflow/schemas", settings))


def test_counts_are_those_of_the_paper(plan):
    study = plan.study("rgbdt", "full")
    eight = {f"rgbdt-{name}" for name in EIGHT}
    counts = {True: 0, False: 0}
    for _, _, noises, methods in study.blocks:
        for method in methods:
            counts[method in eight] += len(noises) * study.protocol["repeats"]
    dashes = 4 * 5 * 5  # AdaBoost and LogitBoost on the two largest sets
    assert counts[True] == 25 * 5 * 5 * 8 - dashes
    ablations, scores = 4 + 4, 3 + 2  # of two classes and of more; accuracy is the score of more anyway
    assert counts[False] == 3 * 5 * 5 * (ablations + scores)


def test_data_sets_are_those_of_the_printed_ranks(plan):
    printed = readers.rgbdt_ranks(ROOT / "data/published/rgbdt_rank.csv")
    wanted = set(printed[["task", "dataset"]].itertuples(index=False, name=None))
    assert {(task, dataset) for dataset, task in plan.study("rgbdt", "full").cells} == wanted
    dashes = printed[printed["average_rank"].isna() & (printed["dataset"] != "credit-approval")]
    assert set(dashes["dataset"]) == {"santander", "covertype"} and set(dashes["method"]) == set(EIGHT[:2])


def test_all_methods_are_tuned_alike(plan):
    methods = plan.study("rgbdt", "full").methods
    tunes = {name: method["tune"] for name, method in methods.items()}
    assert {(tune["trials"], tune["cv"], tune["prune"]) for tune in tunes.values()} == {(10, 5, True)}
    assert {tunes[f"rgbdt-{name}"]["score"] for name in EIGHT} == {"roc_auc"}
    for library, robust in (("xgboost", "robust-xgb"), ("lightgbm", "robust-lgb")):
        plain, full = tunes[f"rgbdt-{library}"]["space"], tunes[f"rgbdt-{robust}"]["space"]
        assert full == plain | {"r": [0.0, 0.5, 1.0], "q": [0.0, 0.1, 0.3, 0.5]}
        for fixed, free in (("r", "q"), ("q", "r")):
            own = f"rgbdt-{robust}-{fixed}0"
            assert tunes[own]["space"] == plain | {free: full[free]} and methods[own]["params"][fixed] == 0


def test_a_scale_caps_trials_and_rounds(plan):
    tune = plan.study("rgbdt", "smoke").methods["rgbdt-xgboost"]["tune"]
    assert tune["trials"] == 2 and tune["space"]["n_estimators"] == {"low": 10, "high": 20, "step": 10}
    whole = plan.study("rgbdt", "full").methods["rgbdt-xgboost"]["tune"]
    assert whole["trials"] == 10 and whole["space"]["n_estimators"]["high"] == 200


def test_files_beside_the_rows(plan):
    files = {"printed": "data/published/rgbdt_rank.csv", "averages": "data/published/rgbdt_rank_average.csv"}
    rows = {"rows": "results/rgbdt/full/rows.parquet"}
    assert plan.table_inputs("rgbdt", "full", "table-1") == rows | files
    assert plan.figure_inputs("rgbdt", "full", "figure-1") == {}
    assert plan.figure_inputs("rgbdt", "full", "figure-3") == rows
