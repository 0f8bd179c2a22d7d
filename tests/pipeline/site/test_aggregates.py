import numpy as np
import pandas as pd
import pytest
from site_cases import rows

from ironbark.pipeline.analysis import collect
from ironbark.pipeline.results.records import FAILED
from ironbark.pipeline.site.data import aggregates
from ironbark.pipeline.site.data.rows import read


@pytest.fixture
def frame(tmp_path):
    found = rows(repeats=3).assign(detection=np.nan)
    found.loc[found["method"] == "rf-c", "detection"] = 0.5
    found.loc[3, "status"] = FAILED
    found.to_parquet(tmp_path / "rows.parquet")
    return read(tmp_path).frame


def test_means_and_spreads_are_those_of_the_tables(frame):
    found = aggregates.of_task(frame).cells["accuracy"].set_index(aggregates.CELL).sort_index()
    expected = collect.cells(frame, "accuracy").astype({name: "str" for name in aggregates.CELL})
    expected = expected.set_index(aggregates.CELL).sort_index()
    columns = ["mean", "sd", "n"]
    pd.testing.assert_frame_equal(found[columns], expected[columns], rtol=1e-12)


def test_cost_is_fit_and_tuning(frame):
    found = aggregates.of_task(frame.assign(tune_seconds=2.0)).cells["seconds"]
    assert found.groupby("method")["mean"].first().to_dict() == pytest.approx({"dt-a": 2.1, "dt-b": 2.1, "rf-c": 3.5})


def test_tracks_have_the_metrics_that_have_values(frame):
    found = aggregates.of_task(frame)
    assert found.tracks == {"classification": ["accuracy"], "detection": ["detection"]}
    assert set(found.cells["detection"]["method"]) == {"rf-c"} and found.test == "paired"
    assert "p_holm" in found.cells["accuracy"] and "p_holm" not in found.cells["seconds"]


def test_the_error_is_shown_where_figures_ask_for_it(frame):
    assert "error" not in aggregates.of_task(frame).cells
    assert "error" in aggregates.of_task(frame, {"error"}).tracks["classification"]
