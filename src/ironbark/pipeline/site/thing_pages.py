"""What the pages of data sets and methods show."""

from ironbark.pipeline.site.data import matrices

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
    about = {"n": None, "d": None, "k": None, "split": None, "digest": None, "deviations": [], "notes": []}
    about |= {"warnings": []}
    about |= {"missing": {}, "cite": None, "licence": None, "papers": {}, "counts": [], "classes": []}
    about |= {key: expected[key] for key in ("n", "d", "k") if key in expected} | entry
    about["counts"] = list(expected.get("counts", {}).items())
    if meta:
        about |= {key: meta[key] for key in MEASURED if key in meta}
        about["counts"] = list(zip(meta["classes"], meta["counts"], strict=True))
    found, problems = matrices.of_dataset(folders, name, noises)
    shown = [_matrix(key, item, noises, meta) for key, item in found.items()]
    models = {item["noise"]: noises[item["noise"]]["definition"] for item in shown}
    unique = {about["name"]: about for about in models.values()}
    return about | {
        "id": name,
        "studies": studies,
        "matrices": shown,
        "noises": list(unique.values()),
        "problems": problems,
    }


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
