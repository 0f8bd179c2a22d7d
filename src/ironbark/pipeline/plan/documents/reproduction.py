"""The cells of the papers' tables and figures, and what `data/reference` holds of them.

Data sets that were not available for these results are listed in `data/unavailable.csv`, so that the same
follows on any machine, with or without a mirror.
"""

import csv
from functools import cache
from typing import NamedTuple

import pandas as pd
import yaml

from ironbark import noise
from ironbark.pipeline import data, protocols
from ironbark.pipeline.analysis.coverage import CELL, asked
from ironbark.pipeline.analysis.kinds import Kind, imported
from ironbark.pipeline.analysis.published import PAPERS, comparison, coverage, verdicts
from ironbark.pipeline.analysis.published.papers.artefacts import ARTEFACTS, RANKS, numbered, paper
from ironbark.pipeline.data import catalog
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.study import scale_caps, study
from ironbark.pipeline.plan.study.inputs import KINDS

UNAVAILABLE = "data/unavailable.csv"
EMPTY = pd.DataFrame(columns=[*CELL, "metric", "study", "scale", "noise", "rate"], dtype="str").assign(
    n=pd.Series(dtype="int64"), mean=pd.Series(dtype=float), spread=pd.Series(dtype=float), capped=pd.Series(dtype=bool)
)


class Maker(NamedTuple):
    """A table or figure of a study that reproduces one of a paper."""

    study: str
    word: str  # table or figure
    id: str
    spec: dict
    kind: Kind


