import io

import makers
import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import formats


def read(text):
    return formats.read_keel(io.BytesIO(text))


def test_columns_types_and_missing_values():
    table = read(makers.KEEL)
    assert list(table.columns) == ["Left-weight", "two words", "colour", "Class"]
    np.testing.assert_array_equal(table["two words"], [3, np.nan, 9])
    assert [str(table[name].dtype) for name in ("colour", "Class")] == ["category"] * 2
    assert table["Class"].tolist() == list("LBR")


def test_without_inputs_and_outputs_all_attributes_count_in_their_order():
    text = b"@RELATION r\n@ATTRIBUTE c{a, 'b'}\n@attribute x REAL [0,1]\n\n@DATA\n 'b' , 0.5\na,?\n"
    table = read(text)
    assert table["c"].tolist() == ["b", "a"]
    np.testing.assert_array_equal(table["x"], [0.5, np.nan])


def test_inputs_and_outputs_choose_and_order():
    text = b"@relation r\n@attribute a {u}\n@attribute b real\n@attribute c real\n@inputs c\n@output a\n@data\nu,1,2\n"
    assert read(text).to_dict("list") == {"c": [2.0], "a": ["u"]}


def test_latin_1():
    assert read("@relation r\n@attribute c {\xe9}\n@data\n\xe9\n".encode("latin-1"))["c"].tolist() == ["\xe9"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"@relation r\n@attribute a real\n1\n", "line 3 does not belong to a header"),
        (b"@relation r\n@attribute a date\n@data\n1\n", "line 2 is no attribute"),
        (b"@relation r\n@attribute a real\n", "no line @data"),
        (b"@relation r\n@data\n1\n", "header has no @attribute"),
        (b"@attribute a real\n@inputs b\n@outputs a\n@data\n1\n", "names 'b' as input or output"),
        (b"@attribute a {u, v}\n@data\nw\n", "value 'w' of attribute 'a' is not among"),
        (b"@attribute a real\n@data\nx\n", "Unable to parse string"),
        (b"@attribute a real\n@attribute b real\n@data\n1,2\n1,2,3\n", "row 2 has 3 of 2 values"),
        (b"@attribute a real\n@attribute b real\n@data\n1,2\n1\n", "row 2 has 1 of 2 values"),
    ],
)
def test_damage_is_named(tmp_path, text, words):
    (tmp_path / "a.dat").write_bytes(text)
    with pytest.raises(InputError, match=f"a.dat cannot be read as keel .*{words}.*check the file"):
        formats.read(tmp_path / "a.dat", "keel")
