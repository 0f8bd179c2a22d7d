"""Kill a run again and again at random moments: `python tests/workflow/kills.py 50 --seed 0`.

Snakemake and all its jobs get SIGKILL, the folder is unlocked and the run is started again, until it has been killed
so often; then it may end. A run that ends before it is killed is compared with an undisturbed one, and the next begins
from nothing. Prints one line a run, and how many fits were lost, run twice or differ. Exits with an error unless none
is. With --pack, the killed runs import a pack of the undisturbed run.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from checkouts import FEW, FEW_ROWS, SAME, copy_of, with_few  # noqa: E402

from ironbark.pipeline.results import records  # noqa: E402

IDS = ["dataset", "task", "noise_id", "method", "repeat", "fold"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repeats", type=int, default=100, help="of each of four cells of fits")
    parser.add_argument("--pack", action="store_true", help="import a pack instead of training the fits")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        quiet = prepared(Path(folder, "quiet"), options.repeats)
        quiet.run(FEW_ROWS)
        targets = [FEW_ROWS]
        if options.pack:
            quiet.run("pack", "--config", "studies=few")
            targets = ["--config", f"packs={quiet / 'results/packs/few-full.pack'}", "--", FEW_ROWS]
        killed = prepared(Path(folder, "killed"), options.repeats)
        rng = random.Random(options.seed)
        faults, kills = 0, 0
        while kills < options.kills:
            if kill(killed, targets, rng):
                kills += 1
                print(f"kill {kills}: {len(lines(killed))} fits", flush=True)
            else:
                faults += verdict(quiet, killed)
                shutil.rmtree(killed / "results")
        (killed / "seconds").write_text("0")
        killed.run(*targets)
        sys.exit(faults + verdict(quiet, killed))


def prepared(folder, repeats):
    """A checkout whose study has so many repeats of a tenth of a second."""
    found = with_few(copy_of(ROOT, folder))
    assert "repeats: 4" in FEW
    found.edit("config/studies/few.yaml", "repeats: 4", f"repeats: {repeats}")
    (found / "seconds").write_text("0.1")
    return found


def kill(checkout, targets, rng):
    """Start a run and kill it: half the time at any moment, half of it once a fit has been added.

    Returns whether it was killed before its end.
    """
    command, environment = checkout.command(*targets)
    before = len(lines(checkout))
    process = subprocess.Popen(
        command, cwd=checkout.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wanted, seconds = before + rng.randrange(1, 8), rng.uniform(1, 20)
    began, by_fits = time.monotonic(), rng.random() < 0.5
    while process.poll() is None:
        over = len(lines(checkout)) >= wanted if by_fits else time.monotonic() - began > seconds
        if over:
            break
        time.sleep(0.01)
    alive = process.poll() is None
    if alive:
        end(process)
    checkout.run("--unlock")
    return alive


def end(process):
    """SIGKILL to Snakemake and all its jobs."""
    for one in [process, *psutil.Process(process.pid).children(recursive=True)]:
        try:
            one.kill()
        except psutil.NoSuchProcess:
            continue
    process.wait()


def lines(checkout):
    """Whole lines of the store, torn ones left out."""
    found = [line for path in (checkout / "results/store").rglob("*.jsonl") for line in path.read_bytes().splitlines()]
    return [line for line in found if line.startswith(b"{") and line.endswith(b"}}")]


def verdict(quiet, killed):
    """Print the comparison; 0 if all is the same."""
    expected, found = (records.read(checkout / FEW_ROWS) for checkout in (quiet, killed))
    lost = len(expected.merge(found[IDS], on=IDS, how="left", indicator=True).query("_merge == 'left_only'"))
    doubled = int(found.duplicated(IDS).sum())
    both = expected[SAME].merge(found[SAME], on=SAME)
    different = len(expected) - lost - len(both)
    again = sum(count - 1 for count in Counter(line.split(b'"key": "')[1][:32] for line in lines(killed)).values())
    print(f"{len(expected)} rows: {lost} lost, {doubled} duplicated, {different} different; {again} fits run twice")
    return int(bool(lost or doubled or different or again))


if __name__ == "__main__":
    main()
