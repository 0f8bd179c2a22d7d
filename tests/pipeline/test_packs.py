"""Packs: equal fits give equal bytes, and a file that is anything else than a pack is refused in one sentence."""

import hashlib
import json
import struct
import time
import zipfile

import pack_files
import pytest
from pack_files import MEMBER, RECORD

from ironbark.errors import InputError
from ironbark.pipeline.results import packs
from ironbark.pipeline.results.packs import MANIFEST, Pack


@pytest.fixture
def path(tmp_path):
    pack_files.write(tmp_path / "a.pack")
    return tmp_path / "a.pack"


def whole(path):
    """Read all of a pack."""
    with Pack(path) as pack:
        return {name: pack.fits(name) for name in pack.members}


def refused(path, words):
    with pytest.raises(InputError, match=words) as caught:
        whole(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value) and len(str(caught.value)) < 600


def info(name, mode=0o100644, compression=zipfile.ZIP_DEFLATED):
    found = zipfile.ZipInfo(name)
    found.external_attr, found.create_system, found.compress_type = mode << 16, 3, compression
    return found


def test_round_trip(path):
    fits = {key: RECORD | {"seed": i, "repeat": i} for i, key in enumerate(pack_files.keys(3))}
    assert whole(path) == {MEMBER: {pack_files.METHOD: fits}}
    with Pack(path) as pack:
        assert pack.manifest["fits"] == pack.manifest["members"][MEMBER]["fits"] == 3
        assert pack.digest == hashlib.sha256(pack_files.content(path)[MANIFEST]).hexdigest()[:32]
    members = pack_files.content(path)
    assert members[packs.LICENCE] == b"Free.\n"
    manifest = json.loads(members[MANIFEST])
    for name in members.keys() - {MANIFEST}:
        assert manifest["members"][name]["sha256"] == hashlib.sha256(members[name]).hexdigest()


def test_equal_fits_give_equal_bytes(path, tmp_path):
    time.sleep(2.1)  # zip files date to two seconds
    pack_files.write(tmp_path / "b.pack")
    assert path.read_bytes() == (tmp_path / "b.pack").read_bytes()


@pytest.mark.parametrize("size", [0, 10, 200, -1, -30, -400])
def test_a_truncated_file(path, size):
    path.write_bytes(path.read_bytes()[:size])
    refused(path, "no zip file, or is cut short")


def test_a_missing_file_and_other_files(tmp_path):
    refused(tmp_path / "none.pack", r"cannot be read \(No such file or directory\)")
    (tmp_path / "text.pack").write_text("hello")
    refused(tmp_path / "text.pack", "no zip file")
    pack_files.write_again(tmp_path / "zip.pack", {})
    refused(tmp_path / "zip.pack", "no manifest.json")


@pytest.mark.parametrize(
    "name",
    [
        "../store/iris/multiclass/a.jsonl",
        "store/../../iris/multiclass/a.jsonl",
        "store/iris/multiclass/../a.jsonl",
        "/store/iris/multiclass/a.jsonl",
        "store/iris/multiclass//a.jsonl",
        "store\\iris\\multiclass\\a.jsonl",
        "store/iris/multiclass/a.jsonl/",
        "store/iris/multiclass/a.jsonl\n",
        "store/iris/other/a.jsonl",
        "store/iris/multiclass/a.py",
        "store/iris/multiclass/clean/a.jsonl",
        "store/iris/multiclass/.a.jsonl",
        "C:/store/iris/multiclass/a.jsonl",
        "extra.txt",
    ],
)
def test_a_member_of_another_name(path, name):
    pack_files.write_again(path, pack_files.content(path), [(info(name), b"x")])
    refused(path, "no pack has a member")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_twice(path):
    members = pack_files.content(path)
    pack_files.write_again(path, members, [(info(MEMBER), members[MEMBER])])
    refused(path, "two members 'store/iris")


@pytest.mark.parametrize("mode", [0o120777, 0o040755, 0o020666])
def test_a_member_that_is_no_plain_file(path, mode):
    pack_files.write_again(path, pack_files.content(path), [(info(MEMBER.replace("0.2", "0.3"), mode), b"/etc/passwd")])
    refused(path, "is no plain file")


def test_another_compression(path):
    pack_files.write_again(
        path, pack_files.content(path), [(info(MEMBER.replace("0.2", "0.3"), compression=zipfile.ZIP_BZIP2), b"x")]
    )
    refused(path, "compressed in a way that packs do not use")


