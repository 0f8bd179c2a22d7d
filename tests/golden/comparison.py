"""Golden fits of today against those that are recorded, and what follows from the difference."""

import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

from golden.families import PACKAGE, locked, text, versions

from ironbark.pipeline.jobs import cpu_dispatch

HERE = Path(__file__).parent
RENEW = "python tests/golden/renew.py"
#: Relative error of sizes, means and root mean squares under other libraries or processors. Trees are not compared
#: there: a tie that falls otherwise changes their nodes, and few of their predictions.
TOLERANCE = 0.05
EXACT_ONLY = ("trees", "program", "rounds", "choice", "importances")


def recorded(family):
    """What ``FAMILY.json`` holds."""
    return json.loads((HERE / f"{family}.json").read_text(encoding="utf-8"))


def fitted(family, *ends):
    """Summaries of the family's golden fits, or those between two places, made by a process with variables of jobs."""
    own = {"PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), str(HERE.parent)]), "OMP_NUM_THREADS": "1"}
    environment = os.environ | own | cpu_dispatch.environment()
    command = [sys.executable, str(HERE / "fits.py"), family, *map(str, ends)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the golden fits of {family} failed:\n{done.stderr[-3000:]}")
    return json.loads(done.stdout)


def other_machine(found):
    """Why numbers need not be the same bits here as where `found` was recorded; empty if they must be."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return f"the processor is {platform.machine()}, not x86-64"
    if "OPENBLAS_CORETYPE" not in cpu_dispatch.environment():
        return "the processor lacks AVX2"
    here = {name: _installed(name) for name in found["libraries"]}
    other = [f"{name} is {here[name]}, not {made}" for name, made in found["libraries"].items() if here[name] != made]
    return ", ".join(other)


def _installed(name):
    for distribution in (name, f"{name}-cpu"):  # xgboost-cpu, too, is XGBoost
        try:
            return importlib.metadata.version(distribution)
        except importlib.metadata.PackageNotFoundError:
            continue
    return "missing"


def changes(before, now):
    """Cases and kinds of content that are not the same bits, as texts such as ``predictions of gini, 2 classes``."""
    found = []
    for case in sorted(before.keys() | now.keys()):
        kinds = before.get(case), now.get(case)
        if None in kinds:
            found.append(f"{'dropped' if kinds[1] is None else 'new'} case {case}")
            continue
        for kind in sorted(kinds[0].keys() | kinds[1].keys()):
            if kinds[0].get(kind, [None])[0] != kinds[1].get(kind, [None])[0]:
                found.append(f"{kind} of {case}")
    return found


def departures(before, now):
    """As `changes`, of numbers beyond the tolerance."""
    found = []
    for case in sorted(before.keys() & now.keys()):
        for kind, (_, *numbers) in before[case].items():
            if kind.startswith(EXACT_ONLY):
                continue
            size, mean, root = now[case][kind][1:]
            scale = TOLERANCE * max(abs(numbers[2]), abs(root))
            if size != numbers[0] or abs(mean - numbers[1]) > scale or abs(root - numbers[2]) > scale:
                found.append(f"{kind} of {case}")
    return found


def risen(family, found):
    """Families among this one and those that it builds on whose integer is another than in the record."""
    now = versions(family)
    return [name for name in now if now[name] != found["versions"].get(name)]


def verdict(family, found, now):
    """What is wrong with golden fits that must be the same bits as those recorded; empty if nothing is."""
    changed, up = changes(found["cases"], now), risen(family, found)
    if changed and all(" case " in one.partition(" of ")[0] for one in changed):
        return f"{listed(changed)}: run `{RENEW}`"
    if changed and not up:
        edited = [name for name in versions(family) if text(name) != recorded(name)["text"]]
        culprit = " or ".join(edited or [family])
        return f"{listed(changed)} changed: raise the version of {culprit}"
    if changed:
        return f"{listed(changed)} changed with the version of {' and '.join(up)}: run `{RENEW}`"
    if family in up:
        was, here = found["versions"][family], versions(family)[family]
        return (
            f"the version of {family} went from {was} to {here}, but none of its golden fits changed: add a case that "
            f"shows the change, or take the number back; `{RENEW}` records it as it is"
        )
    return ""


def listed(names):
    return "; ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def stale_text(family, found):
    """What to do if the family's code is another text than recorded; empty if it is the same."""
    if text(family) == found["text"]:
        return ""
    return (
        f"code of {family} was edited: run `{RENEW} --edited {family}`, which makes its golden fits again and records "
        "the new text if all are unchanged; or raise the version"
    )


def record(family, now):
    """Write ``FAMILY.json``."""
    about = {"versions": versions(family), "libraries": locked(family), "text": text(family)}
    lines = ",\n".join(f"  {json.dumps(case)}: {json.dumps(kinds)}" for case, kinds in now.items())
    head = json.dumps(about, indent=1)[:-2]
    (HERE / f"{family}.json").write_text(f'{head},\n "cases": {{\n{lines}\n }}\n}}\n', encoding="utf-8")
