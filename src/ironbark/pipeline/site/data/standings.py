"""Where a method wins and where it loses, in each study."""

import pandas as pd

from ironbark.pipeline.analysis.collect import cells
from ironbark.pipeline.analysis.statistics import ranks

SHOWN = 3  # settings named at each end


def standings(frame, metric="accuracy"):
    """One entry per method and task of a study, over the settings that all methods of the task have finished.

    Parameters
    ----------
    frame : DataFrame
        Rows of `ironbark.pipeline.site.data.rows`.
    metric : str
        Larger is better.

    Returns
    -------
    list of dict
        Keys method, task, settings, methods (how many are compared), place (of the average rank), rank (average),
        wins (settings of rank 1, ties count), best and worst: lists of (data set, noise id, mean in percent, margin to
        the median of all methods in points, rank).
    """
    found = []
    for task, part in frame.groupby("task", observed=True):
        complete, _ = ranks.scores(cells(part, metric))
        if complete.empty or complete.shape[1] < 2:
            continue
        by_setting = ranks.setting_ranks(complete)
        first = ranks.setting_ranks(complete, "min") == 1
        order = ranks.average_ranks(complete)
        margin = 100 * complete.sub(complete.median(axis=1), axis=0)
        for place, (method, rank) in enumerate(order.items(), 1):
            about = {"method": str(method), "task": str(task), "settings": len(complete), "methods": len(order)}
            about |= {"place": place, "rank": float(rank), "wins": int(first[method].sum())}
            sides = _ends(100 * complete[method], margin[method], by_setting[method])
            found.append(about | dict(zip(("best", "worst"), sides, strict=True)))
    return found


def _ends(means, margins, places):
    """The settings of the largest and of the smallest margin."""
    lines = pd.DataFrame({"mean": means, "margin": margins, "rank": places}).sort_values("margin", kind="stable")
    shown = [
        (str(dataset), str(noise), float(line["mean"]), float(line["margin"]), float(line["rank"]))
        for (dataset, _, noise), line in lines.iterrows()
    ]
    half = min(SHOWN, (len(shown) + 1) // 2)
    return [line for line in shown[::-1][:half] if line[3] > 0], [line for line in shown[:half] if line[3] < 0]
