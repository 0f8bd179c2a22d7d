"""The whole site from result files, whatever state they are in."""

import json
from pathlib import Path

import pandas as pd

from ironbark.pipeline.log import duration
from ironbark.pipeline.published.comparison import SIGNS
from ironbark.pipeline.results.store import undamaged
from ironbark.pipeline.site import charts, numbers, pages, provenance
from ironbark.pipeline.site.render import Renderer, table

COUNTS = ("asked", "done", "failed", "missing", "seconds")


def build(spec: dict, places: dict, out: Path, before: Path) -> dict:
    """Write all pages."""
    spec, folder = numbers.labelled(spec), Path(places["results"])
    metas = {name: _meta(Path(places["prepared"], name, "meta.json")) for name in spec["datasets"]}
    read = [(about, numbers.rows(folder / about["id"] / about["scale"])) for about in spec["studies"]]
    sheet = provenance.sheet(read, metas, places["source"])
    commit = sheet["git"] and sheet["git"]["commit"]
    written = sheet["written"][:16].replace("T", " ") + " UTC"
    renderer = Renderer(Path(out), {"written": written, "version": sheet["ironbark"], "commit": commit})
    renderer.assets(Path(before, "assets"))
    views = [_view(about, rows, folder, spec["noises"], renderer) for about, rows in read]
    for view in views:
        near = [o for o in views if o["id"] in {view["id"], *view["parts"]} or view["id"] in o["parts"]]
        others = [other for other in near if other is not view]
        renderer.page("study.html", view["page"], study=view, others=others, chart=view["curves"])
    boards = [board for view in views for board in view["boards"]]
    for board in boards:
        content = {"board": board, "table": pages.leaderboard(board["lines"])}
        renderer.page("leaderboard.html", board["page"], chart=charts.costs(board["lines"]), **content)
    datasets = _datasets(spec, views, metas, renderer)
    for name, entry in spec["methods"].items():
        users = [view for view in views if name in view["methods"]]
        own = {view["key"]: pages.settings(view["entries"][name]) for view in users}
        others = {key: text for key, text in own.items() if text != pages.settings(entry)}
        renderer.page("method.html", f"method/{name}.html", entry=entry | {"id": name, "studies": users}, others=others)
    _index(views, boards, datasets, spec, renderer)
    renderer.page("provenance.html", "provenance.html", sheet=sheet)
    renderer.write("provenance.json", json.dumps(sheet, indent=1, ensure_ascii=False) + "\n")
    return sheet


def _meta(path):
    """Content of the meta.json of a prepared data set, or None."""
    with undamaged(path):
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _view(about, rows, folder, noises, renderer):
    """A study with its numbers: cells, boards (one for each track) and the chart of its curves."""
    view = pages.study(about, rows, folder / about["id"] / about["scale"], renderer)
    made = numbers.cells(view["frame"])
    own = {name: noises[name] for name in about["noises"]}
    view |= {"cells": made, "noise_names": {name: entry["name"] for name, entry in own.items()}}
    view["boards"] = [_board(view, track, own) for track in numbers.TRACKS]
    view["boards"] = [board for board in view["boards"] if board["lines"] is not None]
    ranked = [name for board in view["boards"] for name in board["lines"]["method"]]
    there = {name for cells in made.values() for name in cells["method"]}
    order = [name for name in dict.fromkeys([*ranked, *about["methods"]]) if name in there]
    drawn = {key: cells for key, cells in made.items() if key[1] == numbers.SECONDS or numbers.track_of(key[1])}
    return view | {"curves": charts.curves(drawn, about, noises, order) if drawn else None}


def _board(view, track, noises):
    """The leaderboard of a track: its lines, those of the main metric and all noises first."""
    main, found = numbers.main_metrics(view["cells"]), []
    for task, metric in view["cells"]:
        if numbers.track_of(metric) != track:
            continue
        lines = numbers.leaderboard(view["cells"], task, metric, noises, rated=main[task, track] == metric)
        if lines is not None:
            labels = lines["method"].map(view["methods"])
            found.append(lines.assign(task=task, measure=numbers.SHOWN[metric].with_unit, label=labels))
    page = f"leaderboard/{view['key']}-{track}.html"
    lines = pd.concat(found, ignore_index=True) if found else None
    return {"study": view, "track": track, "page": page, "lines": lines}


