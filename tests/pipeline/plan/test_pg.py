"""Studies of the pairwise-gain paper: what a switch changes, and nothing else."""

import pytest
from pipeline.jobs.rerun import planned_with

CRITERIA = {"pairwise": "pairwise_gain", "gini": "gini", "entropy": "entropy"}
WORDS = ("label", "about")


@pytest.fixture(scope="module")
def plan():
    return planned_with()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_switch_changes_one_thing(plan, criterion):
    methods = {
        name: {key: value for key, value in entry.items() if key not in WORDS}
        for name, entry in plan.config["methods"].items()
    }
    base = methods[f"pg-rf-{criterion}"] | {"tasks": ["binary"]}
    assert base["params"]["criterion"] == CRITERIA[criterion]
    for name, estimator in (("votes", "voting.VotingForest"), ("distinct", "distinct_samples.DistinctSampleForest")):
        changed = {"estimator": f"ironbark.pipeline.diagnostics.{estimator}"}
        assert methods[f"pg-rf-{name}-{criterion}"] == base | changed
    for k in base["tune"]["grid"]["min_samples_split"]:
        fixed = base | {"params": base["params"] | {"min_samples_split": k}, "tune": {}}
        assert methods[f"pg-rf-k{k}-{criterion}"] | {"tune": {}} == fixed
        votes = fixed | {"estimator": "ironbark.pipeline.diagnostics.voting.VotingForest"}
        assert methods[f"pg-rf-votes-k{k}-{criterion}"] | {"tune": {}} == votes


def test_variants_run_every_switch_on_the_labels_of_the_small_study(plan):
    study, small = (plan.study(name, "full") for name in ("pg-variants", "pg-laptop"))
    assert study.protocol == small.protocol
    for (dataset, task), (noises, methods) in study.cells.items():
        assert {"class-conditional-0.1-0.3", "class-conditional-by-size-0.2-0.4"} < set(noises)
        assert (dataset, task) in small.cells and len(methods) == 3 * (3 + 2 * 6)


def test_claims_have_forests_under_symmetric_noise(plan):
    study = plan.study("pg-claims", "full")
    assert study.tables["claims"]["kind"] == "pg-claims" and set(study.compare["methods"]) == {"DT", "RF"}
    noises, methods = study.cells["heart", "binary"]
    assert {"uniform-0.1", "uniform-0.4", "class-conditional-0.1-0.3"} <= set(noises) and "pg-rf-gini" in methods
