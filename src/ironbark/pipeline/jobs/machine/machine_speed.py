"""Speed of this machine: a tree and a small forest, timed."""

import time

import numpy as np

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier
from ironbark.encoding import encode
from ironbark.jit import CLOCK

#: CPU seconds of the probe on the machine that the constants of `ironbark.pipeline.plan.cost.fits` belong to.
REFERENCE = 0.045
ROUNDS = 5


def factor():
    """CPU seconds of the probe here over those of the reference machine; above 1 for a slower machine."""
    rng = np.random.default_rng(0)
    X, y = encode(rng.normal(size=(4000, 25))), rng.integers(0, 2, 4000)
    probe = (
        RobustDecisionTreeClassifier("gini", ccp_alpha=0.0),
        RobustRandomForestClassifier(10, criterion="gini", random_state=0, ccp_alpha=0.0),
    )
    return min(_seconds(probe, X, y) for _ in range(ROUNDS)) / REFERENCE


def _seconds(models, X, y):
    start = time.process_time() - CLOCK.seconds  # what compiling takes is no part of it
    for model in models:
        model.fit(X, y)
    return time.process_time() - CLOCK.seconds - start
