"""Repeated stratified cross-validation."""

import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.protocols import splitting
from ironbark.pipeline.protocols.splitting import repeated_cv as splits

IDS = ("toy", "multiclass", "repeated-cv")
Y = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], [61, 23, 7]))


@pytest.mark.parametrize("folds", [2, 5, 7])
def test_folds_partition_the_samples_and_keep_the_classes(folds):
    found = list(splits(Y, None, IDS, repeats=2, folds=folds))
    assert [(s.repeat, s.fold) for s in found] == [(r, f) for r in (0, 1) for f in range(folds)]
    for repeat in (0, 1):
        parts = [s for s in found if s.repeat == repeat]
        assert sorted(np.concatenate([s.test for s in parts])) == list(range(len(Y)))
        for s in parts:
            assert np.array_equal(s.train, np.setdiff1d(np.arange(len(Y)), s.test))
            assert s.train.dtype == s.test.dtype == np.int64 and (np.diff(s.test) > 0).all()
            assert (np.abs(np.bincount(Y[s.test], minlength=3) - np.bincount(Y) / folds) < 1).all()


def test_repeats_and_ids_change_the_folds_but_nothing_else_does():
    first, again = (list(splits(Y, None, IDS, repeats=2)) for _ in range(2))
    other = next(splits(Y, None, ("other", *IDS[1:]), repeats=1))
    assert all(np.array_equal(a.test, b.test) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0].test, first[5].test)
    assert not np.array_equal(first[0].test, other.test)


def test_every_sample_shares_a_fold_with_every_other_now_and_then():
    together = np.zeros((len(Y), len(Y)))
    for s in splits(Y, None, IDS, repeats=60, folds=2):
        together[np.ix_(s.test, s.test)] += 1
    assert together.min() > 0  # about 30 of 60; unshuffled folds would leave zeros


def test_a_cap_touches_the_training_part_only():
    plain = list(splits(Y, None, IDS, repeats=1))
    capped = list(splits(Y, None, IDS, repeats=1, max_train=20))
    for one, two in zip(plain, capped, strict=True):
        assert np.array_equal(one.test, two.test)
        assert np.array_equal(two.train, splitting.capped(one.train, Y, 20, *IDS, 0, one.fold))


@pytest.mark.parametrize(
    ("y", "folds", "sentence"),
    [
        (Y, 8, "folds=8 needs 8 samples of each class, but class 2 has 7; use fewer folds or leave that class out"),
        (np.array([0, 1, 1]), 5, "needs at least folds=5 samples, but there are 3"),
        (Y[:0], 5, "needs at least folds=5 samples, but there are 0"),
    ],
)
def test_refused(y, folds, sentence):
    with pytest.raises(InputError, match=sentence):
        next(splits(y, None, IDS, repeats=1, folds=folds))
