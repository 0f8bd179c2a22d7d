"""Result rows and Parquet files: columns, the way to the file and back, and the threads that read."""

import io
import threading

import numpy as np
import pandas as pd
import pytest

from ironbark.pipeline.results import parquet, records


def test_frame_fills_what_a_failed_fit_lacks():
    frame = records.frame([{"study": "s", "repeat": 1, "status": records.FAILED, "message": "no"}, {"accuracy": 0.5}])
    assert list(frame.columns) == list(records.COLUMNS)
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == records.COLUMNS
    assert frame.loc[0, "dataset"] == "" and np.isnan(frame.loc[0, "accuracy"]) and frame.loc[0, "n_train"] == -1
    assert frame.loc[1, "accuracy"] == 0.5


def test_round_trip_is_exact_and_a_failed_write_leaves_the_old_file(tmp_path):
    rows = records.frame([{"study": "ä", "rate": "0.1/0.3", "accuracy": 0.1 + 0.2, "seed": 2**31 - 1, "key": "f" * 32}])
    path = tmp_path / "a" / "rows.parquet"
    records.write(rows, path)
    records.write(rows, tmp_path / "b.parquet")
    pd.testing.assert_frame_equal(records.read(path), rows, check_exact=True)
    assert path.read_bytes() == (tmp_path / "b.parquet").read_bytes()
    with pytest.raises((ValueError, KeyError)):
        records.write(rows.drop(columns="study"), path)
    pd.testing.assert_frame_equal(records.read(path), rows, check_exact=True)
    assert [one.name for one in path.parent.iterdir()] == ["rows.parquet"]


@pytest.fixture
def file(tmp_path):
    """A table of many columns, which Arrow reads in several threads."""
    table = pd.DataFrame(np.arange(30_000).reshape(-1, 100), columns=[f"f{i}" for i in range(100)])
    table.assign(word="a").to_parquet(tmp_path / "table.parquet", row_group_size=100)
    return tmp_path / "table.parquet"


class Watched(io.FileIO):
    """A file that remembers which threads have used it."""

    threads = set()

    def read(self, *arguments):
        self.threads.add(threading.get_ident())
        return super().read(*arguments)

    def seek(self, *arguments):
        self.threads.add(threading.get_ident())
        return super().seek(*arguments)


def test_tables_are_those_of_pandas(file):
    expected = pd.read_parquet(file)
    pd.testing.assert_frame_equal(parquet.read(file), expected)
    pd.testing.assert_frame_equal(parquet.read(file, columns=["f3"]), expected[["f3"]])
    with file.open("rb") as stream:
        pd.testing.assert_frame_equal(parquet.read_stream(stream), expected)


def test_arrow_opens_files_itself_or_uses_them_in_the_callers_thread_only(file, monkeypatch):
    """A thread that waits for the interpreter's lock when the process ends would abort it."""
    with Watched(file) as stream:
        parquet.read_stream(stream)
    assert Watched.threads == {threading.get_ident()}
    monkeypatch.setattr("builtins.open", None)
    monkeypatch.setattr("pandas.io.common.open", None, raising=False)
    assert len(parquet.read(file)) == 300
