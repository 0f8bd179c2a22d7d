"""Archive of a model: one JSON text and plain arrays in a zip file, as NumPy writes them, without pickle."""

import io
import json
import math
import zipfile
from pathlib import Path

import numpy as np

from ironbark.files import replacing
from ironbark.persistence.trees import require

HEADER = "model.json"
KINDS = "biufU"  # of the types of arrays: bool, int, unsigned int, float, str


def write(path: Path, header: dict, arrays: dict[str, np.ndarray]):
    """Write an archive, whole or not at all; the same content gives the same bytes."""
    with replacing(path) as side, zipfile.ZipFile(side, "w", zipfile.ZIP_STORED) as file:
        file.writestr(zipfile.ZipInfo(HEADER), json.dumps(header, indent=1))
        for name, array in arrays.items():
            with file.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, array, version=(1, 0), allow_pickle=False)


def read(path: Path) -> tuple[dict, dict[str, np.ndarray]]:
    """Header and arrays of an file. Members must not be compressed, so that none is larger than the file."""
    with zipfile.ZipFile(path) as file:
        members = file.infolist()
        plain = all(
            info.compress_type == zipfile.ZIP_STORED and info.file_size == info.compress_size for info in members
        )
        fits = sum(info.file_size for info in members) <= Path(path).stat().st_size
        require(plain and fits, "its members are compressed or overlap")
        names = [info.filename for info in members]
        unique = len(set(names)) == len(names) and names.count(HEADER) == 1
        require(unique, f"it needs one {HEADER}, and no member twice")
        header = json.loads(file.read(HEADER))
        require(isinstance(header, dict), f"{HEADER} is no object")
        arrays = {name.removesuffix(".npy"): _array(file.read(name)) for name in names if name != HEADER}
    return header, arrays


def _array(content):
    """Array of the bytes of an .npy file of version 1.0, of a plain type; nothing is unpickled."""
    stream = io.BytesIO(content)
    require(np.lib.format.read_magic(stream) == (1, 0), "an array has another version than 1.0")
    shape, fortran_order, dtype = np.lib.format.read_array_header_1_0(stream)
    content = memoryview(content)[stream.tell() :]
    if fortran_order or dtype.kind not in KINDS or math.prod(shape) * dtype.itemsize != len(content):
        raise ValueError("an array is not in C order, not of a plain type, or not as long as its header says")
    return np.ndarray(shape, dtype, content).copy()