def _leaders(boards):
    """Leaderboards by task, of the main metric and all noises: title -> lines, that of the most ranks first."""
    found = {}
    for board in boards:
        study = board["study"]
        for task, part in board["lines"].groupby("task", sort=False):
            lines = part[(part[["measure", "noise"]] == part[["measure", "noise"]].iloc[0]).all(axis=1)]
            about = {"leaderboard": study["title"], "scale": study["scale"], "track": board["track"]}
            title = f"{study['title']} ({study['key']}), {task}: {board['track']}"
            found[title] = lines.assign(page=board["page"], **about)
    return dict(sorted(found.items(), key=lambda item: -len(item[1]) * item[1]["settings"].iloc[0]))


def _datasets(spec, views, metas, renderer):
    found = []
    for name, entry in spec["datasets"].items():
        users = [view for view in views if name in view["datasets"]]
        found.append(pages.dataset(name, entry, metas[name], users))
        content = {"best": sum((pages.best(name, view) for view in users), []), "tests": pages.tests(name, users)}
        renderer.page("dataset.html", f"dataset/{name}.html", entry=found[-1], **content)
    return found


def _index(views, boards, datasets, spec, renderer):
    totals = {key: sum(view["total"][key] for view in views) for key in COUNTS}
    content = {"problem_list": spec["problems"], "studies": views, "totals": totals, "signs": SIGNS}
    leaders, tables = _leaders(boards), _lists(views, datasets, spec) if views else {}
    if leaders:
        lines = pd.concat(board.head(1) for board in leaders.values())
        tied = [f" and {n} tied" * bool(n) for n in (board["place"].eq(1).sum() - 1 for board in leaders.values())]
        lines["label"] += tied
        links = {"leaderboard": lines["page"], "best method": "method/" + lines["method"] + ".html"}
        columns = {name: name for name in ("leaderboard", "scale", "track", "task")} | {"label": "best method"}
        columns |= {"rank": "average rank", "measure": "measure", "settings": "settings", "datasets": "data sets"}
        tables["boards"] = table(lines[list(columns)].rename(columns=columns), "Leaderboards", links=links)
        content |= {"chart": charts.leaders(leaders)}
    renderer.page("index.html", "index.html", tables=tables, **content)


def _lists(views, datasets, spec):
    """Tables of the studies, data sets and methods."""
    data = pd.DataFrame(
        {"data set": entry["id"], "title": entry["title"], "samples": entry.get("n"), "features": entry.get("d")}
        | {"classes": entry.get("k"), "studies": len(entry["studies"])}
        for entry in datasets
    ).astype({name: "Int64" for name in ("samples", "features", "classes")})
    methods = pd.DataFrame(
        {"method": name, "name": entry["label"], "what": entry.get("about") or entry["estimator"]}
        | {"studies": sum(name in view["methods"] for view in views)}
        for name, entry in spec["methods"].items()
    )
    studies = pd.DataFrame(
        {"study": view["id"], "scale": view["scale"], "title": view["title"]}
        | {key: view["total"][key] for key in ("done", "failed", "missing")}
        | {"CPU time": duration(view["total"]["seconds"]), "published values": _verdicts(view)}
        | {"problems": len(view["problems"])}
        for view in views
    )
    return {
        "datasets": table(data, "Data sets", links={"data set": "dataset/" + data["data set"] + ".html"}),
        "studies": table(studies, "Studies", links={"study": [view["page"] for view in views]}),
        "methods": table(methods, "Methods", links={"method": "method/" + methods["method"] + ".html"}),
    }


def _verdicts(view):
    counts = view["verdicts"]
    return "  ".join(f"{sign} {counts.get(name, 0)}" for name, sign in SIGNS.items()) if len(counts) else None
