"""What ends up in a job's log: progress, one sentence, or the whole traceback of a defect."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.log import reporting


def test_a_users_mistake_is_one_sentence(tmp_path):
    with pytest.raises(SystemExit) as caught, reporting(tmp_path / "log"):
        raise InputError("no such column; fix it")
    assert caught.value.code == 1
    assert (tmp_path / "log").read_text() == "ironbark: no such column; fix it\n"


def test_a_defect_shows_its_traceback(tmp_path):
    with pytest.raises(SystemExit), reporting(tmp_path / "log"):
        raise ZeroDivisionError("ours")
    text = (tmp_path / "log").read_text()
    assert "Traceback" in text and "ZeroDivisionError: ours" in text
