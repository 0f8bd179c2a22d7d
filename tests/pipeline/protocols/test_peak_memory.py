"""Peak memory of a fit: what it takes and gives back counts, what was taken before does not."""

import math
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from ironbark.pipeline.protocols import fit
from ironbark.pipeline.protocols.costs import PeakMemory

MEGABYTES = 40
SLACK = 10  # pages of the heap that are partly in use stay resident
HERE = pytest.mark.skipif(sys.platform != "linux", reason="the system does not tell the peak of a process")


def take(megabytes):
    return np.ones(megabytes * 125_000)  # float64, touched


@HERE
def test_memory_taken_again_counts_again():
    for _ in range(3):
        memory = PeakMemory()
        kept = take(MEGABYTES)
        assert abs(memory.megabytes() - MEGABYTES) < SLACK
        del kept


@HERE
def test_earlier_peaks_do_not_count():
    kept = take(MEGABYTES)
    take(3 * MEGABYTES)
    memory = PeakMemory()
    take(MEGABYTES)
    assert abs(memory.megabytes() - MEGABYTES) < SLACK
    assert len(kept)


@HERE
def test_a_fit_records_its_peak(monkeypatch):
    def train(*given):
        take(MEGABYTES)
        return SimpleNamespace(predict=lambda X: np.zeros(len(X), int)), {}, 0.0, math.nan

    monkeypatch.setattr(fit, "train", train)
    X, y = np.zeros((6, 2)), np.zeros(6, int)
    record = fit.run({}, ("iris", "binary", "fixed-split", 0, 0, "clean"), X, y, X, y)
    assert record["status"] == "ok", record
    assert abs(record["fit_memory"] - MEGABYTES) < SLACK
