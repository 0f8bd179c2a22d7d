"""Errors and minimax risks in the digits of the paper."""

import numpy as np
import pytest

from ironbark.pipeline import tables
from ironbark.pipeline.results.records import FAILED, frame
from ironbark.pipeline.tables import means as error_table

SPEC = {"kind": "errors", "id": "t", "methods": ["a", "b"], "risk_of": "b", "caption": "Three"}


def rows():
    for method, error in (("a", 0.22), ("b", 0.08)):
        for dataset, shift in (("d1", 0.0), ("d2", 0.149)):
            for noise_id in ("clean", "far"):
                for repeat in range(2):
                    value = error + shift + 0.02 * repeat - (0.15 if (method, noise_id) == ("a", "far") else 0)
                    yield {"dataset": dataset, "task": "binary", "method": method, "noise_id": noise_id} | {
                        "repeat": repeat,
                        "status": "ok",
                        "error": value,
                        "minimax_risk": 0.3 if method == "b" else np.nan,
                    }


def build(data=None, **changes):
    data = frame(rows()) if data is None else data
    return tables.build(data, SPEC | changes, {"a": "A"}, {"clean": "0"}, {"d1": "One"}, caption_note="Note.")


@pytest.mark.parametrize(
    ("mean", "text"), [(0.0849, "8.5"), (0.0994, "9.9"), (0.0996, "10"), (0.2151, "22"), (0.5, "50"), (0.0, "0.0")]
)
def test_digits(mean, text):
    assert error_table.printed_text(mean) == text
    assert error_table.printed_text(mean, 0.0349) == f"{text} ± 3.5"


def test_methods_below_each_other():
    table = build()
    assert list(table.frame.columns) == ["One", "d2"]
    assert table.frame.index.tolist() == [(n, m) for n in ("0", "far") for m in ("A", "b", "Minimax risk")]
    assert table.frame.loc[("0", "A")].tolist() == ["23 ± 1.4", "38 ± 1.4"]
    assert table.frame.loc[("0", "b")].tolist() == ["9.0 ± 1.4", "24 ± 1.4"]
    assert table.frame.loc[("0", "Minimax risk")].tolist() == ["30 ± 0.0", "30 ± 0.0"]
    assert table.bold.to_numpy().tolist() == [
        [False] * 2,
        [True] * 2,
        [False] * 2,
        [True] * 2,
        [False] * 2,
        [False] * 2,
    ]
    assert table.caption == (
        "Three. Test error in percent, mean of 2 fits ± one standard deviation; bold: the smallest mean. Note."
    )
    risk = table.values.query("method == 'minimax-risk'")
    assert len(risk) == 4 and (risk["mean"] == 0.3).all()


def test_failed_and_absent_fits():
    data = frame(rows())
    lost = (data["method"] == "a") & (data["repeat"] == 1) & (data["dataset"] == "d1") & (data["noise_id"] == "clean")
    data.loc[lost, "status"] = FAILED
    data = data[(data["method"] != "b") | (data["dataset"] != "d2")]
    table = build(data)
    assert table.frame.loc[("0", "A"), "One"] == "22 †1"
    assert table.frame.loc[("0", "b"), "d2"] == "–"
    assert [note[0] for note in table.notes] == ["†", "–"]
