"""Croissant 1.0 metadata of a prepared data set: JSON-LD that other tools read."""

import json

import numpy as np

from ironbark.files import sha256
from ironbark.pipeline.data.io.addresses import OPENML

CROISSANT = "croissant.json"

#: Array -> what it holds.
DESCRIPTIONS = {
    "codes": "Rank codes of the features, one row per feature",
    "levels": "Sorted values of all features, one feature after the other",
    "offsets": "Where the values of each feature start in levels",
    "target": "Class index among the sorted labels",
    "binary": "Class index of the binary task",
    "split": "0 for training, 1 for test",
    "given": "Class index of the labels as they were given, where target holds corrected ones",
}

_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "sc": "https://schema.org/",
    "dct": "http://purl.org/dc/terms/",
    "citeAs": "cr:citeAs",
    "conformsTo": "dct:conformsTo",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "recordSet": "cr:recordSet",
    "source": "cr:source",
}


def describe(meta, cite, files):
    """Croissant metadata.

    Parameters
    ----------
    meta : dict
        Content of ``meta.json``.
    cite : str or None
        Reference of the data set.
    files : dict of str to (str, int, str)
        Array -> SHA-256 and size of its file, and its type.
    """
    names = [name for name in DESCRIPTIONS if name in files]
    facts = f"{meta['n']} samples, {meta['d']} features and {meta['k']} classes, prepared by ironbark"
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": meta["id"],
        "description": f"{meta['title']}: {facts}.",
        "license": meta["licence"] or "unknown",
        "citeAs": cite or meta["title"],
        "url": _url(meta["source"]),
        "distribution": [_file(f"{name}.npy", *files[name][:2]) for name in names],
        "recordSet": [_records(name, files[name][2]) for name in names],
    }


def _url(source):
    """Address of the source of a table; that of this folder if the catalogue names none."""
    url = source.get("url", "")
    if isinstance(url, str) and url.startswith("http"):
        return url
    return f"{OPENML}d/{source['openml_id']}" if "openml_id" in source else "./"


def _file(name, digest, size):
    about = {"@type": "cr:FileObject", **dict.fromkeys(("@id", "name", "contentUrl"), name)}
    return about | {"contentSize": f"{size} B", "encodingFormat": "application/x-npy", "sha256": digest}


def _records(name, dtype):
    """A record set of one field: arrays have different lengths."""
    field = {
        "@type": "cr:Field",
        "@id": f"{name}/values",
        "name": f"{name}/values",
        "description": DESCRIPTIONS[name],
        "dataType": "sc:Float" if dtype.startswith("float") else "sc:Integer",
        "source": {"fileObject": {"@id": f"{name}.npy"}, "extract": {"fileProperty": "content"}},
    }
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "field": [field]}


def write(folder, meta, cite=None):
    """Write ``croissant.json`` next to the arrays of a prepared data set; see `describe`."""
    files = {
        path.stem: (sha256(path), path.stat().st_size, np.load(path, mmap_mode="r").dtype.name)
        for path in sorted(folder.glob("*.npy"))
    }
    text = json.dumps(describe(meta, cite, files), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    (folder / CROISSANT).write_text(text, encoding="utf-8")
