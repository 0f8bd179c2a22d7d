"""Result rows as means, spreads and tests for each data set, noise and method: all that pages show of single fits."""

from dataclasses import dataclass

import pandas as pd

from ironbark.pipeline.analysis.statistics import against_best
from ironbark.pipeline.analysis.tables.training_cost import LEAST
from ironbark.pipeline.metrics import METRICS, Metric
from ironbark.pipeline.results.records import FAILED, FIT

CELL = ["dataset", "task", "noise_id", "method"]
SECONDS = "seconds"
COST = Metric("CPU time of a fit with its tuning", "seconds", 1, False)
SHOWN = METRICS | {SECONDS: COST}

#: What is shown in another form: one minus the accuracy, and the parts of the seconds.
TWICE = ("error", "fit_seconds", "tune_seconds")

#: Track -> outputs of fits that its metrics are computed from; the first metric of a track is its main one.
TRACKS = {"classification": ("labels", "probabilities"), "detection": ("label_quality", "noise_rate")}


@dataclass(frozen=True, eq=False)
class Aggregates:
    """What is shown of the rows of one task of a study.

    Attributes
    ----------
    cells : dict
        Metric -> DataFrame with the columns `CELL`, mean, sd (divisor n - 1) and n, of cells with a value. Metrics of
        tracks also have best (a method), difference (best minus method), runs (that both have), p and p_holm, see
        `ironbark.pipeline.analysis.statistics.against_best.over_runs`.
    tracks : dict
        Track -> its metrics that have values.
    test : str
        A name in `ironbark.pipeline.analysis.statistics.significance.TESTS`.
    """

    cells: dict
    tracks: dict
    test: str


def of_task(frame, asked=()):
    """Aggregates of finished fits.

    Parameters
    ----------
    frame : DataFrame
        Rows of one task, of `ironbark.pipeline.site.data.rows`.
    asked : iterable of str
        Metrics that figures of the study show; those of `TWICE` are left out otherwise.
    """
    ok = frame[frame["status"] != FAILED].sort_values(FIT, kind="stable")  # sums do not depend on the order of rows
    ok = ok.assign(**{SECONDS: (ok["fit_seconds"] + ok["tune_seconds"].fillna(0)).clip(lower=LEAST)})
    names = [name for name in SHOWN if name in ok and ok[name].notna().any() and (name not in TWICE or name in asked)]
    gathered = ok.groupby(CELL, observed=True)[names].agg(["mean", "std", "count"]).reset_index()
    gathered[CELL] = gathered[CELL].astype("str")
    tracks = {track: [name for name in names if SHOWN[name].output in found] for track, found in TRACKS.items()}
    tracks = {track: found for track, found in tracks.items() if found}
    ranked = {name for found in tracks.values() for name in found}
    cells = {name: _cells(gathered, name, ok if name in ranked else None) for name in names}
    return Aggregates(cells, tracks, against_best.test_name(ok))


def _cells(gathered, name, rows):
    """Cells of one metric, with tests if rows are given."""
    values = gathered[name].set_axis(["mean", "sd", "n"], axis=1)
    found = pd.concat([gathered[CELL].droplevel(1, axis=1), values], axis=1)
    found = found[found["n"] > 0]
    return found if rows is None else found.merge(against_best.over_runs(rows, name), how="left", on=CELL)
