"""Specifications of the jobs that write and import packs, and a first check of the packs of a run."""

import hashlib
import json
from pathlib import Path

from ironbark.pipeline.plan.study.study import text
from ironbark.pipeline.results.packs import Pack

NAMED = 4  # most studies that the name of a pack lists


def opened(paths):
    """The packs of a run: digest -> path.

    Raises
    ------
    InputError
        If a file is missing or no pack of this format.
    """
    found = {}
    for path in paths or ():
        with Pack(path) as pack:
            found.setdefault(pack.digest, path)
    return found


def path(studies, scale):
    """File that the studies' fits are packed in."""
    names = "+".join(studies)
    if len(studies) > NAMED:
        names = f"{len(studies)}-studies-{hashlib.blake2b(names.encode(), digest_size=4).hexdigest()}"
    return f"results/packs/{names}-{scale}.pack"


def spec(plan, studies, scale):
    """Spec of the job that packs studies."""
    about = {
        study: {"protocol": plan.study(study, scale).protocol, "batches": _batches(plan, study, scale)}
        for study in studies
    }
    datasets = sorted({dataset for study in studies for dataset in plan.study(study, scale).datasets})
    data = [_licence(plan, name) for name in datasets]
    content = plan.settings.get("pack_content", "predictions")
    return text({"studies": about, "scale": scale, "content": content, "data": data})


def _batches(plan, study, scale):
    return [json.loads(plan.shard(study, scale, batch.name)) for batch in plan.study(study, scale).batches]


def _licence(plan, dataset):
    entry = plan.entry(dataset)
    given = f"licence: {entry.get('licence', 'not stated')}", f"cite: {entry.get('cite', 'nothing stated')}"
    return f"{dataset}: {entry['title']}; source: {entry['source']}; {'; '.join(given)}"


def inputs(plan, studies, scale):
    """Files from which the keys of the fits of studies are computed: prepared data and noisy labels."""
    found = [plan.score_inputs(study, scale) for study in studies]
    return {
        name: list(dict.fromkeys(path for files in found for path in files[name])) for name in ("prepared", "labels")
    }


def import_spec(plan, study, scale):
    """Spec of the job that imports a pack for a study."""
    return {"study": study, "scale": scale, "batches": _batches(plan, study, scale)}


def imports(digests, study, scale, results="results"):
    """Files that record that packs were imported for a study: those of this run, and those of earlier runs.

    With the latter, the inputs of a study's jobs stay the same once its packs are no longer asked for.
    """
    folder = Path(results, study, scale, "packs")
    known = sorted(path.stem for path in folder.glob("*.json"))
    return [f"{results}/{study}/{scale}/packs/{digest}.json" for digest in dict.fromkeys([*known, *digests])]
