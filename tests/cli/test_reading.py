"""Files of other kinds, separators and numbers than plain CSV, and their columns as a learner takes them."""

import bz2
import gzip
import io
import lzma
import zipfile

import numpy as np
import pandas as pd
import pytest

from ironbark import InputError
from ironbark.cli import source, tables
from ironbark.pipeline.data.labels import essence

PLAIN = "record id,a,b,kind\n" + "".join(f"r {i},{i / 8},{i % 7},{'cd'[i % 2]}at\n" for i in range(30))


def read(path, target="kind", *arguments):
    return tables.read(source.find(path, target), target, *arguments)


@pytest.fixture
def plain(tmp_path):
    (tmp_path / "plain.csv").write_text(PLAIN)
    return read(tmp_path / "plain.csv")


def separated(separator, decimal="."):
    return pd.read_csv(io.StringIO(PLAIN)).to_csv(index=False, sep=separator, decimal=decimal).encode()


FILES = {
    "gzip": (gzip.compress(PLAIN.encode()), ["is read as .gz"]),
    "bzip2": (bz2.compress(PLAIN.encode()), ["is read as .bz2"]),
    "xz": (lzma.compress(PLAIN.encode()), ["is read as .xz"]),
    "byte order mark": (b"\xef\xbb\xbf" + PLAIN.encode(), []),
    "semicolons": (separated(";"), ["the separator is a semicolon; set --sep"]),
    "decimal comma": (separated(";", ","), ["a semicolon", "numbers with a decimal comma, such as '0,0', in 'a'"]),
    "decimal comma in quotes": (separated(",", ","), ["numbers with a decimal comma, such as '0,0', in 'a'"]),
    "commas and blanks": (PLAIN.replace(",", ", ").encode(), []),
    "tabs": (separated("\t"), ["the separator is a tab"]),
    "bars": (separated("|"), ["the separator is a bar"]),
    "blanks": (separated(" "), ["the separator is a blank"]),
    "UTF-16": (separated("\t").decode().encode("UTF-16"), ["is read as UTF-16; if letters are wrong", "a tab"]),
    "line of Excel": (b"sep=;\r\n" + separated(";"), ["the first line is 'sep=;', which names the separator"]),
}


@pytest.mark.parametrize("kind", FILES)
def test_other_files_give_the_same_table(tmp_path, plain, kind):
    content, words = FILES[kind]
    (tmp_path / "other.csv").write_bytes(content)
    found = read(tmp_path / "other.csv")
    assert found.features == plain.features and found.y.tolist() == plain.y.tolist()
    np.testing.assert_array_equal(found.X, plain.X)
    assert found.rows.tolist() == list(range(2, 32))
    *notes, last = found.warnings
    assert "column 'record id' has 30 different texts" in last and "leave it out by --drop 'record id', unless" in last
    assert len(notes) == len(words) and all(word in note for word, note in zip(words, notes, strict=True))


def test_parquet_is_read_with_its_categories_in_order(tmp_path, plain):
    frame = pd.read_csv(io.StringIO(PLAIN))
    months = [str(i % 12 + 1) for i in range(30)]
    frame["self"] = pd.array([2**60 + i if i else None for i in range(30)], "Int64")  # equal as floats
    frame = frame.assign(month=pd.Categorical(months)).set_index("record id", drop=False)
    frame.assign(list=[[1 / 3, i] for i in range(30)]).to_parquet(tmp_path / "t.data")
    found = read(tmp_path / "t.data", "kind", ["list"], None, ["self"])
    assert found.features == [*plain.features, "self", "month"] and "is read as Parquet" in found.warnings[0]
    assert len(set(found.X[1:, -2])) == 29 and np.isnan(found.X[0, -2])
    assert "[0.3333333333333333 1. " in tables.texts(source.find(tmp_path / "t.data", "kind"))["list"][1]
    assert found.X[:, -1].tolist() == [float(month) for month in months]


def test_blanks_before_values_stay_unless_all_names_but_the_first_have_one(tmp_path):
    frame = pd.DataFrame({" a": range(30), "b": range(30), "kind": [" k", "k", "m"] * 10})
    frame.to_csv(tmp_path / "plain", index=False)
    frame.to_parquet(tmp_path / "parquet")
    frame.rename(columns={"b": " b", "kind": " kind"}).to_csv(tmp_path / "blanks", index=False)
    found = {name: read(tmp_path / name).classes for name in ("plain", "parquet", "blanks")}
    assert found == {"plain": [" k", "k", "m"], "parquet": [" k", "k", "m"], "blanks": ["k", "m"]}


