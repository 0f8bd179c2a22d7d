"""Packs bring fits to another store, or nothing at all; imports that are killed, and several at once."""

import json
import multiprocessing
import os
import random
import shutil
import signal
import time
from collections import Counter
from functools import partial
from types import SimpleNamespace

import numpy as np
import pack_files
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.job_specs import Shard
from ironbark.pipeline.jobs import pack, requested_fits, shard
from ironbark.pipeline.jobs.samples import Samples
from ironbark.pipeline.metrics import ALWAYS, functions
from ironbark.pipeline.protocols import scoring
from ironbark.pipeline.protocols.scoring import scored
from ironbark.pipeline.results import packs, store
from ironbark.pipeline.results.records import FIT, MEASURED, OUTPUTS
from ironbark.pipeline.results.store import Store, to_array, to_text
from ironbark.versions import PROTOCOL

MEMBER = "store/small/multiclass/uniform-0.2.jsonl"


@pytest.fixture
def samples(prepared, labels):
    """Those of the spec."""
    return Samples([prepared], [labels()])


@pytest.fixture
def path(tmp_path, spec, samples):
    """The pack of a study that has run."""
    shard.run(Shard.of(spec), samples, tmp_path / "store", tmp_path / "out.jsonl.gz")
    return packed(tmp_path, spec, samples)


def packed(tmp_path, spec, samples, name="a.pack", store="store", content="predictions"):
    (tmp_path / "LICENSE").write_text("Free.\n")
    about = {"only/gini/s": {"protocol": {"kind": "fixed-split"}, "batches": [spec]}}
    whole = {"studies": about, "scale": "full", "content": content, "data": ["small: free"]}
    pack.write(whole, {"only/gini/s": samples}, tmp_path / store, tmp_path / "LICENSE", tmp_path / name)
    return tmp_path / name


@pytest.fixture
def imported(tmp_path, spec, samples):
    """Function that imports a pack into the store `new` and returns the numbers of fits."""

    def run(path, spec=spec):
        asked = {"studies": {"s": {"batches": [spec]}}, "scale": "full"}
        pack.import_fits(asked, path, samples, tmp_path / "new", tmp_path / "salts", tmp_path / "done.json")
        return json.loads((tmp_path / "done.json").read_text())

    return run


