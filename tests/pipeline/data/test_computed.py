"""Sources that compute: votes on label errors, features of texts, and embeddings of images, which need PyTorch."""

import gzip
import hashlib
import json
from pathlib import Path

import makers
import numpy as np
import pandas as pd
import pytest
from mirror_tables import MIRROR, table_of
from sklearn.utils import shuffle

from ironbark.errors import InputError
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.sources import confirmed_errors, text_embeddings, vgg11_embedding


def sample(number, votes, given="4"):
    return {"id": number, "given_original_label_name": given, "our_guessed_label_name": "6", "url": "", "mturk": votes}


SAMPLES = [
    sample(7, {"given": 3, "guessed": 2}, given="3"),
    sample(4, {"given": 2, "guessed": 3, "neither": 0}),
    sample(3, {"given": 1, "guessed": 0, "neither": 0, "both": 4}),
    sample(5, {"given": 5, "guessed": 5, "neither": 0}),
]


def test_a_verdict_has_more_than_half_of_the_votes(tmp_path):
    path = tmp_path / "votes.json"
    path.write_text(json.dumps(SAMPLES))
    found = confirmed_errors.read(path)
    assert found["verdict"].to_dict() == {7: "3", 4: "6", 3: "", 5: ""}
    assert (found.filter(like="votes").sum(axis=1) == [5, 5, 5, 10]).all()
    for text in ("[", '[{"id": 1}]', '{"a": 1}'):
        path.write_text(text)
        with pytest.raises(InputError, match="is no file of the label-errors project"):
            confirmed_errors.read(path)


@pytest.fixture
def made(tmp_path, site, monkeypatch):
    """Function that makes the corrected table of a base table, with ten test samples."""
    text = json.dumps(SAMPLES).encode()
    checksum = hashlib.sha256(text).hexdigest()
    site.put("votes.json", text)
    monkeypatch.setattr(confirmed_errors, "ADDRESS", f"{site.address}/")

    def corrected(base, seeds=(), sha256=checksum):
        monkeypatch.setitem(confirmed_errors.FILES, "mnist", confirmed_errors.Votes("votes.json", sha256, 10, seeds))
        if base is not None:
            (tmp_path / "base").mkdir()
            base.to_parquet(tmp_path / "base" / "table.parquet", index=False)
        entry = {"title": "T", "source": "confirmed-errors", "table": "base", "votes": "mnist", "given": "given"}
        return pd.read_parquet(fetch("corrected", entry, tmp_path / "corrected"))

    return corrected


def numbers(tests):
    """A table whose feature is the id of the test sample; two training samples precede."""
    labels = [3 if number == 7 else 4 for number in tests]
    return pd.DataFrame({"x": [-1, -2, *tests], "class": [0, 1, *labels]})


def test_labels_are_corrected_and_unclear_samples_left_out(made):
    found = made(numbers(range(10)))
    assert found["x"].tolist() == [0, 1, 2, 4, 6, 7, 8, 9] and list(found) == ["x", "given", "target"]
    assert found["given"].tolist() == ["4", "4", "4", "4", "4", "3", "4", "4"]
    assert found["target"].tolist() == ["4", "4", "4", "6", "4", "3", "4", "4"]


def test_ids_count_the_samples_in_the_order_of_two_shuffles(made):
    seen = np.arange(10)  # rows of the table in the order of the ids
    for seed in (0, 42):
        seen = shuffle(seen, random_state=seed)
    ids = np.argsort(seen)  # of each row
    found = made(numbers(ids.tolist()), seeds=(0, 42)).set_index("x")["target"]
    assert found[4] == "6" and found[7] == "3" and set(found.index) == {0, 1, 2, 4, 6, 7, 8, 9}


@pytest.mark.parametrize(
    ("base", "message"),
    [
        (numbers(range(10)).assign(**{"class": 5}), "are not those that were voted on"),
        (numbers(range(6)), "has 8 test samples, not 10"),
    ],
)
def test_other_data_sets_are_refused(made, base, message):
    with pytest.raises(InputError, match=message):
        made(base)


