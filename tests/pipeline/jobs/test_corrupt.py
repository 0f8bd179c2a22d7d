"""Labels files: what is read is what was written, it depends on the ids alone, and columns may be named."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.data import bundle
from ironbark.pipeline.jobs.corrupt import by_position
from ironbark.pipeline.plan.study.study import check_noise
from ironbark.pipeline.results import noisy_labels

ROOT = Path(__file__).parents[3]
WRITTEN = yaml.safe_load((ROOT / "config/noise/arena.yaml").read_text("utf-8")).keys() - {"observed"}
META = {"id": "small", "features": ["age", "sex", "city=Rome"], "categories": {"sex": ["f", "m"]}}


@pytest.mark.parametrize("task", ["binary", "multiclass"])
def test_every_noise_of_the_arena_is_consistent_and_the_same_again(prepared, labels, shipped, tmp_path, task):
    y, k = bundle.load(prepared).y(task), 2 if task == "binary" else 3
    names = [name for name in shipped.config["noises"] if {name, name.rpartition("-0.")[0]} & WRITTEN]
    names += ["clean", "uniform-0.2", *(["mahalanobis"] if k > 2 else [])]
    noises = {name: check_noise(shipped.config, name, task, k) for name in names}
    noises = json.loads(json.dumps(noises))  # as jobs get them
    path = labels(noises=noises, task=task)
    content, found = path.read_bytes(), {name: noisy_labels.read(path, name) for name in noises}
    for name, one in found.items():
        for split, noisy, flips in zip(one.splits, one.noisy, one.flips, strict=True):
            assert not set(split.train) & set(split.test) and len(split.train) + len(split.test) == len(y)
            assert np.array_equal(
                flips, [[np.sum(noisy[y[split.train] == i] == j) for j in range(k)] for i in range(k)]
            )
            assert len(noisy) == len(split.train) == flips.sum()
            assert (noisy != y[split.train]).any() == (name != "clean"), name
        np.testing.assert_allclose(one.transition.sum(axis=2), 1)
    np.testing.assert_array_equal(found["clean"].transition, np.broadcast_to(np.eye(k), (2, k, k)))
    noisy_labels.write(found, tmp_path / "again.npz")
    assert labels(noises=noises, task=task).read_bytes() == content == (tmp_path / "again.npz").read_bytes()


def test_first_repeats_do_not_depend_on_their_number(labels):
    two, three = (noisy_labels.read(labels(repeats=number), "uniform-0.2") for number in (2, 3))
    for i in range(2):
        np.testing.assert_array_equal(two.noisy[i], three.noisy[i])
    assert (three.noisy[2] != three.noisy[0]).any()
    other = noisy_labels.read(labels(renamed="uniform-0.2-again"), "uniform-0.2-again")
    assert (two.noisy[0] != other.noisy[0]).any()


def test_what_is_wrong_leaves_no_file(tmp_path, labels, prepared):
    with pytest.raises(ValueError, match="'uniform-0.2' on data set 'small': .*rate"):
        labels(noise={"model": "uniform", "rate": 0.9, "params": {}})
    assert not (tmp_path / "labels" / "multiclass.npz").exists()
    target = np.load(prepared / "target.npy")
    np.save(prepared / "target.npy", target[::-1])
    with pytest.raises(InputError, match="are not those of its meta.json; remove the folder"):
        labels()
    assert not list(tmp_path.glob("**/*.npz"))


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
