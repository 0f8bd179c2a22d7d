"""Self-tuned forests and trees against fixed ones and other libraries, under six kinds of label noise."""

import argparse
import sys
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd
from measure import seconds
from pandas.api.types import is_numeric_dtype
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

import ironbark
from ironbark.errors import InputError
from ironbark.noise import corrupt

#: Tables that hold the samples of another one, or other labels for them.
COPIES = {"a9a", "car-eval-4", "credit-approval", "dna", "flare", "heart-scale", "mushrooms-xgb", "misla-adult"}
COPIES |= {"misla-pokerhand", "misla-rna1", "misla-rna2"}
MAX_ROWS, MAX_FEATURES, FEWEST = 3000, 120, 10  # rows and features that are drawn; samples that a class needs
HALVES = ("choose", "report")  # rules are chosen on one, compared on the other
#: Tables of the first half.
CHOSEN_ON = {
    *("abalone-19", "australian", "breast", "cleveland", "contraceptive", "diabetes", "fourclass", "heart", "letter"),
    *("mammography", "mushrooms", "ozone-level", "poker", "satimage", "shuttle", "solar-flare-m0", "texture"),
    *("unsw-nb15", "vehicle", "yeast-me2"),
}

#: Id -> noise model and rate.
NOISES = {
    "clean": ("clean", None),
    "uniform-0.2": ("uniform", 0.2),
    "uniform-0.4": ("uniform", 0.4),
    "pair-flip-0.3": ("pair_flip", 0.3),
    "class-conditional-0.1-0.4": ("class_conditional", (0.1, 0.4)),
    "mahalanobis": ("mahalanobis", None),
    "adversarial-0.2": ("adversarial", 0.2),
}
#: Those of the picture.
UNIFORM = {"clean": ("clean", None), **{f"uniform-{rate}": ("uniform", rate) for rate in (0.1, 0.2, 0.3, 0.4, 0.45)}}
KNOWN = NOISES | UNIFORM | {"part-dependent-0.2": ("part_dependent", 0.2), "margin-0.2": ("margin", 0.2)}

COLUMNS = ["data", "noise", "method", "repeat", "rows", "classes", "accuracy", "area", "seconds"]
SEED = {"random_state": 0}
BOOSTER = {"verbose": -1, "n_jobs": 1, **SEED}
SLOW = {"num_leaves": 7, "learning_rate": 0.05, "min_child_samples": 30}
HELD = {"validation_fraction": 0.2}
SMALL = {"learning_rate": 0.1, "max_leaf_nodes": 8, "min_samples_split": 60}


#: Boosters of a fixed number of rounds, and of one that is chosen on held-out noisy labels.
ROUNDS = {
    "RobustLGBM": lambda: ironbark.RobustLGBMClassifier(**BOOSTER),
    "RobustLGBM, held out": lambda: ironbark.RobustLGBMClassifier(**BOOSTER, **HELD),
    "RobustLGBM, 7 leaves": lambda: ironbark.RobustLGBMClassifier(**BOOSTER, **SLOW),
    "RobustLGBM, 7 leaves, held out": lambda: ironbark.RobustLGBMClassifier(
        n_estimators=200, **BOOSTER, **SLOW, **HELD
    ),
    "RobustXGB": lambda: ironbark.RobustXGBClassifier(**SEED),
    "RobustXGB, held out": lambda: ironbark.RobustXGBClassifier(**SEED, **HELD),
    "LogitBoost": lambda: ironbark.LogitBoostClassifier(**SEED),
    "LogitBoost, held out": lambda: ironbark.LogitBoostClassifier(**SEED, **HELD),
    "LogitBoost, 8 leaves, held out": lambda: ironbark.LogitBoostClassifier(**SEED, **SMALL, **HELD),
}
#: Column of the table -> an estimator with 100 trees, if it is an ensemble.
METHODS = {
    "scikit-learn forest": lambda: RandomForestClassifier(**SEED),
    "LightGBM": lambda: lightgbm.LGBMClassifier(**BOOSTER),
    "LightGBM, 7 leaves": lambda: lightgbm.LGBMClassifier(**BOOSTER, **SLOW),
    "forest, fixed": lambda: ironbark.RobustRandomForestClassifier(criterion="gini", ccp_alpha=0.0, **SEED),
    "forest, self-tuned": lambda: ironbark.RobustRandomForestClassifier(**SEED),
    "ensemble": lambda: ironbark.RobustEnsembleClassifier(**SEED),
    "scikit-learn forest, leaves of 20": lambda: RandomForestClassifier(min_samples_leaf=20, **SEED),
    "scikit-learn tree": lambda: DecisionTreeClassifier(**SEED),
    "tree, fixed": lambda: ironbark.RobustDecisionTreeClassifier("gini", ccp_alpha=0.0, **SEED),
    "tree, self-tuned": lambda: ironbark.RobustDecisionTreeClassifier(**SEED),
    **ROUNDS,
}


