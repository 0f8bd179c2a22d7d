"""CSV files that pandas would read otherwise than they are meant."""

import gzip

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import formats


@pytest.fixture
def read(tmp_path):
    """Function that writes bytes to a CSV file, packed if its name ends in .gz, and reads them."""

    def read_(content, name="a.csv", **options):
        path = tmp_path / name
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return formats.read(path, "csv", **options)

    return read_


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
@pytest.mark.parametrize("ends", ["", ","])
def test_rows_with_more_fields_than_the_header_are_refused(read, name, ends):
    rows = f"target,a,b\nyes,0,1,4{ends}\nno,1,2,3{ends}\n".encode()
    with pytest.raises(InputError, match=rf"{name}: rows have {4 + len(ends)} fields, the header has 3; give every"):
        read(rows, name)


@pytest.mark.parametrize("header", [b"target,a,target", b'\xef\xbb\xbf\n  \n"target",a,target', b'target,a,"target"\r'])
def test_columns_of_the_same_name_are_refused(read, header):
    for name in ("a.csv", "a.csv.gz"):
        with pytest.raises(InputError, match=f"{name}: the column 'target' occurs twice; give every column a name"):
            read(header + b"\n1,2,3\n4,5,6\n", name)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators_are_pointed_out(read, separator):
    header, row = separator.join(["a", "b", "target"]), separator.join(["0,5", "1", "x"])
    with pytest.raises(
        InputError, match="a.csv: the header .* is a single column; separate the columns by commas"
    ) as e:
        read(f"{header}\n{row}\n".encode())
    assert repr(header) in str(e.value)


def test_whole_numbers_of_more_than_64_bits_are_text(read, tmp_path):
    table = read(b"big,a,wide,target\n01234567890123456789012,1,18446744073709551615,yes\n?,2,0,no\n-7,3,1,no\n")
    assert list(table.columns) == ["big", "a", "wide", "target"]
    assert table["big"].isna().tolist() == [False, True, False]
    assert table["big"].dropna().tolist() == ["01234567890123456789012", "-7"]
    assert table["wide"].tolist() == [2**64 - 1, 0, 1] and table["a"].tolist() == [1, 2, 3]
    formats.write(table, tmp_path / "a.parquet")
    assert formats.read(tmp_path / "a.parquet", "parquet")["big"].dropna().tolist() == table["big"].dropna().tolist()


@pytest.mark.parametrize("word", ["None", "n/a"])
def test_labels_that_count_as_missing_are_named(read, word):
    rows = f"x,kind\n1,cat\n\n2,{word}\n3,\n,cat\n4,{word}\n".encode()
    sentence = f"a.csv: 2 of 5 labels in column 'kind' are '{word}', which counts as missing; give this class another"
    with pytest.raises(InputError, match=sentence):
        read(rows, target="kind")
    assert read(rows, target="x")["kind"].isna().sum() == 3


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        (["01", "02", "10"], True),
        (["1E5", "2E5"], True),
        (["TRUE", "FALSE"], True),
        (["Infinity", "0"], True),
        (["1", " 1", "2"], True),
        (["00:10", "1"], True),
        (["1", "2"], False),
        (["1.0", "2.0"], False),
        (["True", "False"], False),
    ],
)
def test_labels_keep_their_texts_where_numbers_would_change_them(read, texts, kept):
    rows = "".join(f"{text},{i}\n" for i, text in enumerate(texts))
    found = read(f"target,x\n{rows}".encode(), target="target")["target"]
    assert (found.tolist() == texts) == kept
    assert found.nunique() == len(texts)
