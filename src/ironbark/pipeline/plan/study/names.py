"""Display names that tell apart the methods of one table or figure."""

#: Keys of figures whose parts show methods of their own, so that a name may come twice in the whole.
IN_PARTS = ("panels", "series", "pairs")

#: Kinds of figures that show trees and forests of one criterion alike, in panels of their own.
ALIKE = ("comparison-scatter",)


def told_apart(names, spec):
    """Names in which methods of one label are shown with their ids, such as tree and forest of a criterion.

    Parameters
    ----------
    names : dict
        With the key labels: method id -> display name.
    spec : dict
        Entry of a table or figure; only the methods that it shows count.

    Returns
    -------
    dict
        A copy of `names`, unless there is nothing to tell apart.
    """
    labels, shown = names["labels"], spec.get("methods", ())
    found = [labels.get(name, name) for name in shown]
    twice = {label for label in found if found.count(label) > 1}
    if not twice or any(key in spec for key in IN_PARTS) or spec.get("kind") in ALIKE:
        return names
    apart = {name: f"{label} ({name})" for name, label in zip(shown, found, strict=True) if label in twice}
    return names | {"labels": labels | apart}
