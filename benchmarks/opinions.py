"""Consensus of 12 simulated annotators: accuracy, Brier score of its quality, and rank correlation of annotators.

Each has a random confusion matrix. 4 copy half of their labels from another one, but for "independent". "hard" rows are
the quarter that a forest of the true labels predicts worst: 30 % of their labels are its most likely wrong class.
"""

import itertools
import warnings

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy.stats import spearmanr
from self_tuning import arguments, halves, tables

from ironbark import LabelErrorDetector
from ironbark.label_errors import ConsensusLabels

SIZE, ANNOTATORS, FEWEST = 700, 12, 15  # rows; annotators; rows of a class
#: Name -> fewest and most labels in a row, annotators that copy, share of a common mistake in hard rows.
KINDS = {"independent": (3, 10, 0, 0), "correlated": (3, 10, 4, 0), "few": (1, 4, 4, 0), "hard": (3, 10, 4, 0.3)}
METHODS = {name: {"method": name} for name in ("majority", "dawid_skene", "crowdlab", "features")}
METHODS["dawid_skene, r = 0"] = {"method": "dawid_skene", "dependence": 0.0}


def annotated(X, true, kind, rng):
    """Labels with gaps, and the accuracy of each annotator."""
    least, most, n_copies, mistaken = KINDS[kind]
    n, k = len(true), true.max() + 1
    full = np.empty((n, ANNOTATORS), int)
    for j, accuracy in enumerate(rng.uniform(0.1, 0.9, ANNOTATORS)):
        known = np.clip(accuracy + rng.normal(0, 0.08, (k, 1)), 0, 1)
        confusion = known * np.eye(k) + (1 - known) * rng.dirichlet(np.full(k, 0.5), k)
        full[:, j] = np.minimum((confusion[true].cumsum(axis=1) < rng.random((n, 1))).sum(axis=1), k - 1)
    for j in range(ANNOTATORS - n_copies, ANNOTATORS):
        full[:, j] = np.where(rng.random(n) < 0.5, full[:, rng.integers(ANNOTATORS - n_copies)], full[:, j])
    if mistaken:
        chances = LabelErrorDetector(random_state=0).fit(X, true).probabilities_
        hard = np.argsort(chances[np.arange(n), true])[: n // 4]
        mistakes = np.where(np.eye(k)[true], -1, chances).argmax(axis=1)[hard, None]
        full[hard] = np.where(rng.random((n // 4, 12)) < mistaken, mistakes, full[hard])
    order = rng.random(full.shape).argsort(axis=1).argsort(axis=1)
    return np.where(order < rng.integers(least, most + 1, (n, 1)), full, np.nan), (full == true[:, None]).mean(axis=0)


def by_cleanlab(X, Y, votes):
    """Labels, their quality and that of the annotators, with the same probabilities as ironbark's CROWDLAB."""
    from cleanlab.multiannotator import get_label_quality_multiannotator  # not needed by --help

    detector = LabelErrorDetector(random_state=0).fit(X, votes.labels_)
    known = np.where(detector.is_judged_[:, None], detector.probabilities_, votes.probabilities_.mean(axis=0))
    found = get_label_quality_multiannotator(pd.DataFrame(Y).astype("Int64"), known, verbose=False)
    rows, annotators = found["label_quality"], found["annotator_stats"].sort_index()
    return rows["consensus_label"], rows["consensus_quality_score"], annotators["annotator_quality"]


def scores(folder, name, kind, draw):
    """One row for each method."""
    warnings.simplefilter("ignore")
    X, true = (values[:SIZE] for values in halves(folder, name, draw)[:2])
    frequent = np.isin(true, np.flatnonzero(np.bincount(true) >= FEWEST))
    X, true = X[frequent], np.unique(true[frequent], return_inverse=True)[1]
    if true.max() == 0:
        return
    Y, skill = annotated(X, true, kind, np.random.default_rng(draw))
    fitted = {method: ConsensusLabels(**options).fit(X, Y) for method, options in METHODS.items()}
    found = {method: (one.labels_, one.quality_, one.annotators_["quality"]) for method, one in fitted.items()}
    for method, (labels, quality, annotators) in {**found, "cleanlab": by_cleanlab(X, Y, fitted["majority"])}.items():
        right, rank = labels == true, spearmanr(annotators, skill)[0]
        yield name, kind, draw, method, right.mean(), rank, ((quality - right) ** 2).mean()


def main():
    options = arguments(__doc__, stores=False).parse_args()
    settings = itertools.product(tables(options.tables, options.half)[::2], KINDS, range(options.repeats))
    done = Parallel(2)(delayed(lambda *which: list(scores(options.tables, *which)))(*which) for which in settings)
    names = ["table", "kind", "draw", "method", "accuracy", "rank", "Brier"]
    rows = pd.DataFrame(itertools.chain.from_iterable(done), columns=names)
    for value in names[4:]:
        print(value, rows.pivot_table(index="method", columns="kind", values=value).round(3).to_markdown(), sep="\n")
    wide = rows.pivot_table(index=["table", "kind", "draw"], columns="method", values="accuracy")
    wins = {"better than features": wide.gt(wide["features"], axis=0), "worse": wide.lt(wide["features"], axis=0)}
    print(f"{len(wide)} settings", pd.DataFrame({how: one.sum() for how, one in wins.items()}).to_markdown(), sep="\n")


if __name__ == "__main__":
    main()
