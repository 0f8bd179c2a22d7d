"""Average ranks of methods over data sets, by noise and over all."""

import pandas as pd

from ironbark.pipeline.analysis.collect import metric_of, order, selected, selected_cells
from ironbark.pipeline.analysis.statistics import ranks
from ironbark.pipeline.analysis.statistics.significance import p_text
from ironbark.pipeline.analysis.tables.result_table import Table


def build(rows, spec: dict, context):
    """Average rank of each method over the data sets, by noise and over all; bold: within reach of the best."""
    gathered = selected_cells(selected(rows, spec), spec, context.missing)
    _, methods, noises = order(gathered, spec)
    complete, left_out = ranks.compared(gathered, spec)
    complete = complete if metric_of(spec).larger_is_better else -complete
    by_setting = ranks.setting_ranks(complete)
    overall = ranks.average_ranks(complete)
    by_noise = by_setting.groupby("noise_id").mean().T
    table = by_noise[[noise for noise in noises if noise in by_noise]].assign(all=overall).loc[overall.index]
    difference = ranks.critical_difference(complete.shape[1], len(complete), spec.get("alpha", 0.05))
    index = pd.Index([context.methods[method] for method in table.index], name="Method")
    columns = [*(context.noises[noise] for noise in table.columns[:-1]), "All"]
    frame = table.map("{:.2f}".format).set_axis(index).set_axis(columns, axis=1)
    bold = pd.DataFrame(False, index, columns)
    bold["All"] = (overall <= overall.iloc[0] + difference).to_numpy()
    caption = context.caption(spec, _rank_reading(complete, difference, spec))
    values = table.rename_axis("method").reset_index().melt("method", var_name="noise_id", value_name="average_rank")
    values["settings"] = values["noise_id"].map({**by_setting.groupby("noise_id").size(), "all": len(complete)})
    notes = ["The settings of one data set share their test set, so the p-value is a guide only."]
    absent = [context.methods[method] for method in methods if method not in complete]
    if absent:
        notes.append(f"Not ranked, since no fit has finished: {', '.join(absent)}.")
    return Table(frame, values, bold, caption, notes + left_out)


def _rank_reading(complete, difference, spec):
    name = metric_of(spec).inline
    text = f"Average rank by {name} (1 is best, ties shared) over {len(complete)} settings of data set and noise"
    if complete.shape[1] > 2 and len(complete) > 1:
        statistic, p = ranks.friedman(complete)
        text += f"; Friedman chi-square {statistic:.2f}, {p_text(p)}"
    level = spec.get("alpha", 0.05)
    return f"{text}; Nemenyi critical difference {difference:.2f} at level {level:g}; bold: within it of the best"
