"""The Workflow Run RO-Crate of a study: every reference leads to an entity, every file to its bytes."""

import hashlib
import json

import pytest
from site_cases import fill, meta, spec, study

from ironbark.pipeline.jobs.artefacts import site
from ironbark.pipeline.site import run_crate

OUTPUTS = ["rows.parquet", "tables/accuracy.csv", "figures/curves.png"]
SETTINGS = {"scale": "full", "retry_failed": False, "methods": ["dt-a"]}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A study that was published; the site itself is tested elsewhere."""
    place = fill(tmp_path / "results") / "pond/full"
    meta(tmp_path / "prepared")
    prepared = json.loads((tmp_path / "prepared/ducks/meta.json").read_text("utf-8"))
    told = spec(study())
    told["datasets"]["ducks"] |= {"licence": "CC BY 4.0", "cite": "Duck (1999)"}
    recorded = {key: told[key] for key in ("methods", "datasets", "noises")} | {"study": told["studies"][0]}
    (place / "study.json").write_text(json.dumps(recorded), encoding="utf-8")
    sheet = {
        "written": "2026-01-02T03:04:05+00:00",
        "ironbark": "1.0",
        "git": {"commit": "c" * 40, "changed": False},
        "machine": {"system": "Linux", "processor": "P", "cores": 2, "memory_gb": 8.0},
        "python": "3.11.2",
        "packages": {"numpy": "2.0", "snakemake": "9.0"},
        "studies": [{"study": "pond", "scale": "full", "finished": "2026-01-01T00:00:00+00:00"}],
        "datasets": {"ducks": prepared | {"source": {"source": "url", "url": "https://example.org/ducks.csv"}}},
    }
    monkeypatch.setattr(site, "run", lambda spec, out: sheet)
    site.publish({}, tmp_path / "site", place / "provenance.json", [place / name for name in OUTPUTS], SETTINGS)
    return place


@pytest.fixture
def graph(folder):
    return json.loads((folder / run_crate.CRATE).read_text("utf-8"))["@graph"]


def references(value):
    """Every ``@id`` that an entity names besides its own."""
    if isinstance(value, dict):
        if set(value) == {"@id"}:
            yield value["@id"]
        for part in value.values():
            yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


def test_entities_are_unique_and_references_lead_to_one(graph):
    ids = [entity["@id"] for entity in graph]
    assert len(set(ids)) == len(ids)
    assert {name for name in references(graph) if name not in ids and not name.startswith(("http:", "https:"))} == set()


def test_every_file_is_there_as_it_is_described(graph, folder):
    files = {entity["@id"]: entity for entity in graph if "File" in entity["@type"]}
    assert set(files) == {*OUTPUTS, "Snakefile", "study.json", "provenance.json"}
    for name, entity in files.items():
        content = (folder / name).read_bytes()
        assert entity["sha256"] == hashlib.sha256(content).hexdigest() and entity["contentSize"] == str(len(content))
    root = next(entity for entity in graph if entity["@id"] == "./")
    assert {part["@id"] for part in root["hasPart"]} == {*files, "labels/"}
    assert files["tables/accuracy.csv"]["description"] == "Accuracy."
    assert files["tables/accuracy.csv"]["encodingFormat"] == "text/csv"


def test_the_run_names_workflow_settings_data_and_results(graph):
    entities = {entity["@id"]: entity for entity in graph}
    root, action = entities["./"], entities["#run"]
    assert root["mainEntity"] == action["instrument"] == {"@id": "Snakefile"} and root["mentions"] == {"@id": "#run"}
    assert {part["@id"] for part in action["result"]} == {*OUTPUTS, "labels/"}
    assert action["endTime"] == "2026-01-01T00:00:00+00:00"
    used = {part["@id"] for part in action["object"]}
    assert used == {"study.json", "#dataset-ducks", "#dataset-geese", *(f"#setting-{name}" for name in SETTINGS)}
    assert entities["#setting-methods"]["value"] == '["dt-a"]' and entities["#setting-scale"]["value"] == "full"
    ducks = entities["#dataset-ducks"]
    assert (ducks["license"], ducks["citation"]) == ("CC BY 4.0", "Duck (1999)")
    assert ducks["url"] == "https://example.org/ducks.csv" and ducks["identifier"] == "sha256:" + "ab" * 32
    assert "c" * 40 in entities["Snakefile"]["description"] and entities["#software-numpy"]["softwareVersion"] == "2.0"


@pytest.mark.network
def test_the_crate_follows_its_profile(folder):
    """Skipped without the package roc-validator; it fetches the contexts of RO-Crate."""
    services = pytest.importorskip("rocrate_validator.services")
    models = pytest.importorskip("rocrate_validator.models")
    settings = {"rocrate_uri": str(folder), "profile_identifier": "workflow-run-crate"}
    result = services.validate(models.ValidationSettings(**settings, requirement_severity=models.Severity.REQUIRED))
    assert [issue.message for issue in result.get_issues()] == []
