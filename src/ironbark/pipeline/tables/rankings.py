"""Tables of methods over all data sets: average ranks, and the leaderboard, which a method of another pack can join."""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.results import packs
from ironbark.pipeline.statistics import elo, ranks
from ironbark.pipeline.statistics.significance import ALPHA, p_text
from ironbark.pipeline.tables.collect import cells, metric_of, order, select, selected, selected_cells
from ironbark.pipeline.tables.result_table import ABSENT, Table

CLEAN = "clean"
LEAST = 1e-4  # seconds below which a clock says nothing


def build_ranks(rows, spec: dict, context):
    """Average rank of each method over the data sets, by noise and over all; bold: within reach of the best."""
    gathered = selected_cells(selected(rows, spec), spec, context.missing)
    noises = order(gathered, spec)[2]
    complete, left_out = ranks.compared(gathered, spec, context.methods)
    complete = complete if metric_of(spec).larger_is_better else -complete
    by_setting = ranks.setting_ranks(complete)
    overall, n_datasets = ranks.dataset_ranks(complete), complete.index.unique("dataset").size
    by_noise = by_setting.groupby("noise_id").mean().T
    table = by_noise[[noise for noise in noises if noise in by_noise]].assign(all=overall).loc[overall.index]
    difference = ranks.critical_difference(complete.shape[1], n_datasets, ALPHA)
    frame = table.map("{:.2f}".format).rename(index=context.methods, columns={**context.noises, "all": "All"})
    bold = pd.DataFrame(False, frame.index, frame.columns)
    bold["All"] = (overall <= overall.iloc[0] + difference).to_numpy()
    caption = context.caption(spec, _rank_reading(complete, n_datasets, difference, spec))
    values = table.rename_axis("method").reset_index().melt("method", var_name="noise_id", value_name="average_rank")
    values["settings"] = values["noise_id"].map({**by_setting.groupby("noise_id").size(), "all": len(complete)})
    return Table(frame.rename_axis("Method"), values, bold, caption, left_out)


def _rank_reading(complete, n_datasets, difference, spec):
    name = metric_of(spec).inline
    settings = f"{len(complete)} settings of {n_datasets} data sets, which count alike"
    text = f"Average rank by {name} (1 is best, ties shared) over {settings}"
    if complete.shape[1] > 2 and n_datasets > 1:
        statistic, p = ranks.friedman(complete)
        text += f"; Friedman chi-square {statistic:.2f}, {p_text(p)}"
    return f"{text}; Nemenyi critical difference {difference:.2f} at level {ALPHA:g}; bold: within it of the best"


def seconds(rows, complete):
    """CPU seconds of a fit with its tuning: geometric mean over data sets and their settings of the means of fits."""
    fits = cells(rows, "fit_seconds").set_index([*ranks.SETTING, "method"])["mean"]
    tuning = cells(rows, "tune_seconds").set_index([*ranks.SETTING, "method"])["mean"].fillna(0)
    wide = (fits + tuning).unstack("method").loc[complete.index, complete.columns]
    return np.exp(ranks.by_dataset(np.log(wide.clip(lower=LEAST))).mean())


def board(rows: pd.DataFrame, complete: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The numbers of the leaderboard."""
    sign = 1 if metrics.resolve(metric).larger_is_better else -1
    numbers = standing(sign * complete)
    numbers["mean"] = ranks.by_dataset(complete).mean()
    clean = complete.index.get_level_values("noise_id") == CLEAN
    lost = (ranks.by_dataset(complete[clean]) - ranks.by_dataset(complete[~clean])).mean()
    numbers["lost"] = (sign * lost).round(ranks.DIGITS) + 0.0  # no -0.0
    numbers["seconds"] = seconds(rows, complete)
    return numbers.sort_values("elo", ascending=False, kind="stable")


def standing(scores: pd.DataFrame, rated: bool = True) -> pd.DataFrame:
    """Elo rating with its interval, average rank and score of each method, of scores of complete settings."""
    low = high = rating = np.nan
    if rated:
        shares = elo.wins(scores)
        (low, high), rating = elo.intervals(shares), elo.ratings(shares.sum(axis=0))
    numbers = pd.DataFrame({"elo": rating, "low": low, "high": high}, pd.Index(scores.columns, name="method"))
    numbers["rank"] = ranks.dataset_ranks(scores)
    numbers["score"] = ranks.by_dataset(normalised(scores)).mean()
    return numbers


def normalised(scores):
    """Scores of each setting, so that the best methods have 1, and else the median and all that are worse have 0."""
    median, best = scores.median(axis=1), scores.max(axis=1)
    span = (best - median).where(lambda width: width > 0, 1.0)
    return scores.sub(median, axis=0).div(span, axis=0).clip(lower=0).mask(scores.eq(best, axis=0), 1.0)


def build_leaderboard(rows, spec, context) -> Table:
    """Methods by rating."""
    metric, chosen = metric_of(spec), select(rows, spec)
    complete, notes = ranks.compared(selected_cells(chosen, spec, context.missing), spec, context.methods)
    numbers = board(chosen, complete, spec.get("metric", "accuracy"))
    texts = {
        "Elo": [
            f"{line.elo:.0f}" + f" [{line.low:.0f}, {line.high:.0f}]" * pd.notna(line.low)
            for line in numbers.itertuples()
        ],
        "Average rank": numbers["rank"].map("{:.1f}".format),
        "Normalised score": numbers["score"].map("{:.2f}".format),
        metric.with_unit: (metric.factor * numbers["mean"]).map("{:.2f}".format),
        "Lost by noise": [ABSENT if pd.isna(x) else f"{metric.factor * x:.2f}" for x in numbers["lost"]],
        "CPU seconds": numbers["seconds"].map("{:.2g}".format),
    }
    frame = pd.DataFrame(texts, numbers.index, dtype="str").rename(index=context.methods).rename_axis("Method")
    bold = pd.DataFrame(False, frame.index, frame.columns)
    bold["Elo"] = (numbers["high"] >= numbers["low"].iloc[0]).to_numpy()
    n = len(set(complete.index.get_level_values("dataset")))
    reading = f"By {metric.inline} on {len(complete)} settings; each of {n} data set{'s' * (n > 1)} counts once"
    columns = [
        f"Elo: a lead of 400 points means ten wins for each loss; {elo.intervals_in_words(n, 'bold')}.",
        "Normalised score: 1 for the best method of a setting, else 0 for the median and below.",
        "CPU seconds: of a fit with its tuning, geometric mean.",
    ]
    return Table(frame, numbers.reset_index(), bold, context.caption(spec, reading), [*columns, *notes])


def rows_of_pack(path) -> pd.DataFrame:
    """One row for each fit of a pack of scores, each checked by the strict reader."""
    made = []
    with packs.Pack(path) as pack:
        for name in pack.members:
            parts = name.removeprefix("store/").removesuffix(".jsonl").split("/")
            setting = dict(zip(ranks.SETTING, parts, strict=True)) | {"noise": "", "rate": ""}
            for method, fits in pack.fits(name).items():
                made += [setting | {"method": method} | record | record.get("scores", {}) for record in fits.values()]
    if "scores" not in (found := pd.DataFrame(made)) or found["scores"].isna().any():
        raise InputError(f"{path} has no fits, or fits without scores; write it with --config pack_content=scores")
    return found.drop(columns="scores")
