"""All that the browser loads of a study, and the answers that its pages show at once."""

from collections import defaultdict

from ironbark.pipeline.site.answers import answers
from ironbark.pipeline.site.data import aggregates, boards, data_files, names

BOARD_VIEWS = ("ranks", "difference", "wins", "time")  # of figures, that show a leaderboard


def write(about, frame, noises, renderer):
    """Write the scripts of a study.

    Parameters
    ----------
    about : dict
        Entry of `ironbark.pipeline.site.data.studies.read`.
    frame : DataFrame
        Its rows that have finished, of `ironbark.pipeline.site.data.rows`.
    noises : dict
        Noise id -> entry.
    renderer : ironbark.pipeline.site.render.Renderer

    Returns
    -------
    dict
        Keys id, study, scale, title, tracks (list of dict with track, page and leaders, see `_leader`) and answers
        (data set -> list, see `answers`).
    """
    key = f"{about['id']}-{about['scale']}"
    described = names.describe({name: noises[name] for name in about["noises"]})
    order = {"datasets": list(about["datasets"]), "noises": about["noises"], "methods": list(about["methods"])}
    content = {
        "id": key,
        "title": f"{about['id']} ({about['scale']})",
        "methods": about["methods"],
        "datasets": about["datasets"],
    }
    content |= {"noises": described, "tasks": {}, "figures": {}}
    asked = {item["view"].get("metric", "accuracy") for item in about["figures"] if "view" in item}
    found, leaders = defaultdict(list), defaultdict(list)
    for task, part in frame.groupby("task", observed=True):
        figures = _figures(about, str(task), frame["task"].nunique() == 1)
        made = aggregates.of_task(part, asked)
        content["tasks"][task], first = _task(f"{key}/{task}", made, order, described, figures, renderer)
        for track, board in first.items():
            leaders[track].append(_leader(str(task), made.tracks[track][0], board, about))
        content["figures"] |= {id: {"task": task, "metric": figure["metric"]} for id, figure in figures.items()}
        for dataset, lines in answers(made, about, described).items():
            found[dataset] += [line | {"study": about["id"], "scale": about["scale"], "task": task} for line in lines]
    renderer.write(f"data/{key}.js", data_files.script(key, content))
    tracks = [
        {"track": track, "page": f"leaderboard/{key}-{track}.html", "leaders": leaders[track]}
        for track in aggregates.TRACKS
        if track in leaders
    ]
    named = {"id": key, "study": about["id"], "scale": about["scale"], "title": about["title"]}
    return named | {"tracks": tracks, "answers": found}


def _leader(task, metric, board, about):
    """The method of the best average rank over all settings of a task; without a method if nothing can be ranked."""
    line = {"task": task, "metric": aggregates.SHOWN[metric].name, "method": None}
    if board is None:
        return line
    name = board["methods"][0]
    line |= {"method": name, "label": about["methods"][name], "rank": float(board["rank"].iloc[0])}
    return line | {"methods": len(board["methods"]), "settings": board["settings"], "datasets": board["datasets"]}


def _figures(about, task, only):
    """Interactive figures of a task that show a board: id -> view with its metric."""
    found = {}
    for item in about["figures"]:
        view = {"metric": "accuracy", "task": task if only else None} | item.get("view", {})
        if "view" in view and view["task"] == task and view["view"] in BOARD_VIEWS:
            found[item["id"]] = view
    return found


def _task(place, made, order, described, figures, renderer):
    """Write cells and boards of a task; what the browser has to know of it first, and the main board of each track."""
    first = {}
    for metric, cells in made.cells.items():
        path = f"{place}-{metric}"
        renderer.write(f"data/{path}-cells.js", data_files.script(f"{path}-cells", data_files.grid(cells, order)))
    for track, metrics in made.tracks.items():
        for metric in metrics:
            path = f"{place}-{metric}-boards"
            drawn = {id: figure for id, figure in figures.items() if figure["metric"] == metric}
            found = boards.of_metric(made.cells, metric, described, main=metric == metrics[0])
            if metric == metrics[0]:
                first[track] = found["boards"][found["places"]["*|*|*"]] if "*|*|*" in found["places"] else None
            content = _indexed(found, made, metric, order, drawn)
            renderer.write(f"data/{path}.js", data_files.script(path, content))
    ranked = [metric for metrics in made.tracks.values() for metric in metrics]
    there = data_files.present(next(iter(made.cells.values())), order)
    return there | {"metrics": list(made.cells), "ranked": ranked, "tracks": made.tracks, "test": made.test}, first


def _indexed(found, made, metric, order, figures):
    """Boards as they are shipped, with those of figures."""
    content = {"methods": order["methods"], "places": found["places"]}
    content["boards"] = [data_files.indexed(board, order["methods"]) for board in found["boards"]]
    for id, figure in figures.items():
        chosen = {column: figure[key] for key, column in data_files.COLUMNS.items() if key in figure}
        board = boards.Standing(made.cells, metric, chosen=chosen).board(main=True)
        if board:
            content["places"][f"figure:{id}"] = len(content["boards"])
            content["boards"].append(data_files.indexed(board, order["methods"]))
    return content
