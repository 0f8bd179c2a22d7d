"""Files of tables: compression, archives, dialects of CSV, ARFF and KEEL, and what cannot be read."""

import bz2
import gzip
import io
import lzma

import makers
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ironbark.errors import InputError
from ironbark.pipeline.data import formats


@pytest.fixture
def read(tmp_path):
    """Function that writes a file and reads it as a table, by default in the format that its name says."""

    def read_(content, name, format=None, **options):
        path = tmp_path / name
        content = content if isinstance(content, bytes) else content.encode()
        path.write_bytes(PACKED.get(path.suffix, bytes)(content))
        return formats.read(path, format or formats.format_of(name), **options)

    return read_


PACKED = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
HEAD = "@relation r\n"


def values(column):
    return column.astype(object).where(column.notna(), None).tolist()


@pytest.mark.parametrize("name", ["a.csv", "a.CSV.gz", "a.b.csv.bz2", "a.csv.xz"])
def test_csv_plain_and_compressed(read, name):
    table = read(b"x,c,target\n0.1,a,1\n2,?,2\n1e-300,b,1\n", name)
    expected = {"x": [0.1, 2.0, 1e-300], "c": ["a", None, "b"], "target": [1, 2, 1]}
    assert {name: values(table[name]) for name in table} == expected


def test_numbers_of_csv_are_exact_and_longer_ones_text(read, tmp_path):
    numbers = np.random.default_rng(0).normal(size=2000) * 10.0 ** np.arange(-1000, 1000).clip(-290, 290)
    assert read("x\n" + "\n".join(map(repr, numbers.tolist())), "a.csv")["x"].tolist() == numbers.tolist()
    table = read(b"big,wide,target\n01234567890123456789012,18446744073709551615,yes\n?,0,no\n-7,1,no\n", "a.csv")
    formats.write(table, tmp_path / "a.parquet")
    for each in (table, formats.read(tmp_path / "a.parquet", "parquet")):
        assert values(each["big"]) == ["01234567890123456789012", None, "-7"]
        assert each["wide"].tolist() == [2**64 - 1, 0, 1]


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        *((texts, True) for texts in (["01", "02", "10"], ["1E5", "2E5"], ["TRUE", "FALSE"], ["Infinity", "0"])),
        *((texts, True) for texts in (["1", " 1", "2"], ["00:10", "1"])),
        *((texts, False) for texts in (["1", "2"], ["1.0", "2.0"], ["True", "False"])),
    ],
)
def test_labels_keep_their_texts_where_numbers_would_change_them(read, texts, kept):
    rows = "".join(f"{text},{i}\n" for i, text in enumerate(texts))
    found = read(f"target,x\n{rows}", "a.csv", target="target")["target"]
    assert (found.tolist() == texts) == kept and found.nunique() == len(texts)


def test_keel_columns_are_chosen_and_ordered_by_inputs_and_outputs(read):
    attributes = "@RELATION r\n@ATTRIBUTE c{a, 'b'}\n@attribute x REAL [0,1]\n@attribute y real\n"
    rows = "\n@DATA\n 'b' , 0.5, 1\na,<null>,2\n"
    assert list(read(attributes + rows, "a.keel")) == ["c", "x", "y"]
    table = read(f"{attributes}@inputs x\n@output c{rows}", "b.keel")
    assert list(table) == ["x", "c"] and values(table["x"]) == [0.5, None] and values(table["c"]) == ["b", "a"]


@pytest.mark.parametrize("quote", ["'", '"'])
def test_arff_values_may_be_quoted_in_later_rows_only(read, quote):
    rows = ["1,x,p", "2,z,p", "% c", "", "3,'y z',q", "4,x,'q'", "5,'y z',p"]
    header = "@relation r\n@attribute a numeric\n@attribute c {x,z,'y z'}\n@attribute target {p,q}\n@DATA\n"
    table = read("\r\n".join([header, *rows]).replace("'", quote), "a.arff")
    assert table["a"].tolist() == [1, 2, 3, 4, 5]
    assert table["c"].tolist() == ["x", "z", "y z", "x", "y z"]
    assert table["target"].tolist() == ["p", "p", "q", "q", "p"]


