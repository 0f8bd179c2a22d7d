"""The parts of docs/reproduction.md that list the papers' tables and figures, and how many published cells have run."""

import pandas as pd

from ironbark.pipeline.analysis.published import PAPERS, coverage, verdicts
from ironbark.pipeline.analysis.published.coverage import DIFFERENT, FULL, LOWER, NOT_RUN, STATUSES
from ironbark.pipeline.analysis.published.papers.artefacts import ARTEFACTS, CELLS, RANKS, numbered, paper
from ironbark.pipeline.plan.documents.markdown import table
from ironbark.pipeline.plan.study import inputs

NONE = "–"
RUN = [FULL, LOWER, DIFFERENT]


def cells(reproduction):
    """Number of published cells of each table that have run, as Markdown."""
    rows, found = [], {}
    for name, about in ARTEFACTS.items():
        if about.values in (CELLS, RANKS):
            found[name] = coverage.counts(reproduction.published(name)["status"])
            rows.append([name, found[name].sum(), *found[name]])
    total = sum(found.values())
    rows.append(["**Sum**", *(f"**{number:,}**" for number in (total.sum(), *total))])
    heads = ["Published table", "Cells", *STATUSES.values()]
    return "\n\n".join([_right(table(heads, rows), 1), *_remarks(reproduction, found)])


def _right(text, first):
    """A table whose columns from the first given one are numbers."""
    heads, rule, *rows = text.splitlines()
    marks = rule.strip("| ").split(" | ")
    return "\n".join([heads, f"| {' | '.join(marks[:first] + ['---:'] * (len(marks) - first))} |", *rows])


def _remarks(reproduction, found):
    """Sentences on cells that one may count otherwise."""
    at_full, differing, unpublished, unread = 0, 0, 0, {}
    for name in found:
        cells = reproduction.published(name)
        at_full += int(((cells["status"] == DIFFERENT) & (cells["ran"] == FULL)).sum())
        differ = reproduction.different(name, dict.fromkeys(cells["dataset"])) + list(reproduction.replaced(name))
        differing += int((cells["dataset"].isin(differ) & (cells["status"] == NOT_RUN)).sum())
        if ARTEFACTS[name].values == RANKS:
            unpublished += int((cells["average_rank"].isna() & (cells["status"] == DIFFERENT)).sum())
        for metric, number in _unread(reproduction, name).items():
            unread[metric] = unread.get(metric, 0) + number
    comparable = sum(statuses[FULL] for statuses in found.values())
    yield (
        f"In all, {comparable + at_full:,} cells have run at the full protocol: the {comparable:,} comparable ones and "
        f"{at_full} others. Of the cells that are not comparable, {unpublished} are a dash in the paper. Of those that "
        f"are not run, {differing} have data that differ from the paper's, so that they would not be comparable either."
    )
    parts = [f"{number} values of `{metric}`" for metric, number in unread.items() if number]
    if parts:
        yield f"The fits behind {' and '.join(parts)} count as run, but `data/reference` lacks these values."


def _unread(reproduction, name):
    """Metric -> number of comparable cells whose fits are in the reference files, while their values are not."""
    cells, found = reproduction.published(name), reproduction.results(name)
    cells = cells[cells["status"].isin([FULL, LOWER])]
    keys = ["dataset", "task", "noise_id", "method"]
    if ARTEFACTS[name].values == RANKS:
        keys = ["dataset", "task"]
        metrics = pd.Series(_rank_table(reproduction, name).spec.get("metric", "accuracy"), cells.index)
    else:
        measured = reproduction.compare(name).get("metrics", {})
        metrics = cells["model"].map(lambda model: measured.get(model, "accuracy"))
        cells = cells.assign(method=cells["own"])
    wanted = cells[keys].assign(metric=metrics.replace("error", "accuracy"))
    lines = wanted.merge(found[[*keys, "metric"]].drop_duplicates(), how="left", indicator=True)
    return lines.loc[lines["_merge"] == "left_only", "metric"].value_counts().to_dict()


def artefacts(reproduction):
    """A line for each table and figure of the papers, as Markdown."""
    heads = ["Table or figure", "Shows", "Made by", "Results", "Cells", *STATUSES.values(), "Verdict"]
    rows = [_line(reproduction, name) for name in ARTEFACTS]
    lacking = "\n".join(_lacking(reproduction, name, paper.label) for name, paper in PAPERS.items())
    return f"{table(heads, rows)}\n\n{_complete(reproduction)}\n\n{lacking}"


