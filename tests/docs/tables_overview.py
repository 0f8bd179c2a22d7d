"""Tables of docs/reproduction.md: agreement, published cells with a result, tables and figures, reference results."""

import pandas as pd
from docs.artefacts import ARTEFACTS, CELLS, RANKS, numbered
from docs.reference import FOLDER, compared, config, deviating, published, results, scales, share
from docs.tables_pg import SETS

from ironbark.pipeline.plan.study.artefacts import KINDS
from ironbark.pipeline.protocols import per_repeat
from ironbark.pipeline.published import comparison, comparison_page
from ironbark.pipeline.published import of_artefact as paper

#: Line -> study, published table, and data sets or None for all.
LINES = {
    "ANE Table 2, Mushrooms, trees": ("mushrooms", "2", None),
    "ANE Table 4, Mushrooms, forests": ("mushrooms", "4", None),
    "ANE Table 2, MNIST, trees, binary": ("ane", "2", ("mnist",)),
    "ANE Table 2, CIFAR-10, trees, binary": ("ane", "2", ("cifar-10",)),
    "ANE Table 3, MNIST, trees, ten classes": ("ane", "3", ("mnist",)),
    "ANE Table 3, CIFAR-10, trees, ten classes": ("ane", "3", ("cifar-10",)),
    "ANE Table 3, MNIST, trees, authors' stopping rule": ("ane-switches", "3", None),
    "ANE Table 4, MNIST, forests": ("ane", "4", ("mnist",)),
    "ANE Table 4, CIFAR-10, forests": ("ane", "4", ("cifar-10",)),
    "ANE Table 5, MNIST, forests": ("ane", "5", ("mnist",)),
    "ANE Table 5, CIFAR-10, forests": ("ane", "5", ("cifar-10",)),
    "PG Table III, nine small sets, forests": ("pg", "III", SETS["nine small"]),
    "PG Table III, medium sets, forests": ("pg", "III", SETS["medium"]),
    "PG Table III, skin-non, forests": ("pg", "III", ("skin-non",)),
    "RMB Table 3, eight small sets, nine methods": ("rmb", "3", None),
    "RMB Table 5, Covertype, clean": ("rmb-large", "5", None),
    "RMB Table 5, Covertype, noise (authors' reply)": ("rmb-large", "5, reply", None),
}
#: Paper -> studies whose cells have published values, and that of its switches, which counts for no table.
COMPARED = {"ane": ["mushrooms", "ane"], "pg": ["pg"], "rmb": ["rmb", "rmb-large"]}
SWITCHES = {"ane": ["ane-switches"]}
FULL, LOWER, DIFFERENT, NOT_RUN, NO_DATA = "Full protocol", "Lower scale", "Not comparable", "Not run", "No data"
CELL = ["dataset", "task", "noise", "rate", "method"]


def agreement():
    rows = []
    for name, (study, number, datasets) in LINES.items():
        lines = compared(study)
        lines = lines[(lines["table"] == number) & lines["dataset"].isin(datasets or lines["dataset"])]
        text = comparison_page.agreement(lines).splitlines()
        heads, _, row = ([cell.strip() for cell in line.split("|")[1:-1]] for line in text)
        rows.append([name, *row[1:]])
    return [heads, *rows]


def cells(name):
    """Our and the published values of all compared cells of a paper, in percent."""
    rows = []
    for study in COMPARED[name] + SWITCHES.get(name, []):
        for line in compared(study).itertuples():
            where = [study, line.table, line.dataset, line.task, line.method, line.noise, line.rate, line.metric]
            values = [f"{value:.2f}" for value in (line.published_mean, line.mean, line.difference)]
            rows.append([*where, *values, line.verdict])
    heads = ["Study", "Table", "Data set", "Task", "Method", "Noise", "Rate", "Measure"]
    return [[*heads, "Published", "Ours", "Difference", "Verdict"], *rows]


