from pathlib import Path

import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data.sources import text_embeddings


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't e-mail x_1", ["Don", "t", "e", "mail", "x", "1"]),
        ("From: me@here.org\n>> quoted", ["From", "me", "here", "org", "quoted"]),
        ("Caf\xe9 \u0434\u0430 3.14", ["Caf\xe9", "\u0434\u0430", "3", "14"]),
        (" ... ", []),
    ],
)
def test_words(text, words):
    assert text_embeddings.words(text) == words


def test_counts_are_those_of_a_loop():
    documents = ["the cat the", "", "Cat cat CAT the", "..."]
    counts, vocabulary = text_embeddings.count_words(documents)
    slow = [[text_embeddings.words(document).count(word) for word in vocabulary] for document in documents]
    assert counts.toarray().tolist() == slow
    assert vocabulary == ["the", "cat", "Cat", "CAT"]


def test_what_is_wrong_with_the_texts_is_named(tmp_path):
    folder = Path(tmp_path, "made")
    with pytest.raises(InputError, match="w: the data set 'news' of `texts` is not there; fetch it first"):
        text_embeddings.read_texts("w", "news", folder)
    (tmp_path / "news").mkdir()
    table = tmp_path / "news" / "table.parquet"
    pd.DataFrame({"x": [1]}).to_parquet(table)
    with pytest.raises(InputError, match="'news' has no column 'text'"):
        text_embeddings.read_texts("w", "news", folder)
    pd.DataFrame({"text": ["a", None]}).to_parquet(table)
    with pytest.raises(InputError, match="1 texts of the data set 'news' are missing"):
        text_embeddings.read_texts("w", "news", folder)
