"""Which fits run together: all of them once, those of one criterion in one job, long ones apart."""

import itertools

import pytest

from ironbark.plan.batches import batches, seconds
from ironbark.plan.study import plan


def fits(found):
    return [
        (b.dataset, b.task, noise, method) for b in found for noise, method in itertools.product(b.noises, b.methods)
    ]


@pytest.mark.parametrize("minutes", [10, 0.01, 0.002, 1e-9])
def test_every_fit_is_in_one_batch_and_names_are_unique(config, minutes):
    config["settings"]["batch_minutes"] = minutes
    study = plan(config, "small", "full")
    expected = [
        (*cell, noise, method)
        for cell, (noises, methods) in study.cells.items()
        for noise, method in itertools.product(noises, methods)
    ]
    assert sorted(fits(study.batches)) == sorted(expected)
    names = [(b.dataset, b.task, b.name) for b in study.batches]
    assert len(set(names)) == len(names)


def test_cheap_fits_are_merged_by_criterion(config):
    found = plan(config, "small", "full").batches
    assert [(b.name, b.methods) for b in found if b.dataset == "two"] == [
        ("gini", ["dt-gini", "rf-gini"]),
        ("entropy", ["dt-entropy"]),
    ]


def test_a_tree_of_the_default_criterion_runs_with_those_that_name_it(config):
    del config["methods"]["dt-gini"]["params"]
    assert plan(config, "small", "full").batches[0].methods == ["dt-gini", "rf-gini"]


def test_long_fits_are_split_by_noise_then_by_method(config):
    config["settings"]["batch_minutes"] = 1e-9
    found = plan(config, "small", "full").batches
    assert [b.name for b in found if b.dataset == "two"][:4] == [
        "dt-gini--clean", "rf-gini--clean", "dt-gini--uniform-0.2", "rf-gini--uniform-0.2"
    ]  # fmt: skip
    assert all(len(b.noises) == len(b.methods) == 1 for b in found)
    study = plan(config, "small", "full")
    cost = {n: 5 * seconds(study.methods[n], {"n": 569, "d": 30}, study.protocol) for n in ("dt-gini", "rf-gini")}
    config["settings"]["batch_minutes"] = 1.5 * sum(cost.values()) / 60  # one noise fits in, two don't
    halves = batches(config, {("two", "binary"): (["clean", "cc"], list(cost))}, study.methods, study.protocol)
    assert [b.name for b in halves] == ["gini--clean", "gini--cc"]


def test_seconds_grow_with_the_work(config):
    study = plan(config, "small", "full")
    tree, forest, size = study.methods["dt-gini"], study.methods["rf-gini"], {"n": 1000, "d": 10}
    assert seconds(forest, size, study.protocol) > 10 * seconds(tree, size, study.protocol)
    assert seconds(tree, {"n": 10**6, "d": 10}, study.protocol) > 500 * seconds(tree, size, study.protocol)
    tuned = {**tree, "tune": {"grid": {"lam": [0, 1], "max_depth": [1, 2]}}}
    assert seconds(tuned, {"n": 10**6, "d": 10}, study.protocol) > 3 * seconds(
        tree, {"n": 10**6, "d": 10}, study.protocol
    )
    capped = {**study.protocol, "options": {"max_train": 100}}
    assert seconds(tree, {"n": 10**6, "d": 10}, capped) == seconds(tree, {"n": 100, "d": 10}, capped)
    assert seconds(tree, {}, study.protocol) > 0
