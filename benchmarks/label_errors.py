"""Detectors of label errors: how they rank and count wrong labels, what cleaning gains, and CPU seconds."""

import itertools
import sys
import warnings

import lightgbm
import numpy as np
import pandas as pd
from measure import seconds
from self_tuning import SEED, arguments, halves, noisy_labels, tables
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from ironbark import LabelErrorDetector

NOISES = ("clean", "uniform-0.1", "uniform-0.2", "uniform-0.3", "uniform-0.4", "pair-flip-0.3")
NOISES += ("class-conditional-0.1-0.4", "part-dependent-0.2", "margin-0.2")
FOLDS = 5


def five_fold(estimator, X, y):
    """Probabilities of each fold by the estimator fitted on the others."""
    folds = StratifiedKFold(FOLDS, shuffle=True, **SEED)
    return cross_val_predict(estimator, X, y, cv=folds, method="predict_proba")


def plain(X, y, probabilities):
    """Quality, samples that are called errors, and their share: where the prediction is another class."""
    wrong = probabilities.argmax(axis=1) != y
    return probabilities[np.arange(len(y)), y], wrong, wrong.mean()


def cleanlab(X, y, probabilities):
    """Quality by self-confidence, issues by `find_label_issues`, rate by the estimated joint distribution."""
    from cleanlab.count import estimate_joint
    from cleanlab.filter import find_label_issues
    from cleanlab.rank import get_label_quality_scores

    rate = 1 - np.trace(estimate_joint(y, probabilities))
    return get_label_quality_scores(y, probabilities), find_label_issues(y, probabilities, n_jobs=1), rate


def edited_neighbours(X, y, _):
    """Samples that edited nearest neighbours remove; there is no ranking among them."""
    from imblearn.under_sampling import EditedNearestNeighbours

    sampler = EditedNearestNeighbours(sampling_strategy="all")
    sampler.fit_resample(np.nan_to_num(StandardScaler().fit_transform(X)), y)  # missing values become means
    wrong = np.ones(len(y), bool)
    wrong[sampler.sample_indices_] = False
    return 1.0 - wrong, wrong, wrong.mean()


def ours(X, y, _=None):
    detector = LabelErrorDetector(**SEED).fit(X, y)
    return detector.label_quality_, detector.is_error_, detector.noise_rate_, detector.noise_rate_interval_


#: Name -> classifier whose five-fold probabilities are made once for all detectors that use them.
CLASSIFIERS = {
    "forest": RandomForestClassifier(**SEED),
    "LightGBM": lightgbm.LGBMClassifier(verbose=-1, n_jobs=1, **SEED),
}
#: Row of the table -> classifier, if there is one, and a function of features, labels and its probabilities.
DETECTORS = {
    "ironbark": (None, ours),
    "cleanlab, five-fold forest": ("forest", cleanlab),
    "five-fold forest": ("forest", plain),
    "five-fold LightGBM": ("LightGBM", plain),
    "edited nearest neighbours": (None, edited_neighbours),
}


def timed(function, *arguments):
    """What a function returns, and the CPU seconds that it takes."""
    found = []
    spent = seconds(lambda: found.append(function(*arguments)))
    return found[0], spent


def scores(wrong, quality, flagged, rate, interval=None):
    """Scores of what a detector returns."""
    row = {"rate error": rate - wrong.mean(), "called": flagged.mean()}
    if interval is not None:
        row["covered"] = float(interval[0] <= wrong.mean() <= interval[1])
    if wrong.any():
        first = np.argsort(quality, kind="stable")[: wrong.sum()]
        row |= {"average precision": average_precision_score(wrong, -quality), "precision": wrong[first].mean()}
        row |= {"precision of cut": wrong[flagged].mean() if flagged.any() else 1.0}
        row |= {"recall of cut": flagged[wrong].mean()}
    return row


