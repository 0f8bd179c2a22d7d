"""Cost of the criteria per list entry of a tree, relative to gini, as a Markdown table.

A node holds, of each feature that varies in it, the samples whose value is not the feature's most frequent one. The
entries of a tree are those of all nodes that were searched for a split: a search reads them, a split parts them.
"""

import argparse
import statistics
import sys

import numpy as np
from measure import load, noisy, seconds, some_rows

from ironbark import RobustDecisionTreeClassifier, encode


def own_gini(left, right, params):
    """Decrease of Gini impurity in samples, as a user would write it."""
    n_left = n_right = squares_left = squares_right = squares = 0
    for k in range(len(left)):
        n_left += left[k]
        n_right += right[k]
        squares_left += left[k] ** 2
        squares_right += right[k] ** 2
        squares += (left[k] + right[k]) ** 2
    return squares_left / n_left + squares_right / n_right - squares / (n_left + n_right)


#: Row of the table -> parameters of a tree, and the most that an entry may cost relative to gini.
ROWS = {
    "gini": ({"criterion": "gini"}, 1.0),
    "entropy": ({"criterion": "entropy"}, float("nan")),
    "misclassification": ({"criterion": "misclassification"}, 1.5),
    "sqrt_gini": ({"criterion": "sqrt_gini"}, float("nan")),
    "negative_exponential, lam 0.5": ({"criterion": "negative_exponential", "lam": 0.5}, 1.5),
    "twoing": ({"criterion": "twoing"}, 1.5),
    "generalized_cross_entropy, q 0.7": ({"criterion": "generalized_cross_entropy", "q": 0.7}, 2.0),
    "credal, s 1": ({"criterion": "credal", "s": 1.0}, 3.0),
    "custom function": ({"criterion": own_gini}, 4.0),
}


def entries(tree, features):
    """Number of list entries that the searched nodes of a fully grown `tree` hold."""
    codes = np.ascontiguousarray(features.codes.T)
    listed = codes != np.array([np.bincount(column).argmax() for column in features.codes])
    members = tree.decision_path(features.decode()).tocsc()
    total = 0
    for node in range(tree.node_count):
        if np.count_nonzero(tree.counts[node]) > 1:  # pure nodes are not searched
            rows = members.indices[members.indptr[node] : members.indptr[node + 1]]
            inside = codes[rows]
            total += int(listed[rows].sum(axis=0)[inside.min(axis=0) < inside.max(axis=0)].sum())
    return total


def lines(features, y, repeats, names):
    """Name, entries, ns per entry, that relative to gini, its bar and the time of the tree relative to gini."""
    gini = RobustDecisionTreeClassifier(random_state=0, ccp_alpha=0.0).fit(features, y)
    base = entries(gini.tree_, features)
    for name in names:
        parameters, bar = ROWS[name]
        model = RobustDecisionTreeClassifier(ccp_alpha=0.0, **parameters, random_state=0).fit(features, y)
        pairs = [(seconds(model.fit, features, y), seconds(gini.fit, features, y)) for _ in range(repeats)]
        whole = statistics.median(own / other for own, other in pairs)
        held = entries(model.tree_, features)
        yield name, held, 1e9 * statistics.median(own for own, _ in pairs) / held, whole * base / held, bar, whole


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", help="folder of <name>.parquet; data that ship with scikit-learn if left out")
    parser.add_argument("--sets", nargs="+", default=["digits", "breast-cancer"], help="names of tables")
    parser.add_argument("--noise", nargs="+", type=float, default=[0.0, 0.4], help="rates of uniform label noise")
    parser.add_argument("--criteria", nargs="+", choices=ROWS, default=list(ROWS), help="rows of the table")
    parser.add_argument("--rows", type=int, default=10_000, help="most samples of sets with 256 features or more")
    parser.add_argument("--repeats", type=int, default=3, help="pairs of runs per ratio")
    options = parser.parse_args()
    print("| data | noise | criterion | entries | ns per entry | relative to gini | bar | whole tree |")
    print("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    for name in options.sets:
        X, clean = load(options.tables, name)
        rows = some_rows(len(clean), options.rows if X.shape[1] >= 256 else len(clean))
        features = encode(X[rows])
        for rate in options.noise:
            for label, held, cost, relative, bar, whole in lines(
                features, noisy(clean[rows], rate), options.repeats, options.criteria
            ):
                limit = "" if np.isnan(bar) else f"{bar:g}"
                numbers = f"{held / 1e6:.1f} M | {cost:.1f} | {relative:.2f} | {limit} | {whole:.2f}"
                print(f"| {name} | {rate:g} | {label} | {numbers} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
