"""Results that one run keeps for the next."""

import json

import pytest

from ironbark.pipeline.plan import disk_cache
from ironbark.pipeline.plan.disk_cache import DiskCache, cached


@pytest.fixture
def source(tmp_path, monkeypatch):
    """The module that computes results, in a folder where Snakemake ran."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".snakemake").mkdir()
    path = tmp_path / "module.py"
    path.write_text("a = 1\n")
    return path


def kept(source, name="results"):
    """A cache after a run that put one result."""
    cache = DiskCache(name, source)
    assert cache.get(["text", 1]) is None
    cache.put(["text", 1], {"found": [1, "two", None]})
    cache.save()
    return cache


def test_the_next_run_has_the_results(source):
    kept(source)
    after = DiskCache("results", source)
    assert after.get(["text", 1]) == {"found": [1, "two", None]}
    assert after.get(["text", "1"]) is None, "keys differ in their types"
    assert DiskCache("others", source).get(["text", 1]) is None


def test_results_of_older_code_do_not_count(source):
    kept(source)
    source.write_text("a = 2\n")
    assert DiskCache("results", source).get(["text", 1]) is None


@pytest.mark.parametrize("content", ["", '{"code": 1', "[]", '{"code": null, "entries": []}'])
def test_a_damaged_file_is_made_anew(source, content):
    kept(source)
    (path,) = source.parent.glob(".snakemake/ironbark/cache/*")
    path.write_text(content)
    kept(source)
    assert json.loads(path.read_text())["entries"]


def test_nothing_is_written_where_snakemake_did_not_run(source):
    (source.parent / ".snakemake").rmdir()
    kept(source)
    assert [path.name for path in source.parent.iterdir()] == ["module.py"]


def test_a_folder_that_cannot_be_written_does_no_harm(source):
    (source.parent / ".snakemake/ironbark").write_text("a file")
    kept(source)
    assert DiskCache("results", source).get(["text", 1]) is None


def test_beyond_the_most_entries_the_unused_go(source, monkeypatch):
    kept(source)
    monkeypatch.setattr(disk_cache, "MOST", 1)
    cache = DiskCache("results", source)
    assert cache.get("new") is None
    cache.put("new", [2])
    cache.save()
    after = DiskCache("results", source)
    assert after.get("new") == [2] and after.get(["text", 1]) is None


def test_a_function_is_called_once_for_each_argument(source):
    calls = []

    @cached
    def doubled(number):
        calls.append(number)
        return [2 * number]

    assert [doubled(2), doubled(2), doubled(3)] == [[4], [4], [6]] and calls == [2, 3]


def test_what_callers_do_with_a_result_does_not_change_it(source):
    @cached
    def errors(file):
        return [f"{file} is wrong"]

    for _ in range(3):
        found = errors("a.yaml")
        assert found == ["a.yaml is wrong"]
        found += ["another"]
