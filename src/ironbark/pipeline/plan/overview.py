"""Which data sets a printed table of data sets is about, and what the job that makes it is told."""

from ironbark.pipeline.analysis.kinds import PRINTED_DATASETS, TABLE_MODULES
from ironbark.pipeline.plan.fingerprint import fingerprint
from ironbark.pipeline.plan.study.study import text

NAMES = tuple(PRINTED_DATASETS)


def members(config, name, among):
    """Data sets of a printed table, as a list of [id, printed name] in the order of the catalogue.

    Parameters
    ----------
    config : dict
        Of `ironbark.pipeline.plan.config.reading.read`.
    name : str
        Of `NAMES`, which are the keys of ``papers`` in the catalogue.
    among : collection of str
        Only these data sets.
    """
    papers = {id: entry.get("papers", {}) for id, entry in config["datasets"].items() if id in among}
    return [[id, printed[name]] for id, printed in papers.items() if name in printed]


def spec(config, name, among):
    """What the job is told, as JSON text."""
    about = {"table": {"id": name, "kind": "datasets", "printed": name}, "note": "", "allow_holes": False}
    code = fingerprint("ironbark.pipeline.jobs.table", *TABLE_MODULES["datasets"])
    return text(about | {"datasets": members(config, name, among), "code": code})


def inputs(config, name, among):
    """Files that the job reads: the print, and meta.json of each data set."""
    prepared = [f"data/prepared/{id}/meta.json" for id, _ in members(config, name, among)]
    return {"printed": f"data/published/{PRINTED_DATASETS[name]}", "prepared": prepared}
