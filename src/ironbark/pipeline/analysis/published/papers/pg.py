"""Published values of the pairwise-gain paper."""

from pathlib import Path

from ironbark.pipeline.analysis.published.numbers import COLUMNS, FINE, read

#: Printed name in Table III of the pairwise-gain paper -> id of the data set, where they differ.
IDS = {"diabetes": "diabetes-libsvm", "german": "german-libsvm", "mnist": "mnist-libsvm"}
RUNS = 50  # 10 trials of a 5-fold cross-validation
#: Mark of a rival in the file -> verdict on pairwise gain, in the words of
#: `ironbark.pipeline.analysis.statistics.significance`.
MARKS = {"better": "win", "worse": "loss", "none": "tie"}


def _file(path):
    wanted = {"dataset", "tau_minus", "tau_plus", "method", "mean", "std", "mark"}
    printed = read(path, wanted, {"tau_minus": "str", "tau_plus": "str"})
    rate = printed["tau_minus"] + "/" + printed["tau_plus"]
    return printed.assign(dataset=printed["dataset"].replace(IDS), rate=rate)


def accuracy(path: str | Path):
    """Table III of the pairwise-gain paper: forests under asymmetric noise."""
    tidy = _file(path).rename(columns={"std": "spread"})
    tidy = tidy.assign(table="III", task="binary", model="RF", noise="class_conditional", n=RUNS, rounding=FINE)
    return tidy[COLUMNS]


def verdicts(path):
    """The marks of that table."""
    rivals = _file(path).query("method != 'pairwise'")
    found = rivals.assign(rival=rivals["method"], verdict=rivals["mark"].map(MARKS))
    return found[["dataset", "rate", "rival", "verdict"]].reset_index(drop=True)
