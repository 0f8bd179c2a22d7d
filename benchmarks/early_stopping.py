"""Boosters whose number of rounds is chosen on held-out noisy labels against fixed numbers of rounds."""

import argparse
import sys
from pathlib import Path

import numpy as np
from self_tuning import BOOSTER, HALVES, NOISES, SEED, SLOW, report
from self_tuning import METHODS as RIVALS
from threadpoolctl import threadpool_limits

from ironbark import LogitBoostClassifier, RMBoostClassifier, RobustLGBMClassifier, RobustXGBClassifier
from ironbark.boosting.gbdt.fitting import held_out

SHARE = 0.2
HELD = {"validation_fraction": SHARE}
SMALL = {"learning_rate": 0.1, "max_leaf_nodes": 8, "min_samples_split": 60}


class HeldOutRMBoost(RMBoostClassifier):
    """RMBoost with the number of rounds of the lowest Brier score on held-out labels 0 and 1."""

    def fit(self, X, y):
        fitted, scored = held_out(y, SHARE, None, self.random_state)
        stages = RMBoostClassifier(**self.get_params()).fit(X[fitted], y[fitted]).staged_decision_function(X[scored])
        losses = [np.mean((np.clip(score + 0.5, 0, 1) - y[scored]) ** 2) for score in stages]
        if losses:  # else no rule has an edge
            self.n_estimators = int(np.argmin(losses)) + 1
        return super().fit(X, y)


#: Row of the table -> an estimator.
METHODS = {
    "LightGBM": RIVALS["LightGBM"],
    "LightGBM, 7 leaves": RIVALS["LightGBM, 7 leaves"],
    "RobustLGBM": lambda: RobustLGBMClassifier(**BOOSTER),
    "RobustLGBM, held out": lambda: RobustLGBMClassifier(**BOOSTER, **HELD),
    "RobustLGBM, 7 leaves": lambda: RobustLGBMClassifier(**BOOSTER, **SLOW),
    "RobustLGBM, 7 leaves, held out": lambda: RobustLGBMClassifier(n_estimators=200, **BOOSTER, **SLOW, **HELD),
    "RobustXGB": lambda: RobustXGBClassifier(**SEED),
    "RobustXGB, held out": lambda: RobustXGBClassifier(**SEED, **HELD),
    "LogitBoost": lambda: LogitBoostClassifier(**SEED),
    "LogitBoost, held out": lambda: LogitBoostClassifier(**SEED, **HELD),
    "LogitBoost, 8 leaves, held out": lambda: LogitBoostClassifier(**SEED, **SMALL, **HELD),
    "RMBoost": lambda: RMBoostClassifier(**SEED),
    "RMBoost, held out": lambda: HeldOutRMBoost(**SEED),
}

BINARY = "RMBoost", "RMBoost, held out"


def table(rows):
    """Mean accuracy in percent of each method and noise."""
    means = 100 * rows.pivot_table(index="method", columns="noise", values="accuracy")
    kept = [noise for noise in NOISES if noise in means]
    return means.reindex([method for method in METHODS if method in means.index])[kept].round(1).to_markdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", required=True, help="folder of <name>.parquet")
    parser.add_argument("--store", required=True, type=Path, help="folder that keeps the result of each fit")
    parser.add_argument("--half", choices=HALVES, default="report")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--noises", nargs="+", choices=NOISES, default=list(NOISES)[:3])
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    asked = parser.parse_args()
    with threadpool_limits(1):
        rows = report(asked.tables, asked.store, asked.repeats, asked.half, asked.methods, asked.noises, METHODS)
    several = rows[~rows["method"].isin(BINARY)]
    for part in (several, rows):
        cells = part.groupby("data")["method"].nunique()
        found = part[part["data"].isin(cells.index[cells == part["method"].nunique()])]
        print(f"\nMeans of {found['data'].nunique()} tables that suit all methods\n\n{table(found)}")
    print(rows.groupby("method").seconds.sum().reindex(METHODS).round(1).to_markdown())


if __name__ == "__main__":
    sys.exit(main())
