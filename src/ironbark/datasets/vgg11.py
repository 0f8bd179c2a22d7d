"""VGG11 with batch normalisation for images of 32 x 32 pixels: training it, and reading its embeddings.

Simonyan and Zisserman (2015), Very deep convolutional networks for large-scale image recognition, ICLR, configuration
A; Ioffe and Szegedy (2015), Batch normalization, ICML. Names of the weights are those that torchvision gives to
vgg11_bn, so that weight files for this network fit.
"""

import numpy as np
import torch
from torch import nn

from ironbark.datasets.progress import say

CHANNELS = (64, "pool", 128, "pool", 256, 256, "pool", 512, 512, "pool", 512, 512, "pool")
MEAN, SPREAD = (0.4914, 0.4822, 0.4465), (0.2471, 0.2435, 0.2616)  # of the channels of CIFAR-10's training images
BATCH, RATE, MOMENTUM, DECAY = 256, 0.05, 0.9, 5e-4
SIDE, MARGIN = 32, 4  # pixels; the margin is what a training image is shifted by at most

#: Layer -> modules of the classifier that an embedding has passed.
LAYERS = {"pooled": 0, "penultimate": 5}


class VGG11(nn.Module):
    """The network; with `layer` it stops at the embedding.

    Parameters
    ----------
    n_classes : int
    """

    def __init__(self, n_classes=10):
        super().__init__()
        modules, width = [], 3
        for entry in CHANNELS:
            if entry == "pool":
                modules.append(nn.MaxPool2d(2))
                continue
            modules += [nn.Conv2d(width, entry, 3, padding=1), nn.BatchNorm2d(entry), nn.ReLU(inplace=True)]
            width = entry
        self.features = nn.Sequential(*modules)
        self.classifier = nn.Sequential(
            *(nn.Linear(512, 4096), nn.ReLU(inplace=True), nn.Dropout()),
            *(nn.Linear(4096, 4096), nn.ReLU(inplace=True), nn.Dropout()),
            nn.Linear(4096, n_classes),
        )

    def forward(self, x, layer=None):
        """Class scores of images of shape (n, 3, 32, 32), or their embeddings of shape (n, 512) or (n, 4096)."""
        pooled = self.features(x).flatten(1)
        return (self.classifier if layer is None else self.classifier[: LAYERS[layer]])(pooled)


def device():
    """The GPU if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def normalised(images):
    """Pixels as the network takes them.

    Parameters
    ----------
    images : ndarray of shape (n, 3, 32, 32), uint8

    Returns
    -------
    Tensor of the same shape, float32, on `device`
    """
    x = torch.tensor(images, dtype=torch.float32, device=device()) / 255
    mean, spread = (torch.tensor(values, device=x.device).view(1, 3, 1, 1) for values in (MEAN, SPREAD))
    return (x - mean) / spread


def train(images, labels, epochs, seed=0):
    """Train a network by stochastic gradient descent on shifted and mirrored images, rate falling to zero on a cosine.

    Parameters
    ----------
    images : ndarray of shape (n, 3, 32, 32), uint8
    labels : ndarray of shape (n,), int
        Classes from 0.
    epochs : int
    seed : int
        Of the weights, the order and the shifts. The bits of the result depend on the machine all the same.

    Returns
    -------
    VGG11
    """
    rng = np.random.default_rng(seed)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = VGG11(int(labels.max()) + 1).to(device()).train()
        optimizer = torch.optim.SGD(network.parameters(), RATE, MOMENTUM, weight_decay=DECAY, nesterov=True)
        steps = epochs * max(1, len(labels) // BATCH)
        warm = torch.optim.lr_scheduler.LinearLR(optimizer, 0.01, total_iters=max(1, steps // 20))
        fall = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
        schedule = torch.optim.lr_scheduler.ChainedScheduler([warm, fall])
        for epoch in range(epochs):
            loss = _train_once(network, optimizer, schedule, images, labels, rng)
            say(f"VGG11: epoch {epoch + 1} of {epochs}, mean loss {loss:.3f}")
    return network


def _train_once(network, optimizer, schedule, images, labels, rng):
    """One pass over the images; the mean loss."""
    order, total, n_steps = rng.permutation(len(labels)), 0.0, max(1, len(labels) // BATCH)
    for chosen in np.array_split(order, n_steps):
        x = normalised(_moved(images[chosen], rng))
        y = torch.from_numpy(labels[chosen].astype(np.int64)).to(x.device)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(network(x), y)
        loss.backward()
        optimizer.step()
        schedule.step()
        total += float(loss.detach())
    return total / n_steps


def _moved(images, rng):
    """Images shifted by up to `MARGIN` pixels each way, black where nothing was, and mirrored every other time."""
    padded = np.pad(images, ((0, 0), (0, 0), (MARGIN, MARGIN), (MARGIN, MARGIN)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (SIDE, SIDE), axis=(2, 3))
    rows, columns = rng.integers(0, 2 * MARGIN + 1, (2, len(images)))
    moved = windows[np.arange(len(images)), :, rows, columns]
    mirrored = rng.random(len(images)) < 0.5
    moved[mirrored] = moved[mirrored][..., ::-1]
    return moved


def save(network, path):
    """Write the weights of a network, as `load` reads them."""
    torch.save({name: tensor.cpu() for name, tensor in network.state_dict().items()}, path)


def load(path):
    """A network with the weights of a file, which is never unpickled beyond plain tensors.

    Raises
    ------
    ValueError
        If the file holds something else than the weights of this network.
    """
    try:
        weights = torch.load(path, map_location="cpu", weights_only=True)
        network = VGG11(len(weights["classifier.6.bias"]))
        network.load_state_dict(weights)
    except Exception as error:  # torch raises many kinds, RuntimeError and UnpicklingError among them
        raise ValueError(f"no weights of this network: {str(error).splitlines()[0]}") from error
    return network.to(device())


def embed(network, images, layer="pooled"):
    """Embeddings of images.

    Parameters
    ----------
    network : VGG11
    images : ndarray of shape (n, 3, 32, 32), uint8
    layer : {"pooled", "penultimate"}
        The pooled features, or what goes into the last linear layer.

    Returns
    -------
    ndarray of shape (n, 512) or (n, 4096), float32
    """
    network.eval()
    with torch.no_grad():
        blocks = [network(normalised(images[i : i + BATCH]), layer).cpu().numpy() for i in range(0, len(images), BATCH)]
    return np.concatenate(blocks)
