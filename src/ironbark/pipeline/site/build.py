"""The whole site from result files, whatever state they are in."""

import json
from pathlib import Path

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.analysis import coverage
from ironbark.pipeline.analysis.statistics.ranks import critical_value
from ironbark.pipeline.analysis.tables import printed_table
from ironbark.pipeline.site import columns, library, provenance, rows, study_page, thing_pages
from ironbark.pipeline.site.render import Renderer
from ironbark.pipeline.site.standings import standings

MOST_METHODS = 60  # for which the browser knows the critical value of Nemenyi's test
COUNTS = ("asked", "done", "failed", "missing", "seconds")


def build(spec, places, out, before):
    """Write all pages.

    Parameters
    ----------
    spec : dict
        Of `ironbark.pipeline.site.studies.read`.
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
    out, results = Path(out), Path(places["results"])
    metas, problems = _metas(spec, Path(places["prepared"]))
    read = [(about, rows.read(results / about["id"] / about["scale"])) for about in spec["studies"]]
    sheet = provenance.sheet(read, metas, places["source"])
    commit = sheet["git"] and sheet["git"]["commit"]
    renderer = Renderer(
        out,
        {"written": sheet["written"][:16].replace("T", " ") + " UTC", "version": sheet["ironbark"], "commit": commit},
    )
    renderer.assets()
    name, script = library.script(Path(before, "assets"))
    renderer.write(f"assets/{name}", script)
    views = [study_page.view(about, found, results / about["id"] / about["scale"], renderer) for about, found in read]
    placed = _data(spec, views, read, renderer)
    signs = {"signs": printed_table.SIGNS}
    for view in views:
        others = [
            other
            for other in views
            if other["id"] == view["id"] or other["id"] in view["parts"] or view["id"] in other["parts"]
        ]
        others = [other for other in others if other is not view]
        target = f"study/{view['id']}-{view['scale']}.html"
        renderer.page("study.html", target, study=view, others=others, library=[name], **signs)
    datasets = _datasets(spec, views, metas, results, renderer)
    methods = _methods(spec, views, placed, renderer)
    listed = [*spec["problems"], *problems]
    totals = {key: sum(view["total"][key] for view in views) for key in COUNTS}
    overview = {"problem_list": listed, "studies": views, "totals": totals, "datasets": datasets, "methods": methods}
    renderer.page("index.html", "index.html", **overview, **signs)
    renderer.page("explore.html", "explore.html", library=[name])
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
    """Write the rows that the explorer loads; (study, scale) -> standings of its methods."""
    index, placed = [], {}
    for view, (about, found) in zip(views, read, strict=True):
        if not view["explorable"]:
            continue
        frame = coverage.within(found.frame, about)
        key = f"{about['id']}-{about['scale']}"
        noises = {name: _noise(spec["noises"][name]) for name in about["noises"]}
        content = {"id": key, "methods": about["methods"], "datasets": about["datasets"], "noises": noises}
        renderer.write(f"data/{key}.js", columns.script(frame, content))
        index.append({"id": key, "title": f"{about['id']} ({about['scale']})"})
        try:
            placed[about["id"], about["scale"]] = standings(frame[frame["status"] == "ok"])
        except InputError as error:
            view["problems"].append(str(error))
    known = {"studies": index, "metrics": {name: metric._asdict() for name, metric in metrics.METRICS.items()}}
    known["critical"] = [critical_value(k) for k in range(2, MOST_METHODS + 1)]
    renderer.write(
        "assets/explorer-index.js", f"window.ironbark = Object.assign(window.ironbark || {{}}, {json.dumps(known)});\n"
    )
    return placed


def _noise(entry):
    """What the explorer shows of a noise: its model, and where it stands on an axis of rates."""
    rate = entry.get("rate", 0 if entry["model"] == "clean" else None)
    return {"label": entry["label"], "model": entry["model"], "rate": rate}


def _datasets(spec, views, metas, results, renderer):
    pages = []
    for name, entry in spec["datasets"].items():
        users = [view for view in views if name in view["datasets"]]
        folders = [results / view["id"] / view["scale"] for view in users]
        page = thing_pages.dataset(name, entry, metas[name], users, folders, spec["noises"])
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
