"""Inputs of a table or figure: the files that its job reads, facts of its study, and the code behind it."""

from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.plan.keys import code_of_job
from ironbark.pipeline.published import DATASET_TABLES, PAPERS
from ironbark.pipeline.tables import TABLES
from ironbark.versions import FAMILIES

KINDS = {"table": TABLES, "figure": FIGURES}


def members(config: dict, printed: str, among):
    """Data sets of a published table, as a list of [id, published name] in the order of the catalogue."""
    papers = {id: entry.get("papers", {}) for id, entry in config["datasets"].items() if id in among}
    return [[id, names[printed]] for id, names in papers.items() if printed in names]


def dataset_files(config, printed, among):
    """The published table of data sets, and the prepared data of each data set in it."""
    prepared = [f"data/prepared/{id}" for id, _ in members(config, printed, among)]
    return {"printed": DATASET_TABLES[printed].path, "prepared": prepared}


def _labels(config, study, spec):
    labels = f"{study.folder}/labels/{spec['dataset']}/{spec['task']}.npz"
    return {"prepared": f"data/prepared/{spec['dataset']}", "labels": labels}


#: `ironbark.pipeline.tables.kinds.Kind.data` -> function(config, study, entry) -> files by name.
FILES = {
    "rows": lambda config, study, spec: {"rows": f"{study.folder}/rows.parquet"},
    "comparison": lambda config, study, spec: {"comparison": f"{study.folder}/comparison.csv"},
    "labels": _labels,
    "datasets": lambda config, study, spec: dataset_files(config, spec["printed"], study.datasets),
    "nothing": lambda config, study, spec: {},
}


def _asked(config, study):
    """All data sets of a study, those included that a scale leaves out or that are unavailable."""
    return {dataset for grid in config["studies"][study.entry_id]["grids"] for dataset in grid["datasets"]}


#: A fact that a kind asks for -> function(config, study, entry).
FACTS = {
    "mapping": lambda config, study, spec: study.compare["methods"],
    "capped_fits": lambda config, study, spec: study.capped_fits,
    "members": lambda config, study, spec: members(config, spec["printed"], _asked(config, study)),
}


def files(config, kind, study, spec):
    """Files that the job of a table or figure reads, by its parameter names."""
    published = {key: PAPERS[paper].values[name].path for key, (paper, name) in kind.values(spec).items()}
    return FILES[kind.data](config, study, spec) | published


def facts(config, kind, study, spec):
    """Facts of the study that the kind asks for, by name."""
    return {name: FACTS[name](config, study, spec) for name in kind.facts}


def code(category, kind):
    """Digest of the code behind a table or figure; a computed one runs our estimators too."""
    families = FAMILIES.values() if kind.data == "nothing" else ()
    return code_of_job(category, *(part for family in families for part in family.code))
