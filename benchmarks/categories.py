"""Forests that part categories by their levels against ordinal codes, one-hot columns, LightGBM and CatBoost."""

import sys
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd
from measure import seconds
from self_tuning import SEED, arguments, difference
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder
from threadpoolctl import threadpool_limits

from ironbark import RobustRandomForestClassifier
from ironbark.noise import corrupt

#: Tables with columns of categories: those on which the rule for rare levels was chosen, and others.
TABLES = {
    "choose": ("adult", "car-raw", "credit-approval", "flare-raw", "titanic"),
    "report": ("connect4-raw", "mushrooms-raw", "solar-flare-raw", "splice-raw", "thyroid-sick-raw"),
}
ROWS = 2000  # for training at most; 5000 for the test


def filled(X):
    """Texts without gaps, as CatBoost takes them."""
    return X.apply(lambda column: column.astype(object).fillna("") if column.dtype == "category" else column)


def catboost(names):
    from catboost import CatBoostClassifier  # late: an optional peer

    model = CatBoostClassifier(cat_features=names, thread_count=1, verbose=0, random_seed=0, allow_writing_files=False)
    return make_pipeline(FunctionTransformer(filled), model)


def one_hot(names):
    columns = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), names), remainder="passthrough")
    return make_pipeline(columns, RobustRandomForestClassifier(**SEED))


#: Method -> an estimator for frames with these columns of categories.
METHODS = {
    "levels": lambda names: RobustRandomForestClassifier(**SEED),
    "ordinal": lambda names: RobustRandomForestClassifier(categorical_features=None, **SEED),
    "one-hot": one_hot,
    "LightGBM, 7 leaves": lambda names: lightgbm.LGBMClassifier(num_leaves=7, n_jobs=1, verbose=-1, **SEED),
    "CatBoost": catboost,
}


def rows_of(folder, name, repeat, methods):
    """Accuracy on clean labels and CPU seconds of each method on one split of a table, under three noises."""
    table = pd.read_parquet(Path(folder, f"{name}.parquet")).drop(columns="split", errors="ignore")
    table = table[[column for column in table if table[column].notna().any()]]
    y = pd.factorize(table.pop("target").astype(str), sort=True)[0]
    names = table.columns[table.dtypes == "category"].tolist()
    order = np.random.default_rng(repeat).permutation(len(y))
    train, test = np.split(order, [min(ROWS, int(0.7 * len(y)))])
    test = test[:5000]
    for rate in (0.0, 0.2, 0.4):
        noisy = corrupt("uniform", None, y[train], rate=rate, random_state=np.random.default_rng(repeat))
        for method in methods:
            model = METHODS[method](names)
            spent = seconds(model.fit, table.iloc[train], noisy)
            yield name, f"uniform {rate}", method, np.mean(np.ravel(model.predict(table.iloc[test])) == y[test]), spent


def main():
    parser = arguments(__doc__, stores=False)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS)[:-1])
    options = parser.parse_args()
    with threadpool_limits(1):
        METHODS["levels"](None).fit(pd.DataFrame({"word": list("abc") * 9}), [0, 1, 2] * 9)  # compiles kernels
        found = [
            row
            for name in TABLES[options.half]
            for repeat in range(options.repeats)
            for row in rows_of(options.tables, name, repeat, options.methods)
        ]
    rows = pd.DataFrame(found, columns=["data", "noise", "method", "accuracy", "seconds"])
    print((100 * rows.pivot_table(index="method", columns="noise", values="accuracy")).round(1).to_markdown())
    less = {other: difference(rows, "levels", other) for other in options.methods[1:]}
    print(f"\nlevels, less\n\n{pd.DataFrame(less).T.to_markdown()}\n")
    ratios = rows.groupby(["data", "method"]).seconds.sum().unstack()
    print(ratios.div(ratios["ordinal"], axis=0).round(2).to_markdown())


if __name__ == "__main__":
    sys.exit(main())
