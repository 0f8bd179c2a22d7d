"""Packs: what the store has comes back as it was, equal fits give equal bytes, and anything else is refused."""

import hashlib
import json
import math
import struct
import time
import zipfile

import pack_files
import pytest
from pack_files import MEMBER, RECORD

from ironbark.errors import InputError
from ironbark.pipeline.results import packs
from ironbark.pipeline.results.packs import MANIFEST, Pack

OTHER = MEMBER.replace("0.2", "0.3")
ONE_KIND = "lacks a key, has a further one or one of another type"
OUTPUTS = "neither outputs alone nor scores with reasons alone"


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


def test_round_trip(path):
    nan = RECORD | {"depth": math.nan, "gaps": {"probabilities": "none"}}
    scores = {"scores": {"accuracy": 0.5, "log_loss": math.nan}, "reasons": {}}
    light = {name: value for name, value in RECORD.items() if name != "outputs"} | scores
    fits = dict(zip(pack_files.keys(3), (RECORD, nan, light), strict=True))
    lines = [("a" if record is nan else "b", key, record) for key, record in fits.items()]
    packs.write(path, pack_files.ABOUT, [(MEMBER, lines)], pack_files.TEXTS)
    found, members = whole(path)[MEMBER], pack_files.content(path)
    assert b"NaN" not in members[MEMBER] and list(found) == ["a", "b"] and members[packs.LICENCE] == b"Free.\n"
    for method, key, record in lines:
        assert json.dumps(found[method][key], sort_keys=True) == json.dumps(record, sort_keys=True)
    with Pack(path) as pack:
        assert pack.manifest["fits"] == pack.manifest["members"][MEMBER]["fits"] == 3
        assert pack.digest == hashlib.sha256(members[MANIFEST]).hexdigest()[:32]
        for name in members.keys() - {MANIFEST}:
            assert pack.manifest["members"][name]["sha256"] == hashlib.sha256(members[name]).hexdigest()


def test_equal_fits_give_equal_bytes(path, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: 10**9)  # of other days
        pack_files.write(tmp_path / "b.pack")
    assert path.read_bytes() == (tmp_path / "b.pack").read_bytes()


@pytest.mark.parametrize("size", [0, 200, -1, -400])
def test_a_truncated_file(path, size):
    path.write_bytes(path.read_bytes()[:size])
    refused(path, "no zip file, or is cut short")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("name", "mode", "compression", "content", "words"),
    [
        *[
            (name, 0o100644, zipfile.ZIP_DEFLATED, b"x", "is none that packs have")
            for name in (
                *("../store/iris/multiclass/a.jsonl", "store/iris/multiclass/../a.jsonl"),
                *("/store/iris/multiclass/a.jsonl", "store/iris/multiclass//a.jsonl"),
                *("store\\iris\\multiclass\\a.jsonl", "store/iris/multiclass/a.jsonl\n"),
                *("store/iris/other/a.jsonl", "store/iris/multiclass/a.py", "store/iris/multiclass/.a.jsonl"),
            )
        ],
        *[(OTHER, mode, zipfile.ZIP_DEFLATED, b"x", "is no plain file") for mode in (0o120777, 0o040755, 0o020666)],
        (OTHER, 0o100644, zipfile.ZIP_BZIP2, b"x", "compressed in a way that packs do not use"),
        (OTHER, 0o100644, zipfile.ZIP_DEFLATED, b"", "its members .* are not those of its manifest.json"),
        (OTHER, 0o100644, zipfile.ZIP_DEFLATED, bytes(10**7), f"'{OTHER}' is too large unpacked: 10000000 bytes"),
        (MEMBER, 0o100644, zipfile.ZIP_DEFLATED, b"x", "two members of one name"),
    ],
)
def test_a_member_that_packs_do_not_have(path, name, mode, compression, content, words):
    info = zipfile.ZipInfo(name)
    info.external_attr, info.create_system, info.compress_type = mode << 16, 3, compression
    pack_files.write_again(path, pack_files.content(path), [(info, content)])
    refused(path, words)


def test_a_zip_bomb_that_denies_its_size(path):
    """The directory says 100 bytes, the stream holds ten million: no more than 100 are unpacked."""
    info = zipfile.ZipInfo(OTHER)
    info.compress_type = zipfile.ZIP_DEFLATED
    pack_files.write_again(path, pack_files.content(path), [(info, bytes(10**7))])
    path.write_bytes(path.read_bytes().replace(struct.pack("<L", 10**7), struct.pack("<L", 100)))
    refused(path, "its members .* are not those of its manifest.json")
    with Pack.__new__(Pack) as pack, zipfile.ZipFile(path) as archive:
        pack.path, pack._archive = path, archive
        with pytest.raises(InputError, match="is damaged .*CRC"):
            pack._read(OTHER, 100)


