"""Numbers that papers print, in the words and units of our own cells.

Each reader returns a frame with the columns of `COLUMNS`; means, spreads and the rounding, which is half a unit of the
last printed digit, are fractions.
"""

import pandas as pd

from ironbark.errors import InputError

COLUMNS = ["table", "dataset", "task", "model", "method", "noise", "rate", "mean", "spread", "n"]
COLUMNS += ["rounding"]
FINE = 0.00005  # rounding of percent with two decimals and of fractions with four
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
        ``clean`` with rate ``0``, as in `ironbark.pipeline.results.records`.

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
        rounding=FINE,
    )
    return tidy[COLUMNS]


def ane_highlighted(path):
    """Whether each cell of `ane` is bold in the print: Series of bool, in the same order."""
    return (pd.read_csv(path, usecols=["highlighted"])["highlighted"] == "yes").rename("highlighted")


#: Printed name in Table III of the pairwise-gain paper -> id of the data set, where they differ.
PG_IDS = {"diabetes": "diabetes-libsvm", "german": "german-libsvm", "mnist": "mnist-libsvm"}
PG_RUNS = 50  # 10 trials of a 5-fold cross-validation
#: Mark of a rival in the file -> verdict on pairwise gain, in the words of
#: `ironbark.pipeline.analysis.statistics.significance`.
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
    return tidy.assign(table="III", task="binary", model="RF", noise="class_conditional", n=PG_RUNS, rounding=FINE)[
        COLUMNS
    ]


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


#: Name in the files of the RMBoost paper -> id of the data set, where they differ.
RMB_IDS = {"credit": "credit-approval"}
RMB_RUNS = 100  # random partitions
#: Noise in these files -> ours.
RMB_NOISES = {"none": "clean", "uniform": "uniform", "adversarial": "adversarial"}
#: Source of a cell -> its table; what is in none is a reply to reviewers that completes Table 5.
RMB_TABLES = {"table3": "3", "tables1+3": "3", "table5": "5", "authors_reply": "5, reply"}
RISK = "MinimaxRisk"


def rmb(path):
    """Tables 3 (which holds Table 1) and 5 of the RMBoost paper.

    Parameters
    ----------
    path : str or Path
        ``rmb_error.csv``: percent, mean and standard deviation over 100 partitions. Means are whole numbers from 10 on,
        below they have a decimal.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`, with our ids of the data sets. ``model`` is ``classifier``, or ``risk`` for the minimax risk,
        whose cells count as a table of their own such as ``3, risk``, since they are no errors.

    Raises
    ------
    InputError
        If a column is missing.
    """
    printed = pd.read_csv(path, dtype={"mean": "str", "noise_rate": "float64"}, keep_default_na=False)
    wanted = {"dataset", "method", "noise_kind", "noise_rate", "mean", "std", "source"}
    if not wanted <= set(printed.columns):
        absent = ", ".join(sorted(wanted - set(printed.columns)))
        raise InputError(f"{path} has no column {absent}; use the tracked file of printed numbers")
    risk = printed["method"] == RISK
    tidy = printed.assign(
        table=printed["source"].map(RMB_TABLES) + risk.map({True: ", risk", False: ""}),
        dataset=printed["dataset"].replace(RMB_IDS),
        task="binary",
        model=risk.map({True: "risk", False: "classifier"}),
        noise=printed["noise_kind"].map(RMB_NOISES),
        rate=printed["noise_rate"].map("{:g}".format),
        mean=printed["mean"].astype(float) / 100,
        spread=printed["std"].astype(float) / 100,
        n=RMB_RUNS,
        rounding=printed["mean"].str.contains(".", regex=False).map({True: 0.0005, False: 0.005}),
    )
    return tidy[COLUMNS]


def rmb_tradeoff(path):
    """Table 4 of the RMBoost paper.

    Returns
    -------
    DataFrame
        Columns ``method`` (as printed), ``noise``, ``rate`` and ``value``: at ``clean`` the average rank, else the
        average increase of the error as a fraction.
    """
    printed = pd.read_csv(path)
    rank = printed["metric"] == "average_rank"
    return pd.DataFrame(
        {
            "method": printed["method"],
            "noise": printed["noise_kind"].map(RMB_NOISES),
            "rate": printed["noise_rate"].map("{:g}".format),
            "value": printed["value"].where(rank, printed["value"] / 100),
        }
    )


#: Printed name in the Robust-GBDT paper -> id of the data set, where more than hyphens differ.
RGBDT_IDS = {"SantanderCustomerSatisfaction": "santander"}


def rgbdt_ranks(path):
    """Tables 1 and 2 of the Robust-GBDT paper: average ranks over five noise levels.

    Returns
    -------
    DataFrame
        Columns ``task``, ``dataset`` (our id), ``method`` (name in the file) and ``average_rank``, NaN where the paper
        has a dash.
    """
    printed = pd.read_csv(path)[["task", "dataset", "method", "average_rank"]]
    return printed.assign(dataset=printed["dataset"].replace(RGBDT_IDS).str.replace("_", "-"))


def rgbdt_rank_averages(path):
    """The lines "Average" of both tables: columns ``task``, ``method`` and ``published_average``."""
    return pd.read_csv(path)[["task", "method", "published_average"]]


#: Paper -> reader(path).
PUBLISHED = {"ane": ane, "pg": pg, "rmb": rmb}
