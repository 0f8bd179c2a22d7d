"""Trees of small data sets as JSON, to compare kernels compiled in different ways.

Run with names of criteria and numbers of classes, each separated by commas, and the number of samples.
"""

import json
import sys

import numpy as np

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier
from ironbark.criteria import CRITERIA


def describe(tree):
    """Everything that a tree holds; gains in full precision."""
    names = ("children_left", "children_right", "feature", "threshold", "counts", "missing_go_to_left", "prediction")
    columns = {name: getattr(tree, name).tolist() for name in names}
    return {**columns, "gain": tree.gain.tolist()}


def fits(criteria, class_counts=(2, 3), n=40):
    """Trees by criterion, number of classes and way of growing; weights, ties, zeros and gaps included."""
    trees = {}
    for name in criteria:
        for n_classes in class_counts if "multiclass" in CRITERIA[name].tasks else (2,):
            X, y, weights = problem(n_classes, n)
            limits = {"min_samples_leaf": 1 + n // 200, "random_state": 1}  # large trees take long in plain Python
            plain = RobustDecisionTreeClassifier(name, ccp_alpha=0.0, **limits).fit(X, y)
            weighted = RobustDecisionTreeClassifier(name, ccp_alpha=0.0, **limits).fit(X, y, weights)
            forest = RobustRandomForestClassifier(2, criterion=name, ccp_alpha=0.0, **limits).fit(X, y)
            walked(plain, X)
            found = [plain.tree_, weighted.tree_, *forest.trees_]
            if n > 40:  # labels and keys of more bits: further kernels to compile
                heavy = RobustRandomForestClassifier(
                    1, criterion=name, constant_features="count", bootstrap=False, ccp_alpha=0.0, **limits
                )
                found += heavy.fit(X, y, 300 * weights).trees_
            else:
                rng = np.random.default_rng(n_classes)
                gaps, shares = np.where(rng.random(X.shape) < 0.2, np.nan, X), rng.random(n)
                found += [RobustDecisionTreeClassifier(name, ccp_alpha=0.0, **limits).fit(gaps, y, shares).tree_]
                found += (
                    RobustRandomForestClassifier(2, criterion=name, compat="rdts", ccp_alpha=0.0, **limits)
                    .fit(gaps, y)
                    .trees_
                )
            trees[f"{name} {n_classes}"] = [describe(tree) for tree in found]
            assert np.array_equal(plain.predict(X), y) or plain.get_n_leaves() < n
    return trees


def problem(n_classes, n):
    """Few levels and many, features of many zeros, a constant one."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, levels, n) * (rng.random(n) < 0.7) for levels in (2, 3, 9, n)])
    X = np.column_stack([X, np.floor(9 * n * rng.random(n)) * (rng.random(n) < 0.4), np.ones(n)]) if n > 40 else X
    y = np.where(rng.random(n) < 0.5, X[:, 2] % n_classes, rng.integers(0, n_classes, n)).astype(int)
    return X, y, rng.integers(0, 3, n)


def walked(fitted, X):
    """Everything that walks or cuts a grown tree, for its bounds."""
    leaves, path = fitted.apply(X), fitted.decision_path(X)
    assert np.array_equal(path.indices[path.indptr[1:] - 1], leaves)
    for values in ({"max_depth": [2]}, {"ccp_alpha": [0.01]}):
        [pruned] = fitted.prune_path(**values)
        assert pruned.get_n_leaves() <= fitted.get_n_leaves()


if __name__ == "__main__":
    print(
        json.dumps(fits(sys.argv[1].split(","), [int(number) for number in sys.argv[2].split(",")], int(sys.argv[3])))
    )
