"""Files that something cut short from outside: named with the remedy, and never taken for results."""

import pytest
from pipeline.jobs import batches

from ironbark.errors import InputError
from ironbark.pipeline.results import noisy_labels, records, store


@pytest.fixture
def ran(tmp_path, prepared, labels, spec):
    """Function that runs the batch once more; the rows it wrote."""
    files = {("small", "multiclass"): labels()}

    def run():
        return batches.rows(spec, {"small": prepared}, files, tmp_path / "store", tmp_path / "out.jsonl.gz")

    run.labels = files["small", "multiclass"]
    return run


def cut(path, share=0.6):
    """Keep the first part of a file."""
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])


@pytest.mark.parametrize("share", [0, 0.99])
def test_rows(ran, tmp_path, share):
    records.write(ran(), tmp_path / "rows.parquet")
    for name, read in (("rows.parquet", records.shown), ("out.jsonl.gz", store.read_batch)):
        cut(tmp_path / name, share)
        with pytest.raises(InputError, match=rf"{name} is damaged \(.*\); remove it and start again"):
            read(tmp_path / name)


def test_labels(ran):
    noisy_labels.read(ran.labels, "uniform-0.2")
    cut(ran.labels)
    for read in (ran, lambda: noisy_labels.read(ran.labels, "uniform-0.2")):
        with pytest.raises(InputError, match=r"multiclass.npz is damaged .* finished fits are kept"):
            read()
