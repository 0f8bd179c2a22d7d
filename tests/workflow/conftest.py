"""A copy of the checkout with a small study, and copies of what was built in it once."""

import fcntl
import os
import shutil

import pytest
from checkouts import ROOT, TINY, Checkout, copy_of


@pytest.fixture
def checkout(tmp_path):
    """A checkout of one's own, with nothing built."""
    found = copy_of(ROOT, tmp_path / "checkout")
    (found / "config/studies/tiny.yaml").write_text(TINY, encoding="utf-8")
    return found


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """The checkout in which `tiny` was built, once for all workers of pytest-xdist; only to be read."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with open(base / "tiny.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = base / "tiny"
        if not (folder / "done").exists():
            built = copy_of(ROOT, folder)
            (built / "config/studies/tiny.yaml").write_text(TINY, encoding="utf-8")
            done = built.run("tiny")
            (folder / "done").write_text(done.stdout + done.stderr, encoding="utf-8")
    return Checkout(folder)


@pytest.fixture
def compiled(shared, tmp_path):
    """A checkout of one's own with nothing built, but with kernels that need not be compiled again."""
    return copy_of(shared.folder, tmp_path / "compiled")


@pytest.fixture
def built(shared, tmp_path):
    """A copy of `shared` of one's own."""
    shutil.copytree(shared.folder, tmp_path / "built", symlinks=True)
    return Checkout(tmp_path / "built")
