"""Planned cost of fits and jobs: by hand, monotone in the work, and never less for a later attempt."""

import itertools
import math

import pytest

from ironbark.pipeline.plan.cost import fits, forecast, resources
from ironbark.pipeline.plan.specs import Plan

FIXED = {"kind": "fixed-split", "repeats": 5, "options": {"max_train": None}}
SIZE = {"n": 1000, "d": 16, "k": 8, "split": {"train_size": 0.8}}
CELLS = 800 * 16 + 5000
TREE = {"estimator": "ironbark.RobustDecisionTreeClassifier", "params": {}, "tune": {}}
FOREST = {"estimator": "ironbark.RobustRandomForestClassifier", "params": {"n_estimators": 50}, "tune": {}}
NO_NUMBERS = ("50", [5, 6], -5, None, math.inf, 10**400)


def seconds(method=TREE, size=SIZE, task="binary", protocol=FIXED, **tune):
    return fits.seconds({"params": {}, **method, "tune": tune}, size, task, protocol)


def within(name, *inner, **params):
    return {"estimator": name, "params": {**params, "steps": [["step", entry] for entry in inner]}, "tune": {}}


@pytest.mark.parametrize(
    ("method", "task", "nanoseconds"),
    [
        (TREE, "binary", 101),
        (TREE, "multiclass", 113),
        (FOREST, "binary", 50 * 22),
        *((FOREST | {"params": {"n_estimators": wrong}}, "binary", 100 * 22) for wrong in NO_NUMBERS),
        ({"estimator": "ironbark.RobustXGBClassifier"}, "binary", 100 * 58),
        ({"estimator": "ironbark.AdaBoostClassifier"}, "binary", 100 * 20),
        ({"estimator": "sklearn.ensemble.AdaBoostClassifier"}, "binary", 100 * 144),
        ({"estimator": "mine.Mine", "params": {"n_estimators": 3}}, "binary", 3 * 296),
        (within("sklearn.pipeline.Pipeline", FOREST, TREE), "binary", 50 * 22 + 101),
        (within("ironbark.CleanedClassifier", FOREST), "binary", 5 * 50 * 22),
        (within("sklearn.ensemble.BaggingClassifier", TREE, n_estimators=9), "binary", 9 * 101),
    ],
)
def test_by_hand(method, task, nanoseconds):
    assert seconds(method, task=task) == pytest.approx(nanoseconds * 1e-9 * CELLS)


def test_forests_look_at_few_of_many_features():
    wide = [seconds(method, SIZE | {"d": 2500}) * 1e9 for method in (TREE, FOREST)]
    assert wide == pytest.approx([101 * (800 * 2500 + 5000), 50 * 22 * (800 * 5.5 * 50 + 5000)])


@pytest.mark.parametrize(
    ("tune", "models"),
    [
        ({}, 1),
        ({"test_size": 0.2, "refit": False, "grid": {"lam": [0, 1], "max_depth": [1, 2]}}, 4 * 0.8),
        ({"test_size": 0.2, "refit": True, "grid": {"lam": [0, 1], "max_depth": [1, 2]}}, 4 * 0.8 + 1),
        ({"cv": 5, "grid": {"lam": [0, 1, 2]}}, 13),
        ({"cv": 5, "grid": {"min_samples_split": [2, 10, 40]}}, 5),  # all are read off one fit for each fold
        ({"cv": 5, "trials": 10, "space": {}, "max_samples": 160}, 1 + 40 / 5),
        ({"cv": 5, "trials": 10, "space": {"n_estimators": {"low": 50, "high": 150}}}, 41 * 2),
        ({"cv": 3, "grid": {"n_estimators": [50, 150]}}, 5 * 2),
    ],
)
def test_tuning_multiplies(tune, models):
    assert seconds(FOREST, **tune) == pytest.approx(models * seconds(FOREST))
    chosen = fits.seconds({**FOREST, "tune": {**tune, "space": {}, "grid": {}}}, SIZE, "binary", FIXED, chosen=True)
    assert chosen == pytest.approx(seconds(FOREST))


@pytest.mark.parametrize(
    ("options", "more", "rows"),
    [
        ({}, {"split": {"train_rows": 600}}, 600),
        ({}, {"split": {"column": "part"}}, 750),
        ({}, {"split": {"train_size": 0.8}, "n_train": 123}, 123),
        ({"max_train": 100}, {}, 100),
        ({"folds": 5}, {"split": {"train_rows": 600}, "n_train": 123}, 800),
        ({"test_size": 0.1}, {}, 900),
        ({"sizes": [100, 200, 600], "test_size": 0.1}, {}, 300),
    ],
)
def test_training_rows(options, more, rows):
    assert fits.training_rows({"n": 1000, **more}, {"options": options}) == rows


