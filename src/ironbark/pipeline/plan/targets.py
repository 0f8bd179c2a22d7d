"""Targets on the command line that do not exist: studies, rules, and files of a study."""

import difflib
from collections.abc import Iterable

from ironbark.errors import InputError

NEAREST = 3


def check(targets: Iterable[str], rules: Iterable[str], studies: Iterable[str]):
    """Refuse a misspelt study or rule before Snakemake does, which cannot suggest another."""
    known = list(dict.fromkeys([*studies, *rules]))
    for target in targets:
        if target in known or "/" in target or "." in target:
            continue
        near = difflib.get_close_matches(target, known, n=NEAREST)
        near += [name for name in known if name.startswith(f"{target}-") and name not in near][:NEAREST]
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {', '.join(sorted(set(known)))}"
        raise InputError(f"there is no study or rule {target!r}; {hint}")
