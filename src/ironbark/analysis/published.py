"""Numbers that papers print, in the words and units of our own cells.

Each reader returns a frame with the columns of `COLUMNS`; the means and spreads are fractions.
"""

import pandas as pd

from ironbark.errors import InputError

COLUMNS = ["table", "dataset", "task", "model", "method", "noise", "rate", "mean", "spread", "n"]
ANE_REPEATS = 5  # noisy training sets per cell


def ane(path):
    """Tables 2 to 5 of the adaptive negative exponential loss paper.

    Parameters
    ----------
    path : str or Path
        ``ane_accuracy.csv``: percent, two decimals, mean and two standard deviations over five noisy training sets.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`: ``table`` (str, as printed), ``model`` (DT or RF), ``method`` (the name in the file),
        ``mean`` and ``spread`` (one standard deviation) as fractions, ``n`` (int). Noise at rate zero is called
        ``clean`` with rate ``0``, as in `ironbark.records`.

    Raises
    ------
    InputError
        If a column is missing.
    """
    printed = pd.read_csv(path, dtype={"table": "str", "noise_rate": "str"}, keep_default_na=False)
    wanted = {"table", "model", "task", "dataset", "method", "noise_kind", "noise_rate", "mean", "two_sd"}
    if not wanted <= set(printed.columns):
        absent = ", ".join(sorted(wanted - set(printed.columns)))
        raise InputError(f"{path} has no column {absent}; use the tracked file of printed numbers")
    clean = (printed["noise_kind"] == "uniform") & (printed["noise_rate"] == "0.0")
    tidy = printed.assign(
        noise=printed["noise_kind"].mask(clean, "clean"),
        rate=printed["noise_rate"].mask(clean, "0"),
        mean=printed["mean"] / 100,
        spread=printed["two_sd"] / 200,
        n=ANE_REPEATS,
    )
    return tidy[COLUMNS]


def ane_highlighted(path):
    """Whether each cell of `ane` is bold in the print: Series of bool, in the same order."""
    return (pd.read_csv(path, usecols=["highlighted"])["highlighted"] == "yes").rename("highlighted")


#: Printed name in Table III of the pairwise-gain paper -> id of the data set, where they differ.
PG_IDS = {"diabetes": "diabetes-libsvm", "german": "german-libsvm", "mnist": "mnist-libsvm"}
PG_RUNS = 50  # 10 trials of a 5-fold cross-validation
#: Mark of a rival in the file -> verdict on pairwise gain, in the words of `ironbark.analysis.significance`.
PG_MARKS = {"better": "win", "worse": "loss", "none": "tie"}


def _pg_file(path):
    printed = pd.read_csv(path, dtype={"tau_minus": "str", "tau_plus": "str"}, keep_default_na=False)
    wanted = {"dataset", "tau_minus", "tau_plus", "method", "mean", "std", "mark"}
    if not wanted <= set(printed.columns):
        absent = ", ".join(sorted(wanted - set(printed.columns)))
        raise InputError(f"{path} has no column {absent}; use the tracked file of printed numbers")
    rate = printed["tau_minus"] + "/" + printed["tau_plus"]
    return printed.assign(dataset=printed["dataset"].replace(PG_IDS), rate=rate)


def pg(path):
    """Table III of the pairwise-gain paper: forests under asymmetric noise.

    Parameters
    ----------
    path : str or Path
        ``pg_accuracy.csv``: fractions, four decimals, mean and standard deviation over 50 runs.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`, with our ids of the data sets; ``method`` is pairwise, gini or entropy.

    Raises
    ------
    InputError
        If a column is missing.
    """
    tidy = _pg_file(path).rename(columns={"std": "spread"})
    return tidy.assign(table="III", task="binary", model="RF", noise="class_conditional", n=PG_RUNS)[COLUMNS]


def pg_verdicts(path):
    """The marks of that table.

    Returns
    -------
    DataFrame
        Columns ``dataset, rate, rival, verdict``; a verdict is that on pairwise gain: win, tie or loss.
    """
    rivals = _pg_file(path).query("method != 'pairwise'")
    found = rivals.assign(rival=rivals["method"], verdict=rivals["mark"].map(PG_MARKS))
    return found[["dataset", "rate", "rival", "verdict"]].reset_index(drop=True)


#: Paper -> reader(path).
PUBLISHED = {"ane": ane, "pg": pg}
