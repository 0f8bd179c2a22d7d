"""CPU-time ratios scikit-learn / ironbark of trees and forests, as a Markdown table, with the memory of the fits."""

import argparse
import multiprocessing
import statistics
import sys
import time
from pathlib import Path

import numpy as np
from measure import SHIPPED, load, noisy, seconds, some_rows
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree._tree import ccp_pruning_path

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier, encode
from ironbark.tree.pruning import cost_complexity_path

FOREST = {"n_estimators": 5, "random_state": 0}
PATH_LEAVES = 20_000  # scikit-learn's pruning path takes time with the square of the leaves
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


def ratio(theirs, ours, data, repeats):
    """Median ratio of alternating fits, and the median seconds of ours."""
    plain, features, y = data
    ours.fit(features, y)  # compiles
    pairs = [(seconds(theirs.fit, plain, y), seconds(ours.fit, features, y)) for _ in range(repeats)]
    return statistics.median(a / b for a, b in pairs), statistics.median(b for _, b in pairs)


def further(theirs, ours, data, repeats):
    """Name and result of `ratio` of what is done with two fitted estimators on the training features."""
    plain, _, _ = data
    calls = {"predict": ((theirs.predict, plain), (ours.predict, plain))}
    if isinstance(ours, RobustDecisionTreeClassifier):
        calls["decision_path"] = (theirs.decision_path, plain), (ours.decision_path, plain)
        if ours.get_n_leaves() <= PATH_LEAVES:
            calls["pruning path"] = (ccp_pruning_path, theirs.tree_), (cost_complexity_path, ours.tree_)
    for name, (one, two) in calls.items():
        seconds(*two)  # compiles
        pairs = [(seconds(*one), seconds(*two)) for _ in range(repeats)]
        yield name, (statistics.median(a / b for a, b in pairs), statistics.median(b for _, b in pairs))


def peak(estimator, X, y):
    """MB that a fresh process takes at most, with the libraries, the data and a fit."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_peak, (estimator, X, y))


def _peak(estimator, X, y):
    estimator.fit(X, y)
    status = Path("/proc/self/status").read_text().splitlines()  # getrusage would count the parent before exec
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def lines(name, X, y, fits, repeats, memory):
    """Rows of the table for one data set and label vector: name, ratio, our seconds, memory of both."""
    plain, start = np.ascontiguousarray(X, np.float32), time.process_time()
    features = encode(X)
    yield "encode", float("nan"), time.process_time() - start, "", ""
    rows = some_rows(len(y), TREE_ROWS.get(name, len(y)))
    few = (plain[rows], features.take(rows), y[rows]) if len(rows) < len(y) else (plain, features, y)
    for label in fits:
        theirs, ours = PAIRS[label]
        data = few if label.startswith("tree") else (plain, features, y)
        result = ratio(theirs, ours, data, repeats)
        sizes = [peak(estimator, data[0], data[2]) for estimator in (theirs, ours)] if memory else []
        yield label, *result, *(f"{size:.0f}" for size in sizes), *[""] * (2 - len(sizes))
        if label in ("tree gini", "forest, our draws, gini"):
            for what, found in further(theirs, ours, data, repeats):
                yield f"{what}, {label}", *found, "", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", help="folder of <name>.parquet; data that ship with scikit-learn if left out")
    parser.add_argument(
        "--sets",
        nargs="+",
        help="names of tables, <name>:binary for the largest class against the rest; without --tables all that ship",
    )
    parser.add_argument("--noise", nargs="+", type=float, default=[0.0, 0.4], help="rates of uniform label noise")
    parser.add_argument("--fits", nargs="+", choices=PAIRS, default=list(PAIRS), help="what to fit")
    parser.add_argument("--repeats", type=int, default=3, help="pairs of runs per ratio")
    parser.add_argument("--no-memory", action="store_true", help="leave out the memory, which takes two fits more")
    options = parser.parse_args()
    if options.tables and not options.sets:
        parser.error("name the tables with --sets")
    memory = bool(options.tables) and not options.no_memory  # on small data it is that of the libraries
    print("| data | noise | fit | scikit-learn / ironbark | ironbark, CPU s | scikit-learn, MB | ironbark, MB |")
    print("| --- | ---: | --- | ---: | ---: | ---: | ---: |")
    for name in options.sets or SHIPPED:
        X, clean = load(options.tables, name)
        for rate in options.noise:
            found = lines(name, X, noisy(clean, rate), options.fits, options.repeats, memory)
            for label, factor, ours, *sizes in found:
                shown = "" if np.isnan(factor) else f"{factor:.1f}"
                print(f"| {name} | {rate:g} | {label} | {shown} | {ours:.4f} | {' | '.join(sizes)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
