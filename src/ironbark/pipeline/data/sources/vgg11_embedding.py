"""Source ``vgg11``: embeddings of the images of another data set by torchvision's VGG11 network.

Wilton and Ye (2024), Figure 7, grow trees on embeddings of CIFAR-10 by a network that saw its clean labels. See
`ironbark.pipeline.data.sources.vgg11` for the network.
"""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.pipeline.data import EPOCHS, formats
from ironbark.pipeline.data.sources.files import SHARED, SPLIT, base_table, only_file

SHAPE = (3, 32, 32)


def fetch(who, entry, folder):
    """Turn each image of the data set ``images`` into an embedding."""
    from ironbark.pipeline.data.sources import vgg11  # late: PyTorch is an extra, which the planner asks for

    images, others = _images(who, entry["images"], folder)
    if "weights" in entry:
        path, facts = only_file(who, entry, "weights", folder.parent / SHARED)
        with formats.readable(path, "PyTorch weights"):
            network = vgg11.load(path)
    else:
        network, facts = _trained(who, vgg11, entry, folder, images, others)
    features = vgg11.embed(network, images)
    table = pd.DataFrame(features, columns=[f"e{j + 1}" for j in range(features.shape[1])], copy=False)
    return pd.concat([table, others], axis=1), facts


def _images(who, source, folder):
    """Images of shape (n, 3, 32, 32), uint8, and the columns split and target."""
    table = base_table(folder, source)
    pixels = table.drop(columns=[SPLIT, "target"], errors="ignore")
    if not {SPLIT, "target"} <= {*table} or pixels.shape[1] != np.prod(SHAPE) or not (pixels.dtypes == np.uint8).all():
        raise InputError(
            f"{who}: the data set {source!r} has no columns split and target beside {np.prod(SHAPE)} pixels of type "
            "uint8; name another in `images`"
        )
    return pixels.to_numpy().reshape(-1, *SHAPE), table[[SPLIT, "target"]]


def _trained(who, vgg11, entry, folder, images, others):
    """A network trained on the training part, and how."""
    rows = np.flatnonzero(others[SPLIT] == "train")
    if not len(rows):
        raise InputError(f"{who}: the data set {entry['images']!r} has no training part; name another in `images`")
    labels = np.unique(others["target"].to_numpy(), return_inverse=True)[1]
    epochs = entry.get("epochs", EPOCHS)
    network = vgg11.train(images[rows], labels[rows], epochs)
    with replacing(folder / "weights.pt") as side:
        vgg11.save(network, side)
    return network, {"epochs": epochs, "training_samples": len(rows)}
