"""Verdict on the results of a published table or figure, in a few words."""

import pandas as pd

from ironbark.pipeline.analysis.published import comparison
from ironbark.pipeline.analysis.published.coverage import FULL, LOWER
from ironbark.pipeline.analysis.tables.ranks import rank_table


def measured(results: pd.DataFrame):
    """Results as `comparison.compare_cells` takes them: with the error, and without capped fits."""
    kept = results[~results["capped"]].rename(columns={"spread": "sd"})
    accuracy = kept[kept["metric"] == "accuracy"]
    return pd.concat([kept, accuracy.assign(metric="error", mean=1 - accuracy["mean"])], ignore_index=True)


def of_cells(lines):
    """Verdict on lines of `comparison.compare_cells`: how many comparable ones do not differ."""
    judged = lines[lines["verdict"] != comparison.NOT_COMPARABLE]
    if len(judged):
        kept = int((judged["verdict"] == comparison.NOT_REJECTED).sum())
        return f"{kept} of {len(judged)} not rejected"
    distance = lines["difference"].abs().dropna()
    if len(distance):
        return f"no comparable cell; mean absolute difference {distance.mean():.1f} points in {len(distance)} cells"
    return "no comparable result"


def of_ranks(ranks: pd.DataFrame, results: pd.DataFrame, methods: dict, metric: str):
    """Verdict on average ranks: Spearman's correlation of their averages over the data sets."""
    values = results[results["metric"] == metric]
    if values.empty:
        return f"`data/reference` has no {metric}"
    for status, scale in ((FULL, "full protocol"), (LOWER, "lower scale")):
        chosen = list(dict.fromkeys(ranks.loc[ranks["status"] == status, "dataset"]))
        own = values[values["dataset"].isin(chosen) & values["method"].isin(methods.values())]
        if len(own):
            ours = rank_table.by_dataset(rank_table.ranked(own, metric)).reindex(columns=list(methods.values()))
            theirs = ranks.pivot(index="dataset", columns="method", values="average_rank").loc[ours.index]
            means = rank_table.tied_last(theirs[list(methods)]).mean().rename(methods)
            rho = rank_table.spearman(rank_table.tied_last(ours).mean(), means)
            return f"rank correlation {rho:.2f} over {len(ours)} data sets, {scale}"
    return "no comparable result"
