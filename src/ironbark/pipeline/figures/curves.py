"""Curves: measures against the rate of noise, or against a number that methods or noises differ in, in panels."""

import textwrap
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.figures import style
from ironbark.pipeline.metrics import Metric
from ironbark.pipeline.results.records import NoResults
from ironbark.pipeline.tables.collect import cells, metric_of, order, select, selected, selected_cells
from ironbark.pipeline.tables.kinds import varied

MARK = 0.07  # width that a point takes beside others, as a share of the line
SLOTS = 0.35, 0.8  # least and largest width of a noise beside the line, as a share of the line
WIDE = 0.6  # width of the marks at a rate, as a share of the step to the next rate
PAD = 14  # points from the axis to names, which are below the rates
LETTERS, HIGH = 12, 22  # of the label below an inch of a panel, and beside a panel
DENSE = 4  # rates of which all have their labels


class Places(NamedTuple):
    """Where noises are on the x axis."""

    rates: dict  # noise id -> x, on the line
    points: dict  # noise id -> x, side by side after the line
    slot: float = 0.0  # width of one of these points


@dataclass
class Panel:
    """One panel: means with standard deviations by x, and published ones; see `_shown`."""

    title: str
    metric: Metric
    places: Places
    ours: pd.DataFrame
    theirs: pd.DataFrame | None = None


def places_of(found: pd.DataFrame, noises: list[str], lines: int, model: str = "uniform") -> Places:
    """Places of noises: clean and those of the model of the line by rate, the others side by side after them."""
    known = found.drop_duplicates("noise_id").set_index("noise_id")
    known = known.loc[[noise for noise in noises if noise in known.index]]
    rates = numbers(known["rate"])[known["noise"].isin(["clean", model])].dropna().drop_duplicates().to_dict()
    last = max(rates.values(), default=0)
    slot = (last or 0.4) * float(np.clip(MARK * lines, *SLOTS))
    start = last if rates else -slot
    others = [noise for noise in known.index if noise not in rates]
    return Places(rates, {noise: start + (i + 1) * slot for i, noise in enumerate(others)}, slot)


def numbers(rates: pd.Series) -> pd.Series:
    """Rates that are one number; others are NaN."""
    return pd.to_numeric(rates.astype("str"), errors="coerce")


def _placed(found, places, line):
    """Cells with their place on the axis; `line` has the keys of the looks, `single` are those beside the line."""
    x = found["noise_id"].map(places.rates | places.points)
    return found.assign(line=line, x=x, single=found["noise_id"].isin(places.points)).dropna(subset="x")


def _shown(found, metric):
    """Cells with mean and sd in the shown unit."""
    return found.assign(**{name: metric.factor * found[name] for name in ("mean", "sd")})


def _fill(axis, panel, look_of, band):
    """Draw lines over the rates and points beside them, with bars of `band` standard deviations."""
    frames = [panel.ours] if panel.theirs is None else [panel.ours, panel.theirs]
    rates, count = sorted(panel.places.rates.values()), len(frames) * len(look_of)
    beside = panel.places.slot and (band or len(frames) > 1)  # else lines need no room
    room = min(WIDE * min(np.diff(rates), default=0), panel.places.slot) * bool(beside)
    for i, (line, look) in enumerate(look_of.items()):
        for side, found in enumerate(frames):
            own = found[found["line"] == line].set_index("x")
            single, joined = own[own["single"]].dropna(subset="mean"), own[~own["single"]]
            if side == 0:  # a rate without a finished fit is a gap
                joined = joined.reindex(rates)
            drawn = look._asdict() | (_published_look(look_of) if side else {})
            aside = (len(frames) * i + side - (count - 1) / 2) / count  # as a share of the room
            _draw(axis, joined.index + aside * room, joined, band, drawn)
            x = single.index + aside * 0.85 * panel.places.slot
            _draw(axis, x, single, band, drawn | {"linestyle": "none"})


def _draw(axis, x, values, band, look):
    """Marks and bars of one line."""
    if values["mean"].notna().any():
        bars = band * values["sd"] if band else None  # NaN draws none
        axis.errorbar(np.asarray(x, float), values["mean"], bars, **look, elinewidth=0.8, zorder=3)


