"""`ironbark labels --review` and `--reviewed`: three rounds on an ugly file, and answers that are refused."""

import codecs
import json
import re
import shutil
import threading
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from ironbark.cli import labels, main, source, tables


def run(*arguments):
    return main(["labels", "sick.csv", "--target", "state", "--jobs", "1", *map(str, arguments)])


@pytest.fixture(scope="module")
def table():
    """Ids, dates, text and gaps; 15 % of the labels are wrong."""
    rng = np.random.default_rng(0)
    n = 200
    true = rng.choice(["ill", "well"], n)
    frame = pd.DataFrame(
        {
            "id": [f"p{i:05d}" for i in range(n)],
            "date": pd.date_range("2024-01-01", periods=n).astype(str),
            "fever": np.where(true == "ill", 39.2, 36.8) + rng.normal(0, 0.4, n),
            "note": np.where(rng.random(n) < 0.8, np.where(true == "ill", "coughs", "fine"), ""),
        }
    )
    frame.loc[rng.random(n) < 0.1, "fever"] = np.nan
    wrong = rng.permutation(n)[:30]
    labels = true.copy()
    labels[wrong] = np.where(true[wrong] == "ill", "well", "ill")
    return frame.assign(state=labels), true


@pytest.fixture
def sick(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table[0].to_csv("sick.csv", index=False)
    return table[1]


def answered(true, path="sick-review.csv"):
    """Fill in a sheet as a person who is always right, and save it as spreadsheets do."""
    sheet = pd.read_csv(path, dtype=str, keep_default_na=False)
    right = true[sheet["row"].astype(int) - 2]
    sheet["verdict"] = np.where(right == sheet["given"], "keep", right)
    saved = sheet.assign(given=sheet["given"].str.upper(), row=sheet["row"] + np.resize(["", ".0"], len(sheet)))
    saved.to_csv(path, index=False, sep=";", encoding="utf-8-sig")
    return sheet


def test_rounds(sick, table, capsys):
    noisy = table[0]["state"].to_numpy()
    assert run("--review", "--drop", "id", "--rows", 50) == 0
    assert "with keep, unsure or the right label (ill, well)" in capsys.readouterr().out
    seen = set()
    for number in (1, 2):
        sheet = answered(sick)
        assert len(sheet) == 50 and not seen & set(sheet["row"])
        seen |= set(sheet["row"])
        assert run("--reviewed", "sick-review.csv", "--drop", "id", "--rows", 50) == 0
        printed = capsys.readouterr().out
        rows = np.array(sorted(map(int, seen))) - 2
        confirmed = (noisy != sick)[rows].sum()
        assert f"checked: {50 * number} rows, of which {confirmed} are wrong" in printed
        assert printed.count("share of wrong labels") == 1  # that of the review
        assert "90 % interval, valid at every round" in printed and ("go on (" in printed or "stop: " in printed)
        cleaned = pd.read_csv("sick-cleaned.csv", dtype=str, keep_default_na=False)
        assert (cleaned["state"] != noisy).sum() == confirmed == (cleaned["replaced"] != "").sum()
        assert (cleaned["state"].to_numpy()[rows] == sick[rows]).all()
        given = pd.read_csv("sick.csv", dtype=str, keep_default_na=False)
        pd.testing.assert_frame_equal(cleaned.drop(columns=["state", "replaced"]), given.drop(columns="state"))
    assert len(json.loads(Path("sick-review.json").read_text())["answers"]) == 100
    errors = pd.read_csv("sick-errors.csv")
    assert not set(errors["row"]) & set(map(int, seen))  # answers are not suspected
    assert Path("sick-review.png").read_bytes().startswith(b"\x89PNG")


def test_tasks_of_label_studio_and_its_answers(sick, capsys):
    """Its CSV export has a column for each entry of the data, and one with the name of the choices."""
    assert run("--review", "--drop", "id", "--rows", 20, "--export", "label-studio") == 0
    sheet = pd.read_csv("sick-review.csv", dtype=str, keep_default_na=False)
    tasks = json.loads(Path("sick-review-label-studio.json").read_text())
    assert [task["data"]["row"] for task in tasks] == sheet["row"].tolist()
    interface = ElementTree.parse("sick-review-label-studio.xml")
    choices, item = interface.find("Choices"), interface.find("Table")
    values = [choice.get("value") for choice in choices]
    assert values == ["keep", "unsure", "ill", "well"] and choices.get("toName") == item.get("name")
    called = [(task, other) for task, other in zip(tasks, sheet["suggested"], strict=True) if task["predictions"]]
    assert 0 < len(called) < 20  # others must not be changed by a mere click
    for task, suggested in called:
        assert item.get("value").removeprefix("$") in task["data"]
        [prediction] = task["predictions"]
        [result] = prediction["result"]
        assert (result["from_name"], result["to_name"]) == (choices.get("name"), item.get("name"))
        assert result["value"] == {"choices": [suggested]} and 0 <= prediction["score"] <= 1
    exported = pd.DataFrame([task["data"] for task in tasks]).assign(verdict="keep", annotator=1, id=range(20))
    exported.to_csv("exported.csv", index=False)
    assert run("--reviewed", "exported.csv", "--drop", "id", "--rows", 20) == 0
    assert "checked: 20 rows, of which 0 are wrong" in capsys.readouterr().out
    assert json.loads(Path("sick-review-label-studio.json").read_text()) != tasks  # those of the next round
    for path in ("sick-review.json", "sick-cleaned.csv"):  # to begin again with the same answers
        Path(path).unlink()
    assert run("--reviewed", "exported.csv", "--drop", "id", "--rows", 20) == 0
    assert "checked: 20 rows, of which 0 are wrong" in capsys.readouterr().out


def spoiled(edit, name="sick-review.json"):
    """A change that edits the record or the data, and leaves the sheet as it is."""
    return lambda sheet: Path(name).write_text(edit(Path(name).read_text())) and sheet


BAD, ALL, VERDICTS = ("--reviewed", "bad.csv"), ("--review",), ("pass it as --reviewed sick-review.csv",)
DAMAGED = ("sick-review.json is damaged",)
EDITS = [lambda text: text[:40], lambda _: "[]", lambda _: '{"answers": {}}']
EDITS += [lambda text: text.replace('"answers": {}', '"answers": {"9999": "ill"}')]  # no row of the data
FLIP = {"ill": "well", "well": "ill"}


@pytest.mark.parametrize(
    ("change", "arguments", "words"),
    [
        (lambda sheet: sheet.assign(row=["999", *sheet["row"][1:]]), BAD, ("row 999", "another table")),
        (lambda sheet: sheet.assign(row=["x", *sheet["row"][1:]]), BAD, ("row x", "another table")),
        (lambda sheet: sheet.assign(verdict="sane"), BAD, ("verdict 'sane'", "keep, unsure", "well", "where none")),
        (lambda sheet: sheet.assign(given=sheet["given"].map(FLIP)), BAD, ("given label", "another table")),
        (lambda sheet: pd.concat([sheet, sheet.assign(verdict="unsure")]), BAD, ("two different verdicts",)),
        (lambda sheet: sheet.drop(columns="verdict"), BAD, ("no column 'verdict'", "--review")),
        (lambda sheet: sheet.drop(columns="row"), BAD, ("no column 'row'",)),
        *((content, BAD, ("bad.csv",)) for content in (b"", b"x", b"\x00\xff\xfe", b'row,given,verdict\n"2')),
        (lambda sheet: sheet.head(3), BAD, VERDICTS),
        (b"", ALL, VERDICTS),
        *((b"", option, ("add --review",)) for option in (("--export", "label-studio"), ("--cost", "2"))),
        *((spoiled(edit), BAD, DAMAGED) for edit in EDITS),
        (spoiled(lambda text: text.replace('"seed": 0', '"seed": 1')), BAD, ("begun with another seed",)),
        (spoiled(lambda text: text.replace("\n", "\n\n", 1), "sick.csv"), ALL, ("begun with another table",)),
        (spoiled(lambda text: re.sub("\n", ";seen\n", text), "sick-review.csv"), BAD, ("'seen'", "another name")),
    ],
)
def test_what_is_refused_loses_nothing(begun, sick, capsys, change, arguments, words):
    shutil.copytree(begun, ".", dirs_exist_ok=True)
    sheet = answered(sick)
    Path("bad.csv").write_bytes(change if isinstance(change, bytes) else change(sheet).to_csv(index=False).encode())
    before = {path: path.read_bytes() for path in Path().iterdir()}
    assert run(*arguments, "--drop", "id") == 1
    said = capsys.readouterr().err
    assert all(word in said for word in words), said
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


@pytest.fixture(scope="module")
def begun(table, tmp_path_factory):
    """A folder with the first sheet of a review."""
    folder = tmp_path_factory.mktemp("begun")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        table[0].to_csv("sick.csv", index=False)
        assert run("--review", "--drop", "id") == 0
    return folder


def test_runs_at_the_same_time_lose_no_answers(sick, table, monkeypatch):
    detect, second, waits = labels.detect, [], threading.Event()
    monkeypatch.setattr(labels, "_warn", lambda sentences: "waiting" in str(sentences) and waits.set())

    def detect_(*arguments, **options):
        if not second:
            second.append(threading.Thread(target=run, args=("--reviewed", "b.csv", "--drop", "id")))
            second[0].start()
            waits.wait(5)  # without a lock it ends before the first run writes
        return detect(*arguments, **options)

    monkeypatch.setattr(labels, "detect", detect_)
    for row, name in ((2, "a.csv"), (3, "b.csv")):
        Path(name).write_text(f"row,given,verdict\n{row},{table[0]['state'][row - 2]},keep\n")
    assert run("--reviewed", "a.csv", "--drop", "id") == 0
    second[0].join()
    assert json.loads(Path("sick-review.json").read_text())["answers"].keys() == {"2", "3"}
    assert waits.is_set() and not list(Path().glob(".*.lock"))


def test_carriage_returns_labels_that_blanks_tell_apart_and_a_review_to_the_end(sick, table, capsys):
    state = table[0]["state"].where(np.arange(200) % 20 > 0, "ill ")
    frame = table[0].assign(note="one\rtwo", state=state)
    frame.to_csv("sick.csv", sep=";", index=False, lineterminator="\r\n")
    for _ in range(2):
        assert run("--review", "--drop", "id", "--rows", 200) == 0
        sheet = pd.read_csv("sick-review.csv", sep=";", dtype=str, keep_default_na=False)
        sheet.assign(verdict=sheet["given"]).to_csv("all.csv", index=False, lineterminator="\r\n")
    assert run("--reviewed", "all.csv", "--drop", "id", "--output", "all.csv") == 1
    assert "holds the answers that are read" in capsys.readouterr().err
    assert Path("sick-review.html").exists() and run("--reviewed", "all.csv", "--drop", "id") == 0
    printed = capsys.readouterr().out
    assert "checked: 200 rows, of which 0 are wrong" in printed and "called errors, without the answers: 0" in printed
    assert pd.read_csv("sick-errors.csv", sep=";").empty and not Path("sick-review.html").exists()
    cleaned = pd.read_csv("sick-cleaned.csv", sep=";", dtype=str, keep_default_na=False)
    assert cleaned["state"].tolist() == state.tolist() and set(cleaned["note"]) == {"one\rtwo"}


@pytest.mark.parametrize("others", [["ill"], ["ill", "well"]])
def test_answers_may_leave_one_class_or_none_of_a_class(sick, table, capsys, others):
    state = np.where(np.arange(200) < 3, "typo", np.resize(others, 200))
    table[0].assign(state=state).to_csv("sick.csv", index=False)
    pd.DataFrame({"row": [2, 3, 4], "given": "typo", "verdict": "ill"}).to_csv("answers.csv", index=False)
    for _ in range(2):
        assert run("--reviewed", "answers.csv", "--drop", "id") == 0
        assert "checked: 3 rows, of which 3 are wrong" in capsys.readouterr().out


def test_a_label_that_is_a_verdict_and_a_table_of_the_user_are_refused(sick, table, capsys):
    Path("sick-cleaned.csv").write_text("mine")
    assert run("--review", "--drop", "id") == 1
    assert "move it away" in capsys.readouterr().err and Path("sick-cleaned.csv").read_text() == "mine"
    table[0].replace({"state": {"ill": "keep"}}).to_csv("sick.csv", index=False)
    assert run("--review") == 1
    assert "verdict 'keep', which is a label of the data; rename" in capsys.readouterr().err


def test_shares_are_of_the_rows_that_can_be_judged_and_blank_rows_are_named(sick, table, capsys):
    frame = table[0].assign(state=np.where(np.arange(200) < 40, "odd", table[0]["state"]), group=np.arange(200) // 40)
    Path("sick.csv").write_bytes(codecs.BOM_UTF8 + frame.to_csv(index=False).encode())
    true = np.where(np.arange(200) < 40, "odd", sick)
    options = ("--drop", "id", "--groups", "group", "--rows", 200)
    assert run("--review", *options) == 0
    assert Path("sick-review.csv").read_bytes().startswith(codecs.BOM_UTF8)
    sheet = answered(true)
    blank, wrong = int(sheet["row"][0]), (frame["state"] != true).sum()
    assert len(sheet) == 160
    Path("sick-review.csv").unlink()  # else its verdicts would be missed
    sheet[1:].to_csv("most.csv", index=False)
    assert run("--reviewed", "most.csv", *options) == 0
    printed = capsys.readouterr().out
    assert f"row {blank} was to be checked and has no answer, so 1" in printed
    sheet.to_csv("all.csv", index=False)
    assert run("--reviewed", "all.csv", *options) == 0
    printed = capsys.readouterr().out
    assert f"share of wrong labels of the 160 rows that can be judged: {wrong / 160:.1%} (" in printed
    assert "left: about 0 (0 to 0)" in printed and "was to be checked" not in printed
    again = tables.read(source.find(Path("sick-cleaned.csv"), "state"), "state")
    assert "replaced" not in again.features and "column 'replaced', with labels from before a" in str(again.warnings)
