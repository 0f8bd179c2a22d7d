"""Packages, methods and data sets that a run cannot have, and tables that are tried while planning."""

import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pipeline.plan.small import caption, check, try_tables

from ironbark.errors import InputError
from ironbark.pipeline.data import SOURCES
from ironbark.pipeline.plan.config import packages, preflight
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.plan.study.unavailable import without

LOCK = "run `.venv/bin/pip install -r envs/run.lock`"


def test_one_sentence_names_data_sets_package_and_command(config, study, lacking, tmp_path, monkeypatch):
    """Nothing is said where the package, the data or a mirror is there, or jobs have an environment of their own."""
    monkeypatch.chdir(tmp_path)
    split = config["datasets"]["two"]["split"]
    for number, name in enumerate(["far", "further"]):
        config["datasets"][name] = {"title": "F", "source": "openml", "openml_id": number, "split": split}
        study["grids"][0]["datasets"].append(name)
    lacking()
    check(config)
    lacking("openml")
    with pytest.raises(InputError) as caught:
        check(config)
    assert str(caught.value) == (
        f"study 'small': openml must be installed for the data sets far, further; {LOCK}, or give the folder of a "
        "mirror with --config mirror=DIR"
    )
    check(config, shares_packages=False)
    config["settings"]["mirror"] = str(tmp_path)
    check(config)
    del config["settings"]["mirror"]
    for name in ("far", "further"):
        (tmp_path / "data/raw" / name).mkdir(parents=True)
        (tmp_path / "data/raw" / name / "table.parquet").touch()
    check(config)


