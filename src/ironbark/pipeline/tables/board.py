"""The place of a method on a board: among the methods whose scores a pack has."""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.results import packs
from ironbark.pipeline.statistics import against_best, ranks
from ironbark.pipeline.tables.rankings import LEAST


def rows(path) -> pd.DataFrame:
    """One row for each fit of a pack of scores, each checked by the strict reader."""
    made = []
    with packs.Pack(path) as pack:
        for name in pack.members:
            setting = dict(
                zip(ranks.SETTING, name.removeprefix("store/").removesuffix(".jsonl").split("/"), strict=True)
            )
            for method, fits in pack.fits(name).items():
                made += [setting | {"method": method} | record | record.get("scores", {}) for record in fits.values()]
    if "scores" not in (found := pd.DataFrame(made)) or found["scores"].isna().any():
        raise InputError(f"{path} has no fits, or fits without scores; write it with --config pack_content=scores")
    return found.drop(columns="scores")


def places(board: pd.DataFrame, new: pd.DataFrame, task: str) -> pd.DataFrame:
    """Methods by mean accuracy over the settings of one new method, of those that have finished all of these."""
    fits = pd.concat([board, new]).query("task == @task")
    fits = fits.assign(seconds=np.log((fits["fit_seconds"] + fits["tune_seconds"]).clip(lower=LEAST)))
    means = fits.groupby([*ranks.SETTING, "method"])[["accuracy", "seconds"]].mean().unstack()
    means = means[means["accuracy"][new["method"].iloc[0]].notna()].dropna(axis="columns")
    scores = means["accuracy"].round(ranks.DIGITS)
    by_dataset = ranks.by_dataset(scores)
    by_dataset = by_dataset[by_dataset.mean().sort_values(ascending=False, kind="stable").index]
    found = pd.DataFrame({"accuracy": by_dataset.mean(), "rank": ranks.average_ranks(scores)}, by_dataset.columns)
    found = found.assign(p=against_best.over_datasets(by_dataset), seconds=np.exp(means["seconds"].mean()))
    return found.assign(
        place=found["accuracy"].rank(ascending=False, method="min").astype(int), datasets=len(by_dataset)
    )