@pytest.mark.parametrize(("name", "voted", "wrong", "unclear"), [("mnist", 100, 10, 18), ("20newsgroups", 93, 22, 60)])
def test_the_true_votes(name, voted, wrong, unclear):
    """The paper confirms 82 = 22 + 60 errors for 20 Newsgroups; in a wrong order, 1 of 20 labels would agree."""
    about, table = confirmed_errors.FILES[name], table_of("mnist" if name == "mnist" else "20news-raw")
    path = MIRROR / "extra" / about.file
    if not path.exists() or not table.exists():
        pytest.skip("the files of the label-errors project, or the mirror, are not on this machine")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == about.sha256
    votes = confirmed_errors.read(path)
    assert len(votes) == voted and (votes["verdict"] == "").sum() == unclear
    assert (votes["verdict"] == votes["guessed"]).sum() == wrong
    frame = pd.read_parquet(table, columns=["split", "target"])
    labels = frame["target"][frame["split"] == "test"].astype("str").to_numpy()
    assert (labels[confirmed_errors._order(about)[votes.index]] == votes["given"]).all()


TEXTS = ["The cat, the Cat!", "at name@domain", "", "unknown words", "CAT"]
MEANS = [[2 / 4, 6 / 4, 0], [0, 0, 3], [0, 0, 0], [0, 0, 0], [0, 2, 0]]
WORDS = ["tree", "forest", "noise", "label", "boost", "margin", "leaf", "root"]


def features(table, source, **fields):
    """The features of a data frame of texts."""
    Path("raw/news").mkdir(parents=True, exist_ok=True)
    table.to_parquet("raw/news/table.parquet", index=False)
    return pd.read_parquet(fetch("x", {"title": "T", "source": source, "texts": "news", **fields}, Path("raw/x")))


def test_words_of_a_text():
    found = text_embeddings.words("me@here.org\n>> Don't x_1 Caf\xe9 \u0434\u0430 3.14 ... ")
    assert found == ["me", "here", "org", "Don", "t", "x", "1", "Caf\xe9", "\u0434\u0430", "3", "14"]


@pytest.mark.parametrize("kind", ["txt", "gz", "zip"])
def test_means_of_the_words_that_have_a_vector(site, kind):
    pack = {"txt": bytes, "gz": gzip.compress, "zip": lambda body: makers.zipped({"glove.txt": body})}[kind]
    Path(f"v.{kind}").write_bytes(pack(makers.GLOVE))
    news = pd.DataFrame({"text": TEXTS, "split": ["train"] * 3 + ["test"] * 2, "target": list("ababa")})
    table = features(news, "glove", vectors=f"v.{kind}")
    assert list(table.columns) == ["g1", "g2", "g3", "split", "target"]
    np.testing.assert_allclose(table[["g1", "g2", "g3"]], MEANS)
    assert set(map(str, table.dtypes[:3])) == {"float32"} and table["target"].tolist() == news["target"].tolist()
    facts = json.loads(Path("raw/x/fetch.json").read_text(encoding="utf-8"))
    assert (facts["texts"], facts["words"], facts["files"][0]["path"]) == ("news", 10, f"v.{kind}")


def test_vectors_of_another_checksum_are_refused(site):
    glove = makers.zipped({"glove.txt": makers.GLOVE})
    url, news = site.put("glove.zip", glove), pd.DataFrame({"text": ["at"], "split": "train", "target": "a"})
    with pytest.raises(InputError, match="catalogue expects md5:0{32}; so .* before you edit the catal"):
        features(news, "glove", vectors=url, md5="0" * 32)
    features(news, "glove", vectors=url, md5=hashlib.md5(glove).hexdigest())
    facts = json.loads(Path("raw/x/fetch.json").read_text(encoding="utf-8"))["files"]
    assert facts == [{"url": url, "sha256": hashlib.sha256(glove).hexdigest(), "bytes": len(glove)}]


