"""Out-of-bag probabilities averaged over prices of pruning, and identical samples with different labels."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array
from sklearn import config_context
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from tree.shared import votes_of

from ironbark import LabelErrorDetector, RobustRandomForestClassifier
from ironbark.label_errors.out_of_sample import TOLERANCE, averaged_out_of_bag, conflicts, identical_rows, judged
from ironbark.noise import corrupt
from ironbark.tree.size_selection import PRICES


@pytest.mark.parametrize("weighted", [False, True])
def test_slow_twin(weighted):
    X, y = make_classification(250, 6, n_informative=4, n_classes=3, random_state=0)
    y = corrupt("uniform", X, y, rate=0.3, random_state=0)
    sample_weight = np.random.default_rng(0).uniform(0.5, 1, len(y)) * (np.arange(len(y)) % 9 > 0) if weighted else None
    unfitted = RobustRandomForestClassifier(30, ccp_alpha=0.0, random_state=0)
    forest, found = averaged_out_of_bag(unfitted, X, y, y, sample_weight)
    alphas = PRICES / len(y)
    votes = []
    for alpha in alphas:
        other = RobustRandomForestClassifier(30, ccp_alpha=alpha, random_state=0).fit(X, y, sample_weight)
        votes.append(np.array([np.mean(own, axis=0) for own in votes_of(other, X)]))
    losses = [((vote - np.eye(3)[y]) ** 2).sum(axis=1) for vote in votes]
    scores = [np.average(loss, weights=sample_weight) for loss in losses]
    weights = [np.exp((min(scores) - score) / (TOLERANCE * min(scores))) for score in scores]
    expected = sum(weight * vote for weight, vote in zip(weights, votes, strict=True)) / sum(weights)
    np.testing.assert_allclose(found, expected)
    assert forest.ccp_alpha_ == alphas[np.argmin(scores)]
    same = RobustRandomForestClassifier(30, ccp_alpha=forest.ccp_alpha_, random_state=0).fit(X, y, sample_weight)
    assert np.array_equal(forest.predict_proba(X), same.predict_proba(X))


ROWS = np.array([[1.0, np.nan], [0.0, 2.0], [1.0, np.nan], [-0.0, 2.0], [3.0, 4.0], [0.0, 2.0]])


def test_equal_rows_have_equal_numbers_and_conflicts_several_labels():
    assert identical_rows(ROWS).tolist() == [0, 1, 0, 1, 2, 1]
    assert identical_rows(ROWS[[1, 3, 4]].astype(int)).tolist() == [0, 0, 1]
    frame = pd.DataFrame({"a": ["x", "y", "x"], "b": [1, 1, 1]})
    assert identical_rows(frame).tolist() == [0, 1, 0]
    frame = pd.DataFrame({"a": np.array([None, np.nan, "x"], object), "b": [0.0, -0.0, 1.0]})
    assert identical_rows(frame).tolist() == [0, 0, 1]
    rows = identical_rows(coo_array(np.nan_to_num(ROWS)))
    assert rows.tolist() == [0, 1, 0, 1, 2, 1]  # conflicts are groups with several labels
    assert [group.tolist() for group in conflicts(rows, np.array([0, 1, 0, 1, 0, 0]))] == [[1, 3, 5]]
    assert [group.tolist() for group in conflicts(rows, np.array([0, 0, 2, 1, 0, 0]))] == [[0, 2], [1, 3, 5]]
    assert conflicts(rows, np.array([0, 1, 0, 1, 2, 1])) == []


def test_models_of_one_class_judge_nothing():
    found = judged(np.array([0, 0, 0, 1]), None, [([0, 1], [2, 3]), ([2, 3], [0, 1])])
    assert found.tolist() == [True, True, False, False]


def test_weights_are_routed_to_a_step_of_a_pipeline():
    (X, y), weights = make_classification(90, random_state=0), np.random.default_rng(0).random(90)
    with config_context(enable_metadata_routing=True):
        steps = make_pipeline("passthrough", LogisticRegression().set_fit_request(sample_weight=True))
        found = [LabelErrorDetector(e, random_state=0).fit(X, y, weights) for e in (steps, LogisticRegression())]
    assert np.array_equal(found[0].probabilities_, found[1].probabilities_)
