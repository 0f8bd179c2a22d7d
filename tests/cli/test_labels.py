"""`ironbark labels`, from a CSV file to a CSV file, a picture and a summary."""

import gzip
import io
import os
import re
import threading
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ironbark.cli import main, picture

#: Files with a fault.
SMALL = {
    "header.csv": "a,kind\n",
    "only.csv": "kind\na\nb\n",
    "none.csv": "a,kind\n1,None\n2,b\n",
    "infinite.csv": "x,kind\ninf,a\n1,b\n",
    "many.csv": "x,kind\n" + "".join(f"1,{i}.5\n" for i in range(300)),
}


def run(*arguments):
    return main(["labels", "--jobs", "1", *map(str, arguments)])


def test_planted_errors_are_written_with_all_columns(data, frame, drawn, capsys):
    """Rows are numbered as in a spreadsheet, where blank lines count."""
    lines = data.read_text().splitlines()
    data.write_text("\n".join([*lines[:50], "", " ", *lines[50:]]) + "\n")
    assert run(data, "--target", "kind", "--drop", "id", "--cut", "0.025") == 0
    found = pd.read_csv("animals-errors.csv", dtype=str, keep_default_na=False)
    assert {"5", "42", "81"} == set(found["row_"])
    printed = capsys.readouterr()
    assert printed.err == "" and set(found["row_"]) < set(printed.out.split())
    assert "120 rows, 4 features, 2 classes" in printed.out
    assert re.search(r"wrong labels: \d+\.\d% \(at most \d+\.\d%; classes may overlap", printed.out)
    assert "written: animals-errors.csv (3 rows), animals-errors.png" in printed.out
    assert Path("animals-errors.png").read_bytes().startswith(b"\x89PNG")


def test_rows_keep_their_texts_and_names_stay_apart(data, frame, capsys):
    Path("all.csv").write_text("of an animals.csv in another folder")
    assert run(data, "--target", "kind", "--all", "--output", "all.csv") == 0
    assert "written: all.csv (120 rows, in place of an older file), " in capsys.readouterr().out
    found = pd.read_csv("all.csv", dtype=str, keep_default_na=False)
    assert list(found) == ["row_", "given", "suggested", "quality", "is_error", *frame]
    rows = found["row_"].astype(int) - 2
    assert sorted(rows) == list(range(120))
    assert found[list(frame)].set_index(rows).sort_index().to_dict("index") == frame.astype(str).to_dict("index")
    assert (found["given"] == found["kind"]).all()
    assert found["quality"].astype(float).is_monotonic_increasing
    assert (found["is_error"] == "True").sum() < 12


