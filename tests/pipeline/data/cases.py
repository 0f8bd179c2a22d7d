"""One small data set of each source that downloads by itself: the files of the server, the entry, the columns."""

import bz2
import gzip
import hashlib
import lzma

import makers
import numpy as np

from ironbark.pipeline.data import addresses
from ironbark.pipeline.data.addresses import File
from ironbark.pipeline.data.sources import loaders, sites

TRAIN, TEST = b"+1 1:2 3:0.5\n-1 2:1\n", b"-1 5:1\n"


def url(site, monkeypatch):
    entry = {"source": "url", "url": site.put("data.libsvm.bz2", bz2.compress(TRAIN)), "format": "libsvm"}
    return entry, {"f1": [2, 0], "f2": [0, 1], "f3": [0.5, 0], "target": [1, -1]}


def libsvm(site, monkeypatch):
    monkeypatch.setattr(addresses, "LIBSVM", f"{site.address}/")
    site.put("binary/toy.xz", lzma.compress(TRAIN))
    site.put("binary/toy.t", TEST)
    entry = {"source": "libsvm", "files": ["binary/toy.xz", "binary/toy.t"], "parts": ["train", "test"]}
    columns = {"f1": [2, 0, 0], "f2": [0, 1, 0], "f3": [0.5, 0, 0], "f4": [0, 0, 0], "f5": [0, 0, 1]}
    return entry, columns | {"target": [1, -1, -1], "split": ["train", "train", "test"]}


def imbalanced(site, monkeypatch):
    X, y = np.array([[1.0, 0.5], [2.0, -1.5]]), np.array([-1, 1])
    members = {"x1data.npz": makers.npz(data=X[:1], label=y[:1]), "x27data.npz": makers.npz(data=X, label=y)}
    monkeypatch.setattr(addresses, "IMBALANCED", site.put("benchmark.tar.gz", makers.tarred(members)))
    entry = {"source": "imbalanced-learn", "name": "abalone_19"}
    return entry, {"f1": [1, 2], "f2": [0.5, -1.5], "target": [-1, 1]}


def keel(site, monkeypatch):
    monkeypatch.setattr(addresses, "KEEL", f"{site.address}/")
    site.put("toy.zip", makers.zipped({"toy.dat": makers.KEEL, "toy-names.txt": b"about"}))
    columns = {"Left-weight": [1, 2.5, 5], "two words": [3, np.nan, 9], "colour": ["red", "green", "red"]}
    return {"source": "keel", "archive": "toy.zip", "target": "Class"}, columns | {"Class": list("LBR")}


def uci_archive(site, monkeypatch):
    members = {"x/toy.data": b"|head\n1, a, 0\n2, ?, 1\n", "x/toy.test.gz": gzip.compress(b"|head\n3, 7, 1\n")}
    site.put("7/toy.zip", makers.zipped(members))
    monkeypatch.setattr(addresses, "UCI_ARCHIVES", f"{site.address}/")
    entry = {"source": "uci", "archive": "7/toy.zip", "members": ["toy.data", "toy.test.gz"]}
    entry |= {"columns": ["n", "c", "target"], "skip_rows": 1, "parts": ["train", "test"]}
    columns = {"n": [1, 2, 3], "c": ["a", None, "7"], "target": [0, 1, 1]}
    return entry, columns | {"split": ["train", "train", "test"]}


def uci_files(site, monkeypatch):
    monkeypatch.setattr(addresses, "UCI_FILES", f"{site.address}/")
    site.put("toy/a.dat", b"x  y\n1\t0.5\n")
    site.put("toy/b.dat", b"x y\n 2 ?\n")
    entry = {"source": "uci", "files": ["toy/a.dat", "toy/b.dat"], "separator": "whitespace", "target": "x"}
    return entry, {"x": [1, 2], "y": [0.5, np.nan]}


def unsw(site, monkeypatch):
    monkeypatch.setattr(sites, "UNSW_TRAIN_ROWS", 3)
    files = [site.put("training-set.csv", makers.unsw(2, "Worms")), site.put("testing.csv", makers.unsw(3, "Normal"))]
    columns = {"dur": [0.5] * 5, "rate": [0, 10, 20, 0, 10], "attack_cat": ["Normal"] * 3 + ["Worms"] * 2}
    entry = {"source": "unsw-nb15", "files": files, "target": "attack_cat"}
    return entry, columns | {"split": ["train"] * 3 + ["test"] * 2}


def release(site, monkeypatch, loader, files):
    """Offer the files (name -> bytes) of a loader whose addresses and checksums are part of ironbark."""
    found = [File(name, (site.put(name, body),), hashlib.sha256(body).hexdigest()) for name, body in files.items()]
    monkeypatch.setitem(addresses.RELEASES, loader, found)


def mnist(site, monkeypatch):
    files, images, labels = makers.mnist(np.random.default_rng(0))
    release(site, monkeypatch, "MNIST", files)
    columns = {f"p{j + 1}": images[:, j] for j in range(images.shape[1])}
    entry = {"source": "torchvision", "loader": "MNIST"}
    return entry, columns | {"split": ["train"] * 5 + ["test"] * 3, "target": labels}


def cifar10(site, monkeypatch):
    body, rows = makers.cifar10(np.random.default_rng(0), pixels=12)
    monkeypatch.setattr(loaders, "PIXELS", 12)
    release(site, monkeypatch, "CIFAR10", {"c.tar.gz": body})
    columns = {f"p{j}": rows[:, j] for j in range(1, 13)}
    entry = {"source": "torchvision", "loader": "CIFAR10"}
    return entry, columns | {"split": ["train"] * 10 + ["test"] * 2, "target": rows[:, 0]}


CASES = (url, libsvm, imbalanced, keel, uci_archive, uci_files, unsw, mnist, cifar10)
