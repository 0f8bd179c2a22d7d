"""Descriptions of studies and definitions of methods and noises for the site."""

import json

from ironbark.pipeline.plan import pages
from ironbark.pipeline.plan.config import estimators
from ironbark.pipeline.plan.specs import Plan


def test_a_study_and_all_that_it_uses(config):
    config["studies"]["small"]["grids"][0]["methods"] = ["rf-gini", "dt-gini", "dt-entropy"]
    plan = Plan(config)
    about = json.loads(pages.describe(plan, plan.study("small", "full")))
    study = about["study"]
    assert (study["id"], study["scale"], study["repeats"], study["folds"]) == ("small", "full", 5, 1)
    assert list(study["methods"]) == ["rf-gini", "dt-gini", "dt-entropy"] and set(about["methods"]) == set(
        study["methods"]
    )
    assert set(about["datasets"]) == {dataset for dataset, *_ in study["blocks"]}
    assert set(about["noises"]) == {noise for _, _, noises, _ in study["blocks"] for noise in noises}


def test_every_method_of_ours_is_defined(shipped):
    for name, method in shipped.config["methods"].items():
        found = pages.definitions_of_method(method)
        assert bool(found) == estimators.is_ours(method), name
        assert not found or found[0]["name"] == method["estimator"].rpartition(".")[2]
        assert all(entry["text"] and "$" not in "".join(entry.values()) for entry in found)
        assert not found or any(entry["References"] or "(" in entry["text"] for entry in found), "a paper is named"


def test_sections_come_apart_and_a_criterion_brings_its_formula():
    found = pages.definitions_of_method({"estimator": "ironbark.RMBoostClassifier"})[0]
    assert found["text"].startswith("Minimises the worst-case error") and "Parameters" not in found["text"]
    assert "R = min" in found["Notes"] and found["References"].startswith("Mazuelas")
    assert "-----" not in "".join(found.values())
    entry = {"estimator": "ironbark.RobustDecisionTreeClassifier", "params": {"criterion": "negative_exponential"}}
    _, criterion = pages.definitions_of_method(entry)
    assert criterion["name"] == "negative_exponential" and "phi(p) = min{" in criterion["text"]
