"""What the pages of studies, data sets and methods show."""

from pathlib import Path

import pandas as pd
from markupsafe import Markup

from ironbark.errors import InputError
from ironbark.pipeline.site import numbers
from ironbark.pipeline.site.charts import title_of
from ironbark.pipeline.site.numbers import SECONDS, SHOWN, track_of
from ironbark.pipeline.site.render import table
from ironbark.pipeline.statistics.significance import ALPHA
from ironbark.pipeline.tables import layout, printed_table

#: Keys of a prepared data set's meta.json that its page shows in place of the catalogue's.
MEASURED = ("n", "d", "k", "split", "digest", "deviations", "notes", "warnings", "missing")
TABLE_FILES, FIGURE_FILES = ("csv", "tex", "md"), ("png", "svg", "pdf")


def study(about, rows, folder, renderer):
    """A study with its coverage, failures, published values, tables and figures, whose files are copied."""
    frame, problems = numbers.within(rows.frame, about), list(rows.problems)
    if frame.empty:
        problems.append("No fit of this study has finished; start it with `snakemake` or look into results/logs.")
    key, target = f"{about['id']}-{about['scale']}", f"files/{about['id']}/{about['scale']}"
    fits = {by: numbers.coverage(frame, about, by) for by in ("dataset", "method")}
    causes = numbers.causes(frame)
    figures = [item | _titled(item) for item in about["figures"]]
    for item in figures:
        item["files"] = renderer.copies(folder, "figures", item["id"], target, FIGURE_FILES)
    return (
        about
        | {
            "key": key,
            "page": f"study/{key}.html",
            "frame": frame[frame["status"] == "ok"],
            "total": {name: values.sum().item() for name, values in fits["dataset"].items()},  # counts stay whole
            "coverage": [_coverage(lines, by, about[f"{by}s"]) for by, lines in fits.items()],
            "causes": None if causes.empty else table(causes, "Failures"),
            "tables": [_table(item, folder, target, renderer, problems) for item in about["tables"]],
            "figures": figures,
            "problems": problems,
        }
        | _published(about, folder, target, renderer, problems)
    )


def _coverage(fits, by, labels):
    frame = fits[["done", "failed", "missing"]].assign(**{"CPU s": fits["seconds"]})
    frame.insert(0, "method" if by == "method" else "data set", [labels[name] for name in fits.index])
    links = [f"../{by}/{name}.html" for name in fits.index]
    return table(frame, f"Coverage by {frame.columns[0]}", links={frame.columns[0]: links})


def _titled(item):
    """The first sentence of a caption as a heading."""
    first, _, rest = item["caption"].partition(". ")
    return {"title": first.rstrip(".") or item["id"], "rest": rest}


def _table(item, folder, target, renderer, problems):
    """A table as its job has written it."""
    shown = item | _titled(item) | {"html": None}
    shown["files"] = renderer.copies(folder, "tables", item["id"], target, TABLE_FILES)
    path = Path(folder, "tables", f"{item['id']}.html")
    try:
        return shown | {"html": Markup(layout.body_of(path.read_text(encoding="utf-8")))}
    except FileNotFoundError:
        return shown
    except InputError as error:
        problems.append(f"{path}: {error}.")
        return shown


def _published(about, folder, target, renderer, problems):
    """Published tables next to our values, all compared cells as one table, and counts of verdicts."""
    empty = {"printed": [], "compared": None, "verdicts": {}}
    path = Path(folder, "comparison.csv")
    if not about["compare"] or not path.exists():
        return empty
    try:
        frame = printed_table.read(path)
    except InputError as error:
        problems.append(str(error))
        return empty
    printed = []
    for name in dict.fromkeys(frame["table"]):
        made = printed_table.build(frame, name, about["methods"], about["datasets"])
        stem = f"{target}/tables/printed-{name}".lower().replace(" ", "-")
        layout.write(made, renderer.folder / stem)
        files = [(ending.upper(), f"{stem}.{ending}") for ending in TABLE_FILES]
        printed.append({"table": name, "html": Markup(layout.body_of(layout.to_html(made))), "files": files})
    return {"printed": printed, "compared": _compared(frame, about), "verdicts": frame["verdict"].value_counts()}


def _compared(frame, about):
    lines = {
        "verdict": frame["verdict"],
        "table": frame["table"],
        "data set": frame["dataset"].map(lambda name: about["datasets"].get(name, name)),
        "method": frame["method"].map(lambda name: about["methods"].get(name, name)),
        "noise": [printed_table.heading(*pair) for pair in zip(frame["noise"], frame["rate"], strict=True)],
        "published": frame["published_mean"],
        "published sd": frame["published_spread"],
        "ours": frame["mean"],
        "sd": frame["spread"],
        "runs": frame["n"],
        "difference": frame["difference"],
        "p (Holm)": frame["p_holm"],
        "equivalent": frame["equivalent"].astype("str").map({"True": "yes", "False": "no"}),
        "reason": frame["reason"].replace("", None),
    }
    return table(pd.DataFrame(lines), "Compared cells", choices=("verdict", "table"))


