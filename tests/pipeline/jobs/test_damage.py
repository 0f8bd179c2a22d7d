"""Files that something cut short from outside: named with the remedy, and never taken for results."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.results import noisy_labels, records, store


def cut(path, share=0.6):
    """Keep the first part of a file."""
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])


@pytest.mark.parametrize("share", [0, 0.99])
def test_rows(run, spec, tmp_path, share):
    records.write(run(spec)[0], tmp_path / "rows.parquet")
    for name, read in (("rows.parquet", records.shown), ("out.jsonl.gz", store.read_batch)):
        cut(tmp_path / name, share)
        with pytest.raises(InputError, match=rf"{name} is damaged \(.*\); remove it and start again"):
            read(tmp_path / name)


def test_labels(labels):
    path = labels()
    cut(path)
    with pytest.raises(InputError, match=r"multiclass.npz is damaged .* finished fits are kept"):
        noisy_labels.read(path, "uniform-0.2")