def _line(reproduction, name):
    """Cells of the line of a table or figure; of several specs that make it, the first of the paper's study."""
    makers = sorted(reproduction.makers[name], key=lambda maker: maker.study != paper(name))
    made = f"`{makers[0].study}/{makers[0].word}s/{makers[0].id}`"
    row, counts = [name, ARTEFACTS[name].shows, made], _counts(reproduction, name)
    if counts is not None:
        return [*row, _scales(reproduction, name), counts.sum(), *counts, _verdict(reproduction, name, counts)]
    row += [NONE] * (2 + len(STATUSES))
    if _is_of_datasets(makers):
        return [*row, _of_datasets(reproduction, makers[0].spec["printed"])]
    return [*row, "computed without data"]


def _is_of_datasets(makers):
    return all(maker.kind.data == "datasets" for maker in makers)


def _counts(reproduction, name):
    """Cells of each status; None for what shows no results."""
    if not reproduction.studies(name):
        return None
    published = reproduction.published(name)
    return coverage.counts((reproduction.cells(name) if published is None else published)["status"])


def _complete(reproduction):
    """Number of complete tables and figures, as a sentence."""
    counts = {name: _counts(reproduction, name) for name in ARTEFACTS}
    others = [name for name, found in counts.items() if found is None]
    datasets = sum(_is_of_datasets(reproduction.makers[name]) for name in others)
    shown = [found for found in counts.values() if found is not None]
    none = sum(found[RUN].sum() == 0 for found in shown)
    whole = sum(found[FULL] > 0 and not found[[LOWER, NOT_RUN]].any() for found in shown)
    return (
        f"Of the {len(counts)}, {len(others) - datasets} are computed without data and {datasets} are tables of data "
        f"sets. Of the other {len(shown)}, all cells with data have run at the full protocol in {whole}, "
        f"some cells in {len(shown) - whole - none} and none in {none}."
    )


def _verdict(reproduction, name, counts):
    published, source = reproduction.published(name), numbered(name)
    if published is None:
        return f"{'drawn' if counts[RUN].sum() else 'not run'}, no values published"
    if ARTEFACTS[source].values == RANKS:
        spec = _rank_table(reproduction, source).spec
        found = reproduction.results(source), spec["printed_methods"], spec.get("metric", "accuracy")
        return verdicts.of_ranks(published, *found)
    return verdicts.of_cells(reproduction.compared(name))


def _rank_table(reproduction, name):
    return next(maker for maker in reproduction.makers[name] if "printed_methods" in maker.spec)


def _scales(reproduction, name):
    """Studies whose results are shown, with their scale."""
    shown = reproduction.cells(name)[list(coverage.CELL)]
    used = shown.assign(dataset=shown["dataset"].replace(reproduction.replaced(name)))
    found = reproduction.results(name).merge(used, on=coverage.CELL)
    pairs = dict.fromkeys(zip(found["study"], found["scale"], strict=True))
    return ", ".join(f"`{study}` {scale}" for study, scale in sorted(pairs)) or NONE


def _lacking(reproduction, name, label):
    """A bullet with the data sets of a paper that have no data, and with those whose data differ from the paper's."""
    lacking, differing = set(), set()
    for artefact in ARTEFACTS:
        if paper(artefact) == name and reproduction.studies(artefact):
            asked = set(reproduction.cells(artefact)["dataset"])
            lacking |= asked & reproduction.unavailable.keys()
            differing.update(reproduction.different(artefact, asked - lacking))
    named = ("no data", sorted(lacking)), ("data differ", sorted(differing))
    parts = [f"{head}: {', '.join(datasets)}" for head, datasets in named if datasets]
    return f"- {label}: {'; '.join(parts) or 'all data as published'}."


def _of_datasets(reproduction, printed):
    """Verdict on a table of data sets."""
    names = {}
    for id, name in inputs.members(reproduction.config, printed, reproduction.config["datasets"]):
        names.setdefault(name, []).append(id)
    same = sum(
        any(id not in reproduction.unavailable and not reproduction.deviations(id) for id in ids)
        for ids in names.values()
    )
    return f"{same} of {len(names)} data sets as published"
