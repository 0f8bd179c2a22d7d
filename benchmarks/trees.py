"""CPU-time ratios scikit-learn / ironbark of trees and forests, as a Markdown table, with the memory of the fits."""

import argparse
import multiprocessing
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
TREE_ROWS = {"cifar-10": 5000}  # single trees on this many rows

#: Row of the table -> scikit-learn's estimator and ours.
PAIRS = {
    f"{kind} {criterion}": (theirs(criterion=criterion, **options), ours(criterion=criterion, **options, **extra))
    for kind, theirs, ours, options, extra in (
        ("tree", DecisionTreeClassifier, RobustDecisionTreeClassifier, {"random_state": 0}, {}),
        ("forest, our draws,", RandomForestClassifier, RobustRandomForestClassifier, FOREST, {}),
        (
            "forest, scikit-learn's draws,",
            RandomForestClassifier,
            RobustRandomForestClassifier,
            FOREST,
            {"constant_features": "count"},
        ),
    )
    for criterion in ("gini", "entropy")
}


def load(folder, name):
    """Training features and labels of a table; the small built-in one without a folder."""
    if folder is None:
        return load_digits(return_X_y=True)
    table = pd.read_parquet(Path(folder, f"{name}.parquet"))
    if "split" in table:
        table = table[table["split"] == "train"]
    y = np.unique(table["target"], return_inverse=True)[1]
    if "text" in table:
        return words(table["text"]), y
    return table.drop(columns=["split", "target"], errors="ignore").to_numpy(), y


def words(texts):
    """300 singular components of TF-IDF weights, float32."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    weights = TfidfVectorizer(sublinear_tf=True, min_df=3, stop_words="english").fit_transform(texts)
    return TruncatedSVD(300, n_iter=2, random_state=0).fit_transform(weights).astype(np.float32)


def seconds(call, *arguments):
    """CPU seconds of a call, without compilation."""
    start, compiled = time.process_time(), CLOCK.seconds
    call(*arguments)
    return time.process_time() - start - (CLOCK.seconds - compiled)


def ratio(theirs, ours, data, repeats):
    """Median ratio of alternating fits, and the median seconds of ours."""
    plain, features, y = data
    ours.fit(features, y)  # compiles
    pairs = [(seconds(theirs.fit, plain, y), seconds(ours.fit, features, y)) for _ in range(repeats)]
    return statistics.median(a / b for a, b in pairs), statistics.median(b for _, b in pairs)


def predictions(theirs, ours, data, repeats):
    """The same for `predict` of fitted estimators on the training features."""
    plain, _, _ = data
    pairs = [(seconds(theirs.predict, plain), seconds(ours.predict, plain)) for _ in range(repeats)]
    return statistics.median(a / b for a, b in pairs), statistics.median(b for _, b in pairs)


def peak(estimator, X, y):
    """MB that a fresh process takes at most, with the libraries, the data and a fit."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_peak, (estimator, X, y))


def _peak(estimator, X, y):
    estimator.fit(X, y)
    status = Path("/proc/self/status").read_text().splitlines()  # getrusage would count the parent before exec
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def lines(name, X, y, repeats):
    """Rows of the table for one data set and label vector: name, ratio, our seconds, memory of both."""
    plain, start = np.ascontiguousarray(X, np.float32), time.process_time()
    features = encode(X)
    yield "encode", float("nan"), time.process_time() - start, "", ""
    rows = np.sort(np.random.default_rng(0).permutation(len(y))[: TREE_ROWS.get(name, len(y))])
    few = plain[rows], features.take(rows) if len(rows) < len(y) else features, y[rows]
    for label, (theirs, ours) in PAIRS.items():
        data = few if label.startswith("tree") else (plain, features, y)
        result = ratio(theirs, ours, data, repeats)
        memory = peak(theirs, data[0], data[2]), peak(ours, data[0], data[2])
        yield label, *result, *(f"{size:.0f}" for size in memory)
        if label in ("tree gini", "forest, our draws, gini"):
            yield f"predict, {label}", *predictions(theirs, ours, data, repeats), "", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", help="folder of <name>.parquet; data that ship with scikit-learn if left out")
    parser.add_argument("--sets", nargs="+", default=["digits"], help="names of tables")
    parser.add_argument("--noise", nargs="+", type=float, default=[0.0, 0.4], help="rates of uniform label noise")
    parser.add_argument("--repeats", type=int, default=3, help="pairs of runs per ratio")
    options = parser.parse_args()
    print("| data | noise | fit | scikit-learn / ironbark | ironbark, CPU s | scikit-learn, MB | ironbark, MB |")
    print("| --- | ---: | --- | ---: | ---: | ---: | ---: |")
    for name in options.sets:
        X, clean = load(options.tables, name)
        for rate in options.noise:
            y = corrupt("uniform", None, clean, rate=rate, random_state=0) if rate else clean
            for label, factor, ours, *memory in lines(name, X, y, options.repeats):
                print(f"| {name} | {rate:g} | {label} | {factor:.1f} | {ours:.3f} | {' | '.join(memory)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