DIALECTS = {
    "blanks in a list": (HEAD + "@attribute b { x , y }\n@data\nx\ny", "b", ["x", "y"]),
    "a quoted name with a blank": (HEAD + "@attribute 'b c' {x,y}\n@data\nx\ny", "b c", ["x", "y"]),
    "an escaped quote in a name": (HEAD + "@attribute 'b\\'s' {x,y}\n@data\nx\ny", "b's", ["x", "y"]),
    "categories with blanks": (HEAD + "@attribute b {'x y',\"z, w\"}\n@data\n'x y'\n\"z, w\"", "b", ["x y", "z, w"]),
    "blanks without quotes": (HEAD + "@attribute b {New York,y}\n@data\nNew York\ny", "b", ["New York", "y"]),
    "an apostrophe": (HEAD + "@attribute b {O'Brien,y}\n@data\nO'Brien\ny", "b", ["O'Brien", "y"]),
    "a per cent sign": (HEAD + "@attribute b {5%,y}\n@data\n5%\ny", "b", ["5%", "y"]),
    "UTF-8": (HEAD + "@attribute ä {é,日本}\n@data\né\n日本", "ä", ["é", "日本"]),
    "a byte order mark": ("\ufeff% c\n@attribute b {x,y}\n@data\nx\ny", "b", ["x", "y"]),
    "braces in a comment": (HEAD + "@attribute b {x,y} %{<=50K}\n@data % rows\nx\n% c\n\ny", "b", ["x", "y"]),
    "tabs and other cases": (HEAD + "\t@Attribute\tb\t{x,\ty}\n@Data\n\tx\ny\t", "b", ["x", "y"]),
    "a quoted question mark": (HEAD + "@attribute b {'?',y}\n@data\n'?'\n?", "b", ["?", None]),
    "a range": (HEAD + "@attribute b real [0, 9]\n@data\n1\n?", "b", [1, None]),
    "texts": (HEAD + "@attribute b string\n@data\n'x, y'\n?", "b", ["x, y", None]),
}


@pytest.mark.parametrize("name", DIALECTS)
def test_arff_dialects(read, name):
    text, column, wanted = DIALECTS[name]
    assert values(read(text, "a.arff")[column]) == wanted


def test_bytes_of_parquet_are_texts_where_all_are_utf_8(read):
    text, stream = pa.array(["é".encode(), None]), io.BytesIO()
    arrays = [text, [b"\xff", b"a"], ["x", "y"], pa.array([b"ab", b"cd"], pa.binary(2)), text.dictionary_encode()]
    pq.write_table(pa.table(arrays, list("abcde")), stream)
    found = read(stream.getvalue(), "a.parquet")
    wanted = [["é", None], [b"\xff", b"a"], ["x", "y"], ["ab", "cd"], ["é", None]]
    assert [values(found[name]) for name in found] == wanted


TWICE = "the column 'target' occurs twice; give every column a name"

