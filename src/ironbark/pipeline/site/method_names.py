"""Labels of methods that tell trees from forests: the classes of estimators share most labels of their criteria."""

from collections import Counter

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


def unique(labels):
    """Labels with the id in parentheses where two ids share one.

    Parameters
    ----------
    labels : dict
        Id -> label.

    Returns
    -------
    dict
    """
    counts = Counter(labels.values())
    return {id: text if counts[text] == 1 else f"{text} ({id})" for id, text in labels.items()}


def relabelled(spec):
    """The description of all studies with labels that are unique within each study.

    Parameters
    ----------
    spec : dict
        Of `ironbark.pipeline.site.studies.read`.

    Returns
    -------
    dict
    """
    methods = spec["methods"]
    own = unique({name: label(entry["label"], entry.get("estimator", "")) for name, entry in methods.items()})
    studies = [
        about
        | {"methods": unique({name: label(text, methods[name].get("estimator", "")) for name, text in _labels(about)})}
        for about in spec["studies"]
    ]
    return spec | {"methods": {name: methods[name] | {"label": own[name]} for name in methods}, "studies": studies}


def _labels(about):
    return about["methods"].items()
