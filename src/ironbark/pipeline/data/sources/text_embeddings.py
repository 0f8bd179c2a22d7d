"""Sources ``glove`` and ``text-svd``: numbers made from the texts of another data set.

``glove`` takes the mean of word vectors; ``text-svd`` is for where there are none, under its own name.

Pennington, Socher and Manning (2014), GloVe: global vectors for word representation, EMNLP; Deerwester, Dumais, Furnas,
Landauer and Harshman (1990), Indexing by latent semantic analysis, Journal of the American Society for Information
Science 41(6).
"""

import contextlib
import re
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from threadpoolctl import threadpool_limits

from ironbark.errors import InputError
from ironbark.pipeline.data import formats
from ironbark.pipeline.data.sources.files import SHARED, SPLIT, base_table, only_file

TEXT = "text"

words = re.compile(r"[^\W_]+").findall  # of a text: its longest runs of letters and digits of any script, case kept


def read_texts(who: str, source: str, folder: Path):
    """Texts of the data set `source`, and its other columns."""
    table = base_table(folder, source)
    if TEXT not in table.columns or table.empty:
        raise InputError(f"{who}: the data set {source!r} has no column {TEXT!r} or no rows; name another in `texts`")
    missing = int(table[TEXT].isna().sum())
    if missing:
        raise InputError(f"{who}: {missing} texts of the data set {source!r} are missing; fix its source")
    return [str(text) for text in table[TEXT]], table.drop(columns=TEXT)


def count_words(documents):
    """Count of each word in each text, words in the order in which they first occur."""
    vocabulary = list(dict.fromkeys(word for document in documents for word in words(document)))
    vectorizer = CountVectorizer(analyzer=words, vocabulary=vocabulary or [""], dtype=np.int32)  # "" is no word
    return scipy.sparse.csr_array(vectorizer.transform(documents)), vocabulary


BLOCK = 50  # dimensions that are summed at once, in double precision


def fetch_glove(who, entry, folder):
    """Turn each text of the data set ``texts`` into the mean of the vectors of its words."""
    path, facts = only_file(who, entry, "vectors", folder.parent / SHARED)
    documents, others = read_texts(who, entry["texts"], folder)
    counts, vocabulary = count_words(documents)
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
    readable = formats.readable(path, "word vectors")
    with formats.archive(who, path) as content, readable, content.open(content.find(".txt")) as stream:
        yield stream


def read_vectors(stream, wanted: set[str]):
    """Vectors of some words, out of a file that is larger than memory."""
    encoded, rows, vectors = {word.encode(): word for word in wanted}, {}, None
    for line in stream:
        word, _, rest = line.partition(b" ")
        if vectors is None:
            if b" " not in rest.strip():
                continue
            vectors = np.empty((len(wanted), len(rest.split())), np.float32)  # pages that are not filled cost nothing
        name = encoded.get(word)
        if name is None or name in rows or rest.strip().count(b" ") + 1 != vectors.shape[1]:
            continue
        vectors[len(rows)] = rest.split()
        rows[name] = len(rows)
    return rows, None if vectors is None else vectors[: len(rows)]


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


DIMENSIONS, SEED = 300, 0
MIN_DOCUMENTS = 2  # in which a word must occur
DECIMALS = 6  # which the libraries of different machines agree on


def fetch_svd(who, entry, folder):
    """Turn each text of the data set ``texts`` into ``dimensions`` numbers, fitted on the training part alone."""
    documents, others = read_texts(who, entry["texts"], folder)
    if SPLIT not in others.columns or "train" not in set(others[SPLIT]):
        raise InputError(f"{who}: the data set {entry['texts']!r} has no column {SPLIT!r} that names a training part")
    train = (others[SPLIT] == "train").to_numpy()
    features = _features(who, documents, train, entry.get("dimensions", DIMENSIONS))
    columns = {f"s{j + 1}": features[:, j] for j in range(features.shape[1])}
    return pd.concat([pd.DataFrame(columns), others], axis=1), {}


def _features(who, documents, train, dimensions):
    weights = TfidfVectorizer(
        analyzer=lambda text: [word.lower() for word in words(text)], min_df=MIN_DOCUMENTS, sublinear_tf=True
    )
    try:
        fitted = weights.fit_transform([text for text, part in zip(documents, train, strict=True) if part])
    except ValueError as error:
        raise InputError(f"{who}: no word occurs in two training texts; check `texts`") from error
    if min(fitted.shape) <= dimensions:
        raise InputError(
            f"{who}: {fitted.shape[0]} training texts with {fitted.shape[1]} words give no {dimensions} features; "
            "lower `dimensions`"
        )
    with threadpool_limits(1):
        svd = TruncatedSVD(dimensions, random_state=SEED).fit(fitted)
        features = svd.transform(weights.transform(documents))
    return features.round(DECIMALS).astype(np.float32) + np.float32(0)  # no negative zeros
