"""Packs: one zip file with the stored fits of studies, which another machine can check and import.

A pack has a ``manifest.json``, texts on licences, and one member ``store/<data set>/<task>/<noise>.jsonl`` for each
noise, with one line per fit of any method (`ironbark.pipeline.results.pack_lines`). Equal fits give equal bytes. A
reader trusts nothing: `Pack` checks names, kinds, sizes and checksums of members, and never extracts one to a path.
"""

import hashlib
import json
import re
import stat
import zipfile
import zlib
from pathlib import Path

from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.pipeline.results import pack_lines

KIND, FORMAT = "ironbark pack", 2
MANIFEST, LICENCE, DATA = "manifest.json", "LICENSE", "DATA.txt"
STORE = re.compile(r"store/[a-z0-9-]+/(binary|multiclass)/[a-z0-9]+([.-][a-z0-9]+)*\.jsonl")

MOST_MEMBERS = 100_000
MOST_BYTES = 2**30  # of one member, unpacked
MOST_MANIFEST = 2**26
MOST_RATIO = 100  # of the unpacked to the packed size, of each member and of the whole file
DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip file can hold

#: Key of the manifest -> type of its value.
MANIFEST_KEYS = {
    **{"kind": str, "format": int, "ironbark": str, "versions": dict, "processor": str, "date": str},
    **{"studies": list, "scale": str, "protocols": dict, "fits": int, "missing": int, "failed": int},
    **{"content": str, "members": dict},
}


