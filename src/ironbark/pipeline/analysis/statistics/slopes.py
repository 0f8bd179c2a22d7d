"""How fast methods lose with growing noise: the slope of a measure against the rate, by kind of noise."""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import metric_of, order, selected_cells
from ironbark.pipeline.analysis.tables.result_table import Table

STEP = 0.1  # slopes are told per ten percent of noise


def slopes(gathered: pd.DataFrame) -> pd.DataFrame:
    """Least-squares slope of each method on each data set and kind of noise, clean labels being rate 0."""
    numeric = gathered.assign(x=pd.to_numeric(gathered["rate"].astype("str"), errors="coerce")).dropna(subset="x")
    clean = numeric[numeric["noise"] == "clean"]
    found = []
    for noise, line in numeric[numeric["noise"] != "clean"].groupby("noise", observed=True):
        both = pd.concat([line, clean[clean["dataset"].isin(line["dataset"])]])
        wide = both.pivot_table(index=["dataset", "x"], columns="method", values="mean", dropna=False, observed=True)
        for dataset, part in wide.groupby("dataset", observed=True):
            if len(part) > 1 and part.notna().all(axis=None):
                x, values = part.index.get_level_values("x").to_numpy(), part.to_numpy()
                away = x - x.mean()
                slope = STEP * (away @ (values - values.mean(axis=0)) / (away @ away))
                about = {"dataset": str(dataset), "noise": str(noise), "rates": len(x)}
                found += [about | {"method": m, "slope": s} for m, s in zip(part.columns, slope, strict=True)]
    return pd.DataFrame(found, columns=["dataset", "noise", "method", "slope", "rates"])


def build(rows, spec, context) -> Table:
    """Rows methods, columns kinds of noise: mean slope over the data sets ± one standard deviation."""
    metric, gathered = metric_of(spec), selected_cells(rows, spec)
    values = slopes(gathered)
    if values.empty:
        raise InputError(f"table {spec.get('id', '')!r} needs two rates of a noise that all methods have; add runs")
    grouped = values.groupby(["method", "noise"])["slope"].agg(["mean", "std"]) * metric.factor
    noises = [name for name in dict.fromkeys(gathered["noise"]) if name in set(values["noise"])]
    sign = 1 if metric.larger_is_better else -1
    means = grouped["mean"].unstack()[noises]
    known = [name for name in order(gathered, spec)[1] if name in means.index]
    means = means.loc[known].assign(All=lambda frame: frame.mean(axis=1))
    means = means.loc[(-sign * means["All"]).sort_values(kind="stable").index]
    spreads = grouped["std"].unstack().reindex(index=means.index)[noises].assign(All=np.nan)
    text = [
        [_text(*pair) for pair in zip(*line, strict=True)] for line in zip(means.values, spreads.values, strict=True)
    ]
    index = pd.Index([context.methods[name] for name in means.index], name="Method")
    columns = [name.replace("_", "-") for name in means]
    bold = (sign * means).eq((sign * means).max()).set_axis(index).set_axis(columns, axis=1)
    counts = values.groupby("noise")["dataset"].nunique()
    unit = " in percentage points" if metric.unit == "percent" else ""
    over = ", ".join(f"{name.replace('_', '-')} {counts[name]}" for name in noises)
    reading = f"Change of {metric.inline}{unit} per ten percent of noise: slope of a line through all rates and clean "
    reading += f"labels, mean ± one standard deviation over data sets ({over}); bold: the least loss"
    caption = context.caption(spec, reading)
    return Table(pd.DataFrame(text, index, columns, dtype="str"), values, bold, caption)


def _text(mean, spread):
    return f"{mean:+.2f}" if np.isnan(spread) else f"{mean:+.2f} ± {spread:.2f}"
