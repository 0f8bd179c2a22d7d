"""Wall time of a forest with one thread against several, alternating, and whether it is the same forest."""

import argparse
import os
import statistics
import sys
import time

import numpy as np
from measure import load, noisy

from ironbark import RobustRandomForestClassifier, encode

COLUMNS = ("children_left", "children_right", "feature", "threshold", "counts", "prediction", "gain")


def wall(estimator, features, y):
    """Seconds on the clock of a fit."""
    start = time.perf_counter()
    estimator.fit(features, y)
    return time.perf_counter() - start


def same(one, other):
    """Whether two forests agree bit by bit."""
    return all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for a, b in zip(one.trees_, other.trees_, strict=True)
        for name in COLUMNS
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", help="folder of <name>.parquet; data that ship with scikit-learn if left out")
    parser.add_argument("--sets", nargs="+", default=["digits"], help="names of tables")
    parser.add_argument("--noise", type=float, default=0.4, help="rate of uniform label noise")
    parser.add_argument("--criterion", default="gini")
    parser.add_argument("--trees", type=int, default=40)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3, help="pairs of runs per ratio")
    options = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    print(f"| data | 1 thread, s | {options.threads} threads, s | times as fast | same bits |")
    print("| --- | ---: | ---: | ---: | --- |")
    for name in options.sets:
        X, clean = load(options.tables, name)
        features, y = encode(X), noisy(clean, options.noise)
        alone, together = (
            RobustRandomForestClassifier(
                options.trees, criterion=options.criterion, n_jobs=n_jobs, random_state=0, ccp_alpha=0.0
            ).fit(features, y)  # compiles
            for n_jobs in (1, options.threads)
        )
        pairs = [(wall(alone, features, y), wall(together, features, y)) for _ in range(options.repeats)]
        numbers = [statistics.median(values) for values in zip(*pairs, strict=True)]
        factor = statistics.median(one / several for one, several in pairs)
        answer = "yes" if same(alone, together) else "NO"
        print(f"| {name} | {numbers[0]:.2f} | {numbers[1]:.2f} | {factor:.2f} | {answer} |", flush=True)
        if answer == "NO":
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
