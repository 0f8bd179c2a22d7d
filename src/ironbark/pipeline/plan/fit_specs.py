"""Specs, with all that a job depends on, and input files of the jobs that draw labels, train, score and freeze."""

from dataclasses import replace
from functools import cache

from ironbark.entries import suggestion
from ironbark.errors import InputError
from ironbark.pipeline import job_specs, metrics, protocols
from ironbark.pipeline.job_specs import text
from ironbark.pipeline.plan import dataset_specs
from ironbark.pipeline.plan.config import additions, estimators
from ironbark.pipeline.plan.keys import code_of_job, digest_of, packages_of, versions
from ironbark.pipeline.plan.study.study import Study, check_noise, rate_text
from ironbark.versions import versions_of


def corrupt(plan, study: Study, dataset: str, task: str) -> str:
    """Spec of the job that draws the noisy labels of a data set and task."""
    if (dataset, task) not in study.cells:
        known = ", ".join("/".join(cell) for cell in study.cells)
        raise InputError(f"{study} has no labels {dataset}/{task}; there are {known}")
    noises = {noise_id: _noise(plan.config, noise_id, task, dataset) for noise_id in study.cells[dataset, task][0]}
    families = versions_of("stagewise")
    return text(job_specs.Labels(dataset, task, noises, study.protocol, code_of_job("corrupt"), families))


def _noise(config, noise_id, task, dataset):
    k = config["datasets"][dataset].get("expect", {}).get("k", 255)
    return check_noise(config, noise_id, task, 2 if task == "binary" else k)


@cache  # asked for when a study is checked, and by its jobs
def shard(plan, study: Study, name: str) -> str:
    """Spec of a batch of fits."""
    parts = study.batches[name]
    used = sorted({method_id for part in parts for method_id in part.methods})
    methods = {}
    for method_id in used:  # what fits depend on: all of an entry but its display name, and code
        method, needs = study.methods[method_id], plan.config["methods"][method_id].get("needs", ())
        without_label = {key: value for key, value in method.items() if key != "label"}
        methods[method_id] = without_label | {"code": estimators.code_of(method, needs)}
    modules = {module for method in methods.values() for module in estimators.modules(method)}
    tasks = {part.task for part in parts} if study.further else ()
    return text(
        job_specs.Shard(
            study=study.id,
            scale=study.scale,
            protocol=study.protocol["kind"],
            repeats=study.protocol["repeats"],
            parts=[_part(plan.config, part) for part in parts],
            methods=methods,
            versions=versions("pandas", *packages_of(sorted(modules))),
            code=code_of_job("shard"),
            retry_failed=plan.settings.get("retry_failed", False),
            fit_minutes=plan.settings.get("fit_minutes"),
            added=sorted({*used} & {*additions.asked(plan.config)["methods"]}),
            wanted={task: metrics.outputs(study.further, task) for task in sorted(tasks)},
            alone=study.alone,
        )
    )


def _part(config, part):
    resolved = {noise_id: _noise(config, noise_id, part.task, part.dataset) for noise_id in part.noises}
    noises = {noise_id: {"noise": one["model"], "rate": rate_text(one)} for noise_id, one in resolved.items()}
    return replace(part, noises=noises)


def shard_inputs(study: Study, name: str) -> dict:
    """Files that a batch reads."""
    if name not in study.batches:
        hint = suggestion(name, study.batches, f"ask for {study.folder}/rows.parquet")
        raise InputError(f"{study} has no batch of fits {name!r}; {hint}")
    parts = study.batches[name]
    return _data_files(study, [part.dataset for part in parts], [(part.dataset, part.task) for part in parts])


def _data_files(study, datasets, cells):
    return {
        "prepared": [f"data/prepared/{dataset}" for dataset in dict.fromkeys(datasets)],
        "labels": [f"{study.folder}/labels/{dataset}/{task}.npz" for dataset, task in dict.fromkeys(cells)],
    }


def score(plan, study: Study) -> str:
    """Spec of the job that scores a study's fits."""
    return text(job_specs.Score(**asked_fits(plan, study), metrics=study.further, code=code_of_job("score")))


def behind_rows(plan, study: Study) -> str:
    """Digest of the specs of all jobs before scoring: Snakemake forgets a change if the job that it concerns fails."""
    fits = [shard(plan, study, name) for name in study.batches]
    labels = [corrupt(plan, study, *cell) for cell in study.cells]
    return digest_of([*fits, *labels, *dataset_specs.behind(plan, study.datasets)])


def score_inputs(study: Study) -> dict:
    """Files that the rows of a study are made from."""
    fits = [f"{study.folder}/fits/{name}.jsonl.gz" for name in study.batches]
    return {"fits": fits} | _data_files(study, study.datasets, study.cells)


def asked_fits(plan, study: Study) -> dict:
    """All fits of a study, and whether some may be missing."""
    return {
        "cells": study.blocks,
        "repeats": study.protocol["repeats"],
        "folds": protocols.per_repeat(study.protocol["options"]),
        "allow_holes": plan.settings.get("allow_holes", False),
    }


def reference(study: Study) -> str:
    """Spec of the job that freezes the results of a study."""
    cells = [[*cell, noises] for cell, (noises, _) in study.cells.items()]
    return text({"study": study.id.rpartition("/")[2], "cells": cells, "code": code_of_job("reference")})


def reference_inputs(study: Study) -> dict:
    """Files that are frozen."""
    return {"rows": f"{study.folder}/rows.parquet"} | _data_files(study, study.datasets, study.cells)