#: Binary tables with a class of less than 10 %.
IMBALANCED = {
    *("abalone-19", "ijcnn1", "thyroid-sick", "climate", "libras-move", "mammography", "oil", "ozone-level"),
    *("sick-euthyroid", "solar-flare-m0", "w8a", "yeast-me2", "yeast-ml8"),
}
#: Situation -> which rows are of it.
SITUATIONS = {
    "fewer than 700 training rows": lambda rows: rows.rows < 700,
    "two classes": lambda rows: rows.classes == 2,
    "three and more classes": lambda rows: rows.classes > 2,
    "a rare class": lambda rows: rows.data.isin(IMBALANCED),
}
SELF = "ensemble"
RIVALS = ["forest, self-tuned", "scikit-learn forest", "scikit-learn forest, leaves of 20", "LightGBM"]


def tables(folder, half):
    """Names of one half of the tables, without copies, raw versions and those with errors of their own."""
    names = sorted(path.stem for path in Path(folder).glob("*.parquet"))
    names = [name for name in names if not name.endswith(("-raw", "-real")) and name not in COPIES]
    return [name for name in names if (name in CHOSEN_ON) == (half == "choose")]


def halves(folder, name, repeat):
    """Training features and labels, test features and labels: 70 % and 30 % of each class of a sample of a table."""
    table = pd.read_parquet(Path(folder, f"{name}.parquet")).drop(columns="split", errors="ignore")
    y = pd.factorize(table.pop("target"), sort=True)[0]
    table = table.apply(lambda column: column if is_numeric_dtype(column) else pd.factorize(column, sort=True)[0])
    rng = np.random.default_rng(repeat)
    rows = rng.permutation(len(y))[:MAX_ROWS]
    columns = np.sort(rng.permutation(table.shape[1])[:MAX_FEATURES])
    X, y = table.to_numpy(np.float32)[np.ix_(rows, columns)], y[rows]
    frequent = np.isin(y, np.flatnonzero(np.bincount(y) >= FEWEST))
    X, y = X[frequent], np.unique(y[frequent], return_inverse=True)[1]
    order = np.argsort(y, kind="stable")  # rows are in random order already
    test = np.zeros(len(y), bool)
    test[order[np.arange(len(y)) % 10 < 3]] = True
    return X[~test], y[~test], X[test], y[test]


def noisy_labels(noise, X, y, repeat, least=1):
    """Labels after a noise, or None where it is not made for such data or leaves a class with fewer samples."""
    model, rate = KNOWN[noise]
    if (model == "pair_flip" and y.max() == 1) or (model == "adversarial" and np.isnan(X).any()):
        return None  # the former is uniform noise
    try:
        found = corrupt(model, X, y, rate=rate, random_state=np.random.default_rng(repeat))
    except InputError:
        return None
    return found if np.bincount(found, minlength=y.max() + 1).min() >= least else None


def suits(model, X, y):
    """Whether an estimator takes missing values, or as many classes, where there are some."""
    tags = model.__sklearn_tags__()
    return (tags.input_tags.allow_nan or not np.isnan(X).any()) and (tags.classifier_tags.multi_class or y.max() == 1)


