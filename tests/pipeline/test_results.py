"""The store, result rows and arrays as text: what was written is found again, and nothing else is read."""

import base64
import fcntl
import io
import threading
import zlib

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.results import parquet, records
from ironbark.pipeline.results.store import Store, key_of, to_array, to_text


def test_round_trips_of_the_store(tmp_path):
    path = tmp_path / "deep" / "folder" / "a.jsonl"
    record = {"text": "ä\n\u2028", "float": 0.1 + 0.2, "int": 3, "none": None, "status": "failed"}
    store = Store(path)
    assert len(store) == 0 and store.get("k") is None and not path.exists()
    store.add("k", record)
    assert Store(path).get("k") == record == store.get("k") and path.read_bytes().count(b"\n") == 1
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write .*file/a.jsonl: a part of the path is a file"):
        Store(tmp_path / "file" / "a.jsonl").add("k", {})
    store = Store(tmp_path / "a")
    store.add("k", {"status": "failed"})
    store.add("k", {"status": "ok"})
    assert store.get("k") == Store(tmp_path / "a").get("k") == {"status": "ok"}
    assert len(Store(tmp_path / "a")) == 1


def test_a_changed_line_costs_one_fit_and_lines_of_before_there_were_sums_are_read(tmp_path):
    for i in range(2):
        Store(tmp_path / "a").add(f"k{i}", {"i": 8})
    lines = (tmp_path / "a").read_text().replace('"i": 8', '"i": 9', 1) + '{"key": "old", "record": {"i": 7}}\n'
    (tmp_path / "a").write_text(lines)
    found = Store(tmp_path / "a")
    assert [found.get(key) for key in ("k0", "k1", "old")] == [None, {"i": 8}, {"i": 7}]
    with pytest.raises(InputError, match="cannot read .*: Is a directory; remove it"):
        Store(tmp_path)


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_torn_line_costs_one_fit(tmp_path, cut):
    path = tmp_path / "a"
    for i in range(3):
        Store(path).add(f"k{i}", {"i": i})
    path.write_bytes(path.read_bytes()[:-cut])
    torn = Store(path)
    assert torn.get("k0") == {"i": 0} and torn.get("k1") == {"i": 1}
    torn.add("k3", {"i": 3})  # starts on a line of its own
    assert Store(path).get("k3") == {"i": 3}
    if cut > 1:  # without its line end alone, the last line is whole
        assert torn.get("k2") is None
    torn.add("k2", {"i": 2})
    assert len(Store(path)) == 4


def test_another_process_that_appends_is_waited_for(tmp_path):
    Store(tmp_path / "a").add("k0", {})
    with (tmp_path / "a").open() as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        other = threading.Thread(target=lambda: Store(tmp_path / "a").add("k1", {}))
        other.start()
        other.join(0.2)
        assert other.is_alive() and len(Store(tmp_path / "a")) == 1
    other.join(10)
    assert len(Store(tmp_path / "a")) == 2


def test_keys():
    one = key_of(a=1, b={"x": [1, 2], "y": None})
    assert one == key_of(b={"y": None, "x": [1, 2]}, a=1) and len(one) == 32 and int(one, 16) >= 0
    different = [key_of(a=2, b=1), key_of(a="2", b=1), key_of(a=[2], b=1), key_of(a=2), key_of(a=1, b=2)]
    assert len({*different, one}) == 6
    numbers = [float("nan"), float("inf"), float("-inf"), None]  # as YAML's .nan and .inf
    assert len({key_of(a=number) for number in numbers}) == 4


def test_frames_are_filled_and_written_exactly_or_not_at_all(tmp_path):
    frame = records.frame([{"study": "s", "repeat": 1, "status": records.FAILED, "message": "no"}, {"accuracy": 0.5}])
    assert list(frame.columns) == list(records.COLUMNS)
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == records.COLUMNS
    assert frame.loc[0, "dataset"] == "" and np.isnan(frame.loc[0, "accuracy"]) and frame.loc[0, "n_train"] == -1
    assert frame.loc[1, "accuracy"] == 0.5
    rows = records.frame([{"study": "ä", "rate": "0.1/0.3", "accuracy": 0.1 + 0.2, "seed": 2**31 - 1, "key": "f" * 32}])
    path = tmp_path / "a" / "rows.parquet"
    records.write(rows, path)
    records.write(rows, tmp_path / "b.parquet")
    pd.testing.assert_frame_equal(parquet.read(path), rows, check_exact=True)
    assert path.read_bytes() == (tmp_path / "b.parquet").read_bytes()
    with pytest.raises((ValueError, KeyError)):
        records.write(rows.drop(columns="study"), path)
    pd.testing.assert_frame_equal(parquet.read(path), rows, check_exact=True)
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


RNG = np.random.default_rng(0)
ARRAYS = [
    np.zeros(0, np.uint8),
    np.arange(256, dtype=np.uint8),
    RNG.random((40, 3)),
    np.array([np.nan, -0.0, np.inf, 5e-324]),
    RNG.integers(0, 60_000, (2, 5, 3)).astype(np.uint16),
    np.asfortranarray(RNG.random((3, 4))),
]


@pytest.mark.parametrize("array", ARRAYS)
def test_round_trip(array):
    found = to_array(to_text(array))
    assert found.dtype == array.dtype and found.shape == array.shape
    assert found.tobytes() == np.ascontiguousarray(array).tobytes()


def test_array_texts_are_short_and_no_bomb_is_unpacked():
    errors = (RNG.random(10_000) < 0.05).astype(np.uint8)
    assert len(to_text(errors)) < 1000 and len(to_text(np.zeros(60_000, np.uint8))) < 150
    with pytest.raises(ValueError, match="has not the 10 bytes"):
        to_array(f"|u1 10 {packed(bytes(10**8))}")


def packed(raw):
    return base64.b64encode(zlib.compress(raw)).decode()


ABC = packed(b"abc")
REFUSED = [
    *("", None, "|u1 3", "|u1 3 !!!", f"|u1 3 {ABC[:-6]}", f"<f8 2000000000x2 {ABC}"),
    *(f"{head} {ABC}" for head in ("|O 3", "|u1 -3", "|u1 4", "|u1 2")),
    f"|u1 3 {base64.b64encode(zlib.compress(b'abc') + b'more').decode()}",
]


@pytest.mark.parametrize("text", REFUSED)
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        to_array(text, most=10**6)
