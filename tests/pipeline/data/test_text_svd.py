import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.sources import text_embeddings

WORDS = ["tree", "forest", "noise", "label", "boost", "margin", "leaf", "root"]


def table(n=40):
    rng = np.random.default_rng(0)
    documents = [" ".join(rng.choice(WORDS, 6)) + f" Only{i}" for i in range(n)]
    return pd.DataFrame({"text": documents, "split": ["train"] * 30 + ["test"] * (n - 30), "target": [0, 1] * (n // 2)})


@pytest.fixture
def made(tmp_path):
    """Function that fetches the features of a data frame of texts."""

    def fetched(frame, **fields):
        (tmp_path / "news").mkdir(exist_ok=True)
        frame.to_parquet(tmp_path / "news" / "table.parquet", index=False)
        entry = {"title": "T", "source": "text-svd", "texts": "news", "dimensions": 3, **fields}
        return pd.read_parquet(fetch("svd", entry, tmp_path / "svd"))

    return fetched


def slow(frame, dimensions):
    """Squared TF-IDF similarities of the texts in the space of the largest singular vectors, by full decomposition."""
    train = (frame["split"] == "train").to_numpy()
    words = [[word.lower() for word in text_embeddings.words(text)] for text in frame["text"]]
    fitted = [row for row, part in zip(words, train, strict=True) if part]
    known = sorted({w for row in fitted for w in row if sum(w in other for other in fitted) >= 2})
    idf = [np.log((1 + len(fitted)) / (1 + sum(w in row for row in fitted))) + 1 for w in known]
    counts = np.array([[row.count(w) for w in known] for row in words], float)
    weights = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * idf
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    _, _, right = np.linalg.svd(weights[train], full_matrices=False)
    return weights @ right[:dimensions].T


def test_features_are_those_of_a_full_decomposition(made):
    frame = table()
    found, wanted = made(frame), slow(frame, 3)
    assert list(found.columns) == ["s1", "s2", "s3", "split", "target"]
    X = found[["s1", "s2", "s3"]].to_numpy()
    np.testing.assert_allclose(X @ X.T, wanted @ wanted.T, atol=2e-3)
    assert set(map(str, found.dtypes[:3])) == {"float32"}


def test_test_texts_do_not_matter_for_the_fit(made):
    frame = table()
    other = frame.assign(text=frame["text"].where(frame["split"] == "train", "tree root"))
    one, two = made(frame), made(other)
    pd.testing.assert_frame_equal(one[:30], two[:30])
    assert not one[30:].equals(two[30:])


def test_the_same_every_time(made):
    pd.testing.assert_frame_equal(made(table()), made(table()))


@pytest.mark.parametrize(
    ("change", "fields", "sentence"),
    [
        ({}, {"dimensions": 8}, "30 training texts with 8 words give no 8 features; lower `dimensions`"),
        ({"split": "test"}, {}, "has no column 'split' that names a training part"),
        ({"text": ""}, {}, "no word occurs in two training texts"),
    ],
)
def test_what_cannot_be_done_is_named(made, change, fields, sentence):
    with pytest.raises(InputError, match=f"data set 'svd': .*{sentence}"):
        made(table().assign(**change), **fields)
