"""Reading Parquet files: the tables, and a process that ends right afterwards."""

import io
import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import pytest

from ironbark.pipeline.results import parquet

FAILING_JOB = """
import sys
from ironbark.pipeline.results import parquet
from ironbark.pipeline.data import formats
from ironbark.errors import InputError
from ironbark.pipeline.log import reporting

sys.setswitchinterval(50)  # Arrow's threads wait for the interpreter's lock until the process ends
with reporting(sys.argv[2]):
    formats.read(sys.argv[1], "parquet")
    parquet.read(sys.argv[1])
    raise InputError("the table has one class; choose another")
"""


@pytest.fixture
def file(tmp_path):
    """A table of many columns, which Arrow reads in several threads."""
    table = pd.DataFrame(np.arange(30_000).reshape(-1, 100), columns=[f"f{i}" for i in range(100)])
    table.assign(word="a").to_parquet(tmp_path / "table.parquet", row_group_size=100)
    return tmp_path / "table.parquet"


class Watched(io.FileIO):
    """A file that remembers which threads have used it."""

    threads = set()

    def read(self, *arguments):
        self.threads.add(threading.get_ident())
        return super().read(*arguments)

    def seek(self, *arguments):
        self.threads.add(threading.get_ident())
        return super().seek(*arguments)


def test_tables_are_those_of_pandas(file):
    expected = pd.read_parquet(file)
    pd.testing.assert_frame_equal(parquet.read(file), expected)
    pd.testing.assert_frame_equal(parquet.read(file, columns=["f3"]), expected[["f3"]])
    with file.open("rb") as stream:
        pd.testing.assert_frame_equal(parquet.read_stream(stream), expected)


def test_arrow_uses_python_files_in_the_callers_thread_only(file):
    with Watched(file) as stream:
        parquet.read_stream(stream)
    assert Watched.threads == {threading.get_ident()}


def test_a_job_that_fails_ends_with_one_sentence_and_exit_code_1(file, tmp_path):
    jobs = [
        subprocess.Popen(
            [sys.executable, "-c", FAILING_JOB, file, tmp_path / f"{i}.log"], stderr=subprocess.PIPE, text=True
        )
        for i in range(6)
    ]
    ends = [(job.communicate(timeout=300)[1], job.returncode) for job in jobs]
    assert ends == [("", 1)] * 6
    for i in range(6):
        assert (tmp_path / f"{i}.log").read_text() == "ironbark: the table has one class; choose another\n"
