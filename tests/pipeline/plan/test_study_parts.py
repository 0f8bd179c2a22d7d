"""Parts of studies: those that a study lists, and what `--config only=[...]` keeps."""

import copy

import pytest
from pipeline.plan.small import caption

from ironbark.errors import InputError
from ironbark.pipeline.plan import artefact_specs, fit_specs
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.plan.study.parts import built


@pytest.fixture
def two(config, study):
    """A plan of a study whose part is on another data set."""
    config["studies"]["other"] = copy.deepcopy(study) | {"grids": [study["grids"][1]], "if_absent": {"three": None}}
    study["parts"] = ["other"]
    config["studies"]["other"]["scales"] = {"smoke": {"datasets": ["three"]}}
    config["studies"]["other"]["grids"][0]["datasets"] = ["three", "iris"]
    config["datasets"]["iris"] = config["datasets"]["three"]
    return Plan(config)


def test_a_run_makes_the_parts_of_which_only_keeps_something(two):
    two.config["studies"]["other"] |= {"tables": {}, "figures": {}}
    assert built(two, ["small", "other"]) == (["small", "other"], [])
    assert built(two, ["other", "small"]) == (["other", "small"], [])
    two.settings["only"] = ["two"]
    assert built(two, [two.part("small")]) == (["only/two/small"], [])


def test_a_part_that_is_empty_at_this_scale_only_is_left_out_there(two):
    two.config["absent"] = ["three"]
    two.config["studies"]["other"] |= {"tables": {}, "figures": {}}
    assert built(two, ["small"]) == (["small", "other"], [])
    two.settings["scale"] = "smoke"
    assert built(two, ["small"]) == (["small"], ["other"])
    sentence = "study 'other' is empty at scale 'smoke': this run lacks three; add them to the mirror, or take a larger"
    with pytest.raises(InputError, match=sentence):
        two.study("other", "smoke")


def test_mistakes(two, study):
    study["parts"] = ["othr"]
    with pytest.raises(InputError, match=r"unknown study \(part of 'small'\) 'othr'; did you mean 'other'"):
        built(two, ["small"])
    study["parts"] = ["other"]
    two.config["studies"]["other"]["parts"] = ["small"]
    with pytest.raises(InputError, match="its part 'other' has parts of its own; list them all in 'small'"):
        built(two, ["small"])


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
    note = caption(plan, study_id=study.id)
    assert note.endswith("Study small, scale full: only two, dt-gini, dt-entropy.")
    assert "only" not in caption(plan)
    assert all(path.startswith(study.folder) for path in artefact_specs.paths(study))
    files = fit_specs.shard_inputs(study, study.batches[0].name)
    assert files["labels"] == [f"{study.folder}/labels/two/binary.npz"]
