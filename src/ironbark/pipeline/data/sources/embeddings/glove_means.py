"""Source ``glove``: mean word vectors of the texts of another data set.

Pennington, Socher and Manning (2014), GloVe: global vectors for word representation, EMNLP.
"""

import contextlib
import warnings

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.data.io import archives, formats
from ironbark.pipeline.data.io.progress import Progress
from ironbark.pipeline.data.sources.embeddings import texts
from ironbark.pipeline.data.sources.site import SHARED, only_file

BLOCK = 50  # dimensions that are summed at once, in double precision


def fetch(id, entry, folder, mirror=None):
    """Turn each text of the data set ``texts`` into the mean of the vectors of its words."""
    who = f"data set {id!r}"
    path, facts = only_file(who, entry, "vectors", folder.parent / SHARED, "name a file of this machine in `vectors`")
    documents, others = texts.read(who, entry["texts"], folder)
    counts, vocabulary = texts.count(documents)
    with _opened(who, path) as stream:
        rows, vectors = read_vectors(stream, {form for word in vocabulary for form in (word, word.lower())})
    if not rows:
        raise InputError(f"{who}: {path} has a vector for none of the {len(vocabulary):,} words; fix `vectors`")
    means = _means(counts, vocabulary, rows, vectors)
    columns = {f"g{j + 1}": means[:, j] for j in range(means.shape[1])}
    table = pd.concat([pd.DataFrame(columns), others], axis=1)
    return table, facts | {"words": len(vocabulary), "vectors": len(rows)}


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


def read_vectors(stream, wanted: set[str]):
    """Vectors of some words, out of a file that is larger than memory."""
    encoded, rows, vectors = {word.encode(): word for word in wanted}, {}, None
    progress = Progress("reading word vectors, unpacked")
    for line in stream:
        progress.add(len(line))
        word, _, rest = line.partition(b" ")
        if vectors is None:
            if b" " not in rest.strip():
                continue
            vectors = np.empty((len(wanted), len(rest.split())), np.float32)  # pages that are not filled cost nothing
        name = encoded.get(word)
        if name is None or name in rows or rest.strip().count(b" ") + 1 != vectors.shape[1]:
            continue
        vectors[len(rows)] = _numbers(word, rest, vectors.shape[1])
        rows[name] = len(rows)
    return rows, None if vectors is None else vectors[: len(rows)]


def _numbers(word, text, n):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of what is no number; reported below
        numbers = np.fromstring(text, np.float32, sep=" ")
    if len(numbers) != n:
        raise ValueError(f"the vector of {word.decode()!r} is not {n} numbers")
    return numbers


def _means(counts, vocabulary, rows, vectors):
    """Mean vector of each row of `counts`, over the words that have one."""
    known = [(i, rows.get(word, rows.get(word.lower()))) for i, word in enumerate(vocabulary)]
    known = np.array([(i, row) for i, row in known if row is not None])
    counts = counts[:, known[:, 0]]
    means = np.empty((counts.shape[0], vectors.shape[1]), np.float32)
    n = np.maximum(counts.sum(axis=1), 1).reshape(-1, 1)
    for j in range(0, vectors.shape[1], BLOCK):
        block = vectors[known[:, 1], j : j + BLOCK].astype(np.float64)
        means[:, j : j + BLOCK] = (counts @ block) / n
    return means
