"""Archives, read where they lie: their members are never written to a folder, so none can leave it.

An archive that tries to is refused as a whole all the same, since no data set is packed like that.
"""

import contextlib
import gzip
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from ironbark.errors import InputError
from ironbark.pipeline.data import formats
from ironbark.pipeline.data.frame import listed

MOST = 32 << 30  # bytes that one member may have when unpacked; HIGGS has 8 GB

_DAMAGE = (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, zlib.error)
GZIP = b"\x1f\x8b"  # start of a file that gzip wrote
_ENCRYPTED = 1  # bit of the flags of a zip member
_LINK = 0o12  # the type of a link in the mode that Unix programs put into zip archives


@contextlib.contextmanager
def opened(who: str, path: Path):
    """Open a zip or tar archive."""
    with contextlib.ExitStack() as stack:
        try:
            if zipfile.is_zipfile(path):
                content = stack.enter_context(zipfile.ZipFile(path))
                members, open_member = _members_of_zip(content), content.open
            else:
                content = stack.enter_context(tarfile.open(path))
                members = [(info.name, info.size, info.isfile()) for info in content.getmembers() if not info.isdir()]
                open_member = content.extractfile
        except _DAMAGE as error:
            raise InputError(
                f"{who}: {path} is no zip or tar archive or is damaged; remove it and fetch again"
            ) from error
        for name, size, plain in members:
            _check(who, path, name, size, plain)
        yield Archive(who, Path(path), open_member, [name for name, _, _ in members])


def _members_of_zip(archive):
    """Name, size and whether it is a plain file, of each member that is no folder."""
    infos = [info for info in archive.infolist() if not info.is_dir()]
    if any(info.flag_bits & _ENCRYPTED for info in infos):
        raise zipfile.BadZipFile("encrypted")
    return [(info.filename, info.file_size, (info.external_attr >> 28) != _LINK) for info in infos]


def _check(who, path, name, size, plain):
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or ".." in parts or name.startswith(("/", "\\")) or ":" in parts[0]:
        fault = f"holds {name!r}, which would leave its folder"
    elif not plain:
        fault = f"holds {name!r}, which is a link or a device"
    elif size > MOST:
        fault = f"holds {name!r} of {size:,} bytes, more than the {MOST:,} that are allowed"
    else:
        return
    raise InputError(f"{who}: the archive {path} {fault}; do not use it, and find out where it came from")


class Archive:
    """An open archive whose members, `names`, have been looked at."""

    def __init__(self, who, path, open_member, names):
        self.who, self.path, self.names, self._open = who, path, names, open_member

    def find(self, wanted):
        """The one member of this name, or that ends in it."""
        if wanted in self.names:
            return wanted
        found = [name for name in self.names if name.endswith(wanted)]
        if len(found) != 1:
            said = f"{len(found)} files that end in" if found else "no file"
            raise InputError(f"{self.who}: {self.path} has {said} {wanted!r}; it has {listed(self.names)}")
        return found[0]

    @contextlib.contextmanager
    def open(self, name):
        """Open a member for reading; one that ends in .gz, .bz2 or .xz is unpacked, unless it is plain text."""
        with self._open(name) as stream:
            unpack = formats.COMPRESSED.get(PurePosixPath(name).suffix)
            if unpack is gzip.open:
                unpack = unpack if stream.read(2) == GZIP else None
                stream.seek(0)
            if unpack is None:
                yield stream
                return
            with unpack(stream, "rb") as content:
                yield content
