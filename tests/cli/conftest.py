"""A CSV file with planted errors."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from ironbark.cli import picture


@pytest.fixture
def frame():
    """Numbers, categories, gaps, an identifier, and texts that must not change; three labels are wrong."""
    rng = np.random.default_rng(0)
    kind = np.repeat([0, 1], 60)
    columns = {
        "id": [f"{number:03d}" for number in rng.permutation(120)],
        "length": [f"{value:.2f}" for value in rng.normal(9 * kind)],
        "colour": np.where(rng.random(120) < 0.9, np.array(["red", "blue"])[kind], "?"),
        "site": kind * 3 + np.arange(120) % 3,
        "row": ["007"] * 120,
        "kind": np.array(["cat", "dog"])[kind],
    }
    found = pd.DataFrame(columns)
    found.loc[::10, "length"] = ""
    found.loc[[3, 40], "kind"], found.loc[77, "kind"] = "dog", "cat"
    return found


@pytest.fixture
def data(frame, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame.to_csv(tmp_path / "animals.csv", index=False)
    return tmp_path / "animals.csv"


@pytest.fixture
def drawn():
    """Asked for by tests of the picture."""


@pytest.fixture(autouse=True)
def blank(request, monkeypatch):
    """An empty picture for all others: to draw it takes ten times as long as all else."""
    if "drawn" not in request.fixturenames:
        empty = SimpleNamespace(draw=lambda *_: Figure((1, 1)), write=picture.write)
        monkeypatch.setattr("ironbark.cli.labels.picture", empty)
