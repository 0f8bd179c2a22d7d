import bz2
import gzip
import lzma

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ironbark.errors import InputError
from ironbark.pipeline.data import formats

CSV = b"x,c,target\n0.1,a,1\n2,?,2\n1e-300,b,1\n"
ARFF = b"""@relation tiny
@attribute x numeric
@attribute c {a, b}
@attribute target {1, 2}
@data
0.1,a,1
2,?,2
?,b,1
"""


@pytest.mark.parametrize(
    ("suffix", "pack"), [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_csv_plain_and_compressed(tmp_path, suffix, pack):
    path = tmp_path / f"a.csv{suffix}"
    path.write_bytes(pack(CSV))
    table = formats.read(path, "csv")
    assert table["x"].tolist() == [0.1, 2.0, 1e-300]
    assert table["c"].isna().tolist() == [False, True, False]
    assert table["target"].tolist() == [1, 2, 1]


@pytest.mark.parametrize("quote", ["'", '"'])
def test_arff_values_may_be_quoted_in_later_rows_only(tmp_path, quote):
    rows = ["1,x,p", "2,z,p", "% c", "", "3,'y z',q", "4,x,'q'", "5,'y z',p"]
    header = "@relation r\n@attribute a numeric\n@attribute c {x,z,'y z'}\n@attribute target {p,q}\n@DATA\n"
    path = tmp_path / "a.arff"
    path.write_bytes("\r\n".join([header, *rows]).replace("'", quote).encode())
    table = formats.read(path, "arff")
    assert table["a"].tolist() == [1, 2, 3, 4, 5]
    assert table["c"].tolist() == ["x", "z", "y z", "x", "y z"]
    assert table["target"].tolist() == ["p", "p", "q", "q", "p"]
    path.write_text(f"{header}1,x,p\n2,'y z',q".replace("'", quote))
    assert formats.read(path, "arff").to_numpy().tolist() == [[1, "x", "p"], [2, "y z", "q"]]
    path.write_text(f"{header}1,x,p\n2,'w',q\n".replace("'", quote))
    with pytest.raises(InputError, match="Data value w not found in nominal declaration, at line 7"):
        formats.read(path, "arff")


HEAD, DIALECTS = (
    "@relation r\n",
    {
        "blanks in a list": ("@attribute b { x , y }\n@data\nx\ny", "b", ["x", "y"]),
        "a quoted name with a blank": ("@attribute 'b c' {x,y}\n@data\nx\ny", "b c", ["x", "y"]),
        "an escaped quote in a name": (r"@attribute 'b\'s' {x,y}" "\n@data\nx\ny", "b's", ["x", "y"]),
        "categories with blanks": ("@attribute b {'x y',\"z, w\"}\n@data\n'x y'\n\"z, w\"", "b", ["x y", "z, w"]),
        "blanks without quotes": ("@attribute b {New York,y}\n@data\nNew York\ny", "b", ["New York", "y"]),
        "an apostrophe": ("@attribute b {O'Brien,y}\n@data\nO'Brien\ny", "b", ["O'Brien", "y"]),
        "a per cent sign": ("@attribute b {5%,y}\n@data\n5%\ny", "b", ["5%", "y"]),
        "UTF-8": ("@attribute ä {é,日本}\n@data\né\n日本", "ä", ["é", "日本"]),
        "a byte order mark": ("\ufeff% c\n@attribute b {x,y}\n@data\nx\ny", "b", ["x", "y"]),
        "a comment with braces": ("@attribute b {x,y} %{<=50K, >50K}\n@data % rows\nx\n% c\n\ny", "b", ["x", "y"]),
        "tabs and other cases": ("\t@Attribute\tb\t{x,\ty}\n@Data\n\tx\ny\t", "b", ["x", "y"]),
        "a question mark that is quoted": ("@attribute b {'?',y}\n@data\n'?'\n?", "b", ["?", None]),
        "a range": ("@attribute b real [0, 9]\n@data\n1\n?", "b", [1, None]),
        "texts": ("@attribute b string\n@data\n'x, y'\n?", "b", ["x, y", None]),
    },
)


@pytest.mark.parametrize("name", DIALECTS)
def test_arff_dialects(tmp_path, name):
    text, column, values = DIALECTS[name]
    (tmp_path / "a.arff").write_text(HEAD * (not text.startswith("\ufeff")) + text, encoding="utf-8", newline="")
    found = formats.read(tmp_path / "a.arff", "arff")[column]
    assert found.astype(object).where(found.notna(), None).tolist() == values


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("@attribute b {x,y}\n@data\n{0 y}\n", "a.arff: sparse ARFF is not supported; save the table as dense ARFF"),
        ("@attribute b date 'yyyy-MM-dd'\n@data\n2020-01-01", "the type DATE of the attribute 'b' is not supported; "),
        ("@attribute b\n@data\n1", "line 2 is no attribute with a type"),
        ("@attribute b real width 3\n@data\n1", "line 2 has 'width 3' behind the type"),
        ("@attribute b numeric\n@data\n1\n2,5%d%s", "Bad @DATA instance format in line 5"),
    ],
)
def test_what_arff_files_cannot_hold_is_said(tmp_path, text, said):
    (tmp_path / "a.arff").write_text(HEAD + text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        formats.read(tmp_path / "a.arff", "arff")


def test_csv_numbers_are_read_exactly(tmp_path):
    values = np.random.default_rng(0).normal(size=2000) * 10.0 ** np.arange(-1000, 1000).clip(-290, 290)
    path = tmp_path / "a.csv"
    path.write_text("x\n" + "\n".join(map(repr, values.tolist())), encoding="utf-8")
    assert formats.read(path, "csv")["x"].tolist() == values.tolist()


def test_the_same_frame_gives_the_same_bytes(tmp_path, table):
    formats.write(table, tmp_path / "a.parquet")
    formats.write(table.set_index(table.index + 5), tmp_path / "b.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    pd.testing.assert_frame_equal(formats.read(tmp_path / "a.parquet", "parquet"), table)


@pytest.mark.parametrize(("name", "format"), [("a.CSV", "csv"), ("a.b.arff.gz", "arff"), ("a.libsvm.xz", "libsvm")])
def test_format_by_name(name, format):
    assert formats.format_of(name) == format
    with pytest.raises(InputError, match="cannot tell the format of 'a.gz'.*choose one of csv"):
        formats.format_of("a.gz")


def test_parquet_keeps_types_and_leaves_out_the_index(tmp_path):
    frame = pd.DataFrame({"x": np.array([1, 2], np.int16), "c": pd.Categorical(["b", "a"])}, index=[7, 9])
    frame.to_parquet(tmp_path / "a.parquet")
    table = formats.read(tmp_path / "a.parquet", "parquet")
    assert list(table.columns) == ["x", "c"]
    assert table.index.tolist() == [0, 1]
    assert table["x"].dtype == np.int16
    assert isinstance(table["c"].dtype, pd.CategoricalDtype)


@settings(deadline=None)
@given(st.lists(st.one_of(st.integers(-(2**40), 2**40).map(float), st.floats(allow_nan=True)), min_size=1))
def test_smallest_keeps_every_number(values):
    values = np.array(values)
    small = formats.smallest(values)
    np.testing.assert_array_equal(small.astype(np.float64), values)
    if small.dtype.kind in "iu":
        low, high = int(min(values)), int(max(values))
        wanted = next(d for d in _INTEGERS if np.iinfo(d).min <= low and high <= np.iinfo(d).max)
        assert small.dtype.itemsize <= np.dtype(wanted).itemsize
    else:
        assert not all(value.is_integer() and abs(value) <= 2**53 for value in values.tolist())


_INTEGERS = (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.int64)