class Reproduction:
    """Plan and results of each table and figure of the papers.

    Parameters
    ----------
    root : Path
        Of the repository.
    config : dict
        Of `ironbark.pipeline.plan.config.reading.read`.
    """

    def __init__(self, root, config):
        self.root, self.config = root, config
        self.makers = {name: [] for name in ARTEFACTS}
        for study_id, entry in config["studies"].items():
            for word in KINDS:
                for id, spec in entry.get(f"{word}s", {}).items():
                    if "artefact" in spec:
                        maker = Maker(study_id, word, id, spec, KINDS[word][spec["kind"]])
                        self.makers[spec["artefact"]].append(maker)
        with open(root / UNAVAILABLE, encoding="utf-8", newline="") as stream:
            self.unavailable = {row["dataset"]: row["reason"] for row in csv.DictReader(stream)}
        self.cells, self._asked, self._results = cache(self._cells), cache(self._asked_fits), cache(self._read)
        self.published, self._lines = cache(self._published), cache(self._compare)

    @classmethod
    def of_repository(cls, root):
        """Read the configuration and results in the folder of a repository."""
        settings = yaml.safe_load((root / "config/config.yaml").read_text(encoding="utf-8"))
        return cls(root, read(root / "config", root / "workflow/schemas", settings))

    def studies(self, artefact):
        """Studies whose results an artefact, or the one that has its numbers, is made from."""
        makers = [*self.makers[artefact], *self.makers.get(numbered(artefact), [])]
        return list(dict.fromkeys(maker.study for maker in makers if maker.kind.of_results))

    def replaced(self, artefact):
        """Data set without data -> the one that replaces it in the studies of an artefact."""
        found = {}
        for name in self.studies(artefact):
            listed = self.config["studies"][name].get("if_absent", {})
            found |= {old: new for old, new in listed.items() if new and old in self.unavailable}
        return found

    def deviations(self, dataset):
        """Deviations of a data set, or the one that it is computed from, from the papers' in the mirror."""
        entry = self.config["datasets"][dataset]
        base, _ = data.base(entry)
        found = catalog.as_mirrored(entry).get("deviations", [])
        return [*found, *self.deviations(base)] if base else found

    def different(self, artefact, datasets):
        """Those of some data sets that differ from the papers' in a way that matters to the studies of an artefact."""
        compared = [self.config["studies"][name].get("compare", {}) for name in self.studies(artefact)]
        despite = {dataset for entry in compared for dataset in entry.get("despite", ())}
        return [name for name in datasets if self.deviations(name) and name not in despite]

    def results(self, artefact):
        """The best result of each cell and metric over the studies of an artefact: lines of their reference files."""
        frames = [self._results(name) for name in self.studies(artefact)]
        frames = [frame for frame in frames if len(frame)]
        return coverage.best(pd.concat(frames, ignore_index=True) if frames else EMPTY)

    def _read(self, study_id):
        path = self.root / f"data/reference/{study_id}.csv"
        if not path.is_file():
            return EMPTY
        found = pd.read_csv(path, dtype={"rate": "str"}, keep_default_na=False)
        scales = self.config["studies"][study_id].get("scales", {})
        capped = {scale: bool(scale_caps.fits_in_words(scales.get(scale, {}))) for scale in set(found["scale"])}
        return found.assign(capped=found["scale"].map(capped))

    def _cells(self, artefact):
        """Planned cells of an artefact with their status."""
        frames = [
            _selected(self._asked(maker.study), maker.spec)
            for maker in self.makers[artefact]
            if maker.kind.data in ("rows", "labels")
        ]
        if not frames:
            return pd.DataFrame(columns=[*CELL, "asked", "ran", "status"])
        planned = pd.concat(frames).groupby(CELL, sort=False)["asked"].max().reset_index()
        different = self.different(artefact, dict.fromkeys(planned["dataset"]))
        found = self.results(artefact)
        return coverage.status(planned, found, self.unavailable, self.replaced(artefact), different)

    def _asked_fits(self, study_id):
        plan = study.plan(self.config, study_id, "full")
        folds = protocols.per_repeat(plan.protocol["options"])
        return asked({"repeats": plan.protocol["repeats"], "folds": folds, "blocks": plan.blocks})

    def _published(self, artefact):
        """Published numbers of an artefact with their status; None if the paper has none."""
        name = numbered(artefact)
        if not name:
            return None
        found = self._numbers(name)
        if ARTEFACTS[name].values == RANKS:
            return coverage.of_ranks(found, self.cells(name))
        found = coverage.located(found, self.cells(artefact), self.compare(artefact)["methods"], self.rates(artefact))
        with_risk = name == artefact or any("risk_of" in maker.spec for maker in self.makers[artefact])
        return found if with_risk else found[found["model"] != "risk"]

    def _numbers(self, artefact):
        """The published numbers of an artefact that has some, as their reader gives them."""
        values = PAPERS[paper(artefact)].values[ARTEFACTS[artefact].values]
        found = imported(values.reader)(self.root / values.path)
        for column, wanted in ARTEFACTS[artefact].rows.items():
            found = found[found[column].isin(wanted)]
        return found

    def compared(self, artefact):
        """Lines of `ironbark.pipeline.analysis.published.comparison.compare_cells` for its published cells."""
        lines, cells = self._lines(numbered(artefact)), self.published(artefact)
        keys = ["table", "dataset", "task", "method", "noise", "rate"]
        return lines.merge(cells[[*keys[:3], "own", *keys[4:]]].rename(columns={"own": "method"}), on=keys)

    def _compare(self, artefact):
        entry, found = self.compare(artefact), self.results(artefact)
        found = found[found["noise_id"].isin(self.rates(artefact))]
        datasets = dict.fromkeys(self.cells(artefact)["dataset"])
        return comparison.compare_cells(
            verdicts.measured(found),
            self._numbers(artefact),
            entry["methods"],
            unlike={name: " ".join(self.deviations(name)) for name in self.different(artefact, datasets)},
            metrics=entry.get("metrics"),
        )

    def compare(self, artefact):
        """Entry `compare` of the study with the protocol of the paper."""
        return self.config["studies"][paper(artefact)]["compare"]

    def rates(self, artefact):
        """Noise id -> (model, rate as text) of the planned cells of an artefact."""
        found = {}
        for name in dict.fromkeys(self.cells(artefact)["noise_id"]):
            entry = self.config["noises"][name]
            model = noise.resolve(entry["model"])[0]
            found[name] = model, study.rate_text({"model": model, "rate": entry.get("rate")})
        return found


def _selected(cells, spec):
    """Cells that a table or figure shows, those of all its panels or series."""
    parts = []
    for part in spec.get("panels") or spec.get("series") or [{}]:
        about, chosen = spec | part, cells
        datasets = [about["dataset"]] if "dataset" in about else about.get("datasets")
        tasks = [about["task"]] if "task" in about else None
        wanted = (datasets, tasks, about.get("noises"), about.get("methods"))
        for column, names in zip(CELL, wanted, strict=True):
            chosen = chosen if names is None else chosen[chosen[column].isin(names)]
        parts.append(chosen)
    return pd.concat(parts)
