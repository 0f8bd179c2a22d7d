"""Label errors of public test sets that people have confirmed, with their votes: the label-errors project.

Each suspicious sample was shown to five people (a few of MNIST's to ten) with the given label and another one.
"""

import json
from pathlib import Path

import pandas as pd

from ironbark.pipeline.data.io.download import download
from ironbark.errors import InputError

COMMIT = "6d5d6b31a13216290afc40e5c6319399c4d15c06"
ADDRESS = f"https://raw.githubusercontent.com/cleanlab/label-errors/{COMMIT}/mturk/"

#: Data set -> file and its SHA-256.
FILES = {
    "mnist": ("mnist_mturk.json", "448bd00fc9df262c68d50d48709d7fa3d5dc966bc66580e5df20e0dcba6e5612"),
    "20newsgroups": ("20news_mturk.json", "0f14cda08aedfa79e883aaf6db43adfbf91b4affd5947cd832b7ccfb2d4dafc4"),
}

#: What a voter could choose: the given label, the other one, neither, both.
VOTES = ("given", "guessed", "neither", "both")


def fetch(name, folder="data/raw/label-errors"):
    """Download the votes on a test set, unless they are there.

    Parameters
    ----------
    name : {"mnist", "20newsgroups"}
    folder : path

    Returns
    -------
    pandas.DataFrame
        As `read` returns it.

    Raises
    ------
    InputError
        If the name is unknown, or the file cannot be downloaded with its checksum.
    """
    if name not in FILES:
        raise InputError(f"there are no votes on the labels of {name!r}; choose one of {', '.join(FILES)}.")
    file, checksum = FILES[name]
    path = Path(folder, file)
    path.parent.mkdir(parents=True, exist_ok=True)
    download(f"votes on {name}", ADDRESS + file, path, checksum, instead=f"copy {file} from elsewhere to {path}")
    return read(path)


def read(path):
    """Votes in a file of the project.

    Parameters
    ----------
    path : path
        JSON: a list with an object for each sample.

    Returns
    -------
    pandas.DataFrame
        Index `sample`, the position in the test part. Columns: `given` and `guessed` label as class indices, the
        numbers of votes `votes_given`, `votes_guessed`, `votes_neither` and `votes_both`, and `is_error`, whether fewer
        than half of the votes are for the given label alone.

    Raises
    ------
    InputError
        If the file is of another form.

    References
    ----------
    C. Northcutt, A. Athalye, J. Mueller, "Pervasive Label Errors in Test Sets Destabilize Machine Learning Benchmarks",
    NeurIPS Datasets and Benchmarks 2021.
    """
    try:
        samples = json.loads(Path(path).read_text(encoding="utf-8"))
        frame = pd.DataFrame([_row(sample) for sample in samples]).set_index("sample")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is no file of the label-errors project ({error!r}); download it again.") from error
    cast = frame["votes_given"] + frame["votes_guessed"] + frame["votes_neither"] + frame["votes_both"]
    return frame.assign(is_error=2 * frame["votes_given"] < cast)


def _row(sample):
    votes = {f"votes_{name}": int(sample["mturk"].get(name, 0)) for name in VOTES}
    labels = {"given": int(sample["given_original_label"]), "guessed": int(sample["our_guessed_label"])}
    return {"sample": int(sample["id"]), **labels, **votes}
