"""Consensus of simulated annotators: its accuracy, Brier score of its quality, and rank correlation of annotators.

Of 12 annotators, each has a random confusion matrix and accuracy. "independent" and "correlated" have 3 to 10 labels in
a row, "few" has 1 to 4; in the last two, 4 annotators copy half of their labels from another one.
"""

import argparse
import itertools
import sys
import warnings

import numpy as np
import pandas as pd
from cleanlab.multiannotator import get_label_quality_multiannotator
from joblib import Parallel, delayed
from scipy.stats import spearmanr
from self_tuning import halves, tables

from ironbark import LabelErrorDetector
from ironbark.label_errors import ConsensusLabels

SIZE, ANNOTATORS, FEWEST = 700, 12, 15  # rows; annotators; rows of a class
#: Name -> fewest and most labels in a row, annotators that copy.
KINDS = {"independent": (3, 10, 0), "correlated": (3, 10, 4), "few": (1, 4, 4)}
METHODS = {
    "majority": {"method": "majority"},
    "Dawid-Skene, independent": {"method": "dawid_skene", "dependence": 0.0},
    "Dawid-Skene": {"method": "dawid_skene"},
    "CROWDLAB": {"method": "crowdlab"},
    "features, independent": {"dependence": 0.0},
    "features": {},
}


def annotated(true, kind, rng):
    """Labels with gaps, and the accuracy of each annotator."""
    least, most, n_copies = KINDS[kind]
    n, k = len(true), true.max() + 1
    full = np.empty((n, ANNOTATORS), int)
    for j, accuracy in enumerate(rng.uniform(0.9 / k + 0.1, 0.95, ANNOTATORS)):
        diagonal = np.clip(accuracy + rng.normal(0, 0.08, k), 0.02, 0.98)
        off = rng.dirichlet(np.full(k - 1, 0.5), k) * (1 - diagonal[:, None])
        confusion = np.array([np.insert(row, i, diagonal[i]) for i, row in enumerate(off)])
        full[:, j] = np.minimum((confusion[true].cumsum(axis=1) < rng.random((n, 1))).sum(axis=1), k - 1)
    for j in range(ANNOTATORS - n_copies, ANNOTATORS):
        full[:, j] = np.where(rng.random(n) < 0.5, full[:, rng.integers(ANNOTATORS - n_copies)], full[:, j])
    order = rng.random(full.shape).argsort(axis=1).argsort(axis=1)
    return np.where(order < rng.integers(least, most + 1, (n, 1)), full, np.nan), (full == true[:, None]).mean(axis=0)


def by_cleanlab(X, Y):
    """Labels, their quality and that of the annotators, with the same probabilities as ironbark's CROWDLAB."""
    votes = ConsensusLabels("majority").fit(None, Y)
    detector = LabelErrorDetector(random_state=0).fit(X, votes.labels_)
    known = np.where(detector.is_judged_[:, None], detector.probabilities_, votes.probabilities_.mean(axis=0))
    found = get_label_quality_multiannotator(pd.DataFrame(Y).astype("Int64"), known, verbose=False)
    rows, annotators = found["label_quality"], found["annotator_stats"].sort_index()
    return rows["consensus_label"], rows["consensus_quality_score"], annotators["annotator_quality"]


def scores(folder, name, kind, draw):
    """One row for each method."""
    warnings.simplefilter("ignore")
    X, true, *_ = halves(folder, name, draw)
    X, true = X[:SIZE], true[:SIZE]
    frequent = np.isin(true, np.flatnonzero(np.bincount(true) >= FEWEST))
    X, true = X[frequent], np.unique(true[frequent], return_inverse=True)[1]
    if true.max() == 0:
        return
    Y, skill = annotated(true, kind, np.random.default_rng(draw))
    fitted = {method: ConsensusLabels(**options).fit(X, Y) for method, options in METHODS.items()}
    found = {method: (one.labels_, one.quality_, one.annotators_["quality"]) for method, one in fitted.items()}
    for method, (labels, quality, annotators) in {**found, "cleanlab": by_cleanlab(X, Y)}.items():
        right = labels == true
        row = {
            "accuracy": right.mean(),
            "Brier": ((quality - right) ** 2).mean(),
            "rank": spearmanr(annotators, skill)[0],
        }
        yield {"table": name, "kind": kind, "draw": draw, "method": method, **row}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", required=True, help="folder of <name>.parquet")
    parser.add_argument("--half", default="report", choices=["choose", "report"])
    parser.add_argument("--every", type=int, default=1, help="take every so manieth table")
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    settings = itertools.product(tables(options.tables, options.half)[:: options.every], KINDS, range(options.draws))
    done = Parallel(options.jobs)(delayed(lambda *s: list(scores(options.tables, *s)))(*which) for which in settings)
    rows = pd.DataFrame(itertools.chain.from_iterable(done))
    print(rows[["table", "kind", "draw"]].drop_duplicates().groupby("kind").size().to_markdown())
    print(rows.pivot_table(index="method", columns="kind", values=["accuracy", "rank", "Brier"]).round(3).to_markdown())
    wide = rows.pivot_table(index=["table", "kind", "draw"], columns="method", values="accuracy")
    best = wide.sub(wide["features"], axis=0)
    print(pd.DataFrame({"better than features": (best > 0).sum(), "worse": (best < 0).sum()}).to_markdown())


if __name__ == "__main__":
    sys.exit(main())
