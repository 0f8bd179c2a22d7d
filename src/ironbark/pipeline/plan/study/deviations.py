"""Differences between the protocol of a study and that of the paper that it is compared with."""


def from_paper(studies, entry):
    """The differences in words, empty for none.

    Parameters
    ----------
    studies : dict
        Study id -> entry. The study that is named as a paper's published numbers, such as ``ane``, has its protocol.
    entry : dict
        Entry of a study, with or without ``compare``.

    Returns
    -------
    str
        Such as ``2 repeats in place of the paper's 5``.
    """
    paper = studies.get(entry.get("compare", {}).get("published"), {}).get("protocol")
    if paper is None:
        return ""
    own = entry["protocol"]
    parts = []
    for key in {**paper, **own}:
        if own.get(key) != paper.get(key):
            about = f"{own.get(key)} {key}" if key in ("repeats", "folds") else f"{key} {own.get(key)}"
            parts.append(f"{about} in place of the paper's {paper.get(key)}")
    return ", ".join(parts)
