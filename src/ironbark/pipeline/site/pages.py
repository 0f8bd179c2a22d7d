"""What the pages of studies, data sets and methods show."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from markupsafe import Markup

from ironbark.errors import InputError
from ironbark.pipeline.published import comparison_page
from ironbark.pipeline.site import numbers
from ironbark.pipeline.site.numbers import SECONDS, SHOWN, track_of
from ironbark.pipeline.site.render import table
from ironbark.pipeline.statistics.ranks import DIGITS
from ironbark.pipeline.statistics.significance import ALPHA
from ironbark.pipeline.tables import layout
from ironbark.pipeline.tables.kinds import SUFFIXES, Names

#: Keys of a prepared data set's meta.json that its page shows in place of the catalogue's.
MEASURED = ("n", "d", "k", "split", "digest", "deviations", "notes", "warnings", "missing")


def study(about, rows, folder, renderer):
    """A study with its coverage, failures, published values, tables and figures, whose files are copied."""
    frame, problems = numbers.within(rows.frame, about), list(rows.problems)
    if frame.empty and not problems:
        problems.append("No fit of this study has finished; start it with `snakemake` or look into results/logs.")
    key, target = f"{about['id']}-{about['scale']}", f"files/{about['id']}/{about['scale']}"
    fits = {by: numbers.coverage(frame, about, by) for by in ("dataset", "method")}
    causes = numbers.causes(frame)
    artefacts = {kind: [_artefact(item, kind, folder, target, renderer) for item in about[kind]] for kind in SUFFIXES}
    found = {
        "key": key,
        "page": f"study/{key}.html",
        "frame": frame[frame["status"] == "ok"],
        "total": {name: values.sum().item() for name, values in fits["dataset"].items()},  # counts stay whole
        "coverage": [_coverage(lines, by, about[f"{by}s"]) for by, lines in fits.items()],
        "causes": None if causes.empty else table(causes, "Failures"),
        "problems": problems,
    }
    return about | found | artefacts | _published(about, folder, problems)


def _coverage(fits, by, labels):
    frame = fits[["done", "failed", "missing"]].assign(**{"CPU s": fits["seconds"]})
    frame.insert(0, "method" if by == "method" else "data set", [labels[name] for name in fits.index])
    links = [f"../{by}/{name}.html" for name in fits.index]
    return table(frame, f"Coverage by {frame.columns[0]}", links={frame.columns[0]: links})


def _artefact(item, kind, folder, target, renderer):
    """A table or figure as its job has written it; the first sentence of its caption is its title."""
    first, _, rest = item["caption"].partition(". ")
    page = Path(folder, kind, f"{item['id']}.html")
    html = page.exists() and Markup(layout.body_of(page.read_text(encoding="utf-8")))
    endings = [ending for ending in SUFFIXES[kind] if ending != page.suffix]  # which is shown
    files = renderer.copies(folder, kind, item["id"], target, endings)
    return item | {"title": first.rstrip(".") or item["id"], "rest": rest, "html": html, "files": files}


def _published(about, folder, problems):
    """All cells that are compared with published values as one table, and counts of verdicts."""
    empty = {"compared": None, "verdicts": {}}
    path = Path(folder, "comparison.csv")
    if not about["compare"] or not path.exists():
        return empty
    try:
        frame = comparison_page.read(path)
    except InputError as error:
        problems.append(str(error))
        return empty
    return {"compared": _compared(frame, about), "verdicts": frame["verdict"].value_counts()}


def _compared(frame, about):
    lines = {
        "verdict": frame["verdict"],
        "table": frame["table"],
        "data set": frame["dataset"].map(Names(about["datasets"])),
        "method": frame["method"].map(Names(about["methods"])),
        "noise": [comparison_page.heading(*pair) for pair in zip(frame["noise"], frame["rate"], strict=True)],
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


def settings(entry):
    """What a method of a study is, as text."""
    return json.dumps({key: entry[key] for key in ("estimator", "params", "preprocess", "tune") if key in entry})


def dataset(name, entry, meta, studies):
    """Properties of a data set (of its preparation; else of the catalogue)."""
    expected = entry.get("expect", {})
    about = {key: expected[key] for key in ("n", "d", "k", "counts") if key in expected} | entry
    if meta:
        about |= {key: meta[key] for key in MEASURED if key in meta}
        about["counts"] = dict(zip(meta["classes"], meta["counts"], strict=True))
    return about | {"id": name, "studies": studies}


def best(name, view):
    """Tables of the best method of a study on a data set at each noise, for each task and track."""
    found, label = [], view["methods"] | {None: None}
    for (task, _), metric in numbers.main_metrics(view["cells"]).items():
        cells, lines, links = view["cells"][task, metric], [], []
        cells = dict(iter(cells[cells["dataset"] == name].groupby("noise_id")))
        for noise in [noise for noise in view["noises"] if noise in cells]:
            part, factor = cells[noise].set_index("method"), SHOWN[metric].factor
            sign = 1 if SHOWN[metric].larger_is_better else -1
            first = part.loc[part["best"].iloc[0]]
            others = part.drop(index=first.name).dropna(subset="difference")
            gaps = (sign * others["difference"]).sort_values(kind="stable")  # below 0 for those with failed fits
            tied = (gaps.round(DIGITS) == 0).sum()
            second, gap = (gaps.index[0], gaps.iloc[0]) if len(gaps) else (None, np.nan)
            p = others["p_holm"].get(second, np.nan)
            line = {"noise": view["noise_names"][noise]}
            line |= {
                "best method": label[first.name] + f" and {tied} tied" * bool(tied),
                "mean": factor * first["mean"],
            }
            line |= {"next best": label[second], "difference": factor * gap, "p (Holm)": p}
            line |= {"significant": None if np.isnan(p) else "yes" if p < ALPHA and gap > 0 else "no"}
            worse = (others["p_holm"] < ALPHA) & (gaps > 0)
            line |= {"better than": None if np.isnan(p) else f"{worse.sum()} of {len(others)}"}
            lines.append(line | {"sd": factor * first["sd"], "runs": int(first["n"])})
            links.append(f"../method/{first.name}.html")
        title = f"{view['id']} ({view['scale']}), {task}: {SHOWN[metric].with_unit}"
        if lines:
            found.append({"study": view, "table": table(pd.DataFrame(lines), title, links={"best method": links})})
    return found


def tests(name, views):
    """All methods on a data set: means and the tests of the best against each, by study, task, measure and noise."""
    found, links = [], []
    for view, (task, metric) in [(study, key) for study in views for key in study["cells"]]:
        part = view["cells"][task, metric]
        part = part[part["dataset"] == name]
        if not track_of(metric) or part.empty:
            continue
        part = part.assign(order=part["noise_id"].map(view["noises"].index), worse=part["difference"].abs())
        part, factor = part.sort_values(["order", "worse"], kind="stable"), SHOWN[metric].factor
        seconds = view["cells"][task, SECONDS].set_index(["dataset", "noise_id", "method"])["mean"]
        lines = {
            "study": f"{view['id']} ({view['scale']}), {task}",
            "measure": SHOWN[metric].with_unit,
            "noise": part["noise_id"].map(view["noise_names"]),
            "method": part["method"].map(view["methods"]),
            "mean": factor * part["mean"],
            "sd": factor * part["sd"],
            "runs": part["n"],
            "best minus it": factor * part["difference"],
            "p": part["p"],
            "p (Holm)": part["p_holm"],
            "CPU s": seconds.reindex(pd.MultiIndex.from_frame(part[seconds.index.names])).to_numpy(),
        }
        found.append(pd.DataFrame(lines))
        links += [f"../method/{id}.html" for id in part["method"]]
    shown = {"filters": ("study", "measure", "noise"), "links": {"method": links}}
    return table(pd.concat(found), "All methods", **shown) if found else None


def leaderboard(board):
    """The leaderboard of a track of a study, of `ironbark.pipeline.site.numbers.leaderboard` with labels."""
    columns = {"label": "method", "rank": "average rank", "elo": "Elo", "low": "Elo low", "high": "Elo high"}
    columns |= {"score": "score", "p": "p (Holm)", "seconds": "CPU s", "datasets": "data sets"}
    shown = ["task", "measure", "noise", "place", "label", "rank", "mean", "elo", "low", "high", "score", "p"]
    frame = board[[*shown, "seconds", "settings", "datasets"]].rename(columns=columns)
    links = {"method": "../method/" + board["method"] + ".html"}
    return table(frame, "Leaderboard", filters=("task", "measure", "noise"), links=links)
