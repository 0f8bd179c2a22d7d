"""Source ``confirmed-errors``: the test part of another data set with the labels that people confirmed.

The label-errors project showed each suspicious test sample to five people (a few of MNIST's to ten) with its label and
another one that a classifier had suggested.

C. Northcutt, A. Athalye, J. Mueller (2021), Pervasive Label Errors in Test Sets Destabilize Machine Learning
Benchmarks, NeurIPS Datasets and Benchmarks.
"""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.data.download import download
from ironbark.pipeline.data.sources.files import SPLIT, base_table

COMMIT = "6d5d6b31a13216290afc40e5c6319399c4d15c06"
ADDRESS = f"https://raw.githubusercontent.com/cleanlab/label-errors/{COMMIT}/mturk/"

#: What a voter could choose: the given label, the other one, neither, both.
VOTES = ("given", "guessed", "neither", "both")


class Votes(NamedTuple):
    """A file of votes, and permutations to the order of its ids: scikit-learn shuffles 20 Newsgroups twice."""

    file: str
    sha256: str
    tests: int  # samples of the test part that its ids count
    seeds: tuple = ()  # of the permutations


FILES = {
    "mnist": Votes("mnist_mturk.json", "448bd00fc9df262c68d50d48709d7fa3d5dc966bc66580e5df20e0dcba6e5612", 10_000),
    "20newsgroups": Votes(
        "20news_mturk.json", "0f14cda08aedfa79e883aaf6db43adfbf91b4affd5947cd832b7ccfb2d4dafc4", 7_532, (0, 42)
    ),
}


def fetch(who, entry, folder):
    """Correct the labels of the test part of the data set ``table`` by the votes of ``votes``."""
    about = FILES[entry["votes"]]
    path = folder / about.file
    facts = download(who, ADDRESS + about.file, path, about.sha256)
    features, given = _test_part(who, entry, folder, about.tests)
    votes, order = read(path), _order(about)
    if votes.index.max() >= about.tests:
        raise InputError(f"{who}: {path} has votes on more than {about.tests} samples; remove it")
    votes.index = order[votes.index]
    if not (given[votes.index] == votes["given"]).all():
        raise InputError(
            f"{who}: the labels of {entry['table']!r} are not those that were voted on; name another data set in "
            "`table`"
        )
    target, unclear = given.copy(), votes.index[votes["verdict"] == ""]
    target[votes.index] = votes["verdict"]
    table = features.assign(given=given, target=target).drop(index=unclear)
    return table.reset_index(drop=True), {"files": [facts]}


def _test_part(who, entry, folder, n_tests):
    """Features and labels (str) of the test part: the rows that `SPLIT` calls test, else the last ones."""
    source = entry["table"]
    table = base_table(folder, source)
    label = "target" if "target" in table else table.columns[-1]
    part = table[table[SPLIT] == "test"] if SPLIT in table else table[-n_tests:]
    if len(part) != n_tests:
        raise InputError(
            f"{who}: {source!r} has {len(part)} test samples, not {n_tests}; name another data set in `table`"
        )
    part = part.reset_index(drop=True)
    return part.drop(columns=[label, SPLIT], errors="ignore"), part[label].astype("str").to_numpy(dtype=object)


def _order(about):
    """Row of the test part for each id."""
    order = np.arange(about.tests)
    for seed in about.seeds:
        shuffled = np.arange(about.tests)
        np.random.RandomState(seed).shuffle(shuffled)
        order = order[shuffled]
    return order


def read(path: Path) -> pd.DataFrame:
    """Votes in a file of the project."""
    try:
        samples = json.loads(Path(path).read_text(encoding="utf-8"))
        frame = pd.DataFrame([_row(sample) for sample in samples]).set_index("sample")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is no file of the label-errors project ({error!r}); download it again.") from error
    half = frame[[f"votes_{name}" for name in VOTES]].sum(axis=1) / 2
    guessed = frame["guessed"].where(frame["votes_guessed"] > half, "")
    return frame.assign(verdict=frame["given"].where(frame["votes_given"] > half, guessed))


def _row(sample):
    votes = {f"votes_{name}": int(sample["mturk"].get(name, 0)) for name in VOTES}
    labels = {"given": str(sample["given_original_label_name"]), "guessed": str(sample["our_guessed_label_name"])}
    return {"sample": int(sample["id"]), **labels, **votes}
