"""Charts with choices: average ranks, curves against the noise, quality against cost. Specifications for Vega-Lite."""

import json

import altair as alt
import pandas as pd

from ironbark.pipeline.site.numbers import SHOWN
from ironbark.pipeline.statistics import ranks

#: Okabe and Ito's colours without their yellow, and some of Paul Tol's.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B87A00", "#3C97C9", "#AA4499", "#117733", "#777777", "#882255"]
DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [10, 4]]
FEW = 6  # methods of a chart of curves at first
GREY = "#777777"
MOST = 12  # methods of the chart of leaders
TOGETHER = "mean over data sets"

#: Whether the label of a method has one of the words that a reader has typed, with commas between them.
NAMED = "test(regexp(replace(replace(wanted, /[^\\w ,]/g, '.'), / *, */g, '|'), 'i'), datum.method)"


def curves(made: dict, about: dict, noises: dict, order: list[str]):
    """Measures against the noise, with choices of the measure, data set, kind of noise and methods."""
    frame = pd.concat([_panels(part, metric, about) for (_, metric), part in made.items()], ignore_index=True)
    ids = sorted(set(frame["noise_id"]), key=lambda name: (noises[name]["x"] is None, noises[name]["x"] or 0))
    codes = {"panel": list(dict.fromkeys(frame["panel"])), "metric": list(dict.fromkeys(frame["metric"]))}
    codes |= {"noise_id": ids, "method": order}
    coded = _coded(frame, codes, ["mean", "sd"]).set_axis(list("dkcmvs"), axis=1)
    entries, titles = [noises[name] for name in ids], [SHOWN[name].with_unit for name in codes["metric"]]
    kinds = [entry["kind"] for entry in entries]
    texts = [entry["name" if entry["kind"] == "clean" or not entry["rate"] else "rate"] for entry in entries]
    first = [noises[name]["kind"] for name in dict.fromkeys(frame["noise_id"][frame["panel"] == codes["panel"][0]])]
    lines = sorted(dict.fromkeys(k for k in kinds if k != "clean"), key=lambda k: -first.count(k)) or kinds[:1]
    shown = alt.binding_range(min=1, max=len(order), step=1, name="Best methods ")
    typed = alt.BindInput(input="text", placeholder="ANE, forest", name="or methods named ")
    choices = [
        _choice("measure", "Measure ", range(len(titles)), titles),
        _choice("data", "Data set ", range(len(codes["panel"])), codes["panel"]),
        _choice("line", "Noise ", lines, lines),
        alt.param(name="best", value=min(FEW, len(order)), bind=shown),
        alt.param(name="wanted", value="", bind=typed),
    ]
    labels = [about["methods"][name] for name in order]
    base = (
        alt.Chart(_csv(coded))
        .transform_filter("datum.k == measure && datum.d == data")
        .transform_calculate(kind=_at(kinds, "c"), noise=_at(texts, "c"), method=_at(labels, "m"))
        .transform_filter("datum.kind == line || datum.kind == 'clean'")
        .transform_filter(f"wanted == '' ? datum.m < best : {NAMED}")
        .transform_calculate(low="datum.v - (datum.s || 0)", high="datum.v + (datum.s || 0)")
    )
    return _finished(_marks(base), choices, f"{json.dumps(titles)}[measure]")


def _panels(part, metric, about):
    """Means of one task and metric in the shown unit: over all data sets together, then those of each."""
    several = len({block[1] for block in about["blocks"]}) > 1
    task = f" ({part['task'].iloc[0]})" if several else ""
    found = [part.assign(panel=part["dataset"].map(about["datasets"]) + task)]
    if part["dataset"].nunique() > 1:
        means = ranks.scores(part)[0].groupby("noise_id").mean().stack().rename("mean").reset_index()
        found.insert(0, means.assign(panel=TOGETHER + task))
    frame = pd.concat(found).reindex(columns=["panel", "noise_id", "method", "mean", "sd"])
    return frame.assign(metric=metric, mean=SHOWN[metric].factor * frame["mean"], sd=SHOWN[metric].factor * frame["sd"])


def _marks(base):
    """Standard deviations, lines and points; a click in the legend singles out a method."""
    pick = alt.selection_point(fields=["method"], bind="legend", name="pick")
    by_rank = alt.EncodingSortField("m", op="min")
    columns = alt.ExprRef("max(1, floor((windowSize()[0] - 80) / 170))")
    legend = alt.Legend(orient="bottom", columns=columns, symbolType="stroke", symbolStrokeWidth=2, symbolSize=300)

    def look(channel, values):
        return channel("method:N", title=None, sort=by_rank, scale=alt.Scale(range=values), legend=legend)

    def strength(much, little):
        return alt.when(pick).then(alt.value(much)).otherwise(alt.value(little))

    x = alt.X("noise:N", sort=alt.EncodingSortField("c", op="min"), title=None, axis=alt.Axis(labelAngle=0))
    low, y = (alt.Y(field, title=None, scale=alt.Scale(zero=False)) for field in ("low:Q", "v:Q"))
    tips = ["method:N", "noise:N", _tip("v:Q", "mean", ".2f"), _tip("s:Q", "standard deviation", ".2f")]
    base = base.encode(x=x)
    spread = base.mark_rule(color="#888888", aria=False).encode(y=low, y2="high:Q", opacity=strength(0.5, 0.05))
    base = base.encode(y=y, color=look(alt.Color, COLOURS), strokeDash=look(alt.StrokeDash, DASHES))
    line = base.mark_line(strokeWidth=1.8).encode(opacity=strength(1, 0.1))
    point = base.mark_point(filled=True, size=60).encode(opacity=strength(1, 0.1), tooltip=tips)
    return spread, line, point.add_params(pick)


