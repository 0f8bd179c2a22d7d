"""The detector of `ironbark labels`, which counts the trees that it has grown."""

import warnings

import numpy as np
from tqdm import tqdm

from ironbark.label_errors.detector import LabelErrorDetector
from ironbark.tree.forest import RobustRandomForestClassifier

DELAY = 2.0  # seconds until the bar appears on a terminal


def detect(table, cut: str | float = "count", classes_overlap=True, *, seed: int = 0, jobs=None):
    """Judge the labels of a table."""
    folds = 5 if table.groups is None else min(5, len(np.unique(table.groups)))
    options = {"cut": cut, "classes_overlap": classes_overlap, "cv": folds, "random_state": seed, "n_jobs": jobs}
    options["categorical_features"] = table.categorical
    total = LabelErrorDetector().n_estimators
    with (
        tqdm(total=total, desc="trees", delay=DELAY, leave=False, disable=None) as bar,
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always")
        detector = _counting(bar, table.groups is None)(**options)
        detector.fit(table.X, table.y, groups=table.groups)
    return detector, [str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)]


def _counting(bar, one_forest):
    """Class of detectors whose forest, if it is a single one, counts its trees."""

    class CountedForest(RobustRandomForestClassifier):
        def _grow(self, *arguments):
            tree = super()._grow(*arguments)
            bar.update()
            return tree

    class CountingDetector(LabelErrorDetector):
        def _base(self):
            forest = super()._base()
            return CountedForest(**forest.get_params()) if one_forest else forest

    return CountingDetector
