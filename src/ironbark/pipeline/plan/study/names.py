"""Display names that distinguish the methods of one table or figure."""

from ironbark.entries import distinct


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
    shown = {name: names["labels"].get(name, name) for name in spec.get("methods", ())}
    apart = {name: label for name, label in distinct(shown).items() if label != shown[name]}
    if not apart or kind.repeats_labels:
        return names
    return names | {"labels": names["labels"] | apart}
