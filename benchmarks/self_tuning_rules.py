"""Rules that tune a forest to the noise: criteria, pruning parameters and scores, on the tables for choosing."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from self_tuning import HALVES, NOISES, halves, noisy_labels, tables
from threadpoolctl import threadpool_limits

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier, encode
from ironbark.tree.growing.bootstrap import bootstrap_weights
from ironbark.tree.pruning import node_alphas
from ironbark.tree.size_selection import PRICES, brier_losses, fold_numbers, path_losses

CRITERIA = "gini", "credal", "misclassification"
SIZES = np.array([2, 5, *(10 * 2 ** np.arange(9))])
DEPTHS = np.array([1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 1000])[::-1]
SHRINKAGE = 10, 40  # of hierarchical shrinkage, in samples
SCORES = "brier", "log", "error"


def losses(votes, codes):
    """Brier score, log loss of probabilities of 0.001 at least, and error, one after the other in the columns."""
    own = np.take_along_axis(votes, codes[:, None, None], axis=2)[:, :, 0]
    wrong = votes.argmax(axis=2) != codes[:, None]
    return np.concatenate([brier_losses(votes, codes), -np.log(np.maximum(own, 1e-3)), wrong], axis=1)


def by_size(tree):
    """A key under which a node is a leaf where it is at most `SIZES - 1`."""
    return tree.n_node_samples.astype(np.float64)


def by_depth(tree):
    """A key under which a node is a leaf where it is at most ``1000 - DEPTHS``."""
    return 1000.0 - tree.depths()


def shrunk(tree, lam):
    """The tree with hierarchical shrinkage: each step down moves the proportions by 1 / (1 + lam / parent's size)."""
    share, size, depths = tree.proportions, tree.weighted_n_node_samples, tree.depths()
    found = share.copy()
    for depth in range(depths.max()):
        rows = np.flatnonzero((depths == depth) & (tree.children_left >= 0))
        for child in (tree.children_left[rows], tree.children_right[rows]):
            found[child] = found[rows] + (share[child] - share[rows]) / (1 + lam / size[rows])[:, None]
    return replace(tree, counts=found)


def paths(trees, criterion, n):
    """Name -> trees, keys, limits of the pruning paths that are compared."""
    prices = [node_alphas(tree) for tree in trees]
    yield "ccp_alpha", trees, prices, PRICES / n
    if criterion == "misclassification":
        return
    yield "min_samples_split", trees, [by_size(tree) for tree in trees], SIZES[n // 2 >= SIZES] - 1.0
    if criterion == "gini":
        yield "max_depth", trees, [by_depth(tree) for tree in trees], 1000.0 - DEPTHS
        for lam in SHRINKAGE:
            yield f"ccp_alpha, shrunk by {lam}", [shrunk(tree, lam) for tree in trees], prices, PRICES / n


def rows_of(model, folds, known, data, n_trees):
    """Scores on left-out samples and accuracy of each candidate of each path, as dicts."""
    features, y, test, y_test = data
    everyone = np.tile(np.packbits(np.ones(len(y_test), bool)), (n_trees, 1))
    for (name, trees, keys, limits), (_, final, final_keys, _) in zip(*map(list, folds), strict=True):
        left_out = np.nanmean(path_losses(trees, keys, known, features, y, limits, losses), axis=0)
        right = path_losses(final, final_keys, everyone[: len(final)], test, y_test, limits, losses)
        accuracy = 1 - right.mean(axis=0)[2 * len(limits) :]
        for i, limit in enumerate(limits):
            scores = {score: left_out[i + j * len(limits)] for j, score in enumerate(SCORES)}
            yield {"model": model, "path": name, "limit": limit, "accuracy": accuracy[i], **scores}


def forest_rows(criterion, data, repeat):
    """Rows of a forest of 100 trees, scored out of the bag."""
    features, y, *_ = data
    forest = RobustRandomForestClassifier(criterion=criterion, ccp_alpha=0.0, random_state=repeat).fit(features, y)
    known = np.array([np.packbits(bootstrap_weights(len(y), seed) == 0) for seed in forest.seeds_])
    every = list(paths(forest.trees_, criterion, len(y)))
    return rows_of(f"forest {criterion}", (every, every), known, data, len(known))


def tree_rows(criterion, data, repeat):
    """Rows of a tree, scored by five-fold cross-validation."""
    features, y, *_ = data
    folds = fold_numbers(y, None, np.random.default_rng(repeat))
    tree = RobustDecisionTreeClassifier(criterion, ccp_alpha=0.0, random_state=repeat)
    parts = [tree.fit(features, y, (folds != fold).astype(int)).tree_ for fold in range(5)]
    known = np.array([np.packbits(folds == fold) for fold in range(5)])
    both = (list(paths(trees, criterion, len(y))) for trees in (parts, [tree.fit(features, y).tree_]))
    return rows_of(f"tree {criterion}", tuple(both), known, data, 5)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", required=True, help="folder of <name>.parquet")
    parser.add_argument("--store", required=True, type=Path, help="folder that keeps the rows of each table")
    parser.add_argument("--half", choices=HALVES, default="choose")
    parser.add_argument("--noises", nargs="+", choices=NOISES, default=list(NOISES))
    parser.add_argument("--repeats", type=int, default=1)
    options = parser.parse_args()
    options.store.mkdir(parents=True, exist_ok=True)
    for repeat in range(options.repeats):
        for name in tables(options.tables, options.half):
            X, clean, X_test, y_test = halves(options.tables, name, repeat)
            for noise in options.noises:
                path, y = options.store / f"{name} {noise} {repeat}.csv", noisy_labels(noise, X, clean, repeat)
                if y is None or path.exists():
                    continue
                data, found = (encode(X), y, encode(X_test), y_test), []
                with threadpool_limits(1):
                    for criterion in CRITERIA:
                        found += [*forest_rows(criterion, data, repeat), *tree_rows(criterion, data, repeat)]
                pd.DataFrame(found).assign(data=name, noise=noise, repeat=repeat).to_csv(path, index=False)
            print(name, flush=True)
    frame = pd.concat([pd.read_csv(path) for path in sorted(options.store.glob("*.csv"))], ignore_index=True)
    keys = ["model", "path", "noise", "data", "repeat"]
    rules = {"unpruned": frame.groupby(keys).accuracy.agg("first"), "oracle": frame.groupby(keys).accuracy.max()}
    for score in SCORES:
        rules[score] = frame.loc[frame.groupby(keys)[score].idxmin()].set_index(keys).accuracy
    means = pd.DataFrame(rules).groupby(level=["model", "path", "noise"]).mean()
    print((100 * means).round(1).unstack("noise").to_string())


if __name__ == "__main__":
    sys.exit(main())
