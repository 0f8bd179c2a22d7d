"""The results site, from whatever there is on disk."""

import json
import time
from pathlib import Path

from ironbark.files import owning, replacing, write_text
from ironbark.jobs import say
from ironbark.site.build import build

SOURCE = Path(__file__).parents[1]


def run(spec, out, results="results", prepared="data/prepared", sheets=()):
    """Build the site beside its place, and put it there.

    Parameters
    ----------
    spec : dict
        Of `ironbark.plan.pages.spec`.
    out : path
        Folder of the site.
    results, prepared : path
        Folders of the studies and of the prepared data.
    sheets : iterable of path
        Where else the provenance sheet goes.
    """
    start, out = time.perf_counter(), Path(out)
    places = {"results": results, "prepared": prepared, "source": SOURCE}
    with owning(out.with_name(f".{out.name}.lock"), lambda: say("waiting for another job that builds the site")):
        with replacing(out) as side:
            sheet = build(spec, places, side, before=out)
    for path in sheets:
        write_text(path, json.dumps(sheet, indent=1, ensure_ascii=False) + "\n")
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    for problem in spec["problems"]:
        say(problem)
    say(
        f"{out / 'index.html'}: {len(spec['studies'])} studies, {size / 1e6:.1f} MB, {time.perf_counter() - start:.1f} s"
    )
