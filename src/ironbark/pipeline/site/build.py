"""The whole site from result files, whatever state they are in."""

import json
from pathlib import Path

from ironbark.errors import InputError
from ironbark.pipeline.analysis import coverage
from ironbark.pipeline.analysis.tables import printed_table
from ironbark.pipeline.site import provenance, study_page, thing_pages
from ironbark.pipeline.site.data import aggregates, names, rows, study_data
from ironbark.pipeline.site.data.standings import standings
from ironbark.pipeline.site.render import Renderer, charting_library

COUNTS = ("asked", "done", "failed", "missing", "seconds")


def build(spec, places, out, before):
    """Write all pages.

    Parameters
    ----------
    spec : dict
        Of `ironbark.pipeline.site.data.studies.read`.
    places : dict
        Keys results, prepared and source: folders.
    out : path
        A folder that is not there yet.
    before : path
        An earlier site; its charting library is used again.

    Returns
    -------
    dict
        The provenance sheet.
    """
    out, results, spec = Path(out), Path(places["results"]), names.relabelled(spec)
    metas, problems = _metas(spec, Path(places["prepared"]))
    read = [(about, rows.read(results / about["id"] / about["scale"])) for about in spec["studies"]]
    sheet = provenance.sheet(read, metas, places["source"])
    commit = sheet["git"] and sheet["git"]["commit"]
    written = sheet["written"][:16].replace("T", " ") + " UTC"
    renderer = Renderer(out, {"written": written, "version": sheet["ironbark"], "commit": commit})
    renderer.assets()
    name, script = charting_library(Path(before, "assets"))
    renderer.write(f"assets/{name}", script)
    views = [study_page.view(about, found, results / about["id"] / about["scale"], renderer) for about, found in read]
    loaded, placed = _data(spec, views, read, renderer)
    signs = {"signs": printed_table.SIGNS}
    for view in views:
        related = {view["id"], *view["parts"]}
        others = [
            other for other in views if other is not view and (other["id"] in related or view["id"] in other["parts"])
        ]
        target = f"study/{view['id']}-{view['scale']}.html"
        renderer.page("study.html", target, study=view, others=others, library=[name], **signs)
    datasets = _datasets(spec, views, metas, results, loaded, renderer)
    methods = _methods(spec, views, placed, renderer)
    listed = [*spec["problems"], *problems]
    totals = {key: sum(view["total"][key] for view in views) for key in COUNTS}
    overview = {"problem_list": listed, "studies": views, "totals": totals, "datasets": datasets, "methods": methods}
    tracks = [(entry, track) for entry in loaded for track in entry["tracks"]]
    renderer.page("index.html", "index.html", tracks=tracks, **overview, **signs)
    renderer.page("explore.html", "explore.html", library=[name])
    renderer.page("leaderboards.html", "leaderboards.html", tracks=tracks)
    for entry, track in tracks:
        renderer.page("leaderboard.html", track["page"], entry=entry, track=track)
    renderer.page("provenance.html", "provenance.html", sheet=sheet)
    renderer.write("provenance.json", json.dumps(sheet, indent=1, ensure_ascii=False) + "\n")
    return sheet


def _metas(spec, prepared):
    """Data set -> content of its meta.json or None, and what is wrong with these files."""
    found, problems = {}, []
    for name in spec["datasets"]:
        path, found[name] = prepared / name / "meta.json", None
        try:
            found[name] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        except ValueError:
            problems.append(f"{path} is damaged; remove the folder {path.parent} and prepare the data set again.")
    return found, problems


def _data(spec, views, read, renderer):
    """Write what the browser loads; what was written of each study, and (study, scale) -> standings of its methods."""
    loaded, placed = [], {}
    for view, (about, found) in zip(views, read, strict=True):
        view["tracks"] = []
        if not view["explorable"]:
            continue
        frame = coverage.within(found.frame, about)
        frame = frame[frame["status"] == "ok"]
        loaded.append(study_data.write(about, frame, spec["noises"], renderer))
        view["tracks"] = loaded[-1]["tracks"]
        try:
            placed[about["id"], about["scale"]] = standings(frame)
        except InputError as error:
            view["problems"].append(str(error))
    known = {"studies": [{"id": entry["id"], "title": f"{entry['title']} ({entry['scale']})"} for entry in loaded]}
    known["metrics"] = {name: metric._asdict() for name, metric in aggregates.SHOWN.items()}
    script = f"window.ironbark = Object.assign(window.ironbark || {{}}, {json.dumps(known)});\n"
    renderer.write("assets/data-index.js", script)
    return loaded, placed


def _datasets(spec, views, metas, results, loaded, renderer):
    pages, described = [], names.describe(spec["noises"])
    for name, entry in spec["datasets"].items():
        users = [view for view in views if name in view["datasets"]]
        folders = [results / view["id"] / view["scale"] for view in users]
        page = thing_pages.dataset(name, entry, metas[name], users, folders, spec["noises"])
        page["answers"] = [answer for study in loaded for answer in study["answers"].get(name, ())]
        page["matrices"] = [item | {"name": described[item["noise"]]["name"]} for item in page["matrices"]]
        renderer.page("dataset.html", f"dataset/{name}.html", entry=page)
        pages.append(page)
    return pages


def _methods(spec, views, placed, renderer):
    pages = []
    for name, entry in spec["methods"].items():
        users = [view for view in views if name in view["methods"]]
        lines = [
            line | {"study": study, "scale": scale}
            for (study, scale), found in placed.items()
            for line in found
            if line["method"] == name
        ]
        page = thing_pages.method(name, entry, users, lines)
        renderer.page("method.html", f"method/{name}.html", entry=page)
        pages.append(page)
    return pages