def test_bytes_of_parquet_are_texts_or_named(tmp_path):
    pd.DataFrame({"b": [b"\xff", b"x"] * 15, "kind": ["Käse".encode(), b"cat"] * 15}).to_parquet(tmp_path / "t.data")
    found = read(tmp_path / "t.data")
    assert found.classes == ["Käse", "cat"]
    assert [text for text in found.warnings if "column 'b' holds bytes that are not UTF-8; write texts" in text]


def test_letters_of_windows_are_read_and_written_for_excel(tmp_path):
    (tmp_path / "t.csv").write_bytes(PLAIN.replace("cat", "caté€").encode("cp1252"))
    found = tables.read(file := source.find(tmp_path / "t.csv", "kind"), "kind")
    assert found.classes == ["caté€", "dat"] and "is read as Windows-1252; if letters are wrong" in found.warnings[0]
    tables.write(tmp_path / "out.csv", file, found, pd.DataFrame({"seen": True}, [0]))
    assert (tmp_path / "out.csv").read_text("utf-8") == "\ufeffrow,seen,record id,a,b,kind\n2,True,r 0,0.0,0,caté€\n"


def test_a_feature_with_one_value_for_each_label_is_named(tmp_path):
    frame = pd.read_csv(io.StringIO(PLAIN)).assign(code=["1", "2"] * 15, own=["u", "v", "v", "u", "u"] * 6)
    frame.to_csv(tmp_path / "t.csv", index=False)
    [sentence] = [text for text in read(tmp_path / "t.csv").warnings if "has one value for each label" in text]
    assert sentence.endswith("leave it out by --drop code, unless it is a feature")


def packed(name):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, "x")
    return stream.getvalue()


REFUSED = {
    "Excel": (packed("xl/workbook.xml"), "is an Excel file; install the package openpyxl to read it, or"),
    "old Excel": (b"\xd0\xcf\x11\xe0....", "is an Excel file of the old format .xls; save it as CSV in UTF-8"),
    "OpenDocument": (packed("content.xml"), "is a zip archive; save it as CSV"),
    "no letters": (PLAIN.replace("cat", "cat\x81").encode("latin-1"), "cannot be read as CSV text .* save it as UTF-8"),
    "bytes": (b"\xe9\0" + PLAIN.encode(), "cannot be read as CSV text .* save it as UTF-8"),
    "damaged Parquet": (b"PAR1....", "cannot be read as Parquet"),
    "damaged gzip": (b"\x1f\x8b....", "cannot be read as CSV text"),
    "one title": (b"Report\n" + PLAIN.encode(), "'kind', is below the line 'Report'; remove the line above it"),
    "two titles": (b"A\nB,,\n" + PLAIN.encode(), "is below the line 'A'; remove the 2 lines above it"),
    "empty": (b"", "cannot be read as CSV text"),
    "part of a name": (b"risk kind,x\nlow a,1\n", "there is no column 'kind'; did you mean 'risk kind'"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_read_is_one_sentence(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(source, "find_spec", lambda name: None)
    content, sentence = REFUSED[kind]
    (tmp_path / "x.csv").write_bytes(content)
    with pytest.raises(InputError, match=sentence) as error:
        read(tmp_path / "x.csv")
    assert "`format`" not in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["1.234,5", "999,25", "0,5"], [1234.5, 999.25, 0.5]),
        (["-0,5", "2", "1,25e3"], [-0.5, 2, 1250]),
        (["0,5", "n.a.", "1,5", "2,5"], [0.5, np.nan, 1.5, 2.5]),
        (["1,000", "2,000", "500"], None),  # thousands or decimals
        (["1,5", "a", "b"], None),
    ],
)
def test_decimal_commas_are_read_where_they_are_certain(tmp_path, texts, numbers):
    pd.DataFrame({"c": texts, "kind": ["x", "y", "x", "y"][: len(texts)]}).to_csv(tmp_path / "x.csv", index=False)
    found = read(tmp_path / "x.csv")
    assert any("decimal comma" in sentence for sentence in found.warnings) == (numbers is not None)
    if numbers is not None:
        np.testing.assert_array_equal(found.X[:, 0], numbers)


