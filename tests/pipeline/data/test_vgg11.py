"""Embeddings of images by VGG11; most tests need PyTorch and torchvision, an extra, and are left out by default."""

import json

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.sources import vgg11_embedding

ENTRY = {"title": "Embeddings", "source": "vgg11", "images": "pictures"}


@pytest.fixture
def raw(tmp_path):
    """Raw folder with 70 images of two classes, bright and dark."""
    rng = np.random.default_rng(0)
    target = rng.integers(0, 2, 70)
    pixels = (rng.integers(0, 100, (70, 3072)) + 150 * target[:, None]).astype(np.uint8)
    table = pd.DataFrame(pixels, columns=[f"p{j + 1}" for j in range(3072)])
    table["split"] = ["train"] * 50 + ["test"] * 20
    table["target"] = target
    (tmp_path / "pictures").mkdir()
    table.to_parquet(tmp_path / "pictures" / "table.parquet")
    return tmp_path


@pytest.fixture
def vgg11():
    """The module of the network."""
    for name in ("torch", "torchvision"):
        pytest.importorskip(name, reason=f"{name} is not installed; envs/images.lock has it")
    from ironbark.pipeline.data.sources import vgg11

    return vgg11


def test_images_of_another_kind_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(vgg11_embedding, "SHAPE", (1, 1, 2))
    (tmp_path / "pictures").mkdir()
    table = pd.DataFrame({"p1": [1], "p2": [2], "split": "train", "target": [0]})
    for bad in (table.drop(columns="p1"), table.drop(columns="target"), table):
        bad.to_parquet(tmp_path / "pictures/table.parquet")
        with pytest.raises(InputError, match="no columns split and target beside 2 pixels of type uint8"):
            vgg11_embedding._images("data set 'x'", "pictures", tmp_path / "embedded")


@pytest.mark.images
def test_training_on_a_part_gives_embeddings(raw, vgg11):
    folder = raw / "embedded"
    table = pd.read_parquet(fetch("embedded", ENTRY | {"epochs": 1}, folder))
    features = table.drop(columns=["split", "target"]).to_numpy()
    assert features.shape == (70, 512) and features.dtype == np.float32
    assert np.isfinite(features).all() and features.std(axis=0).max() > 0
    assert table["target"].tolist() == pd.read_parquet(raw / "pictures" / "table.parquet")["target"].tolist()
    facts = json.loads((folder / "fetch.json").read_text())
    assert (facts["epochs"], facts["training_samples"], facts["images"]) == (1, 50, "pictures")
    again = ENTRY | {"weights": str(folder / "weights.pt")}
    np.testing.assert_array_equal(pd.read_parquet(fetch("again", again, raw / "again")), table)
    wide = pd.read_parquet(fetch("wide", again | {"layer": "penultimate"}, raw / "wide"))
    assert wide.shape == (70, 4096 + 2)


@pytest.mark.images
def test_weights_of_torchvision_give_its_scores_and_embeddings(tmp_path, vgg11):
    """The classifier with 512 inputs against the one of torchvision with 7 x 7 times as many."""
    import torch
    from torchvision.models import vgg11_bn

    torch.manual_seed(0)
    theirs = vgg11_bn(weights=None, num_classes=7).eval()
    torch.save(theirs.state_dict(), tmp_path / "theirs.pt")
    ours = vgg11.load(tmp_path / "theirs.pt").cpu().eval()
    images = np.random.default_rng(0).integers(0, 256, (5, 3, 32, 32)).astype(np.uint8)
    mean, spread = np.reshape(vgg11.MEAN, (3, 1, 1)), np.reshape(vgg11.SPREAD, (3, 1, 1))
    x = torch.tensor((images / 255 - mean) / spread, dtype=torch.float32)
    with torch.no_grad():
        pooled = theirs.avgpool(theirs.features(x))
        hidden = theirs.classifier[:5](pooled.flatten(1)).numpy()
        np.testing.assert_allclose(ours(x), theirs(x), atol=1e-5)
    assert pooled.shape == (5, 512, 7, 7)
    np.testing.assert_allclose(vgg11.embed(ours, images), pooled.mean((2, 3)), atol=1e-5)
    np.testing.assert_allclose(vgg11.embed(ours, images, "penultimate"), hidden, atol=1e-5)


@pytest.mark.images
def test_the_same_seed_gives_the_same_bits(vgg11):
    import torch

    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 256, (48, 3, 32, 32)).astype(np.uint8), rng.integers(0, 3, 48)
    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled(), torch.random.get_rng_state()
    tables = []
    for threads, seed in [(1, 0), (2, 0), (1, 1)]:
        torch.set_num_threads(threads)
        tables.append(vgg11.embed(vgg11.train(X, y, 1, seed), X))
        assert torch.get_num_threads() == threads
    torch.set_num_threads(before[0])
    assert np.array_equal(tables[0], tables[1])
    assert not np.array_equal(tables[0], tables[2])
    assert torch.are_deterministic_algorithms_enabled() == before[1]
    assert torch.equal(torch.random.get_rng_state(), before[2])


@pytest.mark.images
def test_pickled_code_is_not_run(raw, vgg11):
    import torch

    class Evil:
        def __reduce__(self):
            return (raw / "ran").touch, ()

    torch.save({"classifier.6.bias": Evil()}, raw / "evil.pt")
    with pytest.raises(InputError, match=r"evil\.pt"):
        fetch("embedded", ENTRY | {"weights": str(raw / "evil.pt")}, raw / "embedded")
    assert not (raw / "ran").exists()
