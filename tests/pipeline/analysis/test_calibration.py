"""Planned seconds become those of a machine: recovered effects, a ridge by another hand."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge

from ironbark.pipeline.analysis.statistics.calibration import CELL, DOUBT, calibrate, measured
from ironbark.pipeline.results.records import frame


def cells(methods, datasets, noises=("clean", "uniform-0.2"), **effects):
    """Cells whose measured seconds are the planned ones times the effects of their method and data set."""
    rows = [("s", "full", d, "binary", n, m) for d, n, m in itertools.product(datasets, noises, methods)]
    found = pd.DataFrame(rows, columns=CELL)
    found["seconds"] = np.random.default_rng(0).uniform(0.01, 10, len(found))
    factor = found["method"].map(effects).fillna(1) * found["dataset"].map(effects).fillna(1)
    return found.assign(measured=found["seconds"] * factor * effects.get("speed", 1))


def test_without_measurements_the_timing_decides():
    planned = cells(["a"], ["d"])
    found = calibrate(planned[:0], 2.5)
    assert (found.speed, found.smear, found.cells) == (2.5, 1, 0)
    assert list(found.seconds(planned)) == pytest.approx(list(2.5 * planned["seconds"]))


@pytest.mark.parametrize("timing", [0.5, 1, 3])
def test_the_speed_is_found_whatever_the_timing_says(timing):
    done = cells(["a", "b", "c"], ["d", "e", "f"], speed=4)
    found = calibrate(done, timing)
    new = cells(["new"], ["other"])
    assert found.seconds(new).sum() == pytest.approx(4 * new["seconds"].sum(), rel=0.12)
    assert found.cells == 18


def test_effects_of_methods_and_data_sets_multiply():
    noises = [f"uniform-{i}" for i in range(50)]
    done = cells(["a", "b", "c", "d"], ["d1", "d2", "d3"], noises, b=3.0, d2=0.5)
    kept = done[~((done["method"] == "b") & (done["dataset"] == "d2"))]
    predicted = calibrate(kept).seconds(done)
    assert predicted.to_numpy() == pytest.approx(done["measured"].to_numpy(), rel=0.08)


def test_it_is_a_ridge_regression_of_logarithms():
    done = cells(["a", "b"], ["d1", "d2", "d3"], a=2.0, d2=0.3)
    done["measured"] *= np.exp(np.random.default_rng(1).normal(0, 0.3, len(done)))
    found = calibrate(done, 1.5)
    y = np.log(done["measured"] / done["seconds"] / 1.5) - np.log(found.speed / 1.5)
    X = np.column_stack([done["method"] == m for m in "ab"] + [done["dataset"] == d for d in ("d1", "d2", "d3")])
    ridge = Ridge(alpha=DOUBT, fit_intercept=False).fit(X, y)
    keys = [("a",), ("b",), *((d, "binary") for d in ("d1", "d2", "d3"))]
    assert [np.log(found.effects[key]) for key in keys] == pytest.approx(list(ridge.coef_), abs=1e-9)
    rest = y - X @ ridge.coef_
    assert found.smear == pytest.approx(np.exp(rest).mean())
    assert (np.abs(rest) <= np.log(found.spread) + 1e-9).mean() >= 2 / 3


def test_measured_joins_means_of_finished_fits():
    about = {"study": "s", "scale": "full", "dataset": "d", "task": "binary", "noise_id": "clean", "method": "a"}
    times = {"fit_seconds": 1.0, "tune_seconds": 4.0}
    rows = [{**about, "status": "ok", **times, "score_seconds": s} for s in (0.5, 1.5)]
    rows += [{**about, "status": "failed"}, {**about, "method": "b", "status": "failed"}]
    planned = pd.DataFrame([{**about, "method": m, "seconds": 9.0} for m in "abc"])
    found = measured(frame(rows), planned)
    assert found[["method", "seconds", "measured"]].values.tolist() == [["a", 9.0, 6.0]]
    assert measured(frame([]), planned).empty
