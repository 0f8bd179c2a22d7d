"""Accuracy of ironbark's estimators with default parameters, less that of their plain counterparts, as Markdown tables.

Each pair is fitted to the same partitions of clean data, and of data with uniform noise of 20 %. Mean differences in
percentage points, over the partitions and then over the data sets.
"""

import argparse
import importlib
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from measure import SHIPPED, load, some_rows
from sklearn import datasets
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.tree import DecisionTreeClassifier

import ironbark
from ironbark import boosting
from ironbark.boosting.gbdt.base import required
from ironbark.noise import corrupt

MIRROR = Path(__file__).parents[2] / "shared/mirror"
TABLES = MIRROR if MIRROR.exists() else None
BUNDLED = SHIPPED | {"iris": datasets.load_iris}
SETS = ["breast-cancer", "wine", "iris", "digits", "australian", "diabetes", "fourclass", "german", "heart", "qsar",
        "balance", "cleveland", "contraceptive", "vehicle"]  # fmt: skip
NOISES = {"clean": None, "uniform 20 %": ("uniform", 0.2)}
FEWEST = 4  # samples of a class, else it is left out


def plain(name):
    """A library's own classifier with defaults; on one thread, and silent."""
    if name == "XGBClassifier":
        return required("xgboost", "this benchmark").XGBClassifier(n_jobs=1)
    if name == "LGBMClassifier":
        return required("lightgbm", "this benchmark").LGBMClassifier(n_jobs=1, verbose=-1)
    kinds = (DecisionTreeClassifier, RandomForestClassifier, AdaBoostClassifier, GradientBoostingClassifier)
    return {kind.__name__: kind for kind in kinds}[name](random_state=0)


#: Estimator of ours -> its plain counterpart.
PAIRS = {
    "RobustDecisionTreeClassifier": "DecisionTreeClassifier",
    "RobustRandomForestClassifier": "RandomForestClassifier",
    "AdaBoostClassifier": "AdaBoostClassifier",
    "LogitBoostClassifier": "GradientBoostingClassifier",
    "GentleBoostClassifier": "GradientBoostingClassifier",
    "QuadraticXGBClassifier": "XGBClassifier",
    "RobustXGBClassifier": "XGBClassifier",
    "RobustLGBMClassifier": "LGBMClassifier",
    "BrownBoostClassifier": "GradientBoostingClassifier",
    "RobustBoostClassifier": "GradientBoostingClassifier",
    "LPBoostClassifier": "GradientBoostingClassifier",
    "RMBoostClassifier": "GradientBoostingClassifier",
}


def ours(name):
    """Our estimator with defaults but a seed."""
    model = getattr(ironbark if name in ironbark.__all__ else boosting, name)()
    return model.set_params(random_state=0)


def tables(folder, names, most):
    """Name, features and labels 0..K-1 of each data set that there is, of at most so many rows."""
    for name in names:
        if name in BUNDLED:
            X, y = BUNDLED[name](return_X_y=True)
        elif folder is not None:
            X, y = load(folder, name)
        else:
            continue
        kept = some_rows(len(y), most)
        X, y = np.asarray(X, float)[kept], y[kept]
        kept = np.bincount(y)[y] >= FEWEST
        yield name, X[kept], np.unique(y[kept], return_inverse=True)[1]


def noisy_parts(X, y, noise, repeats):
    """Training part with noisy labels and clean test part of each stratified partition."""
    split = StratifiedShuffleSplit(repeats, test_size=0.3, random_state=0)
    for k, (train, test) in enumerate(split.split(X, y)):
        labels = y[train] if noise is None else corrupt(noise[0], None, y[train], rate=noise[1], random_state=k)
        yield X[train], labels, X[test], y[test]


def measure(X, y, noise, repeats, names):
    """Differences of accuracy of all pairs on each partition of a data set."""
    for repeat, (train, noisy, test, clean) in enumerate(noisy_parts(X, y, NOISES[noise], repeats)):
        found = {}
        for name in names:
            model = ours(name)
            if len(np.unique(y)) > 2 and not model.__sklearn_tags__().classifier_tags.multi_class:
                continue
            if PAIRS[name] not in found:
                found[PAIRS[name]] = plain(PAIRS[name]).fit(train, noisy).score(test, clean)
            points = 100 * (model.fit(train, noisy).score(test, clean) - found[PAIRS[name]])
            yield {"estimator": name, "plain": PAIRS[name], "noise": noise, "repeat": repeat, "points": points}


def markdown(table):
    """A table of points, with rows named by its index."""
    columns = [" ".join(one) if isinstance(one, tuple) else one for one in table.columns]
    head = [*table.index.names, *columns]
    print(f"\n| {' | '.join(head)} |\n| {' | '.join('---' for _ in head)} |")
    for name, row in table.iterrows():
        first = name if isinstance(name, tuple) else (name,)
        print(f"| {' | '.join([*map(str, first), *('' if np.isnan(v) else f'{v:+.1f}' for v in row)])} |")


def versions(*packages):
    """Python, and the versions of packages."""
    found = ", ".join(f"{name} {importlib.import_module(name).__version__}" for name in packages)
    print(f"Python {sys.version.split()[0]}, {found}")


def options(sets, rows, repeats):
    """Arguments that the benchmarks of accuracy share."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--tables", default=TABLES, help="folder of <name>.parquet")
    parser.add_argument("--sets", nargs="+", default=sets)
    parser.add_argument("--rows", type=int, default=rows, help="largest number of rows of a data set")
    parser.add_argument("--repeats", type=int, default=repeats, help="partitions of each data set")
    parser.add_argument("--save", help="CSV file of all differences; data sets that it holds are not run again")
    return parser


def collected(asked, rows_of):
    """Rows of ``rows_of(X, y)`` for each data set, those of an earlier run included."""
    found = [pd.read_csv(asked.save)] if asked.save and Path(asked.save).exists() else []
    done = set(found[0]["data"]) if found else set()
    for name, X, y in tables(asked.tables, [name for name in asked.sets if name not in done], asked.rows):
        found.append(pd.DataFrame(rows_of(X, y)).assign(data=name))
        if asked.save:
            pd.concat(found).to_csv(asked.save, index=False)
    return pd.concat(found)


def main():
    parser = options(SETS, 1000, 3)
    parser.add_argument("--estimators", nargs="+", default=list(PAIRS), choices=PAIRS, metavar="NAME")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")

    def rows_of(X, y):
        return [row for noise in NOISES for row in measure(X, y, noise, asked.repeats, asked.estimators)]

    rows = collected(asked, rows_of)
    versions("sklearn", "xgboost", "lightgbm", "numpy", "numba")
    sets = rows.groupby(["estimator", "plain", "noise", "data"])["points"].mean()
    markdown(sets.groupby(["estimator", "plain", "noise"]).mean().unstack())
    markdown(sets.xs("clean", level="noise").droplevel("plain").unstack())


if __name__ == "__main__":
    sys.exit(main())
