import copy

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.plan.study.availability import expand, left_out


@pytest.fixture
def two(config, study):
    """A plan of a study whose part is on another data set."""
    config["studies"]["other"] = copy.deepcopy(study) | {"grids": [study["grids"][1]], "if_absent": {"three": None}}
    study["parts"] = ["other"]
    config["studies"]["other"]["scales"] = {"smoke": {"datasets": ["three"]}}
    config["studies"]["other"]["grids"][0]["datasets"] = ["three", "iris"]
    config["datasets"]["iris"] = config["datasets"]["three"]
    return Plan(config)


def test_parts_follow_their_study(two):
    assert expand(two, ["small"]) == ["small", "other"]
    assert expand(two, ["other", "small"]) == ["other", "small"]
    assert left_out(two, ["small"]) == []


def test_a_part_without_data_is_left_out(two):
    two.config["absent"] = ["three", "iris"]
    two.config["studies"]["other"]["if_absent"] |= {"iris": None}
    assert expand(two, ["small"]) == ["small"]
    assert left_out(two, ["small"]) == ["other"]
    assert expand(two, ["other"]) == ["other"]  # asked for by name, it says itself what is missing


def test_a_part_that_is_empty_at_this_scale_only_is_left_out_there(two):
    two.config["absent"] = ["three"]
    assert expand(two, ["small"]) == ["small", "other"]
    two.settings["scale"] = "smoke"
    assert expand(two, ["small"]) == ["small"]
    sentence = (
        "study 'other' is empty at scale 'smoke'; the scale keeps three only, which this run lacks: add three to "
    )
    with pytest.raises(InputError, match=sentence + "the mirror, or use --config scale=lite"):
        two.study("other", "smoke")


def test_a_part_whose_tables_are_left_out_is_left_out(two, monkeypatch):
    monkeypatch.setattr(two, "unusable", lambda study, scale: {"three": "bad", "iris": "bad"})
    assert expand(two, ["small"]) == ["small"]


def test_a_part_that_cannot_do_without_stays(two):
    two.config["absent"] = ["three", "iris"]
    two.config["studies"]["other"]["if_absent"] = {}
    assert expand(two, ["small"]) == ["small", "other"]


def test_mistakes(two, study):
    study["parts"] = ["othr"]
    with pytest.raises(InputError, match=r"unknown study \(part of 'small'\) 'othr'; did you mean 'other'"):
        expand(two, ["small"])
    study["parts"] = ["other"]
    two.config["studies"]["other"]["parts"] = ["small"]
    with pytest.raises(InputError, match="its part 'other' has parts of its own; list them all in 'small'"):
        expand(two, ["small"])