def area(y, probabilities):
    """Mean over the classes of the area under the ROC curve of each one against the others."""
    return np.mean([roc_auc_score(y == k, column) for k, column in enumerate(probabilities.T)])


def report(folder, store, repeats, half, methods, noises=tuple(NOISES)):
    """Scores on clean test labels and CPU seconds of each fit; what `store` holds is not fitted again."""
    store.mkdir(parents=True, exist_ok=True)
    for name in tables(folder, half):
        for repeat in range(repeats):
            X, clean, X_test, y_test = halves(folder, name, repeat)
            for noise in noises:
                y = noisy_labels(noise, X, clean, repeat)
                for method in methods if y is not None else ():
                    path = store / f"{name} {noise} {method} {repeat}.csv"
                    model = METHODS[method]()
                    if suits(model, X, y) and not path.exists():
                        spent = seconds(model.fit, X, y)
                        row = name, noise, method, repeat, len(y), y.max() + 1, model.score(X_test, y_test)
                        row += area(y_test, model.predict_proba(X_test)), spent
                        pd.DataFrame([row], columns=COLUMNS).to_csv(path, index=False)
        print(name, flush=True)
    rows = pd.concat([pd.read_csv(path) for path in sorted(store.glob("*.csv"))])
    return rows[rows.data.isin(tables(folder, half))]


def means(rows, noises, value="accuracy"):
    """A score in percent by method and noise, with the number of tables in the last row."""
    order = {"index": list(METHODS), "columns": noises}
    found = 100 * rows.pivot_table(index="method", columns="noise", values=value).reindex(**order).dropna(how="all")
    found.loc["data sets"] = rows.groupby("noise").data.nunique()
    return found.round(1).to_markdown()


def difference(rows, first, second):
    """Accuracy of one method less that of another by noise: mean and standard error over the tables, in points."""
    wide = 100 * rows.pivot_table(index=["noise", "data"], columns="method", values="accuracy")
    less = (wide[first] - wide[second]).groupby("noise")
    return less.mean().map("{:+.1f}".format) + " ± " + less.sem().map("{:.1f}".format)


def arguments(about, stores=True):
    """Parser of the options that scripts on halves of the tables have in common."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--tables", required=True, help="folder of <name>.parquet")
    parser.add_argument("--half", choices=HALVES, default="report")
    parser.add_argument("--repeats", type=int, default=1)
    if stores:
        parser.add_argument("--store", required=True, type=Path, help="folder that keeps finished fits")
    return parser


def main():
    parser = arguments(__doc__)
    parser.add_argument("--noises", nargs="+", choices={**NOISES, **UNIFORM}, default=list(NOISES))
    parser.add_argument("--methods", nargs="+", choices=METHODS, help="in place of forests and trees beside LightGBM")
    parser.add_argument("--rounds", action="store_true", help="boosters of `ROUNDS`, on tables that suit all of them")
    options = parser.parse_args()
    known = [name for name in METHODS if name.startswith("LightGBM") or (name in ROUNDS) == options.rounds]
    options.methods = options.methods or known
    with threadpool_limits(1):
        rows = report(options.tables, options.store, options.repeats, options.half, options.methods, options.noises)
    rows = rows[rows.noise.isin(options.noises) & rows.method.isin(options.methods)]
    if options.rounds:
        rows = rows[rows.groupby("data").method.transform("nunique") == rows.method.nunique()]
    print(means(rows, options.noises), means(rows, options.noises, "area"), sep="\n\n")
    for name, chosen in SITUATIONS.items():
        print(f"\n{name}\n\n{means(rows[chosen(rows)], options.noises)}")
    if SELF in set(rows.method):
        less = {rival: difference(rows, SELF, rival) for rival in RIVALS if rival in set(rows.method)}
        print(f"\n{SELF}, less\n\n{pd.DataFrame(less).T[options.noises].to_markdown()}\n")
    print(rows.groupby("method").seconds.sum().round(1).to_markdown())


if __name__ == "__main__":
    sys.exit(main())
