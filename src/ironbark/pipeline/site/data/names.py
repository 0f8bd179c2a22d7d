"""Labels of methods and names of noises for readers, and the groups of noises that a leaderboard can be filtered by."""

from ironbark.entries import distinct

ANY = "*"  # in place of a kind or a rate

#: Part of the estimator's class name -> word in the label, as trees and forests share most labels of their criteria.
FAMILIES = {"DecisionTree": "tree", "Forest": "forest"}


def label(label, estimator):
    """The label with the family of the estimator, unless it says so already.

    >>> label("ANE", "ironbark.RobustDecisionTreeClassifier")
    'ANE tree'
    >>> label("Random forest", "sklearn.ensemble.RandomForestClassifier")
    'Random forest'
    """
    found = next((word for part, word in FAMILIES.items() if part in estimator.rpartition(".")[2]), "")
    return label if found in label.lower() else f"{label} {found}"


def relabelled(spec):
    """The description of all studies with labels that are unique within each study.

    Parameters
    ----------
    spec : dict
        Of `ironbark.pipeline.site.data.studies.read`.
    """
    entries = spec["methods"]

    def labels(texts):
        return distinct({name: label(text, entries[name].get("estimator", "")) for name, text in texts.items()})

    own = labels({name: entry["label"] for name, entry in entries.items()})
    studies = [about | {"methods": labels(about["methods"])} for about in spec["studies"]]
    return spec | {"methods": {name: entries[name] | {"label": own[name]} for name in entries}, "studies": studies}


def describe(noises):
    """Name, kind and rate of each noise.

    Parameters
    ----------
    noises : dict
        Id -> entry of `ironbark.pipeline.site.data.studies.read`.

    Returns
    -------
    dict
        Id -> dict with name, kind (a model in words), rate (in words, empty for none) and x (a number for an axis of
        rates, or None).
    """
    found = {name: _described(entry) for name, entry in noises.items()}
    names = distinct({name: about["name"] for name, about in found.items()})
    return {name: about | {"name": names[name]} for name, about in found.items()}


def _described(entry):
    kind = entry["model"].replace("_", " ")
    rate = entry.get("rate", 0 if kind == "clean" else None)
    text = "" if rate is None else " / ".join(f"{100 * part:g} %" for part in _parts(rate))
    own = bool(entry.get("params")) or not text  # the label of the configuration tells parameters
    name = kind if kind == "clean" else entry["label"] if own else f"{kind} {text}"
    return {"name": name, "kind": kind, "rate": text, "x": rate if isinstance(rate, int | float) else None}


def _parts(rate):
    return rate if isinstance(rate, list) else [rate]


def selections(described):
    """Groups of noises by kind and rate.

    Parameters
    ----------
    described : dict
        Of `describe`, of the noises that have results.

    Returns
    -------
    dict
        "kind|rate" -> list of noise ids; `ANY` stands for all kinds or rates.
    """
    found = {}
    for name, about in described.items():
        for kind in (ANY, about["kind"]):
            for rate in (ANY, about["rate"]):
                found.setdefault(f"{kind}|{rate}", []).append(name)
    return found
