"""Every source that downloads by itself gives its table, and bears the faults of its server."""

import json
from pathlib import Path

import pandas as pd
import pytest
from cases import CASES
from server import Answer

from ironbark.errors import InputError
from ironbark.pipeline.data import SOURCES, checksums
from ironbark.pipeline.data.fetch import fetch

RAW = Path("raw/toy")

#: Sources whose tests stand elsewhere, or that download nothing.
ELSEWHERE = {"sklearn", "openml", "file", "mirror", "glove", "text-svd", "vgg11", "confirmed-errors"}

#: Cases whose checksums are part of ironbark.
VOUCHED = ("mnist", "cifar10")


#: What is said of rubbish; where it could be text of the format, of its columns.
UNREADABLE = "SHA-256|cannot be read as|is no zip or tar archive|has the columns|has no column"


@pytest.fixture(params=CASES, ids=lambda case: case.__name__)
def case(request, site, monkeypatch):
    entry, table = request.param(site, monkeypatch)
    return {"title": "Toy", **entry}, table, request.param.__name__ in VOUCHED


def left():
    return sorted(path.name for path in Path("raw").rglob("*") if path.is_file())


def same(found, wanted):
    """Equal values in equal columns, in any order of these and of any type."""
    assert set(found.columns) == set(wanted.columns)
    for name in wanted.columns:
        a, b = (table[name].astype(object).where(table[name].notna(), None).tolist() for table in (found, wanted))
        assert a == b, name


def test_every_source_has_a_case(site, monkeypatch):
    assert {case(site, monkeypatch)[0]["source"] for case in CASES} == set(SOURCES) - ELSEWHERE


def test_the_table_and_its_origin(case, site):
    entry, table, vouched = case
    found = pd.read_parquet(fetch("toy", entry, RAW))
    same(found, table)
    facts = json.loads((RAW / "fetch.json").read_text(encoding="utf-8"))
    files = facts.get("files", [facts])
    assert sorted(file["url"].removeprefix(site.address + "/") for file in files) == sorted(set(site.files))
    assert all(file.get("verified", True) is vouched for file in files)
    assert not checksums.PLACE.exists(), "it is written when the table was prepared"
    asked = len(site.asked)
    fetch("toy", entry, RAW)
    assert len(site.asked) == asked, "files of this machine are not fetched again"


@pytest.mark.parametrize("fault", [Answer(500), Answer(cut=9)])
def test_faults_that_pass(case, site, fault):
    entry, table, _ = case
    for file in site.files.values():
        file.instead.append(fault)
    same(pd.read_parquet(fetch("toy", entry, RAW)), table)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (Answer(404), "answers 404"),
        (Answer(200, b"<!DOCTYPE html>"), "gives a web page instead of data"),
        (Answer(200, b"\x00\x01 rubbish"), UNREADABLE),
    ],
)
def test_faults_that_stay_are_one_sentence(case, site, answer, sentence):
    entry, table, vouched = case
    last = site.files[list(site.files)[-1]]
    last.always = answer
    with pytest.raises(InputError, match=sentence) as error:
        fetch("toy", entry, RAW)
    assert "\n" not in str(error.value) and ("'toy'" in str(error.value) or "raw/toy" in str(error.value))
    assert "table.parquet" not in left()
    assert not [name for name in left() if name.endswith(".part")]
    last.always = None
    same(pd.read_parquet(fetch("toy", entry, RAW)), table)


def test_a_changed_file_is_refused(case, site):
    entry, table, _ = case
    fetch("toy", entry, RAW)
    checksums.record_new(json.loads((RAW / "fetch.json").read_text(encoding="utf-8")))
    for path in [*Path("raw").rglob("*.gz"), *Path("raw").rglob("*")]:
        if path.is_file():
            path.unlink()
    last = site.files[list(site.files)[-1]]
    last.body += b" "
    with pytest.raises(InputError, match="has SHA-256 .* but .* find out what changed"):
        fetch("toy", entry, RAW)
