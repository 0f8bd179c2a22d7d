"""Labels files depend on the ids alone; frozen results, and that a rerun of cheap cells gives every bit of them."""

import itertools
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from mirror_tables import MIRROR
from pipeline.jobs.rerun import rerun
from result_rows import result_rows

from ironbark.errors import InputError
from ironbark.pipeline.data import bundle
from ironbark.pipeline.jobs import reference
from ironbark.pipeline.jobs.corrupt import by_position
from ironbark.pipeline.jobs.samples import Samples
from ironbark.pipeline.plan.study.study import check_noise
from ironbark.pipeline.results import noisy_labels, records

ROOT = Path(__file__).parents[3]
FROZEN = sorted((ROOT / "data/reference").glob("*.csv"))

#: Cells of quickstart that take a second or two together: all kinds of noise that need no fit, tuned trees, forests.
CHEAP = [
    ("iris", "multiclass", "mahalanobis", "dt-ane"),
    ("iris", "multiclass", "uniform-0.4", "rf-self-tuned"),
    ("wine", "multiclass", "uniform-0.4", "dt-misclassification"),
    ("breast-cancer", "binary", "class-conditional-0.2-0.4", "dt-pairwise"),
    ("breast-cancer", "binary", "clean", "rf-pairwise"),
]

#: Cells of studies whose data only a mirror has, and a scale that has frozen results of them.
MIRRORED = [
    ("mushrooms", "full", "mushrooms", "binary", "uniform-0.2", "dt-gini"),
    ("pg", "full", "heart", "binary", "uniform-0.1", "pg-dt-pairwise"),
    ("rmb", "full", "titanic", "binary", "uniform-0.1", "gentleboost"),
    ("rgbdt", "lite", "balance", "multiclass", "pair-flip-0.4", "rgbdt-robust-lgb"),
    ("rgbdt", "lite", "credit-approval", "binary", "balanced-0.2", "rgbdt-robust-xgb"),
]


def frozen(path):
    """A frozen file with every digit."""
    exact = dict.fromkeys(["mean", "spread", "n_leaves"], lambda text: float(text or "nan"))
    return pd.read_csv(path, dtype={"rate": "str"}, keep_default_na=False, converters=exact)


def same_bits_as_frozen(ours, study, scale, cell):
    kept = frozen(ROOT / f"data/reference/{study}.csv")
    kept = kept[(kept[["scale", *reference.CELL]] == [scale, *cell]).all(axis=1)]
    kept = kept[kept["metric"].eq("accuracy")]
    ours = ours[ours["metric"].eq("accuracy")]
    assert len(ours) == len(kept) == 1
    for column in set(reference.COLUMNS) - {"versions"}:
        both = ours[column].item(), kept[column].item()
        assert both[0] == both[1] or all(map(pd.isna, both)), column  # boosters have no n_leaves


@pytest.fixture(scope="module")
def again(tmp_path_factory):
    """Rows of all those cells by study and cell, from one process: a process for each takes ten times as long."""
    cells = [{"study": "quickstart", "cell": cell, "mirror": None, "scale": "full"} for cell in CHEAP]
    for study, scale, *cell in MIRRORED if MIRROR.exists() else ():
        cells.append({"study": study, "cell": cell, "mirror": str(MIRROR), "scale": scale})
    rows = rerun(tmp_path_factory.mktemp("cells"), cells)
    return {(one["study"], *one["cell"]): row for one, row in zip(cells, rows, strict=True)}


@pytest.mark.parametrize("cell", CHEAP, ids="-".join)
def test_the_same_bits_as_frozen(again, cell):
    same_bits_as_frozen(again["quickstart", *cell], "quickstart", "full", cell)


@pytest.mark.skipif(not MIRROR.exists(), reason=f"no mirror of the data sets in {MIRROR}")
@pytest.mark.parametrize(("study", "scale", "cell"), [(study, scale, cell) for study, scale, *cell in MIRRORED])
def test_the_same_bits_as_frozen_of_a_mirror(again, study, scale, cell):
    same_bits_as_frozen(again[study, *cell], study, scale, cell)


