"""Differences of two methods on the same noisy labels, setting by setting."""

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import metric_of, order, select
from ironbark.pipeline.analysis.tables.result_table import ABSENT, Table
from ironbark.pipeline.results.records import FAILED

RUN = ["dataset", "noise_id", "repeat", "fold"]


def build(rows, spec: dict, context) -> Table:
    """Rows data set and pair, columns noise; mean and standard deviation of the differences, first minus second.

    Methods are shown by id, since a tree and a forest may share their name.
    """
    name, metric = spec.get("metric", "accuracy"), metric_of(spec)
    chosen = select(rows, {key: value for key, value in spec.items() if key != "methods"})
    chosen = chosen[chosen["status"] != FAILED]
    found = [_differences(chosen, pair, name) for pair in spec["pairs"]]
    values = pd.concat([part for part in found if len(part)] or [pd.DataFrame()], ignore_index=True)
    if values.empty:
        raise InputError(f"no pair of table {spec.get('id', '')!r} has fits of both on the same labels; check `pairs`")
    if spec.get("pool"):
        values = _pooled(values)
        spec = {key: value for key, value in spec.items() if key != "datasets"}
    datasets, _, noises = order(values.assign(method=""), spec)
    at = {(v.dataset, v.method, v.rival, v.noise_id): v for v in values.itertuples()}
    keys = [(d, *pair) for d in datasets for pair in spec["pairs"] if any((d, *pair, n) in at for n in noises)]
    noises = [n for n in noises if n in set(values["noise_id"])]
    text = [[_text(at.get((*key, n)), metric.factor) for n in noises] for key in keys]
    shown = [(context.datasets[d], f"{a} − {b}") for d, a, b in keys]
    index = pd.MultiIndex.from_tuples(shown, names=["Data set", "Pair"])
    frame = pd.DataFrame(text, index, [context.noises[n] for n in noises], dtype="str")
    unit = " in percentage points" if metric.unit == "percent" else f" in {metric.unit}" * bool(metric.unit)
    over = " over the data sets" * bool(spec.get("pool"))
    reading = f"{metric.name}{unit}, mean difference on the same labels ± one standard deviation{over}"
    caption = context.caption(spec, reading)
    notes = [f"{ABSENT}: not run by both."] if (frame == ABSENT).any(axis=None) else []
    return Table(frame, values, frame.eq("") & False, caption, notes)


def _differences(rows, pair, name):
    """Mean, sd and number of the differences in each setting that both methods have."""
    sides = [rows[rows["method"] == method].set_index(RUN)[name] for method in pair]
    both = (sides[0] - sides[1]).dropna().groupby(["dataset", "noise_id"], sort=False)
    result = both.agg(mean="mean", sd="std", n="count").reset_index()
    return result.assign(method=pair[0], rival=pair[1])


def _pooled(values):
    """Mean and sd over the data sets of the mean differences; n counts data sets."""
    both = values.groupby(["method", "rival", "noise_id"], sort=False)["mean"]
    result = both.agg(mean="mean", sd="std", n="count").reset_index()
    most = int(result["n"].max())
    return result.assign(dataset=f"{most} data set{'s' * (most > 1)}")


def _text(cell, factor):
    if cell is None:
        return ABSENT
    text = f"{factor * cell.mean:+.2f}"
    return f"{text} ± {factor * cell.sd:.2f}" if cell.n > 1 else text
