"""Trees for others: fitted scikit-learn estimators that hold the same trees, and text for people."""

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree._tree import Tree as SklearnTree

from ironbark.errors import InputError
from ironbark.tree.growing.nodes import LEAF

NAMED = 6  # levels of a set that text names

#: Parameters that mean the same in both libraries, besides `ccp_alpha`.
SHARED = "max_depth", "min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf", "max_leaf_nodes"


def tree_structure(tree):
    """scikit-learn's own tree object with the nodes of a `Tree`, in the same rows."""
    if tree.levels is not None:
        raise InputError(
            "scikit-learn's trees cannot part a categorical feature by its levels; fit with categorical_features=None, "
            "or read a tree with to_text."
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


def as_text(estimator, max_depth):
    """A line for each node of a fitted tree; see `RobustDecisionTreeClassifier.to_text`."""
    tree, lines, stack = estimator.tree_, [], [(0, 0, "all samples")]
    while stack:
        node, depth, condition = stack.pop()
        counts, is_leaf = tree.counts[node], tree.children_left[node] == LEAF
        label = estimator.classes_[tree.prediction[node]]
        share, more = counts[tree.prediction[node]] / counts.sum(), ""
        if not is_leaf and depth == max_depth:
            is_leaf, more = True, ", splits further"
        lines.append(f"{'    ' * depth}{condition}: {label} ({share:.0%} of {counts.sum():g}{more})")
        if not is_leaf:
            left, right = conditions(estimator, node)
            stack += [(tree.children_right[node], depth + 1, right), (tree.children_left[node], depth + 1, left)]
    return "\n".join(lines)


def conditions(estimator, node):
    """What holds for the samples that go left and right at a node, by the names of features and levels."""
    tree, j = estimator.tree_, int(estimator.tree_.feature[node])
    name, threshold = getattr(estimator, "feature_names_in_", {j: f"x{j}"})[j], tree.threshold[node]
    levels = getattr(estimator, "categories_", {}).get(j)
    if np.isnan(threshold):
        words = tree.levels[node]
        names = ["others" if level is None else str(level) for level in levels or range(64 * len(words))]
        parts = [], []  # of the levels that go left and right
        for v, text in enumerate(names):
            parts[1 - int(words[v // 64] >> np.uint64(v % 64) & np.uint64(1))].append(text)
        few = min(parts, key=len)
        more = f", {len(few) - NAMED} others" if len(few) > NAMED else ""
        sides = [f"{name} in {{{', '.join(few[:NAMED])}{more}}}", f"{name} not in {{{', '.join(few[:NAMED])}{more}}}"]
        sides = sides if few is parts[0] else sides[::-1]
    elif np.isinf(threshold):
        return f"{name} is there", f"{name} is missing"
    else:
        value = f"{threshold:.15g}" if levels is None else levels[int(threshold)]
        sides = [f"{name} <= {value}", f"{name} > {value}"]
    if tree.directions is not None:
        sides[1 - int(tree.directions[node])] += " or missing"
    return sides
