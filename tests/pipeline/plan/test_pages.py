import json

from ironbark.pipeline.plan import pages
from ironbark.pipeline.plan.specs import Plan


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
