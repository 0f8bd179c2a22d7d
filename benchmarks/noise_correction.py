"""Accuracy and log loss gained by correcting predictions with a given or estimated matrix, as Markdown tables."""

import sys

import numpy as np
import pandas as pd
from loss_corrections import scores
from self_tuning import arguments, halves, tables
from threadpoolctl import threadpool_limits

from ironbark import NoiseCorrectedClassifier, RobustRandomForestClassifier

N_TRUSTED = 100
#: Id -> P(0 -> 1) and P(1 -> 0) of two classes.
BINARY = {
    "clean": (0.0, 0.0),
    "uniform 20 %": (0.2, 0.2),
    "uniform 30 %": (0.3, 0.3),
    "uniform 40 %": (0.4, 0.4),
    "0 and 30 %": (0.0, 0.3),
    "30 and 0 %": (0.3, 0.0),
    "10 and 40 %": (0.1, 0.4),
    "40 and 10 %": (0.4, 0.1),
}
#: Id -> share of wrong labels, and whether all of them go to the next class.
MULTICLASS = {
    "clean": (0.0, False),
    "uniform 20 %": (0.2, False),
    "uniform 40 %": (0.4, False),
    "pair flip 30 %": (0.3, True),
    "pair flip 40 %": (0.4, True),
}


def matrices(n_classes):
    """Id -> transition matrix."""
    if n_classes == 2:
        return {name: np.array([[1 - up, up], [down, 1 - down]]) for name, (up, down) in BINARY.items()}
    found = {}
    for name, (rate, pairs) in MULTICLASS.items():
        others = np.roll(np.eye(n_classes), 1, axis=1) if pairs else (1 - np.eye(n_classes)) / (n_classes - 1)
        found[name] = (1 - rate) * np.eye(n_classes) + rate * others
    return found


def gains(X, y, X_test, y_test, matrix, seed):
    """Accuracy and log loss without a correction, points of accuracy gained by each source, and its log loss."""
    rng = np.random.default_rng(seed)
    noisy = (rng.random((len(y), 1)) > matrix[y].cumsum(axis=1)).sum(axis=1).clip(0, len(matrix) - 1)
    if len(np.unique(noisy)) < len(matrix):
        return None
    forest = RobustRandomForestClassifier(random_state=seed)
    labels = NoiseCorrectedClassifier(forest).fit(X, noisy)
    plain, loss = scores(labels.estimator_, X_test, y_test)
    given = NoiseCorrectedClassifier(forest, noise_matrix=matrix).fit(X, noisy)
    trusted = np.zeros(len(y), bool)
    trusted[rng.choice(len(y), min(N_TRUSTED, len(y) // 4), replace=False)] = True
    if min(len(np.unique(noisy[~trusted])), len(np.unique(y[trusted]))) < len(matrix):
        return None
    few = NoiseCorrectedClassifier(forest).fit(X, np.where(trusted, y, noisy), trusted=trusted)
    models = {"given": given, "trusted": few, "labels": labels}
    found = {"as it is": 100 * plain, "log loss": loss}
    for name, model in models.items():
        accuracy, found[f"log loss, {name}"] = scores(model, X_test, y_test)
        found[name] = 100 * (accuracy - plain)
    return found | {"called asymmetric": labels.source_ == "labels"}


def main():
    parser = arguments(__doc__, stores=False)
    parser.add_argument("--save", help="CSV file of every setting")
    options = parser.parse_args()
    rows = []
    with threadpool_limits(1):
        for name in tables(options.tables, options.half):
            for repeat in range(options.repeats):
                X, y, X_test, y_test = halves(options.tables, name, repeat)
                clean = RobustRandomForestClassifier(random_state=repeat).fit(X, y).score(X_test, y_test)
                for noise, matrix in matrices(y.max() + 1).items():
                    found = gains(X, y, X_test, y_test, matrix, repeat)
                    if found is not None:
                        task = "binary" if y.max() == 1 else "multiclass"
                        rows.append({"task": task, "data": name, "noise": noise, "clean labels": 100 * clean, **found})
            print(name, file=sys.stderr, flush=True)
    frame = pd.DataFrame(rows)
    if options.save:
        frame.to_csv(options.save, index=False)
    order = list(dict.fromkeys([*BINARY, *MULTICLASS]))
    for task, part in frame.groupby("task"):
        means = part.drop(columns="task").groupby("noise").mean(numeric_only=True)
        means.insert(0, "data sets", part.groupby("noise").data.nunique())
        print(f"\n{task}\n\n{means.reindex([name for name in order if name in means.index]).round(2).to_markdown()}")


if __name__ == "__main__":
    sys.exit(main())
