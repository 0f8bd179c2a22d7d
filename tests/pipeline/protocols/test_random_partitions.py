"""Repeated stratified random partitions."""

import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.protocols.splitting import random_partitions as splits

IDS = ("toy", "binary", "random-partitions")
Y = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], [120, 60, 21]))


@pytest.mark.parametrize(("test_size", "n_test"), [(0.1, 21), (0.2, 41), (0.5, 101), (30, 30)])
def test_parts_are_disjoint_complete_and_stratified(test_size, n_test):
    for repeat, s in enumerate(splits(Y, None, IDS, repeats=3, test_size=test_size)):
        assert (s.repeat, s.fold) == (repeat, 0)
        assert len(s.test) == n_test and s.train.dtype == s.test.dtype == np.int64
        assert sorted([*s.train, *s.test]) == list(range(len(Y)))
        assert (np.diff(s.train) > 0).all() and (np.diff(s.test) > 0).all()
        assert (np.abs(np.bincount(Y[s.test], minlength=3) - np.bincount(Y) * n_test / len(Y)) < 1).all()


def test_repeats_and_ids_change_the_parts_but_nothing_else_does():
    first, again = (list(splits(Y, None, IDS, repeats=2)) for _ in range(2))
    other = next(splits(Y, None, ("other", *IDS[1:]), repeats=1))
    assert all(np.array_equal(a.test, b.test) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0].test, first[1].test)
    assert not np.array_equal(first[0].test, other.test)


def test_every_sample_is_tested_now_and_then():
    times = sum(np.bincount(s.test, minlength=len(Y)) for s in splits(Y, None, IDS, repeats=200))
    assert times.min() >= 5 and times.max() <= 45  # about 21 of 200


def test_a_cap_touches_the_training_part_only():
    plain, capped = (next(splits(Y, None, IDS, repeats=1, max_train=m)) for m in (None, 50))
    assert np.array_equal(plain.test, capped.test)
    assert len(capped.train) == 50 and set(capped.train) < set(plain.train)


@pytest.mark.parametrize(
    ("y", "test_size", "sentence"),
    [
        (np.array([0] * 20 + [1]), 0.1, "needs 2 samples of each class, but class 1 has 1; leave that class out"),
        (Y[:0], 0.1, "needs 2 samples of each class, but there are none"),
        (Y, 0.005, "test_size=0.005 leaves 2 of 201 samples in one part, fewer than the 3 classes"),
        (Y, 199, "test_size=199 leaves 2 of 201 samples in one part"),
        (Y, 500, "test_size=500 leaves -299 of 201 samples in one part"),
    ],
)
def test_refused(y, test_size, sentence):
    with pytest.raises(InputError, match=sentence):
        next(splits(y, None, IDS, repeats=1, test_size=test_size))
