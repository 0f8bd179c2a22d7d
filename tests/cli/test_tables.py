"""CSV files as a learner takes them."""

import numpy as np
import pandas as pd
import pytest

from ironbark import InputError
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


def test_infinite_values_and_many_classes_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\ninf,a\n1,b\n")
    with pytest.raises(InputError, match="column 'x' has 1 infinite values in 2 rows; drop the column"):
        read(tmp_path / "a.csv", "y")
    (tmp_path / "b.csv").write_text("x,y\n" + "".join(f"1,{i}.5\n" for i in range(300)))
    with pytest.raises(InputError, match="column 'y' has 300 classes, more than 255"):
        read(tmp_path / "b.csv", "y")


def test_whole_numbers_of_more_than_64_bits_are_categories(tmp_path):
    (tmp_path / "a.csv").write_text("code,x,y\n91234567890123456789,1,a\n81234567890123456789,2,b\n")
    assert read(tmp_path / "a.csv", "y").X.tolist() == [[1, 1], [0, 2]]
