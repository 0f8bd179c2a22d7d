"""Number of published cells with a result, and its scale."""

import numpy as np
import pandas as pd

from ironbark.pipeline.analysis.coverage import CELL

FULL, LOWER, DIFFERENT, NOT_RUN, NO_DATA = "full", "lower", "different", "not run", "no data"

ALWAYS = "accuracy"  # the metric that all fits have

#: Status of a cell -> heading.
STATUSES = {
    FULL: "Full protocol",
    LOWER: "Lower scale",
    DIFFERENT: "Not comparable",
    NOT_RUN: "Not run",
    NO_DATA: "No data",
}


def best(results: pd.DataFrame) -> pd.DataFrame:
    """The result of each cell that is nearest to the paper's protocol."""
    order = results.sort_values(["capped", "n"], ascending=[True, False], kind="stable")
    return order.drop_duplicates([*CELL, "metric"], ignore_index=True)


def status(cells: pd.DataFrame, results: pd.DataFrame, unavailable, replaced: dict, different) -> pd.DataFrame:
    """Planned cells with their status."""
    used = cells["dataset"].map(lambda name: replaced.get(name, np.nan) if name in unavailable else name)
    known = results.loc[results["metric"] == ALWAYS, [*CELL, "n", "capped"]].astype({"capped": "float"})
    found = cells.assign(dataset=used)[[*CELL, "asked"]].merge(known, how="left", on=CELL).set_axis(cells.index)
    lower = (found["capped"] == 1) | (found["n"] < found["asked"])
    conditions = [used.isna(), found["n"].isna(), lower]
    ran = pd.Series(np.select(conditions, [NO_DATA, NOT_RUN, LOWER], FULL), cells.index, dtype="str")
    other = (used.isin(different) | (used != cells["dataset"])) & ran.isin([FULL, LOWER])
    return cells.assign(ran=ran, status=ran.mask(other, DIFFERENT))


def located(published: pd.DataFrame, planned: pd.DataFrame, mapping, rates: dict) -> pd.DataFrame:
    """Published cells with the planned cell of each."""
    names = [(model, name, own) for model, methods in mapping.items() for name, own in methods.items()]
    names = pd.DataFrame(names, columns=["model", "method", "own"])
    noises = [(noise_id, *pair) for noise_id, pair in rates.items()]
    noises = pd.DataFrame(noises, columns=["noise_id", "noise", "rate"])
    known = planned.rename(columns={"method": "own"})[["dataset", "task", "noise_id", "own", "ran", "status"]]
    found = published.merge(names, on=["model", "method"]).merge(noises, on=["noise", "rate"])
    return found.merge(known, on=["dataset", "task", "noise_id", "own"])


def of_ranks(ranks: pd.DataFrame, planned: pd.DataFrame) -> pd.DataFrame:
    """Published average ranks with their status."""
    statuses = planned.groupby(["task", "dataset"])[["ran", "status"]].agg(_together).reset_index()
    found = ranks.merge(statuses, how="left", on=["task", "dataset"])
    unpublished = found["average_rank"].isna() & ~found["status"].isin([NO_DATA, NOT_RUN])
    return found.assign(status=found["status"].mask(unpublished, DIFFERENT))


def _together(statuses):
    """Status of a group of cells of one data set."""
    values = set(statuses)
    if len(values) == 1:
        return values.pop()
    return LOWER if values & {FULL, LOWER} else DIFFERENT


def counts(statuses):
    """Number of cells of each status, in the order of `STATUSES`."""
    return statuses.value_counts().reindex(list(STATUSES), fill_value=0)
