"""Filters of wrong labels, against slow and obvious twins."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata
from sklearn.datasets import load_iris, make_blobs
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from ironbark import CleanedClassifier, LabelErrorDetector
from ironbark.label_errors import BoostingFilter, HighAgreementFilter, PartitionFilter
from ironbark.noise import corrupt

FILTERS = {
    "partition": PartitionFilter(random_state=0),
    "agreement": HighAgreementFilter(10, random_state=0),
    "gradient": BoostingFilter("gradient", n_estimators=20, random_state=0),
    "margin": BoostingFilter("margin", n_estimators=20, random_state=0),
}


@pytest.fixture(scope="module", params=[2, 3])
def problem(request):
    X, y = make_blobs(240, 4, centers=request.param, cluster_std=2.0, random_state=1)
    return X, corrupt("uniform", X, y, rate=0.2, random_state=np.random.default_rng(0)), y


@pytest.mark.parametrize("name", FILTERS)
def test_most_errors_are_found_and_suggestions_are_right(problem, name):
    X, noisy, y = problem
    names = np.array(["a", "b", "c"])
    found = FILTERS[name].fit(X, names[noisy])
    wrong = noisy != y
    assert wrong[found.is_error_].mean() > 0.6 and found.is_error_[wrong].mean() > 0.6
    assert (found.suggested_labels_ == names[y]).mean() > (noisy == y).mean()
    assert np.array_equal(found.suggested_labels_[~found.is_error_], names[noisy][~found.is_error_])
    assert found.label_quality_.min() >= 0 and found.label_quality_.max() <= 1
    assert wrong[found.ranking_[: wrong.sum()]].mean() > 0.6
    assert found.noise_rate_ == found.is_error_.mean()


def slow_partition_filter(X, y, m, stop, patience, seed):
    """Errors and share of agreeing models, sample by sample."""
    rng, left, idle = np.random.default_rng(seed), list(range(len(y))), 0
    agree, errors = {}, set()
    while idle < patience and len(left) >= m:
        mixed = [left[i] for i in rng.permutation(len(left))]
        dealt = [i for k in sorted(set(y)) for i in mixed if y[i] == k]
        models = [GaussianNB().fit(X[dealt[j::m]], y[dealt[j::m]]) for j in range(m)]
        agree |= dict(zip(left, sum(model.predict(X[left]) == y[left] for model in models), strict=True))
        found = [i for i in left if 2 * agree[i] < m]
        errors |= set(found)
        left = [i for i in left if i not in errors]
        idle = idle + 1 if len(found) < stop * len(y) or not found else 0
    return errors, [agree[i] / m for i in range(len(y))]


@pytest.mark.parametrize(("m", "stop", "patience"), [(5, 0.01, 3), (4, 0.0, 1), (3, 0.2, 2)])
def test_partition_filter_agrees_with_its_twin(problem, m, stop, patience):
    X, noisy, _ = problem
    X, noisy = X[:90], noisy[:90]
    options = {"n_partitions": m, "stop": stop, "patience": patience, "random_state": 3}
    found = PartitionFilter(GaussianNB(), **options).fit(X, noisy)
    errors, quality = slow_partition_filter(X, noisy, m, stop, patience, 3)
    assert set(np.flatnonzero(found.is_error_)) == errors and len(errors)
    assert np.allclose(found.label_quality_, quality)


@pytest.mark.parametrize(("n", "agreement"), [(10, 0.5), (10, 0.7), (10, 1.0), (100, 0.07), (100, 0.55)])
def test_agreement_filter_agrees_with_its_twin(problem, n, agreement):
    """0.55 * 100 is 55.00000000000001."""
    X, noisy, _ = problem
    found = HighAgreementFilter(n, agreement=agreement, cv=4, random_state=2).fit(X, noisy)
    for train, test in StratifiedKFold(4, shuffle=True, random_state=2).split(X, noisy):
        forest = RandomForestClassifier(n, random_state=2).fit(X[train], noisy[train])
        against = sum(forest.classes_[tree.predict(X[test]).astype(int)] != noisy[test] for tree in forest)
        assert found.label_quality_[test] == pytest.approx(1 - against / n)
        assert np.array_equal(found.is_error_[test], against >= round(agreement * n))


@pytest.mark.parametrize("statistic", ["gradient", "margin"])
def test_boosting_filter_averages_the_rounds_of_boosting(problem, statistic):
    X, noisy, _ = problem
    found = BoostingFilter(statistic, n_estimators=6, learning_rate=0.3, random_state=0).fit(X, noisy)
    rows, means = np.arange(len(noisy)), np.zeros(len(noisy))
    for rounds in range(1, 7):  # a model of its own for each number of rounds
        model = HistGradientBoostingClassifier(max_iter=rounds, learning_rate=0.3, early_stopping=False).fit(X, noisy)
        scores = model.predict_proba(X)
        if statistic == "margin":  # differences of raw scores are those of the logarithms of the probabilities
            scores = np.log(scores)
            scores -= np.where(np.eye(scores.shape[1])[noisy] == 1, -np.inf, scores).max(axis=1, keepdims=True)
        means += scores[rows, noisy] / 6
    if statistic == "gradient":
        assert np.allclose(found.label_quality_, means)
    else:
        assert np.allclose(found.label_quality_, (rankdata(means.round(9)) - 1) / (len(means) - 1))
        assert np.allclose(means[found.ranking_], np.sort(means))
    assert means[found.is_error_].max() < means[~found.is_error_].max()


def test_a_mixture_also_divides_right_labels():
    """The numbers of the docstring."""
    X, y = load_iris(return_X_y=True)
    assert round(100 * BoostingFilter(random_state=0).fit(X, y).is_error_.mean()) == 27
    assert not LabelErrorDetector(random_state=0).fit(X, y).is_error_.any()


def test_no_value_above_the_mean_of_the_upper_part_is_an_error():
    """The lower part is so wide that the largest values are rather of it."""
    rng = np.random.default_rng(0)
    values = np.append(rng.normal(0, 2, 300), rng.normal(1, 0.01, 300))
    wrong = BoostingFilter(random_state=0)._wrong(values)
    assert wrong[values < 0.9].all() and not wrong[values > 1.1].any() and (values > 1.1).any()


@pytest.mark.parametrize("name", FILTERS)
def test_no_class_is_lost(name):
    """Labels of the last class are all wrong: its samples lie among those of the others."""
    X, y = make_blobs(120, 4, centers=2, cluster_std=1.0, random_state=1)
    labels = np.where(np.arange(120) % 12 == 0, 2, y)
    found = FILTERS[name].fit(X, labels)
    assert found.is_error_[labels == 2].all()
    frame = pd.DataFrame(X[:, :1]).astype("Float64").where((labels != 2)[:, None])  # a single column of it is read-only
    array = frame.to_numpy(float, na_value=np.nan)
    assert FILTERS[name].fit(frame, labels).ranking_.tolist() == FILTERS[name].fit(array, labels).ranking_.tolist()
    cleaned = CleanedClassifier(DecisionTreeClassifier(random_state=0), FILTERS[name], action="drop").fit(X, labels)
    assert cleaned.estimator_.classes_.tolist() == [0, 1, 2]


def test_rare_classes():
    """Parts of one class or without weight are no fault, and boosted trees that cannot split call nothing an error."""
    X = np.arange(36.0)[:, None] + 40 * (np.arange(36) > 28)[:, None]
    y = np.repeat(["a", "b"], [29, 7])
    with pytest.warns(UserWarning, match=r"classes of under 18 samples \(1\) may be called"):
        assert not PartitionFilter(LogisticRegression()).fit(X, y).is_error_.any()
    assert not PartitionFilter().fit(X, y, sample_weight=np.arange(36) % 3 == 0).is_error_[:29].any()
    with pytest.warns(UserWarning, match=r"classes of under 20 samples \(1\) may be called"):
        assert not BoostingFilter().fit(np.c_[X, np.full(36, np.nan)], y).is_error_.any()