def _published_look(look_of):
    """How published values differ from ours: by open marks, and by their colour if there is a single line."""
    return style.HOLLOW if len(look_of) > 1 else style.LOOKS[1]._asdict() | style.HOLLOW


def _sources(entries, look_of):
    """Legend entries of the lines, of our points and of published ones."""
    single, grey = len(look_of) == 1, style.Look(style.GREY, "o", "-")
    own = next(iter(look_of.values())) if single else grey
    published = style.handle(own, "published", **_published_look(look_of))
    return [*([] if single else entries), style.handle(own, "ours"), published]


def _ticks(axis, places, names):
    """Rates below the line, names below the points, where there are names, and separators between them."""
    axis.yaxis.get_major_locator().set_params(nbins=6, min_n_ticks=4)
    rates, points = sorted(places.rates.values()), list(places.points.values())
    every = 1 + (len(rates) > DENSE)
    axis.set_xticks(rates, ["" if i % every else f"{x:g}" for i, x in enumerate(rates)])
    texts = [names[noise] for noise in places.points] if names else [""] * len(points)
    axis.set_xticks(points, texts, minor=True, rotation=45, ha="right", rotation_mode="anchor")
    axis.tick_params(axis="x", which="minor", pad=PAD if rates else 3, length=3.5)
    for x in points if rates else points[1:]:
        axis.axvline(x - places.slot / 2, color=style.GREY, linewidth=0.6, linestyle=":", gid="separator")


