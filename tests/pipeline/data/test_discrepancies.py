"""Labels that are written differently, and missing values: the sentence holds YAML that makes the table fit."""

import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.data import catalog
from ironbark.pipeline.data.bundle import load
from ironbark.pipeline.data.discrepancies import refuse
from ironbark.pipeline.data.prepare import prepare

ENTRY = {"title": "Radar", "source": "openml", "openml_id": 1, "expect": {"counts": {"-1": 4, "1": 8}}}


def sentence(entry, counts, missing=(), mirrored=True):
    found = catalog.as_mirrored(entry) if mirrored else catalog.as_fetched(catalog.complete(entry))
    with pytest.raises(InputError) as caught:
        refuse("radar", found, counts, dict(missing), sum(counts.values()), mirrored)
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


def test_the_sentence_names_file_key_and_line(written):
    written(ENTRY)
    assert sentence(ENTRY, {"b": 4, "g": 8}, {"a": 2}) == (
        "data set 'radar': its labels are b (4 rows), g (8 rows), where -1 (4 rows), 1 (8 rows) are expected, and "
        "column 'a' has 2 missing values in 12 rows; in config/datasets/pg.yaml, set radar.in_mirror: "
        "`in_mirror: {labels: {b: -1, g: 1}, missing: keep}` (or `missing: drop`, which leaves out these rows)"
    )


def test_what_in_mirror_says_already_stays(written):
    entry = {**ENTRY, "in_mirror": {"labels": {"x": -1, "y": 1}, "deviations": ["A part."]}}
    written(entry)
    found = sentence(entry, {"b": 4, "g": 8})
    assert "`in_mirror: {labels: {b: -1, g: 1}, deviations: [A part.]}`" in found


def test_a_table_of_the_source_itself_gets_keys_of_the_entry(written):
    written(ENTRY)
    found = sentence(ENTRY, {"1": 4, "2": 8}, {"a": 1, "b": 2}, mirrored=False)
    assert "2 columns have missing values in 12 rows: 'a' (1), 'b' (2)" in found
    assert "set radar.labels and radar.missing: `labels: {'1': -1, '2': 1}` and `missing: keep`" in found


def test_without_a_file_the_usual_one_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "in config/datasets.yaml, set radar.in_mirror" in sentence(ENTRY, {"b": 4, "g": 8})


@pytest.mark.parametrize(
    ("expected", "counts", "certain"),
    [
        ({"-1": 4, "1": 8}, {"b": 8, "g": 4}, True),
        ({"-1": 6, "1": 6}, {"b": 6, "g": 6}, False),  # equal sizes prove nothing
        ({"-1": 4, "1": 8}, {"b": 5, "g": 9}, False),  # another sample of the rows
    ],
)
def test_sizes_of_the_classes_match_the_labels(written, expected, counts, certain):
    found = sentence({**ENTRY, "expect": {"counts": expected}}, counts)
    names = {"b": 1, "g": -1} if counts["b"] > counts["g"] else {"b": -1, "g": 1}
    assert yaml.safe_load(re.search("`(.*)`", found)[1])["in_mirror"]["labels"] == names
    assert ("after checking which label is which" in found) != certain


@pytest.mark.parametrize(
    ("fields", "counts"),
    [
        ({}, {"-1": 5, "1": 7}),  # sizes are the business of `expect`
        ({}, {"a": 1, "b": 2, "c": 3}),
        ({"expect": {"k": 2}}, {"b": 4, "g": 8}),
        ({"in_mirror": {"labels": {"b": -1, "g": 1}}}, {"b": 4, "g": 8}),
    ],
)
def test_nothing_is_said_where_labels_agree_or_cannot_be_matched(fields, counts):
    refuse("radar", catalog.as_mirrored({**ENTRY, **fields}), counts, {}, 12, True)


def test_missing_values_that_the_entry_allows_for_are_no_fault():
    refuse("radar", catalog.complete({**ENTRY, "missing": "keep"}), {"-1": 4, "1": 8}, {"a": 1}, 12, False)


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
