"""Votes on label errors: what counts as an error, the checked download, files of another form."""

import hashlib
import json
from pathlib import Path

import pytest

from ironbark.pipeline.data.sources import confirmed_errors
from ironbark.errors import InputError

EXTRA = Path(__file__).parents[4] / "shared/mirror/extra"


def sample(number, **votes):
    return {"id": number, "given_original_label": 4, "our_guessed_label": 6, "url": "", "mturk": votes}


SAMPLES = [
    sample(7, given=3, guessed=2, neither=0),
    sample(9, given=2, guessed=2, neither=1),
    sample(3, given=1, guessed=0, neither=0, both=4),
    sample(5, given=5, guessed=5, neither=0),
]


def test_an_error_has_fewer_than_half_of_the_votes_for_the_given_label(tmp_path):
    path = tmp_path / "votes.json"
    path.write_text(json.dumps(SAMPLES))
    found = confirmed_errors.read(path)
    assert found.index.tolist() == [7, 9, 3, 5] and found["is_error"].tolist() == [False, True, True, False]
    assert found.loc[3, ["given", "guessed", "votes_both"]].tolist() == [4, 6, 4]
    assert (found.filter(like="votes").sum(axis=1) == [5, 5, 5, 10]).all()


@pytest.mark.parametrize("text", ["[", "{}", "[1]", '[{"id": 1}]', '{"a": 1}', "[]"])
def test_files_of_another_form_are_refused(tmp_path, text):
    path = tmp_path / "votes.json"
    path.write_text(text)
    with pytest.raises(InputError, match="is no file of the label-errors project"):
        confirmed_errors.read(path)


def test_the_download_is_checked(tmp_path, site, monkeypatch):
    text = json.dumps(SAMPLES).encode()
    site.put("votes.json", text)
    monkeypatch.setattr(confirmed_errors, "ADDRESS", f"{site.address}/")
    monkeypatch.setitem(confirmed_errors.FILES, "mnist", ("votes.json", hashlib.sha256(text).hexdigest()))
    assert len(confirmed_errors.fetch("mnist", tmp_path)) == len(SAMPLES)
    monkeypatch.setitem(confirmed_errors.FILES, "mnist", ("votes.json", "0" * 64))
    with pytest.raises(InputError, match="SHA-256"):
        confirmed_errors.fetch("mnist", tmp_path)
    with pytest.raises(InputError, match="there are no votes on the labels of 'iris'"):
        confirmed_errors.fetch("iris", tmp_path)


@pytest.mark.parametrize(("name", "voted", "errors"), [("mnist", 100, 18), ("20newsgroups", 93, 82)])
def test_numbers_of_confirmed_errors(name, voted, errors):
    """The paper confirms 82 of 93 for 20newsgroups; for MNIST 15, as it leaves out three of those with ten votes."""
    file, checksum = confirmed_errors.FILES[name]
    if not (EXTRA / file).exists():
        pytest.skip("the files of the label-errors project are not on this machine")
    assert hashlib.sha256((EXTRA / file).read_bytes()).hexdigest() == checksum
    found = confirmed_errors.read(EXTRA / file)
    assert len(found) == voted and found["is_error"].sum() == errors
