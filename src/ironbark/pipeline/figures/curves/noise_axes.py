"""One panel of accuracy against noise: line and band over the rates of one noise model, points for other noises."""

import itertools

import numpy as np

from ironbark.pipeline.figures.style import GREY, THINNED

SLOT = 0.15  # width of one point noise, in units of the rate when the line spans 0 to 0.4
SPAN = 0.4


def places_of(gathered, noises, line="uniform"):
    """Noise id -> (position, whether it is on the line), the line's by rate, the others side by side after it."""
    known = gathered.drop_duplicates("noise_id").set_index("noise_id")
    on_line = {}
    for noise in noises:
        if noise in known.index and known.loc[noise, "noise"] in ("clean", line):
            rate = known.loc[noise, "rate"]
            if is_number(rate) and float(rate) not in on_line.values():
                on_line[noise] = float(rate)
    others = [noise for noise in noises if noise in known.index and noise not in on_line]
    scale = (max(on_line.values(), default=0) or SPAN) / SPAN
    start = max(on_line.values(), default=-SLOT * scale)
    places = {noise: (rate, True) for noise, rate in on_line.items()}
    for i, noise in enumerate(others):
        places[noise] = (start + (i + 1) * SLOT * scale, False)
    return places


def is_number(rate):
    """Whether the text of a rate is one number."""
    return rate.replace(".", "", 1).isdigit()


def slot(places):
    """Width of one point noise on the axis."""
    return SLOT * max((x for x, on_line in places.values() if on_line), default=SPAN) / SPAN or SLOT


def fill(axis, gathered, style, places, band=2):
    """Draw the methods of `style`: lines with bands of `band` standard deviations, points with bars of as many."""
    axis.margins(x=0.08)  # no mark is cut, not even in a narrow panel
    for i, (method, look) in enumerate(style.items()):
        own = gathered[(gathered["method"] == method) & (gathered["n"] > 0)].set_index("noise_id")
        shift = slot(places) * 0.8 * ((i + 0.5) / len(style) - 0.5)
        _line(axis, own.loc[[noise for noise in own.index if places[noise][1]]], look, places, band)
        points = own.loc[[noise for noise in own.index if not places[noise][1]]]
        if len(points):
            x = [places[noise][0] + shift for noise in points.index]
            bars = band * points["sd"].fillna(0)
            axis.errorbar(x, points["mean"], bars, color=look.color, marker=look.marker, linestyle="none", capsize=1.5,
                          elinewidth=0.9, markersize=3.6)  # fmt: skip


def _line(axis, own, look, places, band):
    """Line and band of one method; a rate without a finished fit is a gap."""
    rates = sorted(x for x, on_line in places.values() if on_line)
    at = {places[noise][0]: cell for noise, cell in own.iterrows()}
    if not at:
        return
    mean = np.array([at[x]["mean"] if x in at else np.nan for x in rates])
    sd = np.array([at[x]["sd"] if x in at else np.nan for x in rates])
    axis.plot(rates, mean, color=look.color, marker=look.marker, linestyle=look.linestyle, zorder=3)
    if band:
        axis.fill_between(rates, mean - band * sd, mean + band * sd, color=look.color, alpha=0.13, linewidth=0)


def end_above(axis, metric, factor: float = 1):
    """End the y axis a little above the largest value of a metric, which bands and bars may pass."""
    bottom, top = axis.get_ylim()
    if metric.unit == "percent":
        axis.set_ylim(top=min(top, factor + 0.04 * (top - bottom)))


def ticks(axis, places, noise_labels):
    """Rates below the line, display names below the points, separators between them."""
    axis.yaxis.get_major_locator().set_params(nbins=7, min_n_ticks=4)
    rates = sorted(x for x, on_line in places.values() if on_line)
    points = [(x, noise_labels[noise]) for noise, (x, on_line) in places.items() if not on_line]
    for (before, _), (after, _) in itertools.pairwise([*((x, "") for x in rates[-1:]), *points]):
        axis.axvline((before + after) / 2, color=GREY, linewidth=0.6, linestyle=":", gid="separator")
    axis.set_xticks([*rates, *(x for x, _ in points)], [*(f"{x:g}" for x in rates), *(text for _, text in points)])
    for tick in axis.get_xticklabels()[: len(rates)]:
        tick.set_gid(THINNED)
    for tick in axis.get_xticklabels()[len(rates) :]:
        tick.set(rotation=45, ha="right", rotation_mode="anchor")


def x_label(places):
    """Label of the x axis."""
    return "Noise rate" if any(on_line for _, on_line in places.values()) else "Noise"


def left_out(gathered):
    """Number of failed fits, in words; empty for none."""
    failed = int(gathered["failed"].sum())
    fits = int((gathered["n"] + gathered["failed"]).sum())
    return f"{failed} of {fits} fits failed and are left out" if failed else ""
