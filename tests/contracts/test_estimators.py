"""What scikit-learn and users expect of every estimator."""

import pickle

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier, encode

WEIGHTED_BOOTSTRAP = {
    "check_sample_weight_equivalence_on_dense_data": "draws with replacement from rows and from copies of rows differ"
}


def known_failures(estimator):
    return WEIGHTED_BOOTSTRAP if isinstance(estimator, RobustRandomForestClassifier) else {}


@parametrize_with_checks(
    [RobustDecisionTreeClassifier(), RobustRandomForestClassifier(5)], expected_failed_checks=known_failures
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


ESTIMATORS = [RobustDecisionTreeClassifier(random_state=0), RobustRandomForestClassifier(5, random_state=0)]


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    return rng.integers(0, 200, (80, 4)), rng.choice(["a", "b", "c"], 80)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_encoded_features_and_every_number_type_give_the_same_model(estimator, problem):
    X, y = problem
    expected = estimator.fit(X, y).predict_proba(X)
    for other in (encode(X), X.astype(np.uint8), X.astype(np.float32), X.astype(float)):
        assert np.array_equal(estimator.fit(other, y).predict_proba(X), expected)
    assert np.array_equal(estimator.predict_proba(pickle.loads(pickle.dumps(encode(X)))), expected)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"criterion": "ginni"}, "did you mean 'gini'"),
        ({"criterion": "negative_exponential", "lam": -0.1}, "lam"),
        ({"criterion": "generalized_cross_entropy", "q": float("nan")}, "q"),
        ({"criterion": "pairwise_gain"}, "two classes"),
    ],
)
def test_bad_parameters_are_refused(estimator, change, message, problem):
    with pytest.raises(ValueError, match=message):
        type(estimator)(**change).fit(*problem)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_bad_data_are_refused(estimator, problem):
    X, y = problem
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match="NaN|infinity"):
            estimator.fit(np.where(X[0, 0] == X, bad, X), y)
    with pytest.raises(ValueError, match="samples"):
        estimator.fit(encode(X), y[1:])
    with pytest.raises(ValueError, match="at most 255"):
        estimator.fit(np.arange(300.0)[:, None], np.arange(300))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_single_class_is_what_is_predicted(estimator, problem):
    X, _ = problem
    model = estimator.fit(X, ["only"] * 80)
    assert set(model.predict(X)) == {"only"}
    assert model.predict_proba(X).tolist() == [[1.0]] * 80
