import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import train_test_split

from ironbark.errors import InputError
from ironbark.pipeline.data.roles import partition

N = 8124
Y = (np.arange(N) % 3).astype(np.uint8)


@pytest.mark.parametrize("stratify", [False, True])
def test_random_split_is_that_of_scikit_learn(stratify):
    parts = partition("d", None, Y, {"train_size": 0.8, "random_state": 0, "stratify": stratify})
    rows = pd.DataFrame({"row": np.arange(N)})  # split a table rather than indices
    train, test = train_test_split(rows, train_size=0.8, random_state=0, stratify=Y if stratify else None)
    assert sorted(train["row"]) == np.flatnonzero(parts == 0).tolist()
    assert sorted(test["row"]) == np.flatnonzero(parts == 1).tolist()
    assert parts.dtype == np.uint8


def test_random_split_of_mushrooms_has_the_published_sizes():
    parts = partition("d", None, Y, {"train_size": 0.8})
    assert np.bincount(parts).tolist() == [6499, 1625]
    spelt_out = partition("d", None, Y, {"train_size": 0.8, "random_state": 0, "stratify": False})
    np.testing.assert_array_equal(parts, spelt_out)


def test_official_splits():
    frame = pd.DataFrame({"part": ["test", "train", "train", "test"]})
    assert partition("d", frame, Y[:4], {"column": "part"}).tolist() == [1, 0, 0, 1]
    assert partition("d", frame, Y[:4], {"train_rows": 3}).tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("split", "sentence"),
    [
        ({"column": "fold"}, "there is no split column 'fold'; set `split` to one of part, odd"),
        ({"column": "odd"}, "split column 'odd' holds .*valid; only train and test"),
        ({"column": "part"}, "leaves the test part empty"),
        ({"train_size": 0.9, "stratify": True}, "`split` cannot be made: "),
    ],
)
def test_bad_splits_are_named(split, sentence):
    frame = pd.DataFrame({"part": ["train"] * 4, "odd": ["train", None, "valid", "test"]})
    with pytest.raises(InputError, match="data set 'd': .*" + sentence):
        partition("data set 'd'", frame, Y[:4], split)
