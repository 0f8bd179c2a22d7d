"""Trees of small data sets as JSON, to compare kernels compiled in different ways.

Run with names of criteria and numbers of classes, each separated by commas.
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


def fits(criteria, class_counts=(2, 3)):
    """Trees by criterion, number of classes and way of growing; weights, ties, zeros and gaps included."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, levels, 40) * (rng.random(40) < 0.7) for levels in (2, 3, 9, 40)])
    trees = {}
    for name in criteria:
        for n_classes in class_counts if "multiclass" in CRITERIA[name].tasks else (2,):
            y = np.where(rng.random(40) < 0.5, X[:, 2] % n_classes, rng.integers(0, n_classes, 40))
            plain = RobustDecisionTreeClassifier(name, random_state=1).fit(X, y)
            weighted = RobustDecisionTreeClassifier(name, random_state=1).fit(X, y, rng.integers(0, 3, 40))
            forest = RobustRandomForestClassifier(2, criterion=name, random_state=1).fit(X, y)
            gaps, shares = np.where(rng.random(X.shape) < 0.2, np.nan, X), rng.random(40)
            general = RobustDecisionTreeClassifier(name, random_state=1).fit(gaps, y, shares)
            quirky = RobustRandomForestClassifier(2, criterion=name, compat="rdts", random_state=1).fit(gaps, y)
            found = [plain.tree_, weighted.tree_, general.tree_, *forest.trees_, *quirky.trees_]
            trees[f"{name} {n_classes}"] = [describe(tree) for tree in found]
            assert np.array_equal(plain.predict(X), y) or plain.get_n_leaves() < 40
    return trees


if __name__ == "__main__":
    print(json.dumps(fits(sys.argv[1].split(","), [int(number) for number in sys.argv[2].split(",")])))
