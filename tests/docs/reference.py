"""What the statements of the documentation are computed from: `data/reference` and `data/published`."""

import json
import os
from functools import cache
from pathlib import Path

import pandas as pd
import yaml
from pipeline.jobs.rerun import planned_with

from ironbark.pipeline.analysis.kinds import imported
from ironbark.pipeline.analysis.published import PAPERS, comparison, comparison_page
from ironbark.pipeline.data import catalog
from ironbark.pipeline.jobs.artefacts.compare import unlike
from ironbark.pipeline.plan.study import study as studies
from ironbark.pipeline.results import packs
from ironbark.pipeline.results.records import OK, frame

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("IRONBARK_REFERENCE", ROOT / "data/reference"))


@cache
def results(study):
    """Accuracy of the cells of a study, from its reference results, with the column error."""
    found = measured(study)
    return found[found["metric"] == "accuracy"].assign(error=lambda frame: 1 - frame["mean"])


def rows(study):
    """The means of a study, as one result row for each cell."""
    found = measured(study)
    cell = ["dataset", "task", "noise", "rate", "noise_id", "method"]
    wide = found.pivot(index=cell, columns="metric", values="mean").reset_index()
    return frame(wide.assign(status=OK, repeat=0, error=1 - wide["accuracy"]).to_dict("records"))


def packed(path):
    """One result row for each fit of a pack, with its scores."""
    made, config = [], planned_with().config
    with packs.Pack(path) as pack:
        for name in pack.members:
            dataset, task, noise = name.removeprefix("store/").removesuffix(".jsonl").split("/")
            about = studies.check_noise(config, noise, task, 2 if task == "binary" else 255)
            place = {"dataset": dataset, "task": task, "noise_id": noise}
            place |= {"noise": about["model"], "rate": studies.rate_text(about)}
            for method, fits in pack.fits(name).items():
                for record in fits.values():
                    plain = {key: value for key, value in record.items() if not isinstance(value, dict)}
                    made.append(place | {"method": method} | plain | record["scores"])
    return pd.DataFrame(made)


@cache
def measured(study):
    """Reference results of a study, all metrics."""
    return pd.read_csv(FOLDER / f"{study}.csv", dtype={"rate": "str"}, keep_default_na=False)


@cache
def compared(study):
    """The comparison of a study with the published values, from its reference results."""
    found, plan = results(study), planned_with()
    spec = json.loads(plan.compare(study, found["scale"].iloc[0]))
    entry, datasets = spec["compare"], list(dict.fromkeys(found["dataset"]))
    deviations = {name: _deviations(name) for name in datasets}
    cells = pd.concat([measured(study), found.assign(metric="error", mean=found["error"])])
    cells = cells.rename(columns={"spread": "sd"})
    values = PAPERS[entry["published"]].values["cells"]
    lines = comparison.compare_cells(
        cells,
        imported(values.reader)(ROOT / values.path),
        entry["methods"],
        datasets=datasets,
        tables=entry.get("tables"),
        metrics=entry.get("metrics"),
        unlike=unlike(datasets, spec["capped_fits"], deviations, entry.get("despite", ())),
    )
    return lines.assign(table=lines["table"].astype("str")).dropna(subset="mean")


def _deviations(dataset):
    """Sentences on how a data set differs from the paper's, in the mirror that the reference results come from too."""
    entry = _catalogue()[dataset]
    return [*entry.get("deviations", []), *entry.get("in_mirror", {}).get("deviations", [])]


def class_counts(dataset):
    """Label -> samples, as the catalogue expects them of the mirror that the reference results come from."""
    return catalog.as_mirrored(_catalogue()[dataset])["expect"]["counts"]


@cache
def _catalogue():
    files = [ROOT / "config/datasets.yaml", *sorted((ROOT / "config/datasets").glob("*.yaml"))]
    return {name: entry for path in files for name, entry in yaml.safe_load(path.read_text("utf-8")).items()}


def wide(study, **only):
    """Means of a study in percent: rows data set and noise, columns methods; `only` restricts columns to a value."""
    found = results(study)
    for column, value in only.items():
        found = found[found[column] == value]
    return 100 * found.pivot(index=["dataset", "noise_id"], columns="method", values="mean")


def agreement(lines):
    """One line for each published table, as a run writes it."""
    return comparison_page.agreement(lines)


def by_method(lines, labels):
    """The same for each method, without what needs several methods, and with the mean difference."""
    rows = []
    for method, label in labels.items():
        part = lines[lines["method"] == method]
        line = comparison.summary(part).iloc[0]
        counts = [f"{line[name]} of {line['comparable']}" for name in ("not_rejected", "equivalent", "within_two_sd")]
        needed, distance = line["needed_to_reject"], line["mean_absolute_difference"]
        rows.append([label, *counts, needed, distance, part["difference"].mean()])
    heads = ["Method", *list(comparison_page.HEADS.values())[2:7], "Mean difference (points)"]
    return table(heads, rows)


def side_by_side(lines, keys, columns, heads, digits=2):
    """Published / ours in percent, an asterisk where the cell differs.

    `keys` names the columns of `lines` that make a row; `columns` is (column of `lines`, its values in order); `heads`
    are those of all columns.
    """
    column, values = columns
    at = {(*(getattr(c, key) for key in keys), getattr(c, column)): c for c in lines.itertuples()}
    rows = [
        [*key, *(_cell(at.get((*key, value)), digits) for value in values)] for key in dict.fromkeys(k[:-1] for k in at)
    ]
    return table(heads, rows, texts=len(keys))


def _cell(cell, digits):
    if cell is None:
        return ""
    star = "*" * (cell.verdict == comparison.DIFFERS)
    return f"{cell.published_mean:.{digits}f} / {cell.mean:.{digits}f}{star}"


def table(heads, rows, texts=1):
    """A Markdown table whose first `texts` columns are left-aligned."""
    lines = comparison_page.pipes(heads, rows).splitlines()
    lines[1] = "| " + " | ".join(["---"] * texts + ["---:"] * (len(heads) - texts)) + " |"
    return "\n".join(lines)


def counts(method, rival):
    """In how many settings of two Series the first is better, equal and worse, to the last digit but three."""
    difference = (method - rival).dropna().round(9)
    return {
        "n": len(difference),
        "better": int((difference > 0).sum()),
        "equal": int((difference == 0).sum()),
        "worse": int((difference < 0).sum()),
        "mean": difference.mean(),
    }
