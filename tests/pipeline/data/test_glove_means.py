import gzip
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import makers
import numpy as np
import pandas as pd
import pytest
from server import Answer

from ironbark.errors import InputError
from ironbark.pipeline.data import bundle
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.data.sources.text_embeddings import read_vectors

ROOT = Path(__file__).parents[3]
TEXTS = ["The cat, the Cat!", "at name@domain", "", "unknown words", "CAT"]
MEANS = [[2 / 4, 6 / 4, 0], [0, 0, 3], [0, 0, 0], [0, 0, 0], [0, 2, 0]]


@pytest.fixture
def news(site):
    """The raw table of a data set of texts."""
    table = pd.DataFrame({"text": TEXTS, "split": ["train"] * 3 + ["test"] * 2, "target": list("ababa")})
    Path("raw/news").mkdir(parents=True)
    table.to_parquet("raw/news/table.parquet", index=False)
    return table


def entry(vectors, **fields):
    return {"title": "T", "source": "glove", "texts": "news", "vectors": str(vectors), **fields}


def write(kind):
    """The small file of vectors, packed in one of the ways; gives its path."""
    pack = {"txt": bytes, "gz": gzip.compress, "zip": lambda body: makers.zipped({"glove.txt": body})}[kind]
    Path(f"v.{kind}").write_bytes(pack(makers.GLOVE))
    return Path(f"v.{kind}")


@pytest.mark.parametrize("kind", ["txt", "gz", "zip"])
def test_means_of_the_words_that_have_a_vector(news, kind):
    table = pd.read_parquet(fetch("means", entry(write(kind)), Path("raw/means")))
    assert list(table.columns) == ["g1", "g2", "g3", "split", "target"]
    np.testing.assert_allclose(table[["g1", "g2", "g3"]], MEANS)
    assert set(map(str, table.dtypes[:3])) == {"float32"}
    assert table["target"].tolist() == news["target"].tolist()
    facts = json.loads(Path("raw/means/fetch.json").read_text(encoding="utf-8"))
    assert (facts["texts"], facts["words"], facts["files"][0]["path"]) == ("news", 10, f"v.{kind}")


def test_exact_words_go_before_lower_case_and_first_lines_before_later_ones():
    lines = [b"3 2\n", b"Cat 1 2\n", b"cat 3 4\n", b"Cat 5 6\n", b"cat x 7 8\n"]
    rows, vectors = read_vectors(lines, {"Cat", "cat", "dog"})
    assert {word: vectors[row].tolist() for word, row in rows.items()} == {"Cat": [1, 2], "cat": [3, 4]}


def test_vectors_from_the_web(news, site):
    url = site.put("glove.zip", makers.zipped({"glove.txt": makers.GLOVE}), Answer(cut=60), Answer(500))
    table = pd.read_parquet(fetch("means", entry(url), Path("raw/means")))
    np.testing.assert_allclose(table[["g1", "g2", "g3"]], MEANS)
    fetch("means-2", entry(url), Path("raw/means-2"))
    assert site.times("glove.zip") == 3, "data sets share the file"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "there is no file v.txt"),
        (b"", "has a vector for none of the 10 words"),
        (b"other 1 2\n", "has a vector for none of the 10 words; fix `vectors`"),
        (b"cat 1 x\n", "v.txt cannot be read as word vectors"),
    ],
)
def test_bad_vectors_are_named(news, content, sentence):
    if content is not None:
        Path("v.txt").write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        fetch("means", entry("v.txt"), Path("raw/means"))


def test_the_md5_of_the_publisher_is_enforced_and_nothing_else_is_recorded(news, site):
    body = makers.zipped({"glove.txt": makers.GLOVE})
    url = site.put("glove.zip", body)
    with pytest.raises(InputError, match="has not the MD5 0{32} that the catalogue expects.*before you edit the catal"):
        fetch("means", entry(url, md5="0" * 32), Path("raw/means"))
    fetch("means", entry(url, md5=hashlib.md5(body).hexdigest()), Path("raw/means"))
    facts = json.loads(Path("raw/means/fetch.json").read_text(encoding="utf-8"))
    assert facts["files"] == [{"url": url, "sha256": hashlib.sha256(body).hexdigest(), "bytes": len(body)}]


def test_20news_from_raw_text_to_prepared_arrays(site, released):
    groups = {"rec.autos": [b"The cat", b"cat"], "sci.space": [b"at", b"the unknown"]}
    body = makers.newsgroups({"train": groups, "test": groups})
    fetch("20news-raw", released("20newsgroups", {"news.tar.gz": body}), Path("raw/20news-raw"))
    means = {**entry(site.put("glove.zip", makers.zipped({"glove.txt": makers.GLOVE}))), "texts": "20news-raw"}
    means |= {"split": {"column": "split"}, "positive": ["rec.autos"], "expect": {"n": 8, "d": 3, "k": 2}}
    raw = fetch("20news", means, Path("raw/20news"))
    found = bundle.load(prepare("20news", means, raw, Path("prepared/20news")), verify=True)
    rows = [[0.5, 1, 0], [0, 2, 0], [0, 0, 3], [1, 0, 0]]
    np.testing.assert_allclose(found.features.decode(), rows * 2)
    assert found.split.tolist() == [0] * 4 + [1] * 4
    assert found.y("binary").tolist() == [1, 1, 0, 0] * 2


STREAM = """
import resource, sys
from ironbark.pipeline.data.sources.text_embeddings import read_vectors

def lines(n):
    row = b" ".join(b"%.4f" % (j / 7) for j in range(300))
    for i in range(n):
        yield b"w%d %s\\n" % (i, row)

before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
rows, _ = read_vectors(lines(100_000), {f"w{i}" for i in range(0, 100_000, 100)})
print(len(rows), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10)
"""


def test_a_file_larger_than_memory_is_read_line_by_line():
    """About 230 MB of vectors, of which 1.2 MB are kept."""
    done = subprocess.run(
        [sys.executable, "-c", STREAM],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    found, megabytes = map(int, done.stdout.split())
    assert found == 1000 and megabytes < 20
