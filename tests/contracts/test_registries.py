"""Every entry of every table of names leads to something that honours its interface."""

import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ironbark
from ironbark import criteria, noise
from ironbark.pipeline import figures, metrics, protocols
from ironbark.pipeline.analysis import kinds
from ironbark.pipeline.analysis.published import numbers
from ironbark.pipeline.analysis.tables import dataset_tables, result_table
from ironbark.pipeline.data import SOURCES
from ironbark.pipeline.jobs import table
from ironbark.pipeline.results import records

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ironbark.__all__)
def test_public_names(name):
    found = getattr(ironbark, name)
    assert found.__doc__ and found.__name__ == name
    assert name in dir(ironbark)


def test_unknown_public_name():
    with pytest.raises(AttributeError, match="'ironbark' has no attribute 'Nope'"):
        _ = ironbark.Nope


def test_importing_the_package_costs_nothing():
    code = "import sys, ironbark, ironbark.noise; print(sorted(set(sys.argv[1:]) & set(sys.modules)))"
    heavy = ["numpy", "numba", "pandas", "sklearn", "scipy", "matplotlib"]
    done = subprocess.run(
        [sys.executable, "-c", code, *heavy],
        env={"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", criteria.CRITERIA)
def test_criteria(name):
    entry = criteria.CRITERIA[name]
    module = importlib.import_module(entry.module)
    assert module.__name__.rpartition(".")[2] == name and module.__doc__
    takes = list(inspect.signature(module.build).parameters)
    assert takes == ["n_root", "n_classes"] + ([entry.parameter] if entry.parameter else [])
    assert set(entry.tasks) <= {"binary", "multiclass"} and entry.low < entry.high
    if entry.parameter:
        defaults = ironbark.RobustDecisionTreeClassifier().get_params()
        criteria.check_parameter(name, defaults[entry.parameter])
        with pytest.raises(ironbark.InputError, match=f"{entry.parameter}=-1"):
            criteria.check_parameter(name, -1)


@pytest.mark.parametrize("task", ["binary", "multiclass"])
@pytest.mark.parametrize("name", noise.NOISE_MODELS)
def test_noise_models(name, task):
    model = noise.NOISE_MODELS[name]
    function = getattr(importlib.import_module(model.module), name)
    assert list(inspect.signature(function).parameters)[:5] == ["X", "y", "n_classes", "rate", "rng"]
    assert set(inspect.signature(function).parameters) >= set(model.params)
    if task not in model.tasks:
        return
    k = 2 if task == "binary" else 3
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(k), 30)
    X = rng.normal(size=(len(y), 4)) + y[:, None]
    rate = {0: None, 1: 0.2, 2: (0.1, 0.2)}[model.rates]
    results = [noise.apply(name, X, y, k, rate, np.random.default_rng(1)) for _ in range(2)]
    assert results[0].labels.dtype == np.int64 and results[0].labels.shape == y.shape
    assert set(results[0].labels) <= set(range(k))
    np.testing.assert_allclose(results[0].transition.sum(axis=1), 1)
    np.testing.assert_array_equal(results[0].labels, results[1].labels)
    np.testing.assert_array_equal(y, np.repeat(np.arange(k), 30))


@pytest.mark.parametrize("kind", protocols.PROTOCOLS)
def test_protocols(kind):
    entry = protocols.PROTOCOLS[kind]
    parameters = inspect.signature(importlib.import_module(entry.module).splits).parameters
    assert list(parameters)[:4] == ["y", "split", "seed_ids", "repeats"]
    assert {n: p.default for n, p in list(parameters.items())[4:]} == entry.options
    y = np.arange(60) % 3
    split = (np.arange(60) % 5 == 0).astype(np.uint8)
    few = list(protocols.splits(kind, y, split, ("a",), repeats=2))
    many = list(protocols.splits(kind, y, split, ("a",), repeats=3))
    assert [s[:2] for s in many[: len(few)]] == [s[:2] for s in few]
    assert len({s[:2] for s in many}) == len(many)
    for one, two in zip(few, many, strict=False):
        np.testing.assert_array_equal(one.train, two.train)
        np.testing.assert_array_equal(one.test, two.test)
        assert one.train.dtype == one.test.dtype == np.int64
        assert not set(one.train) & set(one.test)


@pytest.mark.parametrize("name", SOURCES)
def test_sources(name):
    entry = SOURCES[name]
    module = importlib.import_module(entry.module)
    assert list(inspect.signature(module.fetch).parameters) == ["id", "entry", "folder", "mirror"]
    assert set(entry.choices) <= {*entry.required, *entry.either, *entry.optional}


def test_metrics_are_columns_or_scored_on_request():
    assert set(metrics.METRICS) - set(records.COLUMNS) == set(metrics.ON_REQUEST)
    assert set(metrics.ALWAYS) <= set(records.COLUMNS)
    assert {metric.output for metric in metrics.METRICS.values()} == {"", "probabilities", "label_quality"}


def test_kinds_agree_with_the_registries():
    assert set(kinds.FIGURE_KINDS) == set(figures.FIGURES)
    assert set(kinds.PUBLISHED_FILES) == set(numbers.PUBLISHED)
    assert set(result_table.TABLES) | set(table.DATA) <= set(kinds.TABLE_KINDS)
    assert set(kinds.PRINTED_DATASETS) == set(dataset_tables.PRINTED)


@pytest.mark.parametrize("kind", kinds.TABLE_KINDS)
def test_tables(kind):
    modules = [importlib.import_module(name) for name in kinds.TABLE_MODULES[kind]]
    assert inspect.isfunction(modules[0].build)


@pytest.mark.parametrize("kind", figures.FIGURES)
def test_figures(kind):
    parameters = inspect.signature(figures.resolve(kind)).parameters
    assert figures.resolve(kind).__module__ == figures.module_of(kind)
    assert list(parameters)[1:3] == ["spec", "labels"]
    assert {"noise_labels", "dataset_labels", "caption_note"} <= set(parameters)


@pytest.mark.parametrize("name", kinds.PUBLISHED_FILES)
def test_printed_numbers_can_be_read(name):
    frame = numbers.PUBLISHED[name](ROOT / "data/published" / kinds.PUBLISHED_FILES[name])
    assert isinstance(frame, pd.DataFrame) and list(frame.columns) == numbers.COLUMNS and len(frame)
    assert frame["mean"].between(0, 1).all()


def test_data_kinds_of_figures():
    from ironbark.pipeline.jobs.figure import DATA

    assert set(DATA) <= set(figures.FIGURES)
