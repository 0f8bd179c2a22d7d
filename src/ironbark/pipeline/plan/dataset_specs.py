"""Specifications of the jobs that fetch, prepare and tabulate data sets."""

from pathlib import Path

from ironbark.entries import lookup
from ironbark.errors import InputError
from ironbark.pipeline import data
from ironbark.pipeline.data import addresses, catalog
from ironbark.pipeline.job_specs import text
from ironbark.pipeline.plan.config import packages
from ironbark.pipeline.plan.keys import code_of_job, digest_of
from ironbark.pipeline.published import DATASET_TABLES


def completed(config):
    """Entries of all data sets with their defaults, and as the mirror has them where there is one."""
    folder = config["settings"].get("mirror")
    known = config["datasets"]
    there = {name: catalog.as_mirrored(entry) for name, entry in known.items() if folder and data.mirrored(entry)}
    return {name: there.get(name) or catalog.as_fetched(catalog.complete(entry)) for name, entry in known.items()}


def mirror(plan, dataset):
    """The mirror folder, where it takes the place of the data set's source."""
    return plan.settings.get("mirror") if data.mirrored(plan.config["datasets"][dataset]) else None


def local_input(plan, dataset):
    """The table of this machine that a data set is read from, as a list of none or one."""
    entry = plan.config["datasets"][dataset]
    if entry["source"] == "file":
        return [entry["path"]]
    folder = mirror(plan, dataset)
    return [str(Path(folder, f"{entry.get('mirror', dataset)}.parquet"))] if folder else []


def fetch_inputs(plan, dataset):
    """Files that a fetch job reads: those of this machine, and the raw table of another data set."""
    base, _ = data.base(lookup("data set", dataset, plan.config["datasets"]))
    own = _local_files(plan, dataset)
    if braced := next((path for path in own if "{" in path or "}" in path), None):
        raise InputError(f"data set {dataset!r}: the path {braced} has braces, which Snakemake fills in; rename it")
    return ([f"data/raw/{base}/table.parquet"] if base else []) + own


def _local_files(plan, dataset):
    """Files of this machine that a fetch job reads, without what other jobs make."""
    return local_input(plan, dataset) if mirror(plan, dataset) else data.local_files(plan.config["datasets"][dataset])


def to_fetch(plan, names):
    """Data set -> entry, of those among `names`, and those that they are computed from, that are to be fetched."""
    entries, open_ = {}, list(names)
    while open_:
        name = open_.pop()
        base, _ = data.base(plan.config["datasets"][name])
        open_ += [base] if base else []
        if not mirror(plan, name) and not Path("data/raw", name, "table.parquet").exists():
            entries[name] = plan.config["datasets"][name]
    return entries


def fetch(plan, dataset):
    """Spec of a fetch job, which changes with the size or time of a file that it reads, also to an older time."""
    entry = plan.config["datasets"][dataset]
    spec = {"id": dataset, "entry": entry, "mirror": mirror(plan, dataset), "code": code_of_job("fetch")}
    there = {path: Path(path).stat() for path in _local_files(plan, dataset) if Path(path).exists()}
    states = {path: [state.st_size, state.st_mtime_ns] for path, state in there.items()}
    return text(spec | ({"files": states} if states else {}))


def prepare(plan, dataset):
    """Spec of a prepare job."""
    entry = plan.config["datasets"][dataset]
    return text({"id": dataset, "entry": entry, "code": code_of_job("prepare")})


def behind(plan, datasets) -> list[str]:
    """Specs of the jobs that make the prepared data of data sets."""
    bases = [base for base, _ in (data.base(plan.config["datasets"][dataset]) for dataset in datasets) if base]
    own = [job(plan, dataset) for dataset in datasets for job in (fetch, prepare)]
    return own + (behind(plan, bases) if bases else [])


def dataset_table(plan, name):
    """Spec of a published table of data sets, over all of its data sets."""
    spec = {"table": {"id": name, "kind": "datasets", "printed": name}, "names": {}, "note": ""}
    facts = {"members": members(plan.config, name, plan.config["datasets"])}
    return text(spec | {"facts": facts, "code": code_of_job("table")})


def dataset_table_inputs(plan, name):
    """Files that it is made from: of the data sets that can be had in this run."""
    lookup("published table of data sets", name, DATASET_TABLES)
    return files_of_table(plan.config, name, plan.config["datasets"].keys() - {*plan.config["absent"]})


def behind_table(plan, name):
    """Digest of the specs of the jobs that make its data."""
    return digest_of(behind(plan, [Path(path).name for path in dataset_table_inputs(plan, name)["prepared"]]))


def members(config: dict, printed: str, among):
    """Data sets of a published table, as a list of [id, published name] in the order of the catalogue."""
    papers = {id: entry.get("papers", {}) for id, entry in config["datasets"].items() if id in among}
    return [[id, names[printed]] for id, names in papers.items() if printed in names]


def files_of_table(config, printed, among):
    """The published table of data sets, and the prepared data of each data set in it."""
    prepared = [f"data/prepared/{id}" for id, _ in members(config, printed, among)]
    return {"printed": DATASET_TABLES[printed].path, "prepared": prepared}


def why_absent(plan, dataset):
    """Why a data set cannot be had, from a mirror or this machine only what is there; empty if it can."""
    entry = plan.config["datasets"][dataset]
    base, field = data.base(entry)
    if base is not None:
        lookup(f"data set (`{field}` of {dataset!r})", base, plan.config["datasets"])
    if lacking := packages.missing_optional(entry):
        return f"{dataset} needs {' and '.join(lacking)}; run {packages.command(lacking)}"
    if mirror(plan, dataset):
        (table,) = local_input(plan, dataset)
        missing = f"there is no table {table}; add it to the mirror, or leave out --config mirror to download the data"
        return "" if Path(table).exists() else missing
    if base and (why := why_absent(plan, base)):
        return f"{dataset} is computed from {base}, and {why}"
    if plan.settings.get("mirror") and "vectors" in entry and addresses.files(entry):
        return f"{dataset} needs downloads, which a run with a mirror does without; leave out --config mirror"
    if entry["source"] == "file" and not plan.settings.get("mirror"):
        return ""  # a mistake, which the job reports
    files = [str(path) for path in data.local_files(entry) if not Path(path).exists()]
    return f"there is no file {' and no file '.join(files)}; put it there, see docs/data.md" if files else ""


def servers(plan, dataset):
    """Names of the servers that a data set is downloaded from; none where a mirror takes their place."""
    return [] if mirror(plan, dataset) else addresses.hosts(plan.config["datasets"][dataset])


def busy_servers(plan, most):
    """Names of the servers that more than `most` data sets of a run could come from."""
    found = [host for dataset in plan.config["datasets"] for host in servers(plan, dataset)]
    return sorted(host for host in set(found) if found.count(host) > most)