#: Content, name of the file, words of the sentence.
REFUSED = [
    (b"target,a,b\nyes,0,1,4\nno,1,2,3\n", "a.csv", "a.csv: rows have more fields than the header; give every"),
    (b"a,b,target\n1,0,3,yes\n2,1,4,no\n", "a.csv.gz", "a.csv.gz: rows have more fields than the header"),
    (b"target,a,b\nyes,0,\nno,1\nno,\n", "a.csv", "a.csv: 2 rows have fewer fields than the header, such as row 3"),
    *((header + b"\n1,2,3\n", "a.csv", TWICE) for header in (b"target,a,target", b'target,a,"target"\r')),
    (b'\xef\xbb\xbf\n  \n"target",a,target\n1,2,3\n', "a.csv.gz", TWICE),
    *((f"a{s}b\n0,5{s}1\n", "a.csv", "is a single column; separate the columns by commas") for s in ";\t"),
    (b"target\ncat\n\nNone\n", "a.csv", "1 of 2 labels in column 'target' are 'None', which counts as missing"),
    (b"x,target\n1,n/a\n2,\n", "a.csv", "1 of 2 labels in column 'target' are 'n/a', which counts as missing"),
    (HEAD + "@attribute b {x,y}\n@data\n{0 y}\n", "a.arff", "a.arff: sparse ARFF is not supported; save the table"),
    (HEAD + "@attribute b date 'yyyy'\n@data\n2020", "a.arff", "the type DATE of the attribute 'b' is not supported"),
    (HEAD + "@attribute b\n@data\n1", "a.arff", "line 2 is no attribute with a type"),
    (HEAD + "@attribute b real width 3\n@data\n1", "a.arff", "line 2 has 'width 3' behind the type"),
    (HEAD + "@attribute b numeric\n@data\n1\n2,5%d%s", "a.arff", "Bad @DATA instance format in line 5"),
    (HEAD + "@attribute c {x}\n@data\n\n'w'\n", "a.arff", "Data value w not found in nominal declaration, at line 5"),
    (HEAD + "@attribute a real\n1\n", "a.keel", "a.keel cannot be read as keel .*Invalid layout .* line 4"),
    ("@attribute a real\n@inputs a\n@outputs b\n@data\n1\n", "a.keel", "names 'b' as input or output"),
    (b"", "a.gz", "cannot tell the format of 'a.gz'.*choose one of csv"),
]


@pytest.mark.parametrize(("content", "name", "words"), REFUSED)
def test_what_cannot_be_read_is_named(read, content, name, words):
    with pytest.raises(InputError, match=words):
        read(content, name)


@settings(deadline=None)
@given(st.lists(st.one_of(st.integers(-(2**40), 2**40).map(float), st.floats(allow_nan=True)), min_size=1))
def test_smallest_keeps_every_number(numbers):
    numbers = np.array(numbers)
    small = formats.smallest(numbers)
    np.testing.assert_array_equal(small.astype(np.float64), numbers)
    if small.dtype.kind in "iu":
        widths = [np.min_scalar_type(int(each)).itemsize for each in (numbers.min(), numbers.max())]
        assert small.dtype.itemsize <= 2 * max(widths)
    else:
        assert not all(value.is_integer() and abs(value) <= 2**53 for value in numbers.tolist())


MEMBERS = {"top/a.dat": b"one", "top/b.dat": b"two", "ab.dat": b"three", "../evil": b"evil"}
MEMBERS |= {"text.csv.gz": b"a\tb", "packed.csv.gz": gzip.compress(b"a\tb")}


@pytest.mark.parametrize("pack", [makers.zipped, makers.tarred])
def test_members_are_found_by_name_or_end_and_not_written(pack, tmp_path):
    (path := tmp_path / "in" / "archive").parent.mkdir()
    path.write_bytes(pack(MEMBERS))

    def member(name):
        with formats.archive("data set 'a'", path) as content, content.open(content.find(name)) as stream:
            return stream.read()

    assert [member(name) for name in ("top/b.dat", "ab.dat", "a.dat")] == [b"two", b"three", b"one"]
    assert member("text.csv.gz") == member("packed.csv.gz") == b"a\tb"
    assert not list(tmp_path.rglob("*evil*"))
    with pytest.raises(InputError, match="has no files that end in 'c.dat'; it has top/a.dat, top/b.dat"):
        member("c.dat")
    with pytest.raises(InputError, match="has 3 files that end"):
        member(".dat")


@pytest.mark.parametrize("content", [b"", makers.tarred(MEMBERS)[:60], makers.zipped(MEMBERS)[:-30]])
def test_what_is_no_archive_is_named(tmp_path, content):
    (tmp_path / "a.zip").write_bytes(content)
    words = "a.zip is no zip or tar archive or is damaged; remove it, fetch again"
    with pytest.raises(InputError, match=words), formats.archive("data set 'a'", tmp_path / "a.zip"):
        pass
