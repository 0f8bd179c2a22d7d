"""One line per method: Elo rating, average rank, normalised score, mean, what noise costs, and CPU time."""

import pandas as pd

from ironbark.pipeline import metrics
from ironbark.pipeline.analysis.collect import metric_of, select, selected_cells
from ironbark.pipeline.analysis.statistics import elo, ranks
from ironbark.pipeline.analysis.tables.result_table import ABSENT, Table
from ironbark.pipeline.analysis.tables.training_cost import seconds

CLEAN = "clean"


def board(rows: pd.DataFrame, complete: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The numbers of the leaderboard."""
    sign = 1 if metrics.resolve(metric).larger_is_better else -1
    shares = elo.wins(sign * complete)
    low, high = elo.shown_intervals(shares)
    found = pd.DataFrame(
        {"elo": elo.ratings(shares.sum(axis=0)), "low": low, "high": high}, pd.Index(complete.columns, name="method")
    )
    found["rank"] = ranks.average_ranks(sign * complete)
    found["score"] = ranks.by_dataset(normalised(sign * complete)).mean()
    found["mean"] = ranks.by_dataset(complete).mean()
    clean = complete.index.get_level_values("noise_id") == CLEAN
    found["lost"] = sign * (ranks.by_dataset(complete[clean]).mean() - ranks.by_dataset(complete[~clean]).mean())
    found["seconds"] = seconds(rows, complete)
    return found.sort_values("elo", ascending=False, kind="stable")


def normalised(scores):
    """Scores of each setting, so that the best method has 1, and the median and all that are worse have 0."""
    median = scores.median(axis=1)
    span = (scores.max(axis=1) - median).where(lambda width: width > 0, 1.0)
    return scores.sub(median, axis=0).div(span, axis=0).clip(lower=0)


def build(rows, spec, context) -> Table:
    """Methods by rating."""
    metric, chosen = metric_of(spec), select(rows, spec)
    complete, notes = ranks.compared(selected_cells(chosen, spec), spec)
    found = board(chosen, complete, spec.get("metric", "accuracy"))
    points = f" ({metric.unit})" * bool(metric.unit)
    texts = {
        "Elo": [_rating(line) for line in found.itertuples()],
        "Average rank": found["rank"].map("{:.1f}".format),
        "Normalised score": found["score"].map("{:.2f}".format),
        f"{metric.name}{points}": (metric.factor * found["mean"]).map("{:.2f}".format),
        "Lost by noise": [ABSENT if pd.isna(x) else f"{metric.factor * x:.2f}" for x in found["lost"]],
        "CPU seconds": found["seconds"].map("{:.2g}".format),
    }
    index = pd.Index([context.methods[method] for method in found.index], name="Method")
    frame = pd.DataFrame({head: list(cells) for head, cells in texts.items()}, index, dtype="str")
    bold = pd.DataFrame(False, frame.index, frame.columns)
    bold["Elo"] = (found["high"] >= found["low"].iloc[0]).to_numpy()
    n = len(set(complete.index.get_level_values("dataset")))
    reading = (
        f"By {metric.inline} on {len(complete)} settings of {n} data sets, each of which counts once. Elo: a lead of "
        f"400 points means ten wins for each loss; {elo.intervals_in_words(n, 'bold')}. "
        "Normalised score: 1 for the best method of a setting, 0 for the median and below. CPU seconds of a fit "
        "with its tuning, geometric mean"
    )
    caption = context.caption(spec, reading)
    return Table(frame, found.reset_index(), bold, caption, notes)


def _rating(line):
    return f"{line.elo:.0f}" if pd.isna(line.low) else f"{line.elo:.0f} [{line.low:.0f}, {line.high:.0f}]"