@pytest.mark.parametrize("path", FROZEN, ids=lambda path: path.stem)
def test_frozen_files_are_whole(path):
    kept = frozen(path)
    assert list(kept.columns) == reference.COLUMNS and set(kept["study"]) == {path.stem}
    assert not kept.duplicated(reference.KEY).any()
    assert kept.drop(columns=["rate", "n_leaves"]).notna().all(axis=None)
    assert kept.loc[kept["metric"].ne("log_loss"), "mean"].between(0, 1).all()
    assert (kept["n_leaves"].dropna() >= 1).all()
    assert kept.groupby(["scale", *reference.CELL[:3]])["labels"].nunique().eq(1).all()  # comparisons are paired
    assert kept.groupby("dataset")["data"].nunique().eq(1).all()


def test_quickstart_is_frozen_as_the_study_asks_for_it(shipped):
    kept = frozen(ROOT / "data/reference/quickstart.csv")
    study = shipped.study("quickstart", kept["scale"].iloc[0])
    asked = {(*cell, *pair) for *cell, noises, methods in study.blocks for pair in itertools.product(noises, methods)}
    assert set(kept.loc[kept["metric"].eq("accuracy"), reference.CELL].itertuples(index=False, name=None)) == asked
    assert set(kept["n"]) == {study.protocol["repeats"]}


def rows(accuracies, method="m", **changes):
    about = {"study": "s", "scale": "full", "protocol": "fixed-split", "versions": '{"a": "1"}', "n_leaves": 3.5}
    return result_rows({("d", "clean", method): accuracies}, **about | changes)


@pytest.fixture
def samples(tmp_path):
    """Labels of one cell, and the folder of its data set."""
    split = noisy_labels.Split(0, 0, np.array([0, 1, 2]), np.array([3]))
    labels = noisy_labels.Labels([split], [np.array([0, 1, 1], np.uint8)], np.eye(2)[None], np.eye(2, dtype=int)[None])
    noisy_labels.write({"clean": labels}, tmp_path / "labels/d/binary.npz")
    about = {"id": "d", "n": 4, "d": 1, "tasks": {}, "digest": "ab" * 32}
    (tmp_path / "d").mkdir()
    (tmp_path / "d/meta.json").write_text(json.dumps(about), encoding="utf-8")
    return Samples([tmp_path / "d"], [tmp_path / "labels/d/binary.npz"])


def test_means_by_hand_and_the_digest_of_labels(samples, tmp_path):
    records.write(rows([0.9, 0.7]), tmp_path / "rows.parquet")
    reference.run({"study": "s"}, tmp_path / "rows.parquet", samples, tmp_path / "s.csv")
    line = frozen(tmp_path / "s.csv").iloc[0]
    assert (line["n"], line["mean"], line["n_leaves"]) == (2, np.mean([0.9, 0.7]), 3.5)  # to the last digit
    assert line["spread"] == pytest.approx(0.1 * np.sqrt(2))
    assert (line["versions"], line["data"]) == ("a 1", "ab" * 16)
    splits = samples.splits("d", "binary", "clean")
    assert line["labels"] == reference.digest(splits)
    splits[0, 0][1][2] = 0
    assert line["labels"] != reference.digest(splits)


def test_lines_of_other_cells_and_scales_are_kept(samples, tmp_path):
    lite, exact = {"study": "only/d/s", "scale": "lite"}, 0.1 + 0.2
    for written in (rows([exact]), rows([exact], "a"), rows([exact], **lite), rows([0.5], **lite)):
        records.write(written, tmp_path / "rows.parquet")
        reference.run({"study": "s"}, tmp_path / "rows.parquet", samples, tmp_path / "s.csv")
    found = frozen(tmp_path / "s.csv")[["study", "scale", "method", "mean"]]
    wanted = [["s", "full", "a", exact], ["s", "full", "m", exact], ["s", "lite", "m", 0.5]]
    assert found.to_numpy().tolist() == wanted


WRITTEN = yaml.safe_load((ROOT / "config/noise/arena.yaml").read_text("utf-8")).keys() - {"observed"}
META = {"id": "small", "features": ["age", "sex", "city=Rome"], "categories": {"sex": ["f", "m"]}}