def test_too_many_members_and_a_long_line(path, monkeypatch):
    monkeypatch.setattr(packs, "MOST_LINE", 100)
    refused(path, r"line 1: it has \d+ bytes")
    monkeypatch.setattr(packs, "MOST_MEMBERS", 3)
    refused(path, "it has 4 members, more than 3")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (b'"format": 2', b'"format": 1', "it has format 1, this version of ironbark reads format 2"),
        (b'"format": 2', b'"format": "\\u001b[2J\\n"', r"it has format \?\[2J\?, this version"),
        (b'"fits": 3, "format"', b'"fits": 4, "format"', "number of its fits"),
        (b'"fits": 3, "format"', b'"fits": 3.0, "format"', ONE_KIND),
        (b'"fits": 3, "sha256"', b'"fits": 4, "sha256"', "number of its fits"),
        (b'"fits": 3', b'"fits": 4', f"the number of fits of {MEMBER} is not that of its manifest"),
        (b'"size": ', b'"size": 1', "has not the size that its manifest says|too large"),
        (b'"fits": 3, "sha256"', b'"sha256"', ONE_KIND),
        (b'"failed": 0', b'"failed": 0, "other": 0', ONE_KIND),
        (b'"scale": "full"', b'"scale": ["full"]', ONE_KIND),
        (b'"members": {', b'"members": 1, "versions": {', "a key occurs twice"),
    ],
)
def test_other_manifests(path, before, after, words):
    pack_files.edit(path, MANIFEST, before, after)
    refused(path, words)


def changed(record):
    return json.dumps({"key": "0123456789abcdef" * 2, "method": "dt-gini", "record": record}).encode()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("flipped", value) for value in (1.5, -0.1, 1, True, None)],
        *[("seed", value) for value in (-1, 1.0, True, None, 10**20)],
        *[("fit_memory", value) for value in (-1.0, "1")],
        *[("tuned", value) for value in (None, "x" * 20_000, {})],
        *[("status", value) for value in ("failed", 1, None)],
        *[("outputs", value) for value in (1, {}, {"errors": 1}, {"probabilities": "x"})],
        *[("outputs", RECORD["outputs"] | value) for value in ({"other": "x"}, {"decision": None})],
        *[("gaps", value) for value in (1, [], {"other": "none"}, {"probabilities": 1})],
        ("message", "hello"),
    ],
)
def test_a_field_of_another_kind(name, value):
    with pytest.raises(ValueError, match=f"there is no field '{name}' with the value"):
        packs._read_line(changed(RECORD | {name: value}))


def test_missing_fields():
    for name in packs.REQUIRED:
        with pytest.raises(ValueError, match=f"the field {name} is missing"):
            packs._read_line(changed({key: value for key, value in RECORD.items() if key != name}))


def test_another_checksum_than_the_manifest_says(path):
    pack_files.edit(path, MEMBER, b'"seed":1', b'"seed":2', checksum=False)
    refused(path, f"the checksum of {MEMBER} is not that of its manifest")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (b'"depth":3.0', b'"depth":NaN', "line 1: NaN is no JSON number"),
        (b'"depth":3.0', b'"depth":1e999', "line 1: there is no field 'depth' with the value inf"),
        (b'"dt-gini"', b'"../gini"', "line 1: its method is no id"),
        (b'"tuned":"', b'"tuned":"\\ud800', "line 1: there is no field 'tuned' with the value"),
        (pack_files.keys(2)[1].encode(), pack_files.keys(1)[0].encode(), f"{MEMBER} .* or a key occurs twice"),
        (b'"seed":1', b'"seed":1' + b"0" * 10_000, "line 2: .*digits"),
        (b'"seed":1', b'"seed":1,"seed":6', "line 2: a key occurs twice"),
        (b'"seed":1', b'"seed":' + b"[" * 5_000 + b"]" * 5_000, "line 2: it is nested too deeply"),
        (pack_files.keys(2)[1].encode(), b"../../etc/passwd", "line 2: its method is no id, or its key no hash"),
        (b'"record"', b'"other"', "line 1: no entry of a key, a method and a record"),
        (b'"outputs"', b'"scores"', OUTPUTS),
        (b'"outputs"', b'"scores": {}, "outputs"', OUTPUTS),
    ],
)
def test_edited_lines_with_a_fitting_checksum(path, before, after, words):
    pack_files.edit(path, MEMBER, before, after)
    refused(path, f"{MEMBER}.*{words.removeprefix(MEMBER)}")


def test_flipped_bytes_are_refused_or_change_nothing(path):
    """Each of many single-byte damages ends in one sentence, never in another error or in other fits."""
    before, text = whole(path), path.read_bytes()
    for place in range(0, len(text), 7):
        path.write_bytes(text[:place] + bytes([text[place] ^ 0x55]) + text[place + 1 :])
        try:
            assert whole(path) == before
        except InputError:
            continue
