"""From the configuration to a study: what it holds, and what a scale caps."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.study import scale_caps
from ironbark.pipeline.plan.study.study import check_noise, plan, rate_text

FULL = ("small", "full")


def test_resolved(config, study):
    found = plan(config, *FULL)
    assert found.protocol == {"kind": "fixed-split", "repeats": 5, "options": {"max_train": None}}
    assert found.cells == {
        ("two", "binary"): (["clean", "uniform-0.2"], ["dt-gini", "dt-entropy", "rf-gini"]),
        ("three", "multiclass"): (["clean", "uniform-0.6"], ["dt-gini"]),
    }
    assert found.datasets == ["two", "three"]
    assert found.methods["dt-entropy"]["label"] == "CE"
    assert found.methods["dt-gini"]["label"] == "dt-gini"
    assert found.caps == ""
    study["protocol"]["kind"] = "Fixed_Split"  # seeds depend on it
    assert plan(config, *FULL).protocol["kind"] == "fixed-split"
    chosen = plan(config, *FULL).selection("figure", "curves")
    assert chosen["id"] == "curves"
    assert chosen["datasets"] == ["two"]
    assert chosen["methods"] == ["dt-gini", "dt-entropy", "rf-gini"]
    assert chosen["noises"] == ["clean", "uniform-0.2"]


def test_overlapping_grids_are_merged_and_a_method_meets_the_noises_of_its_own_grids_only(config, study):
    study["grids"].append({"datasets": ["two"], "tasks": ["binary"], "noises": ["cc"], "methods": ["sk", "dt-gini"]})
    found = plan(config, *FULL)
    both = ["clean", "uniform-0.2", "cc"], ["dt-gini", "dt-entropy", "rf-gini", "sk"]
    assert found.cells["two", "binary"] == both
    assert found.blocks == [
        ("two", "binary", ["clean", "uniform-0.2", "cc"], ["dt-gini"]),
        ("two", "binary", ["clean", "uniform-0.2"], ["dt-entropy", "rf-gini"]),
        ("two", "binary", ["cc"], ["sk"]),
        ("three", "multiclass", ["clean", "uniform-0.6"], ["dt-gini"]),
    ]
    assert [block[2:] for block in plan(config, "small", "smoke").blocks] == [
        (["clean"], ["dt-gini", "dt-entropy", "rf-gini"]), (["clean"], ["dt-gini"])
    ]  # fmt: skip


def test_a_scale_caps_the_parameter_that_an_entry_calls_its_size():
    booster = "sklearn.ensemble.HistGradientBoostingClassifier"
    entry = {"estimator": booster, "params": {"max_iter": 100}, "size": "max_iter"}
    assert scale_caps.method(entry, "boosting", {"n_estimators": 20})["params"] == {"max_iter": 20}
    assert scale_caps.method(entry, "boosting", {})["params"] == {"max_iter": 100}


FOREST, BAG = "sklearn.ensemble.RandomForestClassifier", "sklearn.ensemble.BaggingClassifier"
RANGE = {"low": 2, "high": 9}


@pytest.mark.parametrize(
    ("tune", "capped"),
    [
        ({"cv": 2, "grid": {"n_estimators": [2, 9, 300], "C": [9]}}, {"grid": {"n_estimators": [2, 3], "C": [9]}}),
        ({"cv": 2, "grid": {"estimator__n_estimators": [100]}}, {"grid": {"estimator__n_estimators": [3]}}),
        ({"trials": 5, "space": {"n_estimators": RANGE}}, {"space": {"n_estimators": {"low": 2, "high": 3}}}),
    ],
)
def test_a_scale_caps_the_sizes_that_a_search_tries(tune, capped):
    entry = {"estimator": BAG, "tune": tune}
    assert scale_caps.method(entry, "bag", {"n_estimators": 3})["tune"] == tune | capped
    assert scale_caps.method(entry, "bag", {})["tune"] == tune


INNER = {"estimator": {"estimator": FOREST, "params": {"n_estimators": "100"}}}


@pytest.mark.parametrize("caps_of_scale", [{"n_estimators": 3}, {}])
@pytest.mark.parametrize(
    "entry", [{"params": {"n_estimators": "100"}}, {"tune": {"grid": {"n_estimators": ["100"]}}}, {"params": INNER}]
)
def test_a_size_that_is_no_number_cannot_be_capped(entry, caps_of_scale):
    with pytest.raises(InputError, match="method 'rf': n_estimators='100' is no number, .*; write a number, without"):
        scale_caps.method({"estimator": BAG, **entry}, "rf", caps_of_scale)


def test_scale_caps(config, study):
    found = plan(config, "small", "smoke")
    assert found.protocol["repeats"] == 2
    assert found.protocol["options"]["max_train"] == 50
    assert found.methods["rf-gini"]["params"]["n_estimators"] == 3
    assert found.cells["two", "binary"][0] == ["clean"]
    assert found.tables["binary"]["noises"] == ["clean"]
    assert config["methods"]["rf-gini"]["params"]["n_estimators"] == 100  # the configuration is left alone
    assert found.caps == (
        "2 repeats at most, 3 trees per forest or rounds of boosting at most, 50 training samples at most, "
        "noises clean only"
    )
    assert found.capped_fits == "3 trees per forest or rounds of boosting at most, 50 training samples at most"
    config["studies"]["small"]["scales"]["lite"] = {"repeats": 2, "datasets": ["two"], "noises": ["clean"]}
    assert plan(config, "small", "lite").caps and plan(config, "small", "lite").capped_fits == ""
    study["scales"]["lite"] = {"repeats": 50, "n_estimators": 500}
    lite = plan(config, "small", "lite")
    assert lite.protocol["repeats"] == 5 and lite.methods["rf-gini"]["params"]["n_estimators"] == 100
    del config["methods"]["rf-gini"]["params"]["n_estimators"]
    assert plan(config, "small", "smoke").methods["rf-gini"]["params"]["n_estimators"] == 3
    assert "n_estimators" not in plan(config, *FULL).methods["rf-gini"]["params"]


@pytest.mark.parametrize(
    ("noise_id", "n_classes", "text"),
    [("clean", 2, "0"), ("uniform-0.2", 2, "0.2"), ("uniform-0.6", 3, "0.6"), ("cc", 2, "0.1/0.3"), ("far", 3, "")],
)
def test_rate_text(config, noise_id, n_classes, text):
    config["noises"]["far"] = {"model": "mahalanobis"}
    task = "binary" if n_classes == 2 else "multiclass"
    assert rate_text(check_noise(config, noise_id, task, n_classes)) == text


STUDIES = {
    "ane": {"protocol": {"kind": "fixed-split", "repeats": 5}, "compare": {"published": "ane"}},
    "pg": {"protocol": {"kind": "repeated-cv", "repeats": 10, "folds": 5}, "compare": {"published": "pg"}},
}


def entry(published, **protocol):
    return {"protocol": protocol, "compare": {"published": published}}


@pytest.mark.parametrize(
    ("study", "words"),
    [
        (entry("ane", kind="fixed-split", repeats=2), "2 repeats in place of the paper's 5"),
        (
            entry("pg", kind="random-partitions", repeats=10, test_size=0.2),
            "kind random-partitions in place of the paper's repeated-cv, no folds in place of the paper's 5, "
            "test_size 0.2, which the paper does not have",
        ),
        (STUDIES["ane"], ""),
    ],
)
def test_what_differs_is_named_with_both_values(study, words):
    assert scale_caps.from_paper(STUDIES, "own", study) == words
    studies = STUDIES | {"pg": STUDIES["pg"] | {"parts": ["own"]}}
    if study["compare"]["published"] == "pg":
        assert scale_caps.from_paper(studies, "own", study) == "", "a part of a paper has a protocol of the paper"
