"""Fitted scikit-learn estimators that hold the same trees, for what takes scikit-learn's own classes only."""

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree._tree import Tree as SklearnTree

from ironbark.errors import InputError

#: Parameters that mean the same in both libraries, besides `ccp_alpha`.
SHARED = "max_depth", "min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf", "max_leaf_nodes"


def tree_structure(tree):
    """scikit-learn's own tree object with the nodes of a `Tree`, in the same rows."""
    if tree.levels is not None:
        raise InputError(
            "scikit-learn's trees cannot part a categorical feature by its levels; fit with categorical_features=None."
        )
    result = SklearnTree(tree.n_features, tree.n_classes, tree.n_outputs)
    nodes = np.zeros(tree.node_count, result.__getstate__()["nodes"].dtype)
    nodes["left_child"], nodes["right_child"] = tree.children_left, tree.children_right
    for name in ("feature", "threshold", "impurity", "n_node_samples", "weighted_n_node_samples", "missing_go_to_left"):
        nodes[name] = getattr(tree, name)
    state = {"max_depth": tree.max_depth, "node_count": tree.node_count, "nodes": nodes}
    result.__setstate__({**state, "values": np.ascontiguousarray(tree.value)})
    return result


def tree_classifier(estimator, tree, classes):
    """scikit-learn's classifier around one tree of a fitted `estimator`."""
    result = DecisionTreeClassifier(**shared(estimator, tree))
    result.tree_ = tree_structure(tree)
    return with_attributes(result, estimator, classes)


def forest_classifier(estimator):
    """scikit-learn's forest around the trees of a fitted `estimator`."""
    options = {"n_estimators": len(estimator.trees_), "bootstrap": estimator.bootstrap, "n_jobs": estimator.n_jobs}
    result = RandomForestClassifier(**options, **shared(estimator, estimator.trees_[0]))
    codes = np.arange(float(estimator.n_classes_))  # as in scikit-learn's forests, whose trees know no class names
    result.estimators_ = [tree_classifier(estimator, tree, codes) for tree in estimator.trees_]
    result.estimator_ = DecisionTreeClassifier()
    return with_attributes(result, estimator, estimator.classes_.copy())


def shared(estimator, tree):
    """Parameters that both libraries have; a chosen alpha is a number there, and plots name the impurity."""
    names = {name: getattr(estimator, name) for name in SHARED}
    return {**names, "ccp_alpha": estimator.ccp_alpha_, "criterion": tree.criterion if tree.weighted else "gini"}


def with_attributes(result, estimator, classes):
    """`result` with what `fit` would have learnt about the data."""
    result.classes_, result.n_classes_ = classes, np.int64(len(classes))
    result.n_features_in_, result.n_outputs_ = estimator.n_features_in_, 1
    if isinstance(result, DecisionTreeClassifier):
        result.max_features_ = estimator._n_candidates(estimator.n_features_in_)
    return result


def with_names(result, estimator):
    """`result` with the names of the features; trees within a forest get arrays without names, and have none."""
    if hasattr(estimator, "feature_names_in_"):
        result.feature_names_in_ = estimator.feature_names_in_.copy()
    return result
