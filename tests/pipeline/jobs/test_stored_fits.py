"""What one method chose for another: the same bits as its own search, taken only where everything else is the same."""

import copy

import pandas as pd
import pytest

from ironbark.pipeline.protocols import holdout
from ironbark.pipeline.results import records

TUNE = {"test_size": 0.2, "grid": {"max_depth": [1, 2, None]}}
SAME = [name for name in records.COLUMNS if name not in (*records.MEASURED, "key")]


@pytest.fixture
def tuned(spec):
    """Spec of a tuned tree, and of the same tree refitted."""
    base = spec["methods"]["gini"]
    spec["methods"] = {
        "held": {**base, "tune": {**TUNE, "refit": False}},
        "refit": {**base, "tune": {**TUNE, "refit": True}},
    }
    spec["parts"][0]["methods"] = ["held", "refit"]
    return spec


@pytest.fixture
def fitted(run, monkeypatch):
    """Function that runs a spec: (rows by method, number of models)."""
    fits, true_fitted = [], holdout.fitted
    monkeypatch.setattr(holdout, "fitted", lambda *args, **params: fits.append(params) or true_fitted(*args, **params))

    def run_(spec, store="store"):
        fits.clear()
        return dict(list(run(spec, store)[0].groupby("method"))), len(fits)

    return run_


def alone(spec, name):
    spec = copy.deepcopy(spec)
    spec["parts"][0]["methods"] = [name]
    return spec


def test_a_refit_takes_the_choice_and_gets_the_same_bits(fitted, tuned):
    both, n_both = fitted(tuned, "both")
    own, n_own = fitted(alone(tuned, "refit"), "own")
    assert n_both == 2 * (3 + 1)  # two repeats: three values, then one refit
    assert n_own == 2 * (3 + 1)
    pd.testing.assert_frame_equal(
        both["refit"][SAME].reset_index(drop=True), own["refit"][SAME].reset_index(drop=True), check_exact=True
    )
    held, refit = both["held"].reset_index(), both["refit"].reset_index()
    assert (refit["tuned"] == held["tuned"]).all()
    assert (refit["tune_seconds"] >= held["tune_seconds"] + held["fit_seconds"]).all()


@pytest.mark.parametrize("change", ["grid", "params", "code", "order", "alone"])
def test_a_choice_of_anything_else_is_not_taken(fitted, tuned, change):
    held = tuned["methods"]["held"]
    if change == "grid":
        held["tune"] = {**held["tune"], "grid": {"max_depth": [1, 2]}}
    elif change == "params":
        held["params"] = {**held["params"], "min_samples_leaf": 3}
    elif change == "code":
        held["code"] = "2"
    elif change == "order":
        tuned["parts"][0]["methods"] = ["refit", "held"]
    else:
        tuned["alone"] = True
    values = 2 if change == "grid" else 3
    repeats = 2 + (change == "alone")  # where timings matter, a method's first fit runs twice
    assert fitted(tuned)[1] == repeats * (values + 3 + 1)
