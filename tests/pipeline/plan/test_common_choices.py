"""Planned seconds of other packages' classifiers: which parameters count, and how the parts of a method add up."""

from pathlib import Path

import pytest
import yaml

from ironbark.pipeline.plan.cost import fits
from ironbark.pipeline.plan.cost.common_choices import FOLDS, ISSUES, PARTITION, STEP

ENTRIES = yaml.safe_load((Path(__file__).parents[3] / "config/methods/arena.yaml").read_text("utf-8"))
PROTOCOL = {"kind": "random-partitions", "repeats": 1, "options": {"test_size": 0.5}}
SMALL = {"n": 600, "d": 10, "k": 5}


def seconds(name, size=SMALL, **params):
    entry = ENTRIES[name]
    method = {**entry, "params": {**entry.get("params", {}), **params}, "tune": {}}
    return fits.seconds(method, size, "multiclass", PROTOCOL, {"model": "uniform", "rate": 0.2})


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if "estimator" in entry])
def test_more_samples_and_features_take_longer(name):
    assert 0 < seconds(name) < seconds(name, {"n": 6000, "d": 40, "k": 5})


@pytest.mark.parametrize(("name", "size"), [("catboost", "n_estimators"), ("ebm", "outer_bags")])
def test_the_size_of_an_ensemble_multiplies(name, size):
    assert seconds(name, **{size: 40}) == pytest.approx(4 * seconds(name, **{size: 10}))


def test_histogram_gradient_boosting_grows_a_tree_for_each_class_but_one_for_two():
    two, five = (seconds("sklearn-hist-gradient-boosting", {**SMALL, "k": k}) for k in (2, 5))
    assert five == pytest.approx(5 * two)


def test_the_parts_of_a_method_add_up():
    forest = seconds("enn-forest") - 2 * STEP  # after a scaler and a filter
    assert seconds("clean-learning-forest") == pytest.approx(ISSUES + FOLDS * forest)
    assert seconds("high-agreement-forest") == pytest.approx((10 + 1) * forest)
    assert seconds("partition-filter-forest") == pytest.approx(300 * PARTITION + forest)
