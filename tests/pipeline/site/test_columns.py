import base64
import json

import numpy as np
import pytest
from site_cases import rows

from ironbark.pipeline.results.records import FAILED
from ironbark.pipeline.site import columns
from ironbark.pipeline.site.rows import read


@pytest.fixture
def frame(tmp_path):
    found = rows()
    found.loc[3, "status"] = FAILED
    found.to_parquet(tmp_path / "rows.parquet")
    return read(tmp_path).frame


def content(text):
    assert text.startswith("ironbark.receive(") and text.endswith(");\n")
    return json.loads(text.removeprefix("ironbark.receive(").removesuffix(");\n"))


def numbers(text, kind):
    return np.frombuffer(base64.b64decode(text), kind)


def test_fits_come_back(frame):
    found = content(columns.script(frame, {"id": "pond-full"}))
    ok = frame[frame["status"] != FAILED]
    assert (found["kind"], found["n"], found["fits"], found["id"]) == ("fits", 35, 35, "pond-full")
    assert np.allclose(numbers(found["numbers"]["accuracy"], "<f4"), ok["accuracy"], rtol=1e-6)
    for name in columns.IDS:
        codes = numbers(found["ids"][name]["codes"], "<u2")
        assert [found["ids"][name]["names"][code] for code in codes] == ok[name].astype("str").tolist()
    assert "minimax_risk" not in found["numbers"], "a column without numbers"


def test_too_many_fits_become_cells(frame, monkeypatch):
    monkeypatch.setattr(columns, "MOST_FITS", 10)
    found = content(columns.script(frame, {}))
    assert (found["kind"], found["n"], found["fits"]) == ("cells", 18, 35)
    ok = frame[frame["status"] != FAILED]
    at = [found["ids"][name] for name in columns.IDS]
    lines = zip(*(numbers(column["codes"], "<u2") for column in at), strict=True)
    means, spreads = (numbers(found[part]["accuracy"], "<f4") for part in ("numbers", "spreads"))
    counts = numbers(found["counts"], "<u4")
    for i, codes in enumerate(lines):
        cell = ok
        for name, column, code in zip(columns.IDS, at, codes, strict=True):
            cell = cell[cell[name] == column["names"][code]]
        assert counts[i] == len(cell) and means[i] == pytest.approx(cell["accuracy"].mean(), rel=1e-6)
        assert spreads[i] == pytest.approx(cell["accuracy"].std(), rel=1e-5, nan_ok=True)


def test_no_text_ends_the_script(frame):
    text = columns.script(frame, {"title": "</script><b>"})
    assert "</" not in text and content(text)["title"] == "</script><b>"