@pytest.mark.parametrize("task", ["binary", "multiclass"])
def test_every_noise_of_the_arena_is_consistent_and_the_same_again(prepared, labels, shipped, tmp_path, task):
    y, k = bundle.load(prepared).y(task), 2 if task == "binary" else 3
    names = [name for name in shipped.config["noises"] if {name, name.rpartition("-0.")[0]} & WRITTEN]
    names += ["clean", "uniform-0.2", *(["mahalanobis"] if k > 2 else [])]
    noises = {name: check_noise(shipped.config, name, task, k) for name in names}
    noises = json.loads(json.dumps(noises))  # as jobs get them
    path = labels(noises=noises, task=task)
    content, found = path.read_bytes(), {name: noisy_labels.read(path, name) for name in noises}
    for name, one in found.items():
        for split, noisy, flips in zip(one.splits, one.noisy, one.flips, strict=True):
            assert not set(split.train) & set(split.test) and len(split.train) + len(split.test) == len(y)
            counted = [[np.sum(noisy[y[split.train] == i] == j) for j in range(k)] for i in range(k)]
            assert np.array_equal(flips, counted) and len(noisy) == len(split.train) == flips.sum()
            assert (noisy != y[split.train]).any() == (name != "clean"), name
        np.testing.assert_allclose(one.transition.sum(axis=2), 1)
    np.testing.assert_array_equal(found["clean"].transition, np.broadcast_to(np.eye(k), (2, k, k)))
    noisy_labels.write(found, tmp_path / "again.npz")
    assert labels(noises=noises, task=task).read_bytes() == content == (tmp_path / "again.npz").read_bytes()


def test_first_repeats_do_not_depend_on_their_number(labels):
    two, three = (noisy_labels.read(labels(repeats=number), "uniform-0.2") for number in (2, 3))
    for i in range(2):
        np.testing.assert_array_equal(two.noisy[i], three.noisy[i])
    assert (three.noisy[2] != three.noisy[0]).any()
    other = noisy_labels.read(labels(renamed="uniform-0.2-again"), "uniform-0.2-again")
    assert (two.noisy[0] != other.noisy[0]).any()


def test_what_is_wrong_leaves_no_file(tmp_path, labels, prepared):
    with pytest.raises(ValueError, match="'uniform-0.2' on data set 'small': .*rate"):
        labels(noise={"model": "uniform", "rate": 0.9, "params": {}})
    assert not (tmp_path / "labels/small/multiclass.npz").exists()
    target = np.load(prepared / "target.npy")
    np.save(prepared / "target.npy", target[::-1])
    with pytest.raises(InputError, match="are not those of its meta.json; remove the folder"):
        labels()
    assert not list(tmp_path.glob("**/*.npz"))


def test_a_column_is_named(labels):
    found = []
    for column in ("b", 1):
        noise = {"model": "threshold", "rate": 0.3, "params": {"column": column, "quantile": 0.5}}
        found.append(noisy_labels.read(labels(noise=noise), "uniform-0.2").noisy)
    assert np.array_equal(*found)


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"exact": True}, {"exact": True}),
        ({"column": "sex", "value": "m"}, {"column": 1, "value": 1}),
        ({"column": "city=Rome", "value": 1}, {"column": 2, "value": 1}),
    ],
)
def test_names_become_positions(params, expected):
    assert by_position(params, META) == expected
    numbered = {**META, "categories": {"sex": ["1", "2", "3"]}}
    assert by_position({"column": "sex", "value": 2}, numbered) == {"column": 1, "value": 1}


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"column": "town"}, "'small' has no feature 'town', .*; choose one of age, sex, city=Rome"),
        ({"column": "sex", "value": "x"}, "has no category 'x' of feature 'sex', .* one of f, m"),
        ({"column": "age", "value": "old"}, "has no category 'old' of feature 'age', .*; give a number"),
        ({"column": 7, "value": "f"}, "has no category 'f' of feature None"),
    ],
)
def test_unknown_names(params, sentence):
    with pytest.raises(InputError, match=sentence):
        by_position(params, META)
