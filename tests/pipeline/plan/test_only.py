"""`--config only=[...]`: the fits, tables and figures that are left of a study, and where its results go."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.plan.study import only


def narrowed(config, *items):
    config["settings"]["only"] = list(items)
    plan = Plan(config)
    return plan, plan.study(plan.part("small"), "full")


@pytest.mark.parametrize(
    ("items", "blocks"),
    [
        (["two", "dt-gini", "clean"], [("two", "binary", ["clean"], ["dt-gini"])]),
        (["three"], [("three", "multiclass", ["clean", "uniform-0.6"], ["dt-gini"])]),
        (["trees", "uniform-*"],
         [("two", "binary", ["uniform-0.2"], ["dt-gini", "dt-entropy"]), ("three", "multiclass", ["uniform-0.6"],
                                                                         ["dt-gini"])]),
        (["binary"], [("two", "binary", ["clean", "uniform-0.2"], ["dt-gini", "dt-entropy", "rf-gini"])]),
        (["curves", "rf-*"], [("two", "binary", ["clean", "uniform-0.2"], ["rf-gini"])]),
    ],
)  # fmt: skip
def test_ids_groups_patterns_and_tables_keep_their_fits(config, items, blocks):
    config["groups"] = {"methods": {"trees": ["dt-gini", "dt-entropy"]}, "noises": {}}
    _, study = narrowed(config, *items)
    assert study.blocks == blocks
    assert {part.dataset for batch in study.batches for part in batch.parts} == {block[0] for block in blocks}
    assert set(study.methods) == {name for block in blocks for name in block[3]}


def test_results_have_a_folder_of_their_own_and_captions_say_what_is_left(config):
    plan, study = narrowed(config, "two", "dt-gini", "dt-entropy")
    whole = plan.study("small", "full")
    assert study.folder == "results/only/dt-entropy+dt-gini+two/small/full" and whole.folder == "results/small/full"
    assert study.title.endswith("(only two, dt-gini, dt-entropy)")
    note = plan.caption(study.id, "full", "tables", "binary")
    assert note.endswith("Study small, scale full: only two, dt-gini, dt-entropy.")
    assert "only" not in plan.caption("small", "full", "tables", "binary")
    assert all(path.startswith(study.folder) for path in plan.artefacts(study.id, "full"))
    assert plan.shard_inputs(study.id, "full", study.batches[0].name)["labels"] == [
        f"{study.folder}/labels/two/binary.npz"
    ]


def test_folders_of_different_parts_differ():
    names = [["a", "b"], ["a*"], ["a"], ["a" * 50, "b" * 50], ["a" * 50, "c" * 50]]
    assert len({only.folder(items) for items in names}) == len(names)
    assert only.folder(["b", "a"]) == only.folder(["a", "b", "a"]) == "only/a+b"


@pytest.mark.parametrize("spec", [{"reference": "rf"}, {"risk_of": "rf"}, {"printed_methods": {"RF": "rf"}}])
def test_a_table_without_the_methods_that_it_compares_with_is_left_out(spec):
    assert only._has_methods(spec, {"dt": {}, "rf": {}}) and not only._has_methods(spec, {"dt": {}})


@pytest.mark.parametrize(
    ("items", "words"),
    [
        (["dt-ginni"], "'dt-ginni' is no id, no group and no pattern of ids; did you mean 'dt-gini'"),
        (["qq*"], "'qq*' is no id, no group and no pattern of ids; name data sets"),
        (["own"], "study 'small': --config only=own keeps none of its fits"),
    ],
)
def test_what_leaves_nothing_is_refused(config, items, words):
    with pytest.raises(InputError) as raised:
        narrowed(config, *items)
    assert words in str(raised.value)


def test_a_part_of_another_run_is_refused(config):
    plan, _ = narrowed(config, "two")
    with pytest.raises(InputError, match="results/only/three/small is a part of a study; give the --config only"):
        plan.study("only/three/small", "full")


def test_parts_of_a_study_with_nothing_left_have_no_fits(config):
    plan, study = narrowed(config, "three")
    config["studies"]["other"] = config["studies"]["small"] | {"grids": [config["studies"]["small"]["grids"][0]]}
    assert plan.has_fits(study.id) and not plan.has_fits(plan.part("other"))
