from site_cases import rows, study

from ironbark.pipeline.results.records import FAILED
from ironbark.pipeline.site import coverage
from ironbark.pipeline.site.numbers import rows as read


def frame(tmp_path, changed):
    changed.to_parquet(tmp_path / "rows.parquet")
    return read(tmp_path).frame


def test_counts_against_a_walk_over_all_fits(tmp_path):
    found = rows().drop(index=[0, 1, 7]).reset_index(drop=True)
    found.loc[[2, 5], "status"] = FAILED
    found.loc[[2, 5], "message"] = "ValueError: no"
    about, known = study(), frame(tmp_path, found)
    assert coverage.causes(known)[["message", "fits"]].to_numpy().tolist()[0][0] == "ValueError: no"
    status = {(r.dataset, r.noise_id, r.method, r.repeat): r for r in found.itertuples()}
    for by in ("dataset", "method"):
        table = coverage.table(coverage.within(known, about), about, by)
        expected = {name: dict.fromkeys(("asked", "done", "failed", "missing", "seconds"), 0) for name in table.index}
        for dataset, _, noises, methods in about["blocks"]:
            for noise in noises:
                for method in methods:
                    for repeat in range(about["repeats"]):
                        line = expected[dataset if by == "dataset" else method]
                        row = status.get((dataset, noise, method, repeat))
                        line["asked"] += 1
                        line["missing" if row is None else "failed" if row.status == FAILED else "done"] += 1
                        line["seconds"] += 0 if row is None else row.fit_seconds + row.tune_seconds + row.score_seconds
        for name, line in expected.items():
            assert {k: round(v, 9) for k, v in table.loc[name].items()} == {k: round(v, 9) for k, v in line.items()}


def test_fits_that_the_study_no_longer_asks_for_do_not_count(tmp_path):
    known = frame(tmp_path, rows(repeats=3))
    about = study(blocks=[["ducks", "binary", ["clean"], ["dt-a"]], ["geese", "binary", ["uniform-0.2"], ["dt-b"]]])
    left = coverage.within(known, about)
    assert len(left) == 4 and set(left["repeat"]) == {0, 1}
    assert set(zip(left["dataset"], left["noise_id"], left["method"], strict=True)) == {
        ("ducks", "clean", "dt-a"),
        ("geese", "uniform-0.2", "dt-b"),
    }
