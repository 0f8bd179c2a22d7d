"""Published values as open points of a figure: which of them it shows, where, and how they look."""

import numpy as np

from ironbark.pipeline.figures.curves import noise_axes
from ironbark.pipeline.figures.style import GREY, Look, handle

HOLLOW = {"markerfacecolor": "white", "linestyle": "none"}


def chosen(printed, spec: dict, metric: str):
    """Published cells of a figure under our ids."""
    ids = spec["printed_methods"]
    cells = printed[(printed["metric"] == metric) & printed["method"].isin(ids)]
    for key in {"task", "dataset"} & spec.keys():
        cells = cells[cells[key] == spec[key]]
    names = [noise_id(*pair) for pair in zip(cells["noise"], cells["rate"], strict=True)]
    cells = cells.assign(method=cells["method"].map(ids), noise_id=names)
    return cells.rename(columns={"mean": "published_mean", "spread": "published_spread"})


def noise_id(noise, rate):
    """The id that the configuration gives a published noise, such as ``class-conditional-0.1-0.3``."""
    parts = [noise] if rate in ("", "0") else [noise, rate]
    return "-".join(parts).replace("_", "-").replace("/", "-")


def between(rate, known):
    """x of a rate among the known ones, as (rate, x); None beyond them, and for a rate that is no single number."""
    steps = sorted((float(text), x) for text, x in known if noise_axes.is_number(text))
    if not noise_axes.is_number(rate) or not steps or not steps[0][0] <= float(rate) <= steps[-1][0]:
        return None
    return float(np.interp(float(rate), *zip(*steps, strict=True)))


def draw(axis, cells, style, places, band):
    """Points with bars of `band` published spreads, right of our points of `noise_axes.fill`."""
    width = noise_axes.slot(places)
    for i, (method, look) in enumerate(style.items()):
        own = cells[(cells["method"] == method) & cells["noise_id"].isin(places)]
        apart = width * 0.8 * ((i + 0.5) / len(style) - 0.5)  # as our points
        x = [at + 0.15 * width + (0 if on_line else apart) for at, on_line in map(places.get, own["noise_id"])]
        bars = band * own["published_spread"] if band else None  # NaN draws none
        axis.errorbar(
            x, own["published_mean"], bars, color=look.color, marker=look.marker, **HOLLOW, capsize=2.5, elinewidth=0.6,
            markersize=5, zorder=4,
        )  # fmt: skip


def handles():
    """Legend entries of our points and of published ones."""
    return [handle(Look(GREY, "o", "-"), "ours"), handle(Look(GREY, "o", "none"), "published", **HOLLOW)]