def test_a_study_that_can_do_without_an_optional_package_says_so(config, study, lacking, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config["datasets"]["net"] = {"title": "N", "source": "vgg11", "images": "two", "split": {"train_size": 0.5}}
    study["grids"][0]["datasets"].append("net")
    lacking("torch", "torchvision")
    images = "`.venv/bin/pip install -r envs/images.lock`"
    with pytest.raises(InputError, match=f"torch and torchvision must be .* data sets net; run {images}"):
        check(config)
    study["if_absent"] = {"net": None}
    lacking("torch")
    plan = Plan(config)
    check(config)
    assert plan.study("small", "full").datasets == ["two", "three"]
    assert try_tables(config) == [f"study 'small' does without net for lack of torch: {images}"]
    lacking()
    assert try_tables(config) == []
    assert {package for source in SOURCES.values() for package in source.packages} <= set(packages.LOCKS)


ARENA = "pip install -r envs/arena.lock"


@pytest.fixture
def optional(config, study):
    """The small configuration with methods of optional packages in its binary grid, and a table that shows one."""
    config["methods"] |= {
        "cat": {"estimator": "catboost.CatBoostClassifier", "label": "CatBoost", "needs": ["catboost"]},
        "cat-2": {"estimator": "catboost.CatBoostClassifier", "needs": ["catboost"]},
        "ebm": {"estimator": "interpret.glassbox.EBM", "label": "EBM", "needs": ["interpret", "numpy"]},
        "sk-2": {"estimator": "sklearn.tree.DecisionTreeClassifier", "needs": ["sklearn"]},
    }
    study["grids"][0]["methods"] += ["cat", "ebm", "cat-2", "sk-2"]
    study["tables"]["pair"] = {"kind": "accuracy", "task": "binary", "methods": ["dt-gini", "cat"]}
    study["tables"]["cats"] = {"kind": "accuracy", "task": "binary", "methods": ["cat", "cat-2"]}
    return config


def test_they_are_left_out_of_cells_tables_and_captions(optional, study, lacking):
    lacking("catboost", "interpret")
    assert try_tables(optional) == [
        f"study 'small' does without CatBoost, cat-2 for lack of catboost: `.venv/bin/{ARENA}`",
        f"study 'small' does without EBM for lack of interpret: `.venv/bin/{ARENA}`",
        "study 'small' makes no table 'cats' in this run, which has too few data sets, noises or methods",
    ]
    optional["methods"]["own"] = {"estimator": "mine.Net", "needs": ["nets", "catboost"]}
    study["grids"][0]["methods"].append("own")
    study["grids"].append(study["grids"][0] | {"datasets": ["own"], "methods": ["cat"]})
    lacking("catboost", "interpret", "nets")
    plan = Plan(optional)
    found = plan.study("small", "full")
    assert found.datasets == ["two", "three"], "a grid of nothing else disappears"
    assert found.cells["two", "binary"][1] == ["dt-gini", "dt-entropy", "rf-gini", "sk-2"]
    assert "cats" not in found.shown["table"] and found.shown["table"]["pair"]["methods"] == ["dt-gini"]
    assert caption(plan).endswith(f"Left out, not installed: CatBoost, EBM, cat-2, own ({ARENA} nets).")
    assert found.caps == ""  # the other fits are those of the full study


@pytest.mark.parametrize(
    ("needs", "methods", "words"),
    [
        ([], ["dt-gini", "cat"], f"method 'cat': it needs the package catboost, .*`.venv/bin/{ARENA}`"),
        (["catbost"], ["dt-gini", "cat"], "method 'cat': `needs` names the unknown package 'catbost'.*'catboost'"),
        (["catboost"], ["cat", "ebm"], f"study 'small': .* lack packages or files; to get them: `.venv/bin/{ARENA}`"),
    ],
)
def test_what_cannot_be_planned_without_them_is_refused(optional, study, lacking, needs, methods, words):
    optional["methods"]["cat"]["needs"] = needs
    study["grids"] = [study["grids"][0] | {"methods": methods}]
    study["tables"] = study["figures"] = {}
    lacking("catboost", "catbost", "interpret")
    with pytest.raises(InputError, match=words):
        Plan(optional).study("small", "full")


GRID = {"tasks": ["binary"], "noises": ["clean"], "methods": ["m"]}
KNOWN = dict.fromkeys(("a", "b", "b2", "c"), {})
ENTRY = {
    "grids": [{**GRID, "datasets": ["a", "b"]}, {**GRID, "datasets": ["c"]}],
    "tables": {"all": {"kind": "accuracy", "datasets": ["b", "a"]}, "c": {"kind": "accuracy", "datasets": ["c"]}},
    "figures": {"b": {"kind": "transition-matrix", "dataset": "b"}, "c": {"kind": "x", "dataset": "c"}},
    "scales": {"smoke": {"datasets": ["b"]}, "lite": {"repeats": 1}, "full": {}},
    "if_absent": {"b": "b2", "c": None},
}


@pytest.mark.parametrize(
    ("absent", "unusable", "grids", "table", "figures", "smoke", "words"),
    [
        (["a", "b2"], [], [["a", "b"], ["c"]], ["b", "a"], "bc", ["b"], ""),  # a is not listed: its fetch says so
        (["b"], [], [["a", "b2"], ["c"]], ["b2", "a"], "bc", ["b2"], "b2 stands in for b"),
        (["b", "b2", "c"], [], [["a"]], ["a"], "", [], "Cannot be had in this run and left out: b, c"),
        ([], ["a", "b"], [["b2"], ["c"]], ["b2"], "bc", ["b2"],
         "Left out, since the data are not what the catalogue expects: a; b2 stands in for b"),
    ],
)  # fmt: skip
def test_stand_ins_take_the_place_everywhere_or_it_is_left_out(absent, unusable, grids, table, figures, smoke, words):
    result, said = without("s", ENTRY, KNOWN, tuple(absent), tuple(unusable))
    assert [grid["datasets"] for grid in result["grids"]] == grids and said == words
    assert result["tables"]["all"]["datasets"] == table and set(result["figures"]) == set(figures)
    assert result["scales"]["smoke"] == {"datasets": smoke}  # empty, which is refused, and not without a cap
    with pytest.raises(InputError, match="study 's': none of its data sets can be had; give a mirror"):
        without("s", ENTRY | {"if_absent": dict.fromkeys("abc")}, KNOWN, KNOWN)


CV = {"kind": "repeated-cv", "repeats": 2, "options": {"folds": 5, "max_train": None}}
FIXED = {"kind": "fixed-split", "repeats": 2, "options": {"max_train": None}}


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    return pd.DataFrame({"a": rng.normal(size=30), "b": np.arange(30) / 7, "target": np.arange(30) % 2})


@pytest.fixture
def tried_table(tmp_path, monkeypatch):
    """Function that writes a frame as Parquet and checks it; the fault and the warnings."""
    monkeypatch.chdir(tmp_path)

    def check_(frame, protocol=CV, tasks=("binary",), mirror=None, **entry):
        path = tmp_path / "own.parquet"
        if frame is not None:
            frame.to_parquet(path, index=False)
        entry = {"title": "Own", "source": "mirror" if mirror else "file", **entry}
        if entry["source"] == "file":
            entry["path"] = str(path)
        return preflight.check("own", entry, mirror and str(mirror), path, tasks, protocol)

    return check_


def with_a_hole(frame):
    return frame.assign(a=frame["a"].where(frame["b"] > 0))


#: Change of the table, options of `check`, parts of the sentence: whatever the source, of own tables, of a mirror.
OF_ALL = [
    (lambda t: t.head(4), {}, ["needs at least folds=5 samples, but there are 4"]),
    (lambda t: t.assign(target=["few"] * 2 + ["many"] * 28), {}, ["5 samples of each class", "but class few has 2"]),
    (lambda t: t, {"protocol": FIXED}, ["'fixed-split' needs"]),
    (lambda t: t, {"tasks": ("multiclass",)}, ["'own' has no task 'multiclass'"]),
]
OF_OWN = [
    (with_a_hole, {}, ["column 'a' has 1 missing values", "`missing: keep`"]),
    (lambda t: t.drop(columns="target"), {}, ["no target column 'target'", "set `target` to one of a, b"]),
    (lambda t: t, {"expect": {"n": 31}}, ["n is 30, expected 31"]),
    (lambda t: None, {}, ["'own': there is no file", "own.parquet; put it there or fix `path`"]),
]
OF_MIRROR = [
    (lambda t: t.assign(target=np.arange(30) % 3), {}, ["no task 'binary'; set `positive`"]),
    (lambda t: t, {"expect": {"counts": {"a": 20, "b": 10}}}, ["own.in_mirror"]),
    (with_a_hole, {}, ["'a' has 1 missing values, in 30 rows; ", "own.in_mirror: `in_mirror: {missing: keep}`"]),
    (lambda t: t[["a"]], {}, ["has no column 'target', which every table of a mirror"]),
    (lambda t: None, {}, ["the mirror folder", "has no table own.parquet; add it there"]),
]


@pytest.mark.parametrize(("edit", "options", "parts"), OF_ALL + OF_OWN)
def test_mistakes(tried_table, table, edit, options, parts):
    fault, _ = tried_table(edit(table), **options)
    assert "\n" not in fault and all(part in fault for part in parts), fault


@pytest.mark.parametrize(("edit", "options", "parts"), OF_ALL + OF_MIRROR)
def test_tables_that_replace_a_known_source_are_not_read_whole(
    tried_table, table, edit, options, parts, tmp_path, monkeypatch
):
    monkeypatch.setattr(preflight, "_whole", None)
    assert tried_table(table, mirror=tmp_path, source="openml") == (None, [])
    for kept in ({"missing": "keep"}, {"missing": "drop"}, {"drop": ["a"]}):
        assert tried_table(with_a_hole(table), mirror=tmp_path, source="openml", **kept) == (None, [])
    (tmp_path / "own.parquet").unlink()
    fault, _ = tried_table(edit(table), mirror=tmp_path, source="openml", **options)
    assert all(part in fault for part in parts), fault


def test_unreadable_files_are_named_as_in_the_entry(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("own").mkdir()
    Path("own/latin.csv").write_bytes("a,b,target\n1,caf\u00e9,0\n".encode("latin-1"))
    entry = {"title": "Own", "source": "file", "path": "own/latin.csv"}
    fault, _ = preflight.check("toy", entry, None, Path("own/latin.csv"), ["binary"], CV)
    assert re.match("data set 'toy': own/latin.csv .*0xe9 .*; save it as UTF-8, or check the file", fault)
    assert "tmp" not in fault and "\n" not in fault


@pytest.fixture
def tried(monkeypatch):
    """List that grows by one with each table that is really tried."""
    calls, whole = [], preflight._whole
    monkeypatch.setattr(preflight, "_whole", lambda *arguments: calls.append(1) or whole(*arguments))
    return calls


def test_nothing_is_tried_twice_and_only_the_result_is_kept(tried_table, table, tried, tmp_path):
    fault, (warning,) = tried_table(table.assign(id=range(30)))
    assert fault is None and "column 'id' has 30 different whole numbers in 30 rows" in warning
    assert sorted(p.name for p in tmp_path.iterdir()) == [".snakemake", "own.parquet"]
    assert tried_table(None) == tried_table(None) == (None, [warning]) and len(tried) == 1
    os.utime("own.parquet", (2e9, 2e9))
    assert "own.parquet is dated 2033-05-18, in the future; run touch on it" in tried_table(None)[0]
    os.utime("own.parquet", (1, 1))
    assert tried_table(None) == (None, [warning]) and len(tried) == 2
    for text in ("", "{", "[]"):
        for kept in (tmp_path / preflight.MEMORY).iterdir():
            kept.write_text(text)
        assert tried_table(None) == (None, [warning]), "damaged memory is not used"


OTHER = CV | {"options": {"folds": 3, "max_train": None}}


@pytest.mark.parametrize(
    ("change", "bad"), [({"drop": ["c"]}, True), ({"tasks": ["multiclass"]}, True), ({"protocol": OTHER}, False)]
)
def test_a_changed_entry_protocol_or_task_is_tried_though_the_file_is_the_same(tried_table, table, tried, change, bad):
    tried_table(table)
    fault = tried_table(None, **change)[0]
    assert len(tried) == 2 and (fault is not None) == bad
    assert tried_table(None, **change)[0] == fault and len(tried) == 2, "faults are kept too"
