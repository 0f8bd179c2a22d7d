"""Recording what a study is, for the results site."""

import json

from ironbark.files import write_text


def run(spec, out):
    """Write the description of a study.

    Parameters
    ----------
    spec : dict
        Of `ironbark.pipeline.plan.pages.describe`.
    out : path
    """
    write_text(out, json.dumps(spec, indent=1, ensure_ascii=False) + "\n")
