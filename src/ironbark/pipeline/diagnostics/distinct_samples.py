"""A forest whose `min_samples_split` counts distinct samples."""

from dataclasses import replace

import numpy as np

from ironbark.tree.forest import RobustRandomForestClassifier
from ironbark.tree.pruning import cut


class DistinctSampleForest(RobustRandomForestClassifier):
    """Forest whose `min_samples_split` counts a sample once, however often its tree has drawn it.

    Takes the parameters of `RobustRandomForestClassifier`, which counts every draw. Only with `bootstrap` do they
    differ: a bag holds about 63 % of the samples. Criteria and class proportions count every draw in both.

    Notes
    -----
    Random numbers depend on the path to a node only, so a tree is grown as if two draws could be split, and cut where
    it has too few distinct samples. That is scikit-learn's rule where draws are passed as weights.
    """

    def _settings(self, n_features, seed):
        return super()._settings(n_features, seed)._replace(min_samples_split=2)

    def _grow(self, features, y, weights, bags, criterion, seed):
        """One tree, whose `n_node_samples` are distinct samples."""
        tree = super()._grow(features, y, weights, bags, criterion, seed)
        used = bags.counts(seed) if self.bootstrap else np.ones(len(y)) if weights is None else weights
        bag = features.take(np.flatnonzero(used)).decode(self._dtype)
        sizes = np.asarray(tree.decision_path(bag).sum(axis=0)).ravel()
        return cut(replace(tree, sizes=sizes), sizes < self.min_samples_split)
