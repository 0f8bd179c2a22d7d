import pytest
from site_cases import rows

from ironbark.pipeline.site.data.rows import read
from ironbark.pipeline.site.data.standings import standings


def test_by_hand(tmp_path):
    found = rows(repeats=1)
    values = [[90, 80, 70], [60, 80, 70], [90, 90, 70], [50, 60, 40], [50, 70, 60], [90, 80, 70]]
    found["accuracy"] = [value / 100 for line in values for value in line]
    found.to_parquet(tmp_path / "rows.parquet")
    lines = {line["method"]: line for line in standings(read(tmp_path).frame)}
    assert lines["dt-a"]["rank"] == pytest.approx((1 + 3 + 1.5 + 2 + 3 + 1) / 6)
    assert [lines[name]["wins"] for name in ("dt-a", "dt-b", "rf-c")] == [3, 4, 0]
    assert lines["dt-b"]["place"] == 1 and lines["dt-b"]["settings"] == 6 and lines["dt-b"]["methods"] == 3
    best, worst = lines["dt-a"]["best"], lines["dt-a"]["worst"]
    assert best[0] == pytest.approx(("ducks", "clean", 90.0, 10.0, 1.0)) or best[0][:2] == ("geese", "uniform-0.4")
    assert {line[:2] for line in worst} == {("ducks", "uniform-0.2"), ("geese", "uniform-0.2")}
    assert all(line[3] < 0 for line in worst) and worst[0][3] == pytest.approx(-10)


def test_a_single_method_has_no_standing(tmp_path):
    found = rows()
    found[found["method"] == "dt-a"].to_parquet(tmp_path / "rows.parquet")
    assert standings(read(tmp_path).frame) == []
