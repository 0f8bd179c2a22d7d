"""Planned and calibrated seconds against the CPU seconds of real runs, recorded once on one machine."""

from pathlib import Path

import pandas as pd
import pytest
import yaml

from ironbark.pipeline.analysis.statistics.calibration import calibrate
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.cost import fits, forecast
from ironbark.pipeline.plan.specs import Plan

ROOT = Path(__file__).parents[3]
RECORDED = Path(__file__).with_name("recorded_seconds.csv")
RGBDT = Path(__file__).with_name("recorded_rgbdt.csv")  # at the scale smoke
IN_FULL = Path(__file__).with_name("recorded_rgbdt_full.csv")  # rgbdt-laptop-binary on another, faster machine

#: Logarithm of the mean number of values of a feature, as prepared.
BITS = {"breast-cancer": 9.0, "digits": 3.8, "wine": 6.6, "iris": 4.9, "mushrooms": 1.0}


@pytest.fixture(scope="module")
def plan():
    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    return Plan(read(ROOT / "config", ROOT / "workflow/schemas", settings))


@pytest.fixture(scope="module")
def cells(plan):
    """Recorded cells with what the planner says of them, sizes as prepared."""
    entries = plan.config["datasets"]
    sizes = {name: {**fits.size_of(entries[name]), "bits": bits} for name, bits in BITS.items()}
    rows = [
        row
        for name in ("quickstart", "mushrooms")
        for row in forecast.cells(plan.config, plan.study(name, "full"), sizes, shared=False)
    ]
    planned = pd.DataFrame(rows, columns=forecast.COLUMNS)
    recorded = pd.read_csv(RECORDED)
    found = recorded.merge(planned)
    assert len(found) == len(recorded) > 200
    return found


def ratios(cells, calibration):
    """Predicted over recorded seconds, of trees, of forests and of all."""
    own = cells.assign(predicted=calibration.seconds(cells))
    sums = own.groupby(own["method"].str[:2])[["predicted", "measured"]].sum()
    sums.loc["all"] = sums.sum()
    return sums["predicted"] / sums["measured"]


@pytest.mark.parametrize("study", ["quickstart", "mushrooms"])
def test_within_a_factor_of_two_by_another_study(cells, study):
    asked = cells["study"] == study
    found = ratios(cells[asked], calibrate(cells[~asked]))
    assert found.between(0.5, 2).all(), found


@pytest.mark.parametrize("study", ["quickstart", "mushrooms"])
def test_within_a_factor_of_two_by_the_constants_alone(cells, study):
    own = cells[cells["study"] == study]
    for _, part in own.groupby("dataset"):
        found = ratios(part, calibrate(cells[:0]))["all"]
        assert 0.5 < found < 2


def test_a_slower_machine_is_seen_in_what_it_ran(cells):
    slow = cells.assign(measured=3 * cells["measured"])
    asked = cells["study"] == "mushrooms"
    found = ratios(slow[asked], calibrate(slow[~asked]))
    assert 0.5 < found["all"] < 2


def test_a_run_at_a_small_scale_of_the_same_study_is_better_still(cells):
    asked = (cells["study"] == "mushrooms") & (cells["noise_id"] == "uniform-0.4")
    found = ratios(cells[asked], calibrate(cells[~asked]))
    assert found.between(0.6, 1.6).all() and 0.75 < found["all"] < 1.33, found


@pytest.mark.parametrize("by", ["method", "dataset", "noise_id"])
def test_tuned_boosters_and_forests_within_a_factor_of_two(plan, by):
    for package in ("optuna", "xgboost", "lightgbm"):
        pytest.importorskip(package)
    sizes = {name: fits.size_of(entry) for name, entry in plan.config["datasets"].items()}
    rows = forecast.cells(plan.config, plan.study("rgbdt", "smoke"), sizes)
    recorded = pd.read_csv(RGBDT)
    found = recorded.merge(pd.DataFrame(rows, columns=forecast.COLUMNS))
    assert len(found) == len(recorded) > 100
    sums = found.groupby(by)[["seconds", "measured"]].sum()
    assert (sums["seconds"] / sums["measured"]).between(0.5, 2).all(), sums


@pytest.mark.parametrize("by", ["method", "dataset", "noise_id"])
def test_tuned_boosters_and_forests_in_full_within_a_factor_of_two_but_for_the_machine(plan, by):
    for package in ("optuna", "xgboost", "lightgbm"):
        pytest.importorskip(package)
    sizes = {name: fits.size_of(entry) for name, entry in plan.config["datasets"].items()}
    rows = forecast.cells(plan.config, plan.study("rgbdt-laptop-binary", "full"), sizes, shared=False)
    recorded = pd.read_csv(IN_FULL)
    found = recorded.merge(pd.DataFrame(rows, columns=forecast.COLUMNS))
    assert len(found) == len(recorded) > 200
    sums = found.groupby(by)[["seconds", "measured"]].sum()
    machine = found["seconds"].sum() / found["measured"].sum()
    assert 1 < machine < 4 and (sums["seconds"] / sums["measured"]).div(machine).between(0.5, 2).all(), sums
