"""`CleanedClassifier`: what each action passes to the classifier."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from ironbark import CleanedClassifier, LabelErrorDetector, find_label_errors
from ironbark.noise import corrupt


class Recorder(ClassifierMixin, BaseEstimator):
    """Keeps what it is fitted on."""

    def fit(self, X, y, sample_weight=None):
        self.X_, self.y_, self.weight_, self.classes_ = X, y, sample_weight, np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.fixture(scope="module")
def problem():
    X, y = make_classification(600, 8, n_informative=6, class_sep=1.5, random_state=0)
    return X, corrupt("uniform", X, y, rate=0.25, random_state=0)


@pytest.mark.parametrize("weights", [None, np.arange(1.0, 601.0)])
def test_what_the_classifier_gets(problem, weights):
    X, y = problem
    detector = LabelErrorDetector(GaussianNB(), random_state=0)
    dropped, relabelled, weighted = (
        CleanedClassifier(Recorder(), detector, action).fit(X, y, sample_weight=weights).estimator_
        for action in ("drop", "relabel", "weight")
    )
    kept = ~detector.fit(X, y, weights).is_error_
    assert 0 < kept.sum() < len(y)
    assert np.array_equal(dropped.X_, X[kept]) and np.array_equal(dropped.y_, y[kept])
    assert np.array_equal(relabelled.X_, X) and np.array_equal(relabelled.y_, detector.suggested_labels_)
    assert np.array_equal(weighted.y_, y)
    assert np.array_equal(weighted.weight_, detector.label_quality_ * (1.0 if weights is None else weights))
    assert np.array_equal(dropped.weight_, None if weights is None else weights[kept])
    assert np.array_equal(relabelled.weight_, weights)


def test_faces_of_the_classifier(problem):
    X, y = problem
    detector = LabelErrorDetector(GaussianNB(), random_state=0)
    assert not hasattr(CleanedClassifier(LinearSVC(), detector), "predict_proba")
    svc = CleanedClassifier(LinearSVC(), detector).fit(X, y)
    assert svc.decision_function(X).shape == (600,)
    tree = CleanedClassifier(detector=detector, random_state=0).fit(X, y)
    assert not hasattr(tree, "decision_function") and tree.predict_proba(X).shape == (600, 2)


def test_labels_may_end_in_nul(problem):
    X, y = problem
    named, plain = (np.array(names, object)[y] for names in (["a\0", "b\0"], ["a", "b"]))
    found, expected = (CleanedClassifier(random_state=0).fit(X, labels) for labels in (named, plain))
    assert found.predict(X).tolist() == [name + "\0" for name in expected.predict(X)]
    assert find_label_errors(X, named)["neighbours"].tolist() == find_label_errors(X, plain)["neighbours"].tolist()


@pytest.mark.parametrize("action", ["drop", "relabel"])
def test_the_best_sample_of_a_class_of_errors_stays(action):
    X, y = np.random.default_rng(0).normal(size=(100, 2)), np.arange(100) % 2
    detector = LabelErrorDetector(GaussianNB(), cut=0.99, random_state=0)
    model = CleanedClassifier(KNeighborsClassifier(1), detector, action).fit(X, y)
    quality, errors = model.detector_.label_quality_, model.detector_.is_error_
    lost = [code for code in (0, 1) if errors[y == code].all()]
    assert lost
    for code in (0, 1):
        best = np.flatnonzero(y == code)[quality[y == code].argmax()]
        assert model.predict(X[[best]]) == [code]
    assert len(model.estimator_._fit_X) == (2 if action == "drop" else 100)
