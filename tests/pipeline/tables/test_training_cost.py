import numpy as np
import pytest

from ironbark.pipeline.results import records
from ironbark.pipeline.statistics import ranks
from ironbark.pipeline.tables.collect import cells
from ironbark.pipeline.tables.rankings import seconds

#: (data set, method) -> seconds of fit and tuning of each repeat.
SPENT = {
    ("a", "x"): [(1.0, 0.0), (3.0, 2.0)],
    ("b", "x"): [(12.0, 0.0), (12.0, 0.0)],
    ("a", "y"): [(1.0, float("nan")), (1.0, 0.0)],
    ("b", "y"): [(0.0, 0.0), (0.0, 0.0)],
    ("only x has this", "x"): [(1e6, 0.0)],
}


def test_by_hand():
    about = {"task": "binary", "noise": "clean", "rate": "0", "noise_id": "clean", "status": "ok", "fold": 0}
    frame = records.frame(
        about
        | {"dataset": dataset, "method": method, "repeat": repeat, "accuracy": 0.9}
        | {"fit_seconds": fit, "tune_seconds": tune}
        for (dataset, method), fits in SPENT.items()
        for repeat, (fit, tune) in enumerate(fits)
    )
    found = seconds(frame, ranks.scores(cells(frame, "accuracy"))[0])
    assert found["x"] == pytest.approx(np.sqrt(3.0 * 12.0))  # mean of 1 and 5, then 12; the last is not complete
    assert found["y"] == pytest.approx(np.sqrt(1.0 * 1e-4))  # a clock that says 0