def makers(*artefacts):
    """(study, tables or figures, id, spec) of what makes tables or figures of a paper."""
    for study, entry in config()["studies"].items():
        for word in ("tables", "figures"):
            for id, spec in entry.get(word, {}).items():
                if spec.get("artefact") in artefacts:
                    yield study, word, id, spec


def _studies(artefact):
    """Studies with reference results that make a table or figure, or the one that has its numbers."""
    names = dict.fromkeys(name for name, *_ in makers(artefact, numbered(artefact)))
    return [name for name in names if (FOLDER / f"{name}.csv").is_file()]


def _best(artefact):
    """The result of each cell and metric that is nearest to the protocol of the paper."""
    frames = [found for study in _studies(artefact) for found in scales(study).values()]
    lines = pd.concat(frames).assign(is_full=lambda frame: frame["scale"] == "full")
    lines = lines.sort_values(["is_full", "n"], ascending=False, kind="stable")
    return lines.drop_duplicates([*CELL, "metric"], ignore_index=True)


def _unavailable():
    return set(pd.read_csv(FOLDER.parent / "unavailable.csv")["dataset"])


def _replaced(artefact):
    """Data set without data -> the one that replaces it in the studies of a table."""
    entries = [config()["studies"][name] for name, *_ in makers(artefact, numbered(artefact))]
    pairs = [pair for entry in entries for pair in entry.get("if_absent", {}).items()]
    return {old: new for old, new in pairs if new and old in _unavailable()}


def _different(artefact):
    """Data sets that differ from the paper's in a way that matters to the studies of a table."""
    compare = [config()["studies"][study].get("compare", {}) for study in _studies(artefact)]
    despite = {name for entry in compare for name in entry.get("despite", ())}
    return {name for name in config()["datasets"] if deviating(name)} - despite


def _protocol(artefact):
    """Fits of a cell under the protocol of the paper."""
    protocol = config()["studies"][paper(artefact)]["protocol"]
    options = {key: value for key, value in protocol.items() if key not in ("kind", "repeats")}
    return protocol["repeats"] * per_repeat(options)


def _published(artefact):
    """The published values of a table."""
    about = ARTEFACTS[artefact]
    found = published(paper(artefact), about.values)
    for column, wanted in about.rows.items():
        found = found[found[column].isin(wanted)]
    return found


def status(artefact):
    """The status of each published value of a table."""
    is_of_ranks, found = ARTEFACTS[artefact].values == RANKS, _published(artefact)
    replaced, lines = _replaced(artefact), _best(artefact)
    lines = lines[lines["metric"] == "accuracy"]
    used = found["dataset"].map(lambda name: replaced.get(name, name))
    ran = _of_ranks if is_of_ranks else _of_cells
    state = ran(artefact, found.assign(dataset=used), lines)
    is_other = used.isin(_different(artefact)) | (used != found["dataset"])
    if is_of_ranks:
        is_other |= found["average_rank"].isna()
    state = state.mask(is_other & state.isin([FULL, LOWER]), DIFFERENT)
    return state.mask(used.isin(_unavailable()), NO_DATA)


def _of_cells(artefact, found, lines):
    names = config()["studies"][paper(artefact)]["compare"]["methods"]
    own = [names[model][method] for model, method in zip(found["model"], found["method"], strict=True)]
    keys = found.assign(method=own)[CELL]
    n = keys.merge(lines[[*CELL, "n", "is_full"]], how="left", on=CELL).set_axis(found.index)
    state = pd.Series(LOWER, found.index).mask((n["n"] >= _protocol(artefact)) & n["is_full"].eq(True), FULL)
    return state.mask(n["n"].isna(), NOT_RUN)


