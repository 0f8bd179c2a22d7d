import base64
import gzip
import json

import numpy as np
import pandas as pd
import pytest
from site_cases import DATASETS, METHODS, NOISES, rows

from ironbark.pipeline.results.records import FAILED
from ironbark.pipeline.site.data import aggregates, data_files

ORDER = {"datasets": list(DATASETS), "noises": list(NOISES), "methods": list(METHODS)}


def content(text):
    arguments = text.removeprefix("ironbark.receive(").removesuffix(");\n")
    place, packed = json.loads(f"[{arguments}]")
    return place, json.loads(gzip.decompress(base64.b64decode(packed)))


def test_numbers_are_rounded_and_nan_is_null():
    values = {"p": pd.Series([0.123456, np.nan]), "mean": np.array([0.12345678, 1.0]), "n": np.int64(3)}
    assert content(data_files.script("a/b", values)) == (
        "a/b",
        {"p": [0.1235, None], "mean": [0.123457, 1], "n": 3},
    )


def test_no_text_ends_the_script():
    text = data_files.script("a", {"title": "</script><b>"})
    assert "<" not in text and content(text)[1]["title"] == "</script><b>"


def test_the_same_content_gives_the_same_script():
    assert data_files.script("a", {"n": 1}) == data_files.script("a", {"n": 1})


def test_a_grid_holds_every_cell_at_its_place():
    frame = rows(repeats=3)
    frame = frame[~((frame["dataset"] == "geese") & (frame["method"] == "dt-b") & (frame["noise_id"] == "clean"))]
    frame.loc[frame.index[0], "status"] = FAILED
    cells = aggregates.of_task(frame).cells["accuracy"]
    found = data_files.grid(cells, ORDER)
    known = cells.set_index(["dataset", "noise_id", "method"])
    for d, dataset in enumerate(found["datasets"]):
        for n, noise in enumerate(found["noises"]):
            for m, method in enumerate(found["methods"]):
                i = (d * len(NOISES) + n) * len(METHODS) + m
                if (dataset, noise, method) not in known.index:
                    assert np.isnan(found["mean"][i]) and (dataset, noise, method) == ("geese", "clean", "dt-b")
                    continue
                cell = known.loc[(dataset, noise, method)]
                for name in ("mean", "sd", "n", "difference", "runs", "p", "p_holm"):
                    assert found[name][i] == pytest.approx(cell[name], nan_ok=True)
                assert found["methods"][found["best"][d * len(NOISES) + n]] == cell["best"]


def test_a_count_that_all_cells_share_is_one_number():
    found = data_files.grid(aggregates.of_task(rows(repeats=3)).cells["accuracy"], ORDER)
    assert found["n"] == 3 and found["runs"] == 3
