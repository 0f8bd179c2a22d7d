import threading
from pathlib import Path

import makers
import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import IMBALANCED, addresses
from ironbark.pipeline.data.fetch import fetch


def entry(name):
    return {"title": "T", "source": "imbalanced-learn", "name": name}


@pytest.fixture
def offer(site, monkeypatch):
    """Function that puts an archive of name -> bytes on the server."""

    def put(members):
        monkeypatch.setattr(addresses, "IMBALANCED", site.put("benchmark.tar.gz", makers.tarred(members)))

    return put


@pytest.fixture
def archive(offer):
    """The 27 data sets, each with its number among them as its only value."""
    y = np.array([-1, 1])
    offer({f"x{i + 1}data.npz": makers.npz(data=np.full((2, 1), i + 0.5), label=y) for i in range(27)})


def test_every_data_set_is_found_and_the_archive_comes_once(site, archive):
    for i, name in enumerate(IMBALANCED):
        table = pd.read_parquet(fetch(f"d{i}", entry(name), Path(f"raw/d{i}")))
        assert table["f1"].tolist() == [i + 0.5] * 2
    assert site.times("benchmark.tar.gz") == 1
    assert Path("raw/_shared/benchmark.tar.gz").is_file()


def test_jobs_that_want_the_archive_together_do_not_fight(site, archive):
    threads = [
        threading.Thread(target=fetch, args=(f"d{i}", entry(name), Path(f"raw/d{i}")))
        for i, name in enumerate(IMBALANCED[:5])
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(Path("raw").glob("d*/table.parquet"))) == 5
    assert site.times("benchmark.tar.gz") == 1


class Evil:
    """Leaves a file behind when it is unpickled."""

    def __reduce__(self):
        return Path.touch, (Path("evil"),)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (makers.npz(data=np.array([[Evil()]], dtype=object), label=np.array([1])), "Object arrays cannot be loaded"),
        (makers.npz(data=np.ones((2, 1)), label=np.ones(3)), "shapes .* do not fit"),
        (makers.npz(data=np.ones((2, 1))), "label"),
        (b"rubbish", "cannot be read as npz"),
    ],
)
def test_bad_members_are_named_and_never_unpickled(offer, body, sentence):
    offer({"x1data.npz": body})
    with pytest.raises(InputError, match=f"x1data.npz cannot be read as npz .*{sentence}|{sentence}"):
        fetch("a", entry("ecoli"), Path("raw/a"))
    assert not Path("evil").exists()
