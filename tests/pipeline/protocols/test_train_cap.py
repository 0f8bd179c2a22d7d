"""The cap on training samples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from ironbark.errors import InputError
from ironbark.pipeline.protocols.splitting import capped

Y = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], [600, 300, 100]))
TRAIN = np.arange(0, 1000, 2)


@pytest.mark.parametrize("max_train", [None, 500, 10_000])
def test_no_cap_keeps_all(max_train):
    assert np.array_equal(capped(TRAIN[::-1], Y, max_train, "ids"), TRAIN)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.integers(1, 40), min_size=2, max_size=6), st.data())
def test_size_classes_and_proportions(counts, data):
    y = np.repeat(np.arange(len(counts)), counts)
    max_train = data.draw(st.integers(len(counts), len(y)))
    kept = capped(np.arange(len(y)), y, max_train, "ids")
    assert len(kept) == max_train and (np.diff(kept) > 0).all()
    shares = np.bincount(y[kept], minlength=len(counts))
    assert (shares >= 1).all() and (shares <= counts).all()
    assert all(shares[i] <= shares[j] + 1 for i, n in enumerate(counts) for j, m in enumerate(counts) if n <= m)


def test_large_caps_are_proportional():
    shares = np.bincount(Y[capped(np.arange(1000), Y, 200, "ids")])
    assert (np.abs(shares - [120, 60, 20]) <= 1).all()


def test_ids_decide_and_every_sample_is_kept_alike():
    assert np.array_equal(capped(TRAIN, Y, 50, "ids", 0), capped(TRAIN, Y, 50, "ids", 0))
    kept = np.concatenate([capped(TRAIN, Y, 50, "ids", repeat) for repeat in range(1500)])
    assert set(kept) <= set(TRAIN)
    for k in range(3):
        of_class = TRAIN[Y[TRAIN] == k]
        hits = np.bincount(kept[Y[kept] == k], minlength=1000)[of_class]
        assert chisquare(hits).pvalue > 1e-4


def test_fewer_samples_than_classes_are_refused():
    with pytest.raises(InputError, match="max_train=2 is below the 3 classes of the training part; allow at least 3"):
        capped(TRAIN, Y, 2, "ids")
