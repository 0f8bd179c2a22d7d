"""Differences between the protocol of a study and that of the paper that it is compared with."""


def from_paper(studies: dict, study_id: str, entry: dict) -> str:
    """The differences in words, empty for none."""
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
