"""What the pages of data sets and methods show."""

import zipfile
from pathlib import Path

from ironbark.pipeline.results import noisy_labels

#: Keys of a prepared data set's meta.json that its page shows in place of the catalogue's.
MEASURED = ("n", "d", "k", "split", "digest", "deviations", "notes", "warnings", "missing")


def dataset(name, entry, meta, studies, folders, noises):
    """Content of the page of a data set.

    Parameters
    ----------
    name : str
    entry : dict
        Of `ironbark.pipeline.site.data.studies.read`.
    meta : dict or None
        Content of ``meta.json``; None if it is not prepared.
    studies : list of dict
        Those that use it.
    folders : list of path
        Their results.
    noises : dict
        Noise id -> entry.
    """
    expected = entry.get("expect", {})
    about = dict.fromkeys(("n", "d", "k", "split", "digest", "cite", "licence")) | {"missing": {}, "papers": {}}
    about |= dict.fromkeys(("deviations", "notes", "warnings", "counts", "classes"), ())
    about |= {key: expected[key] for key in ("n", "d", "k") if key in expected} | entry
    about["counts"] = list(expected.get("counts", {}).items())
    if meta:
        about |= {key: meta[key] for key in MEASURED if key in meta}
        about["counts"] = list(zip(meta["classes"], meta["counts"], strict=True))
    found, problems = matrices(folders, name, noises)
    shown = [_matrix(key, item, noises, meta) for key, item in found.items()]
    definitions = [noises[item["noise"]]["definition"] for item in shown]
    unique = list({model["name"]: model for model in definitions}.values())
    return about | {"id": name, "studies": studies, "matrices": shown, "noises": unique, "problems": problems}


def matrices(folders, dataset, noises):
    """One matrix for each task and noise, of the first study that has it.

    Parameters
    ----------
    folders : iterable of path
        Folders of studies.
    dataset : str
    noises : iterable of str

    Returns
    -------
    dict
        (task, noise id) -> dict with matrix (list of rows: true class to noisy class, of the first split) and flipped
        (fraction of the labels over all splits).
    problems : list of str
    """
    found, problems = {}, []
    for folder in folders:
        for path in sorted(Path(folder, "labels", dataset).glob("*.npz")):
            try:
                for noise_id in noisy_labels.noises(path):
                    key = path.stem, noise_id
                    if key not in found and noise_id in noises:
                        found[key] = noisy_labels.matrix(path, noise_id)
            except (zipfile.BadZipFile, ValueError, KeyError, EOFError, OSError):
                problems.append(f"{path} is damaged; remove it and run the study again.")
    order = {name: i for i, name in enumerate(noises)}
    return dict(sorted(found.items(), key=lambda item: (item[0][0], order[item[0][1]]))), problems


def _matrix(key, item, noises, meta):
    task, noise = key
    size = len(item["matrix"])
    named = bool(meta) and task == "multiclass" and len(meta["classes"]) == size
    classes = meta["classes"] if named else [str(code) for code in range(size)]
    return item | {"task": task, "noise": noise, "classes": classes}


def method(name, entry, studies, standings):
    """Content of the page of a method; `standings` are its entries of all studies."""
    about = {"about": "", "params": {}, "tune": {}, "preprocess": None, "tasks": [], "paper": None}
    return about | entry | {"id": name, "studies": studies, "standings": standings}
