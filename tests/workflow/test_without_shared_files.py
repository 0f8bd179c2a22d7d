"""Jobs that share no folder with the run: their files pass through a storage, and the results are the same."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from checkouts import SAME

from ironbark.pipeline.results import records

#: Starts a job in a folder of its own, to which only the sources are copied, and prints the folder.
SUBMIT = """#!/bin/bash
node=$(mktemp -d NODES/XXXXXX)
rsync -a --exclude=/data/raw --exclude=/data/prepared --exclude=/results --exclude=/.snakemake CHECKOUT/ $node/copy
cd $node/copy
setsid bash -c "bash '$1' > ../output 2>&1 && touch ../success || touch ../failed" > /dev/null 2>&1 &
echo $node
"""
STATUS = """#!/bin/bash
if [ -e $1/success ]; then echo success; elif [ -e $1/failed ]; then echo failed; else echo running; fi
"""


@pytest.mark.slow
def test_results_without_a_shared_file_system(built, compiled, tmp_path):
    if shutil.which("rsync") is None:
        pytest.skip("the storage plugin `fs` needs the program rsync")
    nodes = tmp_path / "nodes"
    nodes.mkdir()
    for name, text in {"submit": SUBMIT, "status": STATUS}.items():
        (tmp_path / name).write_text(text.replace("NODES", str(nodes)).replace("CHECKOUT", str(compiled.folder)))
        (tmp_path / name).chmod(0o755)
    options = ["--executor=cluster-generic", "--jobs=2", "--shared-fs-usage=none", "--default-storage-provider=fs"]
    options += [f"--default-storage-prefix={tmp_path / 'storage'}"]
    options += [f"--cluster-generic-{name}-cmd={tmp_path / name}" for name in ("submit", "status")]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # nodes start the `python` that they find there
    compiled.run("tiny", *options, PATH=path)
    rows = "results/tiny/full/rows.parquet"
    assert records.read(compiled / rows)[SAME].equals(records.read(built / rows)[SAME])
    assert len(list(nodes.glob("*/success"))) >= 8  # labels and fits of two data sets
    assert (compiled / "results/site/index.html").exists() and (compiled / "results/tiny/full/report.html").exists()
    assert not (compiled / "data/prepared").exists()
    assert compiled.planned("tiny", *options) == {}
