"""Source ``glove``: mean word vectors of the texts of another data set.

Pennington, Socher and Manning (2014), GloVe: global vectors for word representation, EMNLP.
"""

import contextlib
from pathlib import Path

import numpy as np
import pandas as pd

from ironbark.datasets import archives, formats, texts
from ironbark.datasets.download import download
from ironbark.datasets.progress import Progress
from ironbark.datasets.sources.original import check_local
from ironbark.datasets.sources.site import SHARED, local_name
from ironbark.errors import InputError


def fetch(id, entry, folder, mirror=None):
    """Turn each text of the data set ``texts`` into the mean of the vectors of its words.

    Words are those of `ironbark.datasets.texts.words`. Each is looked up as it stands, then in lower case; words
    without a vector do not count, and a text without any gets zeros. Features are called g1, g2, ... (float32); the
    other columns of the data set are taken over.

    Returns
    -------
    path : Path
    facts : dict
    """
    who = f"data set {id!r}"
    path, facts = _vectors_file(who, entry, folder)
    documents, others = texts.read(who, entry["texts"], folder)
    counts, vocabulary = texts.count(documents)
    with _opened(who, path) as stream:
        vectors = read_vectors(
            stream, {form for word in vocabulary for form in (word, word.lower())}, path.stat().st_size
        )
    if not vectors:
        raise InputError(f"{who}: {path} has a vector for none of the {len(vocabulary):,} words; mend `vectors`")
    means = _means(counts, vocabulary, vectors)
    columns = {f"g{j + 1}": means[:, j] for j in range(means.shape[1])}
    formats.write(pd.concat([pd.DataFrame(columns), others], axis=1), folder / "table.parquet")
    return folder / "table.parquet", facts | {"words": len(vocabulary), "words_with_vector": len(vectors)}


def _vectors_file(who, entry, folder):
    name = entry["vectors"]
    if not name.startswith(("http://", "https://")):
        return Path(name), {"files": [{"path": name, **check_local(who, Path(name), entry.get("sha256"))}]}
    path = folder.parent / SHARED / local_name(name)
    instead = "name a file of this machine in `vectors`"
    return path, {"files": [download(who, name, path, entry.get("sha256"), instead=instead)]}


@contextlib.contextmanager
def _opened(who, path):
    """The file of vectors, out of its archive if it is in one."""
    if path.suffix != ".zip":
        with formats.opened(path, "word vectors") as stream:
            yield stream
        return
    with archives.opened(who, path) as content:
        if len(content.names) != 1:
            raise InputError(
                f"{who}: {path} holds {len(content.names)} files; name an archive of one file in `vectors`"
            )
        with formats.readable(path, "word vectors"), content.open(content.names[0]) as stream:
            yield stream


def read_vectors(stream, wanted, size=None):
    """Vectors of some words, out of a file that is larger than memory.

    Parameters
    ----------
    stream : binary file
        A word and its numbers in each line. A first line of two numbers, as other programs write it, is left out; so
        are lines of another length, which are words with blanks in them.
    wanted : set of str
    size : int, optional
        Bytes of the file on disk, if it takes long enough to tell.

    Returns
    -------
    dict of str to ndarray of shape (d,), float32
        Of the first line of each word.
    """
    encoded, found, numbers = {word.encode(): word for word in wanted}, {}, None
    progress = Progress("reading word vectors, unpacked")
    for line in stream:
        progress.add(len(line))
        word, _, rest = line.partition(b" ")
        if numbers is None:
            numbers = rest.count(b" ") + 1 if rest.count(b" ") else None
        if word in encoded and rest.count(b" ") + 1 == numbers:
            found.setdefault(encoded[word], np.array(rest.split(), np.float32))
    return found


def _means(counts, vocabulary, vectors):
    """Mean vector of each row of `counts`, over the words that have one."""
    known = [(i, word if word in vectors else word.lower()) for i, word in enumerate(vocabulary)]
    known = [(i, form) for i, form in known if form in vectors]
    counts = counts[:, [i for i, _ in known]]
    total = counts @ np.array([vectors[form] for _, form in known], np.float64)
    return (total / np.maximum(counts.sum(axis=1), 1).reshape(-1, 1)).astype(np.float32)
