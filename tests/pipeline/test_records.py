"""Result rows: the columns people lean on, and the way to the file and back."""

import numpy as np
import pandas as pd
import pytest

from ironbark.pipeline.results import records


def test_frame_fills_what_a_failed_fit_lacks():
    frame = records.frame([{"study": "s", "repeat": 1, "status": records.FAILED, "message": "no"}, {"accuracy": 0.5}])
    assert list(frame.columns) == list(records.COLUMNS)
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == records.COLUMNS
    assert frame.loc[0, "dataset"] == "" and np.isnan(frame.loc[0, "accuracy"]) and frame.loc[0, "n_train"] == -1
    assert frame.loc[1, "accuracy"] == 0.5


def test_round_trip_is_exact(tmp_path):
    rows = records.frame([{"study": "ä", "rate": "0.1/0.3", "accuracy": 0.1 + 0.2, "seed": 2**31 - 1, "key": "f" * 32}])
    records.write(rows, tmp_path / "a" / "rows.parquet")
    records.write(rows, tmp_path / "b.parquet")
    back = records.read(tmp_path / "a" / "rows.parquet", tmp_path / "b.parquet")
    pd.testing.assert_frame_equal(back, pd.concat([rows, rows], ignore_index=True), check_exact=True)
    assert (tmp_path / "a" / "rows.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "rows.parquet"
    records.write(records.frame([{"study": "s"}]), path)
    with pytest.raises(AttributeError):
        records.write("no frame", path)
    assert records.read(path)["study"].tolist() == ["s"]
    assert [p.name for p in tmp_path.iterdir()] == ["rows.parquet"]
