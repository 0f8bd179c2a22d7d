"""Golden fits of forests that choose their price of pruning, alone and within other estimators."""

from functools import partial

import numpy as np
from golden import label_errors
from golden.cases import Case, outputs
from golden.tables import counts, shares
from golden.trees import Forest, table, tree_of, trees_of, warm_start, whole

from ironbark import CleanedClassifier, LabelErrorDetector


def chosen_of(model, X):
    """A size that was chosen, and the scores it was chosen by."""
    keep = trees_of if hasattr(model, "trees_") else tree_of
    return keep(model, X) | {"choice": [*model.ccp_path_.values(), np.array([model.ccp_alpha_])]}


ODD = {
    "few samples": partial(table, n=9),
    "one sample": partial(table, weights=lambda n: (np.arange(n) == 3).astype(int)),
    "most samples scored": partial(table, n=5200),
}


def of_choices():
    """Forests by votes out of the bag, those without bags by folds."""
    data, more = partial(table, n_classes=3, n=120), partial(table, n=120, weights=shares)
    copies = partial(table, n=120, weights=counts)
    forests = {
        "chosen": ({}, data),
        "chosen, weights": ({}, more),
        "chosen, no bootstrap": ({"bootstrap": False}, data),
        "chosen, no bootstrap, weights": ({"bootstrap": False}, copies),
        "chosen among": ({"ccp_alpha": [0.0, 0.01, 0.1]}, data),
    }
    for name, (params, rows) in forests.items():
        model = whole(Forest, **{"n_estimators": 5, "ccp_alpha": "auto", **params})
        yield f"forest, {name}", Case(rows, model, chosen_of)
    for name, rows in ODD.items():
        limits = {"min_samples_split": 200} if name.startswith("most") else {}
        small = whole(Forest, 3, ccp_alpha="auto", bootstrap=False, **limits)
        yield f"forest, chosen, no bootstrap, {name}", Case(rows, small, chosen_of)


def of_defaults():
    """Estimators whose default forest, or that of their own, chooses its price."""
    rows, three = partial(label_errors.table, n=40), partial(label_errors.table, n_classes=3)
    yield "cleaned", Case(rows, partial(CleanedClassifier, random_state=0), outputs)
    forest = partial(LabelErrorDetector, Forest(10), random_state=0)
    yield "detector of a chosen forest", Case(three, forest, label_errors.found_by)
    grouped, detector = (
        partial(label_errors.table, groups=True),
        partial(LabelErrorDetector, n_estimators=12, random_state=0),
    )
    yield "detector, groups", Case(grouped, detector, label_errors.found_by)
    yield "suspects", label_errors.tables_of_suspects


CASES = {**dict(of_choices()), **dict(of_defaults())}
CASES["warm start"] = partial(warm_start, {"chosen": {"ccp_alpha": "auto"}})
