"""Sources ``sklearn`` and ``torchvision``: data sets of these packages, with their addresses and checksums.

The downloads are ours: scikit-learn's have no time-out, begin anew after each fault and know one address each;
torchvision would unpickle CIFAR-10, which also has a release of plain bytes.

LeCun, Bottou, Bengio and Haffner (1998), Gradient-based learning applied to document recognition, Proc. IEEE 86(11);
Krizhevsky (2009), Learning multiple layers of features from tiny images, technical report, University of Toronto.
"""

from pathlib import PurePosixPath

import numpy as np
import pandas as pd
import sklearn.datasets
from sklearn.datasets._covtype import FEATURE_NAMES

from ironbark.pipeline.data import SHIPPED, formats
from ironbark.pipeline.data.sources.files import SPLIT, bring

PARTS = {"20news-bydate-train": "train", "20news-bydate-test": "test"}


def fetch_sklearn(who, entry, folder):
    """Get the table of ``sklearn.datasets.load_<loader>`` or ``fetch_<loader>``, target last."""
    loader, facts = entry["loader"], {}
    if loader in SHIPPED:
        table = getattr(sklearn.datasets, f"load_{loader}")(as_frame=True).frame
    else:
        (path,), facts = bring(who, entry, folder)
        table = _READERS[loader](who, path)
    return table.rename(columns={"target": entry["target"]}), facts


def _covtype(who, path):
    with formats.opened(path, "csv") as stream:
        table = pd.read_csv(stream, header=None)
        table = table.set_axis([*FEATURE_NAMES, "target"], axis=1)
    return table.assign(**{name: formats.smallest(table[name].to_numpy()) for name in table})


def _newsgroups(who, path):
    """Texts whole, with headers, footers and quotes, by part, group and file name, as strings."""
    found = {}
    with formats.readable(path, "archive of texts"), formats.archive(who, path) as content:
        for name in content.names:  # in the order of the archive, as going back means to unpack it again
            folder, group, file = PurePosixPath(name).parts[-3:]
            with content.open(name) as stream:
                found[PARTS[folder], f"{group}/{file}"] = stream.read().decode("latin-1")
    order = sorted(found, key=lambda key: (key[0] != "train", key[1]))
    parts, names = [part for part, _ in order], [name.partition("/")[0] for _, name in order]
    return pd.DataFrame({"text": [found[key] for key in order], SPLIT: parts, "target": names})


_READERS = {"covtype": _covtype, "20newsgroups": _newsgroups}


CIFAR10_BATCHES = (*(f"data_batch_{i}.bin" for i in range(1, 6)), "test_batch.bin")
PIXELS = 32 * 32 * 3  # of CIFAR-10: rows of red, then green, then blue

_UBYTE = 8  # type of IDX elements


def fetch_torchvision(who, entry, folder):
    """Download the images as a table: columns p1, p2, ..., ``split`` and the target, training part first."""
    paths, facts = bring(who, entry, folder)
    images, labels, lengths = _LOADERS[entry["loader"]](who, paths)
    table = pd.DataFrame(images, columns=[f"p{j + 1}" for j in range(images.shape[1])], copy=False)
    table["split"] = pd.Categorical.from_codes(np.repeat([0, 1], lengths), ["train", "test"])
    table[entry["target"]] = labels
    return table, facts


def _mnist(who, paths):
    arrays = []
    for path, dimensions in zip(paths, (3, 1, 3, 1), strict=True):
        with formats.opened(path, "IDX") as stream:
            arrays.append(_idx(stream.read(), dimensions))
            if dimensions == 1 and len(arrays[-2]) != len(arrays[-1]):
                raise ValueError(f"{len(arrays[-2])} images, but {len(arrays[-1])} labels")
    images, labels = arrays[::2], arrays[1::2]
    pixels = np.concatenate([x.reshape(len(x), -1) for x in images])
    return pixels, np.concatenate(labels), [len(y) for y in labels]


def _idx(content, dimensions):
    """Array of an IDX file: two zero bytes, type, number of dimensions, their sizes (big-endian), the elements."""
    magic, *shape = np.frombuffer(content, ">u4", 1 + dimensions).tolist()
    if magic != _UBYTE << 8 | dimensions:
        raise ValueError(f"it begins with {magic:#010x}")
    return np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions).reshape(shape)


def _cifar10(who, paths):
    (path,), found = paths, {}
    with formats.readable(path, "CIFAR-10 binary"), formats.archive(who, path) as content:
        for name in content.names:  # in the order of the archive, as in `_newsgroups`
            with content.open(name) as stream:
                found[PurePosixPath(name).name] = np.frombuffer(stream.read(), np.uint8)
        batches = [found[name].reshape(-1, 1 + PIXELS) for name in CIFAR10_BATCHES]
    rows, n_test = np.concatenate(batches), len(batches[-1])
    return rows[:, 1:], rows[:, 0], [len(rows) - n_test, n_test]


_LOADERS = {"MNIST": _mnist, "CIFAR10": _cifar10}
