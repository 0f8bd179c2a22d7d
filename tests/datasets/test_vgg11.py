"""Embeddings of images by VGG11; needs PyTorch, which is an extra."""

import json

import numpy as np
import pandas as pd
import pytest

from ironbark.datasets.fetch import fetch
from ironbark.datasets.sources import vgg11_embedding
from ironbark.errors import InputError

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


def test_without_pytorch_one_sentence_says_what_to_install(raw, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    monkeypatch.delitem(__import__("sys").modules, "ironbark.datasets.vgg11", raising=False)
    with pytest.raises(InputError, match=r"needs PyTorch; install it with pip install 'ironbark\[torch\]'"):
        fetch("embedded", ENTRY, raw / "embedded")


def test_training_on_a_part_gives_embeddings_that_tell_the_classes(raw):
    pytest.importorskip("torch", reason="PyTorch, an extra, is not installed")
    folder = raw / "embedded"
    table = pd.read_parquet(fetch("embedded", ENTRY | {"epochs": 1, "training_samples": 40}, folder))
    features = table.drop(columns=["split", "target"]).to_numpy()
    assert features.shape == (70, 512)
    assert features.dtype == np.float32
    assert np.isfinite(features).all()
    assert features.std(axis=0).max() > 0
    assert table["target"].tolist() == pd.read_parquet(raw / "pictures" / "table.parquet")["target"].tolist()
    facts = json.loads((folder / "fetch.json").read_text())
    assert (facts["epochs"], facts["training_samples"], facts["images"]) == (1, 40, "pictures")

    again = ENTRY | {"weights": str(folder / "weights.pt")}
    np.testing.assert_allclose(
        pd.read_parquet(fetch("again", again, raw / "again")).filter(like="e").drop(columns="target"),
        table.filter(like="e").drop(columns="target"),
        atol=1e-5,
    )
    wide = pd.read_parquet(fetch("wide", again | {"layer": "penultimate"}, raw / "wide"))
    assert wide.shape == (70, 4096 + 2)


def test_the_network_is_the_one_of_the_literature():
    """Parameters of convolutions, batch normalisation and the classifier, counted by hand."""
    pytest.importorskip("torch", reason="PyTorch, an extra, is not installed")
    from ironbark.datasets.vgg11 import VGG11

    widths = [3, 64, 128, 256, 256, 512, 512, 512, 512]
    convolutions = sum(9 * a * b + b + 2 * b for a, b in zip(widths, widths[1:], strict=False))
    linear = sum(a * b + b for a, b in [(512, 4096), (4096, 4096), (4096, 10)])
    assert sum(p.numel() for p in VGG11().parameters()) == convolutions + linear


def test_training_learns():
    torch = pytest.importorskip("torch", reason="PyTorch, an extra, is not installed")
    from ironbark.datasets import vgg11

    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 64)
    X = (rng.integers(0, 60, (64, 3, 32, 32)) + 150 * y[:, None, None, None]).astype(np.uint8)
    network = vgg11.train(X, y, 25)
    network.eval()
    with torch.no_grad():
        assert float((network(vgg11.normalised(X)).argmax(1).cpu().numpy() == y).mean()) > 0.9


@pytest.mark.parametrize("content", [b"", b"no weights", b"PK\x03\x04 torn"])
def test_a_damaged_weight_file_is_named(raw, content):
    pytest.importorskip("torch", reason="PyTorch, an extra, is not installed")
    (raw / "bad.pt").write_bytes(content)
    with pytest.raises(InputError, match=r"bad\.pt"):
        fetch("embedded", ENTRY | {"weights": str(raw / "bad.pt")}, raw / "embedded")


def test_pickled_code_is_not_run(raw):
    torch = pytest.importorskip("torch", reason="PyTorch, an extra, is not installed")

    class Evil:
        def __reduce__(self):
            return (raw / "ran").touch, ()

    torch.save({"classifier.6.bias": Evil()}, raw / "evil.pt")
    with pytest.raises(InputError, match=r"evil\.pt"):
        fetch("embedded", ENTRY | {"weights": str(raw / "evil.pt")}, raw / "embedded")
    assert not (raw / "ran").exists()


def test_images_of_another_kind_are_refused(raw):
    table = pd.read_parquet(raw / "pictures" / "table.parquet")
    others = {
        "none": (None, "is not there; fetch it first"),
        "few": (table.drop(columns="p1"), "beside 3072 pixels"),
        "real": (table.astype({"p1": float}), "not of type uint8"),
    }
    for name, (bad, message) in others.items():
        if bad is not None:
            (raw / name).mkdir()
            bad.to_parquet(raw / name / "table.parquet")
        with pytest.raises(InputError, match=message):
            vgg11_embedding._images("data set 'x'", name, raw / "embedded")
