"""torchvision's VGG11 with batch normalisation for images of 32 x 32 pixels: training, weight files, embeddings.

Simonyan and Zisserman (2015), Very deep convolutional networks for large-scale image recognition, ICLR, configuration
A; Ioffe and Szegedy (2015), Batch normalization, ICML.

The convolutions reduce an image of 32 x 32 pixels to one pixel with 512 values. torchvision's network repeats it 7 x 7
times. Here it is used once, so the first linear layer has 512 inputs instead of 25,088 and computes the same functions.
"""

import os
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torchvision.models import vgg11_bn
from torchvision.transforms import v2

from ironbark.pipeline.data import NETWORK_THREADS
from ironbark.pipeline.log import say

MEAN, SPREAD = (0.4914, 0.4822, 0.4465), (0.2471, 0.2435, 0.2616)  # of the channels of CIFAR-10's training images
BATCH, RATE, MOMENTUM, DECAY = 256, 0.05, 0.9, 5e-4
SIDE, MARGIN = 32, 4  # pixels; the margin is what a training image is shifted by at most
POOLED = 512  # values that the convolutions compute

AUGMENTATION = v2.Compose([v2.RandomCrop(SIDE, padding=MARGIN), v2.RandomHorizontalFlip()])
NORMALISATION = v2.Compose([v2.ToDtype(torch.float32, scale=True), v2.Normalize(MEAN, SPREAD)])


def build(n_classes=10):
    """The network with random weights, drawn from torch's global generator."""
    network = vgg11_bn(weights=None, num_classes=n_classes)
    network.avgpool = nn.Identity()
    first = nn.Linear(POOLED, network.classifier[0].out_features)
    nn.init.normal_(first.weight, 0, 0.01)  # as torchvision does for its linear layers
    nn.init.zeros_(first.bias)
    network.classifier[0] = first
    return network


def device():
    """The GPU if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(images: np.ndarray, labels: np.ndarray, epochs: int, seed: int = 0):
    """Train a network by stochastic gradient descent on shifted and mirrored images, its rate on a cosine."""
    with _reproducible(seed):
        network = build(int(labels.max()) + 1).to(device()).train()
        optimizer = torch.optim.SGD(network.parameters(), RATE, MOMENTUM, weight_decay=DECAY, nesterov=True)
        steps = epochs * max(1, len(labels) // BATCH)
        warm = torch.optim.lr_scheduler.LinearLR(optimizer, 0.01, total_iters=max(1, steps // 20))
        fall = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
        schedule = torch.optim.lr_scheduler.ChainedScheduler([warm, fall])
        for epoch in range(1, epochs + 1):
            batches = np.array_split(torch.randperm(len(labels)).numpy(), max(1, len(labels) // BATCH))
            losses = [_step(network, optimizer, schedule, images[rows], labels[rows]) for rows in batches]
            say(f"VGG11: epoch {epoch} of {epochs} done, mean loss {np.mean(losses):.3f}")
    return network


def _step(network, optimizer, schedule, images, labels):
    """One step on a batch; its loss."""
    shifted = torch.stack([AUGMENTATION(image) for image in torch.tensor(images)])  # each by its own draws
    x = NORMALISATION(shifted.to(device()))
    y = torch.tensor(labels, dtype=torch.int64, device=x.device)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(network(x), y)
    loss.backward()
    optimizer.step()
    schedule.step()
    return float(loss.detach())


def save(network, path):
    """Write the weights of a network, as `load` reads them."""
    torch.save({name: tensor.cpu() for name, tensor in network.state_dict().items()}, path)


def load(path: Path):
    """Read a network from a file of weights; nothing but plain tensors is unpickled."""
    try:
        weights = torch.load(path, map_location="cpu", weights_only=True)
        first = weights["classifier.0.weight"]
        if first.shape[1] != POOLED:  # 7 x 7 equal inputs act as one with the sum of their weights
            weights["classifier.0.weight"] = first.reshape(len(first), POOLED, -1).sum(2)
        network = build(len(weights["classifier.6.bias"]))
        network.load_state_dict(weights)
    except Exception as error:  # torch raises many kinds, RuntimeError and UnpicklingError among them
        raise ValueError(f"no weights of this network: {str(error).splitlines()[0]}") from error
    return network.to(device())


def embed(network, images: np.ndarray) -> np.ndarray:
    """Embeddings of images: what the convolutions compute."""
    network.eval()
    blocks = []
    with _reproducible(), torch.no_grad():
        for start in range(0, len(images), BATCH):
            x = NORMALISATION(torch.tensor(images[start : start + BATCH]).to(device()))
            blocks.append(network.features(x).flatten(1).cpu().numpy())
    return np.concatenate(blocks)


@contextmanager
def _reproducible(seed=0):
    """Seed torch, and let it use `NETWORK_THREADS` and deterministic algorithms; restore its settings at the end."""
    threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it, a GPU's products vary
    try:
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            torch.set_num_threads(NETWORK_THREADS)
            torch.use_deterministic_algorithms(True, warn_only=True)
            yield
    finally:
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(strict)
