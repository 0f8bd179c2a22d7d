import gzip
from pathlib import Path

import makers
import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.sources import loaders

GOOD, _, _ = makers.mnist(np.random.default_rng(0))
LABELS = "t10k-labels-idx1-ubyte.gz"


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (makers.idx(np.zeros(4)), "IDX .3 images, but 4 labels"),
        (makers.idx(np.zeros((3, 1))), "it begins with 0x00000802"),
        (gzip.compress(b"\0\0"), "cannot be read as IDX"),
        (gzip.compress(makers.struct.pack(">2I", 0x801, 99) + b"x"), "cannot reshape"),
        (makers.idx(np.zeros(3))[:-9], "cannot be read as IDX"),
        (b"plain", "cannot be read as IDX"),
    ],
)
def test_bad_idx_files_are_named(released, labels, sentence):
    entry = released("MNIST", {**GOOD, LABELS: labels})
    with pytest.raises(InputError, match=sentence):
        fetch("m", entry, Path("raw/m"))
    assert not Path("raw/m/table.parquet").exists()


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (makers.tarred({"data_batch_1.bin": b""}), "has no file 'data_batch_2.bin'"),
        (makers.tarred({name: b"123" for name in loaders.CIFAR10_BATCHES}), "as CIFAR-10 binary"),
        (makers.tarred({"../evil": b""}), "would leave its folder"),
    ],
)
def test_bad_archives_are_named(released, body, sentence):
    entry = released("CIFAR10", {"cifar.tar.gz": body})
    with pytest.raises(InputError, match=sentence):
        fetch("c", entry, Path("raw/c"))


def test_the_true_shapes(released):
    body, rows = makers.cifar10(np.random.default_rng(0), n=1)
    table = pd.read_parquet(fetch("c", released("CIFAR10", {"c.tar.gz": body}), Path("raw/c")))
    assert table.shape == (6, 3074)
    np.testing.assert_array_equal(table["p1025"], rows[:, 1 + 1024])  # the first green pixel
