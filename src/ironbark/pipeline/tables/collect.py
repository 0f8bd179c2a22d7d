"""Result rows gathered into the cells of a table: mean and standard deviation over the fits of a cell."""

from collections.abc import Iterable

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
    grouped = rows.groupby(CELL, sort=True)
    result = grouped["value"].agg(mean="mean", sd="std", n="count")
    result = result.assign(failed=grouped["failed"].sum(), missing=0).reset_index()
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


def _coded(rows):
    """Place of each value of each column of `FIT`, and the fits as whole numbers, smaller than tuples."""
    places, numbers = [], 0
    for name in FIT:
        codes, values = pd.factorize(rows[name])
        places.append({value: place for place, value in enumerate(values)})
        numbers = numbers * len(values) + codes.astype("int64")
    return places, set(numbers.tolist())


def _code(places, fit):
    """Number of a fit in the sense of `_coded`; None if one of its values occurs in no row."""
    number = 0
    for known, value in zip(places, fit, strict=True):
        if value not in known:
            return None
        number = number * len(known) + known[value]
    return number


def refuse_holes(rows: pd.DataFrame, expected: Iterable[tuple], allow_holes: bool = False) -> pd.DataFrame:
    """Compare the rows with the fits that a study asks for."""
    places, present = _coded(rows)
    holes = list(dict.fromkeys(tuple(fit) for fit in expected if _code(places, fit) not in present))
    if holes and not allow_holes:
        first = "; ".join(", ".join(map(str, fit)) for fit in holes[:SHOWN])
        more = ", ..." if len(holes) > SHOWN else ""
        raise InputError(f"{len(holes)} fits are missing ({first}{more}); run them or allow holes")
    return pd.DataFrame(holes, columns=FIT)
