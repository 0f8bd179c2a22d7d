"""CSV files that pandas would read otherwise than they are meant."""

import gzip

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data.io import formats


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


def test_rows_with_fewer_fields_end_in_missing_values(read):
    assert read(b"target,a,b\nyes,0\nno,1,2\n")["b"].isna().tolist() == [True, False]