def dataset(name, entry, meta, studies):
    """Properties of a data set (of its preparation; else of the catalogue)."""
    expected = entry.get("expect", {})
    about = dict.fromkeys(("n", "d", "k", "split", "digest", "cite", "licence")) | {"missing": {}, "papers": {}}
    about |= dict.fromkeys(("deviations", "notes", "warnings"), ())
    about |= {key: expected[key] for key in ("n", "d", "k") if key in expected} | entry
    about["counts"] = list(expected.get("counts", {}).items())
    if meta:
        about |= {key: meta[key] for key in MEASURED if key in meta}
        about["counts"] = list(zip(meta["classes"], meta["counts"], strict=True))
    return about | {"id": name, "studies": studies}


def best(name, view):
    """Tables of the best method of a study on a data set at each noise, for each task and track."""
    answers, label = view["answers"], view["methods"]
    part = [] if answers is None else answers[answers["dataset"] == name].groupby(["task", "track"], sort=False)
    found = []
    for (task, _), lines in part:
        known, tied = lines["p"].notna(), lines["tied"].map(lambda count: f" and {count} tied" if count else "")
        beaten = lines["beaten"].astype("str") + " of " + lines["others"].astype("str")
        frame = {
            "noise": lines["name"],
            "best method": lines["best"].map(label) + tied,
            "mean": lines["mean"],
            "next best": lines["second"].map(label),
            "difference": lines["difference"],
            "p (Holm)": lines["p"],
            "significant": (lines["p"] < ALPHA).map({True: "yes", False: "no"}).where(known, None),
            "better than": beaten.where(known, None),
            "sd": lines["sd"],
            "runs": lines["n"],
        }
        links = {"best method": [f"../method/{id}.html" for id in lines["best"]]}
        title = f"{view['id']} ({view['scale']}), {task}: {title_of(lines['metric'].iloc[0])}"
        found.append({"study": view, "table": table(pd.DataFrame(frame), title, links=links)})
    return found


def tests(name, views):
    """All methods on a data set: means and the tests of the best against each, by study, task, measure and noise."""
    found = []
    for view in views:
        for (task, metric), cells in view["cells"].items():
            part = cells[cells["dataset"] == name]
            if not track_of(metric) or part.empty:
                continue
            factor, label = SHOWN[metric].factor, view["methods"]
            seconds = view["cells"][task, SECONDS].set_index(["dataset", "noise_id", "method"])["mean"]
            at = pd.MultiIndex.from_frame(part[["dataset", "noise_id", "method"]])
            lines = {
                "study": f"{view['id']} ({view['scale']}), {task}",
                "measure": title_of(metric),
                "noise": part["noise_id"].map(view["noise_names"]),
                "method": part["method"].map(label),
                "mean": factor * part["mean"],
                "sd": factor * part["sd"],
                "runs": part["n"],
                "best minus it": factor * part["difference"],
                "p": part["p"],
                "p (Holm)": part["p_holm"],
                "CPU s": seconds.reindex(at).to_numpy(),
                "id": part["method"],
                "order": part["noise_id"].map(view["noises"].index),
                "worse": part["difference"].abs(),
            }
            found.append(pd.DataFrame(lines).sort_values(["order", "worse"], kind="stable"))
    if not found:
        return None
    frame = pd.concat(found)
    links = {"method": [f"../method/{id}.html" for id in frame["id"]]}
    frame = frame.drop(columns=["id", "order", "worse"])
    return table(frame, "All methods", filters=("study", "measure", "noise"), links=links)


def leaderboard(board):
    """The leaderboard of a track of a study, of `ironbark.pipeline.site.numbers.leaderboard` with labels."""
    columns = {"label": "method", "rank": "average rank", "elo": "Elo", "low": "Elo low", "high": "Elo high"}
    columns |= {"score": "score", "p": "p (Holm)", "seconds": "CPU s", "datasets": "data sets"}
    shown = ["task", "measure", "noise", "place", "label", "rank", "mean", "elo", "low", "high", "score", "p"]
    frame = board[[*shown, "seconds", "settings", "datasets"]].rename(columns=columns)
    links = {"method": [f"../method/{name}.html" for name in board["method"]]}
    return table(frame, "Leaderboard", filters=("task", "measure", "noise"), links=links)
