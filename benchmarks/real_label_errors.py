"""Label errors of MNIST and 20 Newsgroups that people confirmed, and where the detector ranks them."""

import argparse
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from measure import seconds
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import average_precision_score

from ironbark import LabelErrorDetector
from ironbark.label_errors.scores import likeliest_others
from ironbark.pipeline.data.sources import confirmed_errors
from ironbark.pipeline.figures import style

TOP = 100  # most suspicious test samples that are looked at
SHOWN = 30


def mnist(folder):
    """Pixels of all 70,000 digits, labels, and rows of the test part in its own order."""
    table = pd.read_parquet(Path(folder, "mnist.parquet"))
    test, y = table.pop("split") == "test", table.pop("target").astype(str).to_numpy()
    return table.to_numpy(np.float32), y, np.flatnonzero(test)


def newsgroups(folder):
    """The same of 18,846 texts: 300 singular components of their TF-IDF weights."""
    table = pd.read_parquet(Path(folder, "20news-raw.parquet"))
    weights = TfidfVectorizer(min_df=2, sublinear_tf=True, stop_words="english").fit_transform(table["text"])
    X = TruncatedSVD(300, random_state=0).fit_transform(weights).astype(np.float32)
    rows = np.flatnonzero(table["split"] == "test")
    for seed in (0, 42):  # scikit-learn shuffles the files when it reads them and when it gives them out
        np.random.RandomState(seed).shuffle(rows)  # noqa: NPY002 - the old generator, as there
    return X, table["target"].astype(str).to_numpy(), rows


TABLES = {"mnist": mnist, "20newsgroups": newsgroups}


def row_of(name, folder, votes):
    """Row of the table, and what the picture needs."""
    X, y, places = TABLES[name](folder)
    votes = confirmed_errors.read(Path(votes, confirmed_errors.FILES[name].file))
    cast = votes[[f"votes_{name}" for name in confirmed_errors.VOTES]].sum(axis=1)
    is_error = votes["votes_given"] < cast / 2
    if (y[places[votes.index]] != votes["given"]).any():
        raise SystemExit(f"the test part of {name} is in another order than the votes")
    detector = LabelErrorDetector(random_state=0)
    spent = seconds(detector.fit, X, y)
    quality = detector.label_quality_[places]
    rank = np.empty(len(places), int)
    rank[np.argsort(quality, kind="stable")] = np.arange(1, len(places) + 1)
    wrong = votes.index[is_error]
    row = {
        "data set": name,
        "test samples": len(places),
        "shown to people": len(votes),
        "confirmed errors": len(wrong),
        f"of these among our first {TOP}": int((rank[wrong] <= TOP).sum()),
        "median rank": int(np.median(rank[wrong])),
        "average precision among those shown": average_precision_score(is_error, -quality[votes.index]),
        "estimated share of wrong labels": detector.noise_rate_,
        "CPU seconds": spent,
    }
    return row, (X, y, detector)


def draw(X, y, detector, path):
    """The most suspicious digits, with their given labels and the most likely others."""
    codes = np.searchsorted(detector.classes_, y)
    others = detector.classes_[likeliest_others(detector.probabilities_, codes, detector.noise_matrix_)]
    with plt.style.context([style.RC, {"axes.grid": False}]):
        figure, axes = plt.subplots(3, SHOWN // 3, figsize=(9, 3.2), layout="constrained")
    for axis, sample in zip(axes.ravel(), detector.ranking_, strict=False):
        axis.imshow(X[sample].reshape(28, 28), cmap="gray_r")
        axis.set_title(f"{y[sample]}, rather {others[sample]}?", fontsize=7)
        axis.set_axis_off()
    figure.savefig(path, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", required=True, help="folder of mnist.parquet and 20news-raw.parquet")
    parser.add_argument(
        "--votes", required=True, help="folder of the files of votes, which source confirmed-errors loads"
    )
    parser.add_argument("--picture", type=Path, default="docs/figures/label-errors-mnist.png")
    options = parser.parse_args()
    rows = []
    for name in TABLES:
        row, drawn = row_of(name, options.tables, options.votes)
        rows.append(row)
        if name == "mnist":
            draw(*drawn, options.picture)
    print(pd.DataFrame(rows).round(3).set_index("data set").T.to_markdown())


if __name__ == "__main__":
    sys.exit(main())
