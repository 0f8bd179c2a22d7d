"""Results of the study `arena`: the scores in its pack, as result rows, and its leaderboards."""

from functools import cache
from pathlib import Path

import pandas as pd
from docs.reference import packed
from pipeline.jobs.rerun import planned_with

from ironbark.entries import distinct
from ironbark.pipeline.analysis.collect import cells
from ironbark.pipeline.analysis.statistics import ranks
from ironbark.pipeline.site.numbers import label

ROOT = Path(__file__).parents[2]
PACK = ROOT / "data/packs/arena-lite.pack"


@cache
def rows():
    """One row for each fit, with its scores."""
    return packed(PACK)


@cache
def scores(task, metric="accuracy", methods=None):
    """Means by setting and method, of the settings that all methods, or those given, have finished."""
    found = rows()
    found = found[(found["task"] == task) & (found["method"].isin(methods) if methods else True)]
    return ranks.scores(cells(found, metric))[0]


@cache
def leaderboard(name):
    """A leaderboard as the study made it: leaderboard-<task> or detectors-<task>."""
    return pd.read_csv(PACK.with_suffix("") / f"{name}.csv", index_col="method")


@cache
def labels():
    """Method id -> display name as on the site, distinct."""
    entries = planned_with().config["methods"]
    there = {name: entries[name] for name in dict.fromkeys(rows()["method"])}
    return distinct({name: label(entry["label"], entry["estimator"]) for name, entry in there.items()})