def test_memory_and_disk_by_hand():
    mnist = {"n": 70000, "d": 784, "split": {"train_rows": 60000}}
    data = 350 + 70000 * 784 * 17 / 1e6
    assert fits.megabytes(mnist, FIXED) == fits.megabytes(mnist, FIXED, [TREE]) == pytest.approx(data)
    for method in (FOREST, within("ironbark.CleanedClassifier", FOREST)):
        assert fits.megabytes(mnist, FIXED, [TREE, method]) == pytest.approx(data + 50 * 60000 * 60 / 1e6)
    assert fits.disk({"n": 10000, "d": 100}, 7, 1000) == pytest.approx(2.6 + 0.112 + 2)


def test_the_printed_costs_of_a_study(config, tmp_path):
    config["settings"]["scale"] = "smoke"
    config["datasets"]["two"]["expect"] |= {"n": 2_000_000, "d": 100}
    del config["datasets"]["three"]["expect"]
    plan = Plan(config)
    study, size = plan.study("small", "smoke"), fits.size_of(config["datasets"]["two"])
    lines = forecast.lines(plan, ["small"], 3, tmp_path)
    assert lines[1].startswith("small, scale smoke: 2 repeats at most")
    two, three, in_all = (line.split() for line in lines[3:6])
    hours = [2 * fits.seconds(study.methods[name], size, "binary", study.protocol) / 3600 for name in study.methods]
    assert two == ["two", "6", f"{sum(hours):.3g}", "3.8", "GB", "526", "MB"]
    assert (three[:2], three[3:]) == (["three", "2"], ["350", "MB", "0", "MB"])
    assert (in_all[:3], in_all[4:]) == (["in", "all", "8"], two[3:])
    assert lines[7] == "Not prepared yet, so taken as 1000 samples of 20 features: three."
    # one of each batch, labels, table, figure, rows and report; two of each data set
    assert lines[9].startswith("In all 12 jobs and 0.00667 CPU hours") and "about 8.0 s on 3 cores" in lines[9]


def test_wall_time_against_every_order():
    jobs = [3.0, 3.0, 2.0, 2.0, 2.0]
    assert forecast.wall_seconds(jobs, 1) == sum(jobs) and forecast.wall_seconds(jobs, 9) == 3
    best = min(max(sum(j for j, c in zip(jobs, cores, strict=True) if c == k) for k in (0, 1))
               for cores in itertools.product((0, 1), repeat=5))  # fmt: skip
    assert best <= forecast.wall_seconds(jobs, 2) <= 7 / 6 * best  # the known bound for two cores


def asked_by(plan, method, attempt=1):
    batches = plan.study("small", "full").batches
    name = next(name for name, parts in batches.items() if any(method in part.methods for part in parts))
    return resources.shard(plan, "small", "full", name, attempt)


def test_jobs_ask_for_time_and_memory(config):
    first, *more = (asked_by(Plan(config), "dt-gini", attempt) for attempt in (1, 2, 3))
    least = resources.LEAST_MINUTES
    assert first["mem_mb"] == resources.LEAST_MB and least < first["runtime"] <= 25
    for attempt, again in enumerate(more, 2):
        assert again["mem_mb"] == first["mem_mb"] * 2 ** (attempt - 1)
        assert again["runtime"] == least * attempt + (first["runtime"] - least) * 2 ** (attempt - 1)
    plan = Plan(config)
    config["datasets"]["two"]["expect"] |= {"n": 2_000_000, "d": 100}
    study, size = plan.study("small", "full"), fits.size_of(config["datasets"]["two"])
    needed = 5 * fits.seconds(study.methods["rf-gini"], size, "binary", study.protocol)
    megabytes = fits.megabytes(size, study.protocol, [study.methods["rf-gini"]])
    asked = asked_by(plan, "rf-gini")
    assert asked["runtime"] >= 3 * needed / 60 > 20 and 1.5 * megabytes <= asked["mem_mb"] <= 1.5 * megabytes + 100
    assert resources.labels(plan, "small", "full", "two", 1)["mem_mb"] >= 1.5 * 3400
    assert resources.table(plan, "two", 1)["mem_mb"] >= 1.5 * 8000
    assert resources.table(plan, "own", 1)["mem_mb"] == resources.LEAST_MB, "of unknown size"
    shards = [resources.shard(plan, "small", "full", name, 1) for name in study.batches]
    imported = resources.import_pack(plan, "small", "full", 1)
    assert imported["mem_mb"] == max(one["mem_mb"] for one in shards) and imported["runtime"] < asked["runtime"]
