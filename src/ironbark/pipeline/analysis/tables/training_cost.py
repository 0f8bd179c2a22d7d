"""What the methods of a study cost to train, over the settings that all of them have finished."""

import numpy as np

from ironbark.pipeline.analysis.collect import cells
from ironbark.pipeline.analysis.statistics import ranks

LEAST = 1e-4  # seconds below which a clock says nothing


def seconds(rows, complete):
    """CPU seconds of a fit with its tuning: geometric mean over settings of the means of their fits."""
    fits = cells(rows, "fit_seconds").set_index([*ranks.SETTING, "method"])["mean"]
    tuning = cells(rows, "tune_seconds").set_index([*ranks.SETTING, "method"])["mean"].fillna(0)
    wide = (fits + tuning).unstack("method").loc[complete.index, complete.columns]
    return np.exp(np.log(wide.clip(lower=LEAST)).mean())
