"""What is planned before anything is measured: monotone in the work, and by hand for single cases."""

import math

import pytest

from ironbark import RMBoostClassifier
from ironbark.criteria import CRITERIA
from ironbark.pipeline.plan.cost import fits
from ironbark.pipeline.plan.study.study import plan

FIXED = {"kind": "fixed-split", "repeats": 5, "options": {"max_train": None}}
TREE = {
    "estimator": "ironbark.RobustDecisionTreeClassifier",
    "params": {"criterion": "gini", "ccp_alpha": 0.0},
    "tune": {},
}
FOREST = {
    "estimator": "ironbark.RobustRandomForestClassifier",
    "params": {"criterion": "gini", "n_estimators": 50, "ccp_alpha": 0.0},
    "tune": {},
}
SIZE = {"n": 1000, "d": 16, "k": 8, "bits": 9, "split": {"train_size": 0.8}}
NOISE = {"model": "uniform", "rate": 0.2}


def seconds(method=TREE, size=SIZE, task="binary", protocol=FIXED, noise=NOISE):
    return fits.seconds(method, size, task, protocol, noise)


def test_by_hand():
    depth = math.log2(2 + 800 * 0.204)
    assert seconds() == pytest.approx(4.6e-3 + 6.3e-4 + 3.4e-10 * 9 * 800 * 16 * depth)
    for bootstrap, drawn in ((False, 800), (True, 800 * (1 - math.exp(-1)))):
        forest = {**FOREST, "params": {**FOREST["params"], "bootstrap": bootstrap}}
        work = 4.5e-9 * 3 * drawn * 4 * depth  # 4 of 16 features
        assert seconds(forest) == pytest.approx(4.6e-3 + 50 * (6.3e-4 + work))
    assert seconds(task="multiclass") == pytest.approx(4.6e-3 + 6.3e-4 + 3.4e-10 * 9 * 800 * 16 * depth * 4**0.25)
    assert seconds(size={**SIZE, "bits": 1}) == pytest.approx(4.6e-3 + 6.3e-4 + 3.4e-10 * 800 * 16 * depth)


def test_tuning_multiplies():
    tuned = {**TREE, "tune": {"grid": {"lam": [0, 1], "max_depth": [1, 2]}, "test_size": 0.2, "refit": False}}
    assert seconds(tuned) == pytest.approx(4 * 0.8 * seconds())
    assert seconds({**tuned, "tune": {**tuned["tune"], "refit": True}}) == pytest.approx(4.2 * seconds())


def test_trials_cost_their_folds_and_the_middle_of_their_ranges():
    tune = {"trials": 10, "cv": 5, "space": {"n_estimators": {"low": 10, "high": 190}, "criterion": ["gini"]}}
    whole = {**FOREST, "params": {**FOREST["params"], "n_estimators": 100}}
    trees = 51 * (fits.FIT + 100 * fits.TREE)  # which don't shrink with the samples, of which each fold has 4/5
    scans = 41 * (seconds(whole) - fits.FIT - 100 * fits.TREE)
    assert seconds({**FOREST, "tune": tune}) == pytest.approx(50 * fits.TRIAL + trees + scans)


def test_parameters_that_cap_the_work():
    def of(**params):
        return seconds({**TREE, "params": {**TREE["params"], **params}}, {**SIZE, "n": 10**6})

    assert of(max_depth=2) < 0.5 * of()
    assert of(max_depth=1000) == of()
    assert of(max_features=4) < of(max_features=0.5) < of(max_features=None) == of()
    assert of(max_features="sqrt") == of(max_features=4)


def test_defaults_of_an_estimator_count():
    plain = {"estimator": FOREST["estimator"], "params": {}, "tune": {}}
    assert seconds(plain) == pytest.approx(seconds({**plain, "params": {"n_estimators": 100, "criterion": "gini"}}))


def test_a_choice_of_alpha_costs_trees_of_folds_or_a_walk_out_of_the_bag():
    def scans(method, **params):
        fixed = fits.FIT + method["params"].get("n_estimators", 1) * fits.TREE
        return seconds({**method, "params": {**method["params"], **params}}) - fixed

    assert scans(TREE, ccp_alpha="auto") == pytest.approx(5 * scans(TREE))
    for bootstrap, factor in ((True, 1.3), (False, 2.3)):
        plain = scans(FOREST, bootstrap=bootstrap)
        assert scans(FOREST, bootstrap=bootstrap, ccp_alpha=[0, 0.1]) == pytest.approx(factor * plain)
    tuned = {**TREE, "params": {"criterion": "gini"}, "tune": {"grid": {"ccp_alpha": [0, 0.1]}, "cv": 5}}
    assert seconds(tuned) == seconds({**tuned, "params": TREE["params"]})


