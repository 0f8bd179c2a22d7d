"""Packs for tests, and packs as someone would write them to do harm."""

import hashlib
import json
import zipfile

import numpy as np

from ironbark import __version__
from ironbark.pipeline.results import packs
from ironbark.pipeline.results.store import to_text

RECORD = {
    **{"status": "ok", "train_accuracy": 0.1 + 0.2, "flipped": 0.25, "repeat": 0, "fold": 0},
    **{"n_leaves": 4.0, "depth": 3.0, "minimax_risk": 0.5, "effective_rules": 2.0, "effective_samples": 7.5},
    **{"n_train": 40, "n_test": 20, "seed": 5, "outputs": {"errors": to_text(np.zeros(20, np.uint8))}},
    **{"fit_seconds": 0.5, "tune_seconds": 0.0, "score_seconds": 0.25, "tuned": "{}"},
}
ABOUT = {
    **{"ironbark": __version__, "versions": {"python": "3.11"}, "processor": "P", "date": "2026-01-01T00:00:00+00:00"},
    **{"studies": ["s"], "scale": "full", "protocols": {"s": {}}, "missing": 0, "failed": 0, "content": "predictions"},
}
MEMBER = "store/iris/multiclass/uniform-0.2.jsonl"
METHOD = "dt-gini"
TEXTS = {packs.LICENCE: "Free.\n", packs.DATA: "iris: free\n"}


def keys(n):
    return [hashlib.md5(bytes([i])).hexdigest() for i in range(n)]


def write(path, n=3):
    """A pack of one member with so many fits."""
    fits = [(METHOD, key, RECORD | {"seed": i, "repeat": i}) for i, key in enumerate(keys(n))]
    return packs.write(path, ABOUT, [(MEMBER, fits)], TEXTS)


def content(path):
    """All members of a pack, as name -> bytes."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_again(path, members, infos=()):
    """Write members, as name -> bytes, and further ones, as (ZipInfo, bytes), without any check."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
        for info, text in infos:
            archive.writestr(info, text)


def edit(path, name, before, after, checksum=True):
    """Replace a piece of a member, and make its checksum fit, as a careful forger would."""
    members = content(path)
    assert before in members[name]
    members[name] = members[name].replace(before, after)
    manifest = json.loads(members[packs.MANIFEST])
    if checksum and name != packs.MANIFEST:
        about = {"size": len(members[name]), "sha256": hashlib.sha256(members[name]).hexdigest()}
        manifest["members"][name] |= about
        members[packs.MANIFEST] = json.dumps(manifest).encode()
    write_again(path, members)
