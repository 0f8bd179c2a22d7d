"""What jobs ask of a cluster: never less than the estimate, more at each attempt."""

import pytest

from ironbark.pipeline.plan.cost import fits as cost
from ironbark.pipeline.plan.cost import resources
from ironbark.pipeline.plan.specs import Plan


@pytest.fixture
def plan(config):
    return Plan(config)


def batch_of(plan, method):
    batches = plan.study("small", "full").batches
    return next(batch for batch in batches if any(method in part.methods for part in batch.parts))


def test_small_jobs_ask_for_the_least(plan):
    name = batch_of(plan, "dt-gini").name
    asked = resources.shard(plan, "small", "full", name, 1)
    assert asked["mem_mb"] == resources.LEAST_MB and resources.LEAST_MINUTES < asked["runtime"] <= 25


@pytest.mark.parametrize("attempt", [1, 2, 3])
def test_each_attempt_asks_for_more(plan, attempt):
    name = batch_of(plan, "rf-gini").name
    first = resources.shard(plan, "small", "full", name, 1)
    asked = resources.shard(plan, "small", "full", name, attempt)
    assert asked["mem_mb"] == first["mem_mb"] * 2 ** (attempt - 1)
    fits = first["runtime"] - resources.LEAST_MINUTES
    assert asked["runtime"] == resources.LEAST_MINUTES * attempt + fits * 2 ** (attempt - 1)


def test_large_jobs_ask_for_more_than_the_estimate(config, plan):
    config["datasets"]["two"]["expect"] |= {"n": 2_000_000, "d": 100}
    study = plan.study("small", "full")
    batch = batch_of(plan, "rf-gini")
    size = cost.size_of(config["datasets"]["two"])
    noises = [config["noises"][noise_id] for part in batch.parts for noise_id in part.noises]
    methods = [study.methods[name] for part in batch.parts for name in part.methods]
    seconds = 5 * sum(cost.seconds(m, size, "binary", study.protocol, n) for m in methods for n in noises)
    asked = resources.shard(plan, "small", "full", batch.name, 1)
    assert asked["runtime"] >= 3 * seconds / 60 > 20
    models = [cost.model_megabytes(m, size, "binary", study.protocol, n) for m in methods for n in noises]
    megabytes = cost.megabytes(size, study.protocol, model=max(models))
    assert megabytes > 1000 and max(models) > 100
    assert 1.5 * megabytes <= asked["mem_mb"] <= 1.5 * megabytes + 100


def test_labels_that_look_at_the_features_take_more(config):
    config["datasets"]["two"]["expect"] |= {"n": 1_000_000, "d": 100}
    plain = resources.labels(Plan(config), "small", "full", "two", "binary", 1)
    config["noises"]["uniform-0.2"] = {"model": "borderline", "rate": 0.2}
    assert resources.labels(Plan(config), "small", "full", "two", "binary", 1)["mem_mb"] > plain["mem_mb"]


def test_a_table_is_read_into_memory(config, plan):
    config["datasets"]["two"]["expect"] |= {"n": 1_000_000, "d": 100}
    assert resources.table(plan, "two", 1)["mem_mb"] >= 1.5 * 4000
    assert resources.table(plan, "own", 1)["mem_mb"] == resources.LEAST_MB, "of unknown size"


def test_training_a_network_asks_for_hours(config, plan):
    entry = {"title": "E", "source": "vgg11", "images": "two", "expect": {"n": 60_000, "d": 512}}
    config["datasets"]["embedded"] = entry
    asked = [resources.fetch(plan, name, 1)["runtime"] for name in ("two", "embedded")]
    assert asked[0] == 60 and asked[1] > 600
    assert [resources.fetch_threads(plan, name) for name in ("two", "embedded")] == [1, 4]
    assert [resources.fetch(plan, "embedded", attempt)["mem_mb"] for attempt in (1, 2)] == [3900, 7800]
    entry["epochs"] = 1
    assert 60 < resources.fetch(plan, "embedded", 1)["runtime"] < 200
    entry["weights"] = "weights.pt"
    assert [resources.fetch(plan, "embedded", attempt)["runtime"] for attempt in (1, 2)] == [60, 120]
