import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.protocols import check_options, per_repeat
from ironbark.pipeline.protocols.splitting import random_partitions
from ironbark.pipeline.protocols.splitting import training_sizes as splits

IDS = ("toy", "binary", "training-sizes")
Y = np.random.default_rng(0).permutation(np.repeat([0, 1], [150, 50]))


def test_one_test_part_and_a_training_part_of_each_size():
    found = list(splits(Y, None, IDS, repeats=2, sizes=[20, 60, 180]))
    assert [(s.repeat, s.fold, len(s.train)) for s in found] == [
        (r, k, n) for r in (0, 1) for k, n in enumerate([20, 60, 180])
    ]
    for few, more in zip(found[:2], found[1:3], strict=True):
        np.testing.assert_array_equal(few.test, more.test)
        assert len(set(few.train) - set(more.train)) <= 2  # strata are shared out anew, draws are not
    for s in found:
        assert not set(s.train) & set(s.test) and abs(np.mean(Y[s.train]) - 0.25) < 0.03


def test_parts_are_those_of_random_partitions():
    whole = next(random_partitions(Y, None, IDS, repeats=1))
    [alone] = splits(Y, None, IDS, repeats=1)
    np.testing.assert_array_equal(alone.train, whole.train)
    np.testing.assert_array_equal(alone.test, whole.test)


def test_a_size_beyond_the_training_part():
    with pytest.raises(InputError, match="200 training samples of 'toy', but its training part has 180; leave"):
        list(splits(Y, None, IDS, repeats=1, sizes=[20, 200]))


@pytest.mark.parametrize("sizes", [[], [200, 100], [100, 100], [1, 100], 100, [True, 3]])
def test_sizes_are_checked(sizes):
    with pytest.raises(InputError, match="a list of integers >= 2, ascending"):
        check_options("training-sizes", {"sizes": sizes})


@pytest.mark.parametrize(
    ("kind", "options", "count"),
    [("training-sizes", {"sizes": [5, 9, 12]}, 3), ("repeated-cv", {}, 5), ("random-partitions", {}, 1)],
)
def test_splits_of_a_repeat(kind, options, count):
    assert per_repeat(check_options(kind, options)) == count
