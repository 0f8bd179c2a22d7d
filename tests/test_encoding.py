"""Rank codes of feature matrices, and the memory that they need."""

import os
import pickle
import tracemalloc

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ironbark import InputError, encode
from ironbark.encoding import features as memory
from ironbark.encoding.features import SMALL
from ironbark.encoding.ranks import ranked


def levels_of(features, j):
    return features.levels[features.offsets[j] : features.offsets[j + 1]]


def check_ranks(column):
    [(levels, ranks)] = ranked([column[None]], len(column))
    expected, inverse = np.unique(column + 0.0, return_inverse=True)
    assert np.array_equal(levels, expected, equal_nan=True) and np.array_equal(ranks, inverse)
    assert not np.signbit(levels[levels == 0]).any()


ODD = [0.0, -0.0, 5e-324, -5e-324, 1.5, 65_535.0, 65_536.0, 2.0**53, -(2.0**53), 1e300]
finite = st.floats(allow_nan=False, allow_infinity=False)
shapes = st.tuples(st.integers(1, 20), st.integers(1, 4))


@settings(deadline=None, max_examples=60)
@given(arrays(np.float64, shapes, elements=finite | st.sampled_from(ODD)))
@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.filterwarnings("ignore:overflow")
def test_decoding_gives_the_array_back(X):
    features = encode(X)
    assert np.array_equal(features.decode(), X)
    assert features.shape == X.shape and len(features) == len(X)
    for j, codes in enumerate(features.codes):
        levels = levels_of(features, j)
        assert np.array_equal(levels, sorted(set(X[:, j].tolist())))
        assert set(codes.tolist()) == set(range(len(levels)))  # dense
        check_ranks(X[:, j].copy())  # as of large arrays


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int64, np.float32, np.float64, bool])
def test_equal_numbers_have_equal_codes_whatever_their_type(dtype):
    X = np.random.default_rng(0).integers(0, 2 if dtype is bool else 120, (300, 3))
    plain, typed = encode(X), encode(X.astype(dtype))
    assert np.array_equal(plain.codes, typed.codes) and np.array_equal(plain.levels, typed.levels)
    assert (typed.levels.dtype, typed.codes.dtype) == (np.float64, np.uint8)


@pytest.mark.parametrize(("n_levels", "dtype"), [(256, np.uint8), (257, np.uint16), (65_537, np.uint32)])
def test_codes_take_the_smallest_type_that_serves_all_features(n_levels, dtype):
    features = encode(np.column_stack([np.arange(float(n_levels)), np.arange(n_levels) % 2]))
    assert features.codes.dtype == dtype and features.offsets.tolist() == [0, n_levels, n_levels + 2]
    assert np.array_equal(features.codes[0], np.arange(n_levels)) and encode(features) is features


@pytest.mark.parametrize("rows", [np.array([4, 0, 0, 2]), np.array([True, False, True, False, False, True])])
def test_taking_rows_keeps_the_levels(rows):
    X = np.array([[3.0, 1], [1, 1], [2, 5], [9, 5], [4, 1], [3, 7]])
    features = encode(X)
    taken = features.take(rows)
    assert np.array_equal(taken.decode(), X[rows])
    assert taken.codes.flags.c_contiguous and taken.levels is features.levels
    features.derived["lists"] = "large"  # by learners; is not pickled
    again = pickle.loads(pickle.dumps(features))
    assert again.derived == {} and np.array_equal(again.decode(), X)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[1.0, np.inf]], "infinity"),
        (np.empty((0, 2)), "0 sample"),
        (np.empty((2, 0)), "0 feature"),
        ([1.0, 2.0], "2D array"),
        ([["a"]], "convert|numeric"),
        (pd.DataFrame({"cut": ["a", "b"]}), "column 'cut' of X holds 'a', which is no number; encode it before"),
        ([[2**53 + 1]], "beyond 2\\*\\*53"),
        ([[-(2**60)]], "beyond 2\\*\\*53"),
        (pd.DataFrame({"id": [str(2**60)]}), "beyond 2\\*\\*53"),
        (np.array([[2**63 + 1]], np.uint64), "beyond 2\\*\\*53"),
        (scipy.sparse.csr_array([[0, np.inf]]), "infinity"),
        (scipy.sparse.csr_array([[0, 2**53 + 1]]), "beyond 2"),
        (scipy.sparse.csr_array((0, 2)), "0 sample"),
    ],
)
def test_bad_features_are_refused(X, message):
    with pytest.raises(ValueError, match=message):
        encode(X)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_missing_values_are_one_level_above_all_others(dtype):
    X = np.array([[np.nan, 2.0, np.nan], [1.0, 3.0, np.nan], [-np.nan, 1.0, np.nan], [0.5, 2.0, np.nan]], dtype)
    features = encode(X)
    assert features.codes.tolist() == [[2, 1, 2, 0], [1, 2, 0, 1], [0, 0, 0, 0]]
    assert features.missing.tolist() == [True, False, True]
    assert np.array_equal(features.decode(), X, equal_nan=True) and not encode(X[:, 1:2]).missing.any()
    assert features.take(np.array([1, 3])).missing.tolist() == [True, False, True]  # levels are kept


