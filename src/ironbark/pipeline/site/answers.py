"""Which method is best on a data set at each noise, and whether it is better than the others."""

from ironbark.pipeline.analysis.statistics.against_best import DIGITS
from ironbark.pipeline.analysis.statistics.significance import ALPHA
from ironbark.pipeline.site.data.aggregates import SHOWN
from ironbark.pipeline.site.data.data_files import FINE, short


def answers(made, about, described):
    """Best methods by the main metric of each track.

    Parameters
    ----------
    made : ironbark.pipeline.site.data.aggregates.Aggregates
    about : dict
        Entry of `ironbark.pipeline.site.data.studies.read`.
    described : dict
        Of `ironbark.pipeline.site.data.names.describe`.

    Returns
    -------
    dict
        Data set -> list of dict with track, metric (entry), test and lines (one for each noise, see `_line`).
    """
    found = {}
    for track, metrics in made.tracks.items():
        metric, cells = SHOWN[metrics[0]], made.cells[metrics[0]]
        for dataset, part in cells.groupby("dataset", sort=False):
            settings = dict(iter(part.groupby("noise_id")))
            lines = [
                _line(settings[noise], noise, described[noise]["name"], about["methods"], metric)
                for noise in about["noises"]
                if noise in settings
            ]
            entry = {"track": track, "metric": metric, "metric_id": metrics[0], "test": made.test, "lines": lines}
            found.setdefault(dataset, []).append(entry)
    return found


def _line(cells, noise, name, labels, metric):
    """Best method of a setting, the method that is closest to it, and how many methods it is significantly better than.

    Numbers are in the shown unit of the metric; None stands for what is unknown.
    """
    best = cells[cells["method"] == cells["best"]].iloc[0]
    others = cells[cells["method"] != cells["best"]].dropna(subset="difference")
    line = {"noise": noise, "name": name, "best": best["method"], "label": labels[best["method"]], "n": int(best["n"])}
    line |= {"mean": metric.factor * short(best["mean"], FINE), "sd": _shown(best["sd"], metric)}
    line |= {"others": len(others), "beaten": int((others["p_holm"] < ALPHA).sum()), "second": None}
    line["tied"] = int((others["difference"].round(DIGITS) == 0).sum())
    if len(others):
        sign = 1 if metric.larger_is_better else -1
        second = others.loc[(sign * others["difference"]).idxmin()]
        line |= {"second": second["method"], "second_label": labels[second["method"]]}
        line |= {"difference": _shown(second["difference"], metric), "p": short(second["p_holm"])}
    return line


def _shown(value, metric):
    """In the shown unit, with the digits that the browser has."""
    value = short(value)
    return None if value is None else metric.factor * value
