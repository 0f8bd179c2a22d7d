"""A forest whose trees vote."""

import numpy as np

from ironbark.tree.forest import RobustRandomForestClassifier


class VotingForest(RobustRandomForestClassifier):
    """Forest that predicts the class for which most of its trees vote, as Breiman's does, not by mean proportions."""

    # A tree votes for the majority class of the leaf. Ties in a leaf are drawn; of equal votes, the first class wins.

    def predict_proba(self, X):
        """Share of the trees that vote for each class, ndarray of shape (n_samples, n_classes)."""
        X, missing = self._check_samples(X)
        votes = np.zeros((len(X), self.n_classes_))
        for tree in self.trees_:
            votes[np.arange(len(X)), tree.prediction[tree.apply(X, missing)]] += 1
        return votes / len(self.trees_)
