"""Sizes of the classes of a task, as far as the catalogue has them."""

from ironbark.pipeline.data.table.partition import groups


def smallest(entry: dict, task: str):
    """The smallest class of a task."""
    counts = entry.get("expect", {}).get("counts")
    if not counts:
        return None
    sizes = counts if task == "multiclass" or len(counts) == 2 else _of_two(entry, counts)
    return min(sizes.items(), key=lambda pair: pair[1]) if sizes else None


def _of_two(entry, counts):
    """Size of both classes of a binary task that merges labels; empty where unknown."""
    names = list(counts)
    if "positive" in entry:
        ones = {str(label) for label in entry["positive"]}
        sides = [int(name in ones) for name in names]
    elif "binary" in entry:
        sides = groups(list(counts.values()))  # the order of the labels decides between equal sizes only
    else:
        return {}
    sizes = {}
    for side in (0, 1):
        members = [name for name, own in zip(names, sides, strict=True) if own == side]
        sizes["|".join(members)] = sum(counts[name] for name in members)
    return sizes
