"""A disk that is full, and one that can't be written: one sentence, and the next run goes on."""

import subprocess

import pytest

from ironbark.pipeline.results import records, store

SHARD = "results/tiny/full/fits/iris/multiclass/gini.jsonl.gz"


@pytest.fixture
def disk(compiled):
    """Function that mounts the results of the checkout with these options, again and again."""

    def mount(options):
        first = [] if mount.done else ["-t", "tmpfs", "tmpfs"]
        options = f"remount,{options}" if mount.done else options
        done = subprocess.run(
            ["mount", "-o", options, *first, compiled / "results"], capture_output=True, text=True, check=False
        )
        if done.returncode:
            pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
        mount.done = True

    mount.done = False
    (compiled / "results").mkdir()
    yield mount
    if mount.done:
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
    disk("size=100k")
    (compiled / "results/ballast").write_bytes(bytes(68 * 1024))
    full = compiled.run(SHARD, check=False)
    text = full.stdout + full.stderr
    assert full.returncode != 0 and ("disk is full" in text or "No space left" in text), text
    assert not (compiled / SHARD).exists()
    disk("size=20m")
    compiled.run(SHARD)
    assert untimed(compiled / SHARD) == untimed(shared / SHARD)


def test_results_that_cannot_be_written(compiled, disk):
    disk("ro")
    refused = compiled.run(SHARD, check=False)
    assert refused.returncode != 0 and "Read-only file system" in refused.stdout + refused.stderr
    disk("rw")
    compiled.run("-n", SHARD)
