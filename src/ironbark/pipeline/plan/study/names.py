"""Display names that distinguish the methods of one table or figure."""

from ironbark.entries import distinct


def told_apart(names: dict, spec: dict, kind) -> dict:
    """Names in which methods of one label are shown with their ids, such as tree and forest of a criterion."""
    shown = {name: names["labels"].get(name, name) for name in spec.get("methods", ())}
    apart = {name: label for name, label in distinct(shown).items() if label != shown[name]}
    if not apart or kind.repeats_labels:
        return names
    return names | {"labels": names["labels"] | apart}
