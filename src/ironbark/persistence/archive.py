"""Archives of arrays and one JSON text, in NumPy's .npz format, read without trusting what they hold."""

import contextlib
import io
import json
import math
import zipfile
from pathlib import Path

import numpy as np

from ironbark.errors import InputError
from ironbark.files import replacing

HEADER = "model.json"
KINDS = "biufU"  # of the types of arrays: bool, int, unsigned int, float, str


def write(path: Path, header: dict, arrays: dict[str, np.ndarray]):
    """Write an archive, whole or not at all; the same content gives the same bytes."""
    with replacing(path) as side, zipfile.ZipFile(side, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo(HEADER), json.dumps(header, indent=1))
        for name, array in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, array, version=(1, 0), allow_pickle=False)


def read(path):
    """Header and arrays of an archive. Members must not be compressed, so that none is larger than the file."""
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        plain = all(
            info.compress_type == zipfile.ZIP_STORED and info.file_size == info.compress_size for info in members
        )
        if not plain or sum(info.file_size for info in members) > Path(path).stat().st_size:
            raise ValueError("its members are compressed or overlap")
        names = [info.filename for info in members]
        if len(set(names)) < len(names) or names.count(HEADER) != 1:
            raise ValueError(f"it needs one {HEADER}, and no member twice")
        header = json.loads(archive.read(HEADER))
        if not isinstance(header, dict):
            raise ValueError(f"{HEADER} is no object")
        arrays = {name.removesuffix(".npy"): _array(archive.read(name)) for name in names if name != HEADER}
    return header, arrays


def _array(content):
    """Array of the bytes of an .npy file of version 1.0, of a plain type; nothing is unpickled."""
    stream = io.BytesIO(content)
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError("an array has another version than 1.0")
    shape, fortran_order, dtype = np.lib.format.read_array_header_1_0(stream)
    content = memoryview(content)[stream.tell() :]
    if fortran_order or dtype.kind not in KINDS or math.prod(shape) * dtype.itemsize != len(content):
        raise ValueError("an array is not in C order, not of a plain type, or not as long as its header says")
    return np.ndarray(shape, dtype, content).copy()


@contextlib.contextmanager
def damage_explained(path):
    """Turn whatever reading a damaged or hostile file raises into one sentence."""
    if not Path(path).is_file():
        raise InputError(f"there is no file {path}; give the path of a model that ironbark.save wrote")
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # parsers of zip files, JSON and array headers raise many kinds
        detail = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"{path} is damaged or no model of ironbark ({detail}); save the model again") from error
