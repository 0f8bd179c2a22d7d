"""Checksums of downloads whose SHA-256 the catalogue does not know: recorded once, and enforced from then on.

They stand in `PLACE`, one line ``address: SHA-256`` each, below the working folder. Commit that file: then everybody
gets the same data, or an error.
"""

import contextlib
import contextvars
from pathlib import Path

import yaml

from ironbark.errors import InputError
from ironbark.files import explained, owning, write_all

PLACE = Path("config/checksums.yaml")

_HEADER = """\
# SHA-256 of files as they were when first downloaded, for those whose catalogue entry has none. The rule fetch adds
# lines and refuses files that differ. Commit this file. To accept a changed file, remove its line.
"""


def recorded(address):
    """The checksum that was recorded for an address, or None.

    Raises
    ------
    InputError
        If the file of the checksums is damaged.
    """
    return _read().get(address)


def record(address, sha256):
    """Write down the checksum of an address, unless there is one; several processes may do so at once.

    Raises
    ------
    InputError
        If the file cannot be written, or holds another checksum of this address.
    """

    def add(sums):
        if sums.setdefault(address, sha256) != sha256:
            raise InputError(f"{PLACE} got another checksum of {address} meanwhile; start again")

    _change(add)
    _new.get([]).append(address)


@contextlib.contextmanager
def provisional():
    """Withdraw what the block records if it ends with an InputError: what cannot be read should not be enforced."""
    addresses = []
    token = _new.set(addresses)
    try:
        yield
    except InputError:
        if addresses:
            _change(lambda sums: [sums.pop(address, None) for address in addresses])
        raise
    finally:
        _new.reset(token)


#: Addresses that were recorded within the innermost `provisional`.
_new = contextvars.ContextVar("new")


def _change(edit):
    """Apply a function to the checksums and replace their file; one process at a time."""
    side = PLACE.with_name(f".{PLACE.name}.part")
    with explained(PLACE), owning(side) as stream:
        try:
            sums = _read()
            edit(sums)
            stream.truncate(0)
            write_all(stream, (_HEADER + (yaml.safe_dump(sums, width=1000) if sums else "")).encode())
            side.replace(PLACE)
        except BaseException:
            side.unlink(missing_ok=True)
            raise


def _read():
    try:
        sums = yaml.safe_load(PLACE.read_text(encoding="utf-8")) or {}
    except FileNotFoundError:
        return {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{PLACE} is no YAML ({' '.join(str(error).split())[:100]}); mend it") from error
    if not isinstance(sums, dict) or not all(isinstance(value, str) for value in sums.values()):
        raise InputError(f"{PLACE} must hold lines `address: SHA-256`; mend it")
    return sums
