"""Source ``keel``: archives of the KEEL data set repository."""

from ironbark.errors import InputError
from ironbark.pipeline.data.io import archives, formats
from ironbark.pipeline.data.sources import site
from ironbark.pipeline.data.table.frame import listed


def fetch(id, entry, folder, mirror=None):
    """Download ``archive`` and make one table of its ``members``, or of its only .dat file."""
    who = f"data set {id!r}"
    (path,), facts = site.bring(who, entry, folder)
    tables = []
    with archives.opened(who, path) as content:
        names = [content.find(name) for name in entry.get("members") or _only(who, content)]
        for name in names:
            with formats.readable(f"{path}: {name}", "keel"), content.open(name) as stream:
                tables.append(formats.read_stream(stream, "keel"))
    return site.joined(who, tables, names, entry.get("parts")), facts


def _only(who, content):
    names = [name for name in content.names if name.endswith(".dat")]
    if len(names) != 1:
        raise InputError(f"{who}: {content.path} has not one .dat file but {listed(names) or 'none'}; set `members`")
    return names
