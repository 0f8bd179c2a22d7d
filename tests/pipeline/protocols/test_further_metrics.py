"""Metrics that a study asks for, against their definitions and against scikit-learn's own scorers."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.svm import LinearSVC

from ironbark.pipeline.protocols import fit, further_metrics
from ironbark.pipeline.protocols.further_metrics import measure
from ironbark.pipeline.results import records
from ironbark.pipeline.results.metrics import FURTHER

NONE = np.zeros(3, bool)  # of the training labels is wrong
LOADERS = {"binary": load_breast_cancer, "multiclass": load_iris}


@pytest.fixture(params=LOADERS)
def parts(request):
    X, y = LOADERS[request.param](return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    flipped = np.where(np.random.default_rng(0).random(len(y)) < 0.2, (y + 1) % (y.max() + 1), y)
    test = np.arange(len(y)) % 2 == 0
    return X[~test], flipped[~test], X[test], y[test]


def test_as_defined_and_as_scikit_learn_scores(parts):
    X, noisy, X_test, y = parts
    model, k = LogisticRegression().fit(X, noisy), int(y.max()) + 1
    found = measure(model, X_test, y, k, NONE)["further"]
    assert found["gaps"] == {} and set(found["values"]) == set(further_metrics.METRICS)
    scorers = {
        "f1": get_scorer("f1" if k == 2 else "f1_macro"),
        "log_loss": get_scorer("neg_log_loss"),
        "roc_auc": get_scorer("roc_auc" if k == 2 else "roc_auc_ovr"),
        "brier": get_scorer("neg_brier_score"),
    }
    for name, scorer in scorers.items():
        assert found["values"][name] == pytest.approx(abs(scorer(model, X_test, y)), abs=1e-12), name
    proba, own = model.predict_proba(X_test), np.eye(k)[y]
    assert found["values"]["log_loss"] == pytest.approx(-np.log(proba[own == 1]).mean())
    assert found["values"]["brier"] == pytest.approx(((proba - own) ** 2).sum(axis=1).mean() / (2 if k == 2 else 1))
    pairs = [
        (proba[i, c] > proba[j, c]) for c in range(k) for i in np.flatnonzero(y == c) for j in np.flatnonzero(y != c)
    ]
    sizes = [np.sum(y == c) * np.sum(y != c) for c in range(k)]
    means = [np.mean(part) for part in np.split(np.array(pairs), np.cumsum(sizes)[:-1])]
    assert found["values"]["roc_auc"] == pytest.approx(means[1] if k == 2 else np.mean(means))


def test_a_method_without_probabilities_has_gaps(parts):
    X, noisy, X_test, y = parts
    k = int(y.max()) + 1
    found = measure(LinearSVC().fit(X, noisy), X_test, y, k, NONE)["further"]
    without = {"log_loss", "brier"} | ({"roc_auc"} if k > 2 else set())  # of two classes the decision function ranks
    assert set(found["gaps"]) == without and set(found["values"]) == set(further_metrics.METRICS) - without
    assert found["gaps"]["brier"] == "no brier: LinearSVC has no predict_proba"


def test_a_class_that_training_lacks_has_probability_0():
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=1000).fit(X[y < 2], y[y < 2])
    values = measure(model, X, y, 3, NONE)["further"]["values"]
    assert np.isfinite(list(values.values())).all() and values["log_loss"] > 10
    found = measure(model, X[y < 2], y[y < 2], 3, NONE)["further"]
    assert found["gaps"] == {"roc_auc": "no roc_auc: the test part lacks a class"}


def test_a_fit_is_the_same_with_and_without():
    X, y = load_iris(return_X_y=True)
    method = {"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {}, "tune": {}}
    arguments = (method, ("iris", "multiclass", "p", 0, 0, "clean"), X[::2], y[::2], X[1::2], y[1::2])
    plain, more = fit.run(*arguments), fit.run(*arguments, measure=partial(measure, wrong=NONE))
    assert set(more) - set(plain) == {"further"}
    assert [plain[name] == more[name] for name in plain if name not in records.TIMINGS].count(False) <= 4  # NaN
    assert str({k: v for k, v in plain.items() if k not in records.TIMINGS}) == str(
        {k: v for k, v in more.items() if k not in (*records.TIMINGS, "further")}
    )


def test_detection_is_the_mean_precision_where_wrong_labels_are_found():
    """Ranked by suspicion: right, wrong, right, wrong; so the precision is 1/2 and 2/4."""
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=1000).fit(X, y)
    model.detector_ = SimpleNamespace(label_quality_=np.array([0.4, 0.1, 0.3, 0.2]))
    wrong = np.array([True, False, False, True])
    values = measure(model, X, y, 3, wrong)["further"]["values"]
    assert values["detection"] == 0.5 and set(values) == set(FURTHER)
    for same in (np.zeros(4, bool), np.ones(4, bool)):
        found = measure(model, X, y, 3, same)["further"]
        assert "detection" not in found["values"] and found["gaps"] == {}
