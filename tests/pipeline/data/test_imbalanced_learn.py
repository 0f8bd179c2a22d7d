import threading
from pathlib import Path

import makers
import numpy as np
import pandas as pd

from ironbark.pipeline.data import IMBALANCED, addresses
from ironbark.pipeline.data.fetch import fetch


def entry(name):
    return {"title": "T", "source": "imbalanced-learn", "name": name}


def test_every_data_set_is_found_and_jobs_that_want_the_archive_together_do_not_fight(site, monkeypatch):
    """27 data sets, each with its number among them as its only value."""
    y = np.array([-1, 1])
    members = {f"x{i + 1}data.npz": makers.npz(data=np.full((2, 1), i + 0.5), label=y) for i in range(27)}
    monkeypatch.setattr(addresses, "IMBALANCED", site.put("benchmark.tar.gz", makers.tarred(members)))
    threads = [
        threading.Thread(target=fetch, args=(f"d{i}", entry(name), Path(f"raw/d{i}")))
        for i, name in enumerate(IMBALANCED)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(27):
        assert pd.read_parquet(f"raw/d{i}/table.parquet")["f1"].tolist() == [i + 0.5] * 2
    assert site.times("benchmark.tar.gz") == 1