def test_costs_of_criteria():
    costs = {name: fits.relative({**TREE, "params": {"criterion": name}}) for name in CRITERIA}
    assert costs["gini"] == 1 and costs["credal"] == CRITERIA["credal"].cost != 1
    either = {**TREE, "tune": {"grid": {"criterion": ["gini", "misclassification"]}}}
    assert fits.relative(either) == pytest.approx((1 + CRITERIA["misclassification"].cost) / 2)


def test_what_users_bring_is_dearer():
    own = {**TREE, "params": {"criterion": "own_gains.tsallis"}}
    assert fits.relative(own) > max(entry.cost for entry in CRITERIA.values())
    assert fits.relative({"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {}}) == fits.OTHERS


@pytest.mark.parametrize(
    ("options", "split", "rows"),
    [
        ({"max_train": None}, {"train_size": 0.8}, 800),
        ({"max_train": None}, {"train_rows": 600}, 600),
        ({"max_train": None}, {"column": "part"}, 750),
        ({"max_train": None}, {}, 750),
        ({"max_train": 100}, {"train_size": 0.8}, 100),
        ({"folds": 5, "max_train": None}, {"train_rows": 600}, 800),
        ({"test_size": 0.1, "max_train": None}, {}, 900),
        ({"test_size": 300, "max_train": None}, {}, 700),
    ],
)
def test_training_rows(options, split, rows):
    assert fits.training_rows({"n": 1000, "split": split}, {"options": options}) == rows


@pytest.mark.parametrize(
    ("noise", "share"),
    [
        (None, 0),
        ({"model": "clean"}, 0),
        ({"model": "uniform", "rate": 0.4}, 0.4),
        ({"model": "class_conditional", "rate": [0.1, 0.3]}, 0.2),
        ({"model": "mahalanobis"}, 0.3),
    ],
)
def test_flipped(noise, share):
    assert fits.flipped(noise) == pytest.approx(share)


def test_memory():
    """MNIST in one job: 9 bytes for 47 million training cells, 8 for 7.8 million test cells; floats where asked."""
    size, base = {"n": 70000, "d": 784, "split": {"train_rows": 60000}}, fits.BASE_MB
    trees = (60000 * 9 + 10000 * 8) * 784 / 1e6
    assert fits.megabytes(size, FIXED) == pytest.approx(base + trees)
    assert fits.megabytes(size, FIXED, encoded=False) == pytest.approx(base + trees + 60000 * 784 * 8 / 1e6)
    assert fits.megabytes(size, FIXED, needs_features=True) == pytest.approx(base + 130000 * 784 * 8 / 1e6)


def test_memory_of_models():
    """1000 samples, of which 200 look mislabelled and 50 more have leaves of their own: 500 nodes a tree."""
    size, noise = {"n": 1250, "k": 10}, {"model": "uniform", "rate": 0.2}
    protocol = {"options": {"folds": 5}}
    forest = {**FOREST, "params": {**FOREST["params"], "n_estimators": 100}}
    assert fits.model_megabytes(forest, size, "multiclass", protocol, noise) == pytest.approx(100 * 500 * 110 / 1e6)
    tuned = {**forest, "tune": {"grid": {"lam": [0, 1]}, "test_size": 0.2}}
    assert fits.model_megabytes(tuned, size, "binary", protocol, noise) == pytest.approx(2 * 100 * 500 * 78 / 1e6)
    large = {**size, "n": 160_000}  # 128,000 to train on, of which 102,400 while tuned: the best model waits in a file
    assert fits.model_megabytes(tuned, large, "binary", protocol, noise) == pytest.approx(100 * 64_000 * 78 / 1e6)
    booster = {"estimator": "ironbark.AdaBoostClassifier", "params": {}, "tune": {}}
    assert fits.model_megabytes(booster, size, "binary", protocol, noise) == 0
    plain = fits.megabytes(size, protocol)
    assert fits.megabytes(size, protocol, model=500.0) == pytest.approx(plain + 500)


def test_a_known_split_counts():
    size = {"n": 1000, "n_train": 123, "split": {"train_size": 0.8}}
    assert fits.training_rows(size, FIXED) == 123
    assert fits.training_rows(size, {"options": {"folds": 5}}) == 800


def test_disk_by_hand():
    assert fits.disk({"n": 10000, "d": 100}, 7, 1000) == pytest.approx(2.6 + 0.112 + 2)


def test_unknown_sizes_are_small(config):
    study = plan(config, "small", "full")
    assert 0 < seconds(study.methods["dt-gini"], fits.size_of(config["datasets"]["own"])) < 0.1


def test_a_path_takes_one_fit_for_each_fold():
    """Each of five fits is on four fifths, and one more on everything."""
    grid = {"min_samples_split": [2, 10, 40]}
    assert fits.fits({"cv": 5, "grid": grid}) == 5
    assert fits.fits({"cv": 5, "grid": {"lam": [0, 1, 2]}}) == 13
    assert fits.pruned({"cv": 5, "grid": grid}) == 15 and fits.pruned({"cv": 5, "grid": {"lam": [0, 1, 2]}}) == 0
    assert fits.pruned({}) == fits.pruned({"test_size": 0.2, "grid": grid}) == 0
    tuned = {**TREE, "tune": {"cv": 5, "grid": grid}}
    assert seconds(tuned) == pytest.approx(5 * seconds() + 15 * (1e-3 + 1.3e-4))


def test_quirks_of_growth_are_dear():
    quirky = {**TREE, "params": {**TREE["params"], "compat": "rdts"}}
    assert seconds(quirky) - 5.23e-3 == pytest.approx(4 * (seconds() - 5.23e-3))


def test_boosters_cost_more_than_forests_and_a_hidden_number_of_rounds_counts():
    size, protocol = {"n": 690, "d": 15, "k": 2}, {"kind": "random-partitions", "options": {"test_size": 0.1}}

    def seconds(name, **params):
        method = {"estimator": f"ironbark.{name}", "params": params, "tune": {}}
        return fits.seconds(method, size, "binary", protocol)

    ada = seconds("AdaBoostClassifier", n_estimators=100)
    assert ada == pytest.approx(10 * seconds("AdaBoostClassifier", n_estimators=10), rel=0.15)
    hidden = seconds("RobustXGBClassifier")  # whose rounds are XGBoost's own default
    assert hidden == pytest.approx(seconds("RobustXGBClassifier", n_estimators=100))
    assert ada > 3 * seconds("RobustRandomForestClassifier", n_estimators=100)


def test_twice_the_rounds_of_simplex_solutions_cost_four_times():
    def cost(kind, rounds):
        params = {"lp_solution": kind, "n_estimators": rounds}
        return seconds({"estimator": "ironbark.RMBoostClassifier", "params": params, "tune": {}})

    trees = cost("central", 200) - 200 * 5e-3  # less its linear programs
    assert cost("vertex", 200) - trees == pytest.approx(4 * 2.2e-4 * 100**2)


@pytest.mark.parametrize(("samples", "leaves"), [(400, 11), (9_000, 90), (90_000, 900)])
def test_trees_that_grow_with_the_sample_cost_as_those_of_that_size(samples, leaves):
    assert fits.leaves_of({"max_leaf_nodes": "auto"}, samples) == leaves == RMBoostClassifier()._leaves(samples)
    assert fits.leaves_of({"max_leaf_nodes": 7}, samples) == 7 and fits.leaves_of({}, samples) == 11


def test_training_rows_of_several_sizes():
    assert fits.training_rows({"n": 1000}, {"options": {"sizes": [100, 200, 600], "test_size": 0.1}}) == 300


def test_histograms_by_hand():
    """800 samples, 16 features of 32 values, 163.2 samples that look mislabelled; rounds of 1 tree or of 8."""
    size = {**SIZE, "bits": 5}
    tree = 3e-5 + 16 * (1e-8 * 800 + 7e-10 * (2 + 163.2 / 4) * 32)
    xgb = {"estimator": "xgboost.XGBClassifier", "params": {"n_estimators": 10}, "tune": {}}
    assert seconds(xgb, size) == pytest.approx(4.6e-3 + 10 * (1e-4 + tree))
    assert seconds(xgb, size, "multiclass") == pytest.approx(4.6e-3 + 10 * (1e-4 + 8 * tree))
    robust = {**xgb, "estimator": "ironbark.RobustXGBClassifier"}
    assert seconds(robust, size) == pytest.approx(4.6e-3 + 10 * (3e-4 + tree))
    leaves = {"estimator": "lightgbm.LGBMClassifier", "params": {"n_estimators": 10, "num_leaves": 4}, "tune": {}}
    small = 3e-5 + 16 * (1e-8 * 800 + 7e-10 * 4 * 32)
    assert seconds(leaves, size) == pytest.approx(4.6e-3 + 10 * (1e-4 + small))


def test_boosted_trees_of_others_have_the_middle_of_their_depths():
    ada = {"estimator": "sklearn.ensemble.AdaBoostClassifier", "params": {"n_estimators": 10}}
    space = {"estimator__max_depth": {"low": 1, "high": 3}}
    tuned = {**ada, "tune": {"trials": 1, "cv": 2, "space": space}}
    direct = {**ada, "params": {"n_estimators": 10, "max_depth": 2}, "tune": {"trials": 1, "cv": 2, "space": {}}}
    assert seconds(tuned) == pytest.approx(seconds(direct))
    assert seconds(direct) < 0.9 * seconds({**direct, "params": ada["params"]})


def test_trials_on_some_samples_cost_less():
    tune = {"trials": 10, "cv": 5, "space": {}}
    whole, fifth = (seconds({**FOREST, "tune": tune | more}) for more in ({}, {"max_samples": 160}))
    fixed = 50 * fits.TRIAL + 51 * (fits.FIT + 50 * fits.TREE)
    assert (fifth - fixed) / (whole - fixed) == pytest.approx((1 + 40 / 5) / 41)
    assert seconds({**FOREST, "tune": tune | {"max_samples": 10**6}}) == whole
