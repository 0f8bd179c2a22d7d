"""How many rules the ensemble of RMBoost has, by samples, rounds and size of the base trees."""

import argparse

import numpy as np
import pandas as pd

from ironbark import RMBoostClassifier

SAMPLES = (300, 600, 1200, 2400, 4500)
TESTS = 500  # samples to test on; a tenth of the training samples if that is more
CASES = {"11 leaves, 100 rounds": (11, 100), "11 leaves, 400 rounds": (11, 400), "auto, 100 rounds": ("auto", 100)}


def draws(table, options):
    """Training and test samples of each repeat, the classes as one against the rest; noise in those for training."""
    y = (table.pop(options.target).astype(str) == options.positive).to_numpy()
    X = table.to_numpy(np.float64)
    most = max(options.samples)
    for seed in range(options.repeats):
        rng = np.random.default_rng(seed)
        train, test = np.split(rng.permutation(len(X))[: most + max(TESTS, most // 10)], [most])
        yield seed, X[train], y[train] ^ (rng.random(most) < options.noise), X[test], y[test]


def fit(seed, X, y, X_test, y_test, leaves, rounds):
    """Error, minimax risk of the first rule and of all, and the effective number of rules, (sum mu)^2 / sum mu^2."""
    model = RMBoostClassifier(max_leaf_nodes=leaves, n_estimators=rounds, random_state=seed).fit(X, y)
    mu = np.abs(model.mu_)
    risks = {"risk of the first rule": 100 * model.risks_[0], "minimax risk": 100 * model.minimax_risk_}
    return {"error": 100 * (1 - model.score(X_test, y_test)), **risks, "effective rules": mu.sum() ** 2 / (mu @ mu)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", help="Parquet file of numbers and a column of labels, such as Covertype")
    parser.add_argument("--target", default="target")
    parser.add_argument("--positive", default="2", help="label of class 1; all others are class 0")
    parser.add_argument("--samples", type=int, nargs="+", default=SAMPLES, help="sizes of the training sample")
    parser.add_argument("--noise", type=float, default=0.0, help="share of the training labels that are flipped")
    parser.add_argument("--repeats", type=int, default=10)
    options = parser.parse_args()
    rows = []
    for seed, X, y, X_test, y_test in draws(pd.read_parquet(options.table), options):
        for name, case in CASES.items():
            for n in options.samples:
                rows.append({"case": name, "samples": n, **fit(seed, X[:n], y[:n], X_test, y_test, *case)})
    means = pd.DataFrame(rows).groupby(["case", "samples"], sort=False).mean().round(1)
    print(means.reset_index().to_markdown(index=False))


if __name__ == "__main__":
    main()
