"""The words that name a published cell: those of the paper and those of our ids and labels."""

import re

from ironbark import noise
from ironbark.pipeline.plan.study.study import rate_text
from ironbark.pipeline.published import PAPERS

#: What distinguishes cells, in the order in which it is named.
PARTS = ("paper", "table", "dataset", "task", "model", "noise", "method")

MODELS = {"DT": ("dt", "tree", "trees"), "RF": ("rf", "forest", "forests")}
QUANTITIES = {"risk": ("risk", "minimax risk")}  # published of a method that has cells of its own
TASKS = {"binary": ("binary", "two classes"), "multiclass": ("multiclass", "several classes")}
ROMAN = {"III": "3"}  # the one that is published


def words(text):
    """A text as a tuple of words: lower case, without punctuation, and 0.4 for 40%, .4 and 0.40."""
    found = re.findall(r"(\d*\.?\d+)\s*%|(\d*\.\d+)(?![\w.])|([a-z0-9]+(?:\.[a-z0-9]+)*)", text.casefold())
    return tuple(
        f"{float(percent) / 100:g}" if percent else f"{float(number):g}" if number else word
        for percent, number, word in found
    )


class Spellings:
    """The accepted spellings of each part of a cell.

    Parameters
    ----------
    config : dict
        Of `ironbark.pipeline.plan.config.reading.read`.
    studies : dict
        Paper -> ids of the studies that run it.
    methods : callable
        Our id of the method of a cell, or None.
    """

    def __init__(self, config, studies, methods):
        self.config, self.studies, self.method_id = config, studies, methods
        self._noises = {}
        for noise_id, entry in config["noises"].items():
            if not entry.get("params"):
                model, rate = noise.resolve(entry["model"])[0], entry.get("rate")
                place = model, rate_text({"model": model, "rate": rate})
                self._noises.setdefault(place, []).append(noise_id)
        self._known = {}

    def of(self, cell):
        """Part -> set of tuples of words."""
        return {part: self._of_part(part, cell) for part in PARTS}

    def _of_part(self, part, cell):
        key = part, *_about(part, cell)
        if key not in self._known:
            texts = getattr(self, f"_{part}")(cell)
            self._known[key] = {found for found in map(words, filter(None, texts)) if found}
        return self._known[key]

    def _paper(self, cell):
        return [cell.paper, PAPERS[cell.paper].label]

    def _table(self, cell):
        first = cell.table.partition(",")[0]
        return [f"table {name}" for name in (cell.table, first, ROMAN.get(first)) if name]

    def _dataset(self, cell):
        entry = self.config["datasets"].get(cell.dataset, {})
        tables = PAPERS[cell.paper].datasets
        printed = [name for table, name in entry.get("papers", {}).items() if table in tables]
        labels = [self.config["studies"][study].get("dataset_labels", {}) for study in self.studies[cell.paper]]
        return [cell.dataset, *printed, *(names.get(cell.dataset) for names in labels)]

    def _task(self, cell):
        return TASKS[cell.task]

    def _model(self, cell):
        return [cell.model, *MODELS.get(cell.model, ())]

    def _noise(self, cell):
        if not cell.noise:
            return []
        if cell.noise == "clean":
            return ["clean", "none", "no noise", "0", "uniform 0"]
        ids = self.noise_ids(cell)
        labels = [self.config["noises"][noise_id].get("label") for noise_id in ids]
        return [cell.setting, f"{cell.noise} noise {cell.rate}", cell.rate, *ids, *labels]

    def _method(self, cell):
        if cell.model in QUANTITIES:
            return [cell.method, *QUANTITIES[cell.model]]
        ours = self.method_id(cell)
        label = self.config["methods"].get(ours, {}).get("label")
        short = ours.removeprefix(f"{cell.model.lower()}-") if ours and cell.model else None
        return [cell.method, ours, label, short]

    def noise_ids(self, cell):
        """Our noises of the model and rate of a cell."""
        return self._noises.get((cell.noise, cell.rate), [])


def _about(part, cell):
    """Dependencies of the spellings of a part."""
    if part == "noise":
        return cell.noise, cell.rate
    if part in ("table", "task", "model"):
        return (getattr(cell, part),)
    return cell.paper, cell.model, cell.table, getattr(cell, part)


def value(part, cell):
    """A part of a cell in words."""
    return {"noise": cell.setting, "table": f"table {cell.table}"}.get(part, getattr(cell, part, ""))
