"""Tables of a mirror are checked by footer, target and split, with the same sentences as `prepare`."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import roles
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare

ENTRY = {"title": "D", "source": "openml", "openml_id": 1}


@pytest.fixture
def frame():
    parts = ["train", "test"] * 6
    return pd.DataFrame({"x": np.arange(12) / 7, "c": list("abc") * 4, "split": parts, "target": [1, 1, 2] * 4})


@pytest.fixture
def check(tmp_path):
    def check_(frame, statistics=True, **fields):
        table = pa.Table.from_pandas(frame, preserve_index=False)
        pq.write_table(table, tmp_path / "d.parquet", row_group_size=5, write_statistics=statistics)
        return roles.check_mirror("d", {**ENTRY, **fields}, tmp_path)

    return check_


def test_roles(check, frame):
    roles = check(frame, split={"column": "part"}, expect={"n": 12, "d": 2, "k": 2, "counts": {"1": 8, "2": 4}})
    assert roles.features == ["x", "c"] and roles.classes.counts == [8, 4]
    assert roles.parts.tolist() == [0, 1] * 6 and list(roles.table) == ["split", "target"]


@pytest.mark.parametrize("statistics", [True, False])
def test_missing_values_are_counted_with_and_without_statistics(check, frame, statistics):
    holes = frame.assign(x=frame["x"].where(frame.index % 4 > 0))  # in each of three row groups
    with pytest.raises(InputError, match="missing values in 'x' \\(3 of 12 rows\\); .*in_mirror: {missing: keep}"):
        check(holes, statistics)
    assert len(check(holes, statistics, missing="keep").table) == 12
    assert len(check(holes, statistics, missing="drop").table) == 9
    assert len(check(holes, statistics, drop=["x"]).table) == 12


BROKEN = {
    "labels": (lambda t: t.assign(target=t["target"] - 1), {"expect": {"counts": {"1": 8, "2": 4}}}),
    "holes in the target": (lambda t: t.assign(target=t["target"].where(t["target"] > 1)), {}),
    "one class": (lambda t: t.assign(target=1), {}),
    "positive": (lambda t: t, {"positive": [7]}),
    "rows": (lambda t: t, {"expect": {"n": 13}}),
    "values of the split": (lambda t: t.assign(split="train"), {"split": {"column": "split"}}),
    "no target": (lambda t: t.drop(columns="target"), {}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_sentences_are_those_of_fetch_and_prepare(check, frame, tmp_path, name):
    edit, fields = BROKEN[name]
    with pytest.raises(InputError) as found:
        check(edit(frame), **fields)
    with pytest.raises(InputError) as expected:
        raw = fetch("d", {**ENTRY, **fields}, tmp_path / "raw", tmp_path)
        prepare("d", {**ENTRY, **fields}, raw, tmp_path / "prepared")
    assert str(found.value) == str(expected.value)
