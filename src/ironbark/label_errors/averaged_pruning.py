"""Out-of-bag probabilities of a forest, averaged over how strongly its trees are pruned.

Pruning takes the memory of wrong labels from the trees, but leaves many samples with equal probabilities. The average
over the prices of a leaf that are nearly as good as the best one keeps them apart.
"""

import numpy as np

from ironbark.encoding import encode
from ironbark.errors import InputError
from ironbark.tree.growing.bootstrap import fitted_bags
from ironbark.tree.path_votes import path_losses
from ironbark.tree.pruning import cut, node_alphas
from ironbark.tree.size_selection import best_alpha, candidates, out_of_bag_path

#: A price whose Brier score is larger by this part of the lowest one weighs 1 / e of the best price.
TOLERANCE = 0.02


def averaged_out_of_bag(forest, X, y, codes, sample_weight=None):
    """Fit a forest, and predict each sample by the trees that did not draw it.

    Parameters
    ----------
    forest : RobustRandomForestClassifier
        Unfitted, with bootstrap samples and ``ccp_alpha=0.0``.
    X : array-like of shape (n_samples, n_features)
    y, codes : ndarray of shape (n_samples,)
        Labels, and their indices.
    sample_weight : array-like of shape (n_samples,), optional

    Returns
    -------
    forest : RobustRandomForestClassifier
        Fitted, with trees pruned by the price of the lowest Brier score.
    probabilities : ndarray of shape (n_samples, n_classes), float64
        NaN where all trees drew the sample.

    Raises
    ------
    InputError
        If all trees drew all samples.
    """
    forest.fit(X, y, sample_weight=sample_weight)
    features, alphas = encode(X), candidates("auto", len(codes))
    prices = [node_alphas(tree) for tree in forest.trees_]
    weights = None if sample_weight is None else np.asarray(sample_weight, np.float64)
    bags = fitted_bags(forest)
    path = out_of_bag_path(
        forest.trees_, prices, forest.seeds_, bags, features, codes, alphas, weights, n_jobs=forest.n_jobs
    )
    if np.isnan(path["brier_score"]).all():
        raise InputError("no sample is out of the bag of any tree; give more samples.")
    shares = price_weights(path["brier_score"])

    def average(votes, _):
        return np.einsum("ijk,j->ik", votes, shares)

    outside = np.array([np.packbits(bags.outside(seed)) for seed in forest.seeds_])
    found = path_losses(forest.trees_, prices, outside, features, codes, alphas, average, n_jobs=forest.n_jobs)
    prune(forest, prices, path)
    return forest, found


def prune(forest, prices, path):
    """Prune the trees of a fitted forest by the price of the lowest score, as ``ccp_alpha="auto"`` does."""
    alpha = best_alpha(path)
    limit = alpha if alpha > 0 else -1.0
    forest.set_params(ccp_alpha=alpha)
    forest.ccp_alpha_, forest.ccp_path_ = alpha, path
    forest.trees_ = [cut(tree, price <= limit) for tree, price in zip(forest.trees_, prices, strict=True)]


def price_weights(scores):
    """Weight of each price by its Brier score, ndarray with the sum 1."""
    weights = np.exp(-(scores - scores.min()) / max(TOLERANCE * scores.min(), np.finfo(float).tiny))
    return weights / weights.sum()
