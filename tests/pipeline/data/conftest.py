"""Small tables, a raw folder as `fetch` leaves it, and a server that stands for the web."""

import json

import numpy as np
import pandas as pd
import pytest
from server import Site

from ironbark.pipeline.data import download as web


@pytest.fixture
def table():
    """Twelve rows: a float, a small integer and a text column, then the labels a, b, c."""
    return pd.DataFrame(
        {
            "x": np.array([0.5, -1.25, 3.0, 0.5, 7.5, -0.0, 0.0, 2.0, 2.5, 3.5, 4.5, 5.5]),
            "i": np.arange(12, dtype=np.uint8) % 5,
            "c": list("zyxzyxzyxzyx"),
            "target": list("abcabcabcabc"),
        }
    )


@pytest.fixture
def raw(tmp_path):
    """Function that writes a data frame as a raw table with its facts, and gives the path of the table."""

    def write(frame, source="file"):
        folder = tmp_path / "raw"
        folder.mkdir(exist_ok=True)
        frame.to_parquet(folder / "table.parquet", index=False)
        (folder / "fetch.json").write_text(json.dumps({"source": source}), encoding="utf-8")
        return folder / "table.parquet"

    return write


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A server on loopback without pauses between tries, and an empty working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(web, "PAUSES", (0, 0, 0))
    monkeypatch.setenv("no_proxy", "*")  # no proxy of this machine
    with Site() as running:
        yield running


def pytest_make_parametrize_id(config, val, argname):
    """Bytes are named by their argument: those of packed files change with the clock, and processes must agree."""
    return argname if isinstance(val, bytes) else None