def _of_ranks(artefact, found, lines):
    """A data set is run at the full protocol if all methods are, under all noises."""
    names = next(spec["printed_methods"] for *_, spec in makers(artefact) if "printed_methods" in spec)
    lines = lines[lines["method"].isin(names.values())]
    is_full = lines["is_full"] & (lines["n"] >= _protocol(artefact))
    whole = is_full.groupby(keys := [lines["task"], lines["dataset"]]).all()
    whole &= lines.groupby(keys)["method"].nunique() == len(names)
    pairs = zip(found["task"], found["dataset"], strict=True)
    return pd.Series([{True: FULL, False: LOWER}.get(whole.get(pair), NOT_RUN) for pair in pairs], found.index)


def published_cells():
    order, rows = [FULL, LOWER, DIFFERENT, NOT_RUN, NO_DATA], []
    for name, about in ARTEFACTS.items():
        if about.values in (CELLS, RANKS):
            found = status(name).value_counts()
            rows.append([name, *(int(found.get(each, 0)) for each in order)])
    rows.append(["Sum", *(sum(column) for column in list(zip(*rows, strict=True))[1:])])
    return [["Published table", "Cells", *order], *([name, sum(each), *each] for name, *each in rows)]


def verdict(artefact):
    """How many comparable cells of a table are not rejected and equivalent, and the power of the test."""
    about = ARTEFACTS[artefact]
    lines = pd.concat(map(compared, COMPARED[paper(artefact)]))
    lines = lines[lines["table"].isin(about.rows.get("table", lines["table"]))]
    judged = lines[lines["verdict"] != comparison.NOT_COMPARABLE]
    equivalent, needed = share(judged["equivalent"].eq(True)), judged["needed_to_reject"].median()
    return [share(judged["verdict"] == comparison.NOT_REJECTED), equivalent, f"{needed:.2f}"]


def _scales(artefact, study):
    """Scales at which a study has reference results of a table or figure, or of the one that has its numbers."""
    specs = [spec for name, *_, spec in makers(artefact, numbered(artefact)) if name == study]
    return [scale for scale, lines in scales(study).items() if any(_shows(spec, lines) for spec in specs)]


def _shows(spec, lines):
    """Whether results have all methods of a table or figure on its data sets."""
    places = [spec["dataset"]] if "dataset" in spec else spec.get("datasets", lines["dataset"])
    names = {name for panel in (spec, *spec.get("panels", ())) for name in panel.get("methods", ())}
    return names <= set(lines.loc[lines["dataset"].isin(places), "method"])


def artefacts():
    rows = []
    for name, about in ARTEFACTS.items():
        study, word, id, spec = min(makers(name), key=lambda maker: maker[0] != paper(name))
        kind = KINDS[word.removesuffix("s")][spec["kind"]]
        found = {each: _scales(name, each) for each in sorted(_studies(name))} if kind.of_results else {}
        judged = verdict(name) if about.values == CELLS else [f"as {about.of}" if about.of else "", "", ""]
        results = ", ".join(f"{each} ({', '.join(at)})" for each, at in found.items() if at)
        rows.append([name, about.shows, f"{study}/{word}/{id}", results, *judged])
    heads = ["Table or figure", "Shows", "Made by", "Results", "Not rejected"]
    return [[*heads, "Equivalent within ±1 point", "Needed to reject (points)"], *rows]


def files():
    """Which studies have reference results, at which scale, and of how many cells."""
    rows = []
    for study in sorted(path.stem for path in FOLDER.glob("*.csv")):
        for scale in scales(study):
            found = results(study, scale)
            rows.append([study, scale, len(found), ", ".join(map(str, sorted(set(found["n"]))))])
    return [["Study", "Scale", "Cells", "Fits per cell"], *rows]


TABLES = {
    "agreement": agreement,
    "published-cells": published_cells,
    "tables-and-figures": artefacts,
    "reference-results": files,
    "cells-ane": lambda: cells("ane"),
    "cells-pg": lambda: cells("pg"),
    "cells-rmb": lambda: cells("rmb"),
}
