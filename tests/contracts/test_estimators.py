"""What scikit-learn and users expect of every estimator."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import sklearn
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_sample_weight_equivalence_on_dense_data, parametrize_with_checks

import ironbark
from ironbark import EncodedFeatures, InputError, RobustDecisionTreeClassifier, RobustRandomForestClassifier, encode

COPIES = ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data")
GROWN = ("AdaBoost", "GentleBoost", "BrownBoost", "RobustBoost")
BOOSTERS = [
    getattr(ironbark, f"{name}Classifier")(n_estimators=4, random_state=0)
    for name in (*GROWN, "LogitBoost", "QuadraticXGB", "RMBoost", "LPBoost", "RobustXGB", "RobustLGBM")
]
BOOSTERS += [ironbark.RMBoostClassifier(n_estimators=4, lp_solution="vertex", base="weighted", random_state=0)]
BOOSTERS += [ironbark.LPBoostClassifier(n_estimators=4, margin="hard", random_state=0)]
JUDGES = [ironbark.LabelErrorDetector(estimator, random_state=0) for estimator in (None, GaussianNB())]
JUDGES += [ironbark.CleanedClassifier(GaussianNB(), JUDGES[1]), ironbark.NoiseCorrectedClassifier()]
JUDGES += [ironbark.NoiseCorrectedClassifier(GaussianNB())]

#: Name of the class -> why weights are not copies.
NOT_COPIES = {
    "RobustRandomForestClassifier": "draws from rows and from copies of rows differ",
    "RobustDecisionTreeClassifier": "folds of rows and of copies of rows differ, and so the alpha",
    "LogitBoostClassifier": "15 samples of 30 features have ties between splits, which rounding decides",
    "RMBoostClassifier": "draws with replacement differ, and n in lam is that of the samples",
    "LPBoostClassifier": "optima are not unique; the hard margin refuses weights that differ",
}
for name in ("LabelErrorDetector", "CleanedClassifier", "NoiseCorrectedClassifier"):
    NOT_COPIES[name] = "draws and folds of rows and of copies of rows differ"
NOT_COPIES |= {f"{name}Classifier": "min_samples_split counts samples, not weights" for name in GROWN}


def known_failures(estimator):
    params, why = estimator.get_params(), NOT_COPIES.get(type(estimator).__name__)
    if why is None or params.get("ccp_alpha", "auto") != "auto":
        return {}
    hard = ("check_sample_weights_not_overwritten",) if params.get("margin") == "hard" else ()
    return dict.fromkeys((*COPIES, *hard), why)


with warnings.catch_warnings(action="ignore"):  # few samples of the checks
    scikit_learn_checks = parametrize_with_checks(
        [
            RobustDecisionTreeClassifier(),
            RobustDecisionTreeClassifier(ccp_alpha=0.0),
            RobustRandomForestClassifier(5),
            RobustRandomForestClassifier(5, bootstrap=False),
            *BOOSTERS,
            *JUDGES,
        ],
        expected_failed_checks=known_failures,
    )


@pytest.mark.filterwarnings("ignore:Unknown data type", "ignore:Converting data to scipy sparse")
@scikit_learn_checks
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("booster", BOOSTERS[: len(GROWN)])
def test_weights_are_copies_for_trees_that_split_any_node(booster):
    fine = clone(booster).set_params(min_samples_split=2)
    check_sample_weight_equivalence_on_dense_data(type(fine).__name__, fine)


ESTIMATORS = [
    RobustDecisionTreeClassifier(random_state=0, ccp_alpha=0.0),
    RobustRandomForestClassifier(5, random_state=0, ccp_alpha=0.0),
]
PROBA = [booster for booster in BOOSTERS if hasattr(booster, "predict_proba")]
each = pytest.mark.parametrize("estimator", ESTIMATORS)


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    return rng.integers(0, 200, (80, 4)), rng.choice(["a", "b", "c"], 80)


@pytest.mark.parametrize("estimator", [*ESTIMATORS, *PROBA, ironbark.CleanedClassifier(PROBA[0], random_state=0)])
def test_encoded_features_give_the_same_model(estimator, problem, tmp_path):
    """Encoded ones may be mapped read-only, as joblib hands large arrays to its workers."""
    X, y = problem[0], problem[1] == "a"
    expected, features, mapped = estimator.fit(X, y).predict_proba(X), encode(X), {}
    for name in ("codes", "levels", "offsets"):
        np.save(tmp_path / f"{name}.npy", getattr(features, name))
        mapped[name] = np.load(tmp_path / f"{name}.npy", mmap_mode="r")
    for other in (features, EncodedFeatures(**mapped)):
        assert np.array_equal(estimator.fit(other, y).predict_proba(X), expected)
    assert np.array_equal(estimator.predict_proba(pickle.loads(pickle.dumps(features))), expected)


@pytest.mark.parametrize("name", ["csr_array", "csc_matrix"])
@pytest.mark.parametrize("estimator", [*ESTIMATORS, RobustRandomForestClassifier(5, oob_score=True, random_state=0)])
@pytest.mark.filterwarnings("ignore:.*no out-of-bag votes")
def test_sparse_features_give_the_same_model(estimator, name, problem, monkeypatch):
    X, y = problem
    X = X * (X % 3 == 0)
    sparse = getattr(scipy.sparse, name)(X)
    expected = clone(estimator).fit(X, y)
    model = clone(estimator).fit(sparse, y)
    assert get_tags(model).input_tags.sparse and model.n_features_in_ == 4
    for method in ("predict", "predict_proba", "apply"):
        assert np.array_equal(getattr(model, method)(sparse), getattr(expected, method)(X))
    monkeypatch.setattr("ironbark.encoding.features.available", lambda: 80 * 4 * 8 - 1)
    with pytest.raises(InputError, match=r"a sparse X of shape \(80, 4\) as an array takes .*; predict fewer samples"):
        model.predict(sparse)
    monkeypatch.setattr("ironbark.encoding.features.available", lambda: 80 * 4 * 2 - 1)
    with pytest.raises(InputError, match=r"a fit on a sparse X of shape \(80, 4\), .* takes "):
        clone(estimator).fit(sparse, y)


@each
def test_bad_data_are_refused(estimator, problem):
    X, y = problem
    with pytest.raises(ValueError, match="samples"):
        estimator.fit(encode(X), y[1:])
    with pytest.raises(ValueError, match="3 features"):
        estimator.fit(X, y).predict(encode(X[:, :3]))
    with pytest.raises(NotFittedError):
        clone(estimator).predict(encode(X))
    with pytest.raises(ValueError, match="at most 255"):
        estimator.fit(np.arange(300.0)[:, None], np.arange(300))


@each
def test_a_refused_refit_leaves_the_estimator_as_it_was(estimator, problem):
    X, y = pd.DataFrame(problem[0], columns=list("abcd")), problem[1]
    model = clone(estimator).fit(X, y)
    proba = model.predict_proba(X)
    with pytest.raises(ValueError, match="ccp_alpha"):  # which is found when labels have been taken
        model.set_params(ccp_alpha=[-1.0]).fit(X, y > "a")
    assert np.array_equal(model.predict_proba(X), proba) and np.array_equal(model.classes_, np.unique(y))
    model.set_params(ccp_alpha=0.0).fit(encode(problem[0][:, :2]), y)
    assert not hasattr(model, "feature_names_in_") and model.n_features_in_ == 2


@each
def test_one_class_and_255_classes(estimator):
    model, X = clone(estimator), np.arange(255.0)[:, None]
    one = model.fit(X, ["only"] * 255)
    assert set(one.predict(X)) == {"only"} and one.predict_proba(X).tolist() == [[1.0]] * 255
    model.set_params(**({"bootstrap": False} if hasattr(model, "bootstrap") else {}))
    assert np.array_equal(model.fit(X, 1000 + X[:, 0]).predict(X), 1000 + X[:, 0])


@each
def test_weights_are_routed_through_a_search(estimator, problem):
    X, y = problem
    weight = np.arange(80) % 3
    with sklearn.config_context(enable_metadata_routing=True):
        inner = clone(estimator).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        found = GridSearchCV(inner, {"max_depth": [2, 3]}, cv=3).fit(X, y, sample_weight=weight).best_estimator_
    weighted, unweighted = (clone(found).fit(X, y, w).predict_proba(X) for w in (weight, None))
    assert np.array_equal(found.predict_proba(X), weighted) and not np.array_equal(weighted, unweighted)


BUILT = [ironbark.LabelErrorDetector(n_estimators=5), ironbark.NoiseCorrectedClassifier(GaussianNB())]
BUILT += [ironbark.AdaBoostClassifier(n_estimators=2), ironbark.LogitBoostClassifier(2, max_leaf_nodes=None)]


@pytest.mark.parametrize("model", BUILT)
def test_what_stands_on_scikit_learn_fits_whatever_it_is_set_to(model, problem):
    with sklearn.config_context(transform_output="pandas", enable_metadata_routing=True):
        clone(model).fit(problem[0], problem[1] == problem[1][0], sample_weight=np.ones(80))
