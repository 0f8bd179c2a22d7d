"""Tables of methods over all data sets: average ranks, the leaderboard, shares of wins, what noise costs."""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.statistics import elo, ranks
from ironbark.pipeline.statistics.significance import ALPHA, p_text
from ironbark.pipeline.tables.collect import cells, metric_of, order, select, selected, selected_cells
from ironbark.pipeline.tables.result_table import ABSENT, Table, signed_text

CLEAN = "clean"
LEAST = 1e-4  # seconds below which a clock says nothing
STEP = 0.1  # slopes are per ten percent of noise


def build_ranks(rows, spec: dict, context):
    """Average rank of each method over the data sets, by noise and over all; bold: within reach of the best."""
    gathered = selected_cells(selected(rows, spec), spec, context.missing)
    noises = order(gathered, spec)[2]
    complete, left_out = ranks.compared(gathered, spec, context.methods)
    complete = complete if metric_of(spec).larger_is_better else -complete
    by_setting = ranks.setting_ranks(complete)
    overall = ranks.average_ranks(complete)
    by_noise = by_setting.groupby("noise_id").mean().T
    table = by_noise[[noise for noise in noises if noise in by_noise]].assign(all=overall).loc[overall.index]
    difference = ranks.critical_difference(complete.shape[1], len(complete), ALPHA)
    frame = table.map("{:.2f}".format).rename(index=context.methods, columns={**context.noises, "all": "All"})
    bold = pd.DataFrame(False, frame.index, frame.columns)
    bold["All"] = (overall <= overall.iloc[0] + difference).to_numpy()
    caption = context.caption(spec, _rank_reading(complete, difference, spec))
    values = table.rename_axis("method").reset_index().melt("method", var_name="noise_id", value_name="average_rank")
    values["settings"] = values["noise_id"].map({**by_setting.groupby("noise_id").size(), "all": len(complete)})
    notes = ["The settings of one data set share their test set, so the p-value is a guide only."]
    return Table(frame.rename_axis("Method"), values, bold, caption, notes + left_out)


def _rank_reading(complete, difference, spec):
    name = metric_of(spec).inline
    text = f"Average rank by {name} (1 is best, ties shared) over {len(complete)} settings of data set and noise"
    if complete.shape[1] > 2 and len(complete) > 1:
        statistic, p = ranks.friedman(complete)
        text += f"; Friedman chi-square {statistic:.2f}, {p_text(p)}"
    return f"{text}; Nemenyi critical difference {difference:.2f} at level {ALPHA:g}; bold: within it of the best"


def seconds(rows, complete):
    """CPU seconds of a fit with its tuning: geometric mean over settings of the means of their fits."""
    fits = cells(rows, "fit_seconds").set_index([*ranks.SETTING, "method"])["mean"]
    tuning = cells(rows, "tune_seconds").set_index([*ranks.SETTING, "method"])["mean"].fillna(0)
    wide = (fits + tuning).unstack("method").loc[complete.index, complete.columns]
    return np.exp(np.log(wide.clip(lower=LEAST)).mean())


