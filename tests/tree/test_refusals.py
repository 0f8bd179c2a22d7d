"""Bad input of trees and forests: one sentence that names the culprit and what to do."""

import numpy as np
import pandas as pd
import pytest
from tree.shared import Forest, Tree

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier
from ironbark.criteria import CRITERIA

X = np.random.default_rng(0).integers(0, 7, (120, 5)).astype(float)
Y = np.repeat(["a", "b"], [90, 30])
TREE, FOREST = [RobustDecisionTreeClassifier], [RobustRandomForestClassifier]
BOTH = TREE + FOREST
PARAMETER = {name: entry.parameter for name, entry in CRITERIA.items() if entry.parameter}


def integers_only(left, right, params):
    return float(np.abs(np.arange(100)[left[0]] - np.arange(100)[right[0]]))


#: Classes, parameters, arguments of `fit`, and words of the sentence.
FITS = [
    (BOTH, {"ccp_alpha": []}, {}, "ccp_alpha is an empty sequence; give numbers >= 0 to choose from, or 'auto'"),
    (BOTH, {"ccp_alpha": [0, "much"]}, {}, "ccp_alpha holds 'much'; give finite numbers >= 0"),
    (BOTH, {"ccp_alpha": [-0.1, 5]}, {}, "ccp_alpha holds -0.1;"),
    (BOTH, {"ccp_alpha": [0.1, float("nan")]}, {}, "ccp_alpha holds nan;"),
    (BOTH, {"ccp_alpha": "best"}, {}, "ccp_alpha"),
    (BOTH, {"compat": "sklearn"}, {}, "compat"),
    (BOTH, {"criterion": "pairwise_gain"}, {"y": np.arange(120) % 4}, "needs two classes, but y has 4"),
    *((TREE, {"criterion": name, PARAMETER[name]: value}, {}, f"'?{PARAMETER[name]}'?")
      for name in PARAMETER for value in (-0.01, float("nan"), "0.5", None)),
    (TREE, {"compat": "rdts"}, {"X": np.where(X == 3, 1e300, X)}, "float32"),
    (BOTH, {}, {"sample_weight": np.full(120, 2.5e50)}, r"sum to 3e\+52; scale"),
    (TREE, {"criterion": integers_only}, {"sample_weight": np.full(120, 0.5)}, "'integers_only' fails on .*two floa"),
    (BOTH, {"class_weight": {"a": -1}}, {}, "class_weight must hold finite numbers >= 0"),
    (BOTH, {"class_weight": {"a": 0, "b": 0}}, {}, "product of sample_weight and class_weight is zero"),
    (BOTH, {"class_weight": {"a": 1e60}}, {}, r"sum to 9e\+61; scale"),
    (BOTH, {"class_weight": "even"}, {}, "class_weight"),
    (FOREST, {"oob_score": True, "bootstrap": False}, {}, "oob_score needs bootstrap=True"),
    (FOREST, {"max_samples": 0.5, "bootstrap": False}, {}, "max_samples needs bootstrap=True"),
    *((FOREST, {"max_samples": n}, {}, "max_samples") for n in (0, 0.0, -0.5)),
    *((FOREST, {"max_samples": n}, {}, "draws for each tree of a forest on 120 samples, but at most 16777215")
      for n in (2**24, 2.0**20)),
    (FOREST, {"max_samples": 0.5}, {"sample_weight": np.full(120, 1e20)}, "at most 16777215 can be counted"),
]  # fmt: skip


@pytest.mark.parametrize(("kinds", "params", "given", "words"), FITS)
def test_fits(kinds, params, given, words):
    for kind in kinds:
        with pytest.raises(ValueError, match=words):
            kind(**params).fit(**{"X": X, "y": Y, **given})


@pytest.mark.parametrize(
    ("options", "values", "words"),
    [
        ({"min_samples_split": 5}, {"min_samples_split": [4]}, "min_samples_split=4 is laxer"),
        ({"max_depth": 3}, {"max_depth": [None]}, "max_depth=None is laxer"),
        ({"ccp_alpha": 0.1}, {"ccp_alpha": [0.0]}, "is laxer than ccp_alpha.*fit again"),
        ({"ccp_alpha": 0.1}, {"ccp_alpha": ["auto"]}, "is no price to prune with"),
        ({"ccp_alpha": 0.1}, {"max_depth": [1]}, "ccp_alpha=0 to prune"),
        ({}, {"min_samples_split": [1]}, "min_samples_split"),
        ({}, {}, "exactly one"),
        ({}, {"max_depth": [2], "ccp_alpha": [0.1]}, "exactly one"),
        ({"max_leaf_nodes": 4}, {"max_depth": [1]}, "max_leaf_nodes=None to prune"),
    ],
)
def test_pruning(options, values, words):
    whole = Tree(**options).fit(X, Y)
    with pytest.raises(ValueError, match=words):
        list(whole.prune_path(**values))


#: Parameters of the first fit, changed ones, changed data, and words of the sentence.
WARM_STARTS = [
    ({}, {"n_estimators": 2}, {}, "n_estimators=2 is less than the 3 trees"),
    ({}, {}, {"y": np.where(Y == "a", "new", Y)}, "other classes"),
    ({}, {}, {"X": X[:, :4]}, "other features"),
    ({}, {}, {"X": pd.DataFrame(X, columns=list("abcde")).assign(e="text")}, "other features or texts"),
    ({"max_samples": 0.5}, {"max_samples": 0.2, "oob_score": True}, {}, "other samples"),
    ({"ccp_alpha": "auto"}, {}, {"X": X + 1}, "the choice of ccp_alpha needs the samples"),
    ({"ccp_alpha": "auto", "warm_start": False}, {"warm_start": True}, {}, "set warm_start=True before the first fit"),
    ({"ccp_alpha": 0.2, "warm_start": False}, {"ccp_alpha": 0.1, "warm_start": True}, {}, "that is no smaller"),
]


@pytest.mark.parametrize(("first", "then", "given", "words"), WARM_STARTS)
def test_warm_starts_that_cannot_go_on_leave_the_forest_as_it_is(first, then, given, words):
    options = {"warm_start": True, "ccp_alpha": 0.0, "random_state": 0, **first}
    forest = RobustRandomForestClassifier(3, **options).fit(X, Y)
    before = forest.predict_proba(X)
    with pytest.raises(ValueError, match=words):
        forest.set_params(**{"n_estimators": 5, **then}).fit(**{"X": X, "y": Y, **given})
    assert len(forest.trees_) == 3 and np.array_equal(forest.predict_proba(X), before)


@pytest.mark.parametrize(
    ("model", "data", "words"),
    [
        (RobustDecisionTreeClassifier(), ([[0.0]], ["a"]), "left out by any tree, so ccp_alpha=0 was taken"),
        (RobustRandomForestClassifier(2), ([[0.0]], ["a"]), "left out by any tree, so ccp_alpha=0 was taken"),
        (Forest(1, oob_score=True), (X, Y), "samples have no out-of-bag votes"),
        (Forest(max_samples=0.5), (X, Y, np.full(120, 1 / 120)), "=0.5 is a share of the sum of the weights, 1, so"),
    ],
)
def test_warnings(model, data, words):
    with pytest.warns(UserWarning, match=words):
        model.fit(*data)
