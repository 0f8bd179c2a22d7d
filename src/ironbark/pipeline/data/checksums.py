"""Checksums of downloads that the catalogue has no SHA-256 of: recorded after first use, and enforced from then on.

`PLACE`, below the working folder, has one line ``address: SHA-256`` for each. It belongs to this machine, like the
data; a checksum for everybody belongs in the catalogue. A note ``.<name>.origin`` next to a file says where it came
from, so that the next job that needs the file does not download it again.
"""

from pathlib import Path

import yaml

from ironbark.errors import InputError
from ironbark.files import explained, owning, write_text
from ironbark.pipeline.log import redacted, say

PLACE = Path("data/checksums.yaml")

_HEADER = """\
# SHA-256 of the files that data sets were first prepared from, where the catalogue has none. The rule fetch refuses
# files that differ. To accept a changed file, remove its line; to share a checksum, copy it to the entry as `sha256`.
"""


def recorded(address):
    """The checksum that was recorded for an address, or None."""
    return _read().get(redacted(address))


def record_new(files: list[dict]):
    """Record the checksums of the files that a data set was prepared from, where nobody vouches for them."""
    for file in files:
        if not file.get("verified", True) and recorded(file["url"]) is None:
            record(file["url"], file["sha256"])
            say(f"the catalogue has no checksum of {file['url']}; its SHA-256 is now in {PLACE}")


def record(address, sha256):
    """Write down the checksum of an address, unless there is one; several processes may do so at once."""
    with explained(PLACE), owning(PLACE.with_name(f".{PLACE.name}.lock")):
        sums = _read()
        if sums.setdefault(redacted(address), sha256) != sha256:
            raise InputError(f"{PLACE} got another checksum of {address} meanwhile; start again")
        write_text(PLACE, _HEADER + yaml.safe_dump(sums, width=1000))


def _read():
    try:
        sums = yaml.safe_load(PLACE.read_text(encoding="utf-8")) or {}
    except FileNotFoundError:
        return {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{PLACE} is no YAML ({' '.join(str(error).split())[:100]}); correct it") from error
    if not isinstance(sums, dict) or not all(isinstance(value, str) for value in sums.values()):
        raise InputError(f"{PLACE} must hold lines `address: SHA-256`; correct it")
    return sums


def note(path):
    """Path of the note on a file."""
    return path.with_name(f".{path.name}.origin")


def read_note(path):
    """SHA-256 and address of a file, or two empty texts."""
    try:
        sha256, url = note(path).read_text(encoding="utf-8").split()
    except (FileNotFoundError, ValueError):
        return "", ""
    return sha256, url


def forget(*folders):
    """Remove the notes on files of some folders."""
    for folder in folders:
        for path in folder.glob(".*.origin"):
            path.unlink(missing_ok=True)