def _figure(drawn, look_of, labels, spec, context, *, columns, name=None, alike=False, notes=()):
    """Draw panels in rows; `labels` names the lines, `name` is that of a single one."""
    columns, rows = style.grid_size(len(drawn), spec, columns)
    entries = [style.handle(look, labels[line]) for line, look in look_of.items()]
    if any(panel.theirs is not None for panel in drawn):
        entries = _sources(entries, look_of)
    width = {1: 4.6, 2: 6.2}.get(columns, style.TEXT_WIDTH)
    figure, letters = style.new_figure(width, 1.75 * rows + 1.0), int(LETTERS * width / columns)
    band = spec.get("band", 2)
    axes = style.panels(figure, len(drawn), columns)
    for axis in axes[1:] if alike else ():
        axis.sharey(axes[0])
    for i, (axis, panel) in enumerate(zip(axes, drawn, strict=True)):
        axis.margins(x=0.08)  # no mark is cut, not even in a narrow panel
        _fill(axis, panel, look_of, band)
        _ticks(axis, panel.places, context.noises if i // columns == rows - 1 else None)  # long: higher ones part rows
        if spec.get("x_scale") == "log":
            axis.set_xscale("log")
            axis.set_xticks(spec["x"], [f"{x:g}" for x in spec["x"]])
            axis.minorticks_off()
        if "mark" in spec:
            axis.axvline(spec["mark"], color=style.GREY, linewidth=0.8, linestyle=":", gid="mark")
        x_label = spec.get("x_label", "Noise rate" if panel.places.rates else "Noise")
        axis.set(title=panel.title, xlabel=textwrap.fill(x_label, letters) if i + columns >= len(drawn) else "")
        if i % columns == 0 or panel.metric != drawn[i - 1].metric:
            axis.set_ylabel(textwrap.fill(style.with_unit(panel.metric), HIGH))
    for axis, panel in zip(axes, drawn, strict=True):  # once all is drawn, as panels may share their y axis
        bottom, top = axis.get_ylim()
        if panel.metric.unit == "percent":  # bars may pass 100 %
            axis.set_ylim(top=min(top, panel.metric.factor + 0.04 * (top - bottom)))
    figure.align_ylabels(axes)
    style.legend(figure, entries, title=spec.get("legend_title", name))
    places = {noise for panel in drawn for noise in panel.places.points}
    bars = f"Bars are {band:g} standard deviations" * bool(band)
    return style.finish(figure, spec, bars, *notes, style.spelled(places, context.noises), context.note)


def noise_curves(rows, spec: dict, context):
    """Draw a panel for each data set, and a row of them for each of several measures."""
    chosen, names = selected(rows, spec, "figure"), spec.get("metrics") or [spec.get("metric", "accuracy")]
    gathered = {name: cells(chosen, name) for name in names}
    found = gathered[names[0]]
    datasets, methods, noises = order(found, spec)
    datasets = [dataset for dataset in datasets if dataset in set(found["dataset"])]
    methods = [method for method in methods if method in set(found["method"])]
    look_of = style.looks(methods, spec.get("colors", "ironbark"))
    places = places_of(found, noises, len(look_of), spec.get("line", "uniform"))
    drawn = []
    for name, values in gathered.items():
        metric = metrics.resolve(name)
        shown = _placed(_shown(values, metric), places, values["method"])
        for dataset in datasets:
            title = context.datasets[dataset] if name == names[0] else ""
            drawn.append(Panel(title, metric, places, shown[shown["dataset"] == dataset]))
    columns = len(datasets) if len(names) > 1 else 3
    return _figure(drawn, look_of, context.methods, spec, context, columns=columns, notes=[style.left_out(found)])


def noise_panels(rows, spec: dict, context, *, printed=None):
    """Draw the cells of chosen methods, one measure a panel; others than in the first one take looks in turn."""
    longest = spec["panels"][0]["methods"]
    if any(len(panel["methods"]) > len(longest) for panel in spec["panels"]):
        raise InputError(f"figure {spec.get('id', '')!r}: the first panel needs all methods, for the legend")
    drawn, failures = [], {}
    for panel in spec["panels"]:
        about = spec | panel | {"datasets": [spec["dataset"]]}
        found = [selected_cells(rows, about)]
        if found[0].empty:
            raise InputError(f"no result row is in panel {panel['title']!r} of figure {spec.get('id', '')!r}")
        found += [] if printed is None else [_published(printed, about)]
        places = places_of(found[0], order(found[0], about)[2], len(longest) * len(found))
        free = (name for name in longest if name not in panel["methods"])
        lines = {name: name if name in longest else next(free) for name in panel["methods"]}
        parts = [_placed(_shown(part, metric_of(about)), places, part["method"].map(lines)) for part in found]
        drawn.append(Panel(panel["title"], metric_of(about), places, *parts))
        failures[style.left_out(found[0])] = None
    look_of, notes = style.looks(longest, spec.get("colors", "ironbark")), ["; ".join(filter(None, failures))]
    return _figure(drawn, look_of, context.methods, spec, context, columns=2, notes=notes)


def published_curves(comparison, spec: dict, context):
    """Draw one panel per method and one line per data set."""
    found = comparison[comparison["metric"] == spec.get("metric", "accuracy")].dropna(subset=["mean", "published_mean"])
    found = select(found.rename(columns={"spread": "sd"}).assign(noise_id=_noise_ids(found)), spec)
    if found.empty:
        raise NoResults(
            f"figure {spec.get('id', '')!r} shows no published cell of which we have a mean; run the study first, or "
            "check its datasets, methods and task"
        )
    datasets, methods, _ = order(found, spec)
    look_of = style.looks([name for name in datasets if name in set(found["dataset"])])
    places = places_of(found, sorted(found["noise_id"].unique()), 2 * len(look_of), spec.get("line", "uniform"))
    ours = _placed(found, places, found["dataset"])  # in the shown unit, as published
    theirs = ours.assign(mean=ours["published_mean"], sd=ours["published_spread"])
    drawn = []
    for method in [method for method in methods if method in set(found["method"])]:
        parts = [part[part["method"] == method] for part in (ours, theirs)]
        drawn.append(Panel(context.methods[method], metric_of(spec), places, *parts))
    name = context.datasets[next(iter(look_of))] if len(look_of) == 1 else None
    return _figure(drawn, look_of, context.datasets, spec, context, columns=4, name=name, alike=True)


def _published(printed, spec):
    """Published cells of a figure, with our ids and the columns of our cells."""
    ids = spec["printed_methods"]
    found = printed[(printed["metric"] == spec.get("metric", "accuracy")) & printed["method"].isin(ids)]
    for key in {"task", "dataset"} & spec.keys():
        found = found[found[key] == spec[key]]
    return found.assign(method=found["method"].map(ids), noise_id=_noise_ids(found), sd=found["spread"])


def _noise_ids(found):
    """The ids that the configuration gives published noises, such as ``class-conditional-0.1-0.3``."""
    rates = found["rate"].mask(found["rate"].isin(["", "0"]), "")
    ids = (found["noise"].astype("str") + "-" + rates.astype("str")).str.rstrip("-")
    return ids.str.replace("[_/]", "-", regex=True)


def series_curves(rows, spec: dict, context, *, printed=None):
    """Draw a column of panels for each data set, a row for each measure."""
    chosen = select(rows, {key: spec[key] for key in ("id", "task", "datasets") if key in spec})
    points, drawn = _points(spec, chosen), []
    for name in spec.get("metrics") or [spec.get("metric", "accuracy")]:
        metric = metrics.resolve(name)
        ours = cells(chosen, name).query("n > 0").merge(points[["line", "method", "noise_id", "x"]])
        found = [ours] if printed is None else [ours, _published_points(printed, points, spec | {"metric": name})]
        if not drawn:
            asked = spec.get("datasets") or dict.fromkeys(chosen["dataset"])
            datasets = [dataset for dataset in asked if dataset in set(ours["dataset"])]
        for dataset in datasets:
            title = "" if len(drawn) >= len(datasets) else context.datasets[dataset]
            parts = [_shown(part[part["dataset"] == dataset], metric).assign(single=False) for part in found]
            drawn.append(Panel(title, metric, Places({x: x for x in spec["x"]}, {}), *parts))
    if not drawn:
        raise InputError(f"no result row is in figure {spec.get('id', '')!r}; check its datasets, methods and noises")
    labels = {line["label"]: line["label"] for line in spec["series"]}
    look_of = style.looks(labels, spec.get("colors", "ironbark"))
    asked, done = len(points) * len(datasets), sum(len(panel.ours) for panel in drawn[: len(datasets)])
    absent = f"{asked - done} of {asked} points have no finished fit" * (done < asked)
    noise_id, *others = points["noise_id"].unique()
    alone = "" if others else f"Noise: {style.noise_name(noise_id, points, context.noises)}"
    spec = {"band": 0, "x_label": "Noise rate" if "noises" in map(varied, spec["series"]) else "Parameter"} | spec
    return _figure(drawn, look_of, labels, spec, context, columns=len(datasets), notes=[alone, absent])


def _points(spec, rows):
    """Line, method, noise and x of each point, with model and rate of the noise."""
    parts = []
    for line in spec["series"]:
        ids = {key: line[key] if key == varied(line) else line[key][0] for key in ("methods", "noises")}
        about = {"line": line["label"], "method": ids["methods"], "noise_id": ids["noises"], "x": spec["x"]}
        parts.append(pd.DataFrame(about))
    return pd.concat(parts).merge(rows.drop_duplicates("noise_id")[["noise_id", "noise", "rate"]], how="left")


def _published_points(printed, points, spec):
    """Published cells on the lines of their method and noise; between two rates of a line, x is interpolated."""
    found, parts = _published(printed, spec), []
    for (line, method), own in points.dropna(subset="rate").groupby(["line", "method"], sort=False):
        theirs = found[found["method"] == method]
        x = theirs["noise_id"].map(own.set_index("noise_id")["x"])
        known = own.assign(rate=numbers(own["rate"])).dropna(subset="rate").sort_values("rate")
        if len(known):
            between = np.interp(numbers(theirs["rate"]), known["rate"], known["x"], left=np.nan, right=np.nan)
            x = x.fillna(pd.Series(between, theirs.index).where(theirs["noise"].isin(own["noise"])))
        parts.append(theirs.assign(line=line, x=x).dropna(subset="x"))
    return pd.concat(parts)