def test_a_share_and_groups_and_compression(data, capsys):
    packed = Path("animals.csv.gz")
    packed.write_bytes(gzip.compress(data.read_bytes()))
    arguments = [packed, "--target", "kind", "--drop", "id", "--groups", "site", "--cut", "0.1"]
    assert run(*arguments, "--output", "out/errors.csv", "--picture", "out/p.png") == 0
    assert len(pd.read_csv("out/errors.csv")) == 12 and "3 features" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.csv", "--target", "kind"], "there is no file absent.csv"),
        (["animals.csv", "--target", "kinds"], "no column 'kinds'; did you mean 'kind'?"),
        (["animals.csv", "--target", "kind", "--drop", "idd"], "no column 'idd'; did you mean 'id'?"),
        (["animals.csv", "--target", "kind", "--groups", "wher"], "no column 'wher'; set --groups to one of"),
        *((["animals.csv", "--target", "kind", word, "kind"], f"{word} names 'kind', a column of labels")
          for word in ("--drop", "--categories")),
        (["animals.csv", "--target", "row"], "column 'row' has a single class"),
        (["animals.csv", "--target", "colour"], r"\d+ of 120 labels in column 'colour' are missing"),
        (["animals.csv", "--target", "kind", "--groups", "length"], "12 of 120 groups in column 'length' are missing"),
        (["animals.csv", "--target", "kind", "--output", "a.png"], "cannot be both"),
        (["animals.csv", "--target", "kind", "--picture", "a.svg"], "must end in .png"),
        (["animals.csv", "--target", "kind", "--output", "."], "is a folder; give a file as --output"),
        (["animals.csv", "--target", "kind", "--output", "animals.csv/x.csv"], "animals.csv is a file, so an"),
        (["animals.csv", "--target", "kind", "--output", "circle"], "cannot write circle: its links lead in a circle"),
        (["animals.csv", "--target", "kind", "--output", "same.csv"], "is the file that is read; give another --o"),
        (["animals.csv", "--target", "kind", "--seed", "-1"], "--seed -1 must be between"),
        (["animals.csv", "--target", "kind", "--jobs", "0"], "--jobs 0 leaves no thread; give a number of threads"),
        (["none.csv", "--target", "kind"], "none.csv: 1 of 2 labels in column 'kind' are 'None', which counts"),
        (["header.csv", "--target", "kind"], "has no rows"),
        (["only.csv", "--target", "kind"], "no feature column is left"),
        (["infinite.csv", "--target", "kind"], "column 'x' has 1 infinite values in 2 rows; drop the column"),
        (["many.csv", "--target", "kind"], "column 'kind' has 300 classes, more than 255"),
        (["animals.csv", "--target", "kind", "--output", "animals-review.csv"], "has a name that files of a review"),
        (["animals.csv", "--target", "kind", "--groups", "row"], "column 'row' has a single group; leave --groups out"),
        (["animals.csv", "--target", "kind", "--sep", "||"], "must be one character"),
        (["animals.csv", "--target", "site,kind", "--review", "--drop=id"], "--review needs one column of labels, but"),
        (["animals.csv", "--target", "site,kind,site"], "--target names 'site' twice"),
        (["animals.csv", "--target", "length,colour"], "missing, in row"),
    ],
)  # fmt: skip
def test_mistakes_are_one_sentence(data, arguments, message, capsys):
    for name, text in SMALL.items():
        Path(name).write_text(text)
    Path("circle").symlink_to("circle")
    Path("same.csv").symlink_to("animals.csv")
    before = sorted(os.listdir())
    assert run(*arguments) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith("ironbark: ") and printed.err.count("\n") == 1 and not printed.out
    assert re.search(message, printed.err) and sorted(os.listdir()) == before


def test_a_pipe_gets_the_rows_and_the_picture_a_name_of_its_own(data):
    os.mkfifo("pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append(Path("pipe").read_text()))
    reader.start()
    assert run(data, "--target", "kind", "--output", "pipe") == 0
    reader.join(10)
    assert Path("pipe").is_fifo() and read[0].startswith("row_,given") and Path("animals-errors.png").is_file()
    assert run("pipe", "--target", "kind") == 1  # it would be read twice


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["01", "02"], None),
        (["1E5", "2E5"], None),
        (["TRUE", "FALSE"], None),
        (["1_1", "11"], None),
        (["1.1", "1.10"], "the labels '1.1' and '1.10' in column 'kind' differ only in"),
        (["cat", "Cat "], "the labels 'Cat ' and 'cat' in column"),
    ],
)
def test_labels_are_written_as_they_are(data, frame, capsys, names, said):
    frame.assign(kind=frame["kind"].map(dict(zip(["cat", "dog"], names, strict=True)))).to_csv(data, index=False)
    assert run(data, "--target", "kind", "--drop", "id", "--all") == 0
    found = pd.read_csv("animals-errors.csv", dtype=str)
    assert set(found["given"]) == set(names) and set(found["suggested"]) <= set(names)
    error = capsys.readouterr().err
    assert said in error if said else error == ""


