"""CPU-time ratios scikit-learn / ironbark of boosters, and of the work of their trees, as a Markdown table."""

import argparse
import statistics
import sys

import numpy as np
from measure import load, noisy, seconds, some_rows
from sklearn.datasets import make_classification
from sklearn.ensemble import GradientBoostingClassifier
from threadpoolctl import threadpool_limits

from ironbark.boosting import GentleBoostClassifier, LogitBoostClassifier

TREE = {"max_leaf_nodes": 11, "min_samples_split": 10, "random_state": 0}
OURS = {"LogitBoost": LogitBoostClassifier, "GentleBoost": GentleBoostClassifier}
MADE = {"made, 1,000 x 10": (1000, 10), "made, 20,000 x 20": (20_000, 20)}
SETS = ["breast-cancer", "digits", "wine", *MADE]


def table(folder, name, most):
    """Features and clean labels 0..K-1, at most so many rows."""
    if name in MADE:
        n, d = MADE[name]
        X, y = make_classification(n, d, n_informative=d // 2, random_state=0)
    else:
        X, y = load(folder, name)
    rows = some_rows(len(y), most)
    return np.ascontiguousarray(X[rows], np.float32), y[rows]


def work(model):
    """Mean over the trees of the leaves, and of the samples of all nodes, which is what growing a tree searches."""
    trees = [tree.tree_ for tree in np.ravel(np.array(model.estimators_, dtype=object))]
    return (statistics.mean(map(float, sizes)) for sizes in zip(*map(_size, trees), strict=True))


def _size(tree):
    return tree.n_leaves, tree.n_node_samples.sum()


def compare(theirs, ours, X, y, repeats):
    """Median ratios of fit and of predict, each the other way round every second time, and our seconds per fit."""
    for model in (theirs, ours):
        model.fit(X, y).predict(X)
    fits, predictions, own = [], [], []
    for k in range(repeats):
        pair = (theirs, ours) if k % 2 else (ours, theirs)
        fit = {model: seconds(model.fit, X, y) for model in pair}
        call = {model: seconds(model.predict, X) for model in pair}
        fits.append(fit[theirs] / fit[ours])
        predictions.append(call[theirs] / call[ours])
        own.append(fit[ours])
    return statistics.median(fits), statistics.median(predictions), statistics.median(own)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", help="folder of <name>.parquet; data that ship with scikit-learn if left out")
    parser.add_argument("--sets", nargs="+", default=SETS, help="names of tables, or of data sets that are made here")
    parser.add_argument("--noise", nargs="+", type=float, default=[0.0, 0.2], help="rates of uniform label noise")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--rows", type=int, default=20_000, help="largest number of rows")
    parser.add_argument("--repeats", type=int, default=5, help="pairs of runs per ratio")
    options = parser.parse_args()
    print("| data | noise | booster | fit | predict | ours, ms per round | leaves | samples searched |")
    print("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    for name in options.sets:
        X, clean = table(options.tables, name, options.rows)
        for rate in options.noise:
            y = noisy(clean, rate)
            for label, booster in OURS.items():
                if len(np.unique(y)) > 2 and label != "LogitBoost":
                    continue
                theirs = GradientBoostingClassifier(n_estimators=options.rounds, max_depth=None, **TREE)
                ours = booster(n_estimators=options.rounds, **TREE)
                with threadpool_limits(1):
                    fit, predict, own = compare(theirs, ours, X, y, options.repeats)
                (leaves, searched), (own_leaves, own_searched) = work(theirs), work(ours)
                sizes = f"{leaves / own_leaves:.2f} | {searched / own_searched:.2f}"
                ms = 1000 * own / options.rounds
                print(f"| {name} | {rate:g} | {label} | {fit:.2f} | {predict:.2f} | {ms:.2f} | {sizes} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
