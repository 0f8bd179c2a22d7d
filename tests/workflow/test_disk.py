"""A disk that is full: one sentence, and the next run goes on."""

import subprocess

import pytest

from ironbark.pipeline.results import records, store

SHARD = "results/tiny/full/fits/iris/multiclass/gini.jsonl.gz"


@pytest.fixture
def disk(compiled):
    """The results of the checkout, on a disk of 100 KB."""
    (compiled / "results").mkdir()
    command = ["mount", "-o", "size=100k", "-t", "tmpfs", "tmpfs", compiled / "results"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    yield compiled / "results"
    subprocess.run(["umount", "-l", compiled / "results"], check=True)


def untimed(path):
    """Fits of a batch without their timings."""
    fits = store.read_batch(path)[1]
    for one in fits:
        for name in records.MEASURED:
            del one["record"][name]
    return fits


@pytest.mark.slow
def test_a_full_disk(compiled, shared, disk):
    (disk / "ballast").write_bytes(bytes(68 * 1024))
    full = compiled.run(SHARD, check=False)
    text = full.stdout + full.stderr
    assert full.returncode != 0 and ("disk is full" in text or "No space left" in text), text
    assert not (compiled / SHARD).exists()
    subprocess.run(["mount", "-o", "remount,size=20m", disk], check=True)
    compiled.run(SHARD)
    assert untimed(compiled / SHARD) == untimed(shared / SHARD)
