import copy

import pytest

from ironbark.errors import InputError
from ironbark.plan.parts import expand, left_out


@pytest.fixture
def two(config, study):
    """A configuration whose study has a part on another data set."""
    config["studies"]["other"] = copy.deepcopy(study) | {"grids": [study["grids"][1]], "if_absent": {"three": None}}
    study["parts"] = ["other"]
    return config


def test_parts_follow_their_study(two):
    assert expand(two, ["small"]) == ["small", "other"]
    assert expand(two, ["other", "small"]) == ["other", "small"]
    assert left_out(two, ["small"]) == []


def test_a_part_without_data_is_left_out(two):
    two["absent"] = ["three"]
    assert expand(two, ["small"]) == ["small"]
    assert left_out(two, ["small"]) == ["other"]
    assert expand(two, ["other"]) == ["other"]  # asked for by name, it says itself what is missing


def test_a_part_that_cannot_do_without_stays(two):
    two["absent"] = ["three"]
    two["studies"]["other"]["if_absent"] = {}
    assert expand(two, ["small"]) == ["small", "other"]


def test_mistakes(two, study):
    study["parts"] = ["othr"]
    with pytest.raises(InputError, match=r"unknown study \(part of 'small'\) 'othr', did you mean 'other'"):
        expand(two, ["small"])
    study["parts"] = ["other"]
    two["studies"]["other"]["parts"] = ["small"]
    with pytest.raises(InputError, match="its part 'other' has parts of its own; list them all in 'small'"):
        expand(two, ["small"])
