"""Identical samples with different labels."""

import numpy as np
import pandas as pd
from scipy.sparse import coo_array

from ironbark.label_errors.out_of_sample import conflicts, identical_rows

X = np.array([[1.0, np.nan], [0.0, 2.0], [1.0, np.nan], [-0.0, 2.0], [3.0, 4.0], [0.0, 2.0]])


def test_equal_rows_have_equal_numbers():
    assert identical_rows(X).tolist() == [0, 1, 0, 1, 2, 1]
    assert identical_rows(X[[1, 3, 4]].astype(int)).tolist() == [0, 0, 1]
    frame = pd.DataFrame({"a": ["x", "y", "x"], "b": [1, 1, 1]})
    assert identical_rows(frame).tolist() == [0, 1, 0]
    assert identical_rows(coo_array(np.nan_to_num(X))).tolist() == [0, 1, 0, 1, 2, 1]


def test_conflicts_are_the_groups_with_several_labels():
    rows = identical_rows(X)
    assert [group.tolist() for group in conflicts(rows, np.array([0, 1, 0, 1, 0, 0]))] == [[1, 3, 5]]
    assert [group.tolist() for group in conflicts(rows, np.array([0, 0, 2, 1, 0, 0]))] == [[0, 2], [1, 3, 5]]
    assert conflicts(rows, np.array([0, 1, 0, 1, 2, 1])) == []


def test_against_a_slow_twin():
    rng = np.random.default_rng(0)
    rows, codes = rng.integers(0, 60, 150), rng.integers(0, 3, 150)
    slow = [np.flatnonzero(rows == row) for row in np.unique(rows) if len(set(codes[rows == row])) > 1]
    assert [group.tolist() for group in conflicts(rows, codes)] == [group.tolist() for group in slow]
