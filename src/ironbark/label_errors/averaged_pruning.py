"""Out-of-bag probabilities of a forest, averaged over how strongly its trees are pruned.

Pruning takes the memory of wrong labels from the trees, but leaves many samples with equal probabilities. The average
over the prices of a leaf that are nearly as good as the best one keeps them apart.
"""

import numpy as np

from ironbark.errors import InputError
from ironbark.tree.growing.bootstrap import fitted_bags
from ironbark.tree.pruning import node_alphas
from ironbark.tree.size_selection import best_alpha, candidates, ccp_path, packed, path_losses

#: A price whose Brier score is larger by this part of the lowest one weighs 1 / e of the best price.
TOLERANCE = 0.02


def averaged_out_of_bag(forest, X, y: np.ndarray, codes: np.ndarray, sample_weight=None):
    """Fit a forest, and predict each sample by the trees that did not draw it."""
    features, *_ = forest._check_training(X, y)
    columns = {name: vars(forest)[name] for name in ("feature_names_in_", "categories_") if name in vars(forest)}
    vars(forest.fit(features, y, sample_weight=sample_weight)).update(columns)
    alphas = candidates("auto", len(codes))
    prices = [node_alphas(tree) for tree in forest.trees_]
    weights = None if sample_weight is None else np.asarray(sample_weight, np.float64)
    outside, n_jobs = fitted_bags(forest).outside, forest.n_jobs
    path = ccp_path(forest.trees_, prices, outside, forest.seeds_, features, codes, alphas, weights, n_jobs=n_jobs)
    if weights is not None and np.isnan(path["brier_score"]).all():  # the few samples with weight are in all bags
        path = ccp_path(forest.trees_, prices, outside, forest.seeds_, features, codes, alphas, n_jobs=n_jobs)
    if np.isnan(path["brier_score"]).all():
        raise InputError("no sample is out of the bag of any tree; give more samples.")
    shares = price_weights(path["brier_score"])

    def average(votes, _):
        return np.einsum("ijk,j->ik", votes, shares)

    bits = packed(outside, forest.seeds_)
    found = path_losses(forest.trees_, prices, bits, features, codes, alphas, average, n_jobs=n_jobs)
    forest.set_params(ccp_alpha=best_alpha(path))
    forest._prune(forest.trees_, prices, forest.ccp_alpha, path)
    return forest, found


def price_weights(scores):
    """Weight of each price by its Brier score, ndarray with the sum 1."""
    weights = np.exp(-(scores - scores.min()) / max(TOLERANCE * scores.min(), np.finfo(float).tiny))
    return weights / weights.sum()
