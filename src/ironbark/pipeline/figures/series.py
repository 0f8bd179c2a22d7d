"""A measure against a number that the methods or the noises of a line have, such as a noise rate or lambda."""

import itertools
import textwrap

import numpy as np

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.figures.style import GREY, THINNED, Look, finish, handle, looks, new_figure, panels, styled
from ironbark.pipeline.tables.collect import cells, select
from ironbark.pipeline.tables.kinds import varied

WIDTH = 22  # letters beside one of several rows of panels


@styled
def series_curves(rows, spec: dict, context, *, printed=None):
    """Draw a column of panels for each data set, a row for each measure."""
    names = spec.get("metrics") or [spec.get("metric", "accuracy")]
    chosen = select(rows, {key: spec[key] for key in ("id", "task", "datasets") if key in spec})
    gathered = {name: cells(chosen, name) for name in names}
    lines = {name: _lines(found, spec, metrics.resolve(name).factor) for name, found in gathered.items()}
    theirs = {} if printed is None else {name: _printed(printed, gathered[name], spec, name) for name in names}
    datasets = [
        d for d in spec.get("datasets") or chosen["dataset"].unique() if any(d == k[0] for k in lines[names[0]])
    ]
    if not datasets:
        raise InputError(f"no result row is in figure {spec.get('id', '')!r}; check its datasets, methods and noises")
    style = looks([line["label"] for line in spec["series"]], spec.get("colors", "ironbark"))
    figure = new_figure(max(4.6, 0.6 + 2.7 * len(datasets)), 0.95 + (1.9 * len(names) if len(names) > 1 else 2.7))
    axes = panels(figure, len(names) * len(datasets), len(datasets))
    for i, name in enumerate(names):
        for j, dataset in enumerate(datasets):
            axis = axes[i * len(datasets) + j]
            _fill(axis, lines[name], dataset, style, spec)
            for (place, label), points in theirs.get(name, {}).items():
                if place == dataset:
                    axis.plot(*points, **style[label]._asdict() | HOLLOW, zorder=4, gid="published")
            if j == 0:
                label = with_unit(metrics.resolve(name))
                axis.set_ylabel(textwrap.fill(label, WIDTH) if len(names) > 1 else label)
            if i == 0:
                axis.set_title(context.datasets[dataset])
    for axis in axes[-len(datasets) :]:
        axis.set_xlabel(spec.get("x_label", ""))
    figure.align_ylabels(axes)
    entries = [handle(look, label) for label, look in style.items()]
    entries += handles() if any(theirs.values()) else []
    figure.legend(handles=entries, loc="outside upper center", ncols=min(2, len(entries)), handlelength=3)
    return finish(figure, spec, bars(spec.get("band", 0)), _absent(lines[names[0]], spec, datasets), context.note)


def _lines(found, spec, factor):
    """(data set, label) -> list of (x, mean, sd) of the points that have a finished fit, in shown units."""
    at = {(cell.dataset, cell.method, cell.noise_id): cell for cell in found.itertuples()}
    result = {}
    for line in spec["series"]:
        key = varied(line)
        for dataset in dict.fromkeys(found["dataset"]):
            for x, name in zip(spec["x"], line[key], strict=True):
                place = (line["methods"][0], name) if key == "noises" else (name, line["noises"][0])
                cell = at.get((dataset, *place))
                if cell is not None and cell.n and np.isfinite(cell.mean):
                    result.setdefault((dataset, line["label"]), []).append((x, factor * cell.mean, factor * cell.sd))
    return result


def _printed(printed, found, spec, name):
    """(data set, label) -> x and values of the published points, in shown units."""
    noises = {cell.noise_id: (cell.noise, cell.rate) for cell in found.itertuples()}
    factor, result = metrics.resolve(name).factor, {}
    for cell in chosen(printed, spec, name).itertuples():
        for line in spec["series"]:
            x = _place(cell, line, spec["x"], noises)
            if x is not None:
                points = result.setdefault((cell.dataset, line["label"]), ([], []))
                points[0].append(x)
                points[1].append(factor * cell.published_mean)
    return result