def stored(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*.jsonl"))}


def refused(imported, path, words, tmp_path):
    with pytest.raises(InputError, match=words) as caught:
        imported(path)
    assert "nothing was imported" in str(caught.value) and "\n" not in str(caught.value)
    assert stored(tmp_path / "new") == {} and not (tmp_path / "done.json").exists()


def test_edited_fits_with_fitting_checksums(tmp_path, path, imported):
    with packs.Pack(path) as opened:
        (first, record), (second, _) = opened.fits(MEMBER)["gini"].items()
    text, classes = record["outputs"]["errors"], to_array(record["outputs"]["errors"])
    edits = [
        ('"flipped":0.', '"flipped":0.0', "flipped 0.0.*training it again here gives 0"),
        ('"n_test":12', '"n_test":11', "n_test 11, the noisy labels here 12"),
        ('"tuned":"{}"', '"tuned":"{ }"', 'tuned "{ }", training it again here gives "{}"'),
        (text, to_text(0 * classes), "outputs errors .*, training it again here gives"),
        (text, to_text(np.full(12, 255, np.uint8)), "outputs that cannot be scored"),
        (text, to_text(classes[:5]), "5 errors for 12 samples"),
        (text, to_text(np.zeros(10**6, np.uint8)), "damaged errors .an array of 1000000 bytes is larger"),
        (text, "|u1 12 AAAA", "damaged errors"),
    ]
    whole = path.read_bytes()
    for before, after, words in edits:
        path.write_bytes(whole)
        pack_files.edit(path, MEMBER, before.encode(), after.encode())
        refused(imported, path, f"the fit small multiclass uniform-0.2 .* repeat . fold 0 has {words}", tmp_path)
    path.write_bytes(whole)  # two honest records under each other's keys
    for before, after in ((first, "x" * 32), (second, first), ("x" * 32, second)):
        pack_files.edit(path, MEMBER, before.encode(), after.encode())
    refused(imported, path, "has ", tmp_path)


def test_all_fits_come_back_and_those_with_more_outputs_replace_them(tmp_path, path, imported, spec, samples):
    assert imported(path).items() > {"asked": 4, "in_pack": 4, "trained_again": 4, "imported": 4}.items()
    assert whole_lines(tmp_path / "new") == whole_lines(tmp_path / "store")
    spec["wanted"] = {"multiclass": ["probabilities"]}
    shard.run(Shard.of(spec), samples, tmp_path / "store", tmp_path / "out.jsonl.gz")
    numbers = imported(packed(tmp_path, spec, samples, "more.pack"))
    assert (numbers["imported"], numbers["trained_again"]) == (4, 4)
    more = {file.name: Store(file) for file in (tmp_path / "new").rglob("*.jsonl")}
    assert all("probabilities" in store.get(key)["outputs"] for store in more.values() for key in store._records)
    assert imported(path)["imported"] == 0  # those with fewer outputs do not


@pytest.fixture
def light(tmp_path, path, spec, samples):
    """A pack of scores of fits that have probabilities, and the rows of the study before."""
    spec["wanted"] = {"multiclass": ["probabilities"]}
    shard.run(Shard.of(spec), samples, tmp_path / "store", tmp_path / "out.jsonl.gz")
    return packed(tmp_path, spec, samples, "light.pack", content="scores")


def test_a_pack_of_scores_gives_these_scores_and_trains_nothing(tmp_path, light, imported, spec, samples, monkeypatch):
    with packs.Pack(light) as opened:
        assert opened.manifest["content"] == "scores"
        records = [record for fits in opened.fits(MEMBER).values() for record in fits.values()]
        assert all("outputs" not in record and "log_loss" in record["scores"] for record in records)
        assert all("detection" not in record["scores"] for record in records)  # nobody asked for it
    numbers = imported(light)
    assert (numbers["trained_again"], numbers["imported"]) == (4, 4)
    before = store.read_batch(tmp_path / "out.jsonl.gz")[1]
    monkeypatch.setattr(shard.fit, "run", lambda *given: pytest.fail("a fit was trained again"))
    shard.run(Shard.of(spec), samples, tmp_path / "new", tmp_path / "again.jsonl.gz")
    after, truth = store.read_batch(tmp_path / "again.jsonl.gz")[1], samples.truth
    names = (*ALWAYS, "log_loss", "roc_auc", "calibration_error")
    for one, other in zip(before, after, strict=True):
        known = truth(*(one[name] for name in FIT[:3]), *(one[name] for name in FIT[4:]))
        rows = [scored(fit["record"], *known, names) for fit in (one, other)]
        assert one["key"] == other["key"]
        for name in rows[0].keys() - set(MEASURED):
            assert str(rows[0][name]) == str(rows[1][name]), name
        assert all(rows[1][name] == pytest.approx(rows[0][name], rel=0.01) for name in MEASURED)
    with packs.Pack(light) as first, packs.Pack(packed(tmp_path, spec, samples, "b.pack", "new", "scores")) as second:
        assert first.fits(MEMBER) == second.fits(MEMBER)
    with pytest.raises(InputError, match="has scores only, from a pack of scores; pack with pack_content=scores"):
        packed(tmp_path, spec, samples, "again.pack", "new")


def test_fits_are_trained_again_for_a_metric_newer_than_a_pack(tmp_path, light, imported, spec, samples, monkeypatch):
    monkeypatch.setitem(scoring.METRICS, "novel", scoring.METRICS["f1"])
    monkeypatch.setattr(scoring, "STORED", scoring.STORED | {"novel"})
    monkeypatch.setitem(functions.FUNCTIONS, "novel", functions.accuracy)
    assert imported(light)["imported"] == 4
    trained, true_run = [], shard.fit.run
    monkeypatch.setattr(shard.fit, "run", lambda *given: trained.append(given) or true_run(*given))
    for names, count in (["probabilities"], 0), (["novel"], 4):
        spec["wanted"]["multiclass"] = names
        shard.run(Shard.of(spec), samples, tmp_path / "new", tmp_path / "again.jsonl.gz")
        assert len(trained) == count


def test_edited_scores_with_fitting_checksums(tmp_path, light, imported):
    whole = light.read_bytes()
    for name, old, new in (("accuracy", "0.", "0.0"), ("accuracy", "0.", "5."), ("log_loss", "", "1")):
        light.write_bytes(whole)
        pack_files.edit(light, MEMBER, f'"{name}":{old}'.encode(), f'"{name}":{new}'.encode())
        refused(imported, light, "scores accuracy 0.0|'scores' with the value|scores log_loss 1", tmp_path)
    shutil.copytree(tmp_path / "store", tmp_path / "new")  # predictions, whose scores are those of this machine
    with pytest.raises(InputError, match="has scores log_loss 1.*, the store has"):
        imported(light)


def test_a_fit_that_the_store_has_must_agree(tmp_path, path, imported, monkeypatch):
    imported(path)
    before = stored(tmp_path / "new")
    monkeypatch.setattr(requested_fits, "trained", lambda *_: iter(()))
    assert imported(path)["trained_again"] == 0
    pack_files.edit(path, MEMBER, b'"seed":', b'"seed":1')
    with pytest.raises(InputError, match="has seed .*, the store has"):
        imported(path)
    assert stored(tmp_path / "new") == before


def test_a_study_that_has_not_run_leaves_the_pack_of_before(tmp_path, path, spec, samples):
    before = path.read_bytes()
    with pytest.raises(InputError, match="is stored; run `snakemake --cores N s` with the same --config"):
        packed(tmp_path, spec, samples, store="empty")
    assert path.read_bytes() == before


def test_keys_of_other_code(tmp_path, path, imported, spec, monkeypatch):
    for method in spec["methods"].values():
        method["code"] = "2"
    refused(imported, path, "none of its fits is one that s asks for here: its data, settings or code differ", tmp_path)
    spec["versions"]["python"] = "3.12"
    monkeypatch.setattr("ironbark.pipeline.jobs.pack.PROTOCOL", 99)
    made = f"it was made with python 3.11, here 3.12; version of the protocol {PROTOCOL}, here 99"
    refused(imported, path, made, tmp_path)


def test_the_sample(tmp_path):
    def drawn(n, salt=b"1"):
        return pack._sample(SimpleNamespace(digest="d"), {"a": {("m", str(key)) for key in range(n)}}, salt)

    assert [len(set(drawn(n))) for n in (3, 30, 5000)] == [3, 20, 50]
    assert drawn(5000) == drawn(5000) != drawn(5000, b"2")
    salts = [pack._salt(tmp_path / name) for name in ("1.salt", "1.salt", "2.salt")]
    assert salts[0] == salts[1] != salts[2] and len(salts[0]) == 32 and set(OUTPUTS) <= set(pack.SHAPES)


@pytest.fixture
def many(tmp_path, monkeypatch):
    """Function that imports a pack of ten files with 100 fits each, which training gives as they are."""
    place, fits = ("small", "multiclass", "uniform-0.2"), {}
    for method in range(10):
        own = [requested_fits.Fit(*place, f"m{method}", repeat, 0, 40, 20, 0) for repeat in range(100)]
        fits[MEMBER, f"m{method}"] = {f"{method:016x}{fit.repeat:016x}": fit for fit in own}
    lines = [(fit.method, key, recorded(fit)) for found in fits.values() for key, fit in found.items()]
    packs.write(tmp_path / "many.pack", pack_files.ABOUT, [(MEMBER, lines)], pack_files.TEXTS)
    monkeypatch.setattr(requested_fits, "requested", lambda *_: fits)
    monkeypatch.setattr(pack, "_check_scores", lambda *_: None)  # of no data
    monkeypatch.setattr(requested_fits, "trained", lambda *given: ((fit, recorded(fit)) for fit, _ in given[-1]))
    spec = {"studies": {"s": {"batches": []}}, "scale": "full"}
    places = tmp_path / "many.pack", None, tmp_path / "new", tmp_path / "salts", tmp_path / "done.json"
    return partial(pack.import_fits, spec, *places)


def recorded(fit):
    return pack_files.RECORD | {"repeat": fit.repeat}


def forked(work):
    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    return process


def test_kills_lose_double_and_change_nothing(tmp_path, many):
    start = time.monotonic()
    many()
    took, whole = time.monotonic() - start, whole_lines(tmp_path / "new")
    assert sum(map(len, whole.values())) == 1000
    rng, partly = random.Random(0), 0
    for _ in range(12):
        if whole_fits(tmp_path / "new") == 1000:  # begin again, with a torn file
            torn, *others = sorted((tmp_path / "new").rglob("*.jsonl"))
            torn.write_bytes(torn.read_bytes()[: rng.randrange(100, 5000)])
            for file in others:
                file.unlink()
        worker = forked(many)
        time.sleep(took * rng.uniform(0.3, 1.0))
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        partly += whole_fits(tmp_path / "new") < 1000
    assert partly > 1
    many()
    assert whole_lines(tmp_path / "new") == whole


def whole_fits(folder):
    return sum(len(Store(file)) for file in folder.rglob("*.jsonl"))


def whole_lines(folder):
    """Entries of the store, none of which is there twice; torn lines are left out."""
    result = {}
    for name, text in stored(folder).items():
        lines = [json.loads(line) for line in text.splitlines() if line.endswith(b'"}') and line.startswith(b'{"key')]
        assert max(Counter(line["key"] for line in lines).values()) == 1
        result[name] = {line["key"]: json.dumps(line["record"]) for line in lines}
    return result


def test_two_imports_at_once(tmp_path, many):
    for worker in [forked(many) for _ in range(3)]:
        worker.join()
        assert worker.exitcode == 0
    assert sum(map(len, whole_lines(tmp_path / "new").values())) == 1000
