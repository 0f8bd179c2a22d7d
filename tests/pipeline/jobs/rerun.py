"""Aggregated results of cells, made from nothing in a process like the pipeline's."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).parents[3]


def rerun(folder, cells):
    """A table of `reference.aggregate` for each cell (study, cell, mirror or None, scale), all from one process."""
    from ironbark.pipeline.jobs import cpu_dispatch

    command = [sys.executable, __file__, str(folder), json.dumps(cells)]
    source = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    variables = os.environ | cpu_dispatch.environment() | {"PYTHONPATH": source}
    done = subprocess.run(command, check=False, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [pd.read_parquet(folder / f"{number}.parquet") for number in range(len(cells))]


def planned_with(**changed):
    """Plan of the shipped configuration with some settings changed."""
    import yaml

    from ironbark.pipeline.plan.config.reading import read
    from ironbark.pipeline.plan.specs import Plan

    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    return Plan(read(ROOT / "config", ROOT / "workflow/schemas", settings | changed))


def _run(out, folder, study, cell, mirror, scale):
    from ironbark.pipeline.data.fetch import fetch
    from ironbark.pipeline.data.prepare import prepare
    from ironbark.pipeline.job_specs import Labels, Shard
    from ironbark.pipeline.jobs import corrupt, reference, score, shard
    from ironbark.pipeline.jobs.samples import Samples
    from ironbark.pipeline.plan import fit_specs
    from ironbark.pipeline.results import store

    (dataset, task, *ids), further = cell, {"mirror": mirror} if mirror else {}
    plan = planned_with(only=[dataset, *ids], **further)
    planned, entry = plan.study(plan.part(study), scale), plan.config["datasets"][dataset]
    prepared, labels = folder / "prepared" / dataset, folder / "labels" / dataset / f"{task}.npz"
    prepare(dataset, entry, fetch(dataset, entry, folder / "raw" / dataset, mirror), prepared)
    drawn = json.loads(fit_specs.corrupt(plan, planned, dataset, task))
    corrupt.run(Labels(**drawn), prepared, labels)
    [batch], samples = planned.batches, Samples([prepared], [labels])
    spec, fits = json.loads(fit_specs.shard(plan, planned, batch)) | {"study": study}, folder / "fits.jsonl.gz"
    shard.run(Shard.of(spec), samples, folder / "store", fits)
    rows = score.Scorer(samples, []).table(*store.read_batch(fits)).to_pandas()
    reference.aggregate(rows, samples).to_parquet(out)


if __name__ == "__main__":
    for number, asked in enumerate(json.loads(sys.argv[2])):
        _run(Path(sys.argv[1], f"{number}.parquet"), Path(sys.argv[1], str(number)), **asked)
