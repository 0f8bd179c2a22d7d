"""Every protocol's splits, the cap on training samples, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from ironbark.errors import InputError
from ironbark.pipeline.protocols import PROTOCOLS, check_options, per_repeat, splits
from ironbark.pipeline.protocols.splitting import capped

Y = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], [120, 60, 21]))
PARTS = (np.arange(len(Y)) % 10 < 3).astype(np.uint8)
EVEN = np.arange(0, len(Y), 2)
GROUPS = np.random.default_rng(1).integers(0, 60, len(Y)) // np.array([1, 1, 7])[np.arange(len(Y)) % 3]


def made(kind, y=Y, parts=PARTS, name="toy", repeats=2, **options):
    options = {"groups": GROUPS} | options
    return list(splits(kind, y, parts, (name, "multiclass", kind), repeats=repeats, **options))


def same(one, two):
    return all(
        np.array_equal(a.train, b.train) and np.array_equal(a.test, b.test) for a, b in zip(one, two, strict=True)
    )


@pytest.mark.parametrize(
    ("kind", "options", "folds", "n_test"),
    [
        ("fixed-split", {}, 1, 61),
        *[("repeated-cv", {"folds": folds}, folds, None) for folds in (2, 5, 7)],
        *[("random-partitions", {"test_size": size}, 1, n) for size, n in ((0.1, 21), (0.2, 41), (0.5, 101), (3, 3))],
    ],
)
def test_parts_are_disjoint_complete_and_stratified(kind, options, folds, n_test):
    found = made(kind, repeats=3, **options)
    assert [(s.repeat, s.fold) for s in found] == [(r, f) for r in range(3) for f in range(folds)]
    assert per_repeat(check_options(kind, options)) == folds
    for s in found:
        assert s.train.dtype == s.test.dtype == np.int64 and (np.diff(s.test) > 0).all()
        assert np.array_equal(s.train, np.setdiff1d(np.arange(len(Y)), s.test))
        if kind == "fixed-split":
            assert np.array_equal(s.test, np.flatnonzero(PARTS))
        else:
            share = n_test / len(Y) if n_test else 1 / folds
            assert (np.abs(np.bincount(Y[s.test], minlength=3) - np.bincount(Y) * share) < 1).all()
        assert n_test in (None, len(s.test))
    if folds > 1:
        assert sorted(np.concatenate([s.test for s in found[:folds]])) == list(range(len(Y)))


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_ids_and_the_repeat_alone_decide(kind):
    cap = {"max_train": 20} if "max_train" in PROTOCOLS[kind].options else {"sizes": [20]}
    few, many, other = made(kind, **cap), made(kind, repeats=5, **cap), made(kind, name="other", **cap)
    assert same(few, many[: len(few)]) and not np.array_equal(few[0].train, few[-1].train)
    assert not np.array_equal(few[0].train, other[0].train)
    assert all(option.allows(option.default) for option in PROTOCOLS[kind].options.values())


@pytest.mark.parametrize("kind", ["fixed-split", "repeated-cv", "random-partitions", "grouped"])
def test_a_cap_touches_the_training_part_only(kind):
    for one, two in zip(made(kind), made(kind, max_train=20), strict=True):
        assert np.array_equal(one.test, two.test)
        assert len(two.train) == 20 and set(two.train) < set(one.train)
        if kind == "repeated-cv":
            assert np.array_equal(two.train, capped(one.train, Y, 20, "toy", "multiclass", kind, one.repeat, one.fold))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.lists(st.integers(0, 25), min_size=60, max_size=120), st.sampled_from([0.1, 0.33, 0.5, 12]), st.integers(0, 9)
)
def test_no_group_is_in_both_parts(groups, test_size, name):
    groups, y = np.array(groups), np.arange(len(groups)) % 2
    try:
        found = made("grouped", y, None, str(name), groups=groups, test_size=test_size)
    except InputError as error:
        assert len(set(groups)) < 4 and "every class in both parts" in str(error)
        return
    for s in found:
        assert np.array_equal(s.train, np.setdiff1d(np.arange(len(y)), s.test)) and (np.diff(s.test) > 0).all()
        assert not set(groups[s.train]) & set(groups[s.test])
        assert set(y[s.train]) == set(y[s.test]) == {0, 1}
        asked = test_size if test_size >= 1 else test_size * len(y)
        assert abs(len(s.test) - asked) <= max(1, np.bincount(groups).max())


def test_groups_of_one_sample_are_partitions_that_test_every_sample_alike():
    found = made("grouped", groups=np.arange(len(Y)) + 7, repeats=300, test_size=40)
    hits = np.bincount(np.concatenate([s.test for s in found]), minlength=len(Y))
    assert hits.sum() == 300 * 40 and all(chisquare(hits[np.flatnonzero(k == Y)]).pvalue > 1e-3 for k in range(3))
    assert len(made("grouped", groups=np.arange(len(Y)) % 2, test_size=190)[0].train) >= 100  # one is left
    spread = np.array([np.bincount(Y[s.test], minlength=3) for s in found]).std(axis=0)
    assert (spread < 1.5).all()  # of draws that do not look at classes, 2.8, 2.6 and 1.7


def test_training_parts_of_several_sizes_share_the_test_part_of_random_partitions():
    y = np.random.default_rng(0).permutation(np.repeat([0, 1], [150, 50]))
    found = made("training-sizes", y, None, sizes=[20, 60, 180])
    places = [(s.repeat, s.fold, len(s.train)) for s in found]
    assert places == [(r, k, n) for r in (0, 1) for k, n in enumerate([20, 60, 180])]
    for few, more in zip(found[:2], found[1:3], strict=True):
        np.testing.assert_array_equal(few.test, more.test)
        assert len(set(few.train) - set(more.train)) <= 2  # strata are shared out anew, draws are not
    for s in found:
        assert not set(s.train) & set(s.test) and abs(np.mean(y[s.train]) - 0.25) < 0.03
    ids = ("toy", "binary", "any")
    assert same(splits("training-sizes", Y, None, ids, repeats=1), splits("random-partitions", Y, None, ids, repeats=1))
    assert per_repeat(check_options("training-sizes", {"sizes": [5, 9, 12]})) == 3


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.integers(1, 40), min_size=2, max_size=6), st.data())
def test_a_cap_keeps_size_classes_and_proportions(counts, data):
    y = np.repeat(np.arange(len(counts)), counts)
    max_train = data.draw(st.integers(len(counts), len(y)))
    kept = capped(np.arange(len(y)), y, max_train, "ids")
    assert len(kept) == max_train and (np.diff(kept) > 0).all()
    shares = np.bincount(y[kept], minlength=len(counts))
    assert (shares >= 1).all() and (shares <= counts).all()
    assert all(shares[i] <= shares[j] + 1 for i, n in enumerate(counts) for j, m in enumerate(counts) if n <= m)


def test_a_cap_keeps_every_sample_alike():
    assert all(np.array_equal(capped(EVEN[::-1], Y, most, "ids"), EVEN) for most in (None, len(EVEN), 10_000))
    kept = np.concatenate([capped(EVEN, Y, 50, "ids", repeat) for repeat in range(1500)])
    assert set(kept) <= set(EVEN)
    for k in range(3):
        hits = np.bincount(kept[Y[kept] == k], minlength=len(Y))[EVEN[Y[EVEN] == k]]
        assert chisquare(hits).pvalue > 1e-4
    shares = np.bincount(Y[capped(np.arange(len(Y)), Y, 67, "ids")])
    assert (np.abs(shares - [40, 20, 7]) <= 1).all()


NONE = Y[:0]


@pytest.mark.parametrize(
    ("kind", "y", "parts", "options", "sentence"),
    [
        ("fixed-split", Y, None, {}, "needs a data set with its own test part, .*; choose 'repeated-cv'"),
        ("fixed-split", Y, PARTS, {"max_train": 2}, "max_train=2 is below the 3 classes .*; allow at least 3"),
        ("repeated-cv", Y, None, {"folds": 22}, "folds=22 needs 22 .* but class 2 has 21; use fewer"),
        ("repeated-cv", NONE, None, {"folds": 5}, "needs at least folds=5 samples, but there are 0"),
        ("random-partitions", np.array([0] * 20 + [1]), None, {}, "needs 2 samples of each class, but class 1 has 1"),
        ("random-partitions", NONE, None, {}, "needs 2 samples of each class, but there are none"),
        ("random-partitions", Y, None, {"test_size": 0.005}, "leaves 2 of 201 samples .* fewer than the 3 classes"),
        ("random-partitions", Y, None, {"test_size": 500}, "test_size=500 leaves -299 of 201 samples in one part"),
        ("grouped", Y, None, {"groups": None}, "needs a data set with groups, but 'toy' has none; set `groups`"),
        ("grouped", Y, None, {"groups": 0 * Y}, "=0.1 found no partition of the 1 groups of 'toy'"),
        ("grouped", Y, None, {"groups": Y}, "=0.1 found no partition of the 3 groups of 'toy' .* choose another"),
        ("training-sizes", Y, None, {"sizes": [20, 200]}, "200 training samples of 'toy', .* has 180"),
    ],
)
def test_data_that_do_not_fit_are_refused(kind, y, parts, options, sentence):
    with pytest.raises(InputError, match=sentence):
        made(kind, y, parts, **options)


UNFIT = [], [100, 100], [1, 100], 100, [True, 3]


@pytest.mark.parametrize(
    ("kind", "options", "sentence"),
    [
        ("repeated-cv", {"fold": 3}, "protocol 'repeated-cv' has no option 'fold'; did you mean 'folds'"),
        ("fixed-split", {"folds": 3}, "protocol 'fixed-split' has no option 'folds'; it takes max_train"),
        ("repeated-cv", {"folds": 1}, "folds=1 .* must be an integer >= 2"),
        ("repeated-cv", {"folds": 2.0}, "folds=2.0 .* must be an integer >= 2"),
        *[("random-partitions", {"test_size": n}, f"test_size={n} .* must be a fraction") for n in (1.0, np.nan, 0)],
        ("fixed-split", {"max_train": True}, "max_train=True .* must be null or an integer >= 2"),
        *[("training-sizes", {"sizes": sizes}, "a list of integers >= 2, ascending") for sizes in UNFIT],
    ],
)
def test_bad_options_are_refused(kind, options, sentence):
    with pytest.raises(InputError, match=sentence):
        check_options(kind, options)