def write(path, about, fits, texts):
    """Write a pack, whole or not at all.

    Parameters
    ----------
    path : path
    about : dict
        The manifest without kind, format, fits and members; taken once the fits have been read.
    fits : iterable of (str, list of (str, str, dict))
        Name of each member, in their order, and its fits: method, key and record. Read one by one.
    texts : dict
        Name of each further member -> text.

    Returns
    -------
    dict
        The manifest.
    """
    manifest = {"kind": KIND, "format": FORMAT, "members": {}}
    with replacing(path) as side, zipfile.ZipFile(side, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, unsorted in fits:
            found = sorted(unsorted, key=lambda fit: (fit[0], fit[2]["repeat"], fit[2]["fold"], fit[1]))
            _add(archive, manifest, name, b"".join(pack_lines.line(*fit) for fit in found))
            manifest["members"][name]["fits"] = len(found)
        for name, text in sorted(texts.items()):
            _add(archive, manifest, name, text.encode())
        manifest |= about
        manifest["fits"] = sum(about.get("fits", 0) for about in manifest["members"].values())
        _add(archive, None, MANIFEST, json.dumps(manifest, sort_keys=True, allow_nan=False).encode())
    return manifest


def _add(archive, manifest, name, content):
    if len(content) > MOST_BYTES:
        raise InputError(
            f"{name} has {len(content)} bytes, more than a member of a pack can hold; pack the study with fewer repeats"
        )
    info = zipfile.ZipInfo(name, DATE)
    info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, 0o100644 << 16
    archive.writestr(info, content, zipfile.ZIP_DEFLATED, 9)
    if manifest is not None:
        manifest["members"][name] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


class Pack:
    """A pack that is open for reading.

    Attributes
    ----------
    manifest : dict
    digest : str
        Hash of the manifest, which has the checksum of every other member.
    members : list of str
        Members with fits.

    Raises
    ------
    InputError
        If the file is no pack of this format, or has members that no pack has.
    """

    def __init__(self, path):
        self.path = Path(path)
        try:
            self._archive = zipfile.ZipFile(self.path)
        except OSError as error:
            raise InputError(f"the pack {path} cannot be read ({error.strerror}); correct --config packs") from None
        except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
            raise self.refusal(f"it is no zip file, or is cut short ({error})") from None
        try:
            self._check_archive()
            content = self._read(MANIFEST, MOST_MANIFEST)
            self.digest = hashlib.sha256(content).hexdigest()[:32]
            self.manifest = self._manifest(content)
        except BaseException:
            self._archive.close()
            raise
        self.members = sorted(name for name in self.manifest["members"] if name.startswith("store/"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._archive.close()

    def refusal(self, reason):
        """The error that ends the use of this pack."""
        shown = printable(reason)
        return InputError(f"the pack {self.path} is refused: {shown}; nothing was imported, leave it out of packs")

    def fits(self, name):
        """Fits of a member, as method -> key -> record, after a check of its size, checksum and each of its lines."""
        about = self.manifest["members"][name]
        content = self._read(name, about["size"])
        if hashlib.sha256(content).hexdigest() != about["sha256"]:
            raise self.refusal(f"the checksum of {name} is not that of its manifest")
        try:
            found = pack_lines.read(content)
        except ValueError as error:
            raise self.refusal(f"{name}, {error}") from None
        if about["fits"] != sum(map(len, found.values())):
            raise self.refusal(f"the number of fits of {name} is not that of its manifest")
        return found

    def _read(self, name, size):
        """Content of a member, of at most so many bytes."""
        try:
            with self._archive.open(name) as stream:
                content = stream.read(size + 1)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError, OSError) as error:
            raise self.refusal(f"{name} is damaged ({error})") from None
        if len(content) > size or (name != MANIFEST and len(content) != size):
            raise self.refusal(f"{name} has not the size that its manifest says")
        return content

    def _check_archive(self):
        infos = self._archive.infolist()
        if len(infos) > MOST_MEMBERS:
            raise self.refusal(f"it has {len(infos)} members, more than {MOST_MEMBERS}")
        names, whole = set(), 0
        for info in infos:
            shown, whole = repr(info.orig_filename[:200]), whole + info.file_size
            if info.orig_filename not in (MANIFEST, LICENCE, DATA) and not STORE.fullmatch(info.orig_filename):
                raise self.refusal(f"no pack has a member {shown}")
            if info.filename in names:
                raise self.refusal(f"it has two members {shown}")
            names.add(info.filename)
            if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG) or info.flag_bits & 1:
                raise self.refusal(f"{shown} is no plain file")
            if info.compress_type != zipfile.ZIP_DEFLATED:
                raise self.refusal(f"{shown} is compressed in a way that packs do not use")
            if info.file_size > min(MOST_BYTES, MOST_RATIO * info.compress_size + 1000):
                raise self.refusal(f"{shown} is too large unpacked: {info.file_size} bytes")
        if whole > MOST_RATIO * self.path.stat().st_size:
            raise self.refusal(f"it is too large unpacked: {whole} bytes")
        if MANIFEST not in names:
            raise self.refusal(f"it has no {MANIFEST}, so it is no pack of ironbark")

    def _manifest(self, content):
        try:
            manifest = pack_lines.strict_json(content)
        except ValueError as error:
            raise self.refusal(f"its {MANIFEST} cannot be read ({error})") from None
        if not isinstance(manifest, dict) or manifest.get("kind") != KIND:
            raise self.refusal(f"its {MANIFEST} is not that of a pack of ironbark")
        if manifest.get("format") != FORMAT:
            raise self.refusal(
                f"it has format {str(manifest.get('format'))[:20]}, this version of ironbark reads format {FORMAT}"
            )
        wrong = [key for key, kind in MANIFEST_KEYS.items() if type(manifest.get(key)) is not kind]
        if wrong or set(manifest) != set(MANIFEST_KEYS):
            raise self.refusal(f"its {MANIFEST} lacks a key, has a further one or one of another type")
        names = {name for name in self._archive.namelist() if name != MANIFEST}
        if set(manifest["members"]) != names:
            raise self.refusal(f"its members are not those of its {MANIFEST}")
        if not all(_is_member(name, about) for name, about in manifest["members"].items()):
            raise self.refusal(f"its {MANIFEST} has entries of another shape")
        if manifest["fits"] != sum(about.get("fits", 0) for about in manifest["members"].values()):
            raise self.refusal(f"its {MANIFEST} counts its fits wrong")
        return manifest


def printable(text):
    """Text of a pack without control characters."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _is_member(name, about):
    counts = {"size", "fits"} if name.startswith("store/") else {"size"}
    if not isinstance(about, dict) or set(about) != {"sha256", *counts} or not isinstance(about["sha256"], str):
        return False
    return all(type(about[count]) is int and 0 <= about[count] <= MOST_BYTES for count in counts)