def leaders(boards: dict[str, pd.DataFrame]):
    """Average ranks of the best methods of a chosen leaderboard; grey: below the interval of the best."""
    lines = pd.concat([board.head(MOST).assign(board=code) for code, board in enumerate(boards.values())])
    half = lines["half"].fillna(0)
    lines = lines.assign(low=(lines["rank"] - half).clip(lower=1), high=lines["rank"] + half)
    lines["interval"] = [f"{line.low:.2f} to {line.high:.2f}" if line.half >= 0 else "–" for line in lines.itertuples()]
    reach = lines.groupby("board")["high"].transform("first")
    lines["worse"] = ((lines["low"] > reach) & lines["half"].notna()).astype(int)
    columns = ["board", "label", "place", "rank", "low", "high", "interval", "worse"]
    heads = [f"Average rank by {board['measure'].iloc[0].partition(' (')[0].lower()}" for board in boards.values()]
    y = alt.Y("label:N", title=None, sort=alt.EncodingSortField("place", op="min"), axis=alt.Axis(labelLimit=180))
    color = alt.condition("datum.worse", alt.value(GREY), alt.value(COLOURS[0]))
    base = alt.Chart(_csv(lines[columns])).transform_filter("datum.board == board").encode(y=y, color=color)
    scale, axis = alt.Scale(zero=False, nice=False, padding=12), alt.Axis(tickCount=6)
    x = alt.X("low:Q", title=None, scale=scale, axis=axis)
    bar = base.mark_rule(strokeWidth=2.5, aria=False).encode(x=x, x2="high:Q")
    tips = [_tip("label:N", "method"), _tip("rank:Q", "average rank", ".2f"), _tip("interval:N", "95 % interval")]
    dot = base.mark_point(filled=True, size=90, opacity=1).encode(x=alt.X("rank:Q", scale=scale), tooltip=tips)
    choices = [_choice("board", "Leaderboard ", range(len(boards)), boards)]
    return _finished([bar, dot], choices, f"{json.dumps(heads)}[board]", 25 * int(lines["board"].value_counts().max()))


def costs(board: pd.DataFrame):
    """Quality against CPU time, for the selection of a leaderboard's lists."""
    lists = ["task", "measure", "noise"]
    values = {name: list(dict.fromkeys(board[name])) for name in lists}
    coded = _coded(board, values, ["label", "place", "rank", "mean", "seconds"])
    chosen = [
        alt.param(name=name, value=values[name][0], bind=alt.BindDirect(element=f"#choose-{name}")) for name in lists
    ]
    alike = " && ".join(f"indexof({json.dumps(values[name])}, {name}) == datum.{name}" for name in lists)
    tips = [_tip("label:N", "method"), _tip("mean:Q", "mean", ".2f"), _tip("seconds:Q", "seconds", ".3~g")]
    tips.append(_tip("rank:Q", "average rank", ".2f"))
    scale, axis = alt.Scale(type="log", nice=False, padding=25), alt.Axis(format="~g", tickCount=5)
    x = alt.X("seconds:Q", title="CPU seconds of fit and tuning", scale=scale, axis=axis)
    y = alt.Y("mean:Q", title=None, scale=alt.Scale(zero=False, padding=15))
    base = alt.Chart(_csv(coded)).transform_filter(alike).encode(x=x, y=y)
    first_ones = f"datum.place <= {FEW}"
    color = alt.condition(first_ones, alt.value(COLOURS[1]), alt.value(COLOURS[0]))
    dot = base.mark_point(filled=True, size=90, opacity=0.9).encode(tooltip=tips, color=color)
    text = base.transform_filter(first_ones).mark_text(dy=-11, fontSize=11).encode(text="label:N")
    about = {"subtitle": f"Named: the best {FEW} by average rank"}
    return _finished([dot, text], chosen, "measure", **about)


def _tip(field, title, digits=""):
    return alt.Tooltip(field, title=title, format=digits)


def _choice(name, title, values, labels):
    """A list to choose from, the first at first; nothing to choose where there is one value."""
    values, labels = list(values), list(labels)
    bound = {"bind": alt.binding_select(options=values, labels=labels, name=title)} if len(values) > 1 else {}
    return alt.param(name=name, value=values[0], **bound)


def _coded(frame, values, others):
    """Columns with the position of each entry among its values, and other columns as they are."""
    codes = {name: pd.Categorical(frame[name], known).codes for name, known in values.items()}
    return frame[others].assign(**codes)[[*values, *others]]


def _at(values, field):
    return f"{json.dumps(values)}[datum.{field}]"


def _csv(frame):
    """Data as CSV, which takes a third of the room of JSON."""
    text = frame.to_csv(index=False, float_format="%.5g", lineterminator="\n")
    numbers = dict.fromkeys(frame.select_dtypes("number"), "number")
    return alt.InlineData(values=text, format=alt.CsvDataFormat(type="csv", parse=numbers))


def _finished(layers, params, title, height=340, **about):
    """The specification as JSON for a page, as wide as its place; the title is an expression of Vega."""
    heading = alt.Title(alt.ExprRef(title), anchor="start", fontSize=13, **about)
    size = {"height": height, "width": "container", "autosize": alt.AutoSizeParams(type="fit-x", contains="padding")}
    spec = alt.layer(*layers).add_params(*params).properties(title=heading, **size)
    spec = spec.configure(background="transparent", font="system-ui, sans-serif").configure_view(stroke=None)
    spec = spec.configure_axis(labelLimit=160).configure_legend(labelLimit=150)  # its colours are in site.css
    return json.dumps(spec.to_dict(), ensure_ascii=False).replace("</", "<\\/")
