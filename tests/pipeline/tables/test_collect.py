import statistics

import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.results.records import FAILED, frame
from ironbark.pipeline.tables import collect


def fit(method="m1", repeat=0, accuracy=0.5, **changes):
    row = {"dataset": "d1", "task": "binary", "noise": "uniform", "rate": "0.2", "noise_id": "uniform-0.2"}
    row |= {"method": method, "repeat": repeat, "fold": 0, "status": "ok", "accuracy": accuracy}
    return row | changes


def failed(**changes):
    return fit(accuracy=float("nan"), status=FAILED, **changes)


def test_cells_equal_a_naive_loop():
    rng = np.random.default_rng(0)
    rows = frame(
        fit(method, repeat, rng.random(), dataset=dataset, fold=fold)
        for dataset in ("d2", "d1")
        for method in ("b", "a")
        for repeat in range(3)
        for fold in range(2)
    )
    result = collect.cells(rows)
    assert list(result["dataset"]) == ["d1", "d1", "d2", "d2"]
    for cell in result.itertuples():
        values = [r.accuracy for r in rows.itertuples() if (r.dataset, r.method) == (cell.dataset, cell.method)]
        assert cell.mean == pytest.approx(statistics.fmean(values))
        assert cell.sd == pytest.approx(statistics.stdev(values))
        assert (cell.n, cell.failed, cell.missing) == (6, 0, 0)


def test_cells_do_not_depend_on_the_order_of_the_rows():
    rng = np.random.default_rng(1)
    rows = frame(fit(m, r, rng.random()) for m in "ab" for r in range(20))
    shuffled = rows.sample(frac=1, random_state=0)
    assert collect.cells(rows).equals(collect.cells(shuffled))


def test_failed_fits_are_counted_and_not_averaged():
    rows = frame([fit(repeat=0, accuracy=0.4), failed(repeat=1), fit(repeat=2, accuracy=0.6), failed(method="m2")])
    one, two = collect.cells(rows).itertuples(index=False)
    assert (one.mean, one.n, one.failed) == (pytest.approx(0.5), 2, 1)
    assert np.isnan(two.mean) and (two.n, two.failed) == (0, 1)


EXPECTED = [("d1", "binary", "uniform-0.2", method, repeat, 0) for method in ("m1", "m2") for repeat in range(3)]


def test_holes_are_refused_with_the_first_ones_named():
    with pytest.raises(InputError, match=r"5 fits are missing \(d1, binary, uniform-0.2, m1, 1, 0; .*, \.\.\.\)"):
        collect.refuse_holes(frame([fit()]), EXPECTED)


def test_a_failed_fit_is_no_hole():
    rows = frame([failed(method=m, repeat=r) for m in ("m1", "m2") for r in range(3)])
    assert collect.refuse_holes(rows, EXPECTED).empty


def test_allowed_holes_are_counted_in_the_cells():
    rows = frame([fit(repeat=0)])
    holes = collect.refuse_holes(rows, EXPECTED, allow_holes=True)
    result = collect.cells(rows, missing=holes).set_index("method")
    assert dict(result["missing"]) == {"m1": 2, "m2": 3}
    assert (result.loc["m2", "n"], result.loc["m2", "noise"], result.loc["m2", "rate"]) == (0, "uniform", "0.2")


def test_two_tasks_in_one_table_are_refused():
    rows = frame([fit(), fit(task="multiclass")])
    with pytest.raises(InputError, match="'t9' mixes the tasks binary and multiclass"):
        collect.select(rows, {"id": "t9"})
    assert len(collect.select(rows, {"task": "binary"})) == 1
