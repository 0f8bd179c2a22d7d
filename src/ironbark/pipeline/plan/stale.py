"""Results that are removed before a run, since Snakemake cannot see that they are stale."""

import contextlib
import gzip
import json
import shutil
import zlib
from itertools import product
from pathlib import Path

from ironbark.files import digest
from ironbark.pipeline.plan.fit_specs import shard
from ironbark.pipeline.plan.study.artefacts import KINDS
from ironbark.pipeline.plan.study.study import Study
from ironbark.pipeline.tables.kinds import SUFFIXES


def remove(plan, study: Study):
    """Remove what other runs left of a study, unless one of them goes on."""
    if not any(Path(".snakemake/locks").glob("*")):
        _remove_others(plan, study)
        _remove_incomplete(study)


def _remove_others(plan, study):
    """Remove batches of another plan, and rows of them: Snakemake's records may be gone, or of another checkout."""
    found = {Path(study.folder, "fits", f"{name}.jsonl.gz"): shard(plan, study, name) for name in study.batches}
    found = [path for path, spec in found.items() if path.exists() and _spec_of(path) != digest(spec.encode())]
    for path in [*found, Path(study.folder, "rows.parquet")] if found else []:
        path.unlink(missing_ok=True)  # finished fits stay in the store


def _spec_of(path):
    """Digest in the header of a batch; None if it is damaged."""
    with contextlib.suppress(OSError, EOFError, ValueError, zlib.error), gzip.open(path, "rb") as stream:
        return json.loads(stream.readline()).get("spec")


def _remove_incomplete(study):
    """Remove the folders of tables and figures of which files are gone: to Snakemake, a folder is one result."""
    for category in KINDS:
        folder = Path(study.folder, f"{category}s")
        planned = product(study.shown[category], SUFFIXES[folder.name])
        if folder.exists() and not all(Path(folder, name + suffix).exists() for name, suffix in planned):
            shutil.rmtree(folder)
