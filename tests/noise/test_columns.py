"""Noise of a column's large values, and of a group of samples."""

from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_matrix
from scipy.stats import binomtest

from ironbark import encode
from ironbark.noise import apply, corrupt
from ironbark.noise.base import column_of


def problem(n=2000):
    rng = np.random.default_rng(0)
    return np.column_stack([rng.normal(size=n), rng.integers(0, 3, n), np.ones(n)]), rng.integers(0, 3, n)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(
    ("name", "options", "inside", "changed"),
    [
        ("threshold", {"column": 0, "quantile": 0.0}, lambda X: X[:, 0] > np.nanmin(X[:, 0]), 400),
        ("threshold", {"column": 0, "quantile": 0.5}, lambda X: X[:, 0] > np.nanmedian(X[:, 0]), 400),
        ("threshold", {"column": 0, "quantile": 0.7}, lambda X: X[:, 0] > np.nanquantile(X[:, 0], 0.7), 400),
        ("group", {"column": 1, "value": 2}, lambda X: X[:, 1] == 2, None),
    ],
)
def test_labels_change_in_the_group_only(name, options, inside, changed, exact):
    """Those above the quantile of a column, without missing values, or with a value of it."""
    X, y = problem()
    X[:100, 0] = np.nan
    inside = inside(X)
    changed = changed or 0.2 * inside.sum()
    flipped = apply(name, X, y, 3, 0.2, np.random.default_rng(1), exact=exact, **options).labels != y
    assert not flipped[~inside].any()
    if exact:
        assert flipped.sum() == round(changed)
    assert binomtest(int(flipped.sum()), int(inside.sum()), changed / inside.sum()).pvalue > 1e-4


def test_threshold_draws_a_column_that_can_reach_the_rate():
    X, y = problem()  # a third of column 1 is above its median, none of column 2
    above = [X[:, j] > np.median(X[:, j]) for j in range(3)]
    hit = set()
    for seed in range(20):
        flipped = apply("threshold", X, y, 3, 0.2, np.random.default_rng(seed)).labels != y
        hit |= {j for j in range(3) if not flipped[~above[j]].any()}
        flipped = apply("threshold", X, y, 3, 0.4, np.random.default_rng(seed)).labels != y
        assert not flipped[~above[0]].any()
    assert hit == {0, 1}


def test_as_many_samples_above_the_quantile_as_the_rate_asks_for_are_enough():
    X, y = np.arange(10.0)[:, None], np.arange(10) % 3
    labels = apply("threshold", X, y, 3, 0.5, np.random.default_rng(0), exact=True).labels
    assert np.array_equal(labels != y, X[:, 0] > 4.5)


@pytest.mark.parametrize("n_values", [2, 20])
def test_each_of_up_to_twenty_values_is_a_group(n_values):
    X, y = np.arange(400.0)[:, None] % n_values, np.arange(400) % 3
    flipped = apply("group", X, y, 3, 1.0, np.random.default_rng(0)).labels != y
    assert flipped.sum() == 400 / n_values and len(set(X[flipped, 0])) == 1


@pytest.mark.parametrize("dtype", [object, "string"])
def test_group_of_text_in_a_frame(dtype):
    frame = pd.DataFrame({"age": np.arange(400), "sex": pd.array(["f", "m", None, "f"] * 100, dtype=dtype)})
    y = np.array(["no", "yes"] * 200)
    drawn = [corrupt("threshold", frame, y, rate=0.2, random_state=seed) for seed in range(9)]  # never text
    assert all((noisy[:200] == y[:200]).all() and (noisy != y).any() for noisy in drawn)
    dated = frame.assign(sex=pd.to_datetime(frame["sex"].map({"f": "2020-01-01", "m": "2021-01-01"})))
    for table, value in ((frame, "f"), (dated, pd.Timestamp("2020-01-01")), (dated, date(2020, 1, 1))):
        noisy = corrupt("group", table, y, rate=1.0, column="sex", value=value, random_state=0)
        assert ((noisy != y) == (frame["sex"] == "f").fillna(False)).all()


def test_groups_that_are_drawn():
    """Column 0 has quartiles, column 1 three values; column 2 is constant and never taken."""
    X, y = problem()
    X[:100, 0] = np.nan
    cuts = np.quantile(X[100:, 0], [0, 0.25, 0.5, 0.75, 1])
    quartiles = [(X[:, 0] > low) & (X[:, 0] <= high) for low, high in zip(cuts[:-1], cuts[1:], strict=True)]
    quartiles[0] |= X[:, 0] == cuts[0]
    groups = {flags.tobytes(): name for name, flags in enumerate([*quartiles, *(X[:, 1] == v for v in range(3))])}
    found = set()
    for seed in range(40):
        flipped = apply("group", X, y, 3, 1.0, np.random.default_rng(seed)).labels != y
        found.add(groups[flipped.tobytes()])
    assert found == set(range(7))


@pytest.mark.parametrize("kind", ["objects", "dates"])
def test_numbers_held_as_objects_and_dates_are_groups_between_quartiles(kind):
    values = np.random.default_rng(3).normal(size=400)
    column = values.astype(object) if kind == "objects" else pd.to_datetime(1e9 * values, unit="s").to_numpy()
    y = np.arange(400) % 2
    for seed in range(5):
        flipped = corrupt("group", pd.DataFrame({"a": column}), y, rate=1.0, random_state=seed) != y
        place = np.searchsorted(np.quantile(values, [0.25, 0.5, 0.75]), values)
        assert set(place[flipped]) == {place[flipped][0]} and flipped.sum() == (place == place[flipped][0]).sum()


@pytest.mark.parametrize("column", [0, 1])
def test_every_table_gives_the_same_column(column):
    X = np.array([[0.0, 3.5], [2.0, 0.0], [2.0, 3.5]])
    frame = pd.DataFrame(X, columns=["a", "b"])
    mixed = [[*row, "text"] for row in X.tolist()]
    tables = [X, X.tolist(), mixed, csr_matrix(X), encode(X), frame, pl.DataFrame(frame.assign(c="text"))]
    for table in tables:
        assert column_of("group", table, column).tolist() == X[:, column].tolist()
    assert column_of("group", frame, "ab"[column]).tolist() == X[:, column].tolist()


@pytest.mark.parametrize("kind", ["dates", "Int64", "boolean", "objects"])
def test_values_that_are_missing_are_above_no_quantile(kind):
    values, y = np.arange(300) // (150 if kind == "boolean" else 1), np.arange(300) % 3
    column = pd.Series(values).astype("datetime64[s]" if kind == "dates" else object if kind == "objects" else kind)
    column = column.mask(np.arange(300) % 5 < 2)
    noisy = corrupt("threshold", column.to_frame("a"), y, rate=0.2, column="a", quantile=0.5, random_state=0)
    above = column.notna() & (values > np.quantile(values[column.notna()], 0.5))
    assert (noisy != y).any() and above[noisy != y].all()
