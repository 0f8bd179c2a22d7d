"""From the configuration to a study: what it holds, what a scale caps, and which fits run together."""

import itertools

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.cost.fits import seconds, size_of
from ironbark.pipeline.plan.study import batches, scale_caps
from ironbark.pipeline.plan.study.batches import LEAST, seconds_of
from ironbark.pipeline.plan.study.study import check_noise, plan, rate_text

FULL = ("small", "full")


def test_resolved(config, study):
    found = plan(config, *FULL)
    assert found.protocol == {"kind": "fixed-split", "repeats": 5, "options": {"max_train": None}}
    assert found.cells == {
        ("two", "binary"): (["clean", "uniform-0.2"], ["dt-gini", "dt-entropy", "rf-gini"]),
        ("three", "multiclass"): (["clean", "uniform-0.6"], ["dt-gini"]),
    }
    assert found.datasets == ["two", "three"] and found.methods["dt-entropy"]["label"] == "CE"
    assert found.methods["dt-gini"]["label"] == "dt-gini" and found.caps == ""
    study["protocol"]["kind"] = "Fixed_Split"  # seeds depend on it
    assert plan(config, *FULL).protocol["kind"] == "fixed-split"
    chosen = plan(config, *FULL).selection("figure", "curves")
    assert chosen["id"] == "curves" and chosen["datasets"] == ["two"]
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
    smoke = [(["clean"], ["dt-gini", "dt-entropy", "rf-gini"]), (["clean"], ["dt-gini"])]
    assert [block[2:] for block in plan(config, "small", "smoke").blocks] == smoke


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
    assert found.protocol["repeats"] == 2 and found.protocol["options"]["max_train"] == 50
    assert found.methods["rf-gini"]["params"]["n_estimators"] == 3
    assert found.cells["two", "binary"][0] == ["clean"]
    assert found.shown["table"]["binary"]["noises"] == ["clean"]
    assert config["methods"]["rf-gini"]["params"]["n_estimators"] == 100  # the configuration is left alone
    assert found.capped_fits == "3 trees per forest or rounds of boosting at most, 50 training samples at most"
    assert found.caps == f"2 repeats at most, {found.capped_fits}, noises clean only"
    config["studies"]["small"]["scales"]["lite"] = {"repeats": 2, "datasets": ["two"], "noises": ["clean"]}
    assert plan(config, "small", "lite").caps and plan(config, "small", "lite").capped_fits == ""
    study["scales"]["lite"] = {"repeats": 50, "n_estimators": 500}
    lite = plan(config, "small", "lite")
    assert lite.protocol["repeats"] == 5 and lite.methods["rf-gini"]["params"]["n_estimators"] == 100
    del config["methods"]["rf-gini"]["params"]["n_estimators"]
    assert plan(config, "small", "smoke").methods["rf-gini"]["params"]["n_estimators"] == 3
    assert "n_estimators" not in plan(config, *FULL).methods["rf-gini"]["params"]
    booster = "sklearn.ensemble.HistGradientBoostingClassifier"
    entry = {"estimator": booster, "params": {"max_iter": 100}, "size": "max_iter"}
    assert scale_caps.method(entry, "boosting", {"n_estimators": 20})["params"] == {"max_iter": 20}
    assert scale_caps.method(entry, "boosting", {})["params"] == {"max_iter": 100}


@pytest.mark.parametrize(
    ("noise_id", "n_classes", "text"),
    [("clean", 2, "0"), ("uniform-0.2", 2, "0.2"), ("uniform-0.6", 3, "0.6"), ("cc", 2, "0.1/0.3"), ("far", 3, "")],
)
def test_rate_text(config, noise_id, n_classes, text):
    config["noises"]["far"] = {"model": "mahalanobis"}
    task = "binary" if n_classes == 2 else "multiclass"
    assert rate_text(check_noise(config, noise_id, task, n_classes)) == text


@pytest.mark.parametrize("minutes", [10, 0.01, 0.002, 1e-9])
def test_every_fit_is_in_one_batch_and_names_are_unique(config, minutes):
    config["settings"]["batch_minutes"] = minutes
    grids = config["studies"]["small"]["grids"]
    grids.append({**grids[0], "noises": ["uniform-0.2", "cc"], "methods": ["sk", "dt-gini"]})  # overlaps the first
    study = plan(config, "small", "full")
    expected = {fit for grid in grids for fit in itertools.product(*grid.values())}
    parts = itertools.chain.from_iterable(study.batches.values())
    found = [fit for one in parts for fit in itertools.product([one.dataset], [one.task], one.noises, one.methods)]
    assert sorted(found) == sorted(expected)