def rows_of(X, y, clean, X_test, y_test):
    """Scores and CPU seconds of all detectors, with the classifier that they need, for one set of noisy labels."""
    folds = {name: timed(five_fold, classifier, X, y) for name, classifier in CLASSIFIERS.items()}
    for name, (classifier, detect) in DETECTORS.items():
        probabilities, before = folds.get(classifier, (None, 0.0))
        found, spent = timed(detect, X, y, probabilities)
        row = {"detector": name, "seconds": before + spent, **scores(y != clean, *found)}
        yield row | {"accuracy": accuracy(X, y, found[1], X_test, y_test)}


def accuracy(X, y, flagged, X_test, y_test):
    """Accuracy of a forest that is fitted without the samples that are called errors."""
    kept = ~flagged if len(np.unique(y[~flagged])) > 1 else np.ones(len(y), bool)
    return RandomForestClassifier(50, **SEED).fit(X[kept], y[kept]).score(X_test, y_test)


def report(folder, store, half, repeats, noises):
    """One row for each setting and detector; what `store` holds is not computed again."""
    store.mkdir(parents=True, exist_ok=True)
    for repeat, noise, name in itertools.product(range(repeats), noises, tables(folder, half)):
        path = store / f"{name} {noise} {repeat}.csv"
        if path.exists():
            continue
        X, clean, X_test, y_test = halves(folder, name, repeat)
        y = noisy_labels(noise, X, clean, repeat, FOLDS)
        if y is not None:
            rows = pd.DataFrame(rows_of(X, y, clean, X_test, y_test))
            rows.assign(data=name, noise=noise, repeat=repeat, rows=len(y)).to_csv(path, index=False)
            print(path.stem, file=sys.stderr, flush=True)
    return pd.concat([pd.read_csv(path) for path in sorted(store.glob("*.csv"))], ignore_index=True)


def tables_of(rows):
    """Titles and Markdown tables."""
    order = {"index": list(DETECTORS)}
    noises = [name for name in NOISES if name in set(rows.noise)]
    for column in ("average precision", "precision", "accuracy"):
        means = rows.pivot_table(index="detector", columns="noise", values=column).reindex(
            **order, columns=[noise for noise in noises if column == "accuracy" or noise != "clean"]
        )
        yield column, (100 * means.assign(all=rows.groupby("detector")[column].mean())).round(1)
    rows = rows.assign(error=rows["rate error"].abs())
    errors = rows.pivot_table(index="detector", columns="noise", values="error").reindex(**order, columns=noises)
    parts = rows.groupby("detector")
    errors = errors.assign(all=parts.error.mean(), bias=parts["rate error"].mean())
    yield "error of the noise rate, in percentage points", (100 * errors).round(1)
    cut = parts[["precision of cut", "recall of cut", "covered"]].mean().reindex(**order)
    yield "samples that are called errors; share of rates in their interval", (100 * cut).round(1)
    called = rows[rows.noise == "clean"].groupby("detector").called.describe(percentiles=[0.5, 0.9])
    yield "labels as published: samples that are called errors", (100 * called[["50%", "90%", "max"]]).round(1)
    spent = rows.pivot_table(index=["data", "noise", "repeat"], columns="detector", values="seconds")
    spent = spent[order["index"]]
    ratios = pd.DataFrame({"seconds": spent.sum(), "median ratio": spent.div(spent["ironbark"], axis=0).median()})
    yield "CPU", ratios.assign(**{"ratio of sums": spent.sum() / spent["ironbark"].sum()}).round(2)


def main():
    parser = arguments(__doc__)
    parser.add_argument("--noises", nargs="+", choices=NOISES, default=list(NOISES))
    options = parser.parse_args()
    warnings.filterwarnings("ignore", message="X does not have valid feature names")
    with threadpool_limits(1):
        seconds(ours, *halves(options.tables, tables(options.tables, options.half)[0], 0)[:2])  # loads kernels
        rows = report(options.tables, options.store, options.half, options.repeats, options.noises)
    for title, table in tables_of(rows):
        print(f"\n{title}\n\n{table.to_markdown()}")


if __name__ == "__main__":
    sys.exit(main())
