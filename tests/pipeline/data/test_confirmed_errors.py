"""Votes on label errors: verdicts, corrected test parts, the checked download, files of another form."""

import hashlib
import json

import numpy as np
import pandas as pd
import pytest
from mirror_tables import MIRROR, table_of
from sklearn.utils import shuffle

from ironbark.errors import InputError
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.sources import confirmed_errors


def sample(number, votes, given="4"):
    return {"id": number, "given_original_label_name": given, "our_guessed_label_name": "6", "url": "", "mturk": votes}


SAMPLES = [
    sample(7, {"given": 3, "guessed": 2}, given="3"),
    sample(4, {"given": 2, "guessed": 3, "neither": 0}),
    sample(3, {"given": 1, "guessed": 0, "neither": 0, "both": 4}),
    sample(5, {"given": 5, "guessed": 5, "neither": 0}),
]


def test_a_verdict_has_more_than_half_of_the_votes(tmp_path):
    path = tmp_path / "votes.json"
    path.write_text(json.dumps(SAMPLES))
    found = confirmed_errors.read(path)
    assert found["verdict"].to_dict() == {7: "3", 4: "6", 3: "", 5: ""}
    assert (found.filter(like="votes").sum(axis=1) == [5, 5, 5, 10]).all()
    for text in ("[", '[{"id": 1}]', '{"a": 1}'):
        path.write_text(text)
        with pytest.raises(InputError, match="is no file of the label-errors project"):
            confirmed_errors.read(path)


@pytest.fixture
def made(tmp_path, site, monkeypatch):
    """Function that makes the corrected table of a base table, with ten test samples."""
    text = json.dumps(SAMPLES).encode()
    checksum = hashlib.sha256(text).hexdigest()
    site.put("votes.json", text)
    monkeypatch.setattr(confirmed_errors, "ADDRESS", f"{site.address}/")

    def corrected(base, seeds=(), sha256=checksum):
        monkeypatch.setitem(confirmed_errors.FILES, "mnist", confirmed_errors.Votes("votes.json", sha256, 10, seeds))
        if base is not None:
            (tmp_path / "base").mkdir()
            base.to_parquet(tmp_path / "base" / "table.parquet", index=False)
        entry = {"title": "T", "source": "confirmed-errors", "table": "base", "votes": "mnist", "given": "given"}
        return pd.read_parquet(fetch("corrected", entry, tmp_path / "corrected"))

    return corrected


def numbers(tests):
    """A table whose feature is the id of the test sample; two training samples precede."""
    labels = [3 if number == 7 else 4 for number in tests]
    return pd.DataFrame({"x": [-1, -2, *tests], "class": [0, 1, *labels]})


def test_labels_are_corrected_and_unclear_samples_left_out(made):
    found = made(numbers(range(10)))
    assert found["x"].tolist() == [0, 1, 2, 4, 6, 7, 8, 9] and list(found) == ["x", "given", "target"]
    assert found["given"].tolist() == ["4", "4", "4", "4", "4", "3", "4", "4"]
    assert found["target"].tolist() == ["4", "4", "4", "6", "4", "3", "4", "4"]


def test_ids_count_the_samples_in_the_order_of_two_shuffles(made):
    seen = np.arange(10)  # rows of the table in the order of the ids
    for seed in (0, 42):
        seen = shuffle(seen, random_state=seed)
    ids = np.empty(10, int)
    ids[seen] = np.arange(10)  # id of each row
    found = made(numbers(ids.tolist()), seeds=(0, 42)).set_index("x")["target"]
    assert found[4] == "6" and found[7] == "3" and set(found.index) == {0, 1, 2, 4, 6, 7, 8, 9}


@pytest.mark.parametrize(
    ("base", "message"),
    [
        (numbers(range(10)).assign(**{"class": 5}), "are not those that were voted on"),
        (numbers(range(6)), "has 8 test samples, not 10"),
    ],
)
def test_other_data_sets_are_refused(made, base, message):
    with pytest.raises(InputError, match=message):
        made(base)


@pytest.mark.parametrize(("name", "voted", "wrong", "unclear"), [("mnist", 100, 10, 18), ("20newsgroups", 93, 22, 60)])
def test_the_true_votes(name, voted, wrong, unclear):
    """The paper confirms 82 = 22 + 60 errors for 20 Newsgroups; in a wrong order, 1 of 20 labels would agree."""
    about, table = confirmed_errors.FILES[name], table_of("mnist" if name == "mnist" else "20news-raw")
    path = MIRROR / "extra" / about.file
    if not path.exists() or not table.exists():
        pytest.skip("the files of the label-errors project, or the mirror, are not on this machine")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == about.sha256
    votes = confirmed_errors.read(path)
    assert len(votes) == voted and (votes["verdict"] == "").sum() == unclear
    assert (votes["verdict"] == votes["guessed"]).sum() == wrong
    frame = pd.read_parquet(table, columns=["split", "target"])
    labels = frame["target"][frame["split"] == "test"].astype("str").to_numpy()
    assert (labels[confirmed_errors._order(about)[votes.index]] == votes["given"]).all()
