"""The search for lambda against fits by hand and against scikit-learn's search."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV

from ironbark import NegativeExponentialSearch, RobustDecisionTreeClassifier, RobustRandomForestClassifier, encode
from ironbark.noise import corrupt

LAMS = (0.0, 0.25, 0.5, 0.75, 1.0)


@pytest.fixture(scope="module")
def data():
    X, y = load_wine(return_X_y=True)
    return X, corrupt("uniform", None, y, rate=0.3, random_state=0)


def parts(n, seed, test_size):
    """What the search draws: held-out part, rest and seed of the fits."""
    rng = np.random.RandomState(seed)
    order, fit_seed = rng.permutation(n), rng.randint(np.iinfo(np.int32).max)
    n_held = round(test_size * n)
    return np.sort(order[:n_held]), np.sort(order[n_held:]), fit_seed


@pytest.mark.parametrize("estimator", [None, RobustRandomForestClassifier(5, ccp_alpha=0.0)])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_scikit_learns_search_on_one_split(data, estimator, seed):
    X, y = data
    found = NegativeExponentialSearch(estimator, random_state=seed).fit(X, y)
    held, kept, fit_seed = parts(len(y), seed, 0.2)
    base = RobustDecisionTreeClassifier(ccp_alpha=0.0) if estimator is None else clone(estimator)
    base.set_params(criterion="negative_exponential", random_state=fit_seed)
    theirs = GridSearchCV(base, {"lam": LAMS}, cv=[(kept, held)], refit=False).fit(X, y)
    np.testing.assert_allclose(found.accuracies_, theirs.cv_results_["mean_test_score"])
    assert found.lam_ == theirs.best_params_["lam"]
    by_hand = base.set_params(lam=found.lam_).fit(X[kept], y[kept])
    np.testing.assert_array_equal(found.predict_proba(X), by_hand.predict_proba(X))
    again = NegativeExponentialSearch(estimator, refit=True, random_state=seed).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), by_hand.fit(X, y).predict_proba(X))


def test_an_encoding_gives_the_same_model(data):
    X, y = data
    plain = NegativeExponentialSearch(random_state=0).fit(X, y)
    encoded = NegativeExponentialSearch(random_state=0).fit(encode(X), y)
    assert np.array_equal(plain.predict(X), encoded.predict(encode(X)))
    assert plain.lam_ == encoded.lam_


def test_classes_of_the_held_out_part_only_keep_their_column():
    X, y = np.arange(40.0).reshape(-1, 1), np.array(["a", "b"] * 20)
    held, _, _ = parts(40, 0, 0.2)
    y[held[0]] = "c"
    proba = NegativeExponentialSearch(random_state=0).fit(X, y).predict_proba(X)
    assert proba.shape == (40, 3) and not proba[:, 2].any() and np.allclose(proba.sum(axis=1), 1)


@pytest.mark.parametrize(
    ("options", "message"), [({"lams": []}, "lams has 0 values"), ({"test_size": 1.0}, "test_size")]
)
def test_bad_options(data, options, message):
    with pytest.raises(ValueError, match=message):
        NegativeExponentialSearch(**options).fit(*data)