@pytest.mark.parametrize("names", [["1", "2", "10"], ["month 1", "month 2", "month 10"], ["-2", "-1", "1e1"]])
def test_classes_are_in_natural_order(data, frame, capsys, names):
    frame.assign(kind=[names[i // 40] for i in range(120)]).to_csv(data, index=False)
    assert run(data, "--target", "kind", "--drop", "id") == 0
    lines = capsys.readouterr().out.partition("true class (rows)\n")[2].splitlines()
    assert re.split(r"\s{2,}", lines[0].strip()) == names
    assert all(line.startswith(name) for line, name in zip(lines[1:4], names, strict=True))


def test_rows_without_label_are_left_out_on_request(data, frame, capsys):
    frame.loc[[2, 9], "kind"] = "", "NA"
    frame.loc[:1, "kind"] = " "
    frame.to_csv(data, index=False)
    assert run(data, "--target", "kind", "--drop", "id", "--skip-unlabelled", "--all") == 0
    notes = capsys.readouterr().err
    assert "4 of 120 labels in column 'kind' are missing; these rows are left out" in notes
    assert "1 of 120 labels in column 'kind' are 'NA', which counts as missing" in notes
    frame.assign(other=frame["kind"]).to_csv(data, index=False)
    assert run(data, "--target", "kind,other", "--drop", "id") == 1 and "other' are 'NA'" in capsys.readouterr().err
    found = pd.read_csv("animals-errors.csv", dtype=str, keep_default_na=False)
    assert sorted(found["row_"].astype(int)) == [row for row in range(4, 122) if row not in (4, 11)]
    assert (found["given"] == found["kind"]).all()


def test_doubtful_columns_are_pointed_out(data, frame, capsys):
    frame.assign(length=frame["length"].where(frame.index > 2, "n.a.")).to_csv(data, index=False)
    assert run(data, "--target", "kind") == 0
    error = capsys.readouterr().err
    assert error.startswith("warning: ") and "and 3 other texts, such as 'n.a.', which" in error


def test_labels_at_random_are_not_judged(data, frame, capsys):
    rng = np.random.default_rng(3)
    pd.DataFrame(rng.standard_normal((100, 4))).assign(kind=rng.integers(0, 2, 100)).to_csv(data, index=False)
    assert run(data, "--target", "kind") == 0
    printed = "".join(capsys.readouterr())
    said = ("wrong labels: unknown", "called errors: 0\n", "so no label can be judged")
    assert all(words in printed for words in said) and "true class (rows)" not in printed


def test_a_wrong_cut_ends_by_the_usage(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["labels", "a.csv", "--target", "y", "--cut", "1.5"])
    error = capsys.readouterr().err
    assert ended.value.code == 2 and "usage: ironbark" in error
    assert "--cut: '1.5' is not count, precision or a share of the rows such as 0.05" in error


def test_names_of_results(data):
    """Only .csv and the suffix of a compression are left out; the seed fixes the rows, packed or not."""
    Path("$a$^.CSV.gz").write_bytes(gzip.compress(data.read_text().replace("cat", "$10%-$20%").encode()))
    for arguments in (["$a$^.CSV.gz"], [data, "--output", "o.2024"], [data, "--output", "o.csv.gz"]):
        assert run(*arguments, "--target", "kind", "--seed", 5) == 0
    assert {"$a$^-errors.csv", "$a$^-errors.png", "o.2024", "o.2024.png", "o.csv.gz", "o.png"} <= set(os.listdir())
    assert gzip.decompress(Path("o.csv.gz").read_bytes()) == Path("o.2024").read_bytes()


@pytest.mark.filterwarnings("error:Glyph")
def test_terminals_without_the_characters_get_escapes(data, drawn, monkeypatch):
    data.write_text(data.read_text().replace("cat", "猫"), "utf-8")
    terminal = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr("sys.stdout", terminal)
    assert run(data, "--target", "kind") == 0
    terminal.flush()
    assert rb"\u732b" in terminal.buffer.getvalue()


@pytest.mark.parametrize("step", ["detect", "tables.write", "picture.draw", "picture.write", "source.find"])
def test_ctrl_c_is_one_line(data, monkeypatch, capsys, step):
    def stop(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(f"ironbark.cli.labels.{step}", stop)
    assert run(data, "--target", "kind", "--drop", "id") == 130
    printed = capsys.readouterr()
    assert printed.err == "ironbark: stopped by Ctrl-C\n" and not printed.out
    assert set(os.listdir()) <= {"animals.csv", "animals-errors.csv"}
    assert ("animals-errors.csv" in os.listdir()) == (step == "picture.write")


def test_a_folder_without_permission_is_named_before_the_fit(data, monkeypatch, capsys):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anywhere
    monkeypatch.setattr("ironbark.cli.labels.detect", None)
    assert run(data, "--target", "kind", "--output", "out/deep/x.csv") == 1
    assert f"{data.parent} may not be written to; give another --output" in capsys.readouterr().err


def test_several_targets_give_their_consensus(data, frame, capsys):
    """Three annotators; the consensus is in the order of the file, and goes into a further call of the command."""
    table = frame.assign(ann=frame["kind"], ben=frame["kind"], cat=frame["kind"].where(frame["site"] > 1))
    table.loc[10:14, "ann"], table.loc[10:12, "ben"] = "dog", ""
    table.drop(columns=["kind", "id"]).to_csv("animals.csv", index=False)
    assert run(data, "--target", "ann, ben,cat", "--rows", "7") == 0
    found = pd.read_csv("animals-consensus.csv")
    assert list(found)[:6] == ["row_", "consensus", "quality", "labels", "next", "length"]
    assert found["row_"].tolist() == list(range(2, 122)) and found["next"].sum() == 7
    assert (found["consensus"] == frame["kind"]).mean() > 0.95
    assert found["quality"][found["next"]].max() <= found["quality"][~found["next"]].min()
    annotators = pd.read_csv("animals-consensus-annotators.csv", index_col="name")
    assert annotators["n_labels"].to_dict() == {"ann": 120, "ben": 117, "cat": table["cat"].count()}
    assert "4 features, 2 classes, 3 annotators" in capsys.readouterr().out
    dropped = [f"--drop={name}" for name in ("row_", "quality", "labels", "next", "ann", "ben", "cat")]
    assert run("animals-consensus.csv", "--target", "consensus", *dropped) == 0
    assert "4 features, 2 classes" in capsys.readouterr().out


def test_an_annotator_of_one_class_is_named_as_other_warnings_are(data, frame, capsys):
    frame.assign(ann="dog", ben=frame["kind"], cat=frame["kind"]).to_csv("animals.csv", index=False)
    with warnings.catch_warnings(action="error"):
        assert run(data, "--target", "ann,ben,cat", "--drop=id", "--drop=kind") == 0
    assert "\nwarning: all labels of annotator 'ann' are of one class" in "\n" + capsys.readouterr().err


def test_characters_of_no_font_are_escaped_and_long_names_cut():
    names = ["a" * 99 + "z", "b\u0378", "été\a"]
    found = {"classes_": np.sort(names), "noise_rate_": 0.1, "noise_matrix_": np.eye(3)}
    found |= {"label_quality_": np.linspace(0, 1, 9), "is_error_": np.arange(9) < 2}
    with warnings.catch_warnings(action="error"):
        figure = picture.draw(SimpleNamespace(**found, _is_unknown=False), names, "\U00010fff-data.csv")
    found = [label.get_text() for label in figure.axes[1].get_yticklabels()]
    assert found == [f"{'a' * 15}…{'a' * 14}z (1)", r"b\u0378 (2)", r"été\x07 (3)"]
    assert [label.get_text() for label in figure.axes[1].get_xticklabels()] == ["1", "2", "3"]
    assert figure.axes[0].get_title() == r"\U00010fff-data.csv"


def test_a_font_may_have_a_hyphen_in_its_name(monkeypatch):
    monkeypatch.setattr(picture, "_NO_LETTERS", ("cm", "STIX"))  # so that matplotlib's own "... High-Efficiency" counts
    assert picture.fonts("漢")[1] == set()
