"""From the configuration to a study: what it holds, what a scale caps, and every sentence for what could not run."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.config import estimators
from ironbark.pipeline.plan.study import scale_caps
from ironbark.pipeline.plan.study.study import check_noise, plan, rate_text

FULL = ("small", "full")


def test_resolved(config):
    study = plan(config, *FULL)
    assert study.protocol == {"kind": "fixed-split", "repeats": 5, "options": {"max_train": None}}
    assert study.cells == {
        ("two", "binary"): (["clean", "uniform-0.2"], ["dt-gini", "dt-entropy", "rf-gini"]),
        ("three", "multiclass"): (["clean", "uniform-0.6"], ["dt-gini"]),
    }
    assert study.datasets == ["two", "three"]
    assert study.methods["dt-entropy"]["label"] == "CE"
    assert study.methods["dt-gini"]["label"] == "dt-gini"
    assert study.caps == ""


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
    with pytest.raises(InputError, match="`size` names 'rounds', which is not in params"):
        estimators.check(entry | {"size": "rounds"})


FOREST, BAG = "sklearn.ensemble.RandomForestClassifier", "sklearn.ensemble.BaggingClassifier"


@pytest.mark.parametrize(
    ("tune", "capped"),
    [
        (
            {"cv": 2, "grid": {"n_estimators": [2, 100, 300], "max_depth": [9]}},
            {"n_estimators": [2, 3], "max_depth": [9]},
        ),
        ({"cv": 2, "grid": {"estimator__n_estimators": [100]}}, {"estimator__n_estimators": [3]}),
        (
            {"cv": 2, "trials": 5, "space": {"n_estimators": {"low": 2, "high": 9}}},
            {"n_estimators": {"low": 2, "high": 3}},
        ),
    ],
)
def test_a_scale_caps_the_sizes_that_a_search_tries(tune, capped):
    found = scale_caps.method({"estimator": BAG, "tune": tune}, "bag", {"n_estimators": 3})["tune"]
    assert found == {key: capped if key in ("grid", "space") else value for key, value in tune.items()}
    assert scale_caps.method({"estimator": BAG, "tune": tune}, "bag", {})["tune"] == tune


@pytest.mark.parametrize(
    "entry",
    [
        {"estimator": FOREST, "params": {"n_estimators": "100"}},
        {"estimator": FOREST, "tune": {"cv": 2, "grid": {"n_estimators": ["100"]}}},
        {"estimator": BAG, "params": {"estimator": {"estimator": FOREST, "params": {"n_estimators": "100"}}}},
    ],
)
@pytest.mark.parametrize("caps_of_scale", [{"n_estimators": 3}, {}])
def test_a_size_that_is_no_number_cannot_be_capped(entry, caps_of_scale):
    with pytest.raises(InputError, match="method 'rf': n_estimators='100' is no number, .*; write a number, without"):
        scale_caps.method(entry, "rf", caps_of_scale)


def test_scale_caps(config):
    study = plan(config, "small", "smoke")
    assert study.protocol["repeats"] == 2
    assert study.protocol["options"]["max_train"] == 50
    assert study.methods["rf-gini"]["params"]["n_estimators"] == 3
    assert study.cells["two", "binary"][0] == ["clean"]
    assert study.tables["binary"]["noises"] == ["clean"]
    assert config["methods"]["rf-gini"]["params"]["n_estimators"] == 100  # the configuration is left alone
    assert study.caps == (
        "2 repeats at most, 3 trees per forest or rounds of boosting at most, 50 training samples at most, "
        "noises clean only"
    )
    assert study.capped_fits == "3 trees per forest or rounds of boosting at most, 50 training samples at most"


def test_a_part_of_a_study_has_the_same_fits(config, study):
    study["scales"]["lite"] = {"repeats": 2, "datasets": ["two"], "noises": ["clean"]}
    assert plan(config, "small", "lite").caps and plan(config, "small", "lite").capped_fits == ""


def test_a_cap_never_raises_a_number_and_a_default_number_of_trees_is_capped_too(config, study):
    study["scales"]["lite"] = {"repeats": 50, "n_estimators": 500}
    lite = plan(config, "small", "lite")
    assert lite.protocol["repeats"] == 5 and lite.methods["rf-gini"]["params"]["n_estimators"] == 100
    del config["methods"]["rf-gini"]["params"]["n_estimators"]
    assert plan(config, "small", "smoke").methods["rf-gini"]["params"]["n_estimators"] == 3
    assert "n_estimators" not in plan(config, *FULL).methods["rf-gini"]["params"]


def test_kind_of_protocol_is_canonical(config, study):
    study["protocol"]["kind"] = "Fixed_Split"  # seeds depend on it
    assert plan(config, *FULL).protocol["kind"] == "fixed-split"


def test_selection_takes_its_ids_from_the_grids(config):
    chosen = plan(config, *FULL).selection("figure", "curves")
    assert chosen["id"] == "curves"
    assert chosen["datasets"] == ["two"]
    assert chosen["methods"] == ["dt-gini", "dt-entropy", "rf-gini"]
    assert chosen["noises"] == ["clean", "uniform-0.2"]


def binary(key, value):
    return lambda c, s: s["grids"][0][key].append(value)


def multiclass(key, value):
    return lambda c, s: s["grids"][1][key].append(value)


def protocol(**entry):
    return lambda c, s: s.update(protocol=entry)


def noise(**entry):
    def edit(c, s):
        c["noises"]["bad"] = entry
        s["grids"][0]["noises"].append("bad")

    return edit


def caps(**entry):
    return lambda c, s: s["scales"].update(full=entry)


#: Name -> edit of (config, study), and what the sentence must say.
MISTAKES = {
    "data set": (binary("datasets", "tow"), ["study 'small'", "unknown data set 'tow'", "mean 'two'"]),
    "noise": (binary("noises", "uniform-0.3"), ["unknown noise 'uniform-0.3'", "mean 'uniform-0."]),
    "method": (binary("methods", "dt-ginni"), ["unknown method 'dt-ginni'", "mean 'dt-gini'"]),
    "protocol": (protocol(kind="fixed-splt", repeats=1), ["unknown protocol 'fixed-splt'", "mean 'fixed-split'"]),
    "option": (protocol(kind="repeated-cv", repeats=1, fold=3), ["has no option 'fold'", "mean 'folds'"]),
    "foreign option": (protocol(kind="fixed-split", repeats=1, folds=3), ["has no option 'folds'", "takes max_train"]),
    "folds": (protocol(kind="repeated-cv", repeats=1, folds=151), ["'three' has 150 rows", "fewer", "151 folds"]),
    "folds of a class": (
        lambda c, s: [
            s.update(protocol={"kind": "repeated-cv", "repeats": 1, "folds": 5}),
            c["datasets"]["three"]["expect"].update(counts={"a": 100, "b": 46, "c": 4}),
        ],
        ["class 'c' of data set 'three' has 4 samples", "fewer than the 5 folds", "fewer folds, or leave out"],
    ),
    "no split": (multiclass("datasets", "own"), ["'own' has no split", "'fixed-split'", "'repeated-cv'"]),
    "two classes": (binary("tasks", "multiclass"), ["'two' has two classes", "no multiclass task", "ask for binary"]),
    "three classes": (multiclass("tasks", "binary"), ["'three' has 3 classes", "'positive'", "'binary: grouped'"]),
    "model": (noise(model="unifrom", rate=0.1), ["noise 'bad'", "unknown noise 'unifrom'", "mean 'uniform'"]),
    "rate 1.5": (noise(model="uniform", rate=1.5), ["noise 'bad'", "rate 1.5", "[0, 0.5) for 2 classes"]),
    "rate above 2/3": (
        lambda c, s: c["noises"]["uniform-0.6"].update(rate=0.67),
        ["'uniform-0.6'", "rate 0.67", "[0, 0.6667) for 3 classes"],
    ),
    "parameter": (noise(model="uniform", rate=0.1, params={"exat": True}), ["no parameter 'exat'", "mean 'exact'"]),
    "matrix": (
        lambda c, s: [
            c["noises"].update(own={"model": "matrix", "params": {"matrix": [[0.9, 0.1], [0, 1]]}}),
            s["grids"][1]["noises"].append("own"),
        ],
        ["study 'small'", "noise 'own' has a 2 x 2 matrix, but there are 3 classes"],
    ),
    "max_train": (protocol(kind="fixed-split", repeats=1, max_train=2), ["2 training samples", "3 classes", "'three'"]),
    "max_train of a scale": (caps(max_train=2), ["study 'small': 2 training samples are fewer than the 3 classes"]),
    "test_size": (
        protocol(kind="random-partitions", repeats=1, test_size=150),
        ["test_size=150 leaves 0 of the 150 samples of data set 'three' in one part", "choose another test_size"],
    ),
    "sizes": (
        protocol(kind="training-sizes", repeats=1, sizes=[100, 300]),
        ["data set 'three' has 135 training samples, fewer than the 300 of `sizes`"],
    ),
    "small sizes": (protocol(kind="training-sizes", repeats=1, sizes=[2, 9]), ["2 training samples are fewer"]),
    "binary noise": (multiclass("noises", "cc"), ["noise 'cc'", "works for binary only", "drop it"]),
    "binary method": (
        multiclass("methods", "dt-pairwise"),
        ["method 'dt-pairwise' can't do the multiclass task of 'three'", "only binary", "take it out"],
    ),
    "negative lambda": (
        lambda c, s: [
            c["methods"]["dt-ane"]["tune"]["grid"].update(lam=[0, -0.5]),
            s["grids"][0]["methods"].append("dt-ane"),
        ],
        ["method 'dt-ane'", "lam=-0.5 is out of range"],
    ),
    "method says so": (
        lambda c, s: c["methods"]["dt-gini"].update(tasks=["binary"]),
        ["method 'dt-gini' can't do the multiclass task", "only binary"],
    ),
    "unknown in caps": (caps(datasets=["two", "for"]), ["keeps the datasets for", "no grid has", "correct its caps"]),
    "noise in caps": (caps(noises=["unif"]), ["keeps the noises unif", "correct its caps"]),
    "nothing left": (caps(datasets=["two"], noises=["uniform-0.6"]), ["'small' is empty", "its caps leave nothing"]),
    "metric of a comparison": (
        lambda c, s: s.update(compare={"published": "rmb", "methods": {}, "metrics": {"classifier": "eror"}}),
        ["study 'small', compare", "metric 'eror' is unknown", "error"],
    ),
    "preprocessing": (
        lambda c, s: c["methods"]["dt-gini"].update(preprocess="zscore"),
        ["method 'dt-gini'", "unknown preprocessing 'zscore'; choose one of zscore-rows"],
    ),
    "compare": (
        lambda c, s: s.update(compare={"published": "ane", "methods": {"DT": {"mse": "dt-gin"}}}),
        ["study 'small', compare", "method 'dt-gin' is in none", "mean 'dt-gini'"],
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(config, study, name):
    edit, parts = MISTAKES[name]
    edit(config, study)
    with pytest.raises(InputError) as caught:
        plan(config, *FULL)
    assert "\n" not in str(caught.value)
    for part in parts:
        assert part in str(caught.value), caught.value


def test_unknown_study_and_scale_and_mistakes_that_a_scale_hides(config, study):
    with pytest.raises(InputError, match="unknown study 'smal'; did you mean 'small'"):
        plan(config, "smal", "full")
    with pytest.raises(InputError, match="unknown scale 'huge'; choose one of smoke, lite, full"):
        plan(config, "small", "huge")
    study["grids"][0]["noises"].append("uniform-0.6")  # too high for two classes; smoke keeps `clean` only
    with pytest.raises(InputError, match="uniform-0.6"):
        plan(config, "small", "smoke")


@pytest.mark.parametrize(
    ("noise_id", "n_classes", "text"),
    [("clean", 2, "0"), ("uniform-0.2", 2, "0.2"), ("uniform-0.6", 3, "0.6"), ("cc", 2, "0.1/0.3"), ("far", 3, "")],
)
def test_rate_text(config, noise_id, n_classes, text):
    config["noises"]["far"] = {"model": "mahalanobis"}
    task = "binary" if n_classes == 2 else "multiclass"
    assert rate_text(check_noise(config, noise_id, task, n_classes)) == text
