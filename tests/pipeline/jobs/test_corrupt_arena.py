"""The noises of config/noise/arena.yaml in the job that corrupts, and columns by name."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.data import bundle
from ironbark.pipeline.jobs.corrupt import by_position
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.study.study import check_noise
from ironbark.pipeline.results import noisy_labels

ROOT = Path(__file__).parents[3]
CONFIG = read(
    ROOT / "config", ROOT / "workflow/schemas", yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
)
WRITTEN = yaml.safe_load((ROOT / "config/noise/arena.yaml").read_text("utf-8"))
NOISES = [name for name in CONFIG["noises"] if {name, name.rpartition("-0.")[0]} & WRITTEN.keys() - {"observed"}]
META = {"id": "small", "features": ["age", "sex", "city=Rome"], "categories": {"sex": ["f", "m"]}}


@pytest.mark.parametrize("task", ["binary", "multiclass"])
@pytest.mark.parametrize("noise_id", NOISES)
def test_noises_of_the_arena_corrupt(prepared, labels, noise_id, task):
    y = bundle.load(prepared).y(task)
    k = 2 if task == "binary" else 3
    about = json.loads(json.dumps(check_noise(CONFIG, noise_id, task, k)))  # jobs get JSON
    path = labels(renamed=noise_id, noise=about, task=task)
    content, found = path.read_bytes(), noisy_labels.read(path, noise_id)
    for split, noisy, transition in zip(found.splits, found.noisy, found.transition, strict=True):
        assert (noisy != y[split.train]).any() and noisy.max() < k
        np.testing.assert_allclose(transition.sum(axis=1), 1)
    assert labels(renamed=noise_id, noise=about, task=task).read_bytes() == content


def test_a_column_is_named(prepared, labels):
    about = {"model": "threshold", "rate": 0.3, "params": {"column": "b", "quantile": 0.5}}
    named = noisy_labels.read(labels(noise=about), "uniform-0.2")
    about["params"]["column"] = 1
    numbered = noisy_labels.read(labels(noise=about), "uniform-0.2")
    X, y = bundle.load(prepared).features.decode(), bundle.load(prepared).y("multiclass")
    for split, one, two in zip(named.splits, named.noisy, numbered.noisy, strict=True):
        assert np.array_equal(one, two)
        column = X[split.train, 1]
        assert not (one != y[split.train])[column <= np.median(column)].any()


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"exact": True}, {"exact": True}),
        ({"column": "sex", "value": "m"}, {"column": 1, "value": 1}),
        ({"column": "city=Rome", "value": 1}, {"column": 2, "value": 1}),
    ],
)
def test_names_become_positions(params, expected):
    assert by_position(params, META) == expected
    numbered = {**META, "categories": {"sex": ["1", "2", "3"]}}
    assert by_position({"column": "sex", "value": 2}, numbered) == {"column": 1, "value": 1}


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"column": "town"}, "'small' has no feature 'town', .*; choose one of age, sex, city=Rome"),
        ({"column": "sex", "value": "x"}, "has no category 'x' of feature 'sex', .* one of f, m"),
        ({"column": "age", "value": "old"}, "has no category 'old' of feature 'age', .*; give a number"),
        ({"column": 7, "value": "f"}, "has no category 'f' of feature None"),
    ],
)
def test_unknown_names(params, sentence):
    with pytest.raises(InputError, match=sentence):
        by_position(params, META)
