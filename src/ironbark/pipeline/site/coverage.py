"""Coverage of a study: fits done, failed and missing, and their costs."""

import pandas as pd

from ironbark.pipeline.results.records import FAILED, TIMINGS

CELL = ["dataset", "task", "noise_id", "method"]


def asked(study):
    """Number of fits that a study asks for, by the columns of `CELL`."""
    each = study["repeats"] * study["folds"]
    cells = [
        (dataset, task, noise, method, each)
        for dataset, task, noises, methods in study["blocks"]
        for noise in noises
        for method in methods
    ]
    return pd.DataFrame(cells, columns=[*CELL, "asked"])


def within(frame, study):
    """Rows of fits that the study still asks for; the others are left from an earlier plan of it."""
    wanted = pd.MultiIndex.from_frame(asked(study)[CELL])
    known = frame["repeat"] < study["repeats"]
    for position, column in enumerate(CELL):  # cheap for what most plans cut: whole ids
        known &= frame[column].isin(wanted.levels[position])
    frame = frame[known]
    cells = frame[CELL].drop_duplicates()
    if pd.MultiIndex.from_frame(cells).isin(wanted).all():
        return frame
    return frame[pd.MultiIndex.from_frame(frame[CELL].astype("str")).isin(wanted)]


def table(frame: pd.DataFrame, study: dict, by: str) -> pd.DataFrame:
    """Fits by one column of `CELL`."""
    result = asked(study).groupby(by, sort=False)["asked"].sum().to_frame()
    fits = pd.DataFrame({"failed": frame["status"] == FAILED, "seconds": frame[list(TIMINGS)].sum(axis=1)})
    fits = fits.assign(present=1).groupby(frame[by].astype("str")).sum().reindex(result.index).fillna(0)
    failed, present = fits["failed"].astype("int64"), fits["present"].astype("int64")
    counts = {"failed": failed, "done": present - failed, "missing": result["asked"] - present}
    return result.assign(**counts, seconds=fits["seconds"])


def causes(frame, most=20):
    """Why fits failed: columns method, message, fits and example, the most frequent first."""
    failed = frame[frame["status"] == FAILED].astype({"method": "str", "message": "str"})
    if failed.empty:
        return pd.DataFrame(columns=["method", "message", "fits", "example"])
    failed = failed.assign(example=failed["dataset"].astype("str") + " " + failed["noise_id"].astype("str"))
    grouped = failed.groupby(["method", "message"], sort=False)["example"].agg(fits="size", example="first")
    return grouped.reset_index().sort_values("fits", ascending=False, kind="stable").head(most)