def slow(frame, dimensions):
    """Squared TF-IDF similarities of the texts in the space of the largest singular vectors, by full decomposition."""
    train = (frame["split"] == "train").to_numpy()
    words = [[word.lower() for word in text_embeddings.words(text)] for text in frame["text"]]
    fitted = [row for row, part in zip(words, train, strict=True) if part]
    known = sorted({w for row in fitted for w in row if sum(w in other for other in fitted) >= 2})
    idf = [np.log((1 + len(fitted)) / (1 + sum(w in row for row in fitted))) + 1 for w in known]
    counts = np.array([[row.count(w) for w in known] for row in words], float)
    weights = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * idf
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    _, _, right = np.linalg.svd(weights[train], full_matrices=False)
    return weights @ right[:dimensions].T


def test_singular_features_are_those_of_a_full_decomposition_and_test_texts_do_not_matter(site):
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, 6)) + f" Only{i}" for i in range(40)]
    frame = pd.DataFrame({"text": texts, "split": ["train"] * 30 + ["test"] * 10, "target": [0, 1] * 20})
    found, wanted = features(frame, "text-svd", dimensions=3), slow(frame, 3)
    assert list(found.columns) == ["s1", "s2", "s3", "split", "target"]
    X = found[["s1", "s2", "s3"]].to_numpy()
    np.testing.assert_allclose(X @ X.T, wanted @ wanted.T, atol=2e-3)
    assert set(map(str, found.dtypes[:3])) == {"float32"}
    pd.testing.assert_frame_equal(features(frame, "text-svd", dimensions=3), found)
    other = frame.assign(text=frame["text"].where(frame["split"] == "train", "tree root"))
    two = features(other, "text-svd", dimensions=3)
    pd.testing.assert_frame_equal(found[:30], two[:30])
    assert not found[30:].equals(two[30:])


VGG = {"title": "Embeddings", "source": "vgg11", "images": "pictures"}


@pytest.fixture
def pictures(tmp_path):
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
def test_training_on_a_part_gives_embeddings(pictures, vgg11):
    folder = pictures / "embedded"
    table = pd.read_parquet(fetch("embedded", VGG | {"epochs": 1}, folder))
    features = table.drop(columns=["split", "target"]).to_numpy()
    assert features.shape == (70, 512) and features.dtype == np.float32
    assert np.isfinite(features).all() and features.std(axis=0).max() > 0
    assert table["target"].tolist() == pd.read_parquet(pictures / "pictures" / "table.parquet")["target"].tolist()
    facts = json.loads((folder / "fetch.json").read_text())
    assert (facts["epochs"], facts["training_samples"], facts["images"]) == (1, 50, "pictures")
    again = VGG | {"weights": str(folder / "weights.pt")}
    np.testing.assert_array_equal(pd.read_parquet(fetch("again", again, pictures / "again")), table)


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
        np.testing.assert_allclose(ours(x), theirs(x), atol=1e-5)
    assert pooled.shape == (5, 512, 7, 7)
    np.testing.assert_allclose(vgg11.embed(ours, images), pooled.mean((2, 3)), atol=1e-5)


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
    assert np.array_equal(tables[0], tables[1]) and not np.array_equal(tables[0], tables[2])
    assert torch.are_deterministic_algorithms_enabled() == before[1]
    assert torch.equal(torch.random.get_rng_state(), before[2])


@pytest.mark.images
def test_pickled_code_is_not_run(pictures, vgg11):
    import torch

    class Evil:
        def __reduce__(self):
            return (pictures / "ran").touch, ()

    torch.save({"classifier.6.bias": Evil()}, pictures / "evil.pt")
    with pytest.raises(InputError, match=r"evil\.pt"):
        fetch("embedded", VGG | {"weights": str(pictures / "evil.pt")}, pictures / "embedded")
    assert not (pictures / "ran").exists()
