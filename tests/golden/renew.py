"""Fit the golden fits again and record them: ``python tests/golden/renew.py [FAMILY ...]``.

Without names, all families. What may be recorded depends on what changed since the last record:

- the version of the family, or of one that it builds on: the new fits;
- the libraries of ``envs/test.lock``: the new fits, in a commit of its own;
- cases of this folder: new and dropped ones, if the others are unchanged;
- the text of the code alone: nothing, unless the option ``--edited`` is given. Then fits must be unchanged.

Anything else is refused: fits that change under the same version and the same libraries.
"""

import argparse
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])

from golden import comparison  # noqa: E402
from golden.families import CODE, locked  # noqa: E402


def renewed(family, edited=False):
    """Record a family's golden fits; returns what was said, and whether it was refused."""
    path = comparison.HERE / f"{family}.json"
    now = comparison.fitted(family)
    if not path.exists():
        comparison.record(family, now)
        return f"{family}: recorded for the first time", False
    found = comparison.recorded(family)
    reason = comparison.other_machine({"libraries": locked(family)})
    if reason:
        return f"{family}: records are made under envs/test.lock on x86-64, but {reason}", True
    may, problem = allowed(family, found, now), comparison.verdict(family, found, now)
    if not may:
        return f"{family}: {problem}", True
    if comparison.stale_text(family, found) and not (edited or comparison.risen(family, found)):
        return f"{family}: {comparison.stale_text(family, found)}", True
    comparison.record(family, now)
    return f"{family}: recorded, {len(comparison.changes(found['cases'], now))} changes; {problem or 'none'}", False


def allowed(family, found, now):
    """Whether the changes since the record may be recorded."""
    if comparison.risen(family, found) or found["libraries"] != locked(family):
        return True
    common = found["cases"].keys() & now.keys()
    return not comparison.changes(*({case: one[case] for case in common} for one in (found["cases"], now)))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(CODE))
    parser.add_argument("--edited", action="store_true", help="record the text of code whose fits are unchanged")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.families if name not in CODE]
    if unknown:
        parser.error(f"there is no family {unknown[0]!r}; choose among {', '.join(CODE)}")
    found = [renewed(family, options.edited) for family in options.families or CODE]
    print("\n".join(said for said, _ in found))
    return int(any(refused for _, refused in found))


if __name__ == "__main__":
    sys.exit(main())
