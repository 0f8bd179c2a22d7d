"""Trees of small data sets in plain types, to compare kernels compiled in different ways."""

import numpy as np
from tree.shared import COLUMNS, Forest, Tree, assert_path_ends_at

from ironbark.criteria import CRITERIA


def fits(criteria, class_counts=(2, 3), n=40):
    """Trees by criterion, number of classes and way of growing; weights, ties, zeros and gaps included."""
    trees = {}
    for name in criteria:
        for n_classes in class_counts if "multiclass" in CRITERIA[name].tasks else (2,):
            X, y, weights = problem(n_classes, n)
            limits = {"min_samples_leaf": 1 + n // 200, "random_state": 1}  # large trees take long in plain Python
            plain = Tree(name, **limits).fit(X, y)
            weighted = Tree(name, **limits).fit(X, y, weights)
            forest = Forest(2, criterion=name, **limits).fit(X, y)
            walked(plain, X)
            found = [plain.tree_, weighted.tree_, *forest.trees_]
            if n > 40:  # labels and keys of more bits: further kernels to compile
                heavy = Forest(1, criterion=name, constant_features="count", bootstrap=False, **limits)
                found += heavy.fit(X, y, 300 * weights).trees_
            else:
                rng = np.random.default_rng(n_classes)
                gaps, shares = np.where(rng.random(X.shape) < 0.2, np.nan, X), rng.random(n)
                found += [Tree(name, **limits).fit(gaps, y, shares).tree_]
                quirky = Forest(2, criterion=name, compat="rdts", **limits)
                found += quirky.fit(gaps, y).trees_
            trees[f"{name} {n_classes}"] = [
                {column: getattr(tree, column).tolist() for column in (*COLUMNS, "missing_go_to_left")}
                for tree in found
            ]
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
    assert_path_ends_at(fitted.apply(X), fitted.decision_path(X))
    for values in ({"max_depth": [2]}, {"ccp_alpha": [0.01]}):
        [pruned] = fitted.prune_path(**values)
        assert pruned.get_n_leaves() <= fitted.get_n_leaves()
