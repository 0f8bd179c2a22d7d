"""Labels that are written differently, and missing values: the sentence holds YAML that makes the table fit."""

import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.data import catalog
from ironbark.pipeline.data.bundle import load
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.data.suspicions import refuse

ENTRY = {"title": "Radar", "source": "openml", "openml_id": 1, "expect": {"counts": {"-1": 4, "1": 8}}}


def sentence(entry, counts, missing=()):
    found = catalog.as_mirrored(entry)
    with pytest.raises(InputError) as caught:
        refuse("radar", found, counts, dict(missing), sum(counts.values()), True)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Function that writes an entry into a catalogue file of the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("config/datasets").mkdir(parents=True)

    def write(entry):
        text = "# Radars\n" + yaml.safe_dump({"radar": entry, "radar-2": {}}, sort_keys=False)
        Path("config/datasets/pg.yaml").write_text(text, encoding="utf-8")

    return write


@pytest.mark.parametrize(
    ("counts", "names"), [({"b": 8, "g": 4}, {"b": 1, "g": -1}), ({"b": 5, "g": 9}, {"b": -1, "g": 1})]
)
def test_sizes_of_the_classes_match_the_labels(written, counts, names):
    found = sentence(ENTRY, counts)
    assert yaml.safe_load(re.search("`(.*)`", found)[1])["in_mirror"]["labels"] == names
    assert "after checking which label is which" in found


@pytest.mark.parametrize(
    ("fields", "counts"), [({}, {"-1": 5, "1": 7}), ({"in_mirror": {"labels": {"b": -1, "g": 1}}}, {"b": 4, "g": 8})]
)
def test_nothing_is_said_where_labels_agree_or_cannot_be_matched(fields, counts):
    refuse("radar", catalog.as_mirrored({**ENTRY, **fields}), counts, {}, 12, True)


@pytest.mark.parametrize("source", ["mirror", "openml"])
def test_the_line_can_be_pasted(written, raw, tmp_path, source):
    """What the sentence proposes makes the data set prepare, with the labels of the catalogue."""
    written(ENTRY)
    frame = pd.DataFrame({"x": [None, *range(11)], "y": range(12), "target": list("bggbggbggbgg")})
    with pytest.raises(InputError) as caught:
        prepare("radar", ENTRY, raw(frame, source), tmp_path / "out")
    entry = dict(ENTRY)
    for line in re.findall("`([^`]*)`", str(caught.value).split(" (or ")[0]):
        entry |= yaml.safe_load(line)
    assert set(entry) - set(ENTRY) == ({"in_mirror"} if source == "mirror" else {"labels", "missing"})
    found = load(prepare("radar", entry, raw(frame, source), tmp_path / "out"), verify=True)
    assert found.classes("binary") == ["-1", "1"] and found.y("binary").tolist() == [0, 1, 1] * 4
