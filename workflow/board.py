"""Check packs that bring a method to a board, and print its places: ``python workflow/board.py PACK``.

A pack ``data/packs/STUDY-SCALE/NAME.pack`` has the scores of one method, the board is ``data/packs/STUDY-SCALE.pack``.
The pack is imported by Snakemake, which reads it strictly, trains a random sample of its fits again and compares all
bits. The module of the method is imported and run for that; nothing of the pack is. Places are those in the
leaderboards of the study.
"""

import argparse
import itertools
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))
sys.path.append(str(ROOT))  # a user's own methods, as in workflow/rules/common.smk

from ironbark.errors import InputError  # noqa: E402
from ironbark.pipeline import tables  # noqa: E402
from ironbark.pipeline.plan import artefact_specs  # noqa: E402
from ironbark.pipeline.plan.config.reading import read  # noqa: E402
from ironbark.pipeline.plan.specs import Plan  # noqa: E402
from ironbark.pipeline.plan.study.parts import folder  # noqa: E402
from ironbark.pipeline.results.packs import Pack  # noqa: E402
from ironbark.pipeline.tables import layout  # noqa: E402
from ironbark.pipeline.tables.rankings import rows_of_pack  # noqa: E402


def changed(commit):
    """Packs of methods that were added or changed since this branch left the one of the commit."""
    command = ["git", "diff", "--name-only", "-z", "--diff-filter=d", f"{commit}...HEAD", "--"]
    done = subprocess.run([*command, ":(glob)data/packs/*/*.pack"], check=False, capture_output=True, text=True)
    if done.returncode:
        raise InputError(f"--since {commit}: {done.stderr.partition(chr(10))[0]}")
    return list(filter(None, done.stdout.split("\0")))


def report(path: Path, cores, settings) -> str:
    """Places of the method of a pack as Markdown, once its fits are checked."""
    known = path.parent.with_name(f"{path.parent.name}.pack")
    if not known.is_file():
        raise InputError(f"{path}: there is no board {known}; move the pack to the folder of a study and scale")
    others, new = rows_of_pack(known), rows_of_pack(path)
    name, *more = sorted(set(new["method"]))
    if more or name in set(others["method"]):
        raise InputError(f"{path}: put one new method into a pack, not {', '.join([name, *more])}")
    numbers = _imported(path, name, cores, settings)
    if numbers["in_pack"] < len(new):
        lost = f"{len(new) - numbers['in_pack']} of {len(new)}"
        raise InputError(f"{path}: the study asks for other fits than {lost}; train {name!r} with the current code")
    if len(new) < numbers["asked"]:
        asked = f"the study asks for {numbers['asked']} fits, of which none may fail"
        raise InputError(f"{path}: {asked}, but the pack has {len(new)}; add the others")
    again = f"{numbers['trained_again']} trained again here, with the same bits"
    lines = [f"## {name}", f"{len(new)} fits, as the study asks for; {again}."]
    lines += itertools.chain.from_iterable(_places(pd.concat([others, new]), name, path.parent.name, settings))
    return "\n\n".join(lines) + "\n"


def _imported(path, name, cores, settings):
    """Numbers of fits, from the import by Snakemake."""
    study, _, scale = path.parent.name.rpartition("-")
    with Pack(path) as pack:
        done = Path(f"results/{folder([name])}/{study}/{scale}/packs/{pack.digest}.json")
    config = [f"scale={scale}", f"methods=[{name}]", f"only=[{name}]", f"packs=[{path}]", *settings]
    command = [sys.executable, "-m", "snakemake", "--cores", cores, str(done), "--config", *config]
    if subprocess.run(command, check=False).returncode:
        raise InputError(f"{path}: the pack is refused, or its study cannot run; see the messages of Snakemake above")
    return json.loads(done.read_text(encoding="utf-8"))


def _places(rows, name, study_and_scale, settings):
    """For each leaderboard of the study that has the method, its place and the table."""
    study, _, scale = study_and_scale.rpartition("-")
    given = {key: yaml.safe_load(value) for key, value in (pair.split("=", 1) for pair in settings)}
    defaults = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    plan = Plan(read(ROOT / "config", ROOT / "workflow/schemas", defaults | {"methods": [name]} | given))
    planned = plan.study(study, scale)
    for shown, entry in planned.shown["table"].items():
        if entry["kind"] == "leaderboard":
            spec = artefact_specs.spec(plan, planned, "table", shown)
            table = tables.build(rows, spec["table"], **spec["names"], **spec["facts"])
            methods = list(table.values["method"])
            if name in methods:
                yield f"### Place {methods.index(name) + 1} of {len(methods)}", layout.to_markdown(table)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="*", metavar="PACK", type=Path)
    parser.add_argument("--since", metavar="COMMIT", help="also packs added or changed since this branch left COMMIT's")
    parser.add_argument("--cores", default="2", help="of Snakemake")
    parser.add_argument("--config", nargs="*", default=[], metavar="KEY=VALUE", help="of Snakemake, such as mirror=DIR")
    options = parser.parse_args()
    try:
        paths = [*options.packs, *map(Path, changed(options.since) if options.since else ())]
        print("\n".join(report(path, options.cores, options.config) for path in paths) or "No pack of a method is new.")
    except InputError as error:
        sys.exit(f"ironbark: {error}")


if __name__ == "__main__":
    main()
