"""Prepared data: the folder that `ironbark.pipeline.data.prepare` writes, opened for fits."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ironbark.encoding import EncodedFeatures
from ironbark.errors import InputError

META = "meta.json"

#: Arrays in the order of the digest; the last four need not be there.
ARRAYS = ("codes", "levels", "offsets", "target", "binary", "split", "given", "groups")
_OPTIONAL = ARRAYS[4:]

#: Array -> types that it may have.
_TYPES = {"codes": ("uint8", "uint16", "uint32"), "levels": ("float64",), "offsets": ("int64",),
          "groups": ("uint32",)}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Bundle:
    """One prepared data set; labels are class indices (uint8), one a sample."""

    features: EncodedFeatures  # codes are memory-mapped, read-only
    target: np.ndarray
    binary: np.ndarray | None  # of the task `binary`
    split: np.ndarray | None  # 0 train, 1 test
    meta: dict  # content of meta.json
    given: np.ndarray | None = None  # as they were given, where `target` holds corrected ones
    groups: np.ndarray | None = None  # number of each sample's group

    def y(self, task: str) -> np.ndarray:
        """Class indices of a task."""
        self._task(task)
        return (self.binary if task == "binary" else self.target).astype(np.int64)

    def given_y(self, task):
        """Class indices of a task for the labels as they were given; see `y`."""
        self._task(task)
        if self.given is None:
            raise InputError(
                f"data set {self.meta['id']!r} has no given labels; name their column by `given` in its entry"
            )
        if task == "multiclass":
            return self.given.astype(np.int64)
        sides = np.zeros(int(self.target.max()) + 1, np.int64)
        sides[self.target] = self.binary  # of each class; all of them occur
        return sides[self.given]

    def classes(self, task):
        """Names of the classes of a task by index, as a list of str."""
        return self._task(task)["classes"]

    def _task(self, task):
        tasks = self.meta["tasks"]
        if task not in tasks:
            remedy = "; set `positive` in its entry to define one" if task == "binary" else ""
            raise InputError(f"data set {self.meta['id']!r} has no task {task!r}, only {' and '.join(tasks)}{remedy}")
        return tasks[task]


def load(folder: str | Path) -> Bundle:
    """Open a prepared data set, whose arrays must be those of its digest: fits are kept under it."""
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(f"there is no prepared data set {folder}; run its rule `prepare` first")
    about = meta(folder)
    arrays = {"codes": _open(folder, "codes.npy", lambda path: np.load(path, mmap_mode="r"))}
    for name in ARRAYS[1:]:
        if name not in _OPTIONAL or (folder / f"{name}.npy").exists():
            arrays[name] = _open(folder, f"{name}.npy", np.load)
    shapes = {"codes": (about["d"], about["n"]), "offsets": (about["d"] + 1,)}
    for name, array in arrays.items():
        wanted = (array.size,) if name == "levels" else shapes.get(name, (about["n"],))
        if array.shape != wanted:
            raise InputError(f"{folder / name}.npy has shape {array.shape}, not {wanted}; {_again(folder)}")
        if array.dtype.name not in _TYPES.get(name, ("uint8",)):
            raise InputError(f"{folder / name}.npy holds {array.dtype.name} numbers; {_again(folder)}")
    if digest(arrays) != about["digest"]:
        raise InputError(f"the arrays in {folder} are not those of its {META}; {_again(folder)}")
    features = EncodedFeatures(arrays["codes"], arrays["levels"], arrays["offsets"])
    optional = {name: arrays.get(name) for name in _OPTIONAL}
    return Bundle(features, arrays["target"], meta=about, **optional)


def meta(folder):
    """Content of ``meta.json`` of a prepared data set, as a dict."""
    return _open(Path(folder), META, lambda path: json.loads(path.read_text(encoding="utf-8")))


def digest(arrays: dict[str, np.ndarray]):
    """SHA-256 over name, dtype, shape and bytes of the arrays, in the order of `ARRAYS`."""
    total = hashlib.sha256()
    for name in ARRAYS:
        if name in arrays:
            array = np.ascontiguousarray(arrays[name])
            total.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
            total.update(array.data)
    return total.hexdigest()


def _open(folder, name, reader):
    try:
        return reader(folder / name)
    except (OSError, ValueError, EOFError) as error:  # ValueError: cut short, no JSON, no array
        state = "is missing" if isinstance(error, FileNotFoundError) else "is damaged or cut short"
        raise InputError(f"{folder / name} {state}; {_again(folder)}") from error


def _again(folder):
    return f"remove the folder {folder} and prepare the data set again"
