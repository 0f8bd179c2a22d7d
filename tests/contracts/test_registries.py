"""Every entry of every table of names leads to something that honours its interface."""

import importlib
import inspect
import re
from pathlib import Path
from pkgutil import resolve_name

import pytest
import yaml

import ironbark
from docs import artefacts
from ironbark import criteria
from ironbark.pipeline import metrics, protocols
from ironbark.pipeline.data import SOURCES
from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.jobs import artefacts as jobs_of_artefacts
from ironbark.pipeline.plan import artefact_specs as specs
from ironbark.pipeline.published import COMPARED, CURVES, DATASET_TABLES, PAPERS, of_artefact, readers
from ironbark.pipeline.results import records
from ironbark.pipeline.tables import TABLES, dataset_tables

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", criteria.CRITERIA)
def test_criteria(name):
    entry = criteria.CRITERIA[name]
    takes = list(inspect.signature(importlib.import_module(criteria.module_of(name)).build).parameters)
    assert takes == ["n_root", "n_classes"] + ([entry.parameter] if entry.parameter else [])
    assert set(entry.tasks) <= {"binary", "multiclass"}
    if entry.parameter:
        criteria.check_parameter(name, ironbark.RobustDecisionTreeClassifier().get_params()[entry.parameter])


@pytest.mark.parametrize("kind", protocols.PROTOCOLS)
def test_protocols(kind):
    entry = protocols.PROTOCOLS[kind]
    parameters = inspect.signature(resolve_name(entry.splits)).parameters
    first = ["y", "split", "seed_ids", "repeats", "groups"][: 4 + entry.needs_groups]
    assert list(parameters)[: len(first)] == first
    defaults = {name: option.default for name, option in entry.options.items()}
    assert {name: parameters[name].default for name in list(parameters)[len(first) :]} == defaults


@pytest.mark.parametrize("name", SOURCES)
def test_sources(name):
    entry = SOURCES[name]
    assert list(inspect.signature(resolve_name(entry.fetch)).parameters) == ["who", "entry", "folder"]
    assert set(entry.choices) <= entry.fields


KINDS = [("table", name) for name in TABLES] + [("figure", name) for name in FIGURES]
#: Keys that an entry of any kind may have.
COMMON = {"kind", "task", "datasets", "methods", "noises", "metric", "artefact", "caption"}


def keys_of(kind):
    return {*COMMON, *kind.needs, *kind.options}


@pytest.mark.parametrize(("word", "name"), KINDS)
def test_kinds(word, name):
    kind = specs.KINDS[word][name]
    builder = resolve_name(kind.builder)
    parameters = inspect.signature(inspect.unwrap(builder)).parameters
    assert list(parameters)[1:3] == ["spec", "context"]
    assert set(list(parameters)[3:]) == {*kind.published, *kind.facts}
    assert builder.__module__ == kind.builder.rpartition(".")[0] and kind.description
    read = re.findall(r"""\bspec(?:\.get\(|\[)"(\w+)\"""", inspect.getsource(inspect.unwrap(builder)))
    assert set(read) <= keys_of(kind) | {"id"}


def test_all_data_of_kinds_can_be_planned_and_read():
    assert set(metrics.METRICS) - set(records.COLUMNS) == set(metrics.ON_REQUEST)
    assert {metric.output for metric in metrics.METRICS.values()} == {"", "labels", *records.OUTPUTS}
    assert all(set(DATASET_TABLES[name].columns) <= set(dataset_tables.FACTS) for name in DATASET_TABLES)
    assert {kind.data for _, kinds in specs.KINDS.items() for kind in kinds.values()} == set(specs.FILES)
    assert set(jobs_of_artefacts.READERS) == set(specs.FILES)
    assert {f for kinds in specs.KINDS.values() for kind in kinds.values() for f in kind.facts} == set(specs.FACTS)


@pytest.mark.parametrize("word", specs.KINDS)
def test_the_schema_has_the_keys_of_the_kinds(word):
    schema = yaml.safe_load((ROOT / "workflow/schemas/study.schema.yaml").read_text("utf-8"))
    assert set(schema["$defs"][word]["properties"]) == set().union(*map(keys_of, specs.KINDS[word].values()))


@pytest.mark.parametrize(("paper", "name"), [(paper, name) for paper in PAPERS for name in PAPERS[paper].values])
def test_published_values_can_be_read(paper, name):
    values = PAPERS[paper].values[name]
    frame = resolve_name(values.reader)(ROOT / values.path)
    assert len(frame)
    if name == artefacts.CELLS:
        assert list(frame.columns) == readers.COLUMNS and frame["mean"].between(0, 1).all()
    if name == CURVES:
        assert list(frame.columns) == [*readers.COLUMNS, "metric"] and set(frame["metric"]) <= set(metrics.METRICS)
    used = {pair for kinds in specs.KINDS.values() for kind in kinds.values() for pair in kind.published.values()}
    used |= {(of_artefact(artefact), about.values) for artefact, about in artefacts.ARTEFACTS.items()}
    assert (paper, name) in used or ("", name) in used


def test_published_files_are_those_of_the_papers():
    files = {values.path for paper in PAPERS.values() for values in (*paper.values.values(), *paper.datasets.values())}
    listed = {path.relative_to(ROOT).as_posix() for path in (ROOT / "data/published").glob("*.csv")}
    assert listed == files | {"data/published/artefacts.csv"}
    assert set(COMPARED) < set(PAPERS)
