"""Readers of the files of published values, in our names and units.

Means, spreads and the rounding, which is half a unit of the last published digit, are fractions.
"""

from pathlib import Path

import pandas as pd

from ironbark.errors import InputError

COLUMNS = ["table", "dataset", "task", "model", "method", "noise", "rate", "mean", "spread", "n", "rounding"]
FINE = 0.00005  # rounding of percent with two decimals and of fractions with four

#: Published name of a data set -> its id, where they differ; RGBDT: where more than hyphens differ.
PG_IDS = {"diabetes": "diabetes-libsvm", "german": "german-libsvm", "mnist": "mnist-libsvm"}
RMB_IDS = {"credit": "credit-approval"}
RGBDT_IDS = {"SantanderCustomerSatisfaction": "santander"}

RMB_NOISES = {"none": "clean", "uniform": "uniform", "adversarial": "adversarial"}
#: Source of a cell -> its table; what is in none is a reply to reviewers that completes Table 5.
RMB_TABLES = {"table3": "3", "tables1+3": "3", "table5": "5", "authors_reply": "5, reply"}
RISK = "MinimaxRisk"

MISLA_NOISES = {"Sym": "uniform", "Asym": "boundary_consistent", "Real": "observed"}
MISLA_IDS = {"ClinVarArt": "misla-clinvar", "ClinVarReal": "misla-clinvar-real"}
REAL_RATE = 0.05  # of the published runs on real errors, whose shares were set; nearest to the 4.7 % of the whole table


def tracked(path: str | Path, wanted: set[str], dtype):
    """A tracked file of published values."""
    published = pd.read_csv(path, dtype=dtype, keep_default_na=False)
    if not wanted <= set(published.columns):
        absent = ", ".join(sorted(wanted - set(published.columns)))
        raise InputError(f"{path} has no column {absent}; use the tracked file of published values")
    return published


def ane_cells(path: str | Path) -> pd.DataFrame:
    """Tables 2 to 5 of the ANE paper: five noisy training sets per cell."""
    wanted = {"table", "model", "task", "dataset", "method", "noise_kind", "noise_rate", "mean", "two_sd"}
    printed = tracked(path, wanted, {"table": "str", "noise_rate": "str"})
    means = {"mean": printed["mean"] / 100, "spread": printed["two_sd"] / 200}
    return printed.assign(**ane_noises(printed), **means, n=5, rounding=FINE)[COLUMNS]


def ane_noises(printed):
    """Columns noise and rate in our terms: that at rate zero is ``clean`` with rate ``0``."""
    clean = (printed["noise_kind"] == "uniform") & (printed["noise_rate"] == "0.0")
    return {"noise": printed["noise_kind"].mask(clean, "clean"), "rate": printed["noise_rate"].mask(clean, "0")}


def ane_curves(path):
    """Figure 6, digitized, as cells without spread, once for each ``metric``: model "lambda", method the lambda."""
    printed = pd.read_csv(path, dtype="str", keep_default_na=False)
    names = {"table": "Figure 6", "model": "lambda", "method": printed["lambda"], **ane_noises(printed)}
    cells = printed.assign(**names, spread=float("nan"), n=1, rounding=0.0005)
    units = {"accuracy": 100, "validation_accuracy": 100, "n_leaves": 1}
    parts = [cells.assign(metric=name, mean=printed[name].astype(float) / unit) for name, unit in units.items()]
    return pd.concat(parts, ignore_index=True)[[*COLUMNS, "metric"]]


def pg_cells(path: str | Path):
    """Table III of the pairwise-gain paper: forests under asymmetric noise, 10 trials of a 5-fold cross-validation."""
    wanted = {"dataset", "tau_minus", "tau_plus", "method", "mean", "std", "mark"}
    printed = tracked(path, wanted, {"tau_minus": "str", "tau_plus": "str"}).rename(columns={"std": "spread"})
    names = {"dataset": printed["dataset"].replace(PG_IDS), "rate": printed["tau_minus"] + "/" + printed["tau_plus"]}
    same = {"table": "III", "task": "binary", "model": "RF", "n": 50, "rounding": FINE}
    return printed.assign(**names, **same, noise="class_conditional_by_size")[COLUMNS]


def rmb_cells(path: str | Path) -> pd.DataFrame:
    """Tables 3 (which holds Table 1) and 5 of the RMBoost paper: errors and minimax risks of 100 partitions."""
    wanted = {"dataset", "method", "noise_kind", "noise_rate", "mean", "std", "source"}
    printed = tracked(path, wanted, {"mean": "str", "noise_rate": "float64"})
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
        n=100,
        rounding=printed["mean"].str.contains(".", regex=False).map({True: 0.0005, False: 0.005}),
    )
    return tidy[COLUMNS]


def rmb_curves(path):
    """`rmb_cells` with the column ``metric``: error or minimax_risk."""
    cells = rmb_cells(path)
    return cells.assign(metric=cells["model"].map({"classifier": "error", "risk": "minimax_risk"}))


def rmb_tradeoff(path) -> pd.DataFrame:
    """Table 4 of the RMBoost paper."""
    printed = pd.read_csv(path)
    names = {"noise": printed["noise_kind"].map(RMB_NOISES), "rate": printed["noise_rate"].map("{:g}".format)}
    value = printed["value"].where(printed["metric"] == "average_rank", printed["value"] / 100)
    return printed.assign(**names, value=value)[["method", "noise", "rate", "value"]]


def rgbdt_ranks(path) -> pd.DataFrame:
    """Tables 1 and 2 of the Robust-GBDT paper: average ranks over five noise levels."""
    printed = pd.read_csv(path)[["task", "dataset", "method", "average_rank"]]
    ids = printed["dataset"].replace(RGBDT_IDS).str.replace("_", "-")
    return printed.assign(table=printed["task"].map({"binary": "1", "multiclass": "2"}), dataset=ids)


def rgbdt_averages(path):
    """The lines "Average" of both tables: columns ``task``, ``method`` and ``published_average``."""
    return pd.read_csv(path)[["task", "method", "published_average"]]


def misla_filters(path) -> pd.DataFrame:
    """MisLaBenchmark: mean F1 (a fraction) and seconds of each filter, with spread and number of the runs."""
    printed = tracked(path, {"data", "filter", "kind", "rate", "n", "runs", "f1", "f1_sd", "seconds"}, {})
    printed = printed[(printed["kind"] != "Real") | (printed["rate"] == REAL_RATE)]
    sd = pd.to_numeric(printed["f1_sd"], errors="coerce")  # empty for one run
    own = printed["data"].map(MISLA_IDS).fillna("misla-" + printed["data"].str.lower())
    rate = printed["rate"].map("{:g}".format).mask(printed["kind"] == "Real", "")
    return printed.assign(dataset=own, noise=printed["kind"].map(MISLA_NOISES), rate=rate, f1_sd=sd)
