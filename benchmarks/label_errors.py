"""Detectors of label errors: how they rank and count wrong labels, what cleaning gains, and CPU seconds."""

import argparse
import json
import sys
import warnings
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd
from measure import seconds
from self_tuning import HALVES, halves, tables
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from ironbark import LabelErrorDetector
from ironbark.errors import InputError
from ironbark.noise import corrupt

#: Id -> noise model and rate.
NOISES = {
    "clean": ("clean", None),
    "uniform-0.1": ("uniform", 0.1),
    "uniform-0.2": ("uniform", 0.2),
    "uniform-0.3": ("uniform", 0.3),
    "uniform-0.4": ("uniform", 0.4),
    "pair-flip-0.3": ("pair_flip", 0.3),
    "class-conditional-0.1-0.4": ("class_conditional", (0.1, 0.4)),
}
SEED = {"random_state": 0}


def noisy_labels(noise, X, y, repeat):
    """Labels after a noise, or None where it is not made for so many classes or leaves a class without samples."""
    model, rate = NOISES[noise]
    if (model == "pair_flip" and y.max() == 1) or (model == "class_conditional" and y.max() > 1):
        return None
    try:
        found = corrupt(model, X, y, rate=rate, random_state=repeat)
    except InputError:
        return None
    return found if np.bincount(found, minlength=y.max() + 1).min() >= 5 else None  # of five folds


def five_fold(estimator, X, y):
    """Quality, samples that are called errors, and their share: where the prediction is another class."""
    probabilities = _probabilities(estimator, X, y)
    wrong = probabilities.argmax(axis=1) != y
    return probabilities[np.arange(len(y)), y], wrong, wrong.mean()


def _probabilities(estimator, X, y):
    folds = StratifiedKFold(5, shuffle=True, **SEED)
    return cross_val_predict(estimator, X, y, cv=folds, method="predict_proba")


def cleanlab(estimator, X, y):
    """Quality by self-confidence, issues by `find_label_issues`, rate by the estimated joint distribution."""
    from cleanlab.count import estimate_joint
    from cleanlab.filter import find_label_issues
    from cleanlab.rank import get_label_quality_scores

    probabilities = _probabilities(estimator, X, y)
    rate = 1 - np.trace(estimate_joint(y, probabilities))
    return get_label_quality_scores(y, probabilities), find_label_issues(y, probabilities, n_jobs=1), rate


def edited_neighbours(X, y):
    """Samples that edited nearest neighbours remove; there is no ranking among them."""
    from imblearn.under_sampling import EditedNearestNeighbours

    sampler = EditedNearestNeighbours(sampling_strategy="all")
    sampler.fit_resample(StandardScaler().fit_transform(X), y)
    wrong = np.ones(len(y), bool)
    wrong[sampler.sample_indices_] = False
    return 1.0 - wrong, wrong, wrong.mean()


def ours(X, y):
    detector = LabelErrorDetector(**SEED).fit(X, y)
    return detector.label_quality_, detector.is_error_, detector.noise_rate_, detector.noise_rate_interval_


#: Row of the table -> a function of features and labels.
DETECTORS = {
    "ironbark": ours,
    "cleanlab, five-fold forest": lambda X, y: cleanlab(RandomForestClassifier(**SEED), X, y),
    "five-fold forest": lambda X, y: five_fold(RandomForestClassifier(**SEED), X, y),
    "five-fold LightGBM": lambda X, y: five_fold(lightgbm.LGBMClassifier(verbose=-1, n_jobs=1, **SEED), X, y),
    "edited nearest neighbours": edited_neighbours,
}


def judged(detector, X, y, clean):
    """Scores of a detector, and the samples that it calls errors."""
    result = []
    spent = seconds(lambda: result.extend(DETECTORS[detector](X, y)))
    quality, flagged, rate, *interval = result
    wrong, row = y != clean, {"seconds": spent, "rate error": rate - np.mean(y != clean)}
    if interval:
        row["covered"] = float(interval[0][0] <= wrong.mean() <= interval[0][1])
    if wrong.any():
        first = np.argsort(quality, kind="stable")[: wrong.sum()]
        row |= {"average precision": average_precision_score(wrong, -quality), "precision": wrong[first].mean()}
        row |= {"precision of cut": wrong[flagged].mean() if flagged.any() else 1.0}
        row |= {"recall of cut": flagged[wrong].mean()}
    return row, flagged


def accuracy(X, y, flagged, X_test, y_test):
    """Accuracy of a forest that is fitted without the samples that are called errors."""
    kept = ~flagged if len(np.unique(y[~flagged])) > 1 else np.ones(len(y), bool)
    return RandomForestClassifier(**SEED).fit(X[kept], y[kept]).score(X_test, y_test)


def report(folder, store, half, repeats, noises, detectors):
    """One row for each setting and detector; what `store` holds is not computed again."""
    store.mkdir(parents=True, exist_ok=True)
    for repeat in range(repeats):
        for name in tables(folder, half):
            X, clean, X_test, y_test = halves(folder, name, repeat)
            for noise in noises:
                y = noisy_labels(noise, X, clean, repeat)
                for detector in detectors if y is not None else ():
                    path = store / f"{name} {noise} {detector} {repeat}.json"
                    if not path.exists():
                        row, flagged = judged(detector, X, y, clean)
                        row["accuracy"] = accuracy(X, y, flagged, X_test, y_test)
                        ids = {"data": name, "noise": noise, "detector": detector, "repeat": repeat, "rows": len(y)}
                        path.write_text(json.dumps(ids | {key: float(value) for key, value in row.items()}))
            print(name, file=sys.stderr, flush=True)
    return pd.DataFrame([json.loads(path.read_text()) for path in sorted(store.glob("*.json"))])


def tables_of(rows):
    """Titles and Markdown tables."""
    rows = rows[rows.detector.isin(DETECTORS)]
    order = {"index": [name for name in DETECTORS if name in set(rows.detector)]}
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
    spent = rows.pivot_table(index=["data", "noise", "repeat"], columns="detector", values="seconds")
    spent = spent[order["index"]]
    ratios = pd.DataFrame({"seconds": spent.sum(), "median ratio": spent.div(spent["ironbark"], axis=0).median()})
    yield "CPU", ratios.assign(**{"ratio of sums": spent.sum() / spent["ironbark"].sum()}).round(2)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", required=True, help="folder of <name>.parquet")
    parser.add_argument("--store", required=True, type=Path, help="folder that keeps the result of each setting")
    parser.add_argument("--half", choices=HALVES, default="report")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--noises", nargs="+", choices=NOISES, default=list(NOISES))
    parser.add_argument("--detectors", nargs="+", choices=DETECTORS, default=list(DETECTORS))
    options = parser.parse_args()
    warnings.filterwarnings("ignore", message="X does not have valid feature names")
    with threadpool_limits(1):
        seconds(ours, *halves(options.tables, tables(options.tables, options.half)[0], 0)[:2])  # loads kernels
        rows = report(options.tables, options.store, options.half, options.repeats, options.noises, options.detectors)
    for title, table in tables_of(rows):
        print(f"\n{title}\n\n{table.to_markdown()}")


if __name__ == "__main__":
    sys.exit(main())
