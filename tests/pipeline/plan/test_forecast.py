"""Specification of the estimating job: every fit once, and only studies that ran and still plan."""

import json
import math

import numpy as np
import pytest

from ironbark.encoding import encode
from ironbark.pipeline.plan.cost import fits, forecast
from ironbark.pipeline.plan.specs import Plan


@pytest.fixture
def told(config, tmp_path):
    config["settings"]["scale"] = "smoke"
    (tmp_path / "small/full/fits").mkdir(parents=True)
    return Plan(config), json.loads(forecast.spec(Plan(config), ["small"], 3, tmp_path, tmp_path))


def test_cells(told):
    plan, spec = told
    study = plan.study("small", "smoke")
    rows = [dict(zip(spec["columns"], row, strict=True)) for row in spec["cells"]]
    expected = [
        (*cell, noise, method)
        for cell, (noises, methods) in study.cells.items()
        for noise in noises
        for method in methods
    ]
    assert sorted((r["dataset"], r["task"], r["noise_id"], r["method"]) for r in rows) == sorted(expected)
    assert {r["fits"] for r in rows} == {2} and {r["scale"] for r in rows} == {"smoke"}
    forest = next(r for r in rows if r["method"] == "rf-gini")
    size = fits.size_of(plan.config["datasets"]["two"])
    assert forest["seconds"] == fits.seconds(study.methods["rf-gini"], size, "binary", study.protocol)
    assert forest["batch"] in {batch.name for batch in study.batches}


def test_the_study(told):
    _, spec = told
    (about,) = spec["studies"]
    assert (spec["cores"], about["scale"], set(about["datasets"])) == (3, "smoke", {"two", "three"})
    assert about["caps"].startswith("2 repeats at most")
    assert about["others"] == 2 + 4 + 2 + 2  # labels; fetch and prepare; table and figure; rows and report


def test_what_ran_is_known(told, config, tmp_path):
    _, spec = told
    assert {row[1] for row in spec["known"]} == {"full"} and len(spec["known"]) == 2 * 3 + 2
    config["studies"]["small"]["grids"][0]["methods"] = ["gone"]
    assert forecast.known(Plan(config), tmp_path, {}) == []


def test_folds_count(config, study):
    study["protocol"] = {"kind": "repeated-cv", "repeats": 2, "folds": 5}
    sizes = {name: fits.size_of(entry) for name, entry in config["datasets"].items()}
    rows = list(forecast.cells(config, Plan(config).study("small", "full"), sizes))
    assert {row[forecast.COLUMNS.index("fits")] for row in rows} == {10}


def test_prepared_data_tell_their_size(told, config, tmp_path):
    plan, spec = told
    assert spec["unprepared"] == ["three", "two"]
    two = tmp_path / "two"
    two.mkdir()
    features = encode(np.arange(400.0).reshape(100, 4) // 40)  # ten values each
    np.save(two / "levels.npy", np.tile(features.levels, 100))
    meta = {"n": 600, "d": 4 * 100, "k": 2, "split": {"train": 500, "test": 100}}
    (two / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    size = forecast.size_of("two", plan.config["datasets"]["two"], tmp_path)
    assert (size["n"], size["d"], size["n_train"]) == (600, 400, 500)
    assert size["bits"] == pytest.approx(math.log2(10), abs=0.05)
    after = json.loads(forecast.spec(plan, ["small"], 3, tmp_path, tmp_path))
    assert after["unprepared"] == ["three"]
    assert [row[2] for row in after["cells"]] == [row[2] for row in spec["cells"]]  # batches do not depend on it
    assert after["cells"] != spec["cells"]


def test_a_shared_choice_counts_once_in_what_is_asked_and_for_both_in_what_ran(config, study):
    ane = config["methods"]["dt-ane"]
    config["methods"]["refit"] = {**ane, "tune": {**ane["tune"], "refit": True}}
    study["grids"] = [{**study["grids"][0], "methods": ["dt-ane", "refit"]}]
    sizes = {name: fits.size_of(entry) for name, entry in config["datasets"].items()}
    small = Plan(config).study("small", "full")
    once, twice = ({tuple(row[5:7]): row[-1] for row in forecast.cells(config, small, sizes, s)} for s in (True, False))
    for (noise_id, method), seconds in twice.items():
        if method == "dt-ane":
            assert once[noise_id, method] == seconds
        else:
            assert once[noise_id, method] < seconds
            assert seconds > twice[noise_id, "dt-ane"]
