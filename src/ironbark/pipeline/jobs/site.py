"""The results site, from whatever there is on disk."""

import time
from pathlib import Path

from ironbark.files import owning, replacing
from ironbark.pipeline.jobs import score
from ironbark.pipeline.log import say
from ironbark.pipeline.site.build import build

SOURCE = Path(__file__).parents[1]


def run(spec: dict, out: Path, results: str | Path = "results", prepared: str | Path = "data/prepared") -> dict:
    """Build the site next to its folder, then move it there as a whole."""
    start, out = time.perf_counter(), Path(out)
    for about in spec["studies"]:
        folder = Path(results, about["id"], about["scale"])
        spec["problems"] += score.refresh(folder, prepared, about.get("batches"))
    places = {"results": results, "prepared": prepared, "source": SOURCE}
    lock = owning(out.with_name(f".{out.name}.lock"), lambda: say("waiting for another job that builds the site"))
    with lock, replacing(out) as side:
        sheet = build(spec, places, side, before=out)
    for problem in spec["problems"]:
        say(problem)
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) / 1e6
    took = time.perf_counter() - start
    say(f"{out / 'index.html'}: {len(spec['studies'])} studies, {size:.1f} MB, {took:.1f} s")
    return sheet
