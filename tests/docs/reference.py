"""What the tables of results in docs/tables are computed from: `data/reference`, `data/published` and packs."""

import json
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

import numpy as np
import pandas as pd
from mirror_tables import config

from ironbark.pipeline import data
from ironbark.pipeline.data import catalog
from ironbark.pipeline.jobs.artefacts import unlike
from ironbark.pipeline.metrics import ON_REQUEST
from ironbark.pipeline.plan import artefact_specs
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.plan.study import study as studies
from ironbark.pipeline.published import PAPERS, comparison
from ironbark.pipeline.results import packs
from ironbark.pipeline.results.records import OK, frame

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "data/reference"


@cache
def plan():
    return Plan(config())


@cache
def scales(study):
    """Reference results of a study by scale, full first: all metrics."""
    found = pd.read_csv(FOLDER / f"{study}.csv", dtype={"rate": "str"}, keep_default_na=False)
    return dict(list(found.groupby("scale")))


def measured(study, scale=None):
    """Reference results of a study at a scale, or at the one nearest to the paper's: all metrics."""
    found = scales(study)
    return found[scale or next(iter(found))]


@cache
def results(study, scale=None):
    """Accuracy of the cells of a study, from its reference results, with the column error."""
    found = measured(study, scale)
    return found[found["metric"] == "accuracy"].assign(error=lambda frame: 1 - frame["mean"])


def rows(study, spread=False):
    """The means of a study, as one result row for each cell; as two with its mean and standard deviation."""
    cell = ["dataset", "task", "noise", "rate", "noise_id", "method"]
    parts = []
    for repeat, sign in enumerate((-1, 1) if spread else (0,)):
        values = measured(study).assign(value=lambda f, s=sign: f["mean"] + s * f["spread"].fillna(0) / np.sqrt(2))
        wide = values.pivot(index=cell, columns="metric", values="value").reset_index()
        parts.append(wide.assign(status=OK, repeat=repeat, error=1 - wide["accuracy"]))
    return frame(pd.concat(parts).to_dict("records"), [name for name in ON_REQUEST if name in parts[0]])


def packed(path):
    """One result row for each fit of a pack, with its scores, as an import reads it."""
    made = []
    with packs.Pack(path) as pack:
        for name in pack.members:
            dataset, task, noise = name.removeprefix("store/").removesuffix(".jsonl").split("/")
            entry = studies.check_noise(config(), noise, task, 2 if task == "binary" else 255)
            cell = {"dataset": dataset, "task": task, "noise_id": noise}
            cell |= {"noise": entry["model"], "rate": studies.rate_text(entry)}
            fits = [(name, fit) for name, found in pack.fits(name).items() for fit in found.values()]
            made += [cell | {"method": name} | fit | fit["scores"] for name, fit in fits]
    return pd.DataFrame(made).drop(columns="scores")


@cache
def published(paper, values="cells"):
    """Published values of a paper, as its reader gives them."""
    entry = PAPERS[paper].values[values]
    return resolve_name(entry.reader)(ROOT / entry.path)


@cache
def compared(study):
    """The comparison of a study with the published values, from its reference results."""
    found = results(study)
    spec = json.loads(artefact_specs.compare(plan(), plan().study(study, found["scale"].iloc[0])))
    entry, datasets = spec["compare"], list(dict.fromkeys(found["dataset"]))
    deviations = {name: deviating(name) for name in datasets}
    cells = pd.concat([measured(study), found.assign(metric="error", mean=found["error"])])
    lines = comparison.compare_cells(
        cells.rename(columns={"spread": "sd"}).assign(failed=0),
        published(entry["published"]),
        entry["methods"],
        datasets=datasets,
        tables=entry.get("tables"),
        metrics=entry.get("metrics"),
        unlike=unlike(datasets, spec["capped_fits"], deviations, entry.get("despite", ())),
    )
    return lines.assign(table=lines["table"].astype("str")).dropna(subset="mean")


def deviating(dataset):
    """How a data set differs from the paper's in the mirror that the reference results come from."""
    entry = config()["datasets"][dataset]
    base, _ = data.base(entry)
    found = catalog.as_mirrored(entry).get("deviations", [])
    return [*found, *deviating(base)] if base else found


def wide(study, scale=None, **only):
    """Means of a study in percent: rows data set and noise, columns methods; `only` restricts columns to a value."""
    found = results(study, scale)
    for column, value in only.items():
        found = found[found[column] == value]
    return 100 * found.pivot(index=["dataset", "noise_id"], columns="method", values="mean")


def counts(method, rival):
    """In how many settings of two Series the first is better, equal and worse, to the last digit but three."""
    difference = (method - rival).dropna().round(9)
    better, worse = int((difference > 0).sum()), int((difference < 0).sum())
    n = len(difference)
    return {"n": n, "better": better, "equal": n - better - worse, "worse": worse, "mean": difference.mean()}


def share(hits):
    """How many of some hold, as text; nothing of none."""
    return f"{int(sum(hits))} of {len(hits)}" if len(hits) else ""
