"""Published values of the RMBoost paper."""

from pathlib import Path

import pandas as pd

from ironbark.pipeline.analysis.published.numbers import COLUMNS, read

#: Name in the files of the RMBoost paper -> id of the data set, where they differ.
IDS = {"credit": "credit-approval"}
RUNS = 100  # random partitions
#: Noise in these files -> ours.
NOISES = {"none": "clean", "uniform": "uniform", "adversarial": "adversarial"}
#: Source of a cell -> its table; what is in none is a reply to reviewers that completes Table 5.
TABLES = {"table3": "3", "tables1+3": "3", "table5": "5", "authors_reply": "5, reply"}
RISK = "MinimaxRisk"


def errors(path: str | Path) -> pd.DataFrame:
    """Tables 3 (which holds Table 1) and 5 of the RMBoost paper."""
    wanted = {"dataset", "method", "noise_kind", "noise_rate", "mean", "std", "source"}
    printed = read(path, wanted, {"mean": "str", "noise_rate": "float64"})
    risk = printed["method"] == RISK
    tidy = printed.assign(
        table=printed["source"].map(TABLES) + risk.map({True: ", risk", False: ""}),
        dataset=printed["dataset"].replace(IDS),
        task="binary",
        model=risk.map({True: "risk", False: "classifier"}),
        noise=printed["noise_kind"].map(NOISES),
        rate=printed["noise_rate"].map("{:g}".format),
        mean=printed["mean"].astype(float) / 100,
        spread=printed["std"].astype(float) / 100,
        n=RUNS,
        rounding=printed["mean"].str.contains(".", regex=False).map({True: 0.0005, False: 0.005}),
    )
    return tidy[COLUMNS]


def curves(path):
    """`errors` with the column ``metric``: error or minimax_risk."""
    found = errors(path)
    return found.assign(metric=found["model"].map({"classifier": "error", "risk": "minimax_risk"}))


def tradeoff(path) -> pd.DataFrame:
    """Table 4 of the RMBoost paper."""
    printed = pd.read_csv(path)
    rank = printed["metric"] == "average_rank"
    return pd.DataFrame(
        {
            "method": printed["method"],
            "noise": printed["noise_kind"].map(NOISES),
            "rate": printed["noise_rate"].map("{:g}".format),
            "value": printed["value"].where(rank, printed["value"] / 100),
        }
    )
