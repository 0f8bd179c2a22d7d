"""Descriptions of studies and definitions of methods and noises for the site."""

import json
from pathlib import Path

import pytest
import yaml

from ironbark.noise import NOISE_MODELS
from ironbark.pipeline.plan import pages
from ironbark.pipeline.plan.config import estimators
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.specs import Plan

ROOT = Path(__file__).parents[3]
SETTINGS = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
METHODS = read(ROOT / "config", ROOT / "workflow/schemas", SETTINGS)["methods"]


def described(config, scale="full"):
    return json.loads(pages.describe(Plan(config), "small", scale))


def test_a_study_and_all_that_it_uses(config):
    about = described(config)
    study = about["study"]
    assert (study["id"], study["scale"], study["repeats"], study["folds"]) == ("small", "full", 5, 1)
    used = {method for _, _, _, methods in study["blocks"] for method in methods}
    assert set(about["methods"]) == used == set(study["methods"])
    assert set(about["datasets"]) == {dataset for dataset, *_ in study["blocks"]}
    assert set(about["noises"]) == {noise for _, _, noises, _ in study["blocks"] for noise in noises}


def test_methods_keep_the_order_of_the_study(config):
    config["studies"]["small"]["grids"][0]["methods"] = ["rf-gini", "dt-gini", "dt-entropy"]
    assert list(described(config)["study"]["methods"]) == ["rf-gini", "dt-gini", "dt-entropy"]


@pytest.mark.parametrize("name", METHODS)
def test_every_method_of_ours_is_defined_with_its_source(name):
    found = pages.definitions_of_method(METHODS[name])
    if not estimators.is_ours(METHODS[name]):
        assert found == []
        return
    assert found[0]["name"] == METHODS[name]["estimator"].rpartition(".")[2]
    assert all(about["text"] for about in found)
    assert any(about["References"] or "(" in about["text"] for about in found), "a paper is named"


@pytest.mark.parametrize("model", NOISE_MODELS)
def test_every_noise_is_defined(model):
    found = pages.definition_of_noise(model)
    assert found["name"] == model and found["text"] and found["short"]


def test_sections_come_apart():
    found = pages.definitions_of_method({"estimator": "ironbark.RMBoostClassifier"})[0]
    assert found["text"].startswith("Minimises the worst-case error") and "Parameters" not in found["text"]
    assert "R = min" in found["Notes"] and found["References"].startswith("Mazuelas")
    assert "-----" not in "".join(found.values())


def test_the_criterion_brings_its_formula():
    entry = {"estimator": "ironbark.RobustDecisionTreeClassifier", "params": {"criterion": "negative_exponential"}}
    _, criterion = pages.definitions_of_method(entry)
    assert criterion["name"] == "negative_exponential" and "phi(p) = min{" in criterion["text"]
