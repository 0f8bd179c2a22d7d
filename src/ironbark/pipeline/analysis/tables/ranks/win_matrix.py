"""How often each method is better than each other one."""

import numpy as np
import pandas as pd

from ironbark.pipeline.analysis.collect import metric_of, selected_cells
from ironbark.pipeline.analysis.statistics import elo, ranks
from ironbark.pipeline.analysis.tables.result_table import Table


def build(rows, spec, context) -> Table:
    """Percentage of settings in which the method of the row is better than that of the column."""
    metric = metric_of(spec)
    complete, notes = ranks.compared(selected_cells(rows, spec), spec)
    shares = elo.wins(complete if metric.larger_is_better else -complete)
    best_first = np.argsort(-elo.ratings(shares.sum(axis=0)), kind="stable")
    mean = pd.DataFrame(shares.mean(axis=0), complete.columns, complete.columns).iloc[best_first, best_first]
    names = [context.methods[method] for method in mean.index]
    frame = (100 * mean).map("{:.0f}".format).mask(np.eye(len(mean), dtype=bool), "")
    frame = frame.set_axis(pd.Index(names, name="Method")).set_axis(names, axis=1)
    values = mean.rename_axis("method").reset_index().melt("method", var_name="against", value_name="wins")
    sets = len(set(complete.index.get_level_values("dataset")))
    reading = (
        f"Percentage of {len(complete)} settings of {sets} data sets, each of which counts once, in which the method "
        f"of the row is better than that of the column by {metric.inline}; a tie is half a win; bold: more than 50"
    )
    bold = (mean > 0.5).set_axis(frame.index).set_axis(frame.columns, axis=1)
    caption = context.caption(spec, reading)
    return Table(frame, values[values["method"] != values["against"]], bold, caption, notes)
