"""Input files of the reference results of a study, and the specification of that job."""

from ironbark.pipeline.plan.keys import code_of_job
from ironbark.pipeline.plan.study.study import text


def spec(plan, study_id):
    """The full job specification, as JSON: the cells as [data set, task, noise ids], and its code."""
    study = plan.study(study_id, plan.settings["scale"])
    cells = [[*cell, noises] for cell, (noises, _) in study.cells.items()]
    return text({"cells": cells, "code": code_of_job("reference")})


def inputs(plan, study_id):
    """Files that the job reads, by the parameter names of `ironbark.pipeline.jobs.reference`."""
    scale = plan.settings["scale"]
    scored = plan.score_inputs(study_id, scale)
    rows = f"{plan.study(study_id, scale).folder}/rows.parquet"
    return {"rows": rows, "labels": scored["labels"], "prepared": scored["prepared"]}
