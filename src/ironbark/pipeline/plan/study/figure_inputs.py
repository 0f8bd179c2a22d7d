"""What figures are drawn from: most from result rows, some from something else, or from more."""

from ironbark.pipeline.analysis.kinds import CONCEPTS
from ironbark.pipeline.plan.study.table_inputs import beside_print


def _nothing(folder, figure):
    return {}


def _comparison(folder, figure):
    return {"comparison": f"{folder}/comparison.csv"}


def _labels(folder, figure):
    place = f"{folder}/labels/{figure['dataset']}/{figure['task']}"
    labels = [f"{place}/{noise_id}.npz" for noise_id in figure["noises"]]
    return {"prepared": f"data/prepared/{figure['dataset']}/meta.json", "labels": labels}


def _rows(folder, figure):
    return {"rows": f"{folder}/rows.parquet"}


#: Figure kind -> function(folder of the study, spec of the figure) -> input files by name; rows for all others.
INPUTS = {"comparison-scatter": _comparison, "transition-matrix": _labels} | dict.fromkeys(CONCEPTS, _nothing)


def inputs_of(study, name):
    """Files that a figure of a study is drawn from, by the names that `ironbark.pipeline.jobs.figure` knows."""
    figure, folder = study.figures[name], f"results/{study.id}/{study.scale}"
    return INPUTS.get(figure["kind"], _rows)(folder, figure) | beside_print(figure["kind"], study)[1]
