"""What the jobs that write and import packs are to do, and a first check of the packs of a run."""

import json
from pathlib import Path

from ironbark.files import digest
from ironbark.pipeline.job_specs import text
from ironbark.pipeline.plan.fit_specs import score_inputs, shard
from ironbark.pipeline.results.packs import Pack

NAMED = 4  # most studies that the name of a pack lists
DATA = "{id}: {title}; source: {source}; licence: {licence}; cite: {cite}"  # line on a data set


def opened(paths) -> dict:
    """The packs of a run, as digest -> path; InputError if a file is missing or no pack of this format."""
    by_digest = {}
    for path in paths or ():
        with Pack(path) as pack:
            by_digest.setdefault(pack.digest, path)
    return by_digest


def path(studies: list, scale: str) -> str:
    """File that the studies' fits are packed in."""
    names = "+".join(studies).replace("/", "-")
    if len(studies) > NAMED:
        names = f"{len(studies)}-studies-{digest(names.encode(), size=4)}"
    return f"results/packs/{names}-{scale}.pack"


def spec(plan, studies: list, scale: str) -> str:
    """Spec of the job that packs studies, and of the one that imports a pack for one."""
    asked, data = {}, set()
    for study in (plan.study(name, scale) for name in studies):
        batches = [json.loads(shard(plan, study, name)) for name in study.batches]
        asked[study.id] = {"protocol": study.protocol, "batches": batches}
        for name in study.datasets:
            entry = plan.config["datasets"][name] | {"id": name}
            data.add(DATA.format_map({"licence": "not stated", "cite": "nothing stated"} | entry))
    content = plan.settings.get("pack_content", "predictions")
    return text({"studies": asked, "scale": scale, "content": content, "data": sorted(data)})


def inputs(plan, studies: list, scale: str) -> dict:
    """Files from which the keys of the fits of studies are computed: prepared data and noisy labels."""
    files = [score_inputs(plan.study(study, scale)) for study in studies]
    return {key: list(dict.fromkeys(path for one in files for path in one[key])) for key in ("prepared", "labels")}


def imports(digests, study: str, scale: str, results="results") -> list:
    """Files that record that packs were imported for a study: those of this run, and those of earlier runs."""
    folder = Path(results, study, scale, "packs")
    known = sorted(path.stem for path in folder.glob("*.json"))
    return [f"{results}/{study}/{scale}/packs/{digest}.json" for digest in dict.fromkeys([*known, *digests])]
