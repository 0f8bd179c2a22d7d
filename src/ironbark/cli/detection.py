"""The detector of `ironbark labels`, which counts the trees that it has grown."""

import warnings

import numpy as np

from ironbark.cli.progress import Bar
from ironbark.label_errors.detector import LabelErrorDetector
from ironbark.tree.forest import RobustRandomForestClassifier


def detect(table, *, cut: str | float = "count", seed: int = 0, jobs: int = None, bar: Bar | None = None):
    """Judge the labels of a table."""
    bar = Bar("trees", LabelErrorDetector().n_estimators) if bar is None else bar

    class CountedForest(RobustRandomForestClassifier):
        def _grow(self, *arguments):
            tree = super()._grow(*arguments)
            bar.step()
            return tree

    class CountingDetector(LabelErrorDetector):
        def _base(self):
            forest = super()._base()
            return CountedForest(**forest.get_params()) if table.groups is None else forest

    folds = 5 if table.groups is None else min(5, len(np.unique(table.groups)))
    detector = CountingDetector(cut=cut, cv=folds, random_state=seed, n_jobs=jobs)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            detector.fit(table.X, table.y, groups=table.groups)
        finally:
            bar.close()
    return detector, [str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)]
