"""Golden fits of trees and forests that split categorical features by levels."""

from functools import partial

import numpy as np
from golden.cases import Case
from golden.tables import shares
from golden.trees import everything_of, table, tree_of, whole

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier, encode


def with_levels(X):
    """Encoded features, all but the first categorical, with thirds of units as levels."""
    levels = np.floor(3 * X[:, 1:])
    for column in levels.T:
        known = ~np.isnan(column)
        column[known] = np.unique(column[known], return_inverse=True)[1]
    return encode(np.column_stack([X[:, 0], levels])).with_categories(range(1, X.shape[1]))


def cases():
    for n in (None, 2):
        model = whole(RobustDecisionTreeClassifier, max_features=n)
        yield f"categories, {n or 'all'} features", Case(partial(table, as_=with_levels), model, tree_of)
    for n_classes in (2, 4):
        data = partial(table, n_classes=n_classes, gaps=True, as_=with_levels)
        forest, tree = whole(RobustRandomForestClassifier, 3), whole(RobustDecisionTreeClassifier)
        yield f"categories with gaps, {n_classes} classes", Case(data, forest, everything_of)
        yield f"categories with shares, {n_classes} classes", Case(partial(data, weights=shares), tree, tree_of)


CASES = dict(cases())
