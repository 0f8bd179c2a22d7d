"""Several measures of each method: the summary of a track, such as classification or the detection of wrong labels."""

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.analysis.collect import cells, select
from ironbark.pipeline.analysis.statistics import ranks
from ironbark.pipeline.analysis.tables.result_table import ABSENT, Table


def build(rows, spec: dict, context) -> Table:
    """Methods by the first measure, one column a measure."""
    chosen, names = select(rows, spec), spec["metrics"]
    entries = {name: metrics.resolve(name) for name in names}
    means, notes = {}, []
    for name, metric in entries.items():
        complete, dropped = ranks.scores(cells(chosen, name))
        means[name] = ranks.by_dataset(complete).mean()
        notes += [f"{metric.name}: {note}" for note in ranks.left_out(dropped)]
    found = pd.DataFrame(means)
    if found.empty:
        raise InputError(f"table {spec.get('id', '')!r} has no method with a value of {', '.join(names)}; add runs")
    first = entries[names[0]]
    found = found.sort_values(names[0], ascending=not first.larger_is_better, kind="stable")
    best = {name: found[name].agg("max" if about.larger_is_better else "min") for name, about in entries.items()}
    heads = [f"{metric.name} ({metric.unit})" if metric.unit else metric.name for metric in entries.values()]
    index = pd.Index([context.methods[method] for method in found.index], name="Method")
    texts = {name: [_text(value, metric) for value in found[name]] for name, metric in entries.items()}
    frame = pd.DataFrame(texts, index, dtype="str").set_axis(heads, axis=1)
    bold = found.eq(pd.Series(best)).set_axis(index).set_axis(heads, axis=1)
    sets = chosen["dataset"].nunique()
    reading = f"Means over {sets} data sets, each of which counts once; bold: the best of a column"
    values = found.rename_axis("method").reset_index().melt("method", var_name="metric", value_name="mean")
    return Table(frame, values, bold, context.caption(spec, reading), notes)


def _text(value, metric):
    if pd.isna(value):
        return ABSENT
    return f"{metric.factor * value:.2g}" if metric.unit == "seconds" else f"{metric.factor * value:.2f}"
