"""Differences between the protocol of a study and that of the paper that it is compared with."""


def from_paper(studies, study_id, entry):
    """The differences in words, empty for none.

    Parameters
    ----------
    studies : dict
        Study id -> entry. The study that is named as a paper's published numbers, such as ``ane``, has its protocol,
        and its parts have those of the paper's other experiments.
    study_id : str
    entry : dict
        Entry of a study, with or without ``compare``.

    Returns
    -------
    str
        Such as ``2 repeats in place of the paper's 5``.
    """
    whole = studies.get(entry.get("compare", {}).get("published"), {})
    if "protocol" not in whole or study_id in whole.get("parts", ()):
        return ""
    own, paper = entry["protocol"], whole["protocol"]
    return ", ".join(_difference(key, own, paper) for key in {**paper, **own} if own.get(key) != paper.get(key))


def _difference(key, own, paper):
    if key not in own:
        return f"no {key} in place of the paper's {paper[key]}"
    about = f"{own[key]} {key}" if key in ("repeats", "folds") else f"{key} {own[key]}"
    return (
        f"{about} in place of the paper's {paper[key]}" if key in paper else f"{about}, which the paper does not have"
    )
