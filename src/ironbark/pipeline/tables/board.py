"""The fits of a pack as result rows, so that a method of one pack joins the leaderboards of another."""

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.results import packs
from ironbark.pipeline.statistics import ranks


def rows(path) -> pd.DataFrame:
    """One row for each fit of a pack of scores, each checked by the strict reader."""
    made = []
    with packs.Pack(path) as pack:
        for name in pack.members:
            parts = name.removeprefix("store/").removesuffix(".jsonl").split("/")
            setting = dict(zip(ranks.SETTING, parts, strict=True)) | {"noise": "", "rate": ""}
            for method, fits in pack.fits(name).items():
                made += [setting | {"method": method} | record | record.get("scores", {}) for record in fits.values()]
    if "scores" not in (found := pd.DataFrame(made)) or found["scores"].isna().any():
        raise InputError(f"{path} has no fits, or fits without scores; write it with --config pack_content=scores")
    return found.drop(columns="scores")
