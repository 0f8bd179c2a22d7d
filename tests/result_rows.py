"""Result rows for tests of statistics, tables and the comparison with published values."""

import numpy as np

from ironbark.pipeline.results.records import COLUMNS, FAILED, OK, frame


def result_rows(values, metric="accuracy", folds=1, **about):
    """Rows from {(data set, noise id such as uniform-0.2, method): values of the runs}; NaN is a fit that failed."""
    rows = []
    for (dataset, noise_id, method), runs in values.items():
        noise, _, rate = noise_id.partition("-")
        cell = {"dataset": dataset, "task": "binary", "noise": noise, "noise_id": noise_id, "method": method}
        cell["rate"] = rate or ("0" if noise == "clean" else "")
        for i, value in enumerate(runs):
            status = FAILED if np.isnan(value) else OK
            rows.append(cell | {"repeat": i // folds, "fold": i % folds, "status": status, metric: value} | about)
    return frame(rows, {metric} - set(COLUMNS))
