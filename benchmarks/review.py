"""Reviews of labels by simulated people: how often the interval holds the truth, and what a review finds.

For each table and noise, the detector is fitted on several draws of the noise, and each is reviewed in many random
orders, with right answers. Rounds are of 60 rows. The errors of ClinVar are real ones; each draw takes other rows.
Without the package cleanlab, its order is left out.
"""

import argparse
import importlib.util
import itertools
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from label_errors import FOLDS, cleanlab, five_fold
from self_tuning import MAX_ROWS, halves, noisy_labels, tables
from sklearn.ensemble import RandomForestClassifier

from ironbark import LabelErrorDetector
from ironbark.label_errors import LabelReview

ROUND, ROUNDS = 60, 10
NOISES = ("clean", "uniform-0.1", "uniform-0.2", "uniform-0.4", "class-conditional-0.1-0.4", "pair-flip-0.3")
NOISES += ("part-dependent-0.2", "margin-0.2")
REAL = "misla-clinvar-real"
LOOKS = {"round 1": slice(0, 1), "round 3": slice(2, 3), "all rounds": slice(None)}


def problem(folder, name, noise, draw):
    """Features, true labels, and given ones, or None if the noise is not made for them."""
    if name != REAL:
        X, true, *_ = halves(folder, name, 0)
        return X, true, noisy_labels(noise, X, true, draw, FOLDS)
    table, given = (pd.read_parquet(Path(folder, part, f"{name}.parquet")) for part in ("", "extra"))
    rows = np.random.default_rng(draw).permutation(len(table))[:MAX_ROWS]
    table, labels = table.iloc[rows], given.iloc[rows, 0].to_numpy(int)
    return table.drop(columns="target").to_numpy(float), table["target"].to_numpy(int), labels


def reviews(folder, name, noise, draw, orders):
    """One row for each order of a review."""
    X, true, labels = problem(folder, name, noise, draw)
    if labels is None or len(labels) < ROUND * ROUNDS:
        return []
    detector = LabelErrorDetector(random_state=draw).fit(X, labels)
    wrong = labels != true
    rate = wrong[detector.is_judged_].mean()
    rows, end = [], stopped(detector, labels, true) | {"in the band": in_the_band(detector, labels, wrong, true)}
    if importlib.util.find_spec("cleanlab"):
        quality = cleanlab(X, labels, five_fold(RandomForestClassifier(random_state=0), X, labels))[0]
        end["by cleanlab's order"] = wrong[np.argsort(quality, kind="stable")[:180]].sum()
    for order in range(orders):
        review = LabelReview(detector, labels, random_state=order)
        looks = []
        for _ in range(ROUNDS):
            asked = review.sample(ROUND)
            review.add(asked, true[asked])
            looks.append(review.estimate())
        low, high = np.transpose([look.interval for look in looks])
        holds = (low <= rate + 1e-12) & (rate <= high + 1e-12)
        row = {"table": name, "noise": noise, "wrong": rate}
        row |= {f"holds, {look}": holds[part].all() for look, part in LOOKS.items()}
        row |= {"width, round 1": high[0] - low[0], "width, round 3": high[2] - low[2]}
        row |= {"found in 180": looks[2].n_confirmed, "by the most suspicious": wrong[detector.ranking_[:180]].sum()}
        rows.append(row | {"at random": 180 * rate, **end})
    return rows


def stopped(detector, labels, true):
    """Rows checked and errors left when the most suspicious rows, 20 a time, are worth it no more."""
    review = LabelReview(detector, labels)
    while (estimate := review.estimate()).goes_on and len(rows := review.suspects(20)):
        review.add(rows, true[rows])
    return {"checked at the stop": estimate.n_answered, "left at the stop": (review.cleaned() != true).sum()}


def in_the_band(detector, labels, wrong, true):
    """Share of the forecasts of a review, 40 rows of its design and 20 suspects a round, whose band holds the count."""
    review, holds = LabelReview(detector, labels), []
    for _ in range(ROUNDS):
        for ask, size in ((review.sample, 40), (review.suspects, 20)):
            rows = ask(size)
            review.add(rows, true[rows])
        found = wrong[review.suspects(100)].cumsum()
        bands = {n: band for n, band in review.estimate().next_errors.items() if n <= len(found)}
        holds += [low <= found[n - 1] <= high for n, (_, low, high) in bands.items()]
    return np.mean(holds)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", required=True, help="folder of <name>.parquet")
    parser.add_argument("--draws", type=int, default=5, help="of the noise")
    parser.add_argument("--orders", type=int, default=400, help="of each draw")
    parser.add_argument("--most", type=int, default=6, help="tables")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    names = [name for name in tables(options.tables, "report") if Path(options.tables, f"{name}.parquet").exists()]
    large = [name for name in names if len(halves(options.tables, name, 0)[1]) >= ROUND * ROUNDS][: options.most]
    settings = [*itertools.product(large, NOISES, range(options.draws))]
    if Path(options.tables, "extra", f"{REAL}.parquet").exists():
        settings += [(REAL, "as published", draw) for draw in range(options.draws)]
    done = Parallel(options.jobs)(delayed(reviews)(options.tables, *which, options.orders) for which in settings)
    rows = pd.DataFrame(itertools.chain.from_iterable(done))
    cells = rows.groupby(["table", "noise"]).mean(numeric_only=True)
    print(cells.round(3).to_markdown())
    print(cells.filter(like="holds").min().to_markdown())
    print(cells.groupby("noise").mean().round(3).T.to_markdown())


if __name__ == "__main__":
    sys.exit(main())
