"""Losses corrected for label noise against the log loss and the robust focal loss, with the same trees of LightGBM."""

import sys

import numpy as np
import pandas as pd
from self_tuning import NOISES, SEED, SLOW, arguments, difference, halves, noisy_labels, tables
from threadpoolctl import threadpool_limits

from ironbark import NoiseCorrectedClassifier, RobustLGBMClassifier
from ironbark.noise import apply

CHOSEN = ["clean", "uniform-0.2", "uniform-0.4", "class-conditional-0.1-0.4", "pair-flip-0.3"]
LEAST = 1e-3  # of a probability in the log loss
COLUMNS = ["data", "noise", "method", "repeat", "rows", "classes", "accuracy", "log_loss"]


def boosted(loss, **params):
    """100 rounds of the same trees for all losses."""
    return RobustLGBMClassifier(loss=loss, **SLOW, **SEED, **params)


#: Row of the table -> an estimator; `matrix` is the true transition matrix.
METHODS = {
    "log loss": lambda matrix: boosted("cross_entropy", multi="softmax"),
    "robust focal loss": lambda matrix: boosted("robust_focal"),
    "label smoothing": lambda matrix: boosted("label_smoothing"),
    "bootstrap": lambda matrix: boosted("bootstrap"),
    "bootstrap, strength 0.5": lambda matrix: boosted("bootstrap", strength=0.5),
    "peer": lambda matrix: boosted("peer"),
    "forward correction, given matrix": lambda matrix: boosted("forward_correction", noise_matrix=matrix),
    "backward correction, given matrix": lambda matrix: boosted("backward_correction", noise_matrix=matrix),
    "log loss, predictions corrected, given matrix": lambda matrix: NoiseCorrectedClassifier(
        METHODS["log loss"](matrix), noise_matrix=matrix
    ),
}


def scores(model, X, y):
    """Accuracy and log loss."""
    p = model.predict_proba(X)
    return np.mean(p.argmax(axis=1) == y), -np.log(np.maximum(p[np.arange(len(y)), y], LEAST)).mean()


def report(folder, store, half, repeats):
    """Scores on clean test labels of each fit; what `store` holds is not fitted again."""
    store.mkdir(parents=True, exist_ok=True)
    for name in tables(folder, half):
        for repeat in range(repeats):
            X, clean, X_test, y_test = halves(folder, name, repeat)
            n_classes = clean.max() + 1
            for noise in CHOSEN:
                if (y := noisy_labels(noise, X, clean, repeat)) is None:
                    continue
                model, rate = NOISES[noise]
                matrix = apply(model, X, clean, n_classes, rate, np.random.default_rng(repeat)).transition
                for method, make in METHODS.items():
                    path = store / f"{name} {noise} {method} {repeat}.csv"
                    if not path.exists():
                        found = scores(make(matrix).fit(X, y), X_test, y_test)
                        row = name, noise, method, repeat, len(y), n_classes, *found
                        pd.DataFrame([row], columns=COLUMNS).to_csv(path, index=False)
        print(name, file=sys.stderr, flush=True)
    return pd.concat([pd.read_csv(path) for path in sorted(store.glob("*.csv"))])


def table(rows):
    """Mean accuracy in percent and, in brackets, log loss, with the number of data sets in the last row."""
    means = rows.groupby(["method", "noise"])[["accuracy", "log_loss"]].mean()
    cells = [f"{100 * accuracy:.1f} ({loss:.2f})" for accuracy, loss in means.to_numpy()]
    found = pd.Series(cells, means.index).unstack().reindex(index=METHODS, columns=CHOSEN)
    found.loc["data sets"] = rows.groupby("noise").data.nunique().astype(str)
    return found


def main():
    options = arguments(__doc__).parse_args()
    with threadpool_limits(1):
        rows = report(options.tables, options.store, options.half, options.repeats)
    print(table(rows).to_markdown())
    less = {method: difference(rows, method, "log loss") for method in METHODS if method != "log loss"}
    print(f"\nAccuracy less that of the log loss\n\n{pd.DataFrame(less).T[CHOSEN].to_markdown()}")


if __name__ == "__main__":
    sys.exit(main())
