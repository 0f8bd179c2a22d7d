"""Croissant metadata next to meta.json."""

import hashlib
import json

import numpy as np
import pytest

from ironbark.pipeline.data.croissant import describe
from ironbark.pipeline.data.prepare import prepare

ENTRY = {"title": "Tiny", "source": "file", "path": "tiny.csv", "licence": "CC0", "positive": ["a"]}
META = {"id": "tiny", "title": "Tiny", "n": 1, "d": 1, "k": 2, "licence": None, "source": {"source": "file"}}

#: Required by the Croissant 1.0 specification: type -> properties.
REQUIRED = {
    "sc:Dataset": {"@context", "conformsTo", "name", "description", "license", "citeAs", "url", "distribution"},
    "cr:FileObject": {"@id", "name", "contentUrl", "encodingFormat", "sha256"},
    "cr:RecordSet": {"@id", "name", "field"},
    "cr:Field": {"@id", "name", "dataType", "source"},
}


@pytest.fixture
def folder(raw, table, tmp_path):
    return prepare("tiny", {**ENTRY, "cite": "Doe (2020), Tiny data"}, raw(table), tmp_path / "tiny")


def things(part):
    """All objects of a document that have a type."""
    if isinstance(part, dict):
        if isinstance(part.get("@type"), str) and ":" in part["@type"]:
            yield part
        part = list(part.values())
    for each in part if isinstance(part, list) else ():
        yield from things(each)


def test_required_properties(folder):
    found = list(things(json.loads((folder / "croissant.json").read_text("utf-8"))))
    assert {thing["@type"] for thing in found} == set(REQUIRED)
    for thing in found:
        assert not REQUIRED[thing["@type"]] - {name for name, value in thing.items() if value}


def test_files_and_fields(folder):
    document = json.loads((folder / "croissant.json").read_text("utf-8"))
    files = {file["@id"]: file for file in document["distribution"]}
    assert set(files) == {path.name for path in folder.glob("*.npy")}
    for name, file in files.items():
        content = (folder / name).read_bytes()
        assert (file["sha256"], file["contentSize"]) == (hashlib.sha256(content).hexdigest(), f"{len(content)} B")
    fields = [field for records in document["recordSet"] for field in records["field"]]
    assert {field["source"]["fileObject"]["@id"] for field in fields} == set(files)
    types = {field["@id"]: field["dataType"] for field in fields}
    for name in files:
        floats = np.load(folder / name).dtype.kind == "f"
        assert types[f"{name.removesuffix('.npy')}/values"] == ("sc:Float" if floats else "sc:Integer")


def test_what_the_catalogue_says(folder):
    document = json.loads((folder / "croissant.json").read_text("utf-8"))
    assert (document["name"], document["license"], document["citeAs"]) == ("tiny", "CC0", "Doe (2020), Tiny data")


@pytest.mark.parametrize(
    ("source", "url"),
    [
        ({"url": "https://example.org/a.zip"}, "https://example.org/a.zip"),
        ({"openml_id": 11}, "https://www.openml.org/d/11"),
        ({"path": "a.csv"}, "./"),
    ],
)
def test_the_address_is_that_of_the_source(source, url):
    assert describe({**META, "source": source}, None, {})["url"] == url


def test_what_is_unknown_is_said():
    document = describe(META, None, {})
    assert (document["license"], document["citeAs"]) == ("unknown", "Tiny")