def board(rows: pd.DataFrame, complete: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The numbers of the leaderboard."""
    sign = 1 if metrics.resolve(metric).larger_is_better else -1
    numbers = standing(sign * complete)
    numbers["mean"] = ranks.by_dataset(complete).mean()
    clean = complete.index.get_level_values("noise_id") == CLEAN
    numbers["lost"] = sign * (ranks.by_dataset(complete[clean]).mean() - ranks.by_dataset(complete[~clean]).mean())
    numbers["seconds"] = seconds(rows, complete)
    return numbers.sort_values("elo", ascending=False, kind="stable")


def standing(scores: pd.DataFrame, rated: bool = True) -> pd.DataFrame:
    """Elo rating with its interval, average rank and score of each method, of scores of complete settings."""
    low = high = rating = np.nan
    if rated:
        shares = elo.wins(scores)
        (low, high), rating = elo.shown_intervals(shares), elo.ratings(shares.sum(axis=0))
    numbers = pd.DataFrame({"elo": rating, "low": low, "high": high}, pd.Index(scores.columns, name="method"))
    numbers["rank"] = ranks.average_ranks(scores)
    numbers["score"] = ranks.by_dataset(normalised(scores)).mean()
    return numbers


def normalised(scores):
    """Scores of each setting, so that the best method has 1, and the median and all that are worse have 0."""
    median = scores.median(axis=1)
    span = (scores.max(axis=1) - median).where(lambda width: width > 0, 1.0)
    return scores.sub(median, axis=0).div(span, axis=0).clip(lower=0)


def build_leaderboard(rows, spec, context) -> Table:
    """Methods by rating."""
    metric, chosen = metric_of(spec), select(rows, spec)
    complete, notes = ranks.compared(selected_cells(chosen, spec), spec, context.methods)
    numbers = board(chosen, complete, spec.get("metric", "accuracy"))
    points = f" ({metric.unit})" * bool(metric.unit)
    texts = {
        "Elo": [_rating(line) for line in numbers.itertuples()],
        "Average rank": numbers["rank"].map("{:.1f}".format),
        "Normalised score": numbers["score"].map("{:.2f}".format),
        f"{metric.name}{points}": (metric.factor * numbers["mean"]).map("{:.2f}".format),
        "Lost by noise": [ABSENT if pd.isna(x) else f"{metric.factor * x:.2f}" for x in numbers["lost"]],
        "CPU seconds": numbers["seconds"].map("{:.2g}".format),
    }
    frame = pd.DataFrame(texts, numbers.index, dtype="str").rename(index=context.methods).rename_axis("Method")
    bold = pd.DataFrame(False, frame.index, frame.columns)
    bold["Elo"] = (numbers["high"] >= numbers["low"].iloc[0]).to_numpy()
    n = len(set(complete.index.get_level_values("dataset")))
    reading = f"By {metric.inline} on {len(complete)} settings of {n} data sets, each of which counts once"
    columns = [
        f"Elo: a lead of 400 points means ten wins for each loss; {elo.intervals_in_words(n, 'bold')}.",
        "Normalised score: 1 for the best method of a setting, 0 for the median and below.",
        "CPU seconds: of a fit with its tuning, geometric mean.",
    ]
    return Table(frame, numbers.reset_index(), bold, context.caption(spec, reading), [*columns, *notes])


def _rating(line):
    return f"{line.elo:.0f}" if pd.isna(line.low) else f"{line.elo:.0f} [{line.low:.0f}, {line.high:.0f}]"


def build_wins(rows, spec, context) -> Table:
    """Percentage of settings in which the method of the row is better than that of the column."""
    metric = metric_of(spec)
    complete, notes = ranks.compared(selected_cells(rows, spec), spec, context.methods)
    shares = elo.wins(complete if metric.larger_is_better else -complete)
    best_first = np.argsort(-elo.ratings(shares.sum(axis=0)), kind="stable")
    mean = pd.DataFrame(shares.mean(axis=0), complete.columns, complete.columns).iloc[best_first, best_first]
    frame = (100 * mean).map("{:.0f}".format).mask(np.eye(len(mean), dtype=bool), "")
    frame = frame.rename(index=context.methods, columns=context.methods).rename_axis("Method")
    values = mean.rename_axis("method").reset_index().melt("method", var_name="against", value_name="wins")
    sets = len(set(complete.index.get_level_values("dataset")))
    reading = (
        f"Percentage of {len(complete)} settings of {sets} data sets, each of which counts once, in which the method "
        f"of the row is better than that of the column by {metric.inline}; a tie is half a win; bold: more than 50"
    )
    bold = (mean > 0.5).set_axis(frame.index).set_axis(frame.columns, axis=1)
    caption = context.caption(spec, reading)
    return Table(frame, values[values["method"] != values["against"]], bold, caption, notes)


def slopes(gathered: pd.DataFrame) -> pd.DataFrame:
    """Least-squares slope of each method on each data set and kind of noise, clean labels being rate 0."""
    numeric = gathered.assign(x=pd.to_numeric(gathered["rate"].astype("str"), errors="coerce")).dropna(subset="x")
    clean = numeric[numeric["noise"] == "clean"]
    lines = []
    for noise, line in numeric[numeric["noise"] != "clean"].groupby("noise", observed=True):
        both = pd.concat([line, clean[clean["dataset"].isin(line["dataset"])]])
        wide = both.pivot_table(index=["dataset", "x"], columns="method", values="mean", dropna=False, observed=True)
        for dataset, part in wide.groupby("dataset", observed=True):
            if len(part) > 1 and part.notna().all(axis=None):
                x, values = part.index.get_level_values("x").to_numpy(), part.to_numpy()
                away = x - x.mean()
                slope = STEP * (away @ (values - values.mean(axis=0)) / (away @ away))
                setting = {"dataset": str(dataset), "noise": str(noise), "rates": len(x)}
                lines += [setting | {"method": m, "slope": s} for m, s in zip(part.columns, slope, strict=True)]
    return pd.DataFrame(lines, columns=["dataset", "noise", "method", "slope", "rates"])


def build_slopes(rows, spec, context) -> Table:
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
    text = [list(map(signed_text, *line)) for line in zip(means.values, spreads.values, strict=True)]
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
