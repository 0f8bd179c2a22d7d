import multiprocessing
from pathlib import Path

import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.data import checksums

ONE, TWO = "1" * 64, "2" * 64


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_sums_are_kept_in_order_and_read_back():
    for address in ("https://b/x", "https://a/x#y: z"):
        assert checksums.recorded(address) is None
        checksums.record(address, ONE)
        assert checksums.recorded(address) == ONE
    text = checksums.PLACE.read_text(encoding="utf-8")
    assert text.startswith("# SHA-256") and list(yaml.safe_load(text)) == ["https://a/x#y: z", "https://b/x"]
    assert [path.name for path in Path("data").iterdir()] == ["checksums.yaml"]


def test_a_sum_is_never_overwritten():
    checksums.record("a", ONE)
    checksums.record("a", ONE)
    with pytest.raises(InputError, match="data/checksums.yaml got another checksum of a meanwhile"):
        checksums.record("a", TWO)
    assert checksums.recorded("a") == ONE
    assert [path.name for path in Path("data").iterdir()] == ["checksums.yaml"]


def test_files_that_nobody_vouches_for_are_recorded():
    files = [{"url": "a", "sha256": ONE, "verified": False}, {"url": "b", "sha256": ONE}, {"path": "c", "sha256": ONE}]
    checksums.record_new({"source": "libsvm", "files": files})
    checksums.record_new({"source": "url", "url": "d", "sha256": TWO, "verified": False})
    checksums.record_new({"source": "mirror", "sha256": TWO})
    assert yaml.safe_load(checksums.PLACE.read_text(encoding="utf-8")) == {"a": ONE, "d": TWO}


def test_processes_do_not_lose_each_others_sums():
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.starmap(checksums.record, [(f"a{i}", ONE) for i in range(40)])
    assert len(yaml.safe_load(checksums.PLACE.read_text(encoding="utf-8"))) == 40


@pytest.mark.parametrize(
    ("text", "sentence"), [("a: [", "is no YAML"), ("a: 1", "must hold lines `address: SHA-256`; correct it")]
)
def test_a_damaged_file_is_named(text, sentence):
    Path("data").mkdir()
    checksums.PLACE.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=f"data/checksums.yaml {sentence}"):
        checksums.recorded("a")
