"""Data of tables and figures, read from the files of their jobs."""

import pandas as pd

from ironbark.pipeline.analysis.kinds import imported
from ironbark.pipeline.analysis.published import PAPERS
from ironbark.pipeline.results.rows import shown


def read(kind, spec: dict, inputs: dict):
    """The data of a kind, and the keywords of its builder."""
    return READERS[kind.data](kind, spec, inputs), published(kind, spec, inputs)


def published(kind, spec, inputs):
    """The published values that a kind shows, by the keywords of its builder; parameters as for `read`."""
    readers = {key: PAPERS[paper].values[name].reader for key, (paper, name) in kind.values(spec).items()}
    return {key: imported(reader)(inputs[key]) for key, reader in readers.items()}


def _labels(kind, spec, inputs):
    """Title, matrix of the first split and class names, for each noise of the figure."""
    from ironbark.pipeline.data import bundle  # late, here and below: other kinds do without
    from ironbark.pipeline.figures.transition_matrix import title
    from ironbark.pipeline.results import noisy_labels
    from ironbark.pipeline.results.damage import undamaged

    classes = bundle.load(inputs["prepared"]).classes(spec["task"])
    with undamaged(inputs["labels"]):
        found = {noise_id: noisy_labels.matrix(inputs["labels"], noise_id) for noise_id in spec["noises"]}
    return [(title(noise_id, about["flipped"]), about["matrix"], classes) for noise_id, about in found.items()]


def _datasets(kind, spec, inputs):
    """The published table, and id -> meta.json of each prepared data set."""
    from ironbark.pipeline.data import bundle

    metas = map(bundle.meta, inputs.get("prepared", ()))
    read_table = imported(f"{kind.module}.read")
    return read_table(inputs["printed"], spec["printed"]), {meta["id"]: meta for meta in metas}


#: `ironbark.pipeline.analysis.kinds.Kind.data` -> reader(kind, entry of the study, inputs).
READERS = {
    "rows": lambda kind, spec, inputs: shown(inputs["rows"]),
    "comparison": lambda kind, spec, inputs: pd.read_csv(inputs["comparison"], dtype={"rate": "str", "table": "str"}),
    "labels": _labels,
    "datasets": _datasets,
    "nothing": lambda kind, spec, inputs: None,
}
