"""The addresses of the files that data sets are downloaded from. Imports no numpy, as the planner reads it too."""

import re
import urllib.parse
from dataclasses import dataclass

from ironbark.pipeline.log import redacted

LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/"
KEEL = "https://sci2s.ugr.es/keel/dataset/data/classification/"
UCI_ARCHIVES = "https://archive.ics.uci.edu/static/public/"
UCI_FILES = "https://archive.ics.uci.edu/ml/machine-learning-databases/"
IMBALANCED = "https://zenodo.org/record/61452/files/benchmark-imbalanced-learn.tar.gz"
OPENML = "https://www.openml.org/"
FIGSHARE = "https://ndownloader.figshare.com/files/"
MNIST = "https://ossci-datasets.s3.amazonaws.com/mnist/"
CIFAR10 = ("https://cave.cs.toronto.edu/kriz/", "https://www.cs.toronto.edu/~kriz/")
NEWSGROUPS = "https://people.csail.mit.edu/jrennie/20Newsgroups/"

LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class File:
    """A file of a data set."""

    name: str  # as the entry of the catalogue has it
    urls: tuple  # in the order in which they are tried
    checksum: str | None = None  # SHA-256, or "md5:" and the MD5, that it must have at every address


#: Loader of the sources `sklearn` and `torchvision` -> its files, with the SHA-256 that these packages ship.
RELEASES = {
    "covtype": [
        File(
            "covtype.data.gz",
            (f"{UCI_FILES}covtype/covtype.data.gz", f"{FIGSHARE}5976039"),
            "614360d0257557dd1792834a85a1cdebfadc3c4f30b011d56afee7ffb5b15771",
        )
    ],
    "20newsgroups": [
        File(
            "20news-bydate.tar.gz",
            (f"{NEWSGROUPS}20news-bydate.tar.gz", f"{FIGSHARE}5975967"),
            "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
        )
    ],
    "MNIST": [
        File(name, (MNIST + name,), checksum)
        for name, checksum in (
            ("train-images-idx3-ubyte.gz", "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"),
            ("train-labels-idx1-ubyte.gz", "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"),
            ("t10k-images-idx3-ubyte.gz", "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"),
            ("t10k-labels-idx1-ubyte.gz", "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"),
        )
    ],
    "CIFAR10": [
        File(
            "cifar-10-binary.tar.gz",
            tuple(f"{place}cifar-10-binary.tar.gz" for place in CIFAR10),
            "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
        )
    ],
}

#: Fields of an entry that name its one file.
_SINGLE = ("url", "archive", "vectors", "weights")


def is_remote(place):
    """Whether a place that an entry names is an address, not a path."""
    return place.startswith(("http://", "https://"))


def alternatives(value):
    """The places of one file, of which an entry may name one or a list."""
    return (value,) if isinstance(value, str) else tuple(value)


def first(value):
    """The first place of a file, which is also its name."""
    return alternatives(value)[0]


def named(entry):
    """Files of an entry: for each, one place or a list of them."""
    return entry.get("files") or [entry[field] for field in _SINGLE if field in entry]


def files(entry: dict):
    """The files that an entry downloads, without those of this machine and those of the package openml."""
    if entry["source"] == "imbalanced-learn":
        return [File(IMBALANCED.rpartition("/")[2], (IMBALANCED,), checksum(entry, None))]
    if "loader" in entry:
        return RELEASES.get(entry["loader"], [])
    uci = UCI_ARCHIVES if "archive" in entry else UCI_FILES
    base, found = {"libsvm": LIBSVM, "keel": KEEL, "uci": uci}.get(entry["source"], ""), []
    for value in named(entry):
        places = alternatives(value)
        name, urls = places[0], tuple(place if is_remote(place) else base + place for place in places)
        if is_remote(urls[0]):
            found.append(File(name, urls, checksum(entry, name)))
    return found


def checksum(entry, name):
    """Checksum that an entry states for a file: its SHA-256, "md5:" and its MD5, or None."""
    if "md5" in entry:
        return f"md5:{entry['md5']}"
    sums = entry.get("sha256")
    return sums.get(name) if isinstance(sums, dict) else sums


def hosts(entry):
    """Names of the servers that an entry is downloaded from, in alphabetical order."""
    urls = [OPENML] if entry["source"] == "openml" else [url for file in files(entry) for url in file.urls]
    return sorted({host(url) for url in urls} - {None})


def host(url):
    """Name of the server in an address, or None if there is none."""
    try:
        return urllib.parse.urlsplit(url).hostname
    except ValueError:
        return None


def is_exposed(url):
    """Whether others could change a file on its way here: plain http, except from this machine itself."""
    return url.startswith("http://") and host(url) not in LOOPBACK


def local_name(name):
    """File name on this machine, different for different addresses."""
    name = redacted(name)
    return re.sub("[^A-Za-z0-9.]+", "-", urllib.parse.unquote(name.partition("://")[2] or name)).strip("-.")
