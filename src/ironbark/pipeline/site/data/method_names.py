"""Labels of methods that tell trees from forests: the classes of estimators share most labels of their criteria."""

from ironbark.entries import distinct

FAMILIES = {"DecisionTree": "tree", "Forest": "forest"}  # part of the estimator's class name -> word in the label


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

    Returns
    -------
    dict
    """
    entries = spec["methods"]

    def labels(texts):
        return distinct({name: label(text, entries[name].get("estimator", "")) for name, text in texts.items()})

    own = labels({name: entry["label"] for name, entry in entries.items()})
    studies = [about | {"methods": labels(about["methods"])} for about in spec["studies"]]
    return spec | {"methods": {name: entries[name] | {"label": own[name]} for name in entries}, "studies": studies}
