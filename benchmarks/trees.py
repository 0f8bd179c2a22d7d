"""CPU-time ratios scikit-learn / ironbark of trees and forests, as a Markdown table."""

import argparse
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier, encode
from ironbark.jit import CLOCK
from ironbark.noise import corrupt

FOREST = {"n_estimators": 5, "random_state": 0}


def load(folder, name):
    """Training features and labels of a table; the small built-in one without a folder."""
    if folder is None:
        return load_digits(return_X_y=True)
    table = pd.read_parquet(Path(folder, f"{name}.parquet"))
    if "split" in table:
        table = table[table["split"] == "train"]
    features = table.drop(columns=["split", "target"], errors="ignore")
    return features.to_numpy(), np.unique(table["target"], return_inverse=True)[1]


def seconds(estimator, X, y):
    """CPU seconds of a fit, without compilation."""
    start, compiled = time.process_time(), CLOCK.seconds
    estimator.fit(X, y)
    return time.process_time() - start - (CLOCK.seconds - compiled)


def ratio(theirs, ours, data, repeats):
    """Median ratio of alternating fits, and the median seconds of ours."""
    plain, features, y = data
    ours.fit(features, y)  # compiles
    pairs = [(seconds(theirs, plain, y), seconds(ours, features, y)) for _ in range(repeats)]
    return statistics.median(a / b for a, b in pairs), statistics.median(b for _, b in pairs)


def lines(X, y, repeats):
    """Rows of the table for one data set and label vector."""
    plain, start = np.ascontiguousarray(X, np.float32), time.process_time()
    features = encode(X)
    yield "encode", float("nan"), time.process_time() - start
    data = plain, features, y
    for criterion in ("gini", "entropy"):
        tree = DecisionTreeClassifier(criterion=criterion, random_state=0)
        robust = RobustDecisionTreeClassifier(criterion, random_state=0)
        yield f"tree {criterion}", *ratio(tree, robust, data, repeats)
        forest = RandomForestClassifier(criterion=criterion, **FOREST)
        robust = RobustRandomForestClassifier(criterion=criterion, **FOREST)
        yield f"forest {criterion}", *ratio(forest, robust, data, repeats)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", help="folder of <name>.parquet; data that ship with scikit-learn if left out")
    parser.add_argument("--sets", nargs="+", default=["digits"], help="names of tables")
    parser.add_argument("--noise", nargs="+", type=float, default=[0.0, 0.4], help="rates of uniform label noise")
    parser.add_argument("--repeats", type=int, default=3, help="pairs of runs per ratio")
    options = parser.parse_args()
    print("| data | noise | fit | scikit-learn / ironbark | ironbark, CPU s |\n| --- | ---: | --- | ---: | ---: |")
    for name in options.sets:
        X, clean = load(options.tables, name)
        for rate in options.noise:
            y = corrupt("uniform", None, clean, rate=rate, random_state=0) if rate else clean
            for label, factor, ours in lines(X, y, options.repeats):
                print(f"| {name} | {rate:g} | {label} | {factor:.1f} | {ours:.3f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