def _place(cell, line, x, noises):
    """x of a published cell on a line, None if it is not there; `noises` are model and rate by id."""
    if cell.method not in line["methods"]:
        return None
    if varied(line) == "methods":
        return x[line["methods"].index(cell.method)] if cell.noise_id in line["noises"] else None
    at = dict(zip(line["noises"], x, strict=True))
    if cell.noise_id in at:
        return at[cell.noise_id]
    same = [(noises[name][1], x) for name, x in at.items() if noises.get(name, ("",))[0] in ("clean", cell.noise)]
    return between(cell.rate, same)


def _fill(axis, lines, dataset, style, spec):
    for label, look in style.items():
        points = np.array(lines.get((dataset, label), np.empty((0, 3))), dtype=float)
        x, mean, sd = points.T
        axis.plot(x, mean, color=look.color, marker=look.marker, linestyle=look.linestyle, zorder=3)
        if spec.get("band"):
            wide = spec["band"] * sd
            axis.vlines(x, mean - wide, mean + wide, color=look.color, linewidth=0.9, alpha=0.6)
    if spec.get("x_scale") == "log":
        axis.set_xscale("log")
        axis.minorticks_off()
        axis.set_xticks(spec["x"], [f"{x:g}" for x in spec["x"]])
    if "mark" in spec:
        axis.axvline(spec["mark"], color=GREY, linewidth=0.8, linestyle=":", gid="mark")


def with_unit(metric, label: str = ""):
    """Label of an axis of a metric: its name or a study's, with the sign of percent."""
    return f"{label or metric.name} (%)" if metric.unit == "percent" else label or metric.name


def shown(cells, metric):
    """Cells, or published ones, in the unit that the axis of a metric has."""
    columns = [name for name in ("mean", "sd", "published_mean", "published_spread") if name in cells]
    return cells.assign(**{name: metric.factor * cells[name] for name in columns})


#: Abbreviation in labels of noises -> what it stands for.
SPELLED = {"CC": "class-conditional noise", "Adv.": "adversarial noise"}


def spelled(places, noise_labels):
    """What the abbreviations below the axis stand for, in words; empty for none."""
    first = {noise_labels[noise].partition(" ")[0] for noise, (_, on_line) in places.items() if not on_line}
    return "; ".join(f"{short}: {words}" for short, words in SPELLED.items() if short in first)


def bars(band) -> str:
    """Length of the bars, in words; empty where there are none."""
    return f"Bars are {band:g} standard deviations" * bool(band)


def _absent(lines, spec, datasets):
    asked = len(spec["x"]) * len(spec["series"]) * len(datasets)
    drawn = sum(len(points) for (dataset, _), points in lines.items() if dataset in datasets)
    return f"{asked - drawn} of {asked} points have no finished fit" if drawn < asked else ""


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
    """Draw the methods of `style`: lines and points with bars of `band` standard deviations."""
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
    """Line and bars of one method; a rate without a finished fit is a gap."""
    rates = sorted(x for x, on_line in places.values() if on_line)
    at = {places[noise][0]: cell for noise, cell in own.iterrows()}
    if not at:
        return
    mean = np.array([at[x]["mean"] if x in at else np.nan for x in rates])
    sd = np.array([at[x]["sd"] if x in at else np.nan for x in rates])
    axis.plot(rates, mean, color=look.color, marker=look.marker, linestyle=look.linestyle, zorder=3)
    if band:
        axis.vlines(rates, mean - band * sd, mean + band * sd, color=look.color, linewidth=0.9, alpha=0.6)


def end_above(axis, metric):
    """End the y axis a little above the largest value of a metric, which bars may pass."""
    bottom, top = axis.get_ylim()
    if metric.unit == "percent":
        axis.set_ylim(top=min(top, metric.factor + 0.04 * (top - bottom)))


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
    steps = sorted((float(text), x) for text, x in known if is_number(text))
    if not is_number(rate) or not steps or not steps[0][0] <= float(rate) <= steps[-1][0]:
        return None
    return float(np.interp(float(rate), *zip(*steps, strict=True)))


def draw_published(axis, cells, style, places, band):
    """Points with bars of `band` published spreads, right of our points of `noise_axes.fill`."""
    width = slot(places)
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
