"""Published tables of data sets over the whole catalogue: the specs of their jobs and the files that these read."""

from ironbark.pipeline.analysis.published import DATASET_TABLES
from ironbark.pipeline.analysis.tables import TABLES
from ironbark.pipeline.plan.study import inputs
from ironbark.pipeline.plan.study.study import text

NAMES = tuple(DATASET_TABLES)
KIND = "datasets"


def spec(config, name, among):
    """Spec of the job, as JSON text, for some data sets of the catalogue."""
    about = {"table": {"id": name, "kind": KIND, "printed": name}, "names": {}, "note": ""}
    facts = {"members": inputs.members(config, name, among)}
    return text(about | {"facts": facts, "code": inputs.code("table", TABLES[KIND])})
