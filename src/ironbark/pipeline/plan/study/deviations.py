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
    parts = [_words(key, own.get(key), paper.get(key)) for key in {**paper, **own} if own.get(key) != paper.get(key)]
    return ", ".join(parts)


def _words(key, own, paper):
    if key in ("repeats", "folds"):
        return f"{own} {key} in place of the paper's {paper}"
    return f"{key} {own} in place of the paper's {paper}"