def test_large_integers_and_named_categories_stay_apart(tmp_path):
    rows = "".join(f"{2**60 + i};{i % 3},5;0,{i};1.{i}0;{'uv'[i % 2]}\n" for i in range(10, 50))
    (tmp_path / "x.csv").write_text("id;a;b;c;kind\n;1,5;2;7;u\n" + rows)  # a gap, beside which pandas reads floats
    found = tables.read(source.find(tmp_path / "x.csv", "kind"), "kind", categories=["a"])
    assert len(set(found.X[1:, 0])) == 40 and np.isnan(found.X[0, 0]) and found.categorical == [0, 1]
    assert found.X[:2, 2:].tolist() == [[2, 7], [0.1, 1100]]  # points mark thousands beside decimal commas
    assert any("'id' has 40 different texts" in sentence for sentence in found.warnings)


def test_columns_become_numbers_with_gaps(data, frame):
    table = read(data, "kind", ["id", "row"], "site")
    assert table.features == ["length", "colour"]
    assert table.X.shape == (120, 2) and np.isnan(table.X[::10, 0]).all()
    assert np.isnan(table.X[:, 1]).tolist() == (frame["colour"] == "?").tolist()
    assert set(table.X[frame["colour"] == "red", 1]) == {1.0}  # blue, red
    assert len(set(table.groups)) == 6 and table.y.tolist() == frame["kind"].tolist()


def test_dates_with_the_year_first_count_as_days(tmp_path):
    path = tmp_path / "dates.csv"
    rows = ["1970-01-02,1970-01-01 12:00:00,3/1/2020,1970-01-02", ",1969-12-31T00:00:00Z,4/1/2020,1970-02-30"]
    path.write_text("\n".join(["day,time,other,none,kind", *(f"{row},{k}" for row in rows for k in "ab")]))
    table = read(path)
    assert table.X[:, :2].tolist() == pytest.approx(np.array([[1, 0.5]] * 2 + [[np.nan, -1]] * 2), nan_ok=True)
    assert table.categorical == [2, 3] and "column 'time', such as '1970-01-01 12:00:00', count as" in table.warnings[1]
    assert "'other' holds dates, such as '3/1/2020', which are encoded as categories" in table.warnings[2]
    assert read(path, "kind", (), None, ["day"]).categorical == [0, 2, 3]


def test_texts_of_more_levels_than_a_tree_takes_are_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "MOST_LEVELS", 3)
    path = tmp_path / "texts.csv"
    path.write_text("name,x,kind\n" + "".join(f"n{i},{i % 2}.5,{'ab'[i % 2]}\n" for i in range(4)))
    assert read(path).features == ["x"] and "'name' has 4 different texts, more than 3, and" in read(path).warnings[0]
    with pytest.raises(InputError, match="no column is left to judge labels by"):
        read(path, "kind", ["x"])


@pytest.mark.parametrize("target", ["x", "y", "z", "Unnamed: 3"])
@pytest.mark.parametrize("head", ["", "\n", "  \n\n"])
def test_rows_are_numbered_with_blank_lines(tmp_path, target, head):
    path = tmp_path / "a.csv"
    path.write_text(head + 'x,y,z,\n1,a,1,1\n\n2,"two\n\nlines",2,2\n  \n   \n\n3,a,2,3\n')
    table = read(path, target)
    first = 2 + head.count("\n")
    assert table.rows.tolist() == [first, first + 2, first + 6]
    tables.write(tmp_path / "out.csv", source.find(path, target), table, SUSPECTS)
    found = pd.read_csv(tmp_path / "out.csv")
    assert found["row"].tolist() == [first + 6, first] and found["y"].tolist() == ["a", "a"]


SUSPECTS = pd.DataFrame({"given": "a", "suggested": "b", "quality": 0.0, "is_error": True}, index=[2, 0])


def test_whole_numbers_beside_gaps_are_the_same_labels_with_points_and_commas():
    for mark in ".,":
        texts = pd.DataFrame({"ann": ["1", "2", "3"], "ben": [f"1{mark}0", "", f"3{mark}0"]})
        assert tables._given(texts).fillna("").to_numpy().tolist() == [["1", "1"], ["2", ""], ["3", "3"]]
        texts["ben"] = [f"1{mark}5", "", f"3{mark}0"]
        assert tables._given(texts)["ben"].tolist()[2] == f"3{mark}0"
        assert essence(f"3{mark}0") == essence("3") != essence(f"3{mark}1")
