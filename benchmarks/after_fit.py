"""CPU-time ratios scikit-learn / ironbark of what is done with fitted trees and forests, as a Markdown table.

Prediction, `decision_path` and the path of cost-complexity pruning, on the training features.
"""

import argparse
import statistics
import sys

import numpy as np
from measure import SHIPPED, load, machine, noisy, ratio, seconds, some_rows
from peers import Ironbark, ScikitLearn
from sklearn.tree._tree import ccp_pruning_path

from ironbark.tree.pruning import cost_complexity_path

PATH_LEAVES = 20_000  # scikit-learn's pruning path takes time with the square of the leaves


def calls(theirs, ours, X):
    """Name of a row -> function and argument of scikit-learn and of ours."""
    yield "predict", (theirs.predict, X), (ours.predict, X)
    if hasattr(ours, "tree_"):
        yield "decision_path", (theirs.decision_path, X), (ours.decision_path, X)
        if ours.get_n_leaves() <= PATH_LEAVES:
            yield "pruning path", (ccp_pruning_path, theirs.tree_), (cost_complexity_path, ours.tree_)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", help="folder of <name>.parquet; data that ship with scikit-learn if left out")
    parser.add_argument("--sets", nargs="+", default=list(SHIPPED), help="names of tables")
    parser.add_argument("--noise", nargs="+", type=float, default=[0.0, 0.4], help="rates of uniform label noise")
    parser.add_argument("--rows", type=int, default=100_000, help="most rows of a table")
    parser.add_argument("--trees", type=int, default=5, help="trees of a forest")
    parser.add_argument("--repeats", type=int, default=5, help="pairs of runs per ratio")
    options = parser.parse_args()
    print(f"{machine()}; forests of {options.trees} trees\n")
    print("| data | noise | call | scikit-learn / ironbark | ironbark, CPU s |\n| --- | ---: | --- | ---: | ---: |")
    for name in options.sets:
        X, clean = load(options.tables, name)
        rows = some_rows(len(clean), options.rows)
        X, clean = np.ascontiguousarray(X[rows], np.float32), clean[rows]
        for rate in options.noise:
            for kind in ("tree", "forest"):
                y = noisy(clean, rate)
                models = (program().model(kind, "gini", 0, options.trees) for program in (ScikitLearn, Ironbark))
                for what, one, two in calls(*(model.fit(X, y) for model in models), X):
                    seconds(*two)  # compiles
                    pairs = [(seconds(*one), seconds(*two)) for _ in range(options.repeats)]
                    factor, cost = ratio(*zip(*pairs, strict=True)), statistics.median(own for _, own in pairs)
                    print(f"| {name} | {rate:g} | {what}, {kind} | {factor:.1f} | {cost:.4f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
