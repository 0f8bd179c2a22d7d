"""Which studies the site shows, and in what words it leaves others out."""

import json
import os

from site_cases import spec, study

from ironbark.pipeline.site.data import studies


def record(results, id="pond", scale="full", when=None, **changes):
    """Write study.json as a run does."""
    about = {key: value for key, value in spec(study()).items() if key not in ("studies", "problems")}
    path = results / id / scale / "study.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(about | {"study": study(id, scale=scale)} | changes), encoding="utf-8")
    if when:
        os.utime(path, (when, when))
    return path


def test_studies_with_all_that_they_use(tmp_path):
    record(tmp_path)
    (tmp_path / "site/assets").mkdir(parents=True)
    assert studies.read(tmp_path) == spec(study())


def test_the_larger_scale_comes_first(tmp_path):
    for scale in ("smoke", "full", "lite"):
        record(tmp_path, scale=scale)
    assert [about["scale"] for about in studies.read(tmp_path)["studies"]] == ["full", "lite", "smoke"]


def test_of_two_entries_the_later_run_counts(tmp_path):
    record(tmp_path, "lake", when=2e9, methods={"dt-a": {"label": "New"}})
    record(tmp_path, "pond", when=1e9, methods={"dt-a": {"label": "Old"}})
    assert studies.read(tmp_path)["methods"]["dt-a"]["label"] == "New"


def test_results_without_a_description_are_named_with_the_command_that_writes_it(tmp_path):
    (tmp_path / "old/smoke/fits").mkdir(parents=True)
    record(tmp_path).write_text("{", encoding="utf-8")
    found = studies.read(tmp_path)
    assert found["studies"] == [] and found["datasets"] == {}
    missing, damaged = found["problems"]
    assert missing.startswith("old (smoke) is left out: ") and "study.json is missing" in missing
    assert "run `snakemake --cores 2 old --config scale=smoke` again" in missing
    assert damaged.startswith("pond (full) is left out: ") and "is damaged" in damaged


def test_without_results_there_are_no_studies(tmp_path):
    assert studies.read(tmp_path / "none")["studies"] == []
