"""CSV files as a learner takes them."""

import numpy as np
import pandas as pd
import pytest

from ironbark.cli import tables
from ironbark.cli.source import find


def read(path, target, *arguments, **options):
    return tables.read(find(path, target), target, *arguments, **options)


def test_columns_become_numbers_with_gaps(data, frame):
    table = read(data, "kind", ["id", "row"], "site")
    assert table.features == ["length", "colour"]
    assert table.X.shape == (120, 2) and np.isnan(table.X[::10, 0]).all()
    assert np.isnan(table.X[:, 1]).tolist() == (frame["colour"] == "?").tolist()
    assert set(table.X[frame["colour"] == "red", 1]) == {1.0}  # blue, red
    assert len(set(table.groups)) == 6
    assert table.y.tolist() == frame["kind"].tolist()


@pytest.mark.parametrize("target", ["x", "y", "z", "Unnamed: 3"])
@pytest.mark.parametrize("head", ["", "\n", "  \n\n"])
def test_rows_are_numbered_with_blank_lines(tmp_path, target, head):
    path = tmp_path / "a.csv"
    path.write_text(head + 'x,y,z,\n1,a,1,1\n\n2,"two\n\nlines",2,2\n  \n   \n\n3,a,2,3\n')
    table = read(path, target)
    first = 2 + head.count("\n")
    assert table.rows.tolist() == [first, first + 2, first + 6]
    tables.write(tmp_path / "out.csv", find(path, target), table, SUSPECTS)
    found = pd.read_csv(tmp_path / "out.csv")
    assert found["row"].tolist() == [first + 6, first] and found["y"].tolist() == ["a", "a"]


SUSPECTS = pd.DataFrame({"given": "a", "suggested": "b", "quality": 0.0, "is_error": True}, index=[2, 0])
