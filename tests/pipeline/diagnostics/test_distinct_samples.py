"""Stopping rules that count distinct samples, against ordinary trees that are cut by counting samples one by one."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from ironbark import RobustRandomForestClassifier
from ironbark.pipeline.diagnostics.distinct_samples import DistinctSampleForest

X, y = make_classification(200, 9, n_informative=4, flip_y=0.3, random_state=0)
PARAMS = {"n_estimators": 8, "max_depth": 50, "ccp_alpha": 0.0, "random_state": 2}


def splits(tree, rows, row=0):
    """Feature, threshold and sides of the nodes below `row`; `rows` are the samples in it, as often as drawn."""
    if tree.children_left[row] < 0:
        return np.bincount(y[rows], minlength=2).tolist()
    goes_left = X[rows, tree.feature[row]] <= tree.threshold[row]
    below = zip((tree.children_left, tree.children_right), (goes_left, ~goes_left), strict=True)
    return int(tree.feature[row]), float(tree.threshold[row]), *(splits(tree, rows[s], c[row]) for c, s in below)


def cut(tree, rows, least, count, row=0):
    """The same of a fully grown tree, cut where fewer than `least` samples are, as `count` counts them."""
    if tree.children_left[row] < 0 or count(rows) < least:
        return np.bincount(y[rows], minlength=2).tolist()
    goes_left = X[rows, tree.feature[row]] <= tree.threshold[row]
    below = zip((tree.children_left, tree.children_right), (goes_left, ~goes_left), strict=True)
    sides = (cut(tree, rows[s], least, count, c[row]) for c, s in below)
    return int(tree.feature[row]), float(tree.threshold[row]), *sides


def distinct(rows):
    return len(set(rows.tolist()))


@pytest.mark.parametrize("criterion", ["pairwise_gain", "gini", "entropy"])
@pytest.mark.parametrize("least", [10, 40])
def test_trees_stop_by_distinct_samples(criterion, least):
    params = PARAMS | {"criterion": criterion}
    found = DistinctSampleForest(**params, min_samples_split=least).fit(X, y)
    whole = RobustRandomForestClassifier(**params).fit(X, y)
    ordinary = RobustRandomForestClassifier(**params, min_samples_split=least).fit(X, y)
    [pruned] = DistinctSampleForest(**params).fit(X, y).prune_path(min_samples_split=[least])
    differ = 0
    for i, rows in enumerate(whole.estimators_samples_):
        wanted = cut(whole.trees_[i], rows, least, distinct)
        assert splits(found.trees_[i], rows) == splits(pruned.trees_[i], rows) == wanted
        assert splits(ordinary.trees_[i], rows) == cut(whole.trees_[i], rows, least, len)
        differ += wanted != splits(ordinary.trees_[i], rows)
    assert differ


def test_without_bootstrap_nothing_changes():
    params = PARAMS | {"bootstrap": False, "min_samples_split": 40}
    both = [make(**params).fit(X, y) for make in (DistinctSampleForest, RobustRandomForestClassifier)]
    assert all(np.array_equal(a.counts, b.counts) for a, b in zip(both[0].trees_, both[1].trees_, strict=True))
