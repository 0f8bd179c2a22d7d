"""Which fits run together: all of them once, cheap ones in one job, long ones apart."""

import itertools

import pytest

from ironbark.pipeline.plan.cost.fits import seconds, size_of
from ironbark.pipeline.plan.study import batches
from ironbark.pipeline.plan.study.batches import LEAST, seconds_of
from ironbark.pipeline.plan.study.study import plan


def fits(found):
    return [
        (part.dataset, part.task, noise, method)
        for batch in found
        for part in batch.parts
        for noise, method in itertools.product(part.noises, part.methods)
    ]


@pytest.mark.parametrize("minutes", [10, 0.01, 0.002, 1e-9])
def test_every_fit_is_in_one_batch_and_names_are_unique(config, minutes):
    config["settings"]["batch_minutes"] = minutes
    grids = config["studies"]["small"]["grids"]
    grids.append({**grids[0], "noises": ["uniform-0.2", "cc"], "methods": ["sk", "dt-gini"]})  # overlaps the first
    study = plan(config, "small", "full")
    expected = {
        (dataset, task, noise, method)
        for grid in grids
        for dataset, task, noise, method in itertools.product(*(grid[k] for k in grid))
    }
    assert sorted(fits(study.batches)) == sorted(expected)
    names = [batch.name for batch in study.batches]
    assert len(set(names)) == len(names)


def shape(found):
    """Data sets and methods of each batch."""
    return {b.name: ([part.dataset for part in b.parts], [list(part.methods) for part in b.parts]) for b in found}


def test_cheap_fits_of_the_same_libraries_share_a_job_unless_the_class_is_a_users(config, study, monkeypatch):
    config["datasets"]["second"] = config["datasets"]["two"]
    study["grids"][0]["datasets"].append("second")
    monkeypatch.setattr(batches, "is_own", "sklearn.tree".__eq__)
    study["grids"][1]["methods"] = ["dt-gini", "dt-entropy", "sk"]
    assert shape(plan(config, "small", "full").batches) == {
        "two/binary/gini": (["two", "two", "second", "second"], [["dt-gini", "rf-gini"], ["dt-entropy"]] * 2),
        "three/multiclass/gini": (["three"] * 2, [["dt-gini"], ["dt-entropy"]]),
        "three/multiclass/sk": (["three"], [["sk"]]),
    }
    monkeypatch.undo()
    assert list(shape(plan(config, "small", "full").batches)) == ["two/binary/gini", "three/multiclass/gini"]


def test_longer_fits_are_split_by_data_set_then_by_noise_then_by_method(config, study):
    config["datasets"]["second"] = config["datasets"]["two"]
    study["grids"] = [{**study["grids"][0], "datasets": ["two", "second"], "methods": ["dt-gini", "rf-gini"]}]
    whole = plan(config, "small", "full")
    size = size_of(config["datasets"]["two"])

    noise = 5 * sum(seconds(whole.methods[name], size, "binary", whole.protocol) for name in ("dt-gini", "rf-gini"))

    def names(allowed):
        config["settings"]["batch_minutes"] = allowed / 60
        return [batch.name for batch in plan(config, "small", "full").batches]

    noises = ["clean", "uniform-0.2"]
    assert names(4.2 * noise / LEAST) == ["two/binary/gini"]
    assert names(2.2 * noise) == ["two/binary/gini", "second/binary/gini"]
    assert names(1.1 * noise) == [f"{data}/binary/gini--{noise}" for data in ("two", "second") for noise in noises]
    assert names(0.9 * noise)[:3] == [
        "two/binary/dt-gini--clean", "two/binary/rf-gini--clean", "two/binary/dt-gini--uniform-0.2"
    ]  # fmt: skip


def test_what_one_method_chooses_for_another_runs_with_it_and_counts_once(config, study):
    ane = config["methods"]["dt-ane"]
    config["methods"]["dt-ane-refit"] = refit = {**ane, "tune": {**ane["tune"], "refit": True}}
    study["grids"] = [{**study["grids"][0], "methods": ["dt-ane", "dt-gini", "dt-ane-refit"]}]
    config["settings"]["batch_minutes"] = 1e-9  # no two methods share a job unless they must
    found = plan(config, "small", "full")
    assert shape(found.batches) == {
        f"two/binary/{methods[0]}--{noise}": (["two"], [methods])
        for noise in ("clean", "uniform-0.2")
        for methods in (["dt-ane", "dt-ane-refit"], ["dt-gini"])
    }
    part, size = found.batches[0].parts[0], size_of(config["datasets"]["two"])
    search = seconds(found.methods["dt-ane"], size, "binary", found.protocol)
    once = seconds(found.methods["dt-ane"] | {"tune": {}}, size, "binary", found.protocol)
    assert seconds_of(part, size, found.methods, found.protocol) == pytest.approx(5 * (search + once))
    refit["tune"]["grid"] = {"lam": [0, 1]}  # another choice
    parts = [part.methods for batch in plan(config, "small", "full").batches for part in batch.parts]
    assert sorted(parts) == sorted(2 * [("dt-ane",), ("dt-ane-refit",), ("dt-gini",)])
