import makers
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import formats

MEMBERS = {"top/a.dat": b"one", "top/b.dat": b"two", "ab.dat": b"three"}


@pytest.fixture(params=[makers.zipped, makers.tarred], ids=["zip", "tar"])
def pack(request, tmp_path):
    """Function that writes an archive and gives its path, in a folder of its own."""

    def write(members, **options):
        path = tmp_path / "in" / "archive"
        path.parent.mkdir()
        path.write_bytes(request.param(members, **options))
        return path

    return write


def read(path, name):
    with formats.archive("data set 'a'", path) as content, content.open(content.find(name)) as stream:
        return stream.read()


@pytest.mark.parametrize(("name", "body"), [("top/b.dat", b"two"), ("ab.dat", b"three"), ("a.dat", b"one")])
def test_members_are_found_by_name_or_end(pack, name, body):
    assert read(pack(MEMBERS), name) == body


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("c.dat", "has no file 'c.dat'; it has top/a.dat, top/b.dat"), (".dat", "has 3 files that end in '.dat'")],
)
def test_members_that_are_not_there_are_named(pack, name, sentence):
    with pytest.raises(InputError, match=sentence):
        read(pack(MEMBERS), name)


@pytest.mark.parametrize("name", ["a/../../evil", "/evil"])
def test_nothing_is_written_whatever_the_names_of_members(pack, tmp_path, name):
    assert read(pack({"a.dat": b"one", name: b"evil"}), "a.dat") == b"one"
    assert not list(tmp_path.rglob("*evil*"))


@pytest.mark.parametrize("content", [b"", makers.tarred(MEMBERS)[:60], makers.zipped(MEMBERS)[:-30]])
def test_what_is_no_archive_is_named(tmp_path, content):
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(InputError, match="a.zip is no zip or tar archive or is damaged; remove it and fetch again"):
        read(tmp_path / "a.zip", "a.dat")
