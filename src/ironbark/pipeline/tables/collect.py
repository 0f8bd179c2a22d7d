"""Result rows gathered into the cells of a table: mean and standard deviation over the fits of a cell."""

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.results.records import FAILED, FIT

CELL = ["dataset", "task", "method", "noise", "rate", "noise_id"]
SHOWN = 3  # missing fits named in an error


def select(rows: pd.DataFrame, spec: dict) -> pd.DataFrame:
    """The rows that a table or figure asks for."""
    wanted = {"dataset": spec.get("datasets"), "method": spec.get("methods"), "noise_id": spec.get("noises")}
    wanted["task"] = [spec["task"]] if "task" in spec else None
    for column, ids in wanted.items():
        if ids is not None:
            rows = rows[rows[column].isin(ids)]
    tasks = sorted(set(rows["task"]))
    if len(tasks) > 1:
        name = repr(spec["id"]) if "id" in spec else "the table"
        raise InputError(f"{name} mixes the tasks {' and '.join(tasks)}; set `task` to one of them")
    return rows


def selected(rows, spec, what="table"):
    """The rows of `select`; InputError, which says what it is for, if there is none."""
    rows = select(rows, spec)
    if rows.empty:
        raise InputError(f"no result row is in {what} {spec.get('id', '')!r}; check its datasets, methods and noises")
    return rows


def order(rows, spec):
    """Ids of data sets, methods and noises in the order of `spec`, else in the order of the rows."""
    pairs = (("datasets", "dataset"), ("methods", "method"), ("noises", "noise_id"))
    return tuple(list(spec.get(key) or dict.fromkeys(rows[column])) for key, column in pairs)


def metric_of(spec):
    """The measure that a table or figure shows."""
    return metrics.resolve(spec.get("metric", "accuracy"))


def selected_cells(rows, spec, missing=None):
    """The `cells` of the rows that a table or figure asks for, by its metric."""
    missing = None if missing is None else select(missing, spec)
    return cells(select(rows, spec), spec.get("metric", "accuracy"), missing)


def cells(rows: pd.DataFrame, metric: str = "accuracy", missing: pd.DataFrame | None = None) -> pd.DataFrame:
    """Mean and spread of each cell, with the fits that are not in them counted."""
    metrics.resolve(metric)
    double = rows[rows.duplicated(FIT)]
    if len(double):
        first = ", ".join(map(str, double[FIT].iloc[0]))
        raise InputError(
            f"{len(double)} fits have two result rows, first ({first}); read each shard of one protocol once"
        )
    rows = rows.sort_values([*CELL, "repeat", "fold"], kind="stable")  # sums do not depend on the order of the rows
    ok = rows["status"] != FAILED
    rows = rows.assign(value=rows[metric].where(ok), failed=(~ok).astype("int64"))
    # pandas rounds the mean of a group in another way if any other group has NaN.
    known = rows.dropna(subset="value").groupby(CELL)["value"].agg(mean="mean", sd="std", n="count")
    result = rows.groupby(CELL)["failed"].sum().to_frame().join(known)[["mean", "sd", "n", "failed"]]
    result = result.fillna({"n": 0}).astype({"n": "int64"}).assign(missing=0).reset_index()
    return result if missing is None or missing.empty else _count_missing(result, missing)


def _count_missing(result, missing):
    """Add the counts, and a row for each cell of which no fit has run."""
    counts = missing.groupby(["dataset", "task", "method", "noise_id"]).size().rename("absent").reset_index()
    result = result.merge(counts, how="outer", on=["dataset", "task", "method", "noise_id"])
    known = result.dropna(subset="noise").drop_duplicates("noise_id").set_index("noise_id")
    for column in ("noise", "rate"):  # a cell without rows has the noise that its id has elsewhere
        result[column] = result[column].fillna(result["noise_id"].map(known[column])).fillna("")
    result["missing"] = result["absent"].fillna(0).astype("int64")
    result[["n", "failed"]] = result[["n", "failed"]].fillna(0).astype("int64")
    return result.drop(columns="absent").sort_values(CELL, ignore_index=True)


def refuse_holes(rows: pd.DataFrame, blocks, repeats: int, folds: int, allow_holes: bool = False) -> pd.DataFrame:
    """The fits that a study asks for and that have no row; blocks are lists of data set, task, noises and methods."""
    present, found = pd.MultiIndex.from_frame(rows[FIT]), [pd.DataFrame(columns=FIT)]
    for dataset, task, noises, methods in blocks:
        ids = [[dataset], [task], noises, methods, range(repeats), range(folds)]
        wanted = pd.MultiIndex.from_product(ids, names=FIT)
        found.append(wanted[~wanted.isin(present)].to_frame(index=False))
    holes = pd.concat(found, ignore_index=True).drop_duplicates(ignore_index=True)
    if len(holes) and not allow_holes:
        first = "; ".join(", ".join(map(str, fit)) for fit in holes.head(SHOWN).itertuples(index=False))
        more = ", ..." if len(holes) > SHOWN else ""
        raise InputError(f"{len(holes)} fits are missing ({first}{more}); run them or allow holes")
    return holes