def shape(found):
    """Data sets and methods of each batch."""
    return {name: ([p.dataset for p in parts], [list(p.methods) for p in parts]) for name, parts in found.items()}


def test_cheap_fits_of_the_same_libraries_share_a_job_unless_the_class_is_a_users(config, study, monkeypatch):
    config["datasets"]["second"] = config["datasets"]["two"]
    study["grids"][0]["datasets"].append("second")
    monkeypatch.setattr(batches, "is_own", "sklearn.tree".__eq__)
    study["grids"][1]["methods"] = ["dt-gini", "dt-entropy", "sk"]
    assert shape(plan(config, "small", "full").batches) == {
        "two/binary/gini": (["two", "second"], [["dt-gini", "rf-gini", "dt-entropy"]] * 2),
        "three/multiclass/gini": (["three"], [["dt-gini", "dt-entropy"]]),
        "three/multiclass/sk": (["three"], [["sk"]]),
    }
    monkeypatch.undo()
    assert list(shape(plan(config, "small", "full").batches)) == ["two/binary/gini", "three/multiclass/gini"]


def test_longer_fits_are_split_by_data_set_then_by_noise_then_by_method(config, study):
    config["datasets"]["second"] = config["datasets"]["two"]
    study["grids"] = [{**study["grids"][0], "datasets": ["two", "second"], "methods": ["dt-gini", "rf-gini"]}]
    whole = plan(config, "small", "full")
    size = size_of(config["datasets"]["two"])

    noise = 5 * sum(seconds(whole.methods[name], size, "binary", whole.protocol) for name in ("dt-gini", "rf-gini"))

    def names(allowed):
        config["settings"]["batch_minutes"] = allowed / 60
        return list(plan(config, "small", "full").batches)

    noises = ["clean", "uniform-0.2"]
    assert names(4.2 * noise / LEAST) == ["two/binary/gini"]
    assert names(2.2 * noise) == ["two/binary/gini", "second/binary/gini"]
    assert names(1.1 * noise) == [f"{data}/binary/gini--{noise}" for data in ("two", "second") for noise in noises]
    ends = ["dt-gini--clean", "rf-gini--clean", "dt-gini--uniform-0.2"]
    assert names(0.9 * noise)[:3] == [f"two/binary/{end}" for end in ends]


def test_what_one_method_chooses_for_another_runs_with_it_and_counts_once(config, study):
    ane = config["methods"]["dt-ane"]
    config["methods"]["dt-ane-refit"] = refit = {**ane, "tune": {**ane["tune"], "refit": True}}
    study["grids"] = [{**study["grids"][0], "methods": ["dt-ane", "dt-gini", "dt-ane-refit"]}]
    config["settings"]["batch_minutes"] = 1e-9  # no two methods share a job unless they must
    found = plan(config, "small", "full")
    assert shape(found.batches) == {
        f"two/binary/{methods[0]}--{noise}": (["two"], [methods])
        for noise in ("clean", "uniform-0.2")
        for methods in (["dt-ane", "dt-ane-refit"], ["dt-gini"])
    }
    part, size = next(iter(found.batches.values()))[0], size_of(config["datasets"]["two"])
    search = seconds(found.methods["dt-ane"], size, "binary", found.protocol)
    once = seconds(found.methods["dt-ane"] | {"tune": {}}, size, "binary", found.protocol)
    assert seconds_of(part, size, found.methods, found.protocol) == pytest.approx(5 * (search + once))
    refit["tune"]["grid"] = {"lam": [0, 1]}  # another choice
    parts = [part.methods for parts in plan(config, "small", "full").batches.values() for part in parts]
    assert sorted(parts) == sorted(2 * [("dt-ane",), ("dt-ane-refit",), ("dt-gini",)])


def test_what_differs_from_the_protocol_of_the_paper_is_named_with_both_values():
    pg = {"protocol": {"kind": "repeated-cv", "repeats": 10, "folds": 5}, "compare": {"published": "pg"}}
    own = pg | {"protocol": {"kind": "random-partitions", "repeats": 2, "test_size": 0.2}}
    assert scale_caps.from_paper({"pg": pg}, "own", pg) == ""
    assert scale_caps.from_paper({"pg": pg}, "own", own) == (
        "kind random-partitions in place of the paper's repeated-cv, 2 repeats in place of the paper's 10, no folds "
        "in place of the paper's 5, test_size 0.2, which the paper does not have"
    )
    assert scale_caps.from_paper({"pg": pg | {"parts": ["own"]}}, "own", own) == "", "a part is of the paper"
