"""Source ``text-svd``: TF-IDF and a truncated singular value decomposition of the texts of another data set.

The stand-in for ``glove`` where no word vectors can be had; its results go under a name of their own.

Deerwester, Dumais, Furnas, Landauer and Harshman (1990), Indexing by latent semantic analysis, Journal of the American
Society for Information Science 41(6).
"""

import numpy as np
import pandas as pd
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from threadpoolctl import threadpool_limits

from ironbark.errors import InputError
from ironbark.pipeline.data.sources.embeddings import texts
from ironbark.pipeline.data.sources.site import SPLIT

DIMENSIONS, SEED = 300, 0
MIN_DOCUMENTS = 2  # in which a word must occur
DECIMALS = 6  # which the libraries of different machines agree on


def fetch(id, entry, folder, mirror=None):
    """Turn each text of the data set ``texts`` into ``dimensions`` numbers, fitted on the training part alone."""
    who = f"data set {id!r}"
    documents, others = texts.read(who, entry["texts"], folder)
    if SPLIT not in others.columns or "train" not in set(others[SPLIT]):
        raise InputError(f"{who}: the data set {entry['texts']!r} has no column {SPLIT!r} that names a training part")
    train = (others[SPLIT] == "train").to_numpy()
    features = _features(who, documents, train, entry.get("dimensions", DIMENSIONS))
    columns = {f"s{j + 1}": features[:, j] for j in range(features.shape[1])}
    return pd.concat([pd.DataFrame(columns), others], axis=1), {}


def _features(who, documents, train, dimensions):
    weights = TfidfVectorizer(analyzer=_lower_words, min_df=MIN_DOCUMENTS, sublinear_tf=True)
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


def _lower_words(text):
    return [word.lower() for word in texts.words(text)]
