"""Display names that distinguish the methods of one table or figure."""


def told_apart(names, spec, kind):
    """Names in which methods of one label are shown with their ids, such as tree and forest of a criterion.

    Parameters
    ----------
    names : dict
        With the key labels: method id -> display name.
    spec : dict
        Entry of a table or figure; only the methods that it shows count.
    kind : ironbark.pipeline.analysis.kinds.Kind

    Returns
    -------
    dict
        A copy of `names`, unless there is nothing to tell apart.
    """
    labels, shown = names["labels"], spec.get("methods", ())
    found = [labels.get(name, name) for name in shown]
    twice = {label for label in found if found.count(label) > 1}
    if not twice or kind.repeats_labels:
        return names
    apart = {name: f"{label} ({name})" for name, label in zip(shown, found, strict=True) if label in twice}
    return names | {"labels": labels | apart}
