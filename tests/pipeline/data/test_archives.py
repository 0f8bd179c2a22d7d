import gzip

import makers
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import archives

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
    with archives.opened("data set 'a'", path) as content, content.open(content.find(name)) as stream:
        return stream.read()


@pytest.mark.parametrize(("name", "body"), [("top/b.dat", b"two"), ("ab.dat", b"three"), ("a.dat", b"one")])
def test_members_are_found_by_name_or_end(pack, name, body):
    assert read(pack(MEMBERS), name) == body


@pytest.mark.parametrize("body", [b"a\tb\n1\t2\n", gzip.compress(b"a\tb\n1\t2\n")])
def test_a_member_called_gz_may_be_plain_text(pack, body):
    assert read(pack({"a.csv.gz": body}), "a.csv.gz") == b"a\tb\n1\t2\n"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("c.dat", "has no file 'c.dat'; it has top/a.dat, top/b.dat"), (".dat", "has 3 files that end in '.dat'")],
)
def test_members_that_are_not_there_are_named(pack, name, sentence):
    with pytest.raises(InputError, match=sentence):
        read(pack(MEMBERS), name)


@pytest.mark.parametrize("name", ["a/../../evil", "/evil", "..\\evil", "C:\\evil"])
def test_names_that_climb_out_are_refused(pack, tmp_path, name):
    with pytest.raises(InputError, match="data set 'a': the archive .* which would leave its folder; do not use it"):
        read(pack({"a.dat": b"one", name: b"evil"}), "a.dat")
    assert not list(tmp_path.rglob("*evil*"))


def test_links_are_refused(pack):
    with pytest.raises(InputError, match="holds 'link', which is a link or a device"):
        read(pack({"a.dat": b"one", "link": b"/etc/passwd"}, links=["link"]), "a.dat")


def test_members_that_are_too_large_are_refused(pack, monkeypatch):
    monkeypatch.setattr(archives, "MOST", 1000)
    with pytest.raises(InputError, match="holds 'a.dat' of 1,001 bytes, more than the 1,000 that are allowed"):
        read(pack({"a.dat": bytes(1001)}), "a.dat")


@pytest.mark.parametrize("content", [b"", makers.tarred(MEMBERS)[:60], makers.zipped(MEMBERS)[:-30]])
def test_what_is_no_archive_is_named(tmp_path, content):
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(InputError, match="a.zip is no zip or tar archive or is damaged; remove it and fetch again"):
        read(tmp_path / "a.zip", "a.dat")
