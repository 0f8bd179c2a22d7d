import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.published.comparison import COLUMNS
from ironbark.pipeline.tables import printed_table

LINES = [
    ("2", "mnist", "dt-a", "clean", "0", 94.0, 94.111, 5, "not rejected", 0.9),
    ("2", "moons", "dt-a", "clean", "0", 80.0, 70.0, 5, "differs", 0.001),
    ("2", "mnist", "dt-b", "uniform", "0.1", 90.0, float("nan"), 0, "not comparable", float("nan")),
    ("3", "mnist", "dt-a", "mahalanobis", "", 50.0, 51.0, 5, "not rejected", 1.0),
]


@pytest.fixture
def comparison():
    names = ("table", "dataset", "method", "noise", "rate", "published_mean", "mean", "n", "verdict", "p_holm")
    frame = pd.DataFrame(LINES, columns=names).assign(task="binary", reason="", metric="accuracy", within_margin=True)
    frame = frame.assign(p_equivalent=0.5, equivalent=False, within_two_sd=frame["mean"] < 95, needed_to_reject=3.0)
    return frame.assign(published_spread=1.0, spread=0.5, difference=frame["mean"] - frame["published_mean"])[COLUMNS]


def test_cells_stand_where_the_paper_has_them(comparison):
    table = printed_table.build(comparison, "2", {"dt-a": "A"}, {"mnist": "MNIST"})
    assert list(table.frame.columns) == ["clean", "uniform 0.1"]
    assert list(table.frame.index) == [("MNIST", "A"), ("MNIST", "dt-b"), ("moons", "A")], "data sets stay together"
    assert table.frame.to_numpy().tolist() == [
        ["94.00 / 94.11 ✓", "–"],
        ["–", "90.00 / – ◦"],
        ["80.00 / 70.00 ≠", "–"],
    ]
    assert table.bold.to_numpy().tolist() == [[False, False], [False, False], [True, False]]
    assert "Of 2 comparable cells (of 3) 1 not rejected, 0 equivalent" in table.caption and len(table.values) == 3


def test_the_file_comes_back_and_an_older_one_is_refused(comparison, tmp_path):
    comparison.to_csv(tmp_path / "comparison.csv", index=False)
    found = printed_table.read(tmp_path / "comparison.csv")
    assert found["rate"].tolist() == ["0", "0", "0.1", ""] and found["table"].tolist() == ["2", "2", "2", "3"]
    comparison.drop(columns=["p_holm"]).to_csv(tmp_path / "comparison.csv", index=False)
    with pytest.raises(InputError, match=r"comparison.csv was written by an older version.*: p_holm not recorded"):
        printed_table.read(tmp_path / "comparison.csv")
    (tmp_path / "comparison.csv").write_text("")
    with pytest.raises(InputError, match="cannot be read"):
        printed_table.read(tmp_path / "comparison.csv")
