"""Statements of docs/arena.md, from the pack of `arena`."""

from docs.arena import labels, leaderboard, rows, scores
from docs.reference import table

from ironbark.pipeline.analysis.statistics import against_best, ranks
from ironbark.pipeline.analysis.statistics.significance import ALPHA
from ironbark.pipeline.figures.rankings import gains

TASKS = ("binary", "multiclass")
PLAIN = "sklearn-rf"
SHOWN = 8  # methods of a leaderboard
OURS = {"cleaned-forest-weight": "weighted forest", "rf-self-tuned": "self-tuned forest"}
NOISES = {"clean": "no noise", "uniform-0.2": "uniform 0.2", "uniform-0.4": "uniform 0.4"}
NOISES |= {"part-dependent-0.4": "part-dependent 0.4", "annotators": "votes", "threshold-0.4": "threshold 0.4"}


def _listed(names):
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def size():
    found = rows()
    fits = {task: len(found[found["task"] == task]) for task in TASKS}
    methods = {task: found[found["task"] == task]["method"].nunique() for task in TASKS}
    settings = found.groupby("task")[["dataset", "noise_id", "repeat"]].apply(lambda rows: len(rows.drop_duplicates()))
    missing = sum(settings[task] * methods[task] - fits[task] for task in TASKS)
    found_by = f"{methods['binary']} methods on 18 binary and {methods['multiclass']} on 12 multiclass data sets"
    return f"{sum(fits.values()):,} fits ({missing} failed): {found_by}"


def _leaders(task):
    found = leaderboard(f"leaderboard-{task}").reset_index()
    found.insert(0, "place", range(1, len(found) + 1))
    chosen = found[(found["place"] <= SHOWN) | (found["method"] == PLAIN)]
    memory = _memory(task)
    lines = [
        [line.place, labels()[line.method], f"{line.elo:.0f} [{line.low:.0f}, {line.high:.0f}]", f"{line.rank:.1f}"]
        + [f"{100 * line.mean:.1f}", f"{100 * line.lost:.1f}", f"{line.seconds:.2g}", memory[line.method]]
        for line in chosen.itertuples()
    ]
    heads = [f"Place, {task}", "Method", "Elo [95 %]", "Average rank", "Accuracy", "Lost by noise", "CPU seconds", "MB"]
    return table(heads, lines, texts=2)


def _memory(task):
    """Median peak memory of the fits of each method, as text."""
    found = rows()
    medians = found[found["task"] == task].groupby("method")["fit_memory"].median()
    return medians.map("{:.2g}".format)


def leaders_binary():
    return _leaders("binary")


def leaders_multiclass():
    return _leaders("multiclass")


def _best(task):
    """How clearly the first method of the ranks leads."""
    found, complete = leaderboard(f"leaderboard-{task}"), scores(task)
    order = list(ranks.average_ranks(complete).index)
    assert order[0] == found.index[0]
    p = against_best.over_datasets(ranks.by_dataset(complete)[order])
    overlap = int((found["high"] >= found["low"].iloc[0]).sum()) - 1
    sets = complete.index.get_level_values("dataset").nunique()
    return (
        f"{labels()[found.index[0]]} has the best rating on {task} tasks. The intervals of {overlap} of "
        f"{len(found) - 1} other methods overlap its own; Wilcoxon's signed-rank test over the {sets} data sets "
        f"(Holm, level {ALPHA:g}) separates it from {int((p < ALPHA).sum())}."
    )


def best_binary():
    return _best("binary")


def best_multiclass():
    return _best("multiclass")


def _gains(task):
    complete = scores(task)
    return gains(complete, PLAIN, list(dict.fromkeys(complete.index.get_level_values("noise_id"))))


def robust_gains():
    """Gains of two methods over scikit-learn's forest under a few noises."""
    lines = []
    for method, name in OURS.items():
        for task in TASKS:
            means, p = _gains(task)
            cells = [
                f"{100 * means.loc[method, noise]:+.1f}{'*' * bool(p.loc[method, noise] < ALPHA)}"
                if noise in means
                else ""
                for noise in NOISES
            ]
            lines.append([f"{name}, {task}", *cells])
    return table(["Gain over scikit-learn's forest (points)", *NOISES.values()], lines)


def _helpless(task):
    """Noises under which no method is significantly better than scikit-learn's forest."""
    means, p = _gains(task)
    none = [noise for noise in means if not ((p[noise] < ALPHA) & (means[noise] > 0)).any()]
    return [noise.replace("-", " ") for noise in none if noise != "clean"], len(means.columns) - 1


def helpless():
    parts = []
    for task in TASKS:
        names, n = _helpless(task)
        listed = f" ({_listed(names)})" if names else ""
        parts.append(f"{len(names)} of {n} {task} noises{listed}")
    return f"no method is significantly better than scikit-learn's forest under {_listed(parts)}"


def filters():
    """What filters by boosting cost without noise and on a rare class."""
    means, _ = _gains("binary")
    clean, rare = (
        _listed([f"{100 * means.loc[f'{name}-filter-forest', noise]:.1f}" for name in ("margin", "gradient")])
        for noise in ("clean", "rare-class-0.4")
    )
    return f"by {clean} points on clean binary labels and by {rare} if a rare class is mislabelled"


def detectors():
    lines = []
    for task in TASKS:
        found, memory = leaderboard(f"detectors-{task}").reset_index(), _memory(task)
        for place, line in enumerate(found.itertuples(), 1):
            rating = f"{line.elo:.0f} [{line.low:.0f}, {line.high:.0f}]"
            numbers = [rating, f"{100 * line.mean:.1f}", f"{line.seconds:.2g}", memory[line.method]]
            lines.append([f"{place}, {task}", labels()[line.method], *numbers])
    return table(["Place", "Detector, of", "Elo [95 %]", "Average precision", "CPU seconds", "MB"], lines, texts=2)


STATEMENTS = [size, leaders_binary, leaders_multiclass, best_binary, best_multiclass, robust_gains, helpless, filters]
STATEMENTS += [detectors]
