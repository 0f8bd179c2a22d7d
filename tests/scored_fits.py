"""One fit with its scores, as a study would have them."""

from ironbark.pipeline.metrics import ALWAYS, METRICS, ON_REQUEST, outputs
from ironbark.pipeline.protocols import fit
from ironbark.pipeline.protocols.scoring import scored


def run(method, ids, X_train, y_train, X_test, y_test, *arguments, clean=None, names=ALWAYS, **options):
    """As `ironbark.pipeline.protocols.fit.run`, with the metrics of these names in place of the outputs."""
    wanted = {*outputs(names, "binary"), *outputs(names, "multiclass")}
    record = fit.run(method, ids, X_train, y_train, X_test, y_test, *arguments, wanted=wanted, **options)
    if record["status"] == "failed":
        return record
    return scored(record, y_test, y_train if clean is None else clean, y_train, names)


ALL = (*ALWAYS, *ON_REQUEST)
assert set(ALL) <= set(METRICS)