def test_rounding_to_float32_may_join_levels():
    X = np.array([[1.0, 5.0], [1 + 1e-12, 6.0], [2.0, np.nan], [np.nan, 7.0]])
    features = encode(X)
    rounded = features.single()
    assert np.array_equal(rounded.decode(), np.float32(X), equal_nan=True)
    assert rounded.codes.tolist() == [[0, 0, 1, 2], [0, 1, 3, 2]] and rounded.missing.tolist() == [True, True]
    assert features.single() is rounded
    exact = encode(np.float32(X[:, 1:]))
    assert exact.single().codes is exact.codes
    with pytest.raises(ValueError, match="beyond float32"):
        encode([[1e300]]).single()


def sparse_values(dtype=np.float64):
    """Zeros, missing and negative values; a column without zeros and one of zeros only."""
    rng = np.random.default_rng(0)
    X = rng.integers(-9, 9, (50, 70)) * (rng.random((50, 70)) < 0.2)
    X[:, 3], X[:, 66] = rng.integers(1, 5, 50), 0
    X = X.astype(dtype)
    if X.dtype.kind == "f":
        X[7, [5, 69]] = np.nan
        X[8, [5, 6]] = -0.0
    return X


@pytest.mark.filterwarnings("ignore:Constructing a DIA matrix")
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8, bool])
@pytest.mark.parametrize("name", ["csr_array", "csc_matrix", "coo_array", "lil_matrix", "dok_array", "dia_array"])
def test_a_sparse_matrix_has_the_codes_of_the_array(name, dtype):
    X = sparse_values(dtype)
    plain, sparse = encode(X), encode(getattr(scipy.sparse, name)(X))
    assert np.array_equal(plain.codes, sparse.codes) and np.array_equal(plain.offsets, sparse.offsets)
    assert np.array_equal(plain.levels, sparse.levels, equal_nan=True)
    assert sparse.codes.dtype == plain.codes.dtype and not np.signbit(sparse.levels[sparse.levels == 0]).any()


def test_entries_of_one_place_are_summed_and_negative_zeros_are_zeros():
    X = scipy.sparse.csc_array(([1.0, 2.0, 4.0, -0.0, 5.0], [2, 0, 0, 1, 0], [0, 3, 5]), (3, 2))
    features = encode(X)
    assert features.decode().tolist() == [[6, 5], [0, 0], [1, 0]] and not np.signbit(features.levels).any()
    assert X.data.tolist() == [1, 2, 4, 0, 5]  # as it was


def test_a_sparse_matrix_that_does_not_fit_is_refused_before_work(monkeypatch):
    X = scipy.sparse.random_array((10**6, 10**6), density=1e-9, format="csc", rng=0)
    with pytest.raises(InputError, match=r"sparse X of shape \(1000000, 1000000\).* takes 2e\+03 GB of memory, "):
        encode(X)
    monkeypatch.setattr("ironbark.encoding.features.available", lambda: 10**4)
    with pytest.raises(InputError, match="select features, reduce them"):
        encode(scipy.sparse.eye_array(100))
    assert encode(scipy.sparse.eye_array(70)).shape == (70, 70)


def test_no_array_of_floats_is_made_of_a_sparse_matrix():
    X = scipy.sparse.random_array((4000, 2000), density=0.002, format="csc", rng=0)
    encode(X[:50])
    tracemalloc.start()
    codes = encode(X).codes
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert codes.nbytes == 4000 * 2000 and peak < 1.5 * codes.nbytes


@pytest.mark.parametrize("scale", [1, 1 / 3, 40_000 / 999, 1e300])
@pytest.mark.parametrize("n", [1, 2, 1000, 100_000])
def test_ranks_of_long_columns_are_those_of_numpy(n, scale):
    for column in (np.random.default_rng(n).integers(-999, 1000, n) * scale, np.full(n, scale), np.full(n, np.nan)):
        check_ranks(column)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8])
def test_a_large_array_has_the_codes_of_its_columns(dtype):
    X = np.random.default_rng(0).integers(0, 200, (1000, 70)).astype(dtype)
    if X.dtype.kind == "f":
        X[:, :9] /= 7
        X[::5, 3:5], X[::7, 8:12] = np.nan, -0.0
    assert X.size > SMALL
    features = encode(X)
    for j, codes in enumerate(features.codes):
        alone = encode(X[:, [j]])
        assert np.array_equal(codes, alone.codes[0])
        assert np.array_equal(levels_of(features, j), alone.levels, equal_nan=True)


def test_available_memory_is_read(tmp_path, monkeypatch):
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 0 < memory.available() <= whole
    file = tmp_path / "meminfo"
    file.write_text("MemTotal:       16384 kB\nMemAvailable:    2048 kB\nHugePages_Total:       0\n")
    monkeypatch.setattr(memory, "MEMINFO", str(file))
    assert memory.available() == 2048 * 1024
    file.write_text("MemTotal: 16384 kB\n")
    assert memory.available() == whole
    monkeypatch.setattr(memory, "MEMINFO", str(tmp_path / "absent"))
    assert memory.available() == whole
    monkeypatch.delattr(os, "sysconf")
    assert memory.available() == float("inf")