def test_an_extra_member_that_the_manifest_lacks(path):
    pack_files.write_again(path, pack_files.content(path), [(info(MEMBER.replace("0.2", "0.3")), b"")])
    refused(path, "its members are not those of its manifest.json")


def test_a_zip_bomb(path):
    pack_files.write_again(path, pack_files.content(path), [(info(MEMBER.replace("0.2", "0.3")), bytes(10**7))])
    refused(path, "too large unpacked: 10000000 bytes")


def test_a_zip_bomb_that_denies_its_size(path):
    """The directory says 100 bytes, the stream holds ten million: no more than 100 are unpacked."""
    pack_files.write_again(path, pack_files.content(path), [(info(MEMBER.replace("0.2", "0.3")), bytes(10**7))])
    text = path.read_bytes()
    path.write_bytes(text.replace(struct.pack("<L", 10**7), struct.pack("<L", 100)))
    refused(path, "its members are not those of its manifest.json")
    with Pack.__new__(Pack) as pack, zipfile.ZipFile(path) as archive:
        pack.path, pack._archive = path, archive
        with pytest.raises(InputError, match="is damaged .*CRC"):
            pack._read(MEMBER.replace("0.2", "0.3"), 100)


def test_too_many_members(path, monkeypatch):
    monkeypatch.setattr(packs, "MOST_MEMBERS", 3)
    refused(path, "it has 4 members, more than 3")


@pytest.mark.parametrize("checksum", [False, True])
def test_edited_fits(path, checksum):
    pack_files.edit(path, MEMBER, b'"seed":1', b'"seed":x', checksum)
    refused(path, "line 2: " if checksum else f"the checksum of {MEMBER} is not that of its manifest")


def test_an_edited_checksum(path):
    with Pack(path) as pack:
        checksum = pack.manifest["members"][MEMBER]["sha256"].encode()
    pack_files.edit(path, MANIFEST, checksum, checksum[::-1])
    refused(path, f"the checksum of {MEMBER} is not that of its manifest")


def test_other_sizes_than_the_manifest_says(path):
    with Pack(path) as pack:
        size = pack.manifest["members"][MEMBER]["size"]
    for other in (size - 1, size + 1):
        pack_files.edit(path, MANIFEST, f'"size": {size}'.encode(), f'"size": {other}'.encode())
        refused(path, "has not the size that its manifest says")
        pack_files.edit(path, MANIFEST, f'"size": {other}'.encode(), f'"size": {size}'.encode())


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (b'"format": 2', b'"format": 1', "it has format 1, this version of ironbark reads format 2"),
        (b'"kind": "ironbark pack"', b'"kind": "other"', "not that of a pack of ironbark"),
        (b'"fits": 3, "format"', b'"fits": 4, "format"', "counts its fits wrong"),
        (b'"fits": 3, "format"', b'"fits": 3.0, "format"', "of another type"),
        (b'"fits": 3, "format"', b'"fits": NaN, "format"', "NaN is no JSON number"),
        (b'"fits": 3, "sha256"', b'"fits": 4, "sha256"', "counts its fits wrong"),
        (b'"fits": 3, "sha256"', b'"fits": "3", "sha256"', "entries of another shape"),
        (b'"fits": 3, "sha256"', b'"sha256"', "entries of another shape"),
        (b'"failed": 0', b'"other": 0', "lacks a key"),
        (b'"failed": 0', b'"failed": 0, "other": 0', "has a further one"),
        (b'"scale": "full"', b'"scale": ["full"]', "of another type"),
        (b'"size": ', b'"size": -', "entries of another shape"),
    ],
)
def test_other_manifests(path, before, after, words):
    pack_files.edit(path, MANIFEST, before, after)
    refused(path, words)


def test_another_number_of_fits(path):
    pack_files.edit(path, MANIFEST, b'"fits": 3', b'"fits": 4')
    refused(path, f"the number of fits of {MEMBER} is not that of its manifest")


def test_no_control_characters_in_messages(path):
    pack_files.edit(path, MANIFEST, b'"format": 2', b'"format": "\\u001b[2J\\n"')
    refused(path, r"it has format \?\[2J\?, this version")


def test_flipped_bytes_are_refused_or_change_nothing(path):
    """Each of many single-byte damages ends in one sentence, never in another error or in other fits."""
    before, text = whole(path), path.read_bytes()
    for place in range(0, len(text), 7):
        path.write_bytes(text[:place] + bytes([text[place] ^ 0x55]) + text[place + 1 :])
        try:
            assert whole(path) == before
        except InputError:
            continue
